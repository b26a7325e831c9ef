/* settle: what a reduction means where its text says less: of nothing, of infinities, of NaN. See settle.c. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* The function as it is run; the same pointer when nothing is to be said. (transfer full) */
LsPrimFunc *ls_settle_sums        (LsPrimFunc *func);
/* The same for all functions of TensorIR. (transfer full) */
LsModule   *ls_settle_sums_module (LsModule   *module);

G_END_DECLS
