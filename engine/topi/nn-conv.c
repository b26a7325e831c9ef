/* nn-conv: convolutions of any number of spatial dimensions, grouped and depthwise (topi.nn.conv, conv2d, depthwise_conv2d).
 *
 * A layout is a text of letters; N and C (O and I of the kernel) are found by letter and all others are spatial, in their
 * order.  The input is padded first; the sum runs over input channels and the window, in the order of the data layout.
 */
#include "engine/topi/topi-private.h"

#include <inttypes.h>
#include <string.h>

#define MAX_SPATIAL 3

typedef struct {
  guint   n;                    /* spatial dimensions */
  guint   order[MAX_SPATIAL + 2];       /* batch, channel, spatial ones -> position */
} Layout;

typedef struct {
  guint   n;
  gint64  strides[MAX_SPATIAL];
  gint64  dilation[MAX_SPATIAL];
  gint64  before[MAX_SPATIAL];
  gint64  after[MAX_SPATIAL];
} Window;

static gboolean
read_layout (const char *layout,
             char        first,
             char        second,
             guint       ndim,
             Layout     *self,
             GError    **error)
{
  const char *a = strchr (layout, first);
  const char *b = strchr (layout, second);
  guint next = 2;

  if (a == NULL || b == NULL || strlen (layout) != ndim || ndim < 3 || ndim > MAX_SPATIAL + 2)
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.conv: layout \"%s\" does not fit a tensor of %u dimensions", layout, ndim);
  self->n = ndim - 2;
  self->order[0] = (guint) (a - layout);
  self->order[1] = (guint) (b - layout);
  for (guint i = 0; i < ndim; i++)
    if (layout[i] != first && layout[i] != second)
      self->order[next++] = i;
  return TRUE;
}

/* n numbers: the same before and after; 2 n: before all, then after all. */
static gboolean
read_padding (LsArray *padding,
              guint    n,
              gint64  *before,
              gint64  *after,
              GError **error)
{
  for (guint i = 0; padding != NULL && padding->n == 2 * n && i < n; i++)
    if (!ls_topi_int (padding->items[i], "padding", &before[i], error) || !ls_topi_int (padding->items[n + i], "padding", &after[i], error))
      return FALSE;
  if (padding != NULL && padding->n == 2 * n)
    return TRUE;
  if (!ls_topi_numbers ("padding", padding, n, before, error))
    return FALSE;
  memcpy (after, before, n * sizeof (gint64));
  return TRUE;
}

static gboolean
read_window (Window  *self,
             guint    n,
             LsArray *strides,
             LsArray *padding,
             LsArray *dilation,
             GError **error)
{
  self->n = n;
  if (!ls_topi_numbers ("strides", strides, n, self->strides, error) || !ls_topi_numbers ("dilation", dilation, n, self->dilation, error)
      || !read_padding (padding, n, self->before, self->after, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (self->strides[i] < 1 || self->dilation[i] < 1)
      return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.conv: strides and dilation must be positive");
  return TRUE;
}

static LsExpr *
output_extent (LsExpr       *input,
               LsExpr       *kernel,
               const Window *window,
               guint         i)
{
  LsExpr *reach = ls_add (ls_mul (ls_sub (REF (kernel), ls_int (1)), ls_int (window->dilation[i])), ls_int (1));
  LsExpr *free_places = ls_add (ls_sub (REF (input), reach), ls_int (window->before[i] + window->after[i]));

  return ls_topi_simplify (ls_add (ls_floordiv (free_places, ls_int (window->strides[i])), ls_int (1)));
}

static LsTeTensor *
pad_input (LsTeTensor   *x,
           const Layout *layout,
           const Window *window,
           const char   *name,
           GError      **error)
{
  LsNode *before[MAX_SPATIAL + 2], *after[MAX_SPATIAL + 2];
  g_autoptr (LsArray) low = NULL;
  g_autoptr (LsArray) high = NULL;

  for (guint i = 0; i < layout->n + 2; i++)
    {
      before[layout->order[i]] = LS_NODE (ls_int (i < 2 ? 0 : window->before[i - 2]));
      after[layout->order[i]] = LS_NODE (ls_int (i < 2 ? 0 : window->after[i - 2]));
    }
  low = ls_array_new (before, layout->n + 2);
  high = ls_array_new (after, layout->n + 2);
  return ls_topi_nn_pad (x, low, high, NULL, name, error);
}

/* Names of the axes in the order of the layout. */
static char *
axis_names (const Layout *layout)
{
  static const char *const NAMES[] = { "nn", "ff", "yy", "xx", "zz" };
  const char *names[MAX_SPATIAL + 3] = { NULL };

  for (guint i = 0; i < layout->n + 2; i++)
    names[layout->order[i]] = NAMES[i];
  return g_strjoinv (" ", (char **) names);
}

static LsExpr *
window_index (LsExpr       *place,
              LsExpr       *offset,
              const Window *window,
              guint         i)
{
  return ls_add (ls_mul (place, ls_int (window->strides[i])), ls_mul (offset, ls_int (window->dilation[i])));
}

static gboolean
check_channels (LsExpr  *input,
                LsExpr  *filters,
                LsExpr  *kernel,
                gint64   groups,
                GError **error)
{
  gint64 c, f, k;

  if (groups < 1)
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.conv: the number of groups must be positive");
  if (ls_as_int (input, &c) && c % groups != 0)
    return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.conv: %" PRId64 " input channels do not divide into %" PRId64 " groups", c, groups);
  if (ls_as_int (filters, &f) && f % groups != 0)
    return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.conv: %" PRId64 " filters do not divide into %" PRId64 " groups", f, groups);
  if (ls_as_int (input, &c) && ls_as_int (kernel, &k) && k * groups != c)
    return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.conv: the kernel is for %" PRId64 " input channels, but there are %" PRId64, k * groups, c);
  return TRUE;
}

/* The axes to sum over: input channel and window in the order of the data layout. */
static LsArray *
reduce_order (const Layout *layout,
              LsIterVar   **reduce)
{
  LsNode *axes[MAX_SPATIAL + 2] = { NULL };
  guint n = 0;

  for (guint place = 0; place < layout->n + 2; place++)
    for (guint i = 1; i < layout->n + 2; i++)
      if (layout->order[i] == place)
        axes[n++] = ls_node_ref (LS_NODE (reduce[i - 1]));
  return ls_array_new (axes, n);
}

static LsTeTensor *
convolve (LsTeTensor    *x,
          LsTeTensor    *weight,
          const Window  *window,
          const Layout  *data,
          const Layout  *kernel,
          gint64         groups,
          const LsDType *out_dtype,
          const char    *name,
          LsMap         *attrs,
          GError       **error)
{
  static const char *const REDUCE[] = { "rc", "ry", "rx", "rz" };
  g_autofree char *names = axis_names (data);
  g_autoptr (LsTeTensor) padded = pad_input (x, data, window, "pad_temp", error);
  g_autoptr (LsArray) shape = NULL;
  LsDType dtype = out_dtype != NULL ? *out_dtype : x->dtype;
  LsNode *extents[MAX_SPATIAL + 2], *from[MAX_SPATIAL + 2], *by[MAX_SPATIAL + 2];
  LsIterVar *reduce[MAX_SPATIAL + 1];
  LsExpr *filters = DIM (weight, kernel->order[0]);
  LsExpr *channel, *product;
  LsArray *axes, *sum;

  extents[data->order[0]] = ls_node_ref (LS_NODE (DIM (x, data->order[0])));
  extents[data->order[1]] = ls_node_ref (LS_NODE (filters));
  for (guint i = 0; i < data->n; i++)
    extents[data->order[i + 2]] = LS_NODE (output_extent (DIM (x, data->order[i + 2]), DIM (weight, kernel->order[i + 2]), window, i));
  shape = ls_array_new (extents, data->n + 2);
  axes = ls_te_axes (shape, names);
  for (guint i = 0; i <= data->n; i++)
    {
      g_autoptr (LsExpr) extent = i == 0 ? ls_topi_simplify (ls_floordiv (ls_ref (DIM (x, data->order[1])), ls_int (groups))) : ls_ref (DIM (weight, kernel->order[i + 1]));

      reduce[i] = ls_te_reduce_range (REDUCE[i], extent);
    }
  channel = ls_te_iter (reduce[0]);
  if (groups > 1)
    {
      LsExpr *group = ls_floordiv (AX (data->order[1]), ls_topi_simplify (ls_floordiv (REF (filters), ls_int (groups))));

      channel = ls_add (ls_mul (group, ls_ref (reduce[0]->dom->extent)), channel);
    }
  from[data->order[0]] = LS_NODE (AX (data->order[0]));
  from[data->order[1]] = LS_NODE (channel);
  by[kernel->order[0]] = LS_NODE (AX (data->order[1]));
  by[kernel->order[1]] = LS_NODE (ls_te_iter (reduce[0]));
  for (guint i = 0; i < data->n; i++)
    {
      from[data->order[i + 2]] = LS_NODE (window_index (AX (data->order[i + 2]), ls_te_iter (reduce[i + 1]), window, i));
      by[kernel->order[i + 2]] = LS_NODE (ls_te_iter (reduce[i + 1]));
    }
  product = ls_cast (dtype, ls_te_load (padded, ls_array_new (from, data->n + 2)));
  product = ls_mul (product, ls_cast (dtype, ls_te_load (weight, ls_array_new (by, data->n + 2))));
  sum = reduce_order (data, reduce);
  for (guint i = 0; i <= data->n; i++)
    ls_unref (reduce[i]);
  return ls_te_compute (name, name, attrs, axes, ls_te_sum (product, sum), error);
}

/* The kernel layout that goes with a data layout: filters and input channels where batch and channel are for NC..., last for
 * N...C. */
static const char *
default_kernel_layout (const char *data_layout)
{
  static const char *const KNOWN[][2] = {
    { "NCW", "OIW" }, { "NWC", "WIO" }, { "NCHW", "OIHW" }, { "NHWC", "HWIO" }, { "HWCN", "HWIO" }, { "NCDHW", "OIDHW" }, { "NDHWC", "DHWIO" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (KNOWN); i++)
    if (g_str_equal (KNOWN[i][0], data_layout))
      return KNOWN[i][1];
  return "";
}

static LsTeTensor *
conv (LsTeTensor    *x,
      LsTeTensor    *weight,
      LsArray       *strides,
      LsArray       *padding,
      LsArray       *dilation,
      gint64         groups,
      const char    *data_layout,
      const char    *kernel_layout,
      const LsDType *out_dtype,
      const char    *name,
      gboolean       layout_free,
      GError       **error)
{
  g_autofree char *lower = NULL;
  g_autofree char *own_name = NULL;
  Layout data, kernel;
  Window window;
  LsMap *attrs = NULL;

  if (x == NULL || weight == NULL)
    return NULL;
  kernel_layout = kernel_layout != NULL && kernel_layout[0] != '\0' ? kernel_layout : default_kernel_layout (data_layout);
  if (!read_layout (data_layout, 'N', 'C', x->shape->n, &data, error) || !read_layout (kernel_layout, 'O', 'I', weight->shape->n, &kernel, error)
      || !read_window (&window, data.n, strides, padding, dilation, error)
      || !check_channels (DIM (x, data.order[1]), DIM (weight, kernel.order[0]), DIM (weight, kernel.order[1]), groups, error))
    return NULL;
  lower = g_ascii_strdown (data_layout, -1);
  own_name = name != NULL ? g_strdup (name) : g_strdup_printf ("%sconv%ud_%s", groups > 1 ? "group_" : "", data.n, lower);
  if (layout_free)
    attrs = ls_topi_attr ("layout_free_placeholders", LS_NODE (ls_array_of (ls_ref (weight), NULL)));
  return convolve (x, weight, &window, &data, &kernel, groups, out_dtype, own_name, attrs, error);
}

LsTeTensor *
ls_topi_nn_conv (LsTeTensor    *x,
                 LsTeTensor    *weight,
                 LsArray       *strides,
                 LsArray       *padding,
                 LsArray       *dilation,
                 gint64         groups,
                 const char    *data_layout,
                 const char    *kernel_layout,
                 const LsDType *out_dtype,
                 const char    *name,
                 GError       **error)
{
  return conv (x, weight, strides, padding, dilation, groups, data_layout, kernel_layout, out_dtype, name, FALSE, error);
}

LsTeTensor *
ls_topi_nn_conv1d (LsTeTensor    *x,
                   LsTeTensor    *weight,
                   LsArray       *strides,
                   LsArray       *padding,
                   LsArray       *dilation,
                   const char    *data_layout,
                   const char    *kernel_layout,
                   const LsDType *out_dtype,
                   GError       **error)
{
  return conv (x, weight, strides, padding, dilation, 1, data_layout, kernel_layout, out_dtype, NULL, FALSE, error);
}

LsTeTensor *
ls_topi_nn_conv2d_nchw (LsTeTensor    *x,
                        LsTeTensor    *weight,
                        LsArray       *strides,
                        LsArray       *padding,
                        LsArray       *dilation,
                        const LsDType *out_dtype,
                        GError       **error)
{
  return conv (x, weight, strides, padding, dilation, 1, "NCHW", "OIHW", out_dtype, NULL, FALSE, error);
}

LsTeTensor *
ls_topi_nn_conv2d_nhwc (LsTeTensor    *x,
                        LsTeTensor    *weight,
                        LsArray       *strides,
                        LsArray       *padding,
                        LsArray       *dilation,
                        const LsDType *out_dtype,
                        GError       **error)
{
  return conv (x, weight, strides, padding, dilation, 1, "NHWC", "HWIO", out_dtype, NULL, TRUE, error);
}

LsTeTensor *
ls_topi_nn_group_conv2d_nchw (LsTeTensor    *x,
                              LsTeTensor    *weight,
                              LsArray       *strides,
                              LsArray       *padding,
                              LsArray       *dilation,
                              gint64         groups,
                              const LsDType *out_dtype,
                              GError       **error)
{
  return conv (x, weight, strides, padding, dilation, groups, "NCHW", "OIHW", out_dtype, NULL, FALSE, error);
}

LsTeTensor *
ls_topi_nn_depthwise_conv2d_nchw (LsTeTensor    *x,
                                  LsTeTensor    *weight,
                                  LsArray       *strides,
                                  LsArray       *padding,
                                  LsArray       *dilation,
                                  const LsDType *out_dtype,
                                  GError       **error)
{
  g_autoptr (LsTeTensor) padded = NULL;
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsIterVar) di = NULL, dj = NULL;
  Layout data = { 2, { 0, 1, 2, 3 } };
  Window window;
  LsDType dtype;
  LsExpr *value;
  LsArray *axes;

  if (x == NULL || weight == NULL || !read_window (&window, 2, strides, padding, dilation, error))
    return NULL;
  if (x->shape->n != 4 || weight->shape->n != 4)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.depthwise_conv2d_nchw needs a tensor and a kernel of four dimensions");
      return NULL;
    }
  dtype = out_dtype != NULL ? *out_dtype : x->dtype;
  padded = pad_input (x, &data, &window, "PaddedInput", error);
  shape = ls_array_of (ls_ref (DIM (x, 0)), ls_topi_simplify (ls_mul (ls_ref (DIM (x, 1)), ls_ref (DIM (weight, 1)))),
                       output_extent (DIM (x, 2), DIM (weight, 2), &window, 0), output_extent (DIM (x, 3), DIM (weight, 3), &window, 1), NULL);
  axes = ls_te_axes (shape, "b c i j");
  di = ls_te_reduce_range ("di", DIM (weight, 2));
  dj = ls_te_reduce_range ("dj", DIM (weight, 3));
  value = ls_cast (dtype, AT (padded, AX (0), ls_floordiv (AX (1), ls_ref (DIM (weight, 1))), window_index (AX (2), ls_te_iter (di), &window, 0),
                              window_index (AX (3), ls_te_iter (dj), &window, 1)));
  value = ls_mul (value, ls_cast (dtype, AT (weight, ls_floordiv (AX (1), ls_ref (DIM (weight, 1))), ls_floormod (AX (1), ls_ref (DIM (weight, 1))),
                                             ls_te_iter (di), ls_te_iter (dj))));
  return ls_te_compute ("DepthwiseConv2d", "depthwise_conv2d_nchw", NULL, axes, ls_te_sum (value, ls_array_of (ls_ref (di), ls_ref (dj), NULL)), error);
}
