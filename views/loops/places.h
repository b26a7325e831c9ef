/* loops/places: which row of the tree shows a loop.
 *
 * The rows of a GtkTreeListModel are made when they are asked for, so the loop is looked for among the items, and only the rows on the
 * way to it are made.  Cost: one look at each item.
 */
#pragma once

#include <gtk/gtk.h>

#include "views/models/loop-item.h"

G_BEGIN_DECLS

/* The position in `tree` of the row for `id`, one of `loops` or below them; where a row above it is folded, or where its own has not
 * come yet, that of the last row on the way.  *whole (may be NULL): it is its own.  GTK_INVALID_LIST_POSITION: there is none. */
guint ls_loop_places_find (GtkTreeListModel *tree,
                           GListModel       *loops,
                           guint64           id,
                           gboolean         *whole);

G_END_DECLS
