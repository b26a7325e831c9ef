/* reduce: reduce axes, the usual reducers, and reducers of one's own. */
#include "engine/te/te-private.h"

#include <math.h>

LsIterVar *
ls_te_reduce_axis (const char *name,
                   LsExpr     *min,
                   LsExpr     *extent)
{
  LsDType dtype = ls_dtype (extent).bits > ls_dtype (min).bits ? ls_dtype (extent) : ls_dtype (min);

  return ls_iter_var_new (ls_range_new (min, extent), ls_var_new (name != NULL ? name : "rv", dtype), LS_ITER_COMM_REDUCE, "");
}

LsIterVar *
ls_te_reduce_range (const char *name,
                    LsExpr     *extent)
{
  return ls_te_reduce_axis (name, ls_int (0), ls_ref (extent));
}

LsExpr *
ls_te_iter (LsIterVar *axis)
{
  return LS_EXPR (ls_node_ref (LS_NODE (axis->var)));
}

static LsExpr *
reduce_one (LsKind   kind,
            LsExpr  *identity,
            LsExpr  *source,
            LsArray *axes)
{
  LsVar *x, *y;
  LsExpr *result;
  LsCommReducer *reducer;

  if (axes->n == 0)
    {
      ls_unref (axes);
      ls_unref (identity);
      return source;
    }
  x = ls_var_new ("x", ls_dtype (source));
  y = ls_var_new ("y", ls_dtype (source));
  result = ls_binary_new (kind, LS_EXPR (ls_node_ref (LS_NODE (x))), LS_EXPR (ls_node_ref (LS_NODE (y))));
  reducer = ls_comm_reducer_new (ls_array_of (x, NULL), ls_array_of (y, NULL), ls_array_of (result, NULL), ls_array_of (identity, NULL));
  return ls_reduce_new (reducer, ls_array_of (source, NULL), axes, ls_bool (TRUE), 0, ls_array_empty ());
}

LsExpr *
ls_te_sum (LsExpr  *source,
           LsArray *axes)
{
  return reduce_one (LS_KIND_ADD, ls_te_const (ls_dtype (source), 0), source, axes);
}

LsExpr *
ls_te_prod (LsExpr  *source,
            LsArray *axes)
{
  return reduce_one (LS_KIND_MUL, ls_te_const (ls_dtype (source), 1), source, axes);
}

LsExpr *
ls_te_max (LsExpr  *source,
           LsArray *axes)
{
  return reduce_one (LS_KIND_MAX, ls_te_min_value (ls_dtype (source)), source, axes);
}

LsExpr *
ls_te_min (LsExpr  *source,
           LsArray *axes)
{
  return reduce_one (LS_KIND_MIN, ls_te_max_value (ls_dtype (source)), source, axes);
}

LsExpr *
ls_te_all (LsExpr  *source,
           LsArray *axes)
{
  return reduce_one (LS_KIND_AND, ls_bool (TRUE), source, axes);
}

LsExpr *
ls_te_any (LsExpr  *source,
           LsArray *axes)
{
  return reduce_one (LS_KIND_OR, ls_bool (FALSE), source, axes);
}

LsArray *
ls_te_reduce (LsCommReducer *reducer,
              LsArray       *sources,
              LsArray       *axes,
              LsExpr        *condition,
              LsArray       *init,
              GError       **error)
{
  GPtrArray *outputs;

  if (sources->n != reducer->result->n)
    {
      g_set_error (error, LS_TE_ERROR, LS_TE_ERROR_REDUCTION, ls_translate ("a reducer of %u values cannot take %u sources"), reducer->result->n, sources->n);
      ls_unref (reducer);
      ls_unref (sources);
      ls_unref (axes);
      ls_unref (condition);
      ls_unref (init);
      return NULL;
    }
  condition = condition != NULL ? condition : ls_bool (TRUE);
  init = init != NULL ? init : ls_array_empty ();
  outputs = g_ptr_array_new ();
  for (guint i = 0; i < sources->n; i++)
    g_ptr_array_add (outputs, ls_reduce_new (ls_ref (reducer), ls_ref (sources), ls_ref (axes), ls_ref (condition), i, ls_ref (init)));
  ls_unref (reducer);
  ls_unref (sources);
  ls_unref (axes);
  ls_unref (condition);
  ls_unref (init);
  return ls_array_take_ptr_array (outputs);
}

LsExpr *
ls_te_max_value (LsDType dtype)
{
  if (ls_dtype_is_float (dtype))
    return ls_const_float (dtype, ls_dtype_float_max (dtype));
  if (ls_dtype_is_uint (dtype) && dtype.bits == 64)
    return ls_const_int (dtype, -1);
  return ls_const_int (dtype, ls_dtype_int_max (dtype));
}

LsExpr *
ls_te_min_value (LsDType dtype)
{
  if (ls_dtype_is_float (dtype))
    return ls_const_float (dtype, -ls_dtype_float_max (dtype));
  return ls_const_int (dtype, ls_dtype_int_min (dtype));
}

LsExpr *
ls_te_const (LsDType dtype,
             double  value)
{
  if (ls_dtype_is_float (dtype))
    return ls_const_float (dtype, value);
  return ls_const_int (dtype, isfinite (value) && fabs (value) < 0x1p63 ? (gint64) value : 0);
}
