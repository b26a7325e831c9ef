/* fx: graphs that torch saved are imported in both variants, built and run; torch's own outputs stand beside them
 * (tests/golden/fx, made by data/scripts/export_fx.py --samples).  And files that are not what they should be.
 */
#include "engine/codegen/vm-build.h"
#include "engine/frontend/fx/fx.h"
#include "engine/relax/pass/pass.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <string.h>

static LsVMValue *
read_array (const char *model,
            const char *which)
{
  g_autofree char *name = g_strconcat ("golden/fx/", model, which, NULL), *path = ls_test_path (name);
  g_autoptr (GError) error = NULL;
  LsNDArray *array = ls_npy_read (path, &error);

  g_assert_no_error (error);
  return ls_vm_tensor (array);
}

static void
assert_equal (const char *model,
              const char *which,
              LsVMValue  *result,
              const char *as)
{
  g_autoptr (LsVMValue) expected = read_array (model, which);
  g_autoptr (GError) error = NULL;
  LsMismatch mismatch;

  if (!ls_tensor_allclose (&result->tensor->tensor, &expected->tensor->tensor, 1e-5, 1e-5, &mismatch, &error))
    {
      g_autofree char *what = error == NULL ? ls_mismatch_describe (&mismatch, &result->tensor->tensor) : g_strdup (error->message);

      g_test_fail_printf ("%s%s as %s: %s", model, which, as, what);
    }
}

/* Builds it and compares what it gives with torch's result. */
static void
run (const char *model,
     LsModule   *module,
     const char *as)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTarget) target = ls_target_parse (NULL, NULL);
  g_autoptr (LsVMExecutable) executable = ls_vm_build (module, target, NULL, &error);
  g_autoptr (LsJit) jit = ls_jit_new (NULL);
  g_autoptr (LsKernel) kernel = NULL;
  g_autoptr (LsVM) vm = NULL;
  g_autoptr (LsVMValue) x = read_array (model, "-in.npy"), result = NULL;

  g_assert_no_error (error);
  kernel = ls_vm_link (jit, executable, &error);
  g_assert_no_error (error);
  vm = ls_vm_new (executable, ls_vm_resolve_kernel, kernel, &error);
  g_assert_no_error (error);
  result = ls_vm_call (vm, "main", &x, 1, &error);
  g_assert_no_error (error);
  if (result->kind == LS_VM_TENSOR)
    assert_equal (model, "-out.npy", result, as);
  for (guint i = 0; result->kind == LS_VM_TUPLE && i < result->n; i++)
    assert_equal (model, i == 0 ? "-out.npy" : "-out1.npy", result->items[i], as);
}

static void
compare (const char *model,
         LsFxVariant variant)
{
  g_autofree char *name = g_strconcat ("golden/fx/", model, ".fx.json", NULL), *path = ls_test_path (name);
  g_autoptr (GError) error = NULL;
  const LsFxOptions options = { .variant = variant };
  g_autoptr (LsFxGraph) graph = ls_fx_graph_read (path, &error);
  g_autoptr (LsModule) module = graph != NULL ? ls_fx_graph_import (graph, &options, &error) : NULL;

  g_assert_no_error (error);
  run (model, module, variant == LS_FX_TE ? "te" : "ops");
}

static void
test_model (gconstpointer model)
{
  compare (model, LS_FX_OPS);
  compare (model, LS_FX_TE);
}

/* A graph that is written again is the one that was read, whatever became of its files; each node with a value became a binding. */
static void
test_saved (gconstpointer model)
{
  g_autofree char *name = g_strconcat ("golden/fx/", model, ".fx.json", NULL), *path = ls_test_path (name);
  g_autofree char *folder = g_dir_make_tmp ("loopscope-fx-XXXXXX", NULL), *again = g_build_filename (folder, "graph.fx.json", NULL);
  g_autofree char *weights = g_build_filename (folder, "graph.safetensors", NULL), *table = NULL, *table_again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFxGraph) graph = ls_fx_graph_read (path, &error), copy = NULL;
  g_autoptr (LsModule) module = graph != NULL ? ls_fx_graph_import (graph, NULL, &error) : NULL, copied = NULL;
  g_autoptr (GHashTable) became = NULL;
  guint n = 0;

  g_assert_no_error (error);
  ls_fx_graph_save (graph, folder, &error);
  g_assert_no_error (error);
  copy = ls_fx_graph_read (again, &error);
  g_assert_no_error (error);
  copied = ls_fx_graph_import (copy, NULL, &error);
  g_assert_no_error (error);
  table = ls_fx_graph_tabular (graph);
  table_again = ls_fx_graph_tabular (copy);
  g_assert_cmpstr (table, ==, table_again);
  g_assert_true (ls_structural_equal (module, copied, FALSE, NULL, NULL));
  became = ls_fx_graph_became (graph, module);
  for (guint i = 0; i < ls_fx_graph_get_n (graph); i++)
    {
      LsFxRow row;

      ls_fx_graph_get_row (graph, i, &row);
      n += g_hash_table_contains (became, row.name);
      ls_fx_row_clear (&row);
    }
  g_assert_cmpuint (n, >=, ls_fx_graph_get_n (graph) / 2);
  g_clear_pointer (&became, g_hash_table_unref);
  became = ls_fx_graph_became (graph, copied);          /* its bindings come from another listing: only the placeholder is known */
  g_assert_cmpuint (g_hash_table_size (became), ==, 1);
  g_unlink (again);
  g_unlink (weights);
  g_rmdir (folder);
}

/* ---- fusion ------------------------------------------------------------------------------- */

static guint
count_fused (LsModule *module)
{
  guint n = 0;

  for (guint i = 0; i < module->global_vars->n; i++)
    n += g_str_has_prefix (ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, "fused_");
  return n;
}

/* An MLP is fused into functions that give what torch gives. */
static void
test_fused (gconstpointer model)
{
  static const char *const PASSES[] = { "LegalizeOps", "AnnotateTIROpPattern", "FuseOps", "FuseTIR" };

  for (guint variant = 0; variant < 2; variant++)
    {
      const LsFxOptions options = { .variant = variant == 0 ? LS_FX_OPS : LS_FX_TE };
      g_autofree char *name = g_strconcat ("golden/fx/", model, ".fx.json", NULL), *path = ls_test_path (name);
      g_autoptr (GError) error = NULL;
      g_autoptr (LsFxGraph) graph = ls_fx_graph_read (path, &error);
      g_autoptr (LsModule) module = graph != NULL ? ls_fx_graph_import (graph, &options, &error) : NULL;

      for (guint i = 0; i < G_N_ELEMENTS (PASSES); i++)
        {
          const LsRelaxPass *pass = ls_relax_pass_get (PASSES[i], &error);
          g_autoptr (LsMap) args = pass != NULL ? ls_relax_pass_arguments (pass, NULL, NULL, &error) : NULL;

          g_assert_no_error (error);
          ls_take (&module, ls_relax_pass_run (pass, module, args, &error));
        }
      g_assert_no_error (error);
      g_assert_cmpuint (count_fused (module), >=, 2);
      run (model, module, "fused");
    }
}

/* ---- rules ---------------------------------------------------------------------------------- */

/* A graph with these nodes; the sentence that refuses it holds `says`. */
static void
refused (const char *text,
         const char *says)
{
  g_autofree char *folder = g_dir_make_tmp ("fx-XXXXXX", NULL), *path = g_build_filename (folder, "m.fx.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFxGraph) graph = NULL;
  g_autoptr (LsModule) module = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  graph = ls_fx_graph_read (path, &error);
  module = graph != NULL ? ls_fx_graph_import (graph, NULL, &error) : NULL;
  g_assert_null (module);
  g_assert_nonnull (error);
  if (strstr (error->message, says) == NULL)
    g_test_fail_printf ("\"%s\" does not say \"%s\"", error->message, says);
  g_unlink (path);
  g_rmdir (folder);
}

#define NODE(name, op, target, args) "{\"name\":\"" name "\",\"op\":\"" op "\",\"target\":\"" target "\",\"args\":[" args "],\"shape\":[2,3],\"dtype\":\"float32\"}"
#define REF(name) "{\"node\":\"" name "\"}"
#define GRAPH(nodes) "{\"format\":\"loopscope.fx\",\"nodes\":[" nodes "]}"
#define X NODE ("x", "placeholder", "x", "")
#define OUT(name) NODE ("output", "output", "output", REF (name))

static void
test_refused (void)
{
  refused ("", "m.fx.json");
  refused ("{\"format\":\"loopscope.fx\",\"nodes\":[", "m.fx.json: a JSON object is expected");
  refused ("[1]", "a JSON object is expected");
  refused ("{\"nodes\":[]}", "\"format\"");
  refused (GRAPH (X), "\"output\" is expected");
  refused (GRAPH (X "," NODE ("a", "call_method", "view", REF ("b")) "," OUT ("a")), "cycle");
  refused (GRAPH (X "," X "," OUT ("x")), "was given to a node before");
  refused (GRAPH (X "," NODE ("a", "call_function", "torch.fft", REF ("x")) "," OUT ("a")), "node 2 \"a\" (call_function torch.fft): no rule");
  refused (GRAPH (X "," NODE ("a", "call_module", "fc", REF ("x")) "," OUT ("a")), "no such module");
  refused (GRAPH (X "," NODE ("a", "get_attr", "w", "") "," OUT ("a")), "no such tensor");
  refused (GRAPH (X "," NODE ("a", "call_method", "view", REF ("x") ",4,2") "," OUT ("a")), "8 elements and 6");
  refused (GRAPH (X "," NODE ("a", "call_function", "torch.matmul", REF ("x") "," REF ("x")) "," OUT ("a")), "node 2 \"a\"");
  refused (GRAPH (X "," NODE ("a", "call_function", "torch.softmax", REF ("x") ",7") "," OUT ("a")), "axes go from -2 to 1");
  refused (GRAPH (X "," NODE ("a", "call_function", "torch.cat", "[" REF ("x") ",3]") "," OUT ("a")), "a list of tensors is expected");
  refused (GRAPH (X "," NODE ("a", "call_method", "view", REF ("x") ",[-1,\"a\"]") "," OUT ("a")), "an extent is expected, not the text");
  refused (GRAPH (X "," NODE ("a", "call_function", "torch.conv2d", REF ("x") "," REF ("x") ",null,[1,1,1,1,1,1,1],\"same\"") "," OUT ("a")), "a kernel of 4 dimensions");
  refused (GRAPH (X "," NODE ("a", "call_function", "operator.getitem", REF ("x") ",[{\"ellipsis\":true},{\"ellipsis\":true}]") "," OUT ("a")), "one ellipsis");
  refused (GRAPH (X "," NODE ("a", "call_function", "operator.getitem", REF ("x") ",[{\"slice\":[null,null]}]") "," OUT ("a")), "an object that is no node");
  refused (GRAPH (X "," NODE ("a", "call_function", "operator.add", REF ("x") ",{\"dtype\":\"int8\"}") "," OUT ("a")), "tensors and numbers are supported");
}

static LsModule *
import_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFxGraph) graph = ls_fx_graph_parse ("text", text, strlen (text), NULL, &error);
  LsModule *module = graph != NULL ? ls_fx_graph_import (graph, NULL, &error) : NULL;

  g_assert_no_error (error);
  return module;
}

static LsNode *
doubled (LsBlockBuilder *builder,
         LsNode        **args,
         guint           n_args,
         gpointer        user_data,
         GError        **error)
{
  g_assert_cmpuint (n_args, ==, 1);
  return ls_relax_call_new (ls_relax_op_new ("relax.add"), ls_array_of (ls_node_ref (args[0]), ls_node_ref (args[0]), NULL), NULL, NULL, NULL);
}

static const struct { const char *text, *says; } WRONG_RULES[] = {
  { "swish x = x", "line 1: the name of a function and its parameters in brackets are expected" },
  { "# fine\nswish (x) = frob(x)", "line 2: a function is used that is no operator of Relax" },
  { "swish (x) = y", "a name is used that is no parameter" },
  { "swish (x) = add(x, 1", "a comma or a closing bracket is expected" },
  { "swish (x) = add(x, 1) 2", "the line goes on" },
  { "swish (x)", "an = is expected" },
  { "swish (x) = \"a", "a text has no end" },
};

/* One's own: as text for functions and modules, and in C. */
static void
test_rules (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) module = NULL;

  g_assert_true (ls_fx_rules_add_text ("# swish\nswish silence (x, beta=1.5) = multiply(x, sigmoid(multiply(x, beta)))\n\n"
                                       "module Scale (x) = multiply(x, self.factor)  # a leaf of one's own", &error));
  g_assert_no_error (error);
  ls_fx_rules_add ("twice", doubled, NULL);
  module = import_text ("{\"format\":\"loopscope.fx\",\"modules\":{\"s\":{\"type\":\"mine.Scale\",\"factor\":0.25}},\"nodes\":["
                        X "," NODE ("a", "call_function", "mine.swish", REF ("x")) "," NODE ("b", "call_module", "s", REF ("a")) ","
                        NODE ("c", "call_method", "twice", REF ("b")) "," OUT ("c") "]}");
  g_assert_nonnull (module);
  for (guint i = 0; i < G_N_ELEMENTS (WRONG_RULES); i++)
    {
      g_clear_error (&error);
      g_assert_false (ls_fx_rules_add_text (WRONG_RULES[i].text, &error));
      if (strstr (error->message, WRONG_RULES[i].says) == NULL)
        g_test_fail_printf ("\"%s\" does not say \"%s\"", error->message, WRONG_RULES[i].says);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/exec/fx/mlp", "mlp", test_model);
  g_test_add_data_func ("/exec/fx/cnn", "cnn", test_model);
  g_test_add_data_func ("/exec/fx/block", "block", test_model);
  g_test_add_data_func ("/exec/fx/fused-mlp", "mlp", test_fused);
  g_test_add_data_func ("/exec/fx/fused-block", "block", test_fused);
  g_test_add_data_func ("/exec/fx/saved-mlp", "mlp", test_saved);
  g_test_add_data_func ("/exec/fx/saved-cnn", "cnn", test_saved);
  g_test_add_data_func ("/exec/fx/saved-block", "block", test_saved);
  g_test_add_func ("/exec/fx/rules", test_rules);
  g_test_add_func ("/exec/fx/refused", test_refused);
  return g_test_run ();
}
