/* tuning-private: a search that is followed, for the files that make it up.
 *
 *   tuning         what is wished, and the life of it
 *   tuning-follow  the log of the run, and of each function of a module, as items
 *   tuning-branch  candidates as branches of the history
 *   tuning-show    what a run tells, as the page shows it
 *   tuning-start   the process
 *   tuning-tree    decisions in words, and their tree
 */
#pragma once

#include "app/search/model.h"
#include "app/session/tuning.h"

G_BEGIN_DECLS

struct _LsEngineTuning
{
  LsTuning    parent_instance;

  LsDocument *document;
  LsSearchRun *run;             /* or NULL */
  LsSearchRun *shown;           /* whose trials are the items: `run`, or that of a function; borrowed, or NULL */
  GPtrArray  *tasks;            /* of LsTuningTaskRun: the functions of a module that is searched as a whole, or NULL */
  guint       task;             /* the shown one */
  GCancellable *starting;       /* or NULL: no process is being started */
  char       *folder;           /* of the run, or NULL */
  guint       number;           /* of the document when it was started */
  guint       node;             /* that it searches from */
  guint       looked;           /* number of the document, and 1, whose searches were looked for; 0: none */
  double      best;             /* seconds: of the items so far; 0: none yet */
  guint       weighed;          /* programs measured at the last look */
  LsTuneTree *tree;             /* of the last look, or NULL */
  gboolean    stopping;
  gboolean    base_known;       /* the time of the program as it was is in the items */
  GHashTable *opened;           /* number of an item -> node of its branch */
  char       *trouble;          /* the last that was told of a queue, or NULL */
  char       *unstarted;        /* what was said of the process that was started last and is none, or NULL */
  char       *refusal;          /* why it cannot be started, where that names a loop, or NULL */
};

/* A function; its log is read in its turn, so that no frame opens many. */
typedef struct {
  LsSearchRun *run;
  char        *name;            /* of the run in the folder */
  gboolean     started;
} LsTuningTaskRun;

/* ---- tuning-follow.c ---- */

/* The run `name` of a folder is what is shown from now on. */
void     ls_engine_tuning_follow    (LsEngineTuning *self,
                                     const char     *folder,
                                     const char     *name);
/* The run has news. */
void     ls_engine_tuning_changed   (LsEngineTuning *self);
/* Shows the trials of a function of the module. */
void     ls_engine_tuning_show_task (LsEngineTuning *self,
                                     guint           number);
/* The search goes on by itself. */
void     ls_engine_tuning_let_go    (LsEngineTuning *self);
/* Nothing is shown any more. */
void     ls_engine_tuning_clear     (LsEngineTuning *self);

/* ---- tuning-branch.c ---- */

/* Makes the steps of a candidate a branch, or goes to the one that was made. */
void     ls_engine_tuning_open     (LsEngineTuning *self,
                                    LsTrialItem    *item);
void     ls_engine_tuning_keep_all (LsEngineTuning *self);
gboolean ls_engine_tuning_compare  (LsEngineTuning *self,
                                    LsTrialItem    *left,
                                    LsTrialItem    *right,
                                    guint           nodes[2]);

/* ---- tuning-show.c ---- */

void        ls_tuning_show_machines (LsTuning       *tuning,
                                     LsSearchRun    *run);
void        ls_tuning_show_kinds    (LsTuning       *tuning,
                                     LsSearchRun    *run);
/* `total` in ns; 0: not known yet. */
void        ls_tuning_show_tasks    (LsTuning       *tuning,
                                     LsSearchRun    *run,
                                     double          total);
void        ls_tuning_show_totals   (LsTuning       *tuning,
                                     LsSearchRun    *run);
/* All but state and what is planned. */
void        ls_tuning_fill_record   (LsSearchRun    *run,
                                     LsTuningRecord *record);
/* How a search ended; NULL: with an error. */
const char *ls_tuning_end_words     (int             end);

G_END_DECLS
