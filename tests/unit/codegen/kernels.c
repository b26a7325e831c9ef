/* kernels: programs compiled, linked and called; their numbers are the interpreter's. */
#include "engine/codegen/codegen.h"
#include "engine/script/parser.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/programs.h"

#include <string.h>

static LsJit *jit;

static LsKernel *
build (LsModule               *module,
       const LsCodegenOptions *given,
       GError                **error)
{
  g_autoptr (LsTarget) target = ls_target_parse ("llvm", error);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = *given;
  g_autoptr (LsObject) object = NULL;

  options.prefix = prefix;
  if (g_getenv ("LS_TEST_IR") != NULL)
    options.want_raw_ir = options.want_ir = TRUE;
  object = target != NULL ? ls_codegen_compile (module, NULL, target, &options, error) : NULL;
  if (object != NULL && g_getenv ("LS_TEST_IR") != NULL)
    g_printerr ("%s\n------------\n%s\n", object->raw_ir, object->ir);
  return object != NULL ? ls_jit_add (jit, object, error) : NULL;
}

static gboolean
run (LsKernel   *kernel,
     const char *name,
     GPtrArray  *arrays,
     GError    **error)
{
  g_autofree LsArg *args = g_new0 (LsArg, arrays->len + 1);

  for (guint i = 0; i < arrays->len; i++)
    {
      args[i].kind = LS_ARG_TENSOR;
      args[i].v_tensor = arrays->pdata[i];
    }
  return ls_kernel_call (kernel, name, args, (int) arrays->len, NULL, error);
}

/* Interpreter and machine code on the same input. */
static void
assert_agree (LsModule *module,
              gboolean  lowered,
              gboolean  exact)
{
  LsPrimFunc *func = ls_array_at (module->functions, 0, LsPrimFunc);
  const char *name = ls_array_at (module->global_vars, 0, LsGlobalVar)->name_hint;
  LsCodegenOptions options = { .no_contract = exact };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) low = lowered ? ls_lower_module (module, NULL, NULL, &error) : ls_ref (module);
  g_autoptr (LsKernel) kernel = NULL;
  g_autoptr (GPtrArray) expected = ls_test_arrays (func, 7);
  g_autoptr (GPtrArray) actual = ls_test_arrays (func, 7);

  g_assert_no_error (error);
  kernel = build (low, &options, &error);
  g_assert_no_error (error);
  ls_test_interpret (module, func, expected, &error);
  g_assert_no_error (error);
  run (kernel, name, actual, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < expected->len; i++)
    {
      LsMismatch mismatch;
      gboolean same = ls_tensor_allclose (&((LsNDArray *) actual->pdata[i])->tensor, &((LsNDArray *) expected->pdata[i])->tensor,
                                          exact ? 0 : 1e-5, exact ? 0 : 1e-6, &mismatch, &error);

      g_assert_no_error (error);
      if (!same)
        {
          g_autofree char *text = ls_mismatch_describe (&mismatch, &((LsNDArray *) actual->pdata[i])->tensor);

          g_test_message ("argument %u: %s", i, text);
          g_test_fail ();
        }
    }
}

static void
test_mm_relu (void)
{
  g_autoptr (LsModule) module = ls_test_mm_relu (24);

  assert_agree (module, FALSE, TRUE);
  assert_agree (module, FALSE, FALSE);
  assert_agree (module, TRUE, TRUE);
  assert_agree (module, TRUE, FALSE);
}

/* The machine code that comes of LLVM's passes is the same when they run one by one. */
static void
assert_same_by_passes (LsModule   *module,
                       const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTarget) target = ls_target_parse (text, &error);
  g_autoptr (LsModule) low = ls_lower_module (module, NULL, NULL, &error);
  LsCodegenOptions options = { .want_asm = TRUE, .no_object = TRUE };
  g_autoptr (LsObject) whole = ls_codegen_compile (low, NULL, target, &options, &error), single = NULL;

  g_assert_no_error (error);
  options.want_passes = TRUE;
  single = ls_codegen_compile (low, NULL, target, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (whole->assembly, ==, single->assembly);
  g_assert_null (whole->passes);
  g_assert_cmpstr (g_array_index (single->passes, LsLlvmPass, 0).name, ==, "");
  g_assert_nonnull (strstr (g_array_index (single->passes, LsLlvmPass, 0).text, "define "));
  g_assert_cmpint (g_array_index (single->passes, LsLlvmPass, 1).ns, >, 0);
}

/* The programs that come with the window, as they are opened. */
static LsModule *
read_sample (const char *name)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "samples", name, NULL), *text = NULL;
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsSource) source = NULL;
  g_autoptr (GError) error = NULL;
  LsModule *module;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  source = ls_source_new (name, text, -1);
  module = ls_script_parse (source, diagnostics);
  g_assert_nonnull (module);
  return module;
}

static void
test_samples (void)
{
  static const char *const names[] = { "conv2d.py", "layer_norm.py", "matmul_128.py", "reduction.py", "softmax.py" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (LsModule) module = read_sample (names[i]);

      assert_same_by_passes (module, "llvm");
    }
}

static void
test_passes (void)
{
  static const char *const names[] = { "sroa", "early-cse<memssa>", "simplifycfg", "instcombine<no-verify-fixpoint>", "loop-simplify", "lcssa",
                                       "loop-mssa(licm)", "loop(indvars,loop-idiom,loop-deletion)", "loop-vectorize" };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTarget) target = ls_target_parse ("llvm", &error);
  g_autoptr (LsModule) module = ls_test_mm_relu (24);
  g_autoptr (LsModule) low = ls_lower_module (module, NULL, NULL, &error);
  LsCodegenOptions options = { .want_passes = TRUE, .no_object = TRUE };
  g_autoptr (LsObject) object = ls_codegen_compile (low, NULL, target, &options, &error);
  guint changed = 0;

  g_assert_no_error (error);
  g_assert_cmpuint (object->passes->len, ==, 17);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpstr (g_array_index (object->passes, LsLlvmPass, i + 1).name, ==, names[i]);
  for (guint i = 1; i < object->passes->len; i++)
    changed += g_array_index (object->passes, LsLlvmPass, i).text != NULL;
  g_assert_cmpuint (changed, >, 2);
  g_assert_cmpuint (changed, <, 16);
  assert_same_by_passes (module, "llvm");
  assert_same_by_passes (module, "llvm -opt-level=1");
  assert_same_by_passes (module, "llvm -opt-level=3");
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  jit = ls_jit_new (NULL);
  g_test_add_func ("/codegen/mm-relu", test_mm_relu);
  g_test_add_func ("/codegen/passes", test_passes);
  g_test_add_func ("/codegen/passes/samples", test_samples);
  status = g_test_run ();
  ls_jit_free (jit);
  ls_pool_shutdown ();
  return status;
}
