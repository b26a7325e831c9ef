/* base/folder: see the header. */
#include "engine/base/folder.h"

#include <glib/gstdio.h>

void
ls_folder_empty (const char *path)
{
  g_autoptr (GDir) dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *below = g_build_filename (path, name, NULL);

      ls_folder_remove (below);
    }
}

void
ls_folder_remove (const char *path)
{
  ls_folder_empty (path);
  g_remove (path);
}
