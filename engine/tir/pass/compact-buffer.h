/* compact-buffer: what CompactBufferAllocation knows of each allocation (compact-buffer-regions.c) when it rewrites the program. */
#pragma once

#include "engine/arith/arith.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef struct {
  LsBuffer   *buffer;
  guint       depth;            /* loops and threads around its allocation */
  LsNDIntSet *region;           /* NULL: nothing of it is used */
  gboolean    kept;             /* stays as it is */
  gboolean    pointed;          /* its pointer is used, by what counts from its beginning: no element may move */
  GArray     *alignments;       /* of what buffer_dim_align asks; NULL: nothing */
  LsBuffer   *compact;          /* NULL: stays as it is */
  LsExpr    **mins;             /* per dimension: what is taken off each index */
} LsCompactInfo;

/* LsBuffer -> LsCompactInfo for each buffer that blocks of the body allocate, and for each T.allocate that one buffer alone shows, with the
 * buffers that take their places.  is_strict: none grows. (transfer full) */
GHashTable *ls_compact_buffer_infos (LsStmt  *body,
                                     gboolean is_strict);

G_END_DECLS
