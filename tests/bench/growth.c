/* Benchmark of growth: the processor time of what is done to a whole program, for programs of 500, 1,000, ... 8,000 parts.
 *
 * A row has a time for each size and the exponent of its growth, fitted through the sizes from 1,000: 1 is linear, n log n is
 * about 1.1, 2 is quadratic.  Above 1.4 a row is marked.  Processor time, since other work on the machine is not of the program; the
 * least of several runs where they are short.  `scale` is about single steps of a schedule, this about passes, texts and code.
 *
 * LS_BENCH_MOST=N stops at N parts; LS_BENCH_ONLY=TEXT measures the rows that have TEXT in their name.
 */
#include "engine/arith/arith.h"
#include "engine/codegen/codegen.h"
#include "engine/codegen/vm-build.h"
#include "engine/relax/dpl/dpl.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define MARKED 1.4

static const guint SIZES[] = { 500, 1000, 2000, 4000, 8000 };
#define N_SIZES G_N_ELEMENTS (SIZES)

static gint64
processor_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

static guint
n_sizes (void)
{
  const char *most = g_getenv ("LS_BENCH_MOST");
  guint64 limit = most != NULL ? g_ascii_strtoull (most, NULL, 10) : SIZES[N_SIZES - 1];
  guint n = 0;

  while (n < N_SIZES && SIZES[n] <= limit)
    n++;
  return MAX (n, 1);
}

/* ---- programs -------------------------------------------------------------------------------- */

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("growth", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, diagnostics);

  if (module == NULL || ls_diagnostics_has_error (diagnostics))
    {
      g_autofree char *findings = ls_diagnostics_print (diagnostics);

      g_error ("%s", findings);
    }
  return module;
}

#define TIR_HEAD "# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"

/* A chain of blocks, each of a 4 x 4 array. */
static char *
blocks_text (guint n)
{
  GString *text = g_string_new (TIR_HEAD);

  g_string_append_printf (text, "    def main(T0: T.Buffer((4, 4), \"float32\"), T%u: T.Buffer((4, 4), \"float32\")):\n", n);
  for (guint i = 1; i < n; i++)
    g_string_append_printf (text, "        T%u = T.alloc_buffer((4, 4))\n", i);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text,
                            "        for i, j in T.grid(4, 4):\n            with T.block(\"S%u\"):\n"
                            "                vi, vj = T.axis.remap(\"SS\", [i, j])\n                T.reads(T%u[vi, vj])\n"
                            "                T.writes(T%u[vi, vj])\n                T%u[vi, vj] = T%u[vi, vj] + T.float32(1)\n", i, i, i + 1, i + 1, i);
  return g_string_free (text, FALSE);
}

/* Blocks that all change one array. */
static char *
one_buffer_text (guint n)
{
  GString *text = g_string_new (TIR_HEAD "    def main(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        for i in range(64):\n            with T.block(\"S%u\"):\n                v = T.axis.spatial(64, i)\n                A[v] = A[v] + B[v]\n", i);
  return g_string_free (text, FALSE);
}

/* Loops one behind the other over two arrays. */
static char *
loops_text (guint n)
{
  GString *text = g_string_new (TIR_HEAD "    def main(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        for i in range(64):\n            B[i] = A[i] * T.float32(%u) + B[i]\n", i % 100 + 1);
  return g_string_free (text, FALSE);
}

/* Stores with indices that no two of them share. */
static char *
stores_text (guint n)
{
  GString *text = g_string_new (TIR_HEAD "    def main(A: T.Buffer((100000,), \"int32\"), x: T.int32, y: T.int32):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        A[%u] = (x * %u + y) * (y + %u)\n", i, i + 2, i + 3);
  return g_string_free (text, FALSE);
}

/* Scalars that have each other's values. */
static char *
lets_text (guint n)
{
  GString *text = g_string_new (TIR_HEAD "    def main(A: T.Buffer((1,), \"int32\"), x0: T.int32):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        x%u: T.int32 = x%u + %u\n", i + 1, i, i % 7 + 1);
  g_string_append_printf (text, "        A[0] = x%u\n", n);
  return g_string_free (text, FALSE);
}

/* Each three times the one before: what it is of the first does not fit its type. */
static char *
products_text (guint n)
{
  GString *text = g_string_new (TIR_HEAD "    def main(A: T.Buffer((1,), \"int32\"), x0: T.int32):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        x%u: T.int32 = x%u * 3 + %u\n", i + 1, i, i % 7);
  g_string_append_printf (text, "        A[0] = x%u\n", n);
  return g_string_free (text, FALSE);
}

static char *
conditions_text (guint n)
{
  GString *text = g_string_new (TIR_HEAD "    def main(A: T.Buffer((64,), \"int32\"), x: T.int32):\n        for i in range(64):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "            if x < %u:\n                A[i] = A[i] + %u\n", i * 3, i);
  return g_string_free (text, FALSE);
}

static char *
relax_text (guint n)
{
  GString *text = g_string_new ("# from tvm.script import ir as I\n# from tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n"
                                "    def main(x: R.Tensor((4, 4), \"float32\")) -> R.Tensor((4, 4), \"float32\"):\n        with R.dataflow():\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "            lv%u: R.Tensor((4, 4), \"float32\") = R.%s(%s%.0u, x)\n", i + 1, i % 2 ? "add" : "multiply", i > 0 ? "lv" : "x", i);
  g_string_append_printf (text, "            gv: R.Tensor((4, 4), \"float32\") = R.nn.relu(lv%u)\n            R.output(gv)\n        return gv\n", n);
  return g_string_free (text, FALSE);
}

/* ---- what is measured -------------------------------------------------------------------------- */

typedef struct {
  guint           n;
  char           *text;
  LsModule       *module, *lowered;
  LsExpr         *expr;
  LsStmt         *stmt;
  LsPattern      *pattern;
  LsNode         *value;
  LsSchedule     *schedule;
} Subject;

static void
subject_clear (Subject *self)
{
  g_free (self->text);
  ls_unref (self->module);
  ls_unref (self->lowered);
  ls_unref (self->expr);
  ls_unref (self->stmt);
  ls_unref (self->pattern);
  ls_unref (self->value);
  g_clear_pointer (&self->schedule, ls_schedule_unref);
}

static void
make_blocks (Subject *self)
{
  self->text = blocks_text (self->n);
  self->module = parse (self->text);
}

static void
make_one_buffer (Subject *self)
{
  self->text = one_buffer_text (self->n);
  self->module = parse (self->text);
}

static void
make_loops (Subject *self)
{
  g_autoptr (GError) error = NULL;

  self->text = loops_text (self->n);
  self->module = parse (self->text);
  self->lowered = ls_lower_module (self->module, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
make_stores (Subject *self)
{
  self->text = stores_text (self->n);
  self->module = parse (self->text);
}

static void
make_lets (Subject *self)
{
  self->text = lets_text (self->n);
  self->module = parse (self->text);
}

static void
make_functions (Subject *self)
{
  GString *text = g_string_new ("# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n");

  for (guint i = 0; i < self->n; i++)
    g_string_append_printf (text, "    @T.prim_func\n    def f%u(A: T.Buffer((8,), \"float32\")):\n        for i in range(8):\n            A[i] = A[i] + T.float32(%u)\n\n", i, i);
  self->text = g_string_free (text, FALSE);
  self->module = parse (self->text);
}

static void
make_products (Subject *self)
{
  self->text = products_text (self->n);
  self->module = parse (self->text);
}

/* R.concat of tensors whose extents only a run knows. */
static void
make_concat (Subject *self)
{
  GString *text = g_string_new ("# from tvm.script import ir as I\n# from tvm.script import tir as T\n# from tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n"
                                "    @R.function\n    def main(");

  for (guint i = 0; i < self->n; i++)
    g_string_append_printf (text, "%sx%u: R.Tensor((\"n%u\", 4), \"float32\")", i > 0 ? ", " : "", i, i);
  g_string_append (text, "):\n        z = R.concat((");
  for (guint i = 0; i < self->n; i++)
    g_string_append_printf (text, "x%u, ", i);
  g_string_append (text, "), axis=0)\n        return z\n");
  self->text = g_string_free (text, FALSE);
  self->module = parse (self->text);
}

static void
make_conditions (Subject *self)
{
  self->text = conditions_text (self->n);
  self->module = parse (self->text);
}

static void
make_relax (Subject *self)
{
  self->text = relax_text (self->n);
  self->module = parse (self->text);
}

/* A loop in a loop in a loop is no use here: one behind the other, all of one name. */
static void
make_names (Subject *self)
{
  g_autoptr (LsBuffer) buffer = ls_buffer_new ("A", LS_INT32, ls_array_of (ls_int (64), NULL), NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();

  for (guint i = 0; i < self->n; i++)
    {
      LsVar *var = ls_var_new ("x", LS_INT32);
      LsStmt *store = ls_buffer_store_new (ls_ref (buffer), LS_EXPR (ls_ref (var)), ls_array_of (ls_int (0), NULL), NULL);

      g_ptr_array_add (all, ls_let_stmt_new (var, ls_int ((gint64) i), store));
    }
  /* nested: all names are there at once */
  self->stmt = all->pdata[self->n - 1];
  for (guint i = self->n - 1; i-- > 0;)
    {
      LsLetStmt *let = all->pdata[i];
      LsStmt *seq = ls_seq (ls_array_of (ls_ref (let->body), self->stmt, NULL));

      self->stmt = ls_let_stmt_new (ls_ref (let->var), ls_ref (let->value), seq);
      ls_unref (let);
    }
}

static void
make_sum (Subject *self)
{
  self->expr = ls_int (0);
  for (guint i = 0; i < self->n; i++)
    {
      g_autofree char *name = g_strdup_printf ("x%u", i);

      self->expr = ls_add (self->expr, LS_EXPR (ls_var_new (name, LS_INT32)));
    }
}

/* Of eight variables, again and again. */
static void
make_product (Subject *self)
{
  LsVar *vars[8];

  for (guint i = 0; i < G_N_ELEMENTS (vars); i++)
    vars[i] = ls_var_new ("x", LS_INT32);
  self->expr = ls_int (1);
  for (guint i = 0; i < self->n; i++)
    self->expr = ls_mul (self->expr, ls_ref (LS_EXPR (vars[i % 8])));
  for (guint i = 0; i < G_N_ELEMENTS (vars); i++)
    ls_unref (vars[i]);
}

static void
run_parse (Subject *self)
{
  ls_unref (parse (self->text));
}

static void
run_print (Subject *self)
{
  g_free (ls_script_print (self->module != NULL ? LS_NODE (self->module) : self->stmt != NULL ? LS_NODE (self->stmt) : LS_NODE (self->expr), NULL, NULL));
}

static void
run_simplify (Subject *self)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();

  ls_unref (ls_analyzer_simplify (analyzer, self->expr));
}

static void
run_open (Subject *self)
{
  ls_schedule_unref (ls_schedule_new (self->module));
}

static void
run_lower (Subject *self)
{
  g_autoptr (GError) error = NULL;

  ls_unref (ls_lower_module (self->module, NULL, NULL, &error));
  g_assert_no_error (error);
}

static void
run_pass (Subject    *self,
          const char *name)
{
  g_autoptr (GError) error = NULL;

  ls_unref (ls_pass_run_module (ls_pass_get (name), self->module, &error));
  g_assert_no_error (error);
}

static void
run_build (Subject *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTarget) target = ls_target_parse ("llvm", &error);
  g_autoptr (LsVMExecutable) executable = NULL;

  g_assert_no_error (error);
  executable = ls_vm_build (self->module, target, NULL, &error);
  g_assert_no_error (error);
}

static void
run_cse (Subject *self)
{
  run_pass (self, "CommonSubexprElimTIR");
}

static void
run_simplify_pass (Subject *self)
{
  run_pass (self, "Simplify");
}

static void
run_storage (Subject *self)
{
  g_autoptr (LsModule) lowered = NULL;
  g_autoptr (GError) error = NULL;

  lowered = ls_lower_module (self->module, NULL, NULL, &error);
  g_assert_no_error (error);
  ls_unref (ls_pass_run_module (ls_pass_get ("StorageRewrite"), lowered, &error));
  g_assert_no_error (error);
}

static void
compile (Subject    *self,
         const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTarget) target = ls_target_parse (text, &error);
  g_autoptr (LsObject) object = NULL;

  g_assert_no_error (error);
  object = ls_codegen_compile (self->lowered, NULL, target, NULL, &error);
  g_assert_no_error (error);
}

static void
run_compile (Subject *self)
{
  compile (self, "llvm");
}

static void
run_compile_3 (Subject *self)
{
  compile (self, "llvm -opt-level=3");
}

/* add (add (... add (x, x) ..., x), x), which is n deep, and a pattern of this form that asks for a constant at its end. */
static void
make_deep (Subject *self)
{
  g_autoptr (LsNode) x = LS_NODE (ls_relax_var_new ("x", ls_object_struct_info_new ()));

  self->pattern = ls_constant_pattern_new ();
  self->value = ls_ref (x);
  for (guint i = 0; i < self->n; i++)
    {
      self->pattern = ls_call_pattern_new (ls_op_pattern_new ("relax.add"), ls_array_of (self->pattern, ls_wildcard_new (), NULL), FALSE);
      self->value = ls_relax_call_new (ls_relax_op_new ("relax.add"), ls_array_of (self->value, ls_ref (x), NULL), ls_array_empty (), ls_array_empty (),
                                       ls_array_empty ());
    }
}

static void
run_match (Subject *self)
{
  g_autoptr (LsPatternMatch) match = ls_pattern_match (self->pattern, self->value, NULL);

  g_assert_null (match);
}

/* The same with a choice at each level, whose alternatives share what is below them. */
static void
make_choices (Subject *self)
{
  g_autoptr (LsNode) x = LS_NODE (ls_relax_var_new ("x", ls_object_struct_info_new ()));

  self->pattern = ls_constant_pattern_new ();
  self->value = ls_ref (x);
  for (guint i = 0; i < self->n; i++)
    {
      LsPattern *first = ls_call_pattern_new (ls_op_pattern_new ("relax.add"), ls_array_of (ls_ref (self->pattern), ls_wildcard_new (), NULL), FALSE);
      LsPattern *second = ls_call_pattern_new (ls_op_pattern_new ("relax.add"), ls_array_of (self->pattern, ls_wildcard_new (), NULL), FALSE);

      self->pattern = ls_pair_pattern_new (LS_KIND_OR_PATTERN, first, second);
      self->value = ls_relax_call_new (ls_relax_op_new ("relax.add"), ls_array_of (self->value, ls_ref (x), NULL), ls_array_empty (), ls_array_empty (),
                                       ls_array_empty ());
    }
}

static void
make_sum_text (Subject *self)
{
  GString *text = g_string_new ("# from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((64,), \"int32\"), B: T.Buffer((1,), \"int32\")):\n    B[0] = A[0]");

  for (guint i = 0; i < self->n; i++)
    g_string_append_printf (text, " + A[%u]", i % 64);
  self->text = g_string_free (g_string_append_c (text, '\n'), FALSE);
}

/* Selects in one another, each of which knows more. */
static void
make_selects (Subject *self)
{
  LsExpr *expr = LS_EXPR (ls_var_new ("y", LS_INT32));

  for (guint i = 0; i < self->n; i++)
    {
      LsExpr *x = LS_EXPR (ls_var_new ("x", LS_INT32));

      expr = ls_select_new (ls_lt (x, ls_const_int (LS_INT32, i)), ls_add (ls_ref (x), ls_const_int (LS_INT32, 1)), expr);
    }
  self->expr = expr;
}

/* A step that is refused, with its sentence, on a schedule that is open. */
static void
make_schedule (Subject *self)
{
  make_blocks (self);
  self->schedule = ls_schedule_new (self->module);
}

static void
run_refused (Subject *self)
{
  g_autoptr (LsSource) source = ls_source_new ("steps", "b = sch.get_block(\"S3\")\nl = sch.get_loops(b)\nsch.fuse(l[1], l[0])\n", -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  ls_schedule_apply_text (self->schedule, source, 0, findings);
  g_assert_true (ls_diagnostics_has_error (findings));
}

typedef struct {
  const char *name;
  void (*make) (Subject *self);
  void (*run) (Subject *self);
} Row;

static const Row ROWS[] = {
  { "parse n blocks", make_blocks, run_parse },
  { "print n blocks", make_blocks, run_print },
  { "open a schedule of n blocks", make_blocks, run_open },
  { "open a schedule of n blocks of one buffer", make_one_buffer, run_open },
  { "lower n blocks", make_blocks, run_lower },
  { "StorageRewrite of n blocks", make_blocks, run_storage },
  { "lower n conditions", make_conditions, run_lower },
  { "lower n stores", make_stores, run_lower },
  { "lower n functions", make_functions, run_lower },
  { "Simplify n stores", make_stores, run_simplify_pass },
  { "common subexpressions of n stores", make_stores, run_cse },
  { "parse n scalars", make_lets, run_parse },
  { "print n scalars", make_lets, run_print },
  { "lower n scalars", make_lets, run_lower },
  { "Simplify n scalars, times 3", make_products, run_simplify_pass },
  { "common subexpressions of n scalars", make_products, run_cse },
  { "build a concat of n tensors", make_concat, run_build },
  { "print n equal names", make_names, run_print },
  { "print a sum of n", make_sum, run_print },
  { "simplify a sum of n", make_sum, run_simplify },
  { "simplify a product of n", make_product, run_simplify },
  { "simplify n Selects in one another", make_selects, run_simplify },
  { "parse a sum of n", make_sum_text, run_parse },
  { "parse n bindings", make_relax, run_parse },
  { "print n bindings", make_relax, run_print },
  { "match a pattern n deep", make_deep, run_match },
  { "match choices n deep", make_choices, run_match },
  { "refuse a step among n blocks", make_schedule, run_refused },
  { "compile n loops", make_loops, run_compile },
  { "compile n loops, O3", make_loops, run_compile_3 },
};

static double
measure (const Row *row,
         guint      n)
{
  Subject subject = { .n = n };
  gint64 best = G_MAXINT64, total = 0;

  row->make (&subject);
  for (guint i = 0; i == 0 || total < (i < 5 ? 200000000 : 20000000); i++)      /* of what is short many: pages are new to the first ones */
    {
      gint64 start = processor_now (), took;

      row->run (&subject);
      took = processor_now () - start;
      total += took;
      best = MIN (best, took);
    }
  subject_clear (&subject);
  return (double) best;
}

/* The slope of the line through the logarithms of sizes and times, by least squares; without the first size, which the caches hold whole,
 * where there are three more. */
static double
fitted (const double *times,
        guint         n)
{
  guint first = n > 3 ? 1 : 0;
  double x = 0, y = 0, xx = 0, xy = 0, m = n - first;

  for (guint i = first; i < n; i++)
    {
      double a = log ((double) SIZES[i]), b = log (times[i]);

      x += a;
      y += b;
      xx += a * a;
      xy += a * b;
    }
  return m > 1 ? (m * xy - x * y) / (m * xx - x * x) : 0;
}

static void
print_row (const char *name,
           double     *times,
           guint       n)
{
  double exponent = fitted (times, n);

  printf ("%-36s", name);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *full = g_strdup_printf ("%s, %u", name, SIZES[i]);

      printf (" %9.2f", times[i] / 1e6);
      ls_bench_note (full, times[i], "ns", FALSE);
    }
  printf ("   %.2f%s\n", exponent, exponent > MARKED ? "  GROWS" : "");
  fflush (stdout);
}

int
main (void)
{
  const char *only = g_getenv ("LS_BENCH_ONLY");
  guint n = n_sizes ();

  ls_bench_head ();
  printf ("%-36s", "processor time in ms, n =");
  for (guint i = 0; i < n; i++)
    printf (" %9u", SIZES[i]);
  printf ("   exponent\n");
  for (guint r = 0; r < G_N_ELEMENTS (ROWS); r++)
    {
      double times[N_SIZES];

      if (only != NULL && strstr (ROWS[r].name, only) == NULL)
        continue;
      for (guint i = 0; i < n; i++)
        times[i] = measure (&ROWS[r], SIZES[i]);
      print_row (ROWS[r].name, times, n);
    }
  return 0;
}
