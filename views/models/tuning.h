/* LsTuning: what the Tune page shows of a search over schedules, and what it may ask for.
 *
 * Abstract, as LsSession and LsGraphModel are: the concrete one runs the search.  Each program that was drawn is an LsTrialItem of one
 * list; figures of the whole are a record.  ::changed says that the record, the worth of decisions or the sentence are others, ::selected
 * that another item is looked at.
 *
 * All of it belongs to the main thread.
 */
#pragma once

#include "views/models/decision-item.h"
#include "views/models/trial-item.h"

G_BEGIN_DECLS

typedef enum {
  LS_TUNING_NONE,               /* nothing was started for this program */
  LS_TUNING_RUNNING,
  LS_TUNING_PAUSED,
  LS_TUNING_STOPPING,
  LS_TUNING_ENDED,
} LsTuningState;

typedef struct {
  LsTuningState state;
  guint  planned;               /* trials */
  guint  trials;                /* used up */
  guint  measured, failed, given_up, refused, remembered;
  guint  n_designs;
  double base;                  /* seconds of the program as it was; 0: not timed */
  double best;                  /* 0: none yet */
  guint  best_number;           /* of the fastest item; 0: none yet */
  double seconds;               /* that it ran */
  double seconds_left;          /* below 0: not known yet */
} LsTuningRecord;

/* A machine of the queue that measures for the search. */
typedef struct {
  char  *name, *kind;
  char  *doing;                 /* "measures for 1.2 s", "waits" */
  guint  measured;              /* programs, for all who ask it */
  double load;
} LsTuningMachine;

/* What is known of the program on a kind of machine: times of two kinds are compared by nobody, but seen side by side. */
typedef struct {
  char    *name;
  guint    programs;            /* that were measured there */
  double   best;                /* seconds */
  gboolean here;                /* the search measures there */
} LsTuningKind;

/* A function of a Relax module that is searched as a whole. */
typedef struct {
  char    *name;
  guint    calls, trials;
  double   base, best;          /* seconds of a call; 0: not known yet */
  double   share;               /* of the whole module now, 0 to 1; below 0: not known yet */
  gboolean active, over;        /* it has its turn; nothing more is to be found */
  char    *problem;             /* why it has no time, or NULL */
} LsTuningTask;

/* After so many trials of all functions one run of the module took so long. */
typedef struct {
  guint  trials;
  double seconds;
} LsTuningTotal;

#define LS_TUNING_NO_TASK G_MAXUINT

/* How much of the spread of the times a decision explains. */
typedef struct {
  char  *name;
  char  *best;                  /* the value whose programs were fastest */
  double share;                 /* 0 to 1 */
  guint  n_values;
} LsTuningWorth;

#define LS_TYPE_TUNING (ls_tuning_get_type ())
G_DECLARE_DERIVABLE_TYPE (LsTuning, ls_tuning, LS, TUNING, GObject)

struct _LsTuningClass
{
  GObjectClass parent_class;

  void        (*start)      (LsTuning *self, gboolean shown, guint trials, guint seconds);
  void        (*look)       (LsTuning *self);
  void        (*pause)      (LsTuning *self);
  void        (*resume)     (LsTuning *self);
  void        (*stop)       (LsTuning *self);
  void        (*open)       (LsTuning *self, LsTrialItem *item);
  const char *(*get_refusal) (LsTuning *self);
  gboolean    (*compare)    (LsTuning *self, LsTrialItem *left, LsTrialItem *right, guint nodes[2]);
  void        (*branch)     (LsTuning *self, LsDecisionItem *above, GPtrArray *below);
  void        (*show_task)  (LsTuning *self, guint task);
  void        (*keep_all)   (LsTuning *self);

  gpointer padding[2];
};

/* ---- what the user wants ---- */

/* Searches schedules of the opened program or, with `shown`, of what it is at the shown step; seconds 0: as long as the trials take.  What is
 * shown of an earlier search goes. */
void             ls_tuning_start         (LsTuning             *self,
                                          gboolean              shown,
                                          guint                 trials,
                                          guint                 seconds);
/* The page is shown: a search of the opened program that goes on without this window, or how the last one ended, is shown again. */
void             ls_tuning_look          (LsTuning             *self);
void             ls_tuning_pause         (LsTuning             *self);
void             ls_tuning_resume        (LsTuning             *self);
void             ls_tuning_stop          (LsTuning             *self);
/* Makes the steps of a candidate a branch of the history, behind the step that was searched from, and goes there.  A second time it only
 * goes there. */
void             ls_tuning_open          (LsTuning             *self,
                                          LsTrialItem          *item);
/* Makes both branches, if they are none yet; nodes gets their nodes.  FALSE: a candidate can no longer be applied. */
gboolean         ls_tuning_compare       (LsTuning             *self,
                                          LsTrialItem          *left,
                                          LsTrialItem          *right,
                                          guint                 nodes[2]);
/* Of a module that is searched as a whole: the items are the candidates of this function from now on. */
void             ls_tuning_show_task     (LsTuning             *self,
                                          guint                 task);
/* The fastest of each function that got faster, one behind the other, become a branch of the history. */
void             ls_tuning_keep_all      (LsTuning             *self);
/* Where the next search measures: the address of a queue; "": on this machine. */
void             ls_tuning_set_queue     (LsTuning             *self,
                                          const char           *queue);
/* The one that is looked at; NULL: none. Emits ::selected. */
void             ls_tuning_select        (LsTuning             *self,
                                          LsTrialItem          *item);

/* ---- what is shown; all (transfer none) ---- */

const LsTuningRecord *ls_tuning_get      (LsTuning             *self);
/* Of the items alone: as ls_tuning_get(), but of the shown function where a module is searched as a whole. */
const LsTuningRecord *ls_tuning_get_part (LsTuning             *self);
/* The number of the shown function among the tasks, or LS_TUNING_NO_TASK. */
guint            ls_tuning_get_task      (LsTuning             *self);
/* Of LsTuningTotal, each less than the one before it; NULL: one program is searched. */
GArray          *ls_tuning_get_totals    (LsTuning             *self);
/* Of LsTrialItem, by number. */
GListModel      *ls_tuning_get_items     (LsTuning             *self);
LsTrialItem     *ls_tuning_get_selected  (LsTuning             *self);
/* With which the selected one would be compared: the one that was looked at before it, else the fastest; NULL: there is none. */
LsTrialItem     *ls_tuning_get_partner   (LsTuning             *self);
/* Of LsTuningWorth, the largest share first; NULL: nothing can be said yet. */
GArray          *ls_tuning_get_worth     (LsTuning             *self);
/* What stands in the tree of decisions below an item; NULL: at its root.  Of decisions that which explains most is the first, of values that of the fastest
 * program. (transfer full) of LsDecisionItem */
GPtrArray       *ls_tuning_get_branch    (LsTuning             *self,
                                          LsDecisionItem       *above);
/* Another number whenever decisions were weighed anew. */
guint            ls_tuning_get_weighed   (LsTuning             *self);
/* The share of a decision by its name; below 0: unknown. */
double           ls_tuning_find_share    (LsTuning             *self,
                                          const char           *name);
const char      *ls_tuning_get_queue     (LsTuning             *self);
/* Of LsTuningMachine, by name; NULL: this machine measures. */
GArray          *ls_tuning_get_machines  (LsTuning             *self);
/* A line for each of them, and one for all. (transfer full) */
char            *ls_tuning_describe_machines (LsTuning         *self);
/* Of LsTuningKind; NULL: there are results of one kind of machine at most. */
GArray          *ls_tuning_get_kinds     (LsTuning             *self);
/* Of LsTuningTask, in the order of their calls; NULL: one program is searched.  Base and best of the record are then sums over all calls. */
GArray          *ls_tuning_get_tasks     (LsTuning             *self);
/* Why nothing can be searched here, a sentence, or NULL. */
const char      *ls_tuning_get_refusal   (LsTuning             *self);
/* What happened last and matters, or NULL; how it was measured, or NULL. */
const char      *ls_tuning_get_message   (LsTuning             *self);
const char      *ls_tuning_get_conditions (LsTuning            *self);
/* "37 of 64 trials · best 12.3 µs, ×38.2 · about 40 s left". (transfer full) */
char            *ls_tuning_describe      (LsTuning             *self);

/* ---- for the concrete one ---- */

void             ls_tuning_set           (LsTuning             *self,
                                          const LsTuningRecord *record);
/* Takes an array of LsTuningWorth, or NULL. */
void             ls_tuning_take_worth    (LsTuning             *self,
                                          GArray               *worth);
/* An empty one. (transfer full) */
GArray          *ls_tuning_worth_new     (void);
void             ls_tuning_tell          (LsTuning             *self,
                                          const char           *message);
void             ls_tuning_set_conditions (LsTuning            *self,
                                          const char           *conditions);
/* Takes an array of LsTuningMachine, or NULL. */
void             ls_tuning_take_machines (LsTuning             *self,
                                          GArray               *machines);
/* An empty one. (transfer full) */
GArray          *ls_tuning_machines_new  (void);
/* Takes an array of LsTuningKind, or NULL. */
void             ls_tuning_take_kinds    (LsTuning             *self,
                                          GArray               *kinds);
/* An empty one. (transfer full) */
GArray          *ls_tuning_kinds_new     (void);
/* Takes an array of LsTuningTask, or NULL. */
void             ls_tuning_take_tasks    (LsTuning             *self,
                                          GArray               *tasks);
/* An empty one. (transfer full) */
GArray          *ls_tuning_tasks_new     (void);
/* Takes an array of LsTuningTotal, or NULL. */
void             ls_tuning_take_totals   (LsTuning             *self,
                                          GArray               *totals);
/* The items are those of this function, with these figures. */
void             ls_tuning_set_part      (LsTuning             *self,
                                          guint                 task,
                                          const LsTuningRecord *record);
/* The items go, and what was made of them. */
void             ls_tuning_clear_items   (LsTuning             *self);
/* Borrows the item. */
void             ls_tuning_add           (LsTuning             *self,
                                          LsTrialItem          *item);
/* All of it goes. */
void             ls_tuning_clear         (LsTuning             *self);

G_END_DECLS
