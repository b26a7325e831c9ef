/* types: dtypes as LLVM types, and constants.
 *
 * A value has one type in a register and maybe another in memory: bool is i1 and i8; float16 and bfloat16 are
 * float32 in registers, rounded after every operation, and 16 bits in memory.  One rounding from float32
 * is exact for + - * / because float32 has more than twice their precision plus two bits.
 */
#include "engine/codegen/codegen-private.h"

gboolean
ls_cg_is_narrow (LsDType t)
{
  return t.bits == 16 && (t.code == LS_TYPE_FLOAT || t.code == LS_TYPE_BFLOAT);
}

gboolean
ls_cg_type_known (LsDType t)
{
  switch ((LsTypeCode) t.code)
    {
    case LS_TYPE_INT:
    case LS_TYPE_UINT:
      return t.bits >= 1 && t.bits <= 64 && t.lanes >= 1;
    case LS_TYPE_FLOAT:
      return t.bits == 16 || t.bits == 32 || t.bits == 64;
    case LS_TYPE_BFLOAT:
      return t.bits == 16;
    case LS_TYPE_HANDLE:
      return TRUE;
    case LS_TYPE_E4M3:
    case LS_TYPE_E5M2:
    case LS_TYPE_E3M4:
    case LS_TYPE_E4M3_IEEE:
    case LS_TYPE_E4M3B11FNUZ:
    case LS_TYPE_E4M3FNUZ:
    case LS_TYPE_E5M2FNUZ:
    case LS_TYPE_E8M0FNU:
    case LS_TYPE_E2M3FN:
    case LS_TYPE_E3M2FN:
    case LS_TYPE_E2M1FN:
      return FALSE;
    }
  return FALSE;
}

/* Of the lanes of an LsDType: n * vscale of them are written as -n. */
static gboolean
is_scalable (guint lanes)
{
  return ls_dtype_is_scalable (ls_dtype_with_lanes (LS_INT32, lanes));
}

LLVMTypeRef
ls_cg_vector_type (LLVMTypeRef element,
                   guint       lanes)
{
  if (is_scalable (lanes))
    return LLVMScalableVectorType (element, ls_dtype_vscale_factor (ls_dtype_with_lanes (LS_INT32, lanes)));
  return lanes > 1 ? LLVMVectorType (element, lanes) : element;
}

static LLVMTypeRef
int_type (LsCg *cg,
          guint bits)
{
  return bits == 32 ? cg->i32 : bits == 64 ? cg->i64 : bits == 8 ? cg->i8 : bits == 16 ? cg->i16 : bits == 1 ? cg->i1
         : LLVMIntTypeInContext (cg->context, bits);
}

LLVMTypeRef
ls_cg_type (LsCg   *cg,
            LsDType t)
{
  LLVMTypeRef element;

  if (ls_dtype_is_void (t))
    return cg->none;
  if (ls_dtype_is_scalable (t) && !ls_target_is_scalable (cg->target))
    ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "The target has no vectors whose length is known only when they run, such as %s.", ls_dtype_name (t));
  if (!ls_cg_type_known (t))
    ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "%s is not a type that CPUs compute with.", ls_dtype_name (t));
  if (t.code == LS_TYPE_HANDLE)
    element = cg->ptr;
  else if (ls_dtype_is_float (t))
    element = t.bits == 64 ? cg->f64 : cg->f32;
  else
    element = int_type (cg, t.bits);
  return ls_cg_vector_type (element, t.lanes);
}

LLVMTypeRef
ls_cg_memory_type (LsCg   *cg,
                   LsDType t)
{
  if (ls_cg_is_narrow (t))
    return ls_cg_vector_type (cg->i16, t.lanes);
  if ((t.code == LS_TYPE_INT || t.code == LS_TYPE_UINT) && t.bits % 8 != 0)
    return ls_cg_vector_type (int_type (cg, (t.bits + 7u) / 8u * 8u), t.lanes);
  return ls_cg_type (cg, t);
}

/* ---- constants ---------------------------------------------------------- */

LLVMValueRef
ls_cg_i32 (LsCg  *cg,
           gint64 value)
{
  return LLVMConstInt (cg->i32, (unsigned long long) value, TRUE);
}

LLVMValueRef
ls_cg_i64 (LsCg  *cg,
           gint64 value)
{
  return LLVMConstInt (cg->i64, (unsigned long long) value, TRUE);
}

LLVMValueRef
ls_cg_int (LsCg   *cg,
           LsDType t,
           gint64  value)
{
  LLVMValueRef one;

  if (t.code == LS_TYPE_HANDLE)
    one = LLVMConstIntToPtr (ls_cg_i64 (cg, value), cg->ptr);
  else
    one = LLVMConstInt (int_type (cg, t.bits), (unsigned long long) value, TRUE);
  return ls_cg_splat (cg, one, t.lanes);
}

LLVMValueRef
ls_cg_float (LsCg   *cg,
             LsDType t,
             double  value)
{
  if (ls_cg_is_narrow (t))
    value = t.code == LS_TYPE_BFLOAT ? ls_bfloat_to_float (ls_bfloat_from_double (value)) : ls_half_to_float (ls_half_from_double (value));
  return ls_cg_splat (cg, LLVMConstReal (t.bits == 64 ? cg->f64 : cg->f32, value), t.lanes);
}

/* ---- vectors ------------------------------------------------------------ */

LLVMValueRef
ls_cg_extract (LsCg        *cg,
               LLVMValueRef vector,
               guint        lane)
{
  LLVMTypeKind kind = LLVMGetTypeKind (LLVMTypeOf (vector));

  if (kind != LLVMVectorTypeKind && kind != LLVMScalableVectorTypeKind)
    return vector;
  return LLVMBuildExtractElement (cg->builder, vector, ls_cg_i32 (cg, lane), "");
}

LLVMValueRef
ls_cg_insert (LsCg        *cg,
              LLVMValueRef vector,
              LLVMValueRef scalar,
              guint        lane)
{
  return LLVMBuildInsertElement (cg->builder, vector, scalar, ls_cg_i32 (cg, lane), "");
}

LLVMValueRef
ls_cg_splat (LsCg        *cg,
             LLVMValueRef scalar,
             guint        lanes)
{
  LLVMTypeRef type;
  LLVMValueRef first;
  LLVMTypeKind kind = LLVMGetTypeKind (LLVMTypeOf (scalar));

  if (lanes <= 1 || kind == LLVMVectorTypeKind || kind == LLVMScalableVectorTypeKind)
    return scalar;
  if (LLVMIsConstant (scalar) && !is_scalable (lanes))
    {
      g_autofree LLVMValueRef *same = g_new (LLVMValueRef, lanes);

      for (guint i = 0; i < lanes; i++)
        same[i] = scalar;
      return LLVMConstVector (same, lanes);
    }
  type = ls_cg_vector_type (LLVMTypeOf (scalar), lanes);
  first = ls_cg_insert (cg, LLVMGetPoison (type), scalar, 0);
  return LLVMBuildShuffleVector (cg->builder, first, LLVMGetPoison (type), LLVMConstNull (ls_cg_vector_type (cg->i32, lanes)), "");
}

/* ---- registers and memory ------------------------------------------------ */

/* Applies a C function of the runtime to each lane. */
static LLVMValueRef
by_lane (LsCg        *cg,
         const char  *name,
         LLVMTypeRef  result,
         LLVMValueRef v,
         guint        lanes)
{
  LLVMTypeRef argument = lanes > 1 ? LLVMGetElementType (LLVMTypeOf (v)) : LLVMTypeOf (v);
  LLVMTypeRef type = ls_cg_func_type (cg, result, 1, argument);
  LLVMValueRef out;

  if (is_scalable (lanes))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "The target has no half precision; vectors of it whose length is known only when they run cannot be converted.");
      return LLVMGetPoison (ls_cg_vector_type (result, lanes));
    }
  if (lanes <= 1)
    return ls_cg_call (cg, name, type, &v, 1);
  out = LLVMGetPoison (LLVMVectorType (result, lanes));
  for (guint i = 0; i < lanes; i++)
    {
      LLVMValueRef lane = ls_cg_extract (cg, v, i);

      out = ls_cg_insert (cg, out, ls_cg_call (cg, name, type, &lane, 1), i);
    }
  return out;
}

static LLVMValueRef
splat_i32 (LsCg  *cg,
           gint64 value,
           guint  lanes)
{
  return ls_cg_splat (cg, ls_cg_i32 (cg, value), lanes);
}

/* Round to nearest, ties to even, on the bits; NaN keeps its upper bits and becomes quiet. */
static LLVMValueRef
bfloat_bits (LsCg        *cg,
             LLVMValueRef v,
             guint        lanes)
{
  LLVMBuilderRef b = cg->builder;
  LLVMTypeRef i32s = ls_cg_vector_type (cg->i32, lanes);
  LLVMValueRef bits = LLVMBuildBitCast (b, v, i32s, "");
  LLVMValueRef upper = LLVMBuildLShr (b, bits, splat_i32 (cg, 16, lanes), "");
  LLVMValueRef odd = LLVMBuildAnd (b, upper, splat_i32 (cg, 1, lanes), "");
  LLVMValueRef bias = LLVMBuildAdd (b, odd, splat_i32 (cg, 0x7fff, lanes), "");
  LLVMValueRef rounded = LLVMBuildLShr (b, LLVMBuildAdd (b, bits, bias, ""), splat_i32 (cg, 16, lanes), "");
  LLVMValueRef quiet = LLVMBuildOr (b, upper, splat_i32 (cg, 0x40, lanes), "");
  LLVMValueRef is_nan = LLVMBuildFCmp (b, LLVMRealUNO, v, v, "");

  return LLVMBuildTrunc (b, LLVMBuildSelect (b, is_nan, quiet, rounded, ""), ls_cg_vector_type (cg->i16, lanes), "");
}

static LLVMValueRef
bfloat_value (LsCg        *cg,
              LLVMValueRef bits,
              guint        lanes)
{
  LLVMTypeRef i32s = ls_cg_vector_type (cg->i32, lanes);
  LLVMValueRef wide = LLVMBuildZExt (cg->builder, bits, i32s, "");

  return LLVMBuildBitCast (cg->builder, LLVMBuildShl (cg->builder, wide, splat_i32 (cg, 16, lanes), ""),
                           ls_cg_vector_type (cg->f32, lanes), "");
}

static LLVMValueRef
half_bits (LsCg        *cg,
           LLVMValueRef v,
           guint        lanes)
{
  if (!cg->has_f16c)
    return by_lane (cg, "ls_abi_half_from_float", cg->i16, v, lanes);
  v = LLVMBuildFPTrunc (cg->builder, v, ls_cg_vector_type (cg->f16, lanes), "");
  return LLVMBuildBitCast (cg->builder, v, ls_cg_vector_type (cg->i16, lanes), "");
}

static LLVMValueRef
half_value (LsCg        *cg,
            LLVMValueRef bits,
            guint        lanes)
{
  if (!cg->has_f16c)
    return by_lane (cg, "ls_abi_half_to_float", cg->f32, bits, lanes);
  bits = LLVMBuildBitCast (cg->builder, bits, ls_cg_vector_type (cg->f16, lanes), "");
  return LLVMBuildFPExt (cg->builder, bits, ls_cg_vector_type (cg->f32, lanes), "");
}

LLVMValueRef
ls_cg_to_memory (LsCg        *cg,
                 LsDType      t,
                 LLVMValueRef v)
{
  if (ls_cg_is_narrow (t))
    return t.code == LS_TYPE_BFLOAT ? bfloat_bits (cg, v, t.lanes) : half_bits (cg, v, t.lanes);
  if ((t.code == LS_TYPE_INT || t.code == LS_TYPE_UINT) && t.bits % 8 != 0)
    {
      LLVMTypeRef type = ls_cg_memory_type (cg, t);

      return t.code == LS_TYPE_UINT ? LLVMBuildZExt (cg->builder, v, type, "") : LLVMBuildSExt (cg->builder, v, type, "");
    }
  return v;
}

LLVMValueRef
ls_cg_from_memory (LsCg        *cg,
                   LsDType      t,
                   LLVMValueRef v)
{
  if (ls_cg_is_narrow (t))
    return t.code == LS_TYPE_BFLOAT ? bfloat_value (cg, v, t.lanes) : half_value (cg, v, t.lanes);
  if (ls_dtype_is_bool (t))
    return LLVMBuildICmp (cg->builder, LLVMIntNE, v, LLVMConstNull (LLVMTypeOf (v)), "");
  if ((t.code == LS_TYPE_INT || t.code == LS_TYPE_UINT) && t.bits % 8 != 0)
    return LLVMBuildTrunc (cg->builder, v, ls_cg_type (cg, t), "");
  return v;
}

LLVMValueRef
ls_cg_round (LsCg        *cg,
             LsDType      t,
             LLVMValueRef v)
{
  return ls_cg_is_narrow (t) ? ls_cg_from_memory (cg, t, ls_cg_to_memory (cg, t, v)) : v;
}
