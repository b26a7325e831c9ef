/* InjectPTXAsyncCopy: copies from global to shared memory that are marked as asynchronous become instructions of NVIDIA's.
 *
 *     T.attr (0, "async_scope", 1)
 *     S[T.Ramp (i, 1, 8)] = A[T.Ramp (j, 1, 8)]       ->     T.ptx_cp_async ("float16", S.data, i, A.data, j, 16)
 *     S[i] = T.if_then_else (c, A[j], T.float32 (0))  ->     T.ptx_cp_async ("float32", S.data, i, A.data, j, 4, c)
 *
 * A copy has 4, 8 or 16 bytes that begin at a multiple of their number; what is none stays an ordinary store.  Source of the concept: TVM's pass
 * of the same name. */
#include "engine/arith/analyzer.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

typedef struct {
  LsAnalyzer *analyzer;
  guint       inside;           /* of async_scope */
} State;

/* The first element of an access and how many lie side by side; NULL: they do not. */
static LsExpr *
first_of (LsArray *indices,
          gint64  *lanes)
{
  LsExpr *index = indices->n == 1 ? ls_array_at (indices, 0, LsExpr) : NULL;
  LsRamp *ramp = (LsRamp *) index;

  *lanes = 1;
  if (index == NULL || ls_dtype (index).lanes == 1)
    return index;
  *lanes = ls_dtype (index).lanes;
  return ls_is (index, RAMP) && ls_is_one (ramp->stride) && ls_dtype (ramp->base).lanes == 1 ? ramp->base : NULL;
}

static gboolean
is_multiple (State  *state,
             LsExpr *first,
             gint64  lanes)
{
  LsModularSet set = ls_analyzer_modular_set (state->analyzer, first);

  return set.coeff % lanes == 0 && set.base % lanes == 0;
}

static gboolean
is_zero (LsExpr *value)
{
  if (ls_is (value, BROADCAST))
    value = ((LsBroadcast *) value)->value;
  return ls_is_zero (value) || (ls_is (value, FLOAT_IMM) && ((LsFloatImm *) value)->value == 0);
}

/* The condition of all lanes as one. */
static LsExpr *
condition_of (LsExpr *condition)
{
  if (ls_is (condition, BROADCAST))
    condition = ((LsBroadcast *) condition)->value;
  return ls_dtype (condition).lanes == 1 ? condition : NULL;
}

/* The store as an asynchronous copy; NULL: it is none. (transfer full) */
static LsNode *
copy_of (State         *state,
         LsBufferStore *store)
{
  LsBufferLoad *load = (LsBufferLoad *) store->value;
  LsExpr *condition = NULL, *to, *from;
  gint64 to_lanes, from_lanes, bytes;
  GPtrArray *args;

  if (ls_is_call (load, "tir.if_then_else") && is_zero (ls_array_at (((LsCall *) load)->args, 2, LsExpr)))
    {
      condition = condition_of (ls_array_at (((LsCall *) load)->args, 0, LsExpr));
      load = condition != NULL ? ls_array_at (((LsCall *) load)->args, 1, LsBufferLoad) : NULL;
    }
  if (!g_str_has_prefix (ls_buffer_scope (store->buffer), "shared") || !ls_is (load, BUFFER_LOAD) || strcmp (ls_buffer_scope (load->buffer), "global") != 0
      || store->predicate != NULL || load->predicate != NULL || !ls_dtype_equal (store->buffer->dtype, load->buffer->dtype) || store->buffer->dtype.lanes != 1)
    return NULL;
  to = first_of (store->indices, &to_lanes);
  from = first_of (load->indices, &from_lanes);
  if (to == NULL || from == NULL || to_lanes != from_lanes)
    return NULL;
  bytes = to_lanes * ls_dtype_bytes (store->buffer->dtype);
  if ((bytes != 4 && bytes != 8 && bytes != 16) || !is_multiple (state, to, to_lanes) || !is_multiple (state, from, from_lanes))
    return NULL;
  args = g_ptr_array_new ();
  g_ptr_array_add (args, ls_ref (store->buffer->data));
  g_ptr_array_add (args, ls_ref (to));
  g_ptr_array_add (args, ls_ref (load->buffer->data));
  g_ptr_array_add (args, ls_ref (from));
  g_ptr_array_add (args, ls_int (bytes));
  if (condition != NULL)
    g_ptr_array_add (args, ls_ref (condition));
  return LS_NODE (ls_evaluate_new (ls_call_op ("tir.ptx_cp_async", store->buffer->dtype, ls_array_take_ptr_array (args))));
}

static LsNode *
inject (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsNode *result;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (ls_is_attr (node, "async_scope"))
    {
      state->inside++;
      result = LS_NODE (ls_rewrite (rewriter, ((LsAttrStmt *) node)->body));
      state->inside--;
      return result;
    }
  if (state->inside > 0 && ls_is (node, BUFFER_STORE) && (result = copy_of (state, (LsBufferStore *) node)) != NULL)
    return LS_NODE (ls_node_set_span (result, node->span));
  return ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_inject_ptx_async_copy (LsPrimFunc  *func,
                               GError     **error)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  State state = { analyzer, 0 };
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, inject, &state);

  return ls_pass_with_body (func, body);
}

/* ---- where there are none -------------------------------------------------------------------------- */

static LsNode *
drop (LsRewriter *rewriter,
      LsNode     *node,
      gpointer    user_data)
{
  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (ls_is_attr (node, "async_scope") || ls_is_attr (node, "async_commit_queue_scope") || ls_is_attr (node, "async_wait_queue_scope")
      || ls_is_attr (node, "async_wait_inflight_count"))
    return LS_NODE (ls_rewrite (rewriter, ((LsAttrStmt *) node)->body));
  return ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_drop_async (LsPrimFunc *func)
{
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, drop, NULL);

  return ls_pass_with_body (func, body);
}
