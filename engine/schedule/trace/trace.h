/* trace: steps without a program: read, printed, changed, applied to any schedule.
 *
 *   list          a trace; applying it, changing it
 *   anchor        applying it to a program that has only its heavy block in common with its own
 *   print         the Python text that TVM prints
 *   json          the JSON that TVM keeps;  index-map: the index maps in it
 */
#pragma once

#include "engine/schedule/step/step.h"

G_BEGIN_DECLS

/* ---- list.c ------------------------------------------------------------------ */

/* Steps without a program: what a trace of TVM is.  Immutable, reference counted. */
typedef struct _LsTrace LsTrace;
typedef struct {
  const LsInstruction *instruction;
  LsArray *args;                /* one for each parameter; handles are outputs of earlier steps of the trace */
  LsArray *outputs;             /* of Var */
  LsNode  *decision;            /* of a sampling step, or NULL */
} LsTraceStep;

/* The steps of a schedule. (transfer full) */
LsTrace      *ls_trace_of              (LsSchedule    *schedule);
LsTrace      *ls_trace_ref             (LsTrace       *self);
void          ls_trace_unref           (LsTrace       *self);
guint         ls_trace_get_n           (LsTrace       *self);
const LsTraceStep *ls_trace_get        (LsTrace       *self,
                                        guint          i);
/* Applies the steps to a schedule of any program.  Without `decisions` sampling steps draw anew.  With `remove_postproc`
 * it ends before enter_postproc.  Returns how many steps were applied: fewer than there are when one is refused or gives
 * another number of results than in the trace; then the schedule stands behind the last good one. */
guint         ls_trace_apply           (LsTrace       *self,
                                        LsSchedule    *schedule,
                                        gboolean       decisions,
                                        gboolean       remove_postproc,
                                        LsDiagnostics *diagnostics);
/* The same trace with another decision of step i. Borrows `decision`. (transfer full) */
LsTrace      *ls_trace_with_decision   (LsTrace       *self,
                                        guint          i,
                                        LsNode        *decision);
/* The same trace with another value of one argument of step i. (transfer full) */
LsTrace      *ls_trace_with_argument   (LsTrace       *self,
                                        guint          i,
                                        guint          param,
                                        LsNode        *value);
/* Without the steps that only look or draw and whose results nobody uses. (transfer full) */
LsTrace      *ls_trace_simplified      (LsTrace       *self,
                                        gboolean       remove_postproc);

/* ---- anchor.c ---------------------------------------------------------------- */

/* Applies the steps to a schedule of a program that has the heavy block in common with the trace's own: steps that need
 * a block that is not there are left out, the two ways of inlining stand in for each other.  FALSE with findings when a
 * step is refused; the schedule then stands behind the last good one. */
gboolean      ls_trace_apply_anchored  (LsTrace       *self,
                                        LsSchedule    *schedule,
                                        LsDiagnostics *diagnostics);

/* ---- json.c ------------------------------------------------------------------ */

/* As Python's json.dumps (trace.as_json ()) of TVM: [[[kind, inputs, attrs, outputs], ..], [[index, decision], ..]]. (transfer full) */
char         *ls_trace_to_json         (LsTrace       *self,
                                        gboolean       remove_postproc);
/* NULL with findings when the text is no such JSON, names an unknown instruction or a result that no step gives. (transfer full) */
LsTrace      *ls_trace_from_json       (const char    *text,
                                        LsDiagnostics *diagnostics);
/* "GetBlock": the instruction's name in JSON. (transfer full) */
char         *ls_instruction_kind      (const LsInstruction *instruction);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsTrace, ls_trace_unref)

/* ---- print.c ----------------------------------------------------------------- */

/* A trace as TVM prints it. (transfer full) */
char         *ls_trace_print           (LsTrace       *self);
/* The steps of a schedule as TVM prints a trace: "# from tvm import tir\ndef apply_trace(sch: tir.Schedule) -> None:\n  b0 = ...". (transfer full) */
char         *ls_schedule_print_trace  (LsSchedule    *self);
/* One step as its line of that text, numbered as in the whole trace. (transfer full) */
char         *ls_schedule_print_step   (LsSchedule    *self,
                                        guint          i);
/* That one and all later ones, in one go. (transfer full) of char */
GPtrArray    *ls_schedule_print_steps  (LsSchedule    *self,
                                        guint          first);
/* One step in the program's names: "split(j, [None, 4])", "reverse_compute_at(C, j_0)".  (transfer full) */
char         *ls_schedule_describe_step (LsSchedule   *self,
                                        guint          i);

G_END_DECLS
