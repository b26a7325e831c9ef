/* atomic: atomic functions: T.call_extern ("float32", "atomicAdd", pointer, value) and its like; the value is what was there before.
 *
 * Two atomic accesses are in no order, and that is no race; one of them and an ordinary one are.  The lanes of a warp go one after the other, warps
 * and blocks as they are run: of sums of floats this is one of the results that a device may give. */
#include "engine/simt/simt-private.h"

#include <string.h>

gboolean
simt_atomic_call (Compiler   *self,
                  LsCode     *code,
                  const char *name,
                  guint       first,
                  Operand    *result)
{
  LsDType dtype = LS_VOID;
  LsVar *memory = NULL;
  guint at;
  Operand pointer, value;
  Instr *in;

  if (!ls_atomic_find (name, &at))
    return FALSE;
  if (code->n == first + 2)
    memory = simt_memory_of (code->args[first], &dtype);
  *result = simt_const (self, (LsScalar) { .i = 0 });
  if (memory == NULL || !ls_atomic_takes (at, dtype, code->args[first + 1]->t))
    {
      simt_refuse (self, LS_INTERP_ERROR_UNSUPPORTED, "%s in line %u takes the address of a number of 32 or 64 bits%s and a value of its type.", name, self->line,
                   ls_atomic_takes_floats (at) ? "" : ", no float,");
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

void
simt_atomic (Simt        *self,
             Warp        *warp,
             const Instr *in)
{
  LsDType t = g_array_index (self->code->sites, LsSimtSite, in->site).buffer->dtype;
  LsScalar *pointers = simt_value (self, warp, in->a), *values = simt_value (self, warp, in->b), *d = simt_value (self, warp, in->dst);
  guint bytes = ls_dtype_bytes (t);
  gint64 offsets[LS_SIMT_LANES] = { 0 };
  LsSimtMask done = 0;

  simt_use_unknown (self, warp, warp->mask);
  for (guint lane = 0; lane < self->warp_size; lane++)
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
      ls_element_set (t, region->data + offsets[lane], ls_atomic_value (in->n, t, old, values[lane]));
      d[lane] = old;
      simt_shadow_atomic (self, warp, region, offsets[lane], bytes, thread, in->site, offsets[lane] / bytes);
      done |= LS_SIMT_LANE (lane);
    }
  if (done == 0)
    return;
  simt_count_access (self, warp, in->site, done, offsets, bytes);
  self->kernel->atomics++;
  self->kernel->lane_ops += simt_popcount (done);
}
