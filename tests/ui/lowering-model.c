/* own-log: what the window of passes knows of each of our own, from the real worker; without a display. */
#include "app/passes/compare.h"
#include "app/passes/own-log.h"
#include "app/rpc/rpc.h"
#include "app/session/engine.h"
#include "engine/tir/pass/pass.h"
#include "tests/ui/session-parts.h"

#include <string.h>

static const char odd[] =
  "@T.prim_func\n"
  "def odd(A: T.Buffer((8,)), B: T.Buffer((8,))):\n"
  "    for i in range(8):\n        with T.block(\"B\"):\n            v = T.axis.spatial(8, i)\n            T.where(v < 4)\n            B[v] = A[v]\n";
/* Two functions of the same loops; names that are no ASCII before them. */
static const char two[] =
  "@I.ir_module\nclass Module:\n"
  "    @T.prim_func\n    def first(A: T.Buffer((8, 4)), B: T.Buffer((8, 4))):\n        T.func_attr({\"note\": \"große Schleife\"})\n"
  "        for i, j in T.grid(8, 4):\n            with T.block(\"B\"):\n                v, w = T.axis.remap(\"SS\", [i, j])\n                B[v, w] = A[v, w]\n"
  "    @T.prim_func\n    def second(A: T.Buffer((8, 4)), B: T.Buffer((8, 4))):\n        T.func_attr({\"note\": \"große Schleife\"})\n"
  "        for i, j in T.grid(8, 4):\n            with T.block(\"C\"):\n                v, w = T.axis.remap(\"SS\", [i, j])\n                B[v, w] = A[v, w] + T.float32(1)\n";

static LsWorker *worker;

static LsPasses *
ask (LsSession    *session,
     LsPassesStage stage,
     const char   *function)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *module = ls_session_export (session, LS_EXPORT_MODULE, &error);
  GVariant *answers[LS_PASSES_N_STAGES] = { NULL };
  GVariantDict params;
  LsPasses *passes;

  g_assert_no_error (error);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", module);
  if (function != NULL)
    g_variant_dict_insert (&params, "func", "s", function);
  answers[stage] = ls_worker_call (worker, ls_passes_stage_method (stage), g_variant_dict_end (&params), NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  passes = ls_own_passes_new (answers, ls_session_get_script (session));
  g_variant_unref (answers[stage]);
  return passes;
}

static LsPasses *
lower (LsSession  *session,
       const char *function)
{
  return ask (session, LS_PASSES_TIR, function);
}

static guint
n_dumps (LsPasses *passes)
{
  return ls_passes_get_log (passes)->dumps->len;
}

/* The texts of the first function of a dump that the pass changed, else of the first. */
static LsComparison *
compare (LsPasses *passes,
         guint     dump)
{
  const LsPassesView view = { LS_PASSES_OPERATIONS, 0, FALSE };
  g_autofree char *reader = NULL;
  const LsPassDump *at = ls_passes_get_dump (passes, dump);
  guint part = at->first;

  g_assert_cmpuint (at->n, >, 0);
  for (guint i = at->first + at->n; i-- > at->first;)
    if (ls_pass_log_part_changed (ls_passes_get_log (passes), i))
      part = i;
  return ls_passes_compare (passes, dump, (int) part, &view, &reader);
}

static guint
find_pass (LsPasses   *passes,
           const char *name)
{
  for (guint i = 0; i < n_dumps (passes); i++)
    if (strcmp (ls_passes_get_dump (passes, i)->pass, name) == 0)
      return i;
  g_error ("there is no %s", name);
}

/* How often the text names the loop of this id as `name`. */
static guint
count_names (LsScriptText *text,
             guint64       id,
             const char   *name)
{
  const char *source = ls_script_text_get_text (text);
  guint n = 0;

  for (guint i = 0; i < ls_script_text_n_spans (text); i++)
    {
      const LsScriptSpan *span = ls_script_text_get_span (text, i);
      const char *start = g_utf8_offset_to_pointer (source, span->start), *end = g_utf8_offset_to_pointer (source, span->end);

      if (span->id != id)
        continue;
      g_assert_cmpmem (start, (gsize) (end - start), name, strlen (name));
      n++;
    }
  return n;
}

/* All passes of the build in their order behind what they get, what they do, and that the words say it. */
static void
test_passes (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsPasses) lowering = lower (session, "mm_relu");
  guint n, sum = 0, all, effective;
  double seconds;
  const LsPass *const *passes = ls_pass_list (&n);

  g_assert_cmpuint (n_dumps (lowering), ==, n + 1);
  g_assert_cmpstr (ls_passes_get_dump (lowering, 0)->pass, ==, "TensorIR");
  g_assert_true (ls_passes_get_note (lowering, 0)->start);
  for (guint i = 0; i < n; i++)
    {
      LsPassDump *dump = ls_passes_get_dump (lowering, i + 1);
      g_autofree char *words = NULL;

      ls_passes_count (lowering, i + 1);
      words = ls_passes_words (lowering, i + 1);
      g_assert_cmpstr (dump->pass, ==, passes[i]->name);
      g_assert_cmpstr (ls_passes_get_unit (lowering, i + 1), ==, "mm_relu");
      g_assert_cmpstr (ls_passes_get_summary (lowering, i + 1), ==, passes[i]->summary);
      g_assert_cmpfloat (dump->seconds, >=, 0.0);
      g_assert_true ((strcmp (words, "changes nothing") == 0) == !dump->effective);
      g_assert_cmpint (ls_passes_get_note (lowering, i + 1)->state, ==, LS_PASSES_RAN);
      sum += dump->effective;
    }
  ls_own_passes_sum (lowering, LS_PASSES_TIR, &all, &effective, &seconds);
  g_assert_cmpuint (all, ==, n);
  g_assert_cmpuint (effective, ==, sum);
  g_assert_cmpuint (sum, >, 3);
  g_assert_cmpuint (n, >, sum);
  g_assert_cmpfloat (seconds, >, 0.0);
  g_assert_cmpint (ls_own_passes_failed (lowering), ==, -1);
  ls_own_passes_sum (lowering, LS_PASSES_LLVM, &all, &effective, &seconds);
  g_assert_cmpuint (all, ==, 0);
}

/* What FlattenBuffer changes is marked; a pass without effect has the same text twice. */
static void
test_texts (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsPasses) lowering = lower (session, "mm_relu");
  g_autoptr (LsComparison) flatten = compare (lowering, find_pass (lowering, "FlattenBuffer"));
  g_autoptr (LsComparison) nothing = compare (lowering, find_pass (lowering, "LowerMatchBuffer"));
  const char *before = ls_script_text_get_text (flatten->left.text), *after = ls_script_text_get_text (flatten->right.text);
  guint gone = 0;

  g_assert_nonnull (strstr (before, "Y[i, j_0 * 4 + j_1]"));
  g_assert_null (strstr (before, "T.Buffer((16384,)"));
  g_assert_nonnull (strstr (after, "T.Buffer((16384,)"));
  g_assert_nonnull (strstr (after, "A_1[i * 128 + k]"));
  g_assert_false (flatten->same);
  g_assert_false (ls_script_text_is_plain (flatten->right.text));
  for (guint i = 0; i < ls_script_text_n_lines (flatten->left.text); i++)
    gone += ls_script_text_line (flatten->left.text, i)->change == LS_LINE_GONE;
  g_assert_cmpuint (gone, >, 0);

  g_assert_true (nothing->same);
  g_assert_cmpstr (ls_script_text_get_text (nothing->left.text), ==, ls_script_text_get_text (nothing->right.text));
}

/* A loop of the step is known by its variable through all the passes. */
static void
test_loops (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsPasses) lowering = lower (session, "mm_relu");
  static const char *const names[] = { "k", "j_1", "j_0" };

  for (guint i = 0; i < n_dumps (lowering); i++)
    {
      g_autoptr (LsComparison) compared = compare (lowering, i);

      for (guint name = 0; name < G_N_ELEMENTS (names); name++)
        g_assert_cmpuint (count_names (compared->right.text, loop (session, names[name])->id, names[name]), >=, 2);
    }
}

static void
test_functions (void)
{
  g_autoptr (LsSession) session = open_text (two, NULL);
  static const char *const functions[] = { "first", "second" };
  guint64 ids[2] = { 0 };

  for (guint f = 0; f < 2; f++)
    {
      g_autoptr (LsPasses) lowering = lower (session, functions[f]);
      g_autoptr (LsComparison) compared = compare (lowering, find_pass (lowering, "FlattenBuffer"));

      g_assert_null (strstr (ls_script_text_get_text (compared->left.text), functions[1 - f]));
      ids[f] = ls_script_text_get_span (compared->left.text, 0)->id;
      g_assert_cmpuint (count_names (compared->left.text, ids[f], "i"), >=, 2);
      g_assert_cmpuint (count_names (compared->right.text, ids[f], "i"), >=, 2);
    }
  g_assert_cmpuint (ids[0], !=, ids[1]);
}

/* One that cannot go on says why, without its name before it; what stands behind it did not run. */
static void
test_trouble (void)
{
  g_autoptr (LsSession) session = open_text (odd, NULL);
  g_autoptr (LsPasses) lowering = lower (session, "odd");
  guint failed = find_pass (lowering, "ConvertBlocksToOpaque");

  g_assert_cmpint (ls_own_passes_failed (lowering), ==, (int) failed);
  for (guint i = 0; i < n_dumps (lowering); i++)
    {
      const LsPassesNote *note = ls_passes_get_note (lowering, i);
      g_autofree char *words = ls_passes_words (lowering, i);

      g_assert_cmpint (note->state, ==, i < failed ? LS_PASSES_RAN : i == failed ? LS_PASSES_FAILED : LS_PASSES_UNREACHED);
      g_assert_cmpstr (words, ==, i == 0 ? "before all passes" : i < failed ? "changes nothing" : i == failed ? "cannot go on" : "not reached");
      g_assert_true ((note->trouble != NULL) == (i == failed));
      g_assert_true ((ls_passes_get_dump (lowering, i)->seconds < 0.0) == (i == 0 || i > failed));
    }
  g_assert_true (g_str_has_prefix (ls_passes_get_note (lowering, failed)->trouble, "The condition of block B"));
}

/* LLVM's passes in the same form: each has its sentence, texts without numbers that change with every value before them. */
static void
test_llvm (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsPasses) passes = ask (session, LS_PASSES_LLVM, "mm_relu");
  g_autoptr (LsComparison) compared = compare (passes, find_pass (passes, "loop-mssa(licm)"));
  const char *text = ls_script_text_get_text (compared->right.text);
  guint n, effective;
  double seconds;

  ls_own_passes_sum (passes, LS_PASSES_LLVM, &n, &effective, &seconds);
  g_assert_cmpuint (n, ==, 16);
  g_assert_cmpuint (effective, >, 2);
  g_assert_cmpuint (effective, <, 16);
  for (guint i = 1; i <= 16; i++)
    {
      g_assert_cmpuint (strlen (ls_passes_get_summary (passes, i)), >, 20);
      g_assert_cmpfloat (ls_passes_get_dump (passes, i)->seconds, >=, 0.0);
    }
  g_assert_nonnull (strstr (text, "define "));
  g_assert_null (strstr (text, "!alias.scope"));
  g_assert_null (strstr (text, " #0"));
  g_assert_nonnull (strstr (text, ":  ; preds = "));
  g_assert_true (ls_script_text_is_plain (compared->right.text));
  g_assert_cmpuint (ls_script_text_n_spans (compared->right.text), ==, 0);
}

/* Graphs: the functions that fusing makes are new in the log, and what they were made of is gone. */
static void
test_graph (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "samples", "mlp.py", NULL), *source = NULL;
  g_autoptr (LsSession) session = NULL;
  g_autoptr (LsPasses) passes = NULL;
  LsPassCounts counts;

  g_assert_true (g_file_get_contents (path, &source, NULL, NULL));
  session = open_text (source, NULL);
  passes = ask (session, LS_PASSES_GRAPH, NULL);
  g_assert_cmpuint (n_dumps (passes), ==, 6);
  g_assert_cmpstr (ls_passes_get_dump (passes, 0)->pass, ==, "Relax");
  ls_passes_count (passes, find_pass (passes, "LegalizeOps"));
  g_assert_true (ls_passes_get_counts (passes, 1, &counts));
  g_assert_cmpuint (counts.added, >, 10);
  g_assert_cmpuint (strlen (ls_passes_get_summary (passes, 1)), >, 20);
  g_assert_true (ls_passes_get_dump (passes, find_pass (passes, "FuseTIR"))->effective);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpint (ls_passes_get_note (passes, i)->state, ==, LS_PASSES_RAN);
}

int
main (int    argc,
      char **argv)
{
  int status;

  session_parts_init (&argc, &argv);
  worker = ls_worker_new ();
  g_test_add_func ("/ui/lowering/passes", test_passes);
  g_test_add_func ("/ui/lowering/texts", test_texts);
  g_test_add_func ("/ui/lowering/loops", test_loops);
  g_test_add_func ("/ui/lowering/functions", test_functions);
  g_test_add_func ("/ui/lowering/trouble", test_trouble);
  g_test_add_func ("/ui/lowering/llvm", test_llvm);
  g_test_add_func ("/ui/lowering/graph", test_graph);
  status = g_test_run ();
  g_object_unref (worker);
  return status;
}
