/* distributed/propagate-sharding: PropagateSharding: from what R.dist.annotate_sharding says of some tensors to all.
 *
 *   lv1 = R.nn.gelu (lv0); lv2 = R.dist.annotate_sharding (lv1, "mesh[0]", "S[1]"); lv3 = R.matmul (lv2, w)
 *     -> lv0, lv1: S[1]; w: S[0]; lv3: R
 *
 * The axes of all values form a graph (axis-graph.h).  Where what it says of a result is not what the operator makes of its
 * operands, R.dist.redistribute stands between.  Source: TVM v0.20's pass of this name. */
#include "engine/relax/distributed/sharding.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

typedef struct {
  LsAxisGraph *graph;           /* of the function at hand, or NULL */
  LsModule    *module;
  GHashTable  *items;           /* LsRelaxVar (old tuple) -> array of LsNode or NULL: what stands for its fields */
  GError      *error;
} Sharding;

static gboolean
sharding_refuse (Sharding   *self,
                 const char *format,
                 ...) G_GNUC_PRINTF (2, 3);

static gboolean
sharding_refuse (Sharding   *self,
                 const char *format,
                 ...)
{
  va_list args;

  va_start (args, format);
  if (self->error == NULL)
    self->error = g_error_new_valist (LS_RELAX_PASS_ERROR, LS_RELAX_PASS_ERROR_PROGRAM, ls_translate (format), args);
  va_end (args);
  return FALSE;
}

/* ---- what a value is ---------------------------------------------------------------------- */

/* The tensors that a struct info tells of: itself, or the fields of a tuple; `n` 0: others. */
static LsStructInfo **
tensors_of (LsStructInfo **info,
            guint         *n)
{
  LsArray *fields = ls_is (*info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) *info)->fields : NULL;

  *n = 0;
  for (guint i = 0; i < ls_array_n (fields); i++)
    if (!ls_is (fields->items[i], TENSOR_STRUCT_INFO))
      return NULL;
  *n = fields != NULL ? fields->n : ls_is (*info, TENSOR_STRUCT_INFO);
  return fields != NULL ? (LsStructInfo **) fields->items : info;
}

/* The operands: the arguments, or of call_tir those in its tuple. */
static LsArray *
operands_of (LsRelaxCall *call)
{
  if (!ls_is_relax_call (call, "relax.call_tir"))
    return call->args;
  return call->args->n > 1 && ls_is (call->args->items[1], RELAX_TUPLE) ? ((LsRelaxTuple *) call->args->items[1])->fields : NULL;
}

static gboolean
is_tensor (LsNode *arg)
{
  return ls_is_relax_var (arg) ? ls_is (((LsRelaxVar *) arg)->struct_info, TENSOR_STRUCT_INFO)
         : ls_is (arg, CONSTANT) && ls_is (((LsConstant *) arg)->struct_info, TENSOR_STRUCT_INFO);
}

static LsPrimFunc *
callee_of (LsModule    *module,
           LsRelaxCall *call)
{
  LsNode *var = call->args->n > 0 ? call->args->items[0] : NULL;
  LsNode *func = ls_is (var, GLOBAL_VAR) ? ls_module_get (module, ((LsGlobalVar *) var)->name_hint) : NULL;

  return ls_is_relax_call (call, "relax.call_tir") && ls_is (func, PRIM_FUNC) ? (LsPrimFunc *) func : NULL;
}

/* ---- the graph of a function ------------------------------------------------------------------ */

static void
join_meshes (LsAxisGraph *graph,
             LsRelaxVar  *var,
             LsRelaxCall *call)
{
  LsArray *operands = operands_of (call);
  guint n;

  tensors_of (&var->struct_info, &n);
  for (guint i = 0; i < ls_array_n (operands); i++)
    for (guint k = 0; is_tensor (operands->items[i]) && k < MAX (n, 1); k++)
      ls_axis_graph_join (graph, ls_axis (operands->items[i], -1), ls_axis_of_field (var, -1, k), LS_AXIS_DESCEND);
}

static void
add_call (Sharding    *self,
          LsRelaxVar  *var,
          LsRelaxCall *call)
{
  const char *name = ls_is (call->op, RELAX_OP) ? ((LsRelaxOp *) call->op)->name + strlen ("relax.") : NULL;
  LsPrimFunc *func = callee_of (self->module, call);

  if (name != NULL)
    ls_axes_join (self->graph, ls_axes_rule (name), var, call, self->error == NULL ? &self->error : NULL);
  if (func != NULL)
    ls_axes_join_tir (self->graph, var, call, func);
  join_meshes (self->graph, var, call);
}

static void
add_item (Sharding       *self,
          LsRelaxVar     *var,
          LsTupleGetItem *item)
{
  gint64 ndim = ls_is (var->struct_info, TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) var->struct_info)->ndim : 0;

  for (gint64 i = -1; i < ndim; i++)
    ls_axis_graph_join (self->graph, ls_axis_of_field (item->tuple, i, item->index), ls_axis (var, i), LS_AXIS_DESCEND);
}

static void
add_copy (Sharding   *self,
          LsRelaxVar *var,
          LsNode     *value)
{
  guint n;
  LsStructInfo **infos = tensors_of (&var->struct_info, &n);

  for (guint k = 0; k < n; k++)
    for (gint64 i = -1; i < ((LsTensorStructInfo *) infos[k])->ndim; i++)
      ls_axis_graph_join (self->graph, ls_axis_of_field (value, i, k), ls_axis_of_field (var, i, k), LS_AXIS_DESCEND);
}

/* What R.dist.annotate_sharding says of its result. */
static void
add_annotation (Sharding    *self,
                LsRelaxVar  *var,
                LsRelaxCall *call)
{
  LsNode *mesh = ls_relax_pass_attr (call, "device_mesh"), *placement = ls_relax_pass_attr (call, "placement");
  LsArray *specs = ls_is (placement, PLACEMENT) ? ((LsPlacement *) placement)->dim_specs : NULL;

  if (!ls_is (mesh, DEVICE_MESH) || specs == NULL)
    return;
  for (guint i = 0; i < specs->n; i++)
    if (ls_array_at (specs, i, LsPlacementSpec)->kind == LS_PLACEMENT_SHARDING)
      ls_axis_graph_add_source (self->graph, ls_axis (var, ls_array_at (specs, i, LsPlacementSpec)->axis), mesh, (int) i);
  ls_axis_graph_add_source (self->graph, ls_axis (var, -1), mesh, -1);
}

static LsWalk
add_binding (LsNode  *node,
             gpointer user_data)
{
  LsVarBinding *binding = (LsVarBinding *) node;

  if (!ls_is (node, VAR_BINDING))
    return LS_WALK_CONTINUE;
  if (ls_is (binding->value, RELAX_CALL))
    add_call (user_data, binding->var, (LsRelaxCall *) binding->value);
  else if (ls_is (binding->value, TUPLE_GET_ITEM))
    add_item (user_data, binding->var, (LsTupleGetItem *) binding->value);
  else if (ls_is_relax_var (binding->value))
    add_copy (user_data, binding->var, binding->value);
  if (ls_is_relax_call (binding->value, "relax.dist.annotate_sharding"))
    add_annotation (user_data, binding->var, (LsRelaxCall *) binding->value);
  return LS_WALK_CONTINUE;
}

/* ---- conflicts ---------------------------------------------------------------------------------- */

static gint64
extent_of (LsNode *list,
           gint64  i)
{
  gint64 n = G_MAXINT64;
  LsArray *extents = (LsArray *) list;

  return i >= 0 && i < (gint64) ls_array_n (extents) && ls_as_int (extents->items[i], &n) ? n : G_MAXINT64;
}

/* One mesh, each of its dimensions once; an axis that is shorter than the mesh stays whole. */
static gboolean
check_tensor (Sharding   *self,
              LsRelaxVar *var)
{
  LsTensorStructInfo *info = (LsTensorStructInfo *) var->struct_info;
  LsNode *mesh = NULL, *other;
  guint64 used = 0;
  int dim;

  if (!ls_is (info, TENSOR_STRUCT_INFO))
    return TRUE;
  if (!ls_is (info->shape, SHAPE_EXPR))
    return sharding_refuse (self, "PropagateSharding: the shape of %s is not known.", var->name);
  for (gint64 i = -1; i < info->ndim; i++)
    {
      if (!ls_axis_graph_lookup (self->graph, ls_axis (var, i), &other, &dim))
        continue;
      if (mesh != NULL && !ls_structural_equal (mesh, other, FALSE, NULL, NULL))
        return sharding_refuse (self, "Tensor %s would lie on two device meshes.", var->name);
      mesh = other;
      if (i < 0 || dim < 0)
        continue;
      if (dim < 64 && (used & (1ULL << dim)) != 0)
        return sharding_refuse (self, "Tensor %s would be shared out twice over axis %d of its device mesh.", var->name, dim);
      used |= dim < 64 ? 1ULL << dim : 0;
      if (extent_of (LS_NODE (((LsShapeExpr *) info->shape)->values), i) < extent_of (LS_NODE (((LsDeviceMesh *) mesh)->shape), dim))
        ls_axis_graph_add_cut (self->graph, ls_axis (var, i));
    }
  return TRUE;
}

static gboolean
check_constants (Sharding    *self,
                 LsRelaxCall *call)
{
  LsArray *operands = operands_of (call);

  for (guint k = 0; k < ls_array_n (operands); k++)
    for (gint64 i = 0; ls_is (operands->items[k], CONSTANT) && is_tensor (operands->items[k])
         && i < ((LsTensorStructInfo *) ((LsConstant *) operands->items[k])->struct_info)->ndim; i++)
      if (ls_axis_graph_lookup (self->graph, ls_axis (operands->items[k], i), NULL, NULL))
        return sharding_refuse (self, "Constant is not allowed to be sharded. Please convert it into an input param.");
  return TRUE;
}

static LsWalk
check_binding (LsNode  *node,
               gpointer user_data)
{
  LsVarBinding *binding = (LsVarBinding *) node;

  if (!ls_is (node, VAR_BINDING))
    return LS_WALK_CONTINUE;
  if (ls_is (binding->value, RELAX_CALL) && !check_constants (user_data, (LsRelaxCall *) binding->value))
    return LS_WALK_STOP;
  return check_tensor (user_data, binding->var) ? LS_WALK_CONTINUE : LS_WALK_STOP;
}

static gboolean
settle (Sharding   *self,
        LsFunction *func)
{
  ls_walk (func->body, add_binding, NULL, self);
  if (self->error != NULL || !ls_axis_graph_propagate (self->graph, &self->error) || !ls_walk (func->body, check_binding, NULL, self))
    return FALSE;
  for (guint i = 0; i < func->params->n; i++)
    if (!check_tensor (self, ls_array_at (func->params, i, LsRelaxVar)))
      return FALSE;
  return ls_axis_graph_propagate (self->graph, &self->error);
}

/* ---- rewriting ------------------------------------------------------------------------------------- */

/* A tensor, field `index` of `value`, as the graph says it lies; itself and the reason where nothing is said. */
static LsStructInfo *
as_said (Sharding      *self,
         gconstpointer  value,
         const char    *name,
         LsStructInfo  *info,
         guint          index)
{
  LsNode *mesh = NULL;
  LsStructInfo *fresh;

  if (!ls_axis_graph_lookup (self->graph, ls_axis_of_field (value, -1, index), &mesh, NULL))
    {
      sharding_refuse (self, "%s[%u] is not assigned device mesh", name, index);
      return ls_node_ref (info);
    }
  fresh = ls_dtensor_struct_info_new (ls_node_ref (info), ls_node_ref (mesh),
                                      ls_axis_graph_placement (self->graph, value, ((LsTensorStructInfo *) info)->ndim, (int) index, mesh),
                                      self->error == NULL ? &self->error : NULL);
  return fresh != NULL ? fresh : ls_node_ref (info);
}

static LsStructInfo *
param_info (Sharding   *self,
            LsRelaxVar *param)
{
  LsArray *fields = ls_is (param->struct_info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) param->struct_info)->fields : NULL;
  GPtrArray *fresh;

  if (ls_is (param->struct_info, TENSOR_STRUCT_INFO))
    return as_said (self, param, param->name, param->struct_info, 0);
  if (fields == NULL)
    return ls_node_ref (param->struct_info);
  fresh = g_ptr_array_new ();
  for (guint i = 0; i < fields->n; i++)
    g_ptr_array_add (fresh, ls_is (fields->items[i], TENSOR_STRUCT_INFO) ? as_said (self, param, param->name, fields->items[i], i)
                     : ls_node_ref (fields->items[i]));
  return ls_tuple_struct_info_new (ls_array_take_ptr_array (fresh));
}

/* The operands with constants on the mesh too. (transfer full) */
static LsArray *
with_constants (Sharding *self,
                LsArray  *operands)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < operands->n; i++)
    {
      LsConstant *constant = ls_array_at (operands, i, LsConstant);

      if (ls_is (constant, CONSTANT) && is_tensor (LS_NODE (constant)))
        g_ptr_array_add (out, ls_constant_new_full (ls_ref (constant->data), as_said (self, constant, "a constant", constant->struct_info, 0)));
      else
        g_ptr_array_add (out, ls_node_ref (operands->items[i]));
    }
  return ls_array_take_ptr_array (out);
}

/* Functions of the runtime that have another name where tensors are distributed. (transfer full) */
static LsNode *
distributed_op (LsNode *op)
{
  const char *name = ls_is (op, EXTERN_FUNC) ? ((LsExternFunc *) op)->global_symbol : "";

  if (strcmp (name, "vm.builtin.attention_kv_cache_append") == 0)
    return ls_extern_func_new ("vm.builtin.distributed.attention_kv_cache_append");
  if (strcmp (name, "vm.builtin.attention_kv_cache_view") == 0)
    return ls_extern_func_new ("vm.builtin.distributed.attention_kv_cache_view");
  return ls_node_ref (op);
}

static LsNode *
rewrite_tir (Sharding    *self,
             LsRelaxCall *call)
{
  LsPrimFunc *func = callee_of (self->module, call);
  g_autoptr (LsArray) operands = with_constants (self, operands_of (call));
  g_autoptr (LsNode) tuple = ls_relax_tuple_new (ls_ref (operands));
  g_autoptr (LsNode) fresh = ls_relax_call_new (ls_node_ref (call->op), ls_array_with (call->args, 1, tuple), ls_ref (call->attr_names),
                                                ls_ref (call->attrs), ls_ref (call->sinfo_args));
  LsNode *info;

  if (func == NULL || call->sinfo_args->n == 0)
    return g_steal_pointer (&fresh);
  info = ls_sharding_of_call ((LsRelaxCall *) fresh, call->sinfo_args->items[0], LS_AXES_NONE, func, self->error == NULL ? &self->error : NULL);
  if (info == NULL)
    return g_steal_pointer (&fresh);
  return ls_relax_call_new (ls_node_ref (call->op), ls_ref (((LsRelaxCall *) fresh)->args), ls_ref (call->attr_names), ls_ref (call->attrs),
                            ls_array_of (info, NULL));
}

static LsNode *
rewrite_call (LsRelaxMutator *mutator,
              LsRelaxCall    *call)
{
  Sharding *self = mutator->user_data;
  g_autoptr (LsNode) visited = ls_relax_mutator_default (mutator, call);
  LsRelaxCall *fresh = (LsRelaxCall *) visited;

  if (self->graph == NULL)
    return g_steal_pointer (&visited);
  if (ls_is_relax_call (fresh, "relax.call_tir"))
    return ls_array_n (operands_of (fresh)) > 0 ? rewrite_tir (self, fresh) : g_steal_pointer (&visited);
  return ls_relax_call_new (distributed_op (fresh->op), with_constants (self, fresh->args), ls_ref (fresh->attr_names), ls_ref (fresh->attrs),
                            ls_ref (fresh->sinfo_args));
}

static LsNode *
redistribute (LsNode *value,
              LsNode *mesh,
              LsNode *placement)
{
  return ls_relax_call_new (ls_relax_op_new ("relax.dist.redistribute"), ls_array_of (ls_node_ref (value), NULL),
                            ls_array_of (ls_string_new ("device_mesh"), ls_string_new ("placement"), NULL),
                            ls_array_of (ls_node_ref (mesh), ls_node_ref (placement), NULL), NULL);
}

/* Where nothing follows from the operands, there being none, the graph says how the result lies. (transfer full) */
static LsNode *
with_result (Sharding    *self,
             LsRelaxVar  *var,
             LsNode      *value)
{
  LsRelaxCall *call = (LsRelaxCall *) value;
  gboolean view = ls_is (call, RELAX_CALL) && ls_is (call->op, EXTERN_FUNC)
                  && g_str_equal (((LsExternFunc *) call->op)->global_symbol, "vm.builtin.distributed.attention_kv_cache_view");
  LsArray *fields;
  GPtrArray *infos;

  if ((!view && !ls_is_relax_call (call, "relax.call_tir")) || call->sinfo_args->n == 0 || ls_only_dtensors (call->sinfo_args->items[0]))
    return ls_node_ref (value);
  fields = ls_is (call->sinfo_args->items[0], TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) call->sinfo_args->items[0])->fields : NULL;
  infos = g_ptr_array_new ();
  for (guint i = 0; i < (fields != NULL ? fields->n : 1); i++)
    g_ptr_array_add (infos, as_said (self, var, var->name, fields != NULL ? fields->items[i] : call->sinfo_args->items[0], i));
  return ls_relax_call_new (ls_node_ref (call->op), ls_ref (call->args), ls_ref (call->attr_names), ls_ref (call->attrs),
                            fields != NULL ? ls_array_of (ls_tuple_struct_info_new (ls_array_take_ptr_array (infos)), NULL) : ls_array_take_ptr_array (infos));
}

/* The fields of a tuple that lie as the graph says; those that do not are brought there. */
static void
bind_tuple (LsRelaxMutator    *mutator,
            LsVarBinding      *binding,
            LsNode            *value,
            LsTupleStructInfo *made)
{
  Sharding *self = mutator->user_data;
  LsRelaxVar *fresh = ls_block_builder_emit (mutator->builder, value, NULL);
  LsArray *plain = ((LsTupleStructInfo *) binding->var->struct_info)->fields;
  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  ls_relax_mutator_replace (mutator, binding->var, fresh);
  for (guint i = 0; i < MIN (plain->n, made->fields->n); i++)
    {
      g_autoptr (LsNode) said = as_said (self, binding->var, binding->var->name, plain->items[i], i);
      LsDTensorStructInfo *wanted = (LsDTensorStructInfo *) said;
      LsNode *brought = NULL;

      if (ls_is (said, DTENSOR_STRUCT_INFO) && !ls_structural_equal (said, made->fields->items[i], FALSE, NULL, NULL))
        {
          g_autoptr (LsNode) field = ls_tuple_get_item_new (ls_node_ref (LS_NODE (fresh)), i);

          brought = ls_node_ref (LS_NODE (ls_block_builder_emit_take (mutator->builder, redistribute (field, wanted->device_mesh, wanted->placement), NULL)));
        }
      g_ptr_array_add (items, brought);
    }
  g_hash_table_insert (self->items, binding->var, items);
}

static void
bind_call (LsRelaxMutator *mutator,
           LsVarBinding   *binding)
{
  Sharding *self = mutator->user_data;
  g_autoptr (LsNode) visited = ls_relax_mutator_visit (mutator, binding->value);
  g_autoptr (LsNode) call = with_result (self, binding->var, visited);
  g_autoptr (LsNode) normal = ls_block_builder_normalize (mutator->builder, call);
  g_autoptr (LsNode) made = ls_block_builder_struct_info (mutator->builder, normal);
  g_autoptr (LsNode) said = NULL, value = NULL;

  if (self->error != NULL || (ls_is (made, TUPLE_STRUCT_INFO) && ls_is (binding->var->struct_info, TUPLE_STRUCT_INFO)))
    {
      if (self->error == NULL)
        bind_tuple (mutator, binding, normal, (LsTupleStructInfo *) made);
      return;
    }
  said = as_said (self, binding->var, binding->var->name, binding->var->struct_info, 0);
  value = ls_node_ref (ls_is_relax_call (normal, "relax.dist.annotate_sharding") ? ((LsRelaxCall *) normal)->args->items[0] : normal);
  if (ls_is (said, DTENSOR_STRUCT_INFO) && ls_is (made, DTENSOR_STRUCT_INFO)
      && (!ls_structural_equal (((LsDTensorStructInfo *) said)->device_mesh, ((LsDTensorStructInfo *) made)->device_mesh, FALSE, NULL, NULL)
          || !ls_structural_equal (((LsDTensorStructInfo *) said)->placement, ((LsDTensorStructInfo *) made)->placement, FALSE, NULL, NULL)))
    ls_take (&value, redistribute (value, ((LsDTensorStructInfo *) said)->device_mesh, ((LsDTensorStructInfo *) said)->placement));
  if (ls_is_relax_var (value))
    ls_relax_mutator_replace (mutator, binding->var, value);
  else
    ls_relax_mutator_rebind (mutator, binding, value);
}

static void
rewrite_binding (LsRelaxMutator *mutator,
                 LsNode         *node)
{
  Sharding *self = mutator->user_data;
  LsVarBinding *binding = (LsVarBinding *) node;
  LsTupleGetItem *item = ls_is (node, VAR_BINDING) && ls_is (binding->value, TUPLE_GET_ITEM) ? (LsTupleGetItem *) binding->value : NULL;
  GPtrArray *items = item != NULL ? g_hash_table_lookup (self->items, item->tuple) : NULL;
  guint n = 0;

  if (ls_is (node, VAR_BINDING) && ls_is (binding->value, RELAX_CALL))
    tensors_of (&binding->var->struct_info, &n);
  if (self->graph != NULL && n > 0)
    bind_call (mutator, binding);
  else if (items != NULL && item->index < (gint64) items->len && items->pdata[item->index] != NULL)
    ls_relax_mutator_replace (mutator, binding->var, items->pdata[item->index]);
  else
    ls_relax_mutator_default_binding (mutator, node);
}

static LsWalk
stop_at_annotation (LsNode  *node,
                    gpointer user_data)
{
  return ls_is_relax_call (node, "relax.dist.annotate_sharding") ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static LsNode *
rewritten (LsRelaxMutator *mutator,
           LsFunction     *func)
{
  Sharding *self = mutator->user_data;
  g_autoptr (GPtrArray) params = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (LsNode) body = NULL, info = NULL;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsRelaxVar *param = ls_array_at (func->params, i, LsRelaxVar);
      LsStructInfo *said = param_info (self, param);
      LsRelaxVar *fresh = said == param->struct_info ? ls_ref (param) : ls_relax_var_new (param->name, ls_node_ref (said));

      ls_node_unref (said);
      ls_struct_info_add_symbols (fresh->struct_info, known);
      g_ptr_array_add (params, fresh);
      if (fresh != param)
        ls_relax_mutator_replace (mutator, param, fresh);
    }
  if (self->error != NULL)
    return ls_node_ref (LS_NODE (func));
  body = ls_relax_mutator_visit (mutator, func->body);
  info = ls_block_builder_struct_info (mutator->builder, body);
  return LS_NODE (ls_function_new (ls_array_take_ptr_array (g_steal_pointer (&params)), ls_node_ref (body), ls_struct_info_erase (info, known),
                                   ls_ref (func->attrs), func->is_pure));
}

static LsNode *
rewrite_function (LsRelaxMutator *mutator,
                  LsFunction     *func)
{
  Sharding *self = mutator->user_data;
  LsNode *fresh;

  if (self->graph != NULL)
    return ls_relax_mutator_default (mutator, func);
  if (self->error != NULL || ls_walk (func->body, stop_at_annotation, NULL, NULL))
    return ls_node_ref (LS_NODE (func));
  self->graph = ls_axis_graph_new ();
  fresh = settle (self, func) ? rewritten (mutator, func) : ls_node_ref (LS_NODE (func));
  g_clear_pointer (&self->graph, ls_axis_graph_free);
  return fresh;
}

LsModule *
ls_relax_pass_propagate_sharding (LsModule  *module,
                                  LsMap     *args,
                                  GError   **error)
{
  static const LsRelaxMutatorFuncs FUNCS = { .call = rewrite_call, .function = rewrite_function, .binding = rewrite_binding };
  g_autoptr (GHashTable) items = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  Sharding self = { NULL, module, items, NULL };
  LsModule *fresh = ls_relax_mutate_module (module, &FUNCS, &self, self.error == NULL ? error : NULL);

  if (self.error == NULL)
    return fresh;
  ls_unref (fresh);
  if (error != NULL)
    g_clear_error (error);
  g_propagate_error (error, self.error);
  return NULL;
}
