/* What code of somebody else may try: from cells of the real kernel, and as system calls from within the real worker.
 *
 *   attack                                            cells                        the worker                 graders (tests/page/grade.py)
 *   tkill, tgkill, pidfd_send_signal, kill, sigqueue  signals                      worker                     reach, parent
 *   prlimit of others                                 limits-of-others             worker                     reach
 *   memory of others: read, written, ptrace           memory-of-others             worker                     reach
 *   environment                                       environment                  worker                     reach
 *   what setsid leaves behind                         left-behind, starter-killed  worker: it starts nothing  left
 *   fork bomb                                         fork-bomb                    worker: it starts nothing  left
 *   memory bomb                                       memory-bomb                  /worker/memory             memory
 *   endless loops                                     endless                      /worker/timeout            loop, deaf
 *   files of the home, secrets                        reading, wide-folder         worker                     reach, files
 *   writing elsewhere, full disks                     writing, full-disk           worker                     files, flood
 *   network, sockets                                  network                      worker                     as cells
 *   mounts, namespaces, rights, rare calls            doors                        worker                     as cells
 *
 * Each cell prints "reached" when its attack succeeds; the test goes on to the next, so that with LS_TEST_UNJAILED=1 every attack that works where
 * nothing holds is named.  All are bounded: they do no harm to the machine.
 * Started as root the whole list runs a second time as an ordinary user, in a process of its own (LS_TEST_UID).
 */
#include "app/jail/jail.h"
#include "app/kernel/kernel.h"
#include "app/rpc/rpc.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define CANARY G_GUINT64_CONSTANT (0x6c6f6f7073636f70)
/* What the jail leaves open to sanitizers: their leak check stops the threads of its own process by ptrace. */
#if defined __SANITIZE_ADDRESS__
#define LET_THROUGH "ptrace"
#define LIMITS "resource.RLIMIT_CORE,"          /* their shadow memory would count */
#else
#define LET_THROUGH ""
#define LIMITS "resource.RLIMIT_CORE, resource.RLIMIT_DATA"
#endif

#define USUAL_MEMORY (G_GUINT64_CONSTANT (2) << 30)
#define LOOK_US 50000           /* between two looks at all of /proc, which a fork bomb makes long */

static volatile guint64 memory_canary = CANARY;
static volatile int signals_got;
static char *base;              /* a folder of the test's own, not handed over */
static gboolean held = TRUE;    /* by a jail */

static void
reached (const char *format,
         ...) G_GNUC_PRINTF (1, 2);

/* One attack has succeeded; the next ones are tried all the same. */
static void
reached (const char *format,
         ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_test_message ("REACHED %s", what);
  g_test_fail ();
}

/* ---- running cells ---- */

static LsKernel *
new_kernel (void)
{
  LsKernel *kernel = ls_kernel_new ();

  ls_kernel_set_memory_limit (kernel, USUAL_MEMORY);
  return kernel;
}

/* What the cell printed, also where it ended by an exception or with Python. */
static char *
printed (LsKernel   *kernel,
         const char *code,
         double      seconds,
         GError    **error)
{
  g_autoptr (LsOutputs) outputs = NULL;
  g_autoptr (GVariant) answer = NULL;
  GVariantDict params;

  g_variant_dict_init (&params, NULL);
  g_variant_dict_insert (&params, "code", "s", code);
  g_variant_dict_insert (&params, "name", "s", "cell 1");
  answer = ls_kernel_request (kernel, "run", g_variant_dict_end (&params), seconds, &outputs, error);
  if (answer != NULL && strcmp (ls_params_string (answer, "status", ""), "error") == 0)
    g_test_message ("%s: %s", ls_params_string (answer, "name", "?"), ls_params_string (answer, "message", ""));
  return ls_outputs_get_text (outputs);
}

static void
expect_not_reached (LsKernel   *kernel,
                    const char *format,
                    ...) G_GNUC_PRINTF (2, 3);

/* The cell must get to its end (it prints "tried") and not reach anything. */
static void
expect_not_reached (LsKernel   *kernel,
                    const char *format,
                    ...)
{
  g_autofree char *body = NULL, *code = NULL, *text = NULL;
  g_autoptr (GError) error = NULL;
  va_list args;

  va_start (args, format);
  body = g_strdup_vprintf (format, args);
  va_end (args);
  code = g_strconcat ("import ctypes, os, signal, socket, sys, resource, time\nlibc = ctypes.CDLL(None, use_errno=True)\n"
                      "def call(*words):\n    return libc.syscall(*map(ctypes.c_long, words))\n"
                      "def attempt(work):\n    try:\n        return work()\n    except (OSError, ValueError) as problem:\n        print(type(problem).__name__, problem)\n",
                      body, "\nprint('tried')\n", NULL);
  text = printed (kernel, code, 60, &error);
  g_assert_no_error (error);
  g_test_message ("%s", text);
  g_assert_nonnull (strstr (text, "tried\n"));
  for (const char *at = strstr (text, "reached"); at != NULL; at = strstr (at + 1, "reached"))
    reached ("%.*s", (int) strcspn (at + 7, "\n"), at + 7);
}

/* ---- signals, limits, memory of the program that started it ---- */

static void
count_signal (int number)
{
  signals_got++;
}

static void
test_signals (void)
{
  g_autoptr (LsKernel) kernel = new_kernel ();

  signals_got = 0;
  signal (SIGUSR1, count_signal);
  expect_not_reached (kernel, "if call(%d, %d, signal.SIGUSR1) == 0: print('reached by tkill')", (int) SYS_tkill, getpid ());
  expect_not_reached (kernel, "if call(%d, %d, %d, signal.SIGUSR1) == 0: print('reached by tgkill')", (int) SYS_tgkill, getpid (), getpid ());
  expect_not_reached (kernel, "fd = call(%d, %d, 0)\nif fd >= 0 and call(%d, fd, signal.SIGUSR1, 0, 0) == 0: print('reached by pidfd')",
                      (int) SYS_pidfd_open, getpid (), (int) SYS_pidfd_send_signal);
  expect_not_reached (kernel, "attempt(lambda: (os.kill(%d, signal.SIGUSR1), print('reached by kill')))", getpid ());
  expect_not_reached (kernel, "info = ctypes.create_string_buffer(128)\nctypes.c_int.from_buffer(info, 8).value = -1\n"
                      "if call(%d, %d, signal.SIGUSR1, ctypes.addressof(info)) == 0: print('reached by sigqueue')", (int) SYS_rt_sigqueueinfo, getpid ());
  /* Signal 0 does nothing and tells whether one could be sent. */
  expect_not_reached (kernel, "attempt(lambda: (os.kill(-1, 0), print('reached by kill -1')))");
  expect_not_reached (kernel, "attempt(lambda: (os.kill(os.getppid(), 9), time.sleep(0.05), print('reached by kill of the parent')))");
  g_assert_cmpint (signals_got, ==, 0);
  g_assert_cmpuint (ls_kernel_get_life (kernel), ==, 1);
}

static void
test_limits_of_others (void)
{
  g_autoptr (LsKernel) kernel = new_kernel ();
  struct rlimit before, after;

  getrlimit (RLIMIT_STACK, &before);
  expect_not_reached (kernel, "attempt(lambda: (resource.prlimit(%d, resource.RLIMIT_STACK), print('reached by prlimit')))", getpid ());
  expect_not_reached (kernel, "attempt(lambda: (resource.prlimit(%d, resource.RLIMIT_STACK, (4 << 20, %" G_GUINT64_FORMAT " if %d else resource.RLIM_INFINITY)), "
                      "print('reached by prlimit')))", getpid (), (guint64) before.rlim_max / 2, before.rlim_max != RLIM_INFINITY);
  getrlimit (RLIMIT_STACK, &after);
  g_assert_cmpuint (before.rlim_cur, ==, after.rlim_cur);
}

static void
test_memory_of_others (void)
{
  g_autoptr (LsKernel) kernel = new_kernel ();

  expect_not_reached (kernel, "def read():\n    with open('/proc/%d/mem', 'rb', 0) as file:\n        file.seek(%" G_GUINT64_FORMAT ")\n"
                      "        if file.read(8) == (%" G_GUINT64_FORMAT ").to_bytes(8, sys.byteorder): print('reached: read')\nattempt(read)",
                      getpid (), (guint64) (gsize) &memory_canary, CANARY);
  expect_not_reached (kernel, "def write():\n    with open('/proc/%d/mem', 'r+b', 0) as file:\n        file.seek(%" G_GUINT64_FORMAT ")\n"
                      "        file.write(b'overrun!')\n        print('reached: written')\nattempt(write)", getpid (), (guint64) (gsize) &memory_canary);
  expect_not_reached (kernel, "buffer = ctypes.create_string_buffer(8)\nours = (ctypes.c_ulong * 2)(ctypes.addressof(buffer), 8)\ntheirs = (ctypes.c_ulong * 2)(%"
                      G_GUINT64_FORMAT ", 8)\nif call(%d, %d, ctypes.addressof(ours), 1, ctypes.addressof(theirs), 1, 0) == 8: print('reached by process_vm_readv')",
                      (guint64) (gsize) &memory_canary, (int) SYS_process_vm_readv, getpid ());
  expect_not_reached (kernel, "if call(%d, %d, %d, 0, 0) == 0:\n    print('reached by ptrace')\n    call(%d, %d, %d, 0, 0)\n    os.waitpid(%d, 0x40000000)\n"
                      "    call(%d, %d, %d, 0, 0)", (int) SYS_ptrace, PTRACE_SEIZE, getpid (), (int) SYS_ptrace, PTRACE_INTERRUPT, getpid (), getpid (), (int) SYS_ptrace,
                      PTRACE_DETACH, getpid ());
  expect_not_reached (kernel, "fd = call(%d, %d, 0)\nif fd >= 0 and call(%d, fd, 1, 0) >= 0: print('reached by pidfd_getfd')", (int) SYS_pidfd_open, getpid (),
                      (int) SYS_pidfd_getfd);
  expect_not_reached (kernel, "for number in (%d, os.getppid()):\n    for name in ('environ', 'maps', 'auxv'):\n"
                      "        if attempt(lambda: open(f'/proc/{number}/{name}', 'rb').read(1)): print('reached', number, name)", getpid ());
  expect_not_reached (kernel, "attempt(lambda: (os.listdir('/proc/%d/fd'), print('reached: fd')))", getpid ());
  g_assert_cmpuint (memory_canary, ==, CANARY);
}

static void
test_environment (void)
{
  g_autoptr (LsKernel) kernel = NULL;

  g_setenv ("EXAMPLE_ACCESS_TOKEN", "canary-of-the-environment", TRUE);
  kernel = new_kernel ();
  expect_not_reached (kernel, "if any('canary-of-the-environment' in value for value in os.environ.values()): print('reached')\n"
                      "for number in filter(str.isdigit, os.listdir('/proc')):\n"
                      "    if b'canary-of-the-environment' in (attempt(lambda: open(f'/proc/{number}/environ', 'rb').read()) or b''): print('reached', number)\n"
                      "for name in ('DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK', 'XDG_RUNTIME_DIR', 'DISPLAY'):\n    if name in os.environ: print('reached', name)\n"
                      "assert 'PATH' in os.environ and 'HOME' in os.environ");
  g_unsetenv ("EXAMPLE_ACCESS_TOKEN");
}

/* ---- what stays behind ---- */

/* Processes whose command line holds `word`; they get `number` unless it is 0. */
static int
signal_with (const char *word,
             int         number)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc", 0, NULL);
  int n = 0;

  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *path = g_build_filename ("/proc", name, "cmdline", NULL);
      g_autofree char *text = NULL;
      gsize length = 0;

      if (g_ascii_isdigit (*name) && g_file_get_contents (path, &text, &length, NULL) && atoi (name) != getpid () && memmem (text, length, word, strlen (word)) != NULL)
        {
          n++;
          if (number != 0)
            kill (atoi (name), number);
        }
    }
  return n;
}

static int
count_with (const char *word)
{
  return signal_with (word, 0);
}

/* They are ended by what holds them, not by the end of their own sleep, which comes later. */
static void
expect_none_left (const char *word)
{
  int n;

  for (int i = 0; i < (held ? 1200 : 60) && count_with (word) > 0; i++)
    g_usleep (LOOK_US);
  n = signal_with (word, SIGKILL);
  if (n > 0)
    reached ("%d left behind", n);
}

static void
leave_behind (LsKernel   *kernel,
              const char *word)
{
  /* setsid and two forks; it ignores what can be ignored; it ends by itself, for where nothing ends it. */
  g_autofree char *code = g_strdup_printf ("import os, signal\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
                                           "        os.environ.pop('LD_PRELOAD', None)\n        os.closerange(0, 1024)\n        for number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)\n"
                                           "        os.execv('/bin/sleep', ['%s', '300'])\n"
                                           "    os._exit(0)\nimport time\ntime.sleep(0.3)", word);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = printed (kernel, code, 60, &error);

  g_test_message ("left behind: %s%s", text, error != NULL ? error->message : "");
  for (int i = 0; i < 1200 && count_with (word) == 0; i++)
    g_usleep (LOOK_US);
  g_assert_cmpint (count_with (word), >, 0);
}

static void
test_left_behind (void)
{
  g_autoptr (LsKernel) kernel = new_kernel ();
  g_autofree char *word = g_strdup_printf ("left-behind-%d-%u", getpid (), g_random_int ());

  leave_behind (kernel, word);
  ls_kernel_stop (kernel);
  expect_none_left (word);
  /* Python ends by itself. */
  leave_behind (kernel, word);
  g_free (printed (kernel, "import os\nos._exit(0)", 60, NULL));
  expect_none_left (word);
  /* We are killed: by a process that starts a kernel and is killed in its place. */
  leave_behind (kernel, word);
  kill (ls_kernel_get_pid (kernel), SIGKILL);
  expect_none_left (word);
}

/* The program that started the kernel is killed in the middle of a cell. */
static void
test_starter_killed (void)
{
  g_autofree char *word = g_strdup_printf ("starter-%d-%u", getpid (), g_random_int ());
  g_autofree char *started = g_strconcat ("by-", word, NULL);
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) starter = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, self, "--sleeping-kernel", word, NULL);

  g_assert_no_error (error);
  for (int i = 0; i < 1200 && count_with (started) == 0; i++)
    g_usleep (LOOK_US);
  g_assert_cmpint (count_with (started), >, 0);
  g_subprocess_force_exit (starter);
  g_subprocess_wait (starter, NULL, NULL);
  expect_none_left (word);
}

static int
run_sleeping_kernel (const char *word)
{
  g_autoptr (LsKernel) kernel = new_kernel ();
  g_autofree char *code = g_strdup_printf ("import subprocess\nsubprocess.run(['by-%s', '300'], executable='/bin/sleep', start_new_session=True)", word);

  g_free (printed (kernel, code, 60, NULL));
  return 0;
}

/* ---- too much of something ---- */

static void
test_fork_bomb (void)
{
  g_autoptr (LsKernel) kernel = new_kernel ();
  g_autofree char *word = g_strdup_printf ("bomb-%d", getpid ());
  guint most = 512 + 16 * g_get_num_processors (), n = most + 150;
  g_autofree char *code = g_strdup_printf ("import os\nn = 0\ntry:\n    for i in range(%u):\n        os.posix_spawn('/bin/sleep', ['%s', '300'], {})\n        n += 1\n"
                                           "except OSError as problem:\n    print(problem)\nprint('started', n)\nif n == %u: print('reached')", n, word, n);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = printed (kernel, code, 120, &error), *after = NULL;

  g_test_message ("%s%s", text, error != NULL ? error->message : "");
  if (strstr (text, "reached") != NULL)
    reached ("%d processes", count_with (word));
  ls_kernel_stop (kernel);
  expect_none_left (word);
  after = printed (kernel, "print(6 * 7)", 60, NULL);
  g_assert_cmpstr (after, ==, "42\n");
}

static void
test_memory_bomb (void)
{
  static const char *const codes[] = {
    /* in Python itself */
    "held = []\nfor i in range(160):\n    held.append(bytearray(8 << 20))\nprint('reached', len(held))",
    /* in four children, each below the limit */
    "import os, time\nends = []\nfor i in range(4):\n    r, w = os.pipe()\n    ends.append(r)\n    if os.fork() == 0:\n"
    "        try:\n            held = [bytearray(b'x' * (8 << 20)) for _ in range(40)]\n            os.write(w, b'.')\n            time.sleep(3)\n        finally:\n            os._exit(0)\n"
    "    os.close(w)\nn = sum(os.read(r, 1) == b'.' for r in ends)\ntime.sleep(1)\nif n == 4: print('reached', n)\n",
  };
  g_autoptr (LsKernel) kernel = ls_kernel_new ();

  /* At most 1.3 GiB where nothing stops it; the limit is the kernel's and holds without namespaces too, so it goes with them. */
  ls_kernel_set_memory_limit (kernel, held ? G_GUINT64_CONSTANT (640) << 20 : 0);
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = printed (kernel, codes[i], 60, &error);

      ls_kernel_stop (kernel);          /* the next one begins with nothing */
      g_test_message ("%s%s", text, error != NULL ? error->message : "");
      if (strstr (text, "reached") != NULL)
        reached ("memory, %u", i + 1);
    }
}

static void
test_full_disk (void)
{
  g_autoptr (LsKernel) kernel = ls_kernel_new ();
  g_autofree char *folder = g_build_filename (base, "lesson", NULL);

  /* The scratch folders get an eighth: 96 MiB. */
  ls_kernel_set_memory_limit (kernel, G_GUINT64_CONSTANT (768) << 20);
  ls_kernel_set_folder (kernel, folder);
  expect_not_reached (kernel, "for place in ('/tmp', os.path.expanduser('~'), '.', '/dev/shm', '/var/tmp', '/usr', '/', '%s'):\n"
                      "    name = os.path.join(place, 'fill-%d')\n    n = 0\n    try:\n        with open(name, 'wb', 0) as file:\n"
                      "            while n < 200: n += file.write(bytes(1 << 20)) >> 20\n    except OSError as problem:\n        print(place, problem)\n"
                      "    if n >= 200: print('reached', place)\n    attempt(lambda: os.unlink(name))", base, getpid ());
}

/* ---- files ---- */

static void
test_writing (void)
{
  g_autoptr (LsKernel) kernel = new_kernel ();
  g_autofree char *victim = g_build_filename (base, "victim", NULL);
  g_autofree char *folder = g_build_filename (base, "lesson", NULL);
  g_autofree char *data = g_build_filename (folder, "data.txt", NULL);
  g_autofree char *made = g_build_filename (folder, "made.txt", NULL);
  g_autofree char *after = NULL, *data_after = NULL, *text = NULL;

  ls_kernel_set_folder (kernel, folder);
  /* New files are removed where one could be made; files of the system are opened, nothing is written. */
  expect_not_reached (kernel, "for folder in ('/usr/bin', '/etc', '/', '/opt', '/sys/devices/system/cpu', '/dev', '/run', '/var/tmp'):\n"
                      "    def work():\n        name = os.path.join(folder, 'loopscope-written-%d')\n        os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))\n"
                      "        os.unlink(name)\n        print('reached', name)\n    attempt(work)\n"
                      "for name in ('%s', '/usr/bin/env', '/etc/passwd', '/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/proc/1/mem'):\n"
                      "    attempt(lambda: (os.close(os.open(name, os.O_WRONLY)), print('reached', name)))\n"
                      "    attempt(lambda: (os.chmod(name, os.stat(name).st_mode & 0o777), print('reached: chmod', name)))\n"
                      "attempt(lambda: (os.unlink('%s'), print('reached: unlinked')))", getpid (), victim, victim);
  g_assert_true (g_file_get_contents (victim, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, "secret of the victim\n");
  /* Its own folder it reads, and writes into what is gone afterwards. */
  text = printed (kernel, "print(open('data.txt').read(), end='')\nopen('data.txt', 'w').write('changed')\nopen('made.txt', 'w').write('made')\nprint(open('data.txt').read(), open('made.txt').read())", 60, NULL);
  g_assert_cmpstr (text, ==, "for the lesson\nchanged made\n");
  g_assert_true (g_file_get_contents (data, &data_after, NULL, NULL));
  g_assert_cmpstr (data_after, ==, "for the lesson\n");
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
}

static void
test_reading (void)
{
  g_autoptr (LsKernel) kernel = new_kernel ();
  const struct passwd *who = getpwuid (getuid ());
  g_autofree char *in_home = g_build_filename (g_getenv ("HOME"), "canary", NULL);
  g_autofree char *in_real = g_strdup_printf ("%s/.loopscope-canary-%d", who != NULL ? who->pw_dir : "/nonexistent", getpid ());
  g_autofree char *victim = g_build_filename (base, "victim", NULL);

  g_file_set_contents (in_home, "secret of the home\n", -1, NULL);
  g_file_set_contents (in_real, "secret of the home\n", -1, NULL);
  expect_not_reached (kernel, "for name in ('%s', '%s', '%s', '/etc/shadow', '/etc/machine-id', '/proc/kcore', '/proc/1/environ'):\n"
                      "    if attempt(lambda: open(name, 'rb').read(6)): print('reached', name)\n"
                      "for folder in ('%s', os.path.expanduser('~'), '/root', '/home', '/run', '/var/log', '/boot', '/srv', '/mnt'):\n"
                      "    found = attempt(lambda: os.listdir(folder)) or []\n    if [name for name in found if name not in ('.cache', 'home')]: print('reached', folder, found)",
                      in_home, in_real, victim, base);
  g_unlink (in_real);
}

/* A home as the lesson's folder, or one above it, is no reason to hand the home over. */
static void
test_wide_folder (void)
{
  const char *const folders[] = { g_getenv ("HOME"), "/", "/tmp", base };
  g_autofree char *in_home = g_build_filename (g_getenv ("HOME"), "canary", NULL);

  g_file_set_contents (in_home, "secret of the home\n", -1, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autoptr (LsKernel) kernel = new_kernel ();

      ls_kernel_set_folder (kernel, folders[i]);
      expect_not_reached (kernel, "if attempt(lambda: open('%s').read()): print('reached')", in_home);
    }
}

/* ---- network and sockets ---- */

static int
listen_on (const char *path,
           gsize       length)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

  memcpy (address.sun_path, path, length);
  g_assert_cmpint (bind (fd, (struct sockaddr *) &address, (socklen_t) (G_STRUCT_OFFSET (struct sockaddr_un, sun_path) + length)), ==, 0);
  g_assert_cmpint (listen (fd, 4), ==, 0);
  return fd;
}

static void
test_network (void)
{
  g_autoptr (LsKernel) kernel = new_kernel ();
  g_autofree char *path = g_build_filename (base, "socket", NULL);
  g_autofree char *name = g_strdup_printf ("loopscope-test-%d", getpid ());
  g_autofree char *abstract = g_strconcat (" ", name, NULL);
  int fds[2];

  abstract[0] = 0;
  fds[0] = listen_on (abstract, strlen (name) + 1);
  fds[1] = listen_on (path, strlen (path));
  expect_not_reached (kernel, "for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET, 40):\n    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):\n"
                      "        attempt(lambda: (socket.socket(family, kind).close(), print('reached', family, kind)))");
  expect_not_reached (kernel, "for address in ('\\0%s', '%s', '/run/dbus/system_bus_socket', '/run/user/0/bus', '\\0/tmp/.X11-unix/X0'):\n"
                      "    attempt(lambda: (socket.socket(socket.AF_UNIX).connect(address), print('reached', address)))", name, path);
  expect_not_reached (kernel, "attempt(lambda: (socket.getaddrinfo('example.org', 80), print('reached')))");
  /* Between its own processes they work. */
  g_free (printed (kernel, "import socket\na, b = socket.socketpair()\na.send(b'x')\nassert b.recv(1) == b'x'", 60, NULL));
  close (fds[0]);
  close (fds[1]);
}

/* ---- the kernel of the machine ---- */

static void
test_doors (void)
{
  g_autoptr (LsKernel) kernel = new_kernel ();

  /* On a folder of its own, and gone at once: it would be everybody's where nothing holds. */
  expect_not_reached (kernel, "import tempfile\nlibc.mount.argtypes = [ctypes.c_char_p] * 3 + [ctypes.c_ulong, ctypes.c_char_p]\nplace = tempfile.mkdtemp().encode()\n"
                      "if libc.mount(b'none', place, b'tmpfs', 0, None) == 0:\n    libc.umount2(place, 2)\n    print('reached: mount')\nos.rmdir(place)");
  expect_not_reached (kernel, "if call(%d, %d) == 0: print('reached: unshare')", (int) SYS_unshare, CLONE_NEWUSER);
  expect_not_reached (kernel, "pid = call(%d, %d, 0, 0, 0, 0)\nif pid == 0: os._exit(0)\nif pid > 0: print('reached: clone')", (int) SYS_clone, CLONE_NEWUSER | SIGCHLD);
  expect_not_reached (kernel, "for name, words in {'ptrace': (%d, 0, 0, 0, 0), 'keyctl': (%d, 0, -3, 0), 'bpf': (%d, 0, 0, 0), 'userfaultfd': (%d, 1), 'io_uring': (%d, 0, 0), "
                      "'perf': (%d, 0, 0, -1, -1, 0), 'setns': (%d, 0, 0), 'chroot': (%d, 0), 'handle': (%d, 0, 0, 0)}.items():\n"
                      "    ctypes.set_errno(0)\n    if name != '" LET_THROUGH "' and (call(*words) >= 0 or ctypes.get_errno() not in (1, 38)): print('reached', name, ctypes.get_errno())",
                      (int) SYS_ptrace, (int) SYS_keyctl, (int) SYS_bpf, (int) SYS_userfaultfd, (int) SYS_io_uring_setup, (int) SYS_perf_event_open, (int) SYS_setns, (int) SYS_chroot,
                      (int) SYS_open_by_handle_at);
  expect_not_reached (kernel, "words = open('/proc/self/status').read().split()\nif int(words[words.index('CapEff:') + 1], 16) or int(words[words.index('CapBnd:') + 1], 16): print('reached: rights')\n"
                      "if words[words.index('NoNewPrivs:') + 1] != '1': print('reached: new privileges')");
  expect_not_reached (kernel, "for limit in (" LIMITS "):\n    attempt(lambda: (resource.setrlimit(limit, (resource.RLIM_INFINITY,) * 2), print('reached: limit raised', limit)))");
}

/* ---- what has to keep working ---- */

static gboolean
interrupt (gpointer kernel)
{
  ls_kernel_interrupt (kernel);
  return G_SOURCE_REMOVE;
}

/* The cell has begun: it has printed. */
static void
interrupt_soon (LsKernel *kernel,
                gpointer  nothing)
{
  g_signal_handlers_disconnect_by_func (kernel, interrupt_soon, nothing);
  g_timeout_add (300, interrupt, kernel);
}

static void
test_endless (void)
{
  g_autoptr (LsKernel) kernel = new_kernel ();
  g_autoptr (GError) error = NULL;
  g_autofree char *first = printed (kernel, "x = 5", 60, NULL), *second = NULL, *third = NULL, *fourth = NULL;

  g_signal_connect (kernel, "output", G_CALLBACK (interrupt_soon), NULL);
  g_free (printed (kernel, "print('begins')\nwhile True: pass", 60, &error));
  g_assert_no_error (error);
  second = printed (kernel, "x", 60, NULL);
  g_assert_cmpstr (second, ==, "5\n");
  /* It does not listen, and starts others that do not: it is ended, and they with it. */
  third = printed (kernel, "import os, signal\nfor number in (2, 15, 1): signal.signal(number, signal.SIG_IGN)\nos.fork()\nimport time\nfor i in range(60): time.sleep(1)", 3, &error);
  g_assert_error (error, LS_KERNEL_ERROR, LS_KERNEL_ERROR_TIMEOUT);
  fourth = printed (kernel, "1 + 1", 60, NULL);
  g_assert_cmpstr (fourth, ==, "2\n");
}

static void
test_usable (void)
{
  g_autoptr (LsKernel) kernel = new_kernel ();
  g_autofree char *text =
    printed (kernel, "import subprocess, tempfile, threading, os, multiprocessing, sys\n"
             "print(subprocess.run(['/bin/echo', 'program'], capture_output=True, text=True).stdout, end='')\n"
             "with tempfile.TemporaryDirectory() as folder:\n    open(os.path.join(folder, 'x'), 'w').write('y')\n    print(os.listdir(folder))\n"
             "if os.fork() == 0:\n    print('child'); sys.stdout.flush(); os._exit(0)\nos.wait()\n"
             "t = threading.Thread(target=lambda: print('thread')); t.start(); t.join()\n"
             "open(os.path.expanduser('~/mine'), 'w').write('z')\nprint(os.listdir(os.path.expanduser('~')).count('mine'))\n"
             "queue = multiprocessing.get_context('fork').Queue()\nqueue.put(3)\nprint(queue.get())", 60, NULL);

  g_assert_cmpstr (text, ==, "program\n['x']\nchild\nthread\n1\n3\n");
}

/* ---- from within the worker ---- */

static void
expect_refused (LsWorker   *worker,
                const char *name,
                long        number,
                gint64      a,
                gint64      b,
                gint64      c)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = ls_worker_call (worker, "syscall", g_variant_new_parsed ("{'number': <%x>, 'a': <%x>, 'b': <%x>, 'c': <%x>}", (gint64) number, a, b, c),
                                                NULL, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  if (ls_params_int (answer, "errno", -1) == 0)
    reached ("by %s (%" G_GINT64_FORMAT ")", name, a);
}

static void
expect_closed (LsWorker   *worker,
               const char *path,
               gboolean    writing)
{
  g_autoptr (GVariant) answer = ls_worker_call (worker, "open", g_variant_new_parsed ("{'path': <%s>, 'write': <%b>}", path, writing), NULL, NULL, NULL, NULL, NULL);

  g_assert_nonnull (answer);
  if (ls_params_int (answer, "errno", -1) == 0)
    reached ("%s %s", path, writing ? "written" : "read");
}

static gboolean
has_variable (LsWorker   *worker,
              const char *name)
{
  g_autoptr (GVariant) answer = ls_worker_call (worker, "variable", g_variant_new_parsed ("{'name': <%s>}", name), NULL, NULL, NULL, NULL, NULL);

  g_assert_nonnull (answer);
  return ls_params_bool (answer, "there", TRUE);
}

/* Generated code can name registered functions only; what it could do after breaking out of its buffers are system calls. */
static void
test_worker (void)
{
  static const char *const secrets[] = { "EXAMPLE_ACCESS_TOKEN", "DBUS_SESSION_BUS_ADDRESS" };
  g_autoptr (LsWorker) worker = NULL;
  g_autofree char *in_home = g_build_filename (g_getenv ("HOME"), "canary", NULL);
  g_autofree char *victim = g_build_filename (base, "victim", NULL);
  g_autofree char *memory = g_strdup_printf ("/proc/%d/mem", getpid ());
  g_autofree char *environ_path = g_strdup_printf ("/proc/%d/environ", getpid ());
  g_autofree char *parent = NULL;

  signals_got = 0;
  signal (SIGUSR1, count_signal);
  g_file_set_contents (in_home, "secret of the home\n", -1, NULL);
  g_setenv ("EXAMPLE_ACCESS_TOKEN", "canary-of-the-environment", TRUE);
  worker = ls_worker_new ();
  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    if (has_variable (worker, secrets[i]))
      reached ("%s", secrets[i]);
  g_assert_true (has_variable (worker, "PATH"));
  g_unsetenv ("EXAMPLE_ACCESS_TOKEN");
  expect_refused (worker, "kill", SYS_kill, getpid (), SIGUSR1, 0);
  expect_refused (worker, "kill", SYS_kill, -1, 0, 0);
  expect_refused (worker, "tkill", SYS_tkill, getpid (), SIGUSR1, 0);
  expect_refused (worker, "tgkill", SYS_tgkill, getpid (), getpid (), SIGUSR1);
  expect_refused (worker, "pidfd_open", SYS_pidfd_open, getpid (), 0, 0);
  expect_refused (worker, "prlimit64", SYS_prlimit64, getpid (), RLIMIT_STACK, 0);
  expect_refused (worker, "unshare", SYS_unshare, CLONE_NEWUSER, 0, 0);
#if !defined __SANITIZE_ADDRESS__       /* whose leak check starts a process */
  if (held)         /* two of them would answer */
    expect_refused (worker, "clone", SYS_clone, SIGCHLD, 0, 0);
#endif
  expect_refused (worker, "socket", SYS_socket, AF_INET, SOCK_STREAM, 0);
  expect_refused (worker, "socket", SYS_socket, AF_UNIX, SOCK_STREAM, 0);
  expect_refused (worker, "userfaultfd", SYS_userfaultfd, 1, 0, 0);
  expect_closed (worker, memory, FALSE);
  expect_closed (worker, memory, TRUE);
  expect_closed (worker, environ_path, FALSE);
  expect_closed (worker, victim, FALSE);
  expect_closed (worker, victim, TRUE);
  expect_closed (worker, in_home, FALSE);
  expect_closed (worker, "/etc/shadow", FALSE);
  expect_closed (worker, "/proc/1/environ", FALSE);
  g_assert_cmpint (signals_got, ==, 0);
  expect_refused (worker, "ptrace", SYS_ptrace, PTRACE_SEIZE, getpid (), 0);       /* the last: what is traced stops */
}

/* ---- */

/* Without the rights of root, and as readable for others of the same user as any program is. */
static gboolean
become (uid_t uid)
{
  if (geteuid () != 0)
    return getuid () == uid;
  return setgroups (0, NULL) == 0 && setresgid (uid, uid, uid) == 0 && setresuid (uid, uid, uid) == 0 && prctl (PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
}

static void
make_places (void)
{
  g_autofree char *home = NULL, *lesson = NULL, *data = NULL, *victim = NULL;

  base = g_dir_make_tmp ("ls-attacks-XXXXXX", NULL);
  home = g_build_filename (base, "home", NULL);
  lesson = g_build_filename (base, "lesson", NULL);
  data = g_build_filename (lesson, "data.txt", NULL);
  victim = g_build_filename (base, "victim", NULL);
  g_mkdir (home, 0755);
  g_mkdir (lesson, 0755);
  g_file_set_contents (data, "for the lesson\n", -1, NULL);
  g_file_set_contents (victim, "secret of the victim\n", -1, NULL);
  g_setenv ("HOME", home, TRUE);
}

static void
remove_places (void)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", base);

  g_assert_cmpint (system (command), ==, 0);
  g_free (base);
}

int
main (int    argc,
      char **argv)
{
  const char *uid = g_getenv ("LS_TEST_UID"), *build = g_getenv ("LS_BUILD_ROOT");
  const LsJailReport *report;
  int status;

  if (uid != NULL && !become ((uid_t) atoi (uid)))
    {
      g_print ("TAP version 13\n1..0 # SKIP not root: an ordinary user runs the other list anyway\n");
      return 0;
    }
  if (build != NULL && access (build, R_OK | X_OK) != 0)
    {
      g_print ("TAP version 13\n1..0 # SKIP an ordinary user cannot read the build folder\n");
      return 0;
    }
  if (argc == 3 && strcmp (argv[1], "--sleeping-kernel") == 0)
    return run_sleeping_kernel (argv[2]);
  make_places ();
  g_unsetenv ("LS_JAIL");
  g_test_init (&argc, &argv, NULL);
  report = ls_jail_probe ();
  /* LS_TEST_UNJAILED: to see each of them fail where nothing holds. */
  if (report->state != LS_JAIL_HOLDS && g_getenv ("LS_TEST_UNJAILED") == NULL)
    {
      g_autofree char *sentence = ls_jail_report_sentence (report);

      g_print ("TAP version 13\n1..0 # SKIP %s\n", sentence);
      remove_places ();
      return 0;
    }
  if (g_getenv ("LS_TEST_UNJAILED") != NULL)
    {
      g_setenv ("LS_JAIL", "off", TRUE);
      held = FALSE;
    }
  g_test_add_func ("/jail/attacks/signals", test_signals);
  g_test_add_func ("/jail/attacks/limits-of-others", test_limits_of_others);
  g_test_add_func ("/jail/attacks/memory-of-others", test_memory_of_others);
  g_test_add_func ("/jail/attacks/environment", test_environment);
  g_test_add_func ("/jail/attacks/left-behind", test_left_behind);
  g_test_add_func ("/jail/attacks/starter-killed", test_starter_killed);
  g_test_add_func ("/jail/attacks/fork-bomb", test_fork_bomb);
  g_test_add_func ("/jail/attacks/memory-bomb", test_memory_bomb);
  g_test_add_func ("/jail/attacks/full-disk", test_full_disk);
  g_test_add_func ("/jail/attacks/writing", test_writing);
  g_test_add_func ("/jail/attacks/reading", test_reading);
  g_test_add_func ("/jail/attacks/wide-folder", test_wide_folder);
  g_test_add_func ("/jail/attacks/network", test_network);
  g_test_add_func ("/jail/attacks/doors", test_doors);
  g_test_add_func ("/jail/attacks/endless", test_endless);
  g_test_add_func ("/jail/attacks/usable", test_usable);
  g_test_add_func ("/jail/attacks/worker", test_worker);
  status = g_test_run ();
  remove_places ();
  return status;
}
