/* onto: a bundle's steps on a device of this machine.
 *
 *   loopscope-jail ... loopscope-device --plan FOLDER/plan.json -o result.json
 *
 * The folder is made for one run and goes with it.  Each step has a process of its own in there, with a watchdog; here the whole is watched once more,
 * for a driver that hangs where nobody watches.  A driver is asked in the jail as well: its code is not ours, and OpenCL on a processor runs the
 * kernel with the rights of who asks. */
#include "app/bundle/bundle.h"

#include "app/bundle/fail.h"
#include "app/jail/jail.h"
#include "engine/base/base.h"
#include "engine/base/folder.h"
#include "engine/base/json.h"

#include <gio/gio.h>
#include <glib/gstdio.h>

#include <string.h>
#include <unistd.h>

#define PROBE_S 60              /* a driver that starts takes seconds, OpenCL on a processor too */
#define SLACK_S 30              /* beyond what the watchdogs of the steps allow */

/* ---- the program ---- */

/* Beside loopscope-worker, installed and in the build tree; LS_DEVICE names another one. (transfer full) */
static char *
locate (GError **error)
{
  static const char *const PLACES[] = { "loopscope-device", "../device/loopscope-device" };
  const char *given = g_getenv ("LS_DEVICE");
  g_autofree char *worker = ls_worker_locate (error), *folder = worker != NULL ? g_path_get_dirname (worker) : NULL;

  if (folder == NULL)
    return NULL;
  if (given != NULL && *given != 0)
    return g_strdup (given);
  for (guint i = 0; i < G_N_ELEMENTS (PLACES); i++)
    {
      g_autofree char *path = g_canonicalize_filename (PLACES[i], folder);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&path);
    }
  ls_bundle_fail (error, "loopscope-device is not beside loopscope-worker (%s)", folder);
  return NULL;
}

/* What drivers read of the environment besides what goes into every jail. */
static const char *const KEPT[] = { "CUDA_*", "NVIDIA_*", "HIP_*", "ROCR_*", "ROCM_*", "HSA_*", "GPU_*", "OCL_ICD_*", "OPENCL_*", "POCL_*", "LIBCL_*" };

static gboolean
begin_jail (GPtrArray   *argv,
            const char  *program,
            const char  *folder,
            guint64      memory,
            GError     **error)
{
  g_autoptr (LsJail) jail = ls_jail_new ();

  if (memory > 0)
    ls_jail_set_memory (jail, memory);

  for (guint i = 0; i < G_N_ELEMENTS (KEPT); i++)
    {
      ls_jail_add_option (jail, "--keep");
      ls_jail_add_option (jail, KEPT[i]);
    }
  ls_jail_add_option (jail, "--devices");
  ls_jail_add_option (jail, "--try");           /* as the worker's: whoever runs what others send has looked whether the jail holds */
  ls_jail_hand_over (jail, LS_JAIL_READ, program);
  ls_jail_hand_over_list (jail, LS_JAIL_READ, g_getenv ("LS_JAIL_READ"));
  ls_jail_hand_over (jail, LS_JAIL_WRITE, folder);
  return ls_jail_begin (jail, argv, error);
}

typedef struct {
  GSubprocess *child;
  gboolean     late;
} Watch;

static gboolean
end_it (gpointer data)
{
  Watch *watch = data;

  watch->late = TRUE;
  g_subprocess_force_exit (watch->child);
  return G_SOURCE_REMOVE;
}

static void
on_ended (GObject      *source,
          GAsyncResult *result,
          gpointer      data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

static void
on_cancelled (GCancellable *cancellable,
              gpointer      child)
{
  g_subprocess_force_exit (child);
}

/* Waits for it, at most so long, in a main context of its own; *said gets what it wrote. */
static gboolean
wait_for (GSubprocess   *child,
          double         limit_s,
          GCancellable  *cancellable,
          char         **said,
          GError       **error)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GSource) limit = g_timeout_source_new ((guint) (limit_s * 1000));
  g_autoptr (GAsyncResult) result = NULL;
  Watch watch = { child, FALSE };
  gulong handler = cancellable != NULL ? g_cancellable_connect (cancellable, G_CALLBACK (on_cancelled), child, NULL) : 0;
  gboolean ok;

  g_main_context_push_thread_default (context);
  g_source_set_callback (limit, end_it, &watch, NULL);
  g_source_attach (limit, context);
  g_subprocess_communicate_utf8_async (child, NULL, NULL, on_ended, &result);
  while (result == NULL)
    g_main_context_iteration (context, TRUE);
  ok = g_subprocess_communicate_utf8_finish (child, result, said, NULL, error);
  g_source_destroy (limit);
  g_main_context_pop_thread_default (context);
  if (handler != 0)
    g_cancellable_disconnect (cancellable, handler);
  if (g_cancellable_set_error_if_cancelled (cancellable, ok ? error : NULL))
    return FALSE;
  if (ok && watch.late)
    return ls_bundle_fail (error, "the driver did not answer within %.0f seconds and was ended", limit_s);
  return ok;
}

/* Runs loopscope-device with these arguments; its exit status, -1: none. */
static int
run (const char         *folder,
     const char *const  *arguments,
     guint64             memory,
     double              limit_s,
     GCancellable       *cancellable,
     char              **said,
     GError            **error)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *program = locate (error);
  g_autoptr (GSubprocess) child = NULL;

  if (program == NULL || !begin_jail (argv, program, folder, memory, error))
    return -1;
  g_ptr_array_add (argv, g_strdup (program));
  for (; *arguments != NULL; arguments++)
    g_ptr_array_add (argv, g_strdup (*arguments));
  g_ptr_array_add (argv, NULL);
  child = g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE, error);
  if (child == NULL || !wait_for (child, limit_s, cancellable, said, error))
    return -1;
  if (g_subprocess_get_if_exited (child))
    return g_subprocess_get_exit_status (child);
  ls_bundle_fail (error, "loopscope-device was ended by signal %d", g_subprocess_get_term_sig (child));
  return -1;
}

/* ---- its folder ---- */

static char *
make_folder (GError **error)
{
  return g_dir_make_tmp ("loopscope-device-XXXXXX", error);
}

/* The last line that it said, without its own name. (transfer full) */
static char *
last_words (const char *said)
{
  g_autofree char *text = g_strstrip (g_strdup (said != NULL ? said : ""));
  const char *line = strrchr (text, '\n') != NULL ? strrchr (text, '\n') + 1 : text;

  for (guint i = 0; i < 2; i++)
    line += g_str_has_prefix (line, "check: ") ? strlen ("check: ") : g_str_has_prefix (line, "loopscope-device: ") ? strlen ("loopscope-device: ") : 0;
  return g_strdup (*line != 0 ? line : ls_translate ("it said nothing"));
}

/* ---- which device there is ---- */

char *
ls_bundle_device_kind (const char *api,
                       const char *name)
{
  g_autofree char *word = g_strcanon (g_strdup (name), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._+", '-');
  g_autoptr (GString) kind = g_string_new (api);

  for (const char *at = word; *at != 0; at++)
    if (*at != '-' || kind->str[kind->len - 1] != '-')
      {
        if (at == word && *at != '-')
          g_string_append_c (kind, '-');
        g_string_append_c (kind, *at);
      }
  while (kind->str[kind->len - 1] == '-')
    g_string_truncate (kind, kind->len - 1);
  if (kind->len > 60)
    g_string_truncate (kind, 60);
  return g_strdup (kind->str);
}

/* The name of the device that a result was made on; it has no steps, so it is no result for result.c. (transfer full) */
static char *
read_name (const char *path,
           GError    **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  JsonNode *root;
  const char *name;

  if (!json_parser_load_from_file (parser, path, error))
    return NULL;
  root = json_parser_get_root (parser);
  name = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? ls_json_text (ls_json_object (json_node_get_object (root), "device"), "name") : NULL;
  if (name == NULL)
    ls_bundle_fail (error, "the driver tells no name of the device");
  return g_strstrip (g_strdup (name));
}

LsBundleDevice *
ls_bundle_device_open (const char *api,
                       int         number,
                       GError    **error)
{
  g_autofree char *folder = make_folder (error), *said = NULL, *which = g_strdup_printf ("%d", number), *name = NULL;
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "result.json", NULL) : NULL;
  const char *arguments[] = { "--probe", api, "-o", path, "--device", which, "--quick", NULL };
  LsBundleDevice *self = NULL;
  int status = folder != NULL ? run (folder, arguments, 0, PROBE_S, NULL, &said, error) : -1;

  if (status == 0)
    name = read_name (path, error);
  else if (status > 0)
    {
      g_autofree char *words = last_words (said);

      ls_bundle_fail (error, "%s", words);
    }
  if (name != NULL)
    {
      self = g_new0 (LsBundleDevice, 1);
      *self = (LsBundleDevice) { g_strdup (api), number, g_strdup (name), ls_bundle_device_kind (api, name), 0 };
    }
  if (folder != NULL)
    ls_folder_remove (folder);
  return self;
}

void
ls_bundle_device_free (LsBundleDevice *self)
{
  if (self == NULL)
    return;
  g_free (self->api);
  g_free (self->name);
  g_free (self->kind);
  g_free (self);
}

/* ---- running ---- */

LsDeviceResult *
ls_bundle_device_run (LsBundleDevice *self,
                      const LsBundle *bundle,
                      double          seconds,
                      double          limit_s,
                      GCancellable   *cancellable,
                      GError        **error)
{
  g_autofree char *folder = make_folder (error), *said = NULL, *which = g_strdup_printf ("%d", self->number);
  g_autofree char *plan = folder != NULL ? g_build_filename (folder, "plan.json", NULL) : NULL, *path = folder != NULL ? g_build_filename (folder, "result.json", NULL) : NULL;
  char time[G_ASCII_DTOSTR_BUF_SIZE], limit[G_ASCII_DTOSTR_BUF_SIZE];
  const char *arguments[] = { "--plan", plan, "-o", path, "--device", which, "--quick", "--seconds", g_ascii_formatd (time, sizeof time, "%.3f", seconds),
                              "--limit", g_ascii_formatd (limit, sizeof limit, "%.3f", limit_s), NULL };
  LsDeviceResult *result = NULL;
  int status = -1;

  if (folder == NULL)
    return NULL;
  if (ls_bundle_write_parts (bundle, folder, error))
    status = run (folder, arguments, self->memory, (limit_s + 1) * bundle->steps->len + SLACK_S, cancellable, &said, error);
  if (status == 0 || status == 1)
    result = ls_device_result_read (path, error);
  else if (status > 0)
    {
      g_autofree char *words = last_words (said);

      ls_bundle_fail (error, "%s", words);
    }
  ls_folder_remove (folder);
  return result;
}
