/* tune/boost: trees learn what no sum of features can say, keep to their share of the time, and the ridge regression stands in where they are missing. */
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

/* A clock that the test moves: learning a program takes PROGRAM of it, and a training ROW for each program that it reads. */
#define PROGRAM 1000            /* µs */
#define ROW 100
static gint64 hands;

static gint64
tell (gpointer data)
{
  return hands;
}

static double
read_row (gpointer      data,
          const double *features)
{
  hands += ROW;
  return 0;
}

static double
read_free (gpointer      data,
           const double *features)
{
  return 0;
}

/* The share of the time that training takes where it is asked as often as it can be. */
static double
share_of (LsTuneStart start,
          guint       n_programs)
{
  LsTuneBoost *boost = ls_tune_boost_new (4, start, tell, NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  double share;

  for (guint n = 0; n < n_programs; n++)
    {
      double x[4] = { g_rand_double (random), g_rand_double (random), n % 7, n % 3 };

      hands += PROGRAM;
      ls_tune_boost_learn (boost, x, x[0] + x[2]);
      ls_tune_boost_predict (boost, x);
    }
  share = ls_tune_boost_get_share (boost);
  ls_tune_boost_free (boost);
  return share;
}

/* Trained at each GROWTH, reading rows would take some four tenths of this clock; it keeps to its share, but for the last training, which
 * may have begun below the bound and gone over it. */
static void
test_share (void)
{
  if (!ls_tune_boost_is_here ())
    {
      g_test_skip ("XGBoost's library is not here");
      return;
    }
  for (guint n = 100; n <= 400; n += 50)
    {
      double share = share_of (read_row, n);

      g_assert_cmpfloat (share, >, 0.03);
      g_assert_cmpfloat (share, <, 0.16);
    }
  g_assert_cmpfloat (share_of (read_free, 100), ==, 0);
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
