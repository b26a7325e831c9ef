/* session/measure: times of steps, through the worker, one after the other.
 *
 * A queue of jobs; each sends the printed program of a node, with that of the root as the reference whose output it
 * must equal.  Cancelling ends the worker's child; what was measured before stays.
 */
#include "app/session/measure.h"

#include "app/session/asked.h"
#include "app/session/counter-words.h"
#include "app/session/run.h"
#include "app/session/sizes.h"
#include "engine/script/printer.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

#define SAMPLES 30
#define BUDGET_MS 3000
#define TIMEOUT_MS 60000
#define SILENT_S 8
#define SEED 1

/* One thing to measure: a node, or a program that is none. */
typedef struct {
  guint          node;          /* LS_HISTORY_NONE: `schedule` */
  LsSchedule    *schedule;
  guint          budget_ms;
  LsMeasuredFunc func;
  gpointer       data;
  GDestroyNotify data_free;
  guint          document;      /* number of the document that it belongs to */
} Job;

struct _LsMeasuring
{
  LsSession    *session;
  LsDocument   *document;
  LsWorker     *worker;
  LsBlas       *blas;
  GQueue        queue;          /* of Job: what waits */
  Job          *job;            /* under way, or NULL */
  GCancellable *cancellable;    /* of its call, or NULL */
  guint         node;           /* that the user sees running, or LS_HISTORY_NONE */
  guint         silence;        /* source that fires when nothing comes of it, or 0 */
  gboolean      silent;         /* and that was said */
  guint         done;           /* its samples so far */
  guint         total;
  void        (*finished) (gpointer data);
  gpointer      finished_data;
};

static void next_job (LsMeasuring *self);

static void
job_free (Job *job)
{
  if (job->data_free != NULL)
    job->data_free (job->data);
  g_clear_pointer (&job->schedule, ls_schedule_unref);
  g_free (job);
}

static LsHistory *
history_of (LsMeasuring *self)
{
  return ls_document_get (self->document)->history;
}

/* ---- asking ------------------------------------------------------------------ */

static LsSchedule *
schedule_of (LsMeasuring *self,
             Job         *job)
{
  return job->schedule != NULL ? job->schedule : ls_history_get (history_of (self), job->node)->schedule;
}

static GVariant *
request (LsMeasuring *self,
         Job         *job)
{
  LsModule *base = ls_document_get_base (self->document);
  LsModule *module = ls_schedule_get_module (schedule_of (self, job));
  const char *func = ls_run_function (base);
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autofree char *text = ls_script_print (module, &whole, NULL);
  g_autofree char *reference = ls_script_print (base, &whole, NULL);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "module", "s", text);
  g_variant_dict_insert (&dict, "target", "s", ls_document_get (self->document)->target);
  g_variant_dict_insert (&dict, "samples", "i", SAMPLES);
  g_variant_dict_insert (&dict, "budget-ms", "i", (gint) (job->budget_ms > 0 ? job->budget_ms : BUDGET_MS));
  g_variant_dict_insert (&dict, "seed", "i", SEED);
  ls_sizes_put (self->document, &dict);
  if (func != NULL)
    g_variant_dict_insert (&dict, "func", "s", func);
  if (job->node != 0)
    g_variant_dict_insert (&dict, "reference", "s", reference);
  return g_variant_dict_end (&dict);
}

/* ---- answers ----------------------------------------------------------------- */

/* "30 samples · 1 core pinned, load 0.12 · output equals step 0" */
static char *
describe_conditions (GVariant *answer,
                     guint     samples)
{
  guint n = (guint) ls_params_int (answer, "threads", 1);
  double load = ls_params_double (answer, "load", -1.0);
  gboolean pinned = ls_params_bool (answer, "pinned", FALSE);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, ngettext ("%u sample", "%u samples", samples), samples);
  g_string_append (text, LS_PARTS);
  if (pinned && load >= 0.0)
    g_string_append_printf (text, ngettext ("%u core pinned, load %.2f", "%u cores pinned, load %.2f", n), n, load);
  else if (pinned)
    g_string_append_printf (text, ngettext ("%u core pinned", "%u cores pinned", n), n);
  else if (load >= 0.0)
    g_string_append_printf (text, ngettext ("%u core, load %.2f", "%u cores, load %.2f", n), n, load);
  else
    g_string_append_printf (text, ngettext ("%u core", "%u cores", n), n);
  if (ls_params_bool (answer, "equal", FALSE))
    g_string_append_printf (text, LS_PARTS "%s", _("output equals step 0"));
  return g_string_free (text, FALSE);
}

static gboolean
read_samples (GVariant    *answer,
              LsStepTime  *time,
              double     **samples)
{
  g_autoptr (GVariant) list = ls_params_value (answer, "samples");
  const double *ns;
  gsize n = 0;

  if (list == NULL || !g_variant_is_of_type (list, G_VARIANT_TYPE ("ad")))
    return FALSE;
  ns = g_variant_get_fixed_array (list, &n, sizeof (double));
  if (n == 0)
    return FALSE;
  *samples = g_new (double, n);
  for (gsize i = 0; i < n; i++)
    (*samples)[i] = ns[i] * 1e-9;
  *time = (LsStepTime) {
    .min = ls_params_double (answer, "min", 0.0) * 1e-9,
    .q1 = ls_params_double (answer, "q1", 0.0) * 1e-9,
    .median = ls_params_double (answer, "median", 0.0) * 1e-9,
    .q3 = ls_params_double (answer, "q3", 0.0) * 1e-9,
    .samples = (guint) n,
    .own = ls_params_double (answer, "own", 0.0) * 1e-9,
  };
  return TRUE;
}

static void
take_node (LsMeasuring *self,
           Job         *job,
           GVariant    *answer)
{
  LsHistoryNode *node = ls_history_get (history_of (self), job->node);
  const char *mismatch = ls_params_string (answer, "mismatch", NULL);
  g_autofree char *conditions = NULL;
  LsStepTime time;
  double *samples = NULL;

  g_clear_pointer (&node->trouble, g_free);
  if (mismatch != NULL)
    {
      node->trouble = g_strdup_printf (_("The output is not that of step 0: %s."), mismatch);
      node->time = (LsStepTime) { 0 };
      return;
    }
  if (!read_samples (answer, &time, &samples))
    return;
  conditions = describe_conditions (answer, time.samples);
  ls_history_set_time (node, &time, samples, conditions);
  g_free (node->counted);
  node->counted = ls_counter_words (answer);
  ls_session_set_conditions (self->session, node->conditions, NULL);
  ls_blas_show (self->blas, NULL);
  ls_blas_ask (self->blas);
}

/* The program is no step; its time goes to who asked. */
static void
take_program (Job      *job,
              GVariant *answer)
{
  LsMeasured measured = { .trouble = ls_params_string (answer, "mismatch", NULL) };
  double *samples = NULL;

  measured.differs = measured.trouble != NULL;
  if (!measured.differs)
    read_samples (answer, &measured.time, &samples);
  measured.samples = samples;
  job->func (&measured, job->data);
  g_free (samples);
}

/* The reason stands at the step and, because it is about measuring, in the time pane. */
static void
take_trouble (LsMeasuring  *self,
              Job          *job,
              const GError *error)
{
  LsHistoryNode *node = job->node != LS_HISTORY_NONE ? ls_history_get (history_of (self), job->node) : NULL;
  g_autofree char *tag = node != NULL ? ls_step_item_tag (node->item) : NULL;
  g_autofree char *sizes = ls_sizes_missing (self->document);
  g_autofree char *words = sizes != NULL ? g_strdup_printf (_("The program has symbolic sizes: say on the page Why what %s are, then it can be measured."), sizes)
                                         : ls_run_end_words (error, tag, TIMEOUT_MS);

  if (node == NULL)
    {
      job->func (&(LsMeasured) { .trouble = words }, job->data);
      return;
    }
  g_free (node->trouble);
  node->trouble = g_strdup (words);
  node->time = (LsStepTime) { 0 };
  ls_session_set_conditions (self->session, ls_session_get_conditions (self->session), words);
}

/* ---- silence ----------------------------------------------------------------- */

/* A process that stands still says nothing about it, and who waits should know. */
static gboolean
say_silent (gpointer data)
{
  LsMeasuring *self = data;
  g_autofree char *words = g_strdup_printf (_("No answer for %d s. The run is ended after %d s; Cancel ends it now."), SILENT_S, TIMEOUT_MS / 1000);

  self->silence = 0;
  self->silent = TRUE;
  ls_session_set_conditions (self->session, ls_session_get_conditions (self->session), words);
  return G_SOURCE_REMOVE;
}

/* Something came, or there is nothing to wait for. */
static void
end_silence (LsMeasuring *self)
{
  g_clear_handle_id (&self->silence, g_source_remove);
  if (self->silent)
    ls_session_set_conditions (self->session, ls_session_get_conditions (self->session), NULL);
  self->silent = FALSE;
}

static void
watch_silence (LsMeasuring *self)
{
  end_silence (self);
  self->silence = g_timeout_add_seconds (SILENT_S, say_silent, self);
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (LsSession) session = NULL;
  LsMeasuring *self = ls_asked_end (data, &session);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  Job *job;

  if (self == NULL)
    return;
  job = g_steal_pointer (&self->job);
  self->node = LS_HISTORY_NONE;
  end_silence (self);
  if (job->document != ls_document_get (self->document)->number)
    g_debug ("an answer for a document that is closed");
  else if (answer != NULL && job->node != LS_HISTORY_NONE)
    take_node (self, job, answer);
  else if (answer != NULL)
    take_program (job, answer);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    take_trouble (self, job, error);
  job_free (job);
  g_clear_object (&self->cancellable);
  next_job (self);
  if (answer != NULL && self->job == NULL && self->finished != NULL && history_of (self) != NULL)
    self->finished (self->finished_data);
}

static void
progress (LsWorker   *worker,
          double      fraction,
          const char *text,
          gpointer    data)
{
  LsMeasuring *self = data;

  watch_silence (self);
  self->total = SAMPLES;
  self->done = (guint) CLAMP (fraction * SAMPLES + 0.5, 0, SAMPLES);
  if (self->node != LS_HISTORY_NONE)
    ls_document_changed (self->document);
}

/* ---- the queue --------------------------------------------------------------- */

static void
next_job (LsMeasuring *self)
{
  Job *job = g_queue_pop_head (&self->queue);
  LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS, .progress = progress, .progress_data = self };

  self->done = self->total = 0;
  self->node = job != NULL ? job->node : LS_HISTORY_NONE;
  if (history_of (self) != NULL)
    ls_document_changed (self->document);
  ls_session_set_running (self->session, job != NULL);
  if (job == NULL)
    return;

  self->cancellable = g_cancellable_new ();
  watch_silence (self);
  self->job = job;
  ls_worker_call_async (self->worker, "time", request (self, job), &options, self->cancellable, answered, ls_asked_new (self->session, self));
}

static void
start (LsMeasuring *self)
{
  ls_session_set_conditions (self->session, ls_session_get_conditions (self->session), NULL);
  if (self->cancellable == NULL)
    next_job (self);
}

static void
queue_node (LsMeasuring *self,
            guint        id)
{
  LsHistoryNode *node = ls_history_get (history_of (self), id);
  Job *job;

  for (GList *at = self->queue.head; at != NULL; at = at->next)
    if (((Job *) at->data)->node == id)
      return;
  if (!LS_HISTORY_DONE (node) || self->node == id)
    return;
  job = g_new0 (Job, 1);
  job->node = id;
  job->document = ls_document_get (self->document)->number;
  g_queue_push_tail (&self->queue, job);
}

void
ls_measuring_path (LsMeasuring *self,
                   gboolean     all)
{
  LsHistory *history = history_of (self);
  guint current = ls_document_get (self->document)->current;
  g_autoptr (GArray) path = NULL;

  if (history == NULL)
    return;
  if (ls_history_get (history, 0)->time.samples == 0 || ls_history_get (history, 0)->stale)
    queue_node (self, 0);
  if (!all)
    queue_node (self, current);
  else
    {
      path = ls_history_path (history, current);
      for (guint i = 0; i < path->len; i++)
        queue_node (self, g_array_index (path, guint, i));
    }
  start (self);
}

void
ls_measuring_node (LsMeasuring *self,
                   guint        id)
{
  if (history_of (self) == NULL || id >= ls_history_get_n (history_of (self)))
    return;
  queue_node (self, id);
  start (self);
}

void
ls_measuring_program (LsMeasuring    *self,
                      LsSchedule     *schedule,
                      guint           budget_ms,
                      LsMeasuredFunc  func,
                      gpointer        data,
                      GDestroyNotify  data_free)
{
  Job *job = g_new0 (Job, 1);

  job->node = LS_HISTORY_NONE;
  job->schedule = ls_schedule_ref (schedule);
  job->budget_ms = budget_ms;
  job->func = func;
  job->data = data;
  job->data_free = data_free;
  job->document = ls_document_get (self->document)->number;
  g_queue_push_tail (&self->queue, job);
  start (self);
}

void
ls_measuring_cancel (LsMeasuring *self)
{
  Job *job;

  while ((job = g_queue_pop_head (&self->queue)) != NULL)
    job_free (job);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

void
ls_measuring_set_finished (LsMeasuring *self,
                           void       (*finished) (gpointer data),
                           gpointer     data)
{
  self->finished = finished;
  self->finished_data = data;
}

guint
ls_measuring_get_node (LsMeasuring *self,
                       guint       *done,
                       guint       *total)
{
  *done = self->done;
  *total = self->total;
  return self->node;
}

void
ls_measuring_forget_node (LsMeasuring *self)
{
  self->node = LS_HISTORY_NONE;
}

/* ---- life ---------------------------------------------------------------------- */

LsMeasuring *
ls_measuring_new (LsSession  *session,
                  LsDocument *document,
                  LsWorker   *worker,
                  LsBlas     *blas)
{
  LsMeasuring *self = g_new0 (LsMeasuring, 1);

  self->session = session;
  self->document = g_object_ref (document);
  self->worker = g_object_ref (worker);
  self->blas = blas;
  self->node = LS_HISTORY_NONE;
  g_queue_init (&self->queue);
  return self;
}

void
ls_measuring_free (LsMeasuring *self)
{
  ls_measuring_cancel (self);
  g_clear_pointer (&self->job, job_free);
  g_clear_handle_id (&self->silence, g_source_remove);
  g_clear_object (&self->cancellable);
  g_object_unref (self->document);
  g_object_unref (self->worker);
  g_free (self);
}
