/* model: a search over the TensorIR functions that a Relax module calls, so that the whole module gets faster.
 *
 *   tasks    which functions they are, each with the number of its calls
 *   model    one LsSearch for each, of which one goes on at a time: after a few trials each the one of which most is expected
 *
 * What is expected of a task: its weight times a mean of what its last slices gained for each trial and of what its best time would gain if it fell as 1 / trials.
 * Source: the gradient scheduler of Ansor (Zheng et al., 2020, section 6), as TVM's meta_schedule has it.
 */
#pragma once

#include "app/search/run.h"

G_BEGIN_DECLS

/* ---- tasks.c ------------------------------------------------------------ */

typedef struct {
  char      *name;              /* of the first such function */
  GPtrArray *names;             /* of all that are equal to it */
  guint      weight;            /* calls */
  LsModule  *module;            /* the function alone, as main */
  char      *text;              /* of that module */
} LsSearchTask;

/* Of LsSearchTask, in the order of the calls: the functions that Relax functions call; none in a module that has no Relax functions.  (transfer full) */
GPtrArray     *ls_search_tasks_of          (LsModule              *module);

/* Steps for a function of a module that was searched alone, as main: the same for the one of this name. (transfer full) */
LsTrace       *ls_search_trace_for         (LsTrace               *trace,
                                            const char            *name);

/* ---- model.c ------------------------------------------------------------ */

#define LS_SEARCH_SLICE 8       /* trials of one task before another one may have its turn */

#define LS_TYPE_SEARCH_MODEL (ls_search_model_get_type ())
G_DECLARE_FINAL_TYPE (LsSearchModel, ls_search_model, LS, SEARCH_MODEL, GObject)

/* Signals: ::changed, and ::ended once, as those of LsSearch. */

/* How a task stands. */
typedef struct {
  const char *name, *run;       /* its run in the folder (ls_search_run_name) */
  guint       weight, trials;
  double      base, best;       /* ns; 0: not known yet.  best is never above base: the program as it is stays what it is */
  gboolean    active, over;     /* it has its turn; nothing more is to be found */
  const char *problem;          /* why it has no time, or NULL */
} LsSearchTaskState;

/* Not running yet.  `options` as of LsSearch: `trials` of all together, `seconds` too; `database` is needed.  Holds the tasks.
 * (transfer full) */
LsSearchModel *ls_search_model_new         (GPtrArray             *tasks,
                                            const LsSearchOptions *options);
void           ls_search_model_start       (LsSearchModel         *self);
void           ls_search_model_pause       (LsSearchModel         *self);
void           ls_search_model_resume      (LsSearchModel         *self);
void           ls_search_model_stop        (LsSearchModel         *self);
LsSearchState  ls_search_model_get_state   (LsSearchModel         *self);
LsSearchEnd    ls_search_model_get_end     (LsSearchModel         *self);
const char    *ls_search_model_get_problem (LsSearchModel         *self);
guint          ls_search_model_get_n       (LsSearchModel         *self);
void           ls_search_model_get_task    (LsSearchModel         *self,
                                            guint                  i,
                                            LsSearchTaskState     *state);
LsSearch      *ls_search_model_get_search  (LsSearchModel         *self,
                                            guint                  i);
/* Programs of all tasks: draws that gave one that was known do not count. */
guint          ls_search_model_get_trials  (LsSearchModel         *self);
/* The sum over all calls, ns: as it was, and with the best of each; 0: some task was not timed yet. */
double         ls_search_model_get_base    (LsSearchModel         *self);
double         ls_search_model_get_total   (LsSearchModel         *self);

/* ---- run-log.c ---------------------------------------------------------- */

/* As ls_search_run_log_follow(), of a model: {"event": "model", tasks, total, ..} where other runs have trials.  Each task has a run of its own in the folder,
 * which can be looked at as any other. */
void           ls_search_run_log_follow_model (LsSearchRunLog     *self,
                                            LsSearchModel         *model,
                                            guint                  trials,
                                            LsSearchRunLine        line,
                                            gpointer               data);

G_END_DECLS
