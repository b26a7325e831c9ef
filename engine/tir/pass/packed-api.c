/* MakePackedAPI, MakeUnpackedAPI: functions that are called from outside get the signature of their callers.
 *
 *     def f (A: T.Buffer, n: T.int32) -> T.int32        def f (args, arg_type_ids, num_args, out_ret_value, out_ret_tcode, resource_handle)
 *         X; return 3                              ->       assert num_args == 2; ...; A_data = ...; n = ...
 *                                                           X; out_ret_value[0] = T.int64 (3); out_ret_tcode[0] = 0; return 0
 *     unpacked:                                    ->   def f (A_data, n): X; return 0
 *
 * Functions with a name that is seen from outside and a target with a host; after it the target is the host.  Calls of such functions
 * inside of the module become T.tvm_call_cpacked, or pass data pointers.  A parameter of the name device_api_context is the resource
 * handle.  Source of the concept: TVM's passes of the same names. */
#include "engine/ir/functions.h"
#include "engine/tir/pass/arg-binder.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

enum { CODE_INT = 0, CODE_FLOAT = 2, CODE_HANDLE = 3, CODE_NULL = 4, CODE_TENSOR = 7, CODE_ARRAY = 13, CODE_BOOL = 15 };

/* ---- what both need ------------------------------------------------------------------ */

/* The name under which the function is seen, or NULL: it stays as it is. */
static const char *
symbol_of (LsPrimFunc *func)
{
  LsNode *symbol = ls_map_get (func->attrs, "global_symbol"), *convention = ls_map_get (func->attrs, "calling_conv");

  return ls_is (symbol, STRING) && (convention == NULL || ls_is_zero (convention)) ? ((LsString *) symbol)->value : NULL;
}

/* The host of a target as a target of its own, or NULL. (transfer full) */
static LsNode *
host_of (LsNode *target)
{
  LsNode *host = ls_is (target, MAP) ? ls_map_get ((LsMap *) target, "host") : NULL;
  LsNode *mark = host != NULL ? ls_map_get ((LsMap *) target, "__target__") : NULL;

  return ls_is (host, MAP) && mark != NULL ? LS_NODE (ls_map_set ((LsMap *) host, "__target__", mark)) : ls_node_ref (host);
}

typedef struct {
  LsModule *module;
  gboolean  packed;
} Calls;

/* An array that is passed as its data. */
static LsNode *
data_of (LsNode *arg)
{
  return ls_node_ref (ls_is_call (arg, "tir.tvm_stack_make_array") ? ((LsCall *) arg)->args->items[0] : arg);
}

static LsNode *
call_filter (LsRewriter *rewriter,
             LsNode     *node,
             gpointer    user_data)
{
  Calls *calls = user_data;
  g_autoptr (LsNode) inner = ls_rewrite_default (rewriter, node);
  LsCall *call = (LsCall *) inner;
  LsPrimFunc *callee;
  const char *symbol;
  GPtrArray *args;

  if (!ls_is (inner, CALL) || !ls_is (call->op, GLOBAL_VAR))
    return g_steal_pointer (&inner);
  callee = (LsPrimFunc *) ls_module_get (calls->module, ((LsGlobalVar *) call->op)->name_hint);
  symbol = ls_is (callee, PRIM_FUNC) ? symbol_of (callee) : NULL;
  if (symbol == NULL)
    return g_steal_pointer (&inner);
  args = g_ptr_array_new ();
  if (calls->packed)
    g_ptr_array_add (args, ls_string_imm_new (symbol));
  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, calls->packed ? ls_node_ref (call->args->items[i]) : data_of (call->args->items[i]));
  if (calls->packed)
    g_ptr_array_add (args, ls_null_handle ());
  return LS_NODE (calls->packed ? ls_call_op ("tir.tvm_call_cpacked", ls_dtype (call), ls_array_take_ptr_array (args))
                                : ls_call_new (LS_INT32, ls_node_ref (call->op), ls_array_take_ptr_array (args)));
}

typedef LsPrimFunc *(*MakeFunc) (LsPrimFunc *func, const char *symbol, LsNode *target, GError **error);

static LsModule *
make_all (LsModule    *module,
          gboolean     packed,
          MakeFunc     make,
          GError     **error)
{
  g_autoptr (GPtrArray) functions = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  Calls calls = { module, packed };

  for (guint i = 0; i < module->functions->n; i++)
    {
      LsPrimFunc *func = ls_array_at (module->functions, i, LsPrimFunc);
      g_autoptr (LsNode) body = NULL;
      g_autoptr (LsPrimFunc) after = NULL;

      if (!ls_is (func, PRIM_FUNC))
        {
          g_ptr_array_add (functions, ls_ref (func));
          continue;
        }
      body = ls_rewrite_with (func->body, call_filter, &calls);
      after = ls_pass_with_body (func, body);
      if (symbol_of (func) != NULL)
        {
          LsNode *target = ls_map_get (func->attrs, "target");
          g_autoptr (LsNode) host = target != NULL ? host_of (target) : NULL;

          if (target == NULL)
            {
              g_set_error (error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("Make%sAPI asks for a target among the attributes of a function; `%s` has none."),
                           packed ? "Packed" : "Unpacked", symbol_of (func));
              return NULL;
            }
          if (host != NULL)
            ls_take (&after, make (after, symbol_of (func), target, error));
          if (after == NULL)
            return NULL;
        }
      g_ptr_array_add (functions, g_steal_pointer (&after));
    }
  return ls_module_with_functions (module, ls_array_take_ptr_array (g_steal_pointer (&functions)));
}

static LsStmt *
device_attr (const char *key,
             LsExpr     *value)
{
  return ls_attr_stmt_new (ls_string_imm_new ("default"), key, value, ls_evaluate_zero ());
}

static LsPrimFunc *
function_of (LsPrimFunc *func,
             GPtrArray  *params,
             LsStmt     *body,
             LsNode     *target,
             gboolean    packed)
{
  g_autoptr (LsNode) host = host_of (target);
  GPtrArray *buffers = g_ptr_array_new ();
  g_autoptr (LsPrimFunc) result = NULL;

  for (guint i = 0; i < params->len; i++)
    g_ptr_array_add (buffers, NULL);
  result = ls_prim_func_new (ls_array_take_ptr_array (params), body, ls_prim_type_new (LS_INT32), ls_array_take_ptr_array (buffers), ls_ref (func->attrs));
  ls_take (&result, ls_prim_func_with_attr (result, "target", host));
  if (packed)
    {
      g_autoptr (LsExpr) convention = ls_int (1);

      ls_take (&result, ls_prim_func_with_attr (result, "calling_conv", convention));
    }
  return g_steal_pointer (&result);
}

/* ---- MakeUnpackedAPI ---------------------------------------------------------------------- */

static LsPrimFunc *
make_unpacked (LsPrimFunc  *func,
               const char  *symbol,
               LsNode      *target,
               GError     **error)
{
  GPtrArray *params = g_ptr_array_new ();
  g_autoptr (GPtrArray) nest = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  gboolean has_buffers = FALSE;
  LsStmt *body = ls_seq (ls_array_of (ls_ref (func->body), ls_return_stmt (ls_int (0)), NULL));

  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      has_buffers = has_buffers || buffer != NULL;
      g_ptr_array_add (params, buffer != NULL ? ls_node_ref (LS_NODE (buffer->data)) : ls_node_ref (func->params->items[i]));
    }
  if (has_buffers)
    {
      g_ptr_array_add (nest, device_attr ("device_id", ls_int (0)));
      g_ptr_array_add (nest, device_attr ("device_type", ls_int (ls_target_device_type (target))));
    }
  return function_of (func, params, ls_stmt_nest (nest, body), target, FALSE);
}

LsModule *
ls_pass_make_unpacked_api (LsModule  *module,
                           LsMap     *options,
                           GError   **error)
{
  return make_all (module, FALSE, make_unpacked, error);
}

/* ---- MakePackedAPI: results ----------------------------------------------------------------- */

typedef struct {
  LsVar    *value, *code;       /* where the result goes */
  LsBuffer *ints, *floats, *voids, *codes;      /* owned */
  guint     parallel;
  GError   *error;
} Results;

static LsBuffer *
cell (LsBuffer **known,
      LsVar     *data,
      LsDType    type)
{
  if (*known == NULL)
    *known = ls_buffer_new_full (ls_ref (data), type, ls_array_of (ls_int (1), NULL), ls_array_of (ls_int (1), NULL), NULL, data->name, 64, 1, LS_BUFFER_DEFAULT,
                                 NULL);
  return ls_ref (*known);
}

static LsStmt *
write_result (Results *self,
              LsExpr  *value)
{
  LsDType type = ls_dtype (value);
  gboolean is_float = ls_dtype_is_float (type), is_void = ls_dtype_is_void (type);
  LsDType stored = is_void ? type : ls_packed_type (type);
  LsExpr *given = is_void ? ls_ref (value) : ls_cast_new (stored, ls_ref (value));
  LsBuffer *buffer = cell (is_float ? &self->floats : is_void ? &self->voids : &self->ints, self->value, stored);
  LsStmt *store = ls_buffer_store_new (buffer, given, ls_array_of (ls_int (0), NULL), NULL);
  LsStmt *code = ls_buffer_store_new (cell (&self->codes, self->code, LS_INT32), ls_int (is_float ? CODE_FLOAT : is_void ? CODE_NULL : CODE_INT),
                                      ls_array_of (ls_int (0), NULL), NULL);

  return ls_seq_stmt_new (ls_array_of (store, code, ls_return_stmt (ls_int (0)), NULL));
}

static LsNode *
result_filter (LsRewriter *rewriter,
               LsNode     *node,
               gpointer    user_data)
{
  Results *self = user_data;
  LsCall *call = ls_is (node, EVALUATE) ? (LsCall *) ((LsEvaluate *) node)->value : NULL;
  gboolean is_parallel = ls_is (node, FOR) && ((LsFor *) node)->kind == LS_FOR_PARALLEL;
  LsNode *result;

  if (ls_is_expr (node))
    return ls_node_ref (node);
  if (ls_is_call (call, "tir.ret") && call->args->n == 1)
    {
      LsDType type = ls_dtype (call->args->items[0]);

      if ((self->parallel > 0 || ls_dtype_is_handle (type)) && self->error == NULL)
        g_set_error (&self->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("T.ret stands outside of parallel loops and gives a number, not %s."),
                     ls_dtype_name (type));
      return LS_NODE (write_result (self, ls_array_at (call->args, 0, LsExpr)));
    }
  self->parallel += is_parallel;
  result = ls_rewrite_default (rewriter, node);
  self->parallel -= is_parallel;
  return result;
}

static LsStmt *
with_results (LsStmt  *body,
              LsVar   *value,
              LsVar   *code,
              GError **error)
{
  Results self = { .value = value, .code = code };
  LsStmt *result = ls_rewrite_with (body, result_filter, &self);

  ls_unref (self.ints);
  ls_unref (self.floats);
  ls_unref (self.voids);
  ls_unref (self.codes);
  if (self.error != NULL)
    g_propagate_error (error, self.error);
  return result;
}

/* ---- MakePackedAPI: arguments ------------------------------------------------------------------ */

typedef struct {
  LsPrimFunc *func;
  const char *symbol;
  LsVar      *args, *n_args, *value, *code, *resource;      /* owned */
  LsBuffer   *codes;            /* owned */
  GPtrArray  *checks;           /* of LsStmt with an empty body */
  guint       n;                /* arguments that are passed */
} Packed;

static void
packed_assert (Packed *self,
               LsExpr *condition,
               char   *message)
{
  g_autofree char *text = g_strdup_printf ("%s: %s", self->symbol, message);

  g_ptr_array_add (self->checks, ls_assert_stmt_new (condition, ls_string_imm_new (text), ls_evaluate_zero ()));
  g_free (message);
}

static LsExpr *
not_null (gpointer pointer)
{
  return ls_not_new (ls_call_op ("tir.isnullptr", LS_BOOL, ls_array_of (ls_ref (LS_NODE (pointer)), NULL)));
}

static LsExpr *
one_of (LsVar *code,
        gint   n,
        ...)
{
  LsExpr *result = NULL;
  va_list list;

  va_start (list, n);
  for (gint i = 0; i < n; i++)
    {
      LsExpr *equal = ls_eq (LS_EXPR (ls_ref (code)), ls_int (va_arg (list, gint)));

      result = result != NULL ? ls_or (result, equal) : equal;
    }
  va_end (list);
  return result;
}

static void
check_code (Packed *self,
            LsVar  *param,
            guint   i)
{
  g_autofree char *name = g_strdup_printf ("%s.code", param->name);
  g_autoptr (LsVar) code = ls_var_new (name, LS_INT32);
  LsDType type = ls_dtype (param);
  LsExpr *load = ls_buffer_load_new (ls_ref (self->codes), ls_array_of (ls_int (i), NULL), NULL);

  g_ptr_array_add (self->checks, ls_let_stmt_new (ls_ref (code), load, ls_evaluate_zero ()));
  if (ls_dtype_is_handle (type))
    packed_assert (self, one_of (code, 4, CODE_HANDLE, CODE_ARRAY, CODE_TENSOR, CODE_NULL), g_strdup_printf ("Expect arg[%u] to be pointer", i));
  else if (ls_dtype_is_bool (type))
    packed_assert (self, one_of (code, 2, CODE_BOOL, CODE_INT), g_strdup_printf ("Expect arg[%u] to be boolean", i));
  else if (ls_dtype_is_float (type))
    packed_assert (self, one_of (code, 1, CODE_FLOAT), g_strdup_printf ("Expect arg[%u] to be float", i));
  else
    packed_assert (self, one_of (code, 2, CODE_INT, CODE_BOOL), g_strdup_printf ("Expect arg[%u] to be int", i));
}

static LsExpr *
argument (Packed  *self,
          LsDType  type,
          guint    i)
{
  LsDType passed = ls_packed_type (type);
  LsExpr *value = ls_struct_get (passed, LS_EXPR (ls_ref (self->args)), i, LS_FIELD_CONTENT);

  return ls_dtype_equal (passed, type) ? value : ls_cast_new (type, value);
}

static gboolean
is_resource (LsVar *param)
{
  return strcmp (param->name, "device_api_context") == 0;
}

static void
bind_params (Packed      *self,
             LsArgBinder *binder,
             gint64       device_type,
             LsVar       *device_id)
{
  for (guint i = 0; i < self->func->params->n; i++)
    {
      LsVar *param = ls_array_at (self->func->params, i, LsVar);
      g_autofree char *name = g_strdup_printf ("%s.%s", self->symbol, param->name);

      if (!is_resource (param))
        ls_arg_binder_bind (binder, LS_EXPR (param), argument (self, ls_dtype (param), i), name);
    }
  for (guint i = 0; i < self->func->params->n; i++)
    {
      LsVar *param = ls_array_at (self->func->params, i, LsVar);
      g_autofree char *name = g_strdup_printf ("%s.%s", self->symbol, param->name);

      if (!is_resource (param) && ls_prim_func_get_buffer (self->func, i) != NULL)
        ls_arg_binder_tensor (binder, ls_prim_func_get_buffer (self->func, i), device_type, device_id, param, name);
    }
}

static void
check_args (Packed *self)
{
  packed_assert (self, ls_eq (LS_EXPR (ls_ref (self->n_args)), ls_int (self->n)), g_strdup_printf ("num_args should be %u", self->n));
  if (self->n > 0)
    {
      packed_assert (self, not_null (self->args), g_strdup ("TVMValue* arg pointer was NULL"));
      packed_assert (self, not_null (self->codes->data), g_strdup ("int* type_codes was NULL"));
    }
  g_ptr_array_add (self->checks, ls_decl_buffer_new (ls_ref (self->codes), ls_evaluate_zero ()));
  for (guint i = 0; i < self->func->params->n; i++)
    if (!is_resource (ls_array_at (self->func->params, i, LsVar)))
      check_code (self, ls_array_at (self->func->params, i, LsVar), i);
}

/* The body in its scope, with the device set where that is not the processor. */
static LsStmt *
compute_scope (Packed      *self,
               LsArgBinder *binder,
               gint64       device_type,
               LsVar       *device_id,
               GPtrArray   *devices,
               GError     **error)
{
  g_autofree char *name = g_strdup_printf ("%s_compute_", self->symbol);
  LsStmt *body = with_results (self->func->body, self->value, self->code, error);

  body = ls_attr_stmt_new (ls_int (0), "compute_scope", ls_string_imm_new (name), body);
  if (g_hash_table_contains (binder->defined, device_id))
    {
      g_ptr_array_add (devices, device_attr ("device_id", LS_EXPR (ls_ref (device_id))));
      g_ptr_array_add (devices, device_attr ("device_type", ls_int (device_type)));
      if (device_type != 1)
        body = ls_seq_stmt_new (ls_array_of (ls_evaluate_new (ls_call_op ("tir.tvm_call_packed", LS_INT32,
                                                                         ls_array_of (ls_string_imm_new ("__tvm_set_device"), ls_int (device_type),
                                                                                      ls_ref (device_id), NULL))),
                                             body, NULL));
    }
  return ls_seq_stmt_new (ls_array_of (body, ls_return_stmt (ls_int (0)), NULL));
}

static LsPrimFunc *
packed_function (Packed  *self,
                 LsNode  *target,
                 GError **error)
{
  g_autoptr (LsArgBinder) binder = ls_arg_binder_new ();
  g_autoptr (GPtrArray) devices = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  g_autoptr (LsVar) device_id = ls_var_new ("dev_id", LS_INT32);
  GError *found = NULL;
  GPtrArray *params;
  LsStmt *body;

  check_args (self);
  bind_params (self, binder, ls_target_device_type (target), device_id);
  body = compute_scope (self, binder, ls_target_device_type (target), device_id, devices, &found);
  if (found == NULL && binder->error != NULL)
    found = g_steal_pointer (&binder->error);
  if (found != NULL)
    {
      g_propagate_error (error, found);
      ls_unref (body);
      return NULL;
    }
  body = ls_stmt_nest (binder->asserts, body);
  body = ls_stmt_nest (devices, body);
  body = ls_stmt_nest (binder->init, body);
  body = ls_stmt_nest (self->checks, body);
  params = g_ptr_array_new ();
  g_ptr_array_add (params, ls_ref (self->args));
  g_ptr_array_add (params, ls_ref (self->codes->data));
  g_ptr_array_add (params, ls_ref (self->n_args));
  g_ptr_array_add (params, ls_ref (self->value));
  g_ptr_array_add (params, ls_ref (self->code));
  g_ptr_array_add (params, ls_ref (self->resource));
  return function_of (self->func, params, body, target, TRUE);
}

static LsPrimFunc *
make_packed (LsPrimFunc  *func,
             const char  *symbol,
             LsNode      *target,
             GError     **error)
{
  g_autoptr (GPtrArray) checks = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  Packed self = { .func = func, .symbol = symbol, .checks = checks, .n = func->params->n };
  LsPrimFunc *result;

  for (guint i = 0; i < func->params->n; i++)
    if (is_resource (ls_array_at (func->params, i, LsVar)))
      {
        self.resource = ls_ref (ls_array_at (func->params, i, LsVar));
        self.n--;
      }
  self.args = ls_var_new ("args", LS_HANDLE);
  self.codes = ls_buffer_new ("arg_type_ids", LS_INT32, ls_array_of (ls_int (func->params->n), NULL), NULL);
  self.n_args = ls_var_new ("num_args", LS_INT32);
  self.value = ls_var_new_typed ("out_ret_value", ls_pointer_type_new (ls_prim_type_new (LS_VOID), ""));
  self.code = ls_pointer_var_new ("out_ret_tcode", LS_INT32, "");
  if (self.resource == NULL)
    self.resource = ls_var_new ("resource_handle", LS_HANDLE);
  result = packed_function (&self, target, error);
  ls_unref (self.args);
  ls_unref (self.codes);
  ls_unref (self.n_args);
  ls_unref (self.value);
  ls_unref (self.code);
  ls_unref (self.resource);
  return result;
}

LsModule *
ls_pass_make_packed_api (LsModule  *module,
                         LsMap     *options,
                         GError   **error)
{
  return make_all (module, TRUE, make_packed, error);
}
