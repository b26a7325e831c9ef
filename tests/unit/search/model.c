/* model: the tasks of a Relax module are its called functions, equal ones together; a search of it gives every task its turn, one at a time, most trials to
 * the one that costs most, and what all calls take together never rises. */
#include "app/search/model.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

/* mm is called twice under two names, scale once. */
#define PROGRAM                                                                                                        \
  "from tvm.script import ir as I\nfrom tvm.script import tir as T\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n"               \
  MATMUL ("mm") MATMUL ("mm_again")                                                                                   \
  "    @T.prim_func(private=True)\n    def scale(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), \"float32\")):\n" \
  "        for i, j in T.grid(64, 64):\n            with T.block(\"B\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n" \
  "                B[vi, vj] = A[vi, vj] * T.float32(2)\n\n"                                                         \
  "    @R.function\n    def main(x: R.Tensor((64, 64), \"float32\"), w: R.Tensor((64, 64), \"float32\")) -> R.Tensor((64, 64), \"float32\"):\n" \
  "        cls = Module\n        with R.dataflow():\n"                                                                \
  "            a = R.call_tir(cls.mm, (x, w), out_sinfo=R.Tensor((64, 64), \"float32\"))\n"                           \
  "            b = R.call_tir(cls.scale, (a,), out_sinfo=R.Tensor((64, 64), \"float32\"))\n"                          \
  "            c = R.call_tir(cls.mm_again, (b, w), out_sinfo=R.Tensor((64, 64), \"float32\"))\n"                     \
  "            R.output(c)\n        return c\n"
#define MATMUL(name)                                                                                                   \
  "    @T.prim_func(private=True)\n    def " name "(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), \"float32\"), "       \
  "C: T.Buffer((64, 64), \"float32\")):\n        for i, j, k in T.grid(64, 64, 64):\n            with T.block(\"C\"):\n" \
  "                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n                with T.init():\n"                    \
  "                    C[vi, vj] = T.float32(0)\n                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n\n"

static LsModule *
read_program (void)
{
  g_autoptr (LsSource) source = ls_source_new ("model", PROGRAM, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  g_assert_false (ls_diagnostics_has_error (findings));
  return module;
}

static void
test_tasks (void)
{
  g_autoptr (LsModule) module = read_program ();
  g_autoptr (GPtrArray) tasks = ls_search_tasks_of (module), none = NULL;
  const LsSearchTask *first, *second;
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsModule) again = NULL;

  g_assert_cmpuint (tasks->len, ==, 2);
  first = tasks->pdata[0];
  second = tasks->pdata[1];
  g_assert_cmpstr (first->name, ==, "mm");
  g_assert_cmpuint (first->weight, ==, 2);
  g_assert_cmpuint (first->names->len, ==, 2);
  g_assert_cmpstr (first->names->pdata[1], ==, "mm_again");
  g_assert_cmpstr (second->name, ==, "scale");
  g_assert_cmpuint (second->weight, ==, 1);
  g_assert_nonnull (ls_module_get (first->module, "main"));
  /* Its text is that of its module; a module without Relax functions has no tasks. */
  source = ls_source_new ("task", first->text, -1);
  again = ls_script_parse (source, NULL);
  g_assert_true (ls_structural_equal (again, first->module, FALSE, NULL, NULL));
  none = ls_search_tasks_of (first->module);
  g_assert_cmpuint (none->len, ==, 0);
}

typedef struct {
  GMainLoop *loop;
  double     total;             /* the last, ns */
  guint      n_ended, n_changed;
} Heard;

static void
on_changed (LsSearchModel *model,
            Heard         *heard)
{
  double total = ls_search_model_get_total (model);
  guint n_active = 0;

  for (guint i = 0; i < ls_search_model_get_n (model); i++)
    {
      LsSearchTaskState state;

      ls_search_model_get_task (model, i, &state);
      n_active += state.active;
    }
  g_assert_cmpuint (n_active, <=, 1);
  if (total > 0 && heard->total > 0)
    g_assert_cmpfloat (total, <=, heard->total);
  if (total > 0)
    heard->total = total;
  heard->n_changed++;
}

static void
on_ended (LsSearchModel *model,
          Heard         *heard)
{
  heard->n_ended++;
  g_main_loop_quit (heard->loop);
}

static gboolean
go_on (gpointer model)
{
  g_assert_cmpint (ls_search_model_get_state (model), ==, LS_SEARCH_PAUSED);
  ls_search_model_resume (model);
  return G_SOURCE_REMOVE;
}

static gboolean
rest (gpointer model)
{
  ls_search_model_pause (model);
  g_timeout_add (300, go_on, model);
  return G_SOURCE_REMOVE;
}

static guint
count_lines (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "database_tuning_record.json", NULL), *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  return g_strv_length (lines) - 1;
}

static void
test_search (void)
{
  g_autoptr (LsModule) module = read_program ();
  g_autoptr (GPtrArray) tasks = ls_search_tasks_of (module);
  g_autofree char *folder = g_dir_make_tmp ("model-XXXXXX", NULL), *log = NULL;
  const LsSearchOptions options = { .rules = TRUE, .strategy = LS_TUNE_EVOLUTIONARY, .model = LS_TUNE_MODEL_RIDGE, .trials = 48, .seed = 1, .budget_ms = 5, .database = folder };
  g_autoptr (LsSearchModel) model = ls_search_model_new (tasks, &options);
  g_autoptr (LsSearchRunLog) written = ls_search_run_log_new (folder, "model", NULL);
  g_autoptr (LsSearchRun) run = ls_search_run_new (folder, "model");
  Heard heard = { .loop = g_main_loop_new (NULL, FALSE) };
  char *clear_away[] = { (char *) "rm", (char *) "-rf", folder, NULL };
  LsSearchTaskState mm, scale;
  double base;

  ls_search_run_log_follow_model (written, model, options.trials, NULL, NULL);
  g_signal_connect (model, "changed", G_CALLBACK (on_changed), &heard);
  g_signal_connect (model, "ended", G_CALLBACK (on_ended), &heard);
  ls_search_model_start (model);
  g_timeout_add (500, rest, model);
  g_main_loop_run (heard.loop);
  g_main_loop_unref (heard.loop);
  g_assert_cmpuint (heard.n_ended, ==, 1);
  g_assert_cmpint (ls_search_model_get_end (model), ==, LS_SEARCH_END_TRIALS);
  g_assert_cmpuint (ls_search_model_get_trials (model), ==, 48);
  ls_search_model_get_task (model, 0, &mm);
  ls_search_model_get_task (model, 1, &scale);
  g_assert_cmpuint (mm.trials + scale.trials, ==, 48);
  g_assert_cmpuint (scale.trials, >, 0);
  /* Two matrix products cost more than one pass over 64 x 64 numbers. */
  g_assert_cmpuint (mm.trials, >, scale.trials);
  g_assert_cmpfloat (mm.best, <, mm.base);
  g_assert_cmpfloat_with_epsilon (ls_search_model_get_total (model), 2 * mm.best + scale.best, 1);
  g_assert_cmpfloat_with_epsilon (ls_search_model_get_base (model), 2 * mm.base + scale.base, 1);
  g_assert_cmpuint (count_lines (folder), ==, 48);
  /* As its log tells it, and each task's own. */
  ls_search_run_start (run);
  for (guint i = 0; i < 12000 && ls_search_run_get_state (run) != LS_SEARCH_ENDED; i++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (5000);
    }
  g_assert_cmpint (ls_search_run_get_state (run), ==, LS_SEARCH_ENDED);
  g_assert_cmpuint (ls_search_run_get_tasks (run)->len, ==, 2);
  g_assert_cmpstr (((LsSearchRunTask *) ls_search_run_get_tasks (run)->pdata[0])->name, ==, "mm");
  g_assert_cmpuint (((LsSearchRunTask *) ls_search_run_get_tasks (run)->pdata[0])->trials, ==, mm.trials);
  g_assert_cmpfloat_with_epsilon (ls_search_run_get_total (run, &base), ls_search_model_get_total (model), 1);
  g_assert_cmpuint (ls_search_run_get_totals (run)->len, >, 0);    /* one where the first programs were the fastest */
  log = ls_search_run_path (folder, mm.run, "log");
  g_assert_true (g_file_test (log, G_FILE_TEST_EXISTS));
  g_assert_true (g_spawn_sync (NULL, clear_away, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/model/tasks", test_tasks);
  g_test_add_func ("/model/search", test_search);
  return g_test_run ();
}
