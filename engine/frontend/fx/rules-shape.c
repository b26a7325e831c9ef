/* fx/rules-shape: the same elements in another shape or order, and parts of tensors. */
#include "engine/frontend/frontend-private.h"

#include <string.h>

static LsFxValue *
product (LsFxImport *self,
         LsFxValue  *a,
         LsFxValue  *b)
{
  gint64 i;

  if (a->kind == LS_FX_INT && b->kind == LS_FX_INT)
    return __builtin_mul_overflow (a->i, b->i, &i) ? ls_fx_fail (self, LS_FX_ERROR_GRAPH, "the shape is too large") : ls_fx_int (self, i);
  return ls_fx_node (self, ls_mul (a->kind == LS_FX_INT ? ls_int_imm_new (LS_INT64, a->i) : ls_ref (LS_EXPR (a->node)),
                                   b->kind == LS_FX_INT ? ls_int_imm_new (LS_INT64, b->i) : ls_ref (LS_EXPR (b->node))));
}

static LsFxValue *
flatten (LsFxImport *self)
{
  gboolean module = self->module != NULL;
  gint64 from = ls_fx_whole (self, module ? ls_fx_attr (self, "start_dim") : ls_fx_arg (self, "start_dim", 1), "start_dim", module ? 1 : 0);
  gint64 to = ls_fx_whole (self, module ? ls_fx_attr (self, "end_dim") : ls_fx_arg (self, "end_dim", 2), "end_dim", -1);
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), **items;
  guint n = 0;

  if (shape == NULL || !ls_fx_dimension (self, &from, shape->n) || !ls_fx_dimension (self, &to, shape->n))
    return NULL;
  items = ls_fx_alloc (self, shape->n * sizeof *items);
  for (gint64 i = 0; i < shape->n && self->error == NULL; i++)
    if (i > from && i <= to)
      items[n - 1] = product (self, items[n - 1], shape->items[i]);
    else
      items[n++] = shape->items[i];
  return self->error == NULL ? ls_fx_call (self, "reshape", x, ls_fx_list (self, items, n), NULL) : NULL;
}

static LsFxValue *
unflatten (LsFxImport *self)
{
  gboolean module = self->module != NULL;
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shape = ls_fx_shape (self, x), *sizes = module ? ls_fx_attr (self, "unflattened_size") : ls_fx_needed (self, "sizes", 2), **items;
  gint64 dim = ls_fx_whole (self, module ? ls_fx_attr (self, "dim") : ls_fx_needed (self, "dim", 1), "dim", 0);
  guint n = 0;

  if (shape == NULL || sizes == NULL || sizes->kind != LS_FX_LIST || !ls_fx_dimension (self, &dim, shape->n))
    return NULL;
  items = ls_fx_alloc (self, (shape->n + sizes->n) * sizeof *items);
  for (gint64 i = 0; i < shape->n; i++)
    for (guint k = 0; k < (i == dim ? sizes->n : 1); k++)
      items[n++] = i == dim ? sizes->items[k] : shape->items[i];
  return ls_fx_call (self, "reshape", x, ls_fx_list (self, items, n), NULL);
}

/* Only the fields that a negative axis may name are put right, as torch does. */
static LsFxValue *
transpose (LsFxImport *self)
{
  gboolean matrix = strcmp (self->name, "t") == 0;
  LsFxValue *x = ls_fx_needed (self, "input", 0), **items;
  LsTensorStructInfo *info = ls_fx_info (self, x);
  gint64 a = matrix ? 0 : ls_fx_whole (self, ls_fx_needed (self, "dim0", 1), "dim0", 0), b = matrix ? 1 : ls_fx_whole (self, ls_fx_needed (self, "dim1", 2), "dim1", 1);

  if (info == NULL || (matrix && info->ndim < 2))
    return info != NULL ? x : NULL;
  if (!ls_fx_dimension (self, &a, (guint) info->ndim) || !ls_fx_dimension (self, &b, (guint) info->ndim))
    return NULL;
  items = ls_fx_alloc (self, (gsize) info->ndim * sizeof *items);
  for (gint64 i = 0; i < info->ndim; i++)
    items[i] = ls_fx_int (self, i == a ? b : i == b ? a : i);
  return ls_fx_call (self, "permute_dims", x, ls_fx_list (self, items, (guint) info->ndim), NULL);
}

static LsFxValue *
expand (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *sizes = ls_fx_rest (self, "size", 1), *shape = ls_fx_shape (self, x), **items;

  if (shape == NULL)
    return NULL;
  if (sizes->kind != LS_FX_LIST)
    return ls_fx_call (self, "broadcast_to", x, sizes, NULL);
  if (sizes->n < shape->n)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "it is expanded to %u dimensions; the tensor has %u", sizes->n, shape->n);
  items = ls_fx_alloc (self, sizes->n * sizeof *items);
  for (guint i = 0; i < sizes->n; i++)
    {
      guint before = sizes->n - shape->n;
      gboolean keep = sizes->items[i]->kind == LS_FX_INT && sizes->items[i]->i == -1;

      if (keep && i < before)
        return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "a new dimension has no extent to keep (-1)");
      items[i] = keep ? shape->items[i - before] : sizes->items[i];
    }
  return ls_fx_call (self, "broadcast_to", x, ls_fx_list (self, items, sizes->n), NULL);
}

static LsFxValue *
flip (LsFxImport *self)
{
  LsFxValue *y = ls_fx_needed (self, "input", 0), *dims = ls_fx_rest (self, "dims", 1);

  if (dims != NULL && dims->kind == LS_FX_INT)
    return ls_fx_call (self, "flip", y, dims, NULL);
  for (guint i = 0; dims != NULL && dims->kind == LS_FX_LIST && i < dims->n && y != NULL; i++)
    y = ls_fx_call (self, "flip", y, dims->items[i], NULL);
  return y;
}

/* ---- several tensors -------------------------------------------------------------------------- */

static LsFxValue *
tensor_list (LsFxImport *self)
{
  LsFxValue *list = ls_fx_needed (self, "tensors", 0);

  return list == NULL || (list->kind == LS_FX_LIST && list->n > 0) ? list
         : ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "its first argument is a list of tensors, not %s", ls_fx_describe (self, list));
}

static LsFxValue *
cat (LsFxImport *self)
{
  LsFxValue *list = tensor_list (self), *axis = ls_fx_arg (self, "dim", 1);

  axis = axis != NULL ? axis : ls_fx_arg (self, "axis", G_MAXUINT);
  return ls_fx_call (self, "concat", list, axis != NULL ? axis : ls_fx_int (self, 0), NULL);
}

/* Put behind each other, the axis then cut in two. (NULL where it is a new last one) */
static LsFxValue *
stack_as_tvm (LsFxImport *self,
              LsFxValue  *list,
              gint64      axis)
{
  LsFxValue *shape = ls_fx_shape (self, list->items[0]), *whole, **items;

  if (shape == NULL || axis >= shape->n || axis < -(gint64) shape->n - 1 || axis == -1)
    return NULL;
  axis += axis < 0 ? shape->n + 1 : 0;
  whole = ls_fx_call (self, "concat", list, ls_fx_int (self, axis), NULL);
  items = ls_fx_alloc (self, (shape->n + 1) * sizeof *items);
  for (guint i = 0; i <= shape->n; i++)
    items[i] = i == axis ? ls_fx_int (self, list->n) : shape->items[i - (i > axis)];
  return whole != NULL ? ls_fx_call (self, "reshape", whole, ls_fx_list (self, items, shape->n + 1), NULL) : NULL;
}

static LsFxValue *
stack (LsFxImport *self)
{
  LsFxValue *list = tensor_list (self), *axis = ls_fx_arg (self, "dim", 1), *y = NULL;

  if (list != NULL && self->options->as_tvm)
    y = stack_as_tvm (self, list, ls_fx_whole (self, axis, "dim", 0));
  return y != NULL || self->error != NULL ? y : ls_fx_call (self, "stack", list, axis != NULL ? axis : ls_fx_int (self, 0), NULL);
}

static LsFxValue *
meshgrid (LsFxImport *self)
{
  LsFxValue *list = ls_fx_rest (self, "tensors", 0), *order = ls_fx_arg (self, "indexing", G_MAXUINT);

  return ls_fx_call (self, "meshgrid", list, LS_FX_BY_NAME, "indexing", order, NULL);
}

static LsFxValue *
einsum (LsFxImport *self)
{
  LsFxValue *text = ls_fx_needed (self, "equation", 0), *operands = ls_fx_rest (self, "operands", 1);

  return text != NULL ? ls_fx_call (self, "einsum", operands, text, NULL) : NULL;
}

/* ---- parts --------------------------------------------------------------------------------------- */

/* The extent of a dimension that has to be constant, or -1 after an error. */
static gint64
constant_extent (LsFxImport *self,
                 LsFxValue  *x,
                 gint64      dim)
{
  LsFxValue *shape = ls_fx_shape (self, x);

  if (shape == NULL || !ls_fx_dimension (self, &dim, shape->n))
    return -1;
  if (shape->items[dim]->kind == LS_FX_INT)
    return shape->items[dim]->i;
  ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "an extent that is cut has to be constant");
  return -1;
}

static LsFxValue *
chunk (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0);
  gint64 n = ls_fx_whole (self, ls_fx_needed (self, "chunks", 1), "chunks", 1), dim = ls_fx_whole (self, ls_fx_arg (self, "dim", 2), "dim", 0);
  gint64 extent = constant_extent (self, x, dim);

  if (extent < 0 || n < 1)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "`chunks` is a number from 1");
  return ls_fx_call (self, "split", x, ls_fx_int (self, ls_fx_as_tvm (self) ? n : MIN (n, MAX (extent, 1))), ls_fx_int (self, dim), NULL);
}

static LsFxValue *
split (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *size = ls_fx_needed (self, "split_size_or_sections", 1);
  gint64 dim = ls_fx_whole (self, ls_fx_arg (self, "dim", 2), "dim", 0), extent = constant_extent (self, x, dim), at = 0;
  LsFxValue **cuts;

  if (size == NULL)
    size = ls_fx_arg (self, "split_size", G_MAXUINT);
  if (extent < 0 || size == NULL)
    return NULL;
  if (size->kind == LS_FX_LIST)
    {
      cuts = ls_fx_alloc (self, size->n * sizeof *cuts);
      for (guint i = 0; i + 1 < size->n; i++)
        cuts[i] = ls_fx_int (self, at += ls_fx_whole (self, size->items[i], "split_size_or_sections", 0));
      return ls_fx_call (self, "split", x, ls_fx_list (self, cuts, size->n - (size->n > 0)), ls_fx_int (self, dim), NULL);
    }
  at = ls_fx_whole (self, size, "split_size_or_sections", 1);
  if (at < 1)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "parts have at least one element");
  return ls_fx_call (self, "split", x, ls_fx_int (self, (extent + at - 1) / at), ls_fx_int (self, dim), NULL);
}

static LsFxValue *
field (LsFxImport *self,
       LsFxValue  *tuple,
       gint64      i)
{
  return tuple != NULL ? ls_fx_emit (self, ls_tuple_get_item_new (ls_node_ref (tuple->node), i)) : NULL;
}

static LsFxValue *
unbind (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *parts, **cuts, **items;
  gint64 dim = ls_fx_whole (self, ls_fx_arg (self, "dim", 1), "dim", 0), n = constant_extent (self, x, dim);

  if (n < 1 || n > 4096)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "1 to 4096 parts can be unbound");
  cuts = ls_fx_alloc (self, (gsize) n * sizeof *cuts);
  items = ls_fx_alloc (self, (gsize) n * sizeof *items);
  for (gint64 i = 0; i < n; i++)
    cuts[i] = ls_fx_int (self, i + 1);
  parts = ls_fx_call (self, "split", x, ls_fx_list (self, cuts, (guint) (self->options->as_tvm ? n : n - 1)), ls_fx_int (self, dim), NULL);
  for (gint64 i = 0; i < n; i++)
    if ((items[i] = ls_fx_call (self, "squeeze", field (self, parts, i), ls_fx_int (self, dim), NULL)) == NULL)
      return NULL;
  if (self->options->as_tvm)
    {
      GPtrArray *fields = g_ptr_array_new ();

      for (gint64 i = 0; i < n; i++)
        g_ptr_array_add (fields, ls_node_ref (items[i]->node));
      return ls_fx_emit (self, ls_relax_tuple_new (ls_array_take_ptr_array (fields)));
    }
  return ls_fx_list (self, items, (guint) n);
}

static LsFxValue *
narrow (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *axis, *from, *to;
  gint64 dim = ls_fx_whole (self, ls_fx_needed (self, "dim", 1), "dim", 0), start = ls_fx_whole (self, ls_fx_needed (self, "start", 2), "start", 0);
  gint64 length = ls_fx_whole (self, ls_fx_needed (self, "length", 3), "length", 0);

  axis = ls_fx_int (self, dim);
  from = ls_fx_int (self, start);
  to = ls_fx_int (self, start + length);
  return ls_fx_call (self, "strided_slice", x, ls_fx_list (self, &axis, 1), ls_fx_list (self, &from, 1), ls_fx_list (self, &to, 1), NULL);
}

static LsFxValue *
slice_scatter (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *src = ls_fx_needed (self, "src", 1), *start = ls_fx_arg (self, "start", 3), *end = ls_fx_arg (self, "end", 4), *step = ls_fx_arg (self, "step", 5);
  gint64 dim = ls_fx_whole (self, ls_fx_arg (self, "dim", 2), "dim", 0), extent = constant_extent (self, x, dim), to = ls_fx_whole (self, end, "end", extent);

  if (extent < 0)
    return NULL;
  to = MIN (to < 0 ? to + extent : to, extent);
  return ls_fx_call (self, "slice_scatter", x, src, start != NULL ? start : ls_fx_int (self, 0), ls_fx_int (self, to), step != NULL ? step : ls_fx_int (self, 1), ls_fx_int (self, dim), NULL);
}

static LsFxValue *
argsort (LsFxImport *self)
{
  gboolean stable = g_str_has_suffix (self->node->target, ".stable");   /* (input, *, stable, dim, descending) */
  LsFxValue *x = ls_fx_needed (self, "input", 0), *dim = ls_fx_arg (self, "dim", stable ? G_MAXUINT : 1), *down = ls_fx_arg (self, "descending", stable ? G_MAXUINT : 2);

  dim = dim != NULL ? dim : ls_fx_int (self, -1);
  down = down != NULL ? down : ls_fx_bool (self, FALSE);
  return ls_fx_as_tvm (self) ? ls_fx_call (self, "argsort", x, dim, down, NULL) : ls_fx_call (self, "argsort", x, dim, down, ls_fx_text (self, LS_FX_DTYPE, "int64"), NULL);
}

/* Values and indices.  TVM's importer gives the values alone. */
static LsFxValue *
sort (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *dim = ls_fx_arg (self, "dim", 1), *down = ls_fx_arg (self, "descending", 2), *items[2];

  dim = dim != NULL ? dim : ls_fx_int (self, -1);
  if (ls_fx_as_tvm (self))
    return ls_fx_call (self, "sort", x, dim, down != NULL ? down : ls_fx_bool (self, FALSE), NULL);
  items[1] = ls_fx_call (self, "argsort", x, dim, down != NULL ? down : ls_fx_bool (self, FALSE), ls_fx_text (self, LS_FX_DTYPE, "int64"), NULL);
  items[0] = items[1] != NULL ? ls_fx_call (self, "gather_elements", x, items[1], dim, NULL) : NULL;
  return items[0] != NULL ? ls_fx_list (self, items, 2) : NULL;
}

/* Each axis is cut in two and put together the other way round. */
static LsFxValue *
roll (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *shifts = ls_fx_needed (self, "shifts", 1), *dims = ls_fx_arg (self, "dims", 2), *shape = ls_fx_shape (self, x), *all = ls_fx_int (self, -1);
  LsFxValue *y = x, *zero = ls_fx_int (self, 0), *one = ls_fx_int (self, 1);

  if (shape == NULL || shifts == NULL)
    return NULL;
  if (dims == NULL)
    y = ls_fx_call (self, "reshape", x, ls_fx_list (self, &all, 1), NULL);
  shifts = shifts->kind == LS_FX_LIST ? shifts : ls_fx_list (self, &shifts, 1);
  for (guint i = 0; i < shifts->n && y != NULL; i++)
    {
      LsFxValue *given = dims == NULL ? zero : dims->kind == LS_FX_LIST ? (i < dims->n ? dims->items[i] : zero) : dims, *axis, *cut, *size, *parts[2];
      gint64 dim = ls_fx_whole (self, given, "dims", 0), extent = constant_extent (self, y, dim), shift = ls_fx_whole (self, shifts->items[i], "shifts", 0);

      if (extent < 1)
        return extent == 0 ? x : NULL;
      dim += dim < 0 ? shape->n : 0;
      axis = ls_fx_int (self, dim);
      shift = ((-shift) % extent + extent) % extent;
      if (shift == 0)
        continue;
      cut = ls_fx_int (self, shift);
      size = ls_fx_int (self, extent);
      parts[1] = ls_fx_call (self, "strided_slice", y, ls_fx_list (self, &axis, 1), ls_fx_list (self, &zero, 1), ls_fx_list (self, &cut, 1), ls_fx_list (self, &one, 1), NULL);
      parts[0] = ls_fx_call (self, "strided_slice", y, ls_fx_list (self, &axis, 1), ls_fx_list (self, &cut, 1), ls_fx_list (self, &size, 1), ls_fx_list (self, &one, 1), NULL);
      y = parts[0] != NULL && parts[1] != NULL ? ls_fx_call (self, "concat", ls_fx_list (self, parts, 2), axis, NULL) : NULL;
    }
  return dims == NULL && y != NULL ? ls_fx_call (self, "reshape", y, shape, NULL) : y;
}

/* ---- x[...] ----------------------------------------------------------------------------------------- */

typedef struct {
  LsFxValue **begin, **end, **stride, **axes;
  guint       n;
  guint       removed[32], n_removed;   /* axes that a number picks one of, when torch's shape is wanted */
} Slices;

static void
put_slice (LsFxImport *self,
           Slices     *slices,
           LsFxValue  *begin,
           LsFxValue  *end,
           LsFxValue  *stride,
           guint       axis)
{
  slices->begin[slices->n] = begin;
  slices->end[slices->n] = end;
  slices->stride[slices->n] = stride;
  slices->axes[slices->n++] = ls_fx_int (self, axis);
}

static LsFxValue *
either (LsFxValue *value,
        LsFxValue *otherwise)
{
  return value->kind == LS_FX_NONE ? otherwise : value;
}

static LsFxValue *
tensor_item (LsFxImport *self,
             LsFxValue  *x,
             LsFxValue  *index)
{
  LsFxValue *shape = ls_fx_shape (self, x), **items = index->kind == LS_FX_LIST ? index->items : &index, *zero = ls_fx_int (self, 0), *one = ls_fx_int (self, 1);
  guint n = index->kind == LS_FX_LIST ? index->n : 1, axis = 0, counted = 0, dots = 0, taken_axis = 0, room, n_expand = 0, expand[32];
  LsFxValue *taken = NULL, *y, **extents;
  Slices slices = { 0 };

  if (shape == NULL)
    return NULL;
  room = shape->n + n + 1;
  slices.begin = ls_fx_alloc (self, room * sizeof (LsFxValue *));
  slices.end = ls_fx_alloc (self, room * sizeof (LsFxValue *));
  slices.stride = ls_fx_alloc (self, room * sizeof (LsFxValue *));
  slices.axes = ls_fx_alloc (self, room * sizeof (LsFxValue *));
  for (guint i = 0; i < n; i++)
    {
      counted += items[i]->kind != LS_FX_NONE && items[i]->kind != LS_FX_ELLIPSIS;
      dots += items[i]->kind == LS_FX_ELLIPSIS;
    }
  if (n == 1 && ls_fx_is_tensor (self, items[0]) && ls_dtype_is_bool (ls_fx_dtype (self, items[0])))
    return ls_fx_masked (self, x, items[0]);
  if (dots > 1)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "an index has one ellipsis");
  if (counted > shape->n || n > 31)
    return ls_fx_fail (self, LS_FX_ERROR_GRAPH, "%u indices are given to a tensor of %u dimensions", counted, shape->n);
  for (guint i = 0; i < n; i++)
    switch (items[i]->kind)
      {
      case LS_FX_INT:
      case LS_FX_BOOL:
        {
          gint64 at = ls_fx_whole (self, items[i], "index", 0);

          if (at < 0 && shape->items[axis]->kind == LS_FX_INT)
            at += shape->items[axis]->i;
          slices.removed[slices.n_removed++] = axis;
          put_slice (self, &slices, ls_fx_int (self, at), ls_fx_int (self, at + 1), one, axis);
          axis++;
          break;
        }
      case LS_FX_SLICE:
        put_slice (self, &slices, either (items[i]->items[0], zero), either (items[i]->items[1], shape->items[axis]), either (items[i]->items[2], one), axis);
        axis++;
        break;
      case LS_FX_NONE:
        expand[n_expand] = slices.n + n_expand;
        n_expand++;
        break;
      case LS_FX_ELLIPSIS:
        for (guint k = counted; k < shape->n; k++, axis++)
          put_slice (self, &slices, zero, shape->items[axis], one, axis);
        break;
      case LS_FX_NODE:
        if (taken != NULL)
          return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "several tensors as an index are not supported");
        if (!ls_is_relax_expr (items[i]->node))
          {
            put_slice (self, &slices, items[i], ls_fx_node (self, ls_add (ls_ref (LS_EXPR (items[i]->node)), ls_int_imm_new (LS_INT64, 1))), one, axis);
            slices.removed[slices.n_removed++] = axis;
          }
        else if (ls_dtype_is_bool (ls_fx_dtype (self, items[i])))
          return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "a mask beside other indices is not supported");
        else
          {
            taken = items[i];
            taken_axis = axis;
          }
        axis++;
        break;
      case LS_FX_REAL:
      case LS_FX_TEXT:
      case LS_FX_DTYPE:
      case LS_FX_LIST:
        return ls_fx_fail (self, LS_FX_ERROR_UNSUPPORTED, "%s as an index is not supported", ls_fx_describe (self, items[i]));
      }
  for (; axis < shape->n; axis++)
    put_slice (self, &slices, zero, shape->items[axis], one, axis);
  y = taken != NULL ? ls_fx_call (self, "take", x, taken, ls_fx_int (self, taken_axis), NULL) : x;
  y = ls_fx_call (self, "strided_slice", y, ls_fx_list (self, slices.axes, slices.n), ls_fx_list (self, slices.begin, slices.n),
                  ls_fx_list (self, slices.end, slices.n), ls_fx_list (self, slices.stride, slices.n), NULL);
  shape = y != NULL ? ls_fx_shape (self, y) : NULL;
  if (shape == NULL)
    return NULL;
  extents = ls_fx_alloc (self, (shape->n + n_expand) * sizeof *extents);
  {
    guint out = 0;

    for (guint i = 0, e = 0, from = 0; i < shape->n + n_expand; i++)
      {
        gboolean fresh = e < n_expand && expand[e] == i, gone = FALSE;

        if (fresh)
          {
            extents[out++] = one;
            e++;
            continue;
          }
        for (guint r = 0; r < slices.n_removed && !self->options->as_tvm; r++)
          gone |= slices.removed[r] == from;
        if (!gone && from < shape->n)
          extents[out++] = shape->items[from];
        from++;
      }
    return ls_fx_call (self, "reshape", y, ls_fx_list (self, extents, out), NULL);
  }
}

static LsFxValue *
item (LsFxImport *self)
{
  LsFxValue *x = ls_fx_needed (self, "input", 0), *index = self->n_args > 1 ? self->args[1] : NULL;
  gint64 i = index != NULL && index->kind == LS_FX_INT ? index->i : 0;
  LsNode *info;

  if (x == NULL || index == NULL)
    return NULL;
  if (x->kind == LS_FX_NODE && ls_is (x->node, SHAPE_EXPR))
    x = ls_fx_extents (self, ((LsShapeExpr *) x->node)->values);
  if (x->kind == LS_FX_LIST && index->kind == LS_FX_SLICE)
    {
      gint64 from = index->items[0]->kind == LS_FX_INT ? index->items[0]->i : 0, to = index->items[1]->kind == LS_FX_INT ? index->items[1]->i : x->n;

      from = CLAMP (from < 0 ? from + x->n : from, 0, (gint64) x->n);
      to = CLAMP (to < 0 ? to + x->n : to, from, (gint64) x->n);
      return ls_fx_list (self, x->items + from, (guint) (to - from));
    }
  if (x->kind == LS_FX_LIST)
    return index->kind == LS_FX_INT && ls_fx_dimension (self, &i, x->n) ? x->items[i] : NULL;
  info = x->kind == LS_FX_NODE ? ls_fx_keep (self, ls_block_builder_struct_info (self->builder, x->node)) : NULL;
  if (info != NULL && ls_is (info, TUPLE_STRUCT_INFO))
    return index->kind == LS_FX_INT && ls_fx_dimension (self, &i, ((LsTupleStructInfo *) info)->fields->n) ? field (self, x, i) : NULL;
  return tensor_item (self, x, index);
}

const LsFxHandler ls_fx_handlers_shape[] = {
  { "flatten module:Flatten", flatten }, { "unflatten module:Unflatten", unflatten }, { "transpose swapaxes swapdims t", transpose }, { "expand", expand },
  { "flip", flip }, { "cat concat concatenate", cat }, { "stack", stack }, { "meshgrid", meshgrid }, { "einsum", einsum }, { "chunk", chunk },
  { "split split_with_sizes", split }, { "unbind", unbind }, { "narrow", narrow }, { "slice_scatter", slice_scatter }, { "sort", sort }, { "argsort", argsort }, { "roll", roll }, { "getitem", item },
  { NULL, NULL }
};
