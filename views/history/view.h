/* LsHistoryView: the tree of steps as a flat list with rails, and its branches. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_HISTORY_VIEW (ls_history_view_get_type ())
G_DECLARE_FINAL_TYPE (LsHistoryView, ls_history_view, LS, HISTORY_VIEW, GtkWidget)

GtkWidget *ls_history_view_new         (void);
void       ls_history_view_set_session (LsHistoryView *self,
                                        LsSession     *session);

/* Shows the arguments of the current step beside its row, to edit and replay; ::edit-ended when they go. */
void       ls_history_view_edit_step   (LsHistoryView *self);

G_END_DECLS
