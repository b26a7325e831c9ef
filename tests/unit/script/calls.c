/* script/calls: the text of schedule steps as a list of calls. */
#include "engine/script/script-private.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#include <string.h>

/* "i *rest = sch.split(j, factors=[None, 4])" for each step, one a line */
static char *
read_steps (const char *text,
            char      **said)
{
  g_autoptr (LsSource) source = ls_source_new ("steps.py", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsCallList) list = ls_script_parse_calls (source, findings);
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < ls_call_list_get_n (list); i++)
    {
      const LsCallStep *step = ls_call_list_get (list, i);

      for (guint k = 0; k < step->outputs->len; k++)
        {
          LsCallOutput *o = &g_array_index (step->outputs, LsCallOutput, k);

          g_string_append_printf (out, "%s%s%s ", o->starred ? "*" : "", o->name, step->output_form == LS_CALL_OUTPUT_TUPLE ? "," : "");
        }
      g_string_append_printf (out, "%s%s%s%s(", step->outputs->len > 0 ? "= " : "", step->receiver, *step->method ? "." : "", step->method);
      for (guint k = 0; k < step->args->len; k++)
        {
          g_autofree char *value = ls_call_value_print (step->args->pdata[k]);

          g_string_append_printf (out, "%s%s", k > 0 ? ", " : "", value);
        }
      for (guint k = 0; k < step->keywords->len; k++)
        {
          g_autofree char *value = ls_call_value_print (step->keyword_values->pdata[k]);

          g_string_append_printf (out, "%s%s=%s", k + step->args->len > 0 ? ", " : "", (char *) step->keywords->pdata[k], value);
        }
      g_string_append (out, ")\n");
    }
  if (said != NULL)
    *said = ls_diagnostics_print (findings);
  return g_string_free (out, FALSE);
}

static const struct { const char *text; const char *steps; } CASES[] = {
  { "j0, j1 = sch.split(j, factors=[None, 4])", "j0, j1, = sch.split(j, factors=[None, 4])\n" },
  { "l1, = sch.get_loops(block=b0)", "l1, = sch.get_loops(block=b0)\n" },
  { "first, *rest = sch.get_loops(b)\nsch.reorder(*rest)", "first, *rest, = sch.get_loops(b)\nsch.reorder(*rest)\n" },
  { "# from tvm import tir\ndef apply_trace(sch: tir.Schedule) -> None:\n  b0 = sch.get_block(name=\"C\", func_name=\"main\")\n",
    "b0 = sch.get_block(name=\"C\", func_name=\"main\")\n" },
  { "import tvm\nsch = tvm.tir.Schedule(MyModule)\nsch.mod.show()\nprint(sch.trace)\nlib = tvm.build(sch.mod)\nsch.parallel(i)", "sch.parallel(i)\n" },
  { "N = 4 * 8\nsch.split(i, [None, N])", "sch.split(i, [None, 32])\n" },
  { "def f(s, b, factor=4):\n    s.split(b, [None, factor])\n    return s\nf(sch, i)\nf(sch, j, factor=8)",
    "sch.split(i, [None, 4])\nsch.split(j, [None, 8])\n" },
  { "for l in [i, j]:\n    sch.unroll(l)", "sch.unroll(i)\nsch.unroll(j)\n" },
  { "for n in range(2):\n    sch.unroll(ls[n])", "sch.unroll(ls[0])\nsch.unroll(ls[1])\n" },
  { "x = sch.get_loops(sch.get_block(\"C\"))[0]", "x = (sch.get_loops(sch.get_block(\"C\"))[0])\n" },
  { "sch.annotate(i, ann_key=\"k\", ann_val={\"a\": [1, 2.5, True, None]})", "sch.annotate(i, ann_key=\"k\", ann_val={\"a\": [1, 2.5, True, None]})\n" },
  { "if __name__ == \"__main__\":\n    sch.inline()", "sch.inline()\n" },
  { "sch.split(i,\n    factors=[\n        None, -1,\n    ])", "sch.split(i, factors=[None, -1])\n" },
};

static void
test_steps (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *said = NULL;
      g_autofree char *steps = read_steps (CASES[i].text, &said);

      g_assert_cmpstr (said, ==, "");
      g_assert_cmpstr (steps, ==, CASES[i].steps);
    }
}

static void
test_findings (void)
{
  static const struct { const char *text; const char *code; } BAD[] = {
    { "sch.split(i, factors=[None, )", "script/expected-token" },
    { "while True:\n    pass", "script/unsupported" },
    { "for x in y:\n    sch.unroll(x)", "script/unsupported" },
    { "a.b = sch.split(i)", "script/target" },
    { "sch.split(i, 99999999999999999999)", "script/overflow" },
    { "a = [1, 2]\nb = [a, a, a, a, a, a, a, a, a, a]\nc = [b, b, b, b, b, b, b, b, b, b]\nd = [c, c, c, c, c, c, c, c, c, c]\n"
      "e = [d, d, d, d, d, d, d, d, d, d]\nf = [e, e, e, e, e, e, e, e, e, e]\ng = [f, f, f, f, f, f]\nsch.f(g)", "script/overflow" },
    { "def f(s):\n    f(s)\nf(sch)", "script/nesting" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (BAD); i++)
    {
      g_autofree char *said = NULL;
      g_autofree char *steps = read_steps (BAD[i].text, &said);

      if (strstr (said, BAD[i].code) == NULL)
        g_test_fail_printf ("%s was expected for:\n%s\nfound:\n%s", BAD[i].code, BAD[i].text, said);
    }
}

/* As many operators behind one another as one likes, of numbers and of patterns. */
static void
test_chains (void)
{
  g_autoptr (GString) text = g_string_new ("sch.annotate(i, \"k\", 1");
  g_autofree char *said = NULL;
  g_autofree char *steps = NULL;

  for (guint i = 0; i < 5000; i++)
    g_string_append (text, i % 2 == 0 ? " + 3" : " - 1");
  g_string_append_c (text, ')');
  steps = read_steps (text->str, &said);
  g_assert_cmpstr (said, ==, "");
  g_assert_cmpstr (steps, ==, "sch.annotate(i, \"k\", 5001)\n");
}

static void
test_lambda (void)
{
  g_autoptr (LsSource) source = ls_source_new ("steps.py", "N = 16\nsch.transform_layout(b, \"write\", lambda i, j: (i // N, j, tvm.tir.IndexMap.AXIS_SEPARATOR, i % N))", -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsCallList) list = ls_script_parse_calls (source, findings);
  const LsCallStep *step = ls_call_list_get (list, 0);
  g_autoptr (LsVar) i = ls_var_new ("i", LS_INT32);
  g_autoptr (LsVar) j = ls_var_new ("j", LS_INT32);
  LsExpr *args[] = { LS_EXPR (i), LS_EXPR (j) };
  g_autoptr (LsArray) result = ls_call_value_apply (list, step->args->pdata[2], args, 2, findings);
  g_autofree char *said = ls_diagnostics_print (findings);

  g_assert_cmpstr (said, ==, "");
  g_assert_cmpuint (ls_array_n (result), ==, 4);
  g_assert_true (ls_is (result->items[0], FLOOR_DIV));
  g_assert_true (result->items[1] == LS_NODE (j));
  g_assert_true (ls_is (result->items[2], STRING_IMM));
  g_assert_true (ls_is (result->items[3], FLOOR_MOD));
}

static void
test_expr (void)
{
  static const struct { const char *text; const char *printed; } GOOD[] = {
    { "i * 4 + j % 3", "i * 4 + j % 3" },
    { "min(i, j) + T.max(i, 2)", "T.min(i, j) + T.max(i, 2)" },
    { "floordiv(i, 4)", "i // 4" },
    { "1 <= i and i < 15", "1 <= i and i < 15" },
    { "-i", "i * -1" },
    { "T.int64(3) * T.Cast(\"int64\", i)", "T.int64(3) * T.Cast(\"int64\", i)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (GOOD); i++)
    {
      g_autoptr (LsSource) source = ls_source_new ("expr", GOOD[i].text, -1);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
      g_autoptr (GHashTable) vars = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) ls_node_unref);
      g_autoptr (LsExpr) expr = ls_script_parse_expr (source, vars, LS_SCRIPT_EXPR_DECLARE, findings);
      g_autofree char *said = ls_diagnostics_print (findings);
      g_autofree char *printed = NULL;

      g_assert_cmpstr (said, ==, "");
      printed = ls_script_print_expr (expr);
      g_assert_cmpstr (printed, ==, GOOD[i].printed);
    }
}

static void
test_names (void)
{
  guint n;
  const LsScriptName *names = ls_script_names (&n);

  g_assert_cmpuint (n, ==, ls_entry_count ());
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *space = g_strndup (names[i].name, 1);

      g_assert_nonnull (ls_entry_lookup (space, names[i].name + 2));
      g_assert_true (ls_script_name_lookup (names[i].name) == &names[i]);
      if (i > 0)
        g_assert_cmpstr (names[i - 1].name, <, names[i].name);
    }
  g_assert_cmpstr (ls_script_name_lookup ("T.serial")->signature, ==, "(start, stop=None, *, annotations=None)");
  g_assert_null (ls_script_name_lookup ("T.nothing"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/script/calls/steps", test_steps);
  g_test_add_func ("/script/calls/findings", test_findings);
  g_test_add_func ("/script/calls/chains", test_chains);
  g_test_add_func ("/script/calls/lambda", test_lambda);
  g_test_add_func ("/script/expr", test_expr);
  g_test_add_func ("/script/names", test_names);
  return g_test_run ();
}
