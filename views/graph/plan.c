/* LsGraphPlan: see the header. */
#include "views/graph/plan.h"

#include "views/canvas/draw.h"
#include "views/canvas/look.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>

#define HEAD ((float) ls_theme_grow (18))       /* for the words at the upper edge */
#define FOOT ((float) ls_theme_grow (20))       /* for those of what is chosen */
#define LEAST 1.5f                              /* of a box, so that it can be seen */
#define MOST_ZOOM 1000.0
#define INSET 4.0f                              /* of words, inside the frame of who has the focus */

struct _LsGraphPlan
{
  GtkWidget parent_instance;

  GArray   *boxes;
  double    width, height, mark;
  double    from, span;         /* what of the width is shown */
  char     *top;
  gint      chosen;             /* node, -1: none */
  gint      hovered;            /* number of a box, -1: none */
  gint      at;                 /* of the keyboard: number of a box, -1: none */
  guint     serial;
  double    pointer_x;
  gboolean  low;
};

G_DEFINE_FINAL_TYPE (LsGraphPlan, ls_graph_plan, GTK_TYPE_WIDGET)

enum { CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

static void
box_clear (gpointer data)
{
  g_free (((LsGraphPlanBox *) data)->label);
  g_free (((LsGraphPlanBox *) data)->words);
}

GArray *
ls_graph_plan_boxes (void)
{
  GArray *boxes = g_array_new (FALSE, TRUE, sizeof (LsGraphPlanBox));

  g_array_set_clear_func (boxes, box_clear);
  return boxes;
}

/* ---- where --------------------------------------------------------------------------- */

static void
place_box (LsGraphPlan          *self,
           const LsGraphPlanBox *box,
           graphene_rect_t      *place)
{
  float width = (float) gtk_widget_get_width (GTK_WIDGET (self)), height = (float) gtk_widget_get_height (GTK_WIDGET (self)) - HEAD - FOOT;
  float x0 = (float) ((box->x0 - self->from) / self->span) * width, x1 = (float) ((box->x1 - self->from) / self->span) * width;
  float y0 = HEAD + height - (float) (box->y0 / self->height) * height, y1 = HEAD + height - (float) (box->y1 / self->height) * height;

  *place = GRAPHENE_RECT_INIT (x0, y1, MAX (x1 - x0, LEAST), MAX (y0 - y1, LEAST));
}

static gint
box_at (LsGraphPlan *self,
        double       x,
        double       y)
{
  for (guint i = self->boxes->len; i-- > 0;)
    {
      graphene_rect_t place;

      place_box (self, &g_array_index (self->boxes, LsGraphPlanBox, i), &place);
      if (graphene_rect_contains_point (&place, &GRAPHENE_POINT_INIT ((float) x, (float) y)))
        return (gint) i;
    }
  return -1;
}

/* The box that is spoken of: under the pointer, else of the keyboard, else the first of what is chosen; or NULL. */
static const LsGraphPlanBox *
spoken (LsGraphPlan *self)
{
  gint at = self->boxes == NULL ? -1 : self->hovered >= 0 ? self->hovered : self->at;

  for (guint i = 0; self->boxes != NULL && at < 0 && self->chosen >= 0 && i < self->boxes->len; i++)
    if (g_array_index (self->boxes, LsGraphPlanBox, i).node == self->chosen)
      at = (gint) i;
  return self->boxes != NULL && at >= 0 && (guint) at < self->boxes->len ? &g_array_index (self->boxes, LsGraphPlanBox, at) : NULL;
}

static void
tell (LsGraphPlan *self)
{
  const LsGraphPlanBox *box = spoken (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, box != NULL ? box->words : self->top != NULL ? self->top : "", -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* ---- drawing --------------------------------------------------------------------------- */

static void
draw_box (LsGraphPlan  *self,
          GtkSnapshot  *snapshot,
          const LsLook *look,
          guint         number)
{
  const LsFont font = { .scale = 0.8f };
  const LsGraphPlanBox *box = &g_array_index (self->boxes, LsGraphPlanBox, number);
  PangoContext *pango = gtk_widget_get_pango_context (GTK_WIDGET (self));
  gboolean chosen = box->node == self->chosen && self->chosen >= 0;
  GdkRGBA fill = chosen ? *ls_look_get (look, LS_LOOK_SELECTED) : ls_look_bar (look);
  graphene_rect_t place;

  place_box (self, box, &place);
  if (place.origin.x + place.size.width < 0.0f || place.origin.x > (float) gtk_widget_get_width (GTK_WIDGET (self)))
    return;
  if (!chosen)
    fill.alpha *= number % 2 == 0 ? 0.45f : 0.3f;
  gtk_snapshot_append_color (snapshot, &fill, &place);
  if (place.size.width > 4.0f && place.size.height > 3.0f)
    ls_draw_frame (snapshot, &place, 0.0f, 1.0f, ls_look_get (look, chosen ? LS_LOOK_ACCENT : LS_LOOK_BORDER));
  if (box->label != NULL && place.size.height >= (float) ls_theme_grow (14) && place.size.width >= (float) ls_theme_grow (28))
    {
      gtk_snapshot_push_clip (snapshot, &place);
      ls_draw_text (snapshot, pango, &font, box->label, place.origin.x + 4.0f, place.origin.y + place.size.height / 2.0f, 0.0f, 0.5f, ls_look_get (look, LS_LOOK_TEXT));
      gtk_snapshot_pop (snapshot);
    }
}

static void
ls_graph_plan_snapshot (GtkWidget   *widget,
                        GtkSnapshot *snapshot)
{
  LsGraphPlan *self = LS_GRAPH_PLAN (widget);
  const LsFont font = { .scale = 0.85f, .tabular = TRUE };
  float width = (float) gtk_widget_get_width (widget), height = (float) gtk_widget_get_height (widget);
  PangoContext *pango = gtk_widget_get_pango_context (widget);
  const LsGraphPlanBox *box = spoken (self);
  LsLook look;

  if (self->boxes == NULL)
    return;
  ls_look_from_widget (widget, &look);
  ls_draw_renew (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height), ++self->serial);
  if (self->top != NULL)
    ls_draw_text (snapshot, pango, &font, self->top, INSET, HEAD / 2.0f, 0.0f, 0.5f, ls_look_get (&look, LS_LOOK_DIM));
  ls_draw_line (snapshot, 0.0f, height - FOOT, width, height - FOOT, 1.0f, ls_look_get (&look, LS_LOOK_BORDER));
  for (guint i = 0; i < self->boxes->len; i++)
    draw_box (self, snapshot, &look, i);
  if (self->mark >= 0.0)
    {
      float x = (float) ((self->mark - self->from) / self->span) * width;

      ls_draw_line (snapshot, x, HEAD, x, height - FOOT, 1.5f, ls_look_get (&look, LS_LOOK_ACCENT));
    }
  if (box != NULL)
    {
      gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, height - FOOT, width, FOOT));
      ls_draw_text (snapshot, pango, &font, box->words, INSET, height - FOOT / 2.0f, 0.0f, 0.5f, ls_look_get (&look, LS_LOOK_TEXT));
      gtk_snapshot_pop (snapshot);
    }
  if (gtk_widget_has_visible_focus (widget))
    ls_draw_frame (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height), 3.0f, 2.0f, ls_look_get (&look, LS_LOOK_ACCENT));
}

/* ---- hands ---------------------------------------------------------------------------------- */

/* Shows a part of the width: `scale` times as much as now, around a place of it. */
static void
zoom (LsGraphPlan *self,
      double       scale,
      double       around)
{
  double span = CLAMP (self->span * scale, self->width / MOST_ZOOM, self->width);

  self->from = CLAMP (around - (around - self->from) * span / self->span, 0.0, self->width - span);
  self->span = span;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Into the part that is shown. */
static void
reveal (LsGraphPlan          *self,
        const LsGraphPlanBox *box)
{
  if (box->x0 < self->from || box->x1 > self->from + self->span)
    self->from = CLAMP ((box->x0 + box->x1 - self->span) / 2.0, 0.0, self->width - self->span);
}

static void
choose (LsGraphPlan *self,
        gint         at)
{
  if (at >= 0)
    reveal (self, &g_array_index (self->boxes, LsGraphPlanBox, at));
  self->at = at;
  self->chosen = at >= 0 ? g_array_index (self->boxes, LsGraphPlanBox, at).node : -1;
  tell (self);
  g_signal_emit (self, signals[CHOSEN], 0, self->chosen);
}

static void
pressed (LsGraphPlan *self,
         int          n,
         double       x,
         double       y)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->boxes != NULL && box_at (self, x, y) >= 0)
    choose (self, box_at (self, x, y));
}

static void
pointed (LsGraphPlan *self,
         double       x,
         double       y)
{
  gint at = self->boxes != NULL ? box_at (self, x, y) : -1;

  self->pointer_x = x;
  if (at == self->hovered)
    return;
  self->hovered = at;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
left (LsGraphPlan *self)
{
  self->hovered = -1;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
key_pressed (LsGraphPlan    *self,
             guint           key,
             guint           code,
             GdkModifierType state)
{
  const LsGraphPlanBox *box;
  double around;
  int step = key == GDK_KEY_Right || key == GDK_KEY_Down ? 1 : key == GDK_KEY_Left || key == GDK_KEY_Up ? -1 : 0;

  if (self->boxes == NULL || self->boxes->len == 0 || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  self->hovered = -1;           /* the keyboard speaks now */
  box = spoken (self);
  around = box != NULL ? (box->x0 + box->x1) / 2.0 : self->from + self->span / 2.0;
  switch (key)
    {
    case GDK_KEY_plus: case GDK_KEY_equal: case GDK_KEY_KP_Add:
      zoom (self, 0.5, around);
      return TRUE;
    case GDK_KEY_minus: case GDK_KEY_KP_Subtract:
      zoom (self, 2.0, around);
      return TRUE;
    case GDK_KEY_f: case GDK_KEY_F:
      zoom (self, MOST_ZOOM, around);
      return TRUE;
    case GDK_KEY_Home:
      choose (self, 0);
      return TRUE;
    case GDK_KEY_End:
      choose (self, (gint) self->boxes->len - 1);
      return TRUE;
    default:
      break;
    }
  if (step == 0)
    return FALSE;
  if (box != NULL)
    self->at = (gint) (box - &g_array_index (self->boxes, LsGraphPlanBox, 0));
  choose (self, CLAMP (self->at + step, 0, (gint) self->boxes->len - 1));
  return TRUE;
}

/* The wheel moves what is shown, with Ctrl it zooms where the pointer is. */
static gboolean
scrolled (GtkEventControllerScroll *wheel,
          double                    dx,
          double                    dy,
          LsGraphPlan              *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (wheel));

  if ((state & GDK_CONTROL_MASK) != 0)
    zoom (self, dy > 0.0 ? 1.25 : 0.8, self->from + self->span * self->pointer_x / MAX (gtk_widget_get_width (GTK_WIDGET (self)), 1));
  else if (self->span >= self->width)
    return FALSE;
  else
    self->from = CLAMP (self->from + (dx + dy) * self->span / 10.0, 0.0, self->width - self->span);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return TRUE;
}

/* ---- the widget -------------------------------------------------------------------------------- */

static void
ls_graph_plan_measure (GtkWidget      *widget,
                       GtkOrientation  orientation,
                       int             for_size,
                       int            *minimum,
                       int            *natural,
                       int            *minimum_baseline,
                       int            *natural_baseline)
{
  *minimum = ls_theme_grow (orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : 90);
  *natural = ls_theme_grow (orientation == GTK_ORIENTATION_HORIZONTAL ? 480 : LS_GRAPH_PLAN (widget)->low ? 90 : 200);
}

static void
ls_graph_plan_finalize (GObject *object)
{
  LsGraphPlan *self = LS_GRAPH_PLAN (object);

  g_clear_pointer (&self->boxes, g_array_unref);
  g_free (self->top);
  G_OBJECT_CLASS (ls_graph_plan_parent_class)->finalize (object);
}

static void
ls_graph_plan_class_init (LsGraphPlanClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ls_graph_plan_finalize;
  widget_class->measure = ls_graph_plan_measure;
  widget_class->snapshot = ls_graph_plan_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[CHOSEN] = g_signal_new ("chosen", LS_TYPE_GRAPH_PLAN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
}

static void
ls_graph_plan_init (LsGraphPlan *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new (), *pointer = gtk_event_controller_motion_new ();
  GtkEventController *wheel = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  self->chosen = self->hovered = self->at = -1;
  self->width = self->span = self->height = 1.0;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);       /* time goes to the right */
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (pressed), self);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  g_signal_connect_swapped (pointer, "motion", G_CALLBACK (pointed), self);
  g_signal_connect_swapped (pointer, "leave", G_CALLBACK (left), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  g_signal_connect (wheel, "scroll", G_CALLBACK (scrolled), self);
  gtk_widget_add_controller (GTK_WIDGET (self), pointer);
  gtk_widget_add_controller (GTK_WIDGET (self), wheel);
}

GtkWidget *
ls_graph_plan_new (void)
{
  return g_object_new (LS_TYPE_GRAPH_PLAN, NULL);
}

void
ls_graph_plan_set_low (LsGraphPlan *self)
{
  self->low = TRUE;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
ls_graph_plan_set (LsGraphPlan *self,
                   GArray      *boxes,
                   double       width,
                   double       height,
                   double       mark,
                   const char  *top,
                   const char  *name)
{
  g_clear_pointer (&self->boxes, g_array_unref);
  self->boxes = boxes;
  self->width = width > 0.0 ? width : 1.0;
  self->height = height > 0.0 ? height : 1.0;
  self->from = 0.0;
  self->span = self->width;
  self->mark = mark;
  self->chosen = self->hovered = self->at = -1;
  g_free (self->top);
  self->top = g_strdup (top);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  tell (self);
}

void
ls_graph_plan_choose (LsGraphPlan *self,
                      gint         node)
{
  if (node != self->chosen || node < 0)
    self->at = -1;              /* else it is the box that chose it */
  self->chosen = node;
  if (self->boxes == NULL)
    return;
  if (node >= 0 && spoken (self) != NULL && self->hovered < 0)
    reveal (self, spoken (self));
  tell (self);
}
