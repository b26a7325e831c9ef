/* run/window: the tool window of the debugger. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_run_tool;

/* Shows the window with the call that made the value `number` of the Relax function `func` (NULL: main), on what went into it there, until the program
 * changes.  `func` is copied. */
void ls_run_show_call (GtkWindow  *parent,
                       LsSession  *session,
                       const char *func,
                       gint64      number);

G_END_DECLS
