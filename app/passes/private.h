/* passes/private: the window of passes, whose parts are in several files.
 *
 *   window         what it is made of, and opening
 *   window-read    a thread reads the log while the list fills
 *   window-command  asks for a command whose output is the log; command runs it
 *   window-run     the program as each pass left it, run
 *   window-show    the texts of the chosen pass
 *   window-search  first mention, next mention, who removed it
 *   window-follow  a value, line or block through all of it
 *   window-place   where it is as a link and in a session, and going there
 *   window-graph   the blocks of the shown function as a graph
 *   window-share   the log as a page
 *   window-two     a second log beside it
 *   own            the passes of the program that is open; own-log makes a log of them
 */
#pragma once

#include "app/passes/compare.h"
#include "app/passes/list.h"

G_BEGIN_DECLS

typedef struct _LsPassesWindow LsPassesWindow;
typedef struct _LsPassesGraph LsPassesGraph;

/* Where a link leads to; each may be NULL. */
typedef struct {
  char *pass;                   /* a number from 1 or a name */
  char *function, *follow;
} LsPassesPlaceOfLink;

void ls_passes_place_free (LsPassesPlaceOfLink *self);

/* What is looked for while the log is read: asked here, answered by the thread that reads. */
typedef struct {
  gatomicrefcount refs;
  GMutex          mutex;
  char           *what;         /* NULL: nothing */
  gboolean        remover;
  guint           serial;       /* another one for each question */
} LsPassesQuery;

LsPassesQuery *ls_passes_query_ref   (LsPassesQuery *self);
void           ls_passes_query_unref (LsPassesQuery *self);

struct _LsPassesWindow
{
  GtkWindow    *window;         /* owns this */
  GtkWidget    *title;
  GtkWidget    *sentence;
  GtkWidget    *cancel;
  GtkWidget    *kind_row;       /* says and corrects the kind */
  GtkWidget    *kinds;          /* GtkDropDown */
  GtkWidget    *search;
  GtkWidget    *answer;
  GtkWidget    *stack;          /* "passes", "status" */
  GtkWidget    *status;
  GtkWidget    *list;
  GtkWidget    *name;           /* of the chosen pass */
  GtkWidget    *words;
  GtkWidget    *summary;        /* what it is for, where that is known */
  GtkWidget    *reader;         /* who read the texts, of LLVM IR */
  GtkWidget    *functions;      /* GtkDropDown */
  GtkWidget    *manners[3];     /* of LsPassesManner */
  GtkWidget    *hides[3];
  GtkWidget    *around;
  GtkWidget    *notice;
  GtkWidget    *texts;
  GtkWidget    *pages;          /* GtkStack: "texts", "graph" */
  GtkWidget    *graphed;        /* toggle: the graph is shown */
  LsPassesGraph *graph;
  GtkWidget    *pin;            /* the row that says what is followed */
  GtkWidget    *pin_words;
  GtkWidget    *pin_only;       /* toggle: only passes that touch it */
  GArray       *mentions;       /* of LsPassMention: what is followed, or NULL */
  guint8       *touches;        /* LsPassTouch of each dump, or NULL */
  GFile        *file;           /* or NULL */
  LsPasses     *passes;         /* or NULL */
  LsComparison *comparison;     /* that the texts show, or NULL */
  GArray       *parts;          /* of guint: parts that the choice of functions has */
  LsPassesQuery *query;         /* of the log that is read, or NULL */
  GCancellable *reading, *showing, *searching, *following, *comparing;  /* of what is under way, or NULL */
  char         *followed;       /* a text that is followed, or NULL */
  gboolean      by_stand;       /* because a run stands still there */
  LsPassesPlaceOfLink *place;   /* to go to when the log is read, or NULL */
  GtkWidget    *two;            /* the row about another log beside this one */
  GtkWidget    *two_words;
  GtkWidget    *both;           /* toggle: the texts are those of both logs */
  LsPasses     *other;          /* the other log, or NULL */
  char         *other_path;
  int          *pair;           /* of each dump: that of the other log, -1: it has none */
  guint8       *marks;          /* of each dump: LsPassesMark */
  guint         n_early;        /* dumps that the list got while it was read */
  gboolean      narrow;
  gboolean      filling;
  gboolean      closed;
  gboolean      keeps_place;    /* the same texts of another program come */
  GMenu        *menu;           /* of the header */
  GSimpleActionGroup *actions;  /* "log" */
  void        (*time)          (gpointer own);  /* measures the program cut off behind each pass, or NULL */
  gpointer      time_data;
  gboolean      plain;          /* lines have no colours of their source lines */
  gboolean      own;            /* shows the passes of a program that is open, and no file */
  char         *name_of_log;
  char         *command, *folder;       /* whose output is the log, or NULL */
  GBytes       *output;         /* of the command, or what came through a pipe; or NULL */
  int           exit_status;    /* of the command; -1: it was ended */
  GCancellable *stop;           /* while it runs: ends it */
  GCancellable *running;        /* the program after each pass, or NULL */
  char         *entry, *arguments;      /* that were asked for last, or NULL */
};

/* The dump of the other log whose text is to be shown beside this one's; -1: none. */
static inline int
ls_passes_window_beside_dump (LsPassesWindow *self,
                              guint           dump)
{
  return self->other != NULL && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->both)) ? self->pair[dump] : -1;
}

/* What is under way and goes by this does not come back. */
static inline void
ls_passes_window_stop (GCancellable **at)
{
  if (*at != NULL)
    g_cancellable_cancel (*at);
  g_clear_object (at);
}

/* An empty one; `name` stands below its title.  Its GtkWindow owns it; not yet shown. */
LsPassesWindow *ls_passes_window_new (GtkApplication *application,
                                      const char     *name);
void ls_passes_window_name   (LsPassesWindow *self,
                              const char     *name);
/* Shows what a log of our own has become (transfer full), with `words` about it; what was chosen stays so. */
void            ls_passes_window_update (LsPassesWindow *self,
                              LsPasses       *passes,
                              const char     *words);
/* The menu has it: `time` is called with `own`. */
void ls_passes_window_set_time (LsPassesWindow *self,
                              void          (*time) (gpointer own),
                              gpointer        own);
/* Puts a link to the chosen pass, its function and what is followed on the clipboard. */
void ls_passes_window_copy_link (LsPassesWindow *self);
/* Goes to a place (transfer full), at once or when the log is read. */
void ls_passes_window_go     (LsPassesWindow *self,
                              LsPassesPlaceOfLink *place);
/* The log is read: to where it is to be shown. */
void ls_passes_window_arrive (LsPassesWindow *self);
/* Asks where to, then saves it as a session. */
void ls_passes_window_save   (LsPassesWindow *self);
/* Asks for another log, then compares with it. */
void ls_passes_window_beside (LsPassesWindow *self);
/* There is no other log any more. */
void ls_passes_window_two_end (LsPassesWindow *self);
/* The row about it; hidden while there is none. */
GtkWidget *ls_passes_window_two_row (LsPassesWindow *self);
/* Asks where to, then writes it as a page. */
void ls_passes_window_share  (LsPassesWindow *self);
/* Says that the file at `path` was written, or why not: `result` is a task with a boolean or an error.  Not in a window that was closed. */
void ls_passes_window_tell_written (LsPassesWindow *self,
                                    GAsyncResult   *result,
                                    const char     *path);
/* Shows a command that can be written and sent, then reads what it prints. */
void ls_passes_window_ask_command (LsPassesWindow *self);
/* Shows a log that was read (transfer full). */
void ls_passes_window_show_log (LsPassesWindow *self,
                              LsPasses       *passes);
/* Is the file one module of LLVM, without dumps? */
gboolean ls_passes_is_module (const char     *path);
/* Takes such a module through LLVM's passes and shows that. */
void ls_passes_window_step   (LsPassesWindow *self,
                              const char     *path);
/* The page of the graph; and what it shows for the chosen pass, where it is seen. */
GtkWidget *ls_passes_window_graph_page (LsPassesWindow *self);
void ls_passes_window_graph_update (LsPassesWindow *self);
void ls_passes_window_graph_stop (LsPassesWindow *self);
/* Asks for a function and its arguments, then runs it as each pass left it. */
void ls_passes_window_ask_run (LsPassesWindow *self);
/* Runs the window's command, which someone saw and sent. */
void ls_passes_window_run    (LsPassesWindow *self);
/* Reads the window's file, or what its command printed. */
void ls_passes_window_read   (LsPassesWindow *self,
                              LsPassLogKind   kind);
/* Ends reading, with a word. */
void ls_passes_window_cancel (LsPassesWindow *self);
/* There is nothing to show but a sentence. */
void ls_passes_window_say    (LsPassesWindow *self,
                              const char     *words,
                              gboolean        failed);
/* Another row of the list is chosen. */
void ls_passes_window_chosen (LsPassesWindow *self);
/* It is known now what the dump changed. */
void ls_passes_window_counted (LsPassesWindow *self,
                               guint           dump);
/* How it is shown is another. */
void ls_passes_window_view_changed (LsPassesWindow *self);
/* From the first dump on, from the chosen one on, and who removed it. */
void ls_passes_window_search_first   (LsPassesWindow *self);
void ls_passes_window_search_next    (LsPassesWindow *self);
void ls_passes_window_search_remover (LsPassesWindow *self);

/* The thread that reads has looked through what it has: `fraction` of all, below 0: how much there is is not known. */
void ls_passes_window_search_so_far  (LsPassesWindow     *self,
                                      const LsPassSearch *search,
                                      const char         *pass,
                                      double              fraction);
/* All is read: what was asked meanwhile is asked again. */
void ls_passes_window_search_again   (LsPassesWindow     *self);

/* Follows what is written in the search, or the line at the cursor of the texts, through all dumps. */
void ls_passes_window_follow_word (LsPassesWindow *self);
void ls_passes_window_follow_line (LsPassesWindow *self);
/* Follows the line before which a run stands still, unless the user follows something else: the `nth` of the text of a dump that reads like it, but for how
 * far in it stands; NULL: none does any more. */
void ls_passes_window_follow_stand (LsPassesWindow *self,
                                   guint           dump,
                                   const char     *line,
                                   guint           nth);
/* To the next (1) or previous (-1) dump that touches what is followed. */
void ls_passes_window_follow_go   (LsPassesWindow *self,
                                   int             direction);
/* Lights what is followed in the texts that are shown. */
void ls_passes_window_follow_show (LsPassesWindow *self);
/* Nothing is followed any more. */
void ls_passes_window_follow_end  (LsPassesWindow *self);
/* The row below the search; hidden while nothing is followed. */
GtkWidget *ls_passes_window_follow_row (LsPassesWindow *self);

G_END_DECLS
