/* distributed/legalize-redistribute: LegalizeRedistribute: R.dist.redistribute as what the devices do.
 *
 * On a mesh of one dimension, where the mesh stays: "R" -> "S[i]" becomes R.dist.redistribute_replica_to_shard, what changes
 * nothing goes.  The other ways need communication that TVM has no operator for and are refused, as there. */
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

static LsNode *
redistribute_refuse (LsRelaxMutator *mutator,
                     LsNode         *call,
                     const char     *why)
{
  ls_block_builder_fail (mutator->builder, LS_BLOCK_BUILDER_ERROR_UNSUPPORTED, "LegalizeRedistribute: %s", ls_translate (why));
  return call;
}

static LsNode *
replica_to_shard (LsNode *value,
                  gint64  workers,
                  gint64  axis)
{
  return ls_relax_call_new (ls_relax_op_new ("relax.dist.redistribute_replica_to_shard"), ls_array_of (ls_node_ref (value), NULL),
                            ls_array_of (ls_string_new ("num_workers"), ls_string_new ("axis"), NULL),
                            ls_array_of (ls_int_imm_new (LS_INT64, workers), ls_int_imm_new (LS_INT64, axis), NULL), NULL);
}

/* Takes the call. */
static LsNode *
legalized (LsRelaxMutator *mutator,
           LsNode         *node)
{
  LsRelaxCall *call = (LsRelaxCall *) node;
  LsDTensorStructInfo *from = ls_is_relax_var (call->args->items[0]) ? (LsDTensorStructInfo *) ((LsRelaxVar *) call->args->items[0])->struct_info : NULL;
  LsNode *mesh = ls_relax_pass_attr (call, "device_mesh"), *to = ls_relax_pass_attr (call, "placement");
  LsPlacementSpec *before, *after;
  gint64 workers;
  LsNode *fresh;

  if (!ls_is (from, DTENSOR_STRUCT_INFO) || !ls_is (mesh, DEVICE_MESH) || !ls_is (to, PLACEMENT))
    return redistribute_refuse (mutator, node, "redistribute takes a distributed tensor, a device mesh and a placement.");
  if (!ls_structural_equal (from->device_mesh, mesh, FALSE, NULL, NULL))
    return redistribute_refuse (mutator, node, "redistribute stays on one device mesh.");
  if (((LsDeviceMesh *) mesh)->shape->n != 1 || ((LsPlacement *) to)->dim_specs->n != 1 || ((LsPlacement *) from->placement)->dim_specs->n != 1
      || !ls_as_int (((LsDeviceMesh *) mesh)->shape->items[0], &workers))
    return redistribute_refuse (mutator, node, "redistribute is supported on a device mesh of one dimension only.");
  before = ls_array_at (((LsPlacement *) from->placement)->dim_specs, 0, LsPlacementSpec);
  after = ls_array_at (((LsPlacement *) to)->dim_specs, 0, LsPlacementSpec);
  if (before->kind == LS_PLACEMENT_SHARDING && after->kind == LS_PLACEMENT_REPLICA)
    return redistribute_refuse (mutator, node, "Allgather not implemented yet");
  if (before->kind == LS_PLACEMENT_SHARDING && before->axis != after->axis)
    return redistribute_refuse (mutator, node, "AlltoAll not implemented yet");
  fresh = before->kind == LS_PLACEMENT_REPLICA && after->kind == LS_PLACEMENT_SHARDING ? replica_to_shard (call->args->items[0], workers, after->axis)
          : ls_node_ref (call->args->items[0]);
  ls_node_unref (node);
  return fresh;
}

static LsNode *
rewrite_call (LsRelaxMutator *mutator,
              LsRelaxCall    *call)
{
  LsNode *visited = ls_relax_mutator_default (mutator, call);

  return ls_is_relax_call (visited, "relax.dist.redistribute") && ((LsRelaxCall *) visited)->args->n > 0 ? legalized (mutator, visited) : visited;
}

LsModule *
ls_relax_pass_legalize_redistribute (LsModule  *module,
                                     LsMap     *args,
                                     GError   **error)
{
  static const LsRelaxMutatorFuncs FUNCS = { .call = rewrite_call };

  return ls_relax_mutate_module (module, &FUNCS, NULL, error);
}
