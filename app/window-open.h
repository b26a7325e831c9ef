/* window-open: large scripts are read beside the main loop; the window stays as it is until they are there.
 *
 * A script above 512 KiB is read and parsed in a thread.  Meanwhile the line over the page says so and offers to leave off;
 * what the window showed can still be used.  What comes after leaving off is dropped.
 */
#pragma once

#include "app/window.h"

G_BEGIN_DECLS

/* Begins to open `file` when it is such a script; FALSE: it is not, nothing was done. */
gboolean ls_window_open_large  (LsWindow *self,
                                GFile    *file);
/* Leaves off; FALSE when nothing is being opened. */
gboolean ls_window_open_cancel (LsWindow *self);

G_END_DECLS
