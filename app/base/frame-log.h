/* base/frame-log: how long the window kept people waiting, for tests and for whoever looks for a stall.
 *
 * With LOOPSCOPE_FRAME_LOG=FILE in the environment the program writes there, a line each: "start MS" when the first frame of
 * the first window was painted (since the process began), "stall MS cpu MS" for every turn of the main loop that took more
 * than 16 ms, with what the thread itself worked (less on a busy machine) and the phases of the frame clock when a frame was
 * painted in it and the monotonic time when it began (seconds, as "perf record -k CLOCK_MONOTONIC" writes them), and at the end "longest MS cpu MS over16 N over50 N frames N paint MS"; over16 and over50 count by cpu.  Without it nothing is measured.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void ls_frame_log_start  (void);
/* Follows the frame clock of a window; when it is not logging, does nothing. */
void ls_frame_log_follow (GtkWindow *window);
/* A line of its own, "TEXT MS" since the process began, to tell what happened when; it is in the file after the next frame. */
void ls_frame_log_mark   (const char *text);
/* The longest turn since the last call of this, in µs: how long it took, and what the thread worked in the one that worked most.  For
 * tests; a turn counts when it is over. */
void ls_frame_log_take   (gint64     *took,
                          gint64     *cpu);
/* Writes the sums. */
void ls_frame_log_end    (void);

G_END_DECLS
