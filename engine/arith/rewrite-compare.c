/* rewrite-compare: rules of comparisons.
 *
 * Everything is brought to <, <= and ==: > and >= are turned round, != is !(==), a <= b is !(b < a) for the rules
 * and turned back.  A comparison is decided by the bounds of the difference or by known comparisons; what stays is
 * freed of common terms and factors, and constants are gathered on one side.
 */
#include "engine/arith/arith-private.h"

/* ---- deciding ---- */

static LsCompare
compare_bound (LsConstIntBound bound,
               gint64          value)
{
  if (bound.min == value && bound.max == value)
    return LS_COMPARE_EQ;
  if (bound.min > value)
    return LS_COMPARE_GT;
  if (bound.max < value)
    return LS_COMPARE_LT;
  if (bound.min >= value)
    return LS_COMPARE_GE;
  if (bound.max <= value)
    return LS_COMPARE_LE;
  return LS_COMPARE_UNKNOWN;
}

LsCompare
ls_compare_value (LsSimplifier *self,
                  LsExpr       *x,
                  gint64        value)
{
  g_autoptr (LsExpr) simple = ls_visit (self, x);
  LsCompare result = compare_bound (ls_bound_of (self->analyzer, simple), value);

  if (result == LS_COMPARE_UNKNOWN && value == 0 && ls_modular_of (self->analyzer, simple).base != 0)
    return LS_COMPARE_NE;
  return result;
}

static gboolean
is_definite (LsCompare compare)
{
  return compare == LS_COMPARE_EQ || compare == LS_COMPARE_LT || compare == LS_COMPARE_GT;
}

/* ---- (A + B) C against A B D ---- */

typedef struct { LsConstIntBound a, b, c, d; } Products;

static LsConstIntBound
negated (LsConstIntBound bound)
{
  return (LsConstIntBound) { ls_sat_neg (bound.max), ls_sat_neg (bound.min) };
}

static gboolean
same_product (LsExpr *product,
              LsExpr *a,
              LsExpr *b)
{
  return ls_is (product, MUL) && ((ls_deep_equal (ls_lhs (product), a) && ls_deep_equal (ls_rhs (product), b)) ||
                                  (ls_deep_equal (ls_lhs (product), b) && ls_deep_equal (ls_rhs (product), a)));
}

/* first = (A + B) C, second = A B D or A B */
static gboolean
match_products (LsAnalyzer *analyzer,
                LsExpr     *first,
                LsExpr     *second,
                Products   *out)
{
  LsExpr *sum;
  LsConstIntBound d = { 1, 1 };

  if (!ls_is (first, MUL) || !ls_is (ls_lhs (first), ADD))
    return FALSE;
  sum = ls_lhs (first);
  if (!same_product (second, ls_lhs (sum), ls_rhs (sum)))
    {
      if (!ls_is (second, MUL) || !same_product (ls_lhs (second), ls_lhs (sum), ls_rhs (sum)))
        return FALSE;
      d = ls_bound_of (analyzer, ls_rhs (second));
    }
  *out = (Products) { ls_bound_of (analyzer, ls_lhs (sum)), ls_bound_of (analyzer, ls_rhs (sum)),
                      ls_bound_of (analyzer, ls_rhs (first)), negated (d) };
  return TRUE;
}

/* All positive: 1 / C < 1 / (A D) + 1 / (B D), shown with the worst values. */
static gboolean
sum_outweighs_product (const Products *p)
{
  if (p->d.max == LS_POS_INF)
    return FALSE;
  if (ls_sat_mul (MIN (p->a.max, p->b.max), p->d.max) <= p->c.min)
    return TRUE;
  if (p->a.max == LS_POS_INF || p->b.max == LS_POS_INF)
    return FALSE;
  return ls_sat_mul (ls_sat_mul (p->a.max, p->b.max), p->d.max) < ls_sat_mul (p->c.min, ls_sat_add (p->a.max, p->b.max));
}

/* The sign of x - y when that is (A + B) C - A B D. */
static LsCompare
compare_products (LsSimplifier *self,
                  LsExpr       *x,
                  LsExpr       *y)
{
  g_autoptr (LsExpr) difference = NULL;
  g_autoptr (LsExpr) simple = NULL;
  gboolean upper;
  Products p;

  if (!(self->extensions & LS_REWRITE_COMPARISON_OF_PRODUCT_AND_SUM))
    return LS_COMPARE_UNKNOWN;
  difference = ls_sub (ls_ref (x), ls_ref (y));
  simple = ls_visit (self, difference);
  if (!ls_is (simple, ADD) ||
      !(match_products (self->analyzer, ls_lhs (simple), ls_rhs (simple), &p) ||
        match_products (self->analyzer, ls_rhs (simple), ls_lhs (simple), &p)))
    return LS_COMPARE_UNKNOWN;
  upper = p.d.max < 0;
  if (upper)
    {
      p.c = negated (p.c);
      p.d = negated (p.d);
    }
  if (p.c.max < 0)
    {
      p.a = negated (p.a);
      p.b = negated (p.b);
      p.c = negated (p.c);
    }
  if (p.a.min <= 0 || p.b.min <= 0 || p.c.min <= 0 || p.d.min <= 0 || !sum_outweighs_product (&p))
    return LS_COMPARE_UNKNOWN;
  return upper ? LS_COMPARE_LT : LS_COMPARE_GT;
}

/* By the bounds of either side: the difference of numbers that were loaded may wrap. */
static LsCompare
compare_bounds (LsSimplifier *self,
                LsExpr       *x,
                LsExpr       *y)
{
  LsConstIntBound a = ls_bound_of (self->analyzer, x), b = ls_bound_of (self->analyzer, y);

  if (ls_deep_equal (x, y))
    return LS_COMPARE_EQ;
  if (a.max < b.min)
    return LS_COMPARE_LT;
  if (a.min > b.max)
    return LS_COMPARE_GT;
  if (a.max <= b.min && a.max != LS_POS_INF)
    return LS_COMPARE_LE;
  return a.min >= b.max && b.max != LS_POS_INF ? LS_COMPARE_GE : LS_COMPARE_UNKNOWN;
}

LsCompare
ls_compare (LsSimplifier *self,
            LsExpr       *x,
            LsExpr       *y)
{
  g_autoptr (LsExpr) difference = ls_sub (ls_ref (x), ls_ref (y));
  gboolean propagate = (self->extensions & LS_REWRITE_TRANSITIVELY_PROVE_INEQUALITIES) != 0;
  gboolean wraps = ls_may_wrap (self->analyzer, difference);
  LsCompare result = wraps ? compare_bounds (self, x, y) : ls_compare_value (self, difference, 0);

  if (is_definite (result))
    return result;
  result &= ls_transitive_compare (self->analyzer->transitive, x, y, propagate);
  if (is_definite (result))
    return result;
  return result & compare_products (self, x, y);
}

/* ---- == ---- */

static const LsRule eq_vectors[] = {
  RULE ("bcast (x, l) == bcast (y, l)", "bcast (x == y, l)"),
};
LS_RULE_TABLE (ls_rules_eq_vector, eq_vectors, "eq/vector", LS_RULE_ANY);

/* The constant goes right and takes the other constants with it. */
static const LsRule eq_indices[] = {
  RULE ("c1 == x", "x == c1"),
  RULE ("x - c1 == c2", "x == c2 + c1"),
  RULE ("c1 - x == c2", "x == c1 - c2"),
  RULE ("x + c1 == c2", "x == c2 - c1"),
  AGAIN ("x * y == 0", "x == 0 || y == 0"),
  RULE ("x == x", "1"),
};
LS_RULE_TABLE (ls_rules_eq_index, eq_indices, "eq/index", LS_RULE_INDEX);

static const LsRule eq_others[] = {
  RULE_IF ("x == x", "1", "whole (x) && pure (x)"),     /* NaN is not equal to itself */
};
LS_RULE_TABLE (ls_rules_eq_other, eq_others, "eq/other", LS_RULE_WRAP | LS_RULE_FLOAT);

static LsExpr *
truth (LsExpr   *like,
       gboolean  value)
{
  return ls_const_int (ls_dtype (like), value);
}

/* Keeps `expr` (taken) if there is no result. */
static LsExpr *
result_or (LsExpr *result,
           LsExpr *expr)
{
  if (result == NULL)
    return expr;
  ls_unref (expr);
  return result;
}

/* A result whose sums may wrap where those of `expr` do not is none.  Takes it. */
static LsExpr *
unless_wrapped (LsSimplifier *self,
                LsExpr       *expr,
                LsExpr       *result)
{
  if (result == NULL || !ls_is_beyond_ring (self->analyzer, expr) || !ls_may_wrap (self->analyzer, result))
    return result;
  ls_unref (result);
  return NULL;
}

static LsExpr *
eq_rules (LsSimplifier *self,
          LsExpr       *expr)
{
  LsExpr *result = NULL;
  LsCompare order;

  if (ls_dtype (expr).lanes > 1)
    result = ls_rules_apply (self, &ls_rules_eq_vector, expr);
  if (result != NULL)
    return result;
  if (!ls_is_index_expr (ls_lhs (expr)))
    return ls_rules_apply (self, &ls_rules_eq_other, expr);
  order = ls_compare (self, ls_lhs (expr), ls_rhs (expr));
  if (order == LS_COMPARE_EQ)
    return truth (expr, TRUE);
  if (order == LS_COMPARE_NE || order == LS_COMPARE_LT || order == LS_COMPARE_GT)
    return truth (expr, FALSE);
  return ls_rules_apply (self, &ls_rules_eq_index, expr);
}

static LsExpr *
eq_result (LsSimplifier *self,
           LsExpr       *expr)
{
  return unless_wrapped (self, expr, eq_rules (self, expr));
}

LsExpr *
ls_rules_of_eq (LsSimplifier *self,
                LsExpr       *expr)
{
  return result_or (eq_result (self, expr), expr);
}

/* ---- < ---- */

static const LsRule lt_vectors[] = {
  RULE ("bcast (x, l) < bcast (y, l)", "bcast (x < y, l)"),
  RULE_IF ("ramp (x, s, l) < ramp (y, s, l)", "bcast (x < y, l)", "index (x + s * (l - 1)) && index (y + s * (l - 1))"),
};
LS_RULE_TABLE (ls_rules_lt_vector, lt_vectors, "lt/vector", LS_RULE_ANY);

/* Fewer terms, then fewer factors, then quotients against remainders.  A quotient by a positive constant moves to
 * the other side as a product.  min and max become two comparisons.  Last, constants gather: c < x, x < c. */
static const LsRule lt_indices[] = {
  RULE ("x + y < x + z", "y < z"),
  RULE ("x + y < z + x", "y < z"),
  RULE ("y + x < x + z", "y < z"),
  RULE ("y + x < z + x", "y < z"),
  RULE ("y - x < z - x", "y < z"),
  RULE ("x - y < x - z", "z < y"),
  RULE ("x < x + z", "0 < z"),
  RULE ("x < z + x", "0 < z"),
  RULE ("x < x - z", "z < 0"),
  RULE_IF ("x * c1 < y * c1", "x < y", "c1 > 0"),
  RULE_IF ("x * c1 < y * c1", "y < x", "c1 < 0"),

  RULE_IF ("x * c2 < c1", "x < tdiv (c1 - 1, c2) + 1", "c1 > 0 && c2 > 0"),
  RULE_IF ("x * c2 < c1", "x < tdiv (c1, c2)", "c1 <= 0 && c2 > 0"),
  RULE_IF ("x * c2 < c1", "tdiv (c1 - 1, c2) - 1 < x", "c1 > 0 && c2 < 0"),
  RULE_IF ("x * c2 < c1", "tdiv (c1, c2) < x", "c1 <= 0 && c2 < 0"),
  RULE_IF ("c1 < x * c2", "tdiv (c1 + 1, c2) - 1 < x", "c1 < 0 && c2 > 0"),
  RULE_IF ("c1 < x * c2", "tdiv (c1, c2) < x", "c1 >= 0 && c2 > 0"),
  RULE_IF ("c1 < x * c2", "x < tdiv (c1 + 1, c2) + 1", "c1 < 0 && c2 < 0"),
  RULE_IF ("c1 < x * c2", "x < tdiv (c1, c2)", "c1 >= 0 && c2 < 0"),

  RULE_IF ("tdiv (x, c1) < c2", "x < c1 * c2", "c1 > 0 && c2 > 0"),
  RULE_IF ("tdiv (x, c1) < c2", "x < c1 * (c2 - 1) + 1", "c1 > 0 && c2 <= 0"),
  RULE_IF ("c1 < tdiv (x, c2)", "(c1 + 1) * c2 - 1 < x", "c1 >= 0 && c2 > 0"),
  RULE_IF ("c1 < tdiv (x, c2)", "c1 * c2 < x", "c1 < 0 && c2 > 0"),
  RULE_IF ("tdiv (x, c1) * c1 < x", "0 < tmod (x, c1)", "c1 > 0"),
  RULE_IF ("tdiv (x, c1) * c1 < x + y", "0 < tmod (x, c1) + y", "c1 > 0"),
  RULE_IF ("tdiv (x, c1) * c1 < x - y", "y < tmod (x, c1)", "c1 > 0"),
  RULE_IF ("tdiv (x + c2, c1) * c1 < x", "c2 < tmod (x + c2, c1)", "c1 > 0"),
  RULE_IF ("tdiv (x + c2, c1) * c1 < x + y", "c2 < tmod (x + c2, c1) + y", "c1 > 0"),
  RULE_IF ("tdiv (x + c2, c1) * c1 < x - y", "y < tmod (x + c2, c1) + (0 - c2)", "c1 > 0"),

  RULE_IF ("x // c1 < c2", "x < c1 * c2", "c1 > 0"),
  RULE_IF ("c1 < x // c2", "(c1 + 1) * c2 - 1 < x", "c2 > 0"),
  RULE_IF ("x // c1 * c1 < x", "0 < x % c1", "c1 > 0"),
  RULE_IF ("x // c1 * c1 < x + y", "0 < x % c1 + y", "c1 > 0"),
  RULE_IF ("x // c1 * c1 < x - y", "y < x % c1", "c1 > 0"),
  RULE_IF ("(x + c2) // c1 * c1 < x", "c2 < (x + c2) % c1", "c1 > 0"),
  RULE_IF ("(x + c2) // c1 * c1 < x + y", "c2 < (x + c2) % c1 + y", "c1 > 0"),
  RULE_IF ("(x + c2) // c1 * c1 < x - y", "y < (x + c2) % c1 + (0 - c2)", "c1 > 0"),

  AGAIN ("min (x, y) < z", "x < z || y < z"),
  AGAIN ("max (x, y) < z", "x < z && y < z"),
  AGAIN ("z < min (x, y)", "z < x && z < y"),
  AGAIN ("z < max (x, y)", "z < x || z < y"),

  AGAIN ("c1 < x + c2; c1 - x < c2", "c1 - c2 < x"),
  AGAIN ("c1 < c2 - x; x + c1 < c2", "x < c2 - c1"),
  AGAIN ("c1 < x - c2", "c1 + c2 < x"),
  AGAIN ("x - c2 < c1", "x < c1 + c2"),
  AGAIN ("x < c1 - y", "x + y < c1"),
  AGAIN ("c1 - y < x", "c1 < x + y"),
  AGAIN ("x < c1 + y", "x - y < c1"),
  AGAIN ("c1 + y < x", "c1 < x - y"),
};
LS_RULE_TABLE (ls_rules_lt_index, lt_indices, "lt/index", LS_RULE_INDEX);

/* expr = the result (borrowed) + *offset; c - x stays whole, the rules above have taken care of it. */
static LsExpr *
constant_offset (LsExpr *expr,
                 gint64 *offset)
{
  *offset = 0;
  if (!(ls_is (expr, ADD) || ls_is (expr, SUB)) || !ls_is_imm (ls_rhs (expr)) || ls_imm (ls_rhs (expr)) == G_MININT64)
    return expr;
  *offset = ls_is (expr, ADD) ? ls_imm (ls_rhs (expr)) : -ls_imm (ls_rhs (expr));
  return ls_lhs (expr);
}

/* NULL: that is a number beyond the type. */
static LsExpr *
plus (LsExpr *expr,
      gint64  value)
{
  g_autoptr (LsExpr) number = ls_const_int (ls_dtype (expr), value);

  return ls_fold_overflows (LS_KIND_ADD, expr, number) ? NULL : ls_add (ls_ref (expr), g_steal_pointer (&number));
}

/* Takes the sides; one of them may be NULL: no result. */
static LsExpr *
lt_or_null (LsExpr *a,
            LsExpr *b)
{
  if (a != NULL && b != NULL)
    return ls_lt (a, b);
  ls_unref (a);
  ls_unref (b);
  return NULL;
}

/* x + c1 < y + c2 with the constants on the side where what is left of them is positive; one apart: x <= y. */
static LsExpr *
gather_constants (LsExpr *expr)
{
  gint64 left, right, ahead;
  LsExpr *a = constant_offset (ls_lhs (expr), &left);
  LsExpr *b = constant_offset (ls_rhs (expr), &right);

  if (left == 0 && right == 0)
    return NULL;
  if (__builtin_sub_overflow (right, left, &ahead) || !ls_int_fits (ls_dtype (a), ahead) || !ls_int_fits (ls_dtype (a), ls_sat_neg (ahead)))
    return NULL;
  if (ahead == 0)
    return ls_lt (ls_ref (a), ls_ref (b));
  if (ahead == 1)
    return ls_le (ls_ref (a), ls_ref (b));
  if (ahead < 0 && right != 0)
    return lt_or_null (plus (a, -ahead), ls_ref (b));
  if (ahead > 0 && left != 0)
    return lt_or_null (ls_ref (a), plus (b, ahead));
  return NULL;
}

static gint64
divisor_of_all_values (LsAnalyzer *analyzer,
                       LsExpr     *expr)
{
  LsModularSet set = ls_modular_of (analyzer, expr);

  return ls_gcd (set.base, set.coeff);
}

/* Both sides are multiples of one number at every point. */
static LsExpr *
divide_out (LsSimplifier *self,
            LsExpr       *expr)
{
  LsExpr *a = ls_lhs (expr), *b = ls_rhs (expr);
  gint64 common = ls_gcd (divisor_of_all_values (self->analyzer, a), divisor_of_all_values (self->analyzer, b));

  if (common <= 1 || !ls_int_fits (ls_dtype (a), common))
    return NULL;
  return ls_lt (ls_floordiv (ls_ref (a), ls_const_int (ls_dtype (a), common)),
                ls_floordiv (ls_ref (b), ls_const_int (ls_dtype (b), common)));
}

static LsExpr *
lt_rules (LsSimplifier *self,
          LsExpr       *expr)
{
  g_autoptr (LsExpr) step = NULL;
  LsExpr *result = NULL;
  LsCompare order;

  if (ls_dtype (expr).lanes > 1)
    result = ls_rules_apply (self, &ls_rules_lt_vector, expr);
  if (result != NULL || !ls_is_index_expr (ls_lhs (expr)))
    return result;
  order = ls_compare (self, ls_lhs (expr), ls_rhs (expr));
  if (order == LS_COMPARE_LT)
    return truth (expr, TRUE);
  if (order == LS_COMPARE_EQ || order == LS_COMPARE_GT || order == LS_COMPARE_GE)
    return truth (expr, FALSE);
  result = ls_rules_apply (self, &ls_rules_lt_index, expr);
  if (result != NULL)
    return result;
  step = gather_constants (expr);
  if (step != NULL && ls_leaves_elsewhere (self->analyzer, expr, step))
    return NULL;
  if (step == NULL)
    step = divide_out (self, expr);
  return step != NULL ? ls_visit_again (self, step) : NULL;
}

static LsExpr *
lt_result (LsSimplifier *self,
           LsExpr       *expr)
{
  return unless_wrapped (self, expr, lt_rules (self, expr));
}

LsExpr *
ls_rules_of_lt (LsSimplifier *self,
                LsExpr       *expr)
{
  return result_or (lt_result (self, expr), expr);
}

/* ---- != and <=, by way of == and < ---- */

static LsExpr *
lt_of (LsSimplifier *self,
       LsExpr       *a,
       LsExpr       *b)
{
  return ls_rules_of_lt (self, ls_binary_new (LS_KIND_LT, ls_ref (a), ls_ref (b)));
}

static LsExpr *
ne_result (LsSimplifier *self,
           LsExpr       *expr)
{
  LsExpr *a = ls_lhs (expr), *b = ls_rhs (expr);

  if (ls_is_index_expr (a))
    {
      LsCompare order = ls_compare (self, a, b);

      if (order == LS_COMPARE_NE || order == LS_COMPARE_LT || order == LS_COMPARE_GT)
        return truth (expr, TRUE);
      if (order == LS_COMPARE_EQ)
        return truth (expr, FALSE);
      if (order == LS_COMPARE_GE)
        return lt_of (self, b, a);
      if (order == LS_COMPARE_LE)
        return lt_of (self, a, b);
    }
  return ls_rules_of_not (self, ls_not_new (ls_rules_of_eq (self, ls_binary_new (LS_KIND_EQ, ls_ref (a), ls_ref (b)))));
}

static LsExpr *
le_result (LsSimplifier *self,
           LsExpr       *expr)
{
  g_autoptr (LsExpr) turned = NULL;
  LsExpr *a, *b;
  LsCompare order;

  if (ls_dtype_is_float (ls_dtype (ls_lhs (expr))))
    return NULL;
  turned = ls_rules_of_not (self, ls_not_new (lt_of (self, ls_rhs (expr), ls_lhs (expr))));
  if (!ls_is (turned, LE) || !ls_is_index_expr (ls_lhs (turned)))
    return g_steal_pointer (&turned);
  a = ls_lhs (turned);
  b = ls_rhs (turned);
  order = ls_compare (self, a, b);
  if (order == LS_COMPARE_LE || order == LS_COMPARE_LT || order == LS_COMPARE_EQ)
    return truth (turned, TRUE);
  if (order == LS_COMPARE_GT)
    return truth (turned, FALSE);
  if (order == LS_COMPARE_NE)
    return lt_of (self, a, b);
  if (order == LS_COMPARE_GE)
    return ls_rules_of_eq (self, ls_binary_new (LS_KIND_EQ, ls_ref (a), ls_ref (b)));
  return g_steal_pointer (&turned);
}

/* > and >= never come here. Children are done. */
LsExpr *
ls_rewrite_compare (LsSimplifier *self,
                    LsExpr       *expr)
{
  LsExpr *literal = ls_match_literal (self, expr);

  if (literal != NULL)
    return literal;
  if (ls_is (expr, EQ))
    return eq_result (self, expr);
  if (ls_is (expr, NE))
    return ne_result (self, expr);
  if (ls_is (expr, LE))
    return le_result (self, expr);
  return lt_result (self, expr);
}
