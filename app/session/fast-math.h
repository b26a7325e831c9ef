/* session/fast-math: whether the shown program asks for fast mathematics, and asking for it by a step. */
#pragma once

#include "app/session/engine.h"

G_BEGIN_DECLS

typedef enum {
  LS_FAST_MATH_OFF,
  LS_FAST_MATH_BY_STEPS,        /* by annotations of loops or blocks, which a step puts there or takes away */
  LS_FAST_MATH_BY_TEXT,         /* by an attribute of a function: no step takes it away */
  LS_FAST_MATH_BY_TARGET,
} LsFastMath;

/* Of the shown step. */
LsFastMath ls_engine_session_get_fast_math (LsEngineSession *self);
/* Is there a function with a block that it would matter for, or that asks for it? */
gboolean   ls_engine_session_can_fast_math (LsEngineSession *self);
/* Asks for it, by a step on the outermost block of each function that it matters for, or takes back what steps asked for.  FALSE with
 * G_IO_ERROR_NOT_SUPPORTED: it is not a step that asks, or none can be done, and nothing has changed. */
gboolean   ls_engine_session_set_fast_math (LsEngineSession *self,
                                            gboolean         fast,
                                            GError         **error);

G_END_DECLS
