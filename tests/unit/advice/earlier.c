/* What begins at an earlier step: proposed first where the steps are in the way of what would help, and not where they are what helps. */
#include "engine/advice/advice.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

static const LsAdviceMachine machine = {
  .gflops = 100.0, .hertz = 3.125e9, .lanes = 8, .registers = 16, .cores = 2, .n_levels = 3,
  .cache = { 32768, 524288, 16777216 }, .gb_per_s = { 80.0, 30.0, 15.0 }, .behind = { "L2", "L3", "DRAM" },
};

static const char bound[] =
  "block = sch.get_block(\"C\", func_name=\"main\")\n"
  "i, j, k = sch.get_loops(block)\n";
static const char cut[] =
  "j0, j1 = sch.split(j, factors=[None, 4])\n"
  "sch.reorder(j0, k, j1)\n"
  "sch.vectorize(j1)\n"
  "sch.decompose_reduction(block, k)\n";

static LsSchedule *
read_sample (void)
{
  g_autofree char *file = ls_test_path ("../data/samples/matmul_128.py");
  g_autofree char *text = NULL;
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = NULL;

  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  source = ls_source_new ("matmul_128", text, -1);
  module = ls_script_parse (source, findings);
  g_assert_nonnull (module);
  return ls_schedule_new (module);
}

static void
apply (LsSchedule *schedule,
       const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("steps", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  ls_schedule_apply_text (schedule, source, 0, findings);
  g_assert_false (ls_diagnostics_has_error (findings));
}

static GPtrArray *
proposals_of (LsSchedule *schedule,
              guint       most)
{
  GPtrArray *list = ls_advice_propose (schedule, "main", NULL, &machine, 0.0, NULL, most);

  ls_advice_propose_earlier (list, schedule, "main", NULL, &machine, NULL, most);
  return list;
}

static double
now_seconds (LsSchedule *schedule)
{
  LsModule *module = ls_schedule_get_module (schedule);
  g_autoptr (LsAdviceCost) cost = ls_advice_cost_new ((LsPrimFunc *) ls_module_get (module, "main"), module, &machine);

  return cost->seconds;
}

/* A loop that is cut in fours and a sum that is begun apart leave nothing to tile: that is what the program as it was opened is for. */
static void
test_in_the_way (void)
{
  g_autoptr (LsSchedule) schedule = read_sample ();
  g_autoptr (LsSchedule) again = read_sample ();
  g_autoptr (GPtrArray) list = NULL;
  g_autofree char *found = NULL, *expected = NULL;
  LsProposal *first;

  apply (schedule, bound);
  apply (schedule, cut);
  list = proposals_of (schedule, 5);
  g_assert_cmpuint (list->len, >, 0);
  g_assert_cmpuint (list->len, <=, 5);
  first = list->pdata[0];
  g_assert_true (first->again);
  g_assert_cmpuint (first->step, ==, 0);
  g_assert_cmpint (first->move.kind, ==, LS_ADVICE_TILE);
  g_assert_true (g_str_has_prefix (first->title, "From step 0: Tile C"));
  g_assert_cmpfloat (first->estimate * 1.3, <, now_seconds (schedule));
  /* Its lines are complete: they lead from the program as it was to its own. */
  apply (again, first->steps);
  found = ls_script_print (ls_schedule_get_module (again), NULL, NULL);
  expected = ls_script_print (ls_schedule_get_module (first->schedule), NULL, NULL);
  ls_assert_same_text (found, expected);
}

/* Of two steps from which the same can be reached, the later: it keeps more. */
static void
test_keeps (void)
{
  g_autoptr (LsSchedule) schedule = read_sample ();
  g_autoptr (GPtrArray) list = NULL;
  LsProposal *first;

  apply (schedule, bound);
  apply (schedule, "sch.annotate(block, \"kept\", 1)\n");
  apply (schedule, "sch.decompose_reduction(block, k)\n");
  list = proposals_of (schedule, 5);
  g_assert_cmpuint (list->len, >, 0);
  first = list->pdata[0];
  g_assert_true (first->again);
  g_assert_cmpuint (first->step, ==, 1);
  g_assert_true (g_str_has_prefix (first->title, "From step 1: "));
}

/* The steps of what is proposed first are in nobody's way; nor is there an earlier step of a program as it was opened. */
static void
test_not_in_the_way (void)
{
  g_autoptr (LsSchedule) schedule = read_sample ();
  g_autoptr (GPtrArray) list = proposals_of (schedule, 5);
  g_autoptr (GPtrArray) after = NULL;

  for (guint i = 0; i < list->len; i++)
    g_assert_false (((LsProposal *) list->pdata[i])->again);
  after = proposals_of (((LsProposal *) list->pdata[0])->schedule, 5);
  for (guint i = 0; i < after->len; i++)
    g_assert_false (((LsProposal *) after->pdata[i])->again);
}

/* No more than are asked for: its own give way. */
static void
test_most (void)
{
  g_autoptr (LsSchedule) schedule = read_sample ();

  apply (schedule, bound);
  apply (schedule, cut);
  for (guint most = 1; most < 4; most++)
    {
      g_autoptr (GPtrArray) list = proposals_of (schedule, most);

      g_assert_cmpuint (list->len, <=, most);
      g_assert_true (((LsProposal *) list->pdata[0])->again);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/advice/earlier/in-the-way", test_in_the_way);
  g_test_add_func ("/advice/earlier/keeps", test_keeps);
  g_test_add_func ("/advice/earlier/not-in-the-way", test_not_in_the_way);
  g_test_add_func ("/advice/earlier/most", test_most);
  return g_test_run ();
}
