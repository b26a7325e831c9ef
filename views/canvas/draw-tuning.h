/* draw-tuning: a search over schedules as charts.
 *
 *   curve    the best time over the trials as steps, every program as a mark, those without a time as crosses in a band of their own below
 *   scatter  predicted against measured, both logarithmic, with the diagonal; programs without a time in a band above, those of which nothing was
 *            predicted in a band at the left
 *   total    of a module that is searched as a whole: the time of all its calls over the trials of all functions
 *
 * A design has a colour and a shape; crosses are what failed.
 */
#pragma once

#include "views/canvas/figure.h"
#include "views/models/tuning.h"

G_BEGIN_DECLS

typedef enum {
  LS_TUNING_CURVE,
  LS_TUNING_SCATTER,
  LS_TUNING_TOTAL,
} LsTuningChartKind;

/* In a box of this size with its corner at the origin. */
void         ls_draw_tuning      (LsFigure          *self,
                                  LsTuning          *tuning,
                                  LsTuningChartKind  kind,
                                  float              width,
                                  float              height);
/* The program whose mark is nearest to the point, not further than a finger's width; NULL: none is. (transfer none) */
LsTrialItem *ls_tuning_find      (PangoContext      *pango,
                                  LsTuning          *tuning,
                                  LsTuningChartKind  kind,
                                  float              width,
                                  float              height,
                                  float              x,
                                  float              y);
/* The mark of a design: a shape round (x, y). */
void         ls_draw_trial_mark  (LsFigure          *self,
                                  guint              family,
                                  float              x,
                                  float              y,
                                  float              radius);

G_END_DECLS
