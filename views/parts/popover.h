/* parts/popover: where a popover of ours is opened.
 *
 * GTK 4.8 asks the monitor at the anchor for its size and complains when there is none: when the widget is not on the screen yet
 * (a pane that is just being revealed), or when the anchor lies outside of what the widget shows.  It never frees a popover whose
 * window goes while it is open: so what is in one goes by itself.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Makes `popover` (floating) a child of `parent` and opens it at `place` (in the parent's coordinates, brought inside of it), at
 * once or as soon as the parent is on the screen, has a size and rests: a pane that slides in lies beside the screen at first.  It goes
 * with its parent. */
void ls_popover_show      (GtkPopover         *popover,
                           GtkWidget          *parent,
                           const GdkRectangle *place,
                           GtkPositionType     side);
/* `place` is asked when it opens, for what has no place yet when it is shown; what it leaves as it is stays as given there. */
typedef void (*LsPopoverPlace) (gpointer data, GdkRectangle *place);
void ls_popover_set_place (GtkPopover         *popover,
                           LsPopoverPlace      place,
                           gpointer            data);
/* Takes it from its parent, empty. */
void ls_popover_remove    (GtkPopover         *popover);
/* Goes when it is closed, too. */
void ls_popover_show_once (GtkPopover         *popover,
                           GtkWidget          *parent,
                           const GdkRectangle *place,
                           GtkPositionType     side);
/* `button` opens `menu`.  The menu is made when it is first opened: the main one has 260 widgets, which would cost at each start and for
 * each look of a screen reader. */
void ls_popover_set_menu  (GtkMenuButton      *button,
                           GMenuModel         *menu);

G_END_DECLS
