/* index: elements chosen by numbers or by other tensors: slices, take, gather (topi.transform). */
#include "engine/topi/topi-private.h"

#include <inttypes.h>
#include <string.h>

/* ---- strided slices --------------------------------------------------------- */

typedef struct {
  LsExpr *begin;                /* owned */
  LsExpr *extent;               /* owned */
  gint64  stride;
} Slice;

static void
slices_clear (Slice *slices,
              guint  n)
{
  for (guint i = 0; i < n; i++)
    {
      ls_unref (slices[i].begin);
      ls_unref (slices[i].extent);
    }
  g_free (slices);
}

/* numpy's meaning of an end of a slice on an axis of `dim` elements. */
static gint64
clamp_end (gint64 value,
           gint64 dim,
           gint64 stride)
{
  value = value < 0 ? value + dim : value;
  return stride < 0 ? CLAMP (value, -1, dim - 1) : CLAMP (value, 0, dim);
}

static LsExpr *
slice_extent (LsExpr *begin,
              LsExpr *end,
              gint64  stride)
{
  if (stride < 0)
    return ls_topi_simplify (ls_floordiv (ls_sub (ls_add (REF (begin), ls_int (-stride - 1)), REF (end)), ls_int (-stride)));
  return ls_topi_simplify (ls_floordiv (ls_sub (ls_add (REF (end), ls_int (stride - 1)), REF (begin)), ls_int (stride)));
}

static gboolean
make_slice (LsExpr  *dim,
            LsExpr  *begin,
            LsExpr  *end,
            gint64   stride,
            Slice   *slice,
            GError **error)
{
  gint64 b, e, d;

  if (stride == 0)
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.strided_slice: a stride must not be 0");
  slice->stride = stride;
  if (ls_as_int (begin, &b) && ls_as_int (end, &e) && ls_as_int (dim, &d))
    {
      gint64 from = clamp_end (b, d, stride);
      gint64 to = clamp_end (e, d, stride);
      gint64 n = stride < 0 ? (from - to - stride - 1) / -stride : (to - from + stride - 1) / stride;

      if ((stride < 0 ? from < to : from > to) || n < 0)
        return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.strided_slice: from %" PRId64 " one does not come to %" PRId64 " by steps of %" PRId64, from, to, stride);
      slice->begin = ls_const_int (ls_dtype (dim), from);
      slice->extent = ls_const_int (ls_dtype (dim), n);
      return TRUE;
    }
  slice->begin = ls_as_int (begin, &b) && b < 0 ? ls_add (REF (dim), REF (begin)) : REF (begin);
  if (ls_as_int (end, &e) && e >= G_MAXINT32)
    end = dim;
  end = ls_as_int (end, &e) && e < 0 ? ls_add (REF (dim), REF (end)) : REF (end);
  slice->extent = slice_extent (slice->begin, end, stride);
  ls_unref (end);
  return TRUE;
}

LsTeTensor *
ls_topi_strided_slice (LsTeTensor *x,
                       LsArray    *begin,
                       LsArray    *end,
                       LsArray    *strides,
                       LsArray    *axis_list,
                       const char *slice_mode,
                       GError    **error)
{
  gboolean by_size = slice_mode != NULL && g_str_equal (slice_mode, "size");
  gboolean ok = TRUE;
  g_autoptr (LsArray) shape = NULL;
  Slice *slices;
  GPtrArray *indices;
  LsArray *axes;

  if (x == NULL)
    return NULL;
  if (begin->n != end->n || begin->n > x->shape->n || (axis_list != NULL && axis_list->n != begin->n))
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.strided_slice: begin has %u entries, end %u, the tensor %u dimensions", begin->n, end->n, x->shape->n);
      return NULL;
    }
  slices = g_new0 (Slice, x->shape->n + 1);
  shape = ls_ref (x->shape);
  for (guint k = 0; ok && k < begin->n; k++)
    {
      gint64 axis = k, stride = 1;
      guint at;
      g_autoptr (LsExpr) stop = NULL;

      ok = (axis_list == NULL || ls_topi_int (axis_list->items[k], LS_TEXT ("an axis"), &axis, error)) && ls_topi_axis ("topi.strided_slice", axis, x->shape->n, &at, error)
           && (strides == NULL || k >= strides->n || by_size || ls_topi_int (strides->items[k], LS_TEXT ("a stride"), &stride, error));
      if (!ok)
        break;
      stop = by_size ? (ls_is_int_value (end->items[k], -1) ? ls_ref (DIM (x, at)) : ls_add (REF (begin->items[k]), REF (end->items[k]))) : REF (end->items[k]);
      ok = slices[at].begin == NULL ? make_slice (DIM (x, at), ls_array_at (begin, k, LsExpr), stop, stride, &slices[at], error)
                                    : ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.strided_slice: axis %u occurs twice", at);
      if (ok)
        ls_take (&shape, ls_array_with (shape, at, slices[at].extent));
    }
  if (!ok)
    {
      slices_clear (slices, x->shape->n);
      return NULL;
    }
  axes = ls_te_axes (shape, "ax*");
  indices = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    if (slices[i].begin != NULL)
      g_ptr_array_add (indices, ls_add (ls_mul (AX (i), ls_const_int (ls_dtype (DIM (x, i)), slices[i].stride)), ls_ref (slices[i].begin)));
    else
      g_ptr_array_add (indices, AX (i));
  slices_clear (slices, x->shape->n);
  return ls_te_compute (axis_list != NULL ? "T_strided_slice_with_axes" : "T_strided_slice", LS_TAG_INJECTIVE, NULL, axes,
                        ls_te_load (x, ls_array_take_ptr_array (indices)), error);
}

LsTeTensor *
ls_topi_dynamic_strided_slice (LsTeTensor *x,
                               LsTeTensor *begin,
                               LsTeTensor *end,
                               LsTeTensor *strides,
                               LsArray    *shape,
                               GError    **error)
{
  GPtrArray *indices;
  LsArray *axes;

  if (x == NULL || begin == NULL || end == NULL || strides == NULL)
    return NULL;
  if (begin->shape->n != 1 || strides->shape->n != 1 || shape->n != x->shape->n)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.dynamic_strided_slice: begin, end and strides must be lists, and the result has as many dimensions as the tensor");
      return NULL;
    }
  axes = ls_te_axes (shape, "ax*");
  indices = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    {
      LsExpr *from = ls_min (AT (begin, ls_const_int (LS_INT64, i)), ls_sub (ls_ref (DIM (x, i)), ls_int (1)));

      g_ptr_array_add (indices, ls_add (from, ls_mul (AX (i), AT (strides, ls_const_int (LS_INT64, i)))));
    }
  return ls_te_compute ("T_strided_slice_dynamic", LS_TAG_INJECTIVE, NULL, axes, ls_te_load (x, ls_array_take_ptr_array (indices)), error);
}

/* ---- take and gather ---------------------------------------------------------- */

/* The first `batch` axes, then n from `from` on. */
static LsArray *
batched_axes (LsArray *axes,
              guint    batch,
              guint    from,
              guint    n)
{
  GPtrArray *vars = g_ptr_array_new ();

  for (guint i = 0; i < batch; i++)
    g_ptr_array_add (vars, AX (i));
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (vars, AX (from + i));
  return ls_array_take_ptr_array (vars);
}

/* The index kept inside of [0, extent) as the mode says. Takes index. */
static LsExpr *
bound_index (LsExpr     *index,
             LsExpr     *extent,
             const char *mode)
{
  if (g_str_equal (mode, "clip"))
    return ls_min (ls_max (ls_int (0), index), ls_sub (REF (extent), ls_int (1)));
  if (g_str_equal (mode, "fast"))
    return index;
  return ls_truncmod (ls_add (ls_truncmod (index, REF (extent)), REF (extent)), REF (extent));
}

/* The index at these axes; takes the axes. */
static LsExpr *
index_at (gpointer indices,
          LsArray *axes)
{
  if (ls_is (indices, TE_TENSOR))
    return ls_te_load (indices, axes);
  ls_unref (axes);
  return LS_EXPR (ls_ref (indices));
}

static LsTeTensor *
take_flat (LsTeTensor *x,
           gpointer    indices,
           LsArray    *shape,
           const char *mode,
           GError    **error)
{
  g_autoptr (LsExpr) size = ls_topi_size (x->shape);
  LsArray *axes = ls_te_axes (shape, "ax*");
  LsExpr *index = bound_index (index_at (indices, ls_te_axis_vars (axes)), size, mode);

  return ls_te_compute ("T_take", LS_TAG_INJECTIVE, NULL, axes, ls_te_load (x, ls_topi_unravel (index, x->shape)), error);
}

/* The first `batch` dimensions of both are one and the same: as many as the caller says, counted from the end if negative. */
static gboolean
take_batch (LsTeTensor *x,
            LsTeTensor *indices,
            gint64      batch_dims,
            guint       at,
            guint      *batch,
            GError    **error)
{
  gint64 n = indices->shape->n, count = batch_dims < 0 ? batch_dims + n : batch_dims;

  if (count < 0 || count > n || count > at)
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.take: %" PRId64 " batch dimensions do not fit indices of %u dimensions on axis %u", batch_dims, indices->shape->n, at);
  for (guint i = 0; i < count; i++)
    if (!ls_topi_same (DIM (x, i), DIM (indices, i)))
      return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.take: tensor and indices must have the same extent in batch dimension %u", i);
  *batch = (guint) count;
  return TRUE;
}

LsTeTensor *
ls_topi_take (LsTeTensor   *x,
              gpointer      indices,
              const gint64 *axis,
              gint64        batch_dims,
              const char   *mode,
              GError      **error)
{
  g_autoptr (LsArray) shape = NULL, lengths = NULL;
  GPtrArray *extents, *position;
  LsArray *axes;
  gboolean is_tensor;
  guint at, batch = 0, n;

  if (x == NULL || indices == NULL)
    return NULL;
  is_tensor = ls_is (indices, TE_TENSOR);
  if (ls_dtype_is_float (is_tensor ? LS_TE_TENSOR (indices)->dtype : ls_dtype (indices)))
    {
      ls_topi_fail (error, LS_TE_ERROR_DTYPE, "topi.take: indices must be integers, not %s",
                    ls_dtype_name (is_tensor ? LS_TE_TENSOR (indices)->dtype : ls_dtype (indices)));
      return NULL;
    }
  lengths = is_tensor ? ls_ref (LS_TE_TENSOR (indices)->shape) : ls_array_empty ();
  if (axis == NULL)
    return take_flat (x, indices, lengths, mode, error);
  if (!ls_topi_axis ("topi.take", *axis, x->shape->n, &at, error) || (is_tensor && !take_batch (x, indices, batch_dims, at, &batch, error)))
    return NULL;
  n = lengths->n - batch;
  extents = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    {
      for (guint k = 0; i == at && k < n; k++)
        g_ptr_array_add (extents, ls_ref (LS_EXPR (lengths->items[batch + k])));
      if (i != at)
        g_ptr_array_add (extents, ls_ref (DIM (x, i)));
    }
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, "ax*");
  position = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    if (i == at)
      g_ptr_array_add (position, bound_index (index_at (indices, batched_axes (axes, batch, at, n)), DIM (x, at), mode));
    else
      g_ptr_array_add (position, AX (i < at ? i : i + n - 1));
  return ls_te_compute ("T_take", LS_TAG_INJECTIVE, NULL, axes, ls_te_load (x, ls_array_take_ptr_array (position)), error);
}

LsTeTensor *
ls_topi_gather (LsTeTensor *x,
                gint64      axis,
                LsTeTensor *indices,
                GError    **error)
{
  GPtrArray *position;
  LsArray *axes;
  guint at;

  if (x == NULL || indices == NULL || !ls_topi_axis ("topi.gather", axis, x->shape->n, &at, error))
    return NULL;
  if (indices->shape->n != x->shape->n || ls_dtype_is_float (indices->dtype))
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.gather: indices must be integers with %u dimensions, as the tensor has", x->shape->n);
      return NULL;
    }
  axes = ls_te_axes (indices->shape, "ax*");
  position = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (position, i == at ? ls_te_load (indices, ls_te_axis_vars (axes)) : AX (i));
  return ls_te_compute ("T_gather", LS_TAG_INJECTIVE, NULL, axes, ls_te_load (x, ls_array_take_ptr_array (position)), error);
}

LsTeTensor *
ls_topi_gather_nd (LsTeTensor *x,
                   LsTeTensor *indices,
                   gint64      batch_dims,
                   GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  GPtrArray *extents, *position;
  LsArray *axes;
  gint64 m = 0;
  guint n_index;

  if (x == NULL || indices == NULL)
    return NULL;
  if (indices->shape->n == 0 || !ls_as_int (DIM (indices, 0), &m) || batch_dims < 0 || m + batch_dims > x->shape->n)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.gather_nd: the first extent of indices says how many dimensions are indexed; it must be a number of at most %u", x->shape->n);
      return NULL;
    }
  n_index = indices->shape->n - 1;
  extents = g_ptr_array_new ();
  for (guint i = 1; i < indices->shape->n; i++)
    g_ptr_array_add (extents, ls_ref (DIM (indices, i)));
  for (guint i = (guint) (m + batch_dims); i < x->shape->n; i++)
    g_ptr_array_add (extents, ls_ref (DIM (x, i)));
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, "ax*");
  position = g_ptr_array_new ();
  for (guint i = 0; i < batch_dims; i++)
    g_ptr_array_add (position, AX (i));
  for (gint64 k = 0; k < m; k++)
    {
      GPtrArray *at = g_ptr_array_new ();
      LsExpr *one;

      g_ptr_array_add (at, ls_int (k));
      for (guint i = 0; i < n_index; i++)
        g_ptr_array_add (at, AX (i));
      one = ls_te_load (indices, ls_array_take_ptr_array (at));
      g_ptr_array_add (position, ls_dtype_is_float (ls_dtype (one)) ? ls_cast (LS_INT32, one) : one);
    }
  for (guint i = n_index; i < axes->n; i++)
    g_ptr_array_add (position, AX (i));
  return ls_te_compute ("T_gather_nd", LS_TAG_INJECTIVE, NULL, axes, ls_te_load (x, ls_array_take_ptr_array (position)), error);
}

LsTeTensor *
ls_topi_one_hot (LsTeTensor *indices,
                 LsExpr     *on_value,
                 LsExpr     *off_value,
                 gint64      depth,
                 gint64      axis,
                 LsDType     dtype,
                 GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsExpr) extent = NULL;
  GPtrArray *position;
  LsArray *axes;
  LsExpr *hit;
  guint at;

  if (indices == NULL || !ls_topi_axis ("topi.one_hot", axis, indices->shape->n + 1, &at, error))
    return NULL;
  extent = ls_int (depth);
  shape = ls_array_insert (indices->shape, at, extent);
  axes = ls_te_axes (shape, "ax*");
  position = g_ptr_array_new ();
  for (guint i = 0; i < axes->n; i++)
    if (i != at)
      g_ptr_array_add (position, AX (i));
  hit = ls_te_load (indices, ls_array_take_ptr_array (position));
  hit = ls_eq (hit, AX (at));
  return ls_te_compute ("T_one_hot", LS_TAG_INJECTIVE, NULL, axes,
                        ls_select_new (hit, ls_cast (dtype, REF (on_value)), ls_cast (dtype, REF (off_value))), error);
}

/* ---- positions ---------------------------------------------------------------- */

LsTeTensor *
ls_topi_unravel_index (LsTeTensor *indices,
                       LsTeTensor *shape_tensor,
                       GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsExpr) rest = NULL;
  g_autoptr (LsExpr) extent = NULL;
  LsArray *axes;
  LsExpr *value = NULL;
  gint64 n;

  if (indices == NULL || shape_tensor == NULL)
    return NULL;
  if (shape_tensor->shape->n != 1 || !ls_as_int (DIM (shape_tensor, 0), &n) || indices->shape->n > 1)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.unravel_index: the shape must be a list of known length, the indices a list or a number");
      return NULL;
    }
  extent = ls_int (n);
  shape = ls_array_insert (indices->shape, 0, extent);
  axes = ls_te_axes (shape, "ax*");
  rest = indices->shape->n == 0 ? AT (indices) : AT (indices, AX (1));
  value = ls_const_int (indices->dtype, 0);
  for (gint64 i = n; i-- > 0;)
    {
      value = ls_if_then_else (ls_eq (AX (0), ls_int (i)), ls_floormod (REF (rest), AT (shape_tensor, ls_int (i))), value);
      rest = ls_floordiv (rest, AT (shape_tensor, ls_int (i)));
    }
  return ls_te_compute ("T_unravel", LS_TAG_INJECTIVE, NULL, axes, value, error);
}

LsTeTensor *
ls_topi_matrix_set_diag (LsTeTensor *x,
                         LsTeTensor *diagonal,
                         gint64      k1,
                         gint64      k2,
                         gboolean    super_right,
                         gboolean    sub_right,
                         GError    **error)
{
  GPtrArray *position;
  LsArray *axes;
  LsExpr *k, *value, *inside, *at;
  guint n;

  if (x == NULL || diagonal == NULL)
    return NULL;
  n = x->shape->n;
  if (n < 2 || k1 != k2 || diagonal->shape->n != n - 1)
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.matrix_set_diag: only one diagonal (k1 = k2) of %u dimensions is supported", n > 0 ? n - 1 : 0);
      return NULL;
    }
  axes = ls_te_axes (x->shape, "ax*");
  k = ls_sub (AX (n - 1), AX (n - 2));
  position = g_ptr_array_new ();
  for (guint i = 0; i + 2 < n; i++)
    g_ptr_array_add (position, AX (i));
  at = k1 >= 0 ? AX (n - 2) : ls_sub (AX (n - 2), ls_int (-k1));
  g_ptr_array_add (position, at);
  inside = ls_if_then_else (ls_eq (REF (k), ls_int (k1)), ls_te_load (diagonal, ls_array_take_ptr_array (position)), ls_te_load (x, ls_te_axis_vars (axes)));
  value = ls_if_then_else (ls_ge (k, ls_int (k1)), inside, ls_te_load (x, ls_te_axis_vars (axes)));
  return ls_te_compute ("T_matrix_set_diag", LS_TAG_INJECTIVE, NULL, axes, value, error);
}

LsTeTensor *
ls_topi_shape (LsTeTensor *x,
               LsDType     dtype,
               GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  LsArray *axes;
  LsExpr *value;

  if (x == NULL)
    return NULL;
  shape = ls_array_of (ls_int (x->shape->n), NULL);
  axes = ls_te_axes (shape, "ax*");
  value = ls_const_int (dtype, 0);
  for (guint i = 0; i < x->shape->n; i++)
    value = ls_if_then_else (ls_eq (AX (0), ls_int (i)), ls_cast (dtype, ls_ref (DIM (x, i))), value);
  return ls_te_compute ("T_shape", LS_TAG_INJECTIVE, NULL, axes, value, error);
}

LsTeTensor *
ls_topi_ndarray_size (LsTeTensor *x,
                      LsDType     dtype,
                      GError    **error)
{
  g_autoptr (LsArray) none = NULL;
  g_autoptr (LsExpr) size = NULL;
  gint64 n;

  if (x == NULL)
    return NULL;
  size = ls_topi_size (x->shape);
  if (!ls_dtype_is_float (dtype) && ls_as_int (size, &n) && n > ls_dtype_int_max (dtype))
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.ndarray_size: %" PRId64 " elements are more than %s counts", n, ls_dtype_name (dtype));
      return NULL;
    }
  none = ls_array_empty ();
  return ls_te_compute ("ndarray_size", LS_TAG_INJECTIVE, NULL, ls_te_axes (none, "ax*"), ls_cast (dtype, g_steal_pointer (&size)), error);
}
