/* LsMoveRow: a row of the moves list: a group's header, or a move with its reason,
 * its way out and, when selected, its parameters. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_MOVE_ROW (ls_move_row_get_type ())
G_DECLARE_FINAL_TYPE (LsMoveRow, ls_move_row, LS, MOVE_ROW, GtkWidget)

GtkWidget *ls_move_row_new          (LsSession  *session);
void       ls_move_row_set_item     (LsMoveRow  *self,
                                     LsMoveItem *item);
LsMoveItem *ls_move_row_get_item    (LsMoveRow  *self);
/* Folds the parameters out or in. */
void       ls_move_row_set_unfolded (LsMoveRow  *self,
                                     gboolean    unfolded);

G_END_DECLS
