/* atomic: atomic functions: T.call_extern ("float32", "atomicAdd", pointer, value) and its like; the value is what was there before.
 *
 * Two atomic accesses are in no order, and that is no race; one of them and an ordinary one are.  The lanes of a warp go one after the other, warps
 * and blocks as they are run: of sums of floats this is one of the results that a device may give. */
#include "engine/simt/simt-private.h"

#include <string.h>

static const struct { const char *name; LsKind kind; gboolean floats; } FUNCTIONS[] = {
  { "atomicAdd", LS_KIND_ADD, TRUE }, { "atomicSub", LS_KIND_SUB, FALSE }, { "atomicMax", LS_KIND_MAX, FALSE }, { "atomicMin", LS_KIND_MIN, FALSE },
  { "atomicExch", LS_KIND_VAR, TRUE },
};

static gboolean
is_taken (LsDType  t,
          gboolean floats)
{
  if (t.lanes != 1)
    return FALSE;
  return t.code == LS_TYPE_FLOAT ? floats && (t.bits == 32 || t.bits == 64) : (t.code == LS_TYPE_INT || t.code == LS_TYPE_UINT) && (t.bits == 32 || t.bits == 64);
}

gboolean
simt_atomic_call (Compiler   *self,
                  LsCode     *code,
                  const char *name,
                  guint       first,
                  Operand    *result)
{
  LsDType dtype = LS_VOID;
  LsVar *memory = NULL;
  guint at = 0;
  Operand pointer, value;
  Instr *in;

  while (at < G_N_ELEMENTS (FUNCTIONS) && strcmp (FUNCTIONS[at].name, name) != 0)
    at++;
  if (at == G_N_ELEMENTS (FUNCTIONS))
    return FALSE;
  if (code->n == first + 2)
    memory = simt_memory_of (code->args[first], &dtype);
  *result = simt_const (self, (LsScalar) { .i = 0 });
  if (memory == NULL || !is_taken (dtype, FUNCTIONS[at].floats) || ls_is_float_type (code->args[first + 1]->t) != ls_is_float_type (dtype)
      || code->args[first + 1]->t.lanes != 1)
    {
      simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "%s in line %u takes the address of a number of 32 or 64 bits%s and a value of its type.", name, self->line,
                   FUNCTIONS[at].floats ? "" : ", no float,");
      return TRUE;
    }
  pointer = simt_expr (self, code->args[first]);
  value = simt_expr (self, code->args[first + 1]);
  *result = simt_scratch (self, 1);
  in = simt_emit (self, OP_ATOMIC);
  in->site = 0;
  in->dst = *result;
  in->a = pointer;
  in->b = value;
  in->n = at;
  in->code = code;
  in->site = simt_site_of (self, code->origin, memory, dtype, TRUE);
  g_array_index (self->code->sites, LsSimtSite, in->site).is_atomic = TRUE;
  return TRUE;
}

static LsScalar
combine (LsKind   kind,
         LsDType  t,
         LsScalar old,
         LsScalar value)
{
  LsScalar result = value;
  gboolean is_float = ls_is_float_type (t);

  if (kind == LS_KIND_ADD && is_float)
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

void
simt_atomic (Simt        *self,
             Warp        *warp,
             const Instr *in)
{
  LsDType t = g_array_index (self->code->sites, LsSimtSite, in->site).buffer->dtype;
  LsScalar *pointers = simt_value (self, warp, in->a), *values = simt_value (self, warp, in->b), *d = simt_value (self, warp, in->dst);
  guint bytes = ls_dtype_bytes (t);
  gint64 offsets[LANES] = { 0 };
  guint32 done = 0;

  simt_use_unknown (self, warp, warp->mask);
  for (guint lane = 0; lane < LANES; lane++)
    {
      guint thread = warp->number * self->warp_size + lane;
      Region *region;
      LsScalar old;

      if ((warp->mask >> lane & 1) == 0)
        continue;
      region = simt_region (self, pointers[lane].i, &offsets[lane]);
      if (region == NULL || !simt_in_memory (region, offsets[lane], offsets[lane], bytes))
        {
          simt_find_bounds (self, warp, in, in->site, lane, offsets[lane] / bytes);
          continue;
        }
      old = ls_element_get (t, region->data + offsets[lane]);
      ls_element_set (t, region->data + offsets[lane], combine (FUNCTIONS[in->n].kind, t, old, values[lane]));
      d[lane] = old;
      simt_shadow_read (self, warp, region, offsets[lane], bytes, thread, in->site, offsets[lane] / bytes);
      simt_shadow_write (self, warp, region, offsets[lane], bytes, thread, in->site, offsets[lane] / bytes, TRUE);
      done |= (guint32) 1 << lane;
    }
  if (done == 0)
    return;
  simt_count_access (self, warp, in->site, done, offsets, bytes);
  self->kernel->atomics++;
  self->kernel->lane_ops += simt_popcount (done);
}
