/* beside: two compared graphs as a table: a row for each match and for each call without one, with the times of both sides and how far their values
 * are apart. */
#pragma once

#include "engine/graph/compare.h"

G_BEGIN_DECLS

typedef struct {
  const LsGraphMatch *match;    /* borrowed from the comparison; NULL: only one side has it */
  gint                left, right;      /* the last node of each side, -1: none */
  double              left_ns, left_spread_ns;  /* of all its nodes together; below 0: not known */
  double              right_ns, right_spread_ns;
  double              change_ns;        /* right less left, a side without it as nothing; NAN: not known */
  double              error;            /* the largest distance of two elements; below 0: not known */
  double              relative;         /* beside the largest value */
  char               *place;            /* of that element, or NULL */
  char               *trouble;          /* why the distance is not known, or NULL: nobody asked */
} LsGraphBeside;

/* In program order of the left side, calls of the right side alone behind the one before them. (transfer full) of LsGraphBeside */
GArray  *ls_graph_beside_new      (const LsGraphComparison *comparison,
                                   LsGraph                 *left,
                                   LsGraph                 *right);
/* What changed most first: rows whose times are known on both sides or that have only one, then the others as they were. */
void     ls_graph_beside_sort     (GArray                  *rows);
/* Names of bindings whose values can be compared, in pairs, and the rows that they are of. */
void     ls_graph_beside_pairs    (GArray                  *rows,
                                   LsGraph                 *left,
                                   LsGraph                 *right,
                                   GPtrArray               *left_names,         /* of const char *, borrowed from the graphs */
                                   GPtrArray               *right_names,
                                   GArray                  *numbers);           /* of guint */
/* ai: of each parameter of the right graph its place among those of the left one, -1: none. Floating. */
GVariant *ls_graph_beside_places  (const LsGraphComparison *comparison,
                                   LsGraph                 *left,
                                   LsGraph                 *right);
/* A sentence on parameters that have no counterpart, each of which gets random numbers of its own when values are compared; NULL: all have one.  Those with
 * values of their own do not count: the keys of `left_given` and `right_given` are their places (either may be NULL).
 * (transfer full) */
char    *ls_graph_beside_unpaired (const LsGraphComparison *comparison,
                                   LsGraph                 *left,
                                   LsGraph                 *right,
                                   GHashTable              *left_given,
                                   GHashTable              *right_given);
/* Puts what the worker's graph-values answered at the rows with these numbers. */
void     ls_graph_beside_put      (GArray                  *rows,
                                   GArray                  *numbers,
                                   GVariant                *pairs);

G_END_DECLS
