/* learn/screens: slides on the projector, notes on the speaker's own screen. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The monitor after the one where the window stands, in the display's order, round again at the end; NULL where there is one only, or the window is not shown.
 * (transfer full) (nullable) */
GdkMonitor *ls_screens_other (GtkWindow *window);

/* Fills the monitor with the window; with the last but one monitor gone it is a window again, for then it would hide the one with the notes. */
void ls_screens_fill (GtkWindow  *window,
                      GdkMonitor *monitor);

G_END_DECLS
