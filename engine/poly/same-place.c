/* same-place: most accesses of blocks are at the block's own variables, and then isl need not be asked.
 *
 * Two rounds that touch one element have the same values of all loops that its index tells: i in A[i], i and j in A[i * 8 + j] with
 * j below 8, f in A[f // 8, f % 8].  So they have of those that a condition of both tells: k where it is 0, as in an init.  What is left to
 * order them are the other loops around both; where these stand in the same order as before, and are serial, so do the rounds.
 */
#include "engine/poly/conflict.h"

#include <stdlib.h>

#define ALL G_MAXINT64

/* What an index tells of a variable: (v // low) % (high / low), here times a factor. */
typedef struct {
  LsVar *var;
  gint64 low, high;             /* ALL: up to its most significant digit */
  gint64 factor;
} Digit;

typedef struct {
  Digit digits[8];
  guint n;
} Sum;

/* Two accesses, and what they tell. */
typedef struct {
  LsPolyPair   *a, *b;
  LsPolyAccess *from, *to;
  GPtrArray    *loops;          /* around both */
  GArray       *told;           /* of Digit */
} Tale;

static LsFor *
common_loop (GPtrArray *loops,
             LsVar     *var)
{
  for (guint i = 0; i < loops->len; i++)
    if (((LsFor *) loops->pdata[i])->loop_var == var)
      return loops->pdata[i];
  return NULL;
}

/* The same in all rounds: a loop around the statement, or a parameter. */
static gboolean
is_fixed (Tale  *self,
          LsVar *var)
{
  return common_loop (self->a->old->loops, var) == NULL && common_loop (self->b->old->loops, var) == NULL &&
         common_loop (self->from->inner, var) == NULL && common_loop (self->to->inner, var) == NULL;
}

/* v, v // c, v % c, and so on. */
static gboolean
read_digit (LsExpr *expr,
            Digit  *digit)
{
  LsBinary *pair = (LsBinary *) expr;
  gint64 number;

  if (ls_is_var (expr))
    {
      *digit = (Digit) { (LsVar *) expr, 1, ALL, 1 };
      return TRUE;
    }
  if ((!ls_is (expr, FLOOR_DIV) && !ls_is (expr, FLOOR_MOD)) || !ls_as_int (pair->b, &number) || number <= 0 || !read_digit (pair->a, digit) ||
      (digit->high != ALL && digit->high / digit->low % number != 0) || __builtin_mul_overflow (digit->low, number, &number))
    return FALSE;
  if (ls_is (expr, FLOOR_DIV))
    digit->low = number;
  else
    digit->high = number;
  return TRUE;
}

/* Adds factor * expr; what is the same in all rounds does not matter. FALSE: it is no sum of digits. */
static gboolean
add_terms (Tale   *self,
           Sum    *sum,
           LsExpr *expr,
           gint64  factor)
{
  LsBinary *pair = (LsBinary *) expr;
  gint64 number;
  Digit digit;

  if (ls_as_int (expr, &number))
    return TRUE;
  if (read_digit (expr, &digit))
    {
      if (is_fixed (self, digit.var))
        return TRUE;
      if (sum->n == G_N_ELEMENTS (sum->digits))
        return FALSE;
      digit.factor = factor;
      sum->digits[sum->n++] = digit;
      return TRUE;
    }
  if (ls_is (expr, ADD))
    return add_terms (self, sum, pair->a, factor) && add_terms (self, sum, pair->b, factor);
  if (ls_is (expr, MUL) && ls_as_int (pair->b, &number) && !__builtin_mul_overflow (number, factor, &number))
    return add_terms (self, sum, pair->a, number);
  return FALSE;
}

/* How many values the digit has; 0: not known. */
static gint64
n_values (GPtrArray   *loops,
          const Digit *digit)
{
  LsFor *loop = common_loop (loops, digit->var);
  gint64 extent;

  if (digit->high != ALL)
    return digit->high / digit->low;
  return ls_as_int (loop->extent, &extent) && ls_is_zero (loop->min) ? extent / digit->low + (extent % digit->low != 0) : 0;
}

static int
by_factor (const void *a,
           const void *b)
{
  gint64 x = ((const Digit *) a)->factor, y = ((const Digit *) b)->factor;

  return (x > y) - (x < y);
}

/* Does the sum tell each of its parts, as a number tells its digits? They are sorted by their factors. */
static gboolean
tells_all (Sum       *self,
           GPtrArray *loops)
{
  gint64 reach = 1;             /* of the digits so far */

  qsort (self->digits, self->n, sizeof *self->digits, by_factor);
  for (guint i = 0; i < self->n; i++)
    {
      if (common_loop (loops, self->digits[i].var) == NULL || self->digits[i].factor < reach)
        return FALSE;
      if (i + 1 < self->n && (n_values (loops, &self->digits[i]) == 0 || __builtin_mul_overflow (n_values (loops, &self->digits[i]), self->digits[i].factor, &reach)))
        return FALSE;
    }
  return TRUE;
}

/* The expression has one value in both rounds. */
static void
hear (Tale   *self,
      LsExpr *expr)
{
  Sum sum = { .n = 0 };

  if (add_terms (self, &sum, expr, 1) && tells_all (&sum, self->loops))
    g_array_append_vals (self->told, sum.digits, sum.n);
}

/* `expr == 0` in both. */
static void
hear_condition (Tale   *self,
                LsExpr *condition)
{
  LsBinary *pair = (LsBinary *) condition;
  gint64 number;

  if (!ls_is (condition, EQ) || !ls_as_int (pair->b, &number))
    return;
  for (guint i = 0; i < self->to->conditions->len; i++)
    if (ls_deep_equal (condition, self->to->conditions->pdata[i]))
      {
        hear (self, pair->a);
        return;
      }
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

/* Are all digits of the loop's variable told? */
static gboolean
is_told (Tale  *self,
         LsFor *loop)
{
  gint64 reach = 1, extent;
  gboolean goes_on = TRUE;

  while (goes_on && reach != ALL)
    {
      goes_on = FALSE;
      for (guint i = 0; i < self->told->len && !goes_on; i++)
        {
          Digit *digit = &g_array_index (self->told, Digit, i);

          if (digit->var != loop->loop_var || digit->low != reach)
            continue;
          reach = digit->high;
          goes_on = TRUE;
        }
    }
  return reach == ALL || (ls_is_zero (loop->min) && ls_as_int (loop->extent, &extent) && reach >= extent);
}

/* Loops of which two rounds that touch one element have the same values, as a set of variables. (transfer container) */
static GHashTable *
told_loops (LsPolyPair   *a,
            LsPolyPair   *b,
            LsPolyAccess *from,
            LsPolyAccess *to,
            GPtrArray    *loops)
{
  g_autoptr(GArray) digits = g_array_new (FALSE, FALSE, sizeof (Digit));
  Tale tale = { a, b, from, to, loops, digits };
  GHashTable *told = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < ls_array_n (from->indices) && i < ls_array_n (to->indices); i++)
    if (ls_deep_equal (from->indices->items[i], to->indices->items[i]))
      hear (&tale, ls_array_at (from->indices, i, LsExpr));
  for (guint i = 0; i < from->conditions->len; i++)
    hear_condition (&tale, from->conditions->pdata[i]);
  for (guint i = 0; i < loops->len; i++)
    if (is_told (&tale, loops->pdata[i]))
      g_hash_table_add (told, ((LsFor *) loops->pdata[i])->loop_var);
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
  told = told_loops (a, b, from, to, old);
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
