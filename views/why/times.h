/* why/times: a waterfall of the measured steps of the path. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

/* A grid; empty until it is filled. */
GtkWidget *ls_why_times_new  (void);
/* FALSE: no step has a time. */
gboolean   ls_why_times_fill (GtkWidget *grid,
                              LsSession *session);

G_END_DECLS
