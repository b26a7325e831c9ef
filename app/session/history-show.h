/* session/history-show: the tree of steps as the lists that the session shows. */
#pragma once

#include "app/session/document.h"
#include "app/session/measure.h"
#include "views/models/session.h"

G_BEGIN_DECLS

/* Brings the items of all nodes up to date and puts rows, path and branches into the session. */
void ls_history_show (LsSession   *session,
                      LsDocument  *document,
                      LsMeasuring *measuring);

G_END_DECLS
