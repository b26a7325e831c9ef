/* LsEngineGraph: the graph page's model over the engine: builds graphs of the opened program, runs passes, asks the worker
 * for layouts and times.
 *
 *   session-graph          what is shown: kinds, passes, states, folding, layout
 *   session-graph-detail   what stands beside the graph about the selected node
 *   session-graph-measure  times of the calls, by the virtual machine in the worker
 */
#pragma once

#include "app/session/engine-private.h"
#include "engine/frontend/fx/fx.h"
#include "views/models/graph-model.h"

G_BEGIN_DECLS

#define LS_TYPE_ENGINE_GRAPH (ls_engine_graph_get_type ())
G_DECLARE_FINAL_TYPE (LsEngineGraph, ls_engine_graph, LS, ENGINE_GRAPH, LsGraphModel)

struct _LsEngineGraph
{
  LsGraphModel     parent_instance;

  LsEngineSession *session;     /* not owned: it owns this */
  LsModule        *module;      /* as opened, or NULL */
  LsFxGraph       *fx;          /* or NULL */
  GPtrArray       *passes;      /* of char * */
  GPtrArray       *modules;     /* of LsModule: after each pass */
  LsGraphKind      kind;
  GHashTable      *open;        /* keys of groups */
  gboolean         following;   /* the session's selection */
  gboolean         stale;       /* the series is to be built when somebody looks */
  guint            stale_state; /* at which state */
  GPtrArray       *profiles;    /* of GArray of LsGraphProfileRow or NULL, by state */
  char            *conditions;

  LsWorker        *layouter;
  GCancellable    *laying_out;  /* or NULL */
  LsWorker        *measurer;
  GCancellable    *measuring;   /* or NULL */
};

typedef struct {
  char  *name;
  gint64 calls;
  double ns, flop, bytes;       /* of one call of the program; below 0: unknown */
} LsGraphProfileRow;

LsGraphModel  *ls_engine_graph_new       (LsEngineSession *session);
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

/* ---- between the files ---- */

/* Ends what is under way. */
void           ls_engine_graph_cancel_all (LsEngineGraph  *self);
/* Of LsGraphProfileRow. (transfer full) */
GArray        *ls_engine_graph_new_profile (void);
/* Builds the shown series anew, at this state; keeps the selection by key. */
void           ls_engine_graph_rebuild   (LsEngineGraph   *self,
                                          guint            state);
/* The module of the shown state, or NULL. */
/* Where the states are steps: the history that they are of, with the node of this one; NULL where they come from passes. */
LsHistory     *ls_engine_graph_history   (LsEngineGraph   *self,
                                          guint            state,
                                          guint           *node);
LsModule      *ls_engine_graph_module    (LsEngineGraph   *self,
                                          guint            state);
/* NULL: the node has nothing to tell. (transfer full) */
LsGraphDetail *ls_engine_graph_detail    (LsEngineGraph   *self,
                                          gint             place);
void           ls_engine_graph_measure   (LsGraphModel    *model);
/* Puts what was measured of this state into its graph. */
void           ls_engine_graph_put_times (LsEngineGraph   *self,
                                          guint            state,
                                          LsGraph         *graph);

G_END_DECLS
