/* figures/nests: two loop nests side by side, with a ribbon from each loop to what it
 * became. */
#pragma once

#include "views/canvas/figure.h"
#include "views/models/nest-link.h"

G_BEGIN_DECLS

/* The ribbons alone, in a picture of `width`; `labels` (of LsNestLabel) may be NULL, `hover` is a family that is drawn
 * stronger or -1. Sets the height of the figure. */
void ls_figure_ribbons (LsFigure   *self,
                        float       width,
                        GPtrArray  *before,
                        GPtrArray  *after,
                        GArray     *links,
                        GPtrArray  *labels,
                        const char *left,
                        const char *right);

/* `before`, `after`: roots of the nests, arrays of LsLoopItem; `links`: of
 * LsNestLink. `title` names the program, `left` and `right` say which states
 * these are. */
void ls_figure_nests (LsFigure   *self,
                      GPtrArray  *before,
                      GPtrArray  *after,
                      GArray     *links,
                      const char *title,
                      const char *left,
                      const char *right);

G_END_DECLS
