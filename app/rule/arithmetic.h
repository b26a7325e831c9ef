/* rule/arithmetic: the rules by which arithmetic is simplified, each with what was proved of it. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_arithmetic_tool;

G_END_DECLS
