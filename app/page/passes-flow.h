/* passes-flow: the blocks of a function of a pass log as graphs, one for each pass that changed it, in which a block keeps its place. */
#pragma once

#include "engine/graph/series.h"
#include "engine/passlog/flow.h"

G_BEGIN_DECLS

/* More blocks than that are shown of one pass only, and folded into groups. */
#define LS_PASSES_FLOW_MOST 1200

/* The states of a function, before the pass of `dump` as far as they fit and after it: *dumps (transfer full, of guint) gets of which dump each is, *at which of them is the one of `dump`
 * or the last before it.  NULL: no dump has the function. (transfer full) */
LsGraphSeries *ls_passes_flow_series (LsPassLog  *log,
                                      const char *function,
                                      guint       dump,
                                      GArray    **dumps,
                                      guint      *at);

G_END_DECLS
