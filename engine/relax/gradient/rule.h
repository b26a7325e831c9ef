/* relax/gradient/rule: what the derivatives of operators are written with (private to relax/gradient).
 *
 * A rule writes the expression down as a tree; what is emitted follows from its order.  Functions that make an expression take
 * the expressions that they are given, and what they return is the caller's. */
#pragma once

#include "engine/relax/gradient/gradient.h"

G_BEGIN_DECLS

/* One call that is derived. */
typedef struct {
  const LsGradientStep *step;
  GPtrArray            *out;    /* of LsNode or NULL, owned: the derivatives by the arguments, in their order */
  GError              **error;
  gboolean              failed; /* error is set */
} LsGradRule;

typedef void (*LsGradRuleFunc) (LsGradRule *self);

typedef struct {
  const char     *name;         /* of the operator, without "relax." */
  LsGradRuleFunc  rule;
} LsGradRow;

typedef struct {
  const LsGradRow *rows;
  guint            n;
} LsGradTable;

extern const LsGradTable ls_grad_arith, ls_grad_shape, ls_grad_nn;

/* ---- writing expressions ---- */

#define ADJOINT ls_node_ref (self->step->adjoint)
#define RESULT LS_NODE (ls_ref (self->step->result))
#define ARG(i) ls_node_ref (self->step->call->args->items[i])

#define MUL(a, b) ls_grad_binary ("relax.multiply", (a), (b))
#define DIV(a, b) ls_grad_binary ("relax.divide", (a), (b))
#define ADD(a, b) ls_grad_binary ("relax.add", (a), (b))
#define SUB(a, b) ls_grad_binary ("relax.subtract", (a), (b))
#define NEG(a) ls_grad_unary ("relax.negative", (a))

LsNode  *ls_grad_unary       (const char *op, LsNode *a);
LsNode  *ls_grad_binary      (const char *op, LsNode *a, LsNode *b);
LsNode  *ls_grad_where       (LsNode *condition, LsNode *a, LsNode *b);
/* With one attribute (taken; NULL: None). */
LsNode  *ls_grad_with_attr   (const char *op, LsNode *a, const char *name, gpointer value);
/* relax.sum and its kin; the axes are taken, NULL: all. */
LsNode  *ls_grad_reduce      (const char *op, LsNode *a, gpointer axis, gboolean keepdims);
/* relax.matmul */
LsNode  *ls_grad_product     (LsNode *a, LsNode *b);
/* An operator whose second argument is a shape (borrowed). */
LsNode  *ls_grad_shaped      (const char *op, LsNode *a, LsArray *extents);
/* A list of one int64. */
LsArray *ls_grad_one_number  (gint64 value);
/* A constant without dimensions. */
LsNode  *ls_grad_number      (LsDType dtype, double value);

/* ---- what is known of the arguments ---- */

/* The extents of an expression, of argument i; NULL with the rule failed: they are not known. (transfer full) */
LsArray *ls_grad_extents_of  (LsGradRule *self, LsNode *expr);
LsArray *ls_grad_arg_extents (LsGradRule *self, guint i);

/* float32 where it is no tensor. */
LsDType  ls_grad_dtype_of    (LsGradRule *self, LsNode *expr);
LsDType  ls_grad_arg_dtype   (LsGradRule *self, guint i);

/* An attribute of the call, NULL without one. (transfer none) */
LsNode  *ls_grad_attr        (LsGradRule *self, const char *name);

/* ---- results ---- */

/* The derivative by the next argument (taken). */
void     ls_grad_give        (LsGradRule *self, LsNode *expr);
/* Summed up to the shape of argument i, which was broadcast. */
void     ls_grad_give_fit    (LsGradRule *self, LsNode *expr, guint i);
/* The next argument has none. */
void     ls_grad_give_none   (LsGradRule *self);

G_END_DECLS
