/* session-parts: what the test programs of the engine's session share: a program with two steps, ways to find rows and
 * moves, waiting for the worker. */
#pragma once

#include "app/session/engine.h"

/* mm_relu of 128 x 128, and a split with a reorder. */
extern const char session_source[];
extern const char session_steps[];

/* Before the tests are added. */
void                session_parts_init (int         *argc,
                                        char      ***argv);
/* A session with `text`; `schedule` may be NULL. (transfer full) */
LsSession          *open_text          (const char  *text,
                                        const char  *schedule);
/* The record of the first row with that name, which has to be there; the row's own. */
const LsLoopRecord *loop               (LsSession   *session,
                                        const char  *name);
/* The move that reads `call`, or NULL. */
LsMoveItem         *find_move          (LsSession   *session,
                                        const char  *call);
/* The record of step `i` of the path. */
const LsStepRecord *step               (LsSession   *session,
                                        guint        i);
/* Runs the main loop until nothing is measured. */
void                wait_until_idle    (LsSession   *session,
                                        guint        seconds);
