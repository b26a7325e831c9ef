/* order: does a step keep the order of reads and writes that depend on each other?
 *
 * TVM asks whether blocks are complete or reductions and which variables loops reach; accesses at other places than a block's
 * own variables can still depend on each other.  Here the accesses are asked (engine/poly).  A step that changes the order of
 * two is a warning, and refused where the schedule is strict, with the same sentence.
 */
#pragma once

#include "engine/schedule/step/move.h"

G_BEGIN_DECLS

/* The step was applied, and what it changed is in `now`; `move` tells which it is.  The answer is found in `before`, and kept for
 * when the same is asked of another copy of the schedule. */
typedef struct _LsOrderAnswer LsOrderAnswer;
LsOrderAnswer *ls_order_ask    (LsMove        *move,
                                LsVersion     *before,
                                LsModule      *now);
void           ls_order_unref  (LsOrderAnswer *self);
/* TRUE: some pair of rounds changes places. */
gboolean       ls_order_is_broken (LsOrderAnswer *self);
/* Adds the finding, if there is one: an error when it is broken and `strict` asked for, else a warning.  The state of `move`
 * has to be one of a program that still has the blocks. */
void           ls_order_tell   (LsOrderAnswer *self,
                                LsMove        *move,
                                gboolean       strict,
                                LsDiagnostics *diagnostics);

G_END_DECLS
