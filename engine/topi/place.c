/* place: a tensor written into a slice of another one, and the bucket that a value falls into.
 *
 * slice_scatter asks of each place whether the slice has it; bucketize counts the boundaries below a value.
 */
#include "engine/topi/topi-private.h"

/* A bound of a slice between 0 and the extent; below 0 it counts from the end. (transfer full) */
static LsExpr *
bound (LsExpr *value,
       LsExpr *extent)
{
  g_autoptr (LsExpr) own = ls_cast (ls_dtype (extent), REF (value));
  gint64 number;

  if (ls_as_int (own, &number) && number >= 0)
    return ls_min (REF (own), REF (extent));
  if (ls_as_int (own, &number))
    return ls_max (ls_add (REF (own), REF (extent)), ls_int_imm_new (ls_dtype (extent), 0));
  return ls_max (ls_min (ls_if_then_else (ls_binary (LS_KIND_LT, REF (own), ls_int_imm_new (ls_dtype (extent), 0)), ls_add (REF (own), REF (extent)), REF (own)),
                         REF (extent)), ls_int_imm_new (ls_dtype (extent), 0));
}

LsTeTensor *
ls_topi_slice_scatter (LsTeTensor  *x,
                       LsTeTensor  *src,
                       LsExpr      *start,
                       LsExpr      *end,
                       LsExpr      *step,
                       gint64       axis,
                       GError     **error)
{
  gint64 n = x != NULL ? (gint64) x->shape->n : 0;
  guint at = (guint) (axis < 0 ? axis + n : axis);
  g_autoptr (LsExpr) begin = NULL;
  g_autoptr (LsExpr) finish = NULL;
  g_autoptr (LsExpr) stride = NULL;
  g_autoptr (LsExpr) offset = NULL;
  LsExpr *inside;
  g_autofree LsNode **there = NULL, **here = NULL;
  LsArray *axes;

  if (x == NULL || src == NULL)
    return NULL;
  if (axis < -n || axis >= n || src->shape->n != x->shape->n)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.slice_scatter needs two tensors with the same number of dimensions, and one of these");
      return NULL;
    }
  axes = ls_te_axes (x->shape, "i*");
  begin = bound (start, DIM (x, at));
  finish = bound (end, DIM (x, at));
  stride = ls_cast (ls_dtype (DIM (x, at)), REF (step));
  offset = ls_sub (AX (at), REF (begin));
  inside = ls_and (ls_binary (LS_KIND_GE, AX (at), REF (begin)), ls_binary (LS_KIND_LT, AX (at), REF (finish)));
  inside = ls_and (inside, ls_binary (LS_KIND_EQ, ls_binary (LS_KIND_FLOOR_MOD, REF (offset), REF (stride)), ls_int_imm_new (ls_dtype (offset), 0)));
  there = g_new0 (LsNode *, n + 1);
  here = g_new0 (LsNode *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      here[i] = LS_NODE (AX (i));
      there[i] = LS_NODE (i == at ? ls_binary (LS_KIND_FLOOR_DIV, REF (offset), REF (stride)) : AX (i));
    }
  return ls_te_compute ("slice_scatter", LS_TAG_INJECTIVE, NULL, axes,
                        ls_if_then_else (inside, ls_te_load (src, ls_array_new (there, (guint) n)), ls_te_load (x, ls_array_new (here, (guint) n))), error);
}

LsTeTensor *
ls_topi_bucketize (LsTeTensor  *x,
                   LsTeTensor  *boundaries,
                   gboolean     right,
                   LsDType      dtype,
                   GError     **error)
{
  g_autofree LsNode **here = NULL;
  LsIterVar *k;
  LsExpr *boundary, *value;
  LsArray *axes;

  if (x == NULL || boundaries == NULL)
    return NULL;
  if (boundaries->shape->n != 1)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.bucketize needs boundaries with one dimension");
      return NULL;
    }
  axes = ls_te_axes (x->shape, "i*");
  k = ls_te_reduce_range ("k", DIM (boundaries, 0));
  here = g_new0 (LsNode *, x->shape->n + 1);
  for (guint i = 0; i < x->shape->n; i++)
    here[i] = LS_NODE (AX (i));
  value = ls_te_load (x, ls_array_new (here, x->shape->n));
  boundary = ls_te_load (boundaries, ls_array_of (ls_te_iter (k), NULL));
  return ls_te_compute ("bucketize", LS_TAG_COMM_REDUCE, NULL, axes,
                        ls_te_sum (ls_cast (dtype, ls_binary (right ? LS_KIND_LE : LS_KIND_LT, boundary, value)), ls_array_of (k, NULL)), error);
}
