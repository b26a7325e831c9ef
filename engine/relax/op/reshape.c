/* op/reshape: the same numbers under another shape, and sums back to a shape that was broadcast from. */
#include "engine/relax/op/op.h"

#include "engine/tir/tir.h"

#include <inttypes.h>

static LsStructInfo *
infer_reshape (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsShapeStructInfo *shape = x != NULL ? ls_infer_shape (self, 1) : NULL;
  LsArray *old;

  if (shape == NULL)
    return NULL;
  old = ls_tensor_extents (x);
  if (old != NULL && shape->values != NULL
      && ls_infer_differ (self, ls_infer_product (self, old, 0, old->n), ls_infer_product (self, shape->values, 0, shape->values->n)))
    return ls_infer_fail (self, "cannot make %s of %s: %s elements and %s.", ls_infer_text (self, shape->values), ls_infer_text (self, old),
                          ls_infer_text (self, ls_infer_product (self, shape->values, 0, shape->values->n)),
                          ls_infer_text (self, ls_infer_product (self, old, 0, old->n)));
  return ls_tensor_struct_info_new (shape->values != NULL ? ls_shape_expr_new (ls_ref (shape->values)) : ls_node_ref (self->call->args->items[1]), shape->ndim,
                                    x->dtype, ls_node_ref (x->vdevice));
}

static LsNode *
shape_error (GError    **error,
             const char *text)
{
  g_set_error (error, LS_RELAX_ERROR, LS_RELAX_ERROR_TYPE, ls_translate ("relax.%s %s"), "reshape", ls_translate (text));
  return NULL;
}

/* What is left of `extents` when the other extents are `known`. */
static LsExpr *
rest_of (LsArray *extents,
         LsArray *known,
         guint    but)
{
  LsExpr *whole = ls_extent (1), *part = ls_extent (1), *rest;
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();

  for (guint i = 0; i < extents->n; i++)
    whole = ls_mul (whole, ls_ref (ls_extent_at (extents, i)));
  for (guint i = 0; i < known->n; i++)
    if (i != but)
      part = ls_mul (part, ls_ref (ls_extent_at (known, i)));
  if (ls_is_zero (part))
    {
      ls_unref (whole);
      return part;
    }
  rest = ls_floordiv (whole, part);
  ls_take (&rest, ls_analyzer_simplify (analyzer, rest));
  return rest;
}

LsNode *
ls_relax_resolve_shape (LsNode  *tensor,
                        LsNode  *shape,
                        GError **error)
{
  g_autoptr (LsNode) info = ls_relax_struct_info (tensor);
  LsArray *extents = ls_is (info, TENSOR_STRUCT_INFO) ? ls_tensor_extents ((LsTensorStructInfo *) info) : NULL;
  g_autoptr (LsArray) out = ls_ref (((LsShapeExpr *) shape)->values);
  gint64 extent;
  gint open = -1;

  for (guint i = 0; i < out->n; i++)
    if (ls_is_int_value (out->items[i], -1))
      {
        if (open >= 0)
          return shape_error (error, LS_TEXT ("takes one -1 in its shape at most."));
        open = (gint) i;
      }
    else if (ls_as_int (out->items[i], &extent) && extent < 0)
      return shape_error (error, LS_TEXT ("takes extents that are not negative, and -1 for what is left."));
    else if (ls_is_zero (out->items[i]))
      {
        gboolean empty = FALSE;

        for (guint k = 0; extents != NULL && k < extents->n; k++)
          empty = empty || ls_is_zero (extents->items[k]);
        if (empty)
          continue;
        if (extents == NULL || i >= extents->n)
          return shape_error (error, LS_TEXT ("takes 0 in its shape only where its tensor has a known extent."));
        ls_take (&out, ls_array_with (out, i, extents->items[i]));
      }
  if (open < 0)
    return out == ((LsShapeExpr *) shape)->values ? ls_node_ref (shape) : ls_shape_expr_new (g_steal_pointer (&out));
  if (extents == NULL)
    return shape_error (error, LS_TEXT ("takes -1 in its shape only for a tensor of known shape."));
  {
    g_autoptr (LsExpr) rest = rest_of (extents, out, (guint) open);

    ls_take (&out, ls_array_with (out, (guint) open, rest));
  }
  return ls_shape_expr_new (g_steal_pointer (&out));
}

static LsStructInfo *
infer_broadcast_to (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsShapeStructInfo *shape = x != NULL ? ls_infer_shape (self, 1) : NULL;
  LsArray *old;

  if (shape == NULL)
    return NULL;
  old = ls_tensor_extents (x);
  if (x->ndim >= 0 && shape->ndim >= 0 && shape->ndim < x->ndim)
    return ls_infer_fail (self, "cannot make %" PRId64 " dimensions of %" PRId64 ".", shape->ndim, x->ndim);
  for (guint k = 1; old != NULL && shape->values != NULL && k <= old->n; k++)
    {
      LsExpr *from = ls_extent_at (old, old->n - k), *to = ls_extent_at (shape->values, shape->values->n - k);

      if (!ls_is_one (from) && ls_infer_differ (self, from, to))
        return ls_infer_fail (self, "cannot make %s of %s: %s and %s differ.", ls_infer_text (self, shape->values), ls_infer_text (self, old),
                              ls_infer_text (self, from), ls_infer_text (self, to));
    }
  return ls_tensor_struct_info_new (ls_node_ref (self->call->args->items[1]), shape->ndim, x->dtype, ls_node_ref (x->vdevice));
}

static LsStructInfo *
infer_expand_dims (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *axes = ls_infer_ints (self, "axis"), *extents;
  gboolean *added;
  GPtrArray *out;
  gint64 ndim;
  guint next = 0;

  if (x == NULL)
    return NULL;
  if (axes == NULL || axes->n == 0)
    return LS_NODE (ls_ref (x));
  if (x->ndim < 0)
    return ls_infer_ranked (LS_UNKNOWN_NDIM, x->dtype, x);
  ndim = x->ndim + (gint64) axes->n;
  if ((added = ls_infer_axes (self, axes, ndim, NULL)) == NULL)
    return NULL;
  if ((extents = ls_tensor_extents (x)) == NULL)
    return ls_infer_ranked (ndim, x->dtype, x);
  out = ls_extents_new ();
  for (guint i = 0; i < ndim; i++)
    if (added[i])
      g_ptr_array_add (out, ls_extent (1));
    else
      ls_extents_add (out, extents->items[next++]);
  return ls_infer_shaped_take (out, x->dtype, x);
}

static LsStructInfo *
infer_flatten (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *extents;
  GPtrArray *out;

  if (x == NULL || x->ndim == 1)
    return LS_NODE (ls_ref (x));
  extents = ls_tensor_extents (x);
  if (extents == NULL && x->ndim != 0)
    return ls_infer_ranked (1, x->dtype, x);
  out = ls_extents_new ();
  if (x->ndim == 0)
    g_ptr_array_add (out, ls_extent (1));
  else
    ls_extents_add (out, ls_infer_product (self, extents, 0, extents->n));
  return ls_infer_shaped_take (out, x->dtype, x);
}

static LsStructInfo *
infer_permute (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *axes = ls_infer_ints (self, "axes"), *extents;
  guint *order = NULL;
  gboolean same = TRUE;
  GPtrArray *out;

  if (x == NULL)
    return NULL;
  if (x->ndim < 0 || (axes == NULL && x->ndim <= 1))
    return x->ndim < 0 ? ls_infer_ranked (axes != NULL ? (gint64) axes->n : LS_UNKNOWN_NDIM, x->dtype, x) : LS_NODE (ls_ref (x));
  if (axes != NULL && axes->n != x->ndim)
    return ls_infer_fail (self, "has %u axes for a tensor of %" PRId64 " dimensions.", axes->n, x->ndim);
  if (axes != NULL && ls_infer_axes (self, axes, x->ndim, &order) == NULL)
    return NULL;
  for (guint i = 0; i < x->ndim; i++)
    same = same && order != NULL && order[i] == i;
  if (same)
    return LS_NODE (ls_ref (x));
  if ((extents = ls_tensor_extents (x)) == NULL)
    return ls_infer_ranked (x->ndim, x->dtype, x);
  out = ls_extents_new ();
  for (guint i = 0; i < extents->n; i++)
    ls_extents_add (out, extents->items[order != NULL ? order[i] : extents->n - 1 - i]);
  return ls_infer_shaped_take (out, x->dtype, x);
}

static LsStructInfo *
infer_squeeze (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *axes = ls_infer_ints (self, "axis"), *extents;
  gboolean *gone = NULL;
  GPtrArray *out;
  gint64 n;

  if (x == NULL || (axes != NULL && x->ndim >= 0 && (gone = ls_infer_axes (self, axes, x->ndim, NULL)) == NULL))
    return NULL;
  if (axes != NULL && axes->n == 0)
    return LS_NODE (ls_ref (x));
  extents = ls_tensor_extents (x);
  if (extents == NULL)
    return x->ndim == 0 ? LS_NODE (ls_ref (x)) : ls_infer_ranked (axes != NULL && x->ndim >= 0 ? x->ndim - (gint64) axes->n : LS_UNKNOWN_NDIM, x->dtype, x);
  for (guint i = 0; gone != NULL && i < extents->n; i++)
    if (gone[i] && ls_as_int (extents->items[i], &n) && n != 1)
      return ls_infer_fail (self, "drops axes of extent 1; axis %u has %" PRId64 ".", i, n);
  for (guint i = 0; gone == NULL && i < extents->n; i++)
    if (!ls_as_int (extents->items[i], &n))     /* it may be 1 */
      return ls_infer_ranked (LS_UNKNOWN_NDIM, x->dtype, x);
  out = ls_extents_new ();
  for (guint i = 0; i < extents->n; i++)
    if (gone != NULL ? !gone[i] : !ls_is_one (extents->items[i]))
      ls_extents_add (out, extents->items[i]);
  return ls_infer_shaped_take (out, x->dtype, x);
}

/* ---- collapse_sum ------------------------------------------------------------------------- */

static gboolean
collapses (LsInfer *self,
           LsArray *from,
           LsArray *to)
{
  if (to->n > from->n)
    {
      ls_infer_fail (self, "cannot sum %s to %s, which has more dimensions.", ls_infer_text (self, from), ls_infer_text (self, to));
      return FALSE;
    }
  for (guint k = 1; k <= to->n; k++)
    {
      LsExpr *a = ls_extent_at (from, from->n - k), *b = ls_extent_at (to, to->n - k);

      if (!ls_is_one (b) && ls_infer_differ (self, a, b))
        {
          ls_infer_fail (self, "cannot sum %s to %s: %s is neither 1 nor %s.", ls_infer_text (self, from), ls_infer_text (self, to),
                         ls_infer_text (self, b), ls_infer_text (self, a));
          return FALSE;
        }
    }
  return TRUE;
}

static LsStructInfo *
infer_collapse_like (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *target = x != NULL ? ls_infer_tensor (self, 1) : NULL;
  LsDType dtype;

  if (target == NULL || !ls_infer_common (self, x->dtype, target->dtype, &dtype))
    return NULL;
  if (ls_tensor_extents (x) != NULL && ls_tensor_extents (target) != NULL && !collapses (self, ls_tensor_extents (x), ls_tensor_extents (target)))
    return NULL;
  return ls_tensor_struct_info_new (ls_node_ref (target->shape), target->ndim, x->dtype, ls_node_ref (x->vdevice));
}

static LsStructInfo *
infer_collapse_to (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsShapeStructInfo *shape = x != NULL ? ls_infer_shape (self, 1) : NULL;

  if (shape == NULL || (ls_tensor_extents (x) != NULL && shape->values != NULL && !collapses (self, ls_tensor_extents (x), shape->values)))
    return NULL;
  return ls_tensor_struct_info_new (ls_node_ref (self->call->args->items[1]), shape->ndim, x->dtype, ls_node_ref (x->vdevice));
}

/* ---- layout_transform ------------------------------------------------------------------------ */

static LsStructInfo *
infer_layout (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsIndexMap *map = (LsIndexMap *) ls_infer_attr (self, "index_map");
  LsNode *pad = ls_infer_attr (self, "pad_value");
  LsArray *extents;

  if (x == NULL)
    return NULL;
  if (!ls_is (map, INDEX_MAP))
    return ls_infer_fail (self, "needs an index map.");
  if (pad != NULL && ls_is (pad, PRIM_VALUE))
    pad = LS_NODE (((LsPrimValue *) pad)->value);
  if (pad != NULL && ls_is_expr (pad) && !ls_dtype_is_void (x->dtype) && ls_dtype (pad).code != x->dtype.code)
    return ls_infer_fail (self, "pads with %s where the tensor is of %s.", ls_dtype_name (ls_dtype (pad)), ls_dtype_name (x->dtype));
  if (x->ndim < 0)
    return ls_infer_ranked (map->final_indices->n, x->dtype, x);
  if (x->ndim != map->initial_indices->n)
    return ls_infer_fail (self, "has an index map of %u indices for a tensor of %" PRId64 " dimensions.", map->initial_indices->n, x->ndim);
  if ((extents = ls_tensor_extents (x)) == NULL)
    return ls_infer_ranked (map->final_indices->n, x->dtype, x);
  extents = ls_infer_keep (self, ls_index_map_map_shape (map, extents, NULL));
  return ls_infer_shaped (extents, x->dtype, x);
}

const LsRelaxOpRow ls_relax_ops_reshape[] = {
  { "broadcast_to", "x shape:shape", infer_broadcast_to },
  { "collapse_sum_like", "data target", infer_collapse_like },
  { "collapse_sum_to", "data shape:shape", infer_collapse_to },
  { "expand_dims", "x | axis:ints", infer_expand_dims },
  { "flatten", "x", infer_flatten },
  { "layout_transform", "x | index_map:map pad_value:any=None axis_separators:any=[] input_axis_separators:any=[]", infer_layout },
  { "permute_dims", "x | axes:ints=None", infer_permute },
  { "reshape", "x shape:shape", infer_reshape },
  { "squeeze", "x | axis:ints=None", infer_squeeze },
  { NULL }
};
