/* LsStepCell: a drawn cell of a step row: the rail of the history list, the range
 * of the time list, or that list's axis.
 *
 * One widget class with a kind, because the three differ in one draw call. */
#pragma once

#include <gtk/gtk.h>

#include "views/models/step-item.h"

G_BEGIN_DECLS

typedef enum {
  LS_STEP_CELL_RAIL,
  LS_STEP_CELL_RANGE,
  LS_STEP_CELL_AXIS,
} LsStepCellKind;

#define LS_TYPE_STEP_CELL (ls_step_cell_get_type ())
G_DECLARE_FINAL_TYPE (LsStepCell, ls_step_cell, LS, STEP_CELL, GtkWidget)

GtkWidget *ls_step_cell_new      (LsStepCellKind  kind);
/* Shows `item` and redraws when it changes; NULL lets go. */
void       ls_step_cell_set_item (LsStepCell     *self,
                                  LsStepItem     *item);
/* The common axis: right end in seconds and number of intervals. */
void       ls_step_cell_set_axis (LsStepCell     *self,
                                  double          top,
                                  guint           ticks);

/* With TRUE a range shows what the step took off `before`, the median of the step before it in seconds, or 0. */
void       ls_step_cell_set_fall (LsStepCell     *self,
                                  gboolean        fall,
                                  double          before);
LsStepItem *ls_step_cell_get_item (LsStepCell    *self);

G_END_DECLS
