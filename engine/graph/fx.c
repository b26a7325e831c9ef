/* fx: a saved graph of torch.fx, node by node as it was written. */
#include "engine/graph/fx.h"
#include "engine/graph/graph-private.h"

#include <string.h>

static LsGraphNodeKind
kind_of (const char *op)
{
  if (strcmp (op, "placeholder") == 0)
    return LS_GRAPH_NODE_VALUE;
  if (strcmp (op, "get_attr") == 0)
    return LS_GRAPH_NODE_CONSTANT;
  return strcmp (op, "output") == 0 ? LS_GRAPH_NODE_RESULT : LS_GRAPH_NODE_CALL;
}

/* "add" of "torch.ops.aten.add.Tensor": what stands behind an operator's name is which of its kinds it is. (transfer full) */
static char *
function_name (const char *target)
{
  g_auto (GStrv) parts = g_strsplit (target, ".", -1);
  guint n = g_strv_length (parts);

  return g_strdup (n == 0 ? target : n >= 5 && g_str_has_prefix (target, "torch.ops.") ? parts[n - 2] : parts[n - 1]);
}

LsGraph *
ls_graph_from_fx (LsFxGraph *fx)
{
  LsGraph *graph = ls_graph_new (LS_GRAPH_FX);
  g_autoptr (GHashTable) numbers = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < ls_fx_graph_get_n (fx); i++)
    {
      LsFxRow row;
      LsGraphNode *node;
      g_autofree char *title = NULL;

      ls_fx_graph_get_row (fx, i, &row);
      title = kind_of (row.op) != LS_GRAPH_NODE_CALL ? g_strdup (row.name) : strcmp (row.op, "call_function") == 0 ? function_name (row.target) : g_strdup (row.target);
      node = ls_graph_add_node (graph, kind_of (row.op), row.name, title);
      node->detail = g_strdup (row.module != NULL ? row.module : row.op);
      node->name = g_strdup (row.name);
      node->type = g_steal_pointer (&row.type);
      if (row.module != NULL)
        ls_graph_add_attribute (node, "op", row.op);
      ls_graph_add_attribute (node, "target", row.target);
      if (row.path != NULL && strcmp (row.path, row.target) != 0)
        ls_graph_add_attribute (node, "module", row.path);
      for (guint k = 0; k < row.inputs->len; k++)
        {
          gpointer from;

          if (g_hash_table_lookup_extended (numbers, row.inputs->pdata[k], NULL, &from))
            {
              LsGraphNode *source = ls_graph_node (graph, GPOINTER_TO_UINT (from));

              ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, GPOINTER_TO_UINT (from), i, NULL, source->type)->argument = (gint) k;
            }
        }
      g_hash_table_insert (numbers, (gpointer) row.name, GUINT_TO_POINTER (i));
      ls_fx_row_clear (&row);
    }
  return graph;
}
