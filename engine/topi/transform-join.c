/* transform-join: several tensors into one and one into several. */
#include "engine/topi/topi-private.h"

#include <string.h>

static gboolean
check_joined (const char *op,
              LsArray    *xs,
              gint64      skip,
              GError    **error)
{
  LsTeTensor *first;

  if (xs == NULL || xs->n == 0)
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.%s needs at least one tensor", op);
  first = ls_array_at (xs, 0, LsTeTensor);
  for (guint i = 1; i < xs->n; i++)
    {
      LsTeTensor *x = ls_array_at (xs, i, LsTeTensor);

      if (x->shape->n != first->shape->n)
        return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.%s: tensor %u has %u dimensions, the first %u", op, i, x->shape->n, first->shape->n);
      if (!ls_dtype_equal (x->dtype, first->dtype))
        return ls_topi_fail (error, LS_TE_ERROR_DTYPE, "topi.%s: tensor %u is %s, the first %s", op, i, ls_dtype_name (x->dtype), ls_dtype_name (first->dtype));
      for (guint d = 0; d < x->shape->n; d++)
        if (d != skip && ls_is (DIM (x, d), INT_IMM) && ls_is (DIM (first, d), INT_IMM) && ((LsIntImm *) DIM (x, d))->value != ((LsIntImm *) DIM (first, d))->value)
          return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.%s: tensor %u differs from the first in dimension %u", op, i, d);
    }
  return TRUE;
}

static LsExpr *
load_with (LsTeTensor *x,
           LsArray    *axes,
           guint       at,
           LsExpr     *index)
{
  GPtrArray *indices = g_ptr_array_new ();

  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (indices, i == at ? index : AX (i));
  return ls_te_load (x, ls_array_take_ptr_array (indices));
}

LsTeTensor *
ls_topi_concatenate (LsArray *xs,
                     gint64   axis,
                     GError **error)
{
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsExpr) extent = NULL;
  g_autoptr (LsExpr) index = NULL;
  LsTeTensor *first;
  LsArray *axes;
  LsExpr *value;
  guint at;

  if (xs == NULL || xs->n == 0)
    {
      check_joined ("concatenate", xs, -1, error);
      return NULL;
    }
  first = ls_array_at (xs, 0, LsTeTensor);
  if (!ls_topi_axis ("topi.concatenate", axis, first->shape->n, &at, error) || !check_joined ("concatenate", xs, at, error))
    return NULL;
  extent = ls_ref (DIM (first, at));
  for (guint i = 1; i < xs->n; i++)
    extent = ls_add (extent, ls_ref (DIM (ls_array_at (xs, i, LsTeTensor), at)));
  ls_take (&extent, ls_topi_simplify (ls_ref (extent)));
  shape = ls_array_with (first->shape, at, extent);
  axes = ls_te_axes (shape, "ax*");
  value = ls_te_load (first, ls_te_axis_vars (axes));
  index = AX (at);
  for (guint i = 1; i < xs->n; i++)
    {
      index = ls_sub (index, ls_ref (DIM (ls_array_at (xs, i - 1, LsTeTensor), at)));
      value = ls_if_then_else (ls_ge (ls_ref (index), ls_int (0)), load_with (ls_array_at (xs, i, LsTeTensor), axes, at, ls_ref (index)), value);
    }
  return ls_te_compute ("T_concat", LS_TAG_INJECTIVE, NULL, axes, value, error);
}

static LsExpr *
load_without (LsTeTensor *x,
              LsArray    *axes,
              guint       at)
{
  GPtrArray *indices = g_ptr_array_new ();

  for (guint i = 0; i < axes->n; i++)
    if (i != at)
      g_ptr_array_add (indices, AX (i));
  return ls_te_load (x, ls_array_take_ptr_array (indices));
}

LsTeTensor *
ls_topi_stack (LsArray *xs,
               gint64   axis,
               GError **error)
{
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsExpr) count = NULL;
  LsArray *axes;
  LsExpr *value;
  guint at;

  if (!check_joined ("stack", xs, -1, error) || !ls_topi_axis ("topi.stack", axis, ls_array_at (xs, 0, LsTeTensor)->shape->n + 1, &at, error))
    return NULL;
  count = ls_int (xs->n);
  shape = ls_array_insert (ls_array_at (xs, 0, LsTeTensor)->shape, at, count);
  axes = ls_te_axes (shape, "ax*");
  value = load_without (ls_array_at (xs, 0, LsTeTensor), axes, at);
  for (guint i = 1; i < xs->n; i++)
    value = ls_if_then_else (ls_eq (AX (at), ls_int (i)), load_without (ls_array_at (xs, i, LsTeTensor), axes, at), value);
  return ls_te_compute ("T_stack", LS_TAG_INJECTIVE, NULL, axes, value, error);
}

/* ---- splitting -------------------------------------------------------------- */

/* Parts that begin at 0 and at `begins` (of Expr). */
static LsArray *
split (const char *stage,
       LsTeTensor *x,
       LsArray    *begins,
       guint       at,
       GError    **error)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i <= begins->n; i++)
    {
      g_autoptr (LsExpr) begin = i == 0 ? ls_int_imm_new (ls_dtype (DIM (x, at)), 0) : REF (begins->items[i - 1]);
      g_autoptr (LsExpr) extent = ls_topi_simplify (ls_sub (i < begins->n ? REF (begins->items[i]) : ls_ref (DIM (x, at)), ls_ref (begin)));
      g_autoptr (LsArray) shape = ls_array_with (x->shape, at, extent);
      LsArray *axes = ls_te_axes (shape, "ax*");
      LsTeTensor *part = NULL;

      if (ls_is (extent, INT_IMM) && ((LsIntImm *) extent)->value < 0)
        ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.split: the indices must ascend and lie inside of the axis");
      else
        part = ls_te_compute (stage, LS_TAG_INJECTIVE, NULL, ls_ref (axes), load_with (x, axes, at, ls_add (AX (at), ls_ref (begin))), error);
      ls_unref (axes);
      if (part == NULL)
        {
          g_ptr_array_unref (parts);
          return NULL;
        }
      g_ptr_array_add (parts, part);
    }
  g_ptr_array_set_free_func (parts, NULL);
  return ls_array_take_ptr_array (parts);
}

LsArray *
ls_topi_split_indices (LsTeTensor *x,
                       LsArray    *indices,
                       gint64      axis,
                       GError    **error)
{
  guint at;

  if (x == NULL || !ls_topi_axis ("topi.split", axis, x->shape->n, &at, error))
    return NULL;
  return split ("T_split", x, indices, at, error);
}

LsArray *
ls_topi_split_sections (LsTeTensor *x,
                        gint64      sections,
                        gint64      axis,
                        GError    **error)
{
  g_autoptr (LsExpr) segment = NULL;
  g_autoptr (LsArray) begins = NULL;
  GPtrArray *list;
  guint at;

  if (x == NULL || !ls_topi_axis ("topi.split", axis, x->shape->n, &at, error))
    return NULL;
  if (sections < 1)
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.split: the number of sections must be positive");
      return NULL;
    }
  segment = ls_topi_simplify (ls_floordiv (ls_sub (ls_add (ls_ref (DIM (x, at)), ls_int (sections)), ls_int (1)), ls_int (sections)));
  list = g_ptr_array_new ();
  for (gint64 i = 1; i < sections; i++)
    g_ptr_array_add (list, ls_topi_simplify (ls_mul (ls_ref (segment), ls_int (i))));
  begins = ls_array_take_ptr_array (list);
  return split ("T_split_sections", x, begins, at, error);
}

LsArray *
ls_topi_meshgrid (LsArray    *xs,
                  const char *indexing,
                  GError    **error)
{
  gboolean swap = g_str_equal (indexing, "xy") && xs->n >= 2;
  GPtrArray *extents, *outputs;
  g_autoptr (LsArray) shape = NULL;

  if (!g_str_equal (indexing, "xy") && !g_str_equal (indexing, "ij"))
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.meshgrid: indexing is \"xy\" or \"ij\", not \"%s\"", indexing);
      return NULL;
    }
  extents = g_ptr_array_new ();
  for (guint i = 0; i < xs->n; i++)
    {
      LsTeTensor *x = ls_array_at (xs, swap && i < 2 ? 1 - i : i, LsTeTensor);

      g_ptr_array_add (extents, x->shape->n == 0 ? ls_int (1) : ls_ref (DIM (x, 0)));
    }
  shape = ls_array_take_ptr_array (extents);
  outputs = g_ptr_array_new ();
  for (guint i = 0; i < xs->n; i++)
    {
      LsTeTensor *x = ls_array_at (xs, i, LsTeTensor);
      LsArray *axes = ls_te_axes (shape, "ax*");
      LsExpr *value = x->shape->n == 0 ? AT (x) : AT (x, AX (swap && i < 2 ? 1 - i : i));

      g_ptr_array_add (outputs, ls_te_compute ("T_meshgrid", LS_TAG_INJECTIVE, NULL, axes, value, error));
    }
  return ls_array_take_ptr_array (outputs);
}
