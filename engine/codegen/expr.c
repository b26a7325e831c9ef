/* expr: PrimExpr to LLVM values.
 *
 * And, Or and if_then_else evaluate their later operands only when those are needed, unless these are cheap and
 * cannot go wrong; Select evaluates both.  Inside indices (`in_index`) sums and products carry "no signed wrap",
 * except below a division or bit operation, where a wrapped number may be meant.
 */
#include "engine/base/stack.h"
#include "engine/codegen/codegen-private.h"

#include <math.h>

/* ---- helpers -------------------------------------------------------------- */

static LsWalk
find_costly (LsNode  *node,
             gpointer data)
{
  gboolean *cheap = data;

  switch ((int) ls_kind (node))
    {
    case LS_KIND_BUFFER_LOAD:
    case LS_KIND_CALL:
    case LS_KIND_DIV:
    case LS_KIND_MOD:
    case LS_KIND_FLOOR_DIV:
    case LS_KIND_FLOOR_MOD:
    case LS_KIND_LET:
      *cheap = FALSE;
      return LS_WALK_STOP;
    default:
      return LS_WALK_CONTINUE;
    }
}

gboolean
ls_cg_is_cheap (LsExpr *expr)
{
  gboolean cheap = TRUE;

  ls_walk (expr, find_costly, NULL, &cheap);
  return cheap;
}

LLVMValueRef
ls_cg_float_flags (LsCg        *cg,
                   LLVMValueRef v)
{
  if (!LLVMIsAInstruction (v) || !LLVMCanValueUseFastMathFlags (v))
    return v;
  if (cg->is_fast)
    LLVMSetFastMathFlags (v, LLVMFastMathAll);
  else if (cg->contract)
    LLVMSetFastMathFlags (v, LLVMFastMathAllowContract);
  return v;
}

LLVMValueRef
ls_cg_truth (LsCg   *cg,
             LsExpr *expr)
{
  LsDType t = ls_dtype (expr);
  LLVMValueRef v = ls_cg_expr (cg, expr);

  return ls_dtype_is_bool (t) ? v : ls_cg_cast (cg, t, ls_dtype_with_lanes (LS_BOOL, t.lanes), v);
}

/* What comes from memory wraps in int32: the operation on the low halves, extended. */
static LLVMValueRef
wrapped (LsCg        *cg,
         LsKind       kind,
         LLVMValueRef a,
         LLVMValueRef b)
{
  LLVMBuilderRef builder = cg->builder;
  LLVMValueRef low_a = LLVMBuildTrunc (builder, a, cg->i32, ""), low_b = LLVMBuildTrunc (builder, b, cg->i32, "");
  LLVMValueRef low = kind == LS_KIND_ADD ? LLVMBuildAdd (builder, low_a, low_b, "")
                     : kind == LS_KIND_SUB ? LLVMBuildSub (builder, low_a, low_b, "") : LLVMBuildMul (builder, low_a, low_b, "");

  return LLVMBuildSExt (builder, low, cg->i64, "");
}

/* A scalar int32 expression computed in 64 bits from the start: what is made of loop variables and extents cannot overflow, so that this is
 * the same, and LLVM need not widen it later.  Products with data (`is_data`) and sums of data wrap.  Data plus an index is left wide, since
 * what leaves int32 there is outside of the buffer whether it wraps or not (but for the last rows of one of 2^31 elements, where it is an
 * error); so A[P[i] * 64 + j] stays a row. */
static LLVMValueRef
wide_value (LsCg     *cg,
            LsExpr   *expr,
            gboolean *is_data)
{
  LsKind kind = ls_kind (expr);
  LLVMValueRef known = ls_is_var (expr) ? g_hash_table_lookup (cg->wide, expr) : NULL;
  LLVMValueRef v;
  gboolean kept = cg->in_index;

  if (known != NULL)
    {
      *is_data = ls_cg_is_data (cg, expr);
      return known;
    }
  if (kind == LS_KIND_ADD || kind == LS_KIND_SUB || kind == LS_KIND_MUL)
    {
      gboolean data_a = FALSE, data_b = FALSE;
      LLVMValueRef a = wide_value (cg, ((LsBinary *) expr)->a, &data_a);
      LLVMValueRef b = wide_value (cg, ((LsBinary *) expr)->b, &data_b);

      *is_data = data_a || data_b;
      if (kind == LS_KIND_MUL ? data_a || data_b : data_a && data_b)
        return wrapped (cg, kind, a, b);
      return kind == LS_KIND_ADD ? LLVMBuildNSWAdd (cg->builder, a, b, "")
             : kind == LS_KIND_SUB ? LLVMBuildNSWSub (cg->builder, a, b, "") : LLVMBuildNSWMul (cg->builder, a, b, "");
    }
  *is_data = ls_cg_is_data (cg, expr);
  cg->in_index = !*is_data;
  v = ls_cg_cast (cg, LS_INT32, LS_INT64, ls_cg_expr (cg, expr));
  cg->in_index = kept;
  return v;
}

LLVMValueRef
ls_cg_index (LsCg   *cg,
             LsExpr *expr)
{
  gboolean kept = cg->in_index, is_data = FALSE;
  LsDType t = ls_dtype (expr);
  LLVMValueRef v;

  if (ls_dtype_equal (t, LS_INT32) && cg->error == NULL)
    {
      cg->in_index = TRUE;
      v = wide_value (cg, expr, &is_data);
    }
  else
    {
      cg->in_index = !ls_cg_is_data (cg, expr);
      v = ls_cg_cast (cg, t, ls_dtype_with_lanes (LS_INT64, t.lanes), ls_cg_expr (cg, expr));
    }
  cg->in_index = kept;
  return v;
}

/* ---- operators ------------------------------------------------------------ */

static LLVMValueRef
int_arithmetic (LsCg        *cg,
                LsKind       kind,
                LsDType      t,
                LLVMValueRef a,
                LLVMValueRef b)
{
  gboolean fits = cg->in_index && t.code == LS_TYPE_INT && t.bits >= 32;
  LLVMBuilderRef builder = cg->builder;

  switch ((int) kind)
    {
    case LS_KIND_ADD: return fits ? LLVMBuildNSWAdd (builder, a, b, "") : LLVMBuildAdd (builder, a, b, "");
    case LS_KIND_SUB: return fits ? LLVMBuildNSWSub (builder, a, b, "") : LLVMBuildSub (builder, a, b, "");
    case LS_KIND_MUL: return fits ? LLVMBuildNSWMul (builder, a, b, "") : LLVMBuildMul (builder, a, b, "");
    default: return ls_cg_int_division (cg, kind, t, a, b);
    }
}

/* Float floor division and modulo are computed in float64 and rounded once, as the interpreter does. */
static LLVMValueRef
float_floor (LsCg        *cg,
             LsKind       kind,
             LsDType      t,
             LLVMValueRef a,
             LLVMValueRef b)
{
  LsDType wide = ls_dtype_with_lanes (LS_FLOAT64, t.lanes);
  LLVMTypeRef type = ls_cg_type (cg, wide);
  LLVMValueRef quotient;

  a = ls_cg_cast (cg, t, wide, a);
  b = ls_cg_cast (cg, t, wide, b);
  quotient = LLVMBuildFDiv (cg->builder, a, b, "");
  quotient = ls_cg_intrinsic (cg, "llvm.floor", &type, 1, &quotient, 1);
  if (kind == LS_KIND_FLOOR_MOD)
    quotient = LLVMBuildFSub (cg->builder, a, LLVMBuildFMul (cg->builder, quotient, b, ""), "");
  return ls_cg_cast (cg, wide, t, quotient);
}

static LLVMValueRef
float_arithmetic (LsCg        *cg,
                  LsKind       kind,
                  LsDType      t,
                  LLVMValueRef a,
                  LLVMValueRef b)
{
  LLVMValueRef v;

  switch ((int) kind)
    {
    case LS_KIND_ADD: v = LLVMBuildFAdd (cg->builder, a, b, ""); break;
    case LS_KIND_SUB: v = LLVMBuildFSub (cg->builder, a, b, ""); break;
    case LS_KIND_MUL: v = LLVMBuildFMul (cg->builder, a, b, ""); break;
    case LS_KIND_DIV: v = LLVMBuildFDiv (cg->builder, a, b, ""); break;
    case LS_KIND_MOD: v = LLVMBuildFRem (cg->builder, a, b, ""); break;
    default: return float_floor (cg, kind, t, a, b);
    }
  if (!ls_cg_is_narrow (t))
    return ls_cg_float_flags (cg, v);
  return ls_cg_round (cg, t, v);
}

static LLVMValueRef
compare (LsCg        *cg,
         LsKind       kind,
         LsDType      t,
         LLVMValueRef a,
         LLVMValueRef b)
{
  static const LLVMRealPredicate FLOATS[] = { LLVMRealOEQ, LLVMRealUNE, LLVMRealOLT, LLVMRealOLE, LLVMRealOGT, LLVMRealOGE };
  static const LLVMIntPredicate INTS[] = { LLVMIntEQ, LLVMIntNE, LLVMIntSLT, LLVMIntSLE, LLVMIntSGT, LLVMIntSGE };
  static const LLVMIntPredicate UINTS[] = { LLVMIntEQ, LLVMIntNE, LLVMIntULT, LLVMIntULE, LLVMIntUGT, LLVMIntUGE };
  guint i = kind - LS_KIND_EQ;

  if (ls_dtype_is_float (t))
    return LLVMBuildFCmp (cg->builder, FLOATS[i], a, b, "");
  return LLVMBuildICmp (cg->builder, t.code == LS_TYPE_INT ? INTS[i] : UINTS[i], a, b, "");
}

/* Is it a constant and no NaN? */
static gboolean
is_number (LLVMValueRef value)
{
  LLVMBool inexact;

  if (LLVMIsAConstantAggregateZero (value) != NULL)
    return TRUE;
  if (LLVMIsAConstantDataVector (value) == NULL)
    return LLVMIsAConstantFP (value) != NULL && !isnan (LLVMConstRealGetDouble (value, &inexact));
  for (guint i = 0; i < LLVMGetVectorSize (LLVMTypeOf (value)); i++)
    if (isnan (LLVMConstRealGetDouble (LLVMGetAggregateElement (value, i), &inexact)))
      return FALSE;
  return TRUE;
}

/* The greater or lesser of two; NaN if one of them is, as IEEE 754's maximum. */
static LLVMValueRef
min_max (LsCg        *cg,
         LsKind       kind,
         LsDType      t,
         LLVMValueRef a,
         LLVMValueRef b)
{
  LLVMValueRef better;

  /* a >= b is false for NaN, and then a is it; b is never one here, and of two zeros it is taken */
  if (ls_dtype_is_float (t) && !cg->is_fast && is_number (b))
    return LLVMBuildSelect (cg->builder, compare (cg, kind == LS_KIND_MIN ? LS_KIND_GE : LS_KIND_LE, t, a, b), b, a, "");
  better = compare (cg, kind == LS_KIND_MIN ? LS_KIND_LT : LS_KIND_GT, t, a, b);
  if (!ls_dtype_is_float (t) || cg->is_fast || is_number (a))
    return LLVMBuildSelect (cg->builder, better, a, b, "");
  return LLVMBuildSelect (cg->builder, LLVMBuildFCmp (cg->builder, LLVMRealUNO, a, a, ""), a, LLVMBuildSelect (cg->builder, better, a, b, ""), "");
}

/* a && b, a || b where b is evaluated only when a has not decided. */
static LLVMValueRef
lazy_logic (LsCg     *cg,
            gboolean  is_and,
            LsBinary *expr)
{
  LLVMValueRef a = ls_cg_truth (cg, expr->a);
  LLVMBasicBlockRef from = LLVMGetInsertBlock (cg->builder);
  LLVMBasicBlockRef more = ls_cg_block (cg, "more");
  LLVMBasicBlockRef join = ls_cg_block (cg, "join");
  LLVMValueRef values[2];
  LLVMBasicBlockRef blocks[2] = { from, NULL };
  LLVMValueRef phi;

  LLVMBuildCondBr (cg->builder, a, is_and ? more : join, is_and ? join : more);
  ls_cg_at (cg, more);
  values[0] = LLVMConstInt (cg->i1, is_and ? 0 : 1, FALSE);
  values[1] = ls_cg_truth (cg, expr->b);
  blocks[1] = LLVMGetInsertBlock (cg->builder);
  LLVMBuildBr (cg->builder, join);
  ls_cg_at (cg, join);
  phi = LLVMBuildPhi (cg->builder, cg->i1, "");
  LLVMAddIncoming (phi, values, blocks, 2);
  return phi;
}

static LLVMValueRef
logic (LsCg     *cg,
       LsKind    kind,
       LsBinary *expr)
{
  guint lanes = ls_dtype (expr).lanes;
  LLVMValueRef a, b;

  if (lanes == 1 && !ls_cg_is_cheap (expr->b))
    return lazy_logic (cg, kind == LS_KIND_AND, expr);
  a = ls_cg_splat (cg, ls_cg_truth (cg, expr->a), lanes);
  b = ls_cg_splat (cg, ls_cg_truth (cg, expr->b), lanes);
  return kind == LS_KIND_AND ? LLVMBuildAnd (cg->builder, a, b, "") : LLVMBuildOr (cg->builder, a, b, "");
}

static LLVMValueRef
binary (LsCg     *cg,
        LsKind    kind,
        LsBinary *expr)
{
  LsDType t = ls_dtype (expr->a);
  guint lanes = MAX (t.lanes, ls_dtype (expr->b).lanes);
  gboolean kept = cg->in_index;
  LLVMValueRef a, b;

  if (kind == LS_KIND_AND || kind == LS_KIND_OR)
    return logic (cg, kind, expr);
  t.lanes = (guint16) lanes;
  if (kind >= LS_KIND_DIV && kind <= LS_KIND_FLOOR_MOD)
    cg->in_index = FALSE;
  a = ls_cg_splat (cg, ls_cg_expr (cg, expr->a), lanes);
  b = ls_cg_splat (cg, ls_cg_expr (cg, expr->b), lanes);
  cg->in_index = kept;
  if (LLVMTypeOf (a) != LLVMTypeOf (b))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "%s combines %s and %s.", LS_NODE (expr)->klass->name,
                  ls_dtype_name (ls_dtype (expr->a)), ls_dtype_name (ls_dtype (expr->b)));
      return ls_cg_none (cg, ls_dtype (expr));
    }
  if (ls_kind_is_compare (kind))
    return compare (cg, kind, t, a, b);
  if (kind == LS_KIND_MIN || kind == LS_KIND_MAX)
    return min_max (cg, kind, t, a, b);
  return ls_dtype_is_float (t) ? float_arithmetic (cg, kind, t, a, b) : int_arithmetic (cg, kind, t, a, b);
}

/* ---- vectors -------------------------------------------------------------- */

static LLVMValueRef
lane_numbers (LsCg   *cg,
              LsDType t,
              guint   repeat)
{
  g_autofree LLVMValueRef *numbers = g_new (LLVMValueRef, t.lanes);

  for (guint i = 0; i < t.lanes; i++)
    numbers[i] = ls_cg_int (cg, ls_dtype_element (t), i / repeat);
  return LLVMConstVector (numbers, t.lanes);
}

/* Lanes of `v`, one after the other, as often as fits into `lanes`. */
static LLVMValueRef
repeat (LsCg        *cg,
        LLVMValueRef v,
        guint        inner,
        guint        lanes)
{
  g_autofree LLVMValueRef *mask = NULL;

  if (inner <= 1)
    return ls_cg_splat (cg, v, lanes);
  mask = g_new (LLVMValueRef, lanes);
  for (guint i = 0; i < lanes; i++)
    mask[i] = ls_cg_i32 (cg, i % inner);
  return LLVMBuildShuffleVector (cg->builder, v, LLVMGetPoison (LLVMTypeOf (v)), LLVMConstVector (mask, lanes), "");
}

static LLVMValueRef
ramp (LsCg   *cg,
      LsRamp *expr)
{
  LsDType t = ls_dtype (expr);
  guint inner = ls_dtype (expr->base).lanes;
  LLVMValueRef base = repeat (cg, ls_cg_expr (cg, expr->base), inner, t.lanes);
  LLVMValueRef stride = repeat (cg, ls_cg_expr (cg, expr->stride), inner, t.lanes);
  LLVMValueRef step = int_arithmetic (cg, LS_KIND_MUL, t, stride, lane_numbers (cg, t, inner));

  return int_arithmetic (cg, LS_KIND_ADD, t, base, step);
}

static LLVMValueRef
shuffle (LsCg      *cg,
         LsShuffle *expr)
{
  guint lanes = ls_dtype (expr).lanes;
  LLVMValueRef out = lanes > 1 ? LLVMGetPoison (ls_cg_type (cg, ls_dtype (expr))) : NULL;
  g_autofree LLVMValueRef *vectors = g_new (LLVMValueRef, expr->vectors->n + 1);

  for (guint i = 0; i < expr->vectors->n; i++)
    vectors[i] = ls_cg_expr (cg, ls_array_at (expr->vectors, i, LsExpr));
  for (guint lane = 0; lane < lanes && lane < expr->indices->n; lane++)
    {
      gint64 at = -1;
      LLVMValueRef picked = NULL;

      if (!ls_as_int (expr->indices->items[lane], &at))
        ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "T.Shuffle needs constant indices.");
      for (guint i = 0; i < expr->vectors->n && at >= 0; i++)
        {
          guint n = ls_dtype (expr->vectors->items[i]).lanes;

          if (at < n)
            picked = ls_cg_extract (cg, vectors[i], (guint) at);
          at -= n;
        }
      if (picked == NULL)
        {
          ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "T.Shuffle picks a lane that its vectors do not have.");
          return ls_cg_none (cg, ls_dtype (expr));
        }
      out = lanes > 1 ? ls_cg_insert (cg, out, picked, lane) : picked;
    }
  return out;
}

/* ---- the rest ------------------------------------------------------------- */

static LLVMValueRef
variable (LsCg  *cg,
          LsVar *var)
{
  LLVMValueRef v = g_hash_table_lookup (cg->values, var);

  if (v != NULL)
    return v;
  ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "%s is used where it is not defined.", var->name);
  return ls_cg_none (cg, ls_dtype (var));
}

static LLVMValueRef
let (LsCg  *cg,
     LsLet *expr)
{
  LLVMValueRef old = ls_cg_bind (cg, expr->var, ls_cg_expr (cg, expr->value));
  LLVMValueRef v;

  if (ls_cg_is_data (cg, expr->value))
    g_hash_table_add (cg->is_data, expr->var);
  v = ls_cg_expr (cg, expr->body);
  ls_cg_unbind (cg, expr->var, old);
  return v;
}

static LLVMValueRef
select_value (LsCg     *cg,
              LsSelect *expr)
{
  guint lanes = ls_dtype (expr).lanes;
  LLVMValueRef condition = ls_cg_truth (cg, expr->condition), a, b;

  cg->in_select++;
  a = ls_cg_splat (cg, ls_cg_expr (cg, expr->true_value), lanes);
  b = ls_cg_splat (cg, ls_cg_expr (cg, expr->false_value), lanes);
  cg->in_select--;
  return LLVMBuildSelect (cg->builder, condition, a, b, "");
}

static LLVMValueRef
not_value (LsCg  *cg,
           LsNot *expr)
{
  return LLVMBuildNot (cg->builder, ls_cg_truth (cg, expr->a), "");
}

typedef struct {
  LsCg         *cg;
  LsExpr       *expr;
  LLVMValueRef  result;
} Again;

static void
expr_again (gpointer data)
{
  Again *again = data;

  again->result = ls_cg_expr (again->cg, again->expr);
}

/* What is computed lane by lane here has no form for vectors whose length is known only when they run. */
static gboolean
is_whole (LsExpr *expr)
{
  switch ((int) ls_kind (expr))
    {
    case LS_KIND_VAR:
    case LS_KIND_CAST:
    case LS_KIND_NOT:
    case LS_KIND_SELECT:
    case LS_KIND_BROADCAST:
    case LS_KIND_LET:
    case LS_KIND_BUFFER_LOAD:
    case LS_KIND_ADD:
    case LS_KIND_SUB:
    case LS_KIND_MUL:
    case LS_KIND_MIN:
    case LS_KIND_MAX:
    case LS_KIND_EQ:
    case LS_KIND_NE:
    case LS_KIND_LT:
    case LS_KIND_LE:
    case LS_KIND_GT:
    case LS_KIND_GE:
    case LS_KIND_AND:
    case LS_KIND_OR:
      return TRUE;
    case LS_KIND_CALL:
      return ls_is_call (expr, "tir.get_active_lane_mask") || ls_is_call (expr, "tir.call_llvm_intrin")
             || ls_is_call (expr, "tir.call_llvm_pure_intrin") || ls_cg_math_is_whole ((LsCall *) expr);
    default:
      return FALSE;
    }
}

LLVMValueRef
ls_cg_expr (LsCg   *cg,
            LsExpr *expr)
{
  LsDType t = ls_dtype (expr);
  LsKind kind = ls_kind (expr);

  if (ls_stack_is_short ())
    {
      Again again = { cg, expr, NULL };

      ls_stack_extend (expr_again, &again);
      return again.result;
    }
  if (cg->error != NULL)
    return ls_cg_none (cg, t);
  if (ls_dtype_is_scalable (t) && !is_whole (expr))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "%s cannot be computed of vectors whose length is known only when they run.",
                  ls_is (expr, CALL) && ls_is (((LsCall *) expr)->op, OP) ? ((LsOp *) ((LsCall *) expr)->op)->script_name : LS_NODE (expr)->klass->name);
      return LLVMGetPoison (cg->i32);
    }
  switch ((int) kind)
    {
    case LS_KIND_VAR:
    case LS_KIND_SIZE_VAR:
      return variable (cg, (LsVar *) expr);
    case LS_KIND_INT_IMM:
      return ls_cg_int (cg, t, ((LsIntImm *) expr)->value);
    case LS_KIND_FLOAT_IMM:
      return ls_cg_float (cg, t, ((LsFloatImm *) expr)->value);
    case LS_KIND_STRING_IMM:
      return ls_cg_text (cg, ((LsStringImm *) expr)->value);
    case LS_KIND_CAST:
      return ls_cg_cast (cg, ls_dtype (((LsCast *) expr)->value), t, ls_cg_expr (cg, ((LsCast *) expr)->value));
    case LS_KIND_NOT:
      return not_value (cg, (LsNot *) expr);
    case LS_KIND_SELECT:
      return select_value (cg, (LsSelect *) expr);
    case LS_KIND_RAMP:
      return ramp (cg, (LsRamp *) expr);
    case LS_KIND_BROADCAST:
      return repeat (cg, ls_cg_expr (cg, ((LsBroadcast *) expr)->value), ls_dtype (((LsBroadcast *) expr)->value).lanes, t.lanes);
    case LS_KIND_LET:
      return let (cg, (LsLet *) expr);
    case LS_KIND_SHUFFLE:
      return shuffle (cg, (LsShuffle *) expr);
    case LS_KIND_CALL:
      return ls_cg_call_expr (cg, (LsCall *) expr);
    case LS_KIND_BUFFER_LOAD:
      return ls_cg_load (cg, (LsBufferLoad *) expr);
    default:
      if (ls_kind_is_binary (kind))
        return binary (cg, kind, (LsBinary *) expr);
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "%s cannot be compiled; it is lowered first.", LS_NODE (expr)->klass->name);
      return ls_cg_none (cg, t);
    }
}
