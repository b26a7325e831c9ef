/* well-formed: what is wrong with a program, by code. */
#include "engine/relax/well-formed.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

#define HEAD \
  "@I.ir_module\n" \
  "class Module:\n" \
  "    @T.prim_func(private=True)\n" \
  "    def f(a: T.Buffer((4,), \"float32\"), b: T.Buffer((4,), \"float32\")):\n" \
  "        for i in range(4):\n" \
  "            with T.block(\"b\"):\n" \
  "                vi = T.axis.spatial(4, i)\n" \
  "                b[vi] = a[vi]\n" \
  "    @R.function\n" \
  "    def callee(x: R.Tensor((4,), \"float32\")) -> R.Tensor((4,), \"float32\"):\n" \
  "        return x\n" \
  "    @R.function\n" \
  "    def main(x: R.Tensor((4,), \"float32\"), y: R.Tensor((5,), \"float32\")) -> R.Tensor((4,), \"float32\"):\n" \
  "        cls = Module\n"

static const struct { const char *name; const char *body; const char *code; } CASES[] = {
  { "fine", "        a = R.call_tir(cls.f, (x,), out_sinfo=R.Tensor((4,), \"float32\"))\n", NULL },
  { "purity", "        _ = R.print(x, format=\"{}\")\n", "relax/purity" },
  { "effect-in-dataflow", "        with R.dataflow():\n            _ = R.print(x, format=\"{}\")\n            b = R.exp(x)\n            R.output(b)\n",
    "relax/dataflow" },
  { "parameters", "        a = R.call_tir(cls.f, (x, x), out_sinfo=R.Tensor((4,), \"float32\"))\n", "relax/type" },
  { "argument-type", "        b = cls.callee(y)\n", "relax/type" },
  { "arguments", "        b = cls.callee(x, x)\n", "relax/type" },
  { "symbol", "        n = T.int64()\n        d = R.zeros(R.shape([n]), dtype=\"float32\")\n", "relax/undefined" },
  { "name", "        R.func_attr({\"global_symbol\": \"other\"})\n", "relax/symbol" },
};

static void
find (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree char *text = g_strconcat (HEAD, CASES[i].body, "        return x\n", NULL);
  g_autoptr (LsSource) source = ls_source_new ("test", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);

  g_assert_false (ls_diagnostics_has_error (findings));
  g_assert_cmpint (ls_relax_verify_module (module, findings), ==, CASES[i].code == NULL);
  if (CASES[i].code != NULL)
    g_assert_cmpstr (ls_diagnostics_get (findings, 0)->code, ==, CASES[i].code);
}

static void
variables (void)
{
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsRelaxVar *x = ls_relax_var_new ("x", ls_object_struct_info_new ()), *y = ls_relax_var_new ("y", ls_object_struct_info_new ());
  LsArray *bindings = ls_array_of (ls_var_binding_new (ls_ref (y), LS_NODE (ls_ref (x))), ls_var_binding_new (ls_ref (y), LS_NODE (ls_ref (x))), NULL);
  LsNode *seq = ls_seq_expr_new (ls_array_of (ls_binding_block_new (bindings), NULL), LS_NODE (ls_ref (y)));
  LsFunction *func = ls_function_new (ls_array_empty (), seq, ls_object_struct_info_new (), NULL, TRUE);
  g_autoptr (LsModule) module = ls_module_new (ls_array_of (ls_global_var_new ("f"), NULL), ls_array_of (func, NULL), NULL, NULL);

  g_assert_false (ls_relax_verify_module (module, findings));
  g_assert_cmpstr (ls_diagnostics_get (findings, 0)->code, ==, "relax/undefined");
  g_assert_cmpstr (ls_diagnostics_get (findings, 2)->code, ==, "relax/redefined");
  ls_unref (x);
  ls_unref (y);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *path = g_strconcat ("/relax/well-formed/", CASES[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), find);
    }
  g_test_add_func ("/relax/well-formed/variables", variables);
  return g_test_run ();
}
