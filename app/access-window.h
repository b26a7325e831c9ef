/* access-window: the order in which the shown step touches memory, played beside that of the step before. */
#pragma once

#include "app/window.h"

G_BEGIN_DECLS

/* Shows it, or brings it to the front; from the Compare page with what is compared there. */
void ls_access_window_show (LsWindow *window);

G_END_DECLS
