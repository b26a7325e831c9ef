/* The thread pool behind T.parallel.
 *
 * A launch cuts its tasks into at most MAX_CHUNKS runs of consecutive ones.  A chunk that nobody
 * has begun is a set bit in one of N_WORDS words; a word also carries the launch's generation, so
 * that taking a chunk is one compare-and-swap that cannot succeed on a launch that is
 * over.  Thread t first tries chunk t: the same part of the data meets the same thread (and cache)
 * launch after launch; whoever is early takes what the late have not begun.
 *
 * Idle threads spin for some microseconds, because launches come in bursts, then sleep on a
 * futex; so does the caller when its own share is done.  A sleeper announces itself before
 * it looks a last time and a waker looks for sleepers after it has written: no wake-up is lost.
 *
 * Limits: one launch at a time, others wait; a launch inside a task runs serially; not usable in
 * a child after fork().
 */
#include "engine/runtime/runtime-private.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_THREADS 256
#define MAX_CHUNKS 256
#define N_WORDS (MAX_CHUNKS / 32)
#define SPIN_ROUNDS 3000

typedef struct {
  LsParallelBody body;
  void          *closure;
  int            num_task;
  int            n_chunks;
  atomic_int     status;        /* of the first task that failed */
  GMutex         error_lock;
  char          *error;         /* its text; under error_lock */
} Job;

static struct {
  _Alignas (64) atomic_uint generation;         /* futex of idle threads */
  atomic_int sleepers;
  _Alignas (64) atomic_ullong words[N_WORDS];   /* generation << 32 | chunks not begun */
  _Alignas (64) atomic_int left;                /* chunks not finished; futex of the caller */
  atomic_int caller_sleeps;

  GMutex     lock;              /* held during a launch; guards what follows */
  Job        job;
  int        n_threads;         /* wished, caller included; 0 = not decided */
  int        n_started;         /* caller included; 0 = none yet */
  atomic_int n_pinned;
  atomic_int spin;
  atomic_int quit;
  GThread   *threads[MAX_THREADS];
} pool;

static _Thread_local gboolean inside_task;

static void
futex_wait (void *word,
            guint expected)
{
  syscall (SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, NULL, NULL, 0);
}

static void
futex_wake (void *word,
            int   n)
{
  syscall (SYS_futex, word, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0);
}

static inline void
relax (void)
{
#if defined __x86_64__ || defined __i386__
  __builtin_ia32_pause ();
#elif defined __aarch64__
  __asm__ volatile ("yield");
#endif
}

/* ---- taking and running chunks ---- */

/* Takes a chunk out of word `w`, bit `wish` if it is there; -1 when the word is empty. */
static int
take_from_word (int w,
                int wish)
{
  unsigned long long value = atomic_load_explicit (&pool.words[w], memory_order_acquire);

  while ((guint32) value != 0)
    {
      guint32 mask = (guint32) value;
      int bit = wish >= 0 && (mask >> wish & 1) ? wish : __builtin_ctz (mask);

      if (atomic_compare_exchange_weak_explicit (&pool.words[w], &value,
                                                 value & ~(1ull << bit),
                                                 memory_order_acq_rel, memory_order_acquire))
        return w * 32 + bit;
    }
  return -1;
}

static int
take_chunk (int thread)
{
  int home = thread % MAX_CHUNKS / 32;

  for (int i = 0; i < N_WORDS; i++)
    {
      int w = (home + i) % N_WORDS;
      int chunk = take_from_word (w, i == 0 ? thread % 32 : -1);

      if (chunk >= 0)
        return chunk;
    }
  return -1;
}

static void
note_failure (Job *job,
              int  status)
{
  g_mutex_lock (&job->error_lock);
  if (atomic_load (&job->status) == 0)
    {
      job->error = g_strdup (ls_runtime_last_error ());
      atomic_store (&job->status, status);
    }
  g_mutex_unlock (&job->error_lock);
}

typedef struct {
  Job *job;
  int  first, last;
} Chunk;

static int
run_tasks (gpointer data)
{
  const Chunk *chunk = data;
  Job *job = chunk->job;

  for (int i = chunk->first; i < chunk->last && atomic_load_explicit (&job->status, memory_order_relaxed) == 0; i++)
    {
      int status = job->body (i, job->num_task, job->closure);

      if (status != 0)
        note_failure (job, status);
    }
  return 0;
}

static void
run_chunk (Job *job,
           int  chunk)
{
  Chunk tasks = { job, (int) ((gint64) chunk * job->num_task / job->n_chunks), (int) ((gint64) (chunk + 1) * job->num_task / job->n_chunks) };
  int status;

  inside_task = TRUE;
  status = ls_interruptible (run_tasks, &tasks);
  if (status != 0)
    note_failure (job, status);
  inside_task = FALSE;
}

static void
finish_chunk (void)
{
  if (atomic_fetch_sub (&pool.left, 1) == 1 && atomic_load (&pool.caller_sleeps))
    futex_wake (&pool.left, 1);
}

static void
work (int thread)
{
  int chunk;

  while ((chunk = take_chunk (thread)) >= 0)
    {
      run_chunk (&pool.job, chunk);
      finish_chunk ();
    }
}

/* ---- the threads ---- */

/* Returns when the generation is no longer `seen`. */
static void
wait_for_launch (unsigned int seen)
{
  for (int i = atomic_load (&pool.spin); i > 0; i--)
    {
      if (atomic_load_explicit (&pool.generation, memory_order_acquire) != seen)
        return;
      relax ();
    }
  atomic_fetch_add (&pool.sleepers, 1);
  while (atomic_load (&pool.generation) == seen)
    futex_wait (&pool.generation, seen);
  atomic_fetch_sub (&pool.sleepers, 1);
}

static gpointer
thread_main (gpointer data)
{
  int thread = GPOINTER_TO_INT (data);
  unsigned int seen = atomic_load (&pool.generation);

  if (pool.n_threads <= ls_host_n_cpus () && ls_host_pin_thread (thread))
    atomic_fetch_add (&pool.n_pinned, 1);
  else
    ls_host_unpin_thread ();
  while (!atomic_load (&pool.quit))
    {
      work (thread);
      wait_for_launch (seen);
      seen = atomic_load (&pool.generation);
    }
  return NULL;
}

static int
default_threads (void)
{
  const char *text = g_getenv ("LS_NUM_THREADS");
  guint64 n;

  if (text != NULL && g_ascii_string_to_unsigned (text, 10, 1, MAX_THREADS, &n, NULL))
    return (int) n;
  return MIN (ls_host_n_cpus (), MAX_THREADS);
}

/* Under the lock. */
static int
wished_threads (void)
{
  if (pool.n_threads == 0)
    pool.n_threads = default_threads ();
  return pool.n_threads;
}

/* Under the lock.  Fewer threads than wished are no error. */
static void
start_threads (void)
{
  int n = wished_threads ();

  atomic_store (&pool.quit, 0);
  atomic_store (&pool.n_pinned, 0);
  atomic_store (&pool.spin, n <= ls_host_n_cpus () ? SPIN_ROUNDS : 0);
  for (pool.n_started = 1; pool.n_started < n; pool.n_started++)
    {
      GThread *thread = g_thread_try_new ("ls-pool", thread_main,
                                          GINT_TO_POINTER (pool.n_started), NULL);

      if (thread == NULL)
        break;
      pool.threads[pool.n_started] = thread;
    }
}

static void
wake_threads (void)
{
  atomic_fetch_add (&pool.generation, 1);
  if (atomic_load (&pool.sleepers) > 0)
    futex_wake (&pool.generation, INT_MAX);
}

/* Under the lock. */
static void
stop_threads (void)
{
  if (pool.n_started == 0)
    return;
  atomic_store (&pool.quit, 1);
  wake_threads ();
  for (int i = 1; i < pool.n_started; i++)
    g_thread_join (pool.threads[i]);
  pool.n_started = 0;
}

gboolean
ls_pool_in_task (int set)
{
  if (set >= 0)
    inside_task = set;
  return inside_task;
}

/* ---- launch ---- */

static int
launch_serially (LsParallelBody body,
                 void          *closure,
                 int            num_task)
{
  gboolean before = inside_task;
  int status = 0;

  inside_task = TRUE;
  for (int i = 0; i < num_task && status == 0; i++)
    status = body (i, num_task, closure);
  inside_task = before;
  return status;
}

static void
publish (LsParallelBody body,
         void          *closure,
         int            num_task)
{
  guint64 generation = (guint32) (atomic_load (&pool.generation) + 1);
  int n_chunks = MIN (num_task, MAX_CHUNKS);

  pool.job.body = body;
  pool.job.closure = closure;
  pool.job.num_task = num_task;
  pool.job.n_chunks = n_chunks;
  atomic_store (&pool.job.status, 0);
  atomic_store (&pool.left, n_chunks);
  for (int w = 0; w * 32 < n_chunks; w++)
    {
      int bits = MIN (n_chunks - w * 32, 32);
      guint64 mask = bits == 32 ? G_MAXUINT32 : (1u << bits) - 1;

      atomic_store_explicit (&pool.words[w], generation << 32 | mask, memory_order_release);
    }
  wake_threads ();
}

static void
wait_until_done (void)
{
  int left;

  for (int i = atomic_load (&pool.spin); i > 0 && atomic_load (&pool.left) > 0; i--)
    relax ();
  if (atomic_load (&pool.left) == 0)
    return;
  atomic_store (&pool.caller_sleeps, 1);
  while ((left = atomic_load (&pool.left)) > 0)
    futex_wait (&pool.left, (guint) left);
  atomic_store (&pool.caller_sleeps, 0);
}

/* Hands the failed task's text to the caller's thread. */
static int
collect_status (void)
{
  int status = atomic_load (&pool.job.status);

  if (status != 0)
    {
      ls_runtime_fail ("%s", pool.job.error);
      g_clear_pointer (&pool.job.error, g_free);
    }
  return status;
}

int
ls_parallel_launch (LsParallelBody body,
                    void          *closure,
                    int            num_task)
{
  int status;

  if (inside_task)
    return launch_serially (body, closure, num_task <= 0 ? 1 : num_task);
  g_mutex_lock (&pool.lock);
  if (num_task <= 0)
    num_task = wished_threads ();
  if (num_task == 1 || wished_threads () == 1)
    {
      g_mutex_unlock (&pool.lock);
      return launch_serially (body, closure, num_task);
    }
  if (pool.n_started == 0)
    start_threads ();
  publish (body, closure, num_task);
  work (0);
  wait_until_done ();
  status = collect_status ();
  g_mutex_unlock (&pool.lock);
  return status;
}

int
ls_parallel_num_threads (void)
{
  int n;

  if (inside_task)
    return 1;
  g_mutex_lock (&pool.lock);
  n = wished_threads ();
  g_mutex_unlock (&pool.lock);
  return n;
}

void
ls_pool_set_threads (int n)
{
  if (inside_task)
    return;
  g_mutex_lock (&pool.lock);
  n = n <= 0 ? default_threads () : MIN (n, MAX_THREADS);
  if (n != pool.n_threads)
    stop_threads ();
  pool.n_threads = n;
  g_mutex_unlock (&pool.lock);
}

gboolean
ls_pool_is_pinned (void)
{
  gboolean pinned;

  g_mutex_lock (&pool.lock);
  pinned = pool.n_started > 1 && atomic_load (&pool.n_pinned) == pool.n_started - 1;
  g_mutex_unlock (&pool.lock);
  return pinned;
}

void
ls_pool_shutdown (void)
{
  if (inside_task)
    return;
  g_mutex_lock (&pool.lock);
  stop_threads ();
  g_mutex_unlock (&pool.lock);
}
