/* layered: longest paths from what has no inputs give the layers; a layer is ordered by the middle of what its nodes use.
 *
 * The union of several states may hold cycles: where no node is left whose inputs have a layer, the lowest number goes on.
 */
#include "app/worker/layered.h"

#include "engine/graph/layout-make.h"

#include <math.h>
#include <stdlib.h>

#define GAP_X 30.0
#define GAP_Y 50.0
#define GAP_COLUMN 90.0
#define PADDING 12.0
#define ROW_WIDTH 4000.0        /* a layer that is wider goes on below */
#define ASPECT 1.6
#define OUTSIDE 0.02            /* how much a weight draws what uses it to its side: else the whole drifts along a diagonal */
#define MOST_COLUMNS 48
#define TURN 18.0               /* how far the line to the next column goes down before it goes up beside its own, and up before it goes down */

typedef struct { double x, y, width, height; } Box;

typedef struct {
  guint  node, layer;
  gint   root;                  /* the outermost cluster */
  double key;                   /* the middle of what it uses */
} Place;

typedef struct {
  guint   n_nodes, n_edges, n_clusters;
  guint  *from, *to;
  guint  *start, *users;        /* of node i: users[start[i]] up to users[start[i + 1]] */
  gint   *home, *parent;
  guint  *layer;
  guint  *column;               /* that a node stands in */
  Place  *order;
  Box    *boxes, *frames;
  double *sum;                  /* of the middles of what a node uses, by weight */
  double *n_sum;                /* of the weights */
  guint8 *computes;             /* it has inputs */
  double *gutters;              /* the middle of what is free behind each column */
} Layered;

static void
layered_clear (Layered *self)
{
  g_free (self->from);
  g_free (self->to);
  g_free (self->start);
  g_free (self->users);
  g_free (self->home);
  g_free (self->parent);
  g_free (self->layer);
  g_free (self->column);
  g_free (self->gutters);
  g_free (self->order);
  g_free (self->boxes);
  g_free (self->frames);
  g_free (self->sum);
  g_free (self->n_sum);
  g_free (self->computes);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Layered, layered_clear)

static gboolean
read_input (Layered  *self,
            GVariant *sizes,
            GVariant *homes,
            GVariant *edges,
            GVariant *parents)
{
  guint n = self->n_nodes = (guint) g_variant_n_children (sizes), m = self->n_edges = (guint) g_variant_n_children (edges);
  g_autofree guint *at = g_new0 (guint, n + 1);

  self->n_clusters = (guint) g_variant_n_children (parents);
  self->from = g_new0 (guint, m + 1);
  self->to = g_new0 (guint, m + 1);
  self->start = g_new0 (guint, n + 2);
  self->users = g_new0 (guint, m + 1);
  self->home = g_new0 (gint, n + 1);
  self->parent = g_new0 (gint, self->n_clusters + 1);
  self->layer = g_new0 (guint, n + 1);
  self->column = g_new0 (guint, n + 1);
  self->gutters = g_new0 (double, n + 1);
  self->order = g_new0 (Place, n + 1);
  self->boxes = g_new0 (Box, n + 1);
  self->frames = g_new0 (Box, self->n_clusters + 1);
  self->sum = g_new0 (double, n + 1);
  self->n_sum = g_new0 (double, n + 1);
  self->computes = g_new0 (guint8, n + 1);
  for (guint i = 0; i < self->n_clusters; i++)
    {
      g_variant_get_child (parents, i, "i", &self->parent[i]);
      if (self->parent[i] >= (gint) i)
        return FALSE;
    }
  for (guint i = 0; i < n; i++)
    {
      g_variant_get_child (sizes, i, "(dd)", &self->boxes[i].width, &self->boxes[i].height);
      g_variant_get_child (homes, i, "i", &self->home[i]);
      if (self->home[i] >= (gint) self->n_clusters)
        return FALSE;
    }
  for (guint i = 0; i < m; i++)
    {
      g_variant_get_child (edges, i, "(uu)", &self->from[i], &self->to[i]);
      if (self->from[i] >= n || self->to[i] >= n)
        return FALSE;
      self->start[self->from[i] + 1]++;
      self->computes[self->to[i]] = self->from[i] != self->to[i];
    }
  for (guint i = 0; i < n; i++)
    self->start[i + 1] += self->start[i];
  for (guint i = 0; i < m; i++)
    self->users[self->start[self->from[i]] + at[self->from[i]]++] = self->to[i];
  return TRUE;
}

static void
find_layers (Layered *self)
{
  g_autofree guint *waits = g_new0 (guint, self->n_nodes + 1), *ready = g_new0 (guint, self->n_nodes + 1);
  g_autofree gboolean *is_source = g_new0 (gboolean, self->n_nodes + 1), *is_taken = g_new0 (gboolean, self->n_nodes + 1);
  guint n = 0, next = 0;

  for (guint i = 0; i < self->n_edges; i++)
    waits[self->to[i]]++;
  for (guint i = 0; i < self->n_nodes; i++)
    if (waits[i] == 0)
      {
        is_source[i] = is_taken[i] = TRUE;
        ready[n++] = i;
      }
  for (guint done = 0; done < self->n_nodes; done++)
    {
      guint at;

      while (done == n && is_taken[next])
        next++;
      if (done == n)
        {
          is_taken[next] = TRUE;
          ready[n++] = next;
        }
      at = ready[done];
      for (guint i = self->start[at]; i < self->start[at + 1]; i++)
        {
          guint to = self->users[i];

          if (is_taken[to])
            continue;
          self->layer[to] = MAX (self->layer[to], self->layer[at] + 1);
          if (--waits[to] == 0)
            {
              is_taken[to] = TRUE;
              ready[n++] = to;
            }
        }
    }
  for (guint i = 0; i < self->n_nodes; i++)     /* what comes from outside stands right above what uses it */
    if (is_source[i] && self->start[i] < self->start[i + 1])
      {
        guint least = G_MAXUINT;

        for (guint k = self->start[i]; k < self->start[i + 1]; k++)
          least = MIN (least, self->layer[self->users[k]]);
        self->layer[i] = MAX (least, 1) - 1;
      }
}

static int
by_place (const void *a,
          const void *b)
{
  const Place *one = a, *two = b;

  if (one->root != two->root)
    return one->root < two->root ? -1 : 1;
  if (one->layer != two->layer)
    return one->layer < two->layer ? -1 : 1;
  if (one->key < two->key || one->key > two->key)
    return one->key < two->key ? -1 : 1;
  return one->node < two->node ? -1 : one->node > two->node;
}

/* The row order[at] up to order[end], its middle near 0. */
static void
place_row (Layered *self,
           guint    at,
           guint    end,
           double   y)
{
  double cursor = -INFINITY, shift = 0.0, n = 0.0;

  for (guint i = at; i < end; i++)
    {
      Box *box = &self->boxes[self->order[i].node];
      double wish = self->order[i].key < INFINITY ? self->order[i].key - box->width / 2.0 : cursor;

      box->x = isinf (wish) ? -box->width / 2.0 : MAX (wish, cursor);
      box->y = y;
      cursor = box->x + box->width + GAP_X;
      if (self->order[i].key < INFINITY)
        {
          shift += box->x - wish;
          n += 1.0;
        }
    }
  shift = n > 0.0 ? shift / n : (cursor - GAP_X + self->boxes[self->order[at].node].x) / 2.0;
  for (guint i = at; i < end; i++)
    {
      Place *place = &self->order[i];
      Box *box = &self->boxes[place->node];

      box->x -= shift;
      for (guint k = self->start[place->node]; k < self->start[place->node + 1]; k++)
        {
          double weight = self->computes[place->node] ? 1.0 : OUTSIDE;

          self->sum[self->users[k]] += (box->x + box->width / 2.0) * weight;
          self->n_sum[self->users[k]] += weight;
        }
    }
}

/* Where the row that begins at order[at] ends, and its height. */
static guint
row_end (Layered *self,
         guint    at,
         double  *height)
{
  double width = 0.0;
  guint end = at;

  *height = 0.0;
  for (; end < self->n_nodes && self->order[end].layer == self->order[at].layer && self->order[end].root == self->order[at].root; end++)
    {
      Box *box = &self->boxes[self->order[end].node];

      width += box->width + GAP_X;
      if (end > at && width > ROW_WIDTH)
        break;
      *height = MAX (*height, box->height);
    }
  return end;
}

/* A row of nodes, as they stand when all is one column. */
typedef struct {
  guint    at, end;
  gboolean begins;              /* another outermost cluster: a column of its own */
  double   height, left, right;
} Row;

/* All rows below each other: (transfer full) of Row. */
static GArray *
place_rows (Layered *self)
{
  GArray *rows = g_array_new (FALSE, FALSE, sizeof (Row));

  for (guint at = 0, end; at < self->n_nodes; at = end)
    {
      Row row = { at, 0, at > 0 && self->order[at].root != self->order[at - 1].root, 0.0, INFINITY, -INFINITY };

      if (at == 0 || row.begins || self->order[at].layer != self->order[at - 1].layer)
        {
          guint last = at;

          for (; last < self->n_nodes && self->order[last].layer == self->order[at].layer && self->order[last].root == self->order[at].root; last++)
            {
              guint node = self->order[last].node;

              self->order[last].key = self->n_sum[node] > 0.0 ? self->sum[node] / self->n_sum[node] : INFINITY;
            }
          qsort (self->order + at, last - at, sizeof *self->order, by_place);
        }
      row.end = end = row_end (self, at, &row.height);
      place_row (self, at, end, 0.0);
      for (guint i = at; i < end; i++)
        {
          const Box *box = &self->boxes[self->order[i].node];

          row.left = MIN (row.left, box->x);
          row.right = MAX (row.right, box->x + box->width);
        }
      g_array_append_val (rows, row);
    }
  return rows;
}

/* Columns of rows that are no higher than `limit`; moves the nodes, or only tells how large that is. */
static void
make_columns (Layered *self,
              GArray  *rows,
              double   limit,
              gboolean moves,
              double  *width,
              double  *height)
{
  double x = 0.0, y = 0.0, left = INFINITY, right = -INFINITY;
  guint first = 0, column = 0;

  *height = 0.0;
  for (guint r = 0; r <= rows->len; r++)
    {
      const Row *row = r < rows->len ? &g_array_index (rows, Row, r) : NULL;

      if (row == NULL || (r > first && (row->begins || y + row->height > limit)))
        {
          for (guint k = first; moves && k < r; k++)
            for (guint i = g_array_index (rows, Row, k).at; i < g_array_index (rows, Row, k).end; i++)
              {
                self->boxes[self->order[i].node].x += x - left;
                self->column[self->order[i].node] = column;
              }
          x += r > first ? right - left + GAP_COLUMN : 0.0;
          self->gutters[MIN (column, self->n_nodes)] = x - GAP_COLUMN / 2.0;
          column++;
          left = INFINITY;
          right = -INFINITY;
          first = r;
          y = 0.0;
        }
      if (row == NULL)
        break;
      for (guint i = row->at; moves && i < row->end; i++)
        self->boxes[self->order[i].node].y = y;
      left = MIN (left, row->left);
      right = MAX (right, row->right);
      y += row->height + GAP_Y;
      *height = MAX (*height, y);
    }
  *width = x;
}

/* As many columns as give the shape of a screen. */
static void
place_nodes (Layered *self)
{
  g_autoptr (GArray) rows = NULL;
  double total = 0.0, best = INFINITY, limit = INFINITY, width, height;

  for (guint i = 0; i < self->n_nodes; i++)
    {
      gint root = self->home[i];

      while (root >= 0 && self->parent[root] >= 0)
        root = self->parent[root];
      self->order[i] = (Place) { i, self->layer[i], root, 0.0 };
    }
  qsort (self->order, self->n_nodes, sizeof *self->order, by_place);
  rows = place_rows (self);
  for (guint r = 0; r < rows->len; r++)
    total += g_array_index (rows, Row, r).height + GAP_Y;
  for (guint n = 1; n <= MIN (MOST_COLUMNS, MAX (rows->len, 1)); n++)
    {
      double off;

      make_columns (self, rows, total / n + 1.0, FALSE, &width, &height);
      off = fabs (log (MAX (width, 1.0) / MAX (height, 1.0) / ASPECT));
      if (off >= best)
        continue;
      best = off;
      limit = total / n + 1.0;
    }
  make_columns (self, rows, limit, TRUE, &width, &height);
}

static void
place_frames (Layered  *self,
              GVariant *titles)
{
  double left = 0.0, top = 0.0;

  for (guint i = 0; i < self->n_nodes; i++)
    {
      Box *box = &self->boxes[i];
      double pad = PADDING, above = PADDING, below = PADDING;

      for (gint c = self->home[i]; c >= 0; c = self->parent[c], pad += PADDING, above += PADDING, below += PADDING)
        {
          Box *frame = &self->frames[c];
          double width = 0.0, height = 0.0, right, bottom;

          if (titles != NULL && (gsize) c < g_variant_n_children (titles))
            g_variant_get_child (titles, (gsize) c, "(dd)", &width, &height);
          above += MAX (height, 0.0);
          below += MAX (-height, 0.0);
          right = MAX (frame->x + frame->width, box->x + box->width + pad);
          bottom = MAX (frame->y + frame->height, box->y + box->height + below);
          if (frame->width <= 0.0)
            *frame = (Box) { box->x - pad, box->y - above, box->width + 2 * pad, box->height + above + below };
          else
            {
              frame->x = MIN (frame->x, box->x - pad);
              frame->y = MIN (frame->y, box->y - above);
              frame->width = right - frame->x;
              frame->height = bottom - frame->y;
            }
          left = MIN (left, frame->x);
          top = MIN (top, frame->y);
        }
    }
  for (guint i = 0; i < self->n_nodes; i++)
    self->boxes[i] = (Box) { self->boxes[i].x - left, self->boxes[i].y - top, self->boxes[i].width, self->boxes[i].height };
  for (guint i = 0; i < self->n_clusters; i++)
    if (self->frames[i].width > 0.0)
      self->frames[i] = (Box) { self->frames[i].x - left, self->frames[i].y - top, self->frames[i].width, self->frames[i].height };
}

static GVariant *
boxes_variant (const Box *boxes,
               guint      n,
               double    *width,
               double    *height)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(dddd)"));
  for (guint i = 0; i < n; i++)
    {
      g_variant_builder_add (&builder, "(dddd)", boxes[i].x, boxes[i].y, boxes[i].width, boxes[i].height);
      *width = MAX (*width, boxes[i].x + boxes[i].width);
      *height = MAX (*height, boxes[i].y + boxes[i].height);
    }
  return g_variant_builder_end (&builder);
}

/* Beside the line of a chain, where nothing else can be; -1: it gets no place. */
static void
put_label (Layered         *self,
           guint            i,
           GVariant        *sizes,
           const guint     *n_in,
           GVariantBuilder *labels)
{
  const Box *from = &self->boxes[self->from[i]], *to = &self->boxes[self->to[i]];
  double width = 0.0, height = 0.0, gap = to->y - from->y - from->height;

  if (sizes != NULL && i < g_variant_n_children (sizes))
    g_variant_get_child (sizes, i, "(dd)", &width, &height);
  if (width <= 0.0 || n_in[self->to[i]] != 1 || self->start[self->from[i] + 1] - self->start[self->from[i]] != 1 || gap < height || gap > 2.0 * GAP_Y)
    g_variant_builder_add (labels, "(dd)", -1.0, -1.0);
  else
    g_variant_builder_add (labels, "(dd)", (from->x + from->width / 2.0 + to->x + to->width / 2.0) / 2.0 + width / 2.0, from->y + from->height + gap / 2.0);
}

/* From the foot of a column to the next one: between both, where no node stands.  10 points; 4: any other line. */
static guint
find_line (const Layered *self,
           guint          i,
           LsGraphPoint   line[10])
{
  const Box *from = &self->boxes[self->from[i]], *to = &self->boxes[self->to[i]];
  const LsGraphBox ends[] = { { (float) from->x, (float) from->y, (float) from->width, (float) from->height }, { (float) to->x, (float) to->y, (float) to->width, (float) to->height } };
  guint column = self->column[self->from[i]];
  float x = (float) self->gutters[column], bottom, top, end;

  ls_graph_layout_bow (&ends[0], &ends[1], line);
  bottom = line[0].y;
  top = line[3].y;
  end = line[3].x;
  if (self->column[self->to[i]] != column + 1 || top > bottom)
    return 4;
  line[1] = (LsGraphPoint) { line[0].x, bottom + (float) TURN };
  line[2] = (LsGraphPoint) { x, bottom + (float) TURN };
  line[3] = (LsGraphPoint) { x, bottom };
  line[4] = (LsGraphPoint) { x, bottom + (top - bottom) / 3.0f };
  line[5] = (LsGraphPoint) { x, top - (top - bottom) / 3.0f };
  line[6] = (LsGraphPoint) { x, top };
  line[7] = (LsGraphPoint) { x, top - (float) TURN };
  line[8] = (LsGraphPoint) { end, top - (float) TURN };
  line[9] = (LsGraphPoint) { end, top };
  return 10;
}

static void
put_lines (Layered      *self,
           GVariant     *sizes,
           GVariantDict *dict)
{
  g_autofree guint *n_in = g_new0 (guint, self->n_nodes + 1);
  GVariantBuilder counts, points, labels;

  g_variant_builder_init (&counts, G_VARIANT_TYPE ("au"));
  g_variant_builder_init (&points, G_VARIANT_TYPE ("a(dd)"));
  g_variant_builder_init (&labels, G_VARIANT_TYPE ("a(dd)"));
  for (guint i = 0; i < self->n_edges; i++)
    n_in[self->to[i]]++;
  for (guint i = 0; i < self->n_edges; i++)
    {
      const Box *from = &self->boxes[self->from[i]], *to = &self->boxes[self->to[i]];
      LsGraphPoint line[10];
      guint n = from != to ? find_line (self, i, line) : 0;

      put_label (self, i, sizes, n_in, &labels);
      g_variant_builder_add (&counts, "u", n);
      for (guint k = 0; k < n; k++)
        g_variant_builder_add (&points, "(dd)", (double) line[k].x, (double) line[k].y);
    }
  g_variant_dict_insert_value (dict, "counts", g_variant_builder_end (&counts));
  g_variant_dict_insert_value (dict, "points", g_variant_builder_end (&points));
  g_variant_dict_insert_value (dict, "labels", g_variant_builder_end (&labels));
}

GVariant *
ls_layout_layered (GVariant *sizes,
                   GVariant *homes,
                   GVariant *edges,
                   GVariant *parents,
                   GVariant *labels,
                   GVariant *titles)
{
  g_auto (Layered) self = { 0 };
  double width = 0.0, height = 0.0;
  GVariantDict dict;

  if (!read_input (&self, sizes, homes, edges, parents))
    return NULL;
  find_layers (&self);
  place_nodes (&self);
  place_frames (&self, titles);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "boxes", boxes_variant (self.boxes, self.n_nodes, &width, &height));
  g_variant_dict_insert_value (&dict, "frames", boxes_variant (self.frames, self.n_clusters, &width, &height));
  put_lines (&self, labels, &dict);
  g_variant_dict_insert (&dict, "width", "d", width);
  g_variant_dict_insert (&dict, "height", "d", height);
  return g_variant_dict_end (&dict);
}
