/* layered-lines: between the rows and beside the columns nothing stands: there lines go around what is between their ends.
 *
 * A line leaves the blocks that its beginning is in, goes through the block that holds both ends, and enters those of its end.  In each it goes straight
 * down where nothing is in its way, else below its row to the free way beside its column.
 */
#include "app/worker/layered-private.h"

#include <math.h>

#define TURN 18.0               /* how far below a row and above one a line goes to the side */
#define ROUND 12.0              /* of a corner */
#define NEAR 4.0                /* that a line keeps from a node */
#define MOST_ROWS 64            /* that are looked at for room; over more of them it goes beside the column */
#define LANE 7.0                /* between lines that go up or down side by side */
#define LANES 9
#define LAST 12.0               /* from the last column to the first line beside it */

static void
add (GArray *path,
     double  x,
     double  y)
{
  LsGraphPoint point = { (float) x, (float) y };

  g_array_append_val (path, point);
}

/* Is there nothing of these rows at x? */
static gboolean
is_free (const LsLayered *self,
         guint            first,
         guint            last,
         double           x)
{
  if (last > first + MOST_ROWS)
    return FALSE;
  for (guint r = first; r < last; r++)
    {
      const LsLayeredRow *row = ls_layered_row (self, r);
      guint low = row->at, high = row->end;

      while (low < high)
        {
          guint middle = low + (high - low) / 2;
          const LsLayeredBox *box = &self->items[self->order[middle]].box;

          if (x > box->x + box->width + NEAR)
            low = middle + 1;
          else if (x < box->x - NEAR)
            high = middle;
          else
            return FALSE;
        }
    }
  return TRUE;
}

/* A free place for another line on the right of a column. */
static double
beside (LsLayered           *self,
        const LsLayeredItem *block,
        guint                number)
{
  LsLayeredColumn *column = ls_layered_column (self, number);
  guint lane = column->n_lines++ % LANES;
  double off = (lane + 1) / 2 * LANE * (lane % 2 == 1 ? 1.0 : -1.0);

  return number + 1 == block->last_column ? column->right + LAST + off / 3.0 : column->right + LS_LAYERED_GAP_COLUMN / 2.0 + off;
}

static double
below (const LsLayered     *self,
       const LsLayeredItem *item)
{
  const LsLayeredRow *row = ls_layered_row (self, item->row);

  return row->y + row->height + TURN;
}

static double
above (const LsLayered     *self,
       const LsLayeredItem *item)
{
  return ls_layered_row (self, item->row)->y - TURN;
}

/* Out of all that `node` is in, up to `until`; where it is then. */
static double
leave (LsLayered *self,
       guint      node,
       guint      until,
       GArray    *path)
{
  const LsLayeredItem *at = &self->items[node];
  double x = at->box.x + at->box.width / 2.0;

  add (path, x, at->box.y + at->box.height);
  for (; at != &self->items[until]; at = &self->items[at->parent])
    {
      const LsLayeredItem *block = &self->items[at->parent];

      if (is_free (self, at->row + 1, ls_layered_column (self, at->column)->last_row, x))
        continue;
      add (path, x, below (self, at));
      x = beside (self, block, at->column);
      add (path, x, below (self, at));
    }
  return x;
}

/* The same from the other end, backwards. */
static double
enter (LsLayered *self,
       guint      node,
       guint      until,
       GArray    *path)
{
  const LsLayeredItem *at = &self->items[node];
  double x = at->box.x + at->box.width / 2.0;

  add (path, x, at->box.y);
  for (; at != &self->items[until]; at = &self->items[at->parent])
    {
      const LsLayeredItem *block = &self->items[at->parent];

      if (is_free (self, ls_layered_column (self, at->column)->first_row, at->row, x))
        continue;
      add (path, x, above (self, at));
      x = at->column > block->first_column ? beside (self, block, at->column - 1) : block->box.x + LS_LAYERED_PADDING / 2.0;
      add (path, x, above (self, at));
    }
  return x;
}

/* From x below one to to_x above another that stands in the same block. */
static void
cross (LsLayered           *self,
       const LsLayeredItem *from,
       const LsLayeredItem *to,
       double               x,
       double               to_x,
       GArray              *path)
{
  const LsLayeredItem *block = &self->items[from->parent];
  double bottom = below (self, from), top = above (self, to), side;

  if (from->column == to->column && is_free (self, from->row + 1, to->row, x))
    {
      double y = to->row == from->row + 1 ? (bottom + top) / 2.0 : top;

      add (path, x, y);
      add (path, to_x, y);
      return;
    }
  add (path, x, bottom);
  if (from->column == to->column && is_free (self, from->row + 1, to->row, to_x))
    {
      add (path, to_x, bottom);
      return;
    }
  side = beside (self, block, from->column);
  add (path, side, bottom);
  if (to->column > from->column + 1)
    {
      double upper = block->box.y + block->over + LS_LAYERED_PADDING / 2.0, lower = block->box.y + block->box.height - block->under - LS_LAYERED_PADDING / 2.0;
      double y = (bottom + top) / 2.0 - upper < lower - (bottom + top) / 2.0 ? upper : lower;

      add (path, side, y);
      side = beside (self, block, to->column - 1);
      add (path, side, y);
    }
  add (path, side, top);
  add (path, to_x, top);
}

/* ---- curves --------------------------------------------------------------------------- */

static LsGraphPoint
between (LsGraphPoint a,
         LsGraphPoint b,
         float        part)
{
  return (LsGraphPoint) { a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part };
}

static float
length (LsGraphPoint a,
        LsGraphPoint b)
{
  return hypotf (b.x - a.x, b.y - a.y);
}

static void
add_curve (GArray      *line,
           LsGraphPoint one,
           LsGraphPoint two,
           LsGraphPoint end)
{
  g_array_append_val (line, one);
  g_array_append_val (line, two);
  g_array_append_val (line, end);
}

static void
add_straight (GArray      *line,
              LsGraphPoint end)
{
  LsGraphPoint at = g_array_index (line, LsGraphPoint, line->len - 1);

  if (length (at, end) > 0.01f)
    add_curve (line, between (at, end, 1.0f / 3.0f), between (at, end, 2.0f / 3.0f), end);
}

/* Without points that are one place, or lie on the way. */
static void
clean (GArray *path)
{
  guint n = 1;

  for (guint i = 1; i < path->len; i++)
    {
      LsGraphPoint *points = (LsGraphPoint *) (gpointer) path->data, at = points[i];

      if (length (points[n - 1], at) < 0.5f && i + 1 < path->len)
        continue;
      while (n >= 2 && ((ABS (points[n - 2].x - points[n - 1].x) < 0.5f && ABS (points[n - 1].x - at.x) < 0.5f) || (ABS (points[n - 2].y - points[n - 1].y) < 0.5f && ABS (points[n - 1].y - at.y) < 0.5f)))
        n--;
      points[n++] = at;
    }
  g_array_set_size (path, n);
}

/* (transfer full) */
static GArray *
round_corners (GArray *path)
{
  GArray *line = g_array_new (FALSE, FALSE, sizeof (LsGraphPoint));
  const LsGraphPoint *points = (const LsGraphPoint *) (gpointer) path->data;

  g_array_append_val (line, points[0]);
  for (guint i = 1; i + 1 < path->len; i++)
    {
      float before = length (points[i - 1], points[i]), after = length (points[i], points[i + 1]);
      float round = MIN ((float) ROUND, MIN (before, after) / 2.0f);
      LsGraphPoint begin = between (points[i], points[i - 1], round / MAX (before, 0.01f)), end = between (points[i], points[i + 1], round / MAX (after, 0.01f));

      add_straight (line, begin);
      add_curve (line, between (begin, points[i], 0.6f), between (end, points[i], 0.6f), end);
    }
  add_straight (line, points[path->len - 1]);
  return line;
}

GArray *
ls_layered_line (LsLayered *self,
                 guint      edge)
{
  const LsLayeredLink *link = &self->links[edge];
  const LsLayeredItem *from = &self->items[link->from], *to = &self->items[link->to];
  const LsLayeredBox *one = &self->items[self->from[edge]].box, *two = &self->items[self->to[edge]].box;
  LsGraphBox ends[] = { { (float) one->x, (float) one->y, (float) one->width, (float) one->height }, { (float) two->x, (float) two->y, (float) two->width, (float) two->height } };
  g_autoptr (GArray) path = NULL, back = NULL;
  double x, to_x;

  if (link->block == G_MAXUINT)
    return g_array_new (FALSE, FALSE, sizeof (LsGraphPoint));
  if (to->column < from->column || (to->column == from->column && to->row <= from->row)                               /* of a cycle */
      || (link->from == self->from[edge] && link->to == self->to[edge] && to->column == from->column && to->row == from->row + 1))
    {
      GArray *line = g_array_sized_new (FALSE, FALSE, sizeof (LsGraphPoint), 7);
      float foot = (float) below (self, from) - (float) TURN;          /* of its row, in which others may be higher */
      LsGraphPoint bow[4];

      if (link->from == self->from[edge] && to->row == from->row + 1 && foot > ends[0].y + ends[0].height + 0.5f)
        {
          g_array_append_val (line, ((LsGraphPoint []) { { ends[0].x + ends[0].width / 2.0f, ends[0].y + ends[0].height } })[0]);
          ends[0].height = foot - ends[0].y;
          ls_graph_layout_bow (&ends[0], &ends[1], bow);
          add_straight (line, bow[0]);
          add_curve (line, bow[1], bow[2], bow[3]);
          return line;
        }
      ls_graph_layout_bow (&ends[0], &ends[1], bow);
      return g_array_append_vals (line, bow, 4);
    }
  path = g_array_new (FALSE, FALSE, sizeof (LsGraphPoint));
  back = g_array_new (FALSE, FALSE, sizeof (LsGraphPoint));
  x = leave (self, self->from[edge], link->from, path);
  to_x = enter (self, self->to[edge], link->to, back);
  cross (self, from, to, x, to_x, path);
  for (guint i = back->len; i-- > 0;)
    g_array_append_val (path, g_array_index (back, LsGraphPoint, i));
  clean (path);
  return round_corners (path);
}
