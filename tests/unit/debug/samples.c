/* Every program of data/samples, as it is opened and after the steps that lie beside it, at a toy size: the debugger stops where it is asked to, forwards and
 * backwards, and the values are those of machine code of the program before its steps, which knows nothing of the interpreter.
 */
#include "engine/codegen/vm-build.h"
#include "engine/debug/vm.h"
#include "engine/relax/pass/pass.h"
#include "engine/schedule/schedule.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/random.h"
#include "tests/support/support.h"

#include <math.h>
#include <string.h>

#define SEED 4

/* ---- machine code ----------------------------------------------------------------------------- */

static LsDLDataType
dl_type (LsDType t)
{
  return ls_dtype_is_bool (t) ? LS_DT_BOOL : (LsDLDataType) { t.code == LS_TYPE_BFLOAT ? LS_DL_BFLOAT : t.code, t.bits, t.lanes };
}

/* Runs the function on these arrays, which it writes into. */
static void
run_compiled (LsModule   *module,
              const char *name,
              GArray     *arrays)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTarget) target = ls_target_parse (NULL, &error);
  g_autoptr (LsJit) jit = ls_jit_new (&error);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .prefix = prefix };
  g_autoptr (LsModule) lowered = ls_lower_module (module, NULL, NULL, &error);
  g_autoptr (LsObject) object = lowered != NULL ? ls_codegen_compile (lowered, name, target, &options, &error) : NULL;
  g_autoptr (LsKernel) kernel = object != NULL ? ls_jit_add (jit, object, &error) : NULL;
  g_autofree LsArg *args = g_new0 (LsArg, arrays->len + 1);
  g_autofree LsDLTensor *tensors = g_new0 (LsDLTensor, arrays->len + 1);

  g_assert_no_error (error);
  for (guint i = 0; i < arrays->len; i++)
    {
      LsInterpArg *one = &g_array_index (arrays, LsInterpArg, i);

      tensors[i] = (LsDLTensor) { one->data, { LS_DL_CPU, 0 }, (gint32) one->ndim, dl_type (one->dtype), (gint64 *) one->shape, NULL, 0 };
      args[i] = (LsArg) { .kind = LS_ARG_TENSOR, .v_tensor = &tensors[i] };
    }
  g_assert_true (ls_kernel_call (kernel, name, args, (int) arrays->len, NULL, &error));
  g_assert_no_error (error);
}

/* ---- one program ------------------------------------------------------------------------------- */

static GVariant *
say (LsDebug    *debug,
     const char *line)
{
  g_autoptr (GError) error = NULL;
  GVariant *answer = ls_debug_command (debug, line, &error);

  g_assert_no_error (error);
  return answer;
}

static gboolean
is_near (double a,
         double b)
{
  return a == b || (isnan (a) && isnan (b)) || fabs (a - b) <= 1e-4 * fmax (1, fmax (fabs (a), fabs (b)));
}

static gint64
n_elements (const LsInterpArg *arg)
{
  gint64 n = 1;

  for (guint d = 0; d < arg->ndim; d++)
    n *= arg->shape[d];
  return n;
}

/* Every array at the end of the run. Returns how many elements were compared of those that the program writes. */
static gint64
check_values (LsDebug    *debug,
              LsPrimFunc *func,
              GArray     *arrays)
{
  gint64 n_written = 0;

  for (guint i = 0; i < arrays->len; i++)
    {
      const LsInterpArg *arg = &g_array_index (arrays, LsInterpArg, i);
      LsRunBuffer view;

      g_assert_true (ls_run_get_buffer (ls_debug_get_run (debug), ls_prim_func_get_buffer (func, i), &view));
      for (gint64 k = 0; k < n_elements (arg); k++)
        {
          LsRunValue value;
          double expected = ls_interp_load (arg->dtype, (guint8 *) arg->data + k * ls_dtype_bytes (arg->dtype));

          n_written += ls_run_element (&view, k, &value);
          if (!is_near (ls_dtype_is_float (value.dtype) ? value.f : (double) value.i, expected))
            g_error ("element %" G_GINT64_FORMAT " of array %u is %g, not %g", k, i, value.f, expected);
        }
    }
  return n_written;
}

/* A breakpoint on one element of the last array: the last time, what is written is the value of the machine code; backwards it is met at the same place. */
static void
check_stops (LsDebug    *debug,
             LsPrimFunc *func,
             GArray     *arrays,
             gint64      element)
{
  const LsInterpArg *arg = &g_array_index (arrays, LsInterpArg, arrays->len - 1);
  g_autofree char *name = ls_debug_text_name (ls_debug_get_text (debug), ls_prim_func_get_buffer (func, arrays->len - 1));
  g_autoptr (GString) command = g_string_new (NULL);
  g_autoptr (GString) indices = g_string_new (NULL);
  gint64 rest = element;
  guint64 last = 0;
  double value = NAN;
  guint hits = 0;

  for (guint d = arg->ndim; d-- > 0; rest /= arg->shape[d])
    {
      g_autofree char *one = g_strdup_printf ("%" G_GINT64_FORMAT, rest % arg->shape[d]);

      g_string_prepend (indices, d + 1 < arg->ndim ? ", " : "");
      g_string_prepend (indices, one);
    }
  g_string_printf (command, "break write %s[%s]", name, indices->str);
  {
    g_autoptr (GVariant) added = say (debug, command->str);
    g_autoptr (GVariant) begun = say (debug, "start");
  }
  while (TRUE)
    {
      g_autoptr (GVariant) answer = say (debug, "continue");
      const LsDebugHit *hit = ls_debug_get_hit (debug);

      if (ls_run_get_state (ls_debug_get_run (debug)) != LS_RUN_STANDS)
        break;
      g_assert_nonnull (hit);
      g_assert_cmpint (hit->element, ==, element);
      value = hit->value;
      last = ls_run_get_clock (ls_debug_get_run (debug));
      hits++;
    }
  g_assert_cmpuint (hits, >, 0);
  g_assert_true (is_near (value, ls_interp_load (arg->dtype, (guint8 *) arg->data + element * ls_dtype_bytes (arg->dtype))));
  {
    g_autoptr (GVariant) back = say (debug, "back-continue");
    g_autoptr (GVariant) none = say (debug, "delete");
  }
  g_assert_cmpuint (ls_run_get_clock (ls_debug_get_run (debug)), ==, last);
}

static void
check_program (LsModule   *module,
               LsModule   *base,
               const char *name,
               gboolean    stops)
{
  g_autoptr (GError) error = NULL;
  LsDebugInputs inputs = { NULL, NULL, SEED };
  g_autoptr (LsDebug) debug = ls_debug_new (module, name, &inputs, &error);
  g_autoptr (GArray) arrays = ls_debug_arguments ((LsPrimFunc *) ls_module_get (base, name), &inputs, &error);
  g_autoptr (GVariant) end = NULL;
  gint64 n;

  g_assert_no_error (error);
  run_compiled (base, name, arrays);
  end = say (debug, "end");
  g_assert_cmpint (ls_run_get_state (ls_debug_get_run (debug)), ==, LS_RUN_FINISHED);
  g_assert_cmpint (check_values (debug, ls_debug_get_func (debug), arrays), >, 0);
  n = n_elements (&g_array_index (arrays, LsInterpArg, arrays->len - 1));
  if (stops)
    check_stops (debug, ls_debug_get_func (debug), arrays, n - 1);
}

/* ---- the files ------------------------------------------------------------------------------------ */

static LsModule *
read_sample (const char *path)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return ls_test_parse (text);
}

/* The steps beside the program, or NULL. */
static LsTrace *
read_steps (LsModule   *module,
            const char *path)
{
  g_autofree char *steps_path = g_strdup_printf ("%.*s_steps.py", (int) (strlen (path) - 3), path);
  g_autofree char *text = NULL;
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsSource) source = NULL;
  g_autoptr (LsCallList) list = NULL;
  g_autoptr (LsSchedule) schedule = NULL;

  if (!g_file_get_contents (steps_path, &text, NULL, NULL))
    return NULL;
  source = ls_source_new (steps_path, text, -1);
  list = ls_script_parse_calls (source, findings);
  schedule = ls_schedule_new (module);
  for (guint i = 0; i < ls_call_list_get_n (list); i++)
    g_assert_true (ls_schedule_apply_call (schedule, list, ls_call_list_get (list, i), findings));
  return ls_trace_of (schedule);
}

/* A model: each value of the graph, and the result, against the virtual machine with compiled code. */
static void
check_graph (LsModule *module)
{
  g_autoptr (GError) error = NULL;
  LsDebugInputs inputs = { NULL, NULL, SEED };
  g_autoptr (LsDebugGraph) graph = ls_debug_graph_new (module, NULL, &inputs, &error);
  g_autoptr (GPtrArray) args = ls_debug_vm_arguments ((LsFunction *) ls_module_get (module, "main"), &inputs, &error);
  g_autoptr (LsTarget) target = ls_target_parse (NULL, &error);
  g_autoptr (LsJit) jit = ls_jit_new (&error);
  g_autoptr (LsVMExecutable) executable = ls_vm_build (module, target, NULL, &error);
  g_autoptr (LsKernel) kernel = executable != NULL ? ls_vm_link (jit, executable, &error) : NULL;
  g_autoptr (LsVM) vm = executable != NULL ? ls_vm_new (executable, ls_vm_resolve_kernel, kernel, &error) : NULL;
  g_autoptr (LsVMValue) result = vm != NULL ? ls_vm_call (vm, "main", (LsVMValue **) args->pdata, args->len, &error) : NULL;
  LsGraphValue *value;

  g_assert_no_error (error);
  g_assert_cmpint (graph->result, >=, 0);
  value = graph->values->pdata[graph->result];
  for (gint64 i = 0; i < value->n; i++)
    g_assert_true (is_near (((float *) value->data)[i], ((float *) result->tensor->tensor.data)[i]));
}

static const char *
first_prim_func (LsModule *module)
{
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    if (ls_is (module->functions->items[i], PRIM_FUNC))
      return ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint;
  return NULL;
}

static void
check_sample (gconstpointer path)
{
  g_autoptr (LsModule) module = read_sample (path);
  const char *name = first_prim_func (module);
  g_autoptr (LsTrace) steps = name != NULL ? read_steps (module, path) : NULL;
  LsTrace *none = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) plain = NULL;
  g_autoptr (GPtrArray) toys = NULL;
  g_autofree char *words = NULL;

  if (name == NULL)
    {
      check_graph (module);
      return;
    }
  plain = ls_debug_toy_scheduled (module, &none, 1, 8, NULL, &error);
  g_assert_no_error (error);
  check_program (plain->pdata[1], plain->pdata[0], name, TRUE);
  if (steps == NULL)
    return;
  if (strstr (path, "matmul_512") != NULL || strstr (path, "matmul_1024") != NULL)
    {
      g_test_message ("its steps hold at its full size only, which is too large for a test");
      return;
    }
  toys = ls_debug_toy_scheduled (module, &steps, 1, 8, &words, &error);
  g_assert_no_error (error);
  check_program (toys->pdata[1], toys->pdata[0], name, *words != '\0');       /* matmul_128 cannot be shrunk: its values, but no walk through all of it */
}

/* What tensor expressions become when they are fused: operators of topi, legalized, annotated, fused; each function that comes of it. */
static void
check_fused (void)
{
  static const char text[] =
    "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n"
    "    @R.function\n"
    "    def main(x: R.Tensor((5, 6), \"float32\"), w: R.Tensor((6, 7), \"float32\"), b: R.Tensor((7,), \"float32\"), i: R.Tensor((1, 2, 6, 6), \"float32\"),\n"
    "             k: R.Tensor((3, 2, 3, 3), \"float32\")) -> R.Tuple(R.Tensor((5,), \"float32\"), R.Tensor((1, 3, 4, 4), \"float32\")):\n"
    "        with R.dataflow():\n"
    "            a = R.matmul(x, w)\n"
    "            c = R.add(a, b)\n"
    "            d = R.nn.relu(c)\n"
    "            e = R.exp(d)\n"
    "            f = R.multiply(e, R.const(0.5, \"float32\"))\n"
    "            g = R.sum(f, axis=1)\n"
    "            h = R.nn.conv2d(i, k)\n"
    "            l = R.nn.relu(h)\n"
    "            m = R.tanh(l)\n"
    "            out = (g, m)\n"
    "            R.output(out)\n"
    "        return out\n";
  static const char *const passes[] = { "LegalizeOps", "AnnotateTIROpPattern", "FuseOps", "FuseTIR" };
  g_autoptr (LsModule) module = ls_test_parse (text);
  g_autoptr (GError) error = NULL;
  guint n_fused = 0;

  for (guint i = 0; i < G_N_ELEMENTS (passes); i++)
    {
      const LsRelaxPass *pass = ls_relax_pass_get (passes[i], &error);
      g_autoptr (LsMap) args = pass != NULL ? ls_relax_pass_arguments (pass, NULL, NULL, &error) : NULL;
      LsModule *next = args != NULL ? ls_relax_pass_run (pass, module, args, &error) : NULL;

      g_assert_no_error (error);
      ls_node_unref (LS_NODE (module));
      module = next;
    }
  for (guint i = 0; i < ls_array_n (module->functions); i++)
    {
      LsNode *func = module->functions->items[i];
      g_autofree char *program = ls_is (func, PRIM_FUNC) ? ls_script_print (func, NULL, NULL) : NULL;
      g_autoptr (LsModule) alone = program != NULL ? ls_test_parse (program) : NULL;

      if (alone == NULL)
        continue;
      g_test_message ("%s", ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint);
      n_fused += g_str_has_prefix (ls_array_at (module->global_vars, i, LsGlobalVar)->name_hint, "fused");
      check_program (alone, alone, first_prim_func (alone), TRUE);
    }
  g_assert_cmpuint (n_fused, >=, 2);
}

/* What no sample is: a stencil, and an argmax, whose last array is of integers. */
static void
check_written (gconstpointer text)
{
  g_autofree char *whole = g_strconcat ("from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n", text, NULL);
  g_autoptr (LsModule) module = ls_test_parse (whole);

  check_program (module, module, "main", TRUE);
}

static const char stencil[] =
  "    def main(A: T.Buffer((9, 11)), B: T.Buffer((9, 11))):\n"
  "        for i, j in T.grid(9, 11):\n"
  "            with T.block(\"B\"):\n"
  "                vi, vj = T.axis.remap(\"SS\", [i, j])\n"
  "                B[vi, vj] = T.if_then_else(vi > 0 and vi < 8 and vj > 0 and vj < 10,\n"
  "                                           A[vi - 1, vj] + A[vi + 1, vj] + A[vi, vj - 1] + A[vi, vj + 1] - T.float32(4) * A[vi, vj], A[vi, vj])\n";
static const char argmax[] =
  "    def main(A: T.Buffer((5, 8)), V: T.Buffer((5,)), P: T.Buffer((5,), \"int32\")):\n"
  "        for i, k in T.grid(5, 8):\n"
  "            with T.block(\"argmax\"):\n"
  "                vi, vk = T.axis.remap(\"SR\", [i, k])\n"
  "                with T.init():\n"
  "                    P[vi] = -1\n"
  "                    V[vi] = T.min_value(\"float32\")\n"
  "                v_p: T.int32 = T.Select(V[vi] >= A[vi, vk], P[vi], vk)\n"
  "                v_v: T.float32 = T.Select(V[vi] >= A[vi, vk], V[vi], A[vi, vk])\n"
  "                P[vi] = v_p\n"
  "                V[vi] = v_v\n";

static void
add_folder (const char *folder,
            const char *prefix,
            GPtrArray  *paths)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      if (!g_str_has_suffix (name, ".py") || strstr (name, "_steps.") != NULL)
        continue;
      {
        g_autofree char *test = g_strdup_printf ("/samples/%s%s", prefix, name);
        char *kept = g_steal_pointer (&path);

        g_ptr_array_add (paths, kept);
        g_test_add_data_func (test, kept, check_sample);
      }
    }
  g_dir_close (dir);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = NULL;
  g_autofree char *gpu = NULL;

  g_test_init (&argc, &argv, NULL);
  folder = ls_test_path ("../data/samples");
  gpu = g_build_filename (folder, "gpu", NULL);
  add_folder (folder, "", paths);
  add_folder (gpu, "gpu/", paths);
  g_assert_cmpuint (paths->len, >=, 15);
  g_test_add_func ("/samples/fused", check_fused);
  g_test_add_data_func ("/samples/stencil", stencil, check_written);
  g_test_add_data_func ("/samples/argmax", argmax, check_written);
  return g_test_run ();
}
