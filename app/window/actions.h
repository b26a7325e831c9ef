/* window/actions: the window's GActions; private to app/. */
#pragma once

#include "app/window/window.h"

G_BEGIN_DECLS

/* Adds all actions of the window and its single-letter keys. */
void ls_window_add_actions       (LsWindow       *self);
/* Parts of that. */
void ls_window_add_compare_actions (LsWindow     *self);
void ls_window_add_look_actions  (LsWindow       *self);
void ls_window_add_keys          (LsWindow       *self);
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
/* The chosen move while the keyboard is among the moves, else NULL. Borrowed. */
LsMoveItem *ls_window_get_move   (LsWindow       *self);
/* Esc: closes an overlay pane; FALSE when there is none. */
gboolean ls_window_close_overlay (LsWindow       *self);
void ls_window_cycle_panes       (LsWindow       *self,
                                  int             direction);
void ls_window_search            (LsWindow       *self,
                                  gboolean        next);
void ls_window_toggle_diff       (LsWindow       *self);
void ls_window_toggle_edit       (LsWindow       *self);
/* From a line of the step to the opened text, or back. */
void ls_window_go_to_source      (LsWindow       *self);
void ls_window_open_dialog       (LsWindow       *self);
void ls_window_save_trace_dialog (LsWindow       *self);
void ls_window_name_branch       (LsWindow       *self);

/* Shows the page of this name ("explore", "graph", "why"); other names do nothing. */
void ls_window_show_page      (LsWindow   *self,
                               const char *page);

/* "explore", "compare", "graph" or "why". */
const char *ls_window_get_page   (LsWindow       *self);

/* Lies over the page: what happened and, in smaller letters, why (or NULL).  With a reason it stays until it is closed. */
void ls_window_say               (LsWindow       *self,
                                  const char     *what,
                                  const char     *why);
/* The same with a button for the way out, which does `action` ("win.save-as"; with a target "win.export::report").  `what` NULL:
 * what was said goes. */
void ls_window_offer             (LsWindow       *self,
                                  const char     *what,
                                  const char     *why,
                                  const char     *way_out,
                                  const char     *action);
/* That the file (path or name) is written. */
void ls_window_say_written       (LsWindow       *self,
                                  const char     *path);
/* Says what the session has to say of what was opened. */
void ls_window_update_message    (LsWindow       *self);

/* The arguments of the current step, beside its row. */
void ls_window_edit_step         (LsWindow       *self);

/* The Compare page with these two nodes; what it shows; a file on its right side. */
void ls_window_compare           (LsWindow       *self,
                                  guint           left,
                                  guint           right);
void ls_window_get_compared      (LsWindow       *self,
                                  guint          *left,
                                  guint          *right);
/* In the texts of the Compare page: the next (1) or previous (-1) change; one column or side by side. */
void ls_window_go_to_change      (LsWindow       *self,
                                  int             direction);
void ls_window_toggle_column     (LsWindow       *self);
void ls_window_compare_file      (LsWindow       *self,
                                  GFile          *file);
void ls_window_compare_dialog    (LsWindow       *self);
/* The ribbons of that page as a picture; the suffix of `path` says the format.  See ls_compare_view_write_finish(). */
void ls_window_write_compared    (LsWindow       *self,
                                  const char     *path,
                                  GAsyncReadyCallback callback,
                                  gpointer        data);
/* Playback on the Compare page: 0 runs or pauses, else one step. FALSE: another page is shown. */
gboolean ls_window_play          (LsWindow       *self,
                                  int             direction);

G_END_DECLS
