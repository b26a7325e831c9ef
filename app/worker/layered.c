/* layered: longest paths from what has no inputs give the layers; a layer is ordered by the middle of what its nodes use.
 *
 * What is in a cluster is placed by itself, inner ones first; then the cluster is one of what stands around it.  So nothing else stands in its frame.
 * The union of several states may hold cycles: where nothing is left whose inputs have a layer, the lowest number goes on.
 */
#include "app/worker/layered-private.h"

#include <math.h>
#include <stdlib.h>

#define MOST_OUTSIDE 8          /* values that only one cluster uses; more stand in it, near what uses them */
#define LINES 24.0              /* room for lines on the right of the last column, */
#define AROUND 30.0             /* and above and below several columns */

static void
layered_clear (LsLayered *self)
{
  g_free (self->from);
  g_free (self->to);
  g_free (self->home);
  g_free (self->items);
  g_free (self->links);
  g_free (self->order);
  g_free (self->keys);
  g_free (self->n_in);
  g_free (self->n_out);
  g_array_unref (self->rows);
  g_array_unref (self->columns);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsLayered, layered_clear)

/* ---- what there is ----------------------------------------------------------------------- */

static gboolean
read_clusters (LsLayered *self,
               GVariant  *parents,
               GVariant  *titles)
{
  for (guint i = 0; i <= self->n_clusters; i++)
    {
      LsLayeredItem *item = &self->items[self->n_nodes + i];
      double width = 0.0, height = 0.0;
      gint parent = -1;

      item->computes = TRUE;
      item->parent = self->n_items - 1;
      if (i == self->n_clusters)
        break;
      g_variant_get_child (parents, i, "i", &parent);
      if (parent >= (gint) i)
        return FALSE;
      if (parent >= 0)
        item->parent = self->n_nodes + (guint) parent;
      if (titles != NULL && i < g_variant_n_children (titles))
        g_variant_get_child (titles, i, "(dd)", &width, &height);
      item->box.width = width > 0.0 ? width + 2.0 * LS_LAYERED_PADDING : 0.0;
      item->over = MAX (height, 0.0);
      item->under = MAX (-height, 0.0);
    }
  return TRUE;
}

static gboolean
read_input (LsLayered *self,
            GVariant  *sizes,
            GVariant  *homes,
            GVariant  *edges,
            GVariant  *parents,
            GVariant  *titles)
{
  guint n = self->n_nodes = (guint) g_variant_n_children (sizes), m = self->n_edges = (guint) g_variant_n_children (edges);

  self->n_clusters = (guint) g_variant_n_children (parents);
  self->n_items = n + self->n_clusters + 1;
  self->from = g_new0 (guint, m + 1);
  self->to = g_new0 (guint, m + 1);
  self->home = g_new0 (gint, n + 1);
  self->items = g_new0 (LsLayeredItem, self->n_items);
  self->links = g_new0 (LsLayeredLink, m + 1);
  self->order = g_new0 (guint, self->n_items);
  self->keys = g_new0 (double, self->n_items);
  self->n_in = g_new0 (guint, n + 1);
  self->n_out = g_new0 (guint, n + 1);
  if (!read_clusters (self, parents, titles))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_variant_get_child (sizes, i, "(dd)", &self->items[i].box.width, &self->items[i].box.height);
      g_variant_get_child (homes, i, "i", &self->home[i]);
      if (self->home[i] >= (gint) self->n_clusters)
        return FALSE;
      self->items[i].parent = self->home[i] >= 0 ? n + (guint) self->home[i] : self->n_items - 1;
    }
  for (guint i = 0; i < m; i++)
    {
      g_variant_get_child (edges, i, "(uu)", &self->from[i], &self->to[i]);
      if (self->from[i] >= n || self->to[i] >= n)
        return FALSE;
      self->n_out[self->from[i]]++;
      self->n_in[self->to[i]]++;
      self->items[self->to[i]].computes |= self->from[i] != self->to[i];
    }
  return TRUE;
}

static guint
depth_of (const LsLayered *self,
          guint            item)
{
  guint depth = 0;

  for (; item + 1 < self->n_items; item = self->items[item].parent)
    depth++;
  return depth;
}

/* The innermost that holds both; then they are what of it they are in. */
static guint
find_common (const LsLayered *self,
             guint           *a,
             guint           *b)
{
  guint deep_a = depth_of (self, *a), deep_b = depth_of (self, *b);

  while (*a != *b && self->items[*a].parent != self->items[*b].parent)
    {
      if (deep_a >= deep_b)
        {
          *a = self->items[*a].parent;
          deep_a--;
        }
      else
        {
          *b = self->items[*b].parent;
          deep_b--;
        }
      if (*a == *b)             /* one holds the other: only nodes are asked about, and no node holds any */
        break;
    }
  return self->items[*a].parent;
}

/* Values from outside that only one cluster uses: a few stand beside it, very many near what uses them. */
static void
move_in (LsLayered *self)
{
  g_autofree guint *into = g_new (guint, self->n_nodes + 1), *n = g_new0 (guint, self->n_items);

  for (guint i = 0; i < self->n_nodes; i++)
    into[i] = G_MAXUINT;
  for (guint i = 0; i < self->n_edges; i++)
    {
      guint from = self->from[i], a = self->to[i], b;

      if (self->items[from].computes || from == a)
        continue;
      b = into[from];
      into[from] = self->items[a].parent;
      while (b != G_MAXUINT && b != into[from])
        {
          guint *deeper = depth_of (self, b) >= depth_of (self, into[from]) ? &b : &into[from];

          *deeper = self->items[*deeper].parent;
        }
    }
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < self->n_nodes; i++)
      {
        guint at = into[i], home = self->items[i].parent;

        while (at != G_MAXUINT && at != home && at + 1 < self->n_items)
          at = self->items[at].parent;
        if (at != home || into[i] == home)
          continue;
        if (pass == 0)
          n[home]++;
        else if (n[home] > MOST_OUTSIDE)
          self->items[i].parent = into[i];
      }
}

/* ---- layers of one block ----------------------------------------------------------------------- */

static void
part_clear (LsLayeredPart *part)
{
  g_free (part->start);
  g_free (part->users);
  g_free (part->off);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LsLayeredPart, part_clear)

/* How far right of the middle of `item`, in which it is, the middle of a node is. */
static double
off_middle (const LsLayered *self,
            guint            node,
            guint            item)
{
  double x = self->items[node].box.width / 2.0;

  for (guint at = node; at != item; at = self->items[at].parent)
    x += self->items[at].box.x;
  return x - self->items[item].box.width / 2.0;
}

/* `number`: of items, in their block. */
static void
read_part (LsLayered     *self,
           LsLayeredPart *part,
           const guint   *number)
{
  g_autofree guint *at = g_new0 (guint, part->n + 1);

  part->start = g_new0 (guint, part->n + 2);
  part->users = g_new0 (guint, part->n_links + 1);
  part->off = g_new0 (double, part->n_links + 1);
  for (guint i = 0; i < part->n_links; i++)
    part->start[number[self->links[part->links[i]].from] + 1]++;
  for (guint i = 0; i < part->n; i++)
    part->start[i + 1] += part->start[i];
  for (guint i = 0; i < part->n_links; i++)
    {
      const LsLayeredLink *link = &self->links[part->links[i]];
      guint place = part->start[number[link->from]] + at[number[link->from]]++;

      part->users[place] = number[link->to];
      part->off[place] = off_middle (self, self->from[part->links[i]], link->from) - off_middle (self, self->to[part->links[i]], link->to);
    }
}

/* What is made of values from outside only, for one user (a weight in another shape), stands right above it and not at the top: in the order of `ready`,
 * which has what is used before what uses it. */
static void
sink (LsLayered     *self,
      LsLayeredPart *part,
      const guint   *ready)
{
  g_autofree gboolean *heavy = g_new0 (gboolean, part->n + 1);

  for (guint k = 0; k < part->n; k++)
    {
      guint at = ready[k];
      gboolean light = !heavy[at] && (part->start[at + 1] - part->start[at] == 1 || !self->items[part->items[at]].computes);

      for (guint i = part->start[at]; !light && i < part->start[at + 1]; i++)
        heavy[part->users[i]] = TRUE;
      heavy[at] = !light || !self->items[part->items[at]].computes;
      self->items[part->items[at]].pull = !light ? 1.0 : MIN (self->items[part->items[at]].pull + LS_LAYERED_OUTSIDE, 1.0);
      for (guint i = part->start[at]; i < part->start[at + 1]; i++)
        self->items[part->items[part->users[i]]].pull += self->items[part->items[at]].pull;
    }
  for (guint k = part->n; k-- > 0;)
    if (!heavy[ready[k]])
      {
        LsLayeredItem *item = &self->items[part->items[ready[k]]];
        guint below = self->items[part->items[part->users[part->start[ready[k]]]]].layer;

        item->layer = MAX (item->layer, MAX (below, 1) - 1);
      }
}

static void
find_layers (LsLayered     *self,
             LsLayeredPart *part)
{
  g_autofree guint *waits = g_new0 (guint, part->n + 1), *ready = g_new0 (guint, part->n + 1);
  g_autofree gboolean *is_taken = g_new0 (gboolean, part->n + 1);
  guint n = 0, next = 0;

  for (guint i = 0; i < part->n_links; i++)
    waits[part->users[i]]++;
  for (guint i = 0; i < part->n; i++)
    if (waits[i] == 0)
      {
        is_taken[i] = TRUE;
        ready[n++] = i;
      }
  for (guint done = 0; done < part->n; done++)
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
      for (guint i = part->start[at]; i < part->start[at + 1]; i++)
        {
          guint to = part->users[i];

          if (is_taken[to])
            continue;
          self->items[part->items[to]].layer = MAX (self->items[part->items[to]].layer, self->items[part->items[at]].layer + 1);
          if (--waits[to] == 0)
            {
              is_taken[to] = TRUE;
              ready[n++] = to;
            }
        }
    }
  sink (self, part, ready);
  for (guint i = 0; i < part->n; i++)     /* what comes from outside stands right above what uses it */
    if (!self->items[part->items[i]].computes && part->start[i] < part->start[i + 1])
      {
        guint least = G_MAXUINT;

        for (guint k = part->start[i]; k < part->start[i + 1]; k++)
          least = MIN (least, self->items[part->items[part->users[k]]].layer);
        self->items[part->items[i]].layer = MAX (least, 1) - 1;
      }
}

/* ---- one block after the other --------------------------------------------------------------- */

/* Does a line of it need room on the right of its last column? */
static gboolean
has_long (const LsLayered     *self,
          const LsLayeredPart *part)
{
  for (guint i = 0; i < part->n_links; i++)
    {
      const LsLayeredItem *from = &self->items[self->links[part->links[i]].from], *to = &self->items[self->links[part->links[i]].to];

      if (from->column + 1 == self->columns->len && to->column == from->column && to->row > from->row + 1)
        return TRUE;
    }
  return FALSE;
}

/* Places what is in a block, whose upper left corner is (0, 0) from then on, and finds the size of the block. */
static void
place_block (LsLayered     *self,
             LsLayeredPart *part,
             const guint   *number,
             guint          at,
             const double  *label_widths)
{
  LsLayeredItem *block = &self->items[part->block];
  gboolean is_whole = part->block + 1 == self->n_items, only_blocks = TRUE, holds_block = FALSE;
  double padding = is_whole ? 0.0 : LS_LAYERED_PADDING, around, width, height;

  block->first_row = self->rows->len;
  block->first_column = self->columns->len;
  for (guint i = 0; i < part->n; i++)
    {
      only_blocks &= part->items[i] >= self->n_nodes;
      holds_block |= part->items[i] >= self->n_nodes;
    }
  read_part (self, part, number);
  if (is_whole && only_blocks && part->n_links == 0)
    {
      ls_layered_place_shelves (self, at, at + part->n, &width, &height);
    }
  else
    {
      find_layers (self, part);
      ls_layered_place_rows (self, part, number, at, at + part->n, label_widths);
      ls_layered_place_columns (self, block->first_row, holds_block, &width, &height);
    }
  block->last_row = self->rows->len;
  block->last_column = self->columns->len;
  if (part->n == 0)
    {
      block->box = (LsLayeredBox) { 0.0, 0.0, 0.0, 0.0 };
      return;
    }
  around = self->columns->len > block->first_column + 1 ? MAX (padding, AROUND) : padding;
  for (guint i = at; i < at + part->n; i++)
    {
      self->items[self->order[i]].box.x += padding;
      self->items[self->order[i]].box.y += around + block->over;
    }
  for (guint i = block->first_row; i < block->last_row; i++)
    ls_layered_row (self, i)->y += around + block->over;
  for (guint i = block->first_column; i < block->last_column; i++)
    {
      ls_layered_column (self, i)->left += padding;
      ls_layered_column (self, i)->right += padding;
    }
  block->box.width = MAX (block->box.width, width + 2.0 * padding + (has_long (self, part) ? LINES : 0.0));
  block->box.height = height + 2.0 * around + block->over + block->under;
}

/* What is in each block, one after the other, and where its items and its links begin: counted, so that all of it is linear. */
static void
place_blocks (LsLayered    *self,
              const double *label_widths)
{
  guint n_blocks = self->n_clusters + 1, first = self->n_nodes;
  g_autofree guint *start = g_new0 (guint, n_blocks + 2), *at = g_new0 (guint, n_blocks + 1), *number = g_new0 (guint, self->n_items);
  g_autofree guint *items = g_new0 (guint, self->n_items), *link_start = g_new0 (guint, n_blocks + 2), *links = g_new0 (guint, self->n_edges + 1);
  g_autofree gboolean *holds = g_new0 (gboolean, self->n_items);        /* a node, or a cluster with one in it */

  for (guint i = 0; i < self->n_nodes; i++)
    for (guint at_item = i; !holds[at_item]; at_item = self->items[at_item].parent)
      {
        holds[at_item] = TRUE;
        if (at_item + 1 == self->n_items)
          break;
      }

  for (guint i = 0; i + 1 < self->n_items; i++)
    if (holds[i])
      start[self->items[i].parent - first + 1]++;
  for (guint i = 0; i < n_blocks; i++)
    start[i + 1] += start[i];
  for (guint i = 0; i + 1 < self->n_items; i++)
    {
      guint block = self->items[i].parent - first;

      if (!holds[i])
        continue;
      number[i] = at[block];
      items[start[block] + at[block]++] = i;
    }
  for (guint i = 0; i < self->n_edges; i++)
    {
      guint a = self->from[i], b = self->to[i];

      self->links[i].block = a != b ? find_common (self, &a, &b) : G_MAXUINT;
      self->links[i].from = a;
      self->links[i].to = b;
      if (a != b)
        link_start[self->links[i].block - first + 1]++;
    }
  for (guint i = 0; i < n_blocks; i++)
    {
      link_start[i + 1] += link_start[i];
      at[i] = link_start[i];
    }
  for (guint i = 0; i < self->n_edges; i++)
    if (self->links[i].block != G_MAXUINT)
      links[at[self->links[i].block - first]++] = i;
  for (guint i = 0; i < start[n_blocks]; i++)
    self->order[i] = items[i];
  for (guint k = 0; k < n_blocks; k++)          /* the innermost first: a cluster has a higher number than what is around it; the whole has the highest */
    {
      guint block = k + 1 < n_blocks ? n_blocks - 2 - k : n_blocks - 1;
      g_auto (LsLayeredPart) part = { first + block, items + start[block], start[block + 1] - start[block], links + link_start[block], link_start[block + 1] - link_start[block], NULL, NULL, NULL };

      place_block (self, &part, number, start[block], label_widths);
    }
}

/* From places in what is around to places in the whole. */
static void
put_in_whole (LsLayered *self)
{
  for (guint k = 0; k <= self->n_clusters; k++)
    {
      guint at = k == 0 ? self->n_items - 1 : self->n_nodes + k - 1;
      LsLayeredItem *block = &self->items[at];

      if (k > 0)
        {
          block->box.x += self->items[block->parent].box.x;
          block->box.y += self->items[block->parent].box.y;
        }
      for (guint i = block->first_row; i < block->last_row; i++)
        ls_layered_row (self, i)->y += block->box.y;
      for (guint i = block->first_column; i < block->last_column; i++)
        {
          ls_layered_column (self, i)->left += block->box.x;
          ls_layered_column (self, i)->right += block->box.x;
        }
    }
  for (guint i = 0; i < self->n_nodes; i++)
    {
      self->items[i].box.x += self->items[self->items[i].parent].box.x;
      self->items[i].box.y += self->items[self->items[i].parent].box.y;
    }
}

/* ---- answer ---------------------------------------------------------------------------- */

/* Rows of `n` numbers as one block: value by value, a graph with many lines would spend its time on making and freeing them. */
static GVariant *
rows_variant (const char *type,
              GArray     *numbers,
              guint       n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE (type), numbers->data, numbers->len / n, n * sizeof (double));
}

static void
add_point (GArray *numbers,
           double  x,
           double  y)
{
  g_array_append_val (numbers, x);
  g_array_append_val (numbers, y);
}

static GVariant *
boxes_variant (const LsLayeredItem *items,
               guint                n)
{
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < n; i++)
    {
      add_point (numbers, items[i].box.x, items[i].box.y);
      add_point (numbers, items[i].box.width, items[i].box.height);
    }
  return rows_variant ("(dddd)", numbers, 4);
}

static gboolean
is_chain (const LsLayered *self,
          guint            edge)
{
  return self->n_in[self->to[edge]] == 1 && self->n_out[self->from[edge]] == 1;
}

/* Beside the line of a chain, where nothing else can be; -1: it gets no place. */
static void
put_label (LsLayered *self,
           guint      i,
           GVariant  *sizes,
           GArray    *labels)
{
  const LsLayeredBox *from = &self->items[self->from[i]].box, *to = &self->items[self->to[i]].box;
  double width = 0.0, height = 0.0, gap = to->y - from->y - from->height;

  if (sizes != NULL && i < g_variant_n_children (sizes))
    g_variant_get_child (sizes, i, "(dd)", &width, &height);
  if (width <= 0.0 || !is_chain (self, i) || gap < height || gap > 2.0 * LS_LAYERED_GAP_Y)
    add_point (labels, -1.0, -1.0);
  else
    add_point (labels, (from->x + from->width / 2.0 + to->x + to->width / 2.0) / 2.0 + width / 2.0 + LS_LAYERED_BESIDE, from->y + from->height + gap / 2.0);
}

static void
put_lines (LsLayered    *self,
           GVariant     *sizes,
           GVariantDict *dict)
{
  g_autofree guint32 *counts = g_new0 (guint32, self->n_edges + 1);
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (double)), labels = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < self->n_edges; i++)
    {
      g_autoptr (GArray) line = ls_layered_line (self, i);

      put_label (self, i, sizes, labels);
      counts[i] = line->len;
      for (guint k = 0; k < line->len; k++)
        add_point (points, g_array_index (line, LsGraphPoint, k).x, g_array_index (line, LsGraphPoint, k).y);
    }
  g_variant_dict_insert_value (dict, "counts", g_variant_new_fixed_array (G_VARIANT_TYPE_UINT32, counts, self->n_edges, sizeof *counts));
  g_variant_dict_insert_value (dict, "points", rows_variant ("(dd)", points, 2));
  g_variant_dict_insert_value (dict, "labels", rows_variant ("(dd)", labels, 2));
}

/* Of each node, the width of the label of a line that alone leaves it. (transfer full) */
static double *
find_label_widths (LsLayered *self,
                   GVariant  *sizes)
{
  double *widths = g_new0 (double, self->n_nodes + 1);

  for (guint i = 0; sizes != NULL && i < MIN (self->n_edges, g_variant_n_children (sizes)); i++)
    {
      double width, height;

      g_variant_get_child (sizes, i, "(dd)", &width, &height);
      if (is_chain (self, i))
        widths[self->from[i]] = width;
    }
  return widths;
}

GVariant *
ls_layout_layered (GVariant *sizes,
                   GVariant *homes,
                   GVariant *edges,
                   GVariant *parents,
                   GVariant *labels,
                   GVariant *titles)
{
  g_auto (LsLayered) self = { .rows = g_array_new (FALSE, FALSE, sizeof (LsLayeredRow)), .columns = g_array_new (FALSE, FALSE, sizeof (LsLayeredColumn)) };
  g_autofree double *label_widths = NULL;
  const LsLayeredBox *whole;
  GVariantDict dict;

  if (!read_input (&self, sizes, homes, edges, parents, titles))
    return NULL;
  label_widths = find_label_widths (&self, labels);
  move_in (&self);
  place_blocks (&self, label_widths);
  put_in_whole (&self);
  whole = &self.items[self.n_items - 1].box;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "boxes", boxes_variant (self.items, self.n_nodes));
  g_variant_dict_insert_value (&dict, "frames", boxes_variant (self.items + self.n_nodes, self.n_clusters));
  put_lines (&self, labels, &dict);
  g_variant_dict_insert (&dict, "width", "d", whole->width);
  g_variant_dict_insert (&dict, "height", "d", whole->height);
  return g_variant_dict_end (&dict);
}
