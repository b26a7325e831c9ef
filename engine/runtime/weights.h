/* weights: named arrays in one file, as models keep their parameters.
 *
 *   .safetensors   8 bytes with the length of a JSON header {name: {dtype, shape, data_offsets}}, then the data
 *   .npz           numpy's archive: a zip file of NAME.npy, stored or deflated
 *
 * What a file says about itself is checked against its size before it is used.  Archives that are larger than 4 GiB or encrypted are
 * not read.
 */
#pragma once

#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

/* Name -> LsNDArray.  The format is told by the first bytes.  Errors: those of reading, and FORMAT naming the file, the array and
 * what was expected. (transfer full) */
GHashTable *ls_weights_read (const char *path,
                             GError    **error);
/* The same from memory; `name` stands in messages. */
GHashTable *ls_weights_parse (const char   *name,
                              const guint8 *data,
                              gsize         n,
                              GError      **error);
/* How .safetensors calls a type: "F32" for "float32"; NULL: it has no such. */
const char *ls_weights_dtype_name (const char *dtype);

G_END_DECLS
