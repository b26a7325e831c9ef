/* iter-constraint: a predicate as bounds of iterators.
 *
 * `a and b and ...` of comparisons is taken apart; a bound of one input variable narrows
 * its range, a bound of a sum is kept and noted when the sum has been fused: from then on
 * the sum counts as a mark with the bounded extent.  Two bounded sums must lie one inside
 * the other or have no split in common.
 */
#include "engine/arith/iter-private.h"

typedef struct {
  LsPool   *pool;
  LsDomMap *iters;
  LsExpr   *left;               /* the part that uses iterators */
  LsExpr   *right;              /* minus the part that does not */
} Separation;

static void
separate (Separation *s,
          LsExpr     *part,
          gboolean    positive)
{
  LsBinary *b = (LsBinary *) part;

  if (ls_is (part, ADD) || ls_is (part, SUB))
    {
      separate (s, b->a, positive);
      separate (s, b->b, ls_is (part, ADD) ? positive : !positive);
    }
  else if (ls_dom_map_used_in (s->iters, part))
    s->left = ls_pool_binary (s->pool, positive ? LS_KIND_ADD : LS_KIND_SUB, s->left, part);
  else
    s->right = ls_pool_binary (s->pool, positive ? LS_KIND_SUB : LS_KIND_ADD, s->right, part);
}

/* Both sides use iterators: what uses them to the left, the rest to the right. */
static void
separate_sides (LsPool   *pool,
                LsDomMap *iters,
                LsExpr  **lhs,
                LsExpr  **rhs)
{
  g_autoptr (LsAnalyzer) analyzer = ls_analyzer_new ();
  LsExpr *zero = ls_pool_own (pool, ls_int (0));
  Separation s = { pool, iters, zero, zero };

  separate (&s, ls_pool_sub (pool, *lhs, *rhs), TRUE);
  *lhs = ls_pool_own (pool, ls_analyzer_simplify (analyzer, s.left));
  *rhs = ls_pool_own (pool, ls_analyzer_simplify (analyzer, s.right));
}

static void
narrow_variable (LsPool   *pool,
                 LsDomMap *iters,
                 LsVar    *var,
                 LsExpr   *lower,
                 LsExpr   *upper)
{
  LsRange *range = ls_dom_map_get_range (iters, var);
  g_autoptr (LsRange) narrowed = NULL;
  LsExpr *min, *end;

  if (range == NULL)
    return;
  min = range->min;
  end = ls_pool_add (pool, range->min, range->extent);
  if (lower != NULL)
    min = ls_pool_binary (pool, LS_KIND_MAX, min, lower);
  if (upper != NULL)
    end = ls_pool_binary (pool, LS_KIND_MIN, end, upper);
  narrowed = ls_range_new (ls_ref (min), ls_ref (ls_is_zero (min) ? end : ls_pool_sub (pool, end, min)));
  ls_dom_map_set_range (iters, var, narrowed);
}

static void
add_bound (LsPool   *pool,
           LsKind    kind,
           LsExpr   *lhs,
           LsExpr   *rhs,
           LsDomMap *iters,
           GArray   *constraints)
{
  gboolean in_left = ls_dom_map_used_in (iters, lhs);
  gboolean in_right = ls_dom_map_used_in (iters, rhs);
  gboolean greater = kind == LS_KIND_GT || kind == LS_KIND_GE;
  gboolean equal = kind == LS_KIND_LE || kind == LS_KIND_GE;
  gboolean bound_at_left = !in_left;
  LsIterConstraint c = { NULL, NULL, NULL, 0 };
  LsExpr *bound;

  if (!in_left && !in_right)
    return;
  if (in_left && in_right)
    separate_sides (pool, iters, &lhs, &rhs);
  c.iter = bound_at_left ? rhs : lhs;
  bound = bound_at_left ? lhs : rhs;
  if (greater == bound_at_left)
    c.upper = equal ? ls_pool_add_int (pool, bound, 1) : bound;
  else
    c.lower = equal ? bound : ls_pool_add_int (pool, bound, 1);
  if (ls_is_var (c.iter))
    narrow_variable (pool, iters, (LsVar *) c.iter, c.lower, c.upper);
  else
    g_array_append_val (constraints, c);
}

/* Finds the comparison that is taken next; *rest is what remains (NULL: nothing).  As TVM matches, `<` goes
 * before `<=`, `>`, `>=`, and the right operand of `and` before the left. */
static LsBinary *
next_comparison (LsExpr  *predicate,
                 LsExpr **rest)
{
  static const LsKind kinds[] = { LS_KIND_LT, LS_KIND_LE, LS_KIND_GT, LS_KIND_GE };
  LsBinary *both = ls_is (predicate, AND) ? (LsBinary *) predicate : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      *rest = NULL;
      if (both == NULL && ls_kind (predicate) == kinds[i])
        return (LsBinary *) predicate;
      if (both == NULL)
        continue;
      *rest = both->a;
      if (ls_kind (both->b) == kinds[i])
        return (LsBinary *) both->b;
      *rest = both->b;
      if (ls_kind (both->a) == kinds[i])
        return (LsBinary *) both->a;
    }
  return NULL;
}

static gboolean
is_integer (LsExpr *e)
{
  return ls_dtype_is_int (ls_dtype (e)) || ls_dtype_is_uint (ls_dtype (e));
}

static guint
count_nodes (LsExpr *expr)
{
  guint n = 1;

  if (!ls_is_var (expr))
    for (guint i = 0; i < ls_node_get_n_children (LS_NODE (expr)); i++)
      {
        LsNode *child = ls_node_get_child (LS_NODE (expr), i);

        if (child != NULL && (child->klass->flags & LS_CLASS_EXPR))
          n += count_nodes (LS_EXPR (child));
        else if (ls_is (child, ARRAY))
          for (guint k = 0; k < ((LsArray *) child)->n; k++)
            n += ls_array_at ((LsArray *) child, k, LsNode) != NULL ? count_nodes (ls_array_at ((LsArray *) child, k, LsExpr)) : 0;
      }
  return n;
}

gboolean
ls_iter_match_constraints (LsPool   *pool,
                           LsExpr   *predicate,
                           LsDomMap *iters,
                           GArray   *constraints)
{
  while (predicate != NULL)
    {
      LsExpr *rest;
      LsBinary *comparison = next_comparison (predicate, &rest);

      if (comparison == NULL || !is_integer (comparison->a) || !is_integer (comparison->b))
        return FALSE;
      add_bound (pool, ls_kind (comparison), comparison->a, comparison->b, iters, constraints);
      predicate = rest;
    }
  for (guint i = 0; i < constraints->len; i++)
    {
      LsIterConstraint *c = &g_array_index (constraints, LsIterConstraint, i);

      c->size = count_nodes (c->iter);
    }
  return TRUE;
}

/* ---- noting them ---------------------------------------------------------- */

/* The fused sum's values lie in [lower, upper): its mark gets that extent, starting from zero. */
static void
bound_fused (LsIterRewriter *self,
             LsFused        *fused,
             LsExpr         *lower,
             LsExpr         *upper)
{
  LsPool *pool = &self->pool;
  LsExpr *min = fused->offset;
  LsExpr *end = ls_pool_add (pool, min, fused->mark->extent);
  LsIterSum *structured = fused->structured;

  if (lower != NULL)
    {
      LsExpr *higher = ls_pool_binary (pool, LS_KIND_MAX, lower, min);
      LsExpr *shift = ls_pool_sub (pool, higher, min);

      min = higher;
      if (!ls_is_zero (shift))
        structured = ls_pool_own (pool, ls_iter_sum_new (ls_ref (structured->args),
                                                         ls_sub (ls_ref (structured->base), ls_ref (shift))));
    }
  if (upper != NULL)
    end = ls_pool_proves (self->analyzer, ls_le (ls_ref (upper), ls_ref (end)))
            ? upper : ls_pool_binary (pool, LS_KIND_MIN, upper, end);
  fused->structured = structured;
  fused->mark = ls_pool_own (pool, ls_iter_mark_new (LS_EXPR (ls_ref (structured)),
                                                     ls_sub (ls_ref (end), ls_ref (min))));
  fused->offset = min;
  g_ptr_array_add (self->constrained, fused->flat);
}

void
ls_iter_constrain (LsIterRewriter   *self,
                   LsIterConstraint *constraint)
{
  LsPool *pool = &self->pool;
  LsIterSum *sum = ls_iter_to_sum (self, ls_iter_rewrite_direct (self, constraint->iter));
  LsExpr *base = sum->base, *lower = constraint->lower, *upper = constraint->upper;
  LsIterSum *whole;
  LsFused *fused = NULL;

  if (!ls_is_zero (base))
    {
      sum = ls_pool_own (pool, ls_iter_sum_new (ls_ref (sum->args), ls_const_int (ls_dtype (base), 0)));
      lower = lower != NULL ? ls_pool_sub (pool, lower, base) : NULL;
      upper = upper != NULL ? ls_pool_sub (pool, upper, base) : NULL;
    }
  whole = ls_iter_fuse (self, sum, FALSE);
  if (whole != NULL && ls_sum_n (whole) == 1 && ls_is_one (ls_sum_at (whole, 0)->scale) &&
      ls_is (ls_sum_at (whole, 0)->source->source, ITER_SUM))
    fused = ls_iter_find_structured (self, (LsIterSum *) ls_sum_at (whole, 0)->source->source);
  if (fused != NULL)
    bound_fused (self, fused, lower, upper);
  else
    ls_iter_error (self, "the bounded expression %s is not one fused iterator", constraint->iter, NULL);
}

static gboolean
has_split (LsIterSum   *sum,
           LsIterSplit *split)
{
  for (guint i = 0; i < ls_sum_n (sum); i++)
    if (ls_iter_split_equal (split, ls_sum_at (sum, i), TRUE))
      return TRUE;
  return FALSE;
}

/* All of a in b, or none of it. */
static gboolean
is_inside_or_apart (LsIterSum *a,
                    LsIterSum *b)
{
  for (guint i = 1; i < ls_sum_n (a); i++)
    if (has_split (b, ls_sum_at (a, i)) != has_split (b, ls_sum_at (a, 0)))
      return FALSE;
  return TRUE;
}

gboolean
ls_iter_check_constraints (LsIterRewriter *self)
{
  for (guint i = 0; i < self->constrained->len; i++)
    for (guint j = i + 1; j < self->constrained->len; j++)
      if (!is_inside_or_apart (self->constrained->pdata[i], self->constrained->pdata[j]))
        return FALSE;
  return TRUE;
}
