/* iter-fuse: a sum of splits as one iterator that counts from zero.
 *
 *   i*12 + j*4 + k,  j in [0, 3), k in [0, 4)   ->   one mark of extent 12 * extent (i)
 *
 * First parts of one mark that touch are joined:
 *   ((x // (c*s)) % m) * (s*t) + ((x // c) % s) * t  ->  ((x // c) % (m*s)) * t
 * Then the splits are taken from the smallest scale upwards; each must have the scale that
 * the ones before it fill (unless a bijective map is asked for, a smaller one will do: the
 * values overlap, the mark is longer).  Where the predicate bounds a group of splits, the
 * group counts as one mark with the bounded extent.  The method is that of TVM v0.20's
 * IterMapRewriter.
 */
#include "engine/arith/iter-private.h"

gboolean
ls_iter_split_equal (LsIterSplit *a,
                     LsIterSplit *b,
                     gboolean     with_scale)
{
  return a->source == b->source && ls_deep_equal (a->lower_factor, b->lower_factor) &&
         (!with_scale || ls_deep_equal (a->scale, b->scale)) && ls_deep_equal (a->extent, b->extent);
}

gboolean
ls_iter_sum_equal (LsIterSum *a,
                   LsIterSum *b)
{
  if (ls_sum_n (a) != ls_sum_n (b) || !ls_deep_equal (a->base, b->base))
    return FALSE;
  for (guint i = 0; i < ls_sum_n (a); i++)
    if (!ls_iter_split_equal (ls_sum_at (a, i), ls_sum_at (b, i), TRUE))
      return FALSE;
  return TRUE;
}

LsFused *
ls_iter_find_fused (LsIterRewriter *self,
                    LsIterSum      *flat)
{
  for (guint i = 0; i < self->fused->len; i++)
    {
      LsFused *known = self->fused->pdata[i];

      if (ls_iter_sum_equal (known->flat, flat))
        return known;
    }
  return NULL;
}

LsFused *
ls_iter_find_structured (LsIterRewriter *self,
                         LsIterSum      *structured)
{
  for (guint i = self->fused->len; i-- > 0;)
    {
      LsFused *known = self->fused->pdata[i];

      if (known->structured == structured || ls_iter_sum_equal (known->structured, structured))
        return known;
    }
  return NULL;
}

/* ---- parts of one mark ---------------------------------------------------- */

/* How many splits of the sum are parts of this mark. */
static guint
count_source (LsIterSum  *sum,
              LsIterMark *source)
{
  guint n = 0;

  for (guint i = 0; i < ls_sum_n (sum); i++)
    n += ls_sum_at (sum, i)->source == source;
  return n;
}

static gboolean
has_overlap (LsIterSum *sum)
{
  for (guint i = 1; i < ls_sum_n (sum); i++)
    for (guint k = 0; k < i; k++)
      if (ls_sum_at (sum, i)->source == ls_sum_at (sum, k)->source)
        return TRUE;
  return FALSE;
}

/* Joins what lies directly above `inner` in its mark, again and again. */
static LsIterSplit *
extend_upwards (LsIterRewriter *self,
                LsIterSum      *sum,
                gboolean       *visited,
                LsIterSplit    *inner,
                gint            last,
                gint            first_unit)
{
  for (;;)
    {
      LsExpr *scale = ls_iter_mul_normalized (self, inner->extent, inner->scale);
      gint at = ls_iter_find_scale (self, sum, visited, scale, inner->source, last, first_unit);
      LsIterSplit *outer;
      LsExpr *lower;

      if (at == -1)
        return inner;
      outer = ls_sum_at (sum, at);
      lower = ls_iter_mul_normalized (self, inner->lower_factor, inner->extent);
      if (!ls_analyzer_can_prove_equal (self->analyzer, outer->lower_factor, lower))
        return inner;
      visited[at] = TRUE;
      inner = ls_iter_split_make (self, inner->source, inner->lower_factor,
                                  ls_iter_mul_normalized (self, outer->extent, inner->extent), inner->scale);
    }
}

LsIterSum *
ls_iter_combine_same_source (LsIterRewriter *self,
                             LsIterSum      *sum)
{
  g_autoptr (GPtrArray) reversed = NULL;
  g_autofree gboolean *visited = NULL;
  gint first_unit;

  if (!has_overlap (sum))
    return NULL;
  visited = g_new0 (gboolean, ls_sum_n (sum));
  reversed = g_ptr_array_new ();
  first_unit = ls_iter_first_unit_extent (sum);
  for (gint last = (gint) ls_sum_n (sum) - 1; last >= 0;)
    {
      LsIterSplit *split = ls_sum_at (sum, last);
      gint at;

      if (visited[last])
        last--;
      else if (count_source (sum, split->source) == 1)
        {
          g_ptr_array_add (reversed, split);
          visited[last--] = TRUE;
        }
      else
        {
          at = ls_iter_find_base (sum, visited, split->source, last);
          visited[at] = TRUE;
          g_ptr_array_add (reversed, extend_upwards (self, sum, visited, ls_sum_at (sum, at), last, first_unit));
        }
    }
  return ls_iter_sum_make (self, reversed, TRUE, sum->base);
}

/* ---- one iterator --------------------------------------------------------- */

typedef struct {
  LsIterSum *sum;
  gboolean  *visited;
  GPtrArray *flat;              /* of LsIterSplit, innermost first */
  GPtrArray *grouped;
  LsExpr    *base_scale;
  LsExpr    *expected_scale;
  LsExpr    *extra_base;        /* offsets of constrained groups */
  LsExpr    *tail;              /* what overlapping scales leave above the last period */
} Fusion;

/* The longest constrained sum whose innermost split is the one at `at`. */
static LsIterSum *
constraint_from (LsIterRewriter *self,
                 LsIterSplit    *split)
{
  LsIterSum *best = NULL;

  for (guint i = 0; i < self->constrained->len; i++)
    {
      LsIterSum *sum = self->constrained->pdata[i];

      if (ls_iter_split_equal (split, ls_sum_at (sum, ls_sum_n (sum) - 1), FALSE) &&
          (best == NULL || ls_sum_n (best) < ls_sum_n (sum)))
        best = sum;
    }
  return best;
}

static gboolean
take_constrained (LsIterRewriter *self,
                  Fusion         *f,
                  LsIterSum      *constraint,
                  LsExpr         *scale)
{
  LsFused *fused;

  for (guint i = ls_sum_n (constraint); i-- > 0;)
    {
      LsIterSplit *wanted = ls_sum_at (constraint, i);
      LsExpr *wanted_scale = ls_pool_mul (&self->pool, wanted->scale, scale);
      guint k;

      for (k = 0; k < ls_sum_n (f->sum); k++)
        if (!f->visited[k] && ls_iter_split_equal (ls_sum_at (f->sum, k), wanted, FALSE) &&
            ls_analyzer_can_prove_equal (self->analyzer, wanted_scale, ls_sum_at (f->sum, k)->scale))
          break;
      if (k == ls_sum_n (f->sum))
        return FALSE;
      f->visited[k] = TRUE;
      g_ptr_array_add (f->flat, ls_sum_at (f->sum, k));
    }
  fused = ls_iter_find_fused (self, constraint);
  if (fused == NULL)
    return FALSE;
  g_ptr_array_add (f->grouped,
                   ls_iter_split_make (self, fused->mark, NULL, fused->mark->extent,
                                       ls_pool_floordiv (&self->pool, scale, f->base_scale)));
  f->extra_base = ls_pool_add (&self->pool, f->extra_base, ls_pool_mul (&self->pool, fused->offset, scale));
  f->expected_scale = ls_iter_mul_normalized (self, fused->mark->extent, scale);
  return TRUE;
}

static void
take_split (LsIterRewriter *self,
            Fusion         *f,
            gint            at,
            LsExpr         *scale)
{
  LsIterSplit *split = ls_sum_at (f->sum, at);
  LsExpr *relative = ls_pool_floordiv (&self->pool, split->scale, f->base_scale);
  LsIterSplit *scaled =
    ls_iter_split_with_scale (self, split, ls_pool_own (&self->pool, ls_analyzer_simplify (self->analyzer, relative)));

  f->visited[at] = TRUE;
  g_ptr_array_add (f->flat, scaled);
  g_ptr_array_add (f->grouped, scaled);
  f->expected_scale = ls_iter_mul_normalized (self, split->extent, scale);
}

/* Takes the next split, or the constrained group that starts with it; how many were taken, 0: none fits. */
static guint
take_next (LsIterRewriter *self,
           Fusion         *f,
           gint            at,
           gint            first_unit)
{
  gboolean exact = TRUE;
  LsExpr *scale = f->expected_scale;
  LsExpr *tail = f->tail;
  LsIterSum *constraint;

  if (at == -1)
    at = ls_iter_find_scale (self, f->sum, f->visited, f->expected_scale, NULL, -1, first_unit);
  if (at == -1 && self->level != LS_ITER_MAP_BIJECTIVE && ls_is_one (f->base_scale))
    {
      exact = FALSE;
      at = ls_iter_find_smaller_scale (self, f->sum, f->visited, f->expected_scale, &scale);
    }
  if (at == -1)
    return 0;
  if (!exact)
    tail = ls_pool_add (&self->pool, tail, ls_pool_sub (&self->pool, f->expected_scale, scale));
  f->tail = tail;
  constraint = constraint_from (self, ls_sum_at (f->sum, at));
  if (constraint == NULL)
    {
      take_split (self, f, at, scale);
      return 1;
    }
  return take_constrained (self, f, constraint, scale) ? ls_sum_n (constraint) : 0;
}

static LsIterSum *
known_or_new_mark (LsIterRewriter *self,
                   Fusion         *f)
{
  LsExpr *zero = ls_pool_const (&self->pool, ls_dtype (f->sum), 0);
  LsIterSum *structured = ls_iter_sum_make (self, f->grouped, TRUE, zero);
  LsIterSum *flat = ls_iter_sum_make (self, f->flat, TRUE, zero);
  LsFused *fused = ls_iter_find_fused (self, flat);
  LsExpr *extent;

  if (fused != NULL)
    {
      LsExpr *offset = ls_pool_mul (&self->pool, fused->offset, f->base_scale);

      if (!ls_analyzer_can_prove_equal (self->analyzer, f->extra_base, offset))
        return NULL;
    }
  else
    {
      extent = ls_pool_binary (&self->pool, LS_KIND_DIV, f->expected_scale, f->base_scale);
      extent = ls_pool_add (&self->pool, extent, f->tail);
      fused = g_new0 (LsFused, 1);
      fused->flat = flat;
      fused->structured = structured;
      fused->mark = ls_pool_own (&self->pool, ls_iter_mark_new (LS_EXPR (ls_ref (structured)), ls_ref (extent)));
      fused->offset = f->extra_base;
      g_ptr_array_add (self->fused, fused);
    }
  return ls_iter_sum_of_split (self,
                               ls_iter_split_make (self, fused->mark, NULL, fused->mark->extent, f->base_scale),
                               ls_pool_add (&self->pool, f->sum->base, f->extra_base));
}

static LsIterSum *
fuse_sum (LsIterRewriter *self,
          LsIterSum      *sum,
          gint            base)
{
  g_autofree gboolean *visited = g_new0 (gboolean, ls_sum_n (sum));
  g_autoptr (GPtrArray) flat = g_ptr_array_new ();
  g_autoptr (GPtrArray) grouped = g_ptr_array_new ();
  LsExpr *zero = ls_pool_const (&self->pool, ls_dtype (sum), 0);
  LsExpr *scale = ls_sum_at (sum, base)->scale;
  Fusion f = { sum, visited, flat, grouped, scale, scale, zero, zero };
  gint first_unit = ls_iter_first_unit_extent (sum);

  for (guint i = 0; i < ls_sum_n (sum);)
    {
      guint taken = take_next (self, &f, i == 0 ? base : -1, first_unit);

      if (taken == 0)
        return NULL;
      i += taken;
    }
  return known_or_new_mark (self, &f);
}

/* One iterator of constant extent that counts by one and that no constraint speaks of: most bindings. NULL: anything
 * else, or fused before. */
static LsIterSum *
fuse_single (LsIterRewriter *self,
             LsIterSum      *sum)
{
  LsIterSplit *split;
  LsIterSum *whole;
  LsFused *fused;

  if (ls_sum_n (sum) != 1 || self->constrained->len > 0)
    return NULL;
  split = ls_sum_at (sum, 0);
  if (!ls_is_one (split->scale) || !ls_is (split->scale, INT_IMM) || !ls_is (split->extent, INT_IMM) ||
      !ls_dtype_equal (ls_dtype (split->scale), ls_dtype (split->extent)) ||
      !ls_dtype_equal (ls_dtype (split->scale), ls_dtype (sum)))
    return NULL;
  whole = ls_is_zero (sum->base) ? sum : ls_iter_sum_of_split (self, split, ls_pool_const (&self->pool, ls_dtype (sum), 0));
  if (ls_iter_find_fused (self, whole) != NULL)
    return NULL;
  fused = g_new0 (LsFused, 1);
  fused->flat = fused->structured = whole;
  fused->mark = ls_pool_own (&self->pool, ls_iter_mark_new (LS_EXPR (ls_ref (whole)), ls_ref (split->extent)));
  fused->offset = whole->base;
  g_ptr_array_add (self->fused, fused);
  return ls_iter_sum_of_split (self, ls_iter_split_make (self, fused->mark, NULL, split->extent, split->scale), sum->base);
}

LsIterSum *
ls_iter_fuse (LsIterRewriter *self,
              LsIterSum      *sum,
              gboolean        early)
{
  LsIterSum *combined = fuse_single (self, sum);
  g_autofree gboolean *none = NULL;
  gint base;

  if (combined != NULL)
    return combined;
  combined = ls_iter_combine_same_source (self, sum);
  if (combined != NULL)
    {
      sum = combined;
      if (ls_sum_n (sum) <= 1 && early)
        return sum;
    }
  if (ls_sum_n (sum) == 0)
    return NULL;
  none = g_new0 (gboolean, ls_sum_n (sum));
  base = ls_iter_find_base (sum, none, NULL, -1);
  if (base == -1 || ls_is_zero (ls_sum_at (sum, base)->scale))
    return NULL;
  return fuse_sum (self, sum, base);
}
