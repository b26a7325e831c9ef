/* styles: searches that are kept, as colours: each node gets the letter of the first one that it fits. */
#pragma once

#include "engine/graph/graph.h"

G_BEGIN_DECLS

#define LS_GRAPH_MOST_STYLES 7  /* a to g */
#define LS_GRAPH_STYLE_PARTLY 0x80u     /* with it a bit for each pattern, the first one's is 1 */

/* Of each node of the graph, folded or not, the number of the first pattern (ls_graph_search) that it fits plus one, 0: none; a group has one where all
 * its calls have it, else LS_GRAPH_STYLE_PARTLY and those that some of its calls have.  A pattern that cannot be read fits nothing and is said by *wrong (or NULL): a sentence, (transfer full) or NULL.
 * (transfer full) */
guint8 *ls_graph_style_nodes (LsGraph            *graph,
                              const char *const  *patterns,
                              char              **wrong);

G_END_DECLS
