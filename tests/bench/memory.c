/* The memory lab: accesses a second through three caches, by the processor's time; with the distances, too.
 *
 * A product and a convolution whose innermost loops mostly stay on their lines, a product tiled for registers, and programs that go across
 * the lines, so that nearly every second access misses: a transposition that fits into the third cache, one that does not, and sums of columns.
 * The best of five. */
#include "bench.h"
#include "engine/interp/memory-lab.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"

#include <stdio.h>
#include <string.h>

static const struct { const char *name, *file, *steps, *size; } programs[] = {
  { "product 1024", "matmul_1024.py", NULL, NULL }, { "product 1024, tiled", "matmul_1024.py", "matmul_1024_steps.py", NULL },
  { "convolution", "conv2d.py", NULL, NULL }, { "transpose 2048", "../../tests/data/advice/transpose_2048.py", NULL, NULL },
  { "transpose 3000", "../../tests/data/advice/transpose_2048.py", NULL, "3000" },
  { "sums of columns", "../../tests/data/advice/column_sum.py", NULL, NULL },
};

static LsPrimFunc *
read_function (const char *file,
               const char *steps,
               const char *size)                /* in place of 2048, or NULL */
{
  g_autofree char *sample = ls_bench_sample (file), *lines = steps != NULL ? ls_bench_sample (steps) : g_strdup ("");
  g_auto (GStrv) parts = g_strsplit (sample, "2048", -1);
  g_autofree char *text = size != NULL ? g_strjoinv (size, parts) : g_strdup (sample);
  g_autoptr (LsSource) source = ls_source_new (file, text, -1), step_source = ls_source_new ("steps", lines, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (LsSchedule) schedule = NULL;
  LsModule *now;

  if (module == NULL)
    g_error ("%s: %s", file, ls_diagnostics_print (findings));
  schedule = ls_schedule_new (module);
  ls_schedule_apply_text (schedule, step_source, 0, findings);
  now = ls_schedule_get_module (schedule);
  return ls_lower ((LsPrimFunc *) now->functions->items[0], NULL, NULL, NULL);
}

static double
rate_of (LsPrimFunc *func,
         gboolean    distances)
{
  LsMemoryOptions options;
  double best = 0.0;

  ls_memory_options_init (&options);
  options.levels[0] = (LsCacheLevel) { 32768, 8 };
  options.levels[1] = (LsCacheLevel) { 524288, 8 };
  options.levels[2] = (LsCacheLevel) { 33554432, 16 };
  options.n_levels = 3;
  options.most = 3e7;
  options.distances = distances;
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (LsMemoryLab) memory = ls_memory_lab_new (func, &options, NULL, &error);

      if (memory == NULL)
        g_error ("%s", error->message);
      best = MAX (best, memory->simulated / memory->seconds * 1e-6);
    }
  return best;
}

int
main (void)
{
  const char *only = g_getenv ("LS_BENCH_ONLY");

  ls_bench_head ();
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autoptr (LsPrimFunc) func = NULL;
      g_autofree char *name = g_strdup_printf ("accesses simulated, %s", programs[i].name), *distances = g_strdup_printf ("with distances, %s", programs[i].name);

      if (only != NULL && strstr (name, only) == NULL && strstr (distances, only) == NULL)
        continue;
      func = read_function (programs[i].file, programs[i].steps, programs[i].size);
      ls_bench_rate (name, rate_of (func, FALSE), "M/s", 50);
      ls_bench_rate (distances, rate_of (func, TRUE), "M/s", 0);
    }
  return 0;
}
