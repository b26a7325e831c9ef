/* access: loads and stores of a warp. */
#include "engine/simt/simt-private.h"

#include <string.h>

#define MOST_VECTOR 64

/* ---- which element ------------------------------------------------------------------------ */

typedef struct {
  LsBuffer *buffer;
  guint     outer;              /* accesses of one lane */
  guint     inner;              /* numbers in one element */
  guint     bytes;              /* of an element */
  LsSimtMask mask;              /* lanes that are in bounds and not switched off, all of their accesses */
  Region   *regions[LS_SIMT_LANES];     /* what the pointer of a lane in the mask is in, and where it points there */
  gint64    bases[LS_SIMT_LANES];
  gint64    elements[MOST_VECTOR * LS_SIMT_LANES];
} Where;

void
simt_find_bounds (Simt         *self,
                  Warp         *warp,
                  const Instr  *in,
                  guint         site,
                  guint         lane,
                  gint64        element)
{
  LsSimtFinding *finding = simt_finding (self, LS_SIMT_BOUNDS, site, G_MAXUINT, warp->number * self->warp_size + lane);

  if (finding == NULL)
    return;
  finding->element = element;
  finding->is_store = g_array_index (self->code->sites, LsSimtSite, site).is_store;
  finding->line = in->line;
}

/* Where a warp has an index of an access, the extent and the stride (NULL: compact). */
typedef struct {
  const LsScalar *index, *shape, *stride;
  guint           step;         /* from one access of a lane to the next; 0: the same for all */
} Axis;

typedef struct {
  guint     n;
  gboolean  flat;
  const LsScalar *start;
  const Axis *axes;
} Layout;

/* axes: room for those of the instruction. */
static Layout
layout_of (Simt        *self,
           Warp        *warp,
           const Instr *in,
           Axis        *axes)
{
  guint n = in->n;

  for (guint i = 0; i < n; i++)
    axes[i] = (Axis) {
      .index = simt_value (self, warp, in->args[i]),
      .shape = simt_value (self, warp, in->args[2 * n + i]),
      .stride = in->args[3 * n + i] != OPERAND_NONE ? simt_value (self, warp, in->args[3 * n + i]) : NULL,
      .step = in->args[n + i] > 1 ? self->warp_size : 0,
    };
  return (Layout) {
    .n = n,
    .flat = n == 1 && in->op != OP_ADDRESS && g_array_index (self->code->sites, LsSimtSite, in->site).space != LS_SIMT_GLOBAL,
    .start = simt_value (self, warp, in->args[4 * n]),
    .axes = axes,
  };
}

/* The element of a lane; FALSE: an index is outside of its dimension (which *element gets).  A flat buffer of a kernel's own memory is as large as that
 * memory: InjectVirtualThread makes the allocation larger and leaves what the buffer says, as TVM's does. */
static inline gboolean
find_element (const Layout *layout,
              guint         o,
              guint         lane,
              gint64       *element)
{
  gint64 at = layout->start[lane].i, step = 1;

  for (guint i = layout->n; i-- > 0;)
    {
      gint64 index = layout->axes[i].index[o * layout->axes[i].step + lane].i;
      gint64 shape = layout->axes[i].shape[lane].i;

      if (!layout->flat && (index < 0 || index >= shape))
        {
          *element = index;
          return FALSE;
        }
      at += index * (layout->axes[i].stride != NULL ? layout->axes[i].stride[lane].i : step);
      step *= shape;
    }
  *element = at;
  return TRUE;
}

gboolean
simt_in_memory (Region *region,
                gint64  base,
                gint64  offset,
                guint   bytes)
{
  gint64 low = region->stride > 0 ? base / region->stride * region->stride : 0;
  gint64 high = region->stride > 0 ? low + region->bytes : region->bytes;

  return offset >= low && offset + bytes <= high;
}

static gboolean
resolve (Simt        *self,
         Warp        *warp,
         const Instr *in,
         LsDType      value_type,
         Where       *where)
{
  LsScalar *pointers = simt_value (self, warp, in->a);
  LsScalar *predicate = in->b != OPERAND_NONE ? simt_value (self, warp, in->b) : NULL;
  Layout layout = layout_of (self, warp, in, g_newa (Axis, in->n + 1));

  where->buffer = in->plan->buffer;
  where->inner = MAX (where->buffer->dtype.lanes, 1);
  where->outer = MAX (value_type.lanes / where->inner, 1);
  where->bytes = ls_dtype_bytes (where->buffer->dtype);
  where->mask = warp->mask;
  if (where->outer > MOST_VECTOR)
    {
      simt_fail (self, LS_INTERP_ERROR_UNSUPPORTED, "A vector of %u numbers is more than the simulator accesses at once.", where->outer);
      return FALSE;
    }
  for (guint lane = 0; lane < self->warp_size; lane++)
    {
      Region *region;
      gint64 base;

      if ((warp->mask >> lane & 1) == 0)
        continue;
      if (predicate != NULL && predicate[lane].i == 0)
        {
          where->mask &= ~LS_SIMT_LANE (lane);
          continue;
        }
      where->regions[lane] = region = simt_region (self, pointers[lane].i, &base);
      where->bases[lane] = base;
      for (guint o = 0; o < where->outer; o++)
        {
          gint64 element = 0;
          gboolean good = find_element (&layout, o, lane, &element);

          if (!good || region == NULL || !simt_in_memory (region, base, base + element * where->bytes, where->bytes))
            {
              simt_find_bounds (self, warp, in, in->site, lane, element);
              where->mask &= ~LS_SIMT_LANE (lane);
              break;
            }
          where->elements[o * self->warp_size + lane] = element;
        }
    }
  return TRUE;
}

/* ---- what it costs --------------------------------------------------------------------------- */

void
simt_count_access (Simt         *self,
                   Warp         *warp,
                   guint         number,
                   LsSimtMask    mask,
                   const gint64 *offsets,
                   guint         bytes)
{
  LsSimtSite *site = &g_array_index (self->code->sites, LsSimtSite, number);
  guint lanes = simt_popcount (mask);

  if (self->options != NULL && self->options->uncounted)
    return;
  site->requests++;
  site->lanes += lanes;
  site->bytes += (guint64) lanes * bytes;
  site->lane_bytes = bytes;
  if (site->space == LS_SIMT_GLOBAL)
    {
      guint sectors = ls_simt_count_units (offsets, mask, bytes, 32);

      site->sectors += sectors;
      site->lines += ls_simt_count_units (offsets, mask, bytes, 128);
      site->sectors_needed += (ls_simt_count_units (offsets, mask, bytes, bytes) * bytes + 31) / 32;
      site->most_sectors = MAX (site->most_sectors, sectors);
    }
  else if (site->space == LS_SIMT_SHARED)
    {
      guint needed, ways;

      site->passes += ls_simt_count_passes (offsets, mask, bytes, &needed, &ways);
      site->passes_needed += needed;
      site->most_ways = MAX (site->most_ways, ways);
    }
  if (self->options != NULL && self->options->on_access != NULL)
    {
      LsSimtAccess access = { self->kernel_number, number, site, self->block_number, warp->number, self->warp_size, mask, warp->live, bytes, offsets, self->block_epoch };

      self->options->on_access (&access, self->options->user_data);
    }
}

static void
count (Simt        *self,
       Warp        *warp,
       const Instr *in,
       const Where *where)
{
  gint64 offsets[LS_SIMT_LANES] = { 0 };
  gboolean whole = TRUE;

  if (where->mask == 0 || self->kernel == NULL || (self->options != NULL && self->options->uncounted))
    return;
  for (guint o = 1; o < where->outer && whole; o++)
    for (guint lane = 0; lane < self->warp_size && whole; lane++)
      whole = (where->mask >> lane & 1) == 0 || where->elements[o * self->warp_size + lane] == where->elements[lane] + o;
  for (guint o = 0; o < (whole ? 1 : where->outer); o++)
    {
      for (guint lane = 0; lane < self->warp_size; lane++)
        if ((where->mask >> lane & 1) != 0)
          {
            offsets[lane] = where->bases[lane];
            if (where->regions[lane]->stride > 0)
              offsets[lane] %= where->regions[lane]->stride;
            offsets[lane] += where->elements[o * self->warp_size + lane] * where->bytes;
          }
      simt_count_access (self, warp, in->site, where->mask, offsets, where->bytes * (whole ? where->outer : 1));
    }
  if (in->op == OP_STORE)
    self->kernel->stores += whole ? 1 : where->outer;
  else
    self->kernel->loads += whole ? 1 : where->outer;
  self->kernel->lane_ops += (guint64) simt_popcount (where->mask) * (whole ? 1 : where->outer);
}

/* ---- loads and stores --------------------------------------------------------------------------- */

static inline LsScalar
get (LsDType       t,
     const guint8 *at)
{
  if (t.code == LS_TYPE_FLOAT && t.bits == 32)
    {
      float f;

      memcpy (&f, at, sizeof f);
      return (LsScalar) { .f = f };
    }
  return ls_element_get (t, at);
}

void
simt_load (Simt        *self,
           Warp        *warp,
           const Instr *in)
{
  LsScalar *d = simt_value (self, warp, in->dst);
  LsDType element_type = ls_dtype_element (in->plan->buffer->dtype);
  guint step = (element_type.bits + 7u) / 8u;
  Where where;

  if (!resolve (self, warp, in, in->code->t, &where))
    return;
  if (where.mask != simt_all_lanes (self))
    memset (d, 0, sizeof (LsScalar) * self->warp_size * in->lanes);
  for (guint o = 0; o < where.outer; o++)
    for (guint lane = 0; lane < self->warp_size; lane++)
      {
        Region *region = where.regions[lane];
        gint64 offset;

        if ((where.mask >> lane & 1) == 0)
          continue;
        offset = where.bases[lane] + where.elements[o * self->warp_size + lane] * where.bytes;
        for (guint k = 0; k < where.inner; k++)
          d[(o * where.inner + k) * self->warp_size + lane] = get (element_type, region->data + offset + k * step);
        simt_shadow_read (self, warp, region, offset, where.bytes, warp->number * self->warp_size + lane, in->site, where.elements[o * self->warp_size + lane]);
      }
  count (self, warp, in, &where);
}

void
simt_store (Simt        *self,
            Warp        *warp,
            const Instr *in)
{
  LsScalar *values = simt_value (self, warp, in->c);
  LsDType element_type = ls_dtype_element (in->plan->buffer->dtype);
  LsDType value_type = element_type;
  guint step = (element_type.bits + 7u) / 8u;
  Where where;

  value_type.lanes = (guint16) in->lanes;
  if (!resolve (self, warp, in, value_type, &where))
    return;
  if (g_array_index (self->code->sites, LsSimtSite, in->site).space != LS_SIMT_LOCAL)
    simt_use_unknown (self, warp, where.mask);
  for (guint o = 0; o < where.outer; o++)
    for (guint lane = 0; lane < self->warp_size; lane++)
      {
        Region *region = where.regions[lane];
        gint64 offset;
        gboolean changes = FALSE;

        if ((where.mask >> lane & 1) == 0)
          continue;
        offset = where.bases[lane] + where.elements[o * self->warp_size + lane] * where.bytes;
        for (guint k = 0; k < where.inner; k++)
          {
            guint8 bytes[8];

            ls_element_set (element_type, bytes, values[(o * where.inner + k) * self->warp_size + lane]);
            changes = changes || memcmp (bytes, region->data + offset + k * step, step) != 0;
            memcpy (region->data + offset + k * step, bytes, step);
          }
        simt_shadow_write (self, warp, region, offset, where.bytes, warp->number * self->warp_size + lane, in->site, where.elements[o * self->warp_size + lane], changes);
      }
  warp->unknown = warp->shuffled = 0;
  count (self, warp, in, &where);
}

void
simt_address (Simt        *self,
              Warp        *warp,
              const Instr *in)
{
  LsScalar *pointers = simt_value (self, warp, in->a), *d = simt_value (self, warp, in->dst);
  guint bytes = ls_dtype_bytes (in->plan->buffer->dtype);
  Layout layout = layout_of (self, warp, in, g_newa (Axis, in->n + 1));

  for (guint lane = 0; lane < self->warp_size; lane++)
    {
      gint64 element = 0;

      if ((warp->mask >> lane & 1) == 0)
        continue;
      find_element (&layout, 0, lane, &element);
      d[lane].i = pointers[lane].i + element * bytes;
    }
}
