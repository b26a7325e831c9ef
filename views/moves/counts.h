/* LsMoveCounts: how many moves each group has; a press leads to the group. */
#pragma once

#include "views/models/move-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LS_TYPE_MOVE_COUNTS (ls_move_counts_get_type ())
G_DECLARE_FINAL_TYPE (LsMoveCounts, ls_move_counts, LS, MOVE_COUNTS, GtkWidget)

/* Signal "chosen" (guint group): its count was pressed. */

void ls_move_counts_set    (LsMoveCounts  *self,
                            guint          group,
                            guint          count);
/* It fades in only while rows are out of sight of what `scroll` scrolls; it always has its height, so that the list does not jump. */
void ls_move_counts_follow (LsMoveCounts  *self,
                            GtkAdjustment *scroll);

G_END_DECLS
