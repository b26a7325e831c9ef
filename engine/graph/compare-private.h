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
  gboolean    *made;            /* a call of constants only, as a weight that is transposed: it goes with the call that uses it */
} LsGraphCompareSide;

typedef struct {
  LsGraphCompareSide left, right;
  GPtrArray  *matches;
  GHashTable *known;            /* operators of the left side */
} LsGraphCompare;

/* Another match, of these two, which are done. Borrowed. */
static inline LsGraphMatch *
ls_graph_compare_put (LsGraphCompare          *self,
           LsGraphMatchKind  kind,
           guint             left,
           guint             right)
{
  LsGraphMatch *match = g_new0 (LsGraphMatch, 1);

  match->kind = kind;
  match->left = g_array_new (FALSE, FALSE, sizeof (guint));
  match->right = g_array_new (FALSE, FALSE, sizeof (guint));
  g_array_append_val (match->left, left);
  g_array_append_val (match->right, right);
  self->left.mate[left] = (gint) right;
  self->right.mate[right] = (gint) left;
  self->left.done[left] = self->right.done[right] = TRUE;
  g_ptr_array_add (self->matches, match);
  return match;
}

/* ---- compare-known.c ---- */

/* Matches what `parts` noted, or what has one entity. */
void          ls_graph_compare_known (LsGraphCompare              *self,
                                      LsRelaxLineage *const  *parts,
                                      guint                   n);

G_END_DECLS
