/* Closing: what a window held goes with it, also when it closes while its texts are being laid out or while it asks for a file. */
#include "app/application.h"
#include "app/session/engine.h"
#include "app/window/actions.h"
#include "app/window/file.h"
#include "app/window/window.h"
#include "engine/schedule/intrin/intrin.h"
#include "tests/ui/known.h"
#include "views/parts/theme.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SETTLED 10              /* windows after which all that is made once is made */
#define MOST_KIB 1024           /* that a window may leave on average */

static LsApplication *application;

/* Each window costs a third of a second of the processor: ./check takes a share of those that ui/closing-full opens. */
static guint
share (guint few,
       guint all)
{
  return g_test_thorough () ? all : few;
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

/* A session that nobody but the window holds. */
static GtkWindow *
window_new (LsSession *taken)
{
  g_autoptr (LsSession) session = taken;
  GtkWindow *window;

  ls_pass_over_known ();
  window = GTK_WINDOW (ls_window_new (GTK_APPLICATION (application), session));

  gtk_window_set_default_size (window, 1440, 900);
  gtk_window_present (window);
  return window;
}

static LsSession *
session_of (GtkWindow *window)
{
  return ls_window_get_session (LS_WINDOW (window));
}

static void
wait_for_frames (GtkWindow *window,
                 guint      n)
{
  gint64 first = -1, now = -1;

  for (guint i = 0; i < 12000 && (first < 0 || now - first < n); i++)
    {
      GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));

      wait_ms (10);
      if (clock != NULL && gtk_widget_get_mapped (GTK_WIDGET (window)))
        now = gdk_frame_clock_get_frame_counter (clock);
      if (first < 0)
        first = now;
      gtk_widget_queue_draw (GTK_WIDGET (window));
    }
}

static void
wait_until_gone (gpointer *held)
{
  for (guint i = 0; i < 6000 && *held != NULL; i++)
    wait_ms (20);
}

/* Weak pointers to the text views in `root`, for where they are looked at afterwards. */
static void
watch_texts (GtkWidget *root,
             GPtrArray *slots)
{
  if (GTK_IS_TEXT_VIEW (root))
    {
      gpointer *slot = g_new0 (gpointer, 1);

      g_set_weak_pointer (slot, root);
      g_ptr_array_add (slots, slot);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    watch_texts (child, slots);
}

static gsize
resident_kib (void)
{
  g_autofree char *text = NULL;
  const char *at;

  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  at = strstr (text, "VmRSS:");
  g_assert_nonnull (at);
  return (gsize) g_ascii_strtoull (at + strlen ("VmRSS:"), NULL, 10);
}

static void
test_gone (void)
{
  gsize settled = 0, grown;
  guint windows = share (22, 50);

  for (guint i = 0; i < windows; i++)
    {
      GtkWindow *window = window_new (ls_engine_session_new_sample ());
      gpointer session = session_of (window), held = window;
      g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);

      wait_for_frames (window, 3);
      /* The opened program as text has an editor of its own. */
      if (i % 2 == 1)
        {
          gtk_widget_activate_action (GTK_WIDGET (window), "win.edit-base", NULL);
          wait_for_frames (window, 2);
        }
      g_object_add_weak_pointer (G_OBJECT (session), &session);
      g_object_add_weak_pointer (G_OBJECT (window), &held);
      watch_texts (GTK_WIDGET (window), texts);
      gtk_window_close (window);
      wait_until_gone (&held);
      wait_until_gone (&session);
      g_assert_null (held);
      g_assert_null (session);
      g_assert_cmpuint (texts->len, >=, 3);
      for (guint n = 0; n < texts->len; n++)
        {
          wait_until_gone (g_ptr_array_index (texts, n));
          if (*(gpointer *) g_ptr_array_index (texts, n) != NULL)
            g_test_message ("window %u, text %u: %s", i, n, G_OBJECT_TYPE_NAME (*(gpointer *) g_ptr_array_index (texts, n)));
          g_assert_null (*(gpointer *) g_ptr_array_index (texts, n));
        }
      if (i + 1 == SETTLED)
        settled = resident_kib ();
    }
  grown = MAX (resident_kib (), settled) - settled;
  g_test_message ("%" G_GSIZE_FORMAT " KiB in %u windows", grown, windows - SETTLED);
  g_assert_cmpuint (grown, <, MOST_KIB * (windows - SETTLED));
}

static void
collect_buttons (GtkWidget *root,
                 GPtrArray *found)
{
  if (GTK_IS_BUTTON (root) && !GTK_IS_LINK_BUTTON (root) && gtk_widget_get_mapped (root) && gtk_widget_get_width (root) > 0)
    g_ptr_array_add (found, root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    collect_buttons (child, found);
}

/* Each button is pressed in a window of its own, and then the window closes, at once or after a moment (by turns, or each button both ways),
 * whatever it opened. */
static void
test_pressed (void)
{
  guint n = 1, ways = share (1, 2);

  for (guint turn = 0; turn < n * ways; turn++)
    {
      guint i = turn / ways;
      GtkWindow *window = window_new (ls_engine_session_new_sample ());
      gpointer session = session_of (window), held = window;
      g_autoptr (GPtrArray) buttons = g_ptr_array_new ();
      const char *action, *label;
      g_autofree char *words = NULL;

      wait_for_frames (window, 3);
      collect_buttons (GTK_WIDGET (window), buttons);
      n = buttons->len;
      if (i >= n)
        {
          gtk_window_destroy (window);
          break;
        }
      action = gtk_actionable_get_action_name (buttons->pdata[i]);
      label = gtk_button_get_label (buttons->pdata[i]);
      words = g_strdup_printf ("%s %s in %s", action != NULL ? action : "-", label != NULL ? label : "-",
                               G_OBJECT_TYPE_NAME (gtk_widget_get_parent (buttons->pdata[i])));
      g_object_add_weak_pointer (G_OBJECT (session), &session);
      g_object_add_weak_pointer (G_OBJECT (window), &held);
      g_signal_emit_by_name (buttons->pdata[i], "clicked");
      if (turn % 2 == 0)
        wait_ms (40);
      if (held != NULL)
        gtk_window_close (window);
      wait_until_gone (&held);
      wait_until_gone (&session);
      if (held != NULL || session != NULL)
        g_test_fail_printf ("%s: %s stays", words, held != NULL ? "the window" : "the session");
      g_clear_weak_pointer (&session);
      g_clear_weak_pointer (&held);
    }
  g_assert_cmpuint (n, >, 20);
}

/* (transfer full) */
static char *
large_program (guint functions)
{
  GString *text = g_string_new ("@I.ir_module\nclass Module:\n");

  for (guint i = 0; i < functions; i++)
    g_string_append_printf (text, "    @T.prim_func\n    def f%u(A: T.Buffer((128, 128)), B: T.Buffer((128, 128))):\n"
                                  "        for i, j in T.grid(128, 128):\n            with T.block(\"B\"):\n"
                                  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
                                  "                B[vi, vj] = A[vi, vj] * T.float32(2)\n\n", i);
  return g_string_free (text, FALSE);
}

static void
scroll_to_end (GtkWidget *root)
{
  if (GTK_IS_TEXT_VIEW (root))
    {
      GtkAdjustment *scroll = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (root));

      gtk_adjustment_set_value (scroll, gtk_adjustment_get_upper (scroll));
    }
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    scroll_to_end (child);
}

/* The steps play, each with another text, and the window closes between two frames, scrolled down: what its text views still lay
 * out in idle turns finds nobody there. */
static void
test_laid_out (void)
{
  g_autofree char *large = large_program (150);

  for (guint i = 0; i < 12; i++)
    {
      GtkWindow *window = window_new (ls_engine_session_new_sample ());
      LsSession *session = session_of (window);

      wait_for_frames (window, 2);
      if (i % 3 == 1)
        ls_engine_session_open_text (LS_ENGINE_SESSION (session), "large.py", large, "sch.split(sch.get_loops(sch.get_block(\"B\", \"f3\"))[0], [None, 4])\n");
      else if (i % 3 == 2)
        gtk_widget_activate_action (GTK_WIDGET (window), "win.diff", NULL);
      wait_for_frames (window, 4);
      for (guint step = 5; step > 0; step--)
        {
          scroll_to_end (GTK_WIDGET (window));
          wait_ms (16);
          ls_session_go_to (session, step - 1);
          wait_ms (step == 1 ? i * 4 : 16);
        }
      gtk_window_close (window);
      wait_ms (300);
    }
}

/* The steps play by themselves and the window closes. */
static void
test_playing (void)
{
  GtkWindow *window = window_new (ls_engine_session_new_sample ());
  gpointer held = window;

  wait_for_frames (window, 2);
  g_object_add_weak_pointer (G_OBJECT (window), &held);
  ls_session_go_first (session_of (window));
  gtk_widget_activate_action (GTK_WIDGET (window), "win.play", NULL);
  wait_ms (100);
  gtk_window_close (window);
  wait_ms (2000);
  g_assert_null (held);
}

/* A program that takes seconds is being measured and the window goes, closed or destroyed: nothing goes on being measured for it. */
static void
test_measuring (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("LS_SOURCE_ROOT"), "data", "samples", "matmul_1024.py", NULL);
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  for (guint i = 0; i < 2; i++)
    {
      GtkWindow *window = window_new (ls_engine_session_new_sample ());
      gpointer session = session_of (window);

      g_object_add_weak_pointer (G_OBJECT (session), &session);
      ls_engine_session_open_text (LS_ENGINE_SESSION (session), "matmul_1024.py", text, "sch.parallel(sch.get_loops(sch.get_block(\"C\"))[0])\n");
      wait_for_frames (window, 2);
      gtk_widget_activate_action (GTK_WIDGET (window), "win.measure-all", NULL);
      wait_ms (300);
      g_assert_true (ls_session_is_running (session));
      if (i == 0)
        gtk_window_close (window);
      else
        gtk_window_destroy (window);
      wait_until_gone (&session);
      g_assert_null (session);
    }
}

/* A large program is coloured in idle turns, which change its layout: it closes before they are done. */
static void
test_coloured (void)
{
  g_autofree char *large = large_program (1500);

  for (guint i = 0; i < 4; i++)
    {
      GtkWindow *window = window_new (ls_engine_session_new_sample ());

      wait_for_frames (window, 2);
      ls_engine_session_open_text (LS_ENGINE_SESSION (session_of (window)), "large.py", large, NULL);
      wait_ms (i * 150);
      gtk_window_close (window);
      wait_ms (1500);
    }
}

/* While a file is read beside the main loop. */
static void
test_read (void)
{
  g_autofree char *large = large_program (600);
  g_autofree char *path = g_build_filename (g_getenv ("XDG_STATE_HOME"), "closing-large.py", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (g_file_set_contents (path, large, -1, NULL));
  for (guint i = 0; i < 4; i++)
    {
      GtkWindow *window = window_new (ls_engine_session_new_sample ());
      gpointer held = window;

      wait_for_frames (window, 2);
      g_object_add_weak_pointer (G_OBJECT (window), &held);
      ls_window_file_open (LS_WINDOW (window), file);
      wait_ms (i * 100);
      gtk_window_close (window);
      for (guint n = 0; n < 600 && held != NULL; n++)
        wait_ms (20);
      g_assert_null (held);
    }
  unlink (path);
}

/* With an editor of a step open over the history, or about to open. */
static void
test_editing (void)
{
  static const char *const pages[] = { "explore", "graph" };

  for (guint i = 0; i < 8; i++)
    {
      GtkWindow *window = window_new (ls_engine_session_new_sample ());
      gpointer session = session_of (window), held = window;

      wait_for_frames (window, 2);
      g_object_add_weak_pointer (G_OBJECT (session), &session);
      g_object_add_weak_pointer (G_OBJECT (window), &held);
      ls_window_show_page (LS_WINDOW (window), pages[i % 2]);
      gtk_widget_activate_action (GTK_WIDGET (window), "win.edit-step", NULL);
      if (i / 2 % 2 == 1)
        wait_ms (200);
      if (i / 4 == 1)
        ls_window_show_page (LS_WINDOW (window), "explore");
      gtk_window_close (window);
      wait_until_gone (&held);
      wait_until_gone (&session);
      if (held != NULL || session != NULL)
        g_test_fail_printf ("%u: %s stays", i, held != NULL ? "the window" : "the session");
      g_clear_weak_pointer (&session);
      g_clear_weak_pointer (&held);
    }
}

static GtkWidget *
find_mapped (GtkWidget *root,
             GType      type)
{
  GtkWidget *found = gtk_widget_get_mapped (root) && G_TYPE_CHECK_INSTANCE_TYPE (root, type) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find_mapped (child, type);
  return found;
}

/* With the list of the pages open, where there is one: GTK 4.8 keeps its rows. */
static void
test_choosing (void)
{
  GtkWindow *window = window_new (ls_engine_session_new_sample ());
  gpointer session = session_of (window);
  GtkWidget *list;

  gtk_window_set_default_size (window, 800, 600);
  wait_for_frames (window, 5);
  g_object_add_weak_pointer (G_OBJECT (session), &session);
  list = find_mapped (gtk_window_get_titlebar (window), GTK_TYPE_DROP_DOWN);
  g_assert_nonnull (list);
  gtk_widget_activate (list);
  wait_ms (300);
  gtk_window_close (window);
  wait_until_gone (&session);
  g_assert_null (session);
}

static GtkWidget *
find_any (GtkWidget  *root,
          const char *type)
{
  GtkWidget *found = g_strcmp0 (G_OBJECT_TYPE_NAME (root), type) == 0 ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = find_any (child, type);
  return found;
}

/* While pages come and go; every third still has all pages, numbers of frames and waits. */
static void
test_paging (void)
{
  static const char *const pages[] = { "explore", "graph", "compare", "why" };

  for (guint i = 0; i < 54; i += share (3, 1))
    {
      GtkWindow *window = window_new (ls_engine_session_new_sample ());
      gpointer explore = find_any (GTK_WIDGET (window), "LsExploreView");

      g_object_add_weak_pointer (G_OBJECT (explore), &explore);
      if (i / 9 % 3 > 0)
        wait_for_frames (window, i / 9 % 3 * 2);
      ls_window_show_page (LS_WINDOW (window), pages[i % 4]);
      if (i / 27 > 0)
        wait_ms (30);
      ls_window_show_page (LS_WINDOW (window), pages[i / 3 % 4]);
      gtk_window_close (window);
      wait_until_gone (&explore);
      if (explore != NULL)
        g_test_fail_printf ("%u: the first page stays", i);
      g_clear_weak_pointer (&explore);
    }
}

static guint
n_dialogs (void)
{
  g_autoptr (GListModel) tops = g_object_ref (gtk_window_get_toplevels ());
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (tops); i++)
    {
      g_autoptr (GtkWidget) top = g_list_model_get_item (tops, i);

      n += GTK_IS_FILE_CHOOSER (top) && gtk_widget_get_visible (top);
    }
  return n;
}

/* A dialog that asks for a file goes with its window, whether it is shown already or not. */
static void
test_dialogs (void)
{
  static const struct { const char *action; const char *target; } asks[] = {
    { "win.open", NULL }, { "win.save-as", NULL }, { "win.save-trace", NULL }, { "win.compare-file", NULL },
    { "win.export", "report" }, { "win.export-figure", "loops" } };

  for (guint i = 0; i < G_N_ELEMENTS (asks) * 2; i++)
    {
      GtkWindow *window = window_new (ls_engine_session_new_sample ());
      gpointer held = window;
      const char *target = asks[i / 2].target;

      wait_for_frames (window, 2);
      g_object_add_weak_pointer (G_OBJECT (window), &held);
      g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (window), asks[i / 2].action,
                                                         target != NULL ? g_variant_new_string (target) : NULL));
      for (guint n = 0; i % 2 == 0 && n < 200 && n_dialogs () == 0; n++)
        wait_ms (20);
      g_assert_cmpuint (n_dialogs (), ==, i % 2 == 0 ? 1 : 0);
      gtk_window_close (window);
      wait_until_gone (&held);
      g_assert_null (held);
      wait_ms (100);
      g_assert_cmpuint (n_dialogs (), ==, 0);
    }
}

/* A surface outlives its window by some turns of the loop, in which it asks for a size (GTK 4.8 on X11). */
static void
test_surface (void)
{
  for (guint i = 0; i < 2; i++)
    {
      GtkWindow *window = i == 0 ? window_new (ls_engine_session_new_sample ()) : GTK_WINDOW (gtk_window_new ());
      gpointer held = window;
      g_autoptr (GdkSurface) surface = NULL;
      guint asks = g_signal_lookup ("compute-size", GDK_TYPE_TOPLEVEL);

      gtk_window_present (window);
      wait_for_frames (window, 1);
      surface = g_object_ref (gtk_native_get_surface (GTK_NATIVE (window)));
      g_object_add_weak_pointer (G_OBJECT (window), &held);
      g_assert_cmpuint (g_signal_handler_find (surface, G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA, asks, 0, NULL, NULL, window), !=, 0);
      gtk_window_close (window);
      wait_until_gone (&held);
      g_assert_null (held);
      g_assert_cmpuint (g_signal_handler_find (surface, G_SIGNAL_MATCH_ID, asks, 0, NULL, NULL, NULL), ==, 0);
    }
}

static void
hold_all (GtkWidget *root,
          GPtrArray *held)
{
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      g_ptr_array_add (held, g_object_ref (child));
      hold_all (child, held);
    }
}

/* A gesture of GTK's may keep what was pressed beyond the end of its window: whatever stays goes later, parents first or last. */
static void
test_held (void)
{
  for (guint order = 0; order < 2; order++)
    {
      GtkWindow *window = window_new (ls_engine_session_new_sample ());
      g_autoptr (GPtrArray) held = g_ptr_array_new ();

      wait_for_frames (window, 3);
      for (guint i = 0; i < 5; i++)
        {
          static const char *const pages[] = { "compare", "graph", "why", "tune", "explore" };

          ls_window_show_page (LS_WINDOW (window), pages[i]);
          wait_ms (50);
        }
      hold_all (GTK_WIDGET (window), held);
      gtk_window_destroy (window);
      wait_ms (100);
      for (guint i = 0; i < held->len; i++)
        g_object_unref (g_ptr_array_index (held, order == 0 ? i : held->len - 1 - i));
      wait_ms (100);
    }
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *state = g_dir_make_tmp ("loopscope-closing-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  ls_tensor_intrin_preload ();
  ls_views_init ();
  application = ls_application_new (ls_engine_session_new_sample);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_test_add_func ("/closing/surface", test_surface);
  g_test_add_func ("/closing/laid-out", test_laid_out);
  g_test_add_func ("/closing/playing", test_playing);
  g_test_add_func ("/closing/measuring", test_measuring);
  g_test_add_func ("/closing/coloured", test_coloured);
  g_test_add_func ("/closing/read", test_read);
  g_test_add_func ("/closing/editing", test_editing);
  g_test_add_func ("/closing/choosing", test_choosing);
  g_test_add_func ("/closing/paging", test_paging);
  g_test_add_func ("/closing/dialogs", test_dialogs);
  g_test_add_func ("/closing/pressed", test_pressed);
  g_test_add_func ("/closing/held", test_held);
  g_test_add_func ("/closing/gone", test_gone);
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
