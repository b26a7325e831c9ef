/* fx: graphs that torch saved are imported in both variants, built and run; torch's own outputs stand beside them
 * (tests/golden/fx, made by data/scripts/export_fx.py --samples).  And files that are not what they should be.
 */
#include "engine/codegen/vm-build.h"
#include "engine/frontend/fx/fx.h"
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
compare (const char *model,
         LsFxVariant variant)
{
  g_autofree char *name = g_strconcat ("golden/fx/", model, ".fx.json", NULL), *path = ls_test_path (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFxGraph) graph = ls_fx_graph_read (path, &error);
  g_autoptr (LsModule) module = graph != NULL ? ls_fx_graph_import (graph, variant, &error) : NULL;
  g_autoptr (LsTarget) target = ls_target_parse (NULL, NULL);
  g_autoptr (LsVMExecutable) executable = NULL;
  g_autoptr (LsJit) jit = ls_jit_new (NULL);
  g_autoptr (LsKernel) kernel = NULL;
  g_autoptr (LsVM) vm = NULL;
  g_autoptr (LsVMValue) x = read_array (model, "-in.npy"), expected = read_array (model, "-out.npy"), result = NULL;
  LsMismatch mismatch;

  g_assert_no_error (error);
  executable = ls_vm_build (module, target, NULL, &error);
  g_assert_no_error (error);
  kernel = ls_vm_link (jit, executable, &error);
  g_assert_no_error (error);
  vm = ls_vm_new (executable, ls_vm_resolve_kernel, kernel, &error);
  g_assert_no_error (error);
  result = ls_vm_call (vm, "main", &x, 1, &error);
  g_assert_no_error (error);
  if (!ls_tensor_allclose (&result->tensor->tensor, &expected->tensor->tensor, 1e-5, 1e-5, &mismatch, &error))
    {
      g_autofree char *what = error == NULL ? ls_mismatch_describe (&mismatch, &result->tensor->tensor) : g_strdup (error->message);

      g_test_fail_printf ("%s as %s: %s", model, variant == LS_FX_TE ? "te" : "ops", what);
    }
}

static void
test_model (gconstpointer model)
{
  compare (model, LS_FX_OPS);
  compare (model, LS_FX_TE);
}

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
  module = graph != NULL ? ls_fx_graph_import (graph, LS_FX_OPS, &error) : NULL;
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
  refused (GRAPH (X "," NODE ("a", "call_method", "view", REF ("x") ",4,2") "," OUT ("a")), "number of elements");
  refused (GRAPH (X "," NODE ("a", "call_function", "torch.matmul", REF ("x") "," REF ("x")) "," OUT ("a")), "node 2 \"a\"");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/exec/fx/mlp", "mlp", test_model);
  g_test_add_data_func ("/exec/fx/cnn", "cnn", test_model);
  g_test_add_func ("/exec/fx/refused", test_refused);
  return g_test_run ();
}
