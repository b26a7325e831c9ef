/* Traces without a program: JSON that is no trace, dead steps, decisions, mutation, another step in the middle. */
#include "engine/schedule/schedule.h"
#include "engine/schedule/space/mutate.h"
#include "engine/script/parser.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

static const char PROGRAM[] =
  "@I.ir_module\nclass Module:\n"
  "    @T.prim_func\n"
  "    def main(A: T.Buffer((64, 64), \"float32\"), D: T.Buffer((64, 64), \"float32\")):\n"
  "        B = T.alloc_buffer((64, 64))\n"
  "        for i, j in T.grid(64, 64):\n"
  "            with T.block(\"B\"):\n"
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                B[vi, vj] = A[vi, vj] + T.float32(1)\n"
  "        for i, j in T.grid(64, 64):\n"
  "            with T.block(\"D\"):\n"
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                D[vi, vj] = B[vi, vj] * T.float32(2)\n";

static const char STEPS[] =
  "r = sch.get_block(\"root\")\n"
  "b = sch.get_block(\"B\")\n"
  "d = sch.get_block(\"D\")\n"
  "i, j = sch.get_loops(d)\n"
  "x, y = sch.sample_perfect_tile(i, 2, decision=[16, 4])\n"
  "io, ii = sch.split(i, [x, y])\n"
  "p, q = sch.sample_perfect_tile(j, 2, decision=[8, 8])\n"
  "l = sch.sample_compute_location(b, decision=-1)\n"
  "sch.compute_at(b, l)\n"
  "sch.annotate(r, \"meta_schedule.parallel\", 32)\n"
  "u = sch.sample_categorical([0, 16, 64], [0.25, 0.25, 0.5], decision=1)\n"
  "sch.annotate(r, \"meta_schedule.unroll_explicit\", u)\n"
  "sch.enter_postproc()\n"
  "sch.parallel(io)\n";

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("program", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  g_assert_false (ls_diagnostics_has_error (findings));
  return module;
}

static LsSchedule *
scheduled (const char *program,
           const char *steps)
{
  g_autoptr (LsModule) module = parse (program);
  g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsSchedule *schedule = ls_schedule_new (module);

  ls_schedule_apply_text (schedule, source, 0, findings);
  if (ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_get (findings, 0)->message);
  return schedule;
}

static gint
find_step (LsTrace    *trace,
           const char *name)
{
  for (guint i = 0; i < ls_trace_get_n (trace); i++)
    if (strcmp (ls_trace_get (trace, i)->instruction->name, name) == 0)
      return (gint) i;
  return -1;
}

static void
test_simplified (void)
{
  g_autoptr (LsSchedule) schedule = scheduled (PROGRAM, STEPS);
  g_autoptr (LsTrace) trace = ls_trace_of (schedule);
  g_autoptr (LsTrace) simple = ls_trace_simplified (trace, FALSE);
  g_autoptr (LsTrace) searched = ls_trace_simplified (trace, TRUE);
  g_autofree char *text = ls_trace_print (simple);

  g_assert_cmpuint (ls_trace_get_n (trace), ==, 14);
  g_assert_cmpuint (ls_trace_get_n (simple), ==, 13);
  g_assert_cmpuint (ls_trace_get_n (searched), ==, 11);
  g_assert_null (strstr (text, "decision=[8, 8]"));
  g_assert_nonnull (strstr (text, "decision=[16, 4]"));
}

static void
test_other_program (void)
{
  g_autoptr (LsSchedule) schedule = scheduled (PROGRAM, STEPS);
  g_autoptr (LsTrace) trace = ls_trace_of (schedule);
  g_autoptr (GString) larger = g_string_new (PROGRAM);
  g_autoptr (LsModule) module = NULL;
  g_autoptr (LsSchedule) fresh = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autofree char *text = NULL;

  g_string_replace (larger, "64", "96", 0);
  module = parse (larger->str);
  fresh = ls_schedule_new (module);
  g_assert_cmpuint (ls_trace_apply (trace, fresh, TRUE, FALSE, findings), ==, 14);
  text = ls_schedule_print_trace (fresh);
  g_assert_nonnull (strstr (text, "decision=[24, 4]"));
}

static void
test_stops (void)
{
  g_autoptr (LsSchedule) schedule = scheduled (PROGRAM, STEPS);
  g_autoptr (LsTrace) trace = ls_trace_of (schedule);
  g_autoptr (LsModule) module = parse (
    "@T.prim_func\ndef main(A: T.Buffer((64,), \"float32\"), D: T.Buffer((64,), \"float32\")):\n"
    "    B = T.alloc_buffer((64,))\n    for i in range(64):\n        with T.block(\"B\"):\n            vi = T.axis.spatial(64, i)\n            B[vi] = A[vi]\n"
    "    for i in range(64):\n        with T.block(\"D\"):\n            vi = T.axis.spatial(64, i)\n            D[vi] = B[vi]\n");
  g_autoptr (LsSchedule) fresh = ls_schedule_new (module);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  g_assert_cmpuint (ls_trace_apply (trace, fresh, TRUE, FALSE, findings), ==, 3);
  g_assert_cmpuint (ls_schedule_get_n_steps (fresh), ==, 3);
  g_assert_cmpstr (ls_diagnostics_get (findings, 0)->code, ==, "schedule/trace/results");
}

static void
test_decision (void)
{
  g_autoptr (LsSchedule) schedule = scheduled (PROGRAM, STEPS);
  g_autoptr (LsTrace) trace = ls_trace_of (schedule);
  g_autoptr (LsNode) decision = LS_NODE (ls_array_of (ls_int (32), ls_int (2), NULL));
  g_autoptr (LsTrace) other = ls_trace_with_decision (trace, (guint) find_step (trace, "sample_perfect_tile"), decision);
  g_autoptr (LsSchedule) fresh = ls_schedule_new (ls_schedule_get_version (schedule, 0)->module);
  g_autofree char *text = NULL;

  g_assert_cmpuint (ls_trace_apply (other, fresh, TRUE, FALSE, NULL), ==, 14);
  text = ls_script_print (ls_schedule_get_module (fresh), NULL, NULL);
  g_assert_nonnull (strstr (text, "T.parallel(32)"));
  text = (g_free (text), ls_schedule_print_trace (schedule));
  g_assert_nonnull (strstr (text, "decision=[16, 4]"));
}

/* Every mutation gives a trace that replays, ends before the postprocessing and differs from the old one. */
static void
test_mutate (void)
{
  g_autoptr (LsSchedule) schedule = scheduled (PROGRAM, STEPS);
  g_autoptr (LsTrace) trace = ls_trace_of (schedule);
  g_autoptr (LsTrace) cut = ls_trace_simplified (trace, TRUE);
  g_autofree char *before = ls_trace_print (cut);
  LsModule *module = ls_schedule_get_version (schedule, 0)->module;
  guint64 state = ls_random_seed (7);
  guint made[4] = { 0 };

  for (guint i = 0; i < 200; i++)
    {
      g_autoptr (LsTrace) other = i % 4 == 0 ? ls_trace_mutate_tile (trace, &state)
                                  : i % 4 == 1 ? ls_trace_mutate_unroll (trace, &state)
                                  : i % 4 == 2 ? ls_trace_mutate_compute_location (trace, module, &state)
                                               : ls_trace_mutate_parallel (trace, module, 128, &state);
      g_autoptr (LsSchedule) fresh = ls_schedule_new (module);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autofree char *after = NULL;

      if (other == NULL)
        continue;
      made[i % 4]++;
      g_assert_cmpint (find_step (other, "enter_postproc"), <, 0);
      ls_trace_apply (other, fresh, TRUE, FALSE, findings);
      if (ls_diagnostics_has_error (findings))
        {
          g_assert_cmpuint (i % 4, ==, 2);
          continue;
        }
      after = ls_trace_print (other);
      g_assert_cmpstr (after, !=, before);
    }
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (made[i], >=, 40);
}

static void
test_nothing_to_mutate (void)
{
  g_autoptr (LsSchedule) schedule = scheduled (PROGRAM, "b = sch.get_block(\"B\")\ni, j = sch.get_loops(b)\nsch.parallel(i)\n");
  g_autoptr (LsTrace) trace = ls_trace_of (schedule);
  LsModule *module = ls_schedule_get_version (schedule, 0)->module;
  guint64 state = ls_random_seed (1);

  for (guint i = 0; i < 50; i++)
    g_assert_null (ls_trace_mutate (trace, module, 64, &state));
}

static void
test_replay_with (void)
{
  g_autoptr (LsSchedule) schedule = scheduled (PROGRAM, STEPS);
  g_autoptr (LsDiagnostics) good = ls_diagnostics_new ();
  g_autoptr (LsDiagnostics) bad = ls_diagnostics_new ();
  g_autoptr (LsTrace) trace = ls_trace_of (schedule);
  guint at = (guint) find_step (trace, "split");
  g_autoptr (LsSchedule) other = NULL;
  g_autoptr (LsSchedule) stopped = NULL;
  g_autofree char *text = NULL;
  guint kept;

  other = ls_schedule_replay_with (schedule, at, "sch.split(l3, [4, 16])", &kept, good);
  g_assert_cmpuint (ls_diagnostics_get_n (good), ==, 0);
  g_assert_cmpuint (kept, ==, 13);
  text = ls_script_print (ls_schedule_get_module (other), NULL, NULL);
  g_assert_nonnull (strstr (text, "T.parallel(4)"));
  stopped = ls_schedule_replay_with (schedule, at, "l8, l9 = sch.split(l4, [4, 16])\nsch.fuse(l8, l9)", &kept, bad);
  g_assert_true (ls_diagnostics_has_error (bad));
  g_assert_cmpuint (ls_schedule_get_n_steps (stopped), <, ls_schedule_get_n_steps (schedule));
}

static void
test_expressions (void)
{
  g_autoptr (LsSchedule) schedule = scheduled (PROGRAM,
    "b = sch.get_block(\"B\")\ni, j = sch.get_loops(b)\nx, y = sch.sample_perfect_tile(i, 2, decision=[16, 4])\nsch.split(i, [None, y * 2, x // 8])\n");
  g_autoptr (LsTrace) trace = ls_trace_of (schedule);
  g_autofree char *json = ls_trace_to_json (trace, FALSE);
  g_autoptr (LsTrace) read = ls_trace_from_json (json, NULL);
  g_autofree char *first = ls_trace_print (trace);
  g_autofree char *again = NULL;

  g_assert_nonnull (strstr (first, "v4 * 2"));
  g_assert_nonnull (read);
  again = ls_trace_print (read);
  g_assert_cmpstr (again, ==, first);
}

static void
test_no_trace (void)
{
  static const struct { const char *text, *code; } CASES[] = {
    { "", "json" }, { "[", "json" }, { "[]", "json" }, { "[[], [], []]", "json" }, { "{}", "json" }, { "[[3], []]", "json" },
    { "[[[\"GetBlock\"]], []]", "json" }, { "[[[\"GetRich\", [], [], []]], []]", "unknown-instruction" },
    { "[[[\"GetBlock\", [], [], [\"b0\"]]], []]", "missing-argument" },
    { "[[[\"GetBlock\", [], [3, \"main\"], [\"b0\"]]], []]", "argument" },
    { "[[[\"GetBlock\", [], [\"B\", \"main\", 4], [\"b0\"]]], []]", "too-many-arguments" },
    { "[[[\"GetBlock\", [], [\"B\", \"main\"], [4]]], []]", "result" },
    { "[[[\"GetLoops\", [\"b0\"], [], []]], []]", "unknown-result" },
    { "[[[\"GetLoops\", [\"None\"], [], []]], []]", "argument" },
    { "[[], [[0, 3]]]", "decision" }, { "[[], [7]]", "decision" }, { "[[], [[\"x\", 3]]]", "decision" },
    { "[[[\"TransformBlockLayout\", [\"b0\", \"{}\"], [], []]], []]", "unknown-result" },
    { "[[[\"GetBlock\", [], [\"B\", \"main\"], [\"b0\"]], [\"TransformBlockLayout\", [\"b0\", \"{\\\"root\\\": 1, \\\"nodes\\\": []}\"], [], []]], []]",
      "index-map" },
    { "[[[\"GetBlock\", [], [\"B\", \"main\"], [\"b0\"]], [\"TransformBlockLayout\", [\"b0\", \"{\\\"root\\\": 0, \\\"nodes\\\": "
      "[{\\\"type_key\\\": \\\"tir.Add\\\", \\\"attrs\\\": {\\\"a\\\": \\\"0\\\", \\\"b\\\": \\\"0\\\"}}]}\"], [], []]], []]", "index-map" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autofree char *code = g_strdup_printf ("schedule/trace/%s", CASES[i].code);

      g_assert_null (ls_trace_from_json (CASES[i].text, findings));
      g_assert_cmpuint (ls_diagnostics_get_n (findings), >, 0);
      g_test_message ("%s: %s", CASES[i].text, ls_diagnostics_get (findings, 0)->message);
      g_assert_cmpstr (ls_diagnostics_get (findings, 0)->code, ==, code);
    }
  {
    g_autofree char *deep = g_strnfill (200000, '[');
    g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

    g_assert_null (ls_trace_from_json (deep, findings));
    g_assert_cmpstr (ls_diagnostics_get (findings, 0)->code, ==, "schedule/trace/json");
  }
}

static void
test_kinds (void)
{
  static const char *const KINDS[][2] = {
    { "get_block", "GetBlock" }, { "rfactor", "RFactor" }, { "reindex", "ReIndex" }, { "sample_perfect_tile", "SamplePerfectTile" },
    { "pad_einsum", "PadEinsum" }, { "reverse_compute_at", "ReverseComputeAt" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (KINDS); i++)
    {
      g_autofree char *kind = ls_instruction_kind (ls_instruction_get (KINDS[i][0]));

      g_assert_cmpstr (kind, ==, KINDS[i][1]);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/traces/simplified", test_simplified);
  g_test_add_func ("/schedule/traces/other-program", test_other_program);
  g_test_add_func ("/schedule/traces/stops", test_stops);
  g_test_add_func ("/schedule/traces/decision", test_decision);
  g_test_add_func ("/schedule/traces/mutate", test_mutate);
  g_test_add_func ("/schedule/traces/nothing-to-mutate", test_nothing_to_mutate);
  g_test_add_func ("/schedule/traces/replay-with", test_replay_with);
  g_test_add_func ("/schedule/traces/expressions", test_expressions);
  g_test_add_func ("/schedule/traces/no-trace", test_no_trace);
  g_test_add_func ("/schedule/traces/kinds", test_kinds);
  return g_test_run ();
}
