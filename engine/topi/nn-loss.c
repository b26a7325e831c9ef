/* nn-loss: the negative log likelihood (topi::nll_loss). */
#include "engine/topi/topi-private.h"

#include <string.h>

/* Of the class c: its weight, or 0 where it is to be ignored. */
static LsExpr *
unless_ignored (LsExpr     *c,
                LsExpr     *value,
                gint64      ignore_index)
{
  LsDType dtype = ls_dtype (value);
  LsExpr *counts = ls_ne (c, ls_const_int (ls_dtype (c), ignore_index));

  return ls_select_new (counts, value, ls_te_const (dtype, 0));
}

LsTeTensor *
ls_topi_nn_nll_loss (LsTeTensor *predictions,
                     LsTeTensor *targets,
                     LsTeTensor *weights,
                     const char *reduction,
                     gint64      ignore_index,
                     GError    **error)
{
  g_autoptr (LsTeTensor) loss = NULL;
  g_autoptr (LsTeTensor) weight = NULL;
  g_autoptr (LsTeTensor) loss_sum = NULL;
  g_autoptr (LsTeTensor) weight_sum = NULL;
  GPtrArray *indices;
  LsArray *axes;
  LsExpr *c, *value;

  if (predictions == NULL || targets == NULL || weights == NULL)
    return NULL;
  if (predictions->shape->n != MAX (targets->shape->n + 1, 1))
    {
      ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.nll_loss: predictions must have one dimension more than targets, that of the classes");
      return NULL;
    }
  axes = ls_te_axes (targets->shape, "ax*");
  c = ls_te_load (targets, ls_te_axis_vars (axes));
  indices = g_ptr_array_new ();
  for (guint i = 0; i < axes->n; i++)
    {
      g_ptr_array_add (indices, AX (i));
      if (i == 0)
        g_ptr_array_add (indices, REF (c));
    }
  if (axes->n == 0)
    g_ptr_array_add (indices, REF (c));
  value = ls_sub (ls_te_const (predictions->dtype, 0), ls_te_load (predictions, ls_array_take_ptr_array (indices)));
  value = ls_mul (value, AT (weights, REF (c)));
  loss = ls_te_compute ("nll_loss", LS_TAG_INJECTIVE, NULL, axes, unless_ignored (c, value, ignore_index), error);
  if (loss == NULL || g_str_equal (reduction, "none"))
    return g_steal_pointer (&loss);
  loss_sum = ls_topi_reduce ("sum", loss, NULL, FALSE, error);
  if (g_str_equal (reduction, "sum"))
    return g_steal_pointer (&loss_sum);
  if (!g_str_equal (reduction, "mean"))
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.nll_loss: the reduction is \"none\", \"sum\" or \"mean\", not \"%s\"", reduction);
      return NULL;
    }
  axes = ls_te_axes (targets->shape, "ax*");
  c = ls_te_load (targets, ls_te_axis_vars (axes));
  value = AT (weights, REF (c));
  weight = ls_te_compute ("nll_loss", LS_TAG_INJECTIVE, NULL, axes, unless_ignored (c, value, ignore_index), error);
  weight_sum = ls_topi_reduce ("sum", weight, NULL, FALSE, error);
  return ls_topi_binary ("divide", loss_sum, weight_sum, error);
}
