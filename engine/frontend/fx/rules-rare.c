/* fx/rules-rare: what few graphs have, and what torch.export calls otherwise than torch. */
#include "engine/frontend/frontend-private.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- extents ----------------------------------------------------------------------------------- */

/* A dimension that is a number; -1 after an error. */
static gint64
fixed (LsFxImport      *self,
       const LsFxValue *shape,
       guint            dim)
{
  if (dim < shape->n && shape->items[dim]->kind == LS_FX_INT)
    return shape->items[dim]->i;
  ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "dimension %u has to be constant", dim);
  return -1;
}

/* A list of numbers, or one as a list of one. */
static LsFxValue *
as_list (LsFxImport *self,
         LsFxValue  *value)
{
  return value == NULL || value->kind == LS_FX_LIST ? value : ls_fx_list (self, &value, 1);
}

static LsFxValue *
sliced (LsFxImport *self,
        LsFxValue  *x,
        gint64      dim,
        LsFxValue  *from,
        LsFxValue  *to,
        LsFxValue  *step)
{
  LsFxValue *axis = ls_fx_int (self, dim);

  return x == NULL ? NULL : ls_fx_call (self, "strided_slice", x, ls_fx_list (self, &axis, 1), ls_fx_list (self, &from, 1), ls_fx_list (self, &to, 1), ls_fx_list (self, &step, 1), NULL);
}

/* ---- elementwise ----------------------------------------------------------------------------------- */

/* One half of a dimension times the sigmoid of the other. */
static LsFxValue *
glu (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *one = ls_fx_int (self, 1), *half, *whole;
  gint64 dim = ls_fx_whole (self, self->module != NULL ? ls_fx_attr (self, "dim") : ls_fx_arg (self, "dim", 1), "dim", -1), extent;

  if (shape == NULL || !ls_fx_dimension (self, &dim, shape->n) || (extent = fixed (self, shape, (guint) dim)) < 0)
    return NULL;
  if (extent % 2 != 0)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a dimension of %" PRId64 " has no halves", extent);
  half = ls_fx_int (self, extent / 2);
  whole = ls_fx_int (self, extent);
  return ls_fx_call (self, "multiply", sliced (self, x, dim, ls_fx_int (self, 0), half, one),
                     ls_fx_call (self, "sigmoid", sliced (self, x, dim, half, whole, one), NULL), NULL);
}

/* log (sum (exp (x))), the largest taken out first unless it is infinite. */
static LsFxValue *
logsumexp (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *dim = ls_fx_needed (self, "dim", 1), *keep = ls_fx_arg (self, "keepdim", 2), *yes = ls_fx_bool (self, TRUE), *most, *sum;

  if (x == NULL || dim == NULL)
    return NULL;
  most = ls_fx_call (self, "max", x, LS_FX_BY_NAME, "axis", dim, "keepdims", yes, NULL);
  most = most != NULL ? ls_fx_call (self, "where", ls_fx_call (self, "isinf", most, NULL), ls_fx_scalar (self, ls_fx_int (self, 0), ls_fx_dtype (self, x)), most, NULL) : NULL;
  sum = most != NULL ? ls_fx_call (self, "sum", ls_fx_call (self, "exp", ls_fx_call (self, "subtract", x, most, NULL), NULL), LS_FX_BY_NAME, "axis", dim, "keepdims", yes, NULL) : NULL;
  sum = sum != NULL ? ls_fx_call (self, "add", ls_fx_call (self, "log", sum, NULL), most, NULL) : NULL;
  return sum == NULL || ls_fx_truth (keep, FALSE) ? sum : ls_fx_call (self, "squeeze", sum, dim, NULL);
}

/* x by its norm, which is at least eps. */
static LsFxValue *
normalize (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *p = ls_fx_arg (self, "p", 1), *dim = ls_fx_arg (self, "dim", 2), *eps = ls_fx_arg (self, "eps", 3), *yes = ls_fx_bool (self, TRUE), *size;
  double power = p != NULL && ls_fx_is_number (p) ? ls_fx_number (p) : 2;

  if (x == NULL)
    return NULL;
  dim = dim != NULL ? dim : ls_fx_int (self, 1);
  eps = eps != NULL ? eps : ls_fx_real (self, 1e-12);
  size = power == 2 ? ls_fx_call (self, "multiply", x, x, NULL) : ls_fx_call (self, "abs", x, NULL);
  if (power != 2 && power != 1 && !isinf (power))
    size = ls_fx_call (self, "power", size, ls_fx_real (self, power), NULL);
  size = size != NULL ? ls_fx_call (self, isinf (power) ? "max" : "sum", size, LS_FX_BY_NAME, "axis", dim, "keepdims", yes, NULL) : NULL;
  if (size != NULL && power != 1 && !isinf (power))
    size = power == 2 ? ls_fx_call (self, "sqrt", size, NULL) : ls_fx_call (self, "power", size, ls_fx_real (self, 1 / power), NULL);
  return size != NULL ? ls_fx_call (self, "divide", x, ls_fx_call (self, "maximum", size, eps, NULL), NULL) : NULL;
}

/* ---- order of dimensions, joining -------------------------------------------------------------------- */

static LsFxValue *
movedim (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *from = as_list (self, ls_fx_needed (self, "source", 1)), *to = as_list (self, ls_fx_needed (self, "destination", 2));
  LsFxValue *shape = ls_fx_shape (self, x), **axes;
  gboolean gone[64] = { FALSE };

  if (shape == NULL || from == NULL || to == NULL)
    return NULL;
  if (from->n != to->n || shape->n > G_N_ELEMENTS (gone))
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "as many places as dimensions that move are expected");
  axes = ls_fx_alloc (self, MAX (shape->n, 1) * sizeof *axes);
  for (guint i = 0; i < from->n; i++)
    {
      gint64 source = ls_fx_whole (self, from->items[i], "source", 0), place = ls_fx_whole (self, to->items[i], "destination", 0);

      if (!ls_fx_dimension (self, &source, shape->n) || !ls_fx_dimension (self, &place, shape->n))
        return NULL;
      if (gone[source] || axes[place] != NULL)
        return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a dimension moves twice");
      gone[source] = TRUE;
      axes[place] = ls_fx_int (self, source);
    }
  for (guint i = 0, source = 0; i < shape->n; i++)
    if (axes[i] == NULL)
      {
        while (gone[source])
          source++;
        axes[i] = ls_fx_int (self, source++);
      }
  return ls_fx_call (self, "permute_dims", x, ls_fx_list (self, axes, shape->n), NULL);
}

/* hstack, vstack, dstack, column_stack: of tensors that get the dimensions that they lack. */
static LsFxValue *
joined (LsFxImport *self)
{
  const char *name = self->name;
  LsFxValue *list = ls_fx_needed (self, "tensors", 0), **items;
  gboolean columns = strstr (name, "column_stack") != NULL, rows = strstr (name, "vstack") != NULL || strstr (name, "row_stack") != NULL, depth = strstr (name, "dstack") != NULL;
  guint n = 0, least = columns || rows ? 2 : depth ? 3 : 1;

  if (list == NULL || list->kind != LS_FX_LIST || list->n == 0)
    return list != NULL ? ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "its first argument is a list of tensors, not %s", ls_fx_describe (self, list)) : NULL;
  items = ls_fx_alloc (self, list->n * sizeof *items);
  for (guint i = 0; i < list->n; i++)
    {
      LsFxValue *shape = ls_fx_shape (self, list->items[i]), *wide[3], *one = ls_fx_int (self, 1);

      if (shape == NULL)
        return NULL;
      items[i] = list->items[i];
      n = MAX (n, shape->n);
      if (shape->n >= least)
        continue;
      for (guint k = 0; k < least; k++)
        wide[k] = one;
      if (shape->n == 1)        /* a vector is a column for column_stack, else a row */
        wide[columns ? 0 : least == 1 ? 0 : 1] = shape->items[0];
      if (shape->n == 2)
        {
          wide[0] = shape->items[0];
          wide[1] = shape->items[1];
        }
      if ((items[i] = ls_fx_call (self, "reshape", items[i], ls_fx_list (self, wide, least), NULL)) == NULL)
        return NULL;
    }
  return ls_fx_call (self, "concat", ls_fx_list (self, items, list->n), ls_fx_int (self, rows ? 0 : columns ? 1 : depth ? 2 : n > 1 ? 1 : 0), NULL);
}

/* (N, groups * c, ...) to (N, c * groups, ...), the two turned. */
static LsFxValue *
channel_shuffle (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), **cut, **axes, *y;
  gint64 groups = ls_fx_whole (self, self->module != NULL ? ls_fx_attr (self, "groups") : ls_fx_needed (self, "groups", 1), "groups", 0), channels;

  if (shape == NULL || (channels = fixed (self, shape, 1)) < 0)
    return NULL;
  if (groups < 1 || channels % groups != 0)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "%" PRId64 " channels are no whole number of groups", channels);
  cut = ls_fx_alloc (self, (shape->n + 1) * sizeof *cut);
  axes = ls_fx_alloc (self, (shape->n + 1) * sizeof *axes);
  for (guint i = 0; i <= shape->n; i++)
    {
      cut[i] = i == 1 ? ls_fx_int (self, groups) : i == 2 ? ls_fx_int (self, channels / groups) : shape->items[i > 2 ? i - 1 : i];
      axes[i] = ls_fx_int (self, i == 1 ? 2 : i == 2 ? 1 : i);
    }
  y = ls_fx_call (self, "permute_dims", ls_fx_call (self, "reshape", x, ls_fx_list (self, cut, shape->n + 1), NULL), ls_fx_list (self, axes, shape->n + 1), NULL);
  return y != NULL ? ls_fx_call (self, "reshape", y, shape, NULL) : NULL;
}

/* A vector on a diagonal of zeros, or the diagonal of a matrix. */
static LsFxValue *
diag (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *minus = ls_fx_int (self, -1), *zero = ls_fx_int (self, 0);
  gint64 k = ls_fx_whole (self, ls_fx_arg (self, "diagonal", 1), "diagonal", 0), n, m;

  if (shape == NULL || shape->n < 1 || shape->n > 2)
    return shape != NULL ? ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a vector or a matrix is expected") : NULL;
  if ((n = fixed (self, shape, 0)) < 0 || (shape->n == 2 && (m = fixed (self, shape, 1)) < 0))
    return NULL;
  if (shape->n == 1)
    {
      LsFxValue *sides[] = { ls_fx_int (self, MAX (-k, 0)), ls_fx_int (self, MAX (k, 0)) }, *size = ls_fx_int (self, n + ABS (k)), *square[] = { size, size }, *column[] = { size, ls_fx_int (self, 1) };
      LsFxValue *wide = ls_fx_call (self, "nn.pad", x, LS_FX_BY_NAME, "pad_width", ls_fx_list (self, sides, 2), NULL);
      LsFxValue *mask = ls_fx_call (self, "eye", size, size, ls_fx_int (self, k), LS_FX_BY_NAME, "dtype", ls_fx_text (self, LS_FX_DTYPE, "bool"), NULL);

      wide = ls_fx_call (self, "broadcast_to", ls_fx_call (self, "reshape", wide, ls_fx_list (self, column, 2), NULL), ls_fx_list (self, square, 2), NULL);
      return mask != NULL ? ls_fx_call (self, "where", mask, wide, ls_fx_scalar (self, zero, ls_fx_dtype (self, x)), NULL) : NULL;
    }
  {
    gint64 row = MAX (-k, 0), column = MAX (k, 0), count = MAX (MIN (n - row, m - column), 0), from = row * m + column;
    LsFxValue *flat = ls_fx_call (self, "reshape", x, ls_fx_list (self, &minus, 1), NULL);

    return sliced (self, flat, 0, ls_fx_int (self, count > 0 ? from : 0), ls_fx_int (self, count > 0 ? from + (count - 1) * (m + 1) + 1 : 0), ls_fx_int (self, m + 1));
  }
}

/* ---- products ------------------------------------------------------------------------------------------- */

/* The dimensions that are summed as the last (of a) or first (of b), then one: a matrix. */
static LsFxValue *
as_matrix (LsFxImport  *self,
           LsFxValue   *x,
           LsFxValue   *shape,
           const gint64 *summed,
           guint        n,
           gboolean     first)
{
  LsFxValue **axes = ls_fx_alloc (self, MAX (shape->n, 1) * sizeof *axes), *size[2], *all = ls_fx_int (self, -1);
  gint64 inner = 1;
  guint at = first ? n : 0;

  for (guint i = 0; i < n; i++)
    {
      gint64 extent = fixed (self, shape, (guint) summed[i]);

      if (extent < 0 || __builtin_mul_overflow (inner, extent, &inner))
        return NULL;
      axes[first ? i : shape->n - n + i] = ls_fx_int (self, summed[i]);
    }
  for (guint i = 0; i < shape->n; i++)
    {
      gboolean out = TRUE;

      for (guint k = 0; k < n; k++)
        out &= summed[k] != i;
      if (out)
        axes[at++] = ls_fx_int (self, i);
    }
  size[first ? 0 : 1] = ls_fx_int (self, inner);
  size[first ? 1 : 0] = all;
  return ls_fx_call (self, "reshape", ls_fx_call (self, "permute_dims", x, ls_fx_list (self, axes, shape->n), NULL), ls_fx_list (self, size, 2), NULL);
}

static LsFxValue *
tensordot (LsFxImport *self)
{
  LsFxValue *operands[] = { ls_fx_needed (self, "a", 0), ls_fx_needed (self, "b", 1) }, *dims = ls_fx_arg (self, "dims", 2), *shapes[2], **out, *y;
  gint64 summed[2][16];
  guint n, at = 0;

  if (operands[0] == NULL || operands[1] == NULL)
    return NULL;
  if (self->n_args > 3)         /* aten.tensordot has two lists */
    dims = ls_fx_list (self, self->args + 2, 2);
  shapes[0] = ls_fx_shape (self, operands[0]);
  shapes[1] = ls_fx_shape (self, operands[1]);
  if (shapes[0] == NULL || shapes[1] == NULL)
    return NULL;
  if (dims != NULL && dims->kind == LS_FX_LIST && (dims->n != 2 || as_list (self, dims->items[0])->n != as_list (self, dims->items[1])->n))
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "`dims` is a number or two lists of as many dimensions");
  n = dims == NULL ? 2 : dims->kind == LS_FX_LIST ? as_list (self, dims->items[0])->n : (guint) CLAMP (ls_fx_whole (self, dims, "dims", 2), 0, 100);
  if (n > G_N_ELEMENTS (summed[0]) || n > shapes[0]->n || n > shapes[1]->n)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "%u dimensions cannot be summed of tensors that have %u and %u", n, shapes[0]->n, shapes[1]->n);
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < n; i++)
      {
        summed[side][i] = dims != NULL && dims->kind == LS_FX_LIST ? ls_fx_whole (self, as_list (self, dims->items[side])->items[i], "dims", 0) : side == 0 ? (gint64) (shapes[0]->n - n + i) : i;
        if (!ls_fx_dimension (self, &summed[side][i], shapes[side]->n))
          return NULL;
        for (guint k = 0; k < i; k++)
          if (summed[side][k] == summed[side][i])
            return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a dimension is summed twice");
      }
  out = ls_fx_alloc (self, (shapes[0]->n + shapes[1]->n + 1) * sizeof *out);
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < shapes[side]->n; i++)
      {
        gboolean free = TRUE;

        for (guint k = 0; k < n; k++)
          free &= summed[side][k] != i;
        if (free)
          out[at++] = shapes[side]->items[i];
      }
  for (guint side = 0; side < 2; side++)
    if ((operands[side] = as_matrix (self, operands[side], shapes[side], summed[side], n, side == 1)) == NULL)
      return NULL;
  y = ls_fx_call (self, "matmul", operands[0], operands[1], NULL);
  return y != NULL ? ls_fx_call (self, "reshape", y, ls_fx_list (self, out, at), NULL) : NULL;
}

/* ---- places ----------------------------------------------------------------------------------------------- */

/* scatter (input, dim, index, src), or a number in place of src. */
static LsFxValue *
scatter (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *dim = ls_fx_needed (self, "dim", 1), *index = ls_fx_needed (self, "index", 2), *src = ls_fx_arg (self, "src", 3), *how = ls_fx_arg (self, "reduce", 4);
  const char *reduction = how != NULL && how->kind == LS_FX_TEXT && strcmp (how->s, "multiply") == 0 ? "mul" : how != NULL && how->kind == LS_FX_TEXT ? how->s : "update";

  if (src == NULL)
    src = ls_fx_needed (self, "value", 3);
  if (x == NULL || dim == NULL || index == NULL || src == NULL)
    return NULL;
  if (ls_fx_is_number (src))
    src = ls_fx_call (self, "full", ls_fx_shape (self, index), ls_fx_scalar (self, src, ls_fx_dtype (self, x)), ls_fx_text (self, LS_FX_DTYPE, ls_dtype_name (ls_fx_dtype (self, x))), NULL);
  return src != NULL ? ls_fx_call (self, "scatter_elements", x, index, src, dim, ls_fx_text (self, LS_FX_TEXT, reduction), NULL) : NULL;
}

/* aten.slice (x, dim, start, end, step): a negative end counts from the back, one behind the end is the end. */
/* The part has the extents that the graph states, where they are not fixed: x[:n] has n rows as the program demands n <= 32, which is looked at when it
 * runs; what is known of x alone is min (n, 32). */
static LsFxValue *
as_stated (LsFxImport *self,
           LsFxValue  *y)
{
  LsTensorStructInfo *info = y != NULL && ls_fx_is_tensor (self, y) ? ls_fx_keep (self, ls_block_builder_struct_info (self->builder, y->node)) : NULL;
  gboolean fixed_all = TRUE;
  LsArray *extents;
  LsNode *shape;

  for (guint i = 0; info != NULL && self->node->shape != NULL && i < json_array_get_length (self->node->shape); i++)
    fixed_all &= json_node_get_value_type (json_array_get_element (self->node->shape, i)) != G_TYPE_STRING;
  if (info == NULL || fixed_all || (extents = ls_fx_extents_read (self, self->node->shape, FALSE)) == NULL)
    {
      g_clear_error (&self->error);
      return y;
    }
  shape = ls_fx_keep (self, ls_shape_expr_new (extents));
  if (info->shape != NULL && ls_structural_equal (info->shape, shape, FALSE, NULL, NULL))
    return y;
  info = ls_fx_keep (self, ls_tensor_struct_info_new (ls_node_ref (shape), LS_UNKNOWN_NDIM, info->dtype, NULL));
  return ls_fx_node (self, ls_ref (ls_block_builder_emit_match_cast (self->builder, y->node, (LsStructInfo *) info, NULL)));
}

static LsFxValue *
slice (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *start = ls_fx_arg (self, "start", 2), *end = ls_fx_arg (self, "end", 3), *step = ls_fx_arg (self, "step", 4), *shape = ls_fx_shape (self, x);
  gint64 dim = ls_fx_whole (self, ls_fx_arg (self, "dim", 1), "dim", 0);

  if (shape == NULL || !ls_fx_dimension (self, &dim, shape->n))
    return NULL;
  end = end == NULL || (end->kind == LS_FX_INT && shape->items[dim]->kind == LS_FX_INT && end->i > shape->items[dim]->i) ? shape->items[dim] : end;
  return as_stated (self, sliced (self, x, dim, start != NULL ? start : ls_fx_int (self, 0), end, step != NULL ? step : ls_fx_int (self, 1)));
}

/* ---- layers ------------------------------------------------------------------------------------------------- */

/* x / (k + alpha * mean of the squares of `size` channels) ^ beta. */
static LsFxValue *
local_response (LsFxImport *self)
{
  static const char *const NAMES[] = { "size", "alpha", "beta", "k" };
  static const double OTHERWISE[] = { 0, 1e-4, 0.75, 1 };
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *squares, *sum = NULL, **widths;
  double given[4];
  gint64 size, channels;

  if (shape == NULL || (channels = fixed (self, shape, 1)) < 0)
    return NULL;
  for (guint i = 0; i < 4; i++)
    {
      LsFxValue *value = self->module != NULL ? ls_fx_attr (self, NAMES[i]) : ls_fx_arg (self, NAMES[i], 1 + i);

      given[i] = value != NULL && ls_fx_is_number (value) ? ls_fx_number (value) : OTHERWISE[i];
    }
  if (!(given[0] >= 1 && given[0] <= 64))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a window of 1 to 64 channels is expected");
  size = (gint64) given[0];
  widths = ls_fx_alloc (self, 2 * shape->n * sizeof *widths);
  for (guint i = 0; i < 2 * shape->n; i++)
    widths[i] = ls_fx_int (self, i == 2 ? size / 2 : i == 3 ? (size - 1) / 2 : 0);
  squares = ls_fx_call (self, "nn.pad", ls_fx_call (self, "multiply", x, x, NULL), LS_FX_BY_NAME, "pad_width", ls_fx_list (self, widths, 2 * shape->n), NULL);
  for (gint64 i = 0; squares != NULL && i < size; i++)
    {
      LsFxValue *part = sliced (self, squares, 1, ls_fx_int (self, i), ls_fx_int (self, i + channels), ls_fx_int (self, 1));

      sum = sum != NULL ? ls_fx_call (self, "add", sum, part, NULL) : part;
    }
  sum = sum != NULL ? ls_fx_call (self, "multiply", sum, ls_fx_real (self, given[1] / given[0]), NULL) : NULL;
  sum = sum != NULL ? ls_fx_call (self, "add", sum, ls_fx_real (self, given[3]), NULL) : NULL;
  sum = sum != NULL ? ls_fx_call (self, "power", sum, ls_fx_real (self, given[2]), NULL) : NULL;
  return sum != NULL ? ls_fx_call (self, "divide", x, sum, NULL) : NULL;
}

/* aten.cross_entropy_loss, whose reduction is a number. */
static LsFxValue *
cross_entropy_loss (LsFxImport *self)
{
  static const char *const REDUCTIONS[] = { "none", "mean", "sum" };
  LsFxValue *x = ls_fx_needed (self, "input", 0), *target = ls_fx_needed (self, "target", 1), *weight = ls_fx_arg (self, "weight", 2), *ignored = ls_fx_arg (self, "ignore_index", 4);
  LsFxValue *smoothing = ls_fx_arg (self, "label_smoothing", 5);
  gint64 how = ls_fx_whole (self, ls_fx_arg (self, "reduction", 3), "reduction", 1);

  if (x == NULL || target == NULL)
    return NULL;
  if (smoothing != NULL && ls_fx_is_number (smoothing) && ls_fx_number (smoothing) != 0)
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "`label_smoothing` is not supported");
  if (how < 0 || how > 2)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "`reduction` is 0 (none), 1 (mean) or 2 (sum)");
  return ls_fx_call (self, "nn.nll_loss", ls_fx_call (self, "nn.log_softmax", x, NULL), target, LS_FX_BY_NAME, "weights", weight,
                     "reduction", ls_fx_text (self, LS_FX_TEXT, REDUCTIONS[how]), "ignore_index", ignored != NULL ? ignored : ls_fx_int (self, -100), NULL);
}

/* A tensor for each channel: the one that was given, or this value everywhere. */
static LsFxValue *
per_channel (LsFxImport *self,
             const char *name,
             guint       position,
             LsFxValue  *shape,
             LsFxValue  *x,
             double      otherwise)
{
  LsFxValue *value = ls_fx_arg (self, name, position);

  return value != NULL ? value : ls_fx_filled (self, otherwise, ls_fx_list (self, &shape->items[1], 1), ls_fx_dtype (self, x));
}

/* In inference.  aten.batch_norm has the weights in front of the statistics, nn.functional.batch_norm behind them; its decompositions give the statistics too. */
static LsFxValue *
batch_norm (LsFxImport *self)
{
  gboolean aten = strstr (self->node->target, "aten.") != NULL, native = strstr (self->node->target, "_native") != NULL;
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *weight, *bias, *mean, *variance, *eps, *y;

  if (shape == NULL || shape->n < 2)
    return shape != NULL ? ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a tensor of at least two dimensions is expected") : NULL;
  if (!native && ls_fx_truth (ls_fx_arg (self, "training", 5), FALSE))
    return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "batch_norm that is in training is not supported");
  weight = per_channel (self, "weight", aten ? 1 : 3, shape, x, 1);
  bias = per_channel (self, "bias", aten ? 2 : 4, shape, x, 0);
  mean = per_channel (self, "running_mean", aten ? 3 : 1, shape, x, 0);
  variance = per_channel (self, "running_var", aten ? 4 : 2, shape, x, 1);
  eps = ls_fx_arg (self, "eps", native && strstr (self->node->target, "no_training") != NULL ? 6 : 7);
  y = ls_fx_call (self, "nn.batch_norm", x, weight, bias, mean, variance, LS_FX_BY_NAME, "axis", ls_fx_int (self, 1), "epsilon", eps != NULL ? eps : ls_fx_real (self, 1e-5),
                  "training", self->options->as_tvm ? NULL : ls_fx_bool (self, FALSE), NULL);
  return y == NULL || native ? y : ls_fx_emit (self, ls_tuple_get_item_new (ls_node_ref (y->node), 0));
}

static LsFxValue *
instance_norm (LsFxImport *self)
{
  gboolean aten = strstr (self->node->target, "aten.") != NULL;
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *eps = ls_fx_arg (self, "eps", 7), **axes;

  if (shape == NULL || shape->n < 3)
    return shape != NULL ? ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a tensor of at least three dimensions is expected") : NULL;
  axes = ls_fx_alloc (self, shape->n * sizeof *axes);
  for (guint i = 2; i < shape->n; i++)
    axes[i - 2] = ls_fx_int (self, i);
  return ls_fx_call (self, "nn.instance_norm", x, per_channel (self, "weight", aten ? 1 : 3, shape, x, 1), per_channel (self, "bias", aten ? 2 : 4, shape, x, 0), LS_FX_BY_NAME,
                     "channel_axis", ls_fx_int (self, 1), "axes", ls_fx_list (self, axes, shape->n - 2), "epsilon", eps != NULL && ls_fx_is_number (eps) ? eps : ls_fx_real (self, 1e-5), NULL);
}

/* aten.upsample_bilinear2d (x, size, align_corners, factors) and its like; the nearest pixel has no corners. */
static LsFxValue *
upsample (LsFxImport *self)
{
  gboolean nearest = strstr (self->node->target, "nearest") != NULL, tvm = ls_fx_as_tvm (self);
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *size = ls_fx_arg (self, "output_size", 1), *factors = as_list (self, ls_fx_arg (self, "scale_factors", nearest ? 2 : 3)), *items[2];
  gboolean corners = !nearest && ls_fx_truth (ls_fx_arg (self, "align_corners", 2), FALSE);

  if (shape == NULL || shape->n != 4)
    return shape != NULL ? ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "pictures (N, C, H, W) are resized") : NULL;
  for (guint i = 0; size == NULL && i < 2; i++)
    {
      LsFxValue *by = factors != NULL && factors->n > 0 ? factors->items[MIN (i, factors->n - 1)] : NULL;
      gint64 extent = fixed (self, shape, 2 + i);

      if (by == NULL || extent < 0 || !ls_fx_is_number (by) || !(ls_fx_number (by) > 0 && ls_fx_number (by) * (double) extent < 0x1p31))
        return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a size, or one or two factors, are expected");
      items[i] = ls_fx_int (self, (gint64) ((double) extent * ls_fx_number (by)));
    }
  return ls_fx_call (self, "image.resize2d", x, size != NULL ? size : ls_fx_list (self, items, 2), LS_FX_BY_NAME, "layout", ls_fx_text (self, LS_FX_TEXT, "NCHW"),
                     "method", ls_fx_text (self, LS_FX_TEXT, nearest ? "nearest_neighbor" : strstr (self->node->target, "cubic") != NULL ? "cubic" : "linear"),
                     "coordinate_transformation_mode", ls_fx_text (self, LS_FX_TEXT, corners ? "align_corners" : nearest && !tvm ? "asymmetric" : "half_pixel"),
                     "rounding_method", nearest && !tvm ? ls_fx_text (self, LS_FX_TEXT, "floor") : NULL, NULL);
}

const LsFxHandler ls_fx_handlers_rare[] = {
  { "glu module:GLU", glu }, { "logsumexp", logsumexp }, { "normalize", normalize }, { "movedim moveaxis", movedim }, { "hstack vstack row_stack dstack column_stack", joined },
  { "channel_shuffle native_channel_shuffle module:ChannelShuffle", channel_shuffle }, { "diag", diag }, { "tensordot", tensordot }, { "scatter", scatter }, { "slice", slice },
  { "local_response_norm module:LocalResponseNorm", local_response },
  { "batch_norm _native_batch_norm_legit_no_training _native_batch_norm_legit_functional", batch_norm }, { "instance_norm", instance_norm }, { "cross_entropy_loss", cross_entropy_loss },
  { "upsample_nearest2d upsample_bilinear2d upsample_bicubic2d", upsample },
  { NULL, NULL }
};
