/* session-measure: measuring from a session, with the real worker. */
#include "tests/ui/session-parts.h"

#include "engine/runtime/runtime.h"

#include <glib/gstdio.h>
#include <string.h>

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
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "b.py", session_source, NULL);
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
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  LsMoveItem *move = find_move (session, "split(k, [32, 4])");

  g_assert_true (ls_move_item_get (move)->measurable);
  ls_session_measure_move (session, move);
  wait_until_idle (session, 120);
  g_assert_nonnull (ls_move_item_get (move)->tag);
  g_assert_true (g_str_has_prefix (ls_move_item_get (move)->tag, "best "));
}

/* What a list that is bound to the ranking shows of each item: its state when it was put there. */
static void
note_shown (GListModel *ranking,
            guint       position,
            guint       removed,
            guint       added,
            GHashTable *shown)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (ranking, i);

      g_hash_table_insert (shown, item, GINT_TO_POINTER (ls_step_item_get (item)->state));
    }
}

static gboolean
check_shown (gpointer user_data)
{
  gpointer *data = user_data;
  GListModel *ranking = data[0];

  for (guint i = 0; i < g_list_model_get_n_items (ranking); i++)
    {
      g_autoptr (LsStepItem) item = g_list_model_get_item (ranking, i);

      g_assert_cmpint (GPOINTER_TO_INT (g_hash_table_lookup (data[1], item)), ==, ls_step_item_get (item)->state);
    }
  return G_SOURCE_CONTINUE;
}

static void
test_rank_moves (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  GListModel *ranking = ls_session_get_ranking (session);
  g_autoptr (GHashTable) shown = g_hash_table_new (NULL, NULL);
  gpointer data[] = { ranking, shown };
  double before = 0.0;
  guint check;

  g_signal_connect (ranking, "items-changed", G_CALLBACK (note_shown), shown);
  ls_session_rank_moves (session);
  g_assert_cmpuint (g_list_model_get_n_items (ranking), >, 8);
  check = g_timeout_add (5, check_shown, data);
  wait_until_idle (session, 200);
  g_source_remove (check);
  check_shown (data);
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
  g_signal_handlers_disconnect_by_data (ranking, shown);
}

/* The product of the program is what OpenBLAS is asked for; where there is no OpenBLAS nothing is said. */
static void
test_openblas (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
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
      g_test_skip ("OpenBLAS is not installed");
      return;
    }
  g_assert_nonnull (conditions);
  g_assert_true (g_str_has_prefix (conditions, "OpenBLAS "));
}

static gboolean
passed (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
wait_ms (guint ms)
{
  gboolean done = FALSE;

  g_timeout_add (ms, passed, &done);
  while (!done)
    g_main_context_iteration (NULL, TRUE);
}

/* What is asked of the worker, each by itself. */
static void
ask (LsSession *session,
     guint      what)
{
  g_autoptr (GString) text = g_string_new (NULL);

  switch (what)
    {
    case 0:
      ls_session_measure (session, TRUE);
      break;
    case 1:
      ls_session_compare_results (session, 0, 1);
      break;
    case 2:
      ls_session_measure_machine (session);
      break;
    case 3:
      ls_why_free (ls_session_get_why (session, LS_WHY_BEFORE));
      break;
    default:
      /* A large text is looked at elsewhere first. */
      g_string_append (text, session_source);
      for (guint i = 0; i < 6000; i++)
        g_string_append (text, "# a comment\n");
      ls_session_edit_base (session, text->str);
      break;
    }
}

/* What never gets an answer holds no session: whoever closes a window takes all with it. */
static void
test_unanswered (void)
{
  g_autofree char *folder = g_dir_make_tmp ("loopscope-unanswered-XXXXXX", NULL), *path = g_build_filename (folder, "worker", NULL);
  g_autofree char *worker = g_strdup (g_getenv ("LS_WORKER")), *sandbox = g_strdup (g_getenv ("LS_WORKER_SANDBOX"));

  g_assert_true (g_file_set_contents (path, "#!/bin/sh\nexec sleep 600\n", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
  g_setenv ("LS_WORKER", path, TRUE);
  g_setenv ("LS_WORKER_SANDBOX", "off", TRUE);
  for (guint what = 0; what < 5; what++)
    {
      gpointer session = open_text (session_source, session_steps);

      g_object_add_weak_pointer (session, &session);
      ask (session, what);
      wait_ms (50);
      g_object_unref (session);
      if (session != NULL)
        g_test_fail_printf ("%u: the session stays", what);
      g_clear_weak_pointer (&session);
      /* The answers that come of it find nobody. */
      wait_ms (50);
    }
  if (worker != NULL)
    g_setenv ("LS_WORKER", worker, TRUE);
  else
    g_unsetenv ("LS_WORKER");
  if (sandbox != NULL)
    g_setenv ("LS_WORKER_SANDBOX", sandbox, TRUE);
  else
    g_unsetenv ("LS_WORKER_SANDBOX");
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int    argc,
      char **argv)
{
  session_parts_init (&argc, &argv);

  g_test_add_func ("/session/measure", test_measure);
  g_test_add_func ("/session/cancel", test_cancel);
  g_test_add_func ("/session/measure-trouble", test_measure_trouble);
  g_test_add_func ("/session/measure-move", test_measure_move);
  g_test_add_func ("/session/rank-moves", test_rank_moves);
  g_test_add_func ("/session/openblas", test_openblas);
  g_test_add_func ("/session/unanswered", test_unanswered);
  return g_test_run ();
}
