/* Cutting compiled code off: how Ctrl+C and the Stop button of a lesson end a kernel that would run for hours.
 *
 * Compiled code has no checks in its loops.  A thread of ours waits on a pipe for the numbers of signals (Python's
 * signal.set_wakeup_fd() writes them); at SIGINT it sends CUT to each thread that runs compiled code.  The handler jumps out, to
 * the place where the compiled code was called, if and only if the thread stands in generated code: memory that
 * may be executed and belongs to no file.  Generated code holds no locks and owns nothing but scratch memory, which is given
 * back.  A thread that stands elsewhere (in the C library, in a packed function, in Python) is asked again 2 ms later.
 *
 * Tasks of the pool are landing places of their own, so that a parallel launch ends in order.  Where nobody watches, a call costs
 * one test.  Sources: sigsetjmp(3), signal-safety(7), PEP 475's notes on set_wakeup_fd.
 *
 * Limits: memory that a cut kernel was writing is left half written; libraries (OpenBLAS, torch) are waited for.
 */
#include "engine/runtime/runtime-private.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define CUT (SIGRTMIN + 6)
#define AGAIN_US 2000
#define MAX_RANGES 512
#define MAX_WATCHED 320

typedef struct {
  guintptr first, last;
} Range;

static struct {
  atomic_int  on;
  atomic_int  inside;           /* calls under way */
  atomic_uint serial;           /* of the last outermost call */
  atomic_int  n_threads;
  atomic_int  threads[MAX_WATCHED];     /* kernel ids of the threads that ever ran compiled code */
  atomic_int  n_ranges;         /* generated code; 0 while the list is written */
  Range       ranges[MAX_RANGES];
  int         fd;
} watch;

static _Thread_local sigjmp_buf *volatile landing;
static _Thread_local gboolean registered;

/* ---- in the signal handler ---- */

static guintptr
program_counter (const ucontext_t *context)
{
#if defined __x86_64__
  return (guintptr) context->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  return (guintptr) context->uc_mcontext.pc;
#else
  return 0;
#endif
}

static gboolean
is_generated (guintptr at)
{
  int n = atomic_load (&watch.n_ranges);

  for (int i = 0; i < n; i++)
    if (at >= watch.ranges[i].first && at < watch.ranges[i].last)
      return TRUE;
  return FALSE;
}

static void
cut (int        number,
     siginfo_t *info,
     void      *context)
{
  sigjmp_buf *target = landing;

  if (target != NULL && is_generated (program_counter (context)))
    siglongjmp (*target, 1);
}

/* ---- the watching thread ---- */

/* Executable memory without a file, from /proc/self/maps. */
static void
read_ranges (void)
{
  FILE *file = fopen ("/proc/self/maps", "re");
  char line[512];
  int n = 0;

  atomic_store (&watch.n_ranges, 0);
  while (file != NULL && n < MAX_RANGES && fgets (line, sizeof line, file) != NULL)
    {
      unsigned long first, last, inode;
      char rights[8], path[8] = "";

      if (sscanf (line, "%lx-%lx %7s %*x %*s %lu %7s", &first, &last, rights, &inode, path) >= 4
          && rights[2] == 'x' && inode == 0 && path[0] != '[')
        watch.ranges[n++] = (Range) { first, last };
    }
  if (file != NULL)
    fclose (file);
  atomic_store (&watch.n_ranges, n);
}

static void
cut_all (void)
{
  unsigned serial = atomic_load (&watch.serial);

  while (atomic_load (&watch.inside) > 0 && atomic_load (&watch.serial) == serial)
    {
      read_ranges ();
      for (int i = 0; i < atomic_load (&watch.n_threads); i++)
        syscall (SYS_tgkill, getpid (), atomic_load (&watch.threads[i]), CUT);
      g_usleep (AGAIN_US);
    }
}

static gpointer
watch_main (gpointer data)
{
  guint8 numbers[64];

  for (;;)
    {
      gssize n = read (watch.fd, numbers, sizeof numbers);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return NULL;
      if (memchr (numbers, SIGINT, (gsize) n) != NULL)
        cut_all ();
    }
}

gboolean
ls_interrupt_watch (int fd)
{
  struct sigaction action = { .sa_sigaction = cut, .sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER };
  g_autoptr (GThread) thread = NULL;

  if (atomic_load (&watch.on))
    return FALSE;
  sigemptyset (&action.sa_mask);
  if (sigaction (CUT, &action, NULL) != 0)
    return FALSE;
  watch.fd = fd;
  thread = g_thread_try_new ("ls-interrupt", watch_main, NULL, NULL);
  atomic_store (&watch.on, thread != NULL);
  return thread != NULL;
}

/* ---- around compiled code ---- */

void
ls_interrupt_begin (void)
{
  if (atomic_fetch_add (&watch.inside, 1) == 0)
    atomic_fetch_add (&watch.serial, 1);
}

void
ls_interrupt_end (void)
{
  atomic_fetch_sub (&watch.inside, 1);
}

/* Takes the place of a thread that has ended. */
static gboolean
replace_dead (int self)
{
  int n = MIN (atomic_load (&watch.n_threads), MAX_WATCHED);

  for (int i = 0; i < n; i++)
    {
      int other = atomic_load (&watch.threads[i]);

      if (other != 0 && syscall (SYS_tgkill, getpid (), other, 0) != 0 && errno == ESRCH
          && atomic_compare_exchange_strong (&watch.threads[i], &other, self))
        return TRUE;
    }
  return FALSE;
}

static void
register_thread (void)
{
  int at;

  if (registered)
    return;
  registered = TRUE;
  if (replace_dead ((int) syscall (SYS_gettid)))
    return;
  at = atomic_fetch_add (&watch.n_threads, 1);
  if (at < MAX_WATCHED)
    atomic_store (&watch.threads[at], (int) syscall (SYS_gettid));
  else
    atomic_fetch_sub (&watch.n_threads, 1);
}

int
ls_interruptible (LsInterruptible  body,
                  gpointer         data)
{
  sigjmp_buf here;
  sigjmp_buf *volatile before = landing;
  void *volatile scratch;
  volatile gboolean in_task;
  int status;

  if (!atomic_load_explicit (&watch.on, memory_order_relaxed))
    return body (data);
  register_thread ();
  scratch = ls_workspace_mark ();
  in_task = ls_pool_in_task (-1);
  if (sigsetjmp (here, 0) == 0)
    {
      landing = &here;
      status = body (data);
    }
  else
    {
      ls_workspace_reset (scratch);
      ls_pool_in_task (in_task);
      status = ls_runtime_fail ("the compiled code was interrupted");
    }
  landing = before;
  return status;
}

typedef struct {
  LsPackedFunc  func;
  const LsArg  *args;
  int           n_args;
  LsArg        *result;
  void         *closure;
} Call;

static int
run_call (gpointer data)
{
  const Call *call = data;

  return call->func (call->args, call->n_args, call->result, call->closure);
}

int
ls_interruptible_call (LsPackedFunc  func,
                       const LsArg  *args,
                       int           n_args,
                       LsArg        *result,
                       void         *closure)
{
  Call call = { func, args, n_args, result, closure };

  return ls_interruptible (run_call, &call);
}
