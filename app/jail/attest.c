/* Tries, as the jailed program, what must not work, and says what came of it.  Nothing is assumed: app/jail/jail.c reads these lines. */
#include "app/jail/helper.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *const space_names[N_SPACES] = { "user", "pid", "mnt", "net", "ipc", "uts", "cgroup" };

static void
read_spaces (uint64_t inodes[N_SPACES])
{
  for (int i = 0; i < N_SPACES; i++)
    {
      char path[64];
      struct stat st;

      snprintf (path, sizeof path, "/proc/self/ns/%s", space_names[i]);
      inodes[i] = stat (path, &st) == 0 ? st.st_ino : 0;
    }
}

static bool
read_home (uint64_t place[2])
{
  const char *home = getenv ("HOME");
  struct stat st;

  if (home == NULL || stat (home, &st) != 0)
    return false;
  place[0] = st.st_dev;
  place[1] = st.st_ino;
  return true;
}

void
attest_prepare (Held *held)
{
  read_spaces (held->outer_spaces);
  if (!read_home (held->outer_home))
    held->outer_home[0] = held->outer_home[1] = 0;
}

static void
say (const char *name,
     const char *value)
{
  printf ("%s=%s\n", name, value);
}

static bool
can_read (const char *path)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  char byte;
  bool can = fd >= 0 && read (fd, &byte, 1) >= 0;

  if (fd >= 0)
    close (fd);
  return can;
}

static bool
can_create (const char *folder)
{
  char path[256];
  int fd;

  snprintf (path, sizeof path, "%s/.loopscope-jail-%d-%d", folder, (int) getpid (), (int) getppid ());
  fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return false;
  close (fd);
  unlink (path);
  return true;
}

/* Another process's memory, environment or limits, or a signal to it (of number 0, which does nothing). */
static bool
can_reach_others (const Held *held)
{
  bool can = false;

  for (int i = 0; i < 2; i++)
    {
      char path[64];
      pid_t pid = held->outside[i];

      snprintf (path, sizeof path, "/proc/%d/environ", (int) pid);
      can |= can_read (path);
      snprintf (path, sizeof path, "/proc/%d/mem", (int) pid);
      can |= access (path, R_OK) == 0;
      /* A small number may be one of our own in a namespace of its own. */
      can |= pid > 8 && kill (pid, 0) == 0;
      can |= pid > 8 && syscall (SYS_tgkill, pid, pid, 0) == 0;
    }
  return can;
}

static bool
has_network (void)
{
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

  if (fd < 0)
    return false;
  close (fd);
  return true;
}

static bool
sees_home (const Held *held)
{
  uint64_t place[2];

  return held->outer_home[1] != 0 && read_home (place) && place[0] == held->outer_home[0] && place[1] == held->outer_home[1];
}

static bool
may_trace (void)
{
  return syscall (SYS_process_vm_readv, getpid (), NULL, 0, NULL, 0, 0) >= 0 || errno != EPERM;
}

int
attest (const Wish *wish,
        const Held *held)
{
  uint64_t inner[N_SPACES];
  struct rlimit processes, data;

  read_spaces (inner);
  printf ("namespaces=");
  for (int i = 0; i < N_SPACES; i++)
    if (inner[i] != 0 && inner[i] != held->outer_spaces[i])
      printf ("%s ", space_names[i]);
  printf ("\n");
  if (held->why[0] != 0)
    say ("refused", held->why);
  say ("filter", prctl (PR_GET_SECCOMP, 0, 0, 0, 0) == 2 && !may_trace () ? "yes" : "no");
  say ("no-new-privileges", prctl (PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? "yes" : "no");
  say ("others", can_reach_others (held) ? "open" : "closed");
  say ("network", has_network () ? "open" : "closed");
  say ("home", sees_home (held) ? "open" : "closed");
  say ("secrets", can_read ("/etc/shadow") || can_read ("/etc/machine-id") ? "open" : "closed");
  say ("system", can_create ("/usr") || can_create ("/etc") || can_create ("/") ? "open" : "closed");
  say ("scratch", can_create ("/tmp") ? "yes" : "no");
  say ("first", getpid () > 1 && getppid () == 1 ? "yes" : "no");
  say ("group-processes", held->group ? "yes" : "no");
  say ("group-memory", held->group_memory ? "yes" : "no");
  getrlimit (RLIMIT_NPROC, &processes);
  getrlimit (RLIMIT_DATA, &data);
  say ("processes", held->group ? "cgroup" : held->watched ? "counted" : geteuid () != 0 && processes.rlim_cur != RLIM_INFINITY ? "rlimit" : "none");
  say ("memory", data.rlim_cur != RLIM_INFINITY ? "rlimit" : "none");
  fflush (stdout);
  return 0;
}
