/* op/convolution: convolutions of one to three dimensions and the transposed ones, in any layout of their letters.
 *
 * A layout names the axes by letters: N batch, C channels, W or HW or DHW the window; O and I output and input channels
 * of the kernel.  Split axes (NCHW4c) count as the axis that they are of.
 */
#include "engine/relax/op/op.h"
#include "engine/relax/op/layout.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  LsTensorStructInfo *x, *w;
  const char         *x_layout, *w_layout, *out_layout;
  LsArray            *strides, *padding, *dilation, *output_padding;
  gint64              groups;
  guint               n;        /* dimensions of the window */
  LsDType             dtype;
} Conv;

static gboolean
read_conv (LsInfer *self,
           Conv    *conv)
{
  conv->n = (guint) (strchr (self->name, 'd')[-1] - '0');
  conv->x = ls_infer_tensor (self, 0);
  conv->w = conv->x != NULL ? ls_infer_tensor (self, 1) : NULL;
  conv->x_layout = ls_infer_str (self, "data_layout", "");
  conv->w_layout = ls_infer_str (self, "kernel_layout", "");
  conv->out_layout = ls_infer_str (self, "out_layout", conv->x_layout);
  conv->strides = ls_infer_ints (self, "strides");
  conv->padding = ls_infer_ints (self, "padding");
  conv->dilation = ls_infer_ints (self, "dilation");
  conv->output_padding = ls_infer_ints (self, "output_padding");
  conv->groups = ls_infer_int (self, "groups", 1);
  conv->dtype = ls_infer_dtype (self, "out_dtype", LS_VOID);
  if (conv->w == NULL)
    return FALSE;
  if (!ls_infer_is_window (self, "strides", conv->strides, conv->n) || !ls_infer_is_window (self, "dilation", conv->dilation, conv->n)
      || !ls_infer_is_window (self, "padding", conv->padding, 2 * conv->n)
      || (conv->output_padding != NULL && !ls_infer_is_window (self, "output_padding", conv->output_padding, conv->n)))
    return FALSE;
  if (!ls_infer_layout_has (self, conv->x_layout, "NC", conv->n) || !ls_infer_layout_has (self, conv->w_layout, "OI", conv->n)
      || !ls_infer_layout_has (self, conv->out_layout, "NC", conv->n) || !ls_infer_layout_fits (self, 0, conv->x, conv->x_layout)
      || !ls_infer_layout_fits (self, 1, conv->w, conv->w_layout))
    return FALSE;
  return !ls_dtype_is_void (conv->dtype) || ls_infer_common (self, conv->x->dtype, conv->w->dtype, &conv->dtype);
}

static gboolean
channels_fit (LsInfer *self,
              Conv    *conv,
              LsExpr  *in_channels,
              LsExpr  *kernel_in,
              LsExpr  *kernel_out,
              gboolean transposed)
{
  LsExpr *expected = transposed ? kernel_in : ls_infer_keep (self, ls_mul (ls_ref (kernel_in), ls_extent (conv->groups)));
  LsExpr *divided = transposed ? kernel_in : kernel_out;
  gint64 n;

  if (ls_infer_differ (self, in_channels, expected))
    {
      ls_infer_fail (self, "takes %s channels by its kernel %s and %" PRId64 " groups; the data has %s.", ls_infer_text (self, expected),
                     ls_infer_text (self, ls_tensor_extents (conv->w)), conv->groups, ls_infer_text (self, in_channels));
      return FALSE;
    }
  if (conv->groups < 1 || (ls_as_int (divided, &n) && n % conv->groups != 0))
    {
      ls_infer_fail (self, "has %" PRId64 " groups, which do not divide its %s channels.", conv->groups, ls_infer_text (self, divided));
      return FALSE;
    }
  return TRUE;
}

static gint64
number (LsArray *list,
        guint    i)
{
  gint64 value = 0;

  ls_as_int (list->items[i], &value);
  return value;
}

static LsExpr *
window_extent (LsInfer *self,
               Conv    *conv,
               guint    i,
               LsExpr  *x,
               LsExpr  *k,
               gboolean transposed)
{
  gint64 pad = number (conv->padding, i) + number (conv->padding, i + conv->n);
  LsExpr *out;

  if (transposed)
    {
      out = ls_mul (ls_sub (ls_ref (x), ls_extent (1)), ls_extent (number (conv->strides, i)));
      out = ls_add (ls_sub (out, ls_extent (pad)), ls_mul (ls_extent (number (conv->dilation, i)), ls_sub (ls_ref (k), ls_extent (1))));
      out = ls_add (out, ls_extent (number (conv->output_padding, i) + 1));
    }
  else
    {
      out = ls_sub (ls_add (ls_ref (x), ls_extent (pad)), ls_mul (ls_extent (number (conv->dilation, i)), ls_sub (ls_ref (k), ls_extent (1))));
      out = ls_add (ls_floordiv (ls_sub (out, ls_extent (1)), ls_extent (number (conv->strides, i))), ls_extent (1));
    }
  return ls_infer_simplify (self, out);
}

static LsStructInfo *
infer_convolution (LsInfer *self,
                   gboolean transposed)
{
  static const char *const WINDOWS[] = { "", "W", "HW", "DHW" };
  Conv conv;
  LsArray *x, *w;
  GPtrArray *out;
  LsExpr *kernel_out;

  if (!read_conv (self, &conv))
    return NULL;
  for (guint i = 0; transposed && i < conv.n; i++)
    if (number (conv.output_padding, i) >= number (conv.strides, i))
      return ls_infer_fail (self, "takes output padding below its strides; it is %" PRId64 " with stride %" PRId64 ".",
                            number (conv.output_padding, i), number (conv.strides, i));
  x = ls_tensor_extents (conv.x);
  w = ls_tensor_extents (conv.w);
  if (x == NULL || w == NULL)
    return ls_infer_ranked (ls_layout_ndim (conv.out_layout), conv.dtype, conv.x);
  kernel_out = ls_layout_extent (self, conv.w_layout, w, 'O');
  if (!channels_fit (self, &conv, ls_layout_extent (self, conv.x_layout, x, 'C'), ls_layout_extent (self, conv.w_layout, w, 'I'), kernel_out, transposed))
    return NULL;
  if (transposed)
    kernel_out = ls_infer_simplify (self, ls_mul (ls_ref (kernel_out), ls_extent (conv.groups)));
  out = ls_extents_new ();
  for (const char *c = conv.out_layout; *c != '\0'; c++)
    if (g_ascii_isalpha (*c))
      {
        char axis = g_ascii_toupper (*c);
        const char *at = strchr (WINDOWS[conv.n], axis);
        LsExpr *whole = axis == 'N' ? ls_layout_extent (self, conv.x_layout, x, 'N') : kernel_out;

        if (at != NULL)
          whole = window_extent (self, &conv, (guint) (at - WINDOWS[conv.n]), ls_layout_extent (self, conv.x_layout, x, axis),
                                 ls_layout_extent (self, conv.w_layout, w, axis), transposed);
        ls_extents_add (out, ls_layout_part (self, conv.out_layout, c, whole));
      }
  return ls_infer_shaped_take (out, conv.dtype, conv.x);
}

static LsStructInfo *
infer_conv (LsInfer *self)
{
  return infer_convolution (self, FALSE);
}

static LsStructInfo *
infer_conv_transpose (LsInfer *self)
{
  return infer_convolution (self, TRUE);
}

#define CONV(rep, pad, layout, kernel) \
  "data weight | strides:" rep "=1 padding:" pad "=0 dilation:" rep "=1 groups:int=1 data_layout:str=" layout " kernel_layout:str=" kernel \
  " out_layout:str=@data_layout out_dtype:dtype=void"
#define CONV_T(rep, pad, layout, kernel) \
  "data weight | strides:" rep "=1 padding:" pad "=0 output_padding:" rep "=0 dilation:" rep "=1 groups:int=1 data_layout:str=" layout \
  " kernel_layout:str=" kernel " out_layout:str=@data_layout out_dtype:dtype=void"

const LsRelaxOpRow ls_relax_ops_convolution[] = {
  { "nn.conv1d", CONV ("single", "pad2", "NCW", "OIW"), infer_conv },
  { "nn.conv1d_transpose", CONV_T ("single", "pad2", "NCW", "IOW"), infer_conv_transpose },
  { "nn.conv2d", CONV ("pair", "pad4", "NCHW", "OIHW"), infer_conv },
  { "nn.conv2d_transpose", CONV_T ("pair", "pad4", "NCHW", "IOHW"), infer_conv_transpose },
  { "nn.conv3d", CONV ("triple", "pad6", "NCDHW", "OIDHW"), infer_conv },
  { NULL }
};
