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

gboolean
ls_atomic_call (LsMachine *m,
                LsCode    *code,
                LsScalar  *result)
{
  gboolean own = strcmp (((LsOp *) ((LsCall *) code->origin)->op)->name, "tir.atomic_add") == 0;
  guint first = own ? 0 : 1, which;
  LsCode *load;
  LsBufferPlan *plan;
  LsView *view;
  LsScalar value;
  gint64 element;
  guint8 *at;

  if (!own && (code->n == 0 || !ls_is (code->args[0]->origin, STRING_IMM)))
    return FALSE;
  if (!ls_atomic_find (own ? "atomicAdd" : ((LsStringImm *) code->args[0]->origin)->value, &which))
    return FALSE;
  if (code->n != first + 2 || code->args[first]->kind != LS_KIND_CALL || code->args[first]->call != LS_CALL_ADDRESS_OF ||
      !ls_atomic_takes (which, code->args[first]->args[0]->t, code->args[first + 1]->t))
    {
      ls_machine_fail (m, LS_INTERP_ERROR_UNSUPPORTED, ls_translate ("%s takes the address of a number of 32 or 64 bits and a value of its type."), FUNCTIONS[which].name);
      return TRUE;
    }
  load = code->args[first]->args[0];
  plan = (LsBufferPlan *) load->b;
  view = &m->views[load->slot];
  value = ls_machine_eval (m, code->args[first + 1], 0);
  if (m->failed || (plan->implicit && !ls_view_set_up (m, plan)) || !ls_view_element (m, load->args, load->n, 0, view, plan->buffer, &element))
    return TRUE;
  at = view->data + element * ls_dtype_bytes (view->dtype);
  *result = ls_element_get (view->dtype, at);
  value = ls_atomic_value (which, view->dtype, *result, value);
  if (G_UNLIKELY (plan->seen & LS_SEE_READ))
    ls_observe_access (m, LS_SEE_READ, load->origin, plan, element, *result);
  if (G_UNLIKELY (plan->seen & LS_SEE_WRITE) && !m->failed)
    ls_observe_access (m, LS_SEE_WRITE, load->origin, plan, element, value);
  if (!m->failed)
    ls_element_set (view->dtype, at, value);
  return TRUE;
}
