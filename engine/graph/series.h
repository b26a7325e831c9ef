/* series: one program in several states (after each pass, after each step of a schedule) as graphs that share places.
 *
 * A node of one state and a node of the next are the same place when they have the same key; when only one has it, when what
 * uses them is the same (the call that a pass put in the place of others).  A node with the attribute "version" has another
 * one when it is another; its title is then no more than what it is called.  All places together are one graph, `whole`: laid
 * out once, every node stays where it is from state to state.
 */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

typedef enum {
  LS_GRAPH_SAME,
  LS_GRAPH_ADDED,               /* not in the state before */
  LS_GRAPH_CHANGED,             /* another call, shape or operand than there */
  LS_GRAPH_REMOVED,             /* only in the state before */
  LS_GRAPH_ABSENT               /* in neither */
} LsGraphMark;

typedef struct {
  char    *label;               /* "LegalizeOps()" */
  LsGraph *graph;
  guint   *places;              /* of each node of `graph`: its number in the whole */
  gint    *nodes;               /* of each place: its number in `graph`, -1: not there */
  gint    *edges;               /* of each edge of the whole: its number in `graph`, -1: not there */
  guint8  *marks;               /* LsGraphMark of each place, against the state before; all SAME in the first */
  guint    n_added, n_changed, n_removed;
  guint   *starts[2];           /* where the edges into (0) and out of (1) each node of the graph begin in `ends`; one more than there are nodes */
  guint   *ends[2];             /* edges of the graph, in order */
} LsGraphState;

typedef struct {
  gatomicrefcount refs;
  GPtrArray      *states;       /* of LsGraphState */
  LsGraph        *whole;        /* nodes are the places: what the last state that has it says */
  gboolean        is_pair;      /* made by ls_graph_series_pair() */
} LsGraphSeries;

/* `graphs` (of LsGraph) and `labels` (of const char *) in order, both borrowed. */
LsGraphSeries *ls_graph_series_new   (GPtrArray     *graphs,
                                      GPtrArray     *labels);
/* Two programs that were compared, the right one aligned (compare.h): what has no counterpart there has none here either, whatever its users. */
LsGraphSeries *ls_graph_series_pair  (LsGraph       *left,
                                      LsGraph       *right,
                                      const char    *left_label,
                                      const char    *right_label);
/* A series of one state. */
LsGraphSeries *ls_graph_series_one   (LsGraph       *graph,
                                      const char    *label);
LsGraphSeries *ls_graph_series_ref   (LsGraphSeries *self);
void           ls_graph_series_unref (LsGraphSeries *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGraphSeries, ls_graph_series_unref)

#define ls_graph_series_state(self, i) ((LsGraphState *) (self)->states->pdata[i])

/* The module after a pass, written as `FuseOps(fuse_opt_level=1)`, or an edit (edit.h). (transfer full) */
LsModule      *ls_graph_run_pass     (LsModule      *module,
                                      const char    *text,
                                      GError       **error);
/* "LegalizeOps(): 3 changed, 2 added", "nothing changed". (transfer full) */
char          *ls_graph_state_words  (LsGraphState  *state);
/* "+", "~", "-", "". */
const char    *ls_graph_mark_sign    (LsGraphMark    mark);

G_END_DECLS
