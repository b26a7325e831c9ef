/* window/open: large files are read beside the main loop; the window stays as it is until they are there.
 *
 * A script above 24 KiB, a session above 8 KiB (its steps are replayed) and what an earlier run left is read and made ready in a thread.
 * When that takes a while the line over the page says so and offers to leave off; what the window showed can still be used.  What
 * comes after leaving off is dropped.
 */
#pragma once

#include "app/window/window.h"

G_BEGIN_DECLS

/* Begins to open `file` when it is such a script or session, or a model of ONNX; FALSE: it is not, nothing was done. */
gboolean ls_window_open_large  (LsWindow *self,
                                GFile    *file);
/* Begins to open a copy that another run left, and takes it over.  FALSE: another program was faster. */
gboolean ls_window_open_copy   (LsWindow *self,
                                GFile    *copy);
/* Leaves off, without a word and with one; FALSE when nothing is being opened. */
gboolean ls_window_open_forget (LsWindow *self);
gboolean ls_window_open_cancel (LsWindow *self);

typedef void (*LsOpenedFunc) (gpointer  data,
                              LsWindow *window);
/* Calls `func` once what is being opened is there; now, when nothing is.  `destroy` may be NULL.  It is not called when opening is left off or fails. */
void     ls_window_open_then   (LsWindow       *self,
                                LsOpenedFunc    func,
                                gpointer        data,
                                GDestroyNotify  destroy);

G_END_DECLS
