/* parts/tab-stop: a list as one stop of the keyboard.
 *
 * In GTK 4.8 Tab goes from row to row of every list (gtk_list_view_set_tab_behavior() came with 4.12).  Here it goes through what is in
 * the row that has the keyboard, then on to what comes after the list; arrows go from row to row.  The list comes back where it was left.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `list` is a GtkListView, GtkColumnView or GtkListBox. */
void ls_tab_stop_make (GtkWidget *list);

G_END_DECLS
