/* threads/save: the picture of the Threads window as a file. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Asks for a place and writes what `picture` (an LsThreadsPicture) shows; what does not go stands in `sentence`, a label of the same window. */
void ls_threads_save (GtkWidget *picture,
                      GtkWidget *sentence);

G_END_DECLS
