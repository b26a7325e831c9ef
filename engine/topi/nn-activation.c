/* nn-activation: rectifiers, softplus, flatten, scale and shift by channel (topi.nn). */
#include "engine/topi/topi-private.h"

LsTeTensor *
ls_topi_nn_relu (LsTeTensor *x,
                 GError    **error)
{
  LsArray *axes;

  if (x == NULL)
    return NULL;
  axes = ls_te_axes (x->shape, "i*");
  return ls_te_compute (NULL, LS_TAG_ELEMWISE, NULL, axes, ls_max (ls_te_load (x, ls_te_axis_vars (axes)), ls_te_const (x->dtype, 0)), error);
}

static LsExpr *
leak (LsExpr *x,
      LsExpr *slope)
{
  LsExpr *positive = ls_gt (REF (x), ls_te_const (ls_dtype (x), 0));
  LsExpr *value = REF (x);

  return ls_te_select (positive, value, ls_mul (x, slope));
}

LsTeTensor *
ls_topi_nn_leaky_relu (LsTeTensor *x,
                       double      alpha,
                       GError    **error)
{
  LsArray *axes;

  if (x == NULL)
    return NULL;
  axes = ls_te_axes (x->shape, "i*");
  return ls_te_compute (NULL, LS_TAG_ELEMWISE, NULL, axes, leak (ls_te_load (x, ls_te_axis_vars (axes)), ls_te_const (x->dtype, alpha)), error);
}

LsTeTensor *
ls_topi_nn_prelu (LsTeTensor *x,
                  LsTeTensor *slope,
                  gint64      axis,
                  GError    **error)
{
  LsArray *axes;
  guint at;

  if (x == NULL || slope == NULL || !ls_topi_axis ("topi.nn.prelu", axis, x->shape->n, &at, error))
    return NULL;
  if (slope->shape->n != 1 || (ls_is (DIM (slope, 0), INT_IMM) && ls_is (DIM (x, at), INT_IMM) && !ls_topi_same (DIM (slope, 0), DIM (x, at))))
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.prelu: the slope must be a list of one number for each place on axis %u", at);
      return NULL;
    }
  axes = ls_te_axes (x->shape, "i*");
  return ls_te_compute (NULL, NULL, NULL, axes, leak (ls_te_load (x, ls_te_axis_vars (axes)), AT (slope, AX (at))), error);
}

LsTeTensor *
ls_topi_nn_softplus (LsTeTensor *x,
                     double      beta,
                     double      threshold,
                     GError    **error)
{
  LsArray *axes;
  LsExpr *value, *scaled, *soft;
  g_autoptr (LsExpr) b = NULL;

  if (x == NULL)
    return NULL;
  axes = ls_te_axes (x->shape, "i*");
  value = ls_te_load (x, ls_te_axis_vars (axes));
  b = ls_te_const (x->dtype, beta);
  scaled = ls_mul (ls_ref (b), REF (value));
  soft = ls_te_unary ("log", ls_add (ls_te_const (x->dtype, 1), ls_te_unary ("exp", REF (scaled))));
  soft = ls_mul (ls_te_div (ls_te_const (x->dtype, 1), ls_ref (b)), soft);
  return ls_te_compute (NULL, LS_TAG_ELEMWISE, NULL, axes, ls_te_select (ls_gt (scaled, ls_te_const (x->dtype, threshold)), value, soft), error);
}

LsTeTensor *
ls_topi_nn_flatten (LsTeTensor *x,
                    GError    **error)
{
  g_autoptr (LsArray) rest = NULL;
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsArray) inner = NULL;
  GPtrArray *indices;
  LsArray *axes;

  if (x == NULL)
    return NULL;
  if (x->shape->n == 0)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.flatten: a tensor without dimensions has no batch");
      return NULL;
    }
  rest = ls_array_remove (x->shape, 0);
  shape = ls_array_of (ls_ref (DIM (x, 0)), ls_topi_simplify (ls_topi_size (rest)), NULL);
  axes = ls_te_axes (shape, "i j");
  inner = ls_topi_unravel (AX (1), rest);
  indices = g_ptr_array_new ();
  g_ptr_array_add (indices, AX (0));
  for (guint i = 0; i < inner->n; i++)
    g_ptr_array_add (indices, ls_node_ref (inner->items[i]));
  return ls_te_compute (NULL, LS_TAG_INJECTIVE, NULL, axes, ls_te_load (x, ls_array_take_ptr_array (indices)), error);
}

LsTeTensor *
ls_topi_nn_scale_shift (LsTeTensor *x,
                        LsTeTensor *scale,
                        LsTeTensor *shift,
                        gint64      axis,
                        GError    **error)
{
  LsArray *axes;
  guint at;

  if (x == NULL || scale == NULL || shift == NULL || !ls_topi_axis ("topi.nn.scale_shift", axis, x->shape->n, &at, error))
    return NULL;
  if (x->shape->n != 4 || scale->shape->n != 1 || shift->shape->n != 1)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.scale_shift needs a tensor of 4 dimensions, and scale and shift of one");
      return NULL;
    }
  axes = ls_te_axes (x->shape, at == 1 ? "b c i j" : "b i j c");
  return ls_te_compute ("ScaleShift", LS_TAG_BROADCAST, NULL, axes,
                        ls_add (ls_mul (ls_te_load (x, ls_te_axis_vars (axes)), AT (scale, AX (at))), AT (shift, AX (at))), error);
}

LsTeTensor *
ls_topi_nn_bias_add (LsTeTensor *x,
                     LsTeTensor *bias,
                     gint64      axis,
                     GError    **error)
{
  g_autoptr (LsTeTensor) wide = NULL;
  guint at;

  if (x == NULL || bias == NULL || !ls_topi_axis ("topi.nn.bias_add", axis, x->shape->n, &at, error))
    return NULL;
  wide = at + 1 < x->shape->n ? ls_topi_expand_dims (bias, 1, x->shape->n - at - 1, error) : ls_ref (bias);
  return wide != NULL ? ls_topi_binary ("add", x, wide, error) : NULL;
}
