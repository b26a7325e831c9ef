/* LsGraphMap: see the header.  The nodes are painted once for a graph, a size and a colour, not for every frame of a pan; edges
 * are left out. */
#include "views/graph/map.h"

#include "views/parts/theme.h"

#include <math.h>

#define MOST_WIDTH 180.0
#define MOST_HEIGHT 140.0
#define LEAST 24.0
#define MOST_OF_WIDTH 0.25      /* of the canvas */
#define MOST_OF_HEIGHT 0.33
#define FRAME_LEAST 4.0f        /* pixels */
#define PAD 4.0                 /* round the graph, in pixels */

struct _LsGraphMap
{
  GtkWidget       parent_instance;

  LsGraphCanvas  *canvas;
  graphene_rect_t bounds;       /* of the graph */
  graphene_rect_t view;         /* what the canvas shows, in its units */

  GdkTexture     *picture;      /* of the nodes, or NULL */
  struct {
    LsGraphSeries  *series;     /* held: no other can have its address */
    graphene_rect_t bounds;
    guint           state;
    int             width, height, factor;
    GdkRGBA         color;
  } made_for;
};

G_DEFINE_FINAL_TYPE (LsGraphMap, ls_graph_map, GTK_TYPE_WIDGET)

void
ls_graph_map_fit (const graphene_rect_t *bounds,
                  int                    room_width,
                  int                    room_height,
                  int                   *width,
                  int                   *height)
{
  double most_width = CLAMP (room_width * MOST_OF_WIDTH, LEAST, MOST_WIDTH), most_height = CLAMP (room_height * MOST_OF_HEIGHT, LEAST, MOST_HEIGHT);
  double scale = MIN ((most_width - 2.0 * PAD) / MAX (bounds->size.width, 1.0f), (most_height - 2.0 * PAD) / MAX (bounds->size.height, 1.0f));

  *width = (int) MAX (LEAST, ceil (bounds->size.width * scale + 2.0 * PAD));
  *height = (int) MAX (LEAST, ceil (bounds->size.height * scale + 2.0 * PAD));
}

void
ls_graph_map_frame (const graphene_rect_t *shown,
                    int                    width,
                    int                    height,
                    graphene_rect_t       *frame)
{
  float left = CLAMP (shown->origin.x, 0.0f, (float) width - FRAME_LEAST), top = CLAMP (shown->origin.y, 0.0f, (float) height - FRAME_LEAST);
  float right = CLAMP (shown->origin.x + shown->size.width, left + FRAME_LEAST, (float) width);
  float bottom = CLAMP (shown->origin.y + shown->size.height, top + FRAME_LEAST, (float) height);

  *frame = GRAPHENE_RECT_INIT (left, top, right - left, bottom - top);
}

gboolean
ls_graph_map_is_needed (const graphene_rect_t *bounds,
                        const graphene_rect_t *view)
{
  graphene_rect_t seen;
  double part;

  if (bounds->size.width <= 0.0f || view->size.width <= 0.0f)
    return FALSE;
  if (!graphene_rect_intersection (bounds, view, &seen))
    return TRUE;
  part = (double) seen.size.width * seen.size.height / ((double) bounds->size.width * bounds->size.height);
  return part < 0.98;
}

/* ---- drawing ----------------------------------------------------------------------- */

static double
scale_of (LsGraphMap *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) - 2.0 * PAD, height = gtk_widget_get_height (GTK_WIDGET (self)) - 2.0 * PAD;

  return MIN (width / MAX (self->bounds.size.width, 1.0f), height / MAX (self->bounds.size.height, 1.0f));
}

/* A box of the graph in the map, on whole pixels. */
static graphene_rect_t
rect_of (LsGraphMap            *self,
         const graphene_rect_t *rect,
         double                 scale)
{
  double x = floor (PAD + (rect->origin.x - self->bounds.origin.x) * scale), y = floor (PAD + (rect->origin.y - self->bounds.origin.y) * scale);

  return GRAPHENE_RECT_INIT ((float) x, (float) y, (float) MAX (1.0, round (rect->size.width * scale)),
                             (float) MAX (1.0, round (rect->size.height * scale)));
}

static void
forget_picture (LsGraphMap *self)
{
  g_clear_object (&self->picture);
  g_clear_pointer (&self->made_for.series, ls_graph_series_unref);
}

static void
fill_nodes (LsGraphMap         *self,
            cairo_t            *cr,
            const LsGraphScene *scene,
            const GdkRGBA      *color)
{
  LsGraphState *state = ls_graph_series_state (scene->series, scene->state);
  double scale = scale_of (self);

  for (guint i = 0; i < scene->layout->n_nodes; i++)
    {
      const LsGraphBox *box = &scene->layout->nodes[i];
      graphene_rect_t at;

      if (state->nodes[i] < 0)
        continue;
      at = rect_of (self, &GRAPHENE_RECT_INIT (box->x, box->y, box->width, box->height), scale);
      cairo_rectangle (cr, at.origin.x, at.origin.y, at.size.width, at.size.height);
    }
  gdk_cairo_set_source_rgba (cr, color);
  cairo_fill (cr);
}

/* The picture of the nodes, made anew when something that it is made of is another. */
static void
paint_nodes (LsGraphMap         *self,
             const LsGraphScene *scene,
             const GdkRGBA      *color)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  int factor = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  g_autoptr (GBytes) bytes = NULL;
  cairo_surface_t *surface;
  cairo_t *cr;

  if (self->picture != NULL && self->made_for.series == scene->series && graphene_rect_equal (&self->made_for.bounds, &self->bounds) &&
      self->made_for.state == scene->state && self->made_for.width == width &&
      self->made_for.height == height && self->made_for.factor == factor && gdk_rgba_equal (&self->made_for.color, color))
    return;
  forget_picture (self);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width * factor, height * factor);
  cr = cairo_create (surface);
  cairo_scale (cr, factor, factor);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  fill_nodes (self, cr, scene, color);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  bytes = g_bytes_new (cairo_image_surface_get_data (surface), (gsize) cairo_image_surface_get_stride (surface) * (gsize) (height * factor));
  self->picture = gdk_memory_texture_new (width * factor, height * factor, GDK_MEMORY_DEFAULT, bytes, (gsize) cairo_image_surface_get_stride (surface));
  cairo_surface_destroy (surface);
  self->made_for.series = ls_graph_series_ref (scene->series);
  self->made_for.bounds = self->bounds;
  self->made_for.state = scene->state;
  self->made_for.width = width;
  self->made_for.height = height;
  self->made_for.factor = factor;
  self->made_for.color = *color;
}

static void
ls_graph_map_snapshot (GtkWidget   *widget,
                       GtkSnapshot *snapshot)
{
  LsGraphMap *self = LS_GRAPH_MAP (widget);
  const LsGraphScene *scene = self->canvas != NULL ? ls_graph_canvas_get_scene (self->canvas) : NULL;
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget), (float) gtk_widget_get_height (widget)), shown, frame;
  LsLook look;

  ls_look_from_widget (widget, &look);
  gtk_snapshot_append_color (snapshot, ls_look_get (&look, LS_LOOK_VIEW), &all);
  ls_draw_frame (snapshot, &all, 0.0f, 1.0f, ls_look_get (&look, LS_LOOK_BORDER));
  if (scene != NULL && scene->layout != NULL && scene->series != NULL)
    {
      paint_nodes (self, scene, ls_look_get (&look, LS_LOOK_NEUTRAL));
      gtk_snapshot_append_texture (snapshot, self->picture, &all);
      shown = rect_of (self, &self->view, scale_of (self));
      ls_graph_map_frame (&shown, gtk_widget_get_width (widget), gtk_widget_get_height (widget), &frame);
      ls_draw_frame (snapshot, &frame, 0.0f, 2.0f, ls_look_get (&look, LS_LOOK_ACCENT));
    }
}

/* ---- following ----------------------------------------------------------------------- */

static void
update (LsGraphMap *self)
{
  const LsGraphScene *scene = ls_graph_canvas_get_scene (self->canvas);
  int width = 0, height = 0;

  self->bounds = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  if (scene->layout != NULL && scene->series != NULL)
    ls_graph_scene_bounds (scene, FALSE, &self->bounds);
  else
    forget_picture (self);
  ls_graph_canvas_get_view (self->canvas, &self->view);
  ls_graph_map_fit (&self->bounds, gtk_widget_get_width (GTK_WIDGET (self->canvas)), gtk_widget_get_height (GTK_WIDGET (self->canvas)), &width, &height);
  gtk_widget_set_visible (GTK_WIDGET (self), ls_graph_map_is_needed (&self->bounds, &self->view));
  gtk_widget_set_size_request (GTK_WIDGET (self), width, height);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
ls_graph_map_set_canvas (LsGraphMap    *self,
                         LsGraphCanvas *canvas)
{
  self->canvas = canvas;
  g_signal_connect_object (canvas, "zoomed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

/* ---- the pointer ----------------------------------------------------------------------- */

static void
go_to (LsGraphMap *self,
       double      x,
       double      y)
{
  double scale = scale_of (self);

  if (self->canvas != NULL && scale > 0.0)
    ls_graph_canvas_center (self->canvas, self->bounds.origin.x + (x - PAD) / scale, self->bounds.origin.y + (y - PAD) / scale);
}

static void
dragged (LsGraphMap     *self,
         double          dx,
         double          dy,
         GtkGestureDrag *drag)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point (drag, &x, &y))
    go_to (self, x + dx, y + dy);
}

static void
ls_graph_map_dispose (GObject *object)
{
  forget_picture (LS_GRAPH_MAP (object));
  G_OBJECT_CLASS (ls_graph_map_parent_class)->dispose (object);
}

static void
ls_graph_map_class_init (LsGraphMapClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_graph_map_dispose;
  widget_class->snapshot = ls_graph_map_snapshot;
  gtk_widget_class_set_css_name (widget_class, "graphmap");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ls_graph_map_init (LsGraphMap *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);       /* as the canvas: it stands in its lower right corner */
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (go_to), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (dragged), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_set_halign (GTK_WIDGET (self), GTK_ALIGN_END);
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_END);
  gtk_widget_set_margin_end (GTK_WIDGET (self), 12);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self), 12);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grab");
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
ls_graph_map_new (void)
{
  return g_object_new (LS_TYPE_GRAPH_MAP, NULL);
}
