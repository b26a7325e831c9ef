/* cost: how often each loop and block of a function runs, how much it computes and how much memory it touches.
 *
 * Counted, not measured: extents times extents, operations of the stored values (index arithmetic left out), and the
 * union of the regions that the loads and stores access, relaxed over the loops inside (as a box, so an upper bound);
 * what the blocks declare counts where a call gets the address of a buffer.  Where an extent depends on the loops around it, their rounds are added up; what
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

/* For, Block and BufferStore nodes (borrowed) -> LsCost. */
typedef struct {
  GHashTable *costs;
  double      flop;             /* of the whole function; below 0: unknown */
  char       *reason;           /* why something is unknown: the first thing in the program, a clause; or NULL */
  GHashTable *callees;          /* Call nodes (borrowed) -> LsCostTable of the function that they call */
  LsModule   *module;           /* borrowed, or NULL */
  guint       depth;            /* calls around it */
  GPtrArray  *loops;            /* around what is just counted; NULL afterwards */
  GHashTable *bindings;         /* variables of its blocks (borrowed) -> what they are; NULL afterwards */
} LsCostTable;

LsCostTable  *ls_cost_table_new  (LsPrimFunc  *func);
/* The same where calls of functions of `module` (borrowed, has to live as long) cost what these do. */
LsCostTable  *ls_cost_table_new_in (LsPrimFunc *func,
                                  LsModule    *module);
/* The table of the function that a Call node calls; NULL: none is known. Borrowed. */
LsCostTable  *ls_cost_table_get_callee (LsCostTable *self,
                                  gpointer     call);
void          ls_cost_table_free (LsCostTable *self);
/* Borrowed; NULL for a node that is no loop, block or store of the function. */
const LsCost *ls_cost_table_get  (LsCostTable *self,
                                  gpointer     node);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsCostTable, ls_cost_table_free)

G_END_DECLS
