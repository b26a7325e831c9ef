/* code/window: the machine code of the shown step beside its window; the selection of either is that of both. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_code_tool;

G_END_DECLS
