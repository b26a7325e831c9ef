/* Simplify: every expression in its normal form, with the ranges of the loops around it and the conditions of the
 * ifs around it known to the analyser; ifs whose condition is known lose it. */
#include "engine/arith/arith.h"
#include "engine/tir/pass/pass.h"

typedef struct {
  LsAnalyzer *analyzer;
} State;

static LsNode *
simplify_if (LsRewriter   *rewriter,
             LsIfThenElse *node,
             State        *state)
{
  g_autoptr (LsExpr) condition = ls_analyzer_simplify (state->analyzer, node->condition);
  g_autoptr (LsExpr) not = NULL;
  LsStmt *then_case;
  LsStmt *else_case = NULL;
  guint token;
  gint64 known;

  if (ls_as_int (condition, &known))
    {
      if (known != 0)
        return ls_rewrite (rewriter, node->then_case);
      return node->else_case != NULL ? ls_rewrite (rewriter, node->else_case) : ls_evaluate_zero ();
    }
  token = ls_analyzer_enter_constraint (state->analyzer, condition);
  then_case = ls_rewrite (rewriter, node->then_case);
  ls_analyzer_exit_constraint (state->analyzer, token);
  if (node->else_case != NULL)
    {
      not = ls_not (ls_ref (condition));
      token = ls_analyzer_enter_constraint (state->analyzer, not);
      else_case = ls_rewrite (rewriter, node->else_case);
      ls_analyzer_exit_constraint (state->analyzer, token);
    }
  if (condition == node->condition && then_case == node->then_case && else_case == node->else_case)
    {
      ls_unref (then_case);
      ls_unref (else_case);
      return ls_node_ref (LS_NODE (node));
    }
  return ls_node_set_span (ls_if_then_else_new (g_steal_pointer (&condition), then_case, else_case), node->node.span);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  State *state = user_data;

  if (ls_is_var (node))
    return ls_node_ref (node);
  if (ls_is_expr (node))
    return LS_NODE (ls_analyzer_simplify (state->analyzer, LS_EXPR (node)));
  if (ls_is (node, MAP) || ls_is (node, BUFFER))
    return ls_node_ref (node);
  if (ls_is (node, IF_THEN_ELSE))
    return simplify_if (rewriter, (LsIfThenElse *) node, state);
  if (ls_is (node, FOR))
    {
      LsFor *loop = (LsFor *) node;
      g_autoptr (LsRange) range = ls_range_new (ls_ref (loop->min), ls_ref (loop->extent));

      ls_analyzer_bind_range (state->analyzer, loop->loop_var, range, TRUE);
    }
  else if (ls_is (node, ATTR_STMT) && ls_is (((LsAttrStmt *) node)->subject, ITER_VAR))
    {
      LsAttrStmt *attr = (LsAttrStmt *) node;
      LsDType t = ls_dtype (attr->value);
      g_autoptr (LsRange) range = ls_range_new (ls_const_int (t, 0), ls_ref (attr->value));
      g_autoptr (LsNode) body = NULL;

      ls_analyzer_bind_range (state->analyzer, ((LsIterVar *) attr->subject)->var, range, TRUE);
      body = ls_rewrite (rewriter, attr->body);
      return ls_attr_stmt_new (ls_ref (attr->subject), attr->attr_key, ls_ref (attr->value), ls_ref (body));
    }
  return ls_rewrite_default (rewriter, node);
}

LsPrimFunc *
ls_pass_simplify (LsPrimFunc  *func,
                  GError     **error)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  State state = { analyzer };
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, &state);

  return ls_pass_with_body (func, body);
}
