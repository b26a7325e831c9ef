/* Which system calls the program may make: a list of what is allowed.
 *
 * Chosen so that Python with numpy, torch and their threads, OpenBLAS, subprocess, multiprocessing, temporary files and sockets between
 * processes of the jail work.  What a kernel offers beyond that either fails as if it did not exist (ENOSYS, so that libraries
 * fall back: clone3, openat2's successors) or, where it is known and dangerous, with EPERM: another process's memory, limits, signals and
 * descriptors (ptrace, process_vm_*, pidfd_*, kcmp, prlimit of others), mounts and namespaces, keys, io_uring, bpf, userfaultfd,
 * perf_event_open, clocks, modules.  Sockets: between processes of this jail only, unless the network was asked for.
 *
 * Namespaces make most of this unreachable already; the filter keeps the kernel's own surface small, and holds where namespaces are refused.
 * Sources: seccomp(2), libseccomp's manual, syscalls(2).
 */
#include "app/jail/helper.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef LS_HAVE_SECCOMP

#include <seccomp.h>

/* One string each, so that the table reads like a table.  Names that this libseccomp or this processor does not know are left out. */
static const char *const allowed =
  /* files */
  "read write open openat openat2 creat close close_range stat fstat lstat newfstatat statx lseek pread64 pwrite64 readv writev preadv pwritev preadv2 pwritev2 "
  "access faccessat faccessat2 getdents getdents64 getcwd chdir fchdir rename renameat renameat2 mkdir mkdirat rmdir link linkat unlink unlinkat "
  "symlink symlinkat readlink readlinkat chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat umask utime utimes utimensat futimesat mknod mknodat "
  "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr "
  "truncate ftruncate fallocate fadvise64 readahead fsync fdatasync sync_file_range statfs fstatfs flock fcntl sendfile splice tee vmsplice copy_file_range "
  "pipe pipe2 dup dup2 dup3 poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2 "
  "eventfd eventfd2 signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime inotify_init inotify_init1 inotify_add_watch inotify_rm_watch "
  "memfd_create "
  /* memory */
  "brk mmap munmap mremap mprotect madvise msync mincore mlock mlock2 munlock mlockall munlockall pkey_alloc pkey_free pkey_mprotect "
  "get_mempolicy set_mempolicy mbind membarrier shmget shmat shmctl shmdt map_shadow_stack mseal "
  /* processes, threads, signals */
  "fork vfork execve execveat exit exit_group wait4 waitid set_tid_address set_robust_list get_robust_list futex futex_waitv futex_wake futex_wait "
  "futex_requeue rseq arch_prctl prctl restart_syscall rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend "
  "sigaltstack pause alarm getitimer setitimer timer_create timer_settime timer_gettime timer_getoverrun timer_delete "
  "nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time times "
  "getpid getppid gettid getpgrp getpgid setpgid getsid setsid getuid geteuid getgid getegid getresuid getresgid getgroups capget "
  "getrlimit setrlimit getrusage getpriority setpriority ioprio_get sched_yield sched_getaffinity sched_setaffinity sched_getparam sched_getscheduler "
  "sched_setscheduler sched_setparam sched_getattr sched_setattr sched_get_priority_max sched_get_priority_min sched_rr_get_interval getcpu sysinfo uname getrandom "
  "semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr "
  /* between processes */
  "connect bind listen accept accept4 getsockname getpeername getsockopt setsockopt shutdown sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg "
  /* further doors that a program may close behind itself */
  "seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self";

static const char *const refused =
  "process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_open pidfd_getfd pidfd_send_signal tkill rt_sigqueueinfo rt_tgsigqueueinfo "
  "mount umount2 pivot_root chroot unshare setns open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr name_to_handle_at open_by_handle_at "
  "keyctl add_key request_key io_uring_setup io_uring_enter io_uring_register bpf userfaultfd perf_event_open fanotify_init fanotify_mark "
  "init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff sethostname setdomainname acct quotactl syslog iopl ioperm modify_ldt "
  "settimeofday clock_settime clock_adjtime adjtimex setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid setfsgid capset "
  "move_pages migrate_pages vhangup nfsservctl lookup_dcookie sync syncfs ioprio_set";

/* The leak checker's; refused too otherwise. */
static const char *const tracing = "ptrace personality";

/* Adds a rule for each name; one that is not known here is left out, and so is `except`. */
static void
add_each (scmp_filter_ctx  filter,
          uint32_t         action,
          const char      *names,
          const char      *except)
{
  char copy[8192];
  char *rest = NULL;

  strncpy (copy, names, sizeof copy - 1);
  copy[sizeof copy - 1] = 0;
  for (char *name = strtok_r (copy, " ", &rest); name != NULL; name = strtok_r (NULL, " ", &rest))
    {
      int number = strcmp (name, except) == 0 ? __NR_SCMP_ERROR : seccomp_syscall_resolve_name (name);

      if (number >= 0)
        seccomp_rule_add (filter, action, number, 0);
    }
}

static bool
load (scmp_filter_ctx filter)
{
  bool ok = seccomp_load (filter) == 0;

  seccomp_release (filter);
  return ok;
}

/* The calls as such. */
static bool
load_calls (const Wish *wish)
{
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ERRNO (ENOSYS));

  if (filter == NULL)
    return false;
  add_each (filter, SCMP_ACT_ALLOW, allowed, "");
  add_each (filter, SCMP_ACT_ALLOW, "clone kill tgkill prlimit64 socket socketpair ioctl", "");
  if (wish->counters)
    add_each (filter, SCMP_ACT_ALLOW, "perf_event_open", "");
  add_each (filter, SCMP_ACT_ERRNO (EPERM), refused, wish->counters ? "perf_event_open" : "");
#if defined __SANITIZE_ADDRESS__
  add_each (filter, SCMP_ACT_ALLOW, tracing, "");
#else
  add_each (filter, SCMP_ACT_ERRNO (EPERM), tracing, "");
#endif
  return load (filter);
}

static void
forbid_value (scmp_filter_ctx filter,
              int             call,
              unsigned        argument,
              uint32_t        value)
{
  struct scmp_arg_cmp compare = { argument, SCMP_CMP_MASKED_EQ, UINT32_MAX, value };

  seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), call, 1, compare);
}

/* What some of them are asked for.  A filter of its own: libseccomp compares an argument once in a rule. */
static bool
load_arguments (const Wish *wish,
                const Held *held)
{
  static const unsigned long spaces[] = { CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNS, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP };
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ALLOW);

  if (filter == NULL)
    return false;
  /* clone3 keeps its flags where no filter sees them: it does not exist. */
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (clone), 1, SCMP_A0 (SCMP_CMP_MASKED_EQ, spaces[i], spaces[i]));
  /* Process 1 looks after the jail; -1 is everybody; without namespaces those outside can be named. */
  forbid_value (filter, SCMP_SYS (kill), 0, 1);
  forbid_value (filter, SCMP_SYS (kill), 0, (uint32_t) -1);
  forbid_value (filter, SCMP_SYS (tgkill), 0, 1);
  if (!held->spaces)
    {
      /* Not outside[0]: without namespaces that process has become the program itself. */
      forbid_value (filter, SCMP_SYS (kill), 0, (uint32_t) held->outside[1]);
      forbid_value (filter, SCMP_SYS (kill), 0, (uint32_t) -held->outside[1]);
      forbid_value (filter, SCMP_SYS (tgkill), 0, (uint32_t) held->outside[1]);
    }
  seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (prlimit64), 1, SCMP_A0_32 (SCMP_CMP_NE, 0));
  forbid_value (filter, SCMP_SYS (ioctl), 1, TIOCSTI);
  forbid_value (filter, SCMP_SYS (ioctl), 1, TIOCLINUX);
  if (!wish->network)
    seccomp_rule_add (filter, SCMP_ACT_ERRNO (EACCES), SCMP_SYS (socket), 1, SCMP_A0_32 (SCMP_CMP_NE, AF_UNIX));
  return load (filter);
}

bool
filter_load (const Wish *wish,
             const Held *held)
{
  const char *refuse = getenv ("LS_JAIL_REFUSE");

  if (refuse != NULL && strstr (refuse, "seccomp") != NULL)
    return false;
  return prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && load_arguments (wish, held) && load_calls (wish);
}

#else

bool
filter_load (const Wish *wish,
             const Held *held)
{
  prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return false;
}

#endif
