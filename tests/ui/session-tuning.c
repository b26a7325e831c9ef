/* session-tuning: the process of a search, started from a session. */
#include "tests/ui/session-parts.h"

#include "app/search/run.h"

#include <glib/gstdio.h>
#include <string.h>

/* Stands for loopscope-cli: runs a search to its end instead of beside, and says then that it did not begin. */
static const char late[] =
  "#!/bin/sh\n"
  "for word; do\n"
  "  shift\n"
  "  [ \"$word\" = --detach ] || set -- \"$@\" \"$word\"\n"
  "done\n"
  "\"$LS_TEST_CLI\" \"$@\" >/dev/null 2>&1\n"
  "echo 'It is late.' >&2\n"
  "exit 1\n";

static void
wait_for_end (LsTuning *tuning)
{
  while (ls_tuning_get (tuning)->state == LS_TUNING_RUNNING)
    g_main_context_iteration (NULL, TRUE);
}

/* A search that is over before anybody saw it begin, and whose command was wrong about it, is followed: its log knows best.  What the command
 * said is told. */
static void
test_answer (void)
{
  g_autoptr (LsSession) session = ls_engine_session_new_sample ();
  LsTuning *tuning = ls_session_get_tuning (session);
  g_autofree char *command = ls_search_run_locate_command (), *folder = g_dir_make_tmp ("loopscope-late-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "cli", NULL);

  g_assert_nonnull (command);
  g_setenv ("LS_TEST_CLI", command, TRUE);
  g_assert_true (g_file_set_contents (path, late, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
  g_setenv ("LS_CLI", path, TRUE);
  ls_tuning_start (tuning, FALSE, 2, 600);
  g_assert_cmpint (ls_tuning_get (tuning)->state, ==, LS_TUNING_RUNNING);
  wait_for_end (tuning);
  g_assert_cmpint (ls_tuning_get (tuning)->state, ==, LS_TUNING_ENDED);
  g_assert_cmpuint (g_list_model_get_n_items (ls_tuning_get_items (tuning)), ==, 2);
  g_assert_cmpstr (ls_tuning_get_message (tuning), ==, "It is late.");

  /* Without a run there is only what it said. */
  g_assert_true (g_file_set_contents (path, "#!/bin/sh\necho 'It cannot.' >&2\nexit 1\n", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
  ls_session_go_to (session, 2);
  ls_tuning_start (tuning, TRUE, 2, 600);
  wait_for_end (tuning);
  g_assert_cmpint (ls_tuning_get (tuning)->state, ==, LS_TUNING_NONE);
  g_assert_cmpstr (ls_tuning_get_message (tuning), ==, "It cannot.");

  /* And one that cannot go on shows what it had. */
  ls_tuning_start (tuning, FALSE, 2, 600);
  wait_for_end (tuning);
  g_assert_cmpint (ls_tuning_get (tuning)->state, ==, LS_TUNING_ENDED);
  while (ls_tuning_get_message (tuning) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (ls_tuning_get_message (tuning), ==, "It cannot.");
  g_unsetenv ("LS_CLI");
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("loopscope-tuning-XXXXXX", NULL);

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  session_parts_init (&argc, &argv);
  g_test_add_func ("/session/tuning/answer", test_answer);
  return g_test_run ();
}
