/* boost: gradient boosted trees by XGBoost's C library, from the features of a program to the logarithm of its time.
 *
 * The library is looked for when the first model is made, and not linked: who never searches does not load it, and where it is missing
 * the ridge regression stands in.  The trees begin with what is expected (the caller's function: XGBoost's base margin) and learn by what the times
 * differ from that: of some dozens of programs trees alone learn little, and they never say that something new is faster than all that was.  A program
 * that takes four times as long as another counts half: which of the slow ones is the slower need not be known.  Each split is chosen from SEEN of the features,
 * so that few of them do not decide alone.  One thread, trees of depth MAX_DEPTH at most.  It is trained anew when what was learned has grown by
 * GROWTH, and only while training has taken less than SHARE of the time since the model was made.
 * Source of the method: Chen and Guestrin, XGBoost: a scalable tree boosting system, 2016.
 */
#include "engine/tune/tune.h"

#include <math.h>

#ifdef LS_HAVE_XGBOOST

#include <dlfcn.h>
#include <xgboost/c_api.h>

#define SONAME "libxgboost.so.0"
#define MAX_DEPTH "6"
#define ROUNDS 60
#define SEEN "0.4"
#define FIRST 16                /* programs before the first training */
#define GROWTH 1.2
#define SHARE 0.08

#define FUNCTIONS(X)                                                                                                               \
  X (XGDMatrixCreateFromMat) X (XGDMatrixSetFloatInfo) X (XGDMatrixFree) X (XGBoosterCreate) X (XGBoosterFree) X (XGBoosterSetParam) \
  X (XGBoosterUpdateOneIter) X (XGBoosterPredict) X (XGBGetLastError)

static struct {
#define MEMBER(name) __typeof__ (&name) name;
  FUNCTIONS (MEMBER)
#undef MEMBER
} library;

static gpointer
load (gpointer unused)
{
  void *handle = dlopen (SONAME, RTLD_NOW | RTLD_LOCAL);
  gboolean whole = handle != NULL;

#define FIND(name) whole = whole && (*(void **) &library.name = dlsym (handle, #name)) != NULL;
  FUNCTIONS (FIND)
#undef FIND
  return GINT_TO_POINTER (whole);
}

gboolean
ls_tune_boost_is_here (void)
{
  static GOnce once = G_ONCE_INIT;

  return GPOINTER_TO_INT (g_once (&once, load, NULL)) != 0;
}

struct _LsTuneBoost {
  guint         n_features;
  LsTuneStart   start;
  gpointer      data;
  GArray       *x, *y;          /* of double */
  guint         n_trained;      /* programs at the last training */
  BoosterHandle booster;        /* NULL: not trained yet */
  double        level;          /* by what the programs of the last training differ from the expected, on the mean */
  LsTuneClock   clock;
  gint64        born, spent;    /* µs */
  gboolean      broken;         /* the library refused something */
};

static gint64
monotonic (gpointer unused)
{
  return g_get_monotonic_time ();
}

static gint64
now (LsTuneBoost *self)
{
  return self->clock (self->data);
}

LsTuneBoost *
ls_tune_boost_new (guint        n_features,
                   LsTuneStart  start,
                   LsTuneClock  clock,
                   gpointer     data)
{
  LsTuneBoost *self;

  if (!ls_tune_boost_is_here ())
    return NULL;
  self = g_new0 (LsTuneBoost, 1);
  self->n_features = n_features;
  self->start = start;
  self->clock = clock != NULL ? clock : monotonic;
  self->data = data;
  self->x = g_array_new (FALSE, FALSE, sizeof (double));
  self->y = g_array_new (FALSE, FALSE, sizeof (double));
  self->born = now (self);
  return self;
}

void
ls_tune_boost_free (LsTuneBoost *self)
{
  if (self == NULL)
    return;
  if (self->booster != NULL)
    library.XGBoosterFree (self->booster);
  g_array_unref (self->x);
  g_array_unref (self->y);
  g_free (self);
}

void
ls_tune_boost_learn (LsTuneBoost  *self,
                     const double *features,
                     double        y)
{
  g_array_append_vals (self->x, features, self->n_features);
  g_array_append_val (self->y, y);
}

/* FALSE: the library says that something is wrong; it is not asked again. */
static gboolean
is_good (LsTuneBoost *self,
         int          result)
{
  if (result != 0 && !self->broken)
    g_warning ("XGBoost: %s", library.XGBGetLastError ());
  self->broken |= result != 0;
  return result == 0;
}

static BoosterHandle
fit (LsTuneBoost   *self,
     DMatrixHandle  data)
{
  static const char *const params[][2] = {
    { "objective", "reg:squarederror" }, { "max_depth", MAX_DEPTH }, { "eta", "0.1" }, { "min_child_weight", "2" }, { "lambda", "1" },
    { "subsample", "0.9" }, { "colsample_bynode", SEEN }, { "seed", "1" }, { "nthread", "1" }, { "tree_method", "exact" }, { "base_score", "0" }, { "verbosity", "0" },
  };
  BoosterHandle booster = NULL;

  if (!is_good (self, library.XGBoosterCreate (&data, 1, &booster)))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (params); i++)
    is_good (self, library.XGBoosterSetParam (booster, params[i][0], params[i][1]));
  for (int i = 0; i < ROUNDS && !self->broken; i++)
    is_good (self, library.XGBoosterUpdateOneIter (booster, i, data));
  if (!self->broken)
    return booster;
  library.XGBoosterFree (booster);
  return NULL;
}

/* What the trees learn from, but for the features: by what each program differs from the mean, and how much it counts: programs of the mean weight 1. */
static void
fill (LsTuneBoost *self,
      float       *labels,
      float       *weights)
{
  guint n = self->y->len;
  double least = INFINITY, level = 0, weight = 0;

  for (guint i = 0; i < n; i++)
    {
      double y = g_array_index (self->y, double, i);

      labels[i] = (float) (y - self->start (self->data, &g_array_index (self->x, double, (gsize) i * self->n_features)));
      level += labels[i] / n;
      least = fmin (least, y);
    }
  for (guint i = 0; i < n; i++)
    {
      labels[i] -= (float) level;
      weights[i] = (float) exp ((least - g_array_index (self->y, double, i)) / 2);
      weight += weights[i] / n;
    }
  for (guint i = 0; i < n; i++)
    weights[i] = (float) (weights[i] / weight);
  self->level = level;
}

static void
train (LsTuneBoost *self)
{
  guint n = self->y->len;
  gint64 start = now (self);
  double level = self->level;
  g_autofree float *rows = g_new (float, (gsize) n * self->n_features), *labels = g_new (float, n), *weights = g_new (float, n);
  DMatrixHandle data = NULL;
  BoosterHandle booster = NULL;

  for (gsize i = 0; i < (gsize) n * self->n_features; i++)
    rows[i] = (float) g_array_index (self->x, double, i);
  fill (self, labels, weights);
  if (is_good (self, library.XGDMatrixCreateFromMat (rows, n, self->n_features, NAN, &data)))
    {
      if (is_good (self, library.XGDMatrixSetFloatInfo (data, "label", labels, n)) && is_good (self, library.XGDMatrixSetFloatInfo (data, "weight", weights, n)))
        booster = fit (self, data);
      library.XGDMatrixFree (data);
    }
  if (booster != NULL)
    {
      if (self->booster != NULL)
        library.XGBoosterFree (self->booster);
      self->booster = booster;
      self->n_trained = n;
    }
  else
    {
      self->level = level;
    }
  self->spent += now (self) - start;
}

static gboolean
is_due (LsTuneBoost *self)
{
  guint n = self->y->len;

  if (self->broken || n < FIRST)
    return FALSE;
  if (self->booster == NULL)
    return TRUE;
  return n >= self->n_trained * GROWTH && (double) self->spent < SHARE * (double) (now (self) - self->born);
}

double
ls_tune_boost_predict (LsTuneBoost  *self,
                       const double *features)
{
  g_autofree float *row = g_new (float, self->n_features);
  DMatrixHandle data = NULL;
  const float *values = NULL;
  bst_ulong n = 0;
  double y = NAN;

  if (is_due (self))
    train (self);
  if (self->booster == NULL)
    return NAN;
  for (guint i = 0; i < self->n_features; i++)
    row[i] = (float) features[i];
  if (!is_good (self, library.XGDMatrixCreateFromMat (row, 1, self->n_features, NAN, &data)))
    return NAN;
  if (is_good (self, library.XGBoosterPredict (self->booster, data, 0, 0, 0, &n, &values)) && n == 1)
    y = self->start (self->data, features) + self->level + values[0];
  library.XGDMatrixFree (data);
  return y;
}

double
ls_tune_boost_get_share (LsTuneBoost *self)
{
  return (double) self->spent / (double) MAX (now (self) - self->born, 1);
}

#else

gboolean
ls_tune_boost_is_here (void)
{
  return FALSE;
}

LsTuneBoost *
ls_tune_boost_new (guint        n_features,
                   LsTuneStart  start,
                   LsTuneClock  clock,
                   gpointer     data)
{
  return NULL;
}

void
ls_tune_boost_free (LsTuneBoost *self)
{
}

void
ls_tune_boost_learn (LsTuneBoost  *self,
                     const double *features,
                     double        y)
{
}

double
ls_tune_boost_predict (LsTuneBoost  *self,
                       const double *features)
{
  return NAN;
}

double
ls_tune_boost_get_share (LsTuneBoost *self)
{
  return 0;
}

#endif
