/* nn-pool: the largest or mean element of windows, fixed or fitted to the size of the output (topi.nn.pool, adaptive_pool). */
#include "engine/topi/topi-private.h"

#include <string.h>

#define MAX_SPATIAL 3

typedef struct {
  LsTeTensor *x;
  guint       n;
  guint       at[MAX_SPATIAL];  /* the pooled dimensions */
  gint64      kernel[MAX_SPATIAL];
  gint64      stride[MAX_SPATIAL];
  gint64      dilation[MAX_SPATIAL];
  gint64      head[MAX_SPATIAL];
  gint64      tail[MAX_SPATIAL];
} Pool;

/* The place of a dimension in a layout: factors such as the 4 of NCHW4c take none.  -1: it is not there, or it is split. */
static int
letter_place (const char *layout,
              char        letter)
{
  int place = -1;

  for (guint i = 0, at = 0; layout[i] != '\0'; i++)
    if (layout[i] == letter)
      place = (int) at++;
    else if (layout[i] == g_ascii_tolower (letter))
      return -1;
    else if (g_ascii_isalpha (layout[i]))
      at++;
  return place;
}

static guint
n_letters (const char *layout)
{
  guint n = 0;

  for (; *layout != '\0'; layout++)
    n += g_ascii_isalpha (*layout) ? 1 : 0;
  return n;
}

/* The places of D, H and W (as many as there are) in a layout. */
static gboolean
read_layout (const char *layout,
             guint       ndim,
             guint       n,
             guint      *at,
             GError    **error)
{
  const char *letters = n == 1 ? "W" : n == 2 ? "HW" : "DHW";

  if (n < 1 || n > MAX_SPATIAL || n_letters (layout) != ndim)
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.pool: layout \"%s\" does not fit a tensor of %u dimensions", layout, ndim);
  for (guint i = 0; i < n; i++)
    {
      int place = letter_place (layout, letters[i]);

      if (place < 0)
        return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.pool: layout \"%s\" has no '%c'", layout, letters[i]);
      at[i] = (guint) place;
    }
  return TRUE;
}

static LsMap *
rule (const char *stage)
{
  g_autofree char *name = g_strconcat ("meta_schedule.", stage, NULL);

  return ls_topi_attr ("schedule_rule", LS_NODE (ls_string_new (name)));
}

/* topi::pad of C++: axes ax*, conditions only where there is padding. */
static LsTeTensor *
pad (Pool    *self,
     LsExpr  *value,
     GError **error)
{
  g_autoptr (LsArray) shape = ls_ref (self->x->shape);
  GPtrArray *indices, *inside;
  LsArray *axes;
  LsExpr *load, *condition;

  for (guint i = 0; i < self->n; i++)
    {
      g_autoptr (LsExpr) extent = ls_topi_simplify (ls_add (ls_ref (DIM (self->x, self->at[i])), ls_int (self->head[i] + self->tail[i])));

      ls_take (&shape, ls_array_with (shape, self->at[i], extent));
    }
  axes = ls_te_axes (shape, "ax*");
  indices = g_ptr_array_new ();
  inside = g_ptr_array_new ();
  for (guint d = 0; d < shape->n; d++)
    {
      gint64 head = 0, tail = 0;

      for (guint i = 0; i < self->n; i++)
        if (self->at[i] == d)
          {
            head = self->head[i];
            tail = self->tail[i];
          }
      g_ptr_array_add (indices, head != 0 ? ls_sub (AX (d), ls_int (head)) : AX (d));
      if (head != 0)
        g_ptr_array_add (inside, ls_ge (AX (d), ls_int (head)));
      if (tail != 0)
        g_ptr_array_add (inside, ls_lt (AX (d), ls_add (ls_int (head), ls_ref (DIM (self->x, d)))));
    }
  load = ls_te_load (self->x, ls_array_take_ptr_array (indices));
  condition = ls_te_conjunction (inside);
  if (condition != NULL)
    load = ls_if_then_else (condition, load, value);
  else
    ls_unref (value);
  return ls_te_compute ("pad_temp", LS_TAG_ELEMWISE, NULL, axes, load, error);
}

static LsArray *
output_shape (Pool *self)
{
  LsArray *shape = ls_ref (self->x->shape);

  for (guint i = 0; i < self->n; i++)
    {
      LsExpr *places = ls_add (ls_sub (ls_ref (DIM (self->x, self->at[i])), ls_int ((self->kernel[i] - 1) * self->dilation[i] + 1)), ls_int (self->head[i] + self->tail[i]));
      g_autoptr (LsExpr) extent = ls_topi_simplify (ls_add (ls_floordiv (places, ls_int (self->stride[i])), ls_int (1)));

      ls_take (&shape, ls_array_with (shape, self->at[i], extent));
    }
  return shape;
}

/* The element of `from` for the axes and the window's variables. */
static LsExpr *
window_load (Pool       *self,
             LsTeTensor *from,
             LsArray    *axes,
             LsArray    *reduce)
{
  LsNode **indices = g_new0 (LsNode *, axes->n + 1);
  LsExpr *load;

  for (guint d = 0; d < axes->n; d++)
    indices[d] = LS_NODE (AX (d));
  for (guint i = 0; i < self->n; i++)
    {
      LsExpr *place = ls_add (ls_mul (LS_EXPR (indices[self->at[i]]), ls_int (self->stride[i])),
                              ls_mul (ls_te_iter (ls_array_at (reduce, i, LsIterVar)), ls_int (self->dilation[i])));

      indices[self->at[i]] = LS_NODE (place);
    }
  load = ls_te_load (from, ls_array_new (indices, axes->n));
  g_free (indices);
  return load;
}

static LsArray *
window_axes (Pool *self)
{
  GPtrArray *axes = g_ptr_array_new ();

  for (guint i = 0; i < self->n; i++)
    {
      g_autofree char *name = g_strdup_printf ("rv%u", i);

      g_ptr_array_add (axes, ls_te_reduce_axis (name, ls_int (0), ls_int (self->kernel[i])));
    }
  return ls_array_take_ptr_array (axes);
}

/* How many elements of the window are elements of the tensor: from the first that is not before it to the last that is not
 * behind it, by steps of the dilation. */
static LsExpr *
count_inside (Pool    *self,
              LsArray *axes)
{
  LsExpr *count = ls_int (1);

  for (guint i = 0; i < self->n; i++)
    {
      gint64 d = self->dilation[i];
      LsExpr *start = ls_sub (ls_mul (AX (self->at[i]), ls_int (self->stride[i])), ls_int (self->head[i]));
      LsExpr *end = ls_min (ls_add (REF (start), ls_int ((self->kernel[i] - 1) * d)), ls_sub (ls_ref (DIM (self->x, self->at[i])), ls_int (1)));
      LsExpr *jumps = ls_max (ls_floordiv (ls_sub (ls_int (d - 1), REF (start)), ls_int (d)), ls_int (0));
      LsExpr *first = ls_add (start, ls_mul (ls_int (d), jumps));

      count = ls_mul (count, ls_add (ls_floordiv (ls_sub (end, first), ls_int (d)), ls_int (1)));
    }
  return count;
}

static LsTeTensor *
average (Pool       *self,
         LsTeTensor *from,
         LsArray    *shape,
         gboolean    count_include_pad,
         GError    **error)
{
  g_autoptr (LsTeTensor) sum = NULL;
  LsArray *axes = ls_te_axes (shape, "ax*");
  LsArray *reduce = window_axes (self);
  LsExpr *count;

  sum = ls_te_compute ("pool_sum", "pool_sum", NULL, axes, ls_te_sum (window_load (self, from, axes, reduce), reduce), error);
  axes = ls_te_axes (shape, "ax*");
  if (count_include_pad)
    {
      count = ls_int (1);
      for (guint i = 0; i < self->n; i++)
        count = ls_mul (count, ls_int (self->kernel[i]));
    }
  else
    count = ls_max (count_inside (self, axes), ls_int (1));
  return ls_te_compute ("pool_avg", LS_TAG_ELEMWISE, rule ("pool_avg"), axes, ls_te_div (ls_te_load (sum, ls_te_axis_vars (axes)), count), error);
}

LsTeTensor *
ls_topi_nn_pool (LsTeTensor *x,
                 LsArray    *kernel,
                 LsArray    *stride,
                 LsArray    *dilation,
                 LsArray    *padding,
                 const char *pool_type,
                 gboolean    ceil_mode,
                 const char *layout,
                 gboolean    count_include_pad,
                 GError    **error)
{
  Pool self = { x, ls_array_n (kernel), { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } };
  g_autoptr (LsTeTensor) from = NULL;
  g_autoptr (LsArray) shape = NULL;
  gboolean is_max = g_str_equal (pool_type, "max");
  gboolean do_pad = FALSE;
  gint64 pads[2 * MAX_SPATIAL];
  LsArray *axes, *reduce;

  if (x == NULL || !read_layout (layout, x->shape->n, self.n, self.at, error))
    return NULL;
  if (!is_max && !g_str_equal (pool_type, "avg"))
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.pool: the type is \"max\" or \"avg\", not \"%s\"", pool_type);
      return NULL;
    }
  if (!ls_topi_numbers (LS_TEXT ("the window"), kernel, self.n, self.kernel, error) || !ls_topi_numbers ("strides", stride, self.n, self.stride, error)
      || !ls_topi_numbers ("dilation", dilation, self.n, self.dilation, error) || !ls_topi_numbers ("padding", padding, 2 * self.n, pads, error))
    return NULL;
  for (guint i = 0; i < self.n; i++)
    {
      if (self.kernel[i] < 1 || self.stride[i] < 1 || self.dilation[i] < 1)
        {
          ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.pool: window, strides and dilation must be positive");
          return NULL;
        }
      self.head[i] = pads[i];
      self.tail[i] = pads[self.n + i] + (ceil_mode ? self.stride[i] - 1 : 0);
      do_pad = do_pad || self.head[i] != 0 || self.tail[i] != 0;
    }
  from = do_pad ? pad (&self, is_max ? ls_te_min_value (x->dtype) : ls_te_const (x->dtype, 0), error) : ls_ref (x);
  shape = output_shape (&self);
  if (!is_max)
    return average (&self, from, shape, count_include_pad, error);
  axes = ls_te_axes (shape, "ax*");
  reduce = window_axes (&self);
  return ls_te_compute ("pool_max", "pool_max", rule ("pool_max"), axes, ls_te_max (window_load (&self, from, axes, reduce), reduce), error);
}

/* ---- adaptive pooling ----------------------------------------------------------- */

static LsExpr *
start_index (LsExpr *place,
             LsExpr *out,
             LsExpr *in)
{
  return ls_floordiv (ls_mul (place, REF (in)), REF (out));
}

static LsExpr *
end_index (LsExpr *place,
           LsExpr *out,
           LsExpr *in)
{
  g_autoptr (LsExpr) reach = ls_mul (ls_add (place, ls_int (1)), REF (in));
  LsExpr *last = ls_floordiv (ls_ref (reach), REF (out)), *next = ls_add (ls_ref (last), ls_int (1));

  return ls_te_select (ls_eq (ls_floormod (ls_ref (reach), REF (out)), ls_int (0)), last, next);
}

static LsArray *
adaptive_axes (Pool    *self,
               LsArray *output_size,
               LsArray *axes)
{
  GPtrArray *reduce = g_ptr_array_new ();

  for (guint i = 0; i < self->n; i++)
    {
      g_autofree char *name = g_strdup_printf ("rv%u", i);
      LsExpr *out = ls_array_at (output_size, i, LsExpr), *in = DIM (self->x, self->at[i]);
      LsExpr *extent = ls_sub (end_index (AX (self->at[i]), out, in), start_index (AX (self->at[i]), out, in));

      g_ptr_array_add (reduce, ls_te_reduce_axis (name, ls_int (0), ls_topi_simplify (extent)));
    }
  return ls_array_take_ptr_array (reduce);
}

static LsExpr *
adaptive_load (Pool    *self,
               LsArray *output_size,
               LsArray *axes,
               LsArray *reduce)
{
  LsNode **indices = g_new0 (LsNode *, axes->n + 1);
  LsExpr *load;

  for (guint d = 0; d < axes->n; d++)
    indices[d] = LS_NODE (AX (d));
  for (guint i = 0; i < self->n; i++)
    indices[self->at[i]] = LS_NODE (ls_add (start_index (LS_EXPR (indices[self->at[i]]), ls_array_at (output_size, i, LsExpr), DIM (self->x, self->at[i])),
                                            ls_te_iter (ls_array_at (reduce, i, LsIterVar))));
  load = ls_te_load (self->x, ls_array_new (indices, axes->n));
  g_free (indices);
  return load;
}

LsTeTensor *
ls_topi_nn_adaptive_pool (LsTeTensor *x,
                          LsArray    *output_size,
                          const char *pool_type,
                          const char *layout,
                          GError    **error)
{
  Pool self = { x, ls_array_n (output_size), { 0 }, { 0 }, { 0 }, { 0 }, { 0 }, { 0 } };
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsTeTensor) sum = NULL;
  g_autoptr (LsArray) again = NULL;
  LsArray *axes, *reduce;
  LsExpr *factor;

  if (x == NULL || !read_layout (layout, x->shape->n, self.n, self.at, error))
    return NULL;
  shape = ls_ref (x->shape);
  for (guint i = 0; i < self.n; i++)
    ls_take (&shape, ls_array_with (shape, self.at[i], output_size->items[i]));
  axes = ls_te_axes (shape, "ax*");
  reduce = adaptive_axes (&self, output_size, axes);
  if (g_str_equal (pool_type, "max"))
    return ls_te_compute ("adaptive_pool_max", "adaptive_pool_max", rule ("adaptive_pool_max"), axes,
                          ls_te_max (adaptive_load (&self, output_size, axes, reduce), reduce), error);
  if (!g_str_equal (pool_type, "avg"))
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.adaptive_pool: the type is \"max\" or \"avg\", not \"%s\"", pool_type);
      ls_unref (axes);
      ls_unref (reduce);
      return NULL;
    }
  sum = ls_te_compute ("adaptive_pool_sum", "adaptive_pool_sum", NULL, axes, ls_te_sum (adaptive_load (&self, output_size, axes, reduce), reduce), error);
  axes = ls_te_axes (shape, "ax*");
  again = adaptive_axes (&self, output_size, axes);
  factor = ls_te_const (x->dtype, 1);
  for (guint i = 0; i < self.n; i++)
    factor = ls_mul (factor, ls_cast (x->dtype, ls_ref (ls_array_at (again, i, LsIterVar)->dom->extent)));
  return ls_te_compute ("adaptive_pool_avg", LS_TAG_ELEMWISE, rule ("adaptive_pool_avg"), axes, ls_te_div (ls_te_load (sum, ls_te_axis_vars (axes)), factor), error);
}

LsTeTensor *
ls_topi_nn_global_pool (LsTeTensor *x,
                        const char *pool_type,
                        const char *layout,
                        GError    **error)
{
  GPtrArray *ones = g_ptr_array_new ();
  g_autoptr (LsArray) size = NULL;

  for (const char *c = layout; *c != '\0'; c++)
    if (strchr ("DHW", *c) != NULL)
      g_ptr_array_add (ones, ls_int (1));
  size = ls_array_take_ptr_array (ones);
  return ls_topi_nn_adaptive_pool (x, size, pool_type, layout, error);
}
