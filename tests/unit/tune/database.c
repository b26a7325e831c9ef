/* tune/database: what was added is recalled, of this program only; several processes add whole lines; a line that was cut off is put aside and
 * no record is lost with it; what cannot be written is said. */
#include "engine/tune/tune.h"

#include "engine/schedule/space/space.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM(n)                                                                                                        \
  "# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"                   \
  "    @T.prim_func\n    def main(A: T.Buffer((" n ", 64), \"float32\"), B: T.Buffer((64, 64), \"float32\"), "             \
  "C: T.Buffer((" n ", 64), \"float32\")):\n        for i, j, k in T.grid(" n ", 64, 64):\n            with T.block(\"C\"):\n" \
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n                with T.init():\n"                        \
  "                    C[vi, vj] = T.float32(0)\n                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n"

#define TARGET "{\"kind\": \"llvm\"}"
#define WRITERS 2
#define EACH 60

typedef struct {
  char     *folder, *records, *workloads;
  LsModule *module;
} Fixture;

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("tune", text, -1);
  LsModule *module = ls_script_parse (source, NULL);

  g_assert_nonnull (module);
  return module;
}

static LsTuner *
tuner_for (LsModule *module)
{
  LsTunerOptions options = { .seed = 1, .max_jobs = 16, .postprocs = TRUE };
  LsSpaceOptions space = { .n_cores = 1 };
  g_autoptr (GPtrArray) designs = ls_space_designs (module, &space, 1);
  LsTuner *tuner = ls_tuner_new (module, &options);

  for (guint i = 0; i < designs->len; i++)
    {
      g_autoptr (LsTrace) trace = ls_trace_of (designs->pdata[i]);

      ls_tuner_add_design (tuner, trace);
    }
  return tuner;
}

static void
set_up (Fixture       *self,
        gconstpointer  data)
{
  self->folder = g_dir_make_tmp ("tune-XXXXXX", NULL);
  self->records = g_build_filename (self->folder, "database_tuning_record.json", NULL);
  self->workloads = g_build_filename (self->folder, "database_workload.json", NULL);
  self->module = parse (PROGRAM ("64"));
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
  g_free (self->workloads);
  ls_unref (self->module);
}

static LsTuneDatabase *
open_good (Fixture  *self,
           LsModule *module)
{
  g_autoptr (GError) error = NULL;
  LsTuneDatabase *database = ls_tune_database_open (self->folder, module, &error);

  g_assert_no_error (error);
  return database;
}

/* n trials with made-up times; every fourth has none. */
static void
add_trials (LsTuneDatabase *database,
            LsTuner        *tuner,
            guint           n)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n; i++)
    {
      LsTuneCandidate *candidate = ls_tuner_next (tuner, 0);

      g_assert_true (ls_tune_database_add (database, candidate->trace, i % 4 == 3 ? -1 : 1e-3 * (i + 1), TARGET, NULL, &error));
      g_assert_no_error (error);
    }
}

static void
test_goes_on (Fixture       *self,
              gconstpointer  data)
{
  g_autoptr (LsTuner) first = tuner_for (self->module), second = tuner_for (self->module);
  g_autoptr (LsTuneDatabase) database = open_good (self, self->module), again = NULL;
  g_autoptr (GHashTable) texts = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_left_out = 1;

  add_trials (database, first, 10);
  again = open_good (self, self->module);
  g_assert_cmpuint (ls_tune_database_recall (again, second, &n_left_out), ==, 10);
  g_assert_cmpuint (n_left_out, ==, 0);
  g_assert_null (ls_tune_database_get_note (again));
  g_assert_cmpuint (ls_tuner_get_n_trials (second), ==, 10);
  g_assert_cmpfloat_with_epsilon (ls_tuner_get_best (second)->seconds, 1e-3, 1e-12);
  for (guint i = 0; i < 10; i++)
    g_hash_table_add (texts, ((LsTuneCandidate *) ls_tuner_get_candidates (first)->pdata[i])->text);
  /* Four more are four others, and the first ten do not count again. */
  for (guint i = 0; i < 4; i++)
    {
      LsTuneCandidate *candidate = ls_tuner_next (second, 14);

      g_assert_nonnull (candidate);
      g_assert_true (g_hash_table_add (texts, candidate->text));
    }
  g_assert_null (ls_tuner_next (second, 14));
  g_assert_cmpuint (ls_tuner_get_n_trials (second), ==, 14);
}

static void
test_several_programs (Fixture       *self,
                       gconstpointer  data)
{
  g_autoptr (LsModule) other = parse (PROGRAM ("32"));
  g_autoptr (LsTuner) tuner = tuner_for (self->module), other_tuner = tuner_for (other), recalled = tuner_for (other);
  g_autoptr (LsTuneDatabase) database = open_good (self, self->module), other_database = open_good (self, other), again = NULL;
  guint n_left_out;

  add_trials (database, tuner, 3);
  add_trials (other_database, other_tuner, 2);
  again = open_good (self, other);
  g_assert_cmpuint (ls_tune_database_recall (again, recalled, &n_left_out), ==, 2);
  g_assert_cmpuint (n_left_out, ==, 0);
}

/* What every line of the file is, once its lock is free. */
static guint
count_records (Fixture *self)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (self->records, &text, NULL, NULL));
  g_assert_true (text[0] == '\0' || g_str_has_suffix (text, "\n"));
  lines = g_strsplit (text, "\n", -1);
  for (; lines[n] != NULL && lines[n + 1] != NULL; n++)
    {
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      double seconds;
      guint workload;
      g_autoptr (LsTrace) trace = ls_tune_record_read (lines[n], &workload, &seconds, findings);

      g_assert_nonnull (trace);
    }
  return n;
}

static void
test_two_processes (Fixture       *self,
                    gconstpointer  data)
{
  pid_t writers[WRITERS];

  for (guint i = 0; i < WRITERS; i++)
    {
      writers[i] = fork ();
      g_assert_cmpint (writers[i], >=, 0);
      if (writers[i] == 0)
        {
          /* Each has a program of its own, so that both add a workload at the same time too. */
          LsModule *module = i == 0 ? ls_ref (self->module) : parse (PROGRAM ("32"));
          LsTuner *tuner = tuner_for (module);
          LsTuneDatabase *database = ls_tune_database_open (self->folder, module, NULL);

          add_trials (database, tuner, EACH);
          _exit (0);
        }
    }
  for (guint i = 0; i < WRITERS; i++)
    {
      int status;

      g_assert_cmpint (waitpid (writers[i], &status, 0), ==, writers[i]);
      g_assert_cmpint (status, ==, 0);
    }
  g_assert_cmpuint (count_records (self), ==, WRITERS * EACH);
  for (guint i = 0; i < WRITERS; i++)
    {
      g_autoptr (LsModule) module = i == 0 ? ls_ref (self->module) : parse (PROGRAM ("32"));
      g_autoptr (LsTuner) tuner = tuner_for (module);
      g_autoptr (LsTuneDatabase) database = open_good (self, module);
      guint n_left_out;

      g_assert_cmpuint (ls_tune_database_recall (database, tuner, &n_left_out), ==, EACH);
      g_assert_cmpuint (n_left_out, ==, 0);
    }
}

/* A process that is killed at any moment costs at most the record that it was writing. */
static void
test_killed (Fixture       *self,
             gconstpointer  data)
{
  for (guint round = 0; round < 5; round++)
    {
      pid_t writer = fork ();
      int status;

      g_assert_cmpint (writer, >=, 0);
      if (writer == 0)
        {
          LsTuner *tuner = tuner_for (self->module);
          LsTuneDatabase *database = ls_tune_database_open (self->folder, self->module, NULL);

          add_trials (database, tuner, 100000);
          _exit (0);
        }
      g_usleep (30000 + 20000 * round);
      kill (writer, SIGKILL);
      g_assert_cmpint (waitpid (writer, &status, 0), ==, writer);
      g_assert_true (WIFSIGNALED (status));
      g_clear_pointer (&(LsTuneDatabase *) { open_good (self, self->module) }, ls_tune_database_free);
      count_records (self);
    }
}

static void
test_torn (Fixture       *self,
           gconstpointer  data)
{
  g_autoptr (LsTuner) tuner = tuner_for (self->module), recalled = tuner_for (self->module);
  g_autoptr (LsTuneDatabase) database = open_good (self, self->module), again = NULL;
  g_autofree char *aside = g_strconcat (self->records, ".torn", NULL), *kept = NULL, *text = NULL, *torn = NULL;
  guint n_left_out;

  add_trials (database, tuner, 3);
  g_assert_true (g_file_get_contents (self->records, &text, NULL, NULL));
  torn = g_strndup (text, 100);
  {
    g_autofree char *cut = g_strconcat (text, torn, NULL);

    g_assert_true (g_file_set_contents (self->records, cut, -1, NULL));
  }
  again = open_good (self, self->module);
  g_assert_nonnull (strstr (ls_tune_database_get_note (again), "was not written to its end"));
  g_assert_nonnull (strstr (ls_tune_database_get_note (again), aside));
  g_assert_true (g_file_get_contents (aside, &kept, NULL, NULL));
  g_assert_true (g_str_has_prefix (kept, torn));
  g_assert_cmpuint (strlen (kept), ==, strlen (torn) + 1);
  g_assert_cmpuint (ls_tune_database_recall (again, recalled, &n_left_out), ==, 3);
  g_assert_cmpuint (n_left_out, ==, 0);
  /* One that has it open meanwhile adds behind whole lines too. */
  add_trials (database, tuner, 1);
  g_assert_cmpuint (count_records (self), ==, 4);
}

static void
test_foreign (Fixture       *self,
              gconstpointer  data)
{
  static const char *const lines[] = { "nothing", "[0]", "[0, [[], null", "[0, [[[], []], [0.1], {}, []", "{\"a\": 1}", "[0, [\"\\\"" };
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsTrace) trace = NULL;
  guint workload = 7;
  double seconds = 0;

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (LsDiagnostics) own = ls_diagnostics_new ();

      g_assert_null (ls_tune_record_read (lines[i], &workload, &seconds, own));
      g_assert_true (ls_diagnostics_has_error (own));
    }
  /* As json.dumps of Python writes it, with times of which one is not known. */
  trace = ls_tune_record_read ("[3, [[[[\"GetBlock\", [], [\"C\", \"main\"], [\"b0\"]]], []], [0.5, 0.25], {\"kind\": \"llvm\"}, [[\"TENSOR\", \"float32\", [4]]]]]",
                               &workload, &seconds, findings);
  g_assert_nonnull (trace);
  g_assert_cmpuint (workload, ==, 3);
  g_assert_cmpfloat (seconds, ==, 0.375);
  ls_trace_unref (g_steal_pointer (&trace));
  trace = ls_tune_record_read ("[0, [[[], []], [1e10], {}, []]]", &workload, &seconds, findings);
  g_assert_nonnull (trace);
  g_assert_cmpfloat (seconds, <, 0);
  ls_trace_unref (g_steal_pointer (&trace));
  trace = ls_tune_record_read ("[0, [[[], []], null, null, null]]", &workload, &seconds, findings);
  g_assert_nonnull (trace);
  g_assert_cmpfloat (seconds, <, 0);
}

/* Two searches in one folder: what one has added the other finds, and does not add again. */
static void
test_once (Fixture       *self,
           gconstpointer  data)
{
  g_autoptr (LsTuner) tuner = tuner_for (self->module);
  g_autoptr (LsTuneDatabase) first = open_good (self, self->module), second = open_good (self, self->module);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *before = NULL;
  LsTuneCandidate *candidate;
  gboolean was_there = FALSE;
  double seconds = 0;

  add_trials (first, tuner, 4);
  for (guint i = 0; i < 4; i++)
    {
      candidate = ls_tuner_get_candidates (tuner)->pdata[i];
      g_assert_true (ls_tune_database_find (second, candidate->trace, &seconds));
      if (i == 3)
        g_assert_cmpfloat (seconds, <, 0);
      else
        g_assert_cmpfloat_with_epsilon (seconds, 1e-3 * (i + 1), 1e-12);
    }
  g_assert_true (g_file_get_contents (self->records, &before, NULL, NULL));
  g_assert_true (ls_tune_database_add (second, candidate->trace, 1, TARGET, &was_there, &error));
  g_assert_true (was_there);
  g_assert_true (g_file_get_contents (self->records, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, before);
  candidate = ls_tuner_next (tuner, 0);
  g_assert_false (ls_tune_database_find (second, candidate->trace, &seconds));
  g_assert_true (ls_tune_database_add (second, candidate->trace, 1, TARGET, &was_there, &error));
  g_assert_false (was_there);
  g_assert_true (ls_tune_database_find (first, candidate->trace, &seconds));
  /* Of another kind of machine there is no time of it. */
  ls_tune_database_set_kind (first, "other");
  g_assert_false (ls_tune_database_find (first, candidate->trace, &seconds));
}

/* Of each kind of machine it is told how many programs were measured there and what the best took, whichever kind is searched. */
static void
test_kinds (Fixture       *self,
            gconstpointer  data)
{
  static const struct { const char *kind; double seconds; } kinds[] = { { NULL, 3e-3 }, { "big box · 64", 1e-3 }, { "small box · 4", 9e-3 } };
  g_autoptr (LsTuner) tuner = tuner_for (self->module);
  g_autoptr (GError) error = NULL;
  gboolean was_there = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (LsTuneDatabase) database = open_good (self, self->module);
      g_autofree char *json = ls_tune_target_json (NULL, kinds[i].kind);

      ls_tune_database_set_kind (database, kinds[i].kind);
      for (guint k = 0; k <= i; k++)
        g_assert_true (ls_tune_database_add (database, ls_tuner_next (tuner, 0)->trace, kinds[i].seconds * (k + 1), json, &was_there, &error));
      /* One without a time, and one of another target, say nothing of it. */
      g_assert_true (ls_tune_database_add (database, ls_tuner_next (tuner, 0)->trace, -1, json, &was_there, &error));
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (LsTuner) fresh = tuner_for (self->module);
      g_autoptr (LsTuneDatabase) database = open_good (self, self->module);
      guint n_left_out = 0;
      GArray *found;

      ls_tune_database_set_kind (database, kinds[i].kind);
      g_assert_cmpuint (ls_tune_database_get_kinds (database)->len, ==, 0);
      g_assert_cmpuint (ls_tune_database_recall (database, fresh, &n_left_out), ==, i + 2);
      found = ls_tune_database_get_kinds (database);
      g_assert_cmpuint (found->len, ==, G_N_ELEMENTS (kinds));
      for (guint k = 0; k < found->len; k++)
        {
          const LsTuneKind *kind = &g_array_index (found, LsTuneKind, k);

          g_assert_cmpstr (kind->kind, ==, kinds[k].kind);
          g_assert_cmpuint (kind->n, ==, k + 1);
          g_assert_cmpfloat_with_epsilon (kind->best, kinds[k].seconds, 1e-12);
        }
    }
}

static void
test_unwritable (Fixture       *self,
                 gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *below = NULL;

  g_assert_true (g_file_set_contents (self->records, "", 0, NULL));
  below = g_build_filename (self->records, "folder", NULL);
  g_assert_null (ls_tune_database_open (below, self->module, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOTDIR);
}

/* Records of several targets in one folder: each search hears of its own, and no other counts as the same steps. */
static void
test_targets (Fixture       *self,
              gconstpointer  data)
{
  static const struct { const char *target, *key; } keys[] = {
    { NULL, "" }, { "llvm", "" }, { "llvm -num-cores=2 -keys=cpu", "" }, { "llvm -mcpu=znver3", "mcpu=znver3" }, { "llvm -opt-level=2 -mcpu=x86-64", "mcpu=x86-64 opt-level=2" },
    { "llvm -mattr=+avx2,-fma", "mattr=+avx2,-fma" }, { "llvm -fast-math", "fast-math=1" },
    { "{\"kind\": \"llvm\", \"tag\": \"\", \"mcpu\": \"znver3\", \"keys\": [\"cpu\"], \"mattr\": [\"+avx2\", \"-fma\"], \"opt-level\": 2, \"fast-math\": true}",
      "fast-math=1 mattr=+avx2,-fma mcpu=znver3 opt-level=2" },
  };
  g_autoptr (LsTuner) tuner = tuner_for (self->module);
  g_autoptr (LsTuneDatabase) database = open_good (self, self->module);
  g_autoptr (GError) error = NULL;
  const char *targets[] = { NULL, "llvm -mcpu=x86-64", "llvm -mcpu=x86-64-v3" };
  LsTuneCandidate *candidate = ls_tuner_next (tuner, 0);
  double seconds = 0;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *key = ls_tune_target_key (keys[i].target), *json = ls_tune_target_json (keys[i].target, NULL), *again = ls_tune_target_key (json);

      g_assert_cmpstr (key, ==, keys[i].key);
      g_assert_cmpstr (again, ==, keys[i].key);
    }
  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      g_autofree char *json = ls_tune_target_json (targets[i], NULL);
      gboolean was_there = TRUE;

      ls_tune_database_set_target (database, targets[i]);
      g_assert_false (ls_tune_database_find (database, candidate->trace, &seconds));
      g_assert_true (ls_tune_database_add (database, candidate->trace, 1e-3 * (i + 1), json, &was_there, &error));
      g_assert_no_error (error);
      g_assert_false (was_there);
    }
  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    {
      g_autoptr (LsTuner) fresh = tuner_for (self->module);
      g_autoptr (LsTuneDatabase) again = open_good (self, self->module);
      guint n_left_out = 0;

      ls_tune_database_set_target (again, targets[i]);
      g_assert_cmpuint (ls_tune_database_recall (again, fresh, &n_left_out), ==, 1);
      g_assert_cmpuint (n_left_out, ==, 0);
      g_assert_cmpuint (ls_tune_database_get_n_other (again), ==, 2);
      g_assert_cmpfloat_with_epsilon (ls_tuner_get_best (fresh)->seconds, 1e-3 * (i + 1), 1e-12);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, func) g_test_add ("/tune/database/" name, Fixture, NULL, set_up, func, tear_down)
  ADD ("goes-on", test_goes_on);
  ADD ("several-programs", test_several_programs);
  ADD ("two-processes", test_two_processes);
  ADD ("killed", test_killed);
  ADD ("torn", test_torn);
  ADD ("foreign", test_foreign);
  ADD ("once", test_once);
  ADD ("targets", test_targets);
  ADD ("kinds", test_kinds);
  ADD ("unwritable", test_unwritable);
#undef ADD
  return g_test_run ();
}
