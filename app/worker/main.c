/* loopscope-worker: does what may crash, hang or be cancelled, for the app, the CLI and the
 * tuner.  Started by them (app/rpc) with a socket; of no use on its own.
 */
#include "app/about/about.h"
#include "app/worker/counting.h"
#include "app/worker/sandbox.h"
#include "app/worker/server.h"

#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
/* A signal must end the process as a signal, so that the caller can name it. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0"
         ":allocator_may_return_null=1:use_sigaltstack=0";
}
#endif

/* One table for each area; the last before NULL is dropped unless LS_WORKER_TEST is set. */
static const LsMethod *tables[] = {
  ls_methods_basic,
  ls_methods_blas,
  ls_methods_check,
  ls_methods_code,
  ls_methods_debug,
  ls_methods_debug_graph,
  ls_methods_debug_pair,
  ls_methods_debug_vm,
  ls_methods_graph_values,
  ls_methods_foreign,
  ls_methods_layout,
  ls_methods_legalize,
  ls_methods_lower,
  ls_methods_optimise,
  ls_methods_peaks,
  ls_methods_run,
  ls_methods_same,
  ls_methods_simt,
  ls_methods_time,
  ls_methods_time_graph,
  ls_methods_time_passes,
  ls_methods_vm,
  ls_methods_classify,
  ls_methods_test,
  NULL,
};

static int rpc_fd = -1;
static int fds_fd = -1;
static gboolean version;
static gboolean describe;
static LsSandboxOptions sandbox;

static const GOptionEntry entries[] = {
  { "rpc-fd", 0, 0, G_OPTION_ARG_INT, &rpc_fd, "Socket of the calls", "FD" },
  { "fds-fd", 0, 0, G_OPTION_ARG_INT, &fds_fd, "Socket of the file descriptors", "FD" },
  { "memory-limit", 0, 0, G_OPTION_ARG_INT64, &sandbox.memory_limit, "Bytes", "N" },
  { "read", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &sandbox.readable, "May be read", "PATH" },
  { "write", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &sandbox.writable, "May be written", "PATH" },
  { "version", 0, 0, G_OPTION_ARG_NONE, &version, "The version and the libraries", NULL },
  { "describe", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_NONE, &describe, NULL, NULL },
  { NULL }
};

static const LsAboutExit exits[] = {
  { 0, "the caller is gone" },
  { 2, "the command line is wrong" },
  { 0, NULL },
};

static const LsAbout about = {
  "loopscope-worker", "", "Compiles, runs and measures programs for loopscope, loopscope-cli and the tuner, which start it; of no use on its own.", exits
};

static int
put_version (void)
{
  g_autofree char *glib = ls_about_number (glib_major_version, glib_minor_version, glib_micro_version);
  g_autofree char *llvm = NULL;
  unsigned major, minor, patch;

  LLVMGetVersion (&major, &minor, &patch);
  llvm = ls_about_number (major, minor, patch);
  ls_about_put_version ("loopscope-worker", "LLVM", llvm, "GLib", glib, NULL);
  return 0;
}

/* Who starts us hands over two descriptors, and does not close the rest: that would need a fork(), which for a large process takes long. */
static void
close_what_is_not_ours (void)
{
  guint low = (guint) MIN (rpc_fd, fds_fd), high = (guint) MAX (rpc_fd, fds_fd);

  if (low > 3)
    close_range (3, low - 1, 0);
  if (high > low + 1)
    close_range (low + 1, high - 1, 0);
  close_range (MAX (high, 2) + 1, G_MAXUINT, 0);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("- Loopscope's helper program");
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      fprintf (stderr, "loopscope-worker: %s\n", error->message);
      return 2;
    }
  if (version)
    return put_version ();
  if (describe)
    {
      ls_about_put_description (&about, entries, FALSE);
      return 0;
    }
  if (rpc_fd < 0 || fds_fd < 0)
    {
      fprintf (stderr, "loopscope-worker is started by loopscope and loopscope-cli; "
                       "it is of no use on its own.\n");
      return 2;
    }
  if (g_getenv ("LS_WORKER_TEST") == NULL)
    tables[G_N_ELEMENTS (tables) - 2] = NULL;
  close_what_is_not_ours ();
  setvbuf (stdout, NULL, _IOLBF, 0);
  ls_counting_open ();
  ls_sandbox_enter (&sandbox);
  ls_server_run (rpc_fd, fds_fd, tables);
}
