/* graph-figure: the figure that is laid over the calls of a graph, in words. */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

typedef enum { LS_GRAPH_FIGURE_NONE, LS_GRAPH_FIGURE_TIME, LS_GRAPH_FIGURE_FLOP, LS_GRAPH_FIGURE_BYTES, LS_GRAPH_FIGURE_ROOF } LsGraphFigure;

/* "48.2 µs", "201 kflop", "3.1 KiB", "51 %" of the roof; NULL: not known. (transfer full) */
char        *ls_graph_figure_text    (const LsGraphNumbers *numbers,
                                      LsGraphFigure         figure);
double       ls_graph_figure_value   (const LsGraphNumbers *numbers,
                                      LsGraphFigure         figure);

G_END_DECLS
