/* sketch: what is proposed for a program becomes designs whose numbers are drawn, and is among the first that a search tries. */
#include "engine/tune/tune.h"

#include "engine/schedule/space/space.h"
#include "engine/script/script.h"
#include "tests/support/programs.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("sketch", text, -1);
  LsModule *module = ls_script_parse (source, NULL);

  g_assert_nonnull (module);
  return module;
}

static LsModule *
read_sample (const char *name)
{
  g_autofree char *path = ls_test_path (name), *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return parse (text);
}

/* A program of a trace, as text. (transfer full) NULL: a step is refused. */
static char *
program_of (LsModule *module,
            LsTrace  *trace,
            gboolean  decisions,
            gint64    seed)
{
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  ls_schedule_set_strict (schedule, FALSE);
  ls_schedule_set_seed (schedule, seed);
  ls_trace_apply (trace, schedule, decisions, FALSE, findings);
  return ls_diagnostics_has_error (findings) ? NULL : ls_script_print (ls_schedule_get_module (schedule), NULL, NULL);
}

static guint
n_drawn (LsTrace *trace)
{
  guint n = 0;

  for (guint i = 0; i < ls_trace_get_n (trace); i++)
    n += (ls_trace_get (trace, i)->instruction->flags & LS_INSTRUCTION_SAMPLES) != 0;
  return n;
}

#define SUM "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(A: T.Buffer((60, 64), \"float32\"), B: T.Buffer((60, 64), \"float32\")):\n" \
            "        for i, j in T.grid(60, 64):\n            with T.block(\"B\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"             \
            "                B[vi, vj] = A[vi, vj] + T.float32(1)\n"

/* Even splits draw, with what they had as decisions; one that does not come out even stays as it is. */
static void
test_draws (void)
{
  static const struct { const char *split; guint n; const char *decision; } cases[] = {
    { "j0, j1 = sch.split(j, factors=[None, 16])", 1, "decision=[4, 16]" },
    { "i0, i1, i2 = sch.split(i, factors=[3, None, 4])", 1, "decision=[3, 5, 4]" },
    { "i0, i1 = sch.split(i, factors=[10, 6])", 1, "decision=[10, 6]" },
    { "i0, i1 = sch.split(i, factors=[None, 7])", 0, NULL },
    { "i0, i1 = sch.split(i, factors=[16, 4])", 0, NULL },
    { "j0, j1 = sch.split(j, factors=[None, 8])\nj2, j3 = sch.split(j1, factors=[2, None])", 2, "decision=[2, 4]" },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree char *steps = g_strdup_printf ("b = sch.get_block(\"B\", func_name=\"main\")\ni, j = sch.get_loops(b)\n%s\n", cases[c].split);
      g_autoptr (LsModule) module = parse (SUM);
      g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
      g_autoptr (LsTrace) trace = NULL, sketch = NULL;
      g_autofree char *expected = NULL, *with = NULL, *without = NULL, *printed = NULL;

      ls_schedule_apply_text (schedule, source, 0, findings);
      g_assert_false (ls_diagnostics_has_error (findings));
      trace = ls_trace_of (schedule);
      sketch = ls_tune_sketch (module, trace);
      g_assert_cmpuint (n_drawn (sketch), ==, cases[c].n);
      printed = ls_trace_print (sketch);
      g_assert_true (cases[c].decision == NULL || strstr (printed, cases[c].decision) != NULL);
      expected = ls_script_print (ls_schedule_get_module (schedule), NULL, NULL);
      with = program_of (module, sketch, TRUE, 1);
      g_assert_cmpstr (with, ==, expected);
      for (gint64 seed = 1; seed < 40 && (without == NULL || strcmp (without, expected) == 0); seed++)
        {
          g_free (without);
          without = program_of (module, sketch, FALSE, seed);
        }
      g_assert_cmpint (strcmp (without, expected) != 0, ==, cases[c].n > 0);
    }
}

static LsPrimFunc *
only_function (LsModule *module)
{
  return ls_array_at (module->functions, 0, LsPrimFunc);
}

/* Sums in another order. */
static void
assert_close (GPtrArray *expected,
              GPtrArray *actual)
{
  for (guint i = 0; i < expected->len; i++)
    {
      const LsNDArray *a = expected->pdata[i], *b = actual->pdata[i];
      const float *x = a->tensor.data, *y = b->tensor.data;
      gint64 n = 1;

      for (int d = 0; d < a->tensor.ndim; d++)
        n *= a->tensor.shape[d];
      for (gint64 at = 0; at < n; at++)
        g_assert_cmpfloat_with_epsilon (x[at], y[at], 1e-4 * (1.0 + fabs ((double) x[at])));
    }
}

/* Whatever they draw, the programs compute what they did. */
static void
test_same (void)
{
  static const char *const files[] = { "../data/samples/mm_relu.py", "../data/samples/softmax.py" };

  for (guint f = 0; f < G_N_ELEMENTS (files); f++)
    {
      g_autoptr (LsModule) module = read_sample (files[f]);
      LsPrimFunc *func = only_function (module);
      g_autoptr (GPtrArray) sketches = ls_tune_sketches (module, NULL), expected = ls_test_arrays (func, 3);
      g_autoptr (GError) error = NULL;
      guint n = 0;

      g_assert_cmpuint (sketches->len, >, 2);
      ls_test_interpret (module, func, expected, &error);
      g_assert_no_error (error);
      for (guint s = 0; s < MIN (sketches->len, 3); s++)
        for (gint64 seed = 0; seed < 2; seed++)
          {
            g_autofree char *text = program_of (module, ((LsTuneSketch *) sketches->pdata[s])->trace, seed == 0, seed);
            g_autoptr (LsModule) changed = text != NULL ? parse (text) : NULL;
            g_autoptr (GPtrArray) actual = ls_test_arrays (func, 3);

            g_assert_true (seed > 0 || text != NULL);
            if (changed == NULL)
              continue;
            ls_test_interpret (changed, only_function (changed), actual, &error);
            g_assert_no_error (error);
            assert_close (expected, actual);
            n++;
          }
      g_assert_cmpuint (n, >=, 4);
    }
}

/* A transposition has one design without a choice by meta_schedule's rules; what is proposed (blocks) is among the first eight, and what comes of changing its
 * numbers is among the later ones. */
static void
test_starts (void)
{
  g_autoptr (LsModule) module = read_sample ("data/advice/transpose_2048.py");
  g_autoptr (GPtrArray) sketches = ls_tune_sketches (module, NULL), designs = ls_space_designs (module, &(LsSpaceOptions) { .n_cores = 2 }, 1);
  LsTunerOptions options = { .strategy = LS_TUNE_EVOLUTIONARY, .model = LS_TUNE_MODEL_RIDGE, .seed = 1, .postprocs = TRUE };
  g_autoptr (LsTuner) tuner = ls_tuner_new (module, &options);
  g_autofree char *blocks = program_of (module, ((LsTuneSketch *) sketches->pdata[0])->trace, TRUE, 1);
  guint first = 0, later = 0;

  for (guint i = 0; i < designs->len; i++)
    {
      g_autoptr (LsTrace) trace = ls_trace_of (designs->pdata[i]);

      ls_tuner_add_design (tuner, trace);
    }
  for (guint i = 0; i < sketches->len; i++)
    {
      const LsTuneSketch *sketch = sketches->pdata[i];

      ls_tuner_add_start (tuner, sketch->trace, sketch->moves);
    }
  g_assert_cmpuint (ls_tuner_get_n_designs (tuner), ==, designs->len + sketches->len);
  for (guint i = 0; i < 40; i++)
    {
      LsTuneCandidate *candidate = ls_tuner_next (tuner, 0);

      g_assert_nonnull (candidate);
      first += i < 8 && strcmp (candidate->text, blocks) == 0;
      g_assert_true ((candidate->proposal != NULL) == (candidate->design != LS_TUNE_NO_DESIGN && candidate->design >= designs->len));
      if (strcmp (candidate->text, blocks) == 0)
        g_assert_cmpstr (candidate->proposal, ==, ((LsTuneSketch *) sketches->pdata[candidate->design - designs->len])->moves);
      later += i >= 8 && candidate->design != LS_TUNE_NO_DESIGN && candidate->design >= designs->len;
      ls_tuner_report (tuner, candidate, ls_tune_expected_seconds (ls_schedule_get_module (candidate->schedule)), NULL);
    }
  g_assert_cmpuint (first, ==, 1);
  g_assert_cmpuint (later, >, 8);
}

static char *
without_decisions (LsTrace *trace)
{
  g_autoptr (GRegex) decision = g_regex_new (", decision=\\[[^]]*\\]", 0, 0, NULL);
  g_autofree char *text = ls_trace_print (trace);

  return g_regex_replace_literal (decision, text, -1, 0, "", 0, NULL);
}

/* Proposals that differ in the numbers that are drawn are one design. */
static void
test_different (void)
{
  g_autoptr (LsModule) module = read_sample ("../data/samples/matmul_512.py");
  g_autoptr (GPtrArray) sketches = ls_tune_sketches (module, NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  g_assert_cmpuint (sketches->len, >=, 6);
  for (guint i = 0; i < sketches->len; i++)
    {
      const LsTuneSketch *sketch = sketches->pdata[i];

      g_assert_true (g_hash_table_add (seen, without_decisions (sketch->trace)));
      g_assert_cmpuint (strlen (sketch->moves), >, 8);
    }
}

/* The first design of the rules is said to be the fastest by far, others as slow as each other.  It gets half of a batch and what comes by chance, not all of it; and
 * nothing is drawn that LLVM would compile for seconds, or that runs for minutes. */
static void
test_bounds (gconstpointer file)
{
  g_autoptr (LsModule) module = read_sample (file);
  g_autoptr (GPtrArray) sketches = ls_tune_sketches (module, NULL), designs = ls_space_designs (module, &(LsSpaceOptions) { .n_cores = 2 }, 1);
  LsTunerOptions options = { .strategy = LS_TUNE_EVOLUTIONARY, .model = LS_TUNE_MODEL_RIDGE, .seed = 2, .postprocs = TRUE };
  g_autoptr (LsTuner) tuner = ls_tuner_new (module, &options);
  double least = INFINITY;
  guint loved = LS_TUNE_NO_DESIGN, favourite = 0, later = 0;

  for (guint i = 0; i < designs->len; i++)
    {
      g_autoptr (LsTrace) trace = ls_trace_of (designs->pdata[i]);

      ls_tuner_add_design (tuner, trace);
    }
  for (guint i = 0; i < sketches->len; i++)
    {
      const LsTuneSketch *sketch = sketches->pdata[i];

      ls_tuner_add_start (tuner, sketch->trace, sketch->moves);
    }
  for (guint i = 0; i < 72; i++)
    {
      LsTuneCandidate *candidate = ls_tuner_next (tuner, 0);
      LsModule *program = candidate != NULL ? ls_schedule_get_module (candidate->schedule) : NULL;
      double expected = program != NULL ? ls_tune_expected_seconds (program) : 0.0;

      g_assert_nonnull (candidate);
      g_assert_cmpfloat (ls_tune_written_out (program), <=, 256.0);
      if (loved == LS_TUNE_NO_DESIGN && candidate->proposal == NULL)
        loved = candidate->design;
      later += i >= 24;
      favourite += i >= 24 && candidate->design == loved;
      g_assert_true (i < 24 || expected <= 64.0 * least);
      least = fmin (least, expected);
      ls_tuner_report (tuner, candidate, candidate->design == loved ? 1e-4 : 1e-3, NULL);
    }
  g_test_message ("%u of %u are of the favourite", favourite, later);
  g_assert_cmpuint (favourite, >, later / 4);
  g_assert_cmpuint (favourite, <, later * 3 / 5);
}

/* The vectors of what unrolled loops copy. */
static void
test_written_out (void)
{
  static const struct { const char *steps; double copies; } cases[] = {
    { "", 1.0 },
    { "sch.unroll(j)", 64.0 },
    { "i0, i1 = sch.split(i, factors=[None, 6])\nsch.unroll(i1)", 6.0 },
    { "i0, i1 = sch.split(i, factors=[None, 6])\nsch.unroll(i1)\nsch.unroll(j)", 384.0 },
    { "sch.unroll(i)\nsch.vectorize(j)", 0.0 },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      g_autofree char *steps = g_strdup_printf ("b = sch.get_block(\"B\", func_name=\"main\")\ni, j = sch.get_loops(b)\n%s\n", cases[c].steps);
      g_autoptr (LsModule) module = parse (SUM);
      g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
      double copies;

      ls_schedule_apply_text (schedule, source, 0, findings);
      g_assert_false (ls_diagnostics_has_error (findings));
      copies = ls_tune_written_out (ls_schedule_get_module (schedule));
      if (cases[c].copies > 0.0)
        g_assert_cmpfloat (copies, ==, cases[c].copies);
      else                      /* 60 rounds of 64 numbers: as many vectors as the machine makes of them */
        g_assert_true (copies == 60.0 * 64.0 / 4.0 || copies == 60.0 * 64.0 / 8.0 || copies == 60.0 * 64.0 / 16.0);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tune/sketch/draws", test_draws);
  g_test_add_func ("/tune/sketch/same", test_same);
  g_test_add_func ("/tune/sketch/starts", test_starts);
  g_test_add_func ("/tune/sketch/different", test_different);
  g_test_add_data_func ("/tune/sketch/bounds/softmax", "data/advice/softmax_1024.py", test_bounds);
  g_test_add_data_func ("/tune/sketch/bounds/product", "../data/samples/matmul_512.py", test_bounds);
  g_test_add_func ("/tune/sketch/written-out", test_written_out);
  return g_test_run ();
}
