/* session/asked: what a call under way knows of the session that asked.
 *
 * A call to the worker, or a thread, does not hold the session: a window that closes takes its session with it, whatever is not through yet,
 * and the answer finds nobody.
 */
#pragma once

#include "views/models/session.h"

G_BEGIN_DECLS

typedef struct _LsAsked LsAsked;

/* `part` belongs to `session` and lives as long; neither is held. (transfer full) */
LsAsked  *ls_asked_new  (LsSession  *session,
                         gpointer    part);
/* The answer is there: returns `part` and puts a reference to its session into `session`; NULL for both when that has gone.  Frees `self`. */
gpointer  ls_asked_end  (LsAsked    *self,
                         LsSession **session);
/* Without an answer. */
void      ls_asked_free (LsAsked    *self);

G_END_DECLS
