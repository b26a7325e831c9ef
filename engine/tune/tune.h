/* tune: searching a space of schedules for the one that runs fastest.
 *
 *   tuner      the search: draws programs, lets a model of cost choose, learns from what was measured
 *   programs   the program of a trace, and the candidate that it is; chance: what is drawn
 *   designs    what is known of the designs by what was measured of them; evolve: populations of traces, of which a batch is chosen
 *   expect     what programs are expected to take before any was measured: which of them are measured first
 *   sketch     what engine/advice proposes for the program, as designs
 *   features   what is counted in a program; store-features: and in each of its innermost statements; per-store: meta_schedule's 164 numbers of each
 *   model      from features to the logarithm of the time: ridge regression, or boost, trees by XGBoost
 *   record     the lines of TVM's database files
 *   database   the two files, shared by several runs and going on after one that was killed
 *   decisions  what was drawn for a program; worth: how much of the spread of times each decision explains
 *
 * A space is a list of designs: traces with sampling steps.  A trial is a design with decisions of its own, applied to
 * the program.  Measuring is the caller's: the tuner gives candidates and is told what came of them, so that a command,
 * the window and Python measure in the workers that they have.
 * Source of the concepts: TVM's meta_schedule (evolutionary search, mutators, database).
 */
#pragma once

#include "engine/schedule/schedule.h"

G_BEGIN_DECLS

/* ---- tuner.c ------------------------------------------------------------ */

typedef enum {
  LS_TUNE_RANDOM,               /* every trial is drawn anew */
  LS_TUNE_EVOLUTIONARY          /* trials come from good ones by changing a decision, chosen by the model */
} LsTuneStrategy;

/* What orders programs before they are measured. */
typedef enum {
  LS_TUNE_MODEL_XGB,            /* gradient boosted trees; the ridge regression where XGBoost's library is missing */
  LS_TUNE_MODEL_RIDGE,
  LS_TUNE_MODEL_NONE            /* nothing: chance chooses */
} LsTuneModelKind;

typedef struct {
  LsTuneStrategy strategy;
  LsTuneModelKind model;
  gint64         seed;
  guint          batch;         /* trials between two lessons of the model; 0: 16 */
  guint          population;    /* 0: 48 */
  guint          generations;   /* 0: 4 */
  gint64         max_jobs;      /* the bound of parallel annotations; 0: 16 */
  gboolean       decided;       /* a design is one program: each is tried once, in their order, with the decisions that it has; for random searches */
  gboolean       postprocs;     /* finish each program as meta_schedule does for a CPU (engine/schedule/space/space.h) */
} LsTunerOptions;

/* One program that was drawn.  Owned by the tuner. */
typedef struct {
  LsSchedule *schedule;         /* with all its steps */
  LsTrace    *trace;            /* of the schedule, those of finishing included */
  char       *text;             /* of the program */
  gint64      seed;             /* of its first trial, in a random search */
  guint       n_drawn;
  double      predicted;        /* logarithm of seconds; NaN: the model had learned nothing yet */
  gboolean    done;             /* was measured, or cannot be */
  double      seconds;          /* median; below 0: has no time */
  char       *problem;          /* why it has no time, or NULL */
  guint       design;           /* number of the design that it comes from; LS_TUNE_NO_DESIGN: of none that is here */
  const char *proposal;         /* what that design was proposed as (LsTuneSketch.moves); NULL: it is of the rules. Borrowed */
  gboolean    remembered;       /* an earlier search measured it */
} LsTuneCandidate;

#define LS_TUNE_NO_DESIGN G_MAXUINT

typedef struct _LsTuner LsTuner;
LsTuner         *ls_tuner_new            (LsModule             *module,
                                          const LsTunerOptions *options);
void             ls_tuner_free           (LsTuner              *self);
/* Drawing ends early, with less or nothing to show, once *stop is not 0; it is read atomically and has to live on. */
void             ls_tuner_set_stop       (LsTuner              *self,
                                          const gint           *stop);
/* Adds a design; steps that only look are left out. */
void             ls_tuner_add_design     (LsTuner              *self,
                                          LsTrace              *design);
/* The same, and the program of the design with its decisions is among the first of an evolutionary search where it is expected to be fast.
 * `moves`: what was proposed. */
void             ls_tuner_add_start      (LsTuner              *self,
                                          LsTrace              *design,
                                          const char           *moves);
guint            ls_tuner_get_n_designs  (LsTuner              *self);
/* The next program to measure, one that was not given before; NULL: none was found.  It counts as a trial
 * (ls_tuner_get_n_trials), and so does each that was refused on the way; one that is drawn again does not.  `max_trials` (0: none) bounds them. Borrowed. */
LsTuneCandidate *ls_tuner_next           (LsTuner              *self,
                                          guint                 max_trials);
/* What came of it: the median time, or below 0 with the reason.  The model learns from it. */
void             ls_tuner_report         (LsTuner              *self,
                                          LsTuneCandidate      *candidate,
                                          double                seconds,
                                          const char           *problem);
/* What an earlier search measured (seconds below 0: it had no time), so that it is not measured again.  It counts as a trial; drawing
 * it once more does not.  FALSE: the trace does not fit. */
gboolean         ls_tuner_remember       (LsTuner              *self,
                                          LsTrace              *trace,
                                          double                seconds);
/* The fastest, or NULL. Borrowed. */
LsTuneCandidate *ls_tuner_get_best       (LsTuner              *self);
/* Of LsTuneCandidate, in the order of their first draw. Borrowed. */
GPtrArray       *ls_tuner_get_candidates (LsTuner              *self);
guint            ls_tuner_get_n_trials   (LsTuner              *self);
guint            ls_tuner_get_n_refused  (LsTuner              *self);
const char      *ls_tuner_get_refusal    (LsTuner              *self);     /* why the first refused trial was, or NULL */
/* As ls_tune_model_get_share(). */
double           ls_tuner_get_model_share (LsTuner             *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTuner, ls_tuner_free)

/* ---- expect.c ----------------------------------------------------------- */

/* Of the module's first function of TensorIR, by engine/advice's model of a CPU like this one: an order rather than a time.  NaN: some extent is no number,
 * or it is a program for threads of a GPU. */
double           ls_tune_expected_seconds (LsModule            *module);

/* Of the statement that unrolled loops copy most: the vector registers that all its copies go through. */
double           ls_tune_written_out     (LsModule             *module);

/* ---- sketch.c ----------------------------------------------------------- */

/* The steps with their even splits drawn, and what they are split by as decisions. NULL: a step is refused. (transfer full) */
LsTrace         *ls_tune_sketch          (LsModule             *module,
                                          LsTrace              *trace);
typedef struct {
  LsTrace *trace;               /* ls_tune_sketch() */
  char    *moves;               /* ls_advice_move_to_text(); two, one after the other, are joined by ";" */
} LsTuneSketch;
/* What is proposed for a function on a CPU like this one, and for the programs that the first proposals give. `func` NULL: the first of TensorIR.
 * (transfer full) of LsTuneSketch */
GPtrArray       *ls_tune_sketches        (LsModule             *module,
                                          const char           *func);

/* ---- features.c --------------------------------------------------------- */

/* ---- store-features.c --------------------------------------------------- */

#define LS_TUNE_N_STORE_FEATURES 15
/* Of the function's innermost statements, see the file; 0 where some extent is no number. */
void             ls_tune_store_features  (LsPrimFunc           *func,
                                          double                features[LS_TUNE_N_STORE_FEATURES]);

/* ---- per-store.c -------------------------------------------------------- */

#define LS_TUNE_N_PER_STORE 164
/* Rows of LS_TUNE_N_PER_STORE numbers, one for each store in program order (see the file); none where some extent is no number.  `weights` (may be NULL)
 * gets a number for each: its operations. (transfer full) of double[LS_TUNE_N_PER_STORE] */
GArray          *ls_tune_per_store       (LsPrimFunc           *func,
                                          GArray               *weights);
/* Their mean, weighted by operations; 0 where there is none. */
void             ls_tune_per_program     (LsPrimFunc           *func,
                                          double                features[LS_TUNE_N_PER_STORE]);

/* The counts, of which the ridge regression learns, behind them the numbers of the stores, of which trees learn as well, and last the logarithm of
 * ls_tune_expected_seconds(), from which both begin (0: not known). */
#define LS_TUNE_N_COUNTS (14 + LS_TUNE_N_STORE_FEATURES)
#define LS_TUNE_EXPECTED (LS_TUNE_N_COUNTS + LS_TUNE_N_PER_STORE)
#define LS_TUNE_N_FEATURES (LS_TUNE_EXPECTED + 1)
/* Counts of the program's first function; see the file for what they are. */
void             ls_tune_features        (LsModule             *module,
                                          double                features[LS_TUNE_N_FEATURES]);

/* ---- model.c ------------------------------------------------------------ */

typedef struct _LsTuneModel LsTuneModel;
/* Which a model of this kind is here: the ridge regression for the trees where XGBoost's library is missing. */
LsTuneModelKind  ls_tune_model_resolve   (LsTuneModelKind       kind);
/* "gradient boosted trees (XGBoost)", for people. Borrowed. */
const char      *ls_tune_model_name      (LsTuneModelKind       kind);
LsTuneModel     *ls_tune_model_new       (LsTuneModelKind       kind);
void             ls_tune_model_free      (LsTuneModel          *self);
/* A program with these features took so long. */
void             ls_tune_model_learn     (LsTuneModel          *self,
                                          const double         *features,
                                          double                seconds);
/* The logarithm of seconds that is expected; NaN before it learned enough, and always from LS_TUNE_MODEL_NONE.  The trees let the ridge
 * regression speak until they have sixteen programs. */
double           ls_tune_model_predict   (LsTuneModel          *self,
                                          const double         *features);
/* The share of the time since it was made that training trees took; 0 of the others. */
double           ls_tune_model_get_share (LsTuneModel          *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTuneModel, ls_tune_model_free)

/* ---- boost.c ------------------------------------------------------------ */

/* Gradient boosted trees, where XGBoost's library is.  They learn by what times differ from what was expected, with which each prediction starts. */
typedef struct _LsTuneBoost LsTuneBoost;
typedef double (*LsTuneStart) (gpointer data, const double *features);
/* What time it is, in µs. */
typedef gint64 (*LsTuneClock) (gpointer data);
gboolean         ls_tune_boost_is_here   (void);
/* data is for both functions; without a clock the monotonic one counts.  NULL: it is not here. (transfer full) */
LsTuneBoost     *ls_tune_boost_new       (guint                 n_features,
                                          LsTuneStart           start,
                                          LsTuneClock           clock,
                                          gpointer              data);
void             ls_tune_boost_free      (LsTuneBoost          *self);
void             ls_tune_boost_learn     (LsTuneBoost          *self,
                                          const double         *features,
                                          double                y);
/* NaN: it was not trained yet.  Trains when that is due. */
double           ls_tune_boost_predict   (LsTuneBoost          *self,
                                          const double         *features);
/* The share of the time since it was made that training took. */
double           ls_tune_boost_get_share (LsTuneBoost          *self);

/* ---- record.c ----------------------------------------------------------- */

/* One line of database_workload.json: [hash, base64].  TVM keeps its own form of the module there, which we do not
 * write: ours is the text of the module. (transfer full) */
char            *ls_tune_workload_line   (LsModule             *module);
/* The module of such a line; NULL with findings. (transfer full) */
LsModule        *ls_tune_workload_read   (const char           *line,
                                          LsDiagnostics        *diagnostics);
/* One line of database_tuning_record.json, as TVM writes it:
 * [workload, [trace, seconds, target, arguments]].  `seconds` below 0: it has no time.  `target_json`: an object as
 * TVM's Target.export gives it. (transfer full) */
char            *ls_tune_record_line     (guint                 workload,
                                          LsModule             *module,
                                          LsTrace              *trace,
                                          const double         *seconds,
                                          guint                 n_seconds,
                                          const char           *target_json);
/* Takes such a line apart.  *seconds gets the mean of its times, below 0 where it has none (TVM writes 1e10 then).  NULL with findings: it is
 * no record. (transfer full) */
LsTrace         *ls_tune_record_read     (const char           *line,
                                          guint                *workload,
                                          double               *seconds,
                                          LsDiagnostics        *diagnostics);
/* What of a target ("llvm -mcpu=znver3", an object of JSON as TVM exports it; NULL: this machine) decides which code is made, in one form: "mcpu=znver3";
 * "" of this machine.  The other gives that of a record. (transfer full) */
char            *ls_tune_target_key      (const char           *target);
char            *ls_tune_record_target_key (const char         *line);
/* A target as the object that a record has, with the kind of machine (or NULL) as its tag. (transfer full) */
char            *ls_tune_target_json     (const char           *target,
                                          const char           *kind);
/* [["TENSOR", "float32", [128, 128]], ..] of the function's parameters; dynamic sizes are -1. (transfer full) */
char            *ls_tune_args_json       (LsModule             *module);

/* ---- database.c --------------------------------------------------------- */

/* database_workload.json and database_tuning_record.json of a folder, and in them one program.  Several processes may have the same
 * folder open: each line is written whole, under a lock (flock) of its file. */
typedef struct _LsTuneDatabase LsTuneDatabase;
/* Opens it, with the files made where they are missing and the program added where it is not among them.  A last line that was not
 * written to its end (a run was killed) is put aside in FILE.torn.  Errors: of GFileError. */
LsTuneDatabase  *ls_tune_database_open   (const char           *folder,
                                          LsModule             *module,
                                          GError              **error);
void             ls_tune_database_free   (LsTuneDatabase       *self);
/* Only records measured on this kind of machine are recalled: those with a target of the tag "kind/KIND"; NULL: those without such a tag. */
void             ls_tune_database_set_kind (LsTuneDatabase     *self,
                                          const char           *kind);
/* Only records of this target are recalled; NULL: those without one of their own (ls_tune_target_key). */
void             ls_tune_database_set_target (LsTuneDatabase   *self,
                                          const char           *target);
/* How many records of the program the last recall left out because they are of another target. */
guint            ls_tune_database_get_n_other (LsTuneDatabase  *self);
/* What the database had of the program and the target at the last recall, for each kind of machine. */
typedef struct {
  char  *kind;                  /* NULL: this machine */
  guint  n;                     /* programs with a time */
  double best;                  /* seconds, the least of them */
} LsTuneKind;
/* Of LsTuneKind, in the order of their first records; it is never changed. Borrowed. */
GArray          *ls_tune_database_get_kinds (LsTuneDatabase    *self);
/* An empty one. (transfer full) */
GArray          *ls_tune_kinds_new       (void);
/* What was put aside, as a sentence, or NULL. Borrowed. */
const char      *ls_tune_database_get_note (LsTuneDatabase     *self);
/* Hands the records of the program to the search, those of other processes included that are there now.  Returns how many programs it took;
 * *n_left_out gets the number of those that are no records or do not fit. */
guint            ls_tune_database_recall (LsTuneDatabase       *self,
                                          LsTuner              *tuner,
                                          guint                *n_left_out);
/* Whether these steps have a record now, whoever added it; *seconds gets their time, below 0: they have none. */
gboolean         ls_tune_database_find   (LsTuneDatabase       *self,
                                          LsTrace              *trace,
                                          double               *seconds);
/* Adds a record; `seconds` below 0: it has no time.  Steps that have one already, of another search in the same folder, get no second one, and
 * *was_there (may be NULL) says so.  Errors: of GFileError, and nothing was added then. */
gboolean         ls_tune_database_add    (LsTuneDatabase       *self,
                                          LsTrace              *trace,
                                          double                seconds,
                                          const char           *target_json,
                                          gboolean             *was_there,
                                          GError              **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTuneDatabase, ls_tune_database_free)

/* ---- decisions.c -------------------------------------------------------- */

typedef enum {
  LS_TUNE_DESIGN,               /* which design; value: its number */
  LS_TUNE_TILE,                 /* one of the factors that a loop is split into */
  LS_TUNE_CHOICE,               /* one of several numbers, for the mark `subject` ("unroll_explicit") */
  LS_TUNE_PLACE,                /* where a block is computed: -1 at the root, -2 inlined, else at which loop */
  LS_TUNE_MARK                  /* the number of a mark that no step draws ("parallel") */
} LsTuneDecisionKind;

typedef struct {
  LsTuneDecisionKind kind;
  char   *subject;              /* "j", "unroll_explicit", "C"; NULL of a design */
  guint   nth;                  /* which of several with this subject, from 0 */
  guint   part, n_parts;        /* of a tile, from 0 */
  gint64  value;
} LsTuneDecision;

/* What was drawn for a program, in the order of its steps. (transfer full) of LsTuneDecision */
GArray          *ls_tune_decisions       (LsSchedule           *schedule);
/* Adds a decision (takes the subject) to such a list; (transfer full) an empty one. */
GArray          *ls_tune_decisions_new   (void);
void             ls_tune_decisions_add   (GArray               *decisions,
                                          LsTuneDecisionKind    kind,
                                          char                 *subject,
                                          guint                 part,
                                          guint                 n_parts,
                                          gint64                value);
/* Are they about the same, whatever was drawn? */
gboolean         ls_tune_decision_is     (const LsTuneDecision *a,
                                          const LsTuneDecision *b);
/* "j: factor 4 of 4", "unroll_explicit", "place of C"; no value. (transfer full) */
char            *ls_tune_decision_name   (const LsTuneDecision *decision);

/* ---- worth.c ------------------------------------------------------------ */

#define LS_TUNE_WORTH_LEAST 16  /* programs; below, a share says nothing */

typedef struct {
  LsTuneDecision decision;      /* with the value whose programs took the least time, on the geometric mean */
  double  share;                /* 0 to 1: of the spread of the logarithms of the times */
  double  best_seconds;         /* that mean */
  double  worst_seconds;        /* the same of the slowest value */
  guint   n, n_values;          /* programs that it was drawn for; different values among them */
} LsTuneWorth;

/* How much of the spread of the times each decision explains by itself: epsilon squared of a one-way analysis of variance of log
 * (seconds) over its values, 1 - (n - 1) / (n - k) * within / total, cut off at 0.  Unlike the plain ratio it does not grow with the number
 * of values k, and is 0 on average where the decision plays no part.  What was drawn together explains together: the shares of decisions
 * that depend on each other add up to more than 1.  Decisions with one value, or with hardly fewer values than programs, have none and are
 * left out.  `decisions`: a GArray of LsTuneDecision for each program; programs with seconds below 0 do not count.
 * Source: Kelley, An unbiased correlation ratio measure, 1935.  (transfer full) of LsTuneWorth, the largest share first */
GArray          *ls_tune_worth           (GPtrArray            *decisions,
                                          const double         *seconds);

/* ---- tree.c ------------------------------------------------------------- */

/* Programs with their times as a tree: below the decisions their values, below a value what the decisions explain among the programs that have it, and
 * so on.  A place in it is a path: a GArray of LsTuneDecision with their values, that of a program being below all of them; NULL: the root. */
typedef struct _LsTuneTree LsTuneTree;

/* The programs that a value was drawn for. */
typedef struct {
  gint64 value;
  guint  n;                     /* with a time */
  double best_seconds, median_seconds;
  guint  best;                  /* the fastest, as ls_tune_tree_add() counts from 0 */
} LsTuneValue;

/* An empty one. (transfer full) */
LsTuneTree      *ls_tune_tree_new        (void);
void             ls_tune_tree_free       (LsTuneTree           *self);
/* The next program (takes the decisions); `seconds` not above 0: it has no time and counts for nothing. */
void             ls_tune_tree_add        (LsTuneTree           *self,
                                          GArray               *decisions,
                                          double                seconds);
/* Programs with a time at a place. */
guint            ls_tune_tree_count      (LsTuneTree           *self,
                                          GArray               *path);
/* As ls_tune_worth(), of the programs at a place.  (transfer full) of LsTuneWorth */
GArray          *ls_tune_tree_worth      (LsTuneTree           *self,
                                          GArray               *path);
/* The values of a decision at a place, that of the fastest program first. (transfer full) of LsTuneValue */
GArray          *ls_tune_tree_values     (LsTuneTree           *self,
                                          GArray               *path,
                                          const LsTuneDecision *decision);
/* The path one step further down. (transfer full) */
GArray          *ls_tune_tree_below      (GArray               *path,
                                          const LsTuneDecision *decision,
                                          gint64                value);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTuneTree, ls_tune_tree_free)

G_END_DECLS
