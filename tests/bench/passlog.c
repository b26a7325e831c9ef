/* Benchmark of pass logs: a log of 200 MB of clang's -print-after-all over our own sources, and what a person waits for in it.
 *
 * The log is made once, in the build folder, by clang-19 -O2; LS_BENCH_PASS_LOG=FILE takes another one.  All times but the first are of the
 * processor, so that a busy machine does not change them.  Budgets are those of issue and README: listed in 2 s, first pass readable in
 * 0.3 s, any pass in 0.1 s, a search in 1 s, less than 400 MB. */
#include "app/llvm/reader.h"
#include "engine/passlog/passlog.h"
#include "tests/bench/bench.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define BYTES (200 * 1000 * 1000)
#define CLANG "/usr/lib/llvm-19/bin/clang"
#define N_PASSES 300            /* that are opened */

static double
cpu_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

/* ---- the log ---- */

static goffset
size_of (const char *path)
{
  GStatBuf now;

  return g_stat (path, &now) == 0 ? now.st_size : 0;
}

/* Appends what clang says of a source of the engine.  It writes each word by itself, which costs more than compiling does. */
static void
add_source (const char *source,
            const char *log)
{
  const char *root = g_getenv ("LS_SOURCE_ROOT");
  g_autofree char *command = g_strdup_printf (CLANG " -std=gnu17 -D_GNU_SOURCE -O2 -I%s -I%s $(pkg-config --cflags glib-2.0 gio-2.0) -w -c %s -o /dev/null -mllvm -print-after-all 2>> %s",
                                              root, g_getenv ("LS_BUILD_ROOT"), source, log);

  if (system (command) != 0)
    g_printerr ("%s cannot be compiled; what there is of its dumps counts\n", source);
  printf ("  %s: %.0f MB so far\n", source + strlen (root) + 1, (double) size_of (log) / 1e6);
  fflush (stdout);
}

static int
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The sources of a folder in the order of their names. (transfer full) */
static GPtrArray *
list_sources (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *sources = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".c"))
      g_ptr_array_add (sources, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (sources, by_name);
  return sources;
}

/* Made under another name, so that one that was broken off is no log. (transfer full); NULL: there is no compiler. */
static char *
make_log (void)
{
  static const char *const FOLDERS[] = { "engine/passlog", "engine/arith", "engine/tir", "engine/script", "engine/schedule/primitive" };
  g_autofree char *path = g_build_filename (g_getenv ("LS_BUILD_ROOT"), "tests", "bench", "passes.log", NULL);
  g_autofree char *part = g_strconcat (path, ".part", NULL);

  if (size_of (path) >= BYTES)
    return g_steal_pointer (&path);
  if (!g_file_test (CLANG, G_FILE_TEST_IS_EXECUTABLE))
    return NULL;
  g_unlink (part);
  for (guint i = 0; i < G_N_ELEMENTS (FOLDERS); i++)
    {
      g_autofree char *folder = g_build_filename (g_getenv ("LS_SOURCE_ROOT"), FOLDERS[i], NULL);
      g_autoptr (GPtrArray) sources = list_sources (folder);

      for (guint j = 0; j < sources->len && size_of (part) < BYTES; j++)
        add_source (sources->pdata[j], part);
    }
  g_assert_cmpint (size_of (part), >=, BYTES);
  g_assert_cmpint (g_rename (part, path), ==, 0);
  return g_steal_pointer (&path);
}

/* ---- what is waited for ---- */

static void
report (const char *name,
        double      seconds,
        double      budget)
{
  ls_bench_note (name, seconds * 1e9, "ns", FALSE);
  printf ("%-44s %8.3f s  budget %.1f s%s\n", name, seconds, budget, seconds > budget ? "  OVER" : "");
}

static gboolean
stop_at_first (LsPassLog *log,
               guint      n,
               gpointer   user_data)
{
  return FALSE;
}

/* A pass as the window opens it: both texts of its largest function, their diff and their rows. */
static void
open_pass (LsPassLog *log,
           guint      dump)
{
  LsPassDump *at = &g_array_index (log->dumps, LsPassDump, dump);
  g_autofree char *before = NULL, *after = NULL;
  g_autoptr (GArray) changes = NULL, rows = NULL;
  g_auto (GStrv) a = NULL, b = NULL;
  guint part = at->first;

  if (at->n == 0)
    return;
  for (guint i = at->first; i < at->first + at->n; i++)
    if (g_array_index (log->parts, LsPassPart, i).end - g_array_index (log->parts, LsPassPart, i).start
        > g_array_index (log->parts, LsPassPart, part).end - g_array_index (log->parts, LsPassPart, part).start)
      part = i;
  ls_pass_log_part_sides (log, part, &before, &after);
  if (before == NULL || after == NULL)
    return;
  changes = ls_pass_diff (before, after, at->language, NULL);
  a = g_strsplit (before, "\n", -1);
  b = g_strsplit (after, "\n", -1);
  rows = ls_pass_rows (a, b, changes);
}

static void
measure_first (const char *path)
{
  g_autoptr (GError) error = NULL;
  double start = cpu_seconds ();
  g_autoptr (LsPassLog) log = ls_pass_log_open_full (path, LS_PASS_LOG_AUTO, FALSE, stop_at_first, NULL, &error);

  g_assert_no_error (error);
  open_pass (log, 0);
  report ("passlog/first pass readable", cpu_seconds () - start, 0.3);
}

static void
measure_log (const char *path)
{
  g_autoptr (GError) error = NULL;
  double start = cpu_seconds (), sum = 0, worst = 0;
  g_autoptr (LsPassLog) log = ls_pass_log_open (path, LS_PASS_LOG_AUTO, &error);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  gsize bytes;
  guint lines = 0;

  g_assert_no_error (error);
  report ("passlog/open", cpu_seconds () - start, 2.0);
  ls_pass_log_text (log, 0, &bytes);
  for (const char *at = ls_pass_log_text (log, 0, NULL), *end = at + bytes; at != NULL && (at = memchr (at, '\n', (gsize) (end - at))) != NULL; at++)
    lines++;
  printf ("  %.0f MB, %u lines, %u dumps, %u functions\n", (double) bytes / 1e6, lines, log->dumps->len, log->parts->len);
  for (guint i = 0; i < N_PASSES; i++)
    {
      double one;

      start = cpu_seconds ();
      open_pass (log, (guint) g_rand_int_range (random, 0, (gint32) log->dumps->len));
      one = cpu_seconds () - start;
      sum += one;
      worst = MAX (worst, one);
    }
  report ("passlog/any pass, the slowest of 300", worst, 0.1);
  report ("passlog/any pass, mean", sum / N_PASSES, 0.1);
  start = cpu_seconds ();
  g_assert_cmpint (ls_pass_log_first (log, "there is no such text", 0), ==, -1);
  report ("passlog/search all, text", cpu_seconds () - start, 1.0);
  start = cpu_seconds ();
  g_assert_cmpint (ls_pass_log_remover (log, "there is no such text"), ==, -1);
  report ("passlog/search all, who removed it", cpu_seconds () - start, 1.0);
}

/* The command line, in a process of its own, whose memory can be known. */
static void
measure_list (const char *path)
{
  g_autofree char *cli = g_build_filename (g_getenv ("LS_BUILD_ROOT"), "app", "cli", "loopscope-cli", NULL);
  g_autofree char *command = g_strdup_printf ("%s passes %s --list > /dev/null", cli, path);
  struct rusage before, after;

  getrusage (RUSAGE_CHILDREN, &before);
  g_assert_cmpint (system (command), ==, 0);
  getrusage (RUSAGE_CHILDREN, &after);
  report ("passlog/list, command line",
          (double) (after.ru_utime.tv_sec - before.ru_utime.tv_sec + after.ru_stime.tv_sec - before.ru_stime.tv_sec)
            + (double) (after.ru_utime.tv_usec - before.ru_utime.tv_usec + after.ru_stime.tv_usec - before.ru_stime.tv_usec) / 1e6, 2.0);
  ls_bench_note ("passlog/memory", (double) after.ru_maxrss / 1e3, "MB", FALSE);
  printf ("%-44s %8.0f MB budget 400 MB%s\n", "passlog/memory", (double) after.ru_maxrss / 1e3, after.ru_maxrss > 400000 ? "  OVER" : "");
}

/* CPU seconds of children that have ended. */
static double
children_seconds (void)
{
  struct rusage used;

  getrusage (RUSAGE_CHILDREN, &used);
  return (double) (used.ru_utime.tv_sec + used.ru_stime.tv_sec) + (double) (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

/* The same passes with LLVM as the reader, the worker's time counted: passes of LLVM IR only. */
static void
measure_llvm (const char *path)
{
  g_autoptr (GError) error = NULL;
  LsPassLog *log = ls_pass_log_open (path, LS_PASS_LOG_LLVM, &error);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  double start, before = children_seconds ();
  guint opened = 0, llvm = 0;

  g_assert_no_error (error);
  ls_llvm_reader_set (log);
  start = cpu_seconds ();
  for (guint i = 0; i < 20 * N_PASSES && opened < N_PASSES; i++)
    {
      guint number = (guint) g_rand_int_range (random, 0, (gint32) log->dumps->len);
      LsPassCounts counts;
      char *reader = NULL;

      if (!g_array_index (log->dumps, LsPassDump, number).effective)
        continue;
      ls_pass_log_count_full (log, number, &counts, &reader);
      opened += reader != NULL && strstr (reader, "machine code") == NULL && strstr (reader, "only a loop") == NULL;
      llvm += reader != NULL && g_str_has_prefix (reader, "LLVM ");
      if (reader != NULL && strstr (reader, "LLVM:") != NULL && opened < 40)
        printf ("  %s\n", reader);
      g_free (reader);
    }
  start = cpu_seconds () - start;
  ls_pass_log_free (log);       /* ends the worker */
  printf ("  %u of %u dumps of functions were read by LLVM\n", llvm, opened);
  report ("passlog/a pass that LLVM reads, mean", (start + children_seconds () - before) / MAX (opened, 1), 0.1);
}

/* ---- the window ---- */

/* Of a process: who started it, what it is called, and how much of its memory is there, in MB. FALSE: it is gone. */
static gboolean
read_process (const char *pid,
              int        *parent,
              char        name[32],
              double     *megabytes)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/stat", pid), *text = NULL;
  long pages;
  const char *end;

  if (!g_file_get_contents (path, &text, NULL, NULL) || (end = strrchr (text, ')')) == NULL || sscanf (text, "%*d (%31[^)]", name) != 1
      || sscanf (end + 1, " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %*u %*u %ld", parent, &pages) != 2)
    return FALSE;
  *megabytes = (double) pages * (double) sysconf (_SC_PAGESIZE) / 1e6;
  return TRUE;
}

/* Memory of the program, its worker and what guards that, which all stand below `root`.  *worker: it runs. */
static double
memory_below (int       root,
              gboolean *worker)
{
  g_autoptr (GHashTable) below = g_hash_table_new (NULL, NULL);
  gboolean more = TRUE;
  double sum = 0;

  g_hash_table_add (below, GINT_TO_POINTER (root));
  for (*worker = FALSE; more;)
    {
      g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
      const char *pid;

      more = FALSE;
      while (dir != NULL && (pid = g_dir_read_name (dir)) != NULL)
        {
          char name[32];
          double megabytes;
          int parent;

          if (!g_ascii_isdigit (*pid) || !read_process (pid, &parent, name, &megabytes) || !g_hash_table_contains (below, GINT_TO_POINTER (parent))
              || !g_hash_table_add (below, GINT_TO_POINTER (atoi (pid))))
            continue;
          more = TRUE;
          if (g_str_has_prefix (name, "loopscope"))
            sum += megabytes;
          *worker |= g_str_has_prefix (name, "loopscope-worke");
        }
    }
  return sum;
}

static void
own_group (gpointer data)
{
  setpgid (0, 0);
}

/* The log in a window, on a display of its own: the most memory until the rows that are seen are counted by the worker and nothing grows any more. */
static void
measure_window (const char *path)
{
  g_autofree char *program = g_build_filename (g_getenv ("LS_BUILD_ROOT"), "app", "loopscope", NULL), *xvfb = g_find_program_in_path ("xvfb-run");
  const char *const arguments[] = { "xvfb-run", "-a", "dbus-run-session", "--", program, path, NULL };
  g_auto (GStrv) environment = g_environ_setenv (g_get_environ (), "GSK_RENDERER", "cairo", TRUE);
  double most = 0, last = 0;
  gboolean worker = FALSE;
  guint calm = 0;
  GPid pid;

  if (xvfb == NULL || !g_file_test (program, G_FILE_TEST_IS_EXECUTABLE)
      || !g_spawn_async (NULL, (char **) arguments, environment, G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL | G_SPAWN_STDOUT_TO_DEV_NULL,
                         own_group, NULL, &pid, NULL))
    {
      puts ("passlog/memory of the window: there is no xvfb-run, or no window");
      return;
    }
  for (guint i = 0; i < 600 && calm < 12; i++)
    {
      double now;

      g_usleep (G_USEC_PER_SEC / 2);
      now = memory_below (pid, &worker);
      most = MAX (most, now);
      calm = worker && now < last + 1 ? calm + 1 : 0;
      last = now;
    }
  kill (-pid, SIGTERM);
  waitpid (pid, NULL, 0);
  if (!worker)
    g_printerr ("the window asked no worker\n");
  ls_bench_note ("passlog/memory of the window and its worker", most, "MB", FALSE);
  printf ("%-44s %8.0f MB budget 400 MB%s\n", "passlog/memory of the window and its worker", most, most > 400 ? "  OVER" : "");
}

int
main (void)
{
  g_autofree char *path = NULL;

  ls_bench_head ();
  path = g_getenv ("LS_BENCH_PASS_LOG") != NULL ? g_strdup (g_getenv ("LS_BENCH_PASS_LOG")) : make_log ();
  if (path == NULL)
    {
      puts ("passlog: no log of 200 MB can be made: " CLANG " (package clang-19) is not there");
      return 0;
    }
  measure_list (path);          /* before anything else has children or memory */
  measure_window (path);
  measure_first (path);
  measure_log (path);
  measure_llvm (path);
  return 0;
}
