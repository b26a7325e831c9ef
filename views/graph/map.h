/* LsGraphMap: the whole graph, small, with a frame around what the canvas shows of it; a press or a drag goes there.
 *
 * It is there only while something of the graph is out of sight, and for the pointer only: the keyboard has the arrows, F
 * and the list of nodes.
 */
#pragma once

#include "views/graph/canvas.h"

G_BEGIN_DECLS

#define LS_TYPE_GRAPH_MAP (ls_graph_map_get_type ())
G_DECLARE_FINAL_TYPE (LsGraphMap, ls_graph_map, LS, GRAPH_MAP, GtkWidget)

GtkWidget *ls_graph_map_new        (void);
/* Of which canvas; borrowed, it lives as long as the map. */
void       ls_graph_map_set_canvas (LsGraphMap            *self,
                                    LsGraphCanvas         *canvas);
/* The size of the map for a graph of this size in a canvas with so much room, of which it takes no more than a quarter of the width and a
 * third of the height: as large as it may be, no side under 24 px. */
void       ls_graph_map_fit        (const graphene_rect_t *bounds,
                                    int                    room_width,
                                    int                    room_height,
                                    int                   *width,
                                    int                   *height);
/* Where the frame stands in a map of this size for what is shown, which may go beyond the graph: within it, all four sides to be seen. */
void       ls_graph_map_frame      (const graphene_rect_t *shown,
                                    int                    width,
                                    int                    height,
                                    graphene_rect_t       *frame);
/* Is there anything of the graph out of sight? */
gboolean   ls_graph_map_is_needed  (const graphene_rect_t *bounds,
                                    const graphene_rect_t *view);

G_END_DECLS
