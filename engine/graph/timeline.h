/* timeline: every call of measured runs of a function of Relax: when it began, how long it took, how much that varies; and which node made it.
 *
 * What is measured are the calls of the virtual machine, which legalises first: an operator that is not legalised gets the calls that LegalizeOps
 * makes of it, found by the binding; a call of another function of Relax what the calls in it took together. */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

/* One call of the run, over all runs. */
typedef struct {
  char  *name;                  /* the function that is called */
  double start_ns;              /* since the run began: in the run of middle length */
  double ns;                    /* the median */
  double spread_ns;             /* half the quartile distance */
  double flop, bytes;           /* below 0: not known */
} LsGraphCallTime;

typedef struct {
  gatomicrefcount refs;
  char    *function;
  GArray  *calls;               /* of LsGraphCallTime, in the order of a run */
  GArray  *runs;                /* of double: ns of each run */
  double  *starts, *lengths;    /* of all calls of the first run, then of the second, ... */
  double   ns, spread_ns;       /* of a whole run: median and half the quartile distance */
  guint    middle;              /* the run of middle length */
  guint    n_left_out;          /* runs that made other calls */
} LsGraphTimeline;

/* Of what the worker's time-graph answers.  NULL with an error: it is no such answer. (transfer full) */
LsGraphTimeline *ls_graph_timeline_read  (GVariant              *answer,
                                          GError               **error);
LsGraphTimeline *ls_graph_timeline_ref   (LsGraphTimeline       *self);
/* Gives a reference up. */
void             ls_graph_timeline_free  (LsGraphTimeline       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGraphTimeline, ls_graph_timeline_free)
/* Puts times, operations and bytes at the nodes of a graph of `module` that nothing is folded in.  Of each call the node that made it, -1: none
 * did.  (transfer full) */
gint            *ls_graph_timeline_put   (const LsGraphTimeline *self,
                                          LsModule              *module,
                                          LsGraph               *graph);
/* ls_graph_set_roofs() by the peaks that are kept of this machine. FALSE: none are. */
gboolean         ls_graph_put_roofs      (LsGraph               *graph);
/* Puts the numbers of a graph that nothing is folded in at one that was folded out of it, whatever its keys are: groups get the sums of their members. */
void             ls_graph_show_numbers   (LsGraph               *whole,
                                          LsGraph               *folded);
/* The runs as JSON in the format of Chrome's trace events, which Perfetto opens: a track for the run of middle length, with what each call is,
 * and how many bytes of values are there; then one for each run.  `nodes`: of ls_graph_timeline_put(). (transfer full) */
char            *ls_graph_timeline_trace (const LsGraphTimeline *self,
                                          LsGraph               *graph,
                                          const gint            *nodes,
                                          const char            *title);
/* The same in Perfetto's own format, as a file whose name ends in .pftrace holds it. (transfer full) */
GBytes          *ls_graph_timeline_perfetto (const LsGraphTimeline *self,
                                             LsGraph               *graph,
                                             const gint            *nodes,
                                             const char            *title);
/* Calls with a time, in program order, as comma-separated values with a head. (transfer full) */
char            *ls_graph_times_csv      (LsGraph               *graph);

/* A measured run as a file. */
typedef enum {
  LS_GRAPH_TIMES_PERFETTO,      /* .pftrace, .perfetto-trace */
  LS_GRAPH_TIMES_JSON,          /* .json */
  LS_GRAPH_TIMES_TABLE,         /* .csv */
} LsGraphTimesFormat;

/* FALSE: a name with another ending. */
gboolean         ls_graph_timeline_format (const char          *path,
                                           LsGraphTimesFormat  *format);
/* (transfer full) */
GBytes          *ls_graph_timeline_write (const LsGraphTimeline *self,
                                          LsGraph               *graph,
                                          const gint            *nodes,
                                          const char            *title,
                                          LsGraphTimesFormat     format);

G_END_DECLS
