/* onnx/rules-shape: what gives elements other places. */
#include "engine/frontend/onnx/onnx-private.h"

#include <inttypes.h>
#include <string.h>

#define FX (&self->fx)

#define MOST_PLACES (1 << 20)

/* Axes counted from the front, of a tensor of `n` dimensions. */
static LsFxValue *
counted (LsOnnxImport *self,
         LsFxValue    *axes,
         guint         n)
{
  LsFxValue **items = axes != NULL ? ls_fx_alloc (FX, axes->n * sizeof *items) : NULL;

  for (guint i = 0; axes != NULL && i < axes->n; i++)
    {
      gint64 axis = ls_onnx_number (self, axes, i);

      if (self->fx.error != NULL || !ls_fx_dimension (FX, &axis, n))
        return NULL;
      items[i] = ls_fx_int (FX, axis);
    }
  return axes != NULL ? ls_fx_list (FX, items, axes->n) : NULL;
}

static LsFxValue *
reshape (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = ls_onnx_numbers (self, NULL, 1), *old, **items;
  gboolean zero = ls_onnx_attr_int (self, "allowzero", 0) != 0;

  if (x == NULL || shape == NULL)
    return NULL;
  items = ls_fx_alloc (FX, shape->n * sizeof *items);
  for (guint i = 0; i < shape->n; i++)
    {
      items[i] = shape->items[i];
      if (zero || items[i]->kind != LS_FX_INT || items[i]->i != 0)
        continue;
      old = ls_fx_shape (FX, x);
      if (old == NULL || i >= old->n)
        return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "the shape keeps an extent that is not there");
      items[i] = old->items[i];
    }
  return ls_fx_call (FX, "reshape", x, ls_fx_list (FX, items, shape->n), NULL);
}

static LsFxValue *
product (LsOnnxImport *self,
         LsFxValue    *shape,
         guint         from,
         guint         to)
{
  gint64 n = 1;

  for (guint i = from; i < to; i++)
    if (shape->items[i]->kind != LS_FX_INT || __builtin_mul_overflow (n, shape->items[i]->i, &n))
      return ls_fx_int (FX, -1);
  return ls_fx_int (FX, n);
}

static LsFxValue *
flatten (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *items[2];
  gint64 axis = ls_onnx_attr_int (self, "axis", 1);

  if (shape == NULL)
    return NULL;
  axis = axis < 0 ? axis + shape->n : axis;
  if (axis < 0 || axis > shape->n)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "dimension %" PRId64 " is none of a tensor of %u", axis, shape->n);
  items[0] = axis == 1 ? shape->items[0] : product (self, shape, 0, (guint) axis);
  items[1] = product (self, shape, (guint) axis, shape->n);
  return ls_fx_call (FX, "reshape", x, ls_fx_list (FX, items, 2), NULL);
}

static LsFxValue *
squeeze (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *axes = ls_onnx_numbers (self, "axes", 1);

  if (x == NULL || self->fx.error != NULL)
    return NULL;
  return ls_fx_call (FX, "squeeze", x, LS_FX_BY_NAME, "axis", axes != NULL ? axes : ls_fx_none (FX), NULL);
}

static LsFxValue *
unsqueeze (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *axes = ls_onnx_numbers (self, "axes", 1), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;

  axes = shape != NULL && axes != NULL ? counted (self, axes, shape->n + axes->n) : NULL;
  return axes != NULL ? ls_fx_call (FX, "expand_dims", x, LS_FX_BY_NAME, "axis", axes, NULL) : NULL;
}

static LsFxValue *
concat (LsOnnxImport *self)
{
  return ls_fx_call (FX, "concat", ls_fx_list (FX, self->fx.args, self->fx.n_args), LS_FX_BY_NAME, "axis", ls_fx_int (FX, ls_onnx_attr_int (self, "axis", 0)), NULL);
}

/* At places where parts end, which need not be of one size; the last may be smaller where only their number is given. */
static LsFxValue *
split (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *sizes = ls_onnx_numbers (self, "split", 1), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *tuple, **items, **places;
  gint64 axis = ls_onnx_attr_int (self, "axis", 0), size, at = 0;
  guint n = (guint) self->node->n_output;

  if (shape == NULL || self->fx.error != NULL || !ls_fx_dimension (FX, &axis, shape->n))
    return NULL;
  if (sizes != NULL && sizes->n != n)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "%u parts have %u sizes", n, sizes->n);
  if (sizes == NULL && shape->items[axis]->kind != LS_FX_INT)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "the extent that is split is not known");
  size = sizes == NULL ? (shape->items[axis]->i + n - 1) / n : 0;
  places = ls_fx_alloc (FX, n * sizeof *places);
  items = ls_fx_alloc (FX, n * sizeof *items);
  for (guint i = 0; i + 1 < n; i++)
    {
      at += sizes != NULL ? ls_onnx_number (self, sizes, i) : size;
      places[i] = ls_fx_int (FX, at);
    }
  if (n == 1)
    return x;
  tuple = ls_fx_call (FX, "split", x, LS_FX_BY_NAME, "indices_or_sections", ls_fx_list (FX, places, n - 1), "axis", ls_fx_int (FX, axis), NULL);
  for (guint i = 0; tuple != NULL && i < n; i++)
    items[i] = ls_onnx_field (self, tuple, i);
  return tuple != NULL && self->fx.error == NULL ? ls_fx_list (FX, items, n) : NULL;
}

static LsFxValue *
slice (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  LsFxValue *from = ls_onnx_numbers (self, "starts", 1), *to = ls_onnx_numbers (self, "ends", 2), *axes = ls_onnx_numbers (self, "axes", 3), *steps = ls_onnx_numbers (self, "steps", 4);
  LsFxValue **begins, **ends, **by, **over;
  guint n;

  if (shape == NULL || from == NULL || to == NULL || self->fx.error != NULL)
    return NULL;
  n = from->n;
  if (to->n != n || (axes != NULL && axes->n != n) || (steps != NULL && steps->n != n) || n > shape->n)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "as many ends, axes and steps as starts are expected");
  begins = ls_fx_alloc (FX, n * sizeof *begins);
  ends = ls_fx_alloc (FX, n * sizeof *ends);
  by = ls_fx_alloc (FX, n * sizeof *by);
  over = ls_fx_alloc (FX, n * sizeof *over);
  for (guint i = 0; i < n; i++)
    {
      gint64 axis = axes != NULL ? ls_onnx_number (self, axes, i) : i, step = steps != NULL ? ls_onnx_number (self, steps, i) : 1, extent, begin, end;

      if (self->fx.error != NULL || !ls_fx_dimension (FX, &axis, shape->n))
        return NULL;
      begins[i] = from->items[i];
      ends[i] = to->items[i];
      by[i] = ls_fx_int (FX, step);
      over[i] = ls_fx_int (FX, axis);
      if (ends[i]->kind == LS_FX_INT && ends[i]->i > G_MAXINT32)
        ends[i] = shape->items[axis];
      if (shape->items[axis]->kind != LS_FX_INT || begins[i]->kind != LS_FX_INT || ends[i]->kind != LS_FX_INT)
        continue;
      extent = shape->items[axis]->i;
      begin = begins[i]->i < 0 ? begins[i]->i + extent : begins[i]->i;
      end = ends[i]->i < 0 ? ends[i]->i + extent : ends[i]->i;
      if (step > 0)
        {
          begins[i] = ls_fx_int (FX, CLAMP (begin, 0, extent));
          ends[i] = ls_fx_int (FX, MAX (CLAMP (end, 0, extent), begins[i]->i));            /* an end before the beginning: nothing */
        }
      else if (step < 0)                /* an end before the first element is -extent - 1, counted from behind */
        {
          begins[i] = ls_fx_int (FX, CLAMP (begin, 0, extent - 1));
          ends[i] = ls_fx_int (FX, end < 0 ? -extent - 1 : MIN (end, extent - 1));
        }
      else
        return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a step is 0");
    }
  return ls_fx_call (FX, "strided_slice", x, ls_fx_list (FX, over, n), ls_fx_list (FX, begins, n), ls_fx_list (FX, ends, n), ls_fx_list (FX, by, n), NULL);
}

/* May one of these places be counted from behind? */
static gboolean
is_negative_anywhere (LsOnnxImport *self,
                      LsFxValue    *at)
{
  LsDType dtype = ls_fx_dtype (FX, at);
  LsTensor *tensor = ls_is (at->node, CONSTANT) ? ((LsConstant *) at->node)->data : NULL;
  const guint8 *data = tensor != NULL ? g_bytes_get_data (tensor->data, NULL) : NULL;
  guint bytes = ls_dtype_bytes (dtype);
  gsize n = tensor != NULL ? g_bytes_get_size (tensor->data) / bytes : 0;
  gboolean negative = tensor == NULL;

  for (gsize i = 0; i < n && !negative; i++)
    negative = (data[i * bytes + bytes - 1] & 0x80) != 0;
  return negative;
}

static LsFxValue *
from_behind (LsOnnxImport *self,
             LsFxValue    *at,
             LsFxValue    *extent)
{
  return ls_fx_call (FX, "where", ls_fx_call (FX, "less", at, ls_fx_int (FX, 0), NULL), ls_fx_call (FX, "add", at, extent, NULL), at, NULL);
}

/* Places counted from behind. */
static LsFxValue *
wrapped (LsOnnxImport *self,
         LsFxValue    *at,
         LsFxValue    *extent)
{
  return extent->kind == LS_FX_INT && is_negative_anywhere (self, at) ? from_behind (self, at, extent) : at;
}

static LsFxValue *
gather (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *at = ls_onnx_needed (self, 1), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  gint64 axis = ls_onnx_attr_int (self, "axis", 0);

  if (shape == NULL || at == NULL || !ls_fx_dimension (FX, &axis, shape->n))
    return NULL;
  at = wrapped (self, at, shape->items[axis]);
  return at != NULL ? ls_fx_call (FX, "take", x, at, LS_FX_BY_NAME, "axis", ls_fx_int (FX, axis), NULL) : NULL;
}

static LsFxValue *
gather_elements (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *at = ls_onnx_needed (self, 1), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  gint64 axis = ls_onnx_attr_int (self, "axis", 0);

  if (shape == NULL || at == NULL || !ls_fx_dimension (FX, &axis, shape->n))
    return NULL;
  at = wrapped (self, at, shape->items[axis]);
  return at != NULL ? ls_fx_call (FX, "gather_elements", x, at, LS_FX_BY_NAME, "axis", ls_fx_int (FX, axis), NULL) : NULL;
}

/* The last dimension of `at` says places in the dimensions of x from `first` on; those are counted from behind, too. */
static LsFxValue *
wrapped_each (LsOnnxImport *self,
              LsFxValue    *at,
              LsFxValue    *shape,
              guint         first)
{
  LsFxValue *places = ls_fx_shape (FX, at), *extents;
  gint64 n = places != NULL && places->n > 0 ? ls_onnx_number (self, places, places->n - 1) : 0;

  if (self->fx.error != NULL)
    return NULL;
  if (n < 1 || first + (guint64) n > shape->n)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "places of %" PRId64 " numbers are none in %u dimensions", n, shape->n);
  for (guint i = 0; i < n; i++)
    if (shape->items[first + i]->kind != LS_FX_INT)
      return at;
  if (n == 1)
    return wrapped (self, at, shape->items[first]);
  extents = ls_onnx_of_known (self, ls_fx_list (FX, shape->items + first, (guint) n));
  if (extents != NULL && !ls_dtype_equal (ls_fx_dtype (FX, at), LS_INT64))
    extents = ls_fx_call (FX, "astype", extents, ls_fx_text (FX, LS_FX_DTYPE, ls_dtype_name (ls_fx_dtype (FX, at))), NULL);
  return extents != NULL && is_negative_anywhere (self, at) ? from_behind (self, at, extents) : at;
}

static LsFxValue *
gather_nd (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *at = ls_onnx_needed (self, 1), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  gint64 batch = ls_onnx_attr_int (self, "batch_dims", 0);

  if (shape == NULL || at == NULL)
    return NULL;
  if (batch < 0 || batch >= shape->n)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "there are no %" PRId64 " dimensions of batches", batch);
  at = wrapped_each (self, at, shape, (guint) batch);
  return at != NULL ? ls_fx_call (FX, "gather_nd", x, at, LS_FX_BY_NAME, "batch_dims", ls_fx_int (FX, batch), NULL) : NULL;
}

static LsFxValue *
scatter_elements (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *at = ls_onnx_needed (self, 1), *updates = ls_onnx_needed (self, 2);
  const char *how = ls_onnx_attr_text (self, "reduction", "none");

  if (x == NULL || at == NULL || updates == NULL)
    return NULL;
  return ls_fx_call (FX, "scatter_elements", x, at, updates, LS_FX_BY_NAME, "axis", ls_fx_int (FX, ls_onnx_attr_int (self, "axis", 0)), "reduction",
                     ls_fx_text (FX, LS_FX_TEXT, strcmp (how, "none") == 0 ? "update" : how), NULL);
}

static LsFxValue *
scatter_nd (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *at = ls_onnx_needed (self, 1), *updates = ls_onnx_needed (self, 2);
  const char *how = ls_onnx_attr_text (self, "reduction", "none");

  at = x != NULL && at != NULL && ls_fx_shape (FX, x) != NULL ? wrapped_each (self, at, ls_fx_shape (FX, x), 0) : NULL;
  if (at == NULL || updates == NULL)
    return NULL;
  return ls_fx_call (FX, "scatter_nd", x, at, updates, LS_FX_BY_NAME, "reduction", ls_fx_text (FX, LS_FX_TEXT, strcmp (how, "none") == 0 ? "update" : how), NULL);
}

/* As numpy broadcasts two shapes: an extent of 1 in what is asked for keeps that of the tensor. */
static LsFxValue *
expand (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = ls_onnx_numbers (self, NULL, 1), *old = x != NULL ? ls_fx_shape (FX, x) : NULL, **items;
  guint n;

  if (old == NULL || shape == NULL)
    return NULL;
  n = MAX (shape->n, old->n);
  items = ls_fx_alloc (FX, n * sizeof *items);
  for (guint i = 0; i < n; i++)
    {
      LsFxValue *asked = i + shape->n >= n ? shape->items[i + shape->n - n] : NULL, *there = i + old->n >= n ? old->items[i + old->n - n] : NULL;

      items[i] = asked == NULL || (there != NULL && asked->kind == LS_FX_INT && asked->i == 1) ? there : asked;
    }
  return ls_fx_call (FX, "broadcast_to", x, ls_fx_list (FX, items, n), NULL);
}

static LsFxValue *
tile (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *repeats = ls_onnx_numbers (self, NULL, 1);

  return x != NULL && repeats != NULL ? ls_fx_call (FX, "tile", x, LS_FX_BY_NAME, "repeats", repeats, NULL) : NULL;
}

/* Padding below 0 takes away; what it took is 0 then. */
static LsFxValue *
cut (LsOnnxImport *self,
     LsFxValue    *x,
     LsFxValue    *shape,
     LsFxValue   **widths)
{
  LsFxValue **axes = ls_fx_alloc (FX, shape->n * sizeof *axes), **begins = ls_fx_alloc (FX, shape->n * sizeof *begins), **ends = ls_fx_alloc (FX, shape->n * sizeof *ends);
  guint n = 0;

  for (guint i = 0; i < shape->n; i++)
    {
      gint64 before = MIN (widths[2 * i]->i, 0), after = MIN (widths[2 * i + 1]->i, 0), extent;

      if (before == 0 && after == 0)
        continue;
      extent = ls_onnx_number (self, shape, i);
      if (self->fx.error != NULL)
        return NULL;
      if (extent + before + after < 0)
        return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "padding takes more than the %" PRId64 " elements of dimension %u away", extent, i);
      axes[n] = ls_fx_int (FX, i);
      begins[n] = ls_fx_int (FX, -before);
      ends[n++] = ls_fx_int (FX, extent + after);
      widths[2 * i] = ls_fx_int (FX, MAX (widths[2 * i]->i, 0));
      widths[2 * i + 1] = ls_fx_int (FX, MAX (widths[2 * i + 1]->i, 0));
    }
  return n > 0 ? ls_fx_call (FX, "strided_slice", x, ls_fx_list (FX, axes, n), ls_fx_list (FX, begins, n), ls_fx_list (FX, ends, n), NULL) : x;
}

/* The tensor again and again, in all directions: of each dimension the places of the elements that come there. */
static LsFxValue *
wrap_round (LsOnnxImport *self,
            LsFxValue    *x,
            LsFxValue   **widths)
{
  LsFxValue *shape = ls_fx_shape (FX, x);

  for (guint i = 0; shape != NULL && i < shape->n; i++)
    {
      gint64 before = widths[2 * i]->i, after = widths[2 * i + 1]->i, extent, n, *places;

      if (before == 0 && after == 0)
        continue;
      extent = ls_onnx_number (self, shape, i);
      if (self->fx.error != NULL)
        return NULL;
      n = before + extent + after;
      if (extent < 1 || n > MOST_PLACES)
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "an extent of %" PRId64 " that becomes %" PRId64 " is not supported", extent, n);
      places = g_new (gint64, n);
      for (gint64 k = 0; k < n; k++)
        places[k] = GINT64_TO_LE (((k - before) % extent + extent) % extent);
      x = ls_fx_call (FX, "take", x, ls_onnx_constant (self, LS_INT64, &n, 1, places), LS_FX_BY_NAME, "axis", ls_fx_int (FX, i), NULL);
    }
  return x;
}

static LsFxValue *
pad (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *pads = ls_onnx_numbers (self, "pads", 1), *axes = ls_onnx_numbers (self, NULL, 3), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  const char *mode = ls_onnx_attr_text (self, "mode", "constant");
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  double value = 0.0;
  LsFxValue **widths;
  guint n;

  if (shape == NULL || pads == NULL || self->fx.error != NULL)
    return NULL;
  if (ls_onnx_input (self, 2) != NULL && (!ls_onnx_reals (self, 2, values) || values->len != 1))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "what is put around has to be a constant");
  value = values->len == 1 ? g_array_index (values, double, 0) : 0.0;
  n = axes != NULL ? axes->n : shape->n;
  if (pads->n != 2 * n)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "%u numbers say how much is put around %u dimensions", pads->n, n);
  widths = ls_fx_alloc (FX, 2 * shape->n * sizeof *widths);
  for (guint i = 0; i < 2 * shape->n; i++)
    widths[i] = ls_fx_int (FX, 0);
  for (guint i = 0; i < n; i++)
    {
      gint64 axis = axes != NULL ? ls_onnx_number (self, axes, i) : i;

      if (self->fx.error != NULL || !ls_fx_dimension (FX, &axis, shape->n))
        return NULL;
      widths[2 * axis] = ls_fx_int (FX, ls_onnx_number (self, pads, i));
      widths[2 * axis + 1] = ls_fx_int (FX, ls_onnx_number (self, pads, i + n));
    }
  x = cut (self, x, shape, widths);
  if (x == NULL)
    return NULL;
  if (strcmp (mode, "wrap") == 0)
    return wrap_round (self, x, widths);
  if (strcmp (mode, "edge") == 0)
    mode = "replicate";
  if (strcmp (mode, "constant") != 0 && strcmp (mode, "reflect") != 0 && strcmp (mode, "replicate") != 0)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "the mode %s is not supported", mode);
  return ls_fx_call (FX, "nn.pad", x, LS_FX_BY_NAME, "pad_width", ls_fx_list (FX, widths, 2 * shape->n), "pad_value", ls_fx_real (FX, value), "pad_mode", ls_fx_text (FX, LS_FX_TEXT, mode), NULL);
}

static LsFxValue *
constant_of_shape (LsOnnxImport *self)
{
  LsFxValue *shape = ls_onnx_numbers (self, NULL, 0), *value = ls_onnx_attr (self, "value");

  if (shape == NULL)
    return NULL;
  if (value == NULL)
    value = ls_fx_scalar (FX, ls_fx_real (FX, 0.0), LS_FLOAT32);
  else
    value = ls_fx_call (FX, "reshape", value, ls_fx_list (FX, NULL, 0), NULL);
  return ls_fx_call (FX, "full", shape, value, NULL);
}

static LsFxValue *
range (LsOnnxImport *self)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  LsFxValue *numbers[3], *from = ls_onnx_needed (self, 0);
  LsDType dtype;

  if (from == NULL)
    return NULL;
  dtype = ls_fx_dtype (FX, from);
  for (guint i = 0; i < 3; i++)
    {
      numbers[i] = ls_onnx_known_input (self, i);
      if (numbers[i] == NULL && ls_onnx_reals (self, i, values) && values->len == i + 1)
        numbers[i] = ls_dtype_is_float (dtype) ? ls_fx_real (FX, g_array_index (values, double, i)) : ls_fx_int (FX, (gint64) g_array_index (values, double, i));
      if (numbers[i] == NULL)
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "its input %u has to be known while importing", i + 1);
      if (values->len <= i)
        g_array_set_size (values, i + 1);
    }
  return ls_fx_call (FX, "arange", numbers[0], numbers[1], numbers[2], LS_FX_BY_NAME, "dtype", ls_fx_text (FX, LS_FX_DTYPE, ls_dtype_name (dtype)), NULL);
}

static LsFxValue *
one_hot (LsOnnxImport *self)
{
  LsFxValue *at = ls_onnx_needed (self, 0), *depth = ls_onnx_numbers (self, NULL, 1), *values = ls_onnx_needed (self, 2), *hot;
  g_autoptr (GArray) pair = g_array_new (FALSE, FALSE, sizeof (double));

  if (at == NULL || depth == NULL || values == NULL)
    return NULL;
  if (!ls_onnx_reals (self, 2, pair) || pair->len != 2)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "its two values have to be constants");
  at = wrapped (self, at, depth->items[0]);
  at = at != NULL ? ls_fx_call (FX, "astype", at, ls_fx_text (FX, LS_FX_DTYPE, "int32"), NULL) : NULL;
  if (at == NULL)
    return NULL;
  hot = ls_fx_call (FX, "one_hot", at, ls_fx_real (FX, g_array_index (pair, double, 1)), ls_fx_real (FX, g_array_index (pair, double, 0)), LS_FX_BY_NAME,
                    "depth", ls_fx_int (FX, ls_onnx_number (self, depth, 0)), "axis", ls_fx_int (FX, ls_onnx_attr_int (self, "axis", -1)), NULL);
  return hot == NULL || ls_dtype_equal (ls_fx_dtype (FX, hot), ls_fx_dtype (FX, values)) ? hot : ls_fx_call (FX, "astype", hot, ls_fx_text (FX, LS_FX_DTYPE, ls_dtype_name (ls_fx_dtype (FX, values))), NULL);
}

static LsFxValue *
eye_like (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *k = ls_fx_int (FX, ls_onnx_attr_int (self, "k", 0)), *given = ls_onnx_attr (self, "dtype");
  LsDType dtype = x != NULL ? ls_fx_dtype (FX, x) : LS_FLOAT32;

  if (x == NULL || (given != NULL && !ls_onnx_dtype ((gint32) ls_onnx_attr_int (self, "dtype", 0), &dtype)))
    return x != NULL ? ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "its type of elements is not supported") : NULL;
  return ls_fx_call (FX, "eye_like", x, k, LS_FX_BY_NAME, "dtype", ls_fx_text (FX, LS_FX_DTYPE, ls_dtype_name (dtype)), NULL);
}

static LsFxValue *
trilu (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *k = ls_onnx_numbers (self, NULL, 1);

  if (x == NULL || self->fx.error != NULL)
    return NULL;
  return ls_fx_call (FX, ls_onnx_attr_int (self, "upper", 1) ? "triu" : "tril", x, k != NULL && k->n == 1 ? k->items[0] : ls_fx_int (FX, 0), NULL);
}

/* Blocks of channels become squares, or the other way round: two reshapes round a permutation. */
static LsFxValue *
blocks (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  gint64 b = ls_onnx_attr_int (self, "blocksize", 1), n, c, h, w;
  gboolean to_space = strcmp (self->node->op_type, "DepthToSpace") == 0, crd = strcmp (ls_onnx_attr_text (self, "mode", "DCR"), "CRD") == 0;
  gint64 extents[6], end[4];
  static const gint64 DCR[] = { 0, 3, 4, 1, 5, 2 }, CRD[] = { 0, 1, 4, 2, 5, 3 }, DEPTH[] = { 0, 3, 5, 1, 2, 4 };

  if (shape == NULL)
    return NULL;
  for (guint i = 0; i < shape->n; i++)
    if (shape->n != 4 || shape->items[i]->kind != LS_FX_INT || b <= 0 || b > 1024)
      return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a tensor of four known extents is expected");
  n = shape->items[0]->i;
  c = shape->items[1]->i;
  h = shape->items[2]->i;
  w = shape->items[3]->i;
  if (to_space ? c % (b * b) != 0 : h % b != 0 || w % b != 0)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "the extents are no multiples of the block");
  memcpy (extents, to_space ? (crd ? (gint64[]) { n, c / (b * b), b, b, h, w } : (gint64[]) { n, b, b, c / (b * b), h, w }) : (gint64[]) { n, c, h / b, b, w / b, b }, sizeof extents);
  memcpy (end, to_space ? (gint64[]) { n, c / (b * b), h * b, w * b } : (gint64[]) { n, c * b * b, h / b, w / b }, sizeof end);
  x = ls_fx_call (FX, "reshape", x, ls_fx_ints (FX, extents, 6), NULL);
  x = x != NULL ? ls_fx_call (FX, "permute_dims", x, ls_fx_ints (FX, to_space ? crd ? CRD : DCR : DEPTH, 6), NULL) : NULL;
  return x != NULL ? ls_fx_call (FX, "reshape", x, ls_fx_ints (FX, end, 4), NULL) : NULL;
}

const LsOnnxHandler ls_onnx_handlers_shape[] = {
  { "Reshape", reshape }, { "Flatten", flatten }, { "Squeeze", squeeze }, { "Unsqueeze", unsqueeze }, { "Concat", concat }, { "Split", split }, { "Slice", slice },
  { "Gather", gather }, { "GatherElements", gather_elements }, { "GatherND", gather_nd }, { "ScatterElements Scatter", scatter_elements }, { "ScatterND", scatter_nd }, { "Expand", expand }, { "Tile", tile }, { "Pad", pad },
  { "ConstantOfShape", constant_of_shape }, { "Range", range }, { "OneHot", one_hot }, { "EyeLike", eye_like }, { "Trilu", trilu }, { "DepthToSpace SpaceToDepth", blocks },
  { NULL, NULL }
};
