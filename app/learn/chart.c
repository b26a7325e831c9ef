/* Samples as dots, their median as a line and in words; all of it also as text for a screen reader. */
#include "app/learn/chart.h"

#include "app/learn/prose.h"
#include "views/models/format.h"
#include "views/parts/theme.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>

typedef struct {
  gsize  n;
  double top, median, seconds[];
} Samples;

static int
by_size (const void *a,
         const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* 1, 2 or 5 times a power of ten, so that at most six of them fit below `top`. */
static double
tick_step (double top)
{
  static const double nice[] = { 1, 2, 5, 10 };
  double unit = pow (10, floor (log10 (top / 6)));

  for (gsize i = 0; i < G_N_ELEMENTS (nice); i++)
    if (top / (nice[i] * unit) <= 6)
      return nice[i] * unit;
  return top;
}

/* The ticks, and their figures in one unit, which stands at the end. */
static void
draw_axis (GtkWidget *widget,
           cairo_t   *cr,
           double     left,
           double     right,
           double     base,
           double     top)
{
  LsTimeUnit unit = ls_format_time_unit (top);
  double step = tick_step (top);

  for (int i = 0; i * step <= top * 1.0001; i++)
    {
      double x = floor (left + i * step / top * (right - left)) + 0.5;
      gboolean last = (i + 1) * step > top * 1.0001;
      double value = ls_time_in_unit (i * step, unit);
      g_autofree char *figure = last ? g_strdup_printf ("%g %s", value, ls_time_unit_name (unit)) : g_strdup_printf ("%g", value);
      g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, figure);
      int width;

      pango_layout_get_pixel_size (layout, &width, NULL);
      cairo_move_to (cr, x, base);
      cairo_line_to (cr, x, base + 5);
      cairo_stroke (cr);
      cairo_move_to (cr, CLAMP (x - width / 2.0, 0, right + 24 - width), base + 6);
      pango_cairo_show_layout (cr, layout);
    }
}

static void
draw (GtkDrawingArea *area,
      cairo_t        *cr,
      int             width,
      int             height,
      gpointer        data)
{
  const Samples *samples = data;
  double left = 24, right = width - 24, base = height - 30;
  GdkRGBA ink;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &ink);
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, left, base + 0.5);
  cairo_line_to (cr, right, base + 0.5);
  cairo_stroke (cr);
  draw_axis (GTK_WIDGET (area), cr, left, right, base, samples->top);
  for (gsize i = 0; i < samples->n; i++)
    {
      double x = left + samples->seconds[i] / samples->top * (right - left);
      double y = base - 12 - (double) (i % 7) * MIN (12.0, (base - 30) / 7);

      cairo_set_source_rgba (cr, 0.21, 0.52, 0.89, 0.7);
      cairo_arc (cr, x, y, 3.5, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_line_width (cr, 2);
  cairo_move_to (cr, left + samples->median / samples->top * (right - left), 10);
  cairo_line_to (cr, left + samples->median / samples->top * (right - left), base);
  cairo_stroke (cr);
}

static Samples *
make_samples (const double *seconds,
              gsize         n)
{
  Samples *samples = g_malloc0 (sizeof (Samples) + n * sizeof (double));

  for (gsize i = 0; i < n; i++)
    if (isfinite (seconds[i]) && seconds[i] >= 0)
      samples->seconds[samples->n++] = seconds[i];
  qsort (samples->seconds, samples->n, sizeof (double), by_size);
  if (samples->n > 0)
    {
      samples->median = samples->seconds[samples->n / 2];
      samples->top = samples->seconds[samples->n - 1] * 1.1;
    }
  samples->top = samples->top > 0 ? samples->top : 1;
  return samples;
}

double
ls_chart_median (const double *seconds,
                 gsize         n)
{
  g_autofree Samples *samples = make_samples (seconds, n);

  return samples->median;
}

GtkWidget *
ls_chart_new (guint         number,
              const char   *name,
              const double *seconds,
              gsize         n,
              double        top,
              double        first)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *area = gtk_drawing_area_new ();
  Samples *samples = make_samples (seconds, n);
  g_autofree char *median = ls_format_time (samples->median);
  g_autofree char *low = ls_format_time (samples->n > 0 ? samples->seconds[0] : 0);
  g_autofree char *high = ls_format_time (samples->n > 0 ? samples->seconds[samples->n - 1] : 0);
  g_autofree char *words = g_strdup_printf (ngettext ("median %s, from %s to %s, %u sample", "median %s, from %s to %s, %u samples", samples->n),
                                            median, low, high, (guint) samples->n);
  g_autofree char *factor = number > 1 && first > 0 && samples->median > 0 ? ls_format_speedup (first / samples->median) : NULL;
  g_autofree char *head = name != NULL ? g_strdup (name) : g_strdup_printf ("%u", number);
  g_autofree char *line = number == 0 && name == NULL ? g_strdup (words) : g_strdup_printf ("%s:  %s%s%s", head, words, factor != NULL ? ", " : "", factor != NULL ? factor : "");
  GtkWidget *label = gtk_label_new (line);

  samples->top = top > 0 ? top : samples->top;
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, samples, g_free);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), ls_theme_grow (110));
  ls_set_label (area, line);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_widget_add_css_class (label, "figure");
  gtk_widget_add_css_class (box, "lesson-result");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), area);
  return box;
}
