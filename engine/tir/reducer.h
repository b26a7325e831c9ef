/* reducer: what a reduction block adds up with: +, *, min, max, or pairs such as argmax; see reducer.c. */
#pragma once

#include "engine/tir/tir.h"

G_BEGIN_DECLS

/* What a reduction block adds up with: results that are a pattern over x (what was stored) and y (what is added). */
#define LS_REDUCER_MAX 2
typedef struct {
  guint          n;             /* results stored at once */
  LsVar         *x[LS_REDUCER_MAX];
  LsVar         *y[LS_REDUCER_MAX];
  LsExpr        *result[LS_REDUCER_MAX];
  LsExpr        *identity[LS_REDUCER_MAX];
  LsExpr        *added[LS_REDUCER_MAX];     /* y in the block */
  LsExpr        *values[LS_REDUCER_MAX];    /* what the block stores */
  LsBufferStore *stores[LS_REDUCER_MAX];    /* where, borrowed */
} LsReducer;
/* NULL, or why it is none that is known: the rest of a sentence about the block. Clear it in both cases. */
const char *ls_reducer_find     (LsReducer     *self,
                                 LsBlock       *block);
void       ls_reducer_clear     (LsReducer     *self);
/* Result i for other x and y (borrowed). (transfer full) */
LsExpr    *ls_reducer_combine   (LsReducer     *self,
                                 guint          i,
                                 LsExpr       **x,
                                 LsExpr       **y);

G_END_DECLS
