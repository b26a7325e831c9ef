/* RemoveNoOp: statements that do nothing go: T.evaluate of something without effect, loops and ifs around
 * nothing, loops that never run. */
#include "engine/tir/pass/pass.h"

static LsWalk
stop_at_effect (LsNode  *node,
                gpointer user_data)
{
  if (ls_is (node, CALL))
    {
      LsNode *op = ((LsCall *) node)->op;

      if (!ls_is (op, OP) || ((LsOp *) op)->effect >= LS_EFFECT_UPDATE_STATE)
        return LS_WALK_STOP;
    }
  return LS_WALK_CONTINUE;
}

static gboolean
has_effect (LsExpr *expr)
{
  return expr != NULL && !ls_walk (expr, stop_at_effect, NULL, NULL);
}

static gboolean
is_nothing (LsStmt *stmt)
{
  return stmt == NULL || (ls_is (stmt, EVALUATE) && !has_effect (((LsEvaluate *) stmt)->value));
}

static gboolean
does_nothing (LsNode *node)
{
  switch ((int) ls_kind (node))
    {
    case LS_KIND_FOR:
      return is_nothing (((LsFor *) node)->body) || ls_is_zero (((LsFor *) node)->extent);
    case LS_KIND_IF_THEN_ELSE:
      return is_nothing (((LsIfThenElse *) node)->then_case) && is_nothing (((LsIfThenElse *) node)->else_case)
             && !has_effect (((LsIfThenElse *) node)->condition);
    case LS_KIND_LET_STMT:
      return is_nothing (((LsLetStmt *) node)->body) && !has_effect (((LsLetStmt *) node)->value);
    case LS_KIND_ALLOCATE:
      return is_nothing (((LsAllocate *) node)->body);
    case LS_KIND_DECL_BUFFER:
      return is_nothing (((LsDeclBuffer *) node)->body);
    case LS_KIND_ATTR_STMT:
      return is_nothing (((LsAttrStmt *) node)->body);
    default:
      return FALSE;
    }
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  LsNode *result;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  result = ls_rewrite_default (rewriter, node);
  if (ls_is (result, SEQ_STMT))
    {
      GPtrArray *kept = g_ptr_array_new ();
      LsArray *seq = ((LsSeqStmt *) result)->seq;

      for (guint i = 0; i < seq->n; i++)
        if (!is_nothing (seq->items[i]))
          g_ptr_array_add (kept, ls_ref (seq->items[i]));
      if (kept->len == seq->n)
        {
          g_ptr_array_set_free_func (kept, (GDestroyNotify) ls_node_unref);
          g_ptr_array_unref (kept);
          return result;
        }
      ls_unref (result);
      return ls_seq (ls_array_take_ptr_array (kept));
    }
  if (!does_nothing (result))
    return result;
  ls_unref (result);
  return ls_evaluate_zero ();
}

LsPrimFunc *
ls_pass_remove_no_op (LsPrimFunc  *func,
                      GError     **error)
{
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, NULL);

  return ls_pass_with_body (func, body);
}
