/* func: one PrimFunc becomes two functions.
 *
 * NAME.body takes data pointers, numbers and the variables of symbolic shapes; it computes.  NAME takes the packed
 * convention (LsPackedFunc): it checks count, kinds, types, shapes, strides and addresses of the arguments, binds the
 * symbolic variables at their first mention, compares them at later ones and calls the body.
 */
#include "engine/codegen/codegen-private.h"

#include <string.h>

static void
collect (GPtrArray  *vars,
         GHashTable *seen,
         gpointer    expr)
{
  if (ls_is_var (expr) && g_hash_table_add (seen, expr))
    g_ptr_array_add (vars, expr);
}

GPtrArray *
ls_signature_vars (LsPrimFunc *func)
{
  GPtrArray *vars = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < func->params->n; i++)
    g_hash_table_add (seen, func->params->items[i]);
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer == NULL)
        continue;
      for (guint k = 0; k < buffer->shape->n; k++)
        collect (vars, seen, buffer->shape->items[k]);
      for (guint k = 0; k < buffer->strides->n; k++)
        collect (vars, seen, buffer->strides->items[k]);
      collect (vars, seen, buffer->elem_offset);
    }
  return vars;
}

/* ---- the body ----------------------------------------------------------------- */

static LLVMTypeRef
body_type (LsCg       *cg,
           LsPrimFunc *func,
           GPtrArray  *vars)
{
  guint n = func->params->n + vars->len + 1;
  g_autofree LLVMTypeRef *types = g_new0 (LLVMTypeRef, n);

  for (guint i = 0; i < func->params->n; i++)
    types[i] = ls_prim_func_get_buffer (func, i) != NULL ? cg->ptr : ls_cg_type (cg, ls_dtype (func->params->items[i]));
  for (guint i = 0; i < vars->len; i++)
    types[func->params->n + i] = ls_cg_type (cg, ls_dtype (vars->pdata[i]));
  types[n - 1] = cg->ptr;
  return LLVMFunctionType (cg->i32, types, n, FALSE);
}

static LLVMValueRef
declare_body (LsCg        *cg,
              const char  *name,
              LsPrimFunc  *func,
              LLVMTypeRef *type)
{
  g_autofree char *symbol = g_strdup_printf ("%s%s.body", cg->options->prefix != NULL ? cg->options->prefix : "", name);
  g_autoptr (GPtrArray) vars = ls_signature_vars (func);
  LLVMValueRef body = g_hash_table_lookup (cg->declared, name);

  *type = body_type (cg, func, vars);
  if (body != NULL)
    return body;
  body = LLVMAddFunction (cg->module, symbol, *type);
  LLVMSetLinkage (body, LLVMInternalLinkage);
  g_hash_table_insert (cg->declared, g_strdup (name), body);
  return body;
}

LLVMValueRef
ls_cg_body_of (LsCg        *cg,
               const char  *name,
               LsPrimFunc **func,
               LLVMTypeRef *type)
{
  LsNode *found = ls_module_get (cg->ir, name);
  g_autoptr (GPtrArray) vars = NULL;

  if (!ls_is (found, PRIM_FUNC))
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_PROGRAM, "The function %s is called, but the module has no such function.", name);
      return NULL;
    }
  *func = (LsPrimFunc *) found;
  vars = ls_signature_vars (*func);
  if (vars->len > 0)
    {
      ls_cg_fail (cg, LS_CODEGEN_ERROR_UNSUPPORTED, "%s has symbolic shapes and cannot be called from another function.", name);
      return NULL;
    }
  if (!g_hash_table_contains (cg->declared, name))
    g_ptr_array_add (cg->queue, g_strdup (name));
  return declare_body (cg, name, *func, type);
}

static gint64
constant_bytes (LsBuffer *buffer)
{
  gint64 n = ls_dtype_bytes (buffer->dtype);

  if (buffer->strides->n > 0)
    return 0;
  for (guint i = 0; i < buffer->shape->n; i++)
    {
      gint64 extent;

      if (!ls_as_int (buffer->shape->items[i], &extent) || extent < 0 || (extent > 0 && n > G_MAXINT64 / extent))
        return 0;
      n *= extent;
    }
  return n;
}

static void
describe_pointer (LsCg     *cg,
                  guint     i,
                  LsBuffer *buffer,
                  gboolean  noalias)
{
  gint64 bytes = buffer != NULL ? constant_bytes (buffer) : 0;

  if (noalias)
    ls_cg_attribute (cg, cg->func, i + 1, "noalias", 0);
  if (bytes > 0)
    ls_cg_attribute (cg, cg->func, i + 1, "dereferenceable", (guint64) bytes);
}

static void
bind_params (LsCg       *cg,
             LsPrimFunc *func,
             GPtrArray  *vars)
{
  gint64 flag = 0;
  gboolean noalias = ls_as_int (ls_map_get (func->attrs, "tir.noalias"), &flag) && flag != 0;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsVar *var = ls_array_at (func->params, i, LsVar);
      LLVMValueRef param = LLVMGetParam (cg->func, i);
      const char *name = buffer != NULL ? buffer->name : var->name;

      LLVMSetValueName2 (param, name, strlen (name));
      g_hash_table_insert (cg->values, var, param);
      if (buffer != NULL)
        g_hash_table_insert (cg->values, buffer->data, param);
      if (ls_dtype (var).code == LS_TYPE_HANDLE)
        describe_pointer (cg, i, buffer, noalias);
    }
  for (guint i = 0; i < vars->len; i++)
    {
      LsVar *var = vars->pdata[i];
      LLVMValueRef param = LLVMGetParam (cg->func, func->params->n + i);

      LLVMSetValueName2 (param, var->name, strlen (var->name));
      g_hash_table_insert (cg->values, var, param);
    }
}

static LLVMValueRef
emit_body (LsCg       *cg,
           const char *name,
           LsPrimFunc *func,
           GPtrArray  *vars)
{
  LLVMTypeRef type;
  LLVMValueRef body = declare_body (cg, name, func, &type);

  cg->func = body;
  cg->result = LLVMGetParam (body, LLVMCountParams (body) - 1);
  ls_cg_attribute (cg, body, LLVMAttributeFunctionIndex, "nounwind", 0);
  ls_cg_attribute (cg, body, LLVMAttributeFunctionIndex, "noinline", 0);
  ls_cg_at (cg, ls_cg_block (cg, "entry"));
  ls_cg_debug_func (cg, body, name, LS_NODE (func));
  bind_params (cg, func, vars);
  ls_cg_scopes_init (cg, func);
  ls_cg_stmt (cg, func->body);
  LLVMBuildRet (cg->builder, ls_cg_i32 (cg, 0));
  ls_cg_scopes_clear (cg);
  ls_cg_debug_none (cg);
  return body;
}

/* ---- the entry ------------------------------------------------------------------ */

static LLVMValueRef
constant_dims (LsCg    *cg,
               LsArray *dims)
{
  g_autofree LLVMValueRef *values = g_new0 (LLVMValueRef, dims->n + 1);
  LLVMValueRef array, global;

  for (guint i = 0; i < dims->n; i++)
    {
      gint64 value = LS_ABI_UNKNOWN;

      ls_as_int (dims->items[i], &value);
      values[i] = ls_cg_i64 (cg, value);
    }
  array = LLVMConstArray2 (cg->i64, values, dims->n);
  global = LLVMAddGlobal (cg->module, LLVMTypeOf (array), "dims");
  LLVMSetInitializer (global, array);
  LLVMSetLinkage (global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant (global, TRUE);
  return global;
}

/* An LsAbiTensor as a constant. */
static LLVMValueRef
tensor_spec (LsCg       *cg,
             const char *func,
             LsBuffer   *buffer)
{
  LsDType t = buffer->dtype;
  gboolean broadcast = buffer->buffer_type == LS_BUFFER_AUTO_BROADCAST;
  gboolean compact = buffer->strides->n == 0;
  guint8 code = ls_dtype_is_bool (t) ? LS_DL_BOOL : t.code == LS_TYPE_BFLOAT ? LS_DL_BFLOAT : t.code;
  LLVMValueRef fields[] = {
    ls_cg_text (cg, func), ls_cg_text (cg, buffer->name), ls_cg_i32 (cg, buffer->shape->n),
    LLVMConstInt (cg->i8, code, FALSE), LLVMConstInt (cg->i8, ls_dtype_is_bool (t) ? 8 : t.bits, FALSE), LLVMConstInt (cg->i16, t.lanes, FALSE),
    ls_cg_i32 (cg, broadcast), ls_cg_i32 (cg, compact), constant_dims (cg, buffer->shape),
    compact ? LLVMConstPointerNull (cg->ptr) : constant_dims (cg, buffer->strides),
  };
  LLVMValueRef content = LLVMConstStructInContext (cg->context, fields, G_N_ELEMENTS (fields), FALSE);
  LLVMValueRef global = LLVMAddGlobal (cg->module, LLVMTypeOf (content), "tensor");

  G_STATIC_ASSERT (sizeof (LsAbiTensor) == 48);
  LLVMSetInitializer (global, content);
  LLVMSetLinkage (global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant (global, TRUE);
  return global;
}

typedef struct {
  LsBuffer    *buffer;
  const char  *what;
  guint        dim;
  LsExpr      *wanted;
  LLVMValueRef found;           /* i64 */
} Fact;

static LLVMValueRef
load_dim (LsCg        *cg,
          LLVMValueRef dims,
          guint        i)
{
  LLVMValueRef at = ls_cg_i64 (cg, i);

  return LLVMBuildLoad2 (cg->builder, cg->i64, LLVMBuildGEP2 (cg->builder, cg->i64, dims, &at, 1, ""), "");
}

/* A variable met for the first time takes the value; anything else symbolic is kept for comparing. */
static void
learn (LsCg        *cg,
       GArray      *facts,
       LsBuffer    *buffer,
       const char  *what,
       guint        dim,
       LsExpr      *wanted,
       LLVMValueRef dims,
       guint        place)
{
  Fact fact = { buffer, what, dim, wanted, NULL };
  gint64 constant;

  if (ls_as_int (wanted, &constant))
    return;
  fact.found = load_dim (cg, dims, place);
  if (ls_is_var (wanted) && !g_hash_table_contains (cg->values, wanted))
    {
      LLVMTypeRef type = ls_cg_type (cg, ls_dtype (wanted));

      g_hash_table_insert (cg->values, wanted, type == cg->i64 ? fact.found : LLVMBuildTrunc (cg->builder, fact.found, type, ""));
      if (type == cg->i64)
        return;
    }
  g_array_append_val (facts, fact);
}

static void
compare_fact (LsCg       *cg,
              const char *func,
              Fact       *fact)
{
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 6, cg->ptr, cg->ptr, cg->ptr, cg->i32, cg->i64, cg->i64);
  LLVMValueRef expected = ls_cg_index (cg, fact->wanted);
  LLVMBasicBlockRef bad = ls_cg_block (cg, "mismatch");
  LLVMBasicBlockRef next = ls_cg_block (cg, "next");
  LLVMValueRef args[6];

  LLVMBuildCondBr (cg->builder, LLVMBuildICmp (cg->builder, LLVMIntEQ, expected, fact->found, ""), next, bad);
  ls_cg_at (cg, bad);
  args[0] = ls_cg_text (cg, func);
  args[1] = ls_cg_text (cg, fact->buffer->name);
  args[2] = ls_cg_text (cg, fact->what);
  args[3] = ls_cg_i32 (cg, fact->dim);
  args[4] = expected;
  args[5] = fact->found;
  LLVMBuildRet (cg->builder, ls_cg_call (cg, "ls_abi_mismatch", type, args, 6));
  ls_cg_at (cg, next);
}

static LLVMValueRef
open_tensor (LsCg       *cg,
             const char *func,
             guint       i,
             LsBuffer   *buffer,
             GArray     *facts)
{
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 5, cg->ptr, cg->i32, cg->ptr, cg->ptr, cg->ptr);
  guint n = buffer->shape->n;
  LLVMValueRef dims = ls_cg_entry_alloca (cg, LLVMArrayType (cg->i64, MAX (2 * n, 1)), 8, "dims");
  LLVMValueRef data = ls_cg_entry_alloca (cg, cg->ptr, 8, "data");
  LLVMValueRef args[5] = { LLVMGetParam (cg->func, 0), ls_cg_i32 (cg, i), tensor_spec (cg, func, buffer), dims, data };

  ls_cg_return_if (cg, ls_cg_call (cg, "ls_abi_tensor", type, args, 5));
  for (guint k = 0; k < n; k++)
    learn (cg, facts, buffer, "extent", k, ls_array_at (buffer->shape, k, LsExpr), dims, k);
  for (guint k = 0; k < buffer->strides->n; k++)
    learn (cg, facts, buffer, "stride", k, ls_array_at (buffer->strides, k, LsExpr), dims, n + k);
  if (ls_is_var (buffer->elem_offset) && !g_hash_table_contains (cg->values, buffer->elem_offset))
    g_hash_table_insert (cg->values, buffer->elem_offset, ls_cg_int (cg, ls_dtype (buffer->elem_offset), 0));
  return LLVMBuildLoad2 (cg->builder, cg->ptr, data, "");
}

static LLVMValueRef
open_number (LsCg       *cg,
             const char *func,
             guint       i,
             LsVar      *var)
{
  LsDType t = ls_dtype (var);
  gboolean is_float = ls_dtype_is_float (t);
  gboolean is_handle = t.code == LS_TYPE_HANDLE;
  LLVMTypeRef slot_type = is_float ? cg->f64 : is_handle ? cg->ptr : cg->i64;
  LLVMValueRef slot = ls_cg_entry_alloca (cg, slot_type, 8, var->name);
  LLVMValueRef args[7] = { LLVMGetParam (cg->func, 0), ls_cg_i32 (cg, i), ls_cg_text (cg, func), ls_cg_text (cg, var->name), slot };
  LLVMValueRef status, v;

  if (is_float || is_handle)
    status = ls_cg_call (cg, is_float ? "ls_abi_float" : "ls_abi_handle",
                         ls_cg_func_type (cg, cg->i32, 5, cg->ptr, cg->i32, cg->ptr, cg->ptr, cg->ptr), args, 5);
  else
    {
      args[4] = ls_cg_i32 (cg, t.bits);
      args[5] = ls_cg_i32 (cg, t.code == LS_TYPE_UINT);
      args[6] = slot;
      status = ls_cg_call (cg, "ls_abi_int", ls_cg_func_type (cg, cg->i32, 7, cg->ptr, cg->i32, cg->ptr, cg->ptr, cg->i32, cg->i32, cg->ptr), args, 7);
    }
  ls_cg_return_if (cg, status);
  v = LLVMBuildLoad2 (cg->builder, slot_type, slot, "");
  return is_handle ? v : ls_cg_cast (cg, is_float ? LS_FLOAT64 : LS_INT64, t, v);
}

static void
check_count (LsCg       *cg,
             const char *func,
             guint       expected)
{
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 3, cg->ptr, cg->i32, cg->i32);
  LLVMValueRef args[3] = { ls_cg_text (cg, func), ls_cg_i32 (cg, expected), LLVMGetParam (cg->func, 1) };
  LLVMBasicBlockRef bad = ls_cg_block (cg, "count");
  LLVMBasicBlockRef next = ls_cg_block (cg, "next");

  LLVMBuildCondBr (cg->builder, LLVMBuildICmp (cg->builder, LLVMIntEQ, args[1], args[2], ""), next, bad);
  ls_cg_at (cg, bad);
  LLVMBuildRet (cg->builder, ls_cg_call (cg, "ls_abi_count", type, args, 3));
  ls_cg_at (cg, next);
}

static void
emit_entry (LsCg        *cg,
            const char  *name,
            LsPrimFunc  *func,
            GPtrArray   *vars,
            LLVMValueRef body)
{
  g_autofree char *symbol = g_strdup_printf ("%s%s", cg->options->prefix != NULL ? cg->options->prefix : "", name);
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 4, cg->ptr, cg->i32, cg->ptr, cg->ptr);
  guint n = func->params->n;
  g_autofree LLVMValueRef *args = g_new0 (LLVMValueRef, n + vars->len + 1);
  g_autoptr (GArray) facts = g_array_new (FALSE, FALSE, sizeof (Fact));

  g_hash_table_remove_all (cg->values);
  cg->func = LLVMAddFunction (cg->module, symbol, type);
  ls_cg_attribute (cg, cg->func, LLVMAttributeFunctionIndex, "nounwind", 0);
  ls_cg_at (cg, ls_cg_block (cg, "entry"));
  check_count (cg, name, n);
  for (guint i = 0; i < n; i++)
    {
      LsVar *var = ls_array_at (func->params, i, LsVar);
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer == NULL && ls_dtype (var).code != LS_TYPE_HANDLE)
        g_hash_table_insert (cg->values, var, args[i] = open_number (cg, name, i, var));
    }
  for (guint i = 0; i < n; i++)
    {
      LsVar *var = ls_array_at (func->params, i, LsVar);
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (args[i] == NULL)
        args[i] = buffer != NULL ? open_tensor (cg, name, i, buffer, facts) : open_number (cg, name, i, var);
    }
  for (guint i = 0; i < facts->len && cg->error == NULL; i++)
    compare_fact (cg, name, &g_array_index (facts, Fact, i));
  for (guint i = 0; i < vars->len; i++)
    args[n + i] = ls_cg_expr (cg, vars->pdata[i]);
  args[n + vars->len] = LLVMGetParam (cg->func, 2);
  if (cg->error == NULL)
    LLVMBuildRet (cg->builder, LLVMBuildCall2 (cg->builder, LLVMGlobalGetValueType (body), body, args, n + vars->len + 1, ""));
}

void
ls_cg_prim_func (LsCg       *cg,
                 const char *name,
                 LsPrimFunc *func)
{
  g_autoptr (GPtrArray) vars = ls_signature_vars (func);
  LLVMValueRef body;

  cg->prim_func = func;
  cg->name = name;
  cg->n_outlined = 0;
  g_hash_table_remove_all (cg->values);
  g_hash_table_remove_all (cg->views);
  body = emit_body (cg, name, func, vars);
  if (cg->error == NULL)
    emit_entry (cg, name, func, vars, body);
}
