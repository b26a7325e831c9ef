/* LsMoveTitle: which loop or block the moves are for. */
#pragma once

#include "views/models/loop-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_MOVE_TITLE (ls_move_title_get_type ())
G_DECLARE_FINAL_TYPE (LsMoveTitle, ls_move_title, LS, MOVE_TITLE, GtkWidget)

/* NULL: nothing is selected. */
void ls_move_title_set (LsMoveTitle *self,
                        LsLoopItem  *item);

G_END_DECLS
