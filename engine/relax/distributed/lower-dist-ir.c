/* distributed/lower-dist-ir: LowerDistIR: functions over distributed tensors as what each worker runs.
 *
 * Programs are in the local view already; shapes become those of the parts, and what comes in is broadcast or scattered from
 * worker 0.  On a mesh of one dimension, as in TVM v0.20, whose pass of this name it follows. */
#include "engine/relax/distributed/sharding.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

typedef struct {
  LsFunction *func;             /* at hand, or NULL */
  gboolean    received;         /* its parameters are broadcast and scattered */
  GHashTable *items;            /* LsRelaxVar (tuple parameter) -> array of LsNode or NULL */
} Lowering;

/* ---- shapes of parts -------------------------------------------------------------------- */

static LsArray *
cut_extents (LsArray             *extents,
             LsDTensorStructInfo *info)
{
  LsArray *specs = ((LsPlacement *) info->placement)->dim_specs, *mesh = ((LsDeviceMesh *) info->device_mesh)->shape;
  LsArray *out = ls_ref (extents);
  gint64 parts;

  for (guint i = 0; i < MIN (specs->n, mesh->n); i++)
    {
      LsPlacementSpec *spec = ls_array_at (specs, i, LsPlacementSpec);
      g_autoptr (LsNode) extent = NULL;

      if (spec->kind != LS_PLACEMENT_SHARDING || spec->axis >= (gint64) extents->n || !ls_as_int (mesh->items[i], &parts) || parts <= 0)
        continue;
      extent = LS_NODE (ls_floordiv (ls_ref (LS_EXPR (out->items[spec->axis])), ls_int_imm_new (ls_dtype (out->items[spec->axis]), parts)));
      ls_take (&out, ls_array_with (out, (guint) spec->axis, extent));
    }
  return out;
}

static LsStructInfo *
local_tensor (LsDTensorStructInfo *info,
              gboolean             part)
{
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info->tensor_sinfo;

  if (!part || !ls_is (tensor->shape, SHAPE_EXPR))
    return ls_node_ref (LS_NODE (tensor));
  return ls_tensor_struct_info_new (ls_shape_expr_new (cut_extents (((LsShapeExpr *) tensor->shape)->values, info)), tensor->ndim, tensor->dtype,
                                    ls_node_ref (tensor->vdevice));
}

/* A worker's own: of the part, or of the whole. (transfer full) */
static LsStructInfo *
local (LsStructInfo *info,
       gboolean      part)
{
  LsArray *fields = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;
  GPtrArray *out;

  if (ls_is (info, DTENSOR_STRUCT_INFO))
    return local_tensor ((LsDTensorStructInfo *) info, part);
  if (fields == NULL || ls_no_dtensors (info))
    return ls_node_ref (info);
  out = g_ptr_array_new ();
  for (guint i = 0; i < fields->n; i++)
    g_ptr_array_add (out, local (fields->items[i], part));
  return ls_tuple_struct_info_new (ls_array_take_ptr_array (out));
}

/* ---- what comes in -------------------------------------------------------------------------- */

static LsNode *
collective (const char *op,
            LsNode     *value,
            gint64      workers,
            gint64      axis)
{
  if (workers <= 0)
    return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (ls_node_ref (value), NULL), NULL, NULL, NULL);
  return ls_relax_call_new (ls_relax_op_new (op), ls_array_of (ls_node_ref (value), NULL),
                            ls_array_of (ls_string_new ("num_workers"), ls_string_new ("axis"), NULL),
                            ls_array_of (ls_int_imm_new (LS_INT64, workers), ls_int_imm_new (LS_INT64, axis), NULL), NULL);
}

/* Borrowed from the builder. */
static LsRelaxVar *
receive (LsRelaxMutator      *mutator,
         LsNode              *value,
         LsDTensorStructInfo *info)
{
  LsArray *mesh = ((LsDeviceMesh *) info->device_mesh)->shape;
  LsPlacementSpec *spec = ls_array_n (((LsPlacement *) info->placement)->dim_specs) == 1
                          ? ls_array_at (((LsPlacement *) info->placement)->dim_specs, 0, LsPlacementSpec) : NULL;
  gint64 workers = 0;

  if (mesh->n != 1 || spec == NULL || !ls_as_int (mesh->items[0], &workers))
    {
      ls_block_builder_fail (mutator->builder, LS_BLOCK_BUILDER_ERROR_UNSUPPORTED, "LowerDistIR: a device mesh has one dimension here, not %u.", mesh->n);
      spec = NULL;
    }
  if (spec == NULL || spec->kind == LS_PLACEMENT_REPLICA)
    return ls_block_builder_emit_take (mutator->builder, collective ("relax.ccl.broadcast_from_worker0", value, 0, 0), NULL);
  return ls_block_builder_emit_take (mutator->builder, collective ("relax.ccl.scatter_from_worker0", value, workers, spec->axis), NULL);
}

static void
receive_fields (LsRelaxMutator *mutator,
                LsRelaxVar     *param,
                LsNode         *fresh)
{
  Lowering *self = mutator->user_data;
  LsArray *fields = ((LsTupleStructInfo *) param->struct_info)->fields;
  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < fields->n; i++)
    {
      g_autoptr (LsNode) item = ls_tuple_get_item_new (ls_node_ref (fresh), i);

      g_ptr_array_add (items, ls_is (fields->items[i], DTENSOR_STRUCT_INFO)
                       ? ls_node_ref (LS_NODE (receive (mutator, item, (LsDTensorStructInfo *) fields->items[i]))) : NULL);
    }
  g_hash_table_insert (self->items, param, items);
}

static void
receive_params (LsRelaxMutator *mutator)
{
  Lowering *self = mutator->user_data;

  for (guint i = 0; i < self->func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (self->func->params, i, LsRelaxVar);
      LsNode *fresh = g_hash_table_lookup (mutator->vars, param);
      g_autoptr (LsNode) kept = ls_node_ref (fresh);

      if (fresh == NULL)
        continue;
      if (ls_is (param->struct_info, DTENSOR_STRUCT_INFO))
        ls_relax_mutator_replace (mutator, param, receive (mutator, fresh, (LsDTensorStructInfo *) param->struct_info));
      else if (ls_is (param->struct_info, TUPLE_STRUCT_INFO))
        receive_fields (mutator, param, fresh);
    }
}

static LsNode *
rewrite_block (LsRelaxMutator *mutator,
               LsBindingBlock *block)
{
  Lowering *self = mutator->user_data;

  if (self->func == NULL || self->received)
    return ls_relax_mutator_default_block (mutator, block);
  self->received = TRUE;
  ls_block_builder_begin_block (mutator->builder, ls_is (block, DATAFLOW_BLOCK));
  receive_params (mutator);
  for (guint i = 0; i < block->bindings->n; i++)
    mutator->funcs->binding (mutator, block->bindings->items[i]);
  return ls_block_builder_end_block (mutator->builder);
}

/* ---- calls ------------------------------------------------------------------------------------ */

static gboolean
is_cut (LsStructInfo *info)
{
  LsArray *specs = ls_is (info, DTENSOR_STRUCT_INFO) ? ((LsPlacement *) ((LsDTensorStructInfo *) info)->placement)->dim_specs : NULL;

  for (guint i = 0; i < ls_array_n (specs); i++)
    if (ls_array_at (specs, i, LsPlacementSpec)->kind == LS_PLACEMENT_SHARDING)
      return TRUE;
  return FALSE;
}

/* An operator that makes a whole of cut operands: each worker would have the part that its own pieces give. */
static gboolean
needs_others (LsRelaxCall         *call,
              LsDTensorStructInfo *info)
{
  const char *name = ls_is (call->op, RELAX_OP) ? ((LsRelaxOp *) call->op)->name : "relax.ccl.";

  if (info == NULL || is_cut ((LsStructInfo *) info) || g_str_has_prefix (name, "relax.ccl.") || g_str_has_prefix (name, "relax.dist."))
    return FALSE;
  for (guint i = 0; i < call->args->n; i++)
    if (is_cut (ls_relax_struct_info (call->args->items[i])))
      return TRUE;
  return FALSE;
}

/* The call as a worker makes it, before its operands are looked at. (transfer full) */
static LsNode *
localized (LsRelaxMutator *mutator,
           LsRelaxVar     *var,
           LsRelaxCall    *call)
{
  LsDTensorStructInfo *info = ls_is (var->struct_info, DTENSOR_STRUCT_INFO) ? (LsDTensorStructInfo *) var->struct_info : NULL;
  const char *name = ls_is (call->op, EXTERN_FUNC) ? ((LsExternFunc *) call->op)->global_symbol : "";
  gboolean view = strcmp (name, "vm.builtin.distributed.attention_kv_cache_view") == 0;
  g_autoptr (LsArray) args = ls_ref (call->args);
  g_autoptr (LsArray) infos = ls_ref (call->sinfo_args);
  g_autoptr (LsNode) op = ls_node_ref (call->op);

  if (ls_is_relax_call (call, "relax.call_tir"))
    ls_block_builder_fail (mutator->builder, LS_BLOCK_BUILDER_ERROR_UNSUPPORTED,
                           "a call_tir of distributed tensors is left: LowerGlobalViewToLocalView makes it a call_tir_local_view first");
  if (needs_others (call, info))
    ls_block_builder_fail (mutator->builder, LS_BLOCK_BUILDER_ERROR_UNSUPPORTED,
                           "%s joins parts that lie on several workers; LegalizeOps before PropagateSharding makes it a call_tir, to which "
                           "LowerGlobalViewToLocalView adds the communication.", ((LsRelaxOp *) call->op)->name);
  if ((view || ls_is_relax_call (call, "relax.reshape")) && info != NULL && args->n > 1 && ls_is (args->items[1], SHAPE_EXPR))
    {
      g_autoptr (LsNode) shape = ls_shape_expr_new (cut_extents (((LsShapeExpr *) args->items[1])->values, info));

      ls_take (&args, ls_array_with (args, 1, shape));
    }
  if (view && info != NULL)
    ls_take (&infos, ls_array_of (local_tensor (info, TRUE), NULL));
  if (ls_is_relax_call (call, "relax.dist.call_tir_local_view"))
    {
      ls_take (&op, ls_relax_op_new ("relax.call_tir"));
      ls_take (&infos, ls_array_of (local (var->struct_info, TRUE), NULL));
    }
  else if (view || strcmp (name, "vm.builtin.distributed.attention_kv_cache_append") == 0)
    ls_take (&op, ls_extern_func_new (view ? "vm.builtin.attention_kv_cache_view" : "vm.builtin.attention_kv_cache_append"));
  return ls_relax_call_new (ls_node_ref (op), ls_ref (args), ls_ref (call->attr_names), ls_ref (call->attrs), ls_ref (infos));
}

/* Constants are whole on each worker. */
static LsNode *
rewrite_expr (LsRelaxMutator *mutator,
              LsNode         *expr)
{
  LsConstant *constant = (LsConstant *) expr;
  LsArray *specs;

  if (((Lowering *) mutator->user_data)->func == NULL || !ls_is (expr, CONSTANT) || !ls_is (constant->struct_info, DTENSOR_STRUCT_INFO))
    return ls_is (expr, FUNCTION) ? mutator->funcs->function (mutator, (LsFunction *) expr) : ls_relax_mutator_default (mutator, expr);
  specs = ((LsPlacement *) ((LsDTensorStructInfo *) constant->struct_info)->placement)->dim_specs;
  for (guint i = 0; i < specs->n; i++)
    if (ls_array_at (specs, i, LsPlacementSpec)->kind == LS_PLACEMENT_SHARDING)
      ls_block_builder_fail (mutator->builder, LS_BLOCK_BUILDER_ERROR_UNSUPPORTED, "LowerDistIR: a constant is whole on each worker; this one is cut.");
  return ls_constant_new_full (ls_ref (constant->data), local (constant->struct_info, FALSE));
}

static void
rewrite_binding (LsRelaxMutator *mutator,
                 LsNode         *node)
{
  Lowering *self = mutator->user_data;
  LsVarBinding *binding = (LsVarBinding *) node;
  LsNode *value = ls_is (node, VAR_BINDING) ? binding->value : NULL;
  LsTupleGetItem *item = ls_is (value, TUPLE_GET_ITEM) ? (LsTupleGetItem *) value : NULL;
  GPtrArray *items = item != NULL ? g_hash_table_lookup (self->items, item->tuple) : NULL;

  if (self->func != NULL && ls_is (value, RELAX_CALL))
    {
      g_autoptr (LsNode) call = localized (mutator, binding->var, (LsRelaxCall *) value);
      g_autoptr (LsNode) fresh = ls_relax_mutator_visit (mutator, call);

      ls_relax_mutator_rebind (mutator, binding, fresh);
    }
  else if (items != NULL && item->index < (gint64) items->len && items->pdata[item->index] != NULL)
    ls_relax_mutator_replace (mutator, binding->var, items->pdata[item->index]);
  else
    ls_relax_mutator_default_binding (mutator, node);
}

/* ---- functions ---------------------------------------------------------------------------------- */

static LsNode *
lowered (LsRelaxMutator *mutator,
         LsFunction     *func)
{
  g_autoptr (GPtrArray) params = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (LsNode) body = NULL, info = NULL;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (func->params, i, LsRelaxVar), *fresh = ls_relax_var_new (param->name, local (param->struct_info, FALSE));

      ls_struct_info_add_symbols (fresh->struct_info, known);
      ls_relax_mutator_replace (mutator, param, fresh);
      g_ptr_array_add (params, fresh);
    }
  body = ls_relax_mutator_visit (mutator, func->body);
  info = ls_block_builder_struct_info (mutator->builder, body);
  return LS_NODE (ls_function_new (ls_array_take_ptr_array (g_steal_pointer (&params)), ls_node_ref (body), ls_struct_info_erase (info, known),
                                   ls_ref (func->attrs), func->is_pure));
}

static LsNode *
rewrite_function (LsRelaxMutator *mutator,
                  LsFunction     *func)
{
  Lowering *self = mutator->user_data;
  gboolean plain = TRUE, distributed = TRUE;
  LsNode *fresh;

  if (self->func != NULL)
    return ls_relax_mutator_default (mutator, func);
  for (guint i = 0; i < func->params->n; i++)
    {
      plain &= ls_no_dtensors (ls_array_at (func->params, i, LsRelaxVar)->struct_info);
      distributed &= ls_only_dtensors (ls_array_at (func->params, i, LsRelaxVar)->struct_info);
    }
  if (plain)
    return ls_node_ref (LS_NODE (func));
  if (!distributed)
    ls_block_builder_fail (mutator->builder, LS_BLOCK_BUILDER_ERROR_TYPE, "mixed use of DTensor and Tensor in the parameters of a function");
  self->func = func;
  self->received = FALSE;
  fresh = lowered (mutator, func);
  self->func = NULL;
  return fresh;
}

LsModule *
ls_relax_pass_lower_dist_ir (LsModule  *module,
                             LsMap     *args,
                             GError   **error)
{
  static const LsRelaxMutatorFuncs FUNCS = { .expr = rewrite_expr, .function = rewrite_function, .binding = rewrite_binding, .block = rewrite_block };
  g_autoptr (GHashTable) items = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  Lowering self = { NULL, FALSE, items };

  return ls_relax_mutate_module (module, &FUNCS, &self, error);
}
