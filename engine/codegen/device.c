/* device: what a thread of a GPU has and a CPU has not: its number, barriers, memory of the block, shuffles; for NVIDIA's (LLVM's NVPTX) and
 * AMD's (AMDGPU).
 *
 * Of mathematics only what LLVM makes of instructions of the device is here; functions that CUDA or ROCm have in libraries (libdevice, ocml) are
 * refused by name.
 */
#include "engine/codegen/codegen-private.h"

#include <string.h>

#define SHARED_SPACE 3

#define ARG(call, i) ls_array_at ((call)->args, (i), LsExpr)

static gboolean
is_nvidia (LsCg *cg)
{
  return g_str_has_prefix (cg->target->triple, "nvptx");
}

static LLVMValueRef
refuse (LsCg       *cg,
        LsCall     *call,
        const char *format,
        const char *what)
{
  g_autofree char *text = g_strdup_printf (format, what);

  ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "%s", text);
  return ls_cg_none (cg, ls_dtype (call));
}

/* ---- threads --------------------------------------------------------------------------------- */

void
ls_cg_thread_extent (LsCg       *cg,
                     LsAttrStmt *stmt)
{
  LsIterVar *iter = (LsIterVar *) stmt->subject;
  const char *tag = iter->thread_tag;
  gboolean block = g_str_has_prefix (tag, "blockIdx."), thread = g_str_has_prefix (tag, "threadIdx.");
  g_autofree char *name = NULL;
  LsDType t = ls_dtype (iter->var);
  LLVMValueRef value, old;

  if (!block && !thread)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "Loop %s is bound to %s, which the device has no number of.", iter->var->name, tag);
      return;
    }
  name = is_nvidia (cg) ? g_strdup_printf ("llvm.nvvm.read.ptx.sreg.%s.%c", block ? "ctaid" : "tid", tag[strlen (tag) - 1])
         : g_strdup_printf ("llvm.amdgcn.work%s.id.%c", block ? "group" : "item", tag[strlen (tag) - 1]);
  value = ls_cg_intrinsic (cg, name, NULL, 0, NULL, 0);
  old = ls_cg_bind (cg, iter->var, ls_cg_cast (cg, LS_INT32, t, value));
  ls_cg_stmt (cg, stmt->body);
  ls_cg_unbind (cg, iter->var, old);
}

/* ---- memory ------------------------------------------------------------------------------------ */

LLVMValueRef
ls_cg_device_memory (LsCg       *cg,
                     const char *name,
                     LsDType     t,
                     gint64      constant,
                     const char *scope)
{
  gboolean shared = g_str_has_prefix (scope, "shared"), dynamic = strcmp (scope, "shared.dyn") == 0, fragment = is_nvidia (cg) && g_str_has_prefix (scope, "wmma.");
  guint align = cg->fragments != NULL && g_hash_table_size (cg->fragments) > 0 ? 32 : 16;
  LLVMTypeRef type;
  LLVMValueRef global;

  if (constant < 0 || (!shared && !fragment && strcmp (scope, "local") != 0 && strcmp (scope, "") != 0))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, constant < 0 ? "The size of %s is not known before it runs; memory of a kernel has a constant size."
                  : LS_TEXT ("%s is in memory of the scope %s; \"shared\" and \"local\" have a form through LLVM here."), name, scope);
      return LLVMGetUndef (cg->ptr);
    }
  if (fragment)                 /* registers of the lane: at most one for each of its elements */
    return ls_cg_entry_alloca (cg, LLVMArrayType2 (t.bits == 64 ? cg->i64 : cg->i32, (guint64) MAX (constant / 32, 1)), 16, name);
  type = LLVMArrayType2 (ls_cg_memory_type (cg, t), (guint64) constant);
  if (!shared)
    return ls_cg_entry_alloca (cg, type, 16, name);
  if (dynamic)                  /* as much as the launch asks for */
    type = LLVMArrayType2 (ls_cg_memory_type (cg, t), 0);
  global = LLVMAddGlobalInAddressSpace (cg->module, type, name, SHARED_SPACE);
  if (!dynamic)
    {
      LLVMSetInitializer (global, LLVMGetUndef (type));
      LLVMSetLinkage (global, LLVMInternalLinkage);
    }
  LLVMSetAlignment (global, align);
  return LLVMConstAddrSpaceCast (global, cg->ptr);
}

LLVMValueRef
ls_cg_device_shared_pointer (LsCg        *cg,
                             LLVMValueRef pointer)
{
  return LLVMBuildAddrSpaceCast (cg->builder, pointer, LLVMPointerTypeInContext (cg->context, SHARED_SPACE), "");
}

/* ---- barriers ------------------------------------------------------------------------------------ */

static LLVMValueRef
barrier (LsCg   *cg,
         LsCall *call)
{
  LsNode *scope = call->args->items[0];
  const char *name = ls_is (scope, STRING_IMM) ? ((LsStringImm *) scope)->value : "?";
  LLVMValueRef all = ls_cg_i32 (cg, -1);

  if (g_str_has_prefix (name, "shared"))
    {
      if (is_nvidia (cg))
        return ls_cg_intrinsic (cg, "llvm.nvvm.barrier0", NULL, 0, NULL, 0);
      LLVMBuildFence (cg->builder, LLVMAtomicOrderingRelease, FALSE, "");
      ls_cg_intrinsic (cg, "llvm.amdgcn.s.barrier", NULL, 0, NULL, 0);
      LLVMBuildFence (cg->builder, LLVMAtomicOrderingAcquire, FALSE, "");
      return ls_cg_none (cg, ls_dtype (call));
    }
  if (strcmp (name, "warp") == 0)
    return is_nvidia (cg) ? ls_cg_intrinsic (cg, "llvm.nvvm.bar.warp.sync", NULL, 0, &all, 1) : ls_cg_intrinsic (cg, "llvm.amdgcn.wave.barrier", NULL, 0, NULL, 0);
  return refuse (cg, call, "A barrier of the scope \"%s\" has no form through LLVM here.", name);
}

/* ---- shuffles ------------------------------------------------------------------------------------ */

typedef enum { SHUFFLE_INDEX, SHUFFLE_UP, SHUFFLE_DOWN } Shuffle;

/* PTX: the last operand holds the first lane that may be read and how lanes are cut into groups. */
static LLVMValueRef
shuffle_nvidia (LsCg         *cg,
                Shuffle       how,
                LLVMValueRef  mask,
                LLVMValueRef  value,
                LLVMValueRef  which,
                gint64        width)
{
  static const char *const NAMES[] = { "idx", "up", "down" };
  gboolean is_float = LLVMTypeOf (value) == cg->f32;
  g_autofree char *name = g_strdup_printf ("llvm.nvvm.shfl.sync.%s.%s", NAMES[how], is_float ? "f32" : "i32");
  LLVMValueRef args[] = { mask, value, which, ls_cg_i32 (cg, (32 - width) << 8 | (how == SHUFFLE_UP ? 0 : 31)) };

  return ls_cg_intrinsic (cg, name, NULL, 0, args, 4);
}

/* AMD: any lane's register by its number; a lane outside of the group gives one's own. */
static LLVMValueRef
shuffle_amd (LsCg         *cg,
             Shuffle       how,
             LLVMValueRef  value,
             LLVMValueRef  which,
             gint64        width)
{
  LLVMBuilderRef b = cg->builder;
  LLVMValueRef low[] = { ls_cg_i32 (cg, -1), ls_cg_i32 (cg, 0) }, high[] = { ls_cg_i32 (cg, -1), NULL }, args[2], self, place, from, inside;

  high[1] = ls_cg_intrinsic (cg, "llvm.amdgcn.mbcnt.lo", NULL, 0, low, 2);
  self = ls_cg_intrinsic (cg, "llvm.amdgcn.mbcnt.hi", NULL, 0, high, 2);
  place = LLVMBuildAnd (b, self, ls_cg_i32 (cg, width - 1), "");
  from = how == SHUFFLE_INDEX ? LLVMBuildAnd (b, which, ls_cg_i32 (cg, width - 1), "") : how == SHUFFLE_UP ? LLVMBuildSub (b, place, which, "")
         : LLVMBuildAdd (b, place, which, "");
  inside = LLVMBuildICmp (b, LLVMIntULT, from, ls_cg_i32 (cg, width), "");
  from = LLVMBuildSelect (b, inside, LLVMBuildAdd (b, LLVMBuildSub (b, self, place, ""), from, ""), self, "");
  args[0] = LLVMBuildShl (b, from, ls_cg_i32 (cg, 2), "");
  args[1] = LLVMBuildBitCast (b, value, cg->i32, "");
  return LLVMBuildBitCast (b, ls_cg_intrinsic (cg, "llvm.amdgcn.ds.bpermute", NULL, 0, args, 2), LLVMTypeOf (value), "");
}

/* mask, value, lane or distance, width, lanes of a warp */
static LLVMValueRef
shuffle (LsCg    *cg,
         LsCall  *call,
         Shuffle  how)
{
  LsDType t = ls_dtype (call);
  gint64 width = 0;
  LLVMValueRef mask, value, which;

  if (t.bits != 32 || t.lanes != 1 || t.code == LS_TYPE_HANDLE)
    return refuse (cg, call, "A shuffle of %s has no form through LLVM here; int32, uint32 and float32 have.", ls_dtype_name (t));
  if (!ls_as_int (ARG (call, 3), &width) || width < 1 || width > (is_nvidia (cg) ? 32 : 64) || (width & (width - 1)) != 0)
    return refuse (cg, call, "The width of a shuffle is a power of two and at most a %s.", is_nvidia (cg) ? "warp (32)" : "wavefront (64)");
  mask = ls_cg_expr (cg, ARG (call, 0));
  value = ls_cg_expr (cg, ARG (call, 1));
  which = ls_cg_cast (cg, ls_dtype (ARG (call, 2)), LS_INT32, ls_cg_expr (cg, ARG (call, 2)));
  if (cg->error != NULL)
    return ls_cg_none (cg, t);
  return is_nvidia (cg) ? shuffle_nvidia (cg, how, mask, value, which, width) : shuffle_amd (cg, how, value, which, width);
}

LLVMValueRef
ls_cg_inline_asm (LsCg         *cg,
                  LLVMTypeRef   result,
                  LLVMValueRef *args,
                  guint         n,
                  const char   *text,
                  const char   *kinds)
{
  static const char convergent[] = "convergent";
  g_autofree LLVMTypeRef *types = g_new0 (LLVMTypeRef, n + 1);
  LLVMTypeRef type;
  LLVMValueRef call;

  for (guint i = 0; i < n; i++)
    types[i] = LLVMTypeOf (args[i]);
  type = LLVMFunctionType (result, types, n, FALSE);
  call = LLVMBuildCall2 (cg->builder, type, LLVMGetInlineAsm (type, text, strlen (text), kinds, strlen (kinds), TRUE, FALSE, LLVMInlineAsmDialectATT, FALSE), args, n, "");
  LLVMAddCallSiteAttribute (call, LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute (cg->context, LLVMGetEnumAttributeKindForName (convergent, strlen (convergent)), 0));
  return call;
}

/* The mask is what a shuffle of NVIDIA's takes; AMD's do without. */
static LLVMValueRef
active_mask (LsCg   *cg,
             LsCall *call)
{
  if (!is_nvidia (cg))
    return LLVMConstNull (ls_cg_type (cg, ls_dtype (call)));
  return ls_cg_inline_asm (cg, cg->i32, NULL, 0, "activemask.b32 $0;", "=r");
}

/* ---- mathematics ----------------------------------------------------------------------------------- */

/* What AMD's back end computes of float32 as C's functions do. */
static LLVMValueRef
math (LsCg       *cg,
      const char *name,
      LsCall     *call)
{
  static const char *const ALL[] = { "exp", "exp2", "exp10", "log", "log2", "log10", NULL };
  g_autofree char *intrinsic = g_strconcat ("llvm.", name, NULL);
  LLVMTypeRef type;
  LLVMValueRef value;

  if (!g_strv_contains (ALL, name) || is_nvidia (cg) || ls_dtype (call).code != LS_TYPE_FLOAT || ls_dtype (call).bits != 32)
    return NULL;
  type = ls_cg_type (cg, ls_dtype (call));
  value = ls_cg_expr (cg, ARG (call, 0));
  return cg->error != NULL ? ls_cg_none (cg, ls_dtype (call)) : ls_cg_intrinsic (cg, intrinsic, &type, 1, &value, 1);
}

/* ---- atomic functions ------------------------------------------------------------------------------ */

LLVMValueRef
ls_cg_atomic (LsCg       *cg,
              const char *name,
              LsCall     *call)
{
  static const struct { const char *name; LLVMAtomicRMWBinOp of_int, of_unsigned, of_float; gboolean floats; } FUNCTIONS[] = {
    { "atomicAdd", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpFAdd, TRUE },
    { "atomicSub", LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpSub, FALSE },
    { "atomicMax", LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpMax, FALSE },
    { "atomicMin", LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpMin, FALSE },
    { "atomicExch", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg, TRUE },
  };
  gboolean own = strcmp (name, "atomic_add") == 0, external = strcmp (name, "call_extern") == 0 && call->args->n == 3 && ls_is (call->args->items[0], STRING_IMM);
  const char *wanted = own ? "atomicAdd" : external ? ((LsStringImm *) call->args->items[0])->value : "";

  for (guint i = 0; i < G_N_ELEMENTS (FUNCTIONS); i++)
    if (strcmp (FUNCTIONS[i].name, wanted) == 0 && call->args->n >= 2)
      {
        LsExpr *value = ARG (call, call->args->n - 1);
        LsDType t = ls_dtype (value);
        gboolean is_float = t.code == LS_TYPE_FLOAT;
        LLVMValueRef at, with, old;

        if (t.lanes != 1 || (t.bits != 32 && t.bits != 64) || (is_float && !FUNCTIONS[i].floats))
          return refuse (cg, call, "%s of this type has no form through LLVM here.", wanted);
        at = ls_cg_expr (cg, ARG (call, call->args->n - 2));
        with = ls_cg_expr (cg, value);
        if (cg->error != NULL)
          return ls_cg_none (cg, ls_dtype (call));
        old = LLVMBuildAtomicRMW (cg->builder, is_float ? FUNCTIONS[i].of_float : t.code == LS_TYPE_UINT ? FUNCTIONS[i].of_unsigned : FUNCTIONS[i].of_int, at, with,
                                  LLVMAtomicOrderingMonotonic, FALSE);
        return ls_dtype_equal (ls_dtype (call), t) ? old : ls_cg_none (cg, ls_dtype (call));
      }
  return NULL;
}

LLVMValueRef
ls_cg_device_call (LsCg       *cg,
                   const char *name,
                   LsCall     *call)
{
  if (strcmp (name, "tvm_storage_sync") == 0 && call->args->n >= 1)
    return barrier (cg, call);
  if (strcmp (name, "tvm_warp_activemask") == 0)
    return active_mask (cg, call);
  if (call->args->n == 5 && strcmp (name, "tvm_warp_shuffle") == 0)
    return shuffle (cg, call, SHUFFLE_INDEX);
  if (call->args->n == 5 && strcmp (name, "tvm_warp_shuffle_up") == 0)
    return shuffle (cg, call, SHUFFLE_UP);
  if (call->args->n == 5 && strcmp (name, "tvm_warp_shuffle_down") == 0)
    return shuffle (cg, call, SHUFFLE_DOWN);
  {
    LLVMValueRef made = ls_cg_atomic (cg, name, call);

    if (made != NULL)
      return made;
  }
  if (strcmp (name, "ret") == 0)
    return refuse (cg, call, "T.ret in %s: a kernel has no result.", cg->name);
  if (is_nvidia (cg))
    {
      LLVMValueRef made = ls_cg_matrix_call (cg, name, call);

      if (made != NULL)
        return made;
    }
  return math (cg, name, call);
}
