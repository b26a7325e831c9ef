/* nn-softmax: exp (x) over its sum along an axis, from the largest element on so that nothing overflows. */
#include "engine/topi/topi-private.h"

typedef struct {
  LsTeTensor *x;
  guint       at;
  LsArray    *shape;            /* without the axis, owned */
} Softmax;

/* Indices into x: those of the axes, and `index` on the axis. */
static LsExpr *
element (LsTeTensor *x,
         LsArray    *axes,
         guint       at,
         LsExpr     *index)
{
  GPtrArray *indices = g_ptr_array_new ();

  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (indices, i == at ? index : AX (i < at ? i : i - 1));
  return ls_te_load (x, ls_array_take_ptr_array (indices));
}

/* The element of a tensor without the axis. */
static LsExpr *
reduced (LsTeTensor *t,
         LsArray    *axes,
         guint       at)
{
  GPtrArray *indices = g_ptr_array_new ();

  for (guint i = 0; i < axes->n; i++)
    if (i != at)
      g_ptr_array_add (indices, AX (i));
  return ls_te_load (t, ls_array_take_ptr_array (indices));
}

static LsTeTensor *
max_stage (Softmax *self,
           GError **error)
{
  g_autoptr (LsIterVar) k = ls_te_reduce_range ("k", DIM (self->x, self->at));
  LsArray *axes = ls_te_axes (self->shape, "i*");

  return ls_te_compute ("T_softmax_maxelem", NULL, NULL, axes, ls_te_max (element (self->x, axes, self->at, ls_te_iter (k)), ls_array_of (ls_ref (k), NULL)), error);
}

static LsMap *
axis_attr (Softmax *self)
{
  return ls_topi_attr ("axis", LS_NODE (ls_int (self->at)));
}

/* The rest from the powers on; takes them (NULL: an error). */
static LsTeTensor *
normalized (Softmax     *self,
            LsTeTensor  *powers,
            GError     **error)
{
  g_autoptr (LsIterVar) k = ls_te_reduce_range ("k", DIM (self->x, self->at));
  g_autoptr (LsTeTensor) power = powers;
  g_autoptr (LsTeTensor) sum = NULL;
  LsArray *axes;

  if (power == NULL)
    return NULL;
  axes = ls_te_axes (self->shape, "i*");
  sum = ls_te_compute ("T_softmax_expsum", NULL, NULL, axes, ls_te_sum (element (power, axes, self->at, ls_te_iter (k)), ls_array_of (ls_ref (k), NULL)), error);
  axes = ls_te_axes (self->x->shape, "i*");
  return ls_te_compute ("T_softmax_norm", "softmax_output", axis_attr (self), axes,
                        ls_te_div (ls_te_load (power, ls_te_axis_vars (axes)), reduced (sum, axes, self->at)), error);
}

static LsTeTensor *
softmax (Softmax *self,
         GError **error)
{
  g_autoptr (LsTeTensor) largest = max_stage (self, error);
  LsArray *axes = ls_te_axes (self->x->shape, "i*");

  return normalized (self, ls_te_compute ("T_softmax_exp", NULL, NULL, axes,
                                          ls_te_unary ("exp", ls_sub (ls_te_load (self->x, ls_te_axis_vars (axes)), reduced (largest, axes, self->at))), error), error);
}

static LsTeTensor *
fast_softmax (Softmax *self,
              GError **error)
{
  g_autoptr (LsTeTensor) largest = max_stage (self, error);
  LsArray *axes = ls_te_axes (self->x->shape, "i*");
  g_autoptr (LsTeTensor) delta = ls_te_compute ("T_softmax_delta", NULL, NULL, axes,
                                                ls_sub (ls_te_load (self->x, ls_te_axis_vars (axes)), reduced (largest, axes, self->at)), error);

  return normalized (self, ls_topi_fast ("exp", delta, error), error);
}

static LsTeTensor *
log_softmax (Softmax *self,
             GError **error)
{
  g_autoptr (LsIterVar) k = ls_te_reduce_range ("k", DIM (self->x, self->at));
  g_autoptr (LsTeTensor) largest = max_stage (self, error);
  g_autoptr (LsTeTensor) sum = NULL;
  LsArray *axes = ls_te_axes (self->shape, "i*");
  LsExpr *power = ls_te_unary ("exp", ls_sub (element (self->x, axes, self->at, ls_te_iter (k)), ls_te_load (largest, ls_te_axis_vars (axes))));

  sum = ls_te_compute (NULL, NULL, NULL, axes, ls_te_sum (power, ls_array_of (ls_ref (k), NULL)), error);
  axes = ls_te_axes (self->x->shape, "i*");
  return ls_te_compute (NULL, NULL, axis_attr (self), axes,
                        ls_sub (ls_sub (ls_te_load (self->x, ls_te_axis_vars (axes)), reduced (largest, axes, self->at)),
                                ls_te_unary ("log", reduced (sum, axes, self->at))), error);
}

static LsTeTensor *
along (const char  *op,
       LsTeTensor  *x,
       gint64       axis,
       LsTeTensor *(*make) (Softmax *self, GError **error),
       GError     **error)
{
  Softmax self = { x, 0, NULL };
  g_autoptr (LsArray) shape = NULL;

  if (x == NULL || !ls_topi_axis (op, axis, x->shape->n, &self.at, error))
    return NULL;
  if (!ls_dtype_is_float (x->dtype))
    {
      ls_topi_fail (error, LS_TE_ERROR_DTYPE, "%s needs floating-point numbers, but the tensor is %s", op, ls_dtype_name (x->dtype));
      return NULL;
    }
  shape = ls_array_remove (x->shape, self.at);
  self.shape = shape;
  return make (&self, error);
}

LsTeTensor *
ls_topi_nn_softmax (LsTeTensor *x,
                    gint64      axis,
                    GError    **error)
{
  return along ("topi.nn.softmax", x, axis, softmax, error);
}

LsTeTensor *
ls_topi_nn_fast_softmax (LsTeTensor *x,
                         gint64      axis,
                         GError    **error)
{
  return along ("topi.nn.fast_softmax", x, axis, fast_softmax, error);
}

LsTeTensor *
ls_topi_nn_log_softmax (LsTeTensor *x,
                        gint64      axis,
                        GError    **error)
{
  return along ("topi.nn.log_softmax", x, axis, log_softmax, error);
}
