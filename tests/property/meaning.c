/* One meaning: random expressions of constants, of all data types, are folded and simplified to what the interpreter computes. */
#include "engine/arith/arith.h"
#include "engine/interp/interp.h"
#include "tests/support/support.h"

#include <math.h>

static const LsDType types[] = {
  { LS_TYPE_INT, 8, 1 }, { LS_TYPE_INT, 16, 1 }, { LS_TYPE_INT, 32, 1 }, { LS_TYPE_INT, 64, 1 }, { LS_TYPE_UINT, 8, 1 }, { LS_TYPE_UINT, 32, 1 },
  { LS_TYPE_UINT, 64, 1 }, { LS_TYPE_FLOAT, 16, 1 }, { LS_TYPE_BFLOAT, 16, 1 }, { LS_TYPE_FLOAT, 32, 1 }, { LS_TYPE_FLOAT, 64, 1 },
};

static LsExpr *
number (GRand   *rand,
        LsDType  t)
{
  static const gint64 ints[] = { 0, 1, 2, 3, 7, 100, 127, 255, -1, -2, -128, 65535, G_MAXINT32, G_MININT32, G_MAXINT64, G_MININT64 };
  static const double floats[] = { 0, -0.0, 1, -1, 0.5, 3.25, 1e-39, 1e30, 65504, INFINITY, -INFINITY, NAN };

  if (ls_dtype_is_float (t))
    return ls_float_imm_new (t, ls_dtype_round (t, floats[g_rand_int_range (rand, 0, G_N_ELEMENTS (floats))]));
  return ls_int_imm_new (t, ints[g_rand_int_range (rand, 0, G_N_ELEMENTS (ints))]);
}

static gboolean
same (gint64  want,
      double  want_float,
      LsExpr *found)
{
  gint64 value;

  if (ls_is (found, FLOAT_IMM))
    {
      double value_float = ls_dtype_round (ls_dtype (found), ((LsFloatImm *) found)->value);

      return isnan (want_float) ? isnan (value_float) : value_float == want_float;
    }
  return ls_as_int (found, &value) && value == want;
}

static void
complain (LsExpr *expr,
          LsExpr *found,
          gint64  want,
          double  want_float,
          const char *by)
{
  g_autofree char *text = ls_repr (expr, 0);
  g_autofree char *other = ls_repr (found, 0);

  g_test_message ("%s: %s gives %s, the interpreter %" G_GINT64_FORMAT " or %g", text, by, other, want, want_float);
  g_test_fail ();
}

static void
test_constants (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (26);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  guint n = ls_test_count (20000, 1000000), folded = 0;

  for (guint i = 0; i < n && !g_test_failed (); i++)
    {
      LsDType t = types[g_rand_int_range (rand, 0, G_N_ELEMENTS (types))];
      LsKind kind = (LsKind) g_rand_int_range (rand, LS_KIND_ADD, LS_KIND_GE + 1);
      g_autoptr (LsExpr) a = number (rand, t);
      g_autoptr (LsExpr) b = number (rand, t);
      g_autoptr (LsExpr) expr = ls_binary_new (kind, ls_ref (a), ls_ref (b));
      g_autoptr (LsExpr) fold = ls_try_fold (kind, a, b);
      g_autoptr (LsExpr) simple = ls_analyzer_simplify (analyzer, expr);
      gint64 want = 0;
      double want_float = 0;

      if (ls_dtype_is_float (t) && (kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_MOD || kind == LS_KIND_FLOOR_DIV))
        continue;
      if (!ls_interp_eval (expr, NULL, &want, &want_float, NULL))
        continue;
      folded += fold != NULL;
      if (fold != NULL && !same (want, want_float, fold))
        complain (expr, fold, want, want_float, "folding");
      else if (!(ls_dtype_is_float (t) && kind == LS_KIND_DIV) &&      /* becomes a product, as in TVM */
               (ls_is (simple, INT_IMM) || ls_is (simple, FLOAT_IMM)) && !same (want, want_float, simple))
        complain (expr, simple, want, want_float, "simplification");
    }
  g_assert_cmpuint (folded, >, n / 3);
}

/* Between all types: low bits of integers, floats cut to the nearest number that the type holds. */
static void
test_casts (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (27);
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  guint n = ls_test_count (20000, 1000000), folded = 0;

  for (guint i = 0; i < n && !g_test_failed (); i++)
    {
      LsDType from = types[g_rand_int_range (rand, 0, G_N_ELEMENTS (types))], to = types[g_rand_int_range (rand, 0, G_N_ELEMENTS (types))];
      g_autoptr (LsExpr) a = number (rand, from);
      g_autoptr (LsExpr) expr = ls_cast_new (to, ls_ref (a));
      g_autoptr (LsExpr) fold = ls_cast (to, ls_ref (a));
      g_autoptr (LsExpr) simple = ls_analyzer_simplify (analyzer, expr);
      gint64 want = 0;
      double want_float = 0;

      if (!ls_interp_eval (expr, NULL, &want, &want_float, NULL))
        continue;
      folded += ls_is (fold, INT_IMM) || ls_is (fold, FLOAT_IMM);
      if ((ls_is (fold, INT_IMM) || ls_is (fold, FLOAT_IMM)) && !same (want, want_float, fold))
        complain (expr, fold, want, want_float, "folding");
      if ((ls_is (simple, INT_IMM) || ls_is (simple, FLOAT_IMM)) && !same (want, want_float, simple))
        complain (expr, simple, want, want_float, "simplification");
    }
  g_assert_cmpuint (folded, >, n / 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/property/meaning/constants", test_constants);
  g_test_add_func ("/property/meaning/casts", test_casts);
  return g_test_run ();
}
