/* compile-once: bundles of a test program are compiled by tests/device/cc, which knows what it compiled before. */
#pragma once

#include <glib/gstdio.h>

/* Before the first bundle; what is started has it in its environment. (transfer full): the folder of what was compiled. */
static inline char *
ls_compile_once_begin (void)
{
  g_autofree char *cc = g_test_build_filename (G_TEST_DIST, "device", "cc", NULL);
  char *folder = g_dir_make_tmp ("loopscope-objects-XXXXXX", NULL);

  g_assert_nonnull (folder);
  g_setenv ("CC", cc, TRUE);
  g_setenv ("LS_TEST_OBJECTS", folder, TRUE);
  return folder;
}

/* After the last one (takes folder). */
static inline void
ls_compile_once_end (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_remove (path);
    }
  g_rmdir (folder);
  g_free (folder);
}
