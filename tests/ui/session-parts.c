/* session-parts: see the header. */
#include "tests/ui/session-parts.h"

#include "app/report/page.h"
#include "views/parts/theme.h"

#include <string.h>

const char session_source[] =
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

const char session_steps[] =
  "block_Y = sch.get_block(\"Y\")\n"
  "i, j, k = sch.get_loops(block_Y)\n"
  "j0, j1 = sch.split(j, factors=[None, 4])\n"
  "sch.reorder(j0, k, j1)\n";

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

const LsLoopRecord *
loop (LsSession  *session,
      const char *name)
{
  LsLoopItem *item = find_name (ls_session_get_loops (session), name);

  g_assert_nonnull (item);
  return ls_loop_item_get (item);
}

LsMoveItem *
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

const LsStepRecord *
step (LsSession *session,
      guint      i)
{
  g_autoptr (LsStepItem) item = g_list_model_get_item (ls_session_get_path (session), i);

  g_assert_nonnull (item);
  return ls_step_item_get (item);
}

LsSession *
open_text (const char *text,
           const char *schedule)
{
  LsSession *session = ls_engine_session_new ();

  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "mm_relu.py", text, schedule);
  return session;
}

static gboolean
wake (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

void
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

void
session_parts_init (int    *argc,
                    char ***argv)
{
  g_test_init (argc, argv, NULL);
  gtk_disable_setlocale ();
  gtk_init_check ();            /* pictures need its node types, with or without a display */
  ls_views_init ();
  ls_report_register ();
}
