/* Benchmark of the simulator: how many operations of lanes it computes a second of processor time, with its checks and without; a product of matrices
 * through shared memory, a softmax by rows, a product on tensor cores (of which each multiplication and addition counts as one).
 *
 * Goal: 20 million a second with checks.  Then the fast mode, loops compiled for this CPU: a product of 256 x 256 x 256 through shared memory beside the
 * same product under a schedule for a CPU, whose time it may take 10 times. */
#include "engine/codegen/codegen.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/simt/serial.h"
#include "engine/simt/simt.h"
#include "engine/tir/pass/pass.h"
#include "tests/bench/bench.h"

#include <stdio.h>
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

#define CPU_STEPS \
  "i, j, k = sch.get_loops(sch.get_block(\"C\"))\ni0, i1 = sch.split(i, factors=[None, 8])\nj0, j1 = sch.split(j, factors=[None, 32])\n" \
  "sch.reorder(i0, j0, k, i1, j1)\nsch.vectorize(j1)\nsch.unroll(i1)\nsch.decompose_reduction(sch.get_block(\"C\"), k)\n"

static LsPrimFunc *
schedule_text (const char *program,
               const char *steps)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSource) applied = ls_source_new ("steps", steps, -1);
  g_autoptr (LsModule) module = ls_script_parse (ls_source_new ("program", program, -1), findings);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);

  ls_schedule_apply_text (schedule, applied, 0, findings);
  if (ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_print (findings));
  return ls_ref (ls_array_at (ls_schedule_get_module (schedule)->functions, 0, LsPrimFunc));
}

/* The least time of some calls of a function on three arrays of 256 x 256, as loops of this CPU. */
static double
best_product (LsPrimFunc *func)
{
  g_autoptr (LsModule) none = ls_module_new (ls_array_empty (), ls_array_empty (), NULL, NULL), whole = ls_module_with (none, "main", LS_NODE (func));
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) lowered = ls_lower_module (whole, NULL, NULL, &error);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .prefix = prefix };
  LsTarget *target = ls_target_parse ("llvm", NULL);
  LsJit *jit = ls_jit_new (NULL);
  g_autoptr (LsObject) object = lowered != NULL ? ls_codegen_compile (lowered, NULL, target, &options, &error) : NULL;
  LsKernel *kernel = object != NULL ? ls_jit_add (jit, object, &error) : NULL;
  const gint64 shape[] = { 256, 256 };
  LsArg args[3] = { 0 };
  double best = G_MAXDOUBLE;

  if (kernel == NULL)
    g_error ("%s", error->message);
  for (guint i = 0; i < 3; i++)
    {
      LsNDArray *array = ls_ndarray_new (2, shape, (LsDLDataType) { 2, 32, 1 }, NULL);

      memset (array->tensor.data, 0, array->n_bytes);
      args[i] = (LsArg) { .kind = LS_ARG_TENSOR, .v_tensor = &array->tensor };
    }
  for (guint i = 0; i < 20; i++)
    {
      double start = seconds ();

      if (!ls_kernel_call (kernel, "main", args, 3, NULL, &error))
        g_error ("%s", error->message);
      best = MIN (best, seconds () - start);
    }
  return best;
}

static void
compare_products (void)
{
  g_autofree char *small = ls_bench_sample ("gpu/matmul_shared.py"), *steps = ls_bench_sample ("gpu/matmul_shared_steps.py");
  GString *program = g_string_new (small);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceTarget) device = ls_device_target_parse ("cuda -arch=sm_80", &error);
  g_autoptr (LsPrimFunc) bound = NULL, lowered = NULL, serial = NULL, plain = NULL;
  double fast, cpu;

  g_string_replace (program, "128", "256", 0);
  bound = schedule_text (program->str, steps);
  plain = schedule_text (program->str, CPU_STEPS);
  g_string_free (program, TRUE);
  lowered = ls_lower_device (bound, device, NULL, NULL, &error);
  serial = lowered != NULL ? ls_simt_serial (lowered, &error) : NULL;
  if (serial == NULL)
    g_error ("%s", error->message);
  fast = best_product (serial);
  cpu = best_product (plain);
  printf ("%-64s%9.3f ms, as a CPU schedule %.3f ms\n", "simulator, fast mode: product of 256 through shared memory", fast * 1e3, cpu * 1e3);
  ls_bench_rate ("simulator, fast mode: speed beside the CPU schedule", cpu / fast * 100, "%", 10);
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
  compare_products ();
  return 0;
}
