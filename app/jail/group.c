/* A cgroup of its own for the jail: limits on all its processes together.
 *
 * Made beside the group in which we run, or in it, where the machine lets us: as root, or below systemd's user manager, which
 * delegates its part of the tree.  Version 2 first, else the controllers pids and memory of version 1.  A folder that is left because O was
 * killed is empty by then; the next jail sweeps those away (rmdir refuses the others).
 * Source: Documentation/admin-guide/cgroup-v2.rst of the kernel.
 */
#include "app/jail/helper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "loopscope-jail-"

typedef struct {
  const char *controller;       /* as /proc/self/cgroup names it; "" is version 2 */
  const char *root;
  const char *processes;        /* files of the limits, or NULL */
  const char *memory;
} Hierarchy;

static const Hierarchy hierarchies[] = {
  { "", "/sys/fs/cgroup", "pids.max", "memory.max" },
  { "pids", "/sys/fs/cgroup/pids", "pids.max", NULL },
  { "memory", "/sys/fs/cgroup/memory", NULL, "memory.limit_in_bytes" },
};

static char made[3][PATH_MAX];

static bool
put (const char *folder,
     const char *name,
     uint64_t    value)
{
  char path[PATH_MAX + 64], text[32];
  int n = snprintf (text, sizeof text, "%llu", (unsigned long long) value);
  int fd;
  bool ok;

  snprintf (path, sizeof path, "%s/%s", folder, name);
  fd = open (path, O_WRONLY | O_CLOEXEC);
  ok = fd >= 0 && write (fd, text, (size_t) n) == n;
  if (fd >= 0)
    close (fd);
  return ok;
}

/* Our own group in the hierarchy, without a / at the end; false when it is not there. */
static bool
own_group (const char *controller,
           char        path[PATH_MAX])
{
  FILE *file = fopen ("/proc/self/cgroup", "re");
  char line[PATH_MAX];
  bool found = false;

  while (file != NULL && !found && fgets (line, sizeof line, file) != NULL)
    {
      char *list = strchr (line, ':'), *where = list != NULL ? strchr (list + 1, ':') : NULL;

      if (where == NULL)
        continue;
      *where++ = 0;
      where[strcspn (where, "\n")] = 0;
      found = strcmp (list + 1, controller) == 0;
      if (found)
        snprintf (path, PATH_MAX, "%s", strcmp (where, "/") == 0 ? "" : where);
    }
  if (file != NULL)
    fclose (file);
  return found;
}

static void
sweep (const char *folder)
{
  DIR *dir = opendir (folder);

  for (struct dirent *entry; dir != NULL && (entry = readdir (dir)) != NULL;)
    if (strncmp (entry->d_name, PREFIX, strlen (PREFIX)) == 0)
      unlinkat (dirfd (dir), entry->d_name, AT_REMOVEDIR);
  if (dir != NULL)
    closedir (dir);
}

static bool
make_in (const Hierarchy *of,
         const char      *parent,
         const Wish      *wish,
         pid_t            member,
         char             path[PATH_MAX],
         Held            *held)
{
  bool processes, memory;

  if (access (parent, W_OK) != 0)
    return false;
  sweep (parent);
  if (snprintf (path, PATH_MAX, "%s/" PREFIX "%d", parent, (int) member) >= PATH_MAX || mkdir (path, 0755) != 0)
    return false;
  processes = of->processes != NULL && wish->processes > 0 && put (path, of->processes, (uint64_t) wish->processes);
  memory = of->memory != NULL && wish->memory > 0 && put (path, of->memory, wish->memory);
  if ((processes || memory) && put (path, "cgroup.procs", (uint64_t) member))
    {
      held->group |= processes;
      held->group_memory |= memory;
      return true;
    }
  rmdir (path);
  return false;
}

void
group_make (const Wish *wish,
            pid_t       member,
            Held       *held)
{
  for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++)
    {
      char own[PATH_MAX], place[2 * PATH_MAX];
      char *slash;

      if ((i > 0 && held->group && held->group_memory) || !own_group (hierarchies[i].controller, own))
        continue;
      slash = strrchr (own, '/');
      snprintf (place, sizeof place, "%s%.*s", hierarchies[i].root, slash != NULL ? (int) (slash - own) : 0, own);
      if (make_in (&hierarchies[i], place, wish, member, made[i], held))
        continue;
      snprintf (place, sizeof place, "%s%s", hierarchies[i].root, own);
      if (!make_in (&hierarchies[i], place, wish, member, made[i], held))
        made[i][0] = 0;
    }
}

void
group_remove (void)
{
  for (size_t i = 0; i < sizeof hierarchies / sizeof *hierarchies; i++)
    for (int tries = 0; made[i][0] != 0 && rmdir (made[i]) != 0 && errno == EBUSY && tries < 40; tries++)
      usleep (500);
}
