/* What the files of the graph's model share. */
#pragma once

#include "app/rpc/rpc.h"
#include "app/session/graph.h"
#include "engine/graph/timeline.h"
#include "engine/relax/lineage.h"
#include "engine/script/script.h"

G_BEGIN_DECLS

typedef struct _LsGraphJob LsGraphJob;

struct _LsEngineGraph
{
  LsGraphModel     parent_instance;

  LsSession       *session;     /* not owned: it owns this; NULL: it is gone */
  LsDocument      *document;
  LsScheduleFunc   schedule;
  LsModule        *module;      /* as opened, or NULL */
  LsFxGraph       *fx;          /* or NULL */
  GHashTable      *weights;     /* name of a parameter -> GBytes, or NULL */
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

  LsGraphJob      *job;         /* under way, not owned: its task owns it; or NULL */
  GPtrArray       *waiting;     /* of char *: passes to run after it */
  gboolean         again;       /* the series is to be built after it */
  guint            again_state; /* at which state */

  struct {                      /* the text of a function that was printed last, so that the next node in it costs nothing */
    LsModule      *module;      /* or NULL */
    char          *function;
    LsScriptText  *text;
    LsSourceMap   *map;
  } printed;

  LsWorker        *layouter;
  LsGraphLayout   *laid;        /* the last one that was taken, and what it is of; or NULL */
  LsGraphSeries   *laid_series;
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

/* What a series is made of, with references of its own: a thread may build it. */
typedef struct {
  LsGraphKind  kind;
  gboolean     fold_constants, all;
  GHashTable  *open;            /* keys of groups */
  LsModule    *module;          /* or NULL */
  LsFxGraph   *fx;              /* or NULL */
  GPtrArray   *passes, *modules, *lineages, *timelines; /* as in LsEngineGraph */
  LsHistory   *history;         /* an excerpt, where the states are steps; or NULL */
  guint        current;         /* the last node of the path */
  GPtrArray   *runs;            /* of LsGraphRun or NULL, by state: what was built */
} LsGraphMaking;

/* As it is now. (transfer full) */
LsGraphMaking *ls_graph_making_new       (LsEngineGraph   *self);
void           ls_graph_making_free      (LsGraphMaking   *self);
/* Bindings, nodes or loops of all states together, about: whether it is worth a thread. */
guint          ls_graph_making_size      (LsGraphMaking   *self);
/* The same of a module. */
guint          ls_graph_module_size      (LsModule        *module);
/* (transfer full) */
LsGraphSeries *ls_graph_making_build     (LsGraphMaking   *self);

/* ---- graph-job.c ---- */

/* Builds the shown series anew, at this state; keeps the selection by key.  What is large is built by a thread, and the series before stays until then. */
void           ls_engine_graph_rebuild   (LsEngineGraph   *self,
                                          guint            state);
/* Runs a pass behind a state and shows what came of it, or says why it could not be run; what is large, in a thread.  While something is under way the
 * pass waits, and is then run behind the last one. */
void           ls_engine_graph_run       (LsEngineGraph   *self,
                                          const char      *text,
                                          guint            behind);
/* Those of a saved session, up to the first that cannot be run. */
void           ls_engine_graph_run_saved (LsEngineGraph   *self,
                                          const char *const *passes);
/* Gives up what is under way: another program. */
void           ls_engine_graph_forget_job (LsEngineGraph  *self);
/* The passes that run or wait, which are as if they had not been wished. FALSE: there are none. */
gboolean       ls_engine_graph_cancel_passes (LsEngineGraph *self);
/* Another state is to be shown when what is being built is there. */
void           ls_engine_graph_job_state (LsEngineGraph   *self,
                                          guint            state);
/* Tells the document which passes there are. */
void           ls_engine_graph_note_passes (LsEngineGraph *self);

/* ---- graph-layout.c ---- */

/* Places for the series as it is now, sizes of its nodes in the request; the model takes them when they are there.  One at a time: another call ends the one before.
 * A series that has places already gets others: its sizes are. */
void           ls_engine_graph_lay_out   (LsEngineGraph   *self,
                                          GVariant        *request);
/* The next one keeps nothing in its place. */
void           ls_engine_graph_forget_layout (LsEngineGraph *self);

/* ---- graph-detail.c ---- */

/* NULL: the node has nothing to tell. (transfer full) */
LsGraphDetail *ls_engine_graph_detail    (LsEngineGraph   *self,
                                          gint             place);
/* What was printed for it is kept no longer. */
void           ls_engine_graph_forget_printed (LsEngineGraph *self);

/* ---- graph-measure.c ---- */

void           ls_engine_graph_measure   (LsEngineGraph   *self);

G_END_DECLS
