/* window-actions: the window's GActions; private to app/. */
#pragma once

#include "app/window.h"

G_BEGIN_DECLS

/* Adds all actions of the window and its single-letter keys. */
void ls_window_add_actions       (LsWindow       *self);
/* Enables and disables by the session's state. */
void ls_window_update_actions    (LsWindow       *self);
/* Accelerators, once per application. */
void ls_window_set_accels        (GtkApplication *application);

/* What the actions ask of the window. */
void ls_window_show_history      (LsWindow       *self,
                                  gboolean        show);
void ls_window_show_moves        (LsWindow       *self,
                                  gboolean        show);
void ls_window_focus_moves       (LsWindow       *self);
/* Esc: closes an overlay pane; FALSE when there is none. */
gboolean ls_window_close_overlay (LsWindow       *self);
void ls_window_cycle_panes       (LsWindow       *self,
                                  int             direction);
void ls_window_search            (LsWindow       *self,
                                  gboolean        next);
void ls_window_toggle_diff       (LsWindow       *self);
void ls_window_open_dialog       (LsWindow       *self);
void ls_window_save_trace_dialog (LsWindow       *self);
void ls_window_name_branch       (LsWindow       *self);

/* Shows the page of this name ("explore", "graph"); other names do nothing. */
void ls_window_show_page      (LsWindow   *self,
                               const char *page);

G_END_DECLS
