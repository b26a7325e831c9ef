/* draw-samples: the samples of two measurements as dots on one axis, with a line at each median. */
#pragma once

#include "views/canvas/figure.h"
#include "views/models/comparison.h"

G_BEGIN_DECLS

#define LS_SAMPLES_HEIGHT 124.0f

/* In the box with its corner at (x, y); nothing when neither side was measured. */
void ls_draw_samples (LsFigure           *self,
                      const LsComparison *comparison,
                      float               x,
                      float               y,
                      float               width);

G_END_DECLS
