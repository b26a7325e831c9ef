/* place: where in a tensor a scalar stands, in words. */
#pragma once

#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

/* "(1, 2)": the place of scalar `index`, its lane last when there are lanes. (transfer full) */
char *ls_tensor_place (const LsDLTensor *tensor,
                       gint64            index);

G_END_DECLS
