/* LsWhyView: the page that says why the shown step takes what it takes, beside another step. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_WHY_VIEW (ls_why_view_get_type ())
G_DECLARE_FINAL_TYPE (LsWhyView, ls_why_view, LS, WHY_VIEW, GtkWidget)

GtkWidget *ls_why_view_new         (void);
/* Once. */
void       ls_why_view_set_session (LsWhyView *self,
                                    LsSession *session);
G_END_DECLS
