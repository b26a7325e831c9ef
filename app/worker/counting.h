/* counting: the processor's counters in the worker.  They are opened before the sandbox closes, which then denies the
 * system call: what runs here later can start and read these, and open no others. */
#pragma once

#include "engine/runtime/runtime.h"

G_BEGIN_DECLS

/* Once, before other threads start: theirs is counted too. */
void ls_counting_open (void);
/* Calls `func` in one more batch and puts what was counted, per call and in all threads: counters (NAME -> value, share
 * of the time that it was counted; or NAME -> error), counted-calls; or, where there are none, counters-error (errno) and
 * counters-text (a sentence).  A call that fails puts nothing. */
void ls_counting_put  (GVariantDict *dict,
                       LsTimedFunc   func,
                       void         *closure,
                       int           n_calls);

G_END_DECLS
