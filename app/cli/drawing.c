/* Where the program is that draws for this one. */
#include "app/cli/input.h"

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
