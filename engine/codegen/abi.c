/* abi: what compiled code calls back: arguments checked and opened, findings put into sentences.
 *
 * Plain C; 0 is good, -1 means that ls_runtime_last_error () holds the sentence.
 */
#include "engine/codegen/codegen-private.h"

#include <inttypes.h>
#include <string.h>

static const char *
kind_name (gint32 kind)
{
  switch ((LsArgKind) kind)
    {
    case LS_ARG_NONE: return ls_translate ("nothing");
    case LS_ARG_INT: return ls_translate ("an integer");
    case LS_ARG_FLOAT: return ls_translate ("a float");
    case LS_ARG_STRING: return ls_translate ("a text");
    case LS_ARG_HANDLE: return ls_translate ("a handle");
    case LS_ARG_TENSOR: return ls_translate ("an array");
    }
  return ls_translate ("something unknown");
}

static char *
shape_text (const gint64 *shape,
            int           n)
{
  GString *text = g_string_new ("(");

  for (int i = 0; i < n; i++)
    {
      g_string_append (text, i > 0 ? ", " : "");
      if (shape[i] == LS_ABI_UNKNOWN)
        g_string_append_c (text, '?');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, shape[i]);
    }
  g_string_append (text, n == 1 ? ",)" : ")");
  return g_string_free (text, FALSE);
}

static int
wrong_shape (const LsAbiFunc   *func,
             const LsAbiParam  *param,
             const LsDLTensor  *tensor)
{
  g_autofree char *expected = shape_text (param->tensor->shape, param->tensor->ndim);
  g_autofree char *found = shape_text (tensor->shape, tensor->ndim);

  return ls_runtime_fail ("Argument %s of %s has the shape %s; expected %s.", param->name, func->name, found, expected);
}

static int
check_type (const LsAbiFunc   *func,
            const LsAbiParam  *param,
            const LsDLTensor  *tensor)
{
  const LsAbiTensor *want = param->tensor;
  LsDLDataType expected = ls_dl_dtype_normalise ((LsDLDataType) { want->code, want->bits, want->lanes });
  LsDLDataType found = ls_dl_dtype_normalise (tensor->dtype);

  if (!ls_dl_dtype_equal (expected, found))
    {
      g_autofree char *expected_name = ls_dl_dtype_print (expected);
      g_autofree char *found_name = ls_dl_dtype_print (found);

      return ls_runtime_fail ("Argument %s of %s is of %s; expected %s.", param->name, func->name, found_name, expected_name);
    }
  if (tensor->device.device_type != LS_DL_CPU)
    return ls_runtime_fail ("Argument %s of %s is not in the memory of the CPU.", param->name, func->name);
  return 0;
}

static int
check_strides (const LsAbiFunc   *func,
               const LsAbiParam  *param,
               const LsDLTensor  *tensor,
               gint64            *strides)
{
  const LsAbiTensor *want = param->tensor;
  gint64 step = 1;
  gboolean empty = FALSE;

  for (int i = tensor->ndim - 1; i >= 0; i--)
    {
      gint64 compact = step;
      gint64 stride = tensor->strides != NULL ? tensor->strides[i] : compact;

      strides[i] = want->broadcast && tensor->shape[i] == 1 ? 0 : stride;
      step *= tensor->shape[i];
      empty = empty || tensor->shape[i] == 0;
      if ((want->compact & 1) && stride != compact && tensor->shape[i] > 1 && !empty)
        return ls_runtime_fail ("Argument %s of %s is not compact: the stride of dimension %d is %" PRId64 "; expected %" PRId64 ".",
                                param->name, func->name, i, stride, compact);
      if (want->strides != NULL && want->strides[i] != LS_ABI_UNKNOWN && strides[i] != want->strides[i])
        return ls_runtime_fail ("Argument %s of %s has the stride %" PRId64 " in dimension %d; expected %" PRId64 ".",
                                param->name, func->name, strides[i], i, want->strides[i]);
    }
  return 0;
}

static gint64
n_elements (const LsDLTensor *tensor)
{
  gint64 n = 1;

  for (int i = 0; i < tensor->ndim; i++)
    n *= tensor->shape[i];
  return n;
}

/* dims gets the extents, then the strides. */
static int
open_tensor (const LsAbiFunc  *func,
             const LsAbiParam *param,
             const LsArg      *arg,
             gint64           *dims,
             gint64           *value)
{
  const LsAbiTensor *want = param->tensor;
  const LsDLTensor *tensor = arg->v_tensor;
  guint size = MAX (((guint) want->bits + 7u) / 8u, 1u);
  guint alignment = MIN (size & -size, 8u);
  guint8 *data;

  if (arg->kind != LS_ARG_TENSOR || tensor == NULL)
    return ls_runtime_fail ("Argument %s of %s is %s; expected an array.", param->name, func->name, kind_name (arg->kind));
  if (tensor->ndim != want->ndim)
    return wrong_shape (func, param, tensor);
  if (check_type (func, param, tensor) != 0)
    return -1;
  for (int i = 0; i < want->ndim; i++)
    {
      if (want->shape[i] != LS_ABI_UNKNOWN && want->shape[i] != tensor->shape[i])
        return wrong_shape (func, param, tensor);
      dims[i] = tensor->shape[i];
    }
  if (check_strides (func, param, tensor, dims + want->ndim) != 0)
    return -1;
  if ((want->compact & 2) && n_elements (tensor) > G_MAXINT32)
    return ls_runtime_fail ("Argument %s of %s has %" PRId64 " elements, more than int32 counts; its shape has to be of int64.", param->name, func->name,
                            n_elements (tensor));
  if ((want->compact & 2) && n_elements (tensor) > G_MAXINT32 - (gint64) (want->compact >> 2))
    return ls_runtime_fail ("Argument %s of %s has %" PRId64 " elements; its loops count up to %u further, more than int32 does. Its shape has to be of int64.",
                            param->name, func->name, n_elements (tensor), want->compact >> 2);
  data = tensor->data != NULL ? (guint8 *) tensor->data + tensor->byte_offset : NULL;
  if (data == NULL && n_elements (tensor) > 0)
    return ls_runtime_fail ("Argument %s of %s has no memory.", param->name, func->name);
  if ((guintptr) data % alignment != 0)
    return ls_runtime_fail ("Argument %s of %s is at an address that is not a multiple of %u bytes.", param->name, func->name, alignment);
  *value = (gint64) (gintptr) data;
  return 0;
}

static int
open_int (const LsAbiFunc  *func,
          const LsAbiParam *param,
          const LsArg      *arg,
          gint64           *value)
{
  gboolean is_unsigned = param->kind == LS_ABI_UINT;
  int bits = param->bits;
  gint64 high = bits >= 64 ? G_MAXINT64 : ((gint64) 1 << (is_unsigned ? bits : bits - 1)) - 1;
  gint64 low = bits >= 64 ? G_MININT64 : is_unsigned ? 0 : -high - 1;

  if (arg->kind != LS_ARG_INT)
    return ls_runtime_fail ("Argument %s of %s is %s; expected an integer.", param->name, func->name, kind_name (arg->kind));
  if (is_unsigned && bits == 1)
    {
      *value = arg->v_int != 0;
      return 0;
    }
  if (arg->v_int < low || arg->v_int > high)
    return ls_runtime_fail ("Argument %s of %s is %" PRId64 ", which does not fit into %s%d bits.", param->name, func->name, arg->v_int,
                            is_unsigned ? "unsigned " : "", bits);
  *value = arg->v_int;
  return 0;
}

static int
open_float (const LsAbiFunc  *func,
            const LsAbiParam *param,
            const LsArg      *arg,
            gint64           *value)
{
  double v = arg->kind == LS_ARG_INT ? (double) arg->v_int : arg->v_float;

  if (arg->kind != LS_ARG_INT && arg->kind != LS_ARG_FLOAT)
    return ls_runtime_fail ("Argument %s of %s is %s; expected a float.", param->name, func->name, kind_name (arg->kind));
  memcpy (value, &v, sizeof v);
  return 0;
}

static int
open_handle (const LsAbiFunc  *func,
             const LsAbiParam *param,
             const LsArg      *arg,
             gint64           *value)
{
  if (arg->kind == LS_ARG_TENSOR && arg->v_tensor != NULL)
    *value = (gint64) (gintptr) arg->v_tensor->data + (gint64) arg->v_tensor->byte_offset;
  else if (arg->kind == LS_ARG_HANDLE)
    *value = (gint64) (gintptr) arg->v_handle;
  else
    return ls_runtime_fail ("Argument %s of %s is %s; expected a handle or an array.", param->name, func->name, kind_name (arg->kind));
  return 0;
}

int
ls_abi_open (const LsArg     *args,
             int              n_args,
             const LsAbiFunc *func,
             gint64          *values,
             gint64          *dims)
{
  int status = 0;

  if (n_args != func->n)
    return ls_runtime_fail ("%s takes %" PRId64 " arguments; got %d.", func->name, func->n, n_args);
  for (int i = 0; i < n_args && status == 0; i++)
    {
      const LsAbiParam *param = &func->params[i];

      switch ((LsAbiKind) param->kind)
        {
        case LS_ABI_TENSOR:
          status = open_tensor (func, param, &args[i], dims, &values[i]);
          dims += 2 * param->tensor->ndim;
          break;
        case LS_ABI_INT:
        case LS_ABI_UINT:
          status = open_int (func, param, &args[i], &values[i]);
          break;
        case LS_ABI_FLOAT:
          status = open_float (func, param, &args[i], &values[i]);
          break;
        case LS_ABI_HANDLE:
          status = open_handle (func, param, &args[i], &values[i]);
          break;
        }
    }
  return status;
}

int
ls_abi_mismatch (const char *func,
                 const char *name,
                 const char *what,
                 int         dim,
                 gint64      expected,
                 gint64      found)
{
  return ls_runtime_fail ("Argument %s of %s has the %s %" PRId64 " in dimension %d; expected %" PRId64 ".",
                          name, func, what, found, dim, expected);
}

static char *
at_line (int line)
{
  return line > 0 ? g_strdup_printf (" (line %d)", line) : g_strdup ("");
}

int
ls_abi_bounds (const char *buffer,
               int         dim,
               gint64      index,
               gint64      extent,
               int         line)
{
  g_autofree char *place = at_line (line);

  /* What leaves its dimension is a place before the memory by then (engine/tir/guard.c). */
  if (index < 0)
    return ls_runtime_fail (LS_TEXT ("Index %d of %s is %" PRId64 "; it goes from 0 to %" PRId64 "%s.  If %s has several dimensions, this is the place in memory, and some index "
                                     "has left its own dimension."), dim, buffer, index, extent - 1, place, buffer);
  return ls_runtime_fail (LS_TEXT ("Index %d of %s is %" PRId64 "; it goes from 0 to %" PRId64 "%s."), dim, buffer, index, extent - 1, place);
}

int
ls_abi_binding (const char *block,
                const char *iter,
                gint64      value,
                gint64      min,
                gint64      extent,
                int         line)
{
  g_autofree char *place = at_line (line);

  return ls_runtime_fail (LS_TEXT ("%s of block %s is %" PRId64 "; it goes from %" PRId64 " to %" PRId64 "%s."),
                          iter, block, value, min, min + extent - 1, place);
}

int
ls_abi_division (int line)
{
  g_autofree char *place = at_line (line);

  return ls_runtime_fail (LS_TEXT ("A number is divided by zero%s."), place);
}

int
ls_abi_memory (const char *name,
               gint64      bytes)
{
  return ls_runtime_fail (LS_TEXT ("There is no memory for %s: %" PRId64 " bytes."), name, bytes);
}

guint16
ls_abi_half_from_float (float v)
{
  return ls_half_from_float (v);
}

guint16
ls_abi_half_from_double (double v)
{
  return ls_half_from_double (v);
}

float
ls_abi_half_to_float (guint16 bits)
{
  return ls_half_to_float (bits);
}
