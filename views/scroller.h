/* scroller: scrollbars that come and go between two layouts, never in the middle of one. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Where the policy of a direction is automatic, it is set from here on, whenever the content came to fit or came to be too large:
 * a scrollbar that GTK shows while sizes are given out asks for another layout, and the panes round it are not drawn until
 * the window gets another size.  The adjustments of the scroller stay those of now.  Borrows it. */
void ls_scroller_steady (GtkWidget *scroller);

G_END_DECLS
