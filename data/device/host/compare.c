/* compare: results element by element; see bundle.h. */
#include "bundle.h"

#include <math.h>
#include <string.h>

long long
count_elements (const Argument *argument)
{
  long long n = 1;

  for (int i = 0; i < argument->n_dims; i++)
    n *= argument->shape[i];
  return n;
}

size_t
bytes_of (const Argument *argument)
{
  return (size_t) count_elements (argument) * (size_t) (argument->bits / 8);
}

/* ---- one element ---- */

/* As a number, and where it stands among all of its format, so that neighbours differ by 1. */
static double
value_of (char                 kind,
          int                  bits,
          const unsigned char *at,
          long long           *rank)
{
  uint64_t raw = 0, sign = UINT64_C (1) << (bits - 1);
  double value = 0;

  memcpy (&raw, at, (size_t) (bits / 8));
  *rank = raw & sign ? -(long long) (raw & (sign - 1)) : (long long) raw;
  if (kind == 'f' && bits == 64)
    memcpy (&value, &raw, sizeof value);
  else if (kind == 'b' || bits == 32)
    {
      uint32_t wide = (uint32_t) (kind == 'b' ? raw << 16 : raw);
      float v;

      memcpy (&v, &wide, sizeof v);
      value = (double) v;
    }
  else
    {
      int exponent = (int) (raw >> 10) & 31;
      double mantissa = (double) (raw & 1023);

      value = exponent == 31 ? (mantissa == 0 ? INFINITY : NAN) : exponent == 0 ? ldexp (mantissa, -24) : ldexp (1024 + mantissa, exponent - 25);
      value = raw & sign ? -value : value;
    }
  return value;
}

static long long
integer_of (char                 kind,
            int                  bits,
            const unsigned char *at)
{
  uint64_t raw = 0;

  memcpy (&raw, at, (size_t) (bits / 8));
  if (kind == 'i' && bits < 64 && (raw >> (bits - 1)) != 0)
    raw |= ~UINT64_C (0) << bits;
  return (long long) raw;
}

static void
note (Comparison *result,
      long long   i,
      double      expected,
      double      actual,
      double      allowed,
      double      ulp)
{
  if (result->different++ > 0)
    return;
  result->first = i;
  result->expected = expected;
  result->actual = actual;
  result->allowed = allowed;
  result->ulp = ulp;
}

static void
compare_floats (const Argument      *a,
                const unsigned char *actual,
                const unsigned char *expected,
                Comparison          *result)
{
  int step = a->bits / 8;
  long long rank, other;
  double largest = 0;

  for (long long i = 0; i < result->n; i++)
    {
      double size = fabs (value_of (a->kind, a->bits, expected + i * step, &rank));

      if (isfinite (size) && size > largest)
        largest = size;
    }
  result->allowed = a->relative * largest;
  for (long long i = 0; i < result->n; i++)
    {
      double e = value_of (a->kind, a->bits, expected + i * step, &rank), v = value_of (a->kind, a->bits, actual + i * step, &other);
      double allowed = result->allowed, off = fabs (v - e), ulp = fabs ((double) rank - (double) other);
      bool same = isnan (e) ? isnan (v) : isinf (e) ? v == e : off <= allowed;

      if (!same)
        note (result, i, e, v, allowed, ulp);
      else if (isfinite (e))
        {
          result->largest = fmax (result->largest, off);
          result->largest_ulp = fmax (result->largest_ulp, fabs (e) >= largest * 0x1p-10 ? ulp : 0);
        }
    }
}

bool
compare (const Argument *a,
         const void     *actual,
         const void     *expected,
         Comparison     *result)
{
  int step = a->bits / 8;

  *result = (Comparison) { .n = count_elements (a), .first = -1 };
  if (a->kind == 'f' || a->kind == 'b')
    compare_floats (a, actual, expected, result);
  else if (a->kind == 'i' || a->kind == 'u' || a->kind == 'o')
    for (long long i = 0; i < result->n; i++)
      {
        long long e = integer_of (a->kind, a->bits, (const unsigned char *) expected + i * step);
        long long v = integer_of (a->kind, a->bits, (const unsigned char *) actual + i * step);

        if (e != v)
          note (result, i, (double) e, (double) v, 0, 0);
      }
  else
    return fail ("Elements of %s cannot be compared: their type is not known.", a->name);
  return true;
}
