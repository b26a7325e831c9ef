/* simt: runs kernels on threads that are not there: warps in lock step, blocks to their barriers, every access checked and counted.
 *
 * A function of lowered TensorIR (ls_lower_device) is run on real data, exactly as the interpreter computes (engine/ir/meaning.h).  What stands
 * outside of thread axes is the host's; each outermost nest of T.launch_thread is a kernel, run block by block.  The threads of a block are taken
 * in warps of 32, or of 64 for devices that have such; a warp runs one instruction for all its lanes under a mask, up to the next barrier.
 *
 * That order is only one of those a device may take, so what a program may rely on is kept in shadow memory: for each element the last writer and
 * the readers since, each with the number of barriers passed.  Two threads that touch the same element, one of them writing, are a race unless a
 * barrier that both pass (or, in one warp, a barrier of the warp) stands between; lock step is not trusted.  Two atomic
 * accesses are no race.
 *
 * Counted is what no particular chip decides: sectors of 32 and lines of 128 bytes that a warp's access touches, passes over the 32 banks of shared
 * memory, masks that split, bytes, barriers, instructions.  No times.
 *
 *   compile, expr   the program as one list of instructions of warps; emit: what both use
 *   exec            the instructions; launch: host, grid, blocks, barriers; machine: what all of a run use
 *   access          loads and stores of a warp; count: what they cost; shadow: races
 *   fragment        which lane of a warp keeps which element of a tile; matrix: tensor cores; copies: asynchronous copies
 *   finding         what was found, as sentences
 *   layout          where the elements of tiles and of shared memory are; holding: which thread, register and place they went to
 *   serial          kernels as loops over blocks and threads, for a CPU; serial-rewrite: a statement as one thread executes it;
 *                   serial-matrix: tensor cores
 *   occupancy       how many blocks a multiprocessor holds, and what limits them
 */
#pragma once

#include "engine/interp/interp.h"

G_BEGIN_DECLS

#define LS_SIMT_LANES 64        /* most lanes of a warp: a wavefront of AMD's; others have 32 */

/* Lanes of a warp, one bit for each. */
typedef guint64 LsSimtMask;
#define LS_SIMT_LANE(lane) ((LsSimtMask) 1 << (lane))

typedef enum { LS_SIMT_GLOBAL, LS_SIMT_SHARED, LS_SIMT_LOCAL, LS_SIMT_WARP, LS_SIMT_FRAGMENT } LsSimtSpace;

typedef enum {
  LS_SIMT_RACE,                 /* two threads, one writes, no barrier between them */
  LS_SIMT_SAME_VALUE,           /* the same, but what is written was there already: harmless on these data */
  LS_SIMT_BARRIER,              /* a barrier that not all threads of the block reach */
  LS_SIMT_UNWRITTEN,            /* shared, local or warp memory that nobody has written is read */
  LS_SIMT_BOUNDS,               /* an index outside of the buffer */
  LS_SIMT_SHUFFLE,              /* what a shuffle read from a lane that does not take part decides something or leaves the thread */
  LS_SIMT_PARTIAL,              /* an instruction of the whole warp (tensor cores) that not all its lanes reach */
  LS_SIMT_PENDING               /* memory is touched while an asynchronous copy into it is under way */
} LsSimtFindingKind;

/* A thread by its coordinates. */
typedef struct {
  gint64 block[3];              /* blockIdx.x, .y, .z */
  gint32 thread[3];             /* threadIdx.x, .y, .z */
} LsSimtThread;

/* A place of the program that accesses memory (one load or store), with what it cost over the whole run. */
typedef struct {
  LsNode     *node;             /* BufferLoad or BufferStore; borrowed from the lowered function */
  LsBuffer   *buffer;           /* borrowed */
  LsSimtSpace space;
  gboolean    is_store;
  gboolean    is_atomic;        /* reads, computes and writes as one */
  guint       line;             /* of the text that the spans point into; 0: unknown */
  char       *loops;            /* "k_0, k_1": serial loops around it within the kernel; "": none */
  guint       kernel;           /* number of the kernel */
  guint       lane_bytes;       /* of one thread's access */
  guint64     requests;         /* accesses of a warp */
  guint64     lanes;            /* threads that took part */
  guint64     bytes;
  guint64     sectors;          /* of 32 bytes (global memory) */
  guint64     lines;            /* of 128 bytes */
  guint64     sectors_needed;   /* if the same bytes lay side by side */
  guint64     passes;           /* over the banks (shared memory); without conflicts `passes_needed` */
  guint64     passes_needed;
  guint       most_sectors;     /* of one access */
  guint       most_ways;        /* different words of one bank in one pass; 1: no conflict */
} LsSimtSite;

typedef struct {
  LsSimtFindingKind kind;
  guint        site;            /* number of the access; G_MAXUINT: none */
  guint        other_site;      /* of the thread that came before; G_MAXUINT: none */
  LsSimtThread thread;
  LsSimtThread other;           /* race: the thread before; barrier: one that is not there */
  gboolean     has_other;
  gboolean     is_store, other_is_store;
  guint        line, other_line;
  gint64       element;         /* of the buffer's memory; shuffle: the lane that is asked; -1: none */
  guint64      times;           /* how often the same two places were found at odds */
  char        *text;            /* one sentence */
} LsSimtFinding;

typedef struct {
  char    *name;                /* "kernel 1" */
  guint    line;
  gint64   grid[3];
  gint64   block[3];
  gint64   shared_bytes;        /* of a block; shared.dyn as MergeSharedMemoryAllocations lays it out */
  gint64   local_bytes;         /* of a thread: local arrays */
  guint64  blocks, warps;       /* that were run */
  guint64  int_ops, float_ops, special_ops;     /* of warps */
  guint64  loads, stores, shuffles, barriers, warp_barriers;
  guint64  matrix_ops, copies, atomics; /* products of tensor cores; asynchronous copies; atomic functions */
  guint64  branches, divergent; /* tests that a warp makes, and those that split it */
  guint64  instructions;        /* all of these, of warps */
  guint64  lane_ops;            /* the same times the lanes that took part */
} LsSimtKernel;

/* An access of a warp, while it happens: what the Threads window shows. */
typedef struct {
  guint         kernel;
  guint         site;
  const LsSimtSite *what;       /* the same, with what it has cost so far; borrowed for the call */
  gint64        block;          /* linear */
  guint         warp;
  guint         lanes;          /* of a warp */
  LsSimtMask    mask;           /* lanes that take part */
  LsSimtMask    live;           /* lanes that have a thread */
  guint         bytes;          /* of one lane */
  const gint64 *offsets;        /* bytes from the start of the buffer's memory, `lanes` of them */
  guint         epoch;          /* barriers that the block has passed */
} LsSimtAccess;

typedef struct {
  LsBudget *budget;             /* one operation for an instruction of a warp, or NULL */
  guint     warp_size;          /* 32 or 64; 0: what the target of the function says */
  gint64    most_threads;       /* of a block; 0: 1024 */
  gint64    most_shared;        /* bytes of a block; 0: 49152 */
  gint64    most_static;        /* of these of the scope "shared", whose size a compiler fixes; 0: as many */
  const char *device;           /* whose limits these are, for sentences; NULL: "the simulator" */
  gboolean  unchecked;          /* no shadow memory: bounds and results only */
  gboolean  uncounted;          /* accesses cost nothing, and on_access is not called */
  guint     most_findings;      /* 0: 64 */
  void    (*on_access) (const LsSimtAccess *access, gpointer user_data);
  void    (*on_barrier) (guint kernel, gint64 block, guint line, guint epoch, gpointer user_data);
  gpointer  user_data;
} LsSimtOptions;

/* What a run gave. */
typedef struct {
  LsPrimFunc *func;             /* what ran: the nodes of the sites are its */
  GArray   *kernels;            /* of LsSimtKernel */
  GArray   *sites;              /* of LsSimtSite */
  GPtrArray *findings;          /* of LsSimtFinding */
  GPtrArray *buffers;           /* of LsBuffer: stand for memory that only pointers of the program name */
  gboolean  stopped;            /* at a barrier that not all threads reached: the results are those up to it */
} LsSimtRun;

/* Runs a function that ls_lower_device has lowered.  Writes into the arrays.  Errors: LS_INTERP_ERROR; what a program does wrong on its
 * threads is no error but a finding. (transfer full) */
LsSimtRun *ls_simt_run       (LsPrimFunc          *lowered,
                              const LsInterpArg   *args,
                              guint                n_args,
                              const LsSimtOptions *options,
                              GError             **error);
void       ls_simt_run_free  (LsSimtRun           *self);
/* Lanes of a warp by the target of a function that ls_lower_device has lowered: 64 where it says so (rocm), else 32. */
guint      ls_simt_warp_size (LsPrimFunc          *lowered);
/* Findings that make results wrong on some device: all but LS_SIMT_SAME_VALUE. */
guint      ls_simt_run_n_faults (LsSimtRun        *self);
/* "race", "same-value", "barrier", "unwritten", "bounds", "shuffle", "partial", "pending". */
const char *ls_simt_finding_name (LsSimtFindingKind kind);
const char *ls_simt_space_name   (LsSimtSpace       space);

/* fragment.c: how the lanes of a warp share a tile that tensor cores multiply, as the description of mma.sync in the PTX manual says: A is m x k, B
 * k x n, C and D m x n.  What wmma's fragments look like is left open there; here they are taken to be the same. */
typedef enum { LS_SIMT_TILE_A, LS_SIMT_TILE_B, LS_SIMT_TILE_C } LsSimtTile;
/* Lane and number in the lane of an element; FALSE: such a tile is not shared among 32 lanes. */
gboolean   ls_simt_tile_place   (LsSimtTile tile, guint rows, guint columns, guint bits, guint row, guint column, guint *lane, guint *number);
/* The way back. number < rows * columns / 32 */
gboolean   ls_simt_tile_element (LsSimtTile tile, guint rows, guint columns, guint bits, guint lane, guint number, guint *row, guint *column);

/* count.c: what one access of a warp costs.  offsets: bytes, one for each lane of the mask; `bytes` of each lane.
 * Different sectors (unit 32) or lines (unit 128) that are touched. */
guint      ls_simt_count_units (const gint64 *offsets, LsSimtMask mask, guint bytes, guint unit);
/* Passes over the 32 banks of 4 bytes: different words of one bank are served one after the other, the same word at once.  Lanes of 8 (16)
 * bytes go in halves (quarters) of 32, those of a warp of 64 in its two halves. *needed: passes if nothing collided; *ways: the most words of one bank
 * in one of these parts. */
guint      ls_simt_count_passes (const gint64 *offsets, LsSimtMask mask, guint bytes, guint *needed, guint *ways);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSimtRun, ls_simt_run_free)

G_END_DECLS
