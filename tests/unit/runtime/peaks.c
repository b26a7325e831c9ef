/* Kept peaks: what was measured beside other work says so, and is worth measuring again once there is none. */
#include "engine/runtime/peaks.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/* The load that stands beside the kept peaks of "test". */
static void
set_load (const char *file,
          double      load)
{
  g_autoptr (GKeyFile) key = g_key_file_new ();

  g_assert_true (g_key_file_load_from_file (key, file, G_KEY_FILE_NONE, NULL));
  g_key_file_set_double (key, "cpu", "load", load);
  g_key_file_remove_key (key, "cpu", "busy", NULL); /* as files of before */
  g_assert_true (g_key_file_save_to_file (key, file, NULL));
}

/* The one file below a folder. (transfer full) */
static char *
find_file (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name = dir != NULL ? g_dir_read_name (dir) : NULL;
  g_autofree char *path = name != NULL ? g_build_filename (folder, name, NULL) : NULL;

  g_assert_nonnull (path);
  return g_file_test (path, G_FILE_TEST_IS_DIR) ? find_file (path) : g_steal_pointer (&path);
}

static void
test_busy (void)
{
  LsPeaks peaks = { .fma_gflops = 10.0, .n_levels = 1, .levels = { { .name = "L1", .bytes = 1024, .gb_per_s = 5.0 } } };
  g_autoptr (GError) error = NULL;
  g_autofree char *file = NULL;
  double now = 0.0;

  g_assert_false (ls_peaks_doubtful ("test"));
  g_assert_true (ls_peaks_store ("test", &peaks, &error));
  g_assert_no_error (error);
  file = find_file (g_get_user_cache_dir ());
  set_load (file, 0.2);
  g_assert_false (ls_peaks_doubtful ("test"));
  g_assert_false (ls_peaks_worth_again ("test"));
  set_load (file, 12.0);
  g_assert_true (ls_peaks_doubtful ("test"));
  g_assert_cmpint (getloadavg (&now, 1), ==, 1);
  g_assert_cmpint (ls_peaks_worth_again ("test"), ==, now < LS_PEAKS_BUSY);
}

/* Who measures says whether others had the machine; ten minutes later it is worth another try, whatever the load. */
static void
test_told (void)
{
  LsPeaks peaks = { .fma_gflops = 10.0, .n_levels = 1, .levels = { { .name = "L1", .bytes = 1024, .gb_per_s = 5.0 } } };
  g_autoptr (GDateTime) now = g_date_time_new_now_local (), before = g_date_time_add_minutes (now, -11);
  g_autofree char *path = ls_peaks_path ("told"), *date = g_date_time_format_iso8601 (before);
  g_autoptr (GKeyFile) file = g_key_file_new ();
  double load = 0.0;

  g_assert_true (ls_peaks_store ("told", &peaks, NULL));
  g_assert_false (ls_peaks_doubtful ("told"));
  g_assert_true (ls_peaks_keep ("told", &peaks, TRUE, NULL));
  g_assert_true (ls_peaks_doubtful ("told"));
  g_assert_cmpint (getloadavg (&load, 1), ==, 1);
  g_assert_cmpint (ls_peaks_worth_again ("told"), ==, load < LS_PEAKS_BUSY);
  g_assert_true (g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL));
  g_key_file_set_string (file, "cpu", "date", date);
  g_assert_true (g_key_file_save_to_file (file, path, NULL));
  g_assert_true (ls_peaks_worth_again ("told"));
}

/* A busy hour takes nothing away of what was reached, on the same machine. */
static void
test_larger (void)
{
  LsPeaks first = { .fma_gflops = 10.0, .n_levels = 1, .levels = { { .name = "L1", .bytes = 1024, .gb_per_s = 5.0 } } };
  LsPeaks second = { .fma_gflops = 8.0, .n_levels = 1, .levels = { { .name = "L1", .bytes = 1024, .gb_per_s = 7.0 } } };
  LsPeaks other = { .fma_gflops = 3.0, .n_levels = 1, .levels = { { .name = "L1", .bytes = 2048, .gb_per_s = 2.0 } } };
  LsPeaks kept;

  g_assert_true (ls_peaks_store ("larger", &first, NULL));
  g_assert_true (ls_peaks_keep ("larger", &second, TRUE, NULL));
  g_assert_true (ls_peaks_load ("larger", &kept));
  g_assert_cmpfloat (kept.fma_gflops, ==, 10.0);
  g_assert_cmpfloat (kept.levels[0].gb_per_s, ==, 7.0);
  g_assert_true (ls_peaks_store ("larger", &second, NULL));
  g_assert_true (ls_peaks_load ("larger", &kept));
  g_assert_cmpfloat (kept.fma_gflops, ==, 8.0);
  g_assert_true (ls_peaks_store ("larger", &other, NULL));
  g_assert_true (ls_peaks_load ("larger", &kept));
  g_assert_cmpfloat (kept.fma_gflops, ==, 3.0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/runtime/peaks/busy", test_busy);
  g_test_add_func ("/runtime/peaks/told", test_told);
  g_test_add_func ("/runtime/peaks/larger", test_larger);
  return g_test_run ();
}
