/* op/distributed: operators about tensors that lie in parts, and every operator over such tensors.
 *
 * The result as a whole is what the operator's own rule says of the operands as wholes; how it is cut follows from the axes
 * (engine/relax/distributed).  Source: TVM v0.20's dist.FInferStructInfo. */
#include "engine/relax/distributed/sharding.h"
#include "engine/relax/op/op.h"

#include <inttypes.h>
#include <string.h>

static LsStructInfo *
said (LsInfer      *self,
      LsStructInfo *info,
      GError       *error)
{
  if (info == NULL && error != NULL)
    ls_infer_fail (self, "cannot be distributed: %s", error->message);
  g_clear_error (&error);
  return info;
}

static LsStructInfo *
on_mesh (LsInfer *self,
         LsNode  *tensor,
         LsNode  *mesh,
         LsNode  *placement)
{
  GError *error = NULL;
  LsStructInfo *info = ls_dtensor_struct_info_new (ls_node_ref (tensor), ls_node_ref (mesh), placement, &error);

  return said (self, info, error);
}

/* ---- the operators of R.dist -------------------------------------------------------------- */

static LsStructInfo *
infer_redistribute (LsInfer *self)
{
  LsDTensorStructInfo *x = self->n > 0 && ls_is (self->infos[0], DTENSOR_STRUCT_INFO) ? (LsDTensorStructInfo *) self->infos[0] : NULL;
  LsNode *mesh = ls_infer_attr (self, "device_mesh"), *placement = ls_infer_attr (self, "placement");

  if (x == NULL)
    return ls_infer_fail (self, "takes a distributed tensor.");
  if (!ls_is (mesh, DEVICE_MESH) || !ls_is (placement, PLACEMENT))
    return ls_infer_fail (self, "needs a device mesh and a placement.");
  return on_mesh (self, x->tensor_sinfo, mesh, ls_node_ref (placement));
}

/* The tensor with its axis cut into num_workers parts; NULL: it cannot be. */
static LsStructInfo *
cut_axis (LsInfer            *self,
          LsTensorStructInfo *x)
{
  LsArray *extents = x != NULL ? ls_tensor_written_extents (x) : NULL;
  gint64 workers = ls_infer_int (self, "num_workers", 1);
  g_autoptr (LsArray) out = NULL;
  LsExpr *extent;
  guint at;

  if (x == NULL)
    return NULL;
  if (extents == NULL)
    return ls_infer_fail (self, "takes a tensor of known shape.");
  if (workers <= 0 || !ls_infer_axis (self, ls_infer_int (self, "axis", 0), x->ndim, &at))
    return workers <= 0 ? ls_infer_fail (self, "takes a positive number of workers; it is %" PRId64 ".", workers) : NULL;
  extent = ls_infer_simplify (self, ls_floormod (ls_ref (ls_extent_at (extents, at)), ls_extent (workers)));
  if (ls_is (extent, INT_IMM) && !ls_is_zero (extent))
    return ls_infer_fail (self, "shares axis %u out evenly: its extent is %s, for %" PRId64 " workers.", at,
                          ls_infer_text (self, extents->items[at]), workers);
  extent = ls_infer_simplify (self, ls_truncdiv (ls_ref (ls_extent_at (extents, at)), ls_extent (workers)));
  out = ls_array_with (extents, at, extent);
  return ls_infer_shaped (out, x->dtype, x);
}

static LsStructInfo *
infer_replica_to_shard (LsInfer *self)
{
  LsDTensorStructInfo *x = self->n > 0 && ls_is (self->infos[0], DTENSOR_STRUCT_INFO) ? (LsDTensorStructInfo *) self->infos[0] : NULL;
  LsArray *specs = x != NULL ? ((LsPlacement *) x->placement)->dim_specs : NULL;
  g_autoptr (LsNode) part = cut_axis (self, x != NULL ? (LsTensorStructInfo *) x->tensor_sinfo : ls_infer_tensor (self, 0));
  gint64 axis = ls_infer_int (self, "axis", 0);

  if (part == NULL || x == NULL)
    return g_steal_pointer (&part);
  if (specs->n != 1 || ls_array_at (specs, 0, LsPlacementSpec)->kind != LS_PLACEMENT_REPLICA)
    return ls_infer_fail (self, "takes a replica on a mesh of one dimension.");
  axis = axis < 0 ? axis + ((LsTensorStructInfo *) x->tensor_sinfo)->ndim : axis;
  return on_mesh (self, x->tensor_sinfo, x->device_mesh, ls_placement_new (ls_array_of (ls_placement_spec_new (axis), NULL)));
}

/* What one worker's part is for all: a replica. */
static LsStructInfo *
infer_allreduce (LsInfer *self)
{
  LsDTensorStructInfo *x = (LsDTensorStructInfo *) self->infos[0];
  GPtrArray *specs = g_ptr_array_new ();

  for (guint i = 0; i < ls_array_n (((LsDeviceMesh *) x->device_mesh)->shape); i++)
    g_ptr_array_add (specs, ls_placement_spec_new (-1));
  return on_mesh (self, x->tensor_sinfo, x->device_mesh, ls_placement_new (ls_array_take_ptr_array (specs)));
}

/* ---- every other operator -------------------------------------------------------------------- */

/* What the operator's rule says of the operands as wholes. */
static LsStructInfo *
as_wholes (LsInfer *self)
{
  LsStructInfo **infos = self->infos, *plain;
  g_autofree LsStructInfo **wholes = g_new (LsStructInfo *, self->n + 1);

  for (guint i = 0; i < self->n; i++)
    wholes[i] = ls_is (infos[i], DTENSOR_STRUCT_INFO) ? ((LsDTensorStructInfo *) infos[i])->tensor_sinfo : infos[i];
  self->infos = wholes;
  plain = self->row->infer (self);
  self->infos = infos;
  return plain;
}

LsStructInfo *
ls_infer_distributed (LsInfer *self)
{
  LsAxesRule rule = ls_axes_rule (self->name);
  g_autoptr (LsNode) plain = NULL;
  LsStructInfo *whole;
  GError *error = NULL;

  for (guint i = 0; i < self->n; i++)
    if (ls_is (self->infos[i], TENSOR_STRUCT_INFO))
      return ls_infer_fail (self, "is a distributed operator here, whose inputs are of the type DTensor; %s is %s.", ls_infer_arg_name (self, i),
                            ls_infer_text (self, self->infos[i]));
  if (g_str_has_prefix (self->name, "dist."))
    return self->row->infer (self);
  if (strcmp (self->name, "ccl.allreduce") == 0)
    return infer_allreduce (self);
  if (rule == LS_AXES_NONE)
    return ls_infer_fail (self, "has no dist.FInferStructInfo: it is not an operator over distributed tensors.");
  if ((plain = as_wholes (self)) == NULL || self->error != NULL)
    return NULL;
  whole = ls_sharding_of_call (self->call, plain, rule, NULL, &error);
  return said (self, whole, error);
}

const LsRelaxOpRow ls_relax_ops_distributed[] = {
  { "dist.annotate_sharding", "input | device_mesh:mesh placement:placement", ls_infer_same_as_first },
  { "dist.redistribute", "input | device_mesh:mesh placement:placement", infer_redistribute },
  { "dist.redistribute_replica_to_shard", "input | num_workers:int axis:int", infer_replica_to_shard },
  { NULL }
};
