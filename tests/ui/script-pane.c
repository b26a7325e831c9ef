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

static void
wait_for_frames (GtkWidget *widget)
{
  guint frames = 0;

  gtk_widget_add_tick_callback (widget, count_frame, &frames, NULL);
  while (frames < FRAMES)
    g_main_context_iteration (NULL, TRUE);
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

      gtk_css_provider_load_from_data (letters, css, -1);
      wait_for_frames (pane);
      g_assert_cmpint (line_height (GTK_TEXT_VIEW (pane), 1), ==, ls_script_pane_row_height (LS_SCRIPT_PANE (pane)));
      least = MIN (least, line_height (GTK_TEXT_VIEW (pane), 1));
      most = MAX (most, line_height (GTK_TEXT_VIEW (pane), 1));
    }
  g_assert_cmpint (most, >, 2 * least);         /* the sizes came through */
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_style_context_remove_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (letters));
  g_object_unref (letters);
}

static int
line_top (GtkTextView *view,
          int          line)
{
  GtkTextIter at;
  int y, height;

  gtk_text_buffer_get_iter_at_line (gtk_text_view_get_buffer (view), &at, line);
  gtk_text_view_get_line_yrange (view, &at, &y, &height);
  return y + height;
}

/* Lines that both have end at the same height, also when the letters change while they stand beside each other; alone each is as high as
 * its own lines. */
static void
test_gaps (void)
{
  g_autoptr (LsScriptText) before = ls_script_text_new ("A[0] = 1\nfor i in range(4):\n    B[i] = 1\nC = 2\n");
  g_autoptr (LsScriptText) after = ls_script_text_new ("A[0] = 1\nfor i_0 in range(2):\n    for i_1 in range(2):\n        D = i_0\n        E = i_1\n        B[D] = 1\nC = 2\n");
  LsScriptText *texts[] = { before, after };
  GtkCssProvider *letters = gtk_css_provider_new ();
  GtkWidget *window = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *panes[2];

  ls_script_text_compare (before, after);
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (letters), GTK_STYLE_PROVIDER_PRIORITY_USER);
  for (guint i = 0; i < 2; i++)
    {
      panes[i] = ls_script_pane_new ();
      ls_script_pane_set_text (LS_SCRIPT_PANE (panes[i]), texts[i]);
      ls_script_pane_set_compare (LS_SCRIPT_PANE (panes[i]), TRUE);
      gtk_box_append (GTK_BOX (box), panes[i]);
    }
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
  for (guint tenths = 80; tenths <= 300; tenths += 31)
    {
      g_autofree char *css = g_strdup_printf ("textview.script { font-size: %u.%upt; }", tenths / 10, tenths % 10);

      gtk_css_provider_load_from_data (letters, css, -1);
      wait_for_frames (panes[0]);
      g_assert_cmpint (line_top (GTK_TEXT_VIEW (panes[0]), 3), ==, line_top (GTK_TEXT_VIEW (panes[1]), 6));
      g_assert_cmpint (line_top (GTK_TEXT_VIEW (panes[1]), 6), ==, 7 * ls_script_pane_row_height (LS_SCRIPT_PANE (panes[1])));
    }
  ls_script_pane_set_compare (LS_SCRIPT_PANE (panes[0]), FALSE);
  wait_for_frames (panes[0]);
  g_assert_cmpint (line_top (GTK_TEXT_VIEW (panes[0]), 3), ==, 4 * ls_script_pane_row_height (LS_SCRIPT_PANE (panes[0])));
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
  g_test_add_func ("/ui/script-pane/gaps", test_gaps);
  return g_test_run ();
}
