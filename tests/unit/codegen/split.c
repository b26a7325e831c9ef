/* split: a function with hundreds of loops becomes several functions of machine code, and computes what it did. */
#include "engine/codegen/codegen.h"
#include "engine/script/parser.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/programs.h"

#include <string.h>

static LsModule *
parse (const char *text)
{
  g_autoptr (LsSource) source = ls_source_new ("split", text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  LsModule *module = ls_script_parse (source, diagnostics);

  g_assert_nonnull (module);
  return module;
}

#define HEAD "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(A: T.Buffer((16,), \"int32\"), B: T.Buffer((16,), \"int32\")):\n"

/* Loops that read each other's results, a local array, a let around them, some inside a loop. */
static char *
program (guint n)
{
  GString *text = g_string_new (HEAD "        T.func_attr({\"tir.noalias\": True})\n        C = T.alloc_buffer((16,), \"int32\")\n"
                                "        for i in range(16):\n            C[i] = A[i] * 3\n        for k in range(3):\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "            for i in range(%u):\n                C[i] = C[15 - i] + A[(i + %u) %% 16] * k + B[i]\n", i % 15 + 2, i);
  g_string_append (text, "        with T.LetStmt(A[3] + 1, var=T.int32()) as s:\n            B[0] = B[0] + s\n");
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "        for i in range(16):\n            B[i] = B[i] * %u + C[(i + %u) %% 16]\n", i % 3 + 1, i);
  return g_string_free (text, FALSE);
}

static guint
count (const char *text,
       const char *what)
{
  guint n = 0;

  for (const char *at = strstr (text, what); at != NULL; at = strstr (at + 1, what))
    n++;
  return n;
}

static void
compare (guint    n,
         gboolean check_bounds)
{
  g_autofree char *text = program (n);
  g_autoptr (LsModule) module = parse (text);
  LsPrimFunc *func = ls_array_at (module->functions, 0, LsPrimFunc);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) low = ls_lower_module (module, NULL, NULL, &error);
  g_autoptr (LsTarget) target = ls_target_parse ("llvm -opt-level=1", &error);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .want_raw_ir = TRUE, .check_bounds = check_bounds, .prefix = prefix };
  g_autoptr (LsObject) object = ls_codegen_compile (low, NULL, target, &options, &error);
  g_autoptr (LsJit) jit = ls_jit_new (&error);
  g_autoptr (LsKernel) kernel = NULL;
  g_autoptr (GPtrArray) expected = ls_test_arrays (func, 7), actual = ls_test_arrays (func, 7);
  LsArg args[2] = { { .kind = LS_ARG_TENSOR }, { .kind = LS_ARG_TENSOR } };

  g_assert_no_error (error);
  g_assert_cmpuint (count (object->raw_ir, "define internal i32 @"), >=, 1);
  if (n < 50)
    g_assert_cmpuint (count (object->raw_ir, ".part"), ==, 0);
  else
    g_assert_cmpuint (count (object->raw_ir, "call i32 @"), >=, 4);
  kernel = ls_jit_add (jit, object, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    args[i].v_tensor = actual->pdata[i];
  ls_kernel_call (kernel, "main", args, 2, NULL, &error);
  g_assert_no_error (error);
  ls_test_interpret (module, func, expected, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      LsNDArray *a = expected->pdata[i], *b = actual->pdata[i];

      g_assert_cmpmem (a->tensor.data, 64, b->tensor.data, 64);
    }
}

static void
same_results (void)
{
  compare (10, FALSE);
  compare (110, FALSE);
  compare (110, TRUE);
}

/* A bound that fails inside a part ends the whole function. */
static void
errors_come_out (void)
{
  g_autofree char *good = program (110);
  g_autofree char *text = g_strconcat (good, "        for i in range(17):\n            B[i] = 0\n        for i in range(16):\n            A[i] = 5\n", NULL);
  g_autoptr (LsModule) module = parse (text);
  LsPrimFunc *func = ls_array_at (module->functions, 0, LsPrimFunc);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTarget) target = ls_target_parse ("llvm -opt-level=1", &error);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .check_bounds = TRUE, .prefix = prefix };
  g_autoptr (LsObject) object = ls_codegen_compile (module, NULL, target, &options, &error);
  g_autoptr (LsJit) jit = ls_jit_new (NULL);
  g_autoptr (LsKernel) kernel = NULL;
  g_autoptr (GPtrArray) arrays = ls_test_arrays (func, 7);
  LsArg args[2] = { { .kind = LS_ARG_TENSOR }, { .kind = LS_ARG_TENSOR } };
  gint32 before;

  g_assert_no_error (error);
  kernel = ls_jit_add (jit, object, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    args[i].v_tensor = arrays->pdata[i];
  before = *(gint32 *) ((LsNDArray *) arrays->pdata[0])->tensor.data;
  g_assert_false (ls_kernel_call (kernel, "main", args, 2, NULL, &error));
  g_assert_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_CALL);
  g_assert_cmpint (*(gint32 *) ((LsNDArray *) arrays->pdata[0])->tensor.data, ==, before);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/codegen/split/same-results", same_results);
  g_test_add_func ("/codegen/split/errors-come-out", errors_come_out);
  return g_test_run ();
}
