/* passes/own: what our own passes do to the program that is open, in the window that shows those of any compiler. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_own_passes_tool;

G_END_DECLS
