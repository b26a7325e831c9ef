/* HoistIfThenElse: a condition that a loop does not change is asked outside of it.
 *
 *     for i in range (n):             if n > 4:
 *         if n > 4:           ->          for i in range (n): X
 *             X                       else:
 *         else:                           for i in range (n): Y
 *             Y
 *
 * The condition has to be all that the loop does; what it loads from memory or calls with an effect stays.  Loops of threads stay as they
 * are.  Source of the concept: TVM's pass of the same name; HoistExpression is the newer and wider one. */
#include "engine/tir/pass/pass.h"

static LsWalk
look_for_change (LsNode  *node,
                 gpointer user_data)
{
  LsVar **loop_var = user_data;
  LsCall *call = (LsCall *) node;
  gboolean moves = ls_is (node, BUFFER_LOAD) || node == LS_NODE (*loop_var);

  if (ls_is (node, CALL))
    moves = !ls_is (call->op, OP) || ((LsOp *) call->op)->effect >= LS_EFFECT_READ_STATE;
  if (moves)
    *loop_var = NULL;
  return moves ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
is_fixed (LsExpr *condition,
          LsVar  *loop_var)
{
  LsVar *left = loop_var;

  ls_walk (condition, look_for_change, NULL, &left);
  return left != NULL;
}

/* The other branch has the loop's variable: this one gets one of its own.  Takes nothing. (transfer full) */
static LsFor *
loop_again (LsFor  *loop,
            LsStmt *body)
{
  g_autoptr (LsVar) var = ls_var_new (loop->loop_var->name, ls_dtype (loop->loop_var));
  LsNode *renamed = ls_substitute_one (body, loop->loop_var, var);

  return ls_for_new (ls_ref (var), ls_ref (loop->min), ls_ref (loop->extent), loop->kind, (LsStmt *) renamed, NULL, ls_ref (loop->annotations));
}

/* The loop, or the condition with the loop inside. Takes the loop. */
static LsNode *
exchange (LsFor *loop)
{
  LsIfThenElse *branch = (LsIfThenElse *) loop->body;
  LsNode *then_case, *else_case = NULL;
  LsNode *result;

  if (!ls_is (branch, IF_THEN_ELSE) || loop->thread_binding != NULL || !is_fixed (branch->condition, loop->loop_var))
    return LS_NODE (loop);
  then_case = exchange (ls_for_with_body (loop, branch->then_case));
  if (branch->else_case != NULL)
    else_case = exchange (loop_again (loop, branch->else_case));
  result = LS_NODE (ls_if_then_else_new (ls_ref (branch->condition), (LsStmt *) then_case, (LsStmt *) else_case));
  ls_unref (loop);
  return result;
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  LsNode *now = ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);

  return ls_is (now, FOR) ? exchange ((LsFor *) now) : now;
}

LsPrimFunc *
ls_pass_hoist_if_then_else (LsPrimFunc  *func,
                            GError     **error)
{
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, NULL);

  return ls_pass_with_body (func, body);
}
