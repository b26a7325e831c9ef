/* What is known of accesses changes no answer: neither what a comparison says nor how much it may do; and other names ask nothing new. */
#include "engine/poly/poly.h"
#include "engine/schedule/schedule.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#define HEAD "from tvm.script import tir as T\n@T.prim_func\ndef main("
#define MOST (1ul << 20)

/* Extents are such that no run takes isl's place (engine/poly/run.c). */
typedef struct {
  const char  *name, *text, *steps;
  LsPolyAnswer answer;
} Row;

static const Row rows[] = {
  { "far",
    HEAD "B: T.Buffer((129, 129), \"int32\")):\n    for i, j in T.grid(128, 128):\n        with T.block(\"b\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "            B[vi + 1, vj + 1] = B[vi, vj] + 1\n",
    "b = sch.get_block(\"b\")\nl = sch.get_loops(b)\nsch.reorder(l[1], l[0])", LS_POLY_KEPT },
  { "turned",
    HEAD "B: T.Buffer((129, 128), \"int32\")):\n    for i, j in T.grid(128, 128):\n        with T.block(\"b\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "            B[vi + 1, vj] = B[vi, 127 - vj] + 1\n",
    "b = sch.get_block(\"b\")\nl = sch.get_loops(b)\nsch.reorder(l[1], l[0])", LS_POLY_BROKEN },
  { "made-where-read",
    HEAD "A: T.Buffer((128, 128), \"int32\"), C: T.Buffer((128, 128), \"int32\")):\n    B = T.alloc_buffer((128, 128), \"int32\")\n"
    "    for i, j in T.grid(128, 128):\n        with T.block(\"b\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n            B[vi, vj] = A[vi, vj] + 1\n"
    "    for i, j in T.grid(128, 128):\n        with T.block(\"c\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n            C[vi, vj] = B[vj, vi] * 2\n",
    "b = sch.get_block(\"b\")\nc = sch.get_block(\"c\")\nl = sch.get_loops(c)\nsch.compute_at(b, l[1])", LS_POLY_KEPT },
  { "split",
    HEAD "A: T.Buffer((128, 128), \"int32\"), C: T.Buffer((128, 128), \"int32\")):\n    B = T.alloc_buffer((128, 128), \"int32\")\n"
    "    for i, j in T.grid(128, 128):\n        with T.block(\"b\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n            B[vi, vj] = A[vi, vj] + 1\n"
    "    for i, j in T.grid(128, 128):\n        with T.block(\"c\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n            C[vi, vj] = B[vj, vi] * 2\n",
    "c = sch.get_block(\"c\")\nl = sch.get_loops(c)\na, d = sch.split(l[0], [None, 8])\nsch.reorder(l[1], d)", LS_POLY_KEPT },
};

/* (transfer full) */
static LsModule *
after_steps (LsModule   *module,
             const char *steps)
{
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  ls_schedule_set_order_asked (schedule, FALSE);
  ls_schedule_apply_text (schedule, source, 0, findings);
  g_assert_false (ls_diagnostics_has_error (findings));
  return ls_ref (ls_schedule_get_module (schedule));
}

static LsPolyAnswer
answer_of (LsModule *before,
           LsModule *after,
           gulong    operations)
{
  LsPrimFunc *func = ls_array_at (before->functions, 0, LsPrimFunc), *fresh = ls_array_at (after->functions, 0, LsPrimFunc);
  g_autoptr (GPtrArray) around = g_ptr_array_new ();
  LsPolyQuestion question = { func, around, func->body, func->body, fresh->body, fresh->body, operations };
  LsPolyVerdict verdict;
  LsPolyAnswer answer;

  ls_poly_compare (&question, &verdict);
  answer = verdict.answer;
  ls_poly_verdict_clear (&verdict);
  return answer;
}

static LsPolyAnswer
cold_answer_of (LsModule *before,
                LsModule *after,
                gulong    operations)
{
  ls_poly_forget ();
  return answer_of (before, after, operations);
}

/* Once more, with all that the first time left behind.  Just where the work becomes too much it may be the answer of a little more or less. */
static void
test_same_work (gconstpointer data)
{
  const Row *row = data;
  g_autoptr (LsModule) before = ls_test_parse (row->text);
  g_autoptr (LsModule) after = after_steps (before, row->steps);

  g_assert_cmpint (cold_answer_of (before, after, 64), ==, LS_POLY_UNDECIDED);
  g_assert_cmpint (cold_answer_of (before, after, MOST), ==, row->answer);
  g_assert_cmpint (answer_of (before, after, MOST), ==, row->answer);
  /* all is known, and it is as much work */
  g_assert_cmpint (answer_of (before, after, 64), ==, LS_POLY_UNDECIDED);
  for (gulong operations = 128; operations < MOST; operations += operations / 4)
    {
      LsPolyAnswer least = cold_answer_of (before, after, operations - operations / 8), most = cold_answer_of (before, after, operations + operations / 8);
      LsPolyAnswer cold = cold_answer_of (before, after, operations), warm = answer_of (before, after, operations);

      g_test_message ("%lu: %d %d", operations, cold, warm);
      g_assert_true (warm == cold || (least != most && (warm == least || warm == most)));
    }
}

static char *
replaced (const char *text,
          const char *from,
          const char *to)
{
  g_autoptr (GRegex) word = g_regex_new (from, 0, 0, NULL);

  return g_regex_replace_literal (word, text, -1, 0, to, 0, NULL);
}

static void
test_other_names (gconstpointer data)
{
  const Row *row = data;
  g_autofree char *rows_named = replaced (row->text, "\\bi\\b", "row"), *both = replaced (rows_named, "\\bj\\b", "column"), *text = replaced (both, "\\bB\\b", "Other");
  g_autoptr (LsModule) before = ls_test_parse (row->text), other = ls_test_parse (text);
  g_autoptr (LsModule) after = after_steps (before, row->steps), other_after = after_steps (other, row->steps);
  guint n;

  cold_answer_of (before, after, MOST);
  n = ls_poly_forget ();
  answer_of (before, after, MOST);
  g_assert_cmpint (answer_of (other, other_after, MOST), ==, row->answer);
  g_assert_cmpuint (ls_poly_forget (), ==, n);
  g_assert_true (n > 0 || row->answer == LS_POLY_BROKEN);
}

/* What indices and conditions tell by themselves is nothing to ask: the loops of a fused one, the first round of a sum;
 * and where they do not tell all, it is asked. */
static const struct { const char *name, *body, *steps; gboolean is_asked; } told[] = {
  { "fused", "    for f, g in T.grid(256, 128):\n        with T.block(\"b\"):\n            vf, vg = T.axis.remap(\"SS\", [f, g])\n"
    "            B[vf // 32, vf % 32 * 128 + vg] = B[vf // 32, vf % 32 * 128 + vg] + 1\n", "sch.reorder(l[1], l[0])", FALSE },
  { "fused-twice", "    for f, g in T.grid(256, 128):\n        with T.block(\"b\"):\n            vf, vg = T.axis.remap(\"SS\", [f, g])\n"
    "            B[vf // 32, vf % 32 // 8 * 1024 + vf % 8 * 128 + vg] = B[vf // 32, vf % 32 // 8 * 1024 + vf % 8 * 128 + vg] + 1\n", "sch.reorder(l[1], l[0])", FALSE },
  /* vf % 16 // 8 is not there: two rounds touch one element */
  { "not-all-digits", "    for f, g in T.grid(256, 128):\n        with T.block(\"b\"):\n            vf, vg = T.axis.remap(\"SS\", [f, g])\n"
    "            B[vf // 16, vf % 8 * 128 + vg] = A[vg, 0]\n", "sch.parallel(l[0])", TRUE },
  { "all-digits", "    for f, g in T.grid(256, 128):\n        with T.block(\"b\"):\n            vf, vg = T.axis.remap(\"SS\", [f, g])\n"
    "            B[vf // 8, vf % 8 * 128 + vg] = A[vg, 0]\n", "sch.parallel(l[0])", FALSE },
  /* 127 + 64 * 127 and what is beside it are met twice */
  { "digits-overlap", "    for f, g in T.grid(128, 128):\n        with T.block(\"b\"):\n            vf, vg = T.axis.remap(\"SS\", [f, g])\n"
    "            B[0, vf * 64 + vg] = B[0, vf * 64 + vg] + 1\n", "sch.reorder(l[1], l[0])", TRUE },
  { "first-of-a-sum", "    for i, k in T.grid(128, 128):\n        with T.block(\"b\"):\n            vi, vk = T.axis.remap(\"SR\", [i, k])\n"
    "            with T.init():\n                B[0, vi] = 0\n            B[0, vi] = B[0, vi] + A[vi, vk]\n", "sch.reorder(l[1], l[0])", FALSE },
};

static void
test_told (gconstpointer data)
{
  guint row = GPOINTER_TO_UINT (data);
  g_autofree char *text = g_strconcat (HEAD "A: T.Buffer((128, 128), \"int32\"), B: T.Buffer((256, 8192), \"int32\")):\n", told[row].body, NULL);
  g_autofree char *steps = g_strconcat ("l = sch.get_loops(sch.get_block(\"b\"))\n", told[row].steps, NULL);
  g_autoptr (LsModule) before = ls_test_parse (text);
  g_autoptr (LsModule) after = after_steps (before, steps);
  LsPolyAnswer answer;
  guint asked;

  ls_poly_forget ();
  answer = answer_of (before, after, MOST);
  asked = ls_poly_forget ();
  if (told[row].is_asked)
    g_assert_true (asked > 0 || answer == LS_POLY_BROKEN);
  else
    {
      g_assert_cmpint (answer, ==, LS_POLY_KEPT);
      g_assert_cmpuint (asked, ==, 0);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *work = g_strconcat ("/schedule/order-memo/work/", rows[i].name, NULL), *names = g_strconcat ("/schedule/order-memo/names/", rows[i].name, NULL);

      g_test_add_data_func (work, &rows[i], test_same_work);
      g_test_add_data_func (names, &rows[i], test_other_names);
    }
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      g_autofree char *path = g_strconcat ("/schedule/order-memo/told/", told[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_told);
    }
  return g_test_run ();
}
