/* canonical: index arithmetic as sums of split terms.
 *
 *   term = ((index mod upper) div lower) * scale      upper may be infinite
 *   sum  = term + ... + term + base
 *
 * Terms of one index stand side by side, large `lower` first, so that  x // 8 * 8 + x % 8  is seen to be x.  Sums
 * stay sums while they are added, scaled, divided and reduced by constants, and become expressions again (sorted
 * by scale, positive terms first) where anything else needs them.
 * A step whose numbers leave the type of the expression is not taken (TVM v0.20 lets them wrap).
 * Source of the concept: TVM's CanonicalSimplifier; the printed order is its order.
 */
#include "engine/arith/canonical-private.h"
#include "engine/arith/data.h"

static LsCanon mutate (LsSimplifier *self, LsExpr *expr);

/* ---- visits ---- */

typedef struct { LsCanon a, b; } Operands;

static void
operands_clear (Operands *operands)
{
  ls_canon_clear (&operands->a);
  ls_canon_clear (&operands->b);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Operands, operands_clear)

static LsExpr *
stand_in_of (LsSimplifier *self,
             LsDType       dtype)
{
  if (self->stand_in == NULL || !ls_dtype_equal (ls_dtype (self->stand_in), dtype))
    ls_take (&self->stand_in, LS_EXPR (ls_var_new ("", dtype)));
  return self->stand_in;
}

/* Constants and neutral elements, as ls_try_fold would do for expressions. */
static gboolean
fold_operands (LsSimplifier *self,
               LsExpr       *expr,
               Operands     *in,
               LsCanon      *out)
{
  LsKind kind = ls_kind (expr);
  gint64 value;
  LsExpr *folded;
  gboolean a_imm = ls_canon_is_imm (&in->a, &value), b_imm = ls_canon_is_imm (&in->b, &value);
  LsExpr *stand_in;

  if (!a_imm && !b_imm)
    return FALSE;
  if (a_imm && b_imm && !ls_is_data (self->analyzer, expr) && ls_fold_overflows (kind, in->a.plain, in->b.plain))
    return FALSE;
  stand_in = stand_in_of (self, a_imm ? in->b.dtype : in->a.dtype);
  folded = ls_try_fold (kind, a_imm ? in->a.plain : stand_in, b_imm ? in->b.plain : stand_in);
  if (folded == NULL)
    return FALSE;
  if (folded == stand_in)
    {
      ls_unref (folded);
      *out = ls_canon_steal (a_imm ? &in->b : &in->a);
    }
  else
    *out = ls_canon_plain (folded);
  return TRUE;
}

static LsCanon
visit_sum (LsSimplifier *self,
           LsExpr       *expr,
           Operands     *in)
{
  LsCanon sum = ls_canon_to_sum (ls_canon_steal (&in->a));

  ls_sum_add (&sum, &in->b, ls_is (expr, ADD) ? 1 : -1);
  return sum;
}

/* ---- products of symbols ---- */

typedef struct {
  GPtrArray *factors;           /* LsExpr, borrowed */
  gint64     scale;
  gboolean   overflows;
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
    product->overflows |= __builtin_mul_overflow (product->scale, ls_imm (expr), &product->scale);
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

static LsCanon
visit_product (LsExpr   *expr,
               Operands *in)
{
  g_autoptr (GPtrArray) factors = NULL;
  g_autoptr (LsExpr) a = NULL;
  g_autoptr (LsExpr) b = NULL;
  Product product;
  LsCanon result;
  gint64 c;

  if (ls_canon_is_imm (&in->a, &c) || ls_canon_is_imm (&in->b, &c))
    {
      LsCanon *other = ls_canon_is_imm (&in->a, &c) ? &in->b : &in->a;

      result = other->form == LS_FORM_PLAIN ? ls_canon_term (ls_canon_to_term (other)) : ls_canon_steal (other);

      ls_canon_scale (&result, c);
      return result;
    }
  a = ls_canon_to_expr (&in->a);
  b = ls_canon_to_expr (&in->b);
  /* a long product grows at its end */
  if ((in->a.product || !ls_is (a, MUL)) && !ls_is_imm (a) && !ls_is_imm (b) && !ls_is (b, MUL))
    {
      result = ls_canon_plain (ls_mul (ls_ref (a), ls_ref (b)));
      result.product = TRUE;
      return result;
    }
  factors = g_ptr_array_new ();
  product = (Product) { factors, 1, FALSE };
  collect_factors (a, &product);
  collect_factors (b, &product);
  if (product.overflows || !ls_int_fits (ls_dtype (expr), product.scale))
    return ls_canon_plain (ls_binary_new (LS_KIND_MUL, g_steal_pointer (&a), g_steal_pointer (&b)));
  result = ls_canon_plain (product_of (factors, product.scale, ls_dtype (expr)));
  result.product = product.scale == 1;
  return result;
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
  Product pa = { of_a, 1, FALSE }, pb = { of_b, 1, FALSE };
  LsDType dtype = ls_dtype (*b);
  gint64 divisor;
  LsExpr *fresh_a, *fresh_b;

  if (ls_is_imm (*b))
    return FALSE;
  collect_factors (*a, &pa);
  collect_factors (*b, &pb);
  if (pa.overflows || pb.overflows || !ls_int_fits (dtype, pa.scale) || !ls_int_fits (dtype, pb.scale))
    return FALSE;
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
static LsCanon
visit_symbolic_quotient (LsExpr   *expr,
                         Operands *in)
{
  g_autoptr (LsExpr) a = ls_canon_to_expr (&in->a);
  g_autoptr (LsExpr) b = ls_canon_to_expr (&in->b);
  g_autoptr (LsExpr) common = NULL;
  LsKind kind = ls_kind (expr);

  if (cancel_factors (&a, &b, &common))
    {
      LsExpr *result = ls_binary (kind, g_steal_pointer (&a), g_steal_pointer (&b));

      if (kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_MOD)
        result = ls_mul (result, g_steal_pointer (&common));
      return ls_canon_plain (result);
    }
  if (a == ls_lhs (expr) && b == ls_rhs (expr))
    return ls_canon_plain (ls_ref (expr));
  return ls_canon_plain (ls_binary_new (kind, g_steal_pointer (&a), g_steal_pointer (&b)));
}

/* ---- division and remainder by a positive constant ---- */

static gboolean
can_prove_ge_zero (LsSimplifier  *self,
                   const LsCanon *canon)
{
  g_autoptr (LsExpr) expr = ls_canon_to_expr (canon);

  return ls_analyzer_can_prove_ge_value (self->analyzer, expr, 0);
}

static gboolean
lies_below (LsSimplifier  *self,
            const LsCanon *canon,
            gint64         c)
{
  g_autoptr (LsExpr) expr = ls_canon_to_expr (canon);
  LsConstIntBound bound = ls_bound_of (self->analyzer, expr);

  return bound.min >= 0 && bound.max < c;
}

/* Both parts divided on their own: `whole` without a rest, `rest` not at all if it stays below c. Takes `whole`. */
static LsCanon
add_rest_quotient (LsSimplifier  *self,
                   LsCanon        whole,
                   const LsCanon *rest,
                   gint64         c,
                   gboolean       floor)
{
  g_autoptr (LsExpr) expr = ls_canon_to_expr (rest);

  ls_sum_divide (&whole, c);
  if (ls_is_imm (expr))
    whole.overflows |= __builtin_add_overflow (whole.base, floor ? ls_floor_div (ls_imm (expr), c) : ls_trunc_div (ls_imm (expr), c),
                                               &whole.base);
  else if (ls_compare_value (self, expr, c) != LS_COMPARE_LT ||
           (floor && !ls_analyzer_can_prove_ge_value (self->analyzer, expr, 0)))
    ls_sum_add_term (&whole, ls_term_div (ls_term_of (expr), c, floor), 1);
  return whole;
}

static LsCanon
visit_quotient (LsSimplifier *self,
                LsExpr       *expr,
                Operands     *in)
{
  gboolean floor = ls_is (expr, FLOOR_DIV);
  g_auto (LsCanon) whole = { 0 };
  g_auto (LsCanon) rest = { 0 };
  gint64 c;

  if (!ls_canon_is_imm (&in->b, &c) || c <= 0 || c == LS_NO_UPPER)
    return visit_symbolic_quotient (expr, in);
  if (in->a.form == LS_FORM_SUM)
    {
      ls_sum_separate (&in->a, c, &whole, &rest);
      if (rest.base == 0 && rest.terms->len == 0)
        {
          ls_sum_divide (&whole, c);
          return ls_canon_steal (&whole);
        }
      if (floor || (can_prove_ge_zero (self, &whole) && can_prove_ge_zero (self, &rest)))
        return add_rest_quotient (self, ls_canon_steal (&whole), &rest, c, floor);
    }
  else if (lies_below (self, &in->a, c))
    return ls_canon_plain (ls_const_int (in->a.dtype, 0));
  return ls_canon_term (ls_term_div (ls_canon_to_term (&in->a), c, floor));
}

/* What is left of a sum modulo c once multiples of c are gone; *out is the result if that settles it. */
static gboolean
settle_rest (LsSimplifier  *self,
             const LsCanon *rest,
             gint64         c,
             gboolean       floor,
             LsCanon       *out)
{
  g_autoptr (LsExpr) expr = ls_canon_to_expr (rest);

  if (ls_is_imm (expr))
    {
      gint64 value = floor ? ls_floor_rem (ls_imm (expr), c) : ls_trunc_rem (ls_imm (expr), c);

      *out = ls_canon_plain (ls_const_int (rest->dtype, value));
      return TRUE;
    }
  if (ls_compare_value (self, expr, c) == LS_COMPARE_LT &&
      (!floor || ls_analyzer_can_prove_ge_value (self->analyzer, expr, 0)))
    {
      *out = ls_canon_plain (g_steal_pointer (&expr));
      return TRUE;
    }
  return FALSE;
}

/* As ls_leaves_elsewhere, of two dividends. */
static gboolean
leaves_elsewhere (LsSimplifier  *self,
                  const LsCanon *sum,
                  const LsCanon *reduced)
{
  g_autoptr (LsExpr) expr = NULL;

  if (self->analyzer->proves || (sum->base == reduced->base && sum->terms->len == reduced->terms->len))
    return FALSE;
  expr = ls_canon_to_expr (reduced);
  return ls_sum_may_leave (self->analyzer, expr);
}

static LsCanon
visit_floor_remainder (LsSimplifier *self,
                       Operands     *in,
                       gint64        c)
{
  g_auto (LsCanon) whole = { 0 };
  g_auto (LsCanon) rest = { 0 };
  LsCanon settled;

  ls_sum_separate (&in->a, c, &whole, &rest);
  if (settle_rest (self, &rest, c, TRUE, &settled))
    return settled;
  rest.base = ls_floor_rem (rest.base, c);
  return ls_canon_term (ls_term_mod (self, ls_canon_to_term (leaves_elsewhere (self, &in->a, &rest) ? &in->a : &rest), c, TRUE));
}

/* Truncating: multiples of c may only go, and the constant only shrink, while everything stays non-negative. */
static LsCanon
visit_trunc_remainder (LsSimplifier *self,
                       Operands     *in,
                       gint64        c)
{
  g_auto (LsCanon) whole = { 0 };
  g_auto (LsCanon) rest = { 0 };
  g_autoptr (LsExpr) expr = NULL;
  LsCanon settled;
  LsConstIntBound bound;
  gint64 base;

  ls_sum_separate (&in->a, c, &whole, &rest);
  if (rest.base == 0 && rest.terms->len == 0)
    return ls_canon_plain (ls_const_int (in->a.dtype, 0));
  if (can_prove_ge_zero (self, &whole) && can_prove_ge_zero (self, &rest))
    {
      if (settle_rest (self, &rest, c, FALSE, &settled))
        return settled;
      ls_canon_clear (&in->a);
      in->a = ls_canon_steal (&rest);
    }
  expr = ls_canon_to_expr (&in->a);
  bound = ls_bound_of (self->analyzer, expr);
  base = ls_trunc_rem (in->a.base, c);
  if (bound.min >= 0 && ls_sat_add (bound.min, ls_sat_add (base, ls_sat_neg (in->a.base))) >= 0)
    in->a.base = base;
  return ls_canon_term (ls_term_mod (self, ls_canon_to_term (&in->a), c, FALSE));
}

/* A dividend is not turned where it leaves its type turned only: the lowest number has no negation. */
static LsTerm
dividend (LsSimplifier  *self,
          const LsCanon *canon)
{
  LsTerm term = ls_canon_to_term (canon);
  g_autoptr (LsExpr) whole = NULL;

  if (term.scale >= 0 || self->analyzer->proves || !ls_sum_may_leave (self->analyzer, term.index))
    return term;
  whole = ls_term_to_expr (&term, 1);
  ls_unref (term.index);
  return ls_term_of (whole);
}

static LsCanon
visit_remainder (LsSimplifier *self,
                 LsExpr       *expr,
                 Operands     *in)
{
  gboolean floor = ls_is (expr, FLOOR_MOD);
  gint64 c;

  if (!ls_canon_is_imm (&in->b, &c) || c <= 0 || c == LS_NO_UPPER)
    return visit_symbolic_quotient (expr, in);
  if (in->a.form == LS_FORM_SUM)
    return floor ? visit_floor_remainder (self, in, c) : visit_trunc_remainder (self, in, c);
  if (lies_below (self, &in->a, c))
    return ls_canon_steal (&in->a);
  return ls_canon_term (ls_term_mod (self, dividend (self, &in->a), c, floor));
}

static LsCanon
visit_operands (LsSimplifier *self,
                LsExpr       *expr,
                Operands     *in)
{
  LsKind kind = ls_kind (expr);
  LsCanon folded;

  if (fold_operands (self, expr, in, &folded))
    return folded;
  if (kind == LS_KIND_ADD || kind == LS_KIND_SUB)
    return visit_sum (self, expr, in);
  if (kind == LS_KIND_MUL)
    return visit_product (expr, in);
  if (ls_may_wrap (self->analyzer, ls_lhs (expr)) || ls_may_wrap (self->analyzer, ls_rhs (expr)))
    return ls_canon_plain (ls_binary_new (kind, ls_canon_to_expr (&in->a), ls_canon_to_expr (&in->b)));
  if (kind == LS_KIND_DIV || kind == LS_KIND_FLOOR_DIV)
    return visit_quotient (self, expr, in);
  return visit_remainder (self, expr, in);
}

/* The numbers left the type: the operands stay two. */
static LsCanon
visit_apart (LsSimplifier *self,
             LsExpr       *expr)
{
  LsExpr *a = ls_visit (self, ls_lhs (expr)), *b = ls_visit (self, ls_rhs (expr));

  return ls_canon_plain (ls_keep_wrapping (self->analyzer, expr, ls_binary_new (ls_kind (expr), a, b)));
}

/* What comes of an expression whose parts were visited twice, first as sums and then by themselves: where such expressions nest, each would
 * double the visits of all below it. */
static LsCanon
keep_plain (LsSimplifier *self,
            LsExpr       *expr,
            LsCanon       canon)        /* taken */
{
  GHashTable **plain = &self->analyzer->plain[MIN (self->again, LS_ARITH_MAX_AGAIN)];

  if (self->ring_only || canon.form != LS_FORM_PLAIN)
    return canon;
  if (*plain == NULL)
    *plain = g_hash_table_new_full (NULL, NULL, (GDestroyNotify) ls_node_unref, (GDestroyNotify) ls_node_unref);
  g_hash_table_insert (*plain, ls_ref (expr), ls_ref (canon.plain));
  return canon;
}

static LsExpr *
kept_plain (LsSimplifier *self,
            LsExpr       *expr)
{
  GHashTable *plain = self->analyzer->plain[MIN (self->again, LS_ARITH_MAX_AGAIN)];

  return plain == NULL || self->ring_only ? NULL : g_hash_table_lookup (plain, expr);
}

static LsCanon
visit_arithmetic (LsSimplifier *self,
                  LsExpr       *expr)
{
  g_auto (Operands) in = { mutate (self, ls_lhs (expr)), mutate (self, ls_rhs (expr)) };
  g_auto (LsCanon) result = visit_operands (self, expr, &in);

  if (ls_is_data (self->analyzer, expr))
    {
      g_autoptr (LsExpr) written = ls_canon_to_expr (&result);

      if (ls_forgets_to_wrap (self->analyzer, expr, written))
        return keep_plain (self, expr, visit_apart (self, expr));
    }
  return ls_canon_fits (&result) ? ls_canon_steal (&result) : keep_plain (self, expr, visit_apart (self, expr));
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
term_can_cast (LsAnalyzer   *analyzer,
               const LsTerm *term,
               LsDType       dtype)
{
  g_autoptr (LsExpr) expr = ls_ref (term->index);

  if (dtype.bits >= term->dtype.bits || term->scale == 0)
    return TRUE;
  if (!fits (analyzer, dtype, expr))
    return FALSE;
  if (term->upper != LS_NO_UPPER)
    expr = ls_mod_by (expr, term->upper, term->floor);
  if (!fits (analyzer, dtype, expr))
    return FALSE;
  if (term->lower != 1)
    expr = ls_div_by (expr, term->lower, term->floor);
  if (!fits (analyzer, dtype, expr))
    return FALSE;
  if (term->scale != 1)
    expr = ls_mul (expr, ls_const_int (term->dtype, term->scale));
  return fits (analyzer, dtype, expr);
}

static gboolean
partial_sums_fit (LsAnalyzer    *analyzer,
                  const LsCanon *sum,
                  LsDType        dtype)
{
  g_autoptr (LsExpr) partial = ls_const_int (sum->dtype, 0);

  for (int sign = 1; sign >= -1; sign -= 2)
    {
      for (guint i = 0; i < sum->terms->len; i++)
        if (ls_term_at (sum->terms, i)->scale * (double) sign > 0)
          {
            LsExpr *part = ls_term_to_expr (ls_term_at (sum->terms, i), 1);

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
canon_can_cast (LsAnalyzer    *analyzer,
                const LsCanon *canon,
                LsDType        dtype)
{
  if (dtype.bits >= canon->dtype.bits)
    return TRUE;
  if (!ls_canon_fits_type (canon, dtype))
    return FALSE;
  if (canon->form == LS_FORM_SUM && !partial_sums_fit (analyzer, canon, dtype))
    return FALSE;
  for (guint i = 0; i < canon->terms->len; i++)
    if (!term_can_cast (analyzer, ls_term_at (canon->terms, i), dtype))
      return FALSE;
  return TRUE;
}

static LsCanon
visit_cast (LsSimplifier *self,
            LsExpr       *expr)
{
  LsDType dtype = ls_dtype (expr);
  g_auto (LsCanon) value = mutate (self, ((LsCast *) expr)->value);

  if (value.form == LS_FORM_PLAIN || ls_may_wrap (self->analyzer, ((LsCast *) expr)->value) || !canon_can_cast (self->analyzer, &value, dtype))
    return keep_plain (self, expr, ls_canon_plain (ls_rewrite_visit (self, expr)));
  for (guint i = 0; i < value.terms->len; i++)
    {
      LsTerm *term = ls_term_at (value.terms, i);

      term->index = ls_cast (dtype, term->index);
      term->dtype = dtype;
    }
  value.dtype = dtype;
  return ls_canon_steal (&value);
}

/* ---- comparison of sums ---- */

static gint64
divisor_of_scales (const LsCanon *sum,
                   gboolean      *scaled)
{
  gint64 divisor = sum->base;

  *scaled = FALSE;
  for (guint i = 0; i < sum->terms->len; i++)
    {
      gint64 scale = ls_term_at (sum->terms, i)->scale;

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
                   LsCanon      *sum)
{
  g_auto (LsCanon) whole = { 0 };
  g_auto (LsCanon) rest = { 0 };
  g_autoptr (LsExpr) left = NULL;
  gboolean scaled;
  gint64 d = divisor_of_scales (sum, &scaled);
  gint64 lower;
  LsTerm *term;

  if (!scaled || d <= 1 || !ls_int_fits (sum->dtype, d))
    return NULL;
  ls_sum_separate (sum, d, &whole, &rest);
  left = ls_canon_to_expr (&rest);
  if (stays_within (self->analyzer, left, d))
    ls_take (&left, NULL);
  else
    {
      if (rest.terms->len != 1)
        return NULL;
      term = ls_term_at (rest.terms, 0);
      if (term->scale != 1 || term->lower <= 0 || term->upper <= 0 || term->upper == LS_NO_UPPER || !term->floor ||
          __builtin_mul_overflow (d, term->lower, &lower) || !ls_int_fits (sum->dtype, lower) || !ls_divides (lower, term->upper))
        return NULL;
      ls_take (&left, ls_mod_by (ls_div_by (ls_ref (term->index), lower, TRUE), ls_floor_div (term->upper, lower), TRUE));
    }
  ls_sum_divide (&whole, d);
  if (left == NULL)
    left = ls_canon_to_expr (&whole);
  else
    left = ls_add (ls_canon_to_expr (&whole), left);
  return ls_lt (g_steal_pointer (&left), ls_const_int (sum->dtype, 0));
}

static LsCanon
visit_lt (LsSimplifier *self,
          LsExpr       *expr)
{
  g_autoptr (LsExpr) difference = ls_sub (ls_ref (ls_lhs (expr)), ls_ref (ls_rhs (expr)));
  g_auto (LsCanon) sum = mutate (self, difference);
  g_autoptr (LsExpr) smaller = NULL;

  if (sum.form == LS_FORM_SUM)
    smaller = divide_comparison (self, &sum);
  return smaller != NULL && !ls_may_wrap (self->analyzer, smaller) ? mutate (self, smaller) : keep_plain (self, expr, ls_canon_plain (ls_rewrite_visit (self, expr)));
}

/* ---- the visit ---- */

static gboolean
is_arithmetic (LsKind kind)
{
  return kind == LS_KIND_ADD || kind == LS_KIND_SUB || kind == LS_KIND_MUL || kind == LS_KIND_DIV ||
         kind == LS_KIND_MOD || kind == LS_KIND_FLOOR_DIV || kind == LS_KIND_FLOOR_MOD;
}

static LsCanon
mutate (LsSimplifier *self,
        LsExpr       *expr)
{
  LsExpr *kept = kept_plain (self, expr);
  LsCanon result;

  if (kept != NULL)
    return ls_canon_plain (ls_ref (kept));
  if (!ls_visit_enter (self->analyzer))
    return ls_canon_plain (ls_ref (expr));
  if (is_arithmetic (ls_kind (expr)) && ls_is_index_expr (expr))
    result = visit_arithmetic (self, expr);
  else if (ls_is (expr, CAST) && ls_is_index_expr (expr))
    result = visit_cast (self, expr);
  else if (ls_is (expr, LT) && ls_is_index_expr (ls_lhs (expr)) && !ls_may_wrap (self->analyzer, expr))
    result = visit_lt (self, expr);
  else
    result = ls_canon_plain (ls_rewrite_visit (self, expr));
  ls_visit_leave (self->analyzer);
  return result;
}

LsExpr *
ls_canonical_visit (LsSimplifier *self,
                    LsExpr       *expr)
{
  g_auto (LsCanon) result = mutate (self, expr);

  return ls_canon_to_expr (&result);
}
