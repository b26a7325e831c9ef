/* relax/gradient/arith: elementwise operators and statistics. */
#include "engine/relax/gradient/rule.h"

#include "engine/relax/pass/pass.h"

/* ---- arithmetic ----------------------------------------------------------------------------------- */

static void
grad_add (LsGradRule *self)
{
  ls_grad_give_fit (self, ADJOINT, 0);
  ls_grad_give_fit (self, ADJOINT, 1);
}

static void
grad_subtract (LsGradRule *self)
{
  ls_grad_give_fit (self, ADJOINT, 0);
  ls_grad_give_fit (self, NEG (ADJOINT), 1);
}

static void
grad_multiply (LsGradRule *self)
{
  ls_grad_give_fit (self, MUL (ADJOINT, ARG (1)), 0);
  ls_grad_give_fit (self, MUL (ADJOINT, ARG (0)), 1);
}

static void
grad_divide (LsGradRule *self)
{
  ls_grad_give_fit (self, DIV (ADJOINT, ARG (1)), 0);
  ls_grad_give_fit (self, DIV (MUL (NEG (ADJOINT), RESULT), ARG (1)), 1);
}

static void
grad_power (LsGradRule *self)
{
  ls_grad_give_fit (self, MUL (MUL (ADJOINT, ARG (1)), ls_grad_binary ("relax.power", ARG (0), SUB (ARG (1), ls_grad_number (ls_grad_arg_dtype (self, 1), 1)))), 0);
  ls_grad_give_fit (self, MUL (MUL (ADJOINT, RESULT), ls_grad_unary ("relax.log", ARG (0))), 1);
}

/* Which of the two came through. */
static void
choose (LsGradRule *self,
        const char *not_first,
        const char *not_second)
{
  LsDType dtype = ls_grad_arg_dtype (self, 0);

  ls_grad_give_fit (self, ls_grad_where (ls_grad_binary (not_first, ARG (0), ARG (1)), ls_grad_number (dtype, 0), ADJOINT), 0);
  ls_grad_give_fit (self, ls_grad_where (ls_grad_binary (not_second, ARG (0), ARG (1)), ls_grad_number (dtype, 0), ADJOINT), 1);
}

static void
grad_maximum (LsGradRule *self)
{
  choose (self, "relax.less", "relax.greater_equal");
}

static void
grad_minimum (LsGradRule *self)
{
  choose (self, "relax.greater_equal", "relax.less");
}

static void
grad_none (LsGradRule *self)
{
  for (guint i = 0; i < self->step->call->args->n; i++)
    ls_grad_give_none (self);
}

static void
grad_abs (LsGradRule *self)
{
  LsDType dtype = ls_grad_arg_dtype (self, 0);

  ls_grad_give (self, MUL (ADJOINT, ls_grad_where (ls_grad_binary ("relax.less", ARG (0), ls_grad_number (dtype, 0)), NEG (ls_grad_number (dtype, 1)), ls_grad_number (dtype, 1))));
}

static void
grad_cos (LsGradRule *self)
{
  ls_grad_give (self, MUL (NEG (ADJOINT), ls_grad_unary ("relax.sin", ARG (0))));
}

static void
grad_exp (LsGradRule *self)
{
  ls_grad_give (self, MUL (ADJOINT, RESULT));
}

static void
grad_log (LsGradRule *self)
{
  ls_grad_give (self, DIV (ADJOINT, ARG (0)));
}

static void
grad_negative (LsGradRule *self)
{
  ls_grad_give (self, NEG (ADJOINT));
}

static void
grad_sigmoid (LsGradRule *self)
{
  ls_grad_give (self, MUL (MUL (ADJOINT, RESULT), SUB (ls_grad_number (ls_grad_arg_dtype (self, 0), 1), RESULT)));
}

static void
grad_sin (LsGradRule *self)
{
  ls_grad_give (self, MUL (ADJOINT, ls_grad_unary ("relax.cos", ARG (0))));
}

static void
grad_sqrt (LsGradRule *self)
{
  ls_grad_give (self, DIV (MUL (ls_grad_number (ls_grad_arg_dtype (self, 0), 0.5), ADJOINT), RESULT));
}

static void
grad_tanh (LsGradRule *self)
{
  ls_grad_give (self, MUL (ADJOINT, SUB (ls_grad_number (ls_grad_arg_dtype (self, 0), 1), MUL (RESULT, RESULT))));
}

static void
grad_triu (LsGradRule *self)
{
  ls_grad_give (self, ls_grad_binary ("relax.triu", ADJOINT, ARG (1)));
  ls_grad_give_none (self);
}

/* ---- statistics -------------------------------------------------------------------------------------- */

/* The axes that a reduction took away put back. (takes `expr`) */
static LsNode *
put_axes_back (LsGradRule *self,
               LsNode     *expr)
{
  LsNode *axes = ls_grad_attr (self, "axis");
  gint64 keepdims = 0;

  ls_as_int (ls_grad_attr (self, "keepdims"), &keepdims);
  if (keepdims != 0 || !ls_is (axes, ARRAY) || ((LsArray *) axes)->n == 0)
    return expr;
  return ls_grad_with_attr ("relax.expand_dims", expr, "axis", ls_node_ref (axes));
}

/* How many elements a result was made of; 0 after an error. */
static gint64
n_reduced (LsGradRule *self)
{
  LsNode *axes = ls_grad_attr (self, "axis");
  g_autoptr (LsArray) extents = ls_grad_arg_extents (self, 0);
  gint64 product = 1, extent, axis;
  guint n = extents == NULL ? 0 : ls_is (axes, ARRAY) ? ((LsArray *) axes)->n : extents->n;

  for (guint i = 0; i < n; i++)
    {
      axis = i;
      if (ls_is (axes, ARRAY))
        ls_as_int (((LsArray *) axes)->items[i], &axis);
      axis += axis < 0 ? extents->n : 0;
      if (axis < 0 || axis >= extents->n || !ls_as_int (extents->items[axis], &extent))
        {
          if (!self->failed)
            ls_relax_pass_refuse (self->error, "The derivative of %s needs extents that are numbers.", ((LsRelaxOp *) self->step->call->op)->name);
          self->failed = TRUE;
          return 0;
        }
      product *= extent;
    }
  return extents == NULL ? 0 : product;
}

static void
grad_sum (LsGradRule *self)
{
  g_autoptr (LsArray) extents = ls_grad_arg_extents (self, 0);

  if (extents != NULL)
    ls_grad_give (self, ls_grad_shaped ("relax.broadcast_to", put_axes_back (self, ADJOINT), extents));
}

static void
grad_mean (LsGradRule *self)
{
  g_autoptr (LsArray) extents = ls_grad_arg_extents (self, 0);
  gint64 n = n_reduced (self);

  if (n > 0)
    ls_grad_give (self, ls_grad_shaped ("relax.broadcast_to", put_axes_back (self, DIV (ADJOINT, ls_grad_number (ls_grad_dtype_of (self, self->step->adjoint), (double) n))), extents));
}

static void
grad_variance (LsGradRule *self)
{
  double n = (double) n_reduced (self);
  LsDType dtype = ls_grad_arg_dtype (self, 0);
  LsNode *first, *second;

  if (n <= 0)
    return;
  first = MUL (ls_grad_number (dtype, 2.0 / n), ARG (0));
  second = MUL (ls_grad_number (dtype, 2.0 / n / n), ls_grad_reduce ("relax.sum", ARG (0), ls_node_ref (ls_grad_attr (self, "axis")), TRUE));
  ls_grad_give (self, MUL (put_axes_back (self, ADJOINT), SUB (first, second)));
}

static const LsGradRow ROWS[] = {
  { "abs", grad_abs },
  { "add", grad_add },
  { "cos", grad_cos },
  { "divide", grad_divide },
  { "equal", grad_none },
  { "exp", grad_exp },
  { "full", grad_none },
  { "full_like", grad_none },
  { "greater", grad_none },
  { "greater_equal", grad_none },
  { "less", grad_none },
  { "less_equal", grad_none },
  { "log", grad_log },
  { "maximum", grad_maximum },
  { "mean", grad_mean },
  { "minimum", grad_minimum },
  { "multiply", grad_multiply },
  { "negative", grad_negative },
  { "not_equal", grad_none },
  { "ones", grad_none },
  { "ones_like", grad_none },
  { "power", grad_power },
  { "sigmoid", grad_sigmoid },
  { "sin", grad_sin },
  { "sqrt", grad_sqrt },
  { "subtract", grad_subtract },
  { "sum", grad_sum },
  { "tanh", grad_tanh },
  { "triu", grad_triu },
  { "variance", grad_variance },
  { "zeros", grad_none },
  { "zeros_like", grad_none },
};

const LsGradTable ls_grad_arith = { ROWS, G_N_ELEMENTS (ROWS) };
