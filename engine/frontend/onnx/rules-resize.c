/* onnx/rules-resize: a picture of another size.  Where height and width become a whole number of times what the scale says, it is image.resize2d;
 * else (a scale that cuts a pixel, other dimensions, places that the operator does not know) each dimension is done by itself: nearest pixels are
 * taken, and what lies between is a product with a matrix whose rows say how much of each old element is in a new one. */
#include "engine/frontend/onnx/onnx-private.h"

#include <math.h>
#include <string.h>

#define FX (&self->fx)
#define MOST_ELEMENTS (1 << 24)         /* of a matrix */

typedef struct {
  const char *mode, *how, *nearest;
  double      a;                        /* of the cubic */
  gboolean    inside;                   /* only elements that are there have a share */
} Way;

typedef struct { gint64 from, to; double scale; } Axis;

/* ---- places ------------------------------------------------------------------------------ */

/* Where element `i` of the new ones lies among the old ones. */
static double
place_of (const Way  *way,
          const Axis *axis,
          gint64      i)
{
  double length = axis->scale * (double) axis->from, x = (double) i;

  if (strcmp (way->how, "align_corners") == 0)
    return length == 1.0 ? 0.0 : x * (double) (axis->from - 1) / (length - 1.0);
  if (strcmp (way->how, "asymmetric") == 0)
    return x / axis->scale;
  if (strcmp (way->how, "pytorch_half_pixel") == 0 && length <= 1.0)
    return -0.5;
  x = (x + 0.5) / axis->scale - 0.5;
  return strcmp (way->how, "half_pixel_symmetric") == 0 ? x + (double) axis->from / 2.0 * (1.0 - (double) axis->to / length) : x;
}

static gint64
nearest_of (const Way *way,
            double     place)
{
  if (strcmp (way->nearest, "floor") == 0)
    return (gint64) floor (place);
  if (strcmp (way->nearest, "ceil") == 0)
    return (gint64) ceil (place);
  return strcmp (way->nearest, "round_prefer_ceil") == 0 ? (gint64) floor (place + 0.5) : (gint64) ceil (place - 0.5);
}

/* Shares of the elements from `first` on. */
static guint
shares_of (const Way *way,
           double     place,
           gint64    *first,
           double     shares[4])
{
  double t = place - floor (place), a = way->a;

  if (strcmp (way->mode, "linear") == 0)
    {
      *first = (gint64) floor (place);
      shares[0] = 1.0 - t;
      shares[1] = t;
      return 2;
    }
  *first = (gint64) floor (place) - 1;
  shares[0] = ((a * (t + 1.0) - 5.0 * a) * (t + 1.0) + 8.0 * a) * (t + 1.0) - 4.0 * a;
  shares[1] = ((a + 2.0) * t - (a + 3.0)) * t * t + 1.0;
  shares[2] = ((a + 2.0) * (1.0 - t) - (a + 3.0)) * (1.0 - t) * (1.0 - t) + 1.0;
  shares[3] = ((a * (2.0 - t) - 5.0 * a) * (2.0 - t) + 8.0 * a) * (2.0 - t) - 4.0 * a;
  return 4;
}

/* ---- one dimension ------------------------------------------------------------------------- */

static LsFxValue *
take_nearest (LsOnnxImport *self,
              const Way    *way,
              LsFxValue    *x,
              guint         at,
              const Axis   *axis)
{
  gint64 *places = g_new (gint64, axis->to);

  for (gint64 i = 0; i < axis->to; i++)
    places[i] = GINT64_TO_LE (CLAMP (nearest_of (way, place_of (way, axis, i)), 0, axis->from - 1));
  return ls_fx_call (FX, "take", x, ls_onnx_constant (self, LS_INT64, &axis->to, 1, places), LS_FX_BY_NAME, "axis", ls_fx_int (FX, at), NULL);
}

/* x (.., from) times (from, to), the dimension behind all others while that is done. */
static LsFxValue *
between (LsOnnxImport *self,
         const Way    *way,
         LsFxValue    *x,
         guint         at,
         guint         n,
         const Axis   *axis)
{
  float *matrix = g_new0 (float, axis->from * axis->to);
  gint64 order[16];
  LsFxValue *matrix_value, *turned;

  for (gint64 i = 0; i < axis->to; i++)
    {
      double shares[4], all = 0.0;
      gint64 first;
      guint n_shares = shares_of (way, place_of (way, axis, i), &first, shares);

      for (guint k = 0; k < n_shares; k++)
        {
          gboolean out = first + k < 0 || first + k >= axis->from;

          shares[k] = out && way->inside ? 0.0 : shares[k];
          all += shares[k];
        }
      for (guint k = 0; k < n_shares; k++)
        matrix[CLAMP (first + k, 0, axis->from - 1) * axis->to + i] += (float) (way->inside ? shares[k] / all : shares[k]);
    }
  for (guint i = 0; i < n; i++)
    order[i] = i == at ? n - 1 : i == n - 1 ? at : i;
  matrix_value = ls_onnx_constant (self, LS_FLOAT32, (const gint64[]) { axis->from, axis->to }, 2, matrix);
  turned = at + 1 < n ? ls_fx_call (FX, "permute_dims", x, ls_fx_ints (FX, order, n), NULL) : x;
  turned = turned != NULL ? ls_fx_call (FX, "matmul", turned, matrix_value, NULL) : NULL;
  return turned != NULL && at + 1 < n ? ls_fx_call (FX, "permute_dims", turned, ls_fx_ints (FX, order, n), NULL) : turned;
}

static LsFxValue *
one_by_one (LsOnnxImport *self,
            const Way    *way,
            LsFxValue    *x,
            const Axis   *axes,
            guint         n)
{
  if (strcmp (way->mode, "nearest") != 0 && !ls_dtype_equal (ls_fx_dtype (FX, x), LS_FLOAT32))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "elements of float32 are expected");
  for (guint i = 0; i < n && x != NULL; i++)
    {
      if (axes[i].from == axes[i].to && axes[i].scale == 1.0)
        continue;
      if (axes[i].from < 1 || axes[i].to < 1 || axes[i].to > MOST_ELEMENTS / axes[i].from)
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "extents between 1 and some thousands are expected");
      x = strcmp (way->mode, "nearest") == 0 ? take_nearest (self, way, x, i, &axes[i]) : between (self, way, x, i, n, &axes[i]);
    }
  return x;
}

/* ---- the node -------------------------------------------------------------------------------- */

/* Of all dimensions; those that change need an extent that is known. */
static gboolean
read_axes (LsOnnxImport *self,
           LsFxValue    *shape,
           Axis         *axes)
{
  gboolean upsample = strcmp (self->node->op_type, "Upsample") == 0;
  LsFxValue *sizes = upsample ? NULL : ls_onnx_numbers (self, NULL, 3), *over = ls_onnx_attr (self, "axes");
  g_autoptr (GArray) scales = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = over != NULL && over->kind == LS_FX_LIST ? over->n : shape->n;

  if (self->fx.error != NULL)
    return FALSE;
  if (strcmp (ls_onnx_attr_text (self, "keep_aspect_ratio_policy", "stretch"), "stretch") != 0 || ls_onnx_attr_int (self, "antialias", 0) != 0)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "`antialias` and a ratio that is kept are not supported"), FALSE;
  if (sizes == NULL && (!ls_onnx_reals (self, upsample ? 1 : 2, scales) || scales->len != n))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a size or scale of each dimension has to be known while importing"), FALSE;
  if (sizes != NULL && sizes->n != n)
    return ls_fx_fail (FX, LS_FX_ERROR_GRAPH, "%u sizes are those of %u dimensions", sizes->n, n), FALSE;
  for (guint i = 0; i < shape->n; i++)
    axes[i] = (Axis) { shape->items[i]->kind == LS_FX_INT ? shape->items[i]->i : -1, shape->items[i]->kind == LS_FX_INT ? shape->items[i]->i : -1, 1.0 };
  for (guint i = 0; i < n; i++)
    {
      gint64 at = over != NULL ? ls_onnx_number (self, over, i) : i;
      double scale = sizes == NULL ? g_array_index (scales, double, i) : 1.0;

      if (self->fx.error != NULL || !ls_fx_dimension (FX, &at, shape->n))
        return FALSE;
      if (sizes != NULL ? sizes->items[i]->kind == LS_FX_NODE && shape->items[at]->kind == LS_FX_NODE && sizes->items[i]->node == shape->items[at]->node : scale == 1.0)
        continue;
      if (axes[at].from < 1 || !(scale > 0.0 && scale < 1e6) || (sizes != NULL && (sizes->items[i]->kind != LS_FX_INT || sizes->items[i]->i < 1)))
        return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "an extent that changes has to be known"), FALSE;
      axes[at].to = sizes != NULL ? sizes->items[i]->i : (gint64) ((double) axes[at].from * scale);
      axes[at].scale = sizes != NULL ? (double) axes[at].to / (double) axes[at].from : scale;
    }
  return TRUE;
}

/* Height and width, by what they become: the scale is their ratio. */
static gboolean
is_resize2d (const Axis *axes,
             guint       n,
             const char *how)
{
  for (guint i = 0; i < n; i++)
    if (n != 4 || (i < 2 ? axes[i].from != axes[i].to : axes[i].from < 1 || fabs (axes[i].scale * (double) axes[i].from - (double) axes[i].to) > 1e-6 * (double) axes[i].to))
      return FALSE;
  return strcmp (how, "half_pixel_symmetric") != 0;
}

static LsFxValue *
resize (LsOnnxImport *self)
{
  static const char *const KNOWN[] = { "half_pixel", "pytorch_half_pixel", "half_pixel_symmetric", "align_corners", "asymmetric", NULL };
  gboolean upsample = strcmp (self->node->op_type, "Upsample") == 0;
  LsFxValue *x = ls_onnx_needed (self, 0), *shape = x != NULL ? ls_fx_shape (FX, x) : NULL;
  Way way = { ls_onnx_attr_text (self, "mode", "nearest"), ls_onnx_attr_text (self, "coordinate_transformation_mode", upsample ? "asymmetric" : "half_pixel"),
              ls_onnx_attr_text (self, "nearest_mode", upsample ? "floor" : "round_prefer_floor"), ls_onnx_attr_real (self, "cubic_coeff_a", -0.75),
              ls_onnx_attr_int (self, "exclude_outside", 0) != 0 };
  gboolean nearest = strcmp (way.mode, "nearest") == 0;
  Axis axes[8];

  if (shape == NULL)
    return NULL;
  if (shape->n < 1 || shape->n > G_N_ELEMENTS (axes))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "a tensor of one to eight dimensions is expected");
  if (!g_strv_contains (KNOWN, way.how))
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "coordinates by %s are not supported", way.how);
  if (!nearest && strcmp (way.mode, "linear") != 0 && strcmp (way.mode, "cubic") != 0)
    return ls_fx_fail (FX, LS_FX_ERROR_UNSUPPORTED, "the mode %s is not supported", way.mode);
  if (!read_axes (self, shape, axes))
    return NULL;
  if (!is_resize2d (axes, shape->n, way.how))
    return one_by_one (self, &way, x, axes, shape->n);
  return ls_fx_call (FX, "image.resize2d", x, ls_fx_ints (FX, (const gint64[]) { axes[2].to, axes[3].to }, 2), LS_FX_BY_NAME, "layout", ls_fx_text (FX, LS_FX_TEXT, "NCHW"),
                     "method", ls_fx_text (FX, LS_FX_TEXT, nearest ? "nearest_neighbor" : way.mode), "coordinate_transformation_mode", ls_fx_text (FX, LS_FX_TEXT, way.how),
                     "rounding_method", ls_fx_text (FX, LS_FX_TEXT, nearest ? way.nearest : ""), "cubic_alpha", ls_fx_real (FX, way.a), "cubic_exclude", ls_fx_int (FX, way.inside), NULL);
}

const LsOnnxHandler ls_onnx_handlers_resize[] = { { "Resize Upsample", resize }, { NULL, NULL } };
