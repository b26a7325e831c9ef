/* draw-samples: the samples of two measurements as dots on one axis, with a line at each median. */
#pragma once

#include "views/canvas/figure.h"
#include "views/models/comparison.h"

G_BEGIN_DECLS

/* The height of one side; where there is little room. */
#define LS_SAMPLES_ROW 46.0f
#define LS_SAMPLES_LOW_ROW 34.0f

/* The whole height with rows of that height. */
float ls_samples_height (float               row);
/* In the box with its corner at (x, y); nothing when neither side was measured. */
void  ls_draw_samples   (LsFigure           *self,
                         const LsComparison *comparison,
                         float               x,
                         float               y,
                         float               width,
                         float               row);

G_END_DECLS
