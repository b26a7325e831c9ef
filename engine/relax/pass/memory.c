/* relax/pass/memory: sizes and tensors in storages. */
#include "engine/relax/pass/memory.h"

LsNode *
ls_relax_bytes_shape (LsShapeExpr *shape,
                      LsDType      dtype)
{
  LsExpr *bytes = ls_int_imm_new (LS_INT64, (gint64) MAX (ls_dtype_bytes (dtype), 1));

  for (guint i = 0; i < shape->values->n; i++)
    bytes = ls_mul (bytes, ls_ref (LS_EXPR (shape->values->items[i])));
  return ls_shape_expr_new (ls_array_of (bytes, NULL));
}

LsNode *
ls_relax_alloc_tensor_new (LsRelaxVar *storage,
                           LsNode     *shape,
                           LsNode     *dtype)
{
  return ls_relax_call_new (ls_relax_op_new ("relax.memory.alloc_tensor"),
                            ls_array_of (ls_ref (storage), ls_prim_value_new (ls_int_imm_new (LS_INT64, 0)), ls_node_ref (shape), ls_node_ref (dtype), NULL),
                            NULL, NULL, NULL);
}
