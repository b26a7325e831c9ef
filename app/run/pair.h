/* run/pair: the tool window in which two programs are stepped through side by side. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_run_pair_tool;

G_END_DECLS
