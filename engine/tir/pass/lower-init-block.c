/* LowerInitBlock: T.init() becomes an if on the first reduction iteration.
 *
 *     with T.block("Y"):                    with T.block("Y"):
 *         with T.init():            ->          if vk == 0:
 *             Y[vi, vj] = 0                         Y[vi, vj] = 0
 *         Y[vi, vj] += ...                      Y[vi, vj] += ...
 */
#include "engine/tir/pass/pass.h"

static LsStmt *
first_iteration (LsBlock *block,
                 LsStmt  *init)
{
  LsExpr *condition = NULL;

  for (guint i = 0; i < block->iter_vars->n; i++)
    {
      LsIterVar *iter = ls_array_at (block->iter_vars, i, LsIterVar);
      LsExpr *first;

      if (iter->iter_type != LS_ITER_COMM_REDUCE)
        continue;
      first = ls_eq (ls_ref (LS_EXPR (iter->var)), ls_ref (iter->dom->min));
      condition = condition != NULL ? ls_and (condition, first) : first;
    }
  return condition != NULL ? ls_node_set_span (ls_if_then_else_new (condition, ls_ref (init), NULL), init->span) : ls_ref (init);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  LsNode *result;
  LsBlock *block;
  LsBlock *lowered;

  if (ls_is_expr (node) || !(node->facts & LS_FACT_HAS_BLOCK))
    return ls_node_ref (node);
  result = ls_rewrite_default (rewriter, node);
  if (!ls_is (result, BLOCK) || ((LsBlock *) result)->init == NULL)
    return result;
  block = (LsBlock *) result;
  lowered = ls_block_new (ls_ref (block->iter_vars), ls_ref (block->reads), ls_ref (block->writes), block->name_hint,
                          ls_seq (ls_array_of (first_iteration (block, block->init), ls_ref (block->body), NULL)), NULL,
                          ls_ref (block->alloc_buffers), ls_ref (block->match_buffers), ls_ref (block->annotations));
  ls_unref (result);
  return LS_NODE (lowered);
}

LsPrimFunc *
ls_pass_lower_init_block (LsPrimFunc  *func,
                          GError     **error)
{
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, NULL);

  return ls_pass_with_body (func, body);
}
