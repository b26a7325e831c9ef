/* wide-scroll: text that is wider than its column, with a bar below it that is always seen. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A scrolled window of the child's height that scrolls it sideways. (transfer none, floating) */
GtkWidget *ls_wide_scroll_new   (GtkWidget         *child);
/* From now on this one has its bar below exactly while not everything fits sideways; its vertical policy is left as it is. */
void       ls_wide_scroll_adopt (GtkScrolledWindow *scroll);

G_END_DECLS
