/* cost: how often each loop and block of a function runs, how much it computes and how much memory it touches.
 *
 * Counted, not measured: extents times extents, operations of the stored values (index arithmetic left out), and the
 * union of the regions that the blocks declare, relaxed over the loops inside (as a box, so an upper bound).  What
 * depends on a symbolic extent is unknown.  Conditions count as true.
 */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef struct {
  gint64 runs;                  /* executions of the body in one call of the function; -1: unknown */
  gint64 touches;               /* different bytes that one execution of the whole loop or block touches; -1: unknown */
  double flop;                  /* operations of all executions; below 0: unknown */
} LsCost;

/* For and Block nodes (borrowed) -> LsCost. */
typedef struct {
  GHashTable *costs;
  double      flop;             /* of the whole function; below 0: unknown */
} LsCostTable;

LsCostTable  *ls_cost_table_new  (LsPrimFunc  *func);
void          ls_cost_table_free (LsCostTable *self);
/* Borrowed; NULL for a node that is no loop or block of the function. */
const LsCost *ls_cost_table_get  (LsCostTable *self,
                                  gpointer     node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsCostTable, ls_cost_table_free)

G_END_DECLS
