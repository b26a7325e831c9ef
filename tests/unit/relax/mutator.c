/* mutator: what does not change stays the same node; struct info follows. */
#include "engine/relax/mutator.h"
#include "engine/script/printer.h"
#include "engine/script/script.h"
#include "tests/support/support.h"

static const char TEXT[] =
  "@I.ir_module\n"
  "class Module:\n"
  "    @R.function\n"
  "    def main(x: R.Tensor((\"n\", 4), dtype=\"float32\")) -> R.Tensor((\"n\", 4), dtype=\"float32\"):\n"
  "        n = T.int64()\n"
  "        with R.dataflow():\n"
  "            a: R.Tensor((n, 4), dtype=\"float32\") = R.exp(x)\n"
  "            b: R.Tensor((n, 4), dtype=\"float32\") = R.tanh(a)\n"
  "            R.output(b)\n"
  "        return b\n";

static LsModule *
parse (void)
{
  g_autoptr (LsSource) source = ls_source_new ("test", TEXT, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, findings);

  g_assert_false (ls_diagnostics_has_error (findings));
  return module;
}

static void
nothing_to_do (void)
{
  g_autoptr (LsModule) module = parse ();
  g_autoptr (LsModule) after = ls_relax_mutate_module (module, NULL, NULL, NULL);

  g_assert_true (module == after);
}

static LsNode *
sqrt_for_tanh (LsRelaxMutator *self,
               LsRelaxCall    *call)
{
  g_autoptr (LsNode) fresh = ls_relax_mutator_default (self, call);

  if (!ls_is_relax_call (fresh, "relax.tanh"))
    return g_steal_pointer (&fresh);
  return ls_relax_call_new (ls_relax_op_new ("relax.sqrt"), ls_ref (((LsRelaxCall *) fresh)->args), NULL, NULL, NULL);
}

static void
a_call_is_replaced (void)
{
  static const LsRelaxMutatorFuncs funcs = { .call = sqrt_for_tanh };
  g_autoptr (LsModule) module = parse ();
  g_autoptr (LsModule) after = ls_relax_mutate_module (module, &funcs, NULL, NULL);
  g_autofree char *text = ls_script_print (after, NULL, NULL);

  g_assert_nonnull (strstr (text, "b: R.Tensor((n, 4), dtype=\"float32\") = R.sqrt(a)"));
  g_assert_null (strstr (text, "tanh"));
}

static void
a_symbol_is_bound (void)
{
  g_autoptr (LsModule) module = parse ();
  LsFunction *main_func = (LsFunction *) ls_module_get (module, "main");
  LsTensorStructInfo *info = (LsTensorStructInfo *) ls_array_at (main_func->params, 0, LsRelaxVar)->struct_info;
  g_autoptr (GHashTable) symbols = g_hash_table_new (NULL, NULL);
  g_autoptr (LsExpr) seven = ls_int_imm_new (LS_INT64, 7);
  g_autoptr (LsNode) bound = NULL;
  g_autofree char *text = NULL;

  g_hash_table_insert (symbols, ((LsShapeExpr *) info->shape)->values->items[0], seven);
  bound = ls_relax_bind (main_func, NULL, symbols);
  text = ls_script_print (bound, NULL, NULL);
  g_assert_nonnull (strstr (text, "def main(x: R.Tensor((7, 4), dtype=\"float32\")) -> R.Tensor((7, 4), dtype=\"float32\"):"));
  g_assert_nonnull (strstr (text, "b: R.Tensor((7, 4), dtype=\"float32\") = R.tanh(a)"));
}

static void
a_copy_is_equal (void)
{
  g_autoptr (LsModule) module = parse ();
  LsFunction *main_func = (LsFunction *) ls_module_get (module, "main");
  g_autoptr (LsFunction) copy = ls_relax_copy_function (main_func);

  g_assert_true (copy != main_func);
  g_assert_true (copy->params->items[0] != main_func->params->items[0]);
  g_assert_true (ls_structural_equal (copy, main_func, FALSE, NULL, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/relax/mutator/nothing", nothing_to_do);
  g_test_add_func ("/relax/mutator/call", a_call_is_replaced);
  g_test_add_func ("/relax/mutator/symbol", a_symbol_is_bound);
  g_test_add_func ("/relax/mutator/copy", a_copy_is_equal);
  return g_test_run ();
}
