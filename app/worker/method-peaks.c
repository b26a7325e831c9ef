/* The method peaks: what one core of this machine can do at best: multiply-adds, and bytes read from each level of memory.
 *
 * Each loop runs in batches of about a millisecond; the fastest batch counts, since others only show what was in the way.  A batch is timed by the
 * clock of its thread, which stands still while others have the processor.  It goes on until several batches came to nearly the same as the fastest;
 * where that does not come about, or the thread had to wait for the processor, the machine is busy, and the answer says so.  The thread is pinned
 * meanwhile.
 */
#include "app/worker/peak-kernels.h"
#include "app/worker/program.h"

#include "engine/runtime/peaks.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH_NS 1000000
#define EACH_NS 120000000       /* at least, of the processor */
#define MOST_NS 600000000       /* at most, of the processor */
#define WALL_NS G_GINT64_CONSTANT (2500000000)
#define ALIKE 1.03              /* as long as the fastest */
#define ENOUGH 6                /* batches that are */
#define KEPT 64                 /* the fastest ones */
#define OWN 0.8                 /* of the time by the clock: less of the processor is that others had it */
#define LEAST_DRAM ((gint64) 64 << 20)
#define MOST_DRAM ((gint64) 512 << 20)

typedef struct {
  const LsPeakLoop *loop;       /* or memory and bytes */
  void             *memory;
  size_t            bytes;
} Work;

static volatile double sink;

/* How well the measurements went. */
typedef struct {
  gint64   spent, passed;       /* of the processor, and by the clock */
  gboolean unsettled;           /* one went on changing */
} Quiet;

static gint64
own_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

static void
run (const Work *work,
     long        times)
{
  sink = work->loop != NULL ? work->loop->run (times) : ls_peak_read (work->memory, work->bytes, times);
}

static gint64
spent (const Work *work,
       long        times)
{
  gint64 start = own_ns ();

  run (work, times);
  return own_ns () - start;
}

/* How many rounds take the time of a batch: the shortest of three tries counts, since the machine may have other work. */
static long
batch_of (const Work *work)
{
  long times = 1;

  while (times < (1L << 40))
    {
      gint64 shortest = spent (work, times);

      for (int i = 0; i < 2; i++)
        shortest = MIN (shortest, spent (work, times));
      if (shortest >= BATCH_NS)
        break;
      times *= 2;
    }
  return times;
}

/* The fastest times, sorted. */
typedef struct {
  gint64 ns[KEPT];
  guint  n;
} Fastest;

static void
keep (Fastest *self,
      gint64   ns)
{
  guint at = self->n;

  if (self->n == KEPT && ns >= self->ns[KEPT - 1])
    return;
  at = self->n < KEPT ? self->n++ : KEPT - 1;
  for (; at > 0 && self->ns[at - 1] > ns; at--)
    self->ns[at] = self->ns[at - 1];
  self->ns[at] = ns;
}

static gboolean
is_settled (const Fastest *self)
{
  return self->n >= ENOUGH && (double) self->ns[ENOUGH - 1] <= ALIKE * (double) self->ns[0];
}

/* Nanoseconds of one round, at best. */
static double
best_of (const Work *work,
         Quiet      *quiet)
{
  gint64 begun = ls_clock_ns (), own = own_ns ();
  long times = batch_of (work);
  Fastest fastest = { .n = 0 };

  do
    keep (&fastest, spent (work, times));
  while ((own_ns () - own < EACH_NS || (!is_settled (&fastest) && own_ns () - own < MOST_NS)) && ls_clock_ns () - begun < WALL_NS);
  quiet->spent += own_ns () - own;
  quiet->passed += ls_clock_ns () - begun;
  quiet->unsettled |= !is_settled (&fastest);
  return (double) fastest.ns[0] / (double) times;
}

static double
measure_arithmetic (const char **name,
                    Quiet       *quiet)
{
  int n;
  const LsPeakLoop *loops = ls_peak_loops (&n);
  double best = 0.0;

  for (int i = 0; i < n; i++)
    {
      double speed = loops[i].flop / best_of (&(Work) { &loops[i], NULL, 0 }, quiet);

      if (speed > best)
        {
          best = speed;
          *name = loops[i].name;
        }
    }
  return best;
}

/* Half of each cache, of the third, which others use too, an eighth; and what no cache holds. */
static int
list_levels (LsPeakLevel *levels)
{
  static const char *const names[] = { "L1", "L2", "L3" };
  gint64 largest = 0;
  int n = 0;

  for (int i = 0; i < 3; i++)
    {
      gint64 bytes = ls_host_cache_bytes (i + 1);

      if (bytes < 4096 || bytes / 2 > MOST_DRAM / 2)
        continue;
      g_strlcpy (levels[n].name, names[i], sizeof levels[n].name);
      levels[n++].bytes = (i < 2 ? bytes / 2 : MAX (bytes / 8, MIN (2 * largest, bytes / 2))) & ~(gint64) 1023;
      largest = bytes;
    }
  g_strlcpy (levels[n].name, "DRAM", sizeof levels[n].name);
  levels[n++].bytes = CLAMP (4 * largest, LEAST_DRAM, MOST_DRAM);
  return n;
}

static gboolean
measure_memory (LsRequest   *request,
                LsPeakLevel *levels,
                int          n,
                Quiet       *quiet,
                GError     **error)
{
  void *memory = NULL;

  if (posix_memalign (&memory, 64, (size_t) levels[n - 1].bytes) != 0)
    {
      g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST, ls_translate ("There is not enough memory to measure its speed."));
      return FALSE;
    }
  memset (memory, 1, (size_t) levels[n - 1].bytes);
  for (int i = 0; i < n; i++)
    {
      levels[i].gb_per_s = (double) levels[i].bytes / best_of (&(Work) { NULL, memory, (size_t) levels[i].bytes }, quiet);
      ls_request_progress (request, (double) (i + 2) / (n + 1), levels[i].name);
    }
  free (memory);
  return TRUE;
}

/* -> cpu, gflops (float32, one core), instructions, pinned, busy (others had the machine meanwhile), levels: name, bytes (that were read over and over), gb-per-s. */
static GVariant *
method_peaks (LsRequest  *request,
              GVariant   *params,
              GError    **error)
{
  LsPeakLevel levels[LS_PEAKS_MAX_LEVELS];
  int n = list_levels (levels);
  gboolean pinned = ls_host_pin_thread (0), done;
  const char *name = "";
  Quiet quiet = { 0, 0, FALSE };
  double speed = measure_arithmetic (&name, &quiet);
  GVariantBuilder list;
  GVariantDict dict;

  ls_request_progress (request, 1.0 / (n + 1), name);
  done = measure_memory (request, levels, n, &quiet, error);
  if (pinned)
    ls_host_unpin_thread ();
  if (!done)
    return NULL;
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (int i = 0; i < n; i++)
    {
      GVariantDict level;

      g_variant_dict_init (&level, NULL);
      g_variant_dict_insert (&level, "name", "s", levels[i].name);
      g_variant_dict_insert (&level, "bytes", "x", levels[i].bytes);
      g_variant_dict_insert (&level, "gb-per-s", "d", levels[i].gb_per_s);
      g_variant_builder_add_value (&list, g_variant_dict_end (&level));
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "cpu", "s", ls_host_cpu_name ());
  g_variant_dict_insert (&dict, "gflops", "d", speed);
  g_variant_dict_insert (&dict, "instructions", "s", name);
  g_variant_dict_insert (&dict, "pinned", "b", pinned);
  g_variant_dict_insert (&dict, "busy", "b", quiet.unsettled || (double) quiet.spent < OWN * (double) quiet.passed);
  g_variant_dict_insert_value (&dict, "levels", g_variant_builder_end (&list));
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_peaks[] = {
  { "peaks", method_peaks, "Measures what one core of this machine can do at best." },
  { NULL, NULL, NULL },
};
