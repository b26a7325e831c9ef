/* text: the place of the end follows what was written. */
#include "engine/base/base.h"

static void
test_place (void)
{
  LsText text;
  g_autofree char *result = NULL;

  ls_text_init (&text);
  g_assert_cmpuint (text.line, ==, 1);
  g_assert_cmpuint (text.column, ==, 0);
  ls_text_append (&text, "ab");
  g_assert_cmpuint (text.column, ==, 2);
  ls_text_append (&text, "c\nd\n\xc3\xa4");
  g_assert_cmpuint (text.line, ==, 3);
  g_assert_cmpuint (text.column, ==, 2);
  ls_text_printf (&text, "%d\n%s", 7, "xyz");
  g_assert_cmpuint (text.line, ==, 4);
  g_assert_cmpuint (text.column, ==, 3);
  ls_text_append (&text, "");
  g_assert_cmpuint (text.column, ==, 3);
  result = ls_text_steal (&text);
  g_assert_cmpstr (result, ==, "abc\nd\n\xc3\xa4" "7\nxyz");
  g_assert_null (text.string);
  ls_text_clear (&text);
}

static void
test_flat (void)
{
  g_autoptr (GString) deep = g_string_new (NULL);

  for (guint i = 0; i < 100000; i++)
    g_string_append_c (deep, i % 2 == 0 ? '[' : '{');
  g_assert_false (ls_json_is_flat (deep->str));
  g_string_prepend (deep, "\"");
  g_assert_true (ls_json_is_flat (deep->str));
  g_string_prepend (deep, "/* ");
  g_assert_false (ls_json_is_flat (deep->str));
  g_assert_true (ls_json_is_flat ("[[\"]]\\\"[\", -1.5e+3, {\"a\": null}], []]"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/text/place", test_place);
  g_test_add_func ("/base/text/flat", test_flat);
  return g_test_run ();
}
