/* fx/rules-nn: layers with weights, attention, normalisation, pooling of averages, resizing. */
#include "engine/frontend/frontend-private.h"

#include <math.h>
#include <string.h>

/* A tensor of the module, or an argument. */
static LsFxValue *
weight (LsFxImport *self,
        const char *name,
        guint       position)
{
  return self->module != NULL ? ls_fx_weight (self, name) : ls_fx_arg (self, name, position);
}

static LsFxValue *
needed_weight (LsFxImport *self,
               const char *name,
               guint       position)
{
  LsFxValue *value = weight (self, name, position);

  return value != NULL || self->error != NULL ? value
         : ls_fx_fail (self, LS_FX_ERROR_GRAPH, "the parameter `%s` is missing (tensor \"%s.%s\")", name, self->node->target, name);
}

static LsFxValue *
setting (LsFxImport *self,
         const char *name,
         guint       position,
         LsFxValue  *otherwise)
{
  LsFxValue *value = self->module != NULL ? ls_fx_attr (self, name) : ls_fx_arg (self, name, position);

  return value != NULL ? value : otherwise;
}

/* ---- products ------------------------------------------------------------------------------- */

static LsFxValue *
with_bias (LsFxImport *self,
           LsFxValue  *y,
           LsFxValue  *bias)
{
  return y != NULL && bias != NULL ? ls_fx_call (self, "add", y, bias, NULL) : y;
}

static LsFxValue *
matmul (LsFxImport *self)
{
  LsFxValue *a = ls_fx_needed (self, "input", 0), *b = ls_fx_arg (self, "mat2", 1);

  if (b == NULL && a != NULL)
    b = ls_fx_needed (self, "other", 1);
  return b != NULL ? ls_fx_product (self, a, b) : NULL;
}

static LsFxValue *
linear (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *w = needed_weight (self, "weight", 1);

  return x != NULL && w != NULL ? with_bias (self, ls_fx_dense (self, x, w), weight (self, "bias", 2)) : NULL;
}

/* beta * input + alpha * (a @ b) */
static LsFxValue *
add_product (LsFxImport *self)
{
  gboolean batch = strcmp (self->name, "baddbmm") == 0;
  LsFxValue *x = ls_fx_needed (self, "input", 0), *a = ls_fx_needed (self, batch ? "batch1" : "mat1", 1), *b = ls_fx_needed (self, batch ? "batch2" : "mat2", 2);
  LsFxValue *one = ls_fx_int (self, 1), *alpha = setting (self, "alpha", G_MAXUINT, one), *beta = setting (self, "beta", G_MAXUINT, one), *y = NULL;

  if (x == NULL || a == NULL || b == NULL || !ls_fx_is_number (alpha) || !ls_fx_is_number (beta))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "three tensors and the numbers alpha and beta are expected");
  if (ls_fx_number (alpha) != 0)
    y = batch ? ls_fx_call (self, "matmul", a, b, NULL) : ls_fx_product (self, a, b);
  if (y != NULL && ls_fx_number (alpha) != 1)
    y = ls_fx_call (self, "multiply", y, alpha, NULL);
  if (ls_fx_number (beta) == 0)
    return y;
  if (ls_fx_number (beta) != 1)
    x = ls_fx_call (self, "multiply", x, beta, NULL);
  return y == NULL ? x : batch ? ls_fx_call (self, "add", y, x, NULL) : ls_fx_call (self, "add", x, y, NULL);
}

/* ---- convolution -------------------------------------------------------------------------------- */

static const struct {
  const char *name, *op, *data, *kernel;
  guint       n_axes;
  gboolean    transposed;
} CONVOLUTIONS[] = {
  { "conv1d", "nn.conv1d", "NCW", "OIW", 1, FALSE }, { "conv2d", "nn.conv2d", "NCHW", "OIHW", 2, FALSE }, { "conv3d", "nn.conv3d", "NCDHW", "OIDHW", 3, FALSE },
  { "conv_transpose1d", "nn.conv1d_transpose", "NCW", "OIW", 1, TRUE }, { "conv_transpose2d", "nn.conv2d_transpose", "NCHW", "OIHW", 2, TRUE },
  { "Conv1d", "nn.conv1d", "NCW", "OIW", 1, FALSE }, { "Conv2d", "nn.conv2d", "NCHW", "OIHW", 2, FALSE }, { "Conv3d", "nn.conv3d", "NCDHW", "OIDHW", 3, FALSE },
  { "ConvTranspose1d", "nn.conv1d_transpose", "NCW", "OIW", 1, TRUE }, { "ConvTranspose2d", "nn.conv2d_transpose", "NCHW", "OIHW", 2, TRUE },
};

/* "same" and "valid" as numbers. */
static LsFxValue *
padding_of (LsFxImport *self,
            LsFxValue  *padding,
            LsFxValue  *w,
            LsFxValue  *dilation,
            guint       n_axes)
{
  LsFxValue *shape = ls_fx_shape (self, w), *sides[6];

  if (padding->kind != LS_FX_TEXT || strcmp (padding->s, "valid") == 0)
    return padding->kind != LS_FX_TEXT ? padding : ls_fx_int (self, 0);
  for (guint i = 0; shape != NULL && i < n_axes; i++)
    if (shape->n != n_axes + 2 || shape->items[i + 2]->kind != LS_FX_INT)
      return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a kernel of %u dimensions with constant extents is expected", n_axes + 2);
  for (guint i = 0; shape != NULL && i < n_axes; i++)
    {
      LsFxValue *apart = dilation->kind == LS_FX_LIST && dilation->n > 0 ? dilation->items[MIN (i, dilation->n - 1)] : dilation;
      gint64 all = CLAMP (shape->items[i + 2]->i - 1, 0, 1 << 20) * CLAMP (ls_fx_whole (self, apart, "dilation", 1), 0, 1 << 20);

      sides[i] = ls_fx_int (self, all / 2);
      sides[i + n_axes] = ls_fx_int (self, all - all / 2);
    }
  return shape != NULL ? ls_fx_list (self, sides, 2 * n_axes) : NULL;
}

/* By its name; aten.convolution by the rank of its data, and whether it says that it is transposed.  As many as there are after an error. */
static guint
convolution_row (LsFxImport *self,
                 gboolean    any,
                 LsFxValue  *x)
{
  LsFxValue *shape = any ? ls_fx_shape (self, x) : NULL;
  gboolean transposed = any && ls_fx_truth (ls_fx_arg (self, "transposed", 6), FALSE);
  guint row = 0;

  for (; row < G_N_ELEMENTS (CONVOLUTIONS); row++)
    if (any ? shape != NULL && CONVOLUTIONS[row].n_axes + 2 == shape->n && CONVOLUTIONS[row].transposed == transposed : strcmp (CONVOLUTIONS[row].name, self->name) == 0)
      return row;
  ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a convolution of such a rank is not supported");
  return row;
}

static LsFxValue *
convolution (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *w = needed_weight (self, "weight", 1), *bias = weight (self, "bias", 2), *one = ls_fx_int (self, 1), *zero = ls_fx_int (self, 0);
  LsFxValue *mode = ls_fx_attr (self, "padding_mode"), *padding, *dilation, *groups, *type, *y, *extents[5];
  gboolean any = self->module == NULL && strcmp (self->name, "convolution") == 0, transposed;
  guint row = 0;

  if (x == NULL || w == NULL || (row = convolution_row (self, any, x)) == G_N_ELEMENTS (CONVOLUTIONS))
    return NULL;
  transposed = CONVOLUTIONS[row].transposed;
  type = ls_fx_text (self, LS_FX_TEXT, ls_fx_as_tvm (self) ? "float32" : ls_dtype_name (ls_fx_dtype (self, x)));
  if (mode != NULL && mode->kind == LS_FX_TEXT && strcmp (mode->s, "zeros") != 0)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "padding with other than zeros is not supported");
  groups = setting (self, "groups", any ? 8 : 6, one);
  dilation = setting (self, "dilation", transposed && self->module == NULL && !any ? 7 : 5, one);
  padding = padding_of (self, setting (self, "padding", 4, zero), w, dilation, CONVOLUTIONS[row].n_axes);
  if (transposed)
    {
      LsFxValue *more = setting (self, "output_padding", any ? 7 : 5, NULL);

      if (ls_fx_as_tvm (self))
        more = NULL;
      y = ls_fx_call (self, CONVOLUTIONS[row].op, x, w, LS_FX_BY_NAME, "strides", setting (self, "stride", 3, one), "padding", padding, "output_padding", more, "dilation", dilation,
                      "groups", groups, "data_layout", ls_fx_text (self, LS_FX_TEXT, CONVOLUTIONS[row].data), "kernel_layout",
                      ls_fx_text (self, LS_FX_TEXT, ls_fx_as_tvm (self) ? CONVOLUTIONS[row].kernel : CONVOLUTIONS[row].n_axes == 1 ? "IOW" : "IOHW"),
                      "out_dtype", type, NULL);
    }
  else
    y = ls_fx_call (self, CONVOLUTIONS[row].op, x, w, LS_FX_BY_NAME, "strides", setting (self, "stride", 3, one), "padding", padding, "dilation", dilation, "groups", groups,
                    "data_layout", ls_fx_text (self, LS_FX_TEXT, CONVOLUTIONS[row].data), "kernel_layout", ls_fx_text (self, LS_FX_TEXT, CONVOLUTIONS[row].kernel),
                    "out_dtype", type, NULL);
  for (guint i = 0; i < 5; i++)
    extents[i] = ls_fx_int (self, i == 1 ? -1 : 1);
  return y != NULL && bias != NULL ? ls_fx_call (self, "add", y, ls_fx_call (self, "reshape", bias, ls_fx_list (self, extents, 2 + CONVOLUTIONS[row].n_axes), NULL), NULL) : y;
}

/* ---- averages of windows -------------------------------------------------------------------------- */

/* Is it 0, or are all of it? */
static gboolean
is_nothing (const LsFxValue *padding)
{
  for (guint i = 0; padding->kind == LS_FX_LIST && i < padding->n; i++)
    if (!is_nothing (padding->items[i]))
      return FALSE;
  return padding->kind == LS_FX_LIST || (padding->kind == LS_FX_INT && padding->i == 0);
}

/* TVM's averages leave padding out, torch's take it in; where there is none the text is TVM's. */
static LsFxValue *
avg_pool (LsFxImport *self)
{
  guint n = strchr (self->name, '1') != NULL ? 1 : strchr (self->name, '3') != NULL ? 3 : 2;
  static const char *const OPS[] = { "nn.avg_pool1d", "nn.avg_pool2d", "nn.avg_pool3d" }, *const LAYOUTS[] = { "NCW", "NCHW", "NCDHW" };
  LsFxValue *x = ls_fx_needed (self, "input", 0), *kernel = setting (self, "kernel_size", 1, NULL), *stride = setting (self, "stride", 2, kernel);
  LsFxValue *padding = setting (self, "padding", 3, ls_fx_int (self, 0)), *ceiling = setting (self, "ceil_mode", 4, ls_fx_bool (self, FALSE));
  LsFxValue *include = setting (self, "count_include_pad", 5, ls_fx_bool (self, TRUE));

  if (x == NULL || kernel == NULL)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "it has no argument `kernel_size`");
  if (setting (self, "divisor_override", 6, NULL) != NULL && !ls_fx_as_tvm (self))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`divisor_override` is not supported");
  if (stride->kind == LS_FX_LIST && stride->n == 0)
    stride = kernel;
  if (ls_fx_as_tvm (self) || (is_nothing (padding) && !ls_fx_truth (ceiling, TRUE)))
    include = NULL;
  return ls_fx_call (self, OPS[n - 1], x, LS_FX_BY_NAME, "pool_size", kernel, "strides", stride, "padding", padding, "ceil_mode", ceiling,
                     "count_include_pad", include, "layout", ls_fx_text (self, LS_FX_TEXT, LAYOUTS[n - 1]), NULL);
}

/* ---- normalisation ----------------------------------------------------------------------------------- */

static LsFxValue *
affine (LsFxImport *self,
        const char *name,
        double      otherwise,
        LsFxValue  *shape,
        LsFxValue  *x)
{
  LsFxValue *value = ls_fx_weight (self, name);

  return value != NULL ? value : ls_fx_filled (self, otherwise, shape, ls_fx_dtype (self, x));
}

/* The statistics of training.  As an operator for TVM, whose nn.batch_norm takes those of the batch unless a pass decomposes it
 * before; else spelled out. */
static LsFxValue *
batch_norm (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *p[4], *extents[5], *y, *scale;
  LsFxValue *eps = ls_fx_attr (self, "eps"), *channels;
  static const char *const NAMES[] = { "weight", "bias", "running_mean", "running_var" };

  if (shape == NULL || shape->n < 2 || shape->n > 5)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a tensor of two to five dimensions is expected");
  eps = eps != NULL ? eps : ls_fx_real (self, 1e-5);
  channels = ls_fx_list (self, &shape->items[1], 1);
  for (guint i = 0; i < 4; i++)
    if ((p[i] = i < 2 ? affine (self, NAMES[i], i == 0, channels, x) : needed_weight (self, NAMES[i], G_MAXUINT)) == NULL)
      return NULL;
  if (self->options->as_tvm)
    {
      y = ls_fx_call (self, "nn.batch_norm", x, p[0], p[1], p[2], p[3], LS_FX_BY_NAME, "axis", ls_fx_int (self, 1), "epsilon", eps, NULL);
      return y != NULL ? ls_fx_emit (self, ls_tuple_get_item_new (ls_node_ref (y->node), 0)) : NULL;
    }
  for (guint i = 0; i < shape->n; i++)
    extents[i] = ls_fx_int (self, i == 1 ? -1 : 1);
  for (guint i = 0; i < 4; i++)
    p[i] = ls_fx_call (self, "reshape", p[i], ls_fx_list (self, extents, shape->n), NULL);
  y = ls_fx_call (self, "subtract", x, p[2], NULL);
  scale = ls_fx_call (self, "sqrt", ls_fx_call (self, "add", p[3], eps, NULL), NULL);
  y = ls_fx_call (self, "multiply", ls_fx_call (self, "divide", y, scale, NULL), p[0], NULL);
  return ls_fx_call (self, "add", y, p[1], NULL);
}

LsFxValue *
ls_fx_layer_norm (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *over = setting (self, "normalized_shape", 1, NULL), *gamma = weight (self, "weight", 2), *beta = weight (self, "bias", 3);
  LsFxValue *eps = setting (self, "eps", 4, ls_fx_real (self, 1e-5)), **axes;
  guint n;

  if (x == NULL || over == NULL)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "it has no `normalized_shape`");
  over = over->kind == LS_FX_NODE && ls_is (over->node, SHAPE_EXPR) ? ls_fx_extents (self, ((LsShapeExpr *) over->node)->values) : over;
  over = over->kind == LS_FX_LIST ? over : ls_fx_list (self, &over, 1);
  n = over->n;
  gamma = gamma != NULL ? gamma : ls_fx_filled (self, 1, over, ls_fx_dtype (self, x));
  beta = beta != NULL ? beta : ls_fx_filled (self, 0, over, ls_fx_dtype (self, x));
  axes = ls_fx_alloc (self, n * sizeof *axes);
  for (guint i = 0; i < n; i++)
    axes[i] = ls_fx_int (self, (gint64) i - n);
  return ls_fx_call (self, "nn.layer_norm", x, gamma, beta, LS_FX_BY_NAME, "axes", ls_fx_list (self, axes, n), "epsilon", eps, NULL);
}

static LsFxValue *
group_norm (LsFxImport *self)
{
  gboolean instance = self->module != NULL && strstr (json_object_get_string_member (self->module, "type"), "InstanceNorm") != NULL;
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *gamma, *beta, *channels, **axes;
  LsFxValue *groups = setting (self, "num_groups", 1, NULL), *eps = setting (self, "eps", 4, ls_fx_real (self, 1e-5));

  if (shape == NULL || shape->n < 3)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a tensor of at least three dimensions is expected");
  channels = ls_fx_list (self, &shape->items[1], 1);
  gamma = weight (self, "weight", 2);
  beta = weight (self, "bias", 3);
  gamma = gamma != NULL ? gamma : ls_fx_filled (self, 1, channels, ls_fx_dtype (self, x));
  beta = beta != NULL ? beta : ls_fx_filled (self, 0, channels, ls_fx_dtype (self, x));
  axes = ls_fx_alloc (self, shape->n * sizeof *axes);
  for (guint i = 2; i < shape->n; i++)
    axes[i - 2] = ls_fx_int (self, i);
  if (instance)
    groups = shape->items[1];
  return ls_fx_call (self, "nn.group_norm", x, gamma, beta, LS_FX_BY_NAME, "num_groups", groups, "channel_axis", ls_fx_int (self, 1),
                     "axes", ls_fx_list (self, axes, shape->n - 2), "epsilon", eps, NULL);
}

/* ---- embedding ------------------------------------------------------------------------------------------ */

static LsFxValue *
embedding (LsFxImport *self)
{
  gboolean aten = strstr (self->node->target, "aten.") != NULL;         /* which has the table in front */
  LsFxValue *x = ls_fx_needed (self, "input", aten ? 1 : 0), *w = needed_weight (self, "weight", aten ? 0 : 1), *shape = ls_fx_shape (self, x), *width = ls_fx_shape (self, w);
  LsFxValue *zero = ls_fx_int (self, 0), *all = ls_fx_int (self, -1), **items, *y;

  if (shape == NULL || width == NULL)
    return NULL;
  if (width->n != 2)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a table of two dimensions is expected; it has %u", width->n);
  x = ls_fx_call (self, "astype", x, ls_fx_text (self, LS_FX_DTYPE, "int32"), NULL);
  if (shape->n == 1)
    return ls_fx_call (self, "take", w, x, zero, NULL);
  y = ls_fx_call (self, "take", w, ls_fx_call (self, "reshape", x, ls_fx_list (self, &all, 1), NULL), zero, NULL);
  items = ls_fx_alloc (self, (shape->n + 1) * sizeof *items);
  for (guint i = 0; i <= shape->n; i++)
    items[i] = i < shape->n ? shape->items[i] : width->items[width->n - 1];
  return y != NULL ? ls_fx_call (self, "reshape", y, ls_fx_list (self, items, shape->n + 1), NULL) : NULL;
}

/* ---- attention --------------------------------------------------------------------------------------------- */

static LsFxValue *
permuted (LsFxImport *self,
          LsFxValue  *x,
          gint64      a,
          gint64      b,
          gint64      c,
          gint64      d)
{
  const gint64 axes[] = { a, b, c, d };

  return x != NULL ? ls_fx_call (self, "permute_dims", x, ls_fx_ints (self, axes, 4), NULL) : NULL;
}

/* softmax (q k^T / sqrt (d) + mask) v, of tensors with their batches in front. */
static LsFxValue *
attend (LsFxImport *self,
        LsFxValue  *q,
        LsFxValue  *k,
        LsFxValue  *v,
        LsFxValue  *mask,
        gboolean    causal,
        LsFxValue  *scale)
{
  LsFxValue *q_shape = ls_fx_shape (self, q), *k_shape = ls_fx_shape (self, k), **axes, *scores;
  guint n = q_shape != NULL ? q_shape->n : 0;

  if (k_shape == NULL || n < 2 || k_shape->n != n || q_shape->items[n - 1]->kind != LS_FX_INT)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "query and key have as many dimensions, at least two, and the last one is constant");
  axes = ls_fx_alloc (self, n * sizeof *axes);
  for (guint i = 0; i < n; i++)
    axes[i] = ls_fx_int (self, i + 2 < n ? i : 2 * (gint64) n - 3 - i);
  scores = ls_fx_call (self, "matmul", q, ls_fx_call (self, "permute_dims", k, ls_fx_list (self, axes, n), NULL), NULL);
  scores = ls_fx_call (self, "multiply", scores, scale != NULL ? scale : ls_fx_real (self, 1 / sqrt ((double) q_shape->items[n - 1]->i)), NULL);
  if (causal)
    {
      LsFxValue *size[] = { q_shape->items[n - 2], k_shape->items[n - 2] };
      LsFxValue *ones = ls_fx_filled (self, 1, ls_fx_list (self, size, 2), LS_FLOAT32);
      LsFxValue *allowed = ls_fx_call (self, "astype", ls_fx_call (self, "tril", ones, NULL), ls_fx_text (self, LS_FX_DTYPE, "bool"), NULL);

      scores = ls_fx_call (self, "where", allowed, scores, ls_fx_scalar (self, ls_fx_real (self, -INFINITY), ls_fx_dtype (self, q)), NULL);
    }
  if (mask != NULL && ls_dtype_is_bool (ls_fx_dtype (self, mask)))
    scores = ls_fx_call (self, "where", mask, scores, ls_fx_scalar (self, ls_fx_real (self, -INFINITY), ls_fx_dtype (self, q)), NULL);
  else if (mask != NULL)
    scores = ls_fx_call (self, "add", scores, mask, NULL);
  return ls_fx_call (self, "matmul", ls_fx_call (self, "nn.softmax", scores, ls_fx_int (self, -1), NULL), v, NULL);
}

static LsFxValue *
attention (LsFxImport *self)
{
  LsFxValue *q = ls_fx_needed (self, "query", 0), *k = ls_fx_needed (self, "key", 1), *v = ls_fx_needed (self, "value", 2), *mask = ls_fx_arg (self, "attn_mask", 3);
  LsFxValue *dropout = ls_fx_arg (self, "dropout_p", 4), *scale = ls_fx_arg (self, "scale", G_MAXUINT), *y;
  gboolean causal = ls_fx_truth (ls_fx_arg (self, "is_causal", 5), FALSE);
  LsTensorStructInfo *info = ls_fx_info (self, q);

  if (info == NULL || k == NULL || v == NULL)
    return NULL;
  if (dropout != NULL && ls_fx_is_number (dropout) && ls_fx_number (dropout) != 0 && self->options->as_tvm)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "dropout in attention is not supported");
  if (info->ndim != 4 || scale != NULL || (mask != NULL && !ls_dtype_is_float (ls_fx_dtype (self, mask))))
    return attend (self, q, k, v, mask, causal, scale);
  q = permuted (self, q, 0, 2, 1, 3);
  k = permuted (self, k, 0, 2, 1, 3);
  v = permuted (self, v, 0, 2, 1, 3);
  y = mask != NULL ? ls_fx_call (self, "nn.attention", q, k, v, mask, LS_FX_BY_NAME, "causal_mask", causal ? ls_fx_text (self, LS_FX_TEXT, "TopLeft") : NULL, NULL)
      : ls_fx_call (self, "nn.attention", q, k, v, LS_FX_BY_NAME, "causal_mask", causal ? ls_fx_text (self, LS_FX_TEXT, "TopLeft") : NULL, NULL);
  return permuted (self, y, 0, 2, 1, 3);
}

/* A third of the projection weights: rows from part * width. */
static LsFxValue *
third (LsFxImport *self,
       LsFxValue  *w,
       gint64      part,
       gint64      width)
{
  LsFxValue *axis = ls_fx_int (self, 0), *from = ls_fx_int (self, part * width), *to = ls_fx_int (self, (part + 1) * width), *one = ls_fx_int (self, 1);

  return w != NULL ? ls_fx_call (self, "strided_slice", w, ls_fx_list (self, &axis, 1), ls_fx_list (self, &from, 1), ls_fx_list (self, &to, 1), ls_fx_list (self, &one, 1), NULL) : NULL;
}

/* (L, N, E) or (N, L, E) -> (N, heads, L, E / heads) */
static LsFxValue *
heads_of (LsFxImport *self,
          LsFxValue  *x,
          gint64      heads,
          gint64      width,
          gboolean    batch_first)
{
  LsFxValue *shape = x != NULL ? ls_fx_shape (self, x) : NULL, *items[4];

  if (shape == NULL || shape->n != 3)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "query, key and value have three dimensions");
  items[0] = shape->items[0];
  items[1] = shape->items[1];
  items[2] = ls_fx_int (self, heads);
  items[3] = ls_fx_int (self, width / heads);
  x = ls_fx_call (self, "reshape", x, ls_fx_list (self, items, 4), NULL);
  return batch_first ? permuted (self, x, 0, 2, 1, 3) : permuted (self, x, 1, 2, 0, 3);
}

/* torch.nn.MultiheadAttention: a leaf of symbolic tracing.  Its second result, the mean of the heads' weights, is not made. */
static LsFxValue *
multihead_attention (LsFxImport *self)
{
  LsFxValue *in[] = { ls_fx_needed (self, "query", 0), ls_fx_needed (self, "key", 1), ls_fx_needed (self, "value", 2) }, *packed = ls_fx_weight (self, "in_proj_weight");
  LsFxValue *packed_bias = ls_fx_weight (self, "in_proj_bias"), *mask = ls_fx_arg (self, "attn_mask", 5), *y, *shape, *items[3], *result[2];
  static const char *const NAMES[] = { "q_proj_weight", "k_proj_weight", "v_proj_weight" };
  gint64 width = ls_fx_whole (self, ls_fx_attr (self, "embed_dim"), "embed_dim", 0), heads = ls_fx_whole (self, ls_fx_attr (self, "num_heads"), "num_heads", 1);
  gboolean batch_first = ls_fx_truth (ls_fx_attr (self, "batch_first"), FALSE);

  if (in[0] == NULL || in[1] == NULL || in[2] == NULL)
    return NULL;
  shape = ls_fx_shape (self, in[0]);
  if (shape == NULL || shape->n != 3 || heads < 1 || width < 1 || width > G_MAXINT32 || width % heads != 0)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "query, key and value have three dimensions, and the heads divide embed_dim");
  if (ls_fx_arg (self, "key_padding_mask", 3) != NULL || ls_fx_weight (self, "bias_k") != NULL)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "key_padding_mask and add_bias_kv are not supported");
  for (guint i = 0; i < 3; i++)
    {
      LsFxValue *w = packed != NULL ? third (self, packed, i, width) : needed_weight (self, NAMES[i], G_MAXUINT);

      in[i] = w != NULL ? with_bias (self, ls_fx_dense (self, in[i], w), third (self, packed_bias, i, width)) : NULL;
      if ((in[i] = heads_of (self, in[i], heads, width, batch_first)) == NULL)
        return NULL;
    }
  if (mask != NULL && ls_dtype_is_bool (ls_fx_dtype (self, mask)))
    mask = ls_fx_call (self, "logical_not", mask, NULL);
  y = attend (self, in[0], in[1], in[2], mask, FALSE, NULL);
  y = batch_first ? permuted (self, y, 0, 2, 1, 3) : permuted (self, y, 2, 0, 1, 3);
  items[0] = shape->items[0];
  items[1] = shape->items[1];
  items[2] = ls_fx_int (self, width);
  y = y != NULL ? ls_fx_call (self, "reshape", y, ls_fx_list (self, items, 3), NULL) : NULL;
  if (y != NULL)
    {
      g_autofree char *path = g_strconcat (self->node->target, ".out_proj.weight", NULL), *bias_path = g_strconcat (self->node->target, ".out_proj.bias", NULL);
      LsFxValue *w = ls_fx_tensor (self, path);

      y = w != NULL ? with_bias (self, ls_fx_dense (self, y, w), ls_fx_tensor (self, bias_path))
          : ls_fx_fail (self, LS_FX_ERROR_GRAPH, "the parameter `out_proj.weight` is missing (tensor \"%s\")", path);
    }
  result[0] = y;
  result[1] = ls_fx_none (self);
  return y != NULL ? ls_fx_list (self, result, 2) : NULL;
}

/* ---- resizing ------------------------------------------------------------------------------------------------- */

static LsFxValue *
interpolate (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *size = setting (self, "size", 1, NULL), *factor = setting (self, "scale_factor", 2, NULL);
  LsFxValue *mode = setting (self, "mode", 3, NULL), *corners = setting (self, "align_corners", 4, NULL), *items[3];
  const char *name = mode != NULL && mode->kind == LS_FX_TEXT ? mode->s : "nearest", *method, *transform;

  if (shape == NULL || shape->n != 4)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "pictures (N, C, H, W) are resized");
  if (ls_fx_truth (setting (self, "antialias", 6, NULL), FALSE) || ls_fx_truth (setting (self, "recompute_scale_factor", 5, NULL), FALSE))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "antialias and recompute_scale_factor are not supported");
  for (guint i = 0; size == NULL && factor != NULL && i < 2; i++)
    {
      LsFxValue *by = factor->kind == LS_FX_LIST && factor->n == 2 ? factor->items[i] : factor;

      if (!ls_fx_is_number (by) || shape->items[2 + i]->kind != LS_FX_INT || !(ls_fx_number (by) > 0 && ls_fx_number (by) * (double) shape->items[2 + i]->i < 0x1p31))
        return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`scale_factor` is a number or two, and the extents are constant");
      items[i] = ls_fx_int (self, (gint64) ((double) shape->items[2 + i]->i * ls_fx_number (by)));
    }
  size = size == NULL && factor != NULL ? ls_fx_list (self, items, 2) : size;
  if (size == NULL)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "it has neither `size` nor `scale_factor`");
  if (size->kind != LS_FX_LIST)
    {
      items[0] = items[1] = size;
      size = ls_fx_list (self, items, 2);
    }
  method = g_str_has_prefix (name, "nearest") ? "nearest_neighbor" : g_str_has_prefix (name, "bi") ? name + 2 : name;
  transform = g_str_has_prefix (name, "nearest") ? "asymmetric" : ls_fx_truth (corners, FALSE) ? "align_corners" : "half_pixel";
  return ls_fx_call (self, "image.resize2d", x, size, LS_FX_BY_NAME, "layout", ls_fx_text (self, LS_FX_TEXT, "NCHW"), "method", ls_fx_text (self, LS_FX_TEXT, method),
                     "coordinate_transformation_mode", ls_fx_text (self, LS_FX_TEXT, transform), "rounding_method",
                     !ls_fx_as_tvm (self) && g_str_has_prefix (name, "nearest") ? ls_fx_text (self, LS_FX_TEXT, "floor") : NULL, NULL);
}

/* torch counts from the last dimension, two numbers each. */
static LsFxValue *
pad (LsFxImport *self)
{
  static const char *const MODES[][2] = { { "ReflectionPad", "reflect" }, { "ReplicationPad", "replicate" }, { "CircularPad", "circular" }, { "reflection_pad", "reflect" },
                                          { "replication_pad", "replicate" } };
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *widths = setting (self, "pad", 1, setting (self, "padding", 1, NULL)), **items;
  gboolean constant = strcmp (self->name, "constant_pad_nd") == 0;
  LsFxValue *mode = constant ? NULL : setting (self, "mode", 2, NULL), *value = setting (self, "value", constant ? 2 : 3, ls_fx_real (self, 0));

  if (shape == NULL || widths == NULL || widths->kind != LS_FX_LIST || widths->n % 2 != 0 || widths->n / 2 > shape->n)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "`pad` has two numbers for each dimension from the last one on");
  for (guint i = 0; i < G_N_ELEMENTS (MODES); i++)
    if (g_str_has_prefix (self->name, MODES[i][0]))
      mode = ls_fx_text (self, LS_FX_TEXT, MODES[i][1]);
  items = ls_fx_alloc (self, 2 * shape->n * sizeof *items);
  for (guint i = 0; i < shape->n; i++)
    for (guint side = 0; side < 2; side++)
      items[2 * i + side] = shape->n - 1 - i < widths->n / 2 ? widths->items[2 * (shape->n - 1 - i) + side] : ls_fx_int (self, 0);
  return ls_fx_call (self, "nn.pad", x, LS_FX_BY_NAME, "pad_width", ls_fx_list (self, items, 2 * shape->n), "pad_value", value, "pad_mode", mode, NULL);
}

const LsFxHandler ls_fx_handlers_nn[] = {
  { "linear module:Linear module:NonDynamicallyQuantizableLinear", linear }, { "matmul mm bmm", matmul }, { "addmm baddbmm", add_product },
  { "convolution conv1d conv2d conv3d conv_transpose1d conv_transpose2d module:Conv1d module:Conv2d module:Conv3d module:ConvTranspose1d module:ConvTranspose2d", convolution },
  { "avg_pool1d avg_pool2d avg_pool3d module:AvgPool1d module:AvgPool2d module:AvgPool3d", avg_pool },
  { "module:BatchNorm1d module:BatchNorm2d module:BatchNorm3d", batch_norm }, { "layer_norm module:LayerNorm", ls_fx_layer_norm },
  { "group_norm module:GroupNorm module:InstanceNorm1d module:InstanceNorm2d module:InstanceNorm3d", group_norm },
  { "embedding module:Embedding", embedding }, { "scaled_dot_product_attention _scaled_dot_product_attention", attention },
  { "module:MultiheadAttention", multihead_attention }, { "interpolate upsample module:Upsample", interpolate }, { "pad constant_pad_nd reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d replication_pad3d module:ZeroPad1d module:ZeroPad2d module:ZeroPad3d module:ConstantPad1d module:ConstantPad2d module:ConstantPad3d module:ReflectionPad1d module:ReflectionPad2d "
  "module:ReflectionPad3d module:ReplicationPad1d module:ReplicationPad2d module:ReplicationPad3d module:CircularPad1d module:CircularPad2d module:CircularPad3d", pad },
  { NULL, NULL }
};
