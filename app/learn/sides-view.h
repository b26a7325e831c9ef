/* sides-view: the program of a learner beside the one that is wanted. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Both texts side by side; lines that differ begin with ≠. (transfer none, floating) */
GtkWidget *ls_sides_view_new       (const char *yours,
                                      const char *wanted);
/* The first loop or block in which two programs differ, on which side, and how: translated; NULL where both have the same loops, or one
 * cannot be read. (transfer full) */
char      *ls_sides_describe_loops (const char *yours,
                                      const char *wanted);

G_END_DECLS
