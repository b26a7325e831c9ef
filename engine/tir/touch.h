/* touch: where the statements below one access buffers, whatever the blocks around them declare. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef struct {
  LsBufferRegion *region;       /* in terms of loop variables: one element, or what a vector index covers */
  GPtrArray      *around;       /* of LsFor, LsBlock and LsBufferStore, outermost first: what it is inside of, borrowed */
  gboolean        is_write;
} LsTouch;

/* Every load and store below `root` in program order; initial values of blocks are left out.  A call that gets the address of
 * a buffer counts as what its block declares; where no block declares anything, *reason gets a sentence (transfer full)
 * unless it has one. (transfer full) of LsTouch */
GPtrArray *ls_collect_touches (LsStmt  *root,
                               char   **reason);

G_END_DECLS
