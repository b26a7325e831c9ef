/* figures/nests: two loop nests side by side, with a ribbon from each loop to what it
 * became. */
#pragma once

#include "views/canvas/figure.h"
#include "views/models/nest-link.h"

G_BEGIN_DECLS

/* Where all of it is: the ribbons alone, in a picture of `width`; `labels` (of LsNestLabel) may be NULL.  The arrays are borrowed until it
 * is freed.  Cost: linear; no text is laid out. (transfer full) */
typedef struct _LsNests LsNests;

LsNests *ls_nests_new        (float       width,
                              GPtrArray  *before,
                              GPtrArray  *after,
                              GArray     *links,
                              GPtrArray  *labels);
void     ls_nests_free       (LsNests    *self);
float    ls_nests_get_height (LsNests    *self);
/* Draws what of it is seen between two heights.  Sets the width and height of the figure to those of the whole. */
void     ls_nests_draw       (LsNests    *self,
                              LsFigure   *figure,
                              float       top,
                              float       bottom,
                              const char *left,
                              const char *right);
/* The words on the ribbons, for a test: where number `i` lies, and between which two the cards leave room for it. */
guint    ls_nests_count_labels (LsNests *self);
void     ls_nests_get_label    (LsNests         *self,
                                LsFigure        *figure,
                                guint            i,
                                graphene_rect_t *bounds,
                                float           *least,
                                float           *most);

/* All of it. */
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
