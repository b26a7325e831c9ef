/* canonical: index arithmetic as sums of split terms.
 *
 *   term = ((index mod upper) div lower) * scale      upper may be infinite
 *   sum  = term + ... + term + base
 *
 * Terms of one index stand side by side, large `lower` first, so that  x // 8 * 8 + x % 8  is seen to be x.  Sums
 * stay sums while they are added, scaled, divided and reduced by constants, and become expressions again (sorted
 * by scale, positive terms first) where anything else needs them.
 * Source of the concept: TVM's CanonicalSimplifier; the printed order is its order.
 */
#include "engine/arith/arith-private.h"

#define NO_UPPER LS_POS_INF

typedef struct {
  LsExpr  *index;               /* owned */
  gint64   lower;
  gint64   upper;
  gint64   scale;
  gboolean floor;               /* rounding of div and mod */
  LsDType  dtype;
} Term;

typedef enum { FORM_PLAIN, FORM_TERM, FORM_SUM } Form;

/* The result of a visit: an expression, one term, or a sum. */
typedef struct {
  Form    form;
  LsExpr *plain;
  GArray *terms;                /* of Term: exactly one for FORM_TERM */
  gint64  base;
  LsDType dtype;
} Canon;

static Canon mutate (LsSimplifier *self, LsExpr *expr);

/* ---- terms ---- */

static void
term_clear (Term *term)
{
  ls_unref (term->index);
  term->index = NULL;
}

static Term
term_copy (const Term *term)
{
  Term copy = *term;

  ls_ref (copy.index);
  return copy;
}

static Term
term_of (LsExpr *index)
{
  return (Term) { ls_ref (index), 1, NO_UPPER, 1, FALSE, ls_dtype (index) };
}

static gboolean
same_index (const Term *a,
            const Term *b)
{
  return a->index == b->index || ls_deep_equal (a->index, b->index);
}

/* Without division the rounding does not matter. */
static gboolean
rounds_as (const Term *term,
           gboolean    floor)
{
  return !term->floor == !floor || (term->lower == 1 && term->upper == NO_UPPER);
}

static LsExpr *
mod_by (LsExpr   *a,
        gint64    c,
        gboolean  floor)
{
  return ls_binary (floor ? LS_KIND_FLOOR_MOD : LS_KIND_MOD, a, ls_const_int (ls_dtype (a), c));
}

static LsExpr *
div_by (LsExpr   *a,
        gint64    c,
        gboolean  floor)
{
  return ls_binary (floor ? LS_KIND_FLOOR_DIV : LS_KIND_DIV, a, ls_const_int (ls_dtype (a), c));
}

static LsExpr *
term_to_expr (const Term *term,
              gint64      factor)
{
  LsExpr *expr;

  if (term->scale == 0)
    return ls_const_int (term->dtype, 0);
  expr = ls_ref (term->index);
  if (term->upper != NO_UPPER)
    expr = mod_by (expr, term->upper, term->floor);
  if (term->lower != 1)
    expr = div_by (expr, term->lower, term->floor);
  factor = ls_wrap_mul (factor, term->scale);
  return factor == 1 ? expr : ls_mul (expr, ls_const_int (term->dtype, factor));
}

/* ---- forms ---- */

static GArray *
terms_new (void)
{
  GArray *terms = g_array_new (FALSE, FALSE, sizeof (Term));

  g_array_set_clear_func (terms, (GDestroyNotify) term_clear);
  return terms;
}

static Term *
term_at (GArray *terms,
         guint   i)
{
  return &g_array_index (terms, Term, i);
}

static void
canon_clear (Canon *canon)
{
  ls_unref (canon->plain);
  canon->plain = NULL;
  g_clear_pointer (&canon->terms, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Canon, canon_clear)

static Canon
canon_steal (Canon *canon)
{
  Canon copy = *canon;

  canon->plain = NULL;
  canon->terms = NULL;
  return copy;
}

static Canon
canon_plain (LsExpr *expr)
{
  return (Canon) { FORM_PLAIN, expr, NULL, 0, ls_dtype (expr) };
}

static Canon
canon_term (Term term)
{
  Canon canon = { FORM_TERM, NULL, terms_new (), 0, term.dtype };

  g_array_append_val (canon.terms, term);
  return canon;
}

static Canon
canon_zero_sum (LsDType dtype)
{
  return (Canon) { FORM_SUM, NULL, terms_new (), 0, dtype };
}

static gboolean
canon_is_imm (const Canon *canon,
              gint64      *value)
{
  if (canon->form != FORM_PLAIN || !ls_is_imm (canon->plain))
    return FALSE;
  *value = ls_imm (canon->plain);
  return TRUE;
}

static gboolean
comes_before (const Term *a,
              const Term *b)
{
  if (a->scale != b->scale)
    return a->scale > b->scale;
  if (a->lower != b->lower)
    return a->lower > b->lower;
  if (a->upper != b->upper)
    return a->upper > b->upper;
  return a->floor && !b->floor;
}

static void
sort_terms (GArray *terms)
{
  for (guint i = 1; i < terms->len; i++)
    for (guint k = i; k > 0 && comes_before (term_at (terms, k), term_at (terms, k - 1)); k--)
      {
        Term term = *term_at (terms, k);

        *term_at (terms, k) = *term_at (terms, k - 1);
        *term_at (terms, k - 1) = term;
      }
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
can_merge (const Term *high,
           const Term *low)
{
  gint64 ratio;

  if (high->lower != low->upper || low->scale == 0 || ls_trunc_rem (high->scale, low->scale) != 0 ||
      !rounds_as (high, low->floor))
    return FALSE;
  ratio = ls_trunc_div (high->scale, low->scale);
  return nests (low->lower, ratio, high->floor) && high->lower == ls_wrap_mul (ratio, low->lower);
}

/* Folds a term into a later one of the same index where it can; the folded one is left with scale 0. */
static void
merge_terms (GArray *terms)
{
  for (guint i = 0; i < terms->len; i++)
    for (guint k = i + 1; k < terms->len && term_at (terms, i)->scale != 0; k++)
      {
        Term *high = term_at (terms, i), *low = term_at (terms, k);

        if (!same_index (high, low) || high->upper < low->lower)
          break;
        if (high->upper == low->upper && high->lower == low->lower && rounds_as (high, low->floor))
          {
            low->scale = ls_wrap_add (low->scale, high->scale);
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
sum_to_expr (const Canon *sum)
{
  g_autoptr (GArray) terms = terms_new ();
  LsExpr *result = ls_const_int (sum->dtype, 0);
  gboolean lowest = sum->base == ls_dtype_int_min (sum->dtype);

  for (guint i = 0; i < sum->terms->len; i++)
    {
      Term term = term_copy (term_at (sum->terms, i));

      g_array_append_val (terms, term);
    }
  merge_terms (terms);
  sort_terms (terms);
  for (guint i = 0; i < terms->len; i++)
    if (term_at (terms, i)->scale > 0)
      result = ls_add (result, term_to_expr (term_at (terms, i), 1));
  if (sum->base > 0 || lowest)
    result = ls_add (result, ls_const_int (sum->dtype, sum->base));
  for (guint i = 0; i < terms->len; i++)
    if (term_at (terms, i)->scale < 0)
      result = ls_sub (result, term_to_expr (term_at (terms, i), -1));
  if (sum->base < 0 && !lowest)
    result = ls_sub (result, ls_const_int (sum->dtype, ls_wrap_sub (0, sum->base)));
  return result;
}

static LsExpr *
canon_to_expr (const Canon *canon)
{
  if (canon->form == FORM_PLAIN)
    return ls_ref (canon->plain);
  if (canon->form == FORM_TERM)
    return term_to_expr (term_at (canon->terms, 0), 1);
  return canon->terms->len == 0 ? ls_const_int (canon->dtype, canon->base) : sum_to_expr (canon);
}

static Term
canon_to_term (const Canon *canon)
{
  g_autoptr (LsExpr) expr = NULL;

  if (canon->form == FORM_TERM || (canon->form == FORM_SUM && canon->base == 0 && canon->terms->len == 1))
    return term_copy (term_at (canon->terms, 0));
  expr = canon_to_expr (canon);
  return term_of (expr);
}

/* Takes. */
static Canon
canon_to_sum (Canon canon)
{
  Canon sum;

  if (canon.form == FORM_SUM)
    return canon;
  sum = canon_zero_sum (canon.dtype);
  if (!canon_is_imm (&canon, &sum.base))
    {
      Term term = canon_to_term (&canon);

      g_array_append_val (sum.terms, term);
    }
  canon_clear (&canon);
  return sum;
}

/* ---- adding and scaling ---- */

/* Terms of one index stay together, large lower first; equal ones become one.  Takes `term`. */
static void
sum_add_term (Canon  *sum,
              Term    term,
              gint64  factor)
{
  guint at = 0;

  if (term.scale == 0)
    {
      term_clear (&term);
      return;
    }
  term.scale = ls_wrap_mul (term.scale, factor);
  while (at < sum->terms->len && !same_index (term_at (sum->terms, at), &term))
    at++;
  for (; at < sum->terms->len; at++)
    {
      Term *here = term_at (sum->terms, at);

      if (!same_index (here, &term) || term.lower > here->lower)
        break;
      if (term.lower == here->lower && term.upper == here->upper && rounds_as (&term, here->floor))
        {
          here->scale = ls_wrap_add (here->scale, term.scale);
          term_clear (&term);
          return;
        }
    }
  g_array_insert_val (sum->terms, at, term);
}

static void
sum_add (Canon       *sum,
         const Canon *other,
         gint64       factor)
{
  gint64 value;

  if (canon_is_imm (other, &value))
    sum->base = ls_wrap_add (sum->base, ls_wrap_mul (value, factor));
  else if (other->form != FORM_SUM)
    sum_add_term (sum, canon_to_term (other), factor);
  else
    {
      for (guint i = 0; i < other->terms->len; i++)
        sum_add_term (sum, term_copy (term_at (other->terms, i)), factor);
      sum->base = ls_wrap_add (sum->base, ls_wrap_mul (other->base, factor));
    }
}

static void
canon_scale (Canon  *canon,
             gint64  factor)
{
  canon->base = ls_wrap_mul (canon->base, factor);
  for (guint i = 0; i < canon->terms->len; i++)
    term_at (canon->terms, i)->scale = ls_wrap_mul (term_at (canon->terms, i)->scale, factor);
}

static void
sum_divide (Canon  *sum,
            gint64  divisor)
{
  sum->base = ls_trunc_div (sum->base, divisor);
  for (guint i = 0; i < sum->terms->len; i++)
    term_at (sum->terms, i)->scale = ls_trunc_div (term_at (sum->terms, i)->scale, divisor);
}

/* The part whose scales are multiples of c, and the rest. */
static void
sum_separate (const Canon *sum,
              gint64       c,
              Canon       *divisible,
              Canon       *rest)
{
  *divisible = canon_zero_sum (sum->dtype);
  *rest = canon_zero_sum (sum->dtype);
  if (ls_trunc_rem (sum->base, c) == 0)
    divisible->base = sum->base;
  else
    rest->base = sum->base;
  for (guint i = 0; i < sum->terms->len; i++)
    {
      Term term = term_copy (term_at (sum->terms, i));

      g_array_append_val (ls_trunc_rem (term.scale, c) == 0 ? divisible->terms : rest->terms, term);
    }
}

/* ---- dividing a term ---- */

/* Takes the term; the result rounds as asked. */
static Term
term_round (Term     term,
            gboolean floor)
{
  if (!rounds_as (&term, floor))
    {
      g_autoptr (LsExpr) expr = term_to_expr (&term, 1);

      term_clear (&term);
      term = term_of (expr);
    }
  term.floor = floor;
  return term;
}

/* The term written out as the index of a fresh one. Takes. */
static Term
term_close (Term term)
{
  g_autoptr (LsExpr) expr = term_to_expr (&term, 1);

  term_clear (&term);
  return term_of (expr);
}

static Term
term_zero (Term term)
{
  g_autoptr (LsExpr) zero = ls_const_int (term.dtype, 0);

  term_clear (&term);
  return term_of (zero);
}

static gboolean
divides (gint64 divisor,
         gint64 value)
{
  return divisor != 0 && ls_trunc_rem (value, divisor) == 0;
}

/* term div c, c > 0. Takes. */
static Term
term_div (Term     term,
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
  if (divides (term.scale, c) && nests (term.lower, term.scale, floor) &&
      !__builtin_mul_overflow (term.lower, c / term.scale, &lower))
    {
      if (term.upper != NO_UPPER && !divides (lower, term.upper))
        {
          if (term.upper <= lower)
            return term_zero (term);
          term.index = mod_by (term.index, term.upper, floor);
          term.upper = NO_UPPER;
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

/* term mod c, c > 0. Takes.
 * (index mod upper) div lower * scale mod c, with c = scale n, is (index mod upper mod (lower n)) div lower * scale. */
static Term
term_mod (LsSimplifier *self,
          Term          term,
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
  if (divides (term.scale, c) && nests (term.lower, term.scale, floor) &&
      !__builtin_mul_overflow (term.lower, c / term.scale, &upper))
    {
      if (term.upper != NO_UPPER && divides (upper, term.upper) && upper < term.upper)
        {
          g_autoptr (LsExpr) reduced = mod_by (ls_ref (term.index), upper, floor);
          g_auto (Canon) inner = canon_plain (ls_visit (self, reduced));
          Term fresh = canon_to_term (&inner);

          if (term.lower != 1)
            fresh = term_div (fresh, term.lower, floor);
          fresh.scale = ls_wrap_mul (fresh.scale, term.scale);
          term_clear (&term);
          return fresh;
        }
      if (term.upper == NO_UPPER || divides (upper, term.upper))
        {
          term.upper = upper;
          return term;
        }
      if (divides (term.upper, upper))
        return term;
    }
  term = term_close (term);
  term.upper = c;
  term.floor = floor;
  return term;
}

/* ---- visits ---- */

typedef struct { Canon a, b; } Operands;

static void
operands_clear (Operands *operands)
{
  canon_clear (&operands->a);
  canon_clear (&operands->b);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Operands, operands_clear)

/* Constants and neutral elements, as ls_try_fold would do for expressions. */
static gboolean
fold_operands (LsKind    kind,
               Operands *in,
               Canon    *out)
{
  gint64 value;
  LsExpr *folded;
  gboolean a_imm = canon_is_imm (&in->a, &value), b_imm = canon_is_imm (&in->b, &value);
  g_autoptr (LsExpr) stand_in = NULL;

  if (!a_imm && !b_imm)
    return FALSE;
  stand_in = LS_EXPR (ls_var_new ("", a_imm ? in->b.dtype : in->a.dtype));
  folded = ls_try_fold (kind, a_imm ? in->a.plain : stand_in, b_imm ? in->b.plain : stand_in);
  if (folded == NULL)
    return FALSE;
  if (folded == stand_in)
    {
      ls_unref (folded);
      *out = canon_steal (a_imm ? &in->b : &in->a);
    }
  else
    *out = canon_plain (folded);
  return TRUE;
}

static Canon
visit_sum (LsSimplifier *self,
           LsExpr       *expr,
           Operands     *in)
{
  Canon sum = canon_to_sum (canon_steal (&in->a));

  sum_add (&sum, &in->b, ls_is (expr, ADD) ? 1 : -1);
  return sum;
}

/* ---- products of symbols ---- */

typedef struct {
  GPtrArray *factors;           /* LsExpr, borrowed */
  gint64     scale;
} Product;

static void
collect_factors (LsExpr  *expr,
                 Product *product)
{
  if (ls_is (expr, MUL))
    {
      collect_factors (ls_lhs (expr), product);
      collect_factors (ls_rhs (expr), product);
    }
  else if (ls_is_imm (expr))
    product->scale = ls_wrap_mul (product->scale, ls_imm (expr));
  else
    g_ptr_array_add (product->factors, expr);
}

static LsExpr *
product_of (GPtrArray *factors,
            gint64     scale,
            LsDType    dtype)
{
  LsExpr *result = ls_const_int (dtype, 1);

  for (guint i = 0; i < factors->len; i++)
    if (factors->pdata[i] != NULL)
      result = ls_mul (result, ls_ref (LS_EXPR (factors->pdata[i])));
  return ls_mul (result, ls_const_int (dtype, scale));
}

static Canon
visit_product (LsExpr   *expr,
               Operands *in)
{
  g_autoptr (GPtrArray) factors = NULL;
  g_autoptr (LsExpr) a = NULL;
  g_autoptr (LsExpr) b = NULL;
  Product product;
  gint64 c;

  if (canon_is_imm (&in->a, &c) || canon_is_imm (&in->b, &c))
    {
      Canon *other = canon_is_imm (&in->a, &c) ? &in->b : &in->a;
      Canon result = other->form == FORM_PLAIN ? canon_term (canon_to_term (other)) : canon_steal (other);

      canon_scale (&result, c);
      return result;
    }
  a = canon_to_expr (&in->a);
  b = canon_to_expr (&in->b);
  factors = g_ptr_array_new ();
  product = (Product) { factors, 1 };
  collect_factors (a, &product);
  collect_factors (b, &product);
  return canon_plain (product_of (factors, product.scale, ls_dtype (expr)));
}

/* Strikes out the factors that both have.  *common gets what was struck out.  FALSE: nothing in common. */
static gboolean
cancel_factors (LsExpr **a,
                LsExpr **b,
                LsExpr **common)
{
  g_autoptr (GPtrArray) of_a = g_ptr_array_new ();
  g_autoptr (GPtrArray) of_b = g_ptr_array_new ();
  g_autoptr (GPtrArray) shared = g_ptr_array_new ();
  Product pa = { of_a, 1 }, pb = { of_b, 1 };
  LsDType dtype = ls_dtype (*b);
  gint64 divisor;
  LsExpr *fresh_a, *fresh_b;

  if (ls_is_imm (*b))
    return FALSE;
  collect_factors (*a, &pa);
  collect_factors (*b, &pb);
  for (guint i = 0; i < of_b->len; i++)
    for (guint k = 0; k < of_a->len; k++)
      if (of_a->pdata[k] != NULL && ls_deep_equal (of_a->pdata[k], of_b->pdata[i]))
        {
          g_ptr_array_add (shared, of_b->pdata[i]);
          of_a->pdata[k] = of_b->pdata[i] = NULL;
          break;
        }
  divisor = ls_gcd (pa.scale, pb.scale);
  if (divisor == 0 || (shared->len == 0 && divisor == 1))
    return FALSE;
  fresh_a = product_of (of_a, pa.scale / divisor, ls_dtype (*a));
  fresh_b = product_of (of_b, pb.scale / divisor, dtype);
  *common = product_of (shared, divisor, dtype);
  ls_take (a, fresh_a);
  ls_take (b, fresh_b);
  return TRUE;
}

/* A divisor that is no positive constant. */
static Canon
visit_symbolic_quotient (LsExpr   *expr,
                         Operands *in)
{
  g_autoptr (LsExpr) a = canon_to_expr (&in->a);
  g_autoptr (LsExpr) b = canon_to_expr (&in->b);
  g_autoptr (LsExpr) common = NULL;
  LsKind kind = ls_kind (expr);

  if (cancel_factors (&a, &b, &common))
    {
      LsExpr *result = ls_binary (kind, g_steal_pointer (&a), g_steal_pointer (&b));

      if (kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_MOD)
        result = ls_mul (result, g_steal_pointer (&common));
      return canon_plain (result);
    }
  if (a == ls_lhs (expr) && b == ls_rhs (expr))
    return canon_plain (ls_ref (expr));
  return canon_plain (ls_binary_new (kind, g_steal_pointer (&a), g_steal_pointer (&b)));
}

/* ---- division and remainder by a positive constant ---- */

static gboolean
can_prove_ge_zero (LsSimplifier *self,
                   const Canon  *canon)
{
  g_autoptr (LsExpr) expr = canon_to_expr (canon);

  return ls_analyzer_can_prove_ge_value (self->analyzer, expr, 0);
}

static gboolean
lies_below (LsSimplifier *self,
            const Canon  *canon,
            gint64        c)
{
  g_autoptr (LsExpr) expr = canon_to_expr (canon);
  LsConstIntBound bound = ls_bound_of (self->analyzer, expr);

  return bound.min >= 0 && bound.max < c;
}

/* Both parts divided on their own: `whole` without a rest, `rest` not at all if it stays below c. Takes `whole`. */
static Canon
add_rest_quotient (LsSimplifier *self,
                   Canon         whole,
                   const Canon  *rest,
                   gint64        c,
                   gboolean      floor)
{
  g_autoptr (LsExpr) expr = canon_to_expr (rest);

  sum_divide (&whole, c);
  if (ls_is_imm (expr))
    whole.base = ls_wrap_add (whole.base, floor ? ls_floor_div (ls_imm (expr), c) : ls_trunc_div (ls_imm (expr), c));
  else if (ls_compare_value (self, expr, c) != LS_COMPARE_LT ||
           (floor && !ls_analyzer_can_prove_ge_value (self->analyzer, expr, 0)))
    sum_add_term (&whole, term_div (term_of (expr), c, floor), 1);
  return whole;
}

static Canon
visit_quotient (LsSimplifier *self,
                LsExpr       *expr,
                Operands     *in)
{
  gboolean floor = ls_is (expr, FLOOR_DIV);
  g_auto (Canon) whole = { 0 };
  g_auto (Canon) rest = { 0 };
  gint64 c;

  if (!canon_is_imm (&in->b, &c) || c <= 0)
    return visit_symbolic_quotient (expr, in);
  if (in->a.form == FORM_SUM)
    {
      sum_separate (&in->a, c, &whole, &rest);
      if (rest.base == 0 && rest.terms->len == 0)
        {
          sum_divide (&whole, c);
          return canon_steal (&whole);
        }
      if (floor || (can_prove_ge_zero (self, &whole) && can_prove_ge_zero (self, &rest)))
        return add_rest_quotient (self, canon_steal (&whole), &rest, c, floor);
    }
  else if (lies_below (self, &in->a, c))
    return canon_plain (ls_const_int (in->a.dtype, 0));
  return canon_term (term_div (canon_to_term (&in->a), c, floor));
}

/* What is left of a sum modulo c once multiples of c are gone; *out is the result if that settles it. */
static gboolean
settle_rest (LsSimplifier *self,
             const Canon  *rest,
             gint64        c,
             gboolean      floor,
             Canon        *out)
{
  g_autoptr (LsExpr) expr = canon_to_expr (rest);

  if (ls_is_imm (expr))
    {
      gint64 value = floor ? ls_floor_rem (ls_imm (expr), c) : ls_trunc_rem (ls_imm (expr), c);

      *out = canon_plain (ls_const_int (rest->dtype, value));
      return TRUE;
    }
  if (ls_compare_value (self, expr, c) == LS_COMPARE_LT &&
      (!floor || ls_analyzer_can_prove_ge_value (self->analyzer, expr, 0)))
    {
      *out = canon_plain (g_steal_pointer (&expr));
      return TRUE;
    }
  return FALSE;
}

static Canon
visit_floor_remainder (LsSimplifier *self,
                       Operands     *in,
                       gint64        c)
{
  g_auto (Canon) whole = { 0 };
  g_auto (Canon) rest = { 0 };
  Canon settled;

  sum_separate (&in->a, c, &whole, &rest);
  if (settle_rest (self, &rest, c, TRUE, &settled))
    return settled;
  rest.base = ls_floor_rem (rest.base, c);
  return canon_term (term_mod (self, canon_to_term (&rest), c, TRUE));
}

/* Truncating: multiples of c may only go, and the constant only shrink, while everything stays non-negative. */
static Canon
visit_trunc_remainder (LsSimplifier *self,
                       Operands     *in,
                       gint64        c)
{
  g_auto (Canon) whole = { 0 };
  g_auto (Canon) rest = { 0 };
  g_autoptr (LsExpr) expr = NULL;
  Canon settled;
  LsConstIntBound bound;
  gint64 base;

  sum_separate (&in->a, c, &whole, &rest);
  if (rest.base == 0 && rest.terms->len == 0)
    return canon_plain (ls_const_int (in->a.dtype, 0));
  if (can_prove_ge_zero (self, &whole) && can_prove_ge_zero (self, &rest))
    {
      if (settle_rest (self, &rest, c, FALSE, &settled))
        return settled;
      canon_clear (&in->a);
      in->a = canon_steal (&rest);
    }
  expr = canon_to_expr (&in->a);
  bound = ls_bound_of (self->analyzer, expr);
  base = ls_trunc_rem (in->a.base, c);
  if (bound.min >= 0 && ls_sat_add (bound.min, ls_wrap_sub (base, in->a.base)) >= 0)
    in->a.base = base;
  return canon_term (term_mod (self, canon_to_term (&in->a), c, FALSE));
}

static Canon
visit_remainder (LsSimplifier *self,
                 LsExpr       *expr,
                 Operands     *in)
{
  gboolean floor = ls_is (expr, FLOOR_MOD);
  gint64 c;

  if (!canon_is_imm (&in->b, &c) || c <= 0)
    return visit_symbolic_quotient (expr, in);
  if (in->a.form == FORM_SUM)
    return floor ? visit_floor_remainder (self, in, c) : visit_trunc_remainder (self, in, c);
  if (lies_below (self, &in->a, c))
    return canon_steal (&in->a);
  return canon_term (term_mod (self, canon_to_term (&in->a), c, floor));
}

static Canon
visit_arithmetic (LsSimplifier *self,
                  LsExpr       *expr)
{
  g_auto (Operands) in = { mutate (self, ls_lhs (expr)), mutate (self, ls_rhs (expr)) };
  LsKind kind = ls_kind (expr);
  Canon folded;

  if (fold_operands (kind, &in, &folded))
    return folded;
  if (kind == LS_KIND_ADD || kind == LS_KIND_SUB)
    return visit_sum (self, expr, &in);
  if (kind == LS_KIND_MUL)
    return visit_product (expr, &in);
  if (kind == LS_KIND_DIV || kind == LS_KIND_FLOOR_DIV)
    return visit_quotient (self, expr, &in);
  return visit_remainder (self, expr, &in);
}

/* ---- casts ---- */

static gboolean
fits (LsAnalyzer *analyzer,
      LsDType     dtype,
      LsExpr     *value)
{
  LsConstIntBound bound;

  if (!ls_dtype_is_index (dtype))
    return FALSE;
  if (ls_dtype (value).bits <= dtype.bits)
    return TRUE;
  bound = ls_bound_of (analyzer, value);
  return bound.min >= ls_dtype_int_min (dtype) && bound.max <= ls_dtype_int_max (dtype);
}

/* Every intermediate value of the term fits into the narrower type. */
static gboolean
term_can_cast (LsAnalyzer *analyzer,
               const Term *term,
               LsDType     dtype)
{
  g_autoptr (LsExpr) expr = ls_ref (term->index);

  if (dtype.bits >= term->dtype.bits || term->scale == 0)
    return TRUE;
  if (!fits (analyzer, dtype, expr))
    return FALSE;
  if (term->upper != NO_UPPER)
    expr = mod_by (expr, term->upper, term->floor);
  if (!fits (analyzer, dtype, expr))
    return FALSE;
  if (term->lower != 1)
    expr = div_by (expr, term->lower, term->floor);
  if (!fits (analyzer, dtype, expr))
    return FALSE;
  if (term->scale != 1)
    expr = ls_mul (expr, ls_const_int (term->dtype, term->scale));
  return fits (analyzer, dtype, expr);
}

static gboolean
partial_sums_fit (LsAnalyzer  *analyzer,
                  const Canon *sum,
                  LsDType      dtype)
{
  g_autoptr (LsExpr) partial = ls_const_int (sum->dtype, 0);

  for (int sign = 1; sign >= -1; sign -= 2)
    {
      for (guint i = 0; i < sum->terms->len; i++)
        if (term_at (sum->terms, i)->scale * (double) sign > 0)
          {
            LsExpr *part = term_to_expr (term_at (sum->terms, i), 1);

            partial = ls_add (partial, part);
            if (!fits (analyzer, dtype, partial))
              return FALSE;
          }
      if (sum->base * (double) sign > 0)
        {
          partial = ls_add (partial, ls_const_int (sum->dtype, sum->base));
          if (!fits (analyzer, dtype, partial))
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
canon_can_cast (LsAnalyzer  *analyzer,
                const Canon *canon,
                LsDType      dtype)
{
  if (dtype.bits >= canon->dtype.bits)
    return TRUE;
  if (canon->form == FORM_SUM && !partial_sums_fit (analyzer, canon, dtype))
    return FALSE;
  for (guint i = 0; i < canon->terms->len; i++)
    if (!term_can_cast (analyzer, term_at (canon->terms, i), dtype))
      return FALSE;
  return TRUE;
}

static Canon
visit_cast (LsSimplifier *self,
            LsExpr       *expr)
{
  LsDType dtype = ls_dtype (expr);
  g_auto (Canon) value = mutate (self, ((LsCast *) expr)->value);

  if (value.form == FORM_PLAIN || !canon_can_cast (self->analyzer, &value, dtype))
    return canon_plain (ls_rewrite_visit (self, expr));
  for (guint i = 0; i < value.terms->len; i++)
    {
      Term *term = term_at (value.terms, i);

      term->index = ls_cast (dtype, term->index);
      term->dtype = dtype;
    }
  value.dtype = dtype;
  return canon_steal (&value);
}

/* ---- comparison of sums ---- */

static gint64
divisor_of_scales (const Canon *sum,
                   gboolean    *scaled)
{
  gint64 divisor = sum->base;

  *scaled = FALSE;
  for (guint i = 0; i < sum->terms->len; i++)
    {
      gint64 scale = term_at (sum->terms, i)->scale;

      if (scale >= -1 && scale <= 1)
        continue;
      *scaled = TRUE;
      divisor = ls_gcd (divisor, scale);
    }
  return divisor;
}

static gboolean
stays_within (LsAnalyzer *analyzer,
              LsExpr     *rest,
              gint64      d)
{
  g_autoptr (LsExpr) below = ls_lt (ls_ref (rest), ls_const_int (ls_dtype (rest), d));
  g_autoptr (LsExpr) above = ls_ge (ls_ref (rest), ls_const_int (ls_dtype (rest), 0));

  return ls_analyzer_can_prove (analyzer, below) && ls_analyzer_can_prove (analyzer, above);
}

/* a < b as s0 x0 + ... + c + rest < 0, all of it but the rest divisible by d.  If 0 <= rest < d the rest does not
 * matter; if the rest is y % m with d dividing m, it counts as y // d % (m / d).  NULL: neither.
 * (TVM v0.20 also drops a rest in (-d, 0), and takes -(y % m) and truncated remainders; that loses points.) */
static LsExpr *
divide_comparison (LsSimplifier *self,
                   Canon        *sum)
{
  g_auto (Canon) whole = { 0 };
  g_auto (Canon) rest = { 0 };
  g_autoptr (LsExpr) left = NULL;
  gboolean scaled;
  gint64 d = divisor_of_scales (sum, &scaled);
  gint64 lower;
  Term *term;

  if (!scaled || d <= 1)
    return NULL;
  sum_separate (sum, d, &whole, &rest);
  left = canon_to_expr (&rest);
  if (stays_within (self->analyzer, left, d))
    ls_take (&left, NULL);
  else
    {
      if (rest.terms->len != 1)
        return NULL;
      term = term_at (rest.terms, 0);
      if (term->scale != 1 || term->lower <= 0 || term->upper <= 0 || term->upper == NO_UPPER || !term->floor ||
          __builtin_mul_overflow (d, term->lower, &lower) || !divides (lower, term->upper))
        return NULL;
      ls_take (&left, mod_by (div_by (ls_ref (term->index), lower, TRUE), ls_floor_div (term->upper, lower), TRUE));
    }
  sum_divide (&whole, d);
  if (left == NULL)
    left = canon_to_expr (&whole);
  else
    left = ls_add (canon_to_expr (&whole), left);
  return ls_lt (g_steal_pointer (&left), ls_const_int (sum->dtype, 0));
}

static Canon
visit_lt (LsSimplifier *self,
          LsExpr       *expr)
{
  g_autoptr (LsExpr) difference = ls_sub (ls_ref (ls_lhs (expr)), ls_ref (ls_rhs (expr)));
  g_auto (Canon) sum = mutate (self, difference);
  g_autoptr (LsExpr) smaller = NULL;

  if (sum.form == FORM_SUM)
    smaller = divide_comparison (self, &sum);
  return smaller != NULL ? mutate (self, smaller) : canon_plain (ls_rewrite_visit (self, expr));
}

/* ---- the visit ---- */

static gboolean
is_arithmetic (LsKind kind)
{
  return kind == LS_KIND_ADD || kind == LS_KIND_SUB || kind == LS_KIND_MUL || kind == LS_KIND_DIV ||
         kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_DIV || kind == LS_KIND_FLOOR_MOD;
}

static Canon
mutate (LsSimplifier *self,
        LsExpr       *expr)
{
  Canon result;

  if (!ls_visit_enter (self->analyzer))
    return canon_plain (ls_ref (expr));
  if (is_arithmetic (ls_kind (expr)) && ls_is_index_expr (expr))
    result = visit_arithmetic (self, expr);
  else if (ls_is (expr, CAST) && ls_is_index_expr (expr))
    result = visit_cast (self, expr);
  else if (ls_is (expr, LT) && ls_is_index_expr (ls_lhs (expr)))
    result = visit_lt (self, expr);
  else
    result = canon_plain (ls_rewrite_visit (self, expr));
  ls_visit_leave (self->analyzer);
  return result;
}

LsExpr *
ls_canonical_visit (LsSimplifier *self,
                    LsExpr       *expr)
{
  g_auto (Canon) result = mutate (self, expr);

  return canon_to_expr (&result);
}
