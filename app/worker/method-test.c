/* Methods for the tests of the transport; there only when LS_WORKER_TEST is set. */
#include "app/worker/server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STEP ((gsize) 16 << 20)

static void
crash_hang (void)
{
  for (volatile int forever = 1; forever;)
    ;
}

/* Maps and touches 16 MiB after 16 MiB. */
static void
crash_alloc (void)
{
  for (;;)
    {
      void *memory = mmap (NULL, STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

      if (memory == MAP_FAILED)
        abort ();
      memset (memory, 1, STEP);
    }
}

static void
crash_segv (void)
{
  raise (SIGSEGV);
}

static void
crash_null (void)
{
  int *volatile nowhere = (int *) 8;

  *nowhere = 1;
}

static void
crash_exit (void)
{
  _exit (3);
}

static void
crash_stack (void)
{
  volatile char frame[65536];

  frame[0] = 1;
  if (frame[0] == 1)
    crash_stack ();
  frame[1] = 2;
}

static const struct {
  const char *kind;
  void      (*func) (void);
} crashes[] = {
  { "segv", crash_segv }, { "null", crash_null },   { "abort", abort },
  { "hang", crash_hang }, { "alloc", crash_alloc }, { "exit", crash_exit },
  { "stack", crash_stack },
};

/* kind: how; what stands on stdout before is printed. */
static GVariant *
method_crash (LsRequest  *request,
              GVariant   *params,
              GError    **error)
{
  const char *kind = ls_params_require_string (params, "kind", error);

  if (kind == NULL)
    return NULL;
  printf ("%s", ls_params_string (params, "print", ""));
  for (gsize i = 0; i < G_N_ELEMENTS (crashes); i++)
    if (strcmp (crashes[i].kind, kind) == 0)
      crashes[i].func ();
  ls_worker_refuse (error, "no crash is named \"%s\"", kind);
  return NULL;
}

/* Prints `out` and `err`, reports `steps` steps of progress. */
static GVariant *
method_print (LsRequest  *request,
              GVariant   *params,
              GError    **error)
{
  gint64 steps = ls_params_int (params, "steps", 0);

  printf ("%s", ls_params_string (params, "out", ""));
  fprintf (stderr, "%s", ls_params_string (params, "err", ""));
  for (gint64 i = 0; i < steps; i++)
    {
      g_autofree char *text = g_strdup_printf ("step %d", (int) i);

      ls_request_progress (request, (double) i / (double) steps, text);
    }
  return g_variant_new ("a{sv}", NULL);
}

/* Tries to open `path` (for writing when `write`): -> errno, 0 when it worked. */
static GVariant *
method_open (LsRequest  *request,
             GVariant   *params,
             GError    **error)
{
  const char *path = ls_params_require_string (params, "path", error);
  gboolean writing = ls_params_bool (params, "write", FALSE);
  GVariantDict dict;
  int fd;

  if (path == NULL)
    return NULL;
  fd = open (path, (writing ? O_WRONLY | O_CREAT : O_RDONLY) | O_CLOEXEC, 0600);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "errno", "i", fd >= 0 ? 0 : errno);
  if (fd >= 0)
    close (fd);
  return g_variant_dict_end (&dict);
}

/* The system call `number` with a, b, c: what code could do that broke out of its buffers. -> errno, 0 when it worked. */
static GVariant *
method_syscall (LsRequest  *request,
                GVariant   *params,
                GError    **error)
{
  GVariantDict dict;
  long number = ls_params_int (params, "number", -1), result;

  errno = 0;
  result = syscall (number, ls_params_int (params, "a", 0), ls_params_int (params, "b", 0), ls_params_int (params, "c", 0), 0L, 0L, 0L);
  if (number == SYS_clone && result == 0)
    _exit (0);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "errno", "i", result >= 0 ? 0 : errno);
  return g_variant_dict_end (&dict);
}

/* Is a variable of that name in the environment? */
static GVariant *
method_variable (LsRequest  *request,
                 GVariant   *params,
                 GError    **error)
{
  const char *name = ls_params_require_string (params, "name", error);
  GVariantDict dict;

  if (name == NULL)
    return NULL;
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "there", "b", g_getenv (name) != NULL);
  return g_variant_dict_end (&dict);
}

const LsMethod ls_methods_test[] = {
  { "crash", method_crash, "Ends the worker in one of several ways." },
  { "print", method_print, "Prints and reports progress." },
  { "open", method_open, "Opens a file, if it may." },
  { "syscall", method_syscall, "Makes a system call, if it may." },
  { "variable", method_variable, "Says whether the environment has a variable." },
  { NULL, NULL, NULL },
};
