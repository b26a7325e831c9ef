/* iter-divide: bindings as outer * extent (inner) + inner.
 *
 * Works upwards from the input iterators: those in the subspace are inner, the others
 * outer.  A sum divides if its outer splits stand left of its inner ones; a split of a mark
 * divides if the boundary between the mark's outer and inner part falls between two splits.
 * A bound on a sum stays a predicate of the one side that the sum lies in.
 * The method is that of TVM v0.20's SubspaceDivide.
 */
#include "engine/arith/iter-private.h"

typedef enum { SIDE_MIXED, SIDE_INNER, SIDE_OUTER } Side;

/* outer * inner_extent + inner; expressions borrowed from the pool. */
typedef struct {
  LsExpr *outer, *outer_extent;
  LsExpr *inner, *inner_extent;
  Side    side;
} Division;

typedef struct {
  LsAnalyzer *analyzer;
  LsPool      pool;
  LsMarkTable table;
  GHashTable *sub_iters;
  GHashTable *known;            /* LsIterSplit -> Division */
  LsExpr     *outer_predicate;
  LsExpr     *inner_predicate;
  gboolean    failed;
} Divider;

static LsExpr *
empty_sum (Divider *self,
           LsExpr  *base)
{
  return ls_pool_own (&self->pool, ls_iter_sum_new (ls_array_empty (), ls_ref (base)));
}

static Division
one_sided (Divider *self,
           Side     side,
           LsExpr  *iter,
           LsExpr  *extent)
{
  LsExpr *nothing = empty_sum (self, ls_pool_const (&self->pool, ls_dtype (iter), 0));
  LsExpr *one = ls_pool_const (&self->pool, ls_dtype (iter), 1);

  if (side == SIDE_INNER)
    return (Division) { nothing, one, iter, extent, side };
  return (Division) { iter, extent, nothing, one, side };
}

static Division
fail (Divider *self)
{
  LsExpr *zero = ls_pool_own (&self->pool, ls_int (0));
  LsExpr *sum = empty_sum (self, zero);

  self->failed = TRUE;
  return (Division) { sum, zero, sum, zero, SIDE_MIXED };
}

static Division divide_split (Divider *self, LsIterSplit *split);

static LsIterSplit *
as_split (Divider *self,
          LsExpr  *iter,
          LsExpr  *extent)
{
  LsIterMark *mark;

  if (ls_is (iter, ITER_SPLIT))
    return (LsIterSplit *) iter;
  mark = ls_pool_own (&self->pool, ls_iter_mark_new (ls_ref (iter), ls_ref (extent)));
  return ls_pool_own (&self->pool, ls_iter_split_of_mark (mark));
}

/* Splits from inner to outer as a sum whose scales follow from their extents. */
static LsExpr *
stack_splits (Divider   *self,
              GPtrArray *splits,
              LsExpr    *base,
              LsExpr   **extent)
{
  LsNode **items = g_new (LsNode *, splits->len + 1);
  LsExpr *sum;

  *extent = ls_pool_const (&self->pool, ls_dtype (base), 1);
  for (guint i = 0; i < splits->len; i++)
    {
      LsIterSplit *split = splits->pdata[i];

      items[splits->len - 1 - i] = LS_NODE (ls_iter_split_new (ls_ref (split->source), ls_ref (split->lower_factor),
                                                               ls_ref (split->extent), ls_ref (*extent)));
      *extent = ls_pool_mul (&self->pool, *extent, split->extent);
    }
  sum = ls_pool_own (&self->pool, ls_iter_sum_new (ls_array_new (items, splits->len), ls_ref (base)));
  g_free (items);
  return sum;
}

static Division
with_base (Divider *self,
           Division division,
           LsExpr  *base)
{
  LsIterSum *sum = (LsIterSum *) division.inner;

  if (ls_is_zero (base))
    return division;
  if (ls_is (division.inner, ITER_SPLIT))
    division.inner = ls_pool_own (&self->pool, ls_iter_sum_new (ls_array_of (ls_ref (division.inner), NULL), ls_ref (base)));
  else
    division.inner = ls_pool_own (&self->pool, ls_iter_sum_new (ls_ref (sum->args), ls_add (ls_ref (sum->base), ls_ref (base))));
  return division;
}

static LsExpr *
and_below (Divider *self,
           LsExpr  *predicate,
           LsExpr  *sum,
           LsExpr  *extent)
{
  return ls_pool_own (&self->pool, ls_and (ls_ref (predicate),
                                           ls_lt (ls_iter_map_to_expr_with (sum, self->analyzer), ls_ref (extent))));
}

/* The sum is shorter than its parts: it must lie on one side, with a predicate there.  The predicate has an upper end
 * only, so that a sum that is bounded from below (it has a base then) does not divide. */
static Division
bounded_sum (Divider   *self,
             GPtrArray *outer,
             GPtrArray *inner,
             LsExpr    *outer_sum,
             LsExpr    *inner_sum,
             LsExpr    *extent)
{
  if (!ls_is_zero (((LsIterSum *) inner_sum)->base))
    return fail (self);
  if (inner->len == 0)
    {
      self->outer_predicate = and_below (self, self->outer_predicate, outer_sum, extent);
      return one_sided (self, SIDE_OUTER, outer_sum, extent);
    }
  if (outer->len == 0)
    {
      self->inner_predicate = and_below (self, self->inner_predicate, inner_sum, extent);
      return one_sided (self, SIDE_INNER, inner_sum, extent);
    }
  return fail (self);
}

/* Sorts the splits of a sum by side, innermost first.  FALSE when an inner one stands left of an outer one. */
static gboolean
sort_by_side (Divider   *self,
              LsIterSum *sum,
              GPtrArray *outer,
              GPtrArray *inner,
              LsExpr   **extent)
{
  gboolean unit_scale = FALSE;

  for (guint i = ls_sum_n (sum); i-- > 0;)
    {
      LsIterSplit *split = ls_sum_at (sum, i);
      Division division = divide_split (self, split);
      LsIterSplit *part;

      unit_scale = unit_scale || ls_is_one (split->scale);
      if (division.side == SIDE_MIXED || (division.side == SIDE_INNER && outer->len > 0))
        return FALSE;
      if (division.side == SIDE_INNER)
        part = as_split (self, division.inner, division.inner_extent);
      else
        part = as_split (self, division.outer, division.outer_extent);
      g_ptr_array_add (division.side == SIDE_INNER ? inner : outer, part);
      *extent = ls_pool_mul (&self->pool, *extent, part->extent);
    }
  return unit_scale;
}

static Division
divide_sum (Divider   *self,
            LsIterSum *sum,
            LsExpr    *mark_extent)
{
  LsDType t = ls_dtype (sum);
  LsExpr *zero = ls_pool_const (&self->pool, t, 0);
  LsExpr *extent = ls_pool_const (&self->pool, t, 1);
  LsExpr *outer_sum, *inner_sum, *outer_extent, *inner_extent;
  g_autoptr (GPtrArray) outer = g_ptr_array_new ();
  g_autoptr (GPtrArray) inner = g_ptr_array_new ();

  if (ls_sum_n (sum) == 0)
    return (Division) { empty_sum (self, zero), extent, empty_sum (self, sum->base), extent, SIDE_MIXED };
  if (ls_sum_n (sum) == 1)
    return ls_is_one (ls_sum_at (sum, 0)->scale) ? with_base (self, divide_split (self, ls_sum_at (sum, 0)), sum->base)
                                                 : fail (self);
  if (!sort_by_side (self, sum, outer, inner, &extent))
    return fail (self);
  outer_sum = stack_splits (self, outer, zero, &outer_extent);
  inner_sum = stack_splits (self, inner, sum->base, &inner_extent);
  if (!ls_analyzer_can_prove_equal (self->analyzer, extent, mark_extent))
    return bounded_sum (self, outer, inner, outer_sum, inner_sum, mark_extent);
  return (Division) { outer_sum, outer_extent, inner_sum, inner_extent, SIDE_MIXED };
}

static void
remember (Divider     *self,
          LsIterSplit *split,
          Division     division)
{
  Division *copy;

  if (g_hash_table_contains (self->known, split))
    return;
  copy = g_new (Division, 1);
  *copy = division;
  g_hash_table_insert (self->known, split, copy);
}

/* Puts the splits in order and cuts them where they reach the inner extent. */
static gboolean
cut_at_boundary (Divider        *self,
                 GPtrArray      *splits,
                 const Division *mark,
                 GPtrArray      *outer,
                 GPtrArray      *inner)
{
  g_autofree gboolean *used = g_new0 (gboolean, splits->len + 1);
  gboolean passed = mark->side == SIDE_OUTER;
  LsExpr *factor = ls_pool_const (&self->pool, ls_dtype (((LsIterSplit *) splits->pdata[0])->source->source), 1);

  for (guint i = 0; i < splits->len; i++)
    {
      guint j;

      for (j = 0; j < splits->len; j++)
        if (!used[j] &&
            ls_analyzer_can_prove_equal (self->analyzer, ((LsIterSplit *) splits->pdata[j])->lower_factor, factor))
          break;
      if (j == splits->len)
        return FALSE;
      used[j] = TRUE;
      g_ptr_array_add (passed ? outer : inner, splits->pdata[j]);
      factor = ls_pool_mul (&self->pool, factor, ((LsIterSplit *) splits->pdata[j])->extent);
      passed = passed || ls_analyzer_can_prove_equal (self->analyzer, factor, mark->inner_extent);
    }
  return passed;
}

static void
remember_part (Divider     *self,
               LsIterSplit *split,
               Side         side,
               LsIterMark  *source,
               LsExpr      *lower_factor)
{
  LsIterSplit *part = ls_pool_own (&self->pool, ls_iter_split_new (ls_ref (source), ls_ref (lower_factor),
                                                                   ls_ref (split->extent), ls_ref (split->scale)));

  remember (self, split, one_sided (self, side, LS_EXPR (part), split->extent));
}

/* Divides all splits of a mark that is a sum; FALSE when the boundary falls inside one. */
static gboolean
divide_parts (Divider        *self,
              GPtrArray      *splits,
              const Division *mark)
{
  g_autoptr (GPtrArray) outer = g_ptr_array_new ();
  g_autoptr (GPtrArray) inner = g_ptr_array_new ();
  LsIterMark *outer_mark, *inner_mark;

  if (!ls_is (mark->outer, ITER_SUM) || !ls_is (mark->inner, ITER_SUM) ||
      !cut_at_boundary (self, splits, mark, outer, inner))
    return FALSE;
  outer_mark = ls_pool_own (&self->pool, ls_iter_mark_new (ls_ref (mark->outer), ls_ref (mark->outer_extent)));
  inner_mark = ls_pool_own (&self->pool, ls_iter_mark_new (ls_ref (mark->inner), ls_ref (mark->inner_extent)));
  for (guint i = 0; i < inner->len; i++)
    remember_part (self, inner->pdata[i], SIDE_INNER, inner_mark, ((LsIterSplit *) inner->pdata[i])->lower_factor);
  for (guint i = 0; i < outer->len; i++)
    remember_part (self, outer->pdata[i], SIDE_OUTER, outer_mark,
                   ls_pool_floordiv (&self->pool, ((LsIterSplit *) outer->pdata[i])->lower_factor,
                                     ((LsIterSplit *) outer->pdata[0])->lower_factor));
  return TRUE;
}

static Division
divide_split (Divider     *self,
              LsIterSplit *split)
{
  Division *known = g_hash_table_lookup (self->known, split);
  LsIterMark *mark = split->source;
  GPtrArray *splits;
  Division division;

  if (known != NULL)
    return *known;
  splits = ls_mark_table_splits (&self->table, mark);
  if (splits == NULL)
    return fail (self);
  if (ls_is_var (mark->source))
    {
      Side side = g_hash_table_contains (self->sub_iters, mark->source) ? SIDE_INNER : SIDE_OUTER;

      for (guint i = 0; i < splits->len; i++)
        remember (self, splits->pdata[i],
                  one_sided (self, side, splits->pdata[i], ((LsIterSplit *) splits->pdata[i])->extent));
    }
  else if (ls_is (mark->source, ITER_SUM))
    {
      division = divide_sum (self, (LsIterSum *) mark->source, mark->extent);
      if (splits->len == 1)
        return division;
      if (!divide_parts (self, splits, &division))
        return fail (self);
    }
  known = g_hash_table_lookup (self->known, split);
  return known != NULL ? *known : fail (self);
}

/* ---- entry point ---------------------------------------------------------- */

void
ls_subspace_free (LsSubspace *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i <= self->n; i++)
    {
      ls_unref (self->outer[i]);
      ls_unref (self->inner[i]);
    }
  g_free (self->outer);
  g_free (self->inner);
  g_free (self);
}

static LsSubspace *
divide_all (Divider *self,
            LsArray *sums)
{
  LsExpr *zero = ls_pool_own (&self->pool, ls_int (0));
  LsExpr *nothing = empty_sum (self, zero);
  g_autoptr (LsSubspace) result = g_new0 (LsSubspace, 1);

  result->n = ls_array_n (sums);
  result->outer = g_new0 (LsIterMark *, result->n + 1);
  result->inner = g_new0 (LsIterMark *, result->n + 1);
  for (guint i = 0; i < result->n; i++)
    {
      Division d = divide_sum (self, ls_array_at (sums, i, LsIterSum), zero);

      if (self->failed)
        return NULL;
      result->outer[i] = ls_iter_mark_new (ls_ref (d.outer), ls_ref (d.outer_extent));
      result->inner[i] = ls_iter_mark_new (ls_ref (d.inner), ls_ref (d.inner_extent));
    }
  result->outer[result->n] = ls_iter_mark_new (ls_ref (nothing), ls_ref (self->outer_predicate));
  result->inner[result->n] = ls_iter_mark_new (ls_ref (nothing), ls_ref (self->inner_predicate));
  return g_steal_pointer (&result);
}

LsSubspace *
ls_subspace_divide (LsArray        *bindings,
                    const LsDomMap *input_iters,
                    LsArray        *sub_iters,
                    LsExpr         *predicate,
                    LsIterMapLevel  level,
                    LsAnalyzer     *analyzer,
                    gboolean        simplify_trivial_iterators)
{
  g_autoptr (LsAnalyzer) own = NULL;
  g_autoptr (LsIterMapResult) found = NULL;
  Divider self = { 0 };
  LsSubspace *result;

  if (!ls_iter_ranges_are_sane (input_iters))
    return NULL;
  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  found = ls_detect_iter_map (bindings, input_iters, predicate, level, analyzer, simplify_trivial_iterators);
  if (ls_array_n (found->indices) == 0)
    return NULL;
  self.analyzer = analyzer;
  ls_pool_init (&self.pool);
  ls_mark_table_init (&self.table, found->indices);
  self.sub_iters = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < ls_array_n (sub_iters); i++)
    g_hash_table_add (self.sub_iters, ls_array_at (sub_iters, i, LsVar));
  self.known = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self.outer_predicate = self.inner_predicate = ls_pool_own (&self.pool, ls_bool (TRUE));
  result = divide_all (&self, found->indices);
  g_hash_table_unref (self.known);
  g_hash_table_unref (self.sub_iters);
  ls_mark_table_clear (&self.table);
  ls_pool_clear (&self.pool);
  return result;
}
