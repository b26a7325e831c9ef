/* loopscope-jail: runs a program so that it can do no harm.
 *
 *   loopscope-jail [OPTION...] -- PROGRAM [ARGUMENT...]
 *   loopscope-jail [OPTION...] --attest
 *
 * Started by loopscope, loopscope-cli (app/jail/jail.h) and by the Python module; helper.h tells the parts.
 *
 * Why not bubblewrap, which does most of this?  Tried on Debian 12 (bubblewrap 0.8):
 *   - a crash arrives as the exit status 128 + n, which a program can also choose; the lesson says "ended by SIGSEGV" and must know;
 *   - SIGINT ends bubblewrap and not the cell; the program's own number is needed and changes its meaning with --as-pid-1;
 *   - as root nothing limits the number of processes, and its scratch folders are as large as the memory unless told;
 *   - limits, the filter and the count of processes need a process of ours inside in any case.
 * Both start in the same time, some 5 ms.
 * Here the program ends as it would without us: this process dies of the same signal, or exits with the same status.
 */
#include "app/jail/helper.h"

#include "app/about/git.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static Wish wish = { .scratch = UINT64_C (1) << 30, .processes = 512 };
static Held held;

/* ---- the command line ---- */

enum { READ = 256, WRITE, OVER, SCRATCH, KEEP, FOLDER, MEMORY, SIZE, FILE_SIZE, CPU, PROCESSES, NETWORK, COUNTERS, DEVICES, NO_GROUP, DEAF, TRY, ATTEST, HELP, VERSION };

static const struct option options[] = {
  { "read", required_argument, NULL, READ },
  { "write", required_argument, NULL, WRITE },
  { "over", required_argument, NULL, OVER },
  { "scratch", required_argument, NULL, SCRATCH },
  { "keep", required_argument, NULL, KEEP },
  { "folder", required_argument, NULL, FOLDER },
  { "memory", required_argument, NULL, MEMORY },
  { "size", required_argument, NULL, SIZE },
  { "file-size", required_argument, NULL, FILE_SIZE },
  { "cpu", required_argument, NULL, CPU },
  { "processes", required_argument, NULL, PROCESSES },
  { "network", no_argument, NULL, NETWORK },
  { "counters", no_argument, NULL, COUNTERS },
  { "devices", no_argument, NULL, DEVICES },
  { "no-group", no_argument, NULL, NO_GROUP },
  { "ignore-interrupt", no_argument, NULL, DEAF },
  { "try", no_argument, NULL, TRY },
  { "attest", no_argument, NULL, ATTEST },
  { "help", no_argument, NULL, HELP },
  { "version", no_argument, NULL, VERSION },
  { NULL, 0, NULL, 0 },
};

static const char usage[] =
  "Usage: loopscope-jail [OPTION...] -- PROGRAM [ARGUMENT...]\n"
  "Runs a program without network, without the user's files and with limits; started by loopscope, loopscope-cli and the Python module.\n\n"
  "  --read PATH          may be read\n"
  "  --write PATH         may be read and written\n"
  "  --over PATH          may be read; what is written there is gone afterwards\n"
  "  --scratch PATH       an empty folder; /tmp always is one\n"
  "  --keep NAME          a variable of the environment that goes in; NAME* is all that begin so\n"
  "  --folder PATH        where it starts; /tmp otherwise\n"
  "  --memory BYTES       memory of one process\n"
  "  --size BYTES         of a scratch folder (1 GiB)\n"
  "  --file-size BYTES    of one file\n"
  "  --cpu SECONDS        of processor time of one process\n"
  "  --processes N        processes and threads (512)\n"
  "  --network            the network stays open\n"
  "  --counters           the processor's counters stay open\n"
  "  --devices            GPUs are there\n"
  "  --no-group           no cgroup\n"
  "  --ignore-interrupt   it starts with SIGINT ignored\n"
  "  --try                goes on with what this machine allows; without it a refusal ends it (status 125)\n"
  "  --attest             no program: tries what must not work and prints what came of it\n";

static uint64_t
number (const char *text)
{
  char *end = NULL;
  unsigned long long value = strtoull (text, &end, 10);

  if (end == text || *end != 0)
    {
      fprintf (stderr, "loopscope-jail: a number is expected, not \"%s\"\n", text);
      exit (125);
    }
  return value;
}

static void
add_place (PlaceKind   kind,
           const char *path)
{
  if (*path != '/' || wish.n_places == MOST_PLACES)
    {
      fprintf (stderr, "loopscope-jail: %s: %s\n", path, *path != '/' ? "an absolute path is expected" : "too many paths");
      exit (125);
    }
  if (path[1] != 0)
    wish.places[wish.n_places++] = (Place) { kind, path };
}

static void
take (int option)
{
  switch (option)
    {
    case READ: add_place (PLACE_READ, optarg); break;
    case WRITE: add_place (PLACE_WRITE, optarg); break;
    case OVER: add_place (PLACE_OVER, optarg); break;
    case SCRATCH: add_place (PLACE_SCRATCH, optarg); break;
    case KEEP: wish.keep[wish.n_keep < MOST_NAMES ? wish.n_keep++ : MOST_NAMES - 1] = optarg; break;
    case FOLDER: wish.folder = optarg; break;
    case MEMORY: wish.memory = number (optarg); break;
    case SIZE: wish.scratch = number (optarg); break;
    case FILE_SIZE: wish.file = number (optarg); break;
    case CPU: wish.cpu = number (optarg); break;
    case PROCESSES: wish.processes = (long) number (optarg); break;
    case NETWORK: wish.network = true; break;
    case COUNTERS: wish.counters = true; break;
    case DEVICES: wish.devices = true; break;
    case NO_GROUP: wish.no_group = true; break;
    case DEAF: wish.deaf = true; break;
    case TRY: wish.optional = true; break;
    case ATTEST: wish.attest = true; break;
    case HELP: fputs (usage, stdout); exit (0);
    case VERSION: printf ("loopscope-jail %s%s\n", LS_VERSION, *LS_GIT != '\0' ? " (" LS_GIT ")" : ""); exit (0);
    default: fputs ("loopscope-jail --help tells the options\n", stderr); exit (125);
    }
}

static void
read_arguments (int    argc,
                char **argv)
{
  for (int option; (option = getopt_long (argc, argv, "+", options, NULL)) != -1;)
    take (option);
  wish.program = argv + optind;
  if (*wish.program == NULL && !wish.attest)
    {
      fputs ("loopscope-jail: a program is expected; loopscope-jail --help tells the options\n", stderr);
      exit (125);
    }
}

/* ---- outside ---- */

/* Ends as the program ended. */
static void
end_like (int status)
{
  struct rlimit none = { 0, 0 };

  group_remove ();
  if (WIFEXITED (status))
    _exit (WEXITSTATUS (status));
  setrlimit (RLIMIT_CORE, &none);
  signal (WTERMSIG (status), SIG_DFL);
  {
    sigset_t all;

    sigemptyset (&all);
    sigprocmask (SIG_SETMASK, &all, NULL);
  }
  raise (WTERMSIG (status));
  _exit (128 + WTERMSIG (status));
}

static int
hear_signals (void)
{
  static const int heard[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD };
  sigset_t set;

  sigemptyset (&set);
  for (size_t i = 0; i < sizeof heard / sizeof *heard; i++)
    {
      signal (heard[i], SIG_DFL);
      sigaddset (&set, heard[i]);
    }
  sigprocmask (SIG_BLOCK, &set, NULL);
  return signalfd (-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* The one who started us, so that its end is ours: PR_SET_PDEATHSIG would mean its thread. */
static int
watch_starter (pid_t starter)
{
  int fd = (int) syscall (SYS_pidfd_open, starter, 0);

  if (getppid () != starter)
    _exit (0);
  return fd;
}

/* Waits for the end of the jail's first process; passes signals on to it. */
static void
stand_by (pid_t first,
          int   told,
          int   signals,
          int   starter)
{
  struct pollfd polls[2] = { { signals, POLLIN, 0 }, { starter, POLLIN, 0 } };

  for (;;)
    {
      struct signalfd_siginfo info;
      int how, status = 125 << 8;

      if (poll (polls, starter >= 0 ? 2 : 1, -1) < 0 && errno != EINTR)
        _exit (125);
      if (starter >= 0 && polls[1].revents != 0)
        {
          kill (first, SIGKILL);
          waitpid (first, &how, 0);
          group_remove ();
          _exit (0);
        }
      while (read (signals, &info, sizeof info) == sizeof info)
        if (info.ssi_signo != SIGCHLD)
          kill (first, (int) info.ssi_signo);
      if (waitpid (first, &how, WNOHANG) == first)
        {
          if (read (told, &status, sizeof status) != sizeof status && WIFSIGNALED (how))
            status = how;
          end_like (status);
        }
    }
}

/* What process 1 is told before it starts the program. */
struct Go {
  bool group, group_memory, watched;
};

/* The child's side of the namespaces: waits until its ids are there, builds its view, and stays as process 1. */
static void
enter (int go,
       int tell,
       int alive,
       int ready)
{
  struct Go from;
  char ok;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (read (go, &ok, 1) != 1)
    _exit (0);
  if (!spaces_enter (&wish, &held))
    {
      if (write (ready, held.why, sizeof held.why) < 0)
        errno = 0;
      _exit (0);
    }
  /* Nothing was started yet: the cgroup, made meanwhile, holds for all. */
  if (read (go, &from, sizeof from) != sizeof from)
    _exit (0);
  held.group = from.group;
  held.group_memory = from.group_memory;
  held.watched = from.watched;
  close (go);
  close (ready);
  first_run (&wish, &held, tell, alive);
}

/* Starts the jail; does not return when it stands.  It returns when namespaces are refused; held.why says at which step. */
static void
start_spaces (int signals,
              int starter)
{
  int go[2], told[2], alive[2], ready[2], flags = spaces_flags (&wish);
  pid_t first;
  ssize_t n;

  if (pipe2 (go, O_CLOEXEC) != 0 || pipe2 (told, O_CLOEXEC) != 0 || pipe2 (alive, O_CLOEXEC) != 0 || pipe2 (ready, O_CLOEXEC) != 0)
    {
      snprintf (held.why, sizeof held.why, "pipes: %s", strerror (errno));
      return;
    }
  errno = EPERM;
  first = flags < 0 ? -1 : (pid_t) syscall (SYS_clone, (unsigned long) flags | SIGCHLD, NULL, NULL, NULL, NULL);
  if (first < 0)
    {
      snprintf (held.why, sizeof held.why, "new namespaces: %s", strerror (errno));
      return;
    }
  if (first == 0)
    {
      close (alive[1]);
      close (ready[0]);
      close (told[0]);
      close (go[1]);
      enter (go[0], told[1], alive[0], ready[1]);
    }
  close (alive[0]);
  close (told[1]);
  close (ready[1]);
  close (go[0]);
  if (!spaces_map_ids (first))
    {
      snprintf (held.why, sizeof held.why, "user ids: %s", strerror (errno));
      kill (first, SIGKILL);
      waitpid (first, NULL, 0);
      return;
    }
  if (write (go[1], "", 1) != 1)
    _exit (125);
  if (!wish.no_group)
    group_make (&wish, first, &held);
  held.watched = !wish.no_group && !held.group && geteuid () == 0 && wish.processes > 0;
  /* It may have ended by now: what it says about that is read next. */
  if (write (go[1], &(struct Go) { held.group, held.group_memory, held.watched }, sizeof (struct Go)) < 0)
    errno = 0;
  n = read (ready[0], held.why, sizeof held.why - 1);
  if (n > 0)
    {
      waitpid (first, NULL, 0);
      group_remove ();
      held.group = held.group_memory = held.watched = false;
      return;
    }
  close_all_but ((const int[]) { 2, told[0], alive[1], signals, starter }, 5);
  stand_by (first, told[0], signals, starter);
}

int
main (int    argc,
      char **argv)
{
  pid_t starter = getppid ();
  int signals, watched;

  read_arguments (argc, argv);
  signal (SIGPIPE, SIG_IGN);
  signals = hear_signals ();
  watched = watch_starter (starter);
  held.outside[0] = getpid ();
  held.outside[1] = starter;
  environment_clean (&wish);
  attest_prepare (&held);
  start_spaces (signals, watched);
  if (!wish.optional)
    {
      fprintf (stderr, "loopscope-jail: this machine refuses a jail: %s\n", held.why);
      return 125;
    }
  {
    sigset_t none;

    sigemptyset (&none);
    sigprocmask (SIG_SETMASK, &none, NULL);
  }
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  program_run (&wish, &held);
}
