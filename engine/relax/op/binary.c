/* op/binary: elementwise operators of two operands, comparisons, ewise_fma and where.  Shapes broadcast as numpy's; an
 * operand may be a scalar. */
#include "engine/relax/op/op.h"

#include <inttypes.h>

typedef struct { LsArray *extents; gint64 ndim; LsDType dtype; } Operand;

static gboolean
operand (LsInfer *self,
         guint    i,
         Operand *out)
{
  LsNode *info = i < self->n ? self->infos[i] : NULL;

  if (ls_is (info, TENSOR_STRUCT_INFO))
    *out = (Operand) { ls_tensor_extents ((LsTensorStructInfo *) info), ((LsTensorStructInfo *) info)->ndim, ((LsTensorStructInfo *) info)->dtype };
  else if (ls_is (info, PRIM_STRUCT_INFO))
    *out = (Operand) { ls_infer_keep (self, ls_array_empty ()), 0, ((LsPrimStructInfo *) info)->dtype };
  else
    {
      ls_infer_fail (self, "takes a tensor or a scalar as %s, which is %s here.", ls_infer_arg_name (self, i),
                     info != NULL ? ls_infer_text (self, info) : ls_translate ("missing"));
      return FALSE;
    }
  return TRUE;
}

static LsNode *
shape_of (LsInfer *self,
          guint    i)
{
  return ls_is (self->infos[i], TENSOR_STRUCT_INFO) ? ((LsTensorStructInfo *) self->infos[i])->shape : NULL;
}

static gboolean
common_device (LsInfer             *self,
               LsTensorStructInfo **out)
{
  *out = NULL;
  for (guint i = 0; i < 2; i++)
    {
      LsTensorStructInfo *x = (LsTensorStructInfo *) self->infos[i];

      if (!ls_is (x, TENSOR_STRUCT_INFO) || x->vdevice == NULL)
        continue;
      if (*out != NULL && !ls_structural_equal ((*out)->vdevice, x->vdevice, FALSE, NULL, NULL))
        {
          ls_infer_fail (self, "takes operands of one device.");
          return FALSE;
        }
      *out = x;
    }
  return TRUE;
}

static LsStructInfo *
infer_broadcast (LsInfer  *self,
                 gboolean  compare)
{
  Operand a, b;
  LsDType dtype = LS_BOOL;
  LsTensorStructInfo *like;
  LsArray *both = NULL;

  if (!operand (self, 0, &a) || !operand (self, 1, &b) || (!compare && !ls_infer_common (self, a.dtype, b.dtype, &dtype))
      || !common_device (self, &like))
    return NULL;
  if (ls_is (self->infos[0], PRIM_STRUCT_INFO) && ls_is (self->infos[1], PRIM_STRUCT_INFO))
    return ls_prim_struct_info_new (NULL, dtype);
  if (a.extents != NULL && b.extents != NULL)
    {
      if (!ls_infer_broadcast (self, a.extents, b.extents, &both))
        return NULL;
      if (both != NULL)
        return ls_infer_shaped (both, dtype, like);
    }
  if (shape_of (self, 0) != NULL && shape_of (self, 0) == shape_of (self, 1))
    return ls_tensor_struct_info_new (ls_node_ref (shape_of (self, 0)), a.ndim, dtype, like != NULL ? ls_node_ref (like->vdevice) : NULL);
  return ls_infer_ranked (a.ndim < 0 || b.ndim < 0 ? LS_UNKNOWN_NDIM : MAX (a.ndim, b.ndim), dtype, like);
}

static LsStructInfo *
infer_arith (LsInfer *self)
{
  return infer_broadcast (self, FALSE);
}

static LsStructInfo *
infer_compare (LsInfer *self)
{
  return infer_broadcast (self, TRUE);
}

static LsStructInfo *
infer_fma (LsInfer *self)
{
  LsTensorStructInfo *x[3];
  LsArray *extents[3];
  LsDType dtype;
  gint64 ndim = LS_UNKNOWN_NDIM;
  gboolean known = TRUE;

  for (guint i = 0; i < 3; i++)
    if ((x[i] = ls_infer_tensor (self, i)) == NULL)
      return NULL;
  if (!ls_infer_common (self, x[0]->dtype, x[1]->dtype, &dtype) || !ls_infer_common (self, dtype, x[2]->dtype, &dtype))
    return NULL;
  for (guint i = 0; i < 3; i++)
    {
      extents[i] = ls_tensor_written_extents (x[i]);
      if (x[i]->ndim >= 0 && ndim >= 0 && x[i]->ndim != ndim)
        return ls_infer_fail (self, "takes tensors of one number of dimensions; they have %" PRId64 " and %" PRId64 ".",
                              ndim, x[i]->ndim);
      if (x[i]->ndim >= 0)
        ndim = x[i]->ndim;
      for (guint k = 0; k < i && extents[i] != NULL && extents[k] != NULL; k++)
        for (guint d = 0; d < extents[i]->n; d++)
          if (ls_infer_differ (self, ls_extent_at (extents[i], d), ls_extent_at (extents[k], d)))
            return ls_infer_fail (self, "takes tensors of one shape; they are %s and %s.", ls_infer_text (self, extents[k]), ls_infer_text (self, extents[i]));
          else
            known = known && ls_infer_same (self, ls_extent_at (extents[i], d), ls_extent_at (extents[k], d));
      known = known && extents[i] != NULL;
    }
  if (x[0]->shape != NULL && x[0]->shape == x[1]->shape && x[0]->shape == x[2]->shape)
    return ls_infer_like (x[0], dtype);
  return known ? ls_infer_shaped (extents[0], dtype, x[0]) : ls_infer_ranked (ndim, dtype, x[0]);
}

static LsStructInfo *
infer_where (LsInfer *self)
{
  LsTensorStructInfo *x[3];
  LsArray *all = NULL;
  LsDType dtype;
  gint64 ndim = 0;

  for (guint i = 0; i < 3; i++)
    {
      if ((x[i] = ls_infer_tensor (self, i)) == NULL)
        return NULL;
      ndim = ndim < 0 || x[i]->ndim < 0 ? LS_UNKNOWN_NDIM : MAX (ndim, x[i]->ndim);
    }
  if (!ls_dtype_is_void (x[0]->dtype) && !ls_dtype_is_bool (x[0]->dtype))
    return ls_infer_fail (self, "takes bool as its condition, which is %s here.", ls_dtype_name (x[0]->dtype));
  if (!ls_infer_common (self, x[1]->dtype, x[2]->dtype, &dtype))
    return NULL;
  all = ls_tensor_extents (x[1]);
  if (all == NULL || ls_tensor_extents (x[2]) == NULL || ls_tensor_extents (x[0]) == NULL)
    return ls_infer_ranked (ndim, dtype, x[1]);
  if (!ls_infer_broadcast (self, all, ls_tensor_extents (x[2]), &all)
      || (all != NULL && !ls_infer_broadcast (self, ls_tensor_extents (x[0]), all, &all)))
    return NULL;
  return all != NULL ? ls_infer_shaped (all, dtype, x[1]) : ls_infer_ranked (ndim, dtype, x[1]);
}

#define ARITH(name) { name, "x1 x2", infer_arith }
#define COMPARE(name) { name, "x1 x2", infer_compare }

const LsRelaxOpRow ls_relax_ops_binary[] = {
  ARITH ("add"), ARITH ("atan2"), ARITH ("bitwise_and"), ARITH ("bitwise_or"), ARITH ("bitwise_xor"), ARITH ("divide"), ARITH ("floor_divide"),
  ARITH ("floor_mod"), ARITH ("left_shift"), ARITH ("log_add_exp"), ARITH ("logical_and"), ARITH ("logical_or"), ARITH ("logical_xor"),
  ARITH ("maximum"), ARITH ("minimum"), ARITH ("mod"), ARITH ("multiply"), ARITH ("power"), ARITH ("right_shift"), ARITH ("subtract"),
  COMPARE ("equal"), COMPARE ("greater"), COMPARE ("greater_equal"), COMPARE ("less"), COMPARE ("less_equal"), COMPARE ("not_equal"),
  { "ewise_fma", "x1 x2 x3", infer_fma }, { "where", "condition x1 x2", infer_where },
  { NULL }
};
