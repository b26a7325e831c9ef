/* onnx/rules-region: the greatest element of each part of a region. */
#include "engine/frontend/onnx/onnx-private.h"

#define FX (&self->fx)

#define LEAST (-3.4028234663852886e38)  /* of float32: no element lies in the part */

static LsFxValue *
with (LsOnnxImport *self,
      const char   *op,
      LsFxValue    *a,
      double        b)
{
  return ls_fx_call (FX, op, a, ls_fx_real (FX, b), NULL);
}

/* The nearest whole number, halves upwards, of a column of the regions: (regions, 1). */
static LsFxValue *
corner (LsOnnxImport *self,
        LsFxValue    *regions,
        gint64        column)
{
  double scale = ls_onnx_attr_real (self, "spatial_scale", 1.0);

  return ls_fx_call (FX, "floor", with (self, "add", with (self, "multiply", ls_onnx_cut (self, regions, 1, column, column + 1), scale), 0.5), NULL);
}

/* 0, 1, 2, ... as (1, n). */
static LsFxValue *
counted (LsOnnxImport *self,
         gint64        n,
         double        from)
{
  float *numbers = g_new (float, n);

  for (gint64 i = 0; i < n; i++)
    numbers[i] = (float) (from + (double) i);
  return ls_onnx_constant (self, LS_FLOAT32, (const gint64[]) { 1, n }, 2, numbers);
}

/* Which elements of an axis lie in which of its `n` parts: truths (regions, parts, elements). */
static LsFxValue *
parts_of (LsOnnxImport *self,
          LsFxValue    *from,           /* (regions, 1) */
          LsFxValue    *to,
          gint64        n,
          gint64        extent)
{
  LsFxValue *length = with (self, "maximum", with (self, "add", ls_fx_call (FX, "subtract", to, from, NULL), 1.0), 1.0), *part = with (self, "divide", length, (double) n), *low, *high, *at;

  low = ls_fx_call (FX, "add", ls_fx_call (FX, "floor", ls_fx_call (FX, "multiply", part, counted (self, n, 0.0), NULL), NULL), from, NULL);
  high = ls_fx_call (FX, "add", ls_fx_call (FX, "ceil", ls_fx_call (FX, "multiply", part, counted (self, n, 1.0), NULL), NULL), from, NULL);
  low = ls_fx_call (FX, "expand_dims", low, ls_fx_int (FX, 2), NULL);
  high = ls_fx_call (FX, "expand_dims", high, ls_fx_int (FX, 2), NULL);
  at = counted (self, extent, 0.0);
  return ls_fx_call (FX, "logical_and", ls_fx_call (FX, "greater_equal", at, low, NULL), ls_fx_call (FX, "less", at, high, NULL), NULL);
}

/* The greatest of those that lie in each part, along dimension 3 of x; the truths as (regions, ...). */
static LsFxValue *
greatest (LsOnnxImport *self,
          LsFxValue    *x,
          LsFxValue    *lies,
          const gint64 *shape,
          gint64        dimension)
{
  lies = ls_fx_call (FX, "reshape", lies, ls_fx_ints (FX, shape, 5), NULL);
  x = ls_fx_call (FX, "where", lies, x, ls_fx_scalar (FX, ls_fx_real (FX, LEAST), LS_FLOAT32), NULL);
  return ls_fx_call (FX, "max", x, LS_FX_BY_NAME, "axis", ls_fx_ints (FX, &dimension, 1), NULL);
}

/* Regions (picture, left, top, right, bottom), both ends within; first the rows of each part, then its columns. */
static LsFxValue *
max_roi_pool (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *regions = ls_onnx_needed (self, 1), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *parts = ls_onnx_attr (self, "pooled_shape"), *which, *rows, *columns;
  gint64 n[2], height, width;

  if (shape == NULL || regions == NULL)
    return NULL;
  if (shape->n != 4 || parts == NULL || parts->kind != LS_FX_LIST || parts->n != 2 || !ls_dtype_equal (ls_fx_dtype (FX, x), LS_FLOAT32))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "pictures of float32 with two axes, and as many numbers of parts, are expected");
  for (guint i = 0; i < 2; i++)
    if ((n[i] = ls_onnx_number (self, parts, i)) < 1 || n[i] > 4096)
      return self->fx.error == NULL ? ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a region has from 1 to 4096 parts along an axis") : NULL;
  height = ls_onnx_number (self, shape, 2);
  width = ls_onnx_number (self, shape, 3);
  if (self->fx.error != NULL)
    return NULL;
  which = ls_fx_call (FX, "squeeze", ls_onnx_cast (self, ls_onnx_cut (self, regions, 1, 0, 1), LS_INT64), LS_FX_BY_NAME, "axis", ls_fx_ints (FX, (const gint64[]) { 1 }, 1), NULL);
  rows = parts_of (self, corner (self, regions, 2), corner (self, regions, 4), n[0], height);
  columns = parts_of (self, corner (self, regions, 1), corner (self, regions, 3), n[1], width);
  x = ls_fx_call (FX, "take", x, which, LS_FX_BY_NAME, "axis", ls_fx_int (FX, 0), NULL);
  x = ls_fx_call (FX, "expand_dims", x, ls_fx_int (FX, 2), NULL);                                               /* (regions, channels, 1, height, width) */
  x = greatest (self, x, rows, (const gint64[]) { -1, 1, n[0], height, 1 }, 3);
  x = ls_fx_call (FX, "expand_dims", x, ls_fx_int (FX, 3), NULL);                                               /* (regions, channels, parts, 1, width) */
  x = greatest (self, x, columns, (const gint64[]) { -1, 1, 1, n[1], width }, 4);
  return ls_fx_call (FX, "where", with (self, "greater", x, LEAST), x, ls_fx_scalar (FX, ls_fx_real (FX, 0.0), LS_FLOAT32), NULL);
}

const LsOnnxHandler ls_onnx_handlers_region[] = { { "MaxRoiPool", max_roi_pool }, { NULL, NULL } };
