/* fx/steps: what graphs are made of, each step as an operator of Relax (TVM's from_fx) and as a tensor expression (call_te). */
#include "engine/frontend/fx/fx-private.h"
#include "engine/topi/topi.h"

#include <math.h>
#include <string.h>

/* ---- operators of Relax: attributes that are not given have the defaults of the table ------- */

static LsNode *
preset (const char *kind,
        const char *text)
{
  if (g_str_has_prefix (kind, "bool"))
    return LS_NODE (ls_bool (strcmp (text, "True") == 0));
  if (g_str_has_prefix (kind, "float"))
    return LS_NODE (ls_float_imm_new (LS_FLOAT64, g_ascii_strtod (text, NULL)));
  if (g_str_has_prefix (kind, "int") && strcmp (text, "None") != 0 && !g_str_has_prefix (kind, "ints"))
    return LS_NODE (ls_int_imm_new (LS_INT64, g_ascii_strtoll (text, NULL, 10)));
  if (strcmp (text, "None") == 0)
    return NULL;
  return LS_NODE (ls_string_new (text));
}

static LsNode *
given (const char **names,
       LsNode     **values,
       guint        n,
       const char  *name,
       gboolean    *found)
{
  for (guint i = 0; i < n; i++)
    if (strcmp (names[i], name) == 0)
      {
        *found = TRUE;
        return values[i];
      }
  *found = FALSE;
  return NULL;
}

/* Takes args and values. */
static LsNode *
op_call (const char  *op,
         LsArray     *args,
         guint        n,
         const char **given_names,
         LsNode     **given_values)
{
  g_autofree char *full = g_strconcat ("relax.", op, NULL);
  const char *spec = ls_relax_op_spec (full), *bar = strchr (spec, '|');
  g_auto (GStrv) words = g_strsplit (bar != NULL ? bar + 1 : "", " ", -1);
  GPtrArray *names = g_ptr_array_new (), *values = g_ptr_array_new ();

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) halves = g_strsplit (words[i], "=", 2);
      g_auto (GStrv) parts = halves[0] != NULL ? g_strsplit (halves[0], ":", 2) : NULL;
      gboolean found;
      LsNode *value;

      if (parts == NULL || parts[0] == NULL || parts[0][0] == '\0')
        continue;
      value = ls_node_ref (given (given_names, given_values, n, parts[0], &found));
      for (guint k = 0; !found && halves[1] != NULL && halves[1][0] == '@' && k < names->len; k++)
        if (strcmp (((LsString *) names->pdata[k])->value, halves[1] + 1) == 0)
          {
            value = ls_node_ref (values->pdata[k]);
            found = TRUE;
          }
      if (!found && halves[1] != NULL)
        value = preset (parts[1] != NULL ? parts[1] : "any", halves[1]);
      g_ptr_array_add (names, ls_string_new (parts[0]));
      g_ptr_array_add (values, value);
    }
  for (guint i = 0; i < n; i++)
    ls_node_unref (given_values[i]);
  return ls_relax_call_new (ls_relax_op_new (full), args, ls_array_take_ptr_array (names), ls_array_take_ptr_array (values), NULL);
}

static LsNode *
emit (LsFxImport *self,
      LsNode     *expr)
{
  LsStructInfo *info = ls_relax_infer (expr, NULL, self->error == NULL ? &self->error : NULL);

  ls_fx_keep (self, expr);
  if (info == NULL)
    return NULL;
  ls_node_unref (info);
  return LS_NODE (ls_block_builder_emit (self->builder, expr, NULL));
}

static LsArray *
numbers (const gint64 *values,
         guint         n)
{
  GPtrArray *out = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (out, ls_int_imm_new (LS_INT64, values[i]));
  return ls_array_take_ptr_array (out);
}

/* ---- tensor expressions --------------------------------------------------------------------- */

static LsTeTensor *
input (LsFxImport *self,
       LsNode     *x)
{
  if (self->bridge == NULL)
    self->bridge = ls_te_bridge_new (self->builder);
  return x != NULL && self->error == NULL ? (LsTeTensor *) ls_fx_keep (self, ls_te_bridge_tensor (self->bridge, x, &self->error)) : NULL;
}

#define STAGE(tensor) ((LsTeTensor *) ls_fx_keep (self, (tensor)))
#define ERROR (self->error == NULL ? &self->error : NULL)

/* Borrows. */
static LsNode *
finish (LsFxImport *self,
        LsTeTensor *output,
        const char *name)
{
  LsNode *call = output != NULL && self->error == NULL ? ls_te_bridge_call_one (self->bridge, output, name, &self->error) : NULL;

  g_clear_pointer (&self->bridge, ls_te_bridge_free);
  return call != NULL ? LS_NODE (ls_block_builder_emit_take (self->builder, call, NULL)) : NULL;
}

/* ---- values ------------------------------------------------------------------------------------ */

LsTensorStructInfo *
ls_fx_info (LsFxImport *self,
            LsNode     *x)
{
  LsNode *info;

  if (x == NULL)
    return NULL;
  info = ls_fx_keep (self, ls_block_builder_struct_info (self->builder, x));
  if (info != NULL && ls_is (info, TENSOR_STRUCT_INFO) && ((LsTensorStructInfo *) info)->shape != NULL
      && ls_is (((LsTensorStructInfo *) info)->shape, SHAPE_EXPR))
    return (LsTensorStructInfo *) info;
  return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "its argument is no tensor of known shape");
}

gboolean
ls_fx_extents (LsFxImport *self,
               LsNode     *x,
               GArray     *extents)
{
  LsTensorStructInfo *info = ls_fx_info (self, x);

  for (guint i = 0; info != NULL && i < ((LsShapeExpr *) info->shape)->values->n; i++)
    {
      gint64 extent;

      if (!ls_as_int (((LsShapeExpr *) info->shape)->values->items[i], &extent))
        {
          ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "its argument has an extent that is not constant");
          return FALSE;
        }
      g_array_append_val (extents, extent);
    }
  return info != NULL;
}

static LsNode *
constant (LsFxImport *self,
          double      value,
          gsize       n,
          LsArray    *shape,
          LsDType     dtype)
{
  guint bytes = ls_dtype_bytes (dtype);
  guint8 *data = g_malloc0 (MAX (n * bytes, 1));

  for (gsize i = 0; i < n; i++)
    if (ls_dtype_is_float (dtype) && bytes == 4)
      ((float *) data)[i] = (float) value;
    else if (ls_dtype_is_float (dtype) && bytes == 8)
      ((double *) data)[i] = value;
    else
      {
        gint64 whole = GINT64_TO_LE ((gint64) value);

        memcpy (data + i * bytes, &whole, bytes);
      }
  return ls_fx_keep (self, ls_constant_new (ls_tensor_new (dtype, shape, g_bytes_new_take (data, n * bytes))));
}

static gboolean
has_numbers (LsFxImport *self,
             double      value,
             LsDType     dtype)
{
  if (ls_dtype_is_float (dtype) ? ls_dtype_bytes (dtype) >= 4 : (ls_dtype_is_int (dtype) && value == floor (value) && fabs (value) < 0x1p62))
    return TRUE;
  ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "the number %g beside a tensor of %s is not supported", value, ls_dtype_name (dtype));
  return FALSE;
}

LsNode *
ls_fx_scalar (LsFxImport *self,
              double      value,
              LsDType     dtype)
{
  return has_numbers (self, value, dtype) ? constant (self, value, 1, ls_array_empty (), dtype) : NULL;
}

LsNode *
ls_fx_filled (LsFxImport *self,
              double      value,
              gint64      n,
              LsDType     dtype)
{
  return has_numbers (self, value, dtype) ? constant (self, value, (gsize) n, numbers (&n, 1), dtype) : NULL;
}

/* ---- elementwise ------------------------------------------------------------------------------- */

static LsTeTensor *
te_binary (LsFxImport *self,
           const char *name,
           gpointer    a,
           gpointer    b)
{
  return a != NULL && b != NULL ? STAGE (ls_topi_binary (name, a, b, ERROR)) : NULL;
}

#define K(value) ls_fx_keep (self, ls_float_imm_new (x->dtype, (value)))

static LsTeTensor *
te_gelu (LsFxImport *self,
         LsTeTensor *x)
{
  LsTeTensor *erf = te_binary (self, "multiply", x, K (sqrt (0.5)));

  erf = erf != NULL ? STAGE (ls_topi_unary ("erf", erf, ERROR)) : NULL;
  return te_binary (self, "multiply", x, te_binary (self, "add", K (0.5), te_binary (self, "multiply", erf, K (0.5))));
}

static LsTeTensor *
te_gelu_tanh (LsFxImport *self,
              LsTeTensor *x)
{
  LsTeTensor *cube = te_binary (self, "multiply", te_binary (self, "multiply", x, x), x);
  LsTeTensor *inner = te_binary (self, "add", x, te_binary (self, "multiply", K (0.044715), cube));

  inner = te_binary (self, "multiply", K (sqrt (2 / G_PI)), inner);
  inner = inner != NULL ? STAGE (ls_topi_unary ("tanh", inner, ERROR)) : NULL;
  return te_binary (self, "multiply", te_binary (self, "multiply", K (0.5), x), te_binary (self, "add", K (1), inner));
}

LsNode *
ls_fx_unary (LsFxImport *self,
             const char *op,
             LsNode     *x_node)
{
  const char *name = g_str_has_prefix (op, "nn.") ? op + 3 : op;
  LsTeTensor *x, *y = NULL;

  if (x_node == NULL)
    return NULL;
  if (self->variant == LS_FX_OPS)
    return emit (self, op_call (op, ls_array_of (ls_node_ref (x_node), NULL), 0, NULL, NULL));
  x = input (self, x_node);
  if (x != NULL)
    y = strcmp (name, "relu") == 0 ? STAGE (ls_topi_nn_relu (x, ERROR)) : strcmp (name, "gelu") == 0 ? te_gelu (self, x)
        : strcmp (name, "gelu_tanh") == 0 ? te_gelu_tanh (self, x) : STAGE (ls_topi_unary (name, x, ERROR));
  return finish (self, y, name);
}

LsNode *
ls_fx_binary (LsFxImport *self,
              const char *op,
              LsNode     *a,
              LsNode     *b)
{
  LsTeTensor *x, *y;

  if (a == NULL || b == NULL)
    return NULL;
  if (self->variant == LS_FX_OPS)
    return emit (self, op_call (op, ls_array_of (ls_node_ref (a), ls_node_ref (b), NULL), 0, NULL, NULL));
  x = input (self, a);
  y = input (self, b);
  return finish (self, te_binary (self, op, x, y), op);
}

/* ---- products ------------------------------------------------------------------------------------- */

/* topi's matmul is that of two matrices; with more dimensions it is called on batches. */
LsNode *
ls_fx_matmul (LsFxImport *self,
              LsNode     *a,
              LsNode     *b)
{
  LsTensorStructInfo *left = ls_fx_info (self, a), *right = ls_fx_info (self, b);
  LsTeTensor *x, *y;

  if (left == NULL || right == NULL)
    return NULL;
  if (self->variant == LS_FX_OPS || left->ndim != right->ndim || left->ndim < 2 || left->ndim > 3)
    return emit (self, op_call ("matmul", ls_array_of (ls_node_ref (a), ls_node_ref (b), NULL), 0, NULL, NULL));
  x = input (self, a);
  y = input (self, b);
  if (x == NULL || y == NULL)
    return finish (self, NULL, NULL);
  return finish (self, left->ndim == 2 ? STAGE (ls_topi_matmul (x, y, FALSE, FALSE, ERROR))
                       : STAGE (ls_topi_nn_batch_matmul (x, y, NULL, FALSE, FALSE, ERROR)), "matmul");
}

LsNode *
ls_fx_linear (LsFxImport *self,
              LsNode     *x_node,
              LsNode     *weight,
              LsNode     *bias)
{
  LsTensorStructInfo *info = ls_fx_info (self, x_node);
  LsNode *y;

  if (info == NULL || weight == NULL)
    return NULL;
  if (self->variant == LS_FX_TE && info->ndim == 2)
    {
      LsTeTensor *x = input (self, x_node), *w = input (self, weight);

      y = finish (self, x != NULL && w != NULL ? STAGE (ls_topi_nn_dense (x, w, NULL, NULL, ERROR)) : NULL, "dense");
    }
  else
    {
      const gint64 axes[] = { 1, 0 };

      y = ls_fx_matmul (self, x_node, ls_fx_permute (self, weight, axes, 2));
    }
  return y != NULL && bias != NULL ? ls_fx_binary (self, "add", y, bias) : y;
}

/* ---- shapes ------------------------------------------------------------------------------------------ */

LsNode *
ls_fx_reshape (LsFxImport   *self,
               LsNode       *x_node,
               const gint64 *extents,
               guint         n)
{
  LsTeTensor *x;

  if (x_node == NULL)
    return NULL;
  if (self->variant == LS_FX_OPS)
    return emit (self, op_call ("reshape", ls_array_of (ls_node_ref (x_node), ls_shape_expr_new (numbers (extents, n)), NULL), 0, NULL, NULL));
  x = input (self, x_node);
  return finish (self, x != NULL ? STAGE (ls_topi_reshape (x, (LsArray *) ls_fx_keep (self, numbers (extents, n)), ERROR)) : NULL, "reshape");
}

LsNode *
ls_fx_permute (LsFxImport   *self,
               LsNode       *x_node,
               const gint64 *axes,
               guint         n)
{
  const char *names[] = { "axes" };
  LsTeTensor *x;

  if (x_node == NULL)
    return NULL;
  if (self->variant == LS_FX_OPS)
    {
      LsNode *values[] = { LS_NODE (numbers (axes, n)) };

      return emit (self, op_call ("permute_dims", ls_array_of (ls_node_ref (x_node), NULL), 1, names, values));
    }
  x = input (self, x_node);
  return finish (self, x != NULL ? STAGE (ls_topi_transpose (x, (LsArray *) ls_fx_keep (self, numbers (axes, n)), ERROR)) : NULL, "transpose");
}

/* ---- reductions ---------------------------------------------------------------------------------------- */

LsNode *
ls_fx_reduce (LsFxImport *self,
              const char *op,
              LsNode     *x_node,
              LsArray    *axes,
              gboolean    keepdims)
{
  const char *names[] = { "axis", "keepdims" };
  g_autoptr (GArray) extents = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean mean = strcmp (op, "mean") == 0;
  double count = 1;
  LsTeTensor *x, *y;

  if (!ls_fx_extents (self, x_node, extents))
    return NULL;
  if (self->variant == LS_FX_OPS)
    {
      LsNode *values[] = { ls_node_ref ((LsNode *) axes), LS_NODE (ls_bool (keepdims)) };

      return emit (self, op_call (op, ls_array_of (ls_node_ref (x_node), NULL), 2, names, values));
    }
  for (guint i = 0; i < (axes != NULL ? axes->n : extents->len); i++)
    {
      gint64 axis = i;

      if (axes != NULL)
        ls_as_int (axes->items[i], &axis);
      axis += axis < 0 ? extents->len : 0;
      if (axis < 0 || axis >= extents->len)
        return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "dimension %" G_GINT64_FORMAT " is none of a tensor of %u", axis, extents->len);
      count *= (double) g_array_index (extents, gint64, axis);
    }
  x = input (self, x_node);
  y = x != NULL ? STAGE (ls_topi_reduce (mean ? "sum" : op, x, axes, keepdims, ERROR)) : NULL;
  return finish (self, mean && y != NULL ? te_binary (self, "divide", y, K (count)) : y, op);
}

LsNode *
ls_fx_softmax (LsFxImport *self,
               LsNode     *x_node,
               const char *op,
               gint64      axis)
{
  const char *names[] = { "axis" };
  LsTeTensor *x;

  if (x_node == NULL)
    return NULL;
  if (self->variant == LS_FX_OPS)
    {
      LsNode *values[] = { LS_NODE (ls_int_imm_new (LS_INT64, axis)) };

      return emit (self, op_call (op, ls_array_of (ls_node_ref (x_node), NULL), 1, names, values));
    }
  x = input (self, x_node);
  return finish (self, x == NULL ? NULL : strcmp (op, "nn.softmax") == 0 ? STAGE (ls_topi_nn_softmax (x, axis, ERROR))
                       : STAGE (ls_topi_nn_log_softmax (x, axis, ERROR)), op + 3);
}

/* ---- windows --------------------------------------------------------------------------------------------- */

LsNode *
ls_fx_conv2d (LsFxImport   *self,
              LsNode       *x_node,
              LsNode       *weight,
              const gint64 *stride,
              const gint64 *padding,
              const gint64 *dilation,
              gint64        groups)
{
  const char *names[] = { "strides", "padding", "dilation", "groups" };
  const gint64 pads[] = { padding[0], padding[1], padding[0], padding[1] };
  LsArray *strides = numbers (stride, 2), *around = numbers (pads, 4), *apart = numbers (dilation, 2);
  LsNode *values[] = { LS_NODE (strides), LS_NODE (around), LS_NODE (apart), LS_NODE (ls_int_imm_new (LS_INT64, groups)) };
  LsTeTensor *x, *w, *y = NULL;

  if (self->variant == LS_FX_OPS)
    return emit (self, op_call ("nn.conv2d", ls_array_of (ls_node_ref (x_node), ls_node_ref (weight), NULL), 4, names, values));
  for (guint i = 0; i < 4; i++)
    ls_fx_keep (self, values[i]);
  x = input (self, x_node);
  w = input (self, weight);
  if (x != NULL && w != NULL)
    y = groups == 1 ? STAGE (ls_topi_nn_conv2d_nchw (x, w, strides, around, apart, NULL, ERROR))
        : STAGE (ls_topi_nn_group_conv2d_nchw (x, w, strides, around, apart, groups, NULL, ERROR));
  return finish (self, y, "conv2d");
}

LsNode *
ls_fx_pool2d (LsFxImport   *self,
              const char   *op,
              LsNode       *x_node,
              const gint64 *kernel,
              const gint64 *stride,
              const gint64 *padding,
              const gint64 *dilation,
              gboolean      ceil_mode,
              gboolean      count_include_pad)
{
  const char *names[] = { "pool_size", "strides", "dilation", "padding", "ceil_mode", "count_include_pad" };
  const gint64 pads[] = { padding[0], padding[1], padding[0], padding[1] };
  LsArray *sizes = numbers (kernel, 2), *strides = numbers (stride, 2), *around = numbers (pads, 4), *apart = numbers (dilation, 2);
  LsNode *values[] = { LS_NODE (sizes), LS_NODE (strides), LS_NODE (apart), LS_NODE (around), LS_NODE (ls_bool (ceil_mode)),
                       LS_NODE (ls_bool (count_include_pad)) };
  LsTeTensor *x;

  if (self->variant == LS_FX_OPS)
    return emit (self, op_call (op, ls_array_of (ls_node_ref (x_node), NULL), 6, names, values));
  for (guint i = 0; i < 6; i++)
    ls_fx_keep (self, values[i]);
  x = input (self, x_node);
  return finish (self, x != NULL ? STAGE (ls_topi_nn_pool (x, sizes, strides, apart, around, strcmp (op, "nn.max_pool2d") == 0 ? "max" : "avg",
                                                           ceil_mode, "NCHW", count_include_pad, ERROR)) : NULL, op + 3);
}

/* ---- normalisation --------------------------------------------------------------------------------------- */

/* (x - mean) / sqrt (variance + epsilon) * gamma + beta.  Spelled out, since TVM's nn.batch_norm takes the mean and variance of
 * the batch itself whatever `training` says, unless a pass has decomposed it before. */
LsNode *
ls_fx_batch_norm (LsFxImport *self,
                  LsNode     *x,
                  LsNode    **params,
                  double      epsilon)
{
  LsTensorStructInfo *info = ls_fx_info (self, params[2]);
  gint64 shape[] = { 1, 1, 1, 1 };
  LsNode *y, *p[4], *little;

  if (info == NULL || !ls_as_int (((LsShapeExpr *) info->shape)->values->items[0], &shape[1]))
    return NULL;
  for (guint i = 0; i < 4; i++)
    if ((p[i] = ls_fx_reshape (self, params[i], shape, 4)) == NULL)
      return NULL;
  little = ls_fx_scalar (self, epsilon, info->dtype);
  y = ls_fx_binary (self, "subtract", x, p[2]);
  y = ls_fx_binary (self, "divide", y, ls_fx_unary (self, "sqrt", ls_fx_binary (self, "add", p[3], little)));
  return ls_fx_binary (self, "add", ls_fx_binary (self, "multiply", y, p[0]), p[1]);
}

LsNode *
ls_fx_layer_norm (LsFxImport *self,
                  LsNode     *x_node,
                  LsNode     *gamma,
                  LsNode     *beta,
                  guint       n_axes,
                  double      epsilon)
{
  const char *names[] = { "axes", "epsilon" };
  gint64 axes[8];
  LsTeTensor *x, *g, *b;

  for (guint i = 0; i < n_axes; i++)
    axes[i] = (gint64) i - n_axes;
  if (self->variant == LS_FX_OPS)
    {
      LsNode *values[] = { LS_NODE (numbers (axes, n_axes)), LS_NODE (ls_float_imm_new (LS_FLOAT64, epsilon)) };

      return emit (self, op_call ("nn.layer_norm", ls_array_of (ls_node_ref (x_node), ls_node_ref (gamma), ls_node_ref (beta), NULL), 2, names, values));
    }
  x = input (self, x_node);
  g = input (self, gamma);
  b = input (self, beta);
  return finish (self, x != NULL && g != NULL && b != NULL
                       ? STAGE (ls_topi_nn_layer_norm (x, g, b, (LsArray *) ls_fx_keep (self, numbers (axes, n_axes)), epsilon, ERROR)) : NULL, "layer_norm");
}
