/* signature: parameters in order: array or number, element type, number of dimensions, extents. */
#include "engine/tir/signature.h"

static gboolean
same_shape (LsArray *a,
            LsArray *b)
{
  if (a->n != b->n)
    return FALSE;
  for (guint i = 0; i < a->n; i++)
    {
      gint64 left = -1, right = -1;
      gboolean left_known = ls_as_int (ls_array_at (a, i, LsExpr), &left);
      gboolean right_known = ls_as_int (ls_array_at (b, i, LsExpr), &right);

      if (left_known != right_known || left != right)
        return FALSE;
    }
  return TRUE;
}

static LsSignatureDiff
compare_param (LsPrimFunc *a,
               LsPrimFunc *b,
               guint       i)
{
  LsBuffer *left = ls_prim_func_get_buffer (a, i), *right = ls_prim_func_get_buffer (b, i);

  if ((left == NULL) != (right == NULL))
    return LS_SIGNATURE_KIND;
  if (left == NULL)
    return ls_dtype_equal (ls_dtype (a->params->items[i]), ls_dtype (b->params->items[i])) ? LS_SIGNATURE_SAME : LS_SIGNATURE_DTYPE;
  if (!ls_dtype_equal (left->dtype, right->dtype))
    return LS_SIGNATURE_DTYPE;
  return same_shape (left->shape, right->shape) ? LS_SIGNATURE_SAME : LS_SIGNATURE_SHAPE;
}

LsSignatureDiff
ls_prim_func_compare_signature (LsPrimFunc *a,
                                LsPrimFunc *b,
                                guint      *param)
{
  if (param != NULL)
    *param = 0;
  if (a->params->n != b->params->n)
    return LS_SIGNATURE_COUNT;
  for (guint i = 0; i < a->params->n; i++)
    {
      LsSignatureDiff diff = compare_param (a, b, i);

      if (param != NULL)
        *param = i;
      if (diff != LS_SIGNATURE_SAME)
        return diff;
    }
  return LS_SIGNATURE_SAME;
}
