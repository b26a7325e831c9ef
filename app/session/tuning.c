/* LsEngineTuning: a search that goes on in a process of its own, and its trials as items.
 *
 * The process is `loopscope-cli tune --detach`, in the folder of the user's cache for the program (app/search/run.h); here its log is read.  So it goes on
 * when the window is closed or killed, and is shown again when the page is; one that was cut short goes on when it is started again.
 */
#include "app/session/tuning.h"

#include "app/search/run.h"
#include "app/session/run.h"
#include "engine/script/printer.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define BUDGET_MS "200"         /* of measuring one program */
#define SEED "1"
#define WORTH_EVERY 4           /* programs between two looks at what decisions are worth */

struct _LsEngineTuning
{
  LsTuning    parent_instance;

  LsDocument *document;
  LsSearchRun *run;             /* or NULL */
  GCancellable *starting;       /* or NULL: no process is being started */
  guint       number;           /* of the document when it was started */
  guint       node;             /* that it searches from */
  guint       looked;           /* number of the document, and 1, whose searches were looked for; 0: none */
  double      best;             /* seconds: of the items so far; 0: none yet */
  guint       weighed;          /* programs measured at the last look */
  LsTuneTree *tree;             /* of the last look, or NULL */
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
  LsSearchTrial *trial = g_ptr_array_index (ls_search_run_get_trials (self->run), number);
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

  ls_search_run_get_counts (self->run, &counts);
  record.speedup = measured && counts.base_median > 0.0 ? counts.base_median / trial->median : 0.0;
  record.record = measured && (self->best <= 0.0 || record.seconds < self->best);
  if (record.record)
    self->best = record.seconds;
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
  g_autoptr (GArray) worth = NULL;
  GArray *shown = ls_tuning_worth_new ();
  LsSearchCounts counts;

  ls_search_run_get_counts (self->run, &counts);
  g_clear_pointer (&self->tree, ls_tune_tree_free);
  self->tree = ls_search_tree_of (ls_search_run_get_trials (self->run), counts.n_designs);
  worth = ls_tune_tree_worth (self->tree, NULL);
  for (guint i = 0; i < worth->len; i++)
    {
      const LsTuneWorth *one = &g_array_index (worth, LsTuneWorth, i);
      LsTuningWorth said = { decision_name (&one->decision), decision_value (&one->decision), one->share, one->n_values };

      g_array_append_val (shown, said);
    }
  ls_tuning_take_worth (LS_TUNING (self), shown);
}

/* ---- the tree of decisions --- */

/* A place in it is a path (LsTuneTree); that of a decision ends with it. */
static void
add_decisions (LsEngineTuning *self,
               GArray         *path,
               GPtrArray      *below)
{
  g_autoptr (GArray) worth = ls_tune_tree_worth (self->tree, path);

  for (guint i = 0; i < worth->len; i++)
    {
      const LsTuneWorth *one = &g_array_index (worth, LsTuneWorth, i);
      g_autofree char *name = decision_name (&one->decision);
      LsDecisionRecord record = { .kind = LS_DECISION_ITEM_DECISION, .name = name, .share = one->share, .n = one->n, .deeper = TRUE };

      g_ptr_array_add (below, ls_decision_item_new (&record, ls_tune_tree_below (path, &one->decision, 0), (GDestroyNotify) g_array_unref));
    }
}

static void
add_values (LsEngineTuning *self,
            GArray         *path,
            GPtrArray      *below)
{
  const LsTuneDecision *decision = &g_array_index (path, LsTuneDecision, path->len - 1);
  g_autoptr (GArray) above = ls_tune_decisions_new (), values = NULL;

  for (guint i = 0; i + 1 < path->len; i++)
    {
      LsTuneDecision step = g_array_index (path, LsTuneDecision, i);

      step.subject = g_strdup (step.subject);
      g_array_append_val (above, step);
    }
  values = ls_tune_tree_values (self->tree, above, decision);
  for (guint i = 0; i < values->len; i++)
    {
      const LsTuneValue *one = &g_array_index (values, LsTuneValue, i);
      LsTuneDecision drawn = *decision;
      g_autofree char *name = NULL;
      LsDecisionRecord record = { .kind = LS_DECISION_ITEM_VALUE, .n = one->n, .best = one->best_seconds, .median = one->median_seconds, .best_number = one->best + 1,
                                  .deeper = one->n >= LS_TUNE_WORTH_LEAST };

      drawn.value = one->value;
      record.name = name = decision_value (&drawn);
      g_ptr_array_add (below, ls_decision_item_new (&record, ls_tune_tree_below (above, decision, one->value), (GDestroyNotify) g_array_unref));
    }
}

static void
tuning_branch (LsTuning       *tuning,
               LsDecisionItem *above,
               GPtrArray      *below)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);
  const LsDecisionRecord *record = above != NULL ? ls_decision_item_get (above) : NULL;

  if (self->tree == NULL || (record != NULL && record->kind == LS_DECISION_ITEM_NOTE))
    return;
  if (record != NULL && record->kind == LS_DECISION_ITEM_DECISION)
    add_values (self, ls_decision_item_get_place (above), below);
  else
    add_decisions (self, above != NULL ? ls_decision_item_get_place (above) : NULL, below);
  if (record != NULL && below->len == 0)
    {
      LsDecisionRecord note = { .kind = LS_DECISION_ITEM_NOTE, .name = _("Nothing else explains these times.") };

      g_ptr_array_add (below, ls_decision_item_new (&note, NULL, NULL));
    }
}

static LsTuningState
tuning_state (LsEngineTuning *self)
{
  switch (ls_search_run_get_state (self->run))
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
  GPtrArray *peers = ls_search_run_get_machines (self->run);
  GArray *machines = peers != NULL ? ls_tuning_machines_new () : NULL;

  for (guint i = 0; peers != NULL && i < peers->len; i++)
    {
      const LsFleetPeer *peer = peers->pdata[i];
      LsTuningMachine machine = { g_strdup (peer->name), g_strdup (peer->kind), doing_words (peer), (guint) peer->done, peer->load };

      g_array_append_val (machines, machine);
    }
  ls_tuning_take_machines (LS_TUNING (self), machines);
}

static void
show_tasks (LsEngineTuning *self,
            double          total)
{
  GPtrArray *all = ls_search_run_get_tasks (self->run);
  GArray *tasks = all != NULL ? ls_tuning_tasks_new () : NULL;

  for (guint i = 0; all != NULL && i < all->len; i++)
    {
      const LsSearchRunTask *one = all->pdata[i];
      LsTuningTask task = { g_strdup (one->name), one->weight, one->trials, one->base / 1e9, one->best / 1e9, total > 0.0 ? one->weight * one->best / total : -1.0,
                            one->active, one->over, g_strdup (one->problem) };

      g_array_append_val (tasks, task);
    }
  ls_tuning_take_tasks (LS_TUNING (self), tasks);
}

/* What keeps the machines of a queue from measuring, as long as it does. */
static void
show_trouble (LsEngineTuning *self)
{
  const char *trouble = ls_search_run_get_state (self->run) != LS_SEARCH_ENDED ? ls_search_run_get_trouble (self->run) : NULL;

  if (g_strcmp0 (trouble, self->trouble) == 0)
    return;
  g_free (self->trouble);
  self->trouble = g_strdup (trouble);
  ls_tuning_tell (LS_TUNING (self), trouble);
}

static void
on_changed (LsEngineTuning *self)
{
  LsSearchTrial *best = ls_search_run_get_best (self->run);
  LsSearchCounts counts;
  LsTuningRecord record = { .state = tuning_state (self), .planned = ls_search_run_get_planned (self->run) };
  double base = 0.0, total = ls_search_run_get_total (self->run, &base);

  ls_search_run_get_counts (self->run, &counts);
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
  if (ls_search_run_get_tasks (self->run) != NULL)
    {
      record.base = base / 1e9;
      record.best = total / 1e9;
    }
  record.seconds = counts.seconds;
  record.seconds_left = counts.seconds_left;
  ls_tuning_set_conditions (LS_TUNING (self), ls_search_run_get_conditions (self->run));
  ls_tuning_set (LS_TUNING (self), &record);
  show_machines (self);
  show_tasks (self, total);
  show_trouble (self);
  if (!self->base_known && record.base > 0.0)
    {
      self->base_known = TRUE;
      for (guint i = 0; i < ls_search_run_get_trials (self->run)->len; i++)
        on_trial (self, i);
    }
  if (counts.measured + counts.remembered >= self->weighed + WORTH_EVERY)
    {
      self->weighed = counts.measured + counts.remembered;
      weigh (self);
    }
}

static const char *
end_words (int end)
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
    case LS_SEARCH_RUN_LOST:
      return _("The process that searched is gone. What was measured is kept: the same search goes on from here.");
    default:
      return NULL;
    }
}

static void
on_ended (LsEngineTuning *self)
{
  const char *words = end_words (ls_search_run_get_end (self->run));
  const char *problem = ls_search_run_get_problem (self->run);
  const char *refusal = ls_search_run_get_best (self->run) == NULL ? ls_search_run_get_refusal (self->run) : NULL;
  g_autofree char *all = NULL;

  if (problem == NULL)
    problem = refusal;
  all = words != NULL && problem != NULL ? g_strdup_printf ("%s %s", words, problem) : g_strdup (problem != NULL ? problem : words);
  weigh (self);
  ls_tuning_tell (LS_TUNING (self), all);
}

/* ---- what is wished -------------------------------------------------------------------- */

/* Is it a module that is searched as a whole? */
static gboolean
is_relax (LsModule *module)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (!ls_is (module->functions->items[i], PRIM_FUNC))
      return TRUE;
  return FALSE;
}

static const char *
tuning_get_refusal (LsTuning *tuning)
{
  LsHistoryNode *node = ls_document_get_node (LS_ENGINE_TUNING (tuning)->document);

  if (node == NULL)
    return _("There is no program to search schedules of.");
  if (is_relax (ls_schedule_get_module (node->schedule)))
    return NULL;
  return ls_run_function (ls_schedule_get_module (node->schedule)) == NULL ? _("Without a TensorIR function there is nothing to schedule here.") : NULL;
}

/* It goes on by itself. */
static void
let_go (LsEngineTuning *self)
{
  if (self->starting != NULL)
    g_cancellable_cancel (self->starting);
  g_clear_object (&self->starting);
  if (self->run == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->run, self);
  g_clear_object (&self->run);
}

static void
clear (LsEngineTuning *self)
{
  LsTuning *tuning = LS_TUNING (self);

  g_clear_pointer (&self->tree, ls_tune_tree_free);
  ls_tuning_clear (tuning);
  ls_tuning_take_machines (tuning, NULL);
  g_clear_pointer (&self->trouble, g_free);
  g_hash_table_remove_all (self->opened);
  self->weighed = 0;
  self->best = 0.0;
  self->stopping = FALSE;
  self->base_known = FALSE;
}

/* Another process began the same search anew. */
static void
on_restarted (LsEngineTuning *self)
{
  clear (self);
}

/* The program at a node as the process gets it. (transfer full) */
static char *
text_at (LsEngineTuning *self,
         guint           node)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };

  return ls_script_print (ls_schedule_get_module (ls_history_get (ls_document_get (self->document)->history, node)->schedule), &whole, NULL);
}

/* The tasks of a module have runs beside its own. Of NULL where there is none. */
static const char *
choose_run (char       **names,
            const char  *folder)
{
  g_autofree char *own = g_path_get_basename (folder);

  for (guint i = 0; names[i] != NULL; i++)
    if (strcmp (names[i], own) == 0)
      return names[i];
  return names[0];
}

static void
follow (LsEngineTuning *self,
        const char     *folder,
        const char     *name)
{
  self->run = ls_search_run_new (folder, name);
  self->number = ls_document_get (self->document)->number;
  g_signal_connect_swapped (self->run, "trial", G_CALLBACK (on_trial), self);
  g_signal_connect_swapped (self->run, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->run, "ended", G_CALLBACK (on_ended), self);
  g_signal_connect_swapped (self->run, "restarted", G_CALLBACK (on_restarted), self);
  ls_search_run_start (self->run);
}

/* Follows the search of the program at a node that goes on, or how the last one ended.  FALSE: there was none. */
static gboolean
find (LsEngineTuning *self,
      guint           node)
{
  g_autofree char *text = text_at (self, node), *folder = ls_search_run_folder (text);
  g_auto (GStrv) names = ls_search_run_list (folder);

  if (names[0] == NULL)
    return FALSE;
  clear (self);
  self->node = node;
  follow (self, folder, choose_run (names, folder));
  return TRUE;
}

static void
tuning_look (LsTuning *tuning)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);
  const LsDocumentRecord *opened = ls_document_get (self->document);
  g_autofree char *none = ls_search_run_folder (""), *folders = g_path_get_dirname (none);

  if (self->run != NULL || self->starting != NULL || opened->history == NULL || opened->number + 1 == self->looked || tuning_get_refusal (tuning) != NULL)
    return;
  self->looked = opened->number + 1;
  /* Who never searched has no program printed for it. */
  if (!g_file_test (folders, G_FILE_TEST_IS_DIR))
    return;
  if (!find (self, 0) && opened->current != 0)
    find (self, opened->current);
}

/* ---- starting the process ---- */

typedef struct {
  LsEngineTuning *self;         /* held */
  char           *folder;
} Starting;

static void
starting_free (Starting *starting)
{
  g_object_unref (starting->self);
  g_free (starting->folder);
  g_free (starting);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Starting, starting_free)

static void
started (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  g_autoptr (Starting) starting = data;
  LsEngineTuning *self = starting->self;
  g_autofree char *said = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) names = NULL;
  gboolean done = g_subprocess_communicate_utf8_finish (G_SUBPROCESS (source), result, NULL, &said, &error);

  /* Another program is shown meanwhile: the search goes on without us. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->starting);
  names = ls_search_run_list (starting->folder);
  if (done && names[0] != NULL && (g_subprocess_get_successful (G_SUBPROCESS (source)) || ls_search_run_get_holder (starting->folder, choose_run (names, starting->folder)) != 0))
    {
      follow (self, starting->folder, choose_run (names, starting->folder));
      return;
    }
  ls_tuning_clear (LS_TUNING (self));
  ls_tuning_tell (LS_TUNING (self), error != NULL ? error->message : said != NULL ? g_strstrip (said) : NULL);
}

/* The command line of the process. (transfer full), of texts that are its own */
static GPtrArray *
command_of (LsEngineTuning *self,
            const char     *program,
            const char     *folder,
            guint           trials,
            guint           seconds)
{
  GPtrArray *arguments = g_ptr_array_new_with_free_func (g_free);
  const LsDocumentRecord *opened = ls_document_get (self->document);
  LsModule *module = ls_schedule_get_module (ls_history_get (opened->history, self->node)->schedule);
  const char *func = is_relax (module) ? NULL : ls_run_function (module);
  const char *queue = ls_tuning_get_queue (LS_TUNING (self));
  const char *const fixed[] = { "tune", program, "--detach", "-o", folder, "--seed", SEED, "--budget-ms", BUDGET_MS };
  char *command = ls_search_run_locate_command ();

  if (command == NULL)
    return arguments;
  g_ptr_array_add (arguments, command);
  for (guint i = 0; i < G_N_ELEMENTS (fixed); i++)
    g_ptr_array_add (arguments, g_strdup (fixed[i]));
  g_ptr_array_add (arguments, g_strdup_printf ("--trials=%u", trials));
  g_ptr_array_add (arguments, g_strdup_printf ("--seconds=%u", seconds));
  if (func != NULL)
    g_ptr_array_add (arguments, g_strdup_printf ("--func=%s", func));
  if (opened->target != NULL)
    g_ptr_array_add (arguments, g_strdup_printf ("--target=%s", opened->target));
  if (*queue != '\0')
    g_ptr_array_add (arguments, g_strdup_printf ("--queue=%s", queue));
  g_ptr_array_add (arguments, NULL);
  return arguments;
}

/* FALSE with the reason. */
static gboolean
spawn (LsEngineTuning  *self,
       const char      *text,
       guint            trials,
       guint            seconds,
       GError         **error)
{
  g_autofree char *folder = ls_search_run_folder (text), *program = g_build_filename (folder, "program.py", NULL);
  g_autoptr (GPtrArray) command = command_of (self, program, folder, trials, seconds);
  g_autoptr (GSubprocess) child = NULL;
  Starting *starting;

  if (command->len == 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _("loopscope-cli, which searches, is not beside this program, and not in PATH."));
      return FALSE;
    }
  if (g_mkdir_with_parents (folder, 0755) != 0 || !g_file_set_contents (program, text, -1, error))
    {
      if (error != NULL && *error == NULL)
        g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _("%s cannot be made."), folder);
      return FALSE;
    }
  child = g_subprocess_newv ((const char *const *) command->pdata, G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error);
  if (child == NULL)
    return FALSE;
  self->starting = g_cancellable_new ();
  starting = g_new0 (Starting, 1);
  starting->self = g_object_ref (self);
  starting->folder = g_steal_pointer (&folder);
  g_subprocess_communicate_utf8_async (child, NULL, self->starting, started, starting);
  return TRUE;
}

static void
tuning_start (LsTuning *tuning,
              gboolean  shown,
              guint     trials,
              guint     seconds)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);
  const LsDocumentRecord *opened = ls_document_get (self->document);
  const LsTuningRecord begun = { .state = LS_TUNING_RUNNING, .planned = trials, .seconds_left = -1.0 };
  g_autoptr (LsFleetAddress) queue = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (tuning_get_refusal (tuning) != NULL)
    return;
  if (*ls_tuning_get_queue (tuning) != '\0' && (queue = ls_fleet_address_parse (ls_tuning_get_queue (tuning), NULL, &error)) == NULL)
    {
      ls_tuning_tell (tuning, error->message);
      return;
    }
  let_go (self);
  clear (self);
  self->node = shown ? opened->current : 0;
  self->number = opened->number;
  text = text_at (self, self->node);
  if (spawn (self, text, trials, seconds, &error))
    ls_tuning_set (tuning, &begun);
  else
    ls_tuning_tell (tuning, error->message);
}

static void
wish (LsEngineTuning *self,
      const char     *what)
{
  if (self->run != NULL && !ls_search_run_wish (self->run, what, NULL))
    ls_tuning_tell (LS_TUNING (self), end_words (LS_SEARCH_RUN_LOST));
}

static void
tuning_pause (LsTuning *tuning)
{
  wish (LS_ENGINE_TUNING (tuning), "pause");
}

static void
tuning_resume (LsTuning *tuning)
{
  wish (LS_ENGINE_TUNING (tuning), "resume");
}

static void
tuning_stop (LsTuning *tuning)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);

  if (self->run == NULL || ls_search_run_get_state (self->run) == LS_SEARCH_ENDED)
    return;
  self->stopping = TRUE;
  wish (self, "stop");
  on_changed (self);
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

  if (self->run == NULL || opened->history == NULL || opened->number != self->number || number > ls_search_run_get_trials (self->run)->len)
    return FALSE;
  name = g_strdup_printf (_("candidate %u"), number);
  words = g_strdup_printf (_("Candidate %u is a branch of the history, and shown on the other pages."), number);
  if (g_hash_table_lookup_extended (self->opened, GUINT_TO_POINTER (number), NULL, &known) && GPOINTER_TO_UINT (known) < ls_history_get_n (opened->history))
    {
      ls_document_go (self->document, GPOINTER_TO_UINT (known));
      ls_tuning_tell (tuning, words);
      return TRUE;
    }
  trial = g_ptr_array_index (ls_search_run_get_trials (self->run), number - 1);
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
  clear (self);
  self->looked = 0;
}

static void
ls_engine_tuning_finalize (GObject *object)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (object);

  let_go (self);
  g_hash_table_unref (self->opened);
  g_free (self->trouble);
  g_clear_pointer (&self->tree, ls_tune_tree_free);
  g_object_unref (self->document);
  G_OBJECT_CLASS (ls_engine_tuning_parent_class)->finalize (object);
}

static void
ls_engine_tuning_class_init (LsEngineTuningClass *klass)
{
  LsTuningClass *tuning = LS_TUNING_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ls_engine_tuning_finalize;
  tuning->start = tuning_start;
  tuning->look = tuning_look;
  tuning->pause = tuning_pause;
  tuning->resume = tuning_resume;
  tuning->stop = tuning_stop;
  tuning->open = tuning_open;
  tuning->compare = tuning_compare;
  tuning->branch = tuning_branch;
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
