/* run: a search that goes on by itself, in a process of its own, and those who look at it.
 *
 *   run-files    where it keeps what, beside the database; who holds it; what is asked of it
 *   run-log      the process' side: writes down what happens to its search, and does what is asked
 *   run          the other side: the same search as its log tells it, now or after it has ended; run-read reads a line of it
 *
 * Beside the database of a folder stand, for each program NAME of it,
 *
 *   run-NAME.lock   held (flock) by the process as long as it lives; its text is the number of the process, and under it what keeps it from writing the log
 *   run-NAME.log    a line of JSON for each thing that happened; a new one for each process
 *   run-NAME.ask    what is asked of it: "pause", "resume" or "stop"; taken away when it was done
 *
 * Nothing is connected with anything: whoever starts a search may go, as a window that is closed or killed, and another one may look at it.
 */
#pragma once

#include "app/search/search.h"

G_BEGIN_DECLS

/* ---- run-files.c -------------------------------------------------------- */

/* "3f2a..": the name of the program with this text in the files of a folder. (transfer full) */
char           *ls_search_run_name            (const char           *text);
/* The cache of the user for a program: where a search keeps what it measured unless it is told otherwise. (transfer full) */
char           *ls_search_run_folder          (const char           *text);
/* FOLDER/run-NAME.WHAT. (transfer full) */
char           *ls_search_run_path            (const char           *folder,
                                               const char           *name,
                                               const char           *what);
/* The names of all searches that were ever in this folder, in order. (transfer full) */
GStrv           ls_search_run_list            (const char           *folder);
/* The process that holds it now, or 0. */
int             ls_search_run_get_holder      (const char           *folder,
                                               const char           *name);
/* Takes hold of it for this process, until the descriptor is closed; -1: cannot be had.  Errors: G_IO_ERROR_EXISTS where another process has it, of GFileError. */
int             ls_search_run_hold            (const char           *folder,
                                               const char           *name,
                                               GError              **error);
/* Whoever holds it says what keeps it from writing, or nothing any more (NULL), in a place that needs no more of the disk. FALSE: not even that could be written. */
gboolean        ls_search_run_complain        (int                   lock,
                                               const char           *words);
/* What it said last; NULL: nothing. (transfer full) */
char           *ls_search_run_get_complaint   (const char           *folder,
                                               const char           *name);
/* "pause", "resume", "stop". Errors: G_IO_ERROR_NOT_FOUND where no process holds it, of GFileError. */
gboolean        ls_search_run_ask             (const char           *folder,
                                               const char           *name,
                                               const char           *what,
                                               GError              **error);
/* Says that this process measures on this machine, for a search with this folder, until the descriptor is closed; -1: nobody could be told. */
int             ls_search_run_announce        (const char           *folder);
/* That others do, a sentence; NULL: nobody does. (transfer full) */
char           *ls_search_run_describe_others (void);
/* loopscope-cli: LS_CLI; else where it stands in the build tree or where it is installed; or NULL. (transfer full) */
char           *ls_search_run_locate_command  (void);

/* ---- run-log.c ---------------------------------------------------------- */

typedef struct _LsSearchRunLog LsSearchRunLog;

/* A line of the log, without its line end. */
typedef void (*LsSearchRunLine) (const char *line, gpointer data);

/* Takes hold of the run of a program in a folder.  NULL with the errors of ls_search_run_hold(). (transfer full) */
LsSearchRunLog *ls_search_run_log_new         (const char           *folder,
                                               const char           *name,
                                               GError              **error);
/* Writes down what happens to this search, which is held, and is not running yet; `trials` are planned.  A line that cannot be written waits until it can.
 * `line` (may be NULL) hears each. */
void            ls_search_run_log_follow      (LsSearchRunLog       *self,
                                               LsSearch             *search,
                                               guint                 trials,
                                               LsSearchRunLine       line,
                                               gpointer              data);
/* The search measures on this machine: others that do are told of, as its trouble, and so are others of it. */
void            ls_search_run_log_measures_here (LsSearchRunLog      *self);
/* Writes what waits and lets go. */
void            ls_search_run_log_free        (LsSearchRunLog       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSearchRunLog, ls_search_run_log_free)

/* ---- run.c -------------------------------------------------------------- */

/* How a search ended that did not say so: its process is gone. */
#define LS_SEARCH_RUN_LOST (LS_SEARCH_END_ERROR + 1)

#define LS_TYPE_SEARCH_RUN (ls_search_run_get_type ())
G_DECLARE_FINAL_TYPE (LsSearchRun, ls_search_run, LS, SEARCH_RUN, GObject)

/* Signals, as those of LsSearch: ::trial (number), ::changed, ::ended, and ::restarted when another process began the search anew: all trials are gone then.
 * Its log is read a few times a second as long as its process lives. (transfer full) */
LsSearchRun    *ls_search_run_new             (const char           *folder,
                                               const char           *name);
/* Reads what is there and goes on reading. */
void            ls_search_run_start           (LsSearchRun          *self);
/* A line of the log arrives at `line` as well. */
void            ls_search_run_set_line        (LsSearchRun          *self,
                                               LsSearchRunLine       line,
                                               gpointer              data);
/* As ls_search_run_ask(). */
gboolean        ls_search_run_wish            (LsSearchRun          *self,
                                               const char           *what,
                                               GError              **error);
/* The process, or 0 when it is gone. */
int             ls_search_run_get_process     (LsSearchRun          *self);
guint           ls_search_run_get_planned     (LsSearchRun          *self);
/* A task of a model (model.h); its own run stands in the same folder. */
typedef struct {
  char    *name, *run;
  guint    weight, trials;
  double   base, best;          /* ns; 0: not known yet */
  gboolean active, over;
  char    *problem;             /* or NULL */
} LsSearchRunTask;

/* After so many trials of all tasks the model took so long. */
typedef struct {
  guint  trials;
  double total;                 /* ns */
} LsSearchRunTotal;

/* Of LsSearchRunTask; NULL: this run is of one program. Borrowed. */
GPtrArray      *ls_search_run_get_tasks       (LsSearchRun          *self);
/* Of LsSearchRunTotal, each less than the one before it; those of the last and of the module as it was, ns. Borrowed. */
GArray         *ls_search_run_get_totals      (LsSearchRun          *self);
double          ls_search_run_get_total       (LsSearchRun          *self,
                                               double               *base);
/* As those of LsSearch; a trial has no schedule, no text and no `drawn`. */
LsSearchState   ls_search_run_get_state       (LsSearchRun          *self);
int             ls_search_run_get_end         (LsSearchRun          *self);
const char     *ls_search_run_get_problem     (LsSearchRun          *self);
const char     *ls_search_run_get_trouble     (LsSearchRun          *self);
const char     *ls_search_run_get_kind        (LsSearchRun          *self);
GArray         *ls_search_run_get_kinds       (LsSearchRun          *self);
GPtrArray      *ls_search_run_get_machines    (LsSearchRun          *self);
const char     *ls_search_run_get_note        (LsSearchRun          *self);
GPtrArray      *ls_search_run_get_trials      (LsSearchRun          *self);
LsSearchTrial  *ls_search_run_get_best        (LsSearchRun          *self);
void            ls_search_run_get_counts      (LsSearchRun          *self,
                                               LsSearchCounts       *counts);
const char     *ls_search_run_get_refusal     (LsSearchRun          *self);
const char     *ls_search_run_get_conditions  (LsSearchRun          *self);
GArray         *ls_search_run_get_worth       (LsSearchRun          *self);

G_END_DECLS
