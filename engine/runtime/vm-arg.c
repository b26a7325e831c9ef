/* vm-arg: what a builtin function is given.
 */
#include "engine/runtime/vm-private.h"

gboolean
ls_vm_arg_wrong (guint       i,
                 LsVMValue  *value,
                 const char *expected,
                 GError    **error)
{
  g_autofree char *what = ls_vm_value_describe (value);

  g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("argument %u is %s; %s is expected."), i, what, ls_translate (expected));
  return FALSE;
}

LsNDArray *
ls_vm_arg_tensor (LsVMValue **args,
                  guint       i,
                  GError    **error)
{
  if (args[i]->kind == LS_VM_TENSOR)
    return args[i]->tensor;
  ls_vm_arg_wrong (i, args[i], LS_TEXT ("a tensor"), error);
  return NULL;
}

gboolean
ls_vm_arg_int (LsVMValue **args,
               guint       i,
               gint64     *value,
               GError    **error)
{
  if (args[i]->kind == LS_VM_INT)
    *value = args[i]->v_int;
  else if (args[i]->kind == LS_VM_TENSOR && ls_tensor_n_scalars (&args[i]->tensor->tensor) == 1)
    *value = ls_tensor_get_int (&args[i]->tensor->tensor, 0);
  else
    return ls_vm_arg_wrong (i, args[i], LS_TEXT ("an integer"), error);
  return TRUE;
}
