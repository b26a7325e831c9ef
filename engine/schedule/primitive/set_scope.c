/* set_scope: the memory in which a temporary buffer lives.
 *
 * The buffer that the block writes is replaced everywhere by one with the new storage scope, which its name then ends
 * in (C -> C_shared); buffers that are matched on it get the scope too.  Source: TVM's tir set_scope.
 */
#include "engine/schedule/primitive/primitive.h"

enum { BLOCK, BUFFER_INDEX, STORAGE_SCOPE };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block that writes the buffer" },
  { "buffer_index", LS_PARAM_BUFFER, LS_PARAM_BY_INDEX, NULL, "which of the buffers that it writes, from 0, or its name" },
  { "storage_scope", LS_PARAM_STRING, 0, NULL, "global, shared, local, ..." },
};

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  const char *scope = ls_move_string (move, STORAGE_SCOPE);
  LsBuffer *buffer = ls_legal_access_buffer (move, diagnostics, block, BUFFER_INDEX, TRUE);
  LsSref *site;
  gboolean legal;

  if (buffer == NULL)
    return FALSE;
  if (strcmp (ls_buffer_scope (buffer), scope) == 0)
    return TRUE;
  legal = ls_legal_storage_scope (move, diagnostics, scope);
  return ls_legal_allocated (move, diagnostics, block, buffer, &site) && legal;
}

/* Buffers that are matched on replaced ones get the scope as well. */
typedef struct {
  GHashTable *map;
  GPtrArray  *buffers;          /* its keys that are buffers, in the order in which they were met */
  const char *scope;
  GHashTable *entered;
} Matched;

static void
add_replacement (Matched  *self,
                 LsBuffer *old)
{
  g_autofree char *name = g_strdup_printf ("%s_%s", old->name, self->scope);
  LsBuffer *fresh = ls_buffer_copy (old, name, self->scope, NULL);

  if (!g_hash_table_contains (self->map, old))
    g_ptr_array_add (self->buffers, old);
  g_hash_table_insert (self->map, old, fresh);
  g_hash_table_insert (self->map, old->data, ls_ref (fresh->data));
}

static LsWalk
collect_matched (LsNode   *node,
                 gpointer  user_data)
{
  Matched *self = user_data;

  if (!(node->facts & ls_facts_of_keys (self->map)) || ls_rebuild_passes_by (node, self->entered))
    return LS_WALK_PRUNE;
  if (ls_is (node, MATCH_BUFFER_REGION))
    {
      LsMatchBufferRegion *match = (LsMatchBufferRegion *) node;

      if (g_hash_table_contains (self->map, match->source->buffer))
        add_replacement (self, match->buffer);
    }
  return LS_WALK_CONTINUE;
}

/* Where the matched buffers are used has to be entered as well. */
static void
enter_matched (LsState     *state,
               LsSref      *site,
               GPtrArray   *buffers,
               GHashTable **entered)
{
  g_hash_table_unref (*entered);
  *entered = ls_state_entered (state, site, NULL, (LsBuffer **) buffers->pdata, buffers->len);
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  const char *scope = ls_move_string (move, STORAGE_SCOPE);
  LsBuffer *buffer = ls_legal_access_buffer (move, NULL, block, BUFFER_INDEX, TRUE);
  g_autoptr(GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr(GPtrArray) buffers = g_ptr_array_new ();
  Matched matched = { map, buffers, scope, NULL };
  g_autoptr(LsBlockReuse) reuse = NULL;
  g_autoptr(LsNode) fresh = NULL;
  g_autoptr(GHashTable) entered = NULL;
  LsSref *site;

  if (strcmp (ls_buffer_scope (buffer), scope) == 0)
    return TRUE;
  ls_legal_allocated (move, NULL, block, buffer, &site);
  add_replacement (&matched, buffer);
  entered = ls_state_entered (move->state, site, NULL, &buffer, 1);
  matched.entered = entered;
  ls_walk (site->stmt, collect_matched, NULL, &matched);
  enter_matched (move->state, site, buffers, &entered);
  reuse = ls_block_reuse_new ();
  fresh = ls_rebuild_substitute_in (site->stmt, entered, map, reuse);
  for (guint i = 0; i < buffers->len; i++)
    ls_move_note_buffer (move, LS_LINEAGE_CHANGED, g_hash_table_lookup (map, buffers->pdata[i]), buffers->pdata[i]);
  ls_state_replace (move->state, site, fresh, reuse);
  return TRUE;
}

const LsInstruction ls_instruction_set_scope = {
  .name = "set_scope",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Changes the memory in which a buffer lives"),
  .condition = "The buffer is allocated by a block of the function; it is no parameter.",
  .source = "TVM v0.20 tir.Schedule.set_scope",
  .check = check,
  .apply = apply,
};
