/* graph-compare: what `graph --compare` says of two graphs. */
#pragma once

#include "engine/graph/beside.h"

G_BEGIN_DECLS

/* A line for each match that is not of one call with the same one, and for each call without any; `all`: of every match.  Sums first. */
void ls_cli_graph_compare_text (const LsGraphComparison *comparison,
                                LsGraph                 *left,
                                LsGraph                 *right,
                                gboolean                 all);
/* A line for each row: both calls, their times, how that changed, how far their values are apart; what was asked for of these. */
void ls_cli_graph_beside_text  (GArray                  *rows,
                                LsGraph                 *left,
                                LsGraph                 *right,
                                gboolean                 times,
                                gboolean                 values);
/* The same as JSON: score, n_left, n_right, n_known, matches [{kind, known, score, left [name], right [name], words}], only_left, only_right; with
 * rows (or NULL) rows [{left, right, left_ns, left_spread_ns, right_ns, right_spread_ns, change_ns, error, relative, place, trouble}]. */
void ls_cli_graph_compare_json (const LsGraphComparison *comparison,
                                LsGraph                 *left,
                                LsGraph                 *right,
                                GArray                  *rows);

G_END_DECLS
