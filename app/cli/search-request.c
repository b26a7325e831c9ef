/* search-request: one table of options for search and tune.  --model, --work-dir and the value none are earlier names. */
#include "app/cli/search-request.h"

#include "app/bundle/bundle.h"
#include "engine/tir/device.h"

#include <string.h>

void
ls_cli_search_request_clear (LsCliSearchRequest *self)
{
  g_clear_pointer (&self->set, g_ptr_array_unref);
  g_clear_pointer (&self->own_queue, g_free);
}

/* A target that nothing measures, refused before anything is drawn. */
static int
check_target (const char *target,
              const char *command)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsDeviceTarget) device = NULL;

  if (target == NULL || ls_bundle_is_target (target) || strncmp (target, "llvm", 4) == 0)
    return LS_CLI_DONE;
  if (!ls_device_target_is (target) && strchr (target, '/') == NULL)
    return ls_cli_usage (command, ls_translate ("there is no target %s here; a search goes by --target llvm (with its options), cuda, opencl or rocm, or a tag such as nvidia/nvidia-a100"), target);
  device = ls_device_target_parse (target, &error);
  if (device == NULL)
    return ls_cli_usage (command, "%s", error->message);
  if (strcmp (device->kind, "nvptx") == 0)
    return ls_cli_usage (command, ls_translate ("a search for the devices of nvptx goes by --target cuda, which makes the same PTX"));
  return ls_cli_usage (command, ls_translate ("nothing here runs or times kernels for %s; a search goes by --target cuda, opencl or rocm, or without --target for this processor"), device->kind);
}

static int
check (LsCliSearchRequest *self,
       const char         *command)
{
  static const char *const models[] = { "ridge", "xgb", "random", "none", NULL };
  static const char *const strategies[] = { "random", "evolutionary", NULL };

  if (self->strategy != NULL && !g_strv_contains (strategies, self->strategy))
    return ls_cli_usage (command, "--strategy is random or evolutionary");
  if (self->model != NULL && !g_strv_contains (models, self->model))
    return ls_cli_usage (command, "--cost-model is xgb, ridge or random");
  if (self->queue == NULL && (self->auth != NULL || (self->kind != NULL && !ls_bundle_is_target (self->target))))
    return ls_cli_usage (command, "--auth and --kind belong to --queue");
  if (self->trials < 1 || self->trials > G_MAXINT || self->jobs < 1 || self->jobs > LS_SEARCH_MAX_JOBS)
    return ls_cli_usage (command, "--trials is at least 1 and --jobs from 1 to %d", LS_SEARCH_MAX_JOBS);
  return check_target (self->target, command);
}

/* What others see of the command line has no password from here on. */
static void
hide_queue (LsCliSearchRequest *self,
            int                 argc,
            char              **argv)
{
  if (self->queue == NULL)
    return;
  self->own_queue = g_strdup (self->queue);
  self->queue = self->own_queue;
  for (int i = 1; i < argc; i++)
    if (strstr (argv[i], "://") != NULL)
      ls_fleet_address_hide (argv[i]);
}

int
ls_cli_search_request_read (LsCliSearchRequest *self,
                            int                 argc,
                            char              **argv,
                            const LsCliOption  *own)
{
  const LsCliOption both[] = {
    { "--json", LS_CLI_FLAG, &self->json },
    { "--func", LS_CLI_TEXT, &self->func },
    { "--strategy", LS_CLI_TEXT, &self->strategy },
    { "--cost-model", LS_CLI_TEXT, &self->model },
    { "--model", LS_CLI_TEXT, &self->model },
    { "-o", LS_CLI_TEXT, &self->folder },
    { "--database", LS_CLI_TEXT, &self->folder },
    { "--work-dir", LS_CLI_TEXT, &self->folder },
    { "--queue", LS_CLI_TEXT, &self->queue },
    { "--auth", LS_CLI_TEXT, &self->auth },
    { "--kind", LS_CLI_TEXT, &self->kind },
    { "--target", LS_CLI_TEXT, &self->target },
    { "--trials", LS_CLI_NUMBER, &self->trials },
    { "--seconds", LS_CLI_NUMBER, &self->seconds },
    { "--jobs", LS_CLI_NUMBER, &self->jobs },
    { "--seed", LS_CLI_NUMBER, &self->seed },
    { "--budget-ms", LS_CLI_NUMBER, &self->budget },
    { "--timeout", LS_CLI_NUMBER, &self->timeout },
    { "--set", LS_CLI_LIST, self->set = g_ptr_array_new () },
  };
  g_autoptr (GArray) options = g_array_new (TRUE, TRUE, sizeof (LsCliOption));
  int status;

  g_array_append_vals (options, both, G_N_ELEMENTS (both));
  for (; own->name != NULL; own++)
    g_array_append_vals (options, own, 1);
  status = ls_cli_args_read (argc, argv, (const LsCliOption *) (void *) options->data, &self->file);
  if (status == LS_CLI_DONE)
    status = check (self, argv[0]);
  if (status == LS_CLI_DONE)
    hide_queue (self, argc, argv);
  return status;
}

LsTuneModelKind
ls_cli_search_request_model (const LsCliSearchRequest *self)
{
  if (g_strcmp0 (self->model, "none") == 0 || g_strcmp0 (self->model, "random") == 0)
    return LS_TUNE_MODEL_NONE;
  return g_strcmp0 (self->model, "xgb") == 0 ? LS_TUNE_MODEL_XGB : LS_TUNE_MODEL_RIDGE;
}

LsSearchOptions
ls_cli_search_request_options (LsCliSearchRequest *self)
{
  g_ptr_array_add (self->set, NULL);
  return (LsSearchOptions) {
    .strategy = g_strcmp0 (self->strategy, "random") == 0 ? LS_TUNE_RANDOM : LS_TUNE_EVOLUTIONARY, .model = ls_cli_search_request_model (self), .trials = (guint) self->trials,
    .seconds = self->seconds, .jobs = (guint) self->jobs, .seed = self->seed, .budget_ms = self->budget, .timeout_s = self->timeout, .kind = self->kind, .func = self->func,
    .target = self->target, .set = (const char *const *) self->set->pdata,
  };
}
