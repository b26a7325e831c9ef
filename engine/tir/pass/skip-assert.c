/* SkipAssert: assertions go, what they stand around stays.
 *
 *     assert n > 0, "..."; X     ->     X
 *
 * Source of the concept: TVM's pass of the same name. */
#include "engine/tir/pass/pass.h"

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  if (ls_is (node, ASSERT_STMT))
    return ls_rewrite (rewriter, ((LsAssertStmt *) node)->body);
  return ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_skip_assert (LsPrimFunc  *func,
                     GError     **error)
{
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, NULL);

  return ls_pass_with_body (func, body);
}
