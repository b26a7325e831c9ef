/* Measuring: batches, budgets, order statistics, verdicts, conditions and the peaks' cache. */
#include "engine/runtime/runtime.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int n_calls;

/* What the clock says to what is measured: it goes on only where a call takes time.  0: that of the machine. */
static gint64 clock_ns;

int clock_gettime (clockid_t id, struct timespec *at);

int
clock_gettime (clockid_t        id,
               struct timespec *at)
{
  if (id != CLOCK_MONOTONIC || clock_ns == 0)
    return (int) syscall (SYS_clock_gettime, id, at);
  *at = (struct timespec) { clock_ns / 1000000000, clock_ns % 1000000000 };
  return 0;
}

/* On a clock that nobody else moves. */
static LsTiming *
evaluate (LsTimedFunc           func,
          const LsTimeOptions  *options,
          GError              **error)
{
  LsTiming *timing;

  clock_ns = 1000000000;
  timing = ls_time_evaluate (func, NULL, options, NULL, error);
  clock_ns = 0;
  return timing;
}

static int
take_20us (void *closure)
{
  n_calls++;
  clock_ns += 20000;
  return 0;
}

static int
take_30ms (void *closure)
{
  n_calls++;
  clock_ns += 30000000;
  return 0;
}

static int
fail_third (void *closure)
{
  return ++n_calls == 3 ? ls_runtime_fail ("the third call broke") : 0;
}

static void
test_evaluate (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTiming) timing = evaluate (take_20us, NULL, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (timing->n, ==, 30);
  g_assert_false (timing->cut);
  g_assert_cmpfloat_with_epsilon (timing->min, 20000, 1e-6);
  g_assert_cmpfloat_with_epsilon (timing->median, 20000, 1e-6);
  g_assert_cmpfloat_with_epsilon (timing->max, 20000, 1e-6);
  /* A millisecond and a twentieth more. */
  g_assert_cmpint (timing->calls_per_batch, ==, 53);
  text = ls_timing_print (timing);
  g_assert_nonnull (strstr (text, "µs (best "));
}

static void
test_budget (void)
{
  LsTimeOptions options = { 0, 1000000, 30, 100000000 };
  g_autoptr (LsTiming) timing = evaluate (take_30ms, &options, NULL);
  g_autoptr (LsTiming) once = NULL;

  g_assert_true (timing->cut);
  g_assert_cmpint (timing->n, ==, 3);           /* one to warm up and three more are 120 ms of 100 */
  options.budget_ns = 1;
  n_calls = 0;
  once = evaluate (take_30ms, &options, NULL);
  g_assert_cmpint (n_calls, ==, 1);
  g_assert_cmpint (once->n, ==, 1);
}

/* Five samples of what is slower than anybody wants to know exactly; all of what is not. */
static void
test_slow (void)
{
  LsTimeOptions options = { 0, 1000000, 8, 3000000000, NULL, NULL, 20e6 };
  g_autoptr (LsTiming) slow = evaluate (take_30ms, &options, NULL);
  g_autoptr (LsTiming) wanted = NULL;

  g_assert_cmpint (slow->n, ==, 5);
  g_assert_true (slow->cut);
  options.slow_ns = 60e9;
  wanted = evaluate (take_30ms, &options, NULL);
  g_assert_cmpint (wanted->n, ==, 8);
  g_assert_false (wanted->cut);
}

static void
test_errors (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  n_calls = 0;
  g_assert_null (ls_time_evaluate (fail_third, NULL, NULL, NULL, &error));
  g_assert_error (error, LS_RUNTIME_ERROR, LS_RUNTIME_ERROR_CALL);
  g_assert_cmpstr (error->message, ==, "the third call broke");
  g_clear_error (&error);
  g_cancellable_cancel (cancellable);
  g_assert_null (ls_time_evaluate (take_20us, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_quartiles (void)
{
  g_autoptr (LsTiming) timing = ls_timing_new ((double[]) { 4, 1, 3, 2 }, 4);
  g_autoptr (LsTiming) large = ls_timing_new ((double[]) { 877400, 877400 }, 2);
  g_autofree char *text = ls_timing_print (large);

  g_assert_cmpfloat (timing->min, ==, 1);
  g_assert_cmpfloat (timing->q1, ==, 1.75);
  g_assert_cmpfloat (timing->median, ==, 2.5);
  g_assert_cmpfloat (timing->q3, ==, 3.25);
  g_assert_cmpfloat (timing->mean, ==, 2.5);
  g_assert_cmpfloat (timing->samples[0], ==, 4);
  g_assert_cmpstr (text, ==, "877 ± 0.00\u202fµs (best 877, n = 2)");
}

static LsTiming *
series (int    n,
        double first,
        double step)
{
  g_autofree double *samples = g_new (double, (gsize) n);

  for (int i = 0; i < n; i++)
    samples[i] = first + step * i;
  return ls_timing_new (samples, n);
}

static void
test_exact_p (void)
{
  g_autoptr (LsTiming) a = series (5, 1, 1);
  g_autoptr (LsTiming) b = series (5, 6, 1);
  g_autoptr (LsTiming) c = ls_timing_new ((double[]) { 1, 2, 4, 7 }, 4);
  g_autoptr (LsTiming) d = ls_timing_new ((double[]) { 3, 5, 6, 8, 9 }, 5);

  /* Complete separation of 5 and 5: 2 / C(10, 5). */
  g_assert_cmpfloat_with_epsilon (ls_verdict_compare (a, b).p, 2.0 / 252, 1e-12);
  g_assert_cmpint (ls_verdict_compare (a, b).kind, ==, LS_VERDICT_SLOWER);
  g_assert_cmpint (ls_verdict_compare (b, a).kind, ==, LS_VERDICT_FASTER);
  /* U = 4: 12 of the 126 subsets have a rank sum of at most 14. */
  g_assert_cmpfloat_with_epsilon (ls_verdict_compare (c, d).p, 2.0 * 12 / 126, 1e-12);
}

static void
test_verdicts (void)
{
  g_autoptr (LsTiming) base = series (30, 1000, 1);
  g_autoptr (LsTiming) same = series (30, 1000.5, 1);
  g_autoptr (LsTiming) half = series (30, 500, 0.5);
  g_autoptr (LsTiming) shifted = series (30, 1005, 0.1);
  g_autoptr (LsTiming) few = series (3, 10, 1);
  LsVerdict verdict = ls_verdict_compare (base, half);
  g_autofree char *text = ls_verdict_print (&verdict);
  g_autofree char *none = NULL;

  g_assert_cmpint (verdict.kind, ==, LS_VERDICT_FASTER);
  g_assert_cmpfloat_with_epsilon (verdict.speedup, 2, 1e-9);
  g_assert_true (verdict.low <= 2 && verdict.high >= 2 && verdict.high < 2.1);
  g_assert_true (g_str_has_prefix (text, "×2.00, faster (1.9") || strstr (text, "2.00"));
  verdict = ls_verdict_compare (base, same);
  none = ls_verdict_print (&verdict);
  g_assert_cmpint (verdict.kind, ==, LS_VERDICT_NO_DIFFERENCE);
  g_assert_true (g_str_has_prefix (none, "no significant difference (p = "));
  /* Below one per cent nothing counts, however regular. */
  g_assert_cmpint (ls_verdict_compare (base, shifted).kind, ==, LS_VERDICT_NO_DIFFERENCE);
  g_assert_cmpint (ls_verdict_compare (few, few).kind, ==, LS_VERDICT_TOO_FEW);
  g_assert_cmpint (ls_verdict_compare (base, base).kind, ==, LS_VERDICT_NO_DIFFERENCE);
}

/* Without the draws the answer is the same one, and has no interval. */
static void
test_decide (void)
{
  g_autoptr (LsTiming) base = series (30, 1000, 1);
  g_autoptr (LsTiming) same = series (30, 1000.5, 1);
  g_autoptr (LsTiming) half = series (30, 500, 0.5);
  g_autoptr (LsTiming) few = series (3, 10, 1);
  const LsTiming *all[] = { base, same, half, few };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    for (guint k = 0; k < G_N_ELEMENTS (all); k++)
      {
        LsVerdict whole = ls_verdict_compare (all[i], all[k]), quick = ls_verdict_decide (all[i], all[k]);

        g_assert_cmpint (whole.kind, ==, quick.kind);
        g_assert_cmpfloat (whole.p, ==, quick.p);
        g_assert_cmpfloat (whole.speedup, ==, quick.speedup);
        g_assert_false (isnan (whole.low) || isnan (whole.high));
        g_assert_true (isnan (quick.low) && isnan (quick.high));
      }
}

static void
test_conditions (void)
{
  g_autoptr (LsConditions) now = ls_conditions_record ();
  g_autofree char *text = ls_conditions_print (now);

  g_assert_cmpstr (now->cpu, !=, "");
  g_assert_cmpint (now->n_cpus, >=, 1);
  g_assert_cmpint (now->n_threads, >=, 1);
  g_assert_nonnull (strstr (text, "CPUs"));
  g_assert_true (ls_host_unpin_thread ());
  {
    static const char *const others[] = { "", "a machine", "a, b, c, d, e", "cpu, 2 of CPUs, pinned, load 1, now", "cpu, 2 of 4 CPUs, held, load 1, now" };
    g_autoptr (LsConditions) again = ls_conditions_read (text);
    g_autoptr (LsConditions) commas = ls_conditions_read ("Brand, Model 5, 3 of 4 CPUs, not pinned, load unknown, 2026-01-05T10:11:12+01");
    g_autofree char *same = ls_conditions_print (again);

    g_assert_cmpstr (same, ==, text);
    g_assert_cmpstr (commas->cpu, ==, "Brand, Model 5");
    g_assert_cmpint (commas->n_threads, ==, 3);
    g_assert_cmpint (commas->n_cpus, ==, 4);
    g_assert_false (commas->pinned);
    g_assert_cmpfloat (commas->load[0], ==, -1.0);
    for (guint i = 0; i < G_N_ELEMENTS (others); i++)
      g_assert_null (ls_conditions_read (others[i]));
    g_assert_null (ls_conditions_read (NULL));
  }
}

static void
test_peaks (void)
{
  LsPeaks in = { 142.5, 2, { { "L1", 16384, 250.25 }, { "DRAM", 1 << 28, 12 } } };
  g_autofree char *path = ls_peaks_path ("AMD  EPYC (9/4)\n../..");
  g_autofree char *file = g_path_get_basename (path);
  g_autoptr (GError) error = NULL;
  LsPeaks out;

  g_assert_cmpstr (file, ==, "peaks-amd-epyc-9-4-.ini");
  g_assert_false (ls_peaks_load ("Some CPU", &out));
  g_assert_true (ls_peaks_store ("Some CPU", &in, &error));
  g_assert_no_error (error);
  g_assert_true (ls_peaks_load ("Some CPU", &out));
  g_assert_cmpfloat (out.fma_gflops, ==, 142.5);
  g_assert_cmpint (out.n_levels, ==, 2);
  g_assert_cmpstr (out.levels[1].name, ==, "DRAM");
  g_assert_cmpfloat (out.levels[0].gb_per_s, ==, 250.25);
  /* Another CPU whose name gives the same file name. */
  g_assert_false (ls_peaks_load ("some-cpu", &out));
  g_free (path);
  path = ls_peaks_path ("Some CPU");
  g_free (file);
  file = g_path_get_dirname (path);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_cmpint (g_rmdir (file), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("ls-timing-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/runtime/timing/evaluate", test_evaluate);
  g_test_add_func ("/runtime/timing/budget", test_budget);
  g_test_add_func ("/runtime/timing/slow", test_slow);
  g_test_add_func ("/runtime/timing/errors", test_errors);
  g_test_add_func ("/runtime/timing/quartiles", test_quartiles);
  g_test_add_func ("/runtime/verdict/exact", test_exact_p);
  g_test_add_func ("/runtime/verdict/kinds", test_verdicts);
  g_test_add_func ("/runtime/verdict/decide", test_decide);
  g_test_add_func ("/runtime/host/conditions", test_conditions);
  g_test_add_func ("/runtime/peaks", test_peaks);
  status = g_test_run ();
  g_rmdir (cache);
  return status;
}
