/* draw-roofline: the roofs of the machine and the steps under them, both axes logarithmic.
 *
 * The path between the points follows the steps in order; a point's shape says whether it is the current one, its number
 * which step it is.
 */
#pragma once

#include "views/canvas/figure.h"
#include "views/models/roofline.h"

G_BEGIN_DECLS

/* In the box with its corner at (x, y); the machine is known. */
void ls_draw_roofline   (LsFigure         *self,
                         const LsRoofline *roofline,
                         float             x,
                         float             y,
                         float             width,
                         float             height);
/* The same as a picture of its own: with a sentence, what was measured when, and the steps as a table. */
void ls_figure_roofline (LsFigure         *self,
                         const LsRoofline *roofline);

/* "11.9 GFLOP/s" and "0.42 FLOP/B". (transfer full) */
char *ls_roofline_speed_text     (double speed);
char *ls_roofline_intensity_text (double intensity);
/* "Peaks measured on 22 Nov 2026, 00:01, on one core of ..." (transfer full) */
char *ls_roofline_machine_text   (const LsRoofline *roofline);
/* What is counted, and for which cache. (transfer full) */
char *ls_roofline_counting_text  (const LsRoofline *roofline);

G_END_DECLS
