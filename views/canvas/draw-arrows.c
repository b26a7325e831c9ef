/* draw-arrows: cairo paths; see the header for what the shapes mean. */
#include "views/canvas/draw-arrows.h"

#include <math.h>

#define HEAD 5.0
#define STEP_X 34.0f
#define STEP_Y 19.0f
#define LEFT 62.0f
#define TOP 24.0f
#define DOT 4.0f

static void
set_style (cairo_t *cr,
           guint    needs)
{
  static const double dashed[] = { 5.0, 3.0 }, dotted[] = { 1.5, 2.5 };

  cairo_set_line_width (cr, 1.5);
  if (needs & LS_NEEDS_RAW)
    cairo_set_dash (cr, NULL, 0, 0.0);
  else if (needs & LS_NEEDS_WAW)
    cairo_set_dash (cr, dashed, 2, 0.0);
  else
    cairo_set_dash (cr, dotted, 2, 0.0);
}

/* At (x, y), coming from the direction (dx, dy) of length 1. */
static void
put_head (cairo_t *cr,
          double   x,
          double   y,
          double   dx,
          double   dy)
{
  cairo_set_dash (cr, NULL, 0, 0.0);
  cairo_move_to (cr, x, y);
  cairo_line_to (cr, x - HEAD * dx - HEAD * 0.6 * dy, y - HEAD * dy + HEAD * 0.6 * dx);
  cairo_line_to (cr, x - HEAD * dx + HEAD * 0.6 * dy, y - HEAD * dy - HEAD * 0.6 * dx);
  cairo_close_path (cr);
  cairo_fill (cr);
}

void
ls_draw_row_arrow (GtkSnapshot        *snapshot,
                   const LsLook       *look,
                   const LsArrowPlace *place,
                   guint               needs)
{
  float top = MIN (place->from_y, place->to_y) - 8.0f, bottom = MAX (place->from_y, place->to_y) + 8.0f;
  float right = MAX (place->from_x, place->to_x) + 2.0f;
  cairo_t *cr = ls_draw_cairo (snapshot, &GRAPHENE_RECT_INIT (place->lane - 4.0f, top, right - place->lane + 8.0f, bottom - top));
  double turn = MIN (5.0, fabs (place->to_y - place->from_y) / 2.0), way = place->to_y > place->from_y ? 1.0 : -1.0;

  gdk_cairo_set_source_rgba (cr, ls_look_get (look, LS_LOOK_DIM));
  set_style (cr, needs);
  cairo_move_to (cr, place->from_x, place->from_y);
  cairo_line_to (cr, place->lane + turn, place->from_y);
  cairo_curve_to (cr, place->lane, place->from_y, place->lane, place->from_y, place->lane, place->from_y + way * turn);
  cairo_line_to (cr, place->lane, place->to_y - way * turn);
  cairo_curve_to (cr, place->lane, place->to_y, place->lane, place->to_y, place->lane + turn, place->to_y);
  cairo_line_to (cr, place->to_x - HEAD, place->to_y);
  cairo_stroke (cr);
  put_head (cr, place->to_x, place->to_y, 1.0, 0.0);
  cairo_destroy (cr);
}

/* ---- rounds --------------------------------------------------------------------- */

static guint
n_rows (const LsRounds *rounds)
{
  return rounds->n_inner;
}

static guint
n_columns (const LsRounds *rounds)
{
  return rounds->n_outer;
}

float
ls_draw_rounds_height (const LsRounds *rounds)
{
  return TOP + STEP_Y * (float) n_rows (rounds) + (rounds->inner != NULL ? 0.0f : 4.0f);
}

float
ls_draw_rounds_width (const LsRounds *rounds)
{
  return LEFT + STEP_X * (float) n_columns (rounds);
}

static void
place_of (const LsRounds *rounds,
          guint           round,
          float          *x,
          float          *y)
{
  *x = LEFT + STEP_X * (float) (round / rounds->n_inner) + 6.0f;
  *y = TOP + STEP_Y * (float) (round % rounds->n_inner) + 6.0f;
}

static guint
strongest (const LsRounds *rounds,
           guint           i)
{
  const LsRoundArrow *one = &g_array_index (rounds->arrows, LsRoundArrow, i);
  guint needs = 0;

  for (guint k = 0; k < rounds->arrows->len; k++)
    {
      const LsRoundArrow *other = &g_array_index (rounds->arrows, LsRoundArrow, k);

      if (other->from != one->from || other->to != one->to)
        continue;
      if (k < i)
        return 0;
      needs |= other->needs;
    }
  return needs;
}

/* Straight to a neighbour, an arc over those between. */
static void
draw_round_arrow (cairo_t        *cr,
                  const LsRounds *rounds,
                  guint           from,
                  guint           to,
                  guint           needs)
{
  float x1, y1, x2, y2, length, dx, dy, bend;

  place_of (rounds, from, &x1, &y1);
  place_of (rounds, to, &x2, &y2);
  length = hypotf (x2 - x1, y2 - y1);
  dx = (x2 - x1) / length;
  dy = (y2 - y1) / length;
  bend = length > STEP_X * 1.6f ? MIN (length * 0.16f, 20.0f) : 0.0f;
  x1 += dx * (DOT + 2.0f);
  y1 += dy * (DOT + 2.0f);
  x2 -= dx * (DOT + 2.0f);
  y2 -= dy * (DOT + 2.0f);
  set_style (cr, needs);
  cairo_move_to (cr, x1, y1);
  cairo_curve_to (cr, x1 + dx * length * 0.25f + dy * bend * 1.4f, y1 + dy * length * 0.25f - dx * bend * 1.4f,
                  x2 - dx * length * 0.25f + dy * bend * 1.4f, y2 - dy * length * 0.25f - dx * bend * 1.4f, x2, y2);
  cairo_stroke (cr);
  put_head (cr, x2, y2, bend > 0.0f ? dx * 0.85f - dy * 0.5f : dx, bend > 0.0f ? dy * 0.85f + dx * 0.5f : dy);
}

static void
draw_numbers (GtkSnapshot    *snapshot,
              PangoContext   *pango,
              const LsLook   *look,
              const LsRounds *rounds)
{
  const GdkRGBA *dim = ls_look_get (look, LS_LOOK_DIM);
  LsFont code = { .mono = TRUE, .scale = 0.9f }, figure = { .tabular = TRUE, .scale = 0.8f };

  ls_draw_text (snapshot, pango, &code, rounds->outer, LEFT - 12.0f, 8.0f, 1.0f, 0.5f, ls_look_get (look, LS_LOOK_TEXT));
  for (guint i = 0; i < n_columns (rounds); i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", i);

      ls_draw_text (snapshot, pango, &figure, number, LEFT + STEP_X * (float) i + 6.0f, 8.0f, 0.5f, 0.5f, dim);
    }
  for (guint i = 0; rounds->inner != NULL && i < rounds->n_inner; i++)
    {
      g_autofree char *number = i == 0 ? g_strdup_printf ("%s %u", rounds->inner, i) : g_strdup_printf ("%u", i);

      ls_draw_text (snapshot, pango, i == 0 ? &code : &figure, number, LEFT - 12.0f, TOP + STEP_Y * (float) i + 6.0f, 1.0f,
                    0.5f, dim);
    }
}

void
ls_draw_rounds (GtkSnapshot    *snapshot,
                PangoContext   *pango,
                const LsLook   *look,
                const LsRounds *rounds)
{
  cairo_t *cr = ls_draw_cairo (snapshot, &GRAPHENE_RECT_INIT (0.0f, 0.0f, ls_draw_rounds_width (rounds) + 8.0f,
                                                              ls_draw_rounds_height (rounds) + 8.0f));

  gdk_cairo_set_source_rgba (cr, ls_look_get (look, LS_LOOK_DIM));
  for (guint i = 0; i < rounds->arrows->len; i++)
    {
      const LsRoundArrow *arrow = &g_array_index (rounds->arrows, LsRoundArrow, i);
      guint needs = strongest (rounds, i);

      if (needs != 0)
        draw_round_arrow (cr, rounds, arrow->from, arrow->to, needs);
    }
  cairo_destroy (cr);
  for (guint i = 0; i < n_rows (rounds) * n_columns (rounds); i++)
    {
      float x, y;

      place_of (rounds, i, &x, &y);
      ls_draw_disc (snapshot, x, y, DOT, ls_look_get (look, LS_LOOK_TEXT));
    }
  draw_numbers (snapshot, pango, look, rounds);
}
