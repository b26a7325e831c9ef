/* op/pooling: windows that move over data, adaptive pooling, resize2d, grid_sample. */
#include "engine/relax/op/layout.h"

#include <inttypes.h>
#include <string.h>

static const char *const WINDOWS[] = { "", "W", "HW", "DHW" };

static guint
window_of (const char *name)
{
  return (guint) (strchr (strstr (name, "pool"), 'd')[-1] - '0');
}

static gint64
number (LsArray *list,
        guint    i)
{
  gint64 value = 0;

  ls_as_int (list->items[i], &value);
  return value;
}

static LsStructInfo *
infer_pool (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  const char *layout = ls_infer_str (self, "layout", ""), *out_layout = ls_infer_str (self, "out_layout", layout);
  LsArray *size = ls_infer_ints (self, "pool_size"), *strides = ls_infer_ints (self, "strides"), *padding = ls_infer_ints (self, "padding");
  LsArray *dilation = ls_infer_ints (self, "dilation"), *extents;
  gboolean ceil_mode = ls_infer_int (self, "ceil_mode", 0) != 0;
  guint n = window_of (self->name);
  GPtrArray *out;

  if (x == NULL || !ls_infer_is_window (self, "pool_size", size, n) || !ls_infer_is_window (self, "strides", strides, n)
      || !ls_infer_is_window (self, "dilation", dilation, n) || !ls_infer_is_window (self, "padding", padding, 2 * n)
      || !ls_infer_layout_has (self, layout, "NC", n) || !ls_infer_layout_has (self, out_layout, "NC", n)
      || !ls_infer_layout_fits (self, 0, x, layout))
    return NULL;
  extents = ls_tensor_extents (x);
  if (extents == NULL)
    return ls_infer_ranked (ls_layout_ndim (out_layout), x->dtype, x);
  out = ls_extents_new ();
  for (const char *c = out_layout; *c != '\0'; c++)
    {
      char axis = g_ascii_toupper (*c);
      const char *at = strchr (WINDOWS[n], axis);
      guint i = at != NULL ? (guint) (at - WINDOWS[n]) : 0;
      LsExpr *extent;

      if (!g_ascii_isalpha (*c))
        continue;
      extent = ls_layout_extent (self, layout, extents, axis);
      if (at != NULL)
        {
          gint64 shrink = number (dilation, i) * (number (size, i) - 1) + 1 - number (padding, i) - number (padding, i + n);

          extent = ls_sub (ls_ref (extent), ls_extent (shrink - (ceil_mode ? number (strides, i) - 1 : 0)));
          extent = ls_add (ls_floordiv (extent, ls_extent (number (strides, i))), ls_extent (1));
          extent = ls_infer_simplify (self, extent);
        }
      ls_extents_add (out, ls_layout_part (self, out_layout, c, extent));
    }
  return ls_infer_shaped_take (out, x->dtype, x);
}

static LsStructInfo *
infer_adaptive (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  const char *layout = ls_infer_str (self, "layout", ""), *out_layout = ls_infer_str (self, "out_layout", layout);
  LsArray *size = ls_infer_ints (self, "output_size"), *extents;
  guint n = window_of (self->name);
  GPtrArray *out;

  if (x == NULL || (size != NULL && !ls_infer_is_window (self, "output_size", size, n)) || !ls_infer_layout_has (self, layout, "NC", n)
      || !ls_infer_layout_has (self, out_layout, "NC", n) || !ls_infer_layout_fits (self, 0, x, layout))
    return NULL;
  extents = ls_tensor_extents (x);
  if (extents == NULL)
    return size == NULL && strcmp (layout, out_layout) == 0 ? LS_NODE (ls_ref (x)) : ls_infer_ranked (ls_layout_ndim (out_layout), x->dtype, x);
  out = ls_extents_new ();
  for (const char *c = out_layout; *c != '\0'; c++)
    if (g_ascii_isalpha (*c))
      {
        const char *at = strchr (WINDOWS[n], g_ascii_toupper (*c));
        LsExpr *whole = at != NULL && size != NULL ? ls_infer_keep (self, ls_extent (number (size, (guint) (at - WINDOWS[n]))))
                        : ls_layout_extent (self, layout, extents, g_ascii_toupper (*c));

        ls_extents_add (out, ls_layout_part (self, out_layout, c, whole));
      }
  return ls_infer_shaped_take (out, x->dtype, x);
}

static LsStructInfo *
infer_resize (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsShapeStructInfo *size = x != NULL ? ls_infer_shape (self, 1) : NULL;
  const char *layout = ls_infer_str (self, "layout", "NCHW");
  LsDType dtype;
  GPtrArray *out;

  if (size == NULL || !ls_infer_layout_has (self, layout, "NC", 2) || !ls_infer_layout_fits (self, 0, x, layout))
    return NULL;
  if (size->ndim < 0)
    return ls_infer_fail (self, "takes a size of two numbers; how many there are is not known.");
  if (size->ndim != 2)
    return ls_infer_fail (self, "takes a size of two numbers; there are %" PRId64 ".", size->ndim);
  dtype = ls_infer_dtype (self, "out_dtype", x->dtype);
  if (ls_tensor_written_extents (x) == NULL || !ls_is (self->call->args->items[1], SHAPE_EXPR))
    return ls_infer_ranked (ls_layout_ndim (layout), dtype, x);
  out = ls_extents_new ();
  for (const char *c = layout; *c != '\0'; c++)
    if (g_ascii_isalpha (*c))
      {
        char axis = g_ascii_toupper (*c);
        LsExpr *whole = axis == 'H' ? ls_extent_at (size->values, 0) : axis == 'W' ? ls_extent_at (size->values, 1)
                        : ls_layout_extent (self, layout, ls_tensor_extents (x), axis);

        ls_extents_add (out, ls_layout_part (self, layout, c, whole));
      }
  return ls_infer_shaped_take (out, dtype, x);
}

static LsStructInfo *
infer_grid_sample (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *grid = x != NULL ? ls_infer_tensor (self, 1) : NULL;
  const char *layout = ls_infer_str (self, "layout", "NCHW"), *method = ls_infer_str (self, "method", ""), *padding = ls_infer_str (self, "padding_mode", "");
  guint n = strcmp (layout, "NCDHW") == 0 ? 3 : 2;
  LsArray *image, *places;
  GPtrArray *out;

  if (grid == NULL)
    return NULL;
  if (n == 2 && strcmp (layout, "NCHW") != 0)
    return ls_infer_fail (self, "takes images in the layout NCHW or NCDHW, not %s.", layout);
  if (strcmp (method, "bilinear") != 0 && strcmp (method, "nearest") != 0 && (n == 3 || strcmp (method, "bicubic") != 0))
    return ls_infer_fail (self, "has the methods \"bilinear\", \"nearest\" and, of two axes, \"bicubic\"; not \"%s\".", method);
  if (strcmp (padding, "zeros") != 0 && strcmp (padding, "border") != 0 && strcmp (padding, "reflection") != 0)
    return ls_infer_fail (self, "takes for pixels outside \"zeros\", \"border\" or \"reflection\"; not \"%s\".", padding);
  if (!ls_infer_layout_fits (self, 0, x, layout) || !ls_infer_layout_fits (self, 1, grid, layout) || !ls_infer_is_float (self, 1, grid->dtype))
    return NULL;
  image = ls_tensor_written_extents (x);
  places = ls_tensor_written_extents (grid);
  if (image == NULL || places == NULL)
    return ls_infer_ranked (n + 2, x->dtype, x);
  if (ls_infer_differ (self, ls_extent_at (image, 0), ls_extent_at (places, 0)))
    return ls_infer_fail (self, "takes a grid for each image; there are %s images and %s grids.", ls_infer_text (self, image->items[0]),
                          ls_infer_text (self, places->items[0]));
  if (ls_infer_differ (self, ls_infer_keep (self, ls_extent (n)), ls_extent_at (places, 1)))
    return ls_infer_fail (self, "takes a grid of %u channels here; it has %s.", n, ls_infer_text (self, places->items[1]));
  out = ls_extents_new ();
  for (guint i = 0; i < image->n; i++)
    ls_extents_add (out, i < 2 ? image->items[i] : places->items[i]);
  return ls_infer_shaped_take (out, x->dtype, x);
}

#define POOL(rep, pad, layout) \
  "data | pool_size:" rep "=1 strides:" rep "=1 dilation:" rep "=1 padding:" pad "=0 ceil_mode:bool=False count_include_pad:bool=False layout:str=" \
  layout " out_layout:str=@layout", infer_pool
#define ADAPTIVE(rep, layout) "data | output_size:" rep "=None layout:str=" layout " out_layout:str=@layout", infer_adaptive

const LsRelaxOpRow ls_relax_ops_pooling[] = {
  { "image.grid_sample", "data grid | method:str=bilinear layout:str=NCHW padding_mode:str=zeros align_corners:bool=True", infer_grid_sample },
  { "image.resize2d", "data size:shape | roi:region=0.0 layout:str=NCHW method:str=linear coordinate_transformation_mode:str=half_pixel "
    "rounding_method:str=round cubic_alpha:float=-0.5 cubic_exclude:int=0 extrapolation_value:float=0.0 out_dtype:dtype=void", infer_resize },
  { "nn.adaptive_avg_pool1d", ADAPTIVE ("single", "NCW") }, { "nn.adaptive_avg_pool2d", ADAPTIVE ("pair", "NCHW") },
  { "nn.adaptive_avg_pool3d", ADAPTIVE ("triple", "NCDHW") },
  { "nn.avg_pool1d", POOL ("single", "pad2", "NCW") }, { "nn.avg_pool2d", POOL ("pair", "pad4", "NCHW") },
  { "nn.avg_pool3d", POOL ("triple", "pad6", "NCDHW") }, { "nn.max_pool1d", POOL ("single", "pad2", "NCW") },
  { "nn.max_pool2d", POOL ("pair", "pad4", "NCHW") }, { "nn.max_pool3d", POOL ("triple", "pad6", "NCDHW") },
  { NULL }
};
