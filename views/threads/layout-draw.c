/* threads/layout-draw: a layout as a table of coloured cells; neighbours in number have neighbouring shades. */
#include "views/threads/layout.h"

#include <math.h>

#define LEFT 20.0f
#define HEAD 66.0f              /* title, summary, and what one place has */
#define INDEX 26.0f             /* numbers of rows and columns */
#define FOOT 14.0f
#define CELL 19.0f
#define DIGIT 6.8f
#define SHADES 8

static guint
digits (guint number)
{
  return number < 10 ? 1 : number < 100 ? 2 : number < 1000 ? 3 : 4;
}

static gboolean
has_registers (const LsThreadsLayout *self)
{
  return self->kind == LS_THREADS_LANES_OF || self->kind == LS_THREADS_REGISTERS_OF;
}

static float
cell_width (const LsThreadsLayout *self)
{
  guint most = 0, letters = digits (MAX (self->n_places, 1) - 1);

  for (gsize i = 0; has_registers (self) && i < (gsize) self->rows * self->columns; i++)
    if (self->places[i] != LS_THREADS_NOWHERE)
      most = MAX (most, self->numbers[i]);
  return MAX (CELL, DIGIT * (float) (has_registers (self) ? letters + 1 + digits (most) : letters) + 7);
}

void
ls_threads_layout_size (const LsThreadsLayout *self,
                        float                 *width,
                        float                 *height)
{
  *width = LEFT * 2 + INDEX + cell_width (self) * (float) self->columns;
  *height = HEAD + INDEX + CELL * (float) self->rows + FOOT;
}

static void
draw_cell (const LsThreadsLayout *self,
           LsFigure              *figure,
           gsize                  at,
           float                  width,
           gboolean               marked)
{
  guint place = self->places[at];
  float x = LEFT + INDEX + width * (float) (at % self->columns), y = HEAD + INDEX + CELL * (float) (at / self->columns);
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (x, y, width - 1, CELL - 1);
  g_autofree char *words = NULL;
  GdkRGBA fill;

  if (place == LS_THREADS_NOWHERE)
    {
      ls_draw_frame (figure->snapshot, &bounds, 2, 1, ls_look_get (figure->look, LS_LOOK_BORDER_SOFT));
      return;
    }
  fill = *ls_look_family (figure->look, place / SHADES);
  fill.alpha *= 0.12f + 0.48f * (float) (place % SHADES) / (SHADES - 1);
  ls_draw_rounded (figure->snapshot, &bounds, 2, marked ? ls_look_get (figure->look, LS_LOOK_ACCENT_FILL) : &fill);
  words = has_registers (self) ? g_strdup_printf ("%u.%u", place, self->numbers[at]) : g_strdup_printf ("%u", place);
  ls_figure_text (figure, LS_ROLE_CAPTION, marked && !figure->look->dark ? LS_LOOK_VIEW : LS_LOOK_TEXT, words, x + (width - 1) / 2, y + CELL / 2 - 0.5f, 0.5f);
}

void
ls_threads_layout_draw (const LsThreadsLayout *self,
                        LsFigure              *figure)
{
  g_autofree char *title = ls_threads_layout_words (self), *summary = ls_threads_layout_summary (self);
  float width = cell_width (self);

  ls_figure_text (figure, LS_ROLE_STRONG, LS_LOOK_TEXT, title, LEFT, 14, 0);
  ls_figure_text (figure, LS_ROLE_REASON, LS_LOOK_DIM, summary, LEFT, 34, 0);
  for (guint j = 0; j < self->columns; j++)
    {
      g_autofree char *number = g_strdup_printf ("%lld", (long long) self->column + j);

      if (ls_figure_text_width (figure, LS_ROLE_CAPTION, number) < width || j % 4 == 0)
        ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_DIM, number, LEFT + INDEX + width * ((float) j + 0.5f), HEAD + INDEX - 10, 0.5f);
    }
  for (guint i = 0; i < self->rows; i++)
    {
      g_autofree char *number = g_strdup_printf ("%lld", (long long) self->row + i);

      ls_figure_text (figure, LS_ROLE_CAPTION, LS_LOOK_DIM, number, LEFT + INDEX - 6, HEAD + INDEX + CELL * ((float) i + 0.5f), 1);
    }
  for (gsize at = 0; at < (gsize) self->rows * self->columns; at++)
    draw_cell (self, figure, at, width, FALSE);
}

void
ls_threads_layout_draw_place (const LsThreadsLayout *self,
                              LsFigure              *figure,
                              guint                  place)
{
  g_autofree char *words = ls_threads_layout_place_words (self, place);
  GdkRGBA veil = ls_look_fade (figure->look, LS_LOOK_VIEW, 0.6);
  float width = cell_width (self);
  graphene_rect_t all = GRAPHENE_RECT_INIT (LEFT + INDEX, HEAD + INDEX, width * (float) self->columns, CELL * (float) self->rows);

  gtk_snapshot_append_color (figure->snapshot, &veil, &all);
  for (gsize at = 0; at < (gsize) self->rows * self->columns; at++)
    if (self->places[at] == place)
      draw_cell (self, figure, at, width, TRUE);
  ls_figure_text_within (figure, LS_ROLE_REASON, LS_LOOK_TEXT, words, LEFT, 54, MAX (figure->width - 2 * LEFT, 200));
}
