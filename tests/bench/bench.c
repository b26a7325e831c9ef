/* bench: batches, median and quartiles, one line for each figure; the loop that calibrates. */
#include "tests/bench/bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BATCH_NS    1000000     /* one sample takes at least so long */
#define MAX_SAMPLES 30
#define MIN_SAMPLES 5
#define LOOP_WORDS  4096        /* of the calibration: 32 KiB */
#define LOOP_ROUNDS 64

gint64
ls_bench_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- the processor's time ------------------------------------------------------------------ */

/* The process that started this one, 0: it is not there any more. */
static gint
parent_of (const char *pid)
{
  g_autofree char *path = g_build_filename ("/proc", pid, "stat", NULL), *text = NULL;
  const char *end;
  gint parent = 0;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (end = strrchr (text, ')')) == NULL || sscanf (end + 1, " %*c %d", &parent) != 1)
    return 0;
  return parent;
}

/* What all threads of a process have had, in ns. */
static gint64
time_of (gint pid)
{
  g_autofree char *tasks = g_strdup_printf ("/proc/%d/task", pid);
  g_autoptr (GDir) dir = g_dir_open (tasks, 0, NULL);
  const char *task;
  gint64 sum = 0;

  while (dir != NULL && (task = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (tasks, task, "schedstat", NULL), *text = NULL;

      if (g_file_get_contents (path, &text, NULL, NULL))
        sum += g_ascii_strtoll (text, NULL, 10);
    }
  return sum;
}

/* Of the processes that this one started and those that they started, as far as they run. */
static gint64
time_of_children (void)
{
  g_autoptr (GArray) pids = g_array_new (FALSE, FALSE, sizeof (gint)), parents = g_array_new (FALSE, FALSE, sizeof (gint));
  g_autoptr (GHashTable) ours = g_hash_table_new (NULL, NULL);
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  const char *name;
  gint64 sum = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      gint pid = atoi (name), parent = pid > 0 ? parent_of (name) : 0;

      if (parent == 0)
        continue;
      g_array_append_val (pids, pid);
      g_array_append_val (parents, parent);
    }
  g_hash_table_add (ours, GINT_TO_POINTER (getpid ()));
  for (gboolean more = TRUE; more;)
    {
      more = FALSE;
      for (guint i = 0; i < pids->len; i++)
        if (g_hash_table_contains (ours, GINT_TO_POINTER (g_array_index (parents, gint, i))) && g_hash_table_add (ours, GINT_TO_POINTER (g_array_index (pids, gint, i))))
          {
            sum += time_of (g_array_index (pids, gint, i));
            more = TRUE;
          }
    }
  return sum;
}

static gboolean
is_processor_time (void)
{
  return g_getenv ("LS_BENCH_CPU") != NULL;
}

/* Looking at the other processes is no part of what is measured: it comes before the own clock at the start, and behind it at the end. */
static gint64
own_time (void)
{
  struct timespec now;

  clock_gettime (is_processor_time () ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

static gint64
time_batch (LsBenchFunc run,
            gpointer    data,
            guint64     n)
{
  gint64 others = is_processor_time () ? time_of_children () : 0, start = own_time (), spent;

  for (guint64 i = 0; i < n; i++)
    run (data);
  spent = own_time () - start;
  return spent + (is_processor_time () ? MAX (time_of_children () - others, 0) : 0);
}

/* ---- measuring ---------------------------------------------------------------------------------- */

/* Doubles the batch until it is long enough; that is the warm-up as well. */
static guint64
find_batch (LsBenchFunc run,
            gpointer    data)
{
  guint64 n = 1;

  run (data);
  while (time_batch (run, data, n) < BATCH_NS)
    n *= 2;
  return n;
}

static int
compare_doubles (gconstpointer a,
                 gconstpointer b)
{
  double x = *(const double *) a;
  double y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The quantile of sorted samples, linear between neighbours. */
static double
quantile (const double *sorted,
          guint         n,
          double        q)
{
  double at = q * (n - 1);
  guint below = (guint) at;

  if (below + 1 >= n)
    return sorted[n - 1];
  return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

static LsBenchResult
summarize (double  *samples,
           guint    n,
           guint64  runs_per_sample)
{
  LsBenchResult result = { .n_samples = n, .runs_per_sample = runs_per_sample };

  qsort (samples, n, sizeof (double), compare_doubles);
  result.minimum = samples[0];
  result.lower = quantile (samples, n, 0.25);
  result.median = quantile (samples, n, 0.5);
  result.upper = quantile (samples, n, 0.75);
  return result;
}

static gint64
time_limit (void)
{
  const char *seconds = g_getenv ("LS_BENCH_SECONDS");

  return (gint64) ((seconds != NULL ? g_ascii_strtod (seconds, NULL) : 2.0) * 1e9);
}

LsBenchResult
ls_bench_measure (LsBenchFunc run,
                  gpointer    data)
{
  double samples[MAX_SAMPLES];
  guint64 runs = find_batch (run, data);
  gint64 end = ls_bench_now () + time_limit ();
  guint n = 0;

  while (n < MAX_SAMPLES && (n < MIN_SAMPLES || ls_bench_now () < end))
    samples[n++] = (double) time_batch (run, data, runs) / (double) runs;
  return summarize (samples, n, runs);
}

LsBenchResult
ls_bench_measure_prepared (LsBenchFunc prepare,
                           LsBenchFunc run,
                           gpointer    data)
{
  double samples[MAX_SAMPLES];
  gint64 end = ls_bench_now () + time_limit ();
  guint n = 0;

  while (n < MAX_SAMPLES && (n < MIN_SAMPLES || ls_bench_now () < end))
    {
      prepare (data);
      samples[n++] = (double) time_batch (run, data, 1);
    }
  return summarize (samples, n, 1);
}

static void
print_time (double ns)
{
  if (ns < 1e3)
    printf ("%9.1f ns", ns);
  else if (ns < 1e6)
    printf ("%9.2f us", ns / 1e3);
  else if (ns < 1e9)
    printf ("%9.2f ms", ns / 1e6);
  else
    printf ("%9.2f s ", ns / 1e9);
}

/* LS_BENCH_ONLY: a part of the name; LS_BENCH_COUNT: runs without a clock, for a profiler. */
static gboolean
is_skipped (const char  *name,
            LsBenchFunc  run,
            gpointer     data)
{
  const char *only = g_getenv ("LS_BENCH_ONLY");
  const char *count = g_getenv ("LS_BENCH_COUNT");

  if (only != NULL && strstr (name, only) == NULL)
    return TRUE;
  for (guint64 i = count != NULL ? g_ascii_strtoull (count, NULL, 10) : 0; i > 0; i--)
    run (data);
  return count != NULL;
}

void
ls_bench_note (const char *name,
               double      value,
               const char *unit,
               gboolean    more)
{
  const char *path = g_getenv ("LS_BENCH_LOG");
  FILE *log = path != NULL ? fopen (path, "a") : NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (log == NULL)
    return;
  fprintf (log, "%s\t%s\t%s\t%s\t%s\n", program_invocation_short_name, name, g_ascii_formatd (number, sizeof number, "%.6g", value), unit,
           more ? "more" : "less");
  fclose (log);
}

void
ls_bench_report (const char    *name,
                 double         budget,
                 LsBenchResult  result)
{
  ls_bench_note (name, result.minimum, "ns", FALSE);
  printf ("%-40s", name);
  print_time (result.median);
  printf ("  +-%4.1f %%  min", 50.0 * (result.upper - result.lower) / result.median);
  print_time (result.minimum);
  if (budget > 0)
    {
      printf ("  budget");
      print_time (budget);
      printf ("  ratio %.2f%s", result.median / budget, result.median > budget ? "  OVER" : "");
    }
  else
    {
      printf ("  no budget");
    }
  printf ("  (%u x %" G_GUINT64_FORMAT ")\n", result.n_samples, result.runs_per_sample);
  fflush (stdout);
}

LsBenchResult
ls_bench_run (const char  *name,
              double       budget,
              LsBenchFunc  run,
              gpointer     data)
{
  LsBenchResult result = { 0 };

  if (is_skipped (name, run, data))
    return result;
  result = ls_bench_measure (run, data);
  ls_bench_report (name, budget, result);
  return result;
}

void
ls_bench_rate (const char *name,
               double      value,
               const char *unit,
               double      goal)
{
  ls_bench_note (name, value, unit, TRUE);
  printf ("%-40s%9.2f %s", name, value, unit);
  if (goal > 0)
    printf ("  goal %.2f  ratio %.2f%s", goal, value / goal, value < goal ? "  UNDER" : "");
  printf ("\n");
  fflush (stdout);
}

/* Multiplies, adds and looks up in memory that fits into the first cache. */
static void
calibrate (gpointer data)
{
  guint64 *words = data, state = words[0];

  for (guint round = 0; round < LOOP_ROUNDS; round++)
    for (guint i = 0; i < LOOP_WORDS; i++)
      {
        state = state * G_GUINT64_CONSTANT (6364136223846793005) + words[state >> 52];
        words[i] += state >> 17;
      }
  words[0] = state;
}

static void
print_calibration (void)
{
  g_autofree guint64 *words = g_new0 (guint64, LOOP_WORDS);
  double best = G_MAXDOUBLE;

  for (guint i = 0; i < LOOP_WORDS; i++)
    words[i] = i;
  for (guint i = 0; i < 100; i++)
    best = MIN (best, (double) time_batch (calibrate, words, 1));
  ls_bench_note ("calibration", best, "ns", FALSE);
  printf ("%-40s", "calibration");
  print_time (best);
  printf ("\n");
}

char *
ls_bench_sample (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("LS_SOURCE_ROOT") != NULL ? g_getenv ("LS_SOURCE_ROOT") : LS_BENCH_SOURCE_ROOT, "data", "samples", name, NULL);
  char *text = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (path, &text, NULL, &error))
    g_error ("%s", error->message);
  return text;
}

void
ls_bench_head (void)
{
  g_autofree char *cpuinfo = NULL;
  g_autoptr (GRegex) pattern = g_regex_new ("model name\\s*:\\s*(.*)", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *model = NULL;
  double load[1] = { 0 };

  g_setenv ("LS_SOURCE_ROOT", LS_BENCH_SOURCE_ROOT, FALSE);
  g_setenv ("LS_BUILD_ROOT", LS_BENCH_BUILD_ROOT, FALSE);
  g_file_get_contents ("/proc/cpuinfo", &cpuinfo, NULL, NULL);
  if (cpuinfo != NULL && g_regex_match (pattern, cpuinfo, 0, &match))
    model = g_match_info_fetch (match, 1);
  getloadavg (load, 1);
  printf ("%s, %u cores, load %.2f\n", model ? model : "unknown processor",
          g_get_num_processors (), load[0]);
  print_calibration ();
}
