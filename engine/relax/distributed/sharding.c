/* distributed/sharding: see the header. */
#include "engine/relax/distributed/sharding.h"

static LsDTensorStructInfo *
dtensor_of (LsNode *arg)
{
  LsStructInfo *info = ls_is_relax_var (arg) ? ((LsRelaxVar *) arg)->struct_info : ls_is (arg, CONSTANT) ? ((LsConstant *) arg)->struct_info : NULL;

  return ls_is (info, DTENSOR_STRUCT_INFO) ? (LsDTensorStructInfo *) info : NULL;
}

/* How the operands lie becomes what is said in the graph; the mesh of all comes back (borrowed). */
static LsNode *
add_operands (LsAxisGraph  *graph,
              LsArray      *operands,
              GError      **error)
{
  LsNode *mesh = NULL;

  for (guint i = 0; i < operands->n; i++)
    {
      LsDTensorStructInfo *info = dtensor_of (operands->items[i]);
      LsArray *specs = info != NULL ? ((LsPlacement *) info->placement)->dim_specs : NULL;

      if (info == NULL)
        continue;
      if (mesh != NULL && !ls_structural_equal (mesh, info->device_mesh, FALSE, NULL, NULL))
        {
          g_set_error_literal (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("The operands of a distributed operator lie on one device mesh; these lie on two."));
          return NULL;
        }
      mesh = mesh != NULL ? mesh : info->device_mesh;
      for (guint k = 0; k < specs->n; k++)
        if (ls_array_at (specs, k, LsPlacementSpec)->kind == LS_PLACEMENT_SHARDING)
          ls_axis_graph_add_source (graph, ls_axis (operands->items[i], ls_array_at (specs, k, LsPlacementSpec)->axis), mesh, (int) k);
    }
  if (mesh == NULL)
    g_set_error_literal (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("A distributed operator takes at least one distributed tensor."));
  return mesh;
}

static LsStructInfo *
as_cut (LsAxisGraph  *graph,
        gpointer      output,
        LsStructInfo *plain,
        int           index,
        LsNode       *mesh,
        GError      **error)
{
  LsTensorStructInfo *tensor = ls_tensor_of (plain);

  if (tensor == NULL || tensor->ndim < 0)
    {
      g_set_error_literal (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("The result of a distributed operator must be a tensor of known ndim."));
      return NULL;
    }
  return ls_dtensor_struct_info_new (ls_node_ref (LS_NODE (tensor)), ls_node_ref (mesh), ls_axis_graph_placement (graph, output, tensor->ndim, index, mesh),
                                     error);
}

LsStructInfo *
ls_sharding_of_call (LsRelaxCall   *call,
                     LsStructInfo  *plain,
                     LsAxesRule     rule,
                     LsPrimFunc    *func,
                     GError       **error)
{
  g_autoptr (LsAxisGraph) graph = ls_axis_graph_new ();
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsArray *operands = func != NULL ? ((LsRelaxTuple *) call->args->items[1])->fields : call->args, *tuple;
  LsNode *mesh;

  if (func != NULL)
    ls_axes_join_tir (graph, plain, call, func);
  else if (!ls_axes_join (graph, rule, plain, call, error))
    return NULL;
  if ((mesh = add_operands (graph, operands, error)) == NULL || !ls_axis_graph_propagate (graph, error))
    return NULL;
  if (!ls_is (plain, TUPLE_STRUCT_INFO))
    return as_cut (graph, plain, plain, 0, mesh, error);
  tuple = ((LsTupleStructInfo *) plain)->fields;
  for (guint i = 0; i < tuple->n; i++)
    {
      LsStructInfo *field = as_cut (graph, plain, tuple->items[i], (int) i, mesh, error);

      if (field == NULL)
        return NULL;
      g_ptr_array_add (fields, field);
    }
  return ls_tuple_struct_info_new (ls_array_take_ptr_array (g_steal_pointer (&fields)));
}

gboolean
ls_any_dtensor (LsStructInfo **infos,
                guint          n)
{
  for (guint i = 0; i < n; i++)
    if (ls_is (infos[i], DTENSOR_STRUCT_INFO))
      return TRUE;
  return FALSE;
}

static gboolean
has_none (LsStructInfo *info,
          LsKind        kind)
{
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;

  for (guint i = 0; i < ls_array_n (fields); i++)
    if (!has_none (fields->items[i], kind))
      return FALSE;
  return ls_kind (info) != kind;
}

gboolean
ls_only_dtensors (LsStructInfo *info)
{
  return has_none (info, LS_KIND_TENSOR_STRUCT_INFO);
}

gboolean
ls_no_dtensors (LsStructInfo *info)
{
  return has_none (info, LS_KIND_DTENSOR_STRUCT_INFO);
}
