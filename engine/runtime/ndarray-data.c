/* Elements one by one, and arrays filled with a constant or with seeded random numbers.
 *
 * The generator is a counter (SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
 * generators", OOPSLA 2014): element i depends on the seed and on i only, so a
 * worker and its caller, or two threads, make the same data without talking.
 */
#include "engine/base/float8.h"
#include "engine/runtime/runtime.h"

#include <math.h>
#include <string.h>

gint64
ls_tensor_n_scalars (const LsDLTensor *tensor)
{
  return ls_tensor_n_elements (tensor) * tensor->dtype.lanes;
}

static guint8 *
scalar_at (const LsDLTensor *tensor,
           gint64            index)
{
  gsize lanes = tensor->dtype.lanes;
  gsize size = ls_dl_dtype_size (tensor->dtype) / lanes;

  return ls_tensor_element (tensor, index / (gint64) lanes) + (gsize) (index % (gint64) lanes) * size;
}

#define LOAD(type) ({ type v_; memcpy (&v_, p, sizeof v_); v_; })
#define STORE(type, value) do { type v_ = (type) (value); memcpy (p, &v_, sizeof v_); } while (0)

static double
load_float (const guint8 *p,
            LsDLDataType  dtype)
{
  if (dtype.code == LS_DL_BFLOAT)
    return (double) ls_bfloat_to_float (LOAD (guint16));
  if (dtype.bits == 8)
    return dtype.code == LS_DL_E5M2 ? ls_e5m2_to_double (*p) : ls_e4m3_to_double (*p);
  switch (dtype.bits)
    {
    case 16:
      return (double) ls_half_to_float (LOAD (guint16));
    case 32:
      return (double) LOAD (float);
    default:
      return LOAD (double);
    }
}

static void
store_float (guint8       *p,
             LsDLDataType  dtype,
             double        value)
{
  if (dtype.code == LS_DL_BFLOAT)
    STORE (guint16, ls_bfloat_from_double (value));
  else if (dtype.bits == 8)
    *p = dtype.code == LS_DL_E5M2 ? ls_e5m2_from_double (value) : ls_e4m3_from_double (value);
  else if (dtype.bits == 16)
    STORE (guint16, ls_half_from_double (value));
  else if (dtype.bits == 32)
    STORE (float, value);
  else
    STORE (double, value);
}

static gint64
load_int (const guint8 *p,
          LsDLDataType  dtype)
{
  gboolean is_signed = dtype.code == LS_DL_INT;

  if (dtype.code == LS_DL_BOOL)
    return *p != 0;
  switch (dtype.bits)
    {
    case 8:
      return is_signed ? LOAD (gint8) : LOAD (guint8);
    case 16:
      return is_signed ? LOAD (gint16) : LOAD (guint16);
    case 32:
      return is_signed ? (gint64) LOAD (gint32) : (gint64) LOAD (guint32);
    default:
      return LOAD (gint64);
    }
}

static void
store_int (guint8       *p,
           LsDLDataType  dtype,
           gint64        value)
{
  if (dtype.code == LS_DL_BOOL)
    STORE (guint8, value != 0);
  else if (dtype.bits == 8)
    STORE (guint8, (guint64) value);
  else if (dtype.bits == 16)
    STORE (guint16, (guint64) value);
  else if (dtype.bits == 32)
    STORE (guint32, (guint64) value);
  else
    STORE (gint64, value);
}

static gint64
clamp_to_int64 (double value)
{
  if (isnan (value))
    return 0;
  if (value >= 0x1p63)
    return G_MAXINT64;
  if (value <= -0x1p63)
    return G_MININT64;
  return (gint64) value;
}

double
ls_tensor_get_double (const LsDLTensor *tensor,
                      gint64            index)
{
  const guint8 *p = scalar_at (tensor, index);

  if (ls_dl_dtype_is_float (tensor->dtype))
    return load_float (p, tensor->dtype);
  if (tensor->dtype.code == LS_DL_UINT && tensor->dtype.bits == 64)
    return (double) LOAD (guint64);
  return (double) load_int (p, tensor->dtype);
}

gint64
ls_tensor_get_int (const LsDLTensor *tensor,
                   gint64            index)
{
  const guint8 *p = scalar_at (tensor, index);

  if (ls_dl_dtype_is_float (tensor->dtype))
    return clamp_to_int64 (load_float (p, tensor->dtype));
  return load_int (p, tensor->dtype);
}

void
ls_tensor_set_double (const LsDLTensor *tensor,
                      gint64            index,
                      double            value)
{
  guint8 *p = scalar_at (tensor, index);

  if (ls_dl_dtype_is_float (tensor->dtype))
    store_float (p, tensor->dtype, value);
  else if (tensor->dtype.code == LS_DL_BOOL)
    STORE (guint8, value != 0.0);
  else if (tensor->dtype.code == LS_DL_UINT && tensor->dtype.bits == 64 && value >= 0x1p63)
    STORE (guint64, value >= 0x1p64 ? G_MAXUINT64 : (guint64) value);
  else
    store_int (p, tensor->dtype, clamp_to_int64 (value));
}

void
ls_tensor_set_int (const LsDLTensor *tensor,
                   gint64            index,
                   gint64            value)
{
  guint8 *p = scalar_at (tensor, index);

  if (ls_dl_dtype_is_float (tensor->dtype))
    store_float (p, tensor->dtype, (double) value);
  else
    store_int (p, tensor->dtype, value);
}

void
ls_tensor_fill (const LsDLTensor *tensor,
                double            value)
{
  gint64 n = ls_tensor_n_scalars (tensor);

  for (gint64 i = 0; i < n; i++)
    ls_tensor_set_double (tensor, i, value);
}

guint64
ls_random_bits (guint64 seed,
                guint64 index)
{
  guint64 z = seed + (index + 1) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT (0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT (0x94D049BB133111EB);
  return z ^ (z >> 31);
}

double
ls_random_double (guint64 seed,
                  guint64 index)
{
  return (double) (ls_random_bits (seed, index) >> 11) * 0x1p-53;
}

void
ls_tensor_fill_random (const LsDLTensor *tensor,
                       guint64           seed)
{
  switch (tensor->dtype.code)
    {
    case LS_DL_BOOL:
      ls_tensor_fill_range (tensor, seed, 0, 1);
      break;
    case LS_DL_INT:
      ls_tensor_fill_range (tensor, seed, -8, 7);
      break;
    case LS_DL_UINT:
      ls_tensor_fill_range (tensor, seed, 0, 15);
      break;
    default:
      ls_tensor_fill_range (tensor, seed, -1, 1);
      break;
    }
}

/* Maps 64 random bits onto 0..range (both included) by the high half of a 128-bit product. */
static guint64
scale_bits (guint64 bits,
            guint64 range)
{
  __extension__ typedef unsigned __int128 Wide;

  if (range == G_MAXUINT64)
    return bits;
  return (guint64) (((Wide) bits * ((Wide) range + 1)) >> 64);
}

void
ls_tensor_fill_range (const LsDLTensor *tensor,
                      guint64           seed,
                      double            low,
                      double            high)
{
  gint64 n = ls_tensor_n_scalars (tensor);
  gint64 first = clamp_to_int64 (ceil (low));
  gint64 last = clamp_to_int64 (floor (high));
  guint64 range = last > first ? (guint64) last - (guint64) first : 0;

  for (gint64 i = 0; i < n; i++)
    if (ls_dl_dtype_is_float (tensor->dtype))
      ls_tensor_set_double (tensor, i, low + (high - low) * ls_random_double (seed, (guint64) i));
    else
      ls_tensor_set_int (tensor, i,
                         (gint64) ((guint64) first
                                   + scale_bits (ls_random_bits (seed, (guint64) i), range)));
}

void
ls_tensor_fill_rising (const LsDLTensor *tensor,
                       guint64           seed,
                       gint64            low,
                       gint64            high)
{
  gint64 n = ls_tensor_n_scalars (tensor);

  /* Each falls into a part of its own. */
  for (gint64 i = 0; i < n; i++)
    {
      double at = ((double) i + ls_random_double (seed, (guint64) i)) / (double) n;

      ls_tensor_set_int (tensor, i, i == 0 ? low : i == n - 1 ? high : low + (gint64) floor (at * ((double) high - (double) low)));
    }
}
