/* legalize/index: take, slices, gather, scatter.
 *
 * A slice by tensors has a shape that is known only when it runs: a function computes it, and the result is cast to a
 * shape of new symbols.
 */
#include "engine/relax/legalize/legalize.h"

#include <string.h>

static LsNode *
take (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  g_autoptr (LsNode) info = ls_block_builder_struct_info (self->builder, self->call->args->items[1]);
  gpointer at = ls_is (info, PRIM_STRUCT_INFO) ? (gpointer) ls_legalize_scalar (self, self->call->args->items[1]) : (gpointer) ls_legalize_tensor (self, 1);
  gint64 axis;
  gboolean has_axis = ls_infer_has_int (&self->infer, "axis", &axis);

  return ls_legalize_one (self, x != NULL && at != NULL ? ls_topi_take (x, at, has_axis ? &axis : NULL, 0, "fast", &self->error) : NULL);
}

static gboolean
are_constants (LsArray *list)
{
  gint64 n;

  for (guint i = 0; i < list->n; i++)
    if (!ls_as_int (list->items[i], &n))
      return FALSE;
  return TRUE;
}

/* Where the slice begins, counted from the front.  What cannot be below 0 stays as TVM writes it: then an extent of 0 is all there is to be
 * said of a beginning behind the end. */
static LsExpr *
slice_begin (LsLegalize *self,
             LsTeTensor *x,
             guint       axis,
             LsExpr     *begin,
             LsExpr     *stride)
{
  LsExpr *extent = ls_array_at (x->shape, axis, LsExpr);
  gboolean is_extent = FALSE;
  gint64 step, from;

  if (!ls_as_int (stride, &step))
    {
      g_autoptr (LsExpr) forwards = ls_index_into_axis (ls_cast (LS_INT64, ls_ref (begin)), extent, FALSE);
      LsExpr *backwards = ls_index_into_axis (ls_cast (LS_INT64, ls_ref (begin)), extent, TRUE);

      return ls_ref (ls_infer_simplify (&self->infer, ls_if_then_else (ls_lt (ls_cast (LS_INT64, ls_ref (stride)), ls_extent (0)), backwards, ls_ref (forwards))));
    }
  for (guint i = 0; i < x->shape->n; i++)
    is_extent = is_extent || x->shape->items[i] == (gpointer) begin;
  if (step > 0 && (ls_as_int (begin, &from) ? from >= 0 : is_extent))
    return ls_ref (begin);
  return ls_ref (ls_infer_simplify (&self->infer, ls_index_into_axis (ls_cast (LS_INT64, ls_ref (begin)), extent, step < 0)));
}

/* The slice of a tensor of symbolic shape, or at symbolic places: element axis * stride + begin. */
static LsNode *
symbolic_slice (LsLegalize *self,
                LsTeTensor *x,
                LsArray    *axes,
                LsArray    *begin,
                LsArray    *strides)
{
  LsArray *shape = ls_legalize_shape (self), *vars;
  g_autoptr (LsArray) indices = NULL;

  if (shape == NULL)
    return ls_legalize_stay (self);
  vars = ls_te_axes (shape, "ax*");
  indices = ls_te_axis_vars (vars);
  for (guint i = 0; i < axes->n; i++)
    {
      gint64 axis = 0;
      g_autoptr (LsExpr) at = NULL;
      LsExpr *from;

      ls_as_int (axes->items[i], &axis);
      axis = axis < 0 ? axis + (gint64) shape->n : axis;
      from = ls_legalize_int (self, "assume_inbound", 0) != 0 ? ls_ref (LS_EXPR (begin->items[i]))
                                                              : slice_begin (self, x, (guint) axis, ls_array_at (begin, i, LsExpr), ls_array_at (strides, i, LsExpr));
      at = ls_add (ls_mul (ls_ref (LS_EXPR (indices->items[axis])), ls_ref (LS_EXPR (strides->items[i]))), from);
      ls_take (&indices, ls_array_with (indices, (guint) axis, at));
    }
  return ls_legalize_one (self, ls_te_compute ("T_dynamic_strided_slice_with_axes", "injective", NULL, vars, ls_te_load (x, g_steal_pointer (&indices)),
                                               &self->error));
}

static LsNode *
strided_slice (LsLegalize *self)
{
  LsArray *args = self->call->args;
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  LsArray *axes = ls_legalize_prims (self, args->items[1]), *begin = ls_legalize_prims (self, args->items[2]);
  LsArray *end = ls_legalize_prims (self, args->items[3]), *strides = NULL;

  if (x == NULL || axes == NULL || begin == NULL || end == NULL)
    return ls_legalize_stay (self);
  if (args->n > 4)
    strides = ls_legalize_prims (self, args->items[4]);
  else
    {
      GPtrArray *ones = g_ptr_array_new ();

      for (guint i = 0; i < axes->n; i++)
        g_ptr_array_add (ones, ls_extent (1));
      strides = ls_legalize_keep (self, ls_array_take_ptr_array (ones));
    }
  if (strides != NULL && !(are_constants (x->shape) && are_constants (begin) && are_constants (end) && are_constants (strides)))
    return symbolic_slice (self, x, axes, begin, strides);
  return ls_legalize_one (self, strides != NULL ? ls_topi_strided_slice (x, begin, end, strides, axes, "end", &self->error) : NULL);
}

/* ---- dynamic_strided_slice ------------------------------------------------------------ */

static LsExpr *
extent_at (LsTeTensor *x,
           LsExpr     *index)
{
  LsExpr *extent = ls_extent (-1);

  for (guint i = 0; i < x->shape->n; i++)
    extent = ls_te_select (ls_eq (ls_ref (index), ls_const_int (ls_dtype (index), i)), ls_ref (LS_EXPR (x->shape->items[i])), extent);
  return extent;
}

/* An end of the slice counted from the front and brought into the axis. */
static LsExpr *
into_axis (LsTeTensor *x,
           LsTeTensor *ends,
           LsExpr     *index,
           gboolean    backwards)
{
  LsExpr *end = ls_te_at (ends, ls_ref (index), NULL), *extent = extent_at (x, index), *at;

  at = ls_te_select (ls_lt (ls_ref (end), ls_extent (0)), ls_add (ls_ref (end), ls_ref (extent)), ls_ref (end));
  at = ls_min (ls_max (at, ls_extent (backwards ? -1 : 0)), backwards ? ls_sub (ls_ref (extent), ls_extent (1)) : ls_ref (extent));
  ls_unref (end);
  ls_unref (extent);
  return at;
}

static LsExpr *
ceil_div (LsExpr *a,
          LsExpr *b)
{
  LsExpr *top = ls_sub (ls_add (a, ls_ref (b)), ls_extent (1));

  return ls_floordiv (top, b);
}

static LsTeTensor *
slice_shape (LsLegalize *self,
             LsTeTensor *x,
             LsTeTensor *begin,
             LsTeTensor *end,
             LsTeTensor *strides)
{
  g_autoptr (LsArray) shape = ls_array_of (ls_extent (x->shape->n), NULL);
  LsArray *axes = ls_te_axes (shape, "i");
  g_autoptr (LsExpr) i = ls_te_axis (axes, 0);
  LsExpr *stride = ls_te_at (strides, ls_ref (i), NULL);
  LsExpr *back = ceil_div (ls_sub (into_axis (x, begin, i, TRUE), into_axis (x, end, i, TRUE)), ls_mul (ls_ref (stride), ls_extent (-1)));
  LsExpr *forth = ceil_div (ls_sub (into_axis (x, end, i, FALSE), into_axis (x, begin, i, FALSE)), ls_ref (stride));
  LsExpr *body = ls_te_select (ls_lt (stride, ls_extent (0)), back, forth);

  return ls_te_compute ("T_shape_func_strided_slice_dynamic", NULL, NULL, axes, body, &self->error);
}

/* The number of elements on each axis as new symbols. */
static LsArray *
slice_symbols (LsLegalize *self,
               guint       ndim,
               LsNode     *shape_call)          /* taken */
{
  GPtrArray *symbols = g_ptr_array_new ();
  LsArray *list;
  g_autoptr (LsNode) info = NULL;
  LsRelaxVar *tensor = ls_block_builder_emit_take (self->builder, shape_call, NULL), *shape;

  shape = ls_block_builder_emit_take (self->builder, ls_relax_call_new (ls_relax_op_new ("relax.call_pure_packed"),
                                                                        ls_array_of (ls_extern_func_new ("vm.builtin.tensor_to_shape"), ls_ref (tensor), NULL),
                                                                        NULL, NULL, ls_array_of (ls_shape_struct_info_new (NULL, ndim), NULL)), NULL);
  for (guint i = 0; i < ndim; i++)
    g_ptr_array_add (symbols, ls_var_new ("s", LS_INT64));
  list = ls_legalize_keep (self, ls_array_take_ptr_array (symbols));
  info = ls_shape_struct_info_new (ls_ref (list), 0);
  ls_block_builder_emit_match_cast (self->builder, shape, info, NULL);
  return list;
}

static LsNode *
dynamic_strided_slice (LsLegalize *self)
{
  g_autoptr (LsTeBridge) te = ls_te_bridge_new (self->builder);
  g_autoptr (LsArray) outputs = NULL;
  LsTeTensor *x[4], *shape;
  LsArray *symbols;
  LsNode *call;

  for (guint i = 0; i < 4; i++)
    {
      if ((x[i] = ls_te_bridge_tensor (te, self->call->args->items[i], NULL)) == NULL)
        return ls_legalize_stay (self);
      ls_legalize_keep (self, x[i]);
    }
  if ((shape = slice_shape (self, x[0], x[1], x[2], x[3])) == NULL)
    return NULL;
  outputs = ls_array_of (shape, NULL);
  if ((call = ls_te_bridge_call (te, outputs, "shape_func", NULL, &self->error)) == NULL)
    return NULL;
  symbols = slice_symbols (self, x[0]->shape->n, call);
  for (guint i = 0; i < 4; i++)
    x[i] = ls_legalize_tensor (self, i);
  symbols = ls_legalize_keep (self, ls_te_bridge_exprs (self->te, symbols));
  return ls_legalize_one (self, ls_topi_dynamic_strided_slice (x[0], x[1], x[2], x[3], symbols, &self->error));
}

/* ---- gather, scatter -------------------------------------------------------------------- */

/* The last axis in front: topi takes indices so. */
static LsTeTensor *
last_first (LsLegalize *self,
            LsTeTensor *x)
{
  GPtrArray *axes = g_ptr_array_new ();

  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (axes, ls_int (i == 0 ? x->shape->n - 1 : i - 1));
  return ls_legalize_stage (self, ls_topi_transpose (x, ls_legalize_keep (self, ls_array_take_ptr_array (axes)), &self->error));
}

static LsNode *
gather_elements (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *at = ls_legalize_tensor (self, 1);

  return ls_legalize_one (self, x != NULL && at != NULL ? ls_topi_gather (x, ls_legalize_int (self, "axis", 0), at, &self->error) : NULL);
}

static LsNode *
gather_nd (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *at = ls_legalize_tensor (self, 1);

  at = x != NULL && at != NULL ? last_first (self, at) : NULL;
  return ls_legalize_one (self, at != NULL ? ls_topi_gather_nd (x, at, ls_legalize_int (self, "batch_dims", 0), &self->error) : NULL);
}

/* The place on an axis that an index tensor names at a place of the result: its axes are the last of those that all index tensors have in
 * common, and -1 is the last element. */
static LsExpr *
place_of (LsTeTensor *at,
          LsArray    *vars,
          guint       rank,
          LsExpr     *extent)
{
  GPtrArray *indices = g_ptr_array_new ();
  LsExpr *index, *wrapped;

  for (guint i = 0; i < at->shape->n; i++)
    g_ptr_array_add (indices, ls_is_one (at->shape->items[i]) ? LS_NODE (ls_extent (0)) : ls_node_ref (vars->items[rank - at->shape->n + i]));
  index = ls_cast (LS_INT64, ls_te_load (at, ls_array_take_ptr_array (indices)));
  wrapped = ls_add (ls_ref (index), ls_cast (LS_INT64, ls_ref (extent)));
  return ls_if_then_else (ls_lt (ls_ref (index), ls_extent (0)), wrapped, index);
}

/* TVM v0.20 has no function for it and builds no program that has it. */
static LsNode *
index_tensor (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  LsArray *at = ls_legalize_tensors (self, 1), *shape = ls_legalize_shape (self), *axes;
  g_autoptr (LsArray) vars = NULL;
  GPtrArray *indices;
  guint rank;

  if (x == NULL || at == NULL || shape == NULL)
    return ls_legalize_stay (self);
  rank = shape->n + at->n - x->shape->n;
  axes = ls_te_axes (shape, "ax*");
  vars = ls_te_axis_vars (axes);
  indices = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (indices, i < at->n ? LS_NODE (place_of (ls_array_at (at, i, LsTeTensor), vars, rank, ls_array_at (x->shape, i, LsExpr)))
                                        : ls_node_ref (vars->items[rank + i - at->n]));
  return ls_legalize_one (self, ls_te_compute ("T_index_tensor", "injective", NULL, axes, ls_te_load (x, ls_array_take_ptr_array (indices)), &self->error));
}

static LsNode *
index_put (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  LsArray *at = ls_legalize_tensors (self, 1);
  LsTeTensor *values = ls_legalize_tensor (self, 2);

  if (x == NULL || at == NULL || values == NULL)
    return ls_legalize_stay (self);
  return ls_legalize_one (self, ls_topi_index_put (x, at, values, ls_infer_int (&self->infer, "accumulate", 0) != 0, &self->error));
}

static LsNode *
scatter_elements (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *at = ls_legalize_tensor (self, 1), *updates = ls_legalize_tensor (self, 2);

  return ls_legalize_one (self, x != NULL && at != NULL && updates != NULL
                          ? ls_topi_scatter_elements (x, at, updates, ls_legalize_int (self, "axis", 0), ls_legalize_str (self, "reduction"), &self->error)
                          : NULL);
}

static LsNode *
scatter_nd (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *at = ls_legalize_tensor (self, 1), *updates = ls_legalize_tensor (self, 2);

  at = x != NULL && at != NULL && updates != NULL ? last_first (self, at) : NULL;
  return ls_legalize_one (self, at != NULL ? ls_topi_scatter_nd (x, at, updates, ls_legalize_str (self, "reduction"), &self->error) : NULL);
}

static LsNode *
slice_scatter (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *src = ls_legalize_tensor (self, 1);
  LsExpr *bounds[3];

  for (guint i = 0; i < 3; i++)
    {
      bounds[i] = self->call->args->n > 2 + i ? ls_legalize_scalar (self, self->call->args->items[2 + i]) : NULL;
      if (bounds[i] == NULL)
        return ls_legalize_stay (self);
    }
  return ls_legalize_one (self, ls_topi_slice_scatter (x, src, bounds[0], bounds[1], bounds[2], ls_legalize_int (self, "axis", 0), &self->error));
}

static LsNode *
bucketize (LsLegalize *self)
{
  return ls_legalize_one (self, ls_topi_bucketize (ls_legalize_tensor (self, 0), ls_legalize_tensor (self, 1), ls_infer_int (&self->infer, "right", 0) != 0,
                                                   ls_infer_int (&self->infer, "out_int32", 0) != 0 ? LS_INT32 : LS_INT64, &self->error));
}

const LsLegalizeRow ls_legalize_index[] = {
  { "bucketize", bucketize },
  { "dynamic_strided_slice", dynamic_strided_slice, NULL, TRUE }, { "gather_elements", gather_elements, "gather" }, { "gather_nd", gather_nd },
  { "index_put", index_put }, { "index_tensor", index_tensor }, { "scatter_elements", scatter_elements }, { "scatter_nd", scatter_nd }, { "slice_scatter", slice_scatter },
  { "strided_slice", strided_slice }, { "take", take },
  { NULL }
};
