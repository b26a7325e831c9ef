/* Functions in LLVM's language that a pragma brings along: they run, they are private, and code that cannot be used is
 * refused in a sentence. */
#include "engine/codegen/codegen.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>

#include <string.h>

#define N 32

static const char program[] =
  "@T.prim_func\n"
  "def main(A: T.Buffer((32,), \"float32\"), B: T.Buffer((32,), \"float32\"), C: T.Buffer((32,), \"float32\")):\n"
  "    for i in range(32):\n"
  "        with T.block(\"C\"):\n"
  "            vi = T.axis.spatial(32, i)\n"
  "            C[vi] = T.call_extern(\"float32\", \"brought_along\", A[vi], B[vi])\n";

#define CODE \
  "define float @brought_along(float %a, float %b) #0 {\n" \
  "  %c = fmul float %a, 2.0\n" \
  "  %d = fadd float %c, %b\n" \
  "  ret float %d\n" \
  "}\n" \
  "attributes #0 = { noinline optnone \"target-cpu\"=\"i386\" }\n"

/* The program after steps in which %s stands for the code. */
static LsModule *
scheduled (const char *steps,
           const char *code)
{
  g_autoptr (LsModule) module = ls_test_parse (program);
  g_autofree char *escaped = g_strescape (code, NULL);
  g_auto (GStrv) parts = g_strsplit (steps, "%s", -1);
  g_autofree char *text = g_strjoinv (escaped, parts);
  g_autoptr (LsSource) source = ls_source_new ("steps", text, -1);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

  ls_schedule_apply_text (schedule, source, 0, findings);
  if (ls_diagnostics_has_error (findings))
    g_error ("%s", ls_diagnostics_get (findings, 0)->message);
  return ls_ref (ls_schedule_get_module (schedule));
}

static LsObject *
compile (const char *steps,
         const char *code,
         gboolean    lower,
         GError    **error)
{
  g_autoptr (LsModule) module = scheduled (steps, code);
  g_autoptr (LsTarget) target = ls_target_parse ("llvm", NULL);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .prefix = prefix };

  if (lower)
    {
      g_autoptr (LsPrimFunc) func = ls_lower ((LsPrimFunc *) ls_module_get (module, "main"), NULL, NULL, error);

      g_assert_nonnull (func);
      ls_take (&module, ls_module_with (module, "main", func));
    }
  return ls_codegen_compile (module, "main", target, &options, error);
}

static void
check_run (LsObject *object)
{
  gint64 shape[] = { N };
  LsJit *jit = ls_jit_new (NULL);
  g_autoptr (GError) error = NULL;
  LsNDArray *arrays[3];
  LsArg args[3];

  {
    g_autoptr (LsKernel) kernel = ls_jit_add (jit, object, &error);

    g_assert_no_error (error);
    for (guint i = 0; i < 3; i++)
      {
        arrays[i] = ls_ndarray_new (1, shape, (LsDLDataType) { LS_TYPE_FLOAT, 32, 1 }, &error);
        for (guint k = 0; k < N; k++)
          ((float *) arrays[i]->tensor.data)[k] = (float) (k + i * 100);
        args[i].kind = LS_ARG_TENSOR;
        args[i].v_tensor = &arrays[i]->tensor;
      }
    ls_kernel_call (kernel, "main", args, 3, NULL, &error);
    g_assert_no_error (error);
    for (guint k = 0; k < N; k++)
      g_assert_cmpfloat (((float *) arrays[2]->tensor.data)[k], ==, (float) (3 * k + 100));
    for (guint i = 0; i < 3; i++)
      ls_ndarray_unref (arrays[i]);
  }
  ls_jit_free (jit);
}

static const char *const good[] = {
  "sch.annotate(sch.get_loops(\"C\")[0], \"pragma_import_llvm\", \"%s\")\n",
  "sch.annotate(sch.get_block(\"C\"), \"pragma_import_llvm\", \"%s\")\n",
  "l = sch.get_loops(\"C\")[0]\nsch.annotate(l, \"pragma_import_llvm\", \"%s\")\nsch.parallel(l)\n",
  "i, j = sch.split(sch.get_loops(\"C\")[0], [None, 8])\nsch.annotate(i, \"pragma_import_llvm\", \"%s\")\nsch.unroll(j)\n",
  "i, j = sch.split(sch.get_loops(\"C\")[0], [None, 8])\nsch.annotate(i, \"pragma_import_llvm\", \"%s\")\nsch.annotate(j, \"pragma_import_llvm\", \"%s\")\n",
};

static void
test_runs (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    for (guint lower = 0; lower < 2; lower++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (LsObject) object = compile (good[i], CODE, lower != 0, &error);

        g_assert_no_error (error);
        check_run (object);
      }
}

static void
test_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("loopscope-import-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "code.ll", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsObject) object = NULL;

  g_assert_true (g_file_set_contents (path, CODE, -1, NULL));
  object = compile (good[0], path, TRUE, &error);
  g_assert_no_error (error);
  check_run (object);
  g_assert_cmpint (g_remove (path), ==, 0);
  g_assert_null (compile (good[0], path, TRUE, &error));
  g_assert_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_PROGRAM);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_refused (void)
{
  static const struct { const char *code, *says; } cases[] = {
    { "", "brought_along is not registered" },
    { "int f() { return 1; }", "is not what this LLVM reads" },
    { "define float @brought_along(ptr %a, float %b) { ret float 1.0 }", "Argument 1 of the imported function brought_along is of LLVM's type ptr, the call gives float" },
    { "define float @brought_along(float %a) { ret float 1.0 }", "takes 1 argument, the call gives 2" },
    { "declare float @brought_along(float, float)", "brought_along is not registered" },
    { "define float @main(float %a) { ret float 1.0 }", "defines main, which there is already" },
    { "define i32 @f() { entry:\n  br label %b\na:\n  %x = add i32 1, %y\n  br label %b\nb:\n  %y = add i32 1, %x\n  ret i32 %y }", "is not well formed" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_autoptr (LsObject) object = compile (good[0], cases[i].code, TRUE, &error);

      if (object != NULL || strstr (error->message, cases[i].says) == NULL)
        g_error ("%s: %s", cases[i].code, object == NULL ? error->message : "compiled");
    }
}

static void
test_no_text (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (compile ("sch.annotate(sch.get_loops(\"C\")[0], \"pragma_import_llvm\", 3)\n", "", TRUE, &error));
  g_assert_error (error, LS_CODEGEN_ERROR, LS_CODEGEN_ERROR_PROGRAM);
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exec/import/runs", test_runs);
  g_test_add_func ("/exec/import/file", test_file);
  g_test_add_func ("/exec/import/refused", test_refused);
  g_test_add_func ("/exec/import/no-text", test_no_text);
  status = g_test_run ();
  ls_pool_shutdown ();
  return status;
}
