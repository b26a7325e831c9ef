/* LsRunPlot: see the header. */
#include "views/run/plot.h"

#include "views/canvas/draw.h"
#include "views/canvas/look.h"
#include "views/models/format.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <math.h>

#define SIDE ((float) ls_theme_grow (56))       /* for the numbers of the axis */
#define EDGE 8.0f
#define MOST_POINTS 8192u

struct _LsRunPlot
{
  GtkWidget parent_instance;

  char     *name;
  guint64  *clocks;
  double   *values;
  guint     n;
  guint     at;                 /* of the keyboard */
  guint64   now;
  double    least, most;
  guint     serial;
};

G_DEFINE_FINAL_TYPE (LsRunPlot, ls_run_plot, GTK_TYPE_WIDGET)

static guint point_changed, wanted;

/* ---- drawing -------------------------------------------------------------------------- */

static float
x_of (LsRunPlot *self,
      guint64    clock)
{
  guint64 last = MAX (self->n > 0 ? self->clocks[self->n - 1] : 1, self->now);
  float width = (float) gtk_widget_get_width (GTK_WIDGET (self)) - SIDE - EDGE;

  return SIDE + width * (float) ((double) MIN (clock, last) / (double) MAX (last, 1));
}

static float
y_of (LsRunPlot *self,
      double     value)
{
  float height = (float) gtk_widget_get_height (GTK_WIDGET (self)) - 2 * EDGE;
  double share = self->most > self->least ? (value - self->least) / (self->most - self->least) : 0.5;

  return EDGE + height * (float) (1 - CLAMP (share, 0, 1));
}

/* Steps: a value holds until the next one. */
static void
draw_line (LsRunPlot     *self,
           GtkSnapshot   *snapshot,
           const GdkRGBA *color,
           guint64        from,
           guint64        to)
{
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (GTK_WIDGET (self)), (float) gtk_widget_get_height (GTK_WIDGET (self)));
  cairo_t *cr = ls_draw_cairo (snapshot, &all);
  gboolean begun = FALSE;

  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_line_width (cr, 1.5);
  for (guint i = 0; i < self->n; i++)
    {
      float end = x_of (self, MIN (i + 1 < self->n ? self->clocks[i + 1] : to, to));

      if (self->clocks[i] > to || (i + 1 < self->n && self->clocks[i + 1] <= from))
        continue;
      if (!isfinite (self->values[i]))
        {
          begun = FALSE;
          continue;
        }
      (begun ? cairo_line_to : cairo_move_to) (cr, x_of (self, MAX (self->clocks[i], from)), y_of (self, self->values[i]));
      cairo_line_to (cr, end, y_of (self, self->values[i]));
      begun = TRUE;
    }
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
draw_axis (LsRunPlot    *self,
           GtkSnapshot  *snapshot,
           const LsLook *look)
{
  const LsFont font = { .mono = TRUE, .scale = 0.8f, .tabular = TRUE };
  PangoContext *pango = gtk_widget_get_pango_context (GTK_WIDGET (self));
  const double ends[] = { self->least, self->most };

  ls_draw_line (snapshot, SIDE, EDGE, SIDE, (float) gtk_widget_get_height (GTK_WIDGET (self)) - EDGE, 1, ls_look_get (look, LS_LOOK_NEUTRAL));
  for (guint i = self->most > self->least ? 0 : 1; i < 2; i++)
    {
      g_autofree char *text = g_strdup_printf ("%.3g", ends[i]);

      ls_draw_text (snapshot, pango, &font, text, SIDE - 4, y_of (self, ends[i]), 1, self->most > self->least ? 1 - (float) i : 0.5f,
                    ls_look_get (look, LS_LOOK_DIM));
    }
}

static void
ls_run_plot_snapshot (GtkWidget   *widget,
                      GtkSnapshot *snapshot)
{
  LsRunPlot *self = LS_RUN_PLOT (widget);
  float width = (float) gtk_widget_get_width (widget), height = (float) gtk_widget_get_height (widget);
  LsLook look;
  GdkRGBA faint;

  if (self->n == 0)
    return;
  ls_look_from_widget (widget, &look);
  faint = ls_look_fade (&look, LS_LOOK_TEXT, 0.35);
  ls_draw_renew (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height), ++self->serial);
  draw_axis (self, snapshot, &look);
  draw_line (self, snapshot, &faint, self->now, G_MAXUINT64);
  draw_line (self, snapshot, ls_look_get (&look, LS_LOOK_TEXT), 0, self->now);
  for (guint i = 0; i < self->n; i++)
    if (!isfinite (self->values[i]))
      ls_draw_cross (snapshot, x_of (self, self->clocks[i]), EDGE + 4, 4, ls_look_get (&look, LS_LOOK_ERROR));
  ls_draw_line (snapshot, x_of (self, self->now), EDGE, x_of (self, self->now), height - EDGE, 2, ls_look_get (&look, LS_LOOK_ACCENT));
  if (isfinite (self->values[self->at]))
    ls_draw_ring (snapshot, x_of (self, self->clocks[self->at]), y_of (self, self->values[self->at]), 4, 2, ls_look_get (&look, LS_LOOK_ACCENT));
  if (gtk_widget_has_visible_focus (widget))
    ls_draw_frame (snapshot, &GRAPHENE_RECT_INIT (1, 1, width - 2, height - 2), 2, 2, ls_look_get (&look, LS_LOOK_ACCENT_TEXT));
}

/* ---- the keyboard's point ------------------------------------------------------------------ */

char *
ls_run_plot_words (LsRunPlot *self)
{
  g_autofree char *clock = NULL;
  g_autofree char *number = NULL;
  g_autofree char *all = NULL;

  if (self->n == 0)
    return g_strdup ("");
  clock = ls_format_count ((gint64) self->clocks[self->at]);
  number = ls_format_count (self->at + 1);
  all = ls_format_count (self->n);
  /* Translators: a point of a plot: C[0, 0] = 0.5 at statement 1,234, point 3 of 65 */
  return g_strdup_printf (_("%s = %.6g at statement %s, point %s of %s"), self->name, self->values[self->at], clock, number, all);
}

static void
tell_point (LsRunPlot *self)
{
  g_autofree char *words = ls_run_plot_words (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, *words != '\0' ? words : _("Plot of a value over the run"), -1);
  g_signal_emit (self, point_changed, 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
key_pressed (GtkEventControllerKey *keys,
             guint                  key,
             guint                  code,
             GdkModifierType        state,
             LsRunPlot             *self)
{
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK)) != 0 || self->n == 0)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Left: self->at -= self->at > 0; break;
    case GDK_KEY_Right: self->at += self->at + 1 < self->n; break;
    case GDK_KEY_Home: self->at = 0; break;
    case GDK_KEY_End: self->at = self->n - 1; break;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter: g_signal_emit (self, wanted, 0, self->clocks[self->at]); return TRUE;
    default: return FALSE;
    }
  tell_point (self);
  return TRUE;
}

/* The nearest point; twice goes there. */
static void
pressed (GtkGestureClick *click,
         int              n,
         double           x,
         double           y,
         LsRunPlot       *self)
{
  float nearest = G_MAXFLOAT;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  for (guint i = 0; i < self->n; i++)
    if (fabsf (x_of (self, self->clocks[i]) - (float) x) < nearest)
      {
        nearest = fabsf (x_of (self, self->clocks[i]) - (float) x);
        self->at = i;
      }
  if (self->n == 0)
    return;
  tell_point (self);
  if (n == 2)
    g_signal_emit (self, wanted, 0, self->clocks[self->at]);
}

/* ---- the widget ----------------------------------------------------------------------------- */

/* Of each four points the least and the most. */
static void
thin (LsRunPlot *self)
{
  guint kept = 0;

  for (guint i = 0; i < self->n; i += 4)
    {
      guint least = i, most = i;

      for (guint k = i + 1; k < MIN (i + 4, self->n); k++)
        {
          least = self->values[k] < self->values[least] ? k : least;
          most = self->values[k] > self->values[most] ? k : most;
        }
      for (guint k = MIN (least, most); k <= MAX (least, most); k += MAX (MAX (least, most) - MIN (least, most), 1))
        {
          self->clocks[kept] = self->clocks[k];
          self->values[kept++] = self->values[k];
        }
    }
  self->n = kept;
}

static void
measure_values (LsRunPlot *self)
{
  self->least = INFINITY;
  self->most = -INFINITY;
  for (guint i = 0; i < self->n; i++)
    if (isfinite (self->values[i]))
      {
        self->least = MIN (self->least, self->values[i]);
        self->most = MAX (self->most, self->values[i]);
      }
  if (self->least > self->most)
    self->least = self->most = 0;
}

void
ls_run_plot_clear (LsRunPlot  *self,
                   const char *name)
{
  char *kept = g_strdup (name != NULL ? name : "");

  g_free (self->name);
  self->name = kept;
  self->n = self->at = 0;
  tell_point (self);
}

void
ls_run_plot_add (LsRunPlot *self,
                 GVariant  *piece)
{
  g_autoptr (GVariant) clocks = g_variant_lookup_value (piece, "clocks", G_VARIANT_TYPE ("at"));
  g_autoptr (GVariant) values = g_variant_lookup_value (piece, "values", G_VARIANT_TYPE ("ad"));
  gboolean at_end = self->at + 1 >= self->n;
  gsize n = 0, m = 0;
  const guint64 *new_clocks = clocks != NULL ? g_variant_get_fixed_array (clocks, &n, sizeof (guint64)) : NULL;
  const double *new_values = values != NULL ? g_variant_get_fixed_array (values, &m, sizeof (double)) : NULL;

  n = MIN (n, m);
  self->clocks = g_renew (guint64, self->clocks, self->n + n + 1);
  self->values = g_renew (double, self->values, self->n + n + 1);
  for (gsize i = 0; i < n; i++)
    {
      self->clocks[self->n] = new_clocks[i];
      self->values[self->n++] = new_values[i];
    }
  while (self->n > MOST_POINTS)
    thin (self);
  if (at_end)
    self->at = MAX (self->n, 1) - 1;
  self->at = MIN (self->at, MAX (self->n, 1) - 1);
  measure_values (self);
  tell_point (self);
}

void
ls_run_plot_go (LsRunPlot *self,
                guint64    clock)
{
  self->now = clock;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
ls_run_plot_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : 72;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 420 : 96;
}

static void
ls_run_plot_finalize (GObject *object)
{
  LsRunPlot *self = LS_RUN_PLOT (object);

  g_free (self->name);
  g_free (self->clocks);
  g_free (self->values);
  G_OBJECT_CLASS (ls_run_plot_parent_class)->finalize (object);
}

static void
ls_run_plot_class_init (LsRunPlotClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ls_run_plot_finalize;
  widget_class->measure = ls_run_plot_measure;
  widget_class->snapshot = ls_run_plot_snapshot;
  point_changed = g_signal_new ("point-changed", LS_TYPE_RUN_PLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  wanted = g_signal_new ("wanted", LS_TYPE_RUN_PLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT64);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_run_plot_init (LsRunPlot *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);       /* time goes to the right */
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

GtkWidget *
ls_run_plot_new (void)
{
  return g_object_new (LS_TYPE_RUN_PLOT, NULL);
}
