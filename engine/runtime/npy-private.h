/* The header of an .npy file, read by npy-header.c and used by npy.c. */
#pragma once

#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

typedef struct {
  LsDLDataType dtype;
  gboolean     swapped;         /* bytes stand the other way round than this machine's */
  gboolean     fortran;
  int          ndim;
  gint64       shape[LS_NDARRAY_MAX_NDIM];
  gsize        data_offset;     /* bytes from the start of the file */
} LsNpyHeader;

/* Errors: FORMAT, DTYPE, SHAPE. */
gboolean ls_npy_header_parse  (const guint8      *bytes,
                               gsize              length,
                               LsNpyHeader       *header,
                               GError           **error);
/* Magic, version, length and dictionary, padded to a multiple of 64 bytes. */
void     ls_npy_header_append (GByteArray        *out,
                               const LsDLTensor  *tensor);

G_END_DECLS
