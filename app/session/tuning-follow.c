/* tuning-follow: the log of a search as trials, and of each function of a module. */
#include "app/session/tuning-private.h"

#include "app/session/advice-words.h"
#include "app/session/tuning-tree.h"
#include "engine/runtime/runtime.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define WORTH_EVERY 4           /* programs between two looks at what decisions are worth */

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

/* ---- the trials --------------------------------------------------------------------- */

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

void
ls_engine_tuning_changed (LsEngineTuning *self)
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

void
ls_engine_tuning_show_task (LsEngineTuning *self,
                            guint           number)
{
  LsTuningTaskRun *task;

  if (self->tasks == NULL || number >= self->tasks->len || (self->task == number && self->shown != NULL))
    return;
  task = self->tasks->pdata[number];
  forget_items (self);
  self->task = number;
  self->shown = task->run;
  start_task (task);
  /* What was read before it was shown; of what is read now items are there already. */
  for (guint i = g_list_model_get_n_items (ls_tuning_get_items (LS_TUNING (self))); i < ls_search_run_get_trials (task->run)->len; i++)
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
    ls_engine_tuning_show_task (self, 0);
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

/* ---- following, and no more ------------------------------------------------------------ */

/* It goes on by itself. */
void
ls_engine_tuning_let_go (LsEngineTuning *self)
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

void
ls_engine_tuning_clear (LsEngineTuning *self)
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
  ls_engine_tuning_clear (self);
}

void
ls_engine_tuning_follow (LsEngineTuning *self,
                         const char     *folder,
                         const char     *name)
{
  g_free (self->folder);
  self->folder = g_strdup (folder);
  self->run = ls_search_run_new (folder, name);
  self->number = ls_document_get (self->document)->number;
  g_signal_connect_swapped (self->run, "trial", G_CALLBACK (on_trial), self);
  g_signal_connect_swapped (self->run, "changed", G_CALLBACK (ls_engine_tuning_changed), self);
  g_signal_connect_swapped (self->run, "ended", G_CALLBACK (on_ended), self);
  g_signal_connect_swapped (self->run, "restarted", G_CALLBACK (on_restarted), self);
  ls_search_run_start (self->run);
}
