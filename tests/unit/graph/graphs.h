/* graphs: programs and graphs that the tests of this room share. */
#pragma once

#include "engine/graph/graph.h"
#include "engine/script/script.h"

G_BEGIN_DECLS

/* Two dense layers. */
extern const char MLP[];

/* The module of a text that has no error. (transfer full) */
LsModule    *parse       (const char *text);
/* The graph of a Relax module. (transfer full) */
LsGraph     *relax_graph (const char *text);
/* A chain of n layers of three calls. (transfer full) */
LsGraph     *layers      (guint       n);
/* The node with this key, which is there. (transfer none) */
LsGraphNode *node_of     (LsGraph    *graph,
                          const char *key);

G_END_DECLS
