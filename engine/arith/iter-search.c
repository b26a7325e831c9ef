/* iter-search: choosing the next split of a sum by its scale.
 *
 * A sum i*12 + j*4 + k is fused from its smallest scale upwards.  Scales may be symbolic,
 * so "smallest" is the smallest constant, else the product of fewest factors; of equal
 * scales, iterators of extent 1 come first because they do not change what is expected
 * next.  Sums are searched from the right, where the smallest usually stands.
 */
#include "engine/arith/iter-private.h"

void
ls_iter_unpack_product (LsExpr    *expr,
                        gint64    *constant,
                        GPtrArray *factors)
{
  if (ls_is (expr, MUL))
    {
      ls_iter_unpack_product (((LsBinary *) expr)->a, constant, factors);
      ls_iter_unpack_product (((LsBinary *) expr)->b, constant, factors);
    }
  else if (ls_is (expr, INT_IMM))
    *constant = (gint64) ((guint64) *constant * (guint64) ((LsIntImm *) expr)->value);
  else
    g_ptr_array_add (factors, expr);
}

LsExpr *
ls_iter_mul_normalized (LsIterRewriter *self,
                        LsExpr         *a,
                        LsExpr         *b)
{
  g_autoptr (GPtrArray) factors = NULL;
  LsExpr *result;
  gint64 constant = 1;

  if (ls_is (a, INT_IMM) && ls_is (b, INT_IMM) && ls_dtype_equal (ls_dtype (a), ls_dtype (b)))
    return ls_pool_own (&self->pool, ls_try_fold (LS_KIND_MUL, a, b));
  factors = g_ptr_array_new ();
  result = ls_pool_const (&self->pool, ls_dtype (a), 1);
  ls_iter_unpack_product (a, &constant, factors);
  ls_iter_unpack_product (b, &constant, factors);
  for (guint i = 0; i < factors->len; i++)
    result = ls_pool_mul (&self->pool, result, factors->pdata[i]);
  if (constant != 1)
    result = ls_pool_mul (&self->pool, result, ls_pool_const (&self->pool, ls_dtype (result), constant));
  return result;
}

static guint
n_factors (LsExpr *expr)
{
  if (!ls_is (expr, MUL))
    return 1;
  return n_factors (((LsBinary *) expr)->a) + n_factors (((LsBinary *) expr)->b);
}

static gboolean
is_candidate (LsIterSum      *sum,
              const gboolean *visited,
              LsIterMark     *source,
              gint            i)
{
  return !visited[i] && (source == NULL || ls_sum_at (sum, i)->source == source);
}

static gint
smallest_constant_scale (LsIterSum      *sum,
                         const gboolean *visited,
                         LsIterMark     *source,
                         gint            last)
{
  gint found = -1;
  gint64 smallest = 0, scale;

  for (gint i = last; i >= 0; i--)
    {
      LsIterSplit *split = ls_sum_at (sum, i);

      if (!is_candidate (sum, visited, source, i) || !ls_as_int (split->scale, &scale))
        continue;
      if (found == -1 || scale < smallest ||
          (scale == smallest && ls_is_one (split->extent) && !ls_is_one (ls_sum_at (sum, found)->extent)))
        {
          smallest = scale;
          found = i;
        }
    }
  return found;
}

/* As TVM, the second search starts from "no factors at all", so that it only decides when
 * no scale is constant. */
gint
ls_iter_find_base (LsIterSum      *sum,
                   const gboolean *visited,
                   LsIterMark     *source,
                   gint            last)
{
  gint found;
  guint fewest = 0;

  if (last < 0)
    last = (gint) ls_sum_n (sum) - 1;
  found = smallest_constant_scale (sum, visited, source, last);
  if (found != -1)
    return found;
  for (gint i = last; i >= 0; i--)
    if (is_candidate (sum, visited, source, i))
      {
        guint n = n_factors (ls_sum_at (sum, i)->scale);

        if (found == -1 || n < fewest)
          {
            fewest = n;
            found = i;
          }
      }
  return found;
}

gint
ls_iter_first_unit_extent (LsIterSum *sum)
{
  for (guint i = 0; i < ls_sum_n (sum); i++)
    if (ls_is_one (ls_sum_at (sum, i)->extent))
      return (gint) i;
  return (gint) ls_sum_n (sum);
}

gint
ls_iter_find_scale (LsIterRewriter *self,
                    LsIterSum      *sum,
                    const gboolean *visited,
                    LsExpr         *scale,
                    LsIterMark     *source,
                    gint            last,
                    gint            first_unit)
{
  gint found = -1;

  if (last < 0)
    last = (gint) ls_sum_n (sum) - 1;
  for (gint i = last; i >= 0; i--)
    {
      LsIterSplit *split = ls_sum_at (sum, i);

      if (!is_candidate (sum, visited, source, i) ||
          !ls_analyzer_can_prove_equal (self->analyzer, split->scale, scale))
        continue;
      if (ls_is_one (split->extent))
        return i;
      if (found == -1)
        found = i;
      if (i <= first_unit)
        return found;
    }
  return found;
}

gint
ls_iter_find_smaller_scale (LsIterRewriter *self,
                            LsIterSum      *sum,
                            const gboolean *visited,
                            LsExpr         *scale,
                            LsExpr        **matched)
{
  gint found = -1;

  for (gint i = (gint) ls_sum_n (sum) - 1; i >= 0; i--)
    {
      LsExpr *here = ls_sum_at (sum, i)->scale;

      if (visited[i] ||
          !ls_analyzer_can_prove_ge_value (self->analyzer, ls_pool_sub (&self->pool, scale, here), 0) ||
          !ls_analyzer_can_prove_ge_value (self->analyzer, here, 0))
        continue;
      if (found == -1 ||
          ls_analyzer_can_prove_lt_value (self->analyzer, ls_pool_sub (&self->pool, *matched, here), 0))
        {
          found = i;
          *matched = here;
        }
    }
  return found;
}
