/* Benchmark of the simulator: how many operations of lanes it computes a second of processor time, with its checks and without; a product of matrices
 * through shared memory, a softmax by rows, a product on tensor cores (of which each multiplication and addition counts as one).
 *
 * Goal: 20 million a second with checks. */
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/simt/simt.h"
#include "engine/tir/pass/pass.h"
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct { const char *name, *program, *steps, *from, *to; } KERNELS[] = {
  { "product through shared memory", "gpu/matmul_shared.py", "gpu/matmul_shared_steps.py", "128", "64" },
  { "softmax", "gpu/softmax.py", "gpu/softmax_steps.py", NULL, NULL },
  { "product on tensor cores", "gpu/history/matmul_f16/program.py", "gpu/history/matmul_f16/3_mma.py", "256", "64" },
};

static double
seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static LsPrimFunc *
lower (guint at)
{
  g_autofree char *program = ls_bench_sample (KERNELS[at].program), *steps = ls_bench_sample (KERNELS[at].steps);
  GString *text = g_string_new (program);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceTarget) target = ls_device_target_parse ("cuda -arch=sm_80", &error);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSource) applied = ls_source_new ("steps", steps, -1);
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsSchedule) schedule = NULL;
  LsPrimFunc *lowered;

  if (KERNELS[at].from != NULL)
    g_string_replace (text, KERNELS[at].from, KERNELS[at].to, 0);
  module = ls_script_parse (ls_source_new ("program", text->str, -1), findings);
  g_string_free (text, TRUE);
  schedule = ls_schedule_new (module);
  ls_schedule_apply_text (schedule, applied, 0, findings);
  if (ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_print (findings));
  lowered = ls_lower_device (ls_array_at (ls_schedule_get_module (schedule)->functions, 0, LsPrimFunc), target, NULL, NULL, &error);
  if (lowered == NULL)
    g_error ("%s", error->message);
  return lowered;
}

static guint64
run (LsPrimFunc *lowered,
     gboolean    unchecked)
{
  guint n = lowered->params->n;
  g_autofree LsInterpArg *args = g_new0 (LsInterpArg, n);
  g_autofree gint64 *shapes = g_new0 (gint64, n * 4);
  LsSimtOptions options = { .unchecked = unchecked };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsSimtRun) done = NULL;
  guint64 lanes = 0;

  for (guint i = 0; i < n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (lowered, i);
      gint64 bytes = ls_dtype_bytes (buffer->dtype);

      for (guint k = 0; k < buffer->shape->n; k++)
        {
          ls_as_int (buffer->shape->items[k], &shapes[4 * i + k]);
          bytes *= shapes[4 * i + k];
        }
      args[i] = (LsInterpArg) { buffer->dtype, TRUE, g_malloc0 ((gsize) bytes), buffer->shape->n, &shapes[4 * i], NULL, 0, 0 };
    }
  done = ls_simt_run (lowered, args, n, &options, &error);
  if (done == NULL)
    g_error ("%s", error->message);
  for (guint i = 0; i < done->kernels->len; i++)
    lanes += g_array_index (done->kernels, LsSimtKernel, i).lane_ops;
  for (guint i = 0; i < n; i++)
    g_free (args[i].data);
  return lanes;
}

int
main (void)
{
  ls_bench_head ();
  for (guint i = 0; i < G_N_ELEMENTS (KERNELS); i++)
    {
      g_autoptr (LsPrimFunc) lowered = lower (i);

      for (guint unchecked = 0; unchecked < 2; unchecked++)
        {
          g_autofree char *name = g_strdup_printf ("simulator %s: %s", unchecked ? "without checks" : "with checks", KERNELS[i].name);
          double best = 0;

          for (guint k = 0; k < 5; k++)
            {
              double start = seconds ();
              guint64 lanes = run (lowered, unchecked != 0);
              double rate = (double) lanes / (seconds () - start) / 1e6;

              best = MAX (best, rate);
            }
          ls_bench_rate (name, best, "million lane operations/s", unchecked ? 0 : 20);
        }
    }
  return 0;
}
