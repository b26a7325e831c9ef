/* op/statistical: reductions, scans, argmax, bucketize, drawing from distributions. */
#include "engine/relax/op/op.h"

#include <inttypes.h>

static LsStructInfo *
infer_reduce (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  return x != NULL ? ls_infer_reduced (self, x, ls_infer_ints (self, "axis"), ls_infer_int (self, "keepdims", 0) != 0, x->dtype) : NULL;
}

static LsStructInfo *
infer_arg (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);

  return x != NULL ? ls_infer_reduced (self, x, ls_infer_ints (self, "axis"), ls_infer_int (self, "keepdims", 0) != 0, LS_INT64) : NULL;
}

static LsStructInfo *
infer_scan (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *extents = x != NULL ? ls_tensor_extents (x) : NULL;
  LsDType dtype;
  gint64 given;
  guint axis;
  GPtrArray *out;

  if (x == NULL)
    return NULL;
  dtype = ls_infer_dtype (self, "dtype", x->dtype);
  if (ls_infer_has_int (self, "axis", &given))
    return x->ndim < 0 || ls_infer_axis (self, given, x->ndim, &axis) ? ls_infer_like (x, dtype) : NULL;
  if (extents == NULL)
    return ls_infer_ranked (1, dtype, x);
  out = ls_extents_new ();
  ls_extents_add (out, ls_infer_product (self, extents, 0, extents->n));
  return ls_infer_shaped_take (out, dtype, x);
}

static LsStructInfo *
infer_bucketize (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0), *edges = x != NULL ? ls_infer_tensor (self, 1) : NULL;

  if (edges == NULL)
    return NULL;
  if (edges->ndim >= 0 && edges->ndim != 1)
    return ls_infer_fail (self, "takes boundaries of one dimension; they have %" PRId64 ".", edges->ndim);
  return ls_infer_like (x, ls_infer_int (self, "out_int32", 0) != 0 ? LS_INT32 : LS_INT64);
}

static LsStructInfo *
infer_multinomial (LsInfer *self)
{
  LsTensorStructInfo *x[3];

  for (guint i = 0; i < 3; i++)
    {
      if ((x[i] = ls_infer_tensor (self, i)) == NULL)
        return NULL;
      if (x[i]->ndim >= 0 && x[i]->ndim != 2)
        return ls_infer_fail (self, "takes tensors of two dimensions; %s has %" PRId64 ".", ls_infer_arg_name (self, i), x[i]->ndim);
      if (!(i < 2 ? ls_infer_is_float (self, i, x[i]->dtype) : ls_infer_is_int (self, i, x[i]->dtype, "whole")))
        return NULL;
    }
  return ls_infer_like (x[1], ls_infer_dtype (self, "dtype", LS_INT64));
}

/* With one axis also where in it the medians lie. */
static LsStructInfo *
infer_median (LsInfer *self)
{
  LsTensorStructInfo *x = ls_infer_tensor (self, 0);
  LsArray *axes = ls_infer_ints (self, "axis");
  gboolean keepdims = ls_infer_int (self, "keepdims", 0) != 0;
  g_autoptr (LsNode) values = NULL;
  LsStructInfo *places;

  if (x == NULL)
    return NULL;
  if (axes != NULL && axes->n > 1)
    return ls_infer_fail (self, "takes one axis or none; there are %u.", axes->n);
  if (axes != NULL && axes->n == 0)
    axes = NULL;
  if ((values = ls_infer_reduced (self, x, axes, keepdims, x->dtype)) == NULL || axes == NULL)
    return g_steal_pointer (&values);
  if ((places = ls_infer_reduced (self, x, axes, keepdims, LS_INT64)) == NULL)
    return NULL;
  return ls_infer_pair (g_steal_pointer (&values), places, NULL);
}

#define REDUCE(name) { name, "x | axis:ints=None keepdims:bool=False", infer_reduce }
#define ARG(name) { name, "x | axis:int=None keepdims:bool=False", infer_arg }
#define SCAN(name) { name, "data | axis:int=None dtype:dtype=void exclusive:bool=False", infer_scan }

const LsRelaxOpRow ls_relax_ops_statistical[] = {
  ARG ("argmax"), ARG ("argmin"), { "bucketize", "input_tensor boundaries | out_int32:bool=False right:bool=False", infer_bucketize },
  SCAN ("cumprod"), SCAN ("cumsum"), REDUCE ("max"), REDUCE ("mean"), { "median", "x | axis:ints=None keepdims:bool=False", infer_median }, REDUCE ("min"),
  { "multinomial_from_uniform", "prob uniform_sample sample_indices | dtype:dtype=int64", infer_multinomial },
  REDUCE ("prod"), REDUCE ("std"), REDUCE ("sum"), REDUCE ("variance"),
  { NULL }
};
