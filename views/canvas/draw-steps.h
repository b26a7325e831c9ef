/* draw-steps: the track of the step bar. */
#pragma once

#include "views/canvas/draw.h"

G_BEGIN_DECLS

#define LS_STEPS_CAPTION_SCALE 0.85f

/* Centre of step `i` of `n` along a track of `width`. */
float ls_steps_x    (guint         i,
                     guint         n,
                     float         width);

/* The step nearest to `x`. */
guint ls_steps_at   (float         x,
                     guint         n,
                     float         width);

/* The height that the bar asks for: more than 63 or 47 pixels only in large type. */
int   ls_steps_height (PangoContext  *pango,
                       gboolean       captions);

/* Draws the LsStepItems of `path` with the one at `current` marked; `hover` is a
 * position or G_MAXUINT.  Over 12 steps the captions of distant ones go; over 60
 * it is a plain scale with marks where the time changed by more than 5 %.  Mirrored: the first step stands at the right. */
void  ls_draw_steps (GtkSnapshot  *snapshot,
                     PangoContext *pango,
                     const LsLook *look,
                     GListModel   *path,
                     guint         current,
                     guint         hover,
                     gboolean      captions,
                     float         width,
                     float         height,
                     gboolean      mirrored);

G_END_DECLS
