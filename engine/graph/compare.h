/* compare: which nodes of two graphs are the same: two versions of a model, before and after passes, an imported one beside a hand-written one.
 *
 * Values by their names, then calls from the inputs on: the same operator on the same values.  Where that ends, from the results back,
 * and then by what of the neighbours is matched; a call of a function that fuses several operators is matched with all of them.  Where one
 * program was made of the other, what became what is known and comes first. */
#pragma once

#include "engine/graph/graph.h"
#include "engine/relax/lineage.h"

G_BEGIN_DECLS

typedef enum {
  LS_GRAPH_MATCH_SAME,          /* the same operator, type and operands */
  LS_GRAPH_MATCH_CHANGED,       /* the same operator, with something else: type, attributes, operands */
  LS_GRAPH_MATCH_FUSED          /* several nodes of one side are one of the other, or several */
} LsGraphMatchKind;

typedef struct {
  LsGraphMatchKind kind;
  double           score;       /* 1: nothing speaks against it; else the share of its neighbours that are matched as well, halved by another type */
  GArray          *left;        /* of guint: nodes of the left graph, in program order */
  GArray          *right;
  char            *words;       /* what is different: "(1, 8) float32 / (1, 8) float16"; or NULL */
  gboolean         is_known;    /* by lineage: it is known that one was made of the other */
} LsGraphMatch;

typedef struct {
  GPtrArray *matches;           /* of LsGraphMatch, by the first node of the left side */
  GArray    *only_left;         /* of guint: calls that have none */
  GArray    *only_right;
  guint      n_left, n_right;   /* calls of each side */
  guint      n_known;           /* matches by lineage */
  gint      *right_values;      /* of each node of the right side the one of the left that gives the same value, -1: none */
  double     score;             /* 0 to 1: the share of all calls that are matched, each as good as its match */
} LsGraphComparison;

/* Matches of nodes of two graphs that nothing is folded in. (transfer full) */
LsGraphComparison *ls_graph_compare          (LsGraph                 *left,
                                              LsGraph                 *right);
/* The same where the right program was made of the left one by passes, one after the other, which `parts` (n of them) noted; or by steps of one
 * schedule, where blocks are known by their entity (n is 0).  What is not known by these is matched as above. (transfer full) */
LsGraphComparison *ls_graph_compare_made     (LsGraph                 *left,
                                              LsGraph                 *right,
                                              LsRelaxLineage *const   *parts,
                                              guint                    n);
void               ls_graph_comparison_free  (LsGraphComparison       *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsGraphComparison, ls_graph_comparison_free)
/* The right graph with the keys of the left one where a node is matched with one (of several: the last), so that both are states of one
 * series and keep their places. (transfer full) */
LsGraph           *ls_graph_comparison_align (const LsGraphComparison *self,
                                              LsGraph                 *left,
                                              LsGraph                 *right);
/* A score as it is told, with two digits: what is not all never rounds up to all of it. */
double             ls_graph_score_told       (double                   score);
/* "same", "changed", "fused". */
const char        *ls_graph_match_kind_name  (LsGraphMatchKind         kind);

G_END_DECLS
