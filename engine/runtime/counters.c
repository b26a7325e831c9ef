/* counters: see the header.  Source: perf_event_open(2).
 *
 * Each kind has a descriptor of its own (a group cannot be inherited by threads), and counts are differences of two
 * readings, because a reset does not reach what threads that ended have left.
 */
#include "engine/runtime/counters.h"

#include "engine/base/base.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* read_format: value, time enabled, time running. */
typedef struct {
  guint64 value, enabled, running;
} Reading;

struct _LsCounters {
  int     fds[LS_COUNTER_N];
  int     errors[LS_COUNTER_N];
  Reading start[LS_COUNTER_N];
};

#define CACHE_LOAD_MISSES(level) \
  ((level) | (PERF_COUNT_HW_CACHE_OP_READ << 8) | (PERF_COUNT_HW_CACHE_RESULT_MISS << 16))

/* ORDER LsCounterKind */
static const struct { const char *name; guint32 type; guint64 config; } kinds[LS_COUNTER_N] = {
  { "cycles",        PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
  { "instructions",  PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
  { "l1d-misses",    PERF_TYPE_HW_CACHE, CACHE_LOAD_MISSES (PERF_COUNT_HW_CACHE_L1D) },
  { "llc-misses",    PERF_TYPE_HW_CACHE, CACHE_LOAD_MISSES (PERF_COUNT_HW_CACHE_LL) },
  { "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
};

const char *
ls_counter_name (LsCounterKind kind)
{
  return kinds[kind].name;
}

static int
open_by_system (LsCounterKind kind)
{
  struct perf_event_attr attr;

  memset (&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = kinds[kind].type;
  attr.config = kinds[kind].config;
  attr.disabled = 1;
  attr.inherit = 1;
  attr.exclude_kernel = 1;
  attr.exclude_hv = 1;
  attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return (int) syscall (SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

LsCounters *
ls_counters_new (LsCounterOpen open)
{
  LsCounters *self = g_new0 (LsCounters, 1);

  for (guint i = 0; i < LS_COUNTER_N; i++)
    {
      errno = 0;
      self->fds[i] = open != NULL ? open (i) : open_by_system (i);
      self->errors[i] = self->fds[i] >= 0 ? 0 : errno != 0 ? errno : EIO;
    }
  return self;
}

void
ls_counters_free (LsCounters *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < LS_COUNTER_N; i++)
    if (self->fds[i] >= 0)
      close (self->fds[i]);
  g_free (self);
}

gboolean
ls_counters_any (LsCounters *self)
{
  for (guint i = 0; i < LS_COUNTER_N; i++)
    if (self->fds[i] >= 0)
      return TRUE;
  return FALSE;
}

static gboolean
read_one (LsCounters *self,
          guint       kind,
          Reading    *reading)
{
  gssize n = read (self->fds[kind], reading, sizeof *reading);

  if (n == (gssize) sizeof *reading)
    return TRUE;
  self->errors[kind] = n < 0 ? errno : EIO;
  return FALSE;
}

void
ls_counters_start (LsCounters *self)
{
  for (guint i = 0; i < LS_COUNTER_N; i++)
    if (self->fds[i] >= 0)
      {
        self->errors[i] = 0;
        if (read_one (self, i, &self->start[i]) && ioctl (self->fds[i], PERF_EVENT_IOC_ENABLE, 0) != 0)
          self->errors[i] = errno;
      }
}

void
ls_counters_stop (LsCounters *self,
                  LsCount     counts[LS_COUNTER_N])
{
  for (guint i = 0; i < LS_COUNTER_N; i++)
    if (self->fds[i] >= 0)
      ioctl (self->fds[i], PERF_EVENT_IOC_DISABLE, 0);
  for (guint i = 0; i < LS_COUNTER_N; i++)
    {
      Reading end;
      guint64 enabled, running;

      counts[i] = (LsCount) { self->errors[i], 0, 0 };
      if (self->fds[i] < 0 || self->errors[i] != 0 || !read_one (self, i, &end))
        {
          counts[i].error = self->errors[i];
          continue;
        }
      enabled = end.enabled - self->start[i].enabled;
      running = end.running - self->start[i].running;
      if (running == 0)
        {
          counts[i].error = EBUSY;
          continue;
        }
      counts[i].share = MIN ((double) running / (double) MAX (enabled, running), 1.0);
      counts[i].value = (double) (end.value - self->start[i].value) / counts[i].share;
    }
}

/* ---- why not ---------------------------------------------------------------------- */

static const struct { int error; const char *name; const char *words; } reasons[] = {
  { ENOENT,     "ENOENT",     LS_TEXT ("Hardware counters are not available: this machine's kernel does not offer them (%s).") },
  { EOPNOTSUPP, "EOPNOTSUPP", LS_TEXT ("Hardware counters are not available: this machine's processor does not offer them (%s).") },
  { ENODEV,     "ENODEV",     LS_TEXT ("Hardware counters are not available: this machine's processor does not offer them (%s).") },
  { EACCES,     "EACCES",     LS_TEXT ("Hardware counters are not available: the system does not let this user read them (%s).") },
  { EPERM,      "EPERM",      LS_TEXT ("Hardware counters are not available: the system does not let this user read them (%s).") },
  { ENOSYS,     "ENOSYS",     LS_TEXT ("Hardware counters are not available: this machine's kernel was built without them (%s).") },
  { EBUSY,      "EBUSY",      LS_TEXT ("Hardware counters are not available: another program has all of them (%s).") },
};

int
ls_counters_error (LsCounters *self)
{
  return ls_counters_any (self) ? 0 : self->errors[0];
}

char *
ls_counter_error (int error)
{
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (reasons[i].error == error)
      return g_strdup (reasons[i].name);
  return g_strdup_printf ("error %d", error);
}

char *
ls_counters_why (int error)
{
  g_autofree char *name = ls_counter_error (error);
  const char *words = LS_TEXT ("Hardware counters are not available: the system refuses them (%s).");

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (reasons[i].error == error)
      words = reasons[i].words;
  return g_strdup_printf (ls_translate (words), name);
}
