/* tune/boost: trees learn what no sum of features can say, keep to a tenth of the time, and the ridge regression stands in where they are missing. */
#include "engine/tune/tune.h"

#include <math.h>

/* Two features that only count together. */
static double
made_up (double a,
         double b)
{
  return a >= 2 && b >= 2 ? 1e-3 : 16e-3;
}

/* The mean error of the logarithms on programs that it did not learn. */
static double
error_of (LsTuneModelKind kind)
{
  g_autoptr (LsTuneModel) model = ls_tune_model_new (kind);
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  double x[LS_TUNE_N_FEATURES] = { 0 }, sum = 0;

  for (guint i = 0; i < 100; i++)
    {
      x[0] = g_rand_int_range (random, 0, 4);
      x[5] = g_rand_int_range (random, 0, 4);
      x[7] = g_rand_double (random);
      ls_tune_model_learn (model, x, made_up (x[0], x[5]));
    }
  for (guint i = 0; i < 100; i++)
    {
      x[0] = g_rand_int_range (random, 0, 4);
      x[5] = g_rand_int_range (random, 0, 4);
      x[7] = g_rand_double (random);
      sum += fabs (ls_tune_model_predict (model, x) - log (made_up (x[0], x[5])));
    }
  return sum / 100;
}

static void
test_learns (void)
{
  if (!ls_tune_boost_is_here ())
    {
      g_test_skip ("XGBoost's library is not here");
      return;
    }
  g_assert_cmpfloat (error_of (LS_TUNE_MODEL_XGB), <, 0.15);
  g_assert_cmpfloat (error_of (LS_TUNE_MODEL_RIDGE), >, 0.3);
}

static void
test_stands_in (void)
{
  g_assert_cmpint (ls_tune_model_resolve (LS_TUNE_MODEL_XGB), ==, ls_tune_boost_is_here () ? LS_TUNE_MODEL_XGB : LS_TUNE_MODEL_RIDGE);
  g_assert_cmpint (ls_tune_model_resolve (LS_TUNE_MODEL_NONE), ==, LS_TUNE_MODEL_NONE);
  g_assert_true (isnan (error_of (LS_TUNE_MODEL_NONE)));
  g_assert_false (isnan (error_of (LS_TUNE_MODEL_XGB)));
}

static double
nothing (gpointer      data,
         const double *features)
{
  return 0;
}

/* Half a second in which it learns and is asked as often as it can be. */
static void
test_share (void)
{
  LsTuneBoost *boost = ls_tune_boost_new (4, nothing, NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  gint64 end = g_get_monotonic_time () + 500000;
  guint n = 0;

  if (boost == NULL)
    {
      g_test_skip ("XGBoost's library is not here");
      return;
    }
  while (g_get_monotonic_time () < end)
    {
      double x[4] = { g_rand_double (random), g_rand_double (random), n % 7, n % 3 };

      ls_tune_boost_learn (boost, x, x[0] + x[2]);
      ls_tune_boost_predict (boost, x);
      g_usleep (1000);
      n++;
    }
  g_assert_cmpuint (n, >, 20);
  g_assert_cmpfloat (ls_tune_boost_get_share (boost), <, 0.2);        /* the last training may have begun below the bound and gone over it */
  ls_tune_boost_free (boost);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tune/boost/learns", test_learns);
  g_test_add_func ("/tune/boost/stands-in", test_stands_in);
  g_test_add_func ("/tune/boost/share", test_share);
  return g_test_run ();
}
