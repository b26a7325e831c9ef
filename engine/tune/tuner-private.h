/* tuner-private: the tuner's parts, from the lowest up. */
#pragma once

#include "engine/tune/tune.h"

G_BEGIN_DECLS

struct _LsTuner {
  LsModule       *module;
  LsTunerOptions  options;
  GPtrArray      *designs;      /* of LsTrace */
  GPtrArray      *starts;       /* of LsTrace: those whose own decisions are tried, too; they are behind the designs of the space */
  GPtrArray      *moves;        /* of char *, of each start (LsTuneSketch) */
  double          least_expected;       /* seconds, of the programs that were measured (expect.c); 0: not known */
  guint           n_first;      /* programs to measure before the model is asked, once they are drawn */
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

/* ---- chance.c ---- */

gboolean         ls_tuner_is_stopped        (LsTuner         *self);
/* A number below 1; below n. */
double           ls_tuner_draw_fraction     (LsTuner         *self);
guint            ls_tuner_draw_below        (LsTuner         *self,
                                             guint            n);
gint64           ls_tuner_next_seed         (LsTuner         *self);

/* ---- designs.c ---- */

/* The design that the steps of a trace begin as; the longest one; or LS_TUNE_NO_DESIGN. */
guint            ls_tuner_find_design       (LsTuner         *self,
                                             LsTrace         *trace);
/* The design of the next random trial; NULL: there is none. Borrowed. */
LsTrace         *ls_tuner_next_design       (LsTuner         *self);
/* What that design was proposed as; NULL: it is of the rules. Borrowed. */
const char      *ls_tuner_moves_of          (LsTuner         *self,
                                             guint            design);

/* What was measured of a design. */
typedef struct {
  double least;                 /* seconds; 0: of too few of its programs to tell */
  guint  n;                     /* programs with a time */
} LsTunerDesign;

/* Of each design, and the least time of all. (transfer full) of LsTunerDesign */
GArray          *ls_tuner_least_of_designs  (LsTuner         *self,
                                             double          *least);
/* One of the designs: the slower its fastest is, the less likely.  Those of which little is known are as likely as the best; by chance where no model
 * is wanted. Borrowed. */
LsTrace         *ls_tuner_draw_design       (LsTuner         *self,
                                             GArray          *of_each,
                                             double           least);
/* A model that has seen little believes much: what it says of these candidates is not less than what the measured ones of their designs allow. */
void             ls_tuner_temper            (LsTuner         *self,
                                             GPtrArray       *found);

/* ---- programs.c ---- */

void             ls_tuner_candidate_free    (gpointer         data);
/* The program of a trace, finished, or NULL when a step is refused. (transfer full) */
LsSchedule      *ls_tuner_apply             (LsTuner         *self,
                                             LsTrace         *trace,
                                             gboolean         decisions,
                                             gint64           seed);
/* The candidate of a program: a fresh one, which is the caller's, when it was not seen before, else borrowed.  Takes the schedule (may be NULL). */
LsTuneCandidate *ls_tuner_meet              (LsTuner         *self,
                                             LsSchedule      *schedule,
                                             gboolean        *is_new);
/* It is the tuner's from then on. */
void             ls_tuner_accept            (LsTuner         *self,
                                             LsTuneCandidate *candidate);
/* The logarithm of the seconds that the model expects. */
double           ls_tuner_predict           (LsTuner         *self,
                                             LsSchedule      *schedule);
/* Of pointers to candidates: the fastest by what is predicted first. */
gint             ls_tuner_compare_predicted (gconstpointer    a,
                                             gconstpointer    b);

/* ---- evolve.c ---- */

/* Chooses a batch of programs to measure, into the queue. */
void             ls_tuner_evolve            (LsTuner         *self);

G_END_DECLS
