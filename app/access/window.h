/* access/window: the order in which the shown step touches memory, played beside that of the step before; from the page that
 * compares, of the two that are compared there. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_access_tool;

G_END_DECLS
