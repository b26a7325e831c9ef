/* steps-rewrite: what the simplifiers do in C, against every value. */
#include "tests/proof/steps-private.h"

#include <math.h>

/* ---- quotients ---- */

static const gint64 ranges[][4] = {
  { 0, 3, 0, 1 }, { 0, 3, 0, 3 }, { 0, 3, -2, 2 }, { -2, 2, 0, 2 }, { -2, 2, -2, 2 }, { 0, 5, 0, 5 }, { -3, 0, -1, 0 }, { 1, 1, 0, 4 },
};

guint
step_quotients (guint stride)
{
  static const LsKind kinds[] = { LS_KIND_FLOOR_DIV, LS_KIND_FLOOR_MOD, LS_KIND_DIV, LS_KIND_MOD };
  guint seen = 0, cases = 0;

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint r = 0; r < G_N_ELEMENTS (ranges); r++)
      for (gint64 a = -6; a <= 6; a++)
        for (gint64 b = -4; b <= 6; b++)
          if (b != 0 && step_due (stride, &seen, &cases))
            {
              StepCase c;

              step_begin (&c, LS_INT32, ranges[r][0], ranges[r][1], ranges[r][2], ranges[r][3]);
              step_simplifies (&c, ls_binary (kinds[k], ls_add (ls_mul (X (&c), ls_int (a)), Y (&c)), ls_int (b)));
              step_simplifies (&c, ls_binary (kinds[k], ls_add (Y (&c), ls_mul (X (&c), ls_int (a))), ls_int (b)));
              step_simplifies (&c, ls_binary (kinds[k], ls_add (ls_mul (X (&c), ls_int (a)), ls_int (b)), ls_int (b)));
              step_simplifies (&c, ls_binary (kinds[k], ls_mul (X (&c), ls_int (a)), ls_int (b)));
              step_end (&c);
            }
  return cases;
}

/* ---- ramps ---- */

/* One lane of a vector, as a number. */
static LsExpr *
lane_of (LsExpr *expr,
         gint64  lane)
{
  if (ls_is (expr, RAMP))
    return ls_add (ls_ref (((LsRamp *) expr)->base), ls_mul (ls_ref (((LsRamp *) expr)->stride), ls_int (lane)));
  if (ls_is (expr, BROADCAST))
    return ls_ref (((LsBroadcast *) expr)->value);
  if (ls_kind_is_binary (ls_kind (expr)))
    return ls_binary_new (ls_kind (expr), lane_of (((LsBinary *) expr)->a, lane), lane_of (((LsBinary *) expr)->b, lane));
  g_error ("no vector that is known here");
}

guint
step_ramps (guint stride)
{
  static const LsKind kinds[] = { LS_KIND_FLOOR_DIV, LS_KIND_FLOOR_MOD, LS_KIND_DIV, LS_KIND_MOD };
  guint seen = 0, cases = 0;

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (gint64 step = -4; step <= 4; step++)
      for (gint64 by = -4; by <= 6; by++)
        for (gint64 factor = 1; factor <= 6; factor++)
          for (gint64 offset = 0; offset < factor; offset++)
            for (gint64 lanes = 2; lanes <= 4; lanes++)
              if (by != 0 && step_due (stride, &seen, &cases))
                {
                  StepCase c;
                  LsExpr *base;
                  g_autoptr (LsExpr) expr = NULL;
                  g_autoptr (LsExpr) result = NULL;

                  step_begin (&c, LS_INT32, (seen & 1) ? 0 : -3, 3, 0, 0);
                  base = ls_add (ls_mul (X (&c), ls_int (factor)), ls_int (offset));
                  expr = ls_binary_new (kinds[k], ls_ramp_new (base, ls_int (step), ls_int (lanes)), ls_broadcast_new (ls_int (by), ls_int (lanes)));
                  result = ls_analyzer_rewrite_simplify (c.analyzer, expr);
                  for (gint64 lane = 0; lane < lanes; lane++)
                    {
                      g_autoptr (LsExpr) before = lane_of (expr, lane);
                      g_autoptr (LsExpr) after = lane_of (result, lane);

                      step_same (&c, before, after);
                    }
                  step_end (&c);
                }
  return cases;
}

/* ---- comparisons, min and max ---- */

guint
step_comparisons (guint stride)
{
  static const LsKind kinds[] = { LS_KIND_EQ, LS_KIND_NE, LS_KIND_LT, LS_KIND_LE, LS_KIND_MIN, LS_KIND_MAX };
  guint seen = 0, cases = 0;

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (guint r = 1; r <= 4; r++)
      for (gint64 a = -3; a <= 3; a++)
        for (gint64 b = -3; b <= 3; b++)
          for (gint64 left = -3; left <= 3; left++)
            for (gint64 right = -1; right <= 1; right++)
              if (step_due (stride, &seen, &cases))
                {
                  StepCase c;
                  LsExpr *one, *other;

                  step_begin (&c, LS_INT32, ranges[r][0], ranges[r][1], ranges[r][2], ranges[r][3]);
                  one = ls_add (ls_mul (X (&c), ls_int (a)), ls_int (left));
                  other = ls_add (ls_mul (Y (&c), ls_int (b)), ls_int (right));
                  step_simplifies (&c, ls_binary_new (kinds[k], one, other));
                  step_end (&c);
                }
  return cases;
}

/* (A + B) C against A B D, where A and B are x and y and D is 2 or -2. */
guint
step_products (guint stride)
{
  guint seen = 0, cases = 0;

  for (gint64 low = -4; low <= 3; low++)
    for (gint64 width = 0; width <= 3; width++)
      for (gint64 low_y = -4; low_y <= 3; low_y++)
        for (gint64 c = -8; c <= 8; c++)
          for (gint64 d = -2; d <= 2; d++)
            if (c != 0 && d != 0 && step_due (stride, &seen, &cases))
              {
                StepCase it;
                LsExpr *sum, *product;

                step_begin (&it, LS_INT32, low, low + width, low_y, low_y + 2);
                ls_analyzer_set_extensions (it.analyzer, LS_REWRITE_COMPARISON_OF_PRODUCT_AND_SUM);
                sum = ls_mul (ls_add (X (&it), Y (&it)), ls_int (c));
                product = ls_mul (ls_mul (X (&it), Y (&it)), ls_int (d));
                step_simplifies (&it, ls_lt (sum, product));
                step_end (&it);
              }
  return cases;
}

/* ---- logic ---- */

static LsExpr *
term_of (StepCase *c,
         guint     which)
{
  switch (which)
    {
    case 0:
      return X (c);
    case 1:
      return ls_floormod (X (c), ls_int (3));
    case 2:
      return ls_floordiv (X (c), ls_int (3));
    default:
      return ls_sub (X (c), Y (c));
    }
}

guint
step_branches (guint stride)
{
  static const LsKind kinds[] = { LS_KIND_EQ, LS_KIND_NE, LS_KIND_LT, LS_KIND_LE, LS_KIND_GT, LS_KIND_GE };
  static const guint extensions[] = {
    LS_REWRITE_NONE, LS_REWRITE_APPLY_CONSTRAINTS_TO_BOOLEAN_BRANCHES, LS_REWRITE_CONVERT_BOOLEAN_TO_AND_OF_ORS,
    LS_REWRITE_TRANSITIVELY_PROVE_INEQUALITIES | LS_REWRITE_APPLY_CONSTRAINTS_TO_BOOLEAN_BRANCHES
  };
  guint seen = 0, cases = 0;

  for (guint e = 0; e < G_N_ELEMENTS (extensions); e++)
    for (guint all = 0; all < 36 * 16; all++)
      for (gint64 left = -1; left <= 2; left++)
        for (gint64 right = -1; right <= 2; right++)
          for (guint or = 0; or < 2; or++)
            if (step_due (stride, &seen, &cases))
              {
                StepCase c;
                LsExpr *one, *other;

                step_begin (&c, LS_INT32, -3, 4, -1, 2);
                ls_analyzer_set_extensions (c.analyzer, extensions[e]);
                one = ls_binary_new (kinds[all % 6], term_of (&c, all / 36 % 4), ls_int (left));
                other = ls_binary_new (kinds[all / 6 % 6], term_of (&c, all / 144), ls_int (right));
                step_simplifies (&c, ls_binary_new (or ? LS_KIND_OR : LS_KIND_AND, one, other));
                step_end (&c);
              }
  return cases;
}

/* ---- known comparisons ---- */

/* Where `known` holds, `simple` is `expr`. */
static void
same_under (StepCase *c,
            LsExpr   *known,
            LsExpr   *expr,
            LsExpr   *simple)
{
  for (c->values[0] = c->low[0]; c->values[0] <= c->high[0]; c->values[0]++)
    for (c->values[1] = c->low[1]; c->values[1] <= c->high[1]; c->values[1]++)
      {
        gint64 holds, before, after;

        g_assert_true (step_value (c, known, &holds) && step_value (c, expr, &before) && step_value (c, simple, &after));
        if (holds != 0 && before != after)
          {
            g_autofree char *condition = ls_expr_text (known);
            g_autofree char *one = ls_expr_text (expr);
            g_autofree char *other = ls_expr_text (simple);

            g_error ("under %s, %s became %s", condition, one, other);
          }
      }
}

guint
step_known (guint stride)
{
  static const LsKind kinds[] = { LS_KIND_EQ, LS_KIND_NE, LS_KIND_LT, LS_KIND_LE, LS_KIND_GT, LS_KIND_GE };
  static const guint all = LS_REWRITE_TRANSITIVELY_PROVE_INEQUALITIES | LS_REWRITE_APPLY_CONSTRAINTS_TO_BOOLEAN_BRANCHES;
  guint seen = 0, cases = 0;

  for (guint ops = 0; ops < 216; ops++)
    for (gint64 known = -2; known <= 2; known++)
      for (gint64 asked = -2; asked <= 2; asked++)
        for (guint extensions = 0; extensions < 2; extensions++)
          if (step_due (stride, &seen, &cases))
            {
              StepCase c;
              g_autoptr (LsExpr) condition = NULL;
              g_autoptr (LsExpr) expr = NULL;
              g_autoptr (LsExpr) simple = NULL;

              /* no bounds: what follows, follows from the condition */
              step_begin (&c, LS_INT32, -4, 4, -4, 4);
              ls_analyzer_free (c.analyzer);
              c.analyzer = ls_analyzer_new ();
              ls_analyzer_set_extensions (c.analyzer, extensions ? all : LS_REWRITE_NONE);
              condition = ls_and (ls_binary_new (kinds[ops % 6], X (&c), ls_add (Y (&c), ls_int (known))),
                                  ls_binary_new (kinds[ops / 6 % 6], Y (&c), ls_int (1)));
              expr = ls_binary_new (kinds[ops / 36], X (&c), asked % 2 == 0 ? ls_add (Y (&c), ls_int (asked)) : ls_int (asked));
              ls_analyzer_enter_constraint (c.analyzer, condition);
              simple = ls_analyzer_simplify (c.analyzer, expr);
              same_under (&c, condition, expr, simple);
              step_end (&c);
            }
  return cases;
}

/* ---- floats ---- */

static double
float_number (guint i)
{
  static const float special[] = { 0.0f, 1.0f, 3.0f, 10.0f, 1e-39f, 1.1754944e-38f, 2.0e-38f, 1e38f, 3.0e38f, 3.4028235e38f, 0.1f, 7.0f, 3.1e38f, 16777217.0f };

  if (i < 2 * G_N_ELEMENTS (special))
    return i % 2 ? -special[i / 2] : special[i / 2];
  return ldexp (1.0 + i / 64.0, (int) i * 9 % 250 - 125);
}

static float
float_value (LsExpr *expr)
{
  gint64 whole;
  double value = 0;

  g_assert_true (ls_interp_eval (expr, NULL, &whole, &value, NULL));
  return (float) value;
}

guint
step_inverse (guint stride)
{
  guint seen = 0, cases = 0;

  for (guint i = 0; i < 40; i++)
    for (guint k = 0; k < 40; k++)
      if (float_number (k) != 0.0 && step_due (stride, &seen, &cases))
        {
          g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
          g_autoptr (LsVar) x = ls_var_new ("x", LS_FLOAT32);
          g_autoptr (LsExpr) symbolic = ls_binary_new (LS_KIND_DIV, LS_EXPR (ls_ref (x)), ls_const_float (LS_FLOAT32, float_number (k)));
          g_autoptr (LsExpr) simple = ls_analyzer_rewrite_simplify (analyzer, symbolic);
          g_autoptr (GHashTable) map = g_hash_table_new (NULL, NULL);
          g_autoptr (LsExpr) value = ls_const_float (LS_FLOAT32, float_number (i));
          g_autoptr (LsExpr) before = NULL;
          g_autoptr (LsExpr) after = NULL;
          float a, b;

          g_hash_table_insert (map, x, value);
          before = LS_EXPR (ls_substitute (symbolic, map));
          after = LS_EXPR (ls_substitute (simple, map));
          a = float_value (before);
          b = float_value (after);
          if (!(a == b || nextafterf (a, b) == b || (isinf (a) && fabsf (b) >= 3.4028233e38f) || (isinf (b) && fabsf (a) >= 3.4028233e38f)))
            {
              g_autofree char *text = ls_expr_text (simple);

              g_error ("%g / %g is %.9g, %s is %.9g", float_number (i), float_number (k), (double) a, text, (double) b);
            }
        }
  return cases;
}

/* ---- canonical form ---- */

#define N_LEAVES 8

static LsExpr *
leaf (StepCase *c,
      guint     i)
{
  return i == 0 ? X (c) : i == 1 ? Y (c) : ls_int ((gint64) i - 4);
}

/* Two operations: (a op b) op c, and c op (a op b). */
guint
step_canonical (guint stride)
{
  static const LsKind kinds[] = {
    LS_KIND_ADD, LS_KIND_SUB, LS_KIND_MUL, LS_KIND_FLOOR_DIV, LS_KIND_FLOOR_MOD, LS_KIND_DIV, LS_KIND_MOD, LS_KIND_MIN, LS_KIND_MAX
  };
  guint seen = 0, cases = 0;

  for (guint ops = 0; ops < 81; ops++)
    for (guint leaves = 0; leaves < N_LEAVES * N_LEAVES * N_LEAVES; leaves++)
      for (guint turned = 0; turned < 2; turned++)
        if (step_due (stride, &seen, &cases))
          {
            StepCase c;
            LsExpr *inner, *outer;

            step_begin (&c, LS_INT32, -2, 3, (ops & 1) ? 0 : -2, 2);
            inner = ls_binary_new (kinds[ops % 9], leaf (&c, leaves % N_LEAVES), leaf (&c, leaves / N_LEAVES % N_LEAVES));
            outer = leaf (&c, leaves / (N_LEAVES * N_LEAVES));
            step_simplifies (&c, turned ? ls_binary_new (kinds[ops / 9], outer, inner) : ls_binary_new (kinds[ops / 9], inner, outer));
            step_end (&c);
          }
  return cases;
}
