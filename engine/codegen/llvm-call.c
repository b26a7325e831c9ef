/* llvm-call: T.call_llvm_intrin ("int32x16", "llvm.x86.avx512.vpdpbusd.512", T.uint32 (0), ...), a call of one of LLVM's intrinsics.
 *
 * The number behind the name is TVM v0.20's count of arguments whose types name an overload; the types are found out from the
 * arguments here.  LLVM ends the process where a target has no instruction for an intrinsic, so that the names of a family of
 * processors are let through only where the target has the feature.
 */
#include "engine/codegen/codegen-private.h"

#include <string.h>

#define MAX_OVERLOAD 4

/* What follows "llvm.x86." up to the next dot, and LLVM's feature for it. */
static const struct { const char *family, *feature; } FEATURES[] = {
  { "sse", "sse" }, { "sse2", "sse2" }, { "sse3", "sse3" }, { "ssse3", "ssse3" }, { "sse41", "sse4.1" }, { "sse42", "sse4.2" }, { "avx", "avx" }, { "avx2", "avx2" },
  { "fma", "fma" }, { "bmi", "bmi" }, { "aesni", "aes" }, { "pclmulqdq", "pclmul" }, { "vcvtph2ps", "f16c" }, { "vcvtps2ph", "f16c" }, { "rdrand", "rdrnd" },
};

static const char *
x86_feature (const char *rest)
{
  gsize n = strcspn (rest, ".");

  if (g_str_has_prefix (rest, "avx512."))
    {
      if (strstr (rest, "vpdpbus") != NULL || strstr (rest, "vpdpwss") != NULL)
        return "avx512vnni";
      return strstr (rest, "pmadd") != NULL || strstr (rest, "psad") != NULL || strstr (rest, "pack") != NULL ? "avx512bw" : "avx512f";
    }
  for (guint i = 0; i < G_N_ELEMENTS (FEATURES); i++)
    if (strlen (FEATURES[i].family) == n && strncmp (rest, FEATURES[i].family, n) == 0)
      return FEATURES[i].feature;
  return NULL;
}

static const struct { const char *prefix, *triple; } MACHINES[] = {
  { "llvm.x86.", "x86_64" }, { "llvm.aarch64.", "aarch64" }, { "llvm.arm.", "arm" }, { "llvm.hexagon.", "hexagon" }, { "llvm.amdgcn.", "amdgcn" },
  { "llvm.nvvm.", "nvptx" }, { "llvm.riscv.", "riscv" }, { "llvm.ppc.", "powerpc" }, { "llvm.wasm.", "wasm" }, { "llvm.s390.", "s390x" }, { "llvm.mips.", "mips" },
};

static gboolean
target_has (LsCg       *cg,
            const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (MACHINES); i++)
    {
      const char *feature;

      if (!g_str_has_prefix (name, MACHINES[i].prefix))
        continue;
      if (!g_str_has_prefix (cg->target->triple, MACHINES[i].triple))
        {
          ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "%s is an instruction of %s; the target is %s.", name, MACHINES[i].triple, cg->target->triple);
          return FALSE;
        }
      feature = i == 0 ? x86_feature (name + strlen ("llvm.x86.")) : NULL;
      if (feature == NULL && i != 0)
        return TRUE;
      if (feature != NULL && ls_target_has (cg->target, feature))
        return TRUE;
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, feature != NULL ? "%s needs a processor with %s; %s has none. A target as \"llvm -mcpu=cascadelake\" has AVX-512 with VNNI."
                                                                    : "%s: which processors have this instruction is not known%s%s.",
                  name, feature != NULL ? feature : "", feature != NULL ? cg->target->cpu : "");
      return FALSE;
    }
  return TRUE;
}

/* Do result and arguments have the types of the intrinsic with this overload? */
static gboolean
fits (LsCg        *cg,
      unsigned     id,
      LLVMTypeRef *overload,
      guint        n_overload,
      LLVMTypeRef  wanted)
{
  return LLVMIntrinsicGetType (cg->context, id, overload, n_overload) == wanted;
}

/* The overload is some of the types, the result first; how many is not told by LLVM, and so each number is tried. */
static gboolean
find_overload (LsCg        *cg,
               unsigned     id,
               LLVMTypeRef  result,
               LLVMTypeRef *args,
               guint        n_args,
               LLVMTypeRef  wanted,
               LLVMTypeRef *overload,
               guint       *n_overload)
{
  LLVMTypeRef candidates[MAX_OVERLOAD];
  guint n = 0;

  if (!LLVMIntrinsicIsOverloaded (id))
    {
      *n_overload = 0;
      return fits (cg, id, NULL, 0, wanted);
    }
  for (guint i = 0; i < MAX_OVERLOAD; i++)
    overload[i] = cg->i1;               /* LLVM reads as many as it needs */
  candidates[n++] = result;
  for (guint i = 0; i < n_args && n < MAX_OVERLOAD; i++)
    if (args[i] != candidates[n - 1])
      candidates[n++] = args[i];
  if (n == 1)
    {
      overload[0] = result;
      *n_overload = 1;
      return fits (cg, id, overload, 1, wanted);
    }
  for (guint first = 0; first < 2; first++)
    for (guint count = 2 - first; count + first <= n; count++)
      {
        memcpy (overload, candidates + first, count * sizeof *overload);
        *n_overload = count;
        if (fits (cg, id, overload, count, wanted))
          return TRUE;
      }
  return FALSE;
}

static gboolean
is_count (LsNode *node)
{
  return ls_is (node, INT_IMM) && ls_dtype (node).code == LS_TYPE_UINT && ls_dtype (node).bits == 32;
}

LLVMValueRef
ls_cg_llvm_call (LsCg   *cg,
                 LsCall *call)
{
  LsDType t = ls_dtype (call);
  const char *name = ls_is (call->args->items[0], STRING_IMM) ? ((LsStringImm *) call->args->items[0])->value : NULL;
  guint first = call->args->n > 1 && is_count (call->args->items[1]) ? 2 : 1;
  guint n = call->args->n > first ? call->args->n - first : 0;
  g_autofree LLVMValueRef *args = g_new0 (LLVMValueRef, n + 1);
  g_autofree LLVMTypeRef *types = g_new0 (LLVMTypeRef, n + 1);
  LLVMTypeRef overload[MAX_OVERLOAD], result = t.code == LS_TYPE_HANDLE && ls_dtype_is_void (t) ? LLVMVoidTypeInContext (cg->context) : ls_cg_type (cg, t);
  LLVMTypeRef type;
  guint n_overload = 0;
  unsigned id;

  if (name == NULL)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "An LLVM intrinsic is called by its name, as \"llvm.fabs\".");
      return ls_cg_none (cg, t);
    }
  id = LLVMLookupIntrinsicID (name, strlen (name));
  if (id == 0)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "LLVM has no intrinsic %s.", name);
      return ls_cg_none (cg, t);
    }
  if (!target_has (cg, name))
    return ls_cg_none (cg, t);
  for (guint i = 0; i < n; i++)
    {
      args[i] = ls_cg_expr (cg, ls_array_at (call->args, first + i, LsExpr));
      if (args[i] == NULL || cg->error != NULL)
        return ls_cg_none (cg, t);
      types[i] = LLVMTypeOf (args[i]);
    }
  type = LLVMFunctionType (result, types, n, FALSE);
  if (!find_overload (cg, id, result, types, n, type, overload, &n_overload))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "%s does not take these %u arguments, or does not give %s.", name, n, ls_dtype_name (t));
      return ls_cg_none (cg, t);
    }
  return ls_cg_intrinsic (cg, name, overload, n_overload, args, n);
}
