/* run/frame: what the windows that walk through a run have in common: the buttons and keys that move, what is said above all, two panes
 * beside each other, and a list of texts. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_RUN_N_MOVES 12       /* at most */
#define LS_RUN_N_WAITING 16     /* moves that wait, at most: a key that is held down does not go on long after it was let go */

/* A way through the run: a command of the debugger with its button and its key. */
typedef struct {
  const char *command, *icon;
  const char *words;            /* to be translated */
  guint       key;
  gboolean    shift;
} LsRunMove;

typedef struct {
  const LsRunMove *moves;
  guint            n_moves;
  void           (*go) (gpointer    run,
                        const char *command);
  gpointer         run;
  GtkWidget       *buttons[LS_RUN_N_MOVES];
  gboolean         is_busy;     /* a call is under way: a move waits */
  const LsRunMove *waiting[LS_RUN_N_WAITING];
  guint            n_waiting;
  GtkWidget       *sentence, *reason;   /* labels */
  GtkWidget       *head;        /* the box that has them */
  GtkWidget       *panes;
} LsRunFrame;

/* Makes what is said above all.  The table stays the caller's and lives as long; `go` is called with `run` for a button or a key. */
void       ls_run_frame_init      (LsRunFrame      *self,
                                   const LsRunMove *moves,
                                   guint            n_moves,
                                   void           (*go) (gpointer    run,
                                                         const char *command),
                                   gpointer         run);
/* A button for each move, at the end of a row. */
void       ls_run_frame_put_moves (LsRunFrame      *self,
                                   GtkWidget       *row);
/* Whether there is a run that can be moved, and whether a call is under way. */
void       ls_run_frame_set_can   (LsRunFrame      *self,
                                   gboolean         can,
                                   gboolean         is_busy);
/* The call came back: the first of the moves whose keys were pressed meanwhile.  Only where none is under way; returns whether there was one. */
gboolean   ls_run_frame_go_on     (LsRunFrame      *self);
/* The moves that wait come no more. */
void       ls_run_frame_forget    (LsRunFrame      *self);
/* `reason`: below the sentence, or NULL. */
void       ls_run_frame_say       (LsRunFrame      *self,
                                   const char      *sentence,
                                   const char      *reason);
/* Goes where the key leads, after what is under way; Home and End go to what has the keyboard, where it `has_ends`.
 * Returns: whether it leads anywhere. */
gboolean   ls_run_frame_press     (LsRunFrame      *self,
                                   guint            key,
                                   GdkModifierType  state,
                                   gboolean         has_ends);
/* The bar, what is said, and the two panes, the right one beginning at `position`. (transfer none, floating) */
GtkWidget *ls_run_frame_build     (LsRunFrame      *self,
                                   GtkWidget       *bar,
                                   GtkWidget       *left,
                                   GtkWidget       *right,
                                   int              position);
/* `pressed` gets the keys ("key-pressed" of GtkEventControllerKey) before anything inside of the window. */
void       ls_run_frame_watch     (GtkWidget       *window,
                                   GCallback        pressed,
                                   gpointer         run);
/* A list of texts (of a program: they run from the left, whatever one reads), called `name`, in a scroller: *list gets the GtkListView, *rows its texts; `chosen` is called with `run` when another row
 * is selected, unless it is NULL. (transfer none, floating) */
GtkWidget *ls_run_frame_list      (const char      *name,
                                   gboolean         is_program,
                                   GCallback        chosen,
                                   gpointer         run,
                                   GtkWidget      **list,
                                   GtkStringList  **rows);
/* Where a breakpoint is written, `words` say how, and those that there are: a row whose entry calls `added (run)` at Enter. (transfer none, floating) */
GtkWidget *ls_run_frame_stop_row  (const char      *words,
                                   GCallback        added,
                                   gpointer         run,
                                   GtkWidget      **entry,
                                   GtkWidget      **stops);
/* What is written there as a command, "delete" where nothing is; the entry is empty then. (transfer full) */
char      *ls_run_frame_stop_command (GtkWidget    *entry);
/* The breakpoints of an answer that has some. */
void       ls_run_frame_show_stops (GtkWidget      *stops,
                                   GVariant        *list);

G_END_DECLS
