/* session: the engine's session without a display: what the views would show. */
#include "app/engine-session.h"
#include "app/history.h"
#include "engine/runtime/runtime.h"
#include "views/theme.h"

#include <string.h>

static LsLoopItem *
find_name (GListModel *loops,
           const char *name)
{
  for (guint i = 0; loops != NULL && i < g_list_model_get_n_items (loops); i++)
    {
      g_autoptr (LsLoopItem) item = g_list_model_get_item (loops, i);
      LsLoopItem *below;

      if (strcmp (ls_loop_item_get (item)->name, name) == 0)
        return item;
      below = find_name (ls_loop_item_get_children (item), name);
      if (below != NULL)
        return below;
    }
  return NULL;
}

static const LsLoopRecord *
loop (LsSession  *session,
      const char *name)
{
  LsLoopItem *item = find_name (ls_session_get_loops (session), name);

  g_assert_nonnull (item);
  return ls_loop_item_get (item);
}

static LsMoveItem *
find_move (LsSession  *session,
           const char *call)
{
  GListModel *moves = ls_session_get_moves (session);

  for (guint i = 0; i < g_list_model_get_n_items (moves); i++)
    {
      g_autoptr (LsMoveItem) move = g_list_model_get_item (moves, i);

      if (strcmp (ls_move_item_get (move)->call, call) == 0)
        return move;
    }
  return NULL;
}

static const LsStepRecord *
step (LsSession *session,
      guint      i)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (ls_session_get_path (session), i);

  g_assert_nonnull (item);
  return ls_step_item_get (item);
}

static const char source[] =
  "@T.prim_func\n"
  "def mm_relu(A: T.Buffer((128, 128)), B: T.Buffer((128, 128)), C: T.Buffer((128, 128))):\n"
  "    Y = T.alloc_buffer((128, 128))\n"
  "    for i, j, k in T.grid(128, 128, 128):\n"
  "        with T.block(\"Y\"):\n"
  "            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
  "            with T.init():\n"
  "                Y[vi, vj] = T.float32(0)\n"
  "            Y[vi, vj] = Y[vi, vj] + A[vi, vk] * B[vk, vj]\n"
  "    for i, j in T.grid(128, 128):\n"
  "        with T.block(\"C\"):\n"
  "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "            C[vi, vj] = T.max(Y[vi, vj], T.float32(0))\n";

static const char steps[] =
  "block_Y = sch.get_block(\"Y\")\n"
  "i, j, k = sch.get_loops(block_Y)\n"
  "j0, j1 = sch.split(j, factors=[None, 4])\n"
  "sch.reorder(j0, k, j1)\n";

static LsSession *
open_text (const char *text,
           const char *schedule)
{
  LsSession *session = ls_engine_session_new ();

  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "mm_relu.py", text, schedule);
  return session;
}

static void
test_open (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);

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
  g_autoptr (LsSession) session = open_text (source, steps);

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
  g_autoptr (LsSession) session = open_text (source, steps);

  g_assert_cmpstr (loop (session, "i")->origin, ==, "of block Y");
  g_assert_cmpstr (loop (session, "j_0")->origin, ==, "from j, by split");
  g_assert_cmpstr (loop (session, "k")->origin, ==, "moved out by reorder");
  g_assert_cmpstr (loop (session, "Y")->origin, ==, "Y[vi, vj] += A[vi, vk] * B[vk, vj]");
  g_assert_cmpuint (loop (session, "j_0")->families.family[0], ==, 1);
  g_assert_cmpuint (loop (session, "k")->families.family[0], ==, 2);
}

static void
test_text (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
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
test_apply_and_branch (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
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
  g_autoptr (LsSession) session = open_text (source, steps);
  LsMoveItem *move = find_move (session, "parallel(k)");

  g_assert_nonnull (move);
  g_assert_cmpint (ls_move_item_get (move)->group, ==, LS_MOVE_WITH_CHANGE);
  g_assert_nonnull (ls_move_item_get (move)->reason);
  g_assert_nonnull (ls_move_item_get (move)->repair);
  ls_session_repair (session, move);
  g_assert_cmpuint (ls_session_get_position (session), >, 2);
}

static void
test_refused_step (void)
{
  g_autoptr (LsSession) session = open_text (source, "b = sch.get_block(\"Y\")\n"
                                                     "i, j, k = sch.get_loops(b)\n"
                                                     "sch.split(j, factors=[None, 4])\n"
                                                     "sch.parallel(k)\n"
                                                     "sch.unroll(i)\n");

  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 4);
  g_assert_cmpuint (ls_session_get_position (session), ==, 1);
  g_assert_cmpint (step (session, 2)->state, ==, LS_STEP_FAILED);
  g_assert_nonnull (step (session, 2)->reason);
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
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "b.py", source, NULL);
  g_assert_cmpint (ls_session_get_state (session), ==, LS_SESSION_READY);
  g_assert_cmpuint (ls_session_get_position (session), ==, 0);
}

static void
test_missing_file (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
  g_autoptr (GFile) file = g_file_new_for_path ("/nowhere/at/all.py");

  ls_session_open (session, file);
  g_assert_cmpint (ls_session_get_state (session), ==, LS_SESSION_READY);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 3);
  g_assert_nonnull (ls_session_get_message (session));
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

/* ---- measuring, with the real worker ------------------------------------- */

static gboolean
wake (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
wait_until_idle (LsSession *session,
                 guint      seconds)
{
  gint64 end = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
  guint timer = g_timeout_add (50, wake, NULL);

  while (ls_session_is_running (session) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timer);
  g_assert_false (ls_session_is_running (session));
}

static void
test_measure (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();

  ls_session_measure (session, TRUE);
  g_assert_true (ls_session_is_running (session));
  wait_until_idle (session, 120);
  g_assert_cmpstr (ls_session_get_time_error (session), ==, NULL);
  g_assert_nonnull (strstr (ls_session_get_conditions (session), "output equals step 0"));
  for (guint i = 0; i < 6; i++)
    {
      const LsStepRecord *record = step (session, i);

      g_assert_cmpint (record->state, ==, LS_STEP_MEASURED);
      g_assert_cmpuint (record->timing.samples, >, 0);
      g_assert_cmpfloat (record->timing.min, >, 0.0);
      g_assert_cmpfloat (record->timing.min, <=, record->timing.q1);
      g_assert_cmpfloat (record->timing.q1, <=, record->timing.median);
      g_assert_cmpfloat (record->timing.median, <=, record->timing.q3);
    }
  g_assert_cmpfloat (step (session, 0)->speedup, ==, 1.0);
}

static void
test_cancel (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();

  ls_session_measure (session, TRUE);
  ls_session_cancel (session);
  wait_until_idle (session, 20);
  g_assert_cmpint (step (session, 5)->state, ==, LS_STEP_UNMEASURED);
  g_assert_cmpstr (ls_session_get_time_error (session), ==, NULL);

  /* Opening something else while a measurement is under way. */
  ls_session_measure (session, TRUE);
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "b.py", source, NULL);
  wait_until_idle (session, 20);
  g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 1);
}

/* What cannot be run says so, at the step and in the time pane. */
static void
test_measure_trouble (void)
{
  g_autoptr (LsSession) session = open_text ("@T.prim_func\n"
                                             "def f(a: T.handle, n: T.int32):\n"
                                             "    A = T.match_buffer(a, (n,))\n"
                                             "    for i in range(n):\n"
                                             "        with T.block(\"A\"):\n"
                                             "            vi = T.axis.spatial(n, i)\n"
                                             "            A[vi] = T.float32(1)\n", NULL);

  g_assert_cmpint (ls_session_get_state (session), ==, LS_SESSION_READY);
  ls_session_measure (session, FALSE);
  wait_until_idle (session, 30);
  g_assert_nonnull (ls_session_get_time_error (session));
  g_assert_cmpint (step (session, 0)->state, ==, LS_STEP_FAILED);
  g_assert_cmpstr (step (session, 0)->reason, ==, ls_session_get_time_error (session));
}

static void
test_measure_move (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
  LsMoveItem *move = find_move (session, "split(k, [32, 4])");

  g_assert_true (ls_move_item_get (move)->measurable);
  ls_session_measure_move (session, move);
  wait_until_idle (session, 120);
  g_assert_nonnull (ls_move_item_get (move)->tag);
  g_assert_true (g_str_has_prefix (ls_move_item_get (move)->tag, "best "));
}

/* ---- files, editing --------------------------------------------------------- */

static char *
texts_of (LsSession *session)
{
  GString *all = g_string_new (NULL);
  GListModel *rows = ls_session_get_history (session);

  for (guint i = 0; i < g_list_model_get_n_items (rows); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (rows, i);
      g_autofree char *words = ls_step_item_describe (item);

      g_string_append_printf (all, "%s\n", words);
    }
  g_string_append (all, ls_script_text_get_text (ls_session_get_script (session)));
  return g_string_free (all, FALSE);
}

/* Written and read again, everything that is shown is the same: branches, a refused step, the place. */
static void
test_saved_and_read (void)
{
  g_autoptr (LsSession) session = open_text (source, "block_Y = sch.get_block(\"Y\")\n"
                                                     "i, j, k = sch.get_loops(block_Y)\n"
                                                     "j0, j1 = sch.split(j, factors=[None, 4])\n"
                                                     "sch.fuse(i, k)\n");
  g_autoptr (LsSession) again = ls_engine_session_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *json = NULL, *twice = NULL, *before = NULL, *after = NULL;

  ls_session_go_to (session, 0);
  ls_session_apply (session, find_move (session, "split(k, [32, 4])") != NULL ? find_move (session, "split(k, [32, 4])")
                                                                              : find_move (session, "split(j, [32, 4])"));
  json = ls_session_export (session, LS_EXPORT_SESSION, &error);
  g_assert_no_error (error);
  ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, &error);
  g_assert_no_error (error);
  before = texts_of (session);
  after = texts_of (again);
  g_assert_cmpstr (after, ==, before);
  twice = ls_session_export (again, LS_EXPORT_SESSION, NULL);
  g_assert_cmpstr (twice, ==, json);
}

/* Nothing that a file may hold ends the program or takes away what is shown. */
static void
test_corrupt_file (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
  g_autofree char *json = ls_session_export (session, LS_EXPORT_SESSION, NULL);
  gsize length = strlen (json);
  static const char *const texts[] = {
    "", "{", "[]", "{}", "{\"format\": \"loopscope-session\"}", "{\"format\": 3, \"module\": 4}",
    "{\"format\": \"loopscope-session\", \"module\": \"def\"}",
    "{\"format\": \"loopscope-session\", \"module\": \"\", \"version\": 99}",
    "{\"format\": \"loopscope-session\", \"module\": \"\", \"steps\": [{\"parent\": 7}, 3, null]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (ls_engine_session_open_saved (LS_ENGINE_SESSION (session), "x.loopscope", texts[i], -1, NULL, &error));
      g_assert_nonnull (error);
      g_assert_cmpuint (g_list_model_get_n_items (ls_session_get_history (session)), ==, 3);
    }
  for (gsize cut = 0; cut < length; cut += 1 + length / 40)
    {
      g_autoptr (LsSession) other = ls_engine_session_new ();

      ls_engine_session_open_saved (LS_ENGINE_SESSION (other), "x.loopscope", json, (gssize) cut, NULL, NULL);
    }
}

/* "split(j, [None, 4])" becomes [None, 8]: the reorder is replayed. */
static void
test_edit_and_replay (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
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
  g_autoptr (LsSession) session = open_text (source, "block_Y = sch.get_block(\"Y\")\n"
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
  g_autoptr (LsSession) session = open_text (source, "block_Y = sch.get_block(\"Y\")\n"
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
  g_autoptr (LsSession) session = open_text (source, steps);
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
  g_autoptr (LsSession) session = open_text (source, steps);
  g_autoptr (LsMoveItem) item = ls_session_edit_step (session, 1);
  g_autoptr (LsComparison) comparison = NULL;

  ls_session_edit (session, item, 1, "16");
  ls_session_apply (session, item);
  comparison = ls_session_compare_steps (session, 2, 4);
  g_assert_cmpstr (comparison->distance, ==, "4 steps apart");
  g_assert_false (comparison->same);
  g_assert_cmpuint (comparison->links->len, >, 0);
}

/* One page that needs nothing else; the pictures do not share ids. */
static void
test_report (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *page = ls_session_export (session, LS_EXPORT_REPORT, &error);

  g_assert_no_error (error);
  g_assert_nonnull (strstr (page, "reorder(j_0, k, j_1)"));
  g_assert_nonnull (strstr (page, "<svg"));
  g_assert_null (strstr (page, "<script"));
  g_assert_null (strstr (page, "src="));
  for (const char *at = page; (at = strstr (at, " id=\"")) != NULL;)
    {
      at += strlen (" id=\"");
      g_assert_true (g_hash_table_add (ids, g_strndup (at, strcspn (at, "\""))));
    }
}

/* What the card of k says: the row of B is far, that of A near, the sum stays. */
static void
test_card (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
  g_autofree char *card = ls_session_describe_row (session, loop (session, "k")->id);

  g_assert_nonnull (strstr (card, "A  reads 512"));
  g_assert_nonnull (strstr (card, "stride 4"));
  g_assert_nonnull (strstr (card, "stride 512"));
  g_assert_nonnull (strstr (card, "the same element each round"));
}

static void
test_rank_moves (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
  GListModel *ranking = ls_session_get_ranking (session);
  double before = 0.0;

  ls_session_rank_moves (session);
  g_assert_cmpuint (g_list_model_get_n_items (ranking), >, 8);
  wait_until_idle (session, 200);
  for (guint i = 0; i < g_list_model_get_n_items (ranking); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (ranking, i);
      const LsStepRecord *record = ls_step_item_get (item);

      g_assert_cmpint (record->state, !=, LS_STEP_UNMEASURED);
      if (record->state != LS_STEP_MEASURED)
        continue;
      g_assert_cmpfloat (record->timing.median, >=, before);
      before = record->timing.median;
    }
}

static char *
replaced (const char *text,
          const char *from,
          const char *to)
{
  g_auto (GStrv) parts = g_strsplit (text, from, -1);

  g_assert_cmpuint (g_strv_length (parts), >, 1);
  return g_strjoinv (to, parts);
}

/* The opened program is another one: the steps follow.  What cannot be read changes nothing but the draft; a state in
 * between that breaks steps is whole again with the next text. */
static void
test_edit_base (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
  g_autofree char *small = replaced (source, "128", "64");
  g_autofree char *broken = replaced (source, "T.grid(128, 128, 128)", "T.grid(128, 128)");
  g_autofree char *other = replaced (source, "T.block(\"Y\")", "T.block(\"Z\")");

  g_assert_cmpstr (ls_session_get_base (session), ==, source);
  ls_session_edit_base (session, small);
  g_assert_null (ls_session_get_draft (session));
  g_assert_cmpstr (ls_session_get_draft_words (session), ==, "The program is read, all 2 steps are replayed.");
  g_assert_cmpint (loop (session, "k")->extent, ==, 64);
  g_assert_cmpint (loop (session, "j_0")->extent, ==, 16);

  ls_session_edit_base (session, broken);
  g_assert_nonnull (ls_session_get_draft (session));
  g_assert_cmpuint (ls_script_text_n_notes (ls_session_get_draft (session)), ==, 1);
  g_assert_cmpuint (ls_script_text_get_note (ls_session_get_draft (session), 0)->line, ==, 4);
  g_assert_cmpstr (ls_session_get_base (session), ==, broken);
  g_assert_cmpint (loop (session, "k")->extent, ==, 64);

  ls_session_edit_base (session, other);
  g_assert_cmpint (step (session, 1)->state, ==, LS_STEP_FAILED);
  g_assert_cmpint (step (session, 2)->state, ==, LS_STEP_UNREACHED);
  g_assert_true (g_str_has_prefix (ls_session_get_draft_words (session), "Replay stops at step 1, split: "));
  ls_session_edit_base (session, "");
  g_assert_cmpuint (ls_script_text_n_notes (ls_session_get_draft (session)), ==, 1);
  ls_session_edit_base (session, source);
  g_assert_null (ls_session_get_draft (session));
  g_assert_cmpint (step (session, 2)->state, ==, LS_STEP_UNMEASURED);
  g_assert_cmpstr (step (session, 2)->call, ==, "reorder(j_0, k, j_1)");
  g_assert_cmpint (loop (session, "j_0")->extent, ==, 32);
}

/* A draft that cannot be read is saved with the session and comes back, also when there never was a good program. */
static void
test_draft_saved (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
  g_autoptr (LsSession) again = ls_engine_session_new (), third = ls_engine_session_new ();
  g_autoptr (LsSession) hopeless = open_text ("@T.prim_func\ndef f(:\n", NULL);
  g_autofree char *broken = replaced (source, "T.grid(128, 128, 128)", "T.grid(128, 128)");
  g_autofree char *json = NULL, *other = NULL;
  g_autoptr (GError) error = NULL;

  ls_session_edit_base (session, broken);
  json = ls_session_export (session, LS_EXPORT_SESSION, &error);
  ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "x.loopscope", json, -1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (ls_session_get_base (again), ==, broken);
  g_assert_cmpuint (ls_script_text_n_notes (ls_session_get_draft (again)), ==, 1);
  g_assert_cmpint (loop (again, "k")->extent, ==, 128);
  ls_session_edit_base (again, source);
  g_assert_null (ls_session_get_draft (again));

  g_assert_cmpint (ls_session_get_state (hopeless), ==, LS_SESSION_BROKEN);
  ls_session_edit_base (hopeless, "@T.prim_func\ndef g(:\n");
  other = ls_session_export (hopeless, LS_EXPORT_SESSION, &error);
  g_assert_no_error (error);
  ls_engine_session_open_saved (LS_ENGINE_SESSION (third), "x.loopscope", other, -1, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (ls_session_get_state (third), ==, LS_SESSION_BROKEN);
  g_assert_cmpstr (ls_session_get_base (third), ==, "@T.prim_func\ndef g(:\n");
  ls_session_edit_base (third, source);
  g_assert_cmpint (ls_session_get_state (third), ==, LS_SESSION_READY);
  g_assert_cmpint (loop (third, "k")->extent, ==, 128);
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
  g_autoptr (LsSession) session = open_text (source, steps);
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

/* A step that changes nothing is not on the bar, a bookmark brings it back; bookmarks are saved. */
static void
test_steps_without_effect (void)
{
  g_autoptr (LsSession) session = open_text (source, "block_Y = sch.get_block(\"Y\")\n"
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

/* Another loop for a step: only those that it takes are offered, and the later steps follow. */
static void
test_other_loop (void)
{
  g_autoptr (LsSession) session = open_text (source, "block_Y = sch.get_block(\"Y\")\n"
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
    g_autoptr (LsSession) other = open_text (source, steps);
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

/* The product of the program is what OpenBLAS is asked for; where there is no OpenBLAS nothing is said. */
static void
test_openblas (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
  gint64 end = g_get_monotonic_time () + 120 * G_TIME_SPAN_SECOND;
  g_autofree char *there = ls_blas_describe ();
  const char *conditions = NULL;

  ls_session_measure (session, FALSE);
  while ((conditions == NULL || strstr (conditions, "OpenBLAS") == NULL) && g_get_monotonic_time () < end &&
         (g_str_has_prefix (there, "OpenBLAS") || ls_session_is_running (session)))
    {
      g_main_context_iteration (NULL, FALSE);
      conditions = ls_session_get_conditions (session);
    }
  if (!g_str_has_prefix (there, "OpenBLAS"))
    {
      g_test_skip ("no OpenBLAS");
      return;
    }
  g_assert_nonnull (conditions);
  g_assert_true (g_str_has_prefix (conditions, "OpenBLAS "));
}

static gboolean
has_draft (LsSession *session)
{
  return ls_session_get_draft (session) != NULL;
}

/* A large text is looked at by the worker; meanwhile the window goes on. */
static void
test_large_draft (void)
{
  g_autoptr (LsSession) session = open_text (source, steps);
  g_autoptr (GString) large = g_string_new (source);
  gint64 end = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;

  while (large->len < 64 * 1024)
    g_string_append (large, "# filled up\n");
  g_string_append (large, "@T.prim_func\ndef f(:\n");
  ls_session_edit_base (session, large->str);
  g_assert_false (has_draft (session));
  while (!has_draft (session) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (has_draft (session));
  g_assert_cmpuint (ls_script_text_n_notes (ls_session_get_draft (session)), >=, 1);
  g_assert_cmpint (loop (session, "k")->extent, ==, 128);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gtk_disable_setlocale ();
  gtk_init_check ();            /* pictures need its node types, with or without a display */
  ls_views_init ();

  g_test_add_func ("/session/open", test_open);
  g_test_add_func ("/session/costs", test_costs);
  g_test_add_func ("/session/origins", test_origins);
  g_test_add_func ("/session/text", test_text);
  g_test_add_func ("/session/apply-and-branch", test_apply_and_branch);
  g_test_add_func ("/session/reasons", test_reasons);
  g_test_add_func ("/session/refused-step", test_refused_step);
  g_test_add_func ("/session/broken", test_broken);
  g_test_add_func ("/session/missing-file", test_missing_file);
  g_test_add_func ("/session/sample", test_sample);
  g_test_add_func ("/session/measure", test_measure);
  g_test_add_func ("/session/cancel", test_cancel);
  g_test_add_func ("/session/measure-trouble", test_measure_trouble);
  g_test_add_func ("/session/measure-move", test_measure_move);
  g_test_add_func ("/session/saved-and-read", test_saved_and_read);
  g_test_add_func ("/session/corrupt-file", test_corrupt_file);
  g_test_add_func ("/session/edit-and-replay", test_edit_and_replay);
  g_test_add_func ("/session/edit-breaks", test_edit_breaks);
  g_test_add_func ("/session/fields", test_fields);
  g_test_add_func ("/session/compare-steps", test_compare_steps);
  g_test_add_func ("/session/compare-branches", test_compare_branches);
  g_test_add_func ("/session/report", test_report);
  g_test_add_func ("/session/card", test_card);
  g_test_add_func ("/session/rank-moves", test_rank_moves);
  g_test_add_func ("/session/edit-base", test_edit_base);
  g_test_add_func ("/session/openblas", test_openblas);
  g_test_add_func ("/session/steps-without-effect", test_steps_without_effect);
  g_test_add_func ("/session/names", test_names);
  g_test_add_func ("/session/other-loop", test_other_loop);
  g_test_add_func ("/session/draft-saved", test_draft_saved);
  g_test_add_func ("/session/large-draft", test_large_draft);
  return g_test_run ();
}
