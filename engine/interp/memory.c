/* memory: elements of every type, and the memory that a program may touch. */
#include "engine/interp/interp-private.h"

#include <math.h>
#include <string.h>

static double
half_to_double (guint16 h)
{
  int exponent = (h >> 10) & 31;
  int mantissa = h & 1023;
  double v = exponent == 31 ? (mantissa ? NAN : INFINITY)
             : exponent == 0 ? ldexp (mantissa, -24)
             : ldexp (mantissa + 1024, exponent - 25);

  return h & 0x8000 ? -v : v;
}

/* `v` has been rounded to the type already. */
static guint16
double_to_half (double v)
{
  guint16 sign = signbit (v) ? 0x8000 : 0;
  double a = fabs (v);
  int exponent;

  if (isnan (v))
    return sign | 0x7e00;
  if (isinf (v) || a >= 65520.0)
    return sign | 0x7c00;
  if (a < ldexp (1.0, -14))
    return sign | (guint16) nearbyint (ldexp (a, 24));
  frexp (a, &exponent);
  return sign | (guint16) (((exponent + 14) << 10) + ((int) ldexp (a, 11 - exponent) - 1024));
}

static double
bfloat_to_double (guint16 b)
{
  guint32 bits = (guint32) b << 16;
  float f;

  memcpy (&f, &bits, sizeof f);
  return f;
}

static guint16
double_to_bfloat (double v)
{
  float f = (float) v;
  guint32 bits;

  memcpy (&bits, &f, sizeof bits);
  return (guint16) (bits >> 16);
}

/* To the nearest float16 (11 bits from 2^-14 up) or bfloat16 (8 bits from 2^-126 up), ties to even. */
static double
round_narrow (LsDType t,
              double  v)
{
  gboolean is_bfloat = t.code == LS_TYPE_BFLOAT;
  int digits = is_bfloat ? 8 : 11;
  double largest = is_bfloat ? ldexp (255, 120) : 65504;
  int scale;

  if (v == 0 || !isfinite (v))
    return v;
  scale = digits - 1 - MAX (ilogb (v), is_bfloat ? -126 : -14);
  v = ldexp (nearbyint (ldexp (v, scale)), -scale);
  return fabs (v) > largest ? copysign (INFINITY, v) : v;
}

LsScalar
ls_scalar_fit (LsDType  t,
               LsScalar v)
{
  if (ls_dtype_is_float (t))
    {
      if (t.bits == 32 && t.code == LS_TYPE_FLOAT)
        v.f = (double) (float) v.f;
      else if (t.bits == 16)
        v.f = round_narrow (t, v.f);
      return v;
    }
  if (t.code == LS_TYPE_HANDLE || t.bits >= 64)
    return v;
  if (ls_dtype_is_bool (t))
    v.i = v.i != 0;
  else if (t.code == LS_TYPE_UINT)
    v.i = (gint64) ((guint64) v.i & (((guint64) 1 << t.bits) - 1));
  else
    v.i = (gint64) ((guint64) v.i << (64 - t.bits)) >> (64 - t.bits);
  return v;
}

LsScalar
ls_element_get (LsDType       t,
                const guint8 *at)
{
  LsScalar v = { 0 };
  guint bytes = (t.bits + 7u) / 8u;

  if (ls_dtype_is_float (t))
    {
      if (t.bits == 64)
        memcpy (&v.f, at, 8);
      else if (t.bits == 32)
        {
          float f;
          memcpy (&f, at, 4);
          v.f = f;
        }
      else if (t.bits == 16)
        {
          guint16 h;
          memcpy (&h, at, 2);
          v.f = t.code == LS_TYPE_BFLOAT ? bfloat_to_double (h) : half_to_double (h);
        }
      return v;
    }
  memcpy (&v.i, at, bytes);
  return ls_scalar_fit (t, v);
}

void
ls_element_set (LsDType  t,
                guint8  *at,
                LsScalar v)
{
  guint bytes = (t.bits + 7u) / 8u;

  v = ls_scalar_fit (t, v);
  if (!ls_dtype_is_float (t))
    {
      memcpy (at, &v.i, bytes);
    }
  else if (t.bits == 64)
    {
      memcpy (at, &v.f, 8);
    }
  else if (t.bits == 32)
    {
      float f = (float) v.f;
      memcpy (at, &f, 4);
    }
  else if (t.bits == 16)
    {
      guint16 h = t.code == LS_TYPE_BFLOAT ? double_to_bfloat (v.f) : double_to_half (v.f);
      memcpy (at, &h, 2);
    }
}

double
ls_interp_load (LsDType     dtype,
                const void *element)
{
  LsScalar v = ls_element_get (dtype, element);

  return ls_dtype_is_float (dtype) ? v.f : (double) v.i;
}

void
ls_interp_store (LsDType dtype,
                 void   *element,
                 double  value)
{
  LsScalar v = { 0 };

  if (ls_dtype_is_float (dtype))
    v.f = value;
  else
    v.i = (gint64) value;
  ls_element_set (dtype, element, v);
}

void
ls_memory_know (LsMachine *m,
                void      *data,
                gsize      bytes)
{
  LsBlockOfMemory block = { data, bytes };

  g_array_append_val (m->memory, block);
}

guint8 *
ls_memory_new (LsMachine *m,
               LsDType    t,
               gint64     elements)
{
  gsize size = (t.bits + 7u) / 8u * (gsize) t.lanes;
  LsScalar garbage = { 0 };
  guint8 *data;

  if (elements < 0 || (guint64) elements > ((guint64) 1 << 31) / MAX (size, 1))
    {
      ls_machine_fail (m, LS_INTERP_ERROR_BOUNDS, "An allocation of %" G_GINT64_FORMAT " elements is more than the interpreter gives.", elements);
      return NULL;
    }
  data = g_malloc (MAX (size * (gsize) elements, 1));
  if (ls_dtype_is_float (t))
    garbage.f = NAN;
  else
    garbage.i = 0x5a5a5a5a5a5a5a5b;
  for (gint64 i = 0; i < elements * t.lanes; i++)
    ls_element_set (ls_dtype_element (t), data + (gsize) i * ((t.bits + 7u) / 8u), garbage);
  ls_memory_know (m, data, size * (gsize) elements);
  return data;
}

void
ls_memory_drop (LsMachine *m,
                guint8    *data)
{
  for (guint i = m->memory->len; i-- > 0;)
    if (g_array_index (m->memory, LsBlockOfMemory, i).data == data)
      {
        g_array_remove_index_fast (m->memory, i);
        break;
      }
  g_free (data);
}
