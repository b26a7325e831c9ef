/* session-measure: times of steps, through the worker. */
#include "app/engine-session-private.h"

#include <glib/gi18n.h>

void
ls_engine_session_measure (LsSession *session,
                           gboolean   all)
{
}

void
ls_engine_session_measure_move (LsSession  *session,
                                LsMoveItem *move)
{
}

void
ls_engine_session_cancel (LsSession *session)
{
}
