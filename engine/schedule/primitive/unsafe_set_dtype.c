/* unsafe_set_dtype: a temporary buffer holds its elements in another type.
 *
 *   B[vi] = A[vi] * 2.0                B[vi] = T.Cast ("float16", A[vi] * 2.0)
 *   C[vi] = B[vi] + 1.0       ->       C[vi] = T.Cast ("float32", B[vi]) + 1.0
 *
 * Values are converted where they are stored and back where they are loaded; buffers that are matched on it get the type
 * too.  Results may change by rounding, which is why the name says unsafe.  Source: TVM's tir unsafe_set_dtype.
 */
#include "engine/schedule/primitive/primitive.h"

enum { BLOCK, BUFFER_INDEX, DTYPE };

static const LsParam params[] = {
  { "block", LS_PARAM_BLOCK, 0, NULL, "the block that writes the buffer" },
  { "buffer_index", LS_PARAM_BUFFER, LS_PARAM_BY_INDEX, NULL, "which of the buffers that it writes, from 0, or its name" },
  { "dtype", LS_PARAM_STRING, 0, NULL, "the type of the elements: float16, int8, ..." },
};

static gboolean
check (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  LsBuffer *buffer = ls_legal_access_buffer (move, diagnostics, block, BUFFER_INDEX, TRUE);
  LsDType dtype;
  LsSref *site;

  if (!ls_dtype_parse (ls_move_string (move, DTYPE), &dtype) || ls_dtype_is_void (dtype))
    {
      LsDiagnostic *finding = ls_move_refuse (move, diagnostics, "dtype", block->stmt, "\"%s\" is no type of elements.", ls_move_string (move, DTYPE));

      if (finding != NULL)
        ls_diagnostic_set_repair (finding, "Name a type as float16, float32, int8 or int32.");
      return FALSE;
    }
  if (buffer == NULL)
    return FALSE;
  if (ls_dtype_equal (buffer->dtype, dtype))
    return TRUE;
  if (!ls_legal_allocated (move, diagnostics, block, buffer, &site))
    return FALSE;
  ls_move_warn (move, diagnostics, "rounding", block->stmt, "%s then holds %s, not %s; results may change.", buffer->name, ls_dtype_name (dtype),
                ls_dtype_name (buffer->dtype));
  return TRUE;
}

typedef struct {
  GHashTable   *map;            /* old buffer or data variable -> new one (owned) */
  GPtrArray    *buffers;        /* its keys that are buffers, in the order in which they were met */
  LsDType       from;
  LsDType       to;
  LsBlockReuse *reuse;
  GHashTable   *entered;        /* ls_state_entered */
} Retyping;

static void
add_buffer (Retyping *self,
            LsBuffer *old)
{
  const char *scope = ((LsPointerType *) old->data->type_annotation)->storage_scope;
  LsVar *data = ls_var_new_typed (old->data->name, ls_pointer_type_new (ls_prim_type_new (self->to), scope));
  LsBuffer *fresh = ls_buffer_new_full (data, self->to, ls_ref (old->shape), ls_ref (old->strides), ls_ref (old->elem_offset), old->name,
                                        old->data_alignment, old->offset_factor, old->buffer_type, ls_ref (old->axis_separators));

  if (!g_hash_table_contains (self->map, old))
    g_ptr_array_add (self->buffers, old);
  g_hash_table_insert (self->map, old, fresh);
  g_hash_table_insert (self->map, old->data, ls_ref (data));
}

static LsWalk
collect_matched (LsNode   *node,
                 gpointer  user_data)
{
  Retyping *self = user_data;

  if (ls_rebuild_passes_by (node, self->entered))
    return LS_WALK_PRUNE;
  if (ls_is (node, MATCH_BUFFER_REGION) && g_hash_table_contains (self->map, ((LsMatchBufferRegion *) node)->source->buffer))
    add_buffer (self, ((LsMatchBufferRegion *) node)->buffer);
  return LS_WALK_CONTINUE;
}

/* Where the matched buffers are used has to be entered as well. */
static void
enter_matched (Retyping    *self,
               LsState     *state,
               LsSref      *site,
               GHashTable **entered)
{
  g_hash_table_unref (*entered);
  self->entered = *entered = ls_state_entered (state, site, NULL, (LsBuffer **) self->buffers->pdata, self->buffers->len);
}

static LsArray *
indices_of (LsRewriter *rewriter,
            LsArray    *indices)
{
  return (LsArray *) ls_rewrite (rewriter, indices);
}

static LsNode *
retype (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  Retyping *self = user_data;
  LsNode *known = g_hash_table_lookup (self->map, node);
  LsNode *fresh;

  if (known != NULL)
    return ls_node_ref (known);
  if (ls_rebuild_passes_by (node, self->entered))
    return ls_node_ref (node);
  if (ls_is (node, BUFFER_LOAD) && (known = g_hash_table_lookup (self->map, ((LsBufferLoad *) node)->buffer)) != NULL)
    {
      LsBufferLoad *load = (LsBufferLoad *) node;
      LsExpr *fresh_load = ls_buffer_load_new ((LsBuffer *) ls_node_ref (known), indices_of (rewriter, load->indices), ls_ref (load->predicate));

      return LS_NODE (ls_cast_new (ls_dtype (node), fresh_load));
    }
  if (ls_is (node, BUFFER_STORE) && (known = g_hash_table_lookup (self->map, ((LsBufferStore *) node)->buffer)) != NULL)
    {
      LsBufferStore *store = (LsBufferStore *) node;
      LsExpr *value = (LsExpr *) ls_rewrite (rewriter, store->value);

      return ls_buffer_store_new ((LsBuffer *) ls_node_ref (known), ls_cast_new (ls_dtype_with_lanes (self->to, ls_dtype (value).lanes), value),
                                  indices_of (rewriter, store->indices), ls_ref (store->predicate));
    }
  fresh = ls_rewrite_default (rewriter, node);
  if (ls_is (node, BLOCK) && fresh != node)
    ls_block_reuse_add (self->reuse, (LsBlock *) node, (LsBlock *) fresh);
  return fresh;
}

static gboolean
apply (LsMove        *move,
       LsDiagnostics *diagnostics)
{
  LsSref *block = ls_move_sref (move, BLOCK);
  LsBuffer *buffer = ls_legal_access_buffer (move, NULL, block, BUFFER_INDEX, TRUE);
  g_autoptr(GHashTable) map = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr(LsBlockReuse) reuse = ls_block_reuse_new ();
  g_autoptr(LsNode) fresh = NULL;
  g_autoptr(GHashTable) entered = NULL;
  g_autoptr(GPtrArray) buffers = g_ptr_array_new ();
  Retyping self = { map, buffers, buffer->dtype, LS_VOID, reuse };
  LsSref *site;

  ls_dtype_parse (ls_move_string (move, DTYPE), &self.to);
  if (ls_dtype_equal (self.from, self.to))
    return TRUE;
  ls_legal_allocated (move, NULL, block, buffer, &site);
  add_buffer (&self, buffer);
  self.entered = entered = ls_state_entered (move->state, site, NULL, &buffer, 1);
  ls_walk (site->stmt, collect_matched, NULL, &self);
  enter_matched (&self, move->state, site, &entered);
  fresh = ls_rewrite_with (site->stmt, retype, &self);
  for (guint i = 0; i < buffers->len; i++)
    ls_move_note_buffer (move, LS_LINEAGE_CHANGED, g_hash_table_lookup (map, buffers->pdata[i]), buffers->pdata[i]);
  ls_state_replace (move->state, site, fresh, reuse);
  return TRUE;
}

const LsInstruction ls_instruction_unsafe_set_dtype = {
  .name = "unsafe_set_dtype",
  .params = params,
  .n_params = G_N_ELEMENTS (params),
  .result = LS_RESULT_NONE,
  .summary = LS_TEXT ("Keeps a temporary buffer in another type"),
  .condition = "The buffer is allocated by a block of the function; it is no parameter. The type exists.",
  .source = "TVM v0.20 tir.Schedule.unsafe_set_dtype",
  .check = check,
  .apply = apply,
};
