/* LowerAllocTensor: each builtin.alloc_tensor gets a storage of its own, in bytes, and becomes a tensor in it. */
#include "engine/relax/mutator.h"
#include "engine/relax/pass/memory.h"
#include "engine/relax/pass/pass.h"

static LsNode *
lower (LsRelaxMutator *self,
       LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);
  LsArray *args = ((LsRelaxCall *) fresh)->args;
  g_autoptr (LsRelaxVar) storage = NULL;
  g_autoptr (LsNode) made = NULL;

  if (!ls_is_relax_call (fresh, "relax.builtin.alloc_tensor") || args->n != 4 || !ls_is (args->items[0], SHAPE_EXPR)
      || !ls_is (args->items[1], DATA_TYPE_IMM))
    return g_steal_pointer (&fresh);
  made = ls_relax_call_new (ls_relax_op_new ("relax.memory.alloc_storage"),
                            ls_array_of (ls_relax_bytes_shape ((LsShapeExpr *) args->items[0], ((LsDataTypeImm *) args->items[1])->value),
                                         ls_node_ref (args->items[2]), ls_node_ref (args->items[3]), ls_data_type_imm_new (LS_DTYPE (LS_TYPE_UINT, 8)), NULL), NULL, NULL, NULL);
  storage = ls_relax_var_new ("storage", ls_object_struct_info_new ());
  ls_block_builder_emit_to (self->builder, storage, made);
  return ls_relax_alloc_tensor_new (storage, args->items[0], args->items[1]);
}

LsModule *
ls_relax_pass_lower_alloc_tensor (LsModule  *module,
                                  LsMap     *args,
                                  GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = lower };

  return ls_relax_mutate_module (module, &funcs, NULL, error);
}
