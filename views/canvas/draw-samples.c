/* draw-samples: dots are spread in height by their number, so that equal times stay apart; the same for each drawing. */
#include "views/canvas/draw-samples.h"

#include "views/canvas/draw-range.h"
#include "views/models/format.h"

#include <glib/gi18n.h>
#include <math.h>

#define NAME 18.0f              /* at least */
#define DOT 2.6f
#define SPREAD 0.24f            /* of a row, up and down */
#define MEDIAN 0.37f            /* the same */
#define AXIS 32.0f

static void
draw_side (LsFigure             *self,
           const LsComparedSide *side,
           LsLookToken           color,
           double                top,
           float                 x,
           float                 middle,
           float                 width,
           float                 row)
{
  GdkRGBA dot = ls_look_fade (self->look, color, 0.75);
  float median;

  for (guint i = 0; side->samples != NULL && i < side->time.samples; i++)
    {
      float part = (float) ((i * 7) % 11) / 10.0f - 0.5f;

      ls_draw_disc (self->snapshot, x + (float) (MIN (side->samples[i], top) / top) * width,
                    middle + part * 2.0f * SPREAD * row, DOT, &dot);
    }
  if (side->samples == NULL)
    return;
  median = x + (float) (side->time.median / top) * width;
  gtk_snapshot_append_color (self->snapshot, ls_look_get (self->look, LS_LOOK_TEXT),
                             &GRAPHENE_RECT_INIT (median - 1.0f, middle - MEDIAN * row, 2.0f, 2.0f * MEDIAN * row));
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

float
ls_samples_height (float row)
{
  return 2.0f * row + AXIS;
}

/* Lines at all ticks; a figure only where the one before and the last, which has the unit, leave room for it. */
static void
draw_axis (LsFigure  *self,
           float      x,
           float      y,
           float      width,
           float      row,
           double     top,
           guint      ticks,
           LsTimeUnit unit)
{
  float free_from = -1e6f, last_from = x + width;
  float line = MAX (12.0f, 0.8f * ls_figure_text_width (self, LS_ROLE_CAPTION, "00"));

  for (guint k = 0; k <= ticks; k++)
    {
      guint i = k == 0 ? ticks : k - 1;
      float at = x + width * (float) i / (float) ticks;
      g_autofree char *figure = g_strdup_printf ("%.3g", top * i / ticks);
      g_autofree char *last = g_strdup_printf ("%s\u202f%s", figure, ls_time_unit_name (unit));
      float wide = ls_figure_text_width (self, LS_ROLE_CAPTION, i == ticks ? last : figure);
      float from = i == 0 ? at : i == ticks ? at + 14.0f - wide : at - wide / 2.0f;

      gtk_snapshot_append_color (self->snapshot, ls_look_get (self->look, LS_LOOK_BORDER_SOFT),
                                 &GRAPHENE_RECT_INIT (roundf (at), y, 1.0f, 2.0f * row + 6.0f));
      if (i == ticks)
        last_from = from;
      else if (from < free_from + 4.0f || from + wide > last_from - 4.0f)
        continue;
      else
        free_from = from + wide;
      ls_figure_text (self, LS_ROLE_CAPTION, LS_LOOK_DIM, i == ticks ? last : figure, from, y + 2.0f * row + 6.0f + line, 0.0f);
    }
}

void
ls_draw_samples (LsFigure           *self,
                 const LsComparison *comparison,
                 float               x,
                 float               y,
                 float               width,
                 float               row)
{
  double most = largest (comparison);
  LsTimeUnit unit = ls_format_time_unit (most);
  guint ticks;
  float name;
  double top = ls_range_axis (ls_time_in_unit (most, unit), &ticks);
  double seconds = most > 0.0 ? top * most / ls_time_in_unit (most, unit) : 1.0;

  if (most <= 0.0)
    return;
  name = MAX (NAME, ls_figure_text_width (self, LS_ROLE_STRONG, C_("left", "L")) + 8.0f);
  x += name;
  width -= name + 14.0f;
  draw_axis (self, x, y, width, row, top, ticks, unit);
  ls_figure_text (self, LS_ROLE_STRONG, LS_LOOK_TEXT, C_("left", "L"), x - name, y + row / 2.0f, 0.0f);
  ls_figure_text (self, LS_ROLE_STRONG, LS_LOOK_TEXT, C_("right", "R"), x - name, y + row * 1.5f, 0.0f);
  draw_side (self, &comparison->left, LS_LOOK_NEUTRAL, seconds, x, y + row / 2.0f, width, row);
  draw_side (self, &comparison->right, LS_LOOK_ACCENT, seconds, x, y + row * 1.5f, width, row);
}
