/* op/index: take and slices.
 *
 * The extent of a slice is ceildiv (end - begin, stride); unless the caller vouches for the bounds (assume_inbound),
 * negative indices count from the end and both ends are brought into the tensor first.
 */
#include "engine/relax/op/op.h"

#include <inttypes.h>

static LsStructInfo *
infer_take (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *at;
  LsArray *extents, *indices;
  LsNode *info = self->n > 1 ? self->infos[1] : NULL;
  gint64 given, rank;
  LsDType type;
  guint axis = 0;
  GPtrArray *out;

  if (x == NULL)
    return NULL;
  if (!ls_is (info, PRIM_STRUCT_INFO) && (at = ls_infer_tensor (self, 1)) == NULL)
    return NULL;
  type = ls_is (info, PRIM_STRUCT_INFO) ? ((LsPrimStructInfo *) info)->dtype : at->dtype;
  rank = ls_is (info, PRIM_STRUCT_INFO) ? 0 : at->ndim;
  indices = ls_is (info, PRIM_STRUCT_INFO) ? ls_infer_keep (self, ls_array_empty ()) : ls_tensor_written_extents (at);
  if (!ls_infer_is_int (self, 1, type, "whole"))
    return NULL;
  if (!ls_infer_has_int (self, "axis", &given))
    {
      if (x->ndim < 0)
        return ls_infer_fail (self, "needs an axis for a tensor whose number of dimensions is not known.");
      if (x->ndim != 1)
        return ls_infer_fail (self, "needs an axis for a tensor of %" PRId64 " dimensions.", x->ndim);
      given = 0;
    }
  if (x->ndim < 0 || rank < 0)
    return ls_infer_ranked (LS_UNKNOWN_NDIM, x->dtype, x);
  if (!ls_infer_axis (self, given, x->ndim, &axis))
    return NULL;
  extents = ls_tensor_written_extents (x);
  if (extents == NULL || indices == NULL)
    return ls_infer_ranked (x->ndim - 1 + rank, x->dtype, x);
  out = ls_extents_new ();
  for (guint i = 0; i < extents->n; i++)
    if (i != axis)
      ls_extents_add (out, extents->items[i]);
    else
      for (guint k = 0; k < indices->n; k++)
        ls_extents_add (out, indices->items[k]);
  return ls_infer_shaped_take (out, x->dtype, x);
}

/* ---- strided_slice ----------------------------------------------------------------- */

LsExpr *
ls_index_into_axis (LsExpr  *index,
                    LsExpr  *extent,
                    gboolean backwards)
{
  gint64 i;

  if (!ls_as_int (index, &i))
    index = ls_if_then_else (ls_lt (ls_ref (index), ls_extent (0)), ls_add (ls_ref (index), ls_ref (extent)), index);
  else if (i < 0)
    index = ls_add (index, ls_ref (extent));
  return ls_min (ls_max (index, ls_extent (backwards ? -1 : 0)), backwards ? ls_sub (ls_ref (extent), ls_extent (1)) : ls_ref (extent));
}

/* a / b, rounded up; takes both. */
static LsExpr *
ceil_div (LsExpr *a,
          LsExpr *b)
{
  return ls_floordiv (ls_sub (ls_add (a, ls_ref (b)), ls_extent (1)), b);
}

/* The way from `begin` to `end`, both brought into the axis, by steps of `stride`, forwards or backwards. */
static LsExpr *
steps (LsExpr  *begin,
       LsExpr  *end,
       LsExpr  *stride,
       LsExpr  *extent,
       gboolean backwards)
{
  LsExpr *from = ls_index_into_axis (ls_cast (LS_INT64, ls_ref (begin)), extent, backwards);
  LsExpr *to = ls_index_into_axis (ls_cast (LS_INT64, ls_ref (end)), extent, backwards);

  return backwards ? ceil_div (ls_sub (from, to), ls_sub (ls_extent (0), ls_ref (stride))) : ceil_div (ls_sub (to, from), ls_ref (stride));
}

static LsExpr *
slice_extent (LsInfer *self,
              LsExpr  *begin,
              LsExpr  *end,
              LsExpr  *stride,
              LsExpr  *extent,
              gboolean inbound)
{
  LsExpr *step = ls_infer_keep (self, ls_cast (LS_INT64, ls_ref (stride)));
  LsExpr *negative = ls_infer_simplify (self, ls_lt (ls_ref (step), ls_extent (0))), *length;
  gint64 n;

  if (inbound)
    length = ceil_div (ls_sub (ls_cast (LS_INT64, ls_ref (end)), ls_cast (LS_INT64, ls_ref (begin))), ls_ref (step));
  else if (ls_as_int (negative, &n))
    length = steps (begin, end, step, extent, n != 0);
  else
    length = ls_if_then_else (ls_ref (negative), steps (begin, end, step, extent, TRUE), steps (begin, end, step, extent, FALSE));
  length = ls_infer_simplify (self, length);
  if (ls_as_int (length, &n) && n < 0)
    length = ls_infer_keep (self, ls_extent (0));
  return length;
}

static LsStructInfo *
infer_strided_slice (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *axes, *begin, *end, *strides, *extents;
  guint *order = NULL;
  g_autoptr (LsArray) out = NULL;

  if (x == NULL || (axes = ls_infer_prims (self, 1)) == NULL)
    return self->error == NULL && x != NULL ? ls_infer_ranked (x->ndim, x->dtype, x) : NULL;
  begin = ls_infer_prims (self, 2);
  end = ls_infer_prims (self, 3);
  strides = self->n > 4 ? ls_infer_prims (self, 4) : NULL;
  if (self->error != NULL)
    return NULL;
  if ((begin != NULL && begin->n != axes->n) || (end != NULL && end->n != axes->n) || (strides != NULL && strides->n != axes->n))
    return ls_infer_fail (self, "takes as many beginnings, ends and strides as axes; there are %u axes, %u beginnings, %u ends%s.", axes->n,
                          ls_array_n (begin), ls_array_n (end), strides != NULL && strides->n != axes->n ? ls_translate (" and other strides") : "");
  if (x->ndim < 0)
    return axes->n == 0 ? LS_NODE (ls_ref (x)) : ls_infer_ranked (LS_UNKNOWN_NDIM, x->dtype, x);
  if (ls_infer_axes (self, axes, x->ndim, &order) == NULL)
    return NULL;
  extents = ls_tensor_extents (x);
  if (axes->n == 0)
    return extents != NULL ? ls_infer_shaped (extents, x->dtype, x) : LS_NODE (ls_ref (x));
  if (extents == NULL || begin == NULL || end == NULL || (self->n > 4 && strides == NULL))
    return ls_infer_ranked (x->ndim, x->dtype, x);
  out = ls_ref (extents);
  for (guint i = 0; i < axes->n; i++)
    {
      LsExpr *stride = strides != NULL ? ls_extent_at (strides, i) : ls_infer_keep (self, ls_extent (1));
      gint64 n;

      if (ls_as_int (stride, &n) && n == 0)
        return ls_infer_fail (self, "takes strides that are not 0.");
      ls_take (&out, ls_array_with (out, order[i], slice_extent (self, ls_extent_at (begin, i), ls_extent_at (end, i), stride,
                                                                 ls_extent_at (extents, order[i]),
                                                                 ls_infer_int (self, "assume_inbound", 0) != 0)));
    }
  return ls_infer_shaped (out, x->dtype, x);
}

static LsStructInfo *
infer_dynamic_slice (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  gint64 n;

  if (x == NULL)
    return NULL;
  if (x->ndim < 0)
    return ls_infer_ranked (LS_UNKNOWN_NDIM, x->dtype, x);
  for (guint i = 1; i < 4; i++)
    {
      LsTensorStructInfo *at = ls_infer_tensor (self, i);
      LsArray *extents;

      if (at == NULL || !ls_infer_is_int (self, i, at->dtype, "int64"))
        return NULL;
      if (at->ndim >= 0 && at->ndim != 1)
        return ls_infer_fail (self, "takes a tensor of one dimension as %s; it has %" PRId64 ".", ls_infer_arg_name (self, i), at->ndim);
      extents = ls_tensor_extents (at);
      if (extents != NULL && ls_as_int (extents->items[0], &n) && n != x->ndim)
        return ls_infer_fail (self, "takes a number for each of the %" PRId64 " dimensions as %s; there are %" PRId64 ".", x->ndim,
                              ls_infer_arg_name (self, i), n);
    }
  return ls_infer_ranked (x->ndim, x->dtype, x);
}

const LsRelaxOpRow ls_relax_ops_index[] = {
  { "dynamic_strided_slice", "x begin end strides", infer_dynamic_slice },
  { "strided_slice", "x axes:prims begin:prims end:prims strides:prims? | assume_inbound:bool=False", infer_strided_slice },
  { "take", "x indices | axis:int=None", infer_take },
  { NULL }
};
