/* kernel: text -> module -> lowered -> object -> code, and arguments for it. */
#include "app/worker/kernel.h"

#include "app/rpc/rpc.h"
#include "engine/script/parser.h"
#include "engine/tir/pass/pass.h"

/* One linker for the process; its code is freed with the kernels. */
static LsJit *
jit (GError **error)
{
  static LsJit *shared;

  if (shared == NULL)
    shared = ls_jit_new (error);
  return shared;
}

static LsModule *
read_module (const char  *text,
             GError     **error)
{
  g_autoptr (LsSource) source = ls_source_new ("module", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, diagnostics);

  if (module != NULL && !ls_diagnostics_has_error (diagnostics))
    return g_steal_pointer (&module);
  g_set_error_literal (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST,
                       ls_diagnostics_get_n (diagnostics) > 0
                         ? ls_diagnostics_get (diagnostics, 0)->message
                         : "The text has no function.");
  return NULL;
}

static LsPrimFunc *
find_func (LsModule    *module,
           const char **name,
           GError     **error)
{
  LsNode *func = *name != NULL ? ls_module_get (module, *name) : NULL;

  if (*name == NULL && ls_array_n (module->functions) > 0)
    {
      func = module->functions->items[0];
      *name = ls_array_at (module->global_vars, 0, LsGlobalVar)->name_hint;
    }
  if (ls_is (func, PRIM_FUNC))
    return (LsPrimFunc *) func;
  g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST, "There is no function %s.",
               *name != NULL ? *name : "");
  return NULL;
}

/* ---- arguments -------------------------------------------------------------- */

static LsNDArray *
make_array (LsBuffer  *buffer,
            GError   **error)
{
  gint64 shape[LS_NDARRAY_MAX_NDIM];
  LsDLDataType dtype;

  if (ls_buffer_ndim (buffer) > LS_NDARRAY_MAX_NDIM)
    {
      g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST, "%s has %u dimensions; %d are the most.",
                   buffer->name, ls_buffer_ndim (buffer), LS_NDARRAY_MAX_NDIM);
      return NULL;
    }
  for (guint i = 0; i < ls_buffer_ndim (buffer); i++)
    if (!ls_as_int (buffer->shape->items[i], &shape[i]))
      {
        g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST,
                     "%s has an extent that is not a number; a run needs one.", buffer->name);
        return NULL;
      }
  if (!ls_dl_dtype_parse (ls_dtype_name (buffer->dtype), &dtype, error))
    return NULL;
  return ls_ndarray_new ((int) ls_buffer_ndim (buffer), shape, dtype, error);
}

static gboolean
make_arguments (LsRunnable  *self,
                LsPrimFunc  *func,
                GError     **error)
{
  self->arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_ndarray_unref);
  self->args = g_array_new (FALSE, TRUE, sizeof (LsArg));
  for (guint i = 0; i < ls_array_n (func->params); i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      LsNDArray *array = buffer != NULL ? make_array (buffer, error) : NULL;
      LsArg arg = { .kind = LS_ARG_TENSOR };

      if (buffer == NULL)
        g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST,
                     "Parameter %s is no buffer; only buffers get random data.",
                     ls_array_at (func->params, i, LsVar)->name);
      if (array == NULL)
        return FALSE;
      arg.v_tensor = &array->tensor;
      g_ptr_array_add (self->arrays, array);
      g_array_append_val (self->args, arg);
    }
  return TRUE;
}

void
ls_runnable_reset (LsRunnable *self,
                   guint64     seed)
{
  for (guint i = 0; i < self->arrays->len; i++)
    ls_tensor_fill_random (&((LsNDArray *) g_ptr_array_index (self->arrays, i))->tensor,
                           seed + 7919 * i);
}

/* ---- building --------------------------------------------------------------- */

static LsWalk
find_parallel (LsNode  *node,
               gpointer found)
{
  if (ls_is (node, FOR) && ((LsFor *) node)->kind == LS_FOR_PARALLEL)
    *(gboolean *) found = TRUE;
  return *(gboolean *) found ? LS_WALK_STOP : LS_WALK_CONTINUE;
}

static gboolean
build (LsRunnable  *self,
       const char  *target_text,
       GError     **error)
{
  g_autoptr (LsTarget) target = ls_target_parse (target_text, error);
  g_autoptr (LsModule) lowered = NULL;
  g_autoptr (LsObject) object = NULL;
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsJit *linker = jit (error);

  if (target == NULL || linker == NULL)
    return FALSE;
  if (!target->is_host)
    {
      g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST,
                   "Code for %s does not run on this machine.", target->text);
      return FALSE;
    }
  lowered = ls_lower_module (self->module, NULL, NULL, error);
  if (lowered != NULL)
    object = ls_codegen_compile (lowered, self->func, target,
                                 &(LsCodegenOptions) { .prefix = prefix }, error);
  if (object != NULL)
    self->kernel = ls_jit_add (linker, object, error);
  return self->kernel != NULL;
}

LsRunnable *
ls_runnable_new (const char  *text,
                 const char  *func_name,
                 const char  *target,
                 guint64      seed,
                 GError     **error)
{
  g_autoptr (LsRunnable) self = g_new0 (LsRunnable, 1);
  gint64 start = ls_clock_ns ();
  LsPrimFunc *func;

  self->module = read_module (text, error);
  func = self->module != NULL ? find_func (self->module, &func_name, error) : NULL;
  if (func == NULL)
    return NULL;
  self->func = g_strdup (func_name);
  ls_walk (func->body, find_parallel, NULL, &self->parallel);
  if (!build (self, target, error))
    return NULL;
  self->build_ns = ls_clock_ns () - start;
  if (!make_arguments (self, func, error))
    return NULL;
  ls_runnable_reset (self, seed);
  return g_steal_pointer (&self);
}

void
ls_runnable_free (LsRunnable *self)
{
  g_clear_pointer (&self->kernel, ls_kernel_free);
  ls_unref (self->module);
  g_clear_pointer (&self->arrays, g_ptr_array_unref);
  g_clear_pointer (&self->args, g_array_unref);
  g_free (self->func);
  g_free (self);
}

gboolean
ls_runnable_call (LsRunnable  *self,
                  GError     **error)
{
  LsArg result = { .kind = LS_ARG_NONE };

  return ls_kernel_call (self->kernel, self->func, (const LsArg *) self->args->data,
                         (int) self->args->len, &result, error);
}

int
ls_runnable_timed (void *closure)
{
  LsRunnable *self = closure;
  LsArg result = { .kind = LS_ARG_NONE };
  LsPackedFunc func = ls_kernel_get (self->kernel, self->func);

  return func ((const LsArg *) self->args->data, (int) self->args->len, &result, NULL);
}
