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
