/* LowerDeviceKernelLaunch: calls between functions of different targets.
 *
 *     kernel (A.data)          ->   T.call_packed ("kernel", A.data, 16)       another device: the threads are arguments too
 *     kernel (A.data)          ->   T.call_extern ("kernel", A.data)           the same device by another code generator
 *     kernel (A.data)          ->   kernel (A.data)                            the same target
 *
 * A function that is launched as a kernel gets the extents of its threads (and the size of its dynamic shared memory) listed by
 * name in tir.kernel_launch_params, the calling convention of a kernel, a name that is seen from outside, and returns nothing.  The
 * extents are computed by the caller from the arguments.  Source of the concept: TVM's pass of the same name. */
#include "engine/ir/functions.h"
#include "engine/tir/pass/parts.h"
#include "engine/tir/pass/pass.h"

#include <string.h>

typedef struct {
  LsGlobalVar *var;
  LsPrimFunc  *func;
  LsNode      *target;          /* without its host; owned, or NULL */
  const char  *symbol;
  GPtrArray   *names;           /* of launch parameters */
  GPtrArray   *values;          /* of LsExpr, in the variables of the function; owned */
  GHashTable  *axes;            /* threads that were met */
  LsExpr      *dynamic;         /* bytes of dynamic shared memory; owned, or NULL */
  gboolean     is_launched;
  gboolean     is_external;
  GError      *error;
} Kernel;

typedef struct {
  GHashTable *kernels;          /* name -> Kernel; owned */
  Kernel     *caller;
  GError     *error;
} State;

static void
kernel_free (gpointer data)
{
  Kernel *self = data;

  ls_unref (self->target);
  ls_unref (self->dynamic);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->values);
  g_hash_table_unref (self->axes);
  g_clear_error (&self->error);
  g_free (self);
}

static void
note_thread (Kernel     *self,
             LsIterVar  *axis,
             LsExpr     *extent)
{
  if (!g_hash_table_add (self->axes, axis->var))
    return;
  g_ptr_array_add (self->names, axis->thread_tag);
  g_ptr_array_add (self->values, ls_ref (extent));
}

static void
note_dynamic (Kernel     *self,
              LsAllocate *allocate)
{
  LsExpr *size = ls_int (1);

  if (self->dynamic != NULL)
    {
      ls_unref (size);
      if (self->error == NULL)
        g_set_error (&self->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("A kernel has one allocation of dynamic shared memory; `%s` has two."), self->symbol);
      return;
    }
  for (guint i = 0; i < allocate->extents->n; i++)
    size = ls_mul (size, ls_ref (ls_array_at (allocate->extents, i, LsExpr)));
  self->dynamic = ls_mul (size, ls_int (ls_dtype_bytes (allocate->dtype)));
}

static LsWalk
note_launch (LsNode   *node,
             gpointer  user_data)
{
  LsAllocate *allocate = (LsAllocate *) node;

  if (ls_is_attr (node, "thread_extent") && ls_thread_axis (node) != NULL)
    note_thread (user_data, ls_thread_axis (node), ((LsAttrStmt *) node)->value);
  else if (ls_is (node, ALLOCATE) && strcmp (ls_pointer_scope (allocate->buffer_var), "shared.dyn") == 0)
    note_dynamic (user_data, allocate);
  return LS_WALK_CONTINUE;
}

static Kernel *
kernel_new (LsGlobalVar *var,
            LsPrimFunc  *func)
{
  Kernel *self = g_new0 (Kernel, 1);
  LsNode *target = ls_map_get (func->attrs, "target"), *symbol = ls_map_get (func->attrs, "global_symbol");

  self->var = var;
  self->func = func;
  self->target = target != NULL && ls_is (target, MAP) ? LS_NODE (ls_map_remove ((LsMap *) target, "host")) : ls_node_ref (target);
  self->symbol = ls_is (symbol, STRING) ? ((LsString *) symbol)->value : var->name_hint;
  self->names = g_ptr_array_new ();
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  self->axes = g_hash_table_new (NULL, NULL);
  ls_walk (func->body, note_launch, NULL, self);
  if (self->dynamic != NULL)
    {
      g_ptr_array_add (self->names, (gpointer) "tir.use_dyn_shared_memory");
      g_ptr_array_add (self->values, ls_ref (self->dynamic));
    }
  return self;
}

static LsArray *
call_arguments (LsCall     *call,
                const char *symbol)
{
  GPtrArray *args = g_ptr_array_new ();

  g_ptr_array_add (args, ls_string_imm_new (symbol));
  for (guint i = 0; i < call->args->n; i++)
    g_ptr_array_add (args, ls_node_ref (call->args->items[i]));
  return ls_array_take_ptr_array (args);
}

/* Each launch parameter in terms of the arguments. */
static LsExpr *
launch (LsCall *call,
        Kernel *callee)
{
  g_autoptr (GHashTable) given = g_hash_table_new (NULL, NULL);
  g_autoptr (LsArray) args = call_arguments (call, callee->symbol);

  for (guint i = 0; i < callee->func->params->n && i < call->args->n; i++)
    g_hash_table_insert (given, callee->func->params->items[i], call->args->items[i]);
  for (guint i = 0; i < callee->values->len; i++)
    {
      g_autoptr (LsNode) value = ls_substitute (callee->values->pdata[i], given);

      ls_take (&args, ls_array_append (args, value));
    }
  callee->is_launched = TRUE;
  return ls_call_op ("tir.tvm_call_packed", ls_dtype_is_void (ls_dtype (call)) ? LS_INT32 : ls_dtype (call), g_steal_pointer (&args));
}

static LsExpr *
rewrite_call (State  *state,
              LsCall *call)
{
  Kernel *callee = g_hash_table_lookup (state->kernels, ((LsGlobalVar *) call->op)->name_hint);

  if (callee == NULL || state->error != NULL)
    return ls_ref (LS_EXPR (call));
  if (callee->target == NULL || state->caller->target == NULL)
    {
      g_set_error (&state->error, LS_PASS_ERROR, LS_PASS_ERROR_UNSUPPORTED, ls_translate ("`%s` and `%s`, which it calls, have the attribute target; BindTarget gives it."),
                   state->caller->symbol, callee->symbol);
      return ls_ref (LS_EXPR (call));
    }
  if (ls_structural_equal (callee->target, state->caller->target, FALSE, NULL, NULL))
    return ls_ref (LS_EXPR (call));
  if (ls_target_device_type (callee->target) != ls_target_device_type (state->caller->target))
    return launch (call, callee);
  callee->is_external = TRUE;
  return ls_call_op ("tir.call_extern", ls_dtype (call), call_arguments (call, callee->var->name_hint));
}

static LsNode *
call_filter (LsRewriter *rewriter,
             LsNode     *node,
             gpointer    user_data)
{
  g_autoptr (LsNode) inner = ls_rewrite_default (rewriter, node);

  if (ls_is (inner, CALL) && ls_is (((LsCall *) inner)->op, GLOBAL_VAR))
    return LS_NODE (rewrite_call (user_data, (LsCall *) inner));
  return g_steal_pointer (&inner);
}

static LsNode *
return_filter (LsRewriter *rewriter,
               LsNode     *node,
               gpointer    user_data)
{
  LsEvaluate *evaluate = (LsEvaluate *) node;

  if (ls_is (node, EVALUATE) && ls_is_call (evaluate->value, "tir.ret"))
    return LS_NODE (ls_evaluate_zero ());
  return ls_is_expr (node) ? ls_node_ref (node) : ls_rewrite_default (rewriter, node);
}

static LsPrimFunc *
with_attr (LsPrimFunc *func,
           const char *key,
           gpointer    value)
{
  g_autoptr (LsNode) taken = value;
  g_autoptr (LsPrimFunc) before = func;

  return ls_prim_func_with_attr (func, key, taken);
}

static LsPrimFunc *
mark (Kernel     *self,
      LsPrimFunc *func)
{
  if (!self->is_launched && !self->is_external)
    return func;
  func = with_attr (func, "global_symbol", ls_string_new (self->symbol));
  func = with_attr (func, "tir.is_global_func", ls_bool (TRUE));
  if (self->is_launched)
    {
      g_autoptr (LsNode) body = ls_rewrite_with (func->body, return_filter, NULL);
      GPtrArray *names = g_ptr_array_new ();

      ls_take (&func, ls_pass_with_body (func, body));
      for (guint i = 0; i < self->names->len; i++)
        g_ptr_array_add (names, ls_string_new (self->names->pdata[i]));
      func = with_attr (func, "calling_conv", ls_int (2));
      func = with_attr (func, "tir.kernel_launch_params", ls_array_take_ptr_array (names));
    }
  return func;
}

LsModule *
ls_pass_lower_device_kernel_launch (LsModule  *module,
                                    LsMap     *options,
                                    GError   **error)
{
  g_autoptr (GHashTable) kernels = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, kernel_free);
  State state = { kernels, NULL, NULL };
  g_autoptr (LsModuleBuilder) result = ls_module_builder_new (module);

  for (guint i = 0; i < module->functions->n; i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      {
        LsGlobalVar *var = ls_array_at (module->global_vars, i, LsGlobalVar);

        g_hash_table_insert (kernels, var->name_hint, kernel_new (var, ls_array_at (module->functions, i, LsPrimFunc)));
      }
  for (guint i = 0; i < module->global_vars->n && state.error == NULL; i++)
    {
      Kernel *kernel = g_hash_table_lookup (kernels, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint);
      g_autoptr (LsNode) body = NULL;
      g_autoptr (LsPrimFunc) after = NULL;

      if (kernel == NULL)
        continue;
      state.caller = kernel;
      body = ls_rewrite_with (kernel->func->body, call_filter, &state);
      after = ls_pass_with_body (kernel->func, body);
      if (state.error == NULL && kernel->error != NULL)
        state.error = g_steal_pointer (&kernel->error);
      ls_module_builder_put (result, kernel->var->name_hint, after);
    }
  for (guint i = 0; i < module->global_vars->n && state.error == NULL; i++)
    {
      const char *name = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
      Kernel *kernel = g_hash_table_lookup (kernels, name);
      g_autoptr (LsPrimFunc) marked = kernel != NULL ? mark (kernel, ls_ref ((LsPrimFunc *) ls_module_builder_get (result, name))) : NULL;

      if (marked != NULL)
        ls_module_builder_put (result, name, marked);
    }
  if (state.error == NULL)
    return ls_module_builder_finish (g_steal_pointer (&result));
  g_propagate_error (error, state.error);
  return NULL;
}
