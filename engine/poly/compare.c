/* compare: see poly.h.
 *
 * For each two leaves, each two of their accesses to one buffer: the pairs of rounds that touch one element in this order,
 * and of them those that come the other way round, or at the same time, afterwards.  Where a leaf keeps its loops a round is
 * the values of these; else it is the values of its block's variables.  One that runs several times afterwards counts by its
 * first run when it makes what is read; or, when what it reads is not all there yet then, by its last.
 */
#include "engine/poly/conflict.h"
#include "engine/poly/run.h"

#include <string.h>

/* Looks at pairs (taken) that change places. TRUE: it is decided. */
static gboolean
judge (LsPolyConflict *self,
       isl_map  *pairs,
       gboolean  at_once)
{
  isl_bool none = isl_map_is_empty (pairs);

  if (none == isl_bool_true)
    {
      isl_map_free (pairs);
      return FALSE;
    }
  self->has_turned = TRUE;
  pairs = none == isl_bool_error ? pairs : ls_poly_what_matters (self, pairs, at_once);
  if (pairs == NULL && none != isl_bool_error)
    return FALSE;
  pairs = pairs != NULL ? isl_map_intersect_params (pairs, ls_poly_context (&self->compare->space)) : NULL;
  none = isl_map_is_empty (pairs);
  if (none == isl_bool_false && self->exact)
    {
      ls_poly_show (self, pairs, at_once);
      return TRUE;
    }
  isl_map_free (pairs);
  self->compare->is_vague |= none == isl_bool_false;
  return none == isl_bool_error;
}

/* ---- one conflict ------------------------------------------------------------------ */

static isl_map *
new_order (LsPolyConflict *self,
           LsOrder   order)
{
  LsPolyCompare *compare = self->compare;
  LsPolyPair *a = self->a, *b = self->b;

  return ls_poly_order (&compare->space, a->fresh, a->same_loops ? a->old : a->fresh, a->number_fresh,
                        b->fresh, b->same_loops ? b->old : b->fresh, b->number_fresh, order, ls_poly_is_sum (self));
}

/* Pairs of loops of the new program as pairs of rounds, those only that run. (takes) */
static isl_map *
as_rounds (LsPolyConflict *self,
           isl_map  *loops,
           gboolean  left,
           gboolean  right)
{
  isl_map *a = ls_poly_naming (self->compare, self->a, self->a->fresh, &self->exact);
  isl_map *b = ls_poly_naming (self->compare, self->b, self->b->fresh, &self->exact);

  loops = left ? isl_map_apply_domain (loops, a) : loops;
  loops = right ? isl_map_apply_range (loops, b) : loops;
  if (!left)
    isl_map_free (a);
  if (!right)
    isl_map_free (b);
  return loops;
}

/* For each run of the second a run of the first goes before it; the pairs where none does. (takes pairs) */
static isl_map *
never_before (LsPolyConflict *self,
              isl_map  *pairs)
{
  gboolean exact = TRUE;
  isl_map *runs = ls_poly_naming (self->compare, self->b, self->b->fresh, &exact);
  isl_map *wanted = isl_map_apply_range (pairs, isl_map_reverse (isl_map_copy (runs)));
  isl_map *given = as_rounds (self, new_order (self, LS_ORDER_BEFORE), TRUE, FALSE);
  isl_map *lost = isl_map_apply_range (isl_map_subtract (wanted, given), runs);

  self->exact &= exact;
  return lost;
}

/* Each run of the second may read something old, as long as the last one does not: the pairs where it does. (takes pairs) */
static isl_map *
never_after (LsPolyConflict *self,
             isl_map        *pairs)
{
  gboolean exact = TRUE;
  isl_map *runs = ls_poly_naming (self->compare, self->a, self->a->fresh, &exact);
  isl_map *wanted = isl_map_apply_range (isl_map_copy (runs), pairs);
  isl_map *given = as_rounds (self, new_order (self, LS_ORDER_BEFORE), FALSE, TRUE);
  isl_map *lost = isl_map_apply_domain (isl_map_subtract (wanted, given), runs);

  self->exact &= exact;
  return lost;
}

/* The pairs whose first no longer runs at all. */
static isl_map *
not_made (LsPolyConflict *self,
          isl_map        *pairs)
{
  gboolean exact = TRUE;
  isl_map *runs = ls_poly_naming (self->compare, self->a, self->a->fresh, &exact);

  self->exact &= exact;
  return isl_map_subtract_domain (isl_map_copy (pairs), isl_map_range (runs));
}

/* Does the first run the same rounds as ever? Then none is missing. */
static gboolean
is_as_it_was (LsPolyConflict *self)
{
  LsPolySpace *space = &self->compare->space;

  return strcmp (ls_poly_instance_text (space, self->a->old), ls_poly_instance_text (space, self->a->fresh)) == 0;
}

/* Are all rounds of the first over before the second begins? */
static gboolean
is_all_before (LsPolyConflict *self)
{
  GPtrArray *a = self->a->fresh->loops, *b = self->b->fresh->loops;

  return self->a->number_fresh < self->b->number_fresh && (a->len == 0 || b->len == 0 || a->pdata[0] != b->pdata[0]);
}

/* What is made in one block is read in another, and rounds may run several times. (takes pairs) */
static gboolean
check_flow (LsPolyConflict *self,
            isl_map        *pairs)
{
  isl_map *missing = is_as_it_was (self) ? NULL : not_made (self, pairs);
  isl_map *early, *lost;

  if (missing != NULL && isl_map_is_empty (missing) != isl_bool_true)
    {
      isl_map_free (pairs);
      return judge (self, missing, FALSE);
    }
  isl_map_free (missing);
  if (is_all_before (self))
    {
      isl_map_free (pairs);
      return FALSE;
    }
  early = never_before (self, isl_map_copy (pairs));

  if (isl_map_is_empty (early) == isl_bool_true)
    {
      isl_map_free (early);
      isl_map_free (pairs);
      return FALSE;
    }
  lost = never_after (self, pairs);
  if (isl_map_is_empty (lost) != isl_bool_true)
    {
      isl_map_free (lost);
      return judge (self, early, FALSE);
    }
  isl_map_free (lost);
  isl_map_free (early);
  self->b->is_late = TRUE;
  return FALSE;
}

static gboolean
check_order (LsPolyConflict *self,
             isl_map        *pairs,
             LsOrder         wanted)
{
  isl_map *order = new_order (self, wanted);

  if (!self->a->same_loops || !self->b->same_loops)
    order = as_rounds (self, order, TRUE, TRUE);
  return judge (self, isl_map_intersect (pairs, order), wanted == LS_ORDER_AT_ONCE);
}

static gboolean
is_named (LsPolyConflict *self)
{
  return !self->a->same_loops || !self->b->same_loops;
}

static gboolean
may_turn (LsPolyConflict *self)
{
  gboolean adds = self->a == self->b && self->from->role == LS_ACCESS_ADDS && self->to->role == LS_ACCESS_ADDS;

  return !adds && ls_poly_may_be (self->a->fresh, self->a->number_fresh, self->b->fresh, self->b->number_fresh, LS_ORDER_AFTER);
}

static gboolean
may_be_at_once (LsPolyConflict *self)
{
  return ls_poly_may_be (self->a->fresh, self->a->number_fresh, self->b->fresh, self->b->number_fresh, LS_ORDER_AT_ONCE);
}

static gboolean
ask (LsPolyConflict *self)
{
  LsPolyPair *a = self->a, *b = self->b;
  isl_map *pairs;

  pairs = ls_poly_conflicts (self->compare, a, self->from, b, self->to, FALSE, &self->exact);
  if (isl_map_is_empty (pairs) == isl_bool_true)
    {
      isl_map_free (pairs);
      return FALSE;
    }
  if (is_named (self))
    {
      pairs = isl_map_apply_domain (pairs, ls_poly_naming (self->compare, a, a->old, &self->exact));
      pairs = isl_map_apply_range (pairs, ls_poly_naming (self->compare, b, b->old, &self->exact));
      if (self->kind == LS_POLY_RAW && a != b && !a->is_late)
        return check_flow (self, pairs);
    }
  if (may_turn (self) && check_order (self, isl_map_copy (pairs), LS_ORDER_AFTER))
    {
      isl_map_free (pairs);
      return TRUE;
    }
  if (may_be_at_once (self))
    return check_order (self, pairs, LS_ORDER_AT_ONCE);
  isl_map_free (pairs);
  return FALSE;
}

/* Asks, where it is not known what comes of it. TRUE: it is decided. */
static gboolean
check_conflict (LsPolyConflict *self)
{
  LsPolySpace *space = &self->compare->space;
  g_autofree char *key = NULL;
  gboolean was_late = self->b->is_late, decided;
  LsPolyMemo memo;
  gulong before;

  if ((!may_turn (self) && !may_be_at_once (self) && !is_named (self)) || (is_named (self) && ls_poly_is_sum (self)) ||
      !ls_poly_may_be (self->a->old, self->a->number_old, self->b->old, self->b->number_old, LS_ORDER_BEFORE))
    return FALSE;
  key = ls_poly_memo_key (self);
  if (ls_poly_memo_look_up (key, &memo))
    {
      self->b->is_late |= memo.is_late;
      ls_poly_store_spend (space->store, memo.operations);
      return FALSE;
    }
  if (!ls_poly_may_matter (self, may_turn (self), may_be_at_once (self)))
    return FALSE;
  before = ls_poly_store_spent (space->store);
  decided = ask (self);
  if (decided || self->has_turned || isl_ctx_last_error (space->ctx) != isl_error_none)
    return decided;
  memo = (LsPolyMemo) { self->b->is_late && !was_late, ls_poly_store_spent (space->store) - before };
  ls_poly_memo_keep (g_steal_pointer (&key), &memo);
  return FALSE;
}

/* ---- all of them ---------------------------------------------------------------------- */

/* Loads of a vector come before its stores. */
static gboolean
is_one_vector (LsPolyPair      *a,
               LsPolyPair      *b,
               LsPolyKind kind)
{
  if (a != b || kind != LS_POLY_WAR || !a->old->one_store)
    return FALSE;
  for (guint i = 0; i < a->fresh->loops->len; i++)
    {
      LsFor *loop = a->fresh->loops->pdata[i];

      if (loop->kind != LS_FOR_SERIAL && loop->kind != LS_FOR_UNROLLED && loop->kind != LS_FOR_VECTORIZED)
        return FALSE;
    }
  return a->fresh->loops->len > 0 && ((LsFor *) a->fresh->loops->pdata[a->fresh->loops->len - 1])->kind == LS_FOR_VECTORIZED;
}

/* Do a's rounds stand to b's as they did? */
static gboolean
same_order (LsPolyPair *a,
            LsPolyPair *b)
{
  guint k = 0;

  if (!a->same_loops || !b->same_loops || (a->number_old < b->number_old) != (a->number_fresh < b->number_fresh))
    return FALSE;
  for (;; k++)
    {
      gboolean common = k < MIN (a->old->loops->len, b->old->loops->len) && a->old->loops->pdata[k] == b->old->loops->pdata[k];
      gboolean still = k < MIN (a->fresh->loops->len, b->fresh->loops->len) && a->fresh->loops->pdata[k] == b->fresh->loops->pdata[k];
      LsFor *old, *fresh;

      if (common != still)
        return FALSE;
      if (!common)
        return TRUE;
      old = a->old->loops->pdata[k];
      fresh = a->fresh->loops->pdata[k];
      if (old->loop_var != fresh->loop_var || old->kind != fresh->kind)
        return FALSE;
    }
}

static gboolean
check_pair (LsPolyCompare *self,
            LsPolyPair    *a,
            LsPolyPair    *b)
{
  if (same_order (a, b))
    return FALSE;
  for (guint i = 0; i < a->old->accesses->len; i++)
    for (guint k = 0; k < b->old->accesses->len; k++)
      {
        LsPolyConflict conflict = { self, a, b, &g_array_index (a->old->accesses, LsPolyAccess, i), &g_array_index (b->old->accesses, LsPolyAccess, k), .exact = TRUE };

        if (!ls_poly_touches (conflict.from, conflict.to->buffer) || (!conflict.from->is_write && !conflict.to->is_write))
          continue;
        conflict.exact = conflict.from->buffer == conflict.to->buffer || ls_array_n (conflict.from->indices) == ls_array_n (conflict.to->indices);
        conflict.kind = ls_poly_kind (conflict.from, conflict.to);
        if (ls_array_n (conflict.from->indices) != ls_array_n (conflict.to->indices))
          {
            self->is_vague = TRUE;
            continue;
          }
        if (!ls_poly_is_same_place (a, b, conflict.from, conflict.to) && !is_one_vector (a, b, conflict.kind) && check_conflict (&conflict))
          return TRUE;
      }
  return FALSE;
}

static GArray *
pair_up (GPtrArray *old,
         GPtrArray *fresh)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (LsPolyPair));

  for (guint i = 0; i < old->len; i++)
    for (guint k = 0; k < fresh->len; k++)
      {
        LsPolyPair pair = { old->pdata[i], fresh->pdata[k], i, k, FALSE };

        if (pair.old->key != pair.fresh->key)
          continue;
        pair.same_loops = ls_poly_has_same_loops (pair.old, pair.fresh);
        g_array_append_val (pairs, pair);
        break;
      }
  return pairs;
}

void
ls_poly_begin (LsPolyCompare *self,
               GPtrArray     *old,
               GPtrArray     *fresh,
               gulong         operations)
{
  self->verdict->answer = LS_POLY_KEPT;
  ls_poly_space_init (&self->space, operations);
  self->pairs = pair_up (old, fresh);
}

void
ls_poly_settle (LsPolyCompare *self)
{
  LsPolyVerdict *verdict = self->verdict;

  if (isl_ctx_last_error (self->space.ctx) == isl_error_quota)
    {
      ls_poly_verdict_clear (verdict);
      verdict->answer = LS_POLY_UNDECIDED;
      verdict->reason = LS_TEXT ("the accesses are too many for the time that is given");
    }
  else if (isl_ctx_last_error (self->space.ctx) != isl_error_none)
    {
      ls_poly_verdict_clear (verdict);
      verdict->answer = LS_POLY_UNDECIDED;
      verdict->reason = LS_TEXT ("the accesses could not be written as sets of numbers");
    }
  else if (verdict->answer == LS_POLY_KEPT && self->is_vague)
    {
      verdict->answer = LS_POLY_UNDECIDED;
      verdict->reason = LS_TEXT ("some indices or conditions are no sums of loop variables");
    }
  g_clear_pointer (&self->elsewhere, g_hash_table_unref);
  g_clear_pointer (&self->pairs, g_array_unref);
  ls_poly_space_clear (&self->space);
}

static guint
count_late (LsPolyCompare *self)
{
  guint n = 0;

  for (guint i = 0; i < self->pairs->len; i++)
    n += g_array_index (self->pairs, LsPolyPair, i).is_late;
  return n;
}

/* Once more when a block was found to be right by its last run only: others may have read it before. */
static void
check_all (LsPolyCompare *self)
{
  guint late;

  do
    {
      late = count_late (self);
      for (guint i = 0; i < self->pairs->len; i++)
        for (guint k = 0; k < self->pairs->len; k++)
          if (self->verdict->answer == LS_POLY_KEPT && isl_ctx_last_error (self->space.ctx) == isl_error_none)
            check_pair (self, &g_array_index (self->pairs, LsPolyPair, i), &g_array_index (self->pairs, LsPolyPair, k));
    }
  while (self->verdict->answer == LS_POLY_KEPT && count_late (self) > late);
}

void
ls_poly_compare (const LsPolyQuestion *question,
                 LsPolyVerdict        *verdict)
{
  const char *reason = NULL;
  g_autoptr(GPtrArray) old = ls_poly_leaves (question->before, &reason);
  g_autoptr(GPtrArray) fresh = reason == NULL ? ls_poly_leaves (question->after, &reason) : NULL;
  LsPolyCompare self = { .space = { .around = question->around }, .func = question->func, .before = question->place, .verdict = verdict };

  *verdict = (LsPolyVerdict) { .answer = LS_POLY_UNDECIDED, .reason = reason };
  if (reason != NULL)
    return;
  ls_poly_begin (&self, old, fresh, question->operations);
  check_all (&self);
  ls_poly_settle (&self);
  if (verdict->answer == LS_POLY_UNDECIDED)
    ls_poly_run (question->func, question->body, verdict);
}

static void
round_clear (LsPolyRound *self)
{
  g_clear_pointer (&self->vars, g_ptr_array_unref);
  g_clear_pointer (&self->values, g_array_unref);
}

void
ls_poly_verdict_clear (LsPolyVerdict *self)
{
  round_clear (&self->first);
  round_clear (&self->second);
  g_clear_pointer (&self->element, g_array_unref);
}
