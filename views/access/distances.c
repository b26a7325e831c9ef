/* LsDistanceBars: bars from the ground up, as high as their share; where a cache ends stands a line with its name. */
#include "views/access/distances.h"

#include "views/canvas/look.h"
#include "views/models/format.h"
#include "views/parts/theme.h"

#include <math.h>

#define MOST_BARS 32
#define MOST_ROOMS 4
#define LEAST_BARS 10           /* so that few are not broad */
#define HIGH 64                 /* of the bars, px */
#define HEAD 16                 /* for the names of the caches */
#define FOOT 18                 /* for the numbers */

struct _LsDistanceBars
{
  GtkWidget parent_instance;

  double    counts[MOST_BARS], rooms[MOST_ROOMS];
  guint     n, n_rooms;
};

G_DEFINE_FINAL_TYPE (LsDistanceBars, ls_distance_bars, GTK_TYPE_WIDGET)

/* The names of the caches grow with the letters. */
static float
head_of (LsDistanceBars *self)
{
  return (float) ls_theme_grow_in (GTK_WIDGET (self), HEAD);
}

static void
write_at (LsDistanceBars *self,
          GtkSnapshot    *snapshot,
          const LsLook   *look,
          const char     *text,
          float           x,
          float           y,
          float           room)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  if ((float) width > room)
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x + (look->turned ? (float) width : 0.0f), y));
  if (look->turned)
    gtk_snapshot_scale (snapshot, -1.0f, 1.0f);
  gtk_snapshot_append_layout (snapshot, layout, ls_look_get (look, LS_LOOK_DIM));
  gtk_snapshot_restore (snapshot);
}

static void
draw_bars (LsDistanceBars *self,
           GtkSnapshot    *snapshot,
           const LsLook   *look,
           float           step)
{
  float head = head_of (self);
  GdkRGBA color = ls_look_bar (look), ground = *ls_look_get (look, LS_LOOK_BORDER);
  double most = 0.0;

  for (guint i = 0; i < self->n; i++)
    most = MAX (most, self->counts[i]);
  for (guint i = 0; i < self->n && most > 0.0; i++)
    {
      float high = self->counts[i] > 0.0 ? MAX (1.0f, roundf ((float) (self->counts[i] / most) * HIGH)) : 0.0f;
      g_autofree char *from = ls_format_short_count (i == 0 ? 0.0 : ldexp (1.0, (int) i - 1));

      if (high > 0.0f)
        gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT (roundf ((float) i * step) + 1.0f, head + HIGH - high, MAX (1.0f, roundf (step) - 3.0f), high));
      if (i % 2 == 0 || step > 40.0f)
        write_at (self, snapshot, look, from, roundf ((float) i * step) + 1.0f, head + HIGH + 1, step > 40.0f ? step : 2.0f * step);
    }
  gtk_snapshot_append_color (snapshot, &ground, &GRAPHENE_RECT_INIT (0, head + HIGH, roundf ((float) self->n * step), 1));
}

static void
ls_distance_bars_snapshot (GtkWidget   *widget,
                           GtkSnapshot *snapshot)
{
  LsDistanceBars *self = LS_DISTANCE_BARS (widget);
  float step = MIN (56.0f, (float) gtk_widget_get_width (widget) / (float) MAX (self->n, LEAST_BARS)), before = -1e6f;
  LsLook look;

  ls_look_from_widget (widget, &look);
  ls_look_turn (&look, widget, snapshot);
  draw_bars (self, snapshot, &look, step);
  for (guint i = 0; i < self->n_rooms; i++)
    {
      /* A distance below the room is a hit: bin k begins at 2^(k - 1). */
      float x = self->rooms[i] > 1.0 ? roundf ((float) (log2 (self->rooms[i]) + 1.0) * step) - 1.0f : 0.0f;
      g_autofree char *name = g_strdup_printf ("L%u", i + 1);

      if (x >= (float) self->n * step)
        break;
      gtk_snapshot_append_color (snapshot, ls_look_get (&look, LS_LOOK_ACCENT), &GRAPHENE_RECT_INIT (x, 0, 1, head_of (self) + HIGH));
      if (x - before > 20.0f)
        write_at (self, snapshot, &look, name, x + 3.0f, 0.0f, 40.0f);
      before = x;
    }
  gtk_snapshot_restore (snapshot);
}

static void
ls_distance_bars_measure (GtkWidget      *widget,
                          GtkOrientation  orientation,
                          int             for_size,
                          int            *minimum,
                          int            *natural,
                          int            *minimum_baseline,
                          int            *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = ls_theme_grow_in (widget, HEAD) + HIGH + ls_theme_grow_in (widget, FOOT);
  else
    {
      *minimum = 160;
      *natural = 400;
    }
}

static void
ls_distance_bars_class_init (LsDistanceBarsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->measure = ls_distance_bars_measure;
  widget_class->snapshot = ls_distance_bars_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_distance_bars_init (LsDistanceBars *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self), "caption");
}

GtkWidget *
ls_distance_bars_new (void)
{
  return g_object_new (LS_TYPE_DISTANCE_BARS, NULL);
}

void
ls_distance_bars_set (LsDistanceBars *self,
                      const double   *counts,
                      guint           n,
                      const double   *rooms,
                      guint           n_rooms,
                      const char     *words)
{
  self->n = MIN (n, MOST_BARS);
  self->n_rooms = MIN (n_rooms, MOST_ROOMS);
  for (guint i = 0; i < self->n; i++)
    self->counts[i] = counts[i];
  for (guint i = 0; i < self->n_rooms; i++)
    self->rooms[i] = rooms[i];
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
