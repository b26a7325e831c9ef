/* rule/window: the engine's own source of the primitive that made a step, or, asked about a move, of the check that refused it. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_rule_tool;

G_END_DECLS
