/* search --by: programs for threads without a device, by what the simulator counts. */
#include "tests/support/command.h"
#include "tests/support/support.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define CLI "app/cli/loopscope-cli"
#define TRANSPOSE \
  "from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), \"float32\")):\n" \
  "    T.func_attr({\"tir.noalias\": True})\n    for i, j in T.grid(64, 64):\n        with T.block(\"B\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n            B[vi, vj] = A[vj, vi]\n"
/* A warp is w threads along j, 32 / w along i: each has w columns of 32 / w numbers of A, and rows of B. */
#define STEPS \
  "b = sch.get_block(\"B\")\ni, j = sch.get_loops(b)\nw = sch.sample_categorical([32, 8], [0.5, 0.5])\nj0, j1 = sch.split(j, factors=[None, w])\n" \
  "i0, i1 = sch.split(i, factors=[None, 32 // w])\nsch.reorder(i0, j0, i1, j1)\nf = sch.fuse(i0, j0)\nt = sch.fuse(i1, j1)\nsch.bind(f, \"blockIdx.x\")\nsch.bind(t, \"threadIdx.x\")\n"
/* The copy into shared memory stands outside of the kernel. */
#define PLAIN_STEPS "b = sch.get_block(\"B\")\ni, j = sch.get_loops(b)\nw = sch.sample_categorical([2, 4], [0.5, 0.5])\nj0, j1 = sch.split(j, factors=[None, w])\nsch.bind(i, \"blockIdx.x\")\n"

static LsTestRun
search (const char *options,
        const char *steps_text)
{
  g_autofree char *program = ls_test_write ("transpose.py", TRANSPOSE), *steps = ls_test_write ("transpose_steps.py", steps_text);
  g_autofree char *line = g_strdup_printf ("search %s --steps %s %s", program, steps, options);

  return ls_test_run (CLI, line);
}

static JsonObject *
object_of (JsonParser *parser,
           LsTestRun  *run)
{
  g_assert_true (json_parser_load_from_data (parser, run->out, -1, NULL));
  return json_node_get_object (json_parser_get_root (parser));
}

static void
says (const char *text,
      const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("\"%s\" is not in: %s", part, text);
}

/* 64 x 64 / 32 warps. w = 32: a load costs 32 sectors, a store 4. w = 8: 8 columns of 4 numbers are 8 sectors, 4 rows of 8 are 4. */
static void
test_order (void)
{
  g_auto (LsTestRun) text = search ("--target cuda --by sectors --trials 8", STEPS), json = search ("--target cuda --by sectors --trials 8 --json", STEPS);
  g_auto (LsTestRun) instructions = search ("--target opencl --by instructions --trials 8 --json", STEPS);
  g_autoptr (JsonParser) parser = json_parser_new (), other = json_parser_new ();
  JsonObject *answer = object_of (parser, &json), *best = json_object_get_object_member (answer, "best"), *second;
  JsonArray *candidates = json_object_get_array_member (answer, "candidates");

  g_assert_cmpint (text.status, ==, 0);
  says (text.out, "8 trials: 2 programs, 0 without a rank, 0 trials refused\nRanked by sectors of 32 bytes of global memory, fewest first");
  says (text.out, "nothing was timed, and which program is the fastest on a GPU is not known");
  g_assert_null (strstr (text.out, " ms"));
  g_assert_cmpuint (json_array_get_length (candidates), ==, 2);
  second = json_array_get_object_element (candidates, 1);
  g_assert_cmpint (json_object_get_int_member (best, "sectors"), ==, 128 * (8 + 4));
  g_assert_cmpint (json_object_get_int_member (second, "sectors"), ==, 128 * (32 + 4));
  g_assert_cmpstr (json_object_get_string_member (answer, "ranked-by"), ==, "sectors");
  says (json_object_get_string_member (best, "trace"), "decision=1");
  says (json_object_get_string_member (best, "module"), "threadIdx.x");
  g_assert_false (json_object_has_member (best, "median"));
  answer = object_of (other, &instructions);
  candidates = json_object_get_array_member (answer, "candidates");
  g_assert_cmpint (json_object_get_int_member (json_array_get_object_element (candidates, 0), "instructions"), <=,
                   json_object_get_int_member (json_array_get_object_element (candidates, 1), "instructions"));
}

/* What has no rank says why; nothing to rank is status 1. */
static void
test_none (void)
{
  g_auto (LsTestRun) run = search ("--target nvidia/nvidia-a100 --by passes --trials 3", PLAIN_STEPS "sch.bind(j0, \"threadIdx.x\")\nsch.vectorize(j1)\nx = sch.cache_read(b, 0, \"shared\")\n");

  g_assert_cmpint (run.status, ==, 1);
  says (run.err, " and 0 counted: ");
}

static void
test_refused (void)
{
  static const struct { const char *options, *said; } CASES[] = {
    { "--target cuda --by time", "--by is sectors, passes or instructions" },
    { "--by sectors", "--by belongs to a target of threads" },
    { "--target cuda --by sectors --database /nowhere", "--database keeps times, and --by makes none" },
    { "--target cuda --by sectors --queue redis://localhost", "no --queue, --export-batch or --import-batch" },
    { "--target cuda --by sectors --strategy evolutionary", "drawn at random" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_auto (LsTestRun) run = search (CASES[i].options, STEPS);

      g_assert_cmpint (run.status, ==, 2);
      says (run.err, CASES[i].said);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/search-counts/order", test_order);
  g_test_add_func ("/cli/search-counts/none", test_none);
  g_test_add_func ("/cli/search-counts/refused", test_refused);
  return g_test_run ();
}
