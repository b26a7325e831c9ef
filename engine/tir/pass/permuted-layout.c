/* InjectPermutedLayout: rows of shared memory are permuted by groups of eight, so that threads that read one column of
 * several rows find it in different banks.
 *
 *     S[r, c]  ->  S[r, (c // 8 ^ r % 8) * 8 + c % 8]              rows of a multiple of 64 elements
 *     S[r, c]  ->  S[r, (c // 8 ^ r % 8 // 2) * 8 + c % 8]         rows of a multiple of 32
 *
 * for accesses of shared memory, T.ptx_ldmatrix and T.mma_store in blocks with the annotation permuted_layout.  Source of
 * the concept: TVM's pass of the same name. */
#include "engine/arith/analyzer.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/scope.h"

#define GROUP 8                 /* elements that are read at once */

typedef struct {
  GHashTable *buffers;          /* data LsVar -> LsBuffer */
  LsAnalyzer *analyzer;
  gboolean    permute;
  GError     *error;
} State;

static gboolean
is_marked (LsBlock *block)
{
  LsNode *mark = ls_map_get (block->annotations, "permuted_layout");
  gint64 number;

  if (mark == NULL)
    return FALSE;
  if (ls_is (mark, STRING))
    return ((LsString *) mark)->value[0] != '\0';
  return ls_as_int (mark, &number) && number != 0;
}

/* The length of a row; 0 with an error where the buffer cannot be permuted. */
static gint64
row_size (State    *state,
          LsBuffer *buffer)
{
  guint n = buffer->shape->n;
  gint64 row, rows;

  if (n >= 2 && ls_as_int (buffer->shape->items[n - 1], &row) && ls_as_int (buffer->shape->items[n - 2], &rows) && row > 0
      && (row % 64 == 0 || (row % 32 == 0 && rows % 2 == 0)))
    return row;
  if (state->error == NULL)
    g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED,
                 ls_translate ("The buffer `%s` of a permuted layout has rows of a multiple of 64 elements, or an even number of rows of a multiple of 32."), buffer->name);
  return 0;
}

/* The column that an element of a row is kept at. */
static LsExpr *
permuted_column (State  *state,
                 LsExpr *row,
                 LsExpr *column,
                 gint64  size)
{
  LsDType dtype = ls_dtype (column);
  LsExpr *turn = ls_floormod (ls_ref (row), ls_const_int (ls_dtype (row), 8));
  LsExpr *group = ls_floordiv (ls_ref (column), ls_const_int (dtype, GROUP));
  g_autoptr (LsExpr) result = NULL;
  gint64 a, b;

  if (size % 64 != 0)
    turn = ls_floordiv (turn, ls_const_int (ls_dtype (row), 2));
  if (ls_as_int (group, &a) && ls_as_int (turn, &b))
    {
      ls_take (&group, ls_const_int (dtype, a ^ b));
      ls_unref (turn);
    }
  else
    {
      group = ls_call_op ("tir.bitwise_xor", dtype, ls_array_of (group, turn, NULL));
    }
  result = ls_add (ls_mul (group, ls_const_int (dtype, GROUP)), ls_floormod (ls_ref (column), ls_const_int (dtype, GROUP)));
  return ls_analyzer_simplify (state->analyzer, result);
}

static LsArray *
permuted_indices (State    *state,
                  LsBuffer *buffer,
                  LsArray  *indices)
{
  guint n = indices->n;
  gint64 size = row_size (state, buffer);
  g_autoptr (LsExpr) column = NULL;

  if (size == 0)
    return ls_ref (indices);
  column = permuted_column (state, ls_array_at (indices, n - 2, LsExpr), ls_array_at (indices, n - 1, LsExpr), size);
  return ls_array_with (indices, n - 1, column);
}

static gboolean
is_permuted (State    *state,
             LsBuffer *buffer)
{
  return state->permute && buffer->shape->n >= 2 && g_str_has_prefix (ls_buffer_scope (buffer), "shared");
}

/* T.tvm_access_ptr (type, data, offset + more, extent, mask) with the offset of the permuted element. */
static LsExpr *
permuted_pointer (State  *state,
                  LsExpr *pointer,
                  LsExpr *more)
{
  LsCall *call = (LsCall *) pointer;
  LsBuffer *buffer = ls_is_call (pointer, "tir.tvm_access_ptr") ? g_hash_table_lookup (state->buffers, call->args->items[1]) : NULL;
  g_autoptr (LsExpr) offset = NULL;
  g_autoptr (LsExpr) row = NULL;
  g_autoptr (LsExpr) column = NULL;
  g_autoptr (LsArray) args = NULL;
  gint64 size;

  if (buffer == NULL)
    {
      if (state->error == NULL)
        g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED,
                     ls_translate ("In a permuted layout shared memory is passed as T.tvm_access_ptr of a buffer that is allocated or matched by a block."));
      return ls_ref (pointer);
    }
  size = row_size (state, buffer);
  if (size == 0)
    return ls_ref (pointer);
  offset = ls_ref (ls_array_at (call->args, 2, LsExpr));
  if (more != NULL)
    ls_take (&offset, ls_add (ls_ref (offset), ls_ref (more)));
  row = ls_floordiv (ls_ref (offset), ls_const_int (ls_dtype (offset), size));
  column = ls_floormod (ls_ref (offset), ls_const_int (ls_dtype (offset), size));
  ls_take (&column, permuted_column (state, row, column, size));
  ls_take (&offset, ls_add (ls_mul (ls_ref (row), ls_const_int (ls_dtype (row), size)), ls_ref (column)));
  ls_take (&offset, ls_analyzer_simplify (state->analyzer, offset));
  args = ls_array_with (call->args, 2, offset);
  return ls_call_new (ls_dtype (pointer), ls_node_ref (call->op), g_steal_pointer (&args));
}

/* T.ptx_ldmatrix (..., pointer, offset) and T.mma_store (m, n, pointer, ...). Takes the call. */
static LsNode *
permute_call (State  *state,
              LsCall *taken)
{
  g_autoptr (LsCall) call = taken;
  gboolean loads = ls_is_call (call, "tir.ptx_ldmatrix");
  guint at = loads ? 5 : 2;
  g_autoptr (LsExpr) pointer = NULL;
  g_autoptr (LsArray) args = NULL;

  if (call->args->n <= at + loads)
    return LS_NODE (g_steal_pointer (&call));
  pointer = permuted_pointer (state, ls_array_at (call->args, at, LsExpr), loads ? ls_array_at (call->args, at + 1, LsExpr) : NULL);
  args = ls_array_with (call->args, at, pointer);
  if (loads)
    {
      g_autoptr (LsExpr) none = ls_const_int (ls_dtype (call->args->items[at + 1]), 0);

      ls_take (&args, ls_array_with (args, at + 1, none));
    }
  return LS_NODE (ls_call_new (ls_dtype (call), ls_node_ref (call->op), g_steal_pointer (&args)));
}

static LsNode *
visit_block (LsRewriter *rewriter,
             LsBlock    *block,
             State      *state)
{
  gboolean outside = state->permute, marked = is_marked (block);
  g_autoptr (LsMap) annotations = NULL;
  LsNode *result;

  for (guint i = 0; i < block->alloc_buffers->n; i++)
    g_hash_table_insert (state->buffers, ls_array_at (block->alloc_buffers, i, LsBuffer)->data, block->alloc_buffers->items[i]);
  for (guint i = 0; i < block->match_buffers->n; i++)
    {
      LsBuffer *window = ls_array_at (block->match_buffers, i, LsMatchBufferRegion)->buffer;

      g_hash_table_insert (state->buffers, window->data, window);
    }
  state->permute = outside || marked;
  result = ls_rewrite_default (rewriter, LS_NODE (block));
  state->permute = outside;
  if (!marked)
    return result;
  annotations = ls_map_remove (((LsBlock *) result)->annotations, "permuted_layout");
  ls_take (&result, LS_NODE (ls_block_with_annotations ((LsBlock *) result, annotations)));
  return result;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsNode *result;

  if (ls_is (node, BLOCK))
    return visit_block (rewriter, (LsBlock *) node, state);
  ls_scope_bind (state->analyzer, node, LS_SCOPE_LOOPS);
  result = ls_rewrite_default (rewriter, node);
  if (ls_is (result, BUFFER_LOAD) && is_permuted (state, ((LsBufferLoad *) result)->buffer))
    {
      LsBufferLoad *load = (LsBufferLoad *) result;

      ls_take (&result, LS_NODE (ls_buffer_load_new (ls_ref (load->buffer), permuted_indices (state, load->buffer, load->indices), ls_ref (load->predicate))));
    }
  else if (ls_is (result, BUFFER_STORE) && is_permuted (state, ((LsBufferStore *) result)->buffer))
    {
      LsBufferStore *store = (LsBufferStore *) result;

      ls_take (&result, ls_node_set_span (ls_buffer_store_new (ls_ref (store->buffer), ls_ref (store->value),
                                                               permuted_indices (state, store->buffer, store->indices), ls_ref (store->predicate)),
                                          store->node.span));
    }
  else if (state->permute && (ls_is_call (result, "tir.ptx_ldmatrix") || ls_is_call (result, "tir.mma_store")))
    {
      result = permute_call (state, (LsCall *) result);
    }
  return result;
}

LsPrimFunc *
ls_pass_inject_permuted_layout (LsPrimFunc  *func,
                                GError     **error)
{
  g_autoptr (GHashTable) buffers = g_hash_table_new (NULL, NULL);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  State state = { buffers, analyzer, FALSE, NULL };
  g_autoptr (LsNode) body = NULL;

  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL)
      g_hash_table_insert (buffers, ls_prim_func_get_buffer (func, i)->data, ls_prim_func_get_buffer (func, i));
  body = ls_rewrite_with (func->body, filter, &state);
  if (state.error == NULL)
    return ls_pass_with_body (func, body);
  g_propagate_error (error, state.error);
  return NULL;
}
