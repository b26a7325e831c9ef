/* draw-rail: the 48 px cell at the left of a history row: rails, fork, disc. */
#pragma once

#include "views/canvas/draw.h"

G_BEGIN_DECLS

#define LS_RAIL_WIDTH 48

/* Draws the rail cell of `item` into `width` x `height`. */
void ls_draw_rail (GtkSnapshot  *snapshot,
                   const LsLook *look,
                   LsStepItem   *item,
                   float         width,
                   float         height);

G_END_DECLS
