/* occupancy: see the header.  The limits of a multiprocessor by compute capability are those of NVIDIA's CUDA C++ Programming Guide, table of
 * technical specifications; registers are given out to a warp in units of 256, to four warps at a time. */
#include "engine/simt/occupancy.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *arch;
  guint       warps, blocks;
  gint64      shared;           /* bytes of a multiprocessor */
  gint64      reserved, unit;   /* bytes that each block costs besides; what shared memory is rounded up to */
} Multiprocessor;

static const Multiprocessor KNOWN[] = {
  { "sm_60", 64, 32, 64 << 10, 0, 256 }, { "sm_61", 64, 32, 96 << 10, 0, 256 }, { "sm_70", 64, 32, 96 << 10, 0, 256 },
  { "sm_75", 32, 16, 64 << 10, 0, 256 }, { "sm_80", 64, 32, 164 << 10, 1024, 128 }, { "sm_86", 48, 16, 100 << 10, 1024, 128 },
  { "sm_87", 48, 16, 164 << 10, 1024, 128 }, { "sm_89", 48, 24, 100 << 10, 1024, 128 }, { "sm_90", 64, 32, 228 << 10, 1024, 128 },
};

#define REGISTERS 65536
#define REGISTER_UNIT 256
#define WARPS_AT_A_TIME 4

static gint64
round_up (gint64 value,
          gint64 unit)
{
  return (value + unit - 1) / unit * unit;
}

gboolean
ls_occupancy (const char  *arch,
              gint64       threads,
              gint64       shared_bytes,
              guint        registers,
              LsOccupancy *out)
{
  gint64 warps = round_up (threads, 32) / 32, shared;
  const Multiprocessor *m = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (KNOWN); i++)
    if (strcmp (KNOWN[i].arch, arch) == 0)
      m = &KNOWN[i];
  if (m == NULL || threads <= 0 || threads > 1024)
    return FALSE;
  *out = (LsOccupancy) { .most_warps = m->warps };
  shared = shared_bytes + m->reserved > 0 ? round_up (shared_bytes + m->reserved, m->unit) : 0;
  out->blocks[LS_OCCUPANCY_THREADS] = (guint) (m->warps / warps);
  out->blocks[LS_OCCUPANCY_BLOCKS] = m->blocks;
  out->blocks[LS_OCCUPANCY_SHARED] = shared > 0 ? (guint) (m->shared / shared) : G_MAXUINT;
  out->blocks[LS_OCCUPANCY_REGISTERS] = G_MAXUINT;
  if (registers > 0)
    out->blocks[LS_OCCUPANCY_REGISTERS] = (guint) (REGISTERS / round_up ((gint64) registers * 32, REGISTER_UNIT) / WARPS_AT_A_TIME * WARPS_AT_A_TIME / warps);
  for (guint i = 0; i < LS_OCCUPANCY_N; i++)
    if (i == 0 || out->blocks[i] < out->resident)
      {
        out->resident = out->blocks[i];
        out->limit = (LsOccupancyLimit) i;
      }
  out->warps = out->resident * (guint) warps;
  return out->resident > 0;
}

guint
ls_occupancy_registers (const LsSimtKernel *kernel)
{
  return (guint) CLAMP (kernel->local_bytes / 4 + 24, 24, 255);
}

const char *
ls_occupancy_limit_name (LsOccupancyLimit limit)
{
  static const char *const NAMES[] = { "threads", "blocks", "shared", "registers" };

  return NAMES[limit];
}
