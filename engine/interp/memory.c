/* memory: elements of every type, and the memory that a program may touch. */
#include "engine/interp/interp-private.h"

#include <math.h>
#include <string.h>

LsScalar
ls_scalar_fit (LsDType  t,
               LsScalar v)
{
  if (ls_dtype_is_float (t))
    {
      if (t.bits == 32 && t.code == LS_TYPE_FLOAT)
        v.f = (double) (float) v.f;
      else if (t.bits == 16)
        v.f = t.code == LS_TYPE_BFLOAT ? ls_bfloat_to_float (ls_bfloat_from_double (v.f)) : ls_half_to_float (ls_half_from_double (v.f));
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
          v.f = t.code == LS_TYPE_BFLOAT ? ls_bfloat_to_float (h) : ls_half_to_float (h);
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
      guint16 h = t.code == LS_TYPE_BFLOAT ? ls_bfloat_from_double (v.f) : ls_half_from_double (v.f);
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
