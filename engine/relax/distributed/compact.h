/* distributed/compact: a PrimFunc over whole buffers as the program that one device runs over its parts. */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

/* `infos`: the DTensorStructInfo of each parameter that is a buffer, in order.  Buffers and loops along axes that are cut
 * become shorter; *reduce (transfer none) is NULL, or how the parts of the result are put together ("sum", "prod", "min",
 * "max") where a loop that reduces was cut.  NULL and the reason: an extent that the mesh does not divide. (transfer full) */
LsPrimFunc *ls_prim_func_compact (LsPrimFunc  *func,
                                  GPtrArray   *infos,
                                  const char **reduce,
                                  GError     **error);

G_END_DECLS
