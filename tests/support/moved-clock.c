/* moved-clock: see the header.  g_get_monotonic_time() is this program's own; GLib calls the one beside it. */
#include "tests/support/moved-clock.h"

#include <time.h>

static gint64 moved;            /* µs */
G_LOCK_DEFINE_STATIC (moved);

void
ls_moved_clock_add (gint64 us)
{
  G_LOCK (moved);
  moved += us;
  G_UNLOCK (moved);
}

gint64
g_get_monotonic_time (void)
{
  struct timespec now;
  gint64 us;

  clock_gettime (CLOCK_MONOTONIC, &now);
  G_LOCK (moved);
  us = moved;
  G_UNLOCK (moved);
  return (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000 + us;
}
