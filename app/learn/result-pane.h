/* LsResultPane: what a cell showed, in the view that fits: loops and text, history, graph, chart, picture, table. */
#pragma once

#include <gtk/gtk.h>

#include "app/learn/play.h"
#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_RESULT_PANE (ls_result_pane_get_type ())
G_DECLARE_FINAL_TYPE (LsResultPane, ls_result_pane, LS, RESULT_PANE, GtkBox)

GtkWidget  *ls_result_pane_new      (void);
/* Shows what `part` showed last; keeps what is there when it showed nothing. */
void        ls_result_pane_show     (LsResultPane *self,
                                     LsPlay       *play,
                                     guint         part);
void        ls_result_pane_clear    (LsResultPane *self);
/* The two programs of a question go with its page: what the last cell gave comes back. */
void        ls_result_pane_turn_to  (LsResultPane *self,
                                     LsPlay       *play,
                                     guint         page);
/* The program that is shown, with the steps that led to it (or NULL), for the workbench; NULL when none is. */
const char *ls_result_pane_get_text (LsResultPane *self,
                                     const char  **steps);
/* Without the buttons that open other windows: on a slide. */
void        ls_result_pane_set_plain   (LsResultPane *self);
/* The session of the schedule that is shown, as far as it has steps; else NULL. Borrowed, until something else is shown. */
LsSession  *ls_result_pane_get_session (LsResultPane *self);

G_END_DECLS
