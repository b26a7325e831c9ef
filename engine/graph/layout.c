/* layout: request and answer as GVariants: arrays of numbers, no names, so that 10,000 nodes stay small. */
#include "engine/graph/layout.h"

static GVariant *
sizes_variant (const LsGraphSize *sizes,
               guint              n)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(dd)"));
  for (guint i = 0; sizes != NULL && i < n; i++)
    g_variant_builder_add (&builder, "(dd)", (double) sizes[i].width, (double) sizes[i].height);
  return g_variant_builder_end (&builder);
}

GVariant *
ls_graph_layout_request (LsGraph           *graph,
                         const LsGraphSize *nodes,
                         const LsGraphSize *labels,
                         const LsGraphSize *titles)
{
  GVariantBuilder edges, parents, homes;
  GVariantDict dict;

  g_variant_builder_init (&edges, G_VARIANT_TYPE ("a(uu)"));
  for (guint i = 0; i < graph->edges->len; i++)
    g_variant_builder_add (&edges, "(uu)", ls_graph_edge (graph, i)->from, ls_graph_edge (graph, i)->to);
  g_variant_builder_init (&parents, G_VARIANT_TYPE ("ai"));
  for (guint i = 0; i < graph->clusters->len; i++)
    g_variant_builder_add (&parents, "i", ls_graph_cluster (graph, i)->parent);
  g_variant_builder_init (&homes, G_VARIANT_TYPE ("ai"));
  for (guint i = 0; i < graph->nodes->len; i++)
    g_variant_builder_add (&homes, "i", ls_graph_node (graph, i)->cluster);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "nodes", sizes_variant (nodes, graph->nodes->len));
  g_variant_dict_insert_value (&dict, "homes", g_variant_builder_end (&homes));
  g_variant_dict_insert_value (&dict, "edges", g_variant_builder_end (&edges));
  g_variant_dict_insert_value (&dict, "clusters", g_variant_builder_end (&parents));
  if (labels != NULL)
    g_variant_dict_insert_value (&dict, "labels", sizes_variant (labels, graph->edges->len));
  if (titles != NULL)
    g_variant_dict_insert_value (&dict, "titles", sizes_variant (titles, graph->clusters->len));
  return g_variant_dict_end (&dict);
}

/* ---- answer ------------------------------------------------------------------------ */

static gboolean
read_boxes (GVariant   *answer,
            const char *name,
            guint       n,
            LsGraphBox *boxes)
{
  g_autoptr (GVariant) rows = g_variant_lookup_value (answer, name, G_VARIANT_TYPE ("a(dddd)"));

  if (rows == NULL || g_variant_n_children (rows) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      double x, y, width, height;

      g_variant_get_child (rows, i, "(dddd)", &x, &y, &width, &height);
      boxes[i] = (LsGraphBox) { (float) x, (float) y, (float) width, (float) height };
    }
  return TRUE;
}

static gboolean
read_points (GVariant      *answer,
             const char    *name,
             guint          n,
             LsGraphPoint  *points)
{
  g_autoptr (GVariant) rows = g_variant_lookup_value (answer, name, G_VARIANT_TYPE ("a(dd)"));

  if (rows == NULL || g_variant_n_children (rows) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      double x, y;

      g_variant_get_child (rows, i, "(dd)", &x, &y);
      points[i] = (LsGraphPoint) { (float) x, (float) y };
    }
  return TRUE;
}

static gboolean
read_lines (LsGraphLayout *self,
            GVariant      *answer)
{
  g_autoptr (GVariant) counts = g_variant_lookup_value (answer, "counts", G_VARIANT_TYPE ("au"));

  if (counts == NULL || g_variant_n_children (counts) != self->n_edges)
    return FALSE;
  for (guint i = 0; i < self->n_edges; i++)
    {
      guint n;

      g_variant_get_child (counts, i, "u", &n);
      self->start[i + 1] = self->start[i] + n;
    }
  self->points = g_new0 (LsGraphPoint, self->start[self->n_edges] + 1);
  return read_points (answer, "points", self->start[self->n_edges], self->points);
}

LsGraphLayout *
ls_graph_layout_read (GVariant  *answer,
                      LsGraph   *graph,
                      GError   **error)
{
  g_autoptr (LsGraphLayout) self = g_new0 (LsGraphLayout, 1);
  double width = 0.0, height = 0.0;

  self->n_nodes = graph->nodes->len;
  self->n_clusters = graph->clusters->len;
  self->n_edges = graph->edges->len;
  self->nodes = g_new0 (LsGraphBox, self->n_nodes + 1);
  self->clusters = g_new0 (LsGraphBox, self->n_clusters + 1);
  self->start = g_new0 (guint, self->n_edges + 1);
  self->labels = g_new0 (LsGraphPoint, self->n_edges + 1);
  g_variant_lookup (answer, "width", "d", &width);
  g_variant_lookup (answer, "height", "d", &height);
  self->width = (float) width;
  self->height = (float) height;
  if (read_boxes (answer, "boxes", self->n_nodes, self->nodes) && read_boxes (answer, "frames", self->n_clusters, self->clusters)
      && read_points (answer, "labels", self->n_edges, self->labels) && read_lines (self, answer))
    return g_steal_pointer (&self);
  g_set_error_literal (error, LS_GRAPH_ERROR, LS_GRAPH_ERROR_LAYOUT, "The layout does not fit the graph.");
  return NULL;
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
