/* quotients: division of integers as sums and products, and the facts that Z3 needs of these.
 *
 *   a // b      the quotient q of what is left of a when all multiples of b are taken out: a - b q is between 0 and b
 *   tdiv (a, b) by signs, from the former
 *
 * Z3 is weak at products.  So facts are said of those that stand there, each an instance of one of the lemmas of
 * tests/proof/lemmas.c, which Z3 proves for themselves in the same run:
 *
 *   multiple    (b p + r) // b = p + r // b
 *   scale       (c a) // (c b) = a // b
 *   sign        a // -b = -a // b
 *   nest        (a // b + d) // c = (a + d b) // (b c)     for c > 0
 *   monotone    a <= a' makes a // b <= a' // b            for b > 0, and the other way round for b < 0
 *   truncate    tdiv (a, b) is a // b for a >= 0, b > 0, and so on by signs
 *   product     d >= 1 makes b d >= b for b > 0, and so on by signs
 */
#include "tests/proof/smt-private.h"

/* A quotient of a by b, and what it came to. */
typedef struct { Poly a; Term b; Poly value; gboolean plain; } Quotient;

/* ---- variables ---- */

guint
smt_fresh (Smt        *self,
           const char *name)
{
  g_ptr_array_add (self->vars, Z3_mk_fresh_const (self->z3, name, Z3_mk_int_sort (self->z3)));
  g_assert (self->vars->len < 255);
  return self->vars->len - 1;
}

static Z3_ast
whole (Smt    *self,
       gint64  value)
{
  return Z3_mk_int64 (self->z3, value, Z3_mk_int_sort (self->z3));
}

static Z3_ast
ast_of_term (Smt        *self,
             const Term *term)
{
  Z3_ast parts[12];
  guint n = 0;

  if (term->factor != 1 || term->n == 0)
    parts[n++] = whole (self, term->factor);
  for (guint i = 0; i < term->n; i++)
    parts[n++] = self->vars->pdata[term->vars[i]];
  return n == 1 ? parts[0] : Z3_mk_mul (self->z3, n, parts);
}

Z3_ast
smt_ast (Smt        *self,
         const Poly *poly)
{
  Z3_ast parts[G_N_ELEMENTS (poly->terms)];

  for (guint i = 0; i < poly->n; i++)
    parts[i] = ast_of_term (self, &poly->terms[i]);
  return poly->n == 0 ? whole (self, 0) : poly->n == 1 ? parts[0] : Z3_mk_add (self->z3, poly->n, parts);
}

/* poly <= 0, poly = 0 */
static Z3_ast
at_most_zero (Smt        *self,
              const Poly *poly)
{
  return Z3_mk_le (self->z3, smt_ast (self, poly), whole (self, 0));
}

Z3_ast
smt_at_most (Smt        *self,
             const Poly *a,
             const Poly *b)
{
  Poly d = poly_sub (a, b);

  return at_most_zero (self, &d);
}

Z3_ast
smt_below (Smt        *self,
           const Poly *a,
           const Poly *b)
{
  Poly d = poly_sub (a, b), one = poly_number (1);

  d = poly_add (&d, &one);
  return at_most_zero (self, &d);
}

Z3_ast
smt_equal (Smt        *self,
           const Poly *a,
           const Poly *b)
{
  Poly d = poly_sub (a, b);

  return Z3_mk_eq (self->z3, smt_ast (self, &d), whole (self, 0));
}

void
smt_say_if (Smt    *self,
            Z3_ast  when,
            Z3_ast  fact)
{
  smt_say (self, Z3_mk_implies (self->z3, when, fact));
}

static Poly
poly_of_term (const Term *term)
{
  return (Poly) { 1, { *term } };
}

/* ---- floor division ---- */

/* b > 0: 0 <= a - b q < b; b < 0: b < a - b q <= 0 */
static void
say_quotient (Smt        *self,
              const Poly *a,
              const Poly *b,
              const Poly *q)
{
  Poly bq = poly_mul (b, q), r = poly_sub (a, &bq), zero = poly_number (0);

  smt_say_if (self, smt_below (self, &zero, b), smt_both (self, smt_at_most (self, &zero, &r), smt_below (self, &r, b)));
  smt_say_if (self, smt_below (self, b, &zero), smt_both (self, smt_below (self, b, &r), smt_at_most (self, &r, &zero)));
}

/* (a' // b' + d) // b = (a' + d b') // (b' b) for b > 0 */
static void
say_nest (Smt        *self,
          const Poly *a,
          const Poly *b,
          const Poly *q)
{
  Poly zero = poly_number (0);

  for (guint i = 0; i < self->quotients->len; i++)
    {
      Quotient inner = g_array_index (self->quotients, Quotient, i);

      for (guint k = 0; inner.plain && k < a->n; k++)
        if (a->terms[k].factor == 1 && a->terms[k].n == 1 && inner.value.terms[0].vars[0] == a->terms[k].vars[0])
          {
            Poly d = poly_sub (a, &inner.value), by = poly_of_term (&inner.b), more = poly_mul (&d, &by);
            Poly top = poly_add (&inner.a, &more), bottom = poly_mul (&by, b), outer;

            outer = smt_floor_quotient (self, &top, &bottom);
            smt_say_if (self, smt_below (self, &zero, b), smt_equal (self, q, &outer));
          }
    }
}

/* What a // b came to, for the order of quotients. */
static void
note_quotient (Smt        *self,
               const Poly *a,
               const Term *b,
               const Poly *value)
{
  Quotient it = { *a, *b, *value, FALSE };

  for (guint i = 0; i < self->quotients->len; i++)
    {
      const Quotient *known = &g_array_index (self->quotients, Quotient, i);
      Poly one = poly_of_term (&known->b), other = poly_of_term (b);

      if (poly_equal (&known->a, a) && poly_equal (&one, &other))
        return;
    }
  g_array_append_val (self->quotients, it);
}

/* Divisors are single terms: constants are put in before (put_in), and a rule that divides by a sum fails here. */
Poly
smt_floor_quotient (Smt        *self,
                    const Poly *above,
                    const Poly *by)
{
  Poly a = *above, p, r, b, value;
  Quotient it;
  Term common, outer;

  g_assert (by->n == 1);
  it.b = by->terms[0];
  if (it.b.factor < 0)
    {
      it.b.factor = -it.b.factor;
      a = poly_negate (&a);
    }
  outer = it.b;
  poly_divide (&a, &it.b, &p, &r);
  if (poly_is_zero (&r))
    {
      note_quotient (self, &a, &it.b, &p);
      return p;
    }
  common = poly_common (&r, &it.b);
  poly_divide (&r, &common, &it.a, &value);
  b = poly_of_term (&it.b);
  poly_divide (&b, &common, &value, &r);
  it.b = value.terms[0];
  it.plain = FALSE;
  for (guint i = 0; i < self->quotients->len; i++)
    {
      Quotient *known = &g_array_index (self->quotients, Quotient, i);
      Poly one = poly_of_term (&known->b), other = poly_of_term (&it.b);

      if (known->plain && poly_equal (&known->a, &it.a) && poly_equal (&one, &other))
        return poly_add (&p, &known->value);
    }
  it.value = poly_var (smt_fresh (self, "q"));
  it.plain = TRUE;
  b = poly_of_term (&it.b);
  say_quotient (self, &it.a, &b, &it.value);
  g_array_append_val (self->quotients, it);
  if (self->depth++ < 3)
    say_nest (self, &it.a, &b, &it.value);
  self->depth--;
  value = poly_add (&p, &it.value);
  if (!poly_is_zero (&p))
    note_quotient (self, &a, &outer, &value);
  return value;
}

/* ---- what the condition says to be not negative ---- */

void
smt_note_not_negative (Smt        *self,
                       const Poly *value)
{
  g_array_append_vals (self->not_negative, value, 1);
}

/* By what is noted, sums and products of it, and what is more than it. */
gboolean
smt_is_not_negative (Smt        *self,
                     const Poly *value,
                     guint       depth)
{
  gboolean all = TRUE;

  for (guint i = 0; i < self->not_negative->len; i++)
    {
      Poly more = poly_sub (value, &g_array_index (self->not_negative, Poly, i));

      if (poly_is_zero (&more) || (depth > 0 && smt_is_not_negative (self, &more, depth - 1)))
        return TRUE;
    }
  for (guint i = 0; all && i < value->n; i++)
    {
      all = value->terms[i].factor > 0;
      for (guint k = 0; all && k < value->terms[i].n; k++)
        {
          Poly var = poly_var (value->terms[i].vars[k]);

          all = value->n == 1 && value->terms[0].n == 1 ? FALSE : smt_is_not_negative (self, &var, 0);
        }
    }
  return all;
}

/* ---- truncated division ---- */

/* By signs: both of one sign as they are, else the quotient of -a, negated. */
Poly
smt_truncated_quotient (Smt        *self,
                        const Poly *a,
                        const Poly *by)
{
  Poly minus_a = poly_negate (a), zero = poly_number (0), b = *by, exact, rest;
  Poly straight, turned, minus, value;
  gboolean flip = by->terms[0].factor < 0;
  Quotient it;
  Z3_ast up = smt_at_most (self, &zero, a), positive;

  g_assert (by->n == 1);
  poly_divide (a, &by->terms[0], &exact, &rest);
  if (poly_is_zero (&rest))
    return exact;
  if (smt_is_not_negative (self, a, 2) && smt_is_not_negative (self, by, 1))
    return smt_floor_quotient (self, a, by);
  if (flip)
    b = poly_negate (&b);
  straight = smt_floor_quotient (self, a, &b);
  turned = smt_floor_quotient (self, &minus_a, &b);
  minus = poly_negate (&turned);
  for (guint i = 0; i < self->truncated->len; i++)
    {
      Quotient *known = &g_array_index (self->truncated, Quotient, i);
      Poly one = poly_of_term (&known->b);

      if (poly_equal (&known->a, a) && poly_equal (&one, &b))
        return flip ? poly_negate (&known->value) : known->value;
    }
  value = poly_var (smt_fresh (self, "t"));
  positive = smt_below (self, &zero, &b);
  /* b > 0: up, a // b; else -(-a // b).  b < 0: the signs of both turned: (-a) // (-b) = a // b where -a >= 0. */
  smt_say_if (self, smt_both (self, positive, up), smt_equal (self, &value, &straight));
  smt_say_if (self, smt_both (self, positive, Z3_mk_not (self->z3, up)), smt_equal (self, &value, &minus));
  smt_say_if (self, smt_both (self, Z3_mk_not (self->z3, positive), up), smt_equal (self, &value, &minus));
  smt_say_if (self, smt_both (self, Z3_mk_not (self->z3, positive), Z3_mk_not (self->z3, up)), smt_equal (self, &value, &straight));
  it = (Quotient) { *a, b.terms[0], value, TRUE };
  g_array_append_val (self->truncated, it);
  for (guint i = 0; i + 1 < self->truncated->len && self->depth < 3; i++)
    {
      Quotient inner = g_array_index (self->truncated, Quotient, i);
      Poly product = poly_of_term (&inner.b), once;

      if (!poly_equal (&inner.value, a))
        continue;
      self->depth++;
      product = poly_mul (&product, &b);
      once = smt_truncated_quotient (self, &inner.a, &product);
      smt_say (self, smt_equal (self, &value, &once));
      self->depth--;
    }
  return flip ? poly_negate (&value) : value;
}

/* ---- facts on products and order ---- */

/* b > 0: d >= 1 makes b d >= b, d >= 0 b d >= 0, d <= 0 b d <= 0, d <= -1 b d <= -b; b < 0: the other way round. */
static void
say_product (Smt        *self,
             const Poly *b,
             const Poly *d)
{
  Poly bd = poly_mul (b, d), zero = poly_number (0), one = poly_number (1), minus_one = poly_number (-1), minus_b = poly_negate (b);
  Z3_ast positive = smt_below (self, &zero, b), negative = smt_below (self, b, &zero);

  if (b->n == 0 || d->n == 0 || (b->n == 1 && b->terms[0].n == 0) || (d->n == 1 && d->terms[0].n == 0))
    return;
  smt_say_if (self, smt_both (self, positive, smt_at_most (self, &one, d)), smt_at_most (self, b, &bd));
  smt_say_if (self, smt_both (self, positive, smt_at_most (self, d, &minus_one)), smt_at_most (self, &bd, &minus_b));
  smt_say_if (self, smt_both (self, positive, smt_at_most (self, &zero, d)), smt_at_most (self, &zero, &bd));
  smt_say_if (self, smt_both (self, positive, smt_at_most (self, d, &zero)), smt_at_most (self, &bd, &zero));
  smt_say_if (self, smt_both (self, negative, smt_at_most (self, &one, d)), smt_at_most (self, &bd, b));
  smt_say_if (self, smt_both (self, negative, smt_at_most (self, d, &minus_one)), smt_at_most (self, &minus_b, &bd));
  smt_say_if (self, smt_both (self, negative, smt_at_most (self, &zero, d)), smt_at_most (self, &bd, &zero));
  smt_say_if (self, smt_both (self, negative, smt_at_most (self, d, &zero)), smt_at_most (self, &zero, &bd));
}

static void
say_monotone (Smt            *self,
              const Quotient *one,
              const Quotient *other)
{
  Poly b = poly_of_term (&one->b), c = poly_of_term (&other->b), zero = poly_number (0);
  Z3_ast positive = smt_below (self, &zero, &b);

  if (!poly_equal (&b, &c))
    return;
  smt_say_if (self, smt_both (self, positive, smt_at_most (self, &one->a, &other->a)), smt_at_most (self, &one->value, &other->value));
  smt_say_if (self, smt_both (self, Z3_mk_not (self->z3, positive), smt_at_most (self, &one->a, &other->a)), smt_at_most (self, &other->value, &one->value));
}

/* a // (b c) = (a // b) // c for c > 0, where something else is divided by b. */
static void
say_splits (Smt *self)
{
  guint n = self->quotients->len;
  Poly zero = poly_number (0);

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < n; k++)
      {
        Quotient whole_one = g_array_index (self->quotients, Quotient, i), part = g_array_index (self->quotients, Quotient, k);
        Poly bottom = poly_of_term (&whole_one.b), by = poly_of_term (&part.b), rest, c, inner, outer;

        poly_divide (&bottom, &part.b, &c, &rest);
        if (!poly_is_zero (&rest) || (c.n == 1 && c.terms[0].n == 0))
          continue;
        inner = smt_floor_quotient (self, &whole_one.a, &by);
        outer = smt_floor_quotient (self, &inner, &c);
        smt_say_if (self, smt_below (self, &zero, &c), smt_equal (self, &whole_one.value, &outer));
      }
}

/* Remainders by small numbers, times others, case by case. */
static void
say_cases (Smt *self)
{
  for (guint i = 0; i < self->quotients->len; i++)
    for (guint k = 0; k < self->quotients->len; k++)
      {
        Quotient one = g_array_index (self->quotients, Quotient, i), other = g_array_index (self->quotients, Quotient, k);
        Poly b = poly_of_term (&one.b), c = poly_of_term (&other.b), bq = poly_mul (&b, &one.value), cq = poly_mul (&c, &other.value);
        Poly r = poly_sub (&one.a, &bq), s = poly_sub (&other.a, &cq), rs = poly_mul (&r, &s);

        if (!one.plain || !other.plain || one.b.n > 0 || one.b.factor > 4 || other.b.n > 0)
          continue;
        for (gint64 v = 0; v < one.b.factor; v++)
          {
            Poly value = poly_number (v), times = poly_mul (&value, &s);

            smt_say_if (self, smt_equal (self, &r, &value), smt_equal (self, &rs, &times));
          }
      }
}

static void
say_facts (Smt *self)
{
  guint n = self->quotients->len;

  for (guint i = 0; i < n; i++)
    {
      Quotient one = g_array_index (self->quotients, Quotient, i);
      Poly b = poly_of_term (&one.b);

      for (guint k = 0; k < self->differences->len; k++)
        say_product (self, &b, &g_array_index (self->differences, Poly, k));
      for (guint k = 0; k < n; k++)
        {
          Quotient other = g_array_index (self->quotients, Quotient, k);
          Poly c = poly_of_term (&other.b), d = poly_sub (&one.value, &other.value);

          if (i == k)
            continue;
          say_monotone (self, &one, &other);
          say_product (self, &b, &d);
          if (!poly_equal (&b, &c))
            say_product (self, &c, &d);
        }
    }
}

/* The factors of products that are compared: x * c1 < y * c1. */
static void
say_factors (Smt *self)
{
  for (guint i = 0; i < LS_RULE_N_SLOTS; i++)
    if (self->known[i] && g_str_has_prefix (ls_rule_slot_name (i), "c"))
      for (guint k = 0; k < self->differences->len; k++)
        say_product (self, &self->values[i], &g_array_index (self->differences, Poly, k));
}

void
smt_quotients_begin (Smt *self)
{
  self->quotients = g_array_new (FALSE, FALSE, sizeof (Quotient));
  self->truncated = g_array_new (FALSE, FALSE, sizeof (Quotient));
  self->differences = g_array_new (FALSE, FALSE, sizeof (Poly));
  self->not_negative = g_array_new (FALSE, FALSE, sizeof (Poly));
  smt_fresh (self, "none");                     /* number 0 is no lane */
}

void
smt_quotients_facts (Smt *self)
{
  say_splits (self);
  say_cases (self);
  say_facts (self);
  say_factors (self);
}

void
smt_quotients_end (Smt *self)
{
  g_clear_pointer (&self->quotients, g_array_unref);
  g_clear_pointer (&self->truncated, g_array_unref);
  g_clear_pointer (&self->differences, g_array_unref);
  g_clear_pointer (&self->not_negative, g_array_unref);
}
