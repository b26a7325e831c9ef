/* op/scatter: reading and writing by tensors of indices: gather, scatter, index_tensor, index_put, slice_scatter. */
#include "engine/relax/op/op.h"

#include <inttypes.h>

static LsStructInfo *
infer_gather_elements (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *at = x != NULL ? ls_infer_tensor (self, 1) : NULL;
  guint axis;

  if (at == NULL || (!ls_dtype_is_int (at->dtype) && !ls_infer_is_int (self, 1, at->dtype, "int64")))
    return NULL;
  if (x->ndim < 0 || at->ndim < 0)
    return ls_infer_ranked (LS_UNKNOWN_NDIM, x->dtype, x);
  if (x->ndim != at->ndim)
    return ls_infer_fail (self, "takes indices of as many dimensions as its data; they have %" PRId64 " and %" PRId64 ".",
                          at->ndim, x->ndim);
  if (!ls_infer_axis (self, ls_infer_int (self, "axis", 0), x->ndim, &axis))
    return NULL;
  return ls_tensor_struct_info_new (ls_node_ref (at->shape), at->ndim, x->dtype, ls_node_ref (x->vdevice));
}

static LsStructInfo *
infer_gather_nd (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *at = x != NULL ? ls_infer_tensor (self, 1) : NULL;
  gint64 batch = ls_infer_int (self, "batch_dims", 0), depth, ndim;
  LsArray *extents, *indices;
  GPtrArray *out;

  if (at == NULL || !ls_infer_is_int (self, 1, at->dtype, "int64"))
    return NULL;
  indices = ls_tensor_extents (at);
  if (batch < 0 || (x->ndim >= 0 && batch >= x->ndim) || (at->ndim >= 0 && batch >= at->ndim))
    return ls_infer_fail (self, "has fewer dimensions than its %" PRId64 " batch dimensions need.", batch);
  if (x->ndim < 0 || at->ndim < 0 || indices == NULL || !ls_as_int (indices->items[indices->n - 1], &depth))
    return ls_infer_ranked (LS_UNKNOWN_NDIM, x->dtype, x);
  if (depth < 0 || depth + batch > x->ndim)
    return ls_infer_fail (self, "has indices of %" PRId64 " numbers for data of %" PRId64 " dimensions.", depth, x->ndim);
  ndim = at->ndim - 1 + x->ndim - depth - batch;
  if ((extents = ls_tensor_extents (x)) == NULL)
    return ls_infer_ranked (ndim, x->dtype, x);
  out = ls_extents_new ();
  for (guint i = 0; i + 1 < indices->n; i++)
    ls_extents_add (out, indices->items[i]);
  for (guint i = (guint) (batch + depth); i < extents->n; i++)
    ls_extents_add (out, extents->items[i]);
  return ls_infer_shaped_take (out, x->dtype, x);
}

static gboolean
same_type (LsInfer            *self,
           LsTensorStructInfo *x,
           LsTensorStructInfo *updates)
{
  if (ls_dtype_is_void (x->dtype) || ls_dtype_is_void (updates->dtype) || ls_dtype_equal (x->dtype, updates->dtype))
    return TRUE;
  ls_infer_fail (self, "takes updates of the type of its data; they are of %s and %s.", ls_dtype_name (updates->dtype), ls_dtype_name (x->dtype));
  return FALSE;
}

static LsStructInfo *
infer_scatter_elements (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *at = x != NULL ? ls_infer_tensor (self, 1) : NULL;
  LsTensorStructInfo *updates = at != NULL ? ls_infer_tensor (self, 2) : NULL;
  LsArray *a, *b;

  if (updates == NULL)
    return NULL;
  if ((x->ndim >= 0 && at->ndim >= 0 && x->ndim != at->ndim) || (at->ndim >= 0 && updates->ndim >= 0 && at->ndim != updates->ndim)
      || (x->ndim >= 0 && updates->ndim >= 0 && x->ndim != updates->ndim))
    return ls_infer_fail (self, "takes data, indices and updates of one number of dimensions; they have %" PRId64 ", %" PRId64
                          " and %" PRId64 ".", x->ndim, at->ndim, updates->ndim);
  if (!same_type (self, x, updates) || !ls_infer_is_int (self, 1, at->dtype, "whole"))
    return NULL;
  a = ls_tensor_extents (at);
  b = ls_tensor_extents (updates);
  for (guint i = 0; a != NULL && b != NULL && i < a->n; i++)
    if (ls_infer_differ (self, ls_extent_at (a, i), ls_extent_at (b, i)))
      return ls_infer_fail (self, "takes indices and updates of one shape; they are %s and %s.", ls_infer_text (self, a), ls_infer_text (self, b));
  return LS_NODE (ls_ref (x));
}

/* The shape that updates must have: indices without their last axis, then what is left of the data. */
static gboolean
updates_fit (LsInfer *self,
             LsArray *x,
             LsArray *at,
             LsArray *updates)
{
  gint64 depth;
  guint outer = at->n - 1;

  if (!ls_as_int (at->items[at->n - 1], &depth))
    return TRUE;
  if (depth < 0 || depth > x->n)
    {
      ls_infer_fail (self, "has indices of %" PRId64 " numbers for data of %u dimensions.", depth, x->n);
      return FALSE;
    }
  if (updates->n != outer + x->n - depth)
    {
      ls_infer_fail (self, "takes updates of %" PRId64 " dimensions here; they have %u.", outer + x->n - depth, updates->n);
      return FALSE;
    }
  for (guint i = 0; i < updates->n; i++)
    {
      LsExpr *expected = i < outer ? ls_extent_at (at, i) : ls_extent_at (x, i - outer + (guint) depth);

      if (ls_infer_differ (self, expected, ls_extent_at (updates, i)))
        {
          ls_infer_fail (self, "takes updates of extent %s on axis %u here; they have %s.", ls_infer_text (self, expected), i,
                         ls_infer_text (self, updates->items[i]));
          return FALSE;
        }
    }
  return TRUE;
}

static LsStructInfo *
infer_scatter_nd (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *at = x != NULL ? ls_infer_tensor (self, 1) : NULL;
  LsTensorStructInfo *updates = at != NULL ? ls_infer_tensor (self, 2) : NULL;

  if (updates == NULL || !ls_infer_is_int (self, 1, at->dtype, "int64") || !same_type (self, x, updates))
    return NULL;
  if (at->ndim == 0)
    return ls_infer_fail (self, "takes indices of one dimension at least.");
  if (ls_tensor_extents (x) != NULL && ls_tensor_extents (at) != NULL && ls_tensor_extents (updates) != NULL
      && !updates_fit (self, ls_tensor_extents (x), ls_tensor_extents (at), ls_tensor_extents (updates)))
    return NULL;
  return LS_NODE (ls_ref (x));
}

/* ---- index_tensor, index_put, slice_scatter ------------------------------------------------------------ */

/* What x[indices] is; the indices are argument 1. */
static LsStructInfo *
infer_named (LsInfer            *self,
             LsTensorStructInfo *x,
             LsArray            *indices)
{
  LsArray *both = NULL, *extents;
  gint64 rank = 0;
  gboolean known = TRUE;
  GPtrArray *out;

  if (indices == NULL)
    return NULL;
  if (indices->n == 0)
    return ls_infer_fail (self, "needs an index tensor at least.");
  if (x->ndim >= 0 && indices->n > x->ndim)
    return ls_infer_fail (self, "has %u index tensors for %" PRId64 " dimensions.", indices->n, x->ndim);
  for (guint i = 0; i < indices->n; i++)
    {
      LsTensorStructInfo *at = ls_array_at (indices, i, LsTensorStructInfo);
      LsArray *shape = ls_tensor_extents (at);

      if (!ls_infer_is_int (self, 1, at->dtype, "whole"))
        return NULL;
      rank = rank < 0 || at->ndim < 0 ? LS_UNKNOWN_NDIM : MAX (rank, at->ndim);
      if (shape == NULL)
        known = FALSE;
      if (!known)
        continue;
      if (both == NULL)
        both = shape;
      else if (!ls_infer_broadcast (self, both, shape, &both))
        return NULL;
      known = both != NULL;
    }
  if (x->ndim < 0 || rank < 0)
    return ls_infer_ranked (LS_UNKNOWN_NDIM, x->dtype, x);
  extents = ls_tensor_extents (x);
  if (!known || extents == NULL)
    return ls_infer_ranked (rank + x->ndim - indices->n, x->dtype, x);
  out = ls_extents_new ();
  for (guint i = 0; i < both->n; i++)
    ls_extents_add (out, both->items[i]);
  for (guint i = indices->n; i < extents->n; i++)
    ls_extents_add (out, extents->items[i]);
  return ls_infer_shaped_take (out, x->dtype, x);
}

static LsStructInfo *
infer_index_tensor (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  return x != NULL ? infer_named (self, x, ls_infer_tensors (self, 1)) : NULL;
}

static LsStructInfo *
infer_index_put (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *values = x != NULL ? ls_infer_tensor (self, 2) : NULL;
  g_autoptr (LsNode) named = values != NULL && same_type (self, x, values) ? infer_named (self, x, ls_infer_tensors (self, 1)) : NULL;
  LsTensorStructInfo *places = (LsTensorStructInfo *) named;
  LsArray *to, *from, *both = NULL;

  if (named == NULL)
    return NULL;
  if (places->ndim >= 0 && values->ndim > places->ndim)
    return ls_infer_fail (self, "takes values of %" PRId64 " dimensions at most here; they have %" PRId64 ".", places->ndim, values->ndim);
  to = ls_tensor_extents (places);
  from = ls_tensor_extents (values);
  for (guint from_end = 1; to != NULL && from != NULL && from_end <= from->n; from_end++)
    {
      LsExpr *own = ls_extent_at (from, from->n - from_end), *wanted = ls_extent_at (to, to->n - from_end);

      if (!ls_is_one (own) && ls_infer_differ (self, own, wanted))
        return ls_infer_fail (self, "takes values that broadcast to the shape %s here; they have %s.", ls_infer_text (self, to), ls_infer_text (self, from));
    }
  if (to != NULL && from != NULL && !ls_infer_broadcast (self, to, from, &both))
    return NULL;
  return LS_NODE (ls_ref (x));
}

/* Is what is written as large as the slice, as far as numbers tell? */
static gboolean
slice_fits (LsInfer *self,
            LsArray *x,
            LsArray *src,
            guint    axis)
{
  LsExpr *start = ls_infer_prim (self, 2), *end = start != NULL ? ls_infer_prim (self, 3) : NULL, *step = end != NULL ? ls_infer_prim (self, 4) : NULL;
  gint64 from, to, by, extent, given;

  if (step == NULL)
    return FALSE;
  if (ls_as_int (step, &by) && by < 1)
    {
      ls_infer_fail (self, "takes a step of 1 at least; it is %" PRId64 ".", by);
      return FALSE;
    }
  for (guint i = 0; x != NULL && src != NULL && i < x->n; i++)
    if (i != axis && ls_infer_differ (self, ls_extent_at (x, i), ls_extent_at (src, i)))
      {
        ls_infer_fail (self, "takes tensors that agree on axis %u; they are %s and %s.", i, ls_infer_text (self, x), ls_infer_text (self, src));
        return FALSE;
      }
  if (x == NULL || src == NULL || !ls_as_int (start, &from) || !ls_as_int (end, &to) || !ls_as_int (step, &by) || !ls_as_int (x->items[axis], &extent)
      || !ls_as_int (src->items[axis], &given) || from < 0 || to < from || to > extent || given == (to - from + by - 1) / by)
    return TRUE;
  ls_infer_fail (self, "writes %" PRId64 " elements on axis %u; its source has %" PRId64 ".", (to - from + by - 1) / by, axis, given);
  return FALSE;
}

static LsStructInfo *
infer_slice_scatter (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *src = x != NULL ? ls_infer_tensor (self, 1) : NULL;
  guint axis;

  if (src == NULL || !same_type (self, x, src))
    return NULL;
  if (x->ndim >= 0 && src->ndim >= 0 && x->ndim != src->ndim)
    return ls_infer_fail (self, "takes data and source of one number of dimensions; they have %" PRId64 " and %" PRId64 ".",
                          x->ndim, src->ndim);
  if (x->ndim >= 0 && (!ls_infer_axis (self, ls_infer_int (self, "axis", 0), x->ndim, &axis)
                       || !slice_fits (self, ls_tensor_extents (x), ls_tensor_extents (src), axis)))
    return NULL;
  return LS_NODE (ls_ref (x));
}

const LsRelaxOpRow ls_relax_ops_scatter[] = {
  { "gather_elements", "data indices | axis:int=0", infer_gather_elements },
  { "gather_nd", "data indices | batch_dims:int=0", infer_gather_nd },
  { "index_put", "data indices:tensors values | accumulate:bool=False", infer_index_put },
  { "index_tensor", "data indices:tensors", infer_index_tensor },
  { "scatter_elements", "data indices updates | axis:int=0 reduction:str=update", infer_scatter_elements },
  { "scatter_nd", "data indices updates | reduction:str=update", infer_scatter_nd },
  { "slice_scatter", "input_tensor src start:prim end:prim step:prim=1 | axis:int=0", infer_slice_scatter },
  { NULL }
};
