/* session/dependence: what has to come after what, for a row of the loop nest. */
#pragma once

#include "app/session/history.h"
#include "views/models/dependence.h"

G_BEGIN_DECLS

/* NULL when the row is no loop or block. (transfer full) */
LsDependences *ls_session_dependences (LsHistory *history,
                                       guint      id,
                                       guint64    row);

G_END_DECLS
