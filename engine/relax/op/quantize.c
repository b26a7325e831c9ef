/* op/quantize: quantize and dequantize along an axis. */
#include "engine/relax/op/op.h"

#include <inttypes.h>

/* Scale and zero point: one number, or a vector as long as the axis. */
static gboolean
fits_axis (LsInfer            *self,
           LsTensorStructInfo *x,
           guint               i,
           guint               axis)
{
  LsTensorStructInfo *param = (LsTensorStructInfo *) self->infos[i];
  LsArray *extents = ls_tensor_extents (x), *lengths = ls_tensor_extents (param);

  if (param->ndim > 1)
    {
      ls_infer_fail (self, "takes one number or a vector as %s; it has %" PRId64 " dimensions.", ls_infer_arg_name (self, i), param->ndim);
      return FALSE;
    }
  if (extents == NULL || lengths == NULL || lengths->n == 0 || ls_is_one (lengths->items[0])
      || !ls_infer_differ (self, ls_extent_at (extents, axis), ls_extent_at (lengths, 0)))
    return TRUE;
  ls_infer_fail (self, "takes %s of extent %s, as axis %u of its data has; it has %s.", ls_infer_arg_name (self, i),
                 ls_infer_text (self, extents->items[axis]), axis, ls_infer_text (self, lengths->items[0]));
  return FALSE;
}

static LsStructInfo *
infer (LsInfer *self,
       LsDType  otherwise,
       gboolean from_float)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *scale = x != NULL ? ls_infer_tensor (self, 1) : NULL;
  LsTensorStructInfo *zero = scale != NULL ? ls_infer_tensor (self, 2) : NULL;
  LsDType dtype = ls_infer_dtype (self, "out_dtype", otherwise);
  guint axis = 0;

  if (zero == NULL)
    return NULL;
  if (from_float && (!ls_infer_is_float (self, 0, x->dtype) || !ls_infer_is_float (self, 1, scale->dtype)))
    return NULL;
  if (from_float ? ls_dtype_is_float (dtype) && dtype.bits > 8 : !ls_dtype_is_float (dtype) || dtype.bits < 16)
    return ls_infer_fail (self, "does not give %s.", ls_dtype_name (dtype));
  if (!from_float && ls_dtype_is_float (x->dtype) && x->dtype.bits > 16)
    return ls_infer_fail (self, "takes quantized numbers; its data is of %s.", ls_dtype_name (x->dtype));
  if (x->ndim >= 0 && !(x->ndim == 0) && !ls_infer_axis (self, ls_infer_int (self, "axis", -1), x->ndim, &axis))
    return NULL;
  if (x->ndim > 0 && (!fits_axis (self, x, 1, axis) || !fits_axis (self, x, 2, axis)))
    return NULL;
  return ls_infer_like (x, dtype);
}

static LsStructInfo *
infer_quantize (LsInfer *self)
{
  return infer (self, LS_DTYPE (LS_TYPE_INT, 8), TRUE);
}

static LsStructInfo *
infer_dequantize (LsInfer *self)
{
  return infer (self, LS_FLOAT32, FALSE);
}

const LsRelaxOpRow ls_relax_ops_quantize[] = {
  { "dequantize", "data scale zero_point | out_dtype:dtype=float32 axis:int=-1", infer_dequantize },
  { "quantize", "data scale zero_point | out_dtype:dtype=int8 axis:int=-1", infer_quantize },
  { NULL }
};
