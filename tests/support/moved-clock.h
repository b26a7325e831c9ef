/* moved-clock: the monotonic clock as the program's own code reads it, moved on by the test.
 *
 * Where it counts how long something takes, a test moves the clock (moved-clock.c is one of its sources) and waits for nothing.  GLib's
 * main loop goes by the clock of the machine. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Moves it on by so many µs, from any thread. */
void ls_moved_clock_add (gint64 us);

G_END_DECLS
