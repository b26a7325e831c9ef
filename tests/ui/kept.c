/* Kept: what a window says of work that no file has: a mark in its title, and where it went when it closed, with the way back.  The title
 * has room for the document's name in the smallest window.
 */
#include "app/application.h"
#include "app/session/copies.h"
#include "app/session/engine.h"
#include "app/window/actions.h"
#include "app/window/file.h"
#include "app/window/window.h"
#include "tests/ui/known.h"

#include <string.h>

#define LEAST_WIDTH 800
#define LEAST_HEIGHT 560

static LsApplication *application;

static const char program[] =
  "@T.prim_func\n"
  "def a_name_of_some_length(A: T.Buffer((128,)), B: T.Buffer((128,))):\n"
  "    for i in T.grid(128):\n"
  "        with T.block(\"B\"):\n"
  "            vi = T.axis.remap(\"S\", [i])\n"
  "            B[vi] = A[vi] * T.float32(2)\n";

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

typedef gboolean (*Looks) (GtkWidget *widget, const char *words);

/* The first one that is on the screen. */
static GtkWidget *
find (GtkWidget  *root,
      Looks       looks,
      const char *words)
{
  if (gtk_widget_get_mapped (root) && looks (root, words))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, looks, words);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
says (GtkWidget  *widget,
      const char *words)
{
  return GTK_IS_LABEL (widget) && strstr (gtk_label_get_text (GTK_LABEL (widget)), words) != NULL;
}

static gboolean
is_button (GtkWidget  *widget,
           const char *words)
{
  return GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), words) == 0;
}

static GtkWidget *
wait_for (GtkWindow  *window,
          Looks       looks,
          const char *words)
{
  GtkWidget *found = NULL;

  for (guint i = 0; i < 6000 && (found = find (GTK_WIDGET (window), looks, words)) == NULL; i++)
    wait_ms (20);
  if (found == NULL)
    g_test_fail_printf ("%s does not come", words);
  return found;
}

static LsEngineSession *
session_of (GtkWindow *window)
{
  return LS_ENGINE_SESSION (ls_window_get_session (LS_WINDOW (window)));
}

static guint
n_steps (GtkWindow *window)
{
  return g_list_model_get_n_items (ls_session_get_path (LS_SESSION (session_of (window))));
}

static GtkWindow *
open_window (int width,
             int height)
{
  g_autoptr (LsSession) session = ls_engine_session_new ();
  GtkWindow *window;

  ls_pass_over_known ();
  window = GTK_WINDOW (ls_window_new (GTK_APPLICATION (application), session));
  ls_engine_session_open_text (LS_ENGINE_SESSION (session), "name.py", program, NULL);
  gtk_window_set_default_size (window, width, height);
  gtk_window_present (window);
  wait_ms (300);
  return window;
}

static void
change (GtkWindow *window)
{
  ls_engine_session_replay (session_of (window), "sch.split(sch.get_loops(sch.get_block(\"B\"))[0], factors=[None, 4])\n");
}

/* Closed as by its button, without what would be said of it. */
static void
drop (GtkWindow *window)
{
  gpointer held = window;

  g_object_add_weak_pointer (G_OBJECT (window), &held);
  gtk_window_destroy (window);
  for (guint i = 0; i < 6000 && held != NULL; i++)
    wait_ms (20);
}

static gboolean
is_mark (GtkWidget  *widget,
         const char *words)
{
  return GTK_IS_LABEL (widget) && g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), words) == 0;
}

/* It comes with the first change and goes with the file. */
static void
test_mark (void)
{
  GtkWindow *window = open_window (1280, 800);
  g_autofree char *path = g_build_filename (g_get_user_state_dir (), "mark.loopscope", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_null (find (GTK_WIDGET (window), is_mark, "•"));
  change (window);
  g_assert_nonnull (wait_for (window, is_mark, "•"));
  {
    g_autofree char *text = ls_session_export (LS_SESSION (session_of (window)), LS_EXPORT_SESSION, NULL);

    g_mkdir_with_parents (g_get_user_state_dir (), 0700);
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
  }
  ls_window_file_open (LS_WINDOW (window), file);
  /* It has changes, so the file is shown by another window, which has none. */
  for (guint i = 0; i < 6000 && g_list_length (gtk_application_get_windows (GTK_APPLICATION (application))) < 2; i++)
    wait_ms (20);
  for (GList *at = gtk_application_get_windows (GTK_APPLICATION (application)); at != NULL; at = at->next)
    if (at->data != (gpointer) window)
      {
        wait_ms (600);
        g_assert_null (find (at->data, is_mark, "•"));
        drop (at->data);
        break;
      }
  g_assert_nonnull (find (GTK_WIDGET (window), is_mark, "•"));
  drop (window);
}

/* The other window says what became of it, and brings it back. */
static void
test_undo (void)
{
  GtkWindow *stays = open_window (1280, 800), *goes = open_window (1280, 800), *back = NULL;
  gpointer held = goes;
  GtkWidget *undo;

  g_object_add_weak_pointer (G_OBJECT (goes), &held);
  change (goes);
  g_assert_cmpuint (n_steps (goes), ==, 2);
  gtk_window_close (goes);
  for (guint i = 0; i < 6000 && held != NULL; i++)
    wait_ms (20);
  g_assert_null (held);
  {
    g_autoptr (GPtrArray) kept = ls_copies_kept ();

    g_assert_cmpuint (kept->len, ==, 1);
  }
  g_assert_nonnull (wait_for (stays, says, "was closed; it has no file, but it is kept"));
  undo = wait_for (stays, is_button, "Undo");
  g_assert_nonnull (undo);
  g_signal_emit_by_name (undo, "clicked");
  for (guint i = 0; i < 6000 && back == NULL; i++)
    {
      wait_ms (20);
      for (GList *at = gtk_application_get_windows (GTK_APPLICATION (application)); at != NULL; at = at->next)
        if (LS_IS_WINDOW (at->data) && n_steps (at->data) == 2)
          back = at->data;
    }
  g_assert_nonnull (back);
  if (back != stays)
    drop (back);
  drop (stays);
}

/* All of the name, in a window that is not wider than it says it can be. */
static void
test_name (void)
{
  GtkWindow *window = open_window (LEAST_WIDTH, LEAST_HEIGHT);
  GtkWidget *name = wait_for (window, says, "a_name_of_some_length");
  int width, height;

  g_assert_nonnull (name);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (name))));
  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_VERTICAL, LEAST_WIDTH, &height, NULL, NULL, NULL);
  g_assert_cmpint (width, <=, LEAST_WIDTH);
  g_assert_cmpint (height, <=, LEAST_HEIGHT);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (window)), ==, LEAST_WIDTH);
  drop (window);
}

int
main (int    argc,
      char **argv)
{
  int status;

  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  application = ls_application_new (ls_engine_session_new);
  g_application_set_flags (G_APPLICATION (application), G_APPLICATION_NON_UNIQUE | G_APPLICATION_HANDLES_OPEN);
  g_assert_true (g_application_register (G_APPLICATION (application), NULL, NULL));
  g_test_add_func ("/kept/mark", test_mark);
  g_test_add_func ("/kept/undo", test_undo);
  g_test_add_func ("/kept/name", test_name);
  status = g_test_run ();
  g_object_unref (application);
  return status;
}
