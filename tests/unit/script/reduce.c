/* reduce: programs become small, each candidate is well formed, and a planted fault is found in a few lines. */
#include "engine/relax/well-formed.h"
#include "engine/script/reduce.h"
#include "engine/script/script.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

typedef struct {
  const char *needle;
  guint       n_asked;
  gboolean  (*holds) (LsModule *module);
} Question;

static gboolean
ask (const char *text,
     gpointer    user_data,
     GError    **error)
{
  Question *question = user_data;
  g_autoptr (LsSource) source = ls_source_new ("candidate", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsNode) only = NULL;
  g_autoptr (LsModule) module = ls_script_parse_file (source, findings, &only);

  question->n_asked++;
  g_assert_nonnull (module);
  g_assert_false (ls_diagnostics_has_error (findings));
  g_assert_true (ls_verify_module (module, NULL) && ls_relax_verify_module (module, findings));
  if (question->needle != NULL && strstr (text, question->needle) == NULL)
    return FALSE;
  return question->holds == NULL || question->holds (module);
}

static guint
n_lines (const char *text)
{
  guint n = 0;

  for (const char *at = text; (at = strchr (at, '\n')) != NULL; at++)
    n++;
  return n;
}

#define TIR "# from tvm.script import ir as I\n# from tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n"
#define RELAX "# from tvm.script import ir as I\n# from tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n"

static const struct { const char *needle, *text, *small; } CASES[] = {
  { "T.exp", TIR
    "    @T.prim_func\n    def other(A: T.Buffer((16,), \"float32\")):\n        for i in range(16):\n            A[i] = A[i] + T.float32(1)\n\n"
    "    @T.prim_func\n    def main(A: T.Buffer((64, 64), \"float32\"), B: T.Buffer((64, 64), \"float32\"), C: T.Buffer((64, 64), \"float32\")):\n"
    "        T.func_attr({\"tir.noalias\": True, \"global_symbol\": \"main\"})\n        D = T.alloc_buffer((64, 64))\n"
    "        for i, j in T.grid(64, 64):\n            with T.block(\"D\"):\n                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "                D[vi, vj] = A[vi, vj] * T.float32(2)\n"
    "        for i, j, k in T.grid(64, 64, 64):\n            with T.block(\"C\"):\n                vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
    "                with T.init():\n                    C[vi, vj] = T.float32(0)\n"
    "                C[vi, vj] = C[vi, vj] + D[vi, vk] * T.exp(B[vk, vj])\n", 
    TIR "    @T.prim_func\n    def main(B: T.Buffer((1, 1), \"float32\"), C: T.Buffer((1, 1), \"float32\")):\n        C[0, 0] = T.exp(B[0, 0])\n" },
  { "while", TIR
    "    @T.prim_func\n    def main(A: T.Buffer((8,), \"int32\"), n: T.int32):\n        x: T.int32 = n + 3\n        for i in range(8):\n            if i < x:\n"
    "                A[i] = 0\n                while A[i] < 10:\n                    A[i] = A[i] + x * 2\n            else:\n                A[i] = 7\n",
    TIR "    @T.prim_func\n    def main(A: T.Buffer((1,), \"int32\")):\n        while A[0] < 0:\n            T.evaluate(0)\n" },
  { "R.tanh", RELAX
    "    @R.function\n    def main(x: R.Tensor((4, 8), dtype=\"float32\"), w: R.Tensor((8, 8), dtype=\"float32\")) -> R.Tensor((4, 8), dtype=\"float32\"):\n"
    "        with R.dataflow():\n            lv: R.Tensor((4, 8), dtype=\"float32\") = R.matmul(x, w)\n"
    "            lv1: R.Tensor((4, 8), dtype=\"float32\") = R.nn.relu(lv)\n            lv2: R.Tensor((4, 8), dtype=\"float32\") = R.add(lv1, x)\n"
    "            lv3: R.Tensor((4, 8), dtype=\"float32\") = R.tanh(lv2)\n            lv4: R.Tensor((4, 8), dtype=\"float32\") = R.matmul(lv3, w)\n"
    "            gv: R.Tensor((4, 8), dtype=\"float32\") = R.nn.softmax(lv4, axis=1)\n            R.output(gv)\n        return gv\n", NULL },
};

static void
texts (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      Question question = { CASES[i].needle, 0, NULL };
      g_autoptr (GError) error = NULL;
      g_autofree char *small = ls_reduce (CASES[i].text, ask, NULL, &question, &error);

      g_assert_no_error (error);
      if (CASES[i].small != NULL)
        ls_assert_same_text (small, CASES[i].small);
      g_assert_cmpuint (n_lines (small), <=, 11);
      g_assert_cmpuint (question.n_asked, <, 300);
    }
}

/* ---- a fault --------------------------------------------------------------------------- */

static LsNode *
swap_max (LsRewriter *rewriter,
          LsNode     *node,
          gpointer    user_data)
{
  g_autoptr (LsNode) fresh = ls_rewrite_default (rewriter, node);

  if (ls_is (fresh, MAX))
    return LS_NODE (ls_min (ls_ref (((LsBinary *) fresh)->a), ls_ref (((LsBinary *) fresh)->b)));
  return g_steal_pointer (&fresh);
}

/* The planted fault: a pass that takes max for min.  Of interest is what it changes. */
static gboolean
is_broken (LsModule *module)
{
  LsNode *func = ls_module_get (module, "main");
  g_autoptr (LsNode) body = NULL;
  g_autoptr (LsPrimFunc) wrong = NULL;
  g_autoptr (GBytes) want = NULL, got = NULL;

  if (!ls_is (func, PRIM_FUNC) || ((LsPrimFunc *) func)->params->n == 0)
    return FALSE;
  body = ls_rewrite_with (LS_NODE (((LsPrimFunc *) func)->body), swap_max, NULL);
  wrong = ls_prim_func_with_body ((LsPrimFunc *) func, (LsStmt *) ls_ref (body));
  want = ls_test_interpret_func ((LsPrimFunc *) func, 3, NULL);
  got = ls_test_interpret_func (wrong, 3, NULL);
  return want != NULL && got != NULL && !g_bytes_equal (want, got);
}

static void
planted (void)
{
  guint n = 0;

  for (guint32 seed = 0; n < 3; seed++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autofree char *program = ls_test_random_program (rand), *small = NULL;
      g_autoptr (LsModule) module = ls_test_parse (program);
      Question question = { "T.max", 0, is_broken };
      g_autoptr (GError) error = NULL;

      if (strstr (program, "T.max") == NULL || n_lines (program) < 15 || !is_broken (module))
        continue;
      n++;
      small = ls_reduce (program, ask, NULL, &question, &error);
      g_assert_no_error (error);
      g_test_message ("%u lines to %u after %u questions:\n%s", n_lines (program), n_lines (small), question.n_asked, small);
      g_assert_cmpuint (n_lines (small), <=, 9);
    }
}

static void
refused (void)
{
  Question never = { "no such text", 0, NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (ls_reduce (CASES[0].text, ask, NULL, &never, &error));
  g_assert_error (error, LS_REDUCE_ERROR, LS_REDUCE_ERROR_TEST);
  g_assert_cmpuint (never.n_asked, ==, 1);
  g_clear_error (&error);
  g_assert_null (ls_reduce ("class Module:\n    1 +\n", ask, NULL, &never, &error));
  g_assert_error (error, LS_REDUCE_ERROR, LS_REDUCE_ERROR_PROGRAM);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/script/reduce/texts", texts);
  g_test_add_func ("/script/reduce/planted", planted);
  g_test_add_func ("/script/reduce/refused", refused);
  return g_test_run ();
}
