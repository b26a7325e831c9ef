/* loopscope-measure: measures what searches on other machines put into a queue.
 *
 * A job is a program as text with the steps that made it.  It is read, compiled for this machine's own processor, run and compared with the unscheduled
 * program by loopscope-worker, in its jail; this process only hands texts through, and starts another worker when one dies.
 * With --device the job's program becomes a bundle instead, whose kernels loopscope-device runs on a GPU of this machine, in a jail too (app/bundle).
 * SIGINT or SIGTERM: the job at hand is measured to its end, nothing else is taken; the second time it is given back at once.
 * Exit status: 0 it took its leave, 1 it cannot measure here, 2 the command line is wrong.
 */
#include "app/about/about.h"
#include "app/bundle/bundle.h"
#include "app/fleet/fleet.h"
#include "app/jail/jail.h"
#include "app/rpc/rpc.h"

#include <glib-unix.h>
#include <stdio.h>
#include <string.h>

#define MAX_TIMEOUT_MS 3600000
#define TIMEOUT_MS 120000

typedef struct {
  char           *queue, *auth, *name, *kind, *device;
  int             lease, memory, number;
  gboolean        quiet, version, describe;

  LsFleetMachine *machine;
  LsWorker       *worker;
  LsBundleTrials *trials;        /* instead of the worker: a device */
  LsFleetJob     *job;          /* at either, or NULL */
  GMainLoop      *loop;
  char           *trouble;      /* why it cannot measure */
  guint           n_signals;
} Measure;

static const LsAboutExit exits[] = {
  { 0, "it took its leave, as a signal asked it to" },
  { 1, "nothing can be measured here" },
  { 2, "the command line is wrong" },
  { 0, NULL },
};

static const LsAbout about = {
  "loopscope-measure", "--queue URL",
  "Measures, on this machine, programs that searches on other machines put into a queue of Redis.  "
  "URL is redis://[USER[:PASSWORD]@]HOST[:PORT][/DATABASE][?queue=NAME] or unix:///PATH of a socket; loopscope-cli search --queue URL uses the machines, "
  "loopscope-cli fleet --queue URL lists them.  "
  "With --device programs run on a GPU of this machine, one at a time, and the queue's searches with --target cuda, opencl or rocm use it.  "
  "Programs come as text, and are compiled and run only by loopscope-worker in its jail; where the jail does not hold, nothing is taken.  "
  "Redis should know its users: ACL SETUSER measure on >PASSWORD resetkeys ~loopscope:* -@all +@read +@write +@connection +@scripting is enough, in a file of "
  "mode 600 for --auth.  "
  "The connection is not encrypted: over a network that others share, let stunnel (client = yes, accept = 127.0.0.1:6379, connect = HOST:6380) or "
  "ssh -N -L 6379:localhost:6379 HOST carry it, and name redis://localhost:6379.",
  exits
};

static void
say (LsFleetMachine *machine,
     const char     *text,
     gpointer        data)
{
  Measure *self = data;

  if (!self->quiet)
    fprintf (stderr, "loopscope-measure: %s\n", text);
}

/* ---- a job --------------------------------------------------------------------- */

static gboolean
is_death (const GError *error)
{
  return g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_SIGNAL) || g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_EXIT)
         || g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_TIMEOUT) || g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_MEMORY)
         || g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_PROTOCOL);
}

static void
measured (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  Measure *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call_finish (LS_WORKER (source), result, NULL, NULL, &error);
  LsFleetJob *job = g_steal_pointer (&self->job);
  GPtrArray *fields;

  if (job == NULL)
    return;
  if (answer == NULL && is_death (error))
    {
      ls_fleet_machine_died (self->machine, job, error->message);
      return;
    }
  if (answer == NULL && !g_error_matches (error, LS_WORKER_ERROR, LS_WORKER_ERROR_REQUEST))
    {
      /* It is this machine that cannot. */
      self->trouble = g_strdup (error->message);
      ls_fleet_machine_stop (self->machine, TRUE);
      return;
    }
  fields = answer != NULL ? ls_fleet_result_pack (answer) : g_ptr_array_new_with_free_func (g_free);
  if (answer == NULL)
    ls_fleet_put (fields, "error", error->message);
  ls_fleet_machine_give (self->machine, job, fields);
}

static void
measured_on_device (GObject      *source,
                    GAsyncResult *result,
                    gpointer      data)
{
  Measure *self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_bundle_trials_measure_finish (self->trials, result, &error);
  LsFleetJob *job = g_steal_pointer (&self->job);

  if (job != NULL && answer != NULL)
    ls_fleet_machine_give (self->machine, job, ls_fleet_result_pack (answer));
  else if (job != NULL)
    ls_fleet_machine_died (self->machine, job, error->message);
}

static void
measure (LsFleetMachine *machine,
         LsFleetJob     *job,
         gpointer        data)
{
  Measure *self = data;
  const char *timeout = g_hash_table_lookup (job->fields, "timeout-ms");
  gint64 ms = timeout != NULL ? g_ascii_strtoll (timeout, NULL, 10) : 0;
  LsWorkerOptions options = { .timeout_ms = ms > 0 && ms <= MAX_TIMEOUT_MS ? ms : TIMEOUT_MS };

  self->job = job;
  if (self->trials != NULL)
    ls_bundle_trials_measure_async (self->trials, ls_fleet_job_unpack (job->fields, job->base), job->base, options.timeout_ms, measured_on_device, self);
  else
    ls_worker_call_async (self->worker, "time", ls_fleet_job_unpack (job->fields, job->base), &options, NULL, measured, self);
}

/* ---- leaving -------------------------------------------------------------------- */

static void
ended (LsFleetMachine *machine,
       gpointer        data)
{
  g_main_loop_quit (((Measure *) data)->loop);
}

static gboolean
on_signal (gpointer data)
{
  Measure *self = data;
  gboolean at_once = self->n_signals++ > 0;

  if (at_once)
    self->job = NULL;
  ls_fleet_machine_stop (self->machine, at_once);
  if (at_once && self->trials != NULL)
    ls_bundle_trials_cancel (self->trials);
  else if (at_once)
    ls_worker_stop (self->worker);
  return G_SOURCE_CONTINUE;
}

/* ---- the whole ------------------------------------------------------------------- */

static int
fail (int         status,
      const char *text)
{
  fprintf (stderr, "loopscope-measure: %s\n", text);
  return status;
}

static gboolean
read_arguments (Measure  *self,
                int      *argc,
                char   ***argv,
                GError  **error)
{
  const GOptionEntry entries[] = {
    { "queue", 0, 0, G_OPTION_ARG_STRING, &self->queue, "the queue that jobs are taken from", "URL" },
    { "auth", 0, 0, G_OPTION_ARG_FILENAME, &self->auth, "a file with a line PASSWORD or USER PASSWORD, of mode 600", "FILE" },
    { "name", 0, 0, G_OPTION_ARG_STRING, &self->name, "what this machine is called; the host's name and a number", "NAME" },
    { "kind", 0, 0, G_OPTION_ARG_STRING, &self->kind, "its kind: times are compared within a kind only; processor and number of cores, or the GPU's name", "KIND" },
    { "device", 0, 0, G_OPTION_ARG_STRING, &self->device, "jobs for a GPU, by this driver of the machine: cuda, opencl or hip; without it for the processor", "DRIVER" },
    { "number", 0, 0, G_OPTION_ARG_INT, &self->number, "which of its GPUs; 0", "N" },
    { "lease", 0, 0, G_OPTION_ARG_INT, &self->lease, "when nothing is heard of this machine for so long, another takes its job; 30", "SECONDS" },
    { "memory", 0, 0, G_OPTION_ARG_INT, &self->memory, "a program that wants more of this machine's memory is ended; three quarters of it, with --device no limit", "MIB" },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->quiet, "say nothing", NULL },
    { "version", 0, 0, G_OPTION_ARG_NONE, &self->version, "the version and the libraries", NULL },
    { "describe", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &self->describe, NULL, NULL },
    { NULL }
  };
  g_autoptr (GOptionContext) context = g_option_context_new (about.usage);
  g_autofree char **given = g_memdup2 (*argv, sizeof (char *) * ((gsize) *argc + 1));
  gboolean good;

  g_option_context_set_summary (context, about.summary);
  g_option_context_add_main_entries (context, entries, NULL);
  good = g_option_context_parse (context, argc, argv, error);
  /* GOption has copied the texts; where others can read the command line there is no password any more. */
  for (guint i = 1; given[i] != NULL; i++)
    ls_fleet_address_hide (given[i]);
  if (!good)
    return FALSE;
  if (self->describe)
    ls_about_put_description (&about, entries, FALSE);
  if (self->version || self->describe)
    return TRUE;
  if (self->queue == NULL || *argc > 1)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, self->queue == NULL ? "--queue URL is expected" : "there is nothing but options");
  else if (self->lease < 2 || self->lease > 3600 || self->memory < 0)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--lease is from 2 to 3600, --memory is not negative");
  else if (self->device != NULL && strcmp (self->device, "cuda") != 0 && strcmp (self->device, "opencl") != 0 && strcmp (self->device, "hip") != 0)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--device is cuda, opencl or hip, not \"%s\"", self->device);
  else if (self->number < 0 || self->number > 255 || (self->number > 0 && self->device == NULL))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--number is from 0 to 255 and belongs to --device");
  else if (self->kind != NULL && (*self->kind == '\0' || strpbrk (self->kind, " \"\\/:") != NULL))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "--kind is a word without blanks, quotation marks, / and :");
  else
    return TRUE;
  return FALSE;
}

/* NULL: programs of others can be run here.  Borrowed. */
static const char *
refusal (void)
{
  const LsJailReport *report = ls_jail_probe ();

  if (report->state == LS_JAIL_HOLDS || g_strcmp0 (g_getenv ("LS_JAIL"), "try") == 0)
    return NULL;
  return "the jail does not hold on this machine (loopscope-cli jail says why), so no programs of others are run; LS_JAIL=try is consent to what there is";
}

/* Looks at the device; its name is this machine's kind. */
static gboolean
open_device (Measure                *self,
             LsFleetMachineOptions  *options,
             GError                **error)
{
  LsBundleDevice *device = ls_bundle_device_open (self->device, self->number, error);
  g_autofree char *words = NULL;

  if (device == NULL)
    return FALSE;
  if (self->kind == NULL)
    options->kind = self->kind = g_strdup (device->kind);
  options->api = device->api;
  options->device = device->name;
  device->memory = (guint64) self->memory << 20;
  self->trials = ls_bundle_trials_new (device);
  words = g_strdup_printf ("measures on %s (%s), kind %s", device->name, device->api, self->kind);
  say (NULL, words, self);
  return TRUE;
}

static int
run (Measure *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (LsFleetAddress) address = ls_fleet_address_parse (self->queue, self->auth, &error);
  LsFleetMachineOptions options = { .name = self->name, .kind = self->kind, .lease_ms = (guint) self->lease * 1000, .measure = measure, .say = say, .ended = ended, .data = self };

  if (address == NULL)
    return fail (2, error->message);
  g_unsetenv ("LS_WORKER_SANDBOX");
  if (refusal () != NULL)
    return fail (1, refusal ());
  if (self->device != NULL && !open_device (self, &options, &error))
    return fail (1, error->message);
  self->machine = ls_fleet_machine_new (address, &options, &error);
  if (self->machine == NULL)
    return fail (1, error->message);
  self->worker = ls_worker_new ();
  if (self->memory > 0)
    ls_worker_set_memory_limit (self->worker, (guint64) self->memory << 20);
  self->loop = g_main_loop_new (NULL, FALSE);
  g_unix_signal_add (SIGINT, on_signal, self);
  g_unix_signal_add (SIGTERM, on_signal, self);
  g_main_loop_run (self->loop);
  return self->trouble != NULL ? fail (1, self->trouble) : 0;
}

static void
put_version (void)
{
  g_autofree char *glib = ls_about_number (glib_major_version, glib_minor_version, glib_micro_version);

  ls_about_put_version ("loopscope-measure", "GLib", glib, NULL);
}

int
main (int    argc,
      char **argv)
{
  Measure self = { .lease = 30 };
  g_autoptr (GError) error = NULL;
  int status = 0;

  if (!read_arguments (&self, &argc, &argv, &error))
    status = fail (2, error->message);
  else if (self.version)
    put_version ();
  else if (!self.describe)
    status = run (&self);
  g_clear_pointer (&self.machine, ls_fleet_machine_free);
  g_clear_object (&self.worker);
  ls_bundle_trials_free (self.trials);
  g_clear_pointer (&self.loop, g_main_loop_unref);
  g_free (self.queue);
  g_free (self.auth);
  g_free (self.name);
  g_free (self.kind);
  g_free (self.device);
  g_free (self.trouble);
  return status;
}
