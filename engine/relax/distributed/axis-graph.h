/* distributed/axis-graph: which axes of which tensors are cut together, and what follows from the axes of which it is said.
 *
 * A node is an axis of a tensor (a variable or constant, by address), -1 standing for the mesh on which the tensor lies; an
 * edge says that both are cut alike: from producer to consumer (descending), back (ascending), or between the operands of
 * one operation (siblings).  What is said of an axis goes along all edges; where two reach an axis, that with the better way
 * wins: the axis itself, down only, mixed, up only.  Source: TVM v0.20's AxisGroupGraph. */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

typedef struct {
  gconstpointer tensor;
  int           dim;            /* -1: the mesh */
  int           tuple_index;    /* of which field of a tuple */
} LsAxis;

#define ls_axis(tensor, dim) ((LsAxis) { (tensor), (int) (dim), 0 })
#define ls_axis_of_field(tensor, dim, index) ((LsAxis) { (tensor), (int) (dim), (int) (index) })

typedef enum { LS_AXIS_ASCEND, LS_AXIS_DESCEND, LS_AXIS_SIBLING } LsAxisEdge;

typedef struct _LsAxisGraph LsAxisGraph;

LsAxisGraph *ls_axis_graph_new       (void);
void         ls_axis_graph_free      (LsAxisGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsAxisGraph, ls_axis_graph_free)

/* Both are cut alike; the type is that of the way from `a` to `b`. */
void         ls_axis_graph_join      (LsAxisGraph *self,
                                      LsAxis       a,
                                      LsAxis       b,
                                      LsAxisEdge   type);
/* The axis is cut along dimension `mesh_dim` of a mesh (borrowed, kept); of axis -1: the tensor lies on it. */
void         ls_axis_graph_add_source (LsAxisGraph *self,
                                      LsAxis       axis,
                                      LsNode      *mesh,
                                      int          mesh_dim);
/* Nothing goes to this axis or through it. */
void         ls_axis_graph_add_cut   (LsAxisGraph *self,
                                      LsAxis       axis);
/* What follows from the sources.  FALSE and the reason: two have the same right to an axis. */
gboolean     ls_axis_graph_propagate (LsAxisGraph *self,
                                      GError     **error);
/* How an axis is cut; FALSE: it is not. `mesh` (borrowed) and `mesh_dim` may be NULL. */
gboolean     ls_axis_graph_lookup    (LsAxisGraph *self,
                                      LsAxis       axis,
                                      LsNode     **mesh,
                                      int         *mesh_dim);
/* The placement of a tensor of `ndim` dimensions on the mesh. (transfer full) */
LsNode      *ls_axis_graph_placement (LsAxisGraph *self,
                                      gconstpointer tensor,
                                      gint64       ndim,
                                      int          tuple_index,
                                      LsNode      *mesh);

G_END_DECLS
