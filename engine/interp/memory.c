/* memory: elements of every type, and the memory that a program may touch. */
#include "engine/base/float8.h"
#include "engine/interp/interp-private.h"

#include <math.h>
#include <string.h>

static double
float8 (LsDType t,
        guint8  bits)
{
  return t.code == LS_TYPE_E5M2 ? ls_e5m2_to_double (bits) : ls_e4m3_to_double (bits);
}

static guint8
float8_bits (LsDType t,
             double  value)
{
  return t.code == LS_TYPE_E5M2 ? ls_e5m2_from_double (value) : ls_e4m3_from_double (value);
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
        v.f = t.code == LS_TYPE_BFLOAT ? ls_bfloat_to_float (ls_bfloat_from_double (v.f)) : ls_half_to_float (ls_half_from_double (v.f));
      else if (t.bits == 8)
        v.f = float8 (t, float8_bits (t, v.f));
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
      else if (t.bits == 8)
        v.f = float8 (t, *at);
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
  else if (t.bits == 8)
    {
      *at = float8_bits (t, v.f);
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

/* ---- what a program may touch ---------------------------------------------------- */

void
ls_memory_know (LsMachine *m,
                void      *data,
                gsize      bytes)
{
  LsBlockOfMemory block = { data, bytes, NULL, FALSE };

  for (guint i = 0; i < m->memory->len; i++)
    {
      LsBlockOfMemory *known = &g_array_index (m->memory, LsBlockOfMemory, i);

      if (known->data <= block.data && block.data + bytes <= known->data + known->bytes)
        return;
    }
  if (m->is_kept)
    {
      block.written = g_malloc0 (bytes / 8 + 1);
      g_ptr_array_add (m->marks, block.written);
    }
  g_array_append_val (m->memory, block);
}

/* A piece of memory for what is allocated now.  Where memory is kept, allocations of one size with as many others below them have
 * the same address each time, so that a state that comes back finds its pointers right. */
static LsBlockOfMemory
take (LsMachine *m,
      gsize      bytes)
{
  LsBlockOfMemory block = { NULL, bytes, NULL, TRUE };
  GArray *known;

  if (!m->is_kept)
    {
      block.data = g_malloc (MAX (bytes, 1));
      return block;
    }
  while (m->kept->len <= m->memory->len)
    g_ptr_array_add (m->kept, g_array_new (FALSE, FALSE, sizeof (LsBlockOfMemory)));
  known = m->kept->pdata[m->memory->len];
  for (guint i = 0; i < known->len; i++)
    if (g_array_index (known, LsBlockOfMemory, i).bytes == bytes)
      {
        block = g_array_index (known, LsBlockOfMemory, i);
        memset (block.written, 0, bytes / 8 + 1);
        return block;
      }
  block.data = g_malloc (MAX (bytes, 1));
  block.written = g_malloc0 (bytes / 8 + 1);
  g_array_append_val (known, block);
  return block;
}

guint8 *
ls_memory_new (LsMachine *m,
               LsDType    t,
               gint64     elements)
{
  gsize size = (t.bits + 7u) / 8u * (gsize) t.lanes;
  LsScalar garbage = { 0 };
  LsBlockOfMemory block;

  if (elements < 0 || (guint64) elements > ((guint64) 1 << 31) / MAX (size, 1))
    {
      ls_machine_fail (m, LS_INTERP_ERROR_BOUNDS, ls_translate ("An allocation of %lld elements is more than the interpreter gives."), (long long) elements);
      return NULL;
    }
  block = take (m, size * (gsize) elements);
  if (ls_dtype_is_float (t))
    garbage.f = NAN;
  else
    garbage.i = 0x5a5a5a5a5a5a5a5b;
  for (gint64 i = 0; i < elements * t.lanes; i++)
    ls_element_set (ls_dtype_element (t), block.data + (gsize) i * ((t.bits + 7u) / 8u), garbage);
  g_array_append_val (m->memory, block);
  return block.data;
}

guint8 *
ls_memory_copy (LsMachine    *m,
                const guint8 *data,
                gsize         bytes)
{
  LsBlockOfMemory block = take (m, bytes);

  if (bytes > 0)
    memcpy (block.data, data, bytes);
  if (block.written != NULL)
    memset (block.written, 0xff, bytes / 8 + 1);
  g_array_append_val (m->memory, block);
  return block.data;
}

void
ls_memory_cut (LsMachine *m,
               guint      mark)
{
  for (guint i = mark; !m->is_kept && i < m->memory->len; i++)
    if (g_array_index (m->memory, LsBlockOfMemory, i).is_made)
      g_free (g_array_index (m->memory, LsBlockOfMemory, i).data);
  g_array_set_size (m->memory, mark);
}
