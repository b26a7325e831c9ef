/* mutate: other decisions in a trace, as TVM's meta_schedule mutators draw them.
 */
#pragma once

#include "engine/schedule/trace/trace.h"

G_BEGIN_DECLS

/* A whole number below n. */
gint64        ls_random_below          (guint64       *random_state,
                                        gint           n);
/* Each gives a trace in which one decision is another one, or NULL when there is nothing to change; as TVM's
 * meta_schedule mutators do it.  `module`: the program that the trace is for. (transfer full) */
LsTrace      *ls_trace_mutate_tile     (LsTrace       *self,
                                        guint64       *random_state);
LsTrace      *ls_trace_mutate_unroll   (LsTrace       *self,
                                        guint64       *random_state);
LsTrace      *ls_trace_mutate_compute_location (LsTrace *self,
                                        LsModule      *module,
                                        guint64       *random_state);
LsTrace      *ls_trace_mutate_parallel (LsTrace       *self,
                                        LsModule      *module,
                                        gint64         max_jobs,
                                        guint64       *random_state);
/* One of the four at random, as likely as meta_schedule makes them for a CPU. (transfer full) */
LsTrace      *ls_trace_mutate          (LsTrace       *self,
                                        LsModule      *module,
                                        gint64         max_jobs,
                                        guint64       *random_state);

G_END_DECLS
