/* RemoveAssume: T.assume goes, and the statements that did nothing else.
 *
 *     T.assume (n > 0)     ->     (nothing)
 *
 * What was assumed has served once the passes that prove things have run.  Source of the concept: TVM's pass of the same name. */
#include "engine/tir/pass/pass.h"

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  if (ls_is (node, EVALUATE) && ls_is_call (((LsEvaluate *) node)->value, "tir.assume"))
    return LS_NODE (ls_evaluate_new (ls_int (0)));
  return ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_remove_assume (LsPrimFunc  *func,
                       GError     **error)
{
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, NULL);
  g_autoptr (LsPrimFunc) without = ls_pass_with_body (func, body);

  return ls_pass_remove_no_op (without, NULL, error);
}
