/* nn-conv-transpose: transposed convolutions as dilation, padding and an ordinary convolution with the kernel turned around
 * (topi.nn.conv1d_transpose, conv2d_transpose, conv3d_transpose). */
#include "engine/topi/topi-private.h"

#include <string.h>

#define MAX_SPATIAL 3

/* What the axes are called, by the number of spatial dimensions. */
static const struct {
  const char *layout;
  const char *data;
  const char *kernel;
  const char *reduce[MAX_SPATIAL];
} NAMES[] = {
  { "ncw", "b c w", "o i w", { "dw" } },
  { "nchw", "b c h w", "o i h w", { "dh", "dw" } },
  { "ncdhw", "b c d h w", "o i d h w", { "dd", "dh", "dw" } },
};

typedef struct {
  guint       n;                /* spatial dimensions */
  LsTeTensor *x;
  LsTeTensor *weight;           /* input channel, output channel of the group, window */
  gint64      strides[MAX_SPATIAL];
  gint64      before[MAX_SPATIAL];
  gint64      after[MAX_SPATIAL];
  gint64      kernel[MAX_SPATIAL];
  gint64      groups;
  LsDType     dtype;
} Transpose;

static gboolean
read_arguments (Transpose *self,
                LsArray   *strides,
                LsArray   *padding,
                LsArray   *output_padding,
                GError   **error)
{
  guint n = self->n;
  gint64 extra[MAX_SPATIAL] = { 0 };

  if (self->x->shape->n != n + 2 || self->weight->shape->n != n + 2)
    return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.conv%ud_transpose needs a tensor and a kernel of %u dimensions", n, n + 2);
  if (!ls_topi_numbers ("strides", strides, n, self->strides, error) || (output_padding != NULL && !ls_topi_numbers (LS_TEXT ("output padding"), output_padding, n, extra, error)))
    return FALSE;
  if (padding != NULL && padding->n == 2 * n)
    {
      for (guint i = 0; i < n; i++)
        if (!ls_topi_int (padding->items[i], "padding", &self->before[i], error) || !ls_topi_int (padding->items[n + i], "padding", &self->after[i], error))
          return FALSE;
    }
  else if (!ls_topi_numbers ("padding", padding, n, self->before, error))
    return FALSE;
  else
    memcpy (self->after, self->before, sizeof self->before);
  for (guint i = 0; i < n; i++)
    {
      if (!ls_topi_int (DIM (self->weight, i + 2), LS_TEXT ("the kernel's size"), &self->kernel[i], error))
        return FALSE;
      if (extra[i] >= self->strides[i])
        return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.conv%ud_transpose: the output padding must be smaller than the stride", n);
      self->before[i] = self->kernel[i] - 1 - self->before[i];
      self->after[i] = self->kernel[i] - 1 - self->after[i] + extra[i];
    }
  return TRUE;
}

/* The input with zeros between and around its elements. */
static LsTeTensor *
spread (Transpose *self,
        GError   **error)
{
  GPtrArray *strides = g_ptr_array_new (), *low = g_ptr_array_new (), *high = g_ptr_array_new ();
  g_autoptr (LsArray) by = NULL;
  g_autoptr (LsArray) before = NULL;
  g_autoptr (LsArray) after = NULL;
  g_autoptr (LsTeTensor) dilated = NULL;

  for (guint i = 0; i < self->n + 2; i++)
    {
      g_ptr_array_add (strides, ls_int (i < 2 ? 1 : self->strides[i - 2]));
      g_ptr_array_add (low, ls_int (i < 2 ? 0 : self->before[i - 2]));
      g_ptr_array_add (high, ls_int (i < 2 ? 0 : self->after[i - 2]));
    }
  by = ls_array_take_ptr_array (strides);
  before = ls_array_take_ptr_array (low);
  after = ls_array_take_ptr_array (high);
  dilated = ls_topi_nn_dilate (self->x, by, 0, "data_dilate", error);
  return dilated != NULL ? ls_topi_nn_pad (dilated, before, after, NULL, "data_pad", error) : NULL;
}

static LsTeTensor *
turn_kernel (Transpose  *self,
             const char *stage,
             GError    **error)
{
  GPtrArray *extents = g_ptr_array_new (), *indices = g_ptr_array_new ();
  g_autoptr (LsArray) shape = NULL;
  LsArray *axes;

  g_ptr_array_add (extents, ls_ref (DIM (self->weight, 1)));
  g_ptr_array_add (extents, ls_ref (DIM (self->weight, 0)));
  for (guint i = 0; i < self->n; i++)
    g_ptr_array_add (extents, ls_ref (DIM (self->weight, i + 2)));
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, NAMES[self->n - 1].kernel);
  g_ptr_array_add (indices, AX (1));
  g_ptr_array_add (indices, AX (0));
  for (guint i = 0; i < self->n; i++)
    g_ptr_array_add (indices, ls_sub (ls_sub (ls_ref (DIM (self->weight, i + 2)), ls_int (1)), AX (i + 2)));
  return ls_te_compute (stage, NULL, NULL, axes, ls_te_load (self->weight, ls_array_take_ptr_array (indices)), error);
}

static LsTeTensor *
convolve (Transpose  *self,
          LsTeTensor *data,
          LsTeTensor *kernel,
          const char *tag,
          GError    **error)
{
  GPtrArray *extents = g_ptr_array_new (), *from = g_ptr_array_new (), *by = g_ptr_array_new (), *reduce = g_ptr_array_new ();
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsExpr) per_group = ls_topi_simplify (ls_floordiv (ls_ref (DIM (self->x, 1)), ls_int (self->groups)));
  LsExpr *filters = DIM (self->weight, 1), *channel, *filter, *value;
  LsArray *axes;

  g_ptr_array_add (extents, ls_ref (DIM (self->x, 0)));
  g_ptr_array_add (extents, ls_topi_simplify (ls_mul (REF (filters), ls_int (self->groups))));
  for (guint i = 0; i < self->n; i++)
    g_ptr_array_add (extents, ls_topi_simplify (ls_add (ls_sub (ls_ref (DIM (data, i + 2)), ls_int (self->kernel[i])), ls_int (1))));
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, NAMES[self->n - 1].data);
  g_ptr_array_add (reduce, ls_te_reduce_range ("dc", per_group));
  for (guint i = 0; i < self->n; i++)
    g_ptr_array_add (reduce, ls_te_reduce_range (NAMES[self->n - 1].reduce[i], DIM (self->weight, i + 2)));
  channel = ls_te_iter (reduce->pdata[0]);
  filter = AX (1);
  if (self->groups > 1)
    {
      channel = ls_add (ls_mul (ls_floordiv (AX (1), REF (filters)), ls_ref (per_group)), channel);
      ls_take (&filter, ls_floormod (AX (1), REF (filters)));
    }
  g_ptr_array_add (from, AX (0));
  g_ptr_array_add (from, REF (channel));
  g_ptr_array_add (by, filter);
  g_ptr_array_add (by, channel);
  for (guint i = 0; i < self->n; i++)
    {
      g_ptr_array_add (from, ls_add (AX (i + 2), ls_te_iter (reduce->pdata[i + 1])));
      g_ptr_array_add (by, ls_te_iter (reduce->pdata[i + 1]));
    }
  value = ls_mul (ls_cast (self->dtype, ls_te_load (data, ls_array_take_ptr_array (from))), ls_cast (self->dtype, ls_te_load (kernel, ls_array_take_ptr_array (by))));
  return ls_te_compute (NULL, tag, NULL, axes, ls_te_sum (value, ls_array_take_ptr_array (reduce)), error);
}

static LsTeTensor *
transpose (guint          n,
           LsTeTensor    *x,
           LsTeTensor    *weight,
           LsArray       *strides,
           LsArray       *padding,
           const LsDType *out_dtype,
           LsArray       *output_padding,
           gint64         groups,
           GError       **error)
{
  Transpose self = { n, x, weight, { 0 }, { 0 }, { 0 }, { 0 }, groups, { 0 } };
  g_autoptr (LsTeTensor) data = NULL;
  g_autoptr (LsTeTensor) kernel = NULL;
  g_autofree char *tag = g_strdup_printf ("%sconv%ud_transpose_%s", groups > 1 ? "group_" : "", n, NAMES[n - 1].layout);
  gint64 channels, expected;

  if (x == NULL || weight == NULL || !read_arguments (&self, strides, padding, output_padding, error))
    return NULL;
  if (groups < 1 || (ls_as_int (DIM (x, 1), &channels) && ls_as_int (DIM (weight, 0), &expected) && (channels != expected || channels % groups != 0)))
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.conv%ud_transpose: the kernel's first extent must be the number of input channels, and the groups divide it", n);
      return NULL;
    }
  self.dtype = out_dtype != NULL ? *out_dtype : x->dtype;
  data = spread (&self, error);
  kernel = data != NULL ? turn_kernel (&self, n == 1 ? "kernel" : "kernel_transform", error) : NULL;
  return kernel != NULL ? convolve (&self, data, kernel, tag, error) : NULL;
}

LsTeTensor *
ls_topi_nn_conv1d_transpose_ncw (LsTeTensor    *x,
                                 LsTeTensor    *weight,
                                 LsArray       *strides,
                                 LsArray       *padding,
                                 const LsDType *out_dtype,
                                 LsArray       *output_padding,
                                 gint64         groups,
                                 GError       **error)
{
  return transpose (1, x, weight, strides, padding, out_dtype, output_padding, groups, error);
}

LsTeTensor *
ls_topi_nn_conv2d_transpose_nchw (LsTeTensor    *x,
                                  LsTeTensor    *weight,
                                  LsArray       *strides,
                                  LsArray       *padding,
                                  const LsDType *out_dtype,
                                  LsArray       *output_padding,
                                  gint64         groups,
                                  GError       **error)
{
  return transpose (2, x, weight, strides, padding, out_dtype, output_padding, groups, error);
}

LsTeTensor *
ls_topi_nn_conv3d_transpose_ncdhw (LsTeTensor    *x,
                                   LsTeTensor    *weight,
                                   LsArray       *strides,
                                   LsArray       *padding,
                                   const LsDType *out_dtype,
                                   LsArray       *output_padding,
                                   gint64         groups,
                                   GError       **error)
{
  return transpose (3, x, weight, strides, padding, out_dtype, output_padding, groups, error);
}
