/* rounds: how often the body of loops runs where an extent depends on the loops around it (a triangle, the windows of an adaptive pool).
 *
 * Loops whose rounds are numbers are multiplied; the others, and those that they depend on, are gone through and their rounds added.
 */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* Rounds of the body of the last of `loops` (of LsFor, outermost first) in one run of the first.  `bindings` (LsVar -> LsExpr, may be NULL): what
 * variables of blocks are.  -1: an extent depends on something else, or there is too much to go through. */
gint64 ls_count_rounds (GPtrArray  *loops,
                        GHashTable *bindings);

G_END_DECLS
