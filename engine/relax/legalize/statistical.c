/* legalize/statistical: reductions, mean and variance made of them, argmax, medians. */
#include "engine/relax/legalize/legalize.h"

static LsNode *
reduce (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_reduce (self->row->name, x, ls_legalize_ints (self, "axis"),
                                                            ls_legalize_int (self, "keepdims", 0) != 0, &self->error) : NULL);
}

/* How many elements are summed. */
static LsExpr *
summed (LsLegalize *self,
        LsTeTensor *x,
        LsArray    *axes)
{
  LsExpr *product = ls_int (1);
  guint n = axes != NULL ? axes->n : x->shape->n;

  for (guint i = 0; i < n; i++)
    {
      gint64 axis = i;

      if (axes != NULL)
        ls_as_int (axes->items[i], &axis);
      product = ls_mul (product, ls_ref (LS_EXPR (x->shape->items[axis < 0 ? axis + (gint64) x->shape->n : axis])));
    }
  return ls_legalize_keep (self, product);
}

static LsTeTensor *
mean (LsLegalize *self,
      LsTeTensor *x,
      LsArray    *axes,
      gboolean    keepdims)
{
  LsTeTensor *sum = x != NULL ? ls_legalize_stage (self, ls_topi_reduce ("sum", x, axes, keepdims, &self->error)) : NULL;

  return sum != NULL ? ls_legalize_binary (self, "divide", sum, summed (self, x, axes)) : NULL;
}

static gboolean
is_whole (LsTeTensor *x)
{
  return x->dtype.code == LS_TYPE_INT || x->dtype.code == LS_TYPE_UINT;
}

/* The mean of whole numbers is one of them, as the operator says; their sum need not be.  TVM sums in their type and gives int64. */
static LsNode *
legalize_mean (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *found;
  LsArray *axes = ls_legalize_ints (self, "axis");
  gboolean keeps = ls_legalize_int (self, "keepdims", 0) != 0;

  if (x == NULL || !is_whole (x) || x->dtype.bits >= 64)
    return ls_legalize_one (self, ls_ref (mean (self, x, axes, keeps)));
  found = mean (self, ls_legalize_stage (self, ls_topi_cast (x, LS_INT64, &self->error)), axes, keeps);
  return ls_legalize_one (self, found != NULL ? ls_topi_cast (found, x->dtype, &self->error) : NULL);
}

static LsTeTensor *
variance (LsLegalize *self,
          LsTeTensor *x)
{
  LsArray *axes = ls_legalize_ints (self, "axis");
  LsTeTensor *off = ls_legalize_binary (self, "subtract", x, mean (self, x, axes, TRUE));

  return mean (self, ls_legalize_binary (self, "multiply", off, off), axes, ls_legalize_int (self, "keepdims", 0) != 0);
}

/* Of whole numbers it is computed as of real ones, and is one of theirs without its fraction, as the operator says.  TVM takes it around a mean
 * without its fraction, in their type, and gives int64.  What the type does not hold is its highest number, as in every cast of a float. */
static LsNode *
legalize_variance (LsLegalize *self)
{
  gboolean is_std = g_str_equal (self->row->name, "std");
  LsTeTensor *x = ls_legalize_tensor (self, 0), *found;
  gboolean whole = x != NULL && is_whole (x);

  found = variance (self, whole ? ls_legalize_stage (self, ls_topi_cast (x, LS_FLOAT64, &self->error)) : x);
  if (is_std)
    found = ls_legalize_unary (self, "sqrt", found);
  if (!whole || found == NULL)
    return ls_legalize_one (self, ls_ref (found));
  return ls_legalize_one (self, ls_topi_cast (found, x->dtype, &self->error));
}

static LsNode *
arg_reduce (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_arg_reduce (self->row->name, x, ls_legalize_ints (self, "axis"),
                                                                ls_legalize_int (self, "keepdims", 0) != 0, FALSE, &self->error) : NULL);
}

/* How many running sums of the row are not greater than the drawn number is the first place where one is; the last place is for what rounding
 * leaves over.  TVM leaves this to DispatchSampling, without which it builds no program that draws. */
static LsNode *
multinomial (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *u = ls_legalize_tensor (self, 1), *at = ls_legalize_tensor (self, 2), *sums, *count;
  LsDType dtype = ls_infer_dtype (&self->infer, "dtype", LS_INT64);
  g_autoptr (LsIterVar) k = NULL;
  g_autoptr (LsArray) vars = NULL;
  g_autoptr (LsArray) places = NULL;
  LsArray *axes;
  LsExpr *sum, *row;
  gint64 axis = 1;

  if (x == NULL || u == NULL || at == NULL)
    return ls_legalize_stay (self);
  if ((sums = ls_legalize_stage (self, ls_topi_scan ("cumsum", x, &axis, &u->dtype, FALSE, &self->error))) == NULL)
    return NULL;
  k = ls_te_reduce_range ("k", ls_array_at (x->shape, 1, LsExpr));
  axes = ls_te_axes (u->shape, "ax*");
  vars = ls_te_axis_vars (axes);
  row = ls_cast (LS_INT64, ls_te_load (at, ls_ref (vars)));
  sum = ls_te_load (sums, ls_array_of (row, ls_te_iter (k), NULL));
  count = ls_legalize_stage (self, ls_te_compute ("T_count", NULL, NULL, axes,
                                                  ls_te_sum (ls_cast (dtype, ls_le (sum, ls_te_load (u, ls_ref (vars)))), ls_array_of (ls_ref (k), NULL)), &self->error));
  if (count == NULL)
    return NULL;
  axes = ls_te_axes (u->shape, "ax*");
  places = ls_te_axis_vars (axes);
  return ls_legalize_one (self, ls_te_compute ("T_sample", "injective", NULL, axes,
                                               ls_min (ls_te_load (count, ls_ref (places)), ls_cast (dtype, ls_sub (ls_ref (ls_array_at (x->shape, 1, LsExpr)), ls_extent (1)))),
                                               &self->error));
}

/* The middle of the places sorted by what is there, the lower of two; an axis that is kept is read at 0. */
static LsNode *
median (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *order;
  LsArray *axis = ls_legalize_ints (self, "axis"), *shape, *axes;
  gboolean keepdims = ls_legalize_int (self, "keepdims", 0) != 0, all = axis == NULL || axis->n == 0;
  g_autoptr (LsArray) flat = NULL;
  GPtrArray *extents, *at;
  gint64 given = 0;
  guint along, next = 0;
  LsExpr *place;
  g_autoptr (LsArray) places = NULL;

  if (x == NULL || (!all && !ls_as_int (axis->items[0], &given)))
    return ls_legalize_stay (self);
  extents = g_ptr_array_new ();
  for (guint i = 0; all && keepdims && i < x->shape->n; i++)
    g_ptr_array_add (extents, ls_extent (1));
  if (all)
    {
      shape = ls_legalize_keep (self, ls_array_take_ptr_array (extents));
      flat = ls_array_of (ls_ref (summed (self, x, NULL)), NULL);
      if ((x = ls_legalize_stage (self, ls_topi_reshape (x, flat, &self->error))) == NULL)
        return NULL;
      along = 0;
    }
  else
    {
      along = (guint) (given < 0 ? given + x->shape->n : given);
      for (guint i = 0; i < x->shape->n; i++)
        if (i != along)
          g_ptr_array_add (extents, ls_node_ref (x->shape->items[i]));
        else if (keepdims)
          g_ptr_array_add (extents, ls_extent (1));
      shape = ls_legalize_keep (self, ls_array_take_ptr_array (extents));
    }
  if ((order = ls_legalize_stage (self, ls_topi_argsort (x, along, TRUE, LS_INT64, &self->error))) == NULL)
    return NULL;
  axes = ls_te_axes (shape, "ax*");
  at = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    if (i == along)
      {
        g_ptr_array_add (at, ls_floordiv (ls_sub (ls_ref (ls_array_at (x->shape, i, LsExpr)), ls_extent (1)), ls_extent (2)));
        next += keepdims ? 1 : 0;
      }
    else
      g_ptr_array_add (at, ls_te_axis (axes, next++));
  places = ls_array_take_ptr_array (at);
  place = ls_legalize_keep (self, ls_te_load (order, ls_ref (places)));
  ls_take (&places, ls_array_with (places, along, LS_NODE (place)));
  if (all)
    return ls_legalize_one (self, ls_te_compute ("T_median", "injective", NULL, axes, ls_te_load (x, ls_ref (places)), &self->error));
  return ls_legalize_many (self, ls_te_compute_many ("T_median", "injective", NULL, axes, ls_array_of (ls_te_load (x, ls_ref (places)), ls_ref (place), NULL),
                                                     &self->error));
}

const LsLegalizeRow ls_legalize_statistical[] = {
  { "median", median },
  { "multinomial_from_uniform", multinomial },
  { "argmax", arg_reduce }, { "argmin", arg_reduce }, { "max", reduce }, { "mean", legalize_mean }, { "min", reduce }, { "prod", reduce },
  { "std", legalize_variance }, { "sum", reduce }, { "variance", legalize_variance },
  { NULL }
};
