/* window/fast-math: asking for fast mathematics by a step, and the mark beside the name while the shown step asks for it. */
#pragma once

#include "app/session/engine.h"
#include "app/window/window.h"

G_BEGIN_DECLS

/* Does the step, or says why not. */
void  ls_window_set_fast_math (LsWindow        *self,
                               LsEngineSession *session,
                               gboolean         fast);
/* Whether the shown step asks for it is looked for in a thread; then `found` gets whether it can be asked for or taken back, and what the mark
 * says (who asks for it; NULL: nobody).  Asked about the same program again it does nothing. */
void  ls_window_find_fast_math (LsWindow        *self,
                                LsEngineSession *session,
                                void           (*found) (LsWindow *self, gboolean can, const char *words));
/* What is under way is called off. */
void  ls_window_forget_fast_math (LsWindow      *self);

G_END_DECLS
