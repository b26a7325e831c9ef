/* access-view: the order in which a program touches its memory, to be stepped and played below a cell. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Of the only function of the program, which is followed in another thread. (transfer none, floating) */
GtkWidget *ls_access_view_new (const char *text);

G_END_DECLS
