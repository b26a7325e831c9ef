/* lowering: what the window of the passes knows of each, from the real worker; without a display. */
#include "app/lowering/model.h"
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

static LsLowering *
ask (LsSession  *session,
     const char *method,
     const char *function)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *module = ls_session_export (session, LS_EXPORT_MODULE, &error);
  g_autoptr (GVariant) answer = NULL;
  GVariantDict params;

  g_assert_no_error (error);
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", module);
  g_variant_dict_insert (&params, "func", "s", function);
  answer = ls_worker_call (worker, method, g_variant_dict_end (&params), NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return ls_lowering_new (answer, strcmp (method, "optimise") == 0, ls_session_get_script (session));
}

static LsLowering *
lower (LsSession  *session,
       const char *function)
{
  return ask (session, "lower", function);
}

static guint
find_pass (LsLowering *lowering,
           const char *name)
{
  for (guint i = 0; i < ls_lowering_n_passes (lowering); i++)
    if (strcmp (ls_lowering_get_pass (lowering, i)->name, name) == 0)
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

/* All passes of the build in their order, what they do, and that the words say it. */
static void
test_passes (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsLowering) lowering = lower (session, "mm_relu");
  guint n, sum = 0;
  const LsPass *const *passes = ls_pass_list (&n);

  g_assert_cmpstr (ls_lowering_get_function (lowering), ==, "mm_relu");
  g_assert_cmpuint (ls_lowering_n_passes (lowering), ==, n);
  for (guint i = 0; i < n; i++)
    {
      const LsLoweringPass *pass = ls_lowering_get_pass (lowering, i);
      g_autofree char *words = ls_lowering_pass_words (pass);

      g_assert_cmpstr (pass->name, ==, passes[i]->name);
      g_assert_cmpstr (pass->summary, ==, passes[i]->summary);
      g_assert_cmpuint (pass->number, ==, i + 1);
      g_assert_cmpfloat (pass->seconds, >=, 0.0);
      g_assert_true ((strcmp (words, "changes nothing") == 0) == (pass->state == LS_LOWERING_NOTHING));
      g_assert_cmpint (pass->before == pass->after, ==, pass->state == LS_LOWERING_NOTHING);
      sum += pass->state == LS_LOWERING_CHANGES;
    }
  g_assert_cmpuint (sum, ==, ls_lowering_count (lowering, LS_LOWERING_CHANGES));
  g_assert_cmpuint (sum, >, 3);
  g_assert_cmpuint (n - sum, ==, ls_lowering_count (lowering, LS_LOWERING_NOTHING));
  g_assert_cmpuint (n, >, sum);
  g_assert_cmpfloat (ls_lowering_get_seconds (lowering), >, 0.0);
}

/* The lines that FlattenBuffer changes are counted as the marks have them; a pass without effect has the same text twice. */
static void
test_texts (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsLowering) lowering = lower (session, "mm_relu");
  guint at = find_pass (lowering, "FlattenBuffer"), gone = 0;
  const LsLoweringPass *pass = ls_lowering_get_pass (lowering, at);
  g_autoptr (LsComparison) flatten = ls_lowering_compare (lowering, at);
  g_autoptr (LsComparison) nothing = ls_lowering_compare (lowering, find_pass (lowering, "LowerMatchBuffer"));
  const char *before = ls_script_text_get_text (flatten->left.text), *after = ls_script_text_get_text (flatten->right.text);

  g_assert_nonnull (strstr (before, "Y[i, j_0 * 4 + j_1]"));
  g_assert_null (strstr (before, "T.Buffer((16384,)"));
  g_assert_nonnull (strstr (after, "T.Buffer((16384,)"));
  g_assert_nonnull (strstr (after, "A_1[i * 128 + k]"));
  g_assert_false (flatten->same);
  for (guint i = 0; i < ls_script_text_n_lines (flatten->left.text); i++)
    gone += ls_script_text_line (flatten->left.text, i)->change == LS_LINE_GONE;
  g_assert_cmpuint (gone, >, 0);
  g_assert_cmpuint (pass->n_gone, ==, gone);
  g_assert_cmpuint (pass->n_new, >, 0);

  g_assert_true (nothing->same);
  g_assert_cmpstr (ls_script_text_get_text (nothing->left.text), ==, ls_script_text_get_text (nothing->right.text));
}

/* A loop of the step is known by its variable through all the passes. */
static void
test_loops (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsLowering) lowering = lower (session, "mm_relu");
  static const char *const names[] = { "k", "j_1", "j_0" };

  for (guint i = 0; i < ls_lowering_n_passes (lowering); i++)
    {
      g_autoptr (LsComparison) compared = ls_lowering_compare (lowering, i);

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
      g_autoptr (LsLowering) lowering = lower (session, functions[f]);
      g_autoptr (LsComparison) compared = ls_lowering_compare (lowering, find_pass (lowering, "FlattenBuffer"));

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
  g_autoptr (LsLowering) lowering = lower (session, "odd");
  guint failed = find_pass (lowering, "ConvertBlocksToOpaque");

  for (guint i = 0; i < ls_lowering_n_passes (lowering); i++)
    {
      const LsLoweringPass *pass = ls_lowering_get_pass (lowering, i);

      g_assert_cmpint (pass->state, ==, i < failed ? LS_LOWERING_NOTHING : i == failed ? LS_LOWERING_FAILS : LS_LOWERING_UNREACHED);
      g_assert_true ((pass->trouble != NULL) == (i == failed));
      g_assert_true ((pass->seconds < 0.0) == (i > failed));
    }
  g_assert_true (g_str_has_prefix (ls_lowering_get_pass (lowering, failed)->trouble, "The condition of block B"));
}

/* LLVM's passes in the same form: each has its sentence, texts without numbers that change with every value before them. */
static void
test_llvm (void)
{
  g_autoptr (LsSession) session = open_text (session_source, session_steps);
  g_autoptr (LsLowering) lowering = ask (session, "optimise", "mm_relu");
  guint at = find_pass (lowering, "loop-mssa(licm)");
  g_autoptr (LsComparison) compared = ls_lowering_compare (lowering, at);
  const char *text = ls_script_text_get_text (compared->right.text);

  g_assert_true (ls_lowering_is_llvm (lowering));
  g_assert_cmpuint (ls_lowering_n_passes (lowering), ==, 16);
  g_assert_cmpuint (ls_lowering_count (lowering, LS_LOWERING_CHANGES), >, 2);
  g_assert_cmpuint (ls_lowering_count (lowering, LS_LOWERING_NOTHING), >, 0);
  for (guint i = 0; i < 16; i++)
    {
      g_assert_cmpuint (strlen (ls_lowering_pass_summary (ls_lowering_get_pass (lowering, i))), >, 20);
      g_assert_cmpfloat (ls_lowering_get_pass (lowering, i)->seconds, >=, 0.0);
    }
  g_assert_nonnull (strstr (text, "define "));
  g_assert_null (strstr (text, "!alias.scope"));
  g_assert_null (strstr (text, " #0"));
  g_assert_nonnull (strstr (text, ":  ; preds = "));
  g_assert_true (ls_script_text_is_plain (compared->right.text));
  g_assert_cmpuint (ls_script_text_n_spans (compared->right.text), ==, 0);
}

static void
test_words (void)
{
  static const struct { LsLoweringPass pass; const char *words; } cases[] = {
    { { .state = LS_LOWERING_CHANGES, .n_new = 3, .n_gone = 5 }, "+3 −5 lines" },
    { { .state = LS_LOWERING_CHANGES, .n_gone = 1, .n_moved = 2 }, "+0 −1 lines, 2 moved" },
    { { .state = LS_LOWERING_CHANGES, .n_moved = 1 }, "1 line moved" },
    { { .state = LS_LOWERING_CHANGES }, "changes what the text does not show" },
    { { .state = LS_LOWERING_NOTHING }, "changes nothing" },
    { { .state = LS_LOWERING_FAILS }, "cannot go on" },
    { { .state = LS_LOWERING_UNREACHED }, "not reached" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *words = ls_lowering_pass_words (&cases[i].pass);

      g_assert_cmpstr (words, ==, cases[i].words);
    }
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
  g_test_add_func ("/ui/lowering/words", test_words);
  status = g_test_run ();
  g_object_unref (worker);
  return status;
}
