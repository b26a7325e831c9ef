/* run: a search in a process of its own goes on without who began it, is followed, pauses, goes on and stops when it is asked; when it is killed, what it
 * measured counts once for the next one; two of them never have one program. */
#include "app/search/run.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define PROGRAM                                                                                                        \
  "# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"               \
  "    @T.prim_func\n    def main(A: T.Buffer((32, 32), \"float32\"), B: T.Buffer((32, 32), \"float32\"), "            \
  "C: T.Buffer((32, 32), \"float32\")):\n        for i, j, k in T.grid(32, 32, 32):\n            with T.block(\"C\"):\n" \
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n                with T.init():\n"                    \
  "                    C[vi, vj] = T.float32(0)\n                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n"

typedef struct {
  char         *folder, *records, *program, *name, *runtime;
  LsSearchRun  *run;
  guint         n_ended, n_restarted;
} Fixture;

static void
on_ended (Fixture *self)
{
  self->n_ended++;
}

static void
on_restarted (Fixture *self)
{
  self->n_restarted++;
}

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  const LsScriptPrintOptions whole = { .show_meta = TRUE };
  g_autoptr (LsSource) source = ls_source_new ("run", PROGRAM, -1);
  g_autoptr (LsModule) module = ls_script_parse (source, NULL);
  g_autofree char *text = ls_script_print (module, &whole, NULL);

  self->folder = g_dir_make_tmp ("run-XXXXXX", NULL);
  self->runtime = g_dir_make_tmp ("runtime-XXXXXX", NULL);
  g_setenv ("XDG_RUNTIME_DIR", self->runtime, TRUE);        /* searches of other tests measure here too */
  self->records = g_build_filename (self->folder, "database_tuning_record.json", NULL);
  self->program = g_build_filename (self->folder, "program.py", NULL);
  self->name = ls_search_run_name (text);
  g_assert_true (g_file_set_contents (self->program, PROGRAM, -1, NULL));
  self->run = ls_search_run_new (self->folder, self->name);
  g_signal_connect_swapped (self->run, "ended", G_CALLBACK (on_ended), self);
  g_signal_connect_swapped (self->run, "restarted", G_CALLBACK (on_restarted), self);
}

static void
clear_away (const char *path)
{
  char *command[] = { (char *) "rm", (char *) "-rf", (char *) path, NULL };

  g_assert_true (g_spawn_sync (NULL, command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  int left = ls_search_run_get_holder (self->folder, self->name);
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *name;

  if (left > 1)
    kill (left, SIGKILL);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      g_remove (path);
    }
  g_rmdir (self->folder);
  clear_away (self->runtime);
  g_free (self->runtime);
  g_clear_object (&self->run);
  g_free (self->folder);
  g_free (self->records);
  g_free (self->program);
  g_free (self->name);
}

/* Runs `tune` with up to four more arguments; its status, and what it said. */
static int
tune (Fixture    *self,
      char      **said,
      const char *a,
      const char *b,
      const char *c)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_PIPE, &error, g_getenv ("LS_CLI"), "tune",
                                                      self->program, "-o", self->folder, "--budget-ms", "5", a, b, c, NULL);

  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, said, &error));
  g_assert_no_error (error);
  return g_subprocess_get_exit_status (process);
}

/* Turns of the main loop until the run has so many programs with a time or a fault, or it has ended. */
static guint
wait_for (Fixture *self,
          guint    wanted)
{
  gint64 until = g_get_monotonic_time () + 120 * G_USEC_PER_SEC;
  LsSearchCounts counts;

  do
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
      ls_search_run_get_counts (self->run, &counts);
      g_assert_cmpint (g_get_monotonic_time (), <, until);
    }
  while (counts.measured + counts.failed < wanted && ls_search_run_get_state (self->run) != LS_SEARCH_ENDED);
  return counts.measured + counts.failed;
}

static void
wait_for_state (Fixture       *self,
                LsSearchState  state)
{
  gint64 until = g_get_monotonic_time () + 120 * G_USEC_PER_SEC;

  while (ls_search_run_get_state (self->run) != state)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
      g_assert_cmpint (g_get_monotonic_time (), <, until);
    }
}

/* Nothing is being measured any more. */
static void
wait_until_still (Fixture *self)
{
  gint64 until = g_get_monotonic_time () + 120 * G_USEC_PER_SEC;
  LsSearchCounts counts;

  for (ls_search_run_get_counts (self->run, &counts); counts.running > 0; ls_search_run_get_counts (self->run, &counts))
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
      g_assert_cmpint (g_get_monotonic_time (), <, until);
    }
}

static void
turn_for (guint seconds)
{
  gint64 until = g_get_monotonic_time () + seconds * G_USEC_PER_SEC;

  while (g_get_monotonic_time () < until)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
}

/* Whole lines of the database, none of which has the steps of another one. */
static guint
count_records (Fixture *self)
{
  g_autoptr (GHashTable) steps = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  if (!g_file_get_contents (self->records, &text, NULL, NULL))
    return 0;
  lines = g_strsplit (text, "\n", -1);
  for (; lines[n] != NULL && lines[n][0] != '\0'; n++)
    {
      char *end = strstr (lines[n], "], {\"kind\"");

      g_assert_nonnull (end);
      *end = '\0';
      end = strrchr (lines[n], '[');
      g_assert_nonnull (end);
      g_assert_true (g_hash_table_add (steps, g_strndup (lines[n], (gsize) (end - lines[n]))));
    }
  return n;
}

/* A search whose folder goes ends by itself: nobody is there who would hear of it. */
static void
test_folder_gone (Fixture       *self,
                  gconstpointer  data)
{
  g_autofree char *moved = g_strconcat (self->folder, "-moved", NULL);
  gint64 until = g_get_monotonic_time () + 120 * G_USEC_PER_SEC;
  int process;

  g_assert_cmpint (tune (self, NULL, "--trials", "100000", "--detach"), ==, 0);
  process = ls_search_run_get_holder (self->folder, self->name);
  g_assert_cmpint (process, >, 1);
  g_assert_cmpint (g_rename (self->folder, moved), ==, 0);
  while (kill (process, 0) == 0 && g_get_monotonic_time () < until)
    g_usleep (20000);
  g_assert_cmpint (kill (process, 0), ==, -1);
  /* What it measured until then may have made the folder anew. */
  clear_away (self->folder);
  g_assert_cmpint (g_rename (moved, self->folder), ==, 0);
}

static void
test_detached (Fixture       *self,
               gconstpointer  data)
{
  g_autofree char *said = NULL, *again = NULL, *gone = NULL;
  LsSearchCounts counts;
  guint before;
  int process;

  g_assert_cmpint (tune (self, NULL, "--trials", "400", "--detach"), ==, 0);
  process = ls_search_run_get_holder (self->folder, self->name);
  g_assert_cmpint (process, >, 1);
  /* Nobody's child, so nobody's end is its own. */
  g_assert_cmpint (getsid (process), ==, process);
  ls_search_run_start (self->run);
  g_assert_cmpint (ls_search_run_get_process (self->run), ==, process);
  wait_for (self, 5);
  g_assert_cmpint (tune (self, &said, "--trials", "8", NULL), ==, 1);
  g_assert_nonnull (strstr (said, "goes on in"));
  g_assert_cmpint (tune (self, &again, "--trials", "8", "--detach"), ==, 1);
  g_assert_nonnull (strstr (again, "goes on in"));
  g_assert_cmpint (tune (self, NULL, "--pause", NULL, NULL), ==, 0);
  wait_for_state (self, LS_SEARCH_PAUSED);
  wait_until_still (self);
  before = count_records (self);
  turn_for (1);
  g_assert_cmpuint (count_records (self), ==, before);
  g_assert_true (ls_search_run_wish (self->run, "resume", NULL));
  wait_for (self, before + 3);
  g_assert_cmpint (ls_search_run_get_state (self->run), ==, LS_SEARCH_RUNNING);
  g_assert_true (ls_search_run_wish (self->run, "stop", NULL));
  wait_for_state (self, LS_SEARCH_ENDED);
  g_assert_cmpint (ls_search_run_get_end (self->run), ==, LS_SEARCH_END_STOPPED);
  g_assert_cmpuint (self->n_ended, ==, 1);
  ls_search_run_get_counts (self->run, &counts);
  g_assert_cmpuint (count_records (self), ==, counts.measured + counts.failed);
  g_assert_cmpuint (counts.running, ==, 0);
  g_assert_cmpuint (counts.measured + counts.failed, <=, ls_search_run_get_trials (self->run)->len);
  g_assert_nonnull (ls_search_run_get_best (self->run));
  g_assert_cmpfloat (counts.base_median, >, 0);
  for (guint i = 0; i < 3000 && ls_search_run_get_holder (self->folder, self->name) != 0; i++)
    g_usleep (20000);
  g_assert_cmpint (tune (self, &gone, "--stop", NULL, NULL), ==, 1);
  g_assert_nonnull (strstr (gone, "no search of this program goes on"));
}

/* The steps of the trials as others read them are those that the database has. */
static void
test_follow_from_the_start (Fixture       *self,
                            gconstpointer  data)
{
  LsSearchCounts counts;

  g_assert_cmpint (tune (self, NULL, "--trials", "10", "--quiet"), ==, 0);
  ls_search_run_start (self->run);
  wait_for_state (self, LS_SEARCH_ENDED);
  g_assert_cmpint (ls_search_run_get_end (self->run), ==, LS_SEARCH_END_TRIALS);
  ls_search_run_get_counts (self->run, &counts);
  g_assert_cmpuint (counts.trials, ==, 10);
  g_assert_cmpuint (ls_search_run_get_planned (self->run), ==, 10);
  for (guint i = 0; i < ls_search_run_get_trials (self->run)->len; i++)
    {
      LsSearchTrial *trial = g_ptr_array_index (ls_search_run_get_trials (self->run), i);
      g_autofree char *trace = ls_trace_to_json (trial->trace, FALSE), *text = NULL;

      g_assert_cmpuint (trial->decisions->len, >, 0);
      g_assert_true (g_file_get_contents (self->records, &text, NULL, NULL));
      g_assert_nonnull (strstr (text, trace));
    }
  /* Another process begins anew: the same one who follows notices. */
  g_assert_cmpint (tune (self, NULL, "--trials", "12", "--quiet"), ==, 0);
  for (guint i = 0; i < 12000 && (self->n_restarted == 0 || ls_search_run_get_state (self->run) != LS_SEARCH_ENDED); i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
  g_assert_cmpuint (self->n_restarted, ==, 1);
  ls_search_run_get_counts (self->run, &counts);
  g_assert_cmpuint (counts.remembered, ==, 10);
  g_assert_cmpuint (counts.trials, ==, 12);
}

static void
test_killed (Fixture       *self,
             gconstpointer  data)
{
  g_autofree char *trials = NULL;
  LsSearchCounts counts;
  guint known;

  g_assert_cmpint (tune (self, NULL, "--trials", "1000", "--detach"), ==, 0);
  ls_search_run_start (self->run);
  wait_for (self, 6);
  g_assert_cmpint (kill (ls_search_run_get_process (self->run), SIGKILL), ==, 0);
  wait_for_state (self, LS_SEARCH_ENDED);
  g_assert_cmpint (ls_search_run_get_end (self->run), ==, LS_SEARCH_RUN_LOST);
  g_assert_cmpint (ls_search_run_get_process (self->run), ==, 0);
  known = count_records (self);
  g_assert_cmpuint (known, >=, 5);
  for (guint i = 0; i < ls_search_run_get_trials (self->run)->len; i++)
    g_assert_cmpint (((LsSearchTrial *) ls_search_run_get_trials (self->run)->pdata[i])->state, !=, LS_TRIAL_RUNNING);
  trials = g_strdup_printf ("--trials=%u", known + 4);
  g_assert_cmpint (tune (self, NULL, trials, "--detach", NULL), ==, 0);
  while (self->n_restarted == 0)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
  wait_for_state (self, LS_SEARCH_ENDED);
  ls_search_run_get_counts (self->run, &counts);
  g_assert_cmpuint (counts.remembered, ==, known);
  g_assert_cmpuint (counts.trials, ==, known + 4);
  g_assert_cmpuint (count_records (self), ==, known + counts.measured + counts.failed);
}

/* A search whose folder was taken away ends by itself, also while it pauses. */
static void
test_taken_away (Fixture       *self,
                 gconstpointer  data)
{
  g_autofree char *lock = ls_search_run_path (self->folder, self->name, "lock");
  int process;

  g_assert_cmpint (tune (self, NULL, "--trials", "1000", "--detach"), ==, 0);
  process = ls_search_run_get_holder (self->folder, self->name);
  g_assert_cmpint (tune (self, NULL, "--pause", NULL, NULL), ==, 0);
  g_assert_cmpint (g_remove (lock), ==, 0);
  for (guint i = 0; i < 3000 && kill (process, 0) == 0; i++)
    g_usleep (20000);
  g_assert_cmpint (kill (process, 0), !=, 0);
}

/* What is no line of a log, or only the beginning of one, changes nothing. */
static void
test_torn (Fixture       *self,
           gconstpointer  data)
{
  g_autofree char *log = ls_search_run_path (self->folder, self->name, "log");
  static const char text[] = "{\"event\":\"started\",\"process\":77,\"planned\":9}\nno JSON\n[1,2]\n{\"event\":7}\n{\"event\":\"trial\",\"number\":5}\n"
                             "{\"event\":\"trial\",\"number\":0,\"trace\":\"[]\"}\n{\"event\":\"trial\",\"number\":-1}\n{\"event\":\"counts\",\"state\":[],\"machines\":[3,{}]}\n"
                             "{\"event\":\"ended\",\"end\":\"tri";
  g_autoptr (LsSearchRun) none = ls_search_run_new (self->folder, "nothing");

  g_assert_true (g_file_set_contents (log, text, -1, NULL));
  ls_search_run_start (self->run);
  g_assert_cmpuint (ls_search_run_get_trials (self->run)->len, ==, 0);
  g_assert_cmpint (ls_search_run_get_state (self->run), ==, LS_SEARCH_RUNNING);
  wait_for_state (self, LS_SEARCH_ENDED);
  g_assert_cmpint (ls_search_run_get_end (self->run), ==, LS_SEARCH_RUN_LOST);
  ls_search_run_start (none);
  g_assert_cmpint (ls_search_run_get_state (none), ==, LS_SEARCH_WAITING);
}

static void
test_wrong (Fixture       *self,
            gconstpointer  data)
{
  g_autofree char *both = NULL, *nothing = NULL, *folder = g_strdup (self->folder), *said = NULL;

  g_assert_cmpint (tune (self, &both, "--detach", "--follow", NULL), ==, 2);
  g_assert_nonnull (strstr (both, "exclude each other"));
  g_assert_cmpint (tune (self, &nothing, "--follow", NULL, NULL), ==, 1);
  g_assert_nonnull (strstr (nothing, "no search of this program was begun"));
  /* What the process that was to search says, who began it says. */
  g_free (self->folder);
  self->folder = g_strdup (self->program);
  g_assert_cmpint (tune (self, &said, "--detach", NULL, NULL), ==, 1);
  g_assert_nonnull (strstr (said, self->program));
  g_free (self->folder);
  self->folder = g_steal_pointer (&folder);
}

static rlim_t
size_of (const char *path)
{
  struct stat status;

  return stat (path, &status) == 0 ? (rlim_t) status.st_size : 0;
}

/* Files of another process grow no further than this. */
static void
limit_files (int    process,
             rlim_t most)
{
  const struct rlimit limit = { most, RLIM_INFINITY };

  g_assert_cmpint (prlimit (process, RLIMIT_FSIZE, &limit, NULL), ==, 0);
}

/* Turns of the main loop until what keeps it from writing has this in it; NULL: until there is nothing. */
static void
wait_for_trouble (Fixture    *self,
                  const char *words)
{
  gint64 until = g_get_monotonic_time () + 120 * G_USEC_PER_SEC;
  const char *said;

  do
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
      g_assert_cmpint (g_get_monotonic_time (), <, until);
      said = ls_search_run_get_trouble (self->run);
    }
  while (words == NULL ? said != NULL : said == NULL || strstr (said, words) == NULL);
}

/* No room for log and database: it is said, also though the log cannot say it; all trials are measured, and when there is room again everything is
 * written, once. */
static void
test_full (Fixture       *self,
           gconstpointer  data)
{
  g_autofree char *log = ls_search_run_path (self->folder, self->name, "log");
  LsSearchCounts counts;
  guint before;
  int process;

  g_assert_cmpint (tune (self, NULL, "--trials", "40", "--detach"), ==, 0);
  process = ls_search_run_get_holder (self->folder, self->name);
  ls_search_run_start (self->run);
  wait_for (self, 4);
  g_assert_null (ls_search_run_get_trouble (self->run));
  limit_files (process, MAX (size_of (log), size_of (self->records)) + 2000);
  wait_for_trouble (self, "run-");
  g_assert_nonnull (strstr (ls_search_run_get_trouble (self->run), "cannot be written"));
  turn_for (10);
  before = count_records (self);
  g_assert_cmpuint (before, <, 40);
  g_assert_cmpint (ls_search_run_get_state (self->run), ==, LS_SEARCH_RUNNING);
  g_assert_cmpint (ls_search_run_get_holder (self->folder, self->name), ==, process);
  limit_files (process, RLIM_INFINITY);
  wait_for_trouble (self, NULL);
  wait_for_state (self, LS_SEARCH_ENDED);
  g_assert_cmpint (ls_search_run_get_end (self->run), ==, LS_SEARCH_END_TRIALS);
  g_assert_null (ls_search_run_get_problem (self->run));
  ls_search_run_get_counts (self->run, &counts);
  g_assert_cmpuint (counts.trials, ==, 40);
  g_assert_cmpuint (count_records (self), ==, counts.measured + counts.failed);
  g_assert_cmpuint (counts.measured + counts.failed, ==, ls_search_run_get_trials (self->run)->len);
}

/* Two searches that measure here, in two folders: the second one is told of the first when it begins, the first hears of the second; when one ends the other
 * is alone again. */
static void
test_two (Fixture       *self,
          gconstpointer  data)
{
  g_autofree char *said = NULL, *alone = NULL, *folder = g_build_filename (self->runtime, "second", NULL), *option = g_strdup_printf ("--database=%s", folder);

  g_assert_cmpint (tune (self, &alone, "--trials", "4000", "--detach"), ==, 0);
  g_assert_cmpstr (alone, ==, "");
  ls_search_run_start (self->run);
  wait_for (self, 3);
  g_assert_null (ls_search_run_get_trouble (self->run));
  g_assert_cmpint (tune (self, &said, "--trials=4000", "--detach", option), ==, 0);
  g_assert_nonnull (strstr (said, "Another search measures on this machine"));
  g_assert_nonnull (strstr (said, self->folder));
  wait_for_trouble (self, folder);
  g_assert_cmpint (ls_search_run_get_holder (folder, self->name), >, 1);
  g_assert_true (ls_search_run_ask (folder, self->name, "stop", NULL));
  wait_for_trouble (self, NULL);
  g_assert_cmpint (ls_search_run_get_state (self->run), ==, LS_SEARCH_RUNNING);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/run/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("detached", test_detached);
  ADD ("follow", test_follow_from_the_start);
  ADD ("killed", test_killed);
  ADD ("taken-away", test_taken_away);
  ADD ("folder-gone", test_folder_gone);
  ADD ("torn", test_torn);
  ADD ("full", test_full);
  ADD ("two", test_two);
  ADD ("wrong", test_wrong);
#undef ADD
  return g_test_run ();
}
