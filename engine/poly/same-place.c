/* same-place: most accesses of blocks are at the block's own variables, and then isl need not be asked.
 *
 * Two rounds that touch one element have the same values of all loops that its index tells: i in A[i], i and j in A[i * 8 + j] with
 * j below 8.  What is left to order them are the other loops around both; where these stand in the same order as before, and
 * are serial, so do the rounds.
 */
#include "engine/poly/conflict.h"

typedef struct {
  LsVar *vars[8];
  gint64 factors[8];
  guint  n;
} Sum;

/* Adds factor * expr; constants do not matter. FALSE: it is no sum of variables. */
static gboolean
add_terms (Sum    *self,
           LsExpr *expr,
           gint64  factor)
{
  LsBinary *pair = (LsBinary *) expr;
  gint64 number;

  if (ls_as_int (expr, &number))
    return TRUE;
  if (ls_is_var (expr) && self->n < G_N_ELEMENTS (self->vars))
    {
      self->vars[self->n] = (LsVar *) expr;
      self->factors[self->n++] = factor;
      return TRUE;
    }
  if (ls_is (expr, ADD))
    return add_terms (self, pair->a, factor) && add_terms (self, pair->b, factor);
  if (ls_is (expr, MUL) && ls_as_int (pair->b, &number) && !__builtin_mul_overflow (number, factor, &number))
    return add_terms (self, pair->a, number);
  return FALSE;
}

static LsFor *
common_loop (GPtrArray *loops,
             LsVar     *var)
{
  for (guint i = 0; i < loops->len; i++)
    if (((LsFor *) loops->pdata[i])->loop_var == var)
      return loops->pdata[i];
  return NULL;
}

static void
swap (Sum  *self,
      guint a,
      guint b)
{
  LsVar *var = self->vars[a];
  gint64 factor = self->factors[a];

  self->vars[a] = self->vars[b];
  self->factors[a] = self->factors[b];
  self->vars[b] = var;
  self->factors[b] = factor;
}

/* Does the sum tell each of its variables, digits of a number? They are sorted by their factors. */
static gboolean
tells_all (Sum       *self,
           GPtrArray *loops)
{
  gint64 reach = 1;             /* of the digits so far */

  for (guint done = 0; done < self->n; done++)
    {
      guint least = done;
      LsFor *loop;
      gint64 extent;

      for (guint i = done + 1; i < self->n; i++)
        if (self->factors[i] < self->factors[least])
          least = i;
      swap (self, done, least);
      loop = common_loop (loops, self->vars[done]);
      if (loop == NULL || self->factors[done] < reach)
        return FALSE;
      if (done + 1 < self->n && (!ls_as_int (loop->extent, &extent) || !ls_is_zero (loop->min) || __builtin_mul_overflow (extent, self->factors[done], &reach)))
        return FALSE;
    }
  return TRUE;
}

/* Loops around both leaves. (transfer container) */
static GPtrArray *
common_loops (LsPolyLeaf *a,
              LsPolyLeaf *b)
{
  GPtrArray *common = g_ptr_array_new ();

  for (guint k = 0; k < MIN (a->loops->len, b->loops->len) && a->loops->pdata[k] == b->loops->pdata[k]; k++)
    g_ptr_array_add (common, a->loops->pdata[k]);
  return common;
}

/* Loops of which two rounds that touch one element have the same values, as a set of variables. */
static GHashTable *
told_loops (LsPolyAccess *from,
            LsPolyAccess *to,
            GPtrArray    *loops)
{
  GHashTable *told = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < ls_array_n (from->indices) && i < ls_array_n (to->indices); i++)
    {
      LsExpr *index = ls_array_at (from->indices, i, LsExpr);
      Sum sum = { .n = 0 };

      if (!ls_deep_equal (index, to->indices->items[i]) || !add_terms (&sum, index, 1) || !tells_all (&sum, loops))
        continue;
      for (guint k = 0; k < sum.n; k++)
        g_hash_table_add (told, sum.vars[k]);
    }
  return told;
}

/* The next loop from `at` on that is not told; NULL: none. */
static LsFor *
next_untold (GPtrArray  *loops,
             GHashTable *told,
             guint      *at)
{
  while (*at < loops->len)
    {
      LsFor *loop = loops->pdata[(*at)++];

      if (!g_hash_table_contains (told, loop->loop_var))
        return loop;
    }
  return NULL;
}

gboolean
ls_poly_is_same_place (LsPolyPair   *a,
                       LsPolyPair   *b,
                       LsPolyAccess *from,
                       LsPolyAccess *to)
{
  g_autoptr(GPtrArray) old = common_loops (a->old, b->old);
  g_autoptr(GPtrArray) fresh = common_loops (a->fresh, b->fresh);
  g_autoptr(GHashTable) told = NULL;
  guint at_old = 0, at_fresh = 0;
  LsFor *one, *other;

  if (!a->same_loops || !b->same_loops || from->buffer != to->buffer || old->len != fresh->len ||
      (a->number_old < b->number_old) != (a->number_fresh < b->number_fresh))
    return FALSE;
  for (guint i = 0; i < old->len; i++)
    if (common_loop (fresh, ((LsFor *) old->pdata[i])->loop_var) == NULL)
      return FALSE;
  told = told_loops (from, to, old);
  do
    {
      one = next_untold (old, told, &at_old);
      other = next_untold (fresh, told, &at_fresh);
      if (one != NULL && (other->loop_var != one->loop_var || other->kind != one->kind))
        return FALSE;
    }
  while (one != NULL);
  return TRUE;
}
