/* machine: see the header. */
#include "app/worker/machine.h"

#include "app/worker/program.h"

void
ls_worker_machine_clear (LsWorkerMachine *self)
{
  ls_vm_free (self->vm);
  ls_kernel_free (self->kernel);
  g_clear_pointer (&self->executable, ls_vm_executable_unref);
}

/* Now, so that the first call does not pay for it. */
static void
load_blas (LsVMExecutable *executable)
{
  gboolean used = FALSE;

  for (guint i = 0; i < executable->strings->len; i++)
    used |= g_str_has_prefix (executable->strings->pdata[i], "env.");
  if (used)
    g_free (ls_blas_describe ());
}

gboolean
ls_worker_machine_start (LsWorkerMachine *self,
                         LsVMExecutable  *executable,
                         GError         **error)
{
  LsJit *jit = ls_program_jit (error);

  self->executable = executable;
  if (jit == NULL)
    return FALSE;
  self->kernel = ls_vm_link (jit, executable, error);
  if (self->kernel == NULL && executable->code != NULL)
    return FALSE;
  self->vm = ls_vm_new (executable, ls_vm_resolve_kernel, self->kernel, error);
  load_blas (executable);
  return self->vm != NULL;
}
