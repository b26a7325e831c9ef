/* LsEngineTuning: an LsSearch and its trials as items.
 *
 * The search is app/search's, as the command line has it: drawing takes a thread, programs are built and run in a worker of its own.  What
 * was measured is kept in the user's cache, by program, so that a search that was cut short (the window was closed, the machine
 * went down) goes on when it is started again.
 */
#include "app/session/tuning.h"

#include "app/search/search.h"
#include "app/session/run.h"
#include "engine/script/printer.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define BUDGET_MS 200           /* of measuring one program */
#define SEED 1
#define WORTH_EVERY 4           /* programs between two looks at what decisions are worth */

struct _LsEngineTuning
{
  LsTuning    parent_instance;

  LsDocument *document;
  LsSearch   *search;           /* or NULL */
  guint       number;           /* of the document when it was started */
  guint       node;             /* that it searches from */
  guint       planned;
  guint       weighed;          /* programs measured at the last look */
  gboolean    stopping;
  gboolean    base_known;       /* the time of the program as it was is in the items */
  GHashTable *opened;           /* number of an item -> node of its branch */
  char       *trouble;          /* the last that was told of a queue, or NULL */
};

G_DEFINE_FINAL_TYPE (LsEngineTuning, ls_engine_tuning, LS_TYPE_TUNING)

/* ---- words --------------------------------------------------------------------- */

/* (transfer full) */
static char *
decision_name (const LsTuneDecision *decision)
{
  g_autofree char *subject = decision->nth > 0 ? g_strdup_printf ("%s (%u)", decision->subject, decision->nth + 1) : g_strdup (decision->subject);

  switch (decision->kind)
    {
    case LS_TUNE_DESIGN:
      return g_strdup (_("design"));
    case LS_TUNE_TILE:
      return decision->part + 1 == decision->n_parts ? g_strdup_printf (_("%s: innermost factor"), subject)
                                                     : g_strdup_printf (_("%s: factor %u of %u"), subject, decision->part + 1, decision->n_parts);
    case LS_TUNE_PLACE:
      return g_strdup_printf (_("where %s is computed"), subject);
    case LS_TUNE_CHOICE:
    case LS_TUNE_MARK:
      break;
    }
  return g_steal_pointer (&subject);
}

/* (transfer full) */
static char *
decision_value (const LsTuneDecision *decision)
{
  if (decision->kind == LS_TUNE_DESIGN)
    return ls_trial_family_letter (decision->value < 0 ? LS_TRIAL_NO_FAMILY : (guint) decision->value);
  if (decision->kind == LS_TUNE_PLACE && decision->value < 0)
    return g_strdup (decision->value == -1 ? _("at the root") : _("inlined"));
  return g_strdup_printf ("%" G_GINT64_FORMAT, decision->value);
}

/* ---- following the search ---------------------------------------------------------- */

static LsTrialItemState
state_of (const LsSearchTrial *trial)
{
  static const LsTrialItemState states[] = {
    [LS_TRIAL_DRAWN] = LS_TRIAL_ITEM_WAITING,
    [LS_TRIAL_RUNNING] = LS_TRIAL_ITEM_RUNNING,
    [LS_TRIAL_MEASURED] = LS_TRIAL_ITEM_MEASURED,
    [LS_TRIAL_FAILED] = LS_TRIAL_ITEM_FAILED,
  };

  return states[trial->state];
}

static void
on_trial (LsEngineTuning *self,
          guint           number)
{
  LsTuning *tuning = LS_TUNING (self);
  GListModel *items = ls_tuning_get_items (tuning);
  LsSearchTrial *trial = g_ptr_array_index (ls_search_get_trials (self->search), number);
  const LsTuningRecord *all = ls_tuning_get (tuning);
  gboolean measured = trial->state == LS_TRIAL_MEASURED;
  LsSearchCounts counts;
  LsTrialRecord record = {
    .number = number + 1,
    .state = state_of (trial),
    .family = trial->design == LS_TUNE_NO_DESIGN ? LS_TRIAL_NO_FAMILY : trial->design,
    .seconds = trial->timed && measured ? trial->median / 1e9 : 0.0,
    .predicted = isfinite (trial->predicted) ? trial->predicted / 1e9 : 0.0,
    .given_up = trial->given_up,
    .remembered = trial->remembered,
    .problem = trial->problem,
  };
  g_autoptr (LsTrialItem) item = NULL;

  ls_search_get_counts (self->search, &counts);
  record.speedup = measured && counts.base_median > 0.0 ? counts.base_median / trial->median : 0.0;
  record.record = measured && (all->best <= 0.0 || record.seconds < all->best);
  if (number < g_list_model_get_n_items (items))
    {
      item = g_list_model_get_item (items, number);
      record.record |= ls_trial_item_get (item)->record;
      ls_trial_item_set (item, &record);
      return;
    }
  item = ls_trial_item_new (&record);
  for (guint i = 0; i < trial->decisions->len; i++)
    {
      const LsTuneDecision *decision = &g_array_index (trial->decisions, LsTuneDecision, i);

      ls_trial_item_add_decision (item, decision_name (decision), decision_value (decision));
    }
  ls_tuning_add (tuning, item);
}

static void
weigh (LsEngineTuning *self)
{
  g_autoptr (GArray) worth = ls_search_get_worth (self->search);
  GArray *shown = ls_tuning_worth_new ();

  for (guint i = 0; i < worth->len; i++)
    {
      const LsTuneWorth *one = &g_array_index (worth, LsTuneWorth, i);
      LsTuningWorth said = { decision_name (&one->decision), decision_value (&one->decision), one->share, one->n_values };

      g_array_append_val (shown, said);
    }
  ls_tuning_take_worth (LS_TUNING (self), shown);
}

static LsTuningState
tuning_state (LsEngineTuning *self)
{
  switch (ls_search_get_state (self->search))
    {
    case LS_SEARCH_PAUSED:
      return self->stopping ? LS_TUNING_STOPPING : LS_TUNING_PAUSED;
    case LS_SEARCH_ENDED:
      return LS_TUNING_ENDED;
    case LS_SEARCH_WAITING:
    case LS_SEARCH_RUNNING:
      break;
    }
  return self->stopping ? LS_TUNING_STOPPING : LS_TUNING_RUNNING;
}

/* (transfer full) */
static char *
doing_words (const LsFleetPeer *peer)
{
  g_autofree char *time = ls_format_time ((double) peer->for_ms / 1000);

  if (strcmp (peer->doing, "measuring") == 0)
    return g_strdup_printf (_("measures for %s"), time);
  return g_strdup (strcmp (peer->doing, "leaving") == 0 ? _("leaves") : _("waits"));
}

static void
show_machines (LsEngineTuning *self)
{
  GPtrArray *peers = ls_search_get_machines (self->search);
  GArray *machines = peers != NULL ? ls_tuning_machines_new () : NULL;

  for (guint i = 0; peers != NULL && i < peers->len; i++)
    {
      const LsFleetPeer *peer = peers->pdata[i];
      LsTuningMachine machine = { g_strdup (peer->name), g_strdup (peer->kind), doing_words (peer), (guint) peer->done, peer->load };

      g_array_append_val (machines, machine);
    }
  ls_tuning_take_machines (LS_TUNING (self), machines);
}

/* What keeps the machines of a queue from measuring, as long as it does. */
static void
show_trouble (LsEngineTuning *self)
{
  const char *trouble = ls_search_get_state (self->search) != LS_SEARCH_ENDED ? ls_search_get_trouble (self->search) : NULL;

  if (g_strcmp0 (trouble, self->trouble) == 0)
    return;
  g_free (self->trouble);
  self->trouble = g_strdup (trouble);
  ls_tuning_tell (LS_TUNING (self), trouble);
}

static void
on_changed (LsEngineTuning *self)
{
  LsSearchTrial *best = ls_search_get_best (self->search);
  LsSearchCounts counts;
  LsTuningRecord record = { .state = tuning_state (self), .planned = self->planned };

  ls_search_get_counts (self->search, &counts);
  record.trials = counts.trials;
  record.measured = counts.measured;
  record.failed = counts.failed;
  record.given_up = counts.given_up;
  record.refused = counts.refused;
  record.remembered = counts.remembered;
  record.n_designs = counts.n_designs;
  record.base = counts.base_median / 1e9;
  record.best = best != NULL ? best->median / 1e9 : 0.0;
  record.best_number = best != NULL ? best->number + 1 : 0;
  record.seconds = counts.seconds;
  record.seconds_left = counts.seconds_left;
  ls_tuning_set_conditions (LS_TUNING (self), ls_search_get_conditions (self->search));
  ls_tuning_set (LS_TUNING (self), &record);
  show_machines (self);
  show_trouble (self);
  if (!self->base_known && record.base > 0.0)
    {
      self->base_known = TRUE;
      for (guint i = 0; i < ls_search_get_trials (self->search)->len; i++)
        on_trial (self, i);
    }
  if (counts.measured + counts.remembered >= self->weighed + WORTH_EVERY)
    {
      self->weighed = counts.measured + counts.remembered;
      weigh (self);
    }
}

static const char *
end_words (LsSearchEnd end)
{
  switch (end)
    {
    case LS_SEARCH_END_TRIALS:
      return _("All trials are done.");
    case LS_SEARCH_END_SPACE:
      return _("Nothing new was found any more: the space of schedules is small.");
    case LS_SEARCH_END_TIME:
      return _("The time is up.");
    case LS_SEARCH_END_STOPPED:
      return _("Stopped. What was measured is kept: the same search goes on from here.");
    case LS_SEARCH_END_NONE:
    case LS_SEARCH_END_ERROR:
      break;
    }
  return NULL;
}

static void
on_ended (LsEngineTuning *self)
{
  const char *words = end_words (ls_search_get_end (self->search));
  const char *problem = ls_search_get_problem (self->search);
  const char *refusal = ls_search_get_best (self->search) == NULL ? ls_search_get_refusal (self->search) : NULL;
  g_autofree char *all = NULL;

  if (problem == NULL)
    problem = refusal;
  all = words != NULL && problem != NULL ? g_strdup_printf ("%s %s", words, problem) : g_strdup (problem != NULL ? problem : words);
  weigh (self);
  ls_tuning_tell (LS_TUNING (self), all);
}

/* ---- what is wished -------------------------------------------------------------------- */

static const char *
tuning_get_refusal (LsTuning *tuning)
{
  LsHistoryNode *node = ls_document_get_node (LS_ENGINE_TUNING (tuning)->document);

  if (node == NULL)
    return _("There is no program to search schedules of.");
  return ls_run_function (ls_schedule_get_module (node->schedule)) == NULL ? _("Without a TensorIR function there is nothing to schedule here.") : NULL;
}

static void
let_go (LsEngineTuning *self)
{
  if (self->search == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->search, self);
  ls_search_stop (self->search);
  g_clear_object (&self->search);
}

/* Where what is measured of this program is kept. (transfer full) */
static char *
database_folder (const char *text)
{
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);

  sum[16] = '\0';
  return g_build_filename (g_get_user_cache_dir (), "loopscope", "tuning", sum, NULL);
}

static void
tuning_start (LsTuning *tuning,
              gboolean  shown,
              guint     trials,
              guint     seconds)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  const LsDocumentRecord *opened = ls_document_get (self->document);
  g_autofree char *text = NULL, *folder = NULL;
  g_autoptr (LsFleetAddress) queue = NULL;
  g_autoptr (GError) error = NULL;
  LsModule *module;
  LsSearchOptions options = { .strategy = LS_TUNE_EVOLUTIONARY, .model = LS_TUNE_MODEL_RIDGE, .rules = TRUE, .trials = trials, .seconds = seconds, .jobs = 1, .seed = SEED,
                              .budget_ms = BUDGET_MS, .target = opened->target };

  if (tuning_get_refusal (tuning) != NULL)
    return;
  if (*ls_tuning_get_queue (tuning) != '\0' && (queue = ls_fleet_address_parse (ls_tuning_get_queue (tuning), NULL, &error)) == NULL)
    {
      ls_tuning_tell (tuning, error->message);
      return;
    }
  let_go (self);
  ls_tuning_clear (tuning);
  ls_tuning_take_machines (tuning, NULL);
  g_clear_pointer (&self->trouble, g_free);
  g_hash_table_remove_all (self->opened);
  self->node = shown ? opened->current : 0;
  module = ls_schedule_get_module (ls_history_get (opened->history, self->node)->schedule);
  text = ls_script_print (module, &whole, NULL);
  folder = database_folder (text);
  options.func = ls_run_function (module);
  options.database = folder;
  options.queue = queue;
  self->number = opened->number;
  self->planned = trials;
  self->weighed = 0;
  self->stopping = FALSE;
  self->base_known = FALSE;
  self->search = ls_search_new (module, text, &options);
  g_signal_connect_swapped (self->search, "trial", G_CALLBACK (on_trial), self);
  g_signal_connect_swapped (self->search, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->search, "ended", G_CALLBACK (on_ended), self);
  ls_search_start (self->search);
}

static void
tuning_pause (LsTuning *tuning)
{
  if (LS_ENGINE_TUNING (tuning)->search != NULL)
    ls_search_pause (LS_ENGINE_TUNING (tuning)->search);
}

static void
tuning_resume (LsTuning *tuning)
{
  if (LS_ENGINE_TUNING (tuning)->search != NULL)
    ls_search_resume (LS_ENGINE_TUNING (tuning)->search);
}

static void
tuning_stop (LsTuning *tuning)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);

  if (self->search == NULL || ls_search_get_state (self->search) == LS_SEARCH_ENDED)
    return;
  self->stopping = TRUE;
  ls_search_stop (self->search);
}

/* The branch has the time of its trial: one figure, the median of the samples, which the search does not keep. */
static void
put_time (LsHistoryNode       *node,
          const LsSearchTrial *trial)
{
  double median = trial->median * 1e-9, half = trial->remembered ? 0.0 : 0.5 * trial->iqr * 1e-9, *samples;
  LsStepTime time = { .min = trial->remembered ? median : trial->min * 1e-9, .q1 = median - half, .median = median, .q3 = median + half, .samples = 1 };

  if (!trial->timed || !(median > 0.0) || node->time.samples > 0)
    return;
  time.q1 = MAX (time.q1, time.min);
  samples = g_new (double, 1);
  samples[0] = median;
  ls_history_set_time (node, &time, samples, trial->remembered ? _("The median of a trial of an earlier search.") : _("The median of its trial in the search."));
}

/* Goes to the branch of a candidate, made if there is none yet.  FALSE: it can no longer be applied, or there is no such. */
static gboolean
go_to (LsTuning    *tuning,
       LsTrialItem *item)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);
  guint number = ls_trial_item_get (item)->number;
  const LsDocumentRecord *opened = ls_document_get (self->document);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  const LsSearchTrial *trial;
  g_autofree char *steps = NULL, *name = NULL, *words = NULL;
  gpointer known = NULL;
  gboolean strict, done;

  if (self->search == NULL || opened->history == NULL || opened->number != self->number || number > ls_search_get_trials (self->search)->len)
    return FALSE;
  name = g_strdup_printf (_("candidate %u"), number);
  words = g_strdup_printf (_("Candidate %u is a branch of the history, and shown on the other pages."), number);
  if (g_hash_table_lookup_extended (self->opened, GUINT_TO_POINTER (number), NULL, &known) && GPOINTER_TO_UINT (known) < ls_history_get_n (opened->history))
    {
      ls_document_go (self->document, GPOINTER_TO_UINT (known));
      ls_tuning_tell (tuning, words);
      return TRUE;
    }
  trial = g_ptr_array_index (ls_search_get_trials (self->search), number - 1);
  steps = ls_trace_print (trial->trace);
  /* What was measured can be opened, right or wrong: where an order is broken that a strict history keeps, the branch has the warning. */
  strict = ls_history_is_strict (opened->history);
  ls_history_set_strict (opened->history, FALSE);
  done = ls_document_apply (self->document, self->node, steps, findings);
  ls_history_set_strict (opened->history, strict);
  if (!done)
    {
      const LsDiagnostic *finding = ls_history_finding (findings, LS_SEVERITY_ERROR);
      g_autofree char *reason = g_strdup_printf (_("The steps of this candidate cannot be applied: %s"), finding != NULL ? finding->message : "");

      ls_tuning_tell (tuning, reason);
      return FALSE;
    }
  g_hash_table_insert (self->opened, GUINT_TO_POINTER (number), GUINT_TO_POINTER (opened->current));
  ls_history_name_branch (opened->history, ls_document_get_node (self->document)->branch, name);
  put_time (ls_document_get_node (self->document), trial);
  ls_document_changed (self->document);
  ls_tuning_tell (tuning, words);
  return TRUE;
}

static void
tuning_open (LsTuning    *tuning,
             LsTrialItem *item)
{
  go_to (tuning, item);
}

static gboolean
tuning_compare (LsTuning    *tuning,
                LsTrialItem *left,
                LsTrialItem *right,
                guint        nodes[2])
{
  const LsDocumentRecord *opened = ls_document_get (LS_ENGINE_TUNING (tuning)->document);

  if (!go_to (tuning, left))
    return FALSE;
  nodes[0] = opened->current;
  if (!go_to (tuning, right))
    return FALSE;
  nodes[1] = opened->current;
  return TRUE;
}

/* ---- life ---------------------------------------------------------------------------------- */

void
ls_engine_tuning_forget (LsEngineTuning *self)
{
  let_go (self);
  g_hash_table_remove_all (self->opened);
  ls_tuning_clear (LS_TUNING (self));
}

static void
ls_engine_tuning_finalize (GObject *object)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (object);

  let_go (self);
  g_hash_table_unref (self->opened);
  g_free (self->trouble);
  g_object_unref (self->document);
  G_OBJECT_CLASS (ls_engine_tuning_parent_class)->finalize (object);
}

static void
ls_engine_tuning_class_init (LsEngineTuningClass *klass)
{
  LsTuningClass *tuning = LS_TUNING_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ls_engine_tuning_finalize;
  tuning->start = tuning_start;
  tuning->pause = tuning_pause;
  tuning->resume = tuning_resume;
  tuning->stop = tuning_stop;
  tuning->open = tuning_open;
  tuning->compare = tuning_compare;
  tuning->get_refusal = tuning_get_refusal;
}

static void
ls_engine_tuning_init (LsEngineTuning *self)
{
  self->opened = g_hash_table_new (NULL, NULL);
}

LsTuning *
ls_engine_tuning_new (LsDocument *document)
{
  LsEngineTuning *self = g_object_new (LS_TYPE_ENGINE_TUNING, NULL);

  self->document = g_object_ref (document);
  return LS_TUNING (self);
}
