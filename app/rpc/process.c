/* One life of the worker process.
 *
 * stdout and stderr of the child are memfds that we hold too: nothing has to be drained while a kernel runs, a
 * kernel that prints without end cannot block anybody (its file size is limited), and what was
 * printed before a crash is still there.
 */
#include "app/rpc/process.h"

#include "app/jail/jail.h"
#include "engine/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gio/gunixconnection.h>

#define CHILD_RPC_FD 3
#define CHILD_FDS_FD 4
#define OUTPUT_LIMIT (1 << 20)

struct _LsProcess {
  GSubprocess   *child;
  JsonrpcClient *client;
  GCancellable  *waiting;       /* of g_subprocess_wait_async */
  int            fds_socket;
  int            output[2];     /* memfds: stdout, stderr */
  gboolean       ended;
  LsProcessEnded on_ended;
  gpointer       data;
};

/* ---- finding it ---- */

static char *
own_folder (void)
{
  char path[4096];
  gssize n = readlink ("/proc/self/exe", path, sizeof path - 1);

  if (n <= 0)
    return NULL;
  path[n] = '\0';
  return g_path_get_dirname (path);
}

/* Relative to the folder of the own executable: installed together; or in the build tree, where programs
 * stand in app, app/cli and tests/unit/NAME. */
static const char *const places[] = {
  "loopscope-worker",
  "worker/loopscope-worker",
  "../worker/loopscope-worker",
  "../app/worker/loopscope-worker",
  "../../app/worker/loopscope-worker",
  "../../../app/worker/loopscope-worker",
  "../libexec/loopscope-worker",
  "../libexec/loopscope/loopscope-worker",
};

char *
ls_worker_locate (GError **error)
{
  const char *given = g_getenv ("LS_WORKER");
  g_autofree char *folder = own_folder ();
  char *found;

  if (given != NULL && *given != '\0')
    {
      if (g_file_test (given, G_FILE_TEST_IS_EXECUTABLE))
        return g_strdup (given);
      g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_NOT_FOUND,
                   ls_translate ("LS_WORKER names %s, which is not a program"), given);
      return NULL;
    }
  for (gsize i = 0; folder != NULL && i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_canonicalize_filename (places[i], folder);

      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE)
          && !g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_steal_pointer (&path);
    }
  found = g_find_program_in_path ("loopscope-worker");
  if (found == NULL && g_file_test (LS_WORKER_INSTALLED, G_FILE_TEST_IS_EXECUTABLE))
    found = g_strdup (LS_WORKER_INSTALLED);     /* a program of somebody else with libloopscope */
  if (found == NULL)
    g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_NOT_FOUND,
                 ls_translate ("loopscope-worker is not beside the program (%s), not in PATH, and LS_WORKER is not set"), folder != NULL ? folder : "?");
  return found;
}

/* ---- starting it ---- */

static void
child_ended (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  LsProcess *self = data;

  if (!g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL))
    return;
  self->ended = TRUE;
  self->on_ended (self, self->data);
}

static gboolean
fail_errno (GError     **error,
            const char  *what)
{
  g_set_error (error, LS_WORKER_ERROR, LS_WORKER_ERROR_SPAWN, "%s: %s", ls_translate (what), g_strerror (errno));
  return FALSE;
}

static gboolean
make_output (LsProcess  *self,
             GError    **error)
{
  for (int i = 0; i < 2; i++)
    {
      self->output[i] = memfd_create ("loopscope-output", MFD_CLOEXEC);
      if (self->output[i] < 0 || fcntl (self->output[i], F_SETFL, O_APPEND) != 0)
        return fail_errno (error, LS_TEXT ("no file for the worker's output could be made"));
    }
  return TRUE;
}

/* Two socketpairs: ours in `near`, the child's in `far`. */
static gboolean
make_sockets (int      near[2],
              int      far[2],
              GError **error)
{
  static const int types[2] = { SOCK_STREAM, SOCK_SEQPACKET };

  for (int i = 0; i < 2; i++)
    {
      int pair[2];

      if (socketpair (AF_UNIX, types[i] | SOCK_CLOEXEC, 0, pair) != 0)
        return fail_errno (error, LS_TEXT ("no socket for the worker could be made"));
      near[i] = pair[0];
      far[i] = pair[1];
    }
  return TRUE;
}

/* What the worker's own sandbox lets it read is what is there at all.  It sets its limits by itself, and starts no processes. */
static gboolean
begin_jail (const char  *program,
            GPtrArray   *paths,
            GPtrArray   *argv,
            GError     **error)
{
  static const char *const in_home[] = { ".fonts", ".fonts.conf", ".config/fontconfig", ".local/share/fonts", ".cache/fontconfig" };
  g_autoptr (LsJail) jail = ls_jail_new ();
  g_autofree char *folder = g_path_get_dirname (program);

  if (g_strcmp0 (g_getenv ("LS_WORKER_SANDBOX"), "off") == 0)
    return TRUE;
  ls_jail_add_option (jail, "--no-group");
  ls_jail_add_option (jail, "--counters");
  ls_jail_add_option (jail, "--try");
  for (guint i = 0; i < G_N_ELEMENTS (in_home); i++)
    {
      g_autofree char *path = g_build_filename (g_get_home_dir (), in_home[i], NULL);

      ls_jail_hand_over (jail, LS_JAIL_READ, path);
    }
  if (!ls_jail_hand_over (jail, LS_JAIL_READ, folder))
    ls_jail_hand_over (jail, LS_JAIL_READ, program);
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = paths->pdata[i];

      ls_jail_hand_over (jail, *path == 'w' ? LS_JAIL_WRITE : LS_JAIL_READ, path + 2);
    }
  return ls_jail_begin (jail, argv, error);
}

static GSubprocess *
launch (LsProcess  *self,
        int         far[2],
        guint64     memory_limit,
        GPtrArray  *paths,
        GError    **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_INHERIT_FDS);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *program = ls_worker_locate (error);

  if (program == NULL || !begin_jail (program, paths, argv, error))
    return NULL;
  g_ptr_array_add (argv, g_strdup (program));
  g_ptr_array_add (argv, g_strdup_printf ("--rpc-fd=%d", CHILD_RPC_FD));
  g_ptr_array_add (argv, g_strdup_printf ("--fds-fd=%d", CHILD_FDS_FD));
  g_ptr_array_add (argv, g_strdup_printf ("--memory-limit=%" G_GUINT64_FORMAT, memory_limit));
  for (guint i = 0; i < paths->len; i++)
    {
      const char *path = paths->pdata[i];

      g_ptr_array_add (argv, g_strdup_printf (*path == 'w' ? "--write=%s" : "--read=%s", path + 2));
    }
  g_ptr_array_add (argv, NULL);
  g_subprocess_launcher_take_fd (launcher, far[0], CHILD_RPC_FD);
  g_subprocess_launcher_take_fd (launcher, far[1], CHILD_FDS_FD);
  far[0] = far[1] = -1;
  g_subprocess_launcher_take_stdout_fd (launcher, fcntl (self->output[0], F_DUPFD_CLOEXEC, 3));
  g_subprocess_launcher_take_stderr_fd (launcher, fcntl (self->output[1], F_DUPFD_CLOEXEC, 3));
  return g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, error);
}

static gboolean
connect_client (LsProcess  *self,
                int        *fd,
                GError    **error)
{
  g_autoptr (GSocket) socket = g_socket_new_from_fd (*fd, error);
  g_autoptr (GSocketConnection) connection = NULL;

  if (socket == NULL)
    return FALSE;
  *fd = -1;
  connection = g_socket_connection_factory_create_connection (socket);
  self->client = jsonrpc_client_new (G_IO_STREAM (connection));
  jsonrpc_client_set_use_gvariant (self->client, TRUE);
  return TRUE;
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

LsProcess *
ls_process_start (guint64          memory_limit,
                  GPtrArray       *paths,
                  LsProcessEnded   ended,
                  gpointer         data,
                  GError         **error)
{
  g_autoptr (LsProcess) self = g_new0 (LsProcess, 1);
  int near[2] = { -1, -1 }, far[2] = { -1, -1 };
  gboolean ok;

  self->output[0] = self->output[1] = self->fds_socket = -1;
  self->on_ended = ended;
  self->data = data;
  self->waiting = g_cancellable_new ();
  ok = make_output (self, error) && make_sockets (near, far, error);
  if (ok)
    self->child = launch (self, far, memory_limit, paths, error);
  self->fds_socket = near[1];
  ok = self->child != NULL && connect_client (self, &near[0], error);
  close_fd (&near[0]);
  close_fd (&far[0]);
  close_fd (&far[1]);
  if (!ok)
    return NULL;
  jsonrpc_client_start_listening (self->client);
  g_subprocess_wait_async (self->child, self->waiting, child_ended, self);
  return g_steal_pointer (&self);
}

static gboolean
close_later (gpointer client)
{
  jsonrpc_client_close (client, NULL, NULL);
  return G_SOURCE_REMOVE;
}

void
ls_rpc_client_free (JsonrpcClient *client)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_LOW);
  g_source_set_callback (source, close_later, client, g_object_unref);
  g_source_attach (source, g_main_context_get_thread_default ());
}

void
ls_process_free (LsProcess *self)
{
  g_cancellable_cancel (self->waiting);
  if (self->child != NULL)
    g_subprocess_force_exit (self->child);
  g_clear_pointer (&self->client, ls_rpc_client_free);
  g_clear_object (&self->child);
  g_clear_object (&self->waiting);
  close_fd (&self->fds_socket);
  close_fd (&self->output[0]);
  close_fd (&self->output[1]);
  g_free (self);
}

JsonrpcClient *
ls_process_get_client (LsProcess *self)
{
  return self->client;
}

int
ls_process_get_pid (LsProcess *self)
{
  const char *text = g_subprocess_get_identifier (self->child);

  return text != NULL ? atoi (text) : 0;
}

void
ls_process_kill (LsProcess *self)
{
  g_subprocess_force_exit (self->child);
}

gboolean
ls_process_has_ended (LsProcess *self)
{
  return self->ended || ls_process_get_pid (self) == 0;
}

gboolean
ls_process_send_fds (LsProcess    *self,
                     guint64       tag,
                     GUnixFDList  *fds,
                     GError      **error)
{
  return ls_fds_send (self->fds_socket, tag, fds, error);
}

/* ---- what it printed, how much it takes, how it ended ---- */

void
ls_process_clear_output (LsProcess *self)
{
  for (int i = 0; i < 2; i++)
    if (ftruncate (self->output[i], 0) != 0)
      g_debug ("the worker's output could not be emptied: %s", g_strerror (errno));
}

static char *
read_all (int fd)
{
  g_autofree char *raw = g_malloc (OUTPUT_LIMIT + 1);
  gsize n = 0;

  while (n < OUTPUT_LIMIT)
    {
      gssize got = pread (fd, raw + n, OUTPUT_LIMIT - n, (off_t) n);

      if (got <= 0)
        break;
      n += (gsize) got;
    }
  return g_utf8_make_valid (raw, (gssize) n);
}

void
ls_process_read_output (LsProcess  *self,
                        char      **out,
                        char      **err)
{
  *out = read_all (self->output[0]);
  *err = read_all (self->output[1]);
}

guint64
ls_process_resident (LsProcess *self)
{
  return ls_jail_resident (ls_process_get_pid (self), FALSE, 0);
}

GError *
ls_process_describe_end (LsProcess  *self,
                         const char *request)
{
  int number;

  if (self->ended && g_subprocess_get_if_signaled (self->child))
    {
      number = g_subprocess_get_term_sig (self->child);
      return g_error_new (LS_WORKER_ERROR, LS_WORKER_ERROR_SIGNAL,
                          ls_translate ("the worker was ended by SIG%s (%s) during %s"),
                          sigabbrev_np (number) != NULL ? sigabbrev_np (number) : "?",
                          sigdescr_np (number) != NULL ? sigdescr_np (number) : ls_translate ("unknown signal"),
                          request);
    }
  if (self->ended && g_subprocess_get_if_exited (self->child))
    return g_error_new (LS_WORKER_ERROR, LS_WORKER_ERROR_EXIT,
                        ls_translate ("the worker ended by itself with status %d during %s"),
                        g_subprocess_get_exit_status (self->child), request);
  return g_error_new (LS_WORKER_ERROR, LS_WORKER_ERROR_EXIT,
                      ls_translate ("the worker closed its connection during %s"), request);
}
