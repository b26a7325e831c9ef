/* generate: inputs and checksums; see bundle.h. */
#include "bundle.h"

#include <string.h>

uint64_t
bundle_bits (uint64_t seed,
             uint64_t i)
{
  uint64_t z = seed * UINT64_C (0xd1342543de82ef95) + (i + 1) * UINT64_C (0x9e3779b97f4a7c15);

  z = (z ^ (z >> 30)) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C (0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* k / 2^(bits - 1) - 1 as a format of 16 bits with so many bits of exponent and mantissa. */
static uint16_t
small_float (uint64_t random,
             int      mantissa,
             int      bias)
{
  int precision = mantissa + 1;
  int64_t k = (int64_t) (random >> (64 - precision)) - ((int64_t) 1 << (precision - 1));   /* value: k / 2^(precision - 1) */
  uint64_t size = (uint64_t) (k < 0 ? -k : k);
  int top = -1;

  if (size == 0)
    return 0;
  for (uint64_t rest = size; rest != 0; rest >>= 1)
    top++;
  return (uint16_t) ((k < 0 ? 0x8000u : 0u) | (uint32_t) ((top - (precision - 1) + bias) << mantissa)
                     | (uint32_t) ((size << (mantissa - top)) & ((UINT64_C (1) << mantissa) - 1)));
}

static bool
fill_one (unsigned char *at,
          char           kind,
          int            bits,
          uint64_t       random)
{
  if (kind == 'f' && bits == 32)
    {
      float v = (float) ((double) (random >> 40) / 8388608.0 - 1.0);

      memcpy (at, &v, sizeof v);
    }
  else if (kind == 'f' && bits == 64)
    {
      double v = (double) (random >> 11) / 4503599627370496.0 - 1.0;

      memcpy (at, &v, sizeof v);
    }
  else if ((kind == 'f' || kind == 'b') && bits == 16)
    {
      uint16_t v = kind == 'f' ? small_float (random, 10, 15) : small_float (random, 7, 127);

      memcpy (at, &v, sizeof v);
    }
  else if (kind == 'i' || kind == 'u' || kind == 'o')
    {
      int64_t v = kind == 'i' ? (int64_t) (random >> 60) - 8 : kind == 'u' ? (int64_t) (random >> 60) : (int64_t) (random >> 63);

      for (int k = 0; k < bits / 8; k++)        /* little endian, as every device here is */
        at[k] = (unsigned char) ((uint64_t) v >> (8 * k));
    }
  else
    return false;
  return true;
}

bool
bundle_fill (void    *data,
             char     kind,
             int      bits,
             uint64_t n,
             uint64_t seed)
{
  unsigned char *at = data;

  for (uint64_t i = 0; i < n; i++)
    if (!fill_one (at + i * (uint64_t) (bits / 8), kind, bits, bundle_bits (seed, i)))
      return false;
  return true;
}

uint64_t
bundle_sum (uint64_t    sum,
            const void *data,
            size_t      bytes)
{
  const unsigned char *at = data;

  for (size_t i = 0; i < bytes; i++)
    sum = (sum ^ at[i]) * UINT64_C (1099511628211);
  return sum;
}
