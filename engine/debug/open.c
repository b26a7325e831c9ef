/* open: a session is begun, and ended. */
#include "engine/debug/debug-private.h"

#include <string.h>

static LsPrimFunc *
pick (LsModule    *module,
      const char  *name,
      GError     **error)
{
  LsPrimFunc *only = NULL;
  guint n = 0;

  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      const char *own = ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;

      if (!ls_is (module->functions->items[i], PRIM_FUNC))
        continue;
      if (name != NULL && strcmp (own, name) == 0)
        return ls_array_at (module->functions, i, LsPrimFunc);
      only = ls_array_at (module->functions, i, LsPrimFunc);
      n++;
    }
  if (name == NULL && n == 1)
    return only;
  if (name != NULL)
    g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("The module has no function of TensorIR named %s."), name);
  else
    g_set_error (error, LS_DEBUG_ERROR, LS_DEBUG_ERROR_INPUT, ls_translate ("The module has %u functions of TensorIR; one is to be named."), n);
  return NULL;
}

/* Takes `args`, if they are there. */
static LsDebug *
session_new (LsModule            *module,
             const char          *name,
             const LsDebugInputs *inputs,
             GArray              *args,
             GError             **error)
{
  g_autoptr (LsDebug) self = g_new0 (LsDebug, 1);

  self->args = args;
  self->stops = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_stop_free);
  self->saved = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_saved_free);
  self->ready = g_hash_table_new (NULL, NULL);
  self->memory = LS_DEBUG_MEMORY;
  self->text = ls_debug_text_new (module);
  self->options.module = self->text->module;
  self->func = pick (self->text->module, name, error);
  if (self->func == NULL)
    return NULL;
  self->written = ls_debug_written (self->func);
  if (self->args == NULL)
    self->args = ls_debug_arguments (self->func, inputs, error);
  if (self->args == NULL)
    return NULL;
  self->run = ls_run_new (self->func, (LsInterpArg *) self->args->data, self->args->len, &self->options, error);
  if (self->run == NULL)
    return NULL;
  self->spacing = MAX (LS_DEBUG_SPACING, ls_run_bytes (self->run) / 96);
  g_ptr_array_add (self->saved, ls_run_save (self->run, NULL));
  ls_debug_watch (self);
  return g_steal_pointer (&self);
}

LsDebug *
ls_debug_new_with (LsModule    *module,
                   LsPrimFunc  *func,
                   GArray      *args,
                   GError     **error)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (module->functions->items[i] == (gpointer) func)
      return session_new (module, ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, NULL, args, error);
  g_return_val_if_reached (NULL);
}

LsDebug *
ls_debug_new (LsModule            *module,
              const char          *name,
              const LsDebugInputs *inputs,
              GError             **error)
{
  return session_new (module, name, inputs, NULL, error);
}

void
ls_debug_free (LsDebug *self)
{
  if (self == NULL)
    return;
  ls_debug_forget_hit (self);
  ls_debug_forget_back (self);
  g_clear_pointer (&self->left, ls_stop_free);
  g_ptr_array_unref (self->saved);
  ls_run_free (self->run);
  g_ptr_array_unref (self->stops);
  g_hash_table_unref (self->ready);
  g_clear_pointer (&self->written, g_hash_table_unref);
  if (self->args != NULL)
    g_array_unref (self->args);
  ls_debug_text_free (self->text);
  g_free (self);
}
