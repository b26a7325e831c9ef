/* vm-inspect: what the fields of a tensor hold (relax.inspect.*): type, number of dimensions, extents, strides, offsets.
 *
 * A tensor without strides is compact; its strides are those that it would have.  An offset in elements is the one in bytes
 * over the size of an element.
 */
#include "engine/runtime/vm-private.h"

#include <inttypes.h>

static LsVMValue *
field (LsVMValue **args,
       GError    **error,
       gint64    (*read) (const LsDLTensor *tensor))
{
  LsNDArray *array = ls_vm_arg_tensor (args, 0, error);

  return array != NULL ? ls_vm_int (read (&array->tensor)) : NULL;
}

#define FIELD(name, value) \
  static gint64 \
  read_##name (const LsDLTensor *tensor) \
  { \
    return (gint64) (value); \
  } \
  static LsVMValue * \
  name (LsVMPool *pool, LsVMValue **args, guint n, GError **error) \
  { \
    return field (args, error, read_##name); \
  }

FIELD (dtype_code, tensor->dtype.code)
FIELD (dtype_bits, tensor->dtype.bits)
FIELD (dtype_lanes, tensor->dtype.lanes)
FIELD (ndim, tensor->ndim)
FIELD (byte_offset, tensor->byte_offset)
FIELD (elem_offset, tensor->byte_offset / ls_dl_dtype_size (tensor->dtype))

/* The axis that argument 1 says; -1 and an error when the tensor has none such. */
static int
axis_of (LsNDArray  *array,
         LsVMValue **args,
         GError    **error)
{
  gint64 axis;

  if (array == NULL || !ls_vm_arg_int (args, 1, &axis, error))
    return -1;
  if (axis >= 0 && axis < array->tensor.ndim)
    return (int) axis;
  g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("There is no axis %" PRId64 ": the tensor has %d dimensions."), axis,
               array->tensor.ndim);
  return -1;
}

static LsVMValue *
shape_i (LsVMPool   *pool,
         LsVMValue **args,
         guint       n,
         GError    **error)
{
  LsNDArray *array = ls_vm_arg_tensor (args, 0, error);
  int axis = axis_of (array, args, error);

  return axis >= 0 ? ls_vm_int (array->tensor.shape[axis]) : NULL;
}

static LsVMValue *
stride_i (LsVMPool   *pool,
          LsVMValue **args,
          guint       n,
          GError    **error)
{
  LsNDArray *array = ls_vm_arg_tensor (args, 0, error);
  int axis = axis_of (array, args, error);
  gint64 stride = 1;

  if (axis < 0)
    return NULL;
  if (array->tensor.strides != NULL)
    return ls_vm_int (array->tensor.strides[axis]);
  for (int i = axis + 1; i < array->tensor.ndim; i++)
    stride *= array->tensor.shape[i];
  return ls_vm_int (stride);
}

const LsVMBuiltin ls_vm_inspect_builtins[] = {
  { "inspect.tensor_dtype_code", 1, dtype_code }, { "inspect.tensor_dtype_bits", 1, dtype_bits },
  { "inspect.tensor_dtype_lanes", 1, dtype_lanes }, { "inspect.tensor_ndim", 1, ndim },
  { "inspect.tensor_shape_i", 2, shape_i }, { "inspect.tensor_stride_i", 2, stride_i },
  { "inspect.tensor_byte_offset", 1, byte_offset }, { "inspect.tensor_elem_offset", 1, elem_offset },
  { NULL, 0, NULL },
};
