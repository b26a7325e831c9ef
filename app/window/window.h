/* LsWindow: the shell: header bar, three panes, actions.
 *
 * The panes adapt to the window's size: below 1280 px the history, below 1024 px
 * the moves become overlays; below 720 px of height the time pane folds.
 */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_WINDOW (ls_window_get_type ())
G_DECLARE_FINAL_TYPE (LsWindow, ls_window, LS, WINDOW, GtkApplicationWindow)

/* A window onto `session`, which it holds. (transfer none, floating) */
GtkWidget *ls_window_new         (GtkApplication *application,
                                  LsSession      *session);
LsSession *ls_window_get_session (LsWindow       *self);
/* Selects and unfolds the move at `position`. */
void       ls_window_unfold_move (LsWindow       *self,
                                  guint           position);

G_END_DECLS
