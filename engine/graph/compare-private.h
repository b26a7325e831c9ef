/* What the files of comparing share. */
#pragma once

#include "engine/graph/compare.h"

G_BEGIN_DECLS

typedef struct {
  LsGraph     *graph;
  LsGraphSide *inputs, *users;
  char       **ops;             /* of each node what it computes: "matmul", "fused_matmul_add", without numbers; NULL: no call */
  gint        *mate;            /* the node of the other side that gives the same value, -1: none */
  gboolean    *done;            /* is it in a match? */
} LsGraphCompareSide;

typedef struct {
  LsGraphCompareSide left, right;
  GPtrArray  *matches;
  GHashTable *known;            /* operators of the left side */
} LsGraphCompare;

/* ---- compare.c ---- */

/* Another match, of these two, which are done. Borrowed. */
LsGraphMatch *ls_graph_compare_put   (LsGraphCompare              *self,
                                      LsGraphMatchKind        kind,
                                      guint                   left,
                                      guint                   right);

/* ---- compare-known.c ---- */

/* Matches what `parts` noted, or what has one entity. */
void          ls_graph_compare_known (LsGraphCompare              *self,
                                      LsRelaxLineage *const  *parts,
                                      guint                   n);

G_END_DECLS
