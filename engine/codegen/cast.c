/* cast: conversions between types, and integer division.
 *
 * Float to integer truncates, takes what is out of range to the nearest value of the type and NaN to 0, as the interpreter
 * does.  Integers wrap.  Anything to bool asks whether it is not zero.
 */
#include "engine/codegen/codegen-private.h"

#include <string.h>

static gboolean
is_int (LsDType t)
{
  return t.code == LS_TYPE_INT || t.code == LS_TYPE_UINT;
}

static LLVMValueRef
not_zero (LsCg        *cg,
          LsDType      t,
          LLVMValueRef v)
{
  LLVMValueRef zero = LLVMConstNull (LLVMTypeOf (v));

  if (ls_dtype_is_float (t))
    return LLVMBuildFCmp (cg->builder, LLVMRealUNE, v, zero, "");
  return LLVMBuildICmp (cg->builder, LLVMIntNE, v, zero, "");
}

static LLVMValueRef
int_to_int (LsCg        *cg,
            LsDType      from,
            LsDType      to,
            LLVMValueRef v)
{
  LLVMTypeRef type = ls_cg_type (cg, to);

  if (to.bits < from.bits)
    return LLVMBuildTrunc (cg->builder, v, type, "");
  if (to.bits == from.bits)
    return v;
  return from.code == LS_TYPE_UINT ? LLVMBuildZExt (cg->builder, v, type, "") : LLVMBuildSExt (cg->builder, v, type, "");
}

static LLVMValueRef
float_to_int (LsCg        *cg,
              LsDType      to,
              LLVMValueRef v)
{
  LLVMTypeRef overload[2] = { ls_cg_type (cg, to), LLVMTypeOf (v) };

  return ls_cg_intrinsic (cg, to.code == LS_TYPE_UINT ? "llvm.fptoui.sat" : "llvm.fptosi.sat", overload, 2, &v, 1);
}

/* double to float16 or bfloat16 in one rounding: through float with the last bit sticky ("round to odd"). */
static LLVMValueRef
double_to_narrow (LsCg        *cg,
                  LsDType      to,
                  LLVMValueRef v)
{
  LLVMBuilderRef b = cg->builder;
  guint lanes = to.lanes;
  LLVMTypeRef i32s = ls_cg_vector_type (cg->i32, lanes);
  LLVMTypeRef f32s = ls_cg_vector_type (cg->f32, lanes);
  LLVMValueRef near = LLVMBuildFPTrunc (b, v, f32s, "");
  LLVMValueRef back = LLVMBuildFPExt (b, near, LLVMTypeOf (v), "");
  LLVMValueRef inexact = LLVMBuildFCmp (b, LLVMRealONE, back, v, "");
  LLVMTypeRef f64s = LLVMTypeOf (v);
  LLVMValueRef abs_back = ls_cg_intrinsic (cg, "llvm.fabs", &f64s, 1, &back, 1);
  LLVMValueRef abs_v = ls_cg_intrinsic (cg, "llvm.fabs", &f64s, 1, &v, 1);
  LLVMValueRef above = LLVMBuildFCmp (b, LLVMRealOGT, abs_back, abs_v, "");
  LLVMValueRef bits = LLVMBuildBitCast (b, near, i32s, "");
  LLVMValueRef one = ls_cg_splat (cg, ls_cg_i32 (cg, 1), lanes);
  LLVMValueRef toward_zero = LLVMBuildSub (b, bits, LLVMBuildZExt (b, above, i32s, ""), "");
  LLVMValueRef odd = LLVMBuildOr (b, toward_zero, one, "");
  LLVMValueRef chosen = LLVMBuildSelect (b, inexact, odd, bits, "");

  return ls_cg_round (cg, to, LLVMBuildBitCast (b, chosen, f32s, ""));
}

static LLVMValueRef
float_to_float (LsCg        *cg,
                LsDType      from,
                LsDType      to,
                LLVMValueRef v)
{
  LLVMTypeRef type = ls_cg_type (cg, to);

  if (from.bits == 64 && ls_cg_is_narrow (to))
    return double_to_narrow (cg, to, v);
  if (to.bits == 64 && from.bits < 64)
    return LLVMBuildFPExt (cg->builder, v, type, "");
  if (to.bits < 64 && from.bits == 64)
    v = LLVMBuildFPTrunc (cg->builder, v, type, "");
  return ls_cg_round (cg, to, v);
}

static LLVMValueRef
int_to_float (LsCg        *cg,
              LsDType      from,
              LsDType      to,
              LLVMValueRef v)
{
  LsDType through = ls_cg_is_narrow (to) ? ls_dtype_with_lanes (LS_FLOAT64, to.lanes) : to;
  LLVMTypeRef type = ls_cg_type (cg, through);

  v = from.code == LS_TYPE_UINT ? LLVMBuildUIToFP (cg->builder, v, type, "") : LLVMBuildSIToFP (cg->builder, v, type, "");
  return ls_cg_is_narrow (to) ? double_to_narrow (cg, to, v) : v;
}

LLVMValueRef
ls_cg_cast (LsCg        *cg,
            LsDType      from,
            LsDType      to,
            LLVMValueRef v)
{
  if (ls_dtype_equal (from, to) || ls_dtype_is_void (to))
    return v;
  if (to.lanes > 1 && from.lanes == 1)
    {
      v = ls_cg_splat (cg, v, to.lanes);
      from.lanes = to.lanes;
    }
  if (from.lanes != to.lanes)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "%s is cast to %s: the lanes differ.", ls_dtype_name (from), ls_dtype_name (to));
      return ls_cg_none (cg, to);
    }
  if (from.code == LS_TYPE_HANDLE && to.code == LS_TYPE_HANDLE)
    return v;
  if (from.code == LS_TYPE_HANDLE && is_int (to))
    return LLVMBuildPtrToInt (cg->builder, v, ls_cg_type (cg, to), "");
  if (is_int (from) && to.code == LS_TYPE_HANDLE)
    return LLVMBuildIntToPtr (cg->builder, v, cg->ptr, "");
  if (ls_dtype_is_bool (to))
    return not_zero (cg, from, v);
  if (is_int (from) && is_int (to))
    return int_to_int (cg, from, to, v);
  if (is_int (from))
    return int_to_float (cg, from, to, v);
  if (is_int (to))
    return float_to_int (cg, to, v);
  return float_to_float (cg, from, to, v);
}

/* ---- integer division ---------------------------------------------------- */

static gboolean
constant_int (LLVMValueRef v,
              gint64      *out)
{
  if (LLVMGetTypeKind (LLVMTypeOf (v)) == LLVMVectorTypeKind)
    {
      unsigned opcode_free = LLVMIsAConstantDataVector (v) != NULL || LLVMIsAConstantVector (v) != NULL;
      gint64 first, next;

      if (!opcode_free)
        return FALSE;
      for (unsigned i = 0; i < LLVMGetVectorSize (LLVMTypeOf (v)); i++)
        {
          LLVMValueRef lane = LLVMGetAggregateElement (v, i);

          if (lane == NULL || !constant_int (lane, i == 0 ? &first : &next) || (i > 0 && next != first))
            return FALSE;
        }
      *out = first;
      return TRUE;
    }
  if (LLVMIsAConstantInt (v) == NULL)
    return FALSE;
  *out = LLVMConstIntGetSExtValue (v);
  return TRUE;
}

/* The quotient and remainder of signed division; minimum / -1 wraps instead of trapping. */
static void
signed_division (LsCg         *cg,
                 LLVMValueRef  a,
                 LLVMValueRef  b,
                 gboolean      b_is_safe,
                 LLVMValueRef *quotient,
                 LLVMValueRef *remainder)
{
  LLVMBuilderRef builder = cg->builder;
  LLVMTypeRef type = LLVMTypeOf (a);
  LLVMValueRef is_minus_one = NULL;
  LLVMValueRef divisor = b;
  gint64 unused;

  if (!b_is_safe)
    {
      LLVMValueRef one = LLVMGetTypeKind (type) == LLVMVectorTypeKind
        ? ls_cg_splat (cg, LLVMConstInt (LLVMGetElementType (type), 1, FALSE), LLVMGetVectorSize (type))
        : LLVMConstInt (type, 1, FALSE);

      is_minus_one = LLVMBuildICmp (builder, LLVMIntEQ, b, LLVMConstAllOnes (type), "");
      divisor = LLVMBuildSelect (builder, is_minus_one, one, b, "");
    }
  else if (constant_int (b, &unused) && unused == -1)
    {
      *quotient = LLVMBuildNeg (builder, a, "");
      *remainder = LLVMConstNull (type);
      return;
    }
  *quotient = LLVMBuildSDiv (builder, a, divisor, "");
  *remainder = LLVMBuildSRem (builder, a, divisor, "");
  if (is_minus_one != NULL)
    *quotient = LLVMBuildSelect (builder, is_minus_one, LLVMBuildNeg (builder, a, ""), *quotient, "");
}

static LLVMValueRef
power_of_two (LsCg        *cg,
              LsKind       kind,
              LsDType      t,
              LLVMValueRef a,
              gint64       divisor)
{
  if (kind == LS_KIND_FLOOR_DIV)
    return LLVMBuildAShr (cg->builder, a, ls_cg_int (cg, t, __builtin_ctzll ((guint64) divisor)), "");
  return LLVMBuildAnd (cg->builder, a, ls_cg_int (cg, t, divisor - 1), "");
}

/* Where the value may be one that is not chosen, a division by zero must do no harm: by 1 instead. */
static LLVMValueRef
never_zero (LsCg         *cg,
            LsDType       t,
            LLVMValueRef  b)
{
  LLVMValueRef is_zero = LLVMBuildICmp (cg->builder, LLVMIntEQ, b, LLVMConstNull (LLVMTypeOf (b)), "");

  return LLVMBuildSelect (cg->builder, is_zero, ls_cg_splat (cg, ls_cg_int (cg, ls_dtype_element (t), 1), t.lanes), b, "");
}

static LLVMValueRef
division (LsCg        *cg,
          LsKind       kind,
          LsDType      t,
          LLVMValueRef a,
          LLVMValueRef b,
          gboolean     constant,
          gint64       divisor)
{
  LLVMBuilderRef builder = cg->builder;
  gboolean wants_quotient = kind == LS_KIND_DIV || kind == LS_KIND_FLOOR_DIV;
  gboolean floors = kind == LS_KIND_FLOOR_DIV || kind == LS_KIND_FLOOR_MOD;
  LLVMValueRef quotient, remainder, off;

  if (t.code == LS_TYPE_UINT)
    return wants_quotient ? LLVMBuildUDiv (builder, a, b, "") : LLVMBuildURem (builder, a, b, "");
  if (constant && floors && divisor > 0 && (divisor & (divisor - 1)) == 0)
    return power_of_two (cg, kind, t, a, divisor);
  signed_division (cg, a, b, constant, &quotient, &remainder);
  if (!floors)
    return wants_quotient ? quotient : remainder;
  off = LLVMBuildAnd (builder, LLVMBuildICmp (builder, LLVMIntNE, remainder, LLVMConstNull (LLVMTypeOf (a)), ""),
                      LLVMBuildICmp (builder, LLVMIntSLT, LLVMBuildXor (builder, remainder, b, ""), LLVMConstNull (LLVMTypeOf (a)), ""), "");
  if (wants_quotient)
    return LLVMBuildSub (builder, quotient, LLVMBuildZExt (builder, off, LLVMTypeOf (a), ""), "");
  return LLVMBuildSelect (builder, off, LLVMBuildAdd (builder, remainder, b, ""), remainder, "");
}

LLVMValueRef
ls_cg_int_division (LsCg        *cg,
                    LsKind       kind,
                    LsDType      t,
                    LLVMValueRef a,
                    LLVMValueRef b)
{
  gint64 divisor = 0;
  gboolean constant = constant_int (b, &divisor) && divisor != 0;
  /* The divisions of ARM and RISC-V trap at nothing, and a look at each divisor would keep a loop from their vectors. */
  gboolean is_quiet = ls_target_is_scalable (cg->target) && cg->in_select == 0;

  if (!constant && cg->in_select > 0)
    b = never_zero (cg, t, b);
  else if (!constant && !is_quiet)
    ls_cg_check_divisor (cg, t, b);
  return division (cg, kind, t, a, b, constant || is_quiet, divisor);
}
