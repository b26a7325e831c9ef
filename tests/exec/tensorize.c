/* A block that a C function does: the course's 16 x 16 product, in the interpreter and in machine code, against the
 * program before tensorize. */
#include "engine/codegen/codegen.h"
#include "engine/interp/interp.h"
#include "engine/schedule/intrin/intrin.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <string.h>

static int
tmm16 (float *c, const float *a, const float *b, int sa, int sb, int sc)
{
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 16; j++)
      for (int k = 0; k < 16; k++)
        c[i * sc + j] += a[i * sa + k] * b[j * sb + k];
  return 0;
}

static gboolean
call_it (const char *name, const LsInterpArg *args, guint n, double *result, gpointer user_data)
{
  guint *calls = user_data;

  if (strcmp (name, "tmm16") != 0 || n != 6)
    return FALSE;
  *result = tmm16 (args[0].data, args[1].data, args[2].data, (int) args[3].int_value, (int) args[4].int_value, (int) args[5].int_value);
  *calls += 1;
  return TRUE;
}

/* The program of a golden file after its steps, and before them. */
static LsModule *
read_case (const char *path, LsModule **before)
{
  g_autofree char *text = ls_test_read (path, NULL);
  char *intrin = strstr (text, "# intrin\n"), *steps = strstr (text, "# steps\n");
  g_autofree char *program = g_strndup (text, intrin - text);
  g_autofree char *functions = g_strndup (intrin, steps - intrin);
  g_autoptr (LsSource) source = ls_source_new ("intrin", functions, -1);
  g_autoptr (LsSource) calls = ls_source_new ("steps", steps, -1);
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSchedule) schedule = NULL;

  g_assert_cmpuint (ls_tensor_intrin_register_text (source, findings), ==, 1);
  *before = ls_test_parse (program);
  schedule = ls_schedule_new (*before);
  ls_schedule_apply_text (schedule, calls, 0, findings);
  g_assert_false (ls_diagnostics_has_error (findings));
  return ls_ref (ls_schedule_get_module (schedule));
}

static GPtrArray *
arrays_of (LsPrimFunc *func)
{
  GPtrArray *contents = ls_test_arguments (func, 5);

  for (guint i = 0; i < contents->len; i++)
    {
      gsize size;
      gpointer data = g_bytes_unref_to_data (contents->pdata[i], &size);

      contents->pdata[i] = data;
    }
  g_ptr_array_set_free_func (contents, g_free);
  return contents;
}

static void
interpret (LsModule *module, LsPrimFunc *func, GPtrArray *arrays, guint *calls)
{
  static const gint64 SHAPE[] = { 64, 64 };
  LsInterpOptions options = { .module = module, .on_extern = call_it, .user_data = calls };
  LsInterpArg args[3];
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 3; i++)
    args[i] = (LsInterpArg) { LS_FLOAT32, TRUE, arrays->pdata[i], 2, SHAPE, NULL, 0, 0 };
  ls_interp_run (func, args, 3, &options, &error);
  g_assert_no_error (error);
}

static void
run_compiled (LsPrimFunc *func, GPtrArray *arrays)
{
  gint64 shape[] = { 64, 64 };
  g_autoptr (GError) error = NULL;
  g_autoptr (LsPrimFunc) lowered = ls_lower (func, NULL, NULL, &error);
  g_autoptr (LsModule) module = ls_module_new (ls_array_of (ls_global_var_new ("main"), NULL), ls_array_of (ls_ref (lowered), NULL), NULL, NULL);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  g_autoptr (LsTarget) target = ls_target_parse ("llvm", NULL);
  LsCodegenOptions options = { .prefix = prefix };
  LsJit *jit = ls_jit_new (NULL);
  LsArg args[3];
  LsNDArray *copies[3];

  {
    g_autoptr (LsObject) object = ls_codegen_compile (module, "main", target, &options, &error);
    g_autoptr (LsKernel) kernel = NULL;

    g_assert_no_error (error);
    kernel = ls_jit_add (jit, object, &error);
    g_assert_no_error (error);
    for (guint i = 0; i < 3; i++)
      {
        copies[i] = ls_ndarray_new (2, shape, (LsDLDataType) { LS_TYPE_FLOAT, 32, 1 }, &error);
        memcpy (copies[i]->tensor.data, arrays->pdata[i], 64 * 64 * 4);
        args[i].kind = LS_ARG_TENSOR;
        args[i].v_tensor = &copies[i]->tensor;
      }
    ls_kernel_call (kernel, "main", args, 3, NULL, &error);
    g_assert_no_error (error);
    for (guint i = 0; i < 3; i++)
      {
        memcpy (arrays->pdata[i], copies[i]->tensor.data, 64 * 64 * 4);
        ls_ndarray_unref (copies[i]);
      }
  }
  ls_jit_free (jit);
}

static void
test_case (gconstpointer path)
{
  g_autoptr (LsModule) before = NULL;
  g_autoptr (LsModule) after = read_case (path, &before);
  LsPrimFunc *plain = (LsPrimFunc *) ls_module_get (before, "main");
  LsPrimFunc *func = (LsPrimFunc *) ls_module_get (after, "main");
  g_autoptr (GPtrArray) want = arrays_of (plain);
  g_autoptr (GPtrArray) got = arrays_of (plain);
  g_autoptr (GPtrArray) compiled = arrays_of (plain);
  guint calls = 0;

  interpret (before, plain, want, &calls);
  g_assert_cmpuint (calls, ==, 0);
  interpret (after, func, got, &calls);
  g_assert_cmpuint (calls, ==, 64);
  g_assert_cmpmem (got->pdata[2], 64 * 64 * 4, want->pdata[2], 64 * 64 * 4);
  run_compiled (func, compiled);
  g_assert_cmpmem (compiled->pdata[2], 64 * 64 * 4, want->pdata[2], 64 * 64 * 4);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  ls_jit_register_symbol ("tmm16", (gpointer) tmm16);
  g_test_add_data_func ("/exec/tensorize/accelerator", "golden/schedule/tensorize/accelerator.py", test_case);
  g_test_add_data_func ("/exec/tensorize/loop", "golden/schedule/tensorize/loop.py", test_case);
  g_test_add_data_func ("/exec/tensorize/block-with-init", "golden/schedule/tensorize/block-with-init.py", test_case);
  status = g_test_run ();
  ls_pool_shutdown ();
  return status;
}
