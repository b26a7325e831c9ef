/* call: calls written as Python text, bound to rows of the table and applied.
 */
#pragma once

#include "engine/schedule/step/step.h"
#include "engine/script/calls.h"

G_BEGIN_DECLS

/* Binds the arguments of a call to the row of the table and applies it.  Names in the call are those that earlier
 * calls gave to their results.  FALSE with findings: unknown method or name, argument missing, of the wrong type,
 * or a condition that does not hold; then nothing has changed. */
gboolean      ls_schedule_apply_call   (LsSchedule       *self,
                                        LsCallList       *list,
                                        const LsCallStep *call,
                                        LsDiagnostics    *diagnostics);
/* The same without changing anything. */
gboolean      ls_schedule_check_call   (LsSchedule       *self,
                                        LsCallList       *list,
                                        const LsCallStep *call,
                                        LsDiagnostics    *diagnostics);
/* All calls of a text up to number `upto` (0: all).  Stops at the first that is refused; returns how many were done. */
guint         ls_schedule_apply_text   (LsSchedule       *self,
                                        LsSource         *source,
                                        guint             upto,
                                        LsDiagnostics    *diagnostics);

/* ---- replay.c ---------------------------------------------------------------- */

/* A new schedule of the schedule's first program in which the lines of `text` (in the names of the printed trace) stand
 * for step i and the later steps are replayed.  A single call without results to the left takes over those of step i.
 * *n_kept (may be NULL) is how many of the old steps are in it: all but i, unless one is refused, with findings.
 * (transfer full) */
LsSchedule   *ls_schedule_replay_with  (LsSchedule    *self,
                                        guint          i,
                                        const char    *text,
                                        guint         *n_kept,
                                        LsDiagnostics *diagnostics);

G_END_DECLS
