/* relax/pass/memory: what the passes that lower allocations share. */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

/* R.shape ([bytes]) of a tensor: the size of an element (1 for bool) times the extents. (transfer full) */
LsNode *ls_relax_bytes_shape      (LsShapeExpr *shape,
                                   LsDType      dtype);
/* R.memory.alloc_tensor (storage, 0, shape, dtype); borrows. (transfer full) */
LsNode *ls_relax_alloc_tensor_new (LsRelaxVar  *storage,
                                   LsNode      *shape,
                                   LsNode      *dtype);

G_END_DECLS
