/* keep: see the header.  What is the same is found in keep-match, what is new gets its place in keep-place or keep-part, and where a group was opened or
 * closed keep-open moves what is around it.
 */
#include "engine/graph/keep-private.h"

#include "engine/graph/layout-make.h"

#include <math.h>
#include <string.h>

#define GAP 8.0f                /* that a node leaves when it grows */
#define LABEL_GAP 4.0f
#define LABEL (G_MAXUINT - 1)    /* the number of a label among what stands there */

/* (transfer full), of `n`; NULL: there are none of this name. */
static LsGraphSize *
read_sizes (GVariant   *request,
            const char *name,
            guint       n)
{
  g_autoptr (GVariant) rows = g_variant_lookup_value (request, name, G_VARIANT_TYPE ("a(dd)"));
  LsGraphSize *sizes;
  gsize found = 0;
  const double *numbers = rows != NULL ? g_variant_get_fixed_array (rows, &found, 2 * sizeof (double)) : NULL;

  if (rows == NULL || found != n)
    return NULL;
  sizes = g_new0 (LsGraphSize, n + 1);
  for (guint i = 0; i < n; i++)
    sizes[i] = (LsGraphSize) { (float) numbers[2 * i], (float) numbers[2 * i + 1] };
  return sizes;
}

/* ---- what stays --------------------------------------------------------------------------- */

/* As large as it is to be, or as its neighbours let it be; its middle stays. */
static void
grow (LsGraphKept *self,
      guint        place)
{
  const LsGraphBox old = self->old->nodes[self->was[place]];
  LsGraphSize wish = self->sizes[place];

  for (guint part = 0; part <= 4; part++)       /* all of it, three fourths of what is missing and so on */
    {
      float share = 1.0f - (float) part / 4.0f;
      float width = part == 0 || wish.width < old.width ? wish.width : roundf (old.width + (wish.width - old.width) * share);
      float height = part == 0 || wish.height < old.height ? wish.height : roundf (old.height + (wish.height - old.height) * share);
      LsGraphBox box = { old.x + (old.width - width) / 2.0f, old.y + (old.height - height) / 2.0f, width, height };

      if (part < 4 && (box.x < 0.0f || box.y < 0.0f || ((width > old.width || height > old.height) && !ls_graph_room_is_free (self->room, &box, GAP, place))))
        continue;
      self->layout->nodes[place] = box;
      return;
    }
}

static gboolean
same_size (const LsGraphBox  *box,
           const LsGraphSize *size)
{
  return fabsf (box->width - size->width) < 0.6f && fabsf (box->height - size->height) < 0.6f;
}

/* The old ones all first, so that who grows sees them; who grew stands there once more. */
static void
place_what_stays (LsGraphKept *self)
{
  for (guint i = 0; i < self->layout->n_nodes; i++)
    if (self->way[i] == LS_GRAPH_KEPT_STAYS && self->was[i] >= 0)
      {
        self->layout->nodes[i] = self->old->nodes[self->was[i]];
        ls_graph_room_add (self->room, &self->layout->nodes[i], i);
      }
  for (guint i = 0; i < self->layout->n_nodes; i++)
    if (self->way[i] == LS_GRAPH_KEPT_STAYS && self->was[i] >= 0 && !same_size (&self->layout->nodes[i], &self->sizes[i]))
      {
        grow (self, i);
        ls_graph_room_add (self->room, &self->layout->nodes[i], i);
      }
  if (self->closed >= 0)
    {
      LsGraphSize size = self->sizes[self->closed];

      self->layout->nodes[self->closed] = (LsGraphBox) { roundf (self->gap.x + (self->gap.width - size.width) / 2.0f), self->gap.y, size.width, size.height };
      ls_graph_room_add (self->room, &self->layout->nodes[self->closed], (guint) self->closed);
    }
  for (guint i = 0; i < self->layout->n_clusters; i++)
    if (self->cluster_was[i] >= 0)
      self->layout->clusters[i] = self->old->clusters[self->cluster_was[i]];
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* What tells an edge apart from others between the same nodes, as the series does. */
typedef struct {
  guint       from, to, kind;
  const char *label;
} LineKey;

static LineKey
line_key (const LsGraphEdge *edge,
          guint              from,
          guint              to)
{
  return (LineKey) { from, to, edge->kind, edge->kind == LS_GRAPH_EDGE_FLOW || edge->label == NULL ? "" : edge->label };
}

static guint
hash_line (gconstpointer data)
{
  const LineKey *key = data;

  return (key->from * 2654435761u) ^ (key->to * 40503u) ^ key->kind ^ g_str_hash (key->label);
}

static gboolean
same_line (gconstpointer a,
           gconstpointer b)
{
  const LineKey *one = a, *two = b;

  return one->from == two->from && one->to == two->to && one->kind == two->kind && strcmp (one->label, two->label) == 0;
}

/* Those between nodes that stay; their labels stand there too. */
static void
match_lines (LsGraphKept *self)
{
  LsGraph *old = self->before->whole, *whole = self->after->whole;
  g_autoptr (GHashTable) known = g_hash_table_new (hash_line, same_line);
  g_autofree LineKey *keys = g_new (LineKey, old->edges->len + 1);

  for (guint i = 0; i < old->edges->len; i++)
    {
      keys[i] = line_key (ls_graph_edge (old, i), ls_graph_edge (old, i)->from, ls_graph_edge (old, i)->to);
      g_hash_table_insert (known, &keys[i], GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < whole->edges->len; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (whole, i);
      guint ends[] = { edge->from, edge->to };
      gboolean stays = TRUE;

      for (guint k = 0; k < 2; k++)
        stays &= self->way[ends[k]] == LS_GRAPH_KEPT_STAYS && self->was[ends[k]] >= 0 && memcmp (&self->layout->nodes[ends[k]], &self->old->nodes[self->was[ends[k]]], sizeof (LsGraphBox)) == 0;
      self->lines[i] = -1;
      if (stays)
        {
          LineKey key = line_key (edge, (guint) self->was[edge->from], (guint) self->was[edge->to]);

          self->lines[i] = (gint) GPOINTER_TO_UINT (g_hash_table_lookup (known, &key)) - 1;
        }
      if (self->lines[i] >= 0 && self->labels != NULL && self->old->labels[self->lines[i]].x >= 0.0f)
        {
          const LsGraphPoint *at = &self->old->labels[self->lines[i]];
          LsGraphBox box = { at->x - self->labels[i].width / 2.0f, at->y - self->labels[i].height / 2.0f, self->labels[i].width, self->labels[i].height };

          ls_graph_room_add (self->room, &box, LABEL);
        }
    }
}

static void
put_points (GArray             *points,
            LsGraphLayout      *layout,
            guint               edge,
            const LsGraphPoint *from,
            guint               n)
{
  g_array_append_vals (points, from, n);
  layout->start[edge + 1] = points->len;
}

/* Beside its line, where nothing stands. */
static void
put_label (LsGraphKept        *self,
           guint               edge,
           const LsGraphSize  *label,
           const LsGraphPoint *line)
{
  float x = (line[0].x + 3.0f * line[1].x + 3.0f * line[2].x + line[3].x) / 8.0f, y = (line[0].y + 3.0f * line[1].y + 3.0f * line[2].y + line[3].y) / 8.0f;
  LsGraphBox box = { x + LABEL_GAP, y - label->height / 2.0f, label->width, label->height };

  if (label->width <= 0.0f || !ls_graph_room_is_free (self->room, &box, 1.0f, G_MAXUINT))
    return;
  self->layout->labels[edge] = (LsGraphPoint) { box.x + box.width / 2.0f, y };
  ls_graph_room_add (self->room, &box, LABEL);
}

/* `part`: of what is apart, moved to where it goes; or NULL. */
static void
put_lines (LsGraphKept   *self,
           LsGraphLayout *part)
{
  LsGraphLayout *layout = self->layout;
  const LsGraphSize *labels = self->labels;
  const gint *lines = self->lines;
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (LsGraphPoint));
  guint in_part = 0;

  self->standing = ls_graph_room_new ();
  for (guint i = 0; i < layout->n_nodes; i++)
    ls_graph_room_add (self->standing, &layout->nodes[i], i);
  for (guint i = 0; i < layout->n_edges; i++)
    {
      const LsGraphEdge *edge = ls_graph_edge (self->after->whole, i);
      const LsGraphLayout *source = part != NULL && self->way[edge->from] == LS_GRAPH_KEPT_APART && self->way[edge->to] == LS_GRAPH_KEPT_APART ? part : lines[i] >= 0 ? self->old : NULL;
      guint at = source == part && part != NULL ? in_part++ : (guint) lines[i];
      LsGraphPoint line[LS_GRAPH_KEPT_LINE];

      layout->labels[i] = (LsGraphPoint) { -1.0f, -1.0f };
      if (source != NULL)
        {
          put_points (points, layout, i, source->points + source->start[at], source->start[at + 1] - source->start[at]);
          if (labels != NULL && labels[i].width > 0.0f)
            layout->labels[i] = source->labels[at];
        }
      else if (edge->from == edge->to)
        layout->start[i + 1] = points->len;
      else
        {
          guint n = ls_graph_kept_route (self, edge, line);

          put_points (points, layout, i, line, n);
          if (labels != NULL)
            put_label (self, i, &labels[i], line + (n - 4) / 2);
        }
    }
  layout->points = (LsGraphPoint *) g_array_free (g_steal_pointer (&points), FALSE);
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* A frame whose nodes are all gone is none. */
static void
drop_empty_frames (LsGraphKept *self)
{
  LsGraph *whole = self->after->whole;
  g_autofree gboolean *holds = g_new0 (gboolean, whole->clusters->len + 1);

  for (guint i = 0; i < whole->nodes->len; i++)
    for (gint c = ls_graph_node (whole, i)->cluster; c >= 0 && !holds[c]; c = ls_graph_cluster (whole, c)->parent)
      holds[c] = TRUE;
  for (guint i = 0; i < whole->clusters->len; i++)
    if (!holds[i])
      self->layout->clusters[i] = (LsGraphBox) { 0, 0, 0, 0 };
}

LsGraphKept *
ls_graph_kept_new (const LsGraphLayout *layout,
                   LsGraphSeries       *before,
                   LsGraphSeries       *after,
                   GVariant            *request)
{
  g_autoptr (LsGraphKept) self = NULL;
  guint n = after->whole->nodes->len, n_clusters = after->whole->clusters->len;

  if (layout->n_nodes != before->whole->nodes->len || layout->n_edges != before->whole->edges->len || layout->n_clusters != before->whole->clusters->len)
    return NULL;
  self = g_new0 (LsGraphKept, 1);
  self->old = ls_graph_layout_copy (layout);
  self->before = ls_graph_series_ref (before);
  self->after = ls_graph_series_ref (after);
  self->was = g_new0 (gint, n + 1);
  self->way = g_new0 (guint8, n + 1);
  self->cluster_was = g_new0 (gint, n_clusters + 1);
  self->in_part = g_new0 (guint, n + n_clusters + 1);
  self->sizes = read_sizes (request, "nodes", n);
  self->titles = read_sizes (request, "titles", n_clusters);
  self->labels = read_sizes (request, "labels", after->whole->edges->len);
  self->lines = g_new0 (gint, after->whole->edges->len + 1);
  self->opened = self->closed = -1;
  if (self->sizes == NULL || !ls_graph_kept_match (self))
    return NULL;
  self->layout = ls_graph_layout_new (after->whole);
  self->layout->height = layout->height;
  self->room = ls_graph_room_new ();
  self->inputs = ls_graph_side (after->whole, FALSE);
  self->users = ls_graph_side (after->whole, TRUE);
  place_what_stays (self);
  match_lines (self);
  if (!ls_graph_kept_place (self))
    return NULL;
  drop_empty_frames (self);
  ls_graph_kept_make_part (self);
  return g_steal_pointer (&self);
}

void
ls_graph_kept_free (LsGraphKept *self)
{
  if (self == NULL)
    return;
  ls_graph_layout_free (self->old);
  ls_graph_layout_free (self->layout);
  ls_graph_series_unref (self->before);
  ls_graph_series_unref (self->after);
  ls_graph_unref (self->part);
  ls_graph_room_free (self->room);
  g_clear_pointer (&self->standing, ls_graph_room_free);
  g_clear_pointer (&self->inputs, ls_graph_side_free);
  g_clear_pointer (&self->users, ls_graph_side_free);
  g_clear_pointer (&self->asked, g_variant_unref);
  g_free (self->was);
  g_free (self->way);
  g_free (self->cluster_was);
  g_free (self->in_part);
  g_free (self->sizes);
  g_free (self->titles);
  g_free (self->labels);
  g_free (self->lines);
  g_free (self);
}

GVariant *
ls_graph_kept_get_request (LsGraphKept *self)
{
  return self->asked;
}

LsGraphLayout *
ls_graph_kept_finish (LsGraphKept *self,
                      GVariant    *answer,
                      GError     **error)
{
  g_autoptr (LsGraphLayout) part = NULL;

  g_return_val_if_fail (self->layout != NULL && (answer != NULL) == (self->asked != NULL), NULL);

  ls_graph_kept_measure (self->layout);
  if (answer != NULL)
    {
      part = ls_graph_layout_read (answer, self->part, error);
      if (part == NULL)
        return NULL;
      ls_graph_kept_place_part (self, part);
    }
  if (self->closed >= 0)
    ls_graph_kept_move (self, self->sizes[self->closed]);
  put_lines (self, part);
  ls_graph_kept_measure (self->layout);
  return g_steal_pointer (&self->layout);
}
