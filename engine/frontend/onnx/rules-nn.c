/* onnx/rules-nn: convolution, pooling, normalisation, resizing, quantisation. */
#include "engine/frontend/onnx/onnx-private.h"

#include <string.h>

#define FX (&self->fx)

static const char *const LAYOUTS[] = { "NCW", "NCHW", "NCDHW" }, *const KERNELS[] = { "OIW", "OIHW", "OIDHW" }, *const TURNED[] = { "IOW", "IOHW" };

static LsFxValue *
text (LsOnnxImport *self,
      const char   *word)
{
  return ls_fx_text (FX, LS_FX_TEXT, word);
}

/* The attribute's numbers, or `n` times the default. */
static void
read_numbers (LsOnnxImport *self,
              const char   *name,
              guint         n,
              gint64        otherwise,
              gint64       *out)
{
  LsFxValue *list = ls_onnx_attr (self, name);

  if (list != NULL && (list->kind != LS_FX_LIST || list->n != n))
    {
      ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "`%s` has another number of values than %u", name, n);
      list = NULL;
    }
  for (guint i = 0; i < n; i++)
    out[i] = list != NULL ? ls_onnx_number (self, list, i) : otherwise;
}

/* Dimensions of the windows of x, 1 to 3; 0 after an error. */
static guint
n_axes_of (LsOnnxImport *self,
           LsFxValue    *x,
           LsFxValue   **shape)
{
  *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  if (*shape != NULL && (*shape)->n >= 3 && (*shape)->n <= 5)
    return (*shape)->n - 2;
  ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a tensor of three to five dimensions is expected");
  return 0;
}

/* Padding in front of all axes, then behind: what the attribute says, or what auto_pad makes of the extents. */
static gboolean
read_pads (LsOnnxImport *self,
           LsFxValue    *shape,
           const gint64 *kernel,
           const gint64 *strides,
           const gint64 *dilations,
           guint         n,
           gint64       *pads)
{
  const char *automatic = ls_onnx_attr_text (self, "auto_pad", "NOTSET");

  read_numbers (self, "pads", 2 * n, 0, pads);
  if (strcmp (automatic, "VALID") == 0)
    memset (pads, 0, 2 * n * sizeof *pads);
  for (guint i = 0; i < n && g_str_has_prefix (automatic, "SAME"); i++)
    {
      LsFxValue *extent = shape->items[i + 2];
      gint64 all;

      if (extent->kind != LS_FX_INT || strides[i] <= 0)
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "auto_pad needs an extent that is known"), FALSE;
      all = MAX (((extent->i + strides[i] - 1) / strides[i] - 1) * strides[i] + (kernel[i] - 1) * dilations[i] + 1 - extent->i, 0);
      pads[i] = strcmp (automatic, "SAME_LOWER") == 0 ? all - all / 2 : all / 2;
      pads[i + n] = all - pads[i];
    }
  for (guint i = 0; i < 2 * n; i++)
    if (pads[i] < 0)
      return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "padding that takes away is not supported"), FALSE;
  return self->fx.error == NULL;
}

static LsFxValue *
with_bias (LsOnnxImport *self,
           LsFxValue    *y,
           guint         input,
           guint         n)
{
  LsFxValue *bias = ls_onnx_input (self, input);
  static const gint64 EXTENTS[] = { 1, -1, 1, 1, 1 };

  return y != NULL && bias != NULL ? ls_fx_call (FX, "add", y, ls_fx_call (FX, "reshape", bias, ls_fx_ints (FX, EXTENTS, n + 2), NULL), NULL) : y;
}

static gboolean
kernel_extents (LsOnnxImport *self,
                LsFxValue    *w,
                guint         n,
                gint64       *kernel)
{
  LsFxValue *shape = w != NULL ? ls_fx_shape (FX, w) : NULL;

  for (guint i = 0; shape != NULL && i < n; i++)
    {
      if (shape->n != n + 2 || shape->items[i + 2]->kind != LS_FX_INT)
        return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a kernel of %u dimensions with known extents is expected", n + 2), FALSE;
      kernel[i] = shape->items[i + 2]->i;
    }
  return shape != NULL;
}

static LsFxValue *
convolution (LsOnnxImport *self)
{
  static const char *const OPS[] = { "nn.conv1d", "nn.conv2d", "nn.conv3d" };
  LsFxValue *x = ls_onnx_needed (self, 0), *w = ls_onnx_needed (self, 1), *shape, *y;
  guint n = n_axes_of (self, x, &shape);
  gint64 kernel[3], strides[3], dilations[3], pads[6];

  if (n == 0 || !kernel_extents (self, w, n, kernel))
    return NULL;
  read_numbers (self, "strides", n, 1, strides);
  read_numbers (self, "dilations", n, 1, dilations);
  if (!read_pads (self, shape, kernel, strides, dilations, n, pads))
    return NULL;
  y = ls_fx_call (FX, OPS[n - 1], x, w, LS_FX_BY_NAME, "strides", ls_fx_ints (FX, strides, n), "padding", ls_fx_ints (FX, pads, 2 * n), "dilation", ls_fx_ints (FX, dilations, n),
                  "groups", ls_fx_int (FX, ls_onnx_attr_int (self, "group", 1)), "data_layout", text (self, LAYOUTS[n - 1]), "kernel_layout", text (self, KERNELS[n - 1]), NULL);
  return with_bias (self, y, 2, n);
}

static LsFxValue *
transposed (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *w = ls_onnx_needed (self, 1), *shape, *y;
  guint n = n_axes_of (self, x, &shape);
  gint64 kernel[3], strides[3], dilations[3], pads[6], more[3];
  const char *automatic = ls_onnx_attr_text (self, "auto_pad", "NOTSET");

  if (n == 0 || !kernel_extents (self, w, n, kernel))
    return NULL;
  if (n > 2 || ls_onnx_attr (self, "output_shape") != NULL || g_str_has_prefix (automatic, "SAME"))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "three axes, `output_shape` and `auto_pad` are not supported");
  read_numbers (self, "strides", n, 1, strides);
  read_numbers (self, "dilations", n, 1, dilations);
  read_numbers (self, "output_padding", n, 0, more);
  read_numbers (self, "pads", 2 * n, 0, pads);
  y = ls_fx_call (FX, n == 1 ? "nn.conv1d_transpose" : "nn.conv2d_transpose", x, w, LS_FX_BY_NAME, "strides", ls_fx_ints (FX, strides, n), "padding", ls_fx_ints (FX, pads, 2 * n),
                  "output_padding", ls_fx_ints (FX, more, n), "dilation", ls_fx_ints (FX, dilations, n), "groups", ls_fx_int (FX, ls_onnx_attr_int (self, "group", 1)),
                  "data_layout", text (self, LAYOUTS[n - 1]), "kernel_layout", text (self, TURNED[n - 1]), NULL);
  return with_bias (self, y, 2, n);
}

static LsFxValue *
pool (LsOnnxImport *self)
{
  static const char *const MOST[] = { "nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d" }, *const MEAN[] = { "nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d" };
  gboolean most = strcmp (self->node->op_type, "MaxPool") == 0;
  LsFxValue *x = ls_onnx_needed (self, 0), *shape;
  guint n = n_axes_of (self, x, &shape);
  gint64 kernel[3], strides[3], dilations[3], pads[6];

  if (n == 0)
    return NULL;
  if (self->node->n_output > 1 && self->node->output[1][0] != '\0')
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "the places of the greatest are not supported");
  if (ls_onnx_attr (self, "kernel_shape") == NULL)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "it has no `kernel_shape`");
  read_numbers (self, "kernel_shape", n, 1, kernel);
  read_numbers (self, "strides", n, 1, strides);
  read_numbers (self, "dilations", n, 1, dilations);
  if (!read_pads (self, shape, kernel, strides, dilations, n, pads))
    return NULL;
  return ls_fx_call (FX, most ? MOST[n - 1] : MEAN[n - 1], x, LS_FX_BY_NAME, "pool_size", ls_fx_ints (FX, kernel, n), "strides", ls_fx_ints (FX, strides, n),
                     "dilation", ls_fx_ints (FX, dilations, n), "padding", ls_fx_ints (FX, pads, 2 * n), "ceil_mode", ls_fx_bool (FX, ls_onnx_attr_int (self, "ceil_mode", 0) != 0),
                     "count_include_pad", ls_fx_bool (FX, !most && ls_onnx_attr_int (self, "count_include_pad", 0) != 0), "layout", text (self, LAYOUTS[n - 1]), NULL);
}

static LsFxValue *
global_pool (LsOnnxImport *self)
{
  static const gint64 AXES[] = { 2, 3, 4 };
  LsFxValue *x = ls_onnx_needed (self, 0), *shape;
  guint n = n_axes_of (self, x, &shape);

  return n > 0 ? ls_fx_call (FX, strcmp (self->node->op_type, "GlobalMaxPool") == 0 ? "max" : "mean", x, LS_FX_BY_NAME, "axis", ls_fx_ints (FX, AXES, n), "keepdims", ls_fx_bool (FX, TRUE), NULL)
               : NULL;
}

/* ---- normalisation ---------------------------------------------------------------------------------- */

static LsFxValue *
batch_norm (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *y, *p[4];

  for (guint i = 0; i < 4; i++)
    if ((p[i] = ls_onnx_needed (self, i + 1)) == NULL)
      return NULL;
  if (x == NULL || ls_onnx_attr_int (self, "training_mode", 0))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "it is that of training");
  y = ls_fx_call (FX, "nn.batch_norm", x, p[0], p[1], p[2], p[3], LS_FX_BY_NAME, "axis", ls_fx_int (FX, 1), "epsilon", ls_fx_real (FX, ls_onnx_attr_real (self, "epsilon", 1e-5)),
                  "training", ls_fx_bool (FX, FALSE), NULL);
  return ls_onnx_field (self, y, 0);
}

/* Over the last dimensions, from `axis` on. */
static LsFxValue *
layer_norm (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *gamma = ls_onnx_needed (self, 1), *beta = ls_onnx_input (self, 2), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, **axes;
  gint64 axis = ls_onnx_attr_int (self, "axis", -1);
  guint n;

  if (shape == NULL || gamma == NULL || !ls_fx_dimension (FX, &axis, shape->n))
    return NULL;
  if (self->node->n_output > 1)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "its mean and deviation as results are not supported");
  n = shape->n - (guint) axis;
  axes = ls_fx_alloc (FX, n * sizeof *axes);
  for (guint i = 0; i < n; i++)
    axes[i] = ls_fx_int (FX, (gint64) i - n);
  beta = beta != NULL ? beta : ls_fx_call (FX, "zeros_like", gamma, NULL);
  return beta != NULL ? ls_fx_call (FX, "nn.layer_norm", x, gamma, beta, LS_FX_BY_NAME, "axes", ls_fx_list (FX, axes, n), "epsilon",
                                    ls_fx_real (FX, ls_onnx_attr_real (self, "epsilon", 1e-5)), NULL) : NULL;
}

/* Of each channel by itself, or of groups of channels; before opset 21 a group norm has a scale for each group. */
static LsFxValue *
group_norm (LsOnnxImport *self)
{
  gboolean instance = strcmp (self->node->op_type, "InstanceNormalization") == 0;
  LsFxValue *x = ls_onnx_needed (self, 0), *gamma = ls_onnx_needed (self, 1), *beta = ls_onnx_needed (self, 2), *shape, *groups, **axes;
  guint n = n_axes_of (self, x, &shape);

  if (n == 0 || gamma == NULL || beta == NULL)
    return NULL;
  groups = instance ? shape->items[1] : ls_fx_int (FX, ls_onnx_attr_int (self, "num_groups", 1));
  if (groups->kind != LS_FX_INT || shape->items[1]->kind != LS_FX_INT || groups->i <= 0 || shape->items[1]->i % groups->i != 0)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "channels that the groups divide are expected");
  if (!instance && self->opset < 21)
    {
      LsFxValue *times = ls_fx_int (FX, shape->items[1]->i / groups->i), *zero = ls_fx_int (FX, 0);

      gamma = ls_fx_call (FX, "repeat", gamma, LS_FX_BY_NAME, "repeats", times, "axis", zero, NULL);
      beta = ls_fx_call (FX, "repeat", beta, LS_FX_BY_NAME, "repeats", times, "axis", zero, NULL);
    }
  axes = ls_fx_alloc (FX, n * sizeof *axes);
  for (guint i = 0; i < n; i++)
    axes[i] = ls_fx_int (FX, i + 2);
  return gamma != NULL && beta != NULL ? ls_fx_call (FX, "nn.group_norm", x, gamma, beta, LS_FX_BY_NAME, "num_groups", groups, "channel_axis", ls_fx_int (FX, 1),
                                                     "axes", ls_fx_list (FX, axes, n), "epsilon", ls_fx_real (FX, ls_onnx_attr_real (self, "epsilon", 1e-5)), NULL) : NULL;
}

static LsFxValue *
softmax (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0);

  return x != NULL ? ls_fx_call (FX, strcmp (self->node->op_type, "LogSoftmax") == 0 ? "nn.log_softmax" : "nn.softmax", x, LS_FX_BY_NAME,
                                 "axis", ls_fx_int (FX, ls_onnx_attr_int (self, "axis", self->opset < 13 ? 1 : -1)), NULL) : NULL;
}

/* Of inference: its input, and a mask of nothing but truths. */
static LsFxValue *
dropout (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *items[2] = { x, NULL };

  if (x == NULL || self->node->n_output < 2 || self->node->output[1][0] == '\0')
    return x;
  items[1] = ls_fx_call (FX, "astype", ls_fx_call (FX, "ones_like", x, NULL), ls_fx_text (FX, LS_FX_DTYPE, "bool"), NULL);
  return items[1] != NULL ? ls_fx_list (FX, items, 2) : NULL;
}

/* ---- resizing, quantisation ------------------------------------------------------------------------------ */

static LsFxValue *
resize (LsOnnxImport *self)
{
  gboolean upsample = strcmp (self->node->op_type, "Upsample") == 0;
  LsFxValue *x = ls_onnx_needed (self, 0), *sizes = upsample ? NULL : ls_onnx_numbers (self, NULL, 3), *shape, *extents[2];
  const char *mode = ls_onnx_attr_text (self, "mode", "nearest"), *how = ls_onnx_attr_text (self, "coordinate_transformation_mode", upsample ? "asymmetric" : "half_pixel");
  const char *nearest = ls_onnx_attr_text (self, "nearest_mode", upsample ? "floor" : "round_prefer_floor");
  g_autoptr (GArray) scales = g_array_new (FALSE, FALSE, sizeof (double));

  if (n_axes_of (self, x, &shape) != 2 || self->fx.error != NULL)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a picture of four dimensions is expected");
  if (ls_onnx_attr (self, "axes") != NULL || (sizes != NULL && sizes->n != 4) || (sizes == NULL && (!ls_onnx_reals (self, upsample ? 1 : 2, scales) || scales->len != 4)))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "sizes or scales of all four dimensions have to be known while importing");
  for (guint i = 0; i < 4; i++)
    {
      LsFxValue *extent = shape->items[i];
      double scale = sizes == NULL ? g_array_index (scales, double, i) : 1.0;

      if (i < 2 && (sizes != NULL ? !(sizes->items[i]->kind == extent->kind && sizes->items[i]->i == extent->i) : scale != 1.0))
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "only height and width can change");
      if (i < 2)
        continue;
      if (sizes == NULL && (extent->kind != LS_FX_INT || !(scale > 0.0 && scale < 1e6)))
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "an extent that is scaled has to be known");
      extents[i - 2] = sizes != NULL ? sizes->items[i] : ls_fx_int (FX, (gint64) ((double) extent->i * scale));
    }
  if (strcmp (how, "pytorch_half_pixel") == 0 || strcmp (how, "half_pixel") == 0)
    how = strcmp (mode, "nearest") == 0 && strcmp (how, "half_pixel") != 0 ? "half_pixel" : how;
  else if (strcmp (how, "align_corners") != 0 && strcmp (how, "asymmetric") != 0)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "coordinates by %s are not supported", how);
  return ls_fx_call (FX, "image.resize2d", x, ls_fx_list (FX, extents, 2), LS_FX_BY_NAME, "layout", text (self, "NCHW"),
                     "method", text (self, strcmp (mode, "nearest") == 0 ? "nearest_neighbor" : mode), "coordinate_transformation_mode", text (self, how), "rounding_method",
                     text (self, strcmp (mode, "nearest") != 0 ? "" : strcmp (nearest, "round_prefer_ceil") == 0 ? "round_prefer_ceil"
                                 : strcmp (nearest, "floor") == 0 ? "floor" : strcmp (nearest, "ceil") == 0 ? "ceil" : "round_prefer_floor"),
                     "cubic_alpha", ls_fx_real (FX, ls_onnx_attr_real (self, "cubic_coeff_a", -0.75)), "cubic_exclude", ls_fx_int (FX, ls_onnx_attr_int (self, "exclude_outside", 0)), NULL);
}

static LsFxValue *
quantize (LsOnnxImport *self)
{
  gboolean back = strcmp (self->node->op_type, "DequantizeLinear") == 0;
  LsFxValue *x = ls_onnx_needed (self, 0), *scale = ls_onnx_needed (self, 1), *zero = ls_onnx_input (self, 2);
  LsDType dtype = LS_DTYPE (LS_TYPE_UINT, 8);

  if (x == NULL || scale == NULL)
    return NULL;
  if (!back && zero != NULL)
    dtype = ls_fx_dtype (FX, zero);
  zero = zero != NULL ? zero : ls_fx_scalar (FX, ls_fx_int (FX, 0), back ? ls_fx_dtype (FX, x) : LS_DTYPE (LS_TYPE_UINT, 8));
  if (back)
    return ls_fx_call (FX, "dequantize", x, scale, zero, LS_FX_BY_NAME, "out_dtype", text (self, "float32"), "axis", ls_fx_int (FX, ls_onnx_attr_int (self, "axis", 1)), NULL);
  return ls_fx_call (FX, "quantize", x, scale, zero, LS_FX_BY_NAME, "out_dtype", ls_fx_text (FX, LS_FX_DTYPE, ls_dtype_name (dtype)), "axis",
                     ls_fx_int (FX, ls_onnx_attr_int (self, "axis", 1)), NULL);
}

const LsOnnxHandler ls_onnx_handlers_nn[] = {
  { "Conv", convolution }, { "ConvTranspose", transposed }, { "MaxPool AveragePool", pool }, { "GlobalAveragePool GlobalMaxPool", global_pool },
  { "BatchNormalization", batch_norm }, { "LayerNormalization", layer_norm }, { "InstanceNormalization GroupNormalization", group_norm },
  { "Softmax LogSoftmax", softmax }, { "Dropout", dropout }, { "Resize Upsample", resize }, { "QuantizeLinear DequantizeLinear", quantize },
  { NULL, NULL }
};
