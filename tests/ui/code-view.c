/* The code of a cell: it asks for the height of all lines before any was laid out, and has its looks as tags. */
#include "app/learn/code-view.h"
#include "tests/ui/late-lines.h"
#include "views/parts/syntax.h"
#include "views/parts/theme.h"

static gboolean
has_tag (GtkTextBuffer *buffer,
         int            offset)
{
  GtkTextIter at;
  GSList *tags;

  gtk_text_buffer_get_iter_at_offset (buffer, &at, offset);
  tags = gtk_text_iter_get_tags (&at);
  g_slist_free (tags);
  return tags != NULL;
}

static int
height_of (const char *text)
{
  g_autoptr (GtkWidget) view = g_object_ref_sink (ls_code_view_new (text, FALSE, "Code"));
  int minimum;

  gtk_widget_measure (view, GTK_ORIENTATION_VERTICAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

static void
test_height (void)
{
  int one = height_of ("a = 1"), two = height_of ("a = 1\nb = 2"), ten = height_of ("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");

  g_assert_cmpint (two, >, one);
  g_assert_cmpint (ten - one, ==, 9 * (two - one));
}

static void
test_looks (void)
{
  g_autoptr (GtkWidget) view = g_object_ref_sink (ls_code_view_new ("for i in x:\n    # all\n    f(\"s\")\n", TRUE, "Code"));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));

  ls_syntax_settle (GTK_SOURCE_BUFFER (buffer));
  g_assert_true (has_tag (buffer, 0));          /* for */
  g_assert_false (has_tag (buffer, 4));         /* i */
  g_assert_true (has_tag (buffer, 16));         /* # */
  g_assert_false (has_tag (buffer, 26));        /* f */
  g_assert_true (has_tag (buffer, 28));         /* "s" */
  gtk_text_buffer_set_text (buffer, "x for", -1);
  ls_syntax_settle (GTK_SOURCE_BUFFER (buffer));
  g_assert_false (has_tag (buffer, 0));
  g_assert_true (has_tag (buffer, 2));
}

static GtkWidget *
cell (void)
{
  return ls_code_view_new ("", TRUE, "Code");
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
  g_test_add_func ("/learn/code-view/height", test_height);
  g_test_add_func ("/learn/code-view/looks", test_looks);
  g_test_add_data_func ("/learn/code-view/late", cell, ls_test_late);
  return g_test_run ();
}
