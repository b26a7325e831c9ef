/* legalize/convolution: convolutions, transposed ones, pooling, resize2d, grid_sample. */
#include "engine/relax/legalize/legalize.h"
#include "engine/relax/op/layout.h"

#include <string.h>

/* TVM leaves a convolution alone whose result is in another layout than its data, or that splits an axis. */
static gboolean
plain_layouts (LsLegalize *self,
               const char *of_data)
{
  const char *layout = ls_legalize_str (self, of_data), *kernel = ls_legalize_str (self, "kernel_layout");

  return strcmp (ls_legalize_str (self, "out_layout"), layout) == 0 && !ls_layout_splits (layout) && !ls_layout_splits (kernel);
}

static LsNode *
conv (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *w = ls_legalize_tensor (self, 1);
  const char *layout = ls_legalize_str (self, "data_layout");
  g_autofree char *lower = g_ascii_strdown (layout, -1);
  gint64 groups = ls_legalize_int (self, "groups", 1);
  g_autofree char *name = g_strdup_printf ("%s%s_%s", groups > 1 ? "group_" : "", self->row->name + strlen ("nn."), lower);
  LsDType dtype = ls_infer_dtype (&self->infer, "out_dtype", LS_VOID);

  if (x == NULL || w == NULL || !plain_layouts (self, "data_layout"))
    return ls_legalize_stay (self);
  return ls_legalize_one (self, ls_topi_nn_conv (x, w, ls_legalize_ints (self, "strides"), ls_legalize_ints (self, "padding"),
                                                 ls_legalize_ints (self, "dilation"), groups, layout, ls_legalize_str (self, "kernel_layout"),
                                                 ls_dtype_is_void (dtype) ? NULL : &dtype, name, &self->error));
}

static gboolean
all_ones (LsArray *list)
{
  for (guint i = 0; i < ls_array_n (list); i++)
    if (!ls_is_one (list->items[i]))
      return FALSE;
  return TRUE;
}

static LsNode *
conv_transpose (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *w = ls_legalize_tensor (self, 1);
  gboolean one = strstr (self->row->name, "1d") != NULL;
  LsArray *strides = ls_legalize_ints (self, "strides"), *padding = ls_legalize_ints (self, "padding"), *extra = ls_legalize_ints (self, "output_padding");
  gint64 groups = ls_legalize_int (self, "groups", 1);
  LsDType dtype = ls_infer_dtype (&self->infer, "out_dtype", LS_VOID), *type = ls_dtype_is_void (dtype) ? NULL : &dtype;

  if (x == NULL || w == NULL || !plain_layouts (self, "data_layout") || !all_ones (ls_legalize_ints (self, "dilation"))
      || strcmp (ls_legalize_str (self, "data_layout"), one ? "NCW" : "NCHW") != 0
      || strcmp (ls_legalize_str (self, "kernel_layout"), one ? "IOW" : "IOHW") != 0)
    return ls_legalize_stay (self);
  return ls_legalize_one (self, one ? ls_topi_nn_conv1d_transpose_ncw (x, w, strides, padding, type, extra, groups, &self->error)
                          : ls_topi_nn_conv2d_transpose_nchw (x, w, strides, padding, type, extra, groups, &self->error));
}

static LsNode *
pool (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  const char *layout = ls_legalize_str (self, "layout");

  if (x == NULL || strcmp (ls_legalize_str (self, "out_layout"), layout) != 0)
    return ls_legalize_stay (self);
  return ls_legalize_one (self, ls_topi_nn_pool (x, ls_legalize_ints (self, "pool_size"), ls_legalize_ints (self, "strides"),
                                                 ls_legalize_ints (self, "dilation"), ls_legalize_ints (self, "padding"),
                                                 strstr (self->row->name, "max") != NULL ? "max" : "avg", ls_legalize_int (self, "ceil_mode", 0) != 0, layout,
                                                 ls_legalize_int (self, "count_include_pad", 0) != 0, &self->error));
}

static LsNode *
adaptive_pool (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  const char *layout = ls_legalize_str (self, "layout");
  LsArray *size = ls_legalize_ints (self, "output_size");

  if (x == NULL || strcmp (ls_legalize_str (self, "out_layout"), layout) != 0 || ls_layout_splits (layout))
    return ls_legalize_stay (self);
  if (size == NULL)
    {
      GPtrArray *own = g_ptr_array_new ();

      for (const char *c = layout; *c != '\0'; c++)
        if (strchr ("DHW", *c) != NULL)
          g_ptr_array_add (own, ls_node_ref (x->shape->items[c - layout]));
      size = ls_legalize_keep (self, ls_array_take_ptr_array (own));
    }
  return ls_legalize_one (self, ls_topi_nn_adaptive_pool (x, size, "avg", layout, &self->error));
}

static LsNode *
resize2d (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  LsArray *size = ls_legalize_prims (self, self->call->args->items[1]);
  LsDType dtype = ls_infer_dtype (&self->infer, "out_dtype", LS_VOID);

  if (x == NULL || size == NULL)
    return ls_legalize_stay (self);
  return ls_legalize_one (self, ls_topi_image_resize2d (x, size, ls_legalize_str (self, "layout"), ls_legalize_str (self, "method"),
                                                        ls_legalize_str (self, "coordinate_transformation_mode"),
                                                        ls_legalize_str (self, "rounding_method"), ls_legalize_float (self, "cubic_alpha", -0.5),
                                                        ls_infer_int (&self->infer, "cubic_exclude", 0) != 0, ls_dtype_is_void (dtype) ? NULL : &dtype, &self->error));
}

static LsNode *
grid_sample (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *grid = ls_legalize_tensor (self, 1);

  if (x == NULL || grid == NULL)
    return ls_legalize_stay (self);
  return ls_legalize_one (self, ls_topi_image_grid_sample (x, grid, ls_legalize_str (self, "method"), ls_legalize_str (self, "layout"),
                                                           ls_legalize_str (self, "padding_mode"), ls_infer_int (&self->infer, "align_corners", 1) != 0,
                                                           &self->error));
}

const LsLegalizeRow ls_legalize_convolution[] = {
  { "image.grid_sample", grid_sample },
  { "image.resize2d", resize2d },
  { "nn.adaptive_avg_pool1d", adaptive_pool }, { "nn.adaptive_avg_pool2d", adaptive_pool }, { "nn.adaptive_avg_pool3d", adaptive_pool },
  { "nn.avg_pool1d", pool }, { "nn.avg_pool2d", pool }, { "nn.avg_pool3d", pool },
  { "nn.conv1d", conv }, { "nn.conv1d_transpose", conv_transpose }, { "nn.conv2d", conv }, { "nn.conv2d_transpose", conv_transpose }, { "nn.conv3d", conv },
  { "nn.max_pool1d", pool }, { "nn.max_pool2d", pool }, { "nn.max_pool3d", pool },
  { NULL }
};
