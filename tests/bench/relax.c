/* Benchmark of growth: what a pass of the graph level costs on graphs of 10, 100, 1,000 and 10,000 bindings.
 *
 * The graph is one function: a residual network of matmul, add, relu, reshapes and sums of earlier values.  The passes
 * of the last part stand in the order of a build, each gets what the one before left; the others get the graph itself.
 * A row gives the best time (of the processor) for each size and the growth from 1,000 to 10,000: 10 is linear, up to 30
 * is what graphs cost that no longer fit the cache, and more is marked.
 *
 * LS_BENCH_ONLY=TEXT runs passes with TEXT in their name only (those before them too, without their figures);
 * LS_BENCH_NODES=N is the largest size.
 */
#include "engine/relax/pass/pass.h"
#include "engine/relax/well-formed.h"
#include "engine/script/pass-text.h"
#include "engine/script/script.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define N_SIZES 4

static const guint SIZES[N_SIZES] = { 10, 100, 1000, 10000 };

typedef struct {
  const char *call;
  gboolean    goes_on;          /* what it leaves is what the next one gets */
} Step;

static const Step STEPS[] = {
  { "Normalize()", FALSE }, { "CanonicalizeBindings()", FALSE }, { "EliminateCommonSubexpr()", FALSE }, { "DeadCodeElimination()", FALSE },
  { "TopologicalSort()", FALSE }, { "ConvertToDataflow()", FALSE }, { "FoldConstant()", FALSE }, { "ToMixedPrecision()", FALSE },
  { "ConvertLayout({\"relax.nn.conv2d\": [\"NHWC\", \"OHWI\"]})", FALSE }, { "DataflowUseInplaceCalls()", FALSE }, { "LiftTransformParams()", FALSE },
  { "BundleModelParams()", FALSE }, { "LazyGetInput()", FALSE }, { "LazySetOutput()", FALSE }, { "Gradient(\"main\")", FALSE },
  { "DecomposeOpsForInference()", FALSE }, { "LambdaLift()", FALSE }, { "InlinePrivateFunctions()", FALSE },
  { "LegalizeOps()", TRUE }, { "AnnotateTIROpPattern()", TRUE }, { "FuseOps()", TRUE }, { "FuseTIR()", TRUE }, { "RewriteDataflowReshape()", TRUE },
  { "ToNonDataflow()", TRUE }, { "RemovePurityChecking()", TRUE }, { "CallTIRRewrite()", TRUE }, { "StaticPlanBlockMemory()", TRUE },
  { "LowerAllocTensor()", TRUE }, { "KillAfterLastUse()", TRUE }, { "LowerRuntimeBuiltin()", TRUE }, { "VMShapeLower()", TRUE },
};

static char *
make_text (guint n)
{
  GString *text = g_string_new ("# from tvm.script import ir as I\n# from tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n    @R.function\n"
                                "    def main(v0: R.Tensor((8, 16), dtype=\"float32\"), w: R.Tensor((16, 16), dtype=\"float32\"), "
                                "b: R.Tensor((16,), dtype=\"float32\")) -> R.Tensor((), dtype=\"float32\"):\n"
                                "        R.func_attr({\"num_input\": 1})\n        with R.dataflow():\n");

  for (guint i = 0; i < n; i++)
    switch (i % 8)
      {
      case 0: g_string_append_printf (text, "            v%u = R.matmul(v%u, w)\n", i + 1, i); break;
      case 1: g_string_append_printf (text, "            v%u = R.add(v%u, b)\n", i + 1, i); break;
      case 2: g_string_append_printf (text, "            v%u = R.nn.relu(v%u)\n", i + 1, i); break;
      case 3: g_string_append_printf (text, "            v%u = R.reshape(v%u, (16, 8))\n", i + 1, i); break;
      case 4: g_string_append_printf (text, "            v%u = R.permute_dims(v%u)\n", i + 1, i); break;
      case 5: g_string_append_printf (text, "            v%u = R.multiply(v%u, R.const(2, \"float32\"))\n", i + 1, i); break;
      case 6: g_string_append_printf (text, "            v%u = R.add(v%u, v%u)\n", i + 1, i, i - 3); break;
      default: g_string_append_printf (text, "            v%u = R.tanh(v%u)\n", i + 1, i); break;
      }
  g_string_append_printf (text, "            out = R.sum(v%u)\n            R.output(out)\n        return out\n", n - n % 8);
  return g_string_free (text, FALSE);
}

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("graph", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  if (module == NULL || ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_print (findings));
  return module;
}

static LsModule *
apply (const char *call,
       LsModule   *module)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsPassText) text = ls_script_parse_pass (call, findings);
  g_autoptr (GError) error = NULL;
  const LsRelaxPass *pass = ls_relax_pass_get (text->name, &error);
  g_autoptr (LsMap) args = pass != NULL ? ls_relax_pass_arguments (pass, text->positional, text->keywords, &error) : NULL;
  LsModule *after = args != NULL ? ls_relax_pass_run (pass, module, args, &error) : NULL;

  if (after == NULL)
    g_error ("%s", error->message);
  return after;
}

/* What this thread has used of the processor, in ns: other programs do not count. */
static gint64
used (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The best of some runs, in ns. */
static double
measure (const char *call,
         LsModule   *module)
{
  double best = G_MAXDOUBLE;
  gint64 begin = used ();

  for (guint i = 0; i < 50 && (i == 0 || used () - begin < 100 * 1000 * 1000); i++)
    {
      gint64 start = used ();
      g_autoptr (LsModule) after = apply (call, module);

      best = MIN (best, (double) (used () - start));
    }
  return best;
}

static void
report (const char   *name,
        const double *times,
        guint         n)
{
  printf ("%-26.26s", name);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *full = g_strdup_printf ("%s, %u bindings", name, SIZES[i]);

      ls_bench_note (full, times[i], "ns", FALSE);
      printf ("  %9.3f ms", times[i] / 1e6);
    }
  if (n >= 2)
    printf ("   x%.1f%s", times[n - 1] / times[n - 2], times[n - 1] / times[n - 2] > 40 ? "  not linear" : "");
  printf ("\n");
  fflush (stdout);
}

int
main (int    argc,
      char **argv)
{
  const char *only = g_getenv ("LS_BENCH_ONLY"), *limit = g_getenv ("LS_BENCH_NODES");
  guint largest = limit != NULL ? (guint) g_ascii_strtoull (limit, NULL, 10) : 10000, n = 0;
  LsModule *modules[N_SIZES];

  ls_bench_head ();
  printf ("%-26s", "bindings");
  for (guint i = 0; i < N_SIZES && SIZES[i] <= largest; i++, n++)
    {
      g_autofree char *text = make_text (SIZES[i]);

      modules[i] = parse (text);
      printf ("  %9u   ", SIZES[i]);
    }
  printf ("   growth of the last\n");
  for (guint s = 0; s < G_N_ELEMENTS (STEPS); s++)
    {
      double times[N_SIZES];
      gboolean shown = only == NULL || strstr (STEPS[s].call, only) != NULL;

      for (guint i = 0; i < n; i++)
        {
          times[i] = shown ? measure (STEPS[s].call, modules[i]) : 0;
          if (STEPS[s].goes_on)
            ls_take (&modules[i], apply (STEPS[s].call, modules[i]));
        }
      if (shown)
        report (STEPS[s].call, times, n);
    }
  for (guint i = 0; i < n; i++)
    ls_unref (modules[i]);
  return 0;
}
