/* What the files of draw-graph share. */
#pragma once

#include "views/canvas/draw-graph.h"

G_BEGIN_DECLS

typedef struct {
  GtkSnapshot           *snapshot;
  PangoContext          *pango;
  const LsLook          *look;
  const LsGraphScene    *scene;
  LsGraphState          *state;
  const graphene_rect_t *visible;       /* NULL: all */
  double                 zoom;
  gboolean               with_text;
  GHashTable            *matched;       /* places */
  double                 total, most;   /* of the figure */
} LsGraphPaint;

gboolean ls_graph_paint_sees (LsGraphPaint          *paint,
                              const LsGraphBox      *box);
void     ls_draw_graph_edges (LsGraphPaint          *paint);
void     ls_graph_dashed     (LsGraphPaint          *paint,
                              const graphene_rect_t *bounds,
                              float                  radius,
                              float                  width,
                              const double          *dashes,
                              LsLookToken            color);

G_END_DECLS
