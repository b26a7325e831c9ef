/* refill: other items for the list store of a list view, a part at a time (views/parts/pace.h).
 *
 * A list view has widgets for some 200 rows, however few of them are in sight: all of them made, or bound to other items, in one turn hold the
 * main loop up for a tenth of a second.  Rows that stay are bound anew, none is thrown away to be made again.
 */
#pragma once

#include "views/parts/later.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* `store` gets `items` (of GObject; taken) in the place of those that it has, the first of them at once and the others in frames of `view` (NULL: in idle turns); a few are there
 * at once.  Then, which may be now, calls `done` (object) unless `object` is disposed of; NULL: nothing. What was asked for before and has
 * not come yet is given up. */
void     ls_refill         (GListStore  *store,
                            GtkWidget   *view,
                            GPtrArray   *items,
                            LsLaterFunc  done,
                            gpointer     object);
/* Are there still items of before in it? */
gboolean ls_refill_is_busy (GListStore  *store);

G_END_DECLS
