/* draw-graph-edges: lines, arrows and their labels.
 *
 * GTK 4.8 has no paths: all lines of the visible part are one cairo node.  Lines at the selected node are drawn last, in the
 * accent colour; kinds of dependence differ by dash and by word.  From far away those of many nodes are straight pieces of one
 * stroke, without arrows: what is smaller than a pixel is not worth a curve.  What led to and from a node that is gone is told by faint dashes, as
 * long as its shadow stands there.
 */
#include "views/canvas/draw-graph-private.h"

#include <math.h>
#include <string.h>

#define ARROW_LENGTH 9.0
#define ARROW_WIDTH 7.0

static const LsFont LABEL = { .scale = 0.85f, .bold = TRUE };
static const LsFont TYPE = { .scale = 0.85f };

/* ---- labels ----------------------------------------------------------------------- */

static const char *
kind_word (LsGraphEdgeKind kind)
{
  switch (kind)
    {
    case LS_GRAPH_EDGE_FLOW:
    case LS_GRAPH_EDGE_LINEAGE:
      return NULL;
    case LS_GRAPH_EDGE_RAW:
      return "RAW";
    case LS_GRAPH_EDGE_WAW:
      return "WAW";
    case LS_GRAPH_EDGE_WAR:
      return "WAR";
    }
  return NULL;
}

/* The bold part of the label: the value's name, the kind of dependence. (transfer full) */
static char *
label_text (const LsGraphEdge *edge)
{
  const char *word = kind_word (edge->kind);

  if (word == NULL)
    return g_strdup (edge->label != NULL ? edge->label : "");
  return edge->label != NULL ? g_strdup_printf ("%s %s", word, edge->label) : g_strdup (word);
}

static float
width_of (PangoContext *pango,
          const LsFont *font,
          const char   *text,
          float        *height)
{
  g_autoptr (PangoLayout) layout = ls_draw_layout (pango, font, text);
  int width, high;

  pango_layout_get_pixel_size (layout, &width, &high);
  if (height != NULL)
    *height = (float) high;
  return *text != '\0' ? (float) width : 0.0f;
}

LsGraphSize *
ls_graph_measure_labels (PangoContext  *pango,
                         LsGraphSeries *series)
{
  LsGraph *whole = series->whole;
  LsGraphSize *sizes = g_new0 (LsGraphSize, whole->edges->len + 1);

  for (guint s = 0; s < series->states->len; s++)
    for (guint i = 0; i < whole->edges->len; i++)
      {
        LsGraphState *state = ls_graph_series_state (series, s);
        LsGraphEdge *edge = state->edges[i] >= 0 ? ls_graph_edge (state->graph, state->edges[i]) : NULL;
        g_autofree char *label = edge != NULL ? label_text (edge) : NULL;
        float height, width;

        if (edge == NULL)
          continue;
        width = width_of (pango, &LABEL, label, &height) + width_of (pango, &TYPE, edge->type != NULL ? edge->type : "", NULL);
        if (width > 0.0f)
          sizes[i] = (LsGraphSize) { MAX (sizes[i].width, width + 16.0f), MAX (sizes[i].height, height + 4.0f) };
      }
  return sizes;
}

/* A label may stand across the frame round its calls. */
static void
draw_ground (LsGraphPaint          *paint,
             guint                  i,
             const graphene_rect_t *box)
{
  LsGraph *whole = paint->scene->series->whole;
  gboolean inside = ls_graph_function_around (paint, ls_graph_node (whole, ls_graph_edge (whole, i)->from)->cluster);

  gtk_snapshot_append_color (paint->snapshot, ls_look_get (paint->look, inside ? LS_LOOK_WINDOW : LS_LOOK_VIEW), box);
}

static void
draw_label (LsGraphPaint      *paint,
            const LsGraphEdge *edge,
            guint              i)
{
  const LsGraphPoint *at = &paint->scene->layout->labels[i];
  g_autofree char *label = label_text (edge);
  const char *type = edge->type != NULL ? edge->type : "";
  float bold = width_of (paint->pango, &LABEL, label, NULL), plain = width_of (paint->pango, &TYPE, type, NULL);
  float gap = bold > 0.0f && plain > 0.0f ? 5.0f : 0.0f;
  float x = at->x - (bold + gap + plain) / 2.0f;

  if (at->x < 0.0f)
    return;
  draw_ground (paint, i, &GRAPHENE_RECT_INIT (x - 1.0f, at->y - 6.0f, bold + gap + plain + 2.0f, 12.0f));
  ls_draw_text (paint->snapshot, paint->pango, &LABEL, label, x, at->y, 0.0f, 0.5f, ls_look_get (paint->look, LS_LOOK_TEXT));
  ls_draw_text (paint->snapshot, paint->pango, &TYPE, type, x + bold + gap, at->y, 0.0f, 0.5f, ls_look_get (paint->look, LS_LOOK_DIM));
}

/* ---- lines ------------------------------------------------------------------------ */

static LsGraphBox
bounds_of (const LsGraphLayout *layout,
           guint                i)
{
  float left = G_MAXFLOAT, top = G_MAXFLOAT, right = -G_MAXFLOAT, bottom = -G_MAXFLOAT;

  for (guint k = layout->start[i]; k < layout->start[i + 1]; k++)
    {
      left = MIN (left, layout->points[k].x);
      top = MIN (top, layout->points[k].y);
      right = MAX (right, layout->points[k].x);
      bottom = MAX (bottom, layout->points[k].y);
    }
  return (LsGraphBox) { left - 6.0f, top - 6.0f, right - left + 12.0f, bottom - top + 12.0f };
}

static void
trace_arrow (cairo_t            *cr,
             const LsGraphPoint *points,
             guint               n)
{
  LsGraphPoint tip = points[n - 1], back = tip;
  double dx, dy, length;

  for (guint k = n - 1; k > 0 && hypot (tip.x - back.x, tip.y - back.y) < 1.0; k--)
    back = points[k - 1];
  dx = tip.x - back.x;
  dy = tip.y - back.y;
  length = hypot (dx, dy);
  if (length < 1e-3)
    return;
  dx /= length;
  dy /= length;
  cairo_move_to (cr, tip.x, tip.y);
  cairo_line_to (cr, tip.x - ARROW_LENGTH * dx + ARROW_WIDTH / 2.0 * dy, tip.y - ARROW_LENGTH * dy - ARROW_WIDTH / 2.0 * dx);
  cairo_line_to (cr, tip.x - ARROW_LENGTH * dx - ARROW_WIDTH / 2.0 * dy, tip.y - ARROW_LENGTH * dy + ARROW_WIDTH / 2.0 * dx);
  cairo_close_path (cr);
}

/* For an edge that the layout left out. */
static void
draw_straight (LsGraphPaint *paint,
               cairo_t      *cr,
               guint         i,
               gboolean      strong)
{
  LsGraphEdge *edge = ls_graph_edge (paint->scene->series->whole, i);
  const LsGraphBox *from = &paint->scene->layout->nodes[edge->from], *to = &paint->scene->layout->nodes[edge->to];
  GdkRGBA color = ls_look_fade (paint->look, strong ? LS_LOOK_ACCENT : LS_LOOK_NEUTRAL, strong ? 1.0 : 0.35);

  if (edge->from == edge->to)
    return;
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 1.0);
  cairo_move_to (cr, from->x + from->width / 2.0, from->y + from->height);
  cairo_line_to (cr, to->x + to->width / 2.0, to->y);
  cairo_stroke (cr);
}

static void
draw_line (LsGraphPaint      *paint,
           cairo_t           *cr,
           const LsGraphEdge *edge,
           guint              i,
           gboolean           strong)
{
  static const double DASHES[] = { 5.0, 3.0 };
  const LsGraphLayout *layout = paint->scene->layout;
  const LsGraphPoint *points = layout->points + layout->start[i];
  guint n = layout->start[i + 1] - layout->start[i];

  if (n < 4)
    {
      draw_straight (paint, cr, i, strong);
      return;
    }
  gdk_cairo_set_source_rgba (cr, ls_look_get (paint->look, strong ? LS_LOOK_ACCENT : LS_LOOK_NEUTRAL));
  cairo_set_line_width (cr, (strong ? 2.0 : 1.25) + (edge->kind == LS_GRAPH_EDGE_WAW ? 1.0 : 0.0));
  cairo_set_dash (cr, DASHES, edge->kind == LS_GRAPH_EDGE_WAR ? 2 : 0, 0.0);
  cairo_move_to (cr, points[0].x, points[0].y);
  for (guint k = 1; k + 2 < n; k += 3)
    cairo_curve_to (cr, points[k].x, points[k].y, points[k + 1].x, points[k + 1].y, points[k + 2].x, points[k + 2].y);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
  trace_arrow (cr, points, n);
  cairo_fill (cr);
}

gboolean
ls_graph_scene_is_shadow_line (const LsGraphScene *scene,
                               guint               i)
{
  LsGraphState *state = ls_graph_series_state (scene->series, scene->state);
  const LsGraphEdge *edge = ls_graph_edge (scene->series->whole, i);

  return scene->state > 0 && state->edges[i] < 0 && (state->marks[edge->from] == LS_GRAPH_REMOVED || state->marks[edge->to] == LS_GRAPH_REMOVED)
         && ls_graph_series_state (scene->series, scene->state - 1)->edges[i] >= 0;
}

/* Without arrow and words: they are of what was. */
static void
draw_shadow_lines (LsGraphPaint *paint,
                   cairo_t      *cr)
{
  static const double DASHES[] = { 2.0, 4.0 };
  const LsGraphLayout *layout = paint->scene->layout;
  GdkRGBA color = ls_look_fade (paint->look, LS_LOOK_NEUTRAL, 0.7);

  gdk_cairo_set_source_rgba (cr, &color);
  cairo_set_line_width (cr, 1.0);
  cairo_set_dash (cr, DASHES, 2, 0.0);
  for (guint i = 0; i < layout->n_edges; i++)
    {
      const LsGraphPoint *points = layout->points + layout->start[i];
      guint n = layout->start[i + 1] - layout->start[i];
      LsGraphBox box;

      if (n < 4 || !ls_graph_scene_is_shadow_line (paint->scene, i))
        continue;
      box = bounds_of (layout, i);
      if (!ls_graph_paint_sees (paint, &box))
        continue;
      cairo_move_to (cr, points[0].x, points[0].y);
      for (guint k = 1; k + 2 < n; k += 3)
        cairo_curve_to (cr, points[k].x, points[k].y, points[k + 1].x, points[k + 1].y, points[k + 2].x, points[k + 2].y);
      cairo_stroke (cr);
    }
  cairo_set_dash (cr, NULL, 0, 0.0);
}

static gboolean
is_strong (LsGraphPaint *paint,
           guint         i)
{
  LsGraphEdge *edge = ls_graph_edge (paint->scene->series->whole, i);

  return (gint) edge->from == paint->scene->selected || (gint) edge->to == paint->scene->selected;
}

static const LsGraphEdge *
shown_edge (LsGraphPaint *paint,
            guint         i)
{
  return paint->state->edges[i] >= 0 ? ls_graph_edge (paint->state->graph, paint->state->edges[i]) : NULL;
}

static graphene_rect_t
lines_area (LsGraphPaint *paint)
{
  if (paint->visible != NULL)
    return *paint->visible;
  return GRAPHENE_RECT_INIT (-8.0f, -8.0f, paint->scene->layout->width + 16.0f, paint->scene->layout->height + 16.0f);
}

/* What is drawn, weak lines before strong ones. */
static GArray *
visible_edges (LsGraphPaint *paint,
               guint        *n_weak)
{
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) strong = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < paint->scene->layout->n_edges; i++)
    {
      LsGraphBox box;

      if (shown_edge (paint, i) == NULL)
        continue;
      box = bounds_of (paint->scene->layout, i);
      if (paint->scene->layout->start[i] == paint->scene->layout->start[i + 1] || ls_graph_paint_sees (paint, &box))
        g_array_append_val (is_strong (paint, i) ? strong : edges, i);
    }
  *n_weak = edges->len;
  if (strong->len > 0)
    g_array_append_vals (edges, strong->data, strong->len);
  return edges;
}

void
ls_draw_graph_edges (LsGraphPaint *paint)
{
  const graphene_rect_t area = lines_area (paint);
  guint n = paint->scene->layout->n_edges, n_weak;
  g_autoptr (GArray) edges = NULL;
  cairo_t *cr;

  if (n == 0)
    return;
  edges = visible_edges (paint, &n_weak);
  if (paint->is_far)
    ls_draw_graph_far_lines (paint, edges, n_weak);
  cr = ls_draw_cairo (paint->snapshot, &area);
  if (!paint->is_far && paint->state->n_removed > 0)
    draw_shadow_lines (paint, cr);
  for (guint k = paint->is_far ? n_weak : 0; k < edges->len; k++)
    {
      guint i = g_array_index (edges, guint, k);

      draw_line (paint, cr, shown_edge (paint, i), i, k >= n_weak);
    }
  cairo_destroy (cr);
  for (guint i = 0; paint->with_text && i < n; i++)
    {
      const LsGraphEdge *edge = shown_edge (paint, i);
      const LsGraphPoint *at = &paint->scene->layout->labels[i];
      const LsGraphBox box = { at->x - 150.0f, at->y - 12.0f, 300.0f, 24.0f };

      if (edge != NULL && at->x >= 0.0f && ls_graph_paint_sees (paint, &box))
        draw_label (paint, edge, i);
    }
}
