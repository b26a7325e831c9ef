/* graph: the command: text, JSON, pictures, passes, searching, and what it says of wrong requests. */
#include "tests/support/command.h"
#include "tests/support/support.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define MLP "data/samples/mlp.py"
#define MODULE "data/samples/mm_relu.py"
#define CLI "app/cli/loopscope-cli"
#define SHADOW_LINE "stroke-dasharray:2,4"

static LsTestRun
run (const char *words)
{
  g_autofree char *line = g_strdup_printf ("graph %s", words);

  return ls_test_run (CLI, line);
}

static void
assert_says (const char *words,
             int         status,
             const char *text)
{
  g_auto (LsTestRun) result = run (words);

  if (result.status != status || strstr (status == 0 ? result.out : result.err, text) == NULL)
    g_test_fail_printf ("graph %s: status %d, %d expected; \"%s\" is not in\n%s%s", words, result.status, status, text, result.out, result.err);
}

static void
test_text (void)
{
  assert_says (MLP, 0, "lv0     R.matmul        x, lv     (1, 128) float32");
  assert_says (MLP, 0, "13 nodes, 12 edges");
  assert_says (MLP " --compare " MLP, 0, "score 1.00");
  assert_says (MLP " --compare " MLP " --pass LegalizeOps --pass AnnotateTIROpPattern --pass FuseOps --pass FuseTIR", 0, "> lv0 matmul, lv1 add, lv2 relu -> ");
  assert_says (MLP " --compare " MLP " --json", 0, "\"only_left\"");
  assert_says (MLP " --memory", 0, "KiB at lv0 (call 2 of 7); inputs and weights");
  assert_says (MLP " --matches", 2, "--matches is for --compare");
  assert_says (MODULE, 0, "RAW Y Y");
  assert_says (MODULE " --kind te", 0, "reduce vk: 128");
  assert_says (MODULE " --kind loops --steps data/samples/mm_relu_steps.py", 0, "split by step 1");
  assert_says ("tests/golden/fx/mlp.fx.json", 0, "result");
  assert_says ("tests/golden/fx/mlp.fx.json --kind relax", 0, "R.function");
  assert_says (MLP " --fold-constants", 0, "b0 (128,) float32");
}

static void
test_passes (void)
{
  assert_says (MLP " --each --pass 'LegalizeOps()' --pass 'AnnotateTIROpPattern()' --pass 'FuseOps()' --pass 'FuseTIR()'", 0, "---- 1 LegalizeOps(): 7 changed");
  assert_says (MLP " --each --pass 'LegalizeOps()' --pass 'AnnotateTIROpPattern()' --pass 'FuseOps()' --pass 'FuseTIR()'", 0, "fused_matmul_add_relu · call_tir");
  assert_says (MLP " --kind blocks --pass 'LegalizeOps()'", 0, "T_transpose");
}

static void
test_search (void)
{
  assert_says (MLP " --search 'matmul -> add'", 0, "2 matches of matmul -> add\n  matmul (lv0) -> add (lv1)\n");
  assert_says (MLP " --search 'matmul ->'", 1, "A name is missing after");
}

static void
test_json (void)
{
  g_auto (LsTestRun) result = run (MLP " --json --search relu --pass 'LegalizeOps()'");
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *state;

  g_assert_cmpint (result.status, ==, 0);
  g_assert_true (json_parser_load_from_data (parser, result.out, -1, NULL));
  state = json_array_get_object_element (json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "states"), 0);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (state, "nodes")), ==, 13);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (state, "matches")), ==, 1);
}

static void
test_files (void)
{
  static const char *const endings[] = { "dot", "svg", "pdf", "png" };
  static const char *const starts[] = { "digraph", "<?xml", "%PDF", "\x89PNG" };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *name = g_strdup_printf ("graph.%s", endings[i]);
      g_autofree char *path = ls_test_temporary (name);
      g_autofree char *line = g_strdup_printf (MODULE " -o %s", path);
      g_auto (LsTestRun) result = run (line);
      g_autofree char *text = NULL;

      g_assert_cmpstr (result.err, ==, "");
      g_assert_cmpint (result.status, ==, 0);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_true (g_str_has_prefix (text, starts[i]));
    }
}

/* Two models as pictures of one series: the operator that only the left one has stands in the second one as a shadow, with the lines that led to and from it. */
static void
test_pair (void)
{
  g_autofree char *text = NULL, *picture = ls_test_temporary ("pair.svg"), *second = ls_test_temporary ("pair-1.svg"), *drawn = NULL;
  g_autofree char *sample = ls_test_path ("../data/samples/mlp.py"), *changed = NULL, *path = NULL, *line = NULL;
  g_auto (GStrv) parts = NULL, lines = NULL;

  g_assert_true (g_file_get_contents (sample, &text, NULL, NULL));
  parts = g_strsplit (text, "R.nn.relu", -1);
  changed = g_strjoinv ("R.tanh", parts);
  path = ls_test_write ("tanh.py", changed);
  line = g_strdup_printf (MLP " --compare %s -o %s", path, picture);
  {
    g_auto (LsTestRun) result = run (line);

    g_assert_cmpstr (result.err, ==, "");
    g_assert_cmpint (result.status, ==, 0);
  }
  g_assert_true (g_file_get_contents (second, &drawn, NULL, NULL));
  lines = g_strsplit (drawn, SHADOW_LINE, -1);
  g_assert_cmpuint (g_strv_length (lines) - 1, ==, 2);
}

/* All that is known of nodes and edges, and the module after passes, which is read again. */
static void
test_saved (void)
{
  g_autofree char *json = ls_test_temporary ("graph.json"), *module = ls_test_temporary ("after.py");
  g_autofree char *line = g_strdup_printf (MLP " -o %s", json), *line2 = g_strdup_printf (MLP " --pass LegalizeOps -o %s", module);
  g_auto (LsTestRun) first = run (line), second = run (line2);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;
  JsonObject *node;

  g_assert_cmpint (first.status, ==, 0);
  json_parser_load_from_file (parser, json, &error);
  g_assert_no_error (error);
  node = json_array_get_object_element (json_object_get_array_member (json_node_get_object (json_parser_get_root (parser)), "nodes"), 6);
  g_assert_cmpstr (json_object_get_string_member (node, "key"), ==, "main/lv0");
  g_assert_cmpstr (json_object_get_string_member (node, "type"), ==, "(1, 128) float32");
  g_assert_cmpint (second.status, ==, 0);
  assert_says (module, 0, "call_tir");
}

static void
test_numbers (void)
{
  g_autofree char *path = ls_test_write ("numbers.json", "{\"profile\": [{\"name\": \"matmul\", \"calls\": 1, \"ns\": 2500.0}]}");
  g_autofree char *other = ls_test_write ("other.json", "{\"profile\": [{\"name\": \"nothing\", \"calls\": 1, \"ns\": 2500.0}]}");
  g_autofree char *line = g_strdup_printf (MLP " --pass 'LegalizeOps()' --numbers %s", path);
  g_autofree char *wrong = g_strdup_printf (MLP " --pass 'LegalizeOps()' --numbers %s", other);

  assert_says (line, 0, "2.5 µs 100.0 %");
  assert_says (wrong, 1, "None of its functions is called in this graph.");
}

static void
test_wrong (void)
{
  assert_says ("", 2, "a file is expected");
  assert_says (MLP " --kind circle", 2, "relax, te, blocks, loops or fx is expected");
  assert_says (MLP " -o picture.gif", 2, "a name that ends in .svg, .png, .pdf, .dot, .json or .py is expected");
  assert_says (MLP " --each", 2, "there is none");
  assert_says (MLP " --kind blocks", 1, "there is no PrimFunc");
  assert_says (MLP " --kind fx", 1, "is no saved graph of torch.fx");
  assert_says (MODULE " --kind relax", 1, "there is no function of Relax");
  assert_says (MLP " --pass 'Nothing()'", 1, "Nothing");
  assert_says ("nowhere.py", 1, "nowhere.py");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/graph/text", test_text);
  g_test_add_func ("/cli/graph/passes", test_passes);
  g_test_add_func ("/cli/graph/search", test_search);
  g_test_add_func ("/cli/graph/json", test_json);
  g_test_add_func ("/cli/graph/files", test_files);
  g_test_add_func ("/cli/graph/pair", test_pair);
  g_test_add_func ("/cli/graph/saved", test_saved);
  g_test_add_func ("/cli/graph/numbers", test_numbers);
  g_test_add_func ("/cli/graph/wrong", test_wrong);
  return g_test_run ();
}
