/* ranking/window: all moves of the selection with their times, fastest first; a row applies its move. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_ranking_tool;

G_END_DECLS
