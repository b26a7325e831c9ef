/* What views know of a workbench. */
#pragma once

#include <loopscope/loopscope.h>

#include "views/models/session.h"

G_BEGIN_DECLS

/* Its session. Borrowed. */
LsSession *ls_library_peek_session (LoopscopeWorkbench *self);

G_END_DECLS
