/* What the files that follow programs share: access-order, dependence. */
#pragma once

#include "engine/interp/interp.h"

G_BEGIN_DECLS

/* arguments.c: zeros for each buffer of the parameters, 1 for each number.  NULL with an error: a buffer's size is not known.
 * (transfer full) of LsInterpArg */
GArray  *ls_interp_zero_arguments (LsPrimFunc *func,
                                   GError    **error);

G_END_DECLS
