/* legalize/quantize: quantize and dequantize as one stage. */
#include "engine/relax/legalize/legalize.h"

/* A parameter along an axis, one of one element, or a scalar constant; takes nothing. */
typedef struct { LsTeTensor *tensor; LsExpr *value; } Param;

static gboolean
read_param (LsLegalize *self,
            guint       i,
            Param      *param)
{
  param->value = ls_legalize_scalar (self, self->call->args->items[i]);
  param->tensor = param->value == NULL ? ls_legalize_tensor (self, i) : NULL;
  return param->value != NULL || param->tensor != NULL;
}

static LsExpr *
at_axis (const Param *param,
         LsArray     *axes,
         guint        axis)
{
  if (param->value != NULL)
    return ls_ref (param->value);
  return param->tensor->shape->n == 0 ? ls_te_load (param->tensor, ls_array_empty ())
         : ls_te_at (param->tensor, ls_is_one (param->tensor->shape->items[0]) && !ls_is_one (((LsIterVar *) axes->items[axis])->dom->extent)
                     ? ls_extent (0) : ls_te_axis (axes, axis), NULL);
}

static LsExpr *
clipped (LsExpr *value,
         LsDType dtype)
{
  LsExpr *low = ls_te_min_value (dtype), *high = ls_te_max_value (dtype);
  LsDType type = ls_dtype (value);

  return ls_cast (dtype, ls_max (ls_min (value, ls_cast (type, high)), ls_cast (type, low)));
}

static gboolean
read_all (LsLegalize  *self,
          LsTeTensor **x,
          Param       *scale,
          Param       *zero,
          guint       *axis)
{
  gint64 at = ls_legalize_int (self, "axis", -1);

  *x = ls_legalize_tensor (self, 0);
  if (*x == NULL || !read_param (self, 1, scale) || !read_param (self, 2, zero))
    return FALSE;
  *axis = (guint) (at < 0 ? at + (gint64) (*x)->shape->n : at);
  return *axis < (*x)->shape->n;
}

static LsNode *
quantize (LsLegalize *self)
{
  LsTeTensor *x;
  Param scale, zero;
  LsArray *axes;
  LsExpr *value;
  LsDType dtype = ls_infer_dtype (&self->infer, "out_dtype", LS_DTYPE (LS_TYPE_INT, 8));
  guint axis;

  if (!read_all (self, &x, &scale, &zero, &axis))
    return ls_legalize_stay (self);
  axes = ls_te_axes (x->shape, "i*");
  value = ls_te_div (ls_te_load (x, ls_te_axis_vars (axes)), at_axis (&scale, axes, axis));
  if (!ls_dtype_is_float (dtype))
    value = ls_te_unary ("round", value);
  value = ls_add (value, ls_cast (ls_dtype (value), at_axis (&zero, axes, axis)));
  return ls_legalize_one (self, ls_te_compute ("quantized", NULL, NULL, axes, clipped (value, dtype), &self->error));
}

static LsNode *
dequantize (LsLegalize *self)
{
  LsTeTensor *x;
  Param scale, zero;
  LsArray *axes;
  LsExpr *value, *base;
  LsDType dtype = ls_infer_dtype (&self->infer, "out_dtype", LS_FLOAT32), wide;
  guint axis;

  if (!read_all (self, &x, &scale, &zero, &axis))
    return ls_legalize_stay (self);
  wide = ls_dtype_is_float (x->dtype) ? LS_FLOAT32 : LS_INT32;
  axes = ls_te_axes (x->shape, "i*");
  base = ls_cast (wide, at_axis (&zero, axes, axis));
  value = ls_sub (ls_cast (wide, ls_te_load (x, ls_te_axis_vars (axes))), base);
  value = ls_mul (ls_cast (LS_FLOAT32, value), ls_cast (LS_FLOAT32, at_axis (&scale, axes, axis)));
  return ls_legalize_one (self, ls_te_compute ("dequantized", NULL, NULL, axes, dtype.bits == 16 ? clipped (value, dtype) : ls_cast (dtype, value), &self->error));
}

const LsLegalizeRow ls_legalize_quantize[] = {
  { "dequantize", dequantize }, { "quantize", quantize },
  { NULL }
};
