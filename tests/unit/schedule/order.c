/* Steps that TVM's conditions accept although the accesses depend on each other: each with its cause, and the same program with
 * the cause taken away.  Strict schedules refuse, others warn with the same sentence. */
#include "engine/schedule/schedule.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

#define HEAD "from tvm.script import tir as T\n@T.prim_func\ndef main("

typedef struct {
  const char *name;
  const char *params;
  const char *body;             /* %s: the cause */
  const char *dependent, *independent;
  const char *steps;
  const char *code;             /* "" : both are accepted */
  const char *says;             /* a part of the sentence */
} Row;

#define TWO_LOOPS \
  "    for i, j in T.grid(16, 16):\n        with T.block(\"b\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n            %s\n"
#define ONE_LOOP \
  "    for i in range(16):\n        with T.block(\"b\"):\n            vi = T.axis.remap(\"S\", [i])\n            %s\n"
#define LOOPS "b = sch.get_block(\"b\")\nl = sch.get_loops(b)\n"

static const Row rows[] = {
  { "reorder", "B: T.Buffer((17, 16), \"int32\"), A: T.Buffer((17, 16), \"int32\")", TWO_LOOPS, "B[vi + 1, vj] = B[vi, 15 - vj] + 1", "B[vi + 1, vj] = A[vi, 15 - vj] + 1",
    LOOPS "sch.reorder(l[1], l[0])", "schedule/reorder/dependence", "is written in the round i = " },
  /* in the other order the same cells are read before they are written, in both */
  { "reorder-same-column", "B: T.Buffer((17, 16), \"int32\")", TWO_LOOPS, "B[vi + 1, vj] = B[vi, 15 - vj] + 1", "B[vi + 1, vj] = B[vi, vj] + 1",
    LOOPS "sch.reorder(l[1], l[0])", "schedule/reorder/dependence", "The indices prove it." },
  { "parallel-race", "C: T.Buffer((64,), \"int32\"), A: T.Buffer((16, 16), \"int32\")", TWO_LOOPS, "C[(vi + vj) % 64] = A[vi, vj]", "C[(vi * 4 + vj) % 64 // 64 + vi] = A[vi, vj]",
    LOOPS "sch.parallel(l[0])", "schedule/parallel/dependence", "which would run at the same time" },
  { "parallel-modulo", "C: T.Buffer((64,), \"int32\"), A: T.Buffer((16,), \"int32\")", ONE_LOOP, "C[vi % 8] = A[vi]", "C[vi % 64] = A[vi]",
    LOOPS "sch.parallel(l[0])", "schedule/parallel/dependence", "C[" },
  { "bind-race", "C: T.Buffer((64,), \"int32\"), A: T.Buffer((16, 16), \"int32\")", TWO_LOOPS, "C[vi + vj] = A[vi, vj]", "C[vi * 4 + vj // 4] = A[vi, vj]",
    LOOPS "sch.bind(l[0], \"threadIdx.x\")", "schedule/bind/dependence", "at the same time" },
  { "vectorize-scalar", "S: T.Buffer((16,), \"int32\"), A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")",
    "    for i in range(16):\n        with T.block(\"b\"):\n            vi = T.axis.spatial(16, i)\n            S[%s] = A[vi]\n        with T.block(\"c\"):\n            vi = T.axis.spatial(16, i)\n            B[vi] = A[vi] + 1\n",
    "0", "vi", "sch.vectorize(sch.get_loops(\"c\")[0])", "schedule/vectorize/dependence", "S[0] is written" },
  { "by-run", "C: T.Buffer((256,), \"int32\"), A: T.Buffer((16,), \"int32\")", ONE_LOOP, "C[(vi * vi) % 16] = A[vi]", "C[vi * vi] = A[vi]",
    LOOPS "sch.parallel(l[0])", "schedule/parallel/dependence", "A run on zeros shows it." },
  { "by-random-run", "C: T.Buffer((17,), \"int32\"), D: T.Buffer((16,), \"int32\")", ONE_LOOP, "C[T.if_then_else(D[vi] > 0, 0, vi + 1)] = vi", "C[vi + 1] = D[vi]",
    LOOPS "sch.parallel(l[0])", "schedule/parallel/dependence", "A run on random numbers shows it." },
  /* no sums of loop variables, but one of two */
  { "chosen", "C: T.Buffer((16,), \"int32\"), A: T.Buffer((16,), \"int32\")", ONE_LOOP, "C[T.if_then_else(vi < 8, vi, vi - 8)] = A[vi]",
    "C[T.if_then_else(vi < 8, 15 - vi, vi - 8)] = A[vi]", LOOPS "sch.parallel(l[0])", "schedule/parallel/dependence", "The indices prove it." },
  { "cut-quotient", "C: T.Buffer((17,), \"int32\"), A: T.Buffer((16,), \"int32\")", ONE_LOOP, "C[T.truncdiv(vi - 8, 2) + 8] = A[vi]",
    "C[T.truncdiv(vi * 2 - 16, 2) + 8] = A[vi]", LOOPS "sch.parallel(l[0])", "schedule/parallel/dependence", "The indices prove it." },
  { "cut-remainder", "C: T.Buffer((17,), \"int32\"), A: T.Buffer((16,), \"int32\")", ONE_LOOP, "C[T.truncmod(vi - 8, 5) + 8] = A[vi]",
    "C[T.truncmod(vi - 8, 9) + 8] = A[vi]", LOOPS "sch.parallel(l[0])", "schedule/parallel/dependence", "The indices prove it." },
  { "bits", "C: T.Buffer((64,), \"int32\"), A: T.Buffer((16,), \"int32\")", ONE_LOOP, "C[T.bitwise_and(vi, 7) + T.shift_right(vi, 4)] = A[vi]",
    "C[T.shift_left(T.bitwise_and(vi, 7), 1) + T.shift_right(vi, 3)] = A[vi]", LOOPS "sch.parallel(l[0])", "schedule/parallel/dependence", "The indices prove it." },
  { "counted", "C: T.Buffer((16,), \"int32\"), A: T.Buffer((16,), \"int32\")", ONE_LOOP, "C[vi - T.Cast(\"int32\", 8 <= vi) * 8] = A[vi]",
    "C[(vi - T.Cast(\"int32\", 8 <= vi) * 8) * 2 + vi // 8] = A[vi]", LOOPS "sch.parallel(l[0])", "schedule/parallel/dependence", "The indices prove it." },
  { "chosen-condition", "B: T.Buffer((18, 16), \"int32\")", TWO_LOOPS, "if T.truncmod(vi - 8, 2) == 0:\n                B[vi + 2, vj] = B[vi, 15 - vj] + 1",
    "if T.truncmod(vi - 8, 2) == 0:\n                B[vi + 1, vj] = B[vi, 15 - vj] + 1", LOOPS "sch.reorder(l[1], l[0])", "schedule/reorder/dependence", "The indices prove it." },
};

static LsSchedule *
schedule_of (const Row  *row,
             const char *cause)
{
  g_autofree char *body = NULL;
  g_autofree char *text = NULL;
  g_autoptr (LsModule) module = NULL;
  const char *mark = strstr (row->body, "%s");

  body = g_strdup_printf ("%.*s%s%s", (int) (mark - row->body), row->body, cause, mark + 2);
  text = g_strconcat (HEAD, row->params, "):\n", body, NULL);
  module = ls_test_parse (text);
  return ls_schedule_new (module);
}

/* Findings of the steps as "error CODE: SENTENCE" or "warning ..."; "" when there are none. */
static char *
findings_of (const Row  *row,
             const char *cause,
             gboolean    strict)
{
  g_autoptr (LsSchedule) schedule = schedule_of (row, cause);
  g_autoptr (LsSource) source = ls_source_new ("steps", row->steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) before = ls_ref (ls_schedule_get_module (schedule));
  GString *text = g_string_new (NULL);

  ls_schedule_set_strict (schedule, strict);
  ls_schedule_apply_text (schedule, source, 0, findings);
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (findings, i);

      g_string_append_printf (text, "%s %s: %s", finding->severity == LS_SEVERITY_ERROR ? "error" : "warning", finding->code, finding->message);
      g_assert_true (finding->culprits != NULL && finding->culprits->len > 0);
    }
  g_assert_true ((ls_schedule_get_module (schedule) == before) == ls_diagnostics_has_error (findings));
  return g_string_free (text, FALSE);
}

static void
check_row (gconstpointer data)
{
  const Row *row = data;
  g_autofree char *strict = findings_of (row, row->dependent, TRUE);
  g_autofree char *lax = findings_of (row, row->dependent, FALSE);
  g_autofree char *free_strict = findings_of (row, row->independent, TRUE);
  g_autofree char *free_lax = findings_of (row, row->independent, FALSE);

  g_test_message ("%s", strict);
  g_assert_cmpstr (free_strict, ==, "");
  g_assert_cmpstr (free_lax, ==, "");
  g_assert_nonnull (strstr (strict, row->says));
  g_assert_true (g_str_has_prefix (strict, "error ") && g_str_has_prefix (lax, "warning "));
  g_assert_true (g_str_has_prefix (strict + strlen ("error "), row->code));
  g_assert_cmpstr (strict + strlen ("error "), ==, lax + strlen ("warning "));
}

/* Sums may be added in any order, temporaries may be other memory in each round, loads of a vector come before its stores. */
static const struct { const char *params, *body, *steps; } kept[] = {
  { "A: T.Buffer((16, 16), \"int32\"), S: T.Buffer((16,), \"int32\")",
    "    for i, k in T.grid(16, 16):\n        with T.block(\"b\"):\n            vi, vk = T.axis.remap(\"SR\", [i, k])\n            with T.init():\n                S[vi] = 0\n            S[vi] = S[vi] + A[vi, vk]\n",
    LOOPS "sch.reorder(l[1], l[0])\nsch.parallel(l[0])" },
  { "A: T.Buffer((16, 16), \"int32\"), S: T.Buffer((16,), \"int32\")",
    "    for i, k in T.grid(16, 16):\n        with T.block(\"b\"):\n            vi, vk = T.axis.remap(\"SR\", [i, k])\n            with T.init():\n                S[vi] = 0\n            S[vi] = S[vi] + A[vi, vk]\n",
    LOOPS "k0, k1 = sch.split(l[1], [None, 4])\nsch.reorder(k1, l[0], k0)\nsch.bind(k1, \"threadIdx.x\")" },
  { "A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")",
    "    t = T.alloc_buffer((1,), \"int32\")\n    for i in range(16):\n        with T.block(\"b\"):\n            vi = T.axis.spatial(16, i)\n            t[0] = A[vi]\n        with T.block(\"c\"):\n            vi = T.axis.spatial(16, i)\n            B[vi] = t[0] + 1\n",
    "sch.parallel(sch.get_loops(\"c\")[0])" },
  /* the tile, and its copy, are made anew in each round of j_0 */
  { "A: T.Buffer((16, 16), \"int32\"), S: T.Buffer((16, 16), \"int32\")",
    "    for i, j, k in T.grid(16, 16, 16):\n        with T.block(\"b\"):\n            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n            with T.init():\n                S[vi, vj] = 0\n"
    "            S[vi, vj] = S[vi, vj] + A[vi, vk]\n",
    LOOPS "i0, i1 = sch.split(l[0], [None, 4])\nj0, j1 = sch.split(l[1], [None, 4])\nk0, k1 = sch.split(l[2], [None, 4])\nsch.reorder(i0, j0, k0, k1, i1, j1)\n"
          "s = sch.cache_read(\"b\", 0, \"shared\")\nsch.compute_at(s, k0)\nsch.cache_read(\"b\", 0, \"local\")" },
};

static void
test_kept (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      Row row = { NULL, kept[i].params, kept[i].body, NULL, NULL, kept[i].steps, NULL, NULL };
      g_autofree char *body = g_strconcat (kept[i].body, "%s", NULL);
      g_autofree char *found = NULL;

      row.body = body;
      found = findings_of (&row, "", TRUE);
      g_assert_cmpstr (found, ==, "");
    }
}

/* A copy does as its schedule, a new one as was said last. */
static void
test_switch (void)
{
  g_autoptr (LsSchedule) lax = schedule_of (&rows[0], rows[0].dependent);
  g_autoptr (LsSchedule) strict = NULL;
  g_autoptr (LsSchedule) copy = NULL;

  ls_schedule_set_strict_default (TRUE);
  strict = schedule_of (&rows[0], rows[0].dependent);
  ls_schedule_set_strict_default (FALSE);
  copy = ls_schedule_copy (strict);
  g_assert_false (ls_schedule_is_strict (lax));
  g_assert_true (ls_schedule_is_strict (strict));
  g_assert_true (ls_schedule_is_strict (copy));
}

/* A search does without the warning; a strict schedule refuses all the same. */
static void
test_not_asked (void)
{
  for (int strict = 0; strict <= 1; strict++)
    {
      gboolean was = ls_schedule_set_order_asked_default (FALSE);
      g_autofree char *found = findings_of (&rows[0], rows[0].dependent, strict != 0);

      g_assert_true (was);
      g_assert_false (ls_schedule_set_order_asked_default (TRUE));
      g_assert_true (g_str_has_prefix (found, strict ? "error " : "") && (strict || *found == '\0'));
    }
}

/* Another copy of the schedule asks the same: the answer is there. A change of the program is another question. */
static void
test_cause_follows (void)
{
  for (guint round = 0; round < 3; round++)
    {
      g_autofree char *broken = findings_of (&rows[0], rows[0].dependent, TRUE);
      g_autofree char *fine = findings_of (&rows[0], rows[0].independent, TRUE);

      g_assert_cmpstr (broken, !=, "");
      g_assert_cmpstr (fine, ==, "");
    }
}

/* Rows of steps on a program that is read anew each time: what is known of the first step says nothing of another second one. */
static void
test_rows_of_steps (void)
{
  static const struct { const char *steps; gboolean broken; } cases[] = {
    { LOOPS "sch.reorder(l[1], l[0])\nsch.parallel(l[0])", FALSE },
    { LOOPS "sch.reorder(l[1], l[0])\nsch.parallel(l[1])", TRUE },
    { LOOPS "sch.reorder(l[1], l[0])\nsch.unroll(l[1])\nsch.parallel(l[0])", FALSE },
    { LOOPS "a, c = sch.split(l[0], [None, 4])\nsch.reorder(l[1], a)\nsch.parallel(a)", FALSE },
    { LOOPS "a, c = sch.split(l[0], [None, 4])\nsch.reorder(l[1], a)\nsch.parallel(l[1])", TRUE },
  };
  Row row = { NULL, "A: T.Buffer((16, 16), \"int32\"), C: T.Buffer((16, 8), \"int32\")", TWO_LOOPS, NULL, NULL, NULL, NULL, NULL };

  for (guint round = 0; round < 3; round++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      for (int strict = 0; strict <= 1; strict++)
        {
          g_autoptr (LsSchedule) schedule = schedule_of (&row, "C[vi, vj % 8] = A[vi, vj]");
          g_autoptr (LsSource) source = ls_source_new ("steps", cases[i].steps, -1);
          g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

          ls_schedule_set_strict (schedule, strict != 0);
          ls_schedule_apply_text (schedule, source, 0, findings);
          g_assert_cmpuint (ls_diagnostics_get_n (findings), ==, cases[i].broken);
          if (!cases[i].broken)
            continue;
          g_assert_cmpstr (ls_diagnostics_get (findings, 0)->code, ==, "schedule/parallel/dependence");
          g_assert_cmpint (ls_diagnostics_get (findings, 0)->severity, ==, strict ? LS_SEVERITY_ERROR : LS_SEVERITY_WARNING);
        }
}

/* A parallel loop in another one, in either order; a loop that is none between them and one beside it change nothing. */
static void
test_nested_parallel (void)
{
  static const struct { const char *steps, *says; } cases[] = {
    { LOOPS "sch.parallel(l[0])\nsch.parallel(l[1])", "The parallel loop j stands inside the parallel loop i," },
    { LOOPS "sch.parallel(l[1])\nsch.parallel(l[0])", "The parallel loop j stands inside the parallel loop i," },
    { LOOPS "a, c = sch.split(l[1], [None, 4])\nsch.parallel(l[0])\nsch.parallel(c)", "The parallel loop j_1 stands inside the parallel loop i," },
    { LOOPS "sch.parallel(sch.fuse(l[0], l[1]))", "" },
    { LOOPS "sch.parallel(l[0])\nsch.vectorize(l[1])", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int strict = 0; strict <= 1; strict++)
      {
        Row row = { NULL, "A: T.Buffer((16, 16), \"int32\"), C: T.Buffer((16, 16), \"int32\")", TWO_LOOPS, NULL, NULL, cases[i].steps, NULL, NULL };
        g_autoptr (LsSchedule) schedule = schedule_of (&row, "C[vi, vj] = A[vi, vj]");
        g_autoptr (LsSource) source = ls_source_new ("steps", cases[i].steps, -1);
        g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
        const LsDiagnostic *finding;

        ls_schedule_set_strict (schedule, strict != 0);
        ls_schedule_apply_text (schedule, source, 0, findings);
        g_assert_cmpuint (ls_diagnostics_get_n (findings), ==, *cases[i].says != '\0' ? 1 : 0);
        if (*cases[i].says == '\0')
          continue;
        finding = ls_diagnostics_get (findings, 0);
        g_assert_cmpstr (finding->code, ==, "schedule/parallel/nested-parallel");
        g_assert_cmpint (finding->severity, ==, strict ? LS_SEVERITY_ERROR : LS_SEVERITY_WARNING);
        g_assert_true (g_str_has_prefix (finding->message, cases[i].says));
        g_assert_true (g_str_has_prefix (finding->repair, "fuse(i, j"));
      }
}

/* unroll says how much it writes out, with what is unrolled around it and in it. */
static void
test_written_out (void)
{
  static const struct { const char *steps; gint64 n; } cases[] = {
    { LOOPS "sch.unroll(l[0])", 0 },
    { LOOPS "sch.unroll(l[0])\nsch.unroll(l[1])", 16384 },
    { LOOPS "sch.unroll(l[1])\nsch.unroll(l[0])", 16384 },
    { LOOPS "a, c = sch.split(l[1], [None, 8])\nsch.unroll(c)\nsch.unroll(l[0])", 0 },
    { LOOPS "a, c = sch.split(l[1], [None, 16])\nsch.unroll(c)\nsch.reorder(a, l[0])\nsch.unroll(l[0])", 2048 },
    { LOOPS "sch.unroll(sch.fuse(l[0], l[1]))", 16384 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      static const char *const BODY =
        "    for i, j in T.grid(128, 128):\n        with T.block(\"b\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n            %s\n";
      Row row = { NULL, "A: T.Buffer((128, 128), \"int32\"), C: T.Buffer((128, 128), \"int32\")", BODY, NULL, NULL, cases[i].steps, NULL, NULL };
      g_autoptr (LsSchedule) schedule = schedule_of (&row, "C[vi, vj] = A[vi, vj]");
      g_autoptr (LsSource) source = ls_source_new ("steps", cases[i].steps, -1);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autofree char *number = g_strdup_printf (" makes %" G_GINT64_FORMAT " statements", cases[i].n);

      ls_schedule_apply_text (schedule, source, 0, findings);
      g_assert_false (ls_diagnostics_has_error (findings));
      g_assert_cmpuint (ls_diagnostics_get_n (findings), ==, cases[i].n > 0 ? 1 : 0);
      if (cases[i].n > 0)
        g_assert_nonnull (strstr (ls_diagnostics_get (findings, 0)->message, number));
    }
}

static gboolean
is_accepted (LsSchedule *schedule,
             const char *steps)
{
  g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  ls_schedule_set_strict (schedule, TRUE);
  ls_schedule_apply_text (schedule, source, 0, findings);
  return !ls_diagnostics_has_error (findings);
}

/* Answers are kept: a program that another schedule begins with has the same loops under other numbers. */
static void
test_same_module (void)
{
  g_autoptr (LsModule) module = ls_test_parse (HEAD "B: T.Buffer((13, 9, 6), \"int32\")):\n    for i, j, k in T.grid(12, 8, 6):\n        with T.block(\"b\"):\n"
                                                    "            vi, vj, vk = T.axis.remap(\"SSS\", [i, j, k])\n            B[vi + 1, vj, vk] = B[vi, vj + 1, vk] + 1\n");
  g_autoptr (LsSchedule) first = ls_schedule_new (module);
  g_autoptr (LsSchedule) copy = NULL, second = NULL;

  g_assert_true (is_accepted (first, LOOPS "sch.split(l[0], [3, 4])"));
  copy = ls_schedule_copy (first);
  g_assert_true (is_accepted (copy, LOOPS "sch.reorder(l[3], l[2])"));
  second = ls_schedule_new (ls_schedule_get_module (first));
  g_assert_false (is_accepted (second, LOOPS "sch.reorder(l[2], l[1])"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/schedule/order/", rows[i].name, NULL);

      g_test_add_data_func (path, &rows[i], check_row);
    }
  g_test_add_func ("/schedule/nested-parallel", test_nested_parallel);
  g_test_add_func ("/schedule/written-out", test_written_out);
  g_test_add_func ("/schedule/order/kept", test_kept);
  g_test_add_func ("/schedule/order/switch", test_switch);
  g_test_add_func ("/schedule/order/not-asked", test_not_asked);
  g_test_add_func ("/schedule/order/cause-follows", test_cause_follows);
  g_test_add_func ("/schedule/order/rows-of-steps", test_rows_of_steps);
  g_test_add_func ("/schedule/order/same-module", test_same_module);
  return g_test_run ();
}
