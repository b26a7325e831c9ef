/* learn/run-view: a run in the result pane, statement by statement, with the teacher's stops and a question at each. */
#pragma once

#include "app/lesson/lesson.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Steps through the program of `view`, what the kernel says of it; `part` (borrowed for the call) has stops and what is asked there. (transfer none,
 * floating) */
GtkWidget *ls_run_view_new (GVariant           *view,
                            const LsLessonPart *part);

G_END_DECLS
