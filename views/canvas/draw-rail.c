/* draw-rail: one cell of the history's drawn column. Lanes stand 18 px apart;
 * when a history has more lanes than fit they move together. */
#include "views/canvas/draw-rail.h"

#define FIRST_LANE 16.0f
#define LANE_STEP 18.0f
#define RAIL 3.0f

static guint
highest_lane (const LsStepRail *rail)
{
  guint32 used = rail->above | rail->below | rail->forks | 1u << rail->lane;
  guint lane = 0;

  for (guint i = 0; i < 32; i++)
    if (used & 1u << i)
      lane = i;
  return lane;
}

static float
lane_x (const LsStepRail *rail,
        guint             lane,
        float             width)
{
  guint top = highest_lane (rail);
  float room = width - FIRST_LANE - 13.0f;
  float step = top > 0 ? MIN (LANE_STEP, room / (float) top) : LANE_STEP;

  return FIRST_LANE + step * (float) lane;
}

static void
draw_fork (GtkSnapshot   *snapshot,
           float          x1,
           float          x2,
           float          y,
           float          height,
           const GdkRGBA *color)
{
  cairo_t *cr = ls_draw_cairo (snapshot,
                               &GRAPHENE_RECT_INIT (x1 - 2, y, x2 - x1 + 4, height - y));

  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_line_width (cr, RAIL);
  cairo_move_to (cr, x1, y);
  cairo_curve_to (cr, x1, y + (height - y) * 0.75f, x2, y + (height - y) * 0.25f, x2, height);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

void
ls_draw_rail (GtkSnapshot  *snapshot,
              const LsLook *look,
              LsStepItem   *item,
              float         width,
              float         height)
{
  const LsStepRail *rail = ls_step_item_get_rail (item);
  const GdkRGBA *neutral = ls_look_get (look, LS_LOOK_NEUTRAL);
  float middle = height / 2.0f;
  float own = lane_x (rail, rail->lane, width);

  for (guint lane = 0; lane < 32; lane++)
    {
      float x = lane_x (rail, lane, width);
      guint32 bit = 1u << lane;

      if (rail->above & bit)
        ls_draw_line (snapshot, x, 0.0f, x, middle, RAIL, neutral);
      if (rail->below & bit)
        ls_draw_line (snapshot, x, middle, x, height, RAIL, neutral);
      if (rail->forks & bit)
        draw_fork (snapshot, own, x, middle, height, neutral);
    }

  ls_draw_step_mark (snapshot, look, own, middle, item);
}
