/* programs: the TVMScript files of programs/ on the numbers in their heads.
 *
 *   #! A = 1 2 3     input, row-major
 *   #! B == 2 4 6    expected output (starts as zeros)
 *   #! A : 2 3       the extents of A where the signature leaves them open
 *
 * Each runs in the interpreter, as machine code from the program as written, after lowering, and with bounds checks.
 */
#include "engine/codegen/codegen.h"
#include "engine/script/parser.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/programs.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { INTERPRETER, DIRECT, LOWERED, CHECKED } Way;

static const char *const WAYS[] = { "interpreter", "direct", "lowered", "checked" };
static LsJit *jit;

/* The rest of the line "#! NAME MARK ...", or NULL. (transfer full) */
static char *
head_line (const char *text,
           const char *name,
           const char *mark)
{
  g_autofree char *start = g_strdup_printf ("#! %s %s ", name, mark);
  const char *found = g_str_has_prefix (text, start) ? text : NULL;
  g_autofree char *inside = g_strconcat ("\n", start, NULL);

  if (found == NULL && (found = strstr (text, inside)) != NULL)
    found++;
  return found != NULL ? g_strndup (found + strlen (start), strcspn (found + strlen (start), "\n")) : NULL;
}

static GArray *
read_numbers (const char *text)
{
  GArray *numbers = g_array_new (FALSE, FALSE, sizeof (double));
  char *end = (char *) text;

  while (text != NULL && *text != 0)
    {
      double v = g_ascii_strtod (text, &end);

      if (end == text)
        break;
      g_array_append_val (numbers, v);
      text = end;
    }
  return numbers;
}

static LsNDArray *
make_array (const char *text,
            LsBuffer   *buffer)
{
  g_autofree char *extents = head_line (text, buffer->name, ":");
  g_autofree char *input = head_line (text, buffer->name, "=");
  g_autoptr (GArray) shape = read_numbers (extents);
  g_autoptr (GArray) numbers = read_numbers (input);
  gint64 dims[8] = { 0 };
  g_autoptr (GError) error = NULL;
  LsDLDataType dtype;
  LsNDArray *array;

  for (guint i = 0; i < buffer->shape->n; i++)
    if (!ls_as_int (buffer->shape->items[i], &dims[i]))
      dims[i] = (gint64) g_array_index (shape, double, i);
  g_assert_true (ls_dl_dtype_parse (ls_dtype_name (buffer->dtype), &dtype, NULL));
  array = ls_ndarray_new ((int) buffer->shape->n, dims, dtype, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < numbers->len; i++)
    ls_tensor_set_double (&array->tensor, i, g_array_index (numbers, double, i));
  return array;
}

static gboolean
run_compiled (LsModule   *module,
              const char *name,
              Way         way,
              GPtrArray  *arrays,
              GError    **error)
{
  g_autoptr (LsTarget) target = ls_target_parse (NULL, error);
  g_autofree char *prefix = ls_jit_unique_prefix ();
  LsCodegenOptions options = { .prefix = prefix, .check_bounds = way == CHECKED };
  g_autoptr (LsModule) lowered = way == LOWERED ? ls_lower_module (module, NULL, NULL, error) : ls_ref (module);
  g_autoptr (LsObject) object = lowered != NULL ? ls_codegen_compile (lowered, name, target, &options, error) : NULL;
  g_autoptr (LsKernel) kernel = object != NULL ? ls_jit_add (jit, object, error) : NULL;
  g_autofree LsArg *args = g_new0 (LsArg, arrays->len + 1);

  for (guint i = 0; i < arrays->len; i++)
    {
      args[i].kind = LS_ARG_TENSOR;
      args[i].v_tensor = arrays->pdata[i];
    }
  return kernel != NULL && ls_kernel_call (kernel, name, args, (int) arrays->len, NULL, error);
}

static void
compare (const char *path,
         const char *text,
         Way         way,
         LsBuffer   *buffer,
         LsNDArray  *array)
{
  g_autofree char *line = head_line (text, buffer->name, "==");
  g_autoptr (GArray) expected = read_numbers (line);

  for (guint i = 0; i < expected->len; i++)
    {
      double actual = ls_tensor_get_double (&array->tensor, i);
      double wanted = g_array_index (expected, double, i);

      if (fabs (actual - wanted) > 1e-6 * fabs (wanted))
        g_error ("%s, %s: %s[%u] is %g, expected %g", path, WAYS[way], buffer->name, i, actual, wanted);
    }
}

static void
run_way (const char *path,
         const char *text,
         LsModule   *module,
         Way         way)
{
  const char *name = ls_array_at (module->global_vars, 0, LsGlobalVar)->name_hint;
  LsPrimFunc *func;
  g_autoptr (GPtrArray) arrays = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_ndarray_unref);
  g_autoptr (GError) error = NULL;
  gboolean ok;

  if (ls_module_get (module, "main") != NULL)
    name = "main";
  func = (LsPrimFunc *) ls_module_get (module, name);
  for (guint i = 0; i < func->params->n; i++)
    g_ptr_array_add (arrays, make_array (text, ls_prim_func_get_buffer (func, i)));
  ok = way == INTERPRETER ? ls_test_interpret (module, func, arrays, &error) : run_compiled (module, name, way, arrays, &error);
  if (!ok && way == INTERPRETER && g_error_matches (error, LS_INTERP_ERROR, LS_INTERP_ERROR_UNSUPPORTED))
    return;
  if (!ok)
    g_error ("%s, %s: %s", path, WAYS[way], error->message);
  for (guint i = 0; i < func->params->n; i++)
    compare (path, text, way, ls_prim_func_get_buffer (func, i), arrays->pdata[i]);
}

static void
test_program (gconstpointer data)
{
  const char *path = data;
  g_autofree char *text = ls_test_read (path, NULL);
  g_autoptr (LsSource) source = ls_source_new (path, text, -1);
  g_autoptr (LsDiagnostics) diagnostics = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, diagnostics);

  if (module == NULL || ls_diagnostics_has_error (diagnostics))
    {
      g_autofree char *findings = ls_diagnostics_print (diagnostics);

      g_error ("%s", findings);
    }
  for (guint way = INTERPRETER; way <= CHECKED; way++)
    run_way (path, text, module, (Way) way);
}

static GPtrArray *
add_tests (void)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *folder = ls_test_path ("exec/programs");
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".py"))
      {
        g_autofree char *stem = g_strndup (name, strlen (name) - strlen (".py"));
        g_autofree char *test = g_strconcat ("/exec/programs/", stem, NULL);

        g_ptr_array_add (paths, g_strconcat ("exec/programs/", name, NULL));
        g_test_add_data_func (test, paths->pdata[paths->len - 1], test_program);
      }
  return paths;
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GPtrArray) paths = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  jit = ls_jit_new (NULL);
  paths = add_tests ();
  status = g_test_run ();
  ls_jit_free (jit);
  ls_pool_shutdown ();
  return status;
}
