/* model: ridge regression from the features of a program to the logarithm of its time.
 *
 * The weights w minimise |X w - y|^2 + lambda |w|^2, found from the sums X'X and X'y by Cholesky's method whenever
 * something was learned since.  Features are counts on a logarithmic scale, so weights are exponents: time is taken to
 * be a product of powers.  Where it is known what the program is expected to take (expect.c), y is by what the measured time differs from
 * that, so that the little that some dozens of programs teach corrects what is known of processors and does not replace it: a regression
 * alone believed programs to be twice as fast as all before that took ten times as long.  It ranks; it does not pretend to know times.
 * Trees (boost.c), where they are wanted, take its place from sixteen programs on; they begin with what is expected as well.
 */
#include "engine/tune/tune.h"

#include <math.h>

#define N LS_TUNE_N_COUNTS     /* for some dozens of programs more would be noise */
#define LAMBDA 0.5
#define LAMBDA_EXPECTED 10.0    /* where it corrects what was expected */
#define MIN_LEARNED 6

struct _LsTuneModel {
  LsTuneModelKind kind;
  LsTuneBoost *boost;           /* of the kind XGB, or NULL */
  double   xx[N][N];
  double   xy[N];
  double   weights[N];
  double   sum_y;               /* of the logarithms, or of what they differ from the expected ones: what the mean is made from */
  gboolean expects;             /* of some program it was known what to expect */
  double   sum_x[N];
  double   least, most;         /* logarithms of the times */
  guint    n;
  gboolean stale;
};

LsTuneModelKind
ls_tune_model_resolve (LsTuneModelKind kind)
{
  return kind == LS_TUNE_MODEL_XGB && !ls_tune_boost_is_here () ? LS_TUNE_MODEL_RIDGE : kind;
}

const char *
ls_tune_model_name (LsTuneModelKind kind)
{
  switch (kind)
    {
    case LS_TUNE_MODEL_XGB:
      return "gradient boosted trees (XGBoost)";
    case LS_TUNE_MODEL_RIDGE:
      return "ridge regression";
    case LS_TUNE_MODEL_NONE:
      break;
    }
  return "none";
}

static double
expected (gpointer      unused,
          const double *features)
{
  return features[LS_TUNE_EXPECTED];
}

LsTuneModel *
ls_tune_model_new (LsTuneModelKind kind)
{
  LsTuneModel *self = g_new0 (LsTuneModel, 1);

  self->kind = ls_tune_model_resolve (kind);
  if (self->kind == LS_TUNE_MODEL_XGB)
    self->boost = ls_tune_boost_new (LS_TUNE_N_FEATURES, expected, NULL, NULL);
  return self;
}

void
ls_tune_model_free (LsTuneModel *self)
{
  if (self != NULL)
    ls_tune_boost_free (self->boost);
  g_free (self);
}

/* A clock may have measured nothing at all; the logarithm of that would spoil every sum. */
#define SHORTEST 1e-10

void
ls_tune_model_learn (LsTuneModel  *self,
                     const double *features,
                     double        seconds)
{
  double y = log (MAX (seconds, SHORTEST)), left = y - features[LS_TUNE_EXPECTED];

  if (!isfinite (seconds) || seconds < 0)
    return;
  if (self->boost != NULL)
    ls_tune_boost_learn (self->boost, features, y);
  self->expects |= features[LS_TUNE_EXPECTED] != 0;
  for (guint i = 0; i < N; i++)
    {
      self->sum_x[i] += features[i];
      self->xy[i] += features[i] * left;
      for (guint k = 0; k < N; k++)
        self->xx[i][k] += features[i] * features[k];
    }
  self->least = self->n > 0 ? fmin (self->least, y) : y;
  self->most = self->n > 0 ? fmax (self->most, y) : y;
  self->sum_y += left;
  self->n++;
  self->stale = TRUE;
}

/* Solves a w = b for a symmetric positive definite matrix. */
static void
solve (double a[N][N],
       double b[N],
       double w[N])
{
  double l[N][N] = { { 0 } }, z[N];

  for (guint i = 0; i < N; i++)
    for (guint k = 0; k <= i; k++)
      {
        double sum = a[i][k];

        for (guint m = 0; m < k; m++)
          sum -= l[i][m] * l[k][m];
        l[i][k] = i == k ? sqrt (fmax (sum, 1e-9)) : sum / l[k][k];
      }
  for (guint i = 0; i < N; i++)
    {
      z[i] = b[i];
      for (guint k = 0; k < i; k++)
        z[i] -= l[i][k] * z[k];
      z[i] /= l[i][i];
    }
  for (guint i = N; i-- > 0;)
    {
      w[i] = z[i];
      for (guint k = i + 1; k < N; k++)
        w[i] -= l[k][i] * w[k];
      w[i] /= l[i][i];
    }
}

/* Around the means, so that the ridge does not pull the level. */
static void
fit (LsTuneModel *self)
{
  double a[N][N], b[N];
  double mean_y = self->sum_y / self->n, lambda = self->expects ? LAMBDA_EXPECTED : LAMBDA;

  for (guint i = 0; i < N; i++)
    {
      b[i] = self->xy[i] - self->sum_x[i] * mean_y;
      for (guint k = 0; k < N; k++)
        a[i][k] = self->xx[i][k] - self->sum_x[i] * self->sum_x[k] / self->n + (i == k ? lambda : 0);
    }
  solve (a, b, self->weights);
  self->stale = FALSE;
}

/* What the ridge regression says. */
static double
predict_linear (LsTuneModel  *self,
                const double *features)
{
  double y;

  if (self->stale)
    fit (self);
  y = features[LS_TUNE_EXPECTED] + self->sum_y / self->n;
  for (guint i = 0; i < N; i++)
    y += self->weights[i] * (features[i] - self->sum_x[i] / self->n);
  return y;
}

/* What lies outside of all that was seen is drawn towards it: a regression with more features than programs says anything there.  The order stays. */
static double
bounded (LsTuneModel *self,
         double       y)
{
  if (y < self->least)
    return self->least - log1p (self->least - y);
  return y > self->most ? self->most + log1p (y - self->most) : y;
}

double
ls_tune_model_predict (LsTuneModel  *self,
                       const double *features)
{
  double y;

  if (self->n < MIN_LEARNED || self->kind == LS_TUNE_MODEL_NONE)
    return NAN;
  y = self->boost != NULL ? ls_tune_boost_predict (self->boost, features) : NAN;
  return bounded (self, isnan (y) ? predict_linear (self, features) : y);
}

double
ls_tune_model_get_share (LsTuneModel *self)
{
  return self->boost != NULL ? ls_tune_boost_get_share (self->boost) : 0;
}
