/* lowering/window: the passes that the shown step goes through on its way to machine code, and what each of them makes of it. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_lowering_tool;

G_END_DECLS
