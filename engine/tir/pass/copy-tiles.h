/* copy-tiles: copies between memory and tiles of tensor cores (wmma, m16n8k8), whole tiles at a time. */
#pragma once

#include "engine/tir/pass/pad-shared.h"

G_BEGIN_DECLS

#define LS_TILE 16              /* rows and columns of wmma's */

/* A nest of loops around one store, which copies an element. */
typedef struct {
  GPtrArray     *loops;         /* LsFor from outside, borrowed */
  LsBufferStore *store;
  LsBufferLoad  *load;          /* what is copied: the value of the store or, from a tile, a part of it */
} LsCopyNest;

/* Where all threads of a block take part: a kernel's loops of threads around the copy. */
typedef struct {
  gint64  extents[3];           /* of threadIdx.x, .y, .z; 0: not bound */
  LsVar  *vars[3];              /* of the loops around; NULL: none */
} LsCopyThreads;

/* Makes what stands in the loops (from, to and loops of another nest) copied by all threads. (transfer full) */
typedef LsStmt *(*LsCopyAll) (GPtrArray *loops, LsBufferStore *store, gpointer user_data);

/* Does this buffer keep tiles? "wmma.matrix_a", "wmma.matrix_b", "wmma.accumulator", and "m16n8k8.matrixC", which is only copied out */
gboolean ls_copy_is_tiles   (LsBuffer            *buffer);
/* The copy between shared memory and tiles of wmma as loads or stores of tiles.  NULL: its loops are not such that a tile is one of 16 x 16 elements.
 * (transfer full) */
LsStmt  *ls_copy_tiles      (const LsCopyNest    *nest,
                             LsPadShared         *pad);
/* The copy of an accumulator (and what is computed of its elements) to global memory, through shared memory: a row of tiles of each warp at a time, from
 * where all threads write it.  *stage: the buffer in between. NULL: as above. (transfer full) */
LsStmt  *ls_copy_tiles_out  (const LsCopyNest    *nest,
                             const LsCopyThreads *threads,
                             LsCopyAll            all,
                             gpointer             user_data,
                             LsBuffer           **stage);

G_END_DECLS
