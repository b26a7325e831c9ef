/* Lines of a text that get their heights while sizes are given out (views/parts/text-view.h). */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Lets n frames pass in the window of the widget. */
void ls_pass_frames (GtkWidget *widget,
                     guint      n);
/* A test: GTK warns, which ends it, of a page that counts as not laid out, and such a page hears nothing more of what its parts ask for.
 * `make`: GtkWidget *(*) (void), which gives a text view (transfer none, floating). */
void ls_test_late   (gconstpointer make);

G_END_DECLS
