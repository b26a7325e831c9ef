/* device: kernels that travel to a device of another machine, and the results that come back.
 *
 *   device export FILE --steps STEPS.py|FOLDER... [--target cuda|opencl|rocm|TAG] [--arch sm_80,sm_90] -o DIR
 *                       each file of steps is one step of the bundle; of a folder all, by name
 *   device import RESULT.json      see cmd-device-import.c */
#include "app/cli/device.h"
#include "app/cli/remote.h"
#include "engine/base/json.h"
#include "engine/runtime/runtime.h"
#include "engine/script/script.h"
#include "engine/simt/serial.h"
#include "engine/tir/pass/pass.h"

#include <glib/gstdio.h>

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *file, *func, *target, *arch, *out, *program;
  gint64      seed, timeout;
  GPtrArray  *steps;            /* as given */
  gboolean    no_simulate, json;
} Request;

typedef struct {
  Request    *request;
  const char *command;
  LsModule   *base;             /* owned, as all below */
  char       *base_text;
  const char *function;         /* borrowed from the module */
  LsDeviceTarget *target;
  GPtrArray  *architectures;    /* "sm_80" */
  LsBundle    bundle;
} Exporter;

/* ---- names ---- */

/* "naive" of "samples/1_naive_steps.py"; what is no letter, digit, - or _ becomes _. (transfer full) */
static char *
step_name (const char *path)
{
  g_autofree char *base = g_path_get_basename (path);
  char *dot = strrchr (base, '.');

  if (dot != NULL)
    *dot = 0;
  if (g_str_has_suffix (base, "_steps"))
    base[strlen (base) - strlen ("_steps")] = 0;
  return g_strcanon (g_steal_pointer (&base), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_", '_');
}

/* ---- a step ---- */

static gboolean
add_ptx (Exporter     *self,
         LsBundleStep *step,
         const char   *arch)
{
  g_autofree char *target = g_strdup_printf ("%s -arch=%s", self->target->kind, arch);
  g_autoptr (LsWorker) worker = ls_worker_new ();
  LsWorkerOptions options = { .timeout_ms = self->request->timeout * 1000 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;
  LsBundlePtx ptx = { (int) g_ascii_strtoll (arch + strlen ("sm_"), NULL, 10), NULL };
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", step->program);
  g_variant_dict_insert (&params, "func", "s", self->function);
  g_variant_dict_insert (&params, "target", "s", target);
  answer = ls_worker_call (worker, "kernels", g_variant_dict_end (&params), &options, NULL, NULL, NULL, &error);
  if (answer == NULL)
    {
      g_free (step->no_ptx);
      step->no_ptx = g_strdup (error->message);
      return g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST);
    }
  ptx.text = g_strdup (ls_params_string (answer, "assembly", ""));
  g_array_append_val (step->ptx, ptx);
  return TRUE;
}

/* PTX for each architecture; what LLVM cannot make stays CUDA C. */
static int
make_ptx (Exporter     *self,
          LsBundleStep *step)
{
  for (guint i = 0; i < self->architectures->len; i++)
    if (!add_ptx (self, step, self->architectures->pdata[i]))
      return ls_cli_fail (self->command, "%s: PTX for %s: %s", step->name, (char *) self->architectures->pdata[i], step->no_ptx);
    else if (step->no_ptx != NULL)
      {
        g_array_set_size (step->ptx, 0);
        fprintf (stderr, "warning: %s: no PTX, only CUDA C (which needs nvcc or libnvrtc there): %s\n", step->name, step->no_ptx);
        return LS_CLI_DONE;
      }
  return LS_CLI_DONE;
}

static int
simulate (Exporter     *self,
          LsBundleStep *step)
{
  g_autoptr (GVariant) answer = NULL;
  GVariantDict params;

  if (self->request->no_simulate)
    return LS_CLI_DONE;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", step->program);
  g_variant_dict_insert (&params, "base", "s", self->base_text);
  g_variant_dict_insert (&params, "func", "s", self->function);
  g_variant_dict_insert (&params, "target", "s", self->request->target);
  answer = ls_cli_ask (self->command, "simt", &params, (double) self->request->timeout, NULL, NULL);
  if (answer == NULL)
    {
      fputs ("  way out: --no-simulate leaves the simulator's counts out, --timeout SECONDS gives it longer\n", stderr);
      return LS_CLI_FAILED;
    }
  if (ls_cli_number (answer, "faults") > 0 || !ls_params_bool (answer, "same", TRUE))
    fprintf (stderr, "warning: %s: the simulator finds what is wrong with it; loopscope-cli simt tells what\n", step->name);
  step->simulated = ls_cli_simulated_json (answer);
  return LS_CLI_DONE;
}

static int
add_step (Exporter   *self,
          const char *path)
{
  g_autoptr (LsSchedule) schedule = ls_cli_schedule_module (self->command, self->base, path, 0);
  g_autoptr (LsBundleStep) step = ls_bundle_step_new ();
  g_autoptr (LsPrimFunc) lowered = NULL;
  g_autoptr (LsDeviceText) text = NULL;
  g_autoptr (GError) error = NULL;
  LsModule *module = schedule != NULL ? ls_schedule_get_module (schedule) : NULL;

  if (module == NULL)
    return LS_CLI_FAILED;
  step->name = path != NULL ? step_name (path) : g_strdup ("program");
  step->title = path != NULL ? ls_cli_step_title (path) : g_strdup ("the program as it is");
  step->hash = ls_device_hash (module);
  step->program = ls_cli_module_text (module);
  step->function = g_strdup (self->function);
  for (guint i = 0; i < self->bundle.steps->len; i++)
    if (strcmp (((LsBundleStep *) self->bundle.steps->pdata[i])->name, step->name) == 0)
      return ls_cli_fail (self->command, "two files of steps are called %s; each step of a bundle needs a name of its own", step->name);
  lowered = ls_lower_device ((LsPrimFunc *) ls_module_get (module, self->function), self->target, NULL, NULL, &error);
  text = lowered != NULL ? ls_device_text_new (self->function, lowered, self->target, &error) : NULL;
  step->plan = text != NULL ? ls_device_plan_new (self->function, lowered, &error) : NULL;
  if (step->plan == NULL)
    return ls_cli_fail (self->command, "%s: %s", step->name, error->message);
  step->source = g_strdup (text->text);
  if ((self->bundle.api != LS_BUNDLE_CUDA ? LS_CLI_DONE : make_ptx (self, step)) != LS_CLI_DONE || simulate (self, step) != LS_CLI_DONE)
    return LS_CLI_FAILED;
  g_ptr_array_add (self->bundle.steps, g_steal_pointer (&step));
  return LS_CLI_DONE;
}

/* ---- arguments and what has to come out ---- */

static LsDLDataType
dl_type (LsDType t)
{
  if (ls_dtype_is_bool (t))
    return LS_DT_BOOL;
  return (LsDLDataType) { t.code == LS_TYPE_BFLOAT ? LS_DL_BFLOAT : t.code, t.bits, t.lanes };
}

static int
add_argument (Exporter   *self,
              LsBuffer   *buffer,
              const char *folder,
              GPtrArray  *inputs)
{
  g_autoptr (LsBundleArgument) a = g_new0 (LsBundleArgument, 1);
  g_autoptr (GBytes) data = NULL;
  g_autoptr (LsNDArray) array = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *file = NULL;

  a->name = g_strcanon (g_strdup (buffer->name), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_", '_');
  a->dtype = buffer->dtype;
  a->shape = g_array_new (FALSE, FALSE, sizeof (gint64));
  a->role = 'i';
  a->seed = (guint64) self->request->seed + self->bundle.arguments->len;
  for (guint i = 0; i < buffer->shape->n; i++)
    {
      gint64 extent;

      if (!ls_as_int (buffer->shape->items[i], &extent))
        return ls_cli_fail (self->command, "the shape of %s is not known: a bundle is of numbers", buffer->name);
      g_array_append_val (a->shape, extent);
    }
  if (buffer->shape->n > 8)
    return ls_cli_fail (self->command, "%s has more than 8 dimensions", buffer->name);
  data = ls_bundle_argument_data (a);
  if (data == NULL)
    return ls_cli_fail (self->command, "no inputs can be made for %s of type %s", buffer->name, ls_dtype_name (buffer->dtype));
  array = ls_ndarray_new ((int) a->shape->len, (const gint64 *) (gpointer) a->shape->data, dl_type (buffer->dtype), &error);
  if (array == NULL)
    return ls_cli_fail (self->command, "%s", error->message);
  memcpy (array->tensor.data, g_bytes_get_data (data, NULL), g_bytes_get_size (data));
  file = g_strdup_printf ("%s/in-%u.npy", folder, self->bundle.arguments->len);
  if (!ls_npy_write (file, &array->tensor, &error))
    return ls_cli_fail (self->command, "%s", error->message);
  g_ptr_array_add (inputs, g_steal_pointer (&file));
  g_ptr_array_add (self->bundle.arguments, g_steal_pointer (&a));
  return LS_CLI_DONE;
}

/* What the worker has written for an argument. */
static int
take_expected (Exporter         *self,
               LsBundleArgument *a,
               GVariant         *array)
{
  const char *role = ls_params_string (array, "role", "in"), *path = ls_params_string (array, "path", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (LsNDArray) data = path != NULL ? ls_npy_read (path, &error) : NULL;

  if (strcmp (role, "in") == 0)
    return LS_CLI_DONE;
  a->role = strcmp (role, "out") == 0 ? 'o' : 'b';
  if (data == NULL)
    return ls_cli_fail (self->command, "what %s should become cannot be read: %s", a->name, error != NULL ? error->message : "it was not written");
  a->expected = g_bytes_new (data->tensor.data, data->n_bytes);
  return LS_CLI_DONE;
}

static int
run_base (Exporter   *self,
          const char *folder,
          GPtrArray  *inputs)
{
  const char *writable[] = { folder, NULL };
  g_autoptr (GVariant) answer = NULL, arrays = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", self->base_text);
  g_variant_dict_insert (&params, "func", "s", self->function);
  g_variant_dict_insert (&params, "target", "s", "llvm");
  g_variant_dict_insert (&params, "threads-as-loops", "b", TRUE);
  g_variant_dict_insert (&params, "device", "s", self->target->text);
  g_variant_dict_insert (&params, "out", "s", folder);
  g_variant_dict_insert_value (&params, "inputs", g_variant_new_strv ((const char *const *) inputs->pdata, (gssize) inputs->len));
  answer = ls_cli_ask (self->command, "run", &params, (double) self->request->timeout, NULL, writable);
  if (answer == NULL)
    {
      fprintf (stderr, "  what has to come out is computed by %s on this CPU\n", self->request->file);
      return LS_CLI_FAILED;
    }
  arrays = ls_params_value (answer, "arrays");
  for (gsize i = 0; i < g_variant_n_children (arrays) && i < self->bundle.arguments->len; i++)
    {
      g_autoptr (GVariant) array = g_variant_get_child_value (arrays, i);

      if (take_expected (self, self->bundle.arguments->pdata[i], array) != LS_CLI_DONE)
        return LS_CLI_FAILED;
    }
  return LS_CLI_DONE;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
}

static int
make_expected (Exporter *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("loopscope-bundle-XXXXXX", &error);
  g_autoptr (GPtrArray) inputs = g_ptr_array_new_with_free_func (g_free);
  LsPrimFunc *func = (LsPrimFunc *) ls_module_get (self->base, self->function);
  int status = LS_CLI_DONE;

  if (folder == NULL)
    return ls_cli_fail (self->command, "%s", error->message);
  for (guint i = 0; i < func->params->n && status == LS_CLI_DONE; i++)
    {
      LsBuffer *buffer = ls_prim_func_get_buffer (func, i);

      status = buffer != NULL ? add_argument (self, buffer, folder, inputs)
               : ls_cli_fail (self->command, "%s takes the number %s; a bundle takes arrays only", self->function, ls_array_at (func->params, i, LsVar)->name);
    }
  if (status == LS_CLI_DONE)
    status = run_base (self, folder, inputs);
  remove_folder (folder);
  return status;
}

/* ---- the command ---- */

static int
choose_function (Exporter *self)
{
  const char *wanted = self->request->func;
  LsNode *node;

  self->function = wanted != NULL ? wanted : self->base->functions->n == 1 ? ls_array_at (self->base->global_vars, 0, LsGlobalVar)->name_hint : "main";
  node = ls_module_get (self->base, self->function);
  if (node == NULL || !ls_is (node, PRIM_FUNC))
    return ls_cli_fail (self->command, "the module has no function %s of TensorIR", self->function);
  return LS_CLI_DONE;
}

static int
choose_target (Exporter *self)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) list = self->request->arch != NULL ? g_strsplit (self->request->arch, ",", -1) : NULL;

  self->target = ls_device_target_parse (self->request->target, &error);
  if (self->target == NULL)
    return ls_cli_fail (self->command, "%s", error->message);
  self->bundle.api = strcmp (self->target->kind, "opencl") == 0 ? LS_BUNDLE_OPENCL : strcmp (self->target->kind, "rocm") == 0 ? LS_BUNDLE_HIP : LS_BUNDLE_CUDA;
  if (self->bundle.api == LS_BUNDLE_CUDA && strcmp (self->target->kind, "cuda") != 0)
    return ls_cli_fail (self->command, "a bundle is for cuda, opencl or rocm; there is no host program for %s", self->target->kind);
  if (self->bundle.api != LS_BUNDLE_CUDA && list != NULL)
    return ls_cli_usage (self->command, "--arch is for cuda; %s is compiled where it runs", self->bundle.api == LS_BUNDLE_HIP ? "HIP C++" : "OpenCL C");
  for (guint i = 0; list != NULL && list[i] != NULL; i++)
    if (!g_str_has_prefix (list[i], "sm_") || !g_ascii_isdigit (list[i][3]) || strspn (list[i] + 3, "0123456789") != strlen (list[i] + 3))
      return ls_cli_usage (self->command, "--arch takes architectures such as sm_80,sm_90, not \"%s\"", list[i]);
    else
      g_ptr_array_add (self->architectures, g_strdup (list[i]));
  if (self->bundle.api == LS_BUNDLE_CUDA && self->architectures->len == 0)
    g_ptr_array_add (self->architectures, g_strdup (*self->target->arch != 0 ? self->target->arch : "sm_70"));
  return LS_CLI_DONE;
}

static void
tell (Exporter *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  if (!self->request->json)
    {
      if (ls_simt_is_bound ((LsPrimFunc *) ls_module_get (self->base, self->function)))
        printf ("The program is bound to threads already: what has to come out is its own result as loops on this CPU, not that of a program without threads.\n");
      printf ("%s: %u step%s for %s%s\n", self->request->out, self->bundle.steps->len, self->bundle.steps->len == 1 ? "" : "s", self->request->target,
              self->bundle.api != LS_BUNDLE_CUDA ? "" : self->architectures->len == 1 ? ", one architecture" : ", several architectures");
      for (guint i = 0; i < self->bundle.steps->len; i++)
        {
          LsBundleStep *step = self->bundle.steps->pdata[i];

          printf ("  %-20s %s\n", step->name, step->title);
        }
      printf ("Take the folder to the device and start ./run there; bring result.json back with loopscope-cli device import.\n");
      return;
    }
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "folder", self->request->out);
  ls_json_put_text (builder, "target", self->request->target);
  ls_json_put_text (builder, "program", self->bundle.program_hash);
  ls_json_begin_array (builder, "steps");
  for (guint i = 0; i < self->bundle.steps->len; i++)
    {
      LsBundleStep *step = self->bundle.steps->pdata[i];

      json_builder_begin_object (builder);
      ls_json_put_text (builder, "name", step->name);
      ls_json_put_text (builder, "title", step->title);
      ls_json_put_text (builder, "hash", step->hash);
      ls_json_put_text (builder, "no_ptx", step->no_ptx);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  ls_cli_put_json (builder);
}

static int
export_steps (Exporter *self)
{
  g_autoptr (GPtrArray) files = ls_cli_step_files (self->command, self->request->steps);
  int status = make_expected (self);

  if (self->request->steps->len == 0 && status == LS_CLI_DONE)
    return add_step (self, NULL);
  for (guint i = 0; i < files->len && status == LS_CLI_DONE; i++)
    status = add_step (self, files->pdata[i]);
  return status == LS_CLI_DONE && self->bundle.steps->len == 0 ? LS_CLI_FAILED : status;
}

static int
export_bundle (Request    *request,
               const char *command)
{
  Exporter self = { request, command };
  g_autofree char *name = g_path_get_basename (request->file);
  g_autofree char *hash = NULL;
  g_autoptr (GError) error = NULL;
  int status = LS_CLI_FAILED;

  self.base = ls_cli_read_module (command, request->file);
  if (self.base == NULL)
    return LS_CLI_FAILED;
  hash = ls_device_hash (self.base);
  self.base_text = ls_cli_module_text (self.base);
  self.architectures = g_ptr_array_new_with_free_func (g_free);
  self.bundle = (LsBundle) { .name = name, .target = request->target, .made_by = "loopscope " LS_VERSION, .program = self.base_text, .program_hash = hash,
                             .arguments = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_bundle_argument_free),
                             .steps = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_bundle_step_free) };
  if ((status = choose_target (&self)) == LS_CLI_DONE && (status = choose_function (&self)) == LS_CLI_DONE
      && (status = export_steps (&self)) == LS_CLI_DONE)
    {
      if (ls_bundle_write (&self.bundle, request->out, &error))
        tell (&self);
      else
        status = ls_cli_fail (command, "%s", error->message);
    }
  g_ptr_array_unref (self.bundle.arguments);
  g_ptr_array_unref (self.bundle.steps);
  g_ptr_array_unref (self.architectures);
  g_clear_pointer (&self.target, ls_device_target_free);
  g_free (self.base_text);
  ls_unref (self.base);
  return status;
}

int
ls_cli_device (int    argc,
               char **argv)
{
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  Request request = { .target = "cuda", .timeout = 300, .steps = steps };
  const LsCliOption options[] = {
    { "--json", LS_CLI_FLAG, &request.json },
    { "--no-simulate", LS_CLI_FLAG, &request.no_simulate },
    { "--func", LS_CLI_TEXT, &request.func },
    { "--steps", LS_CLI_LIST, steps },
    { "--target", LS_CLI_TEXT, &request.target },
    { "--arch", LS_CLI_TEXT, &request.arch },
    { "--program", LS_CLI_TEXT, &request.program },
    { "-o", LS_CLI_TEXT, &request.out },
    { "--seed", LS_CLI_NUMBER, &request.seed },
    { "--timeout", LS_CLI_NUMBER, &request.timeout },
    { NULL },
  };
  gboolean exports = argc > 1 && strcmp (argv[1], "export") == 0;
  int status;

  if (!exports && (argc < 2 || strcmp (argv[1], "import") != 0))
    return ls_cli_usage (argv[0], "export or import is expected");
  argv[1] = argv[0];
  status = ls_cli_args_read (argc - 1, argv + 1, options, &request.file);
  if (status != LS_CLI_DONE)
    return status;
  if (exports)
    return request.file != NULL && request.out != NULL ? export_bundle (&request, argv[0]) : ls_cli_usage (argv[0], "a file and -o DIR are expected");
  return request.file != NULL ? ls_cli_device_import (argv[0], request.file, request.program, steps, request.json)
         : ls_cli_usage (argv[0], "a result.json is expected");
}
