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

/* Has the operator (with "relax." in front) a rule? */
gboolean   ls_relax_gradient_known   (const char           *op);

/* Makes the derivatives of a call of call_tir_with_grad by its arguments: a call_tir, with the PrimFunc that it calls (both
 * transfer full); the GlobalVar in it is a placeholder with the name that the PrimFunc would like.  NULL with an error. */
typedef LsNode *(*LsTirGradientFunc) (LsRelaxCall *call, LsNode *adjoint, LsNode **func, GError **error);

/* Who does that; without one Gradient refuses such calls.  For the host of the program, once. */
void              ls_relax_gradient_set_tir_func (LsTirGradientFunc func);
LsTirGradientFunc ls_relax_gradient_get_tir_func (void);

/* matmul and transposed matrices as backward steps leave them, without detours (TVM's SimplifyGradient). (transfer full) */
LsNode    *ls_relax_simplify_gradient (LsNode              *func);

G_END_DECLS
