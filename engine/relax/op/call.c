/* op/call: operators that call functions and say what comes out, print and assert, and where values live. */
#include "engine/relax/op/op.h"

static LsStructInfo *
infer_call_tir (LsInfer *self)
{
  LsNode *callee = self->call->args->n > 0 ? self->call->args->items[0] : NULL;

  if (!ls_is (callee, GLOBAL_VAR))
    return ls_infer_fail (self, "calls a function of the module.");
  if (self->call->sinfo_args->n == 0)
    return ls_infer_fail (self, "needs the struct info of what comes out.");
  if (self->module != NULL && ls_module_get (self->module, ((LsGlobalVar *) callee)->name_hint) == NULL)
    return ls_infer_fail (self, "calls `%s`, which the module does not have.", ((LsGlobalVar *) callee)->name_hint);
  return ls_infer_stated (self);
}

static LsStructInfo *
infer_to_device (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsNode *device = ls_infer_attr (self, "dst_vdevice");

  return x != NULL ? ls_tensor_struct_info_new (ls_node_ref (x->shape), x->ndim, x->dtype, ls_node_ref (device != NULL ? device : x->vdevice)) : NULL;
}

const LsRelaxOpRow ls_relax_ops_call[] = {
  { "call_tir", NULL, infer_call_tir }, { "call_tir_inplace", NULL, infer_call_tir }, { "call_tir_with_grad", NULL, infer_call_tir },
  { "call_dps_packed", NULL, ls_infer_stated }, { "call_pure_packed", NULL, ls_infer_stated }, { "call_inplace_packed", NULL, ls_infer_stated },
  { "call_builtin_with_ctx", NULL, ls_infer_stated }, { "invoke_closure", NULL, ls_infer_stated }, { "invoke_pure_closure", NULL, ls_infer_stated },
  { "print", NULL, ls_infer_nothing }, { "assert_op", NULL, ls_infer_nothing },
  { "hint_on_device", "data | dst_vdevice:any", ls_infer_same_as_first },
  { "make_closure", "func args", ls_infer_object },
  { "null_value", "", ls_infer_object },
  { "to_vdevice", "data | dst_vdevice:any", infer_to_device },
  { NULL }
};
