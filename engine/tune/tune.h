/* tune: searching a space of schedules for the one that runs fastest.
 *
 *   tuner      the search: draws programs, lets a model of cost choose, learns from what was measured
 *   features   what is counted in a program
 *   model      ridge regression from features to the logarithm of the time
 *   record     the lines of TVM's database files
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

typedef struct {
  LsTuneStrategy strategy;
  gint64         seed;
  guint          batch;         /* trials between two lessons of the model; 0: 16 */
  guint          population;    /* 0: 48 */
  guint          generations;   /* 0: 4 */
  gint64         max_jobs;      /* the bound of parallel annotations; 0: 16 */
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
} LsTuneCandidate;

typedef struct _LsTuner LsTuner;
LsTuner         *ls_tuner_new            (LsModule             *module,
                                          const LsTunerOptions *options);
void             ls_tuner_free           (LsTuner              *self);
/* Adds a design; steps that only look are left out. */
void             ls_tuner_add_design     (LsTuner              *self,
                                          LsTrace              *design);
guint            ls_tuner_get_n_designs  (LsTuner              *self);
/* The next program to measure, one that was not given before; NULL: none was found.  Each call counts as one trial or more
 * (ls_tuner_get_n_trials); `max_trials` (0: none) bounds them. Borrowed. */
LsTuneCandidate *ls_tuner_next           (LsTuner              *self,
                                          guint                 max_trials);
/* What came of it: the median time, or below 0 with the reason.  The model learns from it. */
void             ls_tuner_report         (LsTuner              *self,
                                          LsTuneCandidate      *candidate,
                                          double                seconds,
                                          const char           *problem);
/* What an earlier search measured, so that it is not measured again.  FALSE: the trace does not fit. */
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
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTuner, ls_tuner_free)

/* ---- features.c --------------------------------------------------------- */

#define LS_TUNE_N_FEATURES 14
/* Counts of the program's first function; see the file for what they are. */
void             ls_tune_features        (LsModule             *module,
                                          double                features[LS_TUNE_N_FEATURES]);

/* ---- model.c ------------------------------------------------------------ */

typedef struct _LsTuneModel LsTuneModel;
LsTuneModel     *ls_tune_model_new       (void);
void             ls_tune_model_free      (LsTuneModel          *self);
/* A program with these features took so long. */
void             ls_tune_model_learn     (LsTuneModel          *self,
                                          const double         *features,
                                          double                seconds);
/* The logarithm of seconds that is expected; NaN before it learned enough. */
double           ls_tune_model_predict   (LsTuneModel          *self,
                                          const double         *features);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTuneModel, ls_tune_model_free)

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
/* [["TENSOR", "float32", [128, 128]], ..] of the function's parameters; dynamic sizes are -1. (transfer full) */
char            *ls_tune_args_json       (LsModule             *module);

G_END_DECLS
