/* primitive: what the primitives are made with.
 *
 * Each is one file with `check` (changes nothing, reports every condition that does not hold), `apply` and its row of the
 * table (table.c).
 */
#pragma once

#include "engine/schedule/legal/legal.h"
#include "engine/tir/reducer.h"

#include <inttypes.h>

G_BEGIN_DECLS

/* The block into which blockize turns the loop (its realize, transfer full), or NULL with findings. */
LsBlockRealize *ls_blockize_loop (LsMove       *move,
                                 LsDiagnostics *diagnostics,
                                 LsSref        *loop,
                                 gboolean       preserve_unit_iters,
                                 LsBlockReuse  *reuse);
/* The decisions that sample_compute_location may make for a block (a handle), ascending. (transfer full) of gint64 */
GArray    *ls_compute_locations (LsSchedule          *schedule,
                                 LsNode              *block);

G_END_DECLS
