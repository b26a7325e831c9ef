/* draw-graph-far: very many nodes from so far away that each is a few pixels.
 *
 * A rounded border for each would take most of a frame.  Here boxes and lines are set pixel by pixel: so many lines in one path make cairo 1.16
 * write beyond its memory when it strokes them (100,000 nodes all in view end the program), and take it longer.  What the eye looks for (selected, found, new, gone, a group) is left to the usual painter.
 */
#include "views/canvas/draw-graph-private.h"

#include <math.h>

#define LEAST 2.0               /* pixels; shorter pieces of lines are joined */
#define WIDTH 0.6               /* pixels */

/* As the usual painter would show it, a plain box? */
static gboolean
is_plain (LsGraphPaint *paint,
          guint         place)
{
  const LsGraphScene *scene = paint->scene;
  LsGraphMark mark = paint->state->marks[place];

  return (mark == LS_GRAPH_SAME || mark == LS_GRAPH_ADDED || mark == LS_GRAPH_CHANGED) && scene->selected != (gint) place && scene->focused != (gint) place
         && scene->hovered != (gint) place && !ls_graph_scene_is_marked (scene, place) && ls_graph_scene_style (scene, paint->state, place) == 0 && ls_graph_node (scene->series->whole, place)->kind != LS_GRAPH_NODE_GROUP
         && !g_hash_table_contains (paint->matched, GUINT_TO_POINTER (place));
}

/* On whole pixels, `inset` of them further in; none when nothing would be left. */
static void
fill_box (LsGraphPaint     *paint,
          cairo_surface_t  *surface,
          const LsGraphBox *box,
          int               inset,
          guint32           color)
{
  int left = (int) round ((box->x - paint->visible->origin.x) * paint->zoom), top = (int) round ((box->y - paint->visible->origin.y) * paint->zoom);
  int right = left + (int) MAX (round (box->width * paint->zoom), 1.0) - inset, bottom = top + (int) MAX (round (box->height * paint->zoom), 1.0) - inset;
  guchar *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);

  left = MAX (left + inset, 0);
  top = MAX (top + inset, 0);
  right = MIN (right, cairo_image_surface_get_width (surface));
  bottom = MIN (bottom, cairo_image_surface_get_height (surface));
  for (int y = top; y < bottom; y++)
    for (int x = left; x < right; x++)
      ((guint32 *) (gpointer) (data + (gsize) y * (gsize) stride))[x] = color;
}

static guint32
pixel_of (const GdkRGBA *color)
{
  guint32 alpha = (guint32) (color->alpha * 255.0f + 0.5f);

  return alpha << 24 | (guint32) (color->red * color->alpha * 255.0f + 0.5f) << 16 | (guint32) (color->green * color->alpha * 255.0f + 0.5f) << 8 |
         (guint32) (color->blue * color->alpha * 255.0f + 0.5f);
}

static void
fill_boxes (LsGraphPaint    *paint,
            cairo_surface_t *surface,
            GArray          *plain,
            int              inset,
            LsLookToken      color)
{
  guint32 pixel = pixel_of (ls_look_get (paint->look, color));

  for (guint k = 0; k < plain->len; k++)
    fill_box (paint, surface, &paint->scene->layout->nodes[g_array_index (plain, guint, k)], inset, pixel);
}

/* So many pixels of this format as the part in view takes; NULL: none. (transfer full) */
static cairo_surface_t *
pixels_for (LsGraphPaint   *paint,
            cairo_format_t  format)
{
  cairo_surface_t *surface = cairo_image_surface_create (format, (int) ceil (paint->visible->size.width * paint->zoom), (int) ceil (paint->visible->size.height * paint->zoom));

  if (cairo_surface_status (surface) == CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_flush (surface);
      return surface;
    }
  cairo_surface_destroy (surface);
  return NULL;
}

/* Onto the picture; what only covers, in this colour. */
static void
put_pixels (LsGraphPaint    *paint,
            cairo_surface_t *surface,   /* taken */
            LsLookToken      color)
{
  cairo_t *cr = ls_draw_cairo (paint->snapshot, paint->visible);

  cairo_surface_mark_dirty (surface);
  cairo_translate (cr, paint->visible->origin.x, paint->visible->origin.y);
  cairo_scale (cr, 1.0 / paint->zoom, 1.0 / paint->zoom);
  if (cairo_image_surface_get_format (surface) == CAIRO_FORMAT_A8)
    {
      gdk_cairo_set_source_rgba (cr, ls_look_get (paint->look, color));
      cairo_mask_surface (cr, surface, 0.0, 0.0);
    }
  else
    {
      cairo_set_source_surface (cr, surface, 0.0, 0.0);
      cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
      cairo_paint (cr);
    }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

void
ls_draw_graph_far (LsGraphPaint *paint,
                   GArray       *rest)
{
  g_autoptr (GArray) plain = g_array_new (FALSE, FALSE, sizeof (guint));
  cairo_surface_t *surface;

  for (guint i = 0; i < paint->scene->layout->n_nodes; i++)
    if (paint->state->marks[i] != LS_GRAPH_ABSENT && ls_graph_paint_sees (paint, &paint->scene->layout->nodes[i]))
      g_array_append_val (is_plain (paint, i) ? plain : rest, i);
  if (plain->len == 0)
    return;
  surface = pixels_for (paint, CAIRO_FORMAT_ARGB32);
  if (surface == NULL)
    return;
  fill_boxes (paint, surface, plain, 0, LS_LOOK_NEUTRAL);
  fill_boxes (paint, surface, plain, 1, LS_LOOK_VIEW);
  put_pixels (paint, surface, LS_LOOK_VIEW);
}

/* ---- lines ---------------------------------------------------------------------- */

/* Steps along its longer direction, and covers the pixels across as far as the line is wide; where lines cross nothing gets darker. */
static void
cover_line (cairo_surface_t *surface,
            double           x0,
            double           y0,
            double           x1,
            double           y1,
            double           width)
{
  gboolean steep = fabs (y1 - y0) > fabs (x1 - x0);
  double from = steep ? y0 : x0, to = steep ? y1 : x1, at = steep ? x0 : y0, end = steep ? x1 : y1;
  double slope = fabs (to - from) > 1e-9 ? (end - at) / (to - from) : 0.0, reach = width / 2.0 * sqrt (1.0 + slope * slope) + 0.5;
  int n = steep ? cairo_image_surface_get_height (surface) : cairo_image_surface_get_width (surface);
  int across = steep ? cairo_image_surface_get_width (surface) : cairo_image_surface_get_height (surface), stride = cairo_image_surface_get_stride (surface);
  guchar *data = cairo_image_surface_get_data (surface);
  int first = (int) CLAMP (floor (MIN (from, to)), 0.0, (double) n), last = (int) CLAMP (ceil (MAX (from, to)), 0.0, (double) n);

  for (int i = first; i < last; i++)
    {
      double middle = at + (CLAMP (i + 0.5, MIN (from, to), MAX (from, to)) - from) * slope;
      int low = (int) CLAMP (floor (middle - reach), 0.0, (double) across), high = (int) CLAMP (ceil (middle + reach), 0.0, (double) across);

      for (int k = low; k < high; k++)
        {
          double share = CLAMP (reach - fabs (k + 0.5 - middle), 0.0, MIN (1.0, width));
          guchar *pixel = data + (steep ? (gsize) i * (gsize) stride + (gsize) k : (gsize) k * (gsize) stride + (gsize) i), value = (guchar) (share * 255.0);

          *pixel = MAX (*pixel, value);
        }
    }
}

/* Straight pieces through the ends of its curves. */
static void
cover_edge (LsGraphPaint    *paint,
            cairo_surface_t *surface,
            guint            i)
{
  const LsGraphLayout *layout = paint->scene->layout;
  const LsGraphPoint *points = layout->points + layout->start[i];
  guint n = layout->start[i + 1] - layout->start[i];
  double least = LEAST / paint->zoom, left = paint->visible->origin.x, top = paint->visible->origin.y, zoom = paint->zoom;
  LsGraphPoint last;

  if (n < 4)
    return;
  last = points[0];
  for (guint k = 3; k < n; k += 3)
    {
      if (k + 3 < n && fabs (points[k].x - last.x) < least && fabs (points[k].y - last.y) < least)
        continue;
      cover_line (surface, (last.x - left) * zoom, (last.y - top) * zoom, (points[k].x - left) * zoom, (points[k].y - top) * zoom, MAX (1.25 * zoom, WIDTH));
      last = points[k];
    }
}

void
ls_draw_graph_far_lines (LsGraphPaint *paint,
                         GArray       *edges,
                         guint         n)
{
  cairo_surface_t *surface = n > 0 ? pixels_for (paint, CAIRO_FORMAT_A8) : NULL;

  if (surface == NULL)
    return;
  for (guint k = 0; k < n; k++)
    cover_edge (paint, surface, g_array_index (edges, guint, k));
  put_pixels (paint, surface, LS_LOOK_NEUTRAL);
}
