/* window/trace: a trace as TVM writes it (JSON) that is opened or dropped on a window.
 *
 * It is no program: it is offered to be applied to the program that is open, from its first step on and as a branch beside what
 * is there.  Without a program the window says what to do.
 */
#pragma once

#include "app/window/window.h"

G_BEGIN_DECLS

/* TRUE: `file` is a trace, and the window says what can be done with it; FALSE: it is something else, or cannot be read. */
gboolean ls_window_trace_open  (LsWindow *self,
                                GFile    *file);
/* Applies the trace that was opened last, if there is one. */
void     ls_window_trace_apply (LsWindow *self);

G_END_DECLS
