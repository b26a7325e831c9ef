/* fx/tensors: the arrays of a model (engine/runtime/weights.h reads the file) as tensors of the IR. */
#include "engine/frontend/frontend-private.h"
#include "engine/runtime/weights.h"

LsTensor *
ls_fx_tensor_new (LsNDArray *array)
{
  g_autofree char *name = ls_dl_dtype_print (array->tensor.dtype);
  GPtrArray *shape = g_ptr_array_new ();
  LsDType dtype;

  for (int i = 0; i < array->tensor.ndim; i++)
    g_ptr_array_add (shape, ls_int_imm_new (LS_INT64, array->tensor.shape[i]));
  if (!ls_dtype_parse (name, &dtype))
    g_return_val_if_reached (NULL);
  return ls_tensor_new (dtype, ls_array_take_ptr_array (shape),
                        g_bytes_new ((const guint8 *) array->tensor.data + array->tensor.byte_offset, array->n_bytes));
}

GHashTable *
ls_fx_tensors_read (const char *path,
                    GError    **error)
{
  g_autoptr (GHashTable) arrays = ls_weights_read (path, error);
  g_autoptr (GHashTable) tensors = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
  GHashTableIter iter;
  gpointer name, array;

  if (arrays == NULL)
    return NULL;
  g_hash_table_iter_init (&iter, arrays);
  while (g_hash_table_iter_next (&iter, &name, &array))
    g_hash_table_insert (tensors, g_strdup (name), ls_fx_tensor_new (array));
  return g_steal_pointer (&tensors);
}
