/* nn-norm: normalisations by mean and variance (topi.nn.layer_norm, group_norm, instance_norm, rms_norm, batch_norm).
 *
 * Sum and sum of squares come from one reduction of pairs; float16 is summed up as float32.
 */
#include "engine/topi/topi-private.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  LsTeTensor *x;
  GArray     *reduced;          /* of guint, sorted */
  LsTeTensor *sum;              /* owned */
  LsTeTensor *squares;          /* owned */
  LsExpr     *count;            /* owned: elements summed, in the type of the sums */
} Moments;

static void
moments_clear (Moments *self)
{
  g_clear_pointer (&self->reduced, g_array_unref);
  ls_unref (self->sum);
  ls_unref (self->squares);
  ls_unref (self->count);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Moments, moments_clear)

static gboolean
is_half (LsDType dtype)
{
  return dtype.code == LS_TYPE_FLOAT && dtype.bits == 16;
}

static LsDType
sum_dtype (LsTeTensor *x)
{
  return is_half (x->dtype) ? LS_FLOAT32 : x->dtype;
}

static gboolean
is_reduced (GArray *reduced,
            guint   i)
{
  for (guint k = 0; k < reduced->len; k++)
    if (g_array_index (reduced, guint, k) == i)
      return TRUE;
  return FALSE;
}

/* Adds pairs element by element. */
static LsCommReducer *
pair_sum (LsDType dtype)
{
  g_autoptr (LsVar) a = ls_var_new ("x0", dtype), b = ls_var_new ("x1", dtype), c = ls_var_new ("y0", dtype), d = ls_var_new ("y1", dtype);

  return ls_comm_reducer_new (ls_array_of (REF (a), REF (b), NULL), ls_array_of (REF (c), REF (d), NULL),
                              ls_array_of (ls_binary_new (LS_KIND_ADD, REF (a), REF (c)), ls_binary_new (LS_KIND_ADD, REF (b), REF (d)), NULL),
                              ls_array_of (ls_te_const (dtype, 0), ls_te_const (dtype, 0), NULL));
}

/* The sums over the reduced axes of x. */
static gboolean
moments_init (Moments    *self,
              LsTeTensor *x,
              GArray     *reduced,
              GError    **error)
{
  g_autofree char *stage = g_strconcat (x->op->name, "_red_temp", NULL);
  GPtrArray *extents = g_ptr_array_new (), *reduce = g_ptr_array_new (), *indices = g_ptr_array_new ();
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsArray) pair = NULL;
  LsDType dtype = sum_dtype (x);
  LsArray *axes, *source;
  LsExpr *value;
  guint next = 0;

  self->x = x;
  self->reduced = reduced;
  self->count = ls_te_const (dtype, 1);
  for (guint i = 0; i < x->shape->n; i++)
    if (!is_reduced (reduced, i))
      g_ptr_array_add (extents, ls_ref (DIM (x, i)));
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, "ax*");
  for (guint i = 0; i < x->shape->n; i++)
    if (is_reduced (reduced, i))
      {
        g_autofree char *name = g_strdup_printf ("k%u", i);

        g_ptr_array_add (reduce, ls_te_reduce_range (name, DIM (x, i)));
        g_ptr_array_add (indices, ls_te_iter (reduce->pdata[reduce->len - 1]));
        self->count = ls_mul (self->count, ls_cast (dtype, ls_ref (DIM (x, i))));
      }
    else
      g_ptr_array_add (indices, AX (next++));
  value = ls_cast (dtype, ls_te_load (x, ls_array_take_ptr_array (indices)));
  source = ls_array_of (REF (value), ls_mul (REF (value), REF (value)), NULL);
  ls_unref (value);
  pair = ls_te_compute_many (stage, LS_TAG_COMM_REDUCE, NULL, axes,
                             ls_te_reduce (pair_sum (dtype), source, ls_array_take_ptr_array (reduce), NULL, NULL, error), error);
  if (pair == NULL)
    return FALSE;
  self->sum = ls_ref (ls_array_at (pair, 0, LsTeTensor));
  self->squares = ls_ref (ls_array_at (pair, 1, LsTeTensor));
  return TRUE;
}

static LsExpr *
outer_load (Moments    *self,
            LsTeTensor *t,
            LsArray    *axes)
{
  GPtrArray *indices = g_ptr_array_new ();

  for (guint i = 0; i < axes->n; i++)
    if (!is_reduced (self->reduced, i))
      g_ptr_array_add (indices, AX (i));
  return ls_te_load (t, ls_array_take_ptr_array (indices));
}

static LsExpr *
inner_load (Moments    *self,
            LsTeTensor *t,
            LsArray    *axes)
{
  GPtrArray *indices = g_ptr_array_new ();

  for (guint i = 0; i < axes->n; i++)
    if (is_reduced (self->reduced, i))
      g_ptr_array_add (indices, AX (i));
  return ls_te_load (t, ls_array_take_ptr_array (indices));
}

/* (x - mean) / sqrt (variance + epsilon), in the type of x. */
static LsExpr *
normalised (Moments *self,
            LsArray *axes,
            double   epsilon)
{
  LsDType dtype = sum_dtype (self->x);
  LsExpr *mean = ls_te_div (outer_load (self, self->sum, axes), ls_ref (self->count));
  LsExpr *variance = ls_sub (ls_te_div (outer_load (self, self->squares, axes), ls_ref (self->count)), ls_mul (REF (mean), REF (mean)));
  LsExpr *value = ls_sub (ls_cast (dtype, ls_te_load (self->x, ls_te_axis_vars (axes))), mean);

  value = ls_mul (value, ls_te_unary ("rsqrt", ls_add (variance, ls_te_const (dtype, epsilon))));
  return ls_cast (self->x->dtype, value);
}

static gboolean
check_weights (const char *op,
               LsTeTensor *x,
               GArray     *reduced,
               LsTeTensor *weight,
               GError    **error)
{
  if (weight == NULL)
    return TRUE;
  if (weight->shape->n != reduced->len)
    return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.%s: a weight over %u axes must have as many dimensions, not %u", op, reduced->len, weight->shape->n);
  for (guint k = 0; k < reduced->len; k++)
    {
      gint64 a, b;

      if (ls_as_int (DIM (weight, k), &a) && ls_as_int (DIM (x, g_array_index (reduced, guint, k)), &b) && a != b)
        return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.%s: dimension %u of a weight has %" PRId64 " elements, the axis %" PRId64, op, k, a, b);
    }
  return TRUE;
}

LsTeTensor *
ls_topi_nn_layer_norm (LsTeTensor *x,
                       LsTeTensor *gamma,
                       LsTeTensor *beta,
                       LsArray    *axis,
                       double      epsilon,
                       GError    **error)
{
  g_auto (Moments) moments = { 0 };
  GArray *reduced;
  LsArray *axes;
  LsExpr *value;

  if (x == NULL || (reduced = ls_topi_axes ("topi.nn.layer_norm", axis, x->shape->n, error)) == NULL)
    return NULL;
  if (!check_weights ("layer_norm", x, reduced, gamma, error) || !check_weights ("layer_norm", x, reduced, beta, error))
    {
      g_array_unref (reduced);
      return NULL;
    }
  if (!moments_init (&moments, x, reduced, error))
    return NULL;
  axes = ls_te_axes (x->shape, "ax*");
  value = normalised (&moments, axes, epsilon);
  if (gamma != NULL)
    value = ls_mul (value, inner_load (&moments, gamma, axes));
  if (beta != NULL)
    value = ls_add (value, inner_load (&moments, beta, axes));
  return ls_te_compute ("T_layer_norm", LS_TAG_INJECTIVE, NULL, axes, value, error);
}

LsTeTensor *
ls_topi_nn_instance_norm (LsTeTensor *x,
                          LsTeTensor *gamma,
                          LsTeTensor *beta,
                          LsArray    *axis,
                          double      epsilon,
                          GError    **error)
{
  g_auto (Moments) moments = { 0 };
  GArray *reduced;
  LsArray *axes;
  LsExpr *value;

  if (x == NULL || (reduced = ls_topi_axes ("topi.nn.instance_norm", axis, x->shape->n, error)) == NULL)
    return NULL;
  if (x->shape->n < 2 || !moments_init (&moments, x, reduced, error))
    return NULL;
  axes = ls_te_axes (x->shape, "ax*");
  value = normalised (&moments, axes, epsilon);
  if (gamma != NULL)
    value = ls_mul (value, AT (gamma, AX (1)));
  if (beta != NULL)
    value = ls_add (value, AT (beta, AX (1)));
  return ls_te_compute ("T_instance_norm", LS_TAG_INJECTIVE, NULL, axes, value, error);
}

/* The channel axis as groups times channels of a group. */
static LsArray *
grouped_shape (LsArray *shape,
               guint    at,
               gint64   groups)
{
  GPtrArray *extents = g_ptr_array_new ();

  for (guint i = 0; i < shape->n; i++)
    if (i == at)
      {
        g_ptr_array_add (extents, ls_const_int (ls_dtype (shape->items[i]), groups));
        g_ptr_array_add (extents, ls_topi_simplify (ls_floordiv (REF (shape->items[i]), ls_int (groups))));
      }
    else
      g_ptr_array_add (extents, REF (shape->items[i]));
  return ls_array_take_ptr_array (extents);
}

static LsTeTensor *
grouped (LsTeTensor *x,
         guint       at,
         gint64      groups,
         GError    **error)
{
  g_autoptr (LsArray) shape = x != NULL ? grouped_shape (x->shape, at, groups) : NULL;

  return x != NULL ? ls_topi_reshape (x, shape, error) : NULL;
}

LsTeTensor *
ls_topi_nn_group_norm (LsTeTensor *x,
                       LsTeTensor *gamma,
                       LsTeTensor *beta,
                       gint64      num_groups,
                       gint64      channel_axis,
                       LsArray    *axis,
                       double      epsilon,
                       GError    **error)
{
  g_auto (Moments) moments = { 0 };
  g_autoptr (GArray) axis_numbers = NULL;
  g_autoptr (LsTeTensor) parts = NULL;
  g_autoptr (LsTeTensor) scale = NULL;
  g_autoptr (LsTeTensor) shift = NULL;
  g_autoptr (LsTeTensor) result = NULL;
  GArray *reduced;
  LsArray *axes;
  LsExpr *value;
  gint64 channels;
  guint at;

  if (x == NULL || !ls_topi_axis ("topi.nn.group_norm", channel_axis, x->shape->n, &at, error)
      || (axis_numbers = ls_topi_axes ("topi.nn.group_norm", axis, x->shape->n, error)) == NULL)
    return NULL;
  if (num_groups < 1 || (ls_as_int (DIM (x, at), &channels) && channels % num_groups != 0))
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.group_norm: the number of groups must divide the number of channels");
      return NULL;
    }
  parts = grouped (x, at, num_groups, error);
  scale = grouped (gamma, 0, num_groups, error);
  shift = grouped (beta, 0, num_groups, error);
  reduced = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < parts->shape->n; i++)
    {
      gboolean is_group_member = i == at + 1;
      gboolean listed = is_reduced (axis_numbers, i > at ? i - 1 : i) && i != at && !is_group_member;

      if (is_group_member || listed)
        g_array_append_val (reduced, i);
    }
  if (!moments_init (&moments, parts, reduced, error))
    return NULL;
  axes = ls_te_axes (parts->shape, "ax*");
  value = normalised (&moments, axes, epsilon);
  if (scale != NULL)
    value = ls_mul (value, AT (scale, AX (at), AX (at + 1)));
  if (shift != NULL)
    value = ls_add (value, AT (shift, AX (at), AX (at + 1)));
  result = ls_te_compute ("T_group_norm", LS_TAG_INJECTIVE, NULL, axes, value, error);
  return ls_topi_reshape (result, x->shape, error);
}

LsTeTensor *
ls_topi_nn_rms_norm (LsTeTensor *x,
                     LsTeTensor *weight,
                     LsArray    *axis,
                     double      epsilon,
                     GError    **error)
{
  g_autoptr (GArray) reduced = NULL;
  g_autoptr (LsTeTensor) wide = NULL, square = NULL, sum = NULL, scale = NULL, factor = NULL, result = NULL;
  Moments places = { 0 };
  LsArray *axes;
  LsExpr *count, *value;

  if (x == NULL || weight == NULL || (reduced = ls_topi_axes ("topi.nn.rms_norm", axis, x->shape->n, error)) == NULL
      || !check_weights ("rms_norm", x, reduced, weight, error))
    return NULL;
  wide = ls_topi_cast_cpp (x, LS_FLOAT32, error);
  scale = ls_topi_cast_cpp (weight, LS_FLOAT32, error);
  square = ls_topi_binary ("multiply", wide, wide, error);
  sum = ls_topi_reduce ("sum", square, axis, FALSE, error);
  if (sum == NULL)
    return NULL;
  count = ls_te_const (LS_FLOAT32, 1);
  for (guint k = 0; k < reduced->len; k++)
    count = ls_mul (count, ls_cast (LS_FLOAT32, ls_ref (DIM (x, g_array_index (reduced, guint, k)))));
  axes = ls_te_axes (sum->shape, "ax*");
  value = ls_te_unary ("rsqrt", ls_add (ls_te_div (ls_te_load (sum, ls_te_axis_vars (axes)), count), ls_te_const (LS_FLOAT32, epsilon)));
  factor = ls_te_compute ("rsqrt", LS_TAG_INJECTIVE, NULL, axes, value, error);
  axes = ls_te_axes (x->shape, "ax*");
  places.reduced = reduced;
  value = ls_mul (outer_load (&places, factor, axes), ls_te_load (wide, ls_te_axis_vars (axes)));
  result = ls_te_compute ("T_rms_norm", LS_TAG_INJECTIVE, NULL, axes, ls_mul (value, inner_load (&places, scale, axes)), error);
  return ls_topi_cast_cpp (result, x->dtype, error);
}

/* ---- batch_norm ------------------------------------------------------------------ */

/* sum (x) over the axes / count */
static LsTeTensor *
mean_of (LsTeTensor *x,
         LsArray    *axes,
         LsExpr     *count,
         GError    **error)
{
  g_autoptr (LsTeTensor) sum = ls_topi_reduce ("sum", x, axes, FALSE, error);

  return ls_topi_binary ("divide", sum, count, error);
}

/* (1 - momentum) * old + momentum * fresh in training, else old * 1 */
static LsTeTensor *
running (LsTeTensor *old,
         LsTeTensor *fresh,
         gboolean    training,
         double      momentum,
         GError    **error)
{
  g_autoptr (LsExpr) keep = ls_te_const (old->dtype, 1 - momentum);
  g_autoptr (LsExpr) learn = ls_te_const (old->dtype, momentum);
  g_autoptr (LsExpr) one = ls_int (1);
  g_autoptr (LsTeTensor) a = NULL;
  g_autoptr (LsTeTensor) b = NULL;

  if (!training)
    return ls_topi_binary ("multiply", old, one, error);
  a = ls_topi_binary ("multiply", keep, old, error);
  b = ls_topi_binary ("multiply", learn, fresh, error);
  return ls_topi_binary ("add", a, b, error);
}

LsArray *
ls_topi_nn_batch_norm (LsTeTensor *x,
                       LsTeTensor *gamma,
                       LsTeTensor *beta,
                       LsTeTensor *moving_mean,
                       LsTeTensor *moving_var,
                       gint64      axis,
                       double      epsilon,
                       gboolean    center,
                       gboolean    scale,
                       gboolean    training,
                       double      momentum,
                       GError    **error)
{
  g_autoptr (LsTeTensor) mean = NULL, mean_rs = NULL, d1 = NULL, d2 = NULL, d3 = NULL, squares = NULL, var = NULL, var_rs = NULL, shifted = NULL, root = NULL, out = NULL;
  g_autoptr (LsTeTensor) new_mean = NULL, new_var = NULL;
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsArray) others = NULL;
  g_autoptr (LsExpr) count = NULL;
  g_autoptr (LsExpr) eps = NULL;
  GPtrArray *extents, *list;
  guint at;

  if (x == NULL || gamma == NULL || beta == NULL || moving_mean == NULL || moving_var == NULL
      || !ls_topi_axis ("topi.nn.batch_norm", axis, x->shape->n, &at, error))
    return NULL;
  extents = g_ptr_array_new ();
  list = g_ptr_array_new ();
  count = ls_int (1);
  for (guint i = 0; i < x->shape->n; i++)
    {
      g_ptr_array_add (extents, i == at ? ls_ref (DIM (x, i)) : ls_int (1));
      if (i != at)
        {
          g_ptr_array_add (list, ls_int (i));
          count = ls_mul (count, ls_ref (DIM (x, i)));
        }
    }
  shape = ls_array_take_ptr_array (extents);
  others = ls_array_take_ptr_array (list);
  if (others->n == 0)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.batch_norm needs a tensor of at least two dimensions");
      return NULL;
    }
  eps = ls_te_const (x->dtype, epsilon);
  mean = mean_of (x, others, count, error);
  mean_rs = ls_topi_reshape (mean, shape, error);
  d1 = ls_topi_binary ("subtract", x, mean_rs, error);
  d2 = ls_topi_binary ("subtract", x, mean_rs, error);
  squares = ls_topi_binary ("multiply", d1, d2, error);
  var = mean_of (squares, others, count, error);
  var_rs = ls_topi_reshape (var, shape, error);
  d3 = ls_topi_binary ("subtract", x, mean_rs, error);
  shifted = ls_topi_binary ("add", var_rs, eps, error);
  root = ls_topi_unary ("sqrt", shifted, error);
  out = ls_topi_binary ("divide", d3, root, error);
  if (scale && out != NULL)
    {
      g_autoptr (LsTeTensor) by = ls_topi_reshape (gamma, shape, error);

      ls_take (&out, ls_topi_binary ("multiply", out, by, error));
    }
  if (center && out != NULL)
    {
      g_autoptr (LsTeTensor) by = ls_topi_reshape (beta, shape, error);

      ls_take (&out, ls_topi_binary ("add", out, by, error));
    }
  if (out == NULL)
    return NULL;
  new_mean = running (moving_mean, mean, training, momentum, error);
  new_var = running (moving_var, var, training, momentum, error);
  if (new_mean == NULL || new_var == NULL)
    return NULL;
  return ls_array_of (ls_ref (out), ls_ref (new_mean), ls_ref (new_var), NULL);
}
