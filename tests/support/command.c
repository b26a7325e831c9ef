/* command: see the header. */
#include "tests/support/command.h"
#include "tests/support/support.h"

LsTestRun
ls_test_run (const char *program,
             const char *line)
{
  g_autofree char *path = g_build_filename (g_getenv ("LS_BUILD_ROOT"), program, NULL);
  g_autofree char *command = g_strdup_printf ("'%s' %s", path, line);
  g_auto (GStrv) argv = NULL;
  g_autoptr (GError) error = NULL;
  LsTestRun self = { -1, NULL, NULL };
  int wait_status;

  g_assert_true (g_shell_parse_argv (command, NULL, &argv, &error));
  g_spawn_sync (g_getenv ("LS_SOURCE_ROOT"), argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &self.out, &self.err, &wait_status, &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (wait_status));
  self.status = WEXITSTATUS (wait_status);
  return self;
}

void
ls_test_run_clear (LsTestRun *self)
{
  g_free (self->out);
  g_free (self->err);
}

char *
ls_test_temporary (const char *name)
{
  /* Two programs that run at the same time may call their files alike. */
  g_autofree char *folder = g_build_filename (g_getenv ("LS_BUILD_ROOT"), "tests", "cli-files", g_get_prgname (), NULL);

  g_assert_cmpint (g_mkdir_with_parents (folder, 0755), ==, 0);
  return g_build_filename (folder, name, NULL);
}

char *
ls_test_write (const char *name,
               const char *text)
{
  char *path = ls_test_temporary (name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return path;
}

void
ls_assert_golden (const char *relative,
                  const char *text)
{
  g_autofree char *path = ls_test_path (relative);
  g_autofree char *expected = NULL;

  if (g_getenv ("LS_UPDATE_GOLDEN") != NULL)
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
  expected = ls_test_read (relative, NULL);
  ls_assert_same_text (text, expected);
}
