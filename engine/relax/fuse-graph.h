/* fuse-graph: which bindings of dataflow become one function (TVM's GraphPartitioner).
 *
 * A node for each variable, in the order in which they come; an edge from what is read to what reads it, with the pattern
 * of the reading.  The groups grow towards the post-dominator of a node, when every path to it allows that.
 */
#pragma once

#include "engine/relax/op-pattern.h"

G_BEGIN_DECLS

typedef struct _LsFuseGraph LsFuseGraph;

LsFuseGraph *ls_fuse_graph_new        (void);
void         ls_fuse_graph_free       (LsFuseGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsFuseGraph, ls_fuse_graph_free)
/* The node of something (by pointer), made when it is new: opaque.  Returns its number. */
guint        ls_fuse_graph_node       (LsFuseGraph *self,
                                       gpointer     key);
gboolean     ls_fuse_graph_has        (LsFuseGraph *self,
                                       gpointer     key);
void         ls_fuse_graph_set_pattern (LsFuseGraph *self,
                                       guint        node,
                                       LsOpPattern  pattern);
/* The node is also seen from outside. */
void         ls_fuse_graph_set_extern (LsFuseGraph *self,
                                       guint        node);
void         ls_fuse_graph_add_edge   (LsFuseGraph *self,
                                       guint        from,
                                       guint        to,
                                       LsOpPattern  pattern);
/* Makes the groups.  level 0: each node alone. */
void         ls_fuse_graph_partition  (LsFuseGraph *self,
                                       guint        level,
                                       guint        max_depth);
/* The group of a node, a number of a node. */
guint        ls_fuse_graph_group      (LsFuseGraph *self,
                                       guint        node);

G_END_DECLS
