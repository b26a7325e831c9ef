/* What a cell may not do: reach the network, end the program that shows it, or touch the machine.
 *
 * Unlike the worker the kernel is Python in the hands of the person who pressed Run: it reads and writes the files of
 * that person and starts programs.  But a lesson from somebody else shall not send anything away.  The filter (seccomp through
 * libseccomp) is written before the fork, loaded between fork and exec, and holds for all that the kernel starts: sockets only between
 * processes of this machine, no signals to us, no reading of other processes' memory, no mounting, modules, clocks.
 *
 * LS_KERNEL_NETWORK=1 leaves the network open, LS_KERNEL_SANDBOX=off everything.  Sources: seccomp(2), libseccomp's
 * manual.  Limits: none without libseccomp; sockets of this machine (D-Bus) stay reachable.
 */
#include "app/kernel/kernel-private.h"

#include <errno.h>
#include <linux/filter.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef LS_HAVE_SECCOMP
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#endif

struct _LsKernelJail {
  struct sock_filter *code;
  gsize               n;
};

#ifdef LS_HAVE_SECCOMP

static const int never[] = {
  SCMP_SYS (process_vm_readv), SCMP_SYS (process_vm_writev), SCMP_SYS (io_uring_setup), SCMP_SYS (mount), SCMP_SYS (umount2),
  SCMP_SYS (pivot_root), SCMP_SYS (chroot), SCMP_SYS (setns), SCMP_SYS (bpf), SCMP_SYS (keyctl), SCMP_SYS (add_key),
  SCMP_SYS (request_key), SCMP_SYS (init_module), SCMP_SYS (finit_module), SCMP_SYS (delete_module), SCMP_SYS (kexec_load),
  SCMP_SYS (reboot), SCMP_SYS (swapon), SCMP_SYS (swapoff), SCMP_SYS (sethostname), SCMP_SYS (settimeofday),
  SCMP_SYS (clock_settime), SCMP_SYS (pidfd_getfd),
#if !defined __SANITIZE_ADDRESS__
  SCMP_SYS (ptrace),
#endif
};

static void
deny_network (scmp_filter_ctx filter)
{
  seccomp_rule_add (filter, SCMP_ACT_ERRNO (EACCES), SCMP_SYS (socket), 1, SCMP_A0 (SCMP_CMP_NE, AF_UNIX));
}

static void
deny_signals_to_us (scmp_filter_ctx filter)
{
  scmp_datum_t us = (scmp_datum_t) getpid ();

  seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (kill), 1, SCMP_A0_32 (SCMP_CMP_EQ, us));
  seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (kill), 1, SCMP_A0_32 (SCMP_CMP_EQ, (guint32) -1));
  seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), SCMP_SYS (tgkill), 1, SCMP_A0_32 (SCMP_CMP_EQ, us));
}

/* The filter as the kernel wants it. */
static gboolean
export (scmp_filter_ctx  filter,
        LsKernelJail    *jail)
{
  int fd = memfd_create ("filter", MFD_CLOEXEC);
  off_t size;
  gboolean ok;

  if (fd < 0)
    return FALSE;
  ok = seccomp_export_bpf (filter, fd) == 0 && (size = lseek (fd, 0, SEEK_END)) > 0 && size % (off_t) sizeof *jail->code == 0;
  if (ok)
    {
      jail->n = (gsize) size / sizeof *jail->code;
      jail->code = g_new (struct sock_filter, jail->n);
      ok = pread (fd, jail->code, (gsize) size, 0) == size;
    }
  close (fd);
  return ok;
}

LsKernelJail *
ls_kernel_jail_new (void)
{
  scmp_filter_ctx filter;
  LsKernelJail *jail;

  if (g_strcmp0 (g_getenv ("LS_KERNEL_SANDBOX"), "off") == 0 || (filter = seccomp_init (SCMP_ACT_ALLOW)) == NULL)
    return NULL;
  jail = g_new0 (LsKernelJail, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (never); i++)
    seccomp_rule_add (filter, SCMP_ACT_ERRNO (EPERM), never[i], 0);
  deny_signals_to_us (filter);
  if (g_strcmp0 (g_getenv ("LS_KERNEL_NETWORK"), "1") != 0)
    deny_network (filter);
  if (!export (filter, jail))
    g_clear_pointer (&jail, ls_kernel_jail_free);
  seccomp_release (filter);
  return jail;
}

/* Between fork and exec: system calls only. */
void
ls_kernel_jail_enter (const LsKernelJail *jail)
{
  struct sock_fprog program;

  if (jail == NULL || prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return;
  program = (struct sock_fprog) { (unsigned short) jail->n, jail->code };
  prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#else

LsKernelJail *
ls_kernel_jail_new (void)
{
  return NULL;
}

void
ls_kernel_jail_enter (const LsKernelJail *jail)
{
}

#endif

void
ls_kernel_jail_free (LsKernelJail *jail)
{
  if (jail == NULL)
    return;
  g_free (jail->code);
  g_free (jail);
}
