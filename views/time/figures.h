/* The figures of a step as texts: what the columns of the time pane say. */
#pragma once

#include "views/models/format.h"
#include "views/models/step-item.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Columns of the time pane, from the left; the drawn one stands after the name. */
typedef enum {
  LS_TIME_NUMBER,
  LS_TIME_NAME,
  LS_TIME_MIN,
  LS_TIME_MEDIAN,
  LS_TIME_IQR,
  LS_TIME_FASTER,
  LS_TIME_N_FIGURES
} LsTimeFigure;

/* The last measured step of path (of LsStepItem) that comes before item, or NULL.  Borrowed from it. */
const LsStepRecord *ls_time_before      (GListModel  *path,
                                         LsStepItem  *item);

/* What stands in that column of item; times are in unit.  The last column compares with the first step, or in the waterfall
 * with the step before in path.  Never NULL. */
char               *ls_time_figure_text (LsStepItem  *item,
                                         LsTimeFigure figure,
                                         LsTimeUnit   unit,
                                         gboolean     waterfall,
                                         GListModel  *path);

G_END_DECLS
