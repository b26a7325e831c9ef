/* draw-range: the range cell and its axis. */
#include "views/canvas/draw-range.h"

#include "views/canvas/text-cache.h"
#include "views/models/format.h"

#include <math.h>

#define TICK_ROOM 34.0f         /* of a label of an axis, with what is beside it */
#define TICK_GAP 8.0f

#define INSET 6.0f

double
ls_range_axis (double  largest,
               guint  *ticks)
{
  static const double steps[] = { 1.0, 2.0, 2.5, 3.0, 5.0, 10.0 };
  double best = 0.0;

  *ticks = 3;
  if (!(largest > 0.0))
    return 1.0;

  for (guint n = 3; n <= 4; n++)
    {
      double raw = largest / n;
      double size = pow (10.0, floor (log10 (raw)));

      for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
        {
          double top = steps[i] * size * n;

          if (top < largest * 1.005)
            continue;
          if (best == 0.0 || top < best)
            {
              best = top;
              *ticks = n;
            }
          break;
        }
    }

  return best;
}

static float
place (double seconds,
       double top,
       float  width)
{
  return INSET + (float) (seconds / top) * (width - 2.0f * INSET);
}

/* As ls_draw_text; in what is mirrored it still reads as it should. */
static void
write_text (GtkSnapshot   *snapshot,
            PangoContext  *pango,
            const LsLook  *look,
            const LsFont  *font,
            const char    *text,
            float          x,
            float          y,
            float          align,
            const GdkRGBA *color)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  if (look->turned)
    gtk_snapshot_scale (snapshot, -1.0f, 1.0f);
  ls_draw_text (snapshot, pango, font, text, 0.0f, 0.0f, look->turned ? 1.0f - align : align, 0.5f, color);
  gtk_snapshot_restore (snapshot);
}

static void
draw_figures (GtkSnapshot    *snapshot,
              const LsLook   *look,
              const LsStepTime *timing,
              gboolean        current,
              double          top,
              float           width,
              float           middle)
{
  GdkRGBA bar = ls_look_bar (look);
  GdkRGBA box = ls_look_fade (look, LS_LOOK_TEXT, 0.5);
  float zero = place (0.0, top, width);
  float min = roundf (place (timing->min, top, width));
  float q1 = place (timing->q1, top, width), q3 = place (timing->q3, top, width);
  float median = roundf (place (timing->median, top, width));

  if (current)
    bar = ls_look_fade (look, LS_LOOK_ACCENT, 0.5);
  gtk_snapshot_append_color (snapshot, &bar,
                             &GRAPHENE_RECT_INIT (zero, middle - 2.0f, median - zero, 4.0f));
  if (q3 - q1 >= 1.0f)
    gtk_snapshot_append_color (snapshot, &box,
                               &GRAPHENE_RECT_INIT (q1, middle - 5.0f, q3 - q1, 10.0f));
  gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_DIM),
                             &GRAPHENE_RECT_INIT (min, middle - 4.0f, 1.0f, 8.0f));
  gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_TEXT),
                             &GRAPHENE_RECT_INIT (median - 1.0f, middle - 7.0f, 2.0f, 14.0f));
}

/* Dashes of a running measurement, as long as its share of the samples. */
static void
draw_running (GtkSnapshot        *snapshot,
              const LsLook       *look,
              const LsStepRecord *record,
              float               width,
              float               middle)
{
  double part = record->total > 0 ? (double) record->done / record->total : 0.1;
  float end = INSET + (float) part * (width - 2.0f * INSET);

  for (float x = INSET; x < end; x += 6.0f)
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_NEUTRAL),
                               &GRAPHENE_RECT_INIT (x, middle - 1.0f, 3.0f, 2.0f));
}

static void
draw_grid (GtkSnapshot  *snapshot,
           const LsLook *look,
           double        top,
           guint         ticks,
           float         width,
           float         height)
{
  for (guint i = 0; i <= ticks; i++)
    {
      float x = roundf (place (top * i / ticks, top, width));

      gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_BORDER_SOFT),
                                 &GRAPHENE_RECT_INIT (x, 0.0f, 1.0f, height));
    }
}

/* The bar from the step before to this one; a line leads up to the row above. */
static void
draw_difference (GtkSnapshot  *snapshot,
                 const LsLook *look,
                 double        before,
                 double        median,
                 gboolean      current,
                 double        top,
                 float         width,
                 float         middle)
{
  float from = roundf (place (before, top, width)), to = roundf (place (median, top, width));
  GdkRGBA bar = current ? ls_look_fade (look, LS_LOOK_ACCENT, 0.6) : ls_look_bar (look);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (MIN (from, to), middle - 5.0f, MAX (fabsf (to - from), 1.0f), 10.0f);

  gtk_snapshot_append_color (snapshot, &bar, &bounds);
  if (before > 0.0)
    gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_NEUTRAL), &GRAPHENE_RECT_INIT (from, 0.0f, 1.0f, middle + 5.0f));
  gtk_snapshot_append_color (snapshot, ls_look_get (look, LS_LOOK_TEXT), &GRAPHENE_RECT_INIT (to - 1.0f, middle - 7.0f, 2.0f, 14.0f));
}

static float
text_width (PangoContext *pango,
            const LsFont *font,
            const char   *text)
{
  g_autoptr (PangoLayout) layout = ls_draw_layout (pango, font, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return (float) width;
}

/* Right of the bar where there is room, else left of it. */
static void
write_difference (GtkSnapshot  *snapshot,
                  PangoContext *pango,
                  const LsLook *look,
                  double        before,
                  double        median,
                  gboolean      real,
                  double        top,
                  float         width,
                  float         middle)
{
  LsTimeUnit unit = ls_format_time_unit (top);
  LsFont font = { .tabular = TRUE, .bold = real };
  g_autofree char *size = ls_format_time_difference (fabs (median - before), median, unit);
  g_autofree char *text = before > 0.0 ? g_strconcat (median < before ? "−" : "+", size, NULL) : g_strdup (size);
  float left = place (MIN (before, median), top, width), right = place (MAX (before, median), top, width);
  float room = text_width (pango, &font, text) + 8.0f;
  gboolean beside = right + room <= width;

  if (!beside && left < room)
    return;
  write_text (snapshot, pango, look, &font, text, beside ? right + 6.0f : left - 6.0f, middle, beside ? 0.0f : 1.0f,
              ls_look_get (look, real ? LS_LOOK_TEXT : LS_LOOK_DIM));
}

void
ls_draw_fall (GtkSnapshot  *snapshot,
              PangoContext *pango,
              const LsLook *look,
              LsStepItem   *item,
              double        before,
              double        top,
              guint         ticks,
              float         width,
              float         height)
{
  const LsStepRecord *record = ls_step_item_get (item);
  float middle = roundf (height / 2.0f);

  draw_grid (snapshot, look, top, ticks, width, height);
  if (record->state == LS_STEP_RUNNING)
    draw_running (snapshot, look, record, width, middle);
  if (record->state == LS_STEP_RUNNING || record->timing.samples == 0 || record->state == LS_STEP_FAILED)
    return;
  draw_difference (snapshot, look, before, record->timing.median, ls_step_item_is_current (item), top, width, middle);
  write_difference (snapshot, pango, look, before, record->timing.median, !record->no_difference, top, width, middle);
}

void
ls_draw_range (GtkSnapshot  *snapshot,
               const LsLook *look,
               LsStepItem   *item,
               double        top,
               guint         ticks,
               float         width,
               float         height)
{
  const LsStepRecord *record = ls_step_item_get (item);
  float middle = roundf (height / 2.0f);

  draw_grid (snapshot, look, top, ticks, width, height);
  if (record->state == LS_STEP_RUNNING)
    draw_running (snapshot, look, record, width, middle);
  else if (record->timing.samples > 0 && record->state != LS_STEP_FAILED)
    draw_figures (snapshot, look, &record->timing, ls_step_item_is_current (item), top, width,
                  middle);
}

void
ls_draw_range_axis (GtkSnapshot  *snapshot,
                    PangoContext *pango,
                    const LsLook *look,
                    double        top,
                    guint         ticks,
                    float         width,
                    float         height)
{
  LsTimeUnit unit = ls_format_time_unit (top);
  LsFont font = { .tabular = TRUE };
  g_autofree char *longest = g_strdup_printf ("%g", ls_time_in_unit (top, unit));
  g_autoptr (PangoLayout) layout = ls_text_cache_get (pango, &font, longest);
  int label;
  guint every;

  /* The last one stands a third of its width nearer to the one before; without room there are only the ends. */
  pango_layout_get_pixel_size (layout, &label, NULL);
  every = width / (float) MAX (ticks, 1) >= MAX (TICK_ROOM, 1.3f * (float) label + TICK_GAP) ? 1 : MAX (ticks, 1);

  for (guint i = 0; i <= ticks; i += every)
    {
      double value = ls_time_in_unit (top * i / ticks, unit);
      g_autofree char *text = g_strdup_printf ("%g", value);
      float x = place (top * i / ticks, top, width);
      float align = i == 0 ? 0.2f : i == ticks ? 0.8f : 0.5f;

      write_text (snapshot, pango, look, &font, text, x, height / 2.0f, align, ls_look_get (look, LS_LOOK_DIM));
    }
}
