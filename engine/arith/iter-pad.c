/* iter-pad: floor division and modulo of one iterator, padding it where it does not come out even.
 *
 * In a first pass (collecting) each division notes how its mark must be padded: the least
 * common multiple of all divisors, and the largest offset on the left.  In the second pass
 * the mark is replaced everywhere by one padded mark, and the padding predicate says which
 * of its values are no values of the iterator.  The method is TVM v0.20's.  Where its
 * result would not equal the expression (a part of a mark that starts again from zero
 * between, offsets that want different padding) the index is refused.
 */
#include "engine/arith/iter-private.h"

gboolean
ls_iter_mark_equal (LsIterMark *a,
                    LsIterMark *b)
{
  LsIterSum *x = (LsIterSum *) a->source, *y = (LsIterSum *) b->source;

  if (a == b)
    return TRUE;
  if (!ls_deep_equal (a->extent, b->extent))
    return FALSE;
  if (!ls_is (x, ITER_SUM) || !ls_is (y, ITER_SUM))
    return x == y || ls_deep_equal (a->source, b->source);
  if (ls_sum_n (x) != ls_sum_n (y) || !ls_deep_equal (x->base, y->base))
    return FALSE;
  for (guint i = 0; i < ls_sum_n (x); i++)
    {
      LsIterSplit *p = ls_sum_at (x, i), *q = ls_sum_at (y, i);

      if (!ls_iter_mark_equal (p->source, q->source) || !ls_deep_equal (p->lower_factor, q->lower_factor) ||
          !ls_deep_equal (p->extent, q->extent) || !ls_deep_equal (p->scale, q->scale))
        return FALSE;
    }
  return TRUE;
}

static LsIterPadding *
find_padding (LsIterRewriter *self,
              LsIterMark     *mark)
{
  for (guint i = 0; i < self->paddings->len; i++)
    {
      LsIterPadding *p = self->paddings->pdata[i];

      if (ls_iter_mark_equal (p->mark, mark))
        return p;
    }
  return NULL;
}

static LsIterPadding *
find_or_add_padding (LsIterRewriter *self,
                     LsIterMark     *mark)
{
  LsIterPadding *p = find_padding (self, mark);

  if (p == NULL)
    {
      p = g_new0 (LsIterPadding, 1);
      p->mark = mark;
      p->factor = ls_pool_own (&self->pool, ls_int (1));
      p->left = ls_pool_own (&self->pool, ls_int (0));
      g_ptr_array_add (self->paddings, p);
    }
  return p;
}

LsIterMark *
ls_iter_padding_origin (LsIterRewriter *self,
                        LsIterMark     *mark)
{
  for (guint i = 0; i < self->paddings->len; i++)
    {
      LsIterPadding *p = self->paddings->pdata[i];

      if (p->padded != NULL && ls_iter_mark_equal (p->padded, mark))
        return p->mark;
    }
  return NULL;
}

/* symbol * constant */
static LsExpr *
take_constant (LsIterRewriter *self,
               LsExpr         *e,
               gint64         *constant)
{
  LsBinary *b = (LsBinary *) e;

  *constant = 1;
  if (ls_as_int (e, constant))
    return ls_pool_const (&self->pool, ls_dtype (e), 1);
  if (ls_is (e, MUL) && ls_as_int (b->b, constant))
    return b->a;
  if (ls_is (e, MUL) && ls_as_int (b->a, constant))
    return b->b;
  return e;
}

static gboolean
divides (LsIterRewriter *self,
         LsExpr         *a,
         LsExpr         *b)
{
  LsExpr *rest;

  if (ls_is_zero (b))
    return FALSE;
  rest = ls_pool_floormod (&self->pool, a, b);
  return ls_analyzer_can_prove_equal (self->analyzer, rest, ls_pool_const (&self->pool, ls_dtype (rest), 0));
}

static LsExpr *
common_multiple (LsIterRewriter *self,
                 LsExpr         *a,
                 LsExpr         *b)
{
  gint64 ca, cb;
  LsExpr *sa = take_constant (self, a, &ca);
  LsExpr *sb = take_constant (self, b, &cb);
  LsExpr *constant = ls_pool_const (&self->pool, ls_dtype (b), ls_lcm (ca, cb));

  if (ls_analyzer_can_prove_equal (self->analyzer, sa, sb) || divides (self, sa, sb))
    return ls_pool_mul (&self->pool, sa, constant);
  if (divides (self, sb, sa))
    return ls_pool_mul (&self->pool, sb, constant);
  return ls_pool_mul (&self->pool, ls_pool_mul (&self->pool, sa, sb), constant);
}

static LsExpr *
simplified (LsIterRewriter *self,
            LsExpr         *e)
{
  return ls_pool_own (&self->pool, ls_analyzer_simplify (self->analyzer, e));
}

/* 0 when divisible, else what is missing to the next multiple. */
static LsExpr *
missing_to_multiple (LsIterRewriter *self,
                     LsExpr         *edge,
                     LsExpr         *divisor)
{
  if (ls_iter_divisible (self, edge, divisor))
    return ls_pool_const (&self->pool, ls_dtype (edge), 0);
  return ls_pool_floormod (&self->pool, ls_pool_own (&self->pool, ls_neg (ls_ref (edge))), divisor);
}

/* First pass: notes the need, returns the split as long as it will be. */
static LsIterSplit *
collect_padding (LsIterRewriter *self,
                 LsIterSplit    *split,
                 LsExpr         *divisor,
                 LsExpr        **left,
                 LsExpr         *right)
{
  LsIterPadding *p = find_or_add_padding (self, split->source);
  LsExpr *extent;

  p->factor = common_multiple (self, p->factor, ls_pool_mul (&self->pool, divisor, split->lower_factor));
  if (ls_is_zero (*left) && ls_is_zero (right))
    return split;
  self->requires_padding = TRUE;
  p->left = ls_pool_binary (&self->pool, LS_KIND_MAX, p->left,
                            ls_pool_mul (&self->pool, *left, split->lower_factor));
  extent = ls_pool_add (&self->pool, ls_pool_add (&self->pool, *left, split->extent), right);
  return ls_iter_split_make (self, split->source, split->lower_factor, simplified (self, extent), split->scale);
}

static LsExpr *
in_same_period (LsIterRewriter *self,
                LsExpr         *source,
                LsExpr         *factor,
                LsExpr         *period,
                LsKind          kind,
                LsExpr         *limit)
{
  return ls_pool_own (&self->pool,
                      ls_and (ls_eq (ls_floordiv (ls_ref (source), ls_ref (factor)), ls_ref (period)),
                              ls_binary (kind, ls_floormod (ls_ref (source), ls_ref (factor)), ls_ref (limit))));
}

/* Where the padded mark stands left of, or right of, the iterator's own values. */
static void
note_predicate (LsIterRewriter *self,
                LsIterPadding  *p,
                LsExpr         *right_edge,
                LsExpr         *right)
{
  LsExpr *source = p->padded->source;
  LsExpr *zero = ls_pool_const (&self->pool, ls_dtype (source), 0);
  LsExpr *at_left = in_same_period (self, source, p->factor, zero, LS_KIND_LT, p->left);
  LsExpr *at_right = in_same_period (self, source, p->factor,
                                     ls_pool_floordiv (&self->pool, right_edge, p->factor), LS_KIND_GE,
                                     ls_pool_floormod (&self->pool, right_edge, p->factor));
  LsExpr *has_left = ls_pool_binary (&self->pool, LS_KIND_NE, p->left, ls_pool_const (&self->pool, ls_dtype (p->left), 0));
  LsExpr *has_right = ls_pool_binary (&self->pool, LS_KIND_NE, right, ls_pool_const (&self->pool, ls_dtype (right), 0));
  LsExpr *either = ls_pool_binary (&self->pool, LS_KIND_OR,
                                   ls_pool_binary (&self->pool, LS_KIND_AND, has_left, at_left),
                                   ls_pool_binary (&self->pool, LS_KIND_AND, has_right, at_right));

  self->padding_predicate = ls_pool_binary (&self->pool, LS_KIND_OR, self->padding_predicate, either);
}

static void
make_padded_mark (LsIterRewriter *self,
                  LsIterPadding  *p)
{
  LsExpr *right_edge = ls_pool_add (&self->pool, p->mark->extent, p->left);
  LsExpr *right = missing_to_multiple (self, right_edge, p->factor);
  LsExpr *extent = simplified (self, ls_pool_add (&self->pool, right_edge, right));
  LsIterSplit *whole = ls_iter_split_make (self, p->mark, NULL, p->mark->extent, NULL);
  LsIterSum *source = ls_iter_sum_of_split (self, whole, p->left);

  p->padded = ls_pool_own (&self->pool, ls_iter_mark_new (LS_EXPR (ls_ref (source)), ls_ref (extent)));
  note_predicate (self, p, right_edge, right);
}

/* Does the split reach to the end of its mark, so that it never starts again from zero? */
static gboolean
reaches_end (LsIterRewriter *self,
             LsIterSplit    *split)
{
  LsExpr *reach = ls_pool_mul (&self->pool, split->lower_factor, split->extent);

  return ls_pool_proves (self->analyzer, ls_ge (ls_ref (reach), ls_ref (split->source->extent)));
}

/* No padding: the offset must vanish, and modulo must not meet a split that starts again from zero between. */
static LsIterSplit *
without_padding (LsIterRewriter *self,
                 LsIterSplit    *split,
                 LsExpr         *divisor,
                 gboolean        modulo,
                 LsExpr         *left)
{
  if (!ls_is_zero (left))
    {
      ls_iter_error (self, "the offset of %s is no multiple of the divisor %s", split, divisor);
      return NULL;
    }
  if (modulo && !ls_iter_divisible (self, split->extent, divisor) && !reaches_end (self, split))
    {
      ls_iter_error (self, "the modulus %s does not divide the extent of %s", divisor, split);
      return NULL;
    }
  return split;
}

/* The padding of the mark as the split sees it.  FALSE when the split needs another. */
static gboolean
fit_left_padding (LsIterRewriter *self,
                  LsIterPadding  *p,
                  LsIterSplit    *split,
                  LsExpr         *divisor,
                  LsExpr        **left)
{
  LsExpr *own = *left;

  if (ls_iter_divisible (self, p->left, split->lower_factor))
    {
      *left = ls_pool_floordiv (&self->pool, p->left, split->lower_factor);
      if (ls_iter_divisible (self, ls_pool_sub (&self->pool, *left, own), divisor))
        return TRUE;
    }
  ls_iter_error (self, "the left padding of %s differs from that of its iterator, %s", split, p->left);
  return FALSE;
}

/* Second pass: the split on the padded mark. */
static LsIterSplit *
apply_padding (LsIterRewriter *self,
               LsIterSplit    *split,
               LsExpr         *divisor,
               gboolean        modulo,
               LsExpr        **left)
{
  LsIterPadding *p = find_padding (self, split->source);
  gboolean whole;

  if (p == NULL || (ls_is_zero (p->left) && ls_iter_divisible (self, split->source->extent, p->factor)))
    return without_padding (self, split, divisor, modulo, *left);
  whole = reaches_end (self, split);
  if (!whole && !(ls_is_zero (p->left) && ls_iter_divisible (self, split->extent, divisor)))
    {
      ls_iter_error (self, "the part %s cannot be padded to the divisor %s", split, divisor);
      return NULL;
    }
  if (!ls_iter_divisible (self, p->factor, split->lower_factor) || !ls_iter_divisible (self, p->factor, divisor))
    {
      ls_iter_error (self, "the padding factor %s does not fit the split %s", p->factor, split);
      return NULL;
    }
  if (!fit_left_padding (self, p, split, divisor, left))
    return NULL;
  if (p->padded == NULL)
    make_padded_mark (self, p);
  return ls_iter_split_make (self, p->padded, split->lower_factor,
                             whole ? ls_pool_floordiv (&self->pool, p->padded->extent, split->lower_factor) : split->extent,
                             split->scale);
}

static LsIterSplit *
pad_to_divisor (LsIterRewriter *self,
                LsIterSplit    *split,
                LsExpr         *base,
                LsExpr         *divisor,
                gboolean        modulo,
                LsExpr        **left)
{
  LsExpr *edge, *right;

  *left = simplified (self, ls_pool_floormod (&self->pool, base, divisor));
  edge = ls_pool_add (&self->pool, *left, split->extent);
  right = missing_to_multiple (self, edge, divisor);
  if (!ls_is_zero (right))
    right = simplified (self, right);
  if (!self->collecting)
    return apply_padding (self, split, divisor, modulo, left);
  split = collect_padding (self, split, divisor, left, right);
  if (ls_is_zero (*left) && ls_is_zero (right))
    *left = ls_pool_const (&self->pool, ls_dtype (base), 0);
  return split;
}

/* ---- scale ---------------------------------------------------------------- */

static LsIterSplit *
with_unit_scale (LsIterRewriter *self,
                 LsIterSplit    *split)
{
  return ls_iter_split_with_scale (self, split, ls_pool_const (&self->pool, ls_dtype (split), 1));
}

/* (x*c1 + y*c1) op (c1*c2): x, y and c2.  FALSE when the scale does not divide them or is negative. */
static gboolean
divide_out_scale (LsIterRewriter *self,
                  LsExpr         *scale,
                  LsExpr        **base,
                  LsExpr        **divisor)
{
  gint64 number;

  if ((ls_as_int (scale, &number) && number <= 0) || !ls_iter_divisible (self, *divisor, scale))
    return FALSE;
  if (!ls_is_zero (*base))
    {
      if (!ls_iter_divisible (self, *base, scale))
        return FALSE;
      *base = ls_pool_floordiv (&self->pool, *base, scale);
    }
  *divisor = ls_pool_floordiv (&self->pool, *divisor, scale);
  return TRUE;
}

/* ---- division ------------------------------------------------------------- */

static LsExpr *
ceildiv (LsIterRewriter *self,
         LsExpr         *a,
         LsExpr         *b)
{
  LsExpr *sum = ls_pool_add (&self->pool, a, ls_pool_add_int (&self->pool, b, -1));

  return simplified (self, ls_pool_floordiv (&self->pool, sum, b));
}

static LsIterSplit *
quotient_split (LsIterRewriter *self,
                LsIterSplit    *padded,
                LsExpr         *divisor)
{
  LsIterMark *mark;

  if (ls_iter_divisible (self, padded->extent, divisor))
    return ls_iter_split_make (self, padded->source,
                               ls_pool_mul (&self->pool, padded->lower_factor, divisor),
                               simplified (self, ls_pool_floordiv (&self->pool, padded->extent, divisor)),
                               padded->scale);
  if (ls_is_one (padded->lower_factor) &&
      ls_analyzer_can_prove_equal (self->analyzer, padded->extent, padded->source->extent))
    return ls_iter_split_make (self, padded->source, divisor, ceildiv (self, padded->extent, divisor), padded->scale);
  mark = ls_pool_own (&self->pool, ls_iter_mark_new (LS_EXPR (ls_ref (padded)), ls_ref (padded->extent)));
  return ls_iter_split_make (self, mark, divisor, ceildiv (self, padded->extent, divisor), NULL);
}

LsExpr *
ls_iter_floordiv (LsIterRewriter *self,
                  LsIterSplit    *split,
                  LsExpr         *base,
                  LsExpr         *divisor)
{
  LsExpr *left, *new_base;
  LsIterSplit *quotient;

  if (ls_is_one (divisor))
    return ls_is_zero (base) ? LS_EXPR (split) : LS_EXPR (ls_iter_sum_of_split (self, split, base));
  if (!ls_is_one (split->scale))
    {
      if (ls_iter_divisible (self, split->scale, divisor) &&
          (ls_is_zero (base) || ls_iter_divisible (self, base, divisor)))
        {
          split = ls_iter_split_with_scale (self, split, ls_pool_floordiv (&self->pool, split->scale, divisor));
          if (ls_is_zero (base))
            return LS_EXPR (split);
          return LS_EXPR (ls_iter_sum_of_split (self, split, ls_pool_floordiv (&self->pool, base, divisor)));
        }
      if (!divide_out_scale (self, split->scale, &base, &divisor))
        {
          ls_iter_error (self, "the scale %s and the divisor %s do not divide one another", split->scale, divisor);
          return NULL;
        }
      split = with_unit_scale (self, split);
    }
  split = pad_to_divisor (self, split, base, divisor, FALSE, &left);
  if (split == NULL)
    return NULL;
  quotient = quotient_split (self, split, divisor);
  new_base = ls_pool_floordiv (&self->pool, ls_pool_sub (&self->pool, base, left), divisor);
  new_base = ls_pool_own (&self->pool, ls_analyzer_simplify_steps (self->analyzer, new_base, 6));
  if (ls_is_zero (new_base))
    return LS_EXPR (quotient);
  return LS_EXPR (ls_iter_sum_of_split (self, quotient, new_base));
}

LsExpr *
ls_iter_floormod (LsIterRewriter *self,
                  LsIterSplit    *split,
                  LsExpr         *base,
                  LsExpr         *divisor)
{
  LsExpr *left;

  if (ls_is_one (divisor))
    return ls_pool_const (&self->pool, ls_dtype (split), 0);
  if (!ls_is_one (split->scale))
    {
      if (ls_iter_divisible (self, split->scale, divisor) && ls_iter_divisible (self, base, divisor))
        return ls_pool_const (&self->pool, ls_dtype (split), 0);
      if (!divide_out_scale (self, split->scale, &base, &divisor))
        {
          ls_iter_error (self, "the scale %s and the modulus %s do not divide one another", split->scale, divisor);
          return NULL;
        }
    }
  split = pad_to_divisor (self, split, base, divisor, TRUE, &left);
  if (split == NULL)
    return NULL;
  return LS_EXPR (ls_iter_split_make (self, split->source, split->lower_factor, divisor, split->scale));
}
