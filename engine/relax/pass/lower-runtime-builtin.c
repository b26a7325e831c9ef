/* LowerRuntimeBuiltin: operators that the virtual machine has itself get its names: R.vm.*, or a packed vm.builtin
 * function.  Storage is bytes from here on. */
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

static LsNode *
packed (const char   *name,
        LsArray      *args,     /* taken */
        LsStructInfo *info)     /* taken */
{
  return ls_relax_call_new (ls_extern_func_new (name), args, NULL, NULL, ls_array_of (info, NULL));
}

static LsNode *
vm_op (const char *name,
       LsArray    *args)        /* taken */
{
  return ls_relax_call_new (ls_relax_op_new (name), args, NULL, NULL, NULL);
}

static LsNode *
call_tir_dyn (LsArray *args)
{
  GPtrArray *flat = g_ptr_array_new ();
  LsArray *fields = ((LsRelaxTuple *) args->items[1])->fields;

  g_ptr_array_add (flat, ls_node_ref (args->items[0]));
  for (guint i = 0; i < fields->n; i++)
    g_ptr_array_add (flat, ls_node_ref (fields->items[i]));
  return packed ("vm.builtin.call_tir_dyn", ls_array_take_ptr_array (flat), ls_tuple_struct_info_new (ls_array_empty ()));
}

static gboolean
is_left_out (LsNode *arg)
{
  return ls_is (arg, RELAX_TUPLE) && ((LsRelaxTuple *) arg)->fields->n == 0;
}

/* What a view leaves out is what its tensor has; NULL where that is not known before the run: then the operator stays. */
static LsNode *
view (LsRelaxMutator *self,
      LsArray        *args)
{
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, args->items[0]);
  LsTensorStructInfo *x = (LsTensorStructInfo *) info;
  gboolean same_shape = is_left_out (args->items[1]), same_type = is_left_out (args->items[2]), at_start = is_left_out (args->items[3]);

  if (!ls_is (x, TENSOR_STRUCT_INFO) || (same_shape && !ls_is (x->shape, SHAPE_EXPR)) || (same_type && ls_dtype_is_void (x->dtype)))
    return NULL;
  return ls_relax_call_new (ls_extern_func_new_full ("runtime.TVMArrayCreateView", ls_func_struct_info_derived (LS_INFER_VIEW, TRUE)),
                            ls_array_of (ls_node_ref (args->items[0]), ls_node_ref (same_shape ? x->shape : args->items[1]),
                                         same_type ? ls_data_type_imm_new (x->dtype) : ls_node_ref (args->items[2]),
                                         at_start ? ls_prim_value_new (ls_int_imm_new (LS_INT64, 0)) : ls_node_ref (args->items[3]), NULL),
                            NULL, NULL, NULL);
}

static LsNode *
lower (LsRelaxMutator *self,
       LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);
  LsArray *args = ((LsRelaxCall *) fresh)->args;

  if (ls_is_relax_call (fresh, "relax.memory.alloc_storage") && args->n == 4)
    return vm_op ("relax.vm.alloc_storage", ls_array_of (ls_node_ref (args->items[0]), ls_node_ref (args->items[1]), ls_data_type_imm_new (LS_DTYPE (LS_TYPE_UINT, 8)),
                                                         ls_node_ref (args->items[2]), NULL));
  if (ls_is_relax_call (fresh, "relax.memory.alloc_tensor"))
    return vm_op ("relax.vm.alloc_tensor", ls_ref (args));
  if (ls_is_relax_call (fresh, "relax.memory.kill_tensor") || ls_is_relax_call (fresh, "relax.memory.kill_storage"))
    return vm_op ("relax.vm.kill_object", ls_ref (args));
  if (ls_is_relax_call (fresh, "relax.vm.call_tir_dyn") && args->n == 2 && ls_is (args->items[1], RELAX_TUPLE))
    return call_tir_dyn (args);
  if (ls_is_relax_call (fresh, "relax.reshape"))
    return packed ("vm.builtin.reshape", ls_ref (args), ls_block_builder_struct_info (self->builder, fresh));
  if (ls_is_relax_call (fresh, "relax.memory.view") && args->n == 4)
    {
      LsNode *lowered = view (self, args);

      return lowered != NULL ? lowered : g_steal_pointer (&fresh);
    }
  if (ls_is_relax_call (fresh, "relax.shape_of"))
    return packed ("vm.builtin.shape_of", ls_ref (args), ls_block_builder_struct_info (self->builder, fresh));
  if (ls_is_relax_call (fresh, "relax.tensor_to_shape"))
    return packed ("vm.builtin.tensor_to_shape", ls_ref (args), ls_block_builder_struct_info (self->builder, fresh));
  return g_steal_pointer (&fresh);
}

LsModule *
ls_relax_pass_lower_runtime_builtin (LsModule  *module,
                                     LsMap     *args,
                                     GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = lower };

  return ls_relax_mutate_module (module, &funcs, NULL, error);
}
