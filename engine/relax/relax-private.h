/* relax-private: the classes of engine/relax, for the files that define and list them. */
#pragma once

#include "engine/ir/ir-private.h"
#include "engine/relax/relax.h"

G_BEGIN_DECLS

extern const LsNodeClass ls_tensor_struct_info_class, ls_shape_struct_info_class, ls_prim_struct_info_class;
extern const LsNodeClass ls_tuple_struct_info_class, ls_func_struct_info_class, ls_object_struct_info_class;
extern const LsNodeClass ls_dtensor_struct_info_class, ls_device_mesh_class, ls_placement_spec_class, ls_placement_class;
extern const LsNodeClass ls_relax_var_class, ls_dataflow_var_class, ls_constant_class, ls_prim_value_class;
extern const LsNodeClass ls_relax_string_class, ls_data_type_imm_class, ls_shape_expr_class, ls_relax_tuple_class;
extern const LsNodeClass ls_tuple_get_item_class, ls_relax_op_class, ls_extern_func_class, ls_relax_call_class, ls_relax_if_class;
extern const LsNodeClass ls_seq_expr_class, ls_binding_block_class, ls_dataflow_block_class, ls_var_binding_class;
extern const LsNodeClass ls_match_cast_class, ls_function_class;

G_END_DECLS
