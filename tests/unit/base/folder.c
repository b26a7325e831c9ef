/* base/folder: what a folder holds goes, what its links lead to stays. */
#include "engine/base/folder.h"

#include <glib/gstdio.h>
#include <unistd.h>

static char *
put_file (const char *folder,
          const char *name)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_true (g_file_set_contents (path, "text", -1, NULL));
  return path;
}

static void
test_empty (void)
{
  g_autofree char *folder = g_dir_make_tmp ("folder-XXXXXX", NULL), *other = g_dir_make_tmp ("folder-XXXXXX", NULL);
  g_autofree char *below = g_build_filename (folder, "a", "b", NULL), *link = g_build_filename (folder, "link", NULL);
  g_autofree char *one = put_file (folder, "one"), *kept = put_file (other, "kept"), *two = NULL;
  g_autoptr (GDir) dir = NULL;

  g_assert_cmpint (g_mkdir_with_parents (below, 0700), ==, 0);
  two = put_file (below, "two");
  g_assert_cmpint (symlink (other, link), ==, 0);
  ls_folder_empty (folder);
  dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  g_assert_null (g_dir_read_name (dir));
  g_assert_true (g_file_test (kept, G_FILE_TEST_IS_REGULAR));

  ls_folder_remove (folder);
  g_assert_false (g_file_test (folder, G_FILE_TEST_EXISTS));
  ls_folder_remove (folder);
  ls_folder_remove (other);
  g_assert_false (g_file_test (other, G_FILE_TEST_EXISTS));
}

/* A link in the folder's place goes, and nothing else. */
static void
test_link (void)
{
  g_autofree char *folder = g_dir_make_tmp ("folder-XXXXXX", NULL), *kept = put_file (folder, "kept"), *link = g_strconcat (folder, "-link", NULL);

  g_assert_cmpint (symlink (folder, link), ==, 0);
  ls_folder_remove (link);
  g_assert_false (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_true (g_file_test (kept, G_FILE_TEST_IS_REGULAR));
  ls_folder_remove (folder);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/folder/empty", test_empty);
  g_test_add_func ("/folder/link", test_link);
  return g_test_run ();
}
