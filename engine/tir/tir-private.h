/* tir-private: the classes of engine/tir, for the files that define and list them. */
#pragma once

#include "engine/ir/ir-private.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

extern const LsNodeClass ls_buffer_class, ls_buffer_region_class, ls_match_buffer_region_class, ls_buffer_load_class;
extern const LsNodeClass ls_producer_load_class, ls_comm_reducer_class, ls_reduce_class;
extern const LsNodeClass ls_iter_var_class, ls_block_class, ls_block_realize_class;
extern const LsNodeClass ls_let_stmt_class, ls_attr_stmt_class, ls_assert_stmt_class, ls_buffer_store_class, ls_buffer_realize_class;
extern const LsNodeClass ls_allocate_class, ls_allocate_const_class, ls_decl_buffer_class, ls_seq_stmt_class, ls_if_then_else_class;
extern const LsNodeClass ls_evaluate_class, ls_for_class, ls_while_class;
extern const LsNodeClass ls_prim_func_class, ls_index_map_class;

G_END_DECLS
