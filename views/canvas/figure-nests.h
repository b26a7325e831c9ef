/* figure-nests: two loop nests side by side, with a ribbon from each loop to what it
 * became. */
#pragma once

#include "views/canvas/figure.h"

G_BEGIN_DECLS

/* Ids of LsLoopItems: the row on the left and the row on the right. */
typedef struct {
  guint64  before;
  guint64  after;
  gboolean copy;                /* the left one stays beside it */
} LsNestLink;

/* What happened, in words, at its ribbon: "j", "split", "32 × 4". */
typedef struct {
  guint64  before;              /* row on the left, or 0 */
  guint64  after;               /* row on the right, or 0 */
  char    *head;
  char    *verb;                /* shown bold */
  char    *tail;
  guint    step;                /* that did it; 0: unknown */
} LsNestLabel;

void ls_nest_label_free  (LsNestLabel *self);

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
