/* func: one PrimFunc becomes two functions.
 *
 * NAME.body takes data pointers, numbers and the variables of symbolic shapes; it computes.  NAME takes the packed
 * convention (LsPackedFunc): it checks count, kinds, types, shapes, strides and addresses of the arguments, binds the
 * symbolic variables at their first mention, compares them at later ones and calls the body.
 */
#include "engine/codegen/codegen-private.h"
#include "engine/base/float8.h"

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

/* What the linker calls it: its place in the module, or what it says itself. (transfer full) */
static char *
symbol_of (LsCg       *cg,
           const char *name,
           LsPrimFunc *func,
           const char *suffix)
{
  LsNode *own = cg->options->by_symbol ? ls_map_get (func->attrs, "global_symbol") : NULL;

  return g_strconcat (cg->options->prefix != NULL ? cg->options->prefix : "", ls_is (own, STRING) ? ((LsString *) own)->value : name, suffix, NULL);
}

static LLVMValueRef
declare_body (LsCg        *cg,
              const char  *name,
              LsPrimFunc  *func,
              LLVMTypeRef *type)
{
  g_autofree char *symbol = symbol_of (cg, name, func, cg->options->by_symbol ? "_compute_" : ".body");
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

  if (ls_buffer_has_strides (buffer))
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
  if (buffer != NULL)
    ls_cg_attribute (cg, cg->func, i + 1, "align", ls_cg_alignment (buffer->dtype));
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
  ls_cg_body_attributes (cg, body);
  ls_cg_attribute (cg, body, LLVMAttributeFunctionIndex, "noinline", 0);
  ls_cg_at (cg, ls_cg_block (cg, "entry"));
  ls_cg_debug_func (cg, body, name, LS_NODE (func));
  bind_params (cg, func, vars);
  ls_cg_scopes_init (cg, func);
  cg->may_split = ls_cg_may_split (func->body);
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

/* Is the number of elements known only when it runs, and made of int32? */
static gboolean
counts_in_int32 (LsBuffer *buffer)
{
  gint64 extent;

  for (guint i = 0; i < ls_array_n (buffer->shape); i++)
    if (!ls_as_int (buffer->shape->items[i], &extent) && ls_dtype (buffer->shape->items[i]).bits == 32)
      return TRUE;
  return FALSE;
}

/* DLPack's code of a type. */
static guint8
dl_code (LsDType t)
{
  return ls_dtype_is_bool (t) ? LS_DL_BOOL : t.code == LS_TYPE_BFLOAT ? LS_DL_BFLOAT : t.code == LS_TYPE_E4M3 ? LS_DL_E4M3 : t.code == LS_TYPE_E5M2 ? LS_DL_E5M2 : t.code;
}

/* An LsAbiTensor as a constant: the argument is of type t. */
static LLVMValueRef
tensor_spec (LsCg     *cg,
             LsBuffer *buffer,
             LsDType   t,
             guint32   room)
{
  gboolean broadcast = buffer->buffer_type == LS_BUFFER_AUTO_BROADCAST;
  gboolean compact = !ls_buffer_has_strides (buffer);
  LLVMValueRef fields[] = {
    ls_cg_i32 (cg, buffer->shape->n),
    LLVMConstInt (cg->i8, dl_code (t), FALSE), LLVMConstInt (cg->i8, ls_dtype_is_bool (t) ? 8 : t.bits, FALSE), LLVMConstInt (cg->i16, t.lanes, FALSE),
    ls_cg_i32 (cg, broadcast), LLVMConstInt (cg->i32, (guint32) compact | (counts_in_int32 (buffer) ? 2u | room << 2 : 0u), FALSE), constant_dims (cg, buffer->shape),
    compact ? LLVMConstPointerNull (cg->ptr) : constant_dims (cg, buffer->strides),
  };
  LLVMValueRef content = LLVMConstStructInContext (cg->context, fields, G_N_ELEMENTS (fields), FALSE);
  LLVMValueRef global = LLVMAddGlobal (cg->module, LLVMTypeOf (content), "tensor");

  G_STATIC_ASSERT (sizeof (LsAbiTensor) == 32);
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

/* ---- the arguments, opened all at once by the runtime ------------------------------- */

static LLVMValueRef
constant_global (LsCg        *cg,
                 LLVMValueRef content,
                 const char  *name)
{
  LLVMValueRef global = LLVMAddGlobal (cg->module, LLVMTypeOf (content), name);

  LLVMSetInitializer (global, content);
  LLVMSetLinkage (global, LLVMPrivateLinkage);
  LLVMSetGlobalConstant (global, TRUE);
  return global;
}

static LsAbiKind
param_kind (LsPrimFunc *func,
            guint       i)
{
  LsDType t = ls_dtype (func->params->items[i]);

  if (ls_prim_func_get_buffer (func, i) != NULL)
    return LS_ABI_TENSOR;
  return t.code == LS_TYPE_HANDLE ? LS_ABI_HANDLE : ls_dtype_is_float (t) ? LS_ABI_FLOAT : t.code == LS_TYPE_UINT ? LS_ABI_UINT : LS_ABI_INT;
}

/* An LsAbiFunc as a constant. */
static LLVMValueRef
func_spec (LsCg       *cg,
           const char *name,
           LsPrimFunc *func)
{
  guint n = func->params->n;
  g_autofree LLVMValueRef *params = g_new0 (LLVMValueRef, n + 1);
  LLVMTypeRef types[] = { cg->ptr, cg->i32, cg->i32, cg->ptr };
  LLVMTypeRef type = LLVMStructTypeInContext (cg->context, types, G_N_ELEMENTS (types), FALSE);
  LLVMValueRef whole[3];
  guint32 room = ls_cg_room (func);
  LsPrimFunc *asked = (LsPrimFunc *) ls_module_get (cg->asked, name);

  G_STATIC_ASSERT (sizeof (LsAbiParam) == 24 && sizeof (LsAbiFunc) == 24);
  for (guint i = 0; i < n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsVar *var = ls_array_at (func->params, i, LsVar);
      LLVMValueRef fields[] = {
        ls_cg_text (cg, buffer != NULL ? buffer->name : var->name), ls_cg_i32 (cg, param_kind (func, i)), ls_cg_i32 (cg, ls_dtype (var).bits),
        buffer != NULL ? tensor_spec (cg, buffer, ls_prim_func_get_buffer (asked, i)->dtype, room) : LLVMConstPointerNull (cg->ptr),
      };

      params[i] = LLVMConstStructInContext (cg->context, fields, G_N_ELEMENTS (fields), FALSE);
    }
  whole[0] = ls_cg_text (cg, name);
  whole[1] = ls_cg_i64 (cg, n);
  whole[2] = constant_global (cg, LLVMConstArray2 (type, params, n), "params");
  return constant_global (cg, LLVMConstStructInContext (cg->context, whole, 3, FALSE), "function");
}

static guint
count_dims (LsPrimFunc *func)
{
  guint n = 0;

  for (guint i = 0; i < func->params->n; i++)
    if (ls_prim_func_get_buffer (func, i) != NULL)
      n += 2 * ls_prim_func_get_buffer (func, i)->shape->n;
  return n;
}

static void
learn_tensor (LsCg        *cg,
              LsBuffer    *buffer,
              GArray      *facts,
              LLVMValueRef dims,
              guint        place)
{
  guint n = buffer->shape->n;

  for (guint k = 0; k < n; k++)
    learn (cg, facts, buffer, "extent", k, ls_array_at (buffer->shape, k, LsExpr), dims, place + k);
  for (guint k = 0; k < n && ls_buffer_has_strides (buffer); k++)
    learn (cg, facts, buffer, "stride", k, ls_array_at (buffer->strides, k, LsExpr), dims, place + n + k);
  if (ls_is_var (buffer->elem_offset) && !g_hash_table_contains (cg->values, buffer->elem_offset))
    g_hash_table_insert (cg->values, buffer->elem_offset, ls_cg_int (cg, ls_dtype (buffer->elem_offset), 0));
}

/* Values of the parameters, as the body takes them; numbers are known before extents that mention them. */
static void
load_params (LsCg         *cg,
             LsPrimFunc   *func,
             LLVMValueRef  values,
             LLVMValueRef  dims,
             LLVMValueRef *args,
             GArray       *facts)
{
  guint place = 0;

  for (guint i = 0; i < func->params->n; i++)
    {
      LsVar *var = ls_array_at (func->params, i, LsVar);
      LsAbiKind kind = param_kind (func, i);
      LLVMTypeRef type = kind == LS_ABI_FLOAT ? cg->f64 : kind == LS_ABI_TENSOR || kind == LS_ABI_HANDLE ? cg->ptr : cg->i64;
      LLVMValueRef at = ls_cg_i64 (cg, i);
      LLVMValueRef v = LLVMBuildLoad2 (cg->builder, type, LLVMBuildGEP2 (cg->builder, cg->i64, values, &at, 1, ""), "");

      args[i] = type == cg->ptr ? v : ls_cg_cast (cg, type == cg->f64 ? LS_FLOAT64 : LS_INT64, ls_dtype (var), v);
      if (type != cg->ptr)
        g_hash_table_insert (cg->values, var, args[i]);
    }
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      if (buffer == NULL)
        continue;
      learn_tensor (cg, buffer, facts, dims, place);
      place += 2 * buffer->shape->n;
    }
}

/* A function of the module may be called as the body of another one; that one makes way. */
static LLVMValueRef
declare_entry (LsCg       *cg,
               const char *name,
               LsPrimFunc *func)
{
  g_autofree char *symbol = symbol_of (cg, name, func, "");
  g_autofree char *other = g_strconcat (symbol, ".body", NULL);
  LLVMTypeRef type = ls_cg_func_type (cg, cg->i32, 4, cg->ptr, cg->i32, cg->ptr, cg->ptr);
  LLVMValueRef body = LLVMGetNamedFunction (cg->module, symbol);
  LLVMValueRef entry;

  if (body != NULL)
    LLVMSetValueName2 (body, other, strlen (other));
  entry = LLVMAddFunction (cg->module, symbol, type);
  if (cg->options->hidden)
    LLVMSetVisibility (entry, LLVMHiddenVisibility);
  return entry;
}

static void
emit_entry (LsCg        *cg,
            const char  *name,
            LsPrimFunc  *func,
            GPtrArray   *vars,
            LLVMValueRef entry,
            LLVMValueRef body)
{
  LLVMTypeRef open_type = ls_cg_func_type (cg, cg->i32, 5, cg->ptr, cg->i32, cg->ptr, cg->ptr, cg->ptr);
  guint n = func->params->n;
  g_autofree LLVMValueRef *args = g_new0 (LLVMValueRef, n + vars->len + 1);
  g_autoptr (GArray) facts = g_array_new (FALSE, FALSE, sizeof (Fact));
  LLVMValueRef values, dims, open_args[5];

  g_hash_table_remove_all (cg->values);
  cg->func = entry;
  ls_cg_body_attributes (cg, cg->func);
  ls_cg_at (cg, ls_cg_block (cg, "entry"));
  values = ls_cg_entry_alloca (cg, LLVMArrayType (cg->i64, MAX (n, 1)), 8, "values");
  dims = ls_cg_entry_alloca (cg, LLVMArrayType (cg->i64, MAX (count_dims (func), 1)), 8, "dims");
  open_args[0] = LLVMGetParam (cg->func, 0);
  open_args[1] = LLVMGetParam (cg->func, 1);
  open_args[2] = func_spec (cg, name, func);
  open_args[3] = values;
  open_args[4] = dims;
  ls_cg_return_if (cg, ls_cg_call (cg, "ls_abi_open", open_type, open_args, 5));
  load_params (cg, func, values, dims, args, facts);
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
  LLVMValueRef entry = cg->options->by_symbol ? declare_entry (cg, name, func) : NULL;
  LLVMValueRef body;

  cg->prim_func = func;
  cg->is_fast = cg->target->fast_math || ls_fast_math_value_asks (ls_map_get (func->attrs, LS_FAST_MATH_ATTR));
  cg->name = name;
  cg->n_outlined = 0;
  g_hash_table_remove_all (cg->values);
  g_hash_table_remove_all (cg->wide);
  g_hash_table_remove_all (cg->views);
  ls_cg_look_where_it_reaches (cg, func);
  body = emit_body (cg, name, func, vars);
  if (cg->error == NULL)
    emit_entry (cg, name, func, vars, entry != NULL ? entry : declare_entry (cg, name, func), body);
}
