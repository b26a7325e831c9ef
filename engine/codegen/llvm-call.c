/* llvm-call: T.call_llvm_intrin ("int32x16", "llvm.x86.avx512.vpdpbusd.512", T.uint32 (0), ...), a call of one of LLVM's intrinsics.
 *
 * The number behind the name is TVM v0.20's count of arguments whose types name an overload; the types are found out from the
 * arguments here.  LLVM ends the process where a target has no instruction for an intrinsic, so that the names of a family of
 * processors are let through only where the target has the feature.
 */
#include "engine/codegen/codegen-private.h"

#include <string.h>

#define MAX_OVERLOAD 4
#define MAX_CANDIDATES 6
#define LAST "llvm.xcore.zext"         /* the last one of LLVM's list, which is by machine and name */

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
                                                                    : LS_TEXT ("%s: which processors have this instruction is not known%s%s."),
                  name, feature != NULL ? feature : "", feature != NULL ? cg->target->cpu : "");
      return FALSE;
    }
  return TRUE;
}

guint
ls_llvm_intrinsic_id (const char *name)
{
  return LLVMLookupIntrinsicID (name, strlen (name));
}

char *
ls_llvm_intrinsic_name (guint id)
{
  unsigned last = LLVMLookupIntrinsicID (LAST, strlen (LAST));
  gsize length = 0;
  const char *name = id > 0 && id <= last ? LLVMIntrinsicGetName (id, &length) : NULL;

  return name != NULL ? g_strndup (name, length) : g_strdup ("");
}

GStrv
ls_llvm_architectures (void)
{
  static const char *const names[] = {
    "aarch64", "aarch64_32", "aarch64_be", "amdgcn", "arc", "arm", "armeb", "avr", "bpfeb", "bpfel", "csky", "hexagon", "i386", "lanai", "loongarch32",
    "loongarch64", "m68k", "mips", "mips64", "mips64el", "mipsel", "msp430", "nvptx", "nvptx64", "powerpc", "powerpc64", "powerpc64le", "powerpcle",
    "r600", "riscv32", "riscv64", "s390x", "sparc", "sparcel", "sparcv9", "spirv", "spirv32", "spirv64", "thumb", "thumbeb", "ve", "wasm32", "wasm64",
    "x86_64", "xcore", "xtensa",
  };
  GPtrArray *found = g_ptr_array_new ();

  ls_llvm_init_all ();
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *triple = g_strconcat (names[i], "--", NULL);
      char *why = NULL;
      LLVMTargetRef target;

      if (LLVMGetTargetFromTriple (triple, &target, &why) == 0)
        g_ptr_array_add (found, g_strdup (names[i]));
      LLVMDisposeMessage (why);
    }
  g_ptr_array_add (found, NULL);
  return (GStrv) g_ptr_array_free (found, FALSE);
}

/* How many types name an overload: those that change the type of the function. */
static guint
count_overload (LsCg    *cg,
                unsigned id)
{
  LLVMTypeRef one = LLVMVectorType (cg->i32, 4), other = LLVMVectorType (cg->i64, 4);
  LLVMTypeRef types[MAX_OVERLOAD];
  LLVMTypeRef plain;
  guint n = 0;

  if (!LLVMIntrinsicIsOverloaded (id))
    return 0;
  for (guint i = 0; i < MAX_OVERLOAD; i++)
    types[i] = one;
  plain = LLVMIntrinsicGetType (cg->context, id, types, MAX_OVERLOAD);
  for (guint i = 0; i < MAX_OVERLOAD; i++)
    {
      types[i] = other;
      if (LLVMIntrinsicGetType (cg->context, id, types, MAX_OVERLOAD) != plain)
        n = i + 1;
      types[i] = one;
    }
  return n;
}

/* Tries each choice of types for the places from `at` on. */
static gboolean
try_overload (LsCg        *cg,
              unsigned     id,
              LLVMTypeRef *candidates,
              guint        n_candidates,
              LLVMTypeRef  wanted,
              LLVMTypeRef *overload,
              guint        n_overload,
              guint        at)
{
  if (at == n_overload)
    return LLVMIntrinsicGetType (cg->context, id, overload, n_overload) == wanted;
  for (guint i = 0; i < n_candidates; i++)
    {
      overload[at] = candidates[i];
      if (try_overload (cg, id, candidates, n_candidates, wanted, overload, n_overload, at + 1))
        return TRUE;
    }
  return FALSE;
}

/* The overload is some of the types of result and arguments; which ones LLVM does not tell. */
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
  LLVMTypeRef candidates[MAX_CANDIDATES];
  guint n = 0;

  if (LLVMGetTypeKind (result) != LLVMVoidTypeKind)
    candidates[n++] = result;
  for (guint i = 0; i < n_args && n < MAX_CANDIDATES; i++)
    {
      guint k = 0;

      while (k < n && candidates[k] != args[i])
        k++;
      if (k == n)
        candidates[n++] = args[i];
    }
  *n_overload = count_overload (cg, id);
  return try_overload (cg, id, candidates, n, wanted, overload, *n_overload, 0);
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
