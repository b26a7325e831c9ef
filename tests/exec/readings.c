/* readings: a program as NumPy and as C computes what the interpreter computes.
 *
 * The programs of data/samples with and without their steps, of tests/exec/programs, and of the golden files of the primitives after their
 * steps: each is written in both languages.  All texts have to be Python and C; those that are short enough for Python's loops are run on seeded
 * numbers.  A text that is refused says what of the program it is that has no form.  Relax functions are held to the virtual machine.
 */
#include "engine/codegen/numpy/numpy.h"
#include "engine/codegen/vm-build.h"
#include "engine/relax/relax.h"
#include "engine/schedule/schedule.h"
#include "engine/script/script.h"
#include "engine/tir/pass/pass.h"
#include "tests/support/programs.h"
#include "tests/support/support.h"

#include <glib/gstdio.h>
#include <gmodule.h>
#include <string.h>

#define MOST_OPERATIONS 60000

/* All cases run in one process of Python and one library. */
typedef struct {
  char       *dir;
  GPtrArray  *cases;            /* of Case */
  GHashTable *refused;          /* what -> how often */
  guint       n_refused_c;
} Readings;

typedef struct {
  char       *name;
  LsModule   *module;
  LsPrimFunc *func;             /* NULL: Relax */
  GPtrArray  *given, *expected; /* of LsNDArray; NULL: not run */
  LsVMValue  *result;           /* of Relax */
  gboolean    in_numpy, in_c;
  char       *symbol;
} Case;

static void
case_free (gpointer data)
{
  Case *self = data;

  g_free (self->name);
  g_free (self->symbol);
  ls_unref (self->module);
  g_clear_pointer (&self->given, g_ptr_array_unref);
  g_clear_pointer (&self->expected, g_ptr_array_unref);
  g_clear_pointer (&self->result, ls_vm_value_unref);
  g_free (self);
}

static char *
path_of (Readings   *self,
         const Case *c,
         const char *ending)
{
  return g_strdup_printf ("%s/%s%s", self->dir, c->name, ending);
}

/* ---- writing ------------------------------------------------------------------------------ */

static void
write_numpy (Readings *self,
             Case     *c)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceText) text = ls_numpy_text_new (c->module, NULL, &error);
  g_autofree char *path = path_of (self, c, ".py");
  guint n = 0;

  if (text == NULL)
    {
      g_assert_error (error, LS_TEXT_ERROR, LS_TEXT_ERROR_UNSUPPORTED);
      g_assert_true (g_str_has_suffix (error->message, " has no form in NumPy here."));
      g_test_message ("%s: %s", c->name, error->message);
      g_hash_table_insert (self->refused, g_strdup (c->name), g_strdup (error->message));
      return;
    }
  for (const char *at = text->text; *at != '\0'; at++)
    n += *at == '\n';
  g_assert_cmpuint (text->lines->len, ==, n);
  c->in_numpy = TRUE;
  g_assert_true (g_file_set_contents (path, text->text, -1, NULL));
}

static void
write_c (Readings *self,
         Case     *c)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsModule) lowered = ls_lower_module (c->module, NULL, NULL, &error);
  g_autoptr (LsDeviceText) text = lowered != NULL ? ls_c_text_new (lowered, &error) : NULL;
  g_autofree char *path = path_of (self, c, ".c");
  g_autofree char *whole = NULL;

  if (text == NULL || text->functions[0] == NULL)
    {
      self->n_refused_c++;
      return;
    }
  c->symbol = g_strdup_printf ("case_%u", self->cases->len);
  whole = g_strdup_printf ("#define %s %s\n%s", text->functions[0], c->symbol, text->text);
  c->in_c = TRUE;
  g_assert_true (g_file_set_contents (path, whole, -1, NULL));
}

static gboolean
has_arrays (LsPrimFunc *func)
{
  for (guint i = 0; i < func->params->n; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);
      gint64 extent;

      if (buffer == NULL || buffer->dtype.code >= LS_TYPE_BFLOAT || (buffer->dtype.bits != 1 && buffer->dtype.bits % 8 != 0) || buffer->dtype.lanes != 1
          || ls_buffer_has_strides (buffer))
        return FALSE;
      for (guint k = 0; k < buffer->shape->n; k++)
        if (!ls_as_int (buffer->shape->items[k], &extent))
          return FALSE;
    }
  return TRUE;
}

/* What the interpreter makes of it, unless that takes long. */
static void
interpret (Case *c)
{
  g_autoptr (GPtrArray) arrays = has_arrays (c->func) ? ls_test_arrays (c->func, 7) : NULL;
  g_autofree LsInterpArg *args = g_new0 (LsInterpArg, c->func->params->n + 1);
  g_autoptr (GError) error = NULL;
  LsBudget budget;
  LsInterpOptions options = { .module = c->module, .budget = &budget };

  if (arrays == NULL)
    return;
  ls_budget_init (&budget, MOST_OPERATIONS, NULL);
  for (guint i = 0; i < arrays->len; i++)
    {
      LsDLTensor *tensor = &((LsNDArray *) arrays->pdata[i])->tensor;

      args[i] = (LsInterpArg) { ls_prim_func_get_buffer (c->func, i)->dtype, TRUE, tensor->data, (guint) tensor->ndim, tensor->shape, tensor->strides, 0, 0 };
    }
  if (!ls_interp_run (c->func, args, arrays->len, &options, &error))
    return;
  c->given = ls_test_arrays (c->func, 7);
  c->expected = g_steal_pointer (&arrays);
}

static LsModule *
parse (const char *text)
{
  LsSource *source = ls_source_new ("program", text, -1);        /* lives on: lines are asked for */
  g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();
  g_autoptr (LsModule) module = ls_script_parse (source, findings);

  return module != NULL && !ls_diagnostics_has_error (findings) ? g_steal_pointer (&module) : NULL;
}

/* Steps that TVM allows though they may change results: elements that nothing writes any more are anything at all. */
static gboolean
is_warned (LsDiagnostics *findings)
{
  for (guint i = 0; i < ls_diagnostics_get_n (findings); i++)
    if (ls_diagnostics_get (findings, i)->severity == LS_SEVERITY_WARNING)
      return TRUE;
  return FALSE;
}

static void
add_case (Readings   *self,
          const char *name,
          const char *program,
          const char *steps)
{
  g_autoptr (LsModule) module = parse (program);
  g_autoptr (LsSchedule) schedule = NULL;
  g_autofree char *text = NULL;
  Case *c;

  if (module == NULL)
    return;
  if (steps != NULL)
    {
      g_autoptr (LsSource) source = ls_source_new ("steps", steps, -1);
      g_autoptr (LsDiagnostics) findings = ls_diagnostics_new ();

      schedule = ls_schedule_new (module);
      if (steps[0] == '[' || (ls_schedule_apply_text (schedule, source, 0, findings), ls_diagnostics_has_error (findings)) || is_warned (findings))
        return;
      /* As people have it: printed, and read again. */
      text = ls_script_print (ls_schedule_get_module (schedule), NULL, NULL);
      ls_take (&module, parse (text));
      g_assert_nonnull (module);
    }
  if (module->functions->n != 1 || !ls_is (module->functions->items[0], PRIM_FUNC))
    return;
  c = g_new0 (Case, 1);
  c->name = g_strdup_printf ("%03u_%s", self->cases->len, name);
  g_strdelimit (c->name, "-./", '_');
  c->module = g_steal_pointer (&module);
  c->func = ls_array_at (c->module->functions, 0, LsPrimFunc);
  write_numpy (self, c);
  write_c (self, c);
  interpret (c);
  for (guint i = 0; c->given != NULL && i < c->given->len; i++)
    {
      g_autofree char *ending = g_strdup_printf (".in%u.npy", i);
      g_autofree char *path = path_of (self, c, ending);

      g_assert_true (ls_npy_write (path, &((LsNDArray *) c->given->pdata[i])->tensor, NULL));
    }
  g_ptr_array_add (self->cases, c);
}

/* ---- running -------------------------------------------------------------------------------- */

static const char DRIVER[] =
  "import sys, os, glob, warnings\nimport numpy as np\nwarnings.simplefilter('ignore')\nnp.seterr(all='ignore')\n"
  "for path in sorted(glob.glob(os.path.join(sys.argv[1], '*.py'))):\n"
  "    stem = path[:-3]\n    text = open(path).read()\n    code = compile(text, path, 'exec')\n"
  "    inputs = sorted(glob.glob(glob.escape(stem) + '.in*.npy'), key=lambda p: int(p[len(stem) + 3:-4]))\n    if not inputs: continue\n"
  "    names = {}\n    exec(code, names)\n    function = [v for v in names.values() if callable(v) and getattr(v, '__code__', None) is not None and v.__code__.co_filename == path]\n"
  "    function = [f for f in function if 'def ' + f.__name__ + '(' in text.split('\\n\\n\\n')[-1]] if not os.path.exists(stem + '.relax') else [names['main']]\n"
  "    arrays = [np.load(p) for p in inputs]\n    result = function[0](*arrays)\n"
  "    if result is not None: arrays = list(result) if isinstance(result, tuple) else [result]\n"
  "    for i, a in enumerate(arrays): np.save(stem + '.out%d.npy' % i, np.asarray(a))\n";

static void
spawn (const char *const *argv)
{
  g_autofree char *said = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, &said, &status, &error);
  g_assert_no_error (error);
  if (status != 0)
    g_error ("%s", said);
}

static void
run_python (Readings *self)
{
  const char *argv[] = { "/usr/bin/python3", "-c", DRIVER, self->dir, NULL };

  spawn (argv);
}

static void
same (const Case       *c,
      const char       *language,
      guint             i,
      const LsDLTensor *actual,
      const LsDLTensor *expected)
{
  g_autoptr (GError) error = NULL;
  LsMismatch mismatch;

  if (!ls_tensor_allclose (actual, expected, 2e-5, 2e-6, &mismatch, &error))
    {
      g_autofree char *what = error == NULL ? ls_mismatch_describe (&mismatch, expected) : g_strdup (error->message);

      g_test_fail_printf ("%s in %s, array %u: %s", c->name, language, i, what);
    }
}

static void
compare_numpy (Readings *self)
{
  for (guint k = 0; k < self->cases->len; k++)
    {
      Case *c = self->cases->pdata[k];

      for (guint i = 0; c->in_numpy && c->expected != NULL && i < c->expected->len; i++)
        {
          g_autofree char *ending = g_strdup_printf (".out%u.npy", i);
          g_autofree char *path = path_of (self, c, ending);
          g_autoptr (GError) error = NULL;
          g_autoptr (LsNDArray) array = ls_npy_read (path, &error);

          g_assert_no_error (error);
          same (c, "NumPy", i, &array->tensor, &((LsNDArray *) c->expected->pdata[i])->tensor);
        }
    }
}

/* One library of all of them. */
static void
compare_c (Readings *self)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *library = g_build_filename (self->dir, "all.so", NULL);
  const char *const options[] = { "cc", "-std=c11", "-w", "-O0", "-ffp-contract=off", "-shared", "-fPIC", "-o" };
  GModule *loaded;

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    g_ptr_array_add (argv, g_strdup (options[i]));
  g_ptr_array_add (argv, g_strdup (library));
  for (guint k = 0; k < self->cases->len; k++)
    if (((Case *) self->cases->pdata[k])->in_c)
      g_ptr_array_add (argv, path_of (self, self->cases->pdata[k], ".c"));
  g_ptr_array_add (argv, g_strdup ("-lm"));
  g_ptr_array_add (argv, NULL);
  spawn ((const char *const *) argv->pdata);
  loaded = g_module_open (library, G_MODULE_BIND_LOCAL);
  g_assert_nonnull (loaded);
  for (guint k = 0; k < self->cases->len; k++)
    {
      Case *c = self->cases->pdata[k];
      void *a[8] = { NULL };
      gpointer symbol;

      if (!c->in_c || c->given == NULL || c->given->len > 8)
        continue;
      for (guint i = 0; i < c->given->len; i++)
        a[i] = ((LsNDArray *) c->given->pdata[i])->tensor.data;
      g_assert_true (g_module_symbol (loaded, c->symbol, &symbol));
      ((void (*) (void *, void *, void *, void *, void *, void *, void *, void *)) symbol) (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]);
      for (guint i = 0; i < c->given->len; i++)
        same (c, "C", i, &((LsNDArray *) c->given->pdata[i])->tensor, &((LsNDArray *) c->expected->pdata[i])->tensor);
    }
  g_module_close (loaded);
}

static void
readings_init (Readings *self)
{
  g_autoptr (GError) error = NULL;

  *self = (Readings) { .dir = g_dir_make_tmp ("ls-readings-XXXXXX", &error) };
  g_assert_no_error (error);
  self->cases = g_ptr_array_new_with_free_func (case_free);
  self->refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

static void
readings_clear (Readings *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->dir, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->dir, name, NULL);

      g_unlink (path);
    }
  g_rmdir (self->dir);
  g_free (self->dir);
  g_ptr_array_unref (self->cases);
  g_hash_table_unref (self->refused);
}

static void
finish (Readings *self,
        guint     least)
{
  guint run = 0, numpy = 0, c = 0;

  run_python (self);
  compare_numpy (self);
  compare_c (self);
  for (guint k = 0; k < self->cases->len; k++)
    {
      Case *at = self->cases->pdata[k];

      numpy += at->in_numpy;
      c += at->in_c;
      run += at->in_numpy && at->in_c && at->given != NULL;
    }
  g_test_message ("%u programs: %u as NumPy, %u as C, %u run in both", self->cases->len, numpy, c, run);
  g_assert_cmpuint (run, >=, least);
  readings_clear (self);
}

static gint
by_name (gconstpointer a,
         gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
files_of (const char *folder)
{
  g_autofree char *path = ls_test_path (folder);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, by_name);
  return names;
}

/* ---- the tests ---------------------------------------------------------------------------------- */

static void
test_samples (void)
{
  static const char *const folders[] = { "../data/samples", "../data/samples/gpu", "exec/programs", "data/advice" };
  Readings self;

  readings_init (&self);
  for (guint f = 0; f < G_N_ELEMENTS (folders); f++)
    {
      g_autoptr (GPtrArray) names = files_of (folders[f]);

      for (guint i = 0; i < names->len; i++)
        {
          g_autofree char *path = g_build_filename (folders[f], names->pdata[i], NULL), *stem = NULL, *steps = NULL, *text = NULL;
          g_autofree char *full = NULL;

          if (!g_str_has_suffix (path, ".py") || g_str_has_suffix (path, "_steps.py"))
            continue;
          stem = g_strndup (path, strlen (path) - 3);
          steps = g_strconcat (stem, "_steps.py", NULL);
          full = ls_test_path (steps);
          text = ls_test_read (path, NULL);
          add_case (&self, names->pdata[i], text, NULL);
          if (g_file_test (full, G_FILE_TEST_EXISTS))
            {
              g_autofree char *lines = ls_test_read (steps, NULL);

              add_case (&self, names->pdata[i], text, lines);
            }
        }
    }
  finish (&self, 10);
}

static void
test_golden (void)
{
  g_autoptr (GPtrArray) folders = files_of ("golden/schedule");
  guint every = ls_test_count (5, 1);
  Readings self;

  readings_init (&self);
  for (guint f = 0; f < folders->len; f++)
    {
      g_autofree char *folder = g_build_filename ("golden/schedule", folders->pdata[f], NULL), *full = ls_test_path (folder);
      g_autoptr (GPtrArray) names = g_file_test (full, G_FILE_TEST_IS_DIR) ? files_of (folder) : g_ptr_array_new ();

      for (guint i = 0; i < names->len; i++)
        {
          g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL), *text = NULL;
          char *split;

          /* By its name: one that is added changes nothing for the others. */
          if (!g_str_has_suffix (path, ".py") || g_str_hash (path) % every != 0)
            continue;
          text = ls_test_read (path, NULL);
          split = strstr (text, "\n# steps\n");
          if (strstr (text, "\n# intrin\n") != NULL || split == NULL)
            continue;
          *split = '\0';
          add_case (&self, names->pdata[i], text, split + strlen ("\n# steps\n"));
        }
    }
  finish (&self, 25);
}

/* What has no form is named. */
static void
test_refusals (void)
{
  static const struct { const char *body, *message; } cases[] = {
    { "(A: T.Buffer((8,), \"bfloat16\"), B: T.Buffer((8,), \"bfloat16\")):\n        C = T.alloc_buffer((8,), \"bfloat16\")\n        for i in range(8):\n            C[i] = A[i]\n", "The type bfloat16" },
    { "(A: T.Buffer((8,), \"float32\")):\n        for i in range(8):\n            A[i] = T.call_extern(\"float32\", \"f\", A[i])\n", "The call of T.call_extern" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat ("from tvm.script import ir as I\nfrom tvm.script import tir as T\n\n@I.ir_module\nclass Module:\n    @T.prim_func\n    def main", cases[i].body, NULL);
      g_autoptr (LsModule) module = parse (text);
      g_autoptr (GError) error = NULL;

      g_assert_nonnull (module);
      g_assert_null (ls_numpy_text_new (module, NULL, &error));
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      g_assert_true (g_str_has_prefix (error->message, "main: "));
    }
}

/* Each line of the text leads to its line of the program. */
static void
test_lines (void)
{
  g_autofree char *text = ls_test_read ("../data/samples/mm_relu.py", NULL);
  g_autoptr (LsModule) module = parse (text);
  g_autoptr (LsDeviceText) reading = ls_numpy_text_new (module, NULL, NULL);
  g_auto (GStrv) program = g_strsplit (text, "\n", -1), lines = g_strsplit (reading->text, "\n", -1);
  guint seen = 0;

  for (guint i = 0; i < reading->lines->len; i++)
    {
      guint line = g_array_index (reading->lines, guint, i);

      if (strstr (lines[i], "Y[vi, vj] = Y[vi, vj] + A") != NULL || strstr (lines[i], "C[vi, vj] = ") != NULL)
        {
          g_autofree char *left = g_strndup (g_strstrip (lines[i]), 9);

          g_assert_nonnull (strstr (program[line - 1], left));
          seen++;
        }
      else if (strstr (lines[i], "for k in") != NULL)
        {
          g_assert_nonnull (strstr (program[line - 1], "k in"));
          seen++;
        }
    }
  g_assert_cmpuint (seen, ==, 3);
}

/* ---- Relax ------------------------------------------------------------------------------------ */

static LsVMValue *
random_input (LsRelaxVar *param,
              guint       seed)
{
  LsTensorStructInfo *info = (LsTensorStructInfo *) param->struct_info;
  LsArray *extents = ls_is (info, TENSOR_STRUCT_INFO) && ls_is (info->shape, SHAPE_EXPR) ? ((LsShapeExpr *) info->shape)->values : NULL;
  gint64 dims[LS_NDARRAY_MAX_NDIM];
  LsDLDataType dtype;
  LsNDArray *array;

  for (guint i = 0; i < ls_array_n (extents); i++)
    if (!ls_as_int (extents->items[i], &dims[i]))
      return NULL;
  if (extents == NULL || !ls_dl_dtype_parse (ls_dtype_name (info->dtype), &dtype, NULL))
    return NULL;
  array = ls_ndarray_new ((int) extents->n, dims, dtype, NULL);
  ls_tensor_fill_random (&array->tensor, seed);
  return ls_vm_tensor (array);
}

static LsVMValue *
run_main (LsModule  *module,
          GPtrArray *inputs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsTarget) target = ls_target_parse (NULL, &error);
  LsVMBuildOptions options = { 0 };
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
add_relax (Readings   *self,
           const char *path)
{
  g_autofree char *text = ls_test_read (path, NULL), *base = g_path_get_basename (path);
  g_autoptr (LsModule) module = parse (text);
  LsNode *entry = module != NULL ? ls_module_get (module, "main") : NULL;
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);
  Case *c;

  if (!ls_is (entry, FUNCTION))
    return;
  c = g_new0 (Case, 1);
  c->name = g_strdup_printf ("%03u_%s", self->cases->len, base);
  g_strdelimit (c->name, "-./", '_');
  c->module = g_steal_pointer (&module);
  g_ptr_array_add (self->cases, c);
  write_numpy (self, c);
  for (guint i = 0; c->in_numpy && i < ((LsFunction *) entry)->params->n; i++)
    {
      LsVMValue *input = random_input (ls_array_at (((LsFunction *) entry)->params, i, LsRelaxVar), i + 1);
      g_autofree char *ending = g_strdup_printf (".in%u.npy", i), *at = path_of (self, c, ending), *mark = path_of (self, c, ".relax");

      if (input == NULL)
        g_error ("%s: a parameter is no array", path);
      g_ptr_array_add (inputs, input);
      g_assert_true (ls_npy_write (at, &input->tensor->tensor, NULL));
      g_assert_true (g_file_set_contents (mark, "", -1, NULL));
    }
  if (inputs->len > 0)
    c->result = run_main (c->module, inputs);
}

static void
test_relax (void)
{
  g_autoptr (GPtrArray) names = files_of ("golden/build");
  guint run = 0;
  Readings self;

  readings_init (&self);
  add_relax (&self, "../data/samples/mlp.py");
  for (guint i = 0; i < names->len; i++)
    {
      g_autofree char *path = g_build_filename ("golden/build", names->pdata[i], NULL);

      add_relax (&self, path);
    }
  run_python (&self);
  for (guint k = 0; k < self.cases->len; k++)
    {
      Case *c = self.cases->pdata[k];
      guint n = c->result == NULL ? 0 : c->result->kind == LS_VM_TUPLE ? c->result->n : 1;

      for (guint i = 0; i < n; i++)
        {
          LsVMValue *expected = c->result->kind == LS_VM_TUPLE ? c->result->items[i] : c->result;
          g_autofree char *ending = g_strdup_printf (".out%u.npy", i), *path = path_of (&self, c, ending);
          g_autoptr (GError) error = NULL;
          g_autoptr (LsNDArray) array = ls_npy_read (path, &error);

          g_assert_no_error (error);
          g_assert_cmpint (expected->kind, ==, LS_VM_TENSOR);
          same (c, "NumPy", i, &array->tensor, &expected->tensor->tensor);
        }
      run += n > 0;
    }
  g_test_message ("%u modules, %u run", self.cases->len, run);
  g_assert_cmpuint (run, >=, 8);
  readings_clear (&self);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readings/lines", test_lines);
  g_test_add_func ("/readings/refusals", test_refusals);
  g_test_add_func ("/readings/samples", test_samples);
  g_test_add_func ("/readings/golden", test_golden);
  g_test_add_func ("/readings/relax", test_relax);
  return g_test_run ();
}
