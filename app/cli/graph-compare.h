/* graph-compare: what `graph --compare` says of two graphs. */
#pragma once

#include "engine/graph/compare.h"

G_BEGIN_DECLS

/* A line for each match that is not of one call with the same one, and for each call without any; `all`: of every match.  Sums first. */
void ls_cli_graph_compare_text (const LsGraphComparison *comparison,
                                LsGraph                 *left,
                                LsGraph                 *right,
                                gboolean                 all);
/* The same as JSON: score, n_left, n_right, matches [{kind, score, left [name], right [name], words}], only_left, only_right. */
void ls_cli_graph_compare_json (const LsGraphComparison *comparison,
                                LsGraph                 *left,
                                LsGraph                 *right);

G_END_DECLS
