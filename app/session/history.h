/* session/history: the tree of steps of one document.
 *
 * A node is one step as people count them: a primitive together with the get_block and
 * get_loops calls that it needed.  Each node holds a schedule with all steps up to
 * its own; copies share their steps, so a node costs little.  The first child of a node
 * continues its branch, every further child begins a new one.
 *
 * Knows nothing of widgets: LsEngineSession shows it.
 */
#pragma once

#include "engine/schedule/schedule.h"
#include "engine/script/printer.h"
#include "views/models/step-item.h"

G_BEGIN_DECLS

#define LS_HISTORY_NONE G_MAXUINT

typedef struct {
  guint       id;               /* position in the history */
  guint       parent;           /* own id for the root */
  guint       number;           /* depth */
  guint       branch;           /* 0: main */
  LsSchedule *schedule;         /* with all steps up to this one */
  guint       first_step;       /* schedule steps before it */
  char       *call;             /* "split(j, [None, 4])" */
  char       *name;             /* "split" */
  char       *refused;          /* why the step could not be done, or NULL; the schedule is then the parent's */
  const char *checked_in;       /* static: our source file with the check that refused it, or NULL: LsDiagnostic.checked_in */
  guint       checked_at;       /* its line */
  char       *warning;          /* what TVM accepts although it may change results, or NULL */
  guint       last_child;       /* where redo goes; LS_HISTORY_NONE: no child */
  LsStepItem *item;             /* shown state; the history keeps number, call and branch of it up to date */
  LsStepTime  time;
  double     *samples;          /* seconds; time.samples of them */
  char       *trouble;          /* why it could not be measured, or NULL */
  char       *conditions;       /* of the samples */
  char       *counted;          /* what the processor counted then, or why it did not, or NULL */
  gboolean    unreached;        /* comes after a refused one */
  GPtrArray  *devices;          /* of LsDeviceNote: what devices of other machines measured, or NULL */
  guint       bookmark;         /* 1 to 9; 0: none */
  int         effect;           /* 0: not looked at yet, 1: it changes the program, -1: it does not */
  gboolean    stale;            /* `time` is of the step that this one was edited from, or of another target or other sizes */
  char       *timed_for;        /* those: "llvm n=256", or NULL */
  char       *lines;            /* of a refused, unreached or edited step: its text; else NULL until ls_history_lines() */
  guint       naming;           /* whose names `lines` has: 0: those of the printed trace (see ls_history_naming) */
  guint8     *digest;           /* private to file-write.c: checksum of what of it never changes, or NULL: not asked for yet */
} LsHistoryNode;

/* The step itself was carried out. */
#define LS_HISTORY_DONE(node) ((node)->refused == NULL && !(node)->unreached)

typedef struct _LsHistory LsHistory;

/* Are new steps that change the order of what depends on each other refused?  At first, and when the user chooses anew, what
 * ls_schedule_set_strict_default says.  Steps that are read from a file are made as they were. */
gboolean       ls_history_is_strict   (LsHistory     *self);
void           ls_history_set_strict  (LsHistory     *self,
                                       gboolean       strict);
/* A history with the root only. `title` is what the root row says. */
LsHistory     *ls_history_new         (LsModule      *module,
                                       const char    *title);
void           ls_history_free        (LsHistory     *self);
/* The program was opened as one free function, without a module class around it: its text is shown so too.  FALSE at
 * first; ls_history_rebase() keeps it. */
void           ls_history_set_lone    (LsHistory     *self,
                                       gboolean       lone);
gboolean       ls_history_is_lone     (LsHistory     *self);
/* The text of the program after node `id` as it was opened: a lone function, else the whole module.  `whole`: with the
 * constants written out, so that it can be read again.  `map` may be NULL, else it gets the source map (transfer full).
 * (transfer full) */
char          *ls_history_print       (LsHistory     *self,
                                       guint          id,
                                       gboolean       whole,
                                       LsSourceMap  **map);
guint          ls_history_get_n       (LsHistory     *self);
/* Borrowed; stays where it is as long as the history lives. */
LsHistoryNode *ls_history_get         (LsHistory     *self,
                                       guint          id);

/* The nodes on the ways from the root to `a` and to `b`, as they are now and with their ids, and nothing between: of the rest there is
 * none.  Their schedules are shared, which never change; so another thread may read it while the history grows.  Nodes have no item.
 * (transfer full) */
LsHistory     *ls_history_excerpt     (LsHistory     *self,
                                       guint          a,
                                       guint          b);
/* All nodes as they are now, with copies of their items, times and samples: for another thread, as an excerpt.
 * Cost: the copies; no program is looked at. (transfer full) */
LsHistory     *ls_history_snapshot    (LsHistory     *self);

/* Applies the Python text of one or more calls after node `at`: a node for each primitive in it.  A call that would
 * repeat an existing child leads to that child.  Returns the last node.  When a call is refused nothing
 * changes, LS_HISTORY_NONE comes back and the findings are in `diagnostics`. */
guint          ls_history_apply       (LsHistory     *self,
                                       guint          at,
                                       const char    *text,
                                       LsDiagnostics *diagnostics);
/* The same for a file of steps: keeps what went well; a refused call becomes a last node with its reason. */
guint          ls_history_replay      (LsHistory     *self,
                                       guint          at,
                                       LsSource      *source,
                                       LsDiagnostics *diagnostics);

/* All steps up to node `id`, as the JSON of a trace. (transfer full) */
char          *ls_history_trace_json   (LsHistory     *self,
                                       guint          id);

/* One node with the text of its step (the lines of a printed trace that belong to it, in the names `naming`), as a file has
 * it.  A step that is refused becomes a node with its reason, one after such a node is not reached.  `call` and `name` are
 * shown when it cannot be done.  Returns the node. */
guint          ls_history_add         (LsHistory     *self,
                                       guint          parent,
                                       guint          naming,
                                       const char    *lines,
                                       const char    *call,
                                       const char    *name);
/* A printed trace numbers its handles.  An edited step may bind more of them than before, so the steps behind it, and above
 * all those that cannot be done any more, keep the names that they had: an edit and what was replayed for it share a naming,
 * a number above 0.  The naming in which node `id` is to be edited together with the later steps of its branch: */
guint          ls_history_naming      (LsHistory     *self,
                                       guint          id);
/* The lines of the trace that node `id` adds, in the names of its own naming; "" for the root. Borrowed. */
const char    *ls_history_lines       (LsHistory     *self,
                                       guint          id);
/* The same in a naming that ls_history_naming() gave for it or for a node before it. (transfer full) */
char          *ls_history_lines_in    (LsHistory     *self,
                                       guint          id,
                                       guint          naming);
/* The same tree of steps on another first program: each step is replayed; one that is refused now has its reason and what
 * follows it is not reached.  Nodes keep their ids, branches their names; times come along, stale unless `same` (the
 * program is the one that they were measured with). (transfer full) */
LsHistory     *ls_history_rebase      (LsHistory     *self,
                                       LsModule      *module,
                                       const char    *title,
                                       gboolean       same);
/* The program after node `id` in a schedule of its own, with the handles of a naming, so that lines in it can follow.
 * (transfer full) */
LsSchedule    *ls_history_named       (LsHistory     *self,
                                       guint          id,
                                       guint          naming);
/* Puts a measured time in place; takes `samples`. */
void           ls_history_set_time    (LsHistoryNode    *node,
                                       const LsStepTime *time,
                                       double           *samples,
                                       const char       *conditions);

/* Ids from the root to `id`. (transfer full) of guint */
GArray        *ls_history_path_to     (LsHistory     *self,
                                       guint          id);
/* Ids from the root through `id` to the tip that redo leads to. (transfer full) of guint */
GArray        *ls_history_path        (LsHistory     *self,
                                       guint          id);
/* The step changes the program of its parent (remembered). */
gboolean       ls_history_has_effect  (LsHistory     *self,
                                       guint          id);
/* Works out what is remembered of every node, its lines and whether it has an effect, so that nobody waits for it later: for the thread
 * that reads a document. */
void           ls_history_prime       (LsHistory     *self);
/* First child, or LS_HISTORY_NONE. */
guint          ls_history_main_child  (LsHistory     *self,
                                       guint          id);
/* The child of `id` that applied `call`, or LS_HISTORY_NONE. */
guint          ls_history_find_child  (LsHistory     *self,
                                       guint          id,
                                       const char    *call);
/* Remembers that `id` was visited: redo of its ancestors leads to it. */
void           ls_history_visit       (LsHistory     *self,
                                       guint          id);

guint          ls_history_n_branches  (LsHistory     *self);
/* What a branch is called until it gets a name, in the language of the user. (transfer full) */
char          *ls_history_default_name (guint         branch);
const char    *ls_history_branch_name (LsHistory     *self,
                                       guint          branch);
void           ls_history_name_branch (LsHistory     *self,
                                       guint          branch,
                                       const char    *name);
/* The entity of `to`'s program that continues entity `id` of `from`'s: the same, one of the same family, or what is
 * around it; 0 when there is nothing like it. Ids are lineage ids plus one, so that 0 is free. */
guint64        ls_history_follow      (LsHistory     *self,
                                       guint          from,
                                       guint          to,
                                       guint64        id);

/* The first finding of this severity, or NULL. Borrowed. */
const LsDiagnostic *ls_history_finding (LsDiagnostics *diagnostics,
                                        LsSeverity     severity);

/* Steps of the program that people do not count: get_block, get_loops and the like. */
gboolean       ls_history_is_pure     (const LsStep  *step);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsHistory, ls_history_free)

G_END_DECLS
