/* nn-space: blocks of pixels as entries of the batch and back (topi.nn.space_to_batch_nd, batch_to_space_nd).
 *
 * Both are a reshape that tells the place in the block from the block, a transpose that brings it beside the batch or back, and
 * a reshape that makes one axis of what is side by side.  The dimensions behind the blocks' are left as they are.
 */
#include "engine/topi/topi-private.h"

#include <inttypes.h>

static gboolean
check_lists (const char *op,
             LsTeTensor *x,
             LsArray    *block,
             LsArray    *first,
             LsArray    *last,
             GError    **error)
{
  if (x->shape->n < block->n + 1)
    return ls_topi_fail (error, LS_TE_ERROR_SHAPE, "topi.nn.%s: blocks of %u dimensions need a tensor of at least %u, not %u", op, block->n, block->n + 1, x->shape->n);
  if (first->n != block->n || last->n != block->n)
    return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.%s: blocks of %u dimensions need as many numbers before and after, not %u and %u", op,
                         block->n, first->n, last->n);
  for (guint i = 0; i < block->n; i++)
    if (!ls_is (block->items[i], INT_IMM) || ((LsIntImm *) block->items[i])->value < 1)
      return ls_topi_fail (error, LS_TE_ERROR_ARGUMENT, "topi.nn.%s: the extents of a block are whole numbers from 1", op);
  return TRUE;
}

static LsExpr *
block_size (LsArray *block)
{
  LsExpr *size = ls_int (1);

  for (guint i = 0; i < block->n; i++)
    size = ls_mul (size, REF (block->items[i]));
  return ls_topi_simplify (size);
}

static LsTeTensor *
reshape (LsTeTensor *x,
         GPtrArray  *extents,
         GError    **error)
{
  g_autoptr (LsArray) shape = ls_array_take_ptr_array (extents);

  return x != NULL ? ls_topi_reshape (x, shape, error) : NULL;
}

static LsTeTensor *
transpose (LsTeTensor *x,
           GPtrArray  *order,
           GError    **error)
{
  g_autoptr (LsArray) axes = ls_array_take_ptr_array (order);

  return x != NULL ? ls_topi_transpose (x, axes, error) : NULL;
}

/* The extents of the tensor from dimension `begin` on. */
static void
add_rest (GPtrArray  *extents,
          LsTeTensor *x,
          guint       begin)
{
  for (guint i = begin; i < x->shape->n; i++)
    g_ptr_array_add (extents, ls_ref (DIM (x, i)));
}

/* ---- space to batch ------------------------------------------------------------------------- */

static LsTeTensor *
padded (LsTeTensor *x,
        LsArray    *before,
        LsArray    *after,
        double      value,
        GError    **error)
{
  g_autoptr (LsExpr) fill = ls_te_const (x->dtype, value);
  GPtrArray *lists[2] = { g_ptr_array_new (), g_ptr_array_new () };
  g_autoptr (LsArray) low = NULL;
  g_autoptr (LsArray) high = NULL;

  for (guint i = 0; i < x->shape->n; i++)
    {
      gboolean inside = i >= 1 && i <= before->n;

      g_ptr_array_add (lists[0], inside ? REF (before->items[i - 1]) : ls_int (0));
      g_ptr_array_add (lists[1], inside ? REF (after->items[i - 1]) : ls_int (0));
    }
  low = ls_array_take_ptr_array (lists[0]);
  high = ls_array_take_ptr_array (lists[1]);
  return ls_topi_nn_pad (x, low, high, fill, NULL, error);
}

static gboolean
check_blocks (LsTeTensor *whole,
              LsArray    *block,
              GError    **error)
{
  for (guint i = 0; i < block->n; i++)
    {
      gint64 extent, size = ((LsIntImm *) block->items[i])->value;

      if (ls_as_int (DIM (whole, i + 1), &extent) && extent % size != 0)
        return ls_topi_fail (error, LS_TE_ERROR_SHAPE,
                             "topi.nn.space_to_batch_nd: dimension %u has %" PRId64 " elements with its padding; blocks of %" PRId64 " do not fill it",
                             i + 1, extent, size);
    }
  return TRUE;
}

LsTeTensor *
ls_topi_nn_space_to_batch_nd (LsTeTensor *x,
                              LsArray    *block,
                              LsArray    *before,
                              LsArray    *after,
                              double      value,
                              GError    **error)
{
  g_autoptr (LsTeTensor) whole = NULL;
  g_autoptr (LsTeTensor) apart = NULL;
  g_autoptr (LsTeTensor) moved = NULL;
  GPtrArray *extents, *order, *merged;
  guint m;

  if (x == NULL || !check_lists ("space_to_batch_nd", x, block, before, after, error))
    return NULL;
  m = block->n;
  whole = padded (x, before, after, value, error);
  if (whole == NULL || !check_blocks (whole, block, error))
    return NULL;
  extents = g_ptr_array_new ();
  order = g_ptr_array_new ();
  merged = g_ptr_array_new ();
  g_ptr_array_add (extents, ls_ref (DIM (x, 0)));
  g_ptr_array_add (merged, ls_topi_simplify (ls_mul (ls_ref (DIM (x, 0)), block_size (block))));
  for (guint i = 0; i < m; i++)
    {
      LsExpr *blocks = ls_topi_simplify (ls_floordiv (ls_ref (DIM (whole, i + 1)), REF (block->items[i])));

      g_ptr_array_add (extents, REF (blocks));
      g_ptr_array_add (extents, REF (block->items[i]));
      g_ptr_array_add (merged, blocks);
      g_ptr_array_add (order, ls_int (2 * (int) i + 2));
    }
  g_ptr_array_add (order, ls_int (0));
  for (guint i = 0; i < m; i++)
    g_ptr_array_add (order, ls_int (2 * (int) i + 1));
  for (guint i = m + 1; i < x->shape->n; i++)
    g_ptr_array_add (order, ls_int ((int) (i + m)));
  add_rest (extents, whole, m + 1);
  add_rest (merged, whole, m + 1);
  apart = reshape (whole, extents, error);
  moved = transpose (apart, order, error);
  return reshape (moved, merged, error);
}

/* ---- batch to space --------------------------------------------------------------------------- */

/* Without what was padded. */
static LsTeTensor *
cropped (LsTeTensor *x,
         LsArray    *begin,
         LsArray    *end,
         GError    **error)
{
  GPtrArray *from = g_ptr_array_new (), *to = g_ptr_array_new (), *which = g_ptr_array_new ();
  g_autoptr (LsArray) first = NULL;
  g_autoptr (LsArray) last = NULL;
  g_autoptr (LsArray) axes = NULL;

  for (guint i = 0; i < begin->n; i++)
    {
      g_ptr_array_add (from, REF (begin->items[i]));
      g_ptr_array_add (to, ls_topi_simplify (ls_sub (ls_ref (DIM (x, i + 1)), REF (end->items[i]))));
      g_ptr_array_add (which, ls_int ((int) i + 1));
    }
  first = ls_array_take_ptr_array (from);
  last = ls_array_take_ptr_array (to);
  axes = ls_array_take_ptr_array (which);
  return ls_topi_strided_slice (x, first, last, NULL, axes, "end", error);
}

LsTeTensor *
ls_topi_nn_batch_to_space_nd (LsTeTensor *x,
                              LsArray    *block,
                              LsArray    *begin,
                              LsArray    *end,
                              GError    **error)
{
  g_autoptr (LsTeTensor) apart = NULL;
  g_autoptr (LsTeTensor) moved = NULL;
  g_autoptr (LsTeTensor) whole = NULL;
  LsExpr *batch;
  GPtrArray *extents, *order, *merged;
  guint m;

  if (x == NULL || !check_lists ("batch_to_space_nd", x, block, begin, end, error))
    return NULL;
  m = block->n;
  extents = g_ptr_array_new ();
  order = g_ptr_array_new ();
  merged = g_ptr_array_new ();
  batch = ls_topi_simplify (ls_floordiv (ls_ref (DIM (x, 0)), block_size (block)));
  for (guint i = 0; i < m; i++)
    g_ptr_array_add (extents, REF (block->items[i]));
  g_ptr_array_add (extents, REF (batch));
  g_ptr_array_add (merged, batch);
  g_ptr_array_add (order, ls_int ((int) m));
  for (guint i = 0; i < m; i++)
    {
      g_ptr_array_add (order, ls_int ((int) (m + 1 + i)));
      g_ptr_array_add (order, ls_int ((int) i));
      g_ptr_array_add (merged, ls_topi_simplify (ls_mul (ls_ref (DIM (x, i + 1)), REF (block->items[i]))));
    }
  for (guint i = m + 1; i < x->shape->n; i++)
    g_ptr_array_add (order, ls_int ((int) (i + m)));
  add_rest (extents, x, 1);
  add_rest (merged, x, m + 1);
  apart = reshape (x, extents, error);
  moved = transpose (apart, order, error);
  whole = reshape (moved, merged, error);
  return whole != NULL ? cropped (whole, begin, end, error) : NULL;
}
