/* vm: the virtual machine of Relax executables: made, called, asked.
 *
 * Its functions run in vm-frame.c and vm-call.c.
 */
#include "engine/runtime/vm-frame.h"

#include <string.h>

static guint *
find_places (LsVMFunction *function)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint at = 0; at < function->code->len;)
    {
      g_array_append_val (places, at);
      at += 4 + 2 * (guint) g_array_index (function->code, gint64, at + 3);
    }
  return (guint *) g_array_free (places, FALSE);
}

static gboolean
resolve_callees (LsVM        *self,
                 LsVMResolve  resolve,
                 gpointer     user_data,
                 GError     **error)
{
  LsVMExecutable *executable = self->executable;

  for (guint i = 0; i < executable->strings->len; i++)
    {
      const char *name = executable->strings->pdata[i];

      self->callees[i].flop = -1;
      self->callees[i].builtin = ls_vm_builtin_get (name);
      for (guint j = 0; j < executable->kernels->len; j++)
        if (strcmp (executable->kernels->pdata[j], name) == 0)
          {
            self->callees[i].flop = g_array_index (executable->kernel_flops, double, j);
            self->callees[i].kernel = resolve != NULL ? resolve (name, user_data) : NULL;
            if (self->callees[i].kernel == NULL)
              {
                g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND, ls_translate ("The executable's code has no function %s."), name);
                return FALSE;
              }
          }
    }
  return TRUE;
}

/* KERNEL instructions name only what was resolved. */
static gboolean
check_kernels (LsVM    *self,
               GError **error)
{
  for (guint i = 0; i < self->executable->functions->len; i++)
    {
      LsVMFunction *function = self->executable->functions->pdata[i];

      for (guint at = 0; at < function->code->len;)
        {
          const gint64 *code = &g_array_index (function->code, gint64, at);

          if (code[0] == LS_VM_OP_KERNEL && self->callees[code[2]].kernel == NULL)
            {
              g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND, ls_translate ("The executable has no code for %s."),
                           (char *) self->executable->strings->pdata[code[2]]);
              return FALSE;
            }
          at += 4 + 2 * (guint) code[3];
        }
    }
  return TRUE;
}

LsVM *
ls_vm_new (LsVMExecutable *executable,
           LsVMResolve     resolve,
           gpointer        user_data,
           GError        **error)
{
  g_autoptr (LsVM) self = g_new0 (LsVM, 1);

  self->executable = ls_vm_executable_ref (executable);
  for (guint i = 0; i < executable->kernels->len; i++)
    ls_vm_executable_string (executable, executable->kernels->pdata[i]);
  self->pool = ls_vm_pool_new ();
  self->callees = g_new0 (LsVMCallee, executable->strings->len + 1);
  self->places = g_new0 (guint *, executable->functions->len + 1);
  self->profile = g_array_new (FALSE, FALSE, sizeof (LsVMProfile));
  for (guint i = 0; i < executable->functions->len; i++)
    self->places[i] = find_places (executable->functions->pdata[i]);
  if (!resolve_callees (self, resolve, user_data, error) || !check_kernels (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
ls_vm_free (LsVM *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->executable->functions->len; i++)
    g_free (self->places[i]);
  g_free (self->places);
  g_free (self->callees);
  g_array_unref (self->profile);
  g_clear_pointer (&self->timeline, g_array_unref);
  ls_vm_pool_unref (self->pool);
  ls_vm_executable_unref (self->executable);
  g_free (self);
}

static char *
public_names (LsVMExecutable *executable)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < executable->functions->len; i++)
    {
      LsVMFunction *function = executable->functions->pdata[i];

      if (!function->is_private)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", function->name);
    }
  return g_string_free (names, FALSE);
}

LsVMValue *
ls_vm_call (LsVM       *self,
            const char *function,
            LsVMValue **args,
            guint       n_args,
            GError    **error)
{
  int number = ls_vm_executable_find (self->executable, function);
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);

  for (guint i = 0; i < n_args; i++)
    g_ptr_array_add (values, ls_vm_value_ref (args[i]));
  if (number >= 0 && !((LsVMFunction *) self->executable->functions->pdata[number])->is_private)
    return ls_vm_run (self, (guint) number, values, error);
  for (guint i = 0; number < 0 && i < self->executable->strings->len; i++)
    if (self->callees[i].kernel != NULL && strcmp (self->executable->strings->pdata[i], function) == 0)
      {
        LsVMFrame frame = { self, NULL, NULL, NULL, error };

        return ls_vm_frame_call_code (&frame, i, TRUE, values);
      }
  {
    g_autofree char *names = public_names (self->executable);

    g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_NOT_FOUND, ls_translate ("The executable has no function %s; it has %s."), function,
                 *names != 0 ? names : ls_translate ("none"));
  }
  return NULL;
}

LsVMValue *
ls_vm_call_closure (LsVM       *self,
                    LsVMValue  *closure,
                    LsVMValue **args,
                    guint       n_args,
                    GError    **error)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);
  LsVMFrame frame = { self, NULL, NULL, NULL, error };

  g_ptr_array_add (values, ls_vm_value_ref (closure));
  for (guint i = 0; i < n_args; i++)
    g_ptr_array_add (values, ls_vm_value_ref (args[i]));
  if (closure->kind == LS_VM_CLOSURE && closure->function >= self->executable->functions->len)
    {
      g_set_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_ARGUMENT, ls_translate ("The closure belongs to another executable."));
      return NULL;
    }
  return ls_vm_frame_call_value (&frame, values);
}

void
ls_vm_set_instrument (LsVM          *self,
                      LsVMInstrument instrument,
                      gpointer       user_data)
{
  self->instrument = instrument;
  self->instrument_data = user_data;
}

void
ls_vm_set_host (LsVM         *self,
                LsVMHostCall  host,
                gpointer      user_data)
{
  self->host = host;
  self->host_data = user_data;
}

void
ls_vm_set_keeper (LsVM          *self,
                  gpointer       keeper,
                  gpointer     (*ref) (gpointer keeper),
                  GDestroyNotify unref)
{
  self->keeper = keeper;
  self->keep = ref;
  self->unkeep = unref;
}

void
ls_vm_set_trace (LsVM      *self,
                 LsVMTrace  trace,
                 gpointer   user_data)
{
  self->trace = trace;
  self->trace_data = user_data;
}

void
ls_vm_set_watch (LsVM      *self,
                 LsVMWatch  watch,
                 gpointer   user_data)
{
  self->watch = watch;
  self->watch_data = user_data;
}

gboolean
ls_vm_call_builtin (const char  *name,
                    LsVMValue  **args,
                    guint        n_args,
                    LsVMValue  **result,
                    GError     **error)
{
  const LsVMBuiltin *builtin = ls_vm_builtin_get (name);
  LsVM machine = { 0 };
  LsVMFrame frame = { &machine, NULL, NULL, NULL, error };
  g_autoptr (GPtrArray) values = NULL;

  if (builtin == NULL)
    return FALSE;
  values = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);
  for (guint i = 0; i < n_args; i++)
    g_ptr_array_add (values, ls_vm_value_ref (args[i]));
  machine.pool = ls_vm_pool_new ();
  *result = ls_vm_frame_call_builtin (&frame, builtin, values);
  ls_vm_pool_unref (machine.pool);
  return TRUE;
}

void
ls_vm_set_profile (LsVM     *self,
                   gboolean  on)
{
  self->profiling = on;
}

void
ls_vm_set_timeline (LsVM     *self,
                    gboolean  on)
{
  g_clear_pointer (&self->timeline, g_array_unref);
  if (on)
    self->timeline = g_array_new (FALSE, FALSE, sizeof (LsVMCallTime));
}

GArray *
ls_vm_take_timeline (LsVM *self)
{
  GArray *taken = self->timeline != NULL ? self->timeline : g_array_new (FALSE, FALSE, sizeof (LsVMCallTime));

  if (self->timeline != NULL)
    self->timeline = g_array_new (FALSE, FALSE, sizeof (LsVMCallTime));
  return taken;
}

GArray *
ls_vm_get_profile (LsVM *self)
{
  GArray *copy = g_array_sized_new (FALSE, FALSE, sizeof (LsVMProfile), self->profile->len);

  if (self->profile->len > 0)
    g_array_append_vals (copy, self->profile->data, self->profile->len);
  return copy;
}
