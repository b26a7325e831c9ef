/* CallTIRRewrite: calls that get their results allocated (call_tir, call_dps_packed) become an allocation, a call that
 * writes into it, and the result's name for it.  A call with symbolic arguments becomes vm.call_tir_dyn. */
#include "engine/relax/mutator.h"
#include "engine/relax/pass/pass.h"

#include <string.h>

/* alloc = R.builtin.alloc_tensor (shape, dtype, device, "global"). Borrowed. */
static LsRelaxVar *
emit_allocation (LsRelaxMutator *self,
                 LsStructInfo   *info)
{
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;

  if (!ls_is (info, TENSOR_STRUCT_INFO) || !ls_is (tensor->shape, SHAPE_EXPR) || ls_dtype_is_void (tensor->dtype))
    {
      ls_block_builder_fail (self->builder, LS_BLOCK_BUILDER_ERROR_UNSUPPORTED, "A call's result has no known shape and dtype; it cannot be allocated.");
      return ls_block_builder_emit_take (self->builder, ls_relax_tuple_new (ls_array_empty ()), "alloc");
    }
  return ls_block_builder_emit_take (self->builder, ls_relax_call_new (ls_relax_op_new ("relax.builtin.alloc_tensor"),
      ls_array_of (ls_node_ref (tensor->shape), ls_data_type_imm_new (tensor->dtype), ls_prim_value_new (ls_int_imm_new (LS_INT64, 0)), ls_relax_string_new ("global"),
                   NULL), NULL, NULL, NULL), "alloc");
}

static void
emit_call (LsRelaxMutator *self,
           LsRelaxCall    *call,
           GPtrArray      *args)
{
  LsNode *callee = call->args->items[0];
  LsNode *symbols = call->args->n > 2 ? call->args->items[2] : NULL;
  LsNode *made;

  if (symbols != NULL)
    {
      g_ptr_array_add (args, ls_node_ref (symbols));
      made = ls_relax_call_new (ls_relax_op_new ("relax.vm.call_tir_dyn"),
                                ls_array_of (ls_node_ref (callee), ls_relax_tuple_new (ls_array_take_ptr_array (args)), NULL), NULL, NULL, NULL);
    }
  else
    made = ls_relax_call_new (ls_node_ref (callee), ls_array_take_ptr_array (args), NULL, NULL,
                              ls_is (callee, EXTERN_FUNC) ? ls_array_of (ls_tuple_struct_info_new (ls_array_empty ()), NULL) : NULL);
  ls_block_builder_emit_take (self->builder, made, "_");
}

static void
add_inputs (LsRelaxMutator *self,
            GPtrArray      *args,
            LsNode         *inputs)
{
  g_autoptr (LsNode) info = NULL;

  if (ls_is (inputs, RELAX_TUPLE))
    {
      for (guint i = 0; i < ((LsRelaxTuple *) inputs)->fields->n; i++)
        g_ptr_array_add (args, ls_node_ref (((LsRelaxTuple *) inputs)->fields->items[i]));
      return;
    }
  info = ls_block_builder_struct_info (self->builder, inputs);
  for (guint i = 0; ls_is (info, TUPLE_STRUCT_INFO) && i < ((LsTupleStructInfo *) info)->fields->n; i++)
    g_ptr_array_add (args, ls_ref (ls_block_builder_emit_take (self->builder, ls_tuple_get_item_new (ls_node_ref (inputs), i), NULL)));
}

static LsNode *
rewrite (LsRelaxMutator *self,
         LsRelaxCall    *call)
{
  LsNode *said = call->sinfo_args->items[0];
  LsArray *fields = ls_is (said, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) said)->fields : NULL;
  GPtrArray *args = g_ptr_array_new ();
  g_autoptr (GPtrArray) results = g_ptr_array_new ();

  add_inputs (self, args, call->args->items[1]);
  for (guint i = 0; i < (fields != NULL ? fields->n : 1); i++)
    {
      gint64 reused = ls_relax_call_inplace_index (call, i);
      LsNode *result = reused >= 0 && reused < args->len ? args->pdata[reused]
                       : LS_NODE (emit_allocation (self, fields != NULL ? fields->items[i] : said));

      if (reused < 0)
        g_ptr_array_add (args, ls_node_ref (result));
      g_ptr_array_add (results, ls_node_ref (result));
    }
  emit_call (self, call, args);
  if (fields != NULL)
    return ls_relax_tuple_new (ls_array_take_ptr_array (g_steal_pointer (&results)));
  return results->pdata[0];
}

static LsNode *
lower_call (LsRelaxMutator *self,
            LsRelaxCall    *call)
{
  static const char *const OPS[] = { "relax.call_tir", "relax.call_dps_packed", "relax.call_tir_inplace", "relax.call_tir_with_grad" };
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);

  for (guint i = 0; i < G_N_ELEMENTS (OPS); i++)
    if (ls_is_relax_call (fresh, OPS[i]) && ((LsRelaxCall *) fresh)->sinfo_args->n == 1)
      return rewrite (self, (LsRelaxCall *) fresh);
  return g_steal_pointer (&fresh);
}

LsModule *
ls_relax_pass_call_tir_rewrite (LsModule  *module,
                                LsMap     *args,
                                GError   **error)
{
  static const LsRelaxMutatorFuncs funcs = { .call = lower_call };

  return ls_relax_mutate_module (module, &funcs, NULL, error);
}
