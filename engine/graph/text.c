/* text: a graph for a terminal, a line a node in program order.
 *
 * Clusters are headings, inner ones indented; a node says what it computes, from which nodes, and what comes out; numbers
 * stand at the end, with a bar for the share of the time.
 */
#include "engine/graph/graph-private.h"

#include <math.h>
#include <string.h>

typedef struct {
  LsGraph    *self;
  GString    *out;
  LsGraphSide *inputs;
  GHashTable *matched;          /* number of a node -> itself */
  const char *const *signs;
  gsize       width[3];         /* columns: name, what, inputs */
  guint       depth;            /* of the innermost cluster */
  double      total_ns;
} Text;

static gsize
text_width (const char *text)
{
  gsize n = 0;

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    n += g_unichar_iszerowidth (g_utf8_get_char (at)) ? 0 : g_unichar_iswide (g_utf8_get_char (at)) ? 2 : 1;
  return n;
}

static void
put_cell (GString    *out,
          const char *text,
          gsize       width)
{
  g_string_append (out, text);
  for (gsize i = text_width (text); i < width; i++)
    g_string_append_c (out, ' ');
  if (text_width (text) >= width && width > 0)
    g_string_append (out, "  ");
}

/* What a node is called where it is used. */
static const char *
short_name (const LsGraphNode *node)
{
  return node->name != NULL ? node->name : node->title;
}

static const char *
edge_word (LsGraphEdgeKind kind)
{
  switch (kind)
    {
    case LS_GRAPH_EDGE_FLOW:
      return "";
    case LS_GRAPH_EDGE_RAW:
      return "RAW ";
    case LS_GRAPH_EDGE_WAW:
      return "WAW ";
    case LS_GRAPH_EDGE_WAR:
      return "WAR ";
    case LS_GRAPH_EDGE_LINEAGE:
      return "";
    }
  return "";
}

static char *
inputs_text (Text *text,
             guint at)
{
  GString *out = g_string_new (NULL);
  const char *between = ", ";           /* names of groups have commas in themselves */

  for (guint i = text->inputs->start[at]; i < text->inputs->start[at + 1]; i++)
    if (strchr (short_name (ls_graph_node (text->self, ls_graph_edge (text->self, text->inputs->edges[i])->from)), ',') != NULL)
      between = "; ";
  for (guint i = text->inputs->start[at]; i < text->inputs->start[at + 1]; i++)
    {
      LsGraphEdge *edge = ls_graph_edge (text->self, text->inputs->edges[i]);
      LsGraphNode *from = ls_graph_node (text->self, edge->from);

      if (out->len > 0)
        g_string_append (out, between);
      g_string_append (out, edge_word (edge->kind));
      if (edge->kind == LS_GRAPH_EDGE_FLOW)
        g_string_append (out, edge->label != NULL ? edge->label : short_name (from));
      else
        g_string_append_printf (out, "%s%s%s", short_name (from), edge->label != NULL ? " " : "", edge->label != NULL ? edge->label : "");
    }
  return g_string_free (out, FALSE);
}

static char *
what_text (const LsGraphNode *node)
{
  switch (node->kind)
    {
    case LS_GRAPH_NODE_VALUE:
      return g_strdup (node->detail != NULL ? node->detail : "value");
    case LS_GRAPH_NODE_CONSTANT:
      return g_strdup ("constant");
    case LS_GRAPH_NODE_RESULT:
      return g_strdup ("result");
    case LS_GRAPH_NODE_GROUP:
      return g_strdup_printf ("(%s)", node->detail);
    case LS_GRAPH_NODE_CALL:
      if (node->detail == NULL || g_str_has_prefix (node->detail, "R."))
        return g_strdup (node->detail != NULL ? node->detail : node->name != NULL ? node->title : "");
      return node->name != NULL && strcmp (node->name, node->title) != 0 ? g_strdup_printf ("%s · %s", node->title, node->detail) : g_strdup (node->detail);
    }
  return NULL;
}

static void
put_numbers (Text              *text,
             const LsGraphNode *node)
{
  const LsGraphNumbers *n = &node->numbers;

  if (n->ns >= 0.0)
    {
      double share = text->total_ns > 0.0 ? n->ns / text->total_ns : 0.0;

      g_string_append_printf (text->out, "  %8.3g µs %5.1f %% ", n->ns / 1e3, 100.0 * share);
      for (guint i = 0; i < (guint) lround (share * 20.0); i++)
        g_string_append (text->out, "█");
    }
  if (n->flop >= 1.0)
    g_string_append_printf (text->out, "  %.3g %s", n->flop >= 1e6 ? n->flop / 1e6 : n->flop >= 1e3 ? n->flop / 1e3 : n->flop,
                            n->flop >= 1e6 ? "Mflop" : n->flop >= 1e3 ? "kflop" : "flop");
}

static guint
cluster_depth (LsGraph *self,
               gint     cluster)
{
  guint depth = 0;

  for (; cluster >= 0; cluster = ls_graph_cluster (self, cluster)->parent)
    depth++;
  return depth;
}

static const char *
margin (Text *text)
{
  return text->matched != NULL && text->signs != NULL ? "    " : text->matched != NULL || text->signs != NULL ? "  " : "";
}

static void
put_node (Text *text,
          guint at,
          guint depth)
{
  LsGraphNode *node = ls_graph_node (text->self, at);
  g_autofree char *inputs = inputs_text (text, at);
  g_autofree char *what = what_text (node);
  const char *mark = text->matched == NULL ? "" : g_hash_table_contains (text->matched, GUINT_TO_POINTER (at)) ? "> " : "  ";

  g_string_append (text->out, mark);
  if (text->signs != NULL)
    g_string_append_printf (text->out, "%-2s", text->signs[at]);
  g_string_append_printf (text->out, "%*s", (int) (2 * depth), "");
  put_cell (text->out, short_name (node), text->width[0] + 2 + 2 * (text->depth - depth));
  put_cell (text->out, what, text->width[1] + 2);
  put_cell (text->out, inputs, text->width[2] + 2);
  g_string_append (text->out, node->type != NULL ? node->type : "");
  put_numbers (text, node);
  for (guint i = 0; i + 1 < node->attributes->len; i += 2)
    g_string_append_printf (text->out, "%s%s %s", i == 0 ? "  " : ", ", (char *) node->attributes->pdata[i], (char *) node->attributes->pdata[i + 1]);
  if (node->is_gone)
    g_string_append (text->out, "  (gone)");
  g_strchomp (text->out->str);
  text->out->len = strlen (text->out->str);
  g_string_append_c (text->out, '\n');
}

/* The headings between the cluster of the line before and that of this one. */
static void
put_headings (Text *text,
              gint  cluster,
              GHashTable *told)
{
  LsGraphCluster *here;

  if (cluster < 0 || g_hash_table_contains (told, GINT_TO_POINTER (cluster + 1)))
    return;
  here = ls_graph_cluster (text->self, cluster);
  put_headings (text, here->parent, told);
  g_hash_table_add (told, GINT_TO_POINTER (cluster + 1));
  if (here->parent < 0 && text->out->len > 0)
    g_string_append_c (text->out, '\n');
  g_string_append_printf (text->out, "%s%*s%s%s%s\n", margin (text), (int) (2 * (cluster_depth (text->self, cluster) - 1)), "",
                          here->title, here->detail != NULL ? "  " : "", here->detail != NULL ? here->detail : "");
}

static void
measure (Text *text)
{
  for (guint i = 0; i < text->self->nodes->len; i++)
    {
      LsGraphNode *node = ls_graph_node (text->self, i);
      g_autofree char *what = what_text (node);
      g_autofree char *inputs = inputs_text (text, i);

      text->depth = MAX (text->depth, cluster_depth (text->self, node->cluster));
      text->width[0] = MAX (text->width[0], MIN (48, text_width (short_name (node))));
      text->width[1] = MAX (text->width[1], MIN (48, text_width (what)));
      text->width[2] = MAX (text->width[2], MIN (40, text_width (inputs)));
      text->total_ns += MAX (node->numbers.ns, 0.0);
    }
}

char *
ls_graph_to_text (LsGraph           *self,
                  GPtrArray         *matches,
                  const char *const *signs)
{
  g_autoptr (GHashTable) matched = matches != NULL ? g_hash_table_new (NULL, NULL) : NULL;
  g_autoptr (GHashTable) told = g_hash_table_new (NULL, NULL);
  g_autoptr (LsGraphSide) inputs = ls_graph_side (self, FALSE);
  Text text = { self, g_string_new (NULL), inputs, matched, signs };

  for (guint i = 0; matches != NULL && i < matches->len; i++)
    for (guint k = 0; k < ((GArray *) matches->pdata[i])->len; k++)
      g_hash_table_add (matched, GUINT_TO_POINTER (g_array_index ((GArray *) matches->pdata[i], guint, k)));
  measure (&text);
  for (guint i = 0; i < self->nodes->len; i++)
    {
      gint cluster = ls_graph_node (self, i)->cluster;

      put_headings (&text, cluster, told);
      put_node (&text, i, cluster_depth (self, cluster));
    }
  if (self->note != NULL)
    g_string_append_printf (text.out, "\n%s\n", self->note);
  g_string_append_printf (text.out, "\n%u %s, %u %s\n", self->nodes->len, self->nodes->len == 1 ? "node" : "nodes",
                          self->edges->len, self->edges->len == 1 ? "edge" : "edges");
  return g_string_free (text.out, FALSE);
}
