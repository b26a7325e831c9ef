/* pad-shared: rows of shared memory moved apart so that the threads of a warp ask different banks. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef struct _LsPadShared LsPadShared;

/* extents: of threadIdx.x, .y, .z; 0: not bound. */
LsPadShared *ls_pad_shared_new  (const gint64 extents[3]);
void         ls_pad_shared_free (LsPadShared *self);
/* Notes how a warp accesses shared memory in this statement: which elements its threads touch when all loops that no thread stands for
 * are at their start. */
void         ls_pad_shared_look (LsPadShared *self,
                                 LsStmt      *stmt);
/* What a warp touches at once there: a part of the buffer, from its first element, of this size in each dimension. */
void         ls_pad_shared_tile (LsPadShared *self,
                                 LsBuffer    *buffer,
                                 guint        rows,
                                 guint        columns);
/* The statement, in which each buffer that was seen has strides.  Each dimension, from the last but one outwards, is moved apart by as few elements as give
 * the fewest threads at one bank, at most a quarter of a row and at most the 32 banks.  Buffers that have strides keep them. (transfer full) */
LsStmt      *ls_pad_shared_done (LsPadShared *self,
                                 LsStmt      *stmt);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsPadShared, ls_pad_shared_free)

G_END_DECLS
