/* tuner: random search and evolutionary search over traces.
 *
 * Random: a design, with decisions drawn anew for each trial.
 *
 * Evolutionary: the first are, of many that are drawn, those that are expected to be fastest (expect.c; by chance where no model is wanted).  Then, a batch at
 * a time (evolve.c):
 *   1 the population is the fastest traces so far, filled up with fresh draws
 *   2 for some generations: a parent is drawn, the better the model thinks of it the more likely; one of its decisions is
 *     changed (schedule/space/mutate.c) and the trace is applied; what is refused is drawn again
 *   3 of the programs not seen before, those that the model thinks fastest are measured; one in ten is any of them
 * Programs are compared by their text.
 *
 * Source: TVM's meta_schedule::EvolutionarySearch; sizes of population and generations are smaller.
 */
#include "engine/tune/tuner-private.h"


#include <math.h>

#define MAX_MISSES 200          /* draws in a row that give nothing new */
#define N_BEFORE_MODEL 8        /* measured programs that the model needs; where there are many starts, more are measured before it is asked */
#define MOST_BEHIND 8.0         /* so many times what the best start is expected to take, and a start is not tried */
#define N_EXPECTED 160          /* programs that are drawn for these */

LsTuner *
ls_tuner_new (LsModule             *module,
              const LsTunerOptions *options)
{
  LsTuner *self = g_new0 (LsTuner, 1);

  self->module = ls_ref (module);
  self->options = *options;
  if (self->options.batch == 0)
    self->options.batch = 16;
  if (self->options.population == 0)
    self->options.population = 48;
  if (self->options.generations == 0)
    self->options.generations = 4;
  if (self->options.max_jobs == 0)
    self->options.max_jobs = 16;
  self->designs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_trace_unref);
  self->starts = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_trace_unref);
  self->moves = g_ptr_array_new_with_free_func (g_free);
  self->candidates = g_ptr_array_new_with_free_func (ls_tuner_candidate_free);
  self->by_text = g_hash_table_new (g_str_hash, g_str_equal);
  self->model = ls_tune_model_new (options->model);
  self->next_seed = options->seed;
  self->random = ls_random_seed (options->seed);
  return self;
}

void
ls_tuner_free (LsTuner *self)
{
  if (self == NULL)
    return;
  g_queue_clear (&self->queue);
  g_clear_pointer (&self->expected, g_ptr_array_unref);
  g_hash_table_unref (self->by_text);
  g_ptr_array_unref (self->candidates);
  g_ptr_array_unref (self->designs);
  g_ptr_array_unref (self->starts);
  g_ptr_array_unref (self->moves);
  ls_tune_model_free (self->model);
  ls_unref (self->module);
  g_free (self->refusal);
  g_free (self);
}

void
ls_tuner_add_design (LsTuner *self,
                     LsTrace *design)
{
  g_ptr_array_add (self->designs, ls_trace_simplified (design, self->options.postprocs));
}

void
ls_tuner_add_start (LsTuner    *self,
                    LsTrace    *design,
                    const char *moves)
{
  ls_tuner_add_design (self, design);
  g_ptr_array_add (self->starts, ls_trace_ref (self->designs->pdata[self->designs->len - 1]));
  g_ptr_array_add (self->moves, g_strdup (moves));
}

void
ls_tuner_set_stop (LsTuner    *self,
                   const gint *stop)
{
  self->stop = stop;
}

guint
ls_tuner_get_n_designs (LsTuner *self)
{
  return self->designs->len;
}

/* ---- the next program ----------------------------------------------------- */

static LsTuneCandidate *
next_random (LsTuner *self,
             guint    max_trials)
{
  for (guint misses = 0; self->designs->len > 0 && misses < MAX_MISSES && !ls_tuner_is_stopped (self) && (max_trials == 0 || self->n_trials < max_trials); misses++)
    {
      LsTrace *design = ls_tuner_next_design (self);
      gint64 seed = ls_tuner_next_seed (self);
      gboolean is_new;
      LsTuneCandidate *candidate;

      if (design == NULL)
        return NULL;
      candidate = ls_tuner_meet (self, ls_tuner_apply (self, design, self->options.decided, seed), &is_new);
      /* What was drawn before is drawn again, and is no trial: a space of four programs has four. */
      if (candidate != NULL && !is_new)
        continue;
      self->n_trials++;
      if (candidate == NULL)
        continue;
      candidate->seed = seed;
      candidate->predicted = ls_tuner_predict (self, candidate->schedule);
      ls_tuner_accept (self, candidate);
      return candidate;
    }
  return NULL;
}

/* A program that may be among the first. Takes the schedule (may be NULL). */
static void
expect (LsTuner    *self,
        LsSchedule *schedule,
        gint64      seed,
        GPtrArray  *found,
        GHashTable *texts)
{
  gboolean is_new;
  LsTuneCandidate *candidate = ls_tuner_meet (self, schedule, &is_new);

  if (!is_new)
    return;
  candidate->seed = seed;
  candidate->predicted = ls_tune_expected_seconds (ls_schedule_get_module (candidate->schedule));
  if (isnan (candidate->predicted) || !g_hash_table_add (texts, candidate->text))
    ls_tuner_candidate_free (candidate);
  else
    g_ptr_array_add (found, candidate);
}

/* Draws the programs from which the first to measure are taken, before the model has learned anything.  Every other one of these is a start, and then come
 * the other starts: what is expected of programs of other kinds is hard to compare, and a proposal is worth a trial. */
static void
choose_expected (LsTuner *self)
{
  /* Starts were added behind the designs of the space. */
  guint n_drawn = self->designs->len > self->starts->len ? self->designs->len - self->starts->len : self->designs->len;
  g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func (ls_tuner_candidate_free), begun = g_ptr_array_new_with_free_func (ls_tuner_candidate_free);
  g_autoptr(GHashTable) texts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->starts->len && !ls_tuner_is_stopped (self); i++)
    expect (self, ls_tuner_apply (self, self->starts->pdata[i], TRUE, 1), 1, begun, texts);
  for (guint tries = 0; n_drawn > 0 && tries < N_EXPECTED && !ls_tuner_is_stopped (self); tries++)
    {
      LsTrace *design = self->designs->pdata[n_drawn <= N_EXPECTED ? tries % n_drawn : ls_tuner_draw_below (self, n_drawn)];
      gint64 seed = ls_tuner_next_seed (self);

      expect (self, ls_tuner_apply (self, design, FALSE, seed), seed, found, texts);
    }
  g_ptr_array_sort (begun, ls_tuner_compare_predicted);
  g_ptr_array_sort (found, ls_tuner_compare_predicted);
  /* What is predicted here are seconds. */
  while (begun->len > 1 && ((LsTuneCandidate *) begun->pdata[begun->len - 1])->predicted > MOST_BEHIND * ((LsTuneCandidate *) begun->pdata[0])->predicted)
    g_ptr_array_set_size (begun, (gint) begun->len - 1);
  self->n_first = MAX (N_BEFORE_MODEL, begun->len + N_BEFORE_MODEL / 2);
  for (guint at = 0; begun->len > 0; at += at < N_BEFORE_MODEL ? 2 : 1)
    g_ptr_array_insert (found, (gint) MIN (at, found->len), g_ptr_array_steal_index (begun, 0));
  self->expected = g_steal_pointer (&found);
}

/* The next of them that is not known by now (an earlier search may have measured it), or NULL. */
static LsTuneCandidate *
next_expected (LsTuner *self)
{
  while (self->expected->len > 0)
    {
      LsTuneCandidate *candidate = g_ptr_array_steal_index (self->expected, 0);

      if (g_hash_table_contains (self->by_text, candidate->text))
        {
          ls_tuner_candidate_free (candidate);
          continue;
        }
      candidate->predicted = NAN;       /* it is no prediction of a time */
      ls_tuner_accept (self, candidate);
      self->n_trials++;
      return candidate;
    }
  return NULL;
}

LsTuneCandidate *
ls_tuner_next (LsTuner *self,
               guint    max_trials)
{
  if (self->designs->len == 0 || (max_trials > 0 && self->n_trials >= max_trials))
    return NULL;
  if (self->options.strategy == LS_TUNE_RANDOM)
    return next_random (self, max_trials);
  if (self->n_timed < MAX (self->n_first, N_BEFORE_MODEL))
    {
      LsTuneCandidate *candidate;

      if (self->expected == NULL && self->options.model != LS_TUNE_MODEL_NONE)
        choose_expected (self);
      candidate = self->expected != NULL ? next_expected (self) : NULL;
      return candidate != NULL ? candidate : next_random (self, max_trials);
    }
  if (g_queue_is_empty (&self->queue))
    ls_tuner_evolve (self);
  if (g_queue_is_empty (&self->queue))
    return next_random (self, max_trials);
  self->n_trials++;
  return g_queue_pop_head (&self->queue);
}

/* ---- results -------------------------------------------------------------- */

void
ls_tuner_report (LsTuner         *self,
                 LsTuneCandidate *candidate,
                 double           seconds,
                 const char      *problem)
{
  double features[LS_TUNE_N_FEATURES], expected;

  candidate->done = TRUE;
  candidate->seconds = seconds;
  g_free (candidate->problem);
  candidate->problem = g_strdup (problem);
  if (!(seconds >= 0))
    return;
  ls_tune_features (ls_schedule_get_module (candidate->schedule), features);
  ls_tune_model_learn (self->model, features, seconds);
  expected = self->starts->len > 0 ? ls_tune_expected_seconds (ls_schedule_get_module (candidate->schedule)) : NAN;
  self->least_expected = self->least_expected > 0.0 ? fmin (self->least_expected, expected) : isnan (expected) ? 0.0 : expected;
  self->n_timed++;
}

gboolean
ls_tuner_remember (LsTuner *self,
                   LsTrace *trace,
                   double   seconds)
{
  gboolean is_new;
  LsSchedule *schedule = ls_tuner_apply (self, trace, TRUE, 1);
  LsTuneCandidate *candidate = ls_tuner_meet (self, schedule, &is_new);

  if (candidate == NULL)
    return FALSE;
  if (is_new)
    {
      candidate->remembered = TRUE;
      ls_tuner_accept (self, candidate);
      self->n_trials++;
      ls_tuner_report (self, candidate, seconds, NULL);
    }
  return TRUE;
}

LsTuneCandidate *
ls_tuner_get_best (LsTuner *self)
{
  LsTuneCandidate *best = NULL;

  for (guint i = 0; i < self->candidates->len; i++)
    {
      LsTuneCandidate *candidate = self->candidates->pdata[i];

      if (candidate->seconds >= 0 && (best == NULL || candidate->seconds < best->seconds))
        best = candidate;
    }
  return best;
}

double
ls_tuner_get_model_share (LsTuner *self)
{
  return self->model != NULL ? ls_tune_model_get_share (self->model) : 0;
}

GPtrArray *
ls_tuner_get_candidates (LsTuner *self)
{
  return self->candidates;
}

guint
ls_tuner_get_n_trials (LsTuner *self)
{
  return self->n_trials;
}

guint
ls_tuner_get_n_refused (LsTuner *self)
{
  return self->n_refused;
}

const char *
ls_tuner_get_refusal (LsTuner *self)
{
  return self->refusal;
}
