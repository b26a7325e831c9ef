/* parts/tip: tooltips whose text changes often.
 *
 * gtk_widget_set_tooltip_text() asks the display at each call where the pointer is and waits for the answer: half a
 * millisecond for each cell of a table that is filled again.  Here the text is only kept, and told when the pointer rests.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What the pointer gets to read over `widget`; NULL or "" takes it away.  A label that shows all of this text shows it alone. */
void ls_tip_set (GtkWidget  *widget,
                 const char *text);

G_END_DECLS
