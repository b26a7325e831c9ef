/* window/kept: what was closed and no file has: a list to open it from, or to take it away.  Nothing of it goes by itself. */
#pragma once

#include "app/window/window.h"

G_BEGIN_DECLS

void ls_window_kept_show   (LsWindow *self);
/* Says that `kept` is what a window held that has closed, and offers it again. */
void ls_window_kept_say    (LsWindow *self,
                            GFile    *kept);
/* Says what was closed last, or that there is a lot of it, unless the window says something else already. */
void ls_window_kept_remind (LsWindow *self);

G_END_DECLS
