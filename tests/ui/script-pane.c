/* The text pane: the gaps beside another text are as high as the lines that they stand for. */
#include "views/parts/theme.h"
#include "views/script/pane.h"

#define FRAMES 3

static int
line_height (GtkTextView *view,
             int          line)
{
  GtkTextIter at;
  int y, height;

  gtk_text_buffer_get_iter_at_line (gtk_text_view_get_buffer (view), &at, line);
  gtk_text_view_get_line_yrange (view, &at, &y, &height);
  return height;
}

static gboolean
count_frame (GtkWidget     *widget,
             GdkFrameClock *clock,
             gpointer       data)
{
  return ++*(guint *) data < FRAMES ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* At every size of the letters: heights of lines are no whole numbers, and how they are rounded adds up. */
static void
test_row_height (void)
{
  g_autoptr (LsScriptText) text = ls_script_text_new ("for i in range(4):\n    A[i] = 0\n    B[i] = 1\nC = 2\n");
  GtkCssProvider *letters = gtk_css_provider_new ();
  GtkWidget *window = gtk_window_new (), *pane = ls_script_pane_new ();
  int least = G_MAXINT, most = 0;

  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (letters), GTK_STYLE_PROVIDER_PRIORITY_USER);
  ls_script_pane_set_text (LS_SCRIPT_PANE (pane), text);
  gtk_window_set_child (GTK_WINDOW (window), pane);
  gtk_window_present (GTK_WINDOW (window));
  for (guint tenths = 80; tenths <= 300; tenths += 7)
    {
      g_autofree char *css = g_strdup_printf ("textview.script { font-size: %u.%upt; }", tenths / 10, tenths % 10);
      guint frames = 0;

      gtk_css_provider_load_from_data (letters, css, -1);
      gtk_widget_add_tick_callback (pane, count_frame, &frames, NULL);
      while (frames < FRAMES)
        g_main_context_iteration (NULL, TRUE);
      g_assert_cmpint (line_height (GTK_TEXT_VIEW (pane), 1), ==, ls_script_pane_row_height (LS_SCRIPT_PANE (pane)));
      least = MIN (least, line_height (GTK_TEXT_VIEW (pane), 1));
      most = MAX (most, line_height (GTK_TEXT_VIEW (pane), 1));
    }
  g_assert_cmpint (most, >, 2 * least);         /* the sizes came through */
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_style_context_remove_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (letters));
  g_object_unref (letters);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 0;
    }
  ls_theme_install (gdk_display_get_default ());
  g_test_add_func ("/ui/script-pane/row-height", test_row_height);
  return g_test_run ();
}
