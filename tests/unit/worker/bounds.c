/* bounds: --check-bounds looks at the program as it is written and at what the passes made of it. */
#include "tests/support/command.h"
#include "tests/support/support.h"

#include <string.h>

static const char PROGRAM[] =
  "# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n"
  "    def main(A: T.Buffer((8,), \"int32\"), B: T.Buffer((8,), \"int32\")):\n        for i in range(8):\n            B[i] = A[i] + 1\n";

static void
run_with (const char *worker,
          int         status,
          const char *says)
{
  g_autofree char *path = ls_test_temporary ("bounds.py"), *line = g_strdup_printf ("run '%s' --check-bounds", path);
  g_autofree char *full = g_build_filename (g_getenv ("LS_BUILD_ROOT"), worker, NULL);
  g_auto (LsTestRun) run = { 0 };

  g_assert_true (g_file_set_contents (path, PROGRAM, -1, NULL));
  g_setenv ("LS_WORKER", full, TRUE);
  g_setenv ("LS_WORKER_SANDBOX", "off", TRUE);
  run = ls_test_run ("app/cli/loopscope-cli", line);
  g_test_message ("%s", run.err);
  g_assert_cmpint (run.status, ==, status);
  g_assert_nonnull (strstr (status == 0 ? run.out : run.err, says));
}

static void
sound (void)
{
  run_with ("app/worker/loopscope-worker", 0, "B");
}

static void
broken (void)
{
  run_with ("tests/unit/worker/broken-worker", 1, "After lowering: ");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/worker/bounds/sound", sound);
  g_test_add_func ("/worker/bounds/broken", broken);
  return g_test_run ();
}
