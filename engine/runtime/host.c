/* The machine: CPU name, the CPUs that may be used, pinning, and the record of what stood
 * around a measurement.
 */
#include "engine/runtime/runtime-private.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* The value of "key : value" in /proc/cpuinfo, of its first CPU. (transfer full) */
static char *
cpuinfo_value (const char *text,
               const char *key)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], key))
      {
        const char *colon = strchr (lines[i], ':');

        if (colon != NULL && colon[1] != '\0')
          return g_strstrip (g_strdup (colon + 1));
      }
  return NULL;
}

static char *
find_cpu_name (void)
{
  static const char *const keys[] = { "model name", "Hardware", "cpu model", "uarch", "cpu" };
  g_autofree char *text = NULL;
  struct utsname names;

  if (g_file_get_contents ("/proc/cpuinfo", &text, NULL, NULL))
    for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
      {
        char *value = cpuinfo_value (text, keys[i]);

        if (value != NULL)
          return value;
      }
  return g_strdup (uname (&names) == 0 ? names.machine : "unknown CPU");
}

const char *
ls_host_cpu_name (void)
{
  static char *name;
  static gsize once;

  if (g_once_init_enter (&once))
    {
      name = find_cpu_name ();
      g_once_init_leave (&once, 1);
    }
  return name;
}

static const cpu_set_t *
allowed_cpus (void)
{
  static cpu_set_t set;
  static gsize once;

  if (g_once_init_enter (&once))
    {
      CPU_ZERO (&set);
      if (sched_getaffinity (0, sizeof set, &set) != 0 || CPU_COUNT (&set) == 0)
        for (guint i = 0; i < MIN (g_get_num_processors (), (guint) CPU_SETSIZE); i++)
          CPU_SET (i, &set);
      g_once_init_leave (&once, 1);
    }
  return &set;
}

int
ls_host_n_cpus (void)
{
  return MAX (CPU_COUNT (allowed_cpus ()), 1);
}

gboolean
ls_host_pin_thread (int i)
{
  const cpu_set_t *allowed = allowed_cpus ();
  cpu_set_t one;

  i %= ls_host_n_cpus ();
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, allowed) && i-- == 0)
      {
        CPU_ZERO (&one);
        CPU_SET (cpu, &one);
        return pthread_setaffinity_np (pthread_self (), sizeof one, &one) == 0;
      }
  return FALSE;
}

gboolean
ls_host_unpin_thread (void)
{
  return pthread_setaffinity_np (pthread_self (), sizeof (cpu_set_t), allowed_cpus ()) == 0;
}
