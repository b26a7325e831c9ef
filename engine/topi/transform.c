/* transform: the same elements in another shape or order (topi.transform). */
#include "engine/topi/topi-private.h"

#include <inttypes.h>
#include <string.h>

LsTeTensor *
ls_topi_transpose (LsTeTensor *x,
                   LsArray    *order,
                   GError    **error)
{
  g_autofree guint *from = NULL;
  g_autofree gboolean *used = NULL;
  g_autofree LsNode **indices = NULL;
  g_autoptr (LsArray) shape = NULL;
  GPtrArray *extents;
  LsArray *axes;
  guint n;

  if (x == NULL)
    return NULL;
  n = x->shape->n;
  from = g_new0 (guint, n + 1);
  used = g_new0 (gboolean, n + 1);
  indices = g_new0 (LsNode *, n + 1);
  if (order != NULL && order->n > 0 && order->n != n)
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.transpose: %u axes are given for a tensor of %u dimensions", order->n, n);
      return NULL;
    }
  for (guint i = 0; i < n; i++)
    {
      gint64 axis = (gint64) n - 1 - i;

      if (order != NULL && order->n > 0 && !ls_topi_int (order->items[i], LS_TEXT ("an axis"), &axis, error))
        return NULL;
      if (!ls_topi_axis ("topi.transpose", axis, n, &from[i], error))
        return NULL;
      if (used[from[i]])
        {
          ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.transpose: axis %u occurs twice", from[i]);
          return NULL;
        }
      used[from[i]] = TRUE;
    }
  extents = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (extents, ls_ref (DIM (x, from[i])));
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, "ax*");
  for (guint i = 0; i < n; i++)
    indices[from[i]] = LS_NODE (AX (i));
  return ls_te_compute ("T_transpose", LS_TAG_INJECTIVE, NULL, axes, ls_te_load (x, ls_array_new (indices, n)), error);
}

static gboolean
is_empty (LsArray *shape)
{
  for (guint i = 0; i < shape->n; i++)
    if (ls_is_zero (shape->items[i]))
      return TRUE;
  return FALSE;
}

/* The number of elements; FALSE: it is not known, or int64 does not count it. */
static gboolean
count (LsArray *shape,
       gint64  *n)
{
  gint64 extent;

  *n = 1;
  for (guint i = 0; i < shape->n; i++)
    if (!ls_as_int (shape->items[i], &extent) || __builtin_mul_overflow (*n, extent, n))
      return FALSE;
  return TRUE;
}

/* Checked only where both sizes are numbers. */
static gboolean
same_size (LsTeTensor *x,
           LsArray    *shape,
           GError    **error)
{
  gint64 a, b;

  if (count (x->shape, &a) && count (shape, &b) && a != b)
    return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.reshape: %" PRId64 " elements do not fill a shape of %" PRId64, a, b);
  return TRUE;
}

/* The axes' variables, in int64 where the number of the last element is past int32. (transfer full) */
static LsArray *
wide_enough (LsArray *vars,
             LsArray *shape)
{
  g_autoptr (LsArray) taken = vars;
  GPtrArray *wide;

  if (!ls_topi_is_large (shape))
    return g_steal_pointer (&taken);
  wide = g_ptr_array_new ();
  for (guint i = 0; i < vars->n; i++)
    g_ptr_array_add (wide, ls_topi_widen (ls_ref (ls_array_at (vars, i, LsExpr)), TRUE));
  return ls_array_take_ptr_array (wide);
}

LsTeTensor *
ls_topi_reshape (LsTeTensor *x,
                 LsArray    *shape,
                 GError    **error)
{
  LsArray *axes;
  LsExpr *value;

  if (x == NULL || shape == NULL || !same_size (x, shape, error))
    return NULL;
  axes = ls_te_axes (shape, "ax*");
  if (is_empty (x->shape))
    value = ls_te_const (x->dtype, 0);
  else
    value = ls_te_load (x, ls_topi_unravel (ls_topi_ravel (wide_enough (ls_te_axis_vars (axes), shape), shape), x->shape));
  return ls_te_compute ("T_reshape", LS_TAG_INJECTIVE, NULL, axes, value, error);
}

LsTeTensor *
ls_topi_squeeze (LsTeTensor *x,
                 LsArray    *axis,
                 GError    **error)
{
  g_autofree gboolean *drop = NULL;
  g_autoptr (LsArray) shape = NULL;
  GPtrArray *extents, *indices;
  LsArray *axes;
  guint next = 0;

  if (x == NULL)
    return NULL;
  drop = g_new0 (gboolean, x->shape->n + 1);
  for (guint i = 0; i < x->shape->n; i++)
    drop[i] = axis == NULL && ls_is_one (DIM (x, i));
  for (guint k = 0; axis != NULL && k < axis->n; k++)
    {
      gint64 value;
      guint i;

      if (!ls_topi_int (axis->items[k], LS_TEXT ("an axis"), &value, error) || !ls_topi_axis ("topi.squeeze", value, x->shape->n, &i, error))
        return NULL;
      if (ls_is (DIM (x, i), INT_IMM) && !ls_is_one (DIM (x, i)))
        {
          ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.squeeze: dimension %u has extent %" PRId64 "; only dimensions of extent 1 can go", i, ((LsIntImm *) DIM (x, i))->value);
          return NULL;
        }
      drop[i] = TRUE;
    }
  extents = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    if (!drop[i])
      g_ptr_array_add (extents, ls_ref (DIM (x, i)));
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, "ax*");
  indices = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (indices, drop[i] ? ls_int (0) : AX (next++));
  return ls_te_compute ("T_squeeze", LS_TAG_INJECTIVE, NULL, axes, ls_te_load (x, ls_array_take_ptr_array (indices)), error);
}

LsTeTensor *
ls_topi_expand_dims (LsTeTensor *x,
                     gint64      axis,
                     gint64      num_newaxis,
                     GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  GPtrArray *extents, *indices;
  LsArray *axes;
  guint at;

  if (x == NULL || !ls_topi_axis ("topi.expand_dims", axis, x->shape->n + 1, &at, error))
    return NULL;
  if (num_newaxis < 0 || num_newaxis > 64)
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.expand_dims: the number of new axes must be 0 to 64");
      return NULL;
    }
  extents = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (extents, ls_ref (DIM (x, i)));
  for (gint64 k = 0; k < num_newaxis; k++)
    g_ptr_array_insert (extents, (gint) at, ls_int (1));
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, "ax*");
  indices = g_ptr_array_new ();
  for (guint i = 0; i < shape->n; i++)
    if (i < at || i >= at + num_newaxis)
      g_ptr_array_add (indices, AX (i));
  return ls_te_compute ("T_expand_dims", LS_TAG_BROADCAST, NULL, axes, ls_te_load (x, ls_array_take_ptr_array (indices)), error);
}

LsTeTensor *
ls_topi_flip (LsTeTensor *x,
              gint64      axis,
              GError    **error)
{
  GPtrArray *indices;
  LsArray *axes;
  guint at;

  if (x == NULL || !ls_topi_axis ("topi.flip", axis, x->shape->n, &at, error))
    return NULL;
  axes = ls_te_axes (x->shape, "ax*");
  indices = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (indices, i == at ? ls_sub (ls_sub (ls_ref (DIM (x, i)), ls_int (1)), AX (i)) : AX (i));
  return ls_te_compute ("T_reverse_sequence", LS_TAG_INJECTIVE, NULL, axes, ls_te_load (x, ls_array_take_ptr_array (indices)), error);
}

LsTeTensor *
ls_topi_tile (LsTeTensor *x,
              LsArray    *reps,
              GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  GPtrArray *extents, *indices;
  LsArray *axes;
  guint n;

  if (x == NULL)
    return NULL;
  n = MAX (x->shape->n, reps->n);
  extents = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    {
      LsExpr *extent = i + x->shape->n >= n ? ls_ref (DIM (x, i + x->shape->n - n)) : ls_int (1);
      LsExpr *times = i + reps->n >= n ? REF (reps->items[i + reps->n - n]) : ls_int (1);

      g_ptr_array_add (extents, ls_mul (extent, times));
    }
  shape = ls_array_take_ptr_array (extents);
  axes = ls_te_axes (shape, "ax*");
  indices = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (indices, ls_floormod (AX (i + n - x->shape->n), ls_ref (DIM (x, i))));
  return ls_te_compute ("T_tile", LS_TAG_BROADCAST, NULL, axes,
                        is_empty (shape) ? (ls_unref (ls_array_take_ptr_array (indices)), ls_te_const (x->dtype, 0)) : ls_te_load (x, ls_array_take_ptr_array (indices)), error);
}

LsTeTensor *
ls_topi_repeat (LsTeTensor *x,
                gint64      repeats,
                gint64      axis,
                GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsExpr) extent = NULL;
  GPtrArray *indices;
  LsArray *axes;
  guint at;

  if (x == NULL || !ls_topi_axis ("topi.repeat", axis, x->shape->n, &at, error))
    return NULL;
  if (repeats < 1)
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.repeat: elements are repeated at least once, not %" PRId64 " times", repeats);
      return NULL;
    }
  extent = ls_mul (ls_int (repeats), ls_ref (DIM (x, at)));
  shape = ls_array_with (x->shape, at, extent);
  axes = ls_te_axes (shape, "ax*");
  indices = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (indices, i == at ? ls_floordiv (AX (i), ls_int (repeats)) : AX (i));
  return ls_te_compute ("T_repeat", LS_TAG_BROADCAST, NULL, axes, ls_te_load (x, ls_array_take_ptr_array (indices)), error);
}
