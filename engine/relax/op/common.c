/* op/common: what inference functions share: arguments, attributes, broadcasting, axes, results (op.h).
 *
 * Nodes made on the way are kept in the context until the call is inferred, so that rules need not free them.
 */
#include "engine/relax/op/op.h"

#include "engine/arith/pool.h"

#include <inttypes.h>
#include <string.h>

/* ---- arguments ----------------------------------------------------------------------- */

static gboolean
has (LsInfer *self,
     guint    i)
{
  if (i < self->n)
    return TRUE;
  ls_infer_fail (self, "needs its %s.", ls_infer_arg_name (self, i));
  return FALSE;
}

LsTensorStructInfo *
ls_infer_tensor (LsInfer *self,
                 guint    i)
{
  if (!has (self, i))
    return NULL;
  if (ls_is (self->infos[i], TENSOR_STRUCT_INFO))
    return (LsTensorStructInfo *) self->infos[i];
  ls_infer_fail (self, "takes a tensor as %s, which is %s here.", ls_infer_arg_name (self, i), ls_infer_text (self, self->infos[i]));
  return NULL;
}

LsShapeStructInfo *
ls_infer_shape (LsInfer *self,
                guint    i)
{
  if (!has (self, i))
    return NULL;
  if (ls_is (self->infos[i], SHAPE_STRUCT_INFO))
    return (LsShapeStructInfo *) self->infos[i];
  ls_infer_fail (self, "takes a shape as %s, which is %s here.", ls_infer_arg_name (self, i), ls_infer_text (self, self->infos[i]));
  return NULL;
}

LsArray *
ls_infer_tensors (LsInfer *self,
                  guint    i)
{
  LsArray *fields;

  if (!has (self, i))
    return NULL;
  if (!ls_is (self->infos[i], TUPLE_STRUCT_INFO))
    {
      ls_infer_fail (self, "takes a tuple of tensors as %s, which is %s here.", ls_infer_arg_name (self, i), ls_infer_text (self, self->infos[i]));
      return NULL;
    }
  fields = ((LsTupleStructInfo *) self->infos[i])->fields;
  for (guint k = 0; k < fields->n; k++)
    if (!ls_is (fields->items[k], TENSOR_STRUCT_INFO))
      {
        ls_infer_fail (self, "takes a tuple of tensors as %s; field %u is %s.", ls_infer_arg_name (self, i), k, ls_infer_text (self, fields->items[k]));
        return NULL;
      }
  return fields;
}

LsExpr *
ls_infer_prim (LsInfer *self,
               guint    i)
{
  if (!has (self, i))
    return NULL;
  if (ls_is (self->infos[i], PRIM_STRUCT_INFO) && ((LsPrimStructInfo *) self->infos[i])->value != NULL)
    return ((LsPrimStructInfo *) self->infos[i])->value;
  ls_infer_fail (self, "takes a known scalar as %s, which is %s here.", ls_infer_arg_name (self, i), ls_infer_text (self, self->infos[i]));
  return NULL;
}

LsArray *
ls_infer_prims (LsInfer *self,
                guint    i)
{
  GPtrArray *out;
  LsArray *fields;

  if (!has (self, i))
    return NULL;
  if (ls_is (self->infos[i], SHAPE_STRUCT_INFO) && ((LsShapeStructInfo *) self->infos[i])->values != NULL)
    return ((LsShapeStructInfo *) self->infos[i])->values;
  if (!ls_is (self->infos[i], TUPLE_STRUCT_INFO))
    {
      ls_infer_fail (self, "takes a tuple of scalars as %s, which is %s here.", ls_infer_arg_name (self, i), ls_infer_text (self, self->infos[i]));
      return NULL;
    }
  fields = ((LsTupleStructInfo *) self->infos[i])->fields;
  for (guint k = 0; k < fields->n; k++)
    if (!ls_is (fields->items[k], PRIM_STRUCT_INFO))
      {
        ls_infer_fail (self, "takes a tuple of scalars as %s; field %u is %s.", ls_infer_arg_name (self, i), k, ls_infer_text (self, fields->items[k]));
        return NULL;
      }
    else if (((LsPrimStructInfo *) fields->items[k])->value == NULL)
      return NULL;
  out = g_ptr_array_new ();
  for (guint k = 0; k < fields->n; k++)
    ls_extents_add (out, ((LsPrimStructInfo *) fields->items[k])->value);
  return ls_infer_keep (self, ls_array_take_ptr_array (out));
}

LsArray *
ls_tensor_extents (LsTensorStructInfo *tensor)
{
  LsNode *info;

  if (ls_is (tensor->shape, SHAPE_EXPR))
    return ((LsShapeExpr *) tensor->shape)->values;
  info = ls_is_relax_var (tensor->shape) ? ((LsRelaxVar *) tensor->shape)->struct_info : NULL;
  return ls_is (info, SHAPE_STRUCT_INFO) ? ((LsShapeStructInfo *) info)->values : NULL;
}

LsArray *
ls_tensor_written_extents (LsTensorStructInfo *tensor)
{
  return ls_is (tensor->shape, SHAPE_EXPR) ? ((LsShapeExpr *) tensor->shape)->values : NULL;
}

/* ---- attributes --------------------------------------------------------------------------- */

LsNode *
ls_infer_attr (LsInfer    *self,
               const char *name)
{
  LsRelaxCall *call = self->call;

  for (guint i = 0; i < call->attr_names->n; i++)
    if (strcmp (ls_array_at (call->attr_names, i, LsString)->value, name) == 0)
      return call->attrs->items[i];
  return NULL;
}

gboolean
ls_infer_has_int (LsInfer    *self,
                  const char *name,
                  gint64     *value)
{
  return ls_as_int (ls_infer_attr (self, name), value);
}

gint64
ls_infer_int (LsInfer    *self,
              const char *name,
              gint64      otherwise)
{
  gint64 value;

  return ls_infer_has_int (self, name, &value) ? value : otherwise;
}

const char *
ls_infer_str (LsInfer    *self,
              const char *name,
              const char *otherwise)
{
  LsNode *value = ls_infer_attr (self, name);

  return ls_is (value, STRING) ? ((LsString *) value)->value : otherwise;
}

LsArray *
ls_infer_ints (LsInfer    *self,
               const char *name)
{
  LsNode *value = ls_infer_attr (self, name);

  if (value == NULL || ls_is (value, ARRAY))
    return (LsArray *) value;
  return ls_infer_keep (self, ls_array_of (ls_node_ref (value), NULL));
}

LsDType
ls_infer_dtype (LsInfer    *self,
                const char *name,
                LsDType     otherwise)
{
  const char *text = ls_infer_str (self, name, "void");
  LsDType dtype;

  return ls_dtype_parse (text, &dtype) && !ls_dtype_is_void (dtype) ? dtype : otherwise;
}

/* ---- extents ---------------------------------------------------------------------------------- */

static LsWalk
mark_extent (LsNode  *node,
             gpointer user_data)
{
  if (ls_is_var (node) && ls_dtype_is_index (ls_dtype (node)))
    ls_analyzer_mark_global_non_neg (user_data, LS_EXPR (node));
  return LS_WALK_CONTINUE;
}

/* Extents are not negative. */
LsAnalyzer *
ls_infer_analyzer (LsInfer *self)
{
  if (self->analyzer != NULL)
    return self->analyzer;
  self->analyzer = ls_analyzer_new ();
  for (guint i = 0; i < self->n; i++)
    if (self->infos[i]->facts & LS_FACT_HAS_VAR && (ls_is (self->infos[i], TENSOR_STRUCT_INFO) || ls_is (self->infos[i], SHAPE_STRUCT_INFO)))
      ls_walk (self->infos[i], mark_extent, NULL, self->analyzer);
  return self->analyzer;
}

LsExpr *
ls_infer_simplify (LsInfer *self,
                   LsExpr  *expr)
{
  ls_infer_keep (self, expr);
  return ls_is (expr, INT_IMM) || ls_is_var (expr) ? expr : ls_infer_keep (self, ls_analyzer_simplify (ls_infer_analyzer (self), expr));
}

gboolean
ls_infer_same (LsInfer *self,
               LsExpr  *a,
               LsExpr  *b)
{
  gint64 x, y;

  if (a == b)
    return TRUE;
  if (ls_as_int (a, &x) && ls_as_int (b, &y))
    return x == y;
  return ls_deep_equal (a, b) || ls_analyzer_can_prove_equal (ls_infer_analyzer (self), a, b);
}

gboolean
ls_infer_differ (LsInfer *self,
                 LsExpr  *a,
                 LsExpr  *b)
{
  gint64 x, y;

  if (a == b)
    return FALSE;
  if (ls_as_int (a, &x) && ls_as_int (b, &y))
    return x != y;
  return ls_pool_proves (ls_infer_analyzer (self), ls_ne (ls_ref (a), ls_ref (b)));
}

LsExpr *
ls_infer_product (LsInfer *self,
                  LsArray *extents,
                  guint    from,
                  guint    to)
{
  LsExpr *product = ls_extent (1);

  for (guint i = from; i < to; i++)
    product = ls_mul (product, ls_ref (ls_extent_at (extents, i)));
  return ls_infer_keep (self, product);
}

static LsExpr *
broadcast_extent (LsInfer  *self,
                  LsExpr   *a,
                  LsExpr   *b,
                  gboolean *conflict)
{
  gint64 x, y;

  if (ls_is_one (a))
    return b;
  if (ls_is_one (b) || ls_infer_same (self, a, b))
    return a;
  *conflict = ls_as_int (a, &x) && ls_as_int (b, &y);
  return NULL;
}

gboolean
ls_infer_broadcast (LsInfer  *self,
                    LsArray  *a,
                    LsArray  *b,
                    LsArray **out)
{
  guint n = MAX (a->n, b->n);
  g_autofree LsExpr **both = g_new0 (LsExpr *, n + 1);
  gboolean conflict = FALSE;

  *out = NULL;
  for (guint k = 0; k < n; k++)
    {
      guint i = n - 1 - k;
      LsExpr *x = k < a->n ? ls_extent_at (a, a->n - 1 - k) : NULL;
      LsExpr *y = k < b->n ? ls_extent_at (b, b->n - 1 - k) : NULL;

      both[i] = x == NULL ? y : y == NULL ? x : broadcast_extent (self, x, y, &conflict);
      if (conflict)
        {
          ls_infer_fail (self, "cannot broadcast %s and %s: %s and %s differ.", ls_infer_text (self, a), ls_infer_text (self, b),
                         ls_infer_text (self, x), ls_infer_text (self, y));
          return FALSE;
        }
      if (both[i] == NULL)
        return TRUE;
    }
  for (guint i = 0; i < n; i++)
    ls_ref (both[i]);
  *out = ls_infer_keep (self, ls_array_new (both, n));
  return TRUE;
}

gboolean
ls_infer_common (LsInfer *self,
                 LsDType  a,
                 LsDType  b,
                 LsDType *out)
{
  *out = ls_dtype_is_void (a) || ls_dtype_is_void (b) ? LS_VOID : a;
  if (ls_dtype_is_void (*out) || ls_dtype_equal (a, b) || ls_dtype_is_bool (a) || ls_dtype_is_bool (b))
    return TRUE;
  ls_infer_fail (self, "takes operands of one type; they are %s and %s.", ls_dtype_name (a), ls_dtype_name (b));
  return FALSE;
}

/* ---- axes ------------------------------------------------------------------------------------------ */

gboolean
ls_infer_axis (LsInfer *self,
               gint64   axis,
               gint64   ndim,
               guint   *out)
{
  if (axis < -ndim || axis >= ndim)
    {
      ls_infer_fail (self, "has no axis %" PRId64 ": of %" PRId64 " dimensions, axes go from %" PRId64
                     " to %" PRId64 ".", axis, ndim, -ndim, ndim - 1);
      return FALSE;
    }
  *out = (guint) (axis < 0 ? axis + ndim : axis);
  return TRUE;
}

gboolean *
ls_infer_axes (LsInfer  *self,
               LsArray  *axes,
               gint64    ndim,
               guint   **order)
{
  gboolean *seen = g_new0 (gboolean, MAX (ndim, 0) + 1);
  guint *at = g_new0 (guint, axes->n + 1);
  g_autoptr (GBytes) flags = g_bytes_new_take (seen, sizeof (gboolean) * (gsize) (MAX (ndim, 0) + 1));
  g_autoptr (GBytes) numbers = g_bytes_new_take (at, sizeof (guint) * (axes->n + 1));

  ls_infer_keep (self, ls_tensor_new (LS_INT32, ls_array_empty (), g_bytes_ref (flags)));
  ls_infer_keep (self, ls_tensor_new (LS_INT32, ls_array_empty (), g_bytes_ref (numbers)));
  for (guint i = 0; i < axes->n; i++)
    {
      gint64 axis;

      if (!ls_as_int (axes->items[i], &axis))
        {
          ls_infer_fail (self, "takes whole numbers as axes.");
          return NULL;
        }
      if (!ls_infer_axis (self, axis, ndim, &at[i]))
        return NULL;
      if (seen[at[i]])
        {
          ls_infer_fail (self, "takes each axis once; axis %u comes twice.", at[i]);
          return NULL;
        }
      seen[at[i]] = TRUE;
    }
  if (order != NULL)
    *order = at;
  return seen;
}

/* ---- types ----------------------------------------------------------------------------------------------- */

gboolean
ls_infer_is_float (LsInfer *self,
                   guint    i,
                   LsDType  dtype)
{
  if (ls_dtype_is_void (dtype) || ls_dtype_is_float (dtype))
    return TRUE;
  ls_infer_fail (self, "takes floating-point numbers; %s is of %s.", ls_infer_arg_name (self, i), ls_dtype_name (dtype));
  return FALSE;
}

gboolean
ls_infer_is_int (LsInfer    *self,
                 guint       i,
                 LsDType     dtype,
                 const char *what)
{
  gboolean fine = ls_dtype_is_void (dtype) || (strcmp (what, "int64") == 0 ? ls_dtype_equal (dtype, LS_INT64)
                                               : ls_dtype_is_int (dtype) || ls_dtype_is_uint (dtype));

  if (!fine)
    ls_infer_fail (self, strcmp (what, "int64") == 0 ? LS_TEXT ("takes int64 numbers as %s, which is of %s here.") : LS_TEXT ("takes whole numbers as %s, which is of %s here."),
                   ls_infer_arg_name (self, i), ls_dtype_name (dtype));
  return fine;
}

/* ---- results ----------------------------------------------------------------------------------------------- */

LsExpr *
ls_extent (gint64 value)
{
  return ls_int_imm_new (LS_INT64, value);
}

GPtrArray *
ls_extents_new (void)
{
  return g_ptr_array_new ();
}

static LsNode *
device (LsTensorStructInfo *like)
{
  return like != NULL ? ls_node_ref (like->vdevice) : NULL;
}

LsStructInfo *
ls_infer_shaped (LsArray            *extents,
                 LsDType             dtype,
                 LsTensorStructInfo *like)
{
  return ls_tensor_struct_info_new (ls_shape_expr_new (ls_ref (extents)), 0, dtype, device (like));
}

LsStructInfo *
ls_infer_shaped_take (GPtrArray          *extents,
                      LsDType             dtype,
                      LsTensorStructInfo *like)
{
  return ls_tensor_struct_info_new (ls_shape_expr_new (ls_array_take_ptr_array (extents)), 0, dtype, device (like));
}

LsStructInfo *
ls_infer_ranked (gint64              ndim,
                 LsDType             dtype,
                 LsTensorStructInfo *like)
{
  return ls_tensor_struct_info_new (NULL, ndim, dtype, device (like));
}

LsStructInfo *
ls_infer_like (LsTensorStructInfo *like,
               LsDType             dtype)
{
  return ls_tensor_struct_info_new (ls_node_ref (like->shape), like->ndim, dtype, device (like));
}

LsStructInfo *
ls_infer_pair (LsStructInfo *a,
               LsStructInfo *b,
               LsStructInfo *c)
{
  return ls_tuple_struct_info_new (ls_array_of (a, b, c, NULL));
}

/* ---- rules of several families -------------------------------------------------------------------------------- */

LsStructInfo *
ls_infer_same_as_first (LsInfer *self)
{
  return self->n > 0 ? ls_ref (self->infos[0]) : ls_infer_fail (self, "needs an argument.");
}

LsStructInfo *
ls_infer_any_unary (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  return x != NULL ? LS_NODE (ls_ref (x)) : NULL;
}

LsStructInfo *
ls_infer_float_unary (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  return x != NULL && ls_infer_is_float (self, 0, x->dtype) ? LS_NODE (ls_ref (x)) : NULL;
}

LsStructInfo *
ls_infer_object (LsInfer *self G_GNUC_UNUSED)
{
  return ls_object_struct_info_new ();
}

LsStructInfo *
ls_infer_nothing (LsInfer *self G_GNUC_UNUSED)
{
  return ls_tuple_struct_info_new (ls_array_empty ());
}

LsStructInfo *
ls_infer_stated (LsInfer *self)
{
  LsArray *infos = self->call->sinfo_args;

  if (infos->n == 0)
    return ls_object_struct_info_new ();
  return infos->n == 1 ? ls_node_ref (infos->items[0]) : ls_tuple_struct_info_new (ls_ref (infos));
}

LsStructInfo *
ls_infer_reduced (LsInfer            *self,
                  LsTensorStructInfo *x,
                  LsArray            *axes,
                  gboolean            keepdims,
                  LsDType             dtype)
{
  LsArray *extents = ls_tensor_extents (x);
  gboolean *gone = NULL;
  GPtrArray *out;

  if (axes != NULL && x->ndim >= 0 && (gone = ls_infer_axes (self, axes, x->ndim, NULL)) == NULL)
    return NULL;
  if (axes == NULL && !keepdims)
    return ls_infer_shaped_take (ls_extents_new (), dtype, x);
  if (x->ndim < 0)
    return ls_infer_ranked (LS_UNKNOWN_NDIM, dtype, x);
  if (extents == NULL && axes != NULL)
    return ls_infer_ranked (keepdims ? x->ndim : x->ndim - (gint64) axes->n, dtype, x);
  out = ls_extents_new ();
  for (guint i = 0; i < x->ndim; i++)
    if (gone != NULL && !gone[i])
      ls_extents_add (out, extents->items[i]);
    else if (keepdims)
      g_ptr_array_add (out, ls_extent (1));
  return ls_infer_shaped_take (out, dtype, x);
}
