/* vm-builtin: what Relax programs call and no PrimFunc does: shapes as values, storage and views of it, printing,
 * assertions.  The names are those of the operators of Relax (without "relax.") and of TVM's vm.builtin functions.
 */
#include "engine/runtime/vm-private.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

G_DEFINE_QUARK (ls-vm-assertion-error-quark, ls_vm_assertion_error)

static LsVMValue *
shape_of (LsVMPool   *pool,
          LsVMValue **args,
          guint       n,
          GError    **error)
{
  LsNDArray *array = ls_vm_arg_tensor (args, 0, error);

  return array != NULL ? ls_vm_shape (array->tensor.shape, (guint) array->tensor.ndim) : NULL;
}

static LsVMValue *
tensor_to_shape (LsVMPool   *pool,
                 LsVMValue **args,
                 guint       n,
                 GError    **error)
{
  LsNDArray *array = ls_vm_arg_tensor (args, 0, error);
  gint64 dims[LS_NDARRAY_MAX_NDIM];
  gint64 count = array != NULL ? ls_tensor_n_scalars (&array->tensor) : 0;

  if (array == NULL)
    return NULL;
  if (array->tensor.ndim != 1 || count > LS_NDARRAY_MAX_NDIM)
    {
      ls_vm_arg_wrong (0, args[0], LS_TEXT ("a tensor with one dimension and few elements"), error);
      return NULL;
    }
  for (gint64 i = 0; i < count; i++)
    dims[i] = ls_tensor_get_int (&array->tensor, i);
  return ls_vm_shape (dims, (guint) count);
}

static LsVMValue *
shape_to_tensor (LsVMPool   *pool,
                 LsVMValue **args,
                 guint       n,
                 GError    **error)
{
  gint64 count = args[0]->n;
  LsNDArray *array;

  if (args[0]->kind != LS_VM_SHAPE)
    {
      ls_vm_arg_wrong (0, args[0], LS_TEXT ("a shape"), error);
      return NULL;
    }
  array = ls_vm_pool_alloc (pool, 1, &count, LS_DT_INT64, error);
  for (gint64 i = 0; array != NULL && i < count; i++)
    ls_tensor_set_int (&array->tensor, i, args[0]->dims[i]);
  return array != NULL ? ls_vm_tensor (array) : NULL;
}

/* ---- memory ------------------------------------------------------------------ */

static gboolean
is_left_out (LsVMValue *value)
{
  return value->kind == LS_VM_TUPLE && value->n == 0;
}

/* tensor, shape, dtype, bytes further on: the same memory, or a part of it.  () stands for what stays as it is. */
static LsVMValue *
view (LsVMPool   *pool,
      LsVMValue **args,
      guint       n,
      GError    **error)
{
  LsNDArray *array = ls_vm_arg_tensor (args, 0, error), *made;
  LsDLDataType dtype;
  gint64 offset = 0, count = 1, room;
  gboolean shaped = !is_left_out (args[1]);
  guint ndim;
  const gint64 *dims;

  if (array == NULL || (!is_left_out (args[3]) && !ls_vm_arg_int (args, 3, &offset, error)))
    return NULL;
  if (shaped && args[1]->kind != LS_VM_SHAPE)
    return ls_vm_arg_wrong (1, args[1], LS_TEXT ("a shape"), error), NULL;
  dtype = array->tensor.dtype;
  if (!is_left_out (args[2]) && (args[2]->kind != LS_VM_STRING || !ls_dl_dtype_parse (args[2]->string, &dtype, error)))
    return error != NULL && *error != NULL ? NULL : (ls_vm_arg_wrong (2, args[2], LS_TEXT ("a dtype"), error), NULL);
  ndim = shaped ? args[1]->n : (guint) array->tensor.ndim;
  dims = shaped ? args[1]->dims : array->tensor.shape;
  for (guint i = 0; i < ndim; i++)
    if (dims[i] < 0 || __builtin_mul_overflow (count, dims[i], &count))
      count = G_MAXINT64 / 64;
  room = ls_tensor_n_elements (&array->tensor) * (gint64) ls_dl_dtype_size (array->tensor.dtype);
  if (offset < 0 || offset > room || count > (room - offset) / (gint64) ls_dl_dtype_size (dtype) || !ls_tensor_is_compact (&array->tensor))
    {
      g_autofree char *of = ls_vm_value_describe (args[0]);

      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, ls_translate ("the view leaves the memory of %s."), of);
      return NULL;
    }
  made = ls_ndarray_new_take_data ((guint8 *) array->tensor.data + array->tensor.byte_offset + offset, (int) ndim, dims, dtype,
                                   ls_ndarray_ref (array), (GDestroyNotify) ls_ndarray_unref, error);
  return made != NULL ? ls_vm_tensor (made) : NULL;
}

static LsVMValue *
reshape (LsVMPool   *pool,
         LsVMValue **args,
         guint       n,
         GError    **error)
{
  LsNDArray *array = ls_vm_arg_tensor (args, 0, error), *view;
  gint64 count = 1;

  if (array == NULL)
    return NULL;
  if (args[1]->kind != LS_VM_SHAPE)
    {
      ls_vm_arg_wrong (1, args[1], LS_TEXT ("a shape"), error);
      return NULL;
    }
  for (guint i = 0; i < args[1]->n; i++)
    if (args[1]->dims[i] < 0 || __builtin_mul_overflow (count, args[1]->dims[i], &count))
      count = -1;
  if (count != ls_tensor_n_elements (&array->tensor))
    {
      g_autofree char *from = ls_vm_value_describe (args[0]);
      g_autofree char *to = ls_vm_value_describe (args[1]);

      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, ls_translate ("%s cannot have the %s: the number of elements differs."), from, to);
      return NULL;
    }
  if (!ls_tensor_is_compact (&array->tensor))
    {
      g_autoptr (LsNDArray) copy = ls_ndarray_copy (&array->tensor, error);

      view = copy != NULL ? ls_ndarray_view (copy, (int) args[1]->n, args[1]->dims, NULL, 0, error) : NULL;
    }
  else
    view = ls_ndarray_view (array, (int) args[1]->n, args[1]->dims, NULL, 0, error);
  return view != NULL ? ls_vm_tensor (view) : NULL;
}

/* relax.vm.alloc_storage: how many elements, device, their dtype, scope.  relax.memory.alloc_storage: bytes, device, scope, dtype (of what will lie there). */
static LsVMValue *
alloc_storage (LsVMPool   *pool,
               LsVMValue **args,
               guint       n,
               GError    **error)
{
  gint64 bytes = 1;
  LsNDArray *array;
  LsDLDataType dtype;

  if (args[0]->kind == LS_VM_SHAPE)
    for (guint i = 0; i < args[0]->n; i++)
      bytes *= args[0]->dims[i];
  else if (!ls_vm_arg_int (args, 0, &bytes, error))
    return NULL;
  if (n > 2 && args[2]->kind == LS_VM_STRING && ls_dl_dtype_parse (args[2]->string, &dtype, NULL))
    bytes *= (gint64) ls_dl_dtype_size (dtype);
  array = ls_vm_pool_alloc (pool, 1, &bytes, LS_DT_UINT8, error);
  return array != NULL ? ls_vm_tensor (array) : NULL;
}

/* storage, offset, shape, dtype */
static LsVMValue *
alloc_tensor (LsVMPool   *pool,
              LsVMValue **args,
              guint       n,
              GError    **error)
{
  LsNDArray *storage = ls_vm_arg_tensor (args, 0, error);
  LsNDArray *array;
  LsDLDataType dtype;
  gsize bytes;
  gint64 offset;

  if (storage == NULL || !ls_vm_arg_int (args, 1, &offset, error))
    return NULL;
  if (args[2]->kind != LS_VM_SHAPE || args[3]->kind != LS_VM_STRING || !ls_dl_dtype_parse (args[3]->string, &dtype, error))
    return error != NULL && *error != NULL ? NULL : (LsVMValue *) GSIZE_TO_POINTER (ls_vm_arg_wrong (2, args[2], LS_TEXT ("a shape, then a dtype"), error));
  bytes = ls_dl_dtype_size (dtype);
  for (guint i = 0; i < args[2]->n; i++)
    if (args[2]->dims[i] < 0 || !g_size_checked_mul (&bytes, bytes, (gsize) args[2]->dims[i]))
      bytes = G_MAXSIZE / 2;
  if (offset < 0 || (gsize) offset > storage->n_bytes || bytes > storage->n_bytes - (gsize) offset)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_MEMORY, ls_translate ("a tensor of %zu bytes does not fit into a storage of %zu at %" PRId64 "."), bytes, storage->n_bytes, offset);
      return NULL;
    }
  array = ls_ndarray_new_take_data ((guint8 *) storage->tensor.data + storage->tensor.byte_offset + offset, (int) args[2]->n, args[2]->dims, dtype,
                                    ls_ndarray_ref (storage), (GDestroyNotify) ls_ndarray_unref, error);
  return array != NULL ? ls_vm_tensor (array) : NULL;
}

static LsVMValue *
nothing (LsVMPool   *pool,
         LsVMValue **args,
         guint       n,
         GError    **error)
{
  return ls_vm_none ();
}

static LsVMValue *
identity (LsVMPool   *pool,
          LsVMValue **args,
          guint       n,
          GError    **error)
{
  if (n > 0)
    return ls_vm_value_ref (args[0]);
  g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("one argument is expected."));
  return NULL;
}

static LsVMValue *
copy (LsVMPool   *pool,
      LsVMValue **args,
      guint       n,
      GError    **error)
{
  LsNDArray *array = ls_vm_arg_tensor (args, 0, error);
  LsNDArray *fresh = array != NULL ? ls_ndarray_copy (&array->tensor, error) : NULL;

  return fresh != NULL ? ls_vm_tensor (fresh) : NULL;
}

/* ---- words --------------------------------------------------------------------- */

static void
append_value (GString   *out,
              LsVMValue *value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (value->kind == LS_VM_TENSOR)
    {
      g_autofree char *text = ls_tensor_print (&value->tensor->tensor, 3);

      g_string_append (out, text);
    }
  else if (value->kind == LS_VM_INT)
    g_string_append_printf (out, "%" G_GINT64_FORMAT, value->v_int);
  else if (value->kind == LS_VM_FLOAT)
    g_string_append (out, g_ascii_formatd (number, sizeof number, "%g", value->v_float));
  else if (value->kind == LS_VM_STRING)
    g_string_append (out, value->string);
  else if (value->kind == LS_VM_TUPLE)
    {
      g_string_append_c (out, '(');
      for (guint i = 0; i < value->n; i++)
        {
          g_string_append (out, i > 0 ? ", " : "");
          append_value (out, value->items[i]);
        }
      g_string_append (out, value->n == 1 ? ",)" : ")");
    }
  else
    {
      g_autofree char *text = ls_vm_value_describe (value);

      g_string_append (out, text);
    }
}

/* Each "{}" of the format is the next value; without a format they follow each other. */
static char *
format_values (LsVMValue **args,
               guint       n)
{
  GString *out = g_string_new (NULL);
  const char *format = n > 0 && args[n - 1]->kind == LS_VM_STRING ? args[n - 1]->string : "";
  guint n_values = n > 0 && args[n - 1]->kind == LS_VM_STRING ? n - 1 : n, next = 0;

  for (const char *p = format; *p != 0; p++)
    if (p[0] == '{' && p[1] == '}' && next < n_values)
      {
        append_value (out, args[next++]);
        p++;
      }
    else
      g_string_append_c (out, *p);
  for (; next < n_values; next++)
    {
      g_string_append (out, out->len > 0 ? " " : "");
      append_value (out, args[next]);
    }
  return g_string_free (out, FALSE);
}

/* values..., format */
static LsVMValue *
print (LsVMPool   *pool,
       LsVMValue **args,
       guint       n,
       GError    **error)
{
  g_autofree char *text = format_values (args, n);

  g_print ("%s\n", text);
  return ls_vm_none ();
}

/* condition, values..., format */
static LsVMValue *
assert_op (LsVMPool   *pool,
           LsVMValue **args,
           guint       n,
           GError    **error)
{
  gboolean has_format = n > 1 && args[n - 1]->kind == LS_VM_STRING && args[n - 1]->string[0] != '\0';
  g_autoptr (GString) text = g_string_new ("Assertion Failed");
  gint64 holds;

  if (n == 0 || !ls_vm_arg_int (args, 0, &holds, error))
    return n == 0 ? identity (pool, args, n, error) : NULL;
  if (holds != 0)
    return ls_vm_none ();
  if (has_format)
    {
      g_autofree char *words = format_values (args + 1, n - 1);

      g_string_append_printf (text, ": %s", words);
    }
  for (guint i = 1; !has_format && i < n && args[i]->kind != LS_VM_STRING; i++)
    {
      g_string_append (text, i == 1 ? ", arguments: " : ", ");
      append_value (text, args[i]);
    }
  g_set_error_literal (error, LS_VM_ASSERTION_ERROR, 0, text->str);
  return NULL;
}

/* ---- elementwise, without a legalisation -------------------------------------------- */

static double
is_nan (double x)
{
  return isnan (x) != 0;
}

static double
is_inf (double x)
{
  return isinf (x) != 0;
}

static double
is_finite (double x)
{
  return isfinite (x) != 0;
}

static LsVMValue *
classify (LsVMPool   *pool,
          LsVMValue **args,
          double    (*rule) (double),
          GError    **error)
{
  LsNDArray *x = ls_vm_arg_tensor (args, 0, error);
  LsNDArray *out = x != NULL ? ls_vm_pool_alloc (pool, x->tensor.ndim, x->tensor.shape, LS_DT_BOOL, error) : NULL;

  if (out == NULL)
    return NULL;
  for (gint64 i = 0; i < ls_tensor_n_scalars (&x->tensor); i++)
    ls_tensor_set_int (&out->tensor, i, rule (ls_tensor_get_double (&x->tensor, i)) != 0);
  return ls_vm_tensor (out);
}

static LsVMValue *
isnan_op (LsVMPool   *pool,
          LsVMValue **args,
          guint       n,
          GError    **error)
{
  return classify (pool, args, is_nan, error);
}

static LsVMValue *
isinf_op (LsVMPool   *pool,
          LsVMValue **args,
          guint       n,
          GError    **error)
{
  return classify (pool, args, is_inf, error);
}

static LsVMValue *
isfinite_op (LsVMPool   *pool,
             LsVMValue **args,
             guint       n,
             GError    **error)
{
  return classify (pool, args, is_finite, error);
}

static LsVMValue *
ewise_fma (LsVMPool   *pool,
           LsVMValue **args,
           guint       n,
           GError    **error)
{
  LsNDArray *in[3], *out;

  for (guint i = 0; i < 3; i++)
    {
      in[i] = ls_vm_arg_tensor (args, i, error);
      if (in[i] == NULL)
        return NULL;
      if (ls_tensor_n_scalars (&in[i]->tensor) != ls_tensor_n_scalars (&in[0]->tensor))
        {
          ls_vm_arg_wrong (i, args[i], LS_TEXT ("a tensor of the first one's shape"), error);
          return NULL;
        }
    }
  out = ls_vm_pool_alloc (pool, in[0]->tensor.ndim, in[0]->tensor.shape, in[0]->tensor.dtype, error);
  if (out == NULL)
    return NULL;
  for (gint64 i = 0; i < ls_tensor_n_scalars (&out->tensor); i++)
    ls_tensor_set_double (&out->tensor, i, fma (ls_tensor_get_double (&in[0]->tensor, i), ls_tensor_get_double (&in[1]->tensor, i),
                                                ls_tensor_get_double (&in[2]->tensor, i)));
  return ls_vm_tensor (out);
}

/* While nothing is trained nothing is dropped: the data, and a mask of ones. */
static LsVMValue *
dropout (LsVMPool   *pool,
         LsVMValue **args,
         guint       n,
         GError    **error)
{
  LsNDArray *data = ls_vm_arg_tensor (args, 0, error);
  LsNDArray *mask = data != NULL ? ls_vm_pool_alloc (pool, data->tensor.ndim, data->tensor.shape, data->tensor.dtype, error) : NULL;

  if (mask == NULL)
    return NULL;
  ls_tensor_fill (&mask->tensor, 1);
  return ls_vm_tuple ((LsVMValue *[]) { ls_vm_value_ref (args[0]), ls_vm_tensor (mask) }, 2);
}

/* The indices of what is not zero: (ndim, count). */
static LsVMValue *
nonzero (LsVMPool   *pool,
         LsVMValue **args,
         guint       n,
         GError    **error)
{
  LsNDArray *x = ls_vm_arg_tensor (args, 0, error), *out;
  gint64 count = 0, dims[2], at = 0;

  if (x == NULL)
    return NULL;
  for (gint64 i = 0; i < ls_tensor_n_scalars (&x->tensor); i++)
    count += ls_tensor_get_double (&x->tensor, i) != 0;
  dims[0] = x->tensor.ndim;
  dims[1] = count;
  out = ls_vm_pool_alloc (pool, 2, dims, LS_DT_INT64, error);
  for (gint64 i = 0; out != NULL && i < ls_tensor_n_scalars (&x->tensor); i++)
    if (ls_tensor_get_double (&x->tensor, i) != 0)
      {
        gint64 rest = i;

        for (int d = x->tensor.ndim - 1; d >= 0; d--)
          {
            ls_tensor_set_int (&out->tensor, d * count + at, rest % x->tensor.shape[d]);
            rest /= x->tensor.shape[d];
          }
        at++;
      }
  return out != NULL ? ls_vm_tensor (out) : NULL;
}

static const LsVMBuiltin BUILTINS[] = {
  { "shape_of", 1, shape_of }, { "vm.builtin.shape_of", 1, shape_of },
  { "tensor_to_shape", 1, tensor_to_shape }, { "vm.builtin.tensor_to_shape", 1, tensor_to_shape },
  { "shape_to_tensor", 1, shape_to_tensor },
  { "reshape", 2, reshape }, { "vm.builtin.reshape", 2, reshape },
  { "runtime.TVMArrayCreateView", 4, view }, { "runtime.TVMTensorCreateView", 4, view }, { "memory.view", 4, view },
  { "alloc_storage", -1, alloc_storage }, { "alloc_tensor", 4, alloc_tensor },
  { "vm.builtin.alloc_storage", -1, alloc_storage }, { "vm.builtin.alloc_tensor", 4, alloc_tensor },
  { "kill", -1, nothing }, { "vm.builtin.null_value", 0, nothing }, { "null_value", 0, nothing },
  { "identity", -1, identity }, { "vm.builtin.copy", 1, copy }, { "vm.builtin.to_device", 3, copy }, { "stop_lift_params", -1, identity },
  { "print", -1, print }, { "assert_op", -1, assert_op },
  { "isnan", 1, isnan_op }, { "isinf", 1, isinf_op }, { "isfinite", 1, isfinite_op },
  { "ewise_fma", 3, ewise_fma }, { "nn.dropout", -1, dropout }, { "nonzero", 1, nonzero },
};

static const LsVMBuiltin *const TABLES[] = { ls_vm_inspect_builtins, ls_vm_shape_builtins, ls_vm_sort_builtins, ls_vm_unique_builtins, ls_vm_concat_builtins, ls_kv_builtins };

gboolean
ls_vm_has_builtin (const char *name)
{
  return ls_vm_builtin_get (name) != NULL;
}

const LsVMBuiltin *
ls_vm_builtin_get (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (BUILTINS); i++)
    if (strcmp (BUILTINS[i].name, name) == 0)
      return &BUILTINS[i];
  for (guint t = 0; t < G_N_ELEMENTS (TABLES); t++)
    for (const LsVMBuiltin *row = TABLES[t]; row->name != NULL; row++)
      if (strcmp (row->name, name) == 0)
        return row;
  return NULL;
}
