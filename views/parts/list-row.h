/* parts/list-row: the one place that knows how GTK's lists hold their rows. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The row of a GtkListView, GtkColumnView or GtkListBox that `inside` is or stands in, not looked for beyond `list`; NULL: in none. */
GtkWidget *ls_list_row_of (GtkWidget *inside,
                           GtkWidget *list);

G_END_DECLS
