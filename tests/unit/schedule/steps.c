/* What the primitives refuse and why, undo and branches, traces, and lineage. */
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "tests/support/support.h"
#include "tests/unit/schedule/programs.h"

#include <string.h>

static LsSchedule *
open_program (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("program", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autofree char *list = ls_diagnostics_print (findings);

  g_assert_cmpstr (list, ==, "");
  return ls_schedule_new (module);
}

/* All steps; the codes of the findings, one a line, "" when all were done. */
static char *
apply (LsSchedule *schedule, const char *steps)
{
  g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  GString *codes = g_string_new (NULL);

  ls_schedule_apply_text (schedule, source, 0, findings);
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      const LsDiagnostic *finding = ls_diagnostics_get (findings, i);

      g_string_append_printf (codes, "%s%s", i > 0 ? "\n" : "", finding->code);
      g_test_message ("%s: %s", finding->code, finding->message);
      g_assert_null (strchr (finding->message, '!'));
      g_assert_true (g_str_has_suffix (finding->message, "."));
    }
  return g_string_free (codes, FALSE);
}

static char *
text_of (LsSchedule *schedule)
{
  return ls_script_print (ls_schedule_get_module (schedule), NULL, NULL);
}

/* ---- ordinary Python in the text --------------------------------------------- */

static const struct { const char *steps, *same_as; } python[] = {
  { "sch.reorder(*sch.get_loops(\"C\")[::-1])", "i, j = sch.get_loops(\"C\")\nsch.reorder(j, i)" },
  { "x, y = sch.get_loops(\"Y\")[-2:]\nsch.unroll(y)", "_, _, y = sch.get_loops(\"Y\")\nsch.unroll(y)" },
  { "l = sch.get_loops(\"Y\")\nsch.fuse(*l[:2])", "i, j, _ = sch.get_loops(\"Y\")\nsch.fuse(i, j)" },
  { "l = sch.get_loops(\"Y\") + sch.get_loops(\"C\")\nsch.unroll(l[3])", "i, j = sch.get_loops(\"C\")\nsch.unroll(i)" },
  { "F = [2, 4]\nsch.split(sch.get_loops(\"C\")[0], [None] + F[1:])", "i, j = sch.get_loops(\"C\")\nsch.split(i, [None, 4])" },
  { "sch.split(sch.get_loops(\"C\")[0], [None, *[x * 2 for x in (1, 2)]])", "i, j = sch.get_loops(\"C\")\nsch.split(i, [None, 2, 4])" },
  { "for n in [\"C\"]:\n    sch.unroll(sch.get_loops(f\"{n}\")[max(0, 1)])", "i, j = sch.get_loops(\"C\")\nsch.unroll(j)" },
  { "a, b = [sch.get_block(x) for x in [\"Y\", \"C\"]]\nsch.unroll(sch.get_loops(b)[0])", "i, j = sch.get_loops(\"C\")\nsch.unroll(i)" },
  { "sch.unroll(sch.get_loops(sch.get_consumers(\"Y\")[0])[len([1])])", "i, j = sch.get_loops(\"C\")\nsch.unroll(j)" },
};

static void
test_python (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (python); i++)
    {
      g_autoptr (LsSchedule) one = open_program (MM_RELU);
      g_autoptr (LsSchedule) two = open_program (MM_RELU);
      g_autofree char *first = apply (one, python[i].steps);
      g_autofree char *second = apply (two, python[i].same_as);
      g_autofree char *got = text_of (one);
      g_autofree char *want = text_of (two);

      g_test_message ("%s", python[i].steps);
      g_assert_cmpstr (first, ==, "");
      g_assert_cmpstr (second, ==, "");
      ls_assert_same_text (got, want);
    }
}

/* ---- refusals -------------------------------------------------------------- */

#define GET_Y "b = sch.get_block(\"Y\")\ni, j, k = sch.get_loops(b)\n"
#define GET_C "c = sch.get_block(\"C\")\nci, cj = sch.get_loops(c)\n"
#define GET_B "b = sch.get_block(\"B\")\ni, j = sch.get_loops(b)\n"

static const struct {
  const char *program;
  const char *steps;
  const char *codes;
} refusals[] = {
  { MM_RELU, "b = sch.get_block(\"Z\")", "schedule/get_block/no-block" },
  { MM_RELU, "b = sch.get_block(\"Y\", func_name=\"other\")", "schedule/get_block/no-function" },
  { MM_RELU, "b = sch.frobnicate(\"Y\")", "schedule/call/unknown-method" },
  { MM_RELU, "sch.parallel(q)", "schedule/parallel/unknown-name" },
  { MM_RELU, GET_Y "sch.parallel(b)", "schedule/parallel/not-a-handle" },
  { MM_RELU, GET_Y "sch.parallel(k)", "schedule/parallel/reduction-loop" },
  { MM_RELU, GET_Y "sch.vectorize(k)", "schedule/vectorize/reduction-loop" },
  { MM_RELU, GET_Y "sch.bind(k, \"blockIdx.x\")", "schedule/bind/reduction-loop" },
  { MM_RELU, GET_Y "sch.bind(k, \"threadIdx.x\")", "" },
  { MM_RELU, GET_Y "sch.bind(i, \"warp.x\")", "schedule/bind/unknown-axis" },
  { MM_RELU, GET_Y "i0, i1 = sch.split(i, [None, None])", "schedule/split/several-open-factors" },
  { MM_RELU, GET_Y "i0, i1 = sch.split(i, [4, 8])", "schedule/split/factors-too-small" },
  { MM_RELU, GET_Y "i0, i1 = sch.split(i, [0, 8])", "schedule/split/factor-not-positive" },
  { MM_RELU, GET_Y "i0, i1 = sch.split(i, [-1, 8])", "schedule/split/factor-not-positive" },
  { MM_RELU, GET_Y "i0, i1 = sch.split(i, [9223372036854775807, None])", "schedule/split/factor-too-large" },
  { MM_RELU, GET_Y "i0, i1 = sch.split(i)", "schedule/split/missing-argument" },
  { MM_RELU, GET_Y "i0, i1 = sch.split(i, 4)", "schedule/split/argument-type" },
  { MM_RELU, GET_Y "i0, i1 = sch.split(i, [None, 4], pieces=3)", "schedule/split/unknown-argument" },
  { MM_RELU, GET_Y "i0, i1 = sch.split(i, [None, 4], loop=j)", "schedule/split/argument-twice" },
  { MM_RELU, GET_Y "i0, i1, i2 = sch.split(i, [None, 4])", "schedule/split/unpack" },
  { MM_RELU, GET_Y "sch.annotate(i, \"key\", 1)\ni0, i1 = sch.split(i, [None, 4])", "schedule/split/annotated" },
  { MM_RELU, GET_Y "sch.bind(i, \"blockIdx.x\")\ni0, i1 = sch.split(i, [None, 4])", "schedule/split/thread-bound" },
  { FROM_ONE, "b = sch.get_block(\"B\")\ni, = sch.get_loops(b)\nx, y = sch.split(i, [None, 4])", "schedule/split/not-from-zero" },
  { MM_RELU, GET_Y "f = sch.fuse(j, i)", "schedule/fuse/not-nested" },
  { MM_RELU, GET_Y "f = sch.fuse(i, k)", "schedule/fuse/not-nested" },
  { TWO_CHILDREN, GET_B "f = sch.fuse(i, j)", "schedule/fuse/not-only-child" },
  { TRIANGLE, GET_B "f = sch.fuse(i, j)", "schedule/fuse/dependent-extent" },
  { MM_RELU, GET_Y "f = sch.fuse()", "schedule/fuse/no-loops" },
  { MM_RELU, GET_Y GET_C "sch.reorder(i, cj)", "schedule/reorder/not-a-chain" },
  { MM_RELU, GET_Y "sch.reorder(i, i)", "schedule/reorder/twice" },
  { TWO_CHILDREN, GET_B "sch.reorder(j, i)", "schedule/reorder/not-single-branch" },
  { TRIANGLE, GET_B "sch.reorder(j, i)", "schedule/reorder/not-affine\nschedule/reorder/dependent-bounds" },
  { MM_RELU, GET_Y GET_C "d = sch.decompose_reduction(c, ci)", "schedule/decompose_reduction/no-init" },
  { MM_RELU, GET_Y GET_C "d = sch.decompose_reduction(b, ci)", "schedule/decompose_reduction/loop-not-around" },
  { MM_RELU, GET_Y "sch.reorder(k, j)\nd = sch.decompose_reduction(b, j)", "schedule/decompose_reduction/loop-too-low" },
  { MM_RELU, GET_Y "d = sch.decompose_reduction(b, i)\nsch.parallel(i)", "schedule/parallel/reduction-without-init" },
  { MM_RELU, GET_Y "sch.unannotate(i, \"key\")", "schedule/unannotate/no-such-key" },
  { MM_RELU, "r = sch.get_block(\"root\")\nsch.add_unit_loop(r)", "schedule/add_unit_loop/root-block" },
  { MM_RELU, GET_C "sch.set_scope(c, 0, \"shared\")", "schedule/set_scope/not-allocated" },
  { MM_RELU, GET_Y "sch.set_scope(b, 1, \"shared\")", "schedule/set_scope/buffer-index" },
  { MM_RELU, GET_Y "sch.set_scope(b, \"Z\", \"shared\")", "schedule/set_scope/buffer-name" },
  { MM_RELU, GET_Y "sch.set_scope(b, 0, \"attic\")", "schedule/set_scope/unknown-scope" },
  { MM_RELU, GET_Y "i0, i1 = sch.split(i, [None, 4])\nsch.parallel(i)", "schedule/parallel/handle-gone" },
  { MM_RELU, GET_Y "f = sch.fuse(i, j)\nsch.parallel(j)", "schedule/parallel/handle-gone" },
};

static void
test_refusals (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      g_autoptr (LsSchedule) schedule = open_program (refusals[i].program);
      g_autofree char *codes = apply (schedule, refusals[i].steps);

      g_test_message ("case %u", i);
      g_assert_cmpstr (codes, ==, refusals[i].codes);
    }
}

/* A name that is nearly one of those that there are is answered with that one. */
static void
test_suggestions (void)
{
  static const struct {
    const char *steps, *repair;
  } cases[] = {
    { GET_Y "sch.vectorise(j)", "Did you mean `vectorize`?" },
    { GET_Y "sch.reoder(j, i)", "Did you mean `reorder`?" },
    { GET_Y "sch.split(i, factor=[None, 4])", "Did you mean `factors`?" },
    { GET_Y "sch.frobnicate(i)", NULL },
    { GET_Y "sch.split(i, [None, 4], pieces=3)", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (LsSchedule) schedule = open_program (MM_RELU);
      g_autoptr (LsSource) source = ls_source_new ("steps.py", cases[i].steps, -1);
      g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

      ls_schedule_apply_text (schedule, source, 0, diagnostics);
      g_assert_cmpuint (ls_diagnostics_get_n (diagnostics), ==, 1);
      g_assert_cmpstr (ls_diagnostics_get (diagnostics, 0)->repair, ==, cases[i].repair);
    }
}

/* A refused step leaves module, steps and handles alone. */
static void
test_refused_changes_nothing (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      const char *last = strrchr (refusals[i].steps, '\n');
      g_autofree char *before = last != NULL ? g_strndup (refusals[i].steps, last - refusals[i].steps) : NULL;
      g_autoptr (LsSchedule) schedule = open_program (refusals[i].program);
      g_autoptr (LsSchedule) twin = open_program (refusals[i].program);
      g_autofree char *first = before != NULL ? apply (schedule, before) : NULL;
      g_autofree char *second = apply (twin, refusals[i].steps);
      g_autofree char *a = text_of (schedule);
      g_autofree char *b = text_of (twin);

      if (*refusals[i].codes == '\0')
        continue;
      ls_assert_same_text (b, a);
      g_assert_cmpuint (ls_schedule_get_n_steps (schedule), ==, ls_schedule_get_n_steps (twin));
    }
}

/* ---- undo and branches ------------------------------------------------------ */

typedef struct {
  const char *command;          /* steps, or "undo N" */
  guint       n_steps;          /* afterwards */
  const char *loops;            /* loops of the first nest afterwards */
} Command;

static const Command commands[] = {
  { "b = sch.get_block(\"Y\")", 1, "i j k" },
  { "i, j, k = sch.get_loops(b)", 2, "i j k" },
  { "j0, j1 = sch.split(j, factors=[None, 4])", 3, "i j_0 j_1 k" },
  { "sch.reorder(j0, k, j1)", 4, "i j_0 k j_1" },
  { "undo 3", 3, "i j_0 j_1 k" },
  { "undo 2", 2, "i j k" },
  { "f = sch.fuse(i, j)", 3, "i_j_fused k" },
  { "undo 2", 2, "i j k" },
  { "j0, j1 = sch.split(j, factors=[None, 8])", 3, "i j_0 j_1 k" },
  { "sch.reorder(j0, k, j1)", 4, "i j_0 k j_1" },
  { "sch.parallel(i)", 5, "i j_0 k j_1" },
  { "undo 0", 0, "i j k" },
  { "b = sch.get_block(\"Y\")\nl = sch.get_loops(b)\nsch.reorder(l[2], l[0])", 3, "k j i" },
  { "undo 5", 3, "k j i" },
};

static char *
loops_of (LsSchedule *schedule)
{
  LsVersion *version = ls_schedule_get_version (schedule, ls_schedule_get_n_steps (schedule));
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < ls_version_get_n (version); i++)
    {
      LsEntity *entity = ls_version_at (version, i);

      if (entity->type == LS_ENTITY_BLOCK && entity->depth > 0)
        break;
      if (entity->type == LS_ENTITY_LOOP)
        g_string_append_printf (names, "%s%s", names->len > 0 ? " " : "", ((LsFor *) entity->node)->loop_var->name);
    }
  return g_string_free (names, FALSE);
}

static void
test_undo (void)
{
  g_autoptr (LsSchedule) schedule = open_program (MM_RELU);

  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autofree char *codes = NULL;
      g_autofree char *loops = NULL;

      if (g_str_has_prefix (commands[i].command, "undo "))
        ls_schedule_undo_to (schedule, g_ascii_strtoull (commands[i].command + 5, NULL, 10));
      else
        codes = apply (schedule, commands[i].command);
      loops = loops_of (schedule);
      g_assert_true (codes == NULL || *codes == '\0');
      g_assert_cmpuint (ls_schedule_get_n_steps (schedule), ==, commands[i].n_steps);
      g_assert_cmpstr (loops, ==, commands[i].loops);
    }
}

static void
test_branch (void)
{
  g_autoptr (LsSchedule) trunk = open_program (MM_RELU);
  g_autoptr (LsSchedule) branch = NULL;
  g_autofree char *a = apply (trunk, GET_Y "x, y = sch.split(j, [None, 4])");
  g_autofree char *b = NULL;
  g_autofree char *c = NULL;
  g_autofree char *trunk_loops = NULL;
  g_autofree char *branch_loops = NULL;

  branch = ls_schedule_copy (trunk);
  b = apply (branch, "sch.reorder(x, k, y)\nd = sch.decompose_reduction(b, k)");
  c = apply (trunk, "f = sch.fuse(i, x)");
  trunk_loops = loops_of (trunk);
  branch_loops = loops_of (branch);
  g_assert_cmpstr (a, ==, "");
  g_assert_cmpstr (b, ==, "");
  g_assert_cmpstr (c, ==, "");
  g_assert_cmpstr (trunk_loops, ==, "i_j_0_fused j_1 k");
  g_assert_cmpstr (branch_loops, ==, "i j_0 j_1_init");
}

/* ---- traces ----------------------------------------------------------------- */

static void
test_trace (void)
{
  g_autoptr (LsSchedule) schedule = open_program (MM_RELU);
  g_autoptr (LsSchedule) again = open_program (MM_RELU);
  g_autofree char *codes = apply (schedule,
                                  "i, j, k = sch.get_loops(\"Y\")\n"
                                  "j0, j1 = sch.split(j, [None, 4])\n"
                                  "sch.reorder(j0, k, j1)\n"
                                  "d = sch.decompose_reduction(\"Y\", k)\n"
                                  "sch.vectorize(sch.get_loops(d)[-1])\n"
                                  "sch.annotate(i, \"note\", {\"a\": [1, 2.5, \"x\"]})\n"
                                  "p = sch.get_producers(sch.get_block(\"C\"))\n");
  g_autofree char *trace = ls_schedule_print_trace (schedule);
  g_autofree char *codes_again = apply (again, trace);
  g_autofree char *trace_again = ls_schedule_print_trace (again);
  g_autofree char *a = text_of (schedule);
  g_autofree char *b = text_of (again);

  g_assert_cmpstr (codes, ==, "");
  ls_assert_same_text (trace,
                       "# from tvm import tir\n"
                       "def apply_trace(sch: tir.Schedule) -> None:\n"
                       "  b0 = sch.get_block(name=\"Y\", func_name=\"main\")\n"
                       "  l1, l2, l3 = sch.get_loops(block=b0)\n"
                       "  l4, l5 = sch.split(loop=l2, factors=[None, 4], preserve_unit_iters=True, disable_predication=False)\n"
                       "  sch.reorder(l4, l3, l5)\n"
                       "  b6 = sch.get_block(name=\"Y\", func_name=\"main\")\n"
                       "  b7 = sch.decompose_reduction(block=b6, loop=l3)\n"
                       "  l8, l9, l10 = sch.get_loops(block=b7)\n"
                       "  sch.vectorize(loop=l10)\n"
                       "  sch.annotate(block_or_loop=l1, ann_key=\"note\", ann_val={\"a\": [1, 2.5, \"x\"]})\n"
                       "  b11 = sch.get_block(name=\"C\", func_name=\"main\")\n"
                       "  b12, b13 = sch.get_producers(block=b11)");
  g_assert_cmpstr (codes_again, ==, "");
  ls_assert_same_text (trace_again, trace);
  ls_assert_same_text (b, a);
}

/* ---- lineage ----------------------------------------------------------------- */

static const char *
name_of (LsEntity *entity)
{
  switch (entity->type)
    {
    case LS_ENTITY_LOOP:   return ((LsFor *) entity->node)->loop_var->name;
    case LS_ENTITY_BLOCK:  return ((LsBlock *) entity->node)->name_hint;
    case LS_ENTITY_BUFFER: return ((LsBuffer *) entity->node)->name;
    }
  return "";
}

/* The links that are not "kept", as "j>j_0 split". */
static char *
links_of (LsLineage *lineage)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < lineage->links->len; i++)
    {
      LsLineageLink *link = &g_array_index (lineage->links, LsLineageLink, i);

      if (link->how == LS_LINEAGE_KEPT)
        continue;
      g_string_append_printf (out, "%s%s>%s %s", out->len > 0 ? ", " : "",
                              link->before >= 0 ? name_of (ls_version_at (lineage->before, link->before)) : "",
                              link->after >= 0 ? name_of (ls_version_at (lineage->after, link->after)) : "",
                              ls_lineage_how_name (link->how));
    }
  return g_string_free (out, FALSE);
}

static const struct {
  const char *steps;
  const char *last;             /* links of the last step */
  const char *all;              /* links from the first program to the last */
} lineages[] = {
  { GET_Y "j0, j1 = sch.split(j, [None, 4])", "j>j_0 split, j>j_1 split", "j>j_0 split, j>j_1 split" },
  { GET_Y "f = sch.fuse(i, j)", "i>i_j_fused fused, j>i_j_fused fused", "i>i_j_fused fused, j>i_j_fused fused" },
  { GET_Y "sch.reorder(k, j)", "k>k moved, j>j moved", "k>k moved, j>j moved" },
  { GET_Y "sch.unroll(k)", "k>k changed", "k>k changed" },
  { GET_Y "u = sch.add_unit_loop(b)", ">u created", ">u created" },
  { GET_Y "sch.set_scope(b, 0, \"shared\")", "Y>Y_shared changed, Y>Y changed, C>C changed", "Y>Y_shared changed, Y>Y changed, C>C changed" },
  { GET_Y "j0, j1 = sch.split(j, [None, 4])\nsch.reorder(j0, k, j1)\nd = sch.decompose_reduction(b, k)",
    "j_1>j_1_init copied, Y>Y_init copied, Y>Y_update changed",
    "j>j_0 split, j>j_1_init split, Y>Y_init copied, k>k moved, j>j_1 split, Y>Y_update changed" },
  { GET_Y "c = sch.get_block(\"C\")\nj0, j1 = sch.split(j, [None, 4])\nsch.reverse_compute_at(c, j0)",
    "j>ax0 changed, C>C moved, i> removed", "j>j_0 split, j>j_1 split, j>ax0 changed, C>C moved, i> removed" },
  { GET_Y "c = sch.get_block(\"C\")\nm = sch.get_loops(c)\nsch.compute_at(b, m[0])",
    "j>ax0 changed, k>ax1 changed, Y>Y moved, i> removed", "j>ax0 changed, k>ax1 changed, Y>Y moved, i> removed" },
  { "c = sch.get_block(\"C\")\nm, n = sch.get_loops(c)\nx, y = sch.split(n, [None, 4])\nb = sch.get_block(\"Y\")\n"
    "sch.reverse_compute_at(c, sch.get_loops(b)[0])",
    "j_0>ax0 fused, j_1>ax0 fused, C>C moved, i> removed", "j>ax0 fused, C>C moved, i> removed" },
};

static void
test_lineage (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (lineages); i++)
    {
      g_autoptr (LsSchedule) schedule = open_program (MM_RELU);
      g_autofree char *codes = apply (schedule, lineages[i].steps);
      guint n = ls_schedule_get_n_steps (schedule);
      g_autoptr (LsLineage) last = ls_schedule_lineage (schedule, n - 1, n);
      g_autoptr (LsLineage) all = ls_schedule_lineage (schedule, 0, n);
      g_autofree char *last_links = links_of (last);
      g_autofree char *all_links = links_of (all);

      g_assert_cmpstr (codes, ==, "");
      g_assert_cmpstr (last_links, ==, lineages[i].last);
      g_assert_cmpstr (all_links, ==, lineages[i].all);
    }
}

/* The matcher of two files sees mostly what the steps did. */
static void
test_match (void)
{
  g_autoptr (LsSchedule) schedule = open_program (MM_RELU);
  g_autofree char *codes = apply (schedule, GET_Y "x, y = sch.split(j, [None, 4])\nsch.reorder(x, k, y)\nd = sch.decompose_reduction(b, k)");
  g_autoptr (LsSchedule) second = NULL;
  g_autofree char *text = text_of (schedule);
  g_autoptr (LsLineage) lineage = NULL;
  g_autofree char *links = NULL;

  g_assert_cmpstr (codes, ==, "");
  second = open_program (text);
  lineage = ls_lineage_match (ls_schedule_get_version (schedule, 0), ls_schedule_get_version (second, 0));
  links = links_of (lineage);
  g_assert_cmpstr (links, ==, "j>j_0 split, j>j_1_init copied, Y>Y_init copied, j>j_1 split, Y>Y_update changed");
}

static void
test_families (void)
{
  g_autoptr (LsSchedule) schedule = open_program (MM_RELU);
  g_autofree char *codes = apply (schedule, GET_Y "x, y = sch.split(j, [None, 4])\nf = sch.fuse(i, x)");
  LsVersion *version = ls_schedule_get_version (schedule, 4);
  GString *out = g_string_new (NULL);

  g_assert_cmpstr (codes, ==, "");
  for (guint i = 0; i < ls_version_get_n (version); i++)
    for (guint f = 0; f < ls_version_at (version, i)->n_families; f++)
      {
        g_autofree char *letter = ls_family_letter (ls_version_at (version, i)->families[f]);

        g_string_append_printf (out, "%s:%s ", name_of (ls_version_at (version, i)), letter);
      }
  g_assert_cmpstr (out->str, ==, "i_j_0_fused:a i_j_0_fused:b j_1:b k:c i:d j:e ");
  g_string_free (out, TRUE);
}

/* ---- the table ---------------------------------------------------------------- */

static void
test_table (void)
{
  guint n;
  const LsInstruction *const *rows = ls_instruction_list (&n);

  for (guint i = 0; i < n; i++)
    {
      g_assert_true (ls_instruction_get (rows[i]->name) == rows[i]);
      g_assert_nonnull (rows[i]->summary);
      g_assert_nonnull (rows[i]->condition);
      g_assert_nonnull (rows[i]->source);
      g_assert_nonnull (rows[i]->apply);
      for (guint p = 0; p < rows[i]->n_params; p++)
        g_assert_nonnull (rows[i]->params[p].summary);
    }
}

/* A change of layout leaves the regions of views with the old number of dimensions; what is asked of such a program later
 * has an answer. */
static void
test_view_of_another_layout (void)
{
  static const char program[] =
    "@T.prim_func\n"
    "def main(A: T.Buffer((12, 12), \"float32\"), E: T.Buffer((12, 12), \"float32\")):\n"
    "    G = T.alloc_buffer((12, 12))\n"
    "    C = T.alloc_buffer((12, 12))\n"
    "    for i, j in T.grid(12, 12):\n"
    "        with T.block(\"G\"):\n"
    "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "            G[vi, vj] = A[vi, vj]\n"
    "    for x, y in T.grid(12, 3):\n"
    "        with T.block(\"X\"):\n"
    "            vx, vy = T.axis.remap(\"SS\", [x, y])\n"
    "            T.reads(G[vx, vy * 4:vy * 4 + 4])\n"
    "            T.writes(C[vx, vy * 4:vy * 4 + 4])\n"
    "            V = T.match_buffer(G[vx, vy * 4:vy * 4 + 4], (4,), offset_factor=1)\n"
    "            W = T.match_buffer(C[vx, vy * 4:vy * 4 + 4], (4,), offset_factor=1)\n"
    "            for k in range(4):\n"
    "                W[k] = V[k]\n"
    "    for i, j in T.grid(12, 12):\n"
    "        with T.block(\"D\"):\n"
    "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "            E[vi, vj] = C[vi, vj]\n";
  static const char *const layouts[] = {
    "sch.transform_layout(\"G\", (\"write\", 0), lambda i, j: (i, j // 2, j % 2))\n",
    "sch.transform_layout(\"D\", (\"read\", 0), lambda i, j: (i, j // 2, j % 2))\n",
  };
  static const char *const later[] = {
    "sch.blockize(sch.get_loops(\"D\")[1])", "sch.compute_at(\"G\", sch.get_loops(\"X\")[0])", "sch.compute_inline(\"G\")",
    "sch.reverse_compute_at(\"X\", sch.get_loops(\"G\")[0])", "sch.reverse_compute_at(\"D\", sch.get_loops(\"X\")[0])",
    "sch.cache_read(\"X\", 0, \"global\")", "sch.cache_write(\"X\", 0, \"global\")", "sch.cache_read(\"D\", 0, \"global\")",
    "sch.reverse_compute_inline(\"X\")", "sch.reindex(\"X\", (\"read\", 0))", "sch.reindex(\"D\", (\"read\", 0))",
    "sch.read_at(sch.get_loops(\"X\")[0], \"X\", 0, \"shared\")", "sch.write_at(sch.get_loops(\"X\")[0], \"X\", 0, \"shared\")",
    "sch.rolling_buffer(\"G\", 0)", "sch.rolling_buffer(\"X\", 0)", "sch.cache_inplace(\"X\", 0, \"global\")",
    "sch.blockize([sch.get_block(\"X\"), sch.get_block(\"D\")])", "sch.set_axis_separator(\"X\", (\"read\", 0), [2])",
    "sch.reindex_cache_read(\"X\", 0, \"global\", lambda i, j: (j, i))", "sch.reindex_cache_write(\"X\", 0, \"global\", lambda i, j: (j, i))",
    "sch.transform_layout(\"X\", (\"read\", 0), lambda i, j: (j, i))", "sch.transform_layout(\"X\", (\"read\", 0), lambda i, j, k: (j, i, k))",
    "sch.decompose_padding(\"X\", sch.get_loops(\"X\")[0])", "sch.pad_einsum(\"X\", [2, 2])", "sch.cache_index(\"X\", \"global\", 0)",
    "sch.transform_block_layout(\"X\", lambda i, j: (j, i))", "sch.storage_align(\"X\", 0, 0, 32, 0)", "sch.unsafe_set_dtype(\"G\", 0, \"float64\")",
    "sch.set_scope(\"G\", 0, \"shared\")", "sch.annotate_buffer_access(\"X\", 0, \"read\", lambda i, j: ((i, i + 1), (0, 12)))",
    "sch.annotate_buffer_access(\"X\", 0, \"read\", lambda i, j: ((i, i + 1), (0, 6), (0, 2)))",
  };

  for (guint l = 0; l < G_N_ELEMENTS (layouts); l++)
    for (guint i = 0; i < G_N_ELEMENTS (later); i++)
      {
        g_autoptr (LsSchedule) schedule = open_program (program);
        g_autofree char *steps = g_strconcat (layouts[l], later[i], "\nsch.blockize(sch.get_loops(\"D\")[1])\n", NULL);
        g_autofree char *codes = apply (schedule, steps);

        g_assert_cmpuint (ls_schedule_get_n_steps (schedule), >=, 1);
      }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/schedule/table", test_table);
  g_test_add_func ("/schedule/python", test_python);
  g_test_add_func ("/schedule/refusals", test_refusals);
  g_test_add_func ("/schedule/suggestions", test_suggestions);
  g_test_add_func ("/schedule/refused-changes-nothing", test_refused_changes_nothing);
  g_test_add_func ("/schedule/undo", test_undo);
  g_test_add_func ("/schedule/branch", test_branch);
  g_test_add_func ("/schedule/trace", test_trace);
  g_test_add_func ("/schedule/lineage", test_lineage);
  g_test_add_func ("/schedule/match", test_match);
  g_test_add_func ("/schedule/families", test_families);
  g_test_add_func ("/schedule/view-of-another-layout", test_view_of_another_layout);
  return g_test_run ();
}
