/* memo: what came of two accesses, kept by all that isl was asked about them.
 *
 * Steps that are tried one after the other, on this program or on another one, ask much the same: the texts name loops by numbers, so that neither
 * names nor what else a program has count.  Kept is only that nothing changes places; what does is looked at with all that stands around it.  An
 * answer that is found takes from the comparison as much of its work as it took when it was computed, so that it decides no more and no less.
 */
#include "engine/poly/conflict.h"

#define MOST_KEPT 4096

static GMutex lock;
static GHashTable *kept;        /* text, owned -> LsPolyMemo, owned */

/* Space for the texts of one question, in an order that tells them apart. */
static void
put_text (GString    *key,
          const char *text)
{
  g_string_append (key, text);
  g_string_append_c (key, '\n');
}

static void
put_naming (GString       *key,
            LsPolyCompare *compare,
            LsPolyPair    *pair)
{
  if (pair->same_loops)
    return;
  put_text (key, ls_poly_instance_text (&compare->space, pair->old));
  put_text (key, ls_poly_instance_text (&compare->space, pair->fresh));
}

static void
put_order (GString        *key,
           LsPolyConflict *self,
           LsOrder         order,
           gboolean        sums)
{
  LsPolyPair *a = self->a, *b = self->b;
  g_autofree char *text = ls_poly_order_text (&self->compare->space, a->fresh, a->same_loops ? a->old : a->fresh, a->number_fresh,
                                              b->fresh, b->same_loops ? b->old : b->fresh, b->number_fresh, order, sums);

  put_text (key, text);
}

char *
ls_poly_memo_key (LsPolyConflict *self)
{
  LsPolyCompare *compare = self->compare;
  LsPolyPair *a = self->a, *b = self->b;
  GString *key = g_string_new (NULL);
  gboolean sums = ls_poly_is_sum (self);
  g_autofree char *old = ls_poly_order_text (&compare->space, a->old, a->old, a->number_old, b->old, b->old, b->number_old, LS_ORDER_BEFORE, FALSE);

  g_string_append_printf (key, "%d %d %d %d %d %d %d %d\n", self->kind, self->from->role, self->to->role, a == b, a->is_late, b->is_late, a->same_loops, b->same_loops);
  put_text (key, ls_poly_access_text (&compare->space, a->old, self->from));
  put_text (key, ls_poly_access_text (&compare->space, b->old, self->to));
  put_text (key, old);
  put_naming (key, compare, a);
  put_naming (key, compare, b);
  put_order (key, self, LS_ORDER_BEFORE, sums);
  put_order (key, self, LS_ORDER_AFTER, sums);
  put_order (key, self, LS_ORDER_AT_ONCE, sums);
  return g_string_free (key, FALSE);
}

guint
ls_poly_forget (void)
{
  guint n;

  g_mutex_lock (&lock);
  n = kept != NULL ? g_hash_table_size (kept) : 0;
  g_clear_pointer (&kept, g_hash_table_unref);
  g_mutex_unlock (&lock);
  return n;
}

gboolean
ls_poly_memo_look_up (const char *key,
                      LsPolyMemo *found)
{
  LsPolyMemo *memo;

  g_mutex_lock (&lock);
  memo = kept != NULL ? g_hash_table_lookup (kept, key) : NULL;
  if (memo != NULL)
    *found = *memo;
  g_mutex_unlock (&lock);
  return memo != NULL;
}

void
ls_poly_memo_keep (char             *key,
                   const LsPolyMemo *memo)
{
  g_mutex_lock (&lock);
  if (kept == NULL)
    kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  if (g_hash_table_size (kept) >= MOST_KEPT)
    g_hash_table_remove_all (kept);
  g_hash_table_insert (kept, key, g_memdup2 (memo, sizeof *memo));
  g_mutex_unlock (&lock);
}
