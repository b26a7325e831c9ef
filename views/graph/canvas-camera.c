/* canvas-camera: which part of the graph LsGraphCanvas shows.  Origin and zoom map the layout to the widget:
 * x_widget = (x - origin.x) * zoom. */
#include "views/graph/canvas-private.h"

#include "views/parts/canvas-nodes.h"
#include "views/parts/later.h"
#include "views/parts/theme.h"

#include <math.h>

#define ZOOM_LEAST 0.02
#define ZOOM_MOST 3.0
#define MARGIN 24.0
#define READABLE 11.0            /* pixels of the smallest letters when a graph opens, at the usual size of text */
#define SLIDE_READABLE 20.0      /* the same on a slide */
#define SLIDE_MOST 3.0           /* times as large as elsewhere */
#define TELLABLE 0.35

void
ls_graph_canvas_place_node (GtkWidget       *canvas,
                            guint            n,
                            graphene_rect_t *place)
{
  LsGraphCanvas *self = (LsGraphCanvas *) canvas;
  gint at = n < self->nodes->len ? g_array_index (self->nodes, gint, n) : -1;

  if (!ls_graph_canvas_has_graph (self) || at < 0 || (guint) at >= self->scene.layout->n_nodes)
    return;
  *place = GRAPHENE_RECT_INIT ((float) ((self->scene.layout->nodes[at].x - self->x) * self->zoom),
                               (float) ((self->scene.layout->nodes[at].y - self->y) * self->zoom),
                               (float) (self->scene.layout->nodes[at].width * self->zoom),
                               (float) (self->scene.layout->nodes[at].height * self->zoom));
}

void
ls_graph_canvas_moved (LsGraphCanvas *self)
{
  ls_canvas_nodes_place (GTK_WIDGET (self), ls_graph_canvas_place_node);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit_by_name (self, "zoomed");
}

/* Who made the letters of the program larger needs them larger here, too. */
static double
least_start (LsGraphCanvas *self)
{
  if (self->slide)
    return SLIDE_READABLE / ls_graph_smallest_letters (gtk_widget_get_pango_context (GTK_WIDGET (self)));
  if (self->overview)
    return TELLABLE * 100.0 / ls_theme_get_scale ();
  return MIN (1.0, READABLE * ls_theme_get_scale () / 100.0 / ls_graph_smallest_letters (gtk_widget_get_pango_context (GTK_WIDGET (self))));
}

/* Where the program begins: the first node in program order that computes, or else is there. */
static const LsGraphBox *
first_box (LsGraphCanvas *self)
{
  LsGraphState *state = ls_graph_series_state (self->series, self->scene.state);
  gint found = -1;

  for (guint i = 0; i < self->scene.layout->n_nodes; i++)
    {
      if (state->nodes[i] < 0)
        continue;
      if (found < 0)
        found = (gint) i;
      if (ls_graph_node (self->series->whole, i)->kind == LS_GRAPH_NODE_VALUE)
        continue;
      found = (gint) i;
      break;
    }
  return found >= 0 ? &self->scene.layout->nodes[found] : NULL;
}

/* Of a graph that is wider than the view: from its left edge on where the beginning of the program is in sight then, so that nothing is cut that is read
 * first; else that beginning stands in the middle. */
static double
begin_x (LsGraphCanvas         *self,
         const graphene_rect_t *bounds,
         double                 width)          /* of the view, in the graph's units */
{
  const LsGraphBox *first = first_box (self);
  double margin = MARGIN / self->zoom, left = (double) bounds->origin.x - margin, right = (double) (bounds->origin.x + bounds->size.width) + margin - width;

  if (first == NULL || (double) (first->x + first->width) + margin <= left + width)
    return left;
  return CLAMP ((double) first->x + (double) first->width / 2.0 - width / 2.0, left, right);
}

/* Of the nodes of the state the one that is nearest to what is in sight, and how far from it, 0: in sight; NULL: there is none, or the view has no size. */
static const LsGraphBox *
nearest_box (LsGraphCanvas *self,
             double        *distance)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom, height = gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom;
  const LsGraphBox *nearest = NULL;
  LsGraphState *state;

  *distance = INFINITY;
  if (!ls_graph_canvas_has_graph (self) || width <= 0.0 || height <= 0.0)
    return NULL;
  state = ls_graph_series_state (self->series, self->scene.state);
  for (guint i = 0; i < self->scene.layout->n_nodes; i++)
    {
      const LsGraphBox *box = &self->scene.layout->nodes[i];
      double dx = MAX (MAX ((double) box->x - self->x - width, self->x - (double) box->x - (double) box->width), 0.0);
      double dy = MAX (MAX ((double) box->y - self->y - height, self->y - (double) box->y - (double) box->height), 0.0);

      if (state->nodes[i] < 0 || box->width <= 0.0f || hypot (dx, dy) >= *distance)
        continue;
      *distance = hypot (dx, dy);
      nearest = box;
    }
  return nearest;
}

/* What changes by itself must not leave the view empty: it goes to the node that is nearest. */
void
ls_graph_canvas_keep_in_sight (LsGraphCanvas *self)
{
  double distance;
  const LsGraphBox *nearest = nearest_box (self, &distance);

  if (nearest == NULL || distance == 0.0)
    return;
  self->x = (double) nearest->x + (double) nearest->width / 2.0 - gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom / 2.0;
  self->y = (double) nearest->y + (double) nearest->height / 2.0 - gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom / 2.0;
}

gboolean
ls_graph_canvas_is_empty (LsGraphCanvas *self)
{
  double distance;

  return gtk_widget_get_mapped (GTK_WIDGET (self)) && nearest_box (self, &distance) != NULL && distance > 0.0;
}

void
ls_graph_canvas_set_fit (LsGraphCanvas *self)
{
  graphene_rect_t bounds;
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));

  if (!ls_graph_canvas_has_graph (self) || width <= 0.0 || height <= 0.0)
    return;
  ls_graph_scene_bounds (&self->scene, FALSE, &bounds);
  if (bounds.size.width <= 0.0f)
    return;
  self->zoom = MIN (self->slide ? SLIDE_MOST : 1.0, MIN ((width - 2.0 * MARGIN) / bounds.size.width, (height - 2.0 * MARGIN) / bounds.size.height));
  self->zoom = CLAMP (self->zoom, self->whole ? ZOOM_LEAST : least_start (self), ZOOM_MOST);
  self->x = bounds.origin.x + bounds.size.width / 2.0 - width / 2.0 / self->zoom;
  self->y = bounds.origin.y + bounds.size.height / 2.0 - height / 2.0 / self->zoom;
  if (bounds.size.height * self->zoom > height)
    self->y = bounds.origin.y - MARGIN / self->zoom;
  if (bounds.size.width * self->zoom > width)
    self->x = begin_x (self, &bounds, width / self->zoom);
  ls_graph_canvas_keep_in_sight (self);
}

void
ls_graph_canvas_fit_now (LsGraphCanvas *self)
{
  ls_graph_canvas_set_fit (self);
  ls_graph_canvas_moved (self);
}

static void
tell_zoom (gpointer data)
{
  LsGraphCanvas *self = data;

  if (self->nodes_stale)
    ls_graph_canvas_tell_nodes (self);
  self->by_itself = TRUE;
  ls_graph_canvas_moved (self);
  self->by_itself = FALSE;
}

gboolean
ls_graph_canvas_moves_by_itself (LsGraphCanvas *self)
{
  return self->by_itself;
}

/* In a turn of its own: not while sizes or the graph are being set. */
void
ls_graph_canvas_queue_tell (LsGraphCanvas *self)
{
  ls_later (self, G_PRIORITY_DEFAULT_IDLE, 0, tell_zoom);
}

void
ls_graph_canvas_fit (LsGraphCanvas *self)
{
  self->fitted = TRUE;
  self->whole = TRUE;
  ls_graph_canvas_fit_now (self);
}

void
ls_graph_canvas_set_slide (LsGraphCanvas *self,
                           gboolean       slide)
{
  self->slide = slide;
  if (self->fitted)
    ls_graph_canvas_fit_now (self);
}

void
ls_graph_canvas_set_overview (LsGraphCanvas *self,
                              gboolean       overview)
{
  self->overview = overview;
  if (self->fitted)
    ls_graph_canvas_fit_now (self);
}

void
ls_graph_canvas_zoom_at (LsGraphCanvas *self,
                         double         zoom,
                         double         x,
                         double         y)
{
  zoom = CLAMP (zoom, ZOOM_LEAST, ZOOM_MOST);
  self->x += x / self->zoom - x / zoom;
  self->y += y / self->zoom - y / zoom;
  self->zoom = zoom;
  self->fitted = FALSE;
  ls_graph_canvas_moved (self);
}

void
ls_graph_canvas_zoom_by (LsGraphCanvas *self,
                         double         factor)
{
  ls_graph_canvas_zoom_at (self, self->zoom * factor, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0, gtk_widget_get_height (GTK_WIDGET (self)) / 2.0);
}

double
ls_graph_canvas_get_zoom (LsGraphCanvas *self)
{
  return self->zoom;
}

void
ls_graph_canvas_pan_by (LsGraphCanvas *self,
                        double         dx,
                        double         dy)
{
  self->x += dx / self->zoom;
  self->y += dy / self->zoom;
  self->fitted = FALSE;
  ls_graph_canvas_moved (self);
}

void
ls_graph_canvas_follow (LsGraphCanvas *self,
                        LsGraphCanvas *other)
{
  if (self->x == other->x && self->y == other->y && self->zoom == other->zoom)
    return;
  self->x = other->x;
  self->y = other->y;
  self->zoom = other->zoom;
  self->fitted = FALSE;
  ls_graph_canvas_moved (self);
}

void
ls_graph_canvas_see_layout (LsGraphCanvas *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  graphene_rect_t all = GRAPHENE_RECT_INIT (0.0f, 0.0f, 0.0f, 0.0f);

  if (!ls_graph_canvas_has_graph (self) || width <= 0.0 || height <= 0.0)
    return;
  for (guint i = 0; i < self->scene.layout->n_nodes; i++)
    {
      const LsGraphBox *box = &self->scene.layout->nodes[i];
      graphene_rect_t place = GRAPHENE_RECT_INIT (box->x, box->y, box->width, box->height);

      if (box->width <= 0.0f)
        continue;
      if (all.size.width <= 0.0f)
        all = place;
      graphene_rect_union (&all, &place, &all);
    }
  if (all.size.width <= 0.0f)
    return;
  self->zoom = CLAMP (MIN ((width - 2.0 * MARGIN) / all.size.width, (height - 2.0 * MARGIN) / all.size.height), ZOOM_LEAST, 1.0);
  self->x = all.origin.x + all.size.width / 2.0 - width / 2.0 / self->zoom;
  self->y = all.origin.y + all.size.height / 2.0 - height / 2.0 / self->zoom;
  self->fitted = FALSE;
  ls_graph_canvas_moved (self);
}

void
ls_graph_canvas_get_view (LsGraphCanvas   *self,
                          graphene_rect_t *view)
{
  *view = GRAPHENE_RECT_INIT ((float) self->x, (float) self->y, (float) (gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom),
                              (float) (gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom));
}

void
ls_graph_canvas_center (LsGraphCanvas *self,
                        double         x,
                        double         y)
{
  graphene_rect_t view;

  ls_graph_canvas_get_view (self, &view);
  ls_graph_canvas_pan_by (self, (x - view.origin.x - view.size.width / 2.0) * self->zoom, (y - view.origin.y - view.size.height / 2.0) * self->zoom);
}

void
ls_graph_canvas_reveal (LsGraphCanvas *self,
                        gint           place)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom, height = gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom;
  const LsGraphBox *box;

  if (!ls_graph_canvas_has_graph (self) || place < 0 || (guint) place >= self->scene.layout->n_nodes || width <= 0.0)
    return;
  box = &self->scene.layout->nodes[place];
  if (box->x < self->x || box->x + box->width > self->x + width)
    self->x = box->x + box->width / 2.0 - width / 2.0;
  if (box->y < self->y || box->y + box->height > self->y + height)
    self->y = box->y + box->height / 2.0 - height / 2.0;
  ls_graph_canvas_moved (self);
}
