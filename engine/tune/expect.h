/* expect: the machine that programs are expected on before any was measured. */
#pragma once

#include "engine/advice/advice.h"
#include "engine/tune/tune.h"

G_BEGIN_DECLS

/* With the cores, vectors and caches of this one, and usual speeds. Borrowed. */
const LsAdviceMachine *ls_tune_machine (void);

G_END_DECLS
