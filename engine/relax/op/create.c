/* op/create: tensors from shapes and scalars, triangles of matrices, windows of signals. */
#include "engine/relax/op/op.h"

#include <inttypes.h>

static LsStructInfo *
shaped_by (LsInfer *self,
           LsDType  dtype,
           LsNode  *vdevice)
{
  LsShapeStructInfo *shape = ls_infer_shape (self, 0);

  return shape != NULL ? ls_tensor_struct_info_new (ls_node_ref (self->call->args->items[0]), shape->ndim, dtype, ls_node_ref (vdevice)) : NULL;
}

static gboolean
is_scalar (LsInfer            *self,
           LsTensorStructInfo *fill)
{
  if (fill->ndim == 0)
    return TRUE;
  if (fill->ndim < 0)
    ls_infer_fail (self, "fills with one number; its value has an unknown number of dimensions.");
  else
    ls_infer_fail (self, "fills with one number; its value has %" PRId64 " dimensions.", fill->ndim);
  return FALSE;
}

static LsStructInfo *
infer_full (LsInfer *self)
{
  LsTensorStructInfo *fill = ls_infer_shape (self, 0) != NULL ? ls_infer_tensor (self, 1) : NULL;

  return fill != NULL && is_scalar (self, fill) ? shaped_by (self, ls_infer_dtype (self, "dtype", fill->dtype), fill->vdevice) : NULL;
}

static LsStructInfo *
infer_full_like (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *fill = x != NULL ? ls_infer_tensor (self, 1) : NULL;

  return fill != NULL && is_scalar (self, fill) ? ls_infer_like (x, ls_infer_dtype (self, "dtype", x->dtype)) : NULL;
}

static LsStructInfo *
infer_constant (LsInfer *self)
{
  LsDType dtype = ls_infer_dtype (self, "dtype", LS_VOID);

  return ls_dtype_is_void (dtype) ? ls_infer_fail (self, "needs a type.") : shaped_by (self, dtype, NULL);
}

static LsStructInfo *
infer_constant_like (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  return x != NULL ? ls_infer_like (x, ls_infer_dtype (self, "dtype", x->dtype)) : NULL;
}

static LsStructInfo *
infer_eye (LsInfer *self)
{
  LsExpr *n = ls_infer_prim (self, 0), *m = n != NULL ? ls_infer_prim (self, 1) : NULL;
  GPtrArray *out;

  if (m == NULL)
    return NULL;
  out = ls_extents_new ();
  g_ptr_array_add (out, ls_cast (LS_INT64, ls_ref (n)));
  g_ptr_array_add (out, ls_cast (LS_INT64, ls_ref (m)));
  return ls_infer_shaped_take (out, ls_infer_dtype (self, "dtype", LS_FLOAT32), NULL);
}

static LsStructInfo *
infer_eye_like (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  if (x == NULL)
    return NULL;
  if (x->ndim >= 0 && x->ndim != 2)
    return ls_infer_fail (self, "takes a matrix; the tensor has %" PRId64 " dimensions.", x->ndim);
  return ls_infer_like (x, ls_infer_dtype (self, "dtype", x->dtype));
}

/* ---- arange --------------------------------------------------------------------- */

static gboolean
as_number (LsExpr *expr,
           double *value)
{
  gint64 i;

  if (ls_as_int (expr, &i))
    *value = (double) i;
  else if (ls_is (expr, FLOAT_IMM))
    *value = ((LsFloatImm *) expr)->value;
  else
    return FALSE;
  return TRUE;
}

static LsExpr *
arange_length (LsInfer *self,
               LsExpr  *start,
               LsExpr  *end,
               LsExpr  *step)
{
  double a, b, c;
  LsExpr *count;

  if (as_number (start, &a) && as_number (end, &b) && as_number (step, &c))
    {
      double n = c != 0 ? (b - a) / c : 0;
      gint64 whole = n >= 9e18 ? G_MAXINT64 : n <= 0 ? 0 : (gint64) n;

      return ls_infer_keep (self, ls_extent (whole + ((double) whole < n && n < 9e18)));
    }
  if (!ls_dtype_is_index (ls_dtype (start)) || !ls_dtype_is_index (ls_dtype (end)) || !ls_dtype_is_index (ls_dtype (step)))
    {
      count = ls_call_op ("tir.ceil", LS_FLOAT32, ls_array_of (ls_truncdiv (ls_cast (LS_FLOAT32, ls_sub (ls_ref (end), ls_ref (start))),
                                                                            ls_cast (LS_FLOAT32, ls_ref (step))), NULL));
      return ls_infer_simplify (self, ls_cast (LS_INT64, count));
    }
  count = ls_add (ls_sub (ls_ref (end), ls_ref (start)), ls_sub (ls_ref (step), ls_const_int (ls_dtype (step), 1)));
  return ls_infer_simplify (self, ls_cast (LS_INT64, ls_floordiv (count, ls_ref (step))));
}

static LsStructInfo *
infer_arange (LsInfer *self)
{
  LsExpr *start = ls_infer_prim (self, 0), *end = start != NULL ? ls_infer_prim (self, 1) : NULL, *step = end != NULL ? ls_infer_prim (self, 2) : NULL;
  LsDType dtype = ls_infer_dtype (self, "dtype", LS_VOID);
  GPtrArray *out;

  if (step == NULL)
    return NULL;
  if (ls_is_zero (step))
    return ls_infer_fail (self, "takes a step that is not 0.");
  if (ls_dtype_is_void (dtype))
    dtype = ls_dtype_is_float (ls_dtype (start)) || ls_dtype_is_float (ls_dtype (end)) || ls_dtype_is_float (ls_dtype (step)) ? LS_FLOAT32 : LS_INT64;
  out = ls_extents_new ();
  ls_extents_add (out, arange_length (self, start, end, step));
  return ls_infer_shaped_take (out, dtype, NULL);
}

static LsStructInfo *
infer_hamming_window (LsInfer *self)
{
  LsExpr *size = ls_infer_prim (self, 0);
  LsDType dtype = ls_infer_dtype (self, "dtype", LS_FLOAT32);
  gint64 n;
  GPtrArray *out;

  if (size == NULL || ls_infer_prim (self, 1) == NULL || ls_infer_prim (self, 2) == NULL || ls_infer_prim (self, 3) == NULL)
    return NULL;
  if (!ls_dtype_is_float (dtype))
    return ls_infer_fail (self, "gives floats; %s is not a type of such.", ls_dtype_name (dtype));
  if (!ls_dtype_is_index (ls_dtype (size)) || (ls_as_int (size, &n) && n < 1))
    return ls_infer_fail (self, "takes a size that is a whole number above 0; it is %s.", ls_infer_text (self, size));
  out = ls_extents_new ();
  ls_extents_add (out, ls_infer_simplify (self, ls_cast (LS_INT64, ls_ref (size))));
  return ls_infer_shaped_take (out, dtype, NULL);
}

static LsStructInfo *
infer_triangle (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  if (x != NULL && x->ndim >= 0 && x->ndim < 2)
    return ls_infer_fail (self, "takes a tensor of two dimensions at least; it has %" PRId64 ".", x->ndim);
  return x != NULL ? LS_NODE (ls_ref (x)) : NULL;
}

const LsRelaxOpRow ls_relax_ops_create[] = {
  { "arange", "start:prim end:prim step:prim=1 | dtype:dtype=void", infer_arange },
  { "eye", "n:prim m:prim=@n k:prim=0 | dtype:dtype=float32", infer_eye },
  { "eye_like", "x k:prim=0 | dtype:dtype=void", infer_eye_like },
  { "full", "shape:shape fill_value | dtype:dtype=void", infer_full },
  { "full_like", "x fill_value | dtype:dtype=void", infer_full_like },
  { "hamming_window", "window_size:prim periodic:prim alpha:prim beta:prim | dtype:dtype=float32", infer_hamming_window },
  { "ones", "shape:shape | dtype:dtype", infer_constant },
  { "ones_like", "x | dtype:dtype=void", infer_constant_like },
  { "tril", "x k:prim=0", infer_triangle },
  { "triu", "x k:prim=0", infer_triangle },
  { "zeros", "shape:shape | dtype:dtype", infer_constant },
  { "zeros_like", "x | dtype:dtype=void", infer_constant_like },
  { NULL }
};
