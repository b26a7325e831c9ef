/* elemwise: functions of one tensor, element by element (topi.math). */
#include "engine/topi/topi-private.h"

#include <string.h>

/* Functions of Python's topi.math: a stage "compute" over i0, i1, ... */
static const char *const INTRINSICS[] = {
  "exp", "erf", "tanh", "tan", "cos", "cosh", "sin", "sinh", "acos", "acosh", "asin", "asinh", "atan", "atanh", "floor", "ceil",
  "trunc", "abs", "isnan", "isfinite", "isinf", "round", "log", "log2", "log10", "log1p", "exp2", "exp10", "sqrt", "rsqrt", "sigmoid",
  "nearbyint", "popcount", NULL
};
static const char *const OWN[] = { "identity", "negative", "sign", "logical_not", "bitwise_not", NULL };

gboolean
ls_topi_is_unary (const char *name)
{
  return g_strv_contains (INTRINSICS, name) || g_strv_contains (OWN, name);
}

static LsExpr *
sign_of (LsExpr *x)
{
  LsDType dtype = ls_dtype (x);
  LsExpr *negative = ls_select_new (ls_lt (REF (x), ls_te_const (dtype, 0)), ls_te_const (dtype, -1), ls_te_const (dtype, 0));
  LsExpr *result = ls_select_new (ls_gt (REF (x), ls_te_const (dtype, 0)), ls_te_const (dtype, 1), negative);

  ls_unref (x);
  return result;
}

LsTeTensor *
ls_topi_unary (const char *name,
               LsTeTensor *x,
               GError    **error)
{
  gboolean cpp = g_str_equal (name, "sign") || g_str_equal (name, "logical_not") || g_str_equal (name, "bitwise_not");
  g_autofree char *stage = cpp ? g_strconcat ("T_", name, NULL) : g_strdup ("compute");
  LsArray *axes;
  LsExpr *value;

  if (x == NULL)
    return NULL;
  if (!ls_topi_is_unary (name))
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.%s is no function of one tensor", name);
      return NULL;
    }
  if (g_str_equal (name, "bitwise_not") && ls_dtype_is_float (x->dtype))
    {
      ls_topi_fail (error, LS_TE_ERROR_DTYPE, "topi.bitwise_not needs integers, but the tensor is %s", ls_dtype_name (x->dtype));
      return NULL;
    }
  axes = ls_te_axes (x->shape, cpp ? "ax*" : "i*");
  value = ls_te_load (x, ls_te_axis_vars (axes));
  if (g_str_equal (name, "negative"))
    value = ls_mul (value, ls_te_const (x->dtype, -1));
  else if (g_str_equal (name, "sign"))
    value = sign_of (value);
  else if (g_str_equal (name, "logical_not"))
    value = ls_not (ls_dtype_is_bool (x->dtype) ? value : ls_cast (LS_BOOL, value));
  else if (g_str_equal (name, "bitwise_not"))
    value = ls_call_op ("tir.bitwise_not", x->dtype, ls_array_of (value, NULL));
  else if (!g_str_equal (name, "identity"))
    value = ls_te_unary (name, value);
  return ls_te_compute (stage, LS_TAG_ELEMWISE, NULL, axes, value, error);
}

static LsTeTensor *
cast_stage (const char *stage,
            const char *names,
            LsTeTensor *x,
            LsDType     dtype,
            GError    **error)
{
  LsArray *axes = ls_te_axes (x->shape, names);

  return ls_te_compute (stage, LS_TAG_ELEMWISE, NULL, axes, ls_cast (dtype, ls_te_load (x, ls_te_axis_vars (axes))), error);
}

LsTeTensor *
ls_topi_cast (LsTeTensor *x,
              LsDType     dtype,
              GError    **error)
{
  return x != NULL ? cast_stage ("compute", "i*", x, dtype, error) : NULL;
}

LsTeTensor *
ls_topi_cast_cpp (LsTeTensor *x,
                  LsDType     dtype,
                  GError    **error)
{
  if (x == NULL || ls_dtype_equal (x->dtype, dtype))
    return ls_ref (x);
  return cast_stage ("T_cast", "ax*", x, dtype, error);
}

LsTeTensor *
ls_topi_reinterpret (LsTeTensor *x,
                     LsDType     dtype,
                     GError    **error)
{
  LsArray *axes;

  if (x == NULL)
    return NULL;
  axes = ls_te_axes (x->shape, "ax*");
  return ls_te_compute ("tensor", LS_TAG_ELEMWISE, NULL, axes,
                        ls_call_op ("tir.reinterpret", dtype, ls_array_of (ls_te_load (x, ls_te_axis_vars (axes)), NULL)), error);
}

LsTeTensor *
ls_topi_clip (LsTeTensor *x,
              LsExpr     *a_min,
              LsExpr     *a_max,
              GError    **error)
{
  LsArray *axes;
  LsExpr *low, *high;

  if (x == NULL)
    return NULL;
  axes = ls_te_axes (x->shape, "i*");
  low = ls_cast (x->dtype, REF (a_min));
  high = ls_cast (x->dtype, REF (a_max));
  return ls_te_compute ("compute", LS_TAG_ELEMWISE, NULL, axes, ls_max (ls_min (ls_te_load (x, ls_te_axis_vars (axes)), high), low), error);
}

LsTeTensor *
ls_topi_elemwise_sum (LsArray *xs,
                      GError **error)
{
  LsExpr *sum = NULL;
  LsArray *axes;

  if (xs == NULL || xs->n == 0)
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.elemwise_sum needs at least one tensor");
      return NULL;
    }
  for (guint i = 1; i < xs->n; i++)
    if (ls_te_ndim (ls_array_at (xs, i, LsTeTensor)) != ls_te_ndim (ls_array_at (xs, 0, LsTeTensor)))
      {
        ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.elemwise_sum: tensor %u has %u dimensions, the first %u", i,
                      ls_te_ndim (ls_array_at (xs, i, LsTeTensor)), ls_te_ndim (ls_array_at (xs, 0, LsTeTensor)));
        return NULL;
      }
  axes = ls_te_axes (ls_array_at (xs, 0, LsTeTensor)->shape, "ax*");
  for (guint i = 0; i < xs->n; i++)
    {
      LsExpr *value = ls_te_load (ls_array_at (xs, i, LsTeTensor), ls_te_axis_vars (axes));

      sum = sum == NULL ? value : ls_add (sum, value);
    }
  return ls_te_compute ("T_elemwise_sum", LS_TAG_ELEMWISE, NULL, axes, sum, error);
}
