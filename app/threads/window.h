/* threads/window: the shown step on simulated threads: its accesses one by one, what each warp touches, and what is wrong. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_threads_tool;

G_END_DECLS
