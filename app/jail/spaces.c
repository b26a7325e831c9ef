/* Namespaces, and what is seen of the machine from inside.
 *
 *   /                    a small tmpfs, read-only in the end
 *   /usr /opt ...        the system, read-only, no devices, no set-user-id
 *   /etc                 only the files that libraries look for: no passwords, no keys, no machine's name
 *   /proc                of the new process namespace; /proc/sys and its like read-only, what tells of the kernel's memory hidden
 *   /dev                 null, zero, full, random, urandom, and a bounded /dev/shm; with --devices GPUs
 *   /sys                 devices/system (processors, caches), read-only
 *   /tmp, the home       empty, bounded, gone afterwards
 *   what was handed over as it was asked for
 *
 * No /run, no /var, no /boot, no /srv: no sockets of the session or the system.  Sources are opened as detached mounts (open_tree) before the
 * root changes, made read-only with all that is mounted below them (mount_setattr), and put in place (move_mount).
 * User ids: the caller's own and no other one; in the namespace they have no power over anything outside.
 *
 * Sources: namespaces(7), user_namespaces(7), mount_setattr(2), pivot_root(2), proc(5).  Needs Linux 5.12.
 */
#include "app/jail/helper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOEXEC_DATA (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC)

static int new_root = -1;
static const char *spot;        /* where the new root hangs until it is the root */

/* LS_JAIL_REFUSE lets tests see what happens on a machine that refuses. */
static bool
simulated (const char *what)
{
  const char *list = getenv ("LS_JAIL_REFUSE");

  return list != NULL && strstr (list, what) != NULL;
}

int
spaces_flags (const Wish *wish)
{
  int flags = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

  if (simulated ("namespaces"))
    return -1;
  return wish->network ? flags : flags | CLONE_NEWNET;
}

/* ---- user ids ---- */

static bool
put_text (const char *path,
          const char *text)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  bool ok = fd >= 0 && write (fd, text, strlen (text)) == (ssize_t) strlen (text);
  int saved = errno;

  if (fd >= 0)
    close (fd);
  errno = saved;
  return ok;
}

bool
spaces_map_ids (pid_t child)
{
  char path[64], text[64];

  snprintf (path, sizeof path, "/proc/%d/setgroups", (int) child);
  if (!put_text (path, "deny") && errno != ENOENT)
    return false;
  snprintf (path, sizeof path, "/proc/%d/gid_map", (int) child);
  snprintf (text, sizeof text, "%u %u 1\n", (unsigned) getegid (), (unsigned) getegid ());
  if (!put_text (path, text))
    return false;
  snprintf (path, sizeof path, "/proc/%d/uid_map", (int) child);
  snprintf (text, sizeof text, "%u %u 1\n", (unsigned) geteuid (), (unsigned) geteuid ());
  return put_text (path, text);
}

/* ---- mounts ---- */

static bool
refuse (Held       *held,
        const char *what,
        const char *path)
{
  snprintf (held->why, sizeof held->why, "%s%s%.100s: %s", what, path != NULL ? " " : "", path != NULL ? path : "", strerror (errno));
  return false;
}

/* A new file system that is nowhere yet; `options` in pairs, NULL-terminated.  -1: refused. */
static int
new_mount (const char        *type,
           const char *const *options,
           unsigned           attributes)
{
  int fs = fsopen (type, FSOPEN_CLOEXEC), fd = -1;
  bool ok = fs >= 0;

  for (int i = 0; ok && options != NULL && options[i] != NULL; i += 2)
    ok = fsconfig (fs, FSCONFIG_SET_STRING, options[i], options[i + 1], 0) == 0;
  if (ok && fsconfig (fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
    fd = fsmount (fs, FSMOUNT_CLOEXEC, attributes);
  if (fs >= 0)
    {
      int saved = errno;

      close (fs);
      errno = saved;
    }
  return fd;
}

static int
new_tmpfs (uint64_t    size,
           const char *mode)
{
  char bytes[32];
  const char *const options[] = { "size", bytes, "mode", mode, "nr_inodes", "200000", NULL };

  snprintf (bytes, sizeof bytes, "%llu", (unsigned long long) size);
  return new_mount ("tmpfs", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
}

/* Looks `path` up as if the new root were the root: a link in it cannot lead to the machine's own files. */
static int
look_up (const char *path,
         int         flags)
{
  struct open_how how = { .flags = (uint64_t) flags | O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };

  return (int) syscall (SYS_openat2, new_root, path, &how, sizeof how);
}

/* The folder in which `path` (absolute) stands in the new root, made where it is not there; -1 when it cannot be. */
static int
make_parents (const char *path)
{
  char whole[PATH_MAX];
  int fd = look_up ("/", O_DIRECTORY);

  snprintf (whole, sizeof whole, "%s", path);
  for (char *at = strchr (whole + 1, '/'); at != NULL && fd >= 0; at = strchr (at + 1, '/'))
    {
      int next;

      *at = 0;
      next = look_up (whole, O_DIRECTORY);
      if (next < 0 && mkdirat (fd, strrchr (whole, '/') + 1, 0755) == 0)
        next = look_up (whole, O_DIRECTORY);
      close (fd);
      fd = next;
      *at = '/';
    }
  return fd;
}

static bool
put_mount (int         mount,
           const char *path,
           bool        folder)
{
  const char *name = strrchr (path, '/') + 1;
  int parent = mount >= 0 ? make_parents (path) : -1, saved;
  struct stat st;
  bool ok;

  if (mount < 0)
    return false;
  if (parent >= 0 && fstatat (parent, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
    {
      if (folder)
        mkdirat (parent, name, 0755);
      else
        mknodat (parent, name, S_IFREG | 0644, 0);
    }
  ok = parent >= 0 && move_mount (mount, "", parent, name, MOVE_MOUNT_F_EMPTY_PATH) == 0;
  saved = errno;
  if (parent >= 0)
    close (parent);
  close (mount);
  errno = saved;
  return ok;
}

/* `path` leads to where it really is. */
static void
put_link (const char *path,
          const char *target)
{
  int parent = make_parents (path);

  if (parent >= 0)
    {
      if (symlinkat (target, parent, strrchr (path, '/') + 1) != 0 && errno != EEXIST)
        complain (path);
      close (parent);
    }
}

/* What is at `path` here, with all below it, as a mount that is nowhere yet. */
static int
copy_mount (const char *path,
            uint64_t    attributes)
{
  struct mount_attr attr = { .attr_set = attributes };
  int fd = open_tree (AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);

  if (fd >= 0 && mount_setattr (fd, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof attr) != 0)
    {
      int saved = errno;

      close (fd);
      errno = saved;
      return -1;
    }
  return fd;
}

static bool
bind (const char *from,
      const char *to,
      uint64_t    attributes)
{
  struct stat st;

  return stat (from, &st) == 0 && put_mount (copy_mount (from, attributes), to, S_ISDIR (st.st_mode));
}

#define READ_ONLY (MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)

/* ---- the system ---- */

/* As links where the host has links (/lib -> usr/lib). */
static void
put_system (void)
{
  static const char *const folders[] = { "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store",
                                         "/var/cache/fontconfig", "/sys/devices/system" };
  static const char *const etc[] = {
    "/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf",
    "/etc/localtime", "/etc/timezone", "/etc/locale.alias", "/etc/fonts", "/etc/mime.types", "/etc/magic", "/etc/python3", "/etc/python3.10",
    "/etc/python3.11", "/etc/python3.12", "/etc/python3.13", "/etc/python3.14", "/etc/matplotlibrc", "/etc/OpenCL", "/etc/gai.conf", "/etc/protocols",
    "/etc/services",
  };

  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    {
      char target[PATH_MAX];
      ssize_t n = readlink (folders[i], target, sizeof target - 1);

      if (n > 0)
        {
          target[n] = 0;
          put_link (folders[i], target);
        }
      else
        bind (folders[i], folders[i], READ_ONLY);
    }
  for (size_t i = 0; i < sizeof etc / sizeof *etc; i++)
    bind (etc[i], etc[i], READ_ONLY);
}

/* What finding hosts by name, and https, need. */
static void
put_network (void)
{
  static const char *const files[] = { "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates" };

  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    bind (files[i], files[i], READ_ONLY);
}

/* GPUs: their nodes, and what drivers read of /sys. */
static void
put_gpus (void)
{
  static const char *const begins[] = { "nvidia", "kfd", "dri", "dxg", "mali" };
  static const char *const told[] = { "/sys/class", "/sys/dev", "/sys/devices", "/sys/bus/pci", "/sys/module" };
  DIR *folder = opendir ("/dev");
  struct dirent *entry;

  while (folder != NULL && (entry = readdir (folder)) != NULL)
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
      if (strncmp (entry->d_name, begins[i], strlen (begins[i])) == 0)
        {
          char path[PATH_MAX];

          snprintf (path, sizeof path, "/dev/%s", entry->d_name);
          bind (path, path, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC);
        }
  if (folder != NULL)
    closedir (folder);
  for (size_t i = 0; i < sizeof told / sizeof *told; i++)
    bind (told[i], told[i], READ_ONLY);
}

static bool
put_devices (const Wish *wish)
{
  static const char *const nodes[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom" };
  static const char *const links[][2] = { { "/proc/self/fd", "dev/fd" }, { "/proc/self/fd/0", "dev/stdin" }, { "/proc/self/fd/1", "dev/stdout" },
                                          { "/proc/self/fd/2", "dev/stderr" } };

  mkdirat (new_root, "dev", 0755);
  for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++)
    if (!bind (nodes[i], nodes[i], MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC) && i == 0)
      return false;
  for (size_t i = 0; i < sizeof links / sizeof *links; i++)
    symlinkat (links[i][0], new_root, links[i][1]);
  if (wish->devices)
    put_gpus ();
  return put_mount (new_tmpfs (wish->scratch, "1777"), "/dev/shm", true);
}

/* Owned by the caller's id, so what is writable for root of the machine would be writable here for root. */
static bool
put_proc (Held *held)
{
  static const char *const fixed[] = { "/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi", "/proc/scsi" };
  static const char *const hidden[] = { "/proc/kcore", "/proc/keys", "/proc/key-users", "/proc/timer_list", "/proc/sched_debug", "/proc/kallsyms",
                                        "/proc/kmsg", "/proc/latency_stats", "/proc/iomem", "/proc/ioports", "/proc/slabinfo", "/proc/vmallocinfo" };
  struct stat st;

  if (!put_mount (new_mount ("proc", NULL, NOEXEC_DATA), "/proc", true))
    return refuse (held, "a /proc of its own", NULL);
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (fstatat (new_root, fixed[i] + 1, &st, 0) == 0)
      {
        struct mount_attr attr = { .attr_set = MOUNT_ATTR_RDONLY | NOEXEC_DATA };
        int fd = open_tree (new_root, fixed[i] + 1, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE);

        if (fd < 0 || mount_setattr (fd, "", AT_EMPTY_PATH | AT_RECURSIVE, &attr, sizeof attr) != 0 || !put_mount (fd, fixed[i], S_ISDIR (st.st_mode)))
          return refuse (held, "making read-only", fixed[i]);
      }
  for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
    if (fstatat (new_root, hidden[i] + 1, &st, 0) == 0 && !put_mount (copy_mount ("/dev/null", MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID), hidden[i], false))
      return refuse (held, "hiding", hidden[i]);
  return true;
}

/* ---- what was handed over ---- */

/* Reads what is at `path`, writes into a folder of its own below /over.  Unprivileged since Linux 5.11; some file systems cannot be below. */
static int
new_overlay (const char *path,
             int         number)
{
  char names[3][PATH_MAX];
  const char *const options[] = { "source", "overlay", "lowerdir", path, "upperdir", names[1], "workdir", names[2], NULL };
  int fs, fd = -1;
  bool ok;

  if (strpbrk (path, ":\\,") != NULL)
    return -1;
  snprintf (names[0], sizeof names[0], "%s/over/%d", spot, number);
  snprintf (names[1], sizeof names[1], "%s/over/%d/upper", spot, number);
  snprintf (names[2], sizeof names[2], "%s/over/%d/work", spot, number);
  fs = fsopen ("overlay", FSOPEN_CLOEXEC);
  ok = fs >= 0;
  for (int i = 0; ok && i < 3; i++)
    ok = mkdir (names[i], 0755) == 0;
  for (int i = 0; ok && options[i] != NULL; i += 2)
    ok = fsconfig (fs, FSCONFIG_SET_STRING, options[i], options[i + 1], 0) == 0;
  if (ok && fsconfig (fs, FSCONFIG_SET_FLAG, "userxattr", NULL, 0) == 0 && fsconfig (fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
    fd = fsmount (fs, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
  if (fs >= 0)
    close (fs);
  return fd;
}

static bool
put_over (const Wish *wish,
          const char *path,
          int         number,
          Held       *held)
{
  struct stat st;
  int fd;

  if (stat (path, &st) != 0)
    return true;
  if (!S_ISDIR (st.st_mode))
    return bind (path, path, READ_ONLY);
  fd = new_overlay (path, number);
  if (fd >= 0 && put_mount (fd, path, true))
    {
      held->overlay = true;
      return true;
    }
  held->overlay = false;
  return bind (path, path, READ_ONLY);
}

/* What is not there is left out: the program will say so. */
static bool
put_places (const Wish *wish,
            Held       *held)
{
  struct stat st;

  for (int i = 0; i < wish->n_places; i++)
    {
      char real[PATH_MAX];
      const char *given = wish->places[i].path, *path = realpath (given, real) != NULL ? real : given;
      bool ok = true;

      if (strcmp (given, path) != 0)
        put_link (given, path);
      switch (wish->places[i].kind)
        {
        case PLACE_READ:
          ok = bind (path, path, READ_ONLY) || stat (path, &st) != 0;
          break;
        case PLACE_WRITE:
          ok = bind (path, path, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV) || stat (path, &st) != 0;
          break;
        case PLACE_OVER:
          ok = put_over (wish, path, i, held);
          break;
        case PLACE_SCRATCH:
          ok = put_mount (new_tmpfs (wish->scratch, "0700"), path, true);
          break;
        }
      if (!ok)
        return refuse (held, "handing over", path);
    }
  return true;
}

/* ---- all ---- */

/* A folder that is there on every system and from which nothing is handed over: while the new root hangs on it, it hides what is below. */
static const char *
free_spot (const Wish *wish)
{
  static const char *const spots[] = { "/mnt", "/media", "/srv", "/boot", "/run" };

  for (size_t i = 0; i < sizeof spots / sizeof *spots; i++)
    {
      size_t length = strlen (spots[i]);
      bool free = access (spots[i], F_OK) == 0;

      for (int p = 0; p < wish->n_places; p++)
        free = free && (strncmp (wish->places[p].path, spots[i], length) != 0 || (wish->places[p].path[length] != '/' && wish->places[p].path[length] != 0));
      if (free)
        return spots[i];
    }
  errno = ENOENT;
  return NULL;
}

static bool
make_root (const Wish *wish,
           Held       *held)
{
  static const char *const options[] = { "size", "16777216", "mode", "0755", "nr_inodes", "20000", NULL };

  if (mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
    return refuse (held, "a view of the files of its own", NULL);
  spot = free_spot (wish);
  new_root = spot != NULL ? new_mount ("tmpfs", options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV) : -1;
  if (new_root < 0 || move_mount (new_root, "", AT_FDCWD, spot, MOVE_MOUNT_F_EMPTY_PATH) != 0)
    return refuse (held, "a root of its own", NULL);
  return true;
}

/* Where overlays keep what is written is nobody's business. */
static bool
hide_store (Held *held)
{
  char path[PATH_MAX];

  snprintf (path, sizeof path, "%s/over", spot);
  if (umount2 (path, MNT_DETACH) != 0)
    return refuse (held, "hiding", "/over");
  unlinkat (new_root, "over", AT_REMOVEDIR);
  return true;
}

static bool
seal (Held *held)
{
  struct mount_attr attr = { .attr_set = MOUNT_ATTR_RDONLY };

  if (fchdir (new_root) != 0 || syscall (SYS_pivot_root, ".", ".") != 0)
    return refuse (held, "changing the root", NULL);
  if (umount2 (".", MNT_DETACH) != 0 || chdir ("/") != 0)
    return refuse (held, "leaving the old root", NULL);
  if (mount_setattr (AT_FDCWD, "/", 0, &attr, sizeof attr) != 0)
    return refuse (held, "making the root read-only", NULL);
  return true;
}

bool
spaces_enter (const Wish *wish,
              Held       *held)
{
  mode_t mask;

  if (simulated ("mounts"))
    {
      errno = EPERM;
      return refuse (held, "a view of the files of its own", NULL);
    }
  mask = umask (022);
  if (!make_root (wish, held))
    return false;
  put_system ();
  if (wish->network)
    put_network ();
  if (!put_devices (wish))
    return refuse (held, "/dev", NULL);
  if (!put_proc (held))
    return false;
  if (!put_mount (new_tmpfs (wish->scratch, "1777"), "/tmp", true) || !put_mount (new_tmpfs (wish->scratch, "0700"), "/over", true))
    return refuse (held, "a scratch folder", NULL);
  if (!put_places (wish, held) || !hide_store (held) || !seal (held))
    return false;
  umask (mask);
  sethostname ("loopscope", strlen ("loopscope"));
  held->spaces = true;
  return true;
}

void
spaces_drop_rights (void)
{
  struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3, 0 };
  struct __user_cap_data_struct none[2] = { { 0 } };

  for (int right = 0; right <= 63; right++)
    prctl (PR_CAPBSET_DROP, right, 0, 0, 0);
  prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  syscall (SYS_capset, &head, none);
}
