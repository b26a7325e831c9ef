/* RewriteUnsafeSelect: T.Select computes both sides; where one of them reads memory or divides, only the side that
 * is taken may be computed, so it becomes T.if_then_else. */
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

static LsWalk
stop_at_unsafe (LsNode  *node,
                gpointer user_data)
{
  gint64 divisor;

  switch ((int) ls_kind (node))
    {
    case LS_KIND_BUFFER_LOAD:
      return LS_WALK_STOP;
    case LS_KIND_DIV:
    case LS_KIND_MOD:
    case LS_KIND_FLOOR_DIV:
    case LS_KIND_FLOOR_MOD:
      if (ls_dtype_is_float (ls_dtype (node)) || (ls_as_int (((LsBinary *) node)->b, &divisor) && divisor != 0))
        return LS_WALK_CONTINUE;
      return LS_WALK_STOP;
    case LS_KIND_CALL:
      if (ls_is_call (node, "tir.if_then_else"))
        return LS_WALK_PRUNE;
      if (!ls_is (((LsCall *) node)->op, OP) || ((LsOp *) ((LsCall *) node)->op)->effect > LS_EFFECT_PURE)
        return LS_WALK_STOP;
      return LS_WALK_CONTINUE;
    default:
      return LS_WALK_CONTINUE;
    }
}

gboolean
ls_is_safe (LsExpr *expr)
{
  return ls_walk (expr, stop_at_unsafe, NULL, NULL);
}

static LsNode *
filter (LsRewriter *rewriter,
        LsNode     *node,
        gpointer    user_data)
{
  LsNode *result = ls_rewrite_default (rewriter, node);
  LsSelect *select = (LsSelect *) result;

  if (!ls_is (result, SELECT) || ls_dtype (select->condition).lanes > 1)
    return result;
  if (ls_is_safe (select->true_value) && ls_is_safe (select->false_value))
    return result;
  ls_take (&result, LS_NODE (ls_call_op ("tir.if_then_else", ls_dtype (select),
                                         ls_array_of (ls_ref (select->condition), ls_ref (select->true_value), ls_ref (select->false_value), NULL))));
  return result;
}

LsPrimFunc *
ls_pass_rewrite_unsafe_select (LsPrimFunc  *func,
                               GError     **error)
{
  g_autoptr (LsNode) body = ls_rewrite_with (func->body, filter, NULL);

  return ls_pass_with_body (func, body);
}
