/* float8: e4m3fn and e5m2.  Format facts: Open Compute Project, OFP8 1.0. */
#include "engine/base/float8.h"

#include <math.h>

/* `p` stored significand bits, `bias` of the exponent, `most`: the bits of the largest number, `infinity` of what stands for infinity. */
static guint8
narrow (double value,
        int    p,
        int    bias,
        guint8 most,
        guint8 infinity)
{
  guint8 sign = signbit (value) ? 0x80 : 0;
  double size = fabs (value);
  int exponent;
  double q;
  guint bits;

  if (isnan (value))
    return 0x7f;
  if (isinf (value))
    return sign | infinity;
  if (size == 0)
    return sign;
  exponent = MAX (ilogb (size), 1 - bias);
  if (exponent > bias + 1)
    return sign | most;
  q = nearbyint (ldexp (size, p - exponent));           /* the significand with its hidden bit, if there is one; a carry is right */
  bits = ((guint) (exponent + bias - 1) << p) + (guint) q;
  return sign | (guint8) MIN (bits, most);
}

static double
widen (guint8 bits,
       int    p,
       int    bias)
{
  guint exponent = (bits & 0x7fu) >> p, fraction = bits & ((1u << p) - 1);
  double size = exponent == 0 ? ldexp (fraction, 1 - bias - p) : ldexp (fraction + (1u << p), (int) exponent - bias - p);

  return bits & 0x80 ? -size : size;
}

guint8
ls_e4m3_from_double (double value)
{
  return narrow (value, 3, 7, 0x7e, 0x7e);
}

guint8
ls_e5m2_from_double (double value)
{
  return narrow (value, 2, 15, 0x7b, 0x7c);
}

double
ls_e4m3_to_double (guint8 bits)
{
  return (bits & 0x7f) == 0x7f ? NAN : widen (bits, 3, 7);
}

double
ls_e5m2_to_double (guint8 bits)
{
  if ((bits & 0x7f) < 0x7c)
    return widen (bits, 2, 15);
  return (bits & 0x7f) > 0x7c ? NAN : bits & 0x80 ? -INFINITY : INFINITY;
}
