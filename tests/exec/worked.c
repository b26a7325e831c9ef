/* worked: the schedules of data/samples.
 *
 * Every FILE.py with a FILE_steps.py: the steps apply, and the result is that of the unscheduled program, in the
 * interpreter (at smaller sizes where the steps allow them) and as machine code.  The product of 1024 is only applied
 * here; the benchmark compares its result with OpenBLAS.  The steps for vectors of 16 numbers give the same everywhere: those of 1024 are held to the
 * ones for vectors of 8, since the unscheduled program takes seconds.
 */
#include "engine/codegen/codegen.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/programs.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *name;
  const char *smaller[9];       /* what is replaced by what, for the interpreter */
  gboolean    interpreted, compiled;
  double      tolerance;        /* of the largest element; 0: 2e-5 */
  const char *steps;            /* the ending of their file; NULL: _steps.py */
  const char *against;          /* steps whose result it is held to; NULL: the program without any */
} Worked;

static const Worked all[] = {
  { "mm_relu", { "128", "16" }, TRUE, TRUE },
  { "matmul_128", { NULL }, TRUE, TRUE },
  { "matmul_512", { NULL }, FALSE, TRUE },
  { "matmul_1024", { NULL }, FALSE, FALSE },
  { "matmul_128", { NULL }, TRUE, TRUE, 0, "_steps.avx512.py" },
  { "matmul_512", { NULL }, FALSE, TRUE, 0, "_steps.avx512.py" },
  { "matmul_1024", { NULL }, FALSE, TRUE, 0, "_steps.avx512.py", "_steps.py" },
  { "softmax", { "256", "3" }, TRUE, TRUE },
  { "layer_norm", { "256", "3" }, TRUE, TRUE },
  { "reduction", { "1048576", "8192" }, TRUE, TRUE, 2e-4 },   /* a million additions one after the other lose digits */
  { "conv2d", { "64", "8", "56", "8", "58", "10", "57", "9" }, TRUE, TRUE },
};

static LsJit *jit;

static char *
read_sample (const char *name,
             const char *ending)
{
  g_autofree char *path = g_strconcat ("../data/samples/", name, ending, NULL);

  return ls_test_read (path, NULL);
}

static LsModule *
parse (const Worked *worked,
       gboolean      smaller)
{
  g_autofree char *text = read_sample (worked->name, ".py");
  g_autoptr (GString) program = g_string_new (text);
  g_autoptr (LsSource) source = NULL;
  LsModule *module;

  for (guint i = 0; smaller && worked->smaller[i] != NULL; i += 2)
    g_string_replace (program, worked->smaller[i], worked->smaller[i + 1], 0);
  source = ls_source_new (worked->name, program->str, -1);
  module = ls_script_parse (source, NULL);
  g_assert_nonnull (module);
  return module;
}

static LsModule *
apply (const Worked *worked,
       LsModule     *module,
       const char   *ending)
{
  g_autofree char *text = read_sample (worked->name, ending);
  g_autoptr (LsSource) steps = ls_source_new ("steps", text, -1);
  g_autoptr (LsSchedule) schedule = ls_schedule_new (module);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();

  ls_schedule_apply_text (schedule, steps, 0, diagnostics);
  if (ls_diagnostics_has_error (diagnostics))
    {
      g_autofree char *findings = ls_diagnostics_print (diagnostics);

      g_error ("%s: %s", worked->name, findings);
    }
  return ls_ref (ls_schedule_get_module (schedule));
}

static LsPrimFunc *
func_of (LsModule *module)
{
  return ls_array_at (module->functions, 0, LsPrimFunc);
}

static void
run_compiled (LsModule  *module,
              GPtrArray *arrays)
{
  const char *name = ls_array_at (module->global_vars, 0, LsGlobalVar)->name_hint;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTarget) target = ls_target_parse (NULL, &error);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .prefix = prefix };
  g_autoptr (LsModule) lowered = ls_lower_module (module, NULL, NULL, &error);
  g_autoptr (LsObject) object = lowered != NULL ? ls_codegen_compile (lowered, name, target, &options, &error) : NULL;
  g_autoptr (LsKernel) kernel = object != NULL ? ls_jit_add (jit, object, &error) : NULL;
  g_autofree LsArg *args = g_new0 (LsArg, arrays->len + 1);

  g_assert_no_error (error);
  for (guint i = 0; i < arrays->len; i++)
    {
      args[i].kind = LS_ARG_TENSOR;
      args[i].v_tensor = arrays->pdata[i];
    }
  ls_kernel_call (kernel, name, args, (int) arrays->len, NULL, &error);
  g_assert_no_error (error);
}

/* Sums in another order differ by rounding. */
static void
compare (const Worked *worked,
         LsNDArray    *a,
         LsNDArray    *b)
{
  gint64 n = 1;
  double largest = 0, worst = 0;

  for (int i = 0; i < a->tensor.ndim; i++)
    n *= a->tensor.shape[i];
  for (gint64 i = 0; i < n; i++)
    {
      double x = ls_tensor_get_double (&a->tensor, i);

      largest = MAX (largest, fabs (x));
      worst = MAX (worst, fabs (x - ls_tensor_get_double (&b->tensor, i)));
    }
  if (!(worst <= (worked->tolerance > 0 ? worked->tolerance : 2e-5) * MAX (largest, 1)))
    g_error ("%s: results differ by %g, the largest is %g", worked->name, worst, largest);
}

static void
test_worked (gconstpointer data)
{
  const Worked *worked = data;

  for (guint compiled = 0; compiled < 2; compiled++)
    {
      g_autoptr (LsModule) given = parse (worked, !compiled);
      g_autoptr (LsModule) before = worked->against != NULL ? apply (worked, given, worked->against) : ls_ref (given);
      g_autoptr (LsModule) after = apply (worked, given, worked->steps != NULL ? worked->steps : "_steps.py");
      g_autoptr (GPtrArray) expected = ls_test_arrays (func_of (before), 7);
      g_autoptr (GPtrArray) actual = ls_test_arrays (func_of (before), 7);
      g_autoptr (GError) error = NULL;

      if (compiled ? !worked->compiled : !worked->interpreted)
        continue;
      if (compiled)
        {
          run_compiled (before, expected);
          run_compiled (after, actual);
        }
      else
        {
          ls_test_interpret (before, func_of (before), expected, &error);
          g_assert_no_error (error);
          ls_test_interpret (after, func_of (after), actual, &error);
          g_assert_no_error (error);
        }
      compare (worked, expected->pdata[expected->len - 1], actual->pdata[actual->len - 1]);
    }
}

int
main (int    argc,
      char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  jit = ls_jit_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autofree char *path = g_strconcat ("/exec/worked/", all[i].name, all[i].steps != NULL ? ".avx512" : NULL, NULL);

      g_test_add_data_func (path, &all[i], test_worked);
    }
  status = g_test_run ();
  ls_jit_free (jit);
  ls_pool_shutdown ();
  return status;
}
