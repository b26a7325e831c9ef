/* pointer-value-type: pointers that are accessed by vectors of one size become pointers to vectors. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

typedef enum {
  LS_POINTER_PARAMS = 1 << 0,   /* parameters and the buffers of parameters */
  LS_POINTER_ALLOCATIONS = 1 << 1,
  LS_POINTER_CONSTANTS = 1 << 2,
  LS_POINTER_BINDINGS = 1 << 3,
  LS_POINTER_ALL = 15
} LsPointerKinds;

/* Rewrites the pointers of these kinds.  With shuffles, single elements that are read are taken out of a vector. (transfer full) */
LsPrimFunc *ls_pointer_value_types (LsPrimFunc *func,
                                    guint       kinds,
                                    gboolean    shuffles);

G_END_DECLS
