/* op/manipulate: tensors put together, taken apart and repeated. */
#include "engine/relax/op/op.h"

#include <inttypes.h>

/* ---- concat, stack -------------------------------------------------------------------- */

/* The common type (void when one is not known), number of dimensions and, when all shapes are known, TRUE in *known. */
static gboolean
survey (LsInfer  *self,
        LsArray  *tensors,
        LsDType  *dtype,
        gint64   *ndim,
        gboolean *known)
{
  gboolean is_void = FALSE;

  *dtype = LS_VOID;
  *ndim = LS_UNKNOWN_NDIM;
  *known = TRUE;
  if (tensors->n == 0)
    {
      ls_infer_fail (self, "needs a tensor at least.");
      return FALSE;
    }
  for (guint i = 0; i < tensors->n; i++)
    {
      LsTensorStructInfo *x = ls_array_at (tensors, i, LsTensorStructInfo);

      is_void = is_void || ls_dtype_is_void (x->dtype);
      if (!ls_dtype_is_void (*dtype) && !ls_dtype_is_void (x->dtype) && !ls_dtype_equal (*dtype, x->dtype))
        {
          ls_infer_fail (self, "takes tensors of one type; they are %s and %s.", ls_dtype_name (*dtype), ls_dtype_name (x->dtype));
          return FALSE;
        }
      if (*ndim >= 0 && x->ndim >= 0 && *ndim != x->ndim)
        {
          ls_infer_fail (self, "takes tensors of one number of dimensions; they have %" PRId64 " and %" PRId64 ".", *ndim, x->ndim);
          return FALSE;
        }
      if (!ls_dtype_is_void (x->dtype))
        *dtype = x->dtype;
      if (x->ndim >= 0)
        *ndim = x->ndim;
      *known = *known && ls_tensor_extents (x) != NULL;
    }
  if (is_void)
    *dtype = LS_VOID;
  return TRUE;
}

/* Do all have the same extents on every axis but `but`?  *certain tells whether that could be told. */
static gboolean
agree (LsInfer  *self,
       LsArray  *tensors,
       guint     but,
       gboolean *certain)
{
  LsArray *first = NULL;

  *certain = TRUE;
  for (guint i = 0; i < tensors->n; i++)
    {
      LsArray *extents = ls_tensor_extents (ls_array_at (tensors, i, LsTensorStructInfo));

      if (extents == NULL)
        continue;
      if (first == NULL)
        first = extents;
      for (guint d = 0; d < extents->n; d++)
        if (d == but || ls_infer_same (self, ls_extent_at (first, d), ls_extent_at (extents, d)))
          continue;
        else if (ls_infer_differ (self, ls_extent_at (first, d), ls_extent_at (extents, d)))
          {
            ls_infer_fail (self, "takes tensors that agree on axis %u; they are %s and %s.", d, ls_infer_text (self, first), ls_infer_text (self, extents));
            return FALSE;
          }
        else
          *certain = FALSE;
    }
  return TRUE;
}

/* A tensor on the device that those agree on which name one; NULL when there is none. */
static LsTensorStructInfo *
common_device (LsArray *tensors)
{
  LsTensorStructInfo *found = NULL;

  for (guint i = 0; i < tensors->n; i++)
    {
      LsTensorStructInfo *x = ls_array_at (tensors, i, LsTensorStructInfo);

      if (x->vdevice == NULL)
        continue;
      if (found != NULL && !ls_structural_equal (found->vdevice, x->vdevice, FALSE, NULL, NULL))
        return NULL;
      found = x;
    }
  return found;
}

/* The extents on one axis together: as a product when they are all the same. */
static LsExpr *
extents_together (LsArray *tensors,
                  guint    axis)
{
  LsExpr *first = ls_extent_at (ls_tensor_extents (ls_array_at (tensors, 0, LsTensorStructInfo)), axis), *sum = ls_ref (first);
  gboolean same = TRUE;

  for (guint i = 1; i < tensors->n; i++)
    {
      LsExpr *extent = ls_extent_at (ls_tensor_extents (ls_array_at (tensors, i, LsTensorStructInfo)), axis);

      same = same && ls_structural_equal (LS_NODE (first), LS_NODE (extent), FALSE, NULL, NULL);
      sum = ls_add (sum, ls_ref (extent));
    }
  if (same)
    ls_take (&sum, ls_mul (ls_ref (first), ls_extent (tensors->n)));
  return sum;
}

static LsStructInfo *
infer_concat (LsInfer *self)
{
  LsArray *tensors = ls_infer_tensors (self, 0), *first;
  gint64 ndim, given;
  guint axis = 0;
  gboolean known, certain;
  LsDType dtype;
  LsTensorStructInfo *like;
  GPtrArray *out;

  if (tensors == NULL || !survey (self, tensors, &dtype, &ndim, &known))
    return NULL;
  like = common_device (tensors);
  if (!ls_infer_has_int (self, "axis", &given))
    {
      if (ndim >= 0 && ndim != 1)
        return ls_infer_fail (self, "needs an axis for tensors of %" PRId64 " dimensions.", ndim);
      given = 0;
      ndim = 1;
    }
  if (ndim >= 0 && (!ls_infer_axis (self, given, ndim, &axis) || !agree (self, tensors, axis, &certain)))
    return NULL;
  if (tensors->n == 1)
    return ls_node_ref (tensors->items[0]);
  if (ndim < 0 || !known || !certain)
    return ls_infer_ranked (ndim, dtype, like);
  first = ls_tensor_extents (ls_array_at (tensors, 0, LsTensorStructInfo));
  out = ls_extents_new ();
  for (guint d = 0; d < first->n; d++)
    if (d == axis)
      g_ptr_array_add (out, extents_together (tensors, axis));
    else
      ls_extents_add (out, first->items[d]);
  return ls_infer_shaped_take (out, dtype, like);
}

static LsStructInfo *
infer_stack (LsInfer *self)
{
  LsArray *tensors = ls_infer_tensors (self, 0), *first;
  gboolean known, certain;
  LsDType dtype;
  gint64 ndim;
  guint axis;
  GPtrArray *out;

  if (tensors == NULL || !survey (self, tensors, &dtype, &ndim, &known))
    return NULL;
  if (ndim < 0)
    return ls_infer_ranked (LS_UNKNOWN_NDIM, dtype, common_device (tensors));
  if (!ls_infer_axis (self, ls_infer_int (self, "axis", 0), ndim + 1, &axis) || !agree (self, tensors, G_MAXUINT, &certain))
    return NULL;
  if (!known || !certain)
    return ls_infer_ranked (ndim + 1, dtype, common_device (tensors));
  first = ls_tensor_extents (ls_array_at (tensors, 0, LsTensorStructInfo));
  out = ls_extents_new ();
  for (guint d = 0; d <= first->n; d++)
    {
      if (d == axis)
        g_ptr_array_add (out, ls_extent (tensors->n));
      if (d < first->n)
        ls_extents_add (out, first->items[d]);
    }
  return ls_infer_shaped_take (out, dtype, common_device (tensors));
}

/* ---- split ---------------------------------------------------------------------------------- */

static LsStructInfo *
part (LsTensorStructInfo *x,
      LsArray            *extents,
      guint               axis,
      LsExpr             *extent)
{
  g_autoptr (LsArray) fresh = extents != NULL ? ls_array_with (extents, axis, extent) : NULL;

  return fresh != NULL ? ls_infer_shaped (fresh, x->dtype, x) : ls_infer_ranked (x->ndim, x->dtype, x);
}

static LsStructInfo *
split_at (LsInfer            *self,
          LsTensorStructInfo *x,
          LsArray            *extents,
          guint               axis,
          LsArray            *indices)
{
  GPtrArray *fields = g_ptr_array_new ();

  for (guint i = 0; i <= indices->n; i++)
    {
      LsExpr *whole = extents != NULL ? ls_extent_at (extents, axis) : NULL, *size = NULL;

      if (whole != NULL)
        {
          LsExpr *from = i == 0 ? ls_extent (0) : ls_cast (LS_INT64, ls_ref (ls_extent_at (indices, i - 1)));
          LsExpr *to = i == indices->n ? ls_ref (whole) : ls_cast (LS_INT64, ls_ref (ls_extent_at (indices, i)));

          from = ls_max (ls_extent (0), from);
          to = i == indices->n ? to : ls_min (to, ls_ref (whole));
          size = ls_infer_simplify (self, ls_max (ls_extent (0), ls_sub (to, from)));
        }
      g_ptr_array_add (fields, part (x, extents, axis, size));
    }
  return ls_tuple_struct_info_new (ls_array_take_ptr_array (fields));
}

static LsStructInfo *
split_into (LsInfer            *self,
            LsTensorStructInfo *x,
            LsArray            *extents,
            guint               axis,
            gint64              n)
{
  GPtrArray *fields = g_ptr_array_new ();
  LsExpr *size = NULL, *last = NULL;

  if (extents != NULL)
    {
      LsExpr *whole = ls_extent_at (extents, axis);

      size = ls_infer_simplify (self, ls_floordiv (ls_add (ls_ref (whole), ls_extent (n - 1)), ls_extent (n)));
      last = ls_infer_simplify (self, ls_sub (ls_ref (whole), ls_mul (ls_ref (size), ls_extent (n - 1))));
    }
  for (gint64 i = 0; i < n; i++)
    g_ptr_array_add (fields, part (x, extents, axis, i + 1 < n ? size : last));
  return ls_tuple_struct_info_new (ls_array_take_ptr_array (fields));
}

/* The only part is the tensor. */
static LsStructInfo *
whole (LsTensorStructInfo *x)
{
  return ls_tuple_struct_info_new (ls_array_of (ls_ref (x), NULL));
}

static LsStructInfo *
infer_split (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsNode *how = ls_infer_attr (self, "indices_or_sections");
  LsArray *extents = x != NULL ? ls_tensor_extents (x) : NULL;
  guint axis = 0;
  gint64 n;

  if (x == NULL || (x->ndim >= 0 && !ls_infer_axis (self, ls_infer_int (self, "axis", 0), x->ndim, &axis)))
    return NULL;
  if (ls_is (how, ARRAY))
    return ((LsArray *) how)->n > 0 ? split_at (self, x, extents, axis, (LsArray *) how) : whole (x);
  if (!ls_as_int (how, &n) || n <= 0 || n > 65536)
    return ls_infer_fail (self, "takes a positive number of sections or a list of indices.");
  return n > 1 ? split_into (self, x, extents, axis, n) : whole (x);
}

/* ---- repeat, tile, flip ------------------------------------------------------------------------ */

static LsStructInfo *
infer_repeat (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *extents = x != NULL ? ls_tensor_extents (x) : NULL;
  gint64 times = ls_infer_int (self, "repeats", 1), given;
  guint axis = 0;
  LsExpr *extent;
  GPtrArray *out;

  if (x == NULL)
    return NULL;
  if (!ls_infer_has_int (self, "axis", &given))
    {
      if (extents == NULL)
        return ls_infer_ranked (1, x->dtype, x);
      extent = ls_infer_product (self, extents, 0, extents->n);
      extent = ls_infer_simplify (self, ls_mul (ls_ref (extent), ls_extent (times)));
      out = ls_extents_new ();
      ls_extents_add (out, extent);
      return ls_infer_shaped_take (out, x->dtype, x);
    }
  if (x->ndim >= 0 && !ls_infer_axis (self, given, x->ndim, &axis))
    return NULL;
  if (times == 1)
    return LS_NODE (ls_ref (x));
  if (extents == NULL)
    return ls_infer_ranked (x->ndim, x->dtype, x);
  return part (x, extents, axis, ls_infer_simplify (self, ls_mul (ls_ref (ls_extent_at (extents, axis)), ls_extent (times))));
}

static LsStructInfo *
infer_tile (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *times = ls_infer_ints (self, "repeats"), *extents;
  guint n;
  GPtrArray *out;

  if (x == NULL)
    return NULL;
  if (times == NULL || x->ndim < 0)
    return ls_infer_ranked (LS_UNKNOWN_NDIM, x->dtype, x);
  n = MAX (times->n, (guint) x->ndim);
  if ((extents = ls_tensor_extents (x)) == NULL)
    return ls_infer_ranked (n, x->dtype, x);
  out = ls_extents_new ();
  for (guint i = 0; i < n; i++)
    {
      LsExpr *a = i + extents->n >= n ? ls_ref (ls_extent_at (extents, i + extents->n - n)) : ls_extent (1);
      LsExpr *b = i + times->n >= n ? ls_cast (LS_INT64, ls_ref (ls_extent_at (times, i + times->n - n))) : ls_extent (1);

      ls_extents_add (out, ls_infer_simplify (self, ls_mul (a, b)));
    }
  return ls_infer_shaped_take (out, x->dtype, x);
}

static LsStructInfo *
infer_flip (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  guint axis;

  if (x == NULL || (x->ndim >= 0 && !ls_infer_axis (self, ls_infer_int (self, "axis", 0), x->ndim, &axis)))
    return NULL;
  return LS_NODE (ls_ref (x));
}

static LsStructInfo *
infer_reverse_sequence (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *lengths = ls_infer_tensor (self, 1);
  LsArray *extents, *counts;
  guint steps, batch;

  if (x == NULL || lengths == NULL)
    return NULL;
  if (lengths->ndim >= 0 && lengths->ndim != 1)
    return ls_infer_fail (self, "takes a tensor of one dimension as %s; it has %" PRId64 ".", "seq_lengths", lengths->ndim);
  if (!ls_dtype_is_void (lengths->dtype) && !ls_dtype_is_int (lengths->dtype))
    return ls_infer_fail (self, "takes whole numbers as %s, which is of %s here.", "seq_lengths", ls_dtype_name (lengths->dtype));
  if (x->ndim < 0)
    return LS_NODE (ls_ref (x));
  if (!ls_infer_axis (self, ls_infer_int (self, "seq_axis", 1), x->ndim, &steps) || !ls_infer_axis (self, ls_infer_int (self, "batch_axis", 0), x->ndim, &batch))
    return NULL;
  extents = ls_tensor_extents (x);
  counts = ls_tensor_extents (lengths);
  if (extents != NULL && counts != NULL && ls_infer_differ (self, ls_extent_at (extents, batch), ls_extent_at (counts, 0)))
    return ls_infer_fail (self, "takes a length for each of the %s along batch_axis, not %s.", ls_infer_text (self, ls_extent_at (extents, batch)),
                          ls_infer_text (self, ls_extent_at (counts, 0)));
  return LS_NODE (ls_ref (x));
}

/* How many elements there are, as a tensor. */
static LsStructInfo *
infer_size (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  return x != NULL ? ls_infer_shaped_take (ls_extents_new (), LS_INT64, x) : NULL;
}

/* ---- meshgrid, one_hot ---------------------------------------------------------------------------- */

static LsStructInfo *
infer_meshgrid (LsInfer *self)
{
  LsArray *tensors = ls_infer_tensors (self, 0);
  LsNode *indexing = ls_infer_attr (self, "indexing");
  gboolean known, swap;
  LsDType dtype;
  gint64 ndim;
  GPtrArray *extents, *fields;
  g_autoptr (LsNode) each = NULL;

  if (tensors == NULL || !survey (self, tensors, &dtype, &ndim, &known))
    return NULL;
  if (ndim >= 0 && ndim != 1)
    return ls_infer_fail (self, "takes tensors of one dimension; they have %" PRId64 ".", ndim);
  swap = tensors->n > 1 && ls_is (indexing, STRING) && g_str_equal (((LsString *) indexing)->value, "xy");
  if (known)
    {
      extents = ls_extents_new ();
      for (guint i = 0; i < tensors->n; i++)
        ls_extents_add (extents, ls_tensor_extents (ls_array_at (tensors, swap && i < 2 ? 1 - i : i, LsTensorStructInfo))->items[0]);
      each = ls_infer_shaped_take (extents, dtype, common_device (tensors));
    }
  else
    each = ls_infer_ranked (tensors->n, dtype, common_device (tensors));
  fields = g_ptr_array_new ();
  for (guint i = 0; i < tensors->n; i++)
    g_ptr_array_add (fields, ls_node_ref (each));
  return ls_tuple_struct_info_new (ls_array_take_ptr_array (fields));
}

static LsStructInfo *
infer_one_hot (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsExpr *on = x != NULL ? ls_infer_prim (self, 1) : NULL, *off = on != NULL ? ls_infer_prim (self, 2) : NULL;
  gint64 depth = ls_infer_int (self, "depth", 0), axis = ls_infer_int (self, "axis", -1);
  LsArray *extents;
  GPtrArray *out;
  guint at;

  if (off == NULL || !ls_infer_is_int (self, 0, x->dtype, "whole"))
    return NULL;
  if (!ls_dtype_equal (ls_dtype (on), ls_dtype (off)))
    return ls_infer_fail (self, "takes two values of one type; they are %s and %s.", ls_dtype_name (ls_dtype (on)), ls_dtype_name (ls_dtype (off)));
  if (depth <= 0)
    return ls_infer_fail (self, "takes a positive depth; it is %" PRId64 ".", depth);
  if (x->ndim < 0)
    return ls_infer_ranked (LS_UNKNOWN_NDIM, ls_dtype (on), x);
  if (!ls_infer_axis (self, axis, x->ndim + 1, &at))
    return NULL;
  if ((extents = ls_tensor_extents (x)) == NULL)
    return ls_infer_ranked (x->ndim + 1, ls_dtype (on), x);
  out = ls_extents_new ();
  for (guint i = 0; i <= extents->n; i++)
    {
      if (i == at)
        g_ptr_array_add (out, ls_extent (depth));
      if (i < extents->n)
        ls_extents_add (out, extents->items[i]);
    }
  return ls_infer_shaped_take (out, ls_dtype (on), x);
}

const LsRelaxOpRow ls_relax_ops_manipulate[] = {
  { "concat", "tensors:tensors | axis:int=0", infer_concat },
  { "flip", "data | axis:int", infer_flip },
  { "meshgrid", "tensors:tensors | indexing:str=ij", infer_meshgrid },
  { "one_hot", "indices on_value:prim off_value:prim | depth:int axis:int=-1", infer_one_hot },
  { "repeat", "data | repeats:int axis:int=None", infer_repeat },
  { "reverse_sequence", "data seq_lengths | seq_axis:int=1 batch_axis:int=0", infer_reverse_sequence },
  { "size", "data", infer_size },
  { "split", "x | indices_or_sections:sections axis:int=0", infer_split },
  { "stack", "tensors:tensors | axis:int=0", infer_stack },
  { "tile", "data | repeats:ints", infer_tile },
  { NULL }
};
