/* lowering-window: the passes that the shown step goes through on its way to machine code, and what each of them makes of it. */
#pragma once

#include "app/window.h"

G_BEGIN_DECLS

/* Shows it, or brings it to the front. */
void ls_lowering_window_show (LsWindow *window);

G_END_DECLS
