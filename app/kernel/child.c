/* Finding Python and its parts, starting the process in its jail, how it ended. */
#include "app/kernel/kernel-private.h"

#include "app/jail/jail.h"
#include "app/rpc/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gio/gunixconnection.h>
#include <glib/gi18n.h>

#define CHILD_FD 3
#define PIPE_SIZE (1 << 20)

/* ---- where things are ---- */

/* `names` stand relative to the program: in the build tree, or installed.  The folder among them in which `file` is. */
static char *
find_folder (const char        *variable,
             const char *const *names,
             const char        *installed,
             const char        *file)
{
  const char *given = g_getenv (variable);
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *own = program != NULL ? g_path_get_dirname (program) : NULL;
  g_autofree char *there = g_build_filename (installed, file, NULL);

  if (given != NULL && *given != 0)
    return g_strdup (given);
  for (gsize i = 0; own != NULL && names[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (own, names[i], NULL);
      g_autofree char *inner = g_build_filename (path, file, NULL);

      if (g_file_test (inner, G_FILE_TEST_EXISTS))
        return g_canonicalize_filename (path, NULL);
    }
  return g_file_test (there, G_FILE_TEST_EXISTS) ? g_strdup (installed) : NULL;
}

char *
ls_kernel_python_path (void)
{
  static const char *const names[] = { "../engine/python", "../../engine/python", "../../../engine/python", LS_PYTHON_BESIDE, NULL };

  return find_folder ("LS_PYTHON_PATH", names, LS_PYTHON_DIR, "tvm/__init__.py");
}

static char *
kernel_path (void)
{
  static const char *const names[] = { "kernel", "../kernel", "../app/kernel", "../../app/kernel", "../../../app/kernel", LS_KERNEL_BESIDE, NULL };

  return find_folder ("LS_KERNEL_PATH", names, LS_KERNEL_DIR, "loopscope_kernel/__main__.py");
}

static char *
find_python (void)
{
  const char *given = g_getenv ("LS_PYTHON");

  if (given != NULL && *given != 0)
    return g_find_program_in_path (given);
  if (g_file_test ("/usr/bin/python3", G_FILE_TEST_IS_EXECUTABLE))
    return g_strdup ("/usr/bin/python3");
  return g_find_program_in_path ("python3");
}

/* ---- starting it ---- */

/* In a child that is no jail: it must not outlive us in the middle of a cell, nor be ended by an interrupt while it starts; it listens to that later. */
static void
child_setup (gpointer data)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  signal (SIGINT, SIG_IGN);
}

static gboolean
fail (GError     **error,
      const char  *what)
{
  g_set_error (error, LS_KERNEL_ERROR, LS_KERNEL_ERROR_SPAWN, "%s: %s", _(what), g_strerror (errno));
  return FALSE;
}

static gboolean
make_pipes (LsKernelChild  *self,
            int             far[2],
            GError        **error)
{
  for (int i = 0; i < 2; i++)
    {
      int both[2];

      if (pipe2 (both, O_CLOEXEC) != 0)
        return fail (error, N_("no pipe to the kernel could be made"));
      self->pipes[i] = both[0];
      far[i] = both[1];
      fcntl (both[0], F_SETFL, O_NONBLOCK);
      fcntl (both[0], F_SETPIPE_SZ, PIPE_SIZE);
    }
  return TRUE;
}

#if defined __SANITIZE_ADDRESS__
/* Python is not instrumented, its extension is: the runtime has to be there first. */
static void
preload_sanitizer (GSubprocessLauncher *launcher)
{
  g_autofree char *maps = NULL;
  const char *at, *line;

  g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL);
  at = maps != NULL ? strstr (maps, "libasan") : NULL;
  if (at == NULL)
    return;
  for (line = at; line > maps && *line != ' '; line--)
    ;
  {
    g_autofree char *path = g_strndup (line + 1, strcspn (line + 1, "\n"));

    g_subprocess_launcher_setenv (launcher, "LD_PRELOAD", path, TRUE);
  }
  g_subprocess_launcher_setenv (launcher, "ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1:handle_segv=0:handle_abort=0", TRUE);
}
#endif

/* GLib takes posix_spawn() where nothing is to be done in the child before it is another program; else it forks, which takes the longer the more memory
 * we have: a tenth of a second with a large graph.  The jail has what there is to be done: it ends with us, starts in the folder and lets no
 * interrupt in.  What is open here must not be there either; where the kernel cannot say so at once, we fork. */
static gboolean
can_spawn (const char *program)
{
  g_autofree char *name = g_path_get_basename (program);

  return strcmp (name, "loopscope-jail") == 0 && close_range (CHILD_FD, ~0u, CLOSE_RANGE_CLOEXEC) == 0;
}

static GSubprocessLauncher *
make_launcher (const char  *package,
               const char  *engine,
               const char  *folder,
               gboolean     spawn)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (spawn ? G_SUBPROCESS_FLAGS_INHERIT_FDS : G_SUBPROCESS_FLAGS_NONE);
  g_autofree char *path = NULL;

  path = engine != NULL ? g_strconcat (package, ":", engine, NULL) : g_strdup (package);
  if (g_getenv ("PYTHONPATH") != NULL)
    {
      char *longer = g_strconcat (path, ":", g_getenv ("PYTHONPATH"), NULL);

      g_free (path);
      path = longer;
    }
  g_subprocess_launcher_setenv (launcher, "PYTHONPATH", path, TRUE);
  g_subprocess_launcher_setenv (launcher, "OPENBLAS_THREAD_TIMEOUT", "20", FALSE);      /* for NumPy, as in engine/runtime/env.c */
  if (!spawn && folder != NULL && g_file_test (folder, G_FILE_TEST_IS_DIR))
    g_subprocess_launcher_set_cwd (launcher, folder);
  if (!spawn)
    g_subprocess_launcher_set_child_setup (launcher, child_setup, NULL, NULL);
#if defined __SANITIZE_ADDRESS__
  preload_sanitizer (launcher);
#endif
  return g_steal_pointer (&launcher);
}

/* ---- what it may see ---- */

/* The installation to which a Python belongs that is not the system's. */
static void
hand_over_python (LsJail     *jail,
                  const char *python)
{
  g_autofree char *whole = g_canonicalize_filename (python, NULL);
  g_autofree char *real = realpath (whole, NULL);
  const char *const programs[] = { whole, real };

  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autofree char *bin = programs[i] != NULL ? g_path_get_dirname (programs[i]) : NULL;
      g_autofree char *prefix = bin != NULL ? g_path_get_dirname (bin) : NULL;

      if (prefix != NULL && !g_str_has_prefix (prefix, "/usr") && !ls_jail_hand_over (jail, LS_JAIL_READ, prefix))
        ls_jail_hand_over (jail, LS_JAIL_READ, programs[i]);
    }
}

/* Models and samples that stand in for downloads: offline.py looks for them at these places. */
static void
hand_over_data (LsJail     *jail,
                const char *package)
{
  static const char *const beside[] = { "../../../data", "../../../../data", "../../../share/loopscope", "../../../../share/loopscope" };
  const char *root = g_getenv ("LS_SOURCE_ROOT"), *models = g_getenv ("LS_MODELS_PATH");
  g_autofree char *data = root != NULL ? g_build_filename (root, "data", NULL) : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (beside); i++)
    {
      g_autofree char *path = g_canonicalize_filename (beside[i], package);
      g_autofree char *inner = g_build_filename (path, "models", NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_DIR))
        ls_jail_hand_over (jail, LS_JAIL_READ, path);
    }
  if (data != NULL)
    ls_jail_hand_over (jail, LS_JAIL_READ, data);
  ls_jail_hand_over_list (jail, LS_JAIL_READ, models);
}

static LsJail *
make_jail (const char *python,
           const char *package,
           const char *engine,
           const char *folder,
           const char *exchange,
           guint64     memory)
{
  LsJail *jail = ls_jail_new ();
  g_autofree char *fonts = g_build_filename (g_get_user_cache_dir (), "matplotlib", NULL);

  ls_jail_set_memory (jail, memory);
  ls_jail_add_option (jail, "--ignore-interrupt");
  if (g_strcmp0 (g_getenv ("LS_KERNEL_NETWORK"), "1") == 0)
    ls_jail_add_option (jail, "--network");
  ls_jail_hand_over (jail, LS_JAIL_OVER, fonts);
  if (folder != NULL && g_file_test (folder, G_FILE_TEST_IS_DIR))
    ls_jail_set_folder (jail, folder);
  if (exchange != NULL)
    ls_jail_hand_over (jail, LS_JAIL_WRITE, exchange);
  ls_jail_hand_over (jail, LS_JAIL_READ, package);
  if (engine != NULL)
    ls_jail_hand_over (jail, LS_JAIL_READ, engine);
  ls_jail_hand_over_list (jail, LS_JAIL_READ, g_getenv ("PYTHONPATH"));
  hand_over_python (jail, python);
  hand_over_data (jail, package);
  ls_jail_hand_over_list (jail, LS_JAIL_READ, g_getenv ("LS_JAIL_READ"));
  ls_jail_hand_over_list (jail, LS_JAIL_WRITE, g_getenv ("LS_JAIL_WRITE"));
  return jail;
}

static gboolean
is_switched_off (void)
{
  return g_strcmp0 (g_getenv ("LS_KERNEL_SANDBOX"), "off") == 0;
}

static gboolean
may_start (GError **error)
{
  g_autofree char *sentence = NULL;

  if (is_switched_off () || ls_jail_may_run ())
    return TRUE;
  sentence = ls_jail_report_sentence (ls_jail_probe ());
  g_set_error (error, LS_KERNEL_ERROR, LS_KERNEL_ERROR_JAIL, _("%s Nothing was run."), sentence);
  return FALSE;
}

/* ---- starting it ---- */

static GPtrArray *
command_line (const char  *python,
              const char  *package,
              const char  *engine,
              const char  *folder,
              const char  *exchange,
              guint64      memory,
              GError     **error)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LsJail) jail = make_jail (python, package, engine, folder, exchange, memory);
  g_autofree char *fd = g_strdup_printf ("%d", CHILD_FD);
  g_autofree char *limit = g_strdup_printf ("%" G_GUINT64_FORMAT, memory);
  const char *const own[] = { python, "-s", "-m", "loopscope_kernel", "--fd", fd, "--memory", limit };

  if (!is_switched_off () && !ls_jail_begin (jail, argv, error))
    {
      (*error)->domain = LS_KERNEL_ERROR;
      (*error)->code = LS_KERNEL_ERROR_NOT_FOUND;
      return NULL;
    }
  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    g_ptr_array_add (argv, g_strdup (own[i]));
  g_ptr_array_add (argv, NULL);
  return g_steal_pointer (&argv);
}

static GSubprocess *
launch (int          far[3],
        guint64      memory,
        const char  *folder,
        const char  *exchange,
        GError     **error)
{
  g_autofree char *package = kernel_path ();
  g_autofree char *engine = ls_kernel_python_path ();
  g_autofree char *python = find_python ();
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  g_autoptr (GPtrArray) argv = NULL;
  GSubprocess *process;
  sigset_t interrupt, before;

  if (package == NULL)
    {
      g_set_error (error, LS_KERNEL_ERROR, LS_KERNEL_ERROR_NOT_FOUND, _("the Python part of the kernel, loopscope_kernel, is not beside the program"));
      return NULL;
    }
  if (!may_start (error))
    return NULL;
  if (python == NULL)
    {
      g_set_error (error, LS_KERNEL_ERROR, LS_KERNEL_ERROR_NOT_FOUND, _("there is no python3, and cells need Python 3.10 or newer"));
      return NULL;
    }
  if (g_path_is_absolute (python) && !g_file_test (python, G_FILE_TEST_IS_EXECUTABLE))
    {
      g_set_error (error, LS_KERNEL_ERROR, LS_KERNEL_ERROR_NOT_FOUND, _("there is no Python at %s, and cells need Python 3.10 or newer"), python);
      return NULL;
    }
  argv = command_line (python, package, engine, folder, exchange, memory, error);
  if (argv == NULL)
    return NULL;
  launcher = make_launcher (package, engine, folder, can_spawn (argv->pdata[0]));
  g_subprocess_launcher_take_stdout_fd (launcher, far[0]);
  g_subprocess_launcher_take_stderr_fd (launcher, far[1]);
  g_subprocess_launcher_take_fd (launcher, far[2], CHILD_FD);
  far[0] = far[1] = far[2] = -1;
  sigemptyset (&interrupt);
  sigaddset (&interrupt, SIGINT);
  pthread_sigmask (SIG_BLOCK, &interrupt, &before);     /* one that comes while the jail starts waits for it */
  process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, error);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return process;
}

static void
close_fd (int fd)
{
  if (fd >= 0)
    close (fd);
}

LsKernelChild *
ls_kernel_child_start (guint64      memory,
                       const char  *folder,
                       const char  *exchange,
                       GError     **error)
{
  g_autoptr (LsKernelChild) self = g_new0 (LsKernelChild, 1);
  g_autoptr (GSocket) socket = NULL;
  g_autoptr (GSocketConnection) connection = NULL;
  int far[3] = { -1, -1, -1 }, pair[2] = { -1, -1 };
  gboolean ok;

  self->pipes[0] = self->pipes[1] = -1;
  ok = make_pipes (self, far, error);
  if (ok && socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    ok = fail (error, N_("no socket for the kernel could be made"));
  far[2] = pair[1];
  if (ok)
    self->process = launch (far, memory, folder, exchange, error);
  for (int i = 0; i < 3; i++)
    close_fd (far[i]);
  if (self->process == NULL || (socket = g_socket_new_from_fd (pair[0], error)) == NULL)
    {
      close_fd (pair[0]);
      return NULL;
    }
  connection = g_socket_connection_factory_create_connection (socket);
  self->client = jsonrpc_client_new (G_IO_STREAM (connection));
  return g_steal_pointer (&self);
}

void
ls_kernel_child_free (LsKernelChild *self)
{
  if (self->process != NULL)
    g_subprocess_force_exit (self->process);
  g_clear_pointer (&self->client, ls_rpc_client_free);
  g_clear_object (&self->process);
  close_fd (self->pipes[0]);
  close_fd (self->pipes[1]);
  g_free (self);
}

/* ---- while it lives, and after ---- */

int
ls_kernel_child_pid (LsKernelChild *self)
{
  const char *text = g_subprocess_get_identifier (self->process);

  return text != NULL ? atoi (text) : 0;
}

guint64
ls_kernel_child_resident (LsKernelChild *self,
                          guint64        limit)
{
  return ls_jail_resident (ls_kernel_child_pid (self), TRUE, limit);
}

char *
ls_kernel_child_signal (LsKernelChild *self)
{
  const char *name = g_subprocess_get_if_signaled (self->process) ? sigabbrev_np (g_subprocess_get_term_sig (self->process)) : NULL;

  return name != NULL ? g_strconcat ("SIG", name, NULL) : NULL;
}

char *
ls_kernel_child_end (LsKernelChild *self)
{
  int number;

  if (g_subprocess_get_if_signaled (self->process))
    {
      number = g_subprocess_get_term_sig (self->process);
      return g_strdup_printf (_("was ended by SIG%s (%s)"), sigabbrev_np (number) != NULL ? sigabbrev_np (number) : "?",
                              sigdescr_np (number) != NULL ? sigdescr_np (number) : _("unknown signal"));
    }
  if (g_subprocess_get_if_exited (self->process))
    return g_strdup_printf (_("ended by itself with status %d"), g_subprocess_get_exit_status (self->process));
  return g_strdup (_("ended"));
}
