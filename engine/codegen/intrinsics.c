/* intrinsics: calls of T.if_then_else, T.shift_left, T.reinterpret, T.address_of and the others that are no
 * mathematics.  Shifts by more than the width and by negative numbers mean what the interpreter says they mean.
 */
#include "engine/codegen/codegen-private.h"

#include <math.h>
#include <string.h>

typedef LLVMValueRef (*Emit) (LsCg *cg, LsCall *call);

#define ARG(call, i) ls_array_at ((call)->args, (i), LsExpr)

static LLVMValueRef
arg (LsCg   *cg,
     LsCall *call,
     guint   i)
{
  return ls_cg_splat (cg, ls_cg_expr (cg, ARG (call, i)), ls_dtype (call).lanes);
}

/* ---- choices -------------------------------------------------------------- */

static LLVMValueRef
choice_by_lane (LsCg   *cg,
                LsCall *call)
{
  LLVMValueRef out = LLVMGetPoison (ls_cg_type (cg, ls_dtype (call)));

  for (guint lane = 0; lane < ls_dtype (call).lanes && cg->error == NULL; lane++)
    {
      g_autoptr (LsExpr) one = ls_lane_expr (LS_EXPR (call), lane);

      out = ls_cg_insert (cg, out, ls_cg_expr (cg, one), lane);
    }
  return out;
}

static LLVMValueRef
lazy_choice (LsCg   *cg,
             LsCall *call)
{
  LLVMValueRef condition = ls_cg_truth (cg, ARG (call, 0));
  LLVMBasicBlockRef then_block = ls_cg_block (cg, "then");
  LLVMBasicBlockRef else_block = ls_cg_block (cg, "else");
  LLVMBasicBlockRef join = ls_cg_block (cg, "join");
  LLVMBasicBlockRef ends[2];
  LLVMValueRef values[2];
  LLVMValueRef phi;

  LLVMBuildCondBr (cg->builder, condition, then_block, else_block);
  for (guint i = 0; i < 2; i++)
    {
      ls_cg_at (cg, i == 0 ? then_block : else_block);
      values[i] = arg (cg, call, 1 + i);
      ends[i] = LLVMGetInsertBlock (cg->builder);
      LLVMBuildBr (cg->builder, join);
    }
  ls_cg_at (cg, join);
  phi = LLVMBuildPhi (cg->builder, ls_cg_type (cg, ls_dtype (call)), "");
  LLVMAddIncoming (phi, values, ends, 2);
  return phi;
}

static LLVMValueRef
emit_if_then_else (LsCg   *cg,
                   LsCall *call)
{
  gboolean cheap = ls_cg_is_cheap (ARG (call, 1)) && ls_cg_is_cheap (ARG (call, 2));

  if (!cheap && ls_dtype (ARG (call, 0)).lanes > 1)
    return choice_by_lane (cg, call);
  if (!cheap)
    return lazy_choice (cg, call);
  return LLVMBuildSelect (cg->builder, ls_cg_truth (cg, ARG (call, 0)), arg (cg, call, 1), arg (cg, call, 2), "");
}

/* ---- bits ----------------------------------------------------------------- */

static LLVMValueRef emit_and (LsCg *cg, LsCall *call) { return LLVMBuildAnd (cg->builder, arg (cg, call, 0), arg (cg, call, 1), ""); }
static LLVMValueRef emit_or (LsCg *cg, LsCall *call) { return LLVMBuildOr (cg->builder, arg (cg, call, 0), arg (cg, call, 1), ""); }
static LLVMValueRef emit_xor (LsCg *cg, LsCall *call) { return LLVMBuildXor (cg->builder, arg (cg, call, 0), arg (cg, call, 1), ""); }
static LLVMValueRef emit_not (LsCg *cg, LsCall *call) { return LLVMBuildNot (cg->builder, arg (cg, call, 0), ""); }

/* The amount as an i64 vector clamped for LLVM, and where the result is 0. */
static LLVMValueRef
emit_shift (LsCg   *cg,
            LsCall *call)
{
  gboolean left = ls_is_call (call, "tir.shift_left");
  LsDType t = ls_dtype (call);
  LsDType amount_type = ls_dtype (ARG (call, 1));
  LLVMValueRef a = arg (cg, call, 0);
  LLVMValueRef b = arg (cg, call, 1);
  gboolean is_arithmetic = !left && t.code == LS_TYPE_INT;
  LLVMValueRef limit, too_much, shifted, last;

  amount_type.lanes = t.lanes;
  limit = ls_cg_int (cg, amount_type, t.bits);
  last = ls_cg_int (cg, amount_type, t.bits - 1);
  too_much = LLVMBuildICmp (cg->builder, LLVMIntUGE, b, limit, "");
  b = LLVMBuildSelect (cg->builder, too_much, last, b, "");
  b = ls_cg_cast (cg, ls_dtype_with_lanes (LS_DTYPE (LS_TYPE_UINT, amount_type.bits), t.lanes), t, b);
  if (left)
    shifted = LLVMBuildShl (cg->builder, a, b, "");
  else
    shifted = is_arithmetic ? LLVMBuildAShr (cg->builder, a, b, "") : LLVMBuildLShr (cg->builder, a, b, "");
  if (is_arithmetic)
    too_much = amount_type.bits <= 6 ? ls_cg_int (cg, ls_dtype_with_lanes (LS_BOOL, t.lanes), 0)
               : LLVMBuildICmp (cg->builder, LLVMIntUGE, arg (cg, call, 1), ls_cg_int (cg, amount_type, 64), "");
  return LLVMBuildSelect (cg->builder, too_much, LLVMConstNull (LLVMTypeOf (a)), shifted, "");
}

static LLVMValueRef
emit_popcount (LsCg   *cg,
               LsCall *call)
{
  LsDType from = ls_dtype (ARG (call, 0));
  LLVMValueRef v = ls_cg_expr (cg, ARG (call, 0));
  LLVMTypeRef type = LLVMTypeOf (v);

  v = ls_cg_intrinsic (cg, "llvm.ctpop", &type, 1, &v, 1);
  from.code = LS_TYPE_UINT;
  return ls_cg_cast (cg, from, ls_dtype (call), v);
}

static LLVMValueRef
emit_clz (LsCg   *cg,
          LsCall *call)
{
  LsDType from = ls_dtype (ARG (call, 0));
  LLVMValueRef args[2] = { ls_cg_expr (cg, ARG (call, 0)), LLVMConstInt (cg->i1, 0, FALSE) };
  LLVMTypeRef type = LLVMTypeOf (args[0]);
  LLVMValueRef v = ls_cg_intrinsic (cg, "llvm.ctlz", &type, 1, args, 2);

  from.code = LS_TYPE_UINT;
  return ls_cg_cast (cg, from, ls_dtype (call), v);
}

static LLVMValueRef
emit_reinterpret (LsCg   *cg,
                  LsCall *call)
{
  LsDType from = ls_dtype (ARG (call, 0));
  LsDType to = ls_dtype (call);
  LLVMValueRef v = ls_cg_to_memory (cg, from, ls_cg_expr (cg, ARG (call, 0)));

  if (from.code == LS_TYPE_HANDLE || to.code == LS_TYPE_HANDLE)
    return ls_cg_cast (cg, from, to, v);
  if (from.bits * from.lanes != to.bits * to.lanes)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "%s is reinterpreted as %s: the sizes differ.", ls_dtype_name (from), ls_dtype_name (to));
      return ls_cg_none (cg, to);
    }
  return ls_cg_from_memory (cg, to, LLVMBuildBitCast (cg->builder, v, ls_cg_memory_type (cg, to), ""));
}

static LLVMValueRef
emit_large_uint (LsCg   *cg,
                 LsCall *call)
{
  gint64 low = 0, high = 0;

  ls_as_int (ARG (call, 0), &low);
  ls_as_int (ARG (call, 1), &high);
  return ls_cg_int (cg, ls_dtype (call), (gint64) (((guint64) high << 32) | (guint64) low));
}

/* (x * y + 2^(q-s-1)) >> (q-s) in 64 bits */
static LLVMValueRef
emit_q_multiply_shift (LsCg   *cg,
                       LsCall *call)
{
  LsDType t = ls_dtype (call);
  LsDType wide = ls_dtype_with_lanes (LS_INT64, t.lanes);
  LLVMValueRef v[4];
  LLVMValueRef shift, one, half, product;

  for (guint i = 0; i < 4; i++)
    v[i] = ls_cg_cast (cg, ls_dtype_with_lanes (ls_dtype (ARG (call, i)), t.lanes), wide, arg (cg, call, i));
  one = ls_cg_int (cg, wide, 1);
  shift = LLVMBuildSub (cg->builder, v[2], v[3], "");
  shift = LLVMBuildSelect (cg->builder, LLVMBuildICmp (cg->builder, LLVMIntSLT, shift, one, ""), one, shift, "");
  half = LLVMBuildShl (cg->builder, one, LLVMBuildSub (cg->builder, shift, one, ""), "");
  product = LLVMBuildAdd (cg->builder, LLVMBuildMul (cg->builder, v[0], v[1], ""), half, "");
  return ls_cg_cast (cg, wide, t, LLVMBuildAShr (cg->builder, product, shift, ""));
}

/* (x * 2^left * y + 2^(s-1)) >> s in 64 bits, where s is q and, if it is asked for, the shift to the right */
static LLVMValueRef
emit_q_multiply_shift_per_axis (LsCg   *cg,
                                LsCall *call)
{
  LsDType t = ls_dtype (call);
  LsDType wide = ls_dtype_with_lanes (LS_INT64, t.lanes), flag = ls_dtype_with_lanes (LS_BOOL, t.lanes);
  LLVMValueRef v[7], zero = ls_cg_int (cg, wide, 0), one = ls_cg_int (cg, wide, 1), shift, half, product;

  for (guint i = 0; i < 7; i++)
    v[i] = ls_cg_cast (cg, ls_dtype_with_lanes (ls_dtype (ARG (call, i)), t.lanes), i < 5 ? wide : flag, arg (cg, call, i));
  product = LLVMBuildShl (cg->builder, v[0], LLVMBuildSelect (cg->builder, v[5], v[2], zero, ""), "");
  product = LLVMBuildMul (cg->builder, product, v[1], "");
  shift = LLVMBuildAdd (cg->builder, v[4], LLVMBuildSelect (cg->builder, v[6], v[3], zero, ""), "");
  half = LLVMBuildShl (cg->builder, one, LLVMBuildSub (cg->builder, shift, one, ""), "");
  return ls_cg_cast (cg, wide, t, LLVMBuildAShr (cg->builder, LLVMBuildAdd (cg->builder, product, half, ""), shift, ""));
}

/* ---- numbers -------------------------------------------------------------- */

static LLVMValueRef
emit_abs (LsCg   *cg,
          LsCall *call)
{
  LsDType t = ls_dtype (call);
  LLVMValueRef args[2] = { arg (cg, call, 0), LLVMConstInt (cg->i1, 0, FALSE) };
  LLVMTypeRef type = LLVMTypeOf (args[0]);

  if (ls_dtype_is_float (t))
    return ls_cg_intrinsic (cg, "llvm.fabs", &type, 1, args, 1);
  return t.code == LS_TYPE_UINT ? args[0] : ls_cg_intrinsic (cg, "llvm.abs", &type, 1, args, 2);
}

static LLVMValueRef
emit_float_class (LsCg   *cg,
                  LsCall *call)
{
  LsDType from = ls_dtype (ARG (call, 0));
  gboolean is_finite = ls_is_call (call, "tir.isfinite");
  LLVMValueRef v, magnitude, infinity, out;
  LLVMTypeRef type;

  if (!ls_dtype_is_float (from))
    return ls_cg_int (cg, ls_dtype (call), is_finite);
  v = ls_cg_expr (cg, ARG (call, 0));
  type = LLVMTypeOf (v);
  magnitude = ls_cg_intrinsic (cg, "llvm.fabs", &type, 1, &v, 1);
  infinity = ls_cg_float (cg, from, INFINITY);
  if (ls_is_call (call, "tir.isnan"))
    out = LLVMBuildFCmp (cg->builder, LLVMRealUNO, v, v, "");
  else
    out = LLVMBuildFCmp (cg->builder, is_finite ? LLVMRealOLT : LLVMRealOEQ, magnitude, infinity, "");
  return ls_cg_cast (cg, ls_dtype_with_lanes (LS_BOOL, from.lanes), ls_dtype (call), out);
}

static LLVMValueRef
emit_ldexp (LsCg   *cg,
            LsCall *call)
{
  LsDType t = ls_dtype (call);
  LLVMTypeRef overload[2] = { ls_cg_type (cg, t), ls_cg_vector_type (cg->i32, t.lanes) };
  LLVMValueRef args[2] = { arg (cg, call, 0), ls_cg_cast (cg, ls_dtype_with_lanes (ls_dtype (ARG (call, 1)), t.lanes),
                                                          ls_dtype_with_lanes (LS_INT32, t.lanes), arg (cg, call, 1)) };

  return ls_cg_round (cg, t, ls_cg_intrinsic (cg, "llvm.ldexp", overload, 2, args, 2));
}

static LLVMValueRef
emit_dot4 (LsCg   *cg,
           LsCall *call)
{
  LsDType wide = ls_dtype_with_lanes (LS_INT32, 4);
  LLVMValueRef a = ls_cg_cast (cg, ls_dtype (ARG (call, 0)), wide, ls_cg_expr (cg, ARG (call, 0)));
  LLVMValueRef b = ls_cg_cast (cg, ls_dtype (ARG (call, 1)), wide, ls_cg_expr (cg, ARG (call, 1)));
  LLVMValueRef product = LLVMBuildMul (cg->builder, a, b, "");
  LLVMValueRef sum = ls_cg_cast (cg, ls_dtype (ARG (call, 2)), ls_dtype (call), ls_cg_expr (cg, ARG (call, 2)));

  for (guint i = 0; i < 4; i++)
    sum = LLVMBuildAdd (cg->builder, sum, ls_cg_extract (cg, product, i), "");
  return sum;
}

/* ---- vectors --------------------------------------------------------------- */

static LLVMValueRef
pick_lanes (LsCg        *cg,
            LLVMValueRef a,
            LLVMValueRef b,
            guint        from,
            guint        n)
{
  g_autofree LLVMValueRef *mask = g_new (LLVMValueRef, n);

  for (guint i = 0; i < n; i++)
    mask[i] = ls_cg_i32 (cg, from + i);
  return LLVMBuildShuffleVector (cg->builder, a, b, LLVMConstVector (mask, n), "");
}

static LLVMValueRef
emit_vector_part (LsCg   *cg,
                  LsCall *call)
{
  guint lanes = ls_dtype (ARG (call, 0)).lanes;
  LLVMValueRef v = ls_cg_expr (cg, ARG (call, 0));
  guint from = ls_is_call (call, "tir.vectorhigh") ? lanes / 2 : 0;

  return lanes < 4 ? ls_cg_extract (cg, v, from) : pick_lanes (cg, v, LLVMGetPoison (LLVMTypeOf (v)), from, lanes / 2);
}

static LLVMValueRef
emit_vector_combine (LsCg   *cg,
                     LsCall *call)
{
  LLVMValueRef a = ls_cg_expr (cg, ARG (call, 0));
  LLVMValueRef b = ls_cg_expr (cg, ARG (call, 1));
  guint lanes = ls_dtype (call).lanes;

  if (lanes > 2)
    return pick_lanes (cg, a, b, 0, lanes);
  return ls_cg_insert (cg, ls_cg_insert (cg, LLVMGetPoison (ls_cg_type (cg, ls_dtype (call))), a, 0), b, 1);
}

static LLVMValueRef
emit_vscale (LsCg   *cg,
             LsCall *call)
{
  LLVMTypeRef type = ls_cg_type (cg, ls_dtype (call));

  if (!ls_target_is_scalable (cg->target))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "T.vscale asks for the length of vectors that the target does not have.");
      return ls_cg_none (cg, ls_dtype (call));
    }
  return ls_cg_intrinsic (cg, "llvm.vscale", &type, 1, NULL, 0);
}

/* Which of the numbers from the first argument on, one for each lane, lie below the second. */
static LLVMValueRef
emit_lane_mask (LsCg   *cg,
                LsCall *call)
{
  LsDType t = ls_dtype (call);
  LLVMTypeRef overload[2] = { ls_cg_vector_type (cg->i1, t.lanes), cg->i32 };
  LLVMValueRef args[2];

  if (t.bits != 1 || t.lanes <= 1 || (ls_dtype_is_scalable (t) && !ls_target_is_scalable (cg->target)))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "T.get_active_lane_mask gives a vector of bool that the target has; this is %s.", ls_dtype_name (t));
      return ls_cg_none (cg, ls_dtype_element (t));
    }
  for (guint i = 0; i < 2; i++)
    args[i] = ls_cg_cast (cg, ls_dtype (ARG (call, i)), LS_INT32, ls_cg_expr (cg, ARG (call, i)));
  return ls_cg_intrinsic (cg, "llvm.get.active.lane.mask", overload, 2, args, 2);
}

/* ---- pointers ---------------------------------------------------------------- */

static LLVMValueRef
emit_address_of (LsCg   *cg,
                 LsCall *call)
{
  LsBufferLoad *load = (LsBufferLoad *) ARG (call, 0);

  if (!ls_is (load, BUFFER_LOAD))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "T.address_of takes an element of a buffer.");
      return ls_cg_none (cg, ls_dtype (call));
    }
  return ls_cg_pointer (cg, load->buffer, ls_cg_element_of (cg, load->buffer, load->indices));
}

static LLVMValueRef
move_pointer (LsCg        *cg,
              LLVMTypeRef  element,
              LLVMValueRef base,
              LsExpr      *distance)
{
  LLVMValueRef offset = ls_cg_index (cg, distance);

  return LLVMBuildGEP2 (cg->builder, element, base, &offset, 1, "");
}

static LLVMValueRef
emit_access_ptr (LsCg   *cg,
                 LsCall *call)
{
  return move_pointer (cg, ls_cg_memory_type (cg, ls_dtype (ARG (call, 0))), ls_cg_expr (cg, ARG (call, 1)), ARG (call, 2));
}

static LLVMValueRef
emit_byte_offset (LsCg   *cg,
                  LsCall *call)
{
  return move_pointer (cg, cg->i8, ls_cg_expr (cg, ARG (call, 0)), ARG (call, 1));
}

static LLVMValueRef
emit_is_null (LsCg   *cg,
              LsCall *call)
{
  return LLVMBuildIsNull (cg->builder, arg (cg, call, 0), "");
}

/* ---- others ------------------------------------------------------------------- */

static LLVMValueRef emit_first (LsCg *cg, LsCall *call) { return arg (cg, call, 0); }

static LLVMValueRef
emit_nothing (LsCg   *cg,
              LsCall *call)
{
  return ls_dtype_is_void (ls_dtype (call)) ? NULL : LLVMConstNull (ls_cg_type (cg, ls_dtype (call)));
}

/* T.ret: kind and value go to the result, then the function ends. */
static LLVMValueRef
emit_ret (LsCg   *cg,
          LsCall *call)
{
  if (cg->result == NULL)
    ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "T.ret stands inside a parallel loop.");
  if (call->args->n > 0 && cg->error == NULL)
    {
      LsDType t = ls_dtype (ARG (call, 0));
      gboolean is_float = ls_dtype_is_float (t);
      LLVMValueRef four = ls_cg_i64 (cg, 4), eight = ls_cg_i64 (cg, 8);
      LLVMValueRef v = ls_cg_cast (cg, t, is_float ? LS_FLOAT64 : t.code == LS_TYPE_HANDLE ? t : LS_INT64, ls_cg_expr (cg, ARG (call, 0)));

      LLVMBuildStore (cg->builder, ls_cg_i32 (cg, is_float ? LS_ARG_FLOAT : t.code == LS_TYPE_HANDLE ? LS_ARG_HANDLE : LS_ARG_INT), cg->result);
      if (ls_dtype_is_bool (t))
        LLVMBuildStore (cg->builder, ls_cg_i32 (cg, LS_ARG_IS_BOOL), LLVMBuildGEP2 (cg->builder, cg->i8, cg->result, &four, 1, ""));
      LLVMBuildStore (cg->builder, v, LLVMBuildGEP2 (cg->builder, cg->i8, cg->result, &eight, 1, ""));
    }
  ls_cg_return (cg, ls_cg_i32 (cg, 0));
  ls_cg_at (cg, ls_cg_block (cg, "after_ret"));
  return NULL;
}

/* prefetch (address, for writing, how long to keep, data or code), all but the address constants */
static LLVMValueRef
emit_prefetch (LsCg   *cg,
               LsCall *call)
{
  LLVMTypeRef overloads[1];
  LLVMValueRef args[4], intrinsic;
  gint64 number;

  for (guint i = 1; i < 4; i++)
    if (!ls_as_int (call->args->items[i], &number) || number < 0 || number > (i == 2 ? 3 : 1))
      {
        ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "Argument %u of tir.prefetch is a constant of 0 to %d.", i, i == 2 ? 3 : 1);
        return NULL;
      }
  for (guint i = 0; i < 4; i++)
    args[i] = ls_cg_expr (cg, ARG (call, i));
  if (cg->error != NULL)
    return NULL;
  overloads[0] = LLVMTypeOf (args[0]);
  intrinsic = LLVMGetIntrinsicDeclaration (cg->module, LLVMLookupIntrinsicID ("llvm.prefetch", strlen ("llvm.prefetch")), overloads, 1);
  LLVMBuildCall2 (cg->builder, LLVMGlobalGetValueType (intrinsic), intrinsic, args, 4, "");
  return emit_nothing (cg, call);
}

/* A word of memory that stays over calls, one for each place in the program. */
static LLVMValueRef
emit_static_handle (LsCg   *cg,
                    LsCall *call)
{
  LLVMValueRef global = LLVMAddGlobal (cg->module, cg->ptr, "static_handle");

  LLVMSetInitializer (global, LLVMConstNull (cg->ptr));
  LLVMSetLinkage (global, LLVMInternalLinkage);
  return global;
}

static const struct { const char *name; guint n_args; Emit emit; } CALLS[] = {
  { "if_then_else", 3, emit_if_then_else }, { "likely", 1, emit_first }, { "tvm_thread_invariant", 1, emit_first },
  { "ignore_loop_partition", 1, emit_first }, { "reinterpret", 1, emit_reinterpret },
  { "bitwise_and", 2, emit_and }, { "bitwise_or", 2, emit_or }, { "bitwise_xor", 2, emit_xor }, { "bitwise_not", 1, emit_not },
  { "shift_left", 2, emit_shift }, { "shift_right", 2, emit_shift }, { "popcount", 1, emit_popcount }, { "clz", 1, emit_clz },
  { "fabs", 1, emit_abs }, { "isnan", 1, emit_float_class }, { "isinf", 1, emit_float_class }, { "isfinite", 1, emit_float_class },
  { "ldexp", 2, emit_ldexp }, { "large_uint_imm", 2, emit_large_uint }, { "q_multiply_shift", 4, emit_q_multiply_shift },
  { "q_multiply_shift_per_axis", 7, emit_q_multiply_shift_per_axis },
  { "dp4a", 3, emit_dot4 }, { "vectorlow", 1, emit_vector_part }, { "vectorhigh", 1, emit_vector_part },
  { "vectorcombine", 2, emit_vector_combine }, { "vscale", 0, emit_vscale }, { "get_active_lane_mask", 2, emit_lane_mask }, { "address_of", 1, emit_address_of }, { "tvm_access_ptr", 5, emit_access_ptr },
  { "handle_add_byte_offset", 2, emit_byte_offset }, { "isnullptr", 1, emit_is_null }, { "ret", 0, emit_ret },
  { "assume", 0, emit_nothing }, { "prefetch", 4, emit_prefetch }, { "type_annotation", 0, emit_nothing }, { "undef", 0, emit_nothing },
  { "start_profile_intrinsic", 0, emit_nothing }, { "end_profile_intrinsic", 0, emit_nothing },
  { "call_llvm_intrin", 1, ls_cg_llvm_call }, { "call_llvm_pure_intrin", 1, ls_cg_llvm_call },
  { "call_extern", 1, ls_cg_extern }, { "call_pure_extern", 1, ls_cg_extern },
  { "tvm_call_packed", 1, ls_cg_packed }, { "call_cpacked", 1, ls_cg_packed }, { "tvm_call_cpacked", 1, ls_cg_packed },
  { "tvm_call_trace_packed", 2, ls_cg_trace }, { "tvm_static_handle", 0, emit_static_handle },
  { "tvm_stack_make_array", 6, ls_cg_make_array }, { "tvm_stack_make_shape", 0, ls_cg_make_shape },
};

LLVMValueRef
ls_cg_call_expr (LsCg   *cg,
                 LsCall *call)
{
  const char *name = ls_is (call->op, OP) ? ((LsOp *) call->op)->name : "?";
  const char *tail = g_str_has_prefix (name, "tir.") ? name + strlen ("tir.") : name;
  LLVMValueRef out;

  if (cg->target->is_device && (out = ls_cg_device_call (cg, tail, call)) != NULL)
    return out;
  if (ls_is (call->op, GLOBAL_VAR))
    return ls_cg_call_function (cg, call);
  if ((out = ls_cg_atomic (cg, tail, call)) != NULL)
    return out;
  for (guint i = 0; i < G_N_ELEMENTS (CALLS); i++)
    if (strcmp (CALLS[i].name, tail) == 0)
      {
        if (call->args->n >= CALLS[i].n_args)
          return CALLS[i].emit (cg, call);
        ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "T.%s takes %u arguments; got %u.", tail, CALLS[i].n_args, call->args->n);
        return ls_cg_none (cg, ls_dtype (call));
      }
  out = ls_cg_math (cg, tail, call);
  if (out == NULL)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "T.%s is nothing that %s can run.",
                  ls_is (call->op, OP) ? ((LsOp *) call->op)->script_name : "call", cg->target->is_device ? "the device" : "a CPU");
      out = ls_cg_none (cg, ls_dtype (call));
    }
  return out;
}
