/* legalize/norm: softmax, normalisation and losses. */
#include "engine/relax/legalize/legalize.h"

#include <string.h>

static LsNode *
softmax (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0);
  gint64 axis = ls_legalize_int (self, "axis", -1);

  if (x == NULL)
    return ls_legalize_stay (self);
  return ls_legalize_one (self, strcmp (self->row->name, "nn.softmax") == 0 ? ls_topi_nn_softmax (x, axis, &self->error)
                          : ls_topi_nn_log_softmax (x, axis, &self->error));
}

static LsNode *
batch_norm (LsLegalize *self)
{
  LsTeTensor *x[5];

  for (guint i = 0; i < 5; i++)
    if ((x[i] = ls_legalize_tensor (self, i)) == NULL)
      return ls_legalize_stay (self);
  return ls_legalize_many (self, ls_topi_nn_batch_norm (x[0], x[1], x[2], x[3], x[4], ls_legalize_int (self, "axis", 1),
                                                        ls_legalize_float (self, "epsilon", 1e-5), ls_legalize_int (self, "center", 1) != 0,
                                                        ls_legalize_int (self, "scale", 1) != 0, ls_legalize_int (self, "training", 1) != 0,
                                                        ls_legalize_float (self, "momentum", 0.1), &self->error));
}

static LsNode *
norm (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *gamma = ls_legalize_tensor (self, 1);
  LsTeTensor *beta = self->call->args->n > 2 ? ls_legalize_tensor (self, 2) : NULL, *out;
  LsArray *axes = ls_legalize_ints (self, "axes");
  double epsilon = ls_legalize_float (self, "epsilon", 1e-5);
  const char *name = self->row->name + strlen ("nn.");

  if (x == NULL || gamma == NULL || (beta == NULL && self->call->args->n > 2))
    return ls_legalize_stay (self);
  if (strcmp (name, "layer_norm") == 0)
    out = ls_topi_nn_layer_norm (x, gamma, beta, axes, epsilon, &self->error);
  else if (strcmp (name, "group_norm") == 0)
    out = ls_topi_nn_group_norm (x, gamma, beta, ls_legalize_int (self, "num_groups", 1), ls_legalize_int (self, "channel_axis", 1), axes, epsilon,
                                 &self->error);
  else if (strcmp (name, "instance_norm") == 0)
    out = ls_topi_nn_instance_norm (x, gamma, beta, axes, epsilon, &self->error);
  else
    out = ls_topi_nn_rms_norm (x, gamma, axes, epsilon, &self->error);
  return ls_legalize_one (self, out);
}

/* ---- losses ----------------------------------------------------------------------- */

static LsNode *
cross_entropy (LsLegalize *self)
{
  LsTeTensor *x = ls_legalize_tensor (self, 0), *y = ls_legalize_tensor (self, 1), *sum;

  if (x == NULL || y == NULL)
    return ls_legalize_stay (self);
  sum = ls_legalize_binary (self, "multiply", x, y);
  sum = sum != NULL ? ls_legalize_stage (self, ls_topi_reduce ("sum", sum, NULL, FALSE, &self->error)) : NULL;
  sum = ls_legalize_binary (self, "multiply", sum, ls_legalize_const (self, x->dtype, -1));
  if (x->shape->n > 1)
    sum = ls_legalize_binary (self, "divide", sum, x->shape->items[0]);
  return ls_legalize_one (self, ls_ref (sum));
}

static LsNode *
nll_loss (LsLegalize *self)
{
  gboolean weighted = self->call->args->n > 2;
  LsTeTensor *x = ls_legalize_tensor (self, 0), *y = ls_legalize_tensor (self, 1), *weights = weighted ? ls_legalize_tensor (self, 2) : NULL;

  if (x == NULL || y == NULL || (weighted && weights == NULL))
    return ls_legalize_stay (self);
  if (!weighted)
    {
      LsArray *classes = ls_legalize_keep (self, ls_array_of (ls_node_ref (x->shape->items[x->shape->n > 1 ? 1 : 0]), NULL));

      weights = ls_legalize_stage (self, ls_topi_full (classes, x->dtype, ls_legalize_const (self, x->dtype, 1), &self->error));
    }
  return ls_legalize_one_as (self, weights != NULL ? ls_topi_nn_nll_loss (x, y, weights, ls_legalize_str (self, "reduction"),
                                                                          ls_legalize_int (self, "ignore_index", -100), &self->error) : NULL,
                             weighted ? "nll_loss" : "nll_loss_without_weight");
}

const LsLegalizeRow ls_legalize_norm[] = {
  { "nn.batch_norm", batch_norm }, { "nn.cross_entropy_with_logits", cross_entropy }, { "nn.group_norm", norm }, { "nn.instance_norm", norm },
  { "nn.layer_norm", norm }, { "nn.log_softmax", softmax }, { "nn.nll_loss", nll_loss }, { "nn.rms_norm", norm }, { "nn.softmax", softmax },
  { NULL }
};
