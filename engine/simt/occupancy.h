/* occupancy: how many blocks of a kernel a multiprocessor (AMD: a compute unit) holds at a time, and what stands in the way of more. */
#pragma once

#include "engine/simt/simt.h"

G_BEGIN_DECLS

typedef enum { LS_OCCUPANCY_THREADS, LS_OCCUPANCY_BLOCKS, LS_OCCUPANCY_SHARED, LS_OCCUPANCY_REGISTERS, LS_OCCUPANCY_N } LsOccupancyLimit;

typedef struct {
  guint            blocks[LS_OCCUPANCY_N];      /* that each limit alone would allow */
  guint            resident;                    /* the least of them */
  guint            warps, most_warps;           /* resident, and what the multiprocessor holds */
  LsOccupancyLimit limit;                       /* the one that is reached first */
} LsOccupancy;

/* For an NVIDIA architecture ("sm_80") and a block of so many threads, bytes of shared memory, and registers of a thread.  Threads, blocks and
 * shared memory are exact; registers are as good as the number that is given.  FALSE: the architecture is not known here, or a block needs more than
 * a multiprocessor has. */
gboolean    ls_occupancy       (const char       *arch,
                                gint64            threads,
                                gint64            shared_bytes,
                                guint             registers,
                                LsOccupancy      *out);
/* What a kernel for AMD takes, as its object file says (engine/codegen: ls_amd_kernel_read). */
typedef struct {
  guint    vector_units, scalar_units;          /* registers as the descriptor counts them */
  guint    lanes;                               /* of a wavefront */
  gboolean wide_groups;                         /* a block may lie on two compute units, which are taken as one here */
} LsOccupancyAmd;

/* The same for an AMD architecture ("gfx90a") and a kernel that was compiled for it: all four limits are exact.  Warps are wavefronts.
 * *vector, *scalar: registers of a thread and of a wavefront, as they are given out. */
gboolean    ls_occupancy_amd   (const char           *arch,
                                gint64                threads,
                                gint64                shared_bytes,
                                const LsOccupancyAmd *kernel,
                                guint                *vector,
                                guint                *scalar,
                                LsOccupancy          *out);
/* Registers that a thread of the kernel needs, an estimate: its local arrays in registers, and 24 for addresses, loops and what is being computed. */
guint       ls_occupancy_registers (const LsSimtKernel *kernel);
/* "threads", "blocks", "shared", "registers". */
const char *ls_occupancy_limit_name (LsOccupancyLimit limit);

G_END_DECLS
