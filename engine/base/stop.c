/* stop: whether the work under way is still wanted.
 *
 * Long work (a build, passes over a large module) asks between its pieces.  Who started it registers an asker for its thread: the Python
 * module looks whether Ctrl+C was pressed.  Everywhere else the answer is no, at the price of one comparison.
 */
#include "engine/base/base.h"

#define LEAST_US 2000

static struct {
  LsStopFunc asker;
  GThread   *thread;
  gint64     last;              /* when it was asked */
} stop;

void
ls_stop_set_asker (LsStopFunc asker)
{
  stop.thread = g_thread_self ();
  stop.asker = asker;
}

gboolean
ls_stop_can_be_asked (void)
{
  return stop.asker != NULL && stop.thread == g_thread_self ();
}

gboolean
ls_stop_asked (GError **error)
{
  gint64 now;

  if (!ls_stop_can_be_asked ())
    return FALSE;
  now = g_get_monotonic_time ();
  if (now - stop.last < LEAST_US)
    return FALSE;
  stop.last = now;
  if (!stop.asker ())
    return FALSE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, ls_translate ("The work was ended before it was done."));
  return TRUE;
}
