/* parts/fold: a GtkExpander that Tab passes while it is folded.  In GTK 4.8 it goes on into what is folded, which is in no window then. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `label` and an arrow, folded; takes over `child`, which is below it once it is unfolded. (transfer none) */
GtkWidget *ls_fold_new (const char *label,
                        GtkWidget  *child);

G_END_DECLS
