/* draw-pin: the badge of a pin, a drop with its capital letter that points up and to the right, at what is pinned.
 *
 * No other mark has this shape: families are round with small letters, kinds are squares.
 */
#pragma once

#include "views/canvas/draw.h"
#include "views/models/pin.h"

G_BEGIN_DECLS

/* Top left corner at (x, y).  `hollow`: of something that only uses what is pinned. */
void  ls_draw_pin        (GtkSnapshot  *snapshot,
                          PangoContext *pango,
                          const LsLook *look,
                          float         x,
                          float         y,
                          float         size,
                          guint         slot,
                          gboolean      hollow);
/* Width that ls_draw_pins() takes. */
float ls_draw_pins_width (guint8        pins,
                          guint8        uses,
                          float         size);
/* Filled badges of `pins`, then hollow ones of `uses`. */
void  ls_draw_pins       (GtkSnapshot  *snapshot,
                          PangoContext *pango,
                          const LsLook *look,
                          float         x,
                          float         y,
                          float         size,
                          guint8        pins,
                          guint8        uses);

G_END_DECLS
