/* passes/own: the tools that show what passes make of the program that is open. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

/* Both show the same window: the first one at the passes of lowering, the second one at all. */
extern const LsTool ls_lowering_tool, ls_own_passes_tool;

G_END_DECLS
