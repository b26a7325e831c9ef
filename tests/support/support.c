/* test support: texts compared and shown as a diff, files of tests/, sizes of random suites. */
#include "tests/support/support.h"

#include <glib/gstdio.h>

static char *
write_temporary (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("loopscope-XXXXXX.txt", &path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&path);
}

char *
ls_test_diff (const char *expected,
              const char *actual,
              const char *expected_label,
              const char *actual_label)
{
  g_autofree char *before = write_temporary (expected);
  g_autofree char *after = write_temporary (actual);
  g_autoptr (GError) error = NULL;
  const char *argv[] = { "diff", "-u", "--label", expected_label, "--label", actual_label,
                         before, after, NULL };
  char *result = NULL;

  if (!g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &result, NULL,
                     NULL, &error))
    result = g_strdup_printf ("(no diff: %s)\nexpected:\n%s\nactual:\n%s\n",
                              error->message, expected, actual);
  g_remove (before);
  g_remove (after);
  return result;
}

void
ls_assert_same_text (const char *actual,
                     const char *expected)
{
  g_autofree char *diff = NULL;

  if (g_strcmp0 (actual, expected) == 0)
    return;
  diff = ls_test_diff (expected ? expected : "(null)\n", actual ? actual : "(null)\n",
                       "expected", "actual");
  g_test_message ("%s", diff);
  g_test_fail_printf ("The texts differ.");
}

char *
ls_test_path (const char *relative)
{
  return g_test_build_filename (G_TEST_DIST, relative, NULL);
}

char *
ls_test_read (const char *relative,
              gsize      *length)
{
  g_autofree char *path = ls_test_path (relative);
  g_autoptr (GError) error = NULL;
  char *text = NULL;

  if (!g_file_get_contents (path, &text, length, &error))
    g_error ("%s", error->message);
  return text;
}

guint
ls_test_count (guint quick,
               guint full)
{
  return g_test_thorough () ? full : quick;
}
