/* session-moves: the moves of a session, without a display: offers, repairs, editing an earlier step. */
#include "engine/runtime/peaks.h"
#include "tests/ui/session-parts.h"

#include <glib/gstdio.h>
#include <string.h>

static void
test_apply_and_branch (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  LsMoveItem *move;
  g_autofree char *trace = NULL;

  move = find_move (session, "split(k, [32, 4])");
  g_assert_nonnull (move);
  g_assert_cmpuint (ls_move_item_get (move)->n_params, >=, 2);
  g_assert_cmpstr (ls_move_item_get (move)->preview, ==, "k → k_0, k_1");
  g_assert_cmpstr (ls_move_item_get (move)->product, ==, "= 128, exact");

  ls_session_edit (session, move, 1, "8");
  g_assert_cmpstr (ls_move_item_get (move)->call, ==, "split(k, [16, 8])");
  ls_session_edit (session, move, 0, "3");
  g_assert_cmpstr (ls_move_item_get (move)->call, ==, "split(k, [3, 43])");
  ls_session_edit (session, move, 1, "nonsense");
  ls_session_edit (session, move, 1, "16");
  ls_session_preview (session, move);
  g_assert_cmpstr (ls_loop_item_get_ghost (ls_session_get_selected (session))[1], ==, "k_1 16");
  ls_session_preview (session, NULL);
  g_assert_null (ls_loop_item_get_ghost (ls_session_get_selected (session)));

  ls_session_apply (session, move);
  g_assert_cmpuint (ls_session_get_position (session), ==, 3);
  g_assert_cmpstr (step (session, 3)->call, ==, "split(k, [8, 16])");
  g_assert_cmpstr (ls_loop_item_get (ls_session_get_selected (session))->name, ==, "k_0");

  ls_session_go_by (session, -1);
  g_assert_cmpstr (ls_loop_item_get (ls_session_get_selected (session))->name, ==, "k");
  ls_session_apply (session, find_move (session, "unroll(k)"));
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_branches (session)), ==, 2);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 5);
  g_assert_cmpint (loop (session, "k")->kind, ==, LS_LOOP_UNROLLED);

  /* The same move again leads to the step that is there. */
  ls_session_go_by (session, -1);
  g_assert_cmpstr (ls_move_item_get (find_move (session, "unroll(k)"))->tag, ==, "step 3′");
  ls_session_apply (session, find_move (session, "unroll(k)"));
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 5);

  trace = ls_session_get_trace (session, ls_step_item_get (ls_session_get_current (session))->id, NULL);
  g_assert_nonnull (strstr (trace, "def apply_trace(sch: tir.Schedule) -> None:"));
  g_assert_nonnull (strstr (trace, "sch.unroll("));
}

static void
test_reasons (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  LsMoveItem *move = find_move (session, "parallel(k)");

  g_assert_nonnull (move);
  g_assert_cmpint (ls_move_item_get (move)->group, ==, LS_MOVE_WITH_CHANGE);
  g_assert_nonnull (ls_move_item_get (move)->reason);
  g_assert_nonnull (ls_move_item_get (move)->repair);
  ls_session_repair (session, move);
  g_assert_cmpuint (ls_session_get_position (session), >, 2);
}

/* "split(j, [None, 4])" becomes [None, 8]: the reorder is replayed. */
static void
test_edit_and_replay (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsMoveItem) item = ls_session_edit_step (session, 1);

  g_assert_nonnull (item);
  g_assert_cmpuint (ls_move_item_get (item)->n_params, >=, 2);
  g_assert_cmpstr (ls_move_item_get (item)->params[1].value, ==, "4");
  g_assert_cmpstr (ls_move_item_get (item)->params[1].choices[2], ==, "8");
  ls_session_edit (session, item, 1, "8");
  g_assert_cmpstr (ls_move_item_get (item)->call, ==, "split(j, [16, 8])");
  g_assert_cmpstr (ls_move_item_get (item)->product, ==, "= 128, exact");
  g_assert_cmpstr (ls_move_item_get (item)->reason, ==, "The later step is replayed.");
  ls_session_apply (session, item);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 5);
  g_assert_cmpstr (step (session, 1)->call, ==, "split(j, [16, 8])");
  g_assert_cmpstr (step (session, 2)->call, ==, "reorder(j_0, k, j_1)");
  g_assert_cmpint (loop (session, "j_0")->extent, ==, 16);
}

/* Three factors give three loops: the later step that wants two stops, what follows is not reached. */
static void
test_edit_breaks (void)
{
  g_autoptr (LsSession) session = open_text (session_source, "block_Y = sch.get_block(\"Y\")\n"
                                                     "i, j, k = sch.get_loops(block_Y)\n"
                                                     "j0, j1 = sch.split(j, factors=[None, 4])\n"
                                                     "sch.fuse(j0, j1)\n"
                                                     "sch.parallel(i)\n");
  g_autoptr (LsMoveItem) item = NULL;

  ls_session_go_to (session, 0);
  item = ls_session_edit_step (session, 1);
  g_assert_null (ls_session_edit_step (session, 0));
  ls_session_edit (session, item, 1, "none at all");
  g_assert_cmpstr (ls_move_item_get (item)->params[1].value, ==, "4");
  ls_session_edit (session, item, 0, "None");
  ls_session_edit (session, item, 1, "None");
  g_assert_cmpint (ls_move_item_get (item)->group, ==, LS_MOVE_CANNOT);
  ls_session_apply (session, item);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 4);
}

/* Arguments of every kind of primitive are fields. */
static void
test_fields (void)
{
  g_autoptr (LsSession) session = open_text (session_source, "block_Y = sch.get_block(\"Y\")\n"
                                                     "sch.cache_read(block_Y, 0, \"local\")\n"
                                                     "sch.annotate(block_Y, \"pragma_x\", 3)\n");
  g_autoptr (LsMoveItem) item = ls_session_edit_step (session, 1);
  g_autoptr (LsMoveItem) note = ls_session_edit_step (session, 2);

  g_assert_cmpstr (ls_move_item_get (item)->params[1].value, ==, "local");
  g_assert_cmpint (ls_move_item_get (item)->params[1].kind, ==, LS_MOVE_PARAM_CHOICE);
  ls_session_edit (session, item, 1, "shared");
  g_assert_cmpint (ls_move_item_get (item)->group, ==, LS_MOVE_CAN);
  ls_session_apply (session, item);
  g_assert_nonnull (strstr (ls_script_text_get_text (ls_session_get_script (session)), "\"shared\""));
  g_assert_cmpstr (ls_move_item_get (note)->params[0].value, ==, "pragma_x");
  g_assert_cmpstr (ls_move_item_get (note)->params[1].value, ==, "3");
}

static LsMoveParam
field (LsMoveItem *item,
       const char *name,
       guint      *number)
{
  const LsMoveRecord *record = ls_move_item_get (item);

  for (*number = 0; *number < record->n_params; (*number)++)
    if (strcmp (record->params[*number].name, name) == 0)
      return record->params[*number];
  g_assert_not_reached ();
}

#define MANY 400

/* Of a large program the row is there at once, and what else a loop could be comes later; a value that changed meanwhile stays. */
static void
test_edit_large (void)
{
  g_autoptr (GString) text = g_string_new ("@T.prim_func\ndef many(A: T.Buffer((64,), \"float32\"), B: T.Buffer((64,), \"float32\")):\n");
  g_autoptr (LsSession) session = NULL;
  g_autoptr (LsMoveItem) item = NULL;
  guint number, other;

  for (guint i = 1; i < MANY; i++)
    g_string_append_printf (text, "    T%u = T.alloc_buffer((64,))\n", i);
  for (guint i = 1; i <= MANY; i++)
    {
      g_autofree char *from = i == 1 ? g_strdup ("A") : g_strdup_printf ("T%u", i - 1), *to = i == MANY ? g_strdup ("B") : g_strdup_printf ("T%u", i);

      g_string_append_printf (text, "    for i in range(64):\n        with T.block(\"b%u\"):\n            vi = T.axis.spatial(64, i)\n            %s[vi] = %s[vi] + T.float32(1)\n", i, to, from);
    }
  session = open_text (text->str, "block = sch.get_block(\"b200\")\n(i,) = sch.get_loops(block)\nsch.split(i, factors=[None, 4])\n");
  item = ls_session_edit_step (session, 1);
  g_assert_nonnull (item);
  g_assert_cmpuint (g_strv_length ((char **) field (item, "loop", &number).choices), ==, 1);
  g_assert_cmpstr (field (item, "loop", &number).value, ==, "i of b200");
  for (other = 0; other == number || ls_move_item_get (item)->params[other].kind != LS_MOVE_PARAM_FACTOR || g_strcmp0 (ls_move_item_get (item)->params[other].value, "4") != 0; other++)
    g_assert_cmpuint (other, <, ls_move_item_get (item)->n_params - 1);
  ls_session_edit (session, item, other, "8");
  while (g_strv_length ((char **) field (item, "loop", &number).choices) == 1)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (g_strv_contains (field (item, "loop", &number).choices, "i of b1"));
  g_assert_cmpstr (field (item, "loop", &number).value, ==, "i of b200");
  g_assert_cmpstr (ls_move_item_get (item)->call, ==, "split(i, [8, 8])");
  ls_session_edit (session, item, number, "i of b1");
  g_assert_cmpint (ls_move_item_get (item)->group, ==, LS_MOVE_CAN);
}

/* Early in a long history a thread does the steps: the row is there before, cannot be applied yet, and what is applied meanwhile is done then. */
static void
test_edit_early (void)
{
  g_autoptr (GString) steps = g_string_new ("b = sch.get_block(\"Y\")\ni, j, k = sch.get_loops(b)\nsch.annotate(b, \"note\", 1)\n");
  g_autoptr (LsSession) session = NULL;
  g_autoptr (LsMoveItem) item = NULL;
  guint number, n = 1;

  for (guint i = 0; i < 100; i++, n += 2)
    g_string_append (steps, "sch.reorder(k, j)\nsch.reorder(j, k)\n");
  session = open_text (session_source, steps->str);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, n + 1);
  ls_session_go_to (session, 1);
  item = ls_session_edit_step (session, 1);
  g_assert_nonnull (item);
  g_assert_cmpint (ls_move_item_get (item)->group, ==, LS_MOVE_CANNOT);
  g_assert_cmpstr (ls_move_item_get (item)->reason, ==, "The steps are being replayed with it.");
  while (ls_move_item_get (item)->group != LS_MOVE_CAN)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (ls_move_item_get (item)->reason, ==, "All 200 later steps are replayed.");
  g_assert_cmpstr (field (item, "ann_val", &number).value, ==, "1");

  /* Only the last of two values counts, and Return before it is known. */
  ls_session_edit (session, item, number, "2");
  ls_session_edit (session, item, number, "3");
  ls_session_apply (session, item);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, n + 1);
  while (ls_session_get_position (session) != 1 || ls_step_item_get (ls_session_get_current (session))->id == 1)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 2 * n + 1);
  g_assert_cmpstr (step (session, 1)->call, ==, "annotate(Y, \"note\", 3)");
  ls_session_go_last (session);
  g_assert_cmpuint (ls_session_get_position (session), ==, n);
  g_assert_nonnull (strstr (ls_script_text_get_text (ls_session_get_script (session)), "\"note\": 3"));

  /* The row goes while it is tried, and the session while it is applied. */
  {
    LsMoveItem *gone = ls_session_edit_step (session, 1), *applied = ls_session_edit_step (session, 1);

    g_object_unref (gone);
    while (ls_move_item_get (applied)->group != LS_MOVE_CAN)
      g_main_context_iteration (NULL, TRUE);
    ls_session_edit (session, applied, number, "4");
    ls_session_apply (session, applied);
    g_object_unref (applied);
    g_clear_object (&item);
    g_clear_object (&session);
    for (guint i = 0; i < 100; i++)
      g_main_context_iteration (NULL, FALSE);
  }
}

/* Another loop for a step: only those that it takes are offered, and the later steps follow. */
static void
test_other_loop (void)
{
  g_autoptr (LsSession) session = open_text (session_source, "block_Y = sch.get_block(\"Y\")\n"
                                                     "i, j, k = sch.get_loops(block_Y)\n"
                                                     "j0, j1 = sch.split(j, factors=[None, 4])\n"
                                                     "sch.parallel(i)\n");
  g_autoptr (LsMoveItem) split = ls_session_edit_step (session, 1), parallel = ls_session_edit_step (session, 2);
  guint number;
  LsMoveParam loop_field = field (parallel, "loop", &number);

  g_assert_cmpstr (loop_field.value, ==, "i of Y");
  g_assert_true (g_strv_contains (loop_field.choices, "j_0"));
  g_assert_false (g_strv_contains (loop_field.choices, "k"));
  ls_session_edit (session, parallel, number, "k");
  g_assert_cmpstr (field (parallel, "loop", &number).value, ==, "i of Y");
  ls_session_edit (session, parallel, number, "j_0");
  g_assert_cmpstr (ls_move_item_get (parallel)->call, ==, "parallel(j_0)");
  ls_session_apply (session, parallel);
  g_assert_cmpint (loop (session, "j_0")->kind, ==, LS_LOOP_PARALLEL);

  {
    g_autoptr (LsSession) other = open_text (session_source, session_steps);
    g_autoptr (LsMoveItem) reorder = ls_session_edit_step (other, 2);

    g_assert_cmpstr (field (reorder, "loop 1", &number).value, ==, "j_0");
    ls_session_edit (other, reorder, number, "k");
    g_assert_cmpstr (field (reorder, "loop 2", &number).value, ==, "j_0");
    g_assert_cmpstr (ls_move_item_get (reorder)->call, ==, "reorder(k, j_0, j_1)");
  }

  ls_session_go_to (session, 2);
  field (split, "loop", &number);
  ls_session_edit (session, split, number, "k");
  g_assert_cmpstr (ls_move_item_get (split)->reason, ==, "The later step is replayed.");
  ls_session_apply (session, split);
  g_assert_cmpint (loop (session, "k_1")->extent, ==, 4);
  ls_session_go_last (session);
  g_assert_cmpint (loop (session, "i")->kind, ==, LS_LOOP_PARALLEL);
}

/* Puts split on loop `name` with `inner`, in the place of step 1. */
static void
split_on (LsSession  *session,
          const char *name,
          const char *inner,
          const char *words)
{
  g_autoptr (LsMoveItem) item = ls_session_edit_step (session, step (session, 1)->id);
  guint number;

  field (item, "loop", &number);
  ls_session_edit (session, item, number, name);
  g_assert_cmpstr (field (item, "loop", &number).value, ==, name);
  ls_session_edit (session, item, 1, inner);
  g_assert_cmpstr (ls_move_item_get (item)->reason, ==, words);
  ls_session_apply (session, item);
}

/* On k nothing that follows can be done; on j again, with another factor, all of it.  The edited step binds more than the one
 * before, so the names of a printed trace would be others: also after saving, and twice over. */
static void
test_back_to_life (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsSession) again = ls_engine_session_new ();
  g_autofree char *json = NULL;
  g_autoptr (GError) error = NULL;

  split_on (session, "k", "8", "Replay stops at step 2, reorder: Loop k is gone since step 1, split.");
  g_assert_cmpstr (step (session, 2)->reason, ==, "Loop k is gone since step 1, split.");
  json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      LsSession *one = i == 0 ? session : again;

      g_assert_cmpstr (step (one, 2)->reason, ==, "Loop k is gone since step 1, split.");
      split_on (one, "i of Y", "2", "The later step is replayed.");
      split_on (one, "j of Y", "16", "The later step is replayed.");
      g_assert_null (step (one, 2)->reason);
      ls_session_go_last (one);
      g_assert_cmpint (loop (one, "j_0")->extent, ==, 8);
      g_assert_cmpstr (step (one, 2)->call, ==, "reorder(j_0, k, j_1)");
    }
}

static guint64
id_of (LsSession  *session,
       const char *name)
{
  return loop (session, name)->id;
}

static void
count (guint *changes)
{
  (*changes)++;
}

/* Many selections, one list of moves, that of the last; what was on its way out does nothing any more. */
static void
test_quick_selection (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsMoveItem) old = NULL;
  LsMoveItem *fresh;
  guint changes = 0;

  ls_session_go_to (session, 0);
  ls_session_select (session, id_of (session, "k"));
  old = g_object_ref (find_move (session, "unroll(k)"));
  g_signal_connect_swapped (ls_session_get_moves (session), "items-changed", G_CALLBACK (count), &changes);
  ls_session_select (session, id_of (session, "i"));
  ls_session_select (session, id_of (session, "k"));
  ls_session_select (session, id_of (session, "j"));
  g_assert_cmpuint (changes, ==, 0);
  ls_session_apply (session, old);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 3);
  g_assert_null (find_move (session, "unroll(k)"));
  g_assert_cmpuint (changes, ==, 1);
  fresh = find_move (session, "unroll(j)");
  g_assert_nonnull (fresh);
  ls_session_apply (session, fresh);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 4);
}

/* The list is filled by the main loop too, and a session that goes meanwhile takes the work with it. */
static void
test_moves_later (void)
{
  LsSession *session = open_text (session_source, session_steps);
  GListModel *moves = g_object_ref (ls_session_get_moves (session));
  guint changes = 0;

  g_signal_connect_swapped (moves, "items-changed", G_CALLBACK (count), &changes);
  ls_session_select (session, id_of (session, "i"));
  while (changes == 0 || g_list_model_get_n_items (moves) == 0)
    g_main_context_iteration (NULL, TRUE);
  ls_session_select (session, id_of (session, "k"));
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "a.py", "x = 1\n", NULL);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_moves (session)), ==, 0);
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "b.py", session_source, NULL);
  ls_session_select (session, id_of (session, "k"));
  g_object_unref (session);
  g_object_unref (moves);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
}

static guint
n_likely (LsSession *session)
{
  GListModel *moves = ls_session_watch_moves (session);
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (moves); i++)
    {
      g_autoptr (LsMoveItem) move = g_list_model_get_item (moves, i);

      n += ls_move_item_get (move)->group == LS_MOVE_LIKELY;
    }
  return n;
}

static gboolean
stop (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_for_likely (LsSession *session)
{
  gboolean late = FALSE;
  guint timer = g_timeout_add_seconds (120, stop, &late);

  while (n_likely (session) == 0 && !late)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (late);
  g_source_remove (timer);
}

/* Before the machine was measured nothing is said to help; as soon as it is, for what is selected then too.  At most five proposals come first, and each does all of its steps. */
static void
test_likely (void)
{
  g_autoptr (LsSession) before = open_text (session_source, NULL);
  g_autoptr (LsSession) session = NULL;
  g_autoptr (LsMoveItem) first = NULL;

  find_move (before, "none");
  g_assert_cmpuint (n_likely (before), ==, 0);
  ls_session_measure_machine (before);
  wait_for_likely (before);
  session = open_text (session_source, NULL);
  find_move (session, "none");
  wait_for_likely (session);
  g_assert_cmpuint (n_likely (session), <=, 5);
  first = g_list_model_get_item (ls_session_watch_moves (session), 0);
  g_assert_cmpint (ls_move_item_get (first)->group, ==, LS_MOVE_LIKELY);
  g_assert_nonnull (strstr (ls_move_item_get (first)->reason, "Estimate: "));
  ls_session_apply (session, first);
  g_assert_cmpuint (ls_session_get_position (session), >, 3);
}

/* Steps that are in the way of what helps: it begins at the step before them, as a branch beside them, and makes nothing of the loops that are shown. */
static void
test_likely_earlier (void)
{
  g_autofree char *steps = g_strconcat (session_steps, "sch.vectorize(j1)\nsch.decompose_reduction(block_Y, k)\n", NULL);
  g_autoptr (LsSession) session = open_text (session_source, steps);
  LsHistory *history = ls_engine_session_get_history (LS_ENGINE_SESSION (session));
  g_autoptr (LsMoveItem) first = NULL;
  guint last, id;

  find_move (session, "none");
  wait_for_likely (session);
  first = g_list_model_get_item (ls_session_watch_moves (session), 0);
  g_assert_true (g_str_has_prefix (ls_move_item_get (first)->call, "From step 0: "));
  last = ls_engine_session_get_node (LS_ENGINE_SESSION (session));
  ls_session_preview (session, first);
  if (ls_session_get_selected (session) != NULL)
    g_assert_null (ls_loop_item_get_ghost (ls_session_get_selected (session)));
  ls_session_apply (session, first);
  id = ls_engine_session_get_node (LS_ENGINE_SESSION (session));
  g_assert_cmpuint (id, !=, last);
  while (ls_history_get (history, id)->number > 1)
    id = ls_history_get (history, id)->parent;
  g_assert_cmpuint (ls_history_get (history, id)->parent, ==, 0);
  g_assert_cmpuint (id, >, last);
  g_assert_cmpuint (ls_history_n_branches (history), ==, 2);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("loopscope-moves-XXXXXX", NULL);
  g_autofree char *folder = g_build_filename (cache, "loopscope", NULL);
  g_autofree char *peaks = NULL;
  int status;

  /* What is known of the machine is written down here, and nothing is before. */
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  session_parts_init (&argc, &argv);
  peaks = ls_peaks_path (ls_host_cpu_name ());

  g_test_add_func ("/session/apply-and-branch", test_apply_and_branch);
  g_test_add_func ("/session/reasons", test_reasons);
  g_test_add_func ("/session/edit-and-replay", test_edit_and_replay);
  g_test_add_func ("/session/edit-large", test_edit_large);
  g_test_add_func ("/session/edit-early", test_edit_early);
  g_test_add_func ("/session/edit-breaks", test_edit_breaks);
  g_test_add_func ("/session/fields", test_fields);
  g_test_add_func ("/session/other-loop", test_other_loop);
  g_test_add_func ("/session/back-to-life", test_back_to_life);
  g_test_add_func ("/session/quick-selection", test_quick_selection);
  g_test_add_func ("/session/moves-later", test_moves_later);
  g_test_add_func ("/session/likely", test_likely);
  g_test_add_func ("/session/likely-earlier", test_likely_earlier);
  status = g_test_run ();
  g_remove (peaks);
  g_rmdir (folder);
  g_rmdir (cache);
  return status;
}
