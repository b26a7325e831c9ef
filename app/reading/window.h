/* reading/window: the shown step as low-level NumPy, as C, or as the device code of its target; its lines follow the selected loop. */
#pragma once

#include "app/tool/tool.h"

G_BEGIN_DECLS

extern const LsTool ls_reading_tool;

G_END_DECLS
