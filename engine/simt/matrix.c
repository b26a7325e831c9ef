/* matrix: what tensor cores do, one instruction of a warp each.
 *
 * Sums are added up in the order of k, each rounded to the accumulator's type: what the description of the intrinsic computes.  A device may add in
 * another order and with more bits between.  Integers wrap, or stop at the ends of their type where the instruction says so. */
#include "engine/simt/simt-private.h"

#include <inttypes.h>
#include <string.h>

#define MOST_TILE 1024          /* elements: 32 x 32 */
#define LANES 32                /* all_lanes() sees to it */

static gboolean
all_lanes (Simt        *self,
           Warp        *warp,
           const Instr *in)
{
  LsSimtMask absent = simt_all_lanes (self) & ~warp->mask;
  LsSimtFinding *finding;

  if (absent == 0 && self->warp_size == LANES)
    return TRUE;
  if (self->warp_size != LANES)
    {
      simt_fail (self, LS_INTERP_ERROR_UNSUPPORTED, "Line %u: tensor cores work with warps of 32 threads; these have %u.", in->line, self->warp_size);
      return FALSE;
    }
  finding = simt_finding (self, LS_SIMT_PARTIAL, G_MAXUINT, G_MAXUINT, warp->number * self->warp_size + simt_first_lane (warp->mask));
  if (finding != NULL)
    {
      finding->line = finding->other_line = in->line;
      finding->has_other = (absent & warp->live) != 0;
      if (finding->has_other)
        simt_thread_of (self, warp->number * self->warp_size + simt_first_lane (absent & warp->live), &finding->other);
    }
  self->run->stopped = TRUE;
  self->stop = TRUE;
  return FALSE;
}

/* A number that is the same in all lanes. */
static gint64
uniform (Simt        *self,
         Warp        *warp,
         const Instr *in,
         Operand      operand,
         const char  *what)
{
  LsScalar *v = simt_value (self, warp, operand);

  for (guint lane = 1; lane < LANES; lane++)
    if (v[lane].i != v[0].i)
      {
        simt_fail (self, LS_INTERP_ERROR_PROGRAM, "Line %u: %s is %" PRId64 " in lane 0 of a warp and %" PRId64 " in lane %u: all lanes say the same.",
                   in->line, what, v[0].i, v[lane].i, lane);
        break;
      }
  return v[0].i;
}

/* ---- tiles -------------------------------------------------------------------------------------- */

/* Where an element of a tile is kept; NULL: outside of its memory, which is found. */
static guint8 *
element (Simt        *self,
         Warp        *warp,
         const Instr *in,
         const Tile  *tile,
         guint        row,
         guint        column,
         Region     **region,
         gint64      *offset,
         guint       *lane)
{
  guint bytes = ls_dtype_bytes (tile->dtype), number = 0;
  LsScalar *pointers = simt_value (self, warp, tile->pointer), *numbers = simt_value (self, warp, tile->number);
  gint64 base, at;

  ls_simt_tile_place (tile->role, tile->rows, tile->columns, tile->dtype.bits, row, column, lane, &number);
  *region = simt_region (self, pointers[*lane].i, &base);
  at = tile->is_fragment ? numbers[0].i * tile->rows * tile->columns + row * tile->columns + column : numbers[*lane].i + number;
  *offset = base + at * bytes;
  if (*region == NULL || !simt_in_memory (*region, base, *offset, bytes))
    {
      simt_find_bounds (self, warp, in, tile->site, *lane, at);
      return NULL;
    }
  return (*region)->data + *offset;
}

static void
count_tile (Simt       *self,
            const Tile *tile)
{
  LsSimtSite *site = &g_array_index (self->code->sites, LsSimtSite, tile->site);

  site->requests++;
  site->lanes += LANES;
  site->lane_bytes = tile->rows * tile->columns / LANES * ls_dtype_bytes (tile->dtype);
  site->bytes += (guint64) LANES * site->lane_bytes;
}

static void
read_tile (Simt        *self,
           Warp        *warp,
           const Instr *in,
           const Tile  *tile,
           LsScalar    *values)
{
  count_tile (self, tile);
  for (guint row = 0; row < tile->rows; row++)
    for (guint column = 0; column < tile->columns; column++)
      {
        Region *region;
        gint64 offset;
        guint lane = 0;
        guint8 *at = element (self, warp, in, tile, row, column, &region, &offset, &lane);

        values[row * tile->columns + column] = at != NULL ? ls_element_get (tile->dtype, at) : (LsScalar) { .i = 0 };
        if (at != NULL)
          simt_shadow_read (self, warp, region, offset, ls_dtype_bytes (tile->dtype), warp->number * self->warp_size + lane, tile->site, row * tile->columns + column);
      }
  if (warp->unknown != 0)
    simt_use_unknown (self, warp, warp->mask);
}

static void
write_tile (Simt           *self,
            Warp           *warp,
            const Instr    *in,
            const Tile     *tile,
            const LsScalar *values)
{
  warp->unknown = warp->shuffled = 0;
  count_tile (self, tile);
  for (guint row = 0; row < tile->rows; row++)
    for (guint column = 0; column < tile->columns; column++)
      {
        Region *region;
        gint64 offset;
        guint lane = 0;
        guint8 *at = element (self, warp, in, tile, row, column, &region, &offset, &lane);

        if (at == NULL)
          continue;
        ls_element_set (tile->dtype, at, values[row * tile->columns + column]);
        simt_shadow_write (self, warp, region, offset, ls_dtype_bytes (tile->dtype), warp->number * self->warp_size + lane, tile->site, 0, TRUE);
      }
}

/* ---- memory --------------------------------------------------------------------------------------- */

/* One element of memory, for a lane; NULL: outside of it, which is found. */
static guint8 *
memory_at (Simt        *self,
           Warp        *warp,
           const Instr *in,
           const Place *place,
           guint        lane,
           gint64       element,
           Region     **region,
           gint64      *offset)
{
  guint bytes = ls_dtype_bytes (place->dtype);
  gint64 base;

  *region = simt_region (self, simt_value (self, warp, place->pointer)[lane].i, &base);
  *offset = base + element * bytes;
  if (*region == NULL || !simt_in_memory (*region, base, *offset, bytes))
    {
      simt_find_bounds (self, warp, in, place->site, lane, *region != NULL ? *offset / (gint64) bytes : element);
      return NULL;
    }
  return (*region)->data + *offset;
}

static gint64
element_of_memory (const MatrixPlan *plan,
                   gint64            stride,
                   guint             row,
                   guint             column)
{
  return plan->by_column ? column * stride + row : row * stride + column;
}

/* The requests of a tile: each lane fetches side by side what of its part lies side by side, up to 16 bytes. */
static void
count_memory (Simt             *self,
              Warp             *warp,
              const MatrixPlan *plan,
              gint64            stride)
{
  const Tile *tile = &plan->d;
  guint n = tile->rows * tile->columns / LANES, bytes = ls_dtype_bytes (tile->dtype);
  gint64 at[MOST_TILE / LANES][LANES];
  LsSimtKernel *kernel = self->kernel;

  for (guint number = 0; number < n; number++)
    for (guint lane = 0; lane < LANES; lane++)
      {
        guint row = 0, column = 0;
        gint64 base;

        ls_simt_tile_element (tile->role, tile->rows, tile->columns, tile->dtype.bits, lane, number, &row, &column);
        simt_region (self, simt_value (self, warp, plan->memory.pointer)[lane].i, &base);
        at[number][lane] = base + element_of_memory (plan, stride, row, column) * bytes;
      }
  for (guint number = 0, more; number < n; number += more)
    {
      gboolean beside = TRUE;

      for (more = 1; beside && number + more < n && (more * 2) * bytes <= 16;)
        {
          for (guint k = more; k < more * 2 && beside; k++)
            for (guint lane = 0; lane < LANES && beside; lane++)
              beside = number + k < n && at[number + k][lane] == at[number][lane] + (gint64) (k * bytes);
          if (beside)
            more *= 2;
        }
      simt_count_access (self, warp, plan->memory.site, simt_all_lanes (self), at[number], bytes * more);
      *(g_array_index (self->code->sites, LsSimtSite, plan->memory.site).is_store ? &kernel->stores : &kernel->loads) += 1;
      kernel->lane_ops += LANES;
    }
}

/* wmma wants tiles at multiples of what a lane keeps of them (of float16 factors it keeps each element twice), rows at multiples of 16 bytes. */
static gboolean
is_aligned (Simt             *self,
            Warp             *warp,
            const Instr      *in,
            gint64            stride)
{
  const MatrixPlan *plan = in->matrix;
  const LsSimtSite *site = &g_array_index (self->code->sites, LsSimtSite, plan->memory.site);
  guint bytes = ls_dtype_bytes (plan->d.dtype);
  gboolean twice = plan->d.role != LS_SIMT_TILE_C && plan->d.dtype.code == LS_TYPE_FLOAT && bytes == 2;
  gint64 align = (gint64) plan->d.rows * plan->d.columns / LANES * bytes * (twice ? 2 : 1), base;

  simt_region (self, simt_value (self, warp, plan->memory.pointer)[0].i, &base);
  if (!plan->d.is_fragment || (base % align == 0 && stride * bytes % 16 == 0))
    return TRUE;
  if (base % align != 0)
    simt_fail (self, LS_INTERP_ERROR_PROGRAM, "Line %u: a tile begins at byte %" PRId64 " of %s; these fragments come from and go to multiples of %" PRId64 ".",
               in->line, base, site->buffer->name, align);
  else
    simt_fail (self, LS_INTERP_ERROR_PROGRAM, "Line %u: the rows of a tile in %s are %" PRId64 " bytes apart; those of fragments are a multiple of 16.", in->line,
               site->buffer->name, stride * bytes);
  return FALSE;
}

static void
load_matrix (Simt        *self,
             Warp        *warp,
             const Instr *in)
{
  const MatrixPlan *plan = in->matrix;
  const Tile *tile = &plan->d;
  gint64 stride = uniform (self, warp, in, plan->memory.stride, "the stride of a tile");
  LsScalar values[MOST_TILE];

  uniform (self, warp, in, tile->number, "the number of a fragment");
  uniform (self, warp, in, plan->memory.pointer, "the place of a tile");
  if (self->failed || !is_aligned (self, warp, in, stride))
    return;
  for (guint row = 0; row < tile->rows; row++)
    for (guint column = 0; column < tile->columns; column++)
      {
        Region *region;
        gint64 offset, at = element_of_memory (plan, stride, row, column);
        guint lane = 0, number;
        guint8 *from;

        ls_simt_tile_place (tile->role, tile->rows, tile->columns, tile->dtype.bits, row, column, &lane, &number);
        from = memory_at (self, warp, in, &plan->memory, lane, at, &region, &offset);
        values[row * tile->columns + column] = from != NULL ? ls_element_get (tile->dtype, from) : (LsScalar) { .i = 0 };
        if (from != NULL)
          simt_shadow_read (self, warp, region, offset, ls_dtype_bytes (tile->dtype), warp->number * self->warp_size + lane, plan->memory.site,
                            offset / ls_dtype_bytes (tile->dtype));
      }
  count_memory (self, warp, plan, stride);
  write_tile (self, warp, in, tile, values);
}

static void
store_matrix (Simt        *self,
              Warp        *warp,
              const Instr *in)
{
  const MatrixPlan *plan = in->matrix;
  const Tile *tile = &plan->d;
  gint64 stride = uniform (self, warp, in, plan->memory.stride, "the stride of a tile");
  guint bytes = ls_dtype_bytes (tile->dtype);
  LsScalar values[MOST_TILE];

  uniform (self, warp, in, plan->memory.pointer, "the place of a tile");
  if (tile->is_fragment)
    uniform (self, warp, in, tile->number, "the number of a fragment");
  if (self->failed || !is_aligned (self, warp, in, stride))
    return;
  read_tile (self, warp, in, tile, values);
  for (guint row = 0; row < tile->rows; row++)
    for (guint column = 0; column < tile->columns; column++)
      {
        Region *region;
        gint64 offset, at = element_of_memory (plan, stride, row, column);
        guint lane = 0, number;
        guint8 *to, made[8];

        ls_simt_tile_place (tile->role, tile->rows, tile->columns, tile->dtype.bits, row, column, &lane, &number);
        to = memory_at (self, warp, in, &plan->memory, lane, at, &region, &offset);
        if (to == NULL)
          continue;
        ls_element_set (tile->dtype, made, values[row * tile->columns + column]);
        simt_shadow_write (self, warp, region, offset, bytes, warp->number * self->warp_size + lane, plan->memory.site, offset / bytes, memcmp (made, to, bytes) != 0);
        memcpy (to, made, bytes);
      }
  count_memory (self, warp, plan, stride);
}

/* ---- registers ------------------------------------------------------------------------------------------ */

static void
count_registers (Simt       *self,
                 const Tile *tile,
                 guint       lanes,
                 guint       bytes)
{
  LsSimtSite *site = &g_array_index (self->code->sites, LsSimtSite, tile->site);

  site->requests++;
  site->lanes += lanes;
  site->lane_bytes = bytes;
  site->bytes += (guint64) lanes * bytes;
}

/* A register of a lane: `bytes` of them, `first` bytes behind the tile's place. */
static void
set_register (Simt         *self,
              Warp         *warp,
              const Instr  *in,
              const Tile   *tile,
              guint         lane,
              gint64        first,
              const guint8 *data,
              guint         bytes)
{
  guint size = ls_dtype_bytes (tile->dtype);
  gint64 base, offset;
  Region *region = simt_region (self, simt_value (self, warp, tile->pointer)[lane].i, &base);

  offset = base + simt_value (self, warp, tile->number)[lane].i * size + first;
  if (region == NULL || !simt_in_memory (region, base, offset, bytes))
    {
      simt_find_bounds (self, warp, in, tile->site, lane, region != NULL ? (offset - base) / size : 0);
      return;
    }
  memcpy (region->data + offset, data, bytes);
  simt_shadow_write (self, warp, region, offset, bytes, warp->number * self->warp_size + lane, tile->site, 0, TRUE);
}

/* What lies at a place of memory, for a lane that fetches it. */
static void
fetch (Simt        *self,
       Warp        *warp,
       const Instr *in,
       guint        lane,
       gint64       element,
       guint8      *out,
       guint        bytes)
{
  const Place *place = &in->matrix->memory;
  guint size = ls_dtype_bytes (place->dtype);

  for (guint k = 0; k < bytes; k += size)
    {
      Region *region;
      gint64 offset;
      guint8 *at = memory_at (self, warp, in, place, lane, element + k / size, &region, &offset);

      memset (out + k, 0, size);
      if (at == NULL)
        continue;
      memcpy (out + k, at, size);
      simt_shadow_read (self, warp, region, offset, size, warp->number * self->warp_size + lane, place->site, offset / size);
    }
}

/* Bytes one by one, transposed: T.ptx_ldmatrix has no instruction for them. */
static void
load_bytes_transposed (Simt        *self,
                       Warp        *warp,
                       const Instr *in)
{
  const MatrixPlan *plan = in->matrix;

  for (guint i = 0; i < 4 * plan->matrices; i++)
    {
      gint64 offsets[LANES];

      for (guint lane = 0; lane < LANES; lane++)
        {
          gint64 stride = simt_value (self, warp, plan->memory.stride)[lane].i, base;
          gint64 at = ((gint64) (i % 8 / 4) * 16 + lane % 4 * 4 + i % 4) * stride + lane / 4 + i / 8 * 8;
          guint8 byte;

          fetch (self, warp, in, lane, at, &byte, 1);
          set_register (self, warp, in, &plan->d, lane, i, &byte, 1);
          simt_region (self, simt_value (self, warp, plan->memory.pointer)[lane].i, &base);
          offsets[lane] = base + at;
        }
      simt_count_access (self, warp, plan->memory.site, simt_all_lanes (self), offsets, 1);
      self->kernel->loads++;
      self->kernel->lane_ops += LANES;
    }
  count_registers (self, &plan->d, LANES, 4 * plan->matrices);
}

/* Lane l says where row l % 8 of matrix l / 8 is, 16 bytes; lane l gets two neighbours of row l / 4 (transposed: of column l / 4) of each. */
static void
ldmatrix (Simt        *self,
          Warp        *warp,
          const Instr *in)
{
  const MatrixPlan *plan = in->matrix;
  guint lanes = 8 * plan->matrices, size = ls_dtype_bytes (plan->memory.dtype);
  LsScalar *offset = simt_value (self, warp, plan->memory.offset);
  gint64 offsets[LANES] = { 0 };
  guint8 rows[LANES][16];

  for (guint lane = 0; lane < lanes; lane++)
    {
      simt_region (self, simt_value (self, warp, plan->memory.pointer)[lane].i, &offsets[lane]);
      offsets[lane] += offset[lane].i * size;
      if (offsets[lane] % 16 != 0)
        {
          simt_fail (self, LS_INTERP_ERROR_PROGRAM, "Line %u: lane %u of a warp gives T.ptx_ldmatrix a row at byte %" PRId64 " of %s; rows begin at multiples of 16.",
                     in->line, lane, offsets[lane], g_array_index (self->code->sites, LsSimtSite, plan->memory.site).buffer->name);
          return;
        }
      fetch (self, warp, in, lane, offset[lane].i, rows[lane], 16);
    }
  for (guint m = 0; m < plan->matrices; m++)
    for (guint lane = 0; lane < LANES; lane++)
      {
        guint8 pair[4];

        for (guint k = 0; k < 2; k++)
          {
            guint row = plan->transposed ? lane % 4 * 2 + k : lane / 4, column = plan->transposed ? lane / 4 : lane % 4 * 2 + k;

            memcpy (pair + 2 * k, rows[8 * m + row] + 2 * column, 2);
          }
        set_register (self, warp, in, &plan->d, lane, 4 * (gint64) m, pair, sizeof pair);
      }
  count_registers (self, &plan->d, LANES, 4 * plan->matrices);
  simt_count_access (self, warp, plan->memory.site, LS_SIMT_LANE (lanes) - 1, offsets, 16);
  self->kernel->loads++;
  self->kernel->lane_ops += lanes;
}

static void
fill_registers (Simt        *self,
                Warp        *warp,
                const Instr *in)
{
  const guint8 zero[8] = { 0 };
  guint size = ls_dtype_bytes (in->matrix->d.dtype);

  count_registers (self, &in->matrix->d, simt_popcount (warp->mask), size * in->matrix->matrices);
  for (guint lane = 0; lane < self->warp_size; lane++)
    for (guint i = 0; (warp->mask >> lane & 1) != 0 && i < in->matrix->matrices; i++)
      set_register (self, warp, in, &in->matrix->d, lane, (gint64) i * size, zero, size);
}

/* ---- products ------------------------------------------------------------------------------------------------ */

static LsScalar
multiply_add (LsDType  sum_type,
              LsDType  factor_type,
              gboolean saturates,
              LsScalar sum,
              LsScalar a,
              LsScalar b)
{
  LsScalar result;

  if (sum_type.code == LS_TYPE_INT)
    {
      result.i = sum.i + a.i * b.i;
      if (saturates)
        result.i = CLAMP (result.i, G_MININT32, G_MAXINT32);
    }
  else if (!ls_is_float_type (factor_type))
    result.f = sum.f + (double) a.i * (double) b.i;
  else
    {
      LsScalar product = { .f = a.f * b.f };

      result.f = sum.f + ls_scalar_fit (sum_type, product).f;
    }
  return ls_scalar_fit (sum_type, result);
}

static void
product (Simt        *self,
         Warp        *warp,
         const Instr *in)
{
  const MatrixPlan *plan = in->matrix;
  LsScalar a[MOST_TILE], b[MOST_TILE], c[MOST_TILE];
  const Tile *tiles[] = { &plan->a, &plan->b, &plan->c, &plan->d };

  for (guint i = 0; i < 4; i++)
    if (tiles[i]->is_fragment)
      uniform (self, warp, in, tiles[i]->number, "the number of a fragment");
  if (self->failed)
    return;
  read_tile (self, warp, in, &plan->a, a);
  read_tile (self, warp, in, &plan->b, b);
  read_tile (self, warp, in, &plan->c, c);
  for (guint i = 0; i < plan->m; i++)
    for (guint j = 0; j < plan->n; j++)
      {
        LsScalar sum = c[i * plan->n + j];

        for (guint k = 0; k < plan->k; k++)
          sum = multiply_add (plan->d.dtype, plan->a.dtype, plan->saturates, sum, a[i * plan->k + k], b[k * plan->n + j]);
        c[i * plan->n + j] = sum;
      }
  write_tile (self, warp, in, &plan->d, c);
  self->kernel->matrix_ops++;
  self->kernel->lane_ops += (guint64) plan->m * plan->n * plan->k;
}

static void
fill_fragment (Simt        *self,
               Warp        *warp,
               const Instr *in)
{
  const Tile *tile = &in->matrix->d;
  LsScalar values[MOST_TILE], value = simt_value (self, warp, in->matrix->value)[0];

  uniform (self, warp, in, tile->number, "the number of a fragment");
  uniform (self, warp, in, in->matrix->value, "the value that fills a fragment");
  for (guint i = 0; i < tile->rows * tile->columns; i++)
    values[i] = value;
  if (!self->failed)
    write_tile (self, warp, in, tile, values);
}

gboolean
simt_matrix (Simt        *self,
             Warp        *warp,
             const Instr *in)
{
  if (warp->mask == 0)
    return TRUE;
  if (in->op != OP_FILL_REGISTERS && !all_lanes (self, warp, in))
    return FALSE;
  switch ((int) in->op)
    {
    case OP_FILL_FRAGMENT: fill_fragment (self, warp, in); break;
    case OP_LOAD_MATRIX: load_matrix (self, warp, in); break;
    case OP_STORE_MATRIX: store_matrix (self, warp, in); break;
    case OP_MMA: product (self, warp, in); break;
    case OP_LDMATRIX:
      if (in->matrix->by_column)
        load_bytes_transposed (self, warp, in);
      else
        ldmatrix (self, warp, in);
      break;
    case OP_FILL_REGISTERS: fill_registers (self, warp, in); break;
    }
  return TRUE;
}
