/* LsRooflineView: the steps of the path under the roofs of the machine: a chart, and the same as a table. */
#pragma once

#include "views/models/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_ROOFLINE_VIEW (ls_roofline_view_get_type ())
G_DECLARE_FINAL_TYPE (LsRooflineView, ls_roofline_view, LS, ROOFLINE_VIEW, GtkWidget)

GtkWidget *ls_roofline_view_new         (void);
/* Once. */
/* On a page that asks for the machine to be measured by itself: nothing here asks for it a second time. */
void       ls_roofline_view_set_part    (LsRooflineView *self,
                                         gboolean        part);
/* In a low window the chart is lower, so that the labels below it stay in sight. */
void       ls_roofline_view_set_low     (LsRooflineView *self,
                                         gboolean        low);
void       ls_roofline_view_set_session (LsRooflineView *self,
                                         LsSession      *session);

G_END_DECLS
