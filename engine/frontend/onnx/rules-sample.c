/* onnx/rules-sample: values between the elements of a picture, at places that are computed.  A picture stands with its channels last, so that one gather_nd
 * takes all of them at a place; what lies between elements is a sum of those around, each by its share. */
#include "engine/frontend/onnx/onnx-private.h"
#include "engine/topi/topi.h"

#include <inttypes.h>
#include <string.h>

#define FX (&self->fx)

#define MOST_AXES 3
#define MOST_POINTS (1 << 22)           /* of a grid that is written down */

typedef struct {
  LsFxValue  *pixels;                   /* (batch, extents..., channels) */
  gint64      extents[MOST_AXES];
  guint       n_axes;
  const char *mode, *padding;
  gboolean    corners;                  /* the first and the last element are at -1 and 1, not half an element further in */
} Picture;

/* ---- arithmetic ------------------------------------------------------------------------------- */

static LsFxValue *
with (LsOnnxImport *self,
      const char   *op,
      LsFxValue    *a,
      double        b)
{
  return ls_fx_call (FX, op, a, ls_fx_real (FX, b), NULL);
}

static LsFxValue *
both (LsOnnxImport *self,
      const char   *op,
      LsFxValue    *a,
      LsFxValue    *b)
{
  return a == NULL ? b : b == NULL ? a : ls_fx_call (FX, op, a, b, NULL);
}

/* c[0] t^3 + c[1] t^2 + c[2] t + c[3]. */
static LsFxValue *
cubic (LsOnnxImport *self,
       LsFxValue    *t,
       const double *c)
{
  LsFxValue *y = with (self, "multiply", t, c[0]);

  for (guint i = 1; i < 4; i++)
    {
      y = c[i] != 0.0 ? with (self, "add", y, c[i]) : y;
      y = i < 3 ? ls_fx_call (FX, "multiply", y, t, NULL) : y;
    }
  return y;
}

/* (batch, extents..., channels) of (batch, channels, extents...), or back. */
static LsFxValue *
channels_to (LsOnnxImport *self,
             LsFxValue    *x,
             guint         n_axes,
             gboolean      last)
{
  gint64 order[MOST_AXES + 2] = { 0 };

  for (guint i = 0; i < n_axes; i++)
    order[last ? i + 1 : i + 2] = last ? i + 2 : i + 1;
  order[last ? n_axes + 1 : 1] = last ? 1 : n_axes + 1;
  return ls_fx_call (FX, "permute_dims", x, ls_fx_ints (FX, order, n_axes + 2), NULL);
}

/* 1 where from <= x <= to, else 0. */
static LsFxValue *
inside (LsOnnxImport *self,
        LsFxValue    *x,
        double        from,
        double        to)
{
  LsFxValue *is = ls_fx_call (FX, "logical_and", with (self, "greater_equal", x, from), with (self, "less_equal", x, to), NULL);

  return is != NULL ? ls_onnx_cast (self, is, ls_fx_dtype (FX, x)) : NULL;
}

/* ---- GridSample -------------------------------------------------------------------------------- */

/* Thrown back at both ends until it lies between them. */
static LsFxValue *
reflected (LsOnnxImport  *self,
           const Picture *picture,
           LsFxValue     *x,
           guint          axis)
{
  double from = picture->corners ? 0.0 : -0.5, length = (double) picture->extents[axis] - (picture->corners ? 1.0 : 0.0);
  LsFxValue *off, *rounds;

  if (length == 0.0)
    return with (self, "multiply", x, 0.0);
  off = with (self, "subtract", x, from);
  rounds = ls_fx_call (FX, "floor", with (self, "divide", off, 2.0 * length), NULL);
  off = ls_fx_call (FX, "subtract", off, with (self, "multiply", rounds, 2.0 * length), NULL);
  off = ls_fx_call (FX, "minimum", off, ls_fx_call (FX, "subtract", ls_fx_scalar (FX, ls_fx_real (FX, 2.0 * length), ls_fx_dtype (FX, off)), off, NULL), NULL);
  return with (self, "add", off, from);
}

/* A place outside, where the padding says it is. */
static LsFxValue *
kept_inside (LsOnnxImport  *self,
             const Picture *picture,
             LsFxValue     *x,
             guint          axis)
{
  if (strcmp (picture->padding, "reflection") == 0)
    return reflected (self, picture, x, axis);
  return strcmp (picture->padding, "border") == 0 ? ls_fx_call (FX, "clip", x, ls_fx_real (FX, 0.0), ls_fx_real (FX, (double) picture->extents[axis] - 1.0), NULL) : x;
}

/* The elements at whole places, each place (batch, points..., 1); outside is what the padding says. */
static LsFxValue *
elements_at (LsOnnxImport  *self,
             const Picture *picture,
             LsFxValue    **places)
{
  LsFxValue *at[MOST_AXES], *mask = NULL, *y;

  for (guint i = 0; i < picture->n_axes; i++)
    {
      double last = (double) picture->extents[i] - 1.0;

      at[i] = kept_inside (self, picture, places[i], i);
      if (strcmp (picture->padding, "zeros") == 0)
        mask = both (self, "multiply", inside (self, at[i], 0.0, last), mask);
      at[i] = ls_fx_call (FX, "clip", at[i], ls_fx_real (FX, 0.0), ls_fx_real (FX, last), NULL);
      at[i] = at[i] != NULL ? ls_onnx_cast (self, at[i], LS_INT64) : NULL;
    }
  if (self->fx.error != NULL)
    return NULL;
  y = ls_fx_call (FX, "concat", ls_fx_list (FX, at, picture->n_axes), LS_FX_BY_NAME, "axis", ls_fx_int (FX, -1), NULL);
  y = ls_fx_call (FX, "gather_nd", picture->pixels, y, LS_FX_BY_NAME, "batch_dims", ls_fx_int (FX, 1), NULL);
  return both (self, "multiply", y, mask);
}

/* How much each of the elements around has, from `first` places before the place on. */
static guint
shares_at (LsOnnxImport  *self,
           const Picture *picture,
           LsFxValue     *t,
           gint          *first,
           LsFxValue    **shares)
{
  const double a = -0.75;
  const double c[4][4] = { { a, -2.0 * a, a, 0.0 }, { a + 2.0, -a - 3.0, 0.0, 1.0 }, { -a - 2.0, 2.0 * a + 3.0, -a, 0.0 }, { -a, a, 0.0, 0.0 } };

  if (g_str_has_suffix (picture->mode, "cubic"))
    {
      *first = -1;
      for (guint i = 0; i < 4; i++)
        shares[i] = cubic (self, t, c[i]);
      return 4;
    }
  *first = 0;
  shares[0] = with (self, "add", with (self, "multiply", t, -1.0), 1.0);
  shares[1] = t;
  return 2;
}

static LsFxValue *
between (LsOnnxImport  *self,
         const Picture *picture,
         LsFxValue    **places)
{
  LsFxValue *low[MOST_AXES], *shares[MOST_AXES][4], *around[MOST_AXES], *sum = NULL;
  guint n_shares = 1, n = picture->n_axes, count = 1;
  gint first = 0;

  for (guint i = 0; i < n; i++)
    {
      low[i] = ls_fx_call (FX, "floor", places[i], NULL);
      n_shares = shares_at (self, picture, ls_fx_call (FX, "subtract", places[i], low[i], NULL), &first, shares[i]);
      count *= n_shares;
    }
  for (guint k = 0; k < count && self->fx.error == NULL; k++)
    {
      LsFxValue *share = NULL;

      for (guint i = 0, rest = k; i < n; i++, rest /= n_shares)
        {
          gint step = first + (gint) (rest % n_shares);

          around[i] = step != 0 ? with (self, "add", low[i], step) : low[i];
          share = both (self, "multiply", shares[i][rest % n_shares], share);
        }
      sum = both (self, "add", sum, ls_fx_call (FX, "multiply", elements_at (self, picture, around), share, NULL));
    }
  return sum;
}

static LsFxValue *
grid_sample (LsOnnxImport *self)
{
  static const char *const MODES[] = { "linear", "bilinear", "nearest", "cubic", "bicubic", NULL }, *const PADDINGS[] = { "zeros", "border", "reflection", NULL };
  LsFxValue *x = ls_onnx_needed (self, 0), *grid = ls_onnx_needed (self, 1), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *grid_shape = grid != NULL ? ls_fx_shape (FX, grid) : NULL;
  LsFxValue *places[MOST_AXES], *y;
  Picture picture = { .mode = ls_onnx_attr_text (self, "mode", "linear"), .padding = ls_onnx_attr_text (self, "padding_mode", "zeros"),
                      .corners = ls_onnx_attr_int (self, "align_corners", 0) != 0 };

  if (shape == NULL || grid_shape == NULL)
    return NULL;
  if (!g_strv_contains (MODES, picture.mode) || !g_strv_contains (PADDINGS, picture.padding))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "the mode %s with a padding of %s is not supported", picture.mode, picture.padding);
  picture.n_axes = shape->n - 2;
  if (shape->n < 4 || shape->n > 5 || grid_shape->n != shape->n || ls_onnx_number (self, grid_shape, grid_shape->n - 1) != picture.n_axes
      || (shape->n == 5 && g_str_has_suffix (picture.mode, "cubic")))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a picture of two axes, or of three where it is not cubic, with places of as many numbers, is expected");
  for (guint i = 0; i < picture.n_axes; i++)
    picture.extents[i] = ls_onnx_number (self, shape, i + 2);
  picture.pixels = channels_to (self, x, picture.n_axes, TRUE);
  for (guint i = 0; i < picture.n_axes; i++)
    {
      guint from = picture.n_axes - 1 - i;                      /* the first number of a place is that of the last axis */
      double extent = (double) picture.extents[i];

      places[i] = ls_onnx_cut (self, grid, grid_shape->n - 1, from, from + 1);
      places[i] = with (self, "multiply", with (self, "add", places[i], 1.0), (picture.corners ? extent - 1.0 : extent) / 2.0);
      places[i] = picture.corners ? places[i] : with (self, "subtract", places[i], 0.5);
      if (strcmp (picture.mode, "nearest") == 0)
        places[i] = ls_onnx_rounded (self, places[i]);
      places[i] = kept_inside (self, &picture, places[i], i);
    }
  y = strcmp (picture.mode, "nearest") == 0 ? elements_at (self, &picture, places) : between (self, &picture, places);
  return y != NULL ? channels_to (self, y, picture.n_axes, FALSE) : NULL;
}

/* ---- AffineGrid ----------------------------------------------------------------------------------- */

/* The middle of each element of a picture from -1 to 1 and a 1, times the matrix: (batch, n, n + 1) -> (batch, extents..., n). */
static LsFxValue *
affine_grid (LsOnnxImport *self)
{
  LsFxValue *theta = ls_onnx_needed (self, 0), *size = ls_onnx_numbers (self, NULL, 1), *y;
  gboolean corners = ls_onnx_attr_int (self, "align_corners", 0) != 0;
  static const gint64 TURNED[] = { 0, 2, 1 };
  gint64 extents[MOST_AXES + 2], n_points = 1, n;
  float *points;

  if (theta == NULL || size == NULL)
    return NULL;
  n = (gint64) size->n - 2;
  if (n < 2 || n > MOST_AXES)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a size of four or five numbers is expected");
  extents[0] = -1;
  extents[n + 1] = n;
  for (gint64 i = 0; i < n; i++)
    {
      extents[i + 1] = ls_onnx_number (self, size, (guint) i + 2);
      if (self->fx.error != NULL || extents[i + 1] < 1 || extents[i + 1] > MOST_POINTS / n_points)
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a picture of some thousand elements is expected");
      n_points *= extents[i + 1];
    }
  points = g_new (float, n_points * (n + 1));
  for (gint64 i = 0; i < n_points; i++)
    {
      gint64 rest = i;

      for (gint64 axis = n - 1; axis >= 0; rest /= extents[axis + 1], axis--)
        {
          double extent = (double) extents[axis + 1], at = (double) (rest % extents[axis + 1]);

          points[i * (n + 1) + n - 1 - axis] = (float) (!corners ? (2.0 * at + 1.0) / extent - 1.0 : extent > 1.0 ? 2.0 * at / (extent - 1.0) - 1.0 : 0.0);
        }
      points[i * (n + 1) + n] = 1.0f;
    }
  y = ls_onnx_constant (self, LS_FLOAT32, (const gint64[]) { n_points, n + 1 }, 2, points);
  y = ls_fx_call (FX, "matmul", y, ls_fx_call (FX, "permute_dims", theta, ls_fx_ints (FX, TURNED, 3), NULL), NULL);
  return ls_fx_call (FX, "reshape", y, ls_fx_ints (FX, extents, (guint) n + 2), NULL);
}

/* ---- RoiAlign ----------------------------------------------------------------------------------------- */

typedef struct { LsFxValue *low, *high, *low_share, *high_share, *mask; } Lines;        /* each (regions, lines) */

/* Where the lines of each region lie along an axis, `ratio` of them in each of `n` parts. */
static gboolean
lines_of (LsOnnxImport *self,
          LsFxValue    *from,           /* (regions, 1) */
          LsFxValue    *to,
          gint64        n,
          gint64        ratio,
          gint64        extent,
          gboolean      half,
          Lines        *out)
{
  double scale = ls_onnx_attr_real (self, "spatial_scale", 1.0), last = (double) extent - 1.0;
  gint64 n_lines = n * ratio;
  float *parts = g_new (float, n_lines);
  LsFxValue *length = with (self, "multiply", ls_fx_call (FX, "subtract", to, from, NULL), scale), *at;

  for (gint64 i = 0; i < n_lines; i++)
    parts[i] = (float) (((double) i + 0.5) / (double) n_lines);
  length = half ? length : with (self, "maximum", length, 1.0);
  at = ls_fx_call (FX, "multiply", length, ls_onnx_constant (self, LS_FLOAT32, (const gint64[]) { 1, n_lines }, 2, parts), NULL);
  from = with (self, "multiply", from, scale);
  at = ls_fx_call (FX, "add", at, half ? with (self, "subtract", from, 0.5) : from, NULL);
  out->mask = inside (self, at, -1.0, (double) extent);
  at = ls_fx_call (FX, "clip", at, ls_fx_real (FX, 0.0), ls_fx_real (FX, last), NULL);
  out->low = ls_fx_call (FX, "floor", at, NULL);
  out->high = with (self, "minimum", with (self, "add", out->low, 1.0), last);
  out->high_share = ls_fx_call (FX, "subtract", at, out->low, NULL);
  out->low_share = with (self, "add", with (self, "multiply", out->high_share, -1.0), 1.0);
  return self->fx.error == NULL;
}

/* (regions, lines) as (regions, lines, 1, 1), or (regions, 1, lines, 1). */
static LsFxValue *
along (LsOnnxImport *self,
       LsFxValue    *x,
       gint64        n,
       gboolean      down)
{
  return ls_fx_call (FX, "reshape", x, ls_fx_ints (FX, (const gint64[]) { -1, down ? n : 1, down ? 1 : n, 1 }, 4), NULL);
}

/* The four elements around each crossing of lines, each by its share: their sum, or (as the makers of ONNX and their runtime do it) the greatest of them:
 * (regions, rows, columns, channels). */
static LsFxValue *
crossings (LsOnnxImport *self,
           LsFxValue    *pixels,
           LsFxValue    *batch,         /* (regions, 1, 1, 1) of int64 */
           const Lines  *rows,
           gint64        n_rows,
           const Lines  *columns,
           gint64        n_columns,
           const char   *join)          /* add or maximum */
{
  LsFxValue *sum = NULL, *shape = ls_fx_shape (FX, batch), *whole = NULL;

  if (shape != NULL)
    whole = ls_fx_list (FX, (LsFxValue *[]) { shape->items[0], ls_fx_int (FX, n_rows), ls_fx_int (FX, n_columns), ls_fx_int (FX, 1) }, 4);
  for (guint k = 0; k < 4 && self->fx.error == NULL; k++)
    {
      LsFxValue *places[3] = { batch, along (self, k & 2 ? rows->high : rows->low, n_rows, TRUE), along (self, k & 1 ? columns->high : columns->low, n_columns, FALSE) }, *share, *part;

      for (guint i = 0; i < 3; i++)
        places[i] = ls_fx_call (FX, "broadcast_to", ls_onnx_cast (self, places[i], LS_INT64), whole, NULL);
      part = ls_fx_call (FX, "concat", ls_fx_list (FX, places, 3), LS_FX_BY_NAME, "axis", ls_fx_int (FX, 3), NULL);
      part = ls_fx_call (FX, "gather_nd", pixels, part, NULL);
      share = ls_fx_call (FX, "multiply", along (self, k & 2 ? rows->high_share : rows->low_share, n_rows, TRUE), along (self, k & 1 ? columns->high_share : columns->low_share, n_columns, FALSE), NULL);
      sum = both (self, join, sum, ls_fx_call (FX, "multiply", part, share, NULL));
    }
  sum = ls_fx_call (FX, "multiply", sum, along (self, rows->mask, n_rows, TRUE), NULL);
  return ls_fx_call (FX, "multiply", sum, along (self, columns->mask, n_columns, FALSE), NULL);
}

/* A number of samples that depends on how large a region is: a function of its own. */
static LsFxValue *
by_size (LsOnnxImport *self,
         LsFxValue    *x,
         LsFxValue    *regions,
         LsFxValue    *batch,
         gint64        n_rows,
         gint64        n_columns,
         gboolean      half,
         gboolean      greatest)
{
  g_autoptr (LsTeBridge) bridge = ls_te_bridge_new (FX->builder);
  g_autoptr (LsTeTensor) picture = NULL, boxes = NULL, which = NULL, y = NULL;

  if (self->fx.error != NULL || x == NULL || regions == NULL || batch == NULL)
    return NULL;
  picture = ls_te_bridge_tensor (bridge, x->node, &FX->error);
  boxes = picture != NULL ? ls_te_bridge_tensor (bridge, regions->node, &FX->error) : NULL;
  which = boxes != NULL ? ls_te_bridge_tensor (bridge, batch->node, &FX->error) : NULL;
  y = which != NULL ? ls_topi_roi_align (picture, boxes, which, n_rows, n_columns, ls_onnx_attr_real (self, "spatial_scale", 1.0), half, greatest, &FX->error) : NULL;
  return y != NULL ? ls_fx_emit (FX, ls_te_bridge_call_one (bridge, y, "roi_align", &FX->error)) : NULL;
}

static LsFxValue *
roi_align (LsOnnxImport *self)
{
  static const gint64 ONE[] = { -1, 1, 1, 1 }, SAMPLES[] = { 2, 4 }, ORDER[] = { 0, 3, 1, 2 };
  LsFxValue *x = ls_onnx_needed (self, 0), *regions = ls_onnx_needed (self, 1), *batch = ls_onnx_needed (self, 2), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *y;
  gint64 n_rows = ls_onnx_attr_int (self, "output_height", 1), n_columns = ls_onnx_attr_int (self, "output_width", 1), ratio = ls_onnx_attr_int (self, "sampling_ratio", 0), height, width;
  gboolean half = strcmp (ls_onnx_attr_text (self, "coordinate_transformation_mode", self->opset < 16 ? "output_half_pixel" : "half_pixel"), "half_pixel") == 0;
  const char *mode = ls_onnx_attr_text (self, "mode", "avg");
  gboolean greatest = strcmp (mode, "max") == 0;
  Lines rows, columns;

  if (shape == NULL || regions == NULL || batch == NULL)
    return NULL;
  if (!greatest && strcmp (mode, "avg") != 0)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "its mode is avg or max, not %s", mode);
  if (ratio < 0 || shape->n != 4 || n_rows < 1 || n_columns < 1 || n_rows > 4096 || n_columns > 4096 || ratio > 64)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a picture of two axes and regions of at most 4096 parts are expected");
  if (ratio == 0)
    return by_size (self, x, regions, batch, n_rows, n_columns, half, greatest);
  height = ls_onnx_number (self, shape, 2);
  width = ls_onnx_number (self, shape, 3);
  if (!lines_of (self, ls_onnx_cut (self, regions, 1, 1, 2), ls_onnx_cut (self, regions, 1, 3, 4), n_rows, ratio, height, half, &rows)
      || !lines_of (self, ls_onnx_cut (self, regions, 1, 0, 1), ls_onnx_cut (self, regions, 1, 2, 3), n_columns, ratio, width, half, &columns))
    return NULL;
  batch = ls_fx_call (FX, "reshape", ls_onnx_cast (self, batch, LS_INT64), ls_fx_ints (FX, ONE, 4), NULL);
  y = crossings (self, channels_to (self, x, 2, TRUE), batch, &rows, n_rows * ratio, &columns, n_columns * ratio, greatest ? "maximum" : "add");
  y = ls_fx_call (FX, "reshape", y, ls_fx_list (FX, (LsFxValue *[]) { ls_fx_int (FX, -1), ls_fx_int (FX, n_rows), ls_fx_int (FX, ratio), ls_fx_int (FX, n_columns), ls_fx_int (FX, ratio),
                                                                     shape->items[1] }, 6), NULL);
  y = ls_fx_call (FX, greatest ? "max" : "mean", y, LS_FX_BY_NAME, "axis", ls_fx_ints (FX, SAMPLES, 2), "keepdims", ls_fx_bool (FX, FALSE), NULL);
  return ls_fx_call (FX, "permute_dims", y, ls_fx_ints (FX, ORDER, 4), NULL);
}

/* ---- DeformConv ----------------------------------------------------------------------------------------- */

typedef struct { gint64 out[2], kernel[2], strides[2], dilations[2], pads[4]; } Window;

/* Two or four numbers of an attribute, or the default. */
static gboolean
window_numbers (LsOnnxImport *self,
                const char   *name,
                guint         n,
                gint64        otherwise,
                gint64       *out)
{
  LsFxValue *list = ls_onnx_attr (self, name);

  if (list != NULL && (list->kind != LS_FX_LIST || list->n != n))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "pictures of two axes are expected"), FALSE;
  for (guint i = 0; i < n; i++)
    {
      out[i] = list != NULL ? ls_onnx_number (self, list, i) : otherwise;
      if (self->fx.error == NULL && (out[i] < 0 || out[i] > MOST_POINTS))
        return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "%s has a number that is none of it: %" PRId64, name, out[i]), FALSE;
    }
  return self->fx.error == NULL;
}

/* Where each element of each window would lie along an axis: (1, kernel * out, 1), the kernel outermost. */
static LsFxValue *
window_places (LsOnnxImport *self,
               const Window *window,
               guint         axis)
{
  gint64 n_out = window->out[0] * window->out[1], n = window->kernel[0] * window->kernel[1] * n_out;
  float *at = g_new (float, n);

  for (gint64 i = 0; i < n; i++)
    {
      gint64 k = i / n_out, o = i % n_out, of_kernel = axis == 0 ? k / window->kernel[1] : k % window->kernel[1], of_out = axis == 0 ? o / window->out[1] : o % window->out[1];

      at[i] = (float) (of_out * window->strides[axis] - window->pads[axis] + of_kernel * window->dilations[axis]);
    }
  return ls_onnx_constant (self, LS_FLOAT32, (const gint64[]) { 1, n, 1 }, 3, at);
}

/* A convolution whose windows take their elements from between those of the picture, each as far from its place as the offsets say. */
static LsFxValue *
deform_conv (LsOnnxImport *self)
{
  static const gint64 LAST[] = { 0, 1, 4, 2, 3 };
  LsFxValue *x = ls_onnx_needed (self, 0), *w = ls_onnx_needed (self, 1), *offset = ls_onnx_needed (self, 2), *bias = ls_onnx_input (self, 3), *mask = ls_onnx_input (self, 4), *places[2], *y;
  LsFxValue *shape = x != NULL ? ls_fx_shape (FX, x) : NULL, *w_shape = w != NULL ? ls_fx_shape (FX, w) : NULL, *offset_shape = offset != NULL ? ls_fx_shape (FX, offset) : NULL;
  gint64 groups = ls_onnx_attr_int (self, "group", 1), parts = ls_onnx_attr_int (self, "offset_group", 1), channels, n_kernel, n_out, filters;
  Picture picture = { .n_axes = 2, .mode = "linear", .padding = "zeros" };
  Window window;

  if (shape == NULL || w_shape == NULL || offset_shape == NULL)
    return NULL;
  if (shape->n != 4 || w_shape->n != 4 || offset_shape->n != 4)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "pictures of two axes are expected");
  if (!window_numbers (self, "strides", 2, 1, window.strides) || !window_numbers (self, "dilations", 2, 1, window.dilations) || !window_numbers (self, "pads", 4, 0, window.pads))
    return NULL;
  for (guint i = 0; i < 2; i++)
    {
      picture.extents[i] = ls_onnx_number (self, shape, i + 2);
      window.kernel[i] = ls_onnx_number (self, w_shape, i + 2);
      window.out[i] = ls_onnx_number (self, offset_shape, i + 2);
    }
  channels = ls_onnx_number (self, shape, 1);
  filters = ls_onnx_number (self, w_shape, 0);
  if (self->fx.error != NULL)
    return NULL;
  n_kernel = window.kernel[0] * window.kernel[1];
  n_out = window.out[0] * window.out[1];
  if (groups < 1 || parts < 1 || channels % groups != 0 || channels % parts != 0 || filters % groups != 0 || n_kernel < 1 || n_out < 1 || n_kernel > MOST_POINTS / n_out
      || ls_onnx_number (self, w_shape, 1) * groups != channels || ls_onnx_number (self, offset_shape, 1) != 2 * parts * n_kernel)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "its picture, its weights and its offsets do not fit each other");
  for (guint i = 0; i < 2; i++)
    if ((picture.extents[i] + window.pads[i] + window.pads[i + 2] - (window.kernel[i] - 1) * window.dilations[i] - 1) / MAX (window.strides[i], 1) + 1 != window.out[i])
      return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "its offsets are not those of the windows that the picture has");
  x = ls_fx_call (FX, "reshape", x, ls_fx_ints (FX, (const gint64[]) { -1, channels / parts, picture.extents[0], picture.extents[1] }, 4), NULL);
  picture.pixels = channels_to (self, x, 2, TRUE);
  offset = ls_fx_call (FX, "reshape", offset, ls_fx_ints (FX, (const gint64[]) { -1, n_kernel, 2, n_out }, 4), NULL);
  for (guint i = 0; i < 2; i++)
    {
      places[i] = ls_fx_call (FX, "reshape", ls_onnx_cut (self, offset, 2, i, i + 1), ls_fx_ints (FX, (const gint64[]) { -1, n_kernel * n_out, 1 }, 3), NULL);
      places[i] = ls_fx_call (FX, "add", places[i], window_places (self, &window, i), NULL);
    }
  y = between (self, &picture, places);                                                                 /* (batch * parts, kernel * out, channels of the part) */
  if (mask != NULL)
    y = ls_fx_call (FX, "multiply", y, ls_fx_call (FX, "reshape", mask, ls_fx_ints (FX, (const gint64[]) { -1, n_kernel * n_out, 1 }, 3), NULL), NULL);
  y = ls_fx_call (FX, "reshape", y, ls_fx_ints (FX, (const gint64[]) { -1, parts, n_kernel, n_out, channels / parts }, 5), NULL);
  y = ls_fx_call (FX, "permute_dims", y, ls_fx_ints (FX, LAST, 5), NULL);                               /* (batch, parts, channels, kernel, out) */
  y = ls_fx_call (FX, "reshape", y, ls_fx_ints (FX, (const gint64[]) { -1, groups, channels / groups * n_kernel, n_out }, 4), NULL);
  w = ls_fx_call (FX, "reshape", w, ls_fx_ints (FX, (const gint64[]) { 1, groups, filters / groups, channels / groups * n_kernel }, 4), NULL);
  y = ls_fx_call (FX, "reshape", ls_fx_call (FX, "matmul", w, y, NULL), ls_fx_ints (FX, (const gint64[]) { -1, filters, window.out[0], window.out[1] }, 4), NULL);
  return y != NULL && bias != NULL ? ls_fx_call (FX, "add", y, ls_onnx_by_channel (self, bias, 1, 4), NULL) : y;
}

const LsOnnxHandler ls_onnx_handlers_sample[] = { { "GridSample", grid_sample }, { "AffineGrid", affine_grid }, { "RoiAlign", roi_align }, { "DeformConv", deform_conv }, { NULL, NULL } };
