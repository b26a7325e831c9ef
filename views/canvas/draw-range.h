/* draw-range: time of one step on the common axis: bar to the median, box for the
 * quartiles, tick for the minimum. */
#pragma once

#include "views/canvas/draw.h"

G_BEGIN_DECLS

/* Right end of the axis, in seconds: a round figure at or above `largest`.
 * `ticks` receives how many intervals it has. */
double ls_range_axis       (double        largest,
                            guint        *ticks);

/* Draws the range of `item` on an axis from 0 to `top` seconds. */
void   ls_draw_range       (GtkSnapshot  *snapshot,
                            const LsLook *look,
                            LsStepItem   *item,
                            double        top,
                            guint         ticks,
                            float         width,
                            float         height);

/* Draws what `item` took off the median `before` of the step before it, or added: a bar between the two with the
 * signed difference beside it.  With `before` 0 the bar begins at 0, as that of the first step does. */
void   ls_draw_fall        (GtkSnapshot  *snapshot,
                            PangoContext *pango,
                            const LsLook *look,
                            LsStepItem   *item,
                            double        before,
                            double        top,
                            guint         ticks,
                            float         width,
                            float         height);

/* The figures along the axis. */
void   ls_draw_range_axis  (GtkSnapshot  *snapshot,
                            PangoContext *pango,
                            const LsLook *look,
                            double        top,
                            guint         ticks,
                            float         width,
                            float         height);

G_END_DECLS
