/* flat: buffers addressed by one number, for statements that are written as loops over all elements. */
#pragma once

#include "engine/topi/topi-private.h"

G_BEGIN_DECLS

/* The row-major place `index` (taken) as indices of the buffer: the last by remainder, the first by what is left (no
 * remainder). (transfer full) */
LsArray *ls_topi_flat_indices (LsBuffer *buffer, LsExpr *index);
/* Take index and value. */
LsExpr  *ls_topi_flat_load    (LsBuffer *buffer, LsExpr *index);
LsStmt  *ls_topi_flat_store   (LsBuffer *buffer, LsExpr *index, LsExpr *value);
/* for var in [0, extent): body; takes all but the kind. */
LsStmt  *ls_topi_loop         (LsVar *var, LsExpr *extent, LsForKind kind, LsStmt *body);

G_END_DECLS
