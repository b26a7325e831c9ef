/* How long one call takes: warm up, size the batches, measure until there are enough
 * samples or the budget is spent, summarise by order statistics.
 *
 * CLOCK_MONOTONIC costs 20 to 30 ns a reading, so a batch of 1 ms or more carries no error
 * from the clock.  The batch is sized from the warm-up and sized again when the first batch
 * shows that the warm-up was not typical.
 */
#include "engine/runtime/runtime-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

gint64
ls_clock_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

#define ENOUGH_IF_SLOW 5

typedef struct {
  LsTimedFunc          func;
  void                *closure;
  const LsTimeOptions *options;
  GCancellable        *cancellable;
  gint64               start;   /* of everything; ns */
  GError             **error;
} Run;

/* Nanoseconds of `calls` calls, or -1 with the error set. */
static gint64
run_batch (Run   *run,
           gint64 calls)
{
  gint64 begin;

  if (g_cancellable_set_error_if_cancelled (run->cancellable, run->error))
    return -1;
  begin = ls_clock_ns ();
  for (gint64 i = 0; i < calls; i++)
    if (run->func (run->closure) != 0)
      {
        ls_runtime_error_to_g (run->error, LS_RUNTIME_ERROR_CALL, "");
        return -1;
      }
  return MAX (ls_clock_ns () - begin, 1);
}

static gboolean
budget_spent (Run *run)
{
  return ls_clock_ns () - run->start >= run->options->budget_ns;
}

/* Runs until the warm-up time is over; the fastest round tells the time of a call. */
static gboolean
warm_up (Run    *run,
         double *ns_per_call)
{
  gint64 until = run->start + run->options->warmup_ns;
  gint64 calls = 1;

  *ns_per_call = INFINITY;
  do
    {
      gint64 ns = run_batch (run, calls);

      if (ns < 0)
        return FALSE;
      *ns_per_call = MIN (*ns_per_call, (double) ns / (double) calls);
      if (ns < run->options->batch_ns / 2)
        calls *= 2;
    }
  while (ls_clock_ns () < until && !budget_spent (run));
  return TRUE;
}

static gint64
calls_for (gint64 batch_ns,
           double ns_per_call)
{
  double calls = ceil (1.05 * (double) batch_ns / MAX (ns_per_call, 0.1));

  return (gint64) CLAMP (calls, 1, 1e9);
}

/* Whether it was seen that it is slower than anybody wants to know exactly. */
static gboolean
is_slow (Run    *run,
         GArray *samples)
{
  if (run->options->slow_ns <= 0 || samples->len != ENOUGH_IF_SLOW)
    return FALSE;
  for (guint i = 0; i < samples->len; i++)
    if (g_array_index (samples, double, i) <= run->options->slow_ns)
      return FALSE;
  return TRUE;
}

static gboolean
sample (Run    *run,
        GArray *samples,
        gint64 *calls)
{
  gboolean sized = FALSE;

  while ((int) samples->len < MAX (run->options->n_samples, 1)
         && !(samples->len > 0 && budget_spent (run)) && !is_slow (run, samples))
    {
      gint64 ns = run_batch (run, *calls);
      double per_call = (double) ns / (double) *calls;

      if (ns < 0)
        return FALSE;
      if (ns < run->options->batch_ns && !sized && !budget_spent (run))
        {
          sized = *calls == calls_for (run->options->batch_ns, per_call);
          *calls = calls_for (run->options->batch_ns, per_call);
          g_array_set_size (samples, 0);
          continue;
        }
      g_array_append_val (samples, per_call);
      if (run->options->progress != NULL)
        run->options->progress ((int) samples->len, run->options->n_samples,
                                run->options->progress_data);
    }
  return TRUE;
}

LsTiming *
ls_time_evaluate (LsTimedFunc           func,
                  void                 *closure,
                  const LsTimeOptions  *options,
                  GCancellable         *cancellable,
                  GError              **error)
{
  static const LsTimeOptions defaults = LS_TIME_OPTIONS_DEFAULT;
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (double));
  Run run = { func, closure, options != NULL ? options : &defaults, cancellable, ls_clock_ns (),
              error };
  double ns_per_call;
  gint64 calls;
  LsTiming *timing;

  ls_runtime_clear_error ();
  if (!warm_up (&run, &ns_per_call))
    return NULL;
  calls = calls_for (run.options->batch_ns, ns_per_call);
  if (budget_spent (&run))
    {
      calls = 1;
      g_array_append_val (samples, ns_per_call);
    }
  else if (!sample (&run, samples, &calls))
    return NULL;
  timing = ls_timing_new ((const double *) samples->data, (int) samples->len);
  timing->calls_per_batch = (int) calls;
  timing->cut = timing->n < run.options->n_samples;
  return timing;
}

static int
compare_doubles (const void *a,
                 const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Order statistic at `share` of the way, between neighbours linearly. */
static double
quantile (const double *sorted,
          int           n,
          double        share)
{
  double at = share * (n - 1);
  int below = (int) at;

  if (below + 1 >= n)
    return sorted[n - 1];
  return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

LsTiming *
ls_timing_new (const double *samples,
               int           n)
{
  LsTiming *self = g_new0 (LsTiming, 1);
  g_autofree double *sorted = g_memdup2 (samples, sizeof (double) * (gsize) n);

  qsort (sorted, (gsize) n, sizeof (double), compare_doubles);
  self->samples = g_memdup2 (samples, sizeof (double) * (gsize) n);
  self->n = n;
  self->calls_per_batch = 1;
  self->min = sorted[0];
  self->max = sorted[n - 1];
  self->q1 = quantile (sorted, n, 0.25);
  self->median = quantile (sorted, n, 0.5);
  self->q3 = quantile (sorted, n, 0.75);
  self->iqr = self->q3 - self->q1;
  for (int i = 0; i < n; i++)
    self->mean += samples[i] / n;
  return self;
}

void
ls_timing_free (LsTiming *self)
{
  if (self == NULL)
    return;
  g_free (self->samples);
  g_free (self);
}

typedef struct {
  double      ns;
  const char *name;
} Unit;

static const Unit units[] = { { 1, "ns" }, { 1e3, "µs" }, { 1e6, "ms" }, { 1e9, "s" } };

static const Unit *
unit_for (double ns)
{
  const Unit *unit = &units[0];

  for (gsize i = 1; i < G_N_ELEMENTS (units); i++)
    if (ns >= 0.9995 * units[i].ns)
      unit = &units[i];
  return unit;
}

/* Three significant digits, never an exponent. */
static char *
print_in (double      ns,
          const Unit *unit)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  double value = ns / unit->ns;

  return g_strdup (g_ascii_formatd (text, sizeof text,
                                    value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f",
                                    value));
}

char *
ls_timing_print (const LsTiming *self)
{
  const Unit *unit = unit_for (self->median);
  g_autofree char *median = print_in (self->median, unit);
  g_autofree char *spread = print_in (self->iqr / 2, unit);
  g_autofree char *min = print_in (self->min, unit);

  return g_strdup_printf ("%s ± %s\u202f%s (best %s, n = %d%s)", median, spread, unit->name, min,
                          self->n, self->cut ? ", stopped by the time budget" : "");
}
