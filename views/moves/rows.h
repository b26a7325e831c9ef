/* moves/rows: the widgets of the list of moves, each with its words in time.
 *
 * Words cost a layout each: a frame gets those of a few rows, from the top on, and the next frames the others.
 */
#pragma once

#include "views/models/session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct _LsMoveRows LsMoveRows;

/* For a list of slots (views/models/slot-list.h) that hold LsMoveItem; `view`, which has the frames, outlives it. */
LsMoveRows         *ls_move_rows_new         (GtkWidget  *view,
                                              LsSession  *session);
void                ls_move_rows_free        (LsMoveRows *self);
/* (transfer full) It goes before the rows do. */
GtkListItemFactory *ls_move_rows_new_factory (LsMoveRows *self);
/* All have their words now. */
void                ls_move_rows_show_all    (LsMoveRows *self);

G_END_DECLS
