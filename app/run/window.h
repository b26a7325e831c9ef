/* run/window: the tool window of the debugger. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_run_tool;

G_END_DECLS
