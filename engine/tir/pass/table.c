/* table: the list of passes and the pipeline.  It stands above the passes; what they share is in pass.c. */
#include "engine/ir/functions.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/narrow-floats.h"
#include "engine/tir/pass/pass.h"
#include "engine/tir/guard.h"
#include "engine/tir/settle.h"

#include "engine/arith/analyzer.h"
#include "engine/base/stack.h"

#include <string.h>

#define END { NULL, NULL, NULL }

static const LsPassParam SIMPLIFY[] = {
  { "transitively_prove_inequalities", "bool", "False" }, { "convert_boolean_to_and_of_ors", "bool", "False" },
  { "apply_constraints_to_boolean_branches", "bool", "False" }, { "propagate_knowns_to_prove_conditional", "bool", "False" },
  { "propagate_knowns_to_simplify_expressions", "bool", "False" }, END
};
static const LsPassParam COMPACT[] = { { "is_strict", "bool", "True" }, END };
static const LsPassParam NARROW[] = { { "target_bits", "int", "32" }, END };
static const LsPassParam HOIST[] = { { "hoisted_conditionals", "int", "15" }, { "hoisted_let_bindings", "int", "7" }, END };
static const LsPassParam HOIST_IF[] = { { "support_block_scope_hosting", "bool", "False" }, END };
static const LsPassParam VECTORIZE[] = { { "enable_buffer_level_predication", "int", "2" }, { "scalable_target", "bool", "False" }, END };
static const LsPassParam COMMON[] = { { "enable_cse_tir", "bool", "True" }, { "identify_equiv_terms", "bool", "False" }, END };
static const LsPassParam DOUBLE[] = { { "split_loop", "int", "1" }, END };
static const LsPassParam SYNC[] = { { "storage_scope", "str", "\"shared\"" }, END };
static const LsPassParam BARRIERS[] = { { "barriers", "str", "\"all\"" }, END };
static const LsPassParam PROMOTE[] = { { "promote_dtype_str", "str", "\"float32\"" }, END };
static const LsPassParam DATAFLOW[] = { { "use_dataflow_analysis", "bool", "False" }, END };
static const LsPassParam PARTITION[] = {
  { "partition_const_loop", "bool", "False" }, { "no_unroll_loop_with_extent_one", "bool", "False" },
  { "unroll_loop_with_partition_hint_no_interval", "bool", "False" }, END
};

static const LsPass PASSES[] = {
  { "LowerInitBlock", LS_TEXT ("Writes T.init() out as an if on the first reduction iteration."), ls_pass_lower_init_block },
  { "PlanAndUpdateBufferAllocationLocation", LS_TEXT ("Moves each allocation to the innermost place that encloses all its uses."), ls_pass_plan_buffer_allocation },
  { "ConvertBlocksToOpaque", LS_TEXT ("Replaces block variables by the loop expressions that they are bound to."), ls_pass_convert_blocks_to_opaque },
  { .name = "CompactBufferAllocation", .summary = LS_TEXT ("Shrinks each allocation to the region that is used of it."),
    .run_with = ls_pass_compact_buffer_allocation, .params = COMPACT },
  { "LowerMatchBuffer", LS_TEXT ("Replaces matched buffers by the buffers that they are windows of."), ls_pass_lower_match_buffer },
  { .name = "Simplify", .summary = LS_TEXT ("Simplifies expressions and conditions with the ranges of the loops."), .run_with = ls_pass_simplify_by, .params = SIMPLIFY },
  { "LowerOpaqueBlock", LS_TEXT ("Removes blocks: predicates become if, allocations become T.allocate, unit loops vanish."), ls_pass_lower_opaque_block },
  { "FlattenBuffer", LS_TEXT ("Turns buffers of several dimensions into flat ones."), ls_pass_flatten_buffer },
  { .name = "VectorizeLoop", .summary = LS_TEXT ("Turns vectorised loops into operations on vectors."),
    .run_with = ls_pass_vectorize_loop, .params = VECTORIZE },
  { "UnrollLoop", LS_TEXT ("Writes unrolled loops out."), ls_pass_unroll_loop },
  { .name = "RemoveNoOp", .summary = LS_TEXT ("Removes loops and statements that do nothing."),
    .run_with = ls_pass_remove_no_op, .params = DATAFLOW },
  { "RewriteUnsafeSelect", LS_TEXT ("Turns T.Select into T.if_then_else where the side not taken must not be read."), ls_pass_rewrite_unsafe_select },
  { .name = "NarrowDataType", .summary = "Gives indices and loops that need no more the type of 32 bits (target_bits).",
    .run_with = ls_pass_narrow_data_type, .params = NARROW },
  { .name = "ForceNarrowIndexToInt32", .summary = "Gives every index, loop and number parameter the type int32.", .run = ls_pass_force_narrow_index },
  { .name = "InlinePrivateFunctions", .summary = "Puts functions that only the module sees where they are called.",
    .run_module = ls_pass_inline_private_functions },
  { .name = "HoistExpression", .summary = "Asks conditions and makes bindings outside of the loops that do not change them.",
    .run_with = ls_pass_hoist_expression, .params = HOIST },
  { .name = "CommonSubexprElimTIR", .summary = "Computes once what is computed several times.", .run_with = ls_pass_common_subexpr, .params = COMMON },
  { .name = "AnnotateDeviceRegions", .summary = "Marks what runs in the threads of a device with its target.",
    .run = ls_pass_annotate_device_regions },
  { .name = "SplitHostDevice", .summary = "Makes functions of what is marked with a target of its own.", .run_module = ls_pass_split_host_device },
  { .name = "LowerIntrin", .summary = "Writes floor division and modulo with the division of the machine.", .run = ls_pass_lower_intrin },
  { .name = "UnifyThreadBinding", .summary = "Gives each thread axis of a kernel one variable and one loop.", .run = ls_pass_unify_thread_binding },
  { .name = "LiftThreadBinding", .summary = "Gives each thread axis of a kernel one loop, as far out as it encloses all.", .run = ls_pass_lift_thread_binding },
  { .name = "LowerDeviceKernelLaunch", .summary = "Writes calls of functions of other targets as launches or calls from outside.",
    .run_module = ls_pass_lower_device_kernel_launch },
  { .name = "InjectVirtualThread", .summary = "Writes virtual threads out as loops or copies.", .run = ls_pass_inject_virtual_thread },
  { .name = "InjectDoubleBuffer", .summary = "Fetches the data of the next round while a round computes (split_loop).", .run_with = ls_pass_inject_double_buffer, .params = DOUBLE },
  { .name = "RemoveWeightLayoutRewriteBlock", .summary = "Takes weights in the layout that the program copies them to.",
    .run = ls_pass_remove_weight_layout_rewrite_block },
  { .name = "ConvertSSA", .summary = "Gives every variable of a module one definition.", .run_module = ls_pass_convert_ssa },
  { .name = "HoistIfThenElse", .summary = "Asks conditions outside of the loops that do not change them.",
    .run_with = ls_pass_hoist_if_then_else, .params = HOIST_IF },
  { .name = "RemoveAssume", .summary = "Takes T.assume out, and the statements that did nothing else.", .run = ls_pass_remove_assume },
  { .name = "RemoveStoreUndef", .summary = "Takes stores of T.undef() out, and the statements that did nothing else.",
    .run = ls_pass_remove_store_undef },
  { .name = "MergeSharedMemoryAllocations", .summary = "Puts the shared memory of a kernel into one allocation.",
    .run_with = ls_pass_merge_shared_memory },
  { .name = "ReduceBranchingThroughOvercompute", .summary = "Drops conditions where computing more does no harm (use_dataflow_analysis).",
    .run_with = ls_pass_reduce_branching, .params = DATAFLOW },
  { .name = "UseAssumeToReduceBranches", .summary = "Drops choices of values that T.assume says to be equal.", .run = ls_pass_use_assume },
  { .name = "SkipAssert", .summary = "Takes assertions out.", .run = ls_pass_skip_assert },
  { .name = "LowerCrossThreadReduction", .summary = "Writes reductions over threads as one in each thread and one across them.",
    .run = ls_pass_lower_cross_thread_reduction },
  { .name = "CombineContextCall", .summary = "Asks for equal contexts of threads once, outside of the loops.",
    .run = ls_pass_combine_context_call },
  { .name = "LowerThreadAllreduce", .summary = "Writes reductions over threads as shuffles within warps, or by shared memory (barriers: \"all\" of TVM's, or those \"needed\").",
    .run_with = ls_pass_lower_thread_allreduce, .params = BARRIERS },
  { .name = "LowerTVMBuiltin", .summary = "Writes packed calls and memory of devices as what the runtime offers.",
    .run = ls_pass_lower_tvm_builtin },
  { .name = "InjectSoftwarePipeline", .summary = "Runs the parts of a loop's body as the stages of a pipeline.",
    .run = ls_pass_inject_software_pipeline },
  { .name = "InjectPTXAsyncCopy", .summary = "Writes copies to shared memory that are marked as asynchronous as cp.async.", .run = ls_pass_inject_ptx_async_copy },
  { .name = "ThreadSync", .summary = "Puts barriers where threads read what others have written (storage_scope).", .run_with = ls_pass_thread_sync, .params = SYNC },
  { .name = "FP8ComputeLegalize", .summary = "Computes with wider floats where the machine does not know the floats of 8 bits (promote_dtype_str).",
    .run_with = ls_pass_fp8_compute_legalize, .params = PROMOTE },
  { .name = "FP8StorageLegalize", .summary = "Stores the floats of 8 bits as uint8 where the machine does not know them.",
    .run = ls_pass_fp8_storage_legalize },
  { .name = "BF16StorageLegalize", .summary = "Stores bfloat16 as uint16 where the machine does not know it.",
    .run = ls_pass_bf16_storage_legalize },
  { .name = "BF16ComputeLegalize", .summary = "Computes with float32 where the machine does not know bfloat16.",
    .run = ls_pass_bf16_compute_legalize },
  { .name = "MakeUnpackedAPI", .summary = "Gives functions that are seen from outside the data pointers of their buffers as parameters.",
    .run_module = ls_pass_make_unpacked_api },
  { .name = "MakePackedAPI", .summary = "Gives functions that are seen from outside the signature of a packed call.",
    .run_module = ls_pass_make_packed_api },
  { .name = "LoopPartition", .summary = LS_TEXT ("Cuts loops where a condition inside of them changes."), .run_with = ls_pass_loop_partition, .params = PARTITION },
  { .name = "PointerValueTypeRewrite", .summary = "Makes pointers that are accessed by vectors pointers to vectors.",
    .run = ls_pass_pointer_value_type_rewrite },
  { .name = "RenormalizeSplitPattern", .summary = "Writes indices of split loops in the form that loops are cut by.",
    .run = ls_pass_renormalize_split_pattern },
  { .name = "ManifestSharedMemoryLocalStage", .summary = "Lets marked copies to shared memory go through registers.",
    .run = ls_pass_manifest_shared_memory_local_stage },
  { .name = "LowerAutoCopy", .summary = "Lets all threads of a block make the copies marked with auto_copy, neighbours neighbouring elements.",
    .run = ls_pass_lower_auto_copy },
  { .name = "InjectRollingBuffer", .summary = "Computes only what the round before has not, in buffers that go round.",
    .run = ls_pass_inject_rolling_buffer },
  { .name = "InjectPermutedLayout", .summary = "Permutes marked accesses of shared memory so that banks do not collide.",
    .run = ls_pass_inject_permuted_layout },
  { .name = "TransformMmaBufferLayout", .summary = "Keeps in registers what a warp's tensor cores hold (m16n8k8), and finds elements of matrixC in them.",
    .run = ls_pass_transform_mma_buffer_layout },
  { .name = "LowerWarpMemory", .summary = "Keeps memory of a warp in registers of its threads, read by shuffles.",
    .run = ls_pass_lower_warp_memory },
  { .name = "InferFragment", .summary = "Tells allocations of matrix fragments their shape and layout.", .run = ls_pass_infer_fragment },
  { .name = "StorageRewrite", .summary = "Lets allocations share memory where their lives do not overlap.", .run_with = ls_pass_storage_rewrite },
};

/* Simplify runs once more near the end, as in TVM. */
static const char *const PIPELINE[] = {
  "LowerInitBlock", "PlanAndUpdateBufferAllocationLocation", "ConvertBlocksToOpaque", "CompactBufferAllocation",
  "LowerMatchBuffer", "Simplify", "LowerOpaqueBlock", "FlattenBuffer", "LoopPartition", "VectorizeLoop",
  "UnrollLoop", "Simplify", "RemoveNoOp", "RewriteUnsafeSelect",
};

/* TVM's pipeline for a GPU up to the split of host and device.  A word behind a name: the value of the pass's
 * option.  TVM's has all barriers of LowerThreadAllreduce. */
static const char *const DEVICE_PIPELINE[] = {
  "LowerCrossThreadReduction", "LowerInitBlock", "PlanAndUpdateBufferAllocationLocation", "ConvertBlocksToOpaque", "LiftThreadBinding",
  "ManifestSharedMemoryLocalStage", "CompactBufferAllocation", "LowerAutoCopy", "UnifyThreadBinding", "LowerMatchBuffer", "Simplify", "InjectPermutedLayout",
  "InjectSoftwarePipeline", "TransformMmaBufferLayout", "LowerOpaqueBlock", "FlattenBuffer", "BF16ComputeLegalize", "NarrowDataType", "LoopPartition", "VectorizeLoop",
  "InjectVirtualThread", "InjectDoubleBuffer", "UnrollLoop", "RenormalizeSplitPattern", "Simplify", "RemoveNoOp", "RewriteUnsafeSelect",
  "ThreadSync shared", "ThreadSync shared.dyn", "ThreadSync warp", "InferFragment", "LowerThreadAllreduce needed", "LowerWarpMemory",
};

/* A hint asks for the cut of any loop there.  (TVM cuts those of constant extent with an option only.) */
static const LsPass CUTS_HINTED = {
  .name = "LoopPartition", .summary = LS_TEXT ("Cuts loops where a condition inside of them changes."), .run_with = ls_pass_loop_partition_hinted, .params = PARTITION,
};

static const LsPass *
of_processors (const char *name)
{
  return strcmp (name, CUTS_HINTED.name) == 0 ? &CUTS_HINTED : ls_pass_get (name);
}

const LsPass *const *
ls_pass_list (guint *n)
{
  static const LsPass *list[G_N_ELEMENTS (PIPELINE)];

  for (guint i = 0; i < G_N_ELEMENTS (PIPELINE); i++)
    list[i] = of_processors (PIPELINE[i]);
  *n = G_N_ELEMENTS (PIPELINE);
  return list;
}

const LsPass *const *
ls_pass_all (guint *n)
{
  static const LsPass *list[G_N_ELEMENTS (PASSES)];

  for (guint i = 0; i < G_N_ELEMENTS (PASSES); i++)
    list[i] = &PASSES[i];
  *n = G_N_ELEMENTS (PASSES);
  return list;
}

const LsPass *
ls_pass_get (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (PASSES); i++)
    if (strcmp (PASSES[i].name, name) == 0)
      return &PASSES[i];
  return NULL;
}

static LsPrimFunc *
run_pass (const LsPass  *pass,
          LsPrimFunc    *func,
          LsMap         *options,
          GError       **error)
{
  LsPrimFunc *after = pass->run != NULL ? pass->run (func, error) : pass->run_with (func, options, error);

  if (after == NULL)
    g_prefix_error (error, "%s: ", pass->name);
  return after;
}

/* The pass of a step of a pipeline, "NAME" or "NAME VALUE", and its options: the first of its parameters has that value. */
static const LsPass *
read_step (const char *step,
           LsMap     **options)
{
  const char *space = strchr (step, ' ');
  g_autofree char *name = space != NULL ? g_strndup (step, (gsize) (space - step)) : g_strdup (step);
  const LsPass *pass = ls_pass_get (name);

  *options = NULL;
  if (space != NULL)
    {
      const char *key = pass->params[0].name;
      LsNode *value = LS_NODE (ls_string_new (space + 1));

      *options = ls_map_new (&key, &value, 1);
    }
  return pass;
}

/* Reductions over threads are recognised by the init that the program has: sums are settled behind that pass. */
static LsPrimFunc *
lower (LsPrimFunc        *func,
       const char *const *steps,
       guint              n_steps,
       guint              settle_before,
       LsPassHook         hook,
       gpointer           user_data,
       GError           **error)
{
  LsPrimFunc *current = ls_guard_scatter (func);

  for (guint i = 0; i < n_steps && current != NULL; i++)
    {
      g_autoptr (LsMap) options = NULL;
      const LsPass *pass = steps == PIPELINE ? of_processors (steps[i]) : read_step (steps[i], &options);
      gint64 start = g_get_monotonic_time ();
      LsPrimFunc *next;

      if (i == settle_before)
        ls_take (&current, ls_settle_sums (current));
      if (strcmp (pass->name, "FlattenBuffer") == 0)
        ls_take (&current, ls_guard_indices (current));
      next = pass->run == ls_pass_bf16_compute_legalize ? ls_legalize_bf16 (current) : run_pass (pass, current, options, error);
      if (next != NULL && hook != NULL)
        hook (pass, current, next, (g_get_monotonic_time () - start) * 1000, user_data);
      ls_unref (current);
      current = next;
    }
  return current;
}

LsPrimFunc *
ls_lower (LsPrimFunc  *func,
          LsPassHook   hook,
          gpointer     user_data,
          GError     **error)
{
  return lower (func, PIPELINE, G_N_ELEMENTS (PIPELINE), 0, hook, user_data, error);
}

#define FIRST_WITH_ASYNC_COPIES 80      /* sm_80 */

static LsWalk
find_async (LsNode  *node,
            gpointer data)
{
  if (!ls_is_attr (node, "async_scope") && !ls_is_attr (node, "async_wait_queue_scope"))
    return LS_WALK_CONTINUE;
  *(gboolean *) data = TRUE;
  return LS_WALK_STOP;
}

LsPrimFunc *
ls_lower_device (LsPrimFunc           *func,
                 const LsDeviceTarget *target,
                 LsPassHook            hook,
                 gpointer              user_data,
                 GError              **error)
{
  g_autoptr (LsMap) attrs = ls_device_target_attrs (target);
  g_autoptr (LsPrimFunc) bound = ls_prim_func_with_attr (func, "target", attrs);

  g_autoptr (LsPrimFunc) lowered = lower (bound, DEVICE_PIPELINE, G_N_ELEMENTS (DEVICE_PIPELINE), 1, hook, user_data, error);
  gboolean nvidia = strcmp (target->kind, "cuda") == 0 || strcmp (target->kind, "nvptx") == 0, marked = FALSE;
  static const char *const copies[] = { "InjectPTXAsyncCopy" };

  if (lowered == NULL)
    return NULL;
  ls_walk (lowered->body, find_async, NULL, &marked);
  if (!marked)
    return g_steal_pointer (&lowered);
  if (!nvidia || !g_str_has_prefix (target->arch, "sm_") || g_ascii_strtoull (target->arch + 3, NULL, 10) < FIRST_WITH_ASYNC_COPIES)
    {
      g_autoptr (LsPrimFunc) plain = ls_drop_async (lowered);
      g_autofree char *text = g_strdup_printf ("Copies that are marked as asynchronous are ordinary ones for %s%s%s: only NVIDIA's devices from sm_%d on have them.", target->kind,
                                               *target->arch != 0 ? " " : "", target->arch, FIRST_WITH_ASYNC_COPIES);
      g_autoptr (LsString) note = ls_string_new (text);

      return ls_prim_func_with_attr (plain, LS_DEVICE_NOTE, note);
    }
  return lower (lowered, copies, 1, 1, hook, user_data, error);
}

typedef LsPrimFunc *(*FuncMap) (LsPrimFunc *func, gpointer user_data, GError **error);

typedef struct {
  LsModule *module;
  FuncMap   map;
  gpointer  user_data;
  GError  **error;
  LsModule *result;
} Mapping;

static LsModule *map_functions (LsModule *module, FuncMap map, gpointer user_data, GError **error);

static void
map_again (gpointer data)
{
  Mapping *mapping = data;

  mapping->result = map_functions (mapping->module, mapping->map, mapping->user_data, mapping->error);
}

static LsModule *
map_functions (LsModule  *module,
               FuncMap    map,
               gpointer   user_data,
               GError   **error)
{
  g_autoptr (GPtrArray) functions = NULL;

  if (ls_stack_is_short ())
    {
      Mapping mapping = { module, map, user_data, error, NULL };

      ls_stack_extend (map_again, &mapping);
      return mapping.result;
    }
  functions = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  for (guint i = 0; i < module->functions->n; i++)
    {
      LsNode *func = module->functions->items[i], *after = NULL;

      if (!ls_is (func, PRIM_FUNC))
        after = ls_node_ref (func);
      else if (error == NULL || !ls_stop_asked (error))
        after = LS_NODE (map ((LsPrimFunc *) func, user_data, error));
      if (after == NULL)
        return NULL;
      g_ptr_array_add (functions, after);
    }
  return ls_module_with_functions (module, ls_array_take_ptr_array (g_steal_pointer (&functions)));
}

typedef struct {
  const LsPass *pass;
  LsMap        *options;
} Given;

static LsPrimFunc *
map_pass (LsPrimFunc  *func,
          gpointer     user_data,
          GError     **error)
{
  Given *given = user_data;

  return run_pass (given->pass, func, given->options, error);
}

LsModule *
ls_pass_run_module_with (const LsPass  *pass,
                         LsModule      *module,
                         LsMap         *options,
                         GError       **error)
{
  Given given = { pass, options };
  LsModule *after;

  if (pass->run_module == NULL)
    return map_functions (module, map_pass, &given, error);
  after = pass->run_module (module, options, error);
  if (after == NULL)
    g_prefix_error (error, "%s: ", pass->name);
  return after;
}

LsModule *
ls_pass_run_module (const LsPass  *pass,
                    LsModule      *module,
                    GError       **error)
{
  return ls_pass_run_module_with (pass, module, NULL, error);
}

LsPrimFunc *
ls_pass_simplify_by (LsPrimFunc  *func,
                     LsMap       *options,
                     GError     **error)
{
  static const struct { const char *name; guint extension; } PARTS[] = {
    { "transitively_prove_inequalities", LS_REWRITE_TRANSITIVELY_PROVE_INEQUALITIES }, { "convert_boolean_to_and_of_ors", LS_REWRITE_CONVERT_BOOLEAN_TO_AND_OF_ORS },
    { "apply_constraints_to_boolean_branches", LS_REWRITE_APPLY_CONSTRAINTS_TO_BOOLEAN_BRANCHES },
    { "propagate_knowns_to_prove_conditional", LS_SIMPLIFY_KNOWNS_IN_CONDITIONS },
    { "propagate_knowns_to_simplify_expressions", LS_SIMPLIFY_KNOWNS_IN_EXPRESSIONS },
  };
  guint extensions = 0;

  for (guint i = 0; i < G_N_ELEMENTS (PARTS); i++)
    if (ls_pass_option (options, PARTS[i].name, 0) != 0)
      extensions |= PARTS[i].extension;
  return ls_pass_simplify_with (func, extensions);
}

static LsPrimFunc *
map_simplify (LsPrimFunc  *func,
              gpointer     user_data,
              GError     **error)
{
  return ls_pass_simplify_with (func, *(guint *) user_data);
}

LsModule *
ls_pass_simplify_module (LsModule *module,
                         guint     extensions)
{
  return map_functions (module, map_simplify, &extensions, NULL);
}

typedef struct {
  LsPassHook hook;
  gpointer   user_data;
} Hooked;

static LsPrimFunc *
map_lower (LsPrimFunc  *func,
           gpointer     user_data,
           GError     **error)
{
  Hooked *hooked = user_data;

  return ls_lower (func, hooked->hook, hooked->user_data, error);
}

LsModule *
ls_lower_module (LsModule    *module,
                 LsPassHook   hook,
                 gpointer     user_data,
                 GError     **error)
{
  Hooked hooked = { hook, user_data };

  return map_functions (module, map_lower, &hooked, error);
}
