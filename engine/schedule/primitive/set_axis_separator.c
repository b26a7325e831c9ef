/* set_axis_separator: where the dimensions of a buffer are grouped when it is flattened.
 *
 *   B: (128, 128)          one physical dimension
 *   B: (128, | 128)        [1]: two, as a texture has
 *
 * Accesses stay; views that are matched on the buffer get the same groups, or, when they have another number of
 * dimensions, as many separators at their front.  Source: TVM's tir set_axis_separator.
 */
#include "engine/schedule/primitive/primitive.h"

enum { BLOCK, BUFFER, AXIS_SEPARATORS };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "a block that uses the buffer" },
  { "buffer", LS_PARAM_BUFFER, 0, NULL, "(\"read\", 0), (\"write\", 0) or the name of the buffer" },
  { "axis_separators", LS_PARAM_INTS, LS_PARAM_OPTIONAL, NULL, "dimensions before which a new group begins" },
};

static LsArray *
separators (LsMove *move)
{
  return move->args[AXIS_SEPARATORS] != NULL ? (LsArray *) ls_node_ref (move->args[AXIS_SEPARATORS]) : ls_array_empty ();
}

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  gboolean is_write;
  LsBuffer *buffer = ls_legal_buffer_access (move, diagnostics, block, BUFFER, &is_write);
  g_autoptr(LsArray) list = separators (move);
  gint64 last = 0;
  LsSref *site;

  if (buffer == NULL || !ls_legal_not_root (move, diagnostics, block) || !ls_legal_not_view (move, diagnostics, block, buffer, &site))
    return FALSE;
  for (guint i = 0; i < list->n; i++)
    {
      gint64 at = -1;

      ls_as_int (list->items[i], &at);
      if (at >= last && at <= ls_buffer_ndim (buffer))
        {
          last = at;
          continue;
        }
      ls_move_refuse (move, diagnostics, "separators", block->stmt,
                      "Separators of %s are numbers from 0 to %u that do not fall; %" PRId64 " does not fit.", buffer->name, ls_buffer_ndim (buffer), at);
      return FALSE;
    }
  return TRUE;
}

typedef struct {
  GHashTable *map;              /* old buffer -> new one (owned) */
  GPtrArray  *buffers;          /* its keys in the order in which they were met */
  LsBuffer   *buffer;
  LsArray    *separators;
  GHashTable *entered;          /* ls_state_entered */
} Views;

static void
set_buffer (Views    *self,
            LsBuffer *old,
            LsBuffer *fresh)
{
  if (!g_hash_table_contains (self->map, old))
    g_ptr_array_add (self->buffers, old);
  g_hash_table_insert (self->map, old, fresh);
}

static void
add_buffer (Views    *self,
            LsBuffer *old,
            LsArray  *list)
{
  set_buffer (self, old, ls_buffer_new_full (ls_ref (old->data), old->dtype, ls_ref (old->shape), ls_ref (old->strides),
                                             ls_ref (old->elem_offset), old->name, old->data_alignment, old->offset_factor,
                                             old->buffer_type, ls_ref (list)));
}

/* As many separators, all at the front. (transfer full) */
static LsArray *
at_front (LsArray *list)
{
  GPtrArray *zeros = g_ptr_array_new ();

  for (guint i = 0; i < list->n; i++)
    g_ptr_array_add (zeros, ls_int (0));
  return ls_array_take_ptr_array (zeros);
}

static LsWalk
collect_views (LsNode   *node,
               gpointer  user_data)
{
  Views *self = user_data;
  LsMatchBufferRegion *match = (LsMatchBufferRegion *) node;
  g_autoptr(LsArray) list = NULL;

  if (ls_rebuild_passes_by (node, self->entered))
    return LS_WALK_PRUNE;
  /* what a change of layout left behind has the same data */
  if (ls_is (node, BUFFER) && ((LsBuffer *) node)->data == self->buffer->data && !g_hash_table_contains (self->map, node))
    set_buffer (self, (LsBuffer *) node, ls_ref ((LsBuffer *) g_hash_table_lookup (self->map, self->buffer)));
  if (!ls_is (node, MATCH_BUFFER_REGION) || !g_hash_table_contains (self->map, match->source->buffer))
    return LS_WALK_CONTINUE;
  list = ls_buffer_ndim (match->buffer) == ls_buffer_ndim (match->source->buffer) ? ls_ref (self->separators) : at_front (self->separators);
  add_buffer (self, match->buffer, list);
  return LS_WALK_CONTINUE;
}

/* Where the views are used has to be entered as well. */
static void
enter_views (LsState     *state,
             LsSref      *scope,
             GPtrArray   *buffers,
             GHashTable **entered)
{
  g_hash_table_unref (*entered);
  *entered = ls_state_entered (state, scope, NULL, (LsBuffer **) buffers->pdata, buffers->len);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  gboolean is_write;
  LsBuffer *buffer = ls_legal_buffer_access (move, NULL, block, BUFFER, &is_write);
  g_autoptr(GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr(LsArray) list = separators (move);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsNode) fresh = NULL;
  g_autoptr(GHashTable) entered = NULL;
  g_autoptr(GPtrArray) buffers = g_ptr_array_new ();
  Views views = { map, buffers, buffer, list };
  LsSref *site, *scope;

  ls_legal_not_view (move, NULL, block, buffer, &site);
  scope = site != NULL ? site : ls_state_scope_root (move->state, block);
  add_buffer (&views, buffer, list);
  entered = views.entered = ls_state_entered (move->state, scope, NULL, &buffer, 1);
  ls_walk (scope->stmt, collect_views, NULL, &views);
  enter_views (move->state, scope, buffers, &entered);
  fresh = ls_rebuild_substitute_in (scope->stmt, entered, map, reuse);
  ls_state_replace (move->state, scope, fresh, reuse);
  if (site == NULL)
    ls_state_replace_parameter (move->state, scope->func, buffer, g_hash_table_lookup (map, buffer));
  for (guint i = 0; i < buffers->len; i++)
    {
      LsBuffer *old = buffers->pdata[i];

      if (old == buffer || old->data != buffer->data)
        ls_move_note_buffer (move, LS_LINEAGE_CHANGED, g_hash_table_lookup (map, old), old);
    }
  return TRUE;
}

const LsInstruction ls_instruction_set_axis_separator = {
  .name = "set_axis_separator",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Groups the dimensions of a buffer for flattening"),
  .condition = "The buffer is no view, and the separators are numbers of its dimensions that do not fall.",
  .source = "TVM v0.20 tir.Schedule.set_axis_separator",
  .check = check,
  .apply = apply,
};
