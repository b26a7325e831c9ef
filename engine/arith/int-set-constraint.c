/* int-set-constraint: the domains that a boolean condition gives to variables.
 *
 * The condition is split at its conjunctions (negations are pushed inwards first); each
 * comparison with a variable alone on one side bounds that variable.
 */
#include "engine/arith/int-set.h"
#include "engine/arith/pool.h"

static void
narrow (LsDomMap   *dom,
        LsAnalyzer *analyzer,
        LsVar      *var,
        LsIntSet   *set)
{
  g_autoptr (LsIntSet) fresh = set;
  LsIntSet *old = ls_dom_map_get_set (dom, var);
  LsIntSet *both[2] = { old, fresh };
  g_autoptr (LsIntSet) together = NULL;

  if (old == NULL)
    {
      ls_dom_map_set_set (dom, var, fresh);
      return;
    }
  together = ls_int_set_intersect (both, 2);
  ls_dom_map_set_set (dom, var, together);
}

static LsExpr *
plus (LsExpr *e,
      gint64  n)
{
  return n == 0 ? ls_ref (e) : ls_add (ls_ref (e), ls_const_int (ls_dtype (e), n));
}

/* var `kind` limit */
static void
bound_var (LsDomMap   *dom,
           LsAnalyzer *analyzer,
           LsKind      kind,
           LsVar      *var,
           LsExpr     *limit)
{
  switch ((int) kind)
    {
    case LS_KIND_LE:
    case LS_KIND_LT:
      narrow (dom, analyzer, var,
              ls_int_set_new_interval (ls_ref (ls_neg_inf ()), plus (limit, kind == LS_KIND_LT ? -1 : 0)));
      break;
    case LS_KIND_GE:
    case LS_KIND_GT:
      narrow (dom, analyzer, var,
              ls_int_set_new_interval (plus (limit, kind == LS_KIND_GT ? 1 : 0), ls_ref (ls_pos_inf ())));
      break;
    case LS_KIND_EQ:
      narrow (dom, analyzer, var, ls_int_set_new_point (ls_ref (limit)));
      break;
    default:
      break;
    }
}

static LsKind
mirrored (LsKind kind)
{
  switch ((int) kind)
    {
    case LS_KIND_LT: return LS_KIND_GT;
    case LS_KIND_LE: return LS_KIND_GE;
    case LS_KIND_GT: return LS_KIND_LT;
    case LS_KIND_GE: return LS_KIND_LE;
    default: return kind;
    }
}

static LsKind
negated (LsKind kind)
{
  switch ((int) kind)
    {
    case LS_KIND_LT: return LS_KIND_GE;
    case LS_KIND_LE: return LS_KIND_GT;
    case LS_KIND_GT: return LS_KIND_LE;
    case LS_KIND_GE: return LS_KIND_LT;
    case LS_KIND_EQ: return LS_KIND_NE;
    default: return LS_KIND_EQ;
    }
}

static void
collect (LsDomMap   *dom,
         LsAnalyzer *analyzer,
         LsExpr     *e,
         gboolean    negate)
{
  LsBinary *b = (LsBinary *) e;
  LsKind kind = ls_kind (e);

  if (kind == LS_KIND_NOT)
    collect (dom, analyzer, ((LsNot *) e)->a, !negate);
  else if (kind == (negate ? LS_KIND_OR : LS_KIND_AND))
    {
      collect (dom, analyzer, b->a, negate);
      collect (dom, analyzer, b->b, negate);
    }
  else if (ls_is_call (e, "tir.likely"))
    collect (dom, analyzer, ls_array_at (((LsCall *) e)->args, 0, LsExpr), negate);
  else if (ls_kind_is_compare (kind))
    {
      if (negate)
        kind = negated (kind);
      if (ls_is_var (b->a))
        bound_var (dom, analyzer, kind, (LsVar *) b->a, b->b);
      if (ls_is_var (b->b))
        bound_var (dom, analyzer, mirrored (kind), (LsVar *) b->b, b->a);
    }
}

LsDomMap *
ls_constraint_to_dom_map (LsExpr     *condition,
                          LsAnalyzer *analyzer)
{
  LsDomMap *dom = ls_dom_map_new ();

  if (condition != NULL)
    collect (dom, analyzer, condition, FALSE);
  return dom;
}
