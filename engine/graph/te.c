/* te: tensors and the stages that they depend on. */
#include "engine/graph/graph-private.h"

#include "engine/script/printer.h"

static char *
axes_text (LsArray *axes)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < ls_array_n (axes); i++)
    {
      LsIterVar *iter = ls_array_at (axes, i, LsIterVar);
      g_autofree char *extent = iter->dom != NULL ? ls_graph_dim_text (LS_NODE (iter->dom->extent)) : g_strdup ("?");

      g_string_append_printf (out, "%s%s: %s", i > 0 ? ", " : "", iter->var->name, extent);
    }
  return g_string_free (out, FALSE);
}

static const char *
stage_word (LsTeOperation *op)
{
  switch ((LsTeStage) op->stage)
    {
    case LS_TE_PLACEHOLDER:
      return "placeholder";
    case LS_TE_COMPUTE:
      return ls_array_n (op->reduce_axis) > 0 ? "compute, reduces" : "compute";
    case LS_TE_EXTERN:
      return "extern";
    }
  return NULL;
}

static void
add_stage (LsGraph       *graph,
           LsTeOperation *op)
{
  g_autoptr (LsTeTensor) tensor = ls_te_operation_output (op, 0);
  g_autofree char *axes = axes_text (op->axis), *reduce = axes_text (op->reduce_axis);
  LsGraphNode *node = ls_graph_add_node (graph, op->stage == LS_TE_PLACEHOLDER ? LS_GRAPH_NODE_VALUE : LS_GRAPH_NODE_CALL, op->name, op->name);

  node->name = g_strdup (op->name);
  node->detail = g_strdup (stage_word (op));
  node->type = ls_graph_buffer_type (tensor->shape, tensor->dtype);
  node->node = ls_ref (LS_NODE (op));
  if (*axes != '\0')
    ls_graph_add_attribute (node, "axes", axes);
  if (*reduce != '\0')
    ls_graph_add_attribute (node, "reduce", reduce);
  if (op->tag != NULL && *op->tag != '\0')
    ls_graph_add_attribute (node, "tag", op->tag);
}

LsGraph *
ls_graph_from_te (LsArray *tensors)
{
  g_autoptr (LsArray) order = ls_te_order (tensors);
  g_autoptr (GHashTable) numbers = g_hash_table_new (NULL, NULL);
  LsGraph *graph = ls_graph_new (LS_GRAPH_TE);

  for (guint i = 0; i < ls_array_n (order); i++)
    {
      LsTeOperation *op = ls_array_at (order, i, LsTeOperation);
      g_autoptr (LsArray) inputs = ls_te_operation_inputs (op);

      add_stage (graph, op);
      g_hash_table_insert (numbers, op, GUINT_TO_POINTER (i));
      for (guint k = 0; k < ls_array_n (inputs); k++)
        {
          LsTeTensor *input = ls_array_at (inputs, k, LsTeTensor);
          g_autofree char *type = ls_graph_buffer_type (input->shape, input->dtype);

          ls_graph_add_edge (graph, LS_GRAPH_EDGE_FLOW, GPOINTER_TO_UINT (g_hash_table_lookup (numbers, input->op)), i, NULL, type)->argument = (gint) k;
        }
    }
  return graph;
}
