/* keep-line: the way of a new line in a picture that stays: the short one, or around the nodes that it would go through. */
#include "engine/graph/keep-private.h"
#include "engine/graph/layout-make.h"

#include <math.h>
#include <string.h>

#define GAP 14.0f               /* between a line and the nodes that it goes around */
#define STEP 6.0f               /* between two points at which it is looked at */
#define MOST_BOXES 12           /* that one line goes around */
#define ROUND 10.0f
#define TURN 22.0f              /* how far a line to another column goes on before it turns */
#define ASIDE 30.0f             /* from the node to such a line beside its column */

/* A cubic curve at t. */
static LsGraphPoint
point_at (const LsGraphPoint *p,
          float               t)
{
  float s = 1.0f - t;

  return (LsGraphPoint) { s * s * s * p[0].x + 3.0f * s * s * t * p[1].x + 3.0f * s * t * t * p[2].x + t * t * t * p[3].x,
                          s * s * s * p[0].y + 3.0f * s * s * t * p[1].y + 3.0f * s * t * t * p[2].y + t * t * t * p[3].y };
}

static gboolean
is_inside (const LsGraphBox   *box,
           const LsGraphPoint *point)
{
  return point->x > box->x && point->x < box->x + box->width && point->y > box->y && point->y < box->y + box->height;
}

/* Makes `around` so large that it holds each node but the two ends that the line goes through, and counts those that were not in it. */
static guint
find_crossed (LsGraphKept        *self,
              const LsGraphEdge  *edge,
              const LsGraphPoint *points,
              guint               n,
              LsGraphBox         *around)
{
  LsGraphBox area = { points[0].x, points[0].y, 0.0f, 0.0f };
  g_autoptr (GArray) near = NULL;
  guint found = 0;

  for (guint i = 1; i < n; i++)
    {
      float right = MAX (area.x + area.width, points[i].x), bottom = MAX (area.y + area.height, points[i].y);

      area.x = MIN (area.x, points[i].x);
      area.y = MIN (area.y, points[i].y);
      area.width = right - area.x;
      area.height = bottom - area.y;
    }
  area.width += 1.0f;           /* of a line straight down there is some as well */
  near = ls_graph_room_inside (self->standing, &area);
  for (guint k = 0; k < near->len; k++)
    {
      guint place = g_array_index (near, guint, k);
      const LsGraphBox *box = place < self->layout->n_nodes ? &self->layout->nodes[place] : NULL;
      gboolean crosses = FALSE;

      if (box == NULL || place == edge->from || place == edge->to)
        continue;
      for (guint i = 0; i + 3 < n && !crosses; i += 3)
        {
          guint steps = (guint) CLAMP ((fabsf (points[i + 3].x - points[i].x) + fabsf (points[i + 3].y - points[i].y)) / STEP, 4.0f, 500.0f);

          for (guint s = 0; s <= steps && !crosses; s++)
            {
              LsGraphPoint at = point_at (points + i, (float) s / (float) steps);

              crosses = is_inside (box, &at);
            }
        }
      if (!crosses)
        continue;
      found++;
      if (around->width <= 0.0f)
        *around = *box;
      else
        {
          float right = MAX (around->x + around->width, box->x + box->width), bottom = MAX (around->y + around->height, box->y + box->height);

          around->x = MIN (around->x, box->x);
          around->y = MIN (around->y, box->y);
          around->width = right - around->x;
          around->height = bottom - around->y;
        }
    }
  return found;
}

/* Beside the box, straight along it, and to the ends in curves. */
static void
go_beside (const LsGraphPoint *bow,
           const LsGraphBox   *around,
           gboolean            left,
           LsGraphPoint        line[10])
{
  float x = left ? around->x - GAP : around->x + around->width + GAP;
  float top = MAX (around->y, bow[0].y + ROUND), bottom = MAX (top, MIN (around->y + around->height, bow[3].y - ROUND));
  float above = MAX (ROUND, (top - bow[0].y) / 2.0f), below = MAX (ROUND, (bow[3].y - bottom) / 2.0f), third = (bottom - top) / 3.0f;

  line[0] = bow[0];
  line[1] = (LsGraphPoint) { bow[0].x, bow[0].y + above };
  line[2] = (LsGraphPoint) { x, top - above };
  line[3] = (LsGraphPoint) { x, top };
  line[4] = (LsGraphPoint) { x, top + third };
  line[5] = (LsGraphPoint) { x, bottom - third };
  line[6] = (LsGraphPoint) { x, bottom };
  line[7] = (LsGraphPoint) { x, bottom + below };
  line[8] = (LsGraphPoint) { bow[3].x, bow[3].y - below };
  line[9] = bow[3];
}

/* How far aside it goes; infinite: it goes through a node that way too. */
static float
try_side (LsGraphKept        *self,
          const LsGraphEdge  *edge,
          const LsGraphPoint *bow,
          LsGraphBox          around,
          gboolean            left,
          LsGraphPoint        line[10])
{
  for (guint i = 0; i < MOST_BOXES; i++)
    {
      LsGraphBox before = around;

      go_beside (bow, &around, left, line);
      if (left && line[3].x < 0.0f)
        return INFINITY;
      if (find_crossed (self, edge, line, 10, &around) == 0)
        return fabsf (line[3].x - bow[0].x) + fabsf (line[3].x - bow[3].x);
      if (before.x == around.x && before.y == around.y && before.width == around.width && before.height == around.height)
        return INFINITY;
    }
  return INFINITY;
}

/* To another column: out below, up or down between the columns at `x`, and in from above. */
static gboolean
go_between (LsGraphKept        *self,
            const LsGraphEdge  *edge,
            const LsGraphPoint *bow,
            float               x,
            LsGraphPoint        line[10])
{
  LsGraphBox around = { 0.0f, 0.0f, 0.0f, 0.0f };
  float third = (bow[3].y - bow[0].y) / 3.0f;

  line[0] = bow[0];
  line[1] = (LsGraphPoint) { bow[0].x, bow[0].y + TURN };
  line[2] = (LsGraphPoint) { x, bow[0].y + TURN };
  line[3] = (LsGraphPoint) { x, bow[0].y };
  line[4] = (LsGraphPoint) { x, bow[0].y + third };
  line[5] = (LsGraphPoint) { x, bow[3].y - third };
  line[6] = (LsGraphPoint) { x, bow[3].y };
  line[7] = (LsGraphPoint) { x, bow[3].y - TURN };
  line[8] = (LsGraphPoint) { bow[3].x, bow[3].y - TURN };
  line[9] = bow[3];
  return x > 0.0f && find_crossed (self, edge, line, 10, &around) == 0;
}

/* FALSE: there is no free way between the columns next to one of its ends. */
static gboolean
find_between (LsGraphKept        *self,
              const LsGraphEdge  *edge,
              const LsGraphPoint *bow,
              LsGraphPoint        line[10])
{
  const LsGraphBox *from = &self->layout->nodes[edge->from], *to = &self->layout->nodes[edge->to];
  const float ways[] = { to->x - ASIDE, from->x + from->width + ASIDE, to->x + to->width + ASIDE, from->x - ASIDE };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    if (go_between (self, edge, bow, ways[i], line))
      return TRUE;
  return FALSE;
}

guint
ls_graph_kept_route (LsGraphKept       *self,
                     const LsGraphEdge *edge,
                     LsGraphPoint       line[LS_GRAPH_KEPT_LINE])
{
  LsGraphBox around = { 0.0f, 0.0f, 0.0f, 0.0f };
  LsGraphPoint sides[2][LS_GRAPH_KEPT_LINE], between[LS_GRAPH_KEPT_LINE];
  float far[2] = { INFINITY, INFINITY };

  ls_graph_layout_bow (&self->layout->nodes[edge->from], &self->layout->nodes[edge->to], line);
  if (find_crossed (self, edge, line, 4, &around) == 0)
    return 4;
  for (guint i = 0; i < 2 && line[3].y > line[0].y; i++)
    far[i] = try_side (self, edge, line, around, i == 0, sides[i]);
  if (isinf (far[0]) && isinf (far[1]))
    {
      if (!find_between (self, edge, line, between))
        return 4;
      memcpy (line, between, sizeof between);
      return LS_GRAPH_KEPT_LINE;
    }
  memcpy (line, sides[far[1] < far[0]], sizeof sides[0]);
  return LS_GRAPH_KEPT_LINE;
}
