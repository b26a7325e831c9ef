/* math: integer arithmetic for the analyser.
 *
 * Two families: wrapping (two's complement, what constants of the program do) and saturating at LS_NEG_INF and
 * LS_POS_INF (what ends of bounds do, where both ends stand for "not known").  Nothing here overflows in C's sense.
 */
#include "engine/arith/arith-private.h"

gint64
ls_wrap_add (gint64 a,
             gint64 b)
{
  return (gint64) ((guint64) a + (guint64) b);
}

gint64
ls_wrap_sub (gint64 a,
             gint64 b)
{
  return (gint64) ((guint64) a - (guint64) b);
}

gint64
ls_wrap_mul (gint64 a,
             gint64 b)
{
  return (gint64) ((guint64) a * (guint64) b);
}

gint64
ls_sat_neg (gint64 a)
{
  return a == G_MININT64 ? LS_POS_INF : -a;
}

/* An infinite operand wins; the left one if both are. */
gint64
ls_sat_add (gint64 a,
            gint64 b)
{
  gint64 sum;

  if (a == LS_POS_INF || a <= LS_NEG_INF)
    return a;
  if (b == LS_POS_INF || b <= LS_NEG_INF)
    return b;
  if (__builtin_add_overflow (a, b, &sum) || sum == G_MININT64)
    return a > 0 ? LS_POS_INF : LS_NEG_INF;
  return sum;
}

gint64
ls_sat_mul (gint64 a,
            gint64 b)
{
  gint64 product;

  if (__builtin_mul_overflow (a, b, &product) || product == G_MININT64)
    return (a > 0) == (b > 0) ? LS_POS_INF : LS_NEG_INF;
  return product;
}

gint64
ls_trunc_div (gint64 a,
              gint64 b)
{
  if (b == -1)
    return ls_sat_neg (a);
  return a / b;
}

gint64
ls_trunc_rem (gint64 a,
              gint64 b)
{
  return b == -1 ? 0 : a % b;
}

gint64
ls_floor_div (gint64 a,
              gint64 b)
{
  gint64 rem = ls_trunc_rem (a, b);

  return ls_trunc_div (a, b) - (rem != 0 && (rem < 0) != (b < 0) ? 1 : 0);
}

gint64
ls_floor_rem (gint64 a,
              gint64 b)
{
  gint64 rem = ls_trunc_rem (a, b);

  return rem != 0 && (rem < 0) != (b < 0) ? rem + b : rem;
}

gint64
ls_gcd (gint64 a,
        gint64 b)
{
  guint64 m = a < 0 ? -(guint64) a : (guint64) a;
  guint64 n = b < 0 ? -(guint64) b : (guint64) b;

  while (n != 0)
    {
      guint64 rest = m % n;

      m = n;
      n = rest;
    }
  return m > G_MAXINT64 ? (gint64) 1 << 62 : (gint64) m;        /* 2^63 is no gint64: half of it divides too */
}

gint64
ls_lcm (gint64 a,
        gint64 b)
{
  gint64 common = ls_gcd (a, b);

  if (common == 0)
    return 0;
  return ls_sat_mul (ls_trunc_div (a < 0 ? ls_sat_neg (a) : a, common), b < 0 ? ls_sat_neg (b) : b);
}

gint64
ls_extended_gcd (gint64  a,
                 gint64  b,
                 gint64 *x,
                 gint64 *y)
{
  gint64 r0 = a, r1 = b, x0 = 1, x1 = 0, y0 = 0, y1 = 1;

  while (r1 != 0)
    {
      gint64 q = ls_trunc_div (r0, r1);
      gint64 next;

      next = r0 - q * r1, r0 = r1, r1 = next;
      next = x0 - q * x1, x0 = x1, x1 = next;
      next = y0 - q * y1, y0 = y1, y1 = next;
    }
  *x = x0;
  *y = y0;
  return r0;
}
