/* onnx/rules-rare: operators that few models have, each by others. */
#include "engine/frontend/onnx/onnx-private.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FX (&self->fx)

#define MOST_ELEMENTS (1 << 22)         /* of a tensor that is written down */

/* ---- parts of a sequence -------------------------------------------------------------------- */

/* Of each element of a batch the first `lengths` steps backwards: step t is taken from lengths - 1 - t. */
static LsFxValue *
reverse_sequence (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *lengths = ls_onnx_needed (self, 1), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *steps, *places, **one;
  gint64 time = ls_onnx_attr_int (self, "time_axis", 0), batch = ls_onnx_attr_int (self, "batch_axis", 1), n, *numbers;

  if (shape == NULL || lengths == NULL || !ls_fx_dimension (FX, &time, shape->n) || !ls_fx_dimension (FX, &batch, shape->n))
    return NULL;
  if (time == batch)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "the steps and the batch are the same dimension");
  n = ls_onnx_number (self, shape, (guint) time);
  if (self->fx.error != NULL || n < 1 || n > MOST_ELEMENTS)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a number of steps that is known is expected");
  numbers = g_new (gint64, n);
  for (gint64 i = 0; i < n; i++)
    numbers[i] = GINT64_TO_LE (i);
  steps = ls_onnx_by_channel (self, ls_onnx_constant (self, LS_INT64, &n, 1, numbers), (guint) time, shape->n);
  lengths = ls_onnx_by_channel (self, ls_onnx_cast (self, lengths, LS_INT64), (guint) batch, shape->n);
  places = ls_fx_call (FX, "subtract", ls_fx_call (FX, "subtract", lengths, ls_fx_int (FX, 1), NULL), steps, NULL);
  places = ls_fx_call (FX, "where", ls_fx_call (FX, "less", steps, lengths, NULL), places, steps, NULL);
  one = ls_fx_alloc (FX, shape->n * sizeof *one);
  for (guint i = 0; i < shape->n; i++)
    one[i] = shape->items[i];
  places = ls_fx_call (FX, "broadcast_to", places, ls_fx_list (FX, one, shape->n), NULL);
  return ls_fx_call (FX, "gather_elements", x, places, LS_FX_BY_NAME, "axis", ls_fx_int (FX, time), NULL);
}

/* What a condition that is a constant lets through. */
static LsFxValue *
compress (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));
  gboolean flat = ls_onnx_attr (self, "axis") == NULL;
  gint64 axis = ls_onnx_attr_int (self, "axis", 0), *places, n = 0, extent = 1;

  if (shape == NULL || ls_onnx_needed (self, 1) == NULL)
    return NULL;
  if (!ls_onnx_reals (self, 1, values))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "its condition is computed, so that nobody knows how much it lets through; one that is a constant is supported");
  if (flat)
    {
      for (guint i = 0; i < shape->n; i++)
        if (__builtin_mul_overflow (extent, ls_onnx_number (self, shape, i), &extent))
          return NULL;
      x = ls_fx_call (FX, "reshape", x, ls_fx_ints (FX, (const gint64[]) { -1 }, 1), NULL);
    }
  else if (ls_fx_dimension (FX, &axis, shape->n))
    extent = ls_onnx_number (self, shape, (guint) axis);
  if (self->fx.error != NULL)
    return NULL;
  places = g_new (gint64, MAX (values->len, 1));
  for (guint i = 0; i < values->len && i < extent; i++)
    if (g_array_index (values, double, i) != 0.0)
      places[n++] = GINT64_TO_LE (i);
  if (n == 0)
    {
      g_free (places);
      return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "its condition lets nothing through");
    }
  return ls_fx_call (FX, "take", x, ls_onnx_constant (self, LS_INT64, &n, 1, places), LS_FX_BY_NAME, "axis", ls_fx_int (FX, axis), NULL);
}

/* The middle of each dimension: what is too long is cut at both ends, what is too short gets zeros there. */
static LsFxValue *
center (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *asked = ls_onnx_numbers (self, NULL, 1), *over = ls_onnx_attr (self, "axes"), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  gint64 *widths;
  gboolean pads = FALSE;

  if (shape == NULL || asked == NULL)
    return NULL;
  if (asked->n != (over != NULL && over->kind == LS_FX_LIST ? over->n : shape->n))
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "%u extents are not those of the axes", asked->n);
  widths = ls_fx_alloc (FX, 2 * shape->n * sizeof *widths);
  for (guint i = 0; i < asked->n; i++)
    {
      gint64 axis = over != NULL ? ls_onnx_number (self, over, i) : i, extent, wanted = ls_onnx_number (self, asked, i);

      if (self->fx.error != NULL || !ls_fx_dimension (FX, &axis, shape->n))
        return NULL;
      extent = ls_onnx_number (self, shape, (guint) axis);
      if (wanted < extent)
        x = ls_onnx_cut (self, x, (guint) axis, (extent - wanted) / 2, (extent - wanted) / 2 + wanted);
      else
        {
          widths[2 * axis] = (wanted - extent) / 2;
          widths[2 * axis + 1] = wanted - extent - widths[2 * axis];
          pads = pads || wanted > extent;
        }
    }
  return pads ? ls_fx_call (FX, "nn.pad", x, LS_FX_BY_NAME, "pad_width", ls_fx_ints (FX, widths, 2 * shape->n), "pad_value", ls_fx_real (FX, 0.0), NULL) : x;
}

/* ---- different elements ----------------------------------------------------------------------- */

/* Elements, or slices along an axis, sorted or as they come; the places where each is first, which one each element is, and how often each is there. */
static LsFxValue *
unique (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *yes = ls_fx_bool (FX, TRUE), *tuple, *items[4];
  LsFxValue *sorted = ls_fx_bool (FX, ls_onnx_attr_int (self, "sorted", 1) != 0);
  gint64 axis = ls_onnx_attr_int (self, "axis", 0);

  if (shape == NULL || (ls_onnx_attr (self, "axis") != NULL && !ls_fx_dimension (FX, &axis, shape->n)))
    return NULL;
  tuple = ls_onnx_attr (self, "axis") != NULL ? ls_fx_call (FX, "unique", x, sorted, yes, yes, yes, ls_fx_int (FX, axis), NULL)
                                              : ls_fx_call (FX, "unique", x, sorted, yes, yes, yes, NULL);
  for (guint i = 0; i < 4 && tuple != NULL; i++)
    items[i] = ls_onnx_field (self, tuple, i);
  return tuple != NULL && self->fx.error == NULL ? ls_fx_list (FX, items, MIN (self->node->n_output, 4)) : NULL;
}

/* ---- columns to a picture ------------------------------------------------------------------------ */

/* Zeros, and a one in channel k of `n` at place k of the window, whose elements lie `dilations` apart: (channels * n, 1, window...). */
static LsFxValue *
places_as_kernel (LsOnnxImport *self,
                  gint64        channels,
                  const gint64 *block,
                  const gint64 *dilations)
{
  gint64 window[2] = { (block[0] - 1) * dilations[0] + 1, (block[1] - 1) * dilations[1] + 1 }, n = block[0] * block[1];
  float *data = g_new0 (float, channels * n * window[0] * window[1]);

  for (gint64 i = 0; i < channels * n; i++)
    data[(i * window[0] + i % n / block[1] * dilations[0]) * window[1] + i % n % block[1] * dilations[1]] = 1.0f;
  return ls_onnx_constant (self, LS_FLOAT32, (const gint64[]) { channels * n, 1, window[0], window[1] }, 4, data);
}

static gboolean
two_numbers (LsOnnxImport *self,
             LsFxValue    *list,
             guint         n,
             gint64        otherwise,
             gint64       *out)
{
  if (list != NULL && (list->kind != LS_FX_LIST || list->n != n))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "pictures of two axes are expected"), FALSE;
  for (guint i = 0; i < n; i++)
    {
      out[i] = list != NULL ? ls_onnx_number (self, list, i) : otherwise;
      if (self->fx.error == NULL && (out[i] < 0 || out[i] > MOST_ELEMENTS))
        return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "%" PRId64 " is none of its numbers", out[i]), FALSE;
    }
  return self->fx.error == NULL;
}

/* Each column is a window of the picture, and where windows lie over each other it is their sum: the transposed convolution with a kernel that puts every
 * element of a column in its place. */
static LsFxValue *
columns_to_picture (LsOnnxImport *self)
{
  LsFxValue *x = ls_onnx_needed (self, 0), *image = ls_onnx_numbers (self, NULL, 1), *block = ls_onnx_numbers (self, NULL, 2), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  gint64 to[2], window[2], dilations[2], strides[2], pads[4], more[2], n[2], channels, rows;

  if (shape == NULL || image == NULL || block == NULL || shape->n != 3)
    return shape != NULL && shape->n != 3 ? ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a tensor of three dimensions is expected") : NULL;
  if (!two_numbers (self, image, 2, 0, to) || !two_numbers (self, block, 2, 0, window) || !two_numbers (self, ls_onnx_attr (self, "dilations"), 2, 1, dilations)
      || !two_numbers (self, ls_onnx_attr (self, "strides"), 2, 1, strides) || !two_numbers (self, ls_onnx_attr (self, "pads"), 4, 0, pads))
    return NULL;
  rows = ls_onnx_number (self, shape, 1);
  if (window[0] < 1 || window[1] < 1 || strides[0] < 1 || strides[1] < 1 || dilations[0] < 1 || dilations[1] < 1 || rows % (window[0] * window[1]) != 0
      || rows * ((window[0] - 1) * dilations[0] + 1) * ((window[1] - 1) * dilations[1] + 1) > MOST_ELEMENTS)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "columns of %" PRId64 " elements are not windows of %" PRId64 " by %" PRId64, rows, window[0], window[1]);
  channels = rows / (window[0] * window[1]);
  for (guint i = 0; i < 2; i++)
    {
      gint64 room = to[i] + pads[i] + pads[i + 2] - (window[i] - 1) * dilations[i] - 1;

      if (room < 0)
        return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a window is larger than the picture");
      n[i] = room / strides[i] + 1;
      more[i] = room % strides[i];
    }
  if (shape->items[2]->kind == LS_FX_INT && shape->items[2]->i != n[0] * n[1])
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "%" PRId64 " columns are not the %" PRId64 " windows of the picture", shape->items[2]->i, n[0] * n[1]);
  x = ls_fx_call (FX, "reshape", x, ls_fx_ints (FX, (const gint64[]) { -1, rows, n[0], n[1] }, 4), NULL);
  return ls_fx_call (FX, "nn.conv2d_transpose", x, places_as_kernel (self, channels, window, dilations), LS_FX_BY_NAME, "strides", ls_fx_ints (FX, strides, 2), "padding", ls_fx_ints (FX, pads, 4),
                     "output_padding", ls_fx_ints (FX, more, 2), "groups", ls_fx_int (FX, channels), "data_layout", ls_fx_text (FX, LS_FX_TEXT, "NCHW"),
                     "kernel_layout", ls_fx_text (FX, LS_FX_TEXT, "IOHW"), NULL);
}

/* ---- windows of a signal ----------------------------------------------------------------------------- */

/* a - b cos (2 pi i / n) + c cos (4 pi i / n); n is one less where both ends are to be alike. */
static LsFxValue *
signal_window (LsOnnxImport *self)
{
  static const struct { const char *name; double a, b, c; } WINDOWS[] = {
    { "HannWindow", 0.5, 0.5, 0.0 }, { "HammingWindow", 25.0 / 46.0, 21.0 / 46.0, 0.0 }, { "BlackmanWindow", 0.42, 0.5, 0.08 },
  };
  LsFxValue *size = ls_onnx_numbers (self, NULL, 0);
  gint64 n = size != NULL ? ls_onnx_number (self, size, 0) : 0;
  LsDType dtype = LS_FLOAT32;
  double steps;
  float *data;

  if (size == NULL || self->fx.error != NULL || !ls_onnx_dtype ((gint32) ls_onnx_attr_int (self, "output_datatype", 1), &dtype))
    return self->fx.error == NULL ? ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "its type of elements is not supported") : NULL;
  if (n < 1 || n > MOST_ELEMENTS)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "a window of %" PRId64 " elements is none", n);
  steps = (double) (ls_onnx_attr_int (self, "periodic", 1) ? n : MAX (n - 1, 1));
  data = g_new (float, n);
  for (guint k = 0; k < G_N_ELEMENTS (WINDOWS); k++)
    for (gint64 i = 0; strcmp (WINDOWS[k].name, self->node->op_type) == 0 && i < n; i++)
      data[i] = (float) (WINDOWS[k].a - WINDOWS[k].b * cos (2.0 * G_PI * (double) i / steps) + WINDOWS[k].c * cos (4.0 * G_PI * (double) i / steps));
  return ls_onnx_cast (self, ls_onnx_constant (self, LS_FLOAT32, &n, 1, data), dtype);
}

/* ---- the scale of what is heard ------------------------------------------------------------------- */

/* Bands as triangles over the frequencies of a spectrum; their corners lie evenly on the scale of mel, at whole places of the spectrum. */
static void
fill_bands (float        *data,
            gint64        n_bands,
            gint64        n_places,
            const double *said)         /* bands, length of the transform, samples a second, lowest and highest frequency */
{
  double low = 2595.0 * log10 (1.0 + said[3] / 700.0), high = 2595.0 * log10 (1.0 + said[4] / 700.0), step = (high - low) / (double) (n_bands + 2);
  g_autofree gint64 *at = g_new (gint64, n_bands + 2);

  for (gint64 i = 0; i < n_bands + 2; i++)
    {
      double hertz = 700.0 * (pow (10.0, (low + step * (double) i) / 2595.0) - 1.0);

      at[i] = CLAMP ((gint64) floor ((said[1] + 1.0) * hertz / said[2]), 0, n_places);
    }
  for (gint64 i = 0; i < n_bands; i++)
    {
      for (gint64 j = at[i]; j <= at[i + 1] && j < n_places; j++)
        data[j * n_bands + i] = at[i] == at[i + 1] ? 1.0f : (float) (j - at[i]) / (float) (at[i + 1] - at[i]);
      for (gint64 j = at[i + 1]; j < at[i + 2] && j < n_places; j++)
        data[j * n_bands + i] = (float) (at[i + 2] - j) / (float) (at[i + 2] - at[i + 1]);
    }
}

static LsFxValue *
mel_weights (LsOnnxImport *self)
{
  double said[5];
  gint64 n_bands, n_places;
  LsDType dtype = LS_FLOAT32;
  float *data;

  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    {
      g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

      if (ls_onnx_needed (self, i) == NULL)
        return NULL;
      if (!ls_onnx_reals (self, i, values) || values->len != 1)
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "its input %u is computed; a number that is a constant is supported", i + 1);
      said[i] = g_array_index (values, double, 0);
    }
  if (!ls_onnx_dtype ((gint32) ls_onnx_attr_int (self, "output_datatype", 1), &dtype))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "its type of elements is not supported");
  if (!(said[0] >= 1 && said[0] <= MOST_ELEMENTS && said[1] >= 1 && said[1] <= MOST_ELEMENTS && said[2] > 0 && said[3] >= 0 && said[4] >= said[3] && said[0] * (said[1] / 2 + 1) <= MOST_ELEMENTS))
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "%g bands from %g to %g Hz of a transform of %g are none", said[0], said[3], said[4], said[1]);
  n_bands = (gint64) said[0];
  n_places = (gint64) said[1] / 2 + 1;
  data = g_new0 (float, n_bands * n_places);
  fill_bands (data, n_bands, n_places, said);
  return ls_onnx_cast (self, ls_onnx_constant (self, LS_FLOAT32, (const gint64[]) { n_places, n_bands }, 2, data), dtype);
}

const LsOnnxHandler ls_onnx_handlers_rare[] = {
  { "ReverseSequence", reverse_sequence }, { "Compress", compress }, { "CenterCropPad", center }, { "Unique", unique }, { "Col2Im", columns_to_picture },
  { "HannWindow HammingWindow BlackmanWindow", signal_window }, { "MelWeightMatrix", mel_weights },
  { NULL, NULL }
};
