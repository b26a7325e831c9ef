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

/* Of the shown step.  Cost: looks at all of its functions. */
LsFastMath ls_engine_session_get_fast_math (LsEngineSession *self);
/* Asks for it, by a step on the outermost block of each function that it matters for, or takes back what steps asked for.  FALSE with
 * G_IO_ERROR_NOT_SUPPORTED: it is not a step that asks, or none can be done, and nothing has changed. */
gboolean   ls_engine_session_set_fast_math (LsEngineSession *self,
                                            gboolean         fast,
                                            GError         **error);

/* ---- looked for elsewhere ---- */

/* What a thread looks at; the answer stays until the program is another one. */
typedef struct _LsFastMathLook {
  LsModule   *module;           /* or NULL; owned */
  gboolean    by_target;
  LsFastMath  now;              /* the answer */
  gboolean    possible;         /* there is a function with a block that it would matter for */
} LsFastMathLook;

/* At the shown step of the session, or at nothing (NULL). (transfer full) */
LsFastMathLook *ls_fast_math_look_new   (LsEngineSession      *session);
LsFastMathLook *ls_fast_math_look_ref   (LsFastMathLook       *self);
void            ls_fast_math_look_unref (LsFastMathLook       *self);
gboolean        ls_fast_math_look_equal (const LsFastMathLook *a,
                                         const LsFastMathLook *b);
/* Finds the answer; by any thread. */
void            ls_fast_math_look_run   (LsFastMathLook       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsFastMathLook, ls_fast_math_look_unref)

G_END_DECLS
