/* function: bindings, blocks and functions of Relax, and the list of relax's classes. */
#include "engine/relax/relax-private.h"

#include "engine/relax/dpl/dpl.h"

LS_CLASS (ls_var_binding_class, VAR_BINDING, "VarBinding", LsVarBinding, LS_CLASS_PLAIN,
          LS_FIELD (LsVarBinding, value, NODE, 0),
          LS_FIELD (LsVarBinding, var, NODE, LS_FIELD_BINDS));
LS_CLASS (ls_match_cast_class, MATCH_CAST, "MatchCast", LsMatchCast, LS_CLASS_PLAIN,
          LS_FIELD (LsMatchCast, value, NODE, 0),
          LS_FIELD (LsMatchCast, struct_info, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsMatchCast, var, NODE, LS_FIELD_BINDS));
LS_CLASS (ls_binding_block_class, BINDING_BLOCK, "BindingBlock", LsBindingBlock, LS_CLASS_PLAIN,
          LS_FIELD (LsBindingBlock, bindings, NODE, 0));
LS_CLASS (ls_dataflow_block_class, DATAFLOW_BLOCK, "DataflowBlock", LsBindingBlock, LS_CLASS_PLAIN,
          LS_FIELD (LsBindingBlock, bindings, NODE, 0));
LS_CLASS (ls_seq_expr_class, SEQ_EXPR, "SeqExpr", LsSeqExpr, LS_CLASS_PLAIN,
          LS_FIELD (LsSeqExpr, blocks, NODE, 0),
          LS_FIELD (LsSeqExpr, body, NODE, 0));
LS_CLASS (ls_function_class, FUNCTION, "relax.Function", LsFunction, LS_CLASS_PLAIN,
          LS_FIELD (LsFunction, params, NODE, LS_FIELD_BINDS),
          LS_FIELD (LsFunction, ret_struct_info, NODE, 0),
          LS_FIELD (LsFunction, body, NODE, 0),
          LS_FIELD (LsFunction, attrs, NODE, 0),
          LS_FIELD (LsFunction, is_pure, BOOL, 0));

void
ls_relax_register_classes (void)
{
  static const LsNodeClass *const classes[] = {
    &ls_tensor_struct_info_class, &ls_shape_struct_info_class, &ls_prim_struct_info_class,
    &ls_tuple_struct_info_class, &ls_func_struct_info_class, &ls_object_struct_info_class,
    &ls_dtensor_struct_info_class, &ls_device_mesh_class, &ls_placement_spec_class, &ls_placement_class,
    &ls_relax_var_class, &ls_dataflow_var_class, &ls_constant_class, &ls_prim_value_class,
    &ls_relax_string_class, &ls_data_type_imm_class, &ls_shape_expr_class, &ls_relax_tuple_class,
    &ls_tuple_get_item_class, &ls_relax_op_class, &ls_extern_func_class, &ls_relax_call_class, &ls_relax_if_class,
    &ls_seq_expr_class, &ls_binding_block_class, &ls_dataflow_block_class, &ls_var_binding_class,
    &ls_match_cast_class, &ls_function_class,
  };

  ls_class_register (classes, G_N_ELEMENTS (classes));
  ls_dpl_register_classes ();
}

LsNode *
ls_var_binding_new (LsRelaxVar *var,
                    LsNode     *value)
{
  LsVarBinding *self = ls_node_alloc (&ls_var_binding_class);

  self->var = var;
  self->value = value;
  return ls_node_finish (self);
}

LsNode *
ls_match_cast_new (LsRelaxVar   *var,
                   LsNode       *value,
                   LsStructInfo *struct_info)
{
  LsMatchCast *self = ls_node_alloc (&ls_match_cast_class);

  self->var = var;
  self->value = value;
  self->struct_info = struct_info;
  return ls_node_finish (self);
}

static LsNode *
block_new (const LsNodeClass *klass,
           LsArray           *bindings)
{
  LsBindingBlock *self = ls_node_alloc (klass);

  self->bindings = bindings;
  return ls_node_finish (self);
}

LsNode *
ls_binding_block_new (LsArray *bindings)
{
  return block_new (&ls_binding_block_class, bindings);
}

LsNode *
ls_dataflow_block_new (LsArray *bindings)
{
  return block_new (&ls_dataflow_block_class, bindings);
}

LsNode *
ls_seq_expr_new (LsArray *blocks,
                 LsNode  *body)
{
  LsSeqExpr *self = ls_node_alloc (&ls_seq_expr_class);

  self->blocks = blocks;
  self->body = body;
  return ls_node_finish (self);
}

LsFunction *
ls_function_new (LsArray      *params,
                 LsNode       *body,
                 LsStructInfo *ret_struct_info,
                 LsMap        *attrs,
                 gboolean      is_pure)
{
  LsFunction *self = ls_node_alloc (&ls_function_class);

  self->params = params;
  self->body = body;
  self->ret_struct_info = ret_struct_info;
  self->attrs = attrs != NULL ? attrs : ls_map_empty ();
  self->is_pure = is_pure;
  return ls_node_finish (self);
}
