/* reduce: sums and the like over axes, and where the largest is (topi.reduction). */
#include "engine/topi/topi-private.h"

#include <string.h>

static gboolean
is_reduced (GArray *axes,
            guint   i)
{
  for (guint k = 0; k < axes->len; k++)
    if (g_array_index (axes, guint, k) == i)
      return TRUE;
  return FALSE;
}

static LsArray *
reduced_shape (LsTeTensor *x,
               GArray     *reduced,
               gboolean    keepdims)
{
  GPtrArray *shape = g_ptr_array_new ();

  for (guint i = 0; i < x->shape->n; i++)
    if (!is_reduced (reduced, i))
      g_ptr_array_add (shape, ls_ref (DIM (x, i)));
    else if (keepdims)
      g_ptr_array_add (shape, ls_int (1));
  return ls_array_take_ptr_array (shape);
}

static LsArray *
reduce_axes (LsTeTensor *x,
             GArray     *reduced)
{
  GPtrArray *axes = g_ptr_array_new ();

  for (guint k = 0; k < reduced->len; k++)
    {
      guint i = g_array_index (reduced, guint, k);
      g_autofree char *name = g_strdup_printf ("k%u", i);

      g_ptr_array_add (axes, ls_te_reduce_range (name, DIM (x, i)));
    }
  return ls_array_take_ptr_array (axes);
}

/* The element of x for the axes of the result and the reduce axes; `squeezed` (or NULL): dimensions of x that the result
 * does not have although keepdims is set. */
static LsArray *
reduced_indices (LsTeTensor *x,
                 GArray     *reduced,
                 gboolean    keepdims,
                 guint       leading,
                 LsArray    *axes,
                 LsArray    *reduce)
{
  GPtrArray *indices = g_ptr_array_new ();
  guint next = 0, k = 0;

  for (guint i = 0; i < x->shape->n; i++)
    {
      if (is_reduced (reduced, i))
        {
          g_ptr_array_add (indices, ls_te_iter (ls_array_at (reduce, k++, LsIterVar)));
          next += keepdims && i >= leading ? 1 : 0;
        }
      else
        g_ptr_array_add (indices, AX (next++));
    }
  return ls_array_take_ptr_array (indices);
}

static LsExpr *
reduce_by (const char *name,
           LsExpr     *source,
           LsArray    *axes)
{
  if (g_str_equal (name, "prod"))
    return ls_te_prod (source, axes);
  if (g_str_equal (name, "max"))
    return ls_te_max (source, axes);
  if (g_str_equal (name, "min"))
    return ls_te_min (source, axes);
  if (g_str_equal (name, "all"))
    return ls_te_all (source, axes);
  if (g_str_equal (name, "any") || ls_dtype_is_bool (ls_dtype (source)))
    return ls_te_any (source, axes);
  return ls_te_sum (source, axes);
}

LsTeTensor *
ls_topi_reduce (const char *name,
                LsTeTensor *x,
                LsArray    *axis,
                gboolean    keepdims,
                GError    **error)
{
  g_autoptr (GArray) reduced = NULL;
  g_autoptr (LsArray) shape = NULL;
  g_autofree char *stage = NULL;
  LsArray *axes, *reduce;

  if (x == NULL)
    return NULL;
  if ((g_str_equal (name, "all") || g_str_equal (name, "any")) && !ls_dtype_is_bool (x->dtype))
    {
      ls_topi_fail (error, LS_TE_ERROR_DTYPE, "topi.%s needs booleans, but the tensor is %s", name, ls_dtype_name (x->dtype));
      return NULL;
    }
  if (x->shape->n == 0)
    return ls_topi_unary ("identity", x, error);
  reduced = ls_topi_axes (name, axis, x->shape->n, error);
  if (reduced == NULL)
    return NULL;
  stage = g_strconcat (x->op->name, "_red", NULL);
  shape = reduced_shape (x, reduced, keepdims);
  axes = ls_te_axes (shape, "ax*");
  reduce = reduce_axes (x, reduced);
  return ls_te_compute (stage, LS_TAG_COMM_REDUCE, NULL, axes,
                        reduce_by (name, ls_te_load (x, reduced_indices (x, reduced, keepdims, 0, axes, reduce)), reduce), error);
}

LsTeTensor *
ls_topi_collapse_sum (LsTeTensor *x,
                      LsArray    *shape,
                      GError    **error)
{
  g_autoptr (GArray) reduced = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree char *stage = NULL;
  LsArray *axes, *reduce;
  guint leading;

  if (x == NULL)
    return NULL;
  if (shape->n > x->shape->n)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.collapse_sum: a tensor of %u dimensions cannot become one of %u", x->shape->n, shape->n);
      return NULL;
    }
  leading = x->shape->n - shape->n;
  for (guint i = 0; i < x->shape->n; i++)
    {
      gboolean same = i >= leading && ls_topi_same (DIM (x, i), shape->items[i - leading]);

      if (i >= leading && !same && !ls_is_one (shape->items[i - leading]))
        {
          ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.collapse_sum: dimension %u can only become 1 or stay", i);
          return NULL;
        }
      if (i < leading || !same)
        g_array_append_val (reduced, i);
    }
  if (reduced->len == 0)
    return ls_topi_unary ("identity", x, error);
  stage = g_strconcat (x->op->name, "_red", NULL);
  axes = ls_te_axes (shape, "ax*");
  reduce = reduce_axes (x, reduced);
  return ls_te_compute (stage, LS_TAG_COMM_REDUCE, NULL, axes,
                        ls_te_sum (ls_te_load (x, reduced_indices (x, reduced, TRUE, leading, axes, reduce)), reduce), error);
}

/* ---- argmax and argmin ------------------------------------------------------ */

static LsCommReducer *
arg_reducer (gboolean is_max,
             gboolean last,
             LsDType  index_dtype,
             LsDType  dtype)
{
  g_autoptr (LsVar) li = ls_var_new ("lhs_idx", index_dtype), lv = ls_var_new ("lhs_val", dtype);
  g_autoptr (LsVar) ri = ls_var_new ("rhs_idx", index_dtype), rv = ls_var_new ("rhs_val", dtype);
  LsExpr *better = ls_binary_new (is_max ? LS_KIND_GT : LS_KIND_LT, REF (lv), REF (rv));
  LsExpr *first = ls_binary_new (last ? LS_KIND_GT : LS_KIND_LT, REF (li), REF (ri));
  LsExpr *keep = ls_binary_new (LS_KIND_OR, REF (better), ls_binary_new (LS_KIND_AND, ls_binary_new (LS_KIND_EQ, REF (lv), REF (rv)), first));
  LsArray *result = ls_array_of (ls_select_new (keep, REF (li), REF (ri)), ls_select_new (better, REF (lv), REF (rv)), NULL);
  LsArray *identity = ls_array_of (ls_const_int (index_dtype, -1), is_max ? ls_te_min_value (dtype) : ls_te_max_value (dtype), NULL);

  return ls_comm_reducer_new (ls_array_of (REF (li), REF (lv), NULL), ls_array_of (REF (ri), REF (rv), NULL), result, identity);
}

/* The reduced position as one number, int64 where int32 does not count as far. */
static LsExpr *
arg_index (LsTeTensor *x,
           GArray     *reduced,
           LsArray    *reduce)
{
  LsExpr *index = NULL;
  GPtrArray *extents = g_ptr_array_new ();
  g_autoptr (LsArray) shape = NULL;

  for (guint k = 0; k < reduced->len; k++)
    g_ptr_array_add (extents, ls_ref (DIM (x, g_array_index (reduced, guint, k))));
  shape = ls_array_take_ptr_array (extents);
  for (guint k = 0; k < reduced->len; k++)
    {
      LsExpr *one = ls_topi_widen (ls_te_iter (ls_array_at (reduce, k, LsIterVar)), ls_topi_is_large (shape));

      index = index == NULL ? one : ls_add (ls_mul (index, ls_ref (DIM (x, g_array_index (reduced, guint, k)))), one);
    }
  return index;
}

LsTeTensor *
ls_topi_arg_reduce (const char *name,
                    LsTeTensor *x,
                    LsArray    *axis,
                    gboolean    keepdims,
                    gboolean    select_last_index,
                    GError    **error)
{
  g_autoptr (GArray) reduced = NULL;
  g_autoptr (LsArray) shape = NULL;
  g_autoptr (LsArray) pair = NULL;
  g_autofree char *temp = NULL;
  g_autofree char *stage = NULL;
  LsArray *axes, *reduce, *source, *outputs;
  LsExpr *index;

  if (x == NULL)
    return NULL;
  reduced = ls_topi_axes (name, axis, x->shape->n, error);
  if (reduced == NULL)
    return NULL;
  if (reduced->len == 0)
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.%s: a tensor without dimensions has nothing to choose from", name);
      return NULL;
    }
  temp = g_strconcat (x->op->name, "_red_temp", NULL);
  stage = g_strconcat (x->op->name, "_red", NULL);
  shape = reduced_shape (x, reduced, keepdims);
  axes = ls_te_axes (shape, "ax*");
  reduce = reduce_axes (x, reduced);
  index = arg_index (x, reduced, reduce);
  source = ls_array_of (index, ls_te_load (x, reduced_indices (x, reduced, keepdims, 0, axes, reduce)), NULL);
  outputs = ls_te_reduce (arg_reducer (g_str_equal (name, "argmax"), select_last_index, ls_dtype (index), x->dtype), source, reduce, NULL, NULL, error);
  pair = ls_te_compute_many (temp, LS_TAG_COMM_REDUCE_IDX, NULL, axes, outputs, error);
  if (pair == NULL)
    return NULL;
  axes = ls_te_axes (shape, "ax*");
  return ls_te_compute (stage, LS_TAG_COMM_REDUCE_IDX, NULL, axes, ls_te_load (ls_array_at (pair, 0, LsTeTensor), ls_te_axis_vars (axes)), error);
}
