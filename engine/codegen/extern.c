/* extern: calls that leave the compiled function: C functions, packed functions, other functions of the module. */
#include "engine/codegen/codegen-private.h"

static const char *
callee_name (LsCg   *cg,
             LsCall *call)
{
  if (call->args->n > 0 && ls_is (call->args->items[0], STRING_IMM))
    return ((LsStringImm *) call->args->items[0])->value;
  ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "The first argument of a call of an outside function is its name.");
  return NULL;
}

/* ---- C functions ------------------------------------------------------------ */

/* Integers narrower than an int are widened as C's calling convention expects. */
static LLVMValueRef
c_value (LsCg   *cg,
         LsExpr *expr)
{
  LsDType t = ls_dtype (expr);
  LLVMValueRef v = ls_cg_expr (cg, expr);

  if ((t.code == LS_TYPE_INT || t.code == LS_TYPE_UINT) && t.bits < 32)
    return ls_cg_cast (cg, t, LS_INT32, v);
  return v;
}

static LLVMValueRef
c_call (LsCg       *cg,
        LsCall     *call,
        const char *name)
{
  LsDType t = ls_dtype (call);
  guint n = call->args->n - 1;
  g_autofree LLVMValueRef *args = g_new0 (LLVMValueRef, n + 1);
  g_autofree LLVMTypeRef *types = g_new0 (LLVMTypeRef, n + 1);
  gboolean widened = (t.code == LS_TYPE_INT || t.code == LS_TYPE_UINT) && t.bits < 32;
  LLVMTypeRef result = widened ? cg->i32 : ls_cg_type (cg, t);
  LLVMTypeRef type;
  LLVMValueRef v;

  for (guint i = 0; i < n; i++)
    {
      args[i] = c_value (cg, ls_array_at (call->args, i + 1, LsExpr));
      if (args[i] == NULL)
        args[i] = ls_cg_none (cg, LS_INT32);
      types[i] = LLVMTypeOf (args[i]);
    }
  if (cg->error != NULL)
    return ls_cg_none (cg, t);
  if (ls_cg_is_imported (cg, name))
    ls_cg_check_import (cg, name, types, n);
  type = LLVMFunctionType (result, types, n, FALSE);
  v = ls_cg_call (cg, name, type, args, n);
  return widened ? ls_cg_cast (cg, LS_INT32, t, v) : ls_cg_round (cg, t, v);
}

LLVMValueRef
ls_cg_extern (LsCg   *cg,
              LsCall *call)
{
  LsDType t = ls_dtype (call);
  const char *name = callee_name (cg, call);
  LLVMValueRef out;

  if (name == NULL)
    return ls_cg_none (cg, t);
  if (!cg->options->no_object && !cg->options->open_extern && !ls_cg_is_imported (cg, name) && !ls_jit_has_symbol (name))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "The extern function %s is not registered.", name);
      return ls_cg_none (cg, t);
    }
  if (t.lanes <= 1)
    return c_call (cg, call, name);
  out = LLVMGetPoison (ls_cg_type (cg, t));
  for (guint lane = 0; lane < t.lanes && cg->error == NULL; lane++)
    {
      g_autoptr (LsExpr) one = ls_lane_expr (LS_EXPR (call), lane);

      out = ls_cg_insert (cg, out, ls_cg_expr (cg, one), lane);
    }
  return out;
}

/* ---- packed functions --------------------------------------------------------- */

static LLVMValueRef
field (LsCg        *cg,
       LLVMValueRef base,
       gint64       offset)
{
  LLVMValueRef at = ls_cg_i64 (cg, offset);

  return offset == 0 ? base : LLVMBuildGEP2 (cg->builder, cg->i8, base, &at, 1, "");
}

static void
put (LsCg        *cg,
     LLVMValueRef base,
     gint64       offset,
     LLVMValueRef v)
{
  LLVMBuildStore (cg->builder, v, field (cg, base, offset));
}

static void
put_arg (LsCg        *cg,
         LLVMValueRef base,
         gint64       offset,
         LsExpr      *expr)
{
  LsDType t = ls_dtype (expr);
  LLVMValueRef v = ls_cg_expr (cg, expr);
  LsArgKind kind = ls_is (expr, STRING_IMM) ? LS_ARG_STRING
                   : ls_is_call (expr, "tir.tvm_stack_make_array") ? LS_ARG_TENSOR
                   : t.code == LS_TYPE_HANDLE ? LS_ARG_HANDLE
                   : ls_dtype_is_float (t) ? LS_ARG_FLOAT : LS_ARG_INT;

  if (cg->error != NULL)
    return;
  if (kind == LS_ARG_FLOAT)
    v = ls_cg_cast (cg, t, LS_FLOAT64, v);
  else if (kind == LS_ARG_INT)
    v = ls_cg_cast (cg, t, LS_INT64, v);
  put (cg, base, offset, ls_cg_i32 (cg, kind));
  put (cg, base, offset + G_STRUCT_OFFSET (LsArg, flags), ls_cg_i32 (cg, ls_dtype_is_bool (t) ? LS_ARG_IS_BOOL : 0));
  put (cg, base, offset + 8, v);
}

static LLVMValueRef
packed_result (LsCg        *cg,
               LsDType      t,
               LLVMValueRef result)
{
  LLVMValueRef at = field (cg, result, 8);

  if (ls_dtype_is_void (t))
    return NULL;
  if (t.code == LS_TYPE_HANDLE)
    return LLVMBuildLoad2 (cg->builder, cg->ptr, at, "");
  if (ls_dtype_is_float (t))
    return ls_cg_cast (cg, LS_FLOAT64, t, LLVMBuildLoad2 (cg->builder, cg->f64, at, ""));
  return ls_cg_cast (cg, LS_INT64, t, LLVMBuildLoad2 (cg->builder, cg->i64, at, ""));
}

/* The call itself: where its arguments and what it gives stand, two words each; NULL: it has no name. */
static LLVMValueRef
packed_call (LsCg         *cg,
             LsCall       *call,
             LLVMValueRef *result_out)
{
  const char *name = callee_name (cg, call);
  guint n = call->args->n > 0 ? call->args->n - 1 : 0;
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 4, cg->ptr, cg->ptr, cg->i32, cg->ptr);
  LLVMValueRef args, result, parameters[4];

  if (name == NULL)
    return NULL;
  args = ls_cg_entry_alloca (cg, LLVMArrayType (cg->i64, 2 * MAX (n, 1)), 8, "args");
  *result_out = result = ls_cg_entry_alloca (cg, LLVMArrayType (cg->i64, 2), 8, "result");
  for (guint i = 0; i < n; i++)
    put_arg (cg, args, 16 * (gint64) i, ls_array_at (call->args, i + 1, LsExpr));
  put (cg, result, 0, ls_cg_i64 (cg, LS_ARG_NONE));
  put (cg, result, 8, ls_cg_i64 (cg, 0));
  parameters[0] = ls_cg_text (cg, name);
  parameters[1] = args;
  parameters[2] = ls_cg_i32 (cg, n);
  parameters[3] = result;
  ls_cg_return_if (cg, ls_cg_call (cg, "ls_packed_call", type, parameters, 4));
  return args;
}

LLVMValueRef
ls_cg_packed (LsCg   *cg,
              LsCall *call)
{
  LLVMValueRef result;

  return packed_call (cg, call, &result) != NULL ? packed_result (cg, ls_dtype (call), result) : ls_cg_none (cg, ls_dtype (call));
}

/* T.tvm_call_trace_packed (name, ..., value): what the function gives in place of the value, the value where it gives nothing. */
LLVMValueRef
ls_cg_trace (LsCg   *cg,
             LsCall *call)
{
  LsDType t = ls_dtype (call);
  LLVMValueRef args, result, kind, nothing, whole, given, value;

  if (call->args->n < 2 || (t.code != LS_TYPE_INT && t.code != LS_TYPE_UINT && !ls_dtype_is_float (t)))
    ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "T.tvm_call_trace_packed takes a name and at least one number.");
  if (cg->error != NULL || (args = packed_call (cg, call, &result)) == NULL || cg->error != NULL)
    return ls_cg_none (cg, t);
  kind = LLVMBuildLoad2 (cg->builder, cg->i32, result, "");
  nothing = LLVMBuildICmp (cg->builder, LLVMIntEQ, kind, ls_cg_i32 (cg, LS_ARG_NONE), "");
  value = packed_result (cg, t, field (cg, args, 16 * (gint64) (call->args->n - 2)));
  given = packed_result (cg, t, result);
  if (ls_dtype_is_float (t))
    {
      whole = ls_cg_cast (cg, LS_INT64, t, LLVMBuildLoad2 (cg->builder, cg->i64, field (cg, result, 8), ""));
      given = LLVMBuildSelect (cg->builder, LLVMBuildICmp (cg->builder, LLVMIntEQ, kind, ls_cg_i32 (cg, LS_ARG_INT), ""), whole, given, "");
    }
  return LLVMBuildSelect (cg->builder, nothing, value, given, "");
}

/* T.tvm_stack_make_shape (n, m, ...): an int64 array on the stack. */
LLVMValueRef
ls_cg_make_shape (LsCg   *cg,
                  LsCall *call)
{
  LLVMValueRef shape = ls_cg_entry_alloca (cg, LLVMArrayType (cg->i64, MAX (call->args->n, 1)), 8, "shape");

  for (guint i = 0; i < call->args->n; i++)
    put (cg, shape, 8 * (gint64) i, ls_cg_index (cg, ls_array_at (call->args, i, LsExpr)));
  return shape;
}

static LLVMValueRef
or_null (LsCg   *cg,
         LsExpr *expr)
{
  return ls_dtype (expr).code == LS_TYPE_HANDLE ? ls_cg_expr (cg, expr) : LLVMConstPointerNull (cg->ptr);
}

/* T.tvm_stack_make_array (data, shape, strides, ndim, example of the type, elem_offset): a DLTensor on the stack. */
LLVMValueRef
ls_cg_make_array (LsCg   *cg,
                  LsCall *call)
{
  LsExpr **args = (LsExpr **) call->args->items;
  LLVMValueRef tensor = ls_cg_entry_alloca (cg, LLVMArrayType (cg->i64, sizeof (LsDLTensor) / 8), 8, "tensor");
  LsDType t = ls_dtype (args[4]);
  guint8 code = ls_dtype_is_bool (t) ? LS_DL_BOOL : t.code == LS_TYPE_BFLOAT ? LS_DL_BFLOAT : t.code;
  LLVMValueRef offset;

  G_STATIC_ASSERT (sizeof (LsDLTensor) % 8 == 0);
  put (cg, tensor, G_STRUCT_OFFSET (LsDLTensor, data), ls_cg_expr (cg, args[0]));
  put (cg, tensor, G_STRUCT_OFFSET (LsDLTensor, device), ls_cg_i64 (cg, LS_DL_CPU));
  put (cg, tensor, G_STRUCT_OFFSET (LsDLTensor, ndim), ls_cg_cast (cg, ls_dtype (args[3]), LS_INT32, ls_cg_expr (cg, args[3])));
  put (cg, tensor, G_STRUCT_OFFSET (LsDLTensor, dtype),
       ls_cg_i32 (cg, code | (ls_dtype_is_bool (t) ? 8 : t.bits) << 8 | (gint64) t.lanes << 16));
  put (cg, tensor, G_STRUCT_OFFSET (LsDLTensor, shape), or_null (cg, args[1]));
  put (cg, tensor, G_STRUCT_OFFSET (LsDLTensor, strides), or_null (cg, args[2]));
  offset = LLVMBuildMul (cg->builder, ls_cg_index (cg, args[5]), ls_cg_i64 (cg, ls_dtype_bytes (t)), "");
  put (cg, tensor, G_STRUCT_OFFSET (LsDLTensor, byte_offset), offset);
  return tensor;
}

/* ---- functions of the module --------------------------------------------------- */

LLVMValueRef
ls_cg_call_function (LsCg   *cg,
                     LsCall *call)
{
  const char *name = ((LsGlobalVar *) call->op)->name_hint;
  LsPrimFunc *func = NULL;
  LLVMTypeRef type = NULL;
  LLVMValueRef body = ls_cg_body_of (cg, name, &func, &type);
  g_autofree LLVMValueRef *args = g_new0 (LLVMValueRef, call->args->n + 1);
  LLVMValueRef status;

  if (body == NULL)
    return ls_cg_none (cg, ls_dtype (call));
  if (func->params->n != call->args->n)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "%s takes %u arguments; got %u.", name, func->params->n, call->args->n);
      return ls_cg_none (cg, ls_dtype (call));
    }
  for (guint i = 0; i < call->args->n; i++)
    {
      LsExpr *arg = ls_array_at (call->args, i, LsExpr);
      LsDType want = ls_prim_func_get_buffer (func, i) != NULL ? LS_HANDLE : ls_dtype (func->params->items[i]);

      args[i] = ls_cg_cast (cg, ls_dtype (arg), want, ls_cg_expr (cg, arg));
    }
  args[call->args->n] = ls_cg_entry_alloca (cg, LLVMArrayType (cg->i64, 2), 8, "result");
  if (cg->error != NULL)
    return ls_cg_none (cg, ls_dtype (call));
  put (cg, args[call->args->n], 8, ls_cg_i64 (cg, 0));
  status = LLVMBuildCall2 (cg->builder, type, body, args, call->args->n + 1, "");
  ls_cg_return_if (cg, status);
  return packed_result (cg, ls_dtype (call), args[call->args->n]);
}
