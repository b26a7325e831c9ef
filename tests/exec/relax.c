/* relax: modules of the graph level give the same numbers however far they were lowered before they were built.
 *
 * Each program of tests/golden/build runs on seeded random inputs: built as it is, fused, and with its memory planned.
 */
#include "engine/codegen/vm-build.h"
#include "engine/relax/pass/pass.h"
#include "engine/script/parser.h"
#include "tests/support/support.h"

static const char *const PLAIN[] = { NULL };
static const char *const FUSED[] = { "LegalizeOps", "AnnotateTIROpPattern", "FuseOps", "FuseTIR", NULL };
static const char *const PLANNED[] = {
  "LegalizeOps", "RewriteDataflowReshape", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite", "StaticPlanBlockMemory", "LowerAllocTensor",
  "KillAfterLastUse", "LowerRuntimeBuiltin", NULL
};
static const char *const ALL[] = {
  "LegalizeOps", "AnnotateTIROpPattern", "FuseOps", "FuseTIR", "RewriteDataflowReshape", "ToNonDataflow", "RemovePurityChecking", "CallTIRRewrite",
  "StaticPlanBlockMemory", "LowerAllocTensor", "KillAfterLastUse", "LowerRuntimeBuiltin", NULL
};
static const char *const *const CHAINS[] = { PLAIN, FUSED, PLANNED, ALL };

static LsModule *
read_module (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("test.py", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, diagnostics);
  g_autofree char *findings = ls_diagnostics_print (diagnostics);

  g_assert_cmpstr (findings, ==, "");
  return module;
}

static LsModule *
run_passes (LsModule          *module,
            const char *const *names)
{
  LsModule *now = ls_ref (module);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (GError) error = NULL;
      const LsRelaxPass *pass = ls_relax_pass_get (names[i], &error);
      g_autoptr (LsMap) args = NULL;
      LsModule *next;

      g_assert_no_error (error);
      args = ls_relax_pass_arguments (pass, NULL, NULL, &error);
      g_assert_no_error (error);
      next = ls_relax_pass_run (pass, now, args, &error);
      g_assert_no_error (error);
      ls_unref (now);
      now = next;
    }
  return now;
}

static LsVMValue *
random_input (LsRelaxVar *param,
              guint       seed)
{
  LsTensorStructInfo *info = (LsTensorStructInfo *) param->struct_info;
  LsArray *extents = ((LsShapeExpr *) info->shape)->values;
  gint64 dims[LS_NDARRAY_MAX_NDIM];
  LsDLDataType dtype;
  LsNDArray *array;

  for (guint i = 0; i < extents->n; i++)
    g_assert_true (ls_as_int (extents->items[i], &dims[i]));
  g_assert_true (ls_dl_dtype_parse (ls_dtype_name (info->dtype), &dtype, NULL));
  array = ls_ndarray_new ((int) extents->n, dims, dtype, NULL);
  ls_tensor_fill_random (&array->tensor, seed);
  return ls_vm_tensor (array);
}

static LsVMValue *
run_main (LsModule  *module,
          gboolean   as_is,
          GPtrArray *inputs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTarget) target = ls_target_parse (NULL, &error);
  LsVMBuildOptions options = { .as_is = as_is };
  g_autoptr (LsVMExecutable) executable = ls_vm_build (module, target, &options, &error);
  g_autoptr (LsJit) jit = ls_jit_new (NULL);
  g_autoptr (LsKernel) kernel = NULL;
  g_autoptr (LsVM) vm = NULL;
  LsVMValue *result;

  g_assert_no_error (error);
  kernel = ls_vm_link (jit, executable, &error);
  g_assert_no_error (error);
  vm = ls_vm_new (executable, ls_vm_resolve_kernel, kernel, &error);
  g_assert_no_error (error);
  result = ls_vm_call (vm, "main", (LsVMValue **) inputs->pdata, inputs->len, &error);
  g_assert_no_error (error);
  return result;
}

static void
assert_same (LsVMValue *a,
             LsVMValue *b)
{
  g_autoptr (GError) error = NULL;
  LsMismatch mismatch;

  g_assert_cmpint (a->kind, ==, b->kind);
  if (a->kind == LS_VM_TUPLE)
    {
      g_assert_cmpuint (a->n, ==, b->n);
      for (guint i = 0; i < a->n; i++)
        assert_same (a->items[i], b->items[i]);
      return;
    }
  g_assert_cmpint (a->kind, ==, LS_VM_TENSOR);
  if (!ls_tensor_allclose (&a->tensor->tensor, &b->tensor->tensor, 1e-5, 1e-6, &mismatch, &error))
    {
      g_autofree char *what = error == NULL ? ls_mismatch_describe (&mismatch, &a->tensor->tensor) : g_strdup (error->message);

      g_test_fail_printf ("%s", what);
    }
}

static char *
run_all (const char *path,
         const char *text,
         gsize       length,
         gpointer    data)
{
  g_autoptr (LsModule) module = read_module (text);
  LsFunction *entry = (LsFunction *) ls_module_get (module, "main");
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);
  g_autoptr (LsVMValue) expected = NULL;

  for (guint i = 0; i < entry->params->n; i++)
    g_ptr_array_add (inputs, random_input (ls_array_at (entry->params, i, LsRelaxVar), i + 1));
  expected = run_main (module, FALSE, inputs);
  for (guint i = 1; i < G_N_ELEMENTS (CHAINS); i++)
    {
      g_autoptr (LsModule) lowered = run_passes (module, CHAINS[i]);
      g_autoptr (LsVMValue) result = run_main (lowered, TRUE, inputs);

      assert_same (result, expected);
    }
  return g_strdup ("");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ls_golden_add_folder ("/exec/relax", "golden/build", ".py", ".txt", LS_GOLDEN_EMPTY, run_all, NULL);
  return g_test_run ();
}
