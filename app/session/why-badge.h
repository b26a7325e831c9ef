/* session/why-badge: what the machine code of the innermost loop is, in the row of the loop that it comes from. */
#pragma once

#include "app/mca/mca.h"
#include "views/models/session.h"

G_BEGIN_DECLS

/* `loop` NULL: no row has a badge; `mca` NULL: its cycles are not known; `share` of the roof below 0: not known. */
void ls_why_badge_show (LsSession         *session,
                        const LsInnerLoop *loop,
                        const LsMca       *mca,
                        double             share);

G_END_DECLS
