/* straighten: Graphviz leads a line around the room that it keeps for the line's label, so that a node and the one right below
 * it are joined by a bow.  Such a line becomes a vertical one, and its label goes beside it to the side where it covers no
 * other label and no other line; where there is none, the bow stays.
 */
#include "app/worker/straighten.h"

#include <math.h>

#define MOST_GAP 76.0           /* between the two nodes: one row of labels */
#define CORNER 14.0             /* kept from the corners of nodes */
#define PIECES 12               /* points at which a curve is looked at */

static gboolean
is_alone (LsLayoutLines *self,
          guint          i)
{
  for (guint k = 0; k < self->n; k++)
    if (k != i && self->from[k] == self->from[i] && self->to[k] == self->to[i])
      return FALSE;
  return TRUE;
}

/* Where a vertical line from the upper to the lower node can be. */
static gboolean
find_x (LsLayoutLines *self,
        guint          i,
        double        *x)
{
  const LsLayoutBox *a = &self->nodes[self->from[i]], *b = &self->nodes[self->to[i]];
  double gap = b->y - (a->y + a->height);
  double least = fmax (a->x, b->x) + CORNER, most = fmin (a->x + a->width, b->x + b->width) - CORNER;

  if (self->curves[i].n < 4 || gap <= 0.0 || gap > MOST_GAP || least > most)
    return FALSE;
  *x = fmin (fmax ((a->x + a->width / 2.0 + b->x + b->width / 2.0) / 2.0, least), most);
  return TRUE;
}

static gboolean
overlaps (const LsLayoutBox *a,
          const LsLayoutBox *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

static gboolean
crosses (const LsLayoutCurve *curve,
         const LsLayoutBox   *box)
{
  for (guint k = 0; k + 3 < curve->n; k += 3)
    for (guint s = 0; s <= PIECES; s++)
      {
        double t = (double) s / PIECES, u = 1.0 - t, at[2];

        for (int d = 0; d < 2; d++)
          at[d] = u * u * u * curve->points[k][d] + 3.0 * u * u * t * curve->points[k + 1][d]
                  + 3.0 * u * t * t * curve->points[k + 2][d] + t * t * t * curve->points[k + 3][d];
        if (at[0] > box->x && at[0] < box->x + box->width && at[1] > box->y && at[1] < box->y + box->height)
          return TRUE;
      }
  return FALSE;
}

static gboolean
is_free (LsLayoutLines     *self,
         guint              i,
         const LsLayoutBox *label)
{
  if (label->x < 0.0 || label->x + label->width > self->width)
    return FALSE;
  for (guint k = 0; k < self->n; k++)
    if (k != i && ((self->labels[k].width > 0.0 && overlaps (label, &self->labels[k])) || crosses (&self->curves[k], label)))
      return FALSE;
  return TRUE;
}

static gboolean
move_label (LsLayoutLines *self,
            guint          i,
            double         x)
{
  LsLayoutBox label = self->labels[i];

  if (label.width <= 0.0)
    return TRUE;
  for (guint side = 0; side < 2; side++)
    {
      label.x = (side == 0) == self->left ? x - label.width : x;
      if (!is_free (self, i, &label))
        continue;
      self->labels[i] = label;
      return TRUE;
    }
  return FALSE;
}

void
ls_layout_straighten (LsLayoutLines *self)
{
  for (guint i = 0; i < self->n; i++)
    {
      LsLayoutCurve *curve = &self->curves[i];
      double x, top, bottom;

      if (!find_x (self, i, &x) || !is_alone (self, i) || !move_label (self, i, x))
        continue;
      top = self->nodes[self->from[i]].y + self->nodes[self->from[i]].height;
      bottom = self->nodes[self->to[i]].y;
      for (guint k = 0; k < 4; k++)
        {
          curve->points[k][0] = x;
          curve->points[k][1] = top + (bottom - top) * k / 3.0;
        }
      curve->n = 4;
    }
}
