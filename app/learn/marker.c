/* LsMarker: see the header. */
#include "app/learn/marker.h"

#include "views/parts/theme.h"

#define SPOT 16                 /* radius, with letters of the usual size */
#define STROKE 18

struct _LsMarker {
  GtkWidget         parent_instance;

  gboolean          pointing;
  gboolean          inside;
  graphene_point_t  at;
  GPtrArray        *strokes;    /* of GArray of graphene_point_t */
};

G_DEFINE_FINAL_TYPE (LsMarker, ls_marker, GTK_TYPE_WIDGET)

static void
ls_marker_snapshot (GtkWidget   *widget,
                    GtkSnapshot *snapshot)
{
  LsMarker *self = LS_MARKER (widget);
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget), (float) gtk_widget_get_height (widget));
  gboolean spot = self->pointing && self->inside;
  cairo_t *cr;

  if (!spot && self->strokes->len == 0)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &all);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_width (cr, ls_theme_grow_in (widget, STROKE));
  cairo_set_source_rgba (cr, 0.96, 0.76, 0.07, 0.42);
  for (guint i = 0; i < self->strokes->len; i++)
    {
      GArray *points = self->strokes->pdata[i];

      for (guint k = 0; k < points->len; k++)
        cairo_line_to (cr, g_array_index (points, graphene_point_t, k).x, g_array_index (points, graphene_point_t, k).y);
      cairo_stroke (cr);
    }
  if (spot)
    {
      double radius = ls_theme_grow_in (widget, SPOT);

      cairo_arc (cr, self->at.x, self->at.y, radius, 0, 2 * G_PI);
      cairo_set_source_rgba (cr, 0.88, 0.11, 0.14, 0.35);
      cairo_fill_preserve (cr);
      cairo_set_source_rgba (cr, 0.88, 0.11, 0.14, 0.95);
      cairo_set_line_width (cr, 2.5);
      cairo_stroke (cr);
    }
  cairo_destroy (cr);
}

/* ---- the pointer ------------------------------------------------------------------------ */

static void
moved (GtkEventController *controller,
       double              x,
       double              y,
       gpointer            data)
{
  LsMarker *self = data;

  self->inside = TRUE;
  self->at = GRAPHENE_POINT_INIT ((float) x, (float) y);
  if (self->pointing)
    gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
left (GtkEventController *controller,
      gpointer            data)
{
  ((LsMarker *) data)->inside = FALSE;
  gtk_widget_queue_draw (data);
}

static void
add_point (LsMarker *self,
           double    x,
           double    y)
{
  graphene_point_t point = GRAPHENE_POINT_INIT ((float) x, (float) y);

  g_array_append_val ((GArray *) self->strokes->pdata[self->strokes->len - 1], point);
  self->at = point;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
begun (GtkGestureDrag *drag,
       double          x,
       double          y,
       LsMarker       *self)
{
  g_ptr_array_add (self->strokes, g_array_new (FALSE, FALSE, sizeof (graphene_point_t)));
  add_point (self, x, y);
}

static void
dragged (GtkGestureDrag *drag,
         double          dx,
         double          dy,
         LsMarker       *self)
{
  double x, y;

  if (self->strokes->len > 0 && gtk_gesture_drag_get_start_point (drag, &x, &y))
    add_point (self, x + dx, y + dy);
}

/* ---- the widget ------------------------------------------------------------------------- */

static void
ls_marker_finalize (GObject *object)
{
  g_ptr_array_unref (LS_MARKER (object)->strokes);
  G_OBJECT_CLASS (ls_marker_parent_class)->finalize (object);
}

static void
ls_marker_class_init (LsMarkerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ls_marker_finalize;
  GTK_WIDGET_CLASS (klass)->snapshot = ls_marker_snapshot;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
ls_marker_init (LsMarker *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->strokes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_signal_connect (motion, "enter", G_CALLBACK (moved), self);
  g_signal_connect (motion, "motion", G_CALLBACK (moved), self);
  g_signal_connect (motion, "leave", G_CALLBACK (left), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (begun), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (dragged), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
ls_marker_new (void)
{
  return g_object_new (LS_TYPE_MARKER, NULL);
}

void
ls_marker_set_pointing (LsMarker *self,
                        gboolean  pointing)
{
  self->pointing = pointing;
  gtk_widget_set_can_target (GTK_WIDGET (self), pointing);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), pointing ? "none" : NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
ls_marker_get_pointing (LsMarker *self)
{
  return self->pointing;
}

void
ls_marker_clear (LsMarker *self)
{
  g_ptr_array_set_size (self->strokes, 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

guint
ls_marker_get_n (LsMarker *self)
{
  return self->strokes->len;
}
