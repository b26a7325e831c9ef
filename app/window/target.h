/* window/target: what the program is made for. */
#pragma once

#include "app/session/engine.h"
#include "app/window/window.h"

G_BEGIN_DECLS

/* Asks for another target, with those that are known and what each allows.  `session` is the window's, here and below. */
void ls_window_ask_target   (LsWindow        *self,
                             LsEngineSession *session);
/* Changes to it; says why not where there is no such target. */
void ls_window_set_target   (LsWindow        *self,
                             LsEngineSession *session,
                             const char      *target);
/* Tells of each change, with the way back. */
void ls_window_watch_target (LsWindow        *self,
                             LsEngineSession *session);

G_END_DECLS
