/* half: float16 and bfloat16 as bit patterns.
 *
 * A narrow float is made from a double in one rounding (to nearest, ties to even):
 * shift the 53-bit significand right so that p stored bits and the hidden one remain, look at what
 * was shifted out, and add; a carry runs into the exponent and does the right thing.
 * Going through float first would round twice.  Format facts: IEEE 754-2019, 3.4.
 */
#include "engine/base/base.h"

#include <string.h>

/* value -> a 16-bit float with `p` stored significand bits; emin is the exponent of the smallest
 * normal number and 1 - emin the largest exponent. */
static guint16
narrow (double value,
        int    p,
        int    emin)
{
  guint64 bits;
  guint64 infinity = (guint64) ((2 - 2 * emin + 1)) << p;
  guint64 sign, significand, q, rest, half;
  int exponent, shift;

  memcpy (&bits, &value, sizeof bits);
  sign = (bits >> 63) << 15;
  exponent = (int) ((bits >> 52) & 0x7ff);
  significand = bits & ((G_GUINT64_CONSTANT (1) << 52) - 1);
  if (exponent == 0x7ff)
    return (guint16) (sign | infinity | (significand != 0 ? G_GUINT64_CONSTANT (1) << (p - 1) : 0));
  if (exponent == 0)
    return (guint16) sign;

  exponent -= 1023;
  significand |= G_GUINT64_CONSTANT (1) << 52;
  if (exponent > 1 - emin)
    return (guint16) (sign | infinity);
  shift = 52 - p + MAX (0, emin - exponent);
  if (shift > 54)
    return (guint16) sign;
  q = significand >> shift;
  rest = significand & ((G_GUINT64_CONSTANT (1) << shift) - 1);
  half = G_GUINT64_CONSTANT (1) << (shift - 1);
  if (rest > half || (rest == half && (q & 1)))
    q++;
  return (guint16) (sign | (((guint64) MAX (0, exponent - emin) << p) + q));
}

guint16
ls_half_from_double (double value)
{
  return narrow (value, 10, -14);
}

guint16
ls_half_from_float (float value)
{
  return narrow (value, 10, -14);
}

guint16
ls_bfloat_from_double (double value)
{
  return narrow (value, 7, -126);
}

guint16
ls_bfloat_from_float (float value)
{
  return narrow (value, 7, -126);
}

float
ls_bfloat_to_float (guint16 bits)
{
  guint32 wide = (guint32) bits << 16;
  float value;

  memcpy (&value, &wide, sizeof value);
  return value;
}

float
ls_half_to_float (guint16 bits)
{
  guint32 sign = (guint32) (bits & 0x8000) << 16;
  guint32 exponent = (bits >> 10) & 0x1f;
  guint32 significand = bits & 0x3ff;
  guint32 wide;
  float value;

  if (exponent == 0)
    {
      value = (float) significand * 0x1p-24f;
      return sign != 0 ? -value : value;
    }
  wide = sign | ((exponent == 31 ? 255 : exponent + 112) << 23) | (significand << 13);
  memcpy (&value, &wide, sizeof value);
  return value;
}
