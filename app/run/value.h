/* run/value: what stands at a place of the text of a run, and what it is worth there. */
#pragma once

#include "app/rpc/rpc.h"

G_BEGIN_DECLS

/* Asks the worker whose run stands still, by a call of `method` ("debug", "debug-pair") with these parameters (cleared), for the value of what stands at a
 * character of a line of its text.  `task` (taken) gets "i = 3", or the reason why there is no value, or an error: no expression stands there. */
void ls_run_value_ask (LsWorker     *worker,
                       const char   *method,
                       GVariantDict *params,
                       guint         line,
                       guint         column,
                       GTask        *task);
/* The same where nobody can be asked: the run goes on. */
void ls_run_value_busy (GTask       *task);

G_END_DECLS
