/* LsSearch: turns of the tuner in a thread, jobs in workers, and the main loop that hands results from these to that.
 *
 * There is one turn (turn.h) at a time, and only it touches the tuner; what it found is copied into trials when it is over.
 */
#include "app/search/search.h"

#include "app/search/measurer.h"
#include "app/search/turn.h"
#include "engine/base/task.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define GIVE_UP 8               /* times the best: as slow as that in each of its first runs, a program is hopeless */
#define GIVE_UP_FLOOR 10e6      /* ns: below, a first run says little, and measuring costs little */
#define SLOW 1.5                /* times the best: that slow, it needs no exact time */
#define TICK_MS 500

struct _LsSearch
{
  GObject          parent_instance;

  LsModule        *module;
  char            *text;
  LsSearchOptions  options;     /* its texts are ours */
  char           **set;
  GPtrArray       *designs;

  GArray          *kinds;       /* of LsTuneKind, or NULL */
  guint            allowed;     /* trials for now; 0: all of them */

  LsSearchState    state;
  LsSearchEnd      end;
  char            *problem, *note, *refusal, *conditions;
  GPtrArray       *trials;      /* of LsSearchTrial */
  GPtrArray       *results;     /* of LsSearchTrial (borrowed): the tuner was not told yet, or they could not be kept */
  gboolean         unkept;      /* the problem is that the database takes nothing */
  gboolean         last_try;    /* it was tried once more at the end */
  GQueue           ready;       /* of LsSearchTrial (borrowed): drawn, no worker has it */
  guint            n_trials, n_refused, n_remembered, n_designs, n_elsewhere;
  gboolean         thinking;    /* a turn is under way */
  gboolean         exhausted;   /* the tuner gives nothing any more */
  gint             stop;        /* of the turn; atomic */

  LsMeasurer      *measurer;    /* made when it starts */
  guint            n_out;       /* jobs that it has */
  GArray          *late;        /* of LsSearchLate: measured for an earlier life of the search, the tuner was not told yet */
  gboolean         base_asked, closing;
  double           base_min, base_median, base_iqr, model_share;

  gint64           since;       /* when it was started or resumed, of the monotonic clock */
  double           before;      /* seconds that it ran before that */
  guint            tick;
  LsTuneDatabase  *database;    /* made by the first turn */
  LsTuner         *tuner;       /* for turns alone */
};

G_DEFINE_FINAL_TYPE (LsSearch, ls_search, G_TYPE_OBJECT)

enum { TRIAL, CHANGED, ENDED, N_SIGNALS };

static guint signals[N_SIGNALS];

static void pump (LsSearch *self);
static void end_early (LsSearch *self, LsSearchEnd end);

/* ---- a turn of the tuner ------------------------------------------------------- */

static void
think (GTask        *task,
       gpointer      source,
       gpointer      task_data,
       GCancellable *cancellable)
{
  ls_search_turn_run (task_data);
  g_task_return_boolean (task, TRUE);
}

static double
seconds_run (LsSearch *self)
{
  return self->before + (self->state == LS_SEARCH_RUNNING ? (double) (g_get_monotonic_time () - self->since) / 1e6 : 0);
}

static void
add_trial (LsSearch      *self,
           LsSearchTrial *trial)
{
  trial->number = self->trials->len;
  g_ptr_array_add (self->trials, trial);
  if (trial->state == LS_TRIAL_DRAWN)
    g_queue_push_tail (&self->ready, trial);
  g_signal_emit (self, signals[TRIAL], 0, trial->number);
}

/* What is kept may be forgotten by the queue; what could not be is tried again with the next turn. */
static void
settle (LsSearch *self,
        LsSearchTurn     *turn)
{
  for (guint i = 0; i < turn->results->len; i++)
    {
      LsSearchResult *result = &g_array_index (turn->results, LsSearchResult, i);

      result->trial->told = TRUE;
      if (result->kept && result->trial->job != NULL)
        ls_measurer_settle (self->measurer, result->trial->job);
      else if (!result->kept)
        g_ptr_array_add (self->results, result->trial);
    }
  for (guint i = 0; i < turn->late->len; i++)
    ls_measurer_settle (self->measurer, g_array_index (turn->late, LsSearchLate, i).job);
}

/* It has drawn what it may draw for now. */
static gboolean
is_at_limit (LsSearch *self)
{
  return self->allowed > 0 && self->allowed < self->options.trials && self->n_trials + self->options.n_lost >= self->allowed;
}

static void
thought (GObject      *source,
         GAsyncResult *result,
         gpointer      data)
{
  LsSearch *self = LS_SEARCH (source);
  LsSearchTurn *turn = g_task_get_task_data (G_TASK (result));
  gboolean told = FALSE;

  self->thinking = FALSE;
  self->tuner = g_steal_pointer (&turn->tuner);
  self->database = g_steal_pointer (&turn->database);
  self->n_trials = turn->n_trials;
  self->n_refused = turn->n_refused;
  self->n_designs = turn->n_designs;
  self->model_share = turn->model_share;
  self->n_remembered += turn->n_remembered;
  self->n_elsewhere += turn->n_elsewhere;
  self->exhausted |= turn->exhausted && !is_at_limit (self);
  if (self->refusal == NULL)
    self->refusal = g_steal_pointer (&turn->refusal);
  if (turn->note != NULL)
    self->note = g_steal_pointer (&turn->note);
  if (turn->kinds != NULL)
    {
      g_clear_pointer (&self->kinds, g_array_unref);
      self->kinds = g_steal_pointer (&turn->kinds);
    }
  if (turn->problem != NULL)
    {
      g_free (self->problem);
      self->problem = g_steal_pointer (&turn->problem);
      self->unkept = !turn->failed;
      told = TRUE;
    }
  for (guint i = 0; i < self->trials->len; i++)
    ((LsSearchTrial *) self->trials->pdata[i])->n_drawn = ((LsSearchTrial *) self->trials->pdata[i])->drawn->n_drawn;
  while (turn->drawn->len > 0)
    add_trial (self, g_ptr_array_steal_index (turn->drawn, 0));
  settle (self, turn);
  if (self->unkept && !told && self->results->len == 0)
    {
      g_clear_pointer (&self->problem, g_free);
      self->unkept = FALSE;
    }
  if (turn->failed)
    end_early (self, LS_SEARCH_END_ERROR);
  pump (self);
}

/* What was measured, for the tuner. */
static GArray *
take_results (LsSearch *self)
{
  GArray *results = ls_search_results_new ();

  for (guint i = 0; i < self->results->len; i++)
    {
      LsSearchTrial *trial = self->results->pdata[i];
      LsSearchResult result = { trial, trial->drawn, trial->state == LS_TRIAL_MEASURED ? trial->median / 1e9 : -1, g_strdup (trial->problem), trial->told, FALSE };

      g_array_append_val (results, result);
    }
  g_ptr_array_set_size (self->results, 0);
  return results;
}

static void
begin_turn (LsSearch *self,
            guint     n_wanted)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, thought, NULL);
  LsSearchTurn *turn = ls_search_turn_new ();

  turn->results = take_results (self);
  turn->late = g_steal_pointer (&self->late);
  self->late = ls_search_late_new ();
  turn->kind = ls_search_mark (ls_measurer_get_kind (self->measurer), ls_bundle_is_target (self->options.target) ? (const char *const *) self->set : NULL);
  turn->target = g_strdup (self->options.target);
  turn->func = g_strdup (self->options.func);
  turn->n_wanted = n_wanted;
  turn->stop = &self->stop;
  turn->max_trials = (self->allowed > 0 ? MIN (self->allowed, self->options.trials) : self->options.trials) - self->options.n_lost;
  turn->tuner = g_steal_pointer (&self->tuner);
  turn->database = g_steal_pointer (&self->database);
  turn->module = ls_ref (self->module);
  turn->designs = self->designs != NULL ? g_ptr_array_ref (self->designs) : NULL;
  turn->tuner_options = (LsTunerOptions) { .strategy = self->options.strategy, .model = self->options.model, .seed = self->options.seed,
                                           .max_jobs = 16 * (gint64) g_get_num_processors (), .postprocs = self->options.rules, .decided = self->options.decided };
  turn->folder = g_strdup (self->options.database);
  self->thinking = TRUE;
  g_task_set_task_data (task, turn, ls_search_turn_free);
  ls_task_run (task, think);
}

/* ---- jobs ------------------------------------------------------------------------ */

typedef struct {
  LsSearch      *search;        /* held */
  LsSearchTrial *trial;         /* NULL: the unscheduled program */
} Job;

LsSearchTrial *
ls_search_best_of (GPtrArray *trials)
{
  LsSearchTrial *best = NULL;

  for (guint i = 0; i < trials->len; i++)
    {
      LsSearchTrial *trial = trials->pdata[i];

      if (trial->state == LS_TRIAL_MEASURED && (best == NULL || trial->median < best->median))
        best = trial;
    }
  return best;
}

LsSearchTrial *
ls_search_get_best (LsSearch *self)
{
  return ls_search_best_of (self->trials);
}

static void
take_answer (LsSearch      *self,
             LsSearchTrial *trial,
             GVariant      *answer)
{
  if (self->conditions == NULL)
    self->conditions = g_strdup (ls_params_string (answer, "conditions", ""));
  if (trial == NULL)
    {
      self->base_min = ls_params_double (answer, "min", 0);
      self->base_median = ls_params_double (answer, "median", 0);
      self->base_iqr = ls_params_double (answer, "iqr", 0);
      return;
    }
  trial->min = ls_params_double (answer, "min", 0);
  trial->median = ls_params_double (answer, "median", 0);
  trial->iqr = ls_params_double (answer, "iqr", 0);
  trial->given_up = ls_params_bool (answer, "given-up", FALSE);
  trial->machine = g_strdup (ls_params_string (answer, "machine", NULL));
  trial->timed = TRUE;
  trial->state = ls_params_bool (answer, "equal", FALSE) ? LS_TRIAL_MEASURED : LS_TRIAL_FAILED;
  if (trial->state == LS_TRIAL_FAILED)
    trial->problem = g_strdup (ls_params_string (answer, "mismatch", _("it computes something else")));
}

static void
measured (GVariant     *answer,
          const GError *error,
          gpointer      data)
{
  Job *job = data;
  g_autoptr (LsSearch) self = job->search;
  LsSearchTrial *trial = job->trial;

  self->n_out--;
  g_free (job);
  if (answer != NULL)
    take_answer (self, trial, answer);
  else if (trial == NULL && self->end == LS_SEARCH_END_NONE)
    self->problem = g_strdup_printf (_("The program as it is was not measured: %s"), error->message);
  else if (trial != NULL && self->end != LS_SEARCH_END_NONE && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    trial->state = LS_TRIAL_DRAWN;
  else if (trial != NULL)
    {
      trial->state = LS_TRIAL_FAILED;
      trial->problem = g_strdup (error->message);
    }
  if (trial != NULL && trial->state != LS_TRIAL_DRAWN)
    g_ptr_array_add (self->results, trial);
  if (trial != NULL)
    g_signal_emit (self, signals[TRIAL], 0, trial->number);
  pump (self);
}

/* How long the first runs of a program may take before it is given up, in ns; 0: as long as it wants.  The unscheduled one is timed
 * as long as that takes no longer than a measurement. */
static gint64
give_up_ns (LsSearch      *self,
            LsSearchTrial *trial)
{
  LsSearchTrial *best = ls_search_get_best (self);

  if (trial == NULL)
    return self->options.budget_ms * 1000000;
  return best != NULL ? (gint64) MAX (GIVE_UP * best->median, GIVE_UP_FLOOR) : 0;
}

/* From where on five samples are enough, in ns; 0: they never are. */
static gint64
slow_ns (LsSearch      *self,
         LsSearchTrial *trial)
{
  LsSearchTrial *best = trial != NULL ? ls_search_get_best (self) : NULL;

  return best != NULL ? (gint64) (SLOW * best->median) : 0;
}

/* The programs that come after this one, as far as the measurer builds them beside it. */
static void
put_ahead (LsSearch     *self,
           GVariantDict *params)
{
  const char *texts[LS_SEARCH_MAX_AHEAD];
  guint n = 0, most = MIN (ls_measurer_get_ahead (self->measurer), LS_SEARCH_MAX_AHEAD);

  for (GList *at = self->ready.head; at != NULL && n < most; at = at->next)
    texts[n++] = ((LsSearchTrial *) at->data)->text;
  if (n > 0)
    g_variant_dict_insert_value (params, "ahead", g_variant_new_strv (texts, n));
}

static void
start_job (LsSearch      *self,
           LsSearchTrial *trial)
{
  static const char *const none[] = { NULL };
  g_autofree char *trace = trial != NULL ? ls_trace_to_json (trial->trace, FALSE) : NULL, *name = NULL;
  GVariantDict params;
  Job *job = g_new0 (Job, 1);

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", trial != NULL ? trial->text : self->text);
  g_variant_dict_insert_value (&params, "set", g_variant_new_strv (self->set != NULL ? (const char *const *) self->set : none, -1));
  g_variant_dict_insert (&params, "budget-ms", "x", self->options.budget_ms);
  g_variant_dict_insert (&params, "give-up-ns", "x", give_up_ns (self, trial));
  g_variant_dict_insert (&params, "slow-ns", "x", slow_ns (self, trial));
  g_variant_dict_insert (&params, "seed", "x", (gint64) 0);
  if (self->options.func != NULL)
    g_variant_dict_insert (&params, "func", "s", self->options.func);
  if (self->options.target != NULL)
    g_variant_dict_insert (&params, "target", "s", self->options.target);
  if (trial != NULL)
    put_ahead (self, &params);
  *job = (Job) { g_object_ref (self), trial };
  self->n_out++;
  if (trial != NULL)
    {
      trial->state = LS_TRIAL_RUNNING;
      g_signal_emit (self, signals[TRIAL], 0, trial->number);
    }
  name = ls_measurer_measure (self->measurer, g_variant_dict_end (&params), trace, measured, job);
  if (trial != NULL)
    trial->job = g_steal_pointer (&name);
}

/* ---- what is to be done next ----------------------------------------------------- */

/* The measurer has let go of everything. */
static void
closed (gpointer data)
{
  g_autoptr (LsSearch) self = data;

  self->before = seconds_run (self);
  self->state = LS_SEARCH_ENDED;
  g_clear_handle_id (&self->tick, g_source_remove);
  g_signal_emit (self, signals[CHANGED], 0);
  g_signal_emit (self, signals[ENDED], 0);
}

static void
finish (LsSearch *self,
        LsSearchEnd end)
{
  self->end = end;
  if (self->closing)
    return;
  self->closing = TRUE;
  g_object_ref (self);
  if (self->measurer != NULL)
    ls_measurer_close (self->measurer, self->results->len == 0, closed, self);
  else
    closed (self);
}

static void
hand_out (LsSearch *self)
{
  while (ls_measurer_get_room (self->measurer) > 0)
    {
      if (!self->base_asked)
        {
          self->base_asked = TRUE;
          start_job (self, NULL);
        }
      else if (!g_queue_is_empty (&self->ready))
        start_job (self, g_queue_pop_head (&self->ready));
      else
        break;
    }
}

/* Whether the tuner has not heard of something yet; what only could not be kept does not count. */
static gboolean
has_news (LsSearch *self)
{
  for (guint i = 0; i < self->results->len; i++)
    if (!((LsSearchTrial *) self->results->pdata[i])->told)
      return TRUE;
  return self->late->len > 0;
}

/* All is measured, and what could not be kept here stays in the queue for the next search: this one need not wait until it can. */
static gboolean
is_kept_elsewhere (LsSearch *self)
{
  return self->options.queue != NULL && self->exhausted && g_queue_is_empty (&self->ready);
}

static void
pump (LsSearch *self)
{
  g_autoptr (LsSearch) held = g_object_ref (self);
  guint n_idle;

  if (self->state == LS_SEARCH_ENDED || self->state == LS_SEARCH_WAITING || self->closing)
    return;
  if (self->end == LS_SEARCH_END_NONE && self->state == LS_SEARCH_RUNNING)
    hand_out (self);
  n_idle = ls_measurer_get_room (self->measurer);
  if (!self->thinking && self->end == LS_SEARCH_END_NONE && !self->exhausted && !is_at_limit (self) && self->state == LS_SEARCH_RUNNING && n_idle > 0)
    begin_turn (self, n_idle * (1 + ls_measurer_get_ahead (self->measurer)));
  else if (!self->thinking && has_news (self) && (self->end != LS_SEARCH_END_NONE || self->exhausted || is_at_limit (self) || self->state == LS_SEARCH_PAUSED))
    begin_turn (self, 0);
  else if (!self->thinking && self->results->len > 0 && self->n_out == 0 && !self->last_try && (self->end != LS_SEARCH_END_NONE || is_kept_elsewhere (self)))
    {
      self->last_try = TRUE;
      begin_turn (self, 0);
    }
  if (self->thinking || self->n_out > 0)
    {
      g_signal_emit (self, signals[CHANGED], 0);
      return;
    }
  if (self->end != LS_SEARCH_END_NONE)
    finish (self, self->end);
  else if (self->exhausted && g_queue_is_empty (&self->ready) && (self->results->len == 0 || is_kept_elsewhere (self)))
    finish (self, self->n_trials + self->options.n_lost >= self->options.trials ? LS_SEARCH_END_TRIALS : LS_SEARCH_END_SPACE);
  else
    g_signal_emit (self, signals[CHANGED], 0);
}

static void
end_early (LsSearch    *self,
           LsSearchEnd  end)
{
  if (self->state == LS_SEARCH_ENDED || self->end != LS_SEARCH_END_NONE)
    return;
  self->end = end;
  g_atomic_int_set (&self->stop, 1);
  if (self->measurer != NULL)
    ls_measurer_cancel (self->measurer);
  if (self->state == LS_SEARCH_WAITING)
    finish (self, end);
  else
    pump (self);
}

static gboolean
tick (gpointer data)
{
  LsSearch *self = data;

  if (self->options.seconds > 0 && seconds_run (self) >= (double) self->options.seconds)
    {
      self->tick = 0;
      end_early (self, LS_SEARCH_END_TIME);
      return G_SOURCE_REMOVE;
    }
  /* All is measured, but not all could be kept: it waits until it can. */
  if (self->exhausted && self->results->len > 0 && !self->thinking && self->n_out == 0 && self->end == LS_SEARCH_END_NONE && self->state != LS_SEARCH_ENDED)
    begin_turn (self, 0);
  g_signal_emit (self, signals[CHANGED], 0);
  return G_SOURCE_CONTINUE;
}

/* ---- who measures ------------------------------------------------------------------ */

static void
on_news (gpointer data)
{
  pump (data);
}

static void
on_late (const char *id,
         const char *trace,
         GVariant   *answer,
         gpointer    data)
{
  LsSearch *self = data;
  gboolean good = ls_params_bool (answer, "equal", FALSE);
  LsSearchLate late = { g_strdup (id), g_strdup (trace), good ? ls_params_double (answer, "median", -1e9) / 1e9 : -1 };

  g_array_append_val (self->late, late);
}

static gboolean
make_measurer (LsSearch *self)
{
  const LsMeasurerOptions options = { .text = self->text, .jobs = self->options.jobs, .queue = self->options.queue,
                                      .api = ls_bundle_api_of (self->options.target), .kind = self->options.kind,
                                      .folder = self->options.database, .timeout_ms = self->options.timeout_s * 1000 };
  const LsMeasurerEvents events = { on_news, on_late, self };
  g_autoptr (GError) error = NULL;

  /* The unscheduled program has no threads: a device cannot run it. */
  self->base_asked = options.api != NULL;
  self->measurer = ls_measurer_new (&options, &events, &error);
  if (self->measurer != NULL)
    return TRUE;
  self->problem = g_strdup (error->message);
  return FALSE;
}

static void
run (LsSearch *self)
{
  if (self->measurer == NULL && !make_measurer (self))
    {
      finish (self, LS_SEARCH_END_ERROR);
      return;
    }
  self->state = LS_SEARCH_RUNNING;
  self->since = g_get_monotonic_time ();
  self->tick = g_timeout_add (TICK_MS, tick, self);
  pump (self);
}

/* ---- asked from outside ------------------------------------------------------------ */

void
ls_search_start (LsSearch *self)
{
  if (self->state == LS_SEARCH_WAITING)
    run (self);
}

void
ls_search_pause (LsSearch *self)
{
  if (self->state != LS_SEARCH_RUNNING || self->end != LS_SEARCH_END_NONE)
    return;
  self->before = seconds_run (self);
  self->state = LS_SEARCH_PAUSED;
  g_clear_handle_id (&self->tick, g_source_remove);
  pump (self);
}

void
ls_search_resume (LsSearch *self)
{
  if (self->state == LS_SEARCH_PAUSED && self->end == LS_SEARCH_END_NONE)
    run (self);
}

void
ls_search_allow (LsSearch *self,
                 guint     trials)
{
  self->allowed = trials;
  if (self->state == LS_SEARCH_RUNNING)
    pump (self);
}

void
ls_search_stop (LsSearch *self)
{
  end_early (self, LS_SEARCH_END_STOPPED);
}

LsSearchState
ls_search_get_state (LsSearch *self)
{
  return self->state;
}

guint
ls_search_get_n_waiting (LsSearch *self)
{
  return g_queue_get_length (&self->ready) + self->n_out + (self->thinking ? 1 : 0);
}

LsSearchEnd
ls_search_get_end (LsSearch *self)
{
  return self->end;
}

const char *
ls_search_get_problem (LsSearch *self)
{
  return self->problem;
}

const char *
ls_search_get_trouble (LsSearch *self)
{
  const char *trouble = self->measurer != NULL ? ls_measurer_get_problem (self->measurer) : NULL;

  return trouble == NULL && self->unkept ? self->problem : trouble;
}

GArray *
ls_search_get_kinds (LsSearch *self)
{
  return self->kinds;
}

const char *
ls_search_get_kind (LsSearch *self)
{
  return self->measurer != NULL ? ls_measurer_get_kind (self->measurer) : NULL;
}

GPtrArray *
ls_search_get_machines (LsSearch *self)
{
  return self->measurer != NULL ? ls_measurer_get_peers (self->measurer) : NULL;
}

const char *
ls_search_get_note (LsSearch *self)
{
  return self->note;
}

GPtrArray *
ls_search_get_trials (LsSearch *self)
{
  return self->trials;
}

const char *
ls_search_get_refusal (LsSearch *self)
{
  return self->refusal;
}

const char *
ls_search_get_conditions (LsSearch *self)
{
  return self->conditions;
}

/* From what a trial took so far; the time that was allowed is a bound. */
static double
seconds_left (LsSearch             *self,
              const LsSearchCounts *counts)
{
  guint done = counts->measured + counts->failed;
  double left = -1;

  if (self->state == LS_SEARCH_ENDED)
    return 0;
  if (done > 0 && counts->trials <= self->options.trials)
    left = counts->seconds / done * (self->options.trials - counts->trials + counts->running + g_queue_get_length (&self->ready));
  if (self->options.seconds > 0)
    {
      double allowed = fmax (0, (double) self->options.seconds - counts->seconds);

      left = left < 0 ? allowed : fmin (left, allowed);
    }
  return left;
}

void
ls_search_get_counts (LsSearch       *self,
                      LsSearchCounts *counts)
{
  *counts = (LsSearchCounts) { .trials = self->n_trials + self->options.n_lost, .refused = self->n_refused + self->options.n_lost,
                               .remembered = self->n_remembered, .elsewhere = self->n_elsewhere, .model_share = self->model_share, .n_designs = self->n_designs, .base_min = self->base_min,
                               .base_median = self->base_median, .base_iqr = self->base_iqr, .seconds = seconds_run (self) };
  for (guint i = 0; i < self->trials->len; i++)
    {
      LsSearchTrial *trial = self->trials->pdata[i];

      counts->running += trial->state == LS_TRIAL_RUNNING;
      if (trial->remembered)
        continue;
      counts->measured += trial->timed;
      counts->failed += trial->state == LS_TRIAL_FAILED && !trial->timed;
      counts->given_up += trial->given_up;
    }
  counts->seconds_left = seconds_left (self, counts);
}

GArray *
ls_search_get_worth (LsSearch *self)
{
  return ls_search_worth_of (self->trials, self->n_designs);
}

/* ---- life ----------------------------------------------------------------------------- */

static void
ls_search_finalize (GObject *object)
{
  LsSearch *self = LS_SEARCH (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  g_queue_clear (&self->ready);
  g_ptr_array_unref (self->results);
  g_ptr_array_unref (self->trials);
  g_array_unref (self->late);
  g_clear_pointer (&self->measurer, ls_measurer_free);
  g_clear_pointer (&self->tuner, ls_tuner_free);
  g_clear_pointer (&self->database, ls_tune_database_free);
  g_clear_pointer (&self->designs, g_ptr_array_unref);
  ls_fleet_address_free ((LsFleetAddress *) self->options.queue);
  g_free ((char *) self->options.kind);
  ls_unref (self->module);
  g_free (self->text);
  g_strfreev (self->set);
  g_free ((char *) self->options.func);
  g_free ((char *) self->options.target);
  g_free ((char *) self->options.database);
  g_free (self->problem);
  g_free (self->note);
  g_clear_pointer (&self->kinds, g_array_unref);
  g_free (self->refusal);
  g_free (self->conditions);
  G_OBJECT_CLASS (ls_search_parent_class)->finalize (object);
}

static void
ls_search_class_init (LsSearchClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_search_finalize;
  signals[TRIAL] = g_signal_new ("trial", LS_TYPE_SEARCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[CHANGED] = g_signal_new ("changed", LS_TYPE_SEARCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ENDED] = g_signal_new ("ended", LS_TYPE_SEARCH, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
ls_search_init (LsSearch *self)
{
  self->trials = g_ptr_array_new_with_free_func (ls_search_trial_free);
  self->results = g_ptr_array_new ();
  self->late = ls_search_late_new ();
}

LsSearch *
ls_search_new (LsModule              *module,
               const char            *text,
               const LsSearchOptions *options)
{
  LsSearch *self = g_object_new (LS_TYPE_SEARCH, NULL);

  self->module = ls_ref (module);
  self->text = g_strdup (text);
  self->options = *options;
  self->options.jobs = CLAMP (options->jobs, 1, LS_SEARCH_MAX_JOBS);
  if (options->budget_ms == 0)
    self->options.budget_ms = 200;
  if (options->timeout_s == 0)
    self->options.timeout_s = 120;
  self->options.func = g_strdup (options->func);
  self->options.target = g_strdup (options->target);
  self->options.database = g_strdup (options->database);
  self->options.queue = options->queue != NULL ? ls_fleet_address_copy (options->queue) : NULL;
  self->options.kind = g_strdup (options->kind);
  self->set = g_strdupv ((char **) options->set);
  self->options.set = NULL;
  self->designs = options->designs != NULL ? g_ptr_array_ref (options->designs) : NULL;
  self->options.designs = NULL;
  return self;
}
