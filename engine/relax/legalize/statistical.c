/* legalize/statistical: reductions, mean and variance made of them, argmax. */
#include "engine/relax/legalize/legalize.h"

static LsNode *
reduce (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_reduce (self->row->name, x, ls_legalize_ints (self, "axis"),
                                                            ls_legalize_int (self, "keepdims", 0) != 0, &self->error) : NULL);
}

/* How many elements are summed. */
static LsExpr *
summed (LsLegalize *self,
        LsTeTensor *x,
        LsArray    *axes)
{
  LsExpr *product = ls_int (1);
  guint n = axes != NULL ? axes->n : x->shape->n;

  for (guint i = 0; i < n; i++)
    {
      gint64 axis = i;

      if (axes != NULL)
        ls_as_int (axes->items[i], &axis);
      product = ls_mul (product, ls_ref (LS_EXPR (x->shape->items[axis < 0 ? axis + (gint64) x->shape->n : axis])));
    }
  return ls_legalize_keep (self, product);
}

static LsTeTensor *
mean (LsLegalize *self,
      LsTeTensor *x,
      LsArray    *axes,
      gboolean    keepdims)
{
  LsTeTensor *sum = x != NULL ? ls_legalize_stage (self, ls_topi_reduce ("sum", x, axes, keepdims, &self->error)) : NULL;

  return sum != NULL ? ls_legalize_binary (self, "divide", sum, summed (self, x, axes)) : NULL;
}

static LsNode *
legalize_mean (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, ls_ref (mean (self, x, ls_legalize_ints (self, "axis"), ls_legalize_int (self, "keepdims", 0) != 0)));
}

static LsTeTensor *
variance (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  LsArray *axes = ls_legalize_ints (self, "axis");
  LsTeTensor *off = ls_legalize_binary (self, "subtract", x, mean (self, x, axes, TRUE));

  return mean (self, ls_legalize_binary (self, "multiply", off, off), axes, ls_legalize_int (self, "keepdims", 0) != 0);
}

static LsNode *
legalize_variance (LsLegalize *self)
{
  return ls_legalize_one (self, ls_ref (variance (self)));
}

static LsNode *
legalize_std (LsLegalize *self)
{
  return ls_legalize_one (self, ls_ref (ls_legalize_unary (self, "sqrt", variance (self))));
}

static LsNode *
arg_reduce (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);

  return ls_legalize_one (self, x != NULL ? ls_topi_arg_reduce (self->row->name, x, ls_legalize_ints (self, "axis"),
                                                                ls_legalize_int (self, "keepdims", 0) != 0, FALSE, &self->error) : NULL);
}

const LsLegalizeRow ls_legalize_statistical[] = {
  { "argmax", arg_reduce }, { "argmin", arg_reduce }, { "max", reduce }, { "mean", legalize_mean }, { "min", reduce }, { "prod", reduce },
  { "std", legalize_std }, { "sum", reduce }, { "variance", legalize_variance },
  { NULL }
};
