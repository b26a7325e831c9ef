/* What the files of draw-graph share. */
#pragma once

#include "views/canvas/draw-graph.h"

G_BEGIN_DECLS

#define LS_GRAPH_PAD 14.0f      /* between the sides of a card and its texts */

extern const LsFont ls_graph_title_font, ls_graph_detail_font, ls_graph_name_font;

typedef struct {
  GtkSnapshot           *snapshot;
  PangoContext          *pango;
  const LsLook          *look;
  const LsGraphScene    *scene;
  LsGraphState          *state;
  const graphene_rect_t *visible;       /* NULL: all */
  double                 zoom;
  gboolean               with_text;
  gboolean               is_far;        /* many small nodes: only what a few pixels can show */
  GHashTable            *matched;       /* place -> how many matches begin there */
  double                 total, most;   /* of the figure */
} LsGraphPaint;

float    ls_graph_text_width (PangoContext          *pango,
                              const LsFont          *font,
                              const char            *text);
/* How much larger than in the design the letters are. */
float    ls_graph_letter_scale (PangoContext        *pango);
gboolean ls_graph_paint_sees (LsGraphPaint          *paint,
                              const LsGraphBox      *box);
/* Does the frame of a function lie round this place?  Its ground is another than that of the canvas. */
gboolean ls_graph_function_around (LsGraphPaint     *paint,
                                   gint              cluster);
void     ls_draw_graph_edges (LsGraphPaint          *paint);
/* The nodes in view that nothing sets apart, as boxes without corners, letters or figures: all of them are two fills.  The
 * others' places are added to `rest`. */
void     ls_draw_graph_far   (LsGraphPaint          *paint,
                              GArray                *rest);
/* The first `n` of these edges, as straight lines. */
void     ls_draw_graph_far_lines (LsGraphPaint      *paint,
                              GArray                *edges,
                              guint                  n);
void     ls_graph_dashed     (LsGraphPaint          *paint,
                              const graphene_rect_t *bounds,
                              float                  radius,
                              float                  width,
                              const double          *dashes,
                              LsLookToken            color);

G_END_DECLS
