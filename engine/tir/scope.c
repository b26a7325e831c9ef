#include "engine/tir/scope.h"

#include "engine/arith/data.h"

#include <string.h>

guint
ls_scope_enter (LsAnalyzer *analyzer,
                LsExpr     *condition,
                gpointer    scope)
{
  return ls_analyzer_enter_in (analyzer, condition, scope);
}

void
ls_scope_leave (LsAnalyzer *analyzer,
                guint       token)
{
  ls_analyzer_exit_constraint (analyzer, token);
}

void
ls_scope_assume (LsAnalyzer *analyzer,
                 LsExpr     *condition)
{
  if (ls_is_pure (condition))
    ls_analyzer_enter_constraint (analyzer, condition);
}

static void
bind_domain (LsAnalyzer *analyzer,
             LsVar      *var,
             LsExpr     *min,       /* NULL: 0 */
             LsExpr     *extent)
{
  g_autoptr (LsRange) range = ls_range_new (min != NULL ? ls_ref (min) : ls_const_int (ls_dtype (extent), 0), ls_ref (extent));

  ls_analyzer_bind_range (analyzer, var, range, TRUE);
}

guint
ls_scope_enter_loop (LsAnalyzer *analyzer,
                     LsFor      *loop)
{
  g_autoptr (LsExpr) least = ls_ge (LS_EXPR (ls_ref (loop->loop_var)), ls_ref (loop->min));
  g_autoptr (LsExpr) most = ls_lt (LS_EXPR (ls_ref (loop->loop_var)), ls_add (ls_ref (loop->min), ls_ref (loop->extent)));
  guint token;

  ls_analyzer_bind_loop (analyzer, loop);
  token = ls_scope_enter (analyzer, least, loop->body);
  if (!ls_fold_overflows (LS_KIND_ADD, loop->min, loop->extent))
    ls_scope_enter (analyzer, most, loop->body);
  return token;
}

void
ls_scope_let (LsAnalyzer *analyzer,
              LsVar      *var,
              LsExpr     *value)
{
  if (ls_is_pure (value))
    ls_analyzer_bind_let (analyzer, var, value, TRUE);
  else
    ls_analyzer_note_data (analyzer, var);
}

void
ls_scope_name (LsAnalyzer *analyzer,
               LsNode     *node)
{
  LsVar *memory = ls_is (node, LET_STMT) ? ls_pointer_memory (((LsLetStmt *) node)->value) : NULL;

  if (memory != NULL)
    ls_analyzer_note_name (analyzer, ((LsLetStmt *) node)->var, memory);
  for (guint i = 0; ls_is (node, BLOCK) && i < ls_array_n (((LsBlock *) node)->match_buffers); i++)
    {
      LsMatchBufferRegion *view = ls_array_at (((LsBlock *) node)->match_buffers, i, LsMatchBufferRegion);

      ls_analyzer_note_name (analyzer, view->buffer->data, view->source->buffer->data);
    }
}

static gboolean
is_thread (LsNode *node)
{
  LsAttrStmt *attr = (LsAttrStmt *) node;

  return ls_is (node, ATTR_STMT) && ls_is (attr->subject, ITER_VAR)
         && (strcmp (attr->attr_key, "thread_extent") == 0 || strcmp (attr->attr_key, "virtual_thread") == 0);
}

void
ls_scope_bind (LsAnalyzer   *analyzer,
               LsNode       *node,
               LsScopeParts  parts)
{
  ls_scope_name (analyzer, node);
  if (ls_is (node, FOR) && (parts & LS_SCOPE_LOOPS))
    ls_analyzer_bind_loop (analyzer, (LsFor *) node);
  else if (is_thread (node) && (parts & LS_SCOPE_THREADS))
    bind_domain (analyzer, ((LsIterVar *) ((LsAttrStmt *) node)->subject)->var, NULL, ((LsAttrStmt *) node)->value);
  else if (ls_is (node, LET_STMT) && ((parts & LS_SCOPE_LETS) || !ls_is_pure (((LsLetStmt *) node)->value)))
    ls_scope_let (analyzer, ((LsLetStmt *) node)->var, ((LsLetStmt *) node)->value);
  else if (ls_is (node, BLOCK) && (parts & LS_SCOPE_BLOCKS))
    for (guint i = 0; i < ls_array_n (((LsBlock *) node)->iter_vars); i++)
      {
        LsIterVar *iter = ls_array_at (((LsBlock *) node)->iter_vars, i, LsIterVar);

        if (iter->dom != NULL)
          bind_domain (analyzer, iter->var, iter->dom->min, iter->dom->extent);
      }
}

LsNode *
ls_scope_under (LsRewriter *rewriter,
                gpointer    node,
                LsExpr     *condition,
                LsAnalyzer *analyzer)
{
  guint token = ls_scope_enter (analyzer, condition, node);
  LsNode *result = ls_rewrite (rewriter, node);

  ls_scope_leave (analyzer, token);
  return result;
}

static LsNode *
rewrite_branches (LsRewriter   *rewriter,
                  LsIfThenElse *node,
                  LsAnalyzer   *analyzer)
{
  g_autoptr (LsExpr) negated = ls_not (ls_ref (node->condition));
  g_autoptr (LsExpr) otherwise = ls_analyzer_rewrite_simplify (analyzer, negated);
  g_autoptr (LsNode) then_case = ls_scope_under (rewriter, node->then_case, node->condition, analyzer);
  g_autoptr (LsNode) else_case = node->else_case != NULL ? ls_scope_under (rewriter, node->else_case, otherwise, analyzer) : NULL;

  if (then_case == LS_NODE (node->then_case) && else_case == LS_NODE (node->else_case))
    return ls_node_ref (LS_NODE (node));
  return LS_NODE (ls_if_then_else_new (ls_ref (node->condition), (LsStmt *) g_steal_pointer (&then_case), (LsStmt *) g_steal_pointer (&else_case)));
}

static LsNode *
rewrite_behind (LsRewriter   *rewriter,
                LsAssertStmt *node,
                LsAnalyzer   *analyzer)
{
  g_autoptr (LsNode) body = ls_scope_under (rewriter, node->body, node->condition, analyzer);

  if (body == LS_NODE (node->body))
    return ls_node_ref (LS_NODE (node));
  return LS_NODE (ls_assert_stmt_new (ls_ref (node->condition), ls_ref (node->message), (LsStmt *) g_steal_pointer (&body)));
}

LsNode *
ls_scope_rewrite (LsRewriter   *rewriter,
                  LsNode       *node,
                  LsAnalyzer   *analyzer,
                  LsScopeParts  parts)
{
  ls_scope_bind (analyzer, node, parts);
  if (ls_is (node, IF_THEN_ELSE) && (parts & LS_SCOPE_CONDITIONS))
    return rewrite_branches (rewriter, (LsIfThenElse *) node, analyzer);
  if (ls_is (node, ASSERT_STMT) && (parts & LS_SCOPE_ASSERTS))
    return rewrite_behind (rewriter, (LsAssertStmt *) node, analyzer);
  return ls_rewrite_default (rewriter, node);
}
