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

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/text/place", test_place);
  return g_test_run ();
}
