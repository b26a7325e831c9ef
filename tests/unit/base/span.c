/* span: numbers of sources, line ends of every kind, columns in characters. */
#include "engine/base/base.h"

static void
test_lookup (void)
{
  LsSource *source = ls_source_new ("a.py", "x = 1\n", -1);
  guint32 id = ls_source_get_id (source);
  LsSource *found = ls_source_lookup (id);

  g_assert_cmpuint (id, !=, 0);
  g_assert_true (found == source);
  ls_source_unref (found);
  g_assert_cmpstr (ls_source_get_name (source), ==, "a.py");
  ls_source_unref (source);
  g_assert_null (ls_source_lookup (id));
  g_assert_null (ls_source_lookup (0));
}

static void
test_places (void)
{
  static const struct
  {
    const char *text;
    guint32     offset;
    guint       line;
    guint       column;
  } rows[] = {
    { "", 0, 1, 1 },
    { "abc", 0, 1, 1 },
    { "abc", 3, 1, 4 },
    { "abc", 99, 1, 4 },
    { "a\nb", 1, 1, 2 },
    { "a\nb", 2, 2, 1 },
    { "a\r\nb", 3, 2, 1 },
    { "a\r\nb", 2, 1, 3 },
    { "a\rb\r\rc", 5, 4, 1 },
    { "a\n", 2, 2, 1 },
    { "\xc3\xa4\xe4\xb8\xad" "x", 5, 1, 3 },     /* a with dots, a CJK sign, x */
    { "\xe4\xb8\xad" "x", 1, 1, 1 },             /* inside the sign */
    { "\xff\xfe" "x", 2, 1, 3 },                 /* not UTF-8 */
    { "\xe4\xb8", 2, 1, 3 },                     /* cut off */
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (LsSource) source = ls_source_new ("t", rows[i].text, -1);
      LsPlace place = ls_source_place (source, rows[i].offset);

      g_test_message ("row %u", i);
      g_assert_cmpuint (place.line, ==, rows[i].line);
      g_assert_cmpuint (place.column, ==, rows[i].column);
    }
}

static void
test_lines (void)
{
  g_autoptr (LsSource) source = ls_source_new ("t", "one\r\ntwo\n\nfour", -1);
  static const char *lines[] = { "one", "two", "", "four" };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *line = ls_source_line (source, i + 1);

      g_assert_cmpstr (line, ==, lines[i]);
    }
  g_assert_null (ls_source_line (source, 0));
  g_assert_null (ls_source_line (source, 5));
}

static void
test_embedded_nul (void)
{
  g_autoptr (LsSource) source = ls_source_new ("t", "a\0b\nc", 5);
  gsize length;

  ls_source_get_text (source, &length);
  g_assert_cmpuint (length, ==, 5);
  g_assert_cmpuint (ls_source_place (source, 4).line, ==, 2);
  g_assert_cmpuint (ls_source_place (source, 3).column, ==, 4);
}

static void
test_join (void)
{
  LsSpan joined = ls_span_join ((LsSpan) { 1, 5, 9 }, (LsSpan) { 1, 2, 6 });

  g_assert_cmpuint (joined.start, ==, 2);
  g_assert_cmpuint (joined.end, ==, 9);
  g_assert_cmpuint (ls_span_join (LS_SPAN_NONE, (LsSpan) { 3, 1, 2 }).source, ==, 3);
  g_assert_cmpuint (ls_span_join ((LsSpan) { 3, 1, 2 }, LS_SPAN_NONE).source, ==, 3);
  g_assert_cmpuint (ls_span_join ((LsSpan) { 3, 1, 2 }, (LsSpan) { 4, 1, 2 }).source, ==, 3);
}

static gpointer
make_and_look_up (gpointer data)
{
  for (guint i = 0; i < 2000; i++)
    {
      g_autoptr (LsSource) source = ls_source_new ("t", "x", 1);
      g_autoptr (LsSource) found = ls_source_lookup (ls_source_get_id (source));
      LsSource *other = ls_source_lookup (ls_source_get_id (source) - 1);

      g_assert_true (found == source);
      g_clear_pointer (&other, ls_source_unref);
    }
  return NULL;
}

static void
test_threads (void)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("source", make_and_look_up, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/span/lookup", test_lookup);
  g_test_add_func ("/base/span/places", test_places);
  g_test_add_func ("/base/span/lines", test_lines);
  g_test_add_func ("/base/span/embedded-nul", test_embedded_nul);
  g_test_add_func ("/base/span/join", test_join);
  g_test_add_func ("/base/span/threads", test_threads);
  return g_test_run ();
}
