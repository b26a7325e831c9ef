/* practice/window: questions without end about the steps of the session: which primitive was this, what comes next, which one is faster. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_practice_tool;

G_END_DECLS
