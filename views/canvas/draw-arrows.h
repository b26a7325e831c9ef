/* draw-arrows: dependences as lines: between rows of the loop nest, and between the first rounds of a loop.
 *
 * The kind is the line's shape: solid for a read of what was written, dashed for a write over a write, dotted for a write
 * over what was read; what is several of them is drawn as the first of these.
 */
#pragma once

#include "views/canvas/draw.h"
#include "views/models/dependence.h"

G_BEGIN_DECLS

/* From the row at `from_y` to the one at `to_y`, around at x = `lane`; heads end at the x of their row. */
typedef struct {
  float lane;
  float from_x, from_y;
  float to_x, to_y;
} LsArrowPlace;

void  ls_draw_row_arrow     (GtkSnapshot        *snapshot,
                             const LsLook       *look,
                             const LsArrowPlace *place,
                             guint               needs);

/* How high the picture of these rounds is. */
float ls_draw_rounds_height (const LsRounds     *rounds);
/* The rounds as dots, numbered from 0, the outer loop from left to right and the inner one from top to bottom. */
void  ls_draw_rounds        (GtkSnapshot        *snapshot,
                             PangoContext       *pango,
                             const LsLook       *look,
                             const LsRounds     *rounds);
/* Its width. */
float ls_draw_rounds_width  (const LsRounds     *rounds);

G_END_DECLS
