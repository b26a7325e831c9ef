/* vm-match: what a struct info says about a value becomes a check that also finds the symbolic extents. */
#include "engine/codegen/vm-private.h"

static LsVMOperand
pattern_of (LsVMWriter *self,
            LsExpr     *extent,
            gboolean   *complete)
{
  gboolean plain = ls_is (extent, VAR) || ls_is (extent, SIZE_VAR);

  if (plain && !g_hash_table_contains (self->slots, extent))
    return (LsVMOperand) { LS_VM_BIND, ls_vm_writer_slot (self, (LsVar *) extent) };
  if (ls_vm_writer_knows (self, extent))
    return ls_vm_writer_extent (self, extent);
  *complete = FALSE;
  return (LsVMOperand) { LS_VM_ANY, 0 };
}

static void
put_match (LsVMWriter  *self,
           LsVMOperand  value,
           const char  *what,
           LsVMMatch    kind,
           const char  *dtype,
           gint64       ndim,
           LsArray     *extents,
           gint64       dst,
           gboolean    *complete)
{
  g_autoptr (GArray) operands = g_array_new (FALSE, FALSE, sizeof (LsVMOperand));
  LsVMOperand head[] = { value, ls_vm_writer_text (self, what), { LS_VM_IMM, kind }, ls_vm_writer_text (self, dtype), { LS_VM_IMM, ndim } };

  g_array_append_vals (operands, head, G_N_ELEMENTS (head));
  for (guint i = 0; extents != NULL && i < extents->n; i++)
    {
      LsVMOperand pattern = pattern_of (self, LS_EXPR (extents->items[i]), complete);

      g_array_append_val (operands, pattern);
    }
  ls_vm_writer_put (self, LS_VM_OP_MATCH, dst, 0, operands);
}

static gboolean
match_tuple (LsVMWriter        *self,
             LsVMOperand        value,
             LsTupleStructInfo *info,
             const char        *what,
             gint64             dst)
{
  gboolean complete = TRUE;

  put_match (self, value, what, LS_VM_MATCH_TUPLE, "", info->fields->n, NULL, dst, &complete);
  for (guint i = 0; i < info->fields->n; i++)
    {
      g_autofree char *field = g_strdup_printf ("%s[%u]", what, i);
      g_autoptr (GArray) operands = g_array_new (FALSE, FALSE, sizeof (LsVMOperand));
      LsVMOperand parts[] = { dst != LS_VM_NOWHERE ? (LsVMOperand) { LS_VM_REG, dst } : value, { LS_VM_IMM, i } };
      gint64 item = ls_vm_writer_register (self);

      g_array_append_vals (operands, parts, 2);
      ls_vm_writer_put (self, LS_VM_OP_ITEM, item, 0, operands);
      complete &= ls_vm_writer_match (self, (LsVMOperand) { LS_VM_REG, item }, info->fields->items[i], field, LS_VM_NOWHERE);
    }
  return complete;
}

gboolean
ls_vm_writer_match (LsVMWriter   *self,
                    LsVMOperand   value,
                    LsStructInfo *info,
                    const char   *what,
                    gint64        dst)
{
  gboolean complete = TRUE;

  if (ls_is (info, TENSOR_STRUCT_INFO))
    {
      LsTensorStructInfo *tensor = (LsTensorStructInfo *) info;
      LsArray *extents = ls_is (tensor->shape, SHAPE_EXPR) ? ((LsShapeExpr *) tensor->shape)->values : NULL;

      put_match (self, value, what, LS_VM_MATCH_TENSOR, ls_dtype_is_void (tensor->dtype) ? "" : ls_dtype_name (tensor->dtype), tensor->ndim, extents, dst,
                 &complete);
    }
  else if (ls_is (info, SHAPE_STRUCT_INFO))
    put_match (self, value, what, LS_VM_MATCH_SHAPE, "", ((LsShapeStructInfo *) info)->ndim, ((LsShapeStructInfo *) info)->values, dst, &complete);
  else if (ls_is (info, PRIM_STRUCT_INFO) && !ls_dtype_is_float (((LsPrimStructInfo *) info)->dtype))
    {
      LsExpr *number = ((LsPrimStructInfo *) info)->value;
      g_autoptr (LsArray) one = number != NULL ? ls_array_of (ls_ref (number), NULL) : NULL;

      put_match (self, value, what, LS_VM_MATCH_INT, "", -1, one, dst, &complete);
    }
  else if (ls_is (info, TUPLE_STRUCT_INFO))
    complete = match_tuple (self, value, (LsTupleStructInfo *) info, what, dst);
  else if (dst != LS_VM_NOWHERE)
    {
      g_autoptr (GArray) operands = g_array_new (FALSE, FALSE, sizeof (LsVMOperand));

      g_array_append_val (operands, value);
      ls_vm_writer_put (self, LS_VM_OP_MOVE, dst, 0, operands);
    }
  return complete;
}
