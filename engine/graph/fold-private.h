/* fold-private: groups while they are chosen (fold.c, fold-like.c) and made nodes of (fold-build.c). */
#pragma once

#include "engine/graph/graph-private.h"

G_BEGIN_DECLS

/* Of parts that repeat, which this is. */
typedef struct {
  guint first, n;               /* from 1; of how many it is made; 0: it is of no such parts */
  guint repeats;                /* how many there are in all */
  guint set;                    /* the same for all groups of these parts, else another */
} LsGraphFoldPart;

typedef struct {
  char  *key;
  char  *name;                  /* what it is, without how often */
  char  *title;
  char  *detail;                /* or NULL: how many nodes */
  gint   parent;                /* the open group around it, -1: none */
  gint   cluster;               /* of its first member */
  guint  n;
  guint  first;                 /* its first member */
  gboolean is_open;
  gboolean of_values;           /* it holds parameters and no call */
  LsGraphFoldPart part;
  guint  made;                  /* its node or cluster in the result */
} LsGraphFoldGroup;

typedef struct {
  LsGraph    *self;
  GHashTable *open;             /* or NULL */
  guint       limit;
  GPtrArray  *groups;           /* of LsGraphFoldGroup */
  gint       *group;            /* node -> number of its group, -1: none */
  gint       *cluster;          /* node -> number of the open group around it, -1: none */
  guint32    *label;            /* node -> hash of what it is */
  LsGraphSide *inputs;
  gboolean   *in_user;          /* it is an attribute of the one call that uses it */
} LsGraphFold;

/* ---- fold.c ---- */

/* With nothing in a group yet; borrows what it is given. (transfer full) */
LsGraphFold      *ls_graph_fold_new         (LsGraph           *self,
                                             guint              limit,
                                             GHashTable        *open);
void              ls_graph_fold_free        (LsGraphFold       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGraphFold, ls_graph_fold_free)
/* A group of no member, of which nothing is said; the fold's. */
LsGraphFoldGroup *ls_graph_fold_add_group   (LsGraphFold       *self,
                                             const char        *key);
/* The outermost cluster around a node, -1: none. */
gint              ls_graph_fold_function_of (LsGraph           *self,
                                             guint              at);
/* Chooses groups for the calls of one function (-1: those in none), its share of what is shown. */
void              ls_graph_fold_function    (LsGraphFold       *self,
                                             gint               function);
/* Are the parts, of `period` nodes each, the same: operators, types, and where each takes its values from, counted from the beginning of the part? */
gboolean          ls_graph_fold_alike       (LsGraphFold       *self,
                                             const guint       *order,
                                             guint              parts,
                                             guint              period);
/* "× 24 alike · parts 1 to 3 · 36 nodes". (transfer full) */
char             *ls_graph_fold_words       (const LsGraphFoldPart *part,
                                             gboolean           alike,
                                             gboolean           open,   /* it shows what all are */
                                             guint              n_nodes);
/* Values go into the groups that use them, and the graph is made. (transfer full) */
LsGraph          *ls_graph_fold_finish      (LsGraphFold       *self);

/* ---- fold-runs.c ---- */

typedef struct { guint from, n; } LsGraphFoldRun;       /* of an order */

/* The blocks that the names of weights say, in their order; what is between them is of none.  NULL: they say nothing, or more blocks than `budget`.
 * (transfer full) */
GArray           *ls_graph_fold_runs        (LsGraphFold       *self,
                                             const guint       *order,
                                             guint              n,
                                             guint              budget);

/* ---- fold-build.c ---- */

/* The graph with groups as nodes, and open ones as clusters; it keeps the groups. (transfer full) */
LsGraph          *ls_graph_fold_build       (LsGraphFold       *self);

G_END_DECLS
