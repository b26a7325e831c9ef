/* canonical-form: the data of canonical.c: terms, sums, and how they become expressions again.
 *
 * Terms of one index stand side by side, large `lower` first; equal ones are one.  When a sum becomes an expression,
 * neighbours that make a whole merge, and what is left is sorted by scale.
 */
#include "engine/arith/canonical-private.h"

/* ---- terms ---- */

static void
term_clear (LsTerm *term)
{
  ls_unref (term->index);
  term->index = NULL;
}

static LsTerm
term_copy (const LsTerm *term)
{
  LsTerm copy = *term;

  ls_ref (copy.index);
  return copy;
}

LsTerm
ls_term_of (LsExpr *index)
{
  return (LsTerm) { ls_ref (index), 1, LS_NO_UPPER, 1, FALSE, ls_dtype (index) };
}

static gboolean
same_index (const LsTerm *a,
            const LsTerm *b)
{
  return a->index == b->index || ls_deep_equal (a->index, b->index);
}

/* Without division the rounding does not matter. */
static gboolean
rounds_as (const LsTerm *term,
           gboolean      floor)
{
  return !term->floor == !floor || (term->lower == 1 && term->upper == LS_NO_UPPER);
}

LsExpr *
ls_mod_by (LsExpr   *a,
           gint64    c,
           gboolean  floor)
{
  return ls_binary (floor ? LS_KIND_FLOOR_MOD : LS_KIND_MOD, a, ls_const_int (ls_dtype (a), c));
}

LsExpr *
ls_div_by (LsExpr   *a,
           gint64    c,
           gboolean  floor)
{
  return ls_binary (floor ? LS_KIND_FLOOR_DIV : LS_KIND_DIV, a, ls_const_int (ls_dtype (a), c));
}

LsExpr *
ls_term_to_expr (const LsTerm *term,
                 gint64        factor)
{
  LsExpr *expr;

  if (term->scale == 0)
    return ls_const_int (term->dtype, 0);
  expr = ls_ref (term->index);
  if (term->upper != LS_NO_UPPER)
    expr = ls_mod_by (expr, term->upper, term->floor);
  if (term->lower != 1)
    expr = ls_div_by (expr, term->lower, term->floor);
  factor = ls_wrap_mul (factor, term->scale);   /* factor is 1 or -1, and the scale not the lowest: ls_canon_fits */
  return factor == 1 ? expr : ls_mul (expr, ls_const_int (term->dtype, factor));
}

/* ---- forms ---- */

static GArray *
terms_new (void)
{
  GArray *terms = g_array_new (FALSE, FALSE, sizeof (LsTerm));

  g_array_set_clear_func (terms, (GDestroyNotify) term_clear);
  return terms;
}

LsTerm *
ls_term_at (GArray *terms,
            guint   i)
{
  return &g_array_index (terms, LsTerm, i);
}

void
ls_canon_clear (LsCanon *canon)
{
  ls_unref (canon->plain);
  canon->plain = NULL;
  g_clear_pointer (&canon->terms, g_array_unref);
  g_clear_pointer (&canon->places, g_hash_table_unref);
}

LsCanon
ls_canon_steal (LsCanon *canon)
{
  LsCanon copy = *canon;

  canon->plain = NULL;
  canon->terms = NULL;
  canon->places = NULL;
  return copy;
}

LsCanon
ls_canon_plain (LsExpr *expr)
{
  return (LsCanon) { .form = LS_FORM_PLAIN, .plain = expr, .dtype = ls_dtype (expr) };
}

LsCanon
ls_canon_term (LsTerm term)
{
  LsCanon canon = { .form = LS_FORM_TERM, .terms = terms_new (), .dtype = term.dtype };

  g_array_append_val (canon.terms, term);
  return canon;
}

static LsCanon
canon_zero_sum (LsDType dtype)
{
  return (LsCanon) { .form = LS_FORM_SUM, .terms = terms_new (), .dtype = dtype };
}

/* Scales are negated when they are written: the lowest value does not fit either. */
static gboolean
fits (LsDType dtype,
      gint64  value)
{
  return value != ls_dtype_int_min (dtype) && ls_int_fits (dtype, value);
}

static gboolean
term_fits (LsDType       dtype,
           const LsTerm *term)
{
  return fits (dtype, term->scale) && fits (dtype, term->lower) && (term->upper == LS_NO_UPPER || fits (dtype, term->upper));
}

gboolean
ls_canon_fits_type (const LsCanon *canon,
                    LsDType        dtype)
{
  if (canon->form == LS_FORM_PLAIN)
    return TRUE;
  if (canon->overflows || !ls_int_fits (dtype, canon->base))
    return FALSE;
  for (guint i = 0; i < canon->terms->len; i++)
    if (!term_fits (dtype, ls_term_at (canon->terms, i)))
      return FALSE;
  return TRUE;
}

gboolean
ls_canon_fits (LsCanon *canon)
{
  if (canon->fits)
    return !canon->overflows && ls_int_fits (canon->dtype, canon->base);
  canon->fits = ls_canon_fits_type (canon, canon->dtype);
  return canon->fits;
}

gboolean
ls_canon_is_imm (const LsCanon *canon,
                 gint64        *value)
{
  if (canon->form != LS_FORM_PLAIN || !ls_is_imm (canon->plain))
    return FALSE;
  *value = ls_imm (canon->plain);
  return TRUE;
}

static gboolean
comes_before (const LsTerm *a,
              const LsTerm *b)
{
  if (a->scale != b->scale)
    return a->scale > b->scale;
  if (a->lower != b->lower)
    return a->lower > b->lower;
  if (a->upper != b->upper)
    return a->upper > b->upper;
  return a->floor && !b->floor;
}

static int
compare_terms (gconstpointer a,
               gconstpointer b)
{
  return comes_before (a, b) ? -1 : comes_before (b, a) ? 1 : 0;
}

/* Floor division nests, x // a // b = x // (a b), and x % (a b) // a = x // a % b, for b > 0 or a = 1 or -1 only.
 * (TVM v0.20 nests always, which is wrong in the rare other cases.) */
static gboolean
nests (gint64   a,
       gint64   b,
       gboolean floor)
{
  return !floor || b > 0 || a == 1 || a == -1;
}

/* (x // (c s)) s + (x // c) % s = x // c, with x = index mod upper, c = low->lower, s = the ratio of the scales. */
static gboolean
can_merge (const LsTerm *high,
           const LsTerm *low)
{
  gint64 ratio, product;

  if (high->lower != low->upper || low->scale == 0 || ls_trunc_rem (high->scale, low->scale) != 0 ||
      !rounds_as (high, low->floor))
    return FALSE;
  ratio = ls_trunc_div (high->scale, low->scale);
  return nests (low->lower, ratio, high->floor) && !__builtin_mul_overflow (ratio, low->lower, &product) && high->lower == product;
}

/* Folds a term into a later one of the same index where it can; the folded one is left with scale 0. */
static void
merge_terms (GArray *terms)
{
  for (guint i = 0; i < terms->len; i++)
    for (guint k = i + 1; k < terms->len && ls_term_at (terms, i)->scale != 0; k++)
      {
        LsTerm *high = ls_term_at (terms, i), *low = ls_term_at (terms, k);
        gint64 scale;

        if (!same_index (high, low) || high->upper < low->lower)
          break;
        if (high->upper == low->upper && high->lower == low->lower && rounds_as (high, low->floor) &&
            !__builtin_add_overflow (low->scale, high->scale, &scale) && fits (low->dtype, scale))
          {
            low->scale = scale;
            high->scale = 0;
          }
        else if (can_merge (high, low))
          {
            low->upper = high->upper;
            high->scale = 0;
          }
      }
}

static LsExpr *
sum_to_expr (const LsCanon *sum)
{
  g_autoptr (GArray) terms = terms_new ();
  LsExpr *result = ls_const_int (sum->dtype, 0);
  gboolean lowest = sum->base == ls_dtype_int_min (sum->dtype);

  for (guint i = 0; i < sum->terms->len; i++)
    {
      LsTerm term = term_copy (ls_term_at (sum->terms, i));

      g_array_append_val (terms, term);
    }
  merge_terms (terms);
  g_array_sort (terms, compare_terms);   /* keeps the order of equal ones */
  for (guint i = 0; i < terms->len; i++)
    if (ls_term_at (terms, i)->scale > 0)
      result = ls_add (result, ls_term_to_expr (ls_term_at (terms, i), 1));
  if (sum->base > 0 || lowest)
    result = ls_add (result, ls_const_int (sum->dtype, sum->base));
  for (guint i = 0; i < terms->len; i++)
    if (ls_term_at (terms, i)->scale < 0)
      result = ls_sub (result, ls_term_to_expr (ls_term_at (terms, i), -1));
  if (sum->base < 0 && !lowest)
    result = ls_sub (result, ls_const_int (sum->dtype, ls_wrap_sub (0, sum->base)));
  return result;
}

LsExpr *
ls_canon_to_expr (const LsCanon *canon)
{
  if (canon->form == LS_FORM_PLAIN)
    return ls_ref (canon->plain);
  if (canon->form == LS_FORM_TERM)
    return ls_term_to_expr (ls_term_at (canon->terms, 0), 1);
  return canon->terms->len == 0 ? ls_const_int (canon->dtype, canon->base) : sum_to_expr (canon);
}

LsTerm
ls_canon_to_term (const LsCanon *canon)
{
  g_autoptr (LsExpr) expr = NULL;

  if (canon->form == LS_FORM_TERM || (canon->form == LS_FORM_SUM && canon->base == 0 && canon->terms->len == 1))
    return term_copy (ls_term_at (canon->terms, 0));
  expr = ls_canon_to_expr (canon);
  return ls_term_of (expr);
}

/* Takes. */
LsCanon
ls_canon_to_sum (LsCanon canon)
{
  LsCanon sum;

  if (canon.form == LS_FORM_SUM)
    return canon;
  sum = canon_zero_sum (canon.dtype);
  if (!ls_canon_is_imm (&canon, &sum.base))
    {
      LsTerm term = ls_canon_to_term (&canon);

      g_array_append_val (sum.terms, term);
    }
  ls_canon_clear (&canon);
  return sum;
}

/* ---- adding and scaling ---- */

/* Sums of so many terms look them up. */
#define MANY 32

/* Equal indices have equal hashes. */
static guint
hash_of_index (LsExpr *index,
               guint   depth)
{
  guint hash = (guint) ls_kind (index) * 0x9e3779b1u;

  if (ls_is_var (index))
    return hash ^ g_direct_hash (index);
  if (ls_is_imm (index))
    return hash ^ (guint) ls_imm (index);
  if (depth == 0 || !ls_kind_is_binary (ls_kind (index)))
    return hash;
  return (hash ^ hash_of_index (ls_lhs (index), depth - 1)) * 0x85ebca6bu + hash_of_index (ls_rhs (index), depth - 1);
}

static void
note_place (LsCanon *sum,
            guint    at)
{
  gpointer key = GUINT_TO_POINTER (hash_of_index (ls_term_at (sum->terms, at)->index, 4));

  if (!g_hash_table_contains (sum->places, key))
    g_hash_table_insert (sum->places, key, GUINT_TO_POINTER (at + 1));
}

/* Where the first term of this index stands, or behind the last one. */
static guint
place_of (LsCanon      *sum,
          const LsTerm *term)
{
  guint at = 0;

  if (sum->terms->len >= MANY)
    {
      if (sum->places == NULL)
        {
          sum->places = g_hash_table_new (NULL, NULL);
          for (guint i = 0; i < sum->terms->len; i++)
            note_place (sum, i);
        }
      at = GPOINTER_TO_UINT (g_hash_table_lookup (sum->places, GUINT_TO_POINTER (hash_of_index (term->index, 4))));
      if (at == 0)
        return sum->terms->len;
      at--;     /* no term before it has this hash */
    }
  while (at < sum->terms->len && !same_index (ls_term_at (sum->terms, at), term))
    at++;
  return at;
}

static void
insert_term (LsCanon *sum,
             guint    at,
             LsTerm   term)
{
  gboolean last = at == sum->terms->len;

  g_array_insert_val (sum->terms, at, term);
  if (sum->places != NULL && last)
    note_place (sum, at);
  else
    g_clear_pointer (&sum->places, g_hash_table_unref);
}

/* Terms of one index stay together, large lower first; equal ones become one.  Takes `term`. */
void
ls_sum_add_term (LsCanon *sum,
                 LsTerm   term,
                 gint64   factor)
{
  guint at;

  if (term.scale == 0)
    {
      term_clear (&term);
      return;
    }
  sum->overflows |= __builtin_mul_overflow (term.scale, factor, &term.scale);
  for (at = place_of (sum, &term); at < sum->terms->len; at++)
    {
      LsTerm *here = ls_term_at (sum->terms, at);

      if (!same_index (here, &term) || term.lower > here->lower)
        break;
      if (term.lower == here->lower && term.upper == here->upper && rounds_as (&term, here->floor))
        {
          sum->overflows |= __builtin_add_overflow (here->scale, term.scale, &here->scale);
          sum->fits = sum->fits && term_fits (sum->dtype, here);
          term_clear (&term);
          return;
        }
    }
  sum->fits = sum->fits && term_fits (sum->dtype, &term);
  insert_term (sum, at, term);
}

static void
add_base (LsCanon *sum,
          gint64   value,
          gint64   factor)
{
  sum->overflows |= __builtin_mul_overflow (value, factor, &value);
  sum->overflows |= __builtin_add_overflow (sum->base, value, &sum->base);
}

void
ls_sum_add (LsCanon       *sum,
            const LsCanon *other,
            gint64         factor)
{
  gint64 value;

  sum->overflows |= other->overflows;
  if (ls_canon_is_imm (other, &value))
    add_base (sum, value, factor);
  else if (other->form != LS_FORM_SUM)
    ls_sum_add_term (sum, ls_canon_to_term (other), factor);
  else
    {
      for (guint i = 0; i < other->terms->len; i++)
        ls_sum_add_term (sum, term_copy (ls_term_at (other->terms, i)), factor);
      add_base (sum, other->base, factor);
    }
}

void
ls_canon_scale (LsCanon *canon,
                gint64   factor)
{
  canon->fits = FALSE;
  canon->overflows |= __builtin_mul_overflow (canon->base, factor, &canon->base);
  for (guint i = 0; i < canon->terms->len; i++)
    {
      LsTerm *term = ls_term_at (canon->terms, i);

      canon->overflows |= __builtin_mul_overflow (term->scale, factor, &term->scale);
    }
}

void
ls_sum_divide (LsCanon *sum,
               gint64   divisor)
{
  sum->fits = FALSE;
  sum->base = ls_trunc_div (sum->base, divisor);
  for (guint i = 0; i < sum->terms->len; i++)
    ls_term_at (sum->terms, i)->scale = ls_trunc_div (ls_term_at (sum->terms, i)->scale, divisor);
}

/* The part whose scales are multiples of c, and the rest. */
void
ls_sum_separate (const LsCanon *sum,
                 gint64         c,
                 LsCanon       *divisible,
                 LsCanon       *rest)
{
  *divisible = canon_zero_sum (sum->dtype);
  *rest = canon_zero_sum (sum->dtype);
  if (ls_trunc_rem (sum->base, c) == 0)
    divisible->base = sum->base;
  else
    rest->base = sum->base;
  for (guint i = 0; i < sum->terms->len; i++)
    {
      LsTerm term = term_copy (ls_term_at (sum->terms, i));

      g_array_append_val (ls_trunc_rem (term.scale, c) == 0 ? divisible->terms : rest->terms, term);
    }
}

/* ---- dividing a term ---- */

/* Takes the term; the result rounds as asked. */
static LsTerm
term_round (LsTerm   term,
            gboolean floor)
{
  if (!rounds_as (&term, floor))
    {
      g_autoptr (LsExpr) expr = ls_term_to_expr (&term, 1);

      term_clear (&term);
      term = ls_term_of (expr);
    }
  term.floor = floor;
  return term;
}

/* The term written out as the index of a fresh one. Takes. */
static LsTerm
term_close (LsTerm term)
{
  g_autoptr (LsExpr) expr = ls_term_to_expr (&term, 1);

  term_clear (&term);
  return ls_term_of (expr);
}

static LsTerm
term_zero (LsTerm term)
{
  g_autoptr (LsExpr) zero = ls_const_int (term.dtype, 0);

  term_clear (&term);
  return ls_term_of (zero);
}

gboolean
ls_divides (gint64 divisor,
            gint64 value)
{
  return divisor != 0 && ls_trunc_rem (value, divisor) == 0;
}

/* term div c, c > 0. Takes. */
LsTerm
ls_term_div (LsTerm   term,
             gint64   c,
             gboolean floor)
{
  gint64 lower;

  term = term_round (term, floor);
  if (term.scale % c == 0)
    {
      term.scale /= c;
      return term;
    }
  if (ls_divides (term.scale, c) && nests (term.lower, term.scale, floor) &&
      !__builtin_mul_overflow (term.lower, c / term.scale, &lower) && fits (term.dtype, lower))
    {
      if (term.upper != LS_NO_UPPER && !ls_divides (lower, term.upper))
        {
          if (term.upper > 0 && term.upper <= lower)
            return term_zero (term);
          term.index = ls_mod_by (term.index, term.upper, floor);
          term.upper = LS_NO_UPPER;
        }
      term.scale = 1;
      term.lower = lower;
      return term;
    }
  term = term_close (term);
  term.lower = c;
  term.floor = floor;
  return term;
}

static LsTerm
mod_closed (LsTerm   term,
            gint64   c,
            gboolean floor)
{
  term = term_close (term);
  term.upper = c;
  term.floor = floor;
  return term;
}

/* term mod c, c > 0. Takes.
 * (index mod upper) div lower * scale mod c, with c = scale n, is (index mod upper mod (lower n)) div lower * scale. */
LsTerm
ls_term_mod (LsSimplifier *self,
             LsTerm        term,
             gint64        c,
             gboolean      floor)
{
  gint64 upper;

  term = term_round (term, floor);
  if (term.scale % c == 0)
    {
      term.scale = 0;
      return term;
    }
  if (ls_divides (term.scale, c) && nests (term.lower, term.scale, floor) &&
      !__builtin_mul_overflow (term.lower, c / term.scale, &upper) && fits (term.dtype, upper))
    {
      if (term.upper != LS_NO_UPPER && ls_divides (upper, term.upper) && upper < term.upper)
        {
          g_autoptr (LsExpr) reduced = ls_mod_by (ls_ref (term.index), upper, floor);
          g_auto (LsCanon) inner = ls_canon_plain (ls_visit (self, reduced));
          LsTerm fresh = ls_canon_to_term (&inner);

          if (term.lower != 1)
            fresh = ls_term_div (fresh, term.lower, floor);
          if (!__builtin_mul_overflow (fresh.scale, term.scale, &fresh.scale) && fits (fresh.dtype, fresh.scale))
            {
              term_clear (&term);
              return fresh;
            }
          term_clear (&fresh);
          return mod_closed (term, c, floor);
        }
      if (term.upper == LS_NO_UPPER || ls_divides (upper, term.upper))
        {
          term.upper = upper;
          return term;
        }
      if (ls_divides (term.upper, upper) && (term.upper > 0) == (upper > 0))
        return term;
    }
  return mod_closed (term, c, floor);
}
