/* math: exp, tanh, sqrt, pow and their like.
 *
 * What a CPU has instructions for becomes an LLVM intrinsic, also for vectors, and some vectors of float32 become arithmetic (vector-math.c); the
 * others are calls of libm's function of the type (expf, exp), lane by lane.  float16 and bfloat16 are computed in float32 and rounded.  T.round rounds
 * to even as TVM's does.
 */
#include "engine/codegen/codegen-private.h"
#include "engine/tir/vector-math.h"

#include <string.h>

/* name behind "tir.", LLVM intrinsic or NULL, libm's names */
static const struct { const char *name, *intrinsic, *f32, *f64; guint n_args; } MATH[] = {
  { "sqrt", "llvm.sqrt", NULL, NULL, 1 },
  { "floor", "llvm.floor", NULL, NULL, 1 },
  { "ceil", "llvm.ceil", NULL, NULL, 1 },
  { "trunc", "llvm.trunc", NULL, NULL, 1 },
  { "round", "llvm.nearbyint", NULL, NULL, 1 },
  { "nearbyint", "llvm.nearbyint", NULL, NULL, 1 },
  { "copysign", "llvm.copysign", NULL, NULL, 2 },
  { "exp", NULL, "expf", "exp", 1 },
  { "exp2", NULL, "exp2f", "exp2", 1 },
  { "exp10", NULL, "exp10f", "exp10", 1 },
  { "erf", NULL, "erff", "erf", 1 },
  { "tanh", NULL, "tanhf", "tanh", 1 },
  { "log", NULL, "logf", "log", 1 },
  { "log2", NULL, "log2f", "log2", 1 },
  { "log1p", NULL, "log1pf", "log1p", 1 },
  { "log10", NULL, "log10f", "log10", 1 },
  { "tan", NULL, "tanf", "tan", 1 },
  { "cos", NULL, "cosf", "cos", 1 },
  { "cosh", NULL, "coshf", "cosh", 1 },
  { "sin", NULL, "sinf", "sin", 1 },
  { "sinh", NULL, "sinhf", "sinh", 1 },
  { "asin", NULL, "asinf", "asin", 1 },
  { "acos", NULL, "acosf", "acos", 1 },
  { "atan", NULL, "atanf", "atan", 1 },
  { "acosh", NULL, "acoshf", "acosh", 1 },
  { "asinh", NULL, "asinhf", "asinh", 1 },
  { "atanh", NULL, "atanhf", "atanh", 1 },
  { "atan2", NULL, "atan2f", "atan2", 2 },
  { "nextafter", NULL, "nextafterf", "nextafter", 2 },
  { "hypot", NULL, "hypotf", "hypot", 2 },
  { "pow", NULL, "powf", "pow", 2 },
  { "fmod", NULL, "fmodf", "fmod", 2 },
};

/* exp of float32 on a GPU of NVIDIA, whose own instruction is 2^x: what x log2 e loses in rounding is put back, so that the error stays that of the
 * instruction.  e^x = 2^t (1 + lo ln 2) with t + lo = x log2 e; where 2^t is 0 or infinite it is the result. */
static LLVMValueRef
device_exp (LsCg         *cg,
            LLVMTypeRef   type,
            LLVMValueRef  x)
{
  LLVMBuilderRef b = cg->builder;
  LLVMValueRef high = LLVMConstReal (type, 0x1.715476p+0), low = LLVMConstReal (type, 0x1.4ae0bep-26), ln2 = LLVMConstReal (type, 0x1.62e430p-1);
  LLVMValueRef t = LLVMBuildFMul (b, x, high, ""), minus = LLVMBuildFNeg (b, t, "");
  LLVMValueRef lost = ls_cg_intrinsic (cg, "llvm.fma", &type, 1, (LLVMValueRef[]) { x, high, minus }, 3);
  LLVMValueRef lo = ls_cg_intrinsic (cg, "llvm.fma", &type, 1, (LLVMValueRef[]) { x, low, lost }, 3);
  LLVMValueRef power = ls_cg_intrinsic (cg, "llvm.nvvm.ex2.approx.f", NULL, 0, &t, 1);
  LLVMValueRef share = LLVMBuildFMul (b, lo, ln2, "");
  LLVMValueRef whole = ls_cg_intrinsic (cg, "llvm.fma", &type, 1, (LLVMValueRef[]) { power, share, power }, 3);
  LLVMValueRef size = ls_cg_intrinsic (cg, "llvm.fabs", &type, 1, &t, 1);

  return LLVMBuildSelect (b, LLVMBuildFCmp (b, LLVMRealOLT, size, LLVMConstReal (type, 128.0), ""), whole, power, "");
}

static LLVMValueRef
libm (LsCg         *cg,
      const char   *name,
      LLVMTypeRef   type,
      LLVMValueRef *args,
      guint         n)
{
  LLVMTypeRef func = ls_cg_func_type (cg, type, n, type, type);
  LLVMValueRef declared;

  if (cg->target->is_device && strcmp (name, "expf") == 0)
    return g_str_has_prefix (cg->target->triple, "nvptx") ? device_exp (cg, type, args[0]) : ls_cg_intrinsic (cg, "llvm.exp", &type, 1, args, 1);
  declared = ls_cg_declare (cg, name, func);
  ls_cg_attribute (cg, declared, LLVMAttributeFunctionIndex, "nounwind", 0);
  ls_cg_attribute (cg, declared, LLVMAttributeFunctionIndex, "willreturn", 0);
  ls_cg_attribute (cg, declared, LLVMAttributeFunctionIndex, "memory", 0);
  return LLVMBuildCall2 (cg->builder, func, declared, args, n, "");
}

static LLVMValueRef
apply (LsCg         *cg,
       guint         row,
       LsDType       t,
       LLVMValueRef *args)
{
  const char *name = t.bits == 64 ? MATH[row].f64 : MATH[row].f32;
  LsDType one = ls_dtype_element (t);
  LLVMTypeRef type = ls_cg_type (cg, t);
  LLVMValueRef out;

  if (MATH[row].intrinsic != NULL)
    return ls_cg_intrinsic (cg, MATH[row].intrinsic, &type, 1, args, MATH[row].n_args);
  if (t.lanes == 1)
    return libm (cg, name, type, args, MATH[row].n_args);
  if ((out = ls_cg_vector_math (cg, MATH[row].name, t, args[0])) != NULL)
    return out;
  out = LLVMGetPoison (type);
  for (guint lane = 0; lane < t.lanes; lane++)
    {
      LLVMValueRef scalars[2];

      for (guint i = 0; i < MATH[row].n_args; i++)
        scalars[i] = ls_cg_extract (cg, args[i], lane);
      out = ls_cg_insert (cg, out, libm (cg, name, ls_cg_type (cg, one), scalars, MATH[row].n_args), lane);
    }
  return out;
}

static guint
find_row (const char *name)
{
  guint i = 0;

  while (i < G_N_ELEMENTS (MATH) && strcmp (MATH[i].name, name) != 0)
    i++;
  return i;
}

/* 1 / sqrt (x) and 1 / (1 + exp (-x)) */
static LLVMValueRef
composed (LsCg        *cg,
          gboolean     is_rsqrt,
          LsDType      t,
          LLVMValueRef x)
{
  LLVMValueRef one = ls_cg_float (cg, t, 1.0);
  LLVMValueRef below;

  if (is_rsqrt)
    below = apply (cg, find_row ("sqrt"), t, &x);
  else
    {
      LLVMValueRef minus = LLVMBuildFNeg (cg->builder, x, "");

      below = LLVMBuildFAdd (cg->builder, one, apply (cg, find_row ("exp"), t, &minus), "");
    }
  return LLVMBuildFDiv (cg->builder, one, below, "");
}

static gboolean
is_identity_on_ints (const char *name)
{
  static const char *const names[] = { "floor", "ceil", "trunc", "round", "nearbyint", NULL };

  return g_strv_contains (names, name);
}

gboolean
ls_cg_math_is_whole (LsCall *call)
{
  const char *name = ls_is (call->op, OP) && g_str_has_prefix (((LsOp *) call->op)->name, "tir.") ? ((LsOp *) call->op)->name + strlen ("tir.") : "";
  guint row = find_row (name);

  return (row < G_N_ELEMENTS (MATH) && MATH[row].intrinsic != NULL) || strcmp (name, "rsqrt") == 0 || ls_vector_math_has (name, ls_dtype (call), ls_dtype (call).lanes);
}

LLVMValueRef
ls_cg_math (LsCg       *cg,
            const char *name,
            LsCall     *call)
{
  LsDType result = ls_dtype (call);
  gboolean is_rsqrt = strcmp (name, "rsqrt") == 0;
  gboolean is_sigmoid = strcmp (name, "sigmoid") == 0;
  guint row = find_row (name);
  guint n = is_rsqrt || is_sigmoid ? 1 : row < G_N_ELEMENTS (MATH) ? MATH[row].n_args : 0;
  LsDType t, given;
  LLVMValueRef args[2], out;

  if (n == 0 || call->args->n != n)
    return NULL;
  given = ls_dtype (call->args->items[0]);
  if (!ls_dtype_is_float (given) && is_identity_on_ints (name))
    return ls_cg_cast (cg, given, result, ls_cg_expr (cg, ls_array_at (call->args, 0, LsExpr)));
  t = ls_dtype_with_lanes (ls_dtype_is_float (given) && given.bits < 64 ? LS_FLOAT32 : LS_FLOAT64, result.lanes);
  for (guint i = 0; i < n; i++)
    {
      LsExpr *arg = ls_array_at (call->args, i, LsExpr);

      args[i] = ls_cg_splat (cg, ls_cg_cast (cg, ls_dtype (arg), ls_dtype_with_lanes (t, ls_dtype (arg).lanes), ls_cg_expr (cg, arg)), t.lanes);
    }
  if (cg->error != NULL)
    return ls_cg_none (cg, result);
  out = is_rsqrt || is_sigmoid ? composed (cg, is_rsqrt, t, args[0]) : apply (cg, row, t, args);
  return ls_cg_cast (cg, t, result, out);
}
