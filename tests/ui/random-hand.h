/* random-hand: a hand at the mouse and the keyboard that does not look. */
#pragma once

#include <gtk/gtk.h>

/* FALSE: there is no X server or no XTest; nothing of the rest may be called then. */
gboolean ls_hand_init  (void);
/* Something with the pointer or the keys, by `below`, which gives a number below another: moves, clicks with any button, twice, drags over some
 * way, turns the wheel, types.  What windows do with it comes when the main loop runs.  Returns: what it was, for a log, static. */
const char *ls_hand_move (guint (*below) (guint n));
