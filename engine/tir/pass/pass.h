/* pass: lowering, one pass per file, TVM's names.
 *
 * A pass takes a PrimFunc and returns another one, or a module where several functions are concerned; what it does not
 * understand it leaves.  The table holds all passes.  Some of them, in one order, lower a function for a CPU (TVM's
 * default_tir_pipeline without the steps that only accelerators need): `ls_lower` runs these and records each program on
 * the way, which is what `lower --all` and the Lowering view show.  The others are run by name.
 */
#pragma once

#include "engine/tir/device.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

#define LS_PASS_ERROR (ls_pass_error_quark ())
GQuark ls_pass_error_quark (void);

typedef enum {
  LS_PASS_ERROR_UNSUPPORTED,    /* the program has a form that the pass cannot lower */
  LS_PASS_ERROR_UNKNOWN,        /* no pass of this name */
  LS_PASS_ERROR_VALUE           /* values of the program contradict each other (Python: ValueError) */
} LsPassError;

/* An option of a pass: bool, int or str, as engine/relax/pass/pass.h has them. */
typedef struct {
  const char *name;
  const char *type;
  const char *preset;           /* as Python text: "True", "-1", "None", "\"text\"", "[]", "{}"; NULL: must be given */
} LsPassParam;

typedef struct {
  const char *name;             /* "LowerInitBlock" */
  const char *summary;          /* one line for people */
  /* One of these three; each borrows, returns a new reference (the same pointer when nothing changed), or NULL with an
   * error.  Options are numbers under the names of TVM's pass context; NULL: what holds where nothing is said. */
  LsPrimFunc *(*run) (LsPrimFunc *func, GError **error);
  LsPrimFunc *(*run_with) (LsPrimFunc *func, LsMap *options, GError **error);
  LsModule   *(*run_module) (LsModule *module, LsMap *options, GError **error);
  const LsPassParam *params;    /* ends with an empty row; NULL: none */
} LsPass;

/* The passes of the pipeline, in its order. */
const LsPass *const *ls_pass_list (guint      *n);
/* All passes: the pipeline's, each once, then the others. */
const LsPass *const *ls_pass_all  (guint      *n);
const LsPass        *ls_pass_get  (const char *name);
/* Runs one pass on every PrimFunc of a module, or on the module. (transfer full) */
LsModule            *ls_pass_run_module (const LsPass *pass,
                                         LsModule     *module,
                                         GError      **error);
LsModule            *ls_pass_run_module_with (const LsPass *pass,
                                         LsModule     *module,
                                         LsMap        *options,
                                         GError      **error);
/* The number of an option, or another one where it is not given. */
gint64               ls_pass_option (LsMap      *options,
                                     const char *name,
                                     gint64      otherwise);

/* Called after each pass with the function before and after it (borrowed) and the time it took in ns. */
typedef void (*LsPassHook) (const LsPass *pass, LsPrimFunc *before, LsPrimFunc *after, gint64 ns, gpointer user_data);

/* The whole pipeline.  hook may be NULL.  NULL with an error (which names the pass). */
LsPrimFunc *ls_lower        (LsPrimFunc  *func,
                             LsPassHook   hook,
                             gpointer     user_data,
                             GError     **error);
/* Lowers a function whose loops are bound to threads: the passes of ls_lower and those for kernels, barriers put in.  The function gets the
 * target as its attribute, and where something that the program asks for is not of the device a sentence about it as LS_DEVICE_NOTE (a string). */
#define LS_DEVICE_NOTE "loopscope.note"
LsPrimFunc *ls_lower_device (LsPrimFunc           *func,
                             const LsDeviceTarget *target,
                             LsPassHook            hook,
                             gpointer              user_data,
                             GError              **error);
LsModule   *ls_lower_module (LsModule    *module,
                             LsPassHook   hook,
                             gpointer     user_data,
                             GError     **error);

/* The passes, for the table. */
LsPrimFunc *ls_pass_lower_init_block (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_plan_buffer_allocation (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_convert_blocks_to_opaque (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_compact_buffer_allocation (LsPrimFunc *func, LsMap *options, GError **error);
LsPrimFunc *ls_pass_lower_match_buffer (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_simplify (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_lower_opaque_block (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_flatten_buffer (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_vectorize_loop (LsPrimFunc *func, LsMap *options, GError **error);
LsPrimFunc *ls_pass_unroll_loop (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_remove_no_op (LsPrimFunc *func, LsMap *options, GError **error);
LsPrimFunc *ls_pass_reduce_branching (LsPrimFunc *func, LsMap *options, GError **error);
LsPrimFunc *ls_pass_use_assume (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_rewrite_unsafe_select (LsPrimFunc *func, GError **error);

LsPrimFunc *ls_pass_narrow_data_type (LsPrimFunc *func, LsMap *options, GError **error);
LsPrimFunc *ls_pass_force_narrow_index (LsPrimFunc *func, GError **error);
LsModule   *ls_pass_inline_private_functions (LsModule *module, LsMap *options, GError **error);
LsPrimFunc *ls_pass_hoist_expression (LsPrimFunc *func, LsMap *options, GError **error);
LsPrimFunc *ls_pass_common_subexpr (LsPrimFunc *func, LsMap *options, GError **error);
LsPrimFunc *ls_pass_annotate_device_regions (LsPrimFunc *func, GError **error);
LsModule   *ls_pass_split_host_device (LsModule *module, LsMap *options, GError **error);
LsPrimFunc *ls_pass_lower_intrin (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_unify_thread_binding (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_lift_thread_binding (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_remove_weight_layout_rewrite_block (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_inject_virtual_thread (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_inject_double_buffer (LsPrimFunc *func, LsMap *options, GError **error);
LsModule   *ls_pass_lower_device_kernel_launch (LsModule *module, LsMap *options, GError **error);
LsModule   *ls_pass_convert_ssa (LsModule *module, LsMap *options, GError **error);
LsPrimFunc *ls_pass_storage_rewrite (LsPrimFunc *func, LsMap *options, GError **error);
LsPrimFunc *ls_pass_pointer_value_type_rewrite (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_loop_partition (LsPrimFunc *func, LsMap *options, GError **error);
/* The same, where a hint asks for the cut of loops of constant extent too. */
LsPrimFunc *ls_pass_loop_partition_hinted (LsPrimFunc *func, LsMap *options, GError **error);
LsModule   *ls_pass_make_packed_api (LsModule *module, LsMap *options, GError **error);
LsModule   *ls_pass_make_unpacked_api (LsModule *module, LsMap *options, GError **error);
LsPrimFunc *ls_pass_fp8_compute_legalize (LsPrimFunc *func, LsMap *options, GError **error);
LsPrimFunc *ls_pass_fp8_storage_legalize (LsPrimFunc *func, GError **error);
/* Both, for languages and machines without floats of 8 bits: itself where there are none. (transfer full) */
LsPrimFunc *ls_legalize_fp8 (LsPrimFunc *func);
LsPrimFunc *ls_pass_bf16_compute_legalize (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_bf16_storage_legalize (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_thread_sync (LsPrimFunc *func, LsMap *options, GError **error);
LsPrimFunc *ls_pass_lower_auto_copy (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_inject_software_pipeline (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_inject_ptx_async_copy (LsPrimFunc *func, GError **error);
/* Without the marks of asynchronous copies: what is copied is there when the statement is through. (transfer full) */
LsPrimFunc *ls_drop_async (LsPrimFunc *func);
LsPrimFunc *ls_pass_lower_tvm_builtin (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_lower_cross_thread_reduction (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_remove_assume (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_remove_store_undef (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_hoist_if_then_else (LsPrimFunc *func, LsMap *options, GError **error);
LsPrimFunc *ls_pass_lower_thread_allreduce (LsPrimFunc *func, LsMap *options, GError **error);
LsPrimFunc *ls_pass_combine_context_call (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_renormalize_split_pattern (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_manifest_shared_memory_local_stage (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_inject_rolling_buffer (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_inject_permuted_layout (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_transform_mma_buffer_layout (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_lower_warp_memory (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_infer_fragment (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_skip_assert (LsPrimFunc *func, GError **error);
LsPrimFunc *ls_pass_merge_shared_memory (LsPrimFunc *func, LsMap *options, GError **error);
/* The same for dynamic shared memory alone, each allocation at a multiple of 32 bytes. (transfer full) */
LsPrimFunc *ls_merge_dynamic_shared     (LsPrimFunc *kernel, GError **error);
/* Bytes of the dynamic shared memory (shared.dyn) of a kernel, as that lays it out, and of the rest of its shared memory.  What is of no constant
 * size counts as nothing. */
gint64      ls_dynamic_shared_bytes     (LsStmt *kernel);
gint64      ls_static_shared_bytes      (LsStmt *kernel);

/* What Simplify does with what buffers are known to hold, beside LsRewriteExtensions. */
enum {
  LS_SIMPLIFY_KNOWNS_IN_CONDITIONS = 1 << 8,
  LS_SIMPLIFY_KNOWNS_IN_EXPRESSIONS = 1 << 9
};

/* Simplify with optional parts of rewriting (LsRewriteExtensions, engine/arith/analyzer.h) and with the two above. */
LsPrimFunc *ls_pass_simplify_with (LsPrimFunc *func, guint extensions);
/* The same with the options by name. */
LsPrimFunc *ls_pass_simplify_by (LsPrimFunc *func, LsMap *options, GError **error);
LsModule   *ls_pass_simplify_module (LsModule *module, guint extensions);

/* Replaces the body of a function (both borrowed). */
LsPrimFunc *ls_pass_with_body (LsPrimFunc *func, gpointer body);
/* The option of that name, which is a string; `preset` where it is not given (`options` may be NULL). Borrowed. */
const char *ls_pass_word      (LsMap *options, const char *name, const char *preset);

G_END_DECLS
