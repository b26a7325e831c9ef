/* What the files of the graph's model share. */
#pragma once

#include "app/rpc/rpc.h"
#include "app/session/graph.h"
#include "engine/graph/timeline.h"
#include "engine/relax/lineage.h"

G_BEGIN_DECLS

struct _LsEngineGraph
{
  LsGraphModel     parent_instance;

  LsSession       *session;     /* not owned: it owns this; NULL: it is gone */
  LsDocument      *document;
  LsScheduleFunc   schedule;
  LsModule        *module;      /* as opened, or NULL */
  LsFxGraph       *fx;          /* or NULL */
  GPtrArray       *passes;      /* of char * */
  GPtrArray       *modules;     /* of LsModule: after each pass */
  GPtrArray       *lineages;    /* of LsRelaxLineage: of each pass */
  LsGraphKind      kind;
  GHashTable      *open;        /* keys of groups */
  gboolean         following;   /* the session's selection */
  gboolean         stale;       /* the series is to be built when somebody looks */
  guint            stale_state; /* at which state */
  GPtrArray       *timelines;   /* of LsGraphTimeline or NULL, by state */
  char            *conditions;

  LsWorker        *layouter;
  GCancellable    *laying_out;  /* or NULL */
  LsWorker        *measurer;
  GCancellable    *measuring;   /* or NULL */
};

/* ---- graph-build.c ---- */

/* Which kinds of graphs there are, one bit each. */
guint          ls_engine_graph_kinds     (LsEngineGraph   *self);
gboolean       ls_engine_graph_is_relax  (LsEngineGraph   *self);
/* Do the states come from passes, or from the steps of the schedule? */
gboolean       ls_engine_graph_by_passes (LsEngineGraph   *self);
gboolean       ls_engine_graph_by_steps  (LsEngineGraph   *self);
/* Where the states are steps: the history that they are of, with the node of this one; NULL where they come from passes. */
LsHistory     *ls_engine_graph_history   (LsEngineGraph   *self,
                                          guint            state,
                                          guint           *node);
/* The module of the shown state, or NULL. */
LsModule      *ls_engine_graph_module    (LsEngineGraph   *self,
                                          guint            state);
/* Builds the shown series anew, at this state; keeps the selection by key. */
void           ls_engine_graph_rebuild   (LsEngineGraph   *self,
                                          guint            state);

/* ---- graph-detail.c ---- */

/* NULL: the node has nothing to tell. (transfer full) */
LsGraphDetail *ls_engine_graph_detail    (LsEngineGraph   *self,
                                          gint             place);

/* ---- graph-measure.c ---- */

void           ls_engine_graph_measure   (LsEngineGraph   *self);

G_END_DECLS
