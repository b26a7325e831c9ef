/* What the files of access-order share. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* access-data.c: FALSE with an error when what is touched, or in which order, depends on the contents of buffers or on numbers
 * that a caller would give. */
gboolean ls_access_order_is_known (LsPrimFunc *func,
                                   GError    **error);

G_END_DECLS
