/* atomic: T.call_extern ("float32", "atomicAdd", T.address_of (A[i]), value) and its like, T.atomic_add (pointer, value): memory that all threads
 * change without losing a change; the value is what was there before.  One after the other here. */
#include "engine/interp/interp-private.h"

#include <string.h>

static const struct { const char *name; LsKind kind; gboolean floats; } FUNCTIONS[] = {
  { "atomicAdd", LS_KIND_ADD, TRUE }, { "atomicSub", LS_KIND_SUB, FALSE }, { "atomicMax", LS_KIND_MAX, FALSE }, { "atomicMin", LS_KIND_MIN, FALSE },
  { "atomicExch", LS_KIND_VAR, TRUE },
};

gboolean
ls_atomic_find (const char *name,
                guint      *which)
{
  for (*which = 0; *which < G_N_ELEMENTS (FUNCTIONS); ++*which)
    if (strcmp (FUNCTIONS[*which].name, name) == 0)
      return TRUE;
  return FALSE;
}

gboolean
ls_atomic_takes (guint   which,
                 LsDType memory,
                 LsDType value)
{
  if (memory.lanes != 1 || value.lanes != 1 || (memory.bits != 32 && memory.bits != 64) || ls_is_float_type (memory) != ls_is_float_type (value))
    return FALSE;
  return memory.code == LS_TYPE_FLOAT ? FUNCTIONS[which].floats : memory.code == LS_TYPE_INT || memory.code == LS_TYPE_UINT;
}

const char *
ls_atomic_name (guint which)
{
  return FUNCTIONS[which].name;
}

gboolean
ls_atomic_takes_floats (guint which)
{
  return FUNCTIONS[which].floats;
}

LsScalar
ls_atomic_value (guint    which,
                 LsDType  t,
                 LsScalar old,
                 LsScalar value)
{
  LsKind kind = FUNCTIONS[which].kind;
  LsScalar result = value;

  if (kind == LS_KIND_ADD && ls_is_float_type (t))
    result.f = old.f + value.f;
  else if (kind == LS_KIND_ADD || kind == LS_KIND_SUB)
    result.i = (gint64) (kind == LS_KIND_ADD ? (guint64) old.i + (guint64) value.i : (guint64) old.i - (guint64) value.i);
  else if (kind != LS_KIND_VAR)
    {
      gboolean less = t.code == LS_TYPE_UINT ? (guint64) old.i < (guint64) value.i : old.i < value.i;

      result = less == (kind == LS_KIND_MIN) ? old : value;
    }
  return ls_scalar_fit (t, result);
}
