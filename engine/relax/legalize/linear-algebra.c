/* legalize/linear-algebra: matmul with numpy's batches as one stage, einsum, outer. */
#include "engine/relax/legalize/legalize.h"

static LsExpr *
batch_extent (LsTeTensor *x,
              guint       from_end)
{
  guint own = x->shape->n > 2 ? x->shape->n - 2 : 0;

  return from_end < own ? LS_EXPR (x->shape->items[own - 1 - from_end]) : NULL;
}

/* Element [batch, first, second] of an operand; where its batch extent is 1 and the other's is another, the index is 0.
 * Takes first (NULL: not there) and second. */
static LsExpr *
element (LsTeTensor *x,
         LsTeTensor *other,
         LsArray    *axes,
         guint       n_batch,
         LsExpr     *first,
         LsExpr     *second,
         LsDType     dtype)
{
  GPtrArray *indices = g_ptr_array_new ();
  LsExpr *value;

  for (guint i = 0; i < n_batch; i++)
    {
      LsExpr *mine = batch_extent (x, n_batch - 1 - i), *theirs = batch_extent (other, n_batch - 1 - i);

      if (mine != NULL)
        g_ptr_array_add (indices, ls_is_one (mine) && theirs != NULL && !ls_is_one (theirs) ? ls_int_imm_new (ls_dtype (mine), 0)
                         : ls_te_axis (axes, i));
    }
  if (first != NULL)
    g_ptr_array_add (indices, first);
  g_ptr_array_add (indices, second);
  value = ls_te_load (x, ls_array_take_ptr_array (indices));
  return ls_dtype_is_void (dtype) ? value : ls_cast (dtype, value);
}

static LsNode *
matmul (LsLegalize *self)
{
  LsTeTensor *a = ls_legalize_tensor (self, 0), *b = ls_legalize_tensor (self, 1);
  LsArray *shape = ls_legalize_shape (self), *axes;
  LsDType dtype = ls_infer_dtype (&self->infer, "out_dtype", LS_VOID);
  LsIterVar *sum;
  LsExpr *x, *y;
  guint rows, columns, n_batch;
  LsArray *left, *right;

  if (a == NULL || b == NULL || shape == NULL)
    return ls_legalize_stay (self);
  rows = a->shape->n > 1;
  columns = b->shape->n > 1;
  left = ls_legalize_extents (self, 0);
  right = ls_legalize_extents (self, 1);
  if (left != NULL && right != NULL)
    ls_legalize_claim (self, ls_array_at (right, right->n - 1 - columns, LsExpr), ls_array_at (left, left->n - 1, LsExpr));
  n_batch = shape->n - rows - columns;
  axes = ls_te_axes (shape, "i*");
  sum = ls_te_reduce_range ("k", LS_EXPR (a->shape->items[a->shape->n - 1]));
  x = element (a, b, axes, n_batch, rows ? ls_te_axis (axes, n_batch) : NULL, ls_te_iter (sum), dtype);
  y = columns ? element (b, a, axes, n_batch, ls_te_iter (sum), ls_te_axis (axes, n_batch + rows), dtype)
      : element (b, a, axes, n_batch, NULL, ls_te_iter (sum), dtype);
  return ls_legalize_one (self, ls_te_compute ("matmul", NULL, NULL, axes, ls_te_sum (ls_mul (x, y), ls_array_of (sum, NULL)), &self->error));
}

static LsNode *
einsum (LsLegalize *self)
{
  LsArray *tensors = ls_legalize_tensors (self, 0);

  return ls_legalize_one (self, tensors != NULL ? ls_topi_einsum (ls_legalize_str (self, "subscripts"), tensors, &self->error) : NULL);
}

static LsNode *
outer (LsLegalize *self)
{
  LsTeTensor *a = ls_legalize_tensor (self, 0), *b = ls_legalize_tensor (self, 1);
  LsArray *shape = ls_legalize_shape (self), *axes;

  if (a == NULL || b == NULL || shape == NULL)
    return ls_legalize_stay (self);
  axes = ls_te_axes (shape, "i j");
  return ls_legalize_one (self, ls_te_compute ("outer", NULL, NULL, axes, ls_mul (ls_te_at (a, ls_te_axis (axes, 0), NULL), ls_te_at (b, ls_te_axis (axes, 1), NULL)),
                                               &self->error));
}

const LsLegalizeRow ls_legalize_linear_algebra[] = {
  { "einsum", einsum }, { "matmul", matmul }, { "outer", outer },
  { NULL }
};
