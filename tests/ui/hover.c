/* The pointer rests on a word of a program: a card says what it is, and goes with the pointer; on nothing there is none. */
#include "app/session/engine.h"
#include "tests/support/support.h"
#include "views/parts/theme.h"
#include "views/script/pane.h"

#include <string.h>

#define WAIT_MS 8000

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

/* As a mouse does it: there is no call for that in GTK. */
static void
put_pointer (GtkWidget *window,
             double     x,
             double     y)
{
  double left, top;
  g_autofree char *command = NULL;

  gtk_native_get_surface_transform (GTK_NATIVE (window), &left, &top);
  command = g_strdup_printf ("xdotool mousemove %d %d", (int) (x + left), (int) (y + top));
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
}

/* On the character that `words` begin with, and a pixel beside, so that it moves. */
static void
point_at (GtkWidget  *window,
          GtkWidget  *pane,
          const char *words)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (pane));
  GtkTextIter start, end;
  GdkRectangle place;
  double x, y;
  int left, top;

  gtk_text_buffer_get_start_iter (buffer, &start);
  g_assert_true (gtk_text_iter_forward_search (&start, words, GTK_TEXT_SEARCH_VISIBLE_ONLY, &start, &end, NULL));
  gtk_text_view_get_iter_location (GTK_TEXT_VIEW (pane), &start, &place);
  gtk_text_view_buffer_to_window_coords (GTK_TEXT_VIEW (pane), GTK_TEXT_WINDOW_WIDGET, place.x, place.y, &left, &top);
  gtk_widget_translate_coordinates (pane, window, left + place.width / 2, top + place.height / 2, &x, &y);
  put_pointer (window, x - 1, y);
  wait_ms (50);
  put_pointer (window, x, y);
}

/* The card that is seen below `root`, or NULL. */
static const char *
card (GtkWidget *root)
{
  const char *found = NULL;

  if (GTK_IS_LABEL (root) && gtk_widget_has_css_class (root, "script-card") && gtk_widget_get_mapped (root))
    return gtk_label_get_label (GTK_LABEL (root));
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL; child = gtk_widget_get_next_sibling (child))
    found = card (child);
  return found;
}

static const char *
wait_for (GtkWidget  *pane,
          const char *begin)
{
  for (guint i = 0; i < WAIT_MS / 50; i++)
    {
      const char *words = card (pane);

      if (begin == NULL ? words == NULL : words != NULL && g_str_has_prefix (words, begin))
        break;
      wait_ms (50);
    }
  return card (pane);
}

static void
test_card (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  GtkWidget *window = gtk_window_new (), *pane = ls_script_pane_new (), *scroller = gtk_scrolled_window_new ();
  gpointer gone = pane;
  const char *words;

  put_pointer (window, 5000, 5000);
  ls_script_pane_set_session (LS_SCRIPT_PANE (pane), session);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), pane);
  gtk_window_set_child (GTK_WINDOW (window), scroller);
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 700);
  gtk_window_present (GTK_WINDOW (window));
  ls_script_pane_set_text (LS_SCRIPT_PANE (pane), ls_session_get_script (session));
  wait_ms (500);
  g_assert_null (card (pane));
  point_at (window, pane, "T.grid");
  words = wait_for (pane, "T.grid\n");
  g_assert_nonnull (words);
  g_assert_nonnull (strstr (words, "Nested loops"));
  point_at (window, pane, "Y[");
  words = wait_for (pane, "Y: ");
  g_assert_true (words != NULL && g_str_has_prefix (words, "Y: "));
  /* It goes when the pointer does: on in the text, or away from it. */
  put_pointer (window, 600, 650);
  wait_ms (50);
  put_pointer (window, 602, 655);
  g_assert_null (wait_for (pane, NULL));
  point_at (window, pane, "Y[");
  g_assert_nonnull (wait_for (pane, "Y: "));
  put_pointer (window, 5000, 5000);
  g_assert_null (wait_for (pane, NULL));
  /* A view that is asked something does not outlive its window. */
  g_object_add_weak_pointer (G_OBJECT (pane), &gone);
  gtk_window_destroy (GTK_WINDOW (window));
  wait_ms (300);
  g_assert_null (gone);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *tool = g_find_program_in_path ("xdotool");

  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check () || tool == NULL)
    {
      g_print ("1..0 # SKIP no display, or no xdotool\n");
      return 0;
    }
  ls_theme_install (gdk_display_get_default ());
  g_test_add_func ("/ui/hover/card", test_card);
  return g_test_run ();
}
