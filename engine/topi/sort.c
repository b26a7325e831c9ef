/* sort: sort, argsort and topk as calls of the run time's packed functions (topi.sort). */
#include "engine/topi/topi-private.h"

#include <string.h>

static LsBuffer *
aligned_buffer (const char *name,
                LsDType     dtype,
                LsArray    *shape)
{
  return ls_buffer_new_full (ls_var_new_typed (name, ls_pointer_type_new (ls_prim_type_new (dtype), "global")), dtype, ls_ref (shape),
                             ls_array_empty (), NULL, name, 8, 0, LS_BUFFER_DEFAULT, NULL);
}

/* A buffer as an argument of a packed call. */
static LsExpr *
pack_buffer (LsBuffer *buffer)
{
  LsExpr *shape = ls_call_op ("tir.tvm_stack_make_shape", LS_HANDLE, ls_ref (buffer->shape));

  return ls_call_op ("tir.tvm_stack_make_array", LS_HANDLE,
                     ls_array_of (REF (buffer->data), shape, ls_int (0), ls_int (ls_buffer_ndim (buffer)), ls_te_const (buffer->dtype, 0), ls_ref (buffer->elem_offset), NULL));
}

/* FUNC (buffers..., rest...) as a stage of its own.  Takes outs and rest (of Expr). */
static LsArray *
packed_stage (const char *name,
              const char *func,
              LsTeTensor *x,
              LsArray    *outs,
              LsArray    *rest,
              GError    **error)
{
  LsBuffer *in = aligned_buffer ("data_buf", x->dtype, x->shape);
  GPtrArray *args = g_ptr_array_new ();

  g_ptr_array_add (args, ls_string_imm_new (func));
  g_ptr_array_add (args, pack_buffer (in));
  for (guint i = 0; i < outs->n; i++)
    g_ptr_array_add (args, pack_buffer (ls_array_at (outs, i, LsBuffer)));
  for (guint i = 0; i < rest->n; i++)
    g_ptr_array_add (args, ls_node_ref (rest->items[i]));
  ls_unref (rest);
  return ls_te_extern (name, name, NULL, ls_array_of (ls_ref (x), NULL), ls_array_of (in, NULL), outs,
                       ls_evaluate_new (ls_call_op ("tir.tvm_call_packed", LS_INT32, ls_array_take_ptr_array (args))), error);
}

static LsTeTensor *
sort_stage (const char *name,
            const char *func,
            LsTeTensor *x,
            LsDType     dtype,
            gint64      axis,
            gboolean    is_ascend,
            GError    **error)
{
  g_autoptr (LsArray) outputs = NULL;
  guint at;

  if (x == NULL || !ls_topi_axis (func, axis, x->shape->n, &at, error))
    return NULL;
  outputs = packed_stage (name, func, x, ls_array_of (aligned_buffer ("out_buf", dtype, x->shape), NULL), ls_array_of (ls_int (axis), ls_bool (is_ascend), NULL), error);
  return outputs != NULL ? ls_ref (ls_array_at (outputs, 0, LsTeTensor)) : NULL;
}

LsTeTensor *
ls_topi_sort (LsTeTensor *x,
              gint64      axis,
              gboolean    is_ascend,
              GError    **error)
{
  return x != NULL ? sort_stage ("sort_cpu", "tvm.contrib.sort.sort", x, x->dtype, axis, is_ascend, error) : NULL;
}

LsTeTensor *
ls_topi_argsort (LsTeTensor *x,
                 gint64      axis,
                 gboolean    is_ascend,
                 LsDType     dtype,
                 GError    **error)
{
  return sort_stage ("argsort_cpu", "tvm.contrib.sort.argsort", x, dtype, axis, is_ascend, error);
}

LsArray *
ls_topi_topk (LsTeTensor *x,
              LsExpr     *k,
              gint64      axis,
              const char *ret_type,
              gboolean    is_ascend,
              LsDType     dtype,
              GError    **error)
{
  g_autoptr (LsArray) shape = NULL;
  gboolean both = g_str_equal (ret_type, "both");
  GPtrArray *outs;
  LsArray *rest;
  gint64 count;
  guint at;

  if (x == NULL || !ls_topi_axis ("topi.topk", axis, x->shape->n, &at, error))
    return NULL;
  if (!both && !g_str_equal (ret_type, "values") && !g_str_equal (ret_type, "indices"))
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.topk gives \"both\", \"values\" or \"indices\", not \"%s\"", ret_type);
      return NULL;
    }
  shape = ls_as_int (k, &count) && count < 1 ? ls_ref (x->shape) : ls_array_with (x->shape, at, k);
  outs = g_ptr_array_new ();
  if (both || g_str_equal (ret_type, "values"))
    g_ptr_array_add (outs, aligned_buffer ("value_buf", x->dtype, shape));
  if (both || g_str_equal (ret_type, "indices"))
    g_ptr_array_add (outs, aligned_buffer ("indices_buf", dtype, shape));
  rest = ls_array_of (REF (k), ls_int (axis), ls_string_imm_new (ret_type), ls_bool (is_ascend), NULL);
  return packed_stage ("topk_cpu", "tvm.contrib.sort.topk", x, ls_array_take_ptr_array (outs), rest, error);
}
