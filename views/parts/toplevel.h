/* parts/toplevel: a window that goes is asked nothing more. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on each window of the program lets go of its surface's question for a size as it is unrealized.  GTK 4.8 leaves its
 * handler of GdkToplevel::compute-size connected; on X11 the surface lives on for a while and asks again from an idle turn, and the
 * handler then reads a window that is freed. */
void ls_toplevel_install (void);

G_END_DECLS
