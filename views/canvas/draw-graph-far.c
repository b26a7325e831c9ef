/* draw-graph-far: very many nodes from so far away that each is a few pixels.
 *
 * A rounded border for each would take most of a frame.  Here all outlines are one fill of whole pixels, and all insides another,
 * so nothing is blended.  What the eye looks for (selected, found, new, gone, a group) is left to the usual painter.
 */
#include "views/canvas/draw-graph-private.h"

#include <math.h>

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

/* On whole pixels of the widget, `inset` of them further in; none when nothing would be left. */
static void
add_box (LsGraphPaint     *paint,
         cairo_t          *cr,
         const LsGraphBox *box,
         double            inset)
{
  double left = round ((box->x - paint->visible->origin.x) * paint->zoom) + inset, top = round ((box->y - paint->visible->origin.y) * paint->zoom) + inset;
  double width = MAX (round (box->width * paint->zoom), 1.0) - 2.0 * inset, height = MAX (round (box->height * paint->zoom), 1.0) - 2.0 * inset;

  if (width > 0.0 && height > 0.0)
    cairo_rectangle (cr, left, top, width, height);
}

static void
fill_boxes (LsGraphPaint *paint,
            cairo_t      *cr,
            GArray       *plain,
            double        inset,
            LsLookToken   color)
{
  for (guint k = 0; k < plain->len; k++)
    add_box (paint, cr, &paint->scene->layout->nodes[g_array_index (plain, guint, k)], inset);
  gdk_cairo_set_source_rgba (cr, ls_look_get (paint->look, color));
  cairo_fill (cr);
}

void
ls_draw_graph_far (LsGraphPaint *paint,
                   GArray       *rest)
{
  g_autoptr (GArray) plain = g_array_new (FALSE, FALSE, sizeof (guint));
  cairo_t *cr;

  for (guint i = 0; i < paint->scene->layout->n_nodes; i++)
    if (paint->state->marks[i] != LS_GRAPH_ABSENT && ls_graph_paint_sees (paint, &paint->scene->layout->nodes[i]))
      g_array_append_val (is_plain (paint, i) ? plain : rest, i);
  if (plain->len == 0)
    return;
  cr = ls_draw_cairo (paint->snapshot, paint->visible);
  cairo_translate (cr, paint->visible->origin.x, paint->visible->origin.y);
  cairo_scale (cr, 1.0 / paint->zoom, 1.0 / paint->zoom);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  fill_boxes (paint, cr, plain, 0.0, LS_LOOK_NEUTRAL);
  fill_boxes (paint, cr, plain, 1.0, LS_LOOK_VIEW);
  cairo_destroy (cr);
}
