/* block-builder: names, A-normal form, blocks, functions. */
#include "engine/relax/block-builder.h"
#include "engine/script/printer.h"
#include "tests/support/support.h"

static LsRelaxVar *
tensor_var (const char *name,
            gint64      rows,
            gint64      columns)
{
  LsArray *shape = ls_array_of (ls_int_imm_new (LS_INT64, rows), ls_int_imm_new (LS_INT64, columns), NULL);

  return ls_relax_var_new (name, ls_tensor_struct_info_new (ls_shape_expr_new (shape), 0, LS_FLOAT32, NULL));
}

static LsNode *
call (const char *op,
      gpointer    a,
      gpointer    b)
{
  LsArray *args = b != NULL ? ls_array_of (ls_node_ref (a), b, NULL) : ls_array_of (a, NULL);

  return ls_relax_call_new (ls_relax_op_new (op), args, NULL, NULL, NULL);
}

static void
assert_text (LsBlockBuilder *builder,
             const char     *expected)
{
  LsScriptPrintOptions options = { .no_header = TRUE };
  g_autoptr (LsModule) module = ls_block_builder_get (builder);
  g_autofree char *text = NULL;

  g_assert_no_error (ls_block_builder_get_error (builder));
  text = ls_script_print (module, &options, NULL);
  g_assert_cmpstr (text, ==, expected);
}

static void
nested_calls_get_names (void)
{
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (NULL);
  g_autoptr (LsRelaxVar) x = tensor_var ("x", 2, 3);
  g_autoptr (LsArray) params = ls_array_of (ls_ref (x), NULL);
  LsRelaxVar *out;

  ls_block_builder_begin_function (builder, "main", params, NULL, TRUE, FALSE);
  ls_block_builder_begin_dataflow (builder);
  out = ls_block_builder_emit_take (builder, call ("relax.add", x, call ("relax.exp", ls_ref (x), NULL)), NULL);
  out = ls_block_builder_emit_output (builder, out, NULL);
  ls_block_builder_end_dataflow (builder);
  g_assert_nonnull (ls_block_builder_emit_func_output (builder, out, NULL));
  assert_text (builder,
               "@I.ir_module\n"
               "class Module:\n"
               "    @R.function\n"
               "    def main(x: R.Tensor((2, 3), dtype=\"float32\")) -> R.Tensor((2, 3), dtype=\"float32\"):\n"
               "        with R.dataflow():\n"
               "            lv: R.Tensor((2, 3), dtype=\"float32\") = R.exp(x)\n"
               "            lv1: R.Tensor((2, 3), dtype=\"float32\") = R.add(x, lv)\n"
               "            gv: R.Tensor((2, 3), dtype=\"float32\") = lv1\n"
               "            R.output(gv)\n"
               "        return gv\n");
}

static void
params_come_last (void)
{
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (NULL);
  g_autoptr (LsRelaxVar) x = tensor_var ("x", 2, 3);
  g_autoptr (LsArray) params = ls_array_of (ls_ref (x), NULL);
  LsRelaxVar *lv;

  ls_block_builder_begin_function (builder, "main", NULL, NULL, TRUE, FALSE);
  ls_block_builder_begin_dataflow (builder);
  lv = ls_block_builder_emit_take (builder, call ("relax.exp", ls_ref (x), NULL), NULL);
  ls_block_builder_emit_output (builder, lv, NULL);
  ls_block_builder_end_dataflow (builder);
  ls_block_builder_emit_func_output (builder, lv, params);
  assert_text (builder,
               "@I.ir_module\n"
               "class Module:\n"
               "    @R.function\n"
               "    def main(x: R.Tensor((2, 3), dtype=\"float32\")) -> R.Tensor((2, 3), dtype=\"float32\"):\n"
               "        with R.dataflow():\n"
               "            lv: R.Tensor((2, 3), dtype=\"float32\") = R.exp(x)\n"
               "            gv: R.Tensor((2, 3), dtype=\"float32\") = lv\n"
               "            R.output(gv)\n"
               "        return lv\n");
}

static void
equal_functions_are_one (void)
{
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (NULL);
  g_autoptr (GPtrArray) funcs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);
  LsGlobalVar *vars[3];

  for (guint i = 0; i < 3; i++)
    {
      LsRelaxVar *x = tensor_var ("x", 2, i < 2 ? 3 : 4);

      g_ptr_array_add (funcs, ls_function_new (ls_array_of (x, NULL), ls_seq_expr_new (ls_array_empty (), LS_NODE (ls_ref (x))),
                                               ls_node_ref (x->struct_info), NULL, TRUE));
      vars[i] = ls_block_builder_add_func (builder, funcs->pdata[i], "same");
    }
  g_assert_true (vars[0] == vars[1]);
  g_assert_cmpstr (vars[2]->name_hint, ==, "same1");
}

static void
misplaced_calls_are_errors (void)
{
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (NULL);
  g_autoptr (LsRelaxVar) x = tensor_var ("x", 2, 3);

  ls_block_builder_begin_function (builder, "main", NULL, NULL, TRUE, FALSE);
  ls_block_builder_emit_output (builder, x, NULL);
  g_assert_error (ls_block_builder_get_error (builder), LS_BLOCK_BUILDER_ERROR, LS_BLOCK_BUILDER_ERROR_ORDER);
  g_assert_null (ls_block_builder_emit_func_output (builder, x, NULL));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/relax/block-builder/nested", nested_calls_get_names);
  g_test_add_func ("/relax/block-builder/params-last", params_come_last);
  g_test_add_func ("/relax/block-builder/equal-functions", equal_functions_are_one);
  g_test_add_func ("/relax/block-builder/misplaced", misplaced_calls_are_errors);
  return g_test_run ();
}
