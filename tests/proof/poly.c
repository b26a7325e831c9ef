/* poly: see the header. */
#include "tests/proof/poly.h"

#include <string.h>

static int
compare_vars (const Term *a,
              const Term *b)
{
  if (a->n != b->n)
    return a->n < b->n ? 1 : -1;
  return memcmp (a->vars, b->vars, a->n);
}

/* Keeps the order; like terms become one. */
static void
put (Poly       *self,
     const Term *term)
{
  guint at = 0;

  while (at < self->n && compare_vars (&self->terms[at], term) < 0)
    at++;
  if (at < self->n && compare_vars (&self->terms[at], term) == 0)
    {
      self->terms[at].factor += term->factor;
      if (self->terms[at].factor != 0)
        return;
      self->n--;
      memmove (&self->terms[at], &self->terms[at + 1], (self->n - at) * sizeof *term);
      return;
    }
  if (term->factor == 0)
    return;
  g_assert (self->n < G_N_ELEMENTS (self->terms));
  memmove (&self->terms[at + 1], &self->terms[at], (self->n - at) * sizeof *term);
  self->terms[at] = *term;
  self->n++;
}

static Term
times (const Term *a,
       const Term *b)
{
  Term result = { a->factor * b->factor, 0, { 0 } };
  guint i = 0, k = 0;

  g_assert (a->n + b->n <= G_N_ELEMENTS (result.vars));
  while (i < a->n || k < b->n)
    result.vars[result.n++] = k == b->n || (i < a->n && a->vars[i] <= b->vars[k]) ? a->vars[i++] : b->vars[k++];
  return result;
}

/* FALSE: b is no factor of a. */
static gboolean
over (const Term *a,
      const Term *b,
      Term       *result)
{
  guint k = 0;

  if (a->factor % b->factor != 0)
    return FALSE;
  *result = (Term) { a->factor / b->factor, 0, { 0 } };
  for (guint i = 0; i < a->n; i++)
    if (k < b->n && a->vars[i] == b->vars[k])
      k++;
    else
      result->vars[result->n++] = a->vars[i];
  return k == b->n;
}

Poly
poly_number (gint64 value)
{
  Poly self = { 0 };

  put (&self, &(Term) { value, 0, { 0 } });
  return self;
}

Poly
poly_var (guint var)
{
  Poly self = { 0 };

  put (&self, &(Term) { 1, 1, { (guint8) var } });
  return self;
}

Poly
poly_add (const Poly *a,
          const Poly *b)
{
  Poly self = *a;

  for (guint i = 0; i < b->n; i++)
    put (&self, &b->terms[i]);
  return self;
}

Poly
poly_negate (const Poly *a)
{
  Poly self = *a;

  for (guint i = 0; i < self.n; i++)
    self.terms[i].factor = -self.terms[i].factor;
  return self;
}

Poly
poly_sub (const Poly *a,
          const Poly *b)
{
  Poly minus = poly_negate (b);

  return poly_add (a, &minus);
}

Poly
poly_mul (const Poly *a,
          const Poly *b)
{
  Poly self = { 0 };

  for (guint i = 0; i < a->n; i++)
    for (guint k = 0; k < b->n; k++)
      {
        Term term = times (&a->terms[i], &b->terms[k]);

        put (&self, &term);
      }
  return self;
}

gboolean
poly_equal (const Poly *a,
            const Poly *b)
{
  Poly rest = poly_sub (a, b);

  return rest.n == 0;
}

gboolean
poly_is_zero (const Poly *a)
{
  return a->n == 0;
}

void
poly_divide (const Poly *a,
             const Term *b,
             Poly       *quotient,
             Poly       *rest)
{
  *quotient = *rest = (Poly) { 0 };
  for (guint i = 0; i < a->n; i++)
    {
      Term term;

      if (over (&a->terms[i], b, &term))
        put (quotient, &term);
      else
        put (rest, &a->terms[i]);
    }
}

static gint64
common_number (gint64 a,
               gint64 b)
{
  while (b != 0)
    {
      gint64 rest = a % b;

      a = b;
      b = rest;
    }
  return ABS (a);
}

static Term
common_term (const Term *a,
             const Term *b)
{
  Term result = { common_number (a->factor, b->factor), 0, { 0 } };
  guint k = 0;

  for (guint i = 0; i < a->n; i++)
    {
      while (k < b->n && b->vars[k] < a->vars[i])
        k++;
      if (k < b->n && b->vars[k] == a->vars[i])
        {
          result.vars[result.n++] = a->vars[i];
          k++;
        }
    }
  return result;
}

Term
poly_common (const Poly *a,
             const Term *b)
{
  Term result = *b;

  result.factor = ABS (result.factor);
  for (guint i = 0; i < a->n; i++)
    result = common_term (&result, &a->terms[i]);
  return result;
}
