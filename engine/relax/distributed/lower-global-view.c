/* distributed/lower-global-view: LowerGlobalViewToLocalView: calls of programs over whole tensors as calls of programs over the
 * parts that one device has.
 *
 *   R.dist.call_tir (matmul, (x, w), R.DTensor (..., "R"))  with x cut at its axis 1 and w at its axis 0
 *     -> R.ccl.allreduce (R.dist.call_tir_local_view (matmul1, (x, w), ...), op_type="sum")
 *
 * Source: TVM v0.20's pass of this name. */
#include "engine/relax/distributed/compact.h"
#include "engine/relax/distributed/sharding.h"
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

static LsPrimFunc *
callee_of (LsRelaxMutator *mutator,
           LsRelaxCall    *call)
{
  LsNode *var = call->args->n > 1 ? call->args->items[0] : NULL;
  LsNode *func = ls_is (var, GLOBAL_VAR) ? ls_block_builder_lookup_func (mutator->builder, (LsGlobalVar *) var) : NULL;

  return ls_is (func, PRIM_FUNC) && ls_is (call->args->items[1], RELAX_TUPLE) ? (LsPrimFunc *) func : NULL;
}

/* How the buffers lie: those of the arguments, then the results; NULL: one of them is no distributed tensor. */
static GPtrArray *
infos_of (LsRelaxCall *call,
          LsPrimFunc  *func,
          LsRelaxVar  *result)
{
  g_autoptr (GPtrArray) infos = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsArray *args = ((LsRelaxTuple *) call->args->items[1])->fields;
  LsArray *fields = ls_is (result->struct_info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) result->struct_info)->fields : NULL;

  for (guint i = 0; i < args->n && i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL)
      g_ptr_array_add (infos, ls_relax_struct_info (args->items[i]));
  for (guint i = 0; i < (fields != NULL ? fields->n : 1); i++)
    g_ptr_array_add (infos, ls_node_ref (fields != NULL ? fields->items[i] : result->struct_info));
  for (guint i = 0; i < infos->len; i++)
    if (!ls_is (infos->pdata[i], DTENSOR_STRUCT_INFO))
      return NULL;
  return g_steal_pointer (&infos);
}

static LsNode *
all_reduced (LsNode     *value,
             const char *kind)
{
  return ls_relax_call_new (ls_relax_op_new ("relax.ccl.allreduce"), ls_array_of (value, NULL),
                            ls_array_of (ls_string_new ("op_type"), ls_string_new ("in_group"), NULL),
                            ls_array_of (ls_string_new (kind), ls_int_imm_new (LS_BOOL, 1), NULL), NULL);
}

static void
lower (LsRelaxMutator *mutator,
       LsVarBinding   *binding,
       LsPrimFunc     *func,
       GPtrArray      *infos)
{
  g_autoptr (LsNode) visited = ls_relax_mutator_visit (mutator, binding->value);
  LsRelaxCall *call = (LsRelaxCall *) visited;
  const char *reduce = NULL;
  GError *error = NULL;
  g_autoptr (LsPrimFunc) local = ls_prim_func_compact (func, infos, &reduce, &error);
  g_autoptr (LsNode) value = NULL;
  LsGlobalVar *var;

  if (local == NULL)
    {
      ls_block_builder_take_error (mutator->builder, error);
      return;
    }
  var = ls_block_builder_add_func (mutator->builder, local, ((LsGlobalVar *) call->args->items[0])->name_hint);
  value = ls_relax_call_new (ls_relax_op_new ("relax.dist.call_tir_local_view"), ls_array_with (call->args, 0, var), ls_ref (call->attr_names),
                             ls_ref (call->attrs), ls_ref (call->sinfo_args));
  if (reduce != NULL)
    ls_take (&value, all_reduced (ls_node_ref (value), reduce));
  ls_relax_mutator_rebind (mutator, binding, value);
}

static void
rewrite_binding (LsRelaxMutator *mutator,
                 LsNode         *node)
{
  LsVarBinding *binding = (LsVarBinding *) node;
  LsRelaxCall *call = ls_is (node, VAR_BINDING) && ls_is_relax_call (binding->value, "relax.call_tir") ? (LsRelaxCall *) binding->value : NULL;
  LsPrimFunc *func = call != NULL ? callee_of (mutator, call) : NULL;
  g_autoptr (GPtrArray) infos = func != NULL ? infos_of (call, func, binding->var) : NULL;

  if (infos != NULL)
    lower (mutator, binding, func, infos);
  else if (call != NULL)
    ls_block_builder_fail (mutator->builder, LS_BLOCK_BUILDER_ERROR_TYPE,
                           "LowerGlobalViewToLocalView: the arguments and results of a call_tir are distributed tensors; those of %s are not all.",
                           binding->var->name);
  else
    ls_relax_mutator_default_binding (mutator, node);
}

/* Functions over distributed tensors only. */
static LsNode *
rewrite_function (LsRelaxMutator *mutator,
                  LsFunction     *func)
{
  gboolean plain = TRUE, distributed = TRUE;

  for (guint i = 0; i < func->params->n; i++)
    {
      plain &= ls_no_dtensors (ls_array_at (func->params, i, LsRelaxVar)->struct_info);
      distributed &= ls_only_dtensors (ls_array_at (func->params, i, LsRelaxVar)->struct_info);
    }
  if (plain)
    return ls_node_ref (LS_NODE (func));
  if (!distributed)
    ls_block_builder_fail (mutator->builder, LS_BLOCK_BUILDER_ERROR_TYPE, "mixed use of DTensor and Tensor in the parameters of a function");
  return ls_relax_mutator_default (mutator, func);
}

LsModule *
ls_relax_pass_lower_global_view_to_local_view (LsModule  *module,
                                               LsMap     *args,
                                               GError   **error)
{
  static const LsRelaxMutatorFuncs FUNCS = { .function = rewrite_function, .binding = rewrite_binding };

  return ls_relax_mutate_module (module, &FUNCS, NULL, error);
}
