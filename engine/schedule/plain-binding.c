/* plain-binding: a quick answer for bindings whose form tells that they are affine.
 *
 * A binding is plain when it is a number written with loop variables as digits, the highest first and without gaps:
 *
 *   i        j_0 * 4 + j_1 (j_1 in 0..3)        a * 32 + b * 4 + c (c in 0..3, b in 0..7)
 *
 * and each loop variable stands in one binding only, no predicate guards the block, and all loops run from 0 a
 * constant number of times, at least twice.  Every value is then reached exactly once, which is what the detection of
 * iteration maps (arith/iter-map.h) would find, and the expression is in its normal form.
 */
#include "engine/schedule/schedule-private.h"

#define MAX_DIGITS 16

typedef struct {
  LsVar  *var;
  gint64  scale;
  gint64  extent;
} Digit;

typedef struct {
  LsDomMap *loops;
  LsVar    *used[4 * MAX_DIGITS];
  guint     n_used;
  Digit     digits[MAX_DIGITS];
  guint     n;
} Reader;

static gboolean
take_var (Reader *self,
          LsVar  *var)
{
  for (guint i = 0; i < self->n_used; i++)
    if (self->used[i] == var)
      return FALSE;
  if (self->n_used == G_N_ELEMENTS (self->used))
    return FALSE;
  self->used[self->n_used++] = var;
  return TRUE;
}

static gboolean
read_digit (Reader *self,
            LsExpr *term)
{
  LsBinary *product = (LsBinary *) term;
  Digit digit = { NULL, 1, 0 };
  LsRange *range;

  if (ls_is_var (term))
    digit.var = (LsVar *) term;
  else if (ls_is (term, MUL) && ls_is_var (product->a) && ls_as_int (product->b, &digit.scale) && digit.scale > 1)
    digit.var = (LsVar *) product->a;
  if (digit.var == NULL || self->n == MAX_DIGITS || !ls_dom_map_contains (self->loops, digit.var))
    return FALSE;
  range = ls_dom_map_get_range (self->loops, digit.var);
  if (range == NULL || !ls_is_zero (range->min) || !ls_as_int (range->extent, &digit.extent) || digit.extent < 2)
    return FALSE;
  self->digits[self->n++] = digit;
  return take_var (self, digit.var);
}

static gboolean
read_sum (Reader *self,
          LsExpr *sum)
{
  LsBinary *pair = (LsBinary *) sum;

  if (ls_is (sum, ADD))
    return read_sum (self, pair->a) && read_digit (self, pair->b);
  return read_digit (self, sum);
}

/* Highest digit first; the lowest has scale 1, each higher one the scale and extent of the one below. */
static gboolean
is_number (Reader *self)
{
  gint64 expected = 1;

  for (guint i = self->n; i-- > 0;)
    {
      if (self->digits[i].scale != expected || self->digits[i].extent > G_MAXINT32 || expected > G_MAXINT32)
        return FALSE;
      expected *= self->digits[i].extent;
    }
  return expected <= G_MAXINT32;
}

static gboolean
loops_are_constant (LsDomMap *loops)
{
  for (guint i = 0; i < ls_dom_map_get_n (loops); i++)
    {
      LsRange *range = ls_dom_map_get_range (loops, ls_dom_map_get_var (loops, i));

      if (range == NULL || !ls_is (range->min, INT_IMM) || !ls_is (range->extent, INT_IMM))
        return FALSE;
    }
  return TRUE;
}

gboolean
ls_is_plain_binding (LsBlockRealize *realize,
                     LsDomMap       *loops)
{
  Reader reader = { .loops = loops };

  if (!ls_is_one (realize->predicate) || ls_array_n (realize->iter_values) == 0 || !loops_are_constant (loops))
    return FALSE;
  for (guint i = 0; i < realize->iter_values->n; i++)
    {
      reader.n = 0;
      if (!read_sum (&reader, ls_array_at (realize->iter_values, i, LsExpr)) || !is_number (&reader))
        return FALSE;
    }
  return TRUE;
}
