/* LsLoopCell: first column of the loop nest: chips, name, badges, origin, ghost. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_LOOP_CELL (ls_loop_cell_get_type ())
G_DECLARE_FINAL_TYPE (LsLoopCell, ls_loop_cell, LS, LOOP_CELL, GtkWidget)

GtkWidget  *ls_loop_cell_new      (void);
void        ls_loop_cell_set_item (LsLoopCell *self,
                                   LsLoopItem *item);
LsLoopItem *ls_loop_cell_get_item (LsLoopCell *self);
/* The run stands at this row: it is marked, and says so. */
void       ls_loop_cell_set_stands (LsLoopCell *self,
                                    gboolean    stands);
/* Outlines the cell when its loop is of `family`. */
void        ls_loop_cell_set_kin  (LsLoopCell *self,
                                   int         family);

/* Asked for the card when the pointer rests on the cell. */
void        ls_loop_cell_set_session (LsLoopCell *self,
                                      LsSession  *session);
/* What becomes of a row that is dragged over this one, which says it: 0 or GDK_ACTION_MOVE.  It is tried once, until the pointer
 * leaves.  `dragged` is what the drag of a cell offers. */
GdkDragAction ls_loop_cell_try      (LsLoopCell   *self,
                                     const GValue *dragged);

G_END_DECLS
