/* sequence: tensors of sequences of different lengths, padded to one: sequence_mask, reverse_sequence. */
#include "engine/topi/topi-private.h"

#include <inttypes.h>

/* A length for each sequence. */
static gboolean
check_lengths (const char *op,
               LsTeTensor *x,
               LsTeTensor *lengths,
               guint       batch,
               GError    **error)
{
  if (lengths->shape->n != 1)
    return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.%s: the lengths are a tensor of 1 dimension, not %u", op, lengths->shape->n);
  if (lengths->dtype.code != LS_TYPE_INT || lengths->dtype.lanes != 1)
    return ls_topi_fail (error, LS_TE_ERROR_DTYPE, "topi.%s: the lengths are whole numbers, not %s", op, ls_dtype_name (lengths->dtype));
  if (ls_is (DIM (x, batch), INT_IMM) && ls_is (DIM (lengths, 0), INT_IMM) && !ls_topi_same (DIM (x, batch), DIM (lengths, 0)))
    return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.%s: %" PRId64 " sequences need as many lengths, not %" PRId64, op,
                         ((LsIntImm *) DIM (x, batch))->value, ((LsIntImm *) DIM (lengths, 0))->value);
  return TRUE;
}

LsTeTensor *
ls_topi_sequence_mask (LsTeTensor *x,
                       LsTeTensor *lengths,
                       double      mask_value,
                       gint64      axis,
                       GError    **error)
{
  GPtrArray *indices;
  LsArray *axes;
  LsExpr *value;

  if (x == NULL || lengths == NULL)
    return NULL;
  if (axis < 0 || axis > 1 || x->shape->n < 2)
    {
      ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.sequence_mask: the axis of the steps is 0 or 1 of at least 2 dimensions");
      return NULL;
    }
  if (!check_lengths ("sequence_mask", x, lengths, (guint) (1 - axis), error))
    return NULL;
  axes = ls_te_axes (x->shape, "ax*");
  indices = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    g_ptr_array_add (indices, AX (i));
  value = ls_te_load (x, ls_array_take_ptr_array (indices));
  value = ls_if_then_else (ls_ge (AX ((guint) axis), ls_te_load (lengths, ls_topi_list (AX ((guint) (1 - axis)), NULL))),
                           ls_te_const (x->dtype, mask_value), value);
  return ls_te_compute ("T_sequence_mask", LS_TAG_INJECTIVE, NULL, axes, value, error);
}

/* The step that stands at `at` of a sequence of `length`, of `extent` there are: what lies behind the length stays. */
static LsExpr *
mirrored (LsExpr *at,
          LsExpr *length,
          LsExpr *extent)
{
  LsExpr *last = ls_sub (ls_if_then_else (ls_gt (REF (length), REF (extent)), REF (extent), REF (length)), ls_int (1));

  return ls_if_then_else (ls_or (ls_le (REF (length), ls_int (1)), ls_le (REF (length), REF (at))), REF (at), ls_sub (last, REF (at)));
}

LsTeTensor *
ls_topi_reverse_sequence (LsTeTensor *x,
                          LsTeTensor *lengths,
                          gint64      seq_axis,
                          gint64      batch_axis,
                          GError    **error)
{
  GPtrArray *indices;
  LsArray *axes;
  guint steps, batch;

  if (x == NULL || lengths == NULL || !ls_topi_axis ("topi.reverse_sequence", seq_axis, x->shape->n, &steps, error) ||
      !ls_topi_axis ("topi.reverse_sequence", batch_axis, x->shape->n, &batch, error) ||
      !check_lengths ("reverse_sequence", x, lengths, batch, error))
    return NULL;
  axes = ls_te_axes (x->shape, "ax*");
  indices = g_ptr_array_new ();
  for (guint i = 0; i < x->shape->n; i++)
    if (i != steps)
      g_ptr_array_add (indices, AX (i));
    else
      {
        g_autoptr (LsExpr) length = ls_te_load (lengths, ls_topi_list (AX (batch), NULL)), at = AX (i);

        g_ptr_array_add (indices, mirrored (at, length, DIM (x, i)));
      }
  return ls_te_compute ("T_reverse_sequence", LS_TAG_INJECTIVE, NULL, axes, ls_te_load (x, ls_array_take_ptr_array (indices)), error);
}
