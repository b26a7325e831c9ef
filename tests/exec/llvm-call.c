/* T.call_llvm_pure_intrin: overloads are found out, what the target has not is refused with a reason. */
#include "engine/codegen/codegen.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/support.h"

#include <string.h>

#define PROGRAM "@I.ir_module\nclass Module:\n    @T.prim_func\n    def main(A: T.Buffer((16,), \"float32\"), B: T.Buffer((16,), \"%s\")):\n        %s\n"

static LsObject *
compile (const char *dtype, const char *body, const char *target_text, GError **error)
{
  g_autofree char *text = g_strdup_printf (PROGRAM, dtype, body);
  g_autoptr (LsSource) source = ls_source_new ("program", text, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);
  g_autoptr (LsTarget) target = ls_target_parse (target_text, error);
  g_autoptr (LsPrimFunc) lowered = NULL;
  g_autoptr (LsModule) low = NULL;

  if (module == NULL || ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_get (findings, 0)->message);
  lowered = ls_lower ((LsPrimFunc *) ls_module_get (module, "main"), NULL, NULL, error);
  g_assert_nonnull (lowered);
  low = ls_module_new (ls_array_of (ls_global_var_new ("main"), NULL), ls_array_of (ls_ref (lowered), NULL), NULL, NULL);
  return ls_codegen_compile (low, "main", target, NULL, error);
}

static const struct { const char *dtype, *body, *target, *message; } CASES[] = {
  { "float32", "for i in range(16):\n            B[i] = T.call_llvm_pure_intrin(\"float32\", \"llvm.fabs\", T.uint32(1), A[i])", "llvm", NULL },
  { "float32", "B[0:4] = T.call_llvm_pure_intrin(\"float32x4\", \"llvm.fabs.v4f32\", T.uint32(1), A[0:4])", "llvm", NULL },
  { "float32", "B[0:4] = T.call_llvm_pure_intrin(\"float32x4\", \"llvm.fma\", T.uint32(3), A[0:4], A[4:8], A[8:12])", "llvm", NULL },
  { "int32", "B[0] = T.call_llvm_pure_intrin(\"int32\", \"llvm.fptosi.sat\", T.uint32(2), A[0])", "llvm", NULL },
  { "float32", "B[0] = T.call_llvm_pure_intrin(\"float32\", T.llvm_lookup_intrinsic_id(\"llvm.sqrt\"), T.uint32(1), A[0])", "llvm", NULL },
  { "float32", "B[0] = T.call_llvm_pure_intrin(\"float32\", \"llvm.no.such\", T.uint32(1), A[0])", "llvm", "LLVM has no intrinsic llvm.no.such." },
  { "float32", "B[0] = T.call_llvm_pure_intrin(\"float32\", \"llvm.fma\", T.uint32(1), A[0])", "llvm", "llvm.fma does not take these 1 arguments" },
  { "float32", "B[0] = T.call_llvm_pure_intrin(\"float32\", \"llvm.aarch64.neon.frecpe\", T.uint32(1), A[0])", "llvm", "instruction of aarch64" },
  { "float32", "B[0:4] = T.call_llvm_pure_intrin(\"float32x4\", \"llvm.x86.sse.rcp.ps\", T.uint32(1), A[0:4])", "llvm", NULL },
  { "int32", "B[0:16] = T.call_llvm_pure_intrin(\"int32x16\", \"llvm.x86.avx512.vpdpbusd.512\", T.uint32(0), B[0:16], B[0:16], B[0:16])", "llvm -mcpu=cascadelake", NULL },
  { "int32", "B[0:16] = T.call_llvm_pure_intrin(\"int32x16\", \"llvm.x86.avx512.vpdpbusd.512\", T.uint32(0), B[0:16], B[0:16], B[0:16])", "llvm -mcpu=haswell",
    "needs a processor with avx512vnni" },
};

static void
test_case (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsObject) object = compile (CASES[i].dtype, CASES[i].body, CASES[i].target, &error);

  if (CASES[i].message == NULL)
    {
      g_assert_no_error (error);
      g_assert_nonnull (object);
      return;
    }
  g_assert_null (object);
  g_assert_nonnull (error);
  if (strstr (error->message, CASES[i].message) == NULL)
    g_error ("%s", error->message);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (CASES); i++)
    {
      g_autofree char *path = g_strdup_printf ("/exec/llvm-call/%u", i);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_case);
    }
  status = g_test_run ();
  ls_pool_shutdown ();
  return status;
}
