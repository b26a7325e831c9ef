/* steps: see the header.  Values come from the interpreter. */
#include "tests/proof/steps-private.h"

#include "engine/base/base.h"

#include <string.h>

static const ProofStep steps[] = {
  { "bounds: int32", LS_TEXT ("The bounds of x + y, x - y, x * y, x // y, x % y, truncdiv, truncmod, min and max hold every value, for all intervals of int32 from -4 to 4."),
    "bound_of_binary bound_of_trunc_mod bound_of_floor_mod quotient corners nonzero_divisor unite intersect bound bound_of_var bound_of_node", step_bounds },
  { "bounds: int8 and uint8", LS_TEXT ("The same for int8 and uint8, where sums and products wrap, for intervals that begin and end near zero and near the ends of the type."),
    "held_by", step_bounds_narrow },
  { "bounds: casts, shifts, bits, selects", LS_TEXT ("The bounds of casts to narrower and unsigned types, of shifts, of bitwise and, of selects and of let hold every value, for all intervals from -4 to 4."),
    "bound_of_cast after_cast bound_of_call bound_of_bitwise_and bound_of_ramp bound_of_let bound_of_number", step_bounds_rest },
  { "bounds: whole numbers through floats", LS_TEXT ("The bounds of whole numbers that are cast to float16, bfloat16, float32 or float64 and back, alone, in sums, quotients and maxima, hold every value, for all intervals between 27 numbers around those where each type stops to hold all."),
    "after_rounding whole_bits", step_bounds_through_floats },
  { "remainders: sums, products, min, max", LS_TEXT ("The set a n + b of x + y, x - y, x * y, min and max holds every value, for all sets with a up to 6 on both sides."),
    "modular_add modular_sub modular_mul modular_unite modular_of_node", step_modular },
  { "remainders: quotients, casts, bits", LS_TEXT ("The set a n + b of quotients and remainders by -6 to 6, of shifts, of bitwise and, of casts and of let holds every value, for all sets with a up to 6."),
    "modular_div modular_mod modular_of_quotient modular_of_call modular_of_cast modular_wrap modular_of_let held_by", step_modular_rest },
  { "remainders: conditions", LS_TEXT ("Under x % c == b the set of x holds every value that fulfils it, for all sets with a up to 6 and all c up to 6."),
    "modular_intersect", step_modular_enter },
  { "sets of integers", LS_TEXT ("The set of x + y, x - y, x * y, x // y, x % y, truncdiv, truncmod, min, max, select and of casts holds every value, for all intervals from -3 to 3."),
    "everything point absolute end_of higher_of lower_of combine_add combine_sub combine_by_sign combine_mul combine_div combine_mod combine eval_interval eval_var eval_binary eval_ramp "
    "eval_select eval_cast eval_load eval", step_int_sets },
  { "quotients of sums", LS_TEXT ("(x a + y) // b and (x a + y) % b keep their value, rounded down and towards zero, for a from -6 to 6, b from -4 to 6 and eight pairs of intervals."),
    "split_quotient known_remainder by_constant", step_quotients },
  { "ramps by constants", LS_TEXT ("Every lane of a ramp divided by a constant keeps its value, for strides from -4 to 4, divisors from -4 to 6 and up to 4 lanes."),
    "ramp_quotient ramp_remainder ramp_from", step_ramps },
  { "comparisons", LS_TEXT ("x a + c < y b + d and its like keep their value, for a and b from -3 to 3, c from -3 to 3 and four pairs of intervals; min and max alike."),
    "truth result_or unless_wrapped eq_rules eq_result constant_offset plus lt_or_null gather_constants divide_out lt_rules lt_result lt_of ne_result le_result "
    "decided_by_bounds", step_comparisons },
  { "products against sums", LS_TEXT ("(A + B) C < A B D keeps its value with the extension that compares such products, for intervals of both signs."),
    "negated", step_products },
  { "and, or, under each other", LS_TEXT ("Two comparisons joined by and or or keep their value, also with the extensions that simplify one under the other and write them as an and of ors."),
    "visit_under_each_other rewrite_and_or", step_branches },
  { "comparisons that are known", LS_TEXT ("Under x op y + c and a comparison of y with a number, another comparison of x and y keeps its value where both hold, for all six operators and c from -2 to 2."),
    "", step_known },
  { "division of floats by a constant", LS_TEXT ("x / c as a product differs in the last digit at most, for 40 numbers x and 40 numbers c of float32, small and large."),
    "times_inverse", step_inverse },
  { "canonical form", LS_TEXT ("Every expression of two variables, the numbers -2 to 3 and two operations keeps its value in canonical form."),
    "", step_canonical },
  { "iteration maps", LS_TEXT ("x a + y b + c, its quotients and its remainders keep their value as an iteration map, have as many values as it says, and are turned round rightly, for all extents up to 4."),
    "", step_iter_maps },
};

const ProofStep *
proof_steps (guint *n)
{
  *n = G_N_ELEMENTS (steps);
  return steps;
}

/* ---- what is planted ---- */

const PlantedStep *step_planted;
gboolean step_found;

void
step_wrong (const char *format,
            ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (step_planted == NULL)
    g_error ("%s", text);
  if (!step_found)
    g_test_message ("%s", text);
  step_found = TRUE;
}

guint
proof_n_planted_steps (void)
{
  guint n;

  proof_planted_steps (&n);
  return n;
}

const char *
proof_planted_step_kind (guint i)
{
  guint n;

  return proof_planted_steps (&n)[i].kind;
}

gboolean
proof_planted_step_found (guint i,
                          guint stride)
{
  guint n;
  const PlantedStep *planted = &proof_planted_steps (&n)[i];

  for (guint k = 0; k < G_N_ELEMENTS (steps); k++)
    if (strcmp (steps[k].name, planted->step) == 0)
      {
        step_planted = planted;
        step_found = FALSE;
        steps[k].run (stride);
        step_planted = NULL;
        return step_found;
      }
  g_error ("%s: no step is called %s", planted->kind, planted->step);
}

/* ---- cases ---- */

void
step_begin (StepCase *self,
            LsDType   type,
            gint64    x_low,
            gint64    x_high,
            gint64    y_low,
            gint64    y_high)
{
  *self = (StepCase) { .low = { x_low, y_low }, .high = { x_high, y_high } };
  self->x = ls_var_new ("x", type);
  self->y = ls_var_new ("y", type);
  self->point = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (self->point, self->x, &self->values[0]);
  g_hash_table_insert (self->point, self->y, &self->values[1]);
  self->analyzer = ls_analyzer_new ();
  ls_analyzer_update_bound (self->analyzer, self->x, (LsConstIntBound) { x_low, x_high }, TRUE);
  ls_analyzer_update_bound (self->analyzer, self->y, (LsConstIntBound) { y_low, y_high }, TRUE);
}

void
step_end (StepCase *self)
{
  ls_analyzer_free (self->analyzer);
  g_hash_table_unref (self->point);
  ls_unref (self->x);
  ls_unref (self->y);
}

gboolean
step_value (StepCase *self,
            LsExpr   *expr,
            gint64   *value)
{
  double real = 0;

  return ls_interp_eval (expr, self->point, value, &real, NULL);
}

void
step_same (StepCase *self,
           LsExpr   *a,
           LsExpr   *b)
{
  if (a == b)
    return;
  for (self->values[0] = self->low[0]; self->values[0] <= self->high[0]; self->values[0]++)
    for (self->values[1] = self->low[1]; self->values[1] <= self->high[1]; self->values[1]++)
      {
        gint64 before, after = 0;

        if (step_value (self, a, &before) && (!step_value (self, b, &after) || before != after))
          {
            g_autofree char *one = ls_expr_text (a);
            g_autofree char *other = ls_expr_text (b);

            step_wrong ("%s became %s: at x = %" G_GINT64_FORMAT ", y = %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " is %" G_GINT64_FORMAT
                        " (x from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ", y from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ")",
                        one, other, self->values[0], self->values[1], before, after, self->low[0], self->high[0], self->low[1], self->high[1]);
            return;
          }
      }
}

void
step_simplifies (StepCase *self,
                 LsExpr   *expr)
{
  g_autoptr (LsExpr) rewritten = ls_analyzer_rewrite_simplify (self->analyzer, expr);
  g_autoptr (LsExpr) canonical = ls_analyzer_canonical_simplify (self->analyzer, expr);
  g_autoptr (LsExpr) simple = ls_analyzer_simplify (self->analyzer, expr);

  if (step_planted != NULL && step_planted->rewrite != NULL)
    {
      g_autoptr (LsExpr) spoiled = step_planted->rewrite (expr);

      if (spoiled != NULL)
        step_same (self, expr, spoiled);
    }
  step_same (self, expr, rewritten);
  if (canonical != rewritten && !ls_deep_equal (canonical, rewritten))
    step_same (self, expr, canonical);
  if (simple != rewritten && !ls_deep_equal (simple, rewritten) && !ls_deep_equal (simple, canonical))
    step_same (self, expr, simple);
  ls_unref (expr);
}

gboolean
step_due (guint  stride,
          guint *seen,
          guint *cases)
{
  if ((*seen)++ % stride != 0 || step_found)
    return FALSE;
  (*cases)++;
  return TRUE;
}
