/* worker/graph-turns: a graph under the debugger that runs beside the worker's calls and stands still between them, so that it can be paused, looked at,
 * gone on with, and ended with what it has made so far. */
#pragma once

#include "engine/debug/debug.h"

G_BEGIN_DECLS

typedef struct _LsGraphTurns LsGraphTurns;

/* Runs them one after the other; they live longer. `second` may be NULL. Waits for a turn: then it is through, or stands still. (transfer full) */
LsGraphTurns *ls_graph_turns_new  (LsDebugGraph *first,
                                   LsDebugGraph *second);
/* Another turn. TRUE: it is through. */
gboolean      ls_graph_turns_more (LsGraphTurns *self);
gboolean      ls_graph_turns_done (LsGraphTurns *self);
/* Nothing more is made. */
void          ls_graph_turns_end  (LsGraphTurns *self);
/* Ends it first. */
void          ls_graph_turns_free (LsGraphTurns *self);

G_END_DECLS
