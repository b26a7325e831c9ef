/* onnx/rules-nn: convolution, pooling, normalisation. */
#include "engine/frontend/onnx/onnx-private.h"

#include <inttypes.h>
#include <string.h>

#define FX (&self->fx)

#define MOST_DILATION 4096

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

LsFxValue *
ls_onnx_by_channel (LsOnnxImport *self,
                    LsFxValue    *value,
                    guint         axis,
                    guint         n)
{
  LsFxValue *shape = value != NULL ? ls_fx_shape (FX, value) : NULL;
  gint64 extents[8];

  if (shape == NULL || shape->n == 0)
    return value;
  if (shape->n > 1 || n > G_N_ELEMENTS (extents))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "one value for all, or one for each channel, is expected");
  for (guint i = 0; i < n; i++)
    extents[i] = i == axis ? -1 : 1;
  return ls_fx_call (FX, "reshape", value, ls_fx_ints (FX, extents, n), NULL);
}

static LsFxValue *
with_bias (LsOnnxImport *self,
           LsFxValue    *y,
           LsFxValue    *bias,
           guint         n)
{
  return y != NULL && bias != NULL ? ls_fx_call (FX, "add", y, ls_onnx_by_channel (self, bias, 1, n + 2), NULL) : y;
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

LsFxValue *
ls_onnx_convolve (LsOnnxImport *self,
                  LsFxValue    *x,
                  LsFxValue    *w,
                  LsFxValue    *bias)
{
  static const char *const OPS[] = { "nn.conv1d", "nn.conv2d", "nn.conv3d" };
  LsFxValue *shape, *y;
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
  return with_bias (self, y, bias, n);
}

static LsFxValue *
convolution (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *w = ls_onnx_needed (self, 1);

  return ls_onnx_convolve (self, x, w, ls_onnx_input (self, 2));
}

/* What is cut off so that the result has the extents that are asked for, or `strides` times those of the input; the result is made larger behind
 * where nothing is to be cut. */
static gboolean
pads_for_extents (LsOnnxImport *self,
                  LsFxValue    *shape,
                  const gint64 *kernel,
                  const gint64 *strides,
                  const gint64 *dilations,
                  guint         n,
                  gint64       *pads,
                  gint64       *more)
{
  const char *automatic = ls_onnx_attr_text (self, "auto_pad", "NOTSET");
  LsFxValue *asked = ls_onnx_attr (self, "output_shape");
  guint first = asked != NULL && asked->n == n + 2 ? 2 : 0;

  if (asked != NULL && (asked->kind != LS_FX_LIST || asked->n != n + first))
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "`output_shape` has another number of values than %u", n), FALSE;
  for (guint i = 0; i < n; i++)
    {
      LsFxValue *extent = shape->items[i + 2];
      gint64 all;

      if (extent->kind != LS_FX_INT)
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "`output_shape` and auto_pad need an extent that is known"), FALSE;
      all = strides[i] * (extent->i - 1) + more[i] + (kernel[i] - 1) * dilations[i] + 1 - (asked != NULL ? ls_onnx_number (self, asked, i + first) : extent->i * strides[i]);
      if (all < 0 && more[i] - all >= strides[i])
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "an extent that is asked for is larger than the result"), FALSE;
      more[i] = all < 0 ? more[i] - all : more[i];
      all = MAX (all, 0);
      pads[i] = strcmp (automatic, "SAME_UPPER") == 0 ? all / 2 : all - all / 2;
      pads[i + n] = all - pads[i];
    }
  return self->fx.error == NULL;
}

/* The weights with zeros between them, which is what dilation means: (in, out, k...) -> (in, out, (k - 1) * d + 1...). */
static LsFxValue *
spread (LsOnnxImport *self,
        LsFxValue    *w,
        guint         n,
        const gint64 *kernel,
        gint64       *dilations)
{
  LsFxValue *shape = ls_fx_shape (FX, w), *apart[8], *pads[16], *together[4], *axes[2], *begins[2], *ends[2];

  for (guint i = 0; i < 16; i++)
    pads[i] = ls_fx_int (FX, 0);
  for (guint i = 0; i < 2; i++)
    apart[i] = together[i] = shape->items[i];
  for (guint i = 0; i < n; i++)
    {
      apart[2 + 2 * i] = ls_fx_int (FX, kernel[i]);
      apart[3 + 2 * i] = ls_fx_int (FX, 1);
      pads[2 * (3 + 2 * i) + 1] = ls_fx_int (FX, dilations[i] - 1);
      together[2 + i] = ls_fx_int (FX, kernel[i] * dilations[i]);
      axes[i] = ls_fx_int (FX, 2 + i);
      begins[i] = ls_fx_int (FX, 0);
      ends[i] = ls_fx_int (FX, (kernel[i] - 1) * dilations[i] + 1);
      dilations[i] = 1;
    }
  w = ls_fx_call (FX, "reshape", w, ls_fx_list (FX, apart, 2 + 2 * n), NULL);
  w = w != NULL ? ls_fx_call (FX, "nn.pad", w, LS_FX_BY_NAME, "pad_width", ls_fx_list (FX, pads, 4 + 4 * n), "pad_value", ls_fx_real (FX, 0.0), NULL) : NULL;
  w = w != NULL ? ls_fx_call (FX, "reshape", w, ls_fx_list (FX, together, 2 + n), NULL) : NULL;
  return w != NULL ? ls_fx_call (FX, "strided_slice", w, ls_fx_list (FX, axes, n), ls_fx_list (FX, begins, n), ls_fx_list (FX, ends, n), NULL) : NULL;
}

static LsFxValue *
transposed (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *w = ls_onnx_needed (self, 1), *shape, *y;
  guint n = n_axes_of (self, x, &shape);
  gint64 kernel[3], strides[3], dilations[3], pads[6], more[3];

  if (n == 0 || !kernel_extents (self, w, n, kernel))
    return NULL;
  if (n > 2)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "three axes are not supported");
  read_numbers (self, "strides", n, 1, strides);
  read_numbers (self, "dilations", n, 1, dilations);
  read_numbers (self, "output_padding", n, 0, more);
  read_numbers (self, "pads", 2 * n, 0, pads);
  if ((ls_onnx_attr (self, "output_shape") != NULL || g_str_has_prefix (ls_onnx_attr_text (self, "auto_pad", "NOTSET"), "SAME"))
      && !pads_for_extents (self, shape, kernel, strides, dilations, n, pads, more))
    return NULL;
  for (guint i = 0; i < n; i++)
    if (dilations[i] < 1 || dilations[i] > MOST_DILATION)
      return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a dilation of %" PRId64 " is none that is supported", dilations[i]);
  if (dilations[0] > 1 || (n == 2 && dilations[1] > 1))
    w = spread (self, w, n, kernel, dilations);
  if (w == NULL)
    return NULL;
  y = ls_fx_call (FX, n == 1 ? "nn.conv1d_transpose" : "nn.conv2d_transpose", x, w, LS_FX_BY_NAME, "strides", ls_fx_ints (FX, strides, n), "padding", ls_fx_ints (FX, pads, 2 * n),
                  "output_padding", ls_fx_ints (FX, more, n), "dilation", ls_fx_ints (FX, dilations, n), "groups", ls_fx_int (FX, ls_onnx_attr_int (self, "group", 1)),
                  "data_layout", text (self, LAYOUTS[n - 1]), "kernel_layout", text (self, TURNED[n - 1]), NULL);
  return with_bias (self, y, ls_onnx_input (self, 2), n);
}

/* |x| to the power p before what is summed, and the root behind it. */
static LsFxValue *
to_power (LsOnnxImport *self,
          LsFxValue    *x,
          gint64        p)
{
  x = p == 2 ? x : ls_fx_call (FX, "abs", x, NULL);
  return p == 1 ? x : p == 2 ? ls_fx_call (FX, "square", x, NULL) : ls_fx_call (FX, "power", x, ls_fx_real (FX, (double) p), NULL);
}

static LsFxValue *
to_root (LsOnnxImport *self,
         LsFxValue    *x,
         gint64        p)
{
  return p == 1 ? x : p == 2 ? ls_fx_call (FX, "sqrt", x, NULL) : ls_fx_call (FX, "power", x, ls_fx_real (FX, 1.0 / (double) p), NULL);
}

static gboolean
read_p (LsOnnxImport *self,
        gint64       *p)
{
  *p = ls_onnx_attr_int (self, "p", 2);
  if (*p < 1)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a norm of %" PRId64 " is none; 1 or more is expected", *p), FALSE;
  return TRUE;
}

/* What MaxPool gives, and where in `x` that is. */
static LsFxValue *
with_places (LsOnnxImport *self,
             LsFxValue    *x,
             LsFxValue    *y,
             LsFxValue    *shape,
             guint         n,
             const gint64 *kernel,
             const gint64 *strides,
             const gint64 *dilations,
             const gint64 *pads)
{
  LsFxValue *out = y != NULL ? ls_fx_shape (FX, y) : NULL, *both[2] = { y, NULL };
  LsOnnxWindows windows = { .kernel = { 0 } };

  if (out == NULL)
    return NULL;
  for (guint i = 0; i < n; i++)
    {
      windows.extents[i] = ls_onnx_number (self, shape, i + 2);
      windows.out[i] = ls_onnx_number (self, out, i + 2);
      windows.kernel[i] = kernel[i];
      windows.strides[i] = strides[i];
      windows.dilations[i] = dilations[i];
      windows.pads[i] = pads[i];
    }
  both[1] = self->fx.error == NULL ? ls_onnx_places (self, x, y, n, &windows, ls_onnx_attr_int (self, "storage_order", 0) != 0) : NULL;
  return both[1] != NULL ? ls_fx_list (FX, both, 2) : NULL;
}

static LsFxValue *
pool (LsOnnxImport *self)
{
  static const char *const MOST[] = { "nn.max_pool1d", "nn.max_pool2d", "nn.max_pool3d" }, *const MEAN[] = { "nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d" };
  gboolean most = strcmp (self->node->op_type, "MaxPool") == 0, norm = strcmp (self->node->op_type, "LpPool") == 0;
  LsFxValue *x = ls_onnx_needed (self, 0), *from = x, *shape;
  guint n = n_axes_of (self, x, &shape);
  gint64 kernel[3], strides[3], dilations[3], pads[6], p = 1, size = 1;

  if (n == 0 || (norm && !read_p (self, &p)))
    return NULL;
  if (ls_onnx_attr (self, "kernel_shape") == NULL)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "it has no `kernel_shape`");
  read_numbers (self, "kernel_shape", n, 1, kernel);
  read_numbers (self, "strides", n, 1, strides);
  read_numbers (self, "dilations", n, 1, dilations);
  if (!read_pads (self, shape, kernel, strides, dilations, n, pads))
    return NULL;
  x = norm ? to_power (self, x, p) : x;
  x = ls_fx_call (FX, most ? MOST[n - 1] : MEAN[n - 1], x, LS_FX_BY_NAME, "pool_size", ls_fx_ints (FX, kernel, n), "strides", ls_fx_ints (FX, strides, n),
                     "dilation", ls_fx_ints (FX, dilations, n), "padding", ls_fx_ints (FX, pads, 2 * n), "ceil_mode", ls_fx_bool (FX, ls_onnx_attr_int (self, "ceil_mode", 0) != 0),
                     "count_include_pad", ls_fx_bool (FX, norm || (!most && ls_onnx_attr_int (self, "count_include_pad", 0) != 0)), "layout", text (self, LAYOUTS[n - 1]), NULL);
  if (most && self->node->n_output > 1 && self->node->output[1][0] != '\0')
    return with_places (self, from, x, shape, n, kernel, strides, dilations, pads);
  for (guint i = 0; i < n; i++)
    size *= kernel[i];
  return norm ? to_root (self, ls_fx_call (FX, "multiply", x, ls_fx_real (FX, (double) size), NULL), p) : x;     /* the sum is the mean times what it is of */
}

static LsFxValue *
global_pool (LsOnnxImport *self)
{
  static const gint64 AXES[] = { 2, 3, 4 };
  LsFxValue *x = ls_onnx_needed (self, 0), *shape;
  guint n = n_axes_of (self, x, &shape);
  gboolean norm = strcmp (self->node->op_type, "GlobalLpPool") == 0;
  gint64 p = 1;

  if (n == 0 || (norm && !read_p (self, &p)))
    return NULL;
  x = norm ? to_power (self, x, p) : x;
  x = ls_fx_call (FX, norm ? "sum" : strcmp (self->node->op_type, "GlobalMaxPool") == 0 ? "max" : "mean", x, LS_FX_BY_NAME, "axis", ls_fx_ints (FX, AXES, n), "keepdims", ls_fx_bool (FX, TRUE), NULL);
  return norm ? to_root (self, x, p) : x;
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

/* The second and the third result: the mean, and one by the deviation, in the type that the node keeps them in. */
static gboolean
layer_statistics (LsOnnxImport *self,
                  LsFxValue    *x,
                  LsFxValue    *axes,
                  LsFxValue   **items)
{
  LsFxValue *keep = ls_fx_bool (FX, TRUE), *off, *variance;
  LsDType dtype;

  if (!ls_onnx_dtype ((gint32) ls_onnx_attr_int (self, "stash_type", 1), &dtype))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "the type of its mean is not supported"), FALSE;
  if (!ls_dtype_equal (ls_fx_dtype (FX, x), dtype))
    x = ls_fx_call (FX, "astype", x, ls_fx_text (FX, LS_FX_DTYPE, ls_dtype_name (dtype)), NULL);
  items[1] = ls_fx_call (FX, "mean", x, LS_FX_BY_NAME, "axis", axes, "keepdims", keep, NULL);
  off = ls_fx_call (FX, "subtract", x, items[1], NULL);
  variance = ls_fx_call (FX, "mean", ls_fx_call (FX, "multiply", off, off, NULL), LS_FX_BY_NAME, "axis", axes, "keepdims", keep, NULL);
  variance = ls_fx_call (FX, "add", variance, ls_fx_real (FX, ls_onnx_attr_real (self, "epsilon", 1e-5)), NULL);
  items[2] = ls_fx_call (FX, "rsqrt", variance, NULL);
  return items[2] != NULL;
}

/* Over the last dimensions, from `axis` on. */
static LsFxValue *
layer_norm (LsOnnxImport *self)
{
  LsFxValue *items[3];
  LsFxValue *x = ls_onnx_needed (self, 0), *gamma = ls_onnx_needed (self, 1), *beta = ls_onnx_input (self, 2), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, **axes;
  gint64 axis = ls_onnx_attr_int (self, "axis", -1);
  guint n;

  if (shape == NULL || gamma == NULL || !ls_fx_dimension (FX, &axis, shape->n))
    return NULL;
  n = shape->n - (guint) axis;
  axes = ls_fx_alloc (FX, n * sizeof *axes);
  for (guint i = 0; i < n; i++)
    axes[i] = ls_fx_int (FX, (gint64) i - n);
  beta = beta != NULL ? beta : ls_fx_call (FX, "zeros_like", gamma, NULL);
  items[0] = beta != NULL ? ls_fx_call (FX, "nn.layer_norm", x, gamma, beta, LS_FX_BY_NAME, "axes", ls_fx_list (FX, axes, n), "epsilon",
                                        ls_fx_real (FX, ls_onnx_attr_real (self, "epsilon", 1e-5)), NULL) : NULL;
  if (items[0] == NULL || self->node->n_output < 2)
    return items[0];
  return layer_statistics (self, x, ls_fx_list (FX, axes, n), items) ? ls_fx_list (FX, items, 3) : NULL;
}

static LsFxValue *
rms_norm (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *scale = ls_onnx_needed (self, 1), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, **axes;
  gint64 axis = ls_onnx_attr_int (self, "axis", -1);

  if (shape == NULL || scale == NULL || !ls_fx_dimension (FX, &axis, shape->n))
    return NULL;
  axes = ls_fx_alloc (FX, shape->n * sizeof *axes);
  for (guint i = (guint) axis; i < shape->n; i++)
    axes[i - axis] = ls_fx_int (FX, (gint64) i - shape->n);
  return ls_fx_call (FX, "nn.rms_norm", x, scale, LS_FX_BY_NAME, "axes", ls_fx_list (FX, axes, shape->n - (guint) axis), "epsilon", ls_fx_real (FX, ls_onnx_attr_real (self, "epsilon", 1e-5)), NULL);
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

/* x / (bias + alpha / size * sum of the squares of the channels around) ^ beta. */
static LsFxValue *
local_response (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *sum, *squares, **widths;
  gint64 size = ls_onnx_attr_int (self, "size", 0);
  double alpha = ls_onnx_attr_real (self, "alpha", 1e-4), beta = ls_onnx_attr_real (self, "beta", 0.75), bias = ls_onnx_attr_real (self, "bias", 1.0);

  if (shape == NULL)
    return NULL;
  if (shape->n < 2 || shape->items[1]->kind != LS_FX_INT || size < 1 || size > 64)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a known number of channels and a window of at most 64 are expected");
  widths = ls_fx_alloc (FX, 2 * shape->n * sizeof *widths);
  for (guint i = 0; i < 2 * shape->n; i++)
    widths[i] = ls_fx_int (FX, i == 2 ? (size - 1) / 2 : i == 3 ? size / 2 : 0);
  squares = ls_fx_call (FX, "nn.pad", ls_fx_call (FX, "multiply", x, x, NULL), LS_FX_BY_NAME, "pad_width", ls_fx_list (FX, widths, 2 * shape->n), NULL);
  sum = NULL;
  for (gint64 i = 0; squares != NULL && i < size; i++)
    {
      LsFxValue *axis = ls_fx_int (FX, 1), *from = ls_fx_int (FX, i), *to = ls_fx_int (FX, i + shape->items[1]->i);
      LsFxValue *part = ls_fx_call (FX, "strided_slice", squares, ls_fx_list (FX, &axis, 1), ls_fx_list (FX, &from, 1), ls_fx_list (FX, &to, 1), NULL);

      sum = sum != NULL ? ls_fx_call (FX, "add", sum, part, NULL) : part;
    }
  sum = sum != NULL ? ls_fx_call (FX, "multiply", sum, ls_fx_real (FX, alpha / (double) size), NULL) : NULL;
  sum = sum != NULL ? ls_fx_call (FX, "add", sum, ls_fx_real (FX, bias), NULL) : NULL;
  sum = sum != NULL ? ls_fx_call (FX, "power", sum, ls_fx_real (FX, beta), NULL) : NULL;
  return sum != NULL ? ls_fx_call (FX, "divide", x, sum, NULL) : NULL;
}

/* Less the mean over the axes, by the deviation. */
static LsFxValue *
mean_variance (LsOnnxImport *self)
{
  static const gint64 AXES[] = { 0, 2, 3 };
  LsFxValue *x = ls_onnx_needed (self, 0), *axes = ls_onnx_attr (self, "axes"), *keep = ls_fx_bool (FX, TRUE), *off, *spread;

  axes = axes != NULL ? axes : ls_fx_ints (FX, AXES, 3);
  if (x == NULL || axes->kind != LS_FX_LIST)
    return NULL;
  off = ls_fx_call (FX, "subtract", x, ls_fx_call (FX, "mean", x, LS_FX_BY_NAME, "axis", axes, "keepdims", keep, NULL), NULL);
  spread = ls_fx_call (FX, "mean", off != NULL ? ls_fx_call (FX, "multiply", off, off, NULL) : NULL, LS_FX_BY_NAME, "axis", axes, "keepdims", keep, NULL);
  spread = spread != NULL ? ls_fx_call (FX, "sqrt", spread, NULL) : NULL;
  return spread != NULL ? ls_fx_call (FX, "divide", off, ls_fx_call (FX, "add", spread, ls_fx_real (FX, 1e-9), NULL), NULL) : NULL;
}

/* Softmax, its logarithm, or a one where the first greatest is; of a dimension, and before opset 13 of all from `axis` on as if they were one. */
static LsFxValue *
softmax (LsOnnxImport *self)
{
  const char *name = self->node->op_type;
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *y, *extent;
  gint64 axis = ls_onnx_attr_int (self, "axis", self->opset < 13 ? 1 : -1), flat[2] = { -1, 1 };
  LsDType dtype;
  gboolean as_one;

  if (shape == NULL || !ls_fx_dimension (FX, &axis, shape->n))
    return NULL;
  as_one = self->opset < 13 && axis + 1 < shape->n;
  for (guint i = (guint) axis; as_one && i < shape->n; i++)
    if (shape->items[i]->kind != LS_FX_INT || __builtin_mul_overflow (flat[1], shape->items[i]->i, &flat[1]) || flat[1] < 1)
      return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "what it goes over has to have known extents");
  if (as_one)
    x = ls_fx_call (FX, "reshape", x, ls_fx_ints (FX, flat, 2), NULL);
  extent = as_one ? ls_fx_int (FX, flat[1]) : shape->items[axis];
  axis = as_one ? 1 : axis;
  if (x == NULL)
    return NULL;
  if (strcmp (name, "Hardmax") != 0)
    y = ls_fx_call (FX, strcmp (name, "LogSoftmax") == 0 ? "nn.log_softmax" : "nn.softmax", x, LS_FX_BY_NAME, "axis", ls_fx_int (FX, axis), NULL);
  else
    {
      if (extent->kind != LS_FX_INT)
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "what it goes over has to have a known extent");
      dtype = ls_fx_dtype (FX, x);
      y = ls_fx_call (FX, "argmax", x, LS_FX_BY_NAME, "axis", ls_fx_int (FX, axis), "keepdims", ls_fx_bool (FX, FALSE), NULL);
      y = ls_fx_call (FX, "astype", y, ls_fx_text (FX, LS_FX_DTYPE, "int32"), NULL);
      y = ls_fx_call (FX, "one_hot", y, ls_fx_real (FX, 1.0), ls_fx_real (FX, 0.0), LS_FX_BY_NAME, "depth", extent, "axis", ls_fx_int (FX, axis), NULL);
      if (y != NULL && !ls_dtype_equal (ls_fx_dtype (FX, y), dtype))
        y = ls_fx_call (FX, "astype", y, ls_fx_text (FX, LS_FX_DTYPE, ls_dtype_name (dtype)), NULL);
    }
  return as_one && y != NULL ? ls_fx_call (FX, "reshape", y, shape, NULL) : y;
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

const LsOnnxHandler ls_onnx_handlers_nn[] = {
  { "Conv", convolution }, { "ConvTranspose", transposed }, { "MaxPool AveragePool LpPool", pool }, { "GlobalAveragePool GlobalMaxPool GlobalLpPool", global_pool },
  { "BatchNormalization", batch_norm }, { "LayerNormalization", layer_norm }, { "RMSNormalization", rms_norm }, { "MeanVarianceNormalization", mean_variance }, { "LRN", local_response }, { "InstanceNormalization GroupNormalization", group_norm },
  { "Softmax LogSoftmax Hardmax", softmax }, { "Dropout", dropout },
  { NULL, NULL }
};
