/* canvas/draw-graph-place: what lies where, for all who paint a part of the graph. */
#include "views/canvas/draw-graph-private.h"

gboolean
ls_graph_paint_sees (LsGraphPaint     *paint,
                     const LsGraphBox *box)
{
  const graphene_rect_t *area = paint->visible;

  return area == NULL || (box->x <= area->origin.x + area->size.width && box->x + box->width >= area->origin.x
                          && box->y <= area->origin.y + area->size.height && box->y + box->height >= area->origin.y);
}

gboolean
ls_graph_function_around (LsGraphPaint *paint,
                          gint          cluster)
{
  for (; cluster >= 0; cluster = ls_graph_cluster (paint->scene->series->whole, cluster)->parent)
    if (ls_graph_cluster (paint->scene->series->whole, cluster)->kind == LS_GRAPH_CLUSTER_FUNCTION)
      return TRUE;
  return FALSE;
}
