/* programs: see the header. */
#include "tests/support/programs.h"

#include <stdarg.h>

LsBuffer *
ls_test_buffer (const char *name,
                LsDType     dtype,
                int         ndim,
                ...)
{
  GPtrArray *shape = g_ptr_array_new ();
  va_list args;

  va_start (args, ndim);
  for (int i = 0; i < ndim; i++)
    g_ptr_array_add (shape, ls_int (va_arg (args, int)));
  va_end (args);
  return ls_buffer_new (name, dtype, ls_array_take_ptr_array (shape), "global");
}

LsExpr *
ls_test_load (LsBuffer *buffer,
              LsArray  *indices)
{
  return ls_buffer_load_new (ls_ref (buffer), indices, NULL);
}

LsStmt *
ls_test_store (LsBuffer *buffer,
               LsExpr   *value,
               LsArray  *indices)
{
  return ls_buffer_store_new (ls_ref (buffer), value, indices, NULL);
}

LsStmt *
ls_test_for (LsVar    *var,
             gint64    extent,
             LsForKind kind,
             LsStmt   *body)
{
  return LS_STMT (ls_for_new (ls_ref (var), ls_const_int (ls_dtype (var), 0), ls_const_int (ls_dtype (var), extent), kind, body, NULL, NULL));
}

LsVar *
ls_test_var (const char *name)
{
  return ls_var_new (name, LS_INT32);
}

LsPrimFunc *
ls_test_func (LsStmt   *body,
              LsBuffer *first,
              ...)
{
  GPtrArray *params = g_ptr_array_new ();
  GPtrArray *buffers = g_ptr_array_new ();
  const char *keys[] = { "tir.noalias" };
  LsExpr *values[] = { ls_bool (TRUE) };
  va_list args;

  va_start (args, first);
  for (LsBuffer *buffer = first; buffer != NULL; buffer = va_arg (args, LsBuffer *))
    {
      g_autofree char *name = g_strconcat (buffer->name, "_handle", NULL);

      g_ptr_array_add (params, ls_var_new (name, LS_HANDLE));
      g_ptr_array_add (buffers, ls_ref (buffer));
    }
  va_end (args);
  return ls_prim_func_new (ls_array_take_ptr_array (params), body, NULL, ls_array_take_ptr_array (buffers), ls_map_new (keys, values, 1));
}

LsModule *
ls_test_module (const char *name,
                LsPrimFunc *func)
{
  return ls_module_new (ls_array_of (ls_global_var_new (name), NULL), ls_array_of (func, NULL), NULL, NULL);
}

/* ---- C = relu (A @ B) ------------------------------------------------------------- */

static LsIterVar *
iter (LsVar     *var,
      gint64     extent,
      LsIterType type)
{
  return ls_iter_var_new (ls_range_new (ls_int (0), ls_int (extent)), ls_ref (var), type, "");
}

#define AT(...) LS_TEST_IDX (__VA_ARGS__)

static LsStmt *
product_nest (gint64    n,
              LsBuffer *a,
              LsBuffer *b,
              LsBuffer *y)
{
  g_autoptr (LsVar) i = ls_test_var ("i");
  g_autoptr (LsVar) j = ls_test_var ("j");
  g_autoptr (LsVar) k = ls_test_var ("k");
  g_autoptr (LsVar) vi = ls_test_var ("vi");
  g_autoptr (LsVar) vj = ls_test_var ("vj");
  g_autoptr (LsVar) vk = ls_test_var ("vk");
  LsExpr *sum = ls_add (ls_test_load (y, AT (ls_ref (vi), ls_ref (vj))),
                        ls_mul (ls_test_load (a, AT (ls_ref (vi), ls_ref (vk))), ls_test_load (b, AT (ls_ref (vk), ls_ref (vj)))));
  LsStmt *init = ls_test_store (y, ls_const_float (LS_FLOAT32, 0), AT (ls_ref (vi), ls_ref (vj)));
  LsBlock *block = ls_block_new (ls_array_of (iter (vi, n, LS_ITER_DATA_PAR), iter (vj, n, LS_ITER_DATA_PAR), iter (vk, n, LS_ITER_COMM_REDUCE), NULL),
                                 ls_array_of (ls_buffer_region_point (ls_ref (a), AT (ls_ref (vi), ls_ref (vk))),
                                              ls_buffer_region_point (ls_ref (b), AT (ls_ref (vk), ls_ref (vj))), NULL),
                                 ls_array_of (ls_buffer_region_point (ls_ref (y), AT (ls_ref (vi), ls_ref (vj))), NULL), "Y",
                                 ls_test_store (y, sum, AT (ls_ref (vi), ls_ref (vj))), init, NULL, NULL, NULL);
  LsStmt *realize = LS_STMT (ls_block_realize_new (AT (ls_ref (i), ls_ref (j), ls_ref (k)), ls_bool (TRUE), block));

  return ls_test_for (i, n, LS_FOR_SERIAL, ls_test_for (j, n, LS_FOR_SERIAL, ls_test_for (k, n, LS_FOR_SERIAL, realize)));
}

static LsStmt *
relu_nest (gint64    n,
           LsBuffer *y,
           LsBuffer *c)
{
  g_autoptr (LsVar) i = ls_test_var ("i");
  g_autoptr (LsVar) j = ls_test_var ("j");
  g_autoptr (LsVar) vi = ls_test_var ("vi");
  g_autoptr (LsVar) vj = ls_test_var ("vj");
  LsExpr *value = ls_max (ls_test_load (y, AT (ls_ref (vi), ls_ref (vj))), ls_const_float (LS_FLOAT32, 0));
  LsBlock *block = ls_block_new (ls_array_of (iter (vi, n, LS_ITER_DATA_PAR), iter (vj, n, LS_ITER_DATA_PAR), NULL),
                                 ls_array_of (ls_buffer_region_point (ls_ref (y), AT (ls_ref (vi), ls_ref (vj))), NULL),
                                 ls_array_of (ls_buffer_region_point (ls_ref (c), AT (ls_ref (vi), ls_ref (vj))), NULL), "C",
                                 ls_test_store (c, value, AT (ls_ref (vi), ls_ref (vj))), NULL, NULL, NULL, NULL);
  LsStmt *realize = LS_STMT (ls_block_realize_new (AT (ls_ref (i), ls_ref (j)), ls_bool (TRUE), block));

  return ls_test_for (i, n, LS_FOR_SERIAL, ls_test_for (j, n, LS_FOR_SERIAL, realize));
}

LsModule *
ls_test_mm_relu (gint64 n)
{
  g_autoptr (LsBuffer) a = ls_test_buffer ("A", LS_FLOAT32, 2, (int) n, (int) n);
  g_autoptr (LsBuffer) b = ls_test_buffer ("B", LS_FLOAT32, 2, (int) n, (int) n);
  g_autoptr (LsBuffer) c = ls_test_buffer ("C", LS_FLOAT32, 2, (int) n, (int) n);
  g_autoptr (LsBuffer) y = ls_test_buffer ("Y", LS_FLOAT32, 2, (int) n, (int) n);
  LsStmt *body = ls_seq (ls_array_of (product_nest (n, a, b, y), relu_nest (n, y, c), NULL));
  LsBlock *root = ls_block_new (NULL, NULL, NULL, "root", body, NULL, ls_array_of (ls_ref (y), NULL), NULL, NULL);

  return ls_test_module ("mm_relu", ls_test_func (LS_STMT (ls_block_realize_new (ls_array_empty (), ls_bool (TRUE), root)), a, b, c, NULL));
}

/* ---- running -------------------------------------------------------------------------- */

static LsDLDataType
dl_type (LsDType t)
{
  if (ls_dtype_is_bool (t))
    return LS_DT_BOOL;
  return (LsDLDataType) { t.code == LS_TYPE_BFLOAT ? LS_DL_BFLOAT : t.code, t.bits, t.lanes };
}

GPtrArray *
ls_test_arrays (LsPrimFunc *func,
                guint64     seed)
{
  GPtrArray *arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_ndarray_unref);

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      gint64 shape[LS_NDARRAY_MAX_NDIM] = { 0 };
      g_autoptr (GError) error = NULL;
      LsNDArray *array;

      for (guint k = 0; k < buffer->shape->n; k++)
        g_assert_true (ls_as_int (buffer->shape->items[k], &shape[k]));
      array = ls_ndarray_new ((int) buffer->shape->n, shape, dl_type (buffer->dtype), &error);
      g_assert_no_error (error);
      ls_tensor_fill_random (&array->tensor, seed + i);
      g_ptr_array_add (arrays, array);
    }
  return arrays;
}

gboolean
ls_test_interpret (LsModule   *module,
                   LsPrimFunc *func,
                   GPtrArray  *arrays,
                   GError    **error)
{
  g_autofree LsInterpArg *args = g_new0 (LsInterpArg, arrays->len + 1);
  LsInterpOptions options = { module, NULL, NULL, NULL, NULL };

  for (guint i = 0; i < arrays->len; i++)
    {
      LsNDArray *array = arrays->pdata[i];
      LsDType dtype = ls_prim_func_get_buffer (func, i)->dtype;

      args[i] = (LsInterpArg) { dtype, TRUE, array->tensor.data, (guint) array->tensor.ndim, array->tensor.shape, array->tensor.strides, 0, 0 };
    }
  return ls_interp_run (func, args, arrays->len, &options, error);
}
