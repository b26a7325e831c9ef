/* relax/pass: whole-module passes of the graph level, one pass per file, TVM's names.
 *
 * One table (pass.c) holds them with their parameters; the command line, the Python module and the documentation are
 * made from it.  A pass takes a module and a complete dictionary of its arguments and returns another module; what does
 * not change stays the same node.  To add one: a file with `ls_relax_pass_NAME`, its line in the list at the end, its
 * row in the table.
 */
#pragma once

#include "engine/relax/block-builder.h"
#include "engine/tir/pass/pass.h"

G_BEGIN_DECLS

#define LS_RELAX_PASS_ERROR (ls_relax_pass_error_quark ())
GQuark ls_relax_pass_error_quark (void);

typedef enum {
  LS_RELAX_PASS_ERROR_UNKNOWN,  /* no pass of this name */
  LS_RELAX_PASS_ERROR_ARGUMENT, /* a missing, unknown or unfit argument */
  LS_RELAX_PASS_ERROR_PROGRAM   /* the program cannot be treated so */
} LsRelaxPassError;

/* The types of arguments and the nodes that stand for them:
 *   bool int float   IntImm (bool), IntImm, FloatImm     str   String     list  Array     dict  Map     any  whatever
 *   params           Map of names to Tensor nodes, or a String that names a file or folder with them
 *   python           only Python can say it (functions, patterns): any node that the Python module makes
 * None is NULL and allowed where the type ends in `?`. */
typedef LsPassParam LsRelaxPassParam;

typedef struct {
  const char             *name;         /* "FuseOps" */
  const char             *summary;      /* one sentence */
  const LsRelaxPassParam *params;       /* ends with an empty row; NULL: none */
  /* Borrows both; NULL with an error. (transfer full) */
  LsModule *(*apply) (LsModule *module, LsMap *args, GError **error);
} LsRelaxPass;

/* All passes, sorted by name. */
const LsRelaxPass *ls_relax_pass_list      (guint       *n);
/* NULL with an error that says which there are, near ones first. */
const LsRelaxPass *ls_relax_pass_get       (const char  *name,
                                            GError     **error);
/* Arguments in order and by keyword (either may be NULL) put to the parameters, the rest preset, types checked.
 * NULL with an error. (transfer full) */
LsMap             *ls_relax_pass_arguments (const LsRelaxPass *pass,
                                            LsArray           *positional,
                                            LsMap             *keywords,
                                            GError           **error);
/* The pass with complete arguments; errors say which pass it was. (transfer full) */
LsModule          *ls_relax_pass_run       (const LsRelaxPass *pass,
                                            LsModule          *module,
                                            LsMap             *args,
                                            GError           **error);
/* "DeadCodeElimination(entry_functions=None)". (transfer full) */
char              *ls_relax_pass_signature (const LsRelaxPass *pass);

/* ---- for passes: arguments of the dictionary ---- */

gboolean    ls_relax_pass_bool   (LsMap *args, const char *name);
gint64      ls_relax_pass_int    (LsMap *args, const char *name);
const char *ls_relax_pass_str    (LsMap *args, const char *name);       /* NULL: None */
/* An attribute of a call, or NULL. Borrowed. */
LsNode     *ls_relax_pass_attr   (LsRelaxCall *call, const char *name);
/* Is the call's operator one of the names, an Array of String or NULL? */
gboolean    ls_relax_pass_skips  (gpointer     names, LsRelaxCall *call);
/* Sets an error about the program; returns NULL. */
gpointer    ls_relax_pass_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* A pass over functions: every Relax function of the module that is not Primitive, each in a module whose functions have the signatures of then.
 * `func` returns NULL with an error. (transfer full) */
typedef LsNode *(*LsRelaxFunctionPass) (LsModule *module, LsFunction *func, gpointer user_data, GError **error);
LsModule   *ls_relax_each_function (LsModule *module, LsRelaxFunctionPass func, gpointer user_data, GError **error);

/* ---- the passes, for the table ---- */

LsModule *ls_relax_pass_allocate_workspace (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_attach_attr_layout_free_buffers (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_optimize_layout_transform (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_split_layout_rewrite_preproc (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_bind_params (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_bind_symbolic_vars (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_canonicalize_bindings (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_convert_to_dataflow (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_dead_code_elimination (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_eliminate_common_subexpr (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_topological_sort (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_legalize_ops (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_normalize (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_to_non_dataflow (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_remove_purity_checking (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_attach_global_symbol (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_compute_prim_value (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_expand_tuple_arguments (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_inline_private_functions (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_lambda_lift (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_normalize_global_var (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_remove_unused_outputs (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_remove_unused_parameters (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_update_param_struct_info (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_vm_shape_lower (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_dataflow_use_inplace_calls (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_to_mixed_precision (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_fold_constant (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_convert_layout (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_bundle_model_params (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_lazy_get_input (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_lazy_set_output (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_lazy_transform_params (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_lift_transform_params (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_ipc_all_reduce_rewrite (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_lower_gpu_ipc_alloc_storage (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_rewrite_cuda_graph (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_gradient (LsModule *module, LsMap *args, GError **error);

/* What the struct info of a parameter becomes; NULL: as it is. (transfer full) */
typedef LsStructInfo *(*LsRelaxParamInfoFunc) (LsRelaxVar *param, gpointer user_data);
LsModule *ls_relax_update_param_struct_info (LsModule *module, LsRelaxParamInfoFunc func, gpointer user_data, GError **error);

/* What LegalizeOps makes of one call, whose functions go to the builder; the call itself where it leaves it alone.
 * (transfer full) */
LsNode   *ls_relax_legalize_call (LsBlockBuilder *builder, LsRelaxCall *call);
/* The function without dataflow blocks. (transfer full) */
LsNode *ls_relax_to_non_dataflow (LsNode *func);

/* CanonicalizeBindings, then DeadCodeElimination. */
LsModule *ls_relax_pass_clean_up (LsModule *module, GError **error);
LsModule *ls_relax_pass_call_tir_rewrite (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_kill_after_last_use (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_lower_alloc_tensor (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_lower_runtime_builtin (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_rewrite_dataflow_reshape (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_static_plan_block_memory (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_annotate_tir_op_pattern (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_fuse_ops (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_fuse_ops_by_pattern (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_adjust_matmul_order (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_expand_matmul_of_sum (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_fold_batchnorm_to_conv2d (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_remove_redundant_reshape (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_reorder_permute_dims_after_concat (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_reorder_take_after_matmul (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_combine_parallel_matmul (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_fuse_transpose_matmul (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_merge_composite_functions (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_fuse_tir (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_decompose_ops_for_inference (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_decompose_ops_for_training (LsModule *module, LsMap *args, GError **error);
/* batch_norm that says training=False, or whose statistics are constants and cannot learn, as arithmetic over these: the function of the
 * operator takes those of the batch. (transfer full) */
LsModule *ls_relax_use_constant_statistics (LsModule *module, GError **error);
/* A look at all indices before each R.scatter_elements and R.scatter_nd, whose functions write to flat buffers, and at the extents of operands
 * that broadcast and are not known to be the same. (transfer full) */
LsModule *ls_relax_check_operands (LsModule *module, GError **error);
/* Both: what building a module and the pipelines do before LegalizeOps. (transfer full) */
LsModule *ls_relax_before_legalize (LsModule *module, GError **error);
/* engine/relax/distributed */
LsModule *ls_relax_pass_propagate_sharding (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_legalize_redistribute (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_lower_global_view_to_local_view (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_lower_dist_ir (LsModule *module, LsMap *args, GError **error);
LsModule *ls_relax_pass_fast_math_transform (LsModule *module, LsMap *args, GError **error);

G_END_DECLS
