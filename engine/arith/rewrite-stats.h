/* rewrite-stats: how much an analyser's rewriting simplifier did (TVM's RewriteSimplifierStats). */
#pragma once

#include "engine/arith/analyzer.h"

G_BEGIN_DECLS

/* The canonical simplifier, which rewrites too, is not in these counts. */
typedef struct {
  gint64 nodes_visited;
  gint64 constraints_entered;
  gint64 rewrites_attempted;            /* rules that were held against an expression */
  gint64 rewrites_performed;            /* rules that fitted */
  gint64 max_recursive_depth;           /* of results that were rewritten again, one in the other */
  gint64 num_recursive_rewrites;        /* of all such results */
} LsRewriteStats;

/* Since the analyser was made or the counts were reset.  Borrowed; it goes on counting. */
const LsRewriteStats *ls_analyzer_get_rewrite_stats   (LsAnalyzer *self);
void                  ls_analyzer_reset_rewrite_stats (LsAnalyzer *self);

G_END_DECLS
