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
  double bottom, top, median;   /* bottom > 0: the axis is logarithmic */
  double seconds[];
} Samples;

/* Where a time stands between the ends of the axis, from 0 to 1. */
static double
place (const Samples *samples,
       double         seconds)
{
  if (samples->bottom > 0)
    return CLAMP (log (MAX (seconds, samples->bottom) / samples->bottom) / log (samples->top / samples->bottom), 0, 1);
  return seconds / samples->top;
}

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

/* A tick with its figure; not closer to the one before than they can be read. */
static double
draw_tick (GtkWidget  *widget,
           cairo_t    *cr,
           double      x,
           double      base,
           double      most,
           double      after,
           const char *figure)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, figure);
  int width;
  double left;

  pango_layout_get_pixel_size (layout, &width, NULL);
  left = CLAMP (x - width / 2.0, 0, most - width);
  cairo_move_to (cr, x, base);
  cairo_line_to (cr, x, base + 5);
  cairo_stroke (cr);
  if (left < after)
    return after;
  cairo_move_to (cr, left, base + 6);
  pango_cairo_show_layout (cr, layout);
  return left + width + 8;
}

/* The powers of ten from the bottom on, each with its unit. */
static void
draw_factors (GtkWidget     *widget,
              cairo_t       *cr,
              const Samples *samples,
              double         left,
              double         right,
              double         base)
{
  double after = -1;

  for (int power = (int) ceil (log10 (samples->bottom) - 1e-9); pow (10, power) <= samples->top * 1.0001; power++)
    {
      g_autofree char *figure = ls_format_time (pow (10, power));

      after = draw_tick (widget, cr, floor (left + place (samples, pow (10, power)) * (right - left)) + 0.5, base, right + 24, after, figure);
    }
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

      draw_tick (widget, cr, x, base, right + 24, -1, figure);
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
  double grown = ls_theme_grow_in (GTK_WIDGET (area), 100) / 100.0, left = 24, right = width - 24, base = height - 30 * grown;
  GdkRGBA ink;

  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &ink);
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_line_width (cr, 1);
  cairo_move_to (cr, left, base + 0.5);
  cairo_line_to (cr, right, base + 0.5);
  cairo_stroke (cr);
  if (samples->bottom > 0)
    draw_factors (GTK_WIDGET (area), cr, samples, left, right, base);
  else
    draw_axis (GTK_WIDGET (area), cr, left, right, base, samples->top);
  for (gsize i = 0; i < samples->n; i++)
    {
      double x = left + place (samples, samples->seconds[i]) * (right - left);
      double y = base - 12 * grown - (double) (i % 7) * MIN (12.0 * grown, (base - 30 * grown) / 7);

      cairo_set_source_rgba (cr, 0.21, 0.52, 0.89, 0.7);
      cairo_arc (cr, x, y, 3.5 * grown, 0, 2 * G_PI);
      cairo_fill (cr);
    }
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_line_width (cr, 2);
  cairo_move_to (cr, left + place (samples, samples->median) * (right - left), 10);
  cairo_line_to (cr, left + place (samples, samples->median) * (right - left), base);
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

/* As high as the letters of where it came to ask for. */
static void
set_height (GtkDrawingArea *area)
{
  gtk_drawing_area_set_content_height (area, ls_theme_grow_in (GTK_WIDGET (area), 110));
}

GtkWidget *
ls_chart_new (guint         number,
              const char   *name,
              const double *seconds,
              gsize         n,
              double        bottom,
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
  samples->bottom = bottom > 0 && bottom < samples->top ? bottom : 0;
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, samples, g_free);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), ls_theme_grow (110));
  g_signal_connect (area, "map", G_CALLBACK (set_height), NULL);
  ls_set_label (area, line);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "figure");
  gtk_widget_add_css_class (box, "lesson-result");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), area);
  return box;
}
