/* parts/pin-menu: the menu of what can be pinned, in a text and at a row. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* "Pin" or unpin, the seven letters, all away: actions of the window (win.pin, win.pin-as, win.unpin-all). (transfer full) */
GMenuModel *ls_pin_menu_new  (void);
/* Opens it at a place of `parent`, which lays its children out. */
void        ls_pin_menu_show (GtkWidget          *parent,
                              const GdkRectangle *place);

G_END_DECLS
