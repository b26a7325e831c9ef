/* Process 1 of the jail: starts the program, buries what is left without parents, passes the signals of those outside on, and where nothing else
 * limits the number of processes it counts them.  When the program has ended, or those outside are gone, it ends, and the kernel with it everything
 * that was started here: setsid and double forks change nothing about that.
 *
 * Only a signal from outside the namespace counts (its sender has the number 0 here); what the program sends is not heard.
 */
#include "app/jail/helper.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT_MS 20

static sigset_t before;         /* the signal mask with which we were started */

/* ---- the program ---- */

static void
go_first_when_memory_ends (void)
{
  int fd = open ("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

  if (fd < 0)
    return;
  if (write (fd, "1000", 4) != 4)
    errno = 0;
  close (fd);
}

void
program_run (const Wish *wish,
             Held       *held)
{
  setsid ();
  go_first_when_memory_ends ();
  limits_set (wish);
  signal (SIGINT, wish->deaf ? SIG_IGN : SIG_DFL);
  signal (SIGPIPE, SIG_DFL);
  if ((wish->folder == NULL || chdir (wish->folder) != 0) && (held->spaces || wish->folder != NULL) && chdir ("/tmp") != 0)
    errno = 0;
  if (held->spaces)
    spaces_drop_rights ();
  held->filter = filter_load (wish, held);
  if (!held->filter && !wish->optional)
    {
      fprintf (stderr, "loopscope-jail: the filter of system calls (seccomp) is refused\n");
      _exit (125);
    }
  if (held->spaces && held->filter)
    setenv ("LS_JAILED", "1", 1);
  else
    unsetenv ("LS_JAILED");
  sigprocmask (SIG_SETMASK, &before, NULL);
  if (wish->attest)
    _exit (attest (wish, held));
  execvp (wish->program[0], wish->program);
  complain (wish->program[0]);
  _exit (errno == ENOENT ? 127 : 126);
}

/* ---- looking after it ---- */

static int
listen_to_signals (void)
{
  sigset_t all;

  sigfillset (&all);
  sigprocmask (SIG_SETMASK, &all, &before);
  sigemptyset (&before);
  sigemptyset (&all);
  sigaddset (&all, SIGINT);
  sigaddset (&all, SIGTERM);
  sigaddset (&all, SIGHUP);
  sigaddset (&all, SIGQUIT);
  sigaddset (&all, SIGCHLD);
  return signalfd (-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* How the program ended, when it has. */
static bool
bury (pid_t  program,
      int   *status)
{
  bool ended = false;
  int how;

  for (pid_t pid; (pid = waitpid (-1, &how, WNOHANG)) > 0;)
    if (pid == program)
      {
        *status = how;
        ended = true;
      }
  return ended;
}

static void
pass_on (int   fd,
         pid_t program)
{
  struct signalfd_siginfo info;

  while (read (fd, &info, sizeof info) == sizeof info)
    if (info.ssi_signo != SIGCHLD && info.ssi_pid == 0)
      kill (program, (int) info.ssi_signo);
}

static long
count_processes (void)
{
  DIR *dir = opendir ("/proc");
  long n = 0;

  for (struct dirent *entry; dir != NULL && (entry = readdir (dir)) != NULL;)
    n += isdigit ((unsigned char) entry->d_name[0]) != 0;
  if (dir != NULL)
    closedir (dir);
  return n;
}

static void
tell_end (int tell,
          int status)
{
  if (write (tell, &status, sizeof status) != sizeof status)
    errno = 0;
  _exit (0);
}

/* Does not return. */
static void
look_after (const Wish *wish,
            const Held *held,
            pid_t       program,
            int         signals,
            int         tell,
            int         alive)
{
  struct pollfd polls[2] = { { signals, POLLIN, 0 }, { alive, POLLIN, 0 } };
  int status = 0;

  for (;;)
    {
      if (poll (polls, 2, held->watched ? COUNT_MS : -1) < 0 && errno != EINTR)
        _exit (125);
      if (polls[1].revents != 0)
        _exit (0);
      pass_on (signals, program);
      if (bury (program, &status))
        tell_end (tell, status);
      if (held->watched && count_processes () > wish->processes)
        {
          kill (-1, SIGKILL);
          fprintf (stderr, "loopscope-jail: more than %ld processes; all were ended\n", wish->processes);
        }
    }
}

void
first_run (const Wish *wish,
           Held       *held,
           int         tell,
           int         alive)
{
  int signals = listen_to_signals ();
  pid_t program;

  if (signals < 0)
    {
      complain ("signals");
      _exit (125);
    }
  prctl (PR_SET_DUMPABLE, 0, 0, 0, 0);
  program = fork ();
  if (program < 0)
    {
      complain ("fork");
      _exit (125);
    }
  if (program == 0)
    {
      prctl (PR_SET_DUMPABLE, 1, 0, 0, 0);
      close (signals);
      close (tell);
      close (alive);
      program_run (wish, held);
    }
  /* The program's sockets and pipes are its own: their end must be seen outside.  stderr stays for the one sentence above. */
  close_all_but ((const int[]) { 2, signals, tell, alive }, 4);
  look_after (wish, held, program, signals, tell, alive);
  _exit (125);
}
