/* rule-window: the engine's own source of the primitive that made a step, or of the check that refused one. */
#pragma once

#include "app/window.h"
#include "views/models/move-item.h"

G_BEGIN_DECLS

/* Of the primitive of a move, at the check that has its reason where the move has one. */
void ls_rule_window_show_move (LsWindow           *window,
                               const LsMoveRecord *move);
/* Of a node of the history; of the first program there is none, and it says so. */
void ls_rule_window_show_step (LsWindow           *window,
                               guint               id);

G_END_DECLS
