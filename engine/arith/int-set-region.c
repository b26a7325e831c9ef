/* int-set-region: regions (a set for each dimension), united and estimated over domains.
 *
 * The estimates detect the starts of the ranges as affine iteration maps.  When that
 * succeeds, each dimension is one fused iterator and the touched interval is exact; when
 * it does not, dimensions are tried one by one, and what is left is evaluated by
 * intervals.  Rules as TVM v0.20's EstimateRegion{Strict,Lower,Upper}Bound.
 */
#include "engine/arith/iter-map.h"
#include "engine/arith/pool.h"

LsNDIntSet *
ls_nd_int_set_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) ls_int_set_unref);
}

LsNDIntSet *
ls_nd_int_set_from_region (LsArray *region)
{
  LsNDIntSet *self = ls_nd_int_set_new ();

  for (guint i = 0; i < ls_array_n (region); i++)
    g_ptr_array_add (self, ls_int_set_from_range (ls_array_at (region, i, LsRange)));
  return self;
}

LsNDIntSet *
ls_nd_int_set_from_point (LsArray *indices)
{
  LsNDIntSet *self = ls_nd_int_set_new ();

  for (guint i = 0; i < ls_array_n (indices); i++)
    g_ptr_array_add (self, ls_int_set_vector (ls_array_at (indices, i, LsExpr)));
  return self;
}

void
ls_nd_int_set_union_with (LsNDIntSet *self,
                          LsNDIntSet *other)
{
  if (self->len == 0)
    {
      for (guint i = 0; i < other->len; i++)
        g_ptr_array_add (self, ls_int_set_ref (other->pdata[i]));
      return;
    }
  g_return_if_fail (self->len == other->len);
  for (guint i = 0; i < self->len; i++)
    {
      LsIntSet *both[2] = { self->pdata[i], other->pdata[i] };
      LsIntSet *sum = ls_int_set_union (both, 2);

      ls_int_set_unref (self->pdata[i]);
      self->pdata[i] = sum;
    }
}

LsNDIntSet *
ls_nd_int_set_eval (LsNDIntSet     *self,
                    const LsDomMap *dom)
{
  LsNDIntSet *result = ls_nd_int_set_new ();

  for (guint i = 0; i < self->len; i++)
    g_ptr_array_add (result, ls_eval_set_set (self->pdata[i], dom));
  return result;
}

typedef LsIntSet *(*UnionFunc) (LsIntSet **sets, guint n);

static LsNDIntSet *
union_by (LsNDIntSet **sets,
          guint        n,
          UnionFunc    unite)
{
  LsNDIntSet *result = ls_nd_int_set_new ();
  g_autofree LsIntSet **column = g_new (LsIntSet *, MAX (n, 1));

  for (guint d = 0; n > 0 && d < sets[0]->len; d++)
    {
      for (guint i = 0; i < n; i++)
        column[i] = sets[i]->pdata[d];
      g_ptr_array_add (result, unite (column, n));
    }
  return result;
}

LsNDIntSet *
ls_nd_int_set_union (LsNDIntSet **sets,
                     guint        n)
{
  return union_by (sets, n, ls_int_set_union);
}

LsNDIntSet *
ls_nd_int_set_union_lower_bound (LsNDIntSet **sets,
                                 guint        n)
{
  return union_by (sets, n, ls_int_set_union_lower_bound);
}

/* ---- estimates ------------------------------------------------------------ */

static gboolean
proves_zero (LsAnalyzer *analyzer,
             LsExpr     *e)
{
  return ls_pool_proves (analyzer, ls_eq (ls_ref (e), ls_const_int (ls_dtype (e), 0)));
}

/* Provably scale >= 0 wherever something is touched, which is where extent >= 1. */
static gboolean
goes_up (LsAnalyzer *analyzer,
         LsExpr     *scale,
         LsExpr     *extent)
{
  return ls_pool_proves (analyzer, ls_ge (ls_ref (scale), ls_const_int (ls_dtype (scale), 0))) ||
         ls_pool_proves (analyzer, ls_ge (ls_ref (scale), ls_sub (ls_ref (extent), ls_const_int (ls_dtype (extent), 1))));
}

/* The interval that [sum, sum + extent) touches over its one iterator; NULL when there are gaps, or nobody knows in which direction it goes. */
static LsIntSet *
touched_by_sum (LsIterSum  *sum,
                LsExpr     *extent,
                LsAnalyzer *analyzer)
{
  LsIterSplit *split;
  g_autoptr (LsExpr) reach = NULL;
  g_autoptr (LsExpr) low = NULL;
  g_autoptr (LsExpr) length = NULL;
  g_autoptr (LsExpr) stride = NULL;
  gboolean negative;

  if (proves_zero (analyzer, extent))
    return ls_int_set_nothing ();
  if (ls_array_n (sum->args) == 0)
    return ls_int_set_from_min_extent (sum->base, extent);
  if (ls_array_n (sum->args) != 1)
    return NULL;
  split = ls_array_at (sum->args, 0, LsIterSplit);
  if (proves_zero (analyzer, split->extent))
    return ls_int_set_nothing ();
  negative = ls_pool_proves (analyzer, ls_le (ls_ref (split->scale), ls_const_int (ls_dtype (split->scale), 0)));
  if (!negative && !goes_up (analyzer, split->scale, extent))
    return NULL;
  stride = negative ? ls_neg (ls_ref (split->scale)) : ls_ref (split->scale);
  if (!ls_pool_proves (analyzer, ls_ge (ls_ref (extent), ls_ref (stride))))
    return NULL;
  reach = ls_mul (ls_sub (ls_ref (split->extent), ls_const_int (ls_dtype (split->extent), 1)), ls_ref (split->scale));
  if (negative)
    {
      low = ls_add (ls_ref (sum->base), ls_ref (reach));
      length = ls_sub (ls_ref (extent), ls_ref (reach));
    }
  else
    {
      low = ls_ref (sum->base);
      length = ls_add (ls_ref (extent), ls_ref (reach));
    }
  return ls_int_set_from_min_extent (low, length);
}

static LsArray *
starts_of (LsArray *region,
           guint    first,
           guint    n)
{
  GPtrArray *starts = g_ptr_array_new ();

  for (guint i = first; i < first + n; i++)
    g_ptr_array_add (starts, ls_ref (ls_array_at (region, i, LsRange)->min));
  return ls_array_take_ptr_array (starts);
}

static gboolean
has_constant_extents (LsArray *region)
{
  for (guint i = 0; i < ls_array_n (region); i++)
    if (!ls_is (ls_array_at (region, i, LsRange)->extent, INT_IMM))
      return FALSE;
  return TRUE;
}

static gboolean
is_constant_range (LsRange *range,
                   LsDType  dtype)
{
  return range != NULL && ls_is (range->min, INT_IMM) && ls_is (range->extent, INT_IMM) &&
         ls_dtype_equal (ls_dtype (range->min), dtype) && ls_dtype_equal (ls_dtype (range->extent), dtype) &&
         ((LsIntImm *) range->extent)->value >= 1;
}

static gboolean
is_plain_point (LsArray        *region,
                guint           dimension,
                const LsDomMap *dom)
{
  LsRange *at = ls_array_at (region, dimension, LsRange);

  if (!ls_is_one (at->extent) || !ls_is_var (at->min) || !ls_dtype_equal (ls_dtype (at->min), ls_dtype (at->extent)) ||
      !is_constant_range (ls_dom_map_get_range (dom, (LsVar *) at->min), ls_dtype (at->min)))
    return FALSE;
  for (guint i = 0; i < dimension; i++)
    if (ls_array_at (region, i, LsRange)->min == at->min)
      return FALSE;
  return TRUE;
}

/* Each dimension another variable of constant range, and no predicate: the ranges themselves.  NULL: anything else. */
static LsNDIntSet *
bound_of_variables (LsArray        *region,
                    const LsDomMap *dom,
                    LsExpr         *predicate)
{
  LsNDIntSet *result;

  if (ls_array_n (region) == 0 || (predicate != NULL && !ls_is_one (predicate)))
    return NULL;
  for (guint i = 0; i < ls_dom_map_get_n (dom); i++)
    if (!is_constant_range (ls_dom_map_get_range (dom, ls_dom_map_get_var (dom, i)), ls_dtype (ls_dom_map_get_var (dom, i))))
      return NULL;
  for (guint i = 0; i < ls_array_n (region); i++)
    if (!is_plain_point (region, i, dom))
      return NULL;
  result = ls_nd_int_set_new ();
  for (guint i = 0; i < ls_array_n (region); i++)
    g_ptr_array_add (result, ls_int_set_from_range (ls_dom_map_get_range (dom, (LsVar *) ls_array_at (region, i, LsRange)->min)));
  return result;
}

static LsNDIntSet *
strict_bound (LsArray        *region,
              const LsDomMap *dom,
              LsExpr         *predicate,
              LsAnalyzer     *analyzer)
{
  g_autoptr (LsArray) starts = NULL;
  g_autoptr (LsIterMapResult) found = NULL;
  g_autoptr (LsNDIntSet) result = ls_nd_int_set_new ();
  LsNDIntSet *plain;

  if (!has_constant_extents (region))
    return NULL;
  plain = bound_of_variables (region, dom, predicate);
  if (plain != NULL)
    return plain;
  starts = starts_of (region, 0, ls_array_n (region));
  found = ls_detect_iter_map (starts, dom, predicate, LS_ITER_MAP_SURJECTIVE, analyzer, TRUE);
  if (ls_array_n (found->indices) == 0)
    return NULL;
  for (guint i = 0; i < ls_array_n (region); i++)
    {
      LsIntSet *set = touched_by_sum (ls_array_at (found->indices, i, LsIterSum),
                                      ls_array_at (region, i, LsRange)->extent, analyzer);

      if (set == NULL)
        return NULL;
      g_ptr_array_add (result, set);
    }
  return g_steal_pointer (&result);
}

/* One dimension on its own. */
static LsIntSet *
upper_bound_of (LsArray        *region,
                guint           dimension,
                const LsDomMap *dom,
                LsExpr         *predicate,
                LsAnalyzer     *analyzer)
{
  LsRange *range = ls_array_at (region, dimension, LsRange);
  g_autoptr (LsArray) start = starts_of (region, dimension, 1);
  g_autoptr (LsIterMapResult) found =
    ls_detect_iter_map (start, dom, predicate, LS_ITER_MAP_SURJECTIVE, analyzer, TRUE);
  LsIntSet *set = NULL;

  if (ls_array_n (found->indices) == 1)
    {
      g_autoptr (LsIntSet) relaxed = ls_eval_set (range->extent, dom, NULL);

      if (ls_int_set_has_upper_bound (relaxed))
        set = touched_by_sum (ls_array_at (found->indices, 0, LsIterSum), relaxed->max_value, analyzer);
    }
  return set != NULL ? set : ls_eval_set_range (range, dom);
}

LsNDIntSet *
ls_region_strict_bound (LsArray        *region,
                        const LsDomMap *dom,
                        LsExpr         *predicate,
                        LsAnalyzer     *analyzer)
{
  g_autoptr (LsAnalyzer) own = NULL;

  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  return strict_bound (region, dom, predicate, analyzer);
}

LsNDIntSet *
ls_region_lower_bound (LsArray        *region,
                       const LsDomMap *dom,
                       LsExpr         *predicate,
                       LsAnalyzer     *analyzer)
{
  return ls_region_strict_bound (region, dom, predicate, analyzer);
}

LsNDIntSet *
ls_region_upper_bound (LsArray        *region,
                       const LsDomMap *dom,
                       LsExpr         *predicate,
                       LsAnalyzer     *analyzer)
{
  g_autoptr (LsAnalyzer) own = NULL;
  LsNDIntSet *result;

  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  result = strict_bound (region, dom, predicate, analyzer);
  if (result != NULL)
    return result;
  result = ls_nd_int_set_new ();
  for (guint i = 0; i < ls_array_n (region); i++)
    g_ptr_array_add (result, upper_bound_of (region, i, dom, predicate, analyzer));
  return result;
}
