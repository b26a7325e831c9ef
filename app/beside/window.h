/* beside/window: two models side by side: two states of the opened one, or it and one of another file; what became what, how long each call takes on both
 * sides, what lies in memory, and how far values are apart. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_beside_tool;

G_END_DECLS
