/* narrow-floats: bfloat16 for pipelines that make code; see bf16-legalize.c. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* BF16ComputeLegalize, but each result is rounded to its type, also in memory of the function itself; the pass as TVM has it keeps float32 there, so that
 * a program would compute something else on a device without bfloat16 than elsewhere. (transfer full) */
LsPrimFunc *ls_legalize_bf16 (LsPrimFunc *func);

G_END_DECLS
