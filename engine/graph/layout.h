/* layout: what Graphviz is asked about a graph, and its answer; the worker's method "layout" does the work.
 *
 * Units are pixels, y goes down.  A request is made of sizes that the painter measured.
 */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

typedef struct { float x, y, width, height; } LsGraphBox;       /* top left corner and size */
typedef struct { float x, y; } LsGraphPoint;

/* Of node or cluster; sizes of 0 give it no place of its own. */
typedef struct { float width, height; } LsGraphSize;

typedef struct {
  float       width, height;
  guint       n_nodes, n_clusters, n_edges;
  LsGraphBox *nodes;
  LsGraphBox *clusters;         /* around their nodes; width 0: empty */
  /* The line of edge i: points[start[i]] up to points[start[i + 1]], a start and then three for each curve (cubic
   * Bézier).  It ends where the arrow's tip is. */
  guint        *start;
  LsGraphPoint *points;
  LsGraphPoint *labels;         /* middle of each edge's label; x below 0: it has none */
} LsGraphLayout;

/* (transfer full), floating: the parameters of "layout".  `labels`: of each edge, NULL: no labels. */
GVariant      *ls_graph_layout_request (LsGraph           *graph,
                                        const LsGraphSize *nodes,
                                        const LsGraphSize *labels,
                                        const LsGraphSize *titles);     /* of clusters, or NULL; height below 0: at the bottom */
/* The answer of the worker. NULL with an error when it does not fit the graph. (transfer full) */
LsGraphLayout *ls_graph_layout_read    (GVariant          *answer,
                                        LsGraph           *graph,
                                        GError           **error);
void           ls_graph_layout_free    (LsGraphLayout     *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGraphLayout, ls_graph_layout_free)

/* The middles of a layout's nodes by their keys, of char to LsGraphPoint. (transfer full) */
GHashTable    *ls_graph_layout_places  (const LsGraphLayout *self,
                                        LsGraph             *graph);
/* How far the nodes that are in `places` too have moved since: the middle one in each direction, so that a picture shifted by
 * it keeps as many as it can in their places.  Returns how many they are; 0: *dx and *dy are 0. */
guint          ls_graph_layout_shift   (const LsGraphLayout *self,
                                        LsGraph             *graph,
                                        GHashTable          *places,
                                        float               *dx,
                                        float               *dy);

G_END_DECLS
