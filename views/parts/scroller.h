/* parts/scroller: scrollbars that come and go between two layouts, never in the middle of one. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Where the policy of a direction is automatic, it is set from here on, whenever the content came to fit or came to be too large:
 * a scrollbar that GTK shows while sizes are given out asks for another layout, and the panes round it are not drawn until
 * the window gets another size.  The adjustments of the scroller stay those of now.  Borrows it. */
void       ls_scroller_steady    (GtkWidget *scroller);
/* The same, with bars that stand beside the content and are seen without the pointer: text that is cut off is seen to be. */
void       ls_scroller_show_bars (GtkWidget *scroller);
/* For a text in a scroller: what scrolls by itself stands still before the text is unmapped.  GTK 4.8 ends the animation then with the
 * last value, a text answers that by setting another, and GTK lets go of a handler that is gone (a critical).  Borrows it. */
void       ls_scroller_settle    (GtkWidget *text);
/* A scrolled window of the child's height that scrolls it sideways, with such a bar below it. (transfer none, floating) */
GtkWidget *ls_scroller_new_wide  (GtkWidget *child);

G_END_DECLS
