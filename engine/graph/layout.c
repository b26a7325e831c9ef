/* layout: request and answer as GVariants: arrays of numbers, no names, so that 10,000 nodes stay small. */
#include "engine/graph/layout-make.h"

#define MOST_POINTS 10000        /* of one line: more is no answer */
#define BOW 25.0f                /* how far a line goes straight at its ends, at least; */
#define LONGEST_BOW 200.0f
#define ROUND 45.0f              /* and where it goes up */

static GVariant *
sizes_variant (const LsGraphSize *sizes,
               guint              n)
{
  g_autofree double *numbers = g_new (double, 2 * (gsize) n + 1);

  for (guint i = 0; sizes != NULL && i < n; i++)
    {
      numbers[2 * i] = (double) sizes[i].width;
      numbers[2 * i + 1] = (double) sizes[i].height;
    }
  return g_variant_new_fixed_array (G_VARIANT_TYPE ("(dd)"), numbers, sizes != NULL ? n : 0, 2 * sizeof *numbers);
}

GVariant *
ls_graph_layout_request (LsGraph           *graph,
                         const LsGraphSize *nodes,
                         const LsGraphSize *labels,
                         const LsGraphSize *titles)
{
  g_autofree guint32 *edges = g_new (guint32, 2 * (gsize) graph->edges->len + 1);
  g_autofree gint32 *parents = g_new (gint32, graph->clusters->len + 1), *homes = g_new (gint32, graph->nodes->len + 1);
  GVariantDict dict;

  for (guint i = 0; i < graph->edges->len; i++)
    {
      edges[2 * i] = ls_graph_edge (graph, i)->from;
      edges[2 * i + 1] = ls_graph_edge (graph, i)->to;
    }
  for (guint i = 0; i < graph->clusters->len; i++)
    parents[i] = ls_graph_cluster (graph, i)->parent;
  for (guint i = 0; i < graph->nodes->len; i++)
    homes[i] = ls_graph_node (graph, i)->cluster;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "nodes", sizes_variant (nodes, graph->nodes->len));
  g_variant_dict_insert_value (&dict, "homes", g_variant_new_fixed_array (G_VARIANT_TYPE_INT32, homes, graph->nodes->len, sizeof *homes));
  g_variant_dict_insert_value (&dict, "edges", g_variant_new_fixed_array (G_VARIANT_TYPE ("(uu)"), edges, graph->edges->len, 2 * sizeof *edges));
  g_variant_dict_insert_value (&dict, "clusters", g_variant_new_fixed_array (G_VARIANT_TYPE_INT32, parents, graph->clusters->len, sizeof *parents));
  if (labels != NULL)
    g_variant_dict_insert_value (&dict, "labels", sizes_variant (labels, graph->edges->len));
  if (titles != NULL)
    g_variant_dict_insert_value (&dict, "titles", sizes_variant (titles, graph->clusters->len));
  return g_variant_dict_end (&dict);
}

/* ---- answer ------------------------------------------------------------------------ */

/* `width` numbers of each of `n` rows, which live as long as `rows`; NULL: there are not so many. */
static const double *
read_rows (GVariant   *answer,
           const char *name,
           const char *type,
           guint       width,
           guint       n,
           GVariant  **rows)
{
  static const double none = 0.0;
  gsize found = 0;
  const double *numbers;

  *rows = g_variant_lookup_value (answer, name, G_VARIANT_TYPE (type));
  if (*rows == NULL)
    return NULL;
  numbers = g_variant_get_fixed_array (*rows, &found, width * sizeof (double));
  if (found != n)
    return NULL;
  return numbers != NULL ? numbers : &none;
}

static gboolean
read_boxes (GVariant   *answer,
            const char *name,
            guint       n,
            LsGraphBox *boxes)
{
  g_autoptr (GVariant) rows = NULL;
  const double *numbers = read_rows (answer, name, "a(dddd)", 4, n, &rows);

  for (guint i = 0; numbers != NULL && i < n; i++, numbers += 4)
    boxes[i] = (LsGraphBox) { (float) numbers[0], (float) numbers[1], (float) numbers[2], (float) numbers[3] };
  return numbers != NULL;
}

static gboolean
read_points (GVariant      *answer,
             const char    *name,
             guint          n,
             LsGraphPoint  *points)
{
  g_autoptr (GVariant) rows = NULL;
  const double *numbers = read_rows (answer, name, "a(dd)", 2, n, &rows);

  for (guint i = 0; numbers != NULL && i < n; i++, numbers += 2)
    points[i] = (LsGraphPoint) { (float) numbers[0], (float) numbers[1] };
  return numbers != NULL;
}

static gboolean
read_lines (LsGraphLayout *self,
            GVariant      *answer)
{
  g_autoptr (GVariant) counts = g_variant_lookup_value (answer, "counts", G_VARIANT_TYPE ("au"));
  gsize found = 0;
  const guint32 *numbers = counts != NULL ? g_variant_get_fixed_array (counts, &found, sizeof *numbers) : NULL;

  if (counts == NULL || found != self->n_edges)
    return FALSE;
  for (guint i = 0; i < self->n_edges; i++)
    {
      if (numbers[i] > MOST_POINTS)
        return FALSE;
      self->start[i + 1] = self->start[i] + numbers[i];
    }
  self->points = g_new0 (LsGraphPoint, (gsize) self->start[self->n_edges] + 1);
  return read_points (answer, "points", self->start[self->n_edges], self->points);
}

LsGraphLayout *
ls_graph_layout_new (LsGraph *graph)
{
  LsGraphLayout *self = g_new0 (LsGraphLayout, 1);

  self->n_nodes = graph->nodes->len;
  self->n_clusters = graph->clusters->len;
  self->n_edges = graph->edges->len;
  self->nodes = g_new0 (LsGraphBox, self->n_nodes + 1);
  self->clusters = g_new0 (LsGraphBox, self->n_clusters + 1);
  self->start = g_new0 (guint, self->n_edges + 1);
  self->labels = g_new0 (LsGraphPoint, self->n_edges + 1);
  return self;
}

LsGraphLayout *
ls_graph_layout_read (GVariant  *answer,
                      LsGraph   *graph,
                      GError   **error)
{
  g_autoptr (LsGraphLayout) self = ls_graph_layout_new (graph);
  double width = 0.0, height = 0.0;

  g_variant_lookup (answer, "width", "d", &width);
  g_variant_lookup (answer, "height", "d", &height);
  self->width = (float) width;
  self->height = (float) height;
  if (read_boxes (answer, "boxes", self->n_nodes, self->nodes) && read_boxes (answer, "frames", self->n_clusters, self->clusters)
      && read_points (answer, "labels", self->n_edges, self->labels) && read_lines (self, answer))
    return g_steal_pointer (&self);
  g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_LAYOUT, ls_translate ("The layout does not fit the graph."));
  return NULL;
}

LsGraphLayout *
ls_graph_layout_copy (const LsGraphLayout *self)
{
  LsGraphLayout *copy = g_memdup2 (self, sizeof *self);
  guint n_points = self->start[self->n_edges];

  copy->nodes = g_memdup2 (self->nodes, (self->n_nodes + 1) * sizeof *copy->nodes);
  copy->clusters = g_memdup2 (self->clusters, (self->n_clusters + 1) * sizeof *copy->clusters);
  copy->start = g_memdup2 (self->start, (self->n_edges + 1) * sizeof *copy->start);
  copy->labels = g_memdup2 (self->labels, (self->n_edges + 1) * sizeof *copy->labels);
  copy->points = g_new (LsGraphPoint, (gsize) n_points + 1);
  for (guint i = 0; i < n_points; i++)
    copy->points[i] = self->points[i];
  return copy;
}

void
ls_graph_layout_free (LsGraphLayout *self)
{
  if (self == NULL)
    return;
  g_free (self->nodes);
  g_free (self->clusters);
  g_free (self->start);
  g_free (self->points);
  g_free (self->labels);
  g_free (self);
}

/* ---- lines --------------------------------------------------------------------------------- */

void
ls_graph_layout_bow (const LsGraphBox *from,
                     const LsGraphBox *to,
                     LsGraphPoint      points[4])
{
  float x = from->x + from->width / 2.0f, y = from->y + from->height, to_x = to->x + to->width / 2.0f;
  float bow = to->y < y ? ROUND : MAX (BOW, MIN ((to->y - y) / 2.0f, LONGEST_BOW));

  points[0] = (LsGraphPoint) { x, y };
  points[1] = (LsGraphPoint) { x, y + bow };
  points[2] = (LsGraphPoint) { to_x, to->y - bow };
  points[3] = (LsGraphPoint) { to_x, to->y };
}

/* ---- places that are kept ----------------------------------------------------------------- */

static LsGraphPoint
middle_of (const LsGraphBox *box)
{
  return (LsGraphPoint) { box->x + box->width / 2.0f, box->y + box->height / 2.0f };
}

GHashTable *
ls_graph_layout_places (const LsGraphLayout *self,
                        LsGraph             *graph)
{
  GHashTable *places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < MIN (self->n_nodes, graph->nodes->len); i++)
    {
      LsGraphPoint at = middle_of (&self->nodes[i]);

      g_hash_table_insert (places, g_strdup (ls_graph_node (graph, i)->key), g_memdup2 (&at, sizeof at));
    }
  return places;
}

static gint
by_size (gconstpointer a,
         gconstpointer b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

static float
middle_one (GArray *values)
{
  g_array_sort (values, by_size);
  return values->len > 0 ? g_array_index (values, float, values->len / 2) : 0.0f;
}

guint
ls_graph_layout_shift (const LsGraphLayout *self,
                       LsGraph             *graph,
                       GHashTable          *places,
                       float               *dx,
                       float               *dy)
{
  g_autoptr (GArray) across = g_array_new (FALSE, FALSE, sizeof (float));
  g_autoptr (GArray) down = g_array_new (FALSE, FALSE, sizeof (float));

  for (guint i = 0; i < MIN (self->n_nodes, graph->nodes->len); i++)
    {
      const LsGraphPoint *old = g_hash_table_lookup (places, ls_graph_node (graph, i)->key);
      LsGraphPoint at = middle_of (&self->nodes[i]);

      if (old == NULL)
        continue;
      at.x -= old->x;
      at.y -= old->y;
      g_array_append_val (across, at.x);
      g_array_append_val (down, at.y);
    }
  *dx = middle_one (across);
  *dy = middle_one (down);
  return across->len;
}
