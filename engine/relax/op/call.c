/* op/call: operators that call functions and say what comes out, print and assert, and where values live. */
#include "engine/relax/op/op.h"

#include "engine/relax/relation.h"

#include <inttypes.h>

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

/* Output `i` lies in argument `index`. */
static gboolean
fits_inplace (LsInfer *self,
              LsArray *args,
              LsNode  *output,
              gint64   index)
{
  g_autoptr (LsNode) info = NULL;

  if (index < 0 || index >= args->n)
    return ls_infer_fail (self, "has no argument %" PRId64 ".", index) != NULL;
  info = ls_relax_struct_info (args->items[index]);
  if (ls_is (output, TENSOR_STRUCT_INFO) && ls_is (info, TENSOR_STRUCT_INFO) && ls_struct_info_is_base_of (output, info))
    return TRUE;
  return ls_infer_fail (self, "writes an output into argument %" PRId64 "; such an argument is a tensor of the output's shape and type.", index) != NULL;
}

/* For each output the argument that it lies in, or -1 for a new tensor; one at least lies in one, no two in the same. */
static gboolean
check_inplace (LsInfer *self)
{
  LsArray *indices = (LsArray *) ls_infer_attr (self, "inplace_indices");
  LsNode *info = self->call->sinfo_args->items[0], *args = self->call->args->n > 1 ? self->call->args->items[1] : NULL;
  LsArray *outputs = ls_is (info, TUPLE_STRUCT_INFO) ? ((LsTupleStructInfo *) info)->fields : NULL;
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);

  if (!ls_is (indices, ARRAY) || !ls_is (args, RELAX_TUPLE))
    return TRUE;
  if (indices->n != (outputs != NULL ? outputs->n : 1))
    return ls_infer_fail (self, "says for each of its outputs which argument it lies in.") != NULL;
  for (guint i = 0; i < indices->n; i++)
    {
      gint64 index = -1;

      if (!ls_as_int (indices->items[i], &index) || index == -1)
        continue;
      if (!fits_inplace (self, ((LsRelaxTuple *) args)->fields, outputs != NULL ? outputs->items[i] : info, index))
        return FALSE;
      if (!g_hash_table_add (used, GINT_TO_POINTER ((gint) index)))
        return ls_infer_fail (self, "writes two outputs into argument %" PRId64 ".", index) != NULL;
    }
  return g_hash_table_size (used) > 0 || ls_infer_fail (self, "writes one output at least into an argument.") != NULL;
}

static LsStructInfo *
infer_call_tir_inplace (LsInfer *self)
{
  g_autoptr (LsNode) result = infer_call_tir (self);

  return result != NULL && check_inplace (self) ? g_steal_pointer (&result) : NULL;
}

/* The arguments that are written, each said once. */
static LsStructInfo *
infer_call_inplace_packed (LsInfer *self)
{
  LsArray *indices = (LsArray *) ls_infer_attr (self, "inplace_indices");
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);

  for (guint i = 0; ls_is (indices, ARRAY) && i < indices->n; i++)
    {
      gint64 index = -1;

      if (!ls_as_int (indices->items[i], &index) || index < -1 || index >= (gint64) self->call->args->n - 1)
        return ls_infer_fail (self, "has no argument %" PRId64 " to write an output into.", index);
      if (index >= 0 && !g_hash_table_add (used, GINT_TO_POINTER ((gint) index)))
        return ls_infer_fail (self, "writes two outputs into argument %" PRId64 ".", index);
    }
  if (g_hash_table_size (used) == 0)
    return ls_infer_fail (self, "writes one output at least into an argument.");
  return ls_infer_stated (self);
}

/* The condition is one truth value, or of a kind that only a run knows. */
static LsStructInfo *
infer_assert (LsInfer *self)
{
  g_autoptr (LsNode) info = self->call->args->n > 0 ? ls_relax_struct_info (self->call->args->items[0]) : NULL;
  LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;

  if (ls_is (info, OBJECT_STRUCT_INFO) || (ls_is (info, PRIM_STRUCT_INFO) && ls_dtype_is_bool (((LsPrimStructInfo *) info)->dtype)))
    return ls_infer_nothing (self);
  if (!ls_is (info, TENSOR_STRUCT_INFO) || tensor->ndim > 0 || !(ls_dtype_is_bool (tensor->dtype) || ls_dtype_is_void (tensor->dtype)))
    return ls_infer_fail (self, "takes a condition that is one truth value.");
  return ls_infer_nothing (self);
}

static LsStructInfo *
infer_to_device (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsNode *device = ls_infer_attr (self, "dst_vdevice");

  return x != NULL ? ls_tensor_struct_info_new (ls_node_ref (x->shape), x->ndim, x->dtype, ls_node_ref (device != NULL ? device : x->vdevice)) : NULL;
}

const LsRelaxOpRow ls_relax_ops_call[] = {
  { "call_tir", NULL, infer_call_tir }, { "call_tir_inplace", NULL, infer_call_tir_inplace }, { "call_tir_with_grad", NULL, infer_call_tir },
  { "call_dps_packed", NULL, ls_infer_stated }, { "call_pure_packed", NULL, ls_infer_stated }, { "call_inplace_packed", NULL, infer_call_inplace_packed },
  { "call_builtin_with_ctx", NULL, ls_infer_stated }, { "invoke_closure", NULL, ls_infer_stated }, { "invoke_pure_closure", NULL, ls_infer_stated },
  { "print", NULL, ls_infer_nothing }, { "assert_op", NULL, infer_assert },
  { "hint_on_device", "data | dst_vdevice:any", ls_infer_same_as_first },
  { "make_closure", "func args", ls_infer_object },
  { "null_value", "", ls_infer_object },
  { "to_vdevice", "data | dst_vdevice:any", infer_to_device },
  { NULL }
};
