/* variant: a graph as a{sv}, for JSON and for the programs that draw; read back without the IR. */
#include "engine/graph/graph-private.h"

#include <json-glib/json-glib.h>

static const char *const NODE_KINDS[] = { "value", "constant", "call", "result", "group" };
static const char *const EDGE_KINDS[] = { "flow", "RAW", "WAW", "WAR", "lineage" };
static const char *const CLUSTER_KINDS[] = { "function", "dataflow", "branch", "group" };

G_STATIC_ASSERT (G_N_ELEMENTS (NODE_KINDS) == LS_GRAPH_NODE_GROUP + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (EDGE_KINDS) == LS_GRAPH_EDGE_LINEAGE + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (CLUSTER_KINDS) == LS_GRAPH_CLUSTER_GROUP + 1);

static void
put_text (GVariantDict *dict,
          const char   *name,
          const char   *text)
{
  if (text != NULL)
    g_variant_dict_insert (dict, name, "s", text);
}

static void
put_number (GVariantDict *dict,
            const char   *name,
            double        number)
{
  if (number >= 0.0)
    g_variant_dict_insert (dict, name, "d", number);
}

static GVariant *
node_variant (const LsGraphNode *node)
{
  GVariantBuilder attributes;
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "key", "s", node->key);
  g_variant_dict_insert (&dict, "kind", "s", NODE_KINDS[node->kind]);
  g_variant_dict_insert (&dict, "title", "s", node->title);
  put_text (&dict, "detail", node->detail);
  put_text (&dict, "name", node->name);
  put_text (&dict, "type", node->type);
  put_text (&dict, "function", node->function);
  put_text (&dict, "callee", node->callee);
  if (node->cluster >= 0)
    g_variant_dict_insert (&dict, "cluster", "i", node->cluster);
  if (node->path != NULL)
    {
      GVariantBuilder path;

      g_variant_builder_init (&path, G_VARIANT_TYPE ("au"));
      for (guint i = 0; i < node->path->n; i++)
        g_variant_builder_add (&path, "u", node->path->steps[i]);
      g_variant_dict_insert_value (&dict, "path", g_variant_builder_end (&path));
    }
  put_number (&dict, "ns", node->numbers.ns);
  put_number (&dict, "spread-ns", node->numbers.spread_ns);
  put_number (&dict, "flop", node->numbers.flop);
  put_number (&dict, "bytes", node->numbers.bytes);
  put_number (&dict, "roof", node->numbers.roof);
  if (node->n_members != 1)
    g_variant_dict_insert (&dict, "members", "u", node->n_members);
  if (node->is_gone)
    g_variant_dict_insert (&dict, "gone", "b", TRUE);
  if (node->attributes->len > 0)
    {
      g_variant_builder_init (&attributes, G_VARIANT_TYPE ("a{ss}"));
      for (guint i = 0; i + 1 < node->attributes->len; i += 2)
        g_variant_builder_add (&attributes, "{ss}", node->attributes->pdata[i], node->attributes->pdata[i + 1]);
      g_variant_dict_insert_value (&dict, "attributes", g_variant_builder_end (&attributes));
    }
  return g_variant_dict_end (&dict);
}

static GVariant *
edge_variant (const LsGraphEdge *edge)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "from", "u", edge->from);
  g_variant_dict_insert (&dict, "to", "u", edge->to);
  g_variant_dict_insert (&dict, "kind", "s", EDGE_KINDS[edge->kind]);
  put_text (&dict, "label", edge->label);
  put_text (&dict, "type", edge->type);
  if (edge->argument >= 0)
    g_variant_dict_insert (&dict, "argument", "i", edge->argument);
  return g_variant_dict_end (&dict);
}

static GVariant *
cluster_variant (const LsGraphCluster *cluster)
{
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "key", "s", cluster->key);
  g_variant_dict_insert (&dict, "kind", "s", CLUSTER_KINDS[cluster->kind]);
  g_variant_dict_insert (&dict, "title", "s", cluster->title);
  put_text (&dict, "detail", cluster->detail);
  if (cluster->parent >= 0)
    g_variant_dict_insert (&dict, "parent", "i", cluster->parent);
  return g_variant_dict_end (&dict);
}

GVariant *
ls_graph_to_variant (LsGraph *self)
{
  GVariantBuilder nodes, edges, clusters;
  GVariantDict dict;

  g_variant_builder_init (&nodes, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_builder_init (&edges, G_VARIANT_TYPE ("aa{sv}"));
  g_variant_builder_init (&clusters, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->nodes->len; i++)
    g_variant_builder_add_value (&nodes, node_variant (ls_graph_node (self, i)));
  for (guint i = 0; i < self->edges->len; i++)
    g_variant_builder_add_value (&edges, edge_variant (ls_graph_edge (self, i)));
  for (guint i = 0; i < self->clusters->len; i++)
    g_variant_builder_add_value (&clusters, cluster_variant (ls_graph_cluster (self, i)));
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "kind", "s", ls_graph_kind_name (self->kind));
  g_variant_dict_insert_value (&dict, "nodes", g_variant_builder_end (&nodes));
  g_variant_dict_insert_value (&dict, "edges", g_variant_builder_end (&edges));
  g_variant_dict_insert_value (&dict, "clusters", g_variant_builder_end (&clusters));
  put_text (&dict, "note", self->note);
  if (self->n_folded > 0)
    g_variant_dict_insert (&dict, "folded", "u", self->n_folded);
  return g_variant_dict_end (&dict);
}

/* ---- reading ---------------------------------------------------------------------- */

static gint
find_name (const char *const *names,
           guint              n,
           GVariant          *row)
{
  const char *name = NULL;

  g_variant_lookup (row, "kind", "&s", &name);
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (names[i], name) == 0)
      return (gint) i;
  return -1;
}

static gboolean
read_node (LsGraph  *self,
           GVariant *row)
{
  gint kind = find_name (NODE_KINDS, G_N_ELEMENTS (NODE_KINDS), row);
  const char *key = NULL, *title = NULL;
  g_autoptr (GVariant) attributes = NULL;
  LsGraphNode *node;

  if (kind < 0 || !g_variant_lookup (row, "key", "&s", &key) || !g_variant_lookup (row, "title", "&s", &title))
    return FALSE;
  node = ls_graph_add_node (self, kind, key, title);
  g_variant_lookup (row, "detail", "s", &node->detail);
  g_variant_lookup (row, "name", "s", &node->name);
  g_variant_lookup (row, "type", "s", &node->type);
  g_variant_lookup (row, "function", "s", &node->function);
  g_variant_lookup (row, "callee", "s", &node->callee);
  g_variant_lookup (row, "cluster", "i", &node->cluster);
  g_variant_lookup (row, "ns", "d", &node->numbers.ns);
  g_variant_lookup (row, "spread-ns", "d", &node->numbers.spread_ns);
  g_variant_lookup (row, "flop", "d", &node->numbers.flop);
  g_variant_lookup (row, "bytes", "d", &node->numbers.bytes);
  g_variant_lookup (row, "roof", "d", &node->numbers.roof);
  g_variant_lookup (row, "members", "u", &node->n_members);
  g_variant_lookup (row, "gone", "b", &node->is_gone);
  attributes = g_variant_lookup_value (row, "attributes", G_VARIANT_TYPE ("a{ss}"));
  for (gsize i = 0; attributes != NULL && i < g_variant_n_children (attributes); i++)
    {
      const char *name, *value;

      g_variant_get_child (attributes, i, "{&s&s}", &name, &value);
      ls_graph_add_attribute (node, name, value);
    }
  return TRUE;
}

static gboolean
read_edge (LsGraph  *self,
           GVariant *row)
{
  gint kind = find_name (EDGE_KINDS, G_N_ELEMENTS (EDGE_KINDS), row);
  const char *label = NULL, *type = NULL;
  guint from, to;

  if (kind < 0 || !g_variant_lookup (row, "from", "u", &from) || !g_variant_lookup (row, "to", "u", &to)
      || from >= self->nodes->len || to >= self->nodes->len)
    return FALSE;
  g_variant_lookup (row, "label", "&s", &label);
  g_variant_lookup (row, "type", "&s", &type);
  g_variant_lookup (row, "argument", "i", &ls_graph_add_edge (self, kind, from, to, label, type)->argument);
  return TRUE;
}

static gboolean
read_cluster (LsGraph  *self,
              GVariant *row)
{
  gint kind = find_name (CLUSTER_KINDS, G_N_ELEMENTS (CLUSTER_KINDS), row);
  const char *key = NULL, *title = NULL, *detail = NULL;
  gint parent = -1;

  g_variant_lookup (row, "parent", "i", &parent);
  g_variant_lookup (row, "detail", "&s", &detail);
  if (kind < 0 || !g_variant_lookup (row, "key", "&s", &key) || !g_variant_lookup (row, "title", "&s", &title)
      || parent >= (gint) self->clusters->len)
    return FALSE;
  ls_graph_add_cluster (self, kind, parent, key, title, detail);
  return TRUE;
}

static gboolean
read_rows (LsGraph    *self,
           GVariant   *variant,
           const char *name,
           gboolean  (*read) (LsGraph *self, GVariant *row))
{
  g_autoptr (GVariant) rows = g_variant_lookup_value (variant, name, G_VARIANT_TYPE ("aa{sv}"));

  for (gsize i = 0; rows != NULL && i < g_variant_n_children (rows); i++)
    {
      g_autoptr (GVariant) row = g_variant_get_child_value (rows, i);

      if (!read (self, row))
        return FALSE;
    }
  return rows != NULL;
}

LsGraph *
ls_graph_from_variant (GVariant *variant)
{
  g_autoptr (LsGraph) self = NULL;
  const char *kind_name = NULL;
  LsGraphKind kind;

  if (!g_variant_is_of_type (variant, G_VARIANT_TYPE_VARDICT) || !g_variant_lookup (variant, "kind", "&s", &kind_name) || !ls_graph_kind_parse (kind_name, &kind))
    return NULL;
  self = ls_graph_new (kind);
  if (!read_rows (self, variant, "clusters", read_cluster) || !read_rows (self, variant, "nodes", read_node) || !read_rows (self, variant, "edges", read_edge))
    return NULL;
  for (guint i = 0; i < self->nodes->len; i++)
    if (ls_graph_node (self, i)->cluster >= (gint) self->clusters->len)
      return NULL;
  g_variant_lookup (variant, "note", "s", &self->note);
  g_variant_lookup (variant, "folded", "u", &self->n_folded);
  return g_steal_pointer (&self);
}

char *
ls_graph_to_json (LsGraph *self)
{
  g_autoptr (GVariant) variant = g_variant_ref_sink (ls_graph_to_variant (self));
  g_autoptr (JsonNode) root = json_gvariant_serialize (variant);

  return json_to_string (root, TRUE);
}
