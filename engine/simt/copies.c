/* copies: asynchronous copies from global to shared memory.
 *
 * What is fetched lands in shared memory when its thread waits for the group, and not before: until then the place holds garbage and may not be
 * touched by anybody.  From there on it is a write of the waiting thread, so that others need a barrier behind the wait.  The source is read when the
 * copy begins. */
#include "engine/simt/simt-private.h"

#include <inttypes.h>
#include <string.h>

static Region *
place_of (Simt        *self,
          Warp        *warp,
          const Instr *in,
          const Place *place,
          guint        lane,
          guint        bytes,
          gint64      *offset)
{
  guint size = ls_dtype_bytes (place->dtype);
  gint64 base;
  Region *region = simt_region (self, simt_value (self, warp, place->pointer)[lane].i, &base);

  *offset = base + simt_value (self, warp, place->offset)[lane].i * size;
  if (region == NULL || !simt_in_memory (region, base, *offset, bytes))
    {
      simt_find_bounds (self, warp, in, place->site, lane, *offset / size);
      return NULL;
    }
  if (*offset % bytes != 0)
    simt_fail (self, LS_INTERP_ERROR_PROGRAM, "Line %u: an asynchronous copy of %u bytes is at byte %" PRId64 " of %s; it has to be at a multiple of its size.", in->line,
               bytes, *offset, g_array_index (self->code->sites, LsSimtSite, place->site).buffer->name);
  return region;
}

void
simt_copy_async (Simt        *self,
                 Warp        *warp,
                 const Instr *in)
{
  const MatrixPlan *plan = in->matrix;
  LsScalar *predicate = plan->predicate != OPERAND_NONE ? simt_value (self, warp, plan->predicate) : NULL;
  guint bytes = plan->matrices;
  gint64 to_offsets[LS_SIMT_LANES] = { 0 }, from_offsets[LS_SIMT_LANES] = { 0 };
  LsSimtMask to_mask = 0, from_mask = 0;

  for (guint lane = 0; lane < self->warp_size && !self->failed; lane++)
    {
      guint thread = warp->number * self->warp_size + lane, size = ls_dtype_bytes (plan->memory.dtype);
      Copy copy = { .lane = (guint8) lane, .bytes = (guint8) bytes, .site = (guint16) plan->memory.site, .group = warp->groups[lane] };
      Region *to, *from;

      if ((warp->mask >> lane & 1) == 0)
        continue;
      to = place_of (self, warp, in, &plan->memory, lane, bytes, &to_offsets[lane]);
      if (predicate == NULL || predicate[lane].i != 0)
        {
          from = place_of (self, warp, in, &plan->from, lane, bytes, &from_offsets[lane]);
          if (from == NULL || self->failed)
            continue;
          memcpy (copy.data, from->data + from_offsets[lane], bytes);
          simt_shadow_read (self, warp, from, from_offsets[lane], bytes, thread, plan->from.site, from_offsets[lane] / ls_dtype_bytes (plan->from.dtype));
          from_mask |= LS_SIMT_LANE (lane);
        }
      if (to == NULL || self->failed)
        continue;
      copy.region = to->number;
      copy.offset = to_offsets[lane];
      simt_shadow_write (self, warp, to, copy.offset, bytes, thread, plan->memory.site, copy.offset / size, TRUE);
      simt_shadow_pending (to, copy.offset, bytes, 1);
      memset (to->data + copy.offset, 0x7f, bytes);     /* NaN, or a large number */
      to_mask |= LS_SIMT_LANE (lane);
      if (warp->copies == NULL)
        warp->copies = g_array_new (FALSE, FALSE, sizeof (Copy));
      g_array_append_val (warp->copies, copy);
    }
  if (to_mask == 0 || self->failed)
    return;
  if (from_mask != 0)
    simt_count_access (self, warp, plan->from.site, from_mask, from_offsets, bytes);
  simt_count_access (self, warp, plan->memory.site, to_mask, to_offsets, bytes);
  self->kernel->copies++;
  self->kernel->lane_ops += simt_popcount (to_mask);
}

void
simt_commit_group (const Simt *self,
                   Warp       *warp)
{
  for (guint lane = 0; lane < self->warp_size; lane++)
    if ((warp->mask >> lane & 1) != 0)
      warp->groups[lane]++;
}

static void
land (Simt       *self,
      Warp       *warp,
      const Copy *copy)
{
  Region *region = self->regions->pdata[copy->region];
  guint size = ls_dtype_bytes (g_array_index (self->code->sites, LsSimtSite, copy->site).buffer->dtype);

  memcpy (region->data + copy->offset, copy->data, copy->bytes);
  simt_shadow_pending (region, copy->offset, copy->bytes, -1);
  simt_shadow_write (self, warp, region, copy->offset, copy->bytes, warp->number * self->warp_size + copy->lane, copy->site, copy->offset / size, TRUE);
}

void
simt_wait_group (Simt  *self,
                 Warp  *warp,
                 guint  most)
{
  guint kept = 0;

  for (guint i = 0; warp->copies != NULL && i < warp->copies->len; i++)
    {
      Copy copy = g_array_index (warp->copies, Copy, i);

      if ((warp->mask >> copy.lane & 1) != 0 && copy.group < warp->groups[copy.lane] && warp->groups[copy.lane] - copy.group > most)
        land (self, warp, &copy);
      else
        g_array_index (warp->copies, Copy, kept++) = copy;
    }
  if (warp->copies != NULL)
    g_array_set_size (warp->copies, kept);
}
