/* follow: a node of the state after a pass has the key of what it was before, as far as it is known.
 *
 * Keys are made of names, and passes give names again: FuseOps calls lv3 what was lv18, and another lv3 there was before.  What the pass noted says
 * which is which; a call of several that were fused is the last of them.
 */
#pragma once

#include "engine/graph/graph.h"
#include "engine/relax/lineage.h"

G_BEGIN_DECLS

/* Gives the nodes of `after` their keys; `earlier` (of LsGraph, at least one) are the states before it, none folded, and `lineage` was noted by the pass
 * between the last of them and `after`.  What nothing is known of keeps its key, unless a node before has it that became another. */
void        ls_graph_follow   (GPtrArray         *earlier,
                               LsGraph           *after,
                               LsRelaxLineage    *lineage);
/* The variable that a node of Relax binds or is, or NULL. (transfer none) */
LsRelaxVar *ls_graph_node_var (const LsGraphNode *node);

G_END_DECLS
