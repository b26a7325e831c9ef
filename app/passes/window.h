/* passes/window: the window of the passes of any compiler, from its log; it belongs to no program that is open. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Does this file or folder hold a log of passes?  Reads the beginning of it. */
gboolean   ls_passes_window_takes (GFile          *file);
/* Shows the log in a window of its own, or in the one that has it already; NULL: an empty one that says what can be opened. */
void       ls_passes_window_open  (GtkApplication *application,
                                   GFile          *file);
/* The same at a place of a link: a pass by its number from 1 or its name, a function, and what is followed; each may be NULL. */
void       ls_passes_window_open_at (GtkApplication *application,
                                   GFile          *file,
                                   const char     *pass,
                                   const char     *function,
                                   const char     *follow);
/* Asks for a file before the window `near` (may be NULL), then shows it. */
void       ls_passes_window_ask   (GtkApplication *application,
                                   GtkWindow      *near);

G_END_DECLS
