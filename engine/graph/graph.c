/* graph: the nodes, edges and clusters themselves.  Keys are kept unique by a number behind them. */
#include "engine/graph/graph.h"

#include <string.h>

G_DEFINE_QUARK (ls-graph-error-quark, ls_graph_error)

#define FREED_BESIDE 1500        /* nodes */

static const char *const KINDS[] = { "relax", "te", "blocks", "loops", "fx" };

const char *
ls_graph_kind_name (LsGraphKind kind)
{
  return KINDS[kind];
}

gboolean
ls_graph_kind_parse (const char  *name,
                     LsGraphKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (KINDS); i++)
    if (g_strcmp0 (KINDS[i], name) == 0)
      {
        *kind = i;
        return TRUE;
      }
  return FALSE;
}

static void
node_free (gpointer data)
{
  LsGraphNode *self = data;

  g_free (self->key);
  g_free (self->title);
  g_free (self->detail);
  g_free (self->name);
  g_free (self->type);
  g_free (self->function);
  g_free (self->callee);
  g_clear_pointer (&self->path, ls_path_free);
  ls_unref (self->node);
  g_clear_pointer (&self->attributes, g_ptr_array_unref);
  g_free (self);
}

static void
edge_free (gpointer data)
{
  LsGraphEdge *self = data;

  g_free (self->label);
  g_free (self->type);
  g_free (self);
}

static void
cluster_free (gpointer data)
{
  LsGraphCluster *self = data;

  g_free (self->key);
  g_free (self->title);
  g_free (self->detail);
  g_free (self);
}

LsGraph *
ls_graph_new (LsGraphKind kind)
{
  LsGraph *self = g_new0 (LsGraph, 1);

  g_atomic_ref_count_init (&self->refs);
  self->kind = kind;
  self->nodes = g_ptr_array_new_with_free_func (node_free);
  self->edges = g_ptr_array_new_with_free_func (edge_free);
  self->clusters = g_ptr_array_new_with_free_func (cluster_free);
  self->keys = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

LsGraph *
ls_graph_ref (LsGraph *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

static gpointer
graph_free (gpointer data)
{
  LsGraph *self = data;

  g_hash_table_unref (self->keys);
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->edges);
  g_ptr_array_unref (self->clusters);
  g_free (self->note);
  ls_graph_unref (self->whole);
  g_clear_pointer (&self->functions, g_ptr_array_unref);
  g_free (self->shown);
  g_clear_pointer (&self->groups, g_ptr_array_unref);
  g_free (self);
  return NULL;
}

/* Ten thousand nodes are a tenth of a second of freeing: whoever lets go last, and it may be while a frame is drawn, does not wait for it. */
void
ls_graph_unref (LsGraph *self)
{
  GThread *thread = NULL;

  if (self == NULL || !g_atomic_ref_count_dec (&self->refs))
    return;
  if (self->nodes->len > FREED_BESIDE)
    thread = g_thread_try_new ("free-graph", graph_free, self, NULL);
  if (thread != NULL)
    g_thread_unref (thread);
  else
    graph_free (self);
}

LsGraphNode *
ls_graph_add_node (LsGraph         *self,
                   LsGraphNodeKind  kind,
                   const char      *key,
                   const char      *title)
{
  LsGraphNode *node = g_new0 (LsGraphNode, 1);

  node->kind = kind;
  node->key = g_strdup (key);
  for (guint i = 2; g_hash_table_contains (self->keys, node->key); i++)
    {
      g_free (node->key);
      node->key = g_strdup_printf ("%s~%u", key, i);
    }
  node->title = g_strdup (title);
  node->cluster = -1;
  node->numbers = LS_GRAPH_NO_NUMBERS;
  node->n_members = 1;
  node->attributes = g_ptr_array_new_with_free_func (g_free);
  g_hash_table_insert (self->keys, node->key, GUINT_TO_POINTER (self->nodes->len));
  g_ptr_array_add (self->nodes, node);
  return node;
}

LsGraphEdge *
ls_graph_add_edge (LsGraph         *self,
                   LsGraphEdgeKind  kind,
                   guint            from,
                   guint            to,
                   const char      *label,
                   const char      *type)
{
  LsGraphEdge *edge = g_new0 (LsGraphEdge, 1);

  *edge = (LsGraphEdge) { from, to, kind, g_strdup (label), g_strdup (type), -1 };
  g_ptr_array_add (self->edges, edge);
  return edge;
}

gint
ls_graph_add_cluster (LsGraph           *self,
                      LsGraphClusterKind kind,
                      gint               parent,
                      const char        *key,
                      const char        *title,
                      const char        *detail)
{
  LsGraphCluster *cluster = g_new0 (LsGraphCluster, 1);

  *cluster = (LsGraphCluster) { g_strdup (key), parent, kind, g_strdup (title), g_strdup (detail) };
  g_ptr_array_add (self->clusters, cluster);
  return (gint) self->clusters->len - 1;
}

void
ls_graph_add_attribute (LsGraphNode *node,
                        const char  *name,
                        const char  *value)
{
  g_ptr_array_add (node->attributes, g_strdup (name));
  g_ptr_array_add (node->attributes, g_strdup (value));
}

const char *
ls_graph_get_attribute (const LsGraphNode *node,
                        const char        *name)
{
  for (guint i = 0; i + 1 < node->attributes->len; i += 2)
    if (strcmp (node->attributes->pdata[i], name) == 0)
      return node->attributes->pdata[i + 1];
  return NULL;
}

gint
ls_graph_find (LsGraph    *self,
               const char *key)
{
  gpointer at;

  return g_hash_table_lookup_extended (self->keys, key, NULL, &at) ? (gint) GPOINTER_TO_UINT (at) : -1;
}

LsGraphNode *
ls_graph_copy_node (LsGraph           *to,
                    const LsGraphNode *node)
{
  LsGraphNode *copy = ls_graph_add_node (to, node->kind, node->key, node->title);

  copy->detail = g_strdup (node->detail);
  copy->name = g_strdup (node->name);
  copy->type = g_strdup (node->type);
  copy->function = g_strdup (node->function);
  copy->callee = g_strdup (node->callee);
  copy->cluster = node->cluster;
  copy->path = node->path != NULL ? ls_path_copy (node->path) : NULL;
  copy->node = ls_ref (node->node);
  copy->numbers = node->numbers;
  copy->n_members = node->n_members;
  copy->is_gone = node->is_gone;
  copy->entity = node->entity;
  for (guint i = 0; i < node->attributes->len; i++)
    g_ptr_array_add (copy->attributes, g_strdup (node->attributes->pdata[i]));
  return copy;
}

LsGraph *
ls_graph_copy (LsGraph *self)
{
  LsGraph *copy = ls_graph_new (self->kind);

  copy->note = g_strdup (self->note);
  copy->functions = self->functions != NULL ? g_ptr_array_ref (self->functions) : NULL;
  copy->n_folded = self->n_folded;
  if (self->whole != NULL)
    {
      copy->whole = ls_graph_ref (self->whole);
      copy->shown = g_memdup2 (self->shown, self->whole->nodes->len * sizeof (guint));
      copy->groups = g_ptr_array_ref (self->groups);
    }
  for (guint i = 0; i < self->nodes->len; i++)
    ls_graph_copy_node (copy, ls_graph_node (self, i));
  for (guint i = 0; i < self->edges->len; i++)
    {
      LsGraphEdge *edge = ls_graph_edge (self, i);

      ls_graph_add_edge (copy, edge->kind, edge->from, edge->to, edge->label, edge->type)->argument = edge->argument;
    }
  for (guint i = 0; i < self->clusters->len; i++)
    {
      LsGraphCluster *cluster = ls_graph_cluster (self, i);

      ls_graph_add_cluster (copy, cluster->kind, cluster->parent, cluster->key, cluster->title, cluster->detail);
    }
  return copy;
}

LsGraphSide *
ls_graph_side (LsGraph  *self,
               gboolean  outgoing)
{
  LsGraphSide *side = g_new (LsGraphSide, 1);
  guint n = self->nodes->len;

  side->start = g_new0 (guint, n + 2);
  side->edges = g_new (guint, self->edges->len + 1);
  for (guint i = 0; i < self->edges->len; i++)
    side->start[(outgoing ? ls_graph_edge (self, i)->from : ls_graph_edge (self, i)->to) + 2]++;
  for (guint i = 2; i < n + 2; i++)
    side->start[i] += side->start[i - 1];
  for (guint i = 0; i < self->edges->len; i++)
    side->edges[side->start[(outgoing ? ls_graph_edge (self, i)->from : ls_graph_edge (self, i)->to) + 1]++] = i;
  return side;
}

void
ls_graph_side_free (LsGraphSide *self)
{
  g_free (self->start);
  g_free (self->edges);
  g_free (self);
}

LsGraphKind
ls_graph_kind_for (LsModule *module)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], FUNCTION))
      return LS_GRAPH_RELAX;
  return LS_GRAPH_BLOCKS;
}
