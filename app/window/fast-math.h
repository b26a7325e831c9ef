/* window/fast-math: asking for fast mathematics by a step, and the mark beside the name while the shown step asks for it. */
#pragma once

#include "app/session/engine.h"
#include "app/window/window.h"

G_BEGIN_DECLS

/* Does the step, or says why not. */
void  ls_window_set_fast_math (LsWindow        *self,
                               LsEngineSession *session,
                               gboolean         fast);
/* What the mark says: who asks for it.  NULL: nobody. (transfer full) */
char *ls_fast_math_words      (LsEngineSession *session);

G_END_DECLS
