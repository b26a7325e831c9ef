/* mlir: logs that MLIR's mlir-opt writes, counted by the reader and by MLIR's own generic form. */
#include "engine/passlog/passlog.h"

#include <gio/gio.h>
#include <string.h>

#define MLIR_OPT "/usr/lib/llvm-19/bin/mlir-opt"

static const char PROGRAM[] =
  "func.func @mm(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {\n"
  "  linalg.matmul ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)\n  return\n}\n"
  "func.func @twice(%x: i32, %y: i32) -> i32 {\n"
  "  %p = arith.addi %x, %y : i32\n  %q = arith.addi %x, %y : i32\n  %dead = arith.muli %x, %x : i32\n  %r = arith.muli %p, %q : i32\n  return %r : i32\n}\n";

static const char LOWERING[] = "--pass-pipeline=builtin.module(func.func(convert-linalg-to-affine-loops,affine-loop-unroll{unroll-factor=2},lower-affine),convert-scf-to-cf)";

/* Runs mlir-opt on a program; its output or its errors. (transfer full) */
static char *
mlir_opt_on (const char *program,
             gboolean    errors,
             const char *first,
             const char *second,
             const char *third)
{
  const char *const arguments[] = { MLIR_OPT, "-", "-o", errors ? "/dev/null" : "-", "--mlir-disable-threading", first, second, third, NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  char *out = NULL, *err = NULL;

  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, program, NULL, &out, &err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  g_free (errors ? out : err);
  return errors ? err : out;
}

static char *
mlir_opt (gboolean    errors,
          const char *first,
          const char *second,
          const char *third)
{
  return mlir_opt_on (PROGRAM, errors, first, second, third);
}

static LsPassLog *
read_text (const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  LsPassLog *log = ls_pass_log_read (bytes, LS_PASS_LOG_AUTO, &error);

  g_assert_no_error (error);
  g_assert_cmpint (log->kind, ==, LS_PASS_LOG_MLIR);
  return log;
}

/* One of two equal additions goes and what used it changes; the dead multiplication goes: counted by hand. */
static void
check_cse (const char *scope)
{
  g_autofree char *text = mlir_opt (TRUE, "--pass-pipeline=builtin.module(func.func(cse))", "--mlir-print-ir-before-all", scope);
  g_autofree char *after = mlir_opt (TRUE, "--pass-pipeline=builtin.module(func.func(cse))", "--mlir-print-ir-after-all", scope);
  g_autofree char *both = g_strconcat (text, after, NULL);
  g_autoptr (LsPassLog) log = read_text (both);
  LsPassCounts sum = { 0 };
  guint n_after = 0;

  for (guint i = 0; i < log->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);
      LsPassCounts c;

      if (dump->kind != LS_PASS_DUMP_AFTER)
        continue;
      n_after++;
      g_assert_true (g_str_has_prefix (dump->pass, "CSE"));
      ls_pass_log_count (log, i, &c);
      sum.removed += c.removed;
      sum.rewritten += c.rewritten;
      sum.added += c.added + c.duplicated + c.moved;
    }
  g_assert_cmpuint (n_after, ==, 2);
  g_assert_cmpuint (sum.removed, ==, 2);
  g_assert_cmpuint (sum.rewritten, ==, 1);
  g_assert_cmpuint (sum.added, ==, 0);
  g_assert_cmpint (ls_pass_log_remover (log, "arith.addi"), ==, -1);
}

static void
test_cse (void)
{
  check_cse ("--mlir-print-ir-module-scope");
  check_cse ("--mlir-print-debuginfo");
}

/* How many operations the generic form of a text has: a line of each begins with its name in quotes or with results before it. */
static guint
count_generic (const char *text)
{
  g_autoptr (GRegex) regex = g_regex_new ("^ *(%[^=\\n]* = )?\"[a-z_]+\\.[a-z_.]+\"[(<]", G_REGEX_MULTILINE, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  guint n = 0;

  for (g_regex_match (regex, text, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    n++;
  return n;
}

/* The loops of the product as blocks and branches: as many operations as the generic form has, the module aside. */
static void
test_counts (void)
{
  g_autofree char *pretty = mlir_opt (TRUE, LOWERING, "--mlir-print-ir-after-all", "--mlir-print-ir-module-scope");
  g_autofree char *generic = mlir_opt (FALSE, LOWERING, "--mlir-print-op-generic", NULL);
  g_autoptr (LsPassLog) log = read_text (pretty);
  LsPassDump *last = &g_array_index (log->dumps, LsPassDump, log->dumps->len - 1);
  guint n = 0;

  g_assert_cmpuint (log->dumps->len, ==, 7);
  g_assert_true (g_str_has_prefix (last->pass, "SCFToControlFlow"));
  g_assert_cmpuint (last->n, ==, 2);
  for (guint i = last->first; i < last->first + last->n; i++)
    {
      g_autofree char *text = ls_pass_log_part_text (log, i);
      g_autofree char *old = ls_pass_log_part_text (log, g_array_index (log->parts, LsPassPart, i).before - 1);
      LsPassCounts all = { 0 };
      LsPassCounts c = { 0 };
      g_autoptr (GArray) against_nothing = ls_pass_diff ("", text, LS_PASS_LOG_MLIR, &all);
      g_autoptr (GArray) changes = ls_pass_diff (old, text, LS_PASS_LOG_MLIR, &c);

      n += all.added + all.duplicated;
      g_assert_cmpuint (c.same + c.added + c.duplicated + c.rewritten + c.moved, ==, all.added + all.duplicated);
    }
  g_assert_cmpuint (n, ==, count_generic (generic) - 1);
  g_assert_cmpuint (n, >, 30);
  g_assert_cmpint (ls_pass_log_remover (log, "scf.for"), ==, (int) log->dumps->len - 1);
  g_assert_cmpint (ls_pass_log_first (log, "affine.for", 0), ==, 0);
}

/* ---- pipelines of three dialects, each pass counted by hand ---- */

typedef struct {
  const char *pass;             /* the beginning of its name; of an AFTER dump */
  const char *unit;             /* the function */
  guint       added, removed, rewritten, moved, same;
} Step;

#define MOST_STEPS 4

static const struct {
  const char *name, *pipeline, *program, *goes, *comes;         /* a text that is gone in the end, and one that is new then */
  Step        steps[MOST_STEPS];
} PIPELINES[] = {
  /* Four rounds in one: three times apply, load, product, store.  Then a loop, constants for its bounds and steps, and memref's loads and stores instead. */
  { "affine", "affine-loop-unroll{unroll-factor=4},lower-affine",
    "func.func @scale(%a: memref<8xf32>) {\n  %two = arith.constant 2.0 : f32\n  affine.for %i = 0 to 8 {\n    %x = affine.load %a[%i] : memref<8xf32>\n"
    "    %y = arith.mulf %x, %two : f32\n    affine.store %y, %a[%i] : memref<8xf32>\n  }\n  return\n}\n",
    "affine.load", "memref.load",
    { { "AffineLoopUnroll", "scale", 12, 0, 1, 0, 6 }, { "ConvertAffineToStandard", "scale", 18, 12, 4, 0, 3 } } },
  /* Two element-wise operations become one with both products of their bodies; a third becomes a loop with a load and a store. */
  { "linalg", "linalg-fuse-elementwise-ops,convert-linalg-to-loops",
    "#id = affine_map<(d0) -> (d0)>\n"
    "func.func @both(%a: tensor<8xf32>, %b: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {\n"
    "  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = [\"parallel\"]} ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) {\n"
    "  ^bb0(%x: f32, %y: f32, %z: f32):\n    %s = arith.addf %x, %y : f32\n    linalg.yield %s : f32\n  } -> tensor<8xf32>\n"
    "  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\"]} ins(%0 : tensor<8xf32>) outs(%o : tensor<8xf32>) {\n"
    "  ^bb0(%x: f32, %z: f32):\n    %s = arith.mulf %x, %x : f32\n    linalg.yield %s : f32\n  } -> tensor<8xf32>\n  return %1 : tensor<8xf32>\n}\n"
    "func.func @loops(%a: memref<8xf32>, %b: memref<8xf32>) {\n"
    "  linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\"]} ins(%a : memref<8xf32>) outs(%b : memref<8xf32>) {\n"
    "  ^bb0(%x: f32, %z: f32):\n    %s = arith.mulf %x, %x : f32\n    linalg.yield %s : f32\n  }\n  return\n}\n",
    "outs(%arg1 : memref<8xf32>)", "memref.store",
    { { "LinalgElementwiseOpFusion", "both", 2, 3, 3, 0, 2 }, { "ConvertLinalgToLoops", "both", 0, 0, 0, 0, 0 }, { "LinalgElementwiseOpFusion", "loops", 0, 0, 0, 0, 0 },
      { "ConvertLinalgToLoops", "loops", 6, 2, 1, 0, 2 } } },
  /* A product leaves the loop; then blocks and branches. */
  { "scf", "loop-invariant-code-motion,convert-scf-to-cf",
    "func.func @sum(%a: memref<?xf32>, %n: index, %f: f32) -> f32 {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %zero = arith.constant 0.0 : f32\n"
    "  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {\n    %k = arith.mulf %f, %f : f32\n    %x = memref.load %a[%i] : memref<?xf32>\n"
    "    %y = arith.mulf %x, %k : f32\n    %t = arith.addf %s, %y : f32\n    scf.yield %t : f32\n  }\n  return %r : f32\n}\n",
    "scf.yield", "cf.cond_br",
    { { "LoopInvariantCodeMotion", "sum", 0, 0, 0, 1, 10 }, { "SCFToControlFlow", "sum", 5, 2, 3, 0, 6 } } },
};

static void
check_pipeline (gconstpointer data)
{
  guint which = GPOINTER_TO_UINT (data), n = 0;
  g_autofree char *pipeline = g_strdup_printf ("--pass-pipeline=builtin.module(func.func(%s))", PIPELINES[which].pipeline);
  g_autofree char *text = mlir_opt_on (PIPELINES[which].program, TRUE, pipeline, "--mlir-print-ir-before-all", "--mlir-print-ir-after-all");
  g_autoptr (LsPassLog) log = read_text (text);
  int first, gone;

  for (guint i = 0; i < log->dumps->len; i++)
    {
      LsPassDump *dump = &g_array_index (log->dumps, LsPassDump, i);
      const Step *step = &PIPELINES[which].steps[n];
      LsPassCounts c = { 0 };

      if (dump->kind != LS_PASS_DUMP_AFTER)
        continue;
      g_assert_cmpuint (n++, <, MOST_STEPS);
      g_assert_true (g_str_has_prefix (dump->pass, step->pass));
      g_assert_cmpstr (g_array_index (log->parts, LsPassPart, dump->first).name, ==, step->unit);
      if (dump->effective)
        ls_pass_log_count (log, i, &c);
      g_test_message ("%s: +%u -%u ~%u moved %u same %u", dump->pass, c.added + c.duplicated, c.removed, c.rewritten, c.moved, c.same);
      g_assert_cmpuint (c.added + c.duplicated, ==, step->added);
      g_assert_cmpuint (c.removed, ==, step->removed);
      g_assert_cmpuint (c.rewritten, ==, step->rewritten);
      g_assert_cmpuint (c.moved, ==, step->moved);
      g_assert_cmpuint (c.same, ==, step->same);
    }
  g_assert_true (n == MOST_STEPS || PIPELINES[which].steps[n].pass == NULL);
  gone = ls_pass_log_remover (log, PIPELINES[which].goes);
  first = ls_pass_log_first (log, PIPELINES[which].comes, 0);
  g_assert_cmpint (gone, ==, first);            /* the last pass takes the one and brings the other */
  g_assert_cmpint (gone, ==, (int) log->dumps->len - 1);
}

/* It is the product that left the loop, not the loop that went below it; and two of them are two. */
static void
test_hoisted (void)
{
  static const char BEFORE[] = "func.func @f(%a: f32, %n: index) {\n  %c = arith.constant 1 : index\n  scf.for %i = %c to %n step %c {\n    %k = arith.mulf %a, %a : f32\n"
                               "    %l = arith.addf %k, %a : f32\n    x.use %l, %i : f32\n  }\n  return\n}\n";
  static const char AFTER[] = "func.func @f(%a: f32, %n: index) {\n  %c = arith.constant 1 : index\n  %k = arith.mulf %a, %a : f32\n  %l = arith.addf %k, %a : f32\n"
                              "  scf.for %i = %c to %n step %c {\n    x.use %l, %i : f32\n  }\n  return\n}\n";
  static const char *const TEXTS[2] = { BEFORE, AFTER };

  for (guint i = 0; i < 2; i++)         /* out of the loop, and into it */
    {
      g_auto (GStrv) lines = g_strsplit (TEXTS[1 - i], "\n", -1);
      LsPassCounts c = { 0 };
      g_autoptr (GArray) changes = ls_pass_diff (TEXTS[i], TEXTS[1 - i], LS_PASS_LOG_MLIR, &c);

      g_assert_cmpuint (c.moved, ==, 2);
      g_assert_cmpuint (c.same, ==, 5);
      g_assert_cmpuint (c.added + c.duplicated + c.removed + c.rewritten, ==, 0);
      for (guint k = 0; k < changes->len; k++)
        {
          LsPassChange *change = &g_array_index (changes, LsPassChange, k);

          g_assert_true (change->kind != LS_PASS_MOVED || strstr (lines[change->b], "arith.") != NULL);
        }
    }
}

/* Names of the source against numbers of the printer, and locations: nothing changed. */
static void
test_renumbering (void)
{
  g_autofree char *printed = mlir_opt (FALSE, "--mlir-print-debuginfo", NULL, NULL);
  g_autofree char *plain = mlir_opt (FALSE, NULL, NULL, NULL);
  g_autofree char *wrapped = g_strconcat ("module {\n", PROGRAM, "}\n", NULL);
  LsPassCounts c = { 0 };
  g_autoptr (GArray) named = ls_pass_diff (wrapped, plain, LS_PASS_LOG_MLIR, &c);
  g_autoptr (GArray) located = NULL;

  g_assert_cmpuint (c.same, ==, 10);
  g_assert_cmpuint (c.added + c.duplicated + c.removed + c.rewritten + c.moved, ==, 0);
  c = (LsPassCounts) { 0 };
  g_assert_cmpstr (printed, !=, plain);
  located = ls_pass_diff (plain, printed, LS_PASS_LOG_MLIR, &c);
  g_assert_cmpuint (c.same, ==, 10);
  g_assert_cmpuint (c.added + c.duplicated + c.removed + c.rewritten + c.moved, ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passlog/mlir/cse", test_cse);
  g_test_add_func ("/passlog/mlir/counts", test_counts);
  g_test_add_func ("/passlog/mlir/renumbering", test_renumbering);
  g_test_add_func ("/passlog/mlir/hoisted", test_hoisted);
  for (guint i = 0; i < G_N_ELEMENTS (PIPELINES); i++)
    {
      g_autofree char *name = g_strconcat ("/passlog/mlir/", PIPELINES[i].name, NULL);

      g_test_add_data_func (name, GUINT_TO_POINTER (i), check_pipeline);
    }
  return g_test_run ();
}
