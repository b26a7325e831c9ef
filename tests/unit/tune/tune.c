/* tune: the model learns what it is told, the search finds what is fast, lines of the database are read back. */
#include "engine/tune/tune.h"

#include "engine/schedule/space/space.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

#define MATMUL                                                                                                         \
  "# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"               \
  "    @T.prim_func\n    def main(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), \"float32\"), "            \
  "C: T.Buffer((64, 64), \"float32\")):\n        for i, j, k in T.grid(64, 64, 64):\n            with T.block(\"C\"):\n" \
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n                with T.init():\n"                    \
  "                    C[vi, vj] = T.float32(0)\n                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n"

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("tune", text, -1);
  LsModule *module = ls_script_parse (source, NULL);

  g_assert_nonnull (module);
  return module;
}

static void
test_model (void)
{
  g_autoptr (LsTuneModel) model = ls_tune_model_new (LS_TUNE_MODEL_RIDGE);
  double x[LS_TUNE_N_FEATURES] = { 0 };

  g_assert_true (isnan (ls_tune_model_predict (model, x)));
  for (guint i = 0; i < 40; i++)
    {
      x[0] = i % 8;
      x[5] = i % 5;
      ls_tune_model_learn (model, x, exp (-10 + 0.5 * x[0] - 0.2 * x[5]));
    }
  x[0] = 3;
  x[5] = 2;
  g_assert_cmpfloat (fabs (ls_tune_model_predict (model, x) - (-10 + 1.5 - 0.4)), <, 0.1);
}

/* A program with counts that none had so far is not believed to be faster than all that were measured where it is expected to be much slower;
 * and what is measured corrects what was expected. */
static void
test_corrects_what_is_expected (void)
{
  g_autoptr (LsTuneModel) model = ls_tune_model_new (LS_TUNE_MODEL_RIDGE);
  double x[LS_TUNE_N_FEATURES] = { 0 }, fastest, strange;

  for (guint i = 0; i < 12; i++)
    {
      x[0] = i % 4;
      x[5] = i % 3;
      x[LS_TUNE_EXPECTED] = -7 + 0.1 * i;
      ls_tune_model_learn (model, x, exp (x[LS_TUNE_EXPECTED] + 0.7 - 0.4 * x[0]));
    }
  x[0] = 3;
  x[LS_TUNE_EXPECTED] = -7;
  fastest = ls_tune_model_predict (model, x);
  x[0] = 6;
  x[LS_TUNE_EXPECTED] = -3;
  strange = ls_tune_model_predict (model, x);
  g_assert_cmpfloat (strange, >, fastest + 1);
  x[0] = 0;
  x[LS_TUNE_EXPECTED] = -7;
  g_assert_cmpfloat (ls_tune_model_predict (model, x), >, fastest + 0.4);
  g_assert_cmpfloat (fabs (ls_tune_model_predict (model, x) - (-7 + 0.7)), <, 0.5);
}

/* Clocks measure nothing at all now and then; what is learned stays a number, and is not thrown far off. */
static void
test_time_of_zero (void)
{
  for (guint zeros = 0; zeros <= 3; zeros++)
    {
      g_autoptr (LsTuneModel) model = ls_tune_model_new (LS_TUNE_MODEL_RIDGE);
      double x[LS_TUNE_N_FEATURES] = { 0 }, small, large;

      for (guint i = 0; i < 40; i++)
        {
          x[0] = i % 8;
          ls_tune_model_learn (model, x, i % 8 == 0 && i / 8 < zeros ? 0.0 : exp (-10 + 0.5 * x[0]));
        }
      ls_tune_model_learn (model, x, NAN);
      ls_tune_model_learn (model, x, INFINITY);
      ls_tune_model_learn (model, x, -1);
      x[0] = 2;
      small = ls_tune_model_predict (model, x);
      x[0] = 6;
      large = ls_tune_model_predict (model, x);
      g_assert_true (isfinite (small) && isfinite (large));
      g_assert_cmpfloat (small, <, large);
      g_assert_cmpfloat (fabs (small - (-10 + 0.5 * 2)), <, 0.2 + 1.5 * zeros);
    }
}

static LsTuner *
tuner_for (LsModule        *module,
           LsTuneStrategy   strategy,
           LsTuneModelKind  model)
{
  LsTunerOptions options = { .strategy = strategy, .model = model, .seed = 1, .batch = 8, .population = 24, .generations = 2, .max_jobs = 16, .postprocs = TRUE };
  LsSpaceOptions space = { .n_cores = 1 };
  g_autoptr (GPtrArray) designs = ls_space_designs (module, &space, 1);
  LsTuner *tuner = ls_tuner_new (module, &options);

  g_assert_cmpuint (designs->len, ==, 3);
  for (guint i = 0; i < designs->len; i++)
    {
      g_autoptr (LsTrace) trace = ls_trace_of (designs->pdata[i]);

      ls_tuner_add_design (tuner, trace);
    }
  return tuner;
}

/* N functions, each the product of two vectors: three designs by rule of rfactor alone. */
static LsModule *
parse_products (guint n)
{
  GString *text = g_string_new ("# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n");
  LsModule *module;

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "    @T.prim_func\n    def f%u(A: T.Buffer((4096,), \"float32\"), B: T.Buffer((1,), \"float32\")):\n"
                            "        for i, k in T.grid(1, 4096):\n            with T.block(\"B\"):\n                vi, vk = T.axis.remap(\"SR\", [i, k])\n"
                            "                with T.init():\n                    B[vi] = T.float32(0)\n                B[vi] = B[vi] + A[vk]\n", i);
  module = parse (text->str);
  g_string_free (text, TRUE);
  return module;
}

/* A function among many has as many designs as alone; all of them together have no more than are of use, and not all the same. */
static void
test_many_functions (void)
{
  g_autoptr (LsModule) one = parse_products (1), many = parse_products (10);
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) alone = ls_space_designs (one, &(LsSpaceOptions) { .n_cores = 1 }, 1);
  g_autoptr (GPtrArray) among = ls_space_designs (many, &(LsSpaceOptions) { .n_cores = 1, .func = "f7" }, 1);
  g_autoptr (GPtrArray) all = ls_space_designs (many, &(LsSpaceOptions) { .n_cores = 1 }, 1);

  g_assert_cmpuint (alone->len, >=, 3);
  g_assert_cmpuint (among->len, ==, alone->len);
  g_assert_cmpuint (all->len, >, 100);
  g_assert_cmpuint (all->len, <=, LS_SPACE_MOST_DESIGNS);
  for (guint i = 0; i < all->len; i++)
    g_hash_table_add (texts, ls_script_print (ls_schedule_get_module (all->pdata[i]), NULL, NULL));
  g_assert_cmpuint (g_hash_table_size (texts), >, all->len / 2);
}

/* A time that can be learned: it falls with the vector loops and grows with the rounds. */
static double
made_up_time (LsTuneCandidate *candidate)
{
  double features[LS_TUNE_N_FEATURES];

  ls_tune_features (ls_schedule_get_module (candidate->schedule), features);
  return exp2 (features[5] - features[1] - 20);
}

static double
search (LsModule       *module,
        LsTuneStrategy  strategy,
        guint           n)
{
  g_autoptr (LsTuner) tuner = tuner_for (module, strategy, LS_TUNE_MODEL_XGB);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n; i++)
    {
      LsTuneCandidate *candidate = ls_tuner_next (tuner, 0);

      g_assert_nonnull (candidate);
      g_assert_true (g_hash_table_add (seen, candidate->text));
      ls_tuner_report (tuner, candidate, made_up_time (candidate), NULL);
    }
  return ls_tuner_get_best (tuner)->seconds;
}

static void
test_search (void)
{
  g_autoptr (LsModule) module = parse (MATMUL);

  g_assert_cmpfloat (search (module, LS_TUNE_EVOLUTIONARY, 32), <=, search (module, LS_TUNE_RANDOM, 32));
}

static double
mean_expected (LsModule        *module,
               LsTuneModelKind  model,
               guint            n)
{
  g_autoptr (LsTuner) tuner = tuner_for (module, LS_TUNE_EVOLUTIONARY, model);
  double sum = 0;

  for (guint i = 0; i < n; i++)
    {
      LsTuneCandidate *candidate = ls_tuner_next (tuner, 0);

      g_assert_nonnull (candidate);
      g_assert_true (isnan (candidate->predicted));
      sum += log (ls_tune_expected_seconds (ls_schedule_get_module (candidate->schedule))) / n;
      ls_tuner_report (tuner, candidate, i % 2 == 0 ? 1e-3 : -1, i % 2 == 0 ? NULL : "refused");
    }
  return sum;
}

/* The first programs are those that are expected to be fast, where a model is wanted; where some of them cannot be measured chance gives more. */
static void
test_expected (void)
{
  g_autoptr (LsModule) module = parse (MATMUL);
  double chosen = mean_expected (module, LS_TUNE_MODEL_RIDGE, 8), chance = mean_expected (module, LS_TUNE_MODEL_NONE, 8);

  g_assert_cmpfloat (chosen, <, chance - log (2));
}

/* What vectors, registers and cores make of a product is expected; of a size that is no number, or threads of a GPU, nothing is. */
static void
test_expects (void)
{
  g_autoptr (LsModule) module = parse (MATMUL);
  g_autoptr (LsModule) threads = parse ("@T.prim_func\ndef f(A: T.Buffer((64,))):\n    for i in T.thread_binding(64, \"threadIdx.x\"):\n        A[i] = A[i] + T.float32(1)\n");
  g_autoptr (LsModule) symbolic = parse ("@T.prim_func\ndef f(a: T.handle):\n    n = T.int32()\n    A = T.match_buffer(a, (n,))\n    for i in range(n):\n        A[i] = A[i] + T.float32(1)\n");
  g_autoptr (LsTuner) tuner = tuner_for (module, LS_TUNE_RANDOM, LS_TUNE_MODEL_NONE);
  double plain = ls_tune_expected_seconds (module), best = plain;

  g_assert_true (isnan (ls_tune_expected_seconds (threads)));
  g_assert_true (isnan (ls_tune_expected_seconds (symbolic)));
  for (guint i = 0; i < 40; i++)
    best = fmin (best, ls_tune_expected_seconds (ls_schedule_get_module (ls_tuner_next (tuner, 0)->schedule)));
  g_assert_cmpfloat (best, <, plain / 4);
}

static void
test_bounds (void)
{
  g_autoptr (LsModule) module = parse (MATMUL);
  g_autoptr (LsTuner) tuner = tuner_for (module, LS_TUNE_RANDOM, LS_TUNE_MODEL_XGB);
  LsTuneCandidate *first = ls_tuner_next (tuner, 2);

  g_assert_nonnull (first);
  ls_tuner_report (tuner, first, -1, "it crashed");
  g_assert_nonnull (ls_tuner_next (tuner, 2));
  g_assert_null (ls_tuner_next (tuner, 2));
  g_assert_null (ls_tuner_get_best (tuner));
}

/* A space of a few programs: each is one trial, and drawing it again is none. */
static void
test_again (void)
{
  g_autoptr (LsModule) module = parse (MATMUL);
  LsTunerOptions options = { .strategy = LS_TUNE_RANDOM, .seed = 1, .batch = 8, .population = 24, .generations = 2, .max_jobs = 16 };
  g_autoptr (LsTuner) tuner = ls_tuner_new (module, &options);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsSource) lines = ls_source_new ("steps", "b = sch.get_block(\"C\", func_name=\"main\")\ni, j, k = sch.get_loops(b)\n"
                                              "f = sch.sample_categorical([2, 4, 8], [0.4, 0.3, 0.3])\nj0, j1 = sch.split(j, factors=[None, f])\n", -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsTrace) design = NULL;

  ls_schedule_apply_text (schedule, lines, 0, findings);
  g_assert_false (ls_diagnostics_has_error (findings));
  design = ls_trace_of (schedule);
  ls_tuner_add_design (tuner, design);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_nonnull (ls_tuner_next (tuner, 100));
      g_assert_cmpuint (ls_tuner_get_n_trials (tuner), ==, i + 1);
    }
  g_assert_null (ls_tuner_next (tuner, 100));
  g_assert_cmpuint (ls_tuner_get_n_trials (tuner), ==, 3);
}

/* The window refuses steps that change an order, which is decided anew for every step: a search of hundreds of programs took minutes that way. */
static void
test_not_strict (void)
{
  g_autoptr (LsModule) module = parse (MATMUL);
  g_autoptr (LsTuner) tuner = NULL;

  ls_schedule_set_strict_default (TRUE);
  tuner = tuner_for (module, LS_TUNE_EVOLUTIONARY, LS_TUNE_MODEL_XGB);
  for (guint i = 0; i < 12; i++)
    {
      LsTuneCandidate *candidate = ls_tuner_next (tuner, 0);

      g_assert_false (ls_schedule_is_strict (candidate->schedule));
      ls_tuner_report (tuner, candidate, made_up_time (candidate), NULL);
    }
  ls_schedule_set_strict_default (FALSE);
}

static void
test_remember (void)
{
  g_autoptr (LsModule) module = parse (MATMUL);
  g_autoptr (LsTuner) first = tuner_for (module, LS_TUNE_RANDOM, LS_TUNE_MODEL_XGB);
  g_autoptr (LsTuner) second = tuner_for (module, LS_TUNE_RANDOM, LS_TUNE_MODEL_XGB);
  LsTuneCandidate *known = ls_tuner_next (first, 0);
  LsTuneCandidate *other;

  g_assert_true (ls_tuner_remember (second, known->trace, 1e-3));
  other = ls_tuner_next (second, 0);
  g_assert_cmpstr (other->text, !=, known->text);
  g_assert_cmpfloat (ls_tuner_get_best (second)->seconds, ==, 1e-3);
}

/* What the features of statements are for: the same loops with the vectors along the rows or across them, with a tile in registers or without. */
static void
test_store_features (void)
{
  static const char *const ways[] = {
    "b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\nsch.reorder(i, k, j)\nsch.vectorize(j)\n",
    "b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\nsch.reorder(j, k, i)\nsch.vectorize(i)\n",
    "b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\ni0, i1 = sch.split(i, [16, 4])\nsch.reorder(i0, k, i1, j)\nsch.unroll(i1)\nsch.vectorize(j)\nsch.parallel(i0)\n",
  };
  double features[G_N_ELEMENTS (ways)][LS_TUNE_N_STORE_FEATURES];

  for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
    {
      g_autoptr (LsModule) module = parse (MATMUL);
      g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
      g_autoptr (LsSource) source = ls_source_new ("steps", ways[w], -1);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

      ls_schedule_apply_text (schedule, source, 0, findings);
      g_assert_false (ls_diagnostics_has_error (findings));
      ls_tune_store_features ((LsPrimFunc *) ls_schedule_get_module (schedule)->functions->items[0], features[w]);
      g_assert_cmpfloat_with_epsilon (features[w][0], log2 (65), 1e-9);
      g_assert_cmpfloat_with_epsilon (features[w][1] + features[w][2] + features[w][3], 1, 1e-9);
    }
  /* B and C go along j by one element, A and C along i by a row. */
  g_assert_cmpfloat (features[0][1], >, 0.5);
  g_assert_cmpfloat (features[0][3], ==, 0);
  g_assert_cmpfloat (features[1][1], ==, 0);
  g_assert_cmpfloat (features[1][3], >, 0.5);
  /* Four rows in registers. */
  g_assert_cmpfloat_with_epsilon (features[2][5], log2 (5), 1e-9);
  g_assert_cmpfloat_with_epsilon (features[0][4], log2 (65), 1e-9);
  g_assert_cmpfloat_with_epsilon (features[2][4], log2 (257), 1e-9);
  /* The whole product: 2 * 64^3 operations; A, B and C with 4 bytes, C read and written. */
  g_assert_cmpfloat_with_epsilon (features[0][12], log2 (1 + 2.0 * 64 * 64 * 64 / (4 * 4 * 64 * 64)), 1e-9);
  g_assert_cmpfloat_with_epsilon (features[2][8], log2 (17), 1e-9);
}

static void
test_lines (void)
{
  g_autoptr (LsModule) module = parse (MATMUL);
  g_autoptr (LsTuner) tuner = tuner_for (module, LS_TUNE_RANDOM, LS_TUNE_MODEL_XGB);
  LsTuneCandidate *candidate = ls_tuner_next (tuner, 0);
  g_autofree char *workload = ls_tune_workload_line (module);
  g_autoptr (LsModule) again = ls_tune_workload_read (workload, NULL);
  double seconds[2] = { 0.5, 0.25 };
  g_autofree char *line = ls_tune_record_line (0, module, candidate->trace, seconds, 2, "{\"kind\": \"llvm\"}");
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  g_assert_true (ls_structural_equal (again, module, FALSE, NULL, NULL));
  g_assert_true (g_str_has_prefix (line, "[0, [[[[\"GetBlock\", [], [\"C\", \"main\"], [\"b0\"]]"));
  g_assert_true (g_str_has_suffix (line, "[0.5, 0.25], {\"kind\": \"llvm\"}, [[\"TENSOR\", \"float32\", [64, 64]], "
                                         "[\"TENSOR\", \"float32\", [64, 64]], [\"TENSOR\", \"float32\", [64, 64]]]]]"));
  g_assert_null (ls_tune_workload_read ("nothing", findings));
  g_assert_true (ls_diagnostics_has_error (findings));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tune/expected", test_expected);
  g_test_add_func ("/tune/expects", test_expects);
  g_test_add_func ("/tune/model", test_model);
  g_test_add_func ("/tune/corrects-what-is-expected", test_corrects_what_is_expected);
  g_test_add_func ("/tune/time-of-zero", test_time_of_zero);
  g_test_add_func ("/tune/search", test_search);
  g_test_add_func ("/tune/many-functions", test_many_functions);
  g_test_add_func ("/tune/bounds", test_bounds);
  g_test_add_func ("/tune/again", test_again);
  g_test_add_func ("/tune/remember", test_remember);
  g_test_add_func ("/tune/not-strict", test_not_strict);
  g_test_add_func ("/tune/lines", test_lines);
  g_test_add_func ("/tune/store-features", test_store_features);
  return g_test_run ();
}
