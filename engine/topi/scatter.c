/* scatter: updates written to places that indices name (topi.scatter_elements, topi.scatter_nd), as statements over flat buffers. */
#include "engine/topi/flat.h"

#include <string.h>

/* The number of elements of the dimensions from..to; int64 where all of them are more than int32 counts. */
static LsExpr *
product (LsArray *shape,
         guint    from,
         guint    to)
{
  LsExpr *size = ls_topi_widen (ls_int (1), ls_topi_is_large (shape));

  for (guint i = from; i < to; i++)
    size = ls_mul (size, REF (shape->items[i]));
  return size;
}

/* for i in parallel (size): out[i] = x[i] */
static LsStmt *
copy_all (LsBuffer *out,
          LsBuffer *x,
          LsForKind kind)
{
  LsExpr *size = product (out->shape, 0, out->shape->n);
  LsVar *i = ls_var_new ("i", ls_dtype (size));
  LsStmt *store = ls_topi_flat_store (out, REF (i), ls_topi_flat_load (x, REF (i)));

  return ls_topi_loop (i, size, kind, store);
}

/* The new value at `index` (borrowed) of `out`. Takes update. */
static LsExpr *
combine (const char *reduction,
         LsBuffer   *out,
         LsExpr     *index,
         LsExpr     *update)
{
  if (g_str_equal (reduction, "update"))
    return update;
  if (g_str_equal (reduction, "add"))
    return ls_add (ls_topi_flat_load (out, REF (index)), update);
  if (g_str_equal (reduction, "mul"))
    return ls_mul (ls_topi_flat_load (out, REF (index)), update);
  if (g_str_equal (reduction, "mean"))
    return ls_te_div (ls_add (ls_topi_flat_load (out, REF (index)), update), ls_te_const (out->dtype, 2));
  if (g_str_equal (reduction, "min"))
    return ls_min (ls_topi_flat_load (out, REF (index)), update);
  return ls_max (ls_topi_flat_load (out, REF (index)), update);
}

static gboolean
check_reduction (const char *op,
                 const char *reduction,
                 GError    **error)
{
  static const char *const KNOWN[] = { "update", "add", "mul", "mean", "min", "max", NULL };

  return g_strv_contains (KNOWN, reduction)
         || ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.%s: the reduction is \"update\", \"add\", \"mul\", \"mean\", \"min\" or \"max\", not \"%s\"", op, reduction);
}

/* ---- scatter_elements -------------------------------------------------------- */

/* Where line `fused` begins in a buffer with `length` elements on the axis. */
static LsExpr *
line_base (LsVar  *fused,
           LsExpr *after,
           LsExpr *length)
{
  LsExpr *i = ls_floordiv (REF (fused), REF (after));
  LsExpr *j = ls_floormod (REF (fused), REF (after));

  return ls_add (ls_mul (i, ls_mul (REF (length), REF (after))), j);
}

/* Are there as many lines along the axis in both, of all kinds? */
static gboolean
same_lines (LsBuffer *a,
            LsBuffer *b,
            guint     at)
{
  for (guint i = 0; i < a->shape->n; i++)
    if (i != at && !ls_topi_same (a->shape->items[i], b->shape->items[i]))
      return FALSE;
  return TRUE;
}

/* Where the line of `out` begins that has the place of line `fused` of the indices, which may have fewer. */
static LsExpr *
line_of (LsBuffer *out,
         LsBuffer *indices,
         guint     at,
         LsVar    *fused)
{
  LsExpr *line = REF (fused), *base = NULL;
  guint first = at == 0 ? 1 : 0;

  for (guint i = out->shape->n; i-- > 0;)
    {
      LsExpr *own;

      if (i == at)
        continue;
      own = i == first ? ls_ref (line) : ls_floormod (ls_ref (line), REF (indices->shape->items[i]));
      own = ls_mul (own, product (out->shape, i + 1, out->shape->n));
      base = base == NULL ? own : ls_add (own, base);
      line = ls_floordiv (line, REF (indices->shape->items[i]));
    }
  ls_unref (line);
  return base != NULL ? base : ls_int (0);
}

static LsStmt *
scatter_lines (LsBuffer   *out,
               LsBuffer   *indices,
               LsBuffer   *updates,
               guint       at,
               const char *reduction)
{
  LsExpr *data_len = LS_EXPR (out->shape->items[at]);
  LsExpr *index_len = LS_EXPR (indices->shape->items[at]);
  g_autoptr (LsExpr) after = product (indices->shape, at + 1, indices->shape->n);
  g_autoptr (LsExpr) data_after = product (out->shape, at + 1, out->shape->n);
  LsExpr *lines = ls_mul (product (indices->shape, 0, at), ls_ref (after));
  LsVar *fused = ls_var_new ("fused", ls_dtype (lines));
  LsVar *k = ls_var_new ("k", ls_dtype (index_len));
  g_autoptr (LsExpr) from = ls_add (line_base (fused, after, index_len), ls_mul (REF (k), ls_ref (after)));
  g_autoptr (LsExpr) chosen = ls_topi_flat_load (indices, ls_ref (from));
  LsExpr *wrapped = ls_add (ls_ref (chosen), ls_mul (ls_cast (indices->dtype, ls_lt (ls_ref (chosen), ls_const_int (indices->dtype, 0))), REF (data_len)));
  LsExpr *line = same_lines (out, indices, at) ? line_base (fused, data_after, data_len) : line_of (out, indices, at, fused);
  g_autoptr (LsExpr) to = ls_add (line, ls_mul (wrapped, ls_ref (data_after)));
  LsStmt *store = ls_topi_flat_store (out, ls_ref (to), combine (reduction, out, to, ls_topi_flat_load (updates, ls_ref (from))));

  return ls_topi_loop (fused, lines, LS_FOR_PARALLEL, ls_topi_loop (k, REF (index_len), LS_FOR_SERIAL, store));
}

LsTeTensor *
ls_topi_scatter_elements (LsTeTensor *x,
                          LsTeTensor *indices,
                          LsTeTensor *updates,
                          gint64      axis,
                          const char *reduction,
                          GError    **error)
{
  g_autoptr (LsBuffer) a = NULL, b = NULL, c = NULL, out = NULL;
  g_autoptr (LsArray) outputs = NULL;
  LsStmt *body;
  guint at;

  if (x == NULL || indices == NULL || updates == NULL || !ls_topi_axis ("topi.scatter_elements", axis, x->shape->n, &at, error)
      || !check_reduction ("scatter_elements", reduction, error))
    return NULL;
  if (indices->shape->n != x->shape->n || updates->shape->n != x->shape->n || ls_dtype_is_float (indices->dtype) || !ls_dtype_equal (x->dtype, updates->dtype))
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.scatter_elements: indices (integers) and updates (%s) must have %u dimensions", ls_dtype_name (x->dtype), x->shape->n);
      return NULL;
    }
  a = ls_te_extern_buffer (x);
  b = ls_te_extern_buffer (indices);
  c = ls_te_extern_buffer (updates);
  out = ls_buffer_new ("out_buf", x->dtype, ls_ref (x->shape), "global");
  body = ls_seq (ls_array_of (copy_all (out, a, LS_FOR_PARALLEL), scatter_lines (out, b, c, at, reduction), NULL));
  outputs = ls_te_extern ("scatter_elements_generic", "scatter_elements_generic", NULL, ls_array_of (ls_ref (x), ls_ref (indices), ls_ref (updates), NULL),
                          ls_array_of (ls_ref (a), ls_ref (b), ls_ref (c), NULL), ls_array_of (ls_ref (out), NULL), body, error);
  return outputs != NULL ? ls_ref (ls_array_at (outputs, 0, LsTeTensor)) : NULL;
}

/* ---- scatter_nd ----------------------------------------------------------------- */

/* for j in (updates): for k in parallel (elements of each): out[k + size * index...] */
static LsStmt *
scatter_points (LsBuffer   *out,
                LsBuffer   *indices,
                LsBuffer   *updates,
                guint       m,
                const char *mode)
{
  LsExpr *n_updates = product (indices->shape, 1, indices->shape->n);
  LsExpr *n_elements = product (updates->shape, indices->shape->n - 1, updates->shape->n);
  LsVar *j = ls_var_new ("j", ls_dtype (n_updates));
  LsVar *k = ls_var_new ("k", ls_dtype (n_elements));
  g_autoptr (LsExpr) offset = ls_topi_widen (ls_ref (n_elements), ls_topi_is_large (out->shape));
  g_autoptr (LsExpr) index = REF (k);
  LsExpr *update = ls_topi_flat_load (updates, ls_add (ls_mul (REF (j), ls_ref (n_elements)), REF (k)));
  LsStmt *store;

  for (guint l = m; l-- > 0;)
    {
      LsExpr *place = ls_topi_flat_load (indices, ls_add (REF (j), ls_mul (ls_int (l), ls_ref (n_updates))));

      index = ls_add (index, ls_mul (ls_ref (offset), place));
      ls_take (&offset, ls_mul (ls_ref (offset), REF (out->shape->items[l])));
    }
  store = ls_topi_flat_store (out, ls_ref (index), combine (mode, out, index, update));
  return ls_topi_loop (j, n_updates, LS_FOR_SERIAL, ls_topi_loop (k, n_elements, LS_FOR_PARALLEL, store));
}

LsTeTensor *
ls_topi_scatter_nd (LsTeTensor *x,
                    LsTeTensor *indices,
                    LsTeTensor *updates,
                    const char *mode,
                    GError    **error)
{
  g_autoptr (LsBuffer) a = NULL, b = NULL, c = NULL, out = NULL;
  g_autoptr (LsArray) outputs = NULL;
  LsStmt *body;
  gint64 m;

  if (x == NULL || indices == NULL || updates == NULL || !check_reduction ("scatter_nd", mode, error))
    return NULL;
  if (indices->shape->n == 0 || !ls_as_int (DIM (indices, 0), &m) || m < 1 || m > x->shape->n || updates->shape->n != indices->shape->n - 1 + x->shape->n - m)
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.scatter_nd: the first extent of indices says how many dimensions are indexed; updates must have the other ones");
      return NULL;
    }
  a = ls_te_extern_buffer (x);
  b = ls_te_extern_buffer (indices);
  c = ls_te_extern_buffer (updates);
  out = ls_buffer_new ("out_buf", x->dtype, ls_ref (x->shape), "global");
  body = ls_seq (ls_array_of (copy_all (out, a, LS_FOR_SERIAL), scatter_points (out, b, c, (guint) m, mode), NULL));
  outputs = ls_te_extern ("scatter_nd_generic", "scatter_nd_generic", NULL, ls_array_of (ls_ref (x), ls_ref (indices), ls_ref (updates), NULL),
                          ls_array_of (ls_ref (a), ls_ref (b), ls_ref (c), NULL), ls_array_of (ls_ref (out), NULL), body, error);
  return outputs != NULL ? ls_ref (ls_array_at (outputs, 0, LsTeTensor)) : NULL;
}
