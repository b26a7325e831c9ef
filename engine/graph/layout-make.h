/* layout-make: for who places the nodes of a graph; who only draws them needs no more than layout.h. */
#pragma once

#include "engine/graph/layout.h"

G_BEGIN_DECLS

/* Of the size of the graph, with nothing in a place yet. (transfer full) */
LsGraphLayout *ls_graph_layout_new  (LsGraph             *graph);
/* (transfer full) */
LsGraphLayout *ls_graph_layout_copy (const LsGraphLayout *self);
/* The line from the lower edge of a node to the upper edge of another, as four points of one curve; to what stands higher, such as the head of the
 * next column, it goes round the ends of both. */
void           ls_graph_layout_bow  (const LsGraphBox    *from,
                                     const LsGraphBox    *to,
                                     LsGraphPoint         points[4]);

G_END_DECLS
