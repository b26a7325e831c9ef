/* device: kernels on a device of this machine or of another, and the results that come back.
 *
 *   device run FILE --steps STEPS.py|FOLDER... --target cuda|opencl|rocm [--number N] [--seconds S]
 *                       the same steps as export, on a device of this machine: loopscope-device runs them in the jail
 *   device export FILE --steps STEPS.py|FOLDER... [--target cuda|opencl|rocm|TAG] [--arch sm_80,sm_90] -o DIR
 *                       each file of steps is one step of the bundle; of a folder all, by name
 *   device import RESULT.json      see cmd-device-import.c */
#include "app/bundle/bundle.h"
#include "app/cli/device.h"
#include "app/cli/remote.h"
#include "engine/base/json.h"
#include "engine/simt/serial.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *file, *func, *target, *arch, *out, *program;
  gint64      seed, timeout, number, seconds;
  GPtrArray  *steps;            /* as given */
  gboolean    no_simulate, json;
} Request;

typedef enum { EXPORT, RUN, IMPORT } Action;

typedef struct {
  Request       *request;
  const char    *command;
  LsModule      *base;          /* owned, as what follows */
  LsBundleMaker *maker;
  gboolean       several;       /* files of steps: those without threads are left out */
  gboolean       runs;          /* here, and nothing is written */
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

static void
warn_of_ptx (const LsBundleStep *step)
{
  if (step->no_ptx != NULL)
    fprintf (stderr, ls_translate ("warning: %s: no PTX, only CUDA C (which needs nvcc or libnvrtc there): %s\n"), step->name, step->no_ptx);
  if (step->partly != NULL)
    fprintf (stderr, ls_translate ("warning: %s: PTX not for all that was asked for: %s\n"), step->name, step->partly);
}

static int
simulate (Exporter     *self,
          LsBundleStep *step)
{
  g_autoptr (GVariant) answer = NULL;
  GVariantDict params;

  if (self->runs || self->request->no_simulate)
    return LS_CLI_DONE;
  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "module", "s", step->program);
  g_variant_dict_insert (&params, "base", "s", ls_bundle_maker_get_text (self->maker));
  g_variant_dict_insert (&params, "func", "s", ls_bundle_maker_get_func (self->maker));
  g_variant_dict_insert (&params, "target", "s", self->request->target);
  answer = ls_cli_ask (self->command, "simt", &params, (double) self->request->timeout, NULL, NULL);
  if (answer == NULL)
    {
      fputs (ls_translate ("  way out: --no-simulate leaves the simulator's counts out, --timeout SECONDS gives it longer\n"), stderr);
      return LS_CLI_FAILED;
    }
  if (!ls_cli_has (self->command, answer, "kernels") || !ls_cli_has (self->command, answer, "sites"))
    return LS_CLI_FAILED;
  if (ls_cli_number (answer, "faults") > 0 || !ls_params_bool (answer, "same", TRUE))
    fprintf (stderr, ls_translate ("warning: %s: the simulator finds what is wrong with it; loopscope-cli simt tells what\n"), step->name);
  step->simulated = ls_cli_simulated_json (answer);
  return LS_CLI_DONE;
}

static int
add_step (Exporter   *self,
          const char *path)
{
  g_autoptr (LsSchedule) schedule = ls_cli_schedule_module (self->command, self->base, path, 0);
  LsModule *module = schedule != NULL ? ls_schedule_get_module (schedule) : NULL;
  const LsBundle *bundle = ls_bundle_maker_get (self->maker);
  g_autofree char *name = path != NULL ? step_name (path) : g_strdup ("program");
  g_autofree char *title = path != NULL ? ls_cli_step_title (path) : g_strdup (ls_translate ("the program as it is"));
  g_autoptr (GError) error = NULL;
  LsBundleStep *step;

  if (module == NULL)
    return LS_CLI_FAILED;
  for (guint i = 0; i < bundle->steps->len; i++)
    if (strcmp (((LsBundleStep *) bundle->steps->pdata[i])->name, name) == 0)
      return ls_cli_fail (self->command, ls_translate ("two files of steps are called %s; each step of a bundle needs a name of its own"), name);
  if (self->several && !ls_simt_is_bound ((LsPrimFunc *) ls_module_get (module, ls_bundle_maker_get_func (self->maker))))
    {
      fprintf (stderr, ls_translate ("%s is left out: none of its loops is bound to threads\n"), name);
      return LS_CLI_DONE;
    }
  step = ls_bundle_maker_add (self->maker, name, title, module, &error);
  if (step == NULL)
    return ls_cli_fail (self->command, "%s: %s", name, error->message);
  warn_of_ptx (step);
  return simulate (self, step);
}

/* ---- the command ---- */

/* What is wrong with --arch. */
static int
check_arch (Request    *request,
            const char *command)
{
  g_auto (GStrv) list = request->arch != NULL ? g_strsplit (request->arch, ",", -1) : NULL;
  const char *api = ls_bundle_api_of (request->target);

  if (list != NULL && api != NULL && strcmp (api, "cuda") != 0)
    return ls_cli_usage (command, "--arch is for cuda; %s is compiled where it runs", strcmp (api, "hip") == 0 ? "HIP C++" : "OpenCL C");
  for (guint i = 0; list != NULL && list[i] != NULL; i++)
    if (!g_str_has_prefix (list[i], "sm_") || !g_ascii_isdigit (list[i][3]) || strspn (list[i] + 3, "0123456789") != strlen (list[i] + 3))
      return ls_cli_usage (command, "--arch takes architectures such as sm_80,sm_90, not \"%s\"", list[i]);
  return LS_CLI_DONE;
}

static void
tell (Exporter *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  const LsBundle *bundle = ls_bundle_maker_get (self->maker);

  if (!self->request->json)
    {
      if (ls_simt_is_bound ((LsPrimFunc *) ls_module_get (self->base, ls_bundle_maker_get_func (self->maker))))
        printf ("The program is bound to threads already: what has to come out is its own result as loops on this CPU, not that of a program without threads.\n");
      printf ("%s: %u step%s for %s%s\n", self->request->out, bundle->steps->len, bundle->steps->len == 1 ? "" : "s", self->request->target,
              bundle->api != LS_BUNDLE_CUDA ? "" : ls_bundle_maker_get_archs (self->maker)->len == 1 ? ", one architecture" : ", several architectures");
      for (guint i = 0; i < bundle->steps->len; i++)
        {
          LsBundleStep *step = bundle->steps->pdata[i];

          printf ("  %-20s %s\n", step->name, step->title);
        }
      printf ("Take the folder to the device and start ./run there; bring result.json back with loopscope-cli device import.\n");
      return;
    }
  json_builder_begin_object (builder);
  ls_json_put_text (builder, "folder", self->request->out);
  ls_json_put_text (builder, "target", self->request->target);
  ls_json_put_text (builder, "program", bundle->program_hash);
  ls_json_begin_array (builder, "steps");
  for (guint i = 0; i < bundle->steps->len; i++)
    {
      LsBundleStep *step = bundle->steps->pdata[i];

      json_builder_begin_object (builder);
      ls_json_put_text (builder, "name", step->name);
      ls_json_put_text (builder, "title", step->title);
      ls_json_put_text (builder, "hash", step->hash);
      ls_json_put_text (builder, "no_ptx", step->no_ptx);
      ls_json_put_text (builder, "partly_ptx", step->partly);
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
  int status = LS_CLI_DONE;

  if (self->request->steps->len == 0)
    return add_step (self, NULL);
  self->several = files->len > 1;
  for (guint i = 0; i < files->len && status == LS_CLI_DONE; i++)
    status = add_step (self, files->pdata[i]);
  if (status == LS_CLI_DONE && ls_bundle_maker_get (self->maker)->steps->len == 0)
    return files->len == 0 ? LS_CLI_FAILED : ls_cli_fail (self->command, ls_translate ("no step has a loop that is bound to threads"));
  return status;
}

/* The steps on a device of this machine; only what the device says: loopscope-cli simt has the simulator's counts. */
static int
run_steps (Exporter *self)
{
  Request *request = self->request;
  g_autoptr (GError) error = NULL;
  g_autoptr (LsBundleDevice) device = ls_bundle_device_open (ls_bundle_api_of (request->target), (int) request->number, &error);
  g_autoptr (LsDeviceResult) result = NULL;
  gboolean right = TRUE;
  int status = device != NULL ? export_steps (self) : LS_CLI_FAILED;

  if (device == NULL)
    {
      ls_cli_fail (self->command, "%s", error->message);
      fputs (ls_translate ("  way out: loopscope-cli simt runs it on simulated threads, loopscope-cli device export takes it to another machine\n"), stderr);
      return LS_CLI_FAILED;
    }
  if (status != LS_CLI_DONE)
    return status;
  result = ls_bundle_device_run (device, ls_bundle_maker_get (self->maker), (double) request->seconds, (double) request->timeout, NULL, &error);
  if (result == NULL)
    return ls_cli_fail (self->command, "%s", error->message);
  ls_cli_device_print (result, request->json);
  for (guint i = 0; i < result->steps->len; i++)
    right = right && strcmp (((LsDeviceResultStep *) result->steps->pdata[i])->verdict, "same") == 0;
  return right ? LS_CLI_DONE : LS_CLI_FAILED;
}

static int
write_steps (Exporter *self)
{
  g_autoptr (GError) error = NULL;
  int status = export_steps (self);

  if (status != LS_CLI_DONE)
    return status;
  if (!ls_bundle_write (ls_bundle_maker_get (self->maker), self->request->out, &error))
    return ls_cli_fail (self->command, "%s", error->message);
  tell (self);
  return LS_CLI_DONE;
}

static int
make_bundle (Request    *request,
             Action      action,
             const char *command)
{
  Exporter self = { request, command, NULL, NULL, FALSE, action == RUN };
  g_autofree char *name = g_path_get_basename (request->file);
  const LsBundleWishes wishes = { .name = name, .target = request->target, .func = request->func, .arch = request->arch, .seed = request->seed, .timeout_s = request->timeout };
  g_autoptr (GError) error = NULL;
  int status = check_arch (request, command);

  if (status != LS_CLI_DONE)
    return status;
  self.base = ls_cli_read_module (command, request->file);
  if (self.base == NULL)
    return LS_CLI_FAILED;
  self.maker = ls_bundle_maker_new (self.base, &wishes, &error);
  if (self.maker == NULL)
    status = ls_cli_fail (command, "%s", error->message);
  else
    status = action == RUN ? run_steps (&self) : write_steps (&self);
  ls_bundle_maker_free (self.maker);
  ls_unref (self.base);
  return status;
}

/* What the words of the command line lack for this action. */
static int
check_action (const Request *request,
              Action         action,
              const char    *command)
{
  if (action == RUN && (request->no_simulate || request->out != NULL))
    return ls_cli_usage (command, "--no-simulate and -o are for device export");
  if (action == EXPORT && (request->file == NULL || request->out == NULL))
    return ls_cli_usage (command, "a file and -o DIR are expected");
  if (request->file == NULL)
    return ls_cli_usage (command, action == RUN ? "a file is expected" : "a result.json is expected");
  if (action != RUN && (request->number != 0 || request->seconds != 1))
    return ls_cli_usage (command, "--number and --seconds are for device run");
  if (request->number < 0 || request->number > 999 || request->seconds < 1 || request->seconds > 3600)
    return ls_cli_usage (command, "--number is from 0 to 999, --seconds from 1 to 3600");
  return LS_CLI_DONE;
}

int
ls_cli_device (int    argc,
               char **argv)
{
  static const char *const ACTIONS[] = { "export", "run", "import" };   /* ORDER Action */
  g_autoptr (GPtrArray) steps = g_ptr_array_new ();
  Request request = { .target = "cuda", .timeout = 300, .seconds = 1, .steps = steps };
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
    { "--number", LS_CLI_NUMBER, &request.number },
    { "--seconds", LS_CLI_NUMBER, &request.seconds },
    { "--timeout", LS_CLI_NUMBER, &request.timeout },
    { NULL },
  };
  guint action = 0;
  int status;

  while (action < G_N_ELEMENTS (ACTIONS) && (argc < 2 || strcmp (argv[1], ACTIONS[action]) != 0))
    action++;
  if (action == G_N_ELEMENTS (ACTIONS))
    return ls_cli_usage (argv[0], "export, run or import is expected");
  argv[1] = argv[0];
  status = ls_cli_args_read (argc - 1, argv + 1, options, &request.file);
  if (status == LS_CLI_DONE)
    status = check_action (&request, (Action) action, argv[0]);
  if (status != LS_CLI_DONE)
    return status;
  return action == IMPORT ? ls_cli_device_import (argv[0], request.file, request.program, steps, request.json) : make_bundle (&request, (Action) action, argv[0]);
}
