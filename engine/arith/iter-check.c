/* iter-check: do the splits of each mark cover it without overlap?
 *
 * For a bijective map the splits of a mark, put in order by their lower factors, must fill
 * its extent exactly, and every input iterator must be used.  For a surjective one a factor
 * may be left out, but what is there must divide the extent.  A padded mark may be used
 * where the values that are padding do not matter (see each sentence below).
 */
#include "engine/arith/iter-private.h"

/* ---- which splits a mark has ---------------------------------------------- */

static void
mark_splits_free (LsMarkSplits *self)
{
  g_ptr_array_unref (self->splits);
  g_free (self);
}

static LsMarkSplits *
find_mark (LsMarkTable *self,
           LsIterMark  *mark)
{
  for (guint i = 0; i < self->marks->len; i++)
    if (((LsMarkSplits *) self->marks->pdata[i])->mark == mark)
      return self->marks->pdata[i];
  return NULL;
}

static void collect_sum (LsMarkTable *self, LsIterSum *sum);

static void
collect_mark (LsMarkTable *self,
              LsIterMark  *mark)
{
  LsMarkSplits *entry;

  if (find_mark (self, mark) != NULL)
    return;
  entry = g_new0 (LsMarkSplits, 1);
  entry->mark = mark;
  entry->splits = g_ptr_array_new ();
  g_ptr_array_add (self->marks, entry);
  if (ls_is (mark->source, ITER_SUM))
    collect_sum (self, (LsIterSum *) mark->source);
}

static void
collect_sum (LsMarkTable *self,
             LsIterSum   *sum)
{
  for (guint i = 0; i < ls_sum_n (sum); i++)
    {
      LsIterSplit *split = ls_sum_at (sum, i);

      collect_mark (self, split->source);
      g_ptr_array_add (find_mark (self, split->source)->splits, split);
    }
}

void
ls_mark_table_init (LsMarkTable *self,
                    LsArray     *sums)
{
  self->marks = g_ptr_array_new_with_free_func ((GDestroyNotify) mark_splits_free);
  for (guint i = 0; i < ls_array_n (sums); i++)
    collect_sum (self, ls_array_at (sums, i, LsIterSum));
}

void
ls_mark_table_clear (LsMarkTable *self)
{
  g_ptr_array_unref (self->marks);
}

GPtrArray *
ls_mark_table_splits (LsMarkTable *self,
                      LsIterMark  *mark)
{
  LsMarkSplits *entry = find_mark (self, mark);

  return entry != NULL ? entry->splits : NULL;
}

/* ---- order ---------------------------------------------------------------- */

/* The unused split of smallest lower factor, when all unused ones are multiples of `factor`; -1 otherwise. */
static gint
skip_to_next (LsIterRewriter *self,
              GPtrArray      *splits,
              const gboolean *used,
              LsExpr         *factor)
{
  gint found = -1;

  for (guint i = 0; i < splits->len; i++)
    {
      LsIterSplit *split = splits->pdata[i];

      if (used[i])
        continue;
      if (!ls_iter_divisible (self, split->lower_factor, factor))
        return -1;
      if (found == -1 ||
          ls_iter_divisible (self, ((LsIterSplit *) splits->pdata[found])->lower_factor, split->lower_factor))
        found = (gint) i;
    }
  return found;
}

static gint
next_in_order (LsIterRewriter *self,
               GPtrArray      *splits,
               const gboolean *used,
               LsExpr         *factor,
               LsIterMapLevel  level)
{
  for (guint i = 0; i < splits->len; i++)
    if (!used[i] &&
        ls_analyzer_can_prove_equal (self->analyzer, ((LsIterSplit *) splits->pdata[i])->lower_factor, factor))
      return (gint) i;
  return level == LS_ITER_MAP_BIJECTIVE ? -1 : skip_to_next (self, splits, used, factor);
}

/* What the splits reach when put in order; NULL when they overlap or leave a gap that may not be. */
static LsExpr *
reach_of (LsIterRewriter *self,
          LsIterMark     *mark,
          GPtrArray      *splits,
          LsIterMapLevel  level)
{
  g_autofree gboolean *used = g_new0 (gboolean, splits->len + 1);
  LsExpr *factor = ls_pool_const (&self->pool, ls_dtype (mark->source), 1);

  for (guint i = 0; i < splits->len; i++)
    {
      gint at = next_in_order (self, splits, used, factor, level);
      LsIterSplit *split;

      if (at == -1)
        return NULL;
      used[at] = TRUE;
      split = splits->pdata[at];
      factor = ls_pool_mul (&self->pool, split->lower_factor, split->extent);
    }
  return factor;
}

/* ---- coverage ------------------------------------------------------------- */

static gboolean
not_covered (LsIterRewriter *self,
             const char     *why,
             LsIterMark     *mark)
{
  ls_iter_error (self, why, mark->source, NULL);
  return FALSE;
}

static gboolean
proves_at_least (LsIterRewriter *self,
                 LsExpr         *a,
                 LsExpr         *b)
{
  return ls_pool_proves (self->analyzer, ls_ge (ls_ref (a), ls_ref (b)));
}

/* Does a split of a padded mark provably miss some of its values, because the mark was padded further than the
 * split alone asks for?  The unpadded values are left .. left + extent - 1. */
static gboolean
misses_values (LsIterRewriter *self,
               LsIterSplit    *split,
               LsIterMark     *origin)
{
  LsExpr *left = ((LsIterSum *) split->source->source)->base;
  LsExpr *last = ls_pool_add_int (&self->pool, ls_pool_add (&self->pool, left, origin->extent), -1);
  LsExpr *values = ls_pool_add_int (&self->pool,
                                    ls_pool_sub (&self->pool, ls_pool_floordiv (&self->pool, last, split->lower_factor),
                                                 ls_pool_floordiv (&self->pool, left, split->lower_factor)), 1);

  return ls_pool_proves (self->analyzer, ls_lt (ls_ref (values), ls_ref (split->extent)));
}

static gboolean
check_padded (LsIterRewriter *self,
              LsIterMark     *mark,
              LsIterMark     *origin,
              GPtrArray      *splits,
              LsExpr         *reach,
              gboolean        full,
              gboolean        divides)
{
  if (full)
    {
      if (splits->len != 1)
        return not_covered (self, "several iterators depend on the padded iterator %s", mark);
      if (ls_analyzer_can_prove_equal (self->analyzer, ((LsIterSplit *) splits->pdata[0])->extent, reach) &&
          !proves_at_least (self, origin->extent, reach))
        return not_covered (self, "the whole of the padded iterator %s is used", mark);
      if (misses_values (self, splits->pdata[0], origin))
        return not_covered (self, "the part of the padded iterator %s does not take all its values", mark);
      return TRUE;
    }
  if (!divides)
    return not_covered (self, "the parts of %s do not divide its extent", mark);
  if (!proves_at_least (self, origin->extent, reach))
    return not_covered (self, "before padding, %s is shorter than its parts", mark);
  return TRUE;
}

static gboolean
check_mark (LsIterRewriter *self,
            LsIterMark     *mark,
            GPtrArray      *splits,
            LsIterMapLevel  level)
{
  LsExpr *reach = reach_of (self, mark, splits, level);
  LsIterMark *origin;
  gboolean full, divides;

  if (reach == NULL)
    return FALSE;
  origin = ls_iter_padding_origin (self, mark);
  full = ls_analyzer_can_prove_equal (self->analyzer, reach, mark->extent);
  divides = full || ls_iter_divisible (self, mark->extent, reach);
  if (level == LS_ITER_MAP_BIJECTIVE && origin != NULL)
    return not_covered (self, "the iterator %s is padded", mark);
  if (level == LS_ITER_MAP_BIJECTIVE)
    return full || not_covered (self, "the parts of %s do not fill its extent", mark);
  if (origin == NULL)
    return divides || not_covered (self, "the parts of %s do not divide its extent", mark);
  if (level == LS_ITER_MAP_SURJECTIVE)
    return check_padded (self, mark, origin, splits, reach, full, divides);
  return TRUE;
}

gboolean
ls_iter_check_mapping (LsIterRewriter *self,
                       LsArray        *sums,
                       LsIterMapLevel  level)
{
  LsMarkTable table;
  gboolean ok = TRUE;

  ls_mark_table_init (&table, sums);
  for (guint i = 0; ok && i < table.marks->len; i++)
    {
      LsMarkSplits *entry = table.marks->pdata[i];

      ok = check_mark (self, entry->mark, entry->splits, level);
    }
  for (guint i = 0; ok && level == LS_ITER_MAP_BIJECTIVE && i < self->input_marks->len; i++)
    {
      LsIterMark *mark = self->input_marks->pdata[i];

      ok = ls_is_one (mark->extent) || ls_mark_table_splits (&table, mark) != NULL ||
           not_covered (self, "the iterator %s is not used", mark);
    }
  ls_mark_table_clear (&table);
  return ok;
}
