/* dot: a graph in Graphviz's language, for other tools.  Clusters are subgraphs, labels are plain text. */
#include "engine/graph/graph-private.h"

static void
put_quoted (GString    *out,
            const char *text)
{
  g_string_append_c (out, '"');
  for (; *text != '\0'; text++)
    {
      if (*text == '"' || *text == '\\')
        g_string_append_c (out, '\\');
      if (*text == '\n')
        g_string_append (out, "\\n");
      else
        g_string_append_c (out, *text);
    }
  g_string_append_c (out, '"');
}

static const char *
shape_of (LsGraphNodeKind kind)
{
  switch (kind)
    {
    case LS_GRAPH_NODE_VALUE:
      return "shape=box, style=rounded";
    case LS_GRAPH_NODE_CONSTANT:
      return "shape=box, style=\"rounded,dashed\"";
    case LS_GRAPH_NODE_CALL:
      return "shape=box";
    case LS_GRAPH_NODE_RESULT:
      return "shape=box, style=\"rounded,bold\"";
    case LS_GRAPH_NODE_GROUP:
      return "shape=box, peripheries=2";
    }
  return "";
}

static void
put_node (GString *out,
          LsGraph *self,
          guint    at,
          guint    depth)
{
  LsGraphNode *node = ls_graph_node (self, at);
  g_autoptr (GString) label = g_string_new (node->title);
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (node->detail != NULL)
    g_string_append_printf (label, "\n%s", node->detail);
  if (node->kind != LS_GRAPH_NODE_CALL && node->type != NULL)
    g_string_append_printf (label, "\n%s", node->type);
  for (guint i = 0; i + 1 < node->attributes->len; i += 2)
    g_string_append_printf (label, "\n%s = %s", (char *) node->attributes->pdata[i], (char *) node->attributes->pdata[i + 1]);
  if (node->numbers.ns >= 0.0)
    g_string_append_printf (label, "\n%s µs", g_ascii_formatd (number, sizeof number, "%.3g", node->numbers.ns / 1e3));
  g_string_append_printf (out, "%*sn%u [%s, label=", (int) (2 * depth), "", at, shape_of (node->kind));
  put_quoted (out, label->str);
  g_string_append (out, "];\n");
}

static void
put_cluster (GString *out,
             LsGraph *self,
             gint     cluster,
             guint    depth)
{
  for (guint i = 0; i < self->nodes->len; i++)
    if (ls_graph_node (self, i)->cluster == cluster)
      put_node (out, self, i, depth);
  for (guint i = 0; i < self->clusters->len; i++)
    {
      LsGraphCluster *inner = ls_graph_cluster (self, i);
      g_autofree char *label = g_strdup_printf ("%s%s%s", inner->title, inner->detail != NULL ? "  " : "", inner->detail != NULL ? inner->detail : "");

      if (inner->parent != cluster)
        continue;
      g_string_append_printf (out, "%*ssubgraph cluster_%u {\n%*slabel=", (int) (2 * depth), "", i, (int) (2 * depth + 2), "");
      put_quoted (out, label);
      g_string_append_printf (out, "; labeljust=l%s;\n", inner->kind == LS_GRAPH_CLUSTER_DATAFLOW ? "; style=dotted" : "");
      put_cluster (out, self, (gint) i, depth + 1);
      g_string_append_printf (out, "%*s}\n", (int) (2 * depth), "");
    }
}

static const char *
style_of (LsGraphEdgeKind kind)
{
  switch (kind)
    {
    case LS_GRAPH_EDGE_FLOW:
    case LS_GRAPH_EDGE_RAW:
    case LS_GRAPH_EDGE_LINEAGE:
      return "";
    case LS_GRAPH_EDGE_WAW:
      return ", style=bold";
    case LS_GRAPH_EDGE_WAR:
      return ", style=dashed";
    }
  return "";
}

static const char *
word_of (LsGraphEdgeKind kind)
{
  switch (kind)
    {
    case LS_GRAPH_EDGE_FLOW:
    case LS_GRAPH_EDGE_LINEAGE:
      return "";
    case LS_GRAPH_EDGE_RAW:
      return "RAW ";
    case LS_GRAPH_EDGE_WAW:
      return "WAW ";
    case LS_GRAPH_EDGE_WAR:
      return "WAR ";
    }
  return "";
}

char *
ls_graph_to_dot (LsGraph *self)
{
  GString *out = g_string_new ("digraph loopscope {\n  node [fontname=\"sans-serif\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=9];\n");

  if (self->note != NULL)               /* a graph that is folded says so */
    {
      g_string_append (out, "  label=");
      put_quoted (out, self->note);
      g_string_append (out, ";\n");
    }
  put_cluster (out, self, -1, 1);
  for (guint i = 0; i < self->edges->len; i++)
    {
      LsGraphEdge *edge = ls_graph_edge (self, i);
      g_autofree char *label = g_strdup_printf ("%s%s%s%s", word_of (edge->kind), edge->label != NULL ? edge->label : "",
                                                edge->label != NULL && edge->type != NULL ? " " : "", edge->type != NULL ? edge->type : "");

      g_string_append_printf (out, "  n%u -> n%u [label=", edge->from, edge->to);
      put_quoted (out, label);
      g_string_append_printf (out, "%s];\n", style_of (edge->kind));
    }
  g_string_append (out, "}\n");
  return g_string_free (out, FALSE);
}
