/* graph-times: what `graph --times` and `graph --trace` say: every call of a measured run at its node. */
#pragma once

#include "engine/graph/beside.h"
#include "engine/graph/timeline.h"

G_BEGIN_DECLS

/* Runs `func` (NULL: main, else the first one) of the module so often in the worker and puts times, and shares of the roof where the machine's peaks
 * are kept, at the nodes of a graph of it that nothing is folded in.  *nodes (or NULL) gets what ls_graph_timeline_put() gives.  NULL: said.
 * (transfer full) */
LsGraphTimeline *ls_cli_graph_measure    (const char            *command,
                                          LsModule              *module,
                                          const char            *func,
                                          gint64                 repeat,
                                          gint64                 timeout,
                                          LsGraph               *graph,
                                          gint                 **nodes);
/* A line for each call, longest first; what a whole run takes. */
void             ls_cli_graph_times_text (const LsGraphTimeline *timeline,
                                          LsGraph               *graph);
/* The same as JSON: run_ns, spread_ns, runs, left_out, calls [{name, title, type, ns, spread_ns, flop, bytes, roof}] in program order. */
void             ls_cli_graph_times_json (const LsGraphTimeline *timeline,
                                          LsGraph               *graph);

/* Puts how far the values of both modules are apart at the rows. FALSE: said. */
gboolean         ls_cli_graph_values     (const char               *command,
                                          LsModule                 *left_module,
                                          LsModule                 *right_module,
                                          const char               *func,
                                          gint64                    timeout,
                                          const LsGraphComparison  *comparison,
                                          LsGraph                  *left,
                                          LsGraph                  *right,
                                          GArray                   *rows);

G_END_DECLS
