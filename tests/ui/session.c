/* session: what the views show of the engine's session, without a display: rows, figures, texts, comparisons. */
#include "tests/ui/session-parts.h"

#include "app/session/engine.h"
#include "engine/schedule/explain/code-place.h"

#include <string.h>

static void
test_open (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);

  g_assert_cmpint (ls_session_get_state (session), ==, LS_SESSION_READY);
  g_assert_cmpstr (ls_session_get_title (session), ==, "mm_relu");
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 3);
  g_assert_cmpuint (ls_session_get_position (session), ==, 2);
  g_assert_cmpstr (step (session, 0)->call, ==, "mm_relu, as opened");
  g_assert_cmpstr (step (session, 1)->call, ==, "split(j, [None, 4])");
  g_assert_cmpstr (step (session, 2)->call, ==, "reorder(j_0, k, j_1)");
  g_assert_cmpstr (ls_loop_item_get (ls_session_get_selected (session))->name, ==, "k");
}

/* The figures of the Explore picture, one step before its own. */
static void
test_costs (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);

  g_assert_cmpfloat (ls_session_get_flop (session), ==, 2.0 * 128 * 128 * 128 + 128 * 128);
  g_assert_cmpint (loop (session, "i")->touches, ==, 192 * 1024);
  g_assert_cmpint (loop (session, "j_0")->extent, ==, 32);
  g_assert_cmpint (loop (session, "j_0")->runs, ==, 4096);
  g_assert_cmpint (loop (session, "j_0")->touches, ==, 512 + 65536 + 512);
  g_assert_cmpint (loop (session, "k")->runs, ==, 524288);
  g_assert_cmpint (loop (session, "k")->touches, ==, 512 + 2048 + 16);
  g_assert_true (loop (session, "k")->reduction);
  g_assert_cmpint (loop (session, "j_1")->touches, ==, 36);
  g_assert_cmpint (loop (session, "Y")->touches, ==, 12);
  g_assert_cmpint (loop (session, "Y")->runs, ==, 2097152);
  g_assert_cmpint (loop (session, "C")->touches, ==, 8);
  g_assert_cmpfloat_with_epsilon (loop (session, "k")->share, 0.9961, 0.0001);
  g_assert_cmpfloat_with_epsilon (loop (session, "C")->share, 0.0039, 0.0001);
}

static void
test_origins (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);

  g_assert_cmpstr (loop (session, "i")->origin, ==, "of block Y");
  g_assert_cmpstr (loop (session, "j_0")->origin, ==, "from j, by split");
  g_assert_cmpstr (loop (session, "k")->origin, ==, "moved out by reorder");
  g_assert_cmpstr (loop (session, "Y")->origin, ==, "Y[vi, vj] += A[vi, vk] * B[vk, vj]");
  g_assert_cmpstr (loop (session, "C")->origin, ==, "C[vi, vj] = max(Y[vi, vj], 0)");
  g_assert_cmpuint (loop (session, "j_0")->families.family[0], ==, 1);
  g_assert_cmpuint (loop (session, "k")->families.family[0], ==, 2);
}

static void
test_text (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  LsScriptText *text = ls_session_get_script (session);
  const char *content = ls_script_text_get_text (text);
  const char *at = strstr (content, "for i, j_0, k, j_1 in T.grid(128, 32, 128, 4):");
  guint line = 0;
  const LsScriptSpan *span;

  g_assert_nonnull (at);
  for (const char *p = content; p < at; p++)
    line += *p == '\n';
  g_assert_cmpuint (ls_script_text_line (text, line)->families.n, ==, 3);
  g_assert_cmpuint (ls_script_text_line (text, line)->step, ==, 2);
  g_assert_cmpint (ls_script_text_line (text, line)->change, ==, LS_LINE_NEW);
  span = ls_script_text_span_at (text, (guint) (strstr (at, "k,") - content));
  g_assert_nonnull (span);
  g_assert_cmpuint (span->id, ==, loop (session, "k")->id);
  g_assert_nonnull (ls_session_get_before (session));
}

static void
test_refused_step (void)
{
  g_autoptr (LsSession) session = open_text (session_source, "b = sch.get_block(\"Y\")\n"
                                                     "i, j, k = sch.get_loops(b)\n"
                                                     "sch.split(j, factors=[None, 4])\n"
                                                     "sch.parallel(k)\n"
                                                     "sch.unroll(i)\n");
  LsHistoryNode *node;
  LsCodePlace place;
  g_autofree char *check = NULL;

  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 4);
  g_assert_cmpuint (ls_session_get_position (session), ==, 1);
  g_assert_cmpint (step (session, 2)->state, ==, LS_STEP_FAILED);
  g_assert_nonnull (step (session, 2)->reason);
  node = ls_history_get (ls_engine_session_get_history (LS_ENGINE_SESSION (session)), step (session, 2)->id);
  g_assert_true (ls_code_place_at (node->checked_in, node->checked_at, &place));
  g_assert_cmpstr (place.file, ==, "engine/schedule/primitive/for-kind.c");
  check = ls_code_lines (place.file, place.line, place.line);
  g_assert_nonnull (strstr (check, "ls_move_refuse ("));
  g_assert_cmpstr (step (session, 2)->call, ==, "parallel(k)");
  g_assert_cmpint (step (session, 3)->state, ==, LS_STEP_UNREACHED);
  ls_session_go_by (session, 1);
  g_assert_nonnull (ls_session_get_message (session));
}

static void
test_broken (void)
{
  g_autoptr (LsSession) session = open_text ("@T.prim_func\ndef f(A: T.Buffer((4,))):\n"
                                             "    for i, j in T.grid(4):\n        A[i] = nothing\n",
                                             NULL);
  LsScriptText *text = ls_session_get_script (session);

  g_assert_cmpint (ls_session_get_state (session), ==, LS_SESSION_BROKEN);
  g_assert_cmpuint (ls_script_text_n_notes (text), >=, 1);
  g_assert_cmpuint (ls_script_text_get_note (text, 0)->line, ==, 3);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 0);
  ls_session_go_by (session, 1);
  ls_session_select (session, 7);
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "a.py", "x = 1\n", NULL);
  g_assert_cmpint (ls_session_get_state (session), ==, LS_SESSION_BROKEN);
  g_assert_true (ls_session_get_message (session) != NULL ||
                 ls_script_text_n_notes (ls_session_get_script (session)) > 0);
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "b.py", session_source, NULL);
  g_assert_cmpint (ls_session_get_state (session), ==, LS_SESSION_READY);
  g_assert_cmpuint (ls_session_get_position (session), ==, 0);
}

static void
test_missing_file (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (GFile) file = g_file_new_for_path ("/nowhere/at/all.py");

  ls_session_open (session, file);
  g_assert_cmpint (ls_session_get_state (session), ==, LS_SESSION_READY);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 3);
  g_assert_nonnull (ls_session_get_not_opened (session));
}

static void
test_sample (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();

  g_assert_cmpint (ls_session_get_state (session), ==, LS_SESSION_READY);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 6);
  g_assert_cmpuint (ls_session_get_position (session), ==, 5);
  g_assert_cmpint (loop (session, "j_1")->kind, ==, LS_LOOP_VECTORIZED);
  g_assert_cmpstr (loop (session, "ax0")->origin, ==, "from j of C, by step 3");
  g_assert_cmpint (loop (session, "ax0")->touches, ==, 32);
  g_assert_cmpint (loop (session, "i")->touches, ==, 256 * 1024);
}

static const LsNestLabel *
find_label (LsComparison *comparison,
            const char   *head,
            const char   *verb)
{
  for (guint i = 0; i < comparison->labels->len; i++)
    {
      const LsNestLabel *label = g_ptr_array_index (comparison->labels, i);

      if (strcmp (label->head, head) == 0 && strcmp (label->verb, verb) == 0)
        return label;
    }
  return NULL;
}

/* A step and one that comes from it: each change with the step that did it. */
static void
test_compare_steps (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsComparison) comparison = ls_session_compare_steps (session, 0, 2);
  g_autoptr (LsComparison) same = ls_session_compare_steps (session, 1, 1);
  g_autoptr (LsScriptText) column = ls_comparison_one_column (comparison);
  const LsNestLabel *split = find_label (comparison, "j", "split");
  const LsNestLabel *moved = find_label (comparison, "k", "moved");

  g_assert_cmpstr (comparison->distance, ==, "2 steps apart");
  g_assert_nonnull (split);
  g_assert_cmpstr (split->tail, ==, "32 × 4");
  g_assert_cmpuint (split->step, ==, 1);
  g_assert_cmpuint (split->before, !=, 0);
  g_assert_nonnull (moved);
  g_assert_cmpuint (moved->step, ==, 2);
  g_assert_cmpuint (comparison->links->len, >, 0);
  g_assert_cmpstr (comparison->verdict, ==, "Not measured yet.");
  g_assert_cmpuint (ls_script_text_n_lines (column), >, ls_script_text_n_lines (comparison->left.text));
  g_assert_true (same->same);
  g_assert_null (ls_session_compare_steps (session, 0, 77));
}

/* Two branches, and a program that nobody knows the steps of: matched by structure. */
static void
test_compare_branches (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsMoveItem) item = ls_session_edit_step (session, 1);
  g_autoptr (LsComparison) comparison = NULL;

  ls_session_edit (session, item, 1, "16");
  ls_session_apply (session, item);
  comparison = ls_session_compare_steps (session, 2, 4);
  g_assert_cmpstr (comparison->distance, ==, "4 steps apart");
  g_assert_false (comparison->same);
  g_assert_cmpuint (comparison->links->len, >, 0);
}

/* Names that nobody gave are not written: the reader's language has its own. */
static void
test_branch_names (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsMoveItem) item = ls_session_edit_step (session, 1);
  g_autofree char *json = NULL, *named = NULL;

  ls_session_edit (session, item, 1, "16");
  ls_session_apply (session, item);
  json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  g_assert_null (strstr (json, "\"main\""));
  g_assert_null (strstr (json, "branch 2"));
  ls_session_name_branch (session, 4, "wide tile");
  named = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  g_assert_nonnull (strstr (named, "wide tile"));
}

/* What the card of k says: the row of B is far, that of A near, the sum stays. */
static void
test_card (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autofree char *card = ls_session_describe_row (session, loop (session, "k")->id);

  g_assert_nonnull (strstr (card, "A  reads 512"));
  g_assert_nonnull (strstr (card, "stride 4"));
  g_assert_nonnull (strstr (card, "stride 512"));
  g_assert_nonnull (strstr (card, "the same element each round"));
}

static const LsScriptThing *
thing_at (LsScriptText *text,
          const char   *place,
          int           ahead)
{
  const char *all = ls_script_text_get_text (text), *at = strstr (all, place);
  const LsScriptMention *name;

  g_assert_nonnull (at);
  name = ls_script_text_name_at (text, (guint) (at - all + ahead));
  return name != NULL ? ls_script_text_get_thing (text, name->thing) : NULL;
}

/* What stands at a place of the text, and where it is defined. */
static void
test_names (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  LsScriptText *text = ls_session_get_script (session);
  const LsScriptThing *buffer = thing_at (text, "Y[vi, vj] = Y", 0), *axis = thing_at (text, "Y[vi, vj] = Y", 2);
  const LsScriptThing *loop_var = thing_at (text, "j_0 * 4", 0), *param = thing_at (text, "T.reads(A[", 8);

  g_assert_cmpstr (buffer->words, ==, "Y: buffer of float32, shape (128, 128), scope global, made by the function");
  g_assert_true (g_str_has_prefix (ls_script_text_get_text (text) + buffer->start, "Y = T.alloc_buffer"));
  g_assert_cmpstr (axis->words, ==, "vi: spatial axis of block Y, int32, 0 to 127, here i");
  g_assert_cmpstr (loop_var->words, ==, "j_0: loop variable, int32, 0 to 31");
  g_assert_true (g_str_has_prefix (param->words, "A: buffer of float32"));
  g_assert_true (g_str_has_suffix (param->words, ", a parameter"));
  g_assert_null (thing_at (text, "T.reads", 0));
}

static void
describe_all (GListModel *rows,
              GString    *lines)
{
  for (guint i = 0; rows != NULL && i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (rows, i);
      g_autofree char *words = ls_loop_item_describe (item);

      g_string_append_printf (lines, "%s\n", words);
      describe_all (ls_loop_item_get_children (item), lines);
    }
}

/* A graph that nobody sees is built when somebody looks: of the steps that there are then. */
static void
test_unseen_graph (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  LsGraphModel *graph = ls_session_get_graph (session);
  guint n = g_list_model_get_n_items (ls_session_get_path (session));

  g_assert_cmpuint (ls_graph_model_get_series (graph)->states->len, ==, n);
  ls_graph_model_set_watched (graph, FALSE);
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "y.py", session_source, session_steps);
  g_assert_null (ls_graph_model_get_series (graph));
  ls_session_go_by (session, -1);
  ls_graph_model_set_watched (graph, TRUE);
  g_assert_cmpuint (ls_graph_model_get_series (graph)->states->len, ==, n);
  g_assert_cmpuint (ls_graph_model_get_state (graph), ==, ls_session_get_position (session));
  ls_session_go_by (session, -1);
  g_assert_cmpuint (ls_graph_model_get_state (graph), ==, ls_session_get_position (session));
}

/* Beside the graph of the blocks stand the loops of the shown step, each with the family that it has on the first page. */
static void
test_graph_families (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  LsGraphModel *graph = ls_session_get_graph (session);
  GListModel *pages[2] = { ls_session_get_loops (session), NULL };
  GString *lines[2] = { g_string_new (NULL), g_string_new (NULL) };

  ls_graph_model_set_kind (graph, LS_GRAPH_BLOCKS);
  ls_graph_model_select (graph, 0);
  g_assert_nonnull (ls_graph_model_get_detail (graph));
  pages[1] = G_LIST_MODEL (ls_graph_model_get_detail (graph)->loops);
  for (guint i = 0; i < 2; i++)
    describe_all (pages[i], lines[i]);
  g_assert_cmpstr (lines[0]->str, ==, lines[1]->str);
  g_assert_nonnull (strstr (lines[1]->str, "k, reduction, extent 128, family c"));
  g_assert_cmpint (g_list_model_get_n_items (pages[1]), >, 0);
  g_string_free (lines[0], TRUE);
  g_string_free (lines[1], TRUE);
}

/* A step that changes nothing is not on the bar, a bookmark brings it back; bookmarks are saved. */
static void
test_steps_without_effect (void)
{
  g_autoptr (LsSession) session = open_text (session_source, "block_Y = sch.get_block(\"Y\")\n"
                                                     "i, j, k = sch.get_loops(block_Y)\n"
                                                     "sch.enter_postproc()\n"
                                                     "sch.parallel(i)\n");
  g_autoptr (LsSession) again = ls_engine_session_new ();
  g_autofree char *json = NULL;

  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_path (session)), ==, 3);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_shown (session)), ==, 2);
  g_assert_cmpuint (ls_session_get_n_hidden (session), ==, 1);
  ls_session_go_by_shown (session, -1);
  g_assert_cmpuint (ls_step_item_get (ls_session_get_current (session))->number, ==, 0);
  ls_session_go_by (session, 1);
  g_assert_true (ls_step_item_get (ls_session_get_current (session))->no_effect);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_shown (session)), ==, 3);
  ls_session_toggle_bookmark (session);
  ls_session_go_last (session);
  g_assert_cmpuint (ls_session_get_n_hidden (session), ==, 0);
  ls_session_toggle_bookmark (session);
  g_assert_cmpuint (ls_step_item_get (ls_session_get_current (session))->bookmark, ==, 2);
  ls_session_go_to_bookmark (session, 1);
  g_assert_cmpuint (ls_session_get_position (session), ==, 1);

  json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, NULL);
  g_assert_cmpuint (step (again, 1)->bookmark, ==, 1);
  g_assert_cmpuint (step (again, 2)->bookmark, ==, 2);
  ls_session_go_to_bookmark (again, 2);
  g_assert_cmpuint (ls_session_get_position (again), ==, 2);
  ls_session_toggle_bookmark (again);
  ls_session_go_to_bookmark (again, 1);
  ls_session_toggle_bookmark (again);
  ls_session_go_last (again);
  g_assert_cmpuint (ls_session_get_n_hidden (again), ==, 1);
  ls_session_set_all_steps (again, TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_shown (again)), ==, 3);
}

int
main (int    argc,
      char **argv)
{
  session_parts_init (&argc, &argv);

  g_test_add_func ("/session/open", test_open);
  g_test_add_func ("/session/costs", test_costs);
  g_test_add_func ("/session/origins", test_origins);
  g_test_add_func ("/session/text", test_text);
  g_test_add_func ("/session/refused-step", test_refused_step);
  g_test_add_func ("/session/broken", test_broken);
  g_test_add_func ("/session/missing-file", test_missing_file);
  g_test_add_func ("/session/sample", test_sample);
  g_test_add_func ("/session/compare-steps", test_compare_steps);
  g_test_add_func ("/session/compare-branches", test_compare_branches);
  g_test_add_func ("/session/branch-names", test_branch_names);
  g_test_add_func ("/session/card", test_card);
  g_test_add_func ("/session/names", test_names);
  g_test_add_func ("/session/unseen-graph", test_unseen_graph);
  g_test_add_func ("/session/graph-families", test_graph_families);
  g_test_add_func ("/session/steps-without-effect", test_steps_without_effect);
  return g_test_run ();
}
