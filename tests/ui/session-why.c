/* session-why: why a step takes what it takes, and what is likely to help tried as branches: from a session, with the real worker and the real
 * machine, whose peaks are not known at first. */
#include "tests/ui/session-parts.h"

#include "engine/runtime/runtime.h"
#include "engine/runtime/peaks.h"

#include <glib/gstdio.h>
#include <string.h>

static gboolean
wake (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

typedef gboolean (*Reached) (LsSession *session,
                             LsWhy     *why);

/* The page asks anew whenever there is news; here it is asked until the state is reached. (transfer full) */
static LsWhy *
wait_for (LsSession *session,
          guint      beside,
          Reached    reached,
          guint      seconds)
{
  gint64 end = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
  guint timer = g_timeout_add (20, wake, NULL);
  LsWhy *why = ls_session_get_why (session, beside);

  while (!reached (session, why) && g_get_monotonic_time () < end)
    {
      ls_why_free (why);
      g_main_context_iteration (NULL, TRUE);
      why = ls_session_get_why (session, beside);
    }
  g_source_remove (timer);
  g_assert_true (reached (session, why));
  return why;
}

static gboolean
is_through (LsSession *session,
            LsWhy     *why)
{
  for (guint i = 0; i < LS_WHY_N_TABLES; i++)
    if (why->tables[i].busy || why->tables[i].words == NULL)
      return FALSE;
  return why->tables[LS_WHY_CACHES].rows->len > 0 && why->tables[LS_WHY_CODE].rows->len > 0;
}

static gboolean
is_judged (LsSession *session,
           LsWhy     *why)
{
  return is_through (session, why) && why->bound != NULL && why->beside != NULL && why->shares[LS_WHY_SHOWN] >= 0.0;
}

static gboolean
is_held (LsSession *session,
         LsWhy     *why)
{
  return why->bound != NULL && why->shares[LS_WHY_SHOWN] >= 0.0;
}

static gboolean
is_compiled (LsSession *session,
             LsWhy     *why)
{
  return !why->tables[LS_WHY_CODE].busy && why->tables[LS_WHY_CODE].words != NULL && !why->tables[LS_WHY_CACHES].busy;
}

static const char *
cell (LsWhy       *why,
      LsWhyTableId id,
      const char  *row,
      guint        column)
{
  for (guint i = 0; i < why->tables[id].rows->len; i++)
    if (strcmp (((char **) why->tables[id].rows->pdata[i])[0], row) == 0)
      return ((char **) why->tables[id].rows->pdata[i])[column];
  g_test_message ("no row %s", row);
  return NULL;
}

/* Before anything is measured it says what is missing and what gets it; measuring the steps measures the machine too; then there is a
 * verdict, beside that of the other step. */
static void
test_known (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  g_autoptr (LsWhy) first = wait_for (session, LS_WHY_BEFORE, is_through, 60);
  g_autoptr (LsWhy) why = NULL, far = NULL;
  g_autoptr (LsRoofline) roofline = ls_session_get_roofline (session);

  g_assert_false (roofline->known);
  g_assert_null (first->bound);
  g_assert_cmpstr (first->action, ==, "win.measure-machine");
  g_assert_nonnull (first->button);
  g_assert_nonnull (strstr (first->sentence, "not known"));
  g_assert_cmpfloat (first->shares[LS_WHY_SHOWN], <, 0.0);

  ls_session_measure (session, TRUE);
  g_assert_true (ls_session_is_running (session));
  wait_until_idle (session, 240);
  why = wait_for (session, LS_WHY_BEFORE, is_judged, 120);
  /* On a busy machine the roof is too low, and it says so. */
  g_assert_cmpint (why->missing != NULL, ==, ls_peaks_doubtful (ls_host_cpu_name ()));
  g_assert_cmpfloat (why->shares[LS_WHY_SHOWN], >, 0.0);
  g_assert_cmpfloat (why->shares[LS_WHY_SHOWN], <, 1.5);
  g_assert_nonnull (cell (why, LS_WHY_COUNTS, "Time", 2));
  g_assert_cmpstr (cell (why, LS_WHY_COUNTS, "Operations", 2), ==, cell (why, LS_WHY_COUNTS, "Operations", 1));
  g_assert_nonnull (cell (why, LS_WHY_CODE, "Instructions in a round", 2));
  g_assert_true (g_str_has_prefix (why->tables[LS_WHY_CACHES].words, "Simulated, for all "));

  /* Beside the first step. */
  far = wait_for (session, 0, is_judged, 60);
  g_assert_cmpuint (ls_step_item_get (far->items[LS_WHY_BESIDE])->id, ==, 0);
}

/* One thing is changed on purpose, and the figures follow: the vectors of the code, and the lanes. */
static void
test_follows (void)
{
  g_autoptr (LsSession) session = open_text ("@T.prim_func\n"
                                             "def main(A: T.Buffer((65536,), \"float32\"), B: T.Buffer((65536,), \"float32\")):\n"
                                             "    for i in range(65536):\n"
                                             "        with T.block(\"B\"):\n"
                                             "            vi = T.axis.spatial(65536, i)\n"
                                             "            B[vi] = A[vi] * T.float32(2) + T.float32(1)\n",
                                             "b = sch.get_block(\"B\")\nl = sch.get_loops(b)\ni0, i1 = sch.split(l[0], factors=[None, 8])\nsch.vectorize(i1)\n");
  g_autoptr (LsWhy) vectors = NULL, before = NULL;

  ls_session_go_last (session);
  ls_session_measure (session, TRUE);
  wait_until_idle (session, 120);
  vectors = wait_for (session, 0, is_judged, 120);
  g_assert_cmpstr (cell (vectors, LS_WHY_COUNTS, "Lanes used", 2), !=, "–");
  g_assert_nonnull (cell (vectors, LS_WHY_CODE, "Widest register", 2));
  /* Each line of both is missed once, of the 4096 of each; the last accesses count as the first ones do. */
  g_assert_nonnull (strstr (vectors->tables[LS_WHY_CACHES].words, "131,072"));
  g_assert_cmpstr (cell (vectors, LS_WHY_CACHES, "A", 1), ==, cell (vectors, LS_WHY_CACHES, "B", 1));
  g_assert_cmpstr (cell (vectors, LS_WHY_CACHES, "A", 1), ==, "4.10\342\200\257k");
  ls_session_go_first (session);
  before = wait_for (session, LS_WHY_BEFORE, is_through, 60);
  g_assert_null (before->items[LS_WHY_BESIDE]);
}

/* Other work on the machine makes samples longer: then the least of them is what the step takes, and the verdict is about that. */
static void
test_noisy (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  LsHistoryNode *node = ls_history_get (ls_engine_session_get_history (LS_ENGINE_SESSION (session)), 0);
  g_autoptr (LsWhy) calm = NULL, noisy = NULL;
  LsStepTime time;
  double *samples = g_new0 (double, 4);

  ls_session_go_first (session);
  ls_session_measure (session, FALSE);
  wait_until_idle (session, 240);
  time = (LsStepTime) { .min = node->time.min, .q1 = node->time.min, .median = node->time.min, .q3 = node->time.min, .samples = 4 };
  for (guint i = 0; i < 4; i++)
    samples[i] = time.min;
  ls_history_set_time (node, &time, g_memdup2 (samples, 4 * sizeof (double)), "");
  calm = wait_for (session, LS_WHY_BEFORE, is_held, 120);
  time = (LsStepTime) { .min = time.min, .q1 = 9 * time.min, .median = 10 * time.min, .q3 = 11 * time.min, .samples = 4 };
  for (guint i = 1; i < 4; i++)
    samples[i] = (8.0 + i) * time.min;
  ls_history_set_time (node, &time, samples, "");
  noisy = wait_for (session, LS_WHY_BEFORE, is_held, 120);
  g_assert_cmpstr (noisy->bound, ==, calm->bound);
  g_assert_cmpfloat (noisy->shares[LS_WHY_SHOWN], ==, calm->shares[LS_WHY_SHOWN]);
}

/* What has no number of rounds says which loop it is. */
static gboolean
says_loop (LsSession *session,
           LsWhy     *why)
{
  return why->sentence != NULL && strstr (why->sentence, "loop i") != NULL;
}

static void
test_unknown (void)
{
  g_autoptr (LsSession) session = open_text ("@T.prim_func\n"
                                             "def f(a: T.handle, n: T.int32):\n"
                                             "    A = T.match_buffer(a, (n,))\n"
                                             "    for i in range(n):\n"
                                             "        with T.block(\"A\"):\n"
                                             "            vi = T.axis.spatial(n, i)\n"
                                             "            A[vi] = T.float32(1)\n", NULL);
  g_autoptr (LsWhy) why = wait_for (session, LS_WHY_BEFORE, says_loop, 60);

  g_assert_null (why->bound);
}

/* ---- what is likely to help --------------------------------------------------------- */

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
has_likely (LsSession *session,
            LsWhy     *why)
{
  return n_likely (session) > 0;
}

static char *
reason_of (LsSession *session,
           guint      i)
{
  g_autoptr (LsMoveItem) move = g_list_model_get_item (ls_session_watch_moves (session), i);

  return g_strdup (ls_move_item_get (move)->reason);
}

/* They are measured as branches below the shown step, which stays the shown one; the rows have the estimate beside the time, fastest first, and redo
 * leads to the fastest. */
static void
test_try (void)
{
  g_autoptr (LsSession) session = open_text (session_source, NULL);
  LsHistory *history = ls_engine_session_get_history (LS_ENGINE_SESSION (session));
  g_autoptr (LsWhy) why = wait_for (session, LS_WHY_BEFORE, has_likely, 60);
  guint n = n_likely (session), measured = 0;
  double last = 0.0, best = G_MAXDOUBLE;
  g_autoptr (GArray) path = NULL;

  g_assert_cmpuint (n, <=, 5);
  ls_session_try_likely (session);
  g_assert_true (ls_session_is_running (session));
  wait_until_idle (session, 240);
  g_assert_cmpuint (ls_engine_session_get_node (LS_ENGINE_SESSION (session)), ==, 0);
  g_assert_cmpuint (n_likely (session), ==, n);
  for (guint i = 1; i < ls_history_get_n (history); i++)
    {
      LsHistoryNode *node = ls_history_get (history, i);

      measured += node->time.samples > 0;
      best = node->time.samples > 0 ? MIN (best, node->time.median) : best;
    }
  g_assert_cmpuint (measured, ==, n);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *reason = reason_of (session, i);

      g_assert_nonnull (strstr (reason, "Estimate: "));
      g_assert_nonnull (strstr (reason, "Measured: "));
    }
  path = ls_history_path (history, 0);
  last = ls_history_get (history, g_array_index (path, guint, path->len - 1))->time.median;
  g_assert_cmpfloat (last, ==, best);
}

#define SYMBOLIC "@T.prim_func\n" \
                 "def main(a: T.handle, b: T.handle):\n" \
                 "    n = T.int32()\n" \
                 "    A = T.match_buffer(a, (n, 64), \"float32\")\n" \
                 "    B = T.match_buffer(b, (n,), \"float32\")\n" \
                 "    for i, k in T.grid(n, 64):\n" \
                 "        with T.block(\"B\"):\n" \
                 "            vi, vk = T.axis.remap(\"SR\", [i, k])\n" \
                 "            with T.init():\n" \
                 "                B[vi] = T.float32(0)\n" \
                 "            B[vi] = B[vi] + A[vi, vk]\n"

static double
flop_of (LsSession *session)
{
  g_autoptr (LsRoofline) roofline = ls_session_get_roofline (session);

  return g_array_index (roofline->points, LsRooflinePoint, 0).flop;
}

static gboolean
has_words (LsSession *session,
           LsWhy     *why)
{
  return ls_session_get_likely_words (session) != NULL;
}

/* Nothing can be counted or measured before the sizes are said; then all can, the session remembers them, and other sizes make times stale. */
static void
test_sizes (void)
{
  g_autoptr (LsSession) session = open_text (SYMBOLIC, NULL), again = ls_engine_session_new ();
  LsHistory *history = ls_engine_session_get_history (LS_ENGINE_SESSION (session));
  g_autoptr (LsWhy) before = wait_for (session, LS_WHY_BEFORE, is_compiled, 60), after = NULL, restored = NULL;
  g_autoptr (LsRoofline) roofline = ls_session_get_roofline (session);
  g_autofree char *trouble = NULL, *other = NULL, *none = NULL, *saved = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (before->sizes, ==, "n=");
  g_assert_nonnull (strstr (before->missing, "give n above"));
  g_assert_cmpstr (roofline->missing, ==, "n");
  g_assert_cmpfloat (flop_of (session), ==, 0.0);
  /* A search takes none of it, sizes or not: its loops are divided by numbers. */
  g_assert_nonnull (strstr (ls_tuning_get_refusal (ls_session_get_tuning (session)), "no fixed number"));
  ls_session_measure (session, FALSE);
  wait_until_idle (session, 60);
  g_assert_nonnull (strstr (ls_history_get (history, 0)->trouble, "symbolic sizes"));

  g_assert_false (ls_session_set_sizes (session, "m=8", &trouble));
  g_assert_nonnull (strstr (trouble, "no size m; it has n"));
  g_assert_false (ls_session_set_sizes (session, "n=0", &other));
  g_assert_nonnull (strstr (other, "whole number"));
  g_assert_true (ls_session_set_sizes (session, " n=1000 ", &none));
  g_assert_null (none);
  g_assert_cmpfloat (flop_of (session), ==, 64000.0);
  ls_session_measure (session, FALSE);
  wait_until_idle (session, 240);
  after = wait_for (session, LS_WHY_BEFORE, is_held, 120);
  g_assert_cmpstr (after->sizes, ==, "n=1000");
  g_assert_cmpuint (ls_history_get (history, 0)->time.samples, >, 0);

  /* Of other sizes the time says nothing; for those of before it still holds. */
  g_assert_true (ls_session_set_sizes (session, "n=2000", &none));
  g_assert_true (ls_history_get (history, 0)->stale);
  g_assert_cmpfloat (flop_of (session), ==, 128000.0);
  g_assert_true (ls_session_set_sizes (session, "n=1000", &none));
  g_assert_false (ls_history_get (history, 0)->stale);

  saved = ls_session_export (session, LS_EXPORT_SESSION, &error);
  g_assert_no_error (error);
  g_assert_true (ls_engine_session_open_saved (LS_ENGINE_SESSION (again), "saved", saved, -1, NULL, &error));
  g_assert_no_error (error);
  restored = ls_session_get_why (again, LS_WHY_BEFORE);
  g_assert_cmpstr (restored->sizes, ==, "n=1000");
  g_assert_cmpfloat (flop_of (again), ==, 64000.0);
}

/* A running sum cannot be helped by what is known: it says why, where the moves would stand and on the page. */
static void
test_none (void)
{
  g_autoptr (LsSession) session = open_text ("@T.prim_func\n"
                                             "def main(A: T.Buffer((1000,), \"float32\"), B: T.Buffer((1000,), \"float32\")):\n"
                                             "    for i in range(1000):\n"
                                             "        with T.block(\"B\"):\n"
                                             "            vi = T.axis.opaque(1000, i)\n"
                                             "            T.reads(A[vi], B[0:1000])\n"
                                             "            T.writes(B[vi])\n"
                                             "            B[vi] = A[vi] + T.if_then_else(vi > 0, B[T.max(vi - 1, 0)], T.float32(0))\n", NULL);
  g_autoptr (LsWhy) why = wait_for (session, LS_WHY_BEFORE, has_words, 60);

  g_assert_cmpuint (n_likely (session), ==, 0);
  g_assert_nonnull (strstr (ls_session_get_likely_words (session), "uses what an earlier one wrote"));
  /* Another program has other words. */
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "mm_relu.py", session_source, NULL);
  ls_session_get_moves (session);
  g_assert_null (ls_session_get_likely_words (session));
}

/* The branches stay, without a time. */
static void
test_try_cancelled (void)
{
  g_autoptr (LsSession) session = open_text (session_source, NULL);
  LsHistory *history = ls_engine_session_get_history (LS_ENGINE_SESSION (session));
  g_autoptr (LsWhy) why = wait_for (session, LS_WHY_BEFORE, has_likely, 60);

  ls_session_try_likely (session);
  ls_session_cancel (session);
  wait_until_idle (session, 20);
  g_assert_cmpuint (ls_history_get_n (history), >, 1);
  for (guint i = 0; i < ls_history_get_n (history); i++)
    g_assert_cmpuint (ls_history_get (history, i)->time.samples, ==, 0);
  g_assert_cmpstr (ls_session_get_time_error (session), ==, NULL);
}

int
main (int   argc,
      char *argv[])
{
  g_autofree char *cache = g_dir_make_tmp ("loopscope-why-XXXXXX", NULL);
  int result;

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);     /* nothing is known of the machine there */
  session_parts_init (&argc, &argv);
  g_test_add_func ("/session/why/known", test_known);
  g_test_add_func ("/session/why/follows", test_follows);
  g_test_add_func ("/session/why/noisy", test_noisy);
  g_test_add_func ("/session/why/unknown", test_unknown);
  g_test_add_func ("/session/why/sizes", test_sizes);
  g_test_add_func ("/session/why/none", test_none);
  g_test_add_func ("/session/why/try", test_try);
  g_test_add_func ("/session/why/try-cancelled", test_try_cancelled);
  result = g_test_run ();
  g_rmdir (cache);
  return result;
}
