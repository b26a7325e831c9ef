/* onnx/rules-math: determinants, Fourier transforms, what MaxPool took apart put back, losses. */
#include "engine/frontend/onnx/onnx-private.h"
#include "engine/topi/topi.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FX (&self->fx)

#define MOST_ELEMENTS (1 << 22)         /* of a tensor that is written down */
#define MOST_ROWS 64                    /* of a matrix whose determinant is taken: each is some operators */

static LsFxValue *
as_ints (LsOnnxImport *self,
         gint64        a)
{
  return ls_fx_ints (FX, &a, 1);
}

static LsFxValue *
reshaped (LsOnnxImport *self,
          LsFxValue    *x,
          LsFxValue   **extents,
          guint         n)
{
  return ls_fx_call (FX, "reshape", x, ls_fx_list (FX, extents, n), NULL);
}

static LsFxValue *
summed (LsOnnxImport *self,
        LsFxValue    *x,
        gint64        axis,
        gboolean      keep)
{
  return ls_fx_call (FX, "sum", x, LS_FX_BY_NAME, "axis", as_ints (self, axis), "keepdims", ls_fx_bool (FX, keep), NULL);
}

/* ---- determinants -------------------------------------------------------------------------- */

/* Gaussian elimination, written out: the row with the greatest first element changes places with the first one (which turns the sign), and what is left is a
 * matrix of one row and one column less. */
static LsFxValue *
determinant (LsOnnxImport *self)
{
  LsFxValue *a = ls_onnx_needed (self, 0), *shape = a != NULL ? ls_fx_shape (FX, a) : NULL, *det = NULL, *zero, *unit, *batch[64];
  LsDType dtype;
  gint64 n;

  if (shape == NULL)
    return NULL;
  if (shape->n < 2 || shape->n > G_N_ELEMENTS (batch))
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "matrices are expected");
  n = ls_onnx_number (self, shape, shape->n - 1);
  if (self->fx.error != NULL || n != ls_onnx_number (self, shape, shape->n - 2) || self->fx.error != NULL)
    return self->fx.error != NULL ? NULL : ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "square matrices are expected");
  if (n < 1 || n > MOST_ROWS)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "matrices of 1 to %d rows are supported, each row being some operators", MOST_ROWS);
  dtype = ls_fx_dtype (FX, a);
  zero = ls_fx_real (FX, 0.0);
  unit = ls_fx_scalar (FX, ls_fx_real (FX, 1.0), dtype);
  a = reshaped (self, a, (LsFxValue *[]) { ls_fx_int (FX, -1), ls_fx_int (FX, n), ls_fx_int (FX, n) }, 3);
  for (gint64 rows = n; rows > 1 && self->fx.error == NULL; rows--)
    {
      gint64 *places = g_new (gint64, rows);
      LsFxValue *column, *at, *chosen, *row, *pivot, *sign, *safe, *rest, *factor;

      for (gint64 i = 0; i < rows; i++)
        places[i] = GINT64_TO_LE (i);
      column = ls_onnx_cut (self, a, 2, 0, 1);                                                                  /* (batch, rows, 1) */
      at = ls_fx_call (FX, "argmax", ls_fx_call (FX, "abs", column, NULL), LS_FX_BY_NAME, "axis", ls_fx_int (FX, 1), "keepdims", ls_fx_bool (FX, TRUE), NULL);
      chosen = ls_fx_call (FX, "equal", ls_onnx_constant (self, LS_INT64, (const gint64[]) { 1, rows, 1 }, 3, places), ls_onnx_cast (self, at, LS_INT64), NULL);
      row = summed (self, ls_fx_call (FX, "where", chosen, a, ls_fx_scalar (FX, zero, dtype), NULL), 1, TRUE);         /* (batch, 1, rows) */
      pivot = ls_onnx_cut (self, row, 2, 0, 1);
      sign = ls_fx_call (FX, "where", ls_onnx_cut (self, chosen, 1, 0, 1), unit, ls_fx_scalar (FX, ls_fx_real (FX, -1.0), dtype), NULL);
      sign = ls_fx_call (FX, "multiply", sign, pivot, NULL);
      det = det == NULL ? sign : ls_fx_call (FX, "multiply", det, sign, NULL);
      rest = ls_onnx_cut (self, ls_fx_call (FX, "where", chosen, ls_onnx_cut (self, a, 1, 0, 1), a, NULL), 1, 1, rows);
      safe = ls_fx_call (FX, "where", ls_fx_call (FX, "equal", pivot, zero, NULL), unit, pivot, NULL);                  /* where it is 0, so is the determinant */
      factor = ls_fx_call (FX, "divide", ls_onnx_cut (self, rest, 2, 0, 1), safe, NULL);
      a = ls_fx_call (FX, "subtract", ls_onnx_cut (self, rest, 2, 1, rows), ls_fx_call (FX, "multiply", factor, ls_onnx_cut (self, row, 2, 1, rows), NULL), NULL);
    }
  if (self->fx.error != NULL)
    return NULL;
  det = det == NULL ? a : ls_fx_call (FX, "multiply", det, a, NULL);
  for (guint i = 0; i + 2 < shape->n; i++)
    batch[i] = shape->items[i];
  return reshaped (self, det, batch, shape->n - 2);
}

/* ---- Fourier transforms ----------------------------------------------------------------------- */

/* cos or sin of 2 pi k t / n at (t, k): n_in by n_out, of a type. */
static LsFxValue *
waves (LsOnnxImport *self,
       gint64        n_in,
       gint64        n_out,
       gint64        n,
       double        factor,
       gboolean      sine,
       LsDType       dtype)
{
  gboolean wide = ls_dtype_equal (dtype, LS_FLOAT64);
  gpointer data = g_malloc ((gsize) (n_in * n_out) * (wide ? 8 : 4));

  for (gint64 t = 0; t < n_in; t++)
    for (gint64 k = 0; k < n_out; k++)
      {
        double angle = 2.0 * G_PI * (double) (t * k % n) / (double) n, value = factor * (sine ? sin (angle) : cos (angle));

        if (wide)
          ((double *) data)[t * n_out + k] = value;
        else
          ((float *) data)[t * n_out + k] = (float) value;
      }
  return ls_onnx_cast (self, ls_onnx_constant (self, wide ? LS_FLOAT64 : LS_FLOAT32, (const gint64[]) { n_in, n_out }, 2, data), dtype);
}

/* Of (..., signal, ..., 1 or 2) along an axis: products with cosines and sines.  A signal that is shorter than `n` goes on with zeros, a longer one is cut. */
static LsFxValue *
transform (LsOnnxImport *self,
           LsFxValue    *x,
           guint         axis,
           gint64        n,             /* of the transform; 0: as long as the signal */
           gboolean      inverse,
           gboolean      onesided)
{
  LsFxValue *shape = ls_fx_shape (FX, x), *parts[2] = { NULL, NULL }, *re, *im, *cosines, *sines, *out[2], **order;
  guint rank = shape != NULL ? shape->n - 1 : 0;        /* without the parts of the numbers */
  gint64 length, n_parts, n_in, n_out;
  LsDType dtype;

  if (shape == NULL || (length = ls_onnx_number (self, shape, axis)) < 1 || (n_parts = ls_onnx_number (self, shape, rank)) < 1 || self->fx.error != NULL)
    return NULL;
  if (n_parts > 2)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "its last dimension holds the parts of complex numbers, of which there are one or two");
  n = n > 0 ? n : length;
  n_in = MIN (n, length);
  n_out = onesided ? n / 2 + 1 : n;
  if (n > MOST_ELEMENTS || n_in * n_out > MOST_ELEMENTS)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a transform of %" PRId64 " numbers is a product with a matrix of as many rows, which is too large", n);
  dtype = ls_fx_dtype (FX, x);
  x = n_in < length ? ls_onnx_cut (self, x, axis, 0, n_in) : x;
  order = ls_fx_alloc (FX, rank * sizeof *order);
  for (guint i = 0, k = 0; i < rank; i++)
    if (i != axis)
      order[k++] = ls_fx_int (FX, i);
  order[rank - 1] = ls_fx_int (FX, axis);
  for (guint i = 0; i < (guint) n_parts; i++)
    {
      parts[i] = ls_fx_call (FX, "squeeze", ls_onnx_cut (self, x, rank, i, i + 1), LS_FX_BY_NAME, "axis", as_ints (self, rank), NULL);
      parts[i] = ls_fx_call (FX, "permute_dims", parts[i], ls_fx_list (FX, order, rank), NULL);
    }
  cosines = waves (self, n_in, n_out, n, inverse ? 1.0 / (double) n : 1.0, FALSE, dtype);
  sines = waves (self, n_in, n_out, n, inverse ? -1.0 / (double) n : 1.0, TRUE, dtype);
  re = ls_fx_call (FX, "matmul", parts[0], cosines, NULL);
  im = ls_fx_call (FX, "negative", ls_fx_call (FX, "matmul", parts[0], sines, NULL), NULL);
  if (parts[1] != NULL)
    {
      re = ls_fx_call (FX, "add", re, ls_fx_call (FX, "matmul", parts[1], sines, NULL), NULL);
      im = ls_fx_call (FX, "add", im, ls_fx_call (FX, "matmul", parts[1], cosines, NULL), NULL);
    }
  for (guint i = 0, k = 0; i < rank; i++)
    order[i] = ls_fx_int (FX, i == axis ? rank - 1 : k++);
  for (guint i = 0; i < 2; i++)
    {
      out[i] = ls_fx_call (FX, "permute_dims", i == 0 ? re : im, ls_fx_list (FX, order, rank), NULL);
      out[i] = ls_fx_call (FX, "expand_dims", out[i], LS_FX_BY_NAME, "axis", as_ints (self, rank), NULL);
    }
  return ls_fx_call (FX, "concat", ls_fx_list (FX, out, 2), LS_FX_BY_NAME, "axis", ls_fx_int (FX, rank), NULL);
}

static LsFxValue *
fourier (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *length = ls_onnx_numbers (self, NULL, 1), *at = ls_onnx_numbers (self, "axis", 2), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  gint64 axis = at != NULL ? ls_onnx_number (self, at, 0) : self->opset < 20 ? 1 : -2, n = length != NULL ? ls_onnx_number (self, length, 0) : 0;
  gboolean inverse = ls_onnx_attr_int (self, "inverse", 0) != 0, onesided = ls_onnx_attr_int (self, "onesided", 0) != 0;

  if (shape == NULL || self->fx.error != NULL || !ls_fx_dimension (FX, &axis, shape->n))
    return NULL;
  if (shape->n < 2 || axis == shape->n - 1 || (length != NULL && n < 1))
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a signal along a dimension that is not the last one, and a positive length, are expected");
  if (inverse && onesided)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a transform back from one side is not supported");
  return transform (self, x, (guint) axis, n, inverse, onesided);
}

/* Windows of a signal, each transformed. */
static LsFxValue *
short_fourier (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *steps = ls_onnx_numbers (self, NULL, 1), *window = ls_onnx_input (self, 2), *asked = ls_onnx_numbers (self, NULL, 3);
  LsFxValue *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *frames;
  gint64 step, length = 0, signal, n, *places;

  if (shape == NULL || steps == NULL || self->fx.error != NULL)
    return NULL;
  step = ls_onnx_number (self, steps, 0);
  if (asked != NULL)
    length = ls_onnx_number (self, asked, 0);
  else if (window != NULL)
    length = ls_onnx_number (self, ls_fx_shape (FX, window), 0);
  if (self->fx.error != NULL)
    return NULL;
  if (shape->n != 2 && shape->n != 3)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a batch of signals is expected");
  if (shape->n == 2)
    {
      x = ls_fx_call (FX, "expand_dims", x, LS_FX_BY_NAME, "axis", as_ints (self, 2), NULL);
      shape = ls_fx_shape (FX, x);
    }
  signal = ls_onnx_number (self, shape, 1);
  if (self->fx.error != NULL)
    return NULL;
  if (step < 1 || length < 1 || length > signal)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "frames of %" PRId64 " numbers, %" PRId64 " apart, are none of a signal of %" PRId64, length, step, signal);
  n = (signal - length) / step + 1;
  if (n > MOST_ELEMENTS / length)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "%" PRId64 " frames are too many", n);
  places = g_new (gint64, n * length);
  for (gint64 i = 0; i < n * length; i++)
    places[i] = GINT64_TO_LE (i / length * step + i % length);
  frames = ls_fx_call (FX, "take", x, ls_onnx_constant (self, LS_INT64, (const gint64[]) { n * length }, 1, places), LS_FX_BY_NAME, "axis", ls_fx_int (FX, 1), NULL);
  frames = reshaped (self, frames, (LsFxValue *[]) { shape->items[0], ls_fx_int (FX, n), ls_fx_int (FX, length), shape->items[2] }, 4);
  if (window != NULL)
    frames = ls_fx_call (FX, "multiply", frames, reshaped (self, window, (LsFxValue *[]) { ls_fx_int (FX, length), ls_fx_int (FX, 1) }, 2), NULL);
  return frames != NULL ? transform (self, frames, 2, 0, FALSE, ls_onnx_attr_int (self, "onesided", 1) != 0) : NULL;
}

/* ---- MaxPool's places -------------------------------------------------------------------------- */

typedef struct { gint64 *at, *told; } Windows;         /* of each element of each window: its place in the picture, by rows; and as the node tells it */

/* An element outside of the picture is the first one of its window that is inside, so that a place is always one of the picture. */
static void
fill_windows (const LsOnnxWindows *windows,
              guint                n,
              gint64               n_out,
              gint64               size,
              gboolean             by_columns,
              Windows             *out)
{
  for (gint64 o = 0; o < n_out; o++)
    {
      gint64 *at = out->at + o * size, *told = out->told + o * size, first = -1;

      for (gint64 k = 0; k < size; k++)
        {
          gint64 o_rest = o, k_rest = k, place = 0, columns = 0, step = 1, column_step = 1;
          gint64 x[3];
          gboolean inside = TRUE;

          for (guint i = n; i-- > 0; o_rest /= windows->out[i], k_rest /= windows->kernel[i])
            {
              x[i] = o_rest % windows->out[i] * windows->strides[i] + k_rest % windows->kernel[i] * windows->dilations[i] - windows->pads[i];
              inside = inside && x[i] >= 0 && x[i] < windows->extents[i];
            }
          for (guint i = n; i-- > 0; step *= windows->extents[i])
            place += x[i] * step;
          for (guint i = 0; i < n; column_step *= windows->extents[i], i++)
            columns += x[i] * column_step;
          at[k] = inside ? GINT64_TO_LE (place) : -1;
          told[k] = GINT64_TO_LE (by_columns ? columns : place);
          first = inside && first < 0 ? k : first;
        }
      for (gint64 k = 0; k < size; k++)
        if (at[k] == -1)
          {
            at[k] = first >= 0 ? at[first] : 0;
            told[k] = first >= 0 ? told[first] : 0;
          }
    }
}

LsFxValue *
ls_onnx_places (LsOnnxImport        *self,
                LsFxValue           *x,
                LsFxValue           *y,
                guint                n,
                const LsOnnxWindows *windows,
                gboolean             by_columns)
{
  LsFxValue *shape = ls_fx_shape (FX, x), *out_shape = y != NULL ? ls_fx_shape (FX, y) : NULL, *at, *told, *base, *best;
  gint64 n_out = 1, size = 1, elements = 1, pictures, *starts, *offsets;
  Windows all;

  if (out_shape == NULL)
    return NULL;
  pictures = ls_onnx_number (self, shape, 0) * ls_onnx_number (self, shape, 1);
  for (guint i = 0; i < n; i++)
    {
      n_out *= windows->out[i];
      size *= windows->kernel[i];
      elements *= windows->extents[i];
    }
  if (self->fx.error != NULL || pictures < 1 || pictures > MOST_ELEMENTS || n_out < 1 || n_out > MOST_ELEMENTS || size > MOST_ELEMENTS / n_out || elements > G_MAXINT32)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "the places of the greatest are told for pictures whose number and extents are known, with up to %d elements in all windows", MOST_ELEMENTS);
  all = (Windows) { g_new (gint64, n_out * size), g_new (gint64, n_out * size) };
  fill_windows (windows, n, n_out, size, by_columns, &all);
  starts = g_new (gint64, n_out);
  for (gint64 i = 0; i < n_out; i++)
    starts[i] = GINT64_TO_LE (i * size);
  offsets = g_new (gint64, pictures);
  for (gint64 i = 0; i < pictures; i++)
    offsets[i] = GINT64_TO_LE (i * elements);
  size = n_out * size;
  at = ls_onnx_constant (self, LS_INT64, &size, 1, all.at);
  told = ls_onnx_constant (self, LS_INT64, &size, 1, all.told);
  base = ls_onnx_constant (self, LS_INT64, (const gint64[]) { 1, n_out }, 2, starts);
  size /= n_out;
  x = ls_fx_call (FX, "reshape", x, ls_fx_ints (FX, (const gint64[]) { pictures, elements }, 2), NULL);
  x = ls_fx_call (FX, "take", x, at, LS_FX_BY_NAME, "axis", ls_fx_int (FX, 1), NULL);
  x = ls_fx_call (FX, "reshape", x, ls_fx_ints (FX, (const gint64[]) { pictures, n_out, size }, 3), NULL);
  best = ls_fx_call (FX, "argmax", x, LS_FX_BY_NAME, "axis", ls_fx_int (FX, 2), NULL);
  best = ls_fx_call (FX, "take", told, ls_fx_call (FX, "add", best, base, NULL), LS_FX_BY_NAME, "axis", ls_fx_int (FX, 0), NULL);
  best = ls_fx_call (FX, "add", best, ls_onnx_constant (self, LS_INT64, (const gint64[]) { pictures, 1 }, 2, offsets), NULL);
  return ls_fx_call (FX, "reshape", best, out_shape, NULL);
}

/* ---- MaxUnpool --------------------------------------------------------------------------------- */

/* Each element at the place that its index says, which counts through the tensor that MaxPool took apart; a larger one that is asked for has zeros behind. */
static LsFxValue *
unpooled (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *at = ls_onnx_needed (self, 1), *asked = ls_onnx_numbers (self, NULL, 2), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  LsFxValue *kernel = ls_onnx_attr (self, "kernel_shape"), *strides = ls_onnx_attr (self, "strides"), *pads = ls_onnx_attr (self, "pads"), *y;
  gint64 extents[16], widths[32] = { 0 }, total = 1;
  guint n = shape != NULL ? shape->n - 2 : 0;
  gboolean wider = FALSE;

  if (shape == NULL || at == NULL || self->fx.error != NULL)
    return NULL;
  if (shape->n < 3 || shape->n > G_N_ELEMENTS (extents) || kernel == NULL || kernel->kind != LS_FX_LIST || kernel->n != n || (strides != NULL && (strides->kind != LS_FX_LIST || strides->n != n))
      || (pads != NULL && (pads->kind != LS_FX_LIST || pads->n != 2 * n)) || (asked != NULL && asked->n != shape->n))
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a window for each dimension of the picture is expected");
  for (guint i = 0; i < shape->n; i++)
    {
      extents[i] = ls_onnx_number (self, shape, i);
      if (i >= 2)
        extents[i] = (extents[i] - 1) * (strides != NULL ? ls_onnx_number (self, strides, i - 2) : 1) + ls_onnx_number (self, kernel, i - 2)
                     - (pads != NULL ? ls_onnx_number (self, pads, i - 2) + ls_onnx_number (self, pads, i - 2 + n) : 0);
      if (self->fx.error != NULL || extents[i] < 1 || __builtin_mul_overflow (total, extents[i], &total) || total > G_MAXINT32)
        return self->fx.error != NULL ? NULL : ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "its windows make no picture");
      widths[2 * i + 1] = asked != NULL ? ls_onnx_number (self, asked, i) - extents[i] : 0;
      wider = wider || widths[2 * i + 1] > 0;
      if (widths[2 * i + 1] < 0)
        return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "the extent %" PRId64 " that is asked for is less than the %" PRId64 " of the windows",
                           extents[i] + widths[2 * i + 1], extents[i]);
    }
  y = ls_fx_filled (FX, 0.0, as_ints (self, total), ls_fx_dtype (FX, x));
  y = ls_fx_call (FX, "scatter_elements", y, ls_fx_call (FX, "reshape", ls_onnx_cast (self, at, LS_INT64), as_ints (self, -1), NULL),
                  ls_fx_call (FX, "reshape", x, as_ints (self, -1), NULL), LS_FX_BY_NAME, "axis", ls_fx_int (FX, 0), NULL);
  y = ls_fx_call (FX, "reshape", y, ls_fx_ints (FX, extents, shape->n), NULL);
  return wider ? ls_fx_call (FX, "nn.pad", y, LS_FX_BY_NAME, "pad_width", ls_fx_ints (FX, widths, 2 * shape->n), "pad_value", ls_fx_real (FX, 0.0), NULL) : y;
}

/* ---- losses ---------------------------------------------------------------------------------------- */

static LsFxValue *
likelihood_loss (LsOnnxImport *self,
                 LsFxValue    *logs)
{
  static const char *const REDUCTIONS[] = { "none", "mean", "sum", NULL };
  LsFxValue *targets = ls_onnx_needed (self, 1), *weights = ls_onnx_input (self, 2);
  const char *reduction = ls_onnx_attr_text (self, "reduction", "mean");
  LsFxValue *word = ls_fx_text (FX, LS_FX_TEXT, reduction), *ignored = ls_fx_int (FX, ls_onnx_attr_int (self, "ignore_index", -100));

  if (logs == NULL || targets == NULL || self->fx.error != NULL)
    return NULL;
  if (!g_strv_contains (REDUCTIONS, reduction))
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "the reduction is none, mean or sum, not %s", reduction);
  if (weights != NULL)
    return ls_fx_call (FX, "nn.nll_loss", logs, targets, weights, LS_FX_BY_NAME, "reduction", word, "ignore_index", ignored, NULL);
  return ls_fx_call (FX, "nn.nll_loss", logs, targets, LS_FX_BY_NAME, "reduction", word, "ignore_index", ignored, NULL);
}

static LsFxValue *
nll_loss (LsOnnxImport *self)
{
  return likelihood_loss (self, ls_onnx_needed (self, 0));
}

static LsFxValue *
cross_entropy (LsOnnxImport *self)
{
  LsFxValue *scores = ls_onnx_needed (self, 0), *logs = scores != NULL ? ls_fx_call (FX, "nn.log_softmax", scores, LS_FX_BY_NAME, "axis", ls_fx_int (FX, 1), NULL) : NULL;
  LsFxValue *both[2] = { likelihood_loss (self, logs), logs };

  return both[0] != NULL ? ls_fx_list (FX, both, MIN (self->node->n_output, 2)) : NULL;
}

/* ---- what has no shape before it runs ---------------------------------------------------------------- */

/* A number that is a constant, or `otherwise` where the input is missing. FALSE: it is computed. */
static gboolean
read_real (LsOnnxImport *self,
           guint         input,
           double        otherwise,
           double       *value)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  LsFxValue *known = ls_onnx_known_input (self, input);

  *value = otherwise;
  if (known != NULL)
    known = known->kind == LS_FX_LIST && known->n == 1 ? known->items[0] : known;
  if (known != NULL && known->kind == LS_FX_INT)
    return *value = (double) known->i, TRUE;
  if (ls_onnx_input (self, input) == NULL)
    return self->fx.error == NULL;
  if (!ls_onnx_reals (self, input, values) || values->len != 1)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "its limits are expected as constants"), FALSE;
  return *value = g_array_index (values, double, 0), TRUE;
}

/* Which boxes stay, by their rank; then a row for each: picture, class, box.  How many there are is known when it runs. */
static LsFxValue *
suppression (LsOnnxImport *self)
{
  static const gint64 TURNED[] = { 1, 0 };
  LsFxValue *boxes = ls_onnx_needed (self, 0), *scores = ls_onnx_needed (self, 1), *order, *keep, *rows, *which;
  g_autoptr (LsTeBridge) bridge = ls_te_bridge_new (FX->builder);
  g_autoptr (LsTeTensor) b = NULL, s = NULL, o = NULL;
  g_autoptr (LsArray) outputs = NULL;
  g_autoptr (LsVar) count = NULL;
  LsRelaxVar *cast;
  double most, overlap, least;

  if (boxes == NULL || scores == NULL || !read_real (self, 2, 0.0, &most) || !read_real (self, 3, 0.0, &overlap) || !read_real (self, 4, -INFINITY, &least))
    return NULL;
  order = ls_fx_call (FX, "argsort", scores, LS_FX_BY_NAME, "axis", ls_fx_int (FX, -1), "descending", ls_fx_bool (FX, TRUE), "dtype", ls_fx_text (FX, LS_FX_DTYPE, "int64"), NULL);
  b = order != NULL ? ls_te_bridge_tensor (bridge, boxes->node, &FX->error) : NULL;
  s = b != NULL ? ls_te_bridge_tensor (bridge, scores->node, &FX->error) : NULL;
  o = s != NULL ? ls_te_bridge_tensor (bridge, order->node, &FX->error) : NULL;
  outputs = o != NULL ? ls_topi_nms_keep (b, s, o, (gint64) CLAMP (most, 0.0, 1e15), overlap, least, ls_onnx_attr_int (self, "center_point_box", 0) != 0, &FX->error) : NULL;
  keep = outputs != NULL ? ls_fx_emit (FX, ls_te_bridge_call (bridge, outputs, "nms", NULL, &FX->error)) : NULL;
  keep = keep != NULL ? ls_onnx_field (self, keep, 0) : NULL;
  rows = keep != NULL ? ls_fx_call (FX, "nonzero", keep, NULL) : NULL;
  if (rows == NULL)
    return NULL;
  count = ls_var_new ("n_boxes", LS_INT64);
  cast = ls_block_builder_emit_match_cast (FX->builder, rows->node,
                                           ls_tensor_struct_info_new (ls_shape_expr_new (ls_array_of (ls_const_int (LS_INT64, 3), ls_ref (count), NULL)), LS_UNKNOWN_NDIM, LS_INT64, NULL), NULL);
  rows = ls_fx_node (FX, ls_node_ref ((LsNode *) cast));
  rows = ls_fx_call (FX, "permute_dims", rows, ls_fx_ints (FX, TURNED, 2), NULL);
  which = rows != NULL ? ls_fx_call (FX, "gather_nd", order, rows, NULL) : NULL;
  which = which != NULL ? ls_fx_call (FX, "expand_dims", which, as_ints (self, 1), NULL) : NULL;
  if (which == NULL)
    return NULL;
  return ls_fx_call (FX, "concat", ls_fx_list (FX, (LsFxValue *[]) { ls_onnx_cut (self, rows, 1, 0, 2), which }, 2), LS_FX_BY_NAME, "axis", ls_fx_int (FX, 1), NULL);
}

const LsOnnxHandler ls_onnx_handlers_math[] = {
  { "Det", determinant }, { "DFT", fourier }, { "STFT", short_fourier }, { "MaxUnpool", unpooled }, { "NegativeLogLikelihoodLoss", nll_loss },
  { "SoftmaxCrossEntropyLoss", cross_entropy }, { "NonMaxSuppression", suppression }, { NULL, NULL }
};
