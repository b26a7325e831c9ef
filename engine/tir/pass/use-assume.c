/* UseAssumeToReduceBranches: a choice between values goes where T.assume says that both are equal.
 *
 *     T.assume (i < 14 or A[i] == 0)                          T.assume (i < 14 or A[i] == 0)
 *     B[j] = T.if_then_else (14 <= j, 0, A[j] * 2)    ->      B[j] = A[j] * 2
 *
 * A store whose value is such a choice is tried with one value where the other one is chosen: where the program is the same once
 * it is simplified with what buffers are known to hold (knowns.c), that value stays alone, the second one first.
 * TVM's pass of the same name splits and vectorises the loops afterwards; that is left to schedules here. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

typedef struct {
  LsBufferStore *from;
  LsNode        *to;
} Change;

static LsNode *
replace (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  Change *change = user_data;

  if (node == LS_NODE (change->from))
    return ls_node_ref (change->to);
  return ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
}

static LsWalk
note_choice (LsNode  *node,
             gpointer user_data)
{
  if (ls_is (node, BUFFER_STORE) && ls_is_call (((LsBufferStore *) node)->value, "tir.if_then_else"))
    g_ptr_array_add (user_data, ls_node_ref (node));
  return LS_WALK_CONTINUE;
}

static LsStmt *
store_of (LsBufferStore *store,
          LsExpr        *value)
{
  return ls_buffer_store_new (ls_ref (store->buffer), ls_ref (value), ls_ref (store->indices), ls_ref (store->predicate));
}

/* The function with another statement for the store.  Takes the statement. */
static LsPrimFunc *
with_statement (LsPrimFunc    *func,
                LsBufferStore *store,
                LsStmt        *stmt)
{
  g_autoptr (LsNode) fresh = LS_NODE (stmt);
  Change change = { store, fresh };
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, replace, &change);

  return ls_pass_with_body (func, body);
}

/* The program where the value is stored under the condition only, simplified. */
static LsPrimFunc *
conditional (LsPrimFunc    *func,
             LsBufferStore *store,
             LsExpr        *condition,
             LsExpr        *value)
{
  g_autoptr (LsPrimFunc) trial = with_statement (func, store, LS_STMT (ls_if_then_else_new (ls_ref (condition), store_of (store, value), NULL)));

  return ls_pass_simplify_with (trial, LS_SIMPLIFY_KNOWNS_IN_EXPRESSIONS);
}

/* Are both values the same where the condition holds? */
static gboolean
are_same (LsPrimFunc    *func,
          LsBufferStore *store,
          LsExpr        *condition,
          LsExpr        *a,
          LsExpr        *b)
{
  g_autoptr (LsPrimFunc) one = conditional (func, store, condition, a);
  g_autoptr (LsPrimFunc) other = conditional (func, store, condition, b);

  return ls_structural_equal (one, other, FALSE, NULL, NULL);
}

LsPrimFunc *
ls_pass_use_assume (LsPrimFunc  *func,
                    GError     **error)
{
  g_autoptr (GPtrArray) choices = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsPrimFunc *result = ls_ref (func);

  ls_walk (func->body, note_choice, NULL, choices);
  for (guint i = 0; i < choices->len; i++)
    {
      LsBufferStore *store = choices->pdata[i];
      LsArray *args = ((LsCall *) store->value)->args;
      LsExpr *condition = ls_array_at (args, 0, LsExpr), *first = ls_array_at (args, 1, LsExpr), *second = ls_array_at (args, 2, LsExpr);
      g_autoptr (LsExpr) otherwise = ls_not (ls_ref (condition));

      if (are_same (result, store, condition, first, second))
        ls_take (&result, with_statement (result, store, store_of (store, second)));
      else if (are_same (result, store, otherwise, first, second))
        ls_take (&result, with_statement (result, store, store_of (store, first)));
    }
  return result;
}
