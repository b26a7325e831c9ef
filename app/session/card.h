/* session/card: what the card at a row of the loop nest says: what one run touches of each buffer, with which stride, and
 * which blocks depend on it. */
#pragma once

#include "app/session/history.h"

G_BEGIN_DECLS

/* For the row of the program after node `id`; NULL when there is nothing to say. (transfer full) */
char *ls_session_card (LsHistory *history,
                       guint      id,
                       guint64    row);

G_END_DECLS
