/* test support: options of golden files and diffs. */
#include "tests/support/support.h"

static void
test_option (void)
{
  static const char text[] = "# golden: style=2023 quiet upto=3\nx = 1\n";
  g_autofree char *style = ls_golden_option (text, "style");
  g_autofree char *quiet = ls_golden_option (text, "quiet");
  g_autofree char *upto = ls_golden_option (text, "upto");

  g_assert_cmpstr (style, ==, "2023");
  g_assert_cmpstr (quiet, ==, "");
  g_assert_cmpstr (upto, ==, "3");
  g_assert_null (ls_golden_option (text, "x"));
  g_assert_null (ls_golden_option ("x = 1\n# golden: style=1", "style"));
}

static void
test_diff (void)
{
  g_autofree char *same = ls_test_diff ("a\n", "a\n", "x", "y");
  g_autofree char *diff = ls_test_diff ("a\nb\n", "a\nc\n", "x", "y");

  g_assert_cmpstr (same, ==, "");
  g_assert_cmpstr (diff, ==, "--- x\n+++ y\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/support/option", test_option);
  g_test_add_func ("/support/diff", test_diff);
  return g_test_run ();
}
