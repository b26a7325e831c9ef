/* LsStepRow: a two-line row of the history list. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/step-item.h"

G_BEGIN_DECLS

#define LS_TYPE_STEP_ROW (ls_step_row_get_type ())
G_DECLARE_FINAL_TYPE (LsStepRow, ls_step_row, LS, STEP_ROW, GtkWidget)

GtkWidget  *ls_step_row_new      (void);
/* Shows `item` and follows its changes; NULL lets go. */
void        ls_step_row_set_item (LsStepRow  *self,
                                  LsStepItem *item);
LsStepItem *ls_step_row_get_item (LsStepRow  *self);

/* Borrowed, or NULL. */
LsStepItem *ls_step_row_get_item (LsStepRow *self);

G_END_DECLS
