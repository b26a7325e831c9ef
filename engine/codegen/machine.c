/* machine: a module of LLVM on its way to machine code.
 *
 * Optimised with a pipeline of our own (loops here come rotated and small, so that a third of O3's passes does what O3 does to
 * them, in a third of the time); then LLVM writes the object and, when asked for, its assembly text.  LLVM 19's SLP vectoriser
 * is left out: it narrows 64-bit lanes that do not fit (found by tests/exec/differential).
 *
 * LLVM cannot be asked to stop.  Where somebody may ask that of us (ls_stop_asked()) the work is done in a thread of its own, which
 * owns everything that it touches; when it is asked, the thread is left behind: it goes on behind all others to the end of the
 * phase it is in and drops what it has.  A process that ends meanwhile does not run destructors of libraries under its feet.
 */
#include "engine/codegen/codegen-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOOK_MS 10
#define LEAST_NICE 19

typedef struct {
  LsCgMachine  job;
  GMutex       lock;
  GCond        ended;
  gboolean     done;
  gboolean     left;            /* nobody waits any more */
} Thread;

static gint n_left;             /* threads that nobody waits for */

/* ---- writing ------------------------------------------------------------------------------------ */

static gboolean
write_code (LsCgMachine         *self,
            LLVMModuleRef        module,
            LLVMCodeGenFileType  type,
            LLVMMemoryBufferRef *buffer)
{
  char *message = NULL;

  if (!LLVMTargetMachineEmitToMemoryBuffer (self->machine, module, type, &message, buffer))
    return TRUE;
  g_set_error (&self->error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_LLVM, ls_translate ("LLVM did not write the code: %s"), message);
  LLVMDisposeMessage (message);
  return FALSE;
}

char *
ls_cg_print_ir (LLVMModuleRef module)
{
  char *text = LLVMPrintModuleToString (module);
  char *copy = g_strdup (text);

  LLVMDisposeMessage (text);
  return copy;
}

static gboolean
write_all (LsCgMachine *self)
{
  LsObject *object = self->object;
  LLVMModuleRef module = self->module, again = NULL;
  LLVMMemoryBufferRef buffer = NULL;
  gboolean written;

  if (self->want_object && self->want_asm)              /* writing changes a module: AMD's back end cannot write the same one twice */
    again = LLVMCloneModule (module);
  if (self->want_ir)
    object->ir = ls_cg_print_ir (self->module);
  if (self->want_object)
    {
      gint64 start = ls_clock_ns ();

      if (!write_code (self, module, LLVMObjectFile, &buffer))
        {
          if (again != NULL)
            LLVMDisposeModule (again);
          return FALSE;
        }
      object->code = g_bytes_new (LLVMGetBufferStart (buffer), LLVMGetBufferSize (buffer));
      LLVMDisposeMemoryBuffer (buffer);
      object->machine_ns = ls_clock_ns () - start;
    }
  if (self->want_asm)
    {
      LLVMSetTargetMachineAsmVerbosity (self->machine, FALSE);
      written = write_code (self, again != NULL ? again : module, LLVMAssemblyFile, &buffer);
      if (again != NULL)
        LLVMDisposeModule (again);
      if (!written)
        return FALSE;
      object->assembly = g_strndup (LLVMGetBufferStart (buffer), LLVMGetBufferSize (buffer));
      LLVMDisposeMemoryBuffer (buffer);
    }
  return TRUE;
}

/* ---- running ------------------------------------------------------------------------------------ */

static void
clear (LsCgMachine *self)
{
  LLVMDisposeTargetMachine (self->machine);
  LLVMDisposeModule (self->module);
  LLVMContextDispose (self->context);
}

/* `left` (may be NULL) is looked at between the phases. */
static gboolean
run (LsCgMachine *self,
     gboolean    *left)
{
  gint64 start = ls_clock_ns ();

  if (self->optimise && !ls_cg_optimise (self))
    return FALSE;
  self->object->optimise_ns = ls_clock_ns () - start;
  return (left == NULL || !g_atomic_int_get (left)) && write_all (self);
}

static LsObject *
result (LsCgMachine *self,
        GError     **error)
{
  if (self->error == NULL)
    return g_steal_pointer (&self->object);
  g_propagate_error (error, g_steal_pointer (&self->error));
  g_clear_pointer (&self->object, ls_object_free);
  return NULL;
}

static void
thread_free (Thread *self)
{
  g_clear_pointer (&self->job.object, ls_object_free);
  g_clear_error (&self->job.error);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->ended);
  g_free (self);
}

static gpointer
thread_main (gpointer data)
{
  Thread *self = data;
  gboolean left;

  g_mutex_lock (&self->lock);
  self->job.thread = (int) syscall (SYS_gettid);
  g_mutex_unlock (&self->lock);
  run (&self->job, &self->left);
  clear (&self->job);
  g_mutex_lock (&self->lock);
  self->done = TRUE;
  left = self->left;
  g_cond_signal (&self->ended);
  g_mutex_unlock (&self->lock);
  if (left)
    {
      thread_free (self);
      g_atomic_int_add (&n_left, -1);
    }
  return NULL;
}

/* Such a thread would be in the middle of libraries whose destructors run now. */
static void
end_at_once (int   status,
             void *unused)
{
  if (g_atomic_int_get (&n_left) == 0)
    return;
  fflush (NULL);
  _exit (status);
}

static void
watch_exit (void)
{
  static gsize done;

  if (g_once_init_enter (&done))
    {
      on_exit (end_at_once, NULL);
      g_once_init_leave (&done, 1);
    }
}

/* FALSE: asked to stop; the thread is nobody's from now on. */
static gboolean
wait_for (Thread  *self,
          GError **error)
{
  gboolean stopped = FALSE;

  g_mutex_lock (&self->lock);
  while (!self->done && !stopped)
    {
      if (g_cond_wait_until (&self->ended, &self->lock, g_get_monotonic_time () + LOOK_MS * G_TIME_SPAN_MILLISECOND) || self->done)
        continue;
      g_mutex_unlock (&self->lock);
      stopped = ls_stop_asked (error);
      g_mutex_lock (&self->lock);
    }
  stopped = stopped && !self->done;
  if (stopped)
    {
      g_atomic_int_inc (&n_left);
      g_atomic_int_set (&self->left, TRUE);
      if (self->job.thread != 0)
        setpriority (PRIO_PROCESS, (id_t) self->job.thread, LEAST_NICE);
    }
  g_mutex_unlock (&self->lock);
  return !stopped;
}

LsObject *
ls_cg_machine_run (LsCgMachine  *job,
                   GError      **error)
{
  Thread *thread;
  LsObject *object;
  g_autoptr (GError) stopped = NULL;
  g_autoptr (GThread) handle = NULL;

  if (ls_stop_can_be_asked ())
    {
      watch_exit ();
      thread = g_new0 (Thread, 1);
      thread->job = *job;
      g_mutex_init (&thread->lock);
      g_cond_init (&thread->ended);
      handle = g_thread_try_new ("ls-machine-code", thread_main, thread, NULL);
      if (handle != NULL)
        {
          if (!wait_for (thread, &stopped))
            {
              g_propagate_error (error, g_steal_pointer (&stopped));
              return NULL;
            }
          object = result (&thread->job, error);
          g_thread_join (g_steal_pointer (&handle));
          thread_free (thread);
          return object;
        }
      *job = thread->job;
      thread->job.object = NULL;
      thread_free (thread);
    }
  run (job, NULL);
  clear (job);
  return result (job, error);
}

void
ls_object_free (LsObject *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->code, g_bytes_unref);
  g_strfreev (self->functions);
  g_free (self->prefix);
  g_free (self->ir);
  g_free (self->raw_ir);
  g_free (self->assembly);
  g_clear_pointer (&self->remarks, g_array_unref);
  g_clear_pointer (&self->passes, g_array_unref);
  g_free (self);
}
