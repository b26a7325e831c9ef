/* op-pattern: how a PrimFunc maps its inputs to its output, which decides what it may be fused with (TVM's OpPatternKind). */
#pragma once

#include "engine/relax/relax.h"

G_BEGIN_DECLS

typedef enum {
  LS_PATTERN_ELEMWISE = 0,              /* out[i] = f (in[i]) */
  LS_PATTERN_BROADCAST = 1,             /* inputs lack some of the axes, in order */
  LS_PATTERN_INJECTIVE = 2,             /* each output element reads one of each input: transpose, slice */
  LS_PATTERN_COMM_REDUCE = 3,           /* sums over whole axes */
  LS_PATTERN_OUT_EWISE_FUSABLE = 4,     /* matmul, conv: elementwise work may follow in the same function */
  LS_PATTERN_TUPLE = 7,
  LS_PATTERN_OPAQUE = 8
} LsOpPattern;

/* Reads it off the blocks. */
LsOpPattern ls_op_pattern_analyze (LsPrimFunc *func);

G_END_DECLS
