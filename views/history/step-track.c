/* LsStepTrack: a slider over the steps of the current branch. */
#include "views/history/step-track.h"

#include "views/canvas/draw-steps.h"
#include "views/canvas/text-cache.h"
#include "views/models/format.h"

#include <glib/gi18n.h>

struct _LsStepTrack
{
  GtkWidget  parent_instance;

  LsSession *session;
  gboolean   captions;
  guint      hover;
  guint      changes;           /* of what is shown */
  double     wheel;
};

G_DEFINE_FINAL_TYPE (LsStepTrack, ls_step_track, GTK_TYPE_WIDGET)

static guint
n_steps (LsStepTrack *self)
{
  return self->session != NULL ? g_list_model_get_n_items (ls_session_get_shown (self->session)) : 0;
}

static guint
position (LsStepTrack *self)
{
  GListModel *shown = ls_session_get_shown (self->session);
  LsStepItem *current = ls_session_get_current (self->session);

  for (guint i = 0; i < g_list_model_get_n_items (shown); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (shown, i);

      if (item == current)
        return i;
    }
  return 0;
}

static char *
value_text (LsStepTrack *self)
{
  LsStepItem *item = ls_session_get_current (self->session);
  const LsStepRecord *record;
  g_autofree char *time = NULL;

  if (item == NULL)
    return g_strdup (_("no steps"));
  record = ls_step_item_get (item);
  time = record->timing.samples > 0 ? ls_format_time (record->timing.median)
                                    : ls_step_item_detail (item);

  /* Translators: step number, number of steps, primitive, time or state */
  return g_strdup_printf (_("step %u of %u, %s, %s"), ls_session_get_position (self->session),
                          MAX (g_list_model_get_n_items (ls_session_get_path (self->session)), 1) - 1, record->name, time);
}

static void
update (LsStepTrack *self)
{
  g_autofree char *text = value_text (self);

  self->changes++;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MAX,
                                  (double) (MAX (n_steps (self), 1) - 1),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_NOW,
                                  (double) position (self),
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
is_mirrored (LsStepTrack *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

/* The step that is drawn nearest to `x`. */
static guint
step_at (LsStepTrack *self,
         double       x)
{
  float width = (float) gtk_widget_get_width (GTK_WIDGET (self));

  return ls_steps_at (is_mirrored (self) ? width - (float) x : (float) x, n_steps (self), width);
}

static void
go_to_x (LsStepTrack *self,
         double       x)
{
  guint n = n_steps (self);
  guint at;

  if (n == 0)
    return;
  at = step_at (self, x);
  ls_session_go_by_shown (self->session, (int) at - (int) position (self));
}

static void
drag_begin (LsStepTrack    *self,
            double          x,
            double          y,
            GtkGestureDrag *drag)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  go_to_x (self, x);
}

static void
drag_update (LsStepTrack    *self,
             double          dx,
             double          dy,
             GtkGestureDrag *drag)
{
  double x, y;

  if (gtk_gesture_drag_get_start_point (drag, &x, &y))
    go_to_x (self, x + dx);
}

static gboolean
scroll (LsStepTrack *self,
        double       dx,
        double       dy)
{
  int steps;

  self->wheel += dy + dx;
  steps = (int) self->wheel;
  if (steps != 0)
    {
      self->wheel -= steps;
      ls_session_go_by_shown (self->session, steps);
    }
  return TRUE;
}

static gboolean
key_pressed (LsStepTrack     *self,
             guint            key,
             guint            code,
             GdkModifierType  state)
{
  gboolean mirrored = is_mirrored (self);

  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;

  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      ls_session_go_by_shown (self->session, mirrored ? 1 : -1);
      return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      ls_session_go_by_shown (self->session, mirrored ? -1 : 1);
      return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
      ls_session_go_first (self->session);
      return TRUE;
    case GDK_KEY_End:
    case GDK_KEY_KP_End:
      ls_session_go_last (self->session);
      return TRUE;
    default:
      return FALSE;
    }
}

static void
motion (LsStepTrack *self,
        double       x,
        double       y)
{
  guint n = n_steps (self);
  guint at = n > 0 ? step_at (self, x) : G_MAXUINT;

  if (self->hover == at)
    return;
  self->hover = at;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
leave (LsStepTrack *self)
{
  self->hover = G_MAXUINT;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
ls_step_track_query_tooltip (GtkWidget  *widget,
                             int         x,
                             int         y,
                             gboolean    keyboard,
                             GtkTooltip *tooltip)
{
  LsStepTrack *self = LS_STEP_TRACK (widget);
  guint n = n_steps (self);
  g_autoptr (LsStepItem) item = NULL;
  g_autofree char *text = NULL;

  if (n == 0)
    return FALSE;
  item = g_list_model_get_item (ls_session_get_shown (self->session),
                                keyboard ? position (self)
                                         : step_at (self, x));
  text = ls_step_item_describe (item);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
ls_step_track_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = 200;
      *natural = 400;
    }
  else
    *minimum = *natural = ls_steps_height (gtk_widget_get_pango_context (widget), LS_STEP_TRACK (widget)->captions);
}

static void
ls_step_track_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  LsStepTrack *self = LS_STEP_TRACK (widget);
  LsLook look;

  if (self->session == NULL)
    return;
  ls_look_from_widget (widget, &look);
  ls_draw_renew (snapshot, &GRAPHENE_RECT_INIT (0.0f, 0.0f, (float) gtk_widget_get_width (widget), (float) gtk_widget_get_height (widget)),
                 self->changes);
  ls_draw_steps (snapshot, gtk_widget_get_pango_context (widget), &look,
                 ls_session_get_shown (self->session), position (self),
                 self->hover, self->captions, (float) gtk_widget_get_width (widget),
                 (float) gtk_widget_get_height (widget), is_mirrored (self));
}

static void
ls_step_track_dispose (GObject *object)
{
  LsStepTrack *self = LS_STEP_TRACK (object);

  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (ls_session_get_shown (self->session), self);
    }
  g_clear_object (&self->session);
  G_OBJECT_CLASS (ls_step_track_parent_class)->dispose (object);
}

static void
ls_step_track_class_init (LsStepTrackClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = ls_step_track_dispose;
  widget_class->measure = ls_step_track_measure;
  widget_class->snapshot = ls_step_track_snapshot;
  widget_class->query_tooltip = ls_step_track_query_tooltip;
  gtk_widget_class_set_css_name (widget_class, "steptrack");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
}

static void
add_controllers (LsStepTrack *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *wheel = gtk_event_controller_scroll_new (
    GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *pointer = gtk_event_controller_motion_new ();

  g_signal_connect_swapped (drag, "drag-begin", G_CALLBACK (drag_begin), self);
  g_signal_connect_swapped (drag, "drag-update", G_CALLBACK (drag_update), self);
  g_signal_connect_swapped (wheel, "scroll", G_CALLBACK (scroll), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  g_signal_connect_swapped (pointer, "motion", G_CALLBACK (motion), self);
  g_signal_connect_swapped (pointer, "leave", G_CALLBACK (leave), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, wheel);
  gtk_widget_add_controller (widget, keys);
  gtk_widget_add_controller (widget, pointer);
}

static void
ls_step_track_init (LsStepTrack *self)
{
  self->captions = TRUE;
  self->hover = G_MAXUINT;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  ls_text_cache_add (gtk_widget_get_pango_context (GTK_WIDGET (self)));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _("Steps"), -1);
  add_controllers (self);
}

GtkWidget *
ls_step_track_new (void)
{
  return g_object_new (LS_TYPE_STEP_TRACK, NULL);
}

void
ls_step_track_set_session (LsStepTrack *self,
                           LsSession   *session)
{
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_connect_swapped (session, "notify::current", G_CALLBACK (update), self);
  g_signal_connect_swapped (session, "timing-changed", G_CALLBACK (update), self);
  g_signal_connect_swapped (ls_session_get_shown (session), "items-changed", G_CALLBACK (update),
                            self);
  update (self);
}

void
ls_step_track_set_captions (LsStepTrack *self,
                            gboolean     captions)
{
  self->captions = captions;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
