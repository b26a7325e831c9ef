/* fx/rules-aten: operators that only programs of torch.export have: those that run_decompositions() leaves, those with several results of which
 * the rest is for training, and those whose arguments stand in another order than in torch. */
#include "engine/frontend/frontend-private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MOST_PARTS 256

/* A result and `n` more, which are statistics of training and are not made. */
static LsFxValue *
first_of (LsFxImport *self,
          LsFxValue  *y,
          guint       n)
{
  LsFxValue *items[3] = { y, ls_fx_none (self), ls_fx_none (self) };

  return y != NULL ? ls_fx_list (self, items, 1 + n) : NULL;
}

/* ---- normalisation ------------------------------------------------------------------------- */

static LsFxValue *
native_layer_norm (LsFxImport *self)
{
  return first_of (self, ls_fx_layer_norm (self), 2);
}

/* (input, weight, bias, N, C, HxW, group, eps) */
static LsFxValue *
native_group_norm (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *gamma = ls_fx_arg (self, "weight", 1), *beta = ls_fx_arg (self, "bias", 2), *channels, **axes, *y;
  LsFxValue *groups = ls_fx_needed (self, "group", 6), *eps = ls_fx_needed (self, "eps", 7);

  if (shape == NULL || groups == NULL || eps == NULL || shape->n < 3)
    return shape != NULL ? ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a tensor of at least three dimensions is expected") : NULL;
  channels = ls_fx_list (self, &shape->items[1], 1);
  gamma = gamma != NULL ? gamma : ls_fx_filled (self, 1, channels, ls_fx_dtype (self, x));
  beta = beta != NULL ? beta : ls_fx_filled (self, 0, channels, ls_fx_dtype (self, x));
  axes = ls_fx_alloc (self, shape->n * sizeof *axes);
  for (guint i = 2; i < shape->n; i++)
    axes[i - 2] = ls_fx_int (self, i);
  y = ls_fx_call (self, "nn.group_norm", x, gamma, beta, LS_FX_BY_NAME, "num_groups", groups, "channel_axis", ls_fx_int (self, 1),
                  "axes", ls_fx_list (self, axes, shape->n - 2), "epsilon", eps, NULL);
  return first_of (self, y, 2);
}

/* _native_batch_norm_legit.no_stats (input, weight, bias, training, momentum, eps): of the batch itself, as instance_norm becomes. */
static LsFxValue *
batch_norm_of_batch (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *gamma = ls_fx_arg (self, "weight", 1), *beta = ls_fx_arg (self, "bias", 2), *eps = ls_fx_needed (self, "eps", 5);
  LsFxValue **axes, **extents, *over, *keep = ls_fx_bool (self, TRUE), *mean, *variance, *y;

  if (!g_str_has_suffix (self->node->target, ".no_stats"))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "batch_norm that is in training is not supported");
  if (shape == NULL || eps == NULL || shape->n < 2)
    return shape != NULL ? ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a tensor of at least two dimensions is expected") : NULL;
  axes = ls_fx_alloc (self, shape->n * sizeof *axes);
  extents = ls_fx_alloc (self, shape->n * sizeof *extents);
  for (guint i = 0; i < shape->n; i++)
    {
      if (i != 1)
        axes[i > 1 ? i - 1 : i] = ls_fx_int (self, i);
      extents[i] = ls_fx_int (self, i == 1 ? -1 : 1);
    }
  over = ls_fx_list (self, axes, shape->n - 1);
  mean = ls_fx_call (self, "mean", x, over, keep, NULL);
  variance = ls_fx_call (self, "variance", x, over, keep, NULL);
  y = ls_fx_call (self, "subtract", x, mean, NULL);
  y = variance != NULL ? ls_fx_call (self, "divide", y, ls_fx_call (self, "sqrt", ls_fx_call (self, "add", variance, eps, NULL), NULL), NULL) : NULL;
  if (gamma != NULL)
    y = ls_fx_call (self, "multiply", y, ls_fx_call (self, "reshape", gamma, ls_fx_list (self, extents, shape->n), NULL), NULL);
  if (beta != NULL)
    y = ls_fx_call (self, "add", y, ls_fx_call (self, "reshape", beta, ls_fx_list (self, extents, shape->n), NULL), NULL);
  return first_of (self, y, 2);
}

/* A row of -inf alone gives zeros. */
static LsFxValue *
safe_softmax (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *dim = ls_fx_needed (self, "dim", 1), *highest, *y, *nothing;
  LsDType dtype = ls_fx_dtype (self, x);

  if (x == NULL || dim == NULL)
    return NULL;
  y = ls_fx_call (self, "nn.softmax", x, dim, NULL);
  highest = ls_fx_call (self, "max", x, dim, ls_fx_bool (self, TRUE), NULL);
  nothing = highest != NULL ? ls_fx_call (self, "equal", highest, ls_fx_scalar (self, ls_fx_real (self, -INFINITY), dtype), NULL) : NULL;
  return ls_fx_call (self, "where", nothing, ls_fx_scalar (self, ls_fx_real (self, 0), dtype), y, NULL);
}

/* ---- parts ------------------------------------------------------------------------------------ */

/* select (input, dim, index): an index from the end is counted from the front. */
static LsFxValue *
pick (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *at = ls_fx_needed (self, "index", 2), *axis, *begin, *end, *one = ls_fx_int (self, 1);
  gint64 dim = ls_fx_whole (self, ls_fx_needed (self, "dim", 1), "dim", 0), i;

  if (shape == NULL || at == NULL || !ls_fx_dimension (self, &dim, shape->n))
    return NULL;
  axis = ls_fx_int (self, dim);
  if (at->kind == LS_FX_INT && (at->i >= 0 || shape->items[dim]->kind == LS_FX_INT))
    {
      i = at->i + (at->i < 0 ? shape->items[dim]->i : 0);
      return ls_fx_call (self, "take", x, ls_fx_scalar (self, ls_fx_int (self, i), LS_INT64), axis, NULL);
    }
  if (at->kind != LS_FX_INT && !(at->kind == LS_FX_NODE && !ls_is_relax_expr (at->node)))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "an index is a number, not %s", ls_fx_describe (self, at));
  begin = at->kind == LS_FX_NODE ? at : ls_fx_node (self, ls_add (ls_ref (LS_EXPR (shape->items[dim]->node)), ls_int_imm_new (LS_INT64, at->i)));
  end = ls_fx_node (self, ls_add (ls_ref (LS_EXPR (begin->node)), ls_int_imm_new (LS_INT64, 1)));
  x = ls_fx_call (self, "strided_slice", x, ls_fx_list (self, &axis, 1), ls_fx_list (self, &begin, 1), ls_fx_list (self, &end, 1), ls_fx_list (self, &one, 1), NULL);
  return ls_fx_call (self, "squeeze", x, axis, NULL);
}

/* How many elements a mask lets through only a run knows: that extent is a variable of its own. */
LsFxValue *
ls_fx_masked (LsFxImport *self,
              LsFxValue  *x,
              LsFxValue  *mask)
{
  LsFxValue *shape = ls_fx_shape (self, x), *over = ls_fx_shape (self, mask), **extents, *places;
  LsNode *info;

  if (shape == NULL || over == NULL)
    return NULL;
  for (guint i = 0; i < over->n; i++)
    if (i >= shape->n || (shape->items[i]->kind == LS_FX_INT && over->items[i]->kind == LS_FX_INT && shape->items[i]->i != over->items[i]->i))
      return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a mask has the extents of what it chooses from, from the first dimension on");
  if (over->n != 1)
    {
      extents = ls_fx_alloc (self, (shape->n + 1) * sizeof *extents);
      extents[0] = ls_fx_int (self, -1);
      for (guint i = over->n; i < shape->n; i++)
        extents[i - over->n + 1] = shape->items[i];
      x = ls_fx_call (self, "reshape", x, ls_fx_list (self, extents, shape->n - over->n + 1), NULL);
      mask = ls_fx_call (self, "reshape", mask, ls_fx_list (self, extents, 1), NULL);
    }
  places = mask != NULL ? ls_fx_call (self, "nonzero", mask, NULL) : NULL;
  if (x == NULL || places == NULL)
    return NULL;
  info = ls_fx_keep (self, ls_tensor_struct_info_new (ls_shape_expr_new (ls_array_of (ls_int_imm_new (LS_INT64, 1), ls_var_new ("chosen", LS_INT64), NULL)), LS_UNKNOWN_NDIM, LS_INT64, NULL));
  places = ls_fx_node (self, ls_ref (ls_block_builder_emit_match_cast (self->builder, places->node, (LsStructInfo *) info, NULL)));
  places = ls_fx_call (self, "squeeze", places, ls_fx_int (self, 0), NULL);
  return ls_fx_call (self, "take", x, places, ls_fx_int (self, 0), NULL);
}

/* index (input, indices), which may leave out dimensions: x[:, i].  The dimensions that are indexed come to the front, and what they become goes
 * where they were, or, where they do not stand together, stays in front. */
static LsFxValue *
index_tensor (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *indices = ls_fx_needed (self, "indices", 1), **order, **tensors, *y, *part;
  guint n = 0, rest, rank = 0, from = 0, last = 0, moved;
  gboolean together = TRUE;

  if (shape == NULL || indices == NULL)
    return NULL;
  if (indices->kind != LS_FX_LIST || indices->n > shape->n || indices->n > 16)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a list of at most %u indices is expected", shape->n);
  order = ls_fx_alloc (self, (2 * shape->n + 1) * sizeof *order);
  tensors = ls_fx_alloc (self, (indices->n + 1) * sizeof *tensors);
  for (guint i = 0; i < indices->n; i++)
    {
      if (indices->items[i]->kind == LS_FX_NONE)
        continue;
      part = ls_fx_is_tensor (self, indices->items[i]) ? ls_fx_shape (self, indices->items[i]) : NULL;
      if (part != NULL && ls_dtype_is_bool (ls_fx_dtype (self, indices->items[i])) && i == 0 && indices->n == 1)
        return ls_fx_masked (self, x, indices->items[0]);
      if (part == NULL || ls_dtype_is_bool (ls_fx_dtype (self, indices->items[i])))
        return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "an index is a tensor of whole numbers, not %s", part != NULL ? "a mask" : ls_fx_describe (self, indices->items[i]));
      together &= n == 0 || last + 1 == i;
      from = n == 0 ? i : from;
      last = i;
      rank = MAX (rank, part->n);
      order[n] = ls_fx_int (self, i);
      tensors[n++] = indices->items[i];
    }
  if (n == 0)
    return x;
  rest = n;
  for (guint i = 0; i < shape->n; i++)
    if (i >= indices->n || indices->items[i]->kind == LS_FX_NONE)
      order[rest++] = ls_fx_int (self, i);
  y = from > 0 || !together ? ls_fx_call (self, "permute_dims", x, ls_fx_list (self, order, shape->n), NULL) : x;
  y = ls_fx_call (self, "index_tensor", y, ls_fx_list (self, tensors, n), NULL);
  if (from == 0 || !together)
    return y;
  moved = rank + shape->n - n;
  order = ls_fx_alloc (self, moved * sizeof *order);
  for (guint i = 0; i < moved; i++)
    order[i] = ls_fx_int (self, i < from ? rank + i : i < from + rank ? i - from : i);
  return ls_fx_call (self, "permute_dims", y, ls_fx_list (self, order, moved), NULL);
}

/* max.dim, min.dim: values and where they are. */
LsFxValue *
ls_fx_extreme_along (LsFxImport *self,
                     gboolean    most)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *dim = ls_fx_needed (self, "dim", 1), *keep = ls_fx_arg (self, "keepdim", 2), *items[2];

  if (x == NULL || dim == NULL)
    return NULL;
  keep = keep != NULL ? keep : ls_fx_bool (self, FALSE);
  items[0] = ls_fx_call (self, most ? "max" : "min", x, dim, keep, NULL);
  items[1] = ls_fx_call (self, most ? "argmax" : "argmin", x, dim, keep, NULL);
  return items[0] != NULL && items[1] != NULL ? ls_fx_list (self, items, 2) : NULL;
}

/* unfold (input, dim, size, step): windows, whose elements are the last dimension. */
static LsFxValue *
unfold (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), **parts, *axis, *by;
  gint64 dim = ls_fx_whole (self, ls_fx_needed (self, "dimension", 1), "dimension", 0), size = ls_fx_whole (self, ls_fx_needed (self, "size", 2), "size", 1), step = ls_fx_whole (self, ls_fx_needed (self, "step", 3), "step", 1);

  if (shape == NULL || !ls_fx_dimension (self, &dim, shape->n))
    return NULL;
  if (shape->items[dim]->kind != LS_FX_INT || size < 1 || size > MOST_PARTS || step < 1 || size > shape->items[dim]->i)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "windows of 1 to %d elements of a constant extent are supported", MOST_PARTS);
  parts = ls_fx_alloc (self, (gsize) size * sizeof *parts);
  axis = ls_fx_int (self, dim);
  by = ls_fx_int (self, step);
  for (gint64 i = 0; i < size; i++)
    {
      LsFxValue *begin = ls_fx_int (self, i), *end = ls_fx_int (self, i + (shape->items[dim]->i - size) / step * step + 1);

      parts[i] = ls_fx_call (self, "strided_slice", x, ls_fx_list (self, &axis, 1), ls_fx_list (self, &begin, 1), ls_fx_list (self, &end, 1), ls_fx_list (self, &by, 1), NULL);
      if (parts[i] == NULL)
        return NULL;
    }
  return ls_fx_call (self, "stack", ls_fx_list (self, parts, (guint) size), ls_fx_int (self, shape->n), NULL);
}

static LsFxValue *
broadcast_tensors (LsFxImport *self)
{
  LsFxValue *list = ls_fx_needed (self, "tensors", 0), **extents, **items;
  guint n = 0;

  if (list == NULL || list->kind != LS_FX_LIST || list->n == 0 || list->n > MOST_PARTS)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a list of tensors is expected");
  for (guint i = 0; i < list->n; i++)
    {
      LsFxValue *shape = ls_fx_shape (self, list->items[i]);

      if (shape == NULL)
        return NULL;
      n = MAX (n, shape->n);
    }
  extents = ls_fx_alloc (self, n * sizeof *extents);
  for (guint i = 0; i < n; i++)
    extents[i] = ls_fx_int (self, 1);
  for (guint i = 0; i < list->n; i++)
    {
      LsFxValue *shape = ls_fx_shape (self, list->items[i]);

      for (guint k = 0; k < shape->n; k++)
        if (!(shape->items[k]->kind == LS_FX_INT && shape->items[k]->i == 1))
          extents[n - shape->n + k] = shape->items[k];
    }
  items = ls_fx_alloc (self, list->n * sizeof *items);
  for (guint i = 0; i < list->n; i++)
    if ((items[i] = ls_fx_call (self, "broadcast_to", list->items[i], ls_fx_list (self, extents, n), NULL)) == NULL)
      return NULL;
  return ls_fx_list (self, items, list->n);
}

/* ---- elements -------------------------------------------------------------------------------------- */

/* NaN becomes a number (0), infinities the farthest ones. */
static LsFxValue *
nan_to_num (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *nan = ls_fx_arg (self, "nan", 1), *high = ls_fx_arg (self, "posinf", 2), *low = ls_fx_arg (self, "neginf", 3), *y;
  LsDType dtype = ls_fx_dtype (self, x);
  double most = ls_dtype_bytes (dtype) == 8 ? DBL_MAX : ls_dtype_bytes (dtype) == 2 ? 65504 : (double) FLT_MAX;

  if (x == NULL || !ls_dtype_is_float (dtype))
    return x;
  y = ls_fx_call (self, "where", ls_fx_call (self, "isnan", x, NULL), ls_fx_scalar (self, nan != NULL ? nan : ls_fx_real (self, 0), dtype), x, NULL);
  for (guint i = 0; i < 2 && y != NULL; i++)
    {
      LsFxValue *end = ls_fx_scalar (self, ls_fx_real (self, i == 0 ? INFINITY : -INFINITY), dtype), *given = i == 0 ? high : low;

      y = ls_fx_call (self, "where", ls_fx_call (self, "equal", y, end, NULL), ls_fx_scalar (self, given != NULL ? given : ls_fx_real (self, i == 0 ? most : -most), dtype), y, NULL);
    }
  return y;
}

/* mse_loss, l1_loss (input, target, reduction); smooth_l1_loss has beta, huber_loss delta behind. */
static LsFxValue *
loss (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *target = ls_fx_needed (self, "target", 1), *edge = ls_fx_arg (self, strcmp (self->name, "huber_loss") == 0 ? "delta" : "beta", 3), *y, *far, *square;
  gboolean smooth = strcmp (self->name, "smooth_l1_loss") == 0, huber = strcmp (self->name, "huber_loss") == 0;
  double at = edge != NULL && ls_fx_is_number (edge) ? ls_fx_number (edge) : 1;
  LsFxValue *how = ls_fx_arg (self, "reduction", 2);

  if (strstr (self->node->target, "aten.") == NULL)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a loss is translated in programs of torch.export");
  if (x == NULL || target == NULL)
    return NULL;
  y = ls_fx_call (self, "subtract", x, target, NULL);
  square = ls_fx_call (self, "multiply", y, y, NULL);
  y = strcmp (self->name, "mse_loss") == 0 ? square : ls_fx_call (self, "abs", y, NULL);
  if ((smooth || huber) && at > 0)      /* a parabola near 0, and its tangent */
    {
      square = ls_fx_call (self, "multiply", square, ls_fx_real (self, smooth ? 0.5 / at : 0.5), NULL);
      far = ls_fx_call (self, "subtract", y, ls_fx_real (self, at / 2), NULL);
      far = huber ? ls_fx_call (self, "multiply", far, ls_fx_real (self, at), NULL) : far;
      y = ls_fx_call (self, "where", ls_fx_call (self, "less", y, ls_fx_real (self, at), NULL), square, far, NULL);
    }
  switch (ls_fx_whole (self, how, "reduction", 1))
    {
    case 0: return y;
    case 1: return ls_fx_call (self, "mean", y, NULL);
    case 2: return ls_fx_call (self, "sum", y, NULL);
    default: return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "`reduction` is 0 (none), 1 (mean) or 2 (sum)");
    }
}

const LsFxHandler ls_fx_handlers_aten[] = {
  { "native_layer_norm", native_layer_norm }, { "native_group_norm", native_group_norm }, { "_native_batch_norm_legit", batch_norm_of_batch }, { "_safe_softmax", safe_softmax },
  { "select", pick }, { "index", index_tensor }, { "unfold", unfold }, { "broadcast_tensors", broadcast_tensors }, { "nan_to_num", nan_to_num },
  { "mse_loss l1_loss smooth_l1_loss huber_loss", loss },
  { NULL, NULL }
};
