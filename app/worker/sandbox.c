/* Dropping privileges: no network, no new programs, no signals to others, and files only where
 * that was asked for.
 *
 * The worker is started in a jail of its own namespaces (app/jail) where the machine allows one; what follows holds in it, and without it.
 * Three means, each used where the system has it:
 *   limits     no core dumps, printed output and data segment bounded
 *   Landlock   (Linux 5.13 and later) reading only below the system's folders and what was
 *              handed over, writing only what was handed over; TCP from ABI 4, signals and
 *              abstract sockets from ABI 6
 *   seccomp    through libseccomp, when built with it: no sockets, no exec, no tracing, and no
 *              opening for writing when nothing writable was handed over
 * Descriptors that arrive with a call stay usable: they were opened by the caller.
 *
 * Under sanitizers exec and ptrace stay allowed (symbolizer, leak checker) and RLIMIT_DATA is not
 * set (shadow memory counts).  Sources: landlock(7), seccomp(2), libseccomp's manual.
 */
#include "app/worker/sandbox.h"

#include "engine/base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef LS_HAVE_SECCOMP
#include <seccomp.h>
#endif

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define UNDER_SANITIZER 1
#else
#define UNDER_SANITIZER 0
#endif

#define OUTPUT_FILE_LIMIT (G_GUINT64_CONSTANT (64) << 20)

static struct {
  gboolean enabled;
  gboolean no_new_privileges;
  gboolean seccomp;
  int      landlock;            /* ABI in force, 0 = none */
} state;

/* ---- limits ---- */

static void
set_limit (int     what,
           guint64 value)
{
  struct rlimit limit;

  if (getrlimit (what, &limit) != 0)
    return;
  limit.rlim_cur = MIN ((guint64) limit.rlim_max, value);
  limit.rlim_max = limit.rlim_cur;
  setrlimit (what, &limit);
}

static void
set_limits (guint64 memory_limit)
{
  int fd = open ("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

  if (fd >= 0)
    {
      if (write (fd, "1000", 4) != 4)
        g_debug ("the worker is not the first to go when memory ends");
      close (fd);
    }
  signal (SIGXFSZ, SIG_IGN);
  signal (SIGPIPE, SIG_IGN);
  set_limit (RLIMIT_CORE, 0);
  set_limit (RLIMIT_FSIZE, OUTPUT_FILE_LIMIT);
  if (memory_limit > 0 && memory_limit < G_MAXUINT64 / 4 && !UNDER_SANITIZER)
    set_limit (RLIMIT_DATA, 2 * memory_limit + (G_GUINT64_CONSTANT (1) << 30));
}

/* ---- Landlock: our own declarations, since headers lag behind kernels ---- */

typedef struct {
  uint64_t handled_access_fs;
  uint64_t handled_access_net;
  uint64_t scoped;
} LandlockRuleset;

typedef struct {
  uint64_t allowed_access;
  int32_t  parent_fd;
} __attribute__ ((packed)) LandlockPathRule;

#define LL_EXECUTE    (1u << 0)
#define LL_WRITE_FILE (1u << 1)
#define LL_READ_FILE  (1u << 2)
#define LL_READ_DIR   (1u << 3)
#define LL_TRUNCATE   (1u << 14)
#define LL_BASE_FS    ((1u << 13) - 1)  /* ABI 1 */
#define LL_REFER      (1u << 13)        /* ABI 2 */
#define LL_IOCTL_DEV  (1u << 15)        /* ABI 5 */
#define LL_NET        3u                /* ABI 4: TCP bind and connect */
#define LL_SCOPED     3u                /* ABI 6: abstract sockets and signals */
#define LL_RULE_PATH  1

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

static LandlockRuleset
ruleset_for (int abi)
{
  LandlockRuleset rules = { .handled_access_fs = LL_BASE_FS };

  if (abi >= 2)
    rules.handled_access_fs |= LL_REFER;
  if (abi >= 3)
    rules.handled_access_fs |= LL_TRUNCATE;
  if (abi >= 4)
    rules.handled_access_net = LL_NET;
  if (abi >= 5)
    rules.handled_access_fs |= LL_IOCTL_DEV;
  if (abi >= 6)
    rules.scoped = LL_SCOPED;
  return rules;
}

static gsize
ruleset_size (int abi)
{
  if (abi >= 6)
    return sizeof (LandlockRuleset);
  return abi >= 4 ? 2 * sizeof (uint64_t) : sizeof (uint64_t);
}

static void
allow_path (int         ruleset,
            const char *path,
            uint64_t    access)
{
  LandlockPathRule rule = { access, open (path, O_PATH | O_CLOEXEC) };
  struct stat st;

  if (rule.parent_fd < 0)
    return;
  if (fstat (rule.parent_fd, &st) == 0 && !S_ISDIR (st.st_mode))
    rule.allowed_access &= LL_EXECUTE | LL_WRITE_FILE | LL_READ_FILE | LL_TRUNCATE | LL_IOCTL_DEV;
  if (syscall (SYS_landlock_add_rule, ruleset, LL_RULE_PATH, &rule, 0) != 0)
    g_debug ("no rule for %s: %s", path, g_strerror (errno));
  close (rule.parent_fd);
}

/* The system, fonts of the user, and the folder of the program itself. */
static void
allow_system (int ruleset)
{
  static const char *const folders[] = { "/usr", "/lib", "/lib64", "/lib32", "/etc", "/opt",
                                         "/proc", "/sys", "/dev", "/nix/store", "/gnu/store",
                                         "/var/cache/fontconfig" };
  static const char *const in_home[] = { ".fonts", ".fonts.conf", ".config/fontconfig",
                                         ".local/share/fonts", ".cache/fontconfig" };
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;
  uint64_t run = UNDER_SANITIZER ? LL_EXECUTE : 0;

  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    allow_path (ruleset, folders[i], LL_READ_FILE | LL_READ_DIR | run);
  for (gsize i = 0; i < G_N_ELEMENTS (in_home); i++)
    {
      g_autofree char *path = g_build_filename (g_get_home_dir (), in_home[i], NULL);

      allow_path (ruleset, path, LL_READ_FILE | LL_READ_DIR);
    }
  if (folder != NULL)
    allow_path (ruleset, folder, LL_READ_FILE | LL_READ_DIR);
}

static int
enter_landlock (const LsSandboxOptions *options)
{
  long abi = syscall (SYS_landlock_create_ruleset, NULL, 0, 1);
  LandlockRuleset rules;
  int ruleset;
  gboolean ok;

  if (abi < 1)
    return 0;
  rules = ruleset_for ((int) abi);
  ruleset = (int) syscall (SYS_landlock_create_ruleset, &rules, ruleset_size ((int) abi), 0);
  if (ruleset < 0)
    return 0;
  allow_system (ruleset);
  for (guint i = 0; options->readable != NULL && options->readable[i] != NULL; i++)
    allow_path (ruleset, options->readable[i], LL_READ_FILE | LL_READ_DIR);
  for (guint i = 0; options->writable != NULL && options->writable[i] != NULL; i++)
    allow_path (ruleset, options->writable[i], rules.handled_access_fs & ~(uint64_t) LL_EXECUTE);
  ok = syscall (SYS_landlock_restrict_self, ruleset, 0) == 0;
  close (ruleset);
  return ok ? (int) abi : 0;
}

/* ---- seccomp ---- */

#ifdef LS_HAVE_SECCOMP

#define SYSCALL(name) SCMP_SYS (name)

static const int always_denied[] = {
  SYSCALL (socket), SYSCALL (connect), SYSCALL (bind), SYSCALL (listen),
  SYSCALL (process_vm_readv), SYSCALL (process_vm_writev), SYSCALL (process_madvise), SYSCALL (kcmp),
  SYSCALL (io_uring_setup), SYSCALL (userfaultfd), SYSCALL (open_by_handle_at),
  SYSCALL (mount), SYSCALL (umount2), SYSCALL (pivot_root), SYSCALL (chroot), SYSCALL (unshare),
  SYSCALL (setns), SYSCALL (bpf), SYSCALL (keyctl), SYSCALL (add_key), SYSCALL (request_key),
  SYSCALL (init_module), SYSCALL (finit_module), SYSCALL (delete_module), SYSCALL (kexec_load),
  SYSCALL (reboot), SYSCALL (swapon), SYSCALL (swapoff), SYSCALL (sethostname),
  SYSCALL (perf_event_open),    /* the counters were opened before: counting.h */
  SYSCALL (settimeofday), SYSCALL (clock_settime), SYSCALL (pidfd_open),
  SYSCALL (pidfd_getfd), SYSCALL (pidfd_send_signal), SYSCALL (rt_sigqueueinfo),
};

static const int denied_without_sanitizer[] = {
  SYSCALL (execve), SYSCALL (execveat), SYSCALL (ptrace),
};

/* What changes files without opening them. */
static const int write_calls[] = {
  SYSCALL (creat), SYSCALL (truncate), SYSCALL (unlink), SYSCALL (unlinkat), SYSCALL (rename),
  SYSCALL (renameat), SYSCALL (renameat2), SYSCALL (mkdir), SYSCALL (mkdirat), SYSCALL (rmdir),
  SYSCALL (link), SYSCALL (linkat), SYSCALL (symlink), SYSCALL (symlinkat), SYSCALL (mknod),
  SYSCALL (mknodat), SYSCALL (chmod), SYSCALL (fchmodat), SYSCALL (chown), SYSCALL (lchown),
  SYSCALL (fchownat), SYSCALL (setxattr), SYSCALL (lsetxattr), SYSCALL (removexattr),
  SYSCALL (utimensat), SYSCALL (openat2),
};

static void
deny_all (scmp_filter_ctx filter,
          const int      *calls,
          gsize           n)
{
  for (gsize i = 0; i < n; i++)
    seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), calls[i], 0);
}

/* open (path, flags) and openat (folder, path, flags) with any flag that writes or creates. */
static void
deny_opening_for_writing (scmp_filter_ctx filter)
{
  static const unsigned int flags[] = { O_CREAT, O_TRUNC };
  static const unsigned int modes[] = { O_WRONLY, O_RDWR };

  for (gsize i = 0; i < G_N_ELEMENTS (flags); i++)
    {
      seccomp_rule_add (filter, SCMP_ACT_ERRNO (EACCES), SYSCALL (open), 1,
                        SCMP_A1 (SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
      seccomp_rule_add (filter, SCMP_ACT_ERRNO (EACCES), SYSCALL (openat), 1,
                        SCMP_A2 (SCMP_CMP_MASKED_EQ, flags[i], flags[i]));
      seccomp_rule_add (filter, SCMP_ACT_ERRNO (EACCES), SYSCALL (open), 1,
                        SCMP_A1 (SCMP_CMP_MASKED_EQ, O_ACCMODE, modes[i]));
      seccomp_rule_add (filter, SCMP_ACT_ERRNO (EACCES), SYSCALL (openat), 1,
                        SCMP_A2 (SCMP_CMP_MASKED_EQ, O_ACCMODE, modes[i]));
    }
}

static void
deny_signals_to_others (scmp_filter_ctx filter)
{
  scmp_datum_t self = (scmp_datum_t) getpid ();

  seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SYSCALL (kill), 1, SCMP_A0 (SCMP_CMP_NE, self));
  seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SYSCALL (tgkill), 1,
                    SCMP_A0 (SCMP_CMP_NE, self));
  seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SYSCALL (tkill), 0);
}

/* Threads, but no processes: generated code has no use for them, and a bomb of them is not heard of by any limit of root. */
static void
deny_processes (scmp_filter_ctx filter)
{
  seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SYSCALL (fork), 0);
  seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SYSCALL (vfork), 0);
  seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SYSCALL (clone), 1, SCMP_A0 (SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  seccomp_rule_add (filter, SCMP_ACT_ERRNO (ENOSYS), SYSCALL (clone3), 0);
}

static gboolean
enter_seccomp (gboolean may_write)
{
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_ALLOW);
  gboolean ok;

  if (filter == NULL)
    return FALSE;
  deny_all (filter, always_denied, G_N_ELEMENTS (always_denied));
  if (!UNDER_SANITIZER)
    {
      deny_all (filter, denied_without_sanitizer, G_N_ELEMENTS (denied_without_sanitizer));
      deny_signals_to_others (filter);
      deny_processes (filter);
    }
  if (!may_write)
    {
      deny_all (filter, write_calls, G_N_ELEMENTS (write_calls));
      deny_opening_for_writing (filter);
    }
  ok = seccomp_load (filter) == 0;
  seccomp_release (filter);
  return ok;
}

#else

static gboolean
enter_seccomp (gboolean may_write)
{
  return FALSE;
}

#endif

void
ls_sandbox_enter (const LsSandboxOptions *options)
{
  const char *wish = g_getenv ("LS_WORKER_SANDBOX");
  gboolean may_write = options->writable != NULL && options->writable[0] != NULL;

  set_limits (options->memory_limit);
  if (g_strcmp0 (wish, "off") == 0)
    return;
  state.enabled = TRUE;
  state.no_new_privileges = prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  state.landlock = enter_landlock (options);
  state.seccomp = enter_seccomp (may_write);
}

/* ---- what holds ---- */

static gboolean
network_is_open (void)
{
  int fd = socket (AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

  if (fd < 0)
    return errno != EPERM && errno != EACCES;
  close (fd);
  return state.landlock < 4;
}

static gboolean
can_write_files (void)
{
  g_autofree char *path = g_strdup_printf ("%s/.loopscope-probe-%d", g_get_tmp_dir (), getpid ());
  int fd = open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  if (fd < 0)
    return FALSE;
  close (fd);
  unlink (path);
  return TRUE;
}

static gboolean
can_read_anywhere (void)
{
  int fd = open ("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  if (fd < 0)
    return FALSE;
  close (fd);
  return TRUE;
}

/* execve of a file that is not there: ENOENT when it may be tried, EPERM when not. */
static gboolean
can_start_programs (void)
{
  char *const argv[] = { NULL };

  execve ("/usr/bin/no-such-program-of-loopscope", argv, argv);
  return errno == ENOENT && (state.landlock == 0 || UNDER_SANITIZER);
}

/* The kernel looks at the filter before it looks at the arguments. */
static gboolean
can_open_counters (void)
{
  return syscall (SYS_perf_event_open, NULL, 0, -1, -1, 0) >= 0 || errno != EPERM;
}

static const char *
word (gboolean allowed)
{
  return allowed ? LS_TEXT ("allowed") : LS_TEXT ("denied");
}

static const char *
in_force (gboolean is)
{
  return is ? ls_translate ("in force") : ls_translate ("not available");
}

GVariant *
ls_sandbox_status (void)
{
  gboolean network = network_is_open ();
  gboolean reads = can_read_anywhere ();
  gboolean writes = can_write_files ();
  gboolean programs = can_start_programs ();
  g_autofree char *statement = NULL;
  g_autofree char *means = NULL;
  GVariantDict dict;

  means = state.enabled
    ? g_strdup_printf (ls_translate ("Landlock %s, seccomp %s"), in_force (state.landlock > 0),
                       in_force (state.seccomp))
    : g_strdup (ls_translate ("switched off by LS_WORKER_SANDBOX"));
  statement = g_strdup_printf (ls_translate ("Network: %s. Reading your files: %s. Writing files: %s. Starting programs: %s. (%s)"),
                               ls_translate (word (network)), ls_translate (word (reads)), ls_translate (word (writes)),
                               ls_translate (word (programs)), means);
  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "enabled", "b", state.enabled);
  g_variant_dict_insert (&dict, "no-new-privileges", "b", state.no_new_privileges);
  g_variant_dict_insert (&dict, "landlock", "i", state.landlock);
  g_variant_dict_insert (&dict, "seccomp", "b", state.seccomp);
  g_variant_dict_insert (&dict, "network", "s", word (network));
  g_variant_dict_insert (&dict, "files-read", "s", word (reads));
  g_variant_dict_insert (&dict, "files-written", "s", word (writes));
  g_variant_dict_insert (&dict, "programs", "s", word (programs));
  g_variant_dict_insert (&dict, "counters", "s", word (can_open_counters ()));
  g_variant_dict_insert (&dict, "statement", "s", statement);
  return g_variant_dict_end (&dict);
}
