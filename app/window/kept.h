/* window/kept: what was closed and no file has: a list to open it from, or to take it away.  Nothing of it goes by itself. */
#pragma once

#include "app/window/window.h"

G_BEGIN_DECLS

void ls_window_kept_show   (LsWindow *self);
/* Says so when there is a lot of it, unless the window says something else already. */
void ls_window_kept_remind (LsWindow *self);

G_END_DECLS
