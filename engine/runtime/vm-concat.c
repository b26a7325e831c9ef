/* vm-concat: many tensors one behind the other along an axis, by copying.
 *
 * The function that LegalizeOps makes of R.concat asks at each element to which of n operands it belongs, by a sum of up to n extents: text that
 * grows with the square of n, and a comparison for each operand at each element.  Of many operands (engine/relax/pass/check-operands.c) this
 * copies each. */
#include "engine/runtime/vm-private.h"

#include <inttypes.h>
#include <string.h>

/* Same rank, type and extents but the one of the axis; that is the number of rows. */
static gboolean
fits (const LsDLTensor *part,
      const LsDLTensor *out,
      gint64            axis,
      gint64            begin)
{
  if (part->ndim != out->ndim || !ls_dl_dtype_equal (part->dtype, out->dtype))
    return FALSE;
  for (int d = 0; d < out->ndim; d++)
    if (d != axis && part->shape[d] != out->shape[d])
      return FALSE;
  return part->shape[axis] <= out->shape[axis] - begin;
}

/* The part into the rows of the axis from `begin`; both are compact. */
static void
put (const LsDLTensor *part,
     const LsDLTensor *out,
     gint64            axis,
     gint64            begin)
{
  const guint8 *from = (const guint8 *) part->data + part->byte_offset;
  guint8 *to = (guint8 *) out->data + out->byte_offset;
  gsize row = ls_dl_dtype_size (out->dtype);
  gint64 times = 1;

  for (int d = 0; d < out->ndim; d++)
    if (d < axis)
      times *= out->shape[d];
    else if (d > axis)
      row *= (gsize) out->shape[d];
  for (gint64 i = 0; i < times && part->shape[axis] > 0 && row > 0; i++)
    memcpy (to + (gsize) (i * out->shape[axis] + begin) * row, from + (gsize) (i * part->shape[axis]) * row, (gsize) part->shape[axis] * row);
}

static gboolean
copy_part (LsNDArray        *part,
           const LsDLTensor *out,
           gint64            axis,
           gint64           *begin,
           GError          **error)
{
  g_autoptr (LsNDArray) compact = NULL;

  if (!fits (&part->tensor, out, axis, *begin))
    {
      g_autofree char *have = ls_tensor_describe (&part->tensor);
      g_autofree char *want = ls_tensor_describe (out);

      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, ls_translate ("a tensor %s cannot lie at %" PRId64 " of axis %" PRId64 " of one that is %s."),
                   have, *begin, axis, want);
      return FALSE;
    }
  compact = ls_tensor_is_compact (&part->tensor) ? ls_ndarray_ref (part) : ls_ndarray_copy (&part->tensor, error);
  if (compact == NULL)
    return FALSE;
  put (&compact->tensor, out, axis, *begin);
  *begin += part->tensor.shape[axis];
  return TRUE;
}

/* tensors..., axis, the result */
static LsVMValue *
concat (LsVMPool   *pool,
        LsVMValue **args,
        guint       n,
        GError    **error)
{
  LsNDArray *out = n > 2 ? ls_vm_arg_tensor (args, n - 1, error) : NULL;
  gint64 axis, begin = 0;

  if (n <= 2)
    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("%u arguments are too few; tensors, an axis and the result are expected."), n);
  if (out == NULL || !ls_vm_arg_int (args, n - 2, &axis, error))
    return NULL;
  if (axis < 0 || axis >= out->tensor.ndim || !ls_tensor_is_compact (&out->tensor))
    return ls_vm_arg_wrong (n - 1, args[n - 1], LS_TEXT ("a compact tensor that has the axis"), error), NULL;
  for (guint i = 0; i + 2 < n; i++)
    {
      LsNDArray *part = ls_vm_arg_tensor (args, i, error);

      if (part == NULL || !copy_part (part, &out->tensor, axis, &begin, error))
        return NULL;
    }
  if (begin == out->tensor.shape[axis])
    return ls_vm_none ();
  g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_SHAPE, ls_translate ("the tensors have %" PRId64 " rows together; the result has %" PRId64 "."), begin,
               out->tensor.shape[axis]);
  return NULL;
}

const LsVMBuiltin ls_vm_concat_builtins[] = {
  { "vm.builtin.concat", -1, concat },
  { NULL, 0, NULL },
};
