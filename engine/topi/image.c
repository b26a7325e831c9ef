/* image: resizing of images by nearest neighbour, linear or cubic interpolation (topi.image.resize2d).
 *
 * Cubic: sixteen pixels with the weights of the cubic convolution kernel (Keys 1981) of parameter alpha. */
#include "engine/topi/topi-private.h"

#include <string.h>

#define EPSILON 1e-5

typedef struct {
  LsTeTensor *x;
  guint       row, column;      /* dimensions */
  LsArray    *axes;             /* borrowed */
  const char *mode;
  const char *rounding;
  double      alpha;            /* of cubic */
  gboolean    exclude;
} Resize;

static LsExpr *
f32 (double value)
{
  return ls_const_float (LS_FLOAT32, value);
}

/* Where in the image the place on axis i of the result lies. */
static LsExpr *
source_place (Resize *self,
              guint   i)
{
  LsArray *axes = self->axes;
  LsExpr *in = DIM (self->x, i), *out = ls_array_at (axes, i, LsIterVar)->dom->extent;
  LsExpr *place = ls_cast (LS_FLOAT32, AX (i));
  LsExpr *scale;

  if (g_str_equal (self->mode, "align_corners"))
    return ls_mul (ls_te_div (ls_cast (LS_FLOAT32, ls_sub (REF (in), ls_int (1))), ls_cast (LS_FLOAT32, ls_sub (REF (out), ls_int (1)))), place);
  scale = ls_te_div (ls_cast (LS_FLOAT32, REF (in)), ls_cast (LS_FLOAT32, REF (out)));
  if (g_str_equal (self->mode, "asymmetric"))
    return ls_mul (scale, place);
  if (g_str_equal (self->mode, "tf_half_pixel_for_nn"))
    return ls_mul (scale, ls_add (place, f32 (0.5)));
  place = ls_sub (ls_mul (ls_add (place, f32 (0.5)), scale), f32 (0.5));
  if (g_str_equal (self->mode, "pytorch_half_pixel"))
    return ls_if_then_else (ls_gt (REF (out), ls_int (1)), place, f32 (0));
  return place;
}

/* The pixel at a place that may lie outside. Takes both. */
static LsExpr *
pixel (Resize *self,
       LsExpr *row,
       LsExpr *column)
{
  LsArray *axes = self->axes;
  guint n = self->x->shape->n;
  LsNode *indices[5];

  for (guint i = 0; i < n; i++)
    {
      LsExpr *index = i == self->row ? row : i == self->column ? column : NULL;

      indices[i] = LS_NODE (index == NULL ? AX (i) : ls_max (ls_min (index, ls_sub (ls_ref (DIM (self->x, i)), ls_int (1))), ls_int (0)));
    }
  return ls_te_load (self->x, ls_array_new (indices, n));
}

/* The whole number that the result is larger by, if the place of the nearest pixel is a quotient by it, which it is where it is rounded down; else 0.  A number that
 * is too large for the precision of the other way is none. */
static gint64
whole_factor (Resize *self,
              guint   i)
{
  gint64 in, out;

  if (!g_str_equal (self->mode, "asymmetric") || (self->rounding[0] != '\0' && !g_str_equal (self->rounding, "floor")) || !ls_as_int (DIM (self->x, i), &in)
      || !ls_as_int (ls_array_at (self->axes, i, LsIterVar)->dom->extent, &out) || in <= 0 || out % in != 0)
    return 0;
  return (double) (out / in) <= 1 / (EPSILON * (double) in + EPSILON) ? out / in : 0;
}

static LsExpr *
closest (Resize *self,
         LsExpr *place)
{
  const char *rounding = self->rounding[0] != '\0' ? self->rounding : g_str_equal (self->mode, "align_corners") ? "round" : "floor";

  if (g_str_equal (rounding, "round"))
    place = ls_te_unary ("round", place);
  else if (g_str_equal (rounding, "round_prefer_floor"))
    place = ls_te_unary ("ceil", ls_sub (place, f32 (0.5 + EPSILON)));
  else if (g_str_equal (rounding, "round_prefer_ceil"))
    place = ls_te_unary ("floor", ls_add (place, f32 (0.5 + EPSILON)));
  else if (g_str_equal (rounding, "floor"))
    place = ls_te_unary ("floor", ls_add (place, f32 (EPSILON)));
  else
    place = ls_te_unary ("ceil", ls_sub (place, f32 (EPSILON)));
  return ls_cast (LS_INT32, place);
}

static LsExpr *
nearest (Resize *self,
         guint   i)
{
  LsArray *axes = self->axes;
  gint64 factor = whole_factor (self, i);

  if (factor == 0)
    return closest (self, source_place (self, i));
  return factor == 1 ? AX (i) : ls_truncdiv (AX (i), ls_const_int (ls_dtype (ls_array_at (axes, i, LsIterVar)->var), factor));
}

static gboolean
knows_layout (Resize     *self,
              const char *layout,
              guint       n)
{
  self->row = g_str_equal (layout, "NHWC") ? 1 : 2;
  self->column = self->row + 1;
  if (g_str_equal (layout, "NCHW") || g_str_equal (layout, "NHWC"))
    return n == 4;
  return n == 5 && g_str_has_prefix (layout, "NCHW") && g_str_has_suffix (layout, "c");
}

static LsExpr *
lerp (LsExpr *a,
      LsExpr *b,
      LsExpr *t)
{
  LsExpr *rest = ls_sub (f32 (1), REF (t));

  return ls_add (ls_mul (a, rest), ls_mul (b, REF (t)));
}

static LsExpr *
linear (Resize *self)
{
  g_autoptr (LsExpr) y = source_place (self, self->row);
  g_autoptr (LsExpr) x = source_place (self, self->column);
  g_autoptr (LsExpr) row = ls_cast (LS_INT32, ls_te_unary ("floor", ls_ref (y)));
  g_autoptr (LsExpr) column = ls_cast (LS_INT32, ls_te_unary ("floor", ls_ref (x)));
  g_autoptr (LsExpr) down = ls_sub (ls_ref (y), ls_cast (LS_FLOAT32, ls_ref (row)));
  g_autoptr (LsExpr) right = ls_sub (ls_ref (x), ls_cast (LS_FLOAT32, ls_ref (column)));
  LsExpr *lines[2];

  for (guint j = 0; j < 2; j++)
    lines[j] = lerp (pixel (self, ls_add (ls_ref (row), ls_int (j)), ls_ref (column)),
                     pixel (self, ls_add (ls_ref (row), ls_int (j)), ls_add (ls_ref (column), ls_int (1))), right);
  return lerp (lines[0], lines[1], down);
}

/* The weight of the pixel `which` (0 to 3) for a place at t behind pixel 1. (transfer full) */
static LsExpr *
cubic_weight (LsExpr *t,
              double  alpha,
              guint   which)
{
  const double factors[4][4] = {        /* of t^3, t^2, t, 1 */
    { alpha, -2 * alpha, alpha, 0 }, { alpha + 2, -(3 + alpha), 0, 1 }, { -(alpha + 2), 3 + 2 * alpha, -alpha, 0 }, { -alpha, alpha, 0, 0 },
  };
  LsExpr *sum = f32 (factors[which][0]);

  for (guint i = 1; i < 4; i++)
    {
      sum = ls_mul (sum, REF (t));
      if (factors[which][i] != 0)
        sum = ls_add (sum, f32 (factors[which][i]));
    }
  return sum;
}

/* The four weights along an axis; with `exclude` pixels outside have none, and the others sum to 1. (each transfer full) */
static void
cubic_weights (Resize  *self,
               guint    axis,
               LsExpr  *first,          /* the pixel before the place */
               LsExpr  *t,
               LsExpr **weights)
{
  g_autoptr (LsExpr) sum = f32 (0);

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (LsExpr) at = ls_add (REF (first), ls_int ((gint64) i - 1));

      weights[i] = cubic_weight (t, self->alpha, i);
      if (self->exclude)
        {
          weights[i] = ls_if_then_else (ls_or (ls_binary (LS_KIND_LT, REF (at), ls_int (0)), ls_binary (LS_KIND_GE, REF (at), REF (DIM (self->x, axis)))), f32 (0),
                                        weights[i]);
          ls_take (&sum, ls_add (REF (sum), REF (weights[i])));
        }
    }
  for (guint i = 0; i < 4 && self->exclude; i++)
    weights[i] = ls_te_div (weights[i], REF (sum));
}

static LsExpr *
cubic (Resize *self)
{
  g_autoptr (LsExpr) y = source_place (self, self->row);
  g_autoptr (LsExpr) x = source_place (self, self->column);
  g_autoptr (LsExpr) row = ls_cast (LS_INT32, ls_te_unary ("floor", REF (y)));
  g_autoptr (LsExpr) column = ls_cast (LS_INT32, ls_te_unary ("floor", REF (x)));
  g_autoptr (LsExpr) down = ls_sub (REF (y), ls_te_unary ("floor", REF (y)));
  g_autoptr (LsExpr) right = ls_sub (REF (x), ls_te_unary ("floor", REF (x)));
  LsExpr *rows[4], *columns[4], *value = NULL;

  cubic_weights (self, self->row, row, down, rows);
  cubic_weights (self, self->column, column, right, columns);
  for (guint j = 0; j < 4; j++)
    {
      LsExpr *line = NULL;

      for (guint i = 0; i < 4; i++)
        {
          LsExpr *part = ls_mul (ls_cast (LS_FLOAT32, pixel (self, ls_add (REF (row), ls_int ((gint64) j - 1)), ls_add (REF (column), ls_int ((gint64) i - 1)))),
                                 REF (columns[i]));

          line = line != NULL ? ls_add (line, part) : part;
        }
      line = ls_mul (line, rows[j]);
      value = value != NULL ? ls_add (value, line) : line;
    }
  for (guint i = 0; i < 4; i++)
    ls_node_unref (LS_NODE (columns[i]));
  return value;
}

static gboolean
check_words (const char *method,
             const char *mode,
             const char *rounding,
             GError    **error)
{
  static const char *const MODES[] = { "half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn", NULL };
  static const char *const ROUNDINGS[] = { "", "round", "round_prefer_floor", "round_prefer_ceil", "floor", "ceil", NULL };

  if (!g_str_equal (method, "linear") && !g_str_equal (method, "nearest_neighbor") && !g_str_equal (method, "cubic"))
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.image.resize2d: the method is \"linear\", \"nearest_neighbor\" or \"cubic\", not \"%s\"", method);
  if (!g_strv_contains (MODES, mode))
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.image.resize2d: \"%s\" is no coordinate transformation mode", mode);
  if (!g_strv_contains (ROUNDINGS, rounding))
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.image.resize2d: \"%s\" is no rounding method", rounding);
  return TRUE;
}

LsTeTensor *
ls_topi_image_resize2d (LsTeTensor    *x,
                        LsArray       *size,
                        const char    *layout,
                        const char    *method,
                        const char    *coordinate_transformation_mode,
                        const char    *rounding_method,
                        double         alpha,
                        gboolean       exclude,
                        const LsDType *out_dtype,
                        GError       **error)
{
  Resize self = { x, 2, 3, NULL, coordinate_transformation_mode, rounding_method, alpha, exclude };
  g_autoptr (LsArray) shape = NULL;
  LsExpr *value;
  LsArray *axes;

  if (x == NULL || !check_words (method, coordinate_transformation_mode, rounding_method, error))
    return NULL;
  if (size->n != 2 || !knows_layout (&self, layout, x->shape->n))
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.image.resize2d needs a tensor in the layout NCHW, NHWC or NCHW16c and a size of two numbers");
      return NULL;
    }
  shape = ls_array_with (x->shape, self.row, size->items[0]);
  ls_take (&shape, ls_array_with (shape, self.column, size->items[1]));
  axes = self.axes = ls_te_axes (shape, "i*");
  if (g_str_equal (method, "linear"))
    value = linear (&self);
  else if (g_str_equal (method, "cubic"))
    value = cubic (&self);
  else
    value = pixel (&self, nearest (&self, self.row), nearest (&self, self.column));
  return ls_te_compute ("resize", LS_TAG_INJECTIVE, NULL, axes, ls_cast (out_dtype != NULL ? *out_dtype : x->dtype, value), error);
}
