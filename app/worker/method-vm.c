/* The methods build and vm: a module of Relax as an executable in a file, and calls of it. */
#include "app/worker/machine.h"
#include "app/worker/program.h"

#include <stdlib.h>
#include <string.h>

/* ---- build ----------------------------------------------------------------------- */

static void
report_stage (const char *name,
              gpointer    request)
{
  ls_request_progress (request, -1, name);
}

/* module, out (a path), target, as-is -> functions as, kernels as, bytes x, code s, build-ns x */
static GVariant *
method_build (LsRequest  *request,
              GVariant   *params,
              GError    **error)
{
  const char *text = ls_params_require_string (params, "module", error);
  const char *path = text != NULL ? ls_params_require_string (params, "out", error) : NULL;
  g_autoptr (LsTarget) target = path != NULL ? ls_target_parse (ls_params_string (params, "target", NULL), error) : NULL;
  g_autoptr (LsModule) module = target != NULL ? ls_program_read_module (text, error) : NULL;
  LsVMBuildOptions options = { .as_is = ls_params_bool (params, "as-is", FALSE), .stage = report_stage, .data = request };
  gint64 start = ls_clock_ns ();
  g_autoptr (LsVMExecutable) executable = module != NULL ? ls_vm_build (module, target, &options, error) : NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *code = NULL;
  GVariantBuilder functions;
  GVariantDict dict;
  gsize n;
  const char *data;

  if (executable == NULL)
    return NULL;
  bytes = ls_vm_executable_save (executable);
  data = g_bytes_get_data (bytes, &n);
  if (!g_file_set_contents_full (path, data, (gssize) n, G_FILE_SET_CONTENTS_CONSISTENT, 0666, error))
    return NULL;
  code = ls_vm_executable_print (executable);
  g_variant_builder_init (&functions, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < executable->functions->len; i++)
    {
      LsVMFunction *function = executable->functions->pdata[i];
      g_autofree char *list = function->params != NULL ? g_strjoinv (", ", function->params) : g_strdup ("");

      if (!function->is_private)
        g_variant_builder_add_value (&functions, g_variant_new_take_string (g_strdup_printf ("%s(%s)", function->name, list)));
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert_value (&dict, "functions", g_variant_builder_end (&functions));
  g_variant_dict_insert_value (&dict, "kernels", g_variant_new_strv ((const char *const *) executable->kernels->pdata, (gssize) executable->kernels->len));
  g_variant_dict_insert (&dict, "bytes", "x", (gint64) n);
  g_variant_dict_insert (&dict, "code", "s", code);
  g_variant_dict_insert (&dict, "build-ns", "x", ls_clock_ns () - start);
  return g_variant_dict_end (&dict);
}

/* ---- arguments ---------------------------------------------------------------------- */

/* "(2, 3)" */
static LsVMValue *
parse_shape (const char *text,
             GError    **error)
{
  gint64 dims[LS_NDARRAY_MAX_NDIM];
  guint n = 0;
  const char *p = text + 1;

  while (n < LS_NDARRAY_MAX_NDIM)
    {
      char *end;

      while (*p == ' ' || *p == ',')
        p++;
      if (*p == ')' && p[1] == 0)
        return ls_vm_shape (dims, n);
      dims[n++] = g_ascii_strtoll (p, &end, 10);
      if (end == p)
        break;
      p = end;
    }
  ls_worker_refuse (error, "%s is no shape such as (2, 3).", text);
  return NULL;
}

/* A file with a tensor, a number, or a shape. */
static LsVMValue *
read_argument (const char *text,
               GError    **error)
{
  LsNDArray *array;
  char *end;
  gint64 number = g_ascii_strtoll (text, &end, 10);
  double real;

  if (*text != 0 && *end == 0)
    return ls_vm_int (number);
  real = g_ascii_strtod (text, &end);
  if (*text != 0 && *end == 0)
    return ls_vm_float (real);
  if (*text == '(')
    return parse_shape (text, error);
  array = ls_npy_read (text, error);
  return array != NULL ? ls_vm_tensor (array) : NULL;
}

static GPtrArray *
read_arguments (GVariant *params,
                GError  **error)
{
  g_autoptr (GVariant) list = ls_params_value (params, "inputs");
  g_autoptr (GPtrArray) args = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_vm_value_unref);

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) text = g_variant_get_child_value (list, i);
      LsVMValue *value = read_argument (g_variant_get_string (text, NULL), error);

      if (value == NULL)
        return NULL;
      g_ptr_array_add (args, value);
    }
  return g_steal_pointer (&args);
}

/* ---- results ---------------------------------------------------------------------------- */

typedef struct {
  GVariantBuilder *list;
  const char      *folder;
  gint64           edge;
  guint            n_tensors;
} Results;

static gboolean
add_result (Results    *self,
            LsVMValue  *value,
            const char *place,
            GError    **error)
{
  g_autofree char *what = ls_vm_value_describe (value);
  g_autofree char *text = NULL, *path = NULL;
  GVariantDict dict;

  if (value->kind == LS_VM_TUPLE)
    {
      for (guint i = 0; i < value->n; i++)
        {
          g_autofree char *inner = g_strdup_printf ("%s[%u]", place, i);

          if (!add_result (self, value->items[i], inner, error))
            return FALSE;
        }
      return TRUE;
    }
  if (value->kind == LS_VM_TENSOR)
    {
      text = ls_tensor_print (&value->tensor->tensor, (int) self->edge);
      path = self->folder != NULL ? g_strdup_printf ("%s/%03u.npy", self->folder, self->n_tensors) : NULL;
      self->n_tensors++;
      if (path != NULL && !ls_npy_write (path, &value->tensor->tensor, error))
        return FALSE;
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "place", "s", place);
  g_variant_dict_insert (&dict, "type", "s", what);
  if (text != NULL)
    g_variant_dict_insert (&dict, "text", "s", text);
  if (path != NULL)
    g_variant_dict_insert (&dict, "path", "s", path);
  g_variant_builder_add_value (self->list, g_variant_dict_end (&dict));
  return TRUE;
}

static GVariant *
profile_variant (LsVM *vm)
{
  g_autoptr (GArray) rows = ls_vm_get_profile (vm);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < rows->len; i++)
    {
      const LsVMProfile *row = &g_array_index (rows, LsVMProfile, i);
      GVariantDict dict;

      g_variant_dict_init (&dict, NULL);
      g_variant_dict_insert (&dict, "name", "s", row->name);
      g_variant_dict_insert (&dict, "calls", "x", row->calls);
      g_variant_dict_insert (&dict, "ns", "x", row->ns);
      g_variant_dict_insert (&dict, "bytes", "x", row->bytes);
      if (row->flop >= 0)
        g_variant_dict_insert (&dict, "flop", "d", row->flop);
      g_variant_builder_add_value (&list, g_variant_dict_end (&dict));
    }
  return g_variant_builder_end (&list);
}

/* ---- vm --------------------------------------------------------------------------------------- */

static gboolean
load_libraries (GVariant *params,
                GError  **error)
{
  g_autoptr (GVariant) list = ls_params_value (params, "libraries");

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++)
    {
      g_autoptr (GVariant) path = g_variant_get_child_value (list, i);

      if (!ls_registry_load (g_variant_get_string (path, NULL), error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
load_machine (LsWorkerMachine *self,
              const char      *path,
              GError         **error)
{
  g_autofree char *data = NULL;
  g_autoptr (GBytes) bytes = NULL;
  LsVMExecutable *executable;
  gsize n;

  if (!g_file_get_contents (path, &data, &n, error))
    return FALSE;
  bytes = g_bytes_new_take (g_steal_pointer (&data), n);
  executable = ls_vm_executable_load (bytes, error);
  if (executable == NULL)
    {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  return ls_worker_machine_start (self, executable, error);
}

static gboolean
finish_answer (GVariantDict *dict,
               GVariant     *params,
               LsVMValue    *result,
               GError      **error)
{
  GVariantBuilder list;
  Results results = { &list, ls_params_string (params, "out", NULL), ls_params_int (params, "edge", 3), 0 };

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  if (!add_result (&results, result, "result", error))
    {
      g_variant_builder_clear (&list);
      return FALSE;
    }
  g_variant_dict_insert_value (dict, "results", g_variant_builder_end (&list));
  return TRUE;
}

/* executable (a path), func, inputs, libraries, out (folder), profile, repeat, edge -> results aa{sv}, run-ns, profile aa{sv} */
static GVariant *
method_vm (LsRequest  *request,
           GVariant   *params,
           GError    **error)
{
  const char *path = ls_params_require_string (params, "executable", error);
  const char *func = ls_params_string (params, "func", "main");
  gint64 repeat = CLAMP (ls_params_int (params, "repeat", 1), 1, 1000000), best = G_MAXINT64;
  g_auto (LsWorkerMachine) machine = { 0 };
  g_autoptr (GPtrArray) args = NULL;
  g_autoptr (LsVMValue) result = NULL;
  GVariantDict dict;

  if (path == NULL || !load_libraries (params, error) || !load_machine (&machine, path, error))
    return NULL;
  args = read_arguments (params, error);
  if (args == NULL)
    return NULL;
  ls_vm_set_profile (machine.vm, ls_params_bool (params, "profile", FALSE));
  for (gint64 i = 0; i < repeat; i++)
    {
      gint64 start = ls_clock_ns ();

      g_clear_pointer (&result, ls_vm_value_unref);
      result = ls_vm_call (machine.vm, func, (LsVMValue **) args->pdata, args->len, error);
      if (result == NULL)
        return NULL;
      best = MIN (best, ls_clock_ns () - start);
    }
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "function", "s", func);
  g_variant_dict_insert (&dict, "run-ns", "x", best);
  if (ls_params_bool (params, "profile", FALSE))
    g_variant_dict_insert_value (&dict, "profile", profile_variant (machine.vm));
  if (!finish_answer (&dict, params, result, error))
    {
      g_variant_dict_clear (&dict);
      return NULL;
    }
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_vm[] = {
  { "build", method_build, "Builds a module for the virtual machine into a file." },
  { "vm", method_vm, "Runs a function of such a file." },
  { NULL, NULL, NULL },
};
