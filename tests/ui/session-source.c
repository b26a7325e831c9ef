/* session-source: which line of the opened text a line of a step stems from, and what became of a line. */
#include "tests/ui/session-parts.h"

#include <glib/gstdio.h>
#include <string.h>

/* The line (from 0) of the shown text that holds `words`. */
static guint
line_with (LsSession  *session,
           const char *words)
{
  const char *text = ls_script_text_get_text (ls_session_get_script (session)), *at = strstr (text, words);
  guint line = 0;

  if (at == NULL)
    g_error ("no %s in\n%s", words, text);
  for (const char *p = text; p < at; p++)
    line += *p == '\n';
  return line;
}

static void
assert_from (LsSession  *session,
             const char *words,
             guint       line,
             const char *said)
{
  g_autofree char *sentence = NULL;

  g_assert_cmpuint (ls_session_find_source (session, line_with (session, words), &sentence), ==, line);
  g_assert_cmpstr (sentence, ==, said);
}

/* "for k, j_1 ...|...": the lines that stem from line `line`. */
static char *
results (LsSession  *session,
         guint       line,
         const char *word,
         const char *row_name)
{
  guint64 row;
  int family;
  g_autoptr (GArray) lines = ls_session_find_result (session, line, word, &row, &family);
  g_auto (GStrv) all = g_strsplit (ls_script_text_get_text (ls_session_get_script (session)), "\n", -1);
  GString *found = g_string_new (NULL);

  g_assert_nonnull (lines);
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (found, "%s%s", i > 0 ? "|" : "", g_strstrip (all[g_array_index (lines, guint, i)]));
  if (row_name == NULL)
    g_assert_cmpuint (row, ==, 0);
  else
    g_assert_cmpuint (row, ==, loop (session, row_name)->id);
  return g_string_free (found, FALSE);
}

static const char all_steps[] =
  "b = sch.get_block(\"Y\")\n"
  "i, j, k = sch.get_loops(b)\n"
  "j0, j1 = sch.split(j, factors=[None, 4])\n"
  "sch.reorder(j0, k, j1)\n"
  "c = sch.get_block(\"C\")\n"
  "sch.reverse_compute_at(c, j0)\n"
  "sch.cache_read(b, 0, \"global\")\n"
  "sch.decompose_reduction(b, k)\n";

/* Line 4 opens i, j, k; 9 is the sum; 10 the loops of C, 13 its statement (from 1). */
static void
test_forward (void)
{
  g_autoptr (LsSession) session = open_text (session_source, all_steps);
  guint n = g_list_model_get_n_items (ls_session_get_path (session));

  g_assert_cmpuint (n, ==, 6);
  ls_session_go_to (session, n - 1);
  assert_from (session, "Y[vi, vj] + ", 9, "from line 9 of mm_relu.py");
  assert_from (session, "T.max(", 13, "from line 13 of mm_relu.py");
  assert_from (session, "Y = T.alloc_buffer", 3, "from line 3 of mm_relu.py");
  assert_from (session, "for i, j_0", 4, "from line 4 of mm_relu.py");
  assert_from (session, "for k, j_1", 4, "from line 4 of mm_relu.py");
  assert_from (session, "for j_1_init", 4, "from line 4 of mm_relu.py");
  assert_from (session, "Y[vi, vj] = T.float32", 8, "from line 8 of mm_relu.py");
  assert_from (session, "for ax0 in", 10, "from line 10 of mm_relu.py");
  assert_from (session, "with T.block(\"C\")", 11, "from line 11 of mm_relu.py");
  assert_from (session, "T.reads(Y[vi, vj])", 11, "inside of what line 11 of mm_relu.py became");
  assert_from (session, "A_global[v0, v1] = ", 0, "from no line of mm_relu.py: step 4 made it");
  assert_from (session, "# from tvm", 0, NULL);
  assert_from (session, "@T.prim_func", 2, "from line 2 of mm_relu.py");
  assert_from (session, "def mm_relu", 2, "from line 2 of mm_relu.py");
}

static void
test_back (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autofree char *loops = results (session, 4, "j", "j_0"), *sum = results (session, 9, NULL, "Y");
  g_autofree char *axes = results (session, 12, "vi", "C"), *k = results (session, 4, "k", "k");

  g_assert_cmpstr (loops, ==, "for i, j_0, k, j_1 in T.grid(128, 32, 128, 4):");
  g_assert_cmpstr (k, ==, loops);
  g_assert_true (g_str_has_prefix (sum, "Y[vi, vj] = Y[vi, vj] + "));
  g_assert_cmpstr (axes, ==, "with T.block(\"C\"):");
}

/* A comment moves the lines and leaves the program; another program has new lines; a module that no text was read from has none. */
static void
test_edited (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autofree char *commented = g_strconcat ("# one\n\n", session_source, NULL);
  g_auto (GStrv) parts = g_strsplit (commented, "    Y = T.alloc_buffer", -1);
  g_autofree char *changed = g_strjoinv ("    Z = T.alloc_buffer((8,))\n    Y = T.alloc_buffer", parts);
  g_autoptr (LsSession) again = ls_engine_session_new ();
  g_autofree char *json = NULL;

  ls_session_edit_base (session, commented);
  g_assert_null (ls_session_get_draft (session));
  assert_from (session, "T.max(", 15, "from line 15 of mm_relu.py");
  ls_session_edit_base (session, changed);
  g_assert_null (ls_session_get_draft (session));
  assert_from (session, "T.max(", 16, "from line 16 of mm_relu.py");
  ls_session_edit_base (session, commented);
  assert_from (session, "T.max(", 15, "from line 15 of mm_relu.py");
  ls_session_edit_base (session, session_source);
  assert_from (session, "T.max(", 13, "from line 13 of mm_relu.py");
  json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, NULL));
  assert_from (again, "T.max(", 13, "from line 13 of mm_relu.py");
}

#define GRAPH(source)                                                                                                        \
  "{\"format\": \"loopscope.fx\", \"version\": 1, \"nodes\": ["                                                               \
  "{\"name\": \"x\", \"op\": \"placeholder\", \"target\": \"x\", \"args\": [], \"shape\": [2, 3], \"dtype\": \"float32\"},"      \
  "{\"name\": \"act\", \"op\": \"call_function\", \"target\": \"torch.relu\", \"args\": [{\"node\": \"x\"}]" source "},"           \
  "{\"name\": \"exp\", \"op\": \"call_method\", \"target\": \"exp\", \"args\": [{\"node\": \"act\"}], \"source\": null},"        \
  "{\"name\": \"output\", \"op\": \"output\", \"target\": \"output\", \"args\": [{\"node\": \"exp\"}]}]}"

static LsSession *
open_graph (const char *text)
{
  LsSession *session = ls_engine_session_new ();
  g_autofree char *folder = g_dir_make_tmp ("loopscope-fx-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "small.fx.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  ls_session_open (session, file);
  g_remove (path);
  g_rmdir (folder);
  return session;
}

/* Of an imported graph the node is known, with its line of Python where the file has it; no line of a text. */
static void
test_fx (void)
{
  g_autoptr (LsSession) session = open_graph (GRAPH (", \"source\": {\"file\": \"net.py\", \"line\": 7, \"text\": \"x = torch.relu(x)\"}"));
  g_autoptr (LsSession) plain = open_graph (GRAPH (""));
  g_autoptr (LsSession) wrong = open_graph (GRAPH (", \"source\": {\"file\": \"net.py\", \"line\": \"7\"}"));

  assert_from (session, "R.nn.relu", 0, "from FX node act, call_function torch.relu, net.py line 7: x = torch.relu(x)");
  assert_from (session, "R.exp", 0, "from FX node exp, call_method exp");
  assert_from (session, "def main", 0, NULL);
  assert_from (plain, "R.nn.relu", 0, "from FX node act, call_function torch.relu");
  g_assert_cmpuint (ls_session_get_state (wrong), !=, LS_SESSION_READY);
  g_assert_nonnull (strstr (ls_session_get_not_opened (wrong), "node 2 \"act\": \"source\" is an object"));
}

static char *
with (const char *text,
      const char *old,
      const char *new)
{
  g_auto (GStrv) parts = g_strsplit (text, old, -1);

  return g_strjoinv (new, parts);
}

/* An operator that nobody knows stands as a call of its name, the rest is shown, and it is named with its place; where no model can be made at all the
 * saved graph is shown. */
static void
test_fx_unknown (void)
{
  g_autofree char *text = with (GRAPH (""), "torch.relu", "torch.frobnicate");
  g_autofree char *broken = with (GRAPH (""), "[2, 3]", "[2, -3]");
  g_autoptr (LsSession) session = open_graph (text);
  g_autoptr (LsSession) without = open_graph (broken);
  LsGraphModel *graph = ls_session_get_graph (session);

  g_assert_cmpint (ls_session_get_state (session), ==, LS_SESSION_READY);
  assert_from (session, "torch.frobnicate", 0, "from FX node act, call_function torch.frobnicate");
  assert_from (session, "R.exp", 0, "from FX node exp, call_method exp");
  g_assert_nonnull (ls_graph_model_get_message (graph));
  g_assert_nonnull (strstr (ls_graph_model_get_message (graph), "1 node could not be translated: node 2 \"act\" (call_function torch.frobnicate)"));
  g_assert_true (ls_graph_model_get_kinds (graph) & 1u << LS_GRAPH_FX);
  g_assert_cmpint (ls_session_get_state (without), ==, LS_SESSION_BROKEN);
  graph = ls_session_get_graph (without);
  g_assert_cmpuint (ls_graph_model_get_kinds (graph), ==, 1u << LS_GRAPH_FX);
  g_assert_nonnull (ls_graph_model_get_series (graph));
  g_assert_nonnull (strstr (ls_graph_model_get_message (graph), "small.fx.json: node 1 \"x\""));
}

/* The end of a slice is text that stands for no node. */
static void
test_slice (void)
{
  g_autoptr (LsSession) session = open_text ("@T.prim_func\ndef main(A: T.Buffer((16,), \"float32\"), B: T.Buffer((16,), \"float32\")):\n"
                                             "    for i in range(16):\n        with T.block(\"B\"):\n            vi = T.axis.spatial(16, i)\n"
                                             "            T.reads(A[vi])\n            T.writes(B[0:16])\n            B[vi] = A[vi]\n",
                                             NULL);

  g_assert_cmpint (ls_session_get_state (session), ==, LS_SESSION_READY);
  assert_from (session, "B[vi] = A[vi]", 8, "from line 8 of mm_relu.py");
}

int
main (int   argc,
      char *argv[])
{
  session_parts_init (&argc, &argv);
  g_test_add_func ("/session-source/forward", test_forward);
  g_test_add_func ("/session-source/back", test_back);
  g_test_add_func ("/session-source/edited", test_edited);
  g_test_add_func ("/session-source/fx", test_fx);
  g_test_add_func ("/session-source/fx-unknown", test_fx_unknown);
  g_test_add_func ("/session-source/slice", test_slice);
  return g_test_run ();
}
