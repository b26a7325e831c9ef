/* occupancy: see the header.  The limits of a multiprocessor by compute capability are those of NVIDIA's CUDA C++ Programming Guide, table of
 * technical specifications; registers are given out to a warp in units of 256, to four warps at a time.
 * Those of AMD's compute units are LLVM's (AMDGPUBaseInfo, namespace IsaInfo); registers of a kernel come from its object file. */
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

/* The least of the limits. */
static void
choose (LsOccupancy *out,
        gint64       warps)
{
  for (guint i = 0; i < LS_OCCUPANCY_N; i++)
    if (i == 0 || out->blocks[i] < out->resident)
      {
        out->resident = out->blocks[i];
        out->limit = (LsOccupancyLimit) i;
      }
  out->warps = out->resident * (guint) warps;
}

/* ---- NVIDIA ---- */

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
  choose (out, warps);
  return out->resident > 0;
}

/* ---- AMD ---- */

/* Architectures whose names begin alike; the first that fits counts.  Vector registers are those of a SIMD for one lane of a wavefront of 32 (of 64 where there
 * is no other); wavefronts of 64 lanes have half of them, in half the units. */
static const struct {
  const char *arch;
  guint       simds, waves;     /* of a compute unit; of a SIMD */
  guint       vector;           /* registers of a SIMD */
  guint       unit, counted;    /* given out in; counted in the descriptor */
  gboolean    scalar;           /* scalar registers are a limit: 800 of a SIMD, in units of 16 */
} AMD[] = {
  { "gfx90a", 4, 8, 512, 8, 8, TRUE }, { "gfx94", 4, 8, 512, 8, 8, TRUE }, { "gfx9", 4, 10, 256, 4, 4, TRUE },
  { "gfx101", 2, 20, 1024, 8, 8, FALSE }, { "gfx103", 2, 16, 1024, 16, 8, FALSE },
  { "gfx1100", 2, 16, 1536, 24, 8, FALSE }, { "gfx1101", 2, 16, 1536, 24, 8, FALSE }, { "gfx1151", 2, 16, 1536, 24, 8, FALSE }, { "gfx11", 2, 16, 1024, 16, 8, FALSE },
  { "gfx12", 2, 16, 1536, 24, 8, FALSE },
};

#define AMD_SHARED (64 << 10)
#define AMD_SHARED_UNIT 512
#define AMD_BARRIERS 16         /* blocks of several wavefronts that can wait at a time */
#define SCALAR 800
#define SCALAR_UNIT 16

gboolean
ls_occupancy_amd (const char           *arch,
                  gint64                threads,
                  gint64                shared_bytes,
                  const LsOccupancyAmd *kernel,
                  guint                *vector,
                  guint                *scalar,
                  LsOccupancy          *out)
{
  gint64 waves = round_up (threads, kernel->lanes) / kernel->lanes, shared = round_up (shared_bytes, AMD_SHARED_UNIT);
  guint at = 0, units = kernel->wide_groups ? 2 : 1, half, simds, by_vector, by_scalar = G_MAXUINT;

  while (at < G_N_ELEMENTS (AMD) && !g_str_has_prefix (arch, AMD[at].arch))
    at++;
  if (at == G_N_ELEMENTS (AMD) || threads <= 0 || threads > 1024)
    return FALSE;
  half = kernel->lanes == 64 && !AMD[at].scalar ? 2 : 1;
  simds = AMD[at].simds * units;
  *vector = kernel->vector_units * (AMD[at].counted / half);
  *vector = (guint) round_up (*vector, AMD[at].unit / half);
  *scalar = AMD[at].scalar ? kernel->scalar_units * SCALAR_UNIT : 0;
  by_vector = MIN (AMD[at].vector / half / *vector, AMD[at].waves);
  if (AMD[at].scalar)
    by_scalar = MIN (SCALAR / *scalar, AMD[at].waves);
  *out = (LsOccupancy) { .most_warps = simds * AMD[at].waves };
  out->blocks[LS_OCCUPANCY_THREADS] = (guint) (out->most_warps / waves);
  out->blocks[LS_OCCUPANCY_BLOCKS] = waves > 1 ? AMD_BARRIERS * units : G_MAXUINT;
  out->blocks[LS_OCCUPANCY_SHARED] = shared > 0 ? (guint) (AMD_SHARED * units / shared) : G_MAXUINT;
  out->blocks[LS_OCCUPANCY_REGISTERS] = (guint) (simds * MIN (by_vector, by_scalar) / waves);
  choose (out, waves);
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
