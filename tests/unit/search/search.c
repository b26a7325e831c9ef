/* search: a search with real workers ends when its trials, its time or its user want it; it pauses; what it measured is there for the next
 * one, also when it was killed, and two at once lose nothing of each other. */
#include "app/search/measurer.h"
#include "app/search/search.h"
#include "engine/script/script.h"
#include "tests/support/moved-clock.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <string.h>

#define HOUR_US (3600 * (gint64) G_USEC_PER_SEC)

#define PROGRAM                                                                                                        \
  "# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"               \
  "    @T.prim_func\n    def main(A: T.Buffer((32, 32), \"float32\"), B: T.Buffer((32, 32), \"float32\"), "            \
  "C: T.Buffer((32, 32), \"float32\")):\n        for i, j, k in T.grid(32, 32, 32):\n            with T.block(\"C\"):\n" \
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n                with T.init():\n"                    \
  "                    C[vi, vj] = T.float32(0)\n                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n"

typedef struct {
  char      *folder, *records, *program;
  LsModule  *module;
  GMainLoop *loop;
  guint      n_events;
} Fixture;

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  g_autoptr (LsSource) source = ls_source_new ("search", PROGRAM, -1);

  self->folder = g_dir_make_tmp ("search-XXXXXX", NULL);
  self->records = g_build_filename (self->folder, "database_tuning_record.json", NULL);
  self->program = g_build_filename (self->folder, "program.py", NULL);
  g_assert_true (g_file_set_contents (self->program, PROGRAM, -1, NULL));
  self->module = ls_script_parse (source, NULL);
  g_assert_nonnull (self->module);
  self->loop = g_main_loop_new (NULL, FALSE);
}

static void
tear_down (Fixture       *self,
           gconstpointer  data)
{
  g_autoptr (GDir) dir = g_dir_open (self->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      g_remove (path);
    }
  g_rmdir (self->folder);
  g_free (self->folder);
  g_free (self->records);
  g_free (self->program);
  ls_unref (self->module);
  g_main_loop_unref (self->loop);
}

static LsSearch *
search_new (Fixture *self,
            guint    trials,
            gint64   seconds)
{
  LsSearchOptions options = { .strategy = LS_TUNE_EVOLUTIONARY, .rules = TRUE, .trials = trials, .seconds = seconds, .seed = 1, .budget_ms = 5,
                              .database = self->folder };
  LsSearch *search = ls_search_new (self->module, PROGRAM, &options);

  g_signal_connect_swapped (search, "ended", G_CALLBACK (g_main_loop_quit), self->loop);
  return search;
}

static void
run_to_end (Fixture  *self,
            LsSearch *search)
{
  ls_search_start (search);
  g_main_loop_run (self->loop);
  g_assert_cmpint (ls_search_get_state (search), ==, LS_SEARCH_ENDED);
}

/* Whole lines of the file. */
static guint
count_records (Fixture *self)
{
  g_autofree char *text = NULL;
  guint n = 0;

  if (!g_file_get_contents (self->records, &text, NULL, NULL))
    return 0;
  for (const char *at = text; (at = strchr (at, '\n')) != NULL; at++)
    n++;
  return n;
}

static void
test_trials (Fixture       *self,
             gconstpointer  data)
{
  g_autoptr (LsSearch) search = search_new (self, 10, 0), again = search_new (self, 14, 0);
  LsSearchCounts counts;

  run_to_end (self, search);
  ls_search_get_counts (search, &counts);
  g_assert_cmpint (ls_search_get_end (search), ==, LS_SEARCH_END_TRIALS);
  g_assert_cmpuint (counts.trials, ==, 10);
  g_assert_cmpuint (counts.measured, >, 5);
  g_assert_cmpfloat (counts.base_median, >, 0);
  g_assert_cmpfloat (counts.seconds_left, ==, 0);
  g_assert_nonnull (ls_search_get_best (search));
  g_assert_cmpuint (count_records (self), ==, counts.measured + counts.failed);
  run_to_end (self, again);
  ls_search_get_counts (again, &counts);
  g_assert_cmpuint (counts.trials, ==, 14);
  g_assert_cmpuint (counts.remembered, >, 5);
  g_assert_cmpuint (counts.measured + counts.failed, <=, 14 - counts.remembered);
  g_assert_cmpfloat (ls_search_get_best (again)->median, <=, ls_search_get_best (search)->median * 1.0001);
}

/* As soon as nothing is being measured any more; an hour goes by. */
static gboolean
resume (gpointer data)
{
  LsSearch *search = data;
  LsSearchCounts counts, later;

  g_assert_cmpint (ls_search_get_state (search), ==, LS_SEARCH_PAUSED);
  ls_search_get_counts (search, &counts);
  if (counts.running > 0)
    return G_SOURCE_CONTINUE;
  ls_moved_clock_add (HOUR_US);
  ls_search_get_counts (search, &later);
  g_assert_cmpfloat (later.seconds, ==, counts.seconds);
  g_object_set_data (G_OBJECT (search), "measured", GUINT_TO_POINTER (counts.measured));
  ls_search_resume (search);
  return G_SOURCE_REMOVE;
}

static void
pause_once (LsSearch *search,
            guint     number,
            Fixture  *self)
{
  if (number == 3 && self->n_events++ == 0)
    {
      ls_search_pause (search);
      g_timeout_add (50, resume, search);
    }
}

static void
test_pause (Fixture       *self,
            gconstpointer  data)
{
  g_autoptr (LsSearch) search = search_new (self, 8, 0);
  LsSearchCounts counts;

  g_signal_connect (search, "trial", G_CALLBACK (pause_once), self);
  run_to_end (self, search);
  ls_search_get_counts (search, &counts);
  g_assert_cmpuint (counts.measured, >, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (search), "measured")));
  /* The hour of the pause does not count. */
  g_assert_cmpfloat (counts.seconds, <, HOUR_US / 2e6);
}

static void
stop_at_fifth (LsSearch *search,
               guint     number,
               Fixture  *self)
{
  if (number == 4)
    ls_search_stop (search);
}

static void
two_hours_at_fifth (LsSearch *search,
                    guint     number,
                    Fixture  *self)
{
  if (number == 4 && self->n_events++ == 0)
    ls_moved_clock_add (2 * HOUR_US);
}

static void
test_stop (Fixture       *self,
           gconstpointer  data)
{
  g_autoptr (LsSearch) search = search_new (self, 1000, 0), timed = search_new (self, 1000, HOUR_US / G_USEC_PER_SEC);
  LsSearchCounts counts;

  g_signal_connect (search, "trial", G_CALLBACK (stop_at_fifth), self);
  run_to_end (self, search);
  g_assert_cmpint (ls_search_get_end (search), ==, LS_SEARCH_END_STOPPED);
  ls_search_get_counts (search, &counts);
  g_assert_cmpuint (counts.measured + counts.failed, <=, 4);
  /* What was under way is no failure. */
  g_assert_cmpuint (count_records (self), ==, counts.measured + counts.failed);
  g_signal_connect (timed, "trial", G_CALLBACK (two_hours_at_fifth), self);
  run_to_end (self, timed);
  g_assert_cmpint (ls_search_get_end (timed), ==, LS_SEARCH_END_TIME);
  ls_search_get_counts (timed, &counts);
  g_assert_cmpfloat (counts.seconds, >=, 7200);
  g_assert_cmpfloat (counts.seconds, <, 3 * 3600);
  g_assert_cmpuint (counts.measured + counts.failed, <, 1000);
}

static void
test_unwritable (Fixture       *self,
                 gconstpointer  data)
{
  LsSearchOptions options = { .rules = TRUE, .trials = 4, .budget_ms = 5, .database = self->program };
  g_autoptr (LsSearch) search = ls_search_new (self->module, PROGRAM, &options);

  g_signal_connect_swapped (search, "ended", G_CALLBACK (g_main_loop_quit), self->loop);
  run_to_end (self, search);
  g_assert_cmpint (ls_search_get_end (search), ==, LS_SEARCH_END_ERROR);
  g_assert_nonnull (strstr (ls_search_get_problem (search), self->program));
}

/* ---- the command ------------------------------------------------------------------ */

static GSubprocess *
start_command (Fixture    *self,
               const char *trials,
               const char *seed)
{
  g_autoptr (GError) error = NULL;
  GSubprocess *process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, g_getenv ("LS_CLI"), "search",
                                           self->program, "--space", "post-order", "--budget-ms", "5", "--database", self->folder, "--trials", trials, "--seed",
                                           seed, "--json", NULL);

  g_assert_no_error (error);
  return process;
}

/* (transfer full) */
static JsonNode *
finish_command (GSubprocess *process)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *out = NULL;
  JsonNode *answer;

  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, &out, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 0);
  answer = json_from_string (out, &error);
  g_assert_no_error (error);
  return answer;
}

static void
test_killed (Fixture       *self,
             gconstpointer  data)
{
  g_autoptr (GSubprocess) killed = start_command (self, "1000", "1"), next = NULL;
  g_autofree char *trials = NULL;
  g_autoptr (JsonNode) answer = NULL;
  JsonObject *root;
  guint n;

  for (guint i = 0; i < 1200 && count_records (self) < 6; i++)
    g_usleep (50000);
  g_subprocess_send_signal (killed, SIGKILL);
  g_assert_true (g_subprocess_wait (killed, NULL, NULL));
  n = count_records (self);
  g_assert_cmpuint (n, >=, 6);
  trials = g_strdup_printf ("%u", n + 4);
  next = start_command (self, trials, "1");
  answer = finish_command (next);
  root = json_node_get_object (answer);
  g_assert_cmpint (json_object_get_int_member (root, "remembered"), ==, n);
  g_assert_cmpint (json_object_get_int_member (root, "trials"), ==, n + 4);
  g_assert_cmpint (json_object_get_int_member (root, "measured"), <=, 4);
  g_assert_cmpint (json_object_get_int_member (root, "programs"), >, n);
}

static void
test_two_at_once (Fixture       *self,
                  gconstpointer  data)
{
  g_autoptr (GSubprocess) first = start_command (self, "8", "1"), second = start_command (self, "8", "77"), third = NULL;
  g_autoptr (JsonNode) a = finish_command (first), b = finish_command (second), c = NULL;
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint distinct;

  g_assert_cmpuint (count_records (self), >=, 8);
  g_assert_true (g_file_get_contents (self->records, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++)
    {
      char *end = strstr (lines[i], "{\"kind\"");

      g_assert_true (g_str_has_suffix (lines[i], "]]]"));
      g_assert_nonnull (end);
      g_hash_table_add (texts, g_strndup (lines[i], (gsize) (end - lines[i])));
    }
  distinct = g_hash_table_size (texts);
  g_assert_cmpuint (distinct, >=, 8);
  third = start_command (self, "8", "1");
  c = finish_command (third);
  /* Programs that both of them measured are one. */
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (c), "remembered"), >=, 8);
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (c), "remembered"), <=, distinct);
  g_assert_cmpint (json_object_get_int_member (json_node_get_object (c), "measured"), ==, 0);
  g_assert_false (json_object_has_member (json_node_get_object (c), "note"));
}

/* ---- what is built ahead ---- */

typedef struct {
  GMainLoop *loop;
  double     median;
  char      *problem;
} Measurement;

static void
on_measured (GVariant     *answer,
             const GError *error,
             gpointer      data)
{
  Measurement *self = data;

  self->median = answer != NULL ? ls_params_double (answer, "median", 0) : 0;
  self->problem = error != NULL ? g_strdup (error->message) : NULL;
  g_main_loop_quit (self->loop);
}

/* So many different statements that no compiler is done with them in seconds. (transfer full) */
static char *
endless_to_build (void)
{
  GString *text = g_string_new ("# from tvm.script import tir as T\n\n@T.prim_func\ndef main(A: T.Buffer((16384,), \"float32\"), "
                                "B: T.Buffer((16384,), \"float32\")):\n");

  for (int i = 0; i < 16384; i++)
    g_string_append_printf (text, "    B[%d] = T.exp(A[%d]) + T.sin(A[%d]) * B[%d]\n", i, i * 7919 % 16384, i * 4729 % 16384, i * 9709 % 16384);
  return g_string_free (text, FALSE);
}

/* A program that ends the worker while it is built ahead is no trouble of the one that is measured: that one is asked for once more, alone. */
static void
test_ahead_alone (Fixture       *self,
                  gconstpointer  data)
{
  const LsMeasurerOptions options = { .text = PROGRAM, .jobs = 1, .timeout_ms = 4000 };
  const LsMeasurerEvents events = { NULL, NULL, NULL };
  LsMeasurer *measurer = ls_measurer_new (&options, &events, NULL);
  g_autofree char *ahead = endless_to_build (), *name = NULL;
  const char *texts[] = { ahead };
  Measurement measurement = { .loop = self->loop };
  gint64 start = g_get_monotonic_time ();
  GVariantDict params;

  g_assert_cmpuint (ls_measurer_get_ahead (measurer), ==, MIN (g_get_num_processors (), LS_SEARCH_MAX_AHEAD + 1) - 1);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", PROGRAM);
  g_variant_dict_insert (&params, "budget-ms", "x", (gint64) 5);
  g_variant_dict_insert_value (&params, "ahead", g_variant_new_strv (texts, 1));
  name = ls_measurer_measure (measurer, g_variant_dict_end (&params), NULL, on_measured, &measurement);
  g_main_loop_run (self->loop);
  g_assert_cmpstr (measurement.problem, ==, NULL);
  g_assert_cmpfloat (measurement.median, >, 0);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, options.timeout_ms * 1000);     /* else nothing ended the worker */
  ls_measurer_free (measurer);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/search/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("trials", test_trials);
  ADD ("pause", test_pause);
  ADD ("stop", test_stop);
  ADD ("unwritable", test_unwritable);
  ADD ("killed", test_killed);
  ADD ("two-at-once", test_two_at_once);
  ADD ("ahead-alone", test_ahead_alone);
#undef ADD
  return g_test_run ();
}
