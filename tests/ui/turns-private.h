/* turns-private: what the inputs are made of; turns-inputs.h is for those who measure them.
 *
 *   turns-window.c   the unit, the main loop, programs and sessions, the window; the measuring itself
 *   turns-inputs.c   inputs to programs and sessions; the table of all
 *   turns-graph.c    inputs to the Graph page
 *   turns-blocks.c   inputs to one function of very many blocks
 */
#pragma once

#include "tests/ui/turns-inputs.h"

#include "views/models/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define QUIET_MS 300            /* nothing but small turns for so long: the input is through */
#define COPY_MS 2600            /* until what was selected is in the copy for emergencies too */
#define LONG_S 240

struct _LsTurns
{
  GtkWindow  *window;
  LsSession  *session;
  gint64      took, cpu;        /* µs, the longest so far */
  guint       n_shown;          /* programs */
  const char *what;             /* is in the window, as it came: "program", "graph"; NULL: nobody can say */
  guint       what_n;           /* so large */
  gboolean    used;             /* something was opened in it */
};

/* ---- turns-window.c ---- */

/* Turns of the main loop until nothing large came for `quiet` ms; they count. */
void        ls_turns_settle         (LsTurns    *self,
                                     guint       quiet);
/* The same until it is true. */
void        ls_turns_wait_for       (LsTurns    *self,
                                     gboolean  (*is) (LsTurns *self, guint n),
                                     guint       n);
gboolean    ls_turns_has_steps      (LsTurns    *self,
                                     guint       n);
gboolean    ls_turns_has_functions  (LsTurns    *self,
                                     guint       n);
gboolean    ls_turns_has_shown      (LsTurns    *self,
                                     guint       n);
/* From here on turns count. */
void        ls_turns_begin          (LsTurns    *self);

/* The first widget of a type that is on the screen, or NULL. (transfer none) */
GtkWidget  *ls_turns_find_type      (GtkWidget  *root,
                                     const char *type);
/* The first button with that label, or entry with that text, on the screen; or NULL. (transfer none) */
GtkWidget  *ls_turns_find_text      (GtkWidget  *root,
                                     const char *text);
/* An action of the window. */
void        ls_turns_act            (LsTurns    *self,
                                     const char *action);
/* Is that in the window already?  If not, the window is one in which nothing was done, and the caller shows it there. */
gboolean    ls_turns_finds          (LsTurns    *self,
                                     const char *what,
                                     guint       n);
/* Another window in the place of this one, if there is one. */
void        ls_turns_replace_window (LsTurns    *self,
                                     LsSession  *session);

/* `n` functions of some 700 bytes that all use the same names. (transfer full) */
char       *ls_turns_program_text   (guint       n);
/* A session of one function with `n` steps that come and go, so that the program does not grow. (transfer full) */
char       *ls_turns_session_text   (guint       n);
/* A file in the folder of the program; takes the text. (transfer full) */
GFile      *ls_turns_put_file       (const char *name,
                                     char       *text);
GFile      *ls_turns_program_file   (guint       n);
GFile      *ls_turns_session_file   (guint       n);
const char *ls_turns_get_folder     (void);
/* Takes the file. */
void        ls_turns_open_file      (LsTurns    *self,
                                     GFile      *taken);
/* The window shows it, and all has been done for it. */
void        ls_turns_show_program   (LsTurns    *self,
                                     guint       n);
void        ls_turns_show_session   (LsTurns    *self,
                                     guint       n);

/* ---- turns-blocks.c: inputs ---- */

void ls_turns_focus_moves           (LsTurns *self,
                                     guint    n);
void ls_turns_edit_step             (LsTurns *self,
                                     guint    n);

/* ---- turns-graph.c: inputs ---- */

void ls_turns_graph_page            (LsTurns *self,
                                     guint    n);
void ls_turns_show_graph            (LsTurns *self,
                                     guint    n);
void ls_turns_select_call           (LsTurns *self,
                                     guint    n);
void ls_turns_open_group            (LsTurns *self,
                                     guint    n);
void ls_turns_wheel_graph           (LsTurns *self,
                                     guint    n);
void ls_turns_search_graph          (LsTurns *self,
                                     guint    n);
void ls_turns_fold_graph            (LsTurns *self,
                                     guint    n);
void ls_turns_edit_graph            (LsTurns *self,
                                     guint    n);
void ls_turns_export_graph          (LsTurns *self,
                                     guint    n);

G_END_DECLS
