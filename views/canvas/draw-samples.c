/* draw-samples: dots are spread in height by their number, so that equal times stay apart; the same for each drawing. */
#include "views/canvas/draw-samples.h"

#include "views/canvas/draw-range.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>

#define NAME 18.0f
#define ROW 46.0f
#define DOT 2.6f
#define SPREAD 11.0f

static void
draw_side (LsFigure             *self,
           const LsComparedSide *side,
           LsLookToken           color,
           double                top,
           float                 x,
           float                 middle,
           float                 width)
{
  GdkRGBA dot = ls_look_fade (self->look, color, 0.75);
  float median;

  for (guint i = 0; side->samples != NULL && i < side->time.samples; i++)
    {
      float part = (float) ((i * 7) % 11) / 10.0f - 0.5f;

      ls_draw_disc (self->snapshot, x + (float) (MIN (side->samples[i], top) / top) * width,
                    middle + part * 2.0f * SPREAD, DOT, &dot);
    }
  if (side->samples == NULL)
    return;
  median = x + (float) (side->time.median / top) * width;
  gtk_snapshot_append_color (self->snapshot, ls_look_get (self->look, LS_LOOK_TEXT),
                             &GRAPHENE_RECT_INIT (median - 1.0f, middle - 17.0f, 2.0f, 34.0f));
}

static double
largest (const LsComparison *comparison)
{
  const LsComparedSide *sides[] = { &comparison->left, &comparison->right };
  double most = 0.0;

  for (guint k = 0; k < 2; k++)
    if (sides[k]->samples != NULL)
      most = MAX (most, MAX (sides[k]->samples[sides[k]->time.samples * 9 / 10], sides[k]->time.q3));
  return most;
}

void
ls_draw_samples (LsFigure           *self,
                 const LsComparison *comparison,
                 float               x,
                 float               y,
                 float               width)
{
  double most = largest (comparison);
  LsTimeUnit unit = ls_format_time_unit (most);
  guint ticks;
  double top = ls_range_axis (ls_time_in_unit (most, unit), &ticks);
  double seconds = most > 0.0 ? top * most / ls_time_in_unit (most, unit) : 1.0;

  if (most <= 0.0)
    return;
  x += NAME;
  width -= NAME + 14.0f;
  for (guint i = 0; i <= ticks; i++)
    {
      float at = x + width * (float) i / (float) ticks;
      g_autofree char *figure = g_strdup_printf ("%.3g", top * i / ticks);
      g_autofree char *last = g_strdup_printf ("%s\u202f%s", figure, ls_time_unit_name (unit));

      gtk_snapshot_append_color (self->snapshot, ls_look_get (self->look, LS_LOOK_BORDER_SOFT),
                                 &GRAPHENE_RECT_INIT (roundf (at), y, 1.0f, 2.0f * ROW + 6.0f));
      ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, i == ticks ? last : figure, i == ticks ? at + 14.0f : at,
                      y + 2.0f * ROW + 18.0f, i == 0 ? 0.0f : i == ticks ? 1.0f : 0.5f);
    }
  ls_figure_text (self, LS_ROLE_STRONG, LS_LOOK_TEXT, C_("left", "L"), x - NAME, y + ROW / 2.0f, 0.0f);
  ls_figure_text (self, LS_ROLE_STRONG, LS_LOOK_TEXT, C_("right", "R"), x - NAME, y + ROW * 1.5f, 0.0f);
  draw_side (self, &comparison->left, LS_LOOK_NEUTRAL, seconds, x, y + ROW / 2.0f, width);
  draw_side (self, &comparison->right, LS_LOOK_ACCENT, seconds, x, y + ROW * 1.5f, width);
}
