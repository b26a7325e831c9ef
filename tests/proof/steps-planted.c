/* steps-planted: transfer functions that are wrong in one way each.  Every one is a fault that this or another analyser has had, or one step
 * from it; the step that tries all small cases has to find it. */
#include "tests/proof/steps-private.h"

static gboolean
is_binary (LsExpr *expr,
           LsKind  kind)
{
  return ls_kind (expr) == kind && ls_is_var (((LsBinary *) expr)->a) && ls_is_var (((LsBinary *) expr)->b);
}

static gint64
floor_div (gint64 a,
           gint64 b)
{
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static gint64
gcd (gint64 a,
     gint64 b)
{
  return b == 0 ? ABS (a) : gcd (b, a % b);
}

/* ---- bounds ---- */

static void
product_of_ends (StepCase *c,
                 LsExpr   *expr,
                 gint64   *min,
                 gint64   *max)
{
  if (!is_binary (expr, LS_KIND_MUL))
    return;
  *min = c->low[0] * c->low[1];
  *max = c->high[0] * c->high[1];
}

static void
difference_of_ends (StepCase *c,
                    LsExpr   *expr,
                    gint64   *min,
                    gint64   *max)
{
  if (!is_binary (expr, LS_KIND_SUB))
    return;
  *min = c->low[0] - c->low[1];
  *max = c->high[0] - c->high[1];
}

static void
kept_by_float (StepCase *c,
               LsExpr   *expr,
               gint64   *min,
               gint64   *max)
{
  LsExpr *value = ls_is (expr, CAST) ? ((LsCast *) expr)->value : NULL;

  if (value == NULL || !ls_is (value, CAST) || !ls_dtype_is_float (ls_dtype (value)) || ((LsCast *) value)->value != LS_EXPR (c->x))
    return;
  *min = c->low[0];
  *max = c->high[0];
}

static void
remainder_not_negative (StepCase *c,
                        LsExpr   *expr,
                        gint64   *min,
                        gint64   *max)
{
  if (is_binary (expr, LS_KIND_MOD))
    *min = MAX (*min, 0);
}

static void
quotient_by_positive (StepCase *c,
                      LsExpr   *expr,
                      gint64   *min,
                      gint64   *max)
{
  if (!is_binary (expr, LS_KIND_FLOOR_DIV) || c->low[1] == 0 || c->high[1] == 0)
    return;
  *min = floor_div (c->low[0], c->low[1]);
  *max = floor_div (c->high[0], c->low[1]);
}

static void
remainder_below_dividend (StepCase *c,
                          LsExpr   *expr,
                          gint64   *min,
                          gint64   *max)
{
  if (is_binary (expr, LS_KIND_FLOOR_MOD))
    *max = MIN (*max, c->high[0]);
}

static void
maximum_of_the_first (StepCase *c,
                      LsExpr   *expr,
                      gint64   *min,
                      gint64   *max)
{
  if (is_binary (expr, LS_KIND_MAX))
    *max = c->high[0];
}

static void
sum_that_stays (StepCase *c,
                LsExpr   *expr,
                gint64   *min,
                gint64   *max)
{
  LsDType t = ls_dtype (expr);

  if (!is_binary (expr, LS_KIND_ADD) || t.bits > 8)
    return;
  *min = MIN (c->low[0] + c->low[1], ls_dtype_int_max (t));
  *max = MIN (c->high[0] + c->high[1], ls_dtype_int_max (t));
}

/* int32 to uint32 of what may be negative */
static void
cast_of_negatives (StepCase *c,
                   LsExpr   *expr,
                   gint64   *min,
                   gint64   *max)
{
  LsConstIntBound inner;

  if (!ls_is (expr, CAST) || ls_dtype (expr).code != LS_TYPE_UINT)
    return;
  inner = ls_analyzer_const_int_bound (c->analyzer, ((LsCast *) expr)->value);
  *min = MAX (inner.min, 0);
  *max = inner.max;
}

static void
select_of_one_side (StepCase *c,
                    LsExpr   *expr,
                    gint64   *min,
                    gint64   *max)
{
  LsConstIntBound inner;

  if (!ls_is (expr, SELECT))
    return;
  inner = ls_analyzer_const_int_bound (c->analyzer, ((LsSelect *) expr)->true_value);
  *min = inner.min;
  *max = inner.max;
}

static void
shift_as_division (StepCase *c,
                   LsExpr   *expr,
                   gint64   *min,
                   gint64   *max)
{
  if (ls_is_call (expr, "tir.shift_right"))
    *min = c->low[0] / 2;
}

/* ---- remainders ---- */

static void
greater_coefficient (LsExpr       *expr,
                     LsModularSet  a,
                     LsModularSet  b,
                     LsModularSet *set)
{
  if (is_binary (expr, LS_KIND_ADD))
    *set = (LsModularSet) { MAX (a.coeff, b.coeff), a.base + b.base };
}

static void
product_without_middle (LsExpr       *expr,
                        LsModularSet  a,
                        LsModularSet  b,
                        LsModularSet *set)
{
  if (is_binary (expr, LS_KIND_MUL))
    *set = (LsModularSet) { a.coeff * b.coeff, a.base * b.base };
}

static void
union_without_bases (LsExpr       *expr,
                     LsModularSet  a,
                     LsModularSet  b,
                     LsModularSet *set)
{
  if (is_binary (expr, LS_KIND_MIN))
    *set = (LsModularSet) { gcd (a.coeff, b.coeff), a.base };
}

static void
truncated_as_floored (LsExpr       *expr,
                      LsModularSet  a,
                      LsModularSet  b,
                      LsModularSet *set)
{
  gint64 by;

  if (ls_is (expr, DIV) && ls_as_int (((LsBinary *) expr)->b, &by) && by > 0 && a.coeff > 0 && a.coeff % by == 0)
    *set = (LsModularSet) { a.coeff / by, floor_div (a.base, by) };
}

/* The set of what is cast, kept by a narrower type. */
static void
narrowed_set (LsExpr       *expr,
              LsModularSet  a,
              LsModularSet  b,
              LsModularSet *set)
{
  LsCast *outer = (LsCast *) expr;
  LsExpr *inner = ls_is (expr, CAST) && ls_is (outer->value, CAST) ? ((LsCast *) outer->value)->value : NULL;
  gint64 by;

  if (inner != NULL && ls_is (inner, MUL) && ls_as_int (((LsBinary *) inner)->b, &by))
    *set = (LsModularSet) { ABS (a.coeff * by), a.base * by };
}

static void
condition_forgets_what_was_known (LsExpr       *expr,
                                  LsModularSet  a,
                                  LsModularSet  b,
                                  LsModularSet *set)
{
  if (a.coeff > 0)
    *set = (LsModularSet) { a.coeff / gcd (a.coeff, b.coeff) * b.coeff, b.base };
}

/* ---- rewriting ---- */

/* (x a + y) // b as x (a // b) + y // b, whatever a % b is */
static LsExpr *
quotient_split_at_once (LsExpr *expr)
{
  LsBinary *top = (LsBinary *) expr, *sum = (LsBinary *) top->a, *product;
  gint64 a, b;

  if (!ls_is (expr, FLOOR_DIV) || !ls_is (sum, ADD) || !ls_is (sum->a, MUL) || !ls_as_int (top->b, &b) || b == 0)
    return NULL;
  product = (LsBinary *) sum->a;
  if (!ls_as_int (product->b, &a))
    return NULL;
  return ls_add (ls_mul (ls_ref (product->a), ls_int (floor_div (a, b))), ls_floordiv (ls_ref (sum->b), ls_ref (top->b)));
}

/* a < b  ->  -a < -b, as if a negative factor did not turn it round */
static LsExpr *
comparison_not_turned (LsExpr *expr)
{
  LsBinary *top = (LsBinary *) expr;

  if (!ls_is (expr, LT))
    return NULL;
  return ls_lt (ls_mul (ls_ref (top->a), ls_int (-1)), ls_mul (ls_ref (top->b), ls_int (-1)));
}

/* a <= b as a < b in a condition joined by and */
static LsExpr *
less_for_not_greater (LsExpr *expr)
{
  LsBinary *top = (LsBinary *) expr, *left = (LsBinary *) top->a;

  if (!ls_is (expr, AND) || !ls_is (left, LE))
    return NULL;
  return ls_and (ls_lt (ls_ref (left->a), ls_ref (left->b)), ls_ref (top->b));
}

static const PlantedStep planted[] = {
  { "bounds: a product of signs", "bounds: int32", .bound = product_of_ends },
  { "bounds: a difference of like ends", "bounds: int32", .bound = difference_of_ends },
  { "bounds: a truncated remainder is not negative", "bounds: int32", .bound = remainder_not_negative },
  { "bounds: divisors are positive", "bounds: int32", .bound = quotient_by_positive },
  { "bounds: a remainder is at most the dividend", "bounds: int32", .bound = remainder_below_dividend },
  { "bounds: a maximum of one side", "bounds: int32", .bound = maximum_of_the_first },
  { "bounds: a narrow sum that stays in its type", "bounds: int8 and uint8", .bound = sum_that_stays },
  { "bounds: a cast of negatives to unsigned", "bounds: casts, shifts, bits, selects", .bound = cast_of_negatives },
  { "bounds: floats hold all whole numbers", "bounds: whole numbers through floats", .bound = kept_by_float },
  { "bounds: a select of one side", "bounds: casts, shifts, bits, selects", .bound = select_of_one_side },
  { "bounds: a shift rounds towards zero", "bounds: casts, shifts, bits, selects", .bound = shift_as_division },
  { "remainders: the greater coefficient for the common divisor", "remainders: sums, products, min, max", .modular = greater_coefficient },
  { "remainders: a product without its middle", "remainders: sums, products, min, max", .modular = product_without_middle },
  { "remainders: bases of two sides left aside", "remainders: sums, products, min, max", .modular = union_without_bases },
  { "remainders: truncated for floored", "remainders: quotients, casts, bits", .modular = truncated_as_floored },
  { "remainders: a narrowing cast keeps the set", "remainders: quotients, casts, bits", .modular = narrowed_set },
  { "remainders: a condition forgets what was known", "remainders: conditions", .modular = condition_forgets_what_was_known },
  { "sets: a truncated remainder is not negative", "sets of integers", .bound = remainder_not_negative },
  { "sets: a product of signs", "sets of integers", .bound = product_of_ends },
  { "rewriting: a quotient split at any factor", "quotients of sums", .rewrite = quotient_split_at_once },
  { "rewriting: a comparison that is not turned round", "comparisons", .rewrite = comparison_not_turned },
  { "rewriting: less for not greater", "and, or, under each other", .rewrite = less_for_not_greater },
};

const PlantedStep *
proof_planted_steps (guint *n)
{
  *n = G_N_ELEMENTS (planted);
  return planted;
}
