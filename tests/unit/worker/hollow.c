/* hollow: answers of the worker that lack what they should hold: commands say so or leave it out, and end by themselves. */
#include "tests/support/command.h"
#include "tests/support/support.h"

#include <string.h>

static const char program[] =
  "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n"
  "        for i in range(8):\n            with T.block(\"B\"):\n                vi = T.axis.spatial(8, i)\n                B[vi] = A[vi] + T.float32(1)\n";

static const char kernel[] =
  "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n"
  "        for i in T.thread_binding(8, thread=\"threadIdx.x\"):\n            with T.block(\"B\"):\n                vi = T.axis.spatial(8, i)\n"
  "                B[vi] = A[vi] + T.float32(1)\n";

static const char graph[] =
  "@I.ir_module\nclass Module:\n    @R.function\n    def main(x: R.Tensor((4, 6), \"float32\")) -> R.Tensor((4, 6), \"float32\"):\n"
  "        with R.dataflow():\n            a = R.nn.relu(x)\n            R.output(a)\n        return a\n";

/* The parameter: LS_HOLLOW.  Where only some fields lack, only kernels: their answers have the rows. */
static void
test_hollow (gconstpointer how)
{
  g_autofree char *p = ls_test_write ("hollow.py", program), *k = ls_test_write ("hollow-kernel.py", kernel), *g = ls_test_write ("hollow-graph.py", graph);
  g_autofree char *out = ls_test_temporary ("hollow-out"), *batch = ls_test_write ("hollow-batch.txt", "step\nwhere\nbreaks\n");
  const struct { const char *words, *file; } commands[] = {
    { "run FILE", p }, { "run --json FILE", p }, { "time --budget-ms 20 FILE", p }, { "llvm FILE", p }, { "asm FILE", p }, { "asm --cycles FILE", p },
    { "roofline --budget-ms 20 FILE", p }, { "equal --inputs 2 FILE FILE", p }, { "caches --counters FILE", p }, { "advise --budget 1 --most 1 FILE", p },
    { "search --space post-order --trials 2 --budget-ms 20 FILE", p }, { "passes --own FILE --list", p }, { "passes --own FILE --time", p },
    { "passes --own FILE --time --json", p }, { "debug --batch BATCH FILE", p }, { "debug --part --pair --against FILE --batch BATCH FILE", p },
    { "simt FILE", k }, { "simt --events FILE", k }, { "simt --layouts FILE", k }, { "simt --fast FILE", k }, { "simt --json FILE", k },
    { "source --format ptx FILE", k }, { "source --format ptx --json FILE", k }, { "device export FILE -o OUT", k },
    { "build FILE -o OUT.lsx", g }, { "vm OUT.lsx --profile", NULL }, { "graph --times FILE", g }, { "graph --compare FILE --values --times FILE", g },
    { "debug --graph --batch BATCH FILE", g }, { "debug --vm --batch BATCH FILE", g }, { "jail", NULL },
  };
  g_autofree char *worker = g_build_filename (g_getenv ("LS_BUILD_ROOT"), "tests", "unit", "worker", "hollow-worker", NULL);

  g_setenv ("LS_WORKER", worker, TRUE);
  g_setenv ("LS_WORKER_SANDBOX", "off", TRUE);
  g_setenv ("LS_HOLLOW", how, TRUE);
  g_setenv ("G_DEBUG", "fatal-criticals", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autoptr (GString) line = g_string_new (commands[i].words);
      g_auto (LsTestRun) run = { 0 };

      if (strcmp (how, "all") != 0 && commands[i].file != k)
        continue;
      g_string_replace (line, "FILE", commands[i].file != NULL ? commands[i].file : "", 0);
      g_string_replace (line, "OUT", out, 0);
      g_string_replace (line, "BATCH", batch, 0);
      g_test_message ("%s", line->str);
      run = ls_test_run ("app/cli/loopscope-cli", line->str);   /* fails when a signal ends it */
      g_test_message ("%d %s", run.status, run.err);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/worker/hollow/all", "all", test_hollow);
  g_test_add_data_func ("/worker/hollow/some", "3", test_hollow);
  g_test_add_data_func ("/worker/hollow/others", "5", test_hollow);
  return g_test_run ();
}
