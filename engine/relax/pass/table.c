/* table: the list of passes (pass.h).  It stands above them; what they share is in pass.c. */
#include "engine/relax/pass/pass.h"

#include <string.h>

#define END { NULL, NULL, NULL }

static const LsRelaxPassParam DEAD_CODE[] = { { "entry_functions", "list?", "None" }, END };

static const LsRelaxPassParam TO_DATAFLOW[] = { { "min_size", "int", "2" }, END };

static const LsRelaxPassParam COMBINE[] = { { "check", "python?", "None" }, END };

static const LsRelaxPassParam COMMON[] = { { "call_only", "bool", "False" }, END };
static const LsRelaxPassParam SORT[] = { { "order", "str", "\"depth-first\"" }, { "direction", "str", "\"from-inputs\"" }, END };

static const LsRelaxPassParam BIND_PARAMS[] = { { "func_name", "str", NULL }, { "params", "params", NULL }, END };
static const LsRelaxPassParam BIND_SYMBOLIC[] = { { "binding_map", "dict", NULL }, { "func_name", "str?", "None" }, END };

static const LsRelaxPassParam UPDATE_INFO[] = { { "sinfo_func", "python", NULL }, END };

static const LsRelaxPassParam LEGALIZE[] = { { "customize_legalize_map", "python?", "None" }, { "enable_warning", "bool", "False" },
                                              { "skip_ops", "list?", "None" }, END };

static const LsRelaxPassParam FOLD[] = { { "skip_ops", "list?", "None" }, END };

static const LsRelaxPassParam FUSE_OPS[] = { { "fuse_opt_level", "int", "-1" }, END };

static const LsRelaxPassParam FUSE_PATTERNS[] = { { "patterns", "list", NULL }, { "bind_constants", "bool", "True" },
                                                   { "annotate_codegen", "bool", "False" }, { "entry_functions", "list?", "None" }, END };

static const LsRelaxPassParam DECOMPOSE[] = { { "func_name", "str?", "None" }, END };

static const LsRelaxPassParam SHAPE_LOWER[] = { { "emit_err_ctx", "bool", "True" }, END };

static const LsRelaxPassParam MIXED[] = { { "out_dtype", "str", "\"float32\"" }, { "fp16_input_names", "list?", "None" }, END };

static const LsRelaxPassParam CONVERT_LAYOUT[] = { { "desired_layouts", "dict", NULL }, END };

static const LsRelaxPassParam BUNDLE[] = { { "param_tuple_name", "str?", "None" }, END };

static const LsRelaxPassParam LAZY[] = { { "fget_item", "str", "\"get_item\"" }, { "fset_item", "str?", "\"set_item\"" }, { "extra_get_item_params", "list?", "None" },
                                          { "extra_set_item_params", "list?", "None" }, END };

static const LsRelaxPassParam LIFT[] = { { "shared_transform", "any", "False" }, { "consume_params", "bool", "False" }, END };

static const LsRelaxPassParam ALL_REDUCE[] = { { "allreduce_strategy", "int", NULL }, END };

static const LsRelaxPassParam GRADIENT[] = { { "func_name", "str", NULL }, { "require_grads", "list?", "None" }, { "target_index", "int", "0" }, END };

/* Sorted by name. */
static const LsRelaxPass PASSES[] = {
  { "AdjustMatmulOrder", LS_TEXT ("Computes a product of three matrices in the order that takes fewer multiplications."), NULL, ls_relax_pass_adjust_matmul_order },
  { "AllocateWorkspace", LS_TEXT ("Gives functions for other compilers the memory that they ask for as an argument."), NULL,
    ls_relax_pass_allocate_workspace },
  { "AnnotateTIROpPattern", LS_TEXT ("Says of every PrimFunc how it may be fused (op_pattern)."), NULL, ls_relax_pass_annotate_tir_op_pattern },
  { "AttachAttrLayoutFreeBuffers", LS_TEXT ("Says of PrimFuncs which inputs are weights or constants, whose layout is free."), NULL,
    ls_relax_pass_attach_attr_layout_free_buffers },
  { "AttachGlobalSymbol", LS_TEXT ("Gives every public function its name as global_symbol."), NULL, ls_relax_pass_attach_global_symbol },
  { "BindParams", LS_TEXT ("Puts constants for parameters of a function; symbolic dimensions that they decide become numbers."), BIND_PARAMS,
    ls_relax_pass_bind_params },
  { "BindSymbolicVars", LS_TEXT ("Puts numbers for symbolic dimensions."), BIND_SYMBOLIC, ls_relax_pass_bind_symbolic_vars },
  { "BundleModelParams", LS_TEXT ("Makes one tuple of the weights of a function."), BUNDLE, ls_relax_pass_bundle_model_params },
  { "CallTIRRewrite", LS_TEXT ("Allocates the results of call_tir and call_dps_packed; the calls write into them."), NULL,
    ls_relax_pass_call_tir_rewrite },
  { "CanonicalizeBindings", LS_TEXT ("Takes out bindings that only rename, puts constants where they are used, and simplifies match_cast."), NULL,
    ls_relax_pass_canonicalize_bindings },
  { "CombineParallelMatmul", LS_TEXT ("Makes one product of several with the same left side, and splits the result."), COMBINE, ls_relax_pass_combine_parallel_matmul },
  { "ComputePrimValue", LS_TEXT ("Computes numbers that follow from symbolic variables by TensorIR functions."), NULL, ls_relax_pass_compute_prim_value },
  { "ConvertLayout", LS_TEXT ("Computes convolutions in other layouts; the axes of what follows go along."), CONVERT_LAYOUT,
    ls_relax_pass_convert_layout },
  { "ConvertToDataflow", LS_TEXT ("Puts bindings without effects into dataflow blocks."), TO_DATAFLOW, ls_relax_pass_convert_to_dataflow },
  { "DataflowUseInplaceCalls", LS_TEXT ("Lets operators write their results into arguments that are needed no more."), NULL,
    ls_relax_pass_dataflow_use_inplace_calls },
  { "DeadCodeElimination", LS_TEXT ("Drops functions that no entry reaches and bindings that nothing needs."), DEAD_CODE,
    ls_relax_pass_dead_code_elimination },
  { "DecomposeOpsForInference", LS_TEXT ("Writes batch_norm as arithmetic, and tensor_to_shape as a call with symbolic extents."), DECOMPOSE,
    ls_relax_pass_decompose_ops_for_inference },
  { "DecomposeOpsForTraining", LS_TEXT ("Writes batch_norm, with the statistics of the batch, and layer_norm as arithmetic."), DECOMPOSE,
    ls_relax_pass_decompose_ops_for_training },
  { "EliminateCommonSubexpr", LS_TEXT ("Computes what occurs several times once; the later variables become names of the first."), COMMON,
    ls_relax_pass_eliminate_common_subexpr },
  { "ExpandMatmulOfSum", LS_TEXT ("Writes a product with a sum as a sum of products."), NULL, ls_relax_pass_expand_matmul_of_sum },
  { "ExpandTupleArguments", LS_TEXT ("Private functions take the fields of tuples instead of tuples."), NULL, ls_relax_pass_expand_tuple_arguments },
  { "FastMathTransform", LS_TEXT ("Computes exp, erf, tanh and softmax by polynomials."), NULL, ls_relax_pass_fast_math_transform },
  { "FoldBatchnormToConv2D", LS_TEXT ("Puts the numbers of batch_norm into the weights of the convolution before it."), NULL, ls_relax_pass_fold_batchnorm_to_conv2d },
  { "FoldConstant", LS_TEXT ("Computes what only constants go into."), FOLD, ls_relax_pass_fold_constant },
  { "FuseOps", LS_TEXT ("Puts calls of PrimFuncs that fit together into functions of their own."), FUSE_OPS, ls_relax_pass_fuse_ops },
  { "FuseOpsByPattern", LS_TEXT ("Puts calls that fit patterns into functions of their own, (name, pattern) after (name, pattern)."), FUSE_PATTERNS,
    ls_relax_pass_fuse_ops_by_pattern },
  { "FuseTIR", LS_TEXT ("Makes one PrimFunc of each fused function."), NULL, ls_relax_pass_fuse_tir },
  { "FuseTransposeMatmul", LS_TEXT ("Computes products with a transposed right side by functions that read it as it is."), NULL,
    ls_relax_pass_fuse_transpose_matmul },
  { "Gradient", LS_TEXT ("Adds a function that gives the derivatives of another by its parameters too."), GRADIENT, ls_relax_pass_gradient },
  { "IPCAllReduceRewrite", LS_TEXT ("Sums over processes in memory that all of them see."), ALL_REDUCE, ls_relax_pass_ipc_all_reduce_rewrite },
  { "InlinePrivateFunctions", LS_TEXT ("Puts the bodies of private functions in the place of their calls."), NULL, ls_relax_pass_inline_private_functions },
  { "KillAfterLastUse", LS_TEXT ("Gives up each tensor, storage and object behind its last use."), NULL,
    ls_relax_pass_kill_after_last_use },
  { "LambdaLift", LS_TEXT ("Makes functions that are defined inside functions functions of the module."), NULL, ls_relax_pass_lambda_lift },
  { "LazyGetInput", LS_TEXT ("Loads weights by a function when they are needed."), NULL, ls_relax_pass_lazy_get_input },
  { "LazySetOutput", LS_TEXT ("Hands results to a function when they are done."), NULL, ls_relax_pass_lazy_set_output },
  { "LazyTransformParams", LS_TEXT ("Loads weights and hands over results one by one in transform_params functions."), LAZY,
    ls_relax_pass_lazy_transform_params },
  { "LegalizeOps", LS_TEXT ("Turns operators into calls of TensorIR functions."), LEGALIZE, ls_relax_pass_legalize_ops },
  { "LegalizeRedistribute", LS_TEXT ("Turns redistributions of tensors over devices into the communication that does them."), NULL,
    ls_relax_pass_legalize_redistribute },
  { "LiftTransformParams", LS_TEXT ("Moves what depends on weights alone into a function of its own."), LIFT, ls_relax_pass_lift_transform_params },
  { "LowerAllocTensor", LS_TEXT ("Gives each allocated tensor a storage of its own."), NULL,
    ls_relax_pass_lower_alloc_tensor },
  { "LowerDistIR", LS_TEXT ("Turns functions over distributed tensors into what each worker runs."), NULL, ls_relax_pass_lower_dist_ir },
  { "LowerGPUIPCAllocStorage", LS_TEXT ("Allocates memory that several processes see by a function of the runtime."), NULL, ls_relax_pass_lower_gpu_ipc_alloc_storage },
  { "LowerGlobalViewToLocalView", LS_TEXT ("Calls programs over the part of a tensor that a device has, not over the whole."), NULL,
    ls_relax_pass_lower_global_view_to_local_view },
  { "LowerRuntimeBuiltin", LS_TEXT ("Puts the virtual machine's own operations for allocations, kills, reshapes and dynamic calls."), NULL,
    ls_relax_pass_lower_runtime_builtin },
  { "MergeCompositeFunctions", LS_TEXT ("Puts calls of composite functions for the same compiler into one function for it."), NULL,
    ls_relax_pass_merge_composite_functions },
  { "Normalize", LS_TEXT ("Brings functions into A-normal form."), NULL, ls_relax_pass_normalize },
  { "NormalizeGlobalVar", LS_TEXT ("Calls functions what their global_symbol says."), NULL, ls_relax_pass_normalize_global_var },
  { "OptimizeLayoutTransform", LS_TEXT ("Takes away changes of layout that undo each other."), NULL,
    ls_relax_pass_optimize_layout_transform },
  { "PropagateSharding", LS_TEXT ("Says of all tensors how they lie on devices, from what is said of some."), NULL, ls_relax_pass_propagate_sharding },
  { "RemovePurityChecking", LS_TEXT ("Takes the purity of functions for granted: relax.force_pure is set, call_pure_packed becomes a plain call."),
    NULL, ls_relax_pass_remove_purity_checking },
  { "RemoveRedundantReshape", LS_TEXT ("Drops reshapes to the same shape, and all but the last of several."), NULL, ls_relax_pass_remove_redundant_reshape },
  { "RemoveUnusedOutputs", LS_TEXT ("Private functions give only the fields that some call uses."), NULL, ls_relax_pass_remove_unused_outputs },
  { "RemoveUnusedParameters", LS_TEXT ("Takes parameters that nothing uses from private functions."), NULL, ls_relax_pass_remove_unused_parameters },
  { "ReorderPermuteDimsAfterConcat", LS_TEXT ("Transposes after joining tensors instead of before."), NULL, ls_relax_pass_reorder_permute_dims_after_concat },
  { "ReorderTakeAfterMatmul", LS_TEXT ("Takes rows of a product instead of multiplying by taken weights."), NULL, ls_relax_pass_reorder_take_after_matmul },
  { "RewriteCUDAGraph", LS_TEXT ("Moves launches whose arguments stay the same into functions that a graph of the device is recorded from."), NULL,
    ls_relax_pass_rewrite_cuda_graph },
  { "RewriteDataflowReshape", LS_TEXT ("Turns calls of PrimFuncs that only copy in row-major order into R.reshape."), NULL,
    ls_relax_pass_rewrite_dataflow_reshape },
  { "SplitLayoutRewritePreproc", LS_TEXT ("Makes functions of their own of what lays out the weights of PrimFuncs."), NULL,
    ls_relax_pass_split_layout_rewrite_preproc },
  { "StaticPlanBlockMemory", LS_TEXT ("Lets tensors of a block share storages when they do not live at the same time."), NULL,
    ls_relax_pass_static_plan_block_memory },
  { "ToMixedPrecision", LS_TEXT ("Computes products and convolutions on float16, the rest in the type that is safe."), MIXED,
    ls_relax_pass_to_mixed_precision },
  { "ToNonDataflow", LS_TEXT ("Turns dataflow blocks into plain ones."), NULL, ls_relax_pass_to_non_dataflow },
  { "TopologicalSort", LS_TEXT ("Puts the bindings of dataflow blocks into the order of a depth-first or breadth-first search."), SORT,
    ls_relax_pass_topological_sort },
  { "UpdateParamStructInfo", LS_TEXT ("Gives parameters the struct info that a Python function says."), UPDATE_INFO, ls_relax_pass_update_param_struct_info },
  { "VMShapeLower", LS_TEXT ("Checks what functions say about their values, and computes symbolic extents in a heap."), SHAPE_LOWER,
    ls_relax_pass_vm_shape_lower },
};

const LsRelaxPass *
ls_relax_pass_list (guint *n)
{
  *n = G_N_ELEMENTS (PASSES);
  return PASSES;
}

/* ---- by name ---------------------------------------------------------------------- */

static guint
letters_in_common (const char *a,
                   const char *b)
{
  guint best = 0;

  for (guint i = 0; a[i] != '\0'; i++)
    for (guint k = 0; b[k] != '\0'; k++)
      {
        guint n = 0;

        while (a[i + n] != '\0' && g_ascii_tolower (a[i + n]) == g_ascii_tolower (b[k + n]))
          n++;
        best = MAX (best, n);
      }
  return best;
}

static char *
names_near (const char *name)
{
  g_autoptr (GString) out = g_string_new (NULL);
  guint wanted = MAX (4, (guint) strlen (name) / 2), shown = 0;

  for (guint i = 0; i < G_N_ELEMENTS (PASSES); i++)
    if (letters_in_common (name, PASSES[i].name) >= wanted)
      g_string_append_printf (out, "%s%s", shown++ > 0 ? ", " : "", PASSES[i].name);
  for (guint i = 0; i < G_N_ELEMENTS (PASSES) && shown == 0; i++)
    g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", PASSES[i].name);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

const LsRelaxPass *
ls_relax_pass_get (const char  *name,
                   GError     **error)
{
  g_autofree char *near = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (PASSES); i++)
    if (strcmp (PASSES[i].name, name) == 0)
      return &PASSES[i];
  near = names_near (name);
  g_set_error (error, LS_RELAX_PASS_ERROR, LS_RELAX_PASS_ERROR_UNKNOWN, ls_translate ("There is no pass %s; there are: %s."), name, near);
  return NULL;
}
