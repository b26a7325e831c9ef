/* The text pane: a text that nobody sees waits; the gaps beside another text are as high as the lines that they stand for. */
#include "tests/ui/fixture-session.h"
#include "tests/ui/late-lines.h"
#include "views/parts/source-text.h"
#include "views/parts/text-view.h"
#include "views/parts/theme.h"
#include "views/script/pane.h"

#include <string.h>

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

/* What the window shows, as pixels of 4 bytes. (transfer full) */
static guchar *
picture_of (GtkWidget *window,
            int       *width,
            int       *height)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (window);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GdkTexture) texture = NULL;
  GskRenderNode *node;
  guchar *pixels;

  *width = gtk_widget_get_width (window);
  *height = gtk_widget_get_height (window);
  gdk_paintable_snapshot (paintable, snapshot, *width, *height);
  node = gtk_snapshot_free_to_node (snapshot);
  texture = gsk_renderer_render_texture (gtk_native_get_renderer (GTK_NATIVE (window)), node, &GRAPHENE_RECT_INIT (0, 0, (float) *width, (float) *height));
  gsk_render_node_unref (node);
  pixels = g_malloc0 ((gsize) *width * (gsize) *height * 4);
  gdk_texture_download (texture, pixels, (gsize) *width * 4);
  return pixels;
}

/* The first and the last row of pixels in which two pictures differ. FALSE: they are the same. */
static gboolean
rows_that_differ (const guchar *a,
                  const guchar *b,
                  int           width,
                  int           height,
                  int          *first,
                  int          *last)
{
  *first = *last = -1;
  for (int y = 0; y < height; y++)
    if (memcmp (a + (gsize) y * (gsize) width * 4, b + (gsize) y * (gsize) width * 4, (gsize) width * 4) != 0)
      {
        *first = *first < 0 ? y : *first;
        *last = y;
      }
  return *first >= 0;
}

/* The line before which a run stands is marked in each pane that shows the text of the run, also in one of a comparison that has a text of its own, and in no
 * other; it goes where the run goes, and ends with it. */
static void
test_stand (void)
{
  g_autoptr (LsSession) session = ls_fixture_session_new ();
  const char *lines = ls_script_text_get_text (ls_session_get_script (session));
  g_autoptr (LsScriptText) same = ls_script_text_new (lines), other = ls_script_text_new ("for i in range(4):\n    A[i] = 0\n    B[i] = 1\nC = 2\n");
  LsScriptText *texts[] = { same, other };
  GtkWidget *window = gtk_window_new (), *pane = ls_script_pane_new ();

  ls_script_pane_set_session (LS_SCRIPT_PANE (pane), session);
  gtk_window_set_default_size (GTK_WINDOW (window), 900, 900);
  gtk_window_set_child (GTK_WINDOW (window), pane);
  gtk_window_present (GTK_WINDOW (window));
  for (guint i = 0; i < 2; i++)
    {
      g_autofree guchar *before = NULL;
      int width, height, first, last, y, tall;

      ls_session_set_stand (session, 0);
      ls_script_pane_set_text (LS_SCRIPT_PANE (pane), texts[i]);
      ls_pass_frames (pane, 5);
      before = picture_of (window, &width, &height);
      for (guint line = 2; line <= 4; line++)
        {
          g_autofree guchar *after = NULL;
          GtkTextIter iter;

          ls_session_set_stand (session, line);
          ls_pass_frames (pane, 5);
          after = picture_of (window, &width, &height);
          g_assert_cmpint (rows_that_differ (before, after, width, height, &first, &last), ==, i == 0);
          if (i > 0)
            continue;
          gtk_text_buffer_get_iter_at_line (gtk_text_view_get_buffer (GTK_TEXT_VIEW (pane)), &iter, (int) line - 1);
          gtk_text_view_get_line_yrange (GTK_TEXT_VIEW (pane), &iter, &y, &tall);
          gtk_text_view_buffer_to_window_coords (GTK_TEXT_VIEW (pane), GTK_TEXT_WINDOW_WIDGET, 0, y, NULL, &y);
          g_assert_cmpint (first, >=, y - 1);
          g_assert_cmpint (last, <=, y + tall + 1);
          g_assert_cmpint (last - first, >, tall / 2);
        }
      ls_session_set_stand (session, 0);
      ls_pass_frames (pane, 5);
      {
        g_autofree guchar *after = picture_of (window, &width, &height);

        g_assert_false (rows_that_differ (before, after, width, height, &first, &last));
      }
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* ---- lines that get their heights late -------------------------------------------- */

static GtkWidget *
source_text (void)
{
  return ls_source_text_new (LS_SYNTAX_C);
}

/* As the opened program has it. */
static GtkWidget *
plain_text (void)
{
  g_autoptr (GtkSourceBuffer) buffer = gtk_source_buffer_new (NULL);

  return ls_text_view_new (buffer);
}

static void
follow (LsTextView    *tied,
        GtkAdjustment *scroll)
{
  ls_text_view_follow (tied, g_object_get_data (G_OBJECT (scroll), "view"));
}

static GtkAdjustment *
scroll_of (GtkWidget *view)
{
  return gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
}

/* Lines of the first that are not seen get other letters, the second gets more room. */
static gboolean
grow_first (GtkWidget     *widget,
            GdkFrameClock *clock,
            gpointer       data)
{
  GtkWidget **views = data;
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (views[0]));
  GtkTextTag *large = gtk_text_buffer_create_tag (buffer, NULL, "scale", 1.5, NULL);
  GtkTextIter start, end;

  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_view_get_line_at_y (GTK_TEXT_VIEW (views[0]), &end, (int) gtk_adjustment_get_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (views[0]))) - 5, NULL);
  gtk_text_buffer_apply_tag (buffer, large, &start, &end);
  gtk_paned_set_position (GTK_PANED (views[2]), gtk_paned_get_position (GTK_PANED (views[2])) - 200);
  return G_SOURCE_REMOVE;
}

/* The second text is at its end and gets more room, so its scroll goes back while it gets it, and the first one follows, which has its size already
 * and sees lines there that had no height. */
static void
test_tied (void)
{
  GtkWidget *window = gtk_window_new (), *views[3] = { ls_script_pane_new (), ls_script_pane_new (), gtk_paned_new (GTK_ORIENTATION_VERTICAL) };
  double place;

  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *scroller = gtk_scrolled_window_new ();
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint line = 0; line < 400; line++)
        g_string_append (text, "A[0] = 1\n");
      gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (views[i])), text->str, -1);
      gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_EXTERNAL, GTK_POLICY_EXTERNAL);
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), views[i]);
      if (i == 0)
        gtk_paned_set_start_child (GTK_PANED (views[2]), scroller);
      else
        gtk_paned_set_end_child (GTK_PANED (views[2]), scroller);
    }
  g_object_set_data (G_OBJECT (scroll_of (views[1])), "view", views[1]);
  g_signal_connect_swapped (scroll_of (views[1]), "value-changed", G_CALLBACK (follow), views[0]);
  gtk_paned_set_position (GTK_PANED (views[2]), 250);
  gtk_window_set_child (GTK_WINDOW (window), views[2]);
  gtk_window_set_default_size (GTK_WINDOW (window), 600, 600);
  gtk_window_present (GTK_WINDOW (window));
  ls_pass_frames (window, 20);
  gtk_adjustment_set_value (scroll_of (views[1]), 1e6);
  ls_pass_frames (window, 5);
  g_assert_cmpfloat (gtk_adjustment_get_value (scroll_of (views[1])), >, 3000);
  place = gtk_adjustment_get_value (scroll_of (views[0]));
  g_assert_cmpfloat (place, >, 3000);
  gtk_widget_add_tick_callback (window, grow_first, views, NULL);
  ls_pass_frames (window, 5);
  g_assert_cmpfloat (gtk_adjustment_get_value (scroll_of (views[0])), !=, place);
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_settings_reset_property (gtk_settings_get_default (), "gtk-enable-animations");
}

static GtkWidget *
find_bar (GtkWidget      *root,
          GtkOrientation  way)
{
  if (GTK_IS_SCROLLBAR (root) && gtk_orientable_get_orientation (GTK_ORIENTABLE (root)) == way)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_bar (child, way);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* A bar under the pointer has its size at once: one that grows for a fifth of a second has everything laid out in each frame of it, and GTK asks
 * within one frame twice and gets two answers. */
static void
test_bars (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (LsScriptText) script = NULL;
  GtkWidget *window = gtk_window_new (), *scroller = gtk_scrolled_window_new (), *pane = ls_script_pane_new ();

  for (guint i = 0; i < 200; i++)
    g_string_append_printf (text, "A[%u] = %*s0\n", i, 400, "");
  script = ls_script_text_new (text->str);
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 300);
  ls_script_pane_set_text (LS_SCRIPT_PANE (pane), script);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_ALWAYS, GTK_POLICY_ALWAYS);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), pane);
  gtk_window_set_child (GTK_WINDOW (window), scroller);
  gtk_window_present (GTK_WINDOW (window));
  wait_for_frames (window);
  for (guint way = 0; way < 2; way++)
    {
      GtkWidget *bar = find_bar (window, (GtkOrientation) way);
      int changes[2] = { 0, 0 }, last[2] = { -1, -1 };

      g_assert_nonnull (bar);
      wait_for_frames (window);
      for (guint frame = 0; frame < 30; frame++)
        {
          for (guint i = 0; i < 2; i++)
            {
              int least;

              gtk_widget_measure (bar, (GtkOrientation) i, -1, &least, NULL, NULL, NULL);
              changes[i] += last[i] >= 0 && least != last[i];
              last[i] = least;
            }
          if (frame == 2)
            gtk_widget_add_css_class (bar, "hovering");
          wait_for_frames (window);
        }
      g_test_message ("%d changes across, %d down", changes[0], changes[1]);
      g_assert_cmpint (changes[way], <=, 1);
      g_assert_cmpint (changes[1 - way], <=, 1);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A text that nobody sees waits after its first lines, and so do those that lay it out; a line that is to be seen comes into view when the text
 * has come so far, though it was asked for before. */
static void
test_unseen (void)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_autoptr (LsScriptText) text = NULL;
  GtkWidget *window = gtk_window_new (), *stack = gtk_stack_new (), *scroller = gtk_scrolled_window_new (), *pane = ls_script_pane_new ();
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (pane));
  GdkRectangle visible;
  int before, top;

  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (lines, "A[%u] = %u        # a long line, so that it is more than a mebibyte\n", i, i);
  text = ls_script_text_new (lines->str);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), pane);
  gtk_stack_add_named (GTK_STACK (stack), gtk_label_new ("another page"), "other");
  gtk_stack_add_named (GTK_STACK (stack), scroller, "text");
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 300);
  gtk_window_set_child (GTK_WINDOW (window), stack);
  gtk_window_present (GTK_WINDOW (window));
  ls_script_pane_set_text (LS_SCRIPT_PANE (pane), text);
  wait_for_frames (stack);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  before = gtk_text_buffer_get_line_count (buffer);
  g_assert_cmpint (before, >, 100);
  g_assert_cmpint (before, <, 19000);

  gtk_stack_set_visible_child_name (GTK_STACK (stack), "text");
  ls_script_pane_reveal (LS_SCRIPT_PANE (pane), 19500);
  while (gtk_text_buffer_get_line_count (buffer) < 20000)
    g_main_context_iteration (NULL, TRUE);
  for (top = 0; top < 19450; )
    {
      GtkTextIter at;

      g_main_context_iteration (NULL, TRUE);
      gtk_text_view_get_visible_rect (GTK_TEXT_VIEW (pane), &visible);
      gtk_text_view_get_iter_at_location (GTK_TEXT_VIEW (pane), &at, visible.x, visible.y);
      top = gtk_text_iter_get_line (&at);
    }
  g_assert_cmpint (top, <=, 19500);
  gtk_stack_set_visible_child_name (GTK_STACK (stack), "other");        /* and back: nothing is there twice */
  wait_for_frames (stack);
  gtk_stack_set_visible_child_name (GTK_STACK (stack), "text");
  wait_for_frames (stack);
  g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), ==, (int) lines->len);
  gtk_window_destroy (GTK_WINDOW (window));
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
  g_test_add_func ("/ui/script-pane/stand", test_stand);
  g_test_add_func ("/ui/script-pane/unseen", test_unseen);
  g_test_add_func ("/ui/script-pane/bars", test_bars);
  g_test_add_func ("/ui/script-pane/late/tied", test_tied);
  g_test_add_data_func ("/ui/script-pane/late/pane", ls_script_pane_new, ls_test_late);
  g_test_add_data_func ("/ui/script-pane/late/source-text", source_text, ls_test_late);
  g_test_add_data_func ("/ui/script-pane/late/plain", plain_text, ls_test_late);
  return g_test_run ();
}
