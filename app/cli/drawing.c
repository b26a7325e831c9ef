/* Where the program is that draws for this one, and how it is asked. */
#include "app/cli/input.h"

#include <gio/gio.h>
#include <stdio.h>

char *
ls_cli_find_draw (void)
{
  static const char *const places[] = { "loopscope-draw", "../draw/loopscope-draw", "../bin/loopscope-draw" };
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = self != NULL ? g_path_get_dirname (self) : NULL;

  for (guint i = 0; folder != NULL && i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_canonicalize_filename (places[i], folder);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&path);
    }
  return g_find_program_in_path ("loopscope-draw");
}

int
ls_cli_draw (const char *command,
             const char *mode,
             GBytes     *input,
             gboolean    dark,
             const char *absent)
{
  g_autofree char *program = ls_cli_find_draw ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) child = NULL;
  g_autoptr (GBytes) output = NULL;

  if (program == NULL)
    return ls_cli_fail (command, "%s", absent);
  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, program, mode, dark ? "--dark" : "--quiet", NULL);
  if (child == NULL || !g_subprocess_communicate (child, input, NULL, &output, NULL, &error))
    return ls_cli_fail (command, "%s", error->message);
  if (output != NULL)
    fwrite (g_bytes_get_data (output, NULL), 1, g_bytes_get_size (output), stdout);
  return g_subprocess_get_successful (child) ? LS_CLI_DONE : LS_CLI_FAILED;
}
