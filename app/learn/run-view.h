/* learn/run-view: a run in the result pane, statement by statement, with the teacher's stops and a question at each. */
#pragma once

#include "app/learn/play.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Steps through the program of `view`, what the kernel says of it; the part of `play` has stops and what is asked there, and
 * keeps the answers. (transfer none,
 * floating) */
GtkWidget *ls_run_view_new (GVariant           *view,
                            LsPlay             *play,
                            guint               part);

G_END_DECLS
