/* vm-sort: sort, argsort, topk and cumulative sums along one axis of a tensor, as values of the virtual machine.
 *
 * Arguments as Relax's operators have them: tensors first, then the attributes in order (None for the whole, flattened
 * tensor).
 */
#include "engine/runtime/lines.h"
#include "engine/runtime/vm-private.h"

#include <inttypes.h>
#include <string.h>

static gboolean
find_lines (LsLines      *self,
            LsVMValue **args,
            guint       axis_at,
            GError    **error)
{
  LsNDArray *array = ls_vm_arg_tensor (args, 0, error);
  gint64 axis;

  if (array == NULL)
    return FALSE;
  if (args[axis_at]->kind == LS_VM_NONE)
    {
      *self = (LsLines) { &array->tensor, 1, ls_tensor_n_scalars (&array->tensor), 1 };
      return TRUE;
    }
  if (!ls_vm_arg_int (args, axis_at, &axis, error))
    return FALSE;
  if (ls_lines_init (self, &array->tensor, axis))
    return TRUE;
  g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, ls_translate ("axis %" PRId64 " is none of the tensor's %d."), axis, array->tensor.ndim);
  return FALSE;
}

static gboolean
arg_dtype (LsVMValue   **args,
           guint         i,
           LsDLDataType  otherwise,
           LsDLDataType *dtype,
           GError      **error)
{
  *dtype = otherwise;
  if (args[i]->kind != LS_VM_STRING || *args[i]->string == 0 || strcmp (args[i]->string, "void") == 0)
    return TRUE;
  return ls_dl_dtype_parse (args[i]->string, dtype, error);
}

/* data, axis, descending */
static LsVMValue *
sort (LsVMPool   *pool,
      LsVMValue **args,
      guint       n,
      GError    **error)
{
  LsLines lines;
  LsNDArray *out;
  gint64 descending;

  if (!find_lines (&lines, args, 1, error) || !ls_vm_arg_int (args, 2, &descending, error))
    return NULL;
  out = ls_vm_pool_alloc (pool, lines.tensor->ndim, lines.tensor->shape, lines.tensor->dtype, error);
  if (out == NULL)
    return NULL;
  ls_lines_sort (&lines, descending != 0, lines.length, &out->tensor, NULL);
  return ls_vm_tensor (out);
}

/* data, axis, descending, dtype */
static LsVMValue *
argsort (LsVMPool   *pool,
         LsVMValue **args,
         guint       n,
         GError    **error)
{
  LsLines lines;
  LsDLDataType dtype;
  LsNDArray *out;
  gint64 descending;

  if (!find_lines (&lines, args, 1, error) || !ls_vm_arg_int (args, 2, &descending, error) || !arg_dtype (args, 3, LS_DT_INT32, &dtype, error))
    return NULL;
  out = ls_vm_pool_alloc (pool, lines.tensor->ndim, lines.tensor->shape, dtype, error);
  if (out == NULL)
    return NULL;
  ls_lines_sort (&lines, descending != 0, lines.length, NULL, &out->tensor);
  return ls_vm_tensor (out);
}

/* data, k, axis, ret_type, largest, dtype */
static LsVMValue *
topk (LsVMPool   *pool,
      LsVMValue **args,
      guint       n,
      GError    **error)
{
  LsLines lines;
  LsDLDataType dtype;
  gint64 dims[LS_NDARRAY_MAX_NDIM], k, axis, largest;
  const char *wanted = args[3]->kind == LS_VM_STRING ? args[3]->string : "both";
  g_autoptr (LsNDArray) values = NULL;
  g_autoptr (LsNDArray) indices = NULL;

  if (!find_lines (&lines, args, 2, error) || !ls_vm_arg_int (args, 1, &k, error) || !ls_vm_arg_int (args, 2, &axis, error)
      || !ls_vm_arg_int (args, 4, &largest, error) || !arg_dtype (args, 5, LS_DT_INT32, &dtype, error))
    return NULL;
  if (k > lines.length)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, ls_translate ("the first %" PRId64 " are asked for, and there are %" PRId64 "."), k, lines.length);
      return NULL;
    }
  k = k < 1 ? lines.length : k;
  memcpy (dims, lines.tensor->shape, (gsize) lines.tensor->ndim * sizeof *dims);
  dims[axis < 0 ? axis + lines.tensor->ndim : axis] = k;
  values = ls_vm_pool_alloc (pool, lines.tensor->ndim, dims, lines.tensor->dtype, error);
  indices = values != NULL ? ls_vm_pool_alloc (pool, lines.tensor->ndim, dims, dtype, error) : NULL;
  if (indices == NULL)
    return NULL;
  ls_lines_sort (&lines, largest != 0, k, &values->tensor, &indices->tensor);
  if (strcmp (wanted, "values") == 0)
    return ls_vm_tensor (g_steal_pointer (&values));
  if (strcmp (wanted, "indices") == 0)
    return ls_vm_tensor (g_steal_pointer (&indices));
  return ls_vm_tuple ((LsVMValue *[]) { ls_vm_tensor (g_steal_pointer (&values)), ls_vm_tensor (g_steal_pointer (&indices)) }, 2);
}

static void
scan_lines (const LsLines *lines,
            LsDLTensor  *out,
            gboolean     product,
            gboolean     exclusive)
{
  gboolean real = ls_dl_dtype_is_float (out->dtype);
  gboolean single = real && ls_dl_dtype_size (out->dtype) <= 4;

  for (gint64 o = 0; o < lines->outer; o++)
    for (gint64 k = 0; k < lines->inner; k++)
      {
        double sum = product;
        guint64 count = product;

        for (gint64 i = 0; i < lines->length; i++)
          {
            gint64 at = ls_lines_place (lines, o, i, k);
            double x = ls_tensor_get_double (lines->tensor, at);
            guint64 m = real ? 0 : (guint64) ls_tensor_get_int (lines->tensor, at);

            if (exclusive)
              real ? ls_tensor_set_double (out, at, sum) : ls_tensor_set_int (out, at, (gint64) count);
            sum = product ? sum * x : sum + x;
            sum = single ? (double) (float) sum : sum;
            count = product ? count * m : count + m;
            if (!exclusive)
              real ? ls_tensor_set_double (out, at, sum) : ls_tensor_set_int (out, at, (gint64) count);
          }
      }
}

/* data, axis, dtype, exclusive */
static LsVMValue *
scan (LsVMPool   *pool,
      LsVMValue **args,
      gboolean    product,
      GError    **error)
{
  LsLines lines;
  LsDLDataType dtype;
  gint64 exclusive = 0, length;
  LsNDArray *out;

  if (!find_lines (&lines, args, 1, error) || !arg_dtype (args, 2, lines.tensor->dtype, &dtype, error)
      || (args[3]->kind != LS_VM_NONE && !ls_vm_arg_int (args, 3, &exclusive, error)))
    return NULL;
  length = lines.length;
  out = args[1]->kind == LS_VM_NONE ? ls_vm_pool_alloc (pool, 1, &length, dtype, error)
        : ls_vm_pool_alloc (pool, lines.tensor->ndim, lines.tensor->shape, dtype, error);
  if (out == NULL)
    return NULL;
  scan_lines (&lines, &out->tensor, product, exclusive != 0);
  return ls_vm_tensor (out);
}

static LsVMValue *
cumsum (LsVMPool   *pool,
        LsVMValue **args,
        guint       n,
        GError    **error)
{
  return scan (pool, args, FALSE, error);
}

static LsVMValue *
cumprod (LsVMPool   *pool,
         LsVMValue **args,
         guint       n,
         GError    **error)
{
  return scan (pool, args, TRUE, error);
}

const LsVMBuiltin ls_vm_sort_builtins[] = {
  { "sort", 3, sort }, { "argsort", 4, argsort }, { "topk", 6, topk }, { "cumsum", 4, cumsum }, { "cumprod", 4, cumprod },
  { NULL, 0, NULL },
};
