/* LsRunHistogram: see the header. */
#include "views/run/histogram.h"

#include "views/canvas/draw.h"
#include "views/canvas/look.h"
#include "views/models/format.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>

#define FOOT ((float) ls_theme_grow (16))       /* for the numbers below */

struct _LsRunHistogram
{
  GtkWidget parent_instance;

  gint64   *bins;
  gsize     n;
  double    least, most;
  guint     serial;
};

G_DEFINE_FINAL_TYPE (LsRunHistogram, ls_run_histogram, GTK_TYPE_WIDGET)

static gint64
largest (LsRunHistogram *self)
{
  gint64 most = 0;

  for (gsize i = 0; i < self->n; i++)
    most = MAX (most, self->bins[i]);
  return most;
}

static void
ls_run_histogram_snapshot (GtkWidget   *widget,
                           GtkSnapshot *snapshot)
{
  LsRunHistogram *self = LS_RUN_HISTOGRAM (widget);
  const LsFont font = { .mono = TRUE, .scale = 0.8f, .tabular = TRUE };
  float width = (float) gtk_widget_get_width (widget), height = (float) gtk_widget_get_height (widget) - FOOT;
  g_autofree char *least = g_strdup_printf ("%.3g", self->least);
  g_autofree char *most = g_strdup_printf ("%.3g", self->most);
  gint64 all = largest (self);
  LsLook look;

  if (all == 0)
    return;
  ls_look_from_widget (widget, &look);
  ls_draw_renew (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height + FOOT), ++self->serial);
  for (gsize i = 0; i < self->n; i++)
    {
      float part = width / (float) self->n, tall = (height - 2) * (float) self->bins[i] / (float) all;
      graphene_rect_t bar = GRAPHENE_RECT_INIT (part * (float) i + 1, height - MAX (tall, self->bins[i] > 0 ? 1 : 0), part - 2, MAX (tall, self->bins[i] > 0 ? 1 : 0));

      gtk_snapshot_append_color (snapshot, ls_look_get (&look, LS_LOOK_NEUTRAL), &bar);
    }
  ls_draw_line (snapshot, 0, height, width, height, 1, ls_look_get (&look, LS_LOOK_NEUTRAL));
  ls_draw_text (snapshot, gtk_widget_get_pango_context (widget), &font, least, 0, height + 2, 0, 0, ls_look_get (&look, LS_LOOK_DIM));
  ls_draw_text (snapshot, gtk_widget_get_pango_context (widget), &font, most, width, height + 2, 1, 0, ls_look_get (&look, LS_LOOK_DIM));
}

void
ls_run_histogram_set (LsRunHistogram *self,
                      GVariant       *bins,
                      double          least,
                      double          most)
{
  gsize n = 0;
  const gint64 *values = bins != NULL ? g_variant_get_fixed_array (bins, &n, sizeof (gint64)) : NULL;
  GString *words = g_string_new (NULL);

  g_free (self->bins);
  self->bins = g_memdup2 (values, n * sizeof (gint64));
  self->n = n;
  self->least = least;
  self->most = most;
  for (gsize i = 0; i < n; i++)
    {
      g_autofree char *count = ls_format_count (self->bins[i]);

      g_string_append_printf (words, "%s%s", i > 0 ? ", " : "", count);
    }
  {
    /* Translators: how many values lie in each of equal parts between the least and the most one: 3, 0, 12, ... */
    g_autofree char *label = g_strdup_printf (_("Histogram from %.3g to %.3g: %s"), least, most, words->str);

    gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self), label);
  }
  g_string_free (words, TRUE);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
ls_run_histogram_measure (GtkWidget      *widget,
                          GtkOrientation  orientation,
                          int             for_size,
                          int            *minimum,
                          int            *natural,
                          int            *minimum_baseline,
                          int            *natural_baseline)
{
  *minimum = ls_theme_grow (orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : 60);
  *natural = ls_theme_grow (orientation == GTK_ORIENTATION_HORIZONTAL ? 280 : 84);
}

static void
ls_run_histogram_finalize (GObject *object)
{
  g_free (LS_RUN_HISTOGRAM (object)->bins);
  G_OBJECT_CLASS (ls_run_histogram_parent_class)->finalize (object);
}

static void
ls_run_histogram_class_init (LsRunHistogramClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = ls_run_histogram_finalize;
  widget_class->measure = ls_run_histogram_measure;
  widget_class->snapshot = ls_run_histogram_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
ls_run_histogram_init (LsRunHistogram *self)
{
  gtk_widget_set_direction (GTK_WIDGET (self), GTK_TEXT_DIR_LTR);       /* numbers grow to the right */
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
}

GtkWidget *
ls_run_histogram_new (void)
{
  return g_object_new (LS_TYPE_RUN_HISTOGRAM, NULL);
}
