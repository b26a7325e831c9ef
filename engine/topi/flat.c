/* flat: see flat.h.  As TVM's IR builder addresses buffers of several dimensions by one index. */
#include "engine/topi/flat.h"

LsArray *
ls_topi_flat_indices (LsBuffer *buffer,
                      LsExpr   *index)
{
  guint n = ls_buffer_ndim (buffer);
  LsNode **items = g_new0 (LsNode *, n + 1);
  LsArray *result;

  for (guint i = n; i-- > 1;)
    {
      items[i] = LS_NODE (ls_floormod (REF (index), REF (buffer->shape->items[i])));
      index = ls_floordiv (index, REF (buffer->shape->items[i]));
    }
  if (n > 0)
    items[0] = LS_NODE (index);
  else
    ls_unref (index);
  result = ls_array_new (items, n);
  g_free (items);
  return result;
}

LsExpr *
ls_topi_flat_load (LsBuffer *buffer,
                   LsExpr   *index)
{
  return ls_buffer_load_new (ls_ref (buffer), ls_topi_flat_indices (buffer, index), NULL);
}

LsStmt *
ls_topi_flat_store (LsBuffer *buffer,
                    LsExpr   *index,
                    LsExpr   *value)
{
  return ls_buffer_store_new (ls_ref (buffer), ls_cast (buffer->dtype, value), ls_topi_flat_indices (buffer, index), NULL);
}

LsStmt *
ls_topi_loop (LsVar    *var,
              LsExpr   *extent,
              LsForKind kind,
              LsStmt   *body)
{
  return LS_STMT (ls_for_new (var, ls_const_int (ls_dtype (var), 0), extent, kind, body, NULL, NULL));
}
