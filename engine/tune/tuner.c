/* tuner: random search and evolutionary search over traces.
 *
 * Random: a design, with decisions drawn anew for each trial.
 *
 * Evolutionary: the first are, of many that are drawn, those that are expected to be fastest (expect.c; by chance where no model is wanted).  Then, a batch at
 * a time:
 *   1 the population is the fastest traces so far, filled up with fresh draws
 *   2 for some generations: a parent is drawn, the better the model thinks of it the more likely; one of its decisions is
 *     changed (schedule/space/mutate.c) and the trace is applied; what is refused is drawn again
 *   3 of the programs not seen before, those that the model thinks fastest are measured; one in ten is any of them
 * Programs are compared by their text.
 *
 * Source: TVM's meta_schedule::EvolutionarySearch; sizes of population and generations are smaller.
 */
#include "engine/tune/tune.h"

#include "engine/schedule/space/mutate.h"
#include "engine/schedule/space/space.h"
#include "engine/script/script.h"

#include <math.h>

#define MAX_MISSES 200          /* draws in a row that give nothing new */
#define N_BEFORE_MODEL 8        /* measured programs that the model needs; where there are many starts, more are measured before it is asked */
#define MOST_WRITTEN_OUT 256    /* copies of a statement, in vectors: a quarter of a second of LLVM's time; twice as many take four times as long */
#define N_EXPECTED 160          /* programs that are drawn for these */
#define HOPELESS 64.0           /* so many times what the best is expected to take, and a program is not tried */
#define MOST_BEHIND 8.0         /* so many times what the best start is expected to take, and a start is not tried */
#define N_OF_DESIGN 3           /* measured programs that tell what a design is good for: */
#define MOST_HOPED 4.0          /* so many times as fast as its fastest its others may be expected to be, with more of them less: */
#define LEAST_HOPED 1.2         /* but so many */

struct _LsTuner {
  LsModule       *module;
  LsTunerOptions  options;
  GPtrArray      *designs;      /* of LsTrace */
  GPtrArray      *starts;       /* of LsTrace: those whose own decisions are tried, too; they are behind the designs of the space */
  double          least_expected;       /* seconds, of the programs that were measured (expect.c); 0: not known */
  guint           n_first;      /* programs to measure before the model is asked, once they are drawn */
  GPtrArray      *moves;       /* of char *, of each start */
  GPtrArray      *candidates;   /* of LsTuneCandidate (owned) */
  GHashTable     *by_text;      /* text -> LsTuneCandidate */
  GQueue          queue;        /* of LsTuneCandidate: chosen, not given yet */
  LsTuneModel    *model;
  guint64         random;
  gint64          next_seed;
  guint           n_taken;      /* designs that were tried, of those that are decided */
  guint           n_trials, n_refused, n_timed;
  char           *refusal;
  GPtrArray      *expected;     /* of LsTuneCandidate (owned): drawn to choose the first programs from, the fastest first; NULL: not yet */
  const gint     *stop;         /* or NULL */
};

static void
candidate_free (gpointer data)
{
  LsTuneCandidate *self = data;

  ls_schedule_unref (self->schedule);
  ls_trace_unref (self->trace);
  g_free (self->text);
  g_free (self->problem);
  g_free (self);
}

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
  self->candidates = g_ptr_array_new_with_free_func (candidate_free);
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

static gboolean
is_stopped (LsTuner *self)
{
  return self->stop != NULL && g_atomic_int_get (self->stop) != 0;
}

guint
ls_tuner_get_n_designs (LsTuner *self)
{
  return self->designs->len;
}

/* ---- programs ------------------------------------------------------------- */

/* A number below 1. */
static double
draw_fraction (LsTuner *self)
{
  return ls_random_below (&self->random, 1 << 24) / (double) (1 << 24);
}

static guint
draw_below (LsTuner *self,
            guint    n)
{
  return (guint) ls_random_below (&self->random, (gint) n);
}

/* The seed of the next trial.  Neighbouring seeds draw alike at first, so they are spread (splitmix64). */
static gint64
next_seed (LsTuner *self)
{
  guint64 x = (guint64) self->next_seed++ * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  x = (x ^ (x >> 30)) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return (gint64) ((x ^ (x >> 31)) % (G_MAXINT32 - 1)) + 1;
}

static void
note_refusal (LsTuner       *self,
              const char    *step,
              LsDiagnostics *findings)
{
  self->n_refused++;
  for (guint i = 0; self->refusal == NULL && i < ls_diagnostics_get_n (findings); i++)
    if (ls_diagnostics_get (findings, i)->severity == LS_SEVERITY_ERROR)
      self->refusal = g_strdup_printf ("%s: %s", step, ls_diagnostics_get (findings, i)->message);
}

/* The program of a trace, finished, or NULL when a step is refused. (transfer full) */
static LsSchedule *
apply_trace (LsTuner  *self,
             LsTrace  *trace,
             gboolean  decisions,
             gint64    seed)
{
  g_autoptr(LsSchedule) schedule = ls_schedule_new (self->module);
  g_autoptr(LsDiagnostics) findings = ls_diagnostics_new ();
  gboolean good;
  guint n;

  /* What it computes is compared when it is measured, whatever the window's default is. */
  ls_schedule_set_strict (schedule, FALSE);
  ls_schedule_set_order_asked (schedule, FALSE);
  ls_schedule_set_seed (schedule, seed);
  n = ls_trace_apply (trace, schedule, decisions, self->options.postprocs, findings);
  good = !ls_diagnostics_has_error (findings) && (!self->options.postprocs || ls_space_postprocess (schedule, findings));
  /* What was proposed unrolls loops whose extents are drawn; the rules leave that to marks with a bound. */
  if (good && self->starts->len > 0 && ls_tune_written_out (ls_schedule_get_module (schedule)) > MOST_WRITTEN_OUT)
    return NULL;
  if (good)
    return g_steal_pointer (&schedule);
  note_refusal (self, n < ls_trace_get_n (trace) ? ls_trace_get (trace, n)->instruction->name : "postproc", findings);
  return NULL;
}

/* The design that the steps of a trace begin as; the longest one. */
static guint
find_design (LsTuner *self,
             LsTrace *trace)
{
  guint found = LS_TUNE_NO_DESIGN, longest = 0;

  for (guint d = 0; d < self->designs->len; d++)
    {
      LsTrace *design = self->designs->pdata[d];
      guint n = ls_trace_get_n (design), i = 0;

      while (i < n && i < ls_trace_get_n (trace) && ls_trace_get (trace, i)->instruction == ls_trace_get (design, i)->instruction)
        i++;
      if (i == n && n > longest)
        {
          found = d;
          longest = n;
        }
    }
  return found;
}

/* Borrowed; NULL: it is of the rules. */
static const char *
moves_of (LsTuner *self,
          guint    design)
{
  guint n_rules = self->designs->len - self->starts->len;

  return design != LS_TUNE_NO_DESIGN && design >= n_rules ? self->moves->pdata[design - n_rules] : NULL;
}

/* The candidate of a program, a fresh one when it was not seen before. Takes the schedule (may be NULL). Borrowed. */
static LsTuneCandidate *
meet (LsTuner    *self,
      LsSchedule *schedule,
      gboolean   *is_new)
{
  g_autofree char *text = schedule != NULL ? ls_script_print (ls_schedule_get_module (schedule), NULL, NULL) : NULL;
  LsTuneCandidate *known = text != NULL ? g_hash_table_lookup (self->by_text, text) : NULL;

  *is_new = text != NULL && known == NULL;
  if (known != NULL)
    known->n_drawn++;
  if (!*is_new)
    {
      g_clear_pointer (&schedule, ls_schedule_unref);
      return known;
    }
  known = g_new0 (LsTuneCandidate, 1);
  known->schedule = schedule;
  known->trace = ls_trace_of (schedule);
  known->design = find_design (self, known->trace);
  known->proposal = moves_of (self, known->design);
  known->text = g_steal_pointer (&text);
  known->n_drawn = 1;
  known->seconds = -1;
  known->predicted = NAN;
  return known;
}

static void
accept (LsTuner         *self,
        LsTuneCandidate *candidate)
{
  g_ptr_array_add (self->candidates, candidate);
  g_hash_table_insert (self->by_text, candidate->text, candidate);
}

static double
predict (LsTuner    *self,
         LsSchedule *schedule)
{
  double features[LS_TUNE_N_FEATURES];

  ls_tune_features (ls_schedule_get_module (schedule), features);
  return ls_tune_model_predict (self->model, features);
}

/* The design of the next random trial; NULL: there is none. Borrowed. */
static LsTrace *
next_design (LsTuner *self)
{
  if (self->options.decided)
    return self->n_taken < self->designs->len ? self->designs->pdata[self->n_taken++] : NULL;
  return self->designs->pdata[self->designs->len > 1 ? draw_below (self, self->designs->len) : 0];
}

static LsTuneCandidate *
next_random (LsTuner *self,
             guint    max_trials)
{
  for (guint misses = 0; self->designs->len > 0 && misses < MAX_MISSES && !is_stopped (self) && (max_trials == 0 || self->n_trials < max_trials); misses++)
    {
      LsTrace *design = next_design (self);
      gint64 seed = next_seed (self);
      gboolean is_new;
      LsTuneCandidate *candidate;

      if (design == NULL)
        return NULL;
      candidate = meet (self, apply_trace (self, design, self->options.decided, seed), &is_new);
      /* What was drawn before is drawn again, and is no trial: a space of four programs has four. */
      if (candidate != NULL && !is_new)
        continue;
      self->n_trials++;
      if (candidate == NULL)
        continue;
      candidate->seed = seed;
      candidate->predicted = predict (self, candidate->schedule);
      accept (self, candidate);
      return candidate;
    }
  return NULL;
}

/* ---- designs -------------------------------------------------------------- */

/* What was measured of a design. */
typedef struct {
  double least;                 /* seconds; 0: of fewer than N_OF_DESIGN of its programs */
  guint  n;                     /* programs with a time */
} Design;

/* Of each design, and the least time of all. (transfer full) of Design */
static GArray *
least_of_designs (LsTuner *self,
                  double  *least)
{
  GArray *of_each = g_array_sized_new (FALSE, TRUE, sizeof (Design), self->designs->len);

  g_array_set_size (of_each, self->designs->len);
  *least = INFINITY;
  for (guint i = 0; i < self->candidates->len; i++)
    {
      const LsTuneCandidate *candidate = self->candidates->pdata[i];
      Design *own = candidate->design < of_each->len ? &g_array_index (of_each, Design, candidate->design) : NULL;

      if (!(candidate->seconds > 0))
        continue;
      *least = fmin (*least, candidate->seconds);
      if (own != NULL)
        own->least = own->n++ == 0 ? candidate->seconds : fmin (own->least, candidate->seconds);
    }
  for (guint i = 0; i < of_each->len; i++)
    if (g_array_index (of_each, Design, i).n < N_OF_DESIGN)
      g_array_index (of_each, Design, i).least = 0.0;
  return of_each;
}

/* One of the designs: the slower its fastest is, the less likely.  Those of which little is known are as likely as the best; by chance where no model is wanted.
 * Borrowed. */
static LsTrace *
draw_design (LsTuner *self,
             GArray  *of_each,
             double   least)
{
  const Design *all = (const Design *) of_each->data;
  double total = 0.0, at;
  guint i = 0;

  if (self->options.model == LS_TUNE_MODEL_NONE)
    return self->designs->pdata[draw_below (self, self->designs->len)];
  for (guint d = 0; d < of_each->len; d++)
    total += all[d].least > 0.0 ? least / all[d].least : 1.0;
  at = draw_fraction (self) * total;
  for (; i + 1 < of_each->len; i++)
    {
      at -= all[i].least > 0.0 ? least / all[i].least : 1.0;
      if (at < 0.0)
        break;
    }
  return self->designs->pdata[i];
}

/* ---- evolution ------------------------------------------------------------ */

/* A trace with the program that it gives. */
typedef struct {
  LsTrace    *trace;
  LsSchedule *schedule;
  double      score;            /* logarithm of seconds: measured or predicted */
} Member;

static void
member_clear (gpointer data)
{
  Member *self = data;

  g_clear_pointer (&self->trace, ls_trace_unref);
  g_clear_pointer (&self->schedule, ls_schedule_unref);
}

static GArray *
population_new (void)
{
  GArray *members = g_array_new (FALSE, FALSE, sizeof (Member));

  g_array_set_clear_func (members, member_clear);
  return members;
}

static void
add_member (LsTuner    *self,
            GArray     *members,
            LsSchedule *schedule)
{
  Member member = { ls_trace_of (schedule), schedule, predict (self, schedule) };

  g_array_append_val (members, member);
}

static gint
compare_candidates (gconstpointer a,
                    gconstpointer b)
{
  const LsTuneCandidate *x = *(LsTuneCandidate * const *) a, *y = *(LsTuneCandidate * const *) b;

  return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static GArray *
first_population (LsTuner *self)
{
  GArray *members = population_new ();
  double least;
  g_autoptr(GArray) of_each = least_of_designs (self, &least);
  g_autoptr(GPtrArray) timed = g_ptr_array_new ();

  for (guint i = 0; i < self->candidates->len; i++)
    if (((LsTuneCandidate *) self->candidates->pdata[i])->seconds >= 0)
      g_ptr_array_add (timed, self->candidates->pdata[i]);
  g_ptr_array_sort (timed, compare_candidates);
  for (guint i = 0; i < timed->len && i < self->options.population / 3; i++)
    {
      LsTuneCandidate *candidate = timed->pdata[i];
      Member member = { ls_trace_ref (candidate->trace), ls_schedule_ref (candidate->schedule), log (MAX (candidate->seconds, 1e-10)) };

      g_array_append_val (members, member);
    }
  for (guint tries = 0; members->len < self->options.population && tries < 2 * self->options.population && !is_stopped (self); tries++)
    {
      LsSchedule *schedule = apply_trace (self, draw_design (self, of_each, least), FALSE, next_seed (self));

      if (schedule != NULL)
        add_member (self, members, schedule);
    }
  return members;
}

/* The better the likelier: the weight halves with each doubling of the time. */
static Member *
draw_parent (LsTuner *self,
             GArray  *members)
{
  double best = INFINITY, total = 0, at;

  for (guint i = 0; i < members->len; i++)
    best = fmin (best, g_array_index (members, Member, i).score);
  for (guint i = 0; i < members->len; i++)
    total += exp (best - g_array_index (members, Member, i).score);
  at = draw_fraction (self) * total;
  for (guint i = 0; i < members->len; i++)
    {
      at -= exp (best - g_array_index (members, Member, i).score);
      if (at <= 0)
        return &g_array_index (members, Member, i);
    }
  return &g_array_index (members, Member, members->len - 1);
}

static LsSchedule *
make_child (LsTuner *self,
            Member  *parent)
{
  g_autoptr(LsTrace) changed = ls_trace_mutate (parent->trace, self->module, self->options.max_jobs, &self->random);

  return changed != NULL ? apply_trace (self, changed, TRUE, next_seed (self)) : NULL;
}

static GArray *
next_generation (LsTuner *self,
                 GArray  *members)
{
  GArray *children = population_new ();

  for (guint tries = 0; children->len < self->options.population && tries < 3 * self->options.population && !is_stopped (self); tries++)
    {
      LsSchedule *child = make_child (self, draw_parent (self, members));

      if (child != NULL)
        add_member (self, children, child);
    }
  return children;
}

/* Does it do so much more than what was measured that a run of it is not waited for?  One that computes a block anew for each number of another may take
 * minutes, and a model that was never told of such a program believes it to be fast. */
static gboolean
is_hopeless (LsTuner    *self,
             LsSchedule *schedule)
{
  return self->starts->len > 0 && self->least_expected > 0.0 &&
         ls_tune_expected_seconds (ls_schedule_get_module (schedule)) > HOPELESS * self->least_expected;
}

static void
collect_unseen (LsTuner   *self,
                GArray    *members,
                GPtrArray *found,
                GHashTable *texts)
{
  for (guint i = 0; i < members->len; i++)
    {
      Member *member = &g_array_index (members, Member, i);
      gboolean is_new;
      LsTuneCandidate *candidate = meet (self, ls_schedule_ref (member->schedule), &is_new);

      if (is_new && !g_hash_table_contains (texts, candidate->text) && !is_hopeless (self, candidate->schedule))
        {
          g_hash_table_add (texts, candidate->text);
          candidate->predicted = member->score;
          g_ptr_array_add (found, candidate);
        }
      else if (is_new)
        {
          candidate_free (candidate);
        }
    }
}

static gint
compare_predicted (gconstpointer a,
                   gconstpointer b)
{
  const LsTuneCandidate *x = *(LsTuneCandidate * const *) a, *y = *(LsTuneCandidate * const *) b;

  return (x->predicted > y->predicted) - (x->predicted < y->predicted);
}

/* How many times as fast as its fastest the others of a design may be: with each that was measured and was not, less. */
static double
hope_of (const Design *design)
{
  return fmax (LEAST_HOPED, pow (MOST_HOPED, (double) N_OF_DESIGN / (double) design->n));
}

/* A model that has seen little believes much: what it says of a program is not less than what the measured ones of its design allow. */
static void
temper (LsTuner   *self,
        GPtrArray *found)
{
  double least;
  g_autoptr(GArray) of_each = least_of_designs (self, &least);

  for (guint i = 0; i < found->len; i++)
    {
      LsTuneCandidate *candidate = found->pdata[i];
      const Design *own = candidate->design < of_each->len ? &g_array_index (of_each, Design, candidate->design) : NULL;

      if (own != NULL && own->least > 0.0 && !isnan (candidate->predicted))
        candidate->predicted = fmax (candidate->predicted, log (own->least / hope_of (own)));
    }
}

static guint
n_queued (LsTuner *self,
          guint    design)
{
  guint n = 0;

  for (GList *at = self->queue.head; at != NULL; at = at->next)
    n += ((LsTuneCandidate *) at->data)->design == design ? 1 : 0;
  return n;
}

/* The first of a design that has not half of the batch already: a model that believes in one design is never told that another is better. */
static guint
first_of_few (LsTuner   *self,
              GPtrArray *found)
{
  if (self->starts->len > 0)
    for (guint i = 0; i < found->len; i++)
      if (n_queued (self, ((LsTuneCandidate *) found->pdata[i])->design) < (self->options.batch + 1) / 2)
        return i;
  return 0;
}

/* Chooses a batch of programs to measure. */
static void
evolve (LsTuner *self)
{
  g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func (candidate_free);
  g_autoptr(GHashTable) texts = g_hash_table_new (g_str_hash, g_str_equal);
  GArray *members = first_population (self);

  for (guint g = 0; members->len > 0; g++)
    {
      GArray *children;

      collect_unseen (self, members, found, texts);
      if (g == self->options.generations)
        break;
      children = next_generation (self, members);
      g_array_unref (members);
      members = children;
    }
  g_array_unref (members);
  temper (self, found);
  g_ptr_array_sort (found, compare_predicted);
  while (found->len > 0 && g_queue_get_length (&self->queue) < self->options.batch)
    {
      guint at = draw_fraction (self) < 0.1 ? draw_below (self, found->len) : first_of_few (self, found);
      LsTuneCandidate *candidate = g_ptr_array_steal_index (found, at);

      accept (self, candidate);
      g_queue_push_tail (&self->queue, candidate);
    }
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
  LsTuneCandidate *candidate = meet (self, schedule, &is_new);

  if (!is_new)
    return;
  candidate->seed = seed;
  candidate->predicted = ls_tune_expected_seconds (ls_schedule_get_module (candidate->schedule));
  if (isnan (candidate->predicted) || !g_hash_table_add (texts, candidate->text))
    candidate_free (candidate);
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
  g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func (candidate_free), begun = g_ptr_array_new_with_free_func (candidate_free);
  g_autoptr(GHashTable) texts = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->starts->len && !is_stopped (self); i++)
    expect (self, apply_trace (self, self->starts->pdata[i], TRUE, 1), 1, begun, texts);
  for (guint tries = 0; n_drawn > 0 && tries < N_EXPECTED && !is_stopped (self); tries++)
    {
      LsTrace *design = self->designs->pdata[n_drawn <= N_EXPECTED ? tries % n_drawn : draw_below (self, n_drawn)];
      gint64 seed = next_seed (self);

      expect (self, apply_trace (self, design, FALSE, seed), seed, found, texts);
    }
  g_ptr_array_sort (begun, compare_predicted);
  g_ptr_array_sort (found, compare_predicted);
  /* compare_predicted: these are seconds. */
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
          candidate_free (candidate);
          continue;
        }
      candidate->predicted = NAN;       /* it is no prediction of a time */
      accept (self, candidate);
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
    evolve (self);
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
  LsSchedule *schedule = apply_trace (self, trace, TRUE, 1);
  LsTuneCandidate *candidate = meet (self, schedule, &is_new);

  if (candidate == NULL)
    return FALSE;
  if (is_new)
    {
      candidate->remembered = TRUE;
      accept (self, candidate);
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
