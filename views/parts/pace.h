/* parts/pace: what is made for a view a small part at a time comes so many parts in a frame.
 *
 * A row of a list is made in a tenth of a millisecond, and the frame that lays it out takes some of them.  What comes in idle turns comes
 * in several of them between two frames, from each list of the window, and all of it is laid out in one.  So the lists of a window take
 * turns: in each of its frames one of them gets the time for some rows.
 */
#pragma once

#include "views/models/gradual-list.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Does a small part; TRUE: there is more. */
typedef gboolean (*LsPaceFunc) (gpointer object);

/* Calls `func` (object) until there is no more: in frames of `view`, and in idle turns while it is on no screen or NULL.  Once for each object;
 * none is kept: who goes takes it away. */
void ls_pace_add    (GtkWidget     *view,
                     LsPaceFunc     func,
                     gpointer       object);
void ls_pace_remove (gpointer       object);

/* The list of `view` grows so, as long as it is there. */
void ls_pace_list   (GtkWidget     *view,
                     LsGradualList *list);

G_END_DECLS
