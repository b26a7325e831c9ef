/* ReduceBranchingThroughOvercompute: a condition goes where carrying out its statement always does no harm.
 *
 *     for i in range (16):                                for i in range (16):
 *         if i < 14: A[i] = 1; T.evaluate (0)      ->         A[i] = 1; T.evaluate (0)
 *         else:      A[i] = 1
 *
 * One branch may stand for both where, under the condition of the other, it comes to the same once its statements that do
 * nothing there are gone (remove-no-op.c).  With the option use_dataflow_analysis a statement without an else is also tried
 * where its condition does not hold: it may be carried out there if what buffers are known to hold (knowns.c, by Simplify)
 * makes the program the same, or if all that it stores there is written over before it is read (overwrites.c).
 * Source of the concept: TVM's pass of the same name. */
#include "engine/arith/arith.h"
#include "engine/tir/pass/overwrites.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/scope.h"

typedef struct {
  LsPrimFunc *func;             /* borrowed; what trials are made of */
  LsAnalyzer *analyzer;
  GHashTable *refused;          /* LsIfThenElses that were tried */
  gboolean    dataflow;
} State;

/* Does the general statement come to the special one where the condition holds? */
static gboolean
covers (State  *state,
        LsExpr *condition,
        LsStmt *general,
        LsStmt *special)
{
  g_autoptr (LsExpr) simple = ls_analyzer_rewrite_simplify (state->analyzer, condition);
  guint token = ls_scope_enter (state->analyzer, simple, general);
  g_autoptr (LsNode) left = LS_NODE (ls_stmt_remove_no_op (general, state->analyzer));

  ls_scope_leave (state->analyzer, token);
  return ls_structural_equal (left, special, FALSE, NULL, NULL);
}

/* The one branch that may stand for both, borrowed; NULL: none. */
static LsStmt *
common_branch (State        *state,
               LsIfThenElse *node,
               LsStmt       *else_case)
{
  g_autoptr (LsExpr) otherwise = ls_not (ls_ref (node->condition));

  if (covers (state, node->condition, else_case, node->then_case))
    return else_case;
  return covers (state, otherwise, node->then_case, else_case) ? node->then_case : NULL;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;
  LsNode *result;
  LsIfThenElse *branch;
  g_autoptr (LsNode) nothing = NULL;
  LsStmt *common;

  if (ls_is_expr (node) || ls_is (node, MAP))
    return ls_node_ref (node);
  result = ls_scope_rewrite (rewriter, node, state->analyzer, LS_SCOPE_LOOPS);
  if (!ls_is (result, IF_THEN_ELSE))
    return result;
  branch = (LsIfThenElse *) result;
  nothing = LS_NODE (ls_evaluate_zero ());
  common = common_branch (state, branch, branch->else_case != NULL ? branch->else_case : (LsStmt *) nothing);
  if (common != NULL)
    ls_take (&result, ls_node_ref (LS_NODE (common)));
  return result;
}

/* ---- trials -------------------------------------------------------------------------------- */

static LsWalk
find_candidate (LsNode  *node,
                gpointer user_data)
{
  gpointer *found = user_data;
  State *state = found[0];

  if (!ls_is (node, IF_THEN_ELSE) || ((LsIfThenElse *) node)->else_case != NULL || g_hash_table_contains (state->refused, node))
    return LS_WALK_CONTINUE;
  found[1] = node;
  return LS_WALK_STOP;
}

/* Stores get nodes of their own, noted in a set. */
static LsNode *
copy_stores (LsRewriter *rewriter,
             LsNode     *node,
             gpointer    user_data)
{
  LsBufferStore *store = (LsBufferStore *) node;
  LsNode *copy;

  if (!ls_is (node, BUFFER_STORE))
    return ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
  copy = LS_NODE (ls_buffer_store_new (ls_ref (store->buffer), ls_ref (store->value), ls_ref (store->indices), ls_ref (store->predicate)));
  g_hash_table_add (user_data, copy);
  return copy;
}

static LsWalk
stop_at_effect (LsNode  *node,
                gpointer user_data)
{
  LsNode *op = ls_is (node, CALL) ? ((LsCall *) node)->op : NULL;

  return op != NULL && (!ls_is (op, OP) || ((LsOp *) op)->effect >= LS_EFFECT_UPDATE_STATE) ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static LsNode *
replace (LsRewriter *rewriter,
         LsNode     *node,
         gpointer    user_data)
{
  gpointer *pair = user_data;

  if (node == pair[0])
    return ls_node_ref (pair[1]);
  return ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
}

static LsNode *
body_with (LsStmt  *body,
           gpointer from,
           gpointer to)
{
  gpointer pair[] = { from, to };

  return ls_rewrite_with (body, replace, pair);
}

static gboolean
all_overwritten (LsStmt     *body,
                 GHashTable *stores)
{
  g_autoptr (LsOverwrites) found = ls_overwrites_new (body);
  GHashTableIter iter;
  gpointer store;

  g_hash_table_iter_init (&iter, stores);
  while (g_hash_table_iter_next (&iter, &store, NULL))
    if (!g_hash_table_contains (found->dead, store))
      return FALSE;
  return TRUE;
}

/* The body with what buffers are known to hold, without the statements that then do nothing. */
static LsNode *
simplified (State  *state,
            LsNode *body)
{
  g_autoptr (LsPrimFunc) func = ls_pass_with_body (state->func, body);
  g_autoptr (LsPrimFunc) simple = ls_pass_simplify_with (func, LS_SIMPLIFY_KNOWNS_IN_EXPRESSIONS);

  return LS_NODE (ls_stmt_remove_no_op (simple->body, state->analyzer));
}

static gboolean
same_with_knowns (State  *state,
                  LsNode *one,
                  LsNode *other)
{
  g_autoptr (LsNode) a = simplified (state, one);
  g_autoptr (LsNode) b = simplified (state, other);

  return ls_structural_equal (a, b, FALSE, NULL, NULL);
}

/* Tries one condition.  Takes the body, returns it or the one without the condition. */
static LsNode *
try_branch (State        *state,
            LsNode       *body,
            LsIfThenElse *branch)
{
  g_autoptr (GHashTable) stores = g_hash_table_new (NULL, NULL);
  g_autoptr (LsNode) copy = ls_rewrite_with (branch->then_case, copy_stores, stores);
  g_autoptr (LsNode) both = LS_NODE (ls_if_then_else_new (ls_ref (branch->condition), ls_ref (branch->then_case), (LsStmt *) ls_node_ref (copy)));
  g_autoptr (LsNode) trial = body_with ((LsStmt *) body, branch, both);

  g_hash_table_add (state->refused, branch);
  if (!ls_walk (branch, stop_at_effect, NULL, NULL) || g_hash_table_size (stores) == 0)
    return body;
  if (!all_overwritten ((LsStmt *) trial, stores) && !same_with_knowns (state, body, trial))
    return body;
  ls_take (&body, body_with ((LsStmt *) body, branch, branch->then_case));
  return body;
}

/* One condition after the other, each in the program as it is then.  Takes the body. */
static LsNode *
reduce_by_dataflow (State  *state,
                    LsNode *body)
{
  g_autoptr (GPtrArray) tried = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (;;)
    {
      gpointer found[] = { state, NULL };

      ls_walk (body, find_candidate, NULL, found);
      if (found[1] == NULL)
        return body;
      g_ptr_array_add (tried, ls_node_ref (found[1]));
      body = try_branch (state, body, found[1]);
    }
}

LsPrimFunc *
ls_pass_reduce_branching (LsPrimFunc  *func,
                          LsMap       *options,
                          GError     **error)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (GHashTable) refused = g_hash_table_new (NULL, NULL);
  State state = { func, analyzer, refused, ls_pass_option (options, "use_dataflow_analysis", 0) != 0 };
  LsNode *body = ls_rewrite_with (func->body, filter, &state);
  LsPrimFunc *result;

  if (state.dataflow)
    body = reduce_by_dataflow (&state, body);
  result = ls_pass_with_body (func, body);
  ls_node_unref (body);
  return result;
}
