/* base/frame-log: see the header.
 *
 * A turn is what happens between two calls of poll, so the poll function of the main context is where it is measured; the last
 * one ends when the last window goes off the screen.
 * Frames are measured from "before-paint" to "after-paint" of the frame clock; its layout ends where the clock's "layout" does.
 */
#include "app/base/frame-log.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NOTED_US 16000
#define STALL_US 50000

static struct {
  FILE   *file;
  GPollFunc poll;
  gint64  woke;                 /* when poll came back, or 0 */
  gint64  woke_cpu;
  gint64  frame_from;
  gint64  paint_from;
  gint64  layout, paint;        /* of the frame in this turn */
  gint64  longest, longest_cpu, longest_paint;
  gint64  since_took, since_cpu; /* the longest since they were taken */
  guint   n_noted, n_stalls, n_frames;
  guint   n_shown;              /* windows on the screen */
  gboolean painted;
} frames;

static double
ms (gint64 us)
{
  return (double) us / 1000.0;
}

/* What this thread has worked. */
static gint64
thread_us (void)
{
  struct timespec at;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &at);
  return (gint64) at.tv_sec * 1000000 + at.tv_nsec / 1000;
}

static void
end_turn (void)
{
  gint64 took = frames.woke != 0 ? g_get_monotonic_time () - frames.woke : 0;
  gint64 cpu = frames.woke != 0 ? thread_us () - frames.woke_cpu : 0;

  frames.since_took = MAX (frames.since_took, took);
  frames.since_cpu = MAX (frames.since_cpu, cpu);
  frames.longest = MAX (frames.longest, took);
  frames.longest_cpu = MAX (frames.longest_cpu, took > NOTED_US ? cpu : 0);
  frames.n_noted += cpu > NOTED_US;
  frames.n_stalls += cpu > STALL_US;
  if (took > NOTED_US)
    fprintf (frames.file, "stall %.1f cpu %.1f layout %.1f paint %.1f at %.4f\n", ms (took), ms (cpu), ms (frames.layout), ms (frames.paint),
             (double) frames.woke * 1e-6);
  frames.layout = frames.paint = 0;
}

static void
shown (void)
{
  frames.n_shown++;
}

/* The last window went: what the turn still does, nobody waits for. */
static void
hidden (void)
{
  if (--frames.n_shown > 0)
    return;
  end_turn ();
  frames.woke = 0;
}

static gint
timed_poll (GPollFD *fds,
            guint    n,
            gint     timeout)
{
  gint ready;

  end_turn ();
  ready = frames.poll (fds, n, timeout);
  frames.woke = g_get_monotonic_time ();
  frames.woke_cpu = thread_us ();
  return ready;
}

/* Since the process began; the kernel counts in hundredths of a second. */
static double
age_ms (void)
{
  g_autofree char *text = NULL;
  const char *at;
  struct timespec now;
  gint64 began = 0;

  if (!g_file_get_contents ("/proc/self/stat", &text, NULL, NULL) || (at = strrchr (text, ')')) == NULL)
    return 0.0;
  for (guint field = 2; at != NULL && field < 22; field++)
    at = strchr (at + 1, ' ');
  began = at != NULL ? g_ascii_strtoll (at, NULL, 10) : 0;
  clock_gettime (CLOCK_BOOTTIME, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec * 1e-6 - (double) began * 1e3 / (double) sysconf (_SC_CLK_TCK);
}

/* GTK connects its own handlers of "layout" and "paint" first, so the phases are told apart by what comes around them. */
static void
frame_began (void)
{
  frames.frame_from = frames.paint_from = g_get_monotonic_time ();
}

static void
laid_out (void)
{
  frames.paint_from = g_get_monotonic_time ();
}

static void
after_paint (void)
{
  frames.layout = frames.paint_from - frames.frame_from;
  frames.paint = frames.paint_from != 0 ? g_get_monotonic_time () - frames.paint_from : 0;
  frames.longest_paint = MAX (frames.longest_paint, frames.paint);
  frames.n_frames++;
  frames.frame_from = frames.paint_from = 0;
  if (!frames.painted)
    fprintf (frames.file, "start %.0f cpu %.0f\n", age_ms (), ms (thread_us ()));
  frames.painted = TRUE;
  fflush (frames.file);
}

static void
realized (GtkWidget *window)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);

  g_signal_connect (clock, "before-paint", G_CALLBACK (frame_began), NULL);
  g_signal_connect_after (clock, "layout", G_CALLBACK (laid_out), NULL);
  g_signal_connect_after (clock, "after-paint", G_CALLBACK (after_paint), NULL);
}

void
ls_frame_log_start (void)
{
  const char *path = g_getenv ("LOOPSCOPE_FRAME_LOG");
  GMainContext *context = g_main_context_default ();

  if (path == NULL || (frames.file = g_fopen (path, "w")) == NULL)
    return;
  frames.poll = g_main_context_get_poll_func (context);
  g_main_context_set_poll_func (context, timed_poll);
}

void
ls_frame_log_follow (GtkWindow *window)
{
  if (frames.file == NULL)
    return;
  g_signal_connect (window, "map", G_CALLBACK (shown), NULL);
  g_signal_connect (window, "unmap", G_CALLBACK (hidden), NULL);
  if (gtk_widget_get_realized (GTK_WIDGET (window)))
    realized (GTK_WIDGET (window));
  else
    g_signal_connect (window, "realize", G_CALLBACK (realized), NULL);
}

void
ls_frame_log_mark (const char *text)
{
  if (frames.file != NULL)
    fprintf (frames.file, "%s %.0f\n", text, age_ms ());
}

void
ls_frame_log_take (gint64 *took,
                   gint64 *cpu)
{
  *took = frames.since_took;
  *cpu = frames.since_cpu;
  frames.since_took = frames.since_cpu = 0;
}

void
ls_frame_log_end (void)
{
  if (frames.file == NULL)
    return;
  g_main_context_set_poll_func (g_main_context_default (), frames.poll);
  fprintf (frames.file, "longest %.1f cpu %.1f over16 %u over50 %u frames %u paint %.1f\n", ms (frames.longest), ms (frames.longest_cpu), frames.n_noted,
           frames.n_stalls, frames.n_frames, ms (frames.longest_paint));
  fclose (frames.file);
  frames.file = NULL;
}
