/* iter-detect: indices as affine iteration maps.
 *
 * The predicate is taken apart into bounds, small ones first, since a larger sum may
 * contain a smaller one.  Each index is rewritten to a fused sum; when divisions need
 * padding, once to gather it and once to apply it.  Then the splits are checked.
 * The method is that of TVM v0.20's DetectIterMap.
 */
#include "engine/arith/iter-private.h"

#include <stdlib.h>

void
ls_iter_map_result_free (LsIterMapResult *self)
{
  if (self == NULL)
    return;
  ls_unref (self->indices);
  ls_unref (self->padding_predicate);
  g_ptr_array_unref (self->errors);
  g_free (self);
}

gboolean
ls_iter_ranges_are_sane (const LsDomMap *iters)
{
  for (guint i = 0; i < ls_dom_map_get_n (iters); i++)
    {
      LsRange *range = ls_dom_map_get_range (iters, ls_dom_map_get_var (iters, i));

      if (range == NULL || ls_dom_map_used_in (iters, range->min) || ls_dom_map_used_in (iters, range->extent))
        return FALSE;
    }
  return TRUE;
}

static int
by_size (const void *a,
         const void *b)
{
  const LsIterConstraint *const *x = a, *const *y = b;

  if ((*x)->size != (*y)->size)
    return (*x)->size < (*y)->size ? -1 : 1;
  return *x < *y ? -1 : *x > *y;
}

static gboolean
note_constraints (LsIterRewriter *self,
                  GArray         *constraints)
{
  g_autoptr (GPtrArray) order = g_ptr_array_new ();

  for (guint i = 0; i < constraints->len; i++)
    g_ptr_array_add (order, &g_array_index (constraints, LsIterConstraint, i));
  if (order->len > 1)
    qsort (order->pdata, order->len, sizeof (gpointer), by_size);
  for (guint i = 0; i < order->len; i++)
    {
      ls_iter_constrain (self, order->pdata[i]);
      if (self->errors->len > 0)
        return FALSE;
    }
  if (ls_iter_check_constraints (self))
    return TRUE;
  ls_iter_error (self, "the bounds in the predicate overlap without one being inside the other", NULL, NULL);
  return FALSE;
}

/* NULL when an index could not be rewritten. (transfer full) */
static LsArray *
rewrite_all (LsIterRewriter *self,
             LsArray        *indices)
{
  g_autoptr (GPtrArray) sums = g_ptr_array_new_with_free_func ((GDestroyNotify) ls_node_unref);

  for (guint i = 0; i < ls_array_n (indices); i++)
    {
      g_ptr_array_add (sums, ls_ref (ls_iter_rewrite (self, ls_array_at (indices, i, LsExpr))));
      if (self->errors->len > 0)
        return NULL;
    }
  g_ptr_array_set_free_func (sums, NULL);
  return ls_array_take_ptr_array (g_steal_pointer (&sums));
}

static LsArray *
rewrite_indices (LsIterRewriter *self,
                 LsArray        *indices)
{
  g_autoptr (LsArray) first = NULL;

  if (self->level != LS_ITER_MAP_BIJECTIVE)
    {
      self->collecting = TRUE;
      first = rewrite_all (self, indices);
      self->collecting = FALSE;
      if (first == NULL || !self->requires_padding)
        return g_steal_pointer (&first);
    }
  return rewrite_all (self, indices);
}

/* The sums, or NULL with errors noted. (transfer full) */
static LsArray *
detect (LsIterRewriter *self,
        LsArray        *indices,
        GArray         *constraints)
{
  g_autoptr (LsArray) sums = NULL;

  if (!note_constraints (self, constraints))
    return NULL;
  sums = rewrite_indices (self, indices);
  if (sums == NULL)
    return NULL;
  if (ls_iter_check_mapping (self, sums, self->level))
    return g_steal_pointer (&sums);
  ls_iter_error (self, self->level == LS_ITER_MAP_BIJECTIVE ? "the indices are no bijective map of the iterators"
                                                            : "the indices depend on one another", NULL, NULL);
  return NULL;
}

static LsIterMapResult *
result_new (void)
{
  LsIterMapResult *self = g_new0 (LsIterMapResult, 1);

  self->errors = g_ptr_array_new_with_free_func (g_free);
  self->indices = ls_array_empty ();
  self->padding_predicate = ls_bool (FALSE);
  return self;
}

LsIterMapResult *
ls_detect_iter_map (LsArray        *indices,
                    const LsDomMap *input_iters,
                    LsExpr         *predicate,
                    LsIterMapLevel  level,
                    LsAnalyzer     *analyzer,
                    gboolean        simplify_trivial_iterators)
{
  LsIterMapResult *result = result_new ();
  g_autoptr (LsDomMap) iters = NULL;
  g_autoptr (GArray) constraints = g_array_new (FALSE, FALSE, sizeof (LsIterConstraint));
  g_autoptr (LsAnalyzer) own = NULL;
  g_auto (LsPool) pool = { 0 };
  LsIterRewriter self;
  LsArray *sums;

  if (!ls_iter_ranges_are_sane (input_iters))
    {
      g_ptr_array_add (result->errors, g_strdup ("the range of an iterator depends on another iterator"));
      return result;
    }
  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  ls_pool_init (&pool);
  iters = ls_dom_map_copy (input_iters);
  if (predicate != NULL && !ls_is_one (predicate) &&
      !ls_iter_match_constraints (&pool, predicate, iters, constraints))
    {
      g_ptr_array_add (result->errors, g_strdup ("the predicate is not a conjunction of bounds of iterators"));
      return result;
    }
  ls_iter_rewriter_init (&self, analyzer, iters, level, simplify_trivial_iterators, result->errors);
  sums = detect (&self, indices, constraints);
  if (sums != NULL)
    ls_take (&result->indices, sums);
  ls_take (&result->padding_predicate, ls_ref (self.padding_predicate));
  ls_iter_rewriter_clear (&self);
  return result;
}

/* ---- form only ------------------------------------------------------------ */

typedef struct {
  gint64       constant;
  guint        n_symbols;
  guint        place;
  LsIterSplit *split;
} ScaledSplit;

static int
by_scale (const void *a,
          const void *b)
{
  const ScaledSplit *x = a, *y = b;

  if (x->constant != y->constant)
    return x->constant > y->constant ? -1 : 1;
  if (x->n_symbols != y->n_symbols)
    return x->n_symbols > y->n_symbols ? -1 : 1;
  return x->place < y->place ? -1 : 1;
}

/* The scale as (product of symbols) * constant. */
static ScaledSplit
normalized_scale (LsIterRewriter *self,
                  LsIterSplit    *split,
                  guint           place)
{
  g_autoptr (GPtrArray) factors = g_ptr_array_new ();
  LsExpr *one = ls_pool_const (&self->pool, ls_dtype (split), 1);
  gint64 constant = 1;

  ls_iter_unpack_product (split->scale, &constant, factors);
  split = ls_iter_split_with_scale (self, split, ls_iter_mul_normalized (self, one, split->scale));
  return (ScaledSplit) { constant, factors->len, place, split };
}

static LsIterSum *
sort_by_scale (LsIterRewriter *self,
               LsIterSum      *sum)
{
  guint n = ls_sum_n (sum);
  g_autofree ScaledSplit *items = g_new (ScaledSplit, n);
  g_autoptr (GPtrArray) args = g_ptr_array_new ();

  for (guint i = 0; i < n; i++)
    items[i] = normalized_scale (self, ls_sum_at (sum, i), i);
  qsort (items, n, sizeof *items, by_scale);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (args, items[i].split);
  return ls_iter_sum_make (self, args, FALSE, ls_pool_own (&self->pool, ls_iter_map_to_expr (sum->base)));
}

LsIterSum *
ls_normalize_to_iter_sum (LsExpr         *index,
                          const LsDomMap *input_iters,
                          LsAnalyzer     *analyzer)
{
  g_autoptr (GPtrArray) errors = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (LsAnalyzer) own = NULL;
  LsIterRewriter self;
  LsIterSum *sum, *combined;

  if (analyzer == NULL)
    analyzer = own = ls_analyzer_new ();
  ls_iter_rewriter_init (&self, analyzer, input_iters, LS_ITER_MAP_NO_CHECK, TRUE, errors);
  sum = ls_iter_to_sum (&self, ls_iter_rewrite_direct (&self, index));
  combined = ls_iter_combine_same_source (&self, sum);
  if (combined != NULL)
    sum = combined;
  if (ls_sum_n (sum) > 0)
    sum = sort_by_scale (&self, sum);
  sum = ls_ref (sum);
  ls_iter_rewriter_clear (&self);
  return sum;
}
