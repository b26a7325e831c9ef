/* search: a search over schedules under way: the tuner draws in a thread, workers measure, a database keeps.
 *
 *   LsSearch        the run: start, pause, resume, stop; what came of each trial
 *
 * The command line and the window show the same thing with it.  What the tuner does (drawing, learning) takes a thread one turn at a time, and
 * programs are built and run by workers, so that the main loop never waits for either.  With one job nothing is drawn while something
 * is being timed: the timing would notice.
 *
 * A program whose first runs each take GIVE_UP times the best is not measured further, one of which each of the first five samples takes SLOW times
 * the best has no more of them.  The unscheduled program runs once in each worker, as what
 * the others' output has to equal, and is timed once; with a target of threads (cuda, opencl, rocm) a device measures, and it is not timed there.
 */
#pragma once

#include "app/fleet/fleet.h"
#include "app/rpc/rpc.h"
#include "engine/tune/tune.h"

G_BEGIN_DECLS

#define LS_SEARCH_MAX_JOBS 64

typedef enum {
  LS_SEARCH_WAITING,            /* not started */
  LS_SEARCH_RUNNING,
  LS_SEARCH_PAUSED,             /* what is being measured is measured to its end, nothing else is begun */
  LS_SEARCH_ENDED
} LsSearchState;

typedef enum {
  LS_SEARCH_END_NONE,           /* it goes on */
  LS_SEARCH_END_TRIALS,         /* all of them are done */
  LS_SEARCH_END_SPACE,          /* nothing new was found any more */
  LS_SEARCH_END_TIME,
  LS_SEARCH_END_STOPPED,
  LS_SEARCH_END_ERROR           /* see ls_search_get_problem() */
} LsSearchEnd;

/* Zeros are good defaults, but for `trials`. */
typedef struct {
  LsTuneStrategy     strategy;
  LsTuneModelKind    model;
  gboolean           rules;     /* designs by the rules of meta_schedule for a CPU; each program is finished as they want it */
  GPtrArray         *designs;   /* of LsTrace: instead of those of the rules; borrowed */
  gboolean           decided;   /* each of them is one program, with its decisions; the strategy is random then */
  guint              n_lost;    /* trials that are used up already */
  guint              trials;
  gint64             seconds;   /* of the search, pauses not counted; 0: as long as the trials take */
  guint              jobs;      /* workers that measure at the same time; 0: 1 */
  gint64             seed;
  gint64             budget_ms; /* of measuring one program; 0: 200 */
  gint64             timeout_s; /* for one program; 0: 120 */
  const char        *func, *target;     /* NULL: the worker's choice */
  const char *const *set;       /* NAME=VALUE of symbolic sizes, or NULL */
  const char        *database;  /* folder of TVM's files: what is there counts as trials, what is measured is added; or NULL */
  const LsFleetAddress *queue;  /* machines that take jobs from there measure, as many at a time as there are; NULL: `jobs` workers of this one */
  const char        *kind;      /* of these machines; NULL: the kind of which there are most */
} LsSearchOptions;

typedef enum {
  LS_TRIAL_DRAWN,               /* waits for a worker; so does what was given back when the search was stopped */
  LS_TRIAL_RUNNING,
  LS_TRIAL_MEASURED,
  LS_TRIAL_FAILED               /* has no time, or computes something else: see `problem` */
} LsTrialState;

/* One program.  Owned by the search. */
typedef struct {
  guint        number;          /* from 0, in the order of the first draw */
  LsTrialState state;
  LsSchedule  *schedule;        /* with all its steps */
  LsTrace     *trace;
  char        *text;
  GArray      *decisions;       /* of LsTuneDecision */
  guint        design;          /* LS_TUNE_NO_DESIGN: none that is known */
  char        *proposal;        /* what the design was proposed as (LsTuneSketch.moves); NULL: it is of the rules */
  gint64       seed;
  guint        n_drawn;         /* as of the last turn of the tuner */
  double       predicted;       /* ns; NaN: nothing was */
  double       min, median, iqr;        /* ns, when it was run; a remembered one has only its median */
  gboolean     timed;           /* the three are there */
  gboolean     given_up;        /* and are of the quickest of the first runs */
  gboolean     remembered;      /* from the database, or measured for an earlier life of this search */
  char        *machine;         /* that measured it; NULL: this one */
  char        *problem;
  LsTuneCandidate *drawn;       /* the tuner's: for its thread alone */
  char        *job;             /* private: its name */
  gboolean     told;            /* private: the tuner knows what came of it */
} LsSearchTrial;

#define LS_TYPE_SEARCH (ls_search_get_type ())
G_DECLARE_FINAL_TYPE (LsSearch, ls_search, LS, SEARCH, GObject)

/* Signals, all from the main context of who made it:
 *   ::trial (number)   the trial is new or has another state
 *   ::changed          state, counts or the time left are others
 *   ::ended            once, with the state ENDED, after everything that it started has ended; not when it is disposed of */

/* A search that is not running.  `module` is borrowed, `text` is what the workers get as the unscheduled program. (transfer full) */
LsSearch      *ls_search_new           (LsModule              *module,
                                        const char            *text,
                                        const LsSearchOptions *options);
void           ls_search_start         (LsSearch              *self);
void           ls_search_pause         (LsSearch              *self);
void           ls_search_resume        (LsSearch              *self);
/* It draws no more than so many trials in all until it is allowed more; 0: all that it was made for.  It waits then, as one that runs. */
void           ls_search_allow         (LsSearch              *self,
                                        guint                  trials);
/* What is being measured is ended and counts for nothing.  When nothing holds the search any more it stops too. */
void           ls_search_stop          (LsSearch              *self);

LsSearchState  ls_search_get_state     (LsSearch              *self);
LsSearchEnd    ls_search_get_end       (LsSearch              *self);
/* Programs that are drawn and wait or are being measured, the unscheduled one included, and turns of the tuner. */
guint          ls_search_get_n_waiting (LsSearch              *self);
/* Why it could not go on, or what could not be kept; NULL: nothing of that kind. Borrowed. */
const char    *ls_search_get_problem   (LsSearch              *self);
/* What keeps the machines of a queue from measuring now, or what was measured from being kept, a sentence, or NULL.  The search waits; it does not end.  Borrowed. */
const char    *ls_search_get_trouble   (LsSearch              *self);
/* The kind of machine that measures, once it is known, or NULL: this one. Borrowed. */
const char    *ls_search_get_kind      (LsSearch              *self);
/* Of LsTuneKind: what the database had when it was begun, for each kind of machine; NULL: not known yet. Borrowed. */
GArray        *ls_search_get_kinds     (LsSearch              *self);
/* Of LsFleetPeer: the machines of the queue, or NULL. Borrowed. */
GPtrArray     *ls_search_get_machines  (LsSearch              *self);
/* What was found out about the database, a sentence, or NULL. Borrowed. */
const char    *ls_search_get_note      (LsSearch              *self);
/* Of LsSearchTrial, by number. Borrowed. */
GPtrArray     *ls_search_get_trials    (LsSearch              *self);
/* The fastest whose output is right, or NULL. Borrowed. */
LsSearchTrial *ls_search_get_best      (LsSearch              *self);

typedef struct {
  guint  trials;                /* that were used up, those of the database included */
  guint  refused, remembered;
  guint  running, measured, failed, given_up;   /* programs; what is remembered is not among them */
  guint  elsewhere;             /* of those measured: that another search in the same folder recorded meanwhile; they have its record */
  guint  n_designs;
  double base_min, base_median, base_iqr;       /* ns, of the unscheduled program; 0: not timed */
  double model_share;           /* of the time since the first program was drawn: that training the model took */
  double seconds;               /* that it has run, without pauses */
  double seconds_left;          /* expected; below 0: not known yet */
} LsSearchCounts;
void           ls_search_get_counts    (LsSearch              *self,
                                        LsSearchCounts        *counts);
/* Why the first refused trial was, or NULL; the conditions of measuring, or NULL. Borrowed. */
const char    *ls_search_get_refusal   (LsSearch              *self);
const char    *ls_search_get_conditions (LsSearch             *self);
/* What each decision is worth so far. (transfer full), of LsTuneWorth */
GArray        *ls_search_get_worth     (LsSearch              *self);
/* The same two of any trials: the fastest whose output is right, or NULL (borrowed); what each decision is worth, and which design where there are several. */
LsSearchTrial *ls_search_best_of       (GPtrArray             *trials);
GArray        *ls_search_worth_of      (GPtrArray             *trials,
                                        guint                  n_designs);
/* The same as a tree that can be gone down into; its programs are the trials, by their numbers. (transfer full) */
LsTuneTree    *ls_search_tree_of       (GPtrArray             *trials,
                                        guint                  n_designs);

G_END_DECLS
