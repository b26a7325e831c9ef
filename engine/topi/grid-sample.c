/* grid-sample: the values of images at places between pixels that a grid names (topi.image.grid_sample).
 *
 * A grid has the channels x, y (and z), from -1 to 1 over the image.  Each value is mixed of the pixels around its place, the innermost
 * axis first; what lies outside is 0, or the place is moved inside: to the border, or mirrored at it. */
#include "engine/topi/topi-private.h"

#include <string.h>

#define MAX_AXES 3
#define ALPHA -0.75     /* of the cubic kernel, as torch has it */

typedef struct {
  LsTeTensor *x, *grid;
  LsArray    *axes;             /* borrowed */
  guint       n;                /* axes of the image: 2 or 3 */
  const char *padding;
  gboolean    is_cubic, align_corners;
  LsExpr     *place[MAX_AXES];  /* owned */
} Sample;

static LsExpr *
number (Sample *self,
        double  value)
{
  return ls_te_const (self->grid->dtype, value);
}

/* The extent of an axis of the image as a float, and one less. (transfer full) */
static LsExpr *
size_of (Sample *self,
         guint   axis,
         gint64  less)
{
  return ls_cast (self->grid->dtype, ls_sub (REF (DIM (self->x, axis + 2)), ls_int (less)));
}

/* Takes place. */
static LsExpr *
clipped (Sample *self,
         LsExpr *place,
         guint   axis)
{
  return ls_max (ls_min (place, size_of (self, axis, 1)), number (self, 0));
}

/* A place, mirrored at the middles of the outer pixels or at their edges until it lies inside. Takes place. */
static LsExpr *
mirrored (Sample *self,
          LsExpr *place,
          guint   axis)
{
  double low = self->align_corners ? 0 : -0.5;
  g_autoptr (LsExpr) size = size_of (self, axis, self->align_corners ? 1 : 0);
  g_autoptr (LsExpr) whole = NULL;
  g_autoptr (LsExpr) rest = NULL;
  LsExpr *times, *inside;

  if (ls_is (size, FLOAT_IMM) && ((LsFloatImm *) size)->value == 0)
    {
      ls_unref (place);
      return number (self, 0);
    }
  whole = ls_te_unary ("abs", ls_sub (place, number (self, low)));
  rest = ls_te_binary ("fmod", REF (whole), REF (size));
  times = ls_cast (LS_INT32, ls_te_unary ("floor", ls_te_div (REF (whole), REF (size))));
  inside = ls_if_then_else (ls_eq (ls_floormod (times, ls_int (2)), ls_int (0)), ls_add (REF (rest), number (self, low)),
                            ls_add (ls_sub (REF (size), REF (rest)), number (self, low)));
  return clipped (self, inside, axis);
}

/* Where in the image the grid says. (transfer full) */
static LsExpr *
place_of (Sample *self,
          guint   axis)
{
  LsArray *axes = self->axes;
  LsNode *at[MAX_AXES + 2] = { LS_NODE (AX (0)), LS_NODE (ls_int (self->n - 1 - axis)) };
  LsExpr *place;

  for (guint i = 0; i < self->n; i++)
    at[i + 2] = LS_NODE (AX (i + 2));
  place = ls_add (ls_te_load (self->grid, ls_array_new (at, self->n + 2)), number (self, 1));
  if (self->align_corners)
    place = ls_mul (place, ls_mul (size_of (self, axis, 1), number (self, 0.5)));
  else
    place = ls_sub (ls_mul (place, ls_mul (size_of (self, axis, 0), number (self, 0.5))), number (self, 0.5));
  if (self->is_cubic || g_str_equal (self->padding, "zeros"))
    return place;
  return g_str_equal (self->padding, "border") ? clipped (self, place, axis) : mirrored (self, place, axis);
}

/* The pixel at whole numbers (borrowed) that may lie outside. */
static LsExpr *
pixel (Sample  *self,
       LsExpr **where)
{
  LsArray *axes = self->axes;
  LsNode *at[MAX_AXES + 2] = { LS_NODE (AX (0)), LS_NODE (AX (1)) };
  LsExpr *inside = NULL;

  for (guint i = 0; i < self->n; i++)
    {
      g_autoptr (LsExpr) index = REF (where[i]);
      LsExpr *extent = DIM (self->x, i + 2), *here;

      if (self->is_cubic && g_str_equal (self->padding, "border"))
        ls_take (&index, ls_max (ls_min (REF (index), ls_sub (REF (extent), ls_int (1))), ls_int (0)));
      else if (self->is_cubic && g_str_equal (self->padding, "reflection"))
        ls_take (&index, ls_cast (LS_INT32, mirrored (self, ls_cast (self->grid->dtype, REF (index)), i)));
      here = ls_and (ls_binary (LS_KIND_GE, REF (index), ls_int (0)), ls_binary (LS_KIND_LT, REF (index), REF (extent)));
      inside = inside != NULL ? ls_and (inside, here) : here;
      at[i + 2] = LS_NODE (REF (index));
    }
  return ls_if_then_else (inside, ls_te_load (self->x, ls_array_new (at, self->n + 2)), ls_te_const (self->x->dtype, 0));
}

/* The weight of the pixel `which` (0 to 3) for a place at t behind pixel 1 (Keys 1981). (transfer full) */
static LsExpr *
cubic_weight (Sample *self,
              LsExpr *t,
              guint   which)
{
  const double factors[4][4] = {        /* of t^3, t^2, t, 1 */
    { ALPHA, -2 * ALPHA, ALPHA, 0 }, { ALPHA + 2, -(3 + ALPHA), 0, 1 }, { -(ALPHA + 2), 3 + 2 * ALPHA, -ALPHA, 0 }, { -ALPHA, ALPHA, 0, 0 },
  };
  LsExpr *sum = number (self, factors[which][0]);

  for (guint i = 1; i < 4; i++)
    {
      sum = ls_mul (sum, REF (t));
      if (factors[which][i] != 0)
        sum = ls_add (sum, number (self, factors[which][i]));
    }
  return sum;
}

/* What the pixels around the place are worth along the axes from `axis` on; `where` has the whole numbers of the axes before. */
static LsExpr *
mixed (Sample  *self,
       LsExpr **where,
       guint    axis)
{
  g_autoptr (LsExpr) low = NULL;
  g_autoptr (LsExpr) t = NULL;
  LsExpr *sum = NULL;
  guint n = self->is_cubic ? 4 : 2;

  if (axis == self->n)
    return pixel (self, where);
  low = ls_te_unary ("floor", REF (self->place[axis]));
  t = ls_sub (REF (self->place[axis]), REF (low));
  for (guint i = 0; i < n; i++)
    {
      LsExpr *weight = self->is_cubic ? cubic_weight (self, t, i) : i == 0 ? ls_sub (number (self, 1), REF (t)) : REF (t);
      LsExpr *part;

      where[axis] = ls_add (ls_cast (LS_INT32, REF (low)), ls_int ((gint64) i - (self->is_cubic ? 1 : 0)));
      part = ls_mul (ls_cast (self->grid->dtype, mixed (self, where, axis + 1)), weight);
      ls_unref (where[axis]);
      sum = sum != NULL ? ls_add (sum, part) : part;
    }
  return sum;
}

static gboolean
check (LsTeTensor *x,
       LsTeTensor *grid,
       const char *method,
       const char *layout,
       const char *padding,
       GError    **error)
{
  static const char *const METHODS[] = { "bilinear", "nearest", "bicubic", NULL }, *const PADDINGS[] = { "zeros", "border", "reflection", NULL };
  guint n = g_str_equal (layout, "NCDHW") ? 5 : 4;

  if (!g_str_equal (layout, "NCHW") && n == 4)
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.image.grid_sample: the layout is \"NCHW\" or \"NCDHW\", not \"%s\"", layout);
  if (!g_strv_contains (METHODS, method) || (n == 5 && g_str_equal (method, "bicubic")))
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.image.grid_sample: the method is \"bilinear\", \"nearest\" or, of two axes, \"bicubic\", not \"%s\"", method);
  if (!g_strv_contains (PADDINGS, padding))
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.image.grid_sample: the padding is \"zeros\", \"border\" or \"reflection\", not \"%s\"", padding);
  if (x->shape->n != n || grid->shape->n != n || !ls_dtype_is_float (grid->dtype))
    return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.image.grid_sample needs an image and a grid of floats with %u dimensions each", n);
  return TRUE;
}

LsTeTensor *
ls_topi_image_grid_sample (LsTeTensor *x,
                           LsTeTensor *grid,
                           const char *method,
                           const char *layout,
                           const char *padding_mode,
                           gboolean    align_corners,
                           GError    **error)
{
  Sample self = { x, grid, NULL, 2, padding_mode, g_str_equal (method, "bicubic"), align_corners };
  g_autoptr (LsArray) shape = NULL;
  LsExpr *where[MAX_AXES], *value;
  LsArray *axes;

  if (x == NULL || grid == NULL || !check (x, grid, method, layout, padding_mode, error))
    return NULL;
  self.n = x->shape->n - 2;
  shape = ls_ref (x->shape);
  for (guint i = 2; i < shape->n; i++)
    ls_take (&shape, ls_array_with (shape, i, grid->shape->items[i]));
  axes = self.axes = ls_te_axes (shape, "i*");
  for (guint i = 0; i < self.n; i++)
    self.place[i] = place_of (&self, i);
  if (g_str_equal (method, "nearest"))
    {
      for (guint i = 0; i < self.n; i++)
        where[i] = ls_cast (LS_INT32, ls_te_unary ("nearbyint", REF (self.place[i])));
      value = pixel (&self, where);
      for (guint i = 0; i < self.n; i++)
        ls_unref (where[i]);
    }
  else
    value = mixed (&self, where, 0);
  for (guint i = 0; i < self.n; i++)
    ls_unref (self.place[i]);
  return ls_te_compute ("T_grid_sample", LS_TAG_INJECTIVE, NULL, axes, ls_cast (x->dtype, value), error);
}
