/* refute: an instance for which a condition does not hold shows at once that it cannot be proved.
 *
 * Most conditions that are asked about do not hold, and finding that out by simplification takes every rule there is.
 * Before that the condition is computed at two points: all variables at their lowest values, and all of them high.
 * Only where what is known of the variables is a constant interval for each, so that the points are possible for
 * certain; and only over integer arithmetic that stays in range and divides by positive constants.
 */
#include "engine/arith/arith-private.h"

#define N_POINTS 2
#define MAX_DEPTH 32
/* How far from its lowest value a variable without upper bound is looked at. */
#define FAR 1009

typedef struct {
  LsAnalyzer *analyzer;
  guint       point;
  guint       depth;
} Instance;

static gboolean value_of (Instance *self, LsExpr *expr, gint64 *out);

static gboolean
in_range (LsDType dtype,
          gint64  value)
{
  return value >= ls_dtype_int_min (dtype) && value <= ls_dtype_int_max (dtype);
}

static gboolean
value_of_var (Instance *self,
              LsExpr   *expr,
              gint64   *out)
{
  LsAnalyzer *analyzer = self->analyzer;
  LsRange *range;
  LsConstIntBound bound;

  if (!ls_is_index_expr (expr))
    return FALSE;
  range = ls_analyzer_get_range (analyzer, (LsVar *) expr);
  if (range != NULL && (!ls_is_imm (range->min) || !ls_is_imm (range->extent)))
    return FALSE;
  bound = ls_bound_of (analyzer, expr);
  if (bound.min > bound.max)
    return FALSE;
  if (bound.min <= ls_dtype_int_min (ls_dtype (expr)))
    bound.min = MIN (0, bound.max);
  if (bound.max >= ls_dtype_int_max (ls_dtype (expr)))
    bound.max = MIN (ls_sat_add (bound.min, FAR), bound.max);
  *out = self->point == 0 ? bound.min : bound.max;
  return TRUE;
}

static gboolean
divided (LsKind  kind,
         gint64  a,
         gint64  b,
         gint64 *out)
{
  if (b <= 0)
    return FALSE;
  if (kind == LS_KIND_DIV)
    *out = ls_trunc_div (a, b);
  else if (kind == LS_KIND_MOD)
    *out = ls_trunc_rem (a, b);
  else if (kind == LS_KIND_FLOOR_DIV)
    *out = ls_floor_div (a, b);
  else
    *out = ls_floor_rem (a, b);
  return TRUE;
}

static gboolean
value_of_binary (Instance *self,
                 LsExpr   *expr,
                 gint64   *out)
{
  LsKind kind = ls_kind (expr);
  LsDType dtype = ls_dtype (ls_lhs (expr));
  gint64 a, b;

  if (!(ls_dtype_is_index (dtype) || (ls_dtype_is_bool (dtype) && dtype.lanes == 1)) ||
      !value_of (self, ls_lhs (expr), &a) || !value_of (self, ls_rhs (expr), &b))
    return FALSE;
  switch ((int) kind)
    {
    case LS_KIND_ADD:
      return !__builtin_add_overflow (a, b, out) && in_range (dtype, *out);
    case LS_KIND_SUB:
      return !__builtin_sub_overflow (a, b, out) && in_range (dtype, *out);
    case LS_KIND_MUL:
      return !__builtin_mul_overflow (a, b, out) && in_range (dtype, *out);
    case LS_KIND_DIV:
    case LS_KIND_MOD:
    case LS_KIND_FLOOR_DIV:
    case LS_KIND_FLOOR_MOD:
      return ls_is_imm (ls_rhs (expr)) && divided (kind, a, b, out);
    case LS_KIND_MIN:
      *out = MIN (a, b);
      return TRUE;
    case LS_KIND_MAX:
      *out = MAX (a, b);
      return TRUE;
    case LS_KIND_EQ:
      *out = a == b;
      return TRUE;
    case LS_KIND_NE:
      *out = a != b;
      return TRUE;
    case LS_KIND_LT:
      *out = a < b;
      return TRUE;
    case LS_KIND_LE:
      *out = a <= b;
      return TRUE;
    case LS_KIND_GT:
      *out = a > b;
      return TRUE;
    case LS_KIND_GE:
      *out = a >= b;
      return TRUE;
    case LS_KIND_AND:
      *out = a != 0 && b != 0;
      return TRUE;
    case LS_KIND_OR:
      *out = a != 0 || b != 0;
      return TRUE;
    default:
      return FALSE;
    }
}

static gboolean
value_of (Instance *self,
          LsExpr   *expr,
          gint64   *out)
{
  gboolean known = FALSE;

  if (ls_is_imm (expr))
    {
      *out = ls_imm (expr);
      return TRUE;
    }
  if (ls_is_var (expr))
    return value_of_var (self, expr, out);
  if (self->depth >= MAX_DEPTH)
    return FALSE;
  self->depth++;
  if (ls_kind_is_binary (ls_kind (expr)))
    {
      known = value_of_binary (self, expr, out);
    }
  else if (ls_is (expr, NOT) && ls_dtype (expr).lanes == 1)
    {
      known = value_of (self, ((LsNot *) expr)->a, out);
      if (known)
        *out = *out == 0;
    }
  self->depth--;
  return known;
}

gboolean
ls_refutes (LsAnalyzer *self,
            LsExpr     *condition)
{
  if (self->scopes->len > 0 || g_hash_table_size (self->rewrite.values) > 0 || g_hash_table_size (self->modulars) > 0 ||
      self->bound_facts->len > 0)
    return FALSE;
  for (guint point = 0; point < N_POINTS; point++)
    {
      Instance instance = { self, point, 0 };
      gint64 value = 0;

      if (!value_of (&instance, condition, &value))
        return FALSE;
      if (value == 0)
        return TRUE;
    }
  return FALSE;
}
