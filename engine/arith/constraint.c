/* constraint: conditions taken apart.
 *
 * A conjunction holds term by term; the negation of a simplified condition is brought to a form in which it can be
 * compared literally (no double negation, > and >= turned round, De Morgan).
 */
#include "engine/arith/arith-private.h"

static void
split_into (LsExpr    *constraint,
            gboolean   composites,
            GPtrArray *terms)
{
  if (composites || !ls_is (constraint, AND))
    g_ptr_array_add (terms, ls_ref (constraint));
  if (ls_is (constraint, AND))
    {
      split_into (ls_lhs (constraint), composites, terms);
      split_into (ls_rhs (constraint), composites, terms);
    }
}

GPtrArray *
ls_constraint_split (LsExpr   *constraint,
                     gboolean  composites)
{
  GPtrArray *terms = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  split_into (constraint, composites, terms);
  return terms;
}

static LsExpr *
compare (LsKind  kind,
         LsExpr *a,
         LsExpr *b)
{
  return ls_binary (kind, ls_ref (a), ls_ref (b));
}

LsExpr *
ls_constraint_negate (LsExpr *expr)
{
  if (ls_kind_is_compare (ls_kind (expr)) && !ls_is (expr, EQ) && !ls_is (expr, NE) && ls_dtype_is_float (ls_dtype (ls_lhs (expr))))
    return ls_not_new (ls_ref (expr));  /* NaN */
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_NOT:
      return ls_boolean_normalize (((LsNot *) expr)->a);
    case LS_KIND_OR:
      return ls_and (ls_constraint_negate (ls_lhs (expr)), ls_constraint_negate (ls_rhs (expr)));
    case LS_KIND_AND:
      return ls_or (ls_constraint_negate (ls_lhs (expr)), ls_constraint_negate (ls_rhs (expr)));
    case LS_KIND_LT:
      return compare (LS_KIND_LE, ls_rhs (expr), ls_lhs (expr));
    case LS_KIND_LE:
      return compare (LS_KIND_LT, ls_rhs (expr), ls_lhs (expr));
    case LS_KIND_GT:
      return compare (LS_KIND_LE, ls_lhs (expr), ls_rhs (expr));
    case LS_KIND_GE:
      return compare (LS_KIND_LT, ls_lhs (expr), ls_rhs (expr));
    case LS_KIND_EQ:
      return compare (LS_KIND_NE, ls_lhs (expr), ls_rhs (expr));
    case LS_KIND_NE:
      return compare (LS_KIND_EQ, ls_lhs (expr), ls_rhs (expr));
    default:
      return ls_not_new (ls_ref (expr));
    }
}

LsExpr *
ls_boolean_normalize (LsExpr *expr)
{
  if (ls_is (expr, NOT))
    return ls_constraint_negate (((LsNot *) expr)->a);
  if (ls_is (expr, GE))
    return compare (LS_KIND_LE, ls_rhs (expr), ls_lhs (expr));
  if (ls_is (expr, GT))
    return compare (LS_KIND_LT, ls_rhs (expr), ls_lhs (expr));
  return ls_ref (expr);
}

/* ---- effects ---- */

static LsWalk
collect_effect (LsNode   *node,
                gpointer  user_data)
{
  LsEffect *worst = user_data;
  LsEffect effect = LS_EFFECT_PURE;

  if (ls_is (node, BUFFER_LOAD) || ls_is (node, PRODUCER_LOAD))
    effect = LS_EFFECT_READ_STATE;
  else if (ls_is (node, CALL))
    effect = ls_is (((LsCall *) node)->op, OP) ? ((LsOp *) ((LsCall *) node)->op)->effect : LS_EFFECT_OPAQUE;
  *worst = MAX (*worst, effect);
  return LS_WALK_CONTINUE;
}

LsEffect
ls_expr_effect (LsExpr *expr)
{
  LsEffect worst = LS_EFFECT_PURE;

  if (LS_NODE (expr)->facts & (LS_FACT_HAS_CALL | LS_FACT_HAS_LOAD))
    ls_walk (expr, collect_effect, NULL, &worst);
  return worst;
}

static LsWalk
stop_at_vscale (LsNode   *node,
                gpointer  user_data)
{
  return ls_is_call (node, "tir.vscale") ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

gboolean
ls_expr_has_vscale (LsExpr *expr)
{
  if (!(LS_NODE (expr)->facts & LS_FACT_HAS_CALL))
    return FALSE;
  return !ls_walk (expr, stop_at_vscale, NULL, NULL);
}
