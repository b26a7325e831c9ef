/* ConvertBlocksToOpaque: block variables give way to the values that they are bound to.
 *
 *     vi = T.axis.spatial(128, i0 * 4 + i1)
 *     B[vi] = A[vi]                           ->    B[i0 * 4 + i1] = A[i0 * 4 + i1]
 */
#include "engine/tir/pass/pass.h"

typedef struct {
  GHashTable *values;           /* Var -> Expr */
  GHashTable *buffers;          /* Buffer whose shape speaks of block variables -> the Buffer in its place */
  GError    **error;
} State;

/* The buffer with the values in its shape; what it was stays when they do not occur. */
static LsBuffer *
convert_buffer (LsRewriter *rewriter,
                LsBuffer   *buffer,
                State      *state)
{
  g_autoptr (LsNode) shape = ls_rewrite (rewriter, buffer->shape);
  g_autoptr (LsNode) strides = ls_rewrite (rewriter, buffer->strides);
  g_autoptr (LsNode) offset = ls_rewrite (rewriter, buffer->elem_offset);
  LsBuffer *converted;

  if (shape == LS_NODE (buffer->shape) && strides == LS_NODE (buffer->strides) && offset == LS_NODE (buffer->elem_offset))
    return ls_ref (buffer);
  converted = ls_buffer_new_full (ls_ref (buffer->data), buffer->dtype, (LsArray *) ls_ref (shape), (LsArray *) ls_ref (strides),
                                  (LsExpr *) ls_ref (offset), buffer->name, buffer->data_alignment, buffer->offset_factor,
                                  buffer->buffer_type, ls_ref (buffer->axis_separators));
  g_hash_table_insert (state->buffers, buffer, ls_ref (converted));
  return converted;
}

static LsArray *
convert_allocations (LsRewriter *rewriter,
                     LsArray    *buffers,
                     State      *state)
{
  GPtrArray *converted = g_ptr_array_new ();

  for (guint i = 0; i < buffers->n; i++)
    g_ptr_array_add (converted, convert_buffer (rewriter, ls_array_at (buffers, i, LsBuffer), state));
  return ls_array_take_ptr_array (converted);
}

static LsNode *
convert_realize (LsRewriter     *rewriter,
                 LsBlockRealize *realize,
                 State          *state)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsBlock *block = realize->block;
  g_autoptr (LsNode) body = NULL;
  LsBlock *opaque;
  LsExpr *predicate;
  g_autoptr (LsNode) reads = NULL;
  g_autoptr (LsNode) writes = NULL;
  g_autoptr (LsNode) matches = NULL;
  g_autoptr (LsArray) allocs = NULL;

  for (guint i = 0; i < block->iter_vars->n; i++)
    {
      LsVar *var = ls_array_at (block->iter_vars, i, LsIterVar)->var;

      if (ls_uses (realize->predicate, var) && *state->error == NULL)
        g_set_error (state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The condition of block %s uses its own variable %s; it may use the loops around the block."), block->name_hint, var->name);
    }
  predicate = (LsExpr *) ls_rewrite (rewriter, realize->predicate);
  for (guint i = 0; i < block->iter_vars->n; i++)
    g_ptr_array_add (values, ls_rewrite (rewriter, realize->iter_values->items[i]));
  for (guint i = 0; i < block->iter_vars->n; i++)
    g_hash_table_insert (state->values, ls_array_at (block->iter_vars, i, LsIterVar)->var, ls_ref (values->pdata[i]));
  allocs = convert_allocations (rewriter, block->alloc_buffers, state);
  reads = ls_rewrite (rewriter, block->reads);
  writes = ls_rewrite (rewriter, block->writes);
  matches = ls_rewrite (rewriter, block->match_buffers);
  body = ls_rewrite (rewriter, block->body);
  opaque = ls_block_new (NULL, (LsArray *) ls_ref (reads), (LsArray *) ls_ref (writes), block->name_hint, ls_ref (body), NULL,
                         ls_ref (allocs), (LsArray *) ls_ref (matches), ls_ref (block->annotations));
  return LS_NODE (ls_block_realize_new (NULL, predicate, opaque));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;

  if (ls_is_var (node))
    {
      LsNode *value = g_hash_table_lookup (state->values, node);

      return ls_node_ref (value != NULL ? value : node);
    }
  if (ls_is (node, BUFFER))
    {
      LsNode *buffer = g_hash_table_lookup (state->buffers, node);

      return ls_node_ref (buffer != NULL ? buffer : node);
    }
  if (ls_is (node, BLOCK_REALIZE))
    return convert_realize (rewriter, (LsBlockRealize *) node, state);
  return ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_convert_blocks_to_opaque (LsPrimFunc  *func,
                                  GError     **error)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) buffers = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) ls_node_unref);
  g_autoptr (GError) refused = NULL;
  State state = { values, buffers, &refused };
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, &state);

  if (refused != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&refused));
      return NULL;
    }
  return ls_pass_with_body (func, body);
}
