/* check-extents: extents of operands that have to be equal are looked at when the program runs. See check-extents.c. */
#pragma once

#include "engine/relax/mutator.h"

G_BEGIN_DECLS

/* The call with what it asks of its operands claimed before it; the same node where that is certain, or not known. (transfer full) */
LsNode *ls_relax_claim_extents (LsRelaxMutator *mutator,
                                LsRelaxCall    *call);

G_END_DECLS
