/* What the writers of traces share: which call lies where in whole nanoseconds, and what is said of it. */
#pragma once

#include "engine/graph/timeline.h"

G_BEGIN_DECLS

/* One thing that is said of a call: a text, or with text NULL a number. */
typedef struct {
  const char *name, *text;
  double      number;
} LsTraceNote;

#define LS_TRACE_MOST_NOTES 10

/* trace.c */

/* When call `i` of a run begins and ends, in whole ns: both are rounded, so that calls that follow each other do so there, too.  Each has one, and
 * begins at the end of that before it at the earliest, which *end is to be (not of the first): viewers sort by times alone, and would show a call that took
 * none in the next one. */
void           ls_trace_span   (const LsGraphTimeline *self,
                                guint                  run,
                                guint                  i,
                                gint64                *start,
                                gint64                *end);
/* How many notes there are of a call; `node` made it, or NULL. */
guint          ls_trace_notes  (const LsGraphCallTime *call,
                                const LsGraphNode     *node,
                                LsTraceNote            notes[LS_TRACE_MOST_NOTES]);
/* Of each call the bytes of values while it runs, below 0: not known. (transfer full) */
double        *ls_trace_bytes  (const LsGraphTimeline *self,
                                LsGraph               *graph,
                                const gint            *nodes);
/* What its box says. */
const char    *ls_trace_title  (const LsGraphCallTime *call,
                                const LsGraphNode     *node);
/* "run 3". (transfer full) */
char          *ls_trace_run    (guint                  run);
#define LS_TRACE_MIDDLE "the run of middle length"
#define LS_TRACE_VALUES "bytes of values"

G_END_DECLS
