/* LsEngineTuning: a search that goes on in a process of its own, and its trials as items.
 *
 * The process is `loopscope-cli tune --detach`, in the folder of the user's cache for the program (app/search/run.h); here its log is read.  So it goes on
 * when the window is closed or killed, and is shown again when the page is; one that was cut short goes on when it is started again.
 */
#include "app/session/tuning-private.h"

#include "app/session/advice-words.h"
#include "app/session/run.h"
#include "app/session/sizes.h"
#include "app/session/tuning-start.h"
#include "app/session/tuning-tree.h"
#include "engine/runtime/runtime.h"
#include "engine/schedule/space/space.h"
#include "engine/script/printer.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define WORTH_EVERY 4           /* programs between two looks at what decisions are worth */

G_DEFINE_FINAL_TYPE (LsEngineTuning, ls_engine_tuning, LS_TYPE_TUNING)

/* ---- where it measures ------------------------------------------------------------- */

/* What the log says of the machine, as a sentence; other words stay as they are. (transfer full) */
static char *
describe_conditions (const char *text)
{
  g_autoptr (LsConditions) conditions = ls_conditions_read (text);
  g_autofree char *when = conditions != NULL ? ls_format_date (conditions->time) : NULL;
  g_autofree char *cores = NULL, *load = NULL;

  if (when == NULL)
    return g_strdup (text);
  cores = g_strdup_printf (conditions->pinned ? ngettext ("%d of %d core, pinned", "%d of %d cores, pinned", (gulong) conditions->n_cpus)
                                              : ngettext ("%d of %d core, not pinned", "%d of %d cores, not pinned", (gulong) conditions->n_cpus),
                           conditions->n_threads, conditions->n_cpus);
  load = conditions->load[0] >= 0.0 ? g_strdup_printf (_("load %.2f as it began"), conditions->load[0]) : NULL;
  return load != NULL ? g_strjoin (LS_PARTS, conditions->cpu, cores, load, when, NULL)
                      : g_strjoin (LS_PARTS, conditions->cpu, cores, when, NULL);
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
put_trial (LsEngineTuning *self,
           guint           number)
{
  LsTuning *tuning = LS_TUNING (self);
  GListModel *items = ls_tuning_get_items (tuning);
  LsSearchTrial *trial = g_ptr_array_index (ls_search_run_get_trials (self->shown), number);
  gboolean measured = trial->state == LS_TRIAL_MEASURED;
  LsSearchCounts counts;
  g_autofree char *proposal = ls_advice_say_moves (trial->proposal);
  LsTrialRecord record = {
    .number = number + 1,
    .state = state_of (trial),
    .family = trial->design == LS_TUNE_NO_DESIGN ? LS_TRIAL_NO_FAMILY : trial->design,
    .seconds = trial->timed && measured ? trial->median / 1e9 : 0.0,
    .predicted = isfinite (trial->predicted) ? trial->predicted / 1e9 : 0.0,
    .given_up = trial->given_up,
    .remembered = trial->remembered,
    .problem = trial->problem,
    .proposal = proposal,
  };
  g_autoptr (LsTrialItem) item = NULL;

  ls_search_run_get_counts (self->shown, &counts);
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

      ls_trial_item_add_decision (item, ls_decision_words_name (decision), ls_decision_words_value (decision));
    }
  ls_tuning_add (tuning, item);
}

static void
on_trial (LsEngineTuning *self,
          guint           number,
          LsSearchRun    *run)
{
  if (run == self->shown)
    put_trial (self, number);
}

static void
weigh (LsEngineTuning *self)
{
  g_autoptr (GArray) worth = NULL;
  GArray *shown = ls_tuning_worth_new ();
  LsSearchCounts counts;

  if (self->shown == NULL)
    return;
  ls_search_run_get_counts (self->shown, &counts);
  g_clear_pointer (&self->tree, ls_tune_tree_free);
  self->tree = ls_search_tree_of (ls_search_run_get_trials (self->shown), counts.n_designs);
  worth = ls_tune_tree_worth (self->tree, NULL);
  for (guint i = 0; i < worth->len; i++)
    {
      const LsTuneWorth *one = &g_array_index (worth, LsTuneWorth, i);
      LsTuningWorth said = { ls_decision_words_name (&one->decision), ls_decision_words_value (&one->decision), one->share, one->n_values };

      g_array_append_val (shown, said);
    }
  ls_tuning_take_worth (LS_TUNING (self), shown);
}

static void
tuning_branch (LsTuning       *tuning,
               LsDecisionItem *above,
               GPtrArray      *below)
{
  ls_tuning_tree_branch (LS_ENGINE_TUNING (tuning)->tree, above, below);
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

static void follow_tasks (LsEngineTuning *self);
static void start_next (LsEngineTuning *self);

/* The items know the time of the program as it was as soon as it is there; every few programs their decisions are weighed anew. */
static void
follow_items (LsEngineTuning       *self,
              const LsTuningRecord *record)
{
  double base = record->base;

  if (!self->base_known && base > 0.0)
    {
      self->base_known = TRUE;
      for (guint i = 0; i < ls_search_run_get_trials (self->shown)->len; i++)
        put_trial (self, i);
    }
  if (record->measured + record->remembered >= self->weighed + WORTH_EVERY)
    {
      self->weighed = record->measured + record->remembered;
      weigh (self);
    }
}

static void
on_changed (LsEngineTuning *self)
{
  LsTuningRecord record = { .state = tuning_state (self), .planned = ls_search_run_get_planned (self->run) };
  double base = 0.0, total = ls_search_run_get_total (self->run, &base);
  gboolean is_whole = ls_search_run_get_tasks (self->run) != NULL;
  g_autofree char *conditions = describe_conditions (ls_search_run_get_conditions (self->run));

  ls_tuning_fill_record (self->run, &record);
  if (is_whole)
    {
      record.base = base / 1e9;
      record.best = total / 1e9;
    }
  ls_tuning_set_conditions (LS_TUNING (self), conditions);
  ls_tuning_show_totals (LS_TUNING (self), self->run);
  ls_tuning_set (LS_TUNING (self), &record);
  ls_tuning_show_machines (LS_TUNING (self), self->run);
  ls_tuning_show_kinds (LS_TUNING (self), self->run);
  ls_tuning_show_tasks (LS_TUNING (self), self->run, total);
  show_trouble (self);
  if (is_whole)
    follow_tasks (self);
  else
    {
      self->shown = self->run;
      follow_items (self, &record);
    }
}

/* ---- the functions of a module --- */

static void
on_task_changed (LsEngineTuning *self,
                 LsSearchRun    *run)
{
  LsTuningRecord part = { .state = LS_TUNING_NONE };

  if (run == self->shown)
    {
      ls_tuning_fill_record (run, &part);
      ls_tuning_set_part (LS_TUNING (self), self->task, &part);
      follow_items (self, &part);
    }
  start_next (self);
}

static void
forget_items (LsEngineTuning *self)
{
  g_clear_pointer (&self->tree, ls_tune_tree_free);
  ls_tuning_clear_items (LS_TUNING (self));
  self->weighed = 0;
  self->best = 0.0;
  self->base_known = FALSE;
}

static void
on_task_restarted (LsEngineTuning *self,
                   LsSearchRun    *run)
{
  if (run == self->shown)
    forget_items (self);
}

static void
task_free (gpointer data)
{
  LsTuningTaskRun *self = data;

  g_object_unref (self->run);
  g_free (self->name);
  g_free (self);
}

static void
forget_tasks (LsEngineTuning *self)
{
  for (guint i = 0; self->tasks != NULL && i < self->tasks->len; i++)
    g_signal_handlers_disconnect_by_data (((LsTuningTaskRun *) self->tasks->pdata[i])->run, self);
  g_clear_pointer (&self->tasks, g_ptr_array_unref);
  self->shown = NULL;
  self->task = 0;
}

static void
start_task (LsTuningTaskRun *task)
{
  if (task->started)
    return;
  task->started = TRUE;
  ls_search_run_start (task->run);
}

/* Of one more function the log is read. */
static void
start_next (LsEngineTuning *self)
{
  for (guint i = 0; self->tasks != NULL && i < self->tasks->len; i++)
    if (!((LsTuningTaskRun *) self->tasks->pdata[i])->started)
      {
        start_task (self->tasks->pdata[i]);
        return;
      }
}

static void
tuning_show_task (LsTuning *tuning,
                  guint     number)
{
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);
  LsTuningTaskRun *task;

  if (self->tasks == NULL || number >= self->tasks->len || (self->task == number && self->shown != NULL))
    return;
  task = self->tasks->pdata[number];
  forget_items (self);
  self->task = number;
  self->shown = task->run;
  start_task (task);
  /* What was read before it was shown; of what is read now items are there already. */
  for (guint i = g_list_model_get_n_items (ls_tuning_get_items (tuning)); i < ls_search_run_get_trials (task->run)->len; i++)
    put_trial (self, i);
  on_task_changed (self, task->run);
}

static void
follow_tasks (LsEngineTuning *self)
{
  GPtrArray *all = ls_search_run_get_tasks (self->run);

  if (self->tasks == NULL)
    {
      self->tasks = g_ptr_array_new_with_free_func (task_free);
      for (guint i = 0; i < all->len; i++)
        {
          const LsSearchRunTask *one = all->pdata[i];
          LsTuningTaskRun *task = g_new0 (LsTuningTaskRun, 1);

          task->name = g_strdup (one->run);
          task->run = ls_search_run_new (self->folder, one->run);
          g_signal_connect_swapped (task->run, "trial", G_CALLBACK (on_trial), self);
          g_signal_connect_swapped (task->run, "changed", G_CALLBACK (on_task_changed), self);
          g_signal_connect_swapped (task->run, "restarted", G_CALLBACK (on_task_restarted), self);
          g_ptr_array_add (self->tasks, task);
        }
    }
  if (self->shown == NULL)
    tuning_show_task (LS_TUNING (self), 0);
  start_next (self);
}

static void
on_ended (LsEngineTuning *self)
{
  const char *words = ls_tuning_end_words (ls_search_run_get_end (self->run));
  const char *problem = ls_search_run_get_problem (self->run);
  const char *refusal = ls_search_run_get_best (self->run) == NULL ? ls_search_run_get_refusal (self->run) : NULL;
  g_autofree char *all = NULL;

  if (problem == NULL)
    problem = refusal;
  all = words != NULL && problem != NULL ? g_strdup_printf ("%s %s", words, problem) : g_strdup (problem != NULL ? problem : words);
  weigh (self);
  ls_tuning_tell (LS_TUNING (self), all == NULL ? self->unstarted : all);
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
  LsEngineTuning *self = LS_ENGINE_TUNING (tuning);
  LsHistoryNode *node = ls_document_get_node (self->document);
  LsModule *module = node != NULL ? ls_schedule_get_module (node->schedule) : NULL;
  const char *func;
  const LsFor *loop;

  if (node == NULL)
    return _("There is no program to search schedules of.");
  if (is_relax (module))
    return NULL;
  func = ls_run_function (module);
  if (func == NULL)
    return _("Without a TensorIR function there is nothing to schedule here.");
  loop = ls_space_dynamic_loop (ls_module_get (module, func));
  if (loop == NULL)
    return NULL;
  g_free (self->refusal);
  self->refusal = g_strdup_printf (_("How often loop %s runs is no fixed number, and a search divides such numbers: it takes a program with numbers for its sizes."),
                                   loop->loop_var->name);
  return self->refusal;
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
  forget_tasks (self);
  g_signal_handlers_disconnect_by_data (self->run, self);
  g_clear_object (&self->run);
}

static void
clear (LsEngineTuning *self)
{
  LsTuning *tuning = LS_TUNING (self);

  forget_tasks (self);
  g_clear_pointer (&self->tree, ls_tune_tree_free);
  ls_tuning_clear (tuning);
  ls_tuning_take_machines (tuning, NULL);
  ls_tuning_take_kinds (tuning, NULL);
  g_clear_pointer (&self->trouble, g_free);
  g_clear_pointer (&self->unstarted, g_free);
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

/* What symbolic sizes are given as, "n=256 m=8", or NULL. (transfer full) */
static char *
sizes_of (LsEngineTuning *self)
{
  g_autoptr (GPtrArray) list = ls_sizes_list (self->document);

  if (list->len == 0)
    return NULL;
  g_ptr_array_add (list, NULL);
  return g_strjoinv (" ", (char **) list->pdata);
}

/* The program at a node as the process gets it; with other sizes it is searched anew, so they stand in it. (transfer full) */
static char *
text_at (LsEngineTuning *self,
         guint           node)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };

  char *text = ls_script_print (ls_schedule_get_module (ls_history_get (ls_document_get (self->document)->history, node)->schedule), &whole, NULL);
  g_autofree char *sizes = sizes_of (self), *alone = sizes != NULL ? text : NULL;

  return sizes != NULL ? g_strdup_printf ("# sizes: %s\n%s", sizes, alone) : text;
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
  g_free (self->folder);
  self->folder = g_strdup (folder);
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

/* ---- starting the process ----
 *
 * Whatever the command that starts it says: where there is a run it is followed, for its log knows best.  It may have begun late, or be over before
 * anybody saw it begin.
 */

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
  if ((!done || !g_subprocess_get_successful (G_SUBPROCESS (source))) &&
      (names[0] == NULL || ls_search_run_get_holder (starting->folder, choose_run (names, starting->folder)) == 0))
    self->unstarted = error != NULL ? g_strdup (error->message) : g_strdup (said != NULL ? g_strstrip (said) : NULL);
  if (names[0] != NULL)
    follow (self, starting->folder, choose_run (names, starting->folder));
  else
    ls_tuning_clear (LS_TUNING (self));
  if (self->unstarted != NULL)
    ls_tuning_tell (LS_TUNING (self), self->unstarted);
}

/* FALSE with the reason. */
static gboolean
spawn (LsEngineTuning  *self,
       const char      *text,
       guint            trials,
       guint            seconds,
       GError         **error)
{
  const LsDocumentRecord *opened = ls_document_get (self->document);
  LsModule *module = ls_schedule_get_module (ls_history_get (opened->history, self->node)->schedule);
  g_autofree char *sizes = sizes_of (self);
  const LsTuningCommand command = { text, is_relax (module) ? NULL : ls_run_function (module), opened->target, is_relax (module) ? NULL : sizes,
                                    ls_tuning_get_queue (LS_TUNING (self)), trials, seconds };
  g_autoptr (GSubprocess) child = ls_tuning_spawn (&command, error);
  Starting *starting;

  if (child == NULL)
    return FALSE;
  self->starting = g_cancellable_new ();
  starting = g_new0 (Starting, 1);
  starting->self = g_object_ref (self);
  starting->folder = ls_search_run_folder (text);
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
    ls_tuning_tell (LS_TUNING (self), ls_tuning_end_words (LS_SEARCH_RUN_LOST));
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

static void
tuning_open (LsTuning    *tuning,
             LsTrialItem *item)
{
  ls_engine_tuning_open (LS_ENGINE_TUNING (tuning), item);
}

static void
tuning_keep_all (LsTuning *tuning)
{
  ls_engine_tuning_keep_all (LS_ENGINE_TUNING (tuning));
}

static gboolean
tuning_compare (LsTuning    *tuning,
                LsTrialItem *left,
                LsTrialItem *right,
                guint        nodes[2])
{
  return ls_engine_tuning_compare (LS_ENGINE_TUNING (tuning), left, right, nodes);
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
  g_free (self->refusal);
  g_free (self->trouble);
  g_free (self->unstarted);
  g_free (self->folder);
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
  tuning->show_task = tuning_show_task;
  tuning->keep_all = tuning_keep_all;
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
