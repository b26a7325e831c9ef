/* LsTimeView: time per step of the current branch, one row each. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_TIME_VIEW (ls_time_view_get_type ())
G_DECLARE_FINAL_TYPE (LsTimeView, ls_time_view, LS, TIME_VIEW, GtkWidget)

GtkWidget *ls_time_view_new         (void);
void       ls_time_view_set_session (LsTimeView *self,
                                     LsSession  *session);
/* Folded shows the header line only, with the current step's figures in it. */
void       ls_time_view_set_folded  (LsTimeView *self,
                                     gboolean    folded);
gboolean   ls_time_view_get_folded  (LsTimeView *self);
/* In a low window the roofline is lower. */
void       ls_time_view_set_low     (LsTimeView *self,
                                     gboolean    low);

G_END_DECLS
