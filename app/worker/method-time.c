/* Methods that run kernels: time. */
#include "app/worker/kernel.h"
#include "app/worker/server.h"

#define RTOL 1e-5
#define ATOL 1e-5

typedef struct {
  LsRequest *request;
  gint64     last;              /* ns of the last report */
} Report;

static void
report (int      done,
        int      total,
        gpointer data)
{
  Report *self = data;
  gint64 now = ls_clock_ns ();
  g_autofree char *text = NULL;

  if (now - self->last < 30000000 && done < total)
    return;
  self->last = now;
  text = g_strdup_printf ("%d/%d", done, total);
  ls_request_progress (self->request, total > 0 ? (double) done / total : -1.0, text);
}

/* Runs the reference and the kernel on the same numbers.  Sets `equal` and, when it is FALSE, `mismatch` in the answer. */
static gboolean
compare (LsRunnable    *self,
         const char    *reference_text,
         const char    *target,
         guint64        seed,
         GVariantDict  *answer,
         GError       **error)
{
  g_autoptr (LsRunnable) reference = NULL;
  double worst = 0.0;

  reference = ls_runnable_new (reference_text, self->func, target, seed, error);
  if (reference == NULL || !ls_runnable_call (reference, error))
    return FALSE;
  if (reference->arrays->len != self->arrays->len)
    {
      g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST,
                   "The reference has %u parameters, the function %u.", reference->arrays->len,
                   self->arrays->len);
      return FALSE;
    }
  for (guint i = 0; i < self->arrays->len; i++)
    {
      LsNDArray *actual = g_ptr_array_index (self->arrays, i);
      LsNDArray *expected = g_ptr_array_index (reference->arrays, i);
      GError *trouble = NULL;
      LsMismatch mismatch;
      g_autofree char *words = NULL;

      if (ls_tensor_allclose (&actual->tensor, &expected->tensor, RTOL, ATOL, &mismatch, &trouble))
        {
          worst = MAX (worst, mismatch.max_abs);
          continue;
        }
      if (trouble != NULL)
        {
          g_propagate_error (error, trouble);
          return FALSE;
        }
      words = ls_mismatch_describe (&mismatch, &actual->tensor);
      g_variant_dict_insert (answer, "equal", "b", FALSE);
      g_variant_dict_insert (answer, "mismatch", "s", words);
      return TRUE;
    }
  g_variant_dict_insert (answer, "equal", "b", TRUE);
  g_variant_dict_insert (answer, "max-error", "d", worst);
  return TRUE;
}

static void
add_conditions (GVariantDict *answer,
                LsRunnable   *self,
                gboolean      pinned)
{
  g_autoptr (LsConditions) conditions = ls_conditions_record ();

  g_variant_dict_insert (answer, "cpu", "s", conditions->cpu);
  g_variant_dict_insert (answer, "threads", "i", self->parallel ? conditions->n_threads : 1);
  g_variant_dict_insert (answer, "pinned", "b", self->parallel ? conditions->pinned : pinned);
  g_variant_dict_insert (answer, "load", "d", conditions->load[0]);
  g_variant_dict_insert (answer, "time", "s", conditions->time);
}

static void
add_timing (GVariantDict   *answer,
            const LsTiming *timing)
{
  g_variant_dict_insert_value (answer, "samples",
                               g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, timing->samples,
                                                          (gsize) timing->n, sizeof (double)));
  g_variant_dict_insert (answer, "calls", "i", timing->calls_per_batch);
  g_variant_dict_insert (answer, "min", "d", timing->min);
  g_variant_dict_insert (answer, "q1", "d", timing->q1);
  g_variant_dict_insert (answer, "median", "d", timing->median);
  g_variant_dict_insert (answer, "q3", "d", timing->q3);
  g_variant_dict_insert (answer, "max", "d", timing->max);
  g_variant_dict_insert (answer, "cut", "b", timing->cut);
}

/* module, func, target, seed, samples, budget-ms, reference -> samples (ns per call), calls, min, q1, median, q3, max,
 * cut, equal, max-error, mismatch, build-ns, cpu, threads, pinned, load, time */
static GVariant *
method_time (LsRequest  *request,
             GVariant   *params,
             GError    **error)
{
  const char *text = ls_params_require_string (params, "module", error);
  const char *reference = ls_params_string (params, "reference", NULL);
  const char *target = ls_params_string (params, "target", NULL);
  guint64 seed = (guint64) ls_params_int (params, "seed", 0);
  LsTimeOptions options = LS_TIME_OPTIONS_DEFAULT;
  Report progress = { request, 0 };
  g_autoptr (LsRunnable) kernel = NULL;
  g_autoptr (LsTiming) timing = NULL;
  g_auto (GVariantDict) answer = G_VARIANT_DICT_INIT (NULL);
  gboolean pinned;

  if (text == NULL)
    return NULL;
  kernel = ls_runnable_new (text, ls_params_string (params, "func", NULL), target, seed, error);
  if (kernel == NULL || !ls_runnable_call (kernel, error))
    return NULL;
  if (reference != NULL && !compare (kernel, reference, target, seed, &answer, error))
    return NULL;

  options.n_samples = (int) CLAMP (ls_params_int (params, "samples", 30), 1, 10000);
  options.budget_ns = 1000000 * CLAMP (ls_params_int (params, "budget-ms", 3000), 1, 3600000);
  options.progress = report;
  options.progress_data = &progress;
  pinned = !kernel->parallel && ls_host_pin_thread (0);
  timing = ls_time_evaluate (ls_runnable_timed, kernel, &options, NULL, error);
  if (timing != NULL)
    add_conditions (&answer, kernel, pinned);
  if (pinned)
    ls_host_unpin_thread ();
  if (timing == NULL)
    return NULL;
  add_timing (&answer, timing);
  g_variant_dict_insert (&answer, "build-ns", "x", kernel->build_ns);
  return g_variant_dict_end (&answer);
}

const LsMethod ls_methods_run[] = {
  { "time", method_time, "Builds a function, checks its output and times it." },
  { NULL, NULL, NULL },
};
