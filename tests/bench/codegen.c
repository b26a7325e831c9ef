/* codegen: how fast code is made, and how fast the code is.
 *
 * Budgets are those of the design: a fraction of what TVM v0.20 takes for the same (parse 3.3 ms / 50, print 0.21 ms /
 * 10, five steps 0.75 ms / 10, text to code 16 ms / 2).  Where there is no figure of TVM the row says "no budget"; the
 * run time after each step is then given against the unscheduled program, that of the worked schedules of
 * data/samples too, and products against the peak.
 *
 * Building: mm_relu 128 from text to code that can be called, stage by stage.  Running: a hand-written float32 matrix
 * product (register tile, vectorised, unrolled, one thread; from 512 on blocked, the factors packed) against OpenBLAS on
 * one thread and against the FMA peak, which a loop of independent fused multiply-adds measures first.
 */
#include "engine/advice/advice.h"
#include "engine/codegen/codegen.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/bench/bench.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static LsJit *jit;
static LsTarget *target;

/* ---- building ---------------------------------------------------------------- */

typedef struct {
  char     *text;
  char     *steps;
  LsModule *module;
  LsModule *lowered;
} Sample;

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("bench", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, diagnostics);

  if (module == NULL || ls_diagnostics_has_error (diagnostics))
    {
      g_autofree char *findings = ls_diagnostics_print (diagnostics);

      g_error ("%s", findings);
    }
  return module;
}

static LsKernel *
build_lowered (LsModule *lowered)
{
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .prefix = prefix };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsObject) object = ls_codegen_compile (lowered, NULL, target, &options, &error);
  LsKernel *kernel = object != NULL ? ls_jit_add (jit, object, &error) : NULL;

  if (kernel == NULL)
    g_error ("%s", error->message);
  return kernel;
}

static LsKernel *
build_text (const char *text)
{
  g_autoptr (LsModule) module = parse (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) lowered = ls_lower_module (module, NULL, NULL, &error);

  if (lowered == NULL)
    g_error ("%s", error->message);
  return build_lowered (lowered);
}

static void
run_parse (gpointer data)
{
  g_autoptr (LsModule) module = parse (((Sample *) data)->text);
}

static void
run_print (gpointer data)
{
  g_free (ls_script_print (((Sample *) data)->module, NULL, NULL));
}

/* The module after the steps. (transfer full) */
static LsModule *
apply_steps (LsModule   *module,
             const char *steps)
{
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  ls_schedule_apply_text (schedule, source, 0, diagnostics);
  if (ls_diagnostics_has_error (diagnostics))
    {
      g_autofree char *findings = ls_diagnostics_print (diagnostics);

      g_error ("%s", findings);
    }
  return ls_ref (ls_schedule_get_module (schedule));
}

static void
run_steps (gpointer data)
{
  Sample *self = data;

  ls_unref (apply_steps (self->module, self->steps));
}

static void
run_lower (gpointer data)
{
  g_autoptr (LsModule) lowered = ls_lower_module (((Sample *) data)->module, NULL, NULL, NULL);
}

static void
run_code (gpointer data)
{
  g_autoptr (LsKernel) kernel = build_lowered (((Sample *) data)->lowered);
}

static void
run_all (gpointer data)
{
  g_autoptr (LsKernel) kernel = build_text (((Sample *) data)->text);
}

static double
cpu_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e9 + (double) now.tv_nsec;
}

/* The thread's CPU time, which other programs on the machine disturb least. */
static void
print_cpu_time (const char *name,
                LsBenchFunc run,
                gpointer    data)
{
  double best = INFINITY;

  for (guint i = 0; i < 40; i++)
    {
      double start = cpu_ns ();

      run (data);
      best = MIN (best, cpu_ns () - start);
    }
  printf ("  %s, CPU time: %.2f ms at best\n", name, best / 1e6);
  ls_bench_note (name, best, "ns", FALSE);
}

static void
bench_building (const char *name,
                const char *text,
                const char *steps)
{
  Sample sample = { g_strdup (text), g_strdup (steps), NULL, NULL };
  g_autofree char *titles[4] = { g_strconcat ("parse ", name, NULL), g_strconcat ("lower ", name, NULL),
                                 g_strconcat ("LLVM and link ", name, NULL), NULL };
  g_autofree char *whole = g_strconcat ("text to code ", name, NULL);

  sample.module = parse (text);
  sample.lowered = ls_lower_module (sample.module, NULL, NULL, NULL);
  ls_bench_run (titles[0], 3.3e6 / 50, run_parse, &sample);
  ls_bench_run ("print", 0.21e6 / 10, run_print, &sample);
  ls_bench_run ("five steps, from their text", 0.75e6 / 10, run_steps, &sample);
  ls_bench_run (titles[1], 0, run_lower, &sample);
  ls_bench_run (titles[2], 0, run_code, &sample);
  ls_bench_run (whole, 8e6, run_all, &sample);
  print_cpu_time (titles[2], run_code, &sample);
  print_cpu_time (whole, run_all, &sample);
  g_free (titles[1]);
  g_free (titles[2]);
  ls_unref (sample.module);
  ls_unref (sample.lowered);
  g_free (sample.text);
  g_free (sample.steps);
}

/* ---- the peak ------------------------------------------------------------------- */

#define PEAK_ROUNDS 20000

typedef float V8 __attribute__ ((vector_size (32)));
typedef float V16 __attribute__ ((vector_size (64)));

#define STEP(i) "vfmadd213ps %[c], %[b], %" #i "\n\t"

/* Twelve independent chains: more than latency times throughput of any x86-64 core. */
#define PEAK(name, type, isa) \
  __attribute__ ((target (isa), noinline)) static float name (float x) \
  { \
    type a0 = {}, a1 = {}, a2 = {}, a3 = {}, a4 = {}, a5 = {}, a6 = {}, a7 = {}, a8 = {}, a9 = {}, a10 = {}, a11 = {}, b = {}, c = {}; \
    b += x; c += 1e-9f; \
    for (int r = 0; r < PEAK_ROUNDS; r++) \
      __asm__ volatile (STEP (0) STEP (1) STEP (2) STEP (3) STEP (4) STEP (5) STEP (6) STEP (7) STEP (8) STEP (9) STEP (10) STEP (11) \
                        : "+v" (a0), "+v" (a1), "+v" (a2), "+v" (a3), "+v" (a4), "+v" (a5), "+v" (a6), "+v" (a7), "+v" (a8), "+v" (a9), \
                          "+v" (a10), "+v" (a11) : [b] "v" (b), [c] "v" (c)); \
    a0 += a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11; \
    return a0[0]; \
  }

PEAK (peak_avx2, V8, "avx2,fma")
PEAK (peak_avx512, V16, "avx512f,avx512vl")

static gboolean
has_avx512 (void)
{
  return __builtin_cpu_supports ("avx512f") != 0;
}

static volatile float peak_sink;

static void
run_peak (gpointer data)
{
  peak_sink = has_avx512 () ? peak_avx512 (0.999f) : peak_avx2 (0.999f);
}

static gboolean
has_peak (void)
{
  return has_avx512 () || (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma"));
}

/* ---- the product ------------------------------------------------------------------ */

/* How a product is cut: tiles of rows x (vectors x lanes); with depth 0 as it is, else `block` tiles of rows and `depth`
 * steps of the sum at a time, both factors packed as the tiles read them. */
typedef struct {
  int n, rows, vectors, lanes, depth, block;
} Plan;

static void
add_line (GString    *text,
          int         indent,
          const char *format,
          ...) G_GNUC_PRINTF (3, 4);

static void
add_line (GString    *text,
          int         indent,
          const char *format,
          ...)
{
  va_list args;

  va_start (args, format);
  g_string_append_printf (text, "%*s", 4 * indent, "");
  g_string_append_vprintf (text, format, args);
  g_string_append_c (text, '\n');
  va_end (args);
}

static int
add_tile_loops (GString    *text,
                int         indent,
                const Plan *plan,
                int         rows)
{
  add_line (text, indent, "for i2 in T.unroll(%d):", rows);
  add_line (text, indent + 1, "for j2 in T.unroll(%d):", plan->vectors);
  add_line (text, indent + 2, "for v in T.vectorized(%d):", plan->lanes);
  return indent + 3;
}

/* One tile: sums in an array that becomes registers, then C gets them. */
static void
add_tile (GString    *text,
          int         indent,
          const Plan *plan,
          int         rows,
          const char *first_row,
          const char *a_element)
{
  int columns = plan->vectors * plan->lanes;
  g_autofree char *acc = g_strdup_printf ("acc_1[i2 * %d + j2 * %d + v]", columns, plan->lanes);
  g_autofree char *c = g_strdup_printf ("C[%s + i2, j * %d + j2 * %d + v]", first_row, columns, plan->lanes);
  g_autofree char *b = plan->depth > 0 ? g_strdup_printf ("right_1[j * %d + k * %d + j2 * %d + v]", plan->depth * columns, columns, plan->lanes)
                                       : g_strdup_printf ("B[k, j * %d + j2 * %d + v]", columns, plan->lanes);

  add_line (text, indent, "acc = T.allocate([%d], \"float32\", \"local\")", rows * columns);
  add_line (text, indent, "acc_1 = T.Buffer((%d,), data=acc, scope=\"local\")", rows * columns);
  add_line (text, add_tile_loops (text, indent, plan, rows), "%s = T.float32(0)", acc);
  add_line (text, indent, "for k in range(%d):", plan->depth > 0 ? plan->depth : plan->n);
  add_line (text, add_tile_loops (text, indent + 1, plan, rows), "%s = %s + %s * %s", acc, acc, a_element, b);
  if (plan->depth > 0)
    add_line (text, add_tile_loops (text, indent, plan, rows), "%s = %s + %s", c, c, acc);
  else
    add_line (text, add_tile_loops (text, indent, plan, rows), "%s = %s", c, acc);
}

static void
add_plain (GString    *text,
           const Plan *plan)
{
  g_autofree char *first = g_strdup_printf ("i * %d", plan->rows);
  g_autofree char *element = g_strdup_printf ("A[%s + i2, k]", first);
  g_autofree char *rest = g_strdup_printf ("%d", plan->n / plan->rows * plan->rows);
  g_autofree char *rest_element = g_strdup_printf ("A[%s + i2, k]", rest);

  add_line (text, 2, "for j in range(%d):", plan->n / (plan->vectors * plan->lanes));
  add_line (text, 3, "for i in range(%d):", plan->n / plan->rows);
  add_tile (text, 4, plan, plan->rows, first, element);
  if (plan->n % plan->rows != 0)
    add_tile (text, 3, plan, plan->n % plan->rows, rest, rest_element);
}

static void
add_packing (GString    *text,
             const Plan *plan)
{
  int columns = plan->vectors * plan->lanes;

  add_line (text, 3, "for j in range(%d):", plan->n / columns);
  add_line (text, 4, "for k in range(%d):", plan->depth);
  add_line (text, 5, "for v in T.vectorized(%d):", columns);
  add_line (text, 6, "right_1[j * %d + k * %d + v] = B[s * %d + k, j * %d + v]", plan->depth * columns, columns, plan->depth, columns);
}

static void
add_blocked (GString    *text,
             const Plan *plan)
{
  int columns = plan->vectors * plan->lanes;
  int tiles = plan->n / plan->rows;
  g_autofree char *first = g_strdup_printf ("(o * %d + i) * %d", plan->block, plan->rows);
  g_autofree char *element = g_strdup_printf ("left_1[i * %d + k * %d + i2]", plan->depth * plan->rows, plan->rows);
  g_autofree char *rest = g_strdup_printf ("%d", tiles * plan->rows);
  g_autofree char *rest_element = g_strdup_printf ("A[%s + i2, s * %d + k]", rest, plan->depth);
  int left = plan->block * plan->rows * plan->depth;

  add_line (text, 2, "right = T.allocate([%d], \"float32\", \"global\")", plan->n * plan->depth);
  add_line (text, 2, "right_1 = T.Buffer((%d,), data=right)", plan->n * plan->depth);
  add_line (text, 2, "left = T.allocate([%d], \"float32\", \"global\")", left);
  add_line (text, 2, "left_1 = T.Buffer((%d,), data=left)", left);
  add_line (text, 2, "for i in range(%d):", plan->n);
  add_line (text, 3, "for j in range(%d):", plan->n);
  add_line (text, 4, "C[i, j] = T.float32(0)");
  add_line (text, 2, "for s in range(%d):", plan->n / plan->depth);
  add_packing (text, plan);
  add_line (text, 3, "for o in range(%d):", (tiles + plan->block - 1) / plan->block);
  add_line (text, 4, "for i in range(T.min(%d, %d - o * %d)):", plan->block, tiles, plan->block);
  add_line (text, 5, "for k in range(%d):", plan->depth);
  add_line (text, 6, "for i2 in T.unroll(%d):", plan->rows);
  add_line (text, 7, "%.*s] = A[%s + i2, s * %d + k]", (int) strlen (element) - 1, element, first, plan->depth);
  add_line (text, 4, "for j in range(%d):", plan->n / columns);
  add_line (text, 5, "for i in range(T.min(%d, %d - o * %d)):", plan->block, tiles, plan->block);
  add_tile (text, 6, plan, plan->rows, first, element);
  if (plan->n % plan->rows == 0)
    return;
  add_line (text, 3, "for j in range(%d):", plan->n / columns);
  add_tile (text, 4, plan, plan->n % plan->rows, rest, rest_element);
}

static char *
product_text (const Plan *plan)
{
  GString *text = g_string_new ("from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n");
  g_autofree char *buffer = g_strdup_printf ("T.Buffer((%d, %d), \"float32\")", plan->n, plan->n);

  add_line (text, 1, "def main(A: %s, B: %s, C: %s):", buffer, buffer, buffer);
  add_line (text, 2, "T.func_attr({\"tir.noalias\": T.bool(True)})");
  if (plan->depth > 0)
    add_blocked (text, plan);
  else
    add_plain (text, plan);
  return g_string_free (text, FALSE);
}

typedef struct {
  LsPackedFunc func;
  LsNDArray   *a, *b, *c;
  LsArg        args[3];
  int          n;
} Product;

static void
run_ours (gpointer data)
{
  Product *self = data;

  if (self->func (self->args, 3, NULL, NULL) != 0)
    g_error ("%s", ls_runtime_last_error ());
}

static void
run_blas (gpointer data)
{
  Product *self = data;

  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, self->n, self->n, self->n, 1, self->a->tensor.data, self->n,
               self->b->tensor.data, self->n, 0, self->c->tensor.data, self->n);
}

/* ---- a race --------------------------------------------------------------------- */

typedef struct {
  char       *name;
  LsBenchFunc run;
  gpointer    data;
  double      flops;            /* of one run */
  double      best;             /* GFLOP/s; 0: not run yet */
} Runner;

#define MAX_RUNNERS 16
#define TURN_FLOPS 4e8          /* one turn is about so long */

static void
take_turn (Runner *self)
{
  guint calls = (guint) MAX (1, TURN_FLOPS / self->flops);
  double start;

  self->run (self->data);
  start = cpu_ns ();
  for (guint i = 0; i < calls; i++)
    self->run (self->data);
  self->best = MAX (self->best, self->flops * calls / (cpu_ns () - start));
}

/* Each in turn, over and over, by the thread's CPU time: what disturbs the machine meets all of them alike, and the best
 * of many short turns is what is left without it.  All run on one thread. */
static void
race (Runner *runners,
      guint   n)
{
  const char *seconds = g_getenv ("LS_BENCH_SECONDS");
  double end = cpu_ns () + 1e9 * (seconds != NULL ? g_ascii_strtod (seconds, NULL) : 2.0) * n;

  while (runners[0].best == 0 || cpu_ns () < end)
    for (guint i = 0; i < n; i++)
      take_turn (&runners[i]);
}

static void
product_init (Product *self,
              int      n)
{
  gint64 shape[2] = { n, n };

  *self = (Product) { .n = n };
  self->a = ls_ndarray_new (2, shape, LS_DT_FLOAT32, NULL);
  self->b = ls_ndarray_new (2, shape, LS_DT_FLOAT32, NULL);
  self->c = ls_ndarray_new (2, shape, LS_DT_FLOAT32, NULL);
  ls_tensor_fill_random (&self->a->tensor, 1);
  ls_tensor_fill_random (&self->b->tensor, 2);
  for (int i = 0; i < 3; i++)
    self->args[i] = (LsArg) { LS_ARG_TENSOR, 0, { .v_tensor = i == 0 ? &self->a->tensor : i == 1 ? &self->b->tensor : &self->c->tensor } };
}

static void
product_clear (Product *self)
{
  ls_ndarray_unref (self->a);
  ls_ndarray_unref (self->b);
  ls_ndarray_unref (self->c);
}

/* Ours equals OpenBLAS's to 1e-5 of the largest element. */
static void
check_product (Product *self)
{
  g_autoptr (LsNDArray) mine = NULL;
  LsMismatch mismatch;

  run_ours (self);
  mine = ls_ndarray_copy (&self->c->tensor, NULL);
  run_blas (self);
  if (!ls_tensor_allclose (&mine->tensor, &self->c->tensor, 1e-5, 1e-5 * sqrt (self->n), &mismatch, NULL))
    g_error ("the product of %d is wrong by %g", self->n, mismatch.max_abs);
}

/* mm_relu after each step of the seeds' schedule. */
static void
bench_steps (const char *text,
             const char *steps)
{
  g_autoptr (LsModule) module = parse (text);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *previous = NULL;
  double first = 0;
  Product product;

  ls_schedule_apply_text (schedule, source, 0, diagnostics);
  g_assert (!ls_diagnostics_has_error (diagnostics));
  product_init (&product, 128);
  for (guint i = 0; i <= ls_schedule_get_n_steps (schedule); i++)
    {
      LsModule *version = ls_schedule_get_version (schedule, i)->module;
      g_autofree char *name = NULL;
      LsBenchResult result;
      g_autofree char *printed = NULL;
      g_autoptr (LsKernel) kernel = NULL;

      if (version == previous)
        continue;
      previous = version;
      printed = ls_script_print (version, NULL, NULL);
      kernel = build_text (printed);
      product.func = ls_kernel_get (kernel, "mm_relu");
      result = ls_bench_measure (run_ours, &product);
      first = first > 0 ? first : result.minimum;
      name = g_strdup_printf ("run %s", i > 0 ? ls_schedule_get_step (schedule, i - 1)->instruction->name : "mm_relu as it is");
      ls_bench_report (name, 0, result);
      printf ("    x%.2f\n", first / result.minimum);
    }
  product_clear (&product);
}

static LsModule *
read_module (const char *name)
{
  g_autofree char *file = g_strconcat (name, ".py", NULL);
  g_autofree char *text = ls_bench_sample (file);

  return parse (text);
}

/* The module of a sample after the sample's steps. (transfer full) */
static LsModule *
scheduled (LsModule   *module,
           const char *name)
{
  g_autofree char *file = g_strconcat (name, "_steps.py", NULL);
  g_autofree char *path = g_build_filename (g_getenv ("LS_SOURCE_ROOT"), "data", "samples", file, NULL);
  g_autofree char *chosen = ls_advice_steps_file (path, ls_advice_lanes ());
  g_autofree char *base = g_path_get_basename (chosen);
  g_autofree char *steps = ls_bench_sample (base);

  return apply_steps (module, steps);
}

/* ---- worked schedules ---------------------------------------------------------------- */

typedef struct {
  LsPackedFunc func;
  GPtrArray   *arrays;
  LsArg        args[8];
} Call;

static void
run_call (gpointer data)
{
  Call *self = data;

  if (self->func (self->args, (int) self->arrays->len, NULL, NULL) != 0)
    g_error ("%s", ls_runtime_last_error ());
}

static void
call_init (Call     *self,
           LsModule *module)
{
  LsPrimFunc *func = ls_array_at (module->functions, 0, LsPrimFunc);

  self->arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_ndarray_unref);
  for (guint i = 0; i < ls_array_n (func->params); i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      gint64 shape[8] = { 0 };
      LsNDArray *array;

      for (guint d = 0; d < ls_buffer_ndim (buffer); d++)
        ls_as_int (buffer->shape->items[d], &shape[d]);
      array = ls_ndarray_new ((int) ls_buffer_ndim (buffer), shape, LS_DT_FLOAT32, NULL);
      ls_tensor_fill_random (&array->tensor, i + 1);
      g_ptr_array_add (self->arrays, array);
      self->args[i] = (LsArg) { LS_ARG_TENSOR, 0, { .v_tensor = &array->tensor } };
    }
}

/* The best of what fits into a second of the thread's CPU time. */
static double
best_cpu_time (LsModule *module)
{
  g_autofree char *text = ls_script_print (module, NULL, NULL);
  g_autoptr (LsKernel) kernel = build_text (text);
  double best = INFINITY, spent = 0;
  Call call;

  call_init (&call, module);
  call.func = ls_kernel_get (kernel, ls_array_at (module->global_vars, 0, LsGlobalVar)->name_hint);
  for (guint i = 0; i < 2000 && (i == 0 || spent < 1e9); i++)
    {
      double start = cpu_ns ();

      run_call (&call);
      best = MIN (best, cpu_ns () - start);
      spent += cpu_ns () - start;
    }
  g_ptr_array_unref (call.arrays);
  return best;
}

/* Programs of data/samples as they are and after their steps. */
static void
bench_worked (void)
{
  static const char *const all[] = { "softmax", "layer_norm", "reduction", "conv2d" };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autoptr (LsModule) before = read_module (all[i]);
      g_autoptr (LsModule) after = scheduled (before, all[i]);
      double slow = best_cpu_time (before);
      double fast = best_cpu_time (after);
      g_autofree char *after_steps = g_strconcat (all[i], ", after its steps", NULL);

      ls_bench_note (all[i], slow, "ns", FALSE);
      ls_bench_note (after_steps, fast, "ns", FALSE);
      printf ("%-40s%9.3f ms -> %9.3f ms  x%.1f  no budget\n", all[i], slow / 1e6, fast / 1e6, slow / fast);
    }
}

/* ---- products ------------------------------------------------------------------------ */

static LsKernel *
build_module (LsModule *module)
{
  g_autofree char *text = ls_script_print (module, NULL, NULL);

  return build_text (text);
}

typedef struct {
  int       n;
  double    flops;
  Product   products[MAX_RUNNERS];
  LsKernel *kernels[MAX_RUNNERS];
  Runner    runners[MAX_RUNNERS];
  guint     n_runners;
} Contest;

static Runner *
enter (Contest    *self,
       char       *name,
       LsBenchFunc run)
{
  Runner *runner = &self->runners[self->n_runners];
  Product *product = &self->products[self->n_runners++];

  *runner = (Runner) { name, run, product, self->flops, 0 };
  product_init (product, self->n);
  return runner;
}

static void
enter_ours (Contest  *self,
            char     *name,
            LsKernel *kernel)
{
  Product *product = enter (self, name, run_ours)->data;

  self->kernels[self->n_runners - 1] = kernel;
  product->func = ls_kernel_get (kernel, "main");
  check_product (product);
}

/* The sample's own steps, and with LS_BENCH_STEPS those of the files that it lists. */
static void
enter_scheduled (Contest *self)
{
  const char *more = g_getenv ("LS_BENCH_STEPS");
  g_auto (GStrv) files = more != NULL ? g_strsplit (more, ":", MAX_RUNNERS - 4) : NULL;
  g_autofree char *sample = g_strdup_printf ("matmul_%d", self->n);
  g_autoptr (LsModule) module = read_module (sample);
  g_autoptr (LsModule) after = scheduled (module, sample);

  enter_ours (self, g_strdup_printf ("matmul %d, scheduled", self->n), build_module (after));
  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    {
      g_autofree char *steps = NULL;
      g_autoptr (LsModule) other = NULL;

      if (!g_file_get_contents (files[i], &steps, NULL, NULL))
        g_error ("%s cannot be read", files[i]);
      other = apply_steps (module, steps);
      enter_ours (self, g_path_get_basename (files[i]), build_module (other));
    }
}

/* A product scheduled by hand and one written out, against OpenBLAS and the peak. */
static void
bench_product (int n)
{
  gboolean wide = has_avx512 ();
  Plan plan = { n, wide ? 8 : 6, 2, wide ? 16 : 8, n >= 512 ? 256 : 0, 16 };
  g_autofree char *text = product_text (&plan);
  Contest *self = g_new0 (Contest, 1);
  double peak = 0;

  *self = (Contest) { .n = n, .flops = 2.0 * n * n * (double) n };
  if (has_peak ())
    enter (self, g_strdup ("FMA peak, one core"), run_peak)->flops = 2.0 * PEAK_ROUNDS * 12 * (wide ? 16 : 8);
  enter_scheduled (self);
  enter_ours (self, g_strdup_printf ("matmul %d, tile %dx%d%s", n, plan.rows, plan.vectors * plan.lanes, plan.depth > 0 ? ", blocked" : ""),
              build_text (text));
  enter (self, g_strdup_printf ("matmul %d, OpenBLAS (%s)", n, openblas_get_corename ()), run_blas);
  race (self->runners, self->n_runners);
  if (has_peak ())
    peak = self->runners[0].best;
  for (guint i = 0; i < self->n_runners; i++)
    {
      Runner *runner = &self->runners[i];

      ls_bench_rate (runner->name, runner->best, "GFLOP/s", runner->run == run_ours ? 0.9 * peak : 0);
      g_free (runner->name);
      product_clear (&self->products[i]);
      g_clear_pointer (&self->kernels[i], ls_kernel_free);
    }
  g_free (self);
}

/* OpenBLAS does not know every CPU; its core type can only be chosen before it starts. */
static void
bench_other_core (const char *program)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GSubprocess) child = NULL;

  if (!has_avx512 () || g_getenv ("OPENBLAS_CORETYPE") != NULL)
    return;
  g_subprocess_launcher_setenv (launcher, "OPENBLAS_CORETYPE", "SkylakeX", TRUE);
  child = g_subprocess_launcher_spawn (launcher, NULL, program, "--products", NULL);
  if (child != NULL)
    g_subprocess_wait (child, NULL, NULL);
}

static void
bench_products (void)
{
  static const int sizes[] = { 128, 512, 1024 };
  const char *only = g_getenv ("LS_BENCH_ONLY");

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    if (only == NULL || atoi (only) == sizes[i])
      bench_product (sizes[i]);
}

static void
close_all (void)
{
  ls_jit_free (jit);
  ls_target_free (target);
  ls_pool_shutdown ();
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *mm_relu = NULL;
  g_autofree char *steps = NULL;

  openblas_set_num_threads (1);
  jit = ls_jit_new (NULL);
  target = ls_target_parse ("llvm", NULL);
  ls_bench_head ();
  if (argc > 1 && strcmp (argv[1], "--products") == 0)
    {
      bench_products ();
      close_all ();
      return 0;
    }
  mm_relu = ls_bench_sample ("mm_relu.py");
  steps = ls_bench_sample ("mm_relu_steps.py");
  bench_building ("mm_relu", mm_relu, steps);
  if (g_getenv ("LS_BENCH_COUNT") != NULL)
    return 0;
  bench_steps (mm_relu, steps);
  bench_worked ();
  bench_products ();
  bench_other_core (argv[0]);
  close_all ();
  return 0;
}
