/* code-window: the machine code of the shown step beside its window; the selection of either is that of both. */
#pragma once

#include "app/window.h"

G_BEGIN_DECLS

/* Shows it, or brings it to the front. */
void ls_code_window_show (LsWindow *window);

G_END_DECLS
