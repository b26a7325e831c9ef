/* LsSearchModel: searches that pause while another one has its turn. */
#include "app/search/model.h"

#include <math.h>

#define ALPHA 0.2               /* of what was gained lately, against what falls by itself */
#define WINDOW 3                /* slices: lately */
#define TICK_MS 500

typedef struct {
  LsSearchTask   *task;         /* of the array */
  char           *run;
  LsSearch       *search;
  guint           target;       /* draws at which its turn ends */
  guint           programs;     /* that it had when its turn began */
  GArray         *history;      /* of double: best after each of its slices, ns */
  gboolean        over;
} Task;

struct _LsSearchModel
{
  GObject        parent_instance;
  GPtrArray     *tasks;         /* of LsSearchTask */
  GArray        *states;        /* of Task */
  guint          trials;        /* at most */
  gint64         seconds;
  gint64         since;         /* of the monotonic clock */
  double         before;
  guint          tick;
  int            active;        /* whose turn it is, or -1 */
  LsSearchState  state;
  LsSearchEnd    end;
  char          *problem;
};

G_DEFINE_FINAL_TYPE (LsSearchModel, ls_search_model, G_TYPE_OBJECT)

enum { CHANGED, ENDED, N_SIGNALS };

static guint signals[N_SIGNALS];

static void go_on (LsSearchModel *self);

static Task *
task_at (LsSearchModel *self,
         guint          i)
{
  return &g_array_index (self->states, Task, i);
}

/* ---- how it stands -------------------------------------------------------------- */

void
ls_search_model_get_task (LsSearchModel     *self,
                          guint              i,
                          LsSearchTaskState *state)
{
  Task *task = task_at (self, i);
  LsSearchTrial *best = ls_search_get_best (task->search);
  LsSearchCounts counts;

  ls_search_get_counts (task->search, &counts);
  *state = (LsSearchTaskState) { .name = task->task->name, .run = task->run, .weight = task->task->weight, .trials = ls_search_get_trials (task->search)->len, .base = counts.base_median,
                                 .best = counts.base_median, .active = self->active == (int) i, .over = task->over };
  if (best != NULL && (state->best <= 0 || best->median < state->best))
    state->best = best->median;
  if (state->best <= 0)
    state->problem = ls_search_get_problem (task->search) != NULL ? ls_search_get_problem (task->search) : ls_search_get_refusal (task->search);
}

guint
ls_search_model_get_n (LsSearchModel *self)
{
  return self->states->len;
}

LsSearch *
ls_search_model_get_search (LsSearchModel *self,
                            guint          i)
{
  return task_at (self, i)->search;
}

guint
ls_search_model_get_trials (LsSearchModel *self)
{
  guint n = 0;

  for (guint i = 0; i < self->states->len; i++)
    n += ls_search_get_trials (task_at (self, i)->search)->len;
  return n;
}

static double
sum (LsSearchModel *self,
     gboolean       best)
{
  double all = 0;

  for (guint i = 0; i < self->states->len; i++)
    {
      LsSearchTaskState state;

      ls_search_model_get_task (self, i, &state);
      if (!(state.base > 0))
        return 0;
      all += state.weight * (best ? state.best : state.base);
    }
  return all;
}

double
ls_search_model_get_base (LsSearchModel *self)
{
  return sum (self, FALSE);
}

double
ls_search_model_get_total (LsSearchModel *self)
{
  return sum (self, TRUE);
}

static double
seconds_run (LsSearchModel *self)
{
  return self->before + (self->state == LS_SEARCH_RUNNING ? (double) (g_get_monotonic_time () - self->since) / 1e6 : 0);
}

/* ---- whose turn it is -------------------------------------------------------------- */

/* What one more trial is expected to gain, ns of the whole module. */
static double
gain_of (LsSearchModel *self,
         guint          i)
{
  Task *task = task_at (self, i);
  guint n = task->history->len;
  double best = n > 0 ? g_array_index (task->history, double, n - 1) : INFINITY, lately = 0;

  if (!isfinite (best))
    return -1;
  if (n > WINDOW && isfinite (g_array_index (task->history, double, n - 1 - WINDOW)))
    lately = (g_array_index (task->history, double, n - 1 - WINDOW) - best) / WINDOW;
  return task->task->weight * (ALPHA * lately + (1 - ALPHA) * best / n);
}

/* Each once, in their order; then the one of which most is expected. -1: all are over. */
static int
choose (LsSearchModel *self)
{
  int chosen = -1;

  for (guint i = 0; i < self->states->len; i++)
    if (!task_at (self, i)->over && task_at (self, i)->history->len == 0)
      return (int) i;
  for (guint i = 0; i < self->states->len; i++)
    if (!task_at (self, i)->over && (chosen < 0 || gain_of (self, i) > gain_of (self, (guint) chosen)))
      chosen = (int) i;
  return chosen;
}

static void
end_turn (LsSearchModel *self)
{
  Task *task = task_at (self, (guint) self->active);
  LsSearchTaskState state;
  double best;

  ls_search_model_get_task (self, (guint) self->active, &state);
  best = state.best > 0 ? state.best : INFINITY;
  /* Draws that gave nothing new: its space is small. */
  task->over |= state.trials == task->programs;
  g_array_append_val (task->history, best);
  self->active = -1;
}

static void
begin_turn (LsSearchModel *self,
            guint          i)
{
  Task *task = task_at (self, i);
  guint used = ls_search_model_get_trials (self);
  LsSearchCounts counts;

  ls_search_get_counts (task->search, &counts);
  self->active = (int) i;
  task->programs = ls_search_get_trials (task->search)->len;
  task->target = counts.trials + MIN (LS_SEARCH_SLICE, self->trials - used);
  ls_search_allow (task->search, task->target);
  if (ls_search_get_state (task->search) == LS_SEARCH_WAITING)
    ls_search_start (task->search);
  else
    ls_search_resume (task->search);
}

static void
finish (LsSearchModel *self)
{
  for (guint i = 0; i < self->states->len; i++)
    if (ls_search_get_state (task_at (self, i)->search) != LS_SEARCH_ENDED)
      return;
  if (self->state == LS_SEARCH_ENDED)
    return;
  self->before = seconds_run (self);
  self->state = LS_SEARCH_ENDED;
  self->active = -1;
  g_clear_handle_id (&self->tick, g_source_remove);
  g_signal_emit (self, signals[CHANGED], 0);
  g_signal_emit (self, signals[ENDED], 0);
}

static void
end_all (LsSearchModel *self,
         LsSearchEnd    end)
{
  if (self->end != LS_SEARCH_END_NONE)
    return;
  self->end = end;
  for (guint i = 0; i < self->states->len; i++)
    ls_search_stop (task_at (self, i)->search);
  finish (self);
}

static void
go_on (LsSearchModel *self)
{
  int next;

  if (self->end != LS_SEARCH_END_NONE)
    finish (self);
  if (self->end != LS_SEARCH_END_NONE || self->state != LS_SEARCH_RUNNING || self->active >= 0)
    return;
  next = ls_search_model_get_trials (self) < self->trials ? choose (self) : -1;
  if (next >= 0)
    begin_turn (self, (guint) next);
  else
    end_all (self, ls_search_model_get_trials (self) >= self->trials ? LS_SEARCH_END_TRIALS : LS_SEARCH_END_SPACE);
}

/* It has drawn what it may, and all of that is measured. */
static gboolean
is_through (Task *task)
{
  LsSearchCounts counts;

  ls_search_get_counts (task->search, &counts);
  return counts.trials >= task->target && ls_search_get_n_waiting (task->search) == 0;
}

static gboolean
rests (Task *task)
{
  return ls_search_get_state (task->search) == LS_SEARCH_ENDED || (ls_search_get_state (task->search) == LS_SEARCH_PAUSED && ls_search_get_n_waiting (task->search) == 0);
}

/* One that the user lets pause keeps its turn. */
static gboolean
has_turn (LsSearchModel *self,
          guint          i)
{
  return self->active == (int) i && self->state == LS_SEARCH_RUNNING && self->end == LS_SEARCH_END_NONE;
}

static void
on_changed (LsSearch      *search,
            LsSearchModel *self)
{
  g_autoptr (LsSearchModel) held = g_object_ref (self);

  for (guint i = 0; i < self->states->len; i++)
    if (task_at (self, i)->search == search)
      {
        task_at (self, i)->over |= ls_search_get_state (search) == LS_SEARCH_ENDED && self->end == LS_SEARCH_END_NONE;
        /* To pause tells of a change, with which its turn may end, and another one begin. */
        if (has_turn (self, i) && ls_search_get_state (search) == LS_SEARCH_RUNNING && is_through (task_at (self, i)))
          ls_search_pause (search);
        if (has_turn (self, i) && rests (task_at (self, i)))
          end_turn (self);
      }
  if (self->state != LS_SEARCH_ENDED)
    g_signal_emit (self, signals[CHANGED], 0);
  go_on (self);
}

/* ---- asked from outside ---------------------------------------------------------------- */

static gboolean
tick (gpointer data)
{
  LsSearchModel *self = data;

  if (self->seconds == 0 || seconds_run (self) < (double) self->seconds)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  end_all (self, LS_SEARCH_END_TIME);
  return G_SOURCE_REMOVE;
}

static void
run (LsSearchModel *self)
{
  self->state = LS_SEARCH_RUNNING;
  self->since = g_get_monotonic_time ();
  self->tick = g_timeout_add (TICK_MS, tick, self);
}

void
ls_search_model_start (LsSearchModel *self)
{
  if (self->state != LS_SEARCH_WAITING)
    return;
  run (self);
  go_on (self);
}

void
ls_search_model_pause (LsSearchModel *self)
{
  if (self->state != LS_SEARCH_RUNNING || self->end != LS_SEARCH_END_NONE)
    return;
  self->before = seconds_run (self);
  self->state = LS_SEARCH_PAUSED;
  g_clear_handle_id (&self->tick, g_source_remove);
  if (self->active >= 0)
    ls_search_pause (task_at (self, (guint) self->active)->search);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
ls_search_model_resume (LsSearchModel *self)
{
  if (self->state != LS_SEARCH_PAUSED || self->end != LS_SEARCH_END_NONE)
    return;
  run (self);
  if (self->active >= 0 && ls_search_get_state (task_at (self, (guint) self->active)->search) == LS_SEARCH_PAUSED)
    ls_search_resume (task_at (self, (guint) self->active)->search);
  else if (self->active >= 0)
    end_turn (self);
  g_signal_emit (self, signals[CHANGED], 0);
  go_on (self);
}

void
ls_search_model_stop (LsSearchModel *self)
{
  if (self->state == LS_SEARCH_PAUSED)
    run (self);
  end_all (self, LS_SEARCH_END_STOPPED);
}

LsSearchState
ls_search_model_get_state (LsSearchModel *self)
{
  return self->state;
}

LsSearchEnd
ls_search_model_get_end (LsSearchModel *self)
{
  return self->end;
}

const char *
ls_search_model_get_problem (LsSearchModel *self)
{
  return self->problem;
}

/* ---- life --------------------------------------------------------------------------------- */

static void
ls_search_model_finalize (GObject *object)
{
  LsSearchModel *self = LS_SEARCH_MODEL (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  for (guint i = 0; i < self->states->len; i++)
    {
      Task *task = task_at (self, i);

      g_signal_handlers_disconnect_by_data (task->search, self);
      g_object_unref (task->search);
      g_array_unref (task->history);
      g_free (task->run);
    }
  g_array_unref (self->states);
  g_ptr_array_unref (self->tasks);
  g_free (self->problem);
  G_OBJECT_CLASS (ls_search_model_parent_class)->finalize (object);
}

static void
ls_search_model_class_init (LsSearchModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_search_model_finalize;
  signals[CHANGED] = g_signal_new ("changed", LS_TYPE_SEARCH_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", LS_TYPE_SEARCH_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_search_model_init (LsSearchModel *self)
{
  self->states = g_array_new (FALSE, TRUE, sizeof (Task));
  self->active = -1;
}

LsSearchModel *
ls_search_model_new (GPtrArray             *tasks,
                     const LsSearchOptions *options)
{
  LsSearchModel *self = g_object_new (LS_TYPE_SEARCH_MODEL, NULL);
  LsSearchOptions own = *options;

  self->tasks = g_ptr_array_ref (tasks);
  self->trials = options->trials;
  self->seconds = options->seconds;
  own.seconds = 0;
  own.trials = MAX (options->trials, G_MAXINT / 2);      /* draws; each turn allows some */
  own.func = "main";
  for (guint i = 0; i < tasks->len; i++)
    {
      LsSearchTask *task = tasks->pdata[i];
      Task state = { .task = task, .run = ls_search_run_name (task->text), .history = g_array_new (FALSE, FALSE, sizeof (double)) };

      state.search = ls_search_new (task->module, task->text, &own);
      g_signal_connect (state.search, "changed", G_CALLBACK (on_changed), self);
      g_array_append_val (self->states, state);
    }
  return self;
}
