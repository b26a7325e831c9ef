/* support: axes, indices and lists that all operators need. */
#include "engine/topi/topi-private.h"

#include <inttypes.h>

LsExpr *
ls_topi_simplify (LsExpr *expr)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  g_autoptr (LsExpr) taken = expr;

  return ls_analyzer_simplify (analyzer, taken);
}

gboolean
ls_topi_same (gpointer a,
              gpointer b)
{
  g_autoptr (LsExpr) difference = NULL;

  if (a == b || ls_deep_equal (a, b))
    return TRUE;
  difference = ls_topi_simplify (ls_sub (REF (a), REF (b)));
  return ls_is_zero (difference);
}

gboolean
ls_topi_fail (GError   **error,
              LsTeError  code,
              const char *format,
              ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (ls_translate (format), args);
  va_end (args);
  g_set_error_literal (error, LS_TE_ERROR, code, text);
  return FALSE;
}

gboolean
ls_topi_int (gpointer    expr,
             const char *what,
             gint64     *out,
             GError    **error)
{
  return ls_as_int (expr, out) || ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "%s must be a constant integer", ls_translate (what));
}

gboolean
ls_topi_axis (const char *op,
              gint64      axis,
              guint       ndim,
              guint      *out,
              GError    **error)
{
  if (axis < -(gint64) ndim || axis >= (gint64) ndim)
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "%s: axis %" PRId64 " is outside of the tensor, which has %u dimensions", op, axis, ndim);
  *out = (guint) (axis < 0 ? axis + ndim : axis);
  return TRUE;
}

static int
by_number (gconstpointer a,
           gconstpointer b)
{
  return (int) *(const guint *) a - (int) *(const guint *) b;
}

GArray *
ls_topi_axes (const char *op,
              LsArray    *axis,
              guint       ndim,
              GError    **error)
{
  g_autoptr (GArray) axes = g_array_new (FALSE, FALSE, sizeof (guint));

  if (axis == NULL || axis->n == 0)
    {
      for (guint i = 0; i < ndim; i++)
        g_array_append_val (axes, i);
      return g_steal_pointer (&axes);
    }
  for (guint i = 0; i < axis->n; i++)
    {
      gint64 value;
      guint one;

      if (!ls_topi_int (axis->items[i], LS_TEXT ("an axis"), &value, error) || !ls_topi_axis (op, value, ndim, &one, error))
        return NULL;
      g_array_append_val (axes, one);
    }
  g_array_sort (axes, by_number);
  for (guint i = axes->len; i-- > 1;)
    if (g_array_index (axes, guint, i) == g_array_index (axes, guint, i - 1))
      g_array_remove_index (axes, i);
  return g_steal_pointer (&axes);
}

LsExpr *
ls_topi_ravel (LsArray *indices,
               LsArray *shape)
{
  g_autoptr (LsArray) taken = indices;
  LsExpr *index = NULL;

  for (guint i = 0; i < indices->n; i++)
    {
      LsExpr *one = REF (indices->items[i]);

      index = index == NULL ? one : ls_add (ls_mul (index, REF (shape->items[i])), one);
    }
  return index != NULL ? index : ls_int (0);
}

LsArray *
ls_topi_unravel (LsExpr  *index,
                 LsArray *shape)
{
  LsNode **items = g_new0 (LsNode *, shape->n + 1);
  LsArray *result;

  for (guint i = shape->n; i-- > 0;)
    {
      items[i] = LS_NODE (ls_floormod (REF (index), REF (shape->items[i])));
      index = ls_floordiv (index, REF (shape->items[i]));
    }
  ls_unref (index);
  result = ls_array_new (items, shape->n);
  g_free (items);
  return result;
}

LsArray *
ls_topi_broadcast_indices (LsArray *shape,
                           LsArray *axes)
{
  GPtrArray *indices = g_ptr_array_new ();
  guint shift = axes->n - shape->n;

  for (guint i = 0; i < shape->n; i++)
    {
      LsExpr *extent = ls_array_at (axes, i + shift, LsIterVar)->dom->extent;

      if (ls_is_one (shape->items[i]) && !ls_is_one (extent))
        g_ptr_array_add (indices, ls_int (0));
      else
        g_ptr_array_add (indices, AX (i + shift));
    }
  return ls_array_take_ptr_array (indices);
}

gboolean
ls_topi_is_large (LsArray *shape)
{
  gint64 n = 1, extent;

  for (guint i = 0; i < shape->n; i++)
    if (!ls_as_int (shape->items[i], &extent) || __builtin_mul_overflow (n, extent, &n))
      return FALSE;
  return n > G_MAXINT32;
}

LsExpr *
ls_topi_widen (LsExpr  *expr,
               gboolean wide)
{
  return wide ? ls_cast (LS_INT64, expr) : expr;
}

LsExpr *
ls_topi_size (LsArray *shape)
{
  LsExpr *size = NULL;
  gint64 n = 1, extent;
  gboolean known = TRUE;

  for (guint i = 0; known && i < shape->n; i++)
    known = ls_as_int (shape->items[i], &extent) && !__builtin_mul_overflow (n, extent, &n);
  if (known && n > G_MAXINT32)
    return ls_const_int (LS_INT64, n);

  for (guint i = 0; i < shape->n; i++)
    size = size == NULL ? REF (shape->items[i]) : ls_mul (size, REF (shape->items[i]));
  return size != NULL ? size : ls_int (1);
}

gboolean
ls_topi_numbers (const char *what,
                 LsArray    *list,
                 guint       n,
                 gint64     *out,
                 GError    **error)
{
  if (list == NULL || (list->n != n && list->n != 1))
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "%s must be one number or %u, but %u are given", ls_translate (what), n, ls_array_n (list));
  for (guint i = 0; i < n; i++)
    if (!ls_topi_int (list->items[list->n == 1 ? 0 : i], what, &out[i], error))
      return FALSE;
  return TRUE;
}

LsArray *
ls_topi_list (gpointer first,
              ...)
{
  GPtrArray *items = g_ptr_array_new ();
  va_list args;

  va_start (args, first);
  for (gpointer item = first; item != NULL; item = va_arg (args, gpointer))
    g_ptr_array_add (items, item);
  va_end (args);
  return ls_array_take_ptr_array (items);
}

LsMap *
ls_topi_attr (const char *key,
              LsNode     *value)
{
  return ls_map_new (&key, &value, 1);
}
