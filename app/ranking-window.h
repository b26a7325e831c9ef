/* ranking-window: all moves of the selection with their times, fastest first; a row applies its move. */
#pragma once

#include "app/window.h"

G_BEGIN_DECLS

/* Starts the measurement and shows it beside `window`. */
void ls_ranking_window_show (LsWindow *window);

G_END_DECLS
