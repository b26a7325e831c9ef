/* distributed/axes: which axes of its operands and results an operator cuts alike (TVM's BuildAxisGraph...). */
#pragma once

#include "engine/relax/distributed/axis-graph.h"

G_BEGIN_DECLS

typedef enum {
  LS_AXES_NONE,                 /* an operator over whole tensors only */
  LS_AXES_UNARY,
  LS_AXES_BINARY,               /* broadcasting */
  LS_AXES_REDUCE,               /* along axes, softmax too: these stay whole */
  LS_AXES_MATMUL,
  LS_AXES_PERMUTE,
  LS_AXES_RESHAPE
} LsAxesRule;

/* Of "matmul", without "relax.". */
LsAxesRule ls_axes_rule     (const char   *op);
/* Joins the axes of the call's arguments with those of `output`, whatever that is: only its address counts. FALSE and the
 * reason: shapes that are not known or do not fit. */
gboolean   ls_axes_join     (LsAxisGraph  *graph,
                             LsAxesRule    rule,
                             gconstpointer output,
                             LsRelaxCall  *call,
                             GError      **error);
/* The same of call_tir (function, (arguments), ...): axes of its buffers that the same loops run along. */
void       ls_axes_join_tir (LsAxisGraph  *graph,
                             gconstpointer output,
                             LsRelaxCall  *call,
                             LsPrimFunc   *func);

G_END_DECLS
