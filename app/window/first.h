/* window/first: what the first frame of the program needs and can have before it. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Lays a window out and makes the letters that it shows.  The program does that for its first window before it shows it: nothing is
 * on the screen that could stand still, and the turn that brings the first frame has less than half of the work left. */
void ls_window_first_prepare (GtkWindow *window);

G_END_DECLS
