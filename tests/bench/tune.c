/* tune: how many candidates a second the model of cost can look at, in processor time: the counts and the 164 numbers of each store, without lowering.
 *
 * Goal: 2,000 a second. */
#include "engine/schedule/space/space.h"
#include "engine/script/script.h"
#include "engine/tune/tune.h"
#include "tests/bench/bench.h"

#include <time.h>

#define N_DRAWN 24

static const char *const programs[] = { "matmul_128.py", "conv2d.py", "softmax.py", "layer_norm.py" };

static double
seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static void
measure (const char *name)
{
  g_autofree char *text = ls_bench_sample (name), *label = g_strdup_printf ("features of %s", name);
  g_autoptr (LsSource) source = ls_source_new (name, text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  LsTunerOptions options = { .strategy = LS_TUNE_RANDOM, .seed = 1, .postprocs = TRUE };
  g_autoptr (LsTuner) tuner = ls_tuner_new (module, &options);
  g_autoptr (GPtrArray) designs = ls_space_designs (module, NULL, 1);
  double features[LS_TUNE_N_FEATURES], start;
  guint n = 0;

  for (guint i = 0; i < designs->len; i++)
    {
      g_autoptr (LsTrace) design = ls_trace_of (designs->pdata[i]);

      ls_tuner_add_design (tuner, design);
    }
  for (guint i = 0; i < N_DRAWN; i++)
    ls_tuner_next (tuner, 0);
  start = seconds ();
  while (seconds () - start < 1)
    for (guint i = 0; i < ls_tuner_get_candidates (tuner)->len; i++, n++)
      ls_tune_features (ls_schedule_get_module (((LsTuneCandidate *) ls_tuner_get_candidates (tuner)->pdata[i])->schedule), features);
  ls_bench_rate (label, n / (seconds () - start), "programs/s", 2000);
}

int
main (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    measure (programs[i]);
  return 0;
}
