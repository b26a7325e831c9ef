/* expr: Relax expressions. */
#include "engine/relax/relax-private.h"

#include <string.h>

LS_CLASS (ls_relax_var_class, RELAX_VAR, "relax.Var", LsRelaxVar, LS_CLASS_IDENTITY,
          LS_FIELD_NAMED (LsRelaxVar, struct_info, "struct_info_", NODE, 0),
          LS_FIELD_NAMED (LsRelaxVar, name, "name_hint", STRING, LS_FIELD_HINT));
LS_CLASS (ls_dataflow_var_class, DATAFLOW_VAR, "DataflowVar", LsRelaxVar, LS_CLASS_IDENTITY,
          LS_FIELD_NAMED (LsRelaxVar, struct_info, "struct_info_", NODE, 0),
          LS_FIELD_NAMED (LsRelaxVar, name, "name_hint", STRING, LS_FIELD_HINT));
LS_CLASS (ls_constant_class, CONSTANT, "Constant", LsConstant, LS_CLASS_PLAIN,
          LS_FIELD (LsConstant, data, NODE, 0),
          LS_FIELD_NAMED (LsConstant, struct_info, "struct_info_", NODE, 0));
LS_CLASS (ls_prim_value_class, PRIM_VALUE, "PrimValue", LsPrimValue, LS_CLASS_PLAIN,
          LS_FIELD (LsPrimValue, value, NODE, 0));
LS_CLASS (ls_relax_string_class, RELAX_STRING, "relax.StringImm", LsRelaxString, LS_CLASS_PLAIN,
          LS_FIELD (LsRelaxString, value, STRING, 0));
LS_CLASS (ls_data_type_imm_class, DATA_TYPE_IMM, "DataTypeImm", LsDataTypeImm, LS_CLASS_PLAIN,
          LS_FIELD (LsDataTypeImm, value, DTYPE, 0));
LS_CLASS (ls_shape_expr_class, SHAPE_EXPR, "ShapeExpr", LsShapeExpr, LS_CLASS_PLAIN,
          LS_FIELD (LsShapeExpr, values, NODE, 0));
LS_CLASS (ls_relax_tuple_class, RELAX_TUPLE, "Tuple", LsRelaxTuple, LS_CLASS_PLAIN,
          LS_FIELD (LsRelaxTuple, fields, NODE, 0));
LS_CLASS (ls_tuple_get_item_class, TUPLE_GET_ITEM, "TupleGetItem", LsTupleGetItem, LS_CLASS_PLAIN,
          LS_FIELD_NAMED (LsTupleGetItem, tuple, "tuple_value", NODE, 0),
          LS_FIELD (LsTupleGetItem, index, INT, 0));
LS_CLASS (ls_relax_op_class, RELAX_OP, "relax.Op", LsRelaxOp, LS_CLASS_PLAIN,
          LS_FIELD (LsRelaxOp, name, STRING, 0));
LS_CLASS (ls_extern_func_class, EXTERN_FUNC, "ExternFunc", LsExternFunc, LS_CLASS_PLAIN,
          LS_FIELD (LsExternFunc, global_symbol, STRING, 0),
          LS_FIELD (LsExternFunc, struct_info, NODE, 0),
          LS_FIELD (LsExternFunc, attrs, NODE, 0));
LS_CLASS (ls_relax_call_class, RELAX_CALL, "relax.Call", LsRelaxCall, LS_CLASS_PLAIN,
          LS_FIELD (LsRelaxCall, op, NODE, 0),
          LS_FIELD (LsRelaxCall, args, NODE, 0),
          LS_FIELD (LsRelaxCall, attr_names, NODE, 0),
          LS_FIELD (LsRelaxCall, attrs, NODE, 0),
          LS_FIELD (LsRelaxCall, sinfo_args, NODE, 0));
LS_CLASS (ls_relax_if_class, RELAX_IF, "If", LsRelaxIf, LS_CLASS_PLAIN,
          LS_FIELD (LsRelaxIf, cond, NODE, 0),
          LS_FIELD (LsRelaxIf, true_branch, NODE, 0),
          LS_FIELD (LsRelaxIf, false_branch, NODE, 0));

static LsRelaxVar *
var_new (const LsNodeClass *klass,
         const char        *name,
         LsStructInfo      *struct_info)
{
  LsRelaxVar *self = ls_node_alloc (klass);

  self->name = g_strdup (name);
  self->struct_info = struct_info != NULL ? struct_info : ls_node_ref (ls_unknown_struct_info ());
  return ls_node_finish (self);
}

void
ls_relax_var_learn (LsRelaxVar   *self,
                    LsStructInfo *struct_info)
{
  if (self->struct_info != ls_unknown_struct_info ())
    return;
  ls_node_unref (self->struct_info);
  self->struct_info = ls_node_ref (struct_info);
}

LsRelaxVar *
ls_relax_var_new (const char   *name,
                  LsStructInfo *struct_info)
{
  return var_new (&ls_relax_var_class, name, struct_info);
}

LsRelaxVar *
ls_dataflow_var_new (const char   *name,
                     LsStructInfo *struct_info)
{
  return var_new (&ls_dataflow_var_class, name, struct_info);
}

LsNode *
ls_constant_new_full (LsTensor     *data,
                      LsStructInfo *struct_info)
{
  LsConstant *self = ls_node_alloc (&ls_constant_class);

  self->data = data;
  self->struct_info = struct_info;
  return ls_node_finish (self);
}

LsNode *
ls_constant_new (LsTensor *data)
{
  GPtrArray *extents = g_ptr_array_new ();

  for (guint i = 0; i < data->shape->n; i++)
    g_ptr_array_add (extents, ls_int_imm_new (LS_INT64, ls_array_at (data->shape, i, LsIntImm)->value));
  return ls_constant_new_full (data, ls_tensor_struct_info_new (ls_shape_expr_new (ls_array_take_ptr_array (extents)), 0, data->dtype, NULL));
}

LsNode *
ls_prim_value_new (LsExpr *value)
{
  LsPrimValue *self = ls_node_alloc (&ls_prim_value_class);

  self->value = value;
  return ls_node_finish (self);
}

LsNode *
ls_relax_string_new (const char *value)
{
  LsRelaxString *self = ls_node_alloc (&ls_relax_string_class);

  self->value = g_strdup (value);
  return ls_node_finish (self);
}

LsNode *
ls_data_type_imm_new (LsDType value)
{
  LsDataTypeImm *self = ls_node_alloc (&ls_data_type_imm_class);

  self->value = value;
  return ls_node_finish (self);
}

LsNode *
ls_shape_expr_new (LsArray *values)
{
  LsShapeExpr *self = ls_node_alloc (&ls_shape_expr_class);

  self->values = values;
  return ls_node_finish (self);
}

LsNode *
ls_relax_tuple_new (LsArray *fields)
{
  LsRelaxTuple *self = ls_node_alloc (&ls_relax_tuple_class);

  self->fields = fields;
  return ls_node_finish (self);
}

LsNode *
ls_tuple_get_item_new (LsNode *tuple,
                       gint64  index)
{
  LsTupleGetItem *self = ls_node_alloc (&ls_tuple_get_item_class);

  self->tuple = tuple;
  self->index = index;
  return ls_node_finish (self);
}

LsNode *
ls_relax_op_new (const char *name)
{
  LsRelaxOp *self = ls_node_alloc (&ls_relax_op_class);

  self->name = g_strdup (name);
  return ls_node_finish (self);
}

LsNode *
ls_extern_func_new (const char *global_symbol)
{
  return ls_extern_func_new_full (global_symbol, NULL);
}

LsNode *
ls_extern_func_new_full (const char   *global_symbol,
                         LsStructInfo *struct_info)
{
  LsExternFunc *self = ls_node_alloc (&ls_extern_func_class);

  self->global_symbol = g_strdup (global_symbol);
  self->struct_info = struct_info;
  self->attrs = ls_map_empty ();
  return ls_node_finish (self);
}

LsNode *
ls_relax_call_new (LsNode  *op,
                   LsArray *args,
                   LsArray *attr_names,
                   LsArray *attrs,
                   LsArray *sinfo_args)
{
  LsRelaxCall *self = ls_node_alloc (&ls_relax_call_class);

  self->op = op;
  self->args = args != NULL ? args : ls_array_empty ();
  self->attr_names = attr_names != NULL ? attr_names : ls_array_empty ();
  self->attrs = attrs != NULL ? attrs : ls_array_empty ();
  self->sinfo_args = sinfo_args != NULL ? sinfo_args : ls_array_empty ();
  return ls_node_finish (self);
}

LsNode *
ls_relax_if_new (LsNode *cond,
                 LsNode *true_branch,
                 LsNode *false_branch)
{
  LsRelaxIf *self = ls_node_alloc (&ls_relax_if_class);

  self->cond = cond;
  self->true_branch = true_branch;
  self->false_branch = false_branch;
  return ls_node_finish (self);
}

gboolean
ls_is_relax_call (const void *node,
                  const char *op)
{
  const LsRelaxCall *call = node;

  return ls_is (node, RELAX_CALL) && ls_is (call->op, RELAX_OP) && strcmp (((LsRelaxOp *) call->op)->name, op) == 0;
}

gboolean
ls_is_relax_call_tir (const void *node)
{
  return ls_is_relax_call (node, "relax.call_tir") || ls_is_relax_call (node, "relax.call_tir_inplace");
}

gint64
ls_relax_call_inplace_index (LsRelaxCall *call,
                             guint        i)
{
  for (guint k = 0; k < call->attr_names->n; k++)
    if (strcmp (ls_array_at (call->attr_names, k, LsString)->value, "inplace_indices") == 0 && ls_is (call->attrs->items[k], ARRAY))
      {
        LsArray *list = (LsArray *) call->attrs->items[k];
        gint64 index;

        return i < list->n && ls_as_int (list->items[i], &index) ? index : -1;
      }
  return -1;
}

gboolean
ls_is_relax_leaf (const void *node)
{
  return ls_is_relax_var (node) || ls_is (node, CONSTANT) || ls_is (node, PRIM_VALUE) || ls_is (node, RELAX_STRING)
         || ls_is (node, DATA_TYPE_IMM) || ls_is (node, SHAPE_EXPR) || ls_is (node, RELAX_TUPLE) || ls_is (node, EXTERN_FUNC)
         || ls_is (node, GLOBAL_VAR) || ls_is (node, RELAX_OP);
}

gboolean
ls_is_relax_expr (const void *node)
{
  return ls_is_relax_leaf (node) || ls_is (node, TUPLE_GET_ITEM) || ls_is (node, RELAX_CALL) || ls_is (node, RELAX_IF)
         || ls_is (node, SEQ_EXPR) || ls_is (node, FUNCTION);
}
