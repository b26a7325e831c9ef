/* cli: the built loopscope-cli, command by command: exit status, what it prints where, JSON and its members.
 * Commands that make code (run, time, llvm, asm): machine.c.
 */
#include "tests/support/command.h"
#include "tests/support/support.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define MODULE "data/samples/mm_relu.py"
#define GRAPH "tests/golden/pass/own-bind-symbols.py"
#define LOG "tests/fuzz/corpus/passlog/mlir.log"
#define STEPS "data/samples/mm_relu_steps.py"
#define STOCHASTIC "tests/golden/cli/stochastic.py"

/* `line`: the arguments, separated as in a shell. */
static LsTestRun
run (const char *line)
{
  return ls_test_run ("app/cli/loopscope-cli", line);
}

/* ---- exit status ------------------------------------------------------------ */

static const struct {
  const char *line;
  int         status;
  const char *says;             /* on the stream that the status calls for */
} CALLS[] = {
  { "--help", 0, "Usage: loopscope-cli" },
  { "--version", 0, "loopscope-cli " },
  { "", 2, "Commands:" },
  { "frob", 2, "there is no command \"frob\"" },
  { "print " MODULE, 0, "def mm_relu" },
  { "print " MODULE " --func mm_relu", 0, "def mm_relu" },
  { "print tests/golden/parse/dtypes.py", 0, "\n\n@T.prim_func\ndef main" },
  { "print " MODULE " --func nope", 1, "no function \"nope\"" },
  { "print", 2, "a file is expected" },
  { "report " MODULE, 2, "a FILE and -o OUT.html are needed" },
  { "print " MODULE " --style 1999", 2, "--style 1999" },
  { "print " MODULE " --style", 2, "--style needs a value" },
  { "print " MODULE " --frob", 2, "--frob is no option" },
  { "print " MODULE " " MODULE, 2, "is one argument too many" },
  { "print nowhere.py", 1, "there is no file nowhere.py" },
  { "print data", 1, "data is a folder" },
  { "check " MODULE, 0, "1 function, well formed" },
  { "check", 2, "a file is expected" },
  { "check nowhere.py", 1, "there is no file nowhere.py" },
  { "passes " LOG, 0, "5 dumps, 3 with an effect" },
  { "passes " LOG " --diff 2 3", 0, "f: +6 (0 of them copies) -3 ~1 moved 0 same 3" },
  { "passes " LOG " --diff 3 2", 1, "two numbers of dumps from 1 to 5 in their order" },
  { "passes " LOG " --who-removed affine.load", 0, "ConvertAffineToStandard" },
  { "passes " LOG " --who-removed arith.mulf", 1, "arith.mulf is there to the end" },
  { "passes " LOG " --first scf.for --json", 0, "\"line\" : 23" },
  { "passes " LOG " --first-difference " LOG, 0, "no difference" },
  { "passes " LOG " --kind gcd", 1, "There is no kind gcd" },
  { "passes " LOG " --kind xla", 1, "No dump of a pass was found (kind xla)" },
  { "passes " LOG " --to html", 2, "--to needs -o OUT" },
  { "passes " LOG " --to pdf -o x", 1, "there is no format pdf; there are html and session" },
  { "passes " LOG " --own x.py", 2, "a log, a folder, - or a command after -- is expected" },
  { "passes " LOG " --follow arith.mulf", 0, "pinned" },
  { "passes " LOG " --follow %nowhere", 1, "no dump has %nowhere" },
  { "passes " LOG " --follow x --from NoPass", 1, "there is no pass NoPass" },
  { "passes " LOG " --time", 2, "--time is for --own FILE" },
  { "passes " LOG " --list --counts", 0, "5 dumps, 3 with an effect" },
  { "passes nowhere.log", 1, "there is no file nowhere.log" },
  { "passes", 2, "a log, a folder, - or a command after -- is expected" },
  { "passes -- cat " LOG, 0, "mlir (recognised" },
  { "equal " MODULE " " MODULE, 0, "equal" },
  { "equal " MODULE, 2, "two files are expected" },
  { "apply " MODULE " --steps " STEPS, 0, "Y_update" },
  { "apply " MODULE " --steps " STEPS " --upto x", 2, "--upto x" },
  { "apply " MODULE, 2, "a file and --steps are expected" },
  { "apply " MODULE " --steps nowhere.py", 1, "there is no file nowhere.py" },
  { "apply " MODULE " --steps " STOCHASTIC " --trace json", 0, "\"SamplePerfectTile\"" },
  { "apply " MODULE " --steps " STOCHASTIC " --trace --decide '1=[32, 4]'", 0, "decision=[32, 4]" },
  { "apply " MODULE " --steps " STOCHASTIC " --decide 2=3", 1, "that step draws nothing" },
  { "apply " MODULE " --steps " STOCHASTIC " --decide x", 1, "the number of a step and its decision" },
  { "apply " MODULE " --steps " STOCHASTIC " --simplified", 0, "sample_perfect_tile" },
  { "apply " MODULE " --steps " STEPS " --trace --replace 1 'sch.split(j, factors=[None, 8])'", 0, "factors=[None, 8]" },
  { "apply " MODULE " --steps " STEPS " --replace 1 'sch.split(j, factors=[2, 2])'", 1, "split is refused" },
  { "apply " MODULE " --steps " STEPS " --replace 99 'sch.parallel(j)'", 1, "steps that change the program" },
  { "apply " MODULE " --steps " STEPS " --replace 1", 2, "--replace takes the number" },
  { "apply " MODULE " --steps " STEPS " --intrin nowhere.py", 1, "there is no file nowhere.py" },
  { "apply " MODULE " --steps " STEPS " --intrin " MODULE, 1, "registers no intrinsic" },
  { "explain", 0, "sample_compute_location" },
  { "explain split", 0, "Split in JSON traces" },
  { "explain frob", 1, "there is no primitive frob" },
  { "explain split --source", 0, "engine/schedule/primitive/split.c:" },
  { "explain split --source", 0, "  not-from-zero            engine/schedule/legal/condition.c:" },
  { "explain --source", 2, "of one primitive" },
  { "explain split fuse", 2, "\"fuse\" is a second one" },
  { "rules", 0, "  iteration maps " },
  { "rules floordiv/chain", 0, "floordiv/chain 1   proved     x // c1 // c2 -> x // (c1 * c2)   where c1 > 0 && c2 > 0" },
  { "rules floordiv/chain 1", 0, "Proved by Z3 for integers without bounds" },
  { "rules add/vector 5", 0, "where 0.0 and -0.0 are one number" },
  { "rules --counts", 0, ", 0 left\n" },
  { "rules --counts frob", 1, "counts the rules of all tables" },
  { "rules frob", 1, "there is no table of rules called frob" },
  { "rules floordiv/chain 3", 1, "have the numbers 1 to 2, not 3" },
  { "rules floordiv/chain 1 2", 2, "is one argument too many" },
  { "inspect " MODULE, 0, "Y -> C  RAW  Y" },
  { "inspect " MODULE " --block Y --loop j", 0, "cache lines" },
  { "inspect " MODULE " --block Q", 1, "there is no block Q" },
  { "inspect " MODULE " --block Y --loop z", 1, "its loops are i, j, k" },
  { "inspect " MODULE " --loop j", 2, "--loop needs --block" },
  { "inspect " MODULE " --accesses", 0, "L1 confl." },
  { "inspect " MODULE " --iterations", 1, "small extents" },
  { "inspect " MODULE " --line-bytes 0", 2, "--line-bytes" },
  { "caches " MODULE " --level 32k:8", 0, "8437.8 k accesses, lines of 64 bytes, L1 32768 bytes with 8 ways" },
  { "caches " MODULE " --level 32k:8 --as-is", 0, "simulated: 100 % of them" },
  { "caches " MODULE " --level 32k:8 --distances", 0, "64 to 127" },
  { "caches " MODULE " --level 32k:7", 2, "a multiple of its ways" },
  { "caches " MODULE " --level 32k", 2, "--level is BYTES:WAYS" },
  { "caches " MODULE " --line-bytes 48", 2, "a power of two" },
  { "source " MODULE " --format numpy", 0, "for k in range(128):" },
  { "source " MODULE " --format numpy --lines", 0, "Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]" },
  { "source " MODULE " --format numpy --target cuda", 2, "it has no target" },
  { "source " MODULE " --format perl", 2, "--format is numpy, ptx, amdgcn or llvm" },
  { "search " MODULE, 2, "a file and --steps or --space are expected" },
  { "search " MODULE " --steps " STOCHASTIC " --trials 0", 2, "--trials is at least 1" },
  { "search " MODULE " --steps nowhere.py", 1, "there is no file nowhere.py" },
  { "moves " MODULE " --block Y", 0, "Can be applied" },
  { "moves " MODULE " --block Q", 1, "there is no block Q; the blocks are Y, C" },
  { "moves " MODULE " --block Y --loop z", 1, "its loops are i, j, k" },
  { "moves " MODULE, 2, "a file and --block are expected" },
  { "diff " MODULE " " MODULE, 0, "No difference" },
  { "diff " MODULE " " MODULE " --format text", 0, "No difference" },
  { "diff " MODULE " --steps " STEPS, 0, "step 5 of 5" },
  { "diff " MODULE " --steps " STEPS " --step 9", 1, "there is no step 9" },
  { "diff " MODULE " --steps " STEPS " --step 2 --from 2", 1, "--from 2 is not before step 2" },
  { "diff " MODULE " --steps " STEPS " --step 0", 2, "--step 0" },
  { "diff " MODULE, 2, "a second file is expected, or --steps" },
  { "diff " MODULE " " MODULE " --step 1", 2, "--step needs --steps" },
  { "diff " MODULE " " MODULE " --format frob", 2, "--format frob" },
  { "lower --list", 0, "LowerOpaqueBlock" },
  { "lower --list", 0, "By name only:" },
  { "lower " MODULE " --pass NarrowDataType", 0, "def mm_relu" },
  { "lower " MODULE, 0, "def mm_relu" },
  { "lower " MODULE " --pass Frob", 1, "there is no pass Frob" },
  { "lower " MODULE " --pass 'NarrowDataType(target_bits=16)'", 0, "def mm_relu" },
  { "lower " MODULE " --pass 'tir.transform.Simplify(convert_boolean_to_and_of_ors=True)'", 0, "def mm_relu" },
  { "lower " MODULE " --pass 'NarrowDataType(bits=16)'", 1, "it is called NarrowDataType(target_bits=32)" },
  { "lower " MODULE " --pass 'ThreadSync(storage_scope=\"global\")'", 1, "ThreadSync: Barriers are for" },
  { "pass " MODULE " --pass LowerInitBlock --pass 'tir.Simplify' --each", 0, "# ---- 2 tir.Simplify" },
  { "pass " MODULE " --pass HoistIfThenElse --pass RemoveAssume --pass RemoveStoreUndef", 0, "def mm_relu" },
  { "pass " MODULE " --pass tir.InlinePrivateFunctions --pass relax.transform.InlinePrivateFunctions", 0, "def mm_relu" },
  { "pass " MODULE " --pass 'tir.LoopPartition(partition_const_loop=\"a\")'", 2, "is True or False" },
  { "pass " MODULE " --pass tir.FuseOps", 2, "there is no pass FuseOps" },
  { "pass --list", 0, "tir.HoistExpression(hoisted_conditionals=15, hoisted_let_bindings=7)" },
  { "lower", 2, "a file is expected, or --list" },
  { "pass --list", 0, "DeadCodeElimination(entry_functions=None)" },
  { "pass " GRAPH " --pass ToNonDataflow", 0, "class Module" },
  { "pass " GRAPH " --pass 'BindSymbolicVars({\"n\": 3})' --pass Normalize --each", 0, "# ---- 2 Normalize" },
  { "pass " GRAPH " --pass 'relax.transform.ToNonDataflow()' --style 2023", 0, "class Module" },
  { "pass " GRAPH " --pass Frob", 2, "There is no pass Frob; there are:" },
  { "pass " GRAPH " --pass DeadCode", 2, "there are: DeadCodeElimination" },
  { "pass " GRAPH " --pass 'Normalize(3)'", 2, "it is called Normalize()" },
  { "pass " GRAPH " --pass 'ConvertToDataflow(size=3)'", 2, "ConvertToDataflow(min_size=2)" },
  { "pass " GRAPH " --pass 'ConvertToDataflow(min_size=\"a\")'", 2, "is a whole number" },
  { "pass " GRAPH " --pass 'Normalize('", 2, "never closed" },
  { "pass " GRAPH " --pass 'BindSymbolicVars({\"q\": 3})'", 1, "No function has a symbolic variable `q`" },
  { "pass " GRAPH " --pass 'BindParams(\"main\", \"nowhere.npz\")'", 1, "nowhere.npz" },
  { "pass " GRAPH " --pass 'BindParams(\"frob\", {})'", 1, "no function `frob`" },
  { "pass " GRAPH, 2, "--pass 'Name(arguments)' is expected" },
  { "pass --pass Normalize", 2, "a file is expected, or --list" },
  { "check " GRAPH, 0, "2 functions, well formed" },
  { "simplify 'x * 4 // 4' --var x:0..8", 0, "x" },
  { "simplify", 2, "expected" },
  { "reduce " MODULE " --while 'grep -q T.max'", 0, "T.max(" },
  { "reduce " MODULE " --while 'test \"$(grep -c T.max $1)\" = 1'", 0, "T.max(" },
  { "reduce " MODULE " --while false", 1, "the command fails on the program itself" },
  { "reduce " MODULE " --while 'sleep 30' --seconds 1", 1, "the command fails on the program itself" },
  { "reduce " MODULE, 2, "--while COMMAND is expected" },
  { "reduce " MODULE " --while true -o " MODULE, 2, "is the program itself" },
  { "reduce --while true", 2, "a file is expected" },
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
        g_test_fail_printf ("%s: standard output is not empty", CALLS[i].line);
    }
}

static void
test_help (void)
{
  g_auto (LsTestRun) all = run ("--help");
  g_auto (GStrv) lines = g_strsplit (all.out, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autofree char *line = NULL;

      if (strncmp (lines[i], "  ", 2) != 0 || !g_ascii_islower (lines[i][2]))
        continue;
      line = g_strdup_printf ("%.*s --help", (int) strcspn (lines[i] + 2, " "), lines[i] + 2);
      n++;
      {
        g_auto (LsTestRun) one = run (line);

        g_assert_cmpint (one.status, ==, 0);
        g_assert_true (g_str_has_prefix (one.out, "Usage: loopscope-cli "));
      }
    }
  g_assert_cmpuint (n, >=, 8);
}

/* ---- JSON -------------------------------------------------------------------- */

static const struct {
  const char *line;
  const char *members;          /* of the object, or of the first object of the array */
} JSON[] = {
  { "print " MODULE, "text functions" },
  { "check " MODULE, "ok functions findings" },
  { "equal " MODULE " " MODULE, "equal" },
  { "apply " MODULE " --steps " STEPS, "done findings steps trace module" },
  { "moves " MODULE " --block Y --loop k", "group primitive call effect steps replays culprits" },
  { "inspect " MODULE, "dependences buffers peak_bytes loops" },
  { "inspect " MODULE " --accesses", "dependences buffers peak_bytes loops accesses" },
  { "inspect " MODULE " --block Y --loop j", "footprint dependences" },
  { "caches " MODULE " --level 32k:8", "accesses simulated seconds line-bytes caches buffers all loops" },
  { "source " MODULE " --format numpy", "language source module functions lines" },
  { "explain split", "name summary signature condition source kind parameters conditions example" },
  { "explain", "name summary signature" },
  { "explain split --source", "name file line text conditions" },
  { "rules", "rules steps" },
  { "diff " MODULE " " MODULE, "before after format same changes kept summary" },
  { "diff " MODULE " --steps " STEPS " --step 1", "before after format same steps changes kept summary" },
  { "diff " MODULE " --steps " STEPS " --step 1 --format text", "before after format same steps lines" },
  { "passes " LOG " --follow arith.mulf --json", "passes gone unchanged" },
  { "lower --list", "name summary lowering" },
  { "lower " MODULE " --all", "pass changed module" },
  { "pass " GRAPH " --pass ToNonDataflow --each", "passes text" },
  { "pass --list", "name level summary parameters" },
  { "simplify 'x + x' --var x:0..8", "simplified bound" },
  { "reduce " MODULE " --while 'grep -q T.max'", "text lines_before lines runs" },
};

static JsonObject *
object_of (JsonNode *root)
{
  if (JSON_NODE_HOLDS_ARRAY (root))
    {
      g_assert_cmpuint (json_array_get_length (json_node_get_array (root)), >, 0);
      return json_array_get_object_element (json_node_get_array (root), 0);
    }
  return json_node_get_object (root);
}

static void
check_members (const char *line,
               const char *members)
{
  g_autofree char *with_json = g_strdup_printf ("%s --json", line);
  g_auto (LsTestRun) result = run (with_json);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = json_from_string (result.out, &error);
  g_auto (GStrv) names = g_strsplit (members, " ", -1);

  g_assert_no_error (error);
  g_assert_cmpint (result.status, ==, 0);
  for (guint i = 0; names[i] != NULL; i++)
    if (!json_object_has_member (object_of (root), names[i]))
      g_test_fail_printf ("%s: no member \"%s\" in\n%s", with_json, names[i], result.out);
}

static void
test_json (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (JSON); i++)
    check_members (JSON[i].line, JSON[i].members);
}

/* What cannot be done says which line of the engine said so. */
static void
test_json_of_moves (void)
{
  g_auto (LsTestRun) result = run ("moves " MODULE " --block Y --loop k --json");
  g_autoptr (JsonNode) root = json_from_string (result.out, NULL);
  JsonArray *offers = json_node_get_array (root);
  guint n_refused = 0;

  for (guint i = 0; i < json_array_get_length (offers); i++)
    {
      JsonObject *offer = json_array_get_object_element (offers, i);
      g_auto (GStrv) place = NULL;

      if (!json_object_has_member (offer, "reason"))
        {
          g_assert_false (json_object_has_member (offer, "checked"));
          continue;
        }
      n_refused++;
      place = g_strsplit (json_object_get_string_member (offer, "checked"), ":", -1);
      g_test_message ("%s: %s", json_object_get_string_member (offer, "code"), json_object_get_string_member (offer, "checked"));
      g_assert_cmpuint (g_strv_length (place), ==, 2);
      g_assert_true (g_str_has_prefix (place[0], "engine/schedule/"));
      g_assert_cmpint (g_ascii_strtoll (place[1], NULL, 10), >, 1);
    }
  g_assert_cmpuint (n_refused, >, 3);
}

/* The numbers of `print` and of `diff` are about the same thing. */
static void
test_json_of_diff (void)
{
  g_auto (LsTestRun) result = run ("diff " MODULE " --steps " STEPS " --step 1 --json");
  g_autoptr (JsonNode) root = json_from_string (result.out, NULL);
  JsonObject *change = json_array_get_object_element (json_object_get_array_member (json_node_get_object (root), "changes"), 0);
  JsonObject *before = json_array_get_object_element (json_object_get_array_member (change, "before"), 0);
  JsonArray *after = json_object_get_array_member (change, "after");

  g_assert_cmpstr (json_object_get_string_member (change, "how"), ==, "split");
  g_assert_cmpstr (json_object_get_string_member (before, "name"), ==, "j");
  g_assert_cmpint (json_object_get_int_member (before, "line"), ==, 14);
  g_assert_cmpstr (json_object_get_string_member (before, "path"), ==, ".functions[\"mm_relu\"].body.block.body.seq[0].body");
  g_assert_cmpuint (json_array_get_length (after), ==, 2);
  g_assert_cmpstr (json_object_get_string_member (json_array_get_object_element (after, 1), "name"), ==, "j_1");
}

/* ---- errors ------------------------------------------------------------------ */

static void
test_error_places (void)
{
  g_autofree char *file = ls_test_write ("broken.py", "@T.prim_func\ndef f(A: T.Buffer((4,), \"float32\")):\n    for i in range(4):\n        A[i] = B[i]\n");
  static const char *const commands[] = { "print", "check", "lower", "moves --block B", "apply --steps " STEPS, "diff " MODULE, "equal " MODULE };
  g_autofree char *place = g_strdup_printf ("%s:4:16: error[", file);

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *line = g_strdup_printf ("%s %s", commands[i], file);
      g_auto (LsTestRun) result = run (line);

      g_assert_cmpint (result.status, ==, 1);
      if (strstr (result.err, place) == NULL)
        g_test_fail_printf ("%s: no place %s in\n%s", line, place, result.err);
    }
}

static void
test_refused (void)
{
  g_autofree char *steps = ls_test_write ("refused.py", "b = sch.get_block(\"Y\")\ni, j, k = sch.get_loops(b)\nsch.parallel(i)\nsch.fuse(i, k)\nsch.unroll(j)\n");
  g_autofree char *line = g_strdup_printf ("apply " MODULE " --steps %s", steps);
  g_autofree char *json_line = g_strdup_printf ("%s --json", line);
  g_autofree char *diff_line = g_strdup_printf ("diff " MODULE " --steps %s", steps);
  g_auto (LsTestRun) result = run (line);
  g_auto (LsTestRun) json = run (json_line);
  g_auto (LsTestRun) diff = run (diff_line);
  g_autoptr (JsonNode) root = json_from_string (json.out, NULL);
  const char *message = result.err + strlen (steps);

  g_assert_cmpint (result.status, ==, 1);
  g_assert_cmpint (json.status, ==, 1);
  g_assert_cmpint (diff.status, ==, 1);
  g_assert_true (g_str_has_prefix (result.err, steps));
  g_assert_nonnull (strstr (diff.err, ":4:1: fuse is refused"));
  ls_assert_golden ("golden/cli/refused.txt", message);
  g_assert_false (json_object_get_boolean_member (json_node_get_object (root), "done"));
  g_assert_cmpstr (json_object_get_string_member (json_node_get_object (root), "refused"), ==, "fuse");
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (root), "line"), ==, 4);
}

static void
test_different (void)
{
  g_auto (LsTestRun) result = run ("equal " MODULE " tests/golden/cli/mm_relu-tiled.py");

  g_assert_cmpint (result.status, ==, 1);
  g_assert_nonnull (strstr (result.out, MODULE ":"));
  g_assert_nonnull (strstr (result.out, "tests/golden/cli/mm_relu-tiled.py:"));
}

/* ---- outputs ----------------------------------------------------------------- */

static void
test_golden (gconstpointer data)
{
  const char *const *golden = data;
  g_autofree char *relative = g_build_filename ("golden", "cli", golden[0], NULL);
  g_auto (LsTestRun) result = run (golden[1]);

  g_assert_cmpstr (result.err, ==, "");
  g_assert_cmpint (result.status, ==, 0);
  ls_assert_golden (relative, result.out);
}

static const char *const GOLDEN[][2] = {
  { "print-2023.txt", "print data/samples/layer_norm.py --style 2023" },
  { "moves-k.txt", "moves " MODULE " --steps tests/golden/cli/three-steps.py --block Y --loop k" },
  { "diff-step-1.txt", "diff " MODULE " --steps " STEPS " --step 1" },
  { "diff-step-2.txt", "diff " MODULE " --steps " STEPS " --step 2" },
  { "diff-step-3.txt", "diff " MODULE " --steps " STEPS " --step 3" },
  { "diff-step-4.txt", "diff " MODULE " --steps " STEPS " --step 4" },
  { "diff-step-5.txt", "diff " MODULE " --steps " STEPS " --step 5" },
  { "diff-all.txt", "diff " MODULE " --steps " STEPS },
  { "diff-from-2.txt", "diff " MODULE " --steps " STEPS " --step 4 --from 2" },
  { "diff-files.txt", "diff " MODULE " tests/golden/cli/mm_relu-moved.py" },
  { "diff-text.txt", "diff " MODULE " --steps " STEPS " --step 1 --format text" },
  { "diff-words.txt", "diff " MODULE " --steps " STEPS " --step 1 --format words" },
  { "trace.txt", "apply " MODULE " --steps " STEPS " --trace" },
};

/* The printed modules of a seed, in their order: what stands between fences and is a module. (transfer container) */
static GPtrArray *
printed_in (const char *text)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) parts = g_strsplit (text, "```", -1);

  for (guint i = 1; parts[0] != NULL && parts[i] != NULL; i++)
    {
      const char *module = strstr (parts[i], "@I.ir_module\n");

      if (i % 2 == 1 && module != NULL && strstr (module, "mm_relu") != NULL)
        g_ptr_array_add (found, g_strdup (module));
    }
  return found;
}

static gboolean
is_comment (const char *line)
{
  return line[strspn (line, " ")] == '#';
}

/* Lines without comments of their own, up to the first that is empty. (transfer full) */
static char *
code_of (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *code = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
    if (!is_comment (lines[i]) || strstr (lines[i], "# with T.block") != NULL)
      g_string_append_printf (code, "%s\n", lines[i]);
  return g_string_free (code, FALSE);
}

/* The course's own printed modules, where the seeds are at hand: the printed text, after split, after reverse_compute_at. */
static void
test_seed (void)
{
  static const guint upto[] = { 0, 1, 3 };
  const char *given = g_getenv ("LS_SEEDS");
  g_autofree char *folder = given != NULL ? g_strdup (given) : g_build_filename (g_getenv ("LS_SOURCE_ROOT"), "..", "shared", "seeds", NULL);
  g_autofree char *path = g_build_filename (folder, "002_63a9ad0992316a25.txt", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GPtrArray) printed = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    {
      g_autofree char *words = g_strdup_printf ("%s is not there; LS_SEEDS says where the seeds are", path);

      g_test_skip (words);
      return;
    }
  printed = printed_in (text);
  g_assert_cmpuint (printed->len, >=, G_N_ELEMENTS (upto));
  for (guint i = 0; i < G_N_ELEMENTS (upto); i++)
    {
      g_autofree char *line = g_strdup_printf ("apply " MODULE " --steps " STEPS " --upto %u --style 2023", upto[i]);
      g_auto (LsTestRun) result = run (line);
      g_autofree char *expected = code_of (printed->pdata[i]);
      g_autofree char *found = code_of (strstr (result.out, "@I.ir_module"));

      ls_assert_same_text (found, expected);
    }
}

static void
check_round_trip (const char *file)
{
  g_autofree char *print_line = g_strdup_printf ("print '%s'", file);
  g_auto (LsTestRun) printed = run (print_line);
  g_autofree char *again = printed.status == 0 ? ls_test_write ("again.py", printed.out) : NULL;
  g_autofree char *equal_line = g_strdup_printf ("equal '%s' '%s'", file, again);

  if (again != NULL)
    {
      g_auto (LsTestRun) equal = run (equal_line);

      if (equal.status != 0)
        g_test_fail_printf ("%s: its printed text is another module:\n%s%s", file, equal.out, equal.err);
    }
}

static void
test_round_trip (gconstpointer folder)
{
  g_autofree char *full = ls_test_path (folder);
  g_autoptr (GDir) dir = g_dir_open (full, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".py") && strstr (name, "steps") == NULL)
      {
        g_autofree char *file = g_build_filename (full, name, NULL);

        check_round_trip (file);
        n++;
      }
  g_assert_cmpuint (n, >, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/status", test_status);
  g_test_add_func ("/cli/help", test_help);
  g_test_add_func ("/cli/json", test_json);
  g_test_add_func ("/cli/json/diff", test_json_of_diff);
  g_test_add_func ("/cli/json/moves", test_json_of_moves);
  g_test_add_func ("/cli/errors/places", test_error_places);
  g_test_add_func ("/cli/errors/refused", test_refused);
  g_test_add_func ("/cli/errors/different", test_different);
  g_test_add_func ("/cli/seed", test_seed);
  for (guint i = 0; i < G_N_ELEMENTS (GOLDEN); i++)
    {
      g_autofree char *path = g_strdup_printf ("/cli/golden/%s", GOLDEN[i][0]);

      g_test_add_data_func (path, GOLDEN[i], test_golden);
    }
  g_test_add_data_func ("/cli/round-trip/parse", "golden/parse", test_round_trip);
  g_test_add_data_func ("/cli/round-trip/print", "golden/print", test_round_trip);
  g_test_add_data_func ("/cli/round-trip/cli", "golden/cli", test_round_trip);
  g_test_add_data_func ("/cli/round-trip/samples", "../data/samples", test_round_trip);
  return g_test_run ();
}
