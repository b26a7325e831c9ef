/* session/measure: times of steps, through the worker, one after the other.
 *
 * A queue of jobs; each sends the printed program of a node, with that of the root as the reference whose output it
 * must equal.  Cancelling ends the worker's child; what was measured before stays.
 */
#include "app/session/counter-words.h"
#include "app/session/engine-private.h"

#include "engine/script/printer.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <string.h>

#define SAMPLES 30
#define BUDGET_MS 3000
#define RANK_BUDGET_MS 1000
#define TIMEOUT_MS 60000
#define SILENT_S 8
#define SEED 1

static void next_job (LsEngineSession *self);

static void
job_free (LsMeasureJob *job)
{
  if (job->variant != NULL)
    {
      g_object_unref (job->variant->move);
      ls_schedule_unref (job->variant->schedule);
      g_free (job->variant);
    }
  g_clear_object (&job->ranked);
  g_clear_pointer (&job->schedule, ls_schedule_unref);
  g_free (job);
}

/* ---- asking ------------------------------------------------------------------ */

const char *
ls_engine_session_timed_function (LsModule *module)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      return ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

  return NULL;
}

static LsSchedule *
schedule_of (LsEngineSession *self,
             LsMeasureJob    *job)
{
  if (job->schedule != NULL)
    return job->schedule;
  return job->variant != NULL ? job->variant->schedule
                              : ls_history_get (self->history, job->node)->schedule;
}

static GVariant *
request (LsEngineSession *self,
         LsMeasureJob    *job)
{
  LsModule *base = ls_schedule_get_module (ls_history_get (self->history, 0)->schedule);
  LsModule *module = ls_schedule_get_module (schedule_of (self, job));
  const char *func = ls_engine_session_timed_function (base);
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autofree char *text = ls_script_print (module, &whole, NULL);
  g_autofree char *reference = ls_script_print (base, &whole, NULL);
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "module", "s", text);
  g_variant_dict_insert (&dict, "target", "s", self->target);
  g_variant_dict_insert (&dict, "samples", "i", SAMPLES);
  g_variant_dict_insert (&dict, "budget-ms", "i", job->ranked != NULL ? RANK_BUDGET_MS : BUDGET_MS);
  g_variant_dict_insert (&dict, "seed", "i", SEED);
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
  gint64 threads = ls_params_int (answer, "threads", 1);
  double load = ls_params_double (answer, "load", -1.0);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, ngettext ("%u sample", "%u samples", samples), samples);
  g_string_append (text, " · ");
  g_string_append_printf (text, ngettext ("%u core", "%u cores", (guint) threads), (guint) threads);
  if (ls_params_bool (answer, "pinned", FALSE))
    g_string_append_printf (text, " %s", _("pinned"));
  if (load >= 0.0)
    g_string_append_printf (text, _(", load %.2f"), load);
  if (ls_params_bool (answer, "equal", FALSE))
    g_string_append_printf (text, " · %s", _("output equals step 0"));
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
  };
  return TRUE;
}

static void
take_node (LsEngineSession *self,
           LsMeasureJob    *job,
           GVariant        *answer)
{
  LsHistoryNode *node = ls_history_get (self->history, job->node);
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
  ls_session_set_conditions (LS_SESSION (self), node->conditions, NULL);
  ls_engine_session_show_conditions (self, NULL);
  ls_engine_session_ask_blas (self);
}

/* The slider shows it beside the factor. */
static void
keep_factor_time (LsMoveItem *move,
                  gint64      inner,
                  double      median)
{
  GHashTable *times = g_object_get_data (G_OBJECT (move), "ls-times");

  if (times == NULL)
    {
      times = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_object_set_data_full (G_OBJECT (move), "ls-times", times, (GDestroyNotify) g_hash_table_unref);
    }
  g_hash_table_insert (times, g_strdup_printf ("%" G_GINT64_FORMAT, inner), g_memdup2 (&median, sizeof median));
}

/* Keeps the best factor so far on the move itself. */
static void
take_variant (LsEngineSession *self,
              LsMeasureJob    *job,
              GVariant        *answer)
{
  LsMoveItem *move = job->variant->move;
  double *best = g_object_get_data (G_OBJECT (move), "ls-best");
  LsHistoryNode *here = ls_history_get (self->history, self->current);
  g_autofree char *time = NULL, *speedup = NULL, *tag = NULL;
  LsStepTime measured = { 0 };
  double *samples = NULL;
  gboolean good = ls_params_string (answer, "mismatch", NULL) == NULL && read_samples (answer, &measured, &samples);

  if (good)
    keep_factor_time (move, job->variant->inner, measured.median);
  if (good &&
      (best == NULL || measured.median < best[0]))
    {
      double fresh[2] = { measured.median, (double) job->variant->inner };

      g_object_set_data_full (G_OBJECT (move), "ls-best", best = g_memdup2 (fresh, sizeof fresh), g_free);
    }
  g_free (samples);
  if (best == NULL)
    return;
  time = ls_format_time (best[0]);
  speedup = here->time.samples > 0 ? ls_format_speedup (here->time.median / best[0]) : NULL;
  tag = g_strdup_printf (_("best %d: %s"), (int) best[1], speedup != NULL ? speedup : time);
  ls_engine_session_tell_move (self, move, job->last ? (gint64) best[1] : 0, tag);
}

static void
take_ranked (LsEngineSession *self,
             LsMeasureJob    *job,
             GVariant        *answer)
{
  const char *mismatch = ls_params_string (answer, "mismatch", NULL);
  LsStepTime time;
  double *samples = NULL;

  if (mismatch != NULL)
    ls_engine_session_take_ranked (self, job->ranked, NULL, NULL, mismatch);
  else if (read_samples (answer, &time, &samples))
    ls_engine_session_take_ranked (self, job->ranked, &time, samples, NULL);
  g_free (samples);
}

/* "SIGSEGV" out of the words of the worker's end. (transfer full) */
static char *
signal_of (const GError *error)
{
  const char *at = strstr (error->message, "SIG");
  gsize n = 0;

  while (at != NULL && g_ascii_isalnum (at[n]))
    n++;
  return at != NULL ? g_strndup (at, n) : g_strdup ("?");
}

char *
ls_engine_session_end_words (const GError *error,
                             const char   *tag,
                             guint         timeout_ms)
{
  g_autofree char *number = NULL;

  if (g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_SIGNAL))
    {
      number = signal_of (error);
      return tag != NULL ? g_strdup_printf (_("The program was ended by %s while running step %s; nothing else is affected."), number, tag)
                         : g_strdup_printf (_("The program was ended by %s; nothing else is affected."), number);
    }
  if (g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_EXIT))
    return g_strdup (_("The program ended before it had an answer; nothing else is affected."));
  if (g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_TIMEOUT))
    return g_strdup_printf (_("There was no answer within %d s, so the run was ended; nothing else is affected."), (int) timeout_ms / 1000);
  return g_strdup (error->message);
}

/* The reason stands at the step and, because it is about measuring, in the time pane. */
static void
take_trouble (LsEngineSession *self,
              LsMeasureJob    *job,
              const GError    *error)
{
  LsHistoryNode *running = job->node != LS_HISTORY_NONE ? ls_history_get (self->history, job->node) : NULL;
  g_autofree char *tag = running != NULL ? ls_step_item_tag (running->item) : NULL;
  g_autofree char *words = ls_engine_session_end_words (error, tag, TIMEOUT_MS);

  if (job->ranked != NULL)
    {
      ls_engine_session_take_ranked (self, job->ranked, NULL, NULL, words);
      return;
    }
  if (job->node != LS_HISTORY_NONE)
    {
      LsHistoryNode *node = ls_history_get (self->history, job->node);

      g_free (node->trouble);
      node->trouble = g_strdup (words);
      node->time = (LsStepTime) { 0 };
    }
  ls_session_set_conditions (LS_SESSION (self),
                             ls_session_get_conditions (LS_SESSION (self)), words);
}

/* ---- silence ----------------------------------------------------------------- */

/* A process that stands still says nothing about it, and who waits should know. */
static gboolean
say_silent (gpointer data)
{
  LsEngineSession *self = data;
  g_autofree char *words = g_strdup_printf (_("No answer for %d s. It is ended after %d s; Cancel ends it now."), SILENT_S, TIMEOUT_MS / 1000);

  self->silence = 0;
  self->silent = TRUE;
  ls_session_set_conditions (LS_SESSION (self), ls_session_get_conditions (LS_SESSION (self)), words);
  return G_SOURCE_REMOVE;
}

/* Something came, or there is nothing to wait for. */
static void
end_silence (LsEngineSession *self)
{
  g_clear_handle_id (&self->silence, g_source_remove);
  if (self->silent)
    ls_session_set_conditions (LS_SESSION (self), ls_session_get_conditions (LS_SESSION (self)), NULL);
  self->silent = FALSE;
}

static void
watch_silence (LsEngineSession *self)
{
  end_silence (self);
  self->silence = g_timeout_add_seconds (SILENT_S, say_silent, self);
}

static void
answered (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  g_autoptr (LsEngineSession) self = LS_ENGINE_SESSION (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;
  LsMeasureJob *job = g_object_steal_data (G_OBJECT (self), "ls-job");

  answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  self->measuring = LS_HISTORY_NONE;
  end_silence (self);
  if (job == NULL)
    return;
  if (job->document != self->document)
    g_debug ("an answer for a document that is closed");
  else if (answer != NULL && job->ranked != NULL)
    take_ranked (self, job, answer);
  else if (answer != NULL && job->variant == NULL)
    take_node (self, job, answer);
  else if (answer != NULL)
    take_variant (self, job, answer);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    take_trouble (self, job, error);
  job_free (job);
  g_clear_object (&self->cancellable);
  next_job (self);
}

static void
progress (LsWorker   *worker,
          double      fraction,
          const char *text,
          gpointer    data)
{
  LsEngineSession *self = data;

  watch_silence (self);
  self->total = SAMPLES;
  self->done = (guint) CLAMP (fraction * SAMPLES + 0.5, 0, SAMPLES);
  if (self->measuring != LS_HISTORY_NONE)
    ls_engine_session_show_history (self);
}

/* ---- the queue --------------------------------------------------------------- */

static void
next_job (LsEngineSession *self)
{
  LsMeasureJob *job = g_queue_pop_head (&self->queue);
  LsWorkerOptions options = { .timeout_ms = TIMEOUT_MS, .progress = progress, .progress_data = self };

  self->done = self->total = 0;
  self->measuring = job != NULL ? job->node : LS_HISTORY_NONE;
  if (self->history != NULL)
    ls_engine_session_show_history (self);
  ls_session_set_running (LS_SESSION (self), job != NULL);
  if (job == NULL)
    return;

  if (self->worker == NULL)
    self->worker = ls_worker_new ();
  self->cancellable = g_cancellable_new ();
  watch_silence (self);
  g_object_set_data (G_OBJECT (self), "ls-job", job);
  ls_worker_call_async (self->worker, "time", request (self, job), &options, self->cancellable,
                        answered, g_object_ref (self));
}

static void
queue_node (LsEngineSession *self,
            guint            id)
{
  LsHistoryNode *node = ls_history_get (self->history, id);
  LsMeasureJob *job;

  for (GList *at = self->queue.head; at != NULL; at = at->next)
    if (((LsMeasureJob *) at->data)->node == id && id != LS_HISTORY_NONE)
      return;
  if (!LS_HISTORY_DONE (node) || self->measuring == id)
    return;
  job = g_new0 (LsMeasureJob, 1);
  job->node = id;
  job->document = self->document;
  g_queue_push_tail (&self->queue, job);
}

static void
start (LsEngineSession *self)
{
  ls_session_set_conditions (LS_SESSION (self), ls_session_get_conditions (LS_SESSION (self)), NULL);
  if (self->cancellable == NULL)
    next_job (self);
}

void
ls_engine_session_queue (LsEngineSession *self,
                         LsMeasureJob    *job)
{
  job->document = self->document;
  g_queue_push_tail (&self->queue, job);
  start (self);
}

void
ls_engine_session_measure (LsSession *session,
                           gboolean   all)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  g_autoptr (GArray) path = NULL;

  if (self->history == NULL)
    return;
  if (ls_history_get (self->history, 0)->time.samples == 0 || ls_history_get (self->history, 0)->stale)
    queue_node (self, 0);
  if (!all)
    queue_node (self, self->current);
  else
    {
      path = ls_history_path (self->history, self->current);
      for (guint i = 0; i < path->len; i++)
        queue_node (self, g_array_index (path, guint, i));
    }
  start (self);
}

void
ls_engine_session_measure_step (LsSession *session,
                                guint      id)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);

  if (self->history == NULL || id >= ls_history_get_n (self->history))
    return;
  queue_node (self, id);
  start (self);
}

void
ls_engine_session_measure_move (LsSession  *session,
                                LsMoveItem *move)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  g_autoptr (GPtrArray) variants = NULL;

  if (self->history == NULL)
    return;
  variants = ls_engine_session_variants (self, move);
  if (ls_history_get (self->history, self->current)->time.samples == 0)
    queue_node (self, self->current);
  for (guint i = 0; i < variants->len; i++)
    {
      LsMeasureJob *job = g_new0 (LsMeasureJob, 1);

      job->node = LS_HISTORY_NONE;
      job->document = self->document;
      job->variant = g_ptr_array_index (variants, i);
      job->last = i + 1 == variants->len;
      g_queue_push_tail (&self->queue, job);
    }
  g_ptr_array_set_free_func (variants, NULL);
  start (self);
}

void
ls_engine_session_cancel (LsSession *session)
{
  LsEngineSession *self = LS_ENGINE_SESSION (session);
  LsMeasureJob *job;

  while ((job = g_queue_pop_head (&self->queue)) != NULL)
    job_free (job);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  ls_engine_session_cancel_results (self);
  ls_engine_session_cancel_machine (self);
}
