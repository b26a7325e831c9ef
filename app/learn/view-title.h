/* view-title: what a thing that a cell showed is called. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* `view` is a description as app/kernel/loopscope_kernel/shows.py lists them: its kind and its numbers in the language of the window, the names
 * of Python's classes and of the learner's things as they are. (transfer full) */
char *ls_view_title (GVariant *view);

G_END_DECLS
