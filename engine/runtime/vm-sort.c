/* vm-sort: sort, argsort, topk and cumulative sums along one axis of a tensor.
 *
 * Stable merge sort of indices; NaN goes where numpy puts it, behind everything when ascending.  Arguments as Relax's
 * operators have them: tensors first, then the attributes in order (None for the whole, flattened tensor).
 */
#include "engine/runtime/vm-private.h"

#include <math.h>
#include <string.h>

/* A tensor as outer x length x inner around its axis. */
typedef struct {
  LsNDArray *array;
  gint64     outer, length, inner;
} Lines;

static gboolean
find_lines (Lines      *self,
            LsVMValue **args,
            guint       axis_at,
            GError    **error)
{
  LsDLTensor *tensor;
  gint64 axis;

  self->array = ls_vm_arg_tensor (args, 0, error);
  if (self->array == NULL)
    return FALSE;
  tensor = &self->array->tensor;
  self->outer = self->inner = 1;
  self->length = ls_tensor_n_scalars (tensor);
  if (args[axis_at]->kind == LS_VM_NONE)
    return TRUE;
  if (!ls_vm_arg_int (args, axis_at, &axis, error))
    return FALSE;
  axis += axis < 0 ? tensor->ndim : 0;
  if (axis < 0 || axis >= tensor->ndim)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, "axis %" G_GINT64_FORMAT " is none of the tensor's %d.", axis, tensor->ndim);
      return FALSE;
    }
  self->length = tensor->shape[axis];
  for (int i = 0; i < tensor->ndim; i++)
    if (i < axis)
      self->outer *= tensor->shape[i];
    else if (i > axis)
      self->inner *= tensor->shape[i];
  return TRUE;
}

static gint64
place (const Lines *self,
       gint64       outer,
       gint64       i,
       gint64       inner)
{
  return (outer * self->length + i) * self->inner + inner;
}

typedef struct {
  LsDLTensor *tensor;
  gint64      base, stride;
  gboolean    descending, integers;
} Order;

static int
compare (gconstpointer a,
         gconstpointer b,
         gpointer      user_data)
{
  const Order *order = user_data;
  gint64 i = order->base + *(const gint64 *) a * order->stride, j = order->base + *(const gint64 *) b * order->stride;
  int result;

  if (order->integers)
    {
      gint64 x = ls_tensor_get_int (order->tensor, i), y = ls_tensor_get_int (order->tensor, j);

      result = (x > y) - (x < y);
    }
  else
    {
      double x = ls_tensor_get_double (order->tensor, i), y = ls_tensor_get_double (order->tensor, j);

      result = isnan (x) || isnan (y) ? (isnan (x) != 0) - (isnan (y) != 0) : (x > y) - (x < y);
    }
  return order->descending ? -result : result;
}

/* The order of one line. (transfer full) */
static gint64 *
sort_line (const Lines *lines,
           gint64       outer,
           gint64       inner,
           gboolean     descending)
{
  LsDLTensor *tensor = &lines->array->tensor;
  Order order = { tensor, place (lines, outer, 0, inner), lines->inner, descending, !ls_dl_dtype_is_float (tensor->dtype) };
  gint64 *indices = g_new (gint64, lines->length + 1);

  for (gint64 i = 0; i < lines->length; i++)
    indices[i] = i;
  g_qsort_with_data (indices, (int) lines->length, sizeof *indices, compare, &order);
  return indices;
}

static void
copy_scalar (LsDLTensor *from,
             gint64      i,
             LsDLTensor *to,
             gint64      j)
{
  if (ls_dl_dtype_is_float (from->dtype))
    ls_tensor_set_double (to, j, ls_tensor_get_double (from, i));
  else
    ls_tensor_set_int (to, j, ls_tensor_get_int (from, i));
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

/* The first `keep` of each sorted line: values and/or indices (either may be NULL). */
static void
fill_sorted (const Lines *lines,
             gboolean     descending,
             gint64       keep,
             LsNDArray   *values,
             LsNDArray   *indices)
{
  for (gint64 o = 0; o < lines->outer; o++)
    for (gint64 k = 0; k < lines->inner; k++)
      {
        g_autofree gint64 *order = sort_line (lines, o, k, descending);

        for (gint64 i = 0; i < keep; i++)
          {
            gint64 to = (o * keep + i) * lines->inner + k;

            if (values != NULL)
              copy_scalar (&lines->array->tensor, place (lines, o, order[i], k), &values->tensor, to);
            if (indices != NULL)
              ls_tensor_set_int (&indices->tensor, to, order[i]);
          }
      }
}

/* data, axis, descending */
static LsVMValue *
sort (LsVMPool   *pool,
      LsVMValue **args,
      guint       n,
      GError    **error)
{
  Lines lines;
  LsNDArray *out;
  gint64 descending;

  if (!find_lines (&lines, args, 1, error) || !ls_vm_arg_int (args, 2, &descending, error))
    return NULL;
  out = ls_vm_pool_alloc (pool, lines.array->tensor.ndim, lines.array->tensor.shape, lines.array->tensor.dtype, error);
  if (out == NULL)
    return NULL;
  fill_sorted (&lines, descending != 0, lines.length, out, NULL);
  return ls_vm_tensor (out);
}

/* data, axis, descending, dtype */
static LsVMValue *
argsort (LsVMPool   *pool,
         LsVMValue **args,
         guint       n,
         GError    **error)
{
  Lines lines;
  LsDLDataType dtype;
  LsNDArray *out;
  gint64 descending;

  if (!find_lines (&lines, args, 1, error) || !ls_vm_arg_int (args, 2, &descending, error) || !arg_dtype (args, 3, LS_DT_INT32, &dtype, error))
    return NULL;
  out = ls_vm_pool_alloc (pool, lines.array->tensor.ndim, lines.array->tensor.shape, dtype, error);
  if (out == NULL)
    return NULL;
  fill_sorted (&lines, descending != 0, lines.length, NULL, out);
  return ls_vm_tensor (out);
}

/* data, k, axis, ret_type, largest, dtype */
static LsVMValue *
topk (LsVMPool   *pool,
      LsVMValue **args,
      guint       n,
      GError    **error)
{
  Lines lines;
  LsDLDataType dtype;
  gint64 dims[LS_NDARRAY_MAX_NDIM], k, axis, largest;
  const char *wanted = args[3]->kind == LS_VM_STRING ? args[3]->string : "both";
  g_autoptr (LsNDArray) values = NULL;
  g_autoptr (LsNDArray) indices = NULL;

  if (!find_lines (&lines, args, 2, error) || !ls_vm_arg_int (args, 1, &k, error) || !ls_vm_arg_int (args, 2, &axis, error)
      || !ls_vm_arg_int (args, 4, &largest, error) || !arg_dtype (args, 5, LS_DT_INT32, &dtype, error))
    return NULL;
  k = k < 1 ? lines.length : MIN (k, lines.length);
  memcpy (dims, lines.array->tensor.shape, (gsize) lines.array->tensor.ndim * sizeof *dims);
  dims[axis < 0 ? axis + lines.array->tensor.ndim : axis] = k;
  values = ls_vm_pool_alloc (pool, lines.array->tensor.ndim, dims, lines.array->tensor.dtype, error);
  indices = values != NULL ? ls_vm_pool_alloc (pool, lines.array->tensor.ndim, dims, dtype, error) : NULL;
  if (indices == NULL)
    return NULL;
  fill_sorted (&lines, largest != 0, k, values, indices);
  if (strcmp (wanted, "values") == 0)
    return ls_vm_tensor (g_steal_pointer (&values));
  if (strcmp (wanted, "indices") == 0)
    return ls_vm_tensor (g_steal_pointer (&indices));
  return ls_vm_tuple ((LsVMValue *[]) { ls_vm_tensor (g_steal_pointer (&values)), ls_vm_tensor (g_steal_pointer (&indices)) }, 2);
}

static void
scan_lines (const Lines *lines,
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
            gint64 at = place (lines, o, i, k);
            double x = ls_tensor_get_double (&lines->array->tensor, at);
            guint64 m = real ? 0 : (guint64) ls_tensor_get_int (&lines->array->tensor, at);

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
  Lines lines;
  LsDLDataType dtype;
  gint64 exclusive = 0, length;
  LsNDArray *out;

  if (!find_lines (&lines, args, 1, error) || !arg_dtype (args, 2, lines.array->tensor.dtype, &dtype, error)
      || (args[3]->kind != LS_VM_NONE && !ls_vm_arg_int (args, 3, &exclusive, error)))
    return NULL;
  length = lines.length;
  out = args[1]->kind == LS_VM_NONE ? ls_vm_pool_alloc (pool, 1, &length, dtype, error)
        : ls_vm_pool_alloc (pool, lines.array->tensor.ndim, lines.array->tensor.shape, dtype, error);
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
