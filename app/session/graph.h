/* LsEngineGraph: the graph page's model over the engine: builds graphs of the opened program, runs passes, asks the worker
 * for layouts and times.
 *
 *   graph          what is wished of it: kinds, passes, states, folding, layout
 *   graph-build    what there is to show, and the graphs of the states
 *   graph-job      passes and building, in a thread where they are large
 *   graph-detail   what stands beside the graph about the selected node
 *   graph-measure  times of the calls, by the virtual machine in the worker
 *   graph-states   the states one by one, for who compares two of them
 */
#pragma once

#include "app/session/document.h"
#include "engine/frontend/fx/fx.h"
#include "engine/graph/timeline.h"
#include "views/models/graph-model.h"
#include "views/models/session.h"

G_BEGIN_DECLS

#define LS_TYPE_ENGINE_GRAPH (ls_engine_graph_get_type ())
G_DECLARE_FINAL_TYPE (LsEngineGraph, ls_engine_graph, LS, ENGINE_GRAPH, LsGraphModel)

/* Makes the module, a version of the opened one after `pass` (or NULL), what is scheduled; FALSE: there are steps that would be lost. */
typedef gboolean (*LsScheduleFunc) (LsSession  *session,
                                    LsModule   *module,
                                    const char *pass);

/* `session` owns it; the document is held. (transfer full) */
LsGraphModel  *ls_engine_graph_new       (LsSession       *session,
                                          LsDocument      *document,
                                          LsScheduleFunc   schedule);
/* The same document after an edit; the page that is shown stays. */
void           ls_engine_graph_replace   (LsEngineGraph   *self,
                                          LsModule        *module);
/* The passes of a saved session on the document that was opened, one after the other; where one cannot be run, it is said and the rest is left out. */
void           ls_engine_graph_replay    (LsEngineGraph   *self,
                                          const char *const *passes);
/* Another document; `fx` (taken) and `module` may be NULL. */
void           ls_engine_graph_open      (LsEngineGraph   *self,
                                          LsModule        *module,
                                          LsFxGraph       *fx);
/* What parameters of the opened document are in its file: name -> GBytes, or NULL; until another program takes its place.  Kept. */
void           ls_engine_graph_set_weights (LsEngineGraph *self,
                                            GHashTable    *weights);
/* (transfer full), or NULL */
GHashTable    *ls_engine_graph_get_weights (LsEngineGraph *self);
/* Nothing is opened. */
void           ls_engine_graph_clear     (LsEngineGraph   *self);
/* The session went to another step or has more of them. */
void           ls_engine_graph_follow    (LsEngineGraph   *self);

/* ---- graph-states.c: the states as they are in the program, whatever is folded on the page ---- */

/* "as opened", then each pass or step. (transfer full) */
char         **ls_engine_graph_labels    (LsEngineGraph   *self);
/* Borrowed; NULL: there is no such state. */
LsModule      *ls_engine_graph_state_module (LsEngineGraph *self,
                                          guint            state);
/* The graph of a module, of Relax the function main alone where there is one, with the times that were measured, if any; by any thread, for it may
 * take long. (transfer full) */
LsGraph       *ls_graph_of_module        (LsModule              *module,
                                          const LsGraphTimeline *timeline);
/* Where the states are steps of a schedule the graph of one, of its blocks, and NULL where they are not. (transfer full) */
LsGraph       *ls_engine_graph_step_graph (LsEngineGraph *self,
                                          guint            state);
/* What the passes from the state `left` to the later one `right` noted. (transfer container) of LsRelaxLineage, borrowed */
GPtrArray     *ls_engine_graph_state_lineages (LsEngineGraph *self,
                                          guint            left,
                                          guint            right);
/* The measured times of a state, or NULL. Borrowed. */
const LsGraphTimeline *ls_engine_graph_state_timeline (LsEngineGraph *self,
                                          guint            state);

/* ---- graph-measure.c ---- */

/* What the worker's time-graph is asked about a module. Floating. */
GVariant      *ls_engine_graph_time_params (LsModule      *module);
/* Why the calls of a module cannot be timed; NULL: they can. (transfer full) */
char          *ls_engine_graph_untimed   (LsModule        *module);

/* Ends what is under way. */
void           ls_engine_graph_cancel_all (LsEngineGraph  *self);

G_END_DECLS
