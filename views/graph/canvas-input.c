/* canvas-input: pointer and keys of LsGraphCanvas. */
#include "views/graph/canvas-private.h"

#include <math.h>

/* ---- pointer -------------------------------------------------------------------------- */

static void
choose (LsGraphCanvas *self,
        gint           place)
{
  ls_graph_canvas_set_selected (self, place);
  g_signal_emit_by_name (self, "selected", place);
}

static void
clicked (LsGraphCanvas *self,
         int            n,
         double         x,
         double         y,
         GtkGesture    *click)
{
  gint place = ls_graph_canvas_place_at (self, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (n >= 2 && place >= 0)
    g_signal_emit_by_name (self, "activated", place);
  else if (n == 1 && place >= 0 && (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click)) & GDK_CONTROL_MASK) != 0)
    ls_graph_canvas_toggle_mark (self, place);
  else if (n == 1)
    {
      ls_graph_canvas_clear_marks (self);
      choose (self, place);
    }
}

static void
drag_began (LsGraphCanvas *self)
{
  self->start_x = self->x;
  self->start_y = self->y;
}

static void
dragged (LsGraphCanvas *self,
         double         dx,
         double         dy)
{
  if (hypot (dx, dy) < 4.0)
    return;
  self->x = self->start_x - dx / self->zoom;
  self->y = self->start_y - dy / self->zoom;
  self->fitted = FALSE;
  ls_graph_canvas_moved (self);
}

static void
pointer_moved (LsGraphCanvas *self,
               double         x,
               double         y)
{
  gint place = ls_graph_canvas_place_at (self, x, y);

  self->pointer_x = x;
  self->pointer_y = y;
  if (place == self->scene.hovered)
    return;
  self->scene.hovered = place;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), place >= 0 ? "pointer" : NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
pointer_left (LsGraphCanvas *self)
{
  self->scene.hovered = -1;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
scrolled (LsGraphCanvas            *self,
          double                    dx,
          double                    dy,
          GtkEventControllerScroll *scroll)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll));
  double unit = gtk_event_controller_scroll_get_unit (scroll) == GDK_SCROLL_UNIT_WHEEL ? 60.0 : 1.0;

  if (state & GDK_CONTROL_MASK)
    ls_graph_canvas_zoom_at (self, self->zoom * pow (1.15, -dy * unit / 60.0), self->pointer_x, self->pointer_y);
  else if (state & GDK_SHIFT_MASK)
    ls_graph_canvas_pan_by (self, dy * unit, dx * unit);
  else
    ls_graph_canvas_pan_by (self, dx * unit, dy * unit);
  return TRUE;
}

static void
pinch_began (LsGraphCanvas *self)
{
  self->start_zoom = self->zoom;
}

static void
pinched (LsGraphCanvas *self,
         double         scale,
         GtkGesture    *gesture)
{
  double x, y;

  if (!gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    return;
  ls_graph_canvas_zoom_at (self, self->start_zoom * scale, x, y);
}

/* ---- keys ------------------------------------------------------------------------------ */

/* The nearest shown node in a direction; nodes off to the side count as further away. */
static gint
neighbour (LsGraphCanvas *self,
           int            dx,
           int            dy)
{
  const LsGraphBox *from, *box;
  double best = G_MAXDOUBLE;
  gint found = -1;

  if (!ls_graph_canvas_shows (self, self->scene.selected))
    {
      for (gint i = 0; ls_graph_canvas_has_graph (self) && i < (gint) self->scene.layout->n_nodes; i++)
        if (ls_graph_canvas_shows (self, i))
          return i;
      return -1;
    }
  from = &self->scene.layout->nodes[self->scene.selected];
  for (gint i = 0; i < (gint) self->scene.layout->n_nodes; i++)
    {
      double x, y, along, aside;

      if (i == self->scene.selected || !ls_graph_canvas_shows (self, i))
        continue;
      box = &self->scene.layout->nodes[i];
      x = box->x + box->width / 2.0 - from->x - from->width / 2.0;
      y = box->y + box->height / 2.0 - from->y - from->height / 2.0;
      along = x * dx + y * dy;
      aside = fabs (x * dy) + fabs (y * dx);
      if (along > 4.0 && along + 2.0 * aside < best && aside <= 3.0 * along)
        {
          best = along + 2.0 * aside;
          found = i;
        }
    }
  return found;
}

static gboolean
go (LsGraphCanvas *self,
    int            dx,
    int            dy)
{
  gint place = neighbour (self, dx, dy);

  if (place < 0)
    return TRUE;
  choose (self, place);
  ls_graph_canvas_reveal (self, place);
  return TRUE;
}

static gboolean
key_pressed (LsGraphCanvas   *self,
             guint            key,
             guint            code,
             GdkModifierType  state)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Left:
      return go (self, -1, 0);
    case GDK_KEY_Right:
      return go (self, 1, 0);
    case GDK_KEY_Up:
      return go (self, 0, -1);
    case GDK_KEY_Down:
      return go (self, 0, 1);
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (ls_graph_canvas_shows (self, self->scene.selected))
        g_signal_emit_by_name (self, "activated", self->scene.selected);
      return TRUE;
    case GDK_KEY_space:
      ls_graph_canvas_toggle_mark (self, self->scene.selected);
      return TRUE;
    case GDK_KEY_Escape:
      if (g_hash_table_size (self->scene.marked) == 0)
        return FALSE;
      ls_graph_canvas_clear_marks (self);
      return TRUE;
    case GDK_KEY_f:
    case GDK_KEY_F:
      ls_graph_canvas_fit (self);
      return TRUE;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      ls_graph_canvas_zoom_by (self, 1.25);
      return TRUE;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      ls_graph_canvas_zoom_by (self, 0.8);
      return TRUE;
    default:
      return FALSE;
    }
}

/* ---- the widget ------------------------------------------------------------------------ */

void
ls_graph_canvas_add_controllers (LsGraphCanvas *self)
{
  GtkGesture *click = gtk_gesture_click_new (), *drag = gtk_gesture_drag_new (), *pinch = gtk_gesture_zoom_new ();
  GtkEventController *motion = gtk_event_controller_motion_new (), *keys = gtk_event_controller_key_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  g_signal_connect_swapped (click, "pressed", G_CALLBACK (clicked), self);
  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_began), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (dragged), self);
  g_signal_connect_swapped (pinch, "begin", G_CALLBACK (pinch_began), self);
  g_signal_connect_swapped (pinch, "scale-changed", G_CALLBACK (pinched), self);
  g_signal_connect_swapped (motion, "motion", G_CALLBACK (pointer_moved), self);
  g_signal_connect_swapped (motion, "leave", G_CALLBACK (pointer_left), self);
  g_signal_connect_swapped (scroll, "scroll", G_CALLBACK (scrolled), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (pinch));
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
