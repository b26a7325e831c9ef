/* loop-partition-intervals: the conditions inside of a loop, and where in it they hold (loop-partition.c). */
#pragma once

#include "engine/arith/arith.h"
#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* The intervals of all conditions on the variable of a loop from min to max inside of its body: those of T.likely, of a hinted loop all comparisons.  `around` and
 * `threads` are the loops and the threads around it. (transfer full) */
GArray   *ls_loop_conditions (LsVar      *var,
                              gboolean    hinted,
                              LsDomMap   *around,
                              LsDomMap   *threads,
                              LsExpr     *min,
                              LsExpr     *max,
                              LsStmt     *body,
                              LsAnalyzer *analyzer);
/* The interval in which conditions hold (or never hold), and these conditions.  All that reach into the loop; of a hinted loop those
 * that can hold together. (transfer full), nothing: there is none */
LsIntSet *ls_loop_interval   (LsAnalyzer *analyzer,
                              GArray     *parts,
                              LsIntSet   *loop,
                              gboolean    holds,
                              gboolean    hinted,
                              GHashTable *conditions);
/* Hold all conditions at one value of the variable only, which is none of this loop? Then they are decided, and there is nothing to cut. */
gboolean  ls_loop_conditions_lie_outside (LsAnalyzer *analyzer,
                                          GArray     *parts,
                                          LsExpr     *min,
                                          LsExpr     *max);

G_END_DECLS
