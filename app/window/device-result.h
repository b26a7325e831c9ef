/* window/device-result: a result.json of a device that is opened or dropped on a window.
 *
 * Its times go to the steps of the open program that it was made of, found by their structural hash.  Without such a program the window says why
 * not. */
#pragma once

#include "app/window/window.h"

G_BEGIN_DECLS

/* TRUE: `file` is such a result, and the window says what became of it; FALSE: it is something else, or cannot be read. */
gboolean ls_window_device_result_open (LsWindow *self,
                                       GFile    *file);

G_END_DECLS
