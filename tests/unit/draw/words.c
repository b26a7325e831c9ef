/* words: what a step did, in words and as links between rows. */
#include "app/session/engine.h"
#include "app/session/step-words.h"
#include "views/parts/theme.h"

#include <string.h>

static LsHistory *
history_of (LsSession *session)
{
  return ls_engine_session_get_history (LS_ENGINE_SESSION (session));
}

static void
assert_words (LsHistory  *history,
              guint       id,
              const char *expected)
{
  g_autofree char *words = ls_step_words (history, id);

  g_assert_cmpstr (words, ==, expected);
}

static void
test_sample (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  LsHistory *history = history_of (session);

  assert_words (history, 0, NULL);
  assert_words (history, 1, "j becomes j_0 and j_1");
  assert_words (history, 2, "k moves out; j_1 moves in");
  assert_words (history, 3, "block C moves into j_0; j is now ax0; gone: i");
  assert_words (history, 4, "j_1 is now vectorized");
  assert_words (history, 5, "j_1_init is new, like j_1; block Y_init is new, from Y; block Y is now Y_update");
}

static const char chain[] =
  "@T.prim_func\n"
  "def f(A: T.Buffer((8, 8)), C: T.Buffer((8, 8))):\n"
  "    B = T.alloc_buffer((8, 8))\n"
  "    for i, j in T.grid(8, 8):\n"
  "        with T.block(\"B\"):\n"
  "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "            B[vi, vj] = A[vi, vj] * T.float32(2)\n"
  "    for i, j in T.grid(8, 8):\n"
  "        with T.block(\"C\"):\n"
  "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "            C[vi, vj] = B[vi, vj] + T.float32(1)\n";

static const char chain_steps[] =
  "b = sch.get_block(\"B\", func_name=\"f\")\n"
  "sch.compute_inline(b)\n"
  "c = sch.get_block(\"C\", func_name=\"f\")\n"
  "i, j = sch.get_loops(c)\n"
  "f = sch.fuse(i, j)\n"
  "sch.parallel(f)\n"
  "sch.annotate(f, \"x\", 1)\n"
  "sch.cache_read(c, 0, \"global\")\n"
  "sch.vectorize(f)\n";

static void
test_chain (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new ();
  LsHistory *history;

  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "f.py", chain, chain_steps);
  history = history_of (session);
  assert_words (history, 1, "block B is computed in C; gone: i and j; buffer B is gone");
  assert_words (history, 2, "i and j become i_j_fused");
  assert_words (history, 3, "i_j_fused is now parallel");
  assert_words (history, 4, "i_j_fused has other annotations");
  assert_words (history, 5, "block A_global is new; new: ax0 and ax1");
}

static void
test_refused (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new ();

  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "f.py", chain,
                               "b = sch.get_block(\"A\", func_name=\"f\")\n");
  assert_words (history_of (session), 1, NULL);
}

static guint
count_links (GArray  *links,
             guint64  before,
             gboolean copy)
{
  guint n = 0;

  for (guint i = 0; i < links->len; i++)
    n += g_array_index (links, LsNestLink, i).before == before && g_array_index (links, LsNestLink, i).copy == copy;
  return n;
}

/* j of the sample became j_0, j_1 and j_1_init. */
static void
test_links (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  g_autoptr (GArray) links = ls_step_links (history_of (session), 0, 5);
  LsVersion *version = ls_schedule_get_version (ls_history_get (history_of (session), 0)->schedule, 0);
  guint64 j = 0;

  for (guint i = 0; i < ls_version_get_n (version); i++)
    if (ls_version_at (version, i)->type == LS_ENTITY_LOOP && j == 0 &&
        strcmp (((LsFor *) ls_version_at (version, i)->node)->loop_var->name, "j") == 0)
      j = (guint64) ls_version_at (version, i)->id + 1;
  g_assert_cmpuint (j, >, 0);
  g_assert_cmpuint (count_links (links, j, FALSE), ==, 3);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ls_views_init ();
  g_test_add_func ("/draw/words/sample", test_sample);
  g_test_add_func ("/draw/words/chain", test_chain);
  g_test_add_func ("/draw/words/refused", test_refused);
  g_test_add_func ("/draw/words/links", test_links);
  return g_test_run ();
}
