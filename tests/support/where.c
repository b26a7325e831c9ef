/* where: a test that ends badly says where it was, last of all, with the names of functions: what else it says may be cut off above.
 *
 * In every test program; the sanitizers say it themselves.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "tests/support/where.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FRAMES 40
#define SECONDS 20

static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT };

static void look_out (void);

/* Functions and lines of the program's own frames, by addr2line where there is one. */
static void
say_names (void **frames,
           int    n)
{
  char program[64], addresses[FRAMES][32];
  char *command[FRAMES + 6] = { "addr2line", "-f", "-s", "-p", "-e", program };
  Dl_info own, info;
  int at = 6;
  pid_t child;

  snprintf (program, sizeof program, "/proc/%d/exe", (int) getpid ());
  if (dladdr (look_out, &own) == 0)
    return;
  for (int i = 0; i < n; i++)
    if (dladdr (frames[i], &info) != 0 && info.dli_fbase == own.dli_fbase)
      {
        snprintf (addresses[at - 6], sizeof addresses[0], "%#lx", (unsigned long) ((const char *) frames[i] - (const char *) own.dli_fbase - 1));
        command[at] = addresses[at - 6];
        at++;
      }
  command[at] = NULL;
  child = at > 6 ? fork () : -1;
  if (child == 0)
    {
      alarm (SECONDS);
      dup2 (STDERR_FILENO, STDOUT_FILENO);
      execvp (command[0], command);
      _exit (0);
    }
  if (child > 0)
    waitpid (child, NULL, 0);
}

void
ls_test_say_where (int number)
{
  void *frames[FRAMES];
  int n = backtrace (frames, FRAMES);

  signal (number, SIG_DFL);
  dprintf (STDERR_FILENO, "# signal %d\n", number);
  backtrace_symbols_fd (frames, n, STDERR_FILENO);
  say_names (frames, n);
  raise (number);
}

__attribute__ ((constructor))
static void
look_out (void)
{
#ifndef __SANITIZE_ADDRESS__
  void *frames[1];

  backtrace (frames, 1);        /* which loads what it needs: not while memory is in disorder */
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
    {
      struct sigaction action = { .sa_handler = ls_test_say_where, .sa_flags = SA_NODEFER };

      sigaction (numbers[i], &action, NULL);
    }
#endif
}
