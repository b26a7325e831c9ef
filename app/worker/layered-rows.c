/* layered-rows: what is in a block, in rows by the middle of what it uses, and the rows in columns of the shape of a screen. */
#include "app/worker/layered-private.h"

#include <math.h>

#define ROW_WIDTH 4000.0        /* a layer that is wider goes on below */
#define ASPECT 1.6
#define MOST_COLUMNS 48
#define WRAP 0.8                /* how much nearer the shape of a screen columns must be than what holds a cluster is without */

/* ---- rows --------------------------------------------------------------------------- */

static int
by_place (const void *a,
          const void *b,
          void       *data)
{
  const LsLayered *self = data;
  guint one = *(const guint *) a, two = *(const guint *) b;

  if (self->items[one].layer != self->items[two].layer)
    return self->items[one].layer < self->items[two].layer ? -1 : 1;
  if (self->keys[one] < self->keys[two] || self->keys[one] > self->keys[two])
    return self->keys[one] < self->keys[two] ? -1 : 1;
  return one < two ? -1 : one > two;
}

/* What the label of the only line that leaves a node needs on its right. */
static double
label_room (const LsLayered *self,
            guint            item,
            const double    *label_widths)
{
  return item < self->n_nodes ? MAX (0.0, label_widths[item] + LS_LAYERED_BESIDE - self->items[item].box.width / 2.0) : 0.0;
}

/* The row order[at] up to order[end], its middle near 0. */
static void
place_row (LsLayered    *self,
           LsLayeredRow *row,
           const double *label_widths)
{
  double cursor = -INFINITY, shift = 0.0, n = 0.0;

  row->left = INFINITY;
  row->right = -INFINITY;
  for (guint i = row->at; i < row->end; i++)
    {
      LsLayeredBox *box = &self->items[self->order[i]].box;
      double key = self->keys[self->order[i]], wish = key < INFINITY ? key - box->width / 2.0 : cursor;

      box->x = isinf (wish) ? -box->width / 2.0 : MAX (wish, cursor);
      cursor = box->x + box->width + LS_LAYERED_GAP_X;
      if (key < INFINITY)
        {
          shift += box->x - wish;
          n += 1.0;
        }
    }
  shift = n > 0.0 ? shift / n : (cursor - LS_LAYERED_GAP_X + self->items[self->order[row->at]].box.x) / 2.0;
  for (guint i = row->at; i < row->end; i++)
    {
      LsLayeredBox *box = &self->items[self->order[i]].box;

      box->x -= shift;
      row->left = MIN (row->left, box->x);
      row->right = MAX (row->right, box->x + box->width + label_room (self, self->order[i], label_widths));
    }
}

/* Where what uses these is drawn to. */
static void
draw_users (LsLayered           *self,
            const LsLayeredPart *part,
            const guint         *number,
            const LsLayeredRow  *row)
{
  for (guint i = row->at; i < row->end; i++)
    {
      const LsLayeredItem *item = &self->items[self->order[i]];
      guint k = number[self->order[i]];
      double weight = item->computes ? item->pull : LS_LAYERED_OUTSIDE;

      for (guint u = part->start[k]; u < part->start[k + 1]; u++)
        {
          LsLayeredItem *user = &self->items[part->items[part->users[u]]];

          user->sum += (item->box.x + item->box.width / 2.0 + part->off[u]) * weight;
          user->n_sum += weight;
        }
    }
}

/* Where the row that begins at order[row->at] ends, and its height. */
static void
end_row (LsLayered    *self,
         LsLayeredRow *row,
         guint         end)
{
  double width = 0.0;

  row->height = 0.0;
  for (row->end = row->at; row->end < end; row->end++)
    {
      LsLayeredBox *box = &self->items[self->order[row->end]].box;

      width += box->width + LS_LAYERED_GAP_X;
      if (row->end > row->at && width > ROW_WIDTH)
        break;
      row->height = MAX (row->height, box->height);
    }
}

void
ls_layered_place_rows (LsLayered           *self,
                       const LsLayeredPart *part,
                       const guint         *number,
                       guint                at,
                       guint                end,
                       const double        *label_widths)
{
  guint last;

  g_qsort_with_data (self->order + at, (gint) (end - at), sizeof *self->order, by_place, self);
  for (; at < end; at = last)
    {
      for (last = at; last < end && self->items[self->order[last]].layer == self->items[self->order[at]].layer; last++)
        {
          LsLayeredItem *item = &self->items[self->order[last]];

          self->keys[self->order[last]] = item->n_sum > 0.0 ? item->sum / item->n_sum : INFINITY;
        }
      g_qsort_with_data (self->order + at, (gint) (last - at), sizeof *self->order, by_place, self);
      for (guint i = at; i < last;)
        {
          LsLayeredRow row = { i, 0, 0, 0.0, 0.0, 0.0, 0.0 };

          end_row (self, &row, last);
          place_row (self, &row, label_widths);
          draw_users (self, part, number, &row);
          i = row.end;
          g_array_append_val (self->rows, row);
        }
    }
}

/* ---- columns -------------------------------------------------------------------------------- */

/* Columns of rows from `first` on that are no higher than `limit`; moves what stands in them, or only tells how large that is. */
static void
make_columns (LsLayered *self,
              guint      first,
              double     limit,
              gboolean   moves,
              double    *width,
              double    *height)
{
  double x = 0.0, y = 0.0;
  guint begin = first;

  *width = *height = 0.0;
  for (guint r = first; r <= self->rows->len; r++)
    {
      LsLayeredRow *row = r < self->rows->len ? ls_layered_row (self, r) : NULL;
      LsLayeredColumn column = { INFINITY, -INFINITY, begin, r, 0 };

      if (row == NULL || (r > begin && y + row->height > limit))
        {
          for (guint k = begin; k < r; k++)
            {
              column.left = MIN (column.left, ls_layered_row (self, k)->left);
              column.right = MAX (column.right, ls_layered_row (self, k)->right);
            }
          for (guint k = begin; moves && k < r; k++)
            {
              ls_layered_row (self, k)->column = self->columns->len;
              for (guint i = ls_layered_row (self, k)->at; i < ls_layered_row (self, k)->end; i++)
                {
                  self->items[self->order[i]].box.x += x - column.left;
                  self->items[self->order[i]].column = self->columns->len;
                  self->items[self->order[i]].row = k;
                }
            }
          if (r > begin)
            {
              column.right += x - column.left;
              column.left = x;
              *width = column.right;
              x = column.right + LS_LAYERED_GAP_COLUMN;
              if (moves)
                g_array_append_val (self->columns, column);
            }
          begin = r;
          y = 0.0;
        }
      if (row == NULL)
        break;
      if (moves)
        row->y = y;
      for (guint i = row->at; moves && i < row->end; i++)
        self->items[self->order[i]].box.y = y;
      *height = MAX (*height, y + row->height);
      y += row->height + LS_LAYERED_GAP_Y;
    }
}

/* How many columns of rows from `first` on are no higher than `limit`. */
static guint
count_columns (const LsLayered *self,
               guint            first,
               double           limit)
{
  guint n = 0;
  double y = INFINITY;

  for (guint r = first; r < self->rows->len; r++)
    {
      double height = ls_layered_row (self, r)->height;

      if (y + height > limit)
        {
          n++;
          y = 0.0;
        }
      y += height + LS_LAYERED_GAP_Y;
    }
  return n;
}

/* The lowest limit that gives no more columns, so that the last one is not the rest. */
static double
even_out (const LsLayered *self,
          guint            first,
          double           limit)
{
  guint n = count_columns (self, first, limit);
  double low = limit / 2.0;

  for (guint i = 0; i < 12 && limit < INFINITY; i++)
    {
      double middle = (low + limit) / 2.0;

      if (count_columns (self, first, middle) <= n)
        limit = middle;
      else
        low = middle;
    }
  return limit;
}

void
ls_layered_place_columns (LsLayered *self,
                          guint      first,
                          gboolean   holds_block,
                          double    *width,
                          double    *height)
{
  double total = 0.0, best = INFINITY, limit = INFINITY;
  guint n_rows = self->rows->len - first;

  for (guint r = first; r < self->rows->len; r++)
    total += ls_layered_row (self, r)->height + LS_LAYERED_GAP_Y;
  for (guint n = 1; n <= MIN (MOST_COLUMNS, MAX (n_rows, 1)); n++)
    {
      double off;

      make_columns (self, first, total / n + 1.0, FALSE, width, height);
      off = fabs (log (MAX (*width, 1.0) / MAX (*height, 1.0) / ASPECT)) + (n > 1 && holds_block ? WRAP : 0.0);
      if (off >= best)
        continue;
      best = off;
      limit = total / n + 1.0;
    }
  make_columns (self, first, even_out (self, first, limit), TRUE, width, height);
}

void
ls_layered_place_shelves (LsLayered *self,
                          guint      at,
                          guint      end,
                          double    *width,
                          double    *height)
{
  guint first = self->rows->len;
  double area = 0.0, widest = 0.0, x = 0.0;
  LsLayeredRow row = { at, at, 0, 0.0, 0.0, 0.0, 0.0 };

  for (guint i = at; i < end; i++)
    {
      const LsLayeredBox *box = &self->items[self->order[i]].box;

      area += (box->width + LS_LAYERED_GAP_X) * (box->height + LS_LAYERED_GAP_Y);
      widest = MAX (widest, box->width);
    }
  widest = MAX (widest, sqrt (area * ASPECT));
  for (guint i = at; i < end; i++)
    {
      LsLayeredBox *box = &self->items[self->order[i]].box;

      if (i > row.at && x + box->width > widest)
        {
          g_array_append_val (self->rows, row);
          row = (LsLayeredRow) { i, i, 0, 0.0, 0.0, 0.0, 0.0 };
          x = 0.0;
        }
      box->x = x;
      x += box->width + LS_LAYERED_GAP_X;
      row.right = x - LS_LAYERED_GAP_X;
      row.height = MAX (row.height, box->height);
      row.end = i + 1;
    }
  if (end > at)
    g_array_append_val (self->rows, row);
  make_columns (self, first, INFINITY, TRUE, width, height);
}
