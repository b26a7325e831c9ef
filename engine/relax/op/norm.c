/* op/norm: normalisation, softmax and losses. */
#include "engine/relax/op/op.h"

#include <inttypes.h>
#include <string.h>

static const char *
type_text (LsDType dtype)
{
  return ls_dtype_is_void (dtype) ? "an unknown type" : ls_dtype_name (dtype);
}

/* Parameters 1 .. n: of the type of the data, one dimension for each axis, extents as the data's on the axes.  `certain`:
 * the extents that are written out are all known to agree; where they may differ, the shape of the result is unknown. */
static gboolean
parameters_fit (LsInfer            *self,
                LsTensorStructInfo *x,
                guint               n,
                LsArray            *axes,
                gboolean           *certain)
{
  LsArray *extents = ls_tensor_written_extents (x), *first = NULL;
  guint *order = NULL;

  *certain = TRUE;

  if (x->ndim >= 0 && ls_infer_axes (self, axes, x->ndim, &order) == NULL)
    return FALSE;
  if (!ls_infer_is_float (self, 0, x->dtype))
    return FALSE;
  for (guint i = 1; i <= n; i++)
    {
      LsTensorStructInfo *param = ls_infer_tensor (self, i);
      LsArray *lengths;

      if (param == NULL)
        return FALSE;
      if (!ls_dtype_equal (x->dtype, param->dtype))
        {
          ls_infer_fail (self, "takes %s of the type of its data; they are of %s and %s.", ls_infer_arg_name (self, i), type_text (param->dtype),
                         type_text (x->dtype));
          return FALSE;
        }
      if (param->ndim >= 0 && param->ndim != axes->n)
        {
          ls_infer_fail (self, "takes a dimension for each of its %u axes as %s; there are %" PRId64 ".", axes->n, ls_infer_arg_name (self, i),
                         param->ndim);
          return FALSE;
        }
      if ((lengths = ls_tensor_written_extents (param)) == NULL)
        continue;
      for (guint k = 0; k < axes->n; k++)
        {
          LsExpr *expected = extents != NULL ? ls_extent_at (extents, order[k]) : first != NULL ? ls_extent_at (first, k) : NULL;

          if (expected != NULL && ls_infer_differ (self, expected, ls_extent_at (lengths, k)))
            {
              ls_infer_fail (self, "takes %s of extent %s, as its data and parameters have there; it has %s.", ls_infer_arg_name (self, i),
                             ls_infer_text (self, expected), ls_infer_text (self, lengths->items[k]));
              return FALSE;
            }
          *certain = *certain && (expected == NULL || ls_infer_same (self, expected, ls_extent_at (lengths, k)));
        }
      if (first == NULL)
        first = lengths;
    }
  return TRUE;
}

static LsArray *
one_axis (LsInfer    *self,
          const char *name)
{
  return ls_infer_keep (self, ls_array_of (ls_extent (ls_infer_int (self, name, 1)), NULL));
}

static LsStructInfo *
infer_batch_norm (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  gboolean certain;

  if (x == NULL || !parameters_fit (self, x, 4, one_axis (self, "axis"), &certain))
    return NULL;
  if (!certain)
    return ls_infer_pair (ls_infer_ranked (x->ndim, x->dtype, x), ls_infer_ranked (1, x->dtype, x), ls_infer_ranked (1, x->dtype, x));
  return ls_infer_pair (ls_node_ref (self->infos[0]), ls_node_ref (self->infos[3]), ls_node_ref (self->infos[4]));
}

/* The data, whose shape is known only where the parameters are certain to fit it. */
static LsStructInfo *
as_certain (LsTensorStructInfo *x,
            gboolean            certain)
{
  return certain ? LS_NODE (ls_ref (x)) : ls_infer_ranked (x->ndim, x->dtype, x);
}

static LsStructInfo *
infer_layer_norm (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *axes = ls_infer_ints (self, "axes");
  gboolean certain;

  if (x != NULL && axes == NULL)
    return ls_infer_fail (self, "needs axes.");
  return x != NULL && parameters_fit (self, x, strcmp (self->name, "nn.rms_norm") == 0 ? 1 : 2, axes, &certain) ? as_certain (x, certain) : NULL;
}

static LsStructInfo *
infer_group_norm (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  gint64 channel = ls_infer_int (self, "channel_axis", 1), groups = ls_infer_int (self, "num_groups", 1), n;
  LsArray *axes = ls_infer_ints (self, "axes"), *extents;
  gboolean *flags, certain;
  guint at;

  if (x == NULL || !parameters_fit (self, x, 2, one_axis (self, "channel_axis"), &certain))
    return NULL;
  extents = ls_tensor_extents (x);
  if (x->ndim >= 0)
    {
      if (axes == NULL || (flags = ls_infer_axes (self, axes, x->ndim, NULL)) == NULL || !ls_infer_axis (self, channel, x->ndim, &at))
        return NULL;
      if (flags[at])
        return ls_infer_fail (self, "sums over axes other than the channels; axis %u is both.", at);
      if (groups < 1 || (extents != NULL && ls_as_int (extents->items[at], &n) && n % groups != 0))
        return ls_infer_fail (self, "has %" PRId64 " groups, which do not divide its channels.", groups);
    }
  return as_certain (x, certain);
}

static LsStructInfo *
infer_instance_norm (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  gboolean certain;

  return x != NULL && parameters_fit (self, x, 2, one_axis (self, "channel_axis"), &certain) ? as_certain (x, certain) : NULL;
}

static LsStructInfo *
infer_softmax (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  guint axis;

  if (x == NULL || (x->ndim >= 0 && !ls_infer_axis (self, ls_infer_int (self, "axis", -1), x->ndim, &axis)) || !ls_infer_is_float (self, 0, x->dtype))
    return NULL;
  return LS_NODE (ls_ref (x));
}

/* ---- losses ------------------------------------------------------------------------- */

static LsStructInfo *
infer_cross_entropy (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *labels = x != NULL ? ls_infer_tensor (self, 1) : NULL;
  LsArray *a, *b;
  LsDType dtype;

  if (labels == NULL || !ls_infer_common (self, x->dtype, labels->dtype, &dtype))
    return NULL;
  if (x->ndim >= 0 && labels->ndim >= 0 && x->ndim != labels->ndim)
    return ls_infer_fail (self, "takes predictions and labels of one number of dimensions; they have %" PRId64 " and %" PRId64 ".",
                          x->ndim, labels->ndim);
  a = ls_tensor_extents (x);
  b = ls_tensor_extents (labels);
  for (guint i = 0; a != NULL && b != NULL && i < a->n; i++)
    if (ls_infer_differ (self, ls_extent_at (a, i), ls_extent_at (b, i)))
      return ls_infer_fail (self, "takes predictions and labels of one shape; they are %s and %s.", ls_infer_text (self, a), ls_infer_text (self, b));
  return ls_infer_shaped_take (ls_extents_new (), dtype, x);
}

static gboolean
extents_differ (LsInfer    *self,
                const char *what,
                LsExpr     *a,
                LsExpr     *b)
{
  if (!ls_infer_differ (self, a, b))
    return FALSE;
  ls_infer_fail (self, "takes predictions, targets and weights that agree on %s; there are %s and %s.", what, ls_infer_text (self, a),
                 ls_infer_text (self, b));
  return TRUE;
}

/* predictions (N, C, d1, ..), targets (N, d1, ..), weights (C,); or (C,) and (). */
static gboolean
nll_fits (LsInfer            *self,
          LsTensorStructInfo *x,
          LsTensorStructInfo *targets,
          LsTensorStructInfo *weights)
{
  LsArray *a = ls_tensor_written_extents (x), *b = ls_tensor_written_extents (targets);
  LsArray *w = weights != NULL ? ls_tensor_written_extents (weights) : NULL;

  if (x->ndim == 0 || (x->ndim >= 0 && targets->ndim >= 0 && targets->ndim != x->ndim - 1))
    {
      ls_infer_fail (self, "takes targets of one dimension less than its predictions; they have %" PRId64 " and %" PRId64 ".",
                     targets->ndim, x->ndim);
      return FALSE;
    }
  if (weights != NULL && weights->ndim >= 0 && weights->ndim != 1)
    {
      ls_infer_fail (self, "takes weights of one dimension; they have %" PRId64 ".", weights->ndim);
      return FALSE;
    }
  if (a != NULL && w != NULL && extents_differ (self, "the number of classes", ls_extent_at (a, a->n > 1 ? 1 : 0), ls_extent_at (w, 0)))
    return FALSE;
  for (guint i = 0; a != NULL && b != NULL && i < b->n; i++)
    if (extents_differ (self, "every other axis", ls_extent_at (a, i == 0 ? 0 : i + 1), ls_extent_at (b, i)))
      return FALSE;
  return TRUE;
}

/* The predictions without their axis of classes. */
static LsStructInfo *
without_classes (LsTensorStructInfo *x,
                 LsDType             dtype)
{
  LsArray *extents = ls_tensor_written_extents (x);
  GPtrArray *out;

  if (extents == NULL)
    return ls_infer_ranked (x->ndim < 0 ? LS_UNKNOWN_NDIM : x->ndim - 1, dtype, x);
  out = ls_extents_new ();
  for (guint i = 0; i < extents->n; i++)
    if (i != (extents->n > 1 ? 1 : 0))
      ls_extents_add (out, extents->items[i]);
  return ls_infer_shaped_take (out, dtype, x);
}

static LsStructInfo *
infer_nll (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *targets = x != NULL ? ls_infer_tensor (self, 1) : NULL, *weights = NULL;
  const char *reduction = ls_infer_str (self, "reduction", "mean");
  LsDType dtype = x != NULL ? x->dtype : LS_VOID;

  if (targets == NULL || (self->n > 2 && (weights = ls_infer_tensor (self, 2)) == NULL))
    return NULL;
  if (!ls_infer_is_int (self, 1, targets->dtype, "whole") || !nll_fits (self, x, targets, weights)
      || (weights != NULL && !ls_infer_common (self, x->dtype, weights->dtype, &dtype)))
    return NULL;
  if (strcmp (reduction, "mean") != 0 && strcmp (reduction, "sum") != 0 && strcmp (reduction, "none") != 0)
    return ls_infer_fail (self, "reduces by \"mean\", \"sum\" or \"none\", not \"%s\".", reduction);
  return strcmp (reduction, "none") == 0 ? without_classes (x, dtype) : ls_infer_shaped_take (ls_extents_new (), dtype, x);
}

const LsRelaxOpRow ls_relax_ops_norm[] = {
  { "nn.batch_norm", "data gamma beta moving_mean moving_var | axis:int epsilon:float=1e-05 center:bool=True scale:bool=True "
    "momentum:float=0.1 training:bool=True", infer_batch_norm },
  { "nn.cross_entropy_with_logits", "predictions labels", infer_cross_entropy },
  { "nn.group_norm", "data gamma beta | num_groups:int channel_axis:int axes:ints epsilon:float=1e-05 center:bool=True scale:bool=True",
    infer_group_norm },
  { "nn.instance_norm", "data gamma beta | channel_axis:int axes:ints epsilon:float=1e-05 center:bool=True scale:bool=True", infer_instance_norm },
  { "nn.layer_norm", "data gamma beta | axes:ints epsilon:float=1e-05 center:bool=True scale:bool=True", infer_layer_norm },
  { "nn.log_softmax", "data | axis:int=-1", infer_softmax },
  { "nn.nll_loss", "predictions targets weights? | reduction:str=mean ignore_index:int=-100", infer_nll },
  { "nn.rms_norm", "data weight | axes:ints=-1 epsilon:float=1e-05", infer_layer_norm },
  { "nn.softmax", "data | axis:int=-1", infer_softmax },
  { NULL }
};
