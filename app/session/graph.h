/* LsEngineGraph: the graph page's model over the engine: builds graphs of the opened program, runs passes, asks the worker
 * for layouts and times.
 *
 *   graph          what is wished of it: kinds, passes, states, folding, layout
 *   graph-build    the graphs of the states
 *   graph-detail   what stands beside the graph about the selected node
 *   graph-measure  times of the calls, by the virtual machine in the worker; graph-times puts them into a graph
 */
#pragma once

#include "app/session/document.h"
#include "engine/frontend/fx/fx.h"
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
/* Another document; `fx` (taken) and `module` may be NULL. */
void           ls_engine_graph_open      (LsEngineGraph   *self,
                                          LsModule        *module,
                                          LsFxGraph       *fx);
/* Nothing is opened. */
void           ls_engine_graph_clear     (LsEngineGraph   *self);
/* The session went to another step or has more of them. */
void           ls_engine_graph_follow    (LsEngineGraph   *self);

/* Ends what is under way. */
void           ls_engine_graph_cancel_all (LsEngineGraph  *self);

G_END_DECLS
