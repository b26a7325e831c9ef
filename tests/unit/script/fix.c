/* Repairs that a program can make: what a finding puts in the place of its text is what was meant. */
#include "engine/base/findings.h"
#include "engine/script/script.h"

#include <string.h>

#define HEAD "from tvm.script import tir as T\n\n"
#define BLOCK "        with T.block(\"B\"):\n            vi = T.axis.remap(\"S\", [i])\n            B[vi] = A[vi]\n"
#define FUNC "def f(A: T.Buffer((8,), \"float32\"), B: T.Buffer((8,), \"float32\")):\n"

static const struct { const char *name, *wrong, *right; } texts[] = {
  { "member", HEAD "@T.prim_func\n" FUNC "    for i in T.seral(8):\n" BLOCK, HEAD "@T.prim_func\n" FUNC "    for i in T.serial(8):\n" BLOCK },
  { "name", HEAD "@T.prim_func\n" FUNC "    for index in T.serial(8):\n        B[indx] = A[index]\n", HEAD "@T.prim_func\n" FUNC "    for index in T.serial(8):\n        B[index] = A[index]\n" },
  { "without T", HEAD "@T.prim_func\n" FUNC "    for i in serial(8):\n" BLOCK, HEAD "@T.prim_func\n" FUNC "    for i in T.serial(8):\n" BLOCK },
  { "type", HEAD "@T.prim_func\n" "def f(A: T.Buffer((8,), 'flot32')):\n    T.evaluate(0)\n", HEAD "@T.prim_func\n" "def f(A: T.Buffer((8,), \"float32\")):\n    T.evaluate(0)\n" },
  { "parameter", HEAD "@T.prim_func\n" FUNC "    for i in T.serial(8, annotatons={}):\n" BLOCK, HEAD "@T.prim_func\n" FUNC "    for i in T.serial(8, annotations={}):\n" BLOCK },
  { "decorator", HEAD FUNC "    for i in T.serial(8):\n" BLOCK, HEAD "@T.prim_func\n" FUNC "    for i in T.serial(8):\n" BLOCK },
  { "brackets", HEAD "@T.prim_func\n" FUNC "    for i in T.serial(8):\n        with T.block(\"B\"):\n            vi = T.axis.reduce(8, i)\n            with T.init:\n                B[0] = T.float32(0)\n            B[0] = B[0] + A[vi]\n",
    HEAD "@T.prim_func\n" FUNC "    for i in T.serial(8):\n        with T.block(\"B\"):\n            vi = T.axis.reduce(8, i)\n            with T.init():\n                B[0] = T.float32(0)\n            B[0] = B[0] + A[vi]\n" },
  { "indent", HEAD "@T.prim_func\n" FUNC "    for i in T.serial(8):\n        A[i] = T.float32(1)\n      B[0] = A[0]\n", HEAD "@T.prim_func\n" FUNC "    for i in T.serial(8):\n        A[i] = T.float32(1)\n    B[0] = A[0]\n" },
  { "module", "from tvm.script import ir as I\n" HEAD "class M:\n    @T.prim_func\n    def f(A: T.Buffer((8,), \"float32\")):\n        T.evaluate(0)\n",
    "from tvm.script import ir as I\n" HEAD "@I.ir_module\nclass M:\n    @T.prim_func\n    def f(A: T.Buffer((8,), \"float32\")):\n        T.evaluate(0)\n" },
  { "in a module", "from tvm.script import ir as I\n" HEAD "@I.ir_module\nclass M:\n    def f(A: T.Buffer((8,), \"float32\")):\n        T.evaluate(0)\n",
    "from tvm.script import ir as I\n" HEAD "@I.ir_module\nclass M:\n    @T.prim_func\n    def f(A: T.Buffer((8,), \"float32\")):\n        T.evaluate(0)\n" },
};

/* The text after the first repair, or NULL: none is offered. (transfer full) */
static char *
repair (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("fix.py", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);

  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    {
      LsSpan at;
      const char *fix = ls_diagnostic_get_fix (ls_diagnostics_get (findings, i), &at);

      if (fix != NULL)
        {
          g_assert_cmpuint (at.end, <=, strlen (text));
          g_assert_nonnull (ls_diagnostics_get (findings, i)->repair);
          return g_strdup_printf ("%.*s%s%s", (int) at.start, text, fix, text + at.end);
        }
    }
  return NULL;
}

static void
test_texts (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *after = repair (texts[i].wrong), *again = NULL;

      g_test_message ("%s", texts[i].name);
      g_assert_cmpstr (after, ==, texts[i].right);
      again = repair (after);
      g_assert_null (again);
    }
}

/* What cannot be said as a change is only said: the way out of an end of the text in the middle of a name. */
static void
test_none (void)
{
  g_autofree char *after = repair (HEAD "@T.prim_func\n" FUNC "    for i in zzzzzz(8):\n" BLOCK);
  LsSpan at;

  g_assert_null (after);
  ls_diagnostic_set_fix (NULL, (LsSpan) { 0 }, "x");
  {
    g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
    LsDiagnostic *finding = ls_diagnostics_add (findings, LS_SEVERITY_ERROR, "a/b", (LsSpan) { 0 }, "Wrong.");

    g_assert_null (ls_diagnostic_get_fix (finding, &at));
    ls_diagnostic_set_fix (finding, (LsSpan) { 0, 2, 3 }, "x");
    ls_diagnostic_set_fix (finding, (LsSpan) { 0, 4, 5 }, "y");
    g_assert_cmpstr (ls_diagnostic_get_fix (finding, &at), ==, "y");
    g_assert_cmpuint (at.start, ==, 4);
  }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fix/texts", test_texts);
  g_test_add_func ("/fix/none", test_none);
  return g_test_run ();
}
