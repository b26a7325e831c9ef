/* Alignment and text diffs. */
#include "engine/base/base.h"

#include <string.h>

static void
check (const char *a,
       const char *b,
       const char *expected)
{
  g_autofree char *text = ls_text_diff_unified (a, b, "a", "b", 1);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_unified (void)
{
  check ("x\ny\n", "x\ny\n", "");
  check ("", "", "");
  check ("x\ny\nz\n", "x\nq\nz\n", "--- a\n+++ b\n@@ -1,3 +1,3 @@\n x\n-y\n+q\n z\n");
  check ("x\n", "x\ny\n", "--- a\n+++ b\n@@ -1,1 +1,2 @@\n x\n+y\n");
  check ("", "y\n", "--- a\n+++ b\n@@ -0,0 +1,1 @@\n+y\n");
  check ("1\n2\n3\n4\n5\n6\n", "1\n4\n5\n6\n7\n", "--- a\n+++ b\n@@ -1,4 +1,2 @@\n 1\n-2\n-3\n 4\n@@ -6,1 +4,2 @@\n 6\n+7\n");
  check ("x", "x\n", "--- a\n+++ b\n@@ -1,1 +1,1 @@\n-x\n\\ No newline at end of file\n+x\n");
}

static void
test_words (void)
{
  const char *a = "for i in range(128):", *b = "for i_0 in range(32):";
  g_autoptr (GArray) edits = ls_text_diff_words (a, 0, (guint32) strlen (a), b, 0, (guint32) strlen (b));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < edits->len; i++)
    {
      const LsTextDiff *edit = &g_array_index (edits, LsTextDiff, i);

      if (edit->edit == LS_TEXT_DELETE)
        g_string_append_printf (text, "-%.*s", (int) (edit->end_a - edit->start_a), a + edit->start_a);
      if (edit->edit == LS_TEXT_INSERT)
        g_string_append_printf (text, "+%.*s", (int) (edit->end_b - edit->start_b), b + edit->start_b);
    }
  g_assert_cmpstr (text->str, ==, "-i+i_0-128+32");
  g_string_free (text, TRUE);
}

static gboolean
same_letter (guint    a,
             guint    b,
             gpointer user_data)
{
  const char **texts = user_data;

  return texts[0][a] == texts[1][b];
}

static guint
longest_common (const char *a,
                const char *b,
                guint       n,
                guint       m)
{
  guint best[33][33] = { 0 };

  for (guint i = 1; i <= n; i++)
    for (guint k = 1; k <= m; k++)
      best[i][k] = a[i - 1] == b[k - 1] ? best[i - 1][k - 1] + 1 : MAX (best[i - 1][k], best[i][k - 1]);
  return best[n][m];
}

static void
test_random (void)
{
  for (guint round = 0; round < 2000; round++)
    {
      char a[33] = "", b[33] = "";
      guint n = (guint) g_test_rand_int_range (0, 32), m = (guint) g_test_rand_int_range (0, 32);
      const char *texts[] = { a, b };
      g_autoptr (GArray) pairs = NULL;

      for (guint i = 0; i < n; i++)
        a[i] = (char) ('a' + g_test_rand_int_range (0, 3));
      for (guint i = 0; i < m; i++)
        b[i] = (char) ('a' + g_test_rand_int_range (0, 3));
      pairs = ls_align (n, m, 100, same_letter, texts);
      g_assert_cmpuint (pairs->len, ==, longest_common (a, b, n, m));
      for (guint i = 0; i < pairs->len; i++)
        {
          LsAlignPair pair = g_array_index (pairs, LsAlignPair, i);

          g_assert_cmpint (a[pair.a], ==, b[pair.b]);
          g_assert_true (i == 0 || (g_array_index (pairs, LsAlignPair, i - 1).a < pair.a && g_array_index (pairs, LsAlignPair, i - 1).b < pair.b));
        }
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/text-diff/unified", test_unified);
  g_test_add_func ("/base/text-diff/words", test_words);
  g_test_add_func ("/base/align/random", test_random);
  return g_test_run ();
}
