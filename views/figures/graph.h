/* figures/graph: a laid out graph as a figure, with what it is above it. */
#pragma once

#include "views/canvas/draw-graph.h"
#include "views/canvas/figure.h"

G_BEGIN_DECLS

/* `title` and `words` (either may be NULL) stand above the graph. */
void ls_figure_graph (LsFigure           *self,
                      const LsGraphScene *scene,
                      const char         *title,
                      const char         *words);

G_END_DECLS
