/* The processor's counters: where the machine has them, they count and grow with the work; where not, the sentence says
 * why.  What reads and subtracts is tested with a counter that every kernel has, the time of a task in nanoseconds. */
#include "engine/runtime/counters.h"
#include "tests/support/support.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile double sink;

static void
work (guint n)
{
  for (guint i = 0; i < n * 1000000u; i++)
    sink = sink * 0.5 + i;
}

static void
count (LsCounters *counters,
       guint       n,
       LsCount     counts[LS_COUNTER_N])
{
  ls_counters_start (counters);
  work (n);
  ls_counters_stop (counters, counts);
}

static void
test_machine (void)
{
  g_autoptr (LsCounters) counters = ls_counters_new (NULL);
  LsCount few[LS_COUNTER_N], many[LS_COUNTER_N];

  if (!ls_counters_any (counters))
    {
      int error = ls_counters_error (counters);
      g_autofree char *why = ls_counters_why (error), *name = ls_counter_error (error);

      g_test_message ("%s", why);
      g_assert_cmpint (error, !=, 0);
      g_assert_true (g_str_has_prefix (why, "Hardware counters are not available: "));
      g_assert_nonnull (strstr (why, name));
    }
  count (counters, 2, few);
  count (counters, 20, many);
  for (guint i = 0; i < LS_COUNTER_N; i++)
    {
      g_test_message ("%s: %g, %g, error %d", ls_counter_name (i), few[i].value, many[i].value, few[i].error);
      g_assert_true (few[i].error == 0 || few[i].value == 0);
      if (!ls_counters_any (counters))
        g_assert_cmpint (few[i].error, ==, ls_counters_error (counters));
    }
  if (few[LS_COUNTER_INSTRUCTIONS].error == 0 && many[LS_COUNTER_INSTRUCTIONS].error == 0)
    {
      g_assert_cmpfloat (few[LS_COUNTER_INSTRUCTIONS].value, >, 2e6);
      g_assert_cmpfloat (many[LS_COUNTER_INSTRUCTIONS].value, >, 5 * few[LS_COUNTER_INSTRUCTIONS].value);
    }
}

/* ---- with the time of a task ------------------------------------------------------ */

static int
open_clock (LsCounterKind kind)
{
  struct perf_event_attr attr;

  if (kind == LS_COUNTER_LLC_MISSES)
    {
      errno = ENOENT;
      return -1;
    }
  memset (&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_TASK_CLOCK;
  attr.disabled = 1;
  attr.inherit = 1;
  attr.exclude_kernel = 1;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return (int) syscall (SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static gpointer
work_aside (gpointer n)
{
  work (GPOINTER_TO_UINT (n));
  return NULL;
}

static void
test_clock (void)
{
  g_autoptr (LsCounters) counters = ls_counters_new (open_clock);
  LsCount few[LS_COUNTER_N], many[LS_COUNTER_N], aside[LS_COUNTER_N];

  if (!ls_counters_any (counters))
    {
      g_test_skip ("the system opens no counter of any kind");
      return;
    }
  g_assert_cmpint (ls_counters_error (counters), ==, 0);
  count (counters, 2, few);
  count (counters, 40, many);
  work (40);                    /* not counted */
  ls_counters_start (counters);
  g_thread_join (g_thread_new ("aside", work_aside, GUINT_TO_POINTER (40)));
  ls_counters_stop (counters, aside);
  g_test_message ("%g, %g, in a thread %g", few[0].value, many[0].value, aside[0].value);
  g_assert_cmpint (few[LS_COUNTER_CYCLES].error, ==, 0);
  g_assert_cmpint (few[LS_COUNTER_LLC_MISSES].error, ==, ENOENT);
  g_assert_cmpfloat (few[LS_COUNTER_LLC_MISSES].value, ==, 0);
  g_assert_cmpfloat (few[0].share, ==, 1);
  g_assert_cmpfloat (few[0].value, >, 1e5);
  g_assert_cmpfloat (many[0].value, >, 4 * few[0].value);
  g_assert_cmpfloat (aside[0].value, >, 4 * few[0].value);
  g_assert_cmpfloat (aside[0].value, <, 4 * many[0].value);
}

/* ---- refusals ----------------------------------------------------------------------- */

static int refused_with;

static int
open_nothing (LsCounterKind kind)
{
  errno = refused_with;
  return -1;
}

static void
test_refused (void)
{
  static const struct { int error; const char *said; } cases[] = {
    { ENOENT, "this machine's kernel does not offer them (ENOENT)." },
    { EACCES, "does not let this user read them (EACCES)." },
    { EPERM, "does not let this user read them (EPERM)." },
    { ENOSYS, "was built without them (ENOSYS)." },
    { EOPNOTSUPP, "processor does not offer them (EOPNOTSUPP)." },
    { E2BIG, "the system refuses them (error 7)." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsCounters) counters = NULL;
      g_autofree char *why = NULL;
      LsCount counts[LS_COUNTER_N];

      refused_with = cases[i].error;
      counters = ls_counters_new (open_nothing);
      why = ls_counters_why (ls_counters_error (counters));
      g_assert_false (ls_counters_any (counters));
      g_assert_true (g_str_has_suffix (why, cases[i].said));
      count (counters, 0, counts);
      for (guint k = 0; k < LS_COUNTER_N; k++)
        {
          g_assert_cmpint (counts[k].error, ==, cases[i].error);
          g_assert_cmpfloat (counts[k].value, ==, 0);
        }
    }
}

/* Of each cause one thing is changed. */
static void
test_gap (void)
{
  static const struct { LsCounterGap gap; const char *kind; } cases[] = {
    { { 1, 1.05e6, 1e6, 0, 1000, 1, 0.2 }, "none" },
    { { 1, 2e5, 1e6, 0, 1000, 1, 0.2 }, "prefetcher" },
    { { 1, 2e5, 1e6, 9e5, 1000, 1, 0.2 }, "prefetcher" },      /* what is in a page has its set in the first cache, wherever the page is */
    { { 3, 2e5, 1e6, 9e5, 1000, 1, 0.2 }, "mapping" },
    { { 3, 2e6, 1e6, 0, 1000, 4, 0.2 }, "other-cores" },
    { { 3, 2e6, 1e6, 0, 1000, 1, 4.0 }, "other-programs" },
    { { 1, 2e6, 1e6, 0, 1000, 1, 0.2 }, "tlb" },
    { { 1, 2e6, 1e6, 0, 10, 1, 0.2 }, "unknown" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = ls_counters_gap_words (&cases[i].gap);

      g_test_message ("%s", words);
      g_assert_cmpstr (ls_counters_gap_name (ls_counters_gap_kind (&cases[i].gap)), ==, cases[i].kind);
      g_assert_nonnull (strstr (words, " counted, 1e+06 simulated; "));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runtime/counters/machine", test_machine);
  g_test_add_func ("/runtime/counters/clock", test_clock);
  g_test_add_func ("/runtime/counters/refused", test_refused);
  g_test_add_func ("/runtime/counters/gap", test_gap);
  return g_test_run ();
}
