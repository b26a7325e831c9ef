/* deduce: where one variable has to lie so that a condition holds. */
#pragma once

#include "engine/arith/int-set.h"

G_BEGIN_DECLS

/* The values of `var` for which the comparison `condition` holds for all values of the variables in `relax`, which the bound
 * does not name; `hints` say where other variables lie.  Nothing: it cannot be said.  (transfer full) */
LsIntSet *ls_deduce_bound (LsVar          *var,
                           LsExpr         *condition,
                           const LsDomMap *hints,
                           const LsDomMap *relax);

G_END_DECLS
