/* random-session: what the user does to files and sessions; see random.c. */
#include "tests/ui/random-private.h"

#include "app/session/engine.h"
#include "app/window/actions.h"
#include "app/window/file.h"
#include "app/window/window.h"

#include <string.h>

#define MOST_STEPS 60           /* of one document: then a program is opened anew */

/* ---- files ----------------------------------------------------------------------------- */

static char *
program (guint n)
{
  GString *text = g_string_new ("@I.ir_module\nclass Module:\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "    @T.prim_func\n    def f%u(A: T.Buffer((32, 32), \"float32\"), B: T.Buffer((32, 32), \"float32\")):\n"
                                  "        Y = T.alloc_buffer((32, 32))\n"
                                  "        for i, j, k in T.grid(32, 32, 32):\n            with T.block(\"Y\"):\n"
                                  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
                                  "                with T.init():\n                    Y[vi, vj] = T.float32(0)\n"
                                  "                Y[vi, vj] = Y[vi, vj] + A[vi, vk] * A[vk, vj]\n"
                                  "        for i, j in T.grid(32, 32):\n            with T.block(\"B\"):\n"
                                  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                                  "                B[vi, vj] = T.max(Y[vi, vj], T.float32(0))\n\n", i);
  return g_string_free (text, FALSE);
}

static const struct { const char *name; guint functions; const char *text; } files[] = {
  { "one.py", 1, NULL }, { "three.py", 3, NULL }, { "many.py", 90, NULL }, { "broken.py", 0, "@T.prim_func\ndef f(A: T.Buffer((4,)):\n" },
  { "empty.py", 0, "" }, { "no.loopscope", 0, "{\"format\": \"loopscope-session\"" },
};

static GFile *
file_of (const char *name)
{
  g_autofree char *path = g_build_filename (ls_wish_get_folder (), name, NULL);

  return g_file_new_for_path (path);
}

void
ls_wish_write_files (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (ls_wish_get_folder (), files[i].name, NULL);
      g_autofree char *text = files[i].text != NULL ? g_strdup (files[i].text) : program (files[i].functions);

      g_assert_true (g_file_set_contents (path, text, -1, NULL));
    }
}

void
ls_wish_open_file (GtkWindow *window)
{
  guint i = ls_wish_below (G_N_ELEMENTS (files));
  g_autoptr (GFile) file = file_of (files[i].name);

  ls_wish_note ("open %s", files[i].name);
  ls_window_file_open (LS_WINDOW (window), file);
}

/* What the window shows, as a session, is opened there or in another. */
void
ls_wish_open_session (GtkWindow *window)
{
  static guint number;
  g_autofree char *json = ls_session_export (ls_wish_session_of (window), LS_EXPORT_SESSION, NULL);
  g_autofree char *name = g_strdup_printf ("s%u.loopscope", number++ % 4), *path = g_build_filename (ls_wish_get_folder (), name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (json == NULL)
    return;
  ls_wish_note ("open %s of it", name);
  g_file_set_contents (path, json, -1, NULL);
  ls_window_file_open (LS_WINDOW (ls_wish_any_window ()), file);
}

void
ls_wish_compare_file (GtkWindow *window)
{
  guint i = ls_wish_below (G_N_ELEMENTS (files));
  g_autoptr (GFile) file = file_of (files[i].name);

  ls_wish_note ("compare with %s", files[i].name);
  ls_window_compare_file (LS_WINDOW (window), file);
}

void
ls_wish_save (GtkWindow *window)
{
  /* Without a file it would ask for one. */
  if (ls_window_file_saved (LS_WINDOW (window)) == NULL)
    return;
  ls_wish_note ("save");
  gtk_widget_activate_action (GTK_WIDGET (window), "win.save", NULL);
}

/* ---- what the user does to a session -------------------------------------------------- */

/* A row of the loops, however deep. (transfer full), or NULL */
static LsLoopItem *
any_row (LsSession *session)
{
  GListModel *rows = ls_session_get_loops (session);
  LsLoopItem *item = NULL;

  while (rows != NULL && g_list_model_get_n_items (rows) > 0 && (item == NULL || ls_wish_below (4) > 0))
    {
      g_clear_object (&item);
      item = g_list_model_get_item (rows, ls_wish_below (g_list_model_get_n_items (rows)));
      rows = ls_loop_item_get_children (item);
    }
  return item;
}

void
ls_wish_select_row (GtkWindow *window)
{
  g_autoptr (LsLoopItem) item = any_row (ls_wish_session_of (window));

  if (item == NULL)
    return;
  ls_wish_note ("select %s", ls_loop_item_get (item)->name);
  ls_session_select (ls_wish_session_of (window), ls_loop_item_get (item)->id);
}

void
ls_wish_go_to (GtkWindow *window)
{
  guint n = g_list_model_get_n_items (ls_session_get_history (ls_wish_session_of (window)));
  guint at = ls_wish_below (n + 1);

  ls_wish_note ("go to %u of %u", at, n);
  ls_session_go_to (ls_wish_session_of (window), at);
}

/* A move of those that stand there, or the moves are waited for. (transfer full), or NULL */
static LsMoveItem *
any_move (LsSession *session)
{
  GListModel *moves = ls_wish_below (2) == 0 ? ls_session_get_moves (session) : ls_session_watch_moves (session);
  guint n = g_list_model_get_n_items (moves);

  return n > 0 ? g_list_model_get_item (moves, ls_wish_below (n)) : NULL;
}

void
ls_wish_use_move (GtkWindow *window)
{
  static const char *const values[] = { "4", "[None, 4]", "0", "-1", "\"local\"", "x", "", "128" };
  LsSession *session = ls_wish_session_of (window);
  g_autoptr (LsMoveItem) move = any_move (session);
  guint what = ls_wish_below (6);

  if (move == NULL)
    return;
  ls_wish_note ("%u of move %s", what, ls_move_item_get (move)->call);
  switch (what)
    {
    case 0:
      ls_session_preview (session, move);
      break;
    case 1:
      ls_session_edit (session, move, ls_wish_below (3), values[ls_wish_below (G_N_ELEMENTS (values))]);
      break;
    case 2:
      ls_session_repair (session, move);
      break;
    default:
      if (g_list_model_get_n_items (ls_session_get_history (session)) < MOST_STEPS)
        ls_session_apply (session, move);
      break;
    }
}

void
ls_wish_reorder (GtkWindow *window)
{
  LsSession *session = ls_wish_session_of (window);
  g_autoptr (LsLoopItem) from = any_row (session), to = any_row (session);
  g_autofree char *reason = NULL;

  if (from == NULL || to == NULL)
    return;
  ls_wish_note ("drag %s to %s", ls_loop_item_get (from)->name, ls_loop_item_get (to)->name);
  ls_session_reorder (session, ls_loop_item_get (from)->id, ls_loop_item_get (to)->id, ls_wish_below (2) == 0, &reason);
}

void
ls_wish_pin (GtkWindow *window)
{
  LsSession *session = ls_wish_session_of (window);
  LsScriptText *text = ls_session_get_script (session);
  guint length = text != NULL ? (guint) strlen (ls_script_text_get_text (text)) : 0;
  g_autofree char *reason = NULL;

  ls_wish_note ("pin");
  if (ls_wish_below (4) == 0)
    ls_session_unpin (session, (guint8) ls_wish_below (256));
  else
    reason = ls_session_pin (session, ls_wish_below (3) == 0 ? ls_session_get_selection (session) : 0, ls_wish_below (length + 2), LS_PIN_NEXT);
}

void
ls_wish_name_it (GtkWindow *window)
{
  guint n = g_list_model_get_n_items (ls_session_get_history (ls_wish_session_of (window)));

  ls_wish_note ("name a branch");
  if (n > 0)
    ls_session_name_branch (ls_wish_session_of (window), ls_wish_below (n), ls_wish_below (2) == 0 ? "fast" : "slow and \"careful\"");
}

void
ls_wish_edit_step (GtkWindow *window)
{
  LsSession *session = ls_wish_session_of (window);
  guint n = g_list_model_get_n_items (ls_session_get_history (session));
  g_autoptr (LsMoveItem) item = n > 1 && n < MOST_STEPS ? ls_session_edit_step (session, ls_wish_below (n)) : NULL;

  ls_wish_note ("edit a step");
  if (item == NULL)
    return;
  ls_session_edit (session, item, ls_wish_below (3), ls_wish_below (2) == 0 ? "8" : "[None, 2]");
  if (ls_wish_below (2) == 0)
    ls_session_apply (session, item);
}

void
ls_wish_measure (GtkWindow *window)
{
  ls_wish_note ("measure and leave off");
  ls_session_measure (ls_wish_session_of (window), ls_wish_below (2) == 0);
  if (ls_wish_below (4) > 0)
    ls_session_cancel (ls_wish_session_of (window));
}
