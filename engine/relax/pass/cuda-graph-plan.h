/* cuda-graph-plan: which bindings RewriteCUDAGraph moves out of the functions of a module.
 *
 * A region is a run of bindings of one block that become a function of their own: its storages of known size (one
 * region for each block), or launches of kernels whose arguments stay the same from call to call, with what stands
 * between them.  Static are: storages of known size and what is made of them, parameters behind num_input, constants,
 * and symbolic variables that the function names in relax.rewrite_cuda_graph.capture_symbolic_vars or that such
 * parameters decide.  Source: TVM's RewriteCUDAGraph. */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

typedef struct {
  gboolean    is_alloc;
  GPtrArray  *bindings;         /* in order, borrowed */
  GPtrArray  *inputs;           /* LsRelaxVar */
  GPtrArray  *outputs;          /* LsRelaxVar */
  GPtrArray  *symbols;          /* LsVar: symbolic variables that come from outside */
} LsGraphRegion;

/* The regions of all Relax functions, these in the order of their names. (transfer full), of LsGraphRegion */
GPtrArray *ls_graph_regions_plan (LsModule *module);

G_END_DECLS
