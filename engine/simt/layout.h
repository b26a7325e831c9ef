/* layout: where the elements of tiles, of shared memory and of what threads keep in registers are. */
#pragma once

#include "engine/simt/simt.h"
#include "engine/tir/device.h"

G_BEGIN_DECLS

#define LS_SIMT_LAYOUT_MOST 64          /* rows and columns of memory that are told */
#define LS_SIMT_LAYOUT_NOWHERE G_MAXUINT

typedef enum {
  LS_SIMT_LAYOUT_LANES,         /* a tile of tensor cores: lane and number of each element */
  LS_SIMT_LAYOUT_BANKS,         /* a buffer in shared memory, as it is declared: bank of each element */
  LS_SIMT_LAYOUT_REGISTERS,     /* a buffer that is copied to or from memory of each thread: thread and register of each element, as a run showed them */
  LS_SIMT_LAYOUT_STAGED         /* a buffer that is copied into shared memory: bank and place there of each element, as a run showed them */
} LsSimtLayoutKind;

typedef struct {
  LsSimtLayoutKind kind;
  char      *name;              /* of the buffer */
  char      *other;             /* REGISTERS, STAGED: the buffer of the threads, or in shared memory; else NULL */
  LsSimtTile tile;              /* LANES: its role in the product */
  LsDType    dtype;
  guint      rows, columns;     /* BANKS: the last two dimensions, at most LS_SIMT_LAYOUT_MOST of each; REGISTERS, STAGED: as many of what was copied */
  gint64     row, column;       /* REGISTERS, STAGED: of the first that is told; rows count through all dimensions but the last */
  gint64     pitch;             /* elements from row to row */
  guint     *places;            /* row by row: the lane, the bank of 4 bytes (32 of them), the thread of the block; LS_SIMT_LAYOUT_NOWHERE: not copied */
  guint     *numbers;           /* LANES, REGISTERS: the number of the element in its lane; STAGED: in the shared buffer; BANKS: NULL */
  guint      holders;           /* REGISTERS: the most threads that got one element; `places` has the first */
} LsSimtLayout;

/* The tiles that the kernels of a function multiply on tensor cores, and their shared memory as it is laid out when the function is lowered for a target (a
 * permutation that InjectPermutedLayout puts into the indices is not in it); each once.  What the fragments of wmma look like is not told by NVIDIA: they are
 * taken to be those of mma.sync.  Errors: of the passes and of the simulator's compiler. (transfer full): an array of LsSimtLayout */
GPtrArray *ls_simt_layouts     (LsPrimFunc            *func,
                                const LsDeviceTarget  *target,
                                GError               **error);
void       ls_simt_layout_free (LsSimtLayout          *self);

/* What one block of a kernel copies, watched while it runs: statements that store what they have just loaded from one element, between memory of each
 * thread (scope local) and other memory, or from global into shared memory (asynchronous copies too).  So transform_layout, storage_align and permuted
 * layouts are seen as they come out.  Where a loop fills the same places again, the first round is told. (transfer full) */
typedef struct _LsSimtHolding LsSimtHolding;
LsSimtHolding *ls_simt_holding_new  (guint               kernel,
                                     gint64              block);
/* To be called for each access of the run. */
void       ls_simt_holding_see      (LsSimtHolding      *self,
                                     const LsSimtAccess *access);
/* Adds the layouts that were seen to `layouts`, of which those with names and pitches of shared memory are known; `func` is the function before it was
 * lowered.  A buffer whose rows nobody knows is one row. */
void       ls_simt_holding_layouts  (LsSimtHolding      *self,
                                     LsPrimFunc         *func,
                                     GPtrArray          *layouts);
void       ls_simt_holding_free     (LsSimtHolding      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LsSimtHolding, ls_simt_holding_free)

G_END_DECLS
