/* trials: programs of a search on a device, one after the other, in a thread.
 *
 * What belongs to the unscheduled program (inputs, what has to come out) is made once and kept for the next jobs of the same search.  The thread has
 * a main context of its own, in which the workers live that make PTX and expected results; the machine's own context goes on renewing its job. */
#include "app/bundle/bundle.h"

#include "app/bundle/fail.h"
#include "engine/base/task.h"
#include "engine/script/script.h"

#include <string.h>

struct _LsBundleTrials {
  LsBundleDevice *device;
  GCancellable   *cancellable;  /* of the job at hand, or NULL */
  gboolean        busy;         /* the thread is at a job */
  /* The thread's alone: */
  LsBundleMaker  *maker;        /* of `key`, or NULL */
  char           *key;
  guint           n;            /* trials of this maker */
};

typedef struct {
  LsBundleTrials *self;
  char        *base, *module, *target, *func;
  char       **set;
  gint64       seed, timeout_ms, budget_ms;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_free (work->base);
  g_free (work->module);
  g_free (work->target);
  g_free (work->func);
  g_strfreev (work->set);
  g_free (work);
}

/* ---- the program ---- */

/* (transfer full) */
static LsModule *
read_module (const char *text,
             const char *what,
             GError    **error)
{
  g_autoptr (LsSource) source = ls_source_new (what, text != NULL ? text : "", -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autofree char *words = NULL;
  LsModule *module = ls_script_parse (source, findings);

  if (module != NULL && !ls_diagnostics_has_error (findings))
    return module;
  ls_unref (module);
  words = ls_diagnostics_print (findings);
  ls_bundle_fail (error, "%s", *words != 0 ? words : ls_translate ("the program holds no function"));
  return NULL;
}

/* Borrowed; the maker of the job's unscheduled program. */
static LsBundleMaker *
maker_of (Work          *work,
          GCancellable  *cancellable,
          GError       **error)
{
  LsBundleTrials *self = work->self;
  g_autofree char *sizes = work->set != NULL ? g_strjoinv (" ", work->set) : g_strdup ("");
  g_autofree char *key = g_strdup_printf ("%s\n%s\n%" G_GINT64_FORMAT "\n%s\n%s", work->target, work->func != NULL ? work->func : "", work->seed, sizes, work->base);
  const LsBundleWishes wishes = { .name = "program", .target = work->target, .func = work->func, .set = (const char *const *) work->set, .seed = work->seed, .timeout_s = MAX (work->timeout_ms / 1000, 1),
                                  .memory = self->device->memory, .cancellable = cancellable };
  g_autoptr (LsModule) base = NULL;

  if (self->maker != NULL && strcmp (key, self->key) == 0)
    {
      ls_bundle_maker_begin (self->maker, cancellable);
      return self->maker;
    }
  g_clear_pointer (&self->maker, ls_bundle_maker_free);
  g_free (self->key);
  self->key = g_steal_pointer (&key);
  self->n = 0;
  base = read_module (work->base, ls_translate ("the unscheduled program"), error);
  self->maker = base != NULL ? ls_bundle_maker_new (base, &wishes, error) : NULL;
  return self->maker;
}

/* ---- what came of it ---- */

static GVariant *
failed (const char *words)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "error", "s", words);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

char *
ls_bundle_step_problem (const LsDeviceResultStep *step)
{
  if (strcmp (step->verdict, "differs") == 0)
    return g_strdup_printf (ls_translate ("it computes something else: %s"), step->reason != NULL ? step->reason : ls_translate ("no place is told"));
  if (strcmp (step->verdict, "failed") == 0)
    return g_strdup (step->reason != NULL ? step->reason : ls_translate ("it failed without a word"));
  return step->time.n == 0 ? g_strdup (ls_translate ("it was not timed")) : NULL;
}

/* As the worker's method `time` answers. (transfer full) */
static GVariant *
answer_of (const LsDeviceResult     *result,
           const LsDeviceResultStep *step)
{
  g_autofree char *problem = ls_bundle_step_problem (step);
  g_autofree char *conditions = NULL;
  GVariantDict dict;

  if (problem != NULL)
    return failed (problem);
  conditions = g_strdup_printf ("%s (%s%s%s), %s%s%s", result->device, result->api, result->driver != NULL ? ", " : "", result->driver != NULL ? result->driver : "",
                                result->when, step->clocks != NULL ? ", " : "", step->clocks != NULL ? step->clocks : "");
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "conditions", "s", conditions);
  g_variant_dict_insert (&dict, "equal", "b", TRUE);
  g_variant_dict_insert (&dict, "min", "d", step->time.min);
  g_variant_dict_insert (&dict, "q1", "d", step->time.q1);
  g_variant_dict_insert (&dict, "median", "d", step->time.median);
  g_variant_dict_insert (&dict, "q3", "d", step->time.q3);
  g_variant_dict_insert (&dict, "iqr", "d", step->time.q3 - step->time.q1);
  return g_variant_ref_sink (g_variant_dict_end (&dict));
}

/* What is wrong with a job for this machine, or NULL. (transfer full) */
static char *
unfit (Work *work)
{
  const char *api = ls_bundle_api_of (work->target);

  if (api != NULL && strcmp (api, work->self->device->api) == 0)
    return NULL;
  return g_strdup_printf (ls_translate ("this machine measures on %s (%s), and the job is for %s"), work->self->device->name, work->self->device->api,
                          work->target != NULL ? work->target : "a processor");
}

/* A failed program is an answer, too; NULL: it was cancelled. (transfer full) */
static GVariant *
measure (Work         *work,
         GCancellable *cancellable,
         GError      **error)
{
  LsBundleTrials *self = work->self;
  g_autofree char *words = unfit (work), *name = g_strdup_printf ("trial_%u", self->n++);
  g_autoptr (GError) inner = NULL;
  g_autoptr (LsModule) module = words == NULL ? read_module (work->module, "the program", &inner) : NULL;
  LsBundleMaker *maker = module != NULL ? maker_of (work, cancellable, &inner) : NULL;
  g_autoptr (LsDeviceResult) result = NULL;

  if (words != NULL)
    return failed (words);
  if (maker != NULL && ls_bundle_maker_add (maker, name, "a program of a search", module, &inner) != NULL)
    result = ls_bundle_device_run (self->device, ls_bundle_maker_get (maker), (double) work->budget_ms / 1000, (double) work->timeout_ms / 1000, cancellable, &inner);
  if (result != NULL)
    return answer_of (result, result->steps->pdata[0]);
  if (!g_error_matches (inner, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return failed (inner->message);
  g_propagate_error (error, g_steal_pointer (&inner));
  return NULL;
}

static void
run (GTask        *task,
     gpointer      source,
     gpointer      data,
     GCancellable *cancellable)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GError) error = NULL;
  GVariant *answer;

  g_main_context_push_thread_default (context);
  answer = measure (data, cancellable, &error);
  while (g_main_context_iteration (context, FALSE))     /* what workers that are gone have left */
    ;
  g_main_context_pop_thread_default (context);
  if (answer != NULL)
    g_task_return_pointer (task, answer, (GDestroyNotify) g_variant_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
ls_bundle_trials_measure_async (LsBundleTrials      *self,
                                GVariant            *params,
                                const char          *base,
                                gint64               timeout_ms,
                                GAsyncReadyCallback  done,
                                gpointer             data)
{
  g_autoptr (GVariant) held = g_variant_ref_sink (params);
  g_autoptr (GTask) task = NULL;
  Work *work = g_new0 (Work, 1);

  *work = (Work) { self, g_strdup (base), g_strdup (ls_params_string (held, "module", NULL)), g_strdup (ls_params_string (held, "target", NULL)),
                   g_strdup (ls_params_string (held, "func", NULL)),
                   ls_params_strv (held, "set"), ls_params_int (held, "seed", 0), timeout_ms,
                   CLAMP (ls_params_int (held, "budget-ms", 200), 1, 3600000) };
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->busy = TRUE;
  task = g_task_new (NULL, self->cancellable, done, data);
  g_task_set_task_data (task, work, work_free);
  ls_task_run (task, run);
}

GVariant *
ls_bundle_trials_measure_finish (LsBundleTrials  *self,
                                 GAsyncResult    *result,
                                 GError         **error)
{
  self->busy = FALSE;
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
ls_bundle_trials_cancel (LsBundleTrials *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

LsBundleTrials *
ls_bundle_trials_new (LsBundleDevice *device)
{
  LsBundleTrials *self = g_new0 (LsBundleTrials, 1);

  self->device = device;
  return self;
}

void
ls_bundle_trials_free (LsBundleTrials *self)
{
  if (self == NULL)
    return;
  ls_bundle_trials_cancel (self);
  while (self->busy)
    g_main_context_iteration (NULL, TRUE);
  ls_bundle_device_free (self->device);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->maker, ls_bundle_maker_free);
  g_free (self->key);
  g_free (self);
}

const LsBundleDevice *
ls_bundle_trials_get_device (LsBundleTrials *self)
{
  return self->device;
}
