/* guard: indices that come from memory stay in their own dimension. See guard.c and guard-scatter.c. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* The function with such indices guarded; the same pointer when it has none. (transfer full) */
LsPrimFunc *ls_guard_indices (LsPrimFunc *func);

/* The same for what topi.scatter_elements and topi.scatter_nd add up to places of a flat buffer. (transfer full) */
LsPrimFunc *ls_guard_scatter (LsPrimFunc *func);

G_END_DECLS
