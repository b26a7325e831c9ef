/* migrate-names: what is called how since 2026.  TVM: refactorings #18689 (SBlock), #18712, #18728, #18735 (s_tir), #18913 (tirx), #18275
 * (Tensor), #20378. */
#include "engine/script/migrate-private.h"

#include <string.h>

#define TIRX "tvm.tir is tvm.tirx"
#define S_TIR "What schedules is in tvm.s_tir"
#define SBLOCK "The block of a schedule is called sblock"
#define TENSOR "Arrays are called tensors and belong to tvm.runtime"
#define COMPILE "Everything is built by tvm.compile"
#define FFI "Functions are registered by tvm.register_global_func and tvm_ffi"
#define TYPES "What is known of a value is called its type"
#define TOGETHER "Tuning and dlight are in tvm.s_tir"

/* In any order: the longest that fits counts. */
static const LsMigrateRule RULES[] = {
  { "tvm.tir", "tvm.tirx", TIRX },
  { "tvm.script.tir", "tvm.script.tirx", TIRX },
  { "tvm.script.parser.tir", "tvm.script.parser.tirx", TIRX },
  { "tvm.script.ir_builder.tir", "tvm.script.ir_builder.tirx", TIRX },

  { "tvm.script.tir.block", "tvm.script.tirx.sblock", SBLOCK },
  { "tvm.script.tir.block_attr", "tvm.script.tirx.sblock_attr", SBLOCK },
  { "tvm.script.tir.alloc_buffer", "tvm.script.tirx.sblock_alloc_buffer", SBLOCK },
  { "tvm.script.tir.buffer_decl", "tvm.script.tirx.Buffer", "T.buffer_decl is T.Buffer" },
  { "tvm.script.parser.tir.block", "tvm.script.parser.tirx.sblock", SBLOCK },
  { "tvm.script.parser.tir.block_attr", "tvm.script.parser.tirx.sblock_attr", SBLOCK },
  { "tvm.script.parser.tir.alloc_buffer", "tvm.script.parser.tirx.sblock_alloc_buffer", SBLOCK },

  { "tvm.tir.Schedule", "tvm.s_tir.Schedule", S_TIR },
  { "tvm.tir.ScheduleError", "tvm.s_tir.ScheduleError", S_TIR },
  { "tvm.tir.ScheduleState", "tvm.s_tir.ScheduleState", S_TIR },
  { "tvm.tir.StmtSRef", "tvm.s_tir.StmtSRef", S_TIR },
  { "tvm.tir.Trace", "tvm.s_tir.Trace", S_TIR },
  { "tvm.tir.TensorIntrin", "tvm.s_tir.TensorIntrin", S_TIR },
  { "tvm.tir.schedule", "tvm.s_tir.schedule", S_TIR },
  { "tvm.tir.tensor_intrin", "tvm.s_tir.tensor_intrin", S_TIR },
  { "tvm.tir.MatchBufferRegion", "tvm.s_tir.MatchBufferRegion", S_TIR },
  { "tvm.tir.Layout", "tvm.s_tir.SLayout", S_TIR },
  { "tvm.tir.layout", "tvm.s_tir.slayout", S_TIR },
  { "tvm.tir.BijectiveLayout", "tvm.s_tir.SBijectiveLayout", S_TIR },
  { "tvm.tir.bijective_layout", "tvm.s_tir.sbijective_layout", S_TIR },
  { "tvm.tir.Block", "tvm.s_tir.SBlock", SBLOCK },
  { "tvm.tir.BlockRealize", "tvm.s_tir.SBlockRealize", SBLOCK },
  { "tvm.tir.BlockScope", "tvm.s_tir.SBlockScope", SBLOCK },
  { "tvm.tir.BlockDependenceInfo", "tvm.s_tir.SBlockDependenceInfo", SBLOCK },
  { "tvm.tir.schedule.BlockRV", "tvm.s_tir.schedule.SBlockRV", SBLOCK },
  { "tvm.tir.schedule.BlockScope", "tvm.s_tir.schedule.SBlockScope", SBLOCK },
  { "tvm.tir.analysis.get_block_access_region", "tvm.s_tir.analysis.get_sblock_access_region", SBLOCK },
  { "tvm.tir.analysis.get_block_read_write_region", "tvm.s_tir.analysis.get_sblock_read_write_region", SBLOCK },
  { "tvm.tir.analysis.find_anchor_block", "tvm.s_tir.analysis.find_anchor_sblock", SBLOCK },
  { "tvm.tir.analysis.detect_buffer_access_lca", "tvm.s_tir.analysis.detect_buffer_access_lca", S_TIR },
  { "tvm.tir.analysis.verify_gpu_code", "tvm.s_tir.analysis.verify_gpu_code", S_TIR },
  { "tvm.tir.analysis.calculate_allocated_bytes", "tvm.s_tir.analysis.calculate_allocated_bytes", S_TIR },
  { "tvm.tir.analysis.estimate_tir_flops", "tvm.s_tir.analysis.estimate_tir_flops", S_TIR },
  { "tvm.tir.analysis.OOBChecker", "tvm.s_tir.analysis.OOBChecker", S_TIR },
  { "tvm.tir.analysis.is_pure_function", "tvm.s_tir.analysis.is_pure_function", S_TIR },
  { "tvm.tir.analysis.assert_pure_function", "tvm.s_tir.analysis.assert_pure_function", S_TIR },

  { "tvm.meta_schedule", "tvm.s_tir.meta_schedule", TOGETHER },
  { "tvm.dlight", "tvm.s_tir.dlight", TOGETHER },

  { "tvm.nd.array", "tvm.runtime.tensor", TENSOR },
  { "tvm.nd.empty", "tvm.runtime.empty", TENSOR },
  { "tvm.nd.NDArray", "tvm.runtime.Tensor", TENSOR },
  { "tvm.nd.from_dlpack", "tvm.runtime.from_dlpack", TENSOR },
  { "tvm.nd.cpu", "tvm.cpu", TENSOR },
  { "tvm.nd.cuda", "tvm.cuda", TENSOR },
  { "tvm.nd.device", "tvm.device", TENSOR },
  { "tvm.nd", "tvm.runtime", TENSOR },
  { "tvm.ndarray.array", "tvm.runtime.tensor", TENSOR },
  { "tvm.ndarray.empty", "tvm.runtime.empty", TENSOR },
  { "tvm.ndarray.NDArray", "tvm.runtime.Tensor", TENSOR },
  { "tvm.ndarray", "tvm.runtime", TENSOR },
  { "tvm.runtime.NDArray", "tvm.runtime.Tensor", TENSOR },
  { "tvm.runtime.ndarray.array", "tvm.runtime.tensor", TENSOR },
  { "tvm.runtime.ndarray.NDArray", "tvm.runtime.Tensor", TENSOR },

  { "tvm.build", "tvm.compile", COMPILE },
  { "tvm.relax.build", "tvm.compile", COMPILE },
  { "tvm.relax.vm.build", "tvm.compile", COMPILE },
  { "tvm.relax.vm_build.build", "tvm.compile", COMPILE },
  { "tvm.relax.vm.VirtualMachine", "tvm.relax.VirtualMachine", "The virtual machine is relax.VirtualMachine" },

  { "tvm.register_func", "tvm.register_global_func", FFI },
  { "tvm._ffi.register_func", "tvm.register_global_func", FFI },
  { "tvm._ffi.get_global_func", "tvm.get_global_func", FFI },
  { "tvm._ffi.register_object", "tvm_ffi.register_object", FFI },
  { "tvm.ffi", "tvm_ffi", FFI },

  { "tvm.relax.TensorStructInfo", "tvm.relax.TensorType", TYPES },
  { "tvm.relax.struct_info.TensorStructInfo", "tvm.relax.TensorType", TYPES },
  { "tvm.relax.ShapeStructInfo", "tvm.relax.ShapeType", TYPES },
  { "tvm.relax.struct_info.ShapeStructInfo", "tvm.relax.ShapeType", TYPES },
  { "tvm.relax.TupleStructInfo", "tvm.relax.TupleType", TYPES },
  { "tvm.relax.struct_info.TupleStructInfo", "tvm.relax.TupleType", TYPES },
  { "tvm.relax.FuncStructInfo", "tvm.relax.FuncType", TYPES },
  { "tvm.relax.struct_info.FuncStructInfo", "tvm.relax.FuncType", TYPES },
  { "tvm.relax.ObjectStructInfo", "tvm.relax.AnyType", TYPES },
  { "tvm.relax.struct_info.ObjectStructInfo", "tvm.relax.AnyType", TYPES },
  { "tvm.relax.PrimStructInfo", "tvm.ir.PrimType", TYPES },
  { "tvm.relax.struct_info.PrimStructInfo", "tvm.ir.PrimType", TYPES },

  { "tvm.relay", NULL, "Relay is no part of TVM any more: models are imported into Relax (tvm.relax.frontend)" },
  { "tvm.autotvm", NULL, "AutoTVM is no part of TVM any more: tvm.s_tir.meta_schedule tunes" },
  { "tvm.auto_scheduler", NULL, "The auto-scheduler is no part of TVM any more: tvm.s_tir.meta_schedule tunes" },
  { "tvm.micro", NULL, "microTVM is no part of TVM any more" },
  { "tvm.te.create_schedule", NULL, "te has no schedules any more: te.create_prim_func makes a function that tvm.s_tir.Schedule schedules" },
  { "tvm.te.schedule", NULL, "te has no schedules any more: te.create_prim_func makes a function that tvm.s_tir.Schedule schedules" },
  { "tvm.lower", NULL, "Lowering is done by tvm.compile, or pass by pass (tvm.tirx.transform, tvm.s_tir.transform)" },
  { "tvm.contrib.graph_executor", NULL, "The graph executor is no part of TVM any more: relax.VirtualMachine runs models" },
  { "tvm.relax.DynTensorType", NULL, "A type with shape is relax.TensorType(shape, dtype)" },
};

/* Passes that went from tvm.tir.transform to tvm.s_tir.transform; their options ("tir.LoopPartition") with them. */
static const char *const PASSES[] = {
  "AnnotateIrregularLoop", "CanonicalizeLoop", "CompactBufferAllocation", "ConvertBlocksToOpaque", "DecorateDeviceScope", "DefaultGPUSchedule",
  "HoistExpression", "HoistIfThenElse", "HoistedConditionals", "HoistedLetBindings", "InferFragment", "InjectDoubleBuffer", "InjectPTXAsyncCopy",
  "InjectPTXLDG32", "InjectPermutedLayout", "InjectSoftwarePipeline", "InjectVirtualThread", "InstrumentBoundCheckers",
  "InstrumentProfileIntrinsics", "LiftThreadBinding", "LoopPartition", "LowerAsyncDMA", "LowerAutoCopy", "LowerCrossThreadReduction",
  "LowerInitBlock", "LowerMatchBuffer", "LowerOpaqueBlock", "LowerThreadAllreduce", "LowerVtcmAlloc", "ManifestSharedMemoryLocalStage",
  "MergeSharedMemoryAllocations", "PlanAndUpdateBufferAllocationLocation", "RemoveStoreUndef", "RemoveWeightLayoutRewriteBlock",
  "RenormalizeSplitPattern", "RewriteUnsafeSelect", "ThreadSync", "TransformMmaBufferLayout", "UnifyThreadBinding",
  "UseAssumeToReduceBranches", "VerifyVTCMLimit",
};

static const LsMigrateRule PASS_RULE = { "tvm.tir.transform", "tvm.s_tir.transform", S_TIR };

static const LsMigrateRule METHODS[] = {
  { "get_block", "get_sblock", SBLOCK },
  { "get_child_blocks", "get_child_sblocks", SBLOCK },
  { "get_output_blocks", "get_output_sblocks", SBLOCK },
  { "asnumpy", "numpy", TENSOR },
};

static const LsMigrateRule ATTRIBUTES[] = {
  { "struct_info", "ty", TYPES }, { "struct_info_", "ty", TYPES }, { "ret_struct_info", "ret_ty", TYPES },
};

static const LsMigrateRule KEYWORDS[] = {
  { "out_sinfo", "out_ty", TYPES }, { "sinfo_args", "ty_args", TYPES }, { "ret_struct_info", "ret_ty", TYPES },
};

/* tvm.compile gives an executable around the module that tvm.build gave. */
static const LsMigrateRule OF_BUILT[] = {
  { "time_evaluator", "mod.time_evaluator", "What tvm.compile gives has the module as .mod" },
  { "imported_modules", "mod.imports", "What tvm.compile gives has the module as .mod" },
  { "get_source", "mod.get_source", "What tvm.compile gives has the module as .mod" },
};

gboolean
ls_migrate_is_under (const char *name,
                     const char *path)
{
  gsize length = strlen (path);

  return strncmp (name, path, length) == 0 && (name[length] == '\0' || name[length] == '.');
}

/* Is the first component of `text`, up to `length`, one of the passes that moved? */
static gboolean
is_pass (const char *text,
         gsize       length)
{
  for (guint i = 0; i < G_N_ELEMENTS (PASSES); i++)
    if (strlen (PASSES[i]) == length && strncmp (text, PASSES[i], length) == 0)
      return TRUE;
  return FALSE;
}

const LsMigrateRule *
ls_migrate_find_rule (const char *path)
{
  const LsMigrateRule *best = NULL;

  if (g_str_has_prefix (path, "tvm.tir.transform."))
    {
      const char *pass = path + strlen ("tvm.tir.transform.");

      if (is_pass (pass, strcspn (pass, ".")))
        return &PASS_RULE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (RULES); i++)
    if (ls_migrate_is_under (path, RULES[i].before) && (best == NULL || strlen (best->before) < strlen (RULES[i].before)))
      best = &RULES[i];
  return best;
}

char *
ls_migrate_apply (const LsMigrateRule *rule,
                  const char          *path)
{
  return g_strconcat (rule->after, path + strlen (rule->before), NULL);
}

static const LsMigrateRule *
find_by_name (const LsMigrateRule *rules,
              guint                n,
              const char          *name)
{
  for (guint i = 0; i < n; i++)
    if (strcmp (rules[i].before, name) == 0)
      return &rules[i];
  return NULL;
}

const LsMigrateRule *
ls_migrate_find_method (const char *name)
{
  return find_by_name (METHODS, G_N_ELEMENTS (METHODS), name);
}

const LsMigrateRule *
ls_migrate_find_attribute (const char *name)
{
  return find_by_name (ATTRIBUTES, G_N_ELEMENTS (ATTRIBUTES), name);
}

const LsMigrateRule *
ls_migrate_find_keyword (const char *name)
{
  return find_by_name (KEYWORDS, G_N_ELEMENTS (KEYWORDS), name);
}

const LsMigrateRule *
ls_migrate_find_of_built (const char *name)
{
  return find_by_name (OF_BUILT, G_N_ELEMENTS (OF_BUILT), name);
}

char *
ls_migrate_string (const char *text,
                   gsize       length)
{
  if (length <= 4 || strncmp (text, "tir.", 4) != 0)
    return NULL;
  for (gsize i = 4; i < length; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '_' && text[i] != '.')
      return NULL;
  return g_strdup_printf ("%s%.*s", is_pass (text + 4, length - 4) ? "s_tir." : "tirx.", (int) (length - 4), text + 4);
}
