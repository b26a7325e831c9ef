/* What the files of pt2 share. */
#pragma once

#include "engine/frontend/pt2/pt2.h"

G_BEGIN_DECLS

/* ---- tensor.c ---- */

/* torch's numbers of types (ScalarType of its schema); NULL: one that is not known here. */
const char *ls_pt2_dtype_name (gint64       number);
/* A tensor of a storage, row-major whatever its strides are; `where` and `name` stand in messages. (transfer full) */
LsTensor   *ls_pt2_tensor_new (const char  *where,
                               const char  *name,
                               gint64       dtype,
                               GArray      *shape,              /* of gint64 */
                               GArray      *strides,
                               gint64       offset,
                               GBytes      *storage,
                               GError     **error);

/* ---- pickle.c ---- */

/* Puts the tensors of what torch.save wrote (a dictionary of them) to `tensors` (name -> LsTensor).  FALSE with an error: it is damaged, or has
 * something else in it than tensors, numbers and texts. */
gboolean    ls_pt2_read_saved (const char  *name,
                               GBytes      *saved,
                               GHashTable  *tensors,
                               GError     **error);

G_END_DECLS
