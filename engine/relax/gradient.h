/* relax/gradient: the derivatives of operators (for Gradient). */
#pragma once

#include "engine/relax/block-builder.h"

G_BEGIN_DECLS

typedef struct {
  LsBlockBuilder *builder;
  LsRelaxVar     *result;       /* what the call gave */
  LsRelaxCall    *call;
  LsNode         *adjoint;      /* the derivative by the result: a variable */
} LsGradientStep;

/* The derivatives by the arguments of the call, as many as it has; NULL where there is none.  NULL with an error: the
 * operator has no rule, or the shapes are not known. (transfer full, owning its items) */
GPtrArray *ls_relax_gradient_of_call (const LsGradientStep *step,
                                      GError              **error);

/* matmul and transposed matrices as backward steps leave them, without detours (TVM's SimplifyGradient). (transfer full) */
LsNode    *ls_relax_simplify_gradient (LsNode              *func);

G_END_DECLS
