/* list: a trace step by step, for those who make or change one.
 */
#pragma once

#include "engine/schedule/trace/trace.h"

G_BEGIN_DECLS

/* Applies one step of a trace; `map` (Var -> Var, borrowed) says what its outputs are in the schedule. */
gboolean   ls_trace_apply_step  (LsSchedule          *schedule,
                                 const LsTraceStep   *step,
                                 guint                number,
                                 GHashTable          *map,
                                 gboolean             decisions,
                                 LsDiagnostics       *diagnostics);
/* A trace of steps that are added one by one (nothing is changed once others have it). (transfer full) */
LsTrace   *ls_trace_new         (void);
/* Takes references of its own. */
void       ls_trace_add         (LsTrace             *self,
                                 const LsInstruction *instruction,
                                 LsArray             *args,
                                 LsArray             *outputs,
                                 LsNode              *decision);
/* A value of an argument with other nodes (Var -> Expr, borrowed) in place of variables. (transfer full) */
LsNode    *ls_trace_translate   (LsNode              *value,
                                 GHashTable          *map);

G_END_DECLS
