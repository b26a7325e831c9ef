/* Benchmark of loopscope-cli as a whole process: start, read, work, print, end.
 *
 * Budget of the design: `print` of mm_relu in 10 ms.  The child's output goes nowhere.
 */
#include "tests/bench/bench.h"

static void
spawn (gpointer data)
{
  char **argv = data;
  g_autoptr (GError) error = NULL;
  int wait_status = 0;

  if (!g_spawn_sync (g_getenv ("LS_SOURCE_ROOT"), argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, NULL, &wait_status, &error) ||
      wait_status != 0)
    g_error ("%s %s ended with %d: %s", argv[0], argv[1], wait_status, error != NULL ? error->message : "see above");
}

int
main (void)
{
  g_autofree char *program = NULL;
  char *nothing[] = { "/bin/true", NULL };
  char *version[] = { NULL, "--version", NULL };
  char *print[] = { NULL, "print", "data/samples/mm_relu.py", NULL };
  char *apply[] = { NULL, "apply", "data/samples/mm_relu.py", "--steps", "data/samples/mm_relu_steps.py", NULL };
  char *diff[] = { NULL, "diff", "data/samples/mm_relu.py", "--steps", "data/samples/mm_relu_steps.py", NULL };

  ls_bench_head ();
  program = g_build_filename (g_getenv ("LS_BUILD_ROOT"), "app", "cli", "loopscope-cli", NULL);
  version[0] = print[0] = apply[0] = diff[0] = program;
  ls_bench_run ("process/true, for comparison", 0, spawn, nothing);
  ls_bench_run ("cli/--version", 0, spawn, version);
  ls_bench_run ("cli/print mm_relu", 10e6, spawn, print);
  ls_bench_run ("cli/apply five steps", 0, spawn, apply);
  ls_bench_run ("cli/diff over five steps", 0, spawn, diff);
  return 0;
}
