/* onnx/rules-whole: what computes with small whole numbers: quantisation, and products and convolutions of what was quantised.  They are said in operators of
 * whole numbers and of float32, so that what they compute is what the format says: halves go to the even neighbour, what does not fit is the nearest that does. */
#include "engine/frontend/onnx/onnx-private.h"

#include <inttypes.h>
#include <string.h>

#define FX (&self->fx)

static LsFxValue *
text (LsOnnxImport *self,
      const char   *word)
{
  return ls_fx_text (FX, LS_FX_TEXT, word);
}

/* What the results of a quantisation can be. */
static gboolean
range_of (LsOnnxImport *self,
          LsDType       dtype,
          double       *least,
          double       *most)
{
  static const struct { guint8 code, bits; double least, most; } RANGES[] = {
    { LS_TYPE_UINT, 8, 0.0, 255.0 }, { LS_TYPE_INT, 8, -128.0, 127.0 }, { LS_TYPE_UINT, 16, 0.0, 65535.0 }, { LS_TYPE_INT, 16, -32768.0, 32767.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (RANGES); i++)
    if (ls_dtype_equal (dtype, LS_DTYPE (RANGES[i].code, RANGES[i].bits)))
      {
        *least = RANGES[i].least;
        *most = RANGES[i].most;
        return TRUE;
      }
  return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "whole numbers of 8 or 16 bits are expected, not %s", ls_dtype_name (dtype)), FALSE;
}

/* The whole number nearest to x, from zero on (NULL: from 0), in a type. */
static LsFxValue *
saturated (LsOnnxImport *self,
           LsFxValue    *x,
           LsFxValue    *zero,
           LsDType       dtype)
{
  LsDType real = ls_fx_dtype (FX, x);
  double least, most;

  if (self->fx.error != NULL || !range_of (self, dtype, &least, &most))
    return NULL;
  x = ls_onnx_rounded (self, x);
  if (zero != NULL)
    x = ls_fx_call (FX, "add", x, ls_onnx_cast (self, zero, real), NULL);
  x = ls_fx_call (FX, "clip", x, ls_fx_real (FX, least), ls_fx_real (FX, most), NULL);
  return ls_onnx_cast (self, x, dtype);
}

/* The type that the results have: that of their zero, or what the node says (opset 21). */
static gboolean
result_type (LsOnnxImport *self,
             LsFxValue    *zero,
             LsDType      *dtype)
{
  gint64 said = ls_onnx_attr_int (self, "output_dtype", 0);

  *dtype = zero != NULL ? ls_fx_dtype (FX, zero) : LS_DTYPE (LS_TYPE_UINT, 8);
  if (zero == NULL && said != 0 && !ls_onnx_dtype ((gint32) said, dtype))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "the type of its results is not supported"), FALSE;
  return self->fx.error == NULL;
}

/* ---- quantisation ------------------------------------------------------------------------------ */

/* Each block of elements along the axis has a scale of its own (opset 21). */
static LsFxValue *
by_blocks (LsOnnxImport *self,
           LsFxValue    *x,
           LsFxValue    *scale,
           LsFxValue    *zero,
           gboolean      back)
{
  LsFxValue *shape = ls_fx_shape (FX, x), *scales = ls_fx_shape (FX, scale), *size = ls_fx_int (FX, ls_onnx_attr_int (self, "block_size", 0)), *y;
  gint64 axis = ls_onnx_attr_int (self, "axis", 1);
  LsFxValue *real = ls_fx_text (FX, LS_FX_DTYPE, ls_dtype_name (ls_fx_dtype (FX, scale)));
  LsDType dtype;

  if (shape == NULL || scales == NULL || !ls_fx_dimension (FX, &axis, shape->n))
    return NULL;
  if (scales->n != shape->n || ls_onnx_number (self, scales, (guint) axis) * size->i != ls_onnx_number (self, shape, (guint) axis))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "blocks of %" PRId64 " elements do not fill the axis %" PRId64, size->i, axis);
  if (!back)
    {
      if (!result_type (self, zero, &dtype))
        return NULL;
      zero = zero != NULL ? ls_fx_call (FX, "repeat", zero, size, ls_fx_int (FX, axis), NULL) : NULL;
      return saturated (self, ls_fx_call (FX, "divide", x, ls_fx_call (FX, "repeat", scale, size, ls_fx_int (FX, axis), NULL), NULL), zero, dtype);
    }
  y = ls_fx_call (FX, "astype", x, real, NULL);
  if (y != NULL && zero != NULL)
    {
      zero = ls_fx_call (FX, "repeat", ls_fx_call (FX, "astype", zero, real, NULL), size, ls_fx_int (FX, axis), NULL);
      y = zero != NULL ? ls_fx_call (FX, "subtract", y, zero, NULL) : NULL;
    }
  scale = ls_fx_call (FX, "repeat", scale, size, ls_fx_int (FX, axis), NULL);
  return y != NULL && scale != NULL ? ls_fx_call (FX, "multiply", y, scale, NULL) : NULL;
}

static LsFxValue *
quantize (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *scale = ls_onnx_needed (self, 1), *zero = ls_onnx_input (self, 2), *shape;
  gint64 axis = ls_onnx_attr_int (self, "axis", 1);
  LsDType dtype;

  if (x == NULL || scale == NULL || (shape = ls_fx_shape (FX, x)) == NULL)
    return NULL;
  if (ls_onnx_attr_int (self, "block_size", 0) > 0)
    return by_blocks (self, x, scale, zero, FALSE);
  if (!result_type (self, zero, &dtype))
    return NULL;
  axis = axis < 0 ? axis + shape->n : axis;
  x = ls_onnx_cast (self, x, ls_fx_dtype (FX, scale));
  return saturated (self, ls_fx_call (FX, "divide", x, ls_onnx_by_channel (self, scale, (guint) axis, shape->n), NULL), ls_onnx_by_channel (self, zero, (guint) axis, shape->n), dtype);
}

static LsFxValue *
dequantize (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *scale = ls_onnx_needed (self, 1), *zero = ls_onnx_input (self, 2);

  if (x == NULL || scale == NULL)
    return NULL;
  if (ls_onnx_attr_int (self, "block_size", 0) > 0)
    return by_blocks (self, x, scale, zero, TRUE);
  zero = zero != NULL ? zero : ls_fx_scalar (FX, ls_fx_int (FX, 0), ls_fx_dtype (FX, x));
  return ls_fx_call (FX, "dequantize", x, scale, zero, LS_FX_BY_NAME, "out_dtype", text (self, "float32"), "axis", ls_fx_int (FX, ls_onnx_attr_int (self, "axis", 1)), NULL);
}

/* By a scale that comes from the values: 255 steps from the least to the greatest, and 0 is one of them.  Where all are 0, the scale is 1. */
static LsFxValue *
quantize_by_values (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *zero = ls_fx_real (FX, 0.0), *most, *least, *scale, *at, *items[3];

  if (x == NULL)
    return NULL;
  most = ls_fx_call (FX, "maximum", ls_fx_call (FX, "max", x, NULL), zero, NULL);
  least = ls_fx_call (FX, "minimum", ls_fx_call (FX, "min", x, NULL), zero, NULL);
  scale = ls_fx_call (FX, "divide", ls_fx_call (FX, "subtract", most, least, NULL), ls_fx_real (FX, 255.0), NULL);
  scale = ls_fx_call (FX, "where", ls_fx_call (FX, "equal", scale, zero, NULL), ls_fx_call (FX, "ones_like", scale, NULL), scale, NULL);
  at = saturated (self, ls_fx_call (FX, "divide", ls_fx_call (FX, "negative", least, NULL), scale, NULL), NULL, LS_DTYPE (LS_TYPE_UINT, 8));
  items[0] = saturated (self, ls_fx_call (FX, "divide", x, scale, NULL), at, LS_DTYPE (LS_TYPE_UINT, 8));
  items[1] = scale;
  items[2] = at;
  return items[0] != NULL ? ls_fx_list (FX, items, 3) : NULL;
}

/* ---- products ----------------------------------------------------------------------------------- */

/* Less its zero, which may be one for each element of the dimension `axis`, as int32.  A dimension counted from behind is -1 or -2. */
static LsFxValue *
from_zero (LsOnnxImport *self,
           guint         input,
           guint         zero_input,
           gint64        axis)
{
  LsFxValue *x = ls_onnx_needed (self, input), *zero = ls_onnx_input (self, zero_input), *shape;

  shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  x = ls_onnx_cast (self, x, LS_INT32);
  if (zero == NULL || shape == NULL || shape->n == 0)
    return x;
  axis = MAX (axis < 0 ? axis + shape->n : axis, 0);
  return ls_fx_call (FX, "subtract", x, ls_onnx_cast (self, ls_onnx_by_channel (self, zero, (guint) axis, shape->n), LS_INT32), NULL);
}

static LsFxValue *
whole_matmul (LsOnnxImport *self)
{
  LsFxValue *a = from_zero (self, 0, 2, -2), *b = from_zero (self, 1, 3, -1);

  return a != NULL && b != NULL ? ls_fx_call (FX, "matmul", a, b, NULL) : NULL;
}

/* What whole numbers stand for, times the scales of both sides, in the steps of the result. */
static LsFxValue *
in_steps (LsOnnxImport *self,
          LsFxValue    *sum,
          LsFxValue    *a_scale,
          LsFxValue    *b_scale,
          guint         inputs)         /* from this one on: the scale of the result and its zero */
{
  LsFxValue *scale = ls_onnx_needed (self, inputs), *zero = ls_onnx_input (self, inputs + 1), *shape = scale != NULL ? ls_fx_shape (FX, scale) : NULL;
  LsDType dtype;

  if (sum == NULL || shape == NULL || a_scale == NULL || b_scale == NULL || !result_type (self, zero, &dtype))
    return NULL;
  if (shape->n > 1 || (shape->n == 1 && ls_onnx_number (self, shape, 0) != 1))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "one scale of the result is expected");
  scale = ls_fx_call (FX, "divide", ls_fx_call (FX, "multiply", a_scale, b_scale, NULL), scale, NULL);
  return saturated (self, ls_fx_call (FX, "multiply", ls_onnx_cast (self, sum, LS_FLOAT32), scale, NULL), zero, dtype);
}

static LsFxValue *
quantized_matmul (LsOnnxImport *self)
{
  LsFxValue *a = from_zero (self, 0, 2, -2), *b = from_zero (self, 3, 5, -1), *a_scale = ls_onnx_needed (self, 1), *b_scale = ls_onnx_needed (self, 4);

  if (a == NULL || b == NULL || a_scale == NULL || b_scale == NULL)
    return NULL;
  a_scale = ls_onnx_by_channel (self, a_scale, 0, 2);
  return in_steps (self, ls_fx_call (FX, "matmul", a, b, NULL), a_scale, b_scale, 6);
}

static LsFxValue *
whole_convolution (LsOnnxImport *self)
{
  return ls_onnx_convolve (self, from_zero (self, 0, 2, 1), from_zero (self, 1, 3, 0), NULL);
}

static LsFxValue *
quantized_convolution (LsOnnxImport *self)
{
  LsFxValue *x = from_zero (self, 0, 2, 1), *w = from_zero (self, 3, 5, 0), *a_scale = ls_onnx_needed (self, 1), *b_scale = ls_onnx_needed (self, 4);
  LsFxValue *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;

  if (shape == NULL || w == NULL || a_scale == NULL || b_scale == NULL)
    return NULL;
  return in_steps (self, ls_onnx_convolve (self, x, w, ls_onnx_input (self, 8)), a_scale, ls_onnx_by_channel (self, b_scale, 1, shape->n), 6);
}

const LsOnnxHandler ls_onnx_handlers_whole[] = {
  { "QuantizeLinear", quantize }, { "DequantizeLinear", dequantize }, { "DynamicQuantizeLinear", quantize_by_values }, { "MatMulInteger", whole_matmul },
  { "QLinearMatMul", quantized_matmul }, { "ConvInteger", whole_convolution }, { "QLinearConv", quantized_convolution },
  { NULL, NULL }
};
