/* The caches that one core sees, as the kernel lists them: not those of instructions, not those of all dies together. */
#include "engine/base/host-caches.h"

#include <glib/gstdio.h>

static void
list (const char *folder,
      int         index,
      const char *level,
      const char *type,
      const char *size,
      const char *ways)
{
  const char *names[] = { "level", "type", "size", "ways_of_associativity" }, *texts[] = { level, type, size, ways };
  g_autofree char *place = g_strdup_printf ("%s/index%d", folder, index);

  g_assert_cmpint (g_mkdir_with_parents (place, 0755), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (place, names[i], NULL);

      g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
    }
}

static void
test_listed (void)
{
  g_autofree char *folder = g_dir_make_tmp ("ls-caches-XXXXXX", NULL);
  gint64 bytes;
  guint ways;

  list (folder, 0, "1\n", "Instruction\n", "64K\n", "4\n");
  list (folder, 1, "1\n", "Data\n", "48K\n", "12\n");
  list (folder, 2, "2\n", "Unified\n", "2M\n", "0\n");
  g_assert_true (ls_host_cache (folder, 1, &bytes, &ways));
  g_assert_cmpint (bytes, ==, 48 << 10);
  g_assert_cmpuint (ways, ==, 12);
  g_assert_true (ls_host_cache (folder, 2, &bytes, &ways));
  g_assert_cmpint (bytes, ==, 2 << 20);
  g_assert_cmpuint (ways, ==, 0);
  g_assert_false (ls_host_cache (folder, 4, &bytes, &ways));
}

/* Where the kernel lists nothing, what libc says; it may say nothing. */
static void
test_not_listed (void)
{
  gint64 bytes;
  guint ways;

  g_assert_cmpint (ls_host_cache ("/nowhere", 1, &bytes, &ways), ==, bytes > 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/host-caches/listed", test_listed);
  g_test_add_func ("/base/host-caches/not-listed", test_not_listed);
  return g_test_run ();
}
