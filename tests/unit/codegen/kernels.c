/* kernels: programs compiled, linked and called; their numbers are the interpreter's. */
#include "engine/codegen/codegen.h"
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

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  jit = ls_jit_new (NULL);
  g_test_add_func ("/codegen/mm-relu", test_mm_relu);
  status = g_test_run ();
  ls_jit_free (jit);
  ls_pool_shutdown ();
  return status;
}
