/* call-te: tensor expressions called from Relax. */
#include "engine/relax/call-te.h"
#include "engine/script/printer.h"
#include "tests/support/support.h"

static LsRelaxVar *
tensor_var (const char *name,
            LsExpr     *rows,
            LsExpr     *columns)
{
  return ls_relax_var_new (name, ls_tensor_struct_info_new (ls_shape_expr_new (ls_array_of (rows, columns, NULL)), 0, LS_FLOAT32, NULL));
}

static LsNode *
doubled (LsTeBridge *bridge,
         LsNode     *arg)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTeTensor) x = ls_te_bridge_tensor (bridge, arg, &error), y = NULL;
  LsArray *axes = ls_te_axes (x->shape, "i*");
  LsExpr *body = ls_mul (ls_te_load (x, ls_te_axis_vars (axes)), ls_const_float (LS_FLOAT32, 2));
  LsNode *call;

  y = ls_te_compute ("double", NULL, NULL, axes, body, &error);
  g_assert_no_error (error);
  call = ls_te_bridge_call_one (bridge, y, "double", &error);
  g_assert_no_error (error);
  return call;
}

static char *
build (LsRelaxVar *x)
{
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (NULL);
  g_autoptr (LsArray) params = ls_array_of (ls_ref (x), NULL);
  g_autoptr (LsModule) module = NULL;
  LsRelaxVar *last = x;
  LsScriptPrintOptions options = { .no_header = TRUE };

  ls_block_builder_begin_function (builder, "main", params, NULL, TRUE, FALSE);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (LsTeBridge) bridge = ls_te_bridge_new (builder);

      last = ls_block_builder_emit_take (builder, doubled (bridge, LS_NODE (last)), NULL);
    }
  ls_block_builder_emit_func_output (builder, last, NULL);
  g_assert_no_error (ls_block_builder_get_error (builder));
  module = ls_block_builder_get (builder);
  return ls_script_print (module, &options, NULL);
}

static void
equal_calls_share_a_function (void)
{
  g_autoptr (LsRelaxVar) x = tensor_var ("x", ls_int_imm_new (LS_INT64, 2), ls_int_imm_new (LS_INT64, 3));
  g_autofree char *text = build (x);

  g_assert_nonnull (strstr (text,
                            "    @T.prim_func(private=True)\n"
                            "    def double(x: T.Buffer((T.int64(2), T.int64(3)), \"float32\"), double: T.Buffer((T.int64(2), T.int64(3)), \"float32\")):\n"));
  g_assert_nonnull (strstr (text, "        gv = R.call_tir(cls.double, (x,), out_sinfo=R.Tensor((2, 3), dtype=\"float32\"))\n"));
  g_assert_nonnull (strstr (text, "        gv1 = R.call_tir(cls.double, (gv,), out_sinfo=R.Tensor((2, 3), dtype=\"float32\"))\n"));
}

static void
unbound_dimensions_are_handed_over (void)
{
  g_autoptr (LsVar) n = ls_var_new ("n", LS_INT64);
  g_autoptr (LsRelaxVar) x = tensor_var ("x", ls_mul (LS_EXPR (ls_ref (n)), ls_int_imm_new (LS_INT64, 2)), ls_int_imm_new (LS_INT64, 3));
  g_autofree char *text = build (x);

  g_assert_nonnull (strstr (text, "out_sinfo=R.Tensor((n * 2, 3), dtype=\"float32\"), tir_vars=R.shape([n]))\n"));
  g_assert_nonnull (strstr (text, "    def double(var_x: T.handle, var_double: T.handle, n: T.int64):\n"));
}

static void
unknown_shapes_are_errors (void)
{
  g_autoptr (LsBlockBuilder) builder = ls_block_builder_new (NULL);
  g_autoptr (LsTeBridge) bridge = ls_te_bridge_new (builder);
  g_autoptr (LsRelaxVar) x = ls_relax_var_new ("x", ls_tensor_struct_info_new (NULL, 2, LS_FLOAT32, NULL));
  g_autoptr (GError) error = NULL;

  g_assert_null (ls_te_bridge_tensor (bridge, x, &error));
  g_assert_error (error, LS_TE_BRIDGE_ERROR, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/relax/call-te/shared", equal_calls_share_a_function);
  g_test_add_func ("/relax/call-te/unbound", unbound_dimensions_are_handed_over);
  g_test_add_func ("/relax/call-te/unknown", unknown_shapes_are_errors);
  return g_test_run ();
}
