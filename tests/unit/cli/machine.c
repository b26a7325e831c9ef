/* machine: the commands that make code of a function: run, time, llvm, asm.  What they say of files, sizes and names that
 * are wrong, the numbers that come out, JSON and its members.
 */
#include "engine/runtime/runtime.h"
#include "tests/support/command.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

#define MODULE "data/samples/mm_relu.py"
#define STEPS "data/samples/mm_relu_steps.py"

static const char TWO[] =
  "@I.ir_module\n"
  "class Two:\n"
  "    @T.prim_func\n"
  "    def add(A: T.Buffer((3, 4), \"float32\"), B: T.Buffer((3, 4), \"float32\"), C: T.Buffer((3, 4), \"float32\")):\n"
  "        for i, j in T.grid(3, 4):\n"
  "            with T.block(\"C\"):\n"
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                C[vi, vj] = A[vi, vj] + B[vi, vj]\n"
  "    @T.prim_func\n"
  "    def scale(a: T.handle, b: T.handle, s: T.float32):\n"
  "        n = T.int64()\n"
  "        A = T.match_buffer(a, (n, 4), \"float32\")\n"
  "        B = T.match_buffer(b, (n, 4), \"float32\")\n"
  "        for i, j in T.grid(n, 4):\n"
  "            with T.block(\"B\"):\n"
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                B[vi, vj] = A[vi, vj] * s\n"
  "    @T.prim_func\n"
  "    def outside(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")):\n"
  "        for i in range(4):\n"
  "            if B[i] < T.float32(1e9):\n                B[i] = A[i + 400000000]\n"
  "    @T.prim_func\n"
  "    def endless(A: T.Buffer((1,), \"float32\")):\n"
  "        while A[0] < T.float32(2):\n"
  "            A[0] = A[0] * T.float32(0)\n";

static char *two;               /* the file with TWO */
static char *folder;            /* of arrays */

/* `words`: command and arguments; FILE is the file with TWO, DIR the folder of arrays. */
static char *
complete (const char *words)
{
  g_autoptr (GString) line = g_string_new (words);

  g_string_replace (line, "FILE", two, 0);
  g_string_replace (line, "DIR", folder, 0);
  return g_strdup (line->str);
}

static LsTestRun
run (const char *words)
{
  g_autofree char *line = complete (words);

  return ls_test_run ("app/cli/loopscope-cli", line);
}

static JsonNode *
run_json (const char *words)
{
  g_autofree char *line = g_strdup_printf ("%s --json", words);
  g_auto (LsTestRun) result = run (line);
  g_autoptr (GError) error = NULL;
  JsonNode *root = json_from_string (result.out, &error);

  g_assert_no_error (error);
  g_assert_cmpint (result.status, ==, 0);
  g_assert_cmpstr (result.err, ==, "");
  return root;
}

static JsonObject *
element (JsonNode   *root,
         const char *array,
         guint       i)
{
  return json_array_get_object_element (json_object_get_array_member (json_node_get_object (root), array), i);
}

static guint
count (JsonNode   *root,
       const char *array)
{
  return json_array_get_length (json_object_get_array_member (json_node_get_object (root), array));
}

/* ---- exit status and sentences -------------------------------------------------- */

static const struct {
  const char *line;
  int         status;
  const char *says;             /* on the stream that the status calls for */
} CALLS[] = {
  { "run " MODULE, 0, "C: float32 [128, 128] out\n[[" },
  { "passes --own FILE --func add --time", 0, "(no pass)" },
  { "run FILE --func add --seed 7", 0, "add: one run took" },
  { "run FILE --func scale --set s=2 --set n=2", 0, "B: float32 [2, 4] out" },
  { "run FILE --func scale --set s=2 --in DIR/a.npy", 0, "B: float32 [3, 4] out" },
  { "run FILE --func scale --set s=2 --set n=0", 0, "B: float32 [0, 4] out" },
  { "run FILE --func add --in DIR/fortran.npy --in DIR/zeros.npy", 0, "[[0., 3., 6., 9.],\n [1., 4., 7., 10.],\n [2., 5., 8., 11.]]" },
  { "run FILE --func add --target 'llvm -opt-level=0'", 0, "add: one run took" },
  { "run", 2, "a file is expected" },
  { "run FILE FILE", 2, "is one argument too many" },
  { "run FILE --frob", 2, "--frob is no option" },
  { "run FILE --in", 2, "--in needs a value" },
  { "run FILE --func add --seed x", 2, "--seed takes a number" },
  { "run FILE --func add --timeout x", 2, "--timeout takes a number" },
  { "run nowhere.py", 1, "there is no file nowhere.py" },
  { "run FILE", 1, "it has add, endless, outside, scale" },
  { "run FILE --func nope", 1, "The module has no function nope; it has add, endless, outside, scale." },
  { "run FILE --func add --target frob", 1, "The target kind is frob" },
  { "run FILE --func add --steps nowhere.py", 1, "there is no file nowhere.py" },
  { "run FILE --func add --in DIR/nowhere.npy", 1, "there is no file" },
  { "run FILE --func add --in DIR", 1, "is a folder; an npy file is expected" },
  { "run FILE --func add --in DIR/text.npy", 1, "text.npy: npy header: the file does not begin with the npy mark" },
  { "run FILE --func add --in DIR/empty.npy", 1, "empty.npy: npy header" },
  { "run FILE --func add --in DIR/short.npy", 1, "short.npy: npy data: the shape asks for more" },
  { "run FILE --func add --in DIR/huge.npy", 1, "huge.npy: npy data: the shape asks for more" },
  { "run FILE --func add --in DIR/object.npy", 1, "object.npy: npy header: the element type is \"|O\"" },
  { "run FILE --func add --in DIR/shape.npy", 1, "Argument A of add has the shape (4, 3); expected (3, 4)." },
  { "run FILE --func add --in DIR/a.npy --in DIR/flat.npy", 1, "Argument B of add has the shape (12,); expected (3, 4)." },
  { "run FILE --func add --in DIR/double.npy", 1, "Argument A of add is of float64; expected float32." },
  { "run FILE --func add --in DIR/a.npy --in DIR/a.npy --in DIR/a.npy --in DIR/a.npy", 1, "add takes 3 arrays; 4 inputs are given." },
  { "run FILE --func add --out DIR/a.npy/below", 1, "cannot be made" },
  { "run FILE --func scale --set n=2", 1, "The number s is not given; say it as s=VALUE." },
  { "run FILE --func scale --set s=2", 1, "The extent n is not given; say it as n=VALUE." },
  { "run FILE --func scale --set s=two --set n=2", 1, "two is no number for s." },
  { "run FILE --func scale --set s=2 --set n", 1, "A size is given as NAME=VALUE, not as n." },
  { "run FILE --func scale --set s=2 --set n=2 --set m=2", 1, "scale has no number and no extent m." },
  { "run FILE --func scale --set s=2 --set n=4 --in DIR/a.npy", 1, "The extent n is 3 in the file for A, but 4 is given." },
  { "run FILE --func scale --set s=2 --set n=-1", 1, "dimension 0 is -1; an extent is 0 or more" },
  { "run FILE --func scale --set s=2 --set n=9223372036854775807", 1, "more elements than memory can address" },
  { "run FILE --func endless --in DIR/one.npy --timeout 1", 1, "loopscope-cli run: " },
  { "run FILE --func outside", 1, "way out: --check-bounds names the access that leaves its buffer" },
  { "run FILE --func outside --check-bounds", 1, "Index 0 of A is 400000000; it goes from 0 to 3 (line" },
  { "equal FILE FILE --func add --inputs 3", 0, "same results on 3 inputs" },
  { "equal FILE FILE --func scale --inputs 2", 0, "same results on 2 inputs" },
  { "equal FILE FILE --func scale --inputs 2 --set n=8 --set s=1.5", 0, "same results on 2 inputs" },
  { "equal " MODULE " data/samples/softmax.py --inputs 2", 1, "the two take different numbers of arguments" },
  { "equal " MODULE " data/samples/matmul_512.py --inputs 2", 1, "argument 1 has another shape in the second file" },
  { "equal FILE FILE --func nope --inputs 2", 1, "has no function nope" },
  { "equal FILE FILE --inputs x", 2, "--inputs is no option of this command" },
  { "equal FILE FILE --inputs", 2, "--inputs needs a value" },
  { "roofline", 2, "a file is expected" },
  { "roofline FILE --budget-ms x", 2, "--budget-ms takes a number from 0, not \"x\"" },
  { "roofline FILE --func nope", 1, "has no function nope" },
  { "roofline FILE --func scale --set n=8 --set s=1.5 --budget-ms 20", 0, "GFLOP/s" },
  { "advise", 2, "a file is expected" },
  { "advise FILE --func nope", 1, "there is no function of TensorIR with this name" },
  { "advise FILE --cores some", 2, "--cores is one or all" },
  { "advise FILE --follow x", 2, "--follow takes a number from 0, not \"x\"" },
  { "advise " MODULE " --no-time", 0, "likely to help" },
  { "advise FILE --func scale --no-time", 0, "is not known" },
  { "advise tests/data/advice/gather.py --most 0", 0, "K holds 0 to 19999, which are valid for E" },
  { "time tests/data/advice/histogram.py --samples 1", 0, "made at random: K holds 0 to 1023, which are valid for H" },
  { "run tests/data/advice/gather.py", 0, "made of 0 to 19999" },
  { "caches tests/data/advice/gather.py", 0, "taken from a run on random numbers (K: 0" },
  { "caches tests/data/advice/argmax_gather.py", 0, "what both sides of the choice touch is counted" },
  { "time " MODULE " --samples 3", 0, "unscheduled" },
  { "time FILE --func add --samples 1", 0, "same output" },
  { "time FILE --func scale --samples 1 --set n=8 --set s=1.5", 0, "same output" },
  { "time", 2, "a file is expected" },
  { "time FILE --samples x", 2, "--samples takes a number from 0, not \"x\"" },
  { "time FILE --func nope", 1, "has no function nope" },
  { "time FILE --func add --target frob", 1, "The target kind is frob" },
  { "time FILE --func scale", 1, "is not given; say it as" },
  { "time FILE --func add --set q=1", 1, "add has no number and no extent q." },
  { "time " MODULE " --steps nowhere.py", 1, "there is no file nowhere.py" },
  { "search " MODULE " --steps tests/golden/cli/stochastic.py --trials 3 --budget-ms 20 --target 'llvm -opt-level=1'", 0, "best trace" },
  { "search " MODULE " --steps tests/golden/cli/stochastic.py --trials 2 --budget-ms 20 --func nope", 1, "and 0 measured" },
  { "search " MODULE " --space post-order --trials 2 --budget-ms 10", 0, "best trace" },
  { "search " MODULE " --space other", 2, "--space is post-order" },
  { "search " MODULE " --space post-order --strategy luck", 2, "--strategy is random or evolutionary" },
  { "search " MODULE " --space post-order --steps tests/golden/cli/stochastic.py", 2, "a file and --steps or --space are expected" },
  { "llvm FILE --func add", 0, "@add" },
  { "llvm FILE --func add --raw", 0, "@add" },
  { "llvm FILE --func add --target 'llvm -mtriple=nowhere-linux-gnu'", 1, "cannot be made here" },
  { "llvm", 2, "a file is expected" },
  { "llvm FILE --seed 1", 2, "--seed is no option" },
  { "llvm FILE --func nope", 1, "has no function nope" },
  { "llvm FILE --func add --target frob", 1, "The target kind is frob" },
  { "asm FILE --func add", 0, "add.body:" },
  { "asm", 2, "a file is expected" },
  { "asm data/samples/matmul_128.py --cycles --target 'llvm -mcpu=znver3 -mtriple=x86_64-linux-gnu'", 0, "multiplies two numbers and adds a third" },
  { "asm data/samples/matmul_128.py --cycles --target 'llvm -mcpu=znver3 -mtriple=x86_64-linux-gnu'", 0, "warning: No vectors here" },
  { "asm data/samples/matmul_128.py --cycles --line 1", 1, "no innermost loop" },
  { "asm FILE --raw", 2, "--raw is no option" },
  { "asm FILE --func nope", 1, "has no function nope" },
  { "asm FILE --func add --steps nowhere.py", 1, "there is no file nowhere.py" },
};

static void
test_status (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (CALLS); i++)
    {
      g_auto (LsTestRun) result = run (CALLS[i].line);
      const char *text = CALLS[i].status == 0 ? result.out : result.err;

      if (result.status != CALLS[i].status || strstr (text, CALLS[i].says) == NULL)
        g_test_fail_printf ("%s: status %d, out:\n%s\nerr:\n%s", CALLS[i].line, result.status, result.out, result.err);
      if (CALLS[i].status != 0 && *result.out != '\0')
        g_test_fail_printf ("%s: standard output is not empty:\n%s", CALLS[i].line, result.out);
    }
}

/* ---- run -------------------------------------------------------------------------- */

/* What one run writes the next one reads. */
static void
test_files (void)
{
  g_auto (LsTestRun) first = run ("run FILE --func add --in DIR/a.npy --in DIR/a.npy --out DIR/out");
  g_auto (LsTestRun) second = run ("run FILE --func scale --set s=0.5 --in DIR/out/C.npy --out DIR/out --full");
  g_autofree char *path = g_build_filename (folder, "out", "B.npy", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsNDArray) array = ls_npy_read (path, &error);

  g_assert_cmpint (first.status, ==, 0);
  g_assert_cmpint (second.status, ==, 0);
  g_assert_no_error (error);
  for (gint64 i = 0; i < 12; i++)
    g_assert_cmpfloat (ls_tensor_get_double (&array->tensor, i), ==, (double) i);
  g_assert_nonnull (strstr (second.out, "[[0., 1., 2., 3.],\n [4., 5., 6., 7.],\n [8., 9., 10., 11.]]"));
  g_assert_nonnull (strstr (second.out, path));
}

/* The same numbers for the same seed, with and without the schedule. */
static void
test_seeds (void)
{
  g_autoptr (JsonNode) plain = run_json ("run " MODULE " --seed 3");
  g_autoptr (JsonNode) again = run_json ("run " MODULE " --seed 3");
  g_autoptr (JsonNode) scheduled = run_json ("run " MODULE " --seed 3 --steps " STEPS);
  g_autoptr (JsonNode) other = run_json ("run " MODULE " --seed 4");
  const char *text = json_object_get_string_member (element (plain, "arrays", 2), "text");

  g_assert_cmpstr (json_object_get_string_member (element (again, "arrays", 2), "text"), ==, text);
  g_assert_cmpstr (json_object_get_string_member (element (scheduled, "arrays", 0), "text"), ==, json_object_get_string_member (element (plain, "arrays", 0), "text"));
  g_assert_cmpstr (json_object_get_string_member (element (other, "arrays", 2), "text"), !=, text);
}

static void
test_run_json (void)
{
  g_autoptr (JsonNode) root = run_json ("run FILE --func add --in DIR/a.npy --in DIR/zeros.npy --out DIR/out");
  JsonObject *object = json_node_get_object (root);
  JsonObject *out = element (root, "arrays", 2);
  JsonArray *shape = json_object_get_array_member (out, "shape");

  g_assert_cmpstr (json_object_get_string_member (object, "function"), ==, "add");
  g_assert_cmpint (json_object_get_int_member (object, "run-ns"), >, 0);
  g_assert_cmpint (json_object_get_int_member (object, "build-ns"), >, 0);
  g_assert_cmpuint (count (root, "arrays"), ==, 3);
  g_assert_cmpstr (json_object_get_string_member (element (root, "arrays", 0), "role"), ==, "in");
  g_assert_cmpstr (json_object_get_string_member (out, "name"), ==, "C");
  g_assert_cmpstr (json_object_get_string_member (out, "role"), ==, "out");
  g_assert_cmpstr (json_object_get_string_member (out, "dtype"), ==, "float32");
  g_assert_cmpint (json_array_get_int_element (shape, 0), ==, 3);
  g_assert_cmpint (json_array_get_int_element (shape, 1), ==, 4);
  g_assert_cmpstr (json_object_get_string_member (out, "text"), ==, "[[0., 1., 2., 3.],\n [4., 5., 6., 7.],\n [8., 9., 10., 11.]]");
  g_assert_true (g_str_has_suffix (json_object_get_string_member (out, "path"), "/out/C.npy"));
}

/* ---- time --------------------------------------------------------------------------- */

static void
test_time (void)
{
  g_auto (LsTestRun) each = run ("time " MODULE " --steps " STEPS " --each-step --samples 2");
  g_auto (GStrv) lines = g_strsplit (each.out, "\n", -1);

  g_assert_cmpint (each.status, ==, 0);
  if (strstr (each.out, "Hardware counters are not available: ") != NULL)
    g_assert_cmpuint (g_strv_length (lines), ==, 10);   /* the head, six programs, the machine, the sentence, the end */
  else
    g_assert_cmpuint (g_strv_length (lines), ==, 9 + 3 + 6);      /* and a free line, two of a head, six programs */
  for (guint i = 1; i <= 6; i++)
    {
      g_autofree char *number = g_strdup_printf ("%4u  ", i - 1);

      g_assert_true (g_str_has_prefix (lines[i], number));
      g_assert_nonnull (strstr (lines[i], "same output"));
    }
}

/* What the processor counts grows with the work; a machine without counters says why, and gives no figure. */
static void
check_counters (JsonObject *slow,
                JsonObject *fast)
{
  const char *why = json_object_get_string_member_with_default (slow, "counters-text", NULL);
  double instructions[2];

  if (why != NULL)
    {
      g_test_message ("%s", why);
      g_assert_true (g_str_has_prefix (why, "Hardware counters are not available: "));
      g_assert_cmpint (json_object_get_int_member (slow, "counters-error"), !=, 0);
      g_assert_false (json_object_has_member (slow, "counters"));
      return;
    }
  for (guint i = 0; i < 2; i++)
    {
      JsonObject *one = json_object_get_object_member (json_object_get_object_member (i == 0 ? slow : fast, "counters"), "instructions");

      instructions[i] = json_object_has_member (one, "error") ? -1 : json_object_get_double_member (one, "value");
      g_assert_true (json_object_has_member (one, "error") || instructions[i] > 0);
    }
  if (instructions[0] > 0 && instructions[1] > 0)
    g_assert_cmpfloat (instructions[0], >, instructions[1]);       /* vectors of four, and one copy less of the product */
}

static void
test_time_json (void)
{
  static const char *const NUMBERS[] = { "min", "median", "q1", "q3", "iqr", "max", "build-ns" };
  g_autoptr (JsonNode) ends = run_json ("time " MODULE " --steps " STEPS " --samples 3");
  JsonObject *last = element (ends, "results", 1);

  g_assert_true (json_object_has_member (json_node_get_object (ends), "conditions"));
  g_assert_cmpuint (count (ends, "results"), ==, 2);
  for (guint i = 0; i < G_N_ELEMENTS (NUMBERS); i++)
    if (!json_object_has_member (last, NUMBERS[i]) || json_object_get_double_member (last, NUMBERS[i]) < 0)
      g_test_fail_printf ("time: no number \"%s\"", NUMBERS[i]);
  check_counters (element (ends, "results", 0), last);
  g_assert_cmpstr (json_object_get_string_member (element (ends, "results", 0), "name"), ==, "unscheduled");
  g_assert_cmpint (json_object_get_int_member (last, "step"), ==, 5);
  g_assert_true (json_object_get_boolean_member (last, "equal"));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (last, "samples")), ==, 3);
  g_assert_cmpfloat (json_object_get_double_member (json_object_get_object_member (last, "to-first"), "speedup"), >, 0);
}

/* ---- roofline, equal --inputs ------------------------------------------------------------ */

static void
test_roofline (void)
{
  g_autoptr (JsonNode) root = run_json ("roofline " MODULE " --steps " STEPS " --budget-ms 50 --cache 32768");
  JsonObject *machine = json_object_get_object_member (json_node_get_object (root), "machine");

  g_assert_cmpfloat (json_object_get_double_member (machine, "gflops"), >, 0);
  g_assert_true (json_object_has_member (machine, "date"));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (machine, "levels")), >=, 1);
  g_assert_cmpuint (count (root, "steps"), ==, 6);
  for (guint i = 0; i < 6; i++)
    {
      JsonObject *step = element (root, "steps", i);

      g_assert_cmpint (json_object_get_int_member (step, "step"), ==, i);
      g_assert_true (json_object_get_boolean_member (step, "measured"));
      g_assert_cmpfloat (json_object_get_double_member (step, "flop"), ==, 128 * 128 * 128 * 2 + 128 * 128);
      g_assert_cmpfloat (json_object_get_double_member (step, "gflops"), >, 0);
    }
  /* For each i: a row of A and Y and all of B; then Y, and C. */
  g_assert_cmpfloat (json_object_get_double_member (element (root, "steps", 0), "bytes"), ==, 128.0 * (65536 + 2 * 512) + 2 * 65536);
}

/* What is proposed is measured beside its estimate, the best is taken, is faster, and its trace leads there. */
static void
test_advise (void)
{
  g_autoptr (JsonNode) root = run_json ("advise data/samples/matmul_128.py --follow 2 --cores one --budget 60");
  JsonObject *best = json_object_get_object_member (json_node_get_object (root), "best");
  guint n = count (root, "proposals"), taken = 0, measured = 0;

  g_assert_cmpuint (n, >, 5);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *proposal = element (root, "proposals", i);

      g_assert_cmpfloat (json_object_get_double_member (proposal, "estimate-low"), >, 0);
      if (json_object_has_member (proposal, "seconds"))
        {
          double seconds = json_object_get_double_member (proposal, "seconds");

          g_assert_cmpfloat (seconds, >=, json_object_get_double_member (proposal, "q1"));
          g_assert_cmpfloat (seconds, <=, json_object_get_double_member (proposal, "q3"));
          measured++;
        }
      else
        g_assert_true (json_object_has_member (proposal, "problem"));
      taken += json_object_get_boolean_member (proposal, "taken");
    }
  g_assert_cmpuint (measured, >=, 3);
  g_assert_cmpuint (taken, >=, 1);
  g_assert_cmpfloat (json_object_get_double_member (best, "seconds") * 5, <, json_object_get_double_member (json_node_get_object (root), "seconds"));
  g_assert_nonnull (strstr (json_object_get_string_member (best, "trace"), "sch.vectorize"));
}

/* Proposals that take longer than their share of the budget are left off and say so; what is expected to be no faster is not begun, and behind
 * the budget nothing is. */
static void
test_advise_budget (void)
{
  g_autofree char *sample = ls_test_path ("../data/samples/matmul_512.py"), *text = NULL, *large = NULL, *file = NULL, *words = NULL;
  g_auto (GStrv) parts = NULL;
  g_autoptr (JsonNode) root = NULL;
  gint64 over = -1;             /* the round in which the budget was used up */
  guint left = 0;

  g_assert_true (g_file_get_contents (sample, &text, NULL, NULL));
  parts = g_strsplit (text, "512", -1);
  large = g_strjoinv ("1024", parts);
  file = g_build_filename (g_get_tmp_dir (), "loopscope-large-product.py", NULL);
  g_assert_true (g_file_set_contents (file, large, -1, NULL));
  words = g_strdup_printf ("advise %s --follow 2 --cores one --budget 1", file);
  root = run_json (words);
  for (guint i = 0; i < count (root, "proposals"); i++)
    {
      JsonObject *proposal = element (root, "proposals", i);

      if (json_object_has_member (proposal, "seconds"))
        g_assert_cmpint (json_object_get_int_member (proposal, "round"), !=, over);
      else
        {
          const char *problem = json_object_get_string_member_with_default (proposal, "problem", "");

          if (strcmp (problem, "the budget is used up") == 0)
            over = json_object_get_int_member (proposal, "round");
          left += *problem != '\0';
        }
    }
  g_assert_cmpuint (left, >=, 2);
  g_remove (file);
}

/* Beside the simulation stands what the processor counted with why it differs, or that it counts nothing. */
static void
test_counted (void)
{
  g_autoptr (JsonNode) root = run_json ("caches " MODULE " --level 32k:8 --counters");
  g_auto (LsTestRun) text = run ("caches " MODULE " --level 32k:8 --counters");
  JsonObject *object = json_node_get_object (root);

  if (json_object_has_member (object, "counters-text"))
    {
      g_assert_true (g_str_has_prefix (json_object_get_string_member (object, "counters-text"), "Hardware counters are not available: "));
      g_assert_nonnull (strstr (text.out, json_object_get_string_member (object, "counters-text")));
      g_assert_cmpuint (count (root, "counted"), ==, 0);
      return;
    }
  for (guint i = 0; i < count (root, "counted"); i++)
    g_assert_nonnull (strstr (text.out, "simulated; "));
}

static void
test_same (void)
{
  g_autoptr (JsonNode) root = run_json ("equal " MODULE " " MODULE " --inputs 2");
  g_auto (LsTestRun) different = run ("equal " MODULE " data/samples/matmul_128.py --inputs 2");

  g_assert_cmpint (different.status, ==, 1);
  g_assert_true (g_str_has_prefix (different.out, "different results, first on input 1; C: "));
  g_assert_cmpstr (json_object_get_string_member (json_node_get_object (root), "state"), ==, "same");
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (root), "inputs"), ==, 2);
}

/* ---- llvm, asm ------------------------------------------------------------------------ */

static void
test_llvm (void)
{
  g_autoptr (JsonNode) root = run_json ("llvm FILE --func add");
  g_auto (LsTestRun) optimised = run ("llvm FILE --func add");
  g_auto (LsTestRun) raw = run ("llvm FILE --func add --raw");

  g_assert_cmpstr (json_object_get_string_member (json_node_get_object (root), "ir"), ==, optimised.out);
  g_assert_cmpstr (json_object_get_string_member (json_node_get_object (root), "raw-ir"), ==, raw.out);
  g_assert_cmpstr (optimised.out, !=, raw.out);
  g_assert_null (strstr (raw.out, "@scale"));
}

/* Every group stands under the line that it says it comes from, and the addition is under the line that adds. */
static void
test_asm (void)
{
  g_autoptr (JsonNode) root = run_json ("asm FILE --func add --target 'llvm -mcpu=x86-64 -mtriple=x86_64-linux-gnu'");
  g_auto (LsTestRun) text = run ("asm FILE --func add --target 'llvm -mcpu=x86-64 -mtriple=x86_64-linux-gnu'");
  g_auto (GStrv) lines = g_strsplit (json_object_get_string_member (json_node_get_object (root), "module"), "\n", -1);
  gboolean adds = FALSE;

  g_assert_cmpint (text.status, ==, 0);
  g_assert_nonnull (strstr (text.out, "C[vi, vj] = A[vi, vj] + B[vi, vj]\n"));
  for (guint i = 0; i < count (root, "groups"); i++)
    {
      JsonObject *group = element (root, "groups", i);
      JsonArray *instructions = json_object_get_array_member (group, "instructions");
      const char *source = json_object_get_string_member (group, "source");
      gint64 line = json_object_get_int_member (group, "line");

      g_assert_cmpstr (source, ==, line > 0 ? lines[line - 1] : "");
      for (guint k = 0; k < json_array_get_length (instructions); k++)
        if (g_str_has_prefix (json_array_get_string_element (instructions, k), "addss"))
          adds |= strstr (source, "C[vi, vj] = A[vi, vj] + B[vi, vj]") != NULL;
    }
  g_assert_true (adds);
  g_assert_true (json_object_has_member (json_node_get_object (root), "assembly"));
  g_assert_true (json_object_has_member (element (root, "remarks", 0), "remark"));
}

/* ---- arrays ---------------------------------------------------------------------------- */

static void
write_array (const char  *name,
             int          ndim,
             const gint64 *shape,
             LsDLDataType dtype,
             double       step)
{
  g_autoptr (LsNDArray) array = ls_ndarray_new (ndim, shape, dtype, NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  for (gint64 i = 0; i < ls_tensor_n_elements (&array->tensor); i++)
    ls_tensor_set_double (&array->tensor, i, (double) i * step);
  g_assert_true (ls_npy_write (path, &array->tensor, NULL));
}

/* A header and so many bytes after it. */
static void
write_header (const char *name,
              const char *dictionary,
              gsize       n_bytes,
              const void *bytes)
{
  g_autoptr (GByteArray) out = g_byte_array_new ();
  g_autofree char *padded = g_strdup_printf ("%-117s\n", dictionary);
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_byte_array_append (out, (const guint8 *) "\x93NUMPY\1\0\x76\0", 10);
  g_byte_array_append (out, (const guint8 *) padded, 118);
  g_byte_array_append (out, bytes, (guint) n_bytes);
  g_assert_true (g_file_set_contents (path, (const char *) out->data, out->len, NULL));
}

static void
make_files (void)
{
  static const gint64 shape[] = { 3, 4 }, turned[] = { 4, 3 }, flat[] = { 12 }, one[] = { 1 };
  static const float numbers[12] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };

  two = ls_test_write ("two.py", TWO);
  folder = ls_test_temporary ("arrays");
  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  write_array ("a.npy", 2, shape, LS_DT_FLOAT32, 1);
  write_array ("zeros.npy", 2, shape, LS_DT_FLOAT32, 0);
  write_array ("shape.npy", 2, turned, LS_DT_FLOAT32, 1);
  write_array ("flat.npy", 1, flat, LS_DT_FLOAT32, 1);
  write_array ("one.npy", 1, one, LS_DT_FLOAT32, 1);
  write_array ("double.npy", 2, shape, LS_DT_FLOAT64, 1);
  write_header ("fortran.npy", "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }", sizeof numbers, numbers);
  write_header ("object.npy", "{'descr': '|O', 'fortran_order': False, 'shape': (3, 4), }", sizeof numbers, numbers);
  write_header ("short.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }", 20, numbers);
  write_header ("huge.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", sizeof numbers, numbers);
  g_free (ls_test_write ("arrays/text.npy", "not an array\n"));
  g_free (ls_test_write ("arrays/empty.npy", ""));
}

int
main (int   argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  make_files ();
  g_setenv ("XDG_CACHE_HOME", folder, TRUE);    /* what roofline keeps of the machine */
  g_test_add_func ("/cli/machine/status", test_status);
  g_test_add_func ("/cli/machine/run/files", test_files);
  g_test_add_func ("/cli/machine/run/seeds", test_seeds);
  g_test_add_func ("/cli/machine/run/json", test_run_json);
  g_test_add_func ("/cli/machine/time", test_time);
  g_test_add_func ("/cli/machine/time/json", test_time_json);
  g_test_add_func ("/cli/machine/roofline", test_roofline);
  g_test_add_func ("/cli/machine/advise", test_advise);
  g_test_add_func ("/cli/machine/advise-budget", test_advise_budget);
  g_test_add_func ("/cli/machine/counted", test_counted);
  g_test_add_func ("/cli/machine/same", test_same);
  g_test_add_func ("/cli/machine/llvm", test_llvm);
  g_test_add_func ("/cli/machine/asm", test_asm);
  status = g_test_run ();
  g_free (two);
  g_free (folder);
  return status;
}
