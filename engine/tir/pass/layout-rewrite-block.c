/* RemoveWeightLayoutRewriteBlock: a weight comes in the layout that the program wants of it.
 *
 *     B_ = T.alloc_buffer ((16, 4, 4))                       def f (B: T.Buffer ((16, 4, 4)))
 *     with T.block ("layout_rewrite"):                ->     with T.block ("layout_rewrite"):
 *         B_[j, i // 4, i % 4] = B[i, j]                         T.evaluate (0)
 *     ... B_[...]                                            ... B_[...]
 *
 * A block with the annotation meta_schedule.layout_rewrite_preproc copies a buffer into one of another layout: the copy takes
 * the place of the parameter, its allocation goes.  A weight that is a constant of the function (T.allocate_const) would have to
 * be laid out anew and is refused.  Source of the concept: TVM's pass of the same name. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

typedef struct {
  GHashTable *copies;           /* Buffer -> the Buffer that it is copied to; owned */
  GHashTable *removed;          /* Buffers that are parameters from now on */
  GError     *error;
} State;

static gboolean
is_preparation (LsBlock *block)
{
  LsNode *value = ls_map_get (block->annotations, "meta_schedule.layout_rewrite_preproc");

  return value != NULL && ls_is_one (value);
}

static LsNode *
take_copy (State   *state,
           LsBlock *block)
{
  LsBufferStore *store = (LsBufferStore *) block->body;
  LsBufferLoad *load = ls_is (store, BUFFER_STORE) ? (LsBufferLoad *) store->value : NULL;

  if (block->alloc_buffers->n > 0 || block->match_buffers->n > 0 || !ls_is (load, BUFFER_LOAD))
    {
      g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The block `%s` prepares a layout: it stores a load of one buffer in another, no more."),
                   block->name_hint);
      return ls_node_ref (LS_NODE (block));
    }
  g_hash_table_insert (state->copies, ls_ref (load->buffer), ls_ref (store->buffer));
  g_hash_table_add (state->removed, store->buffer);
  return LS_NODE (ls_block_new (ls_ref (block->iter_vars), NULL, NULL, block->name_hint, ls_evaluate_zero (), ls_ref (block->init), NULL, NULL,
                                ls_ref (block->annotations)));
}

static LsNode *
without_allocations (State   *state,
                     LsBlock *block)
{
  GPtrArray *kept = g_ptr_array_new ();
  g_autoptr (LsArray) buffers = NULL;

  for (guint i = 0; i < block->alloc_buffers->n; i++)
    if (!g_hash_table_contains (state->removed, block->alloc_buffers->items[i]))
      g_ptr_array_add (kept, ls_node_ref (block->alloc_buffers->items[i]));
  buffers = ls_array_take_ptr_array (kept);
  return buffers->n == block->alloc_buffers->n ? ls_node_ref (LS_NODE (block)) : LS_NODE (ls_block_with_alloc_buffers (block, buffers));
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  g_autoptr (LsNode) block = NULL;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (!ls_is (node, BLOCK))
    return ls_rewrite_default (rewriter, node);
  if (is_preparation ((LsBlock *) node) && state->error == NULL)
    return take_copy (state, (LsBlock *) node);
  block = ls_rewrite_default (rewriter, node);
  return without_allocations (state, (LsBlock *) block);
}

static LsWalk
find_constant (LsNode   *node,
               gpointer  user_data)
{
  State *state = user_data;
  GHashTableIter iter;
  gpointer buffer;

  g_hash_table_iter_init (&iter, state->copies);
  while (ls_is (node, ALLOCATE_CONST) && g_hash_table_iter_next (&iter, &buffer, NULL))
    if (((LsBuffer *) buffer)->data == ((LsAllocateConst *) node)->buffer_var && state->error == NULL)
      g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("The weight `%s` is a constant of the function: only parameters get another layout."),
                   ((LsBuffer *) buffer)->name);
  return LS_WALK_CONTINUE;
}

LsPrimFunc *
ls_pass_remove_weight_layout_rewrite_block (LsPrimFunc  *func,
                                            GError     **error)
{
  g_autoptr (GHashTable) copies = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) removed = g_hash_table_new (NULL, NULL);
  State state = { copies, removed, NULL };
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, &state);
  GPtrArray *buffers;

  ls_walk (func->body, find_constant, NULL, &state);
  if (state.error != NULL)
    {
      g_propagate_error (error, state.error);
      return NULL;
    }
  if (g_hash_table_size (copies) == 0)
    return ls_ref (func);
  buffers = g_ptr_array_new ();
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsBuffer *copy = buffer != NULL ? g_hash_table_lookup (copies, buffer) : NULL;

      g_ptr_array_add (buffers, ls_node_ref (LS_NODE (copy != NULL ? copy : buffer)));
    }
  return ls_prim_func_new (ls_ref (func->params), g_steal_pointer (&body), ls_ref (func->ret_type), ls_array_take_ptr_array (buffers), ls_ref (func->attrs));
}
