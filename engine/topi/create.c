/* create: tensors from nothing, and triangles of one. */
#include "engine/topi/topi-private.h"

#include <math.h>

LsTeTensor *
ls_topi_full (LsArray *shape,
              LsDType  dtype,
              LsExpr  *value,
              GError **error)
{
  return ls_te_compute ("T_full", LS_TAG_ELEMWISE, NULL, ls_te_axes (shape, "ax*"), ls_cast (dtype, REF (value)), error);
}

LsTeTensor *
ls_topi_full_like (LsTeTensor *x,
                   LsExpr     *value,
                   GError    **error)
{
  if (x == NULL)
    return NULL;
  return ls_te_compute ("T_full_like", LS_TAG_ELEMWISE, NULL, ls_te_axes (x->shape, "ax*"), ls_cast (x->dtype, REF (value)), error);
}

static LsExpr *
arange_extent (LsExpr *start,
               LsExpr *stop,
               LsExpr *step)
{
  LsExpr *span = ls_sub (REF (stop), REF (start));

  if (ls_is (span, INT_IMM) && ls_is (step, INT_IMM) && ((LsIntImm *) step)->value != 0)
    {
      gint64 n = ((LsIntImm *) span)->value, s = ((LsIntImm *) step)->value;
      LsDType dtype = ls_dtype (span);

      ls_unref (span);
      return ls_const_int (ls_dtype_is_float (dtype) ? LS_INT32 : dtype, -ls_floordiv_i64 (-n, s));
    }
  if (!ls_dtype_is_float (ls_dtype (span)) && !ls_dtype_is_float (ls_dtype (step)))
    return ls_topi_simplify (ls_floordiv (ls_sub (ls_add (span, REF (step)), ls_int (1)), REF (step)));
  return ls_topi_simplify (ls_cast (LS_INT32, ls_te_unary ("ceil", ls_truncdiv (ls_cast (LS_FLOAT32, span), ls_cast (LS_FLOAT32, REF (step))))));
}

LsTeTensor *
ls_topi_arange (LsExpr  *start,
                LsExpr  *stop,
                LsExpr  *step,
                LsDType  dtype,
                GError **error)
{
  g_autoptr (LsArray) shape = NULL;
  LsArray *axes;
  gint64 zero;

  if (ls_as_int (step, &zero) && zero == 0)
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.arange: the step must not be 0");
      return NULL;
    }
  shape = ls_array_of (arange_extent (start, stop, step), NULL);
  axes = ls_te_axes (shape, "ax*");
  return ls_te_compute ("T_arange", LS_TAG_INJECTIVE, NULL, axes, ls_cast (dtype, ls_add (REF (start), ls_mul (REF (step), AX (0)))), error);
}

LsTeTensor *
ls_topi_eye (LsExpr  *n,
             LsExpr  *m,
             gint64   k,
             LsDType  dtype,
             GError **error)
{
  g_autoptr (LsArray) shape = ls_array_of (REF (n), REF (m != NULL ? m : n), NULL);
  LsArray *axes = ls_te_axes (shape, "i j");
  LsExpr *hit = ls_eq (AX (0), ls_sub (AX (1), ls_int (k)));

  return ls_te_compute ("eye", NULL, NULL, axes, ls_if_then_else (hit, ls_te_const (dtype, 1), ls_te_const (dtype, 0)), error);
}

LsTeTensor *
ls_topi_trilu (LsTeTensor *x,
               LsExpr     *k,
               gboolean    upper,
               GError    **error)
{
  LsArray *axes;
  LsExpr *row, *column, *keep;

  if (x == NULL)
    return NULL;
  if (x->shape->n < 2)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.trilu needs a tensor of at least two dimensions");
      return NULL;
    }
  axes = ls_te_axes (x->shape, "i*");
  row = AX (x->shape->n - 2);
  column = AX (x->shape->n - 1);
  keep = upper ? ls_le (row, ls_sub (column, REF (k))) : ls_ge (row, ls_sub (column, REF (k)));
  return ls_te_compute ("trilu", NULL, NULL, axes, ls_te_select (keep, ls_te_load (x, ls_te_axis_vars (axes)), ls_te_const (x->dtype, 0)), error);
}
